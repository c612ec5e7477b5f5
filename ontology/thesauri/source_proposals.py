"""Turns entries of a source into proposals for an ontology: words that it lacks, each once, most likely first.

The ontology itself disambiguates words with several senses: if some entries of a word contain other words of the
ontology in their text, only these are used. (M. Lesk, Automatic sense disambiguation using machine readable
dictionaries, SIGDOC 1986.)
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

from ontology.concepts import Ontology
from ontology.lexicon.lexicon import Lexicon
from ontology.lexicon.surface_forms import same_word_key
from ontology.proposals.proposal import Evidence, Kind, Proposal, Sentence
from ontology.thesauri.entries import Entry

_KINDS = (Kind.SYNONYM, Kind.NARROWER, Kind.RELATED)
_SHORTEST = 2  # characters of a word of the ontology that may decide about a sense; chosen, not measured
_LONGEST_TEXT = 200  # characters of an entry that are shown; chosen


def proposals_of(
    entries: Iterable[Entry], ontology: Ontology, lexicon: Lexicon, usable: Sequence[str]
) -> list[Proposal]:
    """The proposals. `usable`: the concepts to which something may be added."""
    concepts = _concepts(ontology, usable)
    known = {same_word_key(form) for form in lexicon.forms}
    telling = [word for word in known if len(word) >= _SHORTEST]
    by_word: dict[str, list[Entry]] = defaultdict(list)
    for entry in entries:
        by_word[entry.word].append(entry)
    best: dict[str, tuple[tuple[int, int], Proposal]] = {}
    for word, some in by_word.items():
        overlaps = {text: _overlap(text, word, telling) for text in {entry.text for entry in some}}
        highest = max(overlaps.values())
        for entry in some:
            key = same_word_key(entry.term)
            if key in known or not key or (highest and not overlaps[entry.text]):
                continue
            for concept in concepts.get(word, ()):
                rank = (overlaps[entry.text], -_KINDS.index(entry.kind))
                if key not in best or rank > best[key][0]:
                    best[key] = rank, _proposal(entry, concept)
    found = sorted(best.values(), key=lambda pair: (-pair[0][0], -pair[0][1], pair[1].term))
    return [proposal for _, proposal in found]


def _concepts(ontology: Ontology, usable: Sequence[str]) -> Mapping[str, list[str]]:
    """Key of a name -> the concepts with this name."""
    found: dict[str, list[str]] = defaultdict(list)
    for iri in usable:
        for key in dict.fromkeys(same_word_key(label.text) for label in ontology.concepts[iri].labels):
            found[key].append(iri)
    return found


def _overlap(text: str, word: str, telling: Sequence[str]) -> int:
    """The number of other words of the ontology in an entry."""
    folded = same_word_key(text)
    words = set(re.findall(r"[^\W_]+", folded))
    return sum(
        other != word
        and other not in word
        and (other in words if other.isascii() and " " not in other else other in folded)
        for other in telling
    )


def _proposal(entry: Entry, concept: str) -> Proposal:
    text = entry.text if len(entry.text) <= _LONGEST_TEXT else f"{entry.text[:_LONGEST_TEXT]} …"
    evidence = Evidence(0, 0, (), (Sentence(text, entry.place),), 0, 0.0)
    return Proposal(entry.kind, entry.term, entry.language, concept, evidence)
