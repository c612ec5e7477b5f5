"""What `ontology suggest` finds again of labels that were taken out, and what else its proposals are worth.

    python -m benchmarks.proposals [--parts labels,starts,weights,layers] [--pages 1000] [--tasks WEB/,WEB/TASK]

- `labels`: a quarter of the names and synonyms of a task's ontology is taken out at random; with what is left the task
  is crawled in the lab with `fused`, and proposals are made from the pages. Found again is a label one of whose forms
  is among the first 50 terms. Kept are of the first 20 terms those that the whole ontology has, or that a person would
  keep by `benchmarks/proposals_kept.tsv`; those that nobody has judged are printed.
- `starts`: a poor ontology grows by its own proposals. Of the root and the three heaviest features one label each is
  left; 500 pages are crawled, the first 20 proposals are written into the ontology unseen, as `ontology accept` does,
  and so again. The figures are shares of the oracle at 2,000 pages.
- `weights`: the task is crawled with all weights made 1, and `ontology weigh` computes weights from its pages. The
  figures are the average precision of relevance on these pages, by each kind of weights.
- `layers`: the task is crawled with `fused`, and the first 20 words of each layer are added to the ontology unseen. The
  figures are the share of the oracle and the number of pages that `ontology-links` reaches with the ontology as it is
  and with these words, by its defaults and by `alpha` 1 and `alpha_layer` 1.

Writes the tables of the parts into `benchmarks/proposals.md`.
"""

import csv
import json
import random
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache, partial
from pathlib import Path

from benchmarks.judge import THRESHOLD, average_precision, bring_up_to_date, relevance_of, results_of
from benchmarks.lab_runs import (
    OUT,
    Bench,
    Crawled,
    Job,
    bench_of,
    commit_now,
    crawl_task,
    side_by_side,
    tasks,
    understanding_of,
)
from benchmarks.options import options
from benchmarks.orders_tables import Figures, put, with_means
from cli.inputs.crawl_topic import About
from ontology.concepts import Concept, Label, Ontology
from ontology.lexicon.lexicon import build_lexicon
from ontology.lexicon.surface_forms import same_word_key, surface_forms
from ontology.loading.ontology_reader import read_ontology
from ontology.proposals.accepting import apply
from ontology.proposals.decisions import Decisions, as_kept
from ontology.proposals.proposal import Kind, Proposal
from ontology.topic import build_topic
from semantic.candidates.own_text import ReadPage
from semantic.candidates.term_candidates import known_keys
from semantic.parsing.page_reader import unpack
from semantic.proposals.concept_weights import WeighedPage, features_of, weigh
from semantic.proposals.layer_words import LAYERS, layer_words
from semantic.proposals.layer_words import results_of as results_among
from semantic.proposals.suggestions import suggest, with_assumed

CHINESE = ("zhblogs", "lohelpzh", "linuxcn")
SHARE, FIRST, LOOKED_AT = 0.25, 20, 50
TERMS = (Kind.SYNONYM, Kind.NARROWER, Kind.RELATED)
START, ROUNDS, FEATURES = 500, 2, 3  # pages of a poor start's crawl, how often it grows, features that are left
WHOLE = 2000  # pages of the crawls that show what it is worth
AT_ONCE = 50  # pages judged together
REPORT, KEPT = (Path(__file__).with_name(name) for name in ("proposals.md", "proposals_kept.tsv"))
MILD = (("alpha", 1.0), ("alpha_layer", 1.0))


def with_ontology(bench: Bench, ontology: Ontology) -> Bench:
    """The same task with another ontology."""
    topic, about = build_topic(ontology), bench.about
    lexicon = build_lexicon(ontology, topic)
    return replace(bench, about=About(ontology, topic, lexicon, about.iri, about.name, f"{about.fingerprint}+"))


def pages_of(done: Crawled) -> list[ReadPage]:
    """The pages of a lab crawl that are no copies."""
    rows = done.store.read(
        "SELECT url, content, own, relevance, on_topic, kind FROM pages "
        "JOIN contents ON contents.page = id JOIN parts ON parts.page = id "
        'WHERE "order" IS NOT NULL AND relevance IS NOT NULL ORDER BY id'
    )
    return [
        ReadPage(
            row["url"],
            row["content"],
            row["relevance"],
            bool(row["on_topic"]),
            is_listing=row["kind"] == "listing",
            own=row["own"],
        )
        for row in rows
    ]


def proposals_of(job: Job, bench: Bench, most: int = LOOKED_AT) -> list[Proposal]:
    """Crawl, and propose."""
    done, about = crawl_task(job, bench), bench.about
    pages, waiting = with_assumed(pages_of(done)), [record.url for record in done.store.waiting()]
    return suggest(about.ontology, about.topic, about.lexicon, pages, waiting, most=most)


def labels_of(ontology: Ontology) -> list[tuple[str, Label]]:
    """Concept and label of all names and synonyms."""
    return [
        (iri, label)
        for iri, concept in sorted(ontology.concepts.items())
        for label in concept.labels
        if label.kind in ("name", "synonym")
    ]


def reduced(ontology: Ontology) -> tuple[Ontology, list[Label]]:
    """The ontology without a quarter of its labels, and these."""
    labels = labels_of(ontology)
    gone = set(random.Random(1).sample(labels, round(SHARE * len(labels))))
    left = {
        iri: replace(concept, labels=tuple(label for label in concept.labels if (iri, label) not in gone))
        for iri, concept in ontology.concepts.items()
    }
    return replace(ontology, concepts=left), [label for iri, label in labels if (iri, label) in gone]


def forms_of(text: str, language: str | None) -> frozenset[str]:
    """All forms of a label, folded."""
    return frozenset(map(same_word_key, surface_forms(text, language)))


def _all_forms(ontology: Ontology) -> frozenset[str]:
    labels = (label for concept in ontology.concepts.values() for label in concept.labels)
    return frozenset().union(*(forms_of(label.text, label.language) for label in labels))


def labels(task: str, pages: int) -> Figures:
    """Labels that went, those found; shares of the first proposals that are kept and that nobody has judged."""
    bench = bench_of(task, pages)
    whole = _all_forms(bench.about.ontology)
    ontology, gone = reduced(bench.about.ontology)
    left = _all_forms(ontology)
    missing = [forms for label in gone if not (forms := forms_of(label.text, label.language)) & left]
    proposals = proposals_of(Job(task, "fused", 1, pages), with_ontology(bench, ontology))
    terms = [(one.term, forms_of(one.term, one.language)) for one in proposals if one.kind in TERMS]
    found = frozenset[str]().union(*(forms for _, forms in terms))
    judged = ["keep" if forms & whole else kept().get((task, same_word_key(term))) for term, forms in terms[:FIRST]]
    unjudged = (f"{task}\t{term}\tkeep or no?\n" for (term, _), word in zip(terms, judged, strict=False) if not word)
    print("".join(unjudged), end="", flush=True)
    return {
        "labels out": len(missing),
        "found": sum(bool(forms & found) for forms in missing),
        "kept": judged.count("keep") / max(1, len(judged)),
        "unjudged": judged.count(None) / max(1, len(judged)),
    }


@cache
def kept() -> dict[tuple[str, str], str]:
    """Task and term -> `keep` or `no`, as a person judged."""
    with KEPT.open(encoding="utf-8", newline="") as file:
        return {(task, same_word_key(term)): said for task, term, said in csv.reader(file, delimiter="\t")}


def poor(ontology: Ontology, language: str = "") -> str:
    """The root and the three heaviest features as a file in Turtle: one label each, in this language where it has one,
    and the weights.
    """
    topic = build_topic(ontology)
    heavy = sorted(topic.given, key=lambda iri: (-topic.given[iri], iri))
    left = [iri for iri in [topic.iri, *heavy] if iri and ontology.concepts[iri].labels][: FEATURES + 1]
    lines = [
        "@prefix owl: <http://www.w3.org/2002/07/owl#> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .",
        "@prefix oc: <https://w3id.org/ontocrawl#> . oc:weight a owl:AnnotationProperty . <urn:poor> a owl:Ontology .",
        *([f"<urn:poor> oc:topic <{topic.iri}> ."] if topic.iri in left else []),
    ]
    for iri in left:
        concept = ontology.concepts[iri]
        names = [label for label in concept.labels if label.kind == "name"] or list(concept.labels)
        label = next((label for label in names if (label.language or "").startswith(language)), names[0])
        tag = f"@{label.language}" if label.language else ""
        said = ["a owl:Class", f"rdfs:label {json.dumps(label.text, ensure_ascii=False)}{tag}"]
        said += [f"rdfs:subClassOf <{topic.iri}>"] * (iri != topic.iri)
        said += [] if concept.weight is None else [f"oc:weight {float(concept.weight)}"]
        lines.append(f"<{iri}> {' ; '.join(said)} .")
    return "\n".join(lines) + "\n"


def starts(task: str, pages: int) -> Figures:
    """Shares of the oracle: of the poor ontology, after each time it grew, and of the whole one."""
    bench = bench_of(task, WHOLE)
    short = bench.limited(replace(bench.yardstick.limits, max_pages=START))

    def share(by: Bench) -> float:
        return crawl_task(Job(task, "fused", 1, WHOLE), by).figures.of_oracle

    file = OUT / f"{task.replace('/', '-')}.ttl"
    file.write_text(poor(bench.about.ontology, "zh" if task.startswith(CHINESE) else "en"), "utf-8")
    shares = {"poor": share(with_ontology(bench, read_ontology(file)))}
    for grown in range(1, ROUNDS + 1):
        found = proposals_of(Job(task, "fused", 1, START), with_ontology(short, read_ontology(file)), FIRST)
        apply(Decisions(tuple(map(as_kept, found[:FIRST]))), file)
        shares[f"grown {grown}"] = share(with_ontology(bench, read_ontology(file)))
    return {**shares, "whole": share(bench)}


def weighted(ontology: Ontology, weights: Mapping[str, float]) -> Ontology:
    """The same with these weights."""
    concepts = {iri: replace(one, weight=weights.get(iri, one.weight)) for iri, one in ontology.concepts.items()}
    return replace(ontology, concepts=concepts)


def weights(task: str, pages: int) -> Figures:
    """Average precision by the expert's weights, by all 1, and by those computed from the pages that these judged."""
    bench, job = bench_of(task, pages), Job(task, "fused", 1, pages)
    flat = with_ontology(bench, weighted(bench.about.ontology, dict.fromkeys(bench.about.topic.given, 1.0)))
    done = crawl_task(job, flat)
    store = done.store
    urls = list(relevance_of(store, bench.labels))
    read = {url: unpack(content, url) for url, (content, _) in zip(urls, store.contents(urls), strict=True)}
    good = results_of(dict.fromkeys(urls, 0.0), bench.labels)

    def judged_by(other: Bench) -> dict[str, float]:
        """The relevance of the pages, all judged by one ontology."""
        understanding = understanding_of(job, other)
        frames, scores = [understanding.analyst.frame(page, b"") for page in read.values()], {}
        for first in range(0, len(frames), AT_ONCE):
            for one in understanding.understand_frames(frames[first : first + AT_ONCE], links=False):
                scores[one.frame.url] = one.relevance.score
        bring_up_to_date(scores, understanding)
        return scores

    by_flat = judged_by(flat)
    feature, said = features_of(flat.about.lexicon), {record.url: record.concepts for record in store.mentioned()}
    weighed = [
        WeighedPage(
            on_topic=score >= THRESHOLD, features=frozenset(feature[iri] for iri in said.get(url, ()) if iri in feature)
        )
        for url, score in by_flat.items()
    ]
    computed = {each.feature: each.proposed for each in weigh(flat.about.topic, weighed)}
    by_pages = judged_by(with_ontology(bench, weighted(flat.about.ontology, computed)))
    judged = {"the expert's": judged_by(bench), "all 1": by_flat, "`weigh` from all 1": by_pages}
    return {name: average_precision(scores, good) for name, scores in judged.items()}


def with_layers(bench: Bench, words: Sequence[Proposal]) -> Bench:
    """The same task with these words as a class of each layer."""
    concepts = dict(bench.about.ontology.concepts)
    for layer, kind in enumerate(LAYERS, 1):
        named = tuple(Label(one.term, one.language) for one in words if one.kind is kind)
        concepts[kind.value] = Concept(kind.value, "class", named, (), layer=layer)
    return with_ontology(bench, replace(bench.about.ontology, concepts=concepts))


def layers(task: str, pages: int) -> Figures:
    """Share of the oracle and pages by `ontology-links`, as it is and with words, by its defaults and milder ones."""
    bench = bench_of(task, pages)
    figures: dict[str, float] = {}
    read = with_assumed(pages_of(crawl_task(Job(task, "fused", 1, pages), bench)))
    found = layer_words(read, results_among(read), known_keys(bench.about.lexicon), most=FIRST)
    for name, one in (("as it is", bench), ("with words", with_layers(bench, found))):
        for how, parameters in (("", ()), (", mild", MILD)):
            done = crawl_task(Job(task, "ontology-links", 1, pages, parameters=parameters), one)
            figures |= {name + how: done.figures.of_oracle, f"{name}{how}, pages": len(done.run.visits)}
    return figures


PARTS = {"labels": labels, "starts": starts, "weights": weights, "layers": layers}


def main() -> None:
    given = options(__doc__, parts=",".join(PARTS), tasks="", pages=1000, processes=2)
    for part in given.parts.split(","):
        command = f"`python -m benchmarks.proposals --parts {part} --pages {given.pages}`, commit {commit_now()}"
        found: dict[str, Figures] = {}
        measure = partial(PARTS[part], pages=given.pages)
        for task, figures in side_by_side(measure, tasks(given.tasks), given.processes):
            found[task] = figures
            print(part, task, figures, flush=True)
            put(REPORT, part, f"{command}\n\n{with_means(found, {'all': found})}")


if __name__ == "__main__":
    main()
