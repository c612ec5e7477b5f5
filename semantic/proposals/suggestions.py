"""Proposals for the ontology from a crawl's pages: found, placed, with evidence, best first."""

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import accumulate
from statistics import median

import numpy as np

from ontology.concepts import Ontology
from ontology.lexicon.lexicon import Lexicon
from ontology.lexicon.surface_forms import same_word_key
from ontology.proposals.proposal import Evidence, Kind, Proposal, Sentence
from ontology.syntaxes.annotation_properties import TO_BE_PLACED
from ontology.topic import Topic, below
from semantic.analyst import concepts_of
from semantic.candidates.marked_words import MarkedWords
from semantic.candidates.own_text import OwnTexts, ReadPage
from semantic.candidates.term_candidates import LEAST, CandidateTerm, CountedRuns, count_pages, find_terms
from semantic.candidates.token_stream import TokenStream, is_han
from semantic.candidates.written_names import name_shares
from semantic.page import PARAGRAPH
from semantic.parsing.page_reader import unpack
from semantic.proposals.doubtful_words import SURE, Doubtful, find_doubtful, surprise
from semantic.proposals.misleading_phrases import Phrase, phrases_around
from semantic.proposals.placement import Placing
from semantic.proposals.term_contexts import SENTENCES, SHOWN, Context, Contexts, read_contexts, terms_matcher
from semantic.segmentation.word_segmentation import Segmenter, by_dictionary
from semantic.terms.term_matching import Matcher

# terms proposed by default; chosen, not measured
MOST = 50
LOOKED_AT = 2  # terms for one that is proposed: some are said by one text alone; chosen, not measured
OF_OTHER_KINDS = 5  # terms for one proposal of each other kind; chosen, not measured
BESIDE = 5  # concepts shown beside a proposal
# With fewer than `ENOUGH` pages on topic others count as such whose relevance is near that of the best: by an ontology
# of four words few pages reach the threshold, and terms of a few pages are chance
ENOUGH, TENTH = 40, 0.1  # in any case so many, or a tenth of all if that is less; a tenth: chosen, not measured
BEST, NEAR = 20, 0.7  # the most relevant pages, and a share of their median relevance; 0.5 to 0.8 were tried


def suggest(  # noqa: PLR0913 - what a crawl is about, what it read, and how much is wanted
    ontology: Ontology,
    topic: Topic,
    lexicon: Lexicon,
    pages: Sequence[ReadPage],
    waiting: Iterable[str] = (),
    *,
    segmenter: Segmenter = by_dictionary,
    most: int = MOST,
) -> list[Proposal]:
    """At most `most` terms, best first; then misleading phrases, and features that are too general.

    `pages`: pages of a crawl that are no copies (see `with_assumed`); `waiting`: addresses found and not fetched.
    """
    marked, anchors, languages, texts = _read(pages, frozenset(waiting))
    articles = texts.pages
    counted = count_pages(texts, TokenStream(segmenter))
    on_topic = [number for number, page in enumerate(articles) if page.counts_for]
    names = name_shares(block for number in on_topic for block in texts.blocks(number))
    least = SURE if any(page.is_assumed for page in pages) else LEAST
    terms = find_terms(counted, lexicon, names, marked, least)[: LOOKED_AT * most]
    matcher = Matcher(lexicon, segmenter)
    contexts = read_contexts(
        texts,
        [term.key for term in terms],
        matcher,
        concepts_of(lexicon),
        [languages[page.url] for page in articles],
    )
    usable = [iri for iri in within(ontology, topic) if iri not in topic.layers]
    placing = Placing(ontology, usable, topic.iri)
    gains = _gains([term.key for term in terms], anchors)
    said = [term for term in terms if term.key in contexts.of and contexts.of[term.key].is_said_apart][:most]
    found = [_of_term(term, contexts, placing, counted, gains[term.key]) for term in said]
    few = max(1, most // OF_OTHER_KINDS)
    # the ontology's own words are held against the verdicts alone, as by `check --store`
    verdicts = np.array([page.counts_for and not page.is_assumed for page in articles], bool)
    doubtful = find_doubtful(replace(counted, on_topic=verdicts), lexicon, topic)
    misleading = [one for one in doubtful if one.word is not None][:few]
    general = [one for one in doubtful if one.word is None][:few]
    # The word itself is a name, which `oc:excludes` cannot cancel, and so is a phrase that is any concept's name
    names_there = {same_word_key(label.text) for concept in ontology.concepts.values() for label in concept.labels}
    for one in misleading:
        around = [_of_phrase(one.concept, each, counted) for each in phrases_around(one.word or 0, counted, lexicon)]
        found += [each for each in around if same_word_key(each.term) not in names_there]
    return [*found, *(_of_general(one, ontology, lexicon, counted, matcher) for one in general)]


def with_assumed(pages: Sequence[ReadPage]) -> list[ReadPage]:
    """The pages. Where fewer than `ENOUGH` are on topic, others are assumed to be: all that have `NEAR` of the median
    relevance of the `BEST`, but not more than half of all pages, since terms are found by comparing with the rest; and
    in any case the most relevant ones up to `ENOUGH`, or up to a `TENTH` of all if that is less. Listings and pages
    with the expert's mark are never assumed.
    """
    articles = [page for page in pages if not page.is_listing]
    tenth = int(TENTH * len(articles))
    if sum(page.counts_for for page in articles) >= ENOUGH:
        return list(pages)
    ranked = sorted((page for page in articles if page.relevance > 0), key=lambda page: (-page.relevance, page.url))
    best = [page.relevance for page in ranked[: min(BEST, tenth)]]
    least = NEAR * median(best) if best else 1.0
    near = min(sum(page.relevance >= least for page in ranked), len(articles) // 2)
    near = max(near, min(ENOUGH, tenth))
    assumed = {page.url for page in ranked[:near] if not page.on_topic and page.good is None}
    return [replace(page, on_topic=True, is_assumed=True) if page.url in assumed else page for page in pages]


def within(ontology: Ontology, topic: Topic) -> list[str]:
    """The concepts of the topic that are not deprecated, below which terms may be placed."""
    roots = [topic.iri] if topic.iri else list(topic.weights)
    return [iri for iri in below(ontology, roots) if iri != TO_BE_PLACED and not ontology.concepts[iri].deprecated]


def _read(
    pages: Sequence[ReadPage], waiting: frozenset[str]
) -> tuple[MarkedWords, dict[str, str], dict[str, str], OwnTexts]:
    """The words marked on the pages, the anchors of links to waiting addresses, the languages, and the texts of pages
    that are no listings. Each page is unpacked once.
    """
    marked, texts = MarkedWords(), OwnTexts()
    anchors: dict[str, dict[str, None]] = {}
    languages = {}
    for read in pages:
        page = unpack(read.content, read.url, contexts=False)
        marked.add(read, page)
        if not read.is_listing:
            texts.add(read, page)
        languages[read.url] = (page.language or "").partition("-")[0].lower()
        for link in page.links:
            if link.url in waiting and link.anchor:
                anchors.setdefault(link.url, {})[link.anchor] = None
    return marked, {url: PARAGRAPH.join(found) for url, found in anchors.items()}, languages, texts


def _gains(keys: Sequence[str], anchors: dict[str, str]) -> Counter[str]:
    """Term -> number of waiting links whose anchors contain it."""
    if not keys:
        return Counter()
    ends = list(accumulate(len(text) + 1 for text in anchors.values()))
    hits = terms_matcher(keys).find(PARAGRAPH.join(anchors.values()))  # one call: there are tens of thousands of links
    return Counter(keys[word] for word, _ in {(hit.words[0], bisect_right(ends, hit.start)) for hit in hits})


def _of_term(term: CandidateTerm, contexts: Contexts, placing: Placing, counted: CountedRuns, links: int) -> Proposal:
    context = contexts.of[term.key]
    written = max(context.written.items(), key=lambda pair: (pair[1], pair[0]))[0]
    words = [counted.stream.words[word] for word in term.words]
    place = placing.place(term.key, words, written, contexts, int(counted.on_topic.sum()))
    evidence = Evidence(
        term.on,
        term.off,
        context.beside(BESIDE),
        context.shown(),
        term.off + links,
        round(term.score, 2),
    )
    return Proposal(place.kind, written, _language(term.key, context), place.concept, evidence)


def _language(key: str, context: Context) -> str:
    """Language of a term: Chinese by its characters, otherwise that of most pages with it; English words on Chinese
    pages are English.
    """
    if _is_chinese(key):
        return "zh"
    spoken, _ = max(context.languages.items(), key=lambda pair: (pair[1], pair[0]), default=("", 0))
    return spoken if spoken and (spoken != "zh" or not key.isascii()) else "en"


def _is_chinese(term: str) -> bool:
    return any(map(is_han, term))


def _of_general(
    one: Doubtful, ontology: Ontology, lexicon: Lexicon, counted: CountedRuns, matcher: Matcher
) -> Proposal:
    """A lower weight for a feature; `gain` is the number of its pages off topic."""
    concept = ontology.concepts[one.concept]
    wanted = {number for number, word in enumerate(lexicon.words) if any(s.concept == one.concept for s in word.senses)}
    forms = [form for form, words in lexicon.forms.items() if not wanted.isdisjoint(words)]
    sentences = _sentences_of(wanted, forms, counted, matcher)
    evidence = Evidence(one.on, one.off, (), sentences, one.off, round(one.score, 2))
    language = (concept.labels[0].language if concept.labels else None) or (
        "zh" if _is_chinese(concept.label) else "en"
    )
    return Proposal(Kind.WEIGHT, concept.label, language.partition("-")[0], one.concept, evidence, one.value)


def _of_phrase(concept: str, phrase: Phrase, counted: CountedRuns) -> Proposal:
    """A misleading phrase, as pages off topic write it; `gain` is the number of pages off topic that have it."""
    matcher = terms_matcher([phrase.key])
    sentences = _sentences_of({0}, [phrase.key], counted, matcher)
    written = [one.text[hit.start : hit.end] for one in sentences for hit in matcher.find(one.text)[:1]]
    term = written[0] if written else phrase.key
    language = "zh" if _is_chinese(phrase.key) else "en"
    score = surprise(phrase.on, phrase.off, 0.5)
    return Proposal(
        Kind.MISLEADING,
        term,
        language,
        concept,
        Evidence(phrase.on, phrase.off, (), sentences, phrase.off, round(score, 2)),
    )


def _sentences_of(
    wanted: set[int], forms: Sequence[str], counted: CountedRuns, matcher: Matcher
) -> tuple[Sentence, ...]:
    """Sentences from pages off topic that contain one of the words, which have these forms. Only pages with the first
    word of a form are read.
    """
    runs = [run for run in counted.stream.numbers(forms) if run is not None and len(run)]
    begins = [int(counted.singular[run[0]]) for run in runs]
    texts = counted.texts
    found: list[Sentence] = []
    for number in counted.with_any(begins):
        page = texts.pages[number]
        if page.counts_for:
            continue
        text = PARAGRAPH.join(texts.blocks(number))
        hit = next((hit for hit in matcher.find(text) if not wanted.isdisjoint(hit.words)), None)
        if hit:
            first, last = text.rfind(PARAGRAPH, 0, hit.start) + 1, text.find(PARAGRAPH, hit.end)
            start, end = max(first, hit.start - SHOWN // 2), len(text) if last < 0 else last
            found.append(Sentence(" ".join(text[start : min(end, start + SHOWN)].split()), page.url))
        if len(found) == SENTENCES:
            break
    return tuple(found)
