"""What commands take on a stored crawl: `python -m benchmarks.commands [--task archwiki/networking] [--pages 2000]`.

Crawls a task of `../shared/webs` from its archive into a store, once. Then each command runs on a copy of that store:
questions, `threshold`, `rejudge` with two concepts added to the ontology and with another threshold, `mark` with three
pages that were on topic, `ontology suggest`. Prints medians: seconds until the command
ends, and processor seconds. Times mean something on an idle machine only; the load is printed.
"""

import csv
import os
import shutil
import tempfile
from pathlib import Path
from statistics import median

from benchmarks.lab_runs import folder_of
from benchmarks.options import options
from benchmarks.orders_tables import table
from benchmarks.processes import watched
from benchmarks.replayed import ONTOCRAWL, topic_of

WORDS = ("kernel", "web browser")  # names of the added concepts
MARKED = 3  # pages


def with_concepts(owl: str) -> str:
    """The RDF/XML text of an ontology with two more concepts, narrower than its topic."""
    topic = owl.partition('oc:topic rdf:resource="')[2].partition('"')[0]
    more = "".join(
        f'<owl:Class rdf:about="urn:added:{number}"><rdfs:subClassOf rdf:resource="{topic}"/>'
        f'<rdfs:label xml:lang="en">{word}</rdfs:label></owl:Class>\n'
        for number, word in enumerate(WORDS)
    )
    before, end, after = owl.rpartition("</rdf:RDF>")
    return before + more + end + after


def main() -> None:
    given = options(__doc__, task="archwiki/networking", pages=2000, runs=3)
    about = folder_of(given.task)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        store, copy, edited = folder / "store", folder / "copy", folder / "edited.owl"
        crawl = f"crawl --ontology {topic_of(about)} --seeds {about / 'seeds.txt'} --archive {about.parents[1]}"
        limits = f"--max-pages {given.pages} --delay 0 --connections 64 --per-host 64 --store {store}"
        watched([str(ONTOCRAWL), *f"{crawl} {limits}".split()])
        edited.write_text(with_concepts(topic_of(about).read_text(encoding="utf-8")), encoding="utf-8")
        question = f"MATCH (p:Page) WHERE p.on_topic RETURN p.url LIMIT {MARKED}"
        said = watched([str(ONTOCRAWL), "query", "--store", str(store), "--format", "csv", question]).printed
        urls = [row[0] for row in csv.reader(said.splitlines())][1:]
        commands = {words: words.split() for words in ("status", "threshold", "ontology coverage")}
        commands |= {
            "explain": ["explain", urls[0]],
            "search": ["search", WORDS[0]],
            "mark": ["mark", *urls, "good"],
            "rejudge --ontology": ["rejudge", "--ontology", str(edited)],
            "rejudge --threshold": ["rejudge", "--threshold", "0.4"],
            "ontology suggest": ["ontology", "suggest"],
        }
        rows: list[list[object]] = []
        for command, words in commands.items():
            runs = []
            for _ in range(given.runs):
                shutil.copytree(store, copy)
                runs.append(watched([str(ONTOCRAWL), *words, "--store", str(copy)]))
                shutil.rmtree(copy)
            figures = (median(getattr(run, part) for run in runs) for part in ("seconds", "cpu"))
            rows.append([command, *(f"{figure:.2f}" for figure in figures), f"{os.getloadavg()[0]:.1f}"])
            print(*rows[-1], flush=True)
    print(table(["command", "seconds", "CPU s", "load"], rows))


if __name__ == "__main__":
    main()
