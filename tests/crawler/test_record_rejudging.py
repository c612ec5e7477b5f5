"""What a crawl has kept, judged again by a strategy whose topic is made of its seeds."""

import os
import subprocess
import sys
import threading
from dataclasses import asdict, replace
from pathlib import Path

import numpy as np
import pytest
from isal import isal_zlib

from crawler.archive.stored_pages import page_of_stored
from crawler.rejudging.record_frames import MANY, TOGETHER, FramesAhead, frames
from crawler.rejudging.record_rejudging import changed_mentions, judge_again
from ontology.errors import StoreError
from ontology.lexicon.lexicon import Lexicon, Sense, Word
from ontology.topic import Topic
from semantic.parsing.page_reader import pack, read_page
from semantic.records import MentionRecord, StoredPage
from semantic.strategies.strategy_table import build_understanding
from semantic.understanding import TopicUnderstanding

ICE, SNOW, LATE = ("http://h.example/ice", "http://h.example/snow", "http://h.example/late")
HOST = "http://h.example/"
WORDS = Lexicon((Word("ice", "en", (Sense("ice", 0, (("ice", 0),)),)),), {"ice": (0,)})


def kept(url: str, text: str) -> StoredPage:
    content = pack(read_page(f"<p>{text}</p>".encode(), url, {}))
    return StoredPage(url, "fetched", 200, 1, "", None, (), content, ())


@pytest.mark.parametrize(
    ("seeds", "said"),
    [
        ([ICE, SNOW], {ICE: 2 / 5**0.5, SNOW: 1 / 5**0.5}),  # (4, 0) and (0, 2) beside (2, 1)
        ([ICE, SNOW, LATE], {ICE: 1.0, SNOW: 1.0}),  # the third is still to come: seeds count as on topic
    ],
)
def test_with_all_seeds_known_each_page_is_told_once(seeds, said):
    understanding = build_understanding("customised", Topic(None, "s", {}, {}), Lexicon((), {}), seeds=seeds)
    pages = [kept(ICE, "ice ice ice ice"), kept(SNOW, "snow snow")]
    found = [(record.url, record.relevance) for record in judge_again(pages, understanding)]
    assert len(found) == len(said)
    assert dict(found) == pytest.approx(said)


def test_pages_read_again_have_their_kind_though_they_were_held():
    pages = [kept(ICE, "ice ice ice ice"), kept(SNOW, f'<a href="/x">{"snow " * 30}</a>')]
    for seeds in ([ICE], [ICE, SNOW]):
        understanding = build_understanding("customised", Topic(None, "s", {}, {}), Lexicon((), {}), seeds=seeds)
        kinds = {record.url: record.kind for record in judge_again(pages, understanding)}
        assert kinds == {ICE: "article", SNOW: "listing"}


def said(concept: str, count: int) -> MentionRecord:
    return MentionRecord(concept, count, 0.5, {"other": count}, tuple(range(count)))


@pytest.mark.parametrize(
    ("stored", "found", "changed"),
    [
        (None, (said("ice", 1),), ((said("ice", 1),), None)),
        ((said("ice", 1), said("snow", 2)), (said("snow", 2), said("ice", 1)), (None, None)),
        ((said("ice", 1),), (said("ice", 1), said("snow", 2)), ((said("snow", 2),), ())),
        ((said("ice", 1), said("snow", 2)), (said("ice", 3),), ((said("ice", 3),), ("ice", "snow"))),
        ((said("ice", 1), said("ice", 1)), (said("ice", 1),), ((said("ice", 1),), None)),  # stored twice by mistake
    ],
)
def test_only_changed_mentions_are_written(stored, found, changed):
    assert changed_mentions(stored, found) == changed


def built() -> TopicUnderstanding:
    return build_understanding("fused", Topic(None, "t", {"ice": 1.0}, {}), WORDS)


def record(pages: int) -> list[StoredPage]:
    """Pages on ice and off it, linked in a row; every tenth is kept without its text, every eleventh was not there."""
    found = [
        kept(f"{HOST}{n}", f"{'ice ' * (n % 7)} word{n} and more <a href={HOST}{n + 1}>on</a>")._replace(order=n + 1)
        for n in range(pages)
    ]
    found[::10] = [page._replace(content=None, order=None) for page in found[::10]]
    found[::11] = [StoredPage(page.url, "failed", 404, 1, "", None, (), None, ()) for page in found[::11]]
    return found


@pytest.mark.slow
@pytest.mark.parametrize("pages", [MANY - 1, MANY + TOGETHER + 1])
def test_frames_made_by_processes_are_those_made_here(pages: int) -> None:
    analyst, given = replace(built().analyst, recorded=True), record(pages)
    parts = list(frames(given, analyst))
    assert [len(part) for part in parts] == [TOGETHER] * (pages // TOGETHER) + [pages % TOGETHER]
    found = [one for part in parts for one in part]
    assert [page.url for page, _ in found] == [page.url for page in given]
    for (_, frame), page in zip(found, given, strict=True):
        here = None if page.content is None else analyst.frame(page_of_stored(page), page.content)
        np.testing.assert_equal(frame and asdict(frame), here and asdict(here))


def test_frames_made_ahead_are_the_same_and_end_when_asked() -> None:
    given = record(2 * TOGETHER + 5)
    ahead = FramesAhead(given, built().analyst)
    assert [page.url for part in ahead for page, _ in part] == [page.url for page in given]
    ahead.close()
    old = [page._replace(content=isal_zlib.compress(b"{}")) for page in given if page.content]
    ahead = FramesAhead(old, built().analyst)
    with pytest.raises(StoreError, match="earlier version"):
        list(ahead)
    ahead.close()
    left = FramesAhead((page for _ in range(100) for page in given), built().analyst)
    assert len(next(iter(left))) == TOGETHER
    left.close()
    assert not any(thread.name == "frames ahead" for thread in threading.enumerate())


@pytest.mark.slow
def test_frames_that_nobody_takes_hold_up_nothing() -> None:
    before = children()
    begun = frames(record(MANY + 1), built().analyst)
    assert len(next(begun)) == TOGETHER
    begun.close()
    assert not list(begun)
    assert children() == before


def children() -> set[str]:
    """The processes that this one has started and that have not ended."""
    return set(Path(f"/proc/self/task/{os.getpid()}/children").read_text().split())


SCRIPT = """
from pathlib import Path
from test_record_rejudging import MANY, built, frames, record
with Path("runs").open("a") as runs:
    runs.write("x")
print(sum(len(part) for part in frames(record(MANY), built().analyst)))
"""


@pytest.mark.slow
def test_a_script_without_main_guard_runs_once(tmp_path: Path) -> None:
    here = Path(__file__).parent
    (tmp_path / "script.py").write_text(SCRIPT)
    env = {**os.environ, "PYTHONPATH": f"{here}:{here.parents[1]}"}
    typed = [sys.executable, "script.py"]
    found = subprocess.check_output(typed, text=True, cwd=tmp_path, env=env, timeout=60)
    assert found.strip() == str(MANY)
    assert (tmp_path / "runs").read_text() == "x"


@pytest.mark.slow
def test_a_record_too_old_to_be_read_again_says_so() -> None:
    old = [page._replace(content=isal_zlib.compress(b"{}")) for page in record(MANY) if page.content]
    with pytest.raises(StoreError, match="earlier version"):
        list(frames(old + record(MANY), built().analyst))


def test_a_record_in_groups_teaches_what_its_pages_would_have() -> None:
    """Each page with text is told of once, in order; what was learned is what pages that came so would have taught."""
    given = record(2 * TOGETHER + 5)
    judged, crawled = built(), built()
    said = list(judge_again(given, judged))
    expected = []
    for first in range(0, len(given), TOGETHER):
        part = given[first : first + TOGETHER]
        texts = [page for page in part if page.content is not None]
        some = [crawled.analyst.frame(page_of_stored(page), page.content) for page in texts]
        read = crawled.understand_frames(some, links=False)
        expected += [(one.frame.url, one.relevance.score) for one in read]
        vain = [page.url for page in part if page.status == "failed"]
        crawled.scorer.miss(vain)
        for url in vain:
            crawled.forget(url, None)
    textless = [page.url for page in given if page.status == "fetched" and page.content is None]
    crawled.scorer.miss(textless)
    for url in textless:
        crawled.forget(url, None)
    crawled.end_learning()
    assert [(one.url, one.relevance) for one in said] == expected
    same = judged.remember() == crawled.remember()
    assert same, "the memories differ"
    assert len({one.relevance for one in said}) > 5


def test_mentions_that_the_record_has_are_left_open() -> None:
    (first,) = judge_again([kept(ICE, "ice ice")], built())
    assert first.mentions
    same = kept(ICE, "ice ice")._replace(mentions=first.mentions)
    fewer = kept(ICE, "ice ice ice")._replace(mentions=first.mentions)
    assert [one.mentions for one in judge_again([same], built())] == [None]
    (changed,) = judge_again([fewer], built())
    assert changed.mentions and changed.mentions != first.mentions


def test_seeds_in_different_groups_are_waited_for() -> None:
    """The first seed is judged by the last, which comes a group later."""
    first, last = f"{HOST}first", f"{HOST}last"
    between = [kept(f"{HOST}{n}", "car") for n in range(TOGETHER)]
    pages = [kept(first, "ice ice ice ice"), *between, kept(last, "snow snow")]
    seeds = [first, last]
    understanding = build_understanding("customised", Topic(None, "s", {}, {}), Lexicon((), {}), seeds=seeds)
    found = [(one.url, one.relevance) for one in judge_again(pages, understanding)]
    assert len(found) == len(pages)
    assert (dict(found)[first], dict(found)[last]) == pytest.approx((2 / 5**0.5, 1 / 5**0.5))
