"""What Neo4j Browser is given: files of this folder, the saved queries one by one, and where the Browser is."""

import re
from pathlib import Path
from urllib.parse import urlsplit

from graphdb.neo4j.bolt_driver import Connection
from ontology.errors import StoreError

FOLDER = Path(__file__).parent
GUIDE, STYLE, QUERIES = "guide.html", "style.grass", "queries.cypher"
PORT = 7475  # of the guide, beside Neo4j's own 7474; written in the guide, too
HTTP_PORT = 7474  # of Neo4j Browser, where the server does not tell
_QUERY = re.compile(r"^// name: (\w+)\n(.*?;)$", re.MULTILINE | re.DOTALL)
ADDRESS = """SHOW SETTINGS YIELD name, value
WHERE name = 'server.http.advertised_address'
RETURN value"""


def saved_queries() -> dict[str, str]:
    """Each saved query by its name; its first line is a remark that says what it shows."""
    return dict(_QUERY.findall((FOLDER / QUERIES).read_text("utf-8")))


def browser_files(port: int = PORT) -> dict[str, str]:
    """File name -> text: the guide, the style, all queries in one file and each in its own. `port`: of the guide."""
    files = {name: (FOLDER / name).read_text("utf-8") for name in (GUIDE, STYLE, QUERIES)}
    files[GUIDE] = files[GUIDE].replace(f"localhost:{PORT}", f"localhost:{port}")
    return files | {f"queries/{name}.cypher": f"{query}\n" for name, query in saved_queries().items()}


def browser_address(connection: Connection) -> str:
    """Where this server's Browser is, as far as the server tells."""
    host = urlsplit(connection.address.uri).hostname or "127.0.0.1"
    try:
        told = next(connection.read(ADDRESS), {}).get("value") or ""
    except StoreError:  # a user who may not ask
        told = ""
    name, _, port = str(told).rpartition(":")
    port = port if port.isdigit() else str(HTTP_PORT)
    return f"http://{host if name in ('', 'localhost', '0.0.0.0') else name}:{port}/browser/"
