"""Pages that the crawl has and asks for again (`--recrawl`), before anything new is fetched.

Each is asked on the condition that it has changed (RFC 9110, 13.1: If-None-Match, If-Modified-Since), where its server
gave something to ask by. What comes of it
- 304, or 200 with the same text: it stays as it is. Its judgement, too: by now the crawl may have another scale, and
  the same page would be on topic or not by the accident of how its server answers.
- 200, or a redirect: its record is made anew; it keeps its rank of fetching, its depth and the page it was found on.
- 404 or 410: it is gone, and no result any more; what was read of it stays.
- Anything else, robots.txt's refusal too: no answer; it stays as it is, until the next time.
It is no new page: it does not count for `max_pages`, and is held to be nobody's copy and nobody's trap; what was a copy
stays one while another page has its text.
"""

from collections import Counter
from collections.abc import Iterable, Iterator

from crawler.frontier.priority_queue import Entry
from crawler.ports import Conditions, Fetched, Outcome, is_redirect
from semantic.records import WantedRecord

UNCHANGED, CHANGED, GONE, SILENT = "unchanged", "changed", "gone", "no answer"
SEED = 10.0  # above any relevance
_GONE = (404, 410)


class Revisits:
    """What is still wanted again; `results` counts what became of the rest."""

    def __init__(self, wanted: Iterable[WantedRecord], results: Counter[str]) -> None:
        self._left = {record.url: record for record in wanted}
        self._results = results

    def __len__(self) -> int:
        return len(self._left)

    def __contains__(self, url: str) -> bool:
        return url in self._left

    def __iter__(self) -> Iterator[str]:
        return iter(list(self._left))

    def entries(self) -> Iterator[Entry]:
        """Their places: seeds first (paper A, 2.3), then the most relevant."""
        for record in self._left.values():
            first = SEED if record.depth == 0 else 0.0
            yield Entry(-first - record.relevance, record.order or 0, record.depth, record.url, record.parent or "", 0)

    def conditions(self, url: str) -> Conditions:
        """What to ask by."""
        record = self._left.get(url)
        if record is None:
            return ()
        given = (("If-None-Match", record.etag), ("If-Modified-Since", record.last_modified))
        return tuple((name, value) for name, value in given if value)

    def before(self, url: str) -> WantedRecord:
        """What it was."""
        return self._left[url]

    def end(self, url: str, what: str) -> None:
        """It is wanted no more, since this came of it."""
        del self._left[url]
        self._results[what] += 1


def became(outcome: Outcome) -> str:
    """What an answer makes of a page."""
    if not isinstance(outcome, Fetched):
        return SILENT
    if outcome.status == 200 or is_redirect(outcome.status, outcome.headers):
        return CHANGED
    if outcome.status in _GONE:
        return GONE
    return UNCHANGED if outcome.status == 304 else SILENT
