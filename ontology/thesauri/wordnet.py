"""WordNet, through the library `wn` and the wordnets installed for it on this machine.

A wordnet's nouns form sets of synonyms (synsets). For each set that contains a wanted word, the other words are
synonyms, hyponym sets are narrower concepts, and sets of parts (meronyms) are related concepts. If wordnets of several
languages share identifiers (ILI), names in the other language are synonyms too.
"""

from collections.abc import Iterator
from typing import Any

from ontology.errors import OntologyError
from ontology.messages import message
from ontology.proposals.proposal import Kind
from ontology.thesauri.entries import Entry, Wanted

_NOUN = "n"
_NO_LIBRARY = message(
    "install it beside ontocrawl: pip install 'ontocrawl[wordnet]' (with pipx: pipx inject ontocrawl wn)"
)
_GET = (
    "download one (needs a network): python -m wn download oewn:2024 (English), or omw-cmn:1.4 (Chinese); it is put "
    "into {folder}. A file that you have: python -c \"import wn; wn.add('FILE')\". Another folder: set WN_DATA_DIR"
)
_LANGUAGES = {"cmn": "zh", "zh": "zh", "en": "en"}


def wordnet_entries(wanted: Wanted) -> Iterator[Entry]:
    """Entries of the installed wordnets for the words. Raises OntologyError if the library or its data are missing."""
    try:
        import wn  # type: ignore[import-not-found, unused-ignore]  # an extra
    except ImportError:
        raise OntologyError(
            "WordNet is read through the Python library wn, which is not installed", _NO_LIBRARY
        ) from None
    try:
        languages = sorted({lexicon.language for lexicon in wn.lexicons()})
    except wn.Error as error:
        raise OntologyError(message("the data of wn cannot be read: {error}", error=error), _get(wn)) from error
    if not languages:
        raise OntologyError(message("no wordnet is installed in {folder}", folder=_folder(wn)), _get(wn))
    for key, label in wanted.items():
        for synset in wn.synsets(label.text, pos=_NOUN):
            if label.language is None or _tag(synset.lexicon().language) == label.language.partition("-")[0]:
                yield from _of_synset(synset, key, languages)


def _folder(wn: Any) -> str:
    return str(wn.config.data_directory)


def _get(wn: Any) -> str:
    return message(_GET, folder=_folder(wn))


def _of_synset(synset: Any, key: str, languages: list[str]) -> Iterator[Entry]:
    spoken = _tag(synset.lexicon().language)
    text = _described(synset)
    for lemma in synset.lemmas():
        yield Entry(word=key, kind=Kind.SYNONYM, term=lemma, language=spoken, text=text, place=synset.id)
    for language in languages:
        if _tag(language) != spoken:
            for other in synset.translate(lang=language):
                for lemma in other.lemmas():
                    yield Entry(
                        word=key, kind=Kind.SYNONYM, term=lemma, language=_tag(language), text=text, place=other.id
                    )
    for kind, others in ((Kind.NARROWER, synset.hyponyms()), (Kind.RELATED, synset.meronyms())):
        for other in others:
            if lemmas := other.lemmas():
                description = f"{text} > {_described(other)}"
                yield Entry(word=key, kind=kind, term=lemmas[0], language=spoken, text=description, place=other.id)


def _described(synset: Any) -> str:
    return f"{', '.join(synset.lemmas())}: {synset.definition() or ''}".strip(": ")


def _tag(language: str) -> str:
    primary = language.lower().partition("-")[0]
    return _LANGUAGES.get(primary, primary)
