"""A web that is made as it is asked for: page n is the same whenever and wherever it is made. For long crawls.

A third of the pages are about tea. Pages come in parts; links stay in their part, but for one page that leads to the
next: so what waits stays bounded.
"""

import random

from crawler.ports import Conditions, Fetched, Outcome
from semantic.records import LinkGraph

LINKS = 10
TOPIC = ("green tea", "oolong", "puer", "teapot", "tea leaf")
PLAIN = ("news", "people", "city", "about", "contact", "market", "price", "water", "garden", "cup", "leaf", "road")
NO_GRAPH = LinkGraph((), (), frozenset(), frozenset())  # of a crawl that stores nothing
LETTERS = "abcdefghijklmnoprstuvwy"
HEADERS = {"content-type": "text/html; charset=utf-8"}


class MadeWeb:
    """A `Source`; `hosts`: how many there are, `part`: pages that link to each other, `links`: of a page."""

    def __init__(self, hosts: int, part: int, links: int = LINKS) -> None:
        self._hosts, self._part, self.links = hosts, part, links
        self.seed = self.address(0)

    async def fetch(self, url: str, conditions: Conditions = (), *, robots: bool = False) -> Outcome:
        """As `answer`."""
        return self.answer(url)

    async def close(self) -> None:
        """Nothing is open."""

    def answer(self, url: str) -> Fetched:
        """A page; there is no robots.txt."""
        if url.endswith("/robots.txt"):
            return Fetched(url, 404, {}, b"")
        return Fetched(url, 200, HEADERS, self._page(int(url.rpartition("-")[2].removesuffix(".html"))))

    def address(self, number: int) -> str:
        """A page's address; a host has a few directories."""
        return f"http://host-{number % self._hosts}.example/section-{number % 7}/page-{number}.html"

    def _page(self, number: int) -> bytes:
        chance = random.Random(number)
        words = chance.choices(PLAIN, k=300)
        if number % 3 == 0:
            words[::15] = chance.choices(TOPIC, k=20)
        first = number - number % self._part
        targets = [first + chance.randrange(self._part) for _ in range(self.links)]
        if number % self._part == self._part // 2:
            targets[0] = first + self._part
        links = "".join(self._link(chance, target) for target in targets)
        # so that no page is like another
        words += ["".join(chance.choices(LETTERS, k=chance.randrange(3, 9))) for _ in range(150)]
        text = " ".join(words)
        return f"<title>{text[:40]} {number}</title><h1>{text[40:80]}</h1><p>{text}</p><ul>{links}</ul>".encode()

    def _link(self, chance: random.Random, target: int) -> str:
        """The words in and around a link tell three times of four what it leads to."""
        topic = (target % 3 == 0) == (chance.random() < 0.75)
        said = [" ".join([*chance.choices(PLAIN, k=3), chance.choice(TOPIC if topic else PLAIN)]) for _ in range(2)]
        return f"<li>{said[0]} <a href='{self.address(target)}'>{said[1]}</a></li>"
