"""`ontocrawl crawl --recrawl`: request pages again that the crawl has.

An interrupted round is continued: the pages marked as wanted in the store are those left.
"""

from collections.abc import Sequence

from cli.render.language import tr
from cli.render.terminal import say
from graphdb.stores import Store
from semantic.records import Resumed, WantedRecord


def mark_for_recrawl(store: Store, resumed: Resumed) -> Sequence[WantedRecord]:
    """The pages to request again: those on topic, the seeds, feeds and sitemaps."""
    wanted = list(store.wanted())
    if wanted:
        say(tr("recrawl: continues, {number:,} pages are still to be requested again", number=len(wanted)))
    elif resumed.counters.pages:
        store.mark_for_recrawl()
        wanted = list(store.wanted())
        say(
            tr(
                "recrawl: {number:,} pages are requested again: those on topic, the seeds, feeds and sitemaps",
                number=len(wanted),
            )
        )
    return wanted
