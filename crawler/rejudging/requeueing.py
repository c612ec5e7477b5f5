"""What a stricter parameter discarded and one of now would queue: it is queued after all.

Nothing is kept for it but the record: the pages that the crawl has are understood again, and of their links those count
that lead where only discarded ones led. So it is for scorers that a page teaches nothing (`LinkScorer.repeatable`).
"""

from collections.abc import Iterable

from crawler.archive.stored_pages import page_of_kept
from crawler.engine.page_records import is_page
from semantic.records import KeptPage, QueuedRecord
from semantic.understanding import TopicUnderstanding


def revived(
    pages: Iterable[KeptPage], discarded: Iterable[str], understanding: TopicUnderstanding
) -> tuple[QueuedRecord, ...]:
    """The links to be queued, each address by its best link, in the order in which they were found."""
    lost = set(discarded)
    best: dict[str, QueuedRecord] = {}
    for kept in pages if lost else ():
        if kept.content is None:
            continue
        frame = understanding.analyst.frame(page_of_kept(kept), kept.content)
        if frame.source or frame.nofollow:
            continue
        (understood,) = understanding.understand_frames([frame])
        for link in understood.links:
            if not is_page(link.url):
                continue
            held = best.get(link.url)
            if link.url in lost and link.priority is not None and (held is None or held.priority < link.priority):
                found = held.found if held else len(best) + 1
                best[link.url] = QueuedRecord(
                    link.url, link.priority, kept.depth + 1, kept.url, reasons=link.reasons, found=found
                )
    return tuple(best.values())
