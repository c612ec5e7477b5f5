"""CPU time of everything that is worked out of one page alone, part by part: `python -m benchmarks.page_parts`.

Each part sees the same pages of an archived web in their order, as in a crawl, so that what it remembers is worth what
it is worth there. The first pages (`--skip`) are not counted. Garbage is collected as rarely as in the reading process.
"""

import gc
import lzma
import time
from collections import Counter
from collections.abc import Callable
from itertools import islice
from typing import Any

from benchmarks.options import options
from benchmarks.replayed import WEBS, topic_of
from cli.inputs.crawl_topic import read_about
from crawler.archive.warc_reading import read_responses
from crawler.sandbox.reading_process import COLLECT_AFTER
from semantic.analyst import concepts_of
from semantic.learning.feature_hashing import hash_page
from semantic.links.link_reading import LinkReader, LinkRowsReader
from semantic.parsing.fingerprint import page_fingerprint, presented, presented_as
from semantic.parsing.page_kind import kind_of, written_language
from semantic.parsing.page_reader import pack, read_page, unpack
from semantic.parsing.repeated_blocks import packed_parts, parts_of
from semantic.terms.term_matching import Matcher, build_word_table, count_concepts, mention_records


def main() -> None:
    given = options(__doc__, web="archwiki", pages=1000, skip=200)
    about = read_about(topic_of(min((WEBS / given.web / "tasks").iterdir())))
    table, matcher = build_word_table(about.lexicon, about.topic), Matcher(about.lexicon)
    reader, concepts = LinkRowsReader(table, LinkReader(matcher)), concepts_of(about.lexicon)
    spent: Counter[str] = Counter()
    gc.freeze()
    gc.set_threshold(COLLECT_AFTER)

    def run(part: str, work: Callable[..., Any], *args: Any) -> Any:
        begun = time.process_time()
        found = work(*args)
        spent[part] += time.process_time() - begun  # type: ignore[assignment]
        return found

    with lzma.open(WEBS / given.web / "web.warc.xz") as stream:
        answers = (answer for answer in read_responses(stream) if answer.status == 200)
        for number, answer in enumerate(islice(answers, given.skip + given.pages)):
            if number == given.skip:
                spent.clear()
            page = run("read", read_page, answer.body, answer.url, answer.headers)
            run("language", written_language, page)
            parts = run("parts", parts_of, page)
            run("packed parts", packed_parts, page, parts)
            run("fingerprint", page_fingerprint, page, parts)
            run("unpack", unpack, run("pack", pack, page), page.url)
            run("hash words", hash_page, page)
            counts = run("count concepts", count_concepts, page, matcher)
            run("mentions", mention_records, counts, concepts, table, parts)
            run("kind", kind_of, page)
            run("presented", lambda page: (presented(page), presented_as(page)), page)
            run("links", reader.read, page, counts)
    for part, seconds in {**spent, "all": sum(spent.values())}.items():
        print(f"{part:15} {1000 * seconds / given.pages:6.3f} ms")


if __name__ == "__main__":
    main()
