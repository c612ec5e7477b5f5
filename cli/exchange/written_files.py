"""Files that are there whole or not at all: written beside, and given their names once all are written."""

import contextlib
import os
from collections.abc import Callable, Iterator
from pathlib import Path

from cli.render.language import tr
from ontology.errors import SettingsError
from ontology.file_failures import refusal
from ontology.messages import message

Place = Callable[[Path], Path]

PLACE_CURE = message("give -o a place with room that can be written")


def check_place(goal: Path) -> None:
    """Raise SettingsError if a file can never have this name, before all the work."""
    try:
        with contextlib.suppress(FileNotFoundError, NotADirectoryError):
            goal.lstat()
    except OSError as error:
        raise SettingsError(*refusal(goal, error, PLACE_CURE)) from error
    nearest = next(folder for folder in goal.absolute().parents if folder.exists())
    if not nearest.is_dir():
        raise SettingsError(tr("{path} is a file and no folder", path=nearest), PLACE_CURE)


@contextlib.contextmanager
def written_beside() -> Iterator[Place]:
    """Gives a function: the place where to write a file for now. What was there before under its name is replaced at
    the end. Where something fails, nothing is left of what was written. Raises SettingsError where a disk refuses.
    """
    places: dict[Path, Path] = {}

    def place(goal: Path) -> Path:
        goal.parent.mkdir(parents=True, exist_ok=True)
        places[goal] = goal.with_name(f".{goal.name}.{os.getpid()}.part")
        return places[goal]

    try:
        yield place
        for goal, part in places.items():
            part.replace(goal)
    except OSError as error:
        where = error.filename or next(iter(places), tr("the output"))
        raise SettingsError(*refusal(where, error, PLACE_CURE)) from error
    finally:
        for part in places.values():
            part.unlink(missing_ok=True)
