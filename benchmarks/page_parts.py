"""CPU time of everything that is worked out of one page alone, part by part.

    python -m benchmarks.page_parts [--web archwiki] [--pages 1000] [--skip 200]

Each part sees the same pages of an archived web in their order, as in a crawl, so that what it remembers is worth what
it is worth there. The first pages are not counted. Garbage is collected as rarely as in the reading process.
"""

import argparse
import gc
import lzma
import time
from collections.abc import Callable, Iterator
from itertools import islice
from typing import Any

from benchmarks.replayed import WEBS, topic_of
from cli.inputs.crawl_topic import read_about
from crawler.archive.warc_reading import Response, read_responses
from crawler.sandbox.reading_process import COLLECT_AFTER
from semantic.analyst import concepts_of
from semantic.learning.feature_hashing import hash_page
from semantic.links.link_reading import LinkReader, LinkRowsReader
from semantic.parsing.fingerprint import page_fingerprint, presented, presented_as
from semantic.parsing.page_kind import kind_of, written_language
from semantic.parsing.page_reader import pack, read_page, unpack
from semantic.terms.term_matching import Matcher, build_word_table, count_concepts, mention_records


def answers(web: str) -> Iterator[Response]:
    """The web's pages, in the order of the archive."""
    with lzma.open(WEBS / web / "web.warc.xz") as stream:
        yield from (answer for answer in read_responses(stream) if answer.status == 200)


class Clock:
    """Milliseconds of CPU time by part."""

    def __init__(self) -> None:
        self.spent: dict[str, float] = {}

    def run(self, part: str, work: Callable[..., Any], *given: Any) -> Any:
        begun = time.process_time()
        found = work(*given)
        self.spent[part] = self.spent.get(part, 0.0) + (time.process_time() - begun) * 1000
        return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--web", default="archwiki")
    parser.add_argument("--pages", type=int, default=1000)
    parser.add_argument("--skip", type=int, default=200, help="pages before those that are counted")
    given = parser.parse_args()
    about = read_about(topic_of(min((WEBS / given.web / "tasks").iterdir())))
    table, matcher = build_word_table(about.lexicon, about.topic), Matcher(about.lexicon)
    reader, clock = LinkRowsReader(table, LinkReader(matcher)), Clock()
    concepts = concepts_of(about.lexicon)
    gc.freeze()
    gc.set_threshold(COLLECT_AFTER)
    for number, answer in enumerate(islice(answers(given.web), given.skip + given.pages)):
        if number == given.skip:
            clock.spent.clear()
        page = clock.run("read", read_page, answer.body, answer.url, answer.headers)
        clock.run("language", written_language, page)
        clock.run("fingerprint", page_fingerprint, page)
        packed = clock.run("pack", pack, page)
        clock.run("unpack", unpack, packed, page.url)
        clock.run("hash words", hash_page, page)
        counts = clock.run("count concepts", count_concepts, page, matcher)
        clock.run("mentions", mention_records, counts, concepts, table)
        clock.run("kind", kind_of, page)
        clock.run("presented", lambda page: (presented(page), presented_as(page)), page)
        clock.run("links", reader.read, page, counts)
    for part, spent in clock.spent.items():
        print(f"{part:15} {spent / given.pages:6.3f} ms")
    print(f"{'all':15} {sum(clock.spent.values()) / given.pages:6.3f} ms")


if __name__ == "__main__":
    main()
