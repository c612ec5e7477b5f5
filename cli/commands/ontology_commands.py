"""The commands `ontocrawl ontology check`, `show`, `match`, `coverage`, `suggest` and `weigh`."""

from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from cli.commands.store_commands import Store
from cli.settings import DEFAULT_SEGMENTER
from cli.store_option import DEFAULT_STORE
from ontology.errors import SettingsError

ontology_app = typer.Typer(
    help="Begin, check, show, try out and extend an ontology.", no_args_is_help=True, rich_markup_mode="rich"
)

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
    from cli.ontologies.inspecting_files import check as run

    raise typer.Exit(run(file, store, reason=reason, iris=iris, as_json=as_json))


@ontology_app.command("show", epilog="\b\nExample:\n  ontocrawl ontology show topic.owl")
def show_ontology(
    file: File, generations: Generations = None, reason: Reason = False, iris: Iris = False, as_json: Json = False
) -> None:
    """Show the concepts as a tree, with weights and words."""
    from cli.ontologies.inspecting_files import show_concepts

    show_concepts(file, generations, reason=reason, iris=iris, as_json=as_json)


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
    ] = DEFAULT_SEGMENTER,
    store: Annotated[
        str | None, typer.Option(metavar="DIR", help="Also show the relevance that this crawl gives.")
    ] = None,
    as_json: Json = False,
) -> None:
    """Find the ontology's words in a text: the longest match, without overlaps."""
    from cli.ontologies.inspecting_files import match as run

    run(
        file,
        text,
        store,
        generations=generations,
        segmenter=segmenter,
        reason=reason,
        iris=iris,
        as_json=as_json,
    )


@ontology_app.command(epilog="\b\nExample:\n  ontocrawl ontology coverage --store ./ontocrawl-store")
def coverage(
    store: Store = DEFAULT_STORE,
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
  ontocrawl ontology suggest --languages --from cedict_ts.u8 --store ./ontocrawl-store --review

Terms of the pages on topic that the ontology lacks, each with its place; words that mislead; features that are too
general. Your marks (mark, review) count more than the judge's verdicts.

With --layers instead words for oc:layer 1 and 2: those in and around the links that lead from pages one and two links
before the crawl's results, or before the pages that --examples marks as good, a step nearer to these.

With --from another source proposes instead: a SKOS or OWL file, synonyms in the format of Cilin, CC-CEDICT, WordNet or
HowNet as far as they are on this machine. With --ontology no crawl is asked; else the pages that say each are told.

With --languages instead names in the language of most pages, up to three for each concept that has none: terms of the
pages that stand in brackets beside one of its names, that the dictionary of --from has, or that mean about the same."""
)
def suggest(  # noqa: PLR0913, PLR0917 - typer reads the options from the signature
    store: Store = DEFAULT_STORE,
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
    languages: Annotated[
        bool, typer.Option("--languages", help="Propose names in the pages' language instead.")
    ] = False,
    as_json: Json = False,
) -> None:
    """Propose what the ontology lacks, from the pages of a crawl or from another source."""
    if layers and (languages or source is not None):
        raise SettingsError("--layers does not go with --from or --languages", "use one of them at a time")
    if examples is not None and not layers:
        raise SettingsError("--examples goes with --layers", "add --layers, or leave --examples out")
    if source is not None and not languages:
        from cli.ontologies.suggesting_from_sources import run as run_from

        raise typer.Exit(run_from(source, store, ontology, out, most, one_by_one=review, as_rows=as_json))
    if ontology is not None:
        raise SettingsError("--ontology goes with --from", "the crawl of --store has an ontology of its own")
    from cli.ontologies.suggesting import proposed, run

    propose = partial(proposed, most=most)
    if languages:
        from cli.ontologies.suggesting_languages import proposed_names

        propose = partial(proposed_names, most=most, source=source)
    elif layers:
        from cli.ontologies.suggesting_layers import marked_results, proposed_layers

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
    store: Store = DEFAULT_STORE,
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
