"""What an ontology from elsewhere may not do by what it imports: leave its folder, show a file, take all the time."""

from pathlib import Path

import pytest

from ontology.child_process import run_isolated
from ontology.errors import OntologyError
from ontology.loading.import_resolution import CATALOG, Imports, ontology_iris
from ontology.loading.imports_closure import load
from ontology.syntaxes.syntax_detection import recognise

OWL = "http://www.w3.org/2002/07/owl#"
SECONDS = 4  # of computing, after which the child is ended; none of these needs a tenth of it, all needed more
SECRET = "root:x:0:0 the secret"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder of an ontology; beside it lies a file that is none of its business."""
    (tmp_path / "secret.txt").write_text(SECRET)
    (tmp_path / "here" / "sub").mkdir(parents=True)
    (tmp_path / "here" / "inside.ttl").write_text(f"<http://example.org/Lid> a <{OWL}Class> .")
    return tmp_path / "here"


def importing(folder: Path, *iris: str) -> Path:
    lines = [f"<http://example.org/main> a <{OWL}Ontology> .", f"<http://example.org/Pot> a <{OWL}Class> ."]
    lines += [f"<http://example.org/main> <{OWL}imports> <{iri}> ." for iri in iris]
    path = folder / "main.ttl"
    path.write_text("\n".join(lines))
    return path


@pytest.mark.parametrize(
    "iri",
    [
        "file:///%2e%2e/secret.txt", "file:///sub/%2e%2e/%2e%2e/secret.txt", "file:///%2e%2e%2fsecret.txt",
        "file:///%2e%2e/here/inside.ttl", "file:///" + "a" * 5000, "file:///a%00b",
    ],
)  # fmt: skip
def test_an_import_by_file_address_stays_in_the_folder(folder: Path, iri: str) -> None:
    found = load(importing(folder, iri), False, 1024)
    if not iri.endswith("inside.ttl"):  # a file of this name lies in the folder itself
        assert [finding.code for finding in found.findings] == ["W101"]
    assert SECRET[:8] not in str(found.findings)
    assert found.imported in ((), ("inside.ttl",))


@pytest.mark.parametrize("iri", ["http://[::1", "http://℀.com/", "file://[x/y"])
def test_an_import_that_is_no_address_is_not_found(folder: Path, iri: str) -> None:
    found = load(importing(folder, iri), False, 1024)
    assert {finding.code for finding in found.findings} == {"W101"}


@pytest.mark.parametrize(
    "inside",
    [
        '<uri name="http://example.org/other" uri="http://[::1"/>',
        '<uri name="http://[" uri="file://[x/"/>',
        '<group xml:base="http://[x"><uri name="http://example.org/other" uri="a.owl"/></group>',
        '<uri name="http://example.org/other" uri="http://℀.com/"/>',
        '<uri name="http://example.org/other" uri="file:///a%00b"/>',
        f'<uri name="http://example.org/other" uri="{"x" * 100_000}"/>',
        "&#xD800;",
        "<group>" * 100_000 + "</group>" * 100_000,
    ],
)
def test_a_catalog_with_hostile_addresses_finds_nothing(folder: Path, inside: str) -> None:
    catalog(folder, inside)
    found = load(importing(folder, "http://example.org/other"), False, 1024)
    assert "W101" in {finding.code for finding in found.findings}


def catalog(folder: Path, inside: str) -> None:
    space = "urn:oasis:names:tc:entity:xmlns:xml:catalog"
    (folder / CATALOG).write_text(f'<catalog xmlns="{space}">{inside}</catalog>')


@pytest.mark.parametrize("text", [SECRET, "[Term]\nid: X:1\nxref: secret \\, {\n"])
def test_a_catalog_names_any_file_without_quoting_its_bytes(folder: Path, text: str) -> None:
    (folder.parent / "secret.txt").write_text(text)
    catalog(folder, '<uri name="http://example.org/other" uri="../secret.txt"/>')
    found = load(importing(folder, "http://example.org/other"), False, 1024)
    assert [finding.code for finding in found.findings] == ["W106" if "Term" in text else "W103"]
    assert "secret.txt" in found.findings[0].message
    assert "root:x" not in str(found.findings)
    assert "xref" not in str(found.findings)


@pytest.mark.parametrize(("groups", "codes"), [(99, []), (101, ["W103"]), (20_000, ["W103"])])
def test_groups_of_a_catalog_are_followed_to_some_depth(folder: Path, groups: int, codes: list[str]) -> None:
    entry = '<uri name="http://example.org/other" uri="inside.ttl"/>'
    catalog(folder, "<group>" * groups + entry + "</group>" * groups)
    found = load(importing(folder, "http://example.org/other"), False, 1024)
    assert [finding.code for finding in found.findings if finding.code != "W101"] == codes
    assert found.imported == (() if codes else ("inside.ttl",))


def test_the_first_entry_of_a_catalog_wins(folder: Path) -> None:
    (folder / "sub" / "inside.ttl").write_text("")
    entries = "".join(f'<uri name="http://example.org/other" uri="{uri}"/>' for uri in ("inside.ttl", "sub/inside.ttl"))
    catalog(folder, f'<group xml:base="./">{entries}</group>')
    assert Imports().find("http://example.org/other", [folder]) == folder.resolve() / "inside.ttl"


@pytest.mark.parametrize(
    "text",
    [
        "<x xmlns='y'>" + "<Ontology " * 6500,
        "<x xmlns='y'>" + "<rdf:Ontology rdf:" * 3600,
        f"<x xmlns='y'><Ontology rdf:about='{'&' * 65_000}'/>",
        f"<!DOCTYPE a [<!ENTITY a '{'b' * 30_000}'>]><x xmlns='y'><Ontology rdf:about='{'&a;' * 8000}'/>",
        "\n" * 65_000,
        "prefix " * 9000,
    ],
    ids=["tags", "attributes", "references", "entities", "lines", "prefixes"],
)
def test_a_file_beside_is_searched_in_linear_time(tmp_path: Path, text: str) -> None:
    path = tmp_path / "beside.owl"
    path.write_text(text)
    found = run_isolated(ontology_iris, (path,), name=path.name, seconds=SECONDS, memory_mb=200)
    assert all(len(iri) <= 65_536 for iri in found)


def test_an_entity_s_value_is_measured_before_it_is_expanded() -> None:
    text = f"<!DOCTYPE a [<!ENTITY a '{'<![CDATA[' * 100_000}'>]><a/>"
    with pytest.raises(OntologyError, match="entity grows"):
        run_isolated(recognise, ("a.owl", text), name="a.owl", seconds=SECONDS, memory_mb=200)
