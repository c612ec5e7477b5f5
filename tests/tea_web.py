"""A small web about tea, archived, and a crawl of it. A test gives the pages by path, each as title and body."""

from collections.abc import Mapping
from pathlib import Path

from browser_fixtures import command
from warc_records import response_record

HOST = "http://tea.example:8080"
ONTOLOGY = """@prefix : <http://onto.example/tea#> .
@prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix oc: <https://w3id.org/ontocrawl#> .
<http://onto.example/tea> a owl:Ontology ; oc:topic :Tea .
:Tea a owl:Class ; rdfs:label "tea"@en , "茶"@zh ; oc:weight 1.0 .
:Green a owl:Class ; rdfs:subClassOf :Tea ; rdfs:label "green tea"@en , "绿茶"@zh ; oc:weight 1.0 .
"""


def start(*names: str) -> tuple[str, str]:
    """The first page, which leads to the others."""
    return "Start", "".join(f'<a href="/{name}">{name} green tea</a> ' for name in names)


def archived(title: str, body: str) -> bytes:
    """An answer with a page."""
    html = f"<html><head><title>{title.replace('<', '&lt;')}</title></head><body>{body}</body></html>".encode()
    head = b"HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\nContent-Length: %d\r\n\r\n"
    return head % len(html) + html


def crawled_tea(
    folder: Path, pages: Mapping[str, tuple[str, str]], ontology: str = ONTOLOGY, *, threshold: float
) -> str:
    """The store of a crawl of all pages, in `folder`."""
    (folder / "tea.ttl").write_text(ontology, encoding="utf-8")
    records = [response_record(HOST + path, archived(title, body)) for path, (title, body) in pages.items()]
    (folder / "web.warc").write_bytes(b"".join(records))
    given = f"--ontology tea.ttl --seeds {HOST}/ --archive web.warc --store store --max-pages {len(pages)} --lang en"
    alone = ("--threshold", str(threshold), "--delay", "0", "--connections", "1")
    with command(folder, "crawl", *given.split(), *alone) as crawl:
        _, told = crawl.communicate(timeout=60)
    assert crawl.returncode == 0, told
    return str(folder / "store")
