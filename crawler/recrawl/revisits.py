"""Known pages that are fetched again (`--recrawl`), before anything new.

If the server gave an ETag or Last-Modified, the request is conditional (RFC 9110, 13.1: If-None-Match,
If-Modified-Since). What happens by the answer:
- 304, or 200 with the same text: the page stays as it is, with its relevance. (The crawl may have another scale by now,
  so judging it again would make it on topic or not depending on how its server happens to answer.)
- 200 with another text, or a redirect: its record is replaced; rank of fetching, depth and parent stay. Where it is no
  page now (moved, noindex, no HTML, the same error page as another with status 200), it is no result any more.
- 404 or 410: it is gone, and no longer a result; its stored text stays.
- Anything else, also a refusal by robots.txt: no answer; it stays as it is, until the next time. Pages of a banned host
  and pages out of the crawl's scope are not asked for, and stay results: a ban and a scope say what is fetched.

Such a page does not count for `max_pages`. It never becomes a copy of another page and is no further page for a trap; a
copy stays a copy as long as another page has its text.
"""

from collections import Counter
from collections.abc import Iterable, Iterator

from crawler.frontier.priority_queue import Entry
from crawler.ports import Conditions, Fetched, Outcome
from semantic.parsing.document_types import has_page, is_redirect
from semantic.records import WantedRecord

UNCHANGED, CHANGED, GONE, NO_ANSWER = "unchanged", "changed", "gone", "no answer"
SEED = 10.0  # added to the priority of seeds; larger than any relevance, so that they come first
_GONE = (404, 410)  # RFC 9110, 15.5.5 and 15.5.11


class Revisits(dict[str, WantedRecord]):
    """The pages still to be fetched again, as they were recorded. `results`: counts of what happened to the others."""

    def __init__(self, wanted: Iterable[WantedRecord], results: Counter[str]) -> None:
        super().__init__((record.url, record) for record in wanted)
        self._results = results

    def entries(self) -> Iterator[Entry]:
        """Queue entries: seeds first (paper A, 2.3), then the most relevant pages."""
        for record in self.values():
            first = SEED if record.depth == 0 else 0.0
            yield Entry(first + record.relevance, record.order or 0, record.depth, record.url, record.parent or "", 0)

    def conditions(self, url: str) -> Conditions:
        """The conditional header fields for an address."""
        record = self[url]
        given = (("If-None-Match", record.etag), ("If-Modified-Since", record.last_modified))
        return tuple((name, value) for name, value in given if value)

    def end(self, url: str, what: str) -> None:
        """Remove a page from those to be fetched again, and count the result."""
        del self[url]
        self._results[what] += 1


def status_change(outcome: Outcome) -> str:
    """How an answer changes a page: one of the words above."""
    if not isinstance(outcome, Fetched):
        return NO_ANSWER
    if has_page(outcome.status, outcome.headers) or is_redirect(outcome.status, outcome.headers):
        return CHANGED
    if outcome.status in _GONE:
        return GONE
    return UNCHANGED if outcome.status == 304 else NO_ANSWER
