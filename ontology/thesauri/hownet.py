"""HowNet (知网), through the library OpenHowNet and data that the user has downloaded for it.

A sense in HowNet has a Chinese word, an English word, and a definition composed of sememes. The two words are synonyms.
Senses with the same definition are synonyms too, unless many have it: `{tool|用具}` is not specific enough.
"""

import contextlib
import io
from collections import defaultdict
from collections.abc import Iterator
from typing import Any

from ontology.errors import OntologyError
from ontology.lexicon.surface_forms import same_word_key
from ontology.messages import message
from ontology.proposals.proposal import Kind
from ontology.thesauri.entries import Entry, Wanted, language_of

MOST = 12  # senses with one definition, above which it is not specific enough; chosen, not measured
_NO_LIBRARY = message(
    "install it beside ontocrawl: pip install 'ontocrawl[hownet]' (with pipx: pipx inject ontocrawl OpenHowNet)"
)
_GET = message(
    'download it (needs a network): python -c "import OpenHowNet; OpenHowNet.download()"; it is put into '
    "~/.openhownet/resources (HowNet_dict_complete, sememe_all, sememe_triples_taxonomy.txt), which may be copied"
)


def hownet_entries(wanted: Wanted) -> Iterator[Entry]:
    """HowNet's entries for the words. Raises OntologyError if the library or its data are missing."""
    senses = _senses()
    alike: dict[str, list[Any]] = defaultdict(list)
    for sense in senses:
        alike[sense.Def].append(sense)
    for sense in senses:
        for word in (sense.zh_word.strip(), sense.en_word.strip()):
            key = same_word_key(word)
            if key in wanted:
                yield from _of_sense(sense, key, alike[sense.Def])


def _senses() -> list[Any]:
    try:
        import OpenHowNet  # type: ignore[import-not-found, unused-ignore]  # an extra
    except ImportError:
        raise OntologyError(
            "HowNet is read through the Python library OpenHowNet, which is not installed", _NO_LIBRARY
        ) from None
    with contextlib.redirect_stdout(io.StringIO()):  # it prints messages, also about missing data
        known = OpenHowNet.HowNetDict()
    senses = list(getattr(known, "sense_dic", {}).values())
    if not senses or not hasattr(known, "zh_map"):
        raise OntologyError("the data of HowNet are missing or incomplete on this machine", _GET)
    return senses


def _of_sense(sense: Any, key: str, alike: list[Any]) -> Iterator[Entry]:
    others = [sense, *(other for other in alike if other is not sense)] if len(alike) <= MOST else [sense]
    for other in others:
        for word in (other.zh_word.strip(), other.en_word.strip()):
            if word and same_word_key(word) != key:
                yield Entry(
                    word=key,
                    kind=Kind.SYNONYM,
                    term=word,
                    language=language_of(word),
                    text=f"{sense.zh_word}, {sense.en_word}: {sense.Def}",
                    place=f"HowNet {other.No}",
                )
