"""Judge recorded pages by the current ontology: an understanding learns from the record as it does from a crawl.

After a kill the same is done for pages that were answered after the strategy's memory was saved. Otherwise the strategy
would believe that links already fetched are still waiting. These were the best ones, and would hide the others.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from crawler.rejudging.record_frames import Kept, frames
from semantic.records import JudgedRecord, MentionRecord, StoredPage
from semantic.understanding import TopicUnderstanding, judged_record


def judge_again(pages: Iterable[StoredPage], understanding: TopicUnderstanding) -> Iterator[JudgedRecord]:
    """Judge pages in the order of fetching, as `judge_frames_again` does. Raises StoreError if the record was written
    by a version that is too old.
    """
    return judge_frames_again(frames(pages, understanding.analyst), understanding)


def judge_frames_again(made: Iterable[list[Kept]], understanding: TopicUnderstanding) -> Iterator[JudgedRecord]:
    """Judge pages of which the frames have been made, some at a time (`record_frames.TOGETHER`), as if these had
    arrived together. Which other requests were under way when a page was chosen is not recorded.

    Feeds and pages that are no results (copies, noindex, what is gone) keep their relevance; the understanding is only
    told that they were answered. Only mentions that the record does not have are given. A page is judged by what is
    known at that moment; `settle` judges it by everything.
    """
    textless = []  # reported at the end, because pages judged later may link to them
    postponed: dict[str, JudgedRecord] = {}  # provisional judgements of pages that are judged later
    for part in made:
        with_text = [(kept, frame) for kept, frame in part if frame]
        learned = understanding.understand_frames([frame for _, frame in with_text], links=False)
        for (kept, _), read in zip(with_text, learned, strict=True):
            if not read.frame.source:
                mentions, unsaid = changed_mentions(kept.mentions, read.frame.mentions)
                said = replace(judged_record(read.frame.url, read.relevance, mentions, read.frame.kind), unsaid=unsaid)
                if read.deferred:
                    postponed[said.url] = said
                else:
                    yield said
        if postponed:
            for record in understanding.rejudged():
                postponed.pop(record.url, None)
                yield record
        textless += [kept for kept, frame in part if frame is None and kept.status == "fetched"]
        ended = [kept for kept, frame in part if kept.status != "fetched"]
        _end(ended, understanding)
    yield from postponed.values()
    _end(textless, understanding)
    understanding.end_learning()


def changed_mentions(
    stored: Sequence[MentionRecord] | None, found: tuple[MentionRecord, ...]
) -> tuple[tuple[MentionRecord, ...] | None, tuple[str, ...] | None]:
    """What `JudgedRecord` says of mentions (`mentions` and `unsaid`) so that the stored ones become those found. All of
    them are written anew if the stored ones are not known.
    """
    before = {mention.concept: mention for mention in stored or ()}
    if stored is None or len(before) < len(stored):
        return found, None
    now = {mention.concept: mention for mention in found}
    unsaid = tuple(concept for concept, mention in before.items() if now.get(concept) != mention)
    new = tuple(mention for mention in found if before.get(mention.concept) != mention)
    return (new, unsaid) if new or unsaid else (None, None)


def _end(pages: Iterable[StoredPage], understanding: TopicUnderstanding) -> None:
    """Tell the understanding about pages that are no results, and about addresses that were answered without a page."""
    vain = [kept.url for kept in pages if kept.status == "failed" or (kept.status == "fetched" and kept.order is None)]
    if vain:
        understanding.scorer.miss(vain)
    for kept in pages:
        understanding.withdraw(kept.url)
        understanding.forget(kept.url, kept.links[0].url if kept.status != "fetched" and kept.links else None)
