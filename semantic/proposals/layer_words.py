"""Words of the predecessor layers: what stands in and around the links that lead towards results.

Layer 1 are the pages that link to a result, layer 2 those that link to a page of layer 1. A link in the menu of its
host makes no page a predecessor. Paper O takes the words of a layer from the pages one and two links before its sample
pages; its algorithm 3 looks for them in the anchor of a link and 30 bytes on either side. So they are taken from there:
a page has the words that stand in and around the links to it, and the words of layer 1 are those typical of results
against other pages, the words of layer 2 those typical of pages of layer 1 against others that are no results. How
typical a word is, is Dunning's log-likelihood ratio (`semantic.candidates.association`).

Words of the texts of the predecessors, and words of the links that lead to these instead of on from them, let
`ontology-links` find less (benchmarks/README.md, "Words of layers").
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from ontology.lexicon.surface_forms import HAN, fold
from ontology.proposals.proposal import Evidence, Kind, Proposal, Sentence
from semantic.candidates.association import Floats, expected_shares, log_likelihood
from semantic.candidates.own_text import ReadPage
from semantic.candidates.term_candidates import stop_numbers
from semantic.candidates.token_stream import GAP, TokenStream, is_han
from semantic.memory.arrays import distinct
from semantic.page import PARAGRAPH, Link, Page
from semantic.parsing.page_reader import unpack
from semantic.proposals.doubtful_words import SURE
from semantic.proposals.term_contexts import SENTENCES
from semantic.segmentation.word_segmentation import Segmenter, by_dictionary
from semantic.strategies.ontology_based.link_prediction import anchor_area
from semantic.urls import host_of

LAYERS = (Kind.LAYER_1, Kind.LAYER_2)
AREA = 30  # bytes on either side of an anchor, as in algorithm 3
EVERYWHERE = 0.2  # share of a host's pages that link to a target of its menu; chosen, not measured
FEWEST = 3  # pages of a layer's targets that must have a word; chosen, not measured
_TEXTS = 50  # different texts that are kept of the links to one page; chosen, not measured
_SHORTEST = 3  # letters of a word of an alphabet, two of a Chinese one; chosen, not measured
_CUT_BEFORE, _CUT_AFTER = (re.compile(form) for form in (rf"^[^\W{HAN}]+", rf"[^\W{HAN}]+$"))


@dataclass(frozen=True, slots=True)
class _Links:
    """The links between pages that are known. `around`: page -> text in and around a link to it -> the page with the
    link; `targets`: page of the crawl -> pages that it links to.
    """

    around: defaultdict[str, dict[str, str]] = field(default_factory=lambda: defaultdict(dict))
    targets: dict[str, set[str]] = field(default_factory=dict)

    def before(self, pages: Set[str]) -> set[str]:
        """The pages that link to one of these, and are none of them."""
        hosts = {url: host_of(url) for url in self.targets}
        sizes = Counter(hosts.values())
        linking: defaultdict[str, Counter[str]] = defaultdict(Counter)
        for url, found in self.targets.items():
            linking[hosts[url]].update(found & pages)
        outside = {
            host: {target for target, times in found.items() if times <= max(2, EVERYWHERE * sizes[host])}
            for host, found in linking.items()
        }
        return {url for url, found in self.targets.items() if found & outside[hosts[url]]} - pages


def results_of(pages: Iterable[ReadPage]) -> set[str]:
    """The results of a crawl: its pages on topic that are no listings."""
    return {page.url for page in pages if page.counts_for and not page.is_listing}


def layer_words(
    pages: Iterable[ReadPage],
    results: Set[str],
    known: Set[str],
    segmenter: Segmenter = by_dictionary,
    *,
    most: int,
) -> list[Proposal]:
    """At most `most` words for layer 1, then as many for layer 2, the most typical first; a word of both stands where
    it is more typical.

    `results`: addresses; they need not be among the pages. `known`: keys of words that are not to be proposed.
    """
    links = _read(pages, results)
    before = links.before(results)
    found = [
        *_typical(links.around, results, Kind.LAYER_1, segmenter),
        *_typical({url: links.around[url] for url in links.around.keys() - results}, before, Kind.LAYER_2, segmenter),
    ]
    best: dict[str, Proposal] = {}
    for one in sorted(found, key=lambda one: (-one.evidence.score, one.term)):
        if one.term not in known:
            best.setdefault(one.term, one)
    return [one for kind in LAYERS for one in [each for each in best.values() if each.kind is kind][:most]]


def _read(pages: Iterable[ReadPage], results: Set[str]) -> _Links:
    pages = list(pages)
    known = results | {read.url for read in pages}
    links = _Links()
    for read in pages:
        page = unpack(read.content, read.url, contexts=False)
        there = [link for link in page.links if link.url in known and link.url != read.url]
        links.targets[read.url] = {link.url for link in there}
        for link in there:
            around = links.around[link.url]
            if len(around) < _TEXTS:
                around.setdefault(_text_around(page, link), read.url)
    return links


def _text_around(page: Page, link: Link) -> str:
    """The anchor and `AREA` bytes on either side, without words that are cut there."""
    text, (start, end) = page.text, anchor_area(page, link, AREA)
    before, after = text[start : link.start], text[link.end : end]
    if text[max(0, start - 1) : start].isalnum():
        before = _CUT_BEFORE.sub("", before)
    if text[end : end + 1].isalnum():
        after = _CUT_AFTER.sub("", after)
    return f"{before}{text[link.start : link.end]}{after}"


def _typical(
    around: Mapping[str, Mapping[str, str]], ones: Set[str], kind: Kind, segmenter: Segmenter
) -> list[Proposal]:
    """The words typical of the links to some pages against those to the others."""
    urls = sorted(around)
    stream = TokenStream(segmenter)
    rows = [distinct(stream.read(around[url])) for url in urls]
    is_one = np.array([url in ones for url in urls], float)
    if is_one.sum() < FEWEST:
        return []
    word, page = np.concatenate(rows), np.repeat(np.arange(len(rows)), [len(row) for row in rows])
    shares = expected_shares([host_of(url) for url in urls], is_one, np.ones(len(urls)))

    def summed(values: Floats) -> Floats:
        sums: Floats = np.bincount(word, values[page], len(stream.words)).astype(float)
        return sums

    on, every = summed(is_one), summed(np.ones(len(urls)))
    score = log_likelihood(on, summed(shares), every, float(is_one.sum()), float(len(urls)))
    score[~_usable(stream) | (on < FEWEST)] = 0.0
    found = []
    for number in np.argsort(-score, kind="stable")[: int((score >= SURE).sum())].tolist():
        where = [urls[one] for one in page[(word == number) & (is_one[page] > 0)].tolist()]
        sentences = _sentences(stream.words[number], [around[url] for url in where])
        evidence = Evidence(len(where), int(every[number]) - len(where), (), sentences, 0, round(score[number], 2))
        language = "zh" if is_han(stream.words[number]) else "en"
        found.append(Proposal(kind, stream.words[number], language, None, evidence))
    return found


def _usable(stream: TokenStream) -> NDArray[np.bool_]:
    """Which words may be proposed: no grammatical ones, no numbers and what is like one (`prev12`)."""
    fits = ~stop_numbers(stream.words)
    fits &= [
        len(word) >= (2 if is_han(word) else _SHORTEST) and not any(map(str.isdigit, word)) for word in stream.words
    ]
    fits[GAP] = False
    return fits


def _sentences(word: str, texts: Sequence[Mapping[str, str]]) -> tuple[Sentence, ...]:
    """Texts with the word, from links to different pages."""
    found: dict[str, str] = {}
    for some in texts:
        said = next((text for text in some if word in fold(text)), None)
        if said is not None:
            found.setdefault(" ".join(said.replace(PARAGRAPH, " ").split()), some[said])
        if len(found) == SENTENCES:
            break
    return tuple(Sentence(text, url) for text, url in found.items())
