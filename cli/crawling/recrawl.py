"""`ontocrawl crawl --recrawl`: request pages again that the crawl has.

An interrupted round is continued: the pages marked as wanted in the store are those left.
"""

from collections.abc import Sequence

from cli.render.terminal import say
from graphdb.stores import Store
from semantic.records import Resumed, WantedRecord


def mark_for_recrawl(store: Store, resumed: Resumed) -> Sequence[WantedRecord]:
    """The pages to request again: those on topic, the seeds, feeds and sitemaps."""
    wanted = list(store.wanted())
    if wanted:
        say(f"recrawl: goes on, {len(wanted):,} pages are still to be asked for again")
    elif resumed.counters.pages:
        store.mark_for_recrawl()
        wanted = list(store.wanted())
        say(f"recrawl: {len(wanted):,} pages are asked for again: those on topic, the seeds, feeds and sitemaps")
    return wanted
