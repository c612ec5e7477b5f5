"""The analyst: makes of a page that was read its frame (`semantic.frame`): what page and ontology tell by themselves.

It knows nothing of the crawl, so it works in the process that reads pages (`crawler.sandbox`), beside the crawl's own.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import islice

from ontology.lexicon.lexicon import Lexicon
from semantic.frame import NO_COUNTS, Frame, LinkRows
from semantic.languages.page_meaning import PageMeaning
from semantic.learning.feature_hashing import NO_PAGE, hash_page
from semantic.page import SITEMAP, SITEMAP_INDEX, Page
from semantic.parsing.fingerprint import Fingerprint, page_fingerprint, presented, presented_as
from semantic.parsing.page_kind import kind_and_sign
from semantic.parsing.page_reader import pack
from semantic.parsing.page_reservations import is_for_texts
from semantic.parsing.repeated_blocks import packed_parts, parts_of
from semantic.terms.sitemap_choice import promising
from semantic.terms.term_matching import ConceptCounts, Matcher, WordTable, count_concepts, mention_records
from semantic.terms.topic_counts import NOT_COMPARED, count_page
from semantic.urls import domain_of, host_of, normalise

NO_TEXT = Fingerprint(0)
ONWARD = 10  # addresses that may stand for one page; chosen, not measured


@dataclass(frozen=True, slots=True)
class Analyst:
    """Makes frames for one strategy.

    `concepts`: of each word of the lexicon the concepts that it names; `languages`: those of its words. `hashes`:
    whether the judge wants hashed words. `tree`: the record keeps the page's tree. `read_links`: for a scorer that
    reads rows; its last argument: whether texts for the record are wanted. `keeps_page`: the judge or the scorer reads
    the page itself. `recorded`: pages are in the record already, so neither texts of links nor what copies are known by
    are wanted. `respects`: a page that is reserved for text and data mining is no result, as with noindex.
    `meaning`: where the judge compares pages by meaning, too.
    """

    matcher: Matcher
    table: WordTable
    concepts: tuple[tuple[str, ...], ...]
    languages: frozenset[str]
    hashes: bool = True
    tree: bool = False
    read_links: Callable[[Page, ConceptCounts, bool], LinkRows] | None = None
    keeps_page: bool = True
    recorded: bool = False
    respects: bool = False
    meaning: PageMeaning | None = None

    def frame(self, page: Page, content: bytes | None = None, kind: str | None = None) -> Frame:
        """The frame of a page that was read; `content`, `kind`: as the record has them already."""
        if page.source in (SITEMAP, SITEMAP_INDEX):
            page = promising(page, self.matcher, self.table)
        obeyed = self.respects and is_for_texts(page.reserved) and not page.noindex
        kind, error = kind_and_sign(page) if kind is None else (kind, "")
        page = replace(page, noindex=True) if obeyed or error else page
        counts, parts = count_concepts(page, self.matcher), parts_of(page)
        closeness = self.meaning.compare(page, parts) if self.meaning else NOT_COMPARED
        return Frame(
            url=page.url,
            title=page.title,
            language=page.language,
            canonical=_canonical(page),
            nofollow=page.nofollow,
            noindex=page.noindex,
            source=page.source,
            feed=page.feed,
            sitemaps=_sitemaps(page),
            onward=_onward(page),
            kind=kind,
            content=pack(page, nodes=self.tree) if content is None else content,
            mentions=mention_records(counts, self.concepts, self.table, parts),
            fingerprint=NO_TEXT if self.recorded else page_fingerprint(page, parts),
            presents=None if self.recorded else presented(page),
            titles=frozenset() if self.recorded else presented_as(page),
            counted=count_page(page, counts, self.table, self.languages, closeness),
            hashed=hash_page(page) if self.hashes else NO_PAGE,
            links=None if self.read_links is None else self.read_links(page, counts, not self.recorded),
            page=page if self.keeps_page else None,
            counts=counts if self.keeps_page else NO_COUNTS,
            reserved=page.reserved,
            obeyed=obeyed,
            parts=b"" if self.recorded else packed_parts(page, parts),
            declared=page.declared,
            error=error,
            bare=page.bare,
        )


def concepts_of(lexicon: Lexicon) -> tuple[tuple[str, ...], ...]:
    """Of each word the concepts that it names, one for each sense."""
    return tuple(tuple(sense.concept for sense in word.senses if sense.concept) for word in lexicon.words)


def bare_frame(
    page: Page, counts: ConceptCounts, table: WordTable, languages: frozenset[str], *, hashes: bool
) -> Frame:
    """Of a frame what the default judge needs."""
    return Frame(
        url=page.url,
        title=page.title,
        language=page.language,
        canonical=None,
        nofollow=page.nofollow,
        noindex=page.noindex,
        source=page.source,
        feed=None,
        sitemaps=(),
        onward=(),
        kind=None,
        content=b"",
        mentions=(),
        fingerprint=NO_TEXT,
        presents=None,
        titles=frozenset(),
        counted=count_page(page, counts, table, languages),
        hashed=hash_page(page) if hashes else NO_PAGE,
    )


def _canonical(page: Page) -> str | None:
    """The address that the page gives as its own, where it is one of the same registered domain."""
    canonical = page.canonical and normalise(page.canonical, page.url)
    return canonical if canonical and domain_of(host_of(canonical)) == domain_of(host_of(page.url)) else None


def _onward(page: Page) -> tuple[str, ...]:
    """What stands for the page: the first frames of a frameset, and the targets of a refresh."""
    if page.nofollow:
        return ()
    textless = (link for link in page.links if link.start == link.end)
    found = (link.url for link in textless if link.dom_path.rpartition("/")[2].startswith(("frame", "meta")))
    return tuple(islice(found, ONWARD))


def _sitemaps(page: Page) -> tuple[str, ...]:
    """The sitemaps of an index, which are on hosts of its own domain."""
    if page.source != SITEMAP_INDEX or page.nofollow:
        return ()
    domain = domain_of(host_of(page.url))
    return tuple(link.url for link in page.links if domain_of(host_of(link.url)) == domain)
