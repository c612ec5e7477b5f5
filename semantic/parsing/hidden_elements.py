"""Whether an element is hidden from readers, by its own attributes; style sheets are not read.

Hidden is what has the attribute `hidden` (HTML, 6.1; not `until-found`, which a search in the page shows), `display:
none`, `visibility: hidden`, or a place far outside of the window. As in a browser the last declaration of a property
counts, one with `!important` before others, and one whose value is no value counts nothing. What may be shown stays
text: opacity, size and colour hide nothing, since scripts fade pages in.
"""

import re
from functools import lru_cache

SHOWN, GONE, INVISIBLE, VISIBLE = 0, -2, -1, 1  # `VISIBLE`: shown inside of what is INVISIBLE
NOTE = -3  # beside them: what follows later

_MAY_SAY = re.compile("display|visibility|-99", re.IGNORECASE)
_COMMENT = re.compile(r"/\*.*?(?:\*/|\Z)", re.DOTALL)
_DECLARATION = re.compile(r"\s*+([\w-]+)\s*+:([^;]*)")
_IMPORTANT = re.compile(r"!\s*important\s*\Z")
_VALUES = {
    "display": re.compile(r"[a-z][a-z -]*\Z"),
    "visibility": re.compile(r"visible|hidden|collapse|inherit|initial|unset|revert|revert-layer"),
    "position": re.compile(r"absolute|fixed|static|relative|sticky"),
    **dict.fromkeys(("left", "top"), re.compile(r"auto|0|[-+]?[\d.]+[a-z%]+")),
}
_FAR = re.compile(r"-9{3,}(?:px|em|rem|pt)\Z")  # what people write to move text out of the window
_REMEMBERED = 200  # characters of a style that is remembered; chosen, not measured


def hides(hidden: str | None, style: str | None) -> int:
    """What these attributes of an element do: SHOWN, GONE, INVISIBLE or VISIBLE."""
    is_hidden = hidden is not None and hidden.strip().lower() != "until-found"
    if not style or not _MAY_SAY.search(style):
        return GONE if is_hidden else SHOWN
    said = _said_by(style) if len(style) > _REMEMBERED else _short_said_by(style)
    display, visibility = said.get("display"), said.get("visibility")
    if display == "none" or (is_hidden and display is None):
        return GONE
    if visibility in ("hidden", "collapse"):
        return INVISIBLE
    is_apart = said.get("position") in ("absolute", "fixed")
    if is_apart and any(_FAR.match(said.get(side, "")) for side in ("left", "top")):
        return GONE
    return VISIBLE if visibility == "visible" else SHOWN


def _said_by(style: str) -> dict[str, str]:
    """The value of each property of `_VALUES` that a style gives."""
    usual: dict[str, str] = {}
    important: dict[str, str] = {}
    for part in _COMMENT.sub(" ", style).lower().split(";"):
        declaration = _DECLARATION.match(part)
        if declaration is None or declaration[1] not in _VALUES:
            continue
        value = declaration[2].strip()
        bare = _IMPORTANT.sub("", value).rstrip()
        if _VALUES[declaration[1]].fullmatch(bare):
            (usual if bare == value else important)[declaration[1]] = bare
    return usual | important


_short_said_by = lru_cache(maxsize=1000)(_said_by)  # a site has few of them
