"""`ontocrawl ontology suggest`: proposals from a crawl's pages for what its ontology lacks. The store is only read."""

import contextlib
import shlex
import sys
from collections.abc import Callable, Mapping, Sequence, Set
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from cli.inputs.concept_names import chosen_language
from cli.inputs.crawl_topic import About
from cli.ontologies.editing_files import tell_accepted
from cli.ontologies.reviewing_proposals import review
from cli.recorded.recorded_verdicts import Verdict, stored_about, stored_settings, verdicts
from cli.render.answer_tables import as_json, as_table
from cli.render.language import command_word, locale_language, tr
from cli.render.terminal import one_line, say, show, wrapped
from crawler.engine.garbage_collection import rare_collections
from graphdb.record.text_index import marked, read_words
from graphdb.stores import Store, open_store
from ontology.errors import SettingsError
from ontology.inspection.concept_captions import Captions
from ontology.proposals import proposals_owl
from ontology.proposals.accepting import apply, check_before_asking
from ontology.proposals.proposal import Evidence, Kind, Proposal, Sentence
from ontology.proposals.refusals import refusal_key, refused
from semantic.candidates.own_text import ReadPage
from semantic.proposals.layer_words import LAYERS
from semantic.proposals.suggestions import suggest, with_assumed
from semantic.segmentation.word_segmentation import Segmenter, by_dictionary, open_segmenter
from semantic.urls import readable

TERM_KINDS = (Kind.SYNONYM, Kind.NARROWER, Kind.RELATED)
MARKS = {"good": True, "bad": False}


def run(
    where: str,
    out: Path | None,
    propose: "Callable[[Record], list[Proposal]]",
    *,
    one_by_one: bool,
    as_rows: bool,
) -> int:
    """Print proposals, or write them to `out`, or ask about them `one_by_one`. `propose`: makes them of what was read.

    Raises SettingsError if the crawl has no ontology or no page on topic.
    """
    check_answers(one_by_one=one_by_one)
    with rare_collections(), ThreadPoolExecutor(1) as beside, contextlib.ExitStack() as ends:
        beside.submit(by_dictionary, ("",))  # loads the dictionary of Chinese while the store's server starts
        store = ends.enter_context(contextlib.closing(open_store(where, create=False)))
        say(tr("reading the record ..."))
        record = read_record(store)
        closing = beside.submit(ends.pop_all().close)  # the store's server ends meanwhile
        found, about = propose(record), record.about
        closing.result()
    hand_over(
        found,
        about,
        out,
        lambda: as_json([as_row(one) for one in found]) if as_rows else proposals_table(found, about),
        one_by_one=one_by_one,
        as_rows=as_rows,
    )
    return 0


@dataclass(frozen=True, slots=True)
class Record:
    """What is read for proposals. `waiting`: addresses found and not fetched; `refused`: see
    `ontology.proposals.refusals`.
    """

    about: About
    segmenter: Segmenter
    pages: Sequence[ReadPage]
    waiting: Sequence[str]
    refused: Set[str]


def read_record(store: Store, pages: Sequence[ReadPage] | None = None) -> Record:
    """Read a crawl and its ontology. `pages`: those to be looked at, if not all.

    Raises SettingsError if the crawl has no ontology.
    """
    settings = stored_settings(store)
    if settings.ontology is None:
        raise SettingsError("this crawl has no ontology", "crawl with --ontology FILE")
    with ThreadPoolExecutor() as beside:  # child processes read the ontology while the store is asked
        about = beside.submit(stored_about, store, settings)
        no = beside.submit(refused, Path(settings.ontology))
        found = read_pages(store) if pages is None else pages
        rows = store.ask("frontier", "waiting_addresses")
        waiting = [str(url) for row in rows for url in row["urls"]]
        segmenter = open_segmenter(settings.segmenter, about.result().lexicon)
        return Record(about.result(), segmenter, with_assumed(found), waiting, no.result())


def proposed(record: Record, most: int) -> list[Proposal]:
    """At most `most` terms, and all other proposals, without those that the expert refused earlier.

    Raises SettingsError if no page is on topic.
    """
    about, pages = record.about, record.pages
    check_results(pages)
    more = most + len(record.refused)
    segmenter, waiting = record.segmenter, record.waiting
    found = suggest(about.ontology, about.topic, about.lexicon, pages, waiting, segmenter=segmenter, most=more)
    return without_refused(found, record.refused, most)


def check_results(pages: Sequence[ReadPage]) -> None:
    """Tell how many pages are assumed to be on topic. Raises SettingsError if none is."""
    on, assumed = sum(page.counts_for for page in pages), sum(page.is_assumed for page in pages)
    if not on:
        raise SettingsError("no page of this crawl is on topic", "crawl more, or mark pages: {command} review")
    if assumed:
        say(
            tr(
                "only {on:,} pages are on topic; the {number:,} most relevant others count as such",
                on=on - assumed,
                number=assumed,
            )
        )


def check_answers(*, one_by_one: bool) -> None:
    """Raise SettingsError if proposals are to be asked about without a terminal."""
    if one_by_one and not sys.stdin.isatty():
        raise SettingsError("--review needs a terminal to ask at", "write them with -o, edit, and accept them")


def hand_over(  # noqa: PLR0913 - what was typed
    found: Sequence[Proposal],
    about: About,
    out: Path | None,
    answer: Callable[[], str],
    *,
    one_by_one: bool,
    as_rows: bool,
) -> None:
    """Write proposals to `out`, if given; ask about them if `one_by_one`, else show the answer; then say what to do."""
    ontology = Path(about.ontology.path)
    if one_by_one:
        check_before_asking(ontology)
    if out is not None and found:
        proposals_owl.write(found, ontology, out, command_word())
    if one_by_one:
        tell_accepted(apply(review(found, about.ontology), ontology, locale_language()), ontology, as_json=as_rows)
    else:
        show(answer())
    if out is not None:
        say(_written(len(found), out, ontology))
    elif found and not one_by_one and not as_rows:
        say(
            tr(
                "\nNothing is written. The same command with -o proposals.owl writes them for Protégé; "
                "with --review it asks about each, and writes what you keep into {ontology}.",
                ontology=ontology,
            )
        )


def _written(number: int, out: Path, ontology: Path) -> str:
    if not number:
        return tr("there is nothing to propose, and nothing is written to {out}", out=out)
    return tr(
        "{number} proposals written to {out}. Open it in Protégé, delete what you do not want, save, and then: "
        "{command} ontology accept {file} --into {ontology}",
        number=number,
        out=out,
        file=shlex.quote(str(out)),
        ontology=shlex.quote(str(ontology)),
    )


def without_refused(found: Sequence[Proposal], no: Set[str], most: int) -> list[Proposal]:
    """Without proposals refused earlier: at most `most` terms, and everything else."""
    left = [one for one in found if refusal_key(one) not in no]
    terms = [one for one in left if one.kind in TERM_KINDS]
    return [*terms[:most], *(one for one in left if one.kind not in TERM_KINDS)]


def read_pages(store: Store) -> list[ReadPage]:
    """The pages of the crawl that may be results, in the order of fetching, with the expert's marks."""
    judged = verdicts(store)
    return [
        ReadPage(url, content, one.relevance, one.on_topic, MARKS.get(one.marked), _is_listing(one), own=own)
        for (url, one), (content, own) in zip(judged.items(), store.contents(judged), strict=True)
    ]


def _is_listing(page: Verdict) -> bool:
    return page.kind == "listing" or page.marked == "hub"


def sampled(pages: Sequence[ReadPage], most: int) -> tuple[list[ReadPage], int]:
    """Every so many-th page, so that their packed texts have about `most` bytes, and those that the expert has marked;
    and how many-th.
    """
    step = max(1, -(-sum(len(page.content) for page in pages) // most))
    return [page for number, page in enumerate(pages) if number % step == 0 or page.good is not None], step


def as_row(proposal: Proposal) -> Mapping[str, object]:
    """A proposal for programs."""
    row = asdict(proposal)
    return {**row, "kind": proposal.kind.value}


def proposal_of(row: Mapping[str, Any]) -> Proposal:
    """The proposal of a row that `as_row` made, also after it was written and read as JSON."""
    evidence = row["evidence"]
    beside = tuple((iri, pages) for iri, pages in evidence["beside"])
    sentences = tuple(Sentence(**one) for one in evidence["sentences"])
    found = Evidence(**{**evidence, "beside": beside, "sentences": sentences})
    return Proposal(**{**row, "kind": Kind(row["kind"]), "evidence": found})


def proposals_table(found: Sequence[Proposal], about: About, *, is_counted: bool = True) -> str:
    """A table of proposals, and below it a sentence for each. `is_counted`: whether pages of a crawl were counted."""
    if not found:
        return tr("nothing is proposed: these pages say nothing that the ontology lacks")
    captions = Captions(about.ontology, language=chosen_language(None, about.ontology))
    rows = [
        {
            tr("term"): one.term,
            tr("proposed as"): tr(one.kind.value) if one.value is None else f"{tr(one.kind.value)} {one.value:g}",
            tr("concept"): captions.of(one.concept) if one.concept else "",
            **(_counts(one, of_layers=found[0].kind in LAYERS) if is_counted else {}),
        }
        for one in found
    ]
    lines = [as_table(rows), ""]
    for one in found:
        for sentence in one.evidence.sentences[:1]:
            said = f"{_around(one, sentence.text, about)}  {readable(sentence.url)}"
            lines.append(wrapped(f"{one_line(one.term, 40)}: ", said))
    return "\n".join(lines)


def _counts(one: Proposal, *, of_layers: bool) -> dict[str, object]:
    evidence = one.evidence
    if of_layers:
        return {tr("nearer to results"): evidence.on_topic, tr("others"): evidence.off_topic}
    return {tr("on topic"): evidence.on_topic, tr("off"): evidence.off_topic, tr("gain"): evidence.gain}


def _around(one: Proposal, sentence: str, about: About) -> str:
    """The part of a sentence around the term, with the term in brackets; of a weight: around a name of the concept."""
    labels = about.ontology.concepts[one.concept].labels if one.kind is Kind.WEIGHT and one.concept else ()
    names = [one.term, *(label.text for label in labels)]
    asked = read_words('"{}"'.format(name.replace('"', " ")) for name in names)
    return one_line(marked(sentence, asked) if asked.phrases else sentence)
