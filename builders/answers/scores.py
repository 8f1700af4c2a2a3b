"""Own what a model answered: which choice a reply names, how often the choices are right, and what that depends on.

**Reading.** A reply is read by rules, the same for every model. What stands before the last `</think>` is dropped, and
so are emphasis, quotes, `\boxed{}` and other mark-up; a container is known in any case, with spaces, hyphens or
underscores between its words. Then:

1. A *statement* says what the answer is: the reply begins with a choice; a line holds only a choice, or begins with a
   letter and its container; or a sentence says "answer", "final answer", "best option", "my choice", "conclusion is"
   (MindGames also "the hypothesis", "the statement") and then a choice, on the next line where its own has no more.
   Choices in a list, one line after another, are none, nor is what is denied ("the answer is not B").
2. The last statement counts, as what comes after it is an explanation and what came before was revised. A reply whose
   statements differ is counted as *revised*.
3. A statement of several choices ("B or C") or of none ("none of the above", "cannot be determined", "E. None of the
   above", a letter that no choice has) counts as such: the reply is unread.
4. Without a statement, letters that stand with their containers decide if all are of one choice. Else the last
   concluding sentence ("therefore", "so", "in summary", "most likely", …), else the last that names a choice; where it
   names several, what stands before "because", "as", "not", … decides. A sentence that says it cannot be known is one
   that names none.
5. Where a letter and its container contradict, the container counts: the question asks where, and the letter is only
   looked up. This is counted as *contradicting*. A letter with a container that is no choice is unread.
6. Where a reply goes on with another "Question:" after its answer, as base models do, that is not read.
7. A letter alone is an answer only where one is expected: alone on a line or at the start of the reply, after "answer
   is", "option" or a colon. "A" and "I" must be followed by punctuation, the end, or "because".

MindGames: the choices are *entailment* (true, yes, entailed, follows, holds) and *not_entailment* (false, no, not
entailed, does not follow, contradiction, neutral, cannot be inferred); a negation turns one into the other; "True or
False?" and the like are dropped as an echo, and what is said under "if" or "whether" is not said.

What no rule reads is **unread**: it is shown with the reason, and scored wrong.

**Scoring.** Accuracy, and the strict metric: a question of Hi-ToM counts in *joint accuracy* when it and all lower
orders of its story are right (He et al., section 4.3), a problem of MindGames in *block accuracy* when all four of its
block are. Intervals are percentiles of a bootstrap over stories or blocks: they are drawn anew, with all their
questions and prompts.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from statistics import quantiles
from typing import Any

from builders.answers.containers import read_container
from builders.answers.labels import read_label
from builders.answers.rates import Bootstrap, Given, Rate, Table
from builders.answers.replies import Asked

JOINT = {"hi_tom": "joint accuracy", "mindgames": "block accuracy"}
"""The strict metric of each dataset."""


BY_LENGTH, BY_CLAIMS = "joint accuracy by length and order", "joint accuracy by claims and order"


SAME, OWN = "accuracy where the answer is that of order 1", "answers that are those of order 1"
"""The analyses of the Hi-ToM paper."""


@dataclass(frozen=True, slots=True)
class Score:
    """Hold what was measured under one prompt: tables by property, and the papers' analyses.

    ends: for "first" and "last" the counts [[right, wrong] where the answer is that container, where it is another].
    """

    given: Sequence[Given]
    tables: Mapping[str, Table]
    analyses: Mapping[str, Table] = field(default_factory=dict)
    ends: Mapping[str, Sequence[Sequence[int]]] = field(default_factory=dict)


def read_all(name: str, asked: Asked, texts: Mapping[tuple[str | None, str], str]) -> list[Given]:
    """Read the replies to items, and see which are right."""
    readings = {
        key: read_label(texts[key]) if name == "mindgames" else read_container(texts[key], item.choices)
        for key, item in asked.items()
    }
    beside: dict[tuple[str | None, str | None], dict[int, bool]] = defaultdict(dict)
    for key, item in asked.items():
        beside[item.prompt, item.unit][item.place] = readings[key].choice == item.answer
    given = []
    for key, item in asked.items():
        unit = beside[item.prompt, item.unit]
        strict = None
        if item.needs is not None and all(place in unit for place in item.needs):
            strict = unit[item.place] and all(unit[place] for place in item.needs)
        given.append(Given(item, readings[key], texts[key], strict))
    return given


def score(name: str, asked: Asked, texts: Mapping[tuple[str | None, str], str]) -> dict[str, Score]:
    """Read and score the replies of each prompt; of several prompts also a table that compares them, under ""."""
    given = read_all(name, asked, texts)
    drawn = Bootstrap(name, (each.item.unit for each in given))
    prompts: dict[str, list[Given]] = defaultdict(list)
    for each in given:
        prompts[each.item.prompt or "all"].append(each)
    scores = {prompt: _score(name, of, drawn) for prompt, of in prompts.items()}
    if len(prompts) > 1:
        compared = {
            **{prompt: _rates(name, of, drawn) for prompt, of in prompts.items()},
            "all": _rates(name, given, drawn),
        }
        scores = {"": Score(given, {"prompt": compared}), **scores}
    return scores


def _rates(name: str, given: Sequence[Given], drawn: Bootstrap) -> dict[str, Rate]:
    return drawn.rates(
        {
            "accuracy": [(each.item, each.right) for each in given],
            JOINT[name]: [(each.item, each.strict) for each in given if each.strict is not None],
            "unread": [(each.item, each.reading.choice is None) for each in given],
        }
    )


def _grouped(given: Iterable[Given], by: Callable[[Given], Hashable]) -> dict[Hashable, list[Given]]:
    groups: dict[Hashable, list[Given]] = defaultdict(list)
    for each in given:
        if (group := by(each)) is not None:
            groups[group].append(each)
    return dict(sorted(groups.items(), key=lambda group: _natural(group[0])))


def _natural(group: str) -> list[tuple[int, str]]:
    """Return what puts "agents 10" behind "agents 9"."""
    return [(int(part), "") if part.isdecimal() else (0, part) for part in re.split(r"(\d+)", group)]


def _score(name: str, given: Sequence[Given], drawn: Bootstrap) -> Score:
    """Score the replies of one prompt."""
    tables: dict[str, Table] = {"all": {"all": _rates(name, given, drawn)}}
    for by in given[0].item.groups:
        if groups := _grouped(given, lambda each, by=by: each.item.groups[by]):
            tables[by] = {group: _rates(name, of, drawn) for group, of in groups.items()}
    if quarters := quartiles([each.item.difficulty for each in given]):
        of = _grouped(given, lambda each: quarters(each.item.difficulty))
        tables["difficulty"] = {group: _rates(name, each, drawn) for group, each in of.items()}
    if name == "mindgames":
        return Score(
            given,
            tables,
            {setup: _by(name, of, drawn, "agents") for setup, of in _grouped(given, _group("setup")).items()},
        )
    return Score(given, tables, _analyses(given, drawn), _ends(given))


def _group(by: str) -> Callable[[Given], str | None]:
    return lambda each: each.item.groups[by]


def _by(name: str, given: Sequence[Given], drawn: Bootstrap, by: str) -> Table:
    return {group: _rates(name, of, drawn) for group, of in _grouped(given, _group(by)).items()}


def quartiles(difficulties: Sequence[float | None]) -> Callable[[float | None], str | None] | None:
    """Return what names the quarter of a difficulty among those known, None where fewer than four are."""
    known = [difficulty for difficulty in difficulties if difficulty is not None]
    if len(known) < 4:
        return None
    cuts = quantiles(known, n=4, method="inclusive")

    def quarter(difficulty: float | None) -> str | None:
        if difficulty is None:
            return None
        place = sum(difficulty > cut for cut in cuts)
        low, high = [min(known), *cuts, max(known)][place : place + 2]
        return f"quarter {place + 1}: {low:.2f} to {high:.2f}"

    return quarter


def _analyses(given: Sequence[Given], drawn: Bootstrap) -> dict[str, Table]:
    """Return what the Hi-ToM paper draws (Figures 3, 4 and 6), and how often own answers are the first-order one."""

    def joint(of: Iterable[Given]) -> dict[str, Rate]:
        of = _grouped((each for each in of if each.strict is not None), _group("order"))
        return drawn.rates({order: [(each.item, bool(each.strict)) for each in rows] for order, rows in of.items()})

    analyses = {}
    for deception, rows in _grouped(given, _group("deception")).items():
        table = {length: joint(of) for length, of in _grouped(rows, _group("length")).items()}
        analyses[f"{BY_LENGTH}, {deception}"] = table
    claims = {claims: joint(of) for claims, of in _grouped(given, _group("claims")).items()}
    if claims:
        analyses[BY_CLAIMS] = claims
    firsts = {each.item.unit: each for each in given if each.item.place == 1}
    same, own = {}, {}
    for order, rows in _grouped(given, _group("order")).items():
        pairs = [(each, firsts[each.item.unit]) for each in rows if each.item.place > 1 and each.item.unit in firsts]
        if not pairs:
            continue
        alike = [one.item.choices[one.item.answer] == first.item.choices[first.item.answer] for one, first in pairs]
        same[order] = drawn.rates(
            {
                what: [(one.item, one.right) for (one, _), equal in zip(pairs, alike, strict=True) if equal is wanted]
                for what, wanted in (("answer as of order 1", True), ("another answer", False))
            }
        )
        own[order] = drawn.rates(
            {
                "own answer as own of order 1": [(a.item, a.said == b.said) for a, b in pairs if a.said and b.said],
                "right answer as right of order 1": [
                    (one.item, equal) for (one, _), equal in zip(pairs, alike, strict=True)
                ],
            }
        )
    return {**analyses, SAME: same, OWN: own}


def _ends(given: Sequence[Given]) -> dict[str, list[list[int]]]:
    """Return the tables of Figure 5 for the longest stories: right or not, where the answer is an end or not."""
    longest = max(each.item.groups["length"] for each in given)
    rows = [each for each in given if each.item.groups["length"] == longest and each.item.ends]
    counts = {}
    for place, end in enumerate(("first", "last")):
        found = Counter((each.item.ends[place], each.right) for each in rows)
        counts[f"{end} container, {longest}"] = [[found[at, right] for right in (True, False)] for at in (True, False)]
    return counts


def spelled(scores: Mapping[str, Score]) -> dict[str, Any]:
    """Return scores as JSON has them."""

    def of(tables: Mapping[str, Table]) -> dict:
        return {
            title: {
                group: {
                    what: {
                        "share": rate.share,
                        "low": rate.low,
                        "high": rate.high,
                        "right": rate.right,
                        "rows": rate.total,
                    }
                    for what, rate in rates.items()
                }
                for group, rates in table.items()
            }
            for title, table in tables.items()
        }

    return {
        prompt or "prompts": {
            "tables": of(each.tables),
            "analyses": of(each.analyses),
            "ends": dict(each.ends),
            "read": counted(each.given),
        }
        for prompt, each in scores.items()
    }


def counted(given: Iterable[Given]) -> dict[str, Any]:
    """Return how replies were read: the unread ones by their reason, those that contradict or revise themselves."""
    given = list(given)
    return {
        "replies": len(given),
        "unread": dict(Counter(each.reading.why for each in given if each.reading.choice is None)),
        "contradicting": sum(each.reading.contradicts for each in given),
        "revised": sum(each.reading.revised for each in given),
    }


def unread(given: Iterable[Given]) -> list[dict[str, str | None]]:
    """Return the replies that no rule reads, with the reason."""
    return [
        {"id": each.item.id, "prompt": each.item.prompt, "why": each.reading.why, "response": each.text}
        for each in given
        if each.reading.choice is None
    ]
