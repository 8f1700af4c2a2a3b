"""Problems in words: first names for the agents, premises and hypotheses."""

from bisect import bisect_right
from functools import lru_cache, partial
from itertools import accumulate

from ..streams import Stream, stream
from .alike import DRAWS, alike, too_few_names
from .languages import lexicon, macros

PICKS = 24  # numbers that choose among wordings, for the sentences of a problem


class Voice:
    """Speak of problems in one language: name their agents, and say premises and hypotheses.

    Raises ValueError for a language that is not under `templates/`.
    Attributes: `explanations`, the macros of explain.jinja, one for each kind of step, and macros of mindgames.jinja:
    `premise`, `hypothesis` and `fact`, whose arguments `logic.phrases` makes. Where `plain`, knowledge of knowledge is
    "knows", instead of the published "can know". Macros of puzzles.jinja: `puzzle`, `first_yes`, `later` and `marked`.
    """

    def __init__(self, language: str = "en") -> None:
        listed = lexicon(language, "first_names")  # by frequency, or a list of names that are equally frequent
        kinds = {kind: names if isinstance(names, dict) else dict.fromkeys(names, 1) for kind, names in listed.items()}
        girls, boys = kinds.values()
        # The names of girls and of boys, with the cumulative frequencies of each list.
        self._persons = {kind: (list(names), list(accumulate(names.values()))) for kind, names in kinds.items()}
        with_gender = partial(macros, language, is_girl=lambda name: girls.get(name, 0) > boys.get(name, 0))
        problem, self.explanations, puzzles = map(with_gender, ("mindgames", "explain", "puzzles"))
        self.premise, self.hypothesis, self.fact = problem.premise, problem.hypothesis, problem.stated
        self.puzzle, self.first_yes, self.later = puzzles.puzzle, puzzles.first_yes, puzzles.later
        self.marked = puzzles.marked
        self._language, self._wordings = language, getattr(problem, "wordings", 1)

    def picks(self, names: tuple[str, ...]) -> tuple[tuple[int, ...], ...]:
        """Return the last argument of the macros of a problem or a puzzle about these persons: which wordings it has.

        They are numbers below `wordings` of mindgames.jinja, PICKS of them, drawn from a stream of their own. Where a
        sentence has one wording, as in the house, there is no such argument.
        """
        if self._wordings == 1:
            return ()
        words = stream("mindgames", self._language, *names, "wordings")
        return (tuple([words.below(self._wordings) for _ in range(PICKS)]),)

    def persons(self, words: Stream, n: int) -> tuple[str, ...]:
        """Draw n first names, girls' and boys' in equal shares, the English as frequent as in the US Census of 1990.

        No two are `alike`, as Sam and Samantha, or Alicia and Alisha.
        """
        kinds = words.shuffled(self._persons) * (n // 2 + 1)
        names: dict[str, None] = {}
        for kind in words.shuffled(kinds[:n]):
            candidates, sums = self._persons[kind]
            drawn = (candidates[bisect_right(sums, words.below(sums[-1]))] for _ in range(DRAWS))
            name = next((name for name in drawn if not any(alike(name, other) for other in names)), None)
            if name is None:
                raise too_few_names(n)
            names[name] = None
        return tuple(names)


voice = lru_cache(maxsize=16)(Voice)  # returns the voice of a language, which is made once in a process
