"""The page's tab of the ontology: proposals are decided on by keys, looked at as they would be written, and written."""

import random
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from browser_fixtures import PHONE, Open, Seen, command
from warc_records import response_record

HOST = "http://tea.example"
WORDS = [
    "gaiwan",
    "samovar",
    "kettle",
    "infuser",
    "strainer",
    "caddy",
    "coaster",
    "whisk",
    "tetsubin",
    "kyusu",
    "chasen",
    "chawan",
    "canister",
    "thermos",
    "flask",
    "ladle",
    "tongs",
    "tray",
    "scoop",
    "funnel",
    "goblet",
    "saucer",
    "pitcher",
    "carafe",
]
HOSTILE = "<img src=x onerror=document.title='attacked'>"
ONTOLOGY = """@prefix : <http://onto.example/tea#> .
@prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix oc: <https://w3id.org/ontocrawl#> .
<http://onto.example/tea> a owl:Ontology ; oc:topic :Tea .
:Tea a owl:Class ; rdfs:label "tea"@en ; oc:weight 1.0 .
:Green a owl:Class ; rdfs:subClassOf :Tea ; rdfs:label "green tea"@en ; oc:weight 1.0 .
:Yellow a owl:Class ; rdfs:subClassOf :Tea ; rdfs:label "yellow tea"@en ; oc:weight 1.0 .
"""


def text_of(number: int) -> str:
    """Every second page is about tea, and names three of the words; no two pages are alike."""
    chance = random.Random(number)
    filler = [" ".join("".join(chance.choices("abcdeiklmnoprstu", k=7)) for _ in range(6)) for _ in range(4)]
    if number % 2:
        return ". ".join(filler)
    named = chance.sample(WORDS, 3)
    shown = HOSTILE.replace("<", "&lt;")
    said = [
        f"Drinkers of green tea, {shown}, buy {other[:35]}, a {word}, {other[9:]}"
        for word, other in zip(named, filler, strict=False)
    ]
    return ". ".join(said) + 3 * ". Green tea is tea"


def archive(pages: int) -> bytes:
    links = "".join(f"<li><a href='/{number}'>page {number}</a>" for number in range(1, pages))
    bodies = [
        f"<p>Green tea is tea.</p><ul>{links}</ul>",
        *(f"<p>{text_of(number)}.</p>" for number in range(1, pages)),
    ]
    records = []
    for number, body in enumerate(bodies):
        title = "Page" if number % 2 else "Green tea"
        html = f"<html><head><title>{title} {number}</title></head><body>{body}</body></html>".encode()
        head = b"HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\nContent-Length: %d\r\n\r\n" % len(html)
        records.append(response_record(f"{HOST}/{number or ''}", head + html))
    return b"".join(records)


@dataclass
class Shown:
    """A crawl that has ended, with a page at `address`."""

    folder: Path
    address: str

    @property
    def file(self) -> Path:
        return self.folder / "tea.ttl"


@pytest.fixture(scope="module")
def crawled(tmp_path_factory) -> Iterator[Shown]:
    made = tmp_path_factory.mktemp("ontology")
    (made / "tea.ttl").write_text(ONTOLOGY, encoding="utf-8")
    (made / "web.warc").write_bytes(archive(120))
    given = f"--ontology tea.ttl --seeds {HOST}/ --archive web.warc --delay 0 --max-pages 120 --store tea"
    with command(made, "crawl", *given.split(), state=made / "state") as process:
        said = process.communicate(timeout=120)
        assert process.returncode == 0, said
    with command(made, "ui", "--no-browser", "--lang", "en", "--store", "tea", state=made / "state") as process:
        address = next(found[1] for line in process.stderr if (found := re.search(r"(http://127\S+)", line)))
        yield Shown(made, address)
        process.terminate()
        process.wait(30)


@pytest.fixture
def shown(crawled: Shown) -> Iterator[Shown]:
    """The ontology is again what it was after each test."""
    yield crawled
    crawled.file.write_text(ONTOLOGY, encoding="utf-8")


@pytest.fixture
def seen(shown: Shown, opened: Open) -> Seen:
    return with_proposals(opened(shown.address))


def becomes(seen: Seen, script: str, *given: object) -> None:
    seen.page.wait_for_function(script, arg=list(given))


def says(seen: Seen, name: str, text: str) -> None:
    becomes(seen, "([name, text]) => document.getElementById(name).textContent.includes(text)", name, text)


def with_proposals(seen: Seen) -> Seen:
    seen.page.locator("#tab-ontology").click()
    says(seen, "onto-file", "tea.ttl")
    seen.page.locator("#onto-suggest").click()
    becomes(seen, "() => document.querySelectorAll('#onto-list > li').length >= 20")
    becomes(seen, "() => document.activeElement.closest('#onto-list')")
    return seen


def test_twenty_proposals_are_decided_by_twenty_keys(seen):
    page = seen.page
    for number in range(20):
        page.keyboard.press("n" if number % 4 == 0 else "y")
    says(seen, "onto-count", "20 of ")
    assert page.locator("#onto-list li.kept").count() == 15
    assert page.locator("#onto-list li.refused").count() == 5
    page.keyboard.press("u")
    says(seen, "onto-count", "19 of ")
    assert seen.errors == [] and seen.outside == []


def test_decisions_outlast_a_reload_and_are_then_written(seen, shown):
    page = seen.page
    terms = page.locator("#onto-list h3").all_inner_texts()
    for key in "3nn":
        page.keyboard.press(key)
    page.reload()
    says(seen, "onto-count", "3 of ")
    page.locator("#onto-see").click()
    says(seen, "onto-diff", f'"{terms[1]}"')
    assert terms[0] in page.locator("#onto-done").inner_text()
    assert shown.file.read_text("utf-8") == ONTOLOGY
    page.locator("#onto-write").click()
    says(seen, "onto-written-said", "tea.ttl.bak")
    written = shown.file.read_text("utf-8")
    assert all(term in written for term in terms[:3])
    assert terms[0] not in page.locator("#onto-list h3").all_inner_texts()
    page.reload()
    becomes(seen, "() => document.querySelectorAll('#onto-list > li').length > 10")
    assert not set(terms[:3]) & set(page.locator("#onto-list h3").all_inner_texts())


def test_what_is_written_counts_when_pages_are_judged_again(seen, shown):
    page = seen.page
    term = page.locator("#onto-list h3").first.inner_text()
    page.keyboard.press("2")
    page.locator("#onto-see").click()
    page.locator("#onto-effects").click()
    says(seen, "onto-effects-said", term)
    page.locator("#onto-write").click()
    says(seen, "onto-written-said", "tea.ttl.bak")
    page.locator("#onto-rejudge").click()
    says(seen, "onto-tree", term)


def test_another_kind_and_place_are_chosen_by_keys(seen):
    page = seen.page
    term = page.locator("#onto-list h3").first.inner_text()
    page.keyboard.press("m")
    page.keyboard.type("yell")
    page.keyboard.press("Enter")
    becomes(seen, "() => document.querySelector('#onto-list li.kept')?.textContent.includes('yellow tea')")
    page.keyboard.press("k")
    page.keyboard.press("1")
    becomes(seen, "() => document.querySelector('#onto-list li.kept')?.textContent.includes('synonym · yellow tea')")
    page.locator("#onto-see").click()
    says(seen, "onto-done", "yellow tea")
    assert term in page.locator("#onto-done").inner_text()


def test_what_pages_say_is_text_and_does_nothing(seen):
    says(seen, "onto-list", HOSTILE)
    assert seen.page.locator("#ontology img").count() == 0
    assert seen.page.title() == "ontocrawl"
    assert seen.errors == [] and seen.outside == []


def test_the_pages_are_asked_what_is_wrong_too(seen):
    seen.page.locator("#onto-check").click()
    says(seen, "onto-check-said", "W304")
    assert seen.spills == 0


def test_what_is_missing_can_be_shown_alone(seen):
    tree = seen.page.locator("#onto-tree")
    assert {"tea", "green tea", "yellow tea"} <= set(tree.locator(".label").all_inner_texts())
    seen.page.locator("#onto-lacking").click()
    assert "yellow tea" in tree.inner_text() and "green tea" not in tree.inner_text()


def test_a_file_that_changed_meanwhile_is_looked_at_again(seen, shown):
    page = seen.page
    page.keyboard.press("n")
    page.locator("#onto-see").click()
    says(seen, "onto-diff", "refused")
    shown.file.write_text(ONTOLOGY + "# saved in Protégé\n", encoding="utf-8")
    page.locator("#onto-write").click()
    says(seen, "onto-wrong", "has changed meanwhile")
    assert "refused" not in shown.file.read_text("utf-8")


def test_a_file_that_is_gone_is_said_with_a_cure(shown, opened):
    shown.file.unlink()
    seen = opened(shown.address)
    seen.page.locator("#tab-ontology").click()
    says(seen, "onto-trouble", "To do: ")
    says(seen, "onto-tree", "green tea")
    assert seen.page.locator("#onto-proposals").is_hidden()


def test_weights_from_pages_are_decided_on_like_terms(seen, shown):
    shown.file.write_text(ONTOLOGY.replace("oc:weight 1.0", "oc:weight 0.1", 1), encoding="utf-8")
    page = seen.page
    page.locator("#onto-weigh").click()
    card = page.locator("#onto-list > li", has_text="instead of 0.1")
    card.focus()
    page.keyboard.press("y")
    page.locator("#onto-see").click()
    says(seen, "onto-diff", "-:Tea a owl:Class")
    says(seen, "onto-diff", "+:Tea a owl:Class")


def test_on_a_phone_the_tab_does_not_scroll_sideways(shown, opened):
    seen = with_proposals(opened(shown.address, size=PHONE))
    seen.page.keyboard.press("m")
    seen.page.locator("#onto-see").scroll_into_view_if_needed()
    assert seen.spills == 0
