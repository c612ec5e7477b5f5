"""`ontocrawl ontology accept`, `new` and `diff`: writing accepted proposals, beginning a file, comparing two.

Each imports what it needs when it runs: to begin a file then takes .1 s less.
"""

import json
import shlex
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

from cli.render.language import as_told, locale_language, tr
from cli.render.terminal import one_line, say, show
from ontology.errors import SettingsError

if TYPE_CHECKING:
    from ontology.proposals.accepting import Accepted
    from ontology.proposals.decisions import Term


def accept(proposals: Path, into: Path, *, as_json: bool) -> None:
    """Write the proposals of a file that were kept into an ontology."""
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


def begin(name: str, label: Sequence[str], lang: str | None, out: Path | None) -> None:
    """Write a new ontology file. `label`: names with their language, as `茶@zh`; `lang`: tags with commas between."""
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


def compare(old: Path, new: Path, *, as_json: bool) -> None:
    """Print the differences between two versions of an ontology."""
    from cli.inputs.concept_names import chosen_language
    from ontology.inspection.differences import differences, in_words
    from ontology.loading.ontology_reader import read_ontology

    before, after = read_ontology(old), read_ontology(new)
    found = differences(before, after, None if as_json else chosen_language(None, after))
    if as_json:
        show(json.dumps({"differences": [asdict(each) for each in found]}, ensure_ascii=False))
        return
    for each in found:
        show(one_line(as_told(in_words(each))))
    if not found:
        show(tr("no difference in concepts, names, parents, weights or layers"))
