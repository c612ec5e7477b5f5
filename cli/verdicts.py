"""Labels for a lab without a file of targets: what one judge says of every recorded page, the same for all strategies.

By its own judge each strategy would be measured against other pages, and one that calls everything on topic would win.
"""

import contextlib
from collections.abc import Iterable, Iterator

from cli.lab import JUDGE, Labels
from cli.topics import About
from crawler.recorded import RecordedWeb
from ontology.errors import PageError
from semantic.counting import count_concepts
from semantic.fingerprint import fingerprint
from semantic.matching import Matcher
from semantic.measures import breadth_first
from semantic.page import Page
from semantic.parts import mixture_judge
from semantic.wordtable import build_word_table

NOTE = (
    "No targets were given: a result is a page that the default strategy's judge calls on topic where it reads the web "
    "breadth-first; the same pages for all. Figures tell how fast each strategy finds them, not how right the judge is."
)


class Verdicts(Labels):
    """Results are the recorded pages with these addresses."""

    def __init__(self, web: RecordedWeb, results: Iterable[str], ignored: Iterable[str] | None) -> None:
        super().__init__(web, results, ignored)
        self.kind = JUDGE
        self.note = NOTE

    def may_be_target(self, url: str) -> bool:
        """See `Labels`."""
        return self.name(url) in self.targets

    def is_target(self, name: str, *, on_topic: bool) -> bool:
        """See `Labels`."""
        return name in self.targets


def judge_all(web: RecordedWeb, about: About, seeds: Iterable[str]) -> tuple[str, ...]:
    """Addresses of the pages that the default judge calls on topic where it reads the web breadth-first."""
    judge = mixture_judge(about.topic, about.lexicon, build_word_table(about.lexicon, about.topic))
    matcher = Matcher(about.lexicon)
    pages = _pages(web, breadth_first(web.links, [web.page_name(url) for url in seeds]))
    return tuple(page.url for page in pages if judge.judge(page, count_concepts(page, matcher)).on_topic)


def _pages(web: RecordedWeb, names: Iterable[str]) -> Iterator[Page]:
    """Those that can be results: of copies (`crawler.copies`) the first."""
    seen: set[int] = set()
    for name in names:
        with contextlib.suppress(PageError):
            page = web.read(b"", web.address(name), {})
            mark = fingerprint(page.text, (page.title, *(link.url for link in page.links)))
            if not (page.source or page.noindex or mark.exact in seen):
                seen.add(mark.exact)
                yield page
