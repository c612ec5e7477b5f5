"""What every store must do: the same tests over the record, the embedded store and a real Neo4j server."""

import gc
import random
from collections.abc import Iterable
from dataclasses import replace
from typing import Any

import pytest
from records_at_hand import CONCEPTS, CRAWL, SEED, fetched, link, page_url, queued, random_batches, shown
from store_snapshots import snapshot

from graphdb.record.sqlite_store import open_record
from ontology.errors import StoreError
from semantic.reasons import Reason, because
from semantic.records import (
    AskedRecord,
    Batch,
    ConceptRecord,
    CopyRecord,
    Counters,
    FingerprintRecord,
    HostRecord,
    JudgedRecord,
    LinkRecord,
    MentionedRecord,
    MentionRecord,
    OutsideRecord,
    PageRecord,
    QueuedRecord,
    RevisedRecord,
    SiteRecord,
    Standing,
    StoredPage,
    TrapRecord,
    VisitRecord,
    WantedRecord,
)

HOSTILE = "😀 \x00 \x01 \u202e \" ' ` \\ ${x} $x {y: 1} //-- */ ); MATCH (n) DETACH DELETE n; 冰晶 \r\n\t\u2029"


def in_words(records: Iterable[Any]) -> list[Any]:
    """Records with their reasons as sentences, which is all that a graph has of them."""
    return [record._replace(reasons=tuple(map(str, record.reasons))) for record in records]


def test_a_new_crawl_has_its_seeds_and_nothing_else(kept):
    resumed = kept.store.open_crawl(CRAWL, CONCEPTS, [SEED])
    assert (resumed.previous, resumed.memory, resumed.changed) == (None, b"", ())
    assert in_words(kept.again().queued()) == in_words([SEED])
    assert list(kept.again().known()) == []
    assert snapshot(kept.store)["narrower"] == {("urn:ice", "urn:snow"): {}}
    assert snapshot(kept.store)["seeds"] == {("urn:topic", SEED.url): {}}


def test_everything_of_a_batch_comes_back(kept):
    kept.store.open_crawl(CRAWL, CONCEPTS, [SEED])
    kept.store.save(
        Batch(
            pages=(
                PageRecord(
                    url=SEED.url,
                    status="fetched",
                    depth=0,
                    priority=10,
                    http_status=200,
                    fetched_at="2026-11-22T01:02:03.004+00:00",
                    order=1,
                    title="Ice",
                    language="en",
                    canonical="http://one.example/ice",
                    fingerprint="00000000000000ff",
                    relevance=0.75,
                    on_topic=True,
                    reasons=(Reason("anchor", 0.75, ("title",)),),
                    content=bytes(range(256)),
                    links=(LinkRecord(page_url(1), "snow", "all about snow here", 0.5, 7, shown("snow")),),
                    mentions=(MentionRecord("urn:ice", 5, 0.75, {"title": 1, "other": 4}),),
                    queued=(queued(1, 0.5),),
                ),
            ),
            sites=(SiteRecord("one.example", 1.5, "User-agent: *\nDisallow: /x"),),
        )
    )
    assert snapshot(kept.again()) == {
        "pages": {
            SEED.url: {
                "url": SEED.url,
                "host": "one.example",
                "status": "fetched",
                "depth": 0,
                "priority": 10.0,
                "http_status": 200,
                "fetched_at": "2026-11-22T01:02:03.004+00:00",
                "ended_after": 0.0,
                "order": 1,
                "title": "Ice",
                "language": "en",
                "canonical": "http://one.example/ice",
                "fingerprint": "00000000000000ff",
                "relevance": 0.75,
                "on_topic": True,
                "leads": True,
                "on_path": True,
                "reasons": ["+0.750 anchor: title"],
                "shares": '{"anchor": 0.75}',
                "chosen": ["a seed"],
                "content": "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8gISIjJCUmJygpKissLS4vMDEyMzQ1Njc4OTo7PD0+P0BB"
                "QkNERUZHSElKS0xNTk9QUVJTVFVWV1hZWltcXV5fYGFiY2RlZmdoaWprbG1ub3BxcnN0dXZ3eHl6e3x9fn+AgYKDhIWGh4iJ"
                "iouMjY6PkJGSk5SVlpeYmZqbnJ2en6ChoqOkpaanqKmqq6ytrq+wsbKztLW2t7i5uru8vb6/wMHCw8TFxsfIycrLzM3Oz9DR"
                "0tPU1dbX2Nna29zd3t/g4eLj5OXm5+jp6uvs7e7v8PHy8/T19vf4+fr7/P3+/w==",
            },
            page_url(1): {
                "url": page_url(1),
                "host": "one.example",
                "status": "queued",
                "depth": 1,
                "priority": 0.5,
                "redirects": 0,
                "found": 0,
                "reasons": ["other evidence"],
            },
        },
        "sites": {"one.example": {"host": "one.example", "delay": 1.5, "robots": "User-agent: *\nDisallow: /x"}},
        "concepts": {
            "urn:ice": {"iri": "urn:ice", "label": "ice", "names": ["ice", "冰"], "weight": 1.0},
            "urn:snow": {"iri": "urn:snow", "label": "snow", "names": ["snow"], "weight": 0.5, "layer": 1},
        },
        "links": {
            (SEED.url, page_url(1)): {
                "anchor": "snow",
                "context": "all about snow here",
                "priority": 0.5,
                "position": 7,
                "reasons": ["anchor: snow"],
            }
        },
        "mentions": {
            (SEED.url, "urn:ice"): {"count": 5, "weight": 0.75, "where": '{"title": 1, "other": 4}'},
        },
        "parents": {(page_url(1), SEED.url): {}},
        "copies": {},
        "narrower": {("urn:ice", "urn:snow"): {}},
        "on_site": {(SEED.url, "one.example"): {}, (page_url(1), "one.example"): {}},
        "seeds": {("urn:topic", SEED.url): {}},
        "traps": [],
    }


def test_shares_are_kept_as_data_and_follow_the_last_reasons(kept):
    tea = because("concept", share=0.25, concept="urn:tea: green", name="green tea")
    why = (tea, Reason("anchor", 0.123456, ("tea",)), Reason("a seed"))
    new = queued(1, 0.3)._replace(reasons=why)
    kept.store.open_crawl(CRAWL, CONCEPTS, [SEED])
    page = replace(fetched(0, links=(link(1, 0.3),), new=(new,)), reasons=why)
    kept.store.save(Batch(pages=(page,)))
    told = '{"urn:tea: green": 0.25, "anchor": 0.1235}'
    pages = snapshot(kept.again())["pages"]
    assert [pages[page_url(number)]["shares"] for number in (0, 1)] == [told, told]
    texts = ["+0.250 green tea", "+0.123 anchor: tea", "a seed"]
    assert [pages[page_url(number)]["reasons"] for number in (0, 1)] == [texts, texts]
    kept.store.save(Batch(revised=(RevisedRecord(page_url(1), 0.2, (Reason("other evidence"),)),)))
    assert "shares" not in snapshot(kept.again())["pages"][page_url(1)]


def test_a_page_s_kind_is_kept_and_follows_new_judgements(kept):
    kept.store.open_crawl(CRAWL, CONCEPTS, [SEED])
    pages = [replace(fetched(number, new=()), kind="listing") for number in range(3)]
    kept.store.save(Batch(pages=tuple(pages)))
    said = JudgedRecord(page_url(0), 0.2, False, (), kind="article"), JudgedRecord(page_url(1), 0.2, False, ())
    kept.store.save(Batch(judged=said, copies=(CopyRecord(page_url(2), page_url(0)),)))
    found = snapshot(kept.again())["pages"]
    assert [found[page_url(number)].get("kind") for number in range(3)] == ["article", "listing", None]


def test_concepts_are_called_anew_and_pages_are_counted_by_language(kept):
    assert dict(kept.store.languages()) == {}
    kept.store.open_crawl(CRAWL, CONCEPTS, [SEED])
    kept.store.save(
        Batch(pages=(replace(fetched(0), language="zh-cn"), fetched(1), replace(fetched(2), language="zh-cn")))
    )
    assert dict(kept.again().languages()) == {"zh-cn": 2}
    ice, snow = CONCEPTS
    kept.store.keep_concepts([replace(ice, label="冰", label_zh="冰", label_en="ice"), snow])
    held = snapshot(kept.again())
    assert {name: held["concepts"]["urn:ice"][name] for name in ("label", "label_zh", "label_en")} == {
        "label": "冰",
        "label_zh": "冰",
        "label_en": "ice",
    }
    assert held["narrower"] == {("urn:ice", "urn:snow"): {}}


def test_hosts_that_want_to_be_left_alone(kept):
    kept.store.open_crawl(CRAWL, CONCEPTS, [SEED])
    late, early = "2026-11-22T05:00:00.000+00:00", "2026-11-22T01:00:00.000+00:00"
    site = SiteRecord("one.example", 1.5, "User-agent: *")
    kept.store.save(Batch(pages=(fetched(0),), away=(("one.example", early), ("two.example", early))))
    kept.store.save(Batch(sites=(site,), away=(("one.example", late), ("three.example", late))))
    kept.store.save(Batch(sites=(site,)))
    again = kept.again()
    assert sorted(again.away("2026-11-22T01:00:00.000+00:00")) == [("one.example", late), ("three.example", late)]
    assert list(again.away(late)) == []
    held = snapshot(again)["sites"]["one.example"]
    assert held == {"host": "one.example", "delay": 1.5, "robots": "User-agent: *", "away": late}


def test_hostile_text_survives(kept):
    kept.store.open_crawl(CRAWL, [ConceptRecord(iri="urn:" + HOSTILE, label=HOSTILE)], [SEED])
    long = "http://one.example/" + HOSTILE + "x" * (1900 - len(HOSTILE))
    page = replace(
        fetched(0, links=(LinkRecord(long, HOSTILE, HOSTILE, None, 0, shown(HOSTILE)),)),
        title=HOSTILE,
        reasons=shown(HOSTILE),
        mentions=(MentionRecord("urn:" + HOSTILE, 1, 0.5, {HOSTILE: 1}),),
    )
    kept.store.save(Batch(pages=(page,), sites=(SiteRecord("one.example", 0.0, HOSTILE * 1000),)))
    held = snapshot(kept.again())
    assert held["pages"][SEED.url]["title"] == HOSTILE
    assert held["pages"][SEED.url]["reasons"] == [f"anchor: {HOSTILE}"]
    assert held["links"][SEED.url, long]["context"] == HOSTILE
    assert held["concepts"]["urn:" + HOSTILE]["label"] == HOSTILE
    assert held["mentions"].keys() == {(SEED.url, "urn:" + HOSTILE)}
    assert held["sites"]["one.example"]["robots"] == HOSTILE * 1000


def test_what_utf8_cannot_hold_is_replaced_and_endless_addresses_dropped(kept):
    kept.store.open_crawl(CRAWL, CONCEPTS, [SEED])
    endless = "http://one.example/" + "x" * 2000
    links = (
        link(1, 0.5),
        LinkRecord("http://one.example/\ud800", "\udfff", "", None, 1),
        LinkRecord(endless, "", "", 1.0, 2),
    )
    kept.store.save(Batch(pages=(replace(fetched(0, links=links), title="a\ud83db"),)))
    held = snapshot(kept.again())
    assert held["pages"][SEED.url]["title"] == "a\ufffdb"
    assert held["links"].keys() == {(SEED.url, page_url(1)), (SEED.url, "http://one.example/\ufffd")}


@pytest.mark.parametrize("url", ["", "http://one.example/" + "x" * 2000])
def test_a_page_with_an_impossible_address_fails_and_leaves_nothing(kept, url):
    kept.store.open_crawl(CRAWL, CONCEPTS, [SEED])
    before = snapshot(kept.store)
    with pytest.raises(ValueError, match="1 to 2000 characters"):
        kept.store.save(Batch(pages=(fetched(0, links=(link(1, 0.5),)), PageRecord(url=url, status="failed"))))
    assert snapshot(kept.again()) == before


def test_a_batch_that_is_sent_twice_changes_nothing(kept):
    kept.store.open_crawl(CRAWL, CONCEPTS, [SEED])
    batch = Batch(
        pages=(
            replace(fetched(0, links=(link(1, 0.5), link(2, None))), mentions=(MentionRecord("urn:ice", 1, 1, {}),)),
        )
    )
    kept.store.save(batch)
    once = snapshot(kept.store)
    kept.store.save(batch)
    assert snapshot(kept.again()) == once


def test_waiting_pages_come_best_first(kept):
    kept.store.open_crawl(CRAWL, CONCEPTS, [SEED])
    links = tuple(link(n, priority) for n, priority in [(1, 0.2), (2, 0.9), (3, 0.5), (4, 0.5)])
    kept.store.save(Batch(pages=(fetched(0, links=links),)))
    assert [(q.url, q.priority, q.depth, q.parent) for q in kept.again().queued()] == [
        (page_url(2), 0.9, 1, SEED.url),
        (page_url(3), 0.5, 1, SEED.url),
        (page_url(4), 0.5, 1, SEED.url),
        (page_url(1), 0.2, 1, SEED.url),
    ]


def test_a_priority_only_rises_and_parent_and_depth_stay(kept):
    kept.store.open_crawl(CRAWL, CONCEPTS, [SEED])
    kept.store.save(Batch(pages=(fetched(0, links=(link(1, 0.5), link(2, 0.5), link(3, 0.5))),)))
    again = (queued(2, 0.9, parent=1, raised=True), queued(3, 0.1, parent=1, raised=True))
    kept.store.save(Batch(pages=(replace(fetched(1, parent=0), queued=again),)))
    assert [(q.url, q.priority, q.parent, q.depth) for q in kept.again().queued()] == [
        (page_url(2), 0.9, SEED.url, 1),
        (page_url(3), 0.5, SEED.url, 1),
    ]


def test_a_revised_priority_holds_over_links_of_its_batch(kept):
    """1 falls and 2 rises in a later batch; 3 is found and falls in one; what ended or is unknown stays."""
    kept.store.open_crawl(CRAWL, CONCEPTS, [SEED])
    kept.store.save(Batch(pages=(fetched(0, links=(link(1, 0.5), link(2, 0.5), link(4, 0.5))),)))
    page = replace(fetched(4, parent=0, links=(link(3, 0.6), link(1, 0.9))), queued=(queued(3, 0.6, parent=4),))
    places = ((1, 0.1), (2, 0.9), (3, 0.2), (4, 0.7), (9, 0.7))
    revised = tuple(RevisedRecord(page_url(n), priority, shown("revised \ud800")) for n, priority in places)
    kept.store.save(Batch(pages=(page,), revised=revised))
    assert [(q.url, q.priority, *map(str, q.reasons)) for q in kept.again().queued()] == [
        (page_url(2), 0.9, "anchor: revised \ufffd"),
        (page_url(3), 0.2, "anchor: revised \ufffd"),
        (page_url(1), 0.1, "anchor: revised \ufffd"),
    ]
    assert page_url(9) not in snapshot(kept.store)["pages"]
    assert snapshot(kept.store)["pages"][page_url(4)]["priority"] == 0.5


def test_more_revised_priorities_than_one_statement_takes(kept):
    kept.store.open_crawl(CRAWL, CONCEPTS, [SEED])
    many = range(1, 2500)
    kept.store.save(Batch(pages=(fetched(0, links=tuple(link(n, 0.5) for n in many)),)))
    kept.store.save(Batch(revised=tuple(RevisedRecord(page_url(n), 1 / n) for n in many)))
    assert [q.url for q in kept.again().queued()] == [page_url(n) for n in many]


def test_a_queue_gives_best_first_and_all_in_any_order(kept):
    kept.store.open_crawl(CRAWL, CONCEPTS, [SEED])
    links = tuple(link(n, n / 10) for n in range(1, 6))
    new = tuple(queued(n, n / 10)._replace(found=n) for n in range(1, 6))
    kept.store.save(Batch(pages=(fetched(0, links=links, new=new),)))
    again = kept.again()
    assert [q.url for q in again.queued(2)] == [page_url(5), page_url(4)]
    assert list(again.queued(2)) == list(again.queued())[:2]
    everything = sorted(again.waiting(), key=lambda q: -q.priority)
    assert [q._replace(reasons=()) for q in everything] == [q._replace(reasons=()) for q in again.queued()]
    resumed = kept.reopened().open_crawl(CRAWL, CONCEPTS, [SEED])
    assert (resumed.waiting, resumed.found) == (5, 5)


def test_a_long_queue_gives_about_as_many_as_asked_for(kept):
    kept.store.open_crawl(CRAWL, CONCEPTS, [SEED])
    places = {n: (n * 7919 % 2500) / 2500 for n in range(1, 2500)}
    links = tuple(link(n, place) for n, place in places.items())
    new = tuple(queued(n, place)._replace(found=n) for n, place in places.items())
    kept.store.save(Batch(pages=(fetched(0, links=links, new=new),)))
    best = list(kept.again().queued(500))
    assert 250 < len(best) <= 500
    assert best == list(kept.again().queued())[: len(best)]


def test_fingerprints_come_back_in_the_order_of_fetching(kept):
    kept.store.open_crawl(CRAWL, CONCEPTS, [SEED])
    second = replace(fetched(0), order=2, fingerprint="01 02")
    first = replace(fetched(1, parent=0), order=1, fingerprint="03 short")
    kept.store.save(Batch(pages=(second, first, fetched(2, parent=0))))
    assert list(kept.again().fingerprints()) == [
        FingerprintRecord(page_url(1), "03 short", 1, withdrawn=True),
        FingerprintRecord(SEED.url, "01 02", 2, withdrawn=True),
    ]


def test_a_memory_is_its_strategys_and_goes_with_it(kept):
    kept.store.open_crawl(CRAWL, CONCEPTS, [SEED])
    kept.store.save(Batch(pages=(fetched(0),), memory=b"one"))
    assert kept.reopened().open_crawl(CRAWL, CONCEPTS, [SEED]).memory == b"one"
    other = replace(CRAWL, strategy="other")
    assert kept.reopened().open_crawl(other, CONCEPTS, [SEED]).memory == b""
    assert kept.reopened().open_crawl(other, CONCEPTS, [SEED]).memory == b""


def test_a_memory_is_its_ontologys_and_goes_with_it(kept):
    kept.store.open_crawl(CRAWL, CONCEPTS, [SEED])
    kept.store.save(Batch(pages=(fetched(0),), memory=b"one"))
    edited = replace(CRAWL, fingerprint="edited")
    assert kept.reopened().open_crawl(edited, CONCEPTS, [SEED]).memory == b""
    assert kept.reopened().open_crawl(edited, CONCEPTS, [SEED]).memory == b""


def test_what_ended_after_the_memory_was_saved_is_told(kept):
    kept.store.open_crawl(CRAWL, CONCEPTS, [SEED])
    gone = replace(fetched(1, parent=0), status="failed", fetched_at="")
    kept.store.save(Batch(pages=(fetched(0),), counters=Counters(pages=1, seconds=1.5), memory=b"one"))
    assert list(kept.again().unremembered()) == []
    kept.store.save(Batch(pages=(gone, fetched(2, parent=0)), counters=Counters(pages=2, seconds=2.5)))
    assert [page.url for page in kept.again().unremembered()] == [page_url(2), page_url(1)]
    kept.store.save(Batch(counters=Counters(pages=2, seconds=2.5), memory=b"two"))
    assert list(kept.again().unremembered()) == []


def test_what_is_no_result_since_the_memory_is_told(kept):
    """Of pages that ended before it: one is gone, one has become a copy, one is as it was."""
    kept.store.open_crawl(CRAWL, CONCEPTS, [SEED])
    pages = [
        replace(fetched(n, parent=0, depth=1, on_topic=True), order=n + 1, content=b"text", fingerprint=f"{n}")
        for n in (1, 2, 3)
    ]
    first = replace(fetched(0, links=tuple(link(n, 0.5) for n in (1, 2, 3))), order=1)
    kept.store.save(Batch(pages=(first, *pages), counters=Counters(pages=4, seconds=1.5), memory=b"one"))
    said = (AskedRecord(page_url(1), "2027", 404), AskedRecord(page_url(3), "2027"))
    copies = (CopyRecord(page_url(2), page_url(3)),)
    kept.store.save(Batch(asked=said, copies=copies, counters=Counters(pages=3, seconds=2.5)))
    told = [(page.url, page.status, page.content) for page in kept.again().unremembered()]
    assert told == [(page_url(2), "fetched", None), (page_url(1), "failed", b"text")]


def test_what_is_gone_keeps_its_text_and_no_judgement(kept):
    kept.store.open_crawl(CRAWL, CONCEPTS, [SEED])
    said = (MentionRecord("urn:ice", 5, 0.75, {"title": 1}),)
    page = replace(fetched(0, on_topic=True), order=1, content=b"text", mentions=said, kind="article")
    kept.store.save(Batch(pages=(page,)))
    judged = JudgedRecord(SEED.url, 0.8, True, (Reason("anchor", 0.8),), said, kind="listing")
    kept.store.save(Batch(judged=(judged,), counters=Counters(pages=1, on_topic=1)))
    kept.store.save(Batch(asked=(AskedRecord(SEED.url, "2027", 404),), counters=Counters(pages=1)))
    found = snapshot(kept.store)
    row = found["pages"][SEED.url]
    assert (row["status"], row["http_status"], row["on_topic"], row["order"]) == ("failed", 404, False, 1)
    assert row["content"]
    assert not {"relevance", "shares", "kind"} & row.keys()
    assert "404" in row["reasons"][0]
    assert found["mentions"] == {}


def test_visits_return_in_order_with_copies_parents_and_failures(kept):
    kept.store.open_crawl(CRAWL, CONCEPTS, [SEED])
    start = replace(fetched(0), fetched_at="2026-01-01T00:00:01", on_topic=False, order=1)
    copy = replace(fetched(2, parent=0), fetched_at="2026-01-01T00:00:02", on_topic=False, stale=True, order=None)
    copy = replace(copy, copy_of=SEED.url)
    best = replace(fetched(1, parent=0), fetched_at="2026-01-01T00:00:03", on_topic=True, order=2)
    feed = replace(fetched(4, parent=0), fetched_at="2026-01-01T00:00:04", on_topic=False, order=None)
    kept.store.save(Batch(pages=(best, start, copy, replace(fetched(3, parent=0), status="failed"), feed)))
    assert list(kept.again().visits()) == [
        VisitRecord(SEED.url, None, False, False, said_by=SEED.url),
        VisitRecord(page_url(2), None, False, True, said_by=SEED.url),
        VisitRecord(page_url(1), SEED.url, True, False, said_by=page_url(1), leads=True),
        VisitRecord(page_url(4), None, False, True),
        VisitRecord(page_url(3), failed=True),
    ]


def test_pages_come_back_with_the_concepts_outside_of_their_links(kept):
    kept.store.open_crawl(CRAWL, CONCEPTS, [SEED])
    body, menu = ({"other": 2, "anchor": 1}, {"anchor": 3})
    said = (MentionRecord("urn:ice", 3, 1.0, body), MentionRecord("urn:snow", 3, 1.0, menu))
    good = replace(fetched(0, on_topic=True), order=1, mentions=said)
    other = replace(fetched(1, parent=0), order=2, mentions=said[:1])
    menus = replace(fetched(2, parent=0), order=3, mentions=said[1:])
    kept.store.save(Batch(pages=(good, other, menus)))
    found = [MentionedRecord(SEED.url, True, ("urn:ice",)), MentionedRecord(page_url(1), False, ("urn:ice",))]
    assert sorted(kept.again().mentioned()) == sorted(found)


def test_an_open_store_goes_on_with_an_edited_ontology(kept):
    edited = replace(CRAWL, id="another", fingerprint="edited")
    first = replace(fetched(0), order=1, queued=(queued(1, 0.5),), links=(link(1, 0.5),))
    kept.store.open_crawl(CRAWL, CONCEPTS, [SEED])
    kept.store.save(Batch(pages=(first,), counters=Counters(pages=1), memory=b"learned"))
    resumed = kept.store.open_crawl(edited, CONCEPTS[:-1], [])
    assert (resumed.memory, resumed.counters.pages, resumed.waiting) == (b"", 1, 1)
    kept.store.save(Batch(pages=(replace(fetched(1, parent=0), order=2),), counters=Counters(pages=2), memory=b"anew"))
    back = kept.reopened().open_crawl(edited, CONCEPTS[:-1], [])
    assert (back.previous.id, back.memory, back.counters.pages, back.changed) == (CRAWL.id, b"anew", 2, ())


def test_results_seeds_and_feeds_are_wanted_again_until_asked(kept):
    kept.store.open_crawl(CRAWL, CONCEPTS, [SEED])
    best = replace(
        fetched(1, parent=0, depth=1, on_topic=True), order=2, etag='"x"', last_modified="Sun", fingerprint="f"
    )
    good = replace(fetched(2, parent=0, depth=1, on_topic=True), order=3, relevance=0.5)
    other = replace(fetched(3, parent=0, depth=1), order=4)
    copy = replace(fetched(5, parent=0, depth=1), stale=True)
    feed = replace(fetched(6, parent=0, depth=1), relevance=None, on_topic=False)
    failed = replace(fetched(7, parent=0, depth=1), status="failed")
    first = replace(fetched(0, links=tuple(link(n, 0.5) for n in range(1, 9))), order=1)
    kept.store.save(Batch(pages=(first, best, good, other, copy, feed, failed)))
    assert list(kept.again().wanted()) == []
    kept.store.mark_for_recrawl()
    wanted = list(kept.again().wanted())
    assert [record.url for record in wanted] == [page_url(n) for n in (1, 2, 0, 6)]
    assert wanted[0] == WantedRecord(page_url(1), 2, 0.5, 1, SEED.url, 0.9, True, "f", '"x"', "Sun")
    gone, unchanged = AskedRecord(page_url(2), "2027", 410), AskedRecord(page_url(0), "2028")
    kept.store.save(Batch(pages=(best,), asked=(gone, unchanged, AskedRecord(page_url(6)))))
    assert list(kept.again().wanted()) == []
    pages = snapshot(kept.store)["pages"]
    assert pages[page_url(2)] | {"status": "failed", "http_status": 410, "on_topic": False} == pages[page_url(2)]
    assert (pages[page_url(2)]["fetched_at"], pages[page_url(2)]["title"]) == ("2027", "page 2")
    assert (pages[SEED.url]["fetched_at"], pages[SEED.url]["status"]) == ("2028", "fetched")
    assert "fetched_at" not in pages[page_url(6)]


def test_pages_judged_anew_have_new_mentions_and_other_ways(kept):
    kept.store.open_crawl(CRAWL, CONCEPTS, [SEED])
    first = fetched(0, links=(link(1, 0.5), link(2, 0.4)))
    old = replace(
        fetched(1, parent=0, depth=1, on_topic=True), mentions=(MentionRecord("urn:ice", 5, 0.75, {"title": 1}),)
    )
    kept.store.save(Batch(pages=(first, old, fetched(2, parent=0, depth=1))))
    assert kept.store.link_graph().pages == (SEED.url, page_url(1))
    now = MentionRecord("urn:snow", 2, 0.5, {"body": 2})
    said = JudgedRecord(page_url(1), 0.2, False, (), ()), JudgedRecord(page_url(2), 0.8, True, shown("0.8"), (now,))
    kept.store.save(Batch(judged=said))
    kept.store.mark_for_recrawl()
    pages = snapshot(kept.store)["pages"]
    assert [pages[page_url(n)]["on_topic"] for n in (1, 2)] == [False, True]
    assert (pages[page_url(2)]["relevance"], pages[page_url(2)]["reasons"]) == (0.8, ["anchor: 0.8"])
    mentions = snapshot(kept.store)["mentions"]
    assert [(page, concept) for page, concept in mentions] == [(page_url(2), "urn:snow")]
    assert kept.store.link_graph().pages == (SEED.url, page_url(2))
    assert len(kept.store.link_graph().links) == 1


def test_a_threshold_decides_what_was_judged_and_nothing_else(kept):
    kept.store.open_crawl(CRAWL, CONCEPTS, [SEED])
    judged = [
        replace(fetched(n, parent=0, depth=1), order=n, relevance=n / 10, on_topic=n > 5, content=b"text")
        for n in (4, 6, 8)
    ]
    hidden = replace(fetched(9, parent=0, depth=1), order=9, relevance=0.9, content=None)  # noindex
    copy = replace(fetched(10, parent=0, depth=1), relevance=0.9, content=None, stale=True)
    first = replace(fetched(0, links=tuple(link(n, 0.5) for n in range(1, 11))), order=1, relevance=0.1)
    kept.store.save(Batch(pages=(first, *judged, hidden, copy)))
    assert kept.store.set_threshold(0.7) == 1
    assert {n for n in range(11) if snapshot(kept.store)["pages"][page_url(n)].get("on_topic")} == {8}
    assert kept.store.link_graph().pages == (SEED.url, page_url(8))
    assert kept.store.set_threshold(0.4) == 3
    assert {n for n in range(11) if snapshot(kept.store)["pages"][page_url(n)].get("on_topic")} == {4, 6, 8}
    assert kept.store.link_graph().pages == (SEED.url, *(page_url(n) for n in (4, 6, 8)))


def test_one_batch_can_queue_raise_and_fetch_a_page(kept):
    kept.store.open_crawl(CRAWL, CONCEPTS, [SEED])
    first = fetched(0, links=(link(1, 0.5), link(2, 0.3)))
    second = replace(fetched(1, parent=0), queued=(queued(2, 0.8, parent=1, raised=True),))
    kept.store.save(Batch(pages=(first, second)))
    assert [(q.url, q.priority, q.parent) for q in kept.again().queued()] == [(page_url(2), 0.8, SEED.url)]
    assert sorted(kept.again().known()) == [SEED.url, page_url(1)]
    assert snapshot(kept.store)["parents"] == {(page_url(1), SEED.url): {}, (page_url(2), SEED.url): {}}


def test_a_page_that_ended_is_never_queued_again(kept):
    kept.store.open_crawl(CRAWL, CONCEPTS, [SEED])
    kept.store.save(Batch(pages=(fetched(0),)))
    kept.store.save(Batch(pages=(replace(fetched(1, parent=0), queued=(queued(0, 0.9, parent=1),)),)))
    assert list(kept.again().queued()) == []
    assert snapshot(kept.store)["pages"][SEED.url]["status"] == "fetched"


def test_a_better_link_queues_a_discarded_link_s_known_target(kept):
    kept.store.open_crawl(CRAWL, CONCEPTS, [SEED])
    kept.store.save(Batch(pages=(fetched(0, links=(link(1, 0.5), link(2, None))),)))
    held = snapshot(kept.store)["pages"][page_url(2)]
    assert (held["status"], "depth" in held) == ("refused", False)
    assert list(kept.again().known()) == [SEED.url]
    kept.store.save(Batch(pages=(fetched(1, parent=0, depth=1, links=(link(2, 0.7),)),)))
    assert [(q.url, q.priority, q.parent, q.depth) for q in kept.again().queued()] == [
        (page_url(2), 0.7, page_url(1), 2)
    ]


def test_what_only_discarded_links_led_to_can_be_revived(kept):
    kept.store.open_crawl(CRAWL, CONCEPTS, [SEED])
    kept.store.save(Batch(pages=(fetched(0, links=(link(1, None), link(2, 0.5), link(3, None))),)))
    assert sorted(kept.again().discarded()) == [page_url(1), page_url(3)]
    kept.store.save(Batch(revived=(queued(1, 0.7, parent=0),)))
    assert list(kept.again().discarded()) == [page_url(3)]
    assert [(q.url, q.priority, q.parent) for q in kept.again().queued()] == [
        (page_url(1), 0.7, SEED.url),
        (page_url(2), 0.5, SEED.url),
    ]
    kept.store.save_settings('{"threshold": 0.7}')
    assert kept.store.open_crawl(CRAWL, CONCEPTS, [SEED]).previous.settings == '{"threshold": 0.7}'


def test_all_ends_are_known(kept):
    kept.store.open_crawl(CRAWL, CONCEPTS, [SEED])
    moved = PageRecord(
        url=SEED.url, status="redirected", http_status=301, links=(link(1, 10),), queued=(queued(1, 10, redirects=1),)
    )
    kept.store.save(
        Batch(
            pages=(
                moved,
                PageRecord(url=page_url(2), status="failed", reasons=(Reason("timeout"),)),
                PageRecord(url=page_url(3), status="refused"),
            )
        )
    )
    assert sorted(kept.again().known()) == [SEED.url, page_url(2), page_url(3)]
    assert [(q.url, q.redirects) for q in kept.again().queued()] == [(page_url(1), 1)]


def test_a_crawl_goes_on_where_it_stopped(kept):
    kept.store.open_crawl(CRAWL, CONCEPTS, [SEED])
    counters = Counters(pages=3, on_topic=2, requests=5, errors=1, inversions=4, seconds=6.5)
    kept.store.save(Batch(pages=(), sites=(), counters=counters, memory=b"\x00\xffmodel"))
    kept.store.save(Batch(pages=(), sites=(), counters=replace(counters, pages=4)))  # its memory was not copied anew
    resumed = kept.reopened().open_crawl(replace(CRAWL, id="another", started_at="later"), CONCEPTS, [SEED])
    assert resumed.previous == CRAWL
    assert resumed.counters == replace(counters, pages=4)
    assert resumed.memory == b"\x00\xffmodel"
    assert resumed.changed == ()
    assert kept.reopened().open_crawl(CRAWL, CONCEPTS, [SEED]).previous == CRAWL


def test_the_next_run_tries_failed_seeds_again_not_fetched_ones(kept):
    seeds = [SEED, *(queued(number, 10.0, parent=None, depth=0) for number in (1, 2))]
    kept.store.open_crawl(CRAWL, CONCEPTS, seeds)
    refused = PageRecord(url=page_url(2), status="refused", fetched_at="2026-11-22", reasons=(Reason("robots.txt"),))
    kept.store.save(Batch(pages=(fetched(0), PageRecord(url=page_url(1), status="failed", http_status=500), refused)))
    again = kept.reopened()
    again.open_crawl(CRAWL, CONCEPTS, seeds)
    assert [(q.url, q.priority, q.depth) for q in again.queued()] == [(page_url(1), 10.0, 0), (page_url(2), 10.0, 0)]
    assert list(again.known()) == [SEED.url]
    held = snapshot(again)["pages"][page_url(1)]
    assert (held["status"], "http_status" in held) == ("queued", False)


def test_another_topic_is_refused_and_changes_nothing(kept):
    kept.store.open_crawl(CRAWL, CONCEPTS, [SEED])
    before = snapshot(kept.store)
    with pytest.raises(StoreError, match="urn:topic, not about urn:other") as caught:
        kept.reopened().open_crawl(replace(CRAWL, topic="urn:other"), [], [queued(9, 1.0)])
    assert "--store" in caught.value.cure
    assert snapshot(kept.again()) == before


def test_an_edited_ontology_goes_on_and_says_what_changed(kept):
    kept.store.open_crawl(CRAWL, [*CONCEPTS, ConceptRecord(iri="urn:hail", label="hail")], [SEED])
    kept.store.save(Batch(pages=(replace(fetched(0), mentions=(MentionRecord("urn:snow", 1, 0.5, {}),)),)))
    edited = [
        ConceptRecord(iri="urn:ice", label="ice", weight=2.0, layer=None, narrower=("urn:frost",)),
        ConceptRecord(iri="urn:frost", label="frost", weight=1.0),
    ]
    crawl = replace(CRAWL, fingerprint="f2", strategy="fused", settings='{"delay": 0.5, "threshold": 0.5}')
    resumed = kept.reopened().open_crawl(crawl, edited, [SEED, queued(5, 10.0)])
    assert sorted(resumed.changed) == sorted(
        [
            "ontology: ice.owl is not what it was",
            "concept came: frost <urn:frost>",
            "concept went: hail <urn:hail>",
            "concept went: snow <urn:snow>",
            "weight: ice <urn:ice>: 1 -> 2",
            "strategy: bfs -> fused",
            "delay: 1 -> 0.5",
        ]
    )
    held = snapshot(kept.again())
    assert held["concepts"] == {
        "urn:ice": {"iri": "urn:ice", "label": "ice", "weight": 2.0},
        "urn:frost": {"iri": "urn:frost", "label": "frost", "weight": 1.0},
        "urn:snow": {"iri": "urn:snow", "label": "snow", "gone": True},
    }
    assert held["narrower"] == {("urn:ice", "urn:frost"): {}}
    assert held["mentions"].keys() == {(SEED.url, "urn:snow")}
    assert [q.url for q in kept.again().queued()] == [page_url(5)]
    back = kept.reopened().open_crawl(replace(crawl, fingerprint="f3"), [*edited, *CONCEPTS[1:]], [])
    assert "concept came: snow <urn:snow>" in back.changed
    assert snapshot(kept.again())["concepts"]["urn:snow"] == {
        "iri": "urn:snow",
        "label": "snow",
        "names": ["snow"],
        "weight": 0.5,
        "layer": 1,
    }


def test_why_a_page_was_chosen_is_the_last_word_said(kept):
    """1 waits and is fetched; 2 is revised before, 3 in the batch in which it ends; 4 was never said to wait."""
    kept.store.open_crawl(CRAWL, CONCEPTS, [SEED])
    kept.store.save(Batch(pages=(fetched(0, new=(queued(1, 0.5), queued(2, 0.5), queued(3, 0.5))),)))
    kept.store.save(Batch(revised=(RevisedRecord(page_url(2), 0.9, shown("revised")),)))
    ends = (fetched(1, parent=0), fetched(2, parent=0), replace(fetched(3, parent=0), chosen=shown("at last")))
    kept.store.save(Batch(pages=(*ends, replace(fetched(4, parent=0), chosen=shown("at once")))))
    kept.store.save(Batch(pages=(*ends, replace(fetched(4, parent=0), chosen=shown("at once")))))
    held = snapshot(kept.again())["pages"]
    assert [held[page_url(number)]["chosen"] for number in range(5)] == [
        ["a seed"],
        ["other evidence"],
        ["anchor: revised"],
        ["anchor: at last"],
        ["anchor: at once"],
    ]


def test_kept_pages_come_first_and_links_only_without_content(kept):
    kept.store.open_crawl(CRAWL, CONCEPTS, [SEED])
    pages = (
        PageRecord(
            url=page_url(5), status="redirected", http_status=301, links=(LinkRecord(page_url(2), "", "", 0.5, 0),)
        ),
        replace(fetched(2), order=2, links=(link(7, 0.5), link(6, None)), queued=(), language="en", reasons=shown("a")),
        replace(fetched(0), order=1, content=b"\x00page", links=(link(2, 0.5),), queued=()),
        replace(fetched(3), order=None, content=b"copy"),
        PageRecord(url=page_url(4), status="failed", http_status=404, reasons=(because("http", status=404),)),
    )
    kept.store.save(Batch(pages=pages))
    stored = [
        StoredPage(page_url(0), "fetched", 200, 1, "page 0", None, (), b"\x00page"),
        StoredPage(page_url(2), "fetched", 200, 2, "page 2", "en", shown("a"), None, (link(6, None), link(7, 0.5))),
        StoredPage(page_url(3), "fetched", 200, None, "page 3", None, (), b"copy"),
        StoredPage(page_url(4), "failed", 404, None, "", None, (because("http", status=404),), None),
        StoredPage(
            page_url(5), "redirected", 301, None, "", None, (), None, (LinkRecord(page_url(2), "", "", 0.5, 0),)
        ),
    ]
    assert in_words(kept.again().stored_pages()) == in_words(stored)


def test_what_judging_reads_of_the_record_is_what_is_stored(kept):
    """Pages with their mentions if the store reads them; of other addresses how they ended, and where they moved to."""
    kept.store.open_crawl(CRAWL, CONCEPTS, [SEED])
    said = (MentionRecord("urn:ice", 2, 0.5, {"title": 1, "other": 1}), MentionRecord("urn:snow", 1, 0.25, {"h1": 1}))
    pages = (
        PageRecord(
            url=page_url(5), status="redirected", http_status=301, links=(LinkRecord(page_url(2), "", "", 0.5, 0),)
        ),
        replace(fetched(2), order=2, content=b"two", mentions=said, queued=(), language="en"),
        replace(fetched(0), order=1, content=b"one", queued=()),
        replace(fetched(3), order=None),
        PageRecord(url=page_url(4), status="failed", http_status=404, reasons=(because("http", status=404),)),
    )
    kept.store.save(Batch(pages=pages))
    found, whole = list(kept.again().pages_to_judge()), list(kept.again().stored_pages())
    of_each = [(page.url, page.status, page.order, page.content, page.language) for page in whole]
    assert [(page.url, page.status, page.order, page.content, page.language) for page in found] == of_each
    assert {page.url: page.links for page in found if page.links} == {page_url(5): whole[-1].links}
    mentions = {page.url: set(map(repr, page.mentions)) for page in found if page.mentions is not None}
    assert mentions in ({}, {page_url(0): set(), page_url(2): set(map(repr, said))})
    standing = {page.url: page.standing for page in found if page.standing is not None}
    assert standing in ({}, {page_url(n): Standing(0.1, False, None, None) for n in (0, 2)})


def _copy(number: int, page: int) -> PageRecord:
    return replace(fetched(number, parent=0), order=None, copy_of=page_url(page), stale=True)


def test_a_page_giving_way_is_a_copy_with_its_copies(kept):
    """Seed 0 shows 1, 2, 5, 6; 1 shows 4 and 5, and 2 is a copy of it, until 6 takes its place."""
    kept.store.open_crawl(CRAWL, CONCEPTS, [SEED])
    said = (MentionRecord("urn:ice", 1, 0.5, {"title": 1}),)
    start = replace(fetched(0, links=tuple(link(n, 0.5) for n in (1, 2, 5, 6))), order=1)
    first = fetched(1, parent=0, depth=1, links=(link(4, 0.5), link(5, 0.5)), on_topic=True)
    first = replace(
        first, order=2, mentions=said, fingerprint="01", content=b"text", presents="0f", queued=first.queued[:1]
    )
    later = fetched(6, parent=0, depth=1, links=(link(4, 0.5), link(5, 0.5)), new=(), on_topic=True)
    later = replace(later, order=2, mentions=said, fingerprint="01", content=b"text")
    kept.store.save(Batch(pages=(start, first, _copy(2, 1)), counters=Counters(pages=2, copies=1)))
    assert snapshot(kept.store)["copies"] == {(page_url(2), page_url(1)): {}}
    outdone = CopyRecord(page_url(1), page_url(6), (Reason("copy"), Reason("other")))
    for _ in range(2):
        kept.store.save(Batch(pages=(later,), counters=Counters(pages=2, copies=2), copies=(outdone,)))
    held = snapshot(kept.again())
    assert held["copies"] == {(page_url(n), page_url(6)): {} for n in (1, 2)}
    assert [page for page, _ in held["mentions"]] == [page_url(6)]
    assert {(a[-1], b[-1]) for a, b in held["links"] if a != SEED.url} == {("1", "4"), ("6", "4"), ("6", "5")}
    row = held["pages"][page_url(1)]
    assert (row["on_topic"], row["stale"], row["reasons"]) == (False, True, [str(Reason("copy")), "other"])
    assert not row.keys() & {"order", "content", "fingerprint", "presents", "on_path"}
    graph = kept.again().link_graph()
    assert (graph.pages, graph.results) == ((SEED.url, page_url(6)), {page_url(6)})
    assert list(kept.again().fingerprints()) == [FingerprintRecord(page_url(6), "01", 2, on_topic=True)]
    assert {page.url[-1]: page.copy_of for page in kept.again().stored_pages() if page.copy_of} == {
        "1": page_url(6),
        "2": page_url(6),
    }
    assert kept.reopened().open_crawl(CRAWL, CONCEPTS, [SEED]).counters.copies == 2


def test_a_long_path_to_a_result_is_marked_whole(kept):
    kept.store.open_crawl(CRAWL, CONCEPTS, [SEED])
    chain = [fetched(0, links=(link(1, 0.5), link(301, 0.5)))]
    chain += [fetched(n, parent=n - 1, links=(link(n + 1, 0.5),), depth=n) for n in range(1, 300)]
    kept.store.save(Batch(pages=tuple(chain)))
    kept.store.save(Batch(judged=(JudgedRecord(page_url(150), 0.9, True, ()),)))
    kept.store.save(Batch(judged=tuple(JudgedRecord(page_url(n), 0.9, True, ()) for n in (299, 150))))
    held = snapshot(kept.store)["pages"]
    assert {url for url, row in held.items() if row.get("on_path")} == {page_url(n) for n in range(300)}


def test_pages_change_places_more_than_once_in_one_batch(kept):
    """1 gives way to 2, and 2 to 3, which was found on 1: so 1 stays on the way to a result."""
    kept.store.open_crawl(CRAWL, CONCEPTS, [SEED])
    pages = (
        fetched(0, links=(link(1, 0.5), link(2, 0.5))),
        fetched(1, parent=0, links=(link(3, 0.5),), on_topic=True),
        fetched(2, parent=0, on_topic=True),
        replace(fetched(3, parent=1, on_topic=True), order=2),
    )
    copies = (CopyRecord(page_url(1), page_url(2)), CopyRecord(page_url(2), page_url(3)))
    kept.store.save(Batch(pages=pages, copies=copies))
    held = snapshot(kept.again())
    assert held["copies"] == {(page_url(n), page_url(3)): {} for n in (1, 2)}
    assert {url[-1] for url, row in held["pages"].items() if "on_path" in row} == {"0", "1", "3"}
    assert kept.again().link_graph().results == {page_url(3)}


def test_a_copy_that_is_read_anew_is_none(kept):
    kept.store.open_crawl(CRAWL, CONCEPTS, [SEED])
    kept.store.save(Batch(pages=(fetched(0), fetched(1, parent=0), _copy(2, 1))))
    kept.store.save(Batch(pages=(fetched(2, parent=0),)))
    assert snapshot(kept.again())["copies"] == {}


def test_the_link_graph_is_the_pages_between_seeds_and_results(kept):
    """Paper J, definition 5. Seed 0 finds 1 and 2, 1 finds 3 and 4, 3 finds 5; 3 and 5 are results, 2 and 4 are not.
    Links without a priority were discarded: they are none of the graph.
    """
    kept.store.open_crawl(CRAWL, CONCEPTS, [SEED, queued(9, 10.0, parent=None)])
    kept.store.save(
        Batch(
            pages=(
                fetched(0, links=(link(1, 0.5), link(2, 0.5))),
                fetched(1, parent=0, links=(link(3, 0.5), link(4, 0.5), link(0, None))),
                fetched(2, parent=0, links=(link(3, 0.5),), new=()),
                fetched(9),
            )
        )
    )
    assert kept.store.link_graph().pages == ()
    kept.store.save(Batch(pages=(fetched(3, parent=1, on_topic=True, links=(link(5, 0.5), link(2, None))),)))
    kept.store.save(
        Batch(pages=(fetched(5, parent=3, on_topic=True, links=(link(0, None), link(4, None))), fetched(4, parent=1)))
    )
    graph = kept.again().link_graph()
    assert graph.pages == tuple(page_url(n) for n in (0, 1, 3, 5))
    assert graph.links == tuple((page_url(a), page_url(b)) for a, b in [(0, 1), (1, 3), (3, 5)])
    assert graph.results == {page_url(3), page_url(5)}
    assert graph.seeds == {SEED.url}
    assert graph.texts == {page_url(n): (f"to {n}", "around it") for n in (1, 3, 5)}
    assert not graph.any_way


def test_small_crawls_have_pages_on_any_way_in_the_graph(kept):
    """As above, by all ways of definition 5: 2, which links to 3, is on one, too; 4 and 9 lead nowhere, nor
    does 6, whose link to 5 was discarded.
    """
    kept.store.open_crawl(CRAWL, CONCEPTS, [SEED, queued(9, 10.0, parent=None)])
    pages = (
        fetched(0, links=(link(1, 0.5), link(2, 0.5))),
        fetched(1, parent=0, links=(link(3, 0.5), link(4, 0.5), link(0, None))),
        fetched(2, parent=0, links=(link(3, 0.5),), new=()),
        fetched(9, links=(link(6, 0.5),)),
        fetched(3, parent=1, on_topic=True, links=(link(5, 0.5), link(2, 0.5)), new=(queued(5, 0.5, parent=3),)),
        fetched(5, parent=3, on_topic=True, links=(link(0, None), link(4, None))),
        fetched(4, parent=1),
        fetched(6, parent=9, links=(link(5, None),)),
    )
    kept.store.save(Batch(pages=pages, counters=Counters(pages=8)))
    graph = kept.again().link_graph(8)
    assert graph.any_way
    assert graph.pages == tuple(page_url(n) for n in (0, 1, 2, 3, 5))
    ways = [(0, 1), (0, 2), (1, 3), (2, 3), (3, 2), (3, 5)]
    assert graph.links == tuple((page_url(a), page_url(b)) for a, b in ways)
    assert graph.results == {page_url(3), page_url(5)}
    assert graph.seeds == {SEED.url}
    assert graph.texts == {page_url(n): (f"to {n}", "around it") for n in (1, 2, 3, 5)}
    assert kept.again().link_graph(7) == kept.again().link_graph()


@pytest.mark.parametrize("seed", range(3))
def test_any_crawl_is_the_same_in_every_store(kept, seed):
    memory = open_record(":memory:")
    for store in (kept.store, memory):
        store.open_crawl(CRAWL, CONCEPTS, [SEED])
    for batch in random_batches(random.Random(seed)):
        copies = tuple(CopyRecord(page.url, batch.pages[0].url) for page in batch.pages[3:])
        for store in (kept.store, memory):
            store.save(batch)
            store.save(Batch(copies=copies, counters=batch.counters))
            store.save(Batch(pages=batch.pages[3:4], counters=batch.counters))
    found = snapshot(kept.again())
    assert found == snapshot(memory)
    assert len(found["pages"]) > 100
    assert in_words(kept.again().queued()) == in_words(memory.queued())
    assert sorted(kept.again().known()) == sorted(memory.known())
    for most in (0, 100):
        assert kept.again().link_graph(most) == memory.link_graph(most)
        assert memory.link_graph(most).links
    assert in_words(kept.again().stored_pages()) == in_words(memory.stored_pages())
    places = in_words(kept.again().places_by_links(list(found["pages"])))
    assert places == in_words(memory.places_by_links(list(found["pages"])))
    for store in (kept.store, memory):
        store.set_threshold(0.5)
        store.mark_for_recrawl()
    assert kept.again().link_graph(100) == memory.link_graph(100)
    assert list(kept.again().wanted()) == list(memory.wanted())


def test_a_page_with_ten_thousand_new_links_fits(kept):
    """As many links as are read of a page, with long contexts and reasons."""
    kept.store.open_crawl(CRAWL, CONCEPTS, [SEED])
    urls = [f"http://hub.example/leads/to/the/page/with/the/number/{rank}" for rank in range(10_000)]
    told = tuple(Reason(kind, 0.25, ("snow", "ice")) for kind in ("anchor", "around the anchor", "address"))
    links = tuple(LinkRecord(url, "snow " * 10, "about snow " * 15, 0.5, n, told) for n, url in enumerate(urls))
    waiting = tuple(QueuedRecord(url, 0.5, 1, SEED.url, reasons=told, found=n) for n, url in enumerate(urls, 1))
    kept.store.save(Batch(pages=(PageRecord(url=SEED.url, status="fetched", order=1, links=links, queued=waiting),)))
    assert sum(1 for _ in kept.again().queued()) == 10_000


def test_what_was_written_does_not_wait_for_the_garbage_collector(kept):
    """The least of three saves, because threads of former tests may leave something, too."""
    kept.store.open_crawl(CRAWL, CONCEPTS, [SEED])
    links = tuple(link(n, 0.5) for n in range(10, 400))
    left = []
    gc.disable()
    try:
        for order in (1, 2, 3):
            gc.collect()
            kept.store.save(Batch(pages=(replace(fetched(order, links=links), order=order),)))
            left.append(gc.collect())
        assert min(left) < 800, left  # a link takes three objects on its way to a server
    finally:
        gc.enable()


def test_marks_are_kept_and_taken_away(kept):
    kept.store.open_crawl(CRAWL, CONCEPTS, [SEED])
    hub = replace(fetched(1), depth=1, order=2, content=b"x", relevance=0.0)
    kept.store.save(Batch(pages=(fetched(0), hub, PageRecord(url=page_url(2), status="failed"))))
    assert kept.store.mark({SEED.url: "good", page_url(1): "hub", page_url(2): "good", page_url(3): "bad"}) == [
        page_url(2),
        page_url(3),
    ]
    assert kept.again().marks() == {SEED.url: "good", page_url(1): "hub"}
    kept.store.set_threshold(0.5)
    assert snapshot(kept.store)["pages"][page_url(1)]["leads"]
    kept.store.mark({SEED.url: None})
    assert kept.again().marks() == {page_url(1): "hub"}


def test_a_page_judged_again_keeps_its_mentions_unless_told(kept):
    kept.store.open_crawl(CRAWL, CONCEPTS, [SEED])
    mention = MentionRecord("urn:ice", 2, 1.0, {"title": 2})
    kept.store.save(Batch(pages=(replace(fetched(0), mentions=(mention,), on_topic=False),)))
    kept.store.save(Batch(judged=(JudgedRecord(SEED.url, 0.9, True, shown("why")),)))
    held = snapshot(kept.store)
    assert (held["pages"][SEED.url]["relevance"], held["pages"][SEED.url]["on_topic"]) == (0.9, True)
    assert (SEED.url, "urn:ice") in held["mentions"]
    assert held["pages"][SEED.url]["on_path"]
    kept.store.save(Batch(judged=(JudgedRecord(SEED.url, 0.1, False, (), ()),)))
    assert (SEED.url, "urn:ice") not in snapshot(kept.store)["mentions"]


def test_traps_come_with_a_batch_and_are_outdated_by_judging(kept):
    kept.store.open_crawl(CRAWL, CONCEPTS, [SEED])
    why = Reason("directories that repeat")
    traps = [TrapRecord(f"{name}.example/**", "host", why, page_url(5), 2) for name in ("one", "two")]
    for found in traps:
        kept.store.save(Batch(traps=(found,)))
    kept.store.save(Batch())
    assert snapshot(kept.store)["traps"] == [("two.example/**", False)]
    kept.store.update_paths()
    assert snapshot(kept.store)["traps"] == [("two.example/**", True)]
    kept.store.save(Batch(traps=(traps[0],)))
    assert snapshot(kept.store)["traps"] == [("one.example/**", False)]
    kept.store.save(Batch(traps=()))
    assert snapshot(kept.store)["traps"] == []


def test_only_the_mentions_named_are_replaced(kept):
    kept.store.open_crawl(CRAWL, CONCEPTS, [SEED])
    ice, snow, frost = (MentionRecord(f"urn:{name}", 2, 0.5, {"other": 2}) for name in ("ice", "snow", "frost"))
    kept.store.save(Batch(pages=(replace(fetched(0), mentions=(ice, snow)),)))
    other = replace(snow, count=3)
    for _ in range(2):  # a batch that comes twice changes nothing
        judged = JudgedRecord(SEED.url, 0.9, True, (), (other, frost), unsaid=("urn:snow",))
        kept.store.save(Batch(judged=(judged,)))
    said = {concept: row["count"] for (_, concept), row in snapshot(kept.store)["mentions"].items()}
    assert said == {"urn:ice": 2, "urn:snow": 3, "urn:frost": 2}
    kept.store.save(Batch(judged=(JudgedRecord(SEED.url, 0.9, True, (), (), unsaid=("urn:ice",)),)))
    assert {concept for _, concept in snapshot(kept.store)["mentions"]} == {"urn:snow", "urn:frost"}


def test_what_is_out_of_scope_stops_waiting_and_comes_back(kept):
    """1 waited before, 2 is found out of scope, and so is 3, which a redirect and a better link lead to later."""
    store = kept.store
    store.open_crawl(CRAWL, CONCEPTS, [SEED])
    store.save(Batch(pages=(fetched(0, links=(link(1, 0.3), link(4, 0.2))),)))
    far = tuple(OutsideRecord(page_url(number), "--stay-on-host") for number in (2, 3))
    store.save(Batch(pages=(fetched(4, parent=0, links=(link(2, 0.6), link(3, 0.1)), new=(), depth=1),), outside=far))
    store.save(Batch(outside=(OutsideRecord(page_url(1), "--exclude *1"),), scope="here"))
    again = kept.reopened()
    resumed = again.open_crawl(CRAWL, CONCEPTS, [SEED])
    assert (resumed.scope, resumed.waiting) == ("here", 0)
    assert {(record.url[-1], record.why) for record in again.outside()} == {
        ("1", "--exclude *1"),
        ("2", "--stay-on-host"),
        ("3", "--stay-on-host"),
    }
    assert list(again.discarded()) == []
    assert page_url(1) not in set(again.known())
    back = list(again.places_by_links([page_url(1), page_url(2)]))
    assert {(one.url[-1], one.priority, one.depth, one.parent) for one in back} == {
        ("1", 0.3, 1, None),
        ("2", 0.6, 2, page_url(4)),
    }
    again.save(Batch(revived=tuple(back)))
    waiting = {record.url[-1]: (record.priority, record.depth, record.parent) for record in again.queued()}
    assert waiting == {"1": (0.3, 1, page_url(0)), "2": (0.6, 2, page_url(4))}
    assert [record.url for record in again.outside()] == [page_url(3)]
    again.save(Batch(pages=(fetched(2, parent=4, depth=2),)))
    assert snapshot(kept.again())["pages"][page_url(2)].get("outside") is None


def test_what_a_person_wants_of_hosts_is_kept(kept):
    store = kept.store
    store.open_crawl(CRAWL, CONCEPTS, [SEED])
    wanted = [HostRecord("one.example", banned=True), HostRecord("two.example", raised=1.5)]
    store.save_hosts(wanted)
    assert sorted(kept.again().hosts_wanted()) == wanted
    store.save(Batch(pages=(fetched(0),), sites=(SiteRecord(host="one.example", delay=2.0),)))
    store.save_hosts([HostRecord("two.example")])
    assert list(kept.again().hosts_wanted()) == wanted[:1]


def test_contents_come_in_the_order_asked_for(kept):
    kept.store.open_crawl(CRAWL, CONCEPTS, [SEED])
    pages = (replace(fetched(0), content=b"\x00zero", queued=()), replace(fetched(1), content=b"one", queued=()))
    kept.store.save(Batch(pages=(*pages, PageRecord(url=page_url(4), status="failed", http_status=404))))
    asked = [page_url(1), page_url(4), page_url(0), page_url(9)]
    assert [text for text, _ in kept.again().contents(asked)] == [b"one", b"", b"\x00zero", b""]
