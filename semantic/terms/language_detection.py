"""The language in which a page is written: by its script, else by its most frequent small words, else as the page
declares.

Templates often carry a wrong `lang`: an English wiki's pages in Spanish or Russian all say `en`. So the declaration
comes last. A script that several languages share stands for the most common of them, unless the page declares another.
"""

import re
from collections import Counter
from functools import lru_cache

from semantic.page import Page

_SAMPLE = 4_000  # characters examined; chosen, not measured
# language, its letters, their minimal share of the sample, other languages with that script; shares chosen, not
# measured
_SCRIPTS = (
    ("ja", re.compile(r"[\u3040-\u30ff]+"), 0.05, ()),
    ("ko", re.compile(r"[\uac00-\ud7af]+"), 0.10, ()),
    ("zh", re.compile(r"[\u3400-\u9fff\uf900-\ufaff]+"), 0.10, ()),
    ("ru", re.compile(r"[\u0400-\u04ff]+"), 0.15, ("uk", "bg", "sr", "mk", "be", "kk")),
    ("ar", re.compile(r"[\u0600-\u06ff]+"), 0.15, ("fa", "ur")),
    ("el", re.compile(r"[\u0370-\u03ff]+"), 0.15, ()),
    ("he", re.compile(r"[\u0590-\u05ff]+"), 0.15, ()),
    ("th", re.compile(r"[\u0e00-\u0e7f]+"), 0.15, ()),
)
# frequent words of each language; our own lists
_SMALL_WORDS = {
    "en": "the and of to in is for with that on this are be or it as by from",
    "de": "der die und das ist nicht mit von zu den ein eine für auf werden sie im wird",
    "fr": "les des est une pour dans vous que sur pas avec par sont du et la le ce",
    "es": "los del las una para con es por que se está puede como más el y la en",
    "pt": "os do da uma para com não você que em no na são ser pode como mais é",
    "it": "il di che è per una con del sono non della gli nel può si questo essere le",
    "nl": "het een van de en is dat voor niet met zijn op te deze worden kan ook naar",
    "pl": "nie się jest na do że w jak lub z dla może można oraz aby po tym przez",
    "cs": "je se na že pro nebo v jako lze který pokud si s k ze by jsou také",
    "hu": "a az és hogy nem egy ha is van vagy ez kell csak lehet ezt már mint meg",
    "tr": "ve bir bu için ile olarak daha da de olan veya gibi çok var kadar ne ya eğer",
    "sv": "och att det är som en för av på med inte den till om kan du ett har",
    "da": "og at det er som en for af på med ikke den til om kan du et har",
    "fi": "ja on ei että se myös tai kun voi jos ole niin ovat sen joka kuin tämä mutta",
    "ro": "și în de la cu este pentru nu care sau din un o pe mai sunt fi acest",
}
_LANGUAGES_OF: dict[str, tuple[str, ...]] = {}
for _language, _words in _SMALL_WORDS.items():
    for _word in _words.split():
        _LANGUAGES_OF[_word] = (*_LANGUAGES_OF.get(_word, ()), _language)
_SHORT = 200  # characters; a shorter text may by chance show no sign of its language; chosen, not measured
_LEAST = 12  # occurrences of small words needed to decide; chosen, not measured
_CLEARLY = 1.5  # how many times more occurrences are needed than of the declared language; chosen, not measured


def written_language(page: Page) -> str | None:
    """Primary language tag of a page, such as `zh`; None if unknown."""
    return _language_of(page.text[:_SAMPLE], (page.language or "").split("-")[0])


def text_language(text: str, claim: str) -> str | None:
    """The language tag of a text that declares `claim` (or ''). The declaration is kept if the text agrees or is too
    short.
    """
    primary = claim.partition("-")[0]
    found = _language_of(text[:_SAMPLE], primary)
    if found == primary or (found is None and len(text) < _SHORT):
        return claim or None
    return found


def is_foreign(page: Page, languages: frozenset[str]) -> bool:
    """Whether a page is known to be in none of these languages. False if no languages are given."""
    return bool(languages) and (written_language(page) or "") not in languages | {""}


@lru_cache(maxsize=4)  # a judge and a link scorer ask for the same page
def _language_of(sample: str, declared: str) -> str | None:
    odd = len(sample) - len(sample.encode("ascii", "ignore"))
    for language, letters, share, others in _SCRIPTS:
        if odd > share * len(sample) and sum(map(len, letters.findall(sample))) > share * len(sample):
            return declared if declared in others else language
    found: Counter[str] = Counter()
    for word, count in Counter(filter(_LANGUAGES_OF.__contains__, sample.lower().split())).items():
        for language in _LANGUAGES_OF[word]:
            found[language] += count
    if found:
        language, count = max(found.items(), key=lambda item: (item[1], item[0] == declared, item[0]))
        if count >= _LEAST and count > _CLEARLY * found[declared]:
            return language
    return declared if declared and declared not in {"ja", "ko", "zh"} else None
