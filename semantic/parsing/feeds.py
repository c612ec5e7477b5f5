"""A feed (RSS, Atom) as a `Page`: like a page that lists the entries, each title as an anchor and its summary after it.

So a feed is judged, and its links are ordered, by the same code as a page. An entry says far more about its link than a
menu does. Only the beginning of a summary is used: some feeds contain whole articles.
"""

import re
from html import escape, unescape

from ontology.errors import PageError
from ontology.messages import message
from semantic.parsing.html_extraction import read_feed
from semantic.parsing.wrapped_lines import folded_blanks

SUMMARY = 300  # characters of a summary or a title; chosen, not measured
_INLINE = re.compile(r"</?(?:a|abbr|b|code|em|font|i|mark|s|small|span|strong|sub|sup|u|wbr)\b[^<>]*>", re.IGNORECASE)
_TAGS = re.compile(r"<[^<>]*>")


def feed_as_html(text: str, url: str) -> str:
    """List the entries of a feed as an HTML page. Raises PageError if it is no feed or has no entries."""
    title, entries = read_feed(text)
    if not entries:
        raise PageError(message("{url} is XML, but no feed with entries", url=url))
    items = (
        f'<li><a href="{escape(entry.address)}">{_text(entry.title)}</a> {_text(entry.summary)}' for entry in entries
    )
    return f'<title>{_text(title)}</title><ul class="feed">{"".join(items)}</ul>'


def _text(html: str) -> str:
    return escape(folded_blanks(unescape(_TAGS.sub(" ", _INLINE.sub("", html))))[:SUMMARY])
