"""`ontocrawl crawls`: the register of crawls, and lines for cron and systemd that run one again."""

import contextlib
import json
import os
import re
import subprocess
import sys
from dataclasses import replace

import pytest
from test_end_to_end import HOST, ONTOLOGY, PAGES, crawl, ontocrawl, warc

from cli.crawl_register import KnownCrawl, known_crawls, named, note_on_topic, registered, without_secrets
from cli.settings import make_settings
from cli.stores.crawls import Every, forget, remarks, rename, schedule_line, tell, without_page
from crawler.engine.crawl_records import Progress
from graphdb.stores import open_store
from ontology.errors import SettingsError


@pytest.fixture(autouse=True)
def state(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setenv("LANGUAGE", "C")


def settings(store):
    return make_settings(
        {"ontology": None, "strategy": "customised", "seeds": [f"{HOST}/"], "max_pages": 1, "store": str(store)}
    )


def made(folder, name="tea", command=("crawl",), **about) -> KnownCrawl:
    """A crawl with a store that is none but in name."""
    store = folder / name
    store.mkdir()
    (store / "crawl.sqlite").touch()
    known = KnownCrawl(name=name, store=str(store), command=command, where=str(folder), program="/bin/x", **about)
    known.keep()
    return known


@pytest.mark.slow
def test_a_crawl_is_listed_with_its_figures(tmp_path):
    (tmp_path / "tea.ttl").write_text(ONTOLOGY, encoding="utf-8")
    (tmp_path / "seeds.txt").write_text(f"{HOST}/\n", encoding="utf-8")
    (tmp_path / "web.warc").write_bytes(warc(PAGES))
    with contextlib.closing(open_store(str(tmp_path / "ontocrawl-store"))):
        assert crawl(tmp_path, "--max-pages", "2").returncode == 0
    (told,) = json.loads(ontocrawl(tmp_path, "crawls", "--json").stdout)
    assert (told["name"], told["pages"], told["on_topic"], told["state"]) == (tmp_path.name, 2, 1, "max-pages")
    assert (told["store"], told["where"]) == (str(tmp_path / "ontocrawl-store"), str(tmp_path))
    assert told["command"][0] == "crawl"


def test_a_crawl_that_runs_is_running(tmp_path):
    known = made(tmp_path)
    with registered(settings(known.store), lambda progress: None) as observe:
        assert known_crawls()[0].state == "broken off"  # of before: the store is not open yet
        observe(Progress(pages=3, queued=4))
        assert [(crawl.state, crawl.pages, crawl.waiting) for crawl in known_crawls()] == [("running", 3, 4)]
        observe(Progress(pages=5, stopped="interrupted"))
    assert [(crawl.name, crawl.state, crawl.pages) for crawl in known_crawls()] == [("tea", "interrupted", 5)]


def test_an_import_cannot_be_run_again_by_a_timetable(tmp_path):
    known = made(tmp_path, command=("--lang", "en", "import", "crawl", "--ontology", "tea.ttl"))
    with pytest.raises(SettingsError, match="tea is an import"):
        schedule_line(known, Every.DAY, "03:30", systemd=False)


def test_a_store_in_memory_is_not_listed():
    with registered(settings("memory:"), lambda progress: None) as observe:
        observe(Progress(pages=1))
    assert known_crawls() == []


def test_a_store_that_vanished_is_said_so(tmp_path):
    known = made(tmp_path)
    (tmp_path / "tea" / "crawl.sqlite").unlink()
    assert "vanished" in named("tea").state
    with pytest.raises(SettingsError, match="no store"):
        schedule_line(known, Every.DAY, "03:30", systemd=False)


def test_an_unknown_name_is_answered_with_the_nearest(tmp_path):
    for name in ("oolong", *(f"ice{number}" for number in range(9))):
        made(tmp_path, name)
    with pytest.raises(SettingsError) as caught:
        named("olong")
    assert "oolong" in caught.value.cure and "ice" not in caught.value.cure
    with pytest.raises(SettingsError) as caught:
        named("xyz")
    assert caught.value.cure.count(",") == 4  # five names, whichever were seen last


def test_renaming_and_forgetting(tmp_path):
    made(tmp_path)
    made(tmp_path, "ice")
    assert ontocrawl(tmp_path, "crawls", "rename", "tea", "oolong").returncode == 0
    assert ontocrawl(tmp_path, "crawls", "rename", "oolong", "ice").returncode == 2
    assert ontocrawl(tmp_path, "crawls", "forget", str(tmp_path / "tea")).returncode == 0
    assert [crawl.name for crawl in known_crawls()] == ["ice"]
    assert ontocrawl(tmp_path, "crawls", "forget", "oolong").returncode == 2
    assert (tmp_path / "tea").is_dir()


def test_all_vanished_crawls_are_forgotten_at_once(tmp_path):
    for name in ("tea", "ice", "oolong"):
        made(tmp_path, name)
    for name in ("tea", "ice"):
        (tmp_path / name / "crawl.sqlite").unlink()
    done = ontocrawl(tmp_path, "crawls", "forget", "--vanished")
    assert done.returncode == 0
    assert str(tmp_path / "tea") in done.stderr and str(tmp_path / "ice") in done.stderr
    assert [crawl.name for crawl in known_crawls()] == ["oolong"]
    assert ontocrawl(tmp_path, "crawls", "forget", "oolong", "--vanished").returncode == 2
    assert ontocrawl(tmp_path, "crawls", "forget").returncode == 2


SYSTEM = re.compile(r"Errno|No such|Is a directory|Not a directory|File exists|Expecting|[Kk]ey")  # of Python


@pytest.fixture
def chinese(monkeypatch):
    monkeypatch.setenv("LANGUAGE", "zh_CN")


@pytest.mark.usefixtures("chinese")
def test_entries_that_cannot_be_read_are_told_in_plain_words(tmp_path, capsys):
    folder = made(tmp_path).file.parent
    (folder / "a.json").mkdir()
    (folder / "b.json").write_text("{")
    (folder / "c.json").write_text("{}")
    (folder / "d.json").write_bytes(b"\xff")
    assert [crawl.name for crawl in known_crawls()] == ["tea"]
    told = capsys.readouterr().err
    assert "a.json 无法读取：它是文件夹" in told
    assert told.count("已损坏") == 3
    assert not SYSTEM.search(told)


@pytest.mark.usefixtures("chinese")
def test_an_unwritable_register_is_told_in_plain_words(tmp_path, monkeypatch, capsys):
    (tmp_path / "file").touch()
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "file"))
    with registered(settings(tmp_path / "tea"), lambda progress: None) as observe:
        observe(Progress(pages=1))
    told = capsys.readouterr().err
    assert "file/ontocrawl" in told
    assert "路径的一部分是文件" in told
    assert not SYSTEM.search(told)


def test_renaming_and_forgetting_tell_plainly_what_cannot_be_written(tmp_path):
    file = made(tmp_path).file
    file.with_suffix(f".{os.getpid()}.new").mkdir()
    with pytest.raises(SettingsError, match="it is a folder"):
        rename("tea", "oolong")
    file.with_suffix(".lock").mkdir()
    with pytest.raises(SettingsError, match="it is a folder"):
        forget("tea")


WORDS = ("crawl", "--seeds", "a b's.txt", "--exclude", "*%20*", "--exclude", "$HOME", "--max-pages", "5")


@pytest.mark.parametrize("systemd", [False, True])
def test_a_line_runs_the_very_words(tmp_path, systemd):
    """By a shell: of cron with its % signs taken back, of systemd-run as far as that gets it."""
    program = tmp_path / "tell me"
    program.write_text(f"#!{sys.executable}\nimport sys, os, json\nprint(json.dumps([os.getcwd(), *sys.argv[1:]]))\n")
    program.chmod(0o700)
    known = replace(made(tmp_path, command=WORDS), program=str(program))
    line = schedule_line(known, Every.WEEK, "03:30", systemd=systemd)
    assert "\n" not in line
    if systemd:
        fake = tmp_path / "systemd-run"
        fake.write_text('#!/bin/sh\nwhile [ "$1" != -- ]; do shift; done\nshift\nexec "$@"\n')
        fake.chmod(0o700)
        command, words = line, tuple(word.replace("$", "$$") for word in WORDS)
        assert "--on-calendar=Mon *-*-* 03:30:00" in line
    else:
        assert line.startswith("30 3 * * 1 ")
        command, words = line.removeprefix("30 3 * * 1 ").replace("\\%", "%"), WORDS
    path = f"{tmp_path}:{os.environ['PATH']}"
    done = subprocess.run(["sh", "-c", command], cwd=tmp_path, env={"PATH": path}, stdout=subprocess.PIPE, check=True)
    assert json.loads(done.stdout) == [str(tmp_path), *words, "--recrawl"]


def test_options_before_the_command_stay_before_it():
    command = ("--lang", "zh", "crawl", "--dashboard", "0", "--max-pages", "5")
    assert list(without_page(command)) == ["--lang", "zh", "crawl", "--max-pages", "5"]


@pytest.mark.parametrize("dashboard", [["--dashboard", "8899"], ["--dashboard=8899"]])
def test_a_line_leaves_out_the_dashboard(tmp_path, dashboard):
    known = made(tmp_path, command=("crawl", *dashboard, "--max-pages", "5", "--lang", "en"))
    line = schedule_line(known, Every.DAY, "03:30", systemd=False)
    assert line.endswith(" crawl --max-pages 5 --lang en --recrawl")
    assert any("--dashboard" in remark for remark in remarks(known, systemd=False))


def test_a_line_raises_the_pages_that_are_reached(tmp_path):
    reached, cut = made(tmp_path, stopped="max-pages", pages=40), made(tmp_path, "cut", stopped="interrupted")
    assert schedule_line(reached, Every.DAY, "03:30", systemd=False).endswith(" --max-pages 80")
    assert "--max-pages 0" not in schedule_line(cut, Every.DAY, "03:30", systemd=False)
    assert any("--max-pages is reached" in remark for remark in remarks(reached, systemd=False))
    assert not any("--max-pages is reached" in remark for remark in remarks(cut, systemd=False))


def test_a_time_that_is_none_is_a_mistake(tmp_path):
    made(tmp_path)
    assert ontocrawl(tmp_path, "crawls", "schedule", "tea", "--at", "25:00").returncode == 2
    assert ontocrawl(tmp_path, "crawls", "schedule", "tea", "--every", "blue moon").returncode == 2


def test_no_password_is_kept():
    words = ["crawl", "--proxy", "http://ann:pw@p:1", "--store=bolt://ann:pw@h", "--seeds", "https://a.example/@me"]
    kept = ("crawl", "--proxy", "http://p:1", "--store=bolt://h", "--seeds", "https://a.example/@me")
    assert without_secrets(words) == kept


def test_a_machine_s_proxy_that_the_line_lacks_is_said(tmp_path, monkeypatch):
    monkeypatch.setenv("HTTPS_PROXY", "http://proxy.example:3128")
    bare, given = made(tmp_path), made(tmp_path, "other", ("crawl", "--proxy", "http://proxy.example:3128"))
    assert any("HTTPS_PROXY" in line for line in remarks(bare, systemd=False))
    assert not any("HTTPS_PROXY" in line for line in remarks(given, systemd=False))
    monkeypatch.delenv("HTTPS_PROXY")
    assert not any("proxy" in line for line in remarks(bare, systemd=False))


def test_a_line_speaks_the_language_of_here(tmp_path, monkeypatch):
    monkeypatch.setenv("LANGUAGE", "zh_CN")
    bare, given = made(tmp_path), made(tmp_path, "other", ("crawl", "--lang", "en"))
    assert schedule_line(bare, Every.DAY, "03:30", systemd=False).endswith(" crawl --recrawl --lang zh")
    assert schedule_line(given, Every.DAY, "03:30", systemd=True).endswith(" crawl --lang en --recrawl")


def test_a_crawl_judged_anew_is_listed_with_its_new_figure(tmp_path):
    made(tmp_path, pages=40, on_topic=12)
    note_on_topic(str(tmp_path / "tea"), 15)
    note_on_topic(str(tmp_path / "unknown"), 3)
    (known,) = known_crawls()
    assert (known.pages, known.on_topic) == (40, 15)


def entry(crawl, **changed) -> str:
    return json.dumps(json.loads(crawl.file.read_text("utf-8")) | changed)


DAMAGED = {
    "empty": lambda crawl: b"",
    "half written": lambda crawl: entry(crawl).encode()[:40],
    "no object": lambda crawl: b"[1]",
    "nested": lambda crawl: b"[" * 100_000,
    "many digits": lambda crawl: entry(crawl).replace('"pages": 0', f'"pages": {"9" * 5000}').encode(),
    "text for a number": lambda crawl: entry(crawl, pages="many").encode(),
    "number for a text": lambda crawl: entry(crawl, seen=5).encode(),
    "no time": lambda crawl: entry(crawl, seen=None).encode(),
    "words that are none": lambda crawl: entry(crawl, command=["crawl", 5]).encode(),
    "one word": lambda crawl: entry(crawl, command="crawl").encode(),
    "of another store": lambda crawl: entry(crawl, store="/elsewhere").encode(),
    "Latin-1": lambda crawl: entry(crawl).replace('"damaged"', '"th\xe9"').encode("latin-1"),
    "zero bytes": lambda crawl: bytes(4096),
    "huge": lambda crawl: entry(crawl).encode() + b" " * 2_000_000,
}


@pytest.mark.parametrize("kind", DAMAGED)
def test_a_damaged_entry_is_said_once_and_ends_nothing(tmp_path, capsys, kind):
    damaged, sound = made(tmp_path, "damaged"), made(tmp_path, "sound")
    damaged.file.write_bytes(DAMAGED[kind](damaged))
    with registered(settings(sound.store), lambda progress: None) as observe:
        observe(Progress(pages=3))
    assert [(crawl.name, crawl.pages) for crawl in known_crawls()] == [("sound", 3)]
    assert tell(as_json=False) == 0
    assert capsys.readouterr().err.count(str(damaged.file)) == 1
    with registered(settings(damaged.store), lambda progress: None) as observe:
        observe(Progress(pages=2))
    assert {crawl.name for crawl in known_crawls()} == {"damaged", "sound"}


@pytest.mark.parametrize("other", ["folder", "pipe", "link"])
def test_an_entry_that_is_no_file_ends_nothing(tmp_path, other):
    known = made(tmp_path)
    place = known.file.with_name("0.json")
    {"folder": place.mkdir, "pipe": lambda: os.mkfifo(place), "link": lambda: place.symlink_to("nowhere")}[other]()
    assert [crawl.name for crawl in known_crawls()] == ["tea"]


def test_an_entry_of_a_newer_version_is_read(tmp_path):
    known = made(tmp_path)
    known.file.write_text(entry(known, new={"of": "tomorrow"}), "utf-8")
    assert [crawl.name for crawl in known_crawls()] == ["tea"]


@pytest.mark.parametrize("encoding", ["utf-16", "utf-8-sig"])
def test_an_entry_in_another_encoding_is_read(tmp_path, encoding):
    known = made(tmp_path, "茶")
    known.file.write_bytes(json.dumps(json.loads(known.file.read_text("utf-8")), ensure_ascii=False).encode(encoding))
    assert [crawl.name for crawl in known_crawls()] == ["茶"]


def test_a_register_that_is_a_file_ends_nothing(tmp_path, capsys):
    (tmp_path / "state" / "ontocrawl").mkdir(parents=True)
    (tmp_path / "state" / "ontocrawl" / "crawls").touch()
    with registered(settings(tmp_path / "store"), lambda progress: None) as observe:
        observe(Progress(pages=1))
    assert known_crawls() == []
    assert "crawls" in capsys.readouterr().err


def test_words_that_are_no_utf8_are_kept(tmp_path):
    made(tmp_path, "t\udcffea", command=("crawl", "--ontology", "t\udcffea.owl"))
    assert [crawl.command[-1] for crawl in known_crawls()] == ["t\udcffea.owl"]
    assert tell(as_json=True) == 0
