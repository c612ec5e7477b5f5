"""Hints for a crawl whose pages lack the words of the ontology: what they contain instead, and in which language."""

from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import islice, takewhile

from cli.inputs.concept_names import spoken_on
from cli.render.language import later, listed, tr
from cli.render.terminal import one_line
from crawler.archive.stored_pages import page_of_stored
from graphdb.stores import Store
from ontology.lexicon.lexicon import Lexicon
from ontology.lexicon.surface_forms import fold
from semantic.languages.sentence_encoder import find_encoder
from semantic.page import Page
from semantic.terms.bag_of_words import count_words
from semantic.terms.term_matching import Matcher

LOOKED_AT = 100  # pages examined; chosen, not measured
FREQUENT = 2000  # most frequent words of the pages, in which similar words are searched; chosen, not measured
SHOWN = 8  # words in a hint
STEM, ENDING = 5, 4  # letters that words must share, and may differ by; chosen, not measured
LANGUAGES = {
    "zh": later("Chinese"),
    "en": later("English"),
    "ja": later("Japanese"),
    "ko": later("Korean"),
    "de": later("German"),
    "fr": later("French"),
    "es": later("Spanish"),
    "ru": later("Russian"),
    "it": later("Italian"),
    "pt": later("Portuguese"),
}


def unmatched(store: Store, lexicon: Lexicon) -> list[str]:
    """The hints; none if some page has a word of the ontology, or if there are no pages or no words."""
    kept = (page for page in store.stored_pages() if page.status == "fetched" and page.content is not None)
    pages = [page for page in map(page_of_stored, islice(kept, LOOKED_AT)) if not page.source]
    matcher = Matcher(lexicon) if lexicon.words else None
    if not pages or matcher is None or any(matcher.find(page.text) for page in pages):
        return []
    words: Counter[str] = Counter()
    for page in pages:
        words.update(count_words(page.text))
    none = (
        tr("\nNo word of the ontology stands on this page.")
        if len(pages) == 1
        else tr("\nNo word of the ontology stands in any of the {number} pages.", number=len(pages))
    )
    return [none, *_why(pages, lexicon, words)]


def few_names(pages: Mapping[str, int], lexicon: Lexicon) -> list[str]:
    """A hint if most pages are in a language of which the ontology has no name. `pages`: language tag -> number."""
    spoken = spoken_on(pages)
    named = {(word.language or "").partition("-")[0] for word in lexicon.words}
    language, count = max(spoken.items(), key=lambda one: one[1], default=("", 0))
    if not language or not named or named & {"", language} or 2 * count <= spoken.total():
        return []
    called = {name: tr(LANGUAGES[name]) if name in LANGUAGES else name for name in {language, *named}}
    lines = [
        tr(
            "{share:.0%} of the pages are in {called}, and the ontology has names in {others} only: "
            "give its classes labels in {called} (rdfs:label with the language {language}).",
            share=count / spoken.total(),
            called=called[language],
            others=listed(sorted(called[name] for name in named)),
            language=language,
        ),
        tr("`ontocrawl ontology suggest --languages` proposes some from these pages."),
    ]
    if find_encoder() is None:
        lines.append(tr("Until then a crawl can compare such pages by meaning: pip install 'ontocrawl[languages]'."))
    return lines


def _why(pages: list[Page], lexicon: Lexicon, words: Counter[str]) -> Iterator[str]:
    if all(page.text.strip() in ("", page.title.strip()) for page in pages):
        yield tr("There is no text but titles, as where JavaScript fills a page: --render auto runs it.")
        return
    frequent = [word for word, _ in words.most_common(FREQUENT)]
    if frequent:
        yield tr("The most frequent words of the pages: {frequent}", frequent=listed(frequent[:SHOWN]))
    near = [tr("{found} (near to “{name}”)", found=found, name=name) for name, found in near_words(lexicon, frequent)]
    if near:
        yield tr(
            "Words of the pages that are near to its names: {near}. If they mean the same, give them to these classes "
            "as synonyms.",
            near=listed(near[:SHOWN]),
        )
    yield tr("If these are not the pages that you want, begin with other --seeds.")


def near_words(lexicon: Lexicon, frequent: list[str]) -> Iterator[tuple[str, str]]:
    """Names with the most similar word of the pages, or one that is part of the name; frequent words first."""
    rank = {word: place for place, word in enumerate(frequent)}
    found: dict[str, str] = {}
    for word in lexicon.words:
        name = fold(word.text)
        parts = [
            part
            for part in frequent
            if len(part) > 1 and (part in name.split() or (not part.isascii() and part in name))
        ]
        like = parts or [part for part in frequent if any(_has_stem_of(one, part) for one in name.split())]
        if like:
            found.setdefault(like[0], one_line(word.text, 40))
    for part in sorted(found, key=rank.__getitem__):
        yield found[part], part


def _has_stem_of(name: str, word: str) -> bool:
    """Whether a word of a name and another word differ in their endings alone, or share two Chinese characters that
    stand together.
    """
    if not word.isascii():
        return any(word[at : at + 2] in name for at in range(len(word) - 1))
    stem = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(name, word, strict=False)))
    return (stem >= STEM and max(len(name), len(word)) - stem <= ENDING) or word in (f"{name}s", name[:-1])
