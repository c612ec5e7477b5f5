"""Bytes to text, labels to words, IRIs to words."""

import codecs

import pytest

from ontology.loading.label_words import fragment_words, lost_its_encoding, split_label
from ontology.syntaxes.text_decoding import decode
from ontology.syntaxes.xml_wellformedness import check_xml

TEA = '<?xml version="1.0" encoding="GBK"?>\n<a>绿茶 tea</a>'


@pytest.mark.parametrize(
    ("data", "encoding"),
    [
        (TEA.encode("gbk"), "gb18030"),
        (TEA.replace("GBK", "UTF-8").encode(), "utf-8"),
        (TEA.replace("GBK", "no-such-thing").encode(), "utf-8"),
        (TEA.replace("GBK", "UTF-16").encode(), "utf-8"),
        (codecs.BOM_UTF8 + TEA.encode(), "utf-8"),
        (codecs.BOM_UTF16_LE + TEA.encode("utf-16-le"), "utf-16-le"),
        (codecs.BOM_UTF16_BE + TEA.encode("utf-16-be"), "utf-16-be"),
        (TEA.encode("utf-16-be"), "utf-16-be"),
        (TEA.replace("GBK", "UTF-8").encode("gb18030"), "gb18030"),
    ],
)
def test_decoding_drops_the_declaration_and_keeps_the_lines(data: bytes, encoding: str) -> None:
    decoded = decode(data)
    assert (decoded.text, decoded.encoding, decoded.replaced) == ("\n<a>绿茶 tea</a>", encoding, 0)


@pytest.mark.parametrize("text", ["# 25 ± 1 °C", "# Müller trägt Süßes", "# naïve café"])
def test_stray_latin_bytes_are_counted_and_not_taken_for_chinese(text: str) -> None:
    decoded = decode(text.encode("latin-1"))
    assert decoded.replaced == sum(character > "\x7f" for character in text)


@pytest.mark.parametrize(
    ("label", "words"),
    [
        ("角冲量;冲量矩", ["角冲量", "冲量矩"]), ("自行车；脚踏车、单车", ["自行车", "脚踏车", "单车"]),
        ("电脑/计算机", ["电脑", "计算机"]), ("TCP/IP", ["TCP/IP"]), ("输入/IO", ["输入/IO"]),
        ("salt, table", ["salt, table"]), ("质量(物理、化学)", ["质量(物理、化学)"]),
        ("水(液态);冰(固态)", ["水(液态)", "冰(固态)"]), ("  green\n  tea ;", ["green tea"]), ("", []),
    ],
)  # fmt: skip
def test_several_words_in_one_label(label: str, words: list[str]) -> None:
    assert split_label(label) == words


def test_labels_that_lost_their_encoding() -> None:
    assert [text for text in ("???", "？ ?", "\ufffd\ufffd", "why?", "", "1") if lost_its_encoding(text)] == [
        "???",
        "？ ?",
        "\ufffd\ufffd",
    ]


@pytest.mark.parametrize(
    ("local", "words"),
    [
        ("AmericanHotPizza", ["American Hot Pizza"]), ("JavaScript", ["Java Script", "JavaScript"]),
        ("DNASequence", ["DNA Sequence", "DNASequence"]), ("green_tea", ["green tea"]), ("iPhone", ["iPhone"]),
        ("IPv4", ["IPv4"]), ("H2O", ["H2O"]), ("MP3", ["MP3"]), ("Windows10", ["Windows10"]),
        ("高等数学", ["高等数学"]), ("%E5%87%BD%E6%95%B0", ["函数"]),
        ("多元函数_极限", ["多元函数 极限", "多元函数极限"]),
    ],
)  # fmt: skip
def test_words_inside_an_iri(local: str, words: list[str]) -> None:
    assert fragment_words(f"http://example.org/x#{local}") == words
    assert fragment_words(f"http://example.org/x/{local}/") == words


CODES = """ont00000123 OEO_00000350 ENVO_01000254 NCIT_C2852 NCBITaxon_10090 Q42 c_1234 D000001 2004 R5a7c9 genid12
8a5e1d7c9f R8cQpnXuFz3mQ0aK7vXrVfY 550e8400-e29b-41d4-a716-446655440000"""


@pytest.mark.parametrize("code", CODES.split())
def test_codes_are_no_words(code: str) -> None:
    assert fragment_words(f"http://example.org/{code}") == []


def test_entities_are_expanded_and_lines_keep_their_numbers() -> None:
    doctype = '<!DOCTYPE r [\n<!ENTITY n "http://x#">\n<!ENTITY m "&n;y">\n]>'
    text = f'<!-- a -->\n{doctype}\n<r a="&m;">&n; &lt;<![CDATA[&n;]]></r>'
    assert check_xml(text).text == ('<!-- a -->\n\n\n\n\n<r a="http://x#y">http://x# &lt;<![CDATA[&n;]]></r>')
