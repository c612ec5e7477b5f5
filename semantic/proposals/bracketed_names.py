"""Names in another language that stand in brackets beside a known name: 容器（container）, container (容器).

Of what stands before a bracket, up to `LONGEST` words may be the name: 使用容器, 容器. The words that are also said
elsewhere are taken, and of two such runs the longer one, unless the shorter one stands there more often.
"""

import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from ontology.lexicon.surface_forms import HAN
from ontology.proposals.proposal import Sentence
from semantic.candidates.own_text import OwnTexts
from semantic.candidates.phrase_counts import LONGEST
from semantic.candidates.token_stream import TokenStream, joined
from semantic.page import PARAGRAPH
from semantic.proposals.term_contexts import SHOWN, terms_matcher

REACH = 60  # characters before and behind a name that are looked at; chosen, not measured
OFTEN = 0.7  # share of a run's pages on which a longer one that ends with it stands, so that it is left out; chosen
_OPENED = re.compile(r"[(（\[【]\s*(?:英文名?|英语|即|简称|又称|English)?[\s:：“\"]*$", re.IGNORECASE)
_CLOSED = re.compile(r"^[\s”\"]*[)）\]】,，;；/]")
_BEHIND = re.compile(
    r"^[\s”\"]*[(（\[【]\s*(?:中文名?|即|简称|又称|也称|亦称|Chinese)?[\s:：“\"]*([^()（）\[\]【】]{1,40})[)）\]】]",
    re.IGNORECASE,
)
_TAIL = re.compile(rf"[\w{HAN} .+#-]+$")
_BETWEEN = re.compile("[,，、/;；]")


@dataclass(slots=True)
class Bracketed:
    """A run of words beside a name. `pages`: numbers of the pages; `sentence`: one that has both."""

    words: tuple[str, ...]
    sentence: Sentence
    pages: set[int] = field(default_factory=set)


def bracketed(
    texts: OwnTexts, names: Sequence[str], stream: TokenStream, fits: Callable[[Sequence[str]], bool]
) -> dict[str, dict[str, Bracketed]]:
    """Name -> key of a run -> the run beside it. `names`: folded; `fits`: whether words can be a name that is looked
    for.
    """
    matcher = terms_matcher(names)
    found: dict[str, dict[str, Bracketed]] = defaultdict(dict)
    for number, page in enumerate(texts.pages):
        text = PARAGRAPH.join(texts.blocks(number))
        for hit in matcher.find(text):
            for words in _beside(text, hit.start, hit.end, stream):
                if fits(words):
                    start = max(text.rfind(PARAGRAPH, 0, hit.start) + 1, hit.start - REACH)
                    sentence = Sentence(" ".join(text[start : start + SHOWN].split(PARAGRAPH)[0].split()), page.url)
                    run = found[names[hit.words[0]]].setdefault(joined(words), Bracketed(words, sentence))
                    run.pages.add(number)
    return found


def without_shorter(runs: dict[str, Bracketed]) -> dict[str, Bracketed]:
    """The runs beside one name without those that are mostly the end of a longer one."""
    return {
        key: run
        for key, run in runs.items()
        if not any(
            len(other.words) > len(run.words)
            and other.words[-len(run.words) :] == run.words
            and len(other.pages) >= OFTEN * len(run.pages)
            for other in runs.values()
        )
    }


def _beside(text: str, start: int, end: int, stream: TokenStream) -> Iterator[tuple[str, ...]]:
    """The runs of words that may be another name of what stands from `start` to `end`."""
    before, behind = text[max(0, start - REACH) : start], text[end : end + REACH]
    opened = _OPENED.search(before)
    if opened and _CLOSED.match(behind):
        tail = _TAIL.search(before[: opened.start()])
        (words,) = stream.words_of([tail[0] if tail else ""])
        yield from (tuple(words[-size:]) for size in range(1, min(LONGEST, len(words)) + 1))
    if inside := _BEHIND.match(behind):
        yield from map(tuple, stream.words_of(_BETWEEN.split(inside[1])))
