"""A file on disk with insertions at places in its text; all other bytes stay unchanged."""

from dataclasses import dataclass
from itertools import count
from pathlib import Path

from ontology.errors import OntologyError
from ontology.file_failures import refusal
from ontology.loading.imports_closure import check_size
from ontology.messages import message
from ontology.syntaxes.syntax_detection import OntologyText, recognise
from ontology.syntaxes.text_decoding import decode

SAVE_AS_UTF8 = message("save the file as UTF-8 (in Protégé: File > Save as), then do it again")


@dataclass(frozen=True, slots=True)
class Change:
    """A replacement of the text from `start` to `end` by `text`; an insertion if both are equal."""

    start: int
    end: int
    text: str


@dataclass(frozen=True, slots=True)
class EditedFile:
    """A file to be edited.

    - `text`: the whole file without byte order mark, with the XML declaration; invalid bytes are lone surrogates.
    - `source`: the text as the parsers need it.
    - `newline`: the most frequent line end.
    """

    path: Path
    data: bytes
    encoding: str
    text: str
    source: OntologyText
    newline: str

    def changed(self, changes: list[Change]) -> bytes:
        """The bytes with the changes applied; the changes may not overlap.

        Raises OntologyError if the file's encoding cannot represent a character.
        """
        parts, end = [self.data[: self._byte(0)]], 0
        for change in sorted(changes, key=lambda each: (each.start, each.end)):
            parts += [self.data[self._byte(end) : self._byte(change.start)], self._encoded(change.text)]
            end = change.end
        return b"".join([*parts, self.data[self._byte(end) :]])

    def _byte(self, place: int) -> int:
        return len(_mark(self.data, self.encoding)) + len(self.text[:place].encode(self.encoding, "surrogateescape"))

    def _encoded(self, text: str) -> bytes:
        text = text.replace("\n", self.newline)
        try:
            return text.encode(self.encoding)
        except UnicodeEncodeError:
            if self.source.xml:
                return text.encode(self.encoding, "xmlcharrefreplace")
            if self.source.syntax in ("turtle", "trig", "nt", "nquads", "jsonld"):
                return text.encode("ascii", "backslashreplace").decode("ascii").encode(self.encoding)
            what = message(
                "{path}: its encoding {encoding} cannot write {strip}",
                path=self.path.name,
                encoding=self.encoding,
                strip=text.strip()[:60],
            )
            raise OntologyError(what, SAVE_AS_UTF8) from None


def open_file(path: Path) -> EditedFile:
    """Read the file. Raises OntologyError if it cannot be read, or could not be written again byte for byte."""
    check_size(path)
    try:
        data = path.read_bytes()
    except OSError as error:
        raise OntologyError(*refusal(path, error, "check the permissions of the file")) from None
    return of_bytes(path, data)


def of_bytes(path: Path, data: bytes) -> EditedFile:
    """The same for bytes that are not on disk yet."""
    decoded = decode(data)
    body = data[len(_mark(data, decoded.encoding)) :]
    try:
        text = body.decode(decoded.encoding, "surrogateescape")
        is_same = text.encode(decoded.encoding, "surrogateescape") == body
    except UnicodeError:
        is_same = False
    if not is_same:
        what = message(
            "{path}: not all of its bytes are {encoding}, so it cannot be left as it is",
            path=path.name,
            encoding=decoded.encoding,
        )
        raise OntologyError(what, SAVE_AS_UTF8)
    newline = "\r\n" if 2 * text.count("\r\n") > text.count("\n") else "\n"
    return EditedFile(path, data, decoded.encoding, text, recognise(path.name, decoded.text), newline)


def backup_name(path: Path) -> Path:
    """A free name for a copy of the file: topic.owl.bak, topic.owl.bak2, ..."""
    names = (path.with_name(f"{path.name}.bak{number if number > 1 else ''}") for number in count(1))
    return next(name for name in names if not name.exists())


def _mark(data: bytes, encoding: str) -> bytes:
    """The byte order mark, or b""."""
    mark = "\ufeff".encode(encoding) if encoding.startswith("utf") else b""
    return mark if mark and data.startswith(mark) else b""
