"""Sentences of a crawl's record in the user's language: reasons of judgements and priorities, and how requests ended.

The record is in English, for queries and for programs, and so it stays the same whoever crawls. Each sentence there has
one of the forms below, and is told by that form. What has none of them (the words of a page, a concept's name, a
server's message) is shown as it is.
"""

import re
from collections.abc import Iterable
from functools import cache

from cli.render.language import language, later, tr

# what a reason names (`semantic.records.Reason.what`), by the strategies
WHATS = (
    later("topic words"),
    later("words of names"),
    later("predecessor layers"),
    later("predecessor layer"),
    later("link graph"),
    later("linking pages"),
    later("found behind the same pages"),
    later("template"),
    later("directory"),
    later("host"),
    later("the same anchor text"),
    later("words like those of good links"),
    later("depth and place"),
    later("topic words, at fixed weights"),
    later("few pages of the host seen"),
    later("any link's worth here"),
    later("links like it that led to no page"),
    later("other evidence"),
    later("relevance of the linking page"),
    later("anchor"),
    later("around the anchor"),
    later("address"),
    later("all its words, compared with those of clear pages"),
    later("the links to it, compared with those to clear pages"),
    later("marked good by the expert"),
    later("marked bad by the expert"),
    later("like marked pages"),
    later("raised by hand"),
    later("in the base vector"),
    later("roads blocked on the way here"),
    later("a detail page"),
    later("a list of links, so no result"),
    later("looks like the link to"),
    later("anchor on its page"),
    later("naive Bayes: P(topic | page)"),
    later("cash from the linking page"),
    later("cash from other pages before"),
    later("cash, with that of an address that leads here"),
    later("PageRank over what is known"),
    later("links before a result"),
    later("likelihood of the page"),
    later("inherited from the linking page"),
    later("order of finding"),
    later("waits until all seeds have come"),
    later("a seed, not compared with the others yet"),
    later("not judged before all seeds have come"),
    later("like the seeds' centre, as a hub page"),
    later("like the seeds' centre, as a topic page"),
    later("val"),
)
# of these, the details are words of pages, and stay as they are
OF_WORDS = (
    "in the base vector",
    "naive Bayes: P(topic | page)",
    "like the seeds' centre, as a hub page",
    "like the seeds' centre, as a topic page",
)
# in brackets behind a word: what it stands for in the ontology (`semantic.terms.term_matching`)
NOTES = {
    r"(?P<generation>\d+) below (?P<feature>[^,]+)": later("{generation} below {feature}"),
    r"related to (?P<feature>[^,]+), (?P<part>[\d.e-]+)": later("related to {feature}, {part}"),
    r"layer (?P<number>\d+)": later("layer {number}"),
    r"word of a name": later("word of a name"),
}
# what a strategy remembers (`semantic.strategies.learned_beliefs`), where `status` has no words of its own for it
LEARNED = (
    later("results"),
    later("results at the last fit"),
    later("pages in the centre"),
    later("words of the centre"),
    later("words of the base vector"),
    later("highest Q in G_w"),
    later("vertices of G_w, on any way to a result"),
    later("vertices of G_w, on the ways taken to results"),
)
# states and kinds that stand in figures
STATES = (
    later("name"),
    later("related name"),
    later("misspelling"),
    later("parent"),
    later("excluded"),
    later("weight"),
    later("layer"),
    later("topic"),
    later("relatedness"),
    later("good"),
    later("bad"),
    later("page"),
    later("link"),
    later("words of a {name} {where}"),
    later("queued"),
    later("fetched"),
    later("failed"),
    later("refused"),
    later("redirected"),
    later("running"),
    later("broken off"),
    later("all imported"),
    later("max-pages"),
    later("queue-empty"),
    later("enough"),
    later("unreachable"),
    later("interrupted"),
    later("unchanged"),
    later("changed"),
    later("gone"),
    later("no answer"),
    later("timeout"),
    later("no network"),
    later("no files"),
    later("no proxy"),
    later("no address"),
    later("too-large"),
    later("dns"),
    later("connect"),
    later("tls"),
    later("read"),
    later("proxy"),
    later("protocol"),
    later("encoding"),
    later("zoned"),
    later("loopback"),
    later("unspecified"),
    later("link-local"),
    later("multicast"),
    later("private"),
    later("reserved"),
    later("synonym"),
    later("related"),
    later("narrower"),
    later("misleading"),
    later("layer 1"),
    later("layer 2"),
)
# whole sentences, and details of reasons; the values in brackets are told in their turn
FORMS = (
    later("like the link to {page}, Q {q}"),
    later("{number} more words"),
    later("good {page} {share}"),
    later("bad {page} {share}"),
    later("sim {similarity} of {length} on the page, P(topic | page) {probability}"),
    later("{page}, similarity {similarity}, Q {q}, of {number} pages on any way to a result"),
    later("{page}, similarity {similarity}, Q {q}, of {number} pages on the ways taken to a result"),
    later("{cash}, one of {number} shares"),
    later("{cash}, similarity {similarity} of {whole}"),
    later("other"),
    later("layer {number}"),
    later("linking page {relevance}, PageRank {rank}"),
    later("{number} topic words in and around the anchor"),
    later("{number} words of predecessor layer {layer} in and around the anchor"),
    later("a word of layer {layer} in the link"),
    later("the page is on topic"),
    later("handed on from the pages before"),
    later("the anchor has topic words"),
    later("out of scope: {why}"),
    later("discarded: the strategy gave no link to it a place in the queue"),
    later("http {status}"),
    later("gone: asked for again, it answered http {status}"),
    later("leads to {url}"),
    later("not HTML: {kind}"),
    later("no page: {why}"),
    later("redirect: leads to no other page: {where}"),
    later("redirect: too many redirects"),
    later("a feed, which leads to pages and is none"),
    later("a sitemap, which leads to pages and is none"),
    later("a sitemap index, which leads to pages and is none"),
    later("noindex: the page asks not to be a result"),
    later("reserved: the page reserves text and data mining, and --respect tdm obeys it"),
    later("reserved: {how}"),
    later("robots.txt unreachable: {why}"),
    later("robots.txt"),
    later("Retry-After: not for an hour or more"),
    later("the same page under another address, which counts in its place"),
    later("what it says itself is said by another page of its site, which counts in its place"),
    later("{url} is {kind}, not HTML"),
    later("{url} is not text"),
    later("{url} is a PDF file that needs a password"),
    later("{url} is a PDF file without text that can be read (pictures of pages?)"),
    later("{url} is a PDF file whose text cannot be read: {why}"),
    later("{url} is a document that needs a password"),
    later("{url} is a document that needs a password, or of a format before 2007"),
    later("{url} is a document without text that can be read ({why})"),
    later("{url} is a ZIP archive and no document that is read"),
    later("{url} is a broken ZIP archive"),
    later("{url} is an archive of more than {number} files"),
    later("only pictures?"),
    later("a form of XFA, which is no part of PDF"),
    later("pages after the first {number}"),
    later("parts of pages that are broken: {number}"),
    later("the order of the pages"),
    later("its pages, of which none is found"),
    later("text in a font without a table of its characters ({word})"),
    later("notes or links that are broken"),
    later("parts that are missing"),
    later("parts that are broken"),
    later("parts that are encrypted"),
    later("what is after the first {number} MB"),
    later("what is after the first {number} characters"),
    later("what is nested too deep, or has too many elements"),
    later("XML that declares entities (an entity bomb?)"),
    later("{url} is a feed without entries, or no feed"),
    later("no gzip file: {error}"),
    later("a user name or password in the address"),
    later("no address of the web, or not normalised"),
    later("loopback name {host}"),
    later("inside name {host}"),
    later("{host} resolved to {why}"),
    later("{kind} address {address}"),
    later("seed"),
    later("a seed"),
    later("no answer ({kinds})"),
    later("names {words}"),
    later("no address: {why}"),
    later("no https"),
    later("https: the proxy refuses CONNECT"),
    later("more than {number} bytes"),
    later("the body is neither in the coding that is named nor text"),
    later("cut: only its first {number} bytes were read"),
    later("the transfer broke off; the page ends as a complete one does"),
    later("{why}; --insecure-host {host} connects all the same"),
    later("no status line"),
    later("reading gave no answer for {number} seconds and was stopped"),
    later("reading took more than {number} seconds of processor time and was stopped"),
    later("reading needs more than {limit} MB of memory and was stopped"),
    later("reading broke off"),
    later("the canonical name says so"),
    later("this address is gone or asks not to be a result"),
    later("a heading here links there by its title"),
    later("this is {view} by its address"),
    later("a list by tag"),
    later("a list by category"),
    later("a list by author"),
    later("a list by month"),
    later("a further page of a list"),
    later("a search"),
    later("a print view"),
    later("a mobile view"),
    later("a view of one comment"),
    later("an old version"),
    later("the same text as a page of the crawl that this one was merged into"),
    later("“{word}” in the address"),
    later("“{word}” in the link"),
    later("“{word}” near the link"),
    later("{kind}: {why}"),
)
# values that are names of pages and hosts, and are told as they are: a host may be named like a state
NAMES = frozenset({"host", "url", "address", "word"})


def sentence(text: str) -> str:
    """A sentence of the record in the user's language."""
    if language() == "en":
        return text
    share = re.fullmatch(r"([+-]\d+\.\d+ )(.+)", text, re.DOTALL)
    if share is None:
        return by_form(text, FORMS)
    what = next((known for known in _LONGEST if share[2] == known or share[2].startswith(f"{known}: ")), None)
    if what is None:
        return share[1] + _noted(share[2])
    detail = share[2][len(what) + 2 :]
    return share[1] + (tr("{what}: {detail}", what=tr(what), detail=_detail(what, detail)) if detail else tr(what))


def _detail(what: str, detail: str) -> str:
    """The evidence of a reason."""
    if what in OF_WORDS:
        return by_form(detail, ["{number} more words"]) if detail.endswith(" more words") else detail
    if what == "like marked pages":
        return ", ".join(by_form(one, FORMS) for one in detail.split(", "))
    return by_form(detail, FORMS)


def by_form(text: str, forms: Iterable[str]) -> str:
    """A text told by the first of the forms that it has; as it is where it has none."""
    for form in forms:
        found = _pattern(form).fullmatch(text)
        if found:
            values = found.groupdict().items()
            return tr(form, **{name: value if name in NAMES else by_form(value, forms) for name, value in values})
    return _noted(tr(text))


def _noted(text: str) -> str:
    """The text, with the notes in brackets behind its words in the user's language."""
    return _BRACKETS.sub(_notes, text) if "(" in text else text


def _notes(found: re.Match[str]) -> str:
    notes = found[0]
    for pattern, form in NOTES.items():

        def told(note: re.Match[str], form: str = form) -> str:
            return tr(form, **note.groupdict())

        notes = re.sub(rf"(?<=[( ]){pattern}(?=[,)])", told, notes)
    return notes


_BRACKETS = re.compile(r"\([^()]*\)")
_LONGEST = sorted(WHATS, key=len, reverse=True)


@cache
def _pattern(form: str) -> re.Pattern[str]:
    return re.compile(re.sub(r"\\\{(\w+)\\\}", r"(?P<\1>.+?)", re.escape(form)), re.DOTALL)
