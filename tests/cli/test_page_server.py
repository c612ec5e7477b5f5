"""The state of a running crawl, its door, and who may open the page; the page itself is looked at in tests/browser."""

import asyncio
import json
import os
import re
import socket
import stat
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest
from records_at_hand import CRAWL

from cli.crawling.crawl import run as run_crawl
from cli.live.live_door import answering, ask_crawl, door_of
from cli.live.live_state import POINTS, LiveState
from cli.live.live_steering import LiveHosts, LiveMarks
from cli.live.page_beside import listening, new_token
from cli.settings import make_settings
from cli.ui.page_server import PageServer
from crawler.engine.crawl_records import Progress
from crawler.engine.steering import Steering
from graphdb.record.sqlite_store import SqliteStore, open_record
from ontology.errors import SettingsError
from semantic.records import Batch, PageRecord

URL = "http://a.example/1"
PAGE = PageRecord(
    url=URL,
    status="fetched",
    depth=1,
    priority=0.5,
    parent=None,
    http_status=200,
    order=1,
    title="<b>x</b>\x1b[2J",
    relevance=0.7,
    on_topic=True,
)


@dataclass
class Shown:
    """A crawl that answers at its door, and a page that shows it, in a thread of their own."""

    store: str
    steering: Steering = field(default_factory=Steering)
    stopped: list[bool] = field(default_factory=list)
    base: str = ""
    token: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.state = LiveState(self.steering, lambda: 9, lambda: self.stopped.append(True), takes_marks=True)

    def ask(self, name: str, headers: Mapping[str, str], words: object = None) -> tuple[int, dict[str, object]]:
        body = json.dumps({"store": self.store} if words is None else words).encode()
        try:
            with urlopen(Request(f"{self.base}ask/{name}", body, dict(headers)), timeout=10) as answer:
                return answer.status, json.loads(answer.read())
        except HTTPError as error:
            return error.code, json.loads(error.read())

    def want(self, **words: object) -> int:
        return self.ask("crawl.want", self.token, {"store": self.store, **words})[0]


@asynccontextmanager
async def served(found: Shown):
    listener, token = listening(0, "--port"), new_token()
    found.base = f"http://127.0.0.1:{listener.getsockname()[1]}/"
    found.token = {"Authorization": f"Bearer {token}"}
    async with answering(found.state, found.store), PageServer(listener, token, found.store):
        yield


@pytest.fixture
def shown(tmp_path) -> Iterator[Shown]:
    found, ready, done = Shown(str(tmp_path / "store")), threading.Event(), asyncio.Event()
    loop = asyncio.new_event_loop()

    async def serve() -> None:
        async with served(found):
            ready.set()
            await done.wait()

    thread = threading.Thread(target=lambda: loop.run_until_complete(serve()))
    thread.start()
    assert ready.wait(20)
    yield found
    loop.call_soon_threadsafe(done.set)
    thread.join()
    loop.close()


def test_the_page_is_in_the_users_language(monkeypatch, request):
    monkeypatch.setenv("LANGUAGE", "zh")
    shown = request.getfixturevalue("shown")
    with urlopen(shown.base, timeout=10) as answer:
        page = answer.read().decode()
    assert '<html lang="zh-Hans">' in page
    assert re.search("<h2[^>]*>[\u4e00-\u9fff]", page)


@pytest.mark.parametrize(
    "change",
    [
        lambda base: {"Host": f"evil.example:{base.rpartition(':')[2].rstrip('/')}"},
        lambda base: {"Host": "127.0.0.1"},
        lambda base: {"Host": ""},
        lambda base: {"Origin": "http://evil.example"},
        lambda base: {"Origin": "null"},
    ],
)
def test_even_with_the_token_strange_hosts_and_origins_are_refused(shown, change: Callable[[str], dict[str, str]]):
    assert shown.ask("crawl.live", shown.token)[0] == 200
    assert shown.ask("crawl.live", shown.token | change(shown.base))[0] in (400, 403)
    assert shown.ask("crawl.want", shown.token | change(shown.base), {"store": shown.store, "do": "pause"})[0] in (
        400,
        403,
    )
    assert not shown.steering.is_paused


@pytest.mark.parametrize("given", ["", "Bearer ", "Bearer x", "Bearer \xe9", "Basic eDp5"])
def test_without_the_token_nothing_is_told_or_done(shown, given):
    for name, words in (("crawl.live", None), ("crawl.want", {"store": shown.store, "do": "pause"})):
        status, told = shown.ask(name, {"Authorization": given}, words)
        assert status == 401 and set(told) == {"error"}
    assert not shown.steering.is_paused


def test_the_page_is_for_this_server_alone_and_holds_nothing(shown):
    shown.steering.note(PAGE, ())
    with urlopen(shown.base, timeout=10) as answer:
        text, headers = answer.read().decode(), answer.headers
    assert "a.example" not in text and shown.token["Authorization"].removeprefix("Bearer ") not in text
    assert headers["X-Frame-Options"] == "DENY" and headers["Cache-Control"] == "no-store"
    assert "Access-Control-Allow-Origin" not in headers
    assert shown.base.startswith("http://127.0.0.1:")


def test_what_a_page_says_is_told_without_control_signs(shown):
    shown.steering.note(PAGE, ())
    _, told = shown.ask("crawl.live", shown.token)
    assert told["state"]["last"][0]["title"] == "<b>x</b>[2J"


def test_buttons_do_what_they_say(shown):
    shown.steering.note(PAGE, ())
    assert shown.want(do="pause") == 200 and shown.steering.is_paused
    assert shown.want(do="resume") == 200 and not shown.steering.is_paused
    assert shown.want(do="ban", host="a.example") == 200 and shown.steering.banned == {"a.example"}
    assert shown.want(do="clear_host", host="a.example") == 200 and not shown.steering.banned
    assert shown.want(do="mark", url=URL, mark="hub") == 200 and shown.steering.marks == {URL: "hub"}
    assert shown.ask("crawl.live", shown.token)[1]["state"]["last"][0]["mark"] == "hub"
    assert shown.want(do="judge") == 200 and shown.steering.wants_judging
    assert shown.want(do="stop") == 200 and shown.stopped == [True]


@pytest.mark.parametrize(
    "words",
    [
        [],
        {"do": "rm"},
        {"do": ["pause"]},
        {"do": "ban"},
        {"do": "ban", "host": "a.example/../b"},
        {"do": "ban", "host": 7},
        {"do": "mark", "url": "http://never.example/", "mark": "good"},
        {"do": "mark", "url": URL, "mark": "yes"},
        {"do": "mark", "url": [URL], "mark": "good"},
        {"do": "pause", "more": "x" * 20_000},
    ],
)
def test_nonsense_is_refused_and_does_nothing(shown, words):
    shown.steering.note(PAGE, ())
    words = {"store": shown.store, **words} if isinstance(words, dict) else words
    status, told = shown.ask("crawl.want", shown.token, words)
    assert 400 <= status < 500 and told["error"]
    assert (shown.steering.is_paused, shown.steering.banned, shown.steering.marks) == (False, set(), {})


def test_a_taken_port_is_refused_before_there_is_a_store(tmp_path):
    with listening(0, "--port") as taken:
        about = {"strategy": "customised", "seeds": ["http://a.example/"], "max_pages": 1}
        settings = make_settings({**about, "store": str(tmp_path / "new"), "dashboard": taken.getsockname()[1]})
        with pytest.raises(SettingsError, match="--dashboard"):
            run_crawl(settings, as_json=False)
    assert list(tmp_path.iterdir()) == []


def test_a_port_that_is_none_is_refused():
    with pytest.raises(SettingsError, match="port"):
        make_settings({"ontology": "t.owl", "seeds": ["http://a.example/"], "max_pages": 1, "dashboard": 70_000})


def test_the_curve_stays_short_and_keeps_its_end():
    state = Shown("").state
    for pages in range(1, 2000):
        state.observe(Progress(pages=pages, on_topic=pages // 2))
    curve = json.loads(state.told())["curve"]
    assert len(curve) <= POINTS
    assert curve[-1][0] > 1900
    assert [point[0] for point in curve] == sorted({point[0] for point in curve})


def opened() -> SqliteStore:
    store = open_record(":memory:")
    store.open_crawl(
        CRAWL,
        [],
        [],
    )
    return store


def test_banned_and_raised_hosts_stay_so_in_the_next_run(capsys):
    store, steering = opened(), Steering()
    hosts = LiveHosts(steering, store)
    hosts.restore()
    steering.ban("a.example")
    steering.ban("b.example")
    steering.raised["c.example"] = 1.5
    hosts.keep()
    steering.clear_host("b.example")
    hosts.keep()
    later = Steering()
    LiveHosts(later, store).restore()
    assert (later.banned, later.raised) == ({"a.example"}, {"c.example": 1.5})
    assert "a.example" in capsys.readouterr().err


def test_it_answers_while_all_pages_are_judged_anew(shown):
    shown.steering.detach()
    status, told = shown.ask("crawl.live", shown.token)
    assert status == 200 and told["state"]["judging"] and told["state"]["hosts"] == []
    assert shown.want(do="raise", host="a.example") == 400
    assert shown.want(do="ban", host="a.example") == 200 and shown.steering.banned == {"a.example"}


def test_marks_are_kept_once_their_page_is_saved():
    store, steering = opened(), Steering()
    marks = LiveMarks(steering, store)
    steering.marks[URL], steering.wants_judging = "good", True
    assert not marks.keep()
    assert steering.marks == {URL: "good"}  # its page waits to be saved
    store.save(Batch(pages=(PAGE,)))
    marks = LiveMarks(steering, store)
    assert marks.keep() and not marks.keep()
    assert store.marks() == {URL: "good"} and not steering.marks


def test_a_crawl_answers_at_its_door_to_its_user_alone(shown):
    door = door_of(shown.store)
    assert stat.S_IMODE(door.parent.stat().st_mode) == 0o700
    assert ask_crawl(shown.store, {})["pages"] == 0
    assert "error" in ask_crawl(shown.store, {"do": "x" * 20})


@pytest.mark.parametrize("said", [b"", b"{\n", b"[1]\n", b"\xff\xfe\n", b"x" * 100_000])
def test_nonsense_at_the_door_harms_no_crawl(shown, said):
    with socket.socket(socket.AF_UNIX) as asking:
        asking.connect(str(door_of(shown.store)))
        asking.settimeout(10)
        try:
            asking.sendall(said)
            asking.shutdown(socket.SHUT_WR)
            asking.recv(100)
        except OSError:
            pass
    assert ask_crawl(shown.store, {})["pages"] == 0
    assert not shown.steering.is_paused


def test_a_door_that_others_can_open_is_not_used(tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path))
    os.mkdir(tmp_path / "ontocrawl")
    os.chmod(tmp_path / "ontocrawl", 0o755)
    found = Shown(str(tmp_path / "store"))

    async def run() -> bool:
        async with answering(found.state, found.store):
            return door_of(found.store).exists()

    assert asyncio.run(run()) is False
    assert "cannot be steered" in capsys.readouterr().err


def test_only_known_stores_are_asked_about(shown):
    assert shown.ask("crawl.live", shown.token, {"store": "/etc"})[0] == 400
    assert shown.ask("crawl.live", shown.token, {"store": ["x"]})[0] == 400
    assert shown.ask("crawl.live", shown.token, {})[0] == 400
    assert shown.ask("nothing", shown.token, {})[0] == 404
