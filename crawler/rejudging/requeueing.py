"""Queue links that a stricter parameter discarded and the current parameters would not.

Only the record is needed for that: the recorded pages are analysed again, and those of their links are used whose
target has no link that was not discarded. So it works only for scorers that learn nothing from a page
(`LinkScorer.repeatable`).
"""

from collections.abc import Iterable

from crawler.archive.stored_pages import page_of_stored
from crawler.engine.crawl_records import is_page
from semantic.records import QueuedRecord, StoredPage
from semantic.understanding import TopicUnderstanding


def revived(
    pages: Iterable[StoredPage], discarded: Iterable[str], understanding: TopicUnderstanding
) -> tuple[QueuedRecord, ...]:
    """The links to be queued, for each address the best one, in the order in which they were found."""
    lost = set(discarded)
    best: dict[str, QueuedRecord] = {}
    for kept in pages if lost else ():
        if kept.content is None:
            continue
        frame = understanding.analyst.frame(page_of_stored(kept), kept.content)
        if frame.source or frame.nofollow:
            continue
        (understood,) = understanding.understand_frames([frame])
        for link in understood.links:
            if not is_page(link.url):
                continue
            before = best.get(link.url)
            if link.url in lost and link.priority is not None and (before is None or before.priority < link.priority):
                found = before.found if before else len(best) + 1
                best[link.url] = QueuedRecord(
                    link.url, link.priority, kept.depth + 1, kept.url, reasons=link.reasons, found=found
                )
    return tuple(best.values())
