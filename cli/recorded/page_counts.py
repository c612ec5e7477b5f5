"""How many pages a crawl has: the number that all commands give, and which of them can be no results."""

from dataclasses import dataclass

from cli.recorded.store_reading import crawl_row
from cli.render.language import tr
from graphdb.stores import Store


@dataclass(frozen=True, slots=True)
class PageCounts:
    """`pages`: all that were fetched, each text once; `--max-pages` and the harvest rate count these.

    `hidden`: of them ask not to be indexed, `error_pages`: say that there is no such page or the like.
    """

    pages: int
    hidden: int = 0
    error_pages: int = 0


def page_counts(store: Store) -> PageCounts:
    """The counts of a store's crawl. Raises StoreError if it has none."""
    (row,) = store.ask("status", "no_results")
    return PageCounts(int(str(crawl_row(store)["pages"] or 0)), row["hidden"], row["error_pages"])


def pages_line(counts: PageCounts) -> str:
    """How many pages were fetched, and what of them is left out of the results."""
    return tr("{pages:,} pages fetched", pages=counts.pages) + left_out_line(counts)


def left_out_line(counts: PageCounts) -> str:
    """What is left out of the results, as it stands behind the number of pages; "" if nothing is."""
    hidden = tr(", {number:,} of them ask not to be indexed", number=counts.hidden) if counts.hidden else ""
    errors = tr(", {number:,} of them are error pages", number=counts.error_pages) if counts.error_pages else ""
    return hidden + errors
