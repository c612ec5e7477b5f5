"""Hints for a crawl in which no page contains a word of the ontology: what the pages contain instead."""

from collections import Counter
from collections.abc import Iterator
from itertools import islice, takewhile

from cli.render.language import listed, tr
from cli.render.terminal import one_line
from crawler.archive.stored_pages import page_of_stored
from graphdb.stores import Store
from ontology.lexicon.lexicon import Lexicon
from ontology.lexicon.surface_forms import fold
from semantic.page import Page
from semantic.parsing.page_kind import text_language
from semantic.terms.bag_of_words import count_words
from semantic.terms.term_matching import Matcher

LOOKED_AT = 100  # pages examined; chosen, not measured
FREQUENT = 2000  # most frequent words of the pages, in which similar words are searched; chosen, not measured
SHOWN = 8  # words in a hint
SAMPLE = 4_000  # characters from which the language is determined; chosen, not measured
STEM, ENDING = 5, 4  # letters that words must share, and may differ by; chosen, not measured
LANGUAGES = {"zh": "Chinese", "en": "English", "ja": "Japanese", "ko": "Korean", "de": "German", "fr": "French"}
LANGUAGES |= {"es": "Spanish", "ru": "Russian", "it": "Italian", "pt": "Portuguese"}


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


def _why(pages: list[Page], lexicon: Lexicon, words: Counter[str]) -> Iterator[str]:
    if all(page.text.strip() in ("", page.title.strip()) for page in pages):
        yield tr("There is no text but titles, as where JavaScript fills a page: --render auto runs it.")
        return
    yield from _languages(pages, lexicon)
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


def _languages(pages: list[Page], lexicon: Lexicon) -> Iterator[str]:
    """A hint if the pages are in a language in which the ontology has no name."""
    all_text = "\n".join(page.text[: SAMPLE // len(pages)] for page in pages)
    language = (text_language(all_text, "") or "").partition("-")[0]
    named = {(word.language or "").partition("-")[0] for word in lexicon.words}
    if language and "" not in named and language not in named:
        called = LANGUAGES.get(language, language)
        yield (
            tr(
                "They are written in {called}, and it has names in {others} only: "
                "give its classes labels in {called} (rdfs:label with the language {language}).",
                called=called,
                others=listed(sorted(LANGUAGES.get(name, name) for name in named)),
                language=language,
            )
        )


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
