"""Chinese words by a model of HanLP 2.1 (`pip install ontocrawl[hanlp]`), loaded from a folder.

The ontology's words go into `dict_combine`, which joins words of the model. `dict_force` would split the raw text first
and make 商品/和服/务/行业 of 商品和服务行业: the lexicon must not set word borders (`term_matching`).
"""

import os
from collections.abc import Sequence, Set
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from ontology.errors import SettingsError
from ontology.messages import joined, message

_PUBLISHED = Path("tok", "coarse_electra_small_20220616_012050")  # HanLP's COARSE_ELECTRA_SMALL_ZH, below $HANLP_HOME
_FILES = ("config.json", "vocabs.json", "model.pt")
_AT_ONCE = 32  # texts in one batch: 1.4 times as fast as one by one; larger batches are not faster


class HanlpSegmenter:
    """A segmenter: called with folded texts, it gives for each its words and what stands between them."""

    def __init__(self, folder: str, words: Set[str]) -> None:
        """`folder`: of the model, "" for HanLP's own. Raises SettingsError if HanLP or the model is missing."""
        self._model = _load(Path(folder) if folder else _home() / _PUBLISHED)
        self._model.dict_combine = {word for word in words if len(word) > 1}
        self._model.config.output_spans = True

    def __call__(self, texts: Sequence[str]) -> list[list[str]]:
        """The words of each text; joined together they are the text."""
        asked = [text for text in dict.fromkeys(texts) if not text.isspace() and text]
        spans = dict(zip(asked, self._model(asked, batch_size=_AT_ONCE), strict=True)) if asked else {}
        return [_with_gaps(text, spans.get(text, [])) for text in texts]


def _with_gaps(text: str, spans: Sequence[tuple[str, int, int]]) -> list[str]:
    """The model's words; what it left out (blanks) becomes words of its own."""
    words, end = [], 0
    for _, start, stop in spans:
        words += [text[end:start], text[start:stop]]
        end = stop
    return [word for word in [*words, text[end:]] if word]


def _load(folder: Path) -> Any:
    if find_spec("hanlp") is None:
        raise SettingsError(
            "--segmenter hanlp: HanLP is not installed",
            "pip install 'ontocrawl[hanlp]', after a PyTorch for this machine; or take --segmenter dictionary",
        )
    missing = [name for name in _FILES if not (folder / name).is_file()]
    if missing:
        raise SettingsError(
            message("--segmenter hanlp: {folder} lacks {missing}", folder=folder, missing=joined(missing)),
            "unpack HanLP's model COARSE_ELECTRA_SMALL_ZH there, or name a model's folder: --segmenter hanlp:DIR",
        )
    # environment variables that are read at import
    os.environ.update(HF_HUB_OFFLINE="1", TRANSFORMERS_OFFLINE="1", HANLP_VERBOSE="0")
    import hanlp  # type: ignore[import-not-found,import-untyped,unused-ignore]  # an extra

    try:
        return hanlp.load(str(folder), devices=-1)
    except Exception as error:  # a model's files can make its libraries raise anything
        raise SettingsError(
            message(
                "--segmenter hanlp: the model in {folder} cannot be loaded: {name}: {error}",
                folder=folder,
                name=type(error).__name__,
                error=error,
            ),
            message(
                "what its config.json calls transformer must be a folder, or stand in {home}",
                home=_home() / "transformers",
            ),
        ) from error


def _home() -> Path:
    return Path(os.environ.get("HANLP_HOME") or Path.home() / ".hanlp")
