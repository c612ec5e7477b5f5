"""WARC files as people have them: what one bad record, one recorder's habit, or one odd container costs."""

import bz2
import gzip
import io
import json
import lzma
import zipfile
from pathlib import Path

import pytest
from warc_records import response_record

from benchmarks.office_files import packed
from crawler.archive.unpacking import PIECE
from crawler.archive.warc_reading import LARGEST, LeftOut, read_responses
from crawler.archive.warc_source import ArchiveSource
from ontology.errors import SettingsError

PAGE = b"<title>tea</title><p>green tea</p>"
OK = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n"
FIRST, LAST = (response_record(f"http://a.org/{name}", OK + PAGE) for name in ("first", "last"))
MIDDLE = response_record("http://a.org/middle", OK + PAGE)
NAMES = ["first", "middle", "last"]
PACKED = [gzip.compress(record) for record in (FIRST, MIDDLE, LAST)]


def read(archive: bytes) -> dict[str, bytes]:
    """Last part of the address, body of each answer."""
    return {answer.url.rpartition("/")[2]: answer.body for answer in read_responses(io.BytesIO(archive))}


def between(record: bytes) -> bytes:
    return FIRST + record + LAST


def by_record(*records: bytes) -> bytes:
    return b"".join(map(gzip.compress, records))


def with_length(record: bytes, length: object) -> bytes:
    head, _, block = record.partition(b"\r\n\r\n")
    lines = [line for line in head.split(b"\r\n") if not line.startswith(b"Content-Length")]
    return b"\r\n".join([*lines, f"Content-Length: {length}".encode()]) + b"\r\n\r\n" + block


def damaged(record: bytes) -> bytes:
    packed = bytearray(gzip.compress(record))
    packed[len(packed) // 2] ^= 0xFF
    packed[len(packed) // 2 + 1] ^= 0xFF
    return bytes(packed)


WHOLE = {
    "an older version": between(MIDDLE).replace(b"WARC/1.0", b"WARC/0.18"),
    "a later version": between(MIDDLE).replace(b"WARC/1.0", b"WARC/1.1"),
    "lower case": between(MIDDLE.replace(b"WARC-T", b"warc-t").replace(b"Content-Length", b"content-length")),
    "line feeds": between(MIDDLE.replace(b"\r\n", b"\n")),
    "a folded field": between(MIDDLE.replace(b"WARC-Target-URI: ", b"WARC-Target-URI:\r\n  ")),
    "brackets": between(MIDDLE.replace(b"http://a.org/middle", b"<http://a.org/middle>")),
    "no type of content": between(MIDDLE.replace(b"Content-Type: application/http; msgtype=response\r\n", b"", 1)),
    "no end": b"".join(record.removesuffix(b"\r\n\r\n") for record in (FIRST, MIDDLE, LAST)),
    "a mark at the beginning": b"\xef\xbb\xbf" + between(MIDDLE),
    "bytes between": FIRST + b"some junk\n" + MIDDLE + bytes(600) + LAST,
    "too long": between(with_length(MIDDLE, 400)),
    "far too long": between(with_length(MIDDLE, 10**12)),
    "too short": between(with_length(MIDDLE, 60)),
    "no length": between(with_length(MIDDLE, "")),
    "a length that is none": between(with_length(MIDDLE, "1e3")),
    "one gzip": gzip.compress(between(MIDDLE)),
    "one gzip in another": gzip.compress(by_record(FIRST, MIDDLE, LAST)),
    "bzip2": bz2.compress(between(MIDDLE)),
    "gzip in xz": lzma.compress(by_record(FIRST, MIDDLE, LAST)),
    "bytes between members": gzip.compress(FIRST) + b"junk" + gzip.compress(MIDDLE) + bytes(600) + gzip.compress(LAST),
    "a member that ends where a piece does": bytes(PIECE - len(PACKED[0] + PACKED[1])).join(PACKED[:2]) + PACKED[2],
    "a part that is not packed": gzip.compress(FIRST) + MIDDLE + gzip.compress(LAST),
    "too long, packed": by_record(FIRST, with_length(MIDDLE, 10**12), LAST),
    "too short, packed": by_record(FIRST, with_length(MIDDLE, 60), LAST),
}


LACKING = {
    "damaged": gzip.compress(FIRST) + damaged(MIDDLE) + gzip.compress(LAST),
    "damaged twice": gzip.compress(FIRST) + 2 * damaged(MIDDLE) + gzip.compress(LAST),
    "no record": FIRST + MIDDLE.replace(b"WARC/1.0", b"WAR/1.0") + LAST,
    "a head without an end": FIRST + b"WARC/1.0\r\nWARC-Type: response\r\n" + LAST,
    "too large": by_record(FIRST, response_record("http://a.org/middle", OK + bytes(LARGEST)), LAST),
    "another kind": between(MIDDLE.replace(b"WARC-Type: response", b"WARC-Type: conversion")),
    **{
        target or "no target": between(response_record(target, OK + PAGE))
        for target in ("javascript:void(0)", "urn:x:y", "http://[::1", "dns:a.org", "a.org/middle", "")
    },
}


@pytest.mark.parametrize("name", WHOLE | LACKING)
def test_every_answer_is_read_and_bad_records_cost_no_other(name: str) -> None:
    assert read((WHOLE | LACKING)[name]) == dict.fromkeys(NAMES if name in WHOLE else ("first", "last"), PAGE)


@pytest.mark.parametrize("cut", range(1, 200, 7))
def test_what_is_cut_gives_whole_records(cut: int) -> None:
    for archive in (between(MIDDLE), by_record(FIRST, MIDDLE, LAST), gzip.compress(between(MIDDLE))):
        found = read(archive[:-cut])
        assert set(found.values()) <= {PAGE}
        assert list(found) == NAMES[: len(found)]


def test_what_is_left_out_is_counted() -> None:
    left_out = LeftOut()
    bad = response_record("urn:x", OK) + response_record("", OK)
    archive = by_record(FIRST, bad, LAST) + damaged(MIDDLE)
    assert len(list(read_responses(io.BytesIO(archive), left_out))) == 2
    assert (left_out.damaged, left_out.without_address, left_out.targets) == (1, 2, ["urn:x", ""])
    assert left_out.kinds == {"response": 4}


LINE = b"%x\r\n" % len(PAGE)
CHUNKED = {
    "not chunked": PAGE,
    "not chunked, begins like a size": b"a\r\n" + PAGE,
    "not chunked, begins like an end": b"0\r\n\r\n" + PAGE,
    "chunked": LINE + PAGE + b"\r\n0\r\n\r\n",
    "chunked by line feeds": LINE.replace(b"\r", b"") + PAGE + b"\n0\n\n",
    "in two chunks": b"5\r\n" + PAGE[:5] + b"\r\n%x\r\n" % (len(PAGE) - 5) + PAGE[5:] + b"\r\n0\r\n\r\n",
    "with an extension and a trailer": LINE.replace(b"\r", b";a=b\r") + PAGE + b"\r\n0\r\nX: y\r\n\r\n",
    "without an end": LINE + PAGE,
}


@pytest.mark.parametrize("body", CHUNKED.values(), ids=CHUNKED)
def test_the_body_decides_whether_it_is_chunked(body: bytes) -> None:
    answer = OK.replace(b"\r\n\r\n", b"\r\nTransfer-Encoding: chunked\r\n\r\n") + body
    found = read(between(response_record("http://a.org/middle", answer)))
    assert found["middle"].endswith(PAGE)
    assert len(found["middle"]) < len(PAGE) + 8
    assert list(found) == NAMES


MESSAGES = {
    b"HTTP/2 200\r\nA: b\r\n\r\n": (200, {"a": "b"}),
    b"HTTP/3 404 \r\nA: b\r\n\r\n": (404, {"a": "b"}),
    b"HTTP/1.1 200 OK\nA: b\n\n": (200, {"a": "b"}),
    b"HTTP/1.1 200 OK\r\nA: b\r\n c\r\n\r\n": (200, {"a": "b c"}),
    b"HTTP/1.1 200 OK\r\n\r\n": (200, {}),
    b"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 410 Gone\r\nA: b\r\n\r\n": (410, {"a": "b"}),
    b"A: b\r\n\r\n": (200, {"a": "b"}),
    b"": (200, {}),
}


@pytest.mark.parametrize("head", MESSAGES)
def test_heads_are_read_as_they_are_kept(head: bytes) -> None:
    (answer,) = read_responses(io.BytesIO(response_record("http://a.org/", head + PAGE)))
    assert ((answer.status, answer.headers), answer.body) == (MESSAGES[head], PAGE)


def test_a_page_kept_without_a_message_is_read() -> None:
    record = MIDDLE.replace(b"WARC-Type: response", b"WARC-Type: resource").replace(OK, b"")
    record = record.replace(b"application/http; msgtype=response", b"text/html")
    (answer,) = read_responses(io.BytesIO(with_length(record, len(PAGE))))
    assert (answer.status, answer.headers, answer.body) == (200, {"content-type": "text/html"}, PAGE)


def test_an_answer_not_kept_again_is_the_earlier_one(tmp_path: Path) -> None:
    again = MIDDLE.replace(b"WARC-Type: response", b"WARC-Type: revisit")
    again = again.replace(b"WARC-Date", b"WARC-Refers-To-Target-URI: %s\r\nWARC-Date")
    path = tmp_path / "a.warc"
    path.write_bytes(again % b"http://a.org/last" + again.replace(b"middle", b"lost") % b"http://b.org/" + LAST)
    source = ArchiveSource(path)
    found = {answer.url.rpartition("/")[2]: answer.body for _, answer in source.answers()}
    assert found == {"middle": PAGE, "last": PAGE}
    assert "http://a.org/lost" in source.remarks[0]


PACKED = by_record(FIRST, MIDDLE, LAST)
WACZ = packed({"archive/data.warc.gz": PACKED, "datapackage.json": b"{}"}, zipfile.ZIP_STORED)
ARCHIVES = {
    "stored": WACZ,
    "deflated": packed({"archive/data.warc.gz": PACKED}),
    "of several": packed({"archive/a.warc": FIRST, "archive/b.warc.gz": gzip.compress(MIDDLE), "c.warc": LAST}),
    "in another": packed({"x/a.wacz": WACZ}),
    "without its table": WACZ[:-30],
}


@pytest.mark.parametrize("archive", ARCHIVES.values(), ids=ARCHIVES)
def test_a_wacz_file_is_an_archive(tmp_path: Path, archive: bytes) -> None:
    folder = tmp_path / "collection" / "archive"
    folder.mkdir(parents=True)
    (folder / "a.wacz").write_bytes(archive)
    (tmp_path / "notes.txt").write_bytes(b"no archive")
    for path in (tmp_path, folder / "a.wacz"):
        source = ArchiveSource(path)
        assert [answer.body for _, answer in source.answers()] == [PAGE, PAGE, PAGE]


def test_a_damaged_record_of_a_wacz_file_costs_no_other(tmp_path: Path) -> None:
    at = WACZ.index(b"\x1f\x8b\x08", WACZ.index(b"\x1f\x8b\x08") + 1) + 60
    (tmp_path / "a.wacz").write_bytes(WACZ[:at] + b"\0\0\0\0" + WACZ[at + 4 :])
    assert len(list(ArchiveSource(tmp_path / "a.wacz").answers())) == 2


COLLECTION = json.dumps({"profile": "multi-wacz-package", "resources": [{"name": "a.wacz", "path": "b/a.wacz"}]})
UNREAD = {
    b"filedesc://a.arc 0.0.0.0 20200101 text/plain 5\n": "warcio recompress",
    packed({"datapackage.json": COLLECTION.encode()}): "b/a.wacz",
    packed({"a.txt": b"a"}): "zip",
    MIDDLE.replace(b"WARC-Type: response", b"WARC-Type: conversion"): "conversion",
}


@pytest.mark.parametrize("content", UNREAD, ids=UNREAD.values())
def test_what_is_not_read_is_named(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "a.warc"
    path.write_bytes(content)
    with pytest.raises(SettingsError, match=UNREAD[content]):
        ArchiveSource(path)
