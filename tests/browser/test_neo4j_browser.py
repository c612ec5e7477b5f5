"""A crawl in Neo4j Browser, with the real server in headless Chromium: the guide, the style, every saved query.

PICTURES=DIR in the environment takes pictures into that folder; STORE=DIR then names the crawl that is shown.
"""

import os
import socket
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from conftest import missing
from records_at_hand import CRAWL

from benchmarks import neo4j_server
from cli.stores.neo4j_browser import guide_server, run
from graphdb.browser.browser_files import GUIDE, STYLE, browser_files, saved_queries
from graphdb.stores import copy, open_store
from semantic.page import Declared
from semantic.reasons import because
from semantic.records import (
    Batch,
    ConceptRecord,
    LinkRecord,
    MentionRecord,
    PageRecord,
    QueuedRecord,
    TrapRecord,
)

pytestmark = pytest.mark.slow

SECONDS = 60_000  # milliseconds: the Browser and the server are slow on a machine that is busy
FRAMES = 8
COLOURS = {"OnTopic": "#0072B2", "Seed": "#D55E00", "Concept": "#009E73"}


@pytest.fixture(scope="module")
def server(tmp_path_factory) -> Iterator[neo4j_server.Server]:
    """A server with a small crawl in it."""
    needed = neo4j_server.needed()
    if needed:
        missing(needed)
    with (
        neo4j_server.running(tmp_path_factory.mktemp("neo4j"), browser=True) as server,
        pytest.MonkeyPatch.context() as patch,
    ):
        patch.setenv("NEO4J_USERNAME", neo4j_server.USER)
        patch.setenv("NEO4J_PASSWORD", server.password)
        if "STORE" in os.environ:
            copy(os.environ["STORE"], server.uri)
        else:
            fill(tmp_path_factory.mktemp("crawl") / "store", server.uri)
        yield server


def fill(folder: Path, uri: str) -> None:
    """Something for every query: pages on topic and not, of two sites, one marked, some that say nothing new."""
    concepts = [
        ConceptRecord(iri="urn:ice", label="ice", weight=1.0, names=("ice", "冰")),
        ConceptRecord(iri="urn:snow", label="snow", weight=0.5),
    ]
    store = open_store(str(folder))
    store.open_crawl(CRAWL, concepts, [QueuedRecord(address(0), 10.0, 0)])
    store.save(Batch(pages=tuple(map(made, range(11)))))
    store.mark({address(2): "good"})
    store.save_traps(
        [
            TrapRecord(
                "one.example/part/**", "directory", because("little new", pages=50, stale=9, gains=0), address(12), 3
            )
        ]
    )
    store.close()
    copy(str(folder), uri)


def address(number: int) -> str:
    return f"http://{('one', 'two')[number // 2 % 2]}.example/part/{number}"


def made(number: int) -> PageRecord:
    ends = (*range(1, 15),) if number == 0 else ((number + 2) % 11, 0)
    links = tuple(LinkRecord(address(end), f"to ice {end}", "", 0.5, place) for place, end in enumerate(ends))
    return PageRecord(
        url=address(number),
        status="fetched",
        depth=min(number, 1),
        priority=1 - number / 20,
        parent=address(0) if number else None,
        http_status=200,
        order=number,
        title=f"冰与雪 ice {number}",
        relevance=0.9 if number % 2 == 0 else 0.1,
        on_topic=number > 0 and number % 2 == 0,
        mentions=(MentionRecord(concept="urn:ice", count=number + 1, weight=number / 10, where={"other": number + 1}),),
        links=links,
        queued=tuple(QueuedRecord(link.url, 0.5, 1, address(0)) for link in links if number == 0),
        stale=number > 8,
        declared=Declared(published=f"2024-05-{number + 1:02}", dated_by="meta"),
    )


@pytest.fixture(scope="module")
def guide() -> Iterator[int]:
    """The guide, served on a free port."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    with guide_server(browser_files(port), port) as served:
        thread = threading.Thread(target=served.serve_forever)
        thread.start()
        yield port
        served.shutdown()
        thread.join()


@pytest.fixture(scope="module")
def browser(server, chromium):
    """Neo4j Browser, logged in."""
    from browser_fixtures import HERE

    context = chromium.new_context(viewport={"width": 1280, "height": 860})
    context.set_default_timeout(SECONDS)
    context.route(
        lambda url: not any(f"//{host}" in url for host in HERE),
        lambda route: route.abort(),
    )
    page = context.new_page()
    page.goto(f"{server.http}/browser/")
    page.get_by_test_id("boltaddress").wait_for()
    page.get_by_test_id("username").fill(neo4j_server.USER)
    page.get_by_test_id("password").fill(server.password)
    page.get_by_test_id("connect").click()
    page.get_by_text("You are connected as user").wait_for()
    yield page
    context.close()


def ask(page, text: str) -> None:
    """Type a command or a query, and run it in a frame of its own. The Browser keeps 15 frames."""
    from playwright.sync_api import expect

    before = page.get_by_test_id("frame").count()
    if before > FRAMES:
        enter(page, ":clear")
        expect(page.get_by_test_id("frame")).to_have_count(0, timeout=SECONDS)
        before = 0
    enter(page, text)
    page.get_by_test_id("frame").nth(before).wait_for()


def enter(page, text: str) -> None:
    editor = page.locator('[data-testid="activeEditor"] textarea')
    editor.focus()
    page.keyboard.press("Control+A")
    page.keyboard.press("Delete")
    page.keyboard.insert_text(text)
    page.keyboard.press("Control+Enter")


def picture(page, name: str) -> None:
    if "PICTURES" in os.environ:
        page.wait_for_timeout(3000)  # until the nodes rest
        page.screenshot(path=str(Path(os.environ["PICTURES"]) / f"{name}.png"))


def test_the_style_colours_pages_by_what_they_are(browser, guide):
    ask(browser, f":style http://localhost:{guide}/{STYLE}")
    browser.wait_for_timeout(1500)
    ask(browser, saved_queries()["best_of_concept"])
    frame = browser.get_by_test_id("frame").first
    frame.locator("svg .node").first.wait_for()
    fills = {
        circle.get_attribute("fill").upper()
        for circle in frame.locator("svg .node circle.b-outline, svg .node circle").all()
        if circle.get_attribute("fill")
    }
    assert {COLOURS["OnTopic"].upper(), COLOURS["Concept"].upper()} <= fills
    picture(browser, "style")


@pytest.mark.parametrize("name", list(saved_queries()))
def test_a_saved_query_answers_with_rows(browser, name):
    ask(browser, saved_queries()[name])
    frame = browser.get_by_test_id("frame").first
    frame.locator("svg .node, table tbody tr, [role=row], [role=gridcell]").first.wait_for()
    assert frame.get_by_text("ERROR").count() == 0
    picture(browser, name)


def test_the_guide_opens_and_fills_the_editor(browser, guide):
    ask(browser, f":play http://localhost:{guide}/{GUIDE}")
    frame = browser.get_by_test_id("frame").first
    frame.get_by_text("1 of 10").first.wait_for()
    picture(browser, "guide")
    for _ in range(2):
        frame.get_by_test_id("nextSlide").click()
    frame.locator("pre.runnable:visible").first.click()
    browser.get_by_test_id("activeEditor").filter(has_text="best articles").wait_for()


def test_the_editor_stands_where_the_guide_says(browser, guide):
    enter(browser, f":guide http://localhost:{guide}/{GUIDE}")
    said = browser.get_by_text("at the top right").first  # in the drawer, which comes before all frames
    said.wait_for()
    for _ in range(50):  # the drawer slides in
        text, editor = said.bounding_box(), browser.get_by_test_id("activeEditor").bounding_box()
        if editor["x"] > text["x"] + text["width"]:
            break
        browser.wait_for_timeout(100)
    assert editor["x"] > text["x"] + text["width"]
    assert editor["y"] < text["y"]
    browser.get_by_test_id("activeEditor").get_by_text("neo4j$").wait_for()


def test_the_command_writes_files_and_tells_the_address(server, tmp_path, capsys):
    assert run(server.uri, tmp_path / "out", serve=False, port=7475) == 0
    assert f"{server.http}/browser/" in capsys.readouterr().out
    there = {str(path.relative_to(tmp_path / "out")) for path in (tmp_path / "out").rglob("*.*")}
    assert there == set(browser_files())
