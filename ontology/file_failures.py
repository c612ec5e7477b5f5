"""What is said where the operating system refuses a file, a folder or a port: its reasons in plain words."""

import errno
import os
from difflib import get_close_matches
from pathlib import Path

from ontology.messages import Message, message

WHY = {  # errors of open(2), write(2), mkdir(2) and bind(2) that a user meets
    errno.ENOENT: message("there is no such file"),
    errno.EISDIR: message("it is a folder"),
    errno.ENOTDIR: message("a part of this path is a file and no folder"),
    errno.EEXIST: message("it exists already"),
    errno.EACCES: message("you have no permission"),
    errno.EPERM: message("you have no permission"),
    errno.EROFS: message("the disk can only be read"),
    errno.ENOSPC: message("the disk is full"),
    errno.EDQUOT: message("your share of the disk is full"),
    errno.EIO: message("the disk or device gives an error"),
    errno.ENAMETOOLONG: message("the name is too long"),
    errno.EADDRINUSE: message("another program uses it"),
    errno.EMFILE: message("this program has too many files and connections open"),
    errno.ENFILE: message("this machine has too many files and connections open"),
}
_SHORT = (errno.EMFILE, errno.ENFILE)

# endings of files with ontologies; their syntax is detected by content
ONTOLOGIES = (
    ".owl",
    ".rdf",
    ".rdfs",
    ".xml",
    ".ttl",
    ".trig",
    ".n3",
    ".nt",
    ".nq",
    ".trix",
    ".jsonld",
    ".json",
    ".ofn",
    ".omn",
    ".owx",
    ".obo",
)
# endings of files that one option takes, so that no list of seeds is proposed for an ontology
KINDS = (
    ONTOLOGIES,
    (".txt", ".csv", ".tsv"),
    (".warc", ".wacz", ".gz", ".xz", ".bz2", ".zst"),
    (".toml",),
    (".html", ".htm", ".pdf", ".docx", ".pptx", ".odt", ".odp", ".epub"),
)


def is_there(path: Path) -> bool:
    """Whether a file or folder is there. For a name too long for any file `Path.exists` raises OSError before Python
    3.14.
    """
    return os.path.exists(path)


def is_short_of_files(error: BaseException | None) -> bool:
    """Whether something failed because too many files and connections are open. That passes, and is nobody else's
    failure.
    """
    while error is not None:
        if isinstance(error, OSError) and error.errno in _SHORT:
            return True
        error = error.__cause__
    return False


def are_files_left() -> bool:
    """Whether this process can open another file now."""
    try:
        os.close(os.open(os.devnull, os.O_RDONLY | os.O_CLOEXEC))
    except OSError as error:
        return not is_short_of_files(error)
    return True


def why_refused(error: Exception) -> str:
    """Why: a message for known errors of files, otherwise the words of the error itself."""
    if isinstance(error, UnicodeDecodeError):
        return message("it is no text in UTF-8")
    if isinstance(error, OSError):
        return WHY.get(error.errno or 0) or error.strerror or str(error)
    return str(error)


def refusal(path: object, error: Exception, cure: str) -> tuple[Message, str]:
    """What is said of a file, and the next step."""
    return message("{path}: {why}", path=path, why=why_refused(error)), next_step(path, error, cure)


def next_step(path: object, error: Exception, cure: str) -> str:
    """`cure`, or a file of nearly the name of one that is not there."""
    near = _near_name(Path(str(path))) if isinstance(error, FileNotFoundError) else ""
    return message("did you mean {near}?", near=near) if near else cure


def _near_name(path: Path) -> str:
    """An existing file of nearly this name; '' if there is none."""
    try:
        names = [each.name for each in path.parent.iterdir()]
    except OSError:
        return ""
    # a short name differs little from any other with the same ending: what stands before that must be near, too
    names = [name for name in names if name != path.name]  # a link to nowhere
    names = [name for name in names if _is_of_one_kind(path.suffix, Path(name).suffix)]
    near = (name for name in get_close_matches(path.name, names) if get_close_matches(path.stem, [Path(name).stem]))
    return str(path.parent / name) if (name := next(near, "")) else ""


def _is_of_one_kind(*endings: str) -> bool:
    """Whether files with these endings may stand for each other. Unknown endings may be misspelt, and stand for all."""
    known = [kind for ending in endings for kind in KINDS if ending.lower() in kind]
    return len(known) < len(endings) or len(set(known)) == 1
