"""Reasons: their sentences, their JSON, and that every kind in the code has a sentence."""

import ast
from pathlib import Path

import pytest

from semantic.reasons import TEMPLATES, PageError, Reason, because, from_json, sentence, shares_of, to_json

ROOT = Path(__file__).resolve().parents[2]
WORD = because("word", word="kettle", notes=("茶具", because("below", generation=2, feature="茶"), Reason("of a name")))
REASONS = (
    because("concept", "green tea ×2", share=0.25, concept="urn:tea", name="绿茶"),
    Reason("anchor", -0.1254, (WORD, "tea")),
    because("names", words=(WORD, "tea")),
    because("links before a result", because("layer", number=0), share=-0.0),
    because("illegible PDF", url="http://a/", why=(because("later pages", number=5), Reason("the order of the pages"))),
    because("robots.txt unreachable", because("insecure", why=Reason("tls"), host="HOST")),
)
SENTENCES = [
    "+0.250 绿茶: green tea ×2",
    "-0.125 anchor: kettle (茶具, 2 below 茶, word of a name), tea",
    "names kettle (茶具, 2 below 茶, word of a name), tea",
    "-0.000 links before a result: layer 0",
    "http://a/ is a PDF file whose text cannot be read: pages after the first 5; the order of the pages",
    "robots.txt unreachable: tls; --insecure-host HOST connects all the same",
]


def test_a_reason_is_one_sentence():
    assert [*map(str, REASONS)] == SENTENCES
    assert sentence("as a graph has it") == "as a graph has it"


def test_reasons_come_back_from_json():
    assert from_json(to_json(REASONS)) == REASONS
    assert [*map(str, from_json(to_json(REASONS)))] == SENTENCES
    assert to_json((REASONS[0], REASONS[2], REASONS[5])) == (
        '[{"kind":"concept","share":0.25,"concept":"urn:tea","evidence":["green tea ×2"],"name":"绿茶"},'
        '{"kind":"names","words":[{"word":["kettle",["茶具",{"below":[2,"茶"]},{"kind":"of a name"}]]},"tea"]},'
        '{"kind":"robots.txt unreachable","evidence":[{"insecure":[[{"kind":"tls"}],"HOST"]}]}]'
    )


def test_shares_are_summed_by_concept_or_name():
    assert shares_of((*REASONS, Reason("anchor", 0.5), Reason("own words", 0.25))) == {
        "urn:tea": 0.25,
        "links before a result": 0.0,
        "anchor": pytest.approx(0.3746),
        "all its words, compared with those of clear pages": 0.25,
    }


def test_a_page_error_has_its_reason_as_data():
    error = PageError(because("no text", url="http://a/"))
    assert (str(error), error.why.kind) == ("http://a/ is not text", "no text")


def test_every_kind_in_the_code_has_a_sentence():
    files = [file for name in ("semantic", "crawler", "graphdb", "cli") for file in (ROOT / name).rglob("*.py")]
    calls = [
        node for file in files for node in ast.walk(ast.parse(file.read_text("utf-8"))) if isinstance(node, ast.Call)
    ]
    makers = [call for call in calls if isinstance(call.func, ast.Name) and call.func.id in ("Reason", "because")]
    kinds = {call.args[0].value for call in makers if call.args and isinstance(call.args[0], ast.Constant)}
    assert len(kinds) > 100
    assert kinds - TEMPLATES.keys() == set()
