"""Which blocks of a page are its own text: the weights of `semantic.parsing.own_block_weights` trained and measured.

    python -m benchmarks.own_text            the table below, each site by weights that have not seen it (five folds)
    python -m benchmarks.own_text --write    and the weights of all pages, written into that file

Pages, with a text that people or their site call the main one:

- `../shared/reading/wcxb.tar.xz`: 700 English pages of seven kinds from the development part of WCXB 1.0 (Murrough
  Foley, CC-BY-4.0, https://github.com/Murrough-Foley/web-content-extraction-benchmark);
- of the archived webs archwiki, linuxcn, blogs-a and zhblogs the pages whose template has one element for the content
  (`ELEMENTS`); its text is the reference.

A block is the page's own by the share of its words that stand, with their neighbours, in the reference. F1 is the
one of WCXB: words as multisets, the mean of pages; a Han character is a word. A site of the archived webs has 10 pages'
weight at most. A block is repeated if it stands on three pages of its host and on a twentieth of them.
"""

import json
import lzma
import random
import re
import tarfile
import zlib
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix, vstack
from sklearn.linear_model import LogisticRegression

from benchmarks.options import options
from benchmarks.replayed import HERE, SHARED, WEBS
from crawler.archive.warc_reading import read_responses
from ontology.lexicon.surface_forms import HAN
from semantic.page import PARAGRAPH
from semantic.parsing.charsets import decode
from semantic.parsing.html_extraction import Markup, Reading, read_markup
from semantic.parsing.own_block_weights import TABLES
from semantic.parsing.own_blocks import MARKS, features
from semantic.parsing.page_reader import read_page
from semantic.reasons import PageError
from semantic.urls import host_of

WCXB = SHARED / "reading" / "wcxb.tar.xz"
OF_WEB = {"archwiki": 150, "linuxcn": 150, "blogs-a": 60, "zhblogs": 20}  # pages of each host
ELEMENTS = [
    "mw-parser-output",
    "article-entry",
    "article-content",
    "articleBody",
    "post-body",
    "article-container",
    "e-content",
    "entry-content",
    "postarea",
    "post-content",
    "markdown-body",
]
LEAST, FEW = 300, 10  # characters of a content element, and pages of a host that have one
WEIGHTS = HERE / "semantic" / "parsing" / "own_block_weights.py"
FOLDS = 5
_WORD = re.compile(rf"[{HAN}]|[^\W{HAN}]+")
_GRAM = 4  # words in a row that show where a block stands in the reference
Numbers = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Example:
    """A page with its reference. Of each block: its features (`marks` and `known`), its words, the share of them that
    is the page's own, and whether its host repeats it; None where that is not known.
    """

    web: str
    kind: str
    site: str
    marks: list[int]
    known: list[tuple[int, ...]]
    words: list[list[str]]
    own: list[float]
    reference: Counter[str]
    repeated: list[bool] | None

    @property
    def fold(self) -> int:
        return zlib.crc32(self.site.encode()) % FOLDS


def example(html: str, reference: str, **about: Any) -> Example:
    """A page made ready. `about`: the rest of its fields."""
    made: list[tuple[Reading, Markup]] = []

    def read(html: str, *, hiding: bool = True) -> Reading:
        markup = Markup(html, hiding=hiding)
        made.append((markup.reading(), markup))
        return made[-1][0]

    reading = read_markup(html, read)
    rows = next(markup.rows for one, markup in made if one is reading)
    words, wanted = [*map(words_of, reading.text.split(PARAGRAPH))][: len(rows)], words_of(reference)
    repeated = about.pop("repeated", None)
    return Example(
        marks=[row.marks for row in rows],
        known=features(rows),
        words=words,
        own=own_shares(words, wanted),
        reference=Counter(wanted),
        repeated=repeated(reading.text) if repeated else None,
        **about,
    )


def words_of(text: str) -> list[str]:
    return _WORD.findall(text.lower())


def own_shares(blocks: Sequence[list[str]], reference: list[str]) -> list[float]:
    """Of each block, the share of words that are in a run of `_GRAM` words of the reference."""
    grams = {tuple(reference[at : at + _GRAM]) for at in range(len(reference) - _GRAM + 1)}
    flat = [word for block in blocks for word in block]
    hit = np.zeros(len(flat), bool)
    for at in range(len(flat) - _GRAM + 1):
        if tuple(flat[at : at + _GRAM]) in grams:
            hit[at : at + _GRAM] = True
    ends = np.cumsum([len(block) for block in blocks])
    return [
        float(hit[end - len(block) : end].mean()) if block else 0.0 for block, end in zip(blocks, ends, strict=True)
    ]


def benchmark_pages() -> Iterator[Example]:
    """WCXB's."""
    with tarfile.open(WCXB) as archive:
        files = {one.name: archive.extractfile(one).read() for one in archive if one.isfile()}  # type: ignore[union-attr]
    for name in sorted(files):
        if name.endswith(".html"):
            said = json.loads(files[name.replace("html/", "truth/").replace(".html", ".json")])
            truth = said["ground_truth"]
            site = host_of(said.get("url") or truth.get("url") or name)
            kind = said["_internal"]["page_type"]["primary"]
            yield example(decode(files[name], None)[0], truth["main_content"] or "", web="WCXB", kind=kind, site=site)


def archived_pages(web: str, most: int) -> Iterator[Example]:
    """Pages of an archived web whose content is one element, so many of a host, chosen by chance."""
    found: dict[str, list[tuple[str, str]]] = defaultdict(list)
    pages: Counter[str] = Counter()
    stand: dict[str, Counter[int]] = defaultdict(Counter)
    with lzma.open(WEBS / web / "web.warc.xz") as stream:
        for answer in read_responses(stream):
            try:
                page = read_page(answer.body, answer.url, answer.headers)
            except PageError:
                continue
            host = host_of(answer.url)
            pages[host] += 1
            stand[host].update({hash(block) for block in page.text.split(PARAGRAPH)})
            html = decode(answer.body, answer.headers.get("content-type"))[0]
            content = content_of(html)
            reference = read_page(content.encode("utf-8", "replace"), answer.url, {}).text if content else ""
            if len(reference) >= LEAST:
                found[host].append((html, reference))
    for host, some in found.items():
        if len(some) >= FEW:
            least = max(3, pages[host] / 20)
            for html, reference in random.Random(1).sample(some, min(most, len(some))):
                stands = stand[host]
                yield example(
                    html,
                    reference,
                    web=web,
                    kind=web,
                    site=host,
                    repeated=lambda text: [stands[hash(one)] >= least for one in text.split(PARAGRAPH)],  # noqa: B023
                )


def content_of(html: str) -> str | None:
    """The one element that has the name of contents; None where there is none."""
    for name in ELEMENTS:
        named = rf"""<(\w+)\s[^>]*?(?:class|id|itemprop)=["']?(?:[^"'>]*\s)?{name}(?=[\s"'>])[^>]*>"""
        found = [*re.finditer(named, html)]
        if len(found) == 1:
            depth, tag = 1, found[0][1]
            for other in re.compile(rf"<(/?){tag}\b[^>]*>", re.I).finditer(html, found[0].end()):
                depth += -1 if other[1] else 1
                if not depth:
                    return html[found[0].start() : other.end()]
    return None


class Columns:
    """Blocks as rows of ones: a column for each mark, and for each value of each feature."""

    def __init__(self) -> None:
        sizes = [1] * len(MARKS) + [len(table) for table in TABLES.values()]
        self.starts = np.cumsum([0, *sizes])

    def of(self, one: Example) -> csr_matrix:
        """A page's blocks."""
        rows, columns = [], []
        for row, (marks, known) in enumerate(zip(one.marks, one.known, strict=True)):
            having = [number for number in range(len(MARKS)) if marks >> number & 1]
            having += [self.starts[len(MARKS) + n] + value for n, value in enumerate(known)]
            rows += [row] * len(having)
            columns += having
        return csr_matrix((np.ones(len(rows)), (rows, columns)), shape=(len(one.marks), self.starts[-1]))


def trained(examples: Sequence[Example], blocks: Sequence[csr_matrix]) -> Numbers:
    """The weights of the columns, by logistic regression. A page has the same weight as any other, a block that of the
    number of its words to the power of 0.7.
    """
    of_site = Counter(one.site for one in examples)
    parts = []
    for one in examples:
        sizes = np.array([len(words) for words in one.words], float) ** 0.7
        page = 1.0 if one.web == "WCXB" else min(1.0, 10 / of_site[one.site])
        parts.append(sizes * 10 * page / max(sizes.sum(), 1))
    own, weights = np.concatenate([one.own for one in examples]), np.concatenate(parts)
    both = np.concatenate([np.ones(len(own)), np.zeros(len(own))])
    rows = vstack(blocks)
    model = LogisticRegression(C=0.1, max_iter=1000)
    model.fit(vstack([rows, rows]), both, np.concatenate([weights * own, weights * (1 - own)]))
    found: Numbers = model.coef_[0].copy()
    found[len(MARKS) : len(MARKS) + len(next(iter(TABLES.values())))] += model.intercept_[0]
    return found


def addends(examples: Sequence[Example], logits: Sequence[Numbers]) -> tuple[float, float]:
    """What is added for a block that its host repeats, and for one that it does not, where that is known: the pair of
    steps of a quarter with the best F1.
    """
    known = [(one, z) for one, z in zip(examples, logits, strict=True) if one.repeated is not None]

    def gain(pair: tuple[float, float]) -> float:
        return float(np.mean([f1(one, with_host(one, z, pair) > 0) for one, z in known]))

    return max(((-a / 4, b / 4) for a in range(0, 21, 2) for b in range(0, 13)), key=gain)


def with_host(one: Example, logits: Numbers, pair: tuple[float, float]) -> Numbers:
    return logits if one.repeated is None else logits + np.where(one.repeated, *pair)


def f1(one: Example, own: Iterable[bool]) -> float:
    """The score of a choice of blocks."""
    found: Counter[str] = Counter()
    for words, is_own in zip(one.words, own, strict=True):
        if is_own:
            found.update(words)
    if not found or not one.reference:
        return float(not found and not one.reference)
    return 2 * (found & one.reference).total() / (found.total() + one.reference.total())


def show(name: str, examples: Sequence[Example], chosen: Iterable[Iterable[bool]]) -> None:
    by_kind: Mapping[str, list[float]] = defaultdict(list)
    for one, own in zip(examples, chosen, strict=True):
        value = f1(one, own)
        by_kind[one.web].append(value)
        if one.kind != one.web:
            by_kind[one.kind].append(value)
    print(f"{name:20}", *(f"{kind} {np.mean(values):.3f}" for kind, values in by_kind.items()), flush=True)


def write(weights: Numbers, pair: tuple[float, float]) -> None:
    """Write the weights as 1,024 times the log odds they add, and the addends in steps of `Page.blocks`."""
    whole = [round(1024 * float(weight)) for weight in weights]
    starts = Columns().starts
    lines = [f"BITS = {tuple(whole[: len(MARKS)])}", "TABLES = {"]
    for number, name in enumerate(TABLES, len(MARKS)):
        lines.append(f'    "{name}": {tuple(whole[starts[number] : starts[number + 1]])},')
    lines += ["}", f"REPEATED, NOT_REPEATED = {round(16 * pair[0])}, {round(16 * pair[1])}", ""]
    text = WEIGHTS.read_text("utf-8")
    WEIGHTS.write_text(text.partition("BITS = ")[0] + "\n".join(lines), "utf-8")


def main() -> None:
    given = options(__doc__, write=False)
    examples = [*benchmark_pages()]
    for web, most in OF_WEB.items():
        examples += archived_pages(web, most)
    examples = [one for one in examples]
    columns = Columns()
    blocks = [columns.of(one) for one in examples]
    logits: list[Numbers] = [np.zeros(0)] * len(examples)
    for fold in range(FOLDS):
        seen = [n for n, one in enumerate(examples) if one.fold != fold and one.marks]
        weights = trained([examples[n] for n in seen], [blocks[n] for n in seen])
        for n, one in enumerate(examples):
            if one.fold == fold:
                logits[n] = blocks[n] @ weights
    pair = addends(examples, logits)
    show("all text", examples, ([True] * len(one.marks) for one in examples))
    show("alone", examples, (z > 0 for z in logits))
    show("with host", examples, (with_host(one, z, pair) > 0 for one, z in zip(examples, logits, strict=True)))
    print(f"a block that its host repeats {pair[0]}, one that it does not {pair[1]}")
    if given.write:
        some = [n for n, one in enumerate(examples) if one.marks]
        write(trained([examples[n] for n in some], [blocks[n] for n in some]), pair)


if __name__ == "__main__":
    main()
