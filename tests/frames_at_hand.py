"""Frames without a topic, and pages one at a time, for tests of what takes frames and several pages at once."""

from collections.abc import Mapping

from ontology.lexicon.lexicon import Lexicon
from ontology.topic import Topic
from semantic.analyst import Analyst
from semantic.frame import Frame
from semantic.page import Page
from semantic.reasons import PageError
from semantic.terms.term_matching import Matcher, build_word_table
from semantic.understanding import Understanding, Understood

NO_LEXICON = Lexicon((), {})
NO_TABLE = build_word_table(NO_LEXICON, Topic(None, "none", {}, {}))
ANALYST = Analyst(Matcher(NO_LEXICON), NO_TABLE, (), frozenset(), hashes=False)


def frame_of(page: Page) -> Frame:
    """The frame of a page, of which the record keeps `text`."""
    return ANALYST.frame(page, b"text")


def understand(
    made: Understanding, body: bytes, url: str = "http://example.org/", headers: Mapping[str, str] | None = None
) -> Understood:
    """What is made of one page that comes alone. Raises PageError where it is none."""
    (read,) = made.understand([(body, url, headers or {})])
    if isinstance(read, PageError):
        raise read
    return read
