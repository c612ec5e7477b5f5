"""Term matching: the rules one by one, offsets, and the figures on the hand-checked sentences."""

import re
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from ontology.concepts import Concept, Label, Ontology
from ontology.lexicon.lexicon import build_lexicon
from semantic.page import PARAGRAPH
from semantic.segmentation.word_segmentation import cut
from semantic.terms.term_matching import Matcher, normalise

SENTENCES = Path(__file__).with_name("sentences")
WORDS = [
    *("F-22", "4G手机", "10kV", "iPhone", "fighter jet", "jet", "power plant", "camera", "lens", "redis", "drone"),
    *("C++", "C", "C#", ".NET", "Node.js", "CI/CD", "Go", "AC", "IT", "UAV", "CAN bus", "A-10", "e-mail", "cafe"),
    *("手机", "大桥", "茶", "数据库", "数据库系统", "和服", "轰炸机", "直升机", "米哈伊尔·戈尔巴乔夫", "国家电网公司"),
]


def matcher_of(*labels: str, language: str | None = None) -> Matcher:
    concepts = {label: Concept(label, labels=(Label(label, language),)) for label in labels}
    return Matcher(build_lexicon(Ontology("topic.owl", "turtle", concepts=concepts)))


@pytest.fixture(scope="module")
def matcher() -> Matcher:
    return matcher_of(*WORDS)


@pytest.mark.parametrize(
    ("text", "terms"),
    [
        # letters and digits at the edges
        ("F-22 f22 Ｆ－２２ F—22 XF-220 F-22X F-22s", ["F-22", "f22", "Ｆ－２２", "F—22", "F-22"]),
        ("110kV, 10kV, 10 kV, 1.10kV", ["10kV", "10 kV"]),
        ("用iPhone拍 iPhones iphone's iPhoneX", ["iPhone", "iPhone", "iphone"]),
        ("jet_engine gridjet café cafe jet/jet", ["cafe", "jet", "jet"]),
        ("C++11 C#7 C in C/C++, F#, vitamin-C", ["C++", "C#", "C", "C", "C++"]),
        ("ASP.NET or .NET, Node.js and ci/cd", [".NET", "Node.js", "ci/cd"]),
        # addresses and file names
        ("www.camera-shop.com camera.jpg a@redis.io https://x.org/camera Camera.", ["Camera"]),
        ("1.redis安装 redis,camera redis。", ["redis", "redis", "camera", "redis"]),
        # case of abbreviations
        ("The IT's AC, it is ac/dc; UAVs, uav", ["IT", "AC", "UAV"]),
        ("CAN bus, CAN Buses, you can bus tables; Go, go", ["CAN bus", "CAN Bus", "Go"]),
        ("A-10 and A10 in a 10 km zone", ["A-10", "A10"]),
        # blanks and hyphens
        ("fighter-jet fighter\njets fighter \r\n  jet", ["fighter-jet", "fighter\njet", "fighter \r\n  jet"]),
        ("fighter\n\njet fighter - jet", ["jet", "jet"]),
        (f"power{PARAGRAPH}plant power\u00a0plant", ["power\u00a0plant"]),
        ("4G 手机 4g手机 ４Ｇ手机", ["4G 手机", "4g手机", "４Ｇ手机"]),
        ("email E-mails e mail", ["email", "E-mail", "e mail"]),
        ("len\u00adses le\u200bns", ["len\u00ads", "le\u200bns"]),
        ("len\u2060ses l\u2068e\u2069ns", ["len\u2060s", "l\u2068e\u2069ns"]),
        # Chinese over lines, and with marks
        ("長江大\n橋，大\r\n  桥，手\n\n机，手\n　机，手 机", ["大\n橋", "大\r\n  桥"]),
        (
            "大\ufe00桥，手\U000e0100機，大\u2060桥，手\u200d机",
            ["大\ufe00桥", "手\U000e0100機", "大\u2060桥", "手\u200d机"],
        ),
        # Chinese words
        ("他的對手機會多，用手機拍照", ["手機"]),
        ("商品和服务，長江大橋", ["大橋"]),
        ("一杯茶，茶叶和红茶", ["茶", "茶", "茶"]),
        ("敌军轰炸机场，两架轰炸机起飞；保送直升机会。直升机会起飞", ["轰炸机", "直升机"]),
        ("米哈伊尔•戈尔巴乔夫", ["米哈伊尔•戈尔巴乔夫"]),
        ("數據庫系統的資料", ["數據庫系統"]),
        ("对国家电网公司来说", ["国家电网公司"]),
        # what is no text
        ("jet\ud800jet 😀jet😀", ["jet", "jet", "jet"]),
        ("", []),
    ],
)
def test_what_is_found(matcher: Matcher, text: str, terms: list[str]) -> None:
    assert [text[hit.start : hit.end] for hit in matcher.find(text)] == terms


def test_a_hit_tells_every_word_that_stands_there_once() -> None:
    matcher = matcher_of("jet", "jets", "F-22", "F22", "AC", "ac")
    assert [hit.words for hit in matcher.find("jet jets F22 AC ac")] == [(0,), (1,), (3,), (4, 5), (5,)]


def test_a_label_that_ends_in_s_is_found_whole() -> None:
    text = "diabetes, hedge funds, a hedge fund"
    hits = matcher_of("diabetes", "hedge funds").find(text)
    assert [text[hit.start : hit.end] for hit in hits] == ["diabetes", "hedge funds", "hedge fund"]


def test_other_scripts_have_no_blanks_between_words() -> None:
    text = "カメラを買った 카메라를 กล้องดี"
    assert len(matcher_of("カメラ", "카메라", "กล้อง").find(text)) == 3


def test_offsets_lead_back_to_the_input() -> None:
    text = " \u200b a \r\n\r\n b  \u00adc"
    normal = normalise(text)
    assert normal.text == f" a{PARAGRAPH}b c"
    assert [text[normal.original(i)] for i in (1, 3, 5)] == ["a", "b", "c"]


def test_words_are_those_of_the_dictionary() -> None:
    assert cut("他的对手机会多abc") == ["他", "的", "对手", "机会", "多", "abc"]


@pytest.mark.parametrize(
    "text", ["手机" * 100_000, "jet-" * 20_000, "jet.a" * 20_000, " \n" * 100_000, "a.b@" * 50_000]
)
def test_long_hostile_texts_end(matcher: Matcher, text: str) -> None:
    assert len(matcher.find(text)) <= len(text)


def test_threads_read_the_same(matcher: Matcher) -> None:
    texts = ["我用4G手机，他用iPhone手机看fighter jets。" * 50] * 8
    with ThreadPoolExecutor(4) as threads:
        found = list(threads.map(matcher.find, texts))
    assert all(hits == found[0] for hits in found)
    assert len(found[0]) == 200


def marked(line: str, opening: str, closing: str) -> tuple[str, set[tuple[int, int]]]:
    """A sentence without its marks, and where they were."""
    text, spans = "", set()
    for piece in re.split(f"([{re.escape(opening + closing)}])", line):
        if piece == opening:
            start = len(text)
        elif piece == closing:
            spans.add((start, len(text)))
        else:
            text += piece
    return text, spans


def precision_and_recall(matcher: Matcher, sentences: list[tuple[str, set[tuple[int, int]]]]) -> tuple[float, float]:
    right = found = wanted = 0
    for text, gold in sentences:
        hits = {(hit.start, hit.end) for hit in matcher.find(text)}
        right, found, wanted = right + len(hits & gold), found + len(hits), wanted + len(gold)
    return right / found, right / wanted


def test_figures_on_the_chinese_sentences(shared: Path) -> None:
    folder = shared / "measure" / "terms"
    matcher = matcher_of(*(folder / "zh_lexicon.txt").read_text(encoding="utf-8").split(), language="zh")
    lines = (folder / "zh_sentences.txt").read_text(encoding="utf-8").splitlines()
    precision, recall = precision_and_recall(matcher, [marked(line.split("\t")[1], "【", "】") for line in lines])
    assert precision >= 0.97
    assert recall >= 0.98


@pytest.mark.parametrize("half", ["dev", "test", "later"])
def test_figures_on_concepts_of_one_sign(half: str) -> None:
    lexicon = "zh_later_lexicon.txt" if half == "later" else "zh_lexicon.txt"
    matcher = matcher_of(*(SENTENCES / lexicon).read_text(encoding="utf-8").split(), language="zh")
    lines = (SENTENCES / f"zh_{half}.txt").read_text(encoding="utf-8").splitlines()
    precision, recall = precision_and_recall(matcher, [marked(line.split("\t")[1], "【", "】") for line in lines])
    assert precision >= 0.97
    assert recall >= 0.96


@pytest.mark.parametrize(
    ("text", "terms"),
    [
        ("红酒、酒庄和酿酒；酒店的酒精", ["酒", "酒", "酒"]), ("图书馆的书记", ["书"]),
        ("火车和马车", ["车", "马", "车"]), ("木板两米长，一斤米，米饭", ["米", "米"]),
        ("一匹马，导演马丽，马教授", ["马"]), ("各部门；罗马；马上；花了三天", []),
        ("歌手段飞，歌手张山", ["歌手", "歌手"]),
    ],
)  # fmt: skip
def test_words_that_name_a_concept_of_one_sign(text: str, terms: list[str]) -> None:
    matcher = matcher_of(*"酒书车马米门花", "歌手", language="zh")
    assert [text[hit.start : hit.end] for hit in matcher.find(text)] == terms


def test_figures_on_the_english_sentences(shared: Path) -> None:
    folder = shared / "measure" / "terms"
    matcher = matcher_of(*(folder / "en_lexicon.txt").read_text(encoding="utf-8").splitlines(), language="en")
    lines = (folder / "en_sentences.txt").read_text(encoding="utf-8").split("\n")
    sentences = [marked(line.replace("\\n", "\n"), "[", "]") for line in lines]
    precision, recall = precision_and_recall(matcher, sentences)
    assert precision >= 0.97
    assert recall >= 0.99
