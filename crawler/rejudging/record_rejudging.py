"""What a crawl has kept, judged by the ontology of now: an understanding learns from the record as from a crawl.

So it does after a kill, of what ended after its memory was saved: without, the links that were the best and are fetched
would wait for ever in what the strategy knows, and hide the others.
"""

from collections.abc import Iterable, Iterator

from crawler.rejudging.record_frames import frames
from semantic.records import JudgedRecord, KeptPage
from semantic.understanding import TopicUnderstanding, judged_record


def judge_again(pages: Iterable[KeptPage], understanding: TopicUnderstanding) -> Iterator[JudgedRecord]:
    """Judge pages in the order of fetching, some together (`record_frames.TOGETHER`), as if they had been fetched at
    once; what else was under way when a page was chosen is not recorded. Feeds keep their judgement, and pages without
    text (copies, noindex), of which the understanding hears that they have ended.

    A page is judged by what is known then; `settle` tells what it is worth by all. Raises StoreError where the record
    is too old for it.
    """
    textless = []  # ended, too, for what links to them and is judged later
    held: dict[str, JudgedRecord] = {}  # what is said of pages that are judged later
    for part in frames(pages, understanding.analyst):
        learned = understanding.understand_frames([frame for _, frame in part if frame], links=False)
        for read in learned:
            if not read.frame.source:
                said = judged_record(read.frame.url, read.relevance, read.frame.mentions, read.frame.kind)
                if read.held:
                    held[said.url] = said
                else:
                    yield said
        if held:
            for record in understanding.rejudged():
                held.pop(record.url, None)
                yield record
        textless += [kept for kept, frame in part if frame is None and kept.status == "fetched"]
        ended = [kept for kept, frame in part if kept.status != "fetched"]
        _end(ended, understanding)
    yield from held.values()
    _end(textless, understanding)
    understanding.end_learning()


def _end(pages: Iterable[KeptPage], understanding: TopicUnderstanding) -> None:
    """Tell the understanding of addresses that ended without a page, and of copies."""
    vain = [kept.url for kept in pages if kept.status == "failed" or (kept.status == "fetched" and kept.order is None)]
    if vain:
        understanding.miss(vain)
    for kept in pages:
        understanding.forget(kept.url, kept.links[0].url if kept.status != "fetched" and kept.links else None)
