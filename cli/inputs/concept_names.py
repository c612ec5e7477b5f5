"""The ontology's concepts as records for the graph, and the language in which their names are shown.

That is the language of `--lang` or of the locale, otherwise that of most of the crawl's pages. Before there are pages
it is the language with names for most concepts.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace

from cli.render.language import LANGUAGES, listed, locale_language, tr
from ontology.concepts import Concept, Ontology
from ontology.errors import SettingsError
from ontology.lexicon.lexicon import Lexicon
from ontology.topic import Topic, narrower
from semantic.records import ConceptRecord


def concept_records(
    ontology: Ontology, lexicon: Lexicon, topic: Topic, language: str | None = None
) -> list[ConceptRecord]:
    """Every concept that has a word or a role in the topic, with those of its direct hyponyms."""
    kept = {sense.concept for word in lexicon.words for sense in word.senses} | set(topic.weights) | set(topic.layers)
    children = narrower(ontology)
    main = language or next(iter(named_languages(ontology)), "")
    return [
        ConceptRecord(
            iri=iri,
            label=_named(concept, main) or concept.label,
            weight=topic.weights.get(iri),
            layer=topic.layers.get(iri),
            narrower=tuple(child for child in children.get(iri, ()) if child in kept),
            names=tuple(dict.fromkeys(label.text for label in concept.labels if label.kind in ("name", "synonym"))),
            label_zh=_named(concept, "zh"),
            label_en=_named(concept, "en"),
        )
        for iri, concept in ontology.concepts.items()
        if iri in kept
    ]


def chosen_language(asked: str | None, ontology: Ontology) -> str | None:
    """The language asked for, or the locale's; None if the crawl's pages decide.

    `asked`: that of `--lang`, which is the language of all texts, too. So one that has texts here (`LANGUAGES`) is no
    mistake where the ontology has no name in it; the pages decide then. Raises SettingsError for any other.
    """
    languages = named_languages(ontology)
    if asked is None:
        spoken = locale_language()
        return spoken if spoken in languages else None
    if ontology.concepts and _primary(asked) not in languages:
        if _primary(asked) in LANGUAGES:
            return None
        known = (
            tr("it has names in {languages}", languages=listed(languages))
            if languages
            else tr("its names have no language")
        )
        raise SettingsError(tr("--lang {asked}: the ontology has no name in this language", asked=asked), known)
    return _primary(asked)


def in_language(concepts: Sequence[ConceptRecord], pages: Mapping[str, int]) -> list[ConceptRecord]:
    """The concepts labelled in the language of most pages, if that is Chinese or English.

    `pages`: language tag -> number of pages.
    """
    spoken = spoken_on(pages)
    language = max(spoken, key=lambda name: (spoken[name], name), default="")
    names = [{"zh": one.label_zh, "en": one.label_en}.get(language) for one in concepts]
    return [replace(one, label=name or one.label) for one, name in zip(concepts, names, strict=True)]


def spoken_on(pages: Mapping[str, int]) -> Counter[str]:
    """Numbers of pages by primary tag. `pages`: language tag -> number of pages."""
    spoken: Counter[str] = Counter()
    for tag, count in pages.items():
        spoken[_primary(tag)] += count
    return spoken


def named_languages(ontology: Ontology) -> list[str]:
    """Primary tags of the languages of names, those with most concepts first."""
    named = Counter(
        _primary(label.language)
        for concept in ontology.concepts.values()
        for label in concept.labels
        if label.kind == "name" and label.language
    )
    return [language for language, _ in named.most_common()]


def _named(concept: Concept, language: str) -> str | None:
    names = (label for label in concept.labels if label.kind == "name" and _primary(label.language or "") == language)
    return next((label.text for label in names), None) if language else None


def _primary(tag: str) -> str:
    return tag.partition("-")[0].lower()
