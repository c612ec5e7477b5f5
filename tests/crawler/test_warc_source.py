"""A WARC written here, read back as a source."""

import asyncio
import gzip
import lzma
import os
import re
import resource
from pathlib import Path

import pytest
from warc_records import response_record

from crawler.archive.warc_source import LARGEST, ArchiveSource
from crawler.ports import NOT_IN_ARCHIVE, Failed, Fetched
from ontology.errors import SettingsError


def record(url: str, status: str, body: bytes = b"", **headers: str) -> bytes:
    head = "".join(f"{name.replace('_', '-')}: {value}\r\n" for name, value in headers.items())
    answer = f"HTTP/1.1 {status}\r\n{head}\r\n".encode() + body
    return response_record(url, answer)


RECORDS = [
    record("http://a.org/", "301 Moved", Location="https://a.org/"),
    record("https://a.org/", "200 OK", b"home", Content_Type="text/html; charset=utf-8", X_Robots_Tag="noindex"),
    record("https://a.org/", "200 OK", b"second record"),
    record("https://a.org/%E4%B8%AD?q=%41", "200 OK", gzip.compress("中".encode()), Content_Encoding="gzip"),
    record("http://a.org/d/index.html", "200 OK", b"folded"),
    record("http://a.org/gone", "410 Gone", Retry_After="7200", Content_Type="text/plain"),
    record("http://a.org:8080/", "200 OK", b"port"),
]
PACK = {
    "": b"".join,
    ".gz": lambda records: b"".join(map(gzip.compress, records)),
    ".xz": lambda records: lzma.compress(b"".join(records)),
}


def ask(source: ArchiveSource, url: str) -> Fetched:
    outcome = asyncio.run(source.fetch(url))
    assert isinstance(outcome, Fetched)
    return outcome


def lacks(source: ArchiveSource, url: str) -> bool:
    return asyncio.run(source.fetch(url)) == Failed(url, NOT_IN_ARCHIVE)


@pytest.mark.parametrize("ending", PACK)
def test_pages_are_found_by_identity(tmp_path: Path, ending: str) -> None:
    path = tmp_path / f"web.warc{ending}"
    path.write_bytes(PACK[ending](RECORDS))
    source = ArchiveSource(path)
    home = ask(source, "https://a.org/")
    assert (home.status, home.body, home.headers["x-robots-tag"]) == (200, b"home", "noindex")
    assert ask(source, "https://a.org/%E4%B8%AD?q=A").body == "中".encode()
    assert ask(source, "http://a.org/d/index.html").body == b"folded"
    assert ask(source, "http://a.org:8080/").body == b"port"
    gone = ask(source, "http://a.org/gone")  # nobody waits for what was asked of who recorded it
    assert (gone.status, dict(gone.headers)) == (410, {"content-type": "text/plain"})
    for missing in ("http://a.org/d", "http://b.org/", "https://a.org/%E4%B8%AD"):
        assert lacks(source, missing)
    assert asyncio.run(source.fetch("http://a.org/robots.txt", robots=True)).status == 404


def test_another_spelling_is_led_to_the_recorded_one(tmp_path: Path) -> None:
    path = tmp_path / "web"
    path.write_bytes(b"".join(RECORDS))
    source = ArchiveSource(path)
    for spelling, recorded in (("http://a.org/", "https://a.org/"), ("http://a.org/d/", "http://a.org/d/index.html")):
        answer = ask(source, spelling)
        assert (answer.status, answer.headers["location"]) == (301, recorded)


def test_damage_costs_the_records_there_and_is_told(tmp_path: Path) -> None:
    path = tmp_path / "web.warc.gz"
    packed = [bytearray(gzip.compress(one)) for one in RECORDS]
    packed[3][60] ^= 0xFF
    path.write_bytes(b"".join(packed))
    source = ArchiveSource(path)
    assert ask(source, "https://a.org/").body == b"home"
    assert lacks(source, "https://a.org/%E4%B8%AD?q=A")
    assert ask(source, "http://a.org:8080/").body == b"port"
    (remark,) = source.remarks
    assert re.match(rf"{re.escape(str(path))}: .*\b1 places", remark)


def test_an_unreadable_file_of_a_folder_is_told_others_count(tmp_path: Path) -> None:
    (tmp_path / "a.warc.xz").write_bytes(PACK[".xz"](RECORDS)[:-20])
    (tmp_path / "b.warc").write_bytes(b"".join(RECORDS))
    source = ArchiveSource(tmp_path)
    assert ask(source, "http://a.org:8080/").body == b"port"
    assert [remark.partition(":")[0] for remark in source.remarks] == [str(tmp_path / "a.warc.xz")]


def test_what_was_recorded_with_tracking_parameters_alone_is_found_without(tmp_path: Path) -> None:
    path = tmp_path / "web.warc"
    path.write_bytes(record("http://a.org/green?utm_source=rss", "200 OK", b"green"))
    source = ArchiveSource(path)
    assert ask(source, "http://a.org/green").body == b"green"
    assert source.spelled == {"a.org/green": "http://a.org/green?utm_source=rss"}
    path.write_bytes(record("http://a.org/gr%65en", "404 Not Found") + record("http://a.org/green", "200 OK", b"green"))
    assert ArchiveSource(path).spelled == {}


def test_what_is_too_large_for_a_page_stays_on_disk(tmp_path: Path) -> None:
    path = tmp_path / "web.warc"
    film = record("http://a.org/film", "200 OK", b"", Content_Type="video/mp4")
    length = int(re.search(rb"\nContent-Length: (\d+)", film)[1])
    head, _, answer = film.replace(
        b"Content-Length: %d" % length, b"Content-Length: %d" % (length + 300_000_000)
    ).partition(b"\r\n\r\n")
    with path.open("wb") as file:
        file.write(head + b"\r\n\r\n" + answer.removesuffix(b"\r\n\r\n"))
        file.seek(300_000_000, os.SEEK_CUR)  # a hole: zeros without room on the disk
        file.write(b"\r\n\r\n" + b"".join(RECORDS))
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    source = ArchiveSource(path)
    assert ask(source, "https://a.org/").body == b"home"
    assert lacks(source, "http://a.org/film")
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 100_000  # KB


def test_a_bomb_that_another_crawler_kept_is_opened_a_little(tmp_path: Path) -> None:
    path = tmp_path / "web.warc"
    path.write_bytes(record("http://a.org/", "200 OK", gzip.compress(bytes(5 * LARGEST)), Content_Encoding="gzip"))
    assert len(ask(ArchiveSource(path), "http://a.org/").body) == LARGEST < 20_000_000


@pytest.mark.parametrize("content", [None, b"", b"no archive at all", b"\xfd7zXZ\x00broken"])
def test_what_is_no_archive_is_a_user_s_mistake(tmp_path: Path, content: bytes | None) -> None:
    path = tmp_path / "web.warc"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(SettingsError, match=r"web\.warc"):
        ArchiveSource(path)
