"""The commands `ontocrawl ontology check`, `show`, `match`, `coverage`, `suggest` and `weigh`."""

from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from cli.commands.store_commands import Store
from cli.settings import DEFAULT_SEGMENTER, REASON_HELP, SEGMENTER_HELP
from cli.store_option import DEFAULT_STORE
from ontology.errors import SettingsError

ontology_app = typer.Typer(
    help="Begin, check, show, try out and extend an ontology.", no_args_is_help=True, rich_markup_mode="rich"
)

File = Annotated[Path, typer.Argument(metavar="FILE", help="The ontology, as Protégé saves it (any syntax).")]
Json = Annotated[bool, typer.Option("--json", help="Print JSON, for programs.")]
Reason = Annotated[bool, typer.Option("--reason", help=REASON_HELP)]
Iris = Annotated[bool, typer.Option("--iris", help="Print IRIs, too, not only of ambiguous labels.")]
Generations = Annotated[
    int | None, typer.Option(min=0, metavar="N", help="Count a word only if it is at most N steps below a feature.")
]


@ontology_app.command(
    epilog="""\b
Examples:
  ontocrawl ontology check topic.owl
  ontocrawl ontology check topic.owl --store ./ontocrawl-store

docs/checks.md explains every code."""
)
def check(
    file: File,
    reason: Reason = False,
    iris: Iris = False,
    store: Annotated[
        str | None, typer.Option(metavar="DIR", help="Also compare its words with the pages of this crawl.")
    ] = None,
    as_json: Json = False,
) -> None:
    """Find problems of an ontology, and how to correct them.

    Exit code: 0 at most warnings (W...), 1 errors (E...), 2 the file cannot be read.
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
  cat page.txt | ontocrawl ontology match topic.owl -
  ontocrawl ontology match topic.owl https://example.org/page.html --store ./ontocrawl-store

Nothing is written. The relevance of a page of the crawl is that of the record."""
)
def match(  # noqa: PLR0913, PLR0917 - typer reads the options from the signature
    file: File,
    text: Annotated[
        str,
        typer.Argument(
            metavar="TEXTFILE|-",
            help="The text (UTF-8, UTF-16, GB18030); - for standard input. With --store also HTML, PDF, an address.",
        ),
    ],
    generations: Generations = None,
    reason: Reason = False,
    iris: Iris = False,
    segmenter: Annotated[str, typer.Option(metavar="NAME", help=SEGMENTER_HELP)] = DEFAULT_SEGMENTER,
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


@ontology_app.command()
def coverage(
    store: Store = DEFAULT_STORE,
    words: Annotated[bool, typer.Option("--words", help="Also list words that occur on no page.")] = False,
    as_json: Json = False,
) -> None:
    """Show what a crawl has found for each concept, and which concepts no page mentions."""
    from cli.ontologies.coverage import run

    run(store, words=words, as_json=as_json)


@ontology_app.command(
    epilog="""\b
Examples:
  ontocrawl ontology suggest -o proposals.owl
  ontocrawl ontology suggest --review --most 20
  ontocrawl ontology suggest --layers -o proposals.owl
  ontocrawl ontology suggest --from thesaurus.ttl -o proposals.owl
  ontocrawl ontology suggest --from wordnet --ontology topic.owl
  ontocrawl ontology suggest --languages --from cedict_ts.u8 --review

It proposes terms that the ontology lacks, each with its place, words that mislead, and lower weights of features that
are too general. With --languages instead names in the language of most pages, up to three for each concept that has
none there: terms that stand in brackets beside a name, that the dictionary of --from has, or that mean about the same.
docs/ontologies.md explains proposals and --layers, docs/sources.md the sources of --from."""
)
def suggest(  # noqa: PLR0913, PLR0917 - typer reads the options from the signature
    store: Store = DEFAULT_STORE,
    out: Annotated[
        Path | None, typer.Option("-o", "--out", metavar="FILE", help="Write the proposals as an ontology.")
    ] = None,
    most: Annotated[int, typer.Option(min=1, metavar="N", help="At most so many terms (of each layer).")] = 50,
    review: Annotated[
        bool, typer.Option("--review", help="Ask about each proposal, and write what you accept into your ontology.")
    ] = False,
    source: Annotated[
        str | None,
        typer.Option(
            "--from", metavar="FILE|wordnet|hownet", help="Take proposals from this source, not from the pages."
        ),
    ] = None,
    ontology: Annotated[
        Path | None, typer.Option(metavar="FILE", help="With --from: propose for this file, without a crawl.")
    ] = None,
    layers: Annotated[bool, typer.Option("--layers", help="Propose words of the predecessor layers instead.")] = False,
    examples: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="With --layers: take the pages that this file marks good as results."),
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
  ontocrawl ontology weigh -o weights.owl
  ontocrawl ontology accept weights.owl --into topic.owl

The more often pages that mention a feature are on topic, the more it weighs. Your marks count five times: mark some
pages first."""
)
def weigh(
    store: Store = DEFAULT_STORE,
    out: Annotated[
        Path | None, typer.Option("-o", "--out", metavar="FILE", help="Write the new weights as proposals.")
    ] = None,
    review: Annotated[
        bool, typer.Option("--review", help="Ask about each proposal, and write what you accept into your ontology.")
    ] = False,
    as_json: Json = False,
) -> None:
    """Propose oc:weight for each feature, from the pages of a crawl."""
    from cli.ontologies.weighing import run

    raise typer.Exit(run(store, out, one_by_one=review, as_rows=as_json))
