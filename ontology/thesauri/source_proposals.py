"""Entries of a source as proposals for the concepts of an ontology: what they lack, each once, the likeliest first.

A word of several senses is told apart by the ontology itself: of the entries of one word those count whose text says
other words of the ontology, if there are such. (M. Lesk, Automatic sense disambiguation using machine readable
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

SENTENCES = 3
_KINDS = (Kind.SYNONYM, Kind.NARROWER, Kind.RELATED)
_SHORTEST = 2  # signs of a word of the ontology that tells a sense
_LONGEST_TEXT = 200  # characters of an entry that is shown


def proposals_of(
    entries: Iterable[Entry], ontology: Ontology, lexicon: Lexicon, usable: Sequence[str]
) -> list[Proposal]:
    """`usable`: the concepts to which something may be added."""
    concepts = _concepts(ontology, usable)
    known = {same_word_key(form) for form in lexicon.forms}
    telling = [word for word in known if len(word) >= _SHORTEST]
    by_word: dict[str, list[Entry]] = defaultdict(list)
    for entry in entries:
        by_word[entry.word].append(entry)
    best: dict[str, tuple[tuple[int, int], Proposal]] = {}
    for word, some in by_word.items():
        told = {text: _told(text, word, telling) for text in {entry.text for entry in some}}
        highest = max(told.values())
        for entry in some:
            key = same_word_key(entry.term)
            if key in known or not key or (highest and not told[entry.text]):
                continue
            for concept in concepts.get(word, ()):
                rank = (told[entry.text], -_KINDS.index(entry.kind))
                if key not in best or rank > best[key][0]:
                    best[key] = rank, _proposal(entry, concept)
    found = sorted(best.values(), key=lambda pair: (-pair[0][0], -pair[0][1], pair[1].term))
    return [proposal for _, proposal in found]


def _concepts(ontology: Ontology, usable: Sequence[str]) -> Mapping[str, list[str]]:
    """Key of a name -> the concepts that are called so."""
    found: dict[str, list[str]] = defaultdict(list)
    for iri in usable:
        for key in dict.fromkeys(same_word_key(label.text) for label in ontology.concepts[iri].labels):
            found[key].append(iri)
    return found


def _told(text: str, word: str, telling: Sequence[str]) -> int:
    """How many other words of the ontology an entry says."""
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
