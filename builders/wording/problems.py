"""Problems in words: first names for the agents, premises and hypotheses, and what the templates are told of them."""

from bisect import bisect_right
from collections.abc import Callable
from functools import lru_cache
from itertools import accumulate

from ..streams import Stream
from ..syntax.formula import (
    And,
    Atom,
    Common,
    Distributed,
    Formula,
    Knows,
    Not,
    Or,
    Problem,
    Shown,
    Xor,
    agent_name,
    at_least,
    exactly,
)
from .alike import DRAWS, alike, too_few_names
from .languages import lexicon, macros

KNOWLEDGE = {Knows: "knowledge", Common: "common", Distributed: "together"}
"""How the templates call each kind of knowledge."""


class Voice:
    """Speak of problems in one language: name their agents, and say premises and hypotheses.

    Raises ValueError for a language that is not under `templates/`.
    Attribute: `explanations`, the macros of explain.jinja, one for each kind of step.
    """

    def __init__(self, language: str = "en") -> None:
        listed = lexicon(language, "first_names")  # by frequency, or a list of names that are equally frequent
        kinds = {kind: names if isinstance(names, dict) else dict.fromkeys(names, 1) for kind, names in listed.items()}
        girls, boys = kinds.values()
        # The names of girls and of boys, with the cumulative frequencies of each list.
        self._persons = {kind: (list(names), list(accumulate(names.values()))) for kind, names in kinds.items()}
        self._problem, self.explanations = macros(
            language, "mindgames", "explain", is_girl=lambda name: girls.get(name, 0) > boys.get(name, 0)
        )

    def persons(self, stream: Stream, n: int) -> tuple[str, ...]:
        """Draw n first names, girls' and boys' in equal shares, the English as frequent as in the US Census of 1990.

        No two are `alike`, as Sam and Samantha, or Alicia and Alisha.
        """
        kinds = stream.shuffled(self._persons) * (n // 2 + 1)
        names: dict[str, None] = {}
        for kind in stream.shuffled(kinds[:n]):
            candidates, sums = self._persons[kind]
            drawn = (candidates[bisect_right(sums, stream.below(sums[-1]))] for _ in range(DRAWS))
            name = next((name for name in drawn if not any(alike(name, other) for other in names)), None)
            if name is None:
                raise too_few_names(n)
            names[name] = None
        return tuple(names)

    def premise(self, problem: Problem, names: tuple[str, ...], plain: bool = False) -> str:
        """Say what the agents of a MindGames problem see and what is announced; `names` are theirs.

        plain: whether knowledge of knowledge is "knows", instead of the published "can know".
        """
        phrase = phraser(names)
        shown = [(names[atom - 1], names[viewer]) for viewer, seen in enumerate(problem.sees) for atom in seen]
        announcements = [phrase(announcement) for announcement in problem.announcements]
        return str(self._problem.premise(problem.setup, len(names), shown, announcements, plain))

    def hypothesis(self, problem: Problem, names: tuple[str, ...], plain: bool = False) -> str:
        """Say the hypothesis of a MindGames problem; `names` are those of its agents, `plain` as in `premise`."""
        return str(self._problem.hypothesis(problem.setup, phraser(names)(problem.hypothesis), plain))

    def fact(self, setup: str, fact: Formula, names: tuple[str, ...]) -> str:
        """Say a fact of a MindGames problem, as a clause; `names` are those of its agents."""
        return str(self._problem.stated(setup, phraser(names)(fact)))


voice = lru_cache(maxsize=8)(Voice)
"""Returns the voice of a language, which is made once in a process."""


def phraser(names: tuple[str, ...]) -> Callable[[Formula | Shown], list]:
    """Return a function that turns a formula or a showing into the list that the macros of `mindgames.jinja` say.

    A fact is ["fact", a name or a quantifier, negated] or ["count", comparison, number]. Knowledge is ["knowledge",
    name, "that" or "whether", negated, list], or the same of "each", "common" or "together" in place of "knowledge" and
    a name; what each knows of his own atom is the list ["own"]. A showing is ["shown", viewer, owner]. The function
    raises TypeError for a formula that MindGames has no sentence for.
    """
    everyone = tuple([Atom(number) for number in range(1, len(names) + 1)])
    name_of = {agent_name(index): name for index, name in enumerate(names)}
    counts = counted_phrases(everyone)

    def phrase(formula: Formula | Shown, negated: bool = False) -> list:
        match formula:
            case Atom(number):
                return ["fact", names[number - 1], negated]
            case Or(parts) if parts == everyone:
                return ["fact", "none" if negated else "some", False]
            case And(parts) if parts == everyone:
                return ["fact", "not all" if negated else "all", False]
            case Not(inner) if not negated:
                return phrase(inner, negated=True)
            case Shown(viewer, atom):
                return ["shown", name_of[viewer], names[atom - 1]]
            case _ if type(formula) in KNOWLEDGE:
                who = name_of[formula.agent] if isinstance(formula, Knows) else ""
                link = "whether" if formula.whether else "that"
                return [KNOWLEDGE[type(formula)], who, link, negated, phrase(formula.formula)]
            case _ if formula in counts and not negated:
                return counts[formula]
            case And(parts) if len(parts) == len(names) and not negated:
                return of_each(list(map(phrase, parts)))
            case _:
                raise TypeError(f"MindGames has no sentence for {formula!r}")

    def of_each(parts: list[list]) -> list:
        """Return what every single agent is said to know, or not to know, of one thing or of his own atom."""
        knowing = [part[1] for part in parts if part[0] == "knowledge"]
        things = [part[-1] for part in parts]
        if knowing == list(names) and len({str(part[2:4]) for part in parts}) == 1:
            if things == [["fact", name, False] for name in names]:
                return ["each", "", *parts[0][2:4], ["own"]]
            if things.count(things[0]) == len(things):
                return ["each", "", *parts[0][2:4], things[0]]
        raise TypeError(f"MindGames has no sentence for what each of {', '.join(names)} knows: {parts!r}")

    return phrase


@lru_cache(maxsize=16)
def counted_phrases(everyone: tuple[Atom, ...]) -> dict[Formula, list]:
    """Return the phrase of each formula that counts the true ones among all atoms."""
    counted: dict[Formula, list] = {Xor(everyone): ["count", "odd", 0]}
    for k in range(1, len(everyone)):
        counted[exactly(everyone, k)] = ["count", "exactly", k]
    for k in range(2, len(everyone)):
        counted[at_least(everyone, k)] = ["count", "at least", k]
    return counted
