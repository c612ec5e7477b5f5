"""What `ontology suggest --languages` finds of names that were taken out, and how many of its proposals are right.

    python -m benchmarks.names_lab [--pages 1000] [--tasks WEB/,WEB/TASK] [--dictionary cedict_ts.u8]

Each task is crawled in the lab with `fused` and its whole ontology, so that the pages are at hand. Then all labels in
the pages' language are taken out; concepts that have one in the other language remain (archwiki and blogs-a have none:
`names_in_chinese.tsv` has one Chinese name for a concept each, translated without a look at the pages). Proposals are
made by brackets alone, by these and a dictionary, by these and the encoder, and by all.

- A label counts if it stands on one of the pages, if no label that is left has the same form, and if it contains no
  name of its concept that is left (Docker引擎 is found by Docker). Most are no translations of a name that is left:
  of 60 drawn from the Chinese webs 24 are, of 40 from the others 13. So the figures of concepts say more.
- A proposal is right if it is a label of its concept that was taken out, or by `names_kept.tsv`, where the one who
  wrote the benchmark has judged; those that nobody has judged are printed, and count as wrong.

Writes `benchmarks/names.md`.
"""

import csv
from collections import defaultdict
from collections.abc import Mapping, Sequence, Set
from dataclasses import replace
from functools import cache, partial
from pathlib import Path

from benchmarks.lab_runs import Job, bench_of, commit_now, crawl_task, side_by_side, tasks
from benchmarks.options import options
from benchmarks.orders_tables import put, table
from benchmarks.proposals import CHINESE, forms_of, pages_of, with_ontology
from ontology.concepts import Label, Ontology
from ontology.lexicon.surface_forms import same_word_key
from ontology.proposals.proposal import Proposal
from ontology.thesauri.entries import language_of
from ontology.thesauri.source_reading import read_source
from semantic.candidates.phrase_counts import pages_with
from semantic.candidates.token_stream import TokenStream, joined
from semantic.languages.sentence_encoder import find_encoder
from semantic.proposals.names_in_language import NameSearch, best, wanting
from semantic.proposals.suggestions import with_assumed

TUNED = ("linuxcn/", "archwiki/networking", "blogs-a/film_tv")
WEBS = "linuxcn/,zhblogs/,archwiki/networking,archwiki/security,blogs-a/film_tv,blogs-a/food"
REPORT, KEPT, CHINESE_NAMES = (
    Path(__file__).with_name(name) for name in ("names.md", "names_kept.tsv", "names_in_chinese.tsv")
)
WAYS = ("brackets", "dictionary", "meaning", "all")


def spoken(label: Label) -> str:
    """The primary tag of a label's language."""
    return (label.language or language_of(label.text)).partition("-")[0].lower()


def without(ontology: Ontology, language: str, task: str) -> tuple[Ontology, dict[str, list[Label]]]:
    """The ontology without its labels in this language, and these, by concept."""
    left, gone = {}, {}
    for iri, concept in ontology.concepts.items():
        gone[iri] = [one for one in concept.labels if spoken(one) == language and one.kind in ("name", "synonym")]
        others = tuple(one for one in concept.labels if spoken(one) != language)
        name = chinese_names().get((task, iri.partition("#")[2]))
        left[iri] = replace(concept, labels=(*others, Label(name, "zh")) if name else others)
    return replace(ontology, concepts=left), gone


@cache
def chinese_names() -> dict[tuple[str, str], str]:
    """Task and concept -> a Chinese name."""
    with CHINESE_NAMES.open(encoding="utf-8", newline="") as file:
        return {(task, concept): name for task, concept, name in csv.reader(file, delimiter="\t")}


@cache
def kept() -> dict[tuple[str, str, str], str]:
    """Task, concept and term (its words as `joined`) -> `keep` or `no`, as a person judged."""
    with KEPT.open(encoding="utf-8", newline="") as file:
        rows = csv.reader(file, delimiter="\t", quoting=csv.QUOTE_NONE)
        return {(task, concept, term): said for task, concept, term, said in rows}


def looked_for(
    ontology: Ontology, gone: Mapping[str, Sequence[Label]], search: NameSearch
) -> dict[str, list[set[str]]]:
    """Concept -> the forms of each label that counts. `ontology`: what is left."""
    concepts = ontology.concepts
    left = {form for one in concepts.values() for label in one.labels for form in forms_of(label.text, label.language)}
    stream, counted, found = TokenStream(), search.counted, {}
    for iri, labels in gone.items():
        own = [same_word_key(label.text) for label in concepts[iri].labels]
        forms = [forms_of(label.text, label.language) for label in labels]
        keys = [set(map(joined, stream.words_of(sorted(each)))) for each in forms if not each & left]
        found[iri] = [each for each in keys if not any(name in key for name in own for key in each)]
    every = sorted({key for keys in found.values() for each in keys for key in each})
    pages = pages_with(counted.stream.numbers(every), counted.rows, counted.singular)
    said = {key for key, there in zip(every, pages, strict=True) if len(there)}
    found = {iri: [each for each in keys if each & said] for iri, keys in found.items()}
    return {iri: keys for iri, keys in found.items() if keys}


def names(task: str, pages: int, dictionary: str) -> dict[str, dict[str, int]]:
    """The figures of each way."""
    whole = bench_of(task, pages)
    language = "zh" if task.startswith(CHINESE) else "en"
    ontology, gone = without(whole.about.ontology, language, task)
    about = with_ontology(whole, ontology).about
    read = with_assumed(pages_of(crawl_task(Job(task, "fused", 1, pages), whole)))
    search = NameSearch(about.lexicon, read, language)
    lacking = wanting(ontology, about.topic, language)
    wanted = looked_for(ontology, {iri: gone[iri] for iri in lacking}, search)
    source, encoder = partial(read_source, dictionary) if dictionary else None, find_encoder()
    ways = ((None, None), (source, None), (None, encoder), (source, encoder))
    return {
        name: figures_of(task, wanted, search.proposals(best(search.connected(lacking, *way))))
        for name, way in zip(WAYS, ways, strict=True)
    }


def figures_of(task: str, wanted: Mapping[str, Sequence[Set[str]]], proposals: Sequence[Proposal]) -> dict[str, int]:
    """Labels that count and those found; concepts with one, those where one is found, and those with any right
    proposal; proposals, and those that are right.
    """
    stream, unjudged = TokenStream(), 0
    right: list[str] = []
    proposed: dict[str, set[str]] = defaultdict(set)
    for one in proposals:
        iri = one.concept or ""
        key = joined(stream.words_of([one.term])[0])
        proposed[iri].add(key)
        said = kept().get((task, iri.partition("#")[2], key))
        is_label = any(key in forms for forms in wanted.get(iri, ()))
        right += [iri] * (is_label or said == "keep")
        if not is_label and said is None:
            unjudged += 1
            print(f"{task}\t{iri.partition('#')[2]}\t{key}\tkeep or no?", flush=True)
    found = {iri: [not forms.isdisjoint(proposed[iri]) for forms in labels] for iri, labels in wanted.items()}
    return {
        "labels": sum(map(len, found.values())),
        "found": sum(map(sum, found.values())),
        "concepts": len(found),
        "with one found": sum(map(any, found.values())),
        "with a right one": len(found.keys() & right),
        "proposals": sum(map(len, proposed.values())),
        "right": len(right),
        "unjudged": unjudged,
    }


def cells(figures: Mapping[str, int]) -> list[float]:
    """The figures, and the shares that they make."""
    labels, found, concepts, _, served, proposals, right, _ = figures.values()
    return [*figures.values(), found / max(1, labels), served / max(1, concepts), right / max(1, proposals)]


def main() -> None:
    given = options(__doc__, tasks=WEBS, pages=1000, processes=1, dictionary="")
    measure = partial(names, pages=given.pages, dictionary=given.dictionary)
    found = {}
    for task, figures in side_by_side(measure, tasks(given.tasks), given.processes):
        found[task] = figures
        print(task, figures["all"], flush=True)
    rows: list[list[object]] = []
    for name, some in (("tuned on", True), ("apart", False)):
        chosen = [task for task in sorted(found) if task.startswith(TUNED) == some]
        rows += [[task, "all", *cells(found[task]["all"])] for task in chosen]
        for way in WAYS if chosen else ():
            sums = {column: sum(found[task][way][column] for task in chosen) for column in found[chosen[0]][way]}
            rows.append([f"**{name}** ({len(chosen)})", way, *cells(sums)])
    head = ["task", "by", *next(iter(found.values()))["all"], "labels found", "concepts with a right one", "precision"]
    source = f" --dictionary {Path(given.dictionary).name}" if given.dictionary else ""
    command = f"`python -m benchmarks.names_lab --pages {given.pages}{source}`, commit {commit_now()}"
    put(REPORT, "names", f"{command}\n\n{table(head, rows)}")


if __name__ == "__main__":
    main()
