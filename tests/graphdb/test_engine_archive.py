"""The archive of the engine's classes: made once, used by all servers, never in the way."""

import json
import os
import sys
import time
from pathlib import Path

import pytest
from conftest import JAVA_ARGUMENTS

from graphdb.embedded import engine_archive
from graphdb.store_folder import prepare
from graphdb.stores import open_store, serve_soon


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of archives, which is empty."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.delenv(engine_archive.SWITCH)
    monkeypatch.delenv(JAVA_ARGUMENTS)  # without the archive that other tests use
    return tmp_path / "cache" / "ontocrawl"


@pytest.mark.slow
def test_an_archive_made_once_is_used_by_all_servers(cache, monkeypatch, tmp_path):
    """By the archive that was made when these tests began."""
    monkeypatch.setenv("XDG_CACHE_HOME", sys.prefix)
    archive = engine_archive.place()
    assert archive is not None
    made = archive.stat()
    assert made.st_size > 1e6
    assert engine_archive.make()
    assert archive.stat() == made
    folder = tmp_path / "store"
    prepare(folder, create=True)
    for brief in (False, True):
        serve_soon(str(folder), brief=brief)
        store = open_store(str(folder), create=False)
        pid = json.loads((folder / "server.json").read_text())["pid"]
        assert str(archive) in Path(f"/proc/{pid}/maps").read_text()
        store.close()


@pytest.fixture
def recorded(monkeypatch: pytest.MonkeyPatch) -> None:
    """An archive is written in an instant."""
    monkeypatch.setattr(engine_archive, "record_archive", lambda folder, archive: archive.write_bytes(b"archive"))


def test_another_installation_keeps_its_archive(cache, recorded, monkeypatch):
    assert engine_archive.make()
    first = engine_archive.flags()
    monkeypatch.setattr("sys.version", "another Python")
    assert engine_archive.make()
    assert engine_archive.flags() != first
    assert len(list(cache.glob("*.aot"))) == 2


@pytest.mark.parametrize(("days", "left"), [(20, True), (40, False)])
def test_an_archive_that_nobody_uses_is_removed(cache, recorded, days, left):
    cache.mkdir(parents=True)
    former, lock = cache / "engine-former.aot", cache / "engine-former.lock"
    for file in (former, lock):
        file.write_bytes(b"of another version")
        os.utime(file, (0, time.time() - days * 86_400))
    assert engine_archive.make()
    assert (former.exists(), lock.exists()) == (left, left)


def test_a_server_that_uses_an_archive_makes_it_new(cache, recorded):
    assert engine_archive.make()
    (archive,) = cache.glob("*.aot")
    os.utime(archive, (0, 0))
    assert engine_archive.flags()
    assert archive.stat().st_mtime > 0


def test_no_archive_is_made_where_none_is_wanted_or_possible(cache, monkeypatch):
    wanted = engine_archive.place()
    assert wanted is not None and wanted.parent == cache
    assert engine_archive.flags() == ()
    cache.mkdir(parents=True)
    wanted.write_bytes(b"")  # it was tried in vain
    assert not engine_archive.make()
    assert engine_archive.flags() == ()
    wanted.write_bytes(b"archive")
    assert engine_archive.flags() == (f"-XX:AOTCache={wanted}",)
    monkeypatch.setenv(engine_archive.SWITCH, "none")
    assert engine_archive.flags() == ()
    assert not engine_archive.make()
