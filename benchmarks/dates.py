"""How well the day and the author of a page are found, on the pages of WCXB: `python -m benchmarks.dates`.

WCXB 1.0 (CC-BY-4.0), of which 700 pages are in `../shared`, says which day and which author people read on a page.
`exact`: the share of pages with a day that get this day. `right`: of the days found on these pages, the share that is
the same. `without`: of the pages without a day, the share that gets one. (WCXB gives none to products and lists, even
where they declare one.) The same of authors, compared by their letters.
"""

import json
import re
import tarfile
import time
from collections.abc import Iterator
from typing import Any

from benchmarks.options import options
from benchmarks.replayed import SHARED
from semantic.parsing.page_declarations import declared_by


def main() -> None:
    options(__doc__)
    days, authors, seconds = list[tuple[str, str]](), list[tuple[str, str]](), 0.0
    for html, truth in pages():
        begun = time.process_time()
        found = declared_by(html)
        seconds += time.process_time() - begun
        days.append((found.published, (truth["publish_date"] or "")[:10]))
        authors.append((letters(found.author), letters(truth["author"] or "")))
    print(f"days: {shares(days)}\nauthors: {shares(authors)}\n{1000 * seconds / len(days):.2f} ms a page")


def pages() -> Iterator[tuple[str, dict[str, Any]]]:
    """Each page with what people read on it."""
    html: dict[str, str] = {}
    truths: dict[str, dict[str, Any]] = {}
    with tarfile.open(SHARED / "reading" / "wcxb.tar.xz") as archive:
        for member in archive:
            name = member.name.rpartition("/")[2]
            if file := archive.extractfile(member):
                if name.endswith(".html"):
                    html[name[:-5]] = file.read().decode("utf-8", "replace")
                elif name.endswith(".json"):
                    truths[name[:-5]] = json.load(file)["ground_truth"]
    for name in sorted(truths):
        yield html[name], truths[name]


def shares(found: list[tuple[str, str]]) -> str:
    """The shares that are told, of pairs: what is found, and what is right."""
    wanted = [(one, right) for one, right in found if right]
    unwanted = [bool(one) for one, right in found if not right]
    same, some = sum(one == right for one, right in wanted), sum(bool(one) for one, _ in wanted)
    told = f"exact {same / len(wanted):.3f} of {len(wanted)}, right {same / some:.3f} of {some}"
    return f"{told}, without {sum(unwanted) / len(unwanted):.3f} of {len(unwanted)}"


def letters(name: str) -> str:
    """A name without what differs between ways to write it."""
    return re.sub(r"\W+", " ", name).strip().lower()


if __name__ == "__main__":
    main()
