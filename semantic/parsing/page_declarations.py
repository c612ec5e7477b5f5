"""What a page declares of itself: when it was published and changed, who wrote it, and the name of its site.

Dates are recognised by turbohtml's `dates`, which needs a tree, and a page's tree is not linear in the page
(`semantic.parsing.html_extraction`). So one search cuts out the elements in which declarations stand, and only these
are made a tree: `<meta>`, `<link>`, JSON-LD, `<time>`, `<abbr>`, and elements whose class speaks of a date.

Measured on the 700 pages of WCXB in `../shared`, of which 268 have a date (`python -m benchmarks.dates`): found .90,
exact .79; `dates` on whole pages: .91 and .76. There it takes days of change for those of publishing, and does not know
some names of metas, nor 2024年5月3日. Its search in the text of a page finds more days, but also gives one to half of
the pages without any. An author by JSON-LD, else by `<meta>`: .60 of 259 are found, and .91 of these are right.
"""

import re
from collections.abc import Iterator
from html import escape
from itertools import starmap
from typing import Any, NamedTuple

from semantic.page import Declared
from semantic.parsing.html_extraction import date_in, json_ld_in, tokens_of
from semantic.parsing.wrapped_lines import folded_blanks

MOST = 5_000  # elements looked at; pages of WCXB have 140 on average
_LONGEST = 200  # characters of a name; chosen, not measured
_TAG = 2_000  # characters of a tag; chosen, not measured
_TEXT = 400  # characters after a tag in which its date stands; 150 find .8 % fewer
_SHOWN = 30  # elements with visible dates, of which the first with one holds; chosen, not measured
_JSON = 300_000  # characters of JSON-LD; chosen, not measured
_NODES = 5_000  # objects and lists of JSON-LD in which authors are looked for; chosen, not measured

# This search looks at the whole page. So cases are spelled out, and a class is read without going back: .07 ms for a
# page of archwiki (30 kB) instead of .12.
_ELEMENT = re.compile(
    "<(!--|(?:script|SCRIPT|meta|META|link|LINK|time|TIME|abbr|ABBR)\\b"
    r"""|[a-z0-9]++(?=\sclass=["']?(?:[^"'<>dDpP]++|[dDpP](?!ate|ublish|osted))*+[dDpP]))"""
)
_MARKUP = re.compile("<[^<>]*>?")
_HAN = re.compile(r"(\d{4})\s?年\s?(\d{1,2})\s?月\s?(\d{1,2})\s?日")
# These search lower case, which is faster than ignoring case.
_NAME = re.compile(r"""\b(?:name|property|itemprop)\s*=\s*["']?([^"'<>\s]*)""")
_OF_PUBLISHING = re.compile("publi|creat|issued|upload")
_DAY_OF_PUBLISHING = re.compile("datePublished|dateCreated|uploadDate")  # in JSON-LD
_OF_CHANGE = re.compile("modif|updat|revis|last-?mod")
_DATED = re.compile("date|publi|creat|issued|time")
_OTHERWISE_DATED = re.compile("publisher|expir|valid|event|start|end|zone|birth|verif|image|video|read")
_AUTHORS = (
    "author",
    "article:author",
    "dc.creator",
    "dcterms.creator",
    "parsely-author",
    "sailthru.author",
    "citation_author",
    "creator",
)
_SITES = ("og:site_name", "application-name")
_OF_OTHERS = ("Review", "Comment", "Answer")  # in JSON-LD, whose authors are readers


class _Found(NamedTuple):
    """Parts of a page, as HTML.

    - `declared`: metas, links, JSON-LD. `named`: the dates of metas whose names speak of a date, as `<time>`.
    - `shown`: visible dates: name, tag and the text that follows. Most pages do not need them.
    - `changed`: whatever tells only a date of change. `json`: JSON-LD.
    - `names`: the content of metas that name an author or the site.
    """

    declared: list[str]
    named: list[str]
    shown: list[tuple[str, str, str]]
    changed: list[str]
    json: list[str]
    names: dict[str, str]


def declared_by(html: str) -> Declared:
    """What a page declares. Time is linear in its length. A date that has not come yet is none."""
    found = _Found([], [], [], [], [], {})
    for name, tag, after in _elements(html):
        if name == "script":
            _take_json(found, tag, after)
        elif name == "meta":
            _take_meta(found, tag)
        elif name == "link":
            if "canonical" in tag:
                found.declared.append(tag)
        elif len(found.shown) + len(found.changed) < _SHOWN:
            _take_shown(found, name, tag, after)
    return _declared(found)


def _elements(html: str) -> Iterator[tuple[str, str, str]]:
    """Name, tag and the text that follows of each element that may declare something; of JSON-LD its content."""
    end = 0
    for _ in range(MOST):
        match = _ELEMENT.search(html, end)
        if match is None:
            return
        name, start, end = match[1].lower(), match.start(), match.end()
        if name == "!--":
            end = _after("-->", html, start + 2)
            continue
        closed = html.find(">", end, end + _TAG) + 1
        tag = html[start:closed]
        if name == "script":
            end = _after("</" + match[1], html, end)
            if "ld+json" in tag:
                yield name, tag, html[closed:end]
        elif closed:
            end = closed
            yield name, tag, html[end : end + _TEXT]


def _after(mark: str, html: str, start: int) -> int:
    found = html.find(mark, start)
    return len(html) if found < 0 else found


def _take_json(found: _Found, tag: str, content: str) -> None:
    if sum(map(len, found.json)) + len(content) <= _JSON:
        script = f"{tag}{content}</script>"
        found.json.append(script)
        (found.declared if _DAY_OF_PUBLISHING.search(content) else found.changed).append(script)


def _take_meta(found: _Found, tag: str) -> None:
    name = match[1] if (match := _NAME.search(tag.lower())) else ""
    if name in _AUTHORS or name in _SITES:
        found.names.setdefault(name, _content(tag))
    elif _OF_CHANGE.search(name):
        found.changed.append(tag)
    elif name == "og:url" or _DATED.search(name):
        found.declared.append(tag)
        if name != "og:url" and not _OTHERWISE_DATED.search(name):
            found.named.append(f"<time>{escape(_content(tag))}</time>")


def _content(tag: str) -> str:
    return next((_short(token.attr("content")) for token in tokens_of(tag)), "")


def _take_shown(found: _Found, name: str, tag: str, after: str) -> None:
    said = tag.lower()
    if _OF_CHANGE.search(said) and not _OF_PUBLISHING.search(said):
        found.changed.append(_as_html(name, tag, after))
    else:
        found.shown.append((name, tag, after))


def _as_html(name: str, tag: str, after: str) -> str:
    """An element with the text that follows. Outside of a table `<td>` would be dropped, so it becomes a span."""
    kept = name if name in ("time", "abbr") else "span"
    text = _HAN.sub(r"\1-\2-\3", _MARKUP.sub(" ", after))
    return f"<{kept}{tag[1 + len(name) :]}{text}</{kept}>"


def _declared(found: _Found) -> Declared:
    published, dated_by = "", ""
    for elements, signal in ((found.declared, ""), (found.named, "meta"), (starmap(_as_html, found.shown), "")):
        if dated := date_in("".join(elements)):
            published, dated_by = dated[0], signal or dated[1]
            break
    last = date_in("".join(found.changed), modified=True) or date_in("".join(found.json), modified=True)
    nodes = list(_nodes(json_ld_in("".join(found.json)))) if found.json else []
    return Declared(
        published=published,
        modified=last[0] if last and last[0] > published else "",
        dated_by=dated_by,
        author=_author(nodes) or next(filter(_is_name, map(found.names.get, _AUTHORS)), "") or "",
        site_name=found.names.get(_SITES[0]) or _site(nodes) or found.names.get(_SITES[1], ""),
    )


def _nodes(values: list[Any]) -> Iterator[dict[str, Any]]:
    """The objects of JSON-LD, the outermost first."""
    waiting = [value for value in values if isinstance(value, dict | list)]
    for value in waiting:  # which grows meanwhile
        if isinstance(value, dict):
            yield value
        within = value.values() if isinstance(value, dict) else value
        waiting += [each for each in within if isinstance(each, dict | list)][: max(0, _NODES - len(waiting))]


def _author(nodes: list[dict[str, Any]]) -> str:
    """The authors of the first object that has some; they may be described elsewhere, under the same `@id`."""
    called = {node["@id"]: node.get("name") for node in nodes if isinstance(node.get("@id"), str) and "name" in node}
    for node in nodes:
        if "author" in node and not any(kind.endswith(_OF_OTHERS) for kind in _kinds(node)):
            names = [_name_of(one, called) for one in _listed(node["author"])]
            if text := ", ".join(dict.fromkeys(_short(name) for name in names if _is_name(name))):
                return text[:_LONGEST]
    return ""


def _name_of(author: Any, called: dict[str, Any]) -> Any:
    if not isinstance(author, dict):
        return author
    number = author.get("@id")
    return author.get("name") or (called.get(number) if isinstance(number, str) else None)


def _site(nodes: list[dict[str, Any]]) -> str:
    names = (node.get("name") for node in nodes if "WebSite" in _kinds(node))
    return next((_short(name) for name in names if _is_name(name)), "")


def _kinds(node: dict[str, Any]) -> list[str]:
    return [kind for kind in _listed(node.get("@type")) if isinstance(kind, str)]


def _listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]


def _is_name(value: Any) -> bool:
    return isinstance(value, str) and bool(value.strip()) and "://" not in value


def _short(value: str | None) -> str:
    return folded_blanks((value or "")[: 2 * _LONGEST])[:_LONGEST]
