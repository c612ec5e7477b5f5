"""Pages that a crawl has kept, as answers: each with what was answered, and no more."""

from crawl_fakes import FakeUnderstanding

from crawler.archive.stored_pages import stored_answers
from crawler.rejudging.record_rejudging import judge_again
from semantic.page import Link
from semantic.parsing.page_reader import pack, read_page
from semantic.reasons import Reason, because
from semantic.records import LinkRecord, StoredPage

HOST = "http://a.example"
BODY = b'<title>T</title><ul class=menu><a href="/b">b</a></ul>'
PAGE = read_page(BODY, f"{HOST}/", {})


def kept(
    path: str, status: str = "fetched", http: int | None = 200, *reasons: str, content=None, links=()
) -> StoredPage:
    return StoredPage(HOST + path, status, http, None, "", None, reasons, content, links)


def test_a_page_is_what_was_read():
    """Of two addresses with one name the first counts."""
    link = LinkRecord(f"{HOST}/", "", "", 0.5, 0)
    again = kept("/index.html", "redirected", 301, links=(link,))
    (held,) = stored_answers([kept("/", content=pack(PAGE, nodes=True)), again])
    assert (held.name, held.url, held.status) == ("a.example/", f"{HOST}/", 200)
    assert (held.page, held.linked) == (PAGE, ["a.example/b"])


def test_a_page_not_to_be_indexed_has_only_links():
    link = LinkRecord(f"{HOST}/b", "tea", "green tea here", 0.5, 3)
    (held,) = stored_answers([kept("/", links=(link,))])
    assert held.page is not None
    assert (held.page.text, held.page.noindex) == ("", True)
    assert held.page.links == (Link(f"{HOST}/b", "tea", "", 0, 0, "green ", " here", "", frozenset(), 3),)


def test_a_feed_is_a_feed_again_and_no_page():
    feed = read_page(
        b"<rss version='2.0'><channel><item><title>T</title><link>/b</link></item></channel></rss>", f"{HOST}/f", {}
    )
    (held,) = stored_answers([kept("/f", "fetched", 200, Reason("feed"), content=pack(feed, nodes=True))])
    assert held.page == feed
    assert held.page.source == "feed"


def test_a_redirect_says_where_and_a_failure_how():
    link = LinkRecord(f"{HOST}/b", "", "", 0.5, 0)
    moved, missing, picture, broken = stored_answers(
        [
            kept("/a", "redirected", 301, links=(link,)),
            kept("/c", "failed", 404, because("http", status=404)),
            kept("/d", "failed", 200, because("not HTML", "image/png")),
            kept("/e", "failed", 200, because("no page", Reason("only pictures?"))),
        ]
    )
    assert (moved.status, moved.headers) == (301, {"location": f"{HOST}/b"})
    assert (missing.status, missing.headers) == (404, {})
    assert (picture.status, picture.headers) == (200, {"content-type": "image/png"})
    assert (broken.status, broken.page, broken.problem) == (200, None, Reason("only pictures?"))


def test_a_copy_leads_to_the_page_that_it_copies():
    (held,) = stored_answers([kept("/index.php")._replace(copy_of=f"{HOST}/")])
    assert (held.status, held.headers, held.page) == (301, {"location": f"{HOST}/"}, None)


def test_what_was_never_answered_is_not_there():
    assert not list(stored_answers([kept("/a", "refused", None, "robots.txt"), kept("/b", "failed", None, "timeout")]))


def test_the_record_tells_of_requests_in_vain():
    understanding = FakeUnderstanding()
    pages = [kept("/no", "failed", 404, because("http", status=404)), kept("/copy"), kept("/noindex")._replace(order=7)]
    assert list(judge_again([*pages, kept("/shut", "refused", None)], understanding)) == []
    assert understanding.missed == [f"{HOST}/no", f"{HOST}/copy"]
    assert {url for url, _ in understanding.forgotten} == {
        f"{HOST}/{path}" for path in ("no", "copy", "noindex", "shut")
    }
