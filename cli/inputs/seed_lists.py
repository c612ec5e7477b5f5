"""Addresses typed or in files with one on each line (`#` begins a comment): seeds, and labels of a lab."""

import re
import unicodedata
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path

from cli.inputs.given_files import read_given, text_lines
from cli.render.language import listed, tr
from ontology.errors import SettingsError
from ontology.file_failures import is_there
from semantic.urls import host_of, is_public_name, normalise

# a blank, or what people write between two addresses; titles in addresses have commas, too: /wiki/我，机器人
_PARTED = re.compile(r"\s|[,;|，、；](?=https?://)")
REMARK = re.compile(r"(?:^|\s)#.*")  # a `#` inside an address begins its fragment


def read_seeds(
    given: Iterable[str], answering: Callable[[Sequence[str]], Mapping[str, str]] | None = None
) -> tuple[str, ...]:
    """All addresses, normalised, each once, in their order. Raises SettingsError for invalid ones.

    An argument that is no file and has no scheme, but begins with a public host name (`linux.cn`), gets https, or what
    `answering` gives for that address.
    """
    read: list[tuple[str, bool]] = []  # an address, and whether its scheme was left out
    for item in given:
        typed = "://" in unicodedata.normalize("NFKC", item) or (not is_there(Path(item)) and is_bare(item))
        read += [(read_address(item, "--seeds"), is_bare(item))] if typed else _read_file(Path(item))
    bare = [url for url, is_without in dict(read).items() if is_without]
    instead = answering(bare) if answering and bare else {}
    found = dict.fromkeys(instead.get(url, url) for url, _ in read)
    if not found:
        raise SettingsError(
            tr("no seed in {given}", given=listed(given)),
            "write one address on each line, as in https://example.org/",
        )
    return tuple(found)


def read_addresses(path: Path | None, option: str) -> tuple[str, ...] | None:
    """The addresses in a file, not normalised, because archives contain spellings that the crawl would not use."""
    if path is None:
        return None
    cure = tr("give {option} a text file (UTF-8) with one address on each line", option=option)
    lines = read_given(option, path, text_lines, cure)
    return tuple(line for line in (REMARK.sub("", line).strip() for line in lines) if line)


def _read_file(path: Path) -> list[tuple[str, bool]]:
    cure = tr(
        "give --seeds a text file (UTF-8) with one address on each line, or an address such as https://example.org/"
    )
    lines = read_given("--seeds", path, text_lines, cure)
    stripped = ((number, REMARK.sub("", line).strip()) for number, line in enumerate(lines, 1))
    return [
        (read_address(line, tr("{path}, line {number}", path=path, number=number)), is_bare(line))
        for number, line in stripped
        if line
    ]


def is_bare(text: str) -> bool:
    """Whether a text is an address without a scheme: `linux.cn/tag`."""
    url = None if "://" in text else normalise(f"https://{text}")
    return url is not None and is_public_name(host_of(url))


def read_address(text: str, where: str) -> str:
    """One address, normalised. Raises SettingsError for what is none; `where`: of it."""
    first, *more = _PARTED.split(text.strip())
    if more and (is_bare(first) or any(map(normalise, (first, *more)))):
        cure = tr("write one address on each line, and a remark behind a blank and #; a blank in an address is %20")
        raise SettingsError(tr("{where}: {text!r} is more than one address", where=where, text=text), cure)
    url = None if more else normalise(f"https://{text}" if is_bare(text) else text)
    if url is None:
        near = normalise(unicodedata.normalize("NFKC", text))  # typed with a Chinese keyboard: http：／／
        cure = (
            tr("did you mean {near}?", near=near)
            if near
            else tr("an address begins with http:// or https:// and a host name")
        )
        raise SettingsError(tr("{where}: {text!r} is no web address", where=where, text=text), cure)
    return url
