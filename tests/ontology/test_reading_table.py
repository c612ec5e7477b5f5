"""The table of real files (../shared/ontologies/expect.tsv) and both import sets, read as a user reads them."""

import csv
from concurrent.futures import Future
from pathlib import Path

import pytest
from conftest import SHARED, read_here

from ontology.concepts import Ontology
from ontology.errors import OntologyError
from ontology.loading.ontology_reader import read_ontology

pytestmark = pytest.mark.slow
ISOLATED = True  # some files are hostile

TABLE = SHARED / "ontologies" / "expect.tsv"
ROWS = list(csv.DictReader(TABLE.open(), delimiter="\t")) if TABLE.is_file() else []


@pytest.fixture(scope="module")
def readings(shared: Path) -> dict[str, "Future[Ontology]"]:
    """Every file of the table read once: those to be refused by child processes, the others in this one."""
    made: dict[str, Future[Ontology]] = {}
    with pytest.MonkeyPatch.context() as patch:
        for row in sorted(ROWS, key=lambda row: row["expect"] == "read"):
            if row["expect"] == "read":
                patch.setattr("ontology.loading.ontology_reader.run_isolated", read_here)
            made[row["file"]] = Future()
            try:
                made[row["file"]].set_result(read_ontology(shared / "ontologies" / "files" / row["file"]))
            except OntologyError as error:
                made[row["file"]].set_exception(error)
    return made


def near(found: int, wanted: str) -> bool:
    return abs(found - int(wanted)) <= 0.02 * int(wanted)


@pytest.mark.parametrize("row", ROWS, ids=[row["file"] for row in ROWS])
def test_table(row: dict[str, str], readings: dict[str, "Future[Ontology]"]) -> None:
    error = readings[row["file"]].exception()
    if error is not None:
        assert row["expect"] in ("refuse", "either"), error
        assert isinstance(error, OntologyError)
        assert row["file"] in str(error)
        assert "reading failed" not in str(error)
        return
    ontology = readings[row["file"]].result()
    assert row["expect"] in ("read", "either")
    has_words = any(concept.labels for concept in ontology.concepts.values())
    assert has_words or "E101" in [finding.code for finding in ontology.findings]
    if row["expect"] == "read":
        assert ontology.format == row["format"]
        assert near(ontology.classes, row["classes"])
        assert near(ontology.skos_concepts, row["concepts"])


def test_import_set_of_oeo(shared: Path) -> None:
    oeo = read_ontology(shared / "ontologies" / "sets" / "oeo" / "ontology" / "oeo.omn")
    assert oeo.classes == 4
    assert {"edits/oeo-physical.omn", "edits/oeo-model.omn", "imports/uo-extracted.owl"} <= set(oeo.imported)
    assert len(oeo.concepts) > 1500
    assert [finding.code for finding in oeo.findings] == ["W101"]  # bfo.owl
