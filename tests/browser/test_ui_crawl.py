"""The page's tab of the crawl: one is begun; one that runs is watched, held, marked and ended."""

import random
import re
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
from browser_fixtures import PHONE, Open, Seen, command

SECONDS = 0.3  # an answer: long enough to be seen under way
HOSTS = ("127.0.0.1", "127.0.0.2", "127.0.0.3")
ONTOLOGY = """@prefix : <http://onto.example/tea#> .
@prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:Tea a owl:Class ; rdfs:label "tea"@en .
:Green a owl:Class ; rdfs:subClassOf :Tea ; rdfs:label "green tea"@en .
"""


class Endless(BaseHTTPRequestHandler):
    """A web without an end, on three hosts: every third page is about tea, no text is like another."""

    def do_GET(self) -> None:
        time.sleep(SECONDS)
        found = re.fullmatch(r"/page-(\d+)", self.path)
        self.send_response(200 if found else 404)
        body = self._page(int(found[1])) if found else b""
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def _page(self, number: int) -> bytes:
        chance = random.Random(number)
        words = ["".join(chance.choices("abcdefghiklmnoprstu", k=6)) for _ in range(60)]
        if number % 3 == 0:
            words[::6] = ["green tea"] * 10
        links = (f"http://{host}:{port}/page-{3 * number + n + 1}" for n, (host, port) in enumerate(self.server.others))
        anchors = "".join(f"<p>{words[n]} <a href='{url}'>tea {words[n + 1]}</a></p>" for n, url in enumerate(links))
        return f"<title>Page {number}</title><p>{' '.join(words)}.</p>{anchors}".encode()

    def log_message(self, *_: object) -> None:
        pass


@dataclass
class Crawl:
    """A crawl with a page at `address`; `told` on standard error."""

    address: str
    process: object
    seed: str
    told: list[str] = field(default_factory=list)


@pytest.fixture(scope="module")
def crawl(tmp_path_factory) -> Iterator[Crawl]:
    made = tmp_path_factory.mktemp("crawl")
    (made / "tea.ttl").write_text(ONTOLOGY, encoding="utf-8")
    servers = [ThreadingHTTPServer((host, 0), Endless) for host in HOSTS]
    for server in servers:
        server.others = [each.server_address for each in servers]
        threading.Thread(target=server.serve_forever, daemon=True).start()
    seed = f"http://{HOSTS[0]}:{servers[0].server_port}/page-0"
    given = (
        f"--ontology tea.ttl --seeds {seed} --max-pages 100000 --store endless --threshold 0.3 --delay 0.2 --lang en"
    )
    allowed = [word for host in HOSTS for word in ("--allow", host)]
    with command(
        made, "crawl", *given.split(), *allowed, "--connections", "2", "--dashboard", "0", "--lang", "en"
    ) as process:
        line = re.compile(r"dashboard: (http://127\.0\.0\.1:\d+/#\S+)")
        address = next(found[1] for said in process.stderr if (found := line.match(said)))
        found = Crawl(address, process, seed)
        reader = threading.Thread(target=lambda: found.told.extend(process.stderr), daemon=True)
        reader.start()
        yield found
        process.terminate()
        process.wait(30)
        reader.join(10)
    for server in servers:
        server.shutdown()
        server.server_close()


@pytest.fixture
def seen(crawl: Crawl, opened: Open) -> Seen:
    found = opened(crawl.address)
    found.page.locator("#tab-crawl").click()
    found.page.wait_for_function("() => !document.getElementById('stop').disabled")
    if found.page.locator("#resume").is_enabled():
        found.page.locator("#resume").click()
    becomes(found, RUNS)
    return found


RUNS = "() => /^(running|waits)/.test(document.getElementById('state').textContent)"
MORE = "([held]) => Number(document.getElementById('pages').textContent.split(' / ')[0].replace(',', '')) > held"


def looked(seen: Seen, times: int = 3) -> None:
    """Wait until the page has looked so many times more, and has shown all but the last."""
    until = seen.asked.count(seen.asked[-1]) + times
    while seen.asked.count(seen.asked[-1]) < until:
        seen.page.wait_for_timeout(50)


def count(seen: Seen) -> int:
    return int(seen.page.locator("#pages").inner_text().split(" / ")[0].replace(",", ""))


def becomes(seen: Seen, script: str, *given: object) -> None:
    seen.page.wait_for_function(script, arg=list(given))


def test_it_shows_fetches_with_reasons_the_queue_and_last_pages(seen):
    becomes(seen, "() => document.querySelectorAll('#last li').length > 3")
    becomes(seen, "() => document.querySelectorAll('#hosts li').length === 3")
    becomes(seen, "() => document.querySelectorAll('#under-way li .why').length > 0")
    becomes(seen, "() => document.querySelectorAll('#last .why')[0].textContent.length > 5")
    assert seen.errors == [] and seen.outside == []


def test_a_pause_holds_the_crawl_until_it_is_resumed(seen):
    page = seen.page
    page.locator("#pause").click()
    becomes(seen, "() => document.getElementById('state').textContent.startsWith('paused')")
    becomes(seen, "() => document.querySelectorAll('#under-way li').length === 0")
    looked(seen)
    held = count(seen)
    looked(seen)  # at least two seconds, in which some pages would come
    assert count(seen) == held
    assert page.locator("#under-way li").count() == 0
    assert page.locator("#pause").is_disabled()
    page.locator("#resume").click()
    becomes(seen, MORE, held)


def test_a_banned_host_is_left_and_a_raised_one_told(seen):
    row = seen.page.locator("#hosts li").first
    host = row.get_attribute("data-key")
    mine = seen.page.locator(f"#hosts li[data-key='{host}']")
    figure = "([host, told]) => document.querySelector(`#hosts li[data-key='${host}'] .figure`).textContent === told"
    for name, told in (("Ban", "banned"), ("First", "first")):
        mine.get_by_role("button", name=name).click()
        becomes(seen, figure, host, told)
        mine.get_by_role("button", name="As before").click()


def test_marks_are_kept_and_judged_by_without_an_end(crawl, seen):
    page = seen.page
    becomes(seen, "() => document.querySelector('#last li.hit button') !== null")
    row = page.locator("#last li.hit").first
    url = row.get_attribute("data-key")
    mine = page.locator(f"#last li[data-key='{url}']")
    mine.get_by_role("button", name="good").click()
    becomes(seen, "() => document.querySelector('#last [aria-pressed=true]') !== null")
    assert mine.get_by_role("button", name="good").get_attribute("aria-pressed") == "true"
    page.locator("#judge").click()
    becomes(seen, "() => document.getElementById('judge').disabled")
    for _ in range(100):
        if any("gained" in line or "lost" in line for line in crawl.told):
            break
        page.wait_for_timeout(100)
    assert any("judged a" in line for line in crawl.told)  # anew, or again by the marks
    before = count(seen)
    becomes(seen, MORE, before)


def test_the_keyboard_alone_holds_it(seen):
    page = seen.page
    page.locator("#tab-crawl").focus()
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.id") == "pause"
    page.keyboard.press("Enter")
    becomes(seen, "() => document.getElementById('state').textContent.startsWith('paused')")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.id") == "resume"
    page.keyboard.press("Space")
    becomes(seen, RUNS)


def test_on_a_phone_nothing_has_to_be_scrolled_sideways(crawl, opened):
    seen = opened(crawl.address, size=PHONE)
    seen.page.locator("#tab-crawl").click()
    becomes(seen, "() => document.querySelectorAll('#last li').length > 3")
    assert seen.spills == 0


def test_without_the_token_nothing_is_told(crawl, opened):
    seen = opened(crawl.address.partition("#")[0])
    becomes(seen, "() => document.getElementById('said').textContent.includes('address')")
    assert seen.page.locator("option").count() == 3  # where a crawl may go: no crawl is shown


def test_another_origin_can_neither_look_nor_steer(crawl, opened, tmp_path):
    base, _, token = crawl.address.partition("#")
    file = tmp_path / "other.html"
    script = f"""
      const told = [], headers = {{Authorization: "Bearer {token}"}};
      const ask = (path, more) => fetch("{base}" + path, more).then(() => told.push("answered"), () => told.push("no"));
      Promise.all([
        ask("ask/crawl.live", {{method: "POST", body: "{{}}", headers}}),
        ask("ask/crawl.want", {{method: "POST", body: '{{"do":"stop"}}', headers}}),
      ]).then(() => {{ document.title = told.join(); }});"""
    file.write_text(f"<!DOCTYPE html><iframe src='{base}'></iframe><script>{script}</script>", encoding="utf-8")
    seen = opened(file)
    seen.page.wait_for_function("() => document.title === 'no,no'")


def test_stop_ends_the_crawl_and_saves_it(crawl, seen):
    seen.page.on("dialog", lambda dialog: dialog.accept())
    seen.page.locator("#stop").click()
    # first by the page, because the dialog is accepted only while the browser is listened to
    seen.page.wait_for_function("() => document.getElementById('said').textContent.startsWith('No answer')")
    assert crawl.process.wait(30) == 130


@pytest.fixture
def page_of_none(tmp_path, opened: Open) -> Iterator[Seen]:
    """The page on a machine where no crawl has run, begun in a folder with an ontology."""
    (tmp_path / "tea.ttl").write_text(ONTOLOGY, encoding="utf-8")
    with command(tmp_path, "ui", "--no-browser", "--lang", "en", state=tmp_path / "state") as process:
        address = next(found[1] for said in process.stderr if (found := re.search(r"(http://127\S+)", said)))
        yield opened(address)
        process.terminate()
        process.wait(30)


def test_a_crawl_is_tried_begun_ended_and_gone_on_with(page_of_none, crawl, tmp_path):
    page = page_of_none.page
    page.locator("#ontology-file").fill(str(tmp_path / "tea.ttl"))
    page.locator("#seeds").fill(crawl.seed)
    page.locator("#pages-wanted").fill("3")
    page.locator("#more-options").fill("--delay 0.1 " + " ".join(f"--allow {host}" for host in HOSTS))
    assert page.locator("#crawl-name").input_value() == "tea"
    page.locator("#check").click()
    becomes(page_of_none, "() => document.getElementById('said-try').textContent.includes('green tea')")
    page.locator("#begin button[type=submit]").click()
    becomes(page_of_none, "() => document.querySelector('#chosen option')?.value.endsWith('/tea')")
    becomes(page_of_none, "() => document.getElementById('state').textContent.startsWith('This crawl is not running')")
    page.locator("#ledger-box summary").click()
    becomes(page_of_none, "() => document.querySelector('#ledger tr td')?.textContent === '3'")
    page.locator("#go-on-pages").fill("5")
    page.locator("#go-on-now").click()
    becomes(page_of_none, "() => document.querySelector('#ledger tr td')?.textContent === '5'")
    assert page_of_none.errors == [] and page_of_none.outside == []


def test_what_is_wrong_in_the_form_is_said(page_of_none, crawl):
    page = page_of_none.page
    page.locator("#ontology-file").fill("/nowhere/tea.ttl")
    page.locator("#seeds").fill(crawl.seed)
    page.locator("#crawl-name").fill("other")
    page.locator("#begin button[type=submit]").click()
    becomes(page_of_none, "() => document.getElementById('said').textContent.includes('/nowhere/tea.ttl')")
