"""Inference by HermiT, through owlready2. Only this file imports it.

Motik, Shearer, Horrocks: Hypertableau Reasoning for Description Logics, JAIR 36 (2009). HermiT is a Java program that
comes with owlready2; Java itself must be installed.
"""

import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from ontology.child_process import limit_memory
from ontology.errors import OntologyError
from ontology.messages import message


def infer_parents(name: str, triples: str, memory_mb: int) -> list[tuple[str, str]]:
    """(concept, parent) pairs that HermiT infers from the N-Triples: named superclasses and types, direct ones only.

    `name`: the file, for messages. `memory_mb`: Java's heap. Raises OntologyError if there is no Java, if the ontology
    is inconsistent, or if it is beyond OWL 2 DL.
    """
    if shutil.which("java") is None:
        raise OntologyError(
            "--reason needs Java, and no `java` was found on the PATH",
            "install a Java runtime (11 or newer), or leave out --reason",
        )
    import owlready2  # type: ignore[import-untyped]  # has no types

    owlready2.reasoning.JAVA_MEMORY = memory_mb
    limit_memory(None)
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "all.nt"
        file.write_text(triples, encoding="utf-8")
        world = owlready2.World()
        try:
            ontology = world.get_ontology(file.as_uri()).load()
            with ontology:
                owlready2.sync_reasoner_hermit(world, infer_property_values=False, debug=0)
            return list(_pairs(world))
        except owlready2.OwlReadyInconsistentOntologyError:
            raise OntologyError(
                message("{name}: the ontology is inconsistent, so nothing can be inferred", name=name),
                "in Protégé: Reasoner > Start reasoner > Explain, or leave out --reason",
            ) from None
        except Exception as error:  # owlready2 and HermiT raise all kinds
            what = " ".join(str(error).split())[:200]
            raise OntologyError(
                message("{name}: the reasoner gave up: {what}", name=name, what=what), "leave out --reason"
            ) from None


def _pairs(world: Any) -> Iterator[tuple[str, str]]:
    import owlready2

    for thing in (*world.classes(), *world.individuals()):
        for parent in thing.is_a:
            if isinstance(parent, owlready2.ThingClass) and parent is not owlready2.Thing and parent is not thing:
                yield thing.iri, parent.iri
