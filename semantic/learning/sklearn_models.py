"""The only file that imports scikit-learn. Its models are fitted here; the callers say what they mean."""

from collections.abc import Callable, Sequence
from math import exp

Decision = Callable[[Sequence[float]], float]


def fit_svm(samples: Sequence[Sequence[float]], marks: Sequence[bool]) -> Decision:
    """Fit a support vector machine with a Gaussian kernel on standardised features. The decision is above 0 for True.

    It is sum_i a_i exp(-gamma |x - x_i|^2) + b over the support vectors x_i, computed here without scikit-learn, which
    takes a hundred times as long for a single x.
    """
    from sklearn.preprocessing import StandardScaler  # type: ignore[import-untyped]
    from sklearn.svm import SVC  # type: ignore[import-untyped]

    scaler = StandardScaler().fit(samples)
    model = SVC(kernel="rbf", class_weight="balanced", gamma=1 / len(samples[0])).fit(scaler.transform(samples), marks)
    vectors = list(zip(model.dual_coef_[0].tolist(), model.support_vectors_.tolist(), strict=True))
    means, scales, b = scaler.mean_.tolist(), scaler.scale_.tolist(), float(model.intercept_[0])

    def decide(sample: Sequence[float]) -> float:
        x = [(value - mean) / scale for value, mean, scale in zip(sample, means, scales, strict=True)]
        near = ((a, sum((one - other) ** 2 for one, other in zip(x, v, strict=True))) for a, v in vectors)
        return b + sum(float(a) * exp(-square / len(x)) for a, square in near)

    return decide
