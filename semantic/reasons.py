"""Why something is as it is: reasons as data, the one table of their sentences, and both directions of their JSON.

A reason has a kind, a share if it is a part of a score, evidence, and values by name. Code asks for these; only people
read sentences. `sentence` makes one: the kind's template with the values, then the evidence behind a colon:

    Reason("anchor", 0.25, ("green tea",))   ->  +0.250 anchor: green tea
    because("http", status=404)              ->  http 404

A sentence is a message (`ontology.messages`): English wherever it is stored, and told in the user's language by `cli`.

In a record a list of reasons is JSON (`to_json`): each is a map of `kind`, `share`, `concept` and `evidence`, as far as
it has them, and of its values. What it holds are texts or reasons in their turn; those that have values alone are
written shorter, as {KIND: VALUE} or {KIND: [VALUES]}. A graph has sentences, which nothing parses.
"""

import json
import re
from collections.abc import Iterable, Mapping
from functools import cache, lru_cache
from json.encoder import encode_basestring as quoted
from math import isfinite
from string import Formatter
from typing import Any, NamedTuple

from ontology.errors import OntocrawlError
from ontology.messages import COMMA, SEMICOLON, joined, message

DIGITS = 9  # of a number in JSON, so that no sentence changes; chosen, not measured
# Kinds that are called in English as they are called here.
_NAMES = """
topic words; words of names; predecessor layers; predecessor layer; link graph; linking pages;
found behind the same pages; template; directory; host; the same anchor text; words like those of good links;
depth and place; topic words, at fixed weights; few pages of the host seen; any link's worth here;
links like it that led to no page; other evidence; relevance of the linking page; anchor; around the anchor; address;
like marked pages; raised by hand; in the base vector; roads blocked on the way here; a detail page;
a list of links, so no result; looks like the link to; anchor on its page; cash from the linking page;
cash from other pages before; cash, with that of an address that leads here; PageRank over the known pages;
links before a result; likelihood of the page; inherited from the linking page; the page is on topic;
handed on from the pages before; the anchor has topic words; order of finding; waits until all seeds have come;
a seed, not compared with the others yet; not judged before all seeds have come; val; other; a seed; source of links;
stands for the page; banned; redirect; too many redirects; robots.txt; robots.txt unreachable; Retry-After;
not for an hour or more; reserved; noindex; the page asks not to be a result; discarded; gone; out of scope; not HTML;
no page; no address; no https; timeout; no network; no files; no proxy; too-large; dns; connect; tls; read; proxy;
protocol; encoding; no status line; as recorded; not in the archive; reading broke off;
the reading process has too little memory; only pictures?; a form of XFA, which is no part of PDF;
the order of the pages; its pages, of which none is found;
notes or links that are broken; parts that are missing; parts that are broken; parts that are encrypted;
parts that are nested too deep, or have too many elements; the canonical name says so;
this address is gone or asks not to be a result; a heading here links there by its title; a list by tag;
a list by category; a list by author; a list by month; a further page of a list; a search; a print view;
a mobile view; a view of one comment; an old version; directories that repeat
"""
_KINDS_OF_ADDRESSES = ("loopback", "unspecified", "link-local", "multicast", "private", "reserved", "zoned")
TEMPLATES: Mapping[str, str] = {
    **{name: name for name in re.split(r";\s", _NAMES.strip())},
    # scores: what adds to them, and the evidence
    "concept": "{name}",
    "close in meaning": "its beginning means much the same as {name}, {cosine:.2f}",
    "own words": "all its words, compared with those of clear pages",
    "links to it": "the links to it, compared with those to clear pages",
    "marked good": "marked good by the expert",
    "marked bad": "marked bad by the expert",
    "marked hub": "marked as a hub by the expert: no result, but its links count",
    "listing": "a listing: its relevance counts half, as in papers J (detail pages) and C (hubs)",
    "error page": "an error page, by its words “{words}”",
    "naive Bayes": "naive Bayes: P(topic | page)",
    "like hubs": "like the seeds' centre, as a hub page",
    "like topic pages": "like the seeds' centre, as a topic page",
    "more words": "{number} more words",
    "good page": "good {page} {shift:+.3f}",
    "bad page": "bad {page} {shift:+.3f}",
    "like the link": "like the link to {page}, Q {q:.2f}",
    "similar anchor": "sim {similarity:.3f} of {length:.3f} on the page, P(topic | page) {probability:.3g}",
    "vertex on any way": "{page}, similarity {similarity:.3g}, Q {q:.3g}, of {number:,} pages on any way to a result",
    "vertex on ways taken": (
        "{page}, similarity {similarity:.3g}, Q {q:.3g}, of {number:,} pages on the ways taken to a result"
    ),
    "share of cash": "{cash:.3g}, one of {number} shares",
    "cash by similarity": "{cash:.3g}, similarity {similarity:.3g} of {whole:.3g}",
    "linking page and rank": "linking page {relevance:.3f}, PageRank {rank:.3f}",
    "number of topic words": "{number} topic words in and around the anchor",
    "number of layer words": "{number} words of predecessor layer {layer} in and around the anchor",
    # words of the topic: a word with what it stands for in the ontology
    "names": "names {words}",
    "word": "{word} ({notes})",
    "below": "{generation} below {feature}",
    "related": "related to {feature}, {part:g}",
    "layer": "layer {number}",
    "of a name": "word of a name",
    # what `status` shows as learned
    "word in address": "“{word}” in the address",
    "word in link": "“{word}” in the link",
    "word near link": "“{word}” near the link",
    "word of a layer": "a word of layer {number} in the link",
    # how requests ended
    "http": "http {status}",
    "no answer": "no answer ({kinds})",
    "leads to": "leads to {url}",
    "leads nowhere": "leads to no other page: {where}",
    "answered again": "requested again, it answered http {status}",
    "no link wanted": "the strategy gave no link to it a place in the queue",
    "feed": "a feed, which only leads to pages",
    "sitemap": "a sitemap, which only leads to pages",
    "sitemap index": "a sitemap index, which only leads to pages",
    "obeyed": "the page reserves text and data mining, and --respect tdm obeys it",
    "insecure": "{why}; --insecure-host {host} connects all the same",
    "no CONNECT": "https: the proxy refuses CONNECT",
    "many bytes": "more than {number:,} bytes",
    "neither coding nor text": "the body is neither in the coding that is named nor text",
    "cut": "cut: only its first {number:,} bytes were read",
    "broken off": "the transfer broke off; the page ends as a complete one does",
    "dying worker": "the worker died {times} times while it fetched this",
    "copy": "the same page under another address, which counts in its place",
    "merged copy": "the same text as a page of the crawl that this one was merged into",
    "says no more": "what it says itself is said by another page of its site, which counts in its place",
    "view": "this is {view} by its address",
    # pages whose text their scripts make
    "rendered": "its JavaScript was run: without it the page has {words:,} words",
    "not rendered": "its text needs JavaScript",
    "render in vain": "not run, because it gave nothing on {number} pages of the same kind",
    "render slow": "it ran for more than {seconds:g} seconds, or waited too long for the network",
    "render memory": "it took more than {limit:,} MB of memory",
    "render requests": "it asked for too much",
    "render large": "it made a page that is too large",
    "render lost": "the browser ended, or did not answer",
    "render no more": "it was run and gave nothing",
    # addresses that are not connected to
    "user name": "a user name or password in the address",
    "odd address": "no address of the web, or not normalised",
    "loopback": "loopback name {host}",
    "inside name": "inside name {host}",
    "resolved": "{host} is the {why}",
    **{f"{kind} address": f"{kind} address {{address}}" for kind in _KINDS_OF_ADDRESSES},
    # answers that are no page, and parts of documents that are left out
    "reading silent": "reading gave no answer for {seconds:g} seconds and was stopped",
    "reading slow": "reading took more than {seconds:g} seconds of processor time and was stopped",
    "reading large": "reading needs more than {limit} MB of memory and was stopped",
    "other type": "{url} is {type}, not HTML",
    "no text": "{url} is not text",
    "no feed": "{url} is a feed without entries, or no feed",
    "no gzip": "no gzip file: {error}",
    "PDF with password": "{url} is a PDF file that needs a password",
    "PDF without text": "{url} is a PDF file without text that can be read (pictures of pages?)",
    "illegible PDF": "{url} is a PDF file whose text cannot be read: {why}",
    "broken PDF": "{url} cannot be read as PDF: {why}",
    "document with password": "{url} is a document that needs a password",
    "old document": "{url} is a document that needs a password, or of a format before 2007",
    "document without text": "{url} is a document without text that can be read ({why})",
    "other archive": "{url} is a ZIP archive and no document that is read",
    "broken archive": "{url} is a broken ZIP archive",
    "many files": "{url} is an archive of more than {number} files",
    "later pages": "pages after the first {number}",
    "broken pages": "parts of pages that are broken: {number}",
    "illegible font": "text in a font without a table of its characters ({word})",
    "later megabytes": "everything after the first {number} MB",
    "later characters": "everything after the first {number} characters",
    "entities": "XML that declares entities (an entity bomb?)",
    # a sentence of a graph, of which nothing else is known
    # traps
    "little new": "{pages:,} pages, {stale:,} of them with nothing new; gave {gains:,} pages on topic",
    "many failures": "{failures:,} failures, and no page",
    "failing domains": "of {number:,} domains {gave:,} gave a page; of the others one host in {one_in} is asked",
    "many directories": "more than {deepest} directories",
    "idle parameter": "{pairs:,} pages were the same with another value of this parameter; no two were different",
}


class Reason(NamedTuple):
    """One reason.

    - `kind`: one of TEMPLATES. `share`: what it adds to a score; None for what is no part of one.
    - `evidence`: what stands behind the colon: words of pages and other texts, or reasons in their turn.
    - `concept`: IRI of the concept that is named, if it is one. A concept can have several names, and two can share a
      name.
    - `values`: those of the template, by name: texts, numbers, or a list like `evidence`.
    """

    kind: str
    share: float | None = None
    evidence: "tuple[str | Reason, ...]" = ()
    concept: str = ""
    values: "tuple[tuple[str, Value], ...]" = ()

    def __str__(self) -> str:
        return str(sentence(self))


Reasons = tuple[Reason, ...]
Evidence = tuple[str | Reason, ...]
Value = str | int | float | Evidence


def because(
    kind: str, /, *evidence: str | Reason, share: float | None = None, concept: str = "", **values: Value | Reason
) -> Reason:
    """A reason. `values`: as in `Reason`, or one reason. Raises KeyError for a kind that has no template."""
    if kind not in TEMPLATES:
        raise KeyError(kind)
    listed = ((name, (value,) if isinstance(value, Reason) else value) for name, value in values.items())
    return Reason(kind, share, evidence, concept, tuple(listed))


class PageError(OntocrawlError):
    """A response that cannot be read as a page. `why`: the reason as data."""

    def __init__(self, why: Reason) -> None:
        super().__init__(sentence(why))
        self.why = why

    def __reduce__(self) -> tuple[Any, ...]:
        """For pickle, which would otherwise make it of the sentence."""
        return PageError, (self.why,)


def sentence(reason: Reason | str) -> str:
    """The reason as a message. A sentence, or another text, is given back as it is."""
    if isinstance(reason, str):
        return reason
    said = called(reason)
    if reason.evidence:
        said = message("{what}: {detail}", what=said, detail=joined(map(sentence, reason.evidence)))
    return said if reason.share is None else message("{share:+.3f} {said}", share=reason.share, said=said)


def called(reason: Reason) -> str:
    """What the reason is called, without share and evidence, as a message."""
    return message(TEMPLATES[reason.kind], **{name: _said(name, value) for name, value in reason.values})


def _said(name: str, value: Value) -> str | int | float:
    if isinstance(value, tuple):
        return joined(map(sentence, value), SEMICOLON if name == "why" else COMMA)
    return value


def shares_of(reasons: Iterable[Reason]) -> dict[str, float]:
    """Sum the shares by concept IRI, or by name for what is no concept. They add up to the score."""
    shares: dict[str, float] = {}
    for reason in reasons:
        if reason.share is not None:
            of = reason.concept or str(called(reason))
            shares[of] = shares.get(of, 0.0) + reason.share
    return shares


def to_json(reasons: Iterable[Reason]) -> str:
    """Reasons as JSON text: see the module's text. It is put together here, since most maps are small."""
    return f"[{','.join(map(_map_of, reasons))}]"


def from_json(text: str | bytes) -> Reasons:
    """Reasons of JSON text."""
    return tuple(json.loads(text, object_hook=_reason))


def _map_of(reason: Reason) -> str:
    text = f'{{"kind":{quoted(reason.kind)}'
    if reason.share is not None:
        text += f',"share":{_json(reason.share)}'
    if reason.concept:
        text += f',"concept":{quoted(reason.concept)}'
    if reason.evidence:
        text += f',"evidence":{_json(reason.evidence)}'
    return "".join([text, *[f",{quoted(name)}:{_json(value)}" for name, value in reason.values], "}"])


@lru_cache(4096)  # words of the topic, above all; chosen, not measured
def _held(reason: Reason) -> str:
    """A reason that another one holds: one with values alone as its kind with them."""
    if reason[1:4] != (None, (), "") or not reason.values:
        return _map_of(reason)
    given = dict(reason.values)
    values = [_json(given[name]) for name in _names_of(reason.kind)]
    return f"{{{quoted(reason.kind)}:{values[0] if len(values) == 1 else '[' + ','.join(values) + ']'}}}"


def _json(value: Value) -> str:
    if isinstance(value, tuple):
        return f"[{','.join([quoted(one) if isinstance(one, str) else _held(one) for one in value])}]"
    if isinstance(value, str):
        return quoted(value)
    if not isinstance(value, float) or not isfinite(value):
        return json.dumps(value)
    text = f"{value:.{DIGITS}g}"
    return text if "." in text or "e" in text else f"{text}.0"  # or -0.0 would come back as a whole number


def _reason(plain: dict[str, Any]) -> Reason:
    if "kind" not in plain:
        ((kind, given),) = plain.items()
        names = _names_of(kind)
        plain = {"kind": kind, **dict(zip(names, given if len(names) > 1 else [given], strict=True))}
    fields = {name: plain.pop(name) for name in ("kind", "share", "concept") if name in plain}
    evidence = tuple(plain.pop("evidence", ()))
    values = ((name, tuple(value) if isinstance(value, list) else value) for name, value in plain.items())
    return Reason(**fields, evidence=evidence, values=tuple(values))


@cache
def _names_of(kind: str) -> list[str]:
    """The names of a kind's values, in their order."""
    return [name for _, name, _, _ in Formatter().parse(TEMPLATES[kind]) if name]
