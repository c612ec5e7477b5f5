"""`--segmenter hanlp` through the real `hanlp.load`, on a small model that is trained here: `make test-extras`."""

import os
from pathlib import Path

import pytest

from ontology.concepts import Concept, Label, Ontology
from ontology.errors import SettingsError
from ontology.lexicon.lexicon import Lexicon, build_lexicon
from semantic.segmentation.word_segmentation import open_segmenter
from semantic.terms.bag_of_words import WordReader
from semantic.terms.term_matching import Matcher

SENTENCES = """
他 对 手机 很 满意
商品 和 服务 行业
难得 的 对手 机会
这 是 手机
服务 很 满意
对手 很 满意
机会 很 难得
小红书 很 满意
这 是 小红书
难得 的 对手 机会 ， 商品 和 服务 行业 ， 小红书 很 满意 ， 他 对 手机 很 满意
"""


def lexicon_of(*labels: str) -> Lexicon:
    concepts = {label: Concept(label, labels=(Label(label, "zh"),)) for label in labels}
    return build_lexicon(Ontology("topic.owl", "turtle", concepts=concepts))


@pytest.fixture(scope="session")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One layer of 32 numbers that knows the sentences by heart."""
    os.environ.update(HF_HUB_OFFLINE="1", TRANSFORMERS_OFFLINE="1", HANLP_VERBOSE="0")
    from hanlp.components.tokenizers.transformer import TransformerTaggingTokenizer
    from transformers import BertConfig, BertModel, BertTokenizerFast

    folder = tmp_path_factory.mktemp("hanlp")
    text = folder / "sentences.txt"
    text.write_text(SENTENCES.strip() + "\n", encoding="utf-8")
    signs = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *sorted(set(SENTENCES) - set(" \n"))]
    (folder / "signs.txt").write_text("\n".join(signs), encoding="utf-8")
    shape = {"hidden_size": 32, "num_hidden_layers": 1, "num_attention_heads": 2, "intermediate_size": 64}
    shape |= {"hidden_dropout_prob": 0.0, "attention_probs_dropout_prob": 0.0}
    BertModel(BertConfig(vocab_size=len(signs), **shape)).save_pretrained(folder / "bert")
    BertTokenizerFast(vocab_file=str(folder / "signs.txt")).save_pretrained(folder / "bert")
    rates = {"lr": 1e-2, "transformer_lr": 1e-2, "warmup_steps": 0.1, "word_dropout": 0.0, "batch_size": 4}
    TransformerTaggingTokenizer().fit(
        *(str(text), str(text), str(folder / "model")),
        transformer=str(folder / "bert"),
        epochs=60,
        eval_trn=False,
        devices=-1,
        seed=1,
        **rates,
    )
    return folder / "model"


def test_the_model_cuts_and_nothing_is_lost(model: Path) -> None:
    segmenter = open_segmenter(f"hanlp:{model}", lexicon_of("手机"))
    texts = ["他对手机很满意", "", "   ", " 这是 手机 ", "他对手机很满意"]
    assert segmenter(texts) == [
        ["他", "对", "手机", "很", "满意"],
        [],
        ["   "],
        [" ", "这", "是", " ", "手机", " "],
        ["他", "对", "手机", "很", "满意"],
    ]


def test_words_of_the_ontology_join_and_never_cut(model: Path) -> None:
    segmenter = open_segmenter(f"hanlp:{model}", lexicon_of("服务行业", "和服"))
    assert segmenter(["商品和服务行业"]) == [["商品", "和", "服务行业"]]


def test_matching_asks_the_model(model: Path) -> None:
    lexicon = lexicon_of("手机", "和服", "书", "机会")
    matcher = Matcher(lexicon, open_segmenter(f"hanlp:{model}", lexicon))
    text = "难得的对手机会，商品和服务行业，小红书很满意，他对手机很满意"
    assert [text[hit.start : hit.end] for hit in matcher.find(text)] == ["机会", "书", "手机"]


def test_strategies_count_the_words_of_the_model(model: Path) -> None:
    words = WordReader(open_segmenter(f"hanlp:{model}", lexicon_of("手机")))
    assert words.of_text("小红书很满意 green tea") == {"小红书": 1, "满意": 1, "green": 1, "tea": 1}


def test_a_broken_model_says_what_is_wrong(tmp_path: Path) -> None:
    for name in ("config.json", "vocabs.json", "model.pt"):
        (tmp_path / name).write_text("{}", encoding="utf-8")
    with pytest.raises(SettingsError, match="cannot be loaded"):
        open_segmenter(f"hanlp:{tmp_path}", lexicon_of("手机"))
