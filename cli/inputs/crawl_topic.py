"""The topic of a crawl: that of an ontology with its words, or only the seeds."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from cli.inputs.concept_names import concept_records
from cli.inputs.given_files import read_given
from cli.render.language import tr
from graphdb.stores import Store
from ontology.concepts import Ontology
from ontology.errors import OntologyError
from ontology.file_failures import refusal
from ontology.lexicon.lexicon import Lexicon, build_lexicon
from ontology.loading.ontology_reader import read_ontology
from ontology.topic import Topic, build_topic
from semantic.records import ConceptRecord


@dataclass(frozen=True, slots=True)
class About:
    """What a crawl is about. `name`: of the ontology's file, "" without one; `iri`: of the topic.

    `fingerprint`: hash of the file and of the files beside it that it imports.
    """

    ontology: Ontology
    topic: Topic
    lexicon: Lexicon
    iri: str
    name: str
    fingerprint: str

    @property
    def concepts(self) -> Sequence[ConceptRecord]:
        """The concepts as records for the graph."""
        return concept_records(self.ontology, self.lexicon, self.topic)


def read_about(
    path: str | Path | None, seeds: Sequence[str] = (), generations: int | None = None, *, reason: bool = False
) -> About:
    """Read the ontology at `path`. Without one the seeds are the topic, so a store with other seeds belongs to another
    crawl.

    Raises OntocrawlError for a file that cannot be used.
    """
    if path is None:
        digest = hashlib.sha256("\n".join(sorted(seeds)).encode()).hexdigest()
        name = f"seeds:{digest[:16]}"
        return About(Ontology("", ""), Topic(None, name, {}, {}), Lexicon((), {}), name, "", digest)
    check_ontology(path)
    return about_of(read_ontology(Path(path), reason=reason), generations)


def stored_seeds(store: Store) -> list[str]:
    """The seeds of a store's crawl."""
    return [str(row["url"]) for row in store.ask("marks", "seeds")]


def check_ontology(path: str | Path) -> None:
    """Raise SettingsError if the file of --ontology cannot be read."""
    cure = tr("check the path, or give another file with --ontology")
    read_given("--ontology", Path(path), lambda file: file.open("rb").close(), cure)


def about_of(ontology: Ontology, generations: int | None) -> About:
    """What a crawl is about whose ontology has been read. Raises OntocrawlError for an ontology without a topic."""
    topic = build_topic(ontology)
    lexicon = build_lexicon(ontology, topic, generations)
    name = Path(ontology.path).name
    return About(ontology, topic, lexicon, topic.iri or ontology.iri or name, name, _digest(ontology))


def files_of(ontology: Ontology) -> list[Path]:
    """The ontology's file, and the files beside it that it imports."""
    root = Path(ontology.path)
    return [root, *(root.resolve().parent / name for name in ontology.imported)]


def _digest(ontology: Ontology) -> str:
    """SHA-256 of the bytes of all its files."""
    digest = hashlib.sha256()
    try:
        for path in files_of(ontology):
            digest.update(path.read_bytes())
    except OSError as error:
        raise OntologyError(*refusal(error.filename, error, "save it again")) from error
    return digest.hexdigest()
