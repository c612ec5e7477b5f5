"""The stored pages of a crawl as the answers of a recorded web, so that they can be crawled again.

A page comes back as it was read: text, positions, links with template and surroundings
(`semantic.parsing.page_reader`). Differences from an archive of the same crawl:
- The record ends where the crawl ended. An address that was waiting, refused, or never answered is missing, and answers
  404 like anything an archive lacks; so does every robots.txt.
- A copy of another page is a redirect to that page.
- A page that asks not to be indexed has no text, and only the best link to each address.
- Links are those that the reader found, on pages that allow links to be followed.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from ontology.errors import StoreError
from semantic.page import Link, Page
from semantic.parsing.page_reader import unpack
from semantic.reasons import Reason
from semantic.records import LinkRecord, StoredPage
from semantic.urls import identity


class RecordedAnswer(NamedTuple):
    """One answer of a recorded web.

    `name`: the identity of its address (`semantic.urls.identity`). `page`, or the `problem` why there is none.
    `linked`: the names that the page links to.
    """

    name: str
    url: str
    status: int
    headers: Mapping[str, str]
    page: Page | None = None
    problem: Reason | None = None
    linked: Sequence[str] = ()


def stored_answers(pages: Iterable[StoredPage]) -> Iterator[RecordedAnswer]:
    """The stored answers, each name once: of two addresses with one name the first counts (pages come before other
    answers).
    """
    names: set[str] = set()
    for page in pages:
        answer = _answer(page)
        if answer is not None and answer.name not in names:
            names.add(answer.name)
            yield answer


def _answer(kept: StoredPage) -> RecordedAnswer | None:
    """The answer of an address; None if there was none."""
    if kept.http_status is None:
        return None
    found = RecordedAnswer(identity(kept.url), kept.url, kept.http_status, {})
    if kept.status == "redirected":
        return found._replace(headers={"location": kept.links[0].url})
    if kept.copy_of is not None:
        return found._replace(status=301, headers={"location": kept.copy_of})
    if kept.status == "fetched":
        page = page_of_stored(kept)
        return found._replace(page=page, linked=list(dict.fromkeys(identity(link.url) for link in page.links)))
    problem = kept.reasons[0] if kept.reasons else None
    detail = problem.evidence[0] if problem and problem.evidence else ""
    if isinstance(detail, Reason):
        return found._replace(problem=detail)
    is_other = problem is not None and problem.kind == "not HTML"
    return found._replace(headers={"content-type": detail} if is_other else {}, problem=problem)


def page_of_stored(kept: StoredPage) -> Page:
    """A page as it was read. Raises StoreError if the record was written by a version that is too old."""
    if kept.content is None:
        links = tuple(map(_link, kept.links))
        return Page(kept.url, kept.title, "", (), links, kept.language, noindex=True)
    try:
        return unpack(kept.content, kept.url)
    except KeyError as error:
        raise StoreError(
            "the store was written by an earlier version, which did not keep links as they were read",
            "crawl into a new store, then use that",
        ) from error


def _link(link: LinkRecord) -> Link:
    before, _, after = link.context.partition(link.anchor) if link.anchor else (link.context, "", "")
    return Link(link.url, link.anchor, "", 0, 0, before, after, "", frozenset(), link.position)
