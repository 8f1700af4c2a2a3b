"""How rules learn: (feature, label) of fitted rows and the features of tested rows go in, their labels come out."""

from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import Any

from ..difficulty.masking import WORD

Counts = Sequence[Sequence[int]]  # what is counted of each option of a question


def lookup(fitted: Iterable[tuple[Hashable, Hashable]], tested: Iterable[Hashable]) -> list[Hashable]:
    """Answer each feature by its most common fitted label; an unknown feature gets the most common label of all."""
    labels: dict[Hashable, Counter[Hashable]] = defaultdict(Counter)
    all_labels: Counter[Hashable] = Counter()
    for feature, label in fitted:
        labels[feature][label] += 1
        all_labels[label] += 1
    return [labels.get(feature, all_labels).most_common(1)[0][0] for feature in tested]


def naive_bayes(fitted: Sequence[tuple[tuple[str, ...], bool]], tested: Sequence[tuple[str, ...]]) -> list[bool]:
    """Answer by a naive Bayes classifier of how often each feature of a row came with each label."""
    from sklearn.feature_extraction.text import CountVectorizer  # slow to import, and few commands fit
    from sklearn.naive_bayes import MultinomialNB

    rows, labels = zip(*fitted, strict=True)
    counts = CountVectorizer(analyzer=tuple)
    classifier = MultinomialNB().fit(counts.fit_transform(rows), labels)
    answers: list[bool] = classifier.predict(counts.transform(tested)).tolist()
    return answers


def tf_idf(fitted: Sequence[tuple[str, int]], tested: Sequence[str]) -> list[int]:
    """Answer by a logistic regression on the TF-IDF of words, also of one letter, and of pairs of words."""
    from sklearn.feature_extraction.text import TfidfVectorizer  # slow to import, and few commands fit
    from sklearn.linear_model import LogisticRegression
    from threadpoolctl import threadpool_limits

    texts, labels = zip(*fitted, strict=True)
    if len(set(labels)) == 1:
        return [labels[0]] * len(tested)
    weights = TfidfVectorizer(token_pattern=WORD.pattern, ngram_range=(1, 2))
    with threadpool_limits(1):  # on matrices as small as these, threads wait for one another
        regression = LogisticRegression(max_iter=1000, tol=1e-3).fit(weights.fit_transform(texts), labels)
        answers: list[int] = regression.predict(weights.transform(tested)).tolist()
    return answers


def most_like_right_ones(fitted: Sequence[tuple[Counts, int]], tested: Sequence[Counts]) -> list[int]:
    """Answer the place of the option that looks most like right ones of fitted questions, each with its right place.

    A logistic regression sees how far each count is above the average of the options. Without fitted questions the
    first option is answered.
    """
    from sklearn.linear_model import LogisticRegression

    return _likeliest(LogisticRegression(max_iter=1000), _above_average, fitted, tested)


def boosted_trees(fitted: Sequence[tuple[Counts, int]], tested: Sequence[Counts]) -> list[int]:
    """Answer as `most_like_right_ones` does, by boosted trees.

    They see each count, how far it is above the average, and how many options have less of it and as much.
    """
    from sklearn.ensemble import GradientBoostingClassifier

    trees = GradientBoostingClassifier(n_estimators=60, max_depth=3, random_state=0)
    return _likeliest(trees, _ranked, fitted, tested)


def _above_average(counts: Counts) -> Any:
    """Return a line of features for each option: how far each count is above the average of the options."""
    import numpy as np

    return np.subtract(counts, np.mean(counts, axis=0))


def _ranked(counts: Counts) -> Any:
    """Return a line of features for each option: each count, how far above the average it is, and its rank."""
    import numpy as np

    own, others = np.asarray(counts)[:, None], np.asarray(counts)[None, :]
    less, alike = (own > others).sum(axis=1), (own == others).sum(axis=1)
    return np.concatenate([own[:, 0], _above_average(counts), less, alike], axis=1)


def _likeliest(
    model: Any,
    features_of: Callable[[Counts], Any],
    fitted: Sequence[tuple[Counts, int]],
    tested: Sequence[Counts],
) -> list[int]:
    """Return the place of the option of each tested question that a model takes to be right most likely."""
    if not fitted:
        return [0] * len(tested)
    import numpy as np
    from threadpoolctl import threadpool_limits

    features = np.concatenate([features_of(counts) for counts, _ in fitted])
    labels = [option == place for counts, place in fitted for option in range(len(counts))]
    scale = features.std(axis=0) + 1e-9  # of what is the same in all options
    with threadpool_limits(1):  # on matrices as small as these, threads wait for one another
        model.fit(features / scale, labels)
        return [int(np.argmax(model.predict_proba(features_of(counts) / scale)[:, 1])) for counts in tested]
