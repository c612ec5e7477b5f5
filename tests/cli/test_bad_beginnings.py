"""A crawl that cannot begin leaves nothing behind, though its store's server had been started early."""

import contextlib
import socket
import sys

import pytest

from cli.main import main

pytestmark = pytest.mark.slow


@pytest.mark.parametrize(
    ("ontology", "words"),
    [
        ("<rdf:RDF>", ()),
        ("", ()),
        ("<http://t#Tea> a <http://www.w3.org/2002/07/owl#Class> .", ("--examples", "none.txt")),
        ("<http://t#Tea> a <http://www.w3.org/2002/07/owl#Class> .", ("--dashboard", "PORT")),
    ],
)
def test_bad_input_leaves_no_store(tmp_path, monkeypatch, ontology, words):
    (tmp_path / "topic.ttl").write_text(ontology, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    with contextlib.closing(socket.create_server(("127.0.0.1", 0))) as taken:
        typed = [str(taken.getsockname()[1]) if word == "PORT" else word for word in words]
        common = [
            "--ontology",
            "topic.ttl",
            "--seeds",
            "http://127.0.0.1:9/",
            "--max-pages",
            "1",
            "--store",
            "new/store",
        ]
        monkeypatch.setattr(sys, "argv", ["ontocrawl", "crawl", *common, *typed])
        with pytest.raises(SystemExit) as left:
            main()
    assert left.value.code == 2
    assert [path.name for path in tmp_path.iterdir()] == ["topic.ttl"]
