"""What may stand after --segmenter; the real HanLP is tried by tests/extras."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from cli.settings import DEFAULT_SEGMENTER
from ontology.concepts import Concept, Label, Ontology
from ontology.errors import SettingsError
from ontology.lexicon.lexicon import build_lexicon
from semantic.segmentation.word_segmentation import DICTIONARY, check_segmenter, open_segmenter
from semantic.terms.bag_of_words import WordReader
from semantic.terms.term_matching import Matcher

LEXICON = build_lexicon(Ontology("t.owl", "turtle", concepts={"a": Concept("a", labels=(Label("手机", "zh"),))}))


def by_twos(texts: Sequence[str]) -> list[list[str]]:
    return [[text[i : i + 2] for i in range(0, len(text), 2)] for text in texts]


def test_the_default_is_the_same_everywhere() -> None:
    assert DEFAULT_SEGMENTER == DICTIONARY
    assert open_segmenter(DICTIONARY, LEXICON)(["对手机会"]) == [["对手", "机会"]]


@pytest.mark.parametrize("name", ["jieba", "hanlp:", "dictionary:x", ""])
def test_another_segmenter_is_refused(name: str) -> None:
    with pytest.raises(SettingsError, match="no segmenter is called") as error:
        check_segmenter(name)
    assert "hanlp:DIR" in error.value.cure


def test_without_hanlp_or_its_model_the_cure_is_told(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="--segmenter hanlp: ") as error:
        open_segmenter(f"hanlp:{tmp_path}", LEXICON)
    assert "ontocrawl[hanlp]" in error.value.cure or "hanlp:DIR" in error.value.cure


def test_matching_and_counting_ask_the_segmenter_given() -> None:
    assert Matcher(LEXICON, by_twos).find("我的手机") == Matcher(LEXICON).find("我的手机")
    assert Matcher(LEXICON).find("买手机时")
    assert not Matcher(LEXICON, by_twos).find("买手机时")  # 买手|机时
    assert WordReader(by_twos).of_text("打手机会") == {"打手": 1, "机会": 1}
