"""A page as the record keeps it: all that was read of its bytes, in a fraction of their size.

zlib over JSON: `text`, `spans` ([start, end, position]), `title` and what else a page says of itself, and its links in
columns: `urls`, `starts`, `ends`, `paths` (numbers of `tags`), and by rank, where there are any, `alts`, `titles`,
`rels`. For a strategy that reads it: `nodes`, and the links' `places` among them, a sixth more. Anchor texts and what
stands around them are parts of the text, and are not kept again. A page that forbids to follow its links has none here.
"""

import json
import zlib
from collections.abc import Iterator, Mapping
from typing import Any

from semantic.page import PARAGRAPH, Link, Page, Position, Span
from semantic.parsing.page_reader import WINDOW

_POSITIONS = {position.value: position for position in Position}
_OF_ITSELF = ("title", "language", "charset", "canonical", "nofollow", "feed", "source")


def pack(page: Page, *, nodes: bool = False) -> bytes:
    """What the record keeps of a page; `nodes`: with its tree."""
    links = () if page.nofollow else page.links
    tags = {path: number for number, path in enumerate(dict.fromkeys([link.dom_path for link in links]))}
    held = {
        **{name: getattr(page, name) for name in _OF_ITSELF},
        "urls": [link.url for link in links],
        "starts": [link.start for link in links],
        "ends": [link.end for link in links],
        "paths": [tags[link.dom_path] for link in links],
        "tags": list(tags),
        "alts": {link.order: link.anchor for link in links if link.start == link.end and link.anchor},
        "titles": {link.order: link.title for link in links if link.title},
        "rels": {link.order: sorted(link.rel) for link in links if link.rel},
    }
    if nodes:
        held |= {"places": [link.node for link in links], "nodes": page.nodes}
    spans = ",".join(['[%d,%d,"%s"]' % span for span in page.spans])  # noqa: UP031 - half of what json takes
    text = json.dumps(page.text, ensure_ascii=False)
    rest = json.dumps(held, ensure_ascii=False)
    return zlib.compress(f'{{"text": {text}, "spans": [{spans}], {rest[1:]}'.encode(), 1)


def unpack(content: bytes, url: str) -> Page:
    """The page that was packed."""
    held = json.loads(zlib.decompress(content))
    text = held["text"]
    spans = tuple(Span(start, end, _POSITIONS[position]) for start, end, position in held["spans"])
    rest = {name: held[name] for name in _OF_ITSELF if name in held}
    nodes = tuple(held.get("nodes", ()))
    return Page(url, text=text, spans=spans, links=tuple(_links(held, text)), nodes=nodes, **rest)


def _links(held: Mapping[str, Any], text: str) -> Iterator[Link]:
    plain = text.replace(PARAGRAPH, " ")
    alts, titles, rels, tags = held["alts"], held["titles"], held["rels"], held["tags"]
    places = held.get("places") or [-1] * len(held["urls"])
    columns = zip(held["urls"], held["starts"], held["ends"], held["paths"], places, strict=True)
    for order, (url, start, end, path, place) in enumerate(columns):
        rank = str(order)
        yield Link(
            url,
            plain[start:end] or alts.get(rank, ""),
            titles.get(rank, ""),
            start,
            end,
            plain[max(0, start - WINDOW) : start],
            plain[end : end + WINDOW],
            tags[path],
            frozenset(rels.get(rank, ())),
            order,
            place,
        )
