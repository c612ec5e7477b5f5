"""Good inputs made bad, by chance that a seed decides: bytes flipped, pieces lost, doubled, moved, repeated, put in.

An input is named by its kind and number: the same seed gives the same bytes, whichever others are made.
"""

import random
from collections.abc import Callable, Mapping, Sequence

LARGEST = 300_000  # bytes
MOST_STEPS = 8
MOST_REPEATS = 3000

NASTY: dict[str, list[str | bytes]] = {  # what a kind's readers stumble over, beside what all do
    "any": [
        *(
            b"\x00",
            b"\xff\xfe",
            b"\xef\xbb\xbf",
            b"\xed\xa0\x80",
            b"\xf4\x90\x80\x80",
            b"\xe2\x80\xa8",
            b"\x1b[2J",
            b"\r",
        ),
        *(
            b"\n\n",
            b" " * 500,
            b"'",
            b'"',
            b"%00",
            b"%",
            b"-1",
            b"99999999999999999999",
            b"1e999",
            b"NaN",
            b"\\",
            b"{",
            b"(",
        ),
        *("\U0001f600", "中", "ＡＢ", "İ", "ﬃ", "a\u0301" * 50, "\u202e"),
    ],
    "page": [
        *(
            b"<a href=",
            b"<a href='//[::1'>",
            b"<base href='\\\\'>",
            b"</p>",
            b"<p>",
            b"<table><td><a href=x>",
            b"<!--",
            b"-->",
        ),
        *(
            b"<![CDATA[",
            b"<script>",
            b"</title>",
            b"<title>",
            b"<meta charset=utf-7>",
            b"<meta charset=utf-16>",
            b"&#xD800;",
        ),
        *(
            b"<meta http-equiv=refresh content='0;url=",
            b"&#99999999;",
            b"&",
            b"<svg>",
            b"<template>",
            b"<b id=1>",
            b"<a",
        ),
        *(
            b"<link rel=canonical href=",
            b"<html lang=",
            b"<meta name=robots content=",
            b"<h1>",
            b"<select>",
            b"<plaintext>",
        ),
        *(
            b"<img alt=",
            b"<frameset>",
            b"<?xml version='1.0' encoding='x'?>",
            b"<x" + b":y" * 300 + b">",
            b"tea",
            "绿茶".encode(),
        ),
    ],
    "answer": [
        *(
            b"\r\n",
            b"\r\n\r\n",
            b"HTTP/1.1 200 OK\r\n",
            b"HTTP/1.1 100 Continue\r\n\r\n",
            b"HTTP/9.9 ",
            b"Content-Length: 5\r\n",
        ),
        *(
            b"Transfer-Encoding: chunked\r\n",
            b"Content-Encoding: gzip\r\n",
            b"Content-Encoding: br\r\n",
            b"Location: //[\r\n",
        ),
        *(
            b"Content-Type: text/html; charset=\r\n",
            b"Retry-After: Thu, 99 Foo\r\n",
            b"Connection: upgrade\r\n",
            b":",
            b" \r\n x",
        ),
        *(
            b"Set-Cookie: a=b\r\n",
            b"0\r\n\r\n",
            b"ffffffffffffffff\r\n",
            b"HTTP/1.1 302 Found\r\n",
            b"Content-Range: x\r\n",
        ),
    ],
    "robots": [
        *(
            b"User-agent: *\n",
            b"User-agent: ontocrawl\n",
            b"Disallow: /\n",
            b"Disallow: " + b"*" * 300 + b"$\n",
            b"Crawl-delay: ",
        ),
        *(
            b"Allow: /%zz*$*\n",
            b"Sitemap: http://[\n",
            b":",
            b"#",
            b"Request-rate: 1/0\n",
            b"Visit-time: 9999-0\n",
            b"$",
            b"*",
            b"?",
        ),
    ],
    "address": [
        *(
            b"http://",
            b"https:",
            b"//",
            b"@",
            b"[",
            b"]",
            b":",
            b":99999",
            b"#",
            b"?",
            b";jsessionid=",
            b"&utm_source=",
            b"..",
        ),
        *(
            b"xn--",
            b"xn--a",
            b"%2e",
            b"%",
            b"%c0%80",
            b"\t",
            b"/./",
            b"0x7f.1",
            "。".encode(),
            "ß".encode(),
            b"javascript:",
            b".",
        ),
    ],
    "ontology": [
        *(
            b"<!ENTITY a 'b'>",
            b"&a;",
            b"<rdf:Description>",
            b"rdf:about=",
            b"xml:lang=",
            b"rdfs:subClassOf",
            b"owl:imports",
            b"_:b",
        ),
        *(
            b"<",
            b">",
            b" .\n",
            b" ;",
            b"[",
            b"]",
            b'"""',
            b"@prefix : <",
            b"^^xsd:integer",
            b"Class:",
            b"SubClassOf(",
            b"[Term]",
        ),
        *(
            b"is_a: ",
            b'{"@id":',
            b"<http://[>",
            b"<urn:",
            b"owl:equivalentClass",
            b"rdf:parseType='Collection'",
            b"Prefix(",
        ),
    ],
    "source": [
        *(b"<!ENTITY a 'b'>", b"&a;", b"<![CDATA[", b"]]>", b"<item>", b"<entry>", b"<link href=", b"<loc>", b"</loc>"),
        *(b"<rss>", b"<urlset>", b"<sitemapindex>", b"<rdf:RDF>", b"xmlns:x=", b"&lt;a href=", b"<title>", b"\x1f\x8b"),
    ],
    "pdf": [
        *(
            b"obj",
            b"endobj",
            b"stream\n",
            b"endstream",
            b"xref",
            b"trailer",
            b"1 0 R",
            b"2 0 R",
            b"<<",
            b">>",
            b"[",
            b"]",
        ),
        *(
            b"/Length 0",
            b"/Filter/FlateDecode",
            b"/Filter[/LZWDecode/ASCII85Decode]",
            b"/Kids",
            b"/Prev 0",
            b"/Encrypt 1 0 R",
        ),
        *(b"/Type/ObjStm", b"BT", b"ET", b" Tj", b" Tm", b" Do", b"q ", b"/ToUnicode 3 0 R", b"/W[1[", b"beginbfrange"),
    ],
}


Material = Mapping[str, Sequence[bytes]]


def mutated(kind: str, bases: Sequence[bytes], name: str) -> bytes:
    """One of `bases` after one to eight steps; `name` decides all."""
    chance = random.Random(name)
    nasty = [piece if isinstance(piece, bytes) else piece.encode() for piece in (*NASTY["any"], *NASTY[kind])]
    data = chance.choice(bases)
    material: Material = {"nasty": nasty, "bases": bases}
    for _ in range(chance.randint(1, MOST_STEPS)):
        step = chance.choice(_STEPS)
        data = step(chance, data, material)[:LARGEST]
    return data


def _slice(chance: random.Random, data: bytes) -> tuple[int, int]:
    """A short slice mostly, now and then a long one."""
    start = chance.randrange(len(data) + 1)
    return start, min(len(data), start + chance.choice((1, 3, 10, 40, 200, 5000)))


def _flip(chance: random.Random, data: bytes, material: Material) -> bytes:
    changed = bytearray(data)
    for _ in range(chance.randint(1, 20) if data else 0):
        changed[chance.randrange(len(changed))] = chance.randrange(256)
    return bytes(changed)


def _lose(chance: random.Random, data: bytes, _: Material) -> bytes:
    start, end = _slice(chance, data)
    return data[:start] + data[end:]


def _cut(chance: random.Random, data: bytes, _: Material) -> bytes:
    return data[: chance.randrange(len(data) + 1)]


def _put_in(chance: random.Random, data: bytes, material: Material) -> bytes:
    for _ in range(chance.randint(1, 5)):
        place = chance.randrange(len(data) + 1)
        data = data[:place] + chance.choice(material["nasty"]) + data[place:]
    return data


def _repeat(chance: random.Random, data: bytes, material: Material) -> bytes:
    start, end = _slice(chance, data)
    piece = chance.choice((data[start:end], chance.choice(material["nasty"])))
    return data[:start] + piece * chance.randint(2, MOST_REPEATS) + data[start:]


def _move(chance: random.Random, data: bytes, _: Material) -> bytes:
    start, end = _slice(chance, data)
    piece, rest = data[start:end], data[:start] + data[end:]
    place = chance.randrange(len(rest) + 1)
    return rest[:place] + piece + rest[place:]


def _splice(chance: random.Random, data: bytes, material: Material) -> bytes:
    other = chance.choice(material["bases"])
    start, end = _slice(chance, other)
    place = chance.randrange(len(data) + 1)
    return data[:place] + other[start:end] + data[place:]


_STEPS: tuple[Callable[[random.Random, bytes, Material], bytes], ...] = (
    *(_flip, _lose, _cut, _put_in, _put_in, _repeat, _move, _splice),
)
