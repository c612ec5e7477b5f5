"""A recorded web from its cache: what the archive answers, without reading it again."""

import asyncio
import gzip
import os
import re
from datetime import UTC, datetime

import pytest
from warc_records import response_record

from crawler.archive.warc_format import pack_info
from crawler.archive.warc_source import OURS, ArchiveSource
from crawler.simulation.recorded_web import RecordedWeb, recorded_archive, remarks_in, spelled_in
from ontology.errors import SettingsError
from semantic.parsing.page_reader import read_page
from semantic.reasons import PageError

HOST = "http://a.example"
BODY = '<title>T</title><h1>Tea</h1><p>green <a rel="nofollow me" href="/b" title="to b">b</a></p><a href="/old">o</a>'
RECORDS = (
    ("/", 200, "Content-Type: text/html; charset=utf-8", BODY),
    ("/b", 200, "Content-Type: text/html", "<p>b</p>"),
    ("/old", 301, "Location: /b", ""),
    ("/picture", 200, "Content-Type: image/png", "PNG"),
)


def warc(records=RECORDS) -> bytes:
    parts = []
    for path, status, header, body in records:
        answer = f"HTTP/1.1 {status} X\r\n{header}\r\nContent-Length: {len(body.encode())}\r\n\r\n{body}".encode()
        parts.append(response_record(HOST + path, answer))
    return b"".join(parts)


def recorded(path, tmp_path) -> RecordedWeb:
    return RecordedWeb(recorded_archive(path, tmp_path / "cache", silent))


@pytest.fixture
def archive(tmp_path):
    path = tmp_path / "web.warc"
    path.write_bytes(warc())
    return path


@pytest.fixture
def web(archive, tmp_path):
    made = recorded(archive, tmp_path)
    yield made
    made.close()


def silent(text: str) -> None:
    pass


def test_pages_are_those_that_read_page_makes(web):
    made = read_page(BODY.encode(), f"{HOST}/", {"content-type": "text/html; charset=utf-8"})
    assert made.links
    assert made.spans
    assert web.read(b"", f"{HOST}/", {}) == made
    with pytest.raises(PageError, match="not HTML"):
        web.read(b"", f"{HOST}/picture", {})


def test_answers_are_those_of_the_archive_but_for_bodies(archive, web):
    urls = [HOST + path for path in ("/", "/index.html", "/old", "/picture", "/robots.txt")]
    source = ArchiveSource(archive)
    theirs = [asyncio.run(source.fetch(url)) for url in urls]
    ours = [web.answer(url) for url in urls]
    assert [(a.url, a.status, dict(a.headers)) for a in ours] == [(a.url, a.status, dict(a.headers)) for a in theirs]


def test_links_follow_redirects(web):
    assert web.links["a.example/"] == ["a.example/b"]
    assert web.page_name(f"{HOST}/old") == "a.example/b"
    assert web.address("a.example/b") == f"{HOST}/b"


def test_two_spellings_of_one_normalised_address_are_two_records(tmp_path):
    path = tmp_path / "web.warc"
    html = "Content-Type: text/html"
    path.write_bytes(warc((("/?utm_source=x", 200, html, "<p>tracked</p>"), ("/", 200, html, "<p>plain</p>"))))
    web = recorded(path, tmp_path)
    assert web.read(b"", f"{HOST}/", {}).text == "plain"
    assert set(web.links) == {"a.example/", "a.example/?utm_source=x"}
    web.close()


def test_a_web_is_read_once_and_again_when_changed(archive, tmp_path):
    told: list[str] = []
    for _ in range(2):
        RecordedWeb(recorded_archive(archive, tmp_path / "cache", told.append)).close()
    assert len(told) == 1
    archive.write_bytes(warc(RECORDS[:2]))
    os.utime(archive, ns=(1, 1))
    web = RecordedWeb(recorded_archive(archive, tmp_path / "cache", told.append))
    assert len(told) == 2
    assert web.answer(f"{HOST}/old").status == 404
    web.close()


@pytest.mark.parametrize(
    "damage", [lambda whole: b"", lambda whole: b"garbage", lambda whole: whole[: len(whole) // 2]]
)
def test_a_cache_that_is_damaged_is_made_again(archive, tmp_path, damage):
    file = recorded_archive(archive, tmp_path / "cache", silent)
    file.write_bytes(damage(file.read_bytes()))
    web = recorded(archive, tmp_path)
    assert web.links["a.example/"] == ["a.example/b"]
    web.close()


def test_what_is_told_of_an_archive_stays_with_the_cache(tmp_path):
    path = tmp_path / "web.warc"
    path.write_bytes(warc((("/gr%65en", 200, "Content-Type: text/html", "<p>green</p>"), RECORDS[1]))[:-9])
    for _ in range(2):
        file = recorded_archive(path, tmp_path / "cache", silent)
        assert spelled_in(file) == {"a.example/green": f"{HOST}/gr%65en"}
        (remark,) = remarks_in(file)
        assert re.match(rf"{re.escape(str(path))}: .*\b1 places\b", remark)


def test_a_folder_is_read_again_when_a_file_has_changed(archive, tmp_path):
    folder = tmp_path / "files"
    folder.mkdir()
    (folder / "a.warc").write_bytes(archive.read_bytes())
    recorded(folder, tmp_path).close()
    about = folder.stat()
    (folder / "a.warc").write_bytes(warc(RECORDS[:2]))
    assert folder.stat().st_mtime_ns == about.st_mtime_ns
    web = recorded(folder, tmp_path)
    assert web.answer(f"{HOST}/old").status == 404
    web.close()


def test_of_a_crawl_s_own_warc_the_last_answer_counts(tmp_path):
    """A page was asked for again by --recrawl, and has changed."""
    info, _ = pack_info("web.warc", datetime(2026, 1, 1, tzinfo=UTC), f"{OURS}1")
    answers = [("/", 200, "Content-Type: text/html", f"<p>{text}</p>") for text in ("before", "after")]
    path = tmp_path / "web.warc"
    path.write_bytes(gzip.decompress(info) + warc(answers))
    web = recorded(path, tmp_path)
    assert web.read(b"", f"{HOST}/", {}).text == "after"
    web.close()


def test_an_unwritable_cache_is_not_the_archive_s_fault(archive, tmp_path):
    (tmp_path / "cache").write_text("")
    with pytest.raises(SettingsError, match=r"the cache in .* cannot be written: it exists already") as caught:
        recorded_archive(archive, tmp_path / "cache", silent)
    assert "--out" in caught.value.cure


def test_what_cannot_be_read_is_a_users_mistake(tmp_path):
    with pytest.raises(SettingsError, match="there is no such file"):
        RecordedWeb(recorded_archive(tmp_path / "none.warc", tmp_path / "cache", silent))
    (tmp_path / "text.warc").write_text("nothing")
    with pytest.raises(SettingsError, match="not a WARC file"):
        RecordedWeb(recorded_archive(tmp_path / "text.warc", tmp_path / "cache", silent))
    assert not list((tmp_path / "cache").glob("*.pages"))


def test_a_reading_that_breaks_off_leaves_nothing(archive, tmp_path, monkeypatch):
    def interrupted(*given):
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr("crawler.simulation.recorded_web.read_page", interrupted)
        with pytest.raises(KeyboardInterrupt):
            recorded(archive, tmp_path)
    assert not list((tmp_path / "cache").iterdir())
