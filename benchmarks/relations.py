"""What `oc:relatedness` is worth: relations other than is-a that count at a fraction.

    python -m benchmarks.relations [--pages 500] TASK ...     (a task: as web/name)

The ontologies of ../shared/webs have some relations each (restrictions), all of them between features, which keep what
they count for: there relatedness changes nothing. So the concepts that others are related to are taken out of the
topic, as an expert might have left them; then nothing but the relation says that they belong to it. Told are the share
of the oracle and the average precision of relevance: of the whole ontology, of that without the concepts, and of that
with the relations at each fraction.
"""

import argparse
import re
import tempfile
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from statistics import fmean

from benchmarks.expert import is_result, relevance_of
from benchmarks.judge import average_precision
from benchmarks.lab_jobs import OUT
from benchmarks.lab_runs import Bench, Job, as_in_the_table, bench_of, crawled, folder_of
from benchmarks.orders_tables import table
from benchmarks.proposals import share_of, with_ontology
from benchmarks.replayed import topic_of
from ontology.concepts import Concept, Ontology
from ontology.loading.imports_closure import load
from ontology.syntaxes.annotation_properties import OC, RELATEDNESS

FRACTIONS = (0.3, 0.6)
MEMORY_MB = 1024


def related(path: Path, fraction: float) -> Ontology:
    """The ontology with the same relatedness at all its object properties."""
    text = path.read_text("utf-8")
    if path.suffix == ".ttl":
        properties = re.findall(r"(\S+)\s+(?:a|rdf:type)\s+owl:ObjectProperty", text)
        text += "".join(f"\n{prop} <{RELATEDNESS}> {fraction} ." for prop in properties)
    else:
        said = f'<r:relatedness xmlns:r="{OC}">{fraction}</r:relatedness>'
        added = "".join(
            f'<rdf:Description rdf:about="{prop}">{said}</rdf:Description>'
            for prop in re.findall(r'ObjectProperty rdf:about="([^"]+)"', text)
        )
        text = text.replace("</rdf:RDF>", f"{added}</rdf:RDF>")
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / path.name
        copy.write_text(text, "utf-8")
        return load(copy, False, MEMORY_MB)


def apart(ontology: Ontology) -> Ontology:
    """What others are related to stands alone; of two that are related to each other only the one named second."""
    taken: dict[str, None] = {}
    for concept in ontology.concepts.values():
        for _, other in concept.relations:
            if concept.iri not in taken and other != ontology.topic:
                taken[other] = None
    concepts: Mapping[str, Concept] = {
        iri: replace(concept, parents=(), same=(), weight=None) if iri in taken else concept
        for iri, concept in ontology.concepts.items()
    }
    return replace(ontology, concepts=concepts)


def figures(job: Job, bench: Bench) -> tuple[float, float]:
    """Share of the oracle, and average precision."""
    store, progress = crawled(job, bench, as_in_the_table(job, bench))
    scores = relevance_of(store, bench.labels)
    good = {url for url in scores if is_result(bench.labels, url)}
    return share_of(job, bench, store, progress), average_precision(scores, good)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tasks", nargs="+")
    parser.add_argument("--pages", type=int, default=500)
    given = parser.parse_args()
    rows: list[tuple[str, list[tuple[float, float]]]] = []
    for task in given.tasks:
        bench, job = bench_of(task, given.pages, OUT / "cache"), Job(task, "fused", 1, given.pages)
        file = Path(topic_of(folder_of(task)))
        ontologies = [bench.about.ontology, *(apart(related(file, fraction)) for fraction in (0, *FRACTIONS))]
        rows.append((task, [figures(job, with_ontology(bench, one)) for one in ontologies]))
        print(*rows[-1], flush=True)
    means = [
        (fmean(share for share, _ in column), fmean(precision for _, precision in column))
        for column in zip(*(found for _, found in rows), strict=True)
    ]
    head = ["task", "whole", "without", *(f"related at {fraction:g}" for fraction in FRACTIONS)]
    cells = [[name, *(f"{one[0]:.3f} / {one[1]:.3f}" for one in found)] for name, found in [*rows, ("**mean**", means)]]
    print(table(head, cells))


if __name__ == "__main__":
    main()
