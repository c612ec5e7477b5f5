"""A file of settings that changes while its crawl runs, and what it discarded before."""

import re

import pytest
from store_fixtures import Lasting
from store_snapshots import crawl_row, snapshot
from test_end_to_end import HOST, ONTOLOGY, PAGES, answer

from cli.crawling.crawl import carry_out, make_plan
from cli.crawling.live_files import SettingsFile
from cli.settings import make_settings

ABOUT = "\nmax_pages = 4\ndelay = 0\nconnections = 1\nstore = 'memory:'\nstrategy = 'ontology-links'\n"


class Web:
    """The small web; `then` is called when its page is asked for."""

    def __init__(self, then):
        self.asked = []
        self.others = []
        self._then = then

    async def fetch(self, url, conditions=(), *, robots=False):
        path = url.removeprefix(HOST)
        if path in PAGES:
            self.asked.append(path)
            self._then.pop(path, lambda: None)()
        else:
            self.others.append(path)
        return answer(url)

    async def close(self):
        pass


@pytest.fixture
def crawl(tmp_path, monkeypatch):
    """Crawl by a file of settings, which some pages change; what was asked, and the store."""
    (tmp_path / "tea.ttl").write_text(ONTOLOGY, encoding="utf-8")
    file = tmp_path / "crawl.toml"
    kept = Lasting()
    monkeypatch.setattr("cli.crawling.crawl.open_store", lambda where, saving: kept)

    def write(more):
        file.write_text(f'ontology = "tea.ttl"\nseeds = ["{HOST}/"]{ABOUT}{more}', encoding="utf-8")

    def run(first, then=None):
        write(first)
        changes = {path: new if callable(new) else lambda new=new: write(new) for path, new in (then or {}).items()}
        web = run.web = Web(changes)
        monkeypatch.setattr("cli.crawling.crawl.source_of", lambda settings: web)
        read = lambda: make_settings({}, file)  # noqa: E731
        settings = read()
        progress = carry_out(
            make_plan(settings), settings, lambda progress: None, file=SettingsFile(file, read, settings)
        )
        return web.asked, progress

    run.store, run.write = kept, write
    return run


STRICT, MILD = "[parameters]\nalpha = 9\n", "[parameters]\nalpha = 1\noff_topic = 1\n"


def test_a_strict_parameter_discards_and_the_next_run_revives(crawl, capsys):
    assert crawl(STRICT)[0] == ["/"]
    assert set(crawl.store.discarded()) == {f"{HOST}/green", f"{HOST}/cars"}
    assert crawl(MILD)[0][:2] == ["/green", "/cars"]
    assert re.search(r"discarded .*: 2\n", capsys.readouterr().err)
    assert (f"{HOST}/green", f"{HOST}/") in snapshot(crawl.store)["parents"]
    assert snapshot(crawl.store)["pages"][f"{HOST}/green"]["depth"] == 1


def test_parameters_change_while_the_crawl_runs(crawl, capsys):
    """The file is strict after /, so that /green discards /black; after /cars it is mild again, and revives it."""
    asked, _ = crawl(MILD, {"/": STRICT, "/cars": MILD})
    told = capsys.readouterr().err
    assert asked == ["/", "/green", "/cars", "/black"]
    assert "{alpha: 1, off_topic: 1} -> {alpha: 9}" in told
    assert re.search(r"discarded .*: 1\n", told)
    assert "judged again" not in told  # what was learned is handed on
    assert crawl.web.others == ["/robots.txt"]  # and what is known of hosts
    assert '"off_topic": 1' in crawl_row(crawl.store)["settings"]
    assert crawl_row(crawl.store)["pages"] == 4


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("[parameters\n", "is not TOML"),
        ("[parameters]\nalpa = 1\n", "no parameter 'alpa'"),
        ("include = 'x'\n", "try: include is a list"),
        ("[parameters]\nalpha = -1\n", "makes no sense"),
    ],
)
def test_a_file_that_cannot_be_used_changes_nothing(crawl, capsys, text, told):
    asked, progress = crawl("", {"/": text})
    error = capsys.readouterr().err
    assert told in error
    assert error.count("the crawl goes on as it was") == 1
    assert (asked[0], progress.stopped) == ("/", "queue-empty")
    assert '"parameters": {}' in crawl_row(crawl.store)["settings"]


def test_a_new_threshold_and_bound_take_hold_and_others_wait(crawl, capsys):
    asked, progress = crawl(MILD, {"/green": f"threshold = 1\nmax_depth = 1\nseed = 7\n{MILD}"})
    told = capsys.readouterr().err
    assert re.search(r"seed: 0 -> 7 .*next run", told)
    assert re.search(r"threshold of 1 0 of the 2 pages", told)
    assert (asked, progress.on_topic, progress.too_deep) == (["/", "/green", "/cars"], 0, 1)  # /black


def test_a_new_scope_takes_hold_and_lets_go_again(crawl, capsys):
    """/cars is excluded after /; after /green it is allowed again, and /black is excluded."""
    asked, _ = crawl(MILD, {"/": f"exclude = ['/c*']\n{MILD}", "/green": f"exclude = ['/b*']\n{MILD}"})
    told = capsys.readouterr().err
    assert re.search(r"scope: 1 .*, 1 ", told)
    assert asked == ["/", "/green", "/cars"]
    assert [(record.url, record.why) for record in crawl.store.outside()] == [(f"{HOST}/black", "--exclude /b*")]


def test_a_run_with_another_scope_moves_what_waits(crawl):
    crawl(f"exclude = ['/green', '/cars']\n{MILD}")
    assert [record.url for record in crawl.store.queued()] == []
    assert set(crawl("stay_on_host = true\n" + MILD)[0]) == {"/green", "/cars", "/black"}


def test_examples_are_read_once_even_where_settings_change(crawl, tmp_path, capsys):
    marked = tmp_path / "marked.txt"
    marked.write_text("good green.html\n", encoding="utf-8")
    (tmp_path / "green.html").write_text("<p>green tea</p>", encoding="utf-8")
    given = "examples = 'marked.txt'\n"

    def change():
        marked.unlink()
        crawl.write(given + "threshold = 0.9\n")

    crawl(given, {"/": change})
    told = capsys.readouterr().err
    assert "threshold: none -> 0.9" in told
    assert "the crawl goes on as it was" not in told
