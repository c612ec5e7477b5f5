"""The one door to scikit-learn. Its models are fitted here; what they mean is told where they are used."""

from collections.abc import Callable, Mapping, Sequence

Classifier = Callable[[Sequence[Mapping[str, int]]], list[dict[str, float]]]


def fit_multinomial(counts: Mapping[str, Mapping[str, int]], priors: Mapping[str, float]) -> Classifier:
    """Multinomial naive Bayes, Laplace smoothing, from the words of each class: class -> word -> occurrences.

    The classifier gives class -> posterior for each document (word -> occurrences); words of no class are passed over.
    """
    from sklearn.feature_extraction import DictVectorizer  # type: ignore[import-untyped]
    from sklearn.naive_bayes import MultinomialNB  # type: ignore[import-untyped]

    classes = sorted(counts)
    vectorizer = DictVectorizer()
    model = MultinomialNB(alpha=1.0, class_prior=[priors[name] for name in classes])
    model.fit(vectorizer.fit_transform([counts[name] for name in classes]), classes)

    def classify(documents: Sequence[Mapping[str, int]]) -> list[dict[str, float]]:
        posteriors = model.predict_proba(vectorizer.transform(documents)).tolist()
        return [dict(zip(classes, row, strict=True)) for row in posteriors]

    return classify
