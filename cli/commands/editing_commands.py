"""The commands `ontocrawl ontology accept`, `new` and `diff`."""

from pathlib import Path
from typing import Annotated

import typer

from cli.commands.ontology_commands import Json

editing_app = typer.Typer()


@editing_app.command(
    epilog="""\b
Example:
  ontocrawl ontology accept proposals.owl --into topic.owl

Review the proposals in Protégé first: delete a class to refuse it, drag it to another place, edit its label. The
brackets in a label say what it becomes: (synonym?), (related?), (misleading?) ...; without brackets a class.

The file keeps its syntax and everything in it; the former version is kept beside it (.bak). Refused proposals are
recorded in it (oc:refused) and not proposed again. docs/ontologies.md has more."""
)
def accept(
    proposals: Annotated[Path, typer.Argument(metavar="PROPOSALS", help="The file of proposals after your review.")],
    into: Annotated[Path, typer.Option(metavar="FILE", help="The ontology to change.")],
    as_json: Json = False,
) -> None:
    """Write accepted proposals into your ontology."""
    from cli.ontologies.editing_files import accept as run

    run(proposals, into, as_json=as_json)


@editing_app.command(
    epilog="""\b
Examples:
  ontocrawl ontology new tea --label tea --label "茶@zh"
  ontocrawl ontology new tea --label tea --lang zh,en -o topic.owl

The file has all annotation properties, a root class, and two example classes to rename in Protégé."""
)
def new(
    name: Annotated[str, typer.Argument(metavar="NAME", help="A word for the topic, from which IRIs are made.")],
    label: Annotated[
        list[str] | None,
        typer.Option(metavar="TEXT[@TAG]", help="A name of the topic, with its language. May be repeated."),
    ] = None,
    lang: Annotated[
        str | None, typer.Option(metavar="TAG,TAG", help="Languages of the examples.", show_default="of the labels")
    ] = None,
    out: Annotated[
        Path | None, typer.Option("--out", "-o", metavar="FILE", help="The file to write.", show_default="NAME.owl")
    ] = None,
) -> None:
    """Create an ontology file to continue with in Protégé."""
    from cli.ontologies.editing_files import begin

    begin(name, label or [], lang, out)


@editing_app.command(
    epilog="""\b
Examples:
  ontocrawl ontology diff topic.owl.bak topic.owl
  ontocrawl ontology diff old.ttl topic.owl --store ./ontocrawl-store

It compares concepts, names, parents, weights and layers, in any two syntaxes."""
)
def diff(
    old: Annotated[Path, typer.Argument(metavar="OLD", help="The old version of the ontology.")],
    new: Annotated[Path, typer.Argument(metavar="NEW", help="The new version of the ontology.")],
    store: Annotated[
        str | None,
        typer.Option(
            metavar="DIR", help="Show which pages of this crawl would be gained and lost. Nothing is written."
        ),
    ] = None,
    as_json: Json = False,
) -> None:
    """Show the differences between two versions of an ontology."""
    if store:
        from cli.ontologies.edit_effects import run

        run(store, old, new, as_json=as_json)
    else:
        from cli.ontologies.editing_files import compare

        compare(old, new, as_json=as_json)
