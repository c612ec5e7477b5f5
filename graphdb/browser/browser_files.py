"""What Neo4j Browser is given: files of this folder, the saved queries one by one, and where the Browser is."""

import re
from pathlib import Path
from urllib.parse import urlsplit

from graphdb.neo4j.bolt_driver import Connection
from ontology.errors import StoreError

FOLDER = Path(__file__).parent
GUIDE, STYLE, QUERIES = "guide.html", "style.grass", "queries.cypher"
PORT = 7475  # of the guide's own server, next to Neo4j's 7474; the guide's text contains it too
HTTP_PORT = 7474  # of Neo4j Browser, if the server does not report it (Neo4j's default)
_QUERY = re.compile(r"^// name: (\w+)\n(.*?;)$", re.MULTILINE | re.DOTALL)
ADDRESS = """SHOW SETTINGS YIELD name, value
WHERE name = 'server.http.advertised_address'
RETURN value"""


def saved_queries() -> dict[str, str]:
    """The saved queries by name; the first line of each is a comment that says what it shows."""
    return dict(_QUERY.findall((FOLDER / QUERIES).read_text("utf-8")))


def browser_files(port: int = PORT) -> dict[str, str]:
    """File name -> text: the guide, the style, all queries in one file and each in its own. `port`: of the guide."""
    files = {name: (FOLDER / name).read_text("utf-8") for name in (GUIDE, STYLE, QUERIES)}
    files[GUIDE] = files[GUIDE].replace(f"localhost:{PORT}", f"localhost:{port}")
    return files | {f"queries/{name}.cypher": f"{query}\n" for name, query in saved_queries().items()}


def browser_address(connection: Connection) -> str:
    """The address of this server's Neo4j Browser, as far as the server reports it."""
    host = urlsplit(connection.address.uri).hostname or "127.0.0.1"
    try:
        reported = next(connection.read(ADDRESS), {}).get("value") or ""
    except StoreError:  # a user who may not ask
        reported = ""
    name, _, port = str(reported).rpartition(":")
    port = port if port.isdigit() else str(HTTP_PORT)
    return f"http://{host if name in ('', 'localhost', '0.0.0.0') else name}:{port}/browser/"
