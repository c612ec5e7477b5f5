"""What an address of the demonstration web answers: a page as its site lays it out, a redirect, robots.txt, or 404."""

import calendar
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from html import escape
from string import Template
from urllib.parse import urlsplit

from examples.markup import html_of, plain
from examples.sites import WEB, Article, Site

MONTH = re.compile(r"(\d{4})-(0[1-9]|1[0-2])\.html")
WORDS = {
    "en": {
        "home": "Home",
        "here": "You are here:",
        "recent_title": "Recently",
        "upward": "Back to top",
        "rights": "All rights reserved.",
    },
    "zh": {
        "home": "首页",
        "here": "当前位置：",
        "recent_title": "最近更新",
        "upward": "返回顶部",
        "rights": "版权所有。",
    },
}


@dataclass(frozen=True, slots=True)
class Answer:
    """A response but for its connection: status, headers, body."""

    status: int
    headers: tuple[tuple[str, str], ...]
    body: bytes = b""


def answer(sites: Mapping[str, Site], url: str) -> Answer:
    """The answer to a GET of an absolute http address; the same each time."""
    parts = urlsplit(url)
    path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    site = sites.get(parts.hostname or "")
    if site is None:
        return _plain(502, "no such host in the demonstration web")
    if path in site.redirects:
        return Answer(301, (("Location", site.redirects[path]),))
    if path == "/robots.txt" and site.robots:
        return _plain(200, site.robots)
    article = site.articles.get(path) or _month(site, path)
    if article is None:
        return _plain(404, "not found")
    html = _page(site, article)
    return Answer(200, (("Content-Type", _content_type(site)),), html.encode(site.charset))


def _plain(status: int, text: str) -> Answer:
    return Answer(status, (("Content-Type", "text/plain; charset=utf-8"),), text.encode())


def _content_type(site: Site) -> str:
    return "text/html; charset=utf-8" if site.charset == "utf-8" else "text/html"


def _month(site: Site, path: str) -> Article | None:
    """A month of the calendar, with links to the months before and after it: a trap that never ends."""
    found = MONTH.fullmatch(path.removeprefix(site.calendar)) if site.calendar else None
    if found is None:
        return None
    year, month = int(found[1]), int(found[2])
    before = f"{year - (month == 1)}-{(month - 2) % 12 + 1:02}"
    after = f"{year + (month == 12)}-{month % 12 + 1:02}"
    text = (
        "Mondays: choir. Tuesdays: chess. Second Saturday: repairs, bring your toaster. No other bookings so far.\n\n"
        f"[Month before]({site.calendar}{before}.html) or [next month]({site.calendar}{after}.html)"
    )
    return Article(path, f"What's on: {calendar.month_name[month]} {year}", text)


def _page(site: Site, article: Article) -> str:
    fields = {
        **WORDS[site.language],
        "language": site.language,
        "charset": '\n<meta charset="utf-8">' if site.charset == "utf-8" else "",
        "site": escape(site.name),
        "title": escape(article.title),
        "summary": escape(_teaser(article)),
        "menu": " ".join(_anchor(path, label) for label, path in site.menu),
        "crumbs": " &gt; ".join(_crumbs(site, article)),
        "published": article.date.isoformat() if article.date else "",
        "text": html_of(article.text),
        "entries": "\n".join(_entry(site, path) for path in article.entries),
        "recent": "\n".join(f"<li>{_anchor(a.path, a.title)}</li>" for a in _recent(site)),
        "neighbours": " ".join(_anchor(a.path, a.title) for a in _neighbours(site, article)),
    }
    return Template((WEB / "templates" / f"{site.template}.html").read_text("utf-8")).substitute(fields)


def _anchor(path: str, text: str) -> str:
    return f'<a href="{escape(path)}">{escape(text)}</a>'


def _teaser(article: Article) -> str:
    """The first sentence."""
    return re.split(r"(?<=[.!?]) |(?<=[。！？])", plain(article.text))[0]


def _entry(site: Site, path: str) -> str:
    article = site.articles[path]
    tag = "dd" if site.template == "shop" else "li"
    return f"<{tag}>{_anchor(path, article.title)} {article.date or ''}<br>{escape(_teaser(article))}</{tag}>"


def _list_of(site: Site, article: Article) -> Article | None:
    """The first page, other than the home page, that lists this one."""
    lists = (a for a in site.articles.values() if a.path != "/" and article.path in a.entries)
    return next(lists, None)


def _crumbs(site: Site, article: Article) -> Iterable[str]:
    way = [escape(article.title)]
    above = _list_of(site, article)
    while above:
        way.insert(0, _anchor(above.path, above.title))
        above = _list_of(site, above)
    return [_anchor("/", WORDS[site.language]["home"]), *way]


def _recent(site: Site) -> list[Article]:
    dated = [a for a in site.articles.values() if a.date]
    return sorted(dated, key=lambda a: str(a.date), reverse=True)[:3]


def _neighbours(site: Site, article: Article) -> list[Article]:
    """The pages before and after this one in its list."""
    above = _list_of(site, article)
    if above is None:
        return []
    rank = above.entries.index(article.path)
    around = above.entries[max(rank - 1, 0) : rank] + above.entries[rank + 1 : rank + 2]
    return [site.articles[path] for path in around]
