"""The default judge: what must hold whatever the constants."""

from collections.abc import Mapping
from dataclasses import replace

import pytest
from miniature import ANALYST, LEXICON, TOPIC, page, shares
from stored_memory import stored

from semantic.memory.strategy_memory import pack_memory
from semantic.page import Page, Position
from semantic.records import Mark, Relevance
from semantic.relevance.default_judge import MOVED, MixtureJudge
from semantic.relevance.relevance_model import CountedPages, relevance_of
from semantic.terms.term_matching import Matcher, build_word_table, count_concepts

TABLE = build_word_table(LEXICON, TOPIC)
MATCHER = Matcher(LEXICON)
FILLER = "the weather of yesterday was rather fine for the season " * 20
RICH = page(
    (Position.TITLE, "fighter jet and missile"),
    (Position.OTHER, "The F-22 is a fighter jet. A fighter carries a missile; the missile of an F-22 is 导弹. " * 6),
)
LONE = page((Position.OTHER, FILLER + "missile " + FILLER))
NONE = page((Position.TITLE, "weather"), (Position.OTHER, FILLER))


def relevance(judge: MixtureJudge, target: Page):
    return judge.judge(target, count_concepts(target, MATCHER))


def test_rich_pages_are_on_topic_and_lone_mentions_are_not():
    assert relevance(MixtureJudge(TOPIC, TABLE), RICH).on_topic
    assert not relevance(MixtureJudge(TOPIC, TABLE), LONE).on_topic
    assert relevance(MixtureJudge(TOPIC, TABLE), NONE).score == 0


def test_reasons_add_up_and_name_the_words():
    found = relevance(MixtureJudge(TOPIC, TABLE), RICH)
    assert shares(found.reasons) == pytest.approx(found.score)
    assert {dict(reason.values)["name"] for reason in found.reasons} == {"fighter", "missile"}
    assert "F-22 ×12" in [word for reason in found.reasons for word in reason.evidence]


def test_words_in_anchors_do_not_make_a_page_relevant():
    menu = page(*[(Position.ANCHOR, "fighter missile F-22")] * 30)
    assert relevance(MixtureJudge(TOPIC, TABLE), menu).score == 0


def test_a_language_without_words_halves_the_score():
    text = (Position.OTHER, "la fighter est un avion " * 5)
    spoken = MixtureJudge(TOPIC, TABLE, frozenset({"en", "zh"}))
    foreign = relevance(spoken, page(text, language="fr"))
    native = relevance(MixtureJudge(TOPIC, TABLE, frozenset({"en", "zh"})), page(text, language="en"))
    assert foreign.score < native.score


def judged(*pages: Page) -> tuple[MixtureJudge, dict[str, float]]:
    """A judge that has seen pages in this order, and what it says of each in the end."""
    judge = MixtureJudge(TOPIC, TABLE)
    told = {target.url: relevance(judge, target).score for target in pages}
    return judge, told | {url: found.score for url, found in judge.settle()}


def numbered(count: int) -> list[Page]:
    """Every third page is rich, every third has a lone mention, every third nothing."""
    return [replace((RICH, LONE, NONE)[i % 3], url=f"http://example.org/{i}") for i in range(count)]


def test_same_page_ends_with_one_relevance_whenever_read():
    pages = numbered(130)
    _, early = judged(*pages)
    _, late = judged(*reversed(pages))
    assert early == pytest.approx(late)
    assert early["http://example.org/0"] == early["http://example.org/129"]


def test_news_tell_what_moved_and_settle_the_rest():
    judge = MixtureJudge(TOPIC, TABLE)
    record: dict[str, float] = {}
    for target in numbered(130):
        record[target.url] = relevance(judge, target).score
        record |= {url: found.score for url, found in judge.news(7)}
    moved = {url: found.score for url, found in judge.settle()}
    assert moved and max(abs(moved[url] - record[url]) for url in moved) <= MOVED + 1e-9
    assert dict(judge.settle()) == {}


def test_copies_noindex_and_feeds_are_not_told_of():
    judge = MixtureJudge(TOPIC, TABLE)
    silent = [replace(RICH, url="u:noindex", noindex=True), replace(RICH, url="u:feed", source="feed")]
    for target in [*silent, replace(RICH, url="u:copy"), *numbered(130)]:
        relevance(judge, target)
    judge.leave_out("u:copy")
    assert not {url for url, _ in [*judge.news(1000), *judge.settle()] if url.startswith("u:")}


@pytest.mark.parametrize("now", [{"noindex": True}, {"source": "feed"}])
def test_a_page_read_again_without_index_is_told_no_more(now):
    judge, again = MixtureJudge(TOPIC, TABLE), MixtureJudge(TOPIC, TABLE)
    relevance(judge, RICH)
    again.restore(stored(judge))
    relevance(again, replace(RICH, **now))
    assert RICH.url not in dict([*again.settle(), *again.news(100)])


def test_an_edited_ontology_knows_words_by_their_text():
    judge = MixtureJudge(TOPIC, TABLE)
    for target in numbered(30):
        relevance(judge, target)
    order = [3, 0, 1, 2, 4, 5, 6]
    words = tuple(LEXICON.words[i] for i in order)
    forms = {form: (order.index(numbers[0]),) for form, numbers in LEXICON.forms.items()}
    lexicon = replace(LEXICON, words=words, forms=forms)
    other = MixtureJudge(TOPIC, build_word_table(lexicon, TOPIC))
    other.restore(stored(judge))
    before, after = ({url: found.score for url, found in one.settle()} for one in (judge, other))
    assert {url: after[url] for url in before} == pytest.approx(before)


TEXTS = {"good": "brew the leaves of a fine fighter", "bad": "repair the engine of a fighter"}


def fighters(count: int) -> list[Page]:
    """Pages that all name the topic once, every second one about something else."""
    kinds = [("good", "bad")[i % 2] for i in range(count)]
    return [
        page((Position.OTHER, f"{TEXTS[kind]} {' '.join(f'w{i}x{k}' for k in range(20))}"), url=f"http://h/{kind}/{i}")
        for i, kind in enumerate(kinds)
    ]


MARKS: dict[str, Mark] = {f"http://h/{mark}/{i}": mark for i, mark in enumerate(["good", "bad"] * 6)}


def taught(pages: list[Page], marks: Mapping[str, Mark] = MARKS) -> tuple[MixtureJudge, dict[str, Relevance]]:
    """A judge that knew the marks from the start, and what it says of each page in the end."""
    judge = MixtureJudge(TOPIC, TABLE)
    judge.teach(marks)
    told = {target.url: relevance(judge, target) for target in pages}
    return judge, told | dict(judge.settle())


def test_marks_move_their_pages_and_pages_like_them():
    _, found = taught(fighters(130))
    assert [found["http://h/good/0"].score, found["http://h/bad/1"].score] == [1, 0]
    assert found["http://h/good/100"].score > found["http://h/bad/101"].score + 0.3


def test_a_hub_says_nothing_about_pages_like_it():
    pages = fighters(130)
    hubs: dict[str, Mark] = {one.url: "hub" for one in pages[12:40]}
    for marks in ({}, MARKS):
        (_, without), (_, found) = taught(pages, marks), taught(pages, {**marks, **hubs})
        assert {found[url].score for url in hubs} == {0}
        others = without.keys() - hubs
        assert {url: found[url].score for url in others} == pytest.approx({url: without[url].score for url in others})


def test_links_of_a_hub_count_as_it_was_judged():
    pages = [*fighters(60), *numbered(60)]
    judge, without = taught(pages, {})
    weak, strong = pages[0], max(pages, key=lambda one: without[one.url].score)
    assert without[weak.url].score < 0.5 < without[strong.url].score
    marks: dict[str, Mark] = {weak.url: "hub", strong.url: "hub"}
    marked, found = taught(pages, marks)
    assert found[weak.url].for_links == 0.5
    assert found[strong.url].for_links > 0.5
    for url in marks:
        assert (found[url].score, found[url].on_topic, found[url].leads) == (0, False, True)
        assert found[url].reasons[-1].kind == "marked hub" and shares(found[url].reasons) == pytest.approx(0)
    before, after = (relevance_of(one.recent(len(pages))) for one in (judge, marked))
    assert after[0] == pytest.approx(0.5) and after[1:] == pytest.approx(before[1:])


def test_a_bad_page_that_becomes_a_hub_is_reported():
    pages = fighters(30)
    url = pages[4].url
    judge, found = taught(pages, {url: "bad"})
    assert not found[url].leads
    for mark, leads in (("hub", True), ("bad", False)):
        marked_anew(judge, {url: mark}, pages)
        news = dict(judge.news(100))
        assert {one: found.leads for one, found in news.items()} == {url: leads} and news[url].score == 0
        judge.teach({url: "bad" if leads else "hub"})  # without looking back, it is reported in the end
        assert {one: found.leads for one, found in judge.settle()} == {url: not leads}
        judge.teach({url: mark})
        assert {one: found.leads for one, found in judge.settle()} == {url: leads}
        assert not list(judge.settle())


def test_reasons_name_the_marked_pages_and_add_up():
    _, all_found = taught(fighters(130))
    for url, found in all_found.items():
        assert shares(found.reasons) == pytest.approx(found.score)
        by_mark = found.reasons[-1]
        assert (by_mark.kind in ("marked good", "marked bad")) == (url in MARKS)
        assert url in MARKS or "http://h/" in str(by_mark.evidence)


def test_marks_given_later_count_once_pages_are_shown_again():
    pages = fighters(130)
    late = MixtureJudge(TOPIC, TABLE)
    told = {target.url: relevance(late, target) for target in pages}
    assert late.teach(MARKS)
    late.read_again(map(ANALYST.frame, pages))
    late.look_back()
    _, early = taught(pages)
    ends = told | dict(late.settle())
    assert {url: one.score for url, one in ends.items()} == pytest.approx(
        {url: one.score for url, one in early.items()}
    )
    assert late.recent(130)[100] > late.recent(130)[101]  # what the links are ordered by


def test_marks_go_on_after_a_stop():
    pages = fighters(130)
    (through, _), (first, _) = taught(pages[:80]), taught(pages[:80])
    second = MixtureJudge(TOPIC, TABLE)
    second.restore(stored(first))
    for target in pages[80:]:
        assert relevance(second, target) == relevance(through, target)
    assert not second.teach(MARKS)  # all is known already


def test_a_mark_goes_along_with_a_redirect():
    pages = fighters(30)
    judge = MixtureJudge(TOPIC, TABLE)
    judge.teach({"http://h/old": "good"})
    judge.follow("http://h/old", pages[5].url)
    told = {target.url: relevance(judge, target) for target in pages}
    assert told[pages[5].url].score == 1


def test_a_page_is_weighed_as_when_settled_without_learning():
    judge = MixtureJudge(TOPIC, TABLE)
    pages = [replace(one, url=f"http://a.example/{number}") for number, one in enumerate([RICH, LONE, NONE] * 12)]
    said = {one.url: relevance(judge, one).score for one in pages}
    said |= {url: found.score for url, found in judge.settle()}
    before = pack_memory(judge.remember())
    twin = replace(RICH, url="file:///")
    found, other = judge.weigh([ANALYST.frame(twin), ANALYST.frame(replace(LONE, url="file:///"))])
    assert other.score == pytest.approx(said[pages[1].url], abs=1e-9)
    assert found.score == pytest.approx(said[pages[0].url], abs=1e-9)
    assert shares(found.reasons) == pytest.approx(found.score)
    assert pack_memory(judge.remember()) == before


def test_marks_move_a_page_that_is_weighed():
    some = dict(list(MARKS.items())[:6])  # with all, bad pages are at 0, and only a changed number brings new reasons
    judge, found = taught(fighters(130), some)
    for target in fighters(130)[100:]:
        (weighed,) = judge.weigh([ANALYST.frame(target)])
        assert weighed.score == pytest.approx(found[target.url].score, abs=1e-9)
        assert list(map(str, weighed.reasons)) == list(map(str, found[target.url].reasons))


def test_a_copy_teaches_that_links_to_it_lead_to_nothing():
    judge = MixtureJudge(TOPIC, TABLE)
    for number in range(3):
        relevance(judge, replace(RICH, url=f"http://example.org/{number}"))
    judge.leave_out("http://example.org/1")
    first, copy, last = judge.recent(3)
    assert first > 0 and copy == 0 and last > 0
    again = MixtureJudge(TOPIC, TABLE)
    again.restore(stored(judge))
    assert again.recent(3).tolist() == [first, copy, last]


def settled(judge: MixtureJudge, record: dict[str, float]) -> dict[str, float]:
    """The record, brought up to date."""
    record |= {url: found.score for url, found in judge.settle()}
    return dict(record)


def marked_anew(judge: MixtureJudge, marks: dict[str, Mark], pages: list[Page]) -> None:
    if judge.teach(marks):
        judge.read_again(map(ANALYST.frame, pages))
    judge.look_back()


def test_marks_taken_back_count_no_more():
    judge, pages = MixtureJudge(TOPIC, TABLE), numbered(130)
    record = {target.url: relevance(judge, target).score for target in pages}
    before = settled(judge, record)
    marks = {target.url: "good" if i % 3 == 1 else "bad" for i, target in enumerate(pages[:24])}
    marked_anew(judge, marks, pages)
    assert settled(judge, record) != pytest.approx(before)
    marked_anew(judge, {}, pages)
    assert settled(judge, record) == pytest.approx(before)


def reviewed(good: int, bad: int) -> tuple[MixtureJudge, dict[str, float], list[str]]:
    """130 pages on topic at .2, of which so many are marked: the judge, all relevances, the pages without a mark."""
    judge, pages = MixtureJudge(TOPIC, TABLE, threshold=0.2), fighters(130)
    record = {target.url: relevance(judge, target).score for target in pages}
    assert min(settled(judge, record).values()) > 0.2
    liked, unliked = ([one.url for one in pages if kind in one.url] for kind in ("/good/", "/bad/"))
    marks = {**dict.fromkeys(liked[:good], "good"), **dict.fromkeys(unliked[:bad], "bad")}
    marked_anew(judge, marks, pages)
    return judge, settled(judge, record), [one.url for one in pages if one.url not in marks]


@pytest.mark.parametrize(("good", "least"), [(0, 110), (2, 90)])
def test_many_bad_marks_do_not_make_the_list_collapse(good: int, least: int):
    _, found, others = reviewed(good, 20 - good)
    assert sum(found[url] >= 0.2 for url in others) >= least
    liked, unliked = ([found[url] for url in others if kind in url] for kind in ("/good/", "/bad/"))
    assert min(liked) > max(unliked)  # their order follows the marks all the same


def test_the_twentieth_mark_leaves_the_scale_as_it_was():
    before, after = (reviewed(10, bad)[1] for bad in (9, 10))
    assert [after[url] for url in after if "/good/" in url] == pytest.approx(
        [before[url] for url in after if "/good/" in url], abs=0.05
    )


def test_enough_marks_propose_a_threshold_and_count_its_pages():
    judge, found, _ = reviewed(10, 10)
    assert judge.likely is not None
    border, pages = judge.likely
    assert pages == sum(score >= border for score in found.values()) == 65
    assert reviewed(4, 16)[0].likely is None


def test_what_is_given_back_goes_on_where_it_stopped():
    judge, found, _ = reviewed(0, 20)
    second = MixtureJudge(TOPIC, TABLE, threshold=0.2)
    second.restore(stored(judge))
    for target in fighters(130)[100:]:
        again = replace(target, url=target.url + "x")
        new = relevance(second, again)
        assert new == relevance(judge, again)
        assert new.score == pytest.approx(found[target.url], abs=0.01)  # a new page gets it, too


def test_a_page_read_again_moves_no_other_page():
    judge, pages = MixtureJudge(TOPIC, TABLE), numbered(130)
    for target in pages:
        relevance(judge, target)
    marked_anew(judge, {target.url: "good" if i % 3 == 1 else "bad" for i, target in enumerate(pages[:24])}, pages)
    before = judge.recent(len(pages))
    relevance(judge, pages[30])
    assert judge.recent(len(pages)).tolist() == pytest.approx([*before[1:], before[30]])


def test_older_pages_are_judged_again_in_turn(monkeypatch):
    """The last 200 are looked at each time, and of the older ones 200, then the next 200, then the first again."""
    for name in ("default_judge", "relevance_model", "judge_training"):
        monkeypatch.setattr(f"semantic.relevance.{name}.RECENT", 200)
    judge, seen, columns = MixtureJudge(TOPIC, TABLE), [], CountedPages.columns
    monkeypatch.setattr(CountedPages, "columns", lambda pages, *span: seen.append(span) or columns(pages, *span))
    for target in numbered(600):
        relevance(judge, target)
    seen.clear()
    for target in [replace(target, url=target.url + "x") for target in numbered(500)]:
        relevance(judge, target)
    assert (0, 200) in seen


def grown_old(monkeypatch, together: int) -> tuple[MixtureJudge, dict[str, Relevance]]:
    """A judge of 700 pages of which the last 100 are recent, packed `together`, and all that it said."""
    for name in ("default_judge.RECENT", "relevance_model.RECENT", "judge_training.RECENT"):
        monkeypatch.setattr(f"semantic.relevance.{name}", 100)
    monkeypatch.setattr("semantic.relevance.relevance_model.TOGETHER", together)
    monkeypatch.setattr("semantic.memory.compact_collections.TOGETHER", together)
    judge, told = MixtureJudge(TOPIC, TABLE), {}
    for number, target in enumerate(numbered(700)):
        told[target.url] = relevance(judge, target)
        told |= dict(judge.news(7))
        if number == 300:
            judge.leave_out("http://example.org/5")
            told["read again"] = relevance(judge, replace(NONE, url="http://example.org/9"))
    return judge, told | dict(judge.settle())


def test_old_pages_are_judged_the_same_however_they_are_packed(monkeypatch):
    (_, plain), (packed, told) = (grown_old(monkeypatch, together) for together in (10_000, 8))
    assert len(stored(packed)["pages"]["pieces"]) > 50
    assert told == plain
    second = MixtureJudge(TOPIC, TABLE)
    second.restore(stored(packed))
    for target in numbered(300):
        assert relevance(second, target) == relevance(packed, target)
    found = dict(packed.settle())
    assert {url: one for url, one in second.settle() if url in found} == found


@pytest.mark.parametrize(("together", "due"), [(8, 25), (7, 50), (9, 100)])
def test_looking_back_inside_a_batch_takes_in_all_of_it(together, due):
    """The same statistics as of a judge that got these pages one by one and looks back then."""
    pages = fighters(due + together)
    batches, singly = MixtureJudge(TOPIC, TABLE), MixtureJudge(TOPIC, TABLE)
    ends = range(together, len(pages) + 1, together)
    last = next(end for end in ends if end >= due)
    assert last > due, "the look back is due inside"
    for end in ends:
        if end <= last:
            batches.judge_frames(list(map(ANALYST.frame, pages[end - together : end])))
    for target in pages[:last]:
        relevance(singly, target)
    singly.look_back()
    assert batches.looked_back == singly.looked_back == last
    known = (pack_memory({"known": judge.remember()["known"]}) for judge in (batches, singly))
    assert next(known) == next(known)
    assert batches.recent(last).tolist() == singly.recent(last).tolist()


def test_pages_of_one_batch_are_judged_as_one_by_one():
    """Where no look back is due between them, to the last digit, whichever of them came before."""
    pages = fighters(20)
    batches, singly = MixtureJudge(TOPIC, TABLE), MixtureJudge(TOPIC, TABLE)
    for judge in (batches, singly):
        relevance(judge, pages[7])
    found = batches.judge_frames(list(map(ANALYST.frame, pages)))
    assert found == [relevance(singly, target) for target in pages]
    assert pack_memory(batches.remember()) == pack_memory(singly.remember())


def test_words_of_a_batch_are_compared_with_marks():
    judge, pages = MixtureJudge(TOPIC, TABLE), fighters(130)
    judge.teach(MARKS)
    told = {}
    for first in range(0, 130, 10):
        batch = pages[first : first + 10]
        told |= dict(zip([one.url for one in batch], judge.judge_frames(list(map(ANALYST.frame, batch))), strict=True))
    told |= dict(judge.settle())
    _, alone = taught(pages)
    assert {url: one.score for url, one in told.items()} == pytest.approx(
        {url: one.score for url, one in alone.items()}
    )
