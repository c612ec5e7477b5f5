"""The demonstration web as data: twelve sites from web/*.toml, one file a host, and the marks of web/index.tsv.

All texts were written for this project. A site's file says how its pages are sent (`charset`: with `gbk` neither
header nor meta names it), which addresses are redirected, forbidden by robots.txt or busy at first, and where a
calendar begins.
"""

import datetime
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

WEB = Path(__file__).parent / "web"
ONTOLOGY = Path(__file__).parent / "ontologies" / "tea.owl"
SEEDS = WEB / "seeds.txt"


@dataclass(frozen=True, slots=True)
class Article:
    """One page of a site: its text in the marks of `examples.markup`, and the paths of the pages that it lists."""

    path: str
    title: str
    text: str
    date: datetime.date | None = None
    entries: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Site:
    """One host. `redirects`: path -> path or address; `busy`: paths answering 503 once; `calendar`: its path or ""."""

    host: str
    name: str
    language: str
    template: str
    menu: tuple[tuple[str, str], ...]
    articles: Mapping[str, Article]
    charset: str = "utf-8"
    redirects: Mapping[str, str] = field(default_factory=dict)
    robots: str = ""
    busy: frozenset[str] = frozenset()
    calendar: str = ""


@dataclass(frozen=True, slots=True)
class Mark:
    """What a person says of a page: `kind` is `detail` or `list`; `target`: a detail page about the topic."""

    kind: str
    target: bool


def read_sites() -> dict[str, Site]:
    """Host name -> site, in the order of the names."""
    return {file.stem: _site(file.stem, tomllib.loads(file.read_text("utf-8"))) for file in sorted(WEB.glob("*.toml"))}


def read_marks() -> dict[str, Mark]:
    """Address -> mark, for every page but those that the calendar makes up."""
    marks = {}
    for line in (WEB / "index.tsv").read_text("utf-8").splitlines()[1:]:
        url, kind, target = line.split("\t")
        marks[url] = Mark(kind, target == "yes")
    return marks


def _site(host: str, table: dict[str, Any]) -> Site:
    return Site(
        host,
        table["name"],
        table["language"],
        table["template"],
        tuple((label, path) for label, path in table["menu"]),
        {path: _article(path, page) for path, page in table["page"].items()},
        table.get("charset", "utf-8"),
        table.get("redirects", {}),
        table.get("robots", ""),
        frozenset(table.get("busy", ())),
        table.get("calendar", ""),
    )


def _article(path: str, page: dict[str, Any]) -> Article:
    return Article(path, page["title"], page["text"], page.get("date"), tuple(page.get("list", ())))
