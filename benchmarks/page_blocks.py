"""Which blocks of a page are its own text: the weights of `semantic.parsing.own_block_weights`, trained and measured.

    python -m benchmarks.page_blocks                                a table, each site by weights that have not seen it
    python -m benchmarks.page_blocks --wcxb FOLDER                  with all of WCXB, its test part apart
    python -m benchmarks.page_blocks --wcxb FOLDER --write          and writes the weights

Pages, each with the text that people or its site call the main one:

- WCXB 1.0 (Murrough Foley, CC-BY-4.0, https://github.com/Murrough-Foley/web-content-extraction-benchmark): English
  pages of seven kinds, 700 of the 1,497 of its development part from `../shared/reading/wcxb.tar.xz`; all 2,008 from
  a checkout of its repository;
- of the archived webs archwiki, linuxcn, blogs-a and zhblogs, articles in whose template one element has the content
  (`ELEMENTS`). Its text is the reference; comments are left out of it, in most templates the heading, too.

A block is the page's own by the share of its words that stand, with their neighbours, in the reference. F1 is WCXB's:
words as multisets, mean of pages; a Han character is a word. In training a page of WCXB has weight 1, those of an
archived host 5 in all at most. Free text is what stands outside of links. A host repeats a block that stands on three
of its pages and on a twentieth of them.
"""

import gzip
import json
import lzma
import random
import re
import tarfile
import zlib
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix, vstack  # type: ignore[import-untyped]
from sklearn.linear_model import LogisticRegression  # type: ignore[import-untyped]

from benchmarks.options import options
from benchmarks.replayed import HERE, SHARED, WEBS
from crawler.archive.warc_reading import read_responses
from ontology.lexicon.surface_forms import HAN
from semantic.page import PARAGRAPH
from semantic.parsing.charsets import decode
from semantic.parsing.html_extraction import Markup, Reading, read_markup
from semantic.parsing.own_block_weights import TABLES
from semantic.parsing.own_blocks import MARKS, NOT_REPEATED, features
from semantic.parsing.page_kind import kind_of
from semantic.parsing.page_reader import read_page
from semantic.reasons import PageError
from semantic.urls import host_of

WCXB = SHARED / "reading" / "wcxb.tar.xz"
DEVELOPMENT, TEST = "WCXB", "WCXB test"
OF_WEB = {"archwiki": 150, "linuxcn": 150, "blogs-a": 60, "zhblogs": 20}  # pages of each host
_ELEMENTS = (
    "mw-parser-output article-entry article-content articleBody post-body article-container e-content entry-content "
    "postarea post-content markdown-body"
)
ELEMENTS = _ELEMENTS.split()  # classes, ids or values of itemprop
LEAST, FEW = 300, 10  # characters of a content element; pages of a host that have one, and pages of a host
WEIGHTS = HERE / "semantic" / "parsing" / "own_block_weights.py"
FOLDS = 5
LEAN = 0.15  # added to the log odds: F1 is best where somewhat less likely blocks are taken, too
_WORD = re.compile(rf"[{HAN}]|[^\W{HAN}]+")
_GRAM = 4  # words in a row by which a block is found in the reference
Numbers = NDArray[np.float64]
Repeated = Callable[[str], list[bool]]


@dataclass(frozen=True, slots=True)
class Example:
    """A page with its reference. Of each block: its marks and features (`known`), its words, those outside of links
    (`free`), the share of its words that is the page's own, and whether its host repeats it.
    """

    web: str
    kind: str
    site: str
    marks: list[int]
    known: list[tuple[int, ...]]
    words: list[list[str]]
    free: list[list[str]]
    own: list[float]
    reference: Counter[str]
    repeated: list[bool] | None

    @property
    def fold(self) -> int:
        return zlib.crc32(self.site.encode()) % FOLDS


def example(html: str, reference: str, repeats: Repeated | None = None, **about: str) -> Example:
    """A page made ready. `about`: its web, kind and site."""
    made: list[tuple[Reading, Markup]] = []

    def read(html: str, *, hiding: bool = True) -> Reading:
        markup = Markup(html, hiding=hiding)
        made.append((markup.reading(), markup))
        return made[-1][0]

    reading = read_markup(html, read)
    rows = next(markup.rows for one, markup in made if one is reading)
    words, wanted = [*map(words_of, reading.text.split(PARAGRAPH))][: len(rows)], words_of(reference)
    outside = list(reading.text)
    for link in reading.links:
        outside[link.start : link.end] = [PARAGRAPH if c == PARAGRAPH else " " for c in outside[link.start : link.end]]
    return Example(
        marks=[row.marks for row in rows],
        known=features(rows),
        words=words,
        free=[*map(words_of, "".join(outside).split(PARAGRAPH))][: len(rows)],
        own=own_shares(words, wanted),
        reference=Counter(wanted),
        repeated=repeats(reading.text) if repeats else None,
        **about,
    )


def words_of(text: str) -> list[str]:
    return _WORD.findall(text.lower())


def own_shares(blocks: Sequence[list[str]], reference: list[str]) -> list[float]:
    """Of each block, the share of words in a run of `_GRAM` words of the reference."""
    grams = {tuple(reference[at : at + _GRAM]) for at in range(len(reference) - _GRAM + 1)}
    flat = [word for block in blocks for word in block]
    hit = np.zeros(len(flat), bool)
    for at in range(len(flat) - _GRAM + 1):
        if tuple(flat[at : at + _GRAM]) in grams:
            hit[at : at + _GRAM] = True
    ends = np.cumsum([len(block) for block in blocks])
    return [float(hit[end - len(one) : end].mean()) if one else 0.0 for one, end in zip(blocks, ends, strict=True)]


def benchmark_pages(folder: str) -> Iterator[Example]:
    """Those of WCXB, from a checkout or, for "", from the archive."""
    for web, page, said in _checked_out(Path(folder)) if folder else _archived():
        truth = said["ground_truth"]
        kind = said.get("_internal", {}).get("page_type", {}).get("primary") or said["page_type"]
        url = said.get("url") or truth.get("url")
        site = host_of(url) if url else "unknown"
        yield example(decode(page, None)[0], truth.get("main_content") or "", web=web, kind=kind, site=site)


def _archived() -> Iterator[tuple[str, bytes, Any]]:
    with tarfile.open(WCXB) as archive:
        files = {one.name: archive.extractfile(one).read() for one in archive if one.isfile()}  # type: ignore[union-attr]
    for name in sorted(files):
        if name.endswith(".html"):
            truth = name.replace("html/", "truth/").replace(".html", ".json")
            yield DEVELOPMENT, files[name], json.loads(files[truth])


def _checked_out(folder: Path) -> Iterator[tuple[str, bytes, Any]]:
    for part, web in (("dev", DEVELOPMENT), ("test", TEST)):
        for file in sorted((folder / part / "html").glob("*.html.gz")):
            truth = folder / part / "ground-truth" / file.name.replace(".html.gz", ".json")
            yield web, gzip.decompress(file.read_bytes()), json.loads(truth.read_text("utf-8"))


def archived_pages(web: str, most: int) -> Iterator[Example]:
    """Pages of an archived web whose content is one element, so many of a host, chosen by chance."""
    found: dict[str, list[tuple[str, str]]] = defaultdict(list)
    pages: Counter[str] = Counter()
    stand: dict[str, Counter[str]] = defaultdict(Counter)
    chance = random.Random(1)
    with lzma.open(WEBS / web / "web.warc.xz") as stream:
        for answer in read_responses(stream):
            try:
                page = read_page(answer.body, answer.url, answer.headers)
            except PageError:
                continue
            host = host_of(answer.url)
            pages[host] += 1
            stand[host].update(set(page.text.split(PARAGRAPH)))
            if kind_of(page) != "article" or (pages[host] > 5 * most and chance.random() > 0.2):
                continue
            html = decode(answer.body, answer.headers.get("content-type"))[0]
            content = content_of(html)
            reference = read_page(content.encode("utf-8", "replace"), answer.url, {}).text if content else ""
            if len(reference) >= LEAST:
                found[host].append((html, reference))
    for host, some in found.items():
        if len(some) >= FEW:
            repeats = _repeated(stand[host], max(3, pages[host] / 20))
            for html, reference in chance.sample(some, min(most, len(some))):
                yield example(html, reference, repeats, web=web, kind=web, site=host)


def _repeated(stand: Counter[str], least: float) -> Repeated:
    return lambda text: [stand[block] >= least for block in text.split(PARAGRAPH)]


def content_of(html: str) -> str | None:
    """The one element that has the name of contents; None where there is none."""
    for name in ELEMENTS:
        named = rf"""<(\w+)\s[^>]*?(?:class|id|itemprop)=["']?(?:[^"'>]*\s)?{name}(?=[\s"'>])[^>]*>"""
        found = [*re.finditer(named, html)]
        if len(found) == 1:
            depth = 1
            for tag in re.compile(rf"<(/?){found[0][1]}\b[^>]*>", re.I).finditer(html, found[0].end()):
                depth += -1 if tag[1] else 1
                if not depth:
                    return html[found[0].start() : tag.end()]
    return None


def columns_of(one: Example) -> csr_matrix:
    """A page's blocks as rows, with a column for each mark and for each value of each feature."""
    starts = len(MARKS) + np.cumsum([0, *map(len, TABLES.values())])
    rows, columns = [], []
    for row, (marks, known) in enumerate(zip(one.marks, one.known, strict=True)):
        having = [number for number in range(len(MARKS)) if marks >> number & 1]
        having += [int(start) + value for start, value in zip(starts, known, strict=False)]
        rows += [row] * len(having)
        columns += having
    return csr_matrix((np.ones(len(rows)), (rows, columns)), shape=(len(one.marks), starts[-1]))


def trained(examples: Sequence[Example], blocks: Sequence[csr_matrix]) -> Numbers:
    """The weights of the columns, by logistic regression. A block has the weight of its number of words to the power of
    0.7; 0.5 to 1 gave the same F1.
    """
    of_site = Counter(one.site for one in examples)
    parts = []
    for one in examples:
        sizes = np.array([len(words) for words in one.words], float) ** 0.7
        page = 1.0 if one.web == DEVELOPMENT else min(0.5, 5 / of_site[one.site])
        parts.append(sizes * 10 * page / max(sizes.sum(), 1))
    own, weights = np.concatenate([one.own for one in examples]), np.concatenate(parts)
    rows = vstack(blocks)
    model = LogisticRegression(C=0.1, solver="newton-cholesky")
    both = np.concatenate([np.ones(len(own)), np.zeros(len(own))])
    model.fit(vstack([rows, rows]), both, np.concatenate([weights * own, weights * (1 - own)]))
    found: Numbers = model.coef_[0].copy()
    first = len(next(iter(TABLES.values())))  # each block has a value of this feature, which takes the intercept
    found[len(MARKS) : len(MARKS) + first] += model.intercept_[0] + LEAN
    return found


def addend(examples: Sequence[Example], scores: Sequence[Numbers]) -> float:
    """What is added to the score of a block that its host repeats: in steps of a half, that with the best F1, mean of
    the archived webs.
    """

    def gain(added: float) -> float:
        by_web = defaultdict(list)
        for one, z in zip(examples, scores, strict=True):
            if one.repeated is not None:
                by_web[one.web].append(f1(one, with_host(one, z, added)))
        return float(np.mean([np.mean(values) for values in by_web.values()]))

    return max([-step / 2 for step in range(1, 9)], key=gain)


def with_host(one: Example, scores: Numbers, added: float) -> list[list[str]]:
    return kept(one, scores + np.where(one.repeated, added, NOT_REPEATED / 16) if one.repeated else scores)


def kept(one: Example, scores: Numbers) -> list[list[str]]:
    return [words for words, score in zip(one.words, scores, strict=True) if score > 0]


def f1(one: Example, chosen: Iterable[list[str]]) -> float:
    """The score of the words chosen."""
    found = Counter(word for words in chosen for word in words)
    if not found or not one.reference:
        return float(not found and not one.reference)
    return 2 * (found & one.reference).total() / (found.total() + one.reference.total())


def show(name: str, examples: Sequence[Example], chosen: Iterable[Iterable[list[str]]]) -> None:
    by_kind: Mapping[str, list[float]] = defaultdict(list)
    for one, words in zip(examples, chosen, strict=True):
        for kind in dict.fromkeys((one.web, f"{one.web} {one.kind}" if one.kind != one.web else one.web)):
            by_kind[kind].append(f1(one, words))
    print(name, *(f"  {kind:28} {np.mean(values):.3f}" for kind, values in by_kind.items()), sep="\n", flush=True)


def write(weights: Numbers, added: float) -> None:
    """Write the weights as 1,024 times the log odds that they add, and the addend in steps of `Page.blocks`."""
    whole = [round(1024 * float(weight)) for weight in weights]
    lines = ["OF_MARKS = {", *(f'    "{mark}": {weight},' for mark, weight in zip(MARKS, whole, strict=False))]
    lines += ["}", "TABLES = {"]
    at = len(MARKS)
    for name, table in TABLES.items():
        lines.append(f'    "{name}": {tuple(whole[at : at + len(table)])},')
        at += len(table)
    lines += ["}", f"REPEATED = {round(16 * added)}", ""]
    WEIGHTS.write_text(WEIGHTS.read_text("utf-8").partition("OF_MARKS = ")[0] + "\n".join(lines), "utf-8")


def main() -> None:
    given = options(__doc__, wcxb="", write=False)
    examples = [*benchmark_pages(given.wcxb)]
    for web, most in OF_WEB.items():
        examples += archived_pages(web, most)
    blocks = [columns_of(one) for one in examples]
    scores: list[Numbers] = [np.zeros(0)] * len(examples)
    for fold in range(FOLDS + 1):  # the last has all pages but the test's
        seen = [n for n, one in enumerate(examples) if one.fold != fold and one.web != TEST and one.marks]
        weights = trained([examples[n] for n in seen], [blocks[n] for n in seen])
        for n, one in enumerate(examples):
            if one.fold == fold or one.web == TEST:
                scores[n] = blocks[n] @ weights
    added = addend(examples, scores)
    show("all text", examples, (one.words for one in examples))
    show("free text", examples, (one.free for one in examples))
    show("own blocks", examples, map(kept, examples, scores))
    show("with the host", examples, (with_host(one, z, added) for one, z in zip(examples, scores, strict=True)))
    print(f"a block that its host repeats: {added}")
    if given.write:
        write(weights, added)


if __name__ == "__main__":
    main()
