"""What a crawl is about: an ontology's topic and words, or nothing but its seeds."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from cli.inputs.concept_names import concept_records
from ontology.concepts import Ontology
from ontology.errors import OntologyError
from ontology.lexicon.lexicon import Lexicon, build_lexicon
from ontology.loading.ontology_reader import read_ontology
from ontology.topic import Topic, build_topic
from semantic.records import ConceptRecord


@dataclass(frozen=True, slots=True)
class About:
    """`name`: the file's, empty without an ontology; `iri` names the topic.

    `fingerprint` changes with the file, and with what it imports from files beside it.
    """

    ontology: Ontology
    topic: Topic
    lexicon: Lexicon
    iri: str
    name: str
    fingerprint: str

    @property
    def concepts(self) -> Sequence[ConceptRecord]:
        """The concepts as the graph keeps them."""
        return concept_records(self.ontology, self.lexicon, self.topic)


def read_about(path: str | Path | None, seeds: Sequence[str], generations: int | None, *, reason: bool) -> About:
    """The ontology at `path`; without one the topic is its seeds, so that a store with other seeds is another crawl's.

    Raises OntocrawlError for a file that cannot be used.
    """
    if path is None:
        digest = hashlib.sha256("\n".join(sorted(seeds)).encode()).hexdigest()
        name = f"seeds:{digest[:16]}"
        return About(Ontology("", ""), Topic(None, name, {}, {}), Lexicon((), {}), name, "", digest)
    ontology = read_ontology(Path(path), reason=reason)
    topic = build_topic(ontology)
    lexicon = build_lexicon(ontology, topic, generations)
    name = Path(path).name
    return About(ontology, topic, lexicon, topic.iri or ontology.iri or name, name, _digest(ontology))


def files_of(ontology: Ontology) -> list[Path]:
    """The file that it was read from, and those that were imported from beside it."""
    root = Path(ontology.path)
    return [root, *(root.resolve().parent / name for name in ontology.imported)]


def _digest(ontology: Ontology) -> str:
    """Of the bytes of all its files; of one alone the SHA-256 of that."""
    digest = hashlib.sha256()
    try:
        for path in files_of(ontology):
            digest.update(path.read_bytes())
    except OSError as error:
        raise OntologyError(f"{error.filename}: {error.strerror}", "save it again") from error
    return digest.hexdigest()
