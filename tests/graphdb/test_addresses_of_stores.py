"""Where a store is, and who may use it: what is typed, the environment, a file."""

import pytest

from graphdb.neo4j.credentials import address_of
from graphdb.record.sqlite_store import SqliteStore
from graphdb.stores import open_graph, open_store
from ontology.errors import StoreError

URI = "bolt://127.0.0.1:1"


@pytest.fixture(autouse=True)
def bare(monkeypatch):
    for name in ("NEO4J_USERNAME", "NEO4J_PASSWORD", "NEO4J_CREDENTIALS_FILE"):
        monkeypatch.delenv(name, raising=False)


def ask(server: str) -> None:
    with open_graph(server):
        pass


def test_memory_is_a_store():
    assert isinstance(open_store("memory:"), SqliteStore)


@pytest.mark.parametrize("where", ["http://one.example", "postgres://one.example/x"])
def test_other_schemes_are_refused(where):
    with pytest.raises(StoreError, match="is not a store"):
        open_store(where)


def test_what_is_no_store_is_refused_with_the_fitting_step(tmp_path):
    (tmp_path / "file").write_text("x")
    for where in (tmp_path, tmp_path / "file"):
        cures = {}
        for create in (True, False):
            with pytest.raises(StoreError) as caught:
                open_store(str(where), create=create)
            cures[create] = caught.value.cure
        assert "ontocrawl crawls" in cures[False]  # who reads wants one that is there
        assert "does not exist" in cures[True]


def test_a_server_is_no_record():
    with pytest.raises(StoreError, match="holds a graph"):
        open_store(URI)


def test_a_store_of_an_earlier_version_is_refused(tmp_path):
    (tmp_path / "ontocrawl-store").touch()
    with pytest.raises(StoreError, match="earlier version") as caught:
        open_store(str(tmp_path))
    assert "--archive" in caught.value.cure


@pytest.mark.parametrize("where", ["bolt://127.0.0.1:abc", "bolt://127.0.0.1:99999", "neo4j://127.0.0.1:0"])
def test_an_impossible_port_is_a_users_mistake(where, monkeypatch):
    monkeypatch.setenv("NEO4J_PASSWORD", "x")
    with pytest.raises(StoreError, match="is not the address") as caught:
        ask(where)
    assert "bolt://HOST:PORT" in caught.value.cure


def test_without_a_password_the_next_step_is_named():
    with pytest.raises(StoreError, match="no password") as caught:
        ask(URI)
    assert "NEO4J_PASSWORD" in caught.value.cure


def test_a_password_in_the_address_is_refused_and_not_repeated():
    with pytest.raises(StoreError) as caught:
        ask("bolt://neo4j:secret@127.0.0.1:1")
    assert "secret" not in str(caught.value) + caught.value.cure


def test_the_environment_names_user_and_password(monkeypatch):
    monkeypatch.setenv("NEO4J_PASSWORD", "p w")
    assert (address_of(URI).user, address_of(URI).password) == ("neo4j", "p w")
    monkeypatch.setenv("NEO4J_USERNAME", "ann")
    assert address_of(URI).user == "ann"
    assert "p w" not in repr(address_of(URI))


def test_a_file_holds_user_and_password(monkeypatch, tmp_path):
    file = tmp_path / "credentials"
    file.write_text("# from the console\nNEO4J_URI=neo4j+s://x\nNEO4J_USERNAME=ann\nNEO4J_PASSWORD='a=b'\n")
    monkeypatch.setenv("NEO4J_CREDENTIALS_FILE", str(file))
    assert (address_of(URI).user, address_of(URI).password) == ("ann", "a=b")
    monkeypatch.setenv("NEO4J_PASSWORD", "of the environment")
    assert address_of(URI).password == "of the environment"


def test_a_credentials_file_that_is_missing_or_empty_is_told(monkeypatch, tmp_path):
    monkeypatch.setenv("NEO4J_CREDENTIALS_FILE", str(tmp_path / "file"))
    with pytest.raises(StoreError, match="cannot be read"):
        address_of(URI)
    (tmp_path / "file").touch()
    with pytest.raises(StoreError, match="no password"):
        address_of(URI)


def test_a_server_that_is_not_there_is_told(monkeypatch):
    monkeypatch.setenv("NEO4J_PASSWORD", "x")
    with pytest.raises(StoreError, match="does not answer"):
        ask(URI)


def test_a_wrong_password_is_told(neo4j, monkeypatch):
    monkeypatch.setenv("NEO4J_PASSWORD", "wrong")
    with pytest.raises(StoreError, match="refuses this user name and password"):
        ask(neo4j.uri)
