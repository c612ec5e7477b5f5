"""A crawl of three pages as the record would give it to an export, without a store."""

from collections.abc import Iterable

from graphdb.record.exported_record import CONCEPTS, CRAWL, LINKS, MENTIONS, PAGES, Column, Row

GREEN, TOPIC = "http://onto.example/tea#Green", "http://onto.example/tea#Tea"
HOME, TEA, WAITING = (f"https://茶.example/{path}" for path in ("", "绿茶?a=1&b=[2]%zz", "next"))
TITLE = '绿茶 & "龙井" 𠮷\x0b'


def row(columns: Iterable[Column], **known: object) -> Row:
    return {column.name: None for column in columns} | known


def link(source: str, target: str, **known: object) -> Row:
    return row(LINKS, source=source, target=target, **known)


WEB = [
    row(PAGES, url=HOME, title="Start", status="fetched", on_topic=False, seed=True, order=1, relevance=0.05),
    row(
        PAGES,
        url=TEA,
        title=TITLE,
        language="zh",
        status="fetched",
        on_topic=True,
        seed=False,
        relevance=0.75,
        discovered_from=HOME,
        published="2024-05-03",
        dated_by="meta",
        author="陆羽",
        fetched_at="2026-11-26T10:59:24.381+00:00",
        reasons=["+0.7 茶", "-0.1 x"],
    ),
    row(PAGES, url=WAITING, status="queued", on_topic=False, seed=False, priority=0.25),
]
ENDS = [link(HOME, TEA, anchor="绿茶", priority=0.5, position=3), link(TEA, TEA), link(TEA, WAITING), link(TEA, HOME)]


class MadeCrawl:
    """Stands for an ExportedRecord."""

    def crawl(self) -> Row:
        started = "2026-11-26T10:59:13+00:00"
        crawl_id = "7a0a7a8c-4e5f-4b2e-8133-fc9f48f0b05e"
        told = {"topic": TOPIC, "ontology": "tea.ttl", "strategy": "fused", "pages": 2, "settings": "{}"}
        return row(CRAWL, id=crawl_id, started_at=started, **told)

    def pages(self) -> list[Row]:
        return WEB

    def links(self) -> list[Row]:
        return ENDS

    def mentions(self) -> list[Row]:
        said = [(HOME, TOPIC, 0.1), (TEA, GREEN, 0.9), (TEA, TOPIC, 0.2)]
        return [row(MENTIONS, page=page, concept=concept, count=1, weight=weight) for page, concept, weight in said]

    def concepts(self) -> list[Row]:
        green = row(CONCEPTS, iri=GREEN, label="绿茶", label_zh="绿茶", label_en="green tea", narrower=[])
        return [row(CONCEPTS, iri=TOPIC, label="茶", label_zh="茶", narrower=[GREEN]), green]
