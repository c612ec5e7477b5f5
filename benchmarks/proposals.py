"""What `ontology suggest` finds again of labels that were taken out, and what it proposes first.

    python -m benchmarks.proposals [--pages 1000] [--seeds 5] [--starts|--weights|--layers] [TASK ...]   (as web/name)

A quarter of the names and synonyms of a task's ontology is taken out at random; with what is left the task is crawled
in the lab with `fused`, and proposals are made from the pages. Found again is a label one of whose forms is among the
first 50 terms. Beside it stands how many of the labels pages on topic say at all, on one page and on two; a term is
proposed from two pages on. Kept are of the first 20 terms (first seed) those that the whole ontology has, or that
`benchmarks/proposals_kept.tsv` says a person would keep.

`--starts`: instead, a poor ontology grows by its own proposals. Of the root and the three heaviest features one label
each is left; 500 pages are crawled, the first 20 proposals are written into the ontology unseen, as `ontology accept`
does, and so again. Told is what of the share of the oracle at 2,000 pages that is lost against the whole ontology has
been won back.

`--weights`: instead, what `ontology weigh` is worth. The task is crawled with all weights made 1. Weights are computed
from its pages as these verdicts have them, and as the expert's weights judge the same pages. Told is the average
precision of relevance on these pages, by the task's labels: by the expert's weights, by all 1, and by either.

`--layers`: instead, what `ontology suggest --layers` is worth to `ontology-links`. The task is crawled with `fused`,
and the first 20 words of each layer are added to the ontology unseen. Told is the share of the oracle, and the number
of pages fetched, that `ontology-links` reaches with the ontology as it is and with these words, by its defaults and by
`alpha` 1 and `alpha_layer` 1.

Writes `benchmarks/proposals.md` (`proposals_weights.md`, `proposals_starts.md`, `proposals_layers.md`). `CHOSEN`: tasks
by which it was built.
"""

import argparse
import csv
import json
import random
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import fmean

from benchmarks.expert import THRESHOLD, bring_up_to_date, is_result, relevance_of
from benchmarks.judge import average_precision
from benchmarks.lab_jobs import OUT, commit_now, tasks
from benchmarks.lab_runs import Bench, Job, Variant, as_in_the_table, bench_of, crawled
from benchmarks.orders_tables import table
from benchmarks.replayed import WEBS
from cli.inputs.crawl_topic import About
from cli.lab.measured_crawl import run_of
from graphdb.record.sqlite_store import SqliteStore
from ontology.concepts import Concept, Label, Ontology
from ontology.lexicon.lexicon import build_lexicon
from ontology.lexicon.surface_forms import same_word_key, surface_forms
from ontology.loading.ontology_reader import read_ontology
from ontology.proposals.accepting import apply
from ontology.proposals.decisions import Decisions, as_kept
from ontology.proposals.proposal import Kind, Proposal
from ontology.topic import build_topic
from semantic.candidates.own_text import OwnTexts, ReadPage
from semantic.candidates.term_candidates import known_keys
from semantic.page import Page
from semantic.parsing.page_reader import unpack
from semantic.proposals.concept_weights import WeighedPage, features_of, weigh
from semantic.proposals.layer_words import LAYERS, layer_words, results_of
from semantic.proposals.suggestions import suggest, with_assumed
from semantic.proposals.term_contexts import terms_matcher

CHOSEN = (
    *("zhblogs/databases", "linuxcn/games", "linuxcn/containers", "lohelpzh/charts"),
    *("archwiki/security", "blogs-a/food", "uci/ai_ml", "dclaw/environment"),
)
CHINESE = ("zhblogs", "lohelpzh", "linuxcn")
SHARE, FIRST, LOOKED_AT = 0.25, 20, 50
NAMING = ("name", "synonym")
TERMS = (Kind.SYNONYM, Kind.NARROWER, Kind.RELATED)
START, ROUNDS, FEATURES = 500, 2, 3  # pages of a poor start's crawl, how often it grows, features that are left
TOLD = 2000  # pages of the crawls that tell what it is worth
AT_ONCE = 50  # pages judged together
HERE = Path(__file__).parent
REPORT, STARTS, KEPT = (HERE / name for name in ("proposals.md", "proposals_starts.md", "proposals_kept.tsv"))
WEIGHTS, OF_LAYERS = HERE / "proposals_weights.md", HERE / "proposals_layers.md"
MILD = (("alpha", 1.0), ("alpha_layer", 1.0))


@dataclass(frozen=True)
class Figures:
    """Of one task: labels that went, those that a page and two pages on topic say, and those found; means of seeds."""

    task: str
    gone: float
    said: float
    said_twice: float
    found: float
    kept: float  # of the first proposals
    unjudged: float
    first: Sequence[tuple[str, str]]  # of the first seed: how each was judged, and the proposal


def reduced(ontology: Ontology, seed: int) -> tuple[Ontology, list[Label]]:
    """The ontology without a quarter of its labels, and these."""
    labels = [
        (iri, label)
        for iri, concept in sorted(ontology.concepts.items())
        for label in concept.labels
        if label.kind in NAMING
    ]
    gone = set(random.Random(seed).sample(labels, round(SHARE * len(labels))))
    left = {
        iri: replace(concept, labels=tuple(label for label in concept.labels if (iri, label) not in gone))
        for iri, concept in ontology.concepts.items()
    }
    return replace(ontology, concepts=left), [label for _, label in labels_sorted(gone)]


def labels_sorted(labels: Iterable[tuple[str, Label]]) -> list[tuple[str, Label]]:
    """In an order that does not depend on chance."""
    return sorted(labels, key=lambda pair: (pair[0], pair[1].text, pair[1].language or ""))


def with_ontology(bench: Bench, ontology: Ontology) -> Bench:
    """The same task with another ontology."""
    topic = build_topic(ontology)
    lexicon = build_lexicon(ontology, topic)
    about = bench.about
    return replace(
        bench, about=About(ontology, topic, lexicon, about.iri, about.name, about.fingerprint + "+"), once={}
    )


def pages_of(store: SqliteStore) -> list[ReadPage]:
    """The pages of a lab crawl that are no copies."""
    rows = store.read(
        "SELECT url, content, relevance, on_topic, kind FROM pages JOIN contents ON page = id "
        'WHERE "order" IS NOT NULL AND relevance IS NOT NULL ORDER BY id'
    )
    return [
        ReadPage(row["url"], row["content"], row["relevance"], bool(row["on_topic"]), None, row["kind"] == "listing")
        for row in rows
    ]


def proposals_of(job: Job, bench: Bench, most: int = LOOKED_AT) -> tuple[list[ReadPage], list[Proposal]]:
    """Crawl, and propose."""
    store, _ = crawled(job, bench, as_in_the_table(job, bench))
    pages = pages_of(store)
    waiting = [record.url for record in store.waiting()]
    about = bench.about
    return pages, suggest(about.ontology, about.topic, about.lexicon, with_assumed(pages), waiting, most=most)


def forms_of(label: Label) -> frozenset[str]:
    """All its forms, folded."""
    return frozenset(map(same_word_key, surface_forms(label.text, label.language)))


def measure(task: str, pages: int, seeds: int, kept: Mapping[str, str]) -> Figures:
    """One task."""
    bench = bench_of(task, pages, OUT / "cache")
    whole = {
        form
        for concept in bench.about.ontology.concepts.values()
        for label in concept.labels
        for form in forms_of(label)
    }
    rows, first = [], []
    for seed in range(1, seeds + 1):
        ontology, gone = reduced(bench.about.ontology, seed)
        left = {form for concept in ontology.concepts.values() for label in concept.labels for form in forms_of(label)}
        missing = [forms for label in gone if not (forms := forms_of(label)) & left]
        read, found = proposals_of(Job(task, "fused", 1, pages), with_ontology(bench, ontology))
        terms = [one for one in found if one.kind in TERMS]
        keys = {form for one in terms for form in forms_of(Label(one.term, one.language))}
        said = said_on(read, missing)
        rows.append(
            (
                len(missing),
                sum(count > 0 for count in said),
                sum(count > 1 for count in said),
                sum(bool(forms & keys) for forms in missing),
            )
        )
        if seed == 1:
            judged = [_judged(one, whole, kept, task) for one in terms[:FIRST]]
            told = [_told(one, bench.about.ontology) for one in found]
            first = list(zip([*judged, *[""] * (len(found) - len(judged))], told, strict=True))
    judged = [said for said, _ in first if said]
    good = sum(said in ("label", "keep") for said in judged) / max(1, len(judged))
    means = [fmean(column) for column in zip(*rows, strict=True)]
    left_out, on_page, on_two, again = means
    return Figures(task, left_out, on_page, on_two, again, good, judged.count("?") / max(1, len(judged)), first)


def _judged(one: Proposal, whole: set[str], kept: Mapping[str, str], task: str) -> str:
    key = same_word_key(one.term)
    if key in whole or forms_of(Label(one.term, one.language)) & whole:
        return "label"
    return kept.get(f"{task}\t{key}", "?")


def said_on(pages: Sequence[ReadPage], labels: Sequence[frozenset[str]]) -> list[int]:
    """For each label on how many pages on topic it stands."""
    forms = sorted({form for some in labels for form in some})
    if not forms:
        return []
    matcher = terms_matcher(forms)
    counts: dict[str, int] = {}
    texts = OwnTexts(page for page in pages if page.counts_for and not page.is_listing)
    for page in texts.pages:
        text = unpack(page.content, page.url).text
        for key in {forms[hit.words[0]] for hit in matcher.find(text)}:
            counts[key] = counts.get(key, 0) + 1
    return [max((counts.get(form, 0) for form in some), default=0) for some in labels]


def _told(one: Proposal, ontology: Ontology) -> str:
    known = None if one.concept is None else ontology.concepts.get(one.concept)
    concept = "-" if known is None else known.label
    evidence = one.evidence
    value = "" if one.value is None else f" {one.value:g}"
    counts = f"{evidence.on_topic}/{evidence.off_topic}, gain {evidence.gain}"
    return f"{one.term} ({one.kind.value}{value}: {concept}; {counts})"


def report(found: Sequence[Figures], pages: int, seeds: int) -> str:
    """The tables and the proposals."""
    head = [
        "task",
        "labels out",
        "on a page",
        "on two",
        "found",
        "of all",
        "of said",
        "of said twice",
        "kept",
        "unjudged",
    ]
    lines = [
        "# Proposals for ontologies",
        "",
        f"`python -m benchmarks.proposals --pages {pages} --seeds {seeds}`, commit {commit_now()}.",
        f"Labels found again are those among the first {LOOKED_AT} terms; kept: of the first {FIRST}.",
        "",
    ]
    groups = {
        "tasks it was built by": [one for one in found if one.task in CHOSEN],
        "other tasks": [one for one in found if one.task not in CHOSEN],
    }
    rows = [_row(one.task, [one]) for one in found]
    rows += [_row(f"**mean, {name}** ({len(some)})", some) for name, some in groups.items() if some]
    lines.append(table(head, rows))
    lines += ["## The first proposals of each task, first seed", ""]
    for one in found:
        lines += [f"### {one.task}", ""]
        lines += [f"- {judged or '·'} {told}" for judged, told in one.first[:FIRST]]
        others = [
            told for _, told in one.first[FIRST:] if any(f"({kind.value}" in told for kind in Kind if kind not in TERMS)
        ]
        lines += [f"- · {told}" for told in others] + [""]
    return "\n".join(lines)


def _row(name: str, some: Sequence[Figures]) -> list[str]:
    cells = [f"{fmean(getattr(one, part) for one in some):.1f}" for part in ("gone", "said", "said_twice", "found")]
    cells += [
        f"{fmean(one.found / max(1.0, getattr(one, part)) for one in some):.2f}"
        for part in ("gone", "said", "said_twice")
    ]
    return [name, *cells, *(f"{fmean(getattr(one, part) for one in some):.2f}" for part in ("kept", "unjudged"))]


def poor(ontology: Ontology, language: str = "") -> Ontology:
    """The root and the three heaviest features, one label each, in this language where there is one; nothing else."""
    topic = build_topic(ontology)
    heavy = sorted(topic.given, key=lambda iri: (-topic.given[iri], iri))
    left = [iri for iri in [topic.iri, *heavy] if iri and ontology.concepts[iri].labels][: FEATURES + 1]
    concepts = {}
    for iri in left:
        concept = ontology.concepts[iri]
        names = [label for label in concept.labels if label.kind == "name"] or list(concept.labels)
        concepts[iri] = replace(
            concept,
            labels=(_first(names, language),),
            parents=() if iri == topic.iri else (str(topic.iri),),
            same=(),
            related=(),
        )
    return replace(ontology, concepts=concepts, topic=topic.iri if topic.iri in concepts else None)


def _first(names: Sequence[Label], language: str) -> Label:
    return next((label for label in names if (label.language or "").startswith(language)), names[0])


def as_turtle(ontology: Ontology) -> str:
    """A poor ontology as a file: classes with their labels, parents and weights."""
    lines = [
        "@prefix owl: <http://www.w3.org/2002/07/owl#> .",
        "@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .",
        "@prefix oc: <https://w3id.org/ontocrawl#> .",
        "oc:weight a owl:AnnotationProperty .",
        f"<urn:poor> a owl:Ontology ; oc:topic <{ontology.topic}> .",
    ]
    for iri, concept in ontology.concepts.items():
        said = ["a owl:Class", *(f"rdfs:subClassOf <{parent}>" for parent in concept.parents)]
        for label in concept.labels:
            tag = f"@{label.language}" if label.language else ""
            said.append(f"rdfs:label {json.dumps(label.text, ensure_ascii=False)}{tag}")
        if concept.weight is not None:
            said.append(f"oc:weight {float(concept.weight)}")
        lines.append(f"<{iri}> {' ; '.join(said)} .")
    return "\n".join(lines) + "\n"


def start(task: str) -> list[float]:
    """Shares of the oracle: of the poor ontology, after each time it grew, and of the whole one."""
    short, long = (bench_of(task, pages, OUT / "cache") for pages in (START, TOLD))
    file = OUT / f"{task.replace('/', '-')}.ttl"
    file.write_text(as_turtle(poor(long.about.ontology, "zh" if task.startswith(CHINESE) else "en")), "utf-8")
    shares = []
    for _ in range(ROUNDS):
        ontology = read_ontology(file)
        shares.append(share_by(task, with_ontology(long, ontology)))
        _, found = proposals_of(Job(task, "fused", 1, START), with_ontology(short, ontology), FIRST)
        apply(Decisions(tuple(map(as_kept, found[:FIRST]))), file)
    return [*shares, share_by(task, with_ontology(long, read_ontology(file))), share_by(task, long)]


def share_by(task: str, bench: Bench) -> float:
    """Of the oracle's harvest, by a crawl of `TOLD` pages."""
    job = Job(task, "fused", 1, TOLD)
    store, progress = crawled(job, bench, as_in_the_table(job, bench))
    return share_of(job, bench, store, progress)


def share_of(job: Job, bench: Bench, store: SqliteStore, progress: object) -> float:
    """Of the oracle's harvest."""
    run = run_of((job.strategy, job.seed), store, progress, 0.0, bench.labels)  # type: ignore[arg-type]
    return bench.yardstick.measured([run])[0].of_oracle


def tell_starts(chosen: Sequence[str]) -> None:
    """Measure and write the table."""
    head = ["task", "poor", *(f"grown {n}" for n in range(1, ROUNDS + 1)), "whole", "won back"]
    rows = []
    for task in chosen:
        rows.append((task, start(task)))
        text = f"# A poor start\n\n`python -m benchmarks.proposals --starts`, commit {commit_now()}.\n\n"
        cells = [[name, *(f"{value:.3f}" for value in shares), _won(shares)] for name, shares in rows]
        means = [fmean(column) for column in zip(*(shares for _, shares in rows), strict=True)]
        cells.append([f"**mean** ({len(rows)})", *(f"{value:.3f}" for value in means), _won(means)])
        STARTS.write_text(text + table(head, cells), "utf-8")
        print(*cells[-2], flush=True)
    print(*cells[-1])


def _won(shares: Sequence[float]) -> str:
    lost = shares[-1] - shares[0]
    return f"{(shares[-2] - shares[0]) / lost:.2f}" if lost > 0.01 else "nothing lost"


def weighted(ontology: Ontology, weights: Mapping[str, float]) -> Ontology:
    """The same with these weights."""
    concepts = {
        iri: replace(concept, weight=weights.get(iri, concept.weight)) for iri, concept in ontology.concepts.items()
    }
    return replace(ontology, concepts=concepts)


def weighed_pages(bench: Bench, store: SqliteStore, scores: Mapping[str, float]) -> list[WeighedPage]:
    """Pages as `ontology weigh` reads them from a store, on topic by these scores."""
    feature, said = features_of(bench.about.lexicon), {record.url: record.concepts for record in store.mentioned()}
    return [
        WeighedPage(
            on_topic=score >= THRESHOLD,
            features=frozenset(feature[iri] for iri in said.get(url, ()) if iri in feature),
        )
        for url, score in scores.items()
    ]


def weights(task: str, pages: int) -> list[float]:
    """Average precision by each kind of weights; see the module's text."""
    bench = bench_of(task, pages, OUT / "cache")
    job = Job(task, "fused", 1, pages)
    expert = bench.about.ontology
    flat = with_ontology(bench, weighted(expert, dict.fromkeys(bench.about.topic.given, 1.0)))
    store, _ = crawled(job, flat, as_in_the_table(job, flat))
    urls = list(relevance_of(store, bench.labels))
    stored = [unpack(content, url) for url, content in zip(urls, store.contents(urls), strict=True)]
    good = {url for url in urls if is_result(bench.labels, url)}
    given = [_judged_by(job, one, stored) for one in (bench, flat)]
    precisions = [average_precision(scores, good) for scores in given]
    for one, scores in zip((flat, bench), reversed(given), strict=True):
        found = {each.feature: each.proposed for each in weigh(one.about.topic, weighed_pages(one, store, scores))}
        by_pages = with_ontology(bench, weighted(one.about.ontology, found))
        precisions.append(average_precision(_judged_by(job, by_pages, stored), good))
    return precisions


def _judged_by(job: Job, bench: Bench, pages: Sequence[Page]) -> dict[str, float]:
    """The relevance of pages that are all judged by one ontology."""
    understanding = as_in_the_table(job, bench)
    frames = [understanding.analyst.frame(page, b"") for page in pages]
    scores = {}
    for first in range(0, len(frames), AT_ONCE):
        for one in understanding.understand_frames(frames[first : first + AT_ONCE], links=False):
            scores[one.frame.url] = one.relevance.score
    bring_up_to_date(scores, understanding)
    return scores


def tell_weights(chosen: Sequence[str], pages: int) -> None:
    """Measure and write the table."""
    head = ["task", "the expert's", "all 1", "`weigh` from all 1", "`weigh` from the expert's"]
    rows: list[tuple[str, list[float]]] = []
    for task in chosen:
        rows.append((task, weights(task, pages)))
        command = f"`python -m benchmarks.proposals --weights --pages {pages}`"
        text = f"# Weights from pages\n\n{command}: average precision of relevance, by the task's labels.\n\n"
        means = [fmean(column) for column in zip(*(values for _, values in rows), strict=True)]
        cells = [[name, *(f"{value:.3f}" for value in values)] for name, values in [*rows, ("**mean**", means)]]
        WEIGHTS.write_text(text + table(head, cells), "utf-8")
        print(*cells[-2], flush=True)


def layers(task: str, pages: int) -> tuple[list[tuple[float, int]], list[Proposal]]:
    """What `ontology-links` reaches, and the words; see the module's text."""
    bench = bench_of(task, pages, OUT / "cache")
    job = Job(task, "fused", 1, pages)
    store, _ = crawled(job, bench, as_in_the_table(job, bench))
    read = with_assumed(pages_of(store))
    found = layer_words(read, results_of(read), known_keys(bench.about.lexicon), most=FIRST)
    return [
        _links_reach(Job(task, "ontology-links", 1, pages, Variant(parameters=parameters)), one)
        for one in (bench, with_layers(bench, found))
        for parameters in ((), MILD)
    ], found


def with_layers(bench: Bench, words: Sequence[Proposal]) -> Bench:
    """The same task with these words as a class of each layer."""
    concepts = dict(bench.about.ontology.concepts)
    for layer, kind in enumerate(LAYERS, 1):
        labels = tuple(Label(one.term, one.language) for one in words if one.kind is kind)
        concepts[kind.value] = Concept(kind.value, "class", labels, (), layer=layer)
    return with_ontology(bench, replace(bench.about.ontology, concepts=concepts))


def _links_reach(job: Job, bench: Bench) -> tuple[float, int]:
    store, progress = crawled(job, bench, as_in_the_table(job, bench))
    return share_of(job, bench, store, progress), progress.pages


def tell_layers(chosen: Sequence[str], pages: int) -> None:
    """Measure and write the table and the words."""
    head = ["task", "as it is", "with words", "as it is, `alpha` 1", "with words, `alpha` 1"]
    rows: list[tuple[str, list[tuple[float, int]]]] = []
    said: list[str] = []
    for task in chosen:
        ((plain, mild, with_words, with_mild), first) = layers(task, pages)
        rows.append((task, [plain, with_words, mild, with_mild]))
        said += [
            f"- {task}, {kind.value}: {', '.join(one.term for one in first if one.kind is kind)}" for kind in LAYERS
        ]
        cells = [[name, *(f"{share:.3f} ({count:,})" for share, count in values)] for name, values in rows]
        means = [fmean(share for share, _ in column) for column in zip(*(values for _, values in rows), strict=True)]
        cells.append([f"**mean** ({len(rows)})", *(f"{mean:.3f}" for mean in means)])
        command = f"`python -m benchmarks.proposals --layers --pages {pages}`, commit {commit_now()}"
        text = f"# Words of layers\n\n{command}: share of the oracle (pages fetched) by `ontology-links`.\n\n"
        OF_LAYERS.write_text("\n".join([text + table(head, cells), "", *said, ""]), "utf-8")
        print(*cells[-2], flush=True)
    print(*cells[-1])


def read_kept() -> dict[str, str]:
    """Task and term -> `keep` or `no`, as a person judged."""
    if not KEPT.exists():
        return {}
    with KEPT.open(encoding="utf-8", newline="") as file:
        return {f"{task}\t{same_word_key(term)}": said for task, term, said in csv.reader(file, delimiter="\t")}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tasks", nargs="*", default=[""])
    parser.add_argument("--pages", type=int, default=1000)
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--starts", action="store_true")
    parser.add_argument("--weights", action="store_true")
    parser.add_argument("--layers", action="store_true")
    given = parser.parse_args()
    if not WEBS.is_dir():
        sys.exit(f"{WEBS} is missing: archived webs must lie beside the checkout (see benchmarks/README.md)")
    chosen, found, kept = tasks(given.tasks), [], read_kept()
    if given.starts:
        tell_starts(chosen)
        return
    if given.weights:
        tell_weights(chosen, given.pages)
        return
    if given.layers:
        tell_layers(chosen, given.pages)
        return
    for task in chosen:
        found.append(measure(task, given.pages, given.seeds, kept))
        print(*_row(task, found[-1:]), flush=True)
        REPORT.write_text(report(found, given.pages, given.seeds), "utf-8")


if __name__ == "__main__":
    main()
