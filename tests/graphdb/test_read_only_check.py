"""A query only reads: what would write, load a file or change the server is refused on every store that has Cypher."""

import base64
import json
import os
import re
import urllib.error
import urllib.request
from dataclasses import replace
from pathlib import Path

import pytest
from records_at_hand import CONCEPTS, CRAWL, SEED, fetched, link
from store_fixtures import fill_from
from store_snapshots import graph_snapshot

from graphdb.cypher.read_only_check import objection_to_plan, objection_to_refused, objection_to_words
from graphdb.cypher.statements import statements
from graphdb.neo4j.bolt_driver import Connection
from ontology.errors import StoreError
from semantic.records import Batch

ROOT = Path(__file__).resolve().parents[2]
SECRET = "root:x:0:0"
LOAD = "LOAD CSV FROM 'file:///etc/passwd' AS row"
FORGET = "CALL db.stats.clear('QUERIES') YIELD section"

# Each is refused by both stores; those below by what only one of them would do.
WRITES = [
    "CREATE (p:Page {url: 'x'}) RETURN p",
    "cReAtE (:Evil)",
    "INSERT (:Evil)",
    "MERGE (n:Evil) RETURN n",
    "MATCH (n) DETACH DELETE n",
    "MATCH ()-[l:LINKS_TO]->() DELETE l",
    "MATCH (n:Page) SET n.title = 'evil'",
    "MATCH (n:Page) SET n:Site",
    "MATCH (n:Page) REMOVE n.title",
    "FOREACH (i IN [1] | CREATE (:Evil))",
    "CALL (*) { CREATE (e:Evil) RETURN e } RETURN e",
    "RETURN 1 AS x UNION CREATE (n:Evil) RETURN 1 AS x",
    "RETURN 1; CREATE (:Evil)",
    "/* EXPLAIN */ CREATE (:Evil)",
    "// EXPLAIN\nCREATE (:Evil)",
    "// RETURN 1 \\u000a CREATE (:Evil)",
    "PROFILE CREATE (:Evil)",
    "EXPLAIN PROFILE CREATE (:Evil)",
    "CYPHER runtime=slotted CREATE (:Evil)",
    "WITH '\\u0027 AS x CREATE (:Evil) //' AS y RETURN y, 1 + 'CREATE",
    "MATCH (n) CALL (n) { DETACH DELETE n } IN TRANSACTIONS",
    "MATCH (n) CALL { WITH n DETACH DELETE n } IN TRANSACTIONS OF 1 ROWS",
    "MATCH (n) CALL (n) { DETACH DELETE n } /* */ in 2 concurrent transactions",
    "MATCH (n) CALL (n) { RETURN 1 AS x } IN TRANSACTIONS RETURN x",
]
COMMANDS = [
    "CREATE USER eve SET PASSWORD 'long password' CHANGE NOT REQUIRED",
    "EXPLAIN CREATE USER eve SET PASSWORD 'long password' CHANGE NOT REQUIRED",
    "ALTER USER reader SET PASSWORD 'long password'",
    "DROP USER root IF EXISTS",
    "SHOW USERS",
    "CREATE DATABASE evil",
    "CREATE INDEX evil IF NOT EXISTS FOR (p:Page) ON (p.title)",
    "create /* */ index evil if not exists for (p:Page) on (p.title)",
    "CREATE CONSTRAINT evil IF NOT EXISTS FOR (p:Evil) REQUIRE p.x IS UNIQUE",
    "DROP CONSTRAINT page_url",
    "TERMINATE TRANSACTIONS 'neo4j-transaction-1'",
    "CALL db.createLabel('Evil')",
    "CALL db . `createProperty` ('evil')",
    "CALL `db.createLabel`('Evil')",
    "MATCH (p:Page) CALL db.stats.clear('QUERIES') YIELD section RETURN section",
    f"RETURN [x IN [1] | COLLECT {{ {FORGET} RETURN section }}] AS x",
    "CALL db.clearQueryCaches()",
    "CALL dbms.killConnections([])",
    "CALL dbms.listConfig()",
    "CALL apoc.cypher.run('CREATE (:Evil)', {})",
    "CALL apoc.load.csv('file:///etc/passwd')",
    "CALL merge.node(['Page'], {url: 'x'}, {}, {})",
]
LOADS = [
    f"{LOAD} RETURN row",
    "LOAD CSV WITH HEADERS FROM 'http://127.0.0.1:1/x' AS row RETURN row",
    "load // CSV\ncsv from 'file:///etc/passwd' as row return row",
    "LOAD\u00a0CSV FROM 'file:///etc/passwd' AS row RETURN row",
    f"\\u004cOAD CSV{LOAD[8:]} RETURN row",
    f"CALL (*) {{ {LOAD} RETURN row }} RETURN row",
    f"RETURN COLLECT {{ {LOAD} RETURN row }} AS x",
    f"RETURN [x IN [1] | COLLECT {{ {LOAD} RETURN row }}] AS x",
    f"RETURN CASE WHEN rand() < 2 THEN COLLECT {{ {LOAD} RETURN row }} END AS x",
    f"RETURN any(x IN [1] WHERE EXISTS {{ {LOAD} RETURN row }}) AS x",
    f"RETURN '\\u0027 AS a, coalesce(COLLECT {{ {LOAD} RETURN row }}, 1) AS b //'",
    f"RETURN 1 AS `\\u0060, COLLECT {{ {LOAD} RETURN row }} AS b //`",
    f"RETURN 'it\\'s', COLLECT {{ {LOAD} RETURN row }} AS b",
    f"RETURN 1 AS a /* /* */, COLLECT {{ {LOAD} RETURN row }} AS b //*/",
]
QUESTIONS = [
    "RETURN 1;",
    "// LOAD CSV\nMATCH (n) RETURN 'CREATE (x) DELETE LOAD CSV, CALL a.b()' AS text /* CALL a.b() */",
    "MATCH (n:`LOAD CSV`) RETURN n.`CALL a.b`, n.call, n.transactions",
    "WITH [1] AS transactions, 1 AS call RETURN call IN transactions",
    "CALL db.labels() YIELD label RETURN label",
    "MATCH (p:Page) CALL `db`.labels() YIELD label RETURN label, p.url",
    "RETURN COUNT { MATCH (p:Page) RETURN p } AS pages",
    "SHOW INDEXES",
]


@pytest.fixture
def filled(graph, record) -> Connection:
    record.open_crawl(CRAWL, CONCEPTS, [SEED])
    record.save(Batch(pages=(fetched(0, links=(link(1, 0.5),)),)))
    fill_from(record, graph)
    return graph


def kept(graph: Connection) -> object:
    """All that a query could change: the graph, and what the server knows of schema and users."""
    asked = ("SHOW INDEXES", "SHOW CONSTRAINTS", "SHOW USERS")
    names = [sorted(str(row.get("name", row.get("user"))) for row in graph.read(cypher)) for cypher in asked]
    return names, list(graph.read("MATCH (e:Evil) RETURN e")), graph_snapshot(graph)


@pytest.mark.parametrize("attacks", [WRITES, COMMANDS], ids=["writes", "commands"])
def test_a_query_that_does_more_than_read_is_refused(filled, attacks):
    before = kept(filled)
    for cypher in attacks:
        with pytest.raises(StoreError) as refused:
            filled.query(cypher)
        assert refused.value.cure
    assert kept(filled) == before


@pytest.mark.parametrize("delete", ["DELETE p", "DETACH DELETE p", "delete p RETURN 1 AS set"])
def test_who_would_delete_pages_hears_that_queries_read(filled, delete):
    """Whatever else stands in the way: here links of the pages."""
    with pytest.raises(StoreError, match="a query may only read, but this one") as refused:
        filled.query(f"MATCH (p:Page) {delete}")
    assert "damaged" not in refused.value.cure


def test_names_do_not_write():
    assert objection_to_refused("MATCH (p:Set {create: 'DELETE'}) RETURN p.set, $merge, p.`remove`") == ""
    assert objection_to_refused("MATCH (p) WHERE p.x = SET p.y = 1") == "writes"


def test_a_query_cannot_drop_what_keeps_addresses_apart(filled):
    before = kept(filled)
    for kind in ("CONSTRAINT", "INDEX"):
        for row in list(filled.read(f"SHOW {kind}{'ES' if kind == 'INDEX' else 'S'}")):
            with pytest.raises(StoreError):
                filled.query(f"DROP {kind} `{row['name']}` IF EXISTS")
    assert kept(filled) == before


@pytest.mark.parametrize("cypher", LOADS)
def test_a_query_reads_no_file_and_asks_no_address(filled, cypher):
    with pytest.raises(StoreError, match="loads a file") as refused:
        filled.query(cypher)
    assert SECRET not in str(refused.value)


@pytest.mark.parametrize("cypher", QUESTIONS)
def test_what_only_looks_like_more_is_a_question(filled, cypher):
    filled.query(cypher)


def test_all_saved_questions_are_still_answered(filled):
    given = dict.fromkeys(("url", "host", "concept"), "x")
    given |= {"priority": 0.5, "found": 1, "before": 0, "most": 5, "urls": [SEED.url], "iris": ["urn:ice"]}
    given |= {"fingerprint": "x", "threshold": 0.5, "depth": 3, "least": 1, "share": 0.5}
    for cypher in statements("demo").values():
        filled.query(cypher, given)
    shown = re.search(r"## Five questions.*?```cypher\n(.*?)```", (ROOT / "docs" / "graph.md").read_text(), re.DOTALL)
    asked = [cypher for cypher in shown[1].split(";\n") if cypher.strip()]
    help_text = (ROOT / "cli" / "commands" / "store_commands.py").read_text()
    asked += re.findall(r'ontocrawl query (?:--format csv )?"(MATCH[^"]+)"', help_text)
    assert len(asked) >= 6
    for cypher in asked:
        filled.query(cypher)


def test_a_plan_without_a_known_kind_is_no_question():
    assert objection_to_plan("r", None) == ""
    assert objection_to_plan(None, None) == "is of no known kind"
    hidden = {"operatorType": "ProduceResults@neo4j", "children": [{"operatorType": "LoadCSV@neo4j"}]}
    assert "LOAD CSV" in objection_to_plan("r", hidden)


def test_a_procedure_is_named_as_it_was_typed():
    assert objection_to_words("CALL apoc . `Load`.csv()") == "calls apoc.Load.csv, which is not known to only read"


def test_the_reader_of_a_served_graph_cannot_write_by_itself(engine, engine_graph, record):
    """Without our looks at words: as any other program that is given this address."""
    record.open_crawl(CRAWL, CONCEPTS, [SEED])
    fill_from(record, engine_graph)
    before = kept(engine_graph)
    reader = Connection(engine.connection.reading_address, "crawl")
    try:
        for cypher in [*WRITES, *COMMANDS, *LOADS]:
            try:
                told = str(list(reader.read(cypher)))
            except StoreError:
                told = ""
            assert SECRET not in told, cypher
    finally:
        reader.close()
    assert kept(engine_graph) == before


def test_the_reader_of_a_served_graph_cannot_write_in_sql(engine, engine_graph, record):
    record.open_crawl(CRAWL, CONCEPTS, [SEED])
    fill_from(record, engine_graph)
    before = kept(engine_graph)
    ask = sql_of(engine.folder, (engine.connection.reading_address.user, engine.connection.reading_address.password))
    assert ask("SELECT count(*) FROM Page") == 200
    for sql in (
        "INSERT INTO Page SET url = 'x'",
        "UPDATE Page SET title = 'x'",
        "DELETE FROM Page",
        "TRUNCATE TYPE Page UNSAFE",
        "DROP TYPE Page UNSAFE",
        "CREATE DOCUMENT TYPE Evil",
        "ALTER DATABASE `arcadedb.dateFormat` 'x'",
        "IMPORT DATABASE file:///etc/passwd",
        "EXPORT DATABASE file://evil.jsonl.tgz",
        "BACKUP DATABASE",
    ):
        assert ask(sql) == 403, sql
    assert kept(engine_graph) == before


def test_only_a_reader_asks_the_embedded_server(engine):
    writer = Connection(replace(engine.connection.address, reader=None), "crawl")
    with pytest.raises(StoreError, match="would let a query of the user root write"):
        writer.query("RETURN 1")
    writer.close()


def sql_of(folder: Path, login: tuple[str, str]):
    """Asks the HTTP port of a store's server, gives the status."""
    (port,) = listening(json.loads((folder / "server.json").read_text()))
    word = base64.b64encode(":".join(login).encode()).decode()

    def ask(sql: str) -> int:
        body = json.dumps({"language": "sql", "command": sql}).encode()
        headers = {"Authorization": f"Basic {word}", "Content-Type": "application/json"}
        request = urllib.request.Request(f"http://127.0.0.1:{port}/api/v1/command/crawl", body, headers)
        try:
            with urllib.request.urlopen(request) as answer:
                return answer.status
        except urllib.error.HTTPError as error:
            return error.code

    return ask


def listening(server: dict[str, int]) -> set[int]:
    """The ports on which a store's server listens besides Bolt's."""
    open_files = [os.readlink(path) for path in Path(f"/proc/{server['pid']}/fd").iterdir() if path.is_symlink()]
    inodes = {name[8:-1] for name in open_files if name.startswith("socket:")}
    tables = [Path(f"/proc/{server['pid']}/net/{name}").read_text().splitlines()[1:] for name in ("tcp", "tcp6")]
    rows = [line.split() for table in tables for line in table]
    ports = {int(row[1].partition(":")[2], 16) for row in rows if row[3] == "0A" and row[9] in inodes}
    return ports - {server["port"]}
