"""`ontocrawl try`: one page of the small web, from an archive, before a crawl and by what one has learned."""

import json

import pytest
from records_at_hand import CONCEPTS, CRAWL, SEED, fetched, link, page_url, queued, shown
from store_snapshots import snapshot
from test_end_to_end import HOST, ONTOLOGY, PAGES, crawl, ontocrawl, warc
from warc_records import response_record

from cli.explaining.trying import OnePage
from graphdb.stores import open_store
from semantic.records import Batch, JudgedRecord

pytestmark = pytest.mark.slow
GIVEN = ["--archive", "web.warc", "--delay", "0"]

ITEMS = "".join(f"<item><title>x</title><link>{HOST}/{name}</link></item>" for name in ("", "green", "black", "none"))
FEED = f"<rss version='2.0'><channel>{ITEMS}</channel></rss>"
ODD = {
    path: f"HTTP/1.1 200 OK\r\nContent-Type: {kind}\r\n\r\n{body}".encode()
    for path, kind, body in (
        ("/picture", "image/png", "\x89PNG"),
        (
            "/feed",
            "application/rss+xml",
            FEED,
        ),
        ("/map", "text/xml", f"<urlset><url><loc>{HOST}/1</loc></url></urlset>"),
        ("/about", "text/html", "<title>About</title><p>wheels and wheels"),
        ("/script", "text/html", "<title>App</title><div id=root></div><script>run()</script>"),
    )
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    made = tmp_path_factory.mktemp("trying")
    (made / "tea.ttl").write_text(ONTOLOGY, encoding="utf-8")
    (made / "seeds.txt").write_text(f"{HOST}/\n", encoding="utf-8")
    robots = b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\nUser-agent: *\nDisallow: /cars\n"
    moved = b"HTTP/1.1 301 Moved\r\nLocation: /green\r\nContent-Length: 0\r\n\r\n"
    others = response_record(f"{HOST}/robots.txt", robots) + response_record(f"{HOST}/old", moved)
    others += b"".join(response_record(f"{HOST}{path}", answer) for path, answer in ODD.items())
    (made / "web.warc").write_bytes(warc(PAGES) + others)
    return made


def tried(folder, url, *words):
    done = ontocrawl(folder, "try", url, *words, *GIVEN, "--json")
    return done, json.loads(done.stdout)


def test_a_page_is_judged_and_its_links_are_ordered(folder):
    before = sorted(folder.iterdir())
    done, told = tried(folder, f"{HOST}/", "--ontology", "tea.ttl")
    assert (done.returncode, told["status"], told["title"], told["on_topic"]) == (0, "fetched", "Start", False)
    assert [link["url"] for link in told["links"]] == [f"{HOST}/green", f"{HOST}/cars"]
    assert told["links"][0]["reasons"]
    assert sorted(folder.iterdir()) == before


def test_people_read_why_and_in_which_order(folder):
    told = ontocrawl(folder, "try", f"{HOST}/green", "--ontology", "tea.ttl", "--links", "1", *GIVEN).stdout
    assert "on topic" in told
    assert "mentions green tea ×" in told
    assert f"{HOST}/black" in told


def test_a_redirect_is_followed_and_told(folder):
    _, told = tried(folder, f"{HOST}/old", "--ontology", "tea.ttl")
    assert (told["asked"], told["url"], told["on_topic"]) == (f"{HOST}/old", f"{HOST}/green", True)


def test_a_feed_is_one_request_and_tells_its_links(folder):
    """It is no page that counts, but no other one is asked for in its place."""
    _, told = tried(folder, f"{HOST}/feed", "--ontology", "tea.ttl")
    assert (told["status"], told["relevance"], told["errors"]) == ("fetched", None, {})
    assert {link["url"] for link in told["links"]} == {f"{HOST}/{name}" for name in ("", "green", "black", "none")}
    shown = ontocrawl(folder, "try", f"{HOST}/feed", "--ontology", "tea.ttl", *GIVEN).stdout
    assert f"{HOST}/green" in shown
    assert "  try: " not in shown


def test_the_next_step_is_a_crawl_with_the_same_options(folder):
    told = ontocrawl(folder, "try", f"{HOST}/green", "--ontology", "tea.ttl", "--stay-on-host", *GIVEN).stdout
    *_, crawl_again, show_words = told.splitlines()
    words = "--ontology tea.ttl --stay-on-host --archive web.warc --delay 0"
    assert crawl_again == f"  ontocrawl crawl {words} --seeds {HOST}/green --max-pages 100"
    assert show_words == "  ontocrawl ontology show tea.ttl"


@pytest.mark.parametrize(
    ("path", "why", "cure"),
    [
        ("/none", "not in the archive", "another page"),
        ("/cars", "robots.txt", "another page"),
        ("/picture", "not HTML: image/png", "an HTML page or a document"),
        ("/map", "a sitemap, which only leads to pages", "the address of a page to which it leads"),
    ],
)
def test_nothing_to_judge_says_why_and_what_to_do(folder, path, why, cure):
    lines = ontocrawl(folder, "try", f"{HOST}{path}", "--ontology", "tea.ttl", *GIVEN).stdout.splitlines()
    place = lines.index(f"  {why}")
    assert lines[place + 1].startswith(f"  try: {cure}")


@pytest.mark.parametrize(
    ("path", "hint"),
    [("/about", "The most frequent words of the pages: wheels"), ("/script", "JavaScript")],
)
def test_a_page_without_words_of_the_ontology_says_so(folder, path, hint):
    told = ontocrawl(folder, "try", f"{HOST}{path}", "--ontology", "tea.ttl", *GIVEN).stdout
    assert "No word of the ontology stands on this page." in told
    assert hint in told


def test_robots_txt_is_obeyed(folder):
    done, told = tried(folder, f"{HOST}/cars", "--ontology", "tea.ttl")
    assert (done.returncode, told["status"], told["reasons"], told["links"]) == (1, "refused", ["robots.txt"], [])


def test_a_page_that_is_not_there_is_none(folder):
    done, told = tried(folder, f"{HOST}/none", "--ontology", "tea.ttl")
    assert (done.returncode, told["status"], told["http_status"]) == (1, "failed", None)


def test_the_scope_of_a_crawl_holds(folder):
    _, told = tried(folder, f"{HOST}/", "--ontology", "tea.ttl", "--exclude", "/c*")
    assert ([link["url"] for link in told["links"]], told["out_of_scope"]) == (
        [f"{HOST}/green"],
        {"--exclude /c*": 1},
    )


def test_a_store_s_crawl_judges_by_what_it_has_learned(folder):
    kept = open_store(str(folder / "ontocrawl-store"))
    assert crawl(folder, "--max-pages", "2", "--threshold", "0.4").returncode == 0
    before = snapshot(kept)
    _, told = tried(folder, f"{HOST}/", "--store", "ontocrawl-store")
    known = {link["url"]: link["known"] for link in told["links"]}
    assert known == {f"{HOST}/green": "fetched, on topic", f"{HOST}/cars": "waiting"}
    assert [link["priority"] is None for link in told["links"]] == [False, True]  # what was fetched comes last
    shown = ontocrawl(folder, "try", f"{HOST}/", "--store", "ontocrawl-store", *GIVEN).stdout
    (last,) = (line for line in shown.splitlines() if line.startswith(f"   2    -    {HOST}/green"))  # cut to fit
    assert last.endswith("(fetched, on topic)")
    assert snapshot(kept) == before
    (folder / "other.ttl").write_text(ONTOLOGY.replace("1.0", "0.5"), encoding="utf-8")
    other = ontocrawl(folder, "try", f"{HOST}/", "--store", "ontocrawl-store", "--ontology", "other.ttl", *GIVEN)
    assert (other.returncode, "judged by another ontology" in other.stderr) == (2, True)


def test_a_page_s_relevance_has_other_reasons_than_its_link():
    store = OnePage()
    store.open_crawl(CRAWL, CONCEPTS, [SEED])
    store.save(Batch(pages=(fetched(0, links=(link(1, 0.5),), new=(queued(1, 0.5),)),)))
    store.save(Batch(judged=tuple(JudgedRecord(page_url(n), 0.9, True, reasons=shown("ice ×9")) for n in (0, 1))))
    assert [str(*record.reasons) for record in store.queued()] == ["other evidence"]
    assert snapshot(store)["pages"][page_url(0)]["reasons"] == ["anchor: ice ×9"]
