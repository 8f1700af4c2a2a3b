"""Own what could be guessed without reading: rules that name an answer from a glance, and the gates they must fail.

Both datasets: *majority* and *letter* always give the most common answer of the group, counted in the measured rows;
*TF-IDF* is a logistic regression on words and pairs of words; all rules of `METHODS` are fitted on other rows;
*probe* is the difficulty model's prediction.

Hi-ToM: a rule looks at the formal story and the chain; it has no guess where what it looks for is not there, and that
counts as wrong. Gated rules look only at places and claims; the others are shown beside them: *last but one* is the
last but one line that places or moves the thing, *their first move* the first move of it by an agent of the chain; and
in a story of one chapter without claims *first leaver*, *set of agents* and *one order lower* are nearly the semantics.
*question alone*, *story alone* and *TF-IDF* see the text as the probe does (see `difficulty`), and give the container
by its place among those that the text has.

MindGames: *hypothesis alone* and *premise alone* answer a text by its most common label elsewhere, *name announced* by
whether an announcement names somebody whom the hypothesis names, *sentence by sentence* counts which sentences came
with which label of which hypothesis; *TF-IDF* sees the names masked, *TF-IDF, names numbered* who is who; the other
rules forget what is announced, who sees what, or in what order it was said.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterable, Sequence
from math import log

from builders.audit.problems import Posed
from builders.audit.shares import Answered
from builders.audit.stories import Asked


def answer(tested: Sequence["Asked | Posed"], fitted: Sequence["Asked | Posed"] = ()) -> list[Answered]:
    """Return what the rules make of rows; those of METHODS are fitted on others, and left out where there are none."""
    seen = [row.seen() for row in tested]
    known = [(row.seen(), row.label) for row in fitted if row.label is not None]
    learnt = {
        rule: METHODS[rule]([(each[rule], label) for each, label in known], [each[rule] for each in seen])
        for rule in (seen[0] if seen and known else ())
    }
    return [
        Answered(
            row.group,
            row.chance,
            row.common,
            {rule: answers[place] == row.label for rule, answers in learnt.items()} | row.right(),
        )
        for place, row in enumerate(tested)
    ]


def crossed(rows: Sequence["Asked | Posed"]) -> list[Answered]:
    """Answer each half of the rows, fitted on the other.

    The halves take in turn the stories, with all their questions, or four problems that follow one another, as blocks.
    """
    units = [row.story if isinstance(row, Asked) else place // 4 for place, row in enumerate(rows)]
    number = {unit: place for place, unit in enumerate(dict.fromkeys(units))}
    even, odd = ([row for row, unit in zip(rows, units, strict=True) if number[unit] % 2 == half] for half in (0, 1))
    return answer(even, odd) + answer(odd, even)


def lookup(fitted: Iterable[tuple[Hashable, Hashable]], tested: Iterable[Hashable]) -> list[Hashable]:
    """Answer each by its most common label among those fitted, an unknown one by that of them all."""
    labels: dict[Hashable, Counter[Hashable]] = defaultdict(Counter)
    everything: Counter[Hashable] = Counter()
    for seen, label in fitted:
        labels[seen][label] += 1
        everything[label] += 1
    return [labels.get(seen, everything).most_common(1)[0][0] for seen in tested]


def naive_bayes(fitted: Iterable[tuple[tuple[str, ...], bool]], tested: Iterable[tuple[str, ...]]) -> list[bool]:
    """Answer by how often each feature of a problem came with each label, as if they were independent."""
    counts: dict[str, list[int]] = defaultdict(lambda: [1, 1])
    for features, label in fitted:
        for feature in features:
            counts[feature][label] += 1
    odds = {feature: log(true / false) for feature, (false, true) in counts.items()}
    return [sum(odds.get(feature, 0.0) for feature in features) > 0 for features in tested]


def tf_idf(fitted: Sequence[tuple[str, int]], tested: Sequence[str]) -> list[int]:
    """Answer by a logistic regression on the TF-IDF of words and pairs of words, also of one letter."""
    from sklearn.feature_extraction.text import TfidfVectorizer  # slow to import, and few commands fit
    from sklearn.linear_model import LogisticRegression

    texts, labels = zip(*fitted, strict=True)
    if len(set(labels)) == 1:
        return [labels[0]] * len(tested)
    words = TfidfVectorizer(token_pattern=r"\w+", ngram_range=(1, 2))
    regression = LogisticRegression(max_iter=1000, tol=1e-3).fit(words.fit_transform(texts), labels)
    return regression.predict(words.transform(tested)).tolist()


METHODS: dict[str, Callable[[Sequence, Sequence], list]] = {
    "question alone": tf_idf,
    "story alone": tf_idf,
    "hypothesis alone": lookup,
    "premise alone": lookup,
    "name announced": lookup,
    "TF-IDF": tf_idf,
    "TF-IDF, names numbered": tf_idf,
    "sentence by sentence": naive_bayes,
}
"""What each rule that learns does with what `seen` says it sees."""
