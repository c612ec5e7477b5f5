"""`ontocrawl crawls merge`: two crawls of the small web, from two seeds, become one that goes on."""

import contextlib
import json
from pathlib import Path

import pytest
from test_end_to_end import HOST, ONTOLOGY, PAGES, ontocrawl, warc

from graphdb.stores import open_store

pytestmark = pytest.mark.slow

WEB = PAGES | {
    "/teas": ("Teas", '<p>Green tea, black tea, tea.</p><a href="/black">black tea</a> <a href="/white">white tea</a>'),
    "/white": ("White tea", "<p>White tea is tea of buds; it is neither green tea nor black tea.</p>"),
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    """Three pages from `/` in `one`, two from `/teas` in `two`."""
    made = tmp_path_factory.mktemp("merge")
    (made / "tea.ttl").write_text(ONTOLOGY, encoding="utf-8")
    (made / "web.warc").write_bytes(warc(WEB))
    for store, seed, most in (("one", "/", "2"), ("two", "/teas", "2")):
        done = crawl(made, store, seed, most)
        assert done.returncode == 0, done.stderr
    assert ontocrawl(made, "mark", "--store", "two", f"{HOST}/black", "good").returncode == 0
    assert ontocrawl(made, "search", "--store", "one", "tea").returncode == 0
    return made


def crawl(folder: Path, store: str, seed: str, most: str):
    given = f"--ontology tea.ttl --seeds {HOST}{seed} --archive web.warc --delay 0 --connections 1 --store {store}"
    return ontocrawl(folder, "crawl", *given.split(), "--max-pages", most)


def status(folder: Path, store: str) -> dict:
    return json.loads(ontocrawl(folder, "status", "--store", store, "--json").stdout)


def test_a_merged_crawl_is_told_and_goes_on(folder):
    before = [status(folder, store) for store in ("one", "two")]
    done = ontocrawl(folder, "crawls", "merge", "./two", "--into", "./one")
    assert done.returncode == 0, done.stderr
    told = status(folder, "one")
    assert told["pages"] == 4
    assert told["requests"] == sum(crawl["requests"] for crawl in before)
    assert status(folder, "two") == before[1]
    assert ontocrawl(folder, "explain", "--store", "one", f"{HOST}/black").returncode == 0
    assert "Black tea" in ontocrawl(folder, "search", "--store", "one", "oxidised").stdout
    assert ontocrawl(folder, "report", "--store", "one").returncode == 0
    assert crawl(folder, "one", "/", "100").returncode == 0
    assert status(folder, "one")["pages"] == len(WEB)
    with contextlib.closing(open_store(str(folder / "one"), create=False)) as store:
        rows = list(store.read('SELECT url, "order" AS rank, verdict FROM pages WHERE "order" IS NOT NULL'))
    assert sorted(row["rank"] for row in rows) == list(range(1, len(WEB) + 1))
    assert [row["url"] for row in rows if row["verdict"] == "good"] == [f"{HOST}/black"]
    assert {row["url"] for row in rows} == {HOST + path for path in WEB}


def test_an_unknown_crawl_is_a_mistake(folder):
    assert ontocrawl(folder, "crawls", "merge", "nobody", "--into", "./one").returncode == 2
    assert ontocrawl(folder, "crawls", "merge", "./one", "--into", "./one").returncode == 2
