"""`ontocrawl crawl --recrawl`: ask again for pages that the crawl has.

A round that was broken off goes on: what is marked as wanted in the store is what is left of it.
"""

from collections.abc import Sequence

from cli.render.terminal import say
from graphdb.stores import Store
from semantic.records import Resumed, WantedRecord


def want_again(store: Store, resumed: Resumed) -> Sequence[WantedRecord]:
    """The pages to be asked for again: those on topic, the seeds, feeds and sitemaps."""
    wanted = list(store.wanted())
    if wanted:
        say(f"recrawl: goes on, {len(wanted):,} pages are still to be asked for again")
    elif resumed.counters.pages:
        store.want_again()
        wanted = list(store.wanted())
        say(f"recrawl: {len(wanted):,} pages are asked for again: those on topic, the seeds, feeds and sitemaps")
    return wanted
