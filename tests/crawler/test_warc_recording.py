"""What `--warc` writes: read with two libraries, cut short, on a full disk, and as a source again."""

import asyncio
import errno
import gzip
import hashlib
import json
import os
import re
import zipfile
from pathlib import Path

import brotli
import pytest
from fastwarc.warc import ArchiveIterator
from raw_servers import sending, served
from warcio.archiveiterator import ArchiveIterator as OtherIterator

from benchmarks.office_files import packed
from crawler.archive import warc_recording
from crawler.archive.wacz_recording import WaczFile
from crawler.archive.warc_recording import WarcFiles
from crawler.archive.warc_source import ArchiveSource
from crawler.fetch.client import MAX_BYTES, HttpSource
from crawler.ports import NOT_IN_ARCHIVE, Failed, Fetched, Outcome
from ontology.errors import CrawlBroken, SettingsError

HTML = b"Content-Type: text/html; charset=utf-8\r\n"
TEXT = "绿茶 green tea ".encode() * 300
PACKED = gzip.compress(TEXT, mtime=1)
ANSWERS = {
    "/robots.txt": b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\nUser-agent: *\nDisallow: /no\n",
    "/moved": b"HTTP/1.1 301 Moved Permanently\r\nLocation: /plain\r\nContent-Length: 0\r\n\r\n",
    "/plain": b"HTTP/1.1 200 OK\r\n" + HTML + b"X-Robots-Tag: noindex\r\nX-Robots-Tag: nofollow\r\n\r\n" + TEXT,
    "/chunked": b"HTTP/1.1 200 OK\r\n" + HTML + b"Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n",
    "/gzip": b"HTTP/1.1 200 OK\r\n" + HTML + b"Content-Encoding: gzip\r\n\r\n" + PACKED,
    "/br": b"HTTP/1.1 200 OK\r\n" + HTML + b"Content-Encoding: br\r\n\r\n" + brotli.compress(TEXT),
    "/bad": b"HTTP/1.1 200 OK\r\n" + HTML + b"Content-Encoding: gzip\r\n\r\n\0\1no gzip",
    "/odd": b"HTTP/1.1 200 OK\r\n" + HTML + b"Content-Encoding: rot13\r\n\r\nterra",
    "/gone": b"HTTP/1.1 410 Gone\r\n" + HTML + b"\r\n<p>gone",
    "/image": b"HTTP/1.1 200 OK\r\nContent-Type: image/png\r\nContent-Length: 4\r\n\r\n\x89PNG",
    "/large": b"HTTP/1.1 200 OK\r\n" + HTML + b"\r\n" + b"x" * (MAX_BYTES + 30_000),
    "/broken": b"HTTP/1.1 200 OK\r\n" + HTML + b"Content-Length: 99\r\n\r\nonly this",
    "/words": b"HTTP/1.1 200 \xff\xfe\r\n" + HTML + b"\r\nin no charset",
    "/plain?b": b"HTTP/1.1 200 OK\r\n" + HTML + b"\r\nanother",
}
CUT = {"/bad": "unspecified", "/gone": "unspecified", "/image": "unspecified"}
CUT |= {"/large": "length", "/broken": "disconnect"}


def record(folder: Path, paths=tuple(ANSWERS), **options) -> tuple[str, dict[str, Outcome]]:
    """Fetch from a server that sends these bytes, and record it; the server's address and the answers by path."""

    async def ask(source: HttpSource, origin: str) -> tuple[str, dict[str, Outcome]]:
        files = WaczFile(folder, "ontocrawl/test") if folder.suffix else WarcFiles(folder, "ontocrawl/test", **options)
        source.record_with(files)
        return origin, {path: await source.fetch(origin + path) for path in paths}

    return served(sending(ANSWERS.__getitem__), ask)


def members(file: Path) -> list[bytes]:
    """The file's gzip members, packed, in their order."""
    packed, ends = file.read_bytes(), []
    with file.open("rb") as stream:
        for entry in OtherIterator(stream):
            entry.raw_stream.read()
            ends.append(entry)
    starts = [at for at in range(len(packed)) if packed.startswith(b"\x1f\x8b\x08\x00\x00\x00\x00\x00", at)]
    found = [packed[a:b] for a, b in zip(starts, [*starts[1:], len(packed)], strict=True)]
    assert len(found) == len(ends)
    return found


def responses(folder: Path) -> list[str]:
    """The addresses of the responses that fastwarc finds, file after file."""
    return [
        str(entry.headers["WARC-Target-URI"])
        for file in sorted(folder.iterdir())
        for entry in ArchiveIterator(file.open("rb"), verify_digests=True)
        if entry.headers["WARC-Type"] == "response"
    ]


def same(one: Outcome, other: Outcome) -> bool:
    if isinstance(one, Fetched) and isinstance(other, Fetched):
        return (one.url, one.status, one.body) == (other.url, other.status, other.body)
    return isinstance(one, Failed) and isinstance(other, Failed) and (one.url, one.kind) == (other.url, other.kind)


@pytest.mark.parametrize("name", ["warc", "a.wacz"])
def test_what_scripts_made_of_a_page_refers_to_it(tmp_path: Path, name: str) -> None:
    async def ask(source: HttpSource, origin: str) -> str:
        files = (
            WaczFile(tmp_path / name, "ontocrawl/test") if "." in name else WarcFiles(tmp_path / name, "ontocrawl/t")
        )
        source.record_with(files)
        await source.fetch(f"{origin}/plain")
        await source.convert(f"{origin}/plain", b"<p>more")
        await source.convert(f"{origin}/unknown", b"<p>of no answer")
        return origin

    origin = served(sending(ANSWERS.__getitem__), ask)
    archive = tmp_path / name
    file = next(archive.iterdir()) if archive.is_dir() else zipfile.Path(archive, "archive/").iterdir().__next__()
    with file.open("rb") as stream:
        records = [(entry.rec_type, entry.rec_headers, entry.raw_stream.read()) for entry in OtherIterator(stream)]
    found = {kind: headers for kind, headers, _ in records}
    assert [kind for kind, *_ in records] == ["warcinfo", "response", "request", "conversion"]
    assert found["conversion"].get_header("WARC-Refers-To") == found["response"].get_header("WARC-Record-ID")
    assert found["conversion"].get_header("WARC-Target-URI") == f"{origin}/plain"
    assert records[-1][2] == b"<p>more"
    answer = asyncio.run(ArchiveSource(archive).fetch(f"{origin}/plain"))
    assert isinstance(answer, Fetched)
    assert answer.body == TEXT


def test_both_libraries_read_every_record_and_its_digest(tmp_path: Path) -> None:
    origin, _ = record(tmp_path)
    (file,) = tmp_path.iterdir()
    with file.open("rb") as stream:
        kinds = [entry.rec_type for entry in OtherIterator(stream, check_digests="raise")]
    assert kinds == ["warcinfo", *["response", "request"] * len(ANSWERS)]
    assert responses(tmp_path) == [origin + path for path in ANSWERS]
    for member in members(file):
        assert gzip.decompress(member).startswith(b"WARC/1.1\r\n")
    found = {}  # each record is what came, and says what was undone
    with file.open("rb") as stream:
        for entry in OtherIterator(stream):
            key = entry.rec_type, entry.rec_headers.get_header("WARC-Target-URI")
            found[key] = entry.rec_headers, entry.http_headers, entry.raw_stream.read()
    cut = {path: found["response", origin + path][0].get_header("WARC-Truncated") for path in ANSWERS}
    assert {path: word for path, word in cut.items() if word} == CUT
    _, http, body = found["response", origin + "/chunked"]
    assert (body, http.get_header("X-Crawler-Transfer-Encoding")) == (b"abcde", "chunked")
    assert found["response", origin + "/gzip"][2] == PACKED
    asked, line, _ = found["request", origin + "/plain?b"]
    assert line.protocol == "GET"
    assert line.statusline == "/plain?b HTTP/1.1"
    answered = found["response", origin + "/plain?b"][0].get_header("WARC-Record-ID")
    assert asked.get_header("WARC-Concurrent-To") == answered


def test_what_was_recorded_answers_as_it_did(tmp_path: Path) -> None:
    origin, lived = record(tmp_path)
    source = ArchiveSource(tmp_path)
    for path, outcome in lived.items():
        again = asyncio.run(source.fetch(origin + path))
        assert same(outcome, again), (path, outcome, again)
    plain = asyncio.run(source.fetch(origin + "/plain"))
    assert plain.headers["x-robots-tag"] == "noindex\nnofollow"


def test_an_answer_that_nothing_has_changed_leaves_the_one_before(tmp_path: Path) -> None:
    origin, lived = record(tmp_path, ["/plain"])
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(ANSWERS, "/plain", b"HTTP/1.1 304 Not Modified\r\n\r\n")
        again, then = record(tmp_path, ["/plain"])
    assert then["/plain"].status == 304
    for file in tmp_path.iterdir():  # as of one server
        file.write_bytes(gzip.compress(gzip.decompress(file.read_bytes()).replace(again.encode(), origin.encode())))
    outcome = asyncio.run(ArchiveSource(tmp_path).fetch(origin + "/plain"))
    assert same(outcome, lived["/plain"])


def test_a_full_file_is_followed_by_another_and_none_overwritten(tmp_path: Path) -> None:
    first, _ = record(tmp_path, size=1)
    before = {file: file.read_bytes() for file in tmp_path.iterdir()}
    assert len(before) == len(ANSWERS)
    second, _ = record(tmp_path)
    assert len(list(tmp_path.iterdir())) == len(before) + 1
    assert all(file.read_bytes() == held for file, held in before.items())
    assert sorted(responses(tmp_path)) == sorted(origin + path for origin in (first, second) for path in ANSWERS)


def test_a_file_cut_anywhere_gives_its_whole_records(tmp_path: Path) -> None:
    paths = ("/robots.txt", "/plain", "/gzip")
    origin, lived = record(tmp_path, paths)
    (file,) = tmp_path.iterdir()
    packed = file.read_bytes()
    lengths = [len(member) for member in members(file)]
    for end in range(sum(lengths[:2]), len(packed), 37):
        file.write_bytes(packed[:end])
        whole = [path for rank, path in enumerate(paths) if sum(lengths[: 2 * rank + 2]) <= end]
        source = ArchiveSource(file)
        for path in paths:
            again = asyncio.run(source.fetch(origin + path))
            lacking = path not in whole and again == Failed(origin + path, NOT_IN_ARCHIVE)
            assert lacking or same(again, lived[path]), (end, path)  # all of it, or nothing


def test_a_full_disk_ends_the_crawl_without_half_a_record(tmp_path: Path) -> None:
    room = 4_000

    def write(file: int, data: bytes) -> int:
        nonlocal room
        if room == 0:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        written = os.write(file, data[:room])
        room -= written
        return written

    with pytest.raises(CrawlBroken, match="the disk is full") as caught:
        record(tmp_path, ("/plain",) * 20, write=write)
    assert "same command" in caught.value.cure
    (file,) = tmp_path.iterdir()
    with file.open("rb") as stream:
        kinds = [entry.rec_type for entry in OtherIterator(stream, check_digests="raise")]
    assert len(kinds) > 3
    assert kinds == ["warcinfo", *["response", "request"] * (len(kinds) // 2)]


def test_too_many_open_files_delay_the_next_file_only(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    refused, open_file = [], os.open

    def full(path: str | Path, *how: int) -> int:
        if str(path).endswith(".warc.gz") and len(refused) < 3:
            refused.append(path)
            raise OSError(errno.EMFILE, os.strerror(errno.EMFILE))
        return open_file(path, *how)

    monkeypatch.setattr(warc_recording, "RETRY_SECONDS", 0)
    monkeypatch.setattr(os, "open", full)
    origin, _ = record(tmp_path, ("/plain", "/gzip"), size=100)
    assert (responses(tmp_path), len(refused)) == ([f"{origin}/plain", f"{origin}/gzip"], 3)


def test_a_folder_that_cannot_be_made_is_a_mistake(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(SettingsError, match="--warc"):
        WarcFiles(tmp_path / "file", "ontocrawl/test")


def test_the_request_is_recorded_as_the_server_saw_it(tmp_path: Path) -> None:
    """All of its lines in their order; names in lower case."""
    seen: list[bytes] = []

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        seen.append(await reader.readuntil(b"\r\n\r\n"))
        writer.write(ANSWERS["/plain"])
        writer.close()

    async def ask(source: HttpSource, origin: str) -> None:
        source.record_with(WarcFiles(tmp_path, "ontocrawl/test"))
        for path in ("/a/../b//c%20d?", "?x={|}", "/中"):
            await source.fetch(origin + path, (("If-None-Match", '"é"'),))

    served(serve, ask)
    (file,) = tmp_path.iterdir()
    kept = []
    for entry in ArchiveIterator(file.open("rb"), parse_http=False):
        if entry.headers["WARC-Type"] == "request":
            kept.append(entry.reader.read())
    assert [re.sub(rb"\n[\w-]+:", lambda name: name[0].lower(), head) for head in seen] == kept
    assert len(kept) == 2, "the third is no normalised address"


OTHERS = ["archive/a.warc.gz"], ["archive/a.warc", "indexes/index.cdxj"], []


@pytest.mark.parametrize("content", [*(packed(dict.fromkeys(names, b"kept")) for names in OTHERS), b"mine"])
def test_a_wacz_file_of_another_program_stays(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "a.wacz"
    path.write_bytes(content)
    with pytest.raises(SettingsError, match="another program" if content != b"mine" else r"a\.wacz"):
        WaczFile(path, "ontocrawl/test")
    assert (list(tmp_path.iterdir()), path.read_bytes()) == ([path], content)


def test_a_wacz_file_holds_records_index_and_pages(tmp_path: Path) -> None:
    path = tmp_path / "a.wacz"
    origin, lived = record(path, paths=("/robots.txt", "/plain", "/gone", "/chunked"))
    record(path, paths=("/gzip",))  # a second run adds to it
    assert list(tmp_path.iterdir()) == [path]
    found = {answer.url: answer.body for _, answer in ArchiveSource(path).answers()}
    assert found[origin + "/plain"] == lived["/plain"].body
    assert len(found) == 5
    with zipfile.ZipFile(path) as zipped:
        assert {each.compress_type for each in zipped.infolist()} == {zipfile.ZIP_STORED}
        package = zipped.read("datapackage.json")
        told = json.loads(package)
        assert (told["profile"], told["wacz_version"]) == ("data-package", "1.1.1")
        for each in told["resources"]:
            content = zipped.read(each["path"])
            assert each["hash"] == f"sha256:{hashlib.sha256(content).hexdigest()}"
            assert each["bytes"] == len(content)
        digest = json.loads(zipped.read("datapackage-digest.json"))
        assert digest == {"path": "datapackage.json", "hash": f"sha256:{hashlib.sha256(package).hexdigest()}"}
        head, *pages = map(json.loads, zipped.read("pages/pages.jsonl").splitlines())
        assert head["format"] == "json-pages-1.0"
        assert {page["url"].rpartition("/")[2] for page in pages} == {"plain", "chunked", "gzip"}
        lines = zipped.read("indexes/index.cdxj").decode().splitlines()
        assert lines == sorted(lines)
        for line in lines:
            entry = json.loads(line.split(" ", 2)[2])
            start = int(entry["offset"])
            packed = zipped.read(f"archive/{entry['filename']}")[start : start + int(entry["length"])]
            assert f"WARC-Target-URI: {entry['url']}\r\n".encode() in gzip.decompress(packed)
