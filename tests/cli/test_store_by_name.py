"""`--store` takes a folder, an address, or the name of a crawl of this machine."""

import pytest

from cli.crawl_register import KnownCrawl, store_called
from cli.main import main
from graphdb.record.sqlite_store import open_record


@pytest.fixture
def tea(tmp_path, monkeypatch):
    """A crawl called tea, seen from another folder."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    store = tmp_path / "leaves"
    open_record(store / "crawl.sqlite").close()
    KnownCrawl(name="tea", store=str(store), command=("crawl",), where=str(tmp_path), program="ontocrawl").keep()
    return str(store)


def test_a_crawl_is_found_by_its_name(tea):
    assert store_called("tea") == tea


@pytest.mark.parametrize("name", ["bolt://127.0.0.1:7687", "./tea", "coffee"])
def test_other_values_stay_as_they_are(tea, name):
    assert store_called(name) == name


def test_a_missing_store_names_the_crawls(tea, monkeypatch, capsys):
    monkeypatch.setattr("sys.argv", ["ontocrawl", "status"])
    with pytest.raises(SystemExit):
        main()
    assert "the name of a crawl: tea" in capsys.readouterr().err
