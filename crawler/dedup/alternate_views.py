"""Addresses that show other pages once more: lists by tag or month, further pages of a list, print views, searches.

Only the names that the usual programs give them are known: WordPress, Hexo, Hugo and Jekyll (`/tag/x/`, `/category/x/`,
`/author/x/`, `/2019/05/`, `/page/2/`, `?m=201905`, `?replytocom=7`), Blogger (`/search/label/x`), MediaWiki
(`?printable=yes`, `?oldid=7`), and what is usual for print and mobile views. A name alone proves nothing, so this is
asked only of two addresses that have the same text.
"""

import re
from urllib.parse import unquote

_FOLDERS = {
    "a list by tag": "tag tags tagged label labels 标签",
    "a list by category": "category categories 分类",
    "a list by author": "author authors 作者",
    "a search": "search",
    "a print view": "print printable",
    "a mobile view": "amp mobile",
}
_KEYS = {
    "a list by tag": "tag tags",
    "a list by category": "cat category",
    "a list by author": "author",
    "a list by month": "m",
    "a search": "s search q query",
    "a print view": "print printable",
    "a mobile view": "amp mobileaction",
    "a view of one comment": "replytocom showcomment",
    "an old version": "oldid",
}
_BY_FOLDER = {word: kind for kind, words in _FOLDERS.items() for word in words.split()}
_BY_KEY = {word: kind for kind, words in _KEYS.items() for word in words.split()}
_ENDING = re.compile(r"(?:/(?:index|default))?(?:\.(?:html?|php|aspx?))?/?$", re.IGNORECASE)
_MONTH = re.compile(r"/(?:19|20)[0-9]{2}(?:/(?:0?[1-9]|1[0-2])(?:/(?:0?[1-9]|[12][0-9]|3[01]))?)?$")
_FURTHER = re.compile(r"/page[/-]?0*(?:[2-9]|[1-9][0-9]+)$", re.IGNORECASE)
_NUMBER = re.compile(r"0*(?:[2-9]|[1-9][0-9]+)")


def view_of(url: str) -> str:
    """What kind of view a normalised address names, in words; "" for none."""
    path, _, query = url.partition("://")[2].partition("?")
    path = _ENDING.sub("", "/" + unquote(path).partition("/")[2])
    for part in query.split("&"):
        key, _, value = part.lower().partition("=")
        if key in _BY_KEY and value:
            return _BY_KEY[key]
        if key in ("page", "paged") and _NUMBER.fullmatch(value):
            return "a further page of a list"
    if _FURTHER.search(path):
        return "a further page of a list"
    for folder in path.lower().split("/"):
        if folder in _BY_FOLDER:
            return _BY_FOLDER[folder]
    return "a list by month" if _MONTH.search(path) else ""
