"""Which pages are copies of one that the crawl has: the same content under another address is stored once.

A page is a copy
- where its text is that of a page before, to the letter, on whatever host: mirrors, session ids, `/` and `/index.php`.
  As few words say little of a page, one with a text shorter than `SHORT` must have the same title and links, too;
- or where the text is nearly the same (`semantic.fingerprint`) and the page shows nothing new: no link to an address
  that the crawl did not know.

A copy is recorded with the address of the first as its canonical, without text, mentions and links: it is no result,
and what it links to is not queued from it.

Canonical links. Measured on the archived webs: of 712 canonicals that name another page of the same host, 220 name a
page with the same text, 365 one with other text (listings whose pages 2, 3, ... name page 1, and templates that name
the home page or an author's list), 127 what is not there. Of 1,463 that name another host most are a template's
`yoursite.com`. So a canonical never stands in for a fetch, never stops one, and makes no page a copy: believing
addresses would have lost every listing's later pages. It is kept where it names the same host; what is the same page is
one by its content, with or without it.
"""

from collections.abc import Callable, Iterable
from dataclasses import replace

from crawler.compact import FirstOf, PackedTexts
from semantic.fingerprint import Fingerprint, NearTexts, read_fingerprint
from semantic.records import PageRecord

COPY_OF = "a copy of "  # how its reasons begin


class Copies:
    """The texts of all pages so far. `marks`: those of earlier sessions, see `Store.fingerprints`."""

    def __init__(self, marks: Iterable[tuple[str, str]] = ()) -> None:
        self._urls = PackedTexts()  # of the pages, numbered
        self._first = FirstOf()  # of the texts with the same hash
        self._near = NearTexts()
        for url, written in marks:
            self._add(url, read_fingerprint(written))

    def receive(self, record: PageRecord, mark: Fingerprint, knows: Callable[[str], bool]) -> tuple[PageRecord, bool]:
        """What is kept of a page, and whether it is one of its own; `knows` tells of addresses."""
        first = self._first.get(mark.exact)
        if first is None:
            first = self._near_copy(record, mark, knows)
        if first is not None:
            return _copy(record, self._urls[first]), False
        self._add(record.url, mark)
        return replace(record, fingerprint=str(mark)), True

    def _near_copy(self, record: PageRecord, mark: Fingerprint, knows: Callable[[str], bool]) -> int | None:
        first = None if mark.near is None else self._near.find(mark.near)
        return first if first is not None and all(knows(link.url) for link in record.links) else None

    def _add(self, url: str, mark: Fingerprint) -> None:
        number = len(self._urls)
        self._urls.append(url)
        if self._first.get(mark.exact) is None:
            self._first.add(mark.exact, number)
        if mark.near is not None:
            self._near.add(mark.near, number)


def _copy(record: PageRecord, first: str) -> PageRecord:
    return replace(
        record,
        canonical=first,
        on_topic=False,
        reasons=(f"{COPY_OF}{first}", *record.reasons),
        content=None,
        links=(),
        mentions=(),
    )
