"""A feed to a `Page`: what it says of each entry stands as on a page that lists them, title as anchor, summary behind.

So a feed is judged, and its links are ordered, by the very parts that do it for pages; what a page says of a link in a
menu is little beside it. Only the beginning of a summary is kept: some feeds hold whole articles.
"""

import re
from html import escape, unescape

from ontology.errors import PageError
from semantic.parsing.html_tokenizer import read_feed

SUMMARY = 300  # characters, of a title too
_TAGS = re.compile(r"<[^<>]*>")


def feed_as_html(text: str, url: str) -> str:
    """The page that lists the entries of a feed, as HTML. Raises PageError where it is none."""
    title, entries = read_feed(text)
    if not entries:
        raise PageError(f"{url} is XML, but no feed with entries")
    items = (
        f'<li><a href="{escape(entry.address)}">{_text(entry.title)}</a> {_text(entry.summary)}' for entry in entries
    )
    return f'<title>{_text(title)}</title><ul class="feed">{"".join(items)}</ul>'


def _text(html: str) -> str:
    return escape(" ".join(unescape(_TAGS.sub(" ", html)).split())[:SUMMARY])
