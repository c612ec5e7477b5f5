"""Compiles the translations: each `ontocrawl.po` of `cli/locale` into an `ontocrawl.mo` beside it.

    python compile_texts.py

`make setup` does it for a checkout, the build of a wheel for an installation. It needs nothing but Python, so that a
wheel is built without more tools. Any other program for gettext's files (Poedit, msgfmt) reads and writes the same.
"""

import ast
import os
import struct
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from zlib import crc32

ROOT = Path(__file__).resolve().parent
LOCALE = ROOT / "cli" / "locale"
DIGEST = "X-Source"  # by which a compiled file that is old is known
MAGIC = 0x950412DE  # of a .mo file, GNU gettext manual, "The Format of GNU MO Files"


def sources() -> list[Path]:
    """The files of translations."""
    return sorted(LOCALE.glob("*/LC_MESSAGES/*.po"))


def read_texts(path: Path) -> dict[str, str]:
    """English -> translation, '' where there is none yet; the head of the file under ''.

    Raises ValueError for a line that is none of gettext's, or with a form that is not used here (plurals, contexts).
    """
    texts: dict[str, str] = {}
    parts: dict[str, str] = {}
    at = ""

    def keep() -> None:
        if "msgid" in parts:
            texts[parts["msgid"]] = parts.get("msgstr", "")

    for number, line in enumerate(path.read_text("utf-8").splitlines(), 1):
        word, _, rest = line.strip().partition(" ")
        if not word or word.startswith("#"):
            continue
        if word in ("msgid", "msgstr"):
            if word == "msgid":
                keep()
                parts = {}
            at, parts[word] = word, ast.literal_eval(rest)
        elif word.startswith('"') and at:
            parts[at] += ast.literal_eval(line.strip())
        else:
            raise ValueError(f"{path}, line {number}: {line}")
    keep()
    return texts


def compiled(path: Path) -> bytes:
    """The compiled form, with the source's digest in its head. What has no translation is left out."""
    texts = {english: told for english, told in read_texts(path).items() if told}
    texts[""] = f"{texts.get('', '')}{DIGEST}: {crc32(path.read_bytes()):08x}\n"
    return b"".join(_parts(texts))


def _parts(texts: Mapping[str, str]) -> Iterator[bytes]:
    """Head, table of originals, table of translations, and the texts, each ended by a zero byte."""
    pairs = sorted((english.encode("utf-8"), told.encode("utf-8")) for english, told in texts.items())
    count, head = len(pairs), 28
    yield struct.pack("<7I", MAGIC, 0, count, head, head + 8 * count, 0, 0)
    place = head + 16 * count
    for column in (0, 1):
        for pair in pairs:
            yield struct.pack("<2I", len(pair[column]), place)
            place += len(pair[column]) + 1
    for column in (0, 1):
        for pair in pairs:
            yield pair[column] + b"\0"


def compiled_texts() -> Iterator[tuple[Path, bytes]]:
    """Each compiled file and its content."""
    return ((path.with_suffix(".mo"), compiled(path)) for path in sources())


def main() -> int:
    """Compile them all; one that is new enough is left as it is."""
    for target, made in compiled_texts():
        if not target.exists() or target.read_bytes() != made:
            aside = target.with_suffix(f".{os.getpid()}.new")  # others may read it at this moment
            aside.write_bytes(made)
            aside.replace(target)
    return 0


if __name__ == "__main__":
    sys.exit(main())
