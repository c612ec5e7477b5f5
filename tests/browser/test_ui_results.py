"""The page's tabs of results and review: all results are chosen from, marked by keys, judged again and saved."""

import json
import re
import sqlite3
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from browser_fixtures import PHONE, Open, Seen, command
from tea_web import HOST, ONTOLOGY, crawled_tea, start

HOSTILE = "<img src=x onerror=document.title='owned'><script>document.title='owned'</script> green tea"
GREEN, OTHER = range(70), range(30)
PAGES = {
    "/": start(*(f"green-{number}" for number in GREEN), *(f"other-{number}" for number in OTHER)),
    **{
        f"/green-{number}": (f"Leaf {number}", f"<p>Green tea number {number} has {number + 7} leaves of tea.</p>" * 2)
        for number in GREEN
    },
    **{
        f"/other-{number}": (f"Wheel {number}", f"<p>Wheel {number} turns {number + 5} times in the mud.</p>" * 2)
        for number in OTHER
    },
}
PAGES["/green-1"] = (HOSTILE, f"<p>Green tea is tea. {HOSTILE.replace('<', '&lt;')}</p>" * 3)


@pytest.fixture(scope="module")
def crawled(tmp_path_factory) -> Path:
    """The store of a small crawl."""
    made = tmp_path_factory.mktemp("crawled")
    return Path(crawled_tea(made, PAGES, ONTOLOGY, threshold=0.3))


@pytest.fixture
def page_at(crawled: Path, tmp_path) -> Iterator[tuple[Path, str]]:
    """A copy of it, and the address of a page that shows it."""
    store = tmp_path / "store"
    store.mkdir()
    (store / "crawl.sqlite").write_bytes((crawled / "crawl.sqlite").read_bytes())
    words = ("ui", "--no-browser", "--lang", "en", "--store", str(store))
    with command(tmp_path, *words, state=tmp_path / "state") as process:
        yield store, next(found[1] for said in process.stderr if (found := re.search(r"(http://127\S+)", said)))
        process.terminate()
        process.wait(30)


@pytest.fixture
def seen(page_at: tuple[Path, str], opened: Open) -> Seen:
    found = opened(page_at[1])
    has(found, "#results-list li", 50)
    return found


def has(seen: Seen, selector: str, number: int) -> None:
    seen.page.wait_for_function("([s, n]) => document.querySelectorAll(s).length === n", arg=[selector, number])


def says(seen: Seen, selector: str, words: str) -> None:
    seen.page.wait_for_function("([s, w]) => document.querySelector(s).innerText.includes(w)", arg=[selector, words])


def marks(store: Path) -> dict[str, str]:
    with closing(sqlite3.connect(store / "crawl.sqlite")) as record:
        return dict(record.execute("SELECT url, verdict FROM pages WHERE verdict IS NOT NULL"))


def wait_for_marks(store: Path, seen: Seen, wanted: dict[str, str]) -> None:
    """They are sent one after the other."""
    for _ in range(100):
        if marks(store) == wanted:
            break
        seen.page.wait_for_timeout(50)
    assert marks(store) == wanted


def test_results_have_sentences_and_come_fifty_at_a_time(seen):
    page = seen.page
    assert page.locator("#results-count").inner_text().startswith("7")
    row = page.locator("#results-list li", has_text="Leaf").first
    assert {"Green tea", "tea"} <= set(row.locator(".said mark").all_inner_texts())
    assert "tea.example" in row.inner_text() and row.locator(".why").inner_text()
    page.locator("#results-more").scroll_into_view_if_needed()
    page.wait_for_function("() => document.querySelectorAll('#results-list li').length > 50")
    assert page.locator("#results-more").is_hidden()
    assert seen.errors == [] and seen.outside == []


def test_facets_leave_what_fits_and_say_how_many(seen):
    page = seen.page
    branch = page.locator("#facet-concept > li").first
    branch.locator("summary").click(position={"x": 3, "y": 8})
    green = branch.get_by_role("button", name="green tea")
    count = int(branch.locator("ul .count").first.inner_text())
    green.click()
    says(seen, "#results-count", f"{count} results")
    page.locator("#facet-marked").select_option("good")
    says(seen, "#results-count", "No result fits")
    page.locator("#results-all").click()
    has(seen, "#results-list li", 50)
    assert page.locator("#facet-marked").input_value() == ""


def test_hostile_titles_and_addresses_do_nothing(page_at, opened):
    with closing(sqlite3.connect(page_at[0] / "crawl.sqlite")) as record, record:
        script = "javascript:document.title=`owned`"
        record.execute("UPDATE pages SET url = ?, relevance = 1 WHERE url = ?", [script, f"{HOST}/green-2"])
    seen = opened(page_at[1])
    has(seen, "#results-list li", 50)
    page = seen.page
    script = page.locator("#results-list li[data-key^='javascript:']")
    assert script.locator("a").get_attribute("href") is None
    script.locator("a").click()
    page.keyboard.press("o")
    page.keyboard.press("Enter")
    assert page.locator("#results-list li", has_text=HOSTILE).count() == 1
    assert page.locator("main img, #results-list script").count() == 0
    assert page.title() == "ontocrawl" and seen.errors == []


def test_twenty_keys_give_twenty_marks_and_undo_takes_one(page_at, seen):
    page = seen.page
    order = page.locator("#results-list li").evaluate_all("rows => rows.map((row) => row.dataset.key)")
    for number in range(20):
        page.keyboard.press("b" if number % 4 == 3 else "g")
    says(seen, "#results-judge", "(20)")
    page.keyboard.press("u")
    says(seen, "#results-judge", "(19)")
    wanted = {url: "bad" if number % 4 == 3 else "good" for number, url in enumerate(order[:19])}
    wait_for_marks(page_at[0], seen, wanted)
    assert page.locator("#results-list li").evaluate_all("rows => rows.map((row) => row.dataset.key)") == order
    assert page.evaluate("document.activeElement.dataset.key") == order[19]


def test_a_key_marks_a_hub_and_undo_takes_it_back(page_at, seen):
    page, hubs = seen.page, "#results-list .hub"
    url = page.locator("#results-list li").first.get_attribute("data-key")
    page.keyboard.press("h")
    assert page.locator(hubs).get_attribute("data-key") == url
    assert page.locator(f"{hubs} [data-mark=hub]").get_attribute("aria-pressed") == "true"
    assert page.evaluate("document.activeElement !== document.querySelector('#results-list .hub')")
    wait_for_marks(page_at[0], seen, {url: "hub"})
    count = int(page.locator("#results-count").inner_text().split()[0])
    page.locator("#results-again").click()
    says(seen, "#results-count", f"{count - 1} results")
    page.locator("#facet-marked").select_option("hub")
    says(seen, "#results-count", "1 result")
    has(seen, hubs, 1)
    page.locator("#results-list li").focus()
    page.keyboard.press("b")
    has(seen, hubs, 0)
    page.keyboard.press("u")
    has(seen, hubs, 1)
    wait_for_marks(page_at[0], seen, {url: "hub"})
    page.locator(f"{hubs} [data-mark=hub]").click()
    wait_for_marks(page_at[0], seen, {})
    page.keyboard.press("u")
    wait_for_marks(page_at[0], seen, {url: "hub"})
    assert seen.errors == []


def test_marks_propose_a_threshold_that_one_button_uses(page_at, opened):
    with closing(sqlite3.connect(page_at[0] / "crawl.sqlite")) as record, record:
        record.executemany(
            "UPDATE pages SET verdict = ? WHERE url = ?",
            [
                *(("good", f"{HOST}/green-{number}") for number in GREEN[5:20]),
                *(("bad", f"{HOST}/other-{number}") for number in OTHER[5:15]),
            ],
        )
    seen = opened(page_at[1])
    has(seen, "#results-list li", 50)
    seen.page.locator("#border-box summary").click()
    says(seen, "#border-count", "reach 0.30")
    seen.page.locator("#border").fill("0.99")
    seen.page.locator("#border-use").click()
    says(seen, "#results-changes", "more likely good than bad")
    border = seen.page.locator("#results-changes .use").inner_text().split()[1]
    seen.page.locator("#results-changes .use").click()
    says(seen, "#border-at", f"{float(border):.2f} (in force)")


def test_keys_go_through_the_list_and_past_its_end(seen):
    page = seen.page
    for _ in range(51):
        page.keyboard.press("j")
    page.wait_for_function("() => document.querySelectorAll('#results-list li').length > 50")
    page.keyboard.press("ArrowDown")
    page.wait_for_function("() => document.activeElement === document.querySelectorAll('#results-list li')[51]")
    page.keyboard.press("k")
    page.wait_for_function("() => document.activeElement === document.querySelectorAll('#results-list li')[50]")
    page.locator("#facet-site").focus()
    page.keyboard.press("g")  # in a field it is no mark
    assert page.locator("#results-list .good").count() == 0


def test_a_threshold_is_tried_used_and_told(seen):
    page = seen.page
    page.locator("#border-box summary").click()
    says(seen, "#border-count", "reach 0.30")
    assert page.locator("#border-use").is_disabled()
    page.locator("#border").fill("0.99")
    assert "go" in page.locator("#border-go").inner_text()
    assert page.locator("#border-out li").count() == 5
    page.locator("#border-use").click()
    says(seen, "#results-changes", "went")
    has(seen, "#results-list li", int(page.locator("#results-changes p").first.inner_text().split()[0]))


@pytest.mark.parametrize("form", ["csv", "ris", "jsonl"])
def test_what_is_shown_is_saved(seen, form):
    page = seen.page
    number = int(page.locator("#results-count").inner_text().split()[0])
    with page.expect_download() as saving:
        page.locator(f"[data-form={form}]").click()
    text = Path(saving.value.path()).read_text("utf-8-sig")
    assert saving.value.suggested_filename == f"results.{form}"
    if form == "csv":
        assert text.count("\n") == number + 1 and text.startswith('"relevance"')
    elif form == "ris":
        assert text.count("TY  - ELEC\n") == text.count("ER  - ") == number
    else:
        assert len([json.loads(line)["url"] for line in text.splitlines()]) == number


def test_ten_keys_review_ten_pages_and_tell_what_changed(page_at, opened):
    seen = opened(page_at[1])
    page = seen.page
    page.locator("#tab-review").click()
    has(seen, "#review-list li", 10)
    first = page.locator("#review-list li").first.get_attribute("data-key")
    assert page.locator("#review-list .why").first.inner_text()
    for key in "gbgbgbghs":
        page.keyboard.press(key)
    page.keyboard.press("u")
    page.keyboard.press("b")
    page.keyboard.press("g")
    says(seen, "#review-changes", "on topic now")
    assert Counter(marks(page_at[0]).values()) == {"good": 5, "bad": 4, "hub": 1}
    page.wait_for_function("(key) => document.querySelector('#review-list li').dataset.key !== key", arg=first)
    has(seen, "#review-list li", 10)
    assert page.evaluate("document.activeElement.matches('#review-list li:first-child')")
    page.keyboard.press("g")
    says(seen, "#review-list .good", "")
    assert seen.errors == []


def test_nothing_is_asked_while_nothing_is_done(seen):
    seen.page.wait_for_function("() => document.querySelector('#facet-concept button')")
    before = len(seen.asked)
    seen.page.wait_for_timeout(3000)
    assert len(seen.asked) == before


@pytest.mark.parametrize("tab", ["results", "review"])
def test_a_phone_shows_it_without_sideways_scrolling(page_at, opened, tab):
    seen = opened(page_at[1], size=PHONE)
    seen.page.locator(f"#tab-{tab}").click()
    seen.page.wait_for_function("(id) => document.querySelector(`#${id}-list li`)", arg=tab)
    seen.page.evaluate("document.querySelectorAll('details').forEach((each) => { each.open = true; })")
    assert seen.spills == 0
