"""Pages that are asked for again: first, on conditions, as no new pages; what each answer does to the record."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import pytest
from crawl_fakes import HTML, STAMP, FakeUnderstanding, FakeWeb, Run, failed, html, moved, robots

from crawler.engine.actions import Fetch, Limits
from crawler.engine.coverage_goal import Coverage, goals_of
from crawler.engine.session import Session
from crawler.engine.steering import Steering
from crawler.frontier.scope import scope_of
from crawler.politeness.robots_and_pace import OUTAGE_SECONDS
from crawler.ports import Fetched, Outcome
from crawler.traps.trap_detection import Traps
from semantic.parsing.fingerprint import fingerprint
from semantic.reasons import Reason
from semantic.records import (
    AskedRecord,
    Batch,
    ConceptRecord,
    Counters,
    FingerprintRecord,
    JudgedRecord,
    MentionedRecord,
    QueuedRecord,
    Resumed,
    VisitRecord,
    WantedRecord,
)

FAST = Limits(max_pages=5, delay=0.0, connections=1)
OLD = "http://a/old"


def wanted(url: str = OLD, relevance: float = 0.5, **other: object) -> WantedRecord:
    held: dict[str, object] = {"etag": '"1"', "last_modified": "Sun, 22 Nov 2026 00:00:00 GMT", "fingerprint": None}
    held |= {"order": 3, "priority": 0.7, "depth": 2, "parent": "http://a/", "on_topic": True}
    return WantedRecord(url=url, relevance=relevance, **(held | other))


def begun(
    *pages: WantedRecord,
    limits: Limits = FAST,
    waiting: Mapping[str, float] | None = None,
    marks: Sequence[FingerprintRecord] = (),
    **more: Any,
) -> Session:
    """A crawl of five pages, three of them on topic; `waiting`: what was found and not fetched."""
    queued = [QueuedRecord(url, priority, 1, found=n) for n, (url, priority) in enumerate((waiting or {}).items(), 1)]
    resumed = Resumed(previous=None, counters=Counters(pages=5, on_topic=3), memory=b"")
    known = ["http://a/", *(page.url for page in pages)]
    results = [*(page.url for page in pages if page.on_topic), "http://a/1", "http://a/2", "http://a/3"][:3]
    understanding = more.pop("understanding", FakeUnderstanding())
    return Session(
        understanding, limits, resumed, queued, known, wanted=pages, fingerprints=marks, results=results, **more
    )


def asked(session: Session, *answers: Outcome) -> tuple[Run, Batch]:
    crawl = Run(session, FakeWeb(*answers)).steps()
    return crawl, session.take_batch()


def test_a_revisit_asks_on_the_conditions_of_its_server() -> None:
    session = begun(wanted(), wanted("http://a/plain", 0.4, etag=None, last_modified=None))
    fetches = []
    for answer in (robots("http://a", ""), Fetched(OLD, 304, {}, b"")):
        action = session.next_action(0.0)
        assert isinstance(action, Fetch)
        fetches.append(action)
        session.receive([(action, answer)], 0.0, STAMP)
    fetches.append(session.next_action(0.0))
    assert [fetch.url for fetch in fetches] == ["http://a/robots.txt", OLD, "http://a/plain"]
    since = (("If-None-Match", '"1"'), ("If-Modified-Since", "Sun, 22 Nov 2026 00:00:00 GMT"))
    assert [fetch.conditions for fetch in fetches] == [(), since, ()]


@pytest.mark.parametrize("headers", [{}, {"location": "http://a/elsewhere"}])
def test_what_has_not_changed_stays_with_a_new_time(headers: Mapping[str, str]) -> None:
    crawl, batch = asked(begun(wanted()), Fetched(OLD, 304, headers, b""))
    assert (batch.pages, batch.asked) == ((), (AskedRecord(OLD, STAMP),))
    assert (batch.counters.pages, batch.counters.on_topic, crawl.ended) == (5, 3, "max-pages")
    assert crawl.session.progress(0.0).asked == {"unchanged": 1}


def test_a_changed_page_is_read_anew_in_its_old_rank() -> None:
    new = html(OLD, {"http://a/new": 0.9}, on_topic=False)
    new = Fetched(OLD, 200, {**HTML, "etag": '"2"'}, new.body)
    crawl, batch = asked(begun(wanted()), new)
    (page,) = batch.pages
    assert (page.order, page.priority, page.depth, page.parent, page.etag) == (3, 0.7, 2, "http://a/", '"2"')
    assert [link.url for link in page.links] == ["http://a/new"]
    (queued,) = page.queued
    assert queued == QueuedRecord("http://a/new", 0.9, 3, OLD, reasons=(Reason("anchor", 0.9),), found=1)
    assert batch.counters.pages == 5  # its new link waits: --max-pages is reached
    assert batch.counters.on_topic == 3 - 1 + bool(page.on_topic)
    assert crawl.pages == [OLD]
    assert crawl.session.progress(0.0).asked == {"changed": 1}


def test_another_answer_with_the_same_text_keeps_its_judgement() -> None:
    _, first = asked(begun(wanted()), html(OLD))
    mark = first.pages[0].fingerprint
    crawl, batch = asked(begun(wanted(fingerprint=mark)), html(OLD))  # on topic, and relevance 0 in the answer
    assert (batch.pages, batch.asked) == ((), (AskedRecord(OLD, STAMP),))
    assert batch.counters.on_topic == 3
    assert crawl.session.progress(0.0).asked == {"unchanged": 1}


NO_RESULT = {
    "404": (Fetched(OLD, 404, {}, b""), "gone"),
    "410": (Fetched(OLD, 410, {}, b""), "gone"),
    "redirect": (moved(OLD, "http://a/moved"), "changed"),
    "redirect to itself": (moved(OLD, OLD), "changed"),
    "noindex": (html(OLD, relevance=1.0, noindex=True), "changed"),
    "no HTML": (Fetched(OLD, 200, {"content-type": "application/zip"}, b"PK"), "changed"),
    "no page": (Fetched(OLD, 200, HTML, b"?"), "changed"),
    "feed": (html(OLD, relevance=1.0, source="feed"), "changed"),
}


@pytest.mark.parametrize(("answer", "what"), NO_RESULT.values(), ids=NO_RESULT)
def test_what_is_no_result_any_more_is_withdrawn_everywhere(answer: Outcome, what: str) -> None:
    """It was judged again just before, and at the end it would be judged once more."""
    other, anew = "http://a/other", JudgedRecord(OLD, 1.0, True, (Reason("other evidence"),))
    understanding = FakeUnderstanding()
    understanding.news, understanding.settled = [anew], [anew]
    goals = goals_of([ConceptRecord(iri="urn:ice", label="ice", weight=1.0)])
    coverage = Coverage(goals, 1, [MentionedRecord(OLD, True, ("urn:ice",))])
    traps = Traps([VisitRecord(OLD, on_topic=True)])
    more = {"understanding": understanding, "traps": traps, "coverage": coverage, "remembers": False}
    session = begun(wanted(), wanted(other, 0.9), **more)
    assert session.progress(0.0).covered == (1, 1)
    crawl = Run(session, FakeWeb(Fetched(other, 304, {}, b""), answer)).steps()
    assert not session.settle()
    batch = session.take_batch()
    assert crawl.pages == [other, OLD]
    if what == "gone":
        assert (batch.pages, batch.asked[1:]) == ((), (AskedRecord(OLD, STAMP, answer.status),))
        assert (understanding.missed, understanding.forgotten) == ([OLD], [(OLD, None)])
    assert session.progress(0.0).asked == {"unchanged": 1, what: 1}
    assert (batch.counters.pages, batch.counters.on_topic, session.progress(0.0).covered) == (5, 2, (0, 1))
    assert OLD in understanding.withdrawn
    assert batch.judged == ()
    assert not any(page.on_topic for page in batch.pages)
    assert all(page.reasons for page in batch.pages)
    assert traps.why("a/**") == Traps([VisitRecord(OLD)]).why("a/**")


def test_a_page_judged_otherwise_is_counted_by_traps() -> None:
    traps = Traps([VisitRecord(OLD, on_topic=True)])
    asked(begun(wanted(), traps=traps), html(OLD, relevance=0.1))
    assert traps.why("a/**") == Traps([VisitRecord(OLD)]).why("a/**")


def test_a_page_out_of_scope_stays_and_is_not_asked() -> None:
    """A scope says what is fetched, not what is a result."""
    scope = scope_of((), (), ("a/old",), stay_on_host=False, stay_on_domain=False)
    crawl, batch = asked(begun(wanted(), limits=replace(FAST, scope=scope)), html(OLD))
    assert crawl.pages == []
    assert (batch.asked, batch.counters.on_topic) == ((AskedRecord(OLD),), 3)


def test_a_banned_host_is_not_asked_and_its_page_stays() -> None:
    """A ban says what is fetched, too; new links wait until it is lifted."""
    more = {"limits": replace(FAST, max_pages=6), "waiting": {"http://a/new": 0.5, "http://b/": 0.1}}
    crawl, batch = asked(begun(wanted(), steering=Steering(banned={"a"}), **more), html("http://b/"))
    assert (crawl.pages, crawl.ended) == (["http://b/"], "max-pages")
    assert (batch.asked, batch.counters.on_topic) == ((AskedRecord(OLD),), 3)
    assert crawl.session.frontier.get("http://a/new") is not None


FORBIDDEN = robots("http://a", "User-agent: *\nDisallow: /old")


@pytest.mark.parametrize(
    "answer", [failed(OLD, "timeout"), Fetched(OLD, 503, {}, b""), Fetched(OLD, 403, {}, b""), FORBIDDEN], ids=str
)
def test_without_an_answer_it_stays_as_it_is(answer: Outcome) -> None:
    crawl, batch = asked(begun(wanted()), answer)
    assert (batch.pages, batch.asked) == ((), (AskedRecord(OLD),))
    assert (batch.counters.pages, batch.counters.on_topic) == (5, 3)
    if answer is FORBIDDEN:
        assert crawl.pages == []
    else:
        assert crawl.session.progress(0.0).asked == {"no answer": 1}


def test_a_page_that_has_moved_leads_to_its_new_address() -> None:
    new = "http://a/moved"
    crawl, batch = asked(begun(wanted(), limits=replace(FAST, max_pages=6)), moved(OLD, new), html(new))
    assert crawl.pages == [OLD, new]
    ends = [(page.url, page.status, page.order) for page in batch.pages]
    assert ends == [(OLD, "redirected", 3), (new, "fetched", 6)]


def test_a_copy_succeeds_a_page_that_is_gone_or_moved() -> None:
    text = "said once more " * 20
    new = "http://a/moved"
    for answer, other in ((Fetched(OLD, 404, {}, b""), "http://a/other"), (moved(OLD, new), new)):
        mark = str(fingerprint(text))
        session = begun(
            wanted(fingerprint=mark),
            limits=replace(FAST, max_pages=6),
            waiting={"http://a/other": 0.9},
            marks=[FingerprintRecord(OLD, mark, order=3, on_topic=True)],
        )
        _, batch = asked(session, answer, html(other, text=text, relevance=1.0))
        (page,) = [page for page in batch.pages if page.url == other]
        assert (page.order, page.copy_of, page.on_topic) == (3, None, True)
        assert [(copy.url, copy.copy_of) for copy in batch.copies] == [(OLD, other)]
        assert (batch.counters.pages, batch.counters.on_topic) == (5, 3)


def test_a_copy_asked_for_again_is_withdrawn_again() -> None:
    """It was read, so without that it would be judged like a page."""
    seed, text, understanding = "http://a/seed", "said once more " * 20, FakeUnderstanding()
    understanding.settled = [JudgedRecord(seed, 1.0, True, ())]
    marks = [FingerprintRecord(OLD, str(fingerprint(text)), order=3, on_topic=True)]
    page = wanted(seed, order=None, on_topic=False)
    session = begun(page, marks=marks, understanding=understanding)
    Run(session, FakeWeb(html(seed, text=text, relevance=1.0))).steps()
    assert not session.settle()
    batch = session.take_batch()
    assert (batch.judged, batch.counters.on_topic, understanding.withdrawn) == ((), 3, [seed])
    (page,) = batch.pages
    assert (page.copy_of, page.on_topic, page.order, page.fingerprint) == (OLD, False, None, None)


def test_a_seed_back_after_it_was_gone_is_no_copy() -> None:
    text = "said once more " * 20
    marks = [FingerprintRecord(OLD, str(fingerprint(text)), order=3, withdrawn=True)]
    session = begun(limits=replace(FAST, max_pages=6), waiting={OLD: 9.0}, marks=marks)
    _, batch = asked(session, html(OLD, text=text, relevance=1.0))
    (page,) = batch.pages
    assert (page.order, page.copy_of, page.on_topic, batch.copies) == (3, None, True, ())
    assert (batch.counters.pages, batch.counters.on_topic, batch.counters.copies) == (5, 4, 0)


def test_revisits_come_first_whatever_waits_and_whatever_host_rests() -> None:
    waiting = {"http://b/best": 9.0, "http://c/best": 8.0}
    pages = [wanted(OLD, 0.2), wanted("http://a/other", 0.6)]
    session = begun(*pages, limits=Limits(max_pages=7, delay=1.0, connections=4), waiting=waiting)
    answers = [html(url) for url in (*waiting, OLD, "http://a/other")]
    crawl, batch = asked(session, *answers)
    assert crawl.pages == ["http://a/other", OLD, "http://b/best", "http://c/best"]
    assert (crawl.ended, batch.counters.pages) == ("max-pages", 7)
    assert crawl.session.progress(crawl.now).cut == (0, 0)


def test_a_link_to_a_page_wanted_again_changes_nothing() -> None:
    other = "http://a/other"
    _, batch = asked(begun(wanted(OLD, 0.6), wanted(other, 0.2)), html(OLD, {other: 0.99}), html(other))
    assert [page.queued for page in batch.pages] == [(), ()]


def test_a_crawl_gives_up_unreachable_hosts_and_goes_on() -> None:
    session = begun(wanted(), limits=Limits(max_pages=6, delay=0.0, connections=1), waiting={"http://b/": 0.5})
    crawl, batch = asked(session, failed("http://a/robots.txt", "connect"), html("http://b/"))
    assert crawl.pages == ["http://b/"]
    assert crawl.ended == "max-pages"
    assert batch.asked == (AskedRecord(OLD),)
    assert crawl.now < OUTAGE_SECONDS * 10


def test_what_is_left_is_told_where_it_is_stopped() -> None:
    session = begun(wanted(), wanted("http://a/other"))
    crawl = Run(session, FakeWeb(html(OLD))).steps(2)
    session.stop("interrupted")
    told = session.progress(crawl.now)
    assert (told.wanted, sum(told.asked.values())) == (1, 1)


def test_seeds_are_asked_for_first() -> None:
    """The seed is the least relevant of all; depths are 2, 0 and 1."""
    seed, other = "http://a/seed", "http://a/other"
    pages = [wanted(depth=2, relevance=0.9), wanted(seed, 0.0, depth=0), wanted(other, 0.8, depth=1)]
    run, _ = asked(begun(*pages), *[Fetched(url, 304, {}, b"") for url in (OLD, seed, other)])
    assert run.pages == [seed, OLD, other]
