"""Writes decisions into the expert's file: the new text is computed, parsed and compared, and only then replaces the
file.
"""

import os
import shutil
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from ontology.child_process import run_isolated
from ontology.editing.comparison import difference
from ontology.editing.edited_file import Change, EditedFile, backup_name, of_bytes, open_file
from ontology.editing.insertion import insertions
from ontology.editing.replaced_value import replacements
from ontology.errors import OntologyError
from ontology.file_failures import is_there, why_refused
from ontology.loading.imports_closure import load
from ontology.messages import message
from ontology.proposals.additions import Additions, additions, kinds_of
from ontology.proposals.decisions import Decisions
from ontology.proposals.proposals_reading import read_decisions
from ontology.syntaxes.file_statements import Stated, read_statements
from ontology.syntaxes.statement import Statement

SECONDS, MEMORY_MB = 180.0, 1536
"""Limits: the file is read three times, and once more for each replaced weight; chosen, not measured."""


@dataclass(frozen=True, slots=True)
class Accepted:
    """The result of decisions. `done` and `passed_over`: texts, one for each. `added`: number of statements written.

    `backup`: a copy of the former file; None if nothing was written.
    """

    done: tuple[str, ...]
    passed_over: tuple[str, ...]
    added: int = 0
    backup: Path | None = None


def accept(proposals: Path, into: Path, language: str | None = None) -> Accepted:
    """Write the proposals that an expert kept in a file of proposals, and record the refused ones.

    `language`: in which the result names concepts, see `Captions`.
    Raises OntologyError if either file cannot be read, if they do not belong together, or if the file would lose
    anything. In that case the file is not changed.
    """
    return _apply(into, proposals, language)


def apply(decisions: Decisions, into: Path, language: str | None = None) -> Accepted:
    """Write decisions that were made elsewhere; otherwise like `accept`."""
    return _apply(into, decisions, language)


def _apply(into: Path, decided: Path | Decisions, language: str | None) -> Accepted:
    target = Path(os.path.realpath(into))  # follow a symbolic link, so that the link itself is not replaced
    _check_writable(target, is_asked=isinstance(decided, Decisions))
    old, new, plan = planned(target, decided, language)
    done, passed_over = tuple(plan.done), tuple(plan.passed_over)
    if new is None:
        return Accepted(done, passed_over)
    backup = _replace(target, old, new)
    return Accepted(done, passed_over, len(plan.statements) + len(plan.values), backup)


def planned(
    into: Path, decided: Path | Decisions, language: str | None = None
) -> tuple[bytes, bytes | None, Additions]:
    """What `accept` or `apply` would write, see `edited`, computed in a child process. Nothing is written.

    Raises OntologyError as they do.
    """
    work = (into, decided, language)
    return run_isolated(edited, work, name=into.name, seconds=SECONDS, memory_mb=MEMORY_MB)


def check_before_asking(into: Path) -> None:
    """Raise OntologyError if `apply` could not write into this file, before decisions are made."""
    _check_writable(Path(os.path.realpath(into)), is_asked=True)


def _check_writable(path: Path, *, is_asked: bool) -> None:
    """`is_asked`: decisions are made at the terminal, so there is no --into."""
    if not is_there(path):
        return  # reading it will report that
    is_marked = not path.stat().st_mode & 0o222  # checked because root may write read-only files
    if is_marked or not (os.access(path, os.W_OK) and os.access(path.parent, os.W_OK)):
        cure = message("allow it (chmod u+w {path}), or copy it and name the copy with --into", path=path.name)
        if is_asked:
            cure = message(
                "allow it (chmod u+w {path}), or write proposals with -o instead of --review, "
                "and accept them into a copy of it",
                path=path.name,
            )
        raise OntologyError(message("{path} or its folder may not be written", path=path.name), cure)


def edited(path: Path, decided: Path | Decisions, language: str | None = None) -> tuple[bytes, bytes | None, Additions]:
    """The former bytes and the new ones (None if there is nothing to add), already compared.

    The work of the child process; writes nothing. Raises OntologyError as `accept` does.
    """
    file = open_file(path)
    ontology, before = load(path, False, MEMORY_MB), read_statements(file.source)
    decisions = read_decisions(decided, ontology, before) if isinstance(decided, Path) else decided
    plan = additions(decisions, ontology, before, language)
    if not plan.statements and not plan.values:
        return file.data, None, plan
    edited = of_bytes(path, file.changed(insertions(file, plan.statements, kinds_of(ontology))))
    _check(edited, before, plan.statements, [])
    for place, (old, value) in enumerate(plan.values):
        edited = _with_value(edited, before, plan, place, replacements(edited, old, value))
    return file.data, edited.data, plan


def _with_value(file: EditedFile, before: Stated, plan: Additions, place: int, changes: Iterator[Change]) -> EditedFile:
    """Replace one value at the place after which everything else is unchanged. Raises OntologyError if there is
    none.
    """
    old, value = plan.values[place]
    for change in changes:
        edited = of_bytes(file.path, file.changed([change]))
        if not _difference(edited, before, plan.statements, plan.values[: place + 1]):
            return edited
    what = message(
        "{path}: where it says {value} of <{subject}> was not found; nothing was written",
        path=file.path.name,
        value=old.value,
        subject=old.subject,
    )
    raise OntologyError(
        what, message("set it in Protégé: oc:weight {value}; delete the proposal, and accept the others", value=value)
    )


def _check(
    file: EditedFile, before: Stated, added: Sequence[Statement], values: Sequence[tuple[Statement, str]]
) -> None:
    wrong = _difference(file, before, added, values)
    if wrong:
        what = message(
            "{path}: after writing it would not say the same as before ({wrong}); nothing was written",
            path=file.path.name,
            wrong=wrong,
        )
        raise OntologyError(what, "save the file as RDF/XML (in Protégé: File > Save as), then accept into that")


def _difference(
    file: EditedFile, before: Stated, added: Sequence[Statement], values: Sequence[tuple[Statement, str]]
) -> str:
    """How the edited file differs from what it should say, "" if it does not."""
    try:
        return difference(before, read_statements(file.source), added, values)
    except OntologyError as error:
        return str(error)


def _replace(path: Path, old: bytes, new: bytes) -> Path:
    """Copy the file to a backup and replace it atomically. After an OntologyError the file is unchanged."""
    backup = backup_name(path)
    written = None
    try:
        if path.read_bytes() != old:
            raise OntologyError(
                message("{path} has changed meanwhile; nothing was written", path=path.name), "do it again"
            )
        with tempfile.NamedTemporaryFile(dir=path.parent, prefix=f".{path.name}.", suffix=".new", delete=False) as file:
            written = Path(file.name)
            file.write(new)
            file.flush()
            os.fsync(file.fileno())
        shutil.copymode(path, written)
        shutil.copy2(path, backup)
        written.replace(path)
    except OSError as error:
        raise OntologyError(
            message("{path}: {why}; nothing was written", path=path, why=why_refused(error)),
            "check the folder and the disk",
        ) from None
    finally:
        if written is not None:
            written.unlink(missing_ok=True)
    return backup
