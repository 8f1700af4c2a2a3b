"""The rules that learn from other rows, and how all rules are measured: on held-out rows, or by halves."""

from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterable, Sequence
from math import log
from typing import TYPE_CHECKING, Any

from ..difficulty.masking import WORD
from .problems import AuditedProblem
from .shares import Outcomes
from .stories import AuditedQuestion

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix

AuditedRow = AuditedQuestion | AuditedProblem


def apply_rules(tested: Sequence[AuditedRow], fitted: Sequence[AuditedRow] = ()) -> list[Outcomes]:
    """Return what the rules make of the tested rows; those of LEARNERS learn from the fitted rows.

    Rules that learn are left out where no row is fitted.
    """
    features = [row.features() for row in tested]
    lessons = [(row.features(), row.label) for row in fitted if row.label is not None]
    predictions = {
        rule: LEARNERS[rule]([(seen[rule], label) for seen, label in lessons], [seen[rule] for seen in features])
        for rule in (features[0] if features and lessons else ())
    }
    return [
        Outcomes(
            row.group,
            row.chance,
            row.constant_answers,
            {rule: labels[place] == row.label for rule, labels in predictions.items()} | row.outcomes(),
        )
        for place, row in enumerate(tested)
    ]


def cross_validated(rows: Sequence[AuditedRow]) -> list[Outcomes]:
    """Return what the rules make of each half of the rows, learnt from the other half.

    A story stays in one half with all its questions, and so do four problems that follow one another, as in a block.
    """
    units = [row.story if isinstance(row, AuditedQuestion) else place // 4 for place, row in enumerate(rows)]
    number = {unit: place for place, unit in enumerate(dict.fromkeys(units))}
    even, odd = ([row for row, unit in zip(rows, units, strict=True) if number[unit] % 2 == half] for half in (0, 1))
    return apply_rules(even, odd) + apply_rules(odd, even)


def lookup(fitted: Iterable[tuple[Hashable, Hashable]], tested: Iterable[Hashable]) -> list[Hashable]:
    """Answer each feature by its most common fitted label; an unknown feature gets the most common label of all."""
    labels: dict[Hashable, Counter[Hashable]] = defaultdict(Counter)
    all_labels: Counter[Hashable] = Counter()
    for feature, label in fitted:
        labels[feature][label] += 1
        all_labels[label] += 1
    return [labels.get(feature, all_labels).most_common(1)[0][0] for feature in tested]


def naive_bayes(fitted: Iterable[tuple[tuple[str, ...], bool]], tested: Iterable[tuple[str, ...]]) -> list[bool]:
    """Answer by how often each feature of a row came with each label, as if features were independent."""
    counts: dict[str, list[int]] = defaultdict(lambda: [1, 1])
    for features, label in fitted:
        for feature in features:
            counts[feature][label] += 1
    log_odds = {feature: log(true / false) for feature, (false, true) in counts.items()}
    return [sum(log_odds.get(feature, 0.0) for feature in features) > 0 for features in tested]


def tf_idf(fitted: Sequence[tuple[str, int]], tested: Sequence[str]) -> list[int]:
    """Answer by a logistic regression on the TF-IDF of words, also of one letter, and of pairs of words."""
    from sklearn.feature_extraction.text import TfidfTransformer  # slow to import, and few commands fit
    from sklearn.linear_model import LogisticRegression
    from threadpoolctl import threadpool_limits

    texts, labels = zip(*fitted, strict=True)
    if len(set(labels)) == 1:
        return [labels[0]] * len(tested)
    counts = count_words([*texts, *tested])
    ours, others = counts[: len(texts)], counts[len(texts) :]
    known = ours.getnnz(axis=0) > 0
    weights = TfidfTransformer()
    with threadpool_limits(1):  # on matrices as small as these, threads wait for one another
        regression = LogisticRegression(max_iter=1000, tol=1e-3).fit(weights.fit_transform(ours[:, known]), labels)
    return regression.predict(weights.transform(others[:, known])).tolist()


def count_words(texts: Sequence[str]) -> "csr_matrix":
    """Count the words and pairs of words of each text, as a sparse matrix: a row for each text."""
    import numpy as np
    from scipy.sparse import csr_matrix

    number: dict[str, int] = defaultdict(lambda: len(number))
    words = [np.array([number[word] for word in WORD.findall(text.lower())], dtype=np.int64) for text in texts]
    n_words = len(number)
    features = [np.concatenate([of, n_words + of[:-1] * n_words + of[1:]]) for of in words]
    columns = np.unique(np.concatenate(features), return_inverse=True)[1]
    ends = np.cumsum([0, *map(len, features)])
    counts = csr_matrix((np.ones(len(columns)), columns, ends))
    counts.sum_duplicates()
    return counts


LEARNERS: dict[str, Callable[[Sequence, Sequence], list]] = {
    "question alone": tf_idf,
    "story alone": tf_idf,
    "hypothesis alone": lookup,
    "premise alone": lookup,
    "name announced": lookup,
    "TF-IDF": tf_idf,
    "TF-IDF, names numbered": tf_idf,
    "sentence by sentence": naive_bayes,
    "set of sentences": lookup,
    **dict.fromkeys(("first sentence", "last sentence", "placed sentences", "ordered pairs"), naive_bayes),
}
"""How each rule that learns turns ((feature, label) of fitted rows, features of tested rows) into labels."""


def outcomes_of_test(questions: Callable[..., list], build: Any, config: str, learn: bool) -> list[Outcomes]:
    """Return what the rules answer on the test file of a folder of files, such as an order or a setup.

    questions: returns what the rules see of a file of the build, and with `learn` what rules that learn see.
    """
    tested, train = questions(build, f"{config}/test.parquet", learn), f"{config}/train.parquet"
    if tested and not tested[0].features():  # nothing learns
        return apply_rules(tested)
    if train not in build.files:
        return cross_validated(tested)
    fitted = questions(build, train, learn)
    outcomes = []
    for group in dict.fromkeys(row.group for row in tested):
        ours, others = ([row for row in rows if row.group == group] for rows in (tested, fitted))
        outcomes += apply_rules(ours, others)
    return outcomes
