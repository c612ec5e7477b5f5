"""Good inputs made bad, by chance that a seed decides: bytes flipped, pieces lost, doubled, moved, repeated, put in.

An input is named by its kind and number: the same seed gives the same bytes, whichever others are made.
"""

import random
from collections.abc import Callable, Sequence

LARGEST = 300_000  # bytes
MOST_STEPS, MOST_REPEATS = 8, 3000
# What a kind's readers stumble over, beside what all do: pieces with a | between them. \udcff stands for the byte ff.
NASTY = {
    "any": "\0|\udcff\udcfe|\ufeff|\udced\udca0\udc80|\udcf4\udc90\udc80\udc80|\u2028|\x1b[2J|\r|\n\n"
    f"|{' ' * 500}|'|\"|%00|%|-1|99999999999999999999|1e999|NaN|\\|{{|(|\U0001f600|中|ＡＢ|İ|ﬃ|{'á' * 50}|\u202e",
    "page": r"<a href=|<a href='//[::1'>|<base href='\\'>|</p>|<p>|<table><td><a href=x>|<!--|-->|<![CDATA[|<script>"
    "|</title>|<title>|<meta charset=utf-7>|<meta charset=utf-16>|&#xD800;|<meta http-equiv=refresh content='0;url="
    "|&#99999999;|&|<svg>|<template>|<b id=1>|<a|<link rel=canonical href=|<html lang=|<meta name=robots content="
    "|<h1>|<select>|<plaintext>|<img alt=|<frameset>|<?xml version='1.0' encoding='x'?>"
    f"|<x{':y' * 300}>|tea|绿茶",
    "answer": "\r\n|\r\n\r\n|HTTP/1.1 200 OK\r\n|HTTP/1.1 100 Continue\r\n\r\n|HTTP/9.9 |Content-Length: 5\r\n"
    "|Transfer-Encoding: chunked\r\n|Content-Encoding: gzip\r\n|Content-Encoding: br\r\n|Location: //[\r\n"
    "|Content-Type: text/html; charset=\r\n|Retry-After: Thu, 99 Foo\r\n|Connection: upgrade\r\n|:| \r\n x"
    "|Set-Cookie: a=b\r\n|0\r\n\r\n|ffffffffffffffff\r\n|HTTP/1.1 302 Found\r\n|Content-Range: x\r\n",
    "robots": f"User-agent: *\n|User-agent: ontocrawl\n|Disallow: /\n|Disallow: {'*' * 300}$\n|Crawl-delay: "
    "|Allow: /%zz*$*\n|Sitemap: http://[\n|:|#|Request-rate: 1/0\n|Visit-time: 9999-0\n|$|*|?",
    "address": "http://|https:|//|@|[|]|:|:99999|#|?|;jsessionid=|&utm_source=|..|xn--|xn--a|%2e|%|%c0%80|\t|/./|0x7f.1"
    "|。|ß|javascript:|.",
    "ontology": "<!ENTITY a 'b'>|&a;|<rdf:Description>|rdf:about=|xml:lang=|rdfs:subClassOf|owl:imports|_:b|<|>| .\n| ;"
    '|[|]|"""|@prefix : <|^^xsd:integer|Class:|SubClassOf(|[Term]|is_a: |{"@id":|<http://[>|<urn:|owl:equivalentClass'
    "|rdf:parseType='Collection'|Prefix(",
    "source": "<!ENTITY a 'b'>|&a;|<![CDATA[|]]>|<item>|<entry>|<link href=|<loc>|</loc>|<rss>|<urlset>|<sitemapindex>"
    "|<rdf:RDF>|xmlns:x=|&lt;a href=|<title>|\x1f\udc8b",
    "pdf": "obj|endobj|stream\n|endstream|xref|trailer|1 0 R|2 0 R|<<|>>|[|]|/Length 0|/Filter/FlateDecode"
    "|/Filter[/LZWDecode/ASCII85Decode]|/Kids|/Prev 0|/Encrypt 1 0 R|/Type/ObjStm|BT|ET| Tj| Tm| Do|q |/ToUnicode 3 0 R"
    "|/W[1[|beginbfrange",
}


def pieces(kind: str) -> list[bytes]:
    """Those of a kind, and those of all."""
    return f"{NASTY['any']}|{NASTY[kind]}".encode("utf-8", "surrogateescape").split(b"|")


def mutated(kind: str, bases: Sequence[bytes], name: str) -> bytes:
    """One of `bases` after one to eight steps; `name` decides all."""
    chance, nasty = random.Random(name), pieces(kind)
    data = chance.choice(bases)
    for _ in range(chance.randint(1, MOST_STEPS)):
        data = chance.choice(_STEPS)(chance, data, nasty, bases)[:LARGEST]
    return data


def _slice(chance: random.Random, data: bytes) -> tuple[int, int]:
    """A short slice mostly, now and then a long one."""
    start = chance.randrange(len(data) + 1)
    return start, min(len(data), start + chance.choice((1, 3, 10, 40, 200, 5000)))


def _flip(chance: random.Random, data: bytes, *rest: object) -> bytes:
    changed = bytearray(data)
    for _ in range(chance.randint(1, 20) if data else 0):
        changed[chance.randrange(len(changed))] = chance.randrange(256)
    return bytes(changed)


def _lose(chance: random.Random, data: bytes, *rest: object) -> bytes:
    start, end = _slice(chance, data)
    return data[:start] + data[end:]


def _cut(chance: random.Random, data: bytes, *rest: object) -> bytes:
    return data[: chance.randrange(len(data) + 1)]


def _put_in(chance: random.Random, data: bytes, nasty: Sequence[bytes], *rest: object) -> bytes:
    for _ in range(chance.randint(1, 5)):
        place = chance.randrange(len(data) + 1)
        data = data[:place] + chance.choice(nasty) + data[place:]
    return data


def _repeat(chance: random.Random, data: bytes, nasty: Sequence[bytes], *rest: object) -> bytes:
    start, end = _slice(chance, data)
    piece = chance.choice((data[start:end], chance.choice(nasty)))
    return data[:start] + piece * chance.randint(2, MOST_REPEATS) + data[start:]


def _move(chance: random.Random, data: bytes, *_: object) -> bytes:
    start, end = _slice(chance, data)
    piece, rest = data[start:end], data[:start] + data[end:]
    place = chance.randrange(len(rest) + 1)
    return rest[:place] + piece + rest[place:]


def _splice(chance: random.Random, data: bytes, _: object, bases: Sequence[bytes]) -> bytes:
    other = chance.choice(bases)
    start, end = _slice(chance, other)
    place = chance.randrange(len(data) + 1)
    return data[:place] + other[start:end] + data[place:]


_STEPS: tuple[Callable[..., bytes], ...] = (_flip, _lose, _cut, _put_in, _put_in, _repeat, _move, _splice)
