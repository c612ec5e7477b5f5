"""Bad input of every kind, to find what nobody thought of: `python -m benchmarks.fuzz --count 20000 --seed 1`.

Pages go through reading, judging and ordering as in a crawl; answers over a real connection through the network source;
robots.txt files, addresses, ontologies, feeds, sitemaps and documents through their readers. An input fails where an
exception comes out that is none of the project's own, where the process dies, or where it takes more than 2 s of
processor time. What failed is named by kind and number, and kept in `bench-out/fuzz`; `--only page:17` does that one
again, in this process. The exit code is 1 then. All else is done in a child process, which is replaced where it dies or
hangs.
"""

import asyncio
import gzip
import logging
import sys
import tempfile
import time
import traceback
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from functools import cache
from multiprocessing import active_children, get_context
from pathlib import Path

from benchmarks.mutations import mutated
from benchmarks.office_files import SAMPLES
from benchmarks.options import options
from benchmarks.pdf_files import line, link, pdf
from crawler.engine.crawl_records import ending
from crawler.fetch.client import HttpSource
from crawler.frontier.priority_queue import Entry
from crawler.politeness.robots_and_pace import read_robots, retry_after
from crawler.ports import Fetched
from examples.pages import answer
from examples.sites import ONTOLOGY, SEEDS, read_sites
from ontology.errors import OntocrawlError
from ontology.lexicon.lexicon import build_lexicon
from ontology.loading.imports_closure import load
from ontology.loading.ontology_reader import read_ontology
from ontology.topic import build_topic
from semantic.page import Page
from semantic.parsing.document_types import is_read_as_page
from semantic.parsing.page_reader import bounded, pack, read_page
from semantic.strategies.strategy_table import build_understanding
from semantic.urls import host_of, identity, is_page_like, normalise, words_of

MOST_SECONDS = 2.0  # of processor time, for one input
HANGS = 60.0  # seconds of the clock after which a child is given up
KEPT = Path("bench-out/fuzz")
SHARES = {"page": 6, "answer": 3, "robots": 3, "address": 3, "ontology": 2, "source": 2, "pdf": 1}  # of 20 inputs
STAMP = "2026-01-01T00:00:00+00:00"
PAGE = "http://fuzz.example/a/page.html?x=1"
HEADERS = (
    b"content-type: text/html; charset=gbk\ncontent-language: zh, en\nx-robots-tag: otherbot: noindex, nofollow\n"
    b"retry-after: Thu, 01 Jan 2026 00:00:09 GMT\nlocation: ../b?c=%E4%B8%AD#d\ncontent-encoding: gzip"
)
HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nServer: x\r\n"
ANSWERS = [
    HEAD + b"Content-Length: 12\r\nSet-Cookie: a=b\r\n\r\n<p>A page.\r\n",
    HEAD + b"Transfer-Encoding: chunked\r\nTrailer: X\r\n\r\n5;a=b\r\n<p>A \r\n5\r\npage.\r\n0\r\nX: y\r\n\r\n",
    b"HTTP/1.1 302 Found\r\nLocation: /b\r\nContent-Length: 0\r\nRetry-After: 5\r\n\r\n",
]
ADDRESSES = [
    b"http://user:pw@www.example.org:8080/a/../b/%7Ec;jsessionid=1?utm_source=x&q=%E4%B8%AD#f",
    *"//例え.テスト/ä?ö ../../x.html?a=1&a=2 https://[2001:db8::1]:443/ mailto:a@b ?x C|/a".encode().split(),
]
ROBOTS = [
    b"User-agent: *\nDisallow: /private/*.html$\nAllow: /private/ok\nCrawl-delay: 2.5\nSitemap: http://a.example/s.xml\n",
    b"\xef\xbb\xbfuser-agent: ontocrawl\nuser-agent: other\ndisallow: /%E4%B8%AD*\n\nUser-agent: *\nDisallow:\n",
]
ASKED = ("http://a.example/", "http://a.example/private/x.html", PAGE, f"http://a.example/%E4%B8%AD?{'a' * 1500}")
FEEDS = [
    b'<rss version="2.0"><channel><title>T</title><item><title><![CDATA[a &amp; b]]></title><link>/a?b=1&amp;c=2</link>'
    b"<description>&lt;p&gt;some &lt;b&gt;text</description></item></channel></rss>",
    b'<?xml version="1.0" encoding="utf-8"?><feed xmlns="http://www.w3.org/2005/Atom"><title>T</title><entry><title>a'
    b'</title><link rel="alternate" href="/b"/><content type="html">&lt;i&gt;c</content></entry></feed>',
    b'<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>http://fuzz.example/a'
    b"</loc><lastmod>2026-01-01</lastmod></url><url><loc><![CDATA[/b?c=d&e]]></loc></url></urlset>",
    b"<sitemapindex><sitemap><loc>http://fuzz.example/s.xml.gz</loc></sitemap></sitemapindex>",
]
PDFS = [
    pdf(line("A title", 24, 700) + line("some text", 10, 600), line("bold", 10, 700, font="F2"), title="T"),
    pdf(line("绿茶", 12, 700, font="F3"), notes=link("http://fuzz.example/a", 70, 690, 100, 720), packed=True),
]
SYNTAXES = Path(__file__).resolve().parents[1] / "tests" / "ontology" / "files"
Work = Callable[[bytes, str], object]
Target = tuple[Sequence[bytes], Work]  # good inputs; what is done with a bad one, which has a name


def read(body: bytes, url: str, headers: Mapping[str, str]) -> Page:
    """Read a page as the crawl does in its reading process."""
    return bounded(read_page(body, url, headers))


def pages() -> Target:
    """Pages with their headers, as a crawl takes them."""
    sites = read_sites()
    bases = [answer(sites, url).body for url in SEEDS.read_text("utf-8").split()]
    bases += [answer(sites, f"http://{s.host}{path}").body for s in sites.values() for path in s.articles][:60]
    made = read_ontology(ONTOLOGY)
    topic = build_topic(made)
    understanding = build_understanding("fused", topic, build_lexicon(made, topic, None), read=read)

    def work(data: bytes, name: str) -> None:
        lines = mutated("answer", [HEADERS], f"{name} headers").decode("utf-8", "replace").split("\n")
        headers = dict(line.lower().split(": ", 1) for line in lines if ": " in line)
        plain = {"content-type": "text/html"} if len(name) % 2 else headers
        for status, said in ((200, plain), (302, headers), (503, headers)):
            outcome = Fetched(PAGE, status, said, data)
            page = is_read_as_page(status, said, PAGE)
            found = understanding.understand([(data, PAGE, said)]) if page else [None]
            ending(Entry(1.0, 1, 0, PAGE, "", 0), outcome, STAMP, found[0])
            retry_after(outcome, STAMP)

    for number, body in enumerate(bases):  # dictionaries are read at the first word
        work(body, f"good {number}")
    return bases, work


async def _fetch(data: bytes) -> None:
    """A whole answer of a server, status line and all, over a real connection."""

    async def send(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(data)
        writer.close()

    server = await asyncio.start_server(send, "127.0.0.1", 0)
    source = HttpSource(allow=frozenset({"127.0.0.1"}), seconds=5)
    try:
        outcome = await source.fetch(f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/a")
        retry_after(outcome, STAMP)
    finally:
        await source.close()
        server.close()


def _ask_robots(data: bytes, _: str) -> None:
    robots = read_robots(data)
    for url in ASKED:
        robots.refusal(url)


def _normalise(data: bytes, _: str) -> None:
    """An address as a page writes it; one that is normalised twice must stay as it is."""
    written = data.decode("utf-8", "surrogateescape" if len(data) % 2 else "replace")
    for base in (None, PAGE):
        url = normalise(written, base)
        if url is not None:
            assert normalise(url) == url, "normalised twice is another address"
            host_of(url), identity(url), is_page_like(url), words_of(url)


def _load(data: bytes, _: str) -> None:
    """An ontology file of any syntax. In this process: `read_ontology` would start one for each."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "topic.owl"
        path.write_bytes(data)
        made = load(path, False, 1024)
        build_lexicon(made, build_topic(made), None)


def _read_source(data: bytes, _: str) -> None:
    """A feed or sitemap, plain and packed."""
    pack(read(data, PAGE, {"content-type": "text/xml"}))
    pack(read(gzip.compress(data, 1), PAGE, {"content-type": "application/gzip"}))


TARGETS: Mapping[str, Callable[[], Target]] = {
    "page": pages,
    "answer": lambda: (ANSWERS, lambda data, _: asyncio.run(_fetch(data))),
    "robots": lambda: (ROBOTS, _ask_robots),
    "address": lambda: (ADDRESSES, _normalise),
    "ontology": lambda: ([path.read_bytes() for path in sorted(SYNTAXES.iterdir()) if path.is_file()], _load),
    "source": lambda: (FEEDS, _read_source),
    "pdf": lambda: (PDFS + SAMPLES, lambda data, _: pack(read(data, PAGE, {"content-type": "application/pdf"}))),
}


@cache
def target(kind: str) -> Target:
    return TARGETS[kind]()


def try_one(kind: str, number: int, seed: int) -> tuple[str, float]:
    """What goes wrong with an input ('': nothing), and seconds of processor time."""
    logging.disable()  # rdflib says what it dislikes, in the words of the file
    name, (bases, work) = f"{seed}/{kind}/{number}", target(kind)
    data = mutated(kind, bases, name)
    began = time.process_time()
    problem = failure_of(work, data, name)
    seconds = time.process_time() - began
    if not problem and seconds > MOST_SECONDS:
        problem = f"took {seconds:.1f} s"
    if problem:
        keep(kind, number, data)
    return problem, seconds


def failure_of(work: Work, data: bytes, name: str) -> str:
    """What is wrong with what was done with an input; '' if nothing is."""
    try:
        work(data, name)
    except OntocrawlError:
        return ""
    except BaseException as error:  # a panic in a library of Rust is no Exception
        place = traceback.extract_tb(error.__traceback__)[-1]
        return f"{type(error).__name__}: {error} ({Path(place.filename).name}:{place.lineno})"[:300]
    return ""


def keep(kind: str, number: int, data: bytes) -> None:
    KEPT.mkdir(parents=True, exist_ok=True)
    (KEPT / f"{kind}-{number}").write_bytes(data)


def fuzz(count: int, seed: int, kinds: Sequence[str] = tuple(SHARES)) -> list[str]:
    """Work through so many inputs, and print a line a kind. Gives kind, number and problem of those that failed."""
    pool, found = ProcessPoolExecutor(1, get_context("spawn")), list[str]()
    for kind in kinds:
        times, before = {-1: 0.0}, len(found)
        for number in range(count * SHARES[kind] // sum(SHARES[kind] for kind in kinds)):
            try:
                problem, times[number] = pool.submit(try_one, kind, number, seed).result(HANGS)
            except (TimeoutError, BrokenProcessPool) as error:
                problem = f"the process died, or gave no answer in {HANGS:g} s ({type(error).__name__})"
                for child in active_children():
                    child.kill()
                pool = ProcessPoolExecutor(1, get_context("spawn"))
            if problem:
                found.append(f"{kind}:{number}  {problem}")
        slowest = max(times, key=times.__getitem__)
        worst = f"the slowest {times[slowest]:.2f} s ({slowest})"
        print(f"{kind:9} {len(times) - 1:6} inputs, {len(found) - before:3} failed, {worst}", flush=True)
    pool.shutdown()
    return found


def main() -> int:
    given = options(__doc__, count=20_000, seed=1, kinds=",".join(SHARES), only="")
    if given.only:
        kind, number = given.only.split(":")
        name, (bases, work) = f"{given.seed}/{kind}/{number}", target(kind)
        data = mutated(kind, bases, name)
        keep(kind, int(number), data)
        work(data, name)
        return 0
    found = fuzz(given.count, given.seed, given.kinds.split(","))
    print(*found[:50], sep="\n")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
