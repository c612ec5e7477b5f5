"""`ontocrawl browser`: how to look at a crawl in Neo4j Browser, with a guide, saved queries and colours."""

import contextlib
import re
import shlex
from collections.abc import Iterator, Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from cli.exits import ExitCode
from cli.render.language import command_word, tr
from cli.render.terminal import padded, say, show
from graphdb.browser.browser_files import GUIDE, QUERIES, STYLE, browser_address, browser_files
from graphdb.store_folder import is_server, record_file
from graphdb.stores import open_graph
from ontology.errors import SettingsError, StoreError
from ontology.file_failures import refusal, why_refused

KINDS = {".html": "text/html", ".grass": "text/plain", ".cypher": "text/plain"}
HERE = "127.0.0.1"
IDLE_SECONDS = 15.0  # for which a connection may be silent; chosen, not measured
# a heading, a paragraph, or a comment of a query; the name of a saved query is none
SAID = re.compile(r"(<h3>|<p>|^// (?!name:)|runnable\">// )(.*?)(</h3>|</p>|$)", re.MULTILINE)
HEAD = 10  # columns of the names before the steps


def run(store: str, out: Path, *, serve: bool, port: int) -> int:
    """Write the files, tell how to reach the Browser, and serve the guide where that is wanted; exit code 0."""
    if not is_server(store):
        record_file(store)  # raises StoreError where there is none
        copy = f"{command_word()} copy --from {shlex.quote(store)} --to bolt://127.0.0.1:7687"
        raise SettingsError(
            tr("{store} is a folder, and Neo4j Browser shows a Neo4j server", store=store),
            tr("start one (docker compose up -d), then: {copy}", copy=copy),
        )
    address = _prepared(store)
    files = {name: told(text) for name, text in browser_files(port).items()}
    written(files, out)
    show(_steps(address, store, out, port))
    if not serve:
        return 0
    with guide_server(files, port) as server, contextlib.suppress(KeyboardInterrupt):
        say(tr("The guide is served at http://localhost:{port}/{guide}. Ctrl-C ends it.", port=port, guide=GUIDE))
        server.serve_forever()
    return ExitCode.DONE


def _prepared(store: str) -> str:
    """See that there is a crawl with indexes; gives the Browser's address."""
    with open_graph(store) as graph:
        if not list(graph.read("MATCH (c:Crawl) RETURN c.id AS id")):
            copy = f"{command_word()} copy --to {store}"
            raise StoreError(
                tr("there is no crawl at {store}", store=store),
                tr("bring one: {copy}", copy=copy),
            )
        return browser_address(graph)


def told(text: str) -> str:
    """A file for the Browser in the user's language: headings, paragraphs and comments; queries stay."""
    return SAID.sub(lambda found: f"{found[1]}{tr(found[2])}{found[3]}", text)


def texts_in(text: str) -> Iterator[str]:
    """What is exchanged there."""
    return (found[2] for found in SAID.finditer(text))


def written(files: Mapping[str, str], out: Path) -> None:
    """Write the files into a folder, replacing older ones. Raises SettingsError if that is not possible."""
    try:
        for name, text in files.items():
            (out / name).parent.mkdir(parents=True, exist_ok=True)
            (out / name).write_text(text, "utf-8")
    except OSError as error:
        raise SettingsError(*refusal(f"-o {out}", error, "give a folder that can be written")) from error


def _steps(address: str, store: str, out: Path, port: int) -> str:
    user = tr("the user and password of NEO4J_USERNAME and NEO4J_PASSWORD")
    served = f"{command_word()} browser --store {store} --serve"
    rows = (
        (tr("browser"), address),
        (tr("connect"), tr("{store}, with {user}", store=store, user=user)),
        (tr("style"), tr("drag {file} onto the editor", file=out / STYLE)),
        (
            tr("queries"),
            tr(
                "drag a file of {folder} onto the editor; Save to favorites keeps it ({file} has all)",
                folder=out / "queries",
                file=QUERIES,
            ),
        ),
        (
            tr("guide"),
            tr(
                "while `{served}` runs, type  :guide http://localhost:{port}/{guide}",
                served=served,
                port=port,
                guide=GUIDE,
            ),
        ),
    )
    return "\n".join(f"{padded(name, HEAD)}{text}" for name, text in rows)


def guide_server(files: Mapping[str, str], port: int) -> ThreadingHTTPServer:
    """Serves these files and nothing else, on this machine only, to a page of any origin: the Browser's is another.

    Raises SettingsError where the port is taken.
    """

    class Answers(BaseHTTPRequestHandler):
        timeout = IDLE_SECONDS

        def do_OPTIONS(self) -> None:
            self._answer(b"")

        def do_GET(self) -> None:
            text = files.get(self.path.partition("?")[0].lstrip("/"))
            if text is None:
                self.send_error(404)
            else:
                self._answer(text.encode())

        def _answer(self, body: bytes) -> None:
            kind = KINDS.get(Path(self.path.partition("?")[0]).suffix, "text/plain")
            self.send_response(200)
            for name, value in (
                ("Content-Type", f"{kind}; charset=utf-8"),
                ("Content-Length", str(len(body))),
                ("Access-Control-Allow-Origin", "*"),
                ("Access-Control-Allow-Headers", "*"),
                ("Access-Control-Allow-Private-Network", "true"),
            ):
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            """Nothing: a terminal with steps to be read is no log."""

    try:
        return ThreadingHTTPServer((HERE, port), Answers)
    except OSError as error:
        raise SettingsError(
            tr("port {port} cannot be used: {why}", port=port, why=why_refused(error)), "give another one with --port"
        ) from error
