"""`ontocrawl status --traps`: links that were cut off, and why. The crawl's accounts are computed again."""

import json
import shlex
from collections.abc import Iterator

from cli.recorded.store_reading import crawl_row, tell
from cli.render.language import reason_told, tr
from cli.render.terminal import one_line
from crawler.traps.cut_links import cut_links
from crawler.traps.trap_detection import Traps
from graphdb.stores import Store
from semantic.reasons import sentence
from semantic.records import TrapRecord
from semantic.urls import readable


def run(store: str, *, as_json: bool) -> int:
    """Print the traps of a store's crawl. Raises StoreError if it has no crawl."""
    return tell(store, read_traps, _lines, as_json=as_json)


def read_traps(store: Store) -> list[TrapRecord]:
    """The traps that links wait behind, those with most links first."""
    return cut_links(store, _allowed(store))


def why_cut(store: Store, url: str) -> Iterator[str]:
    """A line for a waiting link that is behind a trap."""
    traps = Traps(store.visits(), _allowed(store))
    name = traps.trap(url)
    if name is not None:
        yield tr(
            "  not fetched: it is behind the trap {name} ({why}); {opened}",
            name=one_line(name, 200),
            why=sentence(traps.why(name)),
            opened=_opened(name),
        )


def _allowed(store: Store) -> list[str]:
    return list(json.loads(str(crawl_row(store)["settings"])).get("allow_trap", ()))


def _opened(name: str) -> str:
    return tr("to open it, crawl on with --allow-trap {name}", name=shlex.quote(one_line(name)))


def _lines(found: list[TrapRecord]) -> Iterator[str]:
    if not found:
        yield tr("no traps: nothing was cut off")
        return
    yield tr(
        "{links:,} links wait behind {traps:,} traps and are not fetched",
        links=sum(trap.links for trap in found),
        traps=len(found),
    )
    for trap in found:
        yield f"\n{one_line(trap.trap)}"
        yield f"  {reason_told(trap.why)}"
        yield tr("  {links:,} links wait, first {first}", links=trap.links, first=one_line(readable(trap.first), 200))
    yield tr("\nThe first: {opened}", opened=_opened(found[0].trap))
