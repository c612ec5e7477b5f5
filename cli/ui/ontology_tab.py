"""The page's tab of the ontology: its findings, what the crawl has of each concept, and proposals to decide on.

The file that is read and written is that of the crawl, as its record names it; the browser names none.
"""

import json
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

from cli.inputs.concept_names import chosen_language
from cli.inputs.crawl_topic import files_of
from cli.ontologies.coverage import VERDICTS, called, covered
from cli.ontologies.reviewing_proposals import SHOWN, matching
from cli.ontologies.suggesting import as_row
from cli.ontologies.weighing import other_weights
from cli.recorded.recorded_verdicts import stored_settings
from cli.render.language import as_told, later
from cli.render.terminal import one_line
from cli.report.crawl_figures import Branch, concept_tree
from cli.settings import Settings
from cli.ui.asked import Answer, Asked
from cli.ui.proposal_decisions import AGAIN, copy_with, decisions_of, plan, shown, write
from ontology.concepts import Ontology
from ontology.errors import OntocrawlError, SettingsError
from ontology.inspection.checks import check as findings_of
from ontology.inspection.concept_captions import Captions
from ontology.lexicon.surface_forms import same_word_key
from ontology.loading.ontology_reader import read_ontology
from ontology.proposals.accepting import check_before_asking
from ontology.proposals.proposal import Kind
from semantic.proposals.concept_weights import WeighedConcept
from semantic.segmentation.word_segmentation import common_characters

JOBS = ("suggest", "languages", "weigh", "check", "effects", "rejudge")
FOR_PROGRAMS = JOBS[:3]  # these answer in JSON
FILES_KEPT = 4  # ontologies that are held as they were read: reading one takes half a second; chosen, not measured


def look(asked: Asked) -> dict[str, Any]:
    """What the crawl has of each concept, as a tree; which file its ontology is, and why that cannot be used or
    written.
    """
    with asked.store() as store:
        settings, found = stored_settings(store), covered(store)
    trouble, unwritable = None, None
    try:
        known = _known(settings)
    except OntocrawlError as error:
        trouble = _cured(error)
    else:
        found = called(found, known)
        try:
            check_before_asking(Path(known.path))
        except OntocrawlError as error:
            unwritable = _cured(error)
    return {
        "file": settings.ontology,
        "trouble": trouble,
        "unwritable": unwritable,
        "verdicts": [verdict for verdict in VERDICTS if any(one.verdict == verdict for one in found)],
        "tree": [_branch(each) for each in concept_tree(found)] if settings.ontology else [],
    }


def _branch(branch: Branch) -> dict[str, Any]:
    one = branch.concept
    return {
        "label": one_line(one.label),
        "verdict": one.verdict,
        "pages": one.pages,
        "on_topic": one.on_topic,
        "hosts": one.hosts,
        "weight": one.weight,
        "again": branch.again,
        "lacks": branch.lacks,
        "is_wanting": branch.is_wanting,
        "narrower": [_branch(each) for each in branch.narrower],
    }


def findings(asked: Asked) -> list[dict[str, Any]]:
    """What `ontology check` finds in the file alone."""
    known = _known(_settings(asked))
    found = findings_of(known, common_characters(), language=chosen_language(None, known))
    return [
        {
            "code": one.code,
            "line": one.line,
            "what": one_line(as_told(one.message)),
            "cure": one_line(as_told(one.cure)),
        }
        for one in found
    ]


def check(asked: Asked) -> None:
    """Begin `ontology check --store`, which reads all pages."""
    file = _known(_settings(asked)).path
    _begin(asked, "check", "ontology", "check", file)


def suggest(asked: Asked) -> None:
    """Begin `ontology suggest`."""
    _known(_settings(asked))
    _begin(asked, "suggest", "ontology", "suggest", "--json")


def languages(asked: Asked) -> None:
    """Begin `ontology suggest --languages`."""
    _known(_settings(asked))
    _begin(asked, "languages", "ontology", "suggest", "--languages", "--json")


def proposals(asked: Asked, command: str = "suggest") -> list[dict[str, Any]]:
    """What one of these has proposed."""
    known = _known(_settings(asked))
    captions = _captions(known)
    return [shown(row, known, captions) for row in json.loads(_answer(asked, command))]


def names(asked: Asked) -> list[dict[str, Any]]:
    """The names in the pages' language that it has proposed."""
    return proposals(asked, "languages")


def weigh(asked: Asked) -> None:
    """Begin `ontology weigh`."""
    _known(_settings(asked))
    _begin(asked, "weigh", "ontology", "weigh", "--json")


def weights(asked: Asked) -> list[dict[str, Any]]:
    """The weights that it would change, as proposals; those of concepts that the ontology still has."""
    known = _known(_settings(asked))
    captions = _captions(known)
    found = [WeighedConcept(**row) for row in json.loads(_answer(asked, "weigh")) if row["feature"] in known.concepts]
    return [shown(as_row(one), known, captions) for one in other_weights(found, known)]


def concepts(asked: Asked) -> list[dict[str, str]]:
    """Concepts with this part in a name, as places for a proposal."""
    known, part = _known(_settings(asked)), same_word_key(asked.text("part") or "")
    captions = _captions(known)
    found = matching(known, part)[:SHOWN] if part else []
    return [{"concept": iri, "place": one_line(captions.of(iri))} for iri in found]


def plan_of(asked: Asked) -> dict[str, Any]:
    """What the decisions would write."""
    known = _known(_settings(asked))
    return plan(decisions_of(asked.words.get("decided"), known), Path(known.path))


def effects(asked: Asked) -> None:
    """Begin `ontology diff --store`: what the decisions would change in the pages."""
    known = _known(_settings(asked))
    copy = copy_with(decisions_of(asked.words.get("decided"), known), known, asked.jobs.new_folder())
    if copy is None:
        raise SettingsError("there is nothing new to write", "keep or refuse a proposal first")
    _begin(asked, "effects", "ontology", "diff", known.path, str(copy))


def write_into(asked: Asked) -> dict[str, Any]:
    """Write the decisions into the ontology's file."""
    known = _known(_settings(asked))
    return write(decisions_of(asked.words.get("decided"), known), Path(known.path), asked.text("was"))


def rejudge(asked: Asked) -> None:
    """Begin `rejudge --ontology`."""
    file = _known(_settings(asked)).path
    _begin(asked, "rejudge", "rejudge", f"--ontology={file}")


def jobs(asked: Asked) -> dict[str, Any]:
    """How the commands of this tab stand in this store; None for one that was not begun. Answers in JSON are left out:
    other questions give what is in them.
    """
    found = {name: asked.jobs.state(asked.where, name) for name in JOBS}
    return {
        name: job
        and {"code": job["code"], "said": job["said"], "answer": "" if name in FOR_PROGRAMS else job["answer"]}
        for name, job in found.items()
    }


def _begin(asked: Asked, name: str, *words: str) -> None:
    """Begin the command of these words on the store, as the job of this name."""
    asked.jobs.begin(asked.where, name, [*words, f"--store={asked.where}"])


def _captions(known: Ontology) -> Captions:
    return Captions(known, language=chosen_language(None, known))


def _answer(asked: Asked, name: str) -> str:
    job = asked.jobs.state(asked.where, name)
    if job is None or job["code"] != 0:
        raise SettingsError("that has not been done yet", AGAIN)
    return str(job["answer"])


def _settings(asked: Asked) -> Settings:
    with asked.store() as store:
        return stored_settings(store)


def _known(settings: Settings) -> Ontology:
    """The crawl's ontology as its files are now. Raises OntocrawlError for a crawl without one, and for a file that
    cannot be used.
    """
    if settings.ontology is None:
        raise SettingsError("this crawl has no ontology", "crawl with --ontology FILE")
    path = Path(settings.ontology)
    known = _read(path, settings.reason, (_state(path),))
    if not known.imported:
        return known
    return _read(path, settings.reason, tuple(map(_state, files_of(known))))


@lru_cache(FILES_KEPT)
def _read(path: Path, reason: bool, states: tuple[object, ...]) -> Ontology:
    return read_ontology(path, reason=reason)


def _state(path: Path) -> tuple[int, int] | None:
    try:
        found = path.stat()
    except OSError:
        return None  # reading it will say why
    return found.st_mtime_ns, found.st_size


def _cured(error: OntocrawlError) -> dict[str, str]:
    return {"what": one_line(as_told(error.message)), "cure": one_line(as_told(error.cure))}


ANSWERS: Mapping[str, Answer] = {
    "ontology.look": look,
    "ontology.findings": findings,
    "ontology.check": check,
    "ontology.suggest": suggest,
    "ontology.languages": languages,
    "ontology.proposals": proposals,
    "ontology.names": names,
    "ontology.weigh": weigh,
    "ontology.weights": weights,
    "ontology.concepts": concepts,
    "ontology.plan": plan_of,
    "ontology.effects": effects,
    "ontology.write": write_into,
    "ontology.rejudge": rejudge,
    "ontology.jobs": jobs,
}
TEXTS: Mapping[str, str] = {
    "onto_file": later("Ontology of this crawl: {file}"),
    "onto_cure": later("To do: {cure}"),
    "onto_findings": later("Findings of the check"),
    "onto_no_findings": later("The check finds nothing wrong in the file."),
    "onto_line": later("line {line}"),
    "onto_check": later("Check it by the pages, too"),
    "onto_weight": later("weight {weight}"),
    "onto_proposals": later("Proposals"),
    "onto_proposals_note": later(
        "Terms that the pages have and the ontology lacks, and weights that the pages contradict."
    ),
    "onto_suggest": later("Find proposals in the pages"),
    "onto_languages": later("Find names in the pages' language"),
    "onto_weigh": later("Compute weights from the pages"),
    "onto_no_weights": later("No weight of the ontology would change."),
    "onto_running": later("running …"),
    "onto_failed": later("This did not work:"),
    "onto_none": later("Nothing is proposed: these pages say nothing that the ontology lacks."),
    "onto_keys": later(
        "Keys: y keep, n no, 1 to 4 keep as another kind, m another place, j and k next and previous, u undo."
    ),
    "onto_count": later("{decided} of {all} decided: {kept} kept, {refused} refused."),
    "onto_unwritten": later("{decided} decisions are not written yet."),
    "onto_keep": later("Keep"),
    "onto_no": later("No"),
    "onto_place": later("Another place"),
    "onto_undo": later("Undo"),
    "onto_part": later("A part of the concept's name"),
    "onto_no_concept": later("No concept has that in its name."),
    "onto_open": later("no place"),
    "onto_reweigh": later("{place}: weight {value} instead of {weight}"),
    "onto_is_kept": later("Kept"),
    "onto_is_refused": later("Refused: it is not proposed again."),
    "onto_plan": later("See what will be written"),
    "onto_plan_head": later("What will be written into the ontology"),
    "onto_passed_over": later("Not taken over:"),
    "onto_nothing_new": later("There is nothing new to write."),
    "onto_diff": later("Differences of the file's text"),
    "onto_more_lines": later("… and {more} more lines"),
    "onto_effects": later("See the effect on the pages"),
    "onto_write": later("Write it"),
    "onto_next": later(
        "A crawl that runs with --watch judges by the new file at once. Otherwise judge all pages by it now:"
    ),
    "onto_rejudge": later("Judge all pages by it"),
    **{f"kind_{kind.value}": kind.value for kind in Kind},
}
