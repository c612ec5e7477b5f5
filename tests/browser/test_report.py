"""The report in a browser: from disk, without a network, by keyboard alone, on a phone, in Chinese, and with hostile
titles.
"""

import re
from pathlib import Path

import pytest
from browser_fixtures import PHONE
from tea_web import ONTOLOGY, crawled_tea, start

from cli.report.report import run

HOSTILE = "<script>document.title='owned'</script><img src=http://evil.example/x onerror=alert(1)>\"'{{7*7}} green tea"
MORE = """:Longjing a owl:Class ; rdfs:subClassOf :Green ;
  rdfs:label "<b>longjing</b>"@en , "龙井茶"@zh ; oc:weight 1.0 .
:Puer a owl:Class ; rdfs:subClassOf :Tea ; rdfs:label "puer"@en , "普洱茶"@zh ; oc:weight 1.0 .
"""
PAGES = {
    "/": start("green", "zh", "evil", "cars"),
    "/green": ("Green tea", "<p>Green tea is tea. It keeps its colour. Black tea does not.</p>" * 3),
    "/zh": ("绿茶与龙井茶", "<p>绿茶是未发酵的茶。龙井茶是一种绿茶，产于杭州。</p>" * 3),
    "/evil": (HOSTILE, f"<p>Green tea is tea. {HOSTILE.replace('<', '&lt;')}</p>" * 3),
    "/cars": ("Cars", "<p>Engines and wheels.</p>" * 3),
}


@pytest.fixture(scope="module")
def reports(tmp_path_factory) -> Path:
    """A folder with en.html, and zh.html, which compares a small crawl with itself."""
    made = tmp_path_factory.mktemp("report")
    store = crawled_tea(made, PAGES, ONTOLOGY + MORE, threshold=0.3)
    for language, against in (("en", None), ("zh", store)):
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv("LANGUAGE", language)
            assert run(store, made / f"{language}.html", against) == 0
    return made


def test_it_opens_from_disk_and_asks_for_nothing_else(reports, opened):
    seen = opened(reports / "en.html", offline=True)
    assert seen.asked == [(reports / "en.html").as_uri()]
    assert (seen.errors, seen.outside) == ([], [])
    assert seen.page.locator("main section").count() == 11
    assert seen.page.locator("figure svg").count() == 3  # one host needs no map


def test_a_strange_script_or_style_would_not_run(reports, opened):
    seen = opened(reports / "en.html")
    seen.page.evaluate(
        """() => {
          const one = document.createElement("script");
          one.textContent = "window.owned = 1";
          document.body.append(one);
          document.body.insertAdjacentHTML("beforeend", "<p id=x style='color:red'>x</p>");
        }"""
    )
    assert seen.page.evaluate("window.owned") is None
    assert seen.page.evaluate("getComputedStyle(document.getElementById('x')).color") != "rgb(255, 0, 0)"


def test_hostile_titles_and_labels_stay_text(reports, opened):
    seen = opened(reports / "en.html")
    card = seen.page.locator(".card", has_text="owned").first
    assert card.locator("h3").text_content() == HOSTILE
    assert seen.page.locator("main img, main b, main section script:not([type])").count() == 0
    assert seen.page.title() != "owned"
    assert "<b>longjing</b>" in (seen.page.locator(".tree").text_content() or "")


def test_words_of_the_topic_are_marked_in_both_languages(reports, opened):
    seen = opened(reports / "en.html")
    marked = {text.lower() for text in seen.page.locator(".card .said mark").all_text_contents()}
    assert {"green tea", "绿茶", "龙井茶"} <= marked
    assert "cars" not in seen.page.locator(".cards").inner_text().lower()


def test_concepts_fold_and_only_what_is_missing_can_be_shown(reports, opened):
    page = opened(reports / "en.html").page
    puer = page.locator(".tree .leaf", has_text="puer")
    assert puer.locator(".verdict").inner_text() == "never seen"
    page.locator("#fold").click()
    assert puer.is_hidden()
    page.locator(".tree summary").first.click()
    assert puer.is_visible()
    page.locator("#lacking").check()
    assert puer.is_visible() and page.locator(".tree li.fine").first.is_hidden()


def test_all_of_it_works_by_the_keyboard_alone(reports, opened):
    page = opened(reports / "en.html").page

    def reach(wanted: str) -> None:
        for _ in range(200):
            page.keyboard.press("Tab")
            if page.evaluate("(wanted) => document.activeElement.matches(wanted)", wanted):
                return
        raise AssertionError(f"Tab does not reach {wanted}")

    reach(".tree summary")
    page.keyboard.press("Enter")
    assert page.locator(".tree details").first.get_attribute("open") is None
    reach("#unfold")
    page.keyboard.press("Enter")
    assert page.locator(".tree details").first.get_attribute("open") is not None
    reach(".card summary")
    page.keyboard.press("Enter")
    assert page.locator(".card details[open] li").count() > 0


def test_it_says_where_to_mark_and_changes_nothing(reports, opened):
    page = opened(reports / "en.html").page
    assert page.locator("main input").evaluate_all("some => some.map(one => one.id)") == ["lacking"]
    assert re.search(r"ontocrawl ui --store \S+/store$", page.locator("#best_pages > p").inner_text())
    assert page.locator("#scale tbody tr", has_text="in force").count() == 1


@pytest.mark.parametrize("name", ["en", "zh"])
def test_on_a_phone_nothing_has_to_be_scrolled_sideways(reports, opened, name):
    seen = opened(reports / f"{name}.html", size=PHONE)
    assert seen.spills == 0
    assert seen.errors == []


def test_in_chinese_all_heads_are_chinese(reports, opened):
    page = opened(reports / "zh.html").page
    assert page.locator("html").get_attribute("lang") == "zh-Hans"
    heads = page.locator("h2").all_inner_texts()
    assert len(heads) == 12 and all(re.search("[\u4e00-\u9fff]", head) for head in heads)
    assert "已抓取页面" in page.locator("figure svg").first.text_content()


def test_a_crawl_compared_with_itself_differs_in_nothing(reports, opened):
    section = opened(reports / "zh.html").page.locator("#against")
    assert all(text.endswith(": 0") for text in section.locator("summary").all_inner_texts())
    rows = section.locator("tbody tr").all_inner_texts()
    assert rows and all(len(set(row.split("\t")[1:])) == 1 for row in rows)


def test_printed_it_has_what_was_folded_and_no_buttons(reports, opened):
    page = opened(reports / "en.html").page
    page.locator("#fold").click()
    page.evaluate("window.dispatchEvent(new Event('beforeprint'))")
    page.emulate_media(media="print")
    assert page.locator(".tree .leaf").first.is_visible()
    assert page.locator("#fold").is_hidden()
