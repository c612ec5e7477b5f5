"""The crawls among which the page lets choose."""

from typing import Any

from cli.crawl_register import known_crawls
from cli.render.language import as_told
from cli.ui.asked import Asked


def crawls(asked: Asked) -> dict[str, Any]:
    """All crawls of this machine that have a record, the last seen first; and which was typed with the command."""
    found = [crawl for crawl in known_crawls() if not crawl.has_vanished]
    rows = [
        {
            "store": crawl.store,
            "name": crawl.name,
            "state": as_told(crawl.state),
            "is_running": crawl.is_running,
            "pages": crawl.pages,
            "on_topic": crawl.on_topic,
            "ontology": crawl.ontology,
        }
        for crawl in found
    ]
    if asked.given is not None and all(row["store"] != asked.given for row in rows):
        rows.insert(0, {"store": asked.given, "name": asked.given, "state": "", "is_running": False})
    return {"crawls": rows, "given": asked.given}
