"""The way back from the English of puzzles in rounds: a premise and a hypothesis become a `Puzzle` and a `Supposed`.

Each kind of sentence has one pattern in `english.txt`.
"""

import re
from collections.abc import Sequence

from ..syntax.formula import Atom, Formula, Knows, Not, agent_name
from ..syntax.rounds import First, Later, Puzzle, Supposed
from .english import NAME, ReadError, pattern, pattern_of, table

_NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_BEHIND = ("common", "law", "fact", "asked", "answered")  # the sentences behind those on who sees whom
_LAWS = ("parity", "between", "at least", "at most", "either")


def _refused(refusal: str, **facts: object) -> ReadError:
    """Return the error for a sentence that no puzzle has; `english.txt` has its words."""
    return ReadError(dict(table("refusal"))[refusal].format(**facts))


def is_puzzle(premise: str) -> bool:
    """Return whether the first sentence of a premise is one with which puzzles in rounds begin."""
    return bool(pattern_of("puzzle", "persons").match(premise))


def read_puzzle(premise: str, hypothesis: str, names: Sequence[str]) -> tuple[Puzzle, Supposed]:
    """Return the puzzle that a premise says, and what a hypothesis says of it; persons are numbered as in `names`.

    Raises ReadError, which quotes the sentence, for anything but the sentences of puzzles, and for contradictions.
    """
    said_in_all = re.split(r"(?<=\.) ", premise)
    first, introduction, unseen = (*said_in_all, "", "")[:3]
    sentences = said_in_all[3:]
    words = {(mark[1], mark[2]): mark for mark in table("mark")}
    match = _matched("persons", first)
    persons = _names(match["agents"])
    if persons != [*names] or _number(match["count"], first) != len(persons) or len({*persons}) < len(persons):
        raise _refused("unfit", sentence=first, why="these are not its names, each once", names=", ".join(names))
    if (introduction, unseen) not in words:
        raise _refused("puzzle", wanted="setup", sentence=f"{introduction} {unseen}")
    setup, _, _, seen, one, many = words[introduction, unseen]
    so = {one, many}
    sees = []
    for person, sentence in zip(persons, sentences, strict=False):
        match = _matched("sees", sentence)
        if match["agent"] != person or not pattern(seen).fullmatch(match["seen"]):
            raise _refused("unfit", sentence=sentence, why=f"it must say what {person} sees", names=", ".join(names))
        sees.append(tuple(sorted([_place(name, names, sentence) for name in _names(match["agents"] or "")])))
    rest = sentences[len(persons) :]
    if len(rest) != len(_BEHIND):
        raise _refused("puzzle", wanted=_BEHIND[min(len(rest), len(_BEHIND) - 1)], sentence=premise[-100:])
    _, law, fact, asked, _ = (_matched(name, sentence) for name, sentence in zip(_BEHIND, rest, strict=True))
    marked = tuple(sorted([_place(name, names, fact[0]) for name in _names(fact["agents"] or "")]))
    counts = _counts(law, len(persons))
    said = {law["so"], fact["so"] or fact["unso"], asked["so"]}
    if not said <= so:
        raise _refused("unfit", sentence=rest[1], why=f"it must be about who {one}", names=", ".join(names))
    if len(marked) not in counts or any(person in others for person, others in enumerate(sees)):
        raise _refused("unfit", sentence=rest[2], why="the law or the sight forbids it", names=", ".join(names))
    return Puzzle(setup, tuple(sees), counts, marked), _read_supposed(hypothesis, names, one)


def _matched(name: str, sentence: str) -> re.Match[str]:
    """Return the match of the sentence that must come next."""
    match = pattern_of("puzzle", name).fullmatch(sentence)
    if match is None:
        raise _refused("puzzle", wanted=name, sentence=sentence)
    return match


def _names(listed: str) -> list[str]:
    return re.findall(NAME, re.sub(r", | and ", " ", listed))


def _place(name: str, names: Sequence[str], sentence: str) -> int:
    if name not in names:
        raise _refused("unfit", sentence=sentence, why=f"{name} is nobody of them", names=", ".join(names))
    return list(names).index(name)


def _number(word: str, sentence: str) -> int:
    if word not in _NUMBERS:
        raise _refused("puzzle", wanted="number in words, up to ten", sentence=sentence)
    return _NUMBERS.index(word)


def _counts(law: re.Match[str], n: int) -> tuple[int, ...]:
    """Return how many of n persons may be marked by a law."""
    for name in _LAWS:
        match = pattern_of("puzzle", name).fullmatch(law["law"])
        if match and name == "parity":
            return tuple(range(match["parity"] == "odd", n + 1, 2))
        if match:
            bounds = {place: _number(word, law[0]) for place, word in match.groupdict().items()}
            low, high = bounds.get("low", 0), bounds.get("high", n)
            return (low, high) if name == "either" else tuple(range(low, high + 1))
    raise _refused("puzzle", wanted="law", sentence=law[0])


def _read_supposed(hypothesis: str, names: Sequence[str], so: str) -> Supposed:
    """Return what a hypothesis says."""
    if match := pattern_of("puzzle", "first").fullmatch(hypothesis):
        return First(_place(match["agent"], names, hypothesis), int(match["round"]))
    if match := pattern_of("puzzle", "never").fullmatch(hypothesis):
        return First(_place(match["agent"], names, hypothesis), 0)
    match = pattern_of("puzzle", "later").fullmatch(hypothesis)
    if match is None:
        raise _refused("supposed", so=so, sentence=hypothesis)
    formula = _clause(match["clause"], names, so, hypothesis)
    if isinstance(formula, Atom):
        raise _refused("supposed", so=so, sentence=hypothesis)
    return Later(int(match["round"]), formula)


def _clause(clause: str, names: Sequence[str], so: str, sentence: str) -> Formula:
    """Return the formula of what somebody knows, to any depth, or that somebody is marked."""
    if match := pattern_of("sentence", "knows").fullmatch(clause):
        inner = _clause(match["clause"], names, so, sentence)
        known = Knows(agent_name(_place(match["agent"], names, sentence)), inner, match["that"] is None)
        return Not(known) if match["negated"] else known
    name, _, said = clause.partition(" ")
    if said != so:
        raise _refused("supposed", so=so, sentence=sentence)
    return Atom(_place(name, names, sentence) + 1)
