"""A web with an end, for crawls that are killed: the demonstration web without its calendar, and sites made by chance.

Every page has a text of its own, so that none is a copy: which of two copies is the first depends on the order of
fetching, and so would what is kept.
"""

import random
from collections.abc import Mapping
from dataclasses import replace

from examples.markup import plain
from examples.sites import Article, Site, read_sites

LINKS, WORDS = 8, 90


def finite_sites() -> dict[str, Site]:
    """The demonstration web without what has no end (a calendar) and without what takes time (a Crawl-delay)."""
    sites = read_sites()
    return {
        host: replace(site, calendar="", robots=site.robots.replace("Crawl-delay", "#")) for host, site in sites.items()
    }


def made_sites(pages: int, seed: int) -> dict[str, Site]:
    """So many pages on sites that use the words of the demonstration's English ones, in any order; linked by chance."""
    chance = random.Random(seed)
    like = [site for site in read_sites().values() if site.language == "en"]
    each = -(-pages // len(like))
    addresses = [f"http://made-{site.host}/{number}.html" for site in like for number in range(each)]
    return {f"made-{site.host}": _made(site, each, addresses, chance) for site in like}


def _made(like: Site, pages: int, addresses: list[str], chance: random.Random) -> Site:
    words = [part for article in like.articles.values() for part in plain(article.text).split(" ")]
    articles = {}
    for number in range(pages):
        path = f"/{number}.html"
        links = " ".join(f"[{chance.choice(words)} {n}]({n})" for n in _targets(like, pages, addresses, chance))
        text = " ".join(chance.choices(words, k=WORDS))
        articles[path] = Article(path, f"{like.name} {number}", f"{text}\n\n{links}")
    return replace(like, host=f"made-{like.host}", menu=(), articles=articles, redirects={}, robots="", calendar="")


def _targets(like: Site, pages: int, addresses: list[str], chance: random.Random) -> list[str]:
    """Most on the same site, so that sites differ; one may lead nowhere."""
    near = [f"http://made-{like.host}/{chance.randrange(pages + 1)}.html" for _ in range(LINKS - 2)]
    return list(dict.fromkeys([*near, *chance.choices(addresses, k=2)]))


def seeds_of(sites: Mapping[str, Site]) -> list[str]:
    """One page of every site."""
    return [f"http://{host}{next(iter(site.articles))}" for host, site in sites.items()]
