"""Which pages get their text from scripts, by their HTML alone.

Two signs: an empty element into which a framework writes the page, on a page of few words; or hardly any words and
links on a page with a script. Measured on WCXB 1.0: of the 28 of its 1,970 pages of which the text was missing both
together find 26, and of the others they name .26 %; of 2,000 pages of four archived webs none.
"""

import re

from semantic.page import Page
from semantic.parsing.html_extraction import count_words

FEW = 200  # words of a page with an empty root; measured, as the next two
HARDLY_ANY = 30  # words of a page with a script
LINKS = 10
# Characters of a text that cannot have so few words; longer texts are not looked at. Chosen, not measured.
LONG = 2_000
# The names that frameworks give the element by default. The expressions begin with letters, which is ten times as fast
# as with the element; the lengths are bounded, so that time is linear.
_EMPTY_ROOT = re.compile(
    r"id=[\"']?(?:root|app|main|content|__next|__nuxt|___gatsby|react-root|app-root|mount|vue-app|q-app)[\"']?(?=[\s>])"
    r"[^<>]{0,300}>\s*(?:<!--[^<>]{0,300}-->\s*)?</(?:div|main|section|body)\b"
)
_EMPTY_ELEMENT = re.compile(r"<app-root\b[^<>]{0,300}>\s*</")
_SCRIPT = re.compile("<script[\\s>]", re.IGNORECASE)


def bare_words(html: str, page: Page) -> int | None:
    """How many words a page has, if its scripts would probably give it more; None for all other pages."""
    if len(page.text) > LONG or (words := count_words(page.text, FEW)) >= FEW:
        return None
    has_hardly_any = words < HARDLY_ANY and len(page.links) < LINKS and _SCRIPT.search(html)
    return words if has_hardly_any or _EMPTY_ROOT.search(html) or _EMPTY_ELEMENT.search(html) else None
