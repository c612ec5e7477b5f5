"""`ontocrawl ontology check`, `show` and `match`: what an ontology says, what is wrong in it, which of its words a text
has.
"""

import json
import sys
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cli.inputs.concept_names import chosen_language
from cli.render.answer_tables import as_table
from cli.render.language import as_told, later, listed, tr
from cli.render.terminal import CONTROLS, line_width, one_line, say, show
from ontology.concepts import Finding, Ontology
from ontology.errors import OntocrawlError, OntologyError, SettingsError
from ontology.file_failures import refusal
from ontology.inspection.checks import check as findings_of
from ontology.inspection.checks import summed, usable_topic
from ontology.inspection.concept_captions import Captions
from ontology.inspection.concept_tree import ConceptBranch, build_tree
from ontology.lexicon.lexicon import Lexicon, build_lexicon
from ontology.loading.ontology_reader import read_ontology, read_with_errors
from ontology.syntaxes.syntax_detection import check_text
from ontology.syntaxes.text_decoding import decode

if TYPE_CHECKING:
    from rich.text import Text

    from semantic.terms.term_matching import Matcher

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
UNCUT = 10_000  # columns of what is no terminal; chosen, not measured


def check(file: Path, store: str | None, *, reason: bool, iris: bool, as_json: bool) -> int:
    """Print the problems of an ontology, and with `store` what the pages of its crawl show. 1 if there are errors."""
    from semantic.segmentation.word_segmentation import common_characters

    ontology = read_with_errors(file, reason=reason)
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
    return 1 if errors else 0


def show_concepts(file: Path, generations: int | None, *, reason: bool, iris: bool, as_json: bool) -> None:
    """Print the figures of an ontology and its concepts as a tree."""
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


def match(  # noqa: PLR0913 - the options of the command
    file: Path,
    text: str,
    store: str | None,
    *,
    generations: int | None,
    segmenter: str,
    reason: bool,
    iris: bool,
    as_json: bool,
) -> None:
    """Print the ontology's words in a text, and with `store` the relevance that its crawl gives. `text`: a file, - for
    standard input, or the address of a page of the crawl.
    """
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


def _mentions(lexicon: Lexicon, matcher: "Matcher", text: str) -> list[dict[str, object]]:
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


def _as_row(mention: Mapping[str, Any], captions: Captions) -> dict[str, object]:
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
    text = decode(_read(name)).text
    check_text(name if name != "-" else tr("standard input"), text, "name a text file, or - for standard input")
    return text


def _figures(ontology: Ontology) -> dict[str, Any]:
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


def _as_dict(branch: ConceptBranch) -> dict[str, Any]:
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
        return listed(f"{count} {language or tr('untagged')}" for language, count in value.items()) or tr("none")
    if isinstance(value, list):
        return one_line(listed(value)) or tr("none")
    return str(value)


def _print_tree(trees: Sequence[ConceptBranch], captions: Captions) -> None:
    from rich.console import Console
    from rich.tree import Tree

    console = Console(width=line_width() or UNCUT)
    for branch in trees:
        root = Tree(_line(branch, captions))
        waiting = [(branch, root)]
        while waiting:
            above, place = waiting.pop()
            waiting += [(below, place.add(_line(below, captions))) for below in above.narrower]
        console.print(root)


def _line(branch: ConceptBranch, captions: Captions) -> "Text":
    from rich.text import Text

    name = one_line(captions.of(branch.concept.iri))
    line = Text(name, style="bold" if branch.weight is not None else "", overflow="ellipsis", no_wrap=True)
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


def _finding_as_dict(finding: Finding) -> dict[str, object]:
    fields = {"code": finding.code, "message": finding.message, "cure": finding.cure, "line": finding.line}
    return {**fields, "concepts": list(finding.concepts)}


def _print_findings(findings: Iterable[Finding]) -> None:
    """Print findings as one table, summing up many of one code."""
    from rich.console import Console
    from rich.table import Column, Table
    from rich.text import Text

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
