"""Samples of detail pages and lists from the archived webs of ../shared, for `semantic/strategies/jlse/page_kinds.tsv`.

    python -m benchmarks.page_kinds

Of each web `MANY` pages that chance picks are marked by their addresses, by rules that were read off the webs: a blog's
tag, category, archive and home pages are lists, its posts detail pages; a wiki's categories, a law code's chapters and
a news site's tags are lists. The manual has no lists worth the name; its few index pages are left out. So is the whole
of `uci`: its addresses do not tell. Only the three numbers of a page go into the table, nothing of what it says.
"""

import random
import re
from pathlib import Path
from urllib.parse import urlsplit

from benchmarks.lab_jobs import OUT
from benchmarks.replayed import WEBS
from crawler.simulation.recorded_web import RecordedWeb, recorded_archive
from semantic.page import Page
from semantic.strategies.jlse.page_kind_classifier import MARKED, kind_features

MANY = 40
BLOG = (
    r"/(tags?|categor(y|ies)|archives?|page|author|topics|friends|links)(/|$)"
    r"|/\d{4}(/\d\d?){0,2}/?(index\.html)?$|^/(index\.html)?$|/page\d*/\d+"
)
LISTS = {
    "archwiki": r"Category:|Table_of_contents",
    "blogs-a": BLOG,
    "dclaw": r"/titles/",
    "linuxcn": BLOG,
    "lohelpzh": r"(?!)",  # none
    "zhblogs": BLOG,
}
NEITHER = {"archwiki": r"ArchWiki:", "dclaw": r"/council/(?!code/(sections|titles)/)", "lohelpzh": r"main\d*\.html"}


def rows_of(web: str) -> list[str]:
    """The marked pages of one web, as lines of the table."""
    recorded = RecordedWeb(recorded_archive(WEBS / web / "web.warc.xz", OUT / "cache" / web, print))
    names = sorted(recorded.links)
    random.Random(7).shuffle(names)
    lines: list[str] = []
    for url in map(recorded.address, names):
        path = urlsplit(url).path
        if not re.search(NEITHER.get(web, r"(?!)"), path):
            kind = "list" if re.search(LISTS[web], path) else "detail"
            page: Page = recorded.read(b"", url, {})
            lines.append("\t".join([web, kind, *(f"{feature:.4f}" for feature in kind_features(page))]))
        if len(lines) == MANY:
            break
    return lines


def main() -> None:
    lines = MARKED.read_text("utf-8").splitlines()
    others = [line for line in lines if line.partition("\t")[0] not in LISTS]
    found = [line for web in LISTS for line in rows_of(web)]
    Path(MARKED).write_text("\n".join([*others, *found]) + "\n", "utf-8")


if __name__ == "__main__":
    main()
