"""Labels for a lab without a file of targets: one judge's verdict on every recorded page, the same for all strategies.

With its own judge each strategy would be measured against other pages, and one that calls everything on topic would
win.
"""

import contextlib
from collections.abc import Callable, Iterable, Iterator, Sequence

from cli.inputs.crawl_topic import About
from crawler.simulation.order_measures import breadth_first
from crawler.simulation.recorded_web import RecordedWeb
from semantic.page import Page
from semantic.parsing.fingerprint import exact_hash
from semantic.reasons import PageError
from semantic.segmentation.word_segmentation import DICTIONARY, open_segmenter
from semantic.strategies.customised.centre_judge import CentreJudge
from semantic.strategies.strategy_parts import mixture_judge
from semantic.terms.bag_of_words import WordReader
from semantic.terms.term_matching import Matcher, build_word_table, count_concepts
from semantic.understanding import Samples


def judge_all(
    web: RecordedWeb,
    about: About,
    seeds: Sequence[str],
    segmenter: str = DICTIONARY,
    tell: Callable[[int], None] = lambda done: None,
) -> tuple[str, ...]:
    """Addresses of the pages that one judge calls on topic when it reads the web breadth-first.

    That judge is the default one; without an ontology it is paper C's. `tell` gets the number of pages before each.
    """
    names = [name for name in map(web.page_name, seeds) if name in web.links]
    default = mixture_judge(about.topic, about.lexicon, build_word_table(about.lexicon, about.topic))
    seeds = [web.address(name) for name in names]
    words = open_segmenter(segmenter, about.lexicon)
    judge = default if about.lexicon.words else _centre(web, Samples(None, seeds, default), WordReader(words), seeds)
    matcher = Matcher(about.lexicon, words)
    pages = _pages(web, breadth_first(web.links, names))
    found = []
    for done, page in enumerate(pages):
        tell(done)
        if judge.judge(page, count_concepts(page, matcher)).on_topic:
            found.append(page.url)
    return tuple(found)


def _centre(web: RecordedWeb, samples: Samples, words: WordReader, seeds: Sequence[str]) -> CentreJudge:
    """Paper C's judge, which gets all seeds before it judges."""
    judge = CentreJudge(samples, words)
    for seed in seeds:
        with contextlib.suppress(PageError):
            judge.meet(web.read(b"", seed, {}))
    return judge


def _pages(web: RecordedWeb, names: Iterable[str]) -> Iterator[Page]:
    """The pages that can be results; of copies (`crawler.dedup.duplicate_pages`) the first."""
    seen: set[int] = set()
    for name in names:
        with contextlib.suppress(PageError):
            page = web.read(b"", web.address(name), {})
            exact = exact_hash(page)
            if not (page.source or page.noindex or exact in seen):
                seen.add(exact)
                yield page
