"""`ontocrawl ontology suggest --layers`: words of the predecessor layers, from the links that lead towards results."""

from collections.abc import Set
from pathlib import Path

from cli.inputs.example_pages import read_examples
from cli.ontologies.suggesting import Record, check_results
from cli.render.language import tr
from cli.render.terminal import say
from ontology.errors import SettingsError
from ontology.proposals.proposal import Proposal
from semantic.candidates.term_candidates import known_keys
from semantic.proposals.layer_words import layer_words, results_of


def marked_results(path: Path) -> frozenset[str]:
    """The addresses that a file of examples marks as good. Raises SettingsError if there is none."""
    marked = read_examples(path).addresses
    good = frozenset(url for url, marks in marked.items() if marks.good)
    if not good:
        raise SettingsError(
            tr("{path} marks no address as good", path=path),
            "mark results by their addresses, as in: good https://example.org/tea",
        )
    return good


def proposed_layers(record: Record, most: int, marked: Set[str]) -> list[Proposal]:
    """At most `most` words for each layer, without those refused earlier. `marked`: the results; without any, the
    crawl's own: pages on topic that are no listings.

    Raises SettingsError if the crawl has no results.
    """
    if not marked:
        check_results(record.pages)
    results, known = marked or results_of(record.pages), known_keys(record.about.lexicon) | record.refused
    found = layer_words(record.pages, results, known, record.segmenter, most=most)
    if not found:
        say(tr("no other word is typical of the links towards {number:,} results", number=len(results)))
    return found
