"""The one door to scikit-learn. Its models are fitted here; what they mean is told where they are used."""


def english_stop_words() -> frozenset[str]:
    """The 318 English stop words that scikit-learn keeps."""
    from sklearn.feature_extraction.text import ENGLISH_STOP_WORDS  # type: ignore[import-untyped]

    return frozenset(ENGLISH_STOP_WORDS)
