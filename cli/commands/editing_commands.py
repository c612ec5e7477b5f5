"""The commands `ontocrawl ontology accept`, `new` and `diff`."""

from pathlib import Path
from typing import Annotated

import typer

from cli.commands.ontology_commands import Json

editing_app = typer.Typer()


@editing_app.command(
    epilog="""\b
Examples:
  ontocrawl ontology accept proposals.owl --into topic.owl
  ontocrawl ontology accept proposals.ttl --into topic.owl --json

Before that, look through the proposals in Protégé (File > Open; the ontology lies beside them). Each is a class below
the concept that it is about. Delete it to refuse it, drag it to another class, edit its label. The brackets in a label
say what it becomes: (synonym?), (related?), (layer 1?), (layer 2?), (misleading?), (weight?); without brackets it
becomes a class of its own. Save in any syntax.

The ontology keeps its syntax, and all that is in it stays as it was; a copy of before is kept beside it (.bak). What
you deleted is noted there (oc:refused) and not proposed again. To take that back, delete it in Protégé: Entities >
Annotation properties > refused."""
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

The file has all annotation properties, each with a comment, a root class and two examples below it. In Protégé rename
the examples and add classes with their labels. Then see what ontocrawl ontology check says of it."""
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
  ontocrawl ontology diff old.ttl topic.owl --json
  ontocrawl ontology diff topic.owl.bak topic.owl --store ./ontocrawl-store

It tells of concepts, names, parents, weights and layers. Both may be in any syntax. What is the same in other words
(another order, another prefix) is no difference.

With --store all pages of that crawl are judged by both, as rejudge would, and nothing is written: how many are on topic
before and after, which are gained and lost, and how many pages contain what was added or removed."""
)
def diff(
    old: Annotated[Path, typer.Argument(metavar="OLD", help="The old version of the ontology.")],
    new: Annotated[Path, typer.Argument(metavar="NEW", help="The new version of the ontology.")],
    store: Annotated[
        str | None, typer.Option(metavar="DIR", help="Show the effect on the pages of this crawl.")
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
