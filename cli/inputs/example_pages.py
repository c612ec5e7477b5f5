"""Examples: a file of pages that the user has marked, one on each line.

    good detail  https://example.org/tea/green.html
    bad          https://example.org/cars
    good         pages/oolong.html
    list         https://example.org/tea/

First the marks (`good` or `bad`, `detail` or `list`, or one of both), then an address, or the name of an HTML file
beside this one. `#` at the beginning or after a blank begins a remark.
"""

from collections.abc import Iterable, Iterator
from pathlib import Path

from cli.inputs.given_files import read_given, text_lines
from cli.inputs.seed_lists import REMARK
from cli.render.language import later, listed, tr
from ontology.errors import SettingsError
from semantic.page import Page
from semantic.parsing.page_reader import read_page
from semantic.reasons import PageError
from semantic.strategies.strategy_table import STRATEGIES, takes_examples
from semantic.understanding import Examples, Marks
from semantic.urls import normalise

SAMPLES = {  # `Samples.source` in words
    "examples": later("the pages marked by --examples"),
    "ontology": later("what the ontology judged clearly in this crawl"),
}
OPTION = "--examples"
_GOOD = {"good": True, "bad": False}
_DETAIL = {"detail": True, "list": False}


def read_examples(path: Path) -> Examples:
    """All marks of the file. Marks of one page on several lines are combined. Raises SettingsError for invalid
    lines.
    """
    addresses: dict[str, Marks] = {}
    files: dict[Path, Marks] = {}
    for where, marks, named in _lines(path):
        if named.lower().startswith(("http://", "https://")):
            url = _address(named, where)
            addresses[url] = _joined(addresses.get(url), marks, where)
        else:
            file = path.parent / named
            files[file] = _joined(files.get(file), marks, where)
    if not addresses and not files:
        raise SettingsError(
            tr("{path} marks no page", path=path), "write one on each line, as in: good https://example.org/tea"
        )
    return Examples(addresses, tuple((_page(file, path), marks) for file, marks in files.items()))


def examples_of(path: str | None, *, stored: bool = False) -> Examples | None:
    """Read the file of --examples; None without one. `stored`: it was named by an earlier run.

    Raises SettingsError.
    """
    if path is None:
        return None
    if stored and not Path(path).exists():
        cure = tr(
            "put it back, or go on without it: the same `{command} crawl` without --examples, or with another file"
        )
        raise SettingsError(tr("the crawl's file of examples is gone: {path}", path=path), cure)
    return read_examples(Path(path))


def check_examples(strategies: Iterable[str]) -> None:
    """Raise SettingsError if none of these strategies uses marked pages."""
    chosen = list(strategies)
    if not any(map(takes_examples, chosen)):
        users = listed(filter(takes_examples, STRATEGIES))
        told = (
            tr("--examples: strategy '{chosen}' does not use them", chosen=chosen[0])
            if len(chosen) == 1
            else tr("--examples is not used")
        )
        raise SettingsError(told, tr("leave --examples out, or take one of: {users}", users=users))


def _lines(path: Path) -> Iterator[tuple[str, Marks, str]]:
    """Each line with marks: where it stands, the marks, and the marked page."""
    cure = tr("give {option} a text file (UTF-8) with lines such as: good https://example.org/tea", option=OPTION)
    for number, line in enumerate(read_given(OPTION, path, text_lines, cure), 1):
        if said := REMARK.sub("", line).strip():
            yield (where := tr("{path}, line {number}", path=path, number=number)), *_marked(said, where)


def _marked(line: str, where: str) -> tuple[Marks, str]:
    marks, rest = Marks(), line
    while rest:
        word, _, after = rest.partition(" " if "\t" not in rest.split(" ", 1)[0] else "\t")
        good, detail = _GOOD.get(word), _DETAIL.get(word)
        if good is None and detail is None:
            break
        marks, rest = _joined(marks, Marks(good, detail), where), after.strip()
    if marks == Marks():
        raise SettingsError(
            tr("{where}: {line!r} has no mark", where=where, line=line),
            "begin it with good or bad, detail or list, or one of both",
        )
    if not rest:
        raise SettingsError(
            tr("{where}: {line!r} names no page", where=where, line=line),
            "write an address or a file name after the marks",
        )
    return marks, rest


def _joined(before: Marks | None, marks: Marks, where: str) -> Marks:
    if before is None:
        return marks
    for one, other, name in (
        (before.good, marks.good, tr("good and bad")),
        (before.detail, marks.detail, tr("detail and list")),
    ):
        if one is not None and other is not None and one != other:
            raise SettingsError(tr("{where}: marked {name}", where=where, name=name), "leave one of the two")
    good = before.good if marks.good is None else marks.good
    return Marks(good, before.detail if marks.detail is None else marks.detail)


def _address(text: str, where: str) -> str:
    url = normalise(text)
    if url is None:
        raise SettingsError(
            tr("{where}: {text!r} is no web address", where=where, text=text),
            "an address begins with http:// or https://",
        )
    return url


def _page(file: Path, path: Path) -> Page:
    cure = tr("in {path}, name an HTML file beside it, or an address that begins with http", path=path)
    try:
        return read_page(read_given(str(path), file, Path.read_bytes, cure), file.resolve().as_uri(), {})
    except (PageError, ValueError) as error:  # also a name that no file can have
        raise SettingsError(tr("examples: {error}", error=error), cure) from error
