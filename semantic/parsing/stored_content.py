"""A page as stored in the record: everything that was read of its bytes, in a fraction of their size.

The format is zlib over JSON with columns, since one list of numbers is parsed much faster than a list for each span:
- `text`;
- of its spans `from`, `to` and `at` (one character each, the rank of the position);
- `title` and the page's other declarations (`_OF_ITSELF`);
- of its links `urls`, `starts`, `ends`, `paths` (indices into `tags`), and where any link has one, `anchors` (of links
  without text), `titles`, `rels` (words separated by blanks);
- for a strategy that reads the tree, `nodes` and the links' `places` among them, which add a sixth.

Anchor texts and contexts are parts of the text and are not stored again. For a page that forbids following its links,
no links are stored.

Only this file imports orjson, which takes 0.03 ms for a page of archwiki where json takes 0.17, and isal. On such pages
isal's first level compresses as well as zlib's (RFC 1950), and takes 0.06 instead of 0.20 ms.
"""

from collections.abc import Mapping
from functools import lru_cache, partial
from itertools import repeat
from typing import Any

import orjson
from isal import isal_zlib

from semantic.page import PARAGRAPH, Link, Page, Position, Span
from semantic.parsing.page_reader import WINDOW

_LEVEL = 1  # of isal: measured, see above


def compress(data: bytes) -> bytes:
    """Compress bytes."""
    return isal_zlib.compress(data, _LEVEL)


def decompress(packed: bytes | memoryview, size: int = 2**14) -> bytes:
    """Restore what was compressed. `size`: of the result, where it is known. Raises `zlib.error` for other bytes."""
    return isal_zlib.decompress(packed, bufsize=size)


def compressor() -> Any:
    """What compresses piece by piece, as `zlib.compressobj`."""
    return isal_zlib.compressobj(_LEVEL)


_SIGNS = {position: str(rank) for rank, position in enumerate(Position)}
_POSITIONS = {sign: position for position, sign in _SIGNS.items()}
_OF_ITSELF = ("title", "language", "charset", "canonical", "nofollow", "feed", "source")
# avoids a Python call for each link and span
_AS_LINK, _AS_SPAN = partial(tuple.__new__, Link), partial(tuple.__new__, Span)


def pack(page: Page, *, nodes: bool = False) -> bytes:
    """Pack a page for the record. `nodes`: include its tree."""
    starts, ends, positions = zip(*page.spans, strict=True) if page.spans else ((), (), ())
    fields: dict[str, Any] = {
        "text": page.text,
        "from": starts,
        "to": ends,
        "at": "".join(map(_SIGNS.__getitem__, positions)),
        **{name: getattr(page, name) for name in _OF_ITSELF},
        **_columns(() if page.nofollow else page.links, nodes=nodes),
    }
    if nodes:
        fields["nodes"] = page.nodes
    return compress(orjson.dumps(fields))


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


def unpack(content: bytes, url: str, *, contexts: bool = True) -> Page:
    """Restore a page that was packed. `contexts`: whether the texts around its links are wanted."""
    fields = orjson.loads(decompress(content))
    if "spans" in fields:
        _as_columns(fields)
    text = fields["text"]
    positions = map(_POSITIONS.__getitem__, fields["at"])
    spans = tuple(map(_AS_SPAN, zip(fields["from"], fields["to"], positions, strict=True)))
    rest = {name: fields[name] for name in _OF_ITSELF if name in fields}
    nodes = tuple(fields.get("nodes", ()))
    return Page(url, text=text, spans=spans, links=_links(fields, text, contexts), nodes=nodes, **rest)


def _links(fields: Mapping[str, Any], text: str, contexts: bool) -> tuple[Link, ...]:
    plain, starts, ends = text.replace(PARAGRAPH, " "), fields["starts"], fields["ends"]
    anchors = fields.get("anchors") or repeat("")
    columns = zip(
        fields["urls"],
        [plain[start:end] or anchor for start, end, anchor in zip(starts, ends, anchors, strict=False)],
        fields.get("titles") or repeat(""),
        starts,
        ends,
        [plain[max(0, start - WINDOW) : start] for start in starts] if contexts else repeat(""),
        [plain[end : end + WINDOW] for end in ends] if contexts else repeat(""),
        map(fields["tags"].__getitem__, fields["paths"]),
        map(_rel, fields.get("rels") or repeat("")),
        range(len(starts)),
        fields.get("places") or repeat(-1),
        strict=False,
    )
    return tuple(map(_AS_LINK, columns))


def _as_columns(fields: dict[str, Any]) -> None:
    """Convert what earlier versions wrote (one list for each span, sparse link attributes by rank) to today's
    columns.
    """
    positions = {position.value: sign for position, sign in _SIGNS.items()}
    fields["from"], fields["to"], named = zip(*fields["spans"], strict=True) if fields["spans"] else ((), (), ())
    fields["at"] = "".join(map(positions.__getitem__, named))
    ranks = list(map(str, range(len(fields["urls"]))))
    fields["anchors"] = [fields["alts"].get(rank, "") for rank in ranks]
    fields["titles"] = [fields["titles"].get(rank, "") for rank in ranks]
    fields["rels"] = [" ".join(fields["rels"].get(rank, ())) for rank in ranks]


@lru_cache(maxsize=1024)
def _rel(words: str) -> frozenset[str]:
    return frozenset(words.split())
