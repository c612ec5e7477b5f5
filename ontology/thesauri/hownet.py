"""HowNet (知网), through the library OpenHowNet and data that the user has downloaded for it.

A sense in HowNet has a Chinese word, an English word, and a definition composed of sememes. The two words are synonyms.
Senses with the same definition are synonyms too, unless many have it: `{tool|用具}` is not specific enough.

Narrower than a sense whose definition is one sememe alone, `{vehicle|交通工具}`, are the senses whose definition begins
with this sememe and says more, or begins with one below it in the tree of sememes: `{LandVehicle|车:...}`. Where a
definition says more than its first sememe, nothing tells which others are narrower.
"""

import contextlib
import io
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from typing import Any

from ontology.errors import OntologyError
from ontology.lexicon.surface_forms import same_word_key
from ontology.messages import message
from ontology.proposals.proposal import Kind
from ontology.thesauri.entries import Entry, Wanted, language_of

MOST = 12  # senses with one definition, above which it is not specific enough; chosen, not measured
_FIRST = re.compile(r"\{([^{}:;]+)[:}]")  # the sememe with which a definition begins
_NO_LIBRARY = message(
    "install it beside ontocrawl: pip install 'ontocrawl[hownet]' (with pipx: pipx inject ontocrawl OpenHowNet)"
)
_GET = message(
    'download it (needs a network): python -c "import OpenHowNet; OpenHowNet.download()"; it is put into '
    "~/.openhownet/resources (HowNet_dict_complete, sememe_all, sememe_triples_taxonomy.txt), which may be copied"
)


def hownet_entries(wanted: Wanted) -> Iterator[Entry]:
    """HowNet's entries for the words. Raises OntologyError if the library or its data are missing."""
    known = _dictionary()
    senses = list(known.sense_dic.values())
    alike: dict[str, list[Any]] = defaultdict(list)
    under: dict[str, list[Any]] = defaultdict(list)  # sememe -> the senses whose definition begins with it
    for sense in senses:
        alike[sense.Def].append(sense)
        if first := _FIRST.match(sense.Def):
            under[_key(first[1])].append(sense)
    for sense in senses:
        for word in _words(sense):
            key = same_word_key(word)
            if key in wanted:
                yield from _of_sense(sense, key, alike[sense.Def])
                yield from _below(sense, key, language_of(word), known.sememe_dic, under)


def _dictionary() -> Any:
    try:
        import OpenHowNet  # type: ignore[import-not-found, unused-ignore]  # an extra
    except ImportError:
        raise OntologyError(
            "HowNet is read through the Python library OpenHowNet, which is not installed", _NO_LIBRARY
        ) from None
    with contextlib.redirect_stdout(io.StringIO()):  # it prints messages, also about missing data
        known = OpenHowNet.HowNetDict()
    if not getattr(known, "sense_dic", {}) or not hasattr(known, "zh_map"):
        raise OntologyError("the data of HowNet are missing or incomplete on this machine", _GET)
    return known


def _words(sense: Any) -> tuple[str, str]:
    """The Chinese word and the English one."""
    return sense.zh_word.strip(), sense.en_word.strip()


def _key(sememe: str) -> str:
    """A sememe of a definition as OpenHowNet's dictionary of sememes has it."""
    return sememe.strip().replace(" ", "_")


def _of_sense(sense: Any, key: str, alike: list[Any]) -> Iterator[Entry]:
    others = [sense, *(other for other in alike if other is not sense)] if len(alike) <= MOST else [sense]
    for other in others:
        for word in _words(other):
            if word and same_word_key(word) != key:
                yield Entry(
                    word=key,
                    kind=Kind.SYNONYM,
                    term=word,
                    language=language_of(word),
                    text=_described(sense),
                    place=f"HowNet {other.No}",
                )


def _below(
    sense: Any, key: str, language: str, sememes: Mapping[str, Any], under: Mapping[str, list[Any]]
) -> Iterator[Entry]:
    """The senses below one that is a sememe alone, each by its word in the language of the wanted one."""
    seen = {_key(sense.Def[1:-1])} & sememes.keys()  # empty where it is no sememe alone
    waiting = list(seen)
    while waiting:
        sememe = waiting.pop(0)
        for other in under.get(sememe, ()):
            word = _words(other)[language != "zh"]
            if other.Def != sense.Def and word and same_word_key(word) != key:
                yield Entry(
                    word=key,
                    kind=Kind.NARROWER,
                    term=word,
                    language=language_of(word),
                    text=f"{_described(sense)} > {_described(other)}",
                    place=f"HowNet {other.No}",
                )
        lower = [each.en_zh for each in sememes[sememe].related_sememes.get("hyponym", ())]
        waiting += [each for each in lower if each not in seen]
        seen.update(lower)


def _described(sense: Any) -> str:
    return f"{sense.zh_word}, {sense.en_word}: {sense.Def}"
