"""The relevance of one page in a crawl: `ontocrawl ontology match --store`. The store is only read, nothing is learned.

For a page of the crawl, or a file with the same text, the recorded relevance is shown. Any other text is judged as if
it came now, by the crawl's statistics and marks.
"""

import contextlib
import html
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from cli.crawling.crawl_parts import understanding_of
from cli.inputs.concept_names import chosen_language
from cli.inputs.crawl_topic import About, read_about, stored_seeds
from cli.inputs.example_pages import examples_of
from cli.recorded.recorded_verdicts import stored_settings
from cli.recorded.store_reading import known_address
from cli.render.language import reason_told, tr
from cli.render.terminal import one_line
from cli.settings import Settings
from cli.store_option import store_words
from crawler.rejudging.record_rejudging import judge_again
from graphdb.stores import Store, open_store
from ontology.errors import OutdatedMemory, SettingsError
from ontology.syntaxes.syntax_detection import check_text
from ontology.syntaxes.text_decoding import decode
from semantic.page import Page
from semantic.parsing.document_types import is_office, is_pdf
from semantic.parsing.fingerprint import page_fingerprint
from semantic.parsing.page_reader import read_page, unpack
from semantic.parsing.repeated_blocks import parts_of
from semantic.reasons import PageError, Reason
from semantic.terms.bag_of_words import count_words
from semantic.understanding import TopicUnderstanding
from semantic.urls import readable

SHORT = 50  # words, below which a text tells the judge little; chosen, not measured
NO_ADDRESS = "file:///"  # the address of a page read from a file: it has neither host nor words
_MARKUP = re.compile(rb"<(?:!doctype|html|head|body|div|p|h1)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Weighed:
    """A judged text. `url`: of the same page in the crawl, "" if there is none; `text`: as the crawl reads it;
    `wordless`: the relevance of a text without words; None unless this one is short.
    """

    url: str
    text: str
    relevance: float
    on_topic: bool
    reasons: Sequence[Reason | str]
    settings: Settings
    wordless: float | None = None

    def lines(self, *, is_named: bool) -> list[str]:
        """The judgement for people. `is_named`: whether a word of the ontology stands in the text."""
        page = tr("{url}, a page of the crawl: ", url=readable(self.url)) if self.url else ""
        verdict = tr("on topic") if self.on_topic else tr("off topic")
        return [
            tr("{page}relevance {relevance:.3f}, {verdict}", page=page, relevance=self.relevance, verdict=verdict),
            *(f"  {one_line(reason_told(why), 300)}" for why in self.reasons),
            *([] if is_named or not self.relevance else self._unnamed()),
        ]

    def _unnamed(self) -> Iterator[str]:
        """Lines that say where the relevance of a text without any word of the ontology comes from."""
        yield tr("So it is judged only by what the crawl has learned from other words, links and marks.")
        if self.wordless is not None:
            yield tr(
                "A short text says little: without any word it would have {wordless:.3f}, "
                "by the mean of the crawl's pages.",
                wordless=self.wordless,
            )

    def as_dict(self) -> dict[str, object]:
        """The judgement for programs."""
        told = {"page": self.url or None, "relevance": self.relevance, "on_topic": self.on_topic}
        return {**told, "reasons": [*map(str, self.reasons)]}


def weigh(where: str, ontology: Path, named: str, read: Callable[[str], bytes]) -> Weighed:
    """Judge a page of the crawl, by address, or one that `read` gives. Raises SettingsError for another ontology."""
    with contextlib.closing(open_store(where, create=False)) as store:
        settings = stored_settings(store)
        seeds = stored_seeds(store)
        about = read_about(ontology, seeds, settings.generations, reason=settings.reason)
        if about.fingerprint != store.ask("explain", "crawl")[0]["fingerprint"]:
            cure = tr(
                "judge it by this one first: {command} rejudge{store} --ontology {ontology}",
                store=store_words(where),
                ontology=ontology,
            )
            raise SettingsError(tr("the crawl was judged by another ontology than {ontology}", ontology=ontology), cure)
        if "://" in named:
            return _recorded(store, known_address(store, named), settings)
        page = _page(read(named), named)
        same = store.ask("explain", "same_text", fingerprint=str(page_fingerprint(page, parts_of(page))))
        if same:
            return _recorded(store, str(same[0]["url"]), settings)
        understanding = _understanding(store, settings, about, seeds, where)
        is_short = count_words(page.text).total() < SHORT
        found, *wordless = understanding.weigh([page, _page(b"", named)] if is_short else [page])
        mean = wordless[0].score if wordless else None
        return Weighed("", page.text, found.score, found.on_topic, found.reasons, settings, mean)


def _recorded(store: Store, url: str, settings: Settings) -> Weighed:
    rows = store.ask("explain", "judged", url=url)
    if not rows:
        raise SettingsError(tr("the crawl has no page {url}", url=url), "name a page that it has judged, or a file")
    row = rows[0]
    text = unpack(row["content"], url).text if row["content"] else ""
    return Weighed(url, text, row["relevance"], bool(row["on_topic"]), row["reasons"] or (), settings)


def _page(data: bytes, named: str) -> Page:
    """HTML, PDF and other documents are read as by the crawl, other text as one paragraph."""
    if not (_MARKUP.search(data[:4096]) or is_pdf(data, "") or is_office(data)):
        text = decode(data).text
        check_text(named, text, "name a text, HTML, PDF or other document")
        data = f"<meta charset=utf-8><p>{html.escape(text)}</p>".encode("utf-8", "replace")
    try:
        return read_page(data, NO_ADDRESS, {})
    except PageError as error:
        raise SettingsError(
            tr("{named} cannot be read as a page: {error}", named=named, error=error),
            "name a text, HTML, PDF or other document",
        ) from error


def _understanding(
    store: Store, settings: Settings, about: About, seeds: Sequence[str], where: str
) -> TopicUnderstanding:
    """The crawl's understanding, including what a killed run had not saved."""
    language, examples = chosen_language(settings.lang, about.ontology), examples_of(settings.examples, stored=True)
    understanding = understanding_of(settings, about, seeds, language, examples=examples)
    bring_up_to_date(understanding, store, where)
    return understanding


def bring_up_to_date(understanding: TopicUnderstanding, store: Store, where: str) -> None:
    """Restore what a store's crawl has learned. Raises SettingsError if another version of the program stored that."""
    try:
        understanding.restore(store.remembered())
    except OutdatedMemory as error:
        raise SettingsError(
            str(error),
            tr("judge all pages again: {command} rejudge{store}", store=store_words(where)),
        ) from error
    for _ in judge_again(store.unremembered(), understanding):
        pass
