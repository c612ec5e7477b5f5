"""Pages and links as a graph for Gephi and others: GraphML and GEXF 1.3.

An address is no identifier of either format, so that a node is called by its hash; `url` has the address. Signs that
XML cannot hold are left out.
"""

import hashlib
import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from xml.sax.saxutils import escape, quoteattr

from graphdb.record.exported_record import LINKS, Column, Row

NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")  # XML 1.0, 2.2: Char
LABEL_LENGTH = 60
KINDS = {"whole": "long", "number": "double", "truth": "boolean"}  # of either format; all others are strings
NODE_LEFT_OUT = {"text", "chosen"}  # long, and of no use in a picture
ENDS = ("source", "target")
ON_TOPIC, OFF_TOPIC, WAITING = (0, 114, 178), (190, 190, 190), (230, 159, 0)  # Okabe and Ito's colours, and grey


def node_id(url: str) -> str:
    """By what a page is called in the file."""
    return "n" + hashlib.blake2b(url.encode("utf-8", "replace"), digest_size=8).hexdigest()


def write_graphml(path: Path, columns: Iterable[Column], pages: Iterable[Row], links: Iterable[Row]) -> None:
    """GraphML 1.0 with an attribute `label`, which Gephi and yEd show."""
    node_columns = [Column("label", "text"), *_of_nodes(columns)]
    link_columns = _of_links()
    with path.open("w", encoding="utf-8") as file:
        file.write('<?xml version="1.0" encoding="UTF-8"?>\n<graphml xmlns="http://graphml.graphdrawing.org/xmlns">\n')
        for domain, some in (("node", node_columns), ("edge", link_columns)):
            for column in some:
                kind = KINDS.get(column.kind, "string")
                key = f'"{domain[0]}_{column.name}" for="{domain}" attr.name="{column.name}" attr.type="{kind}"'
                file.write(f"<key id={key}/>\n")
        file.write('<graph edgedefault="directed">\n')
        for row in pages:
            data = _data({"label": _label(row), **row}, node_columns, "n")
            file.write(f'<node id="{node_id(row["url"])}">{data}</node>\n')
        for row in links:
            source, target = (node_id(row[end]) for end in ENDS)
            file.write(f'<edge source="{source}" target="{target}">{_data(row, link_columns, "e")}</edge>\n')
        file.write("</graph>\n</graphml>\n")


def write_gexf(path: Path, columns: Iterable[Column], pages: Iterable[Row], links: Iterable[Row]) -> None:
    """GEXF 1.3: pages on topic are blue, those that wait orange, others grey; the more relevant, the larger."""
    node_columns, link_columns = _of_nodes(columns), _of_links()
    with path.open("w", encoding="utf-8") as file:
        file.write('<?xml version="1.0" encoding="UTF-8"?>\n<gexf xmlns="http://gexf.net/1.3" ')
        file.write('xmlns:viz="http://gexf.net/1.3/viz" version="1.3">\n<graph defaultedgetype="directed">\n')
        for domain, some in (("node", node_columns), ("edge", link_columns)):
            file.write(f'<attributes class="{domain}">\n')
            for column in some:
                kind = KINDS.get(column.kind, "string")
                file.write(f'<attribute id="{column.name}" title="{column.name}" type="{kind}"/>\n')
            file.write("</attributes>\n")
        file.write("<nodes>\n")
        for row in pages:
            label = quoteattr(_xml(_label(row)))
            file.write(
                f'<node id="{node_id(row["url"])}" label={label}>{_values(row, node_columns)}{_look(row)}</node>\n'
            )
        file.write("</nodes>\n<edges>\n")
        for number, row in enumerate(links):
            source, target = (node_id(row[end]) for end in ENDS)
            values = _values(row, link_columns)
            file.write(f'<edge id="{number}" source="{source}" target="{target}">{values}</edge>\n')
        file.write("</edges>\n</graph>\n</gexf>\n")


def _of_nodes(columns: Iterable[Column]) -> list[Column]:
    return [column for column in columns if column.name not in NODE_LEFT_OUT]


def _of_links() -> list[Column]:
    return [column for column in LINKS if column.name not in ENDS]


def _label(row: Row) -> str:
    text = " ".join(str(row["title"] or row["url"]).split())
    return text if len(text) <= LABEL_LENGTH else text[: LABEL_LENGTH - 1] + "…"


def _data(row: Mapping[str, object], columns: Iterable[Column], letter: str) -> str:
    return "".join(f'<data key="{letter}_{name}">{escape(text)}</data>' for name, text in _told(row, columns))


def _values(row: Row, columns: Iterable[Column]) -> str:
    values = "".join(f'<attvalue for="{name}" value={quoteattr(text)}/>' for name, text in _told(row, columns))
    return f"<attvalues>{values}</attvalues>" if values else ""


def _told(row: Mapping[str, object], columns: Iterable[Column]) -> Iterator[tuple[str, str]]:
    for column in columns:
        value = row[column.name]
        if value is not None:
            yield column.name, _xml(value)


def _xml(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    text = "; ".join(value) if isinstance(value, list) else str(value)
    return text if text.isascii() and text.isprintable() else NOT_XML.sub("", text)


def _look(row: Row) -> str:
    red, green, blue = ON_TOPIC if row["on_topic"] else WAITING if row["status"] == "queued" else OFF_TOPIC
    size = 5 + 20 * min(max(row["relevance"] or 0.0, 0.0), 1.0)
    return f'<viz:color r="{red}" g="{green}" b="{blue}"/><viz:size value="{size:.2f}"/>'
