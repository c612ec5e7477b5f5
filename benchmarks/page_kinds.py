"""How well kinds of pages are told, by the labels of `benchmarks/page_kinds.tsv`.

    python -m benchmarks.page_kinds

Recall of articles, listings and error pages on each archived web, of the pages on which the rule was tuned and of those
apart. Pages labelled `either` count neither way.
"""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from benchmarks.lab_runs import OUT
from benchmarks.options import options
from benchmarks.replayed import WEBS
from crawler.simulation.recorded_web import RecordedWeb, recorded_archive
from semantic.parsing.page_kind import kind_of

LABELS = Path(__file__).with_suffix(".tsv")
KINDS = ("article", "listing", "error")


class Labelled(NamedTuple):
    """One line."""

    web: str
    url: str
    kind: str
    part: str


def labelled() -> Iterator[Labelled]:
    """All lines."""
    for line in LABELS.read_text("utf-8").splitlines():
        if line and not line.startswith("#"):
            yield Labelled(*line.split("\t"))


def main() -> None:
    """Print a table, and the addresses whose kind was unknown."""
    options(__doc__)
    told: Counter[tuple[str, str, str, bool]] = Counter()
    webs: dict[str, RecordedWeb] = {}
    for one in labelled():
        if one.web not in webs:
            archive = WEBS / one.web / "web.warc.xz"
            webs[one.web] = RecordedWeb(recorded_archive(archive, OUT / "cache" / one.web, print))
        found = kind_of(webs[one.web].read(b"", one.url, {}))
        told[one.web, one.part, one.kind, found == one.kind] += 1
        if one.kind in KINDS and found != one.kind:
            print(f"{one.part} {one.kind} taken for {found}: {one.url}")
    for web in webs:
        for part in ("tune", "apart"):
            figures = []
            for kind in KINDS:
                right, wrong = told[web, part, kind, True], told[web, part, kind, False]
                if right + wrong:
                    figures.append(f"{kind} {right / (right + wrong):.2f} of {right + wrong}")
            print(f"{web:9} {part:6}", ", ".join(figures))


if __name__ == "__main__":
    main()
