"""Crawls through the command that are killed, stopped, or lose their store: nothing is lost, nothing stays behind."""

import contextlib
import json
import random
import shutil
import signal
import socket
import sqlite3
import subprocess
import sys
import time
from pathlib import Path
from textwrap import indent

import pytest

from benchmarks.torture import STORE, Torture, descendants, living, start
from benchmarks.torture_web import finite_sites, seeds_of
from cli.interrupts import BUSY_SECONDS, END_SECONDS, OPENING_SECONDS, SAVE_SECONDS, Ending
from examples.server import WebServer
from graphdb.store_folder import RECORD
from graphdb.stores import open_store
from semantic.records import Batch

pytestmark = pytest.mark.slow

SITES = finite_sites()
STRATEGY = "ontology"


def test_a_killed_crawl_loses_nothing_and_leaves_no_process(tmp_path, whole):
    torture = Torture(tmp_path / "crawl", SITES, STRATEGY, STORE, random.Random(1))
    count = torture.run(2, len(whole["pages"]))
    assert count.wrong == []
    assert count.kills == 2
    assert torture.graph == whole


def test_a_crawl_whose_store_is_removed_ends_and_says_so(tmp_path):
    with WebServer(SITES) as server:
        process = start(tmp_path, server.proxy, STRATEGY, STORE, seeds_of(SITES))
        while len(server.log) < 60:
            assert process.poll() is None, said(tmp_path)
            time.sleep(0.01)
        shutil.rmtree(tmp_path / STORE)
        assert process.wait() == 3, said(tmp_path)
    assert "was removed while it was in use" in said(tmp_path)
    assert "Traceback" not in said(tmp_path)
    assert not (tmp_path / STORE / RECORD).exists()  # no store is made again


def test_a_signal_ends_a_crawl_in_order_despite_slow_servers(tmp_path):
    process, started = started_on_a_silent_web(tmp_path)
    process.send_signal(signal.SIGTERM)
    assert process.wait() == 130
    assert "ended at once" not in said(tmp_path)
    assert json.loads((tmp_path / "figures").read_text())["stopped"] == "interrupted"
    assert "Traceback" not in said(tmp_path)
    assert living(started) == []


def test_a_second_signal_ends_a_crawl_whose_store_is_locked(tmp_path):
    process, started = started_on_a_silent_web(tmp_path)
    with contextlib.closing(sqlite3.connect(tmp_path / STORE / RECORD, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        process.send_signal(signal.SIGINT)
        time.sleep(0.5)
        process.send_signal(signal.SIGTERM)
        assert process.wait() == 130
    assert said(tmp_path).strip().splitlines()[-1].startswith("ended at once: ")
    assert "Traceback" not in said(tmp_path)
    assert living(started) == []


# The clock stands still but for `passes`, which waits until the thread that watches the end has looked after that.
ENDING = """
import os, signal, threading, time
from cli import interrupts

class Clock:
    now = busy = 0.0
    looks = 0

    def monotonic(self):
        self.looks += threading.current_thread().name == "interrupts"
        return self.now

    def process_time(self):
        return self.busy

def passes(seconds, busy=0.0):
    clock.now, clock.busy = clock.now + seconds, clock.busy + busy
    enough = clock.looks + 4  # it looks twice in one round
    while clock.looks < enough:
        time.sleep(0.01)

clock = interrupts.time = Clock()
interrupts.LOOK_SECONDS = 0.01
with interrupts.interruptible() as ending:
    os.kill(os.getpid(), signal.SIGINT)
    ending.stop.wait()
    passes(0)
{end}
print("ended in order")
"""


def ended(end: str) -> tuple[int, str, str]:
    """What comes of an end after Ctrl-C that does this: exit code, output, and what is said."""
    code = ENDING.format(end=indent(end, "    "))
    process = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120, check=False)
    return process.returncode, process.stdout.strip(), process.stderr.strip()


def test_with_all_saved_a_slow_closing_store_loses_nothing():
    end = f"ending.saved.set(); passes(0); passes({END_SECONDS + 1})"
    assert ended(end) == (130, "", "ended at once: everything is saved")


def test_before_the_first_request_a_wait_ends_soon_however_busy():
    end = f"with ending.opening(): passes(0); passes({OPENING_SECONDS + 0.1}, busy={BUSY_SECONDS})"
    assert ended(end) == (130, "", "ended at once: everything is saved")


def test_a_store_that_saves_slowly_is_waited_for():
    code, output, told = ended(
        f"with ending.saving(): passes({SAVE_SECONDS - 1})\n"
        f"for _ in range(5): passes({END_SECONDS - 1}); ending.go_on()\n"
        f"for _ in range(5): passes({END_SECONDS - 1}, busy={BUSY_SECONDS})\n"
    )
    assert (code, output) == (0, "ended in order")
    assert told.startswith("still saving")


@pytest.mark.parametrize("hanging", [f"passes({END_SECONDS + 1})", f"with ending.saving(): passes({SAVE_SECONDS + 1})"])
def test_an_end_in_which_nothing_goes_on_is_at_once(hanging):
    code, output, told = ended(hanging)
    assert (code, output) == (130, "")
    assert told.endswith("ended at once: the same command repeats what was not saved yet")


def test_a_second_ctrl_c_ends_a_slow_save_at_once():
    code, output, told = ended("with ending.saving(): os.kill(os.getpid(), signal.SIGINT); time.sleep(60)")
    assert (code, output) == (130, "")
    assert "not saved yet" in told


def test_a_record_says_that_it_saves(tmp_path):
    ending = Ending()
    seen: list[str] = []

    @contextlib.contextmanager
    def saving():
        seen.append("begun")
        with ending.saving():
            yield
        seen.append("ended")

    with contextlib.closing(open_store(str(tmp_path / STORE), saving=saving)) as store:
        store.save(Batch())
    assert seen == ["begun", "ended"]


def started_on_a_silent_web(folder: Path) -> tuple["subprocess.Popen[bytes]", list[int]]:
    """A crawl that waits for its first answer, which never comes, and what it has started."""
    with socket.create_server(("127.0.0.1", 0)) as silent:
        process = start(folder, f"http://127.0.0.1:{silent.getsockname()[1]}", STRATEGY, STORE, seeds_of(SITES))
        silent.settimeout(120)
        accepted, _ = silent.accept()
        accepted.detach()  # stays open as long as this process lives
    return process, descendants(process.pid)


def said(folder: Path) -> str:
    return (folder / "said").read_text()
