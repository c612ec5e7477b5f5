"""A page as the record keeps it: all that was read of its bytes, in a fraction of their size.

zlib over JSON, in columns, since one list of numbers is read in a fraction of the time that a list a span takes:
`text`; of its spans `from`, `to` and `at` (a sign each, the rank of the position); `title` and what else a page says of
itself; of its links `urls`, `starts`, `ends`, `paths` (numbers of `tags`), and where any link has one `anchors` (of
links without text), `titles`, `rels` (words with blanks between). For a strategy that reads it: `nodes`, and the links'
`places` among them, a sixth more. Anchor texts and what stands around them are parts of the text, and are not kept
again. A page that forbids to follow its links has none here.

Only this file imports isal and orjson. Of pages of archwiki isal's first level is as small as zlib's and takes 0.06 ms
for 0.20, orjson 0.03 for 0.17.
"""

from collections.abc import Mapping
from functools import lru_cache, partial
from itertools import repeat
from typing import Any

import orjson
from isal import isal_zlib

from semantic.page import PARAGRAPH, Link, Page, Position, Span
from semantic.parsing.page_reader import WINDOW

_LEVEL = 1
_SIGNS = {position: str(rank) for rank, position in enumerate(Position)}
_POSITIONS = {sign: position for position, sign in _SIGNS.items()}
_OF_ITSELF = ("title", "language", "charset", "canonical", "nofollow", "feed", "source")
_AS_LINK, _AS_SPAN = partial(tuple.__new__, Link), partial(tuple.__new__, Span)  # nothing between C and C


def pack(page: Page, *, nodes: bool = False) -> bytes:
    """What the record keeps of a page; `nodes`: with its tree."""
    starts, ends, positions = zip(*page.spans, strict=True) if page.spans else ((), (), ())
    held: dict[str, Any] = {
        "text": page.text,
        "from": starts,
        "to": ends,
        "at": "".join(map(_SIGNS.__getitem__, positions)),
        **{name: getattr(page, name) for name in _OF_ITSELF},
        **_columns(() if page.nofollow else page.links, nodes=nodes),
    }
    if nodes:
        held["nodes"] = page.nodes
    return isal_zlib.compress(orjson.dumps(held), _LEVEL)


def _columns(links: tuple[Link, ...], *, nodes: bool) -> dict[str, Any]:
    if not links:
        return dict.fromkeys(("urls", "starts", "ends", "paths", "tags"), ())
    urls, anchors, titles, starts, ends, _, _, paths, rels, _, places = zip(*links, strict=True)
    tags = {path: number for number, path in enumerate(dict.fromkeys(paths))}
    columns: dict[str, Any] = {
        "urls": urls,
        "starts": starts,
        "ends": ends,
        "paths": [tags[path] for path in paths],
        "tags": list(tags),
    }
    rare = {
        "anchors": [anchor if start == end else "" for anchor, start, end in zip(anchors, starts, ends, strict=True)],
        "titles": titles,
        "rels": [" ".join(sorted(rel)) if rel else "" for rel in rels],
    }
    columns |= {name: column for name, column in rare.items() if any(column)}
    if nodes:
        columns["places"] = places
    return columns


def unpack(content: bytes, url: str) -> Page:
    """The page that was packed."""
    held = orjson.loads(isal_zlib.decompress(content))
    if "spans" in held:
        _as_columns(held)
    text = held["text"]
    positions = map(_POSITIONS.__getitem__, held["at"])
    spans = tuple(map(_AS_SPAN, zip(held["from"], held["to"], positions, strict=True)))
    rest = {name: held[name] for name in _OF_ITSELF if name in held}
    nodes = tuple(held.get("nodes", ()))
    return Page(url, text=text, spans=spans, links=_links(held, text), nodes=nodes, **rest)


def _links(held: Mapping[str, Any], text: str) -> tuple[Link, ...]:
    plain, starts, ends = text.replace(PARAGRAPH, " "), held["starts"], held["ends"]
    anchors = held.get("anchors") or repeat("")
    columns = zip(
        held["urls"],
        [plain[start:end] or anchor for start, end, anchor in zip(starts, ends, anchors, strict=False)],
        held.get("titles") or repeat(""),
        starts,
        ends,
        [plain[max(0, start - WINDOW) : start] for start in starts],
        [plain[end : end + WINDOW] for end in ends],
        map(held["tags"].__getitem__, held["paths"]),
        map(_rel, held.get("rels") or repeat("")),
        range(len(starts)),
        held.get("places") or repeat(-1),
        strict=False,
    )
    return tuple(map(_AS_LINK, columns))


def _as_columns(held: dict[str, Any]) -> None:
    """Bring what earlier versions wrote into today's columns: a list a span, and by rank what few links have."""
    positions = {position.value: sign for position, sign in _SIGNS.items()}
    held["from"], held["to"], named = zip(*held["spans"], strict=True) if held["spans"] else ((), (), ())
    held["at"] = "".join(map(positions.__getitem__, named))
    ranks = list(map(str, range(len(held["urls"]))))
    held["anchors"] = [held["alts"].get(rank, "") for rank in ranks]
    held["titles"] = [held["titles"].get(rank, "") for rank in ranks]
    held["rels"] = [" ".join(held["rels"].get(rank, ())) for rank in ranks]


@lru_cache(maxsize=1024)
def _rel(words: str) -> frozenset[str]:
    return frozenset(words.split())
