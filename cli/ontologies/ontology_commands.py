"""`ontocrawl ontology check|show|match|suggest`: what an ontology says, and what it lacks."""

import json
import sys
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from cli.render.answer_tables import as_table
from cli.render.language import as_told, later, tr
from cli.render.terminal import CONTROLS, one_line, say, show
from cli.settings import DEFAULT_STORE, STORE_HELP
from ontology.errors import OntocrawlError, OntologyError, SettingsError
from ontology.file_failures import refusal

if TYPE_CHECKING:
    from rich.text import Text

    from ontology.concepts import Finding, Ontology
    from ontology.inspection.concept_captions import Captions
    from ontology.inspection.concept_tree import ConceptBranch
    from ontology.lexicon.lexicon import Lexicon
    from semantic.terms.term_matching import Matcher

ontology_app = typer.Typer(
    help="Begin, check, show, try out and extend an ontology.", no_args_is_help=True, rich_markup_mode="rich"
)

# figures of a file
NAMED = (
    later("format"),
    later("classes"),
    later("concepts"),
    later("individuals"),
    later("imported"),
    later("labels"),
)
SHOWN = 3  # findings of one code shown in the table before they are summed up; --json shows all
# words of a concept shown in the tree
WORDS_SHOWN = 8

File = Annotated[Path, typer.Argument(metavar="FILE", help="The ontology, as Protégé saves it (any syntax).")]
Json = Annotated[bool, typer.Option("--json", help="Print JSON for programs.")]
Reason = Annotated[
    bool, typer.Option("--reason", help="First run a reasoner (needs Java) that classifies the defined classes.")
]
Iris = Annotated[bool, typer.Option("--iris", help="Always print IRIs, not only where a label is ambiguous.")]
Generations = Annotated[
    int | None, typer.Option(min=0, metavar="N", help="Count hyponyms down to this number of steps below a feature.")
]


@ontology_app.command(
    epilog="""\b
Examples:
  ontocrawl ontology check topic.owl
  ontocrawl ontology check topic.owl --store ./ontocrawl-store

With --store it also reports what a crawl's pages show about its words (W3..); nothing is written. docs/checks.md
explains every code."""
)
def check(
    file: File,
    reason: Reason = False,
    iris: Iris = False,
    store: Annotated[str | None, typer.Option(metavar="DIR", help="Examine the pages of this crawl, too.")] = None,
    as_json: Json = False,
) -> None:
    """Find problems of an ontology, and how to correct them.

    Exit code: 0 nothing or only warnings (W...), 1 errors (E...), 2 the file cannot be read.
    """
    from cli.inputs.concept_names import chosen_language
    from ontology.inspection.checks import check as findings_of
    from ontology.loading.ontology_reader import read_ontology
    from semantic.segmentation.word_segmentation import common_characters

    ontology = read_ontology(file, reason=reason)
    spoken = chosen_language(None, ontology)
    findings = findings_of(ontology, common_characters(), iris=iris, language=spoken)
    errors = sum(finding.code.startswith("E") for finding in findings)
    if store and errors:
        say(tr("the crawl is not examined before these errors are corrected"))
    elif store:
        from cli.ontologies.crawl_checks import findings as told_by_crawl

        findings += told_by_crawl(store, file, reason=reason, iris=iris)
    if as_json:
        _print_json(
            {
                "errors": errors,
                "warnings": len(findings) - errors,
                "findings": [_finding_as_dict(finding) for finding in findings],
            }
        )
    else:
        _print_findings(findings)
        show(
            tr(
                "{file}: errors {errors}, warnings {number}",
                file=file.name,
                errors=errors,
                number=len(findings) - errors,
            )
        )
    raise typer.Exit(1 if errors else 0)


@ontology_app.command("show", epilog="\b\nExample:\n  ontocrawl ontology show topic.owl")
def show_ontology(
    file: File, generations: Generations = None, reason: Reason = False, iris: Iris = False, as_json: Json = False
) -> None:
    """Show the concepts as a tree, with weights and words."""
    from cli.inputs.concept_names import chosen_language
    from ontology.inspection.checks import usable_topic
    from ontology.inspection.concept_captions import Captions
    from ontology.inspection.concept_tree import build_tree
    from ontology.lexicon.lexicon import build_lexicon
    from ontology.loading.ontology_reader import read_ontology

    ontology = read_ontology(file, reason=reason)
    topic = usable_topic(ontology)
    try:
        tree = build_tree(ontology, topic, build_lexicon(ontology, topic, generations))
    except OntologyError as error:
        say(tr("warning: {error}\n  try: {cure}", error=error, cure=as_told(error.cure)))
        tree = build_tree(ontology, topic, None)
    if as_json:
        _print_json({**_figures(ontology), "tree": [_as_dict(branch) for branch in tree]})
    else:
        for name, value in _figures(ontology).items():
            show(f"{tr(name)}: {_in_words(value)}")
        _print_tree(tree, Captions(ontology, iris=iris, language=chosen_language(None, ontology)))


@ontology_app.command(
    epilog="""\b
Examples:
  ontocrawl ontology match topic.owl page.txt
  cat page.txt | ontocrawl ontology match topic.owl - --json
  ontocrawl ontology match topic.owl page.html --store ./ontocrawl-store
  ontocrawl ontology match topic.owl https://example.org/page.html --store ./ontocrawl-store

With --store it also tells the relevance that the crawl gives, with its settings, statistics and marks: of a page of the
crawl what the record says, of another text as if it came now. Nothing is written, and nothing is learned."""
)
def match(  # noqa: PLR0913, PLR0917 - typer reads the options from the signature
    file: File,
    text: Annotated[
        str,
        typer.Argument(
            metavar="TEXTFILE|-",
            help="The text (UTF-8, UTF-16 or GB18030); - for standard input. With --store also HTML, PDF, an address.",
        ),
    ],
    generations: Generations = None,
    reason: Reason = False,
    iris: Iris = False,
    segmenter: Annotated[
        str, typer.Option(metavar="NAME", help="How Chinese is split into words: dictionary, hanlp, or hanlp:DIR.")
    ] = "dictionary",
    store: Annotated[
        str | None, typer.Option(metavar="DIR", help="Also show the relevance that this crawl gives.")
    ] = None,
    as_json: Json = False,
) -> None:
    """Find the ontology's words in a text: the longest match, without overlaps."""
    from cli.inputs.concept_names import chosen_language
    from ontology.inspection.checks import usable_topic
    from ontology.inspection.concept_captions import Captions
    from ontology.lexicon.lexicon import build_lexicon
    from ontology.loading.ontology_reader import read_ontology
    from semantic.segmentation.word_segmentation import open_segmenter
    from semantic.terms.term_matching import Matcher

    weighed = None
    if "://" in text and not store:
        raise SettingsError(tr("{text} is an address", text=text), "name the crawl that has this page: --store DIR")
    if store:
        from cli.ontologies.page_weighing import weigh

        weighed = weigh(store, file, text, _read)
        given = weighed.settings
        generations, reason, segmenter = given.generations, given.reason, given.segmenter
    ontology = read_ontology(file, reason=reason)
    lexicon = build_lexicon(ontology, usable_topic(ontology), generations)
    written = weighed.text if weighed else _read_text(text)
    mentions = _mentions(lexicon, Matcher(lexicon, open_segmenter(segmenter, lexicon)), written)
    if as_json:
        for mention in mentions:
            _print_json(mention)
        if weighed:
            _print_json(weighed.as_dict())
    else:
        captions = Captions(ontology, iris=iris, language=chosen_language(None, ontology))
        rows = [_as_row(mention, captions) for mention in mentions]
        show(as_table(rows) if rows else tr("no word of the ontology stands in this text"))
        if weighed:
            show("\n".join(["", *weighed.lines(is_named=bool(mentions))]))


@ontology_app.command(epilog="\b\nExample:\n  ontocrawl ontology coverage --store ./ontocrawl-store")
def coverage(
    store: Annotated[str, typer.Option(metavar="DIR", help=STORE_HELP)] = DEFAULT_STORE,
    words: Annotated[
        bool, typer.Option("--words", help="Also list the words that occur on no page; reads all pages.")
    ] = False,
    as_json: Json = False,
) -> None:
    """Show what a crawl has found for each concept, and which concepts no page mentions.

    "too general": its pages are hardly more often on topic than all pages. "no news": no page in the last tenth of the
    crawl mentions it.
    """
    from cli.ontologies.coverage import run

    run(store, words=words, as_json=as_json)


@ontology_app.command(
    epilog="""\b
Examples:
  ontocrawl ontology suggest --store ./ontocrawl-store
  ontocrawl ontology suggest --store ./ontocrawl-store --most 20 -o proposals.owl
  ontocrawl ontology suggest --store ./ontocrawl-store --most 20 --review
  ontocrawl ontology suggest --layers --store ./ontocrawl-store --most 20 -o proposals.owl
  ontocrawl ontology suggest --from thesaurus.ttl --store ./ontocrawl-store -o proposals.owl
  ontocrawl ontology suggest --from wordnet --ontology topic.owl

Terms of the pages on topic that the ontology lacks, each with its place; words that mislead; features that are too
general. Your marks (mark, review) count more than the judge's verdicts.

With --layers instead words for oc:layer 1 and 2: those in and around the links that lead from pages one and two links
before the crawl's results, or before the pages that --examples marks as good, a step nearer to these.

With --from another source proposes instead: a SKOS or OWL file, synonyms in the format of Cilin, CC-CEDICT, WordNet or
HowNet as far as they are on this machine. With --ontology no crawl is asked; else the pages that say each are told."""
)
def suggest(  # noqa: PLR0913, PLR0917 - typer reads the options from the signature
    store: Annotated[str, typer.Option(metavar="DIR", help="Whose pages are read.")] = DEFAULT_STORE,
    out: Annotated[
        Path | None, typer.Option("-o", "--out", metavar="FILE", help="Write the proposals as an ontology.")
    ] = None,
    most: Annotated[
        int, typer.Option(min=1, metavar="N", help="Maximum number of terms; with --layers, of each layer.")
    ] = 50,
    review: Annotated[
        bool, typer.Option("--review", help="Ask about each proposal, and write accepted ones into your ontology.")
    ] = False,
    source: Annotated[
        str | None,
        typer.Option(
            "--from", metavar="FILE|wordnet|hownet", help="Take proposals from this source instead of the pages."
        ),
    ] = None,
    ontology: Annotated[
        Path | None, typer.Option(metavar="FILE", help="With --from: propose for this file, without a crawl.")
    ] = None,
    layers: Annotated[bool, typer.Option("--layers", help="Propose words of the predecessor layers instead.")] = False,
    examples: Annotated[
        Path | None, typer.Option(metavar="FILE", help="With --layers: the results are the pages marked good here.")
    ] = None,
    as_json: Json = False,
) -> None:
    """Propose what the ontology lacks, from the pages of a crawl or from another source."""
    if layers and source is not None:
        raise SettingsError("--layers does not go with --from", "a source has no links; leave one of the two out")
    if examples is not None and not layers:
        raise SettingsError("--examples goes with --layers", "add --layers, or leave --examples out")
    if source is not None:
        from cli.ontologies.suggesting_from_sources import run as run_from

        raise typer.Exit(run_from(source, store, ontology, out, most, one_by_one=review, as_rows=as_json))
    if ontology is not None:
        raise SettingsError("--ontology goes with --from", "the crawl of --store has an ontology of its own")
    from cli.ontologies.suggesting import proposed, run
    from cli.ontologies.suggesting_layers import marked_results, proposed_layers

    propose = partial(proposed, most=most)
    if layers:
        propose = partial(proposed_layers, most=most, marked=marked_results(examples) if examples else frozenset())
    raise typer.Exit(run(store, out, propose, one_by_one=review, as_rows=as_json))


@ontology_app.command(
    epilog="""\b
Examples:
  ontocrawl ontology weigh --store ./ontocrawl-store
  ontocrawl ontology weigh --store ./ontocrawl-store -o weights.owl
  ontocrawl ontology accept weights.owl --into topic.owl

The weight of a feature is how often pages that mention it are on topic. Your marks (mark, review) count five times as
much as the judge's verdicts, which depend on the weights of now: mark some pages first. Words of layers, and concepts
that are no features, have no weight."""
)
def weigh(
    store: Annotated[str, typer.Option(metavar="DIR", help="Whose pages are read.")] = DEFAULT_STORE,
    out: Annotated[
        Path | None, typer.Option("-o", "--out", metavar="FILE", help="Write the new weights as proposals.")
    ] = None,
    review: Annotated[
        bool, typer.Option("--review", help="Ask about each proposal, and write accepted ones into your ontology.")
    ] = False,
    as_json: Json = False,
) -> None:
    """Propose oc:weight for each feature, from the pages of a crawl."""
    from cli.ontologies.weighing import run

    raise typer.Exit(run(store, out, one_by_one=review, as_rows=as_json))


def _mentions(lexicon: "Lexicon", matcher: "Matcher", text: str) -> list[dict[str, object]]:
    return [
        {
            "concept": sense.concept,
            "term": text[hit.start : hit.end],
            "start": hit.start,
            "end": hit.end,
            "generation": sense.generation,
            "feature": sense.features[0][0] if sense.features else None,
            "layer": sense.layer,
            **({"related": sense.related} if sense.related else {}),
        }
        for hit in matcher.find(text)
        for sense in {s.concept: s for word in hit.words for s in lexicon.words[word].senses}.values()
    ]


def _as_row(mention: Mapping[str, Any], captions: "Captions") -> dict[str, object]:
    """A mention as a table row: for which feature or layer it counts, and how many steps it is below the feature."""
    feature, layer = mention["feature"], mention["layer"]
    counts = captions.label(str(feature)) if feature else tr("layer {layer}", layer=layer) if layer else tr("nothing")
    if "related" in mention:
        related, fraction = mention["related"]
        counts = tr("{fraction:g} of {label}", fraction=fraction, label=captions.label(related))
    return {
        tr("concept"): captions.of(str(mention["concept"])),
        tr("term"): mention["term"],
        tr("start"): mention["start"],
        tr("end"): mention["end"],
        tr("counts for"): counts,
        tr("steps"): mention["generation"] if feature else None,
    }


def _read(name: str) -> bytes:
    if name == "-":
        return sys.stdin.buffer.read()
    try:
        return Path(name).read_bytes()
    except OSError as error:
        raise OntocrawlError(*refusal(name, error, "name a text file, or - for standard input")) from None


def _read_text(name: str) -> str:
    from ontology.syntaxes.syntax_detection import check_text
    from ontology.syntaxes.text_decoding import decode

    text = decode(_read(name)).text
    check_text(name if name != "-" else tr("standard input"), text, "name a text file, or - for standard input")
    return text


def _figures(ontology: "Ontology") -> dict[str, Any]:
    """Counts of the file itself; `labels`: by language (untagged: "") of everything that was read."""
    labels = Counter(
        label.language or "" for c in ontology.concepts.values() for label in c.labels if label.kind == "name"
    )
    return {
        "format": ontology.format,
        "classes": ontology.classes,
        "concepts": ontology.skos_concepts,
        "individuals": ontology.individuals,
        "imported": list(ontology.imported),
        "labels": dict(sorted(labels.items())),
    }


def _as_dict(branch: "ConceptBranch") -> dict[str, Any]:
    fields: dict[str, Any] = {
        "iri": branch.concept.iri,
        "label": branch.concept.label,
        "weight": branch.weight,
        "words": list(branch.words),
        "narrower": [_as_dict(below) for below in branch.narrower],
    }
    if branch.layer is not None:
        fields["layer"] = branch.layer
    if branch.again:
        fields["again"] = True
    return fields


def _in_words(value: object) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{count} {language or tr('untagged')}" for language, count in value.items()) or tr("none")
    if isinstance(value, list):
        return one_line(", ".join(value)) or tr("none")
    return str(value)


def _print_tree(trees: "Sequence[ConceptBranch]", captions: "Captions") -> None:
    from rich.console import Console
    from rich.tree import Tree

    console = Console(soft_wrap=True)
    for branch in trees:
        root = Tree(_line(branch, captions))
        waiting = [(branch, root)]
        while waiting:
            above, place = waiting.pop()
            waiting += [(below, place.add(_line(below, captions))) for below in above.narrower]
        console.print(root)


def _line(branch: "ConceptBranch", captions: "Captions") -> "Text":
    from rich.text import Text

    line = Text(one_line(captions.of(branch.concept.iri)), style="bold" if branch.weight is not None else "")
    if branch.weight is not None:
        line.append(tr("  weight {weight:g}", weight=branch.weight), style="green")
    if branch.layer is not None:
        line.append(tr("  layer {layer}", layer=branch.layer), style="yellow")
    if branch.concept.deprecated:
        line.append(tr("  deprecated"), style="red")
    if branch.again:
        return line.append(tr("  (see above)"), style="dim")
    label = captions.label(branch.concept.iri)
    others = [one_line(word, 40) for word in branch.words if word != label]
    more = tr(" and {number} more", number=len(others) - WORDS_SHOWN) if len(others) > WORDS_SHOWN else ""
    return line.append(f"  {', '.join(others[:WORDS_SHOWN])}{more}" if others else "", style="dim")


def _finding_as_dict(finding: "Finding") -> dict[str, object]:
    fields = {"code": finding.code, "message": finding.message, "cure": finding.cure, "line": finding.line}
    return {**fields, "concepts": list(finding.concepts)}


def _print_findings(findings: "Iterable[Finding]") -> None:
    """Print findings as one table, summing up many of one code."""
    from rich.console import Console
    from rich.table import Column, Table
    from rich.text import Text

    from ontology.inspection.checks import summed

    table = Table(tr("code"), tr("line"), Column(tr("what"), overflow="fold"), Column(tr("cure"), overflow="fold"))
    for finding in summed(findings, SHOWN):
        line = "" if finding.line is None else str(finding.line)
        table.add_row(
            *(Text(one_line(cell)) for cell in (finding.code, line, as_told(finding.message), as_told(finding.cure)))
        )
    if table.rows:
        Console().print(table)


def _print_json(value: Mapping[str, object]) -> None:
    """Print one line. Control characters, and what the terminal cannot encode, become JSON escapes."""
    is_unicode = (sys.stdout.encoding or "").lower().startswith("utf")
    text = json.dumps(value, ensure_ascii=not is_unicode)
    print(CONTROLS.sub(lambda match: f"\\u{ord(match[0]):04x}", text))
