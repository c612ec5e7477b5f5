"""`ontocrawl ontology new|accept|diff`: create an ontology, add accepted proposals to one, compare two."""

import json
import shlex
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cli.ontologies.ontology_commands import Json, ontology_app
from cli.render.language import as_told, locale_language, tr
from cli.render.terminal import one_line, say, show
from ontology.errors import SettingsError

if TYPE_CHECKING:
    from ontology.proposals.accepting import Accepted
    from ontology.proposals.decisions import Term


@ontology_app.command(
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
    from ontology.proposals.accepting import accept as write_kept

    tell_accepted(write_kept(proposals, into, locale_language()), into, as_json=as_json)


def tell_accepted(accepted: "Accepted", into: Path, *, as_json: bool = False) -> None:
    """Print the result of accepted proposals, and the next step."""
    if as_json:
        fields = {**asdict(accepted), "backup": accepted.backup and str(accepted.backup)}
        show(json.dumps(fields, ensure_ascii=False))
        return
    for done in accepted.done:
        show(one_line(as_told(done)))
    for what in accepted.passed_over:
        say(tr("not taken over: {what}", what=one_line(as_told(what))))
    if accepted.backup is None:
        show(tr("{file} stays as it is: there is nothing new to write", file=into.name))
        return
    show(
        tr(
            "{file}: {added} statements added; as it was before: {backup}",
            file=into.name,
            added=accepted.added,
            backup=accepted.backup.name,
        )
    )
    show(tr("Look at it: {command} ontology check {file}", file=shlex.quote(str(into))))


@ontology_app.command(
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
    from ontology.proposals.new_ontology import write_new

    typed, name = name, name.removesuffix(".owl")  # typed as the file's name
    if not label and not _without_tag(name):
        raise SettingsError(tr("{new!r} is no name", new=typed), "name it with a word, such as tea")
    labels = [_term(text) for text in label or [name]]
    languages = [tag.strip().lower() for tag in lang.split(",")] if lang else [each.language for each in labels]
    _check_tags([*languages, *(each.language for each in labels)])
    if "/" in name and out is None:
        raise SettingsError(tr("{new!r} is no name", new=name), "give a word without /")
    path = out or Path(f"{name}.owl")
    write_new(path, name, labels, languages)
    show(
        tr(
            "{path} is written. Open it in Protégé, and then: {command} ontology check {file}",
            path=path,
            file=shlex.quote(str(path)),
        )
    )


def _without_tag(text: str) -> str:
    return (text.rpartition("@")[0] if "@" in text else text).strip()


def _term(text: str) -> "Term":
    """Parse `茶@zh`. Without a tag, Chinese characters mean Chinese, and anything else English."""
    from ontology.lexicon.surface_forms import HAN
    from ontology.proposals.decisions import Term

    name, tag = _without_tag(text), text.rpartition("@")[2] if "@" in text else ""
    if not name:
        raise SettingsError(tr("--label {text!r} has no text", text=text), 'write it as in --label "tea@en"')
    is_chinese = any("\u3400" <= sign <= HAN[-1] for sign in name)
    return Term(name, tag.strip() or ("zh" if is_chinese else "en"))


def _check_tags(tags: list[str]) -> None:
    from ontology.inspection.label_checks import is_tag

    wrong = next((tag for tag in tags if not is_tag(tag.lower())), None)
    if wrong is not None:
        raise SettingsError(tr("{wrong!r} is no language tag", wrong=wrong), "write zh for Chinese, en for English")


@ontology_app.command(
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
    from cli.inputs.concept_names import chosen_language
    from ontology.inspection.differences import differences, in_words
    from ontology.loading.ontology_reader import read_ontology

    if store:
        from cli.ontologies.edit_effects import run

        run(store, old, new, as_json=as_json)
        return
    before, after = read_ontology(old), read_ontology(new)
    found = differences(before, after, None if as_json else chosen_language(None, after))
    if as_json:
        show(json.dumps({"differences": [asdict(each) for each in found]}, ensure_ascii=False))
        return
    for each in found:
        show(one_line(as_told(in_words(each))))
    if not found:
        show(tr("no difference in concepts, names, parents, weights or layers"))
