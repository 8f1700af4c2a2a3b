"""Problems in words: first names for the agents, premises and hypotheses."""

from bisect import bisect_right
from collections.abc import Sequence
from functools import lru_cache
from itertools import accumulate

from ..streams import Stream
from .alike import DRAWS, alike, too_few_names
from .languages import lexicon, macros


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

    def premise(
        self, setup: str, sees: Sequence[Sequence[int]], announcements: list[list], names: tuple[str, ...], plain: bool
    ) -> str:
        """Say what the agents of a MindGames problem see and what is announced.

        sees: for each agent the atoms observed at the start. announcements: lists of words (`logic.phrases`).
        plain: whether knowledge of knowledge is "knows", instead of the published "can know".
        """
        shown = [(names[atom - 1], names[viewer]) for viewer, seen in enumerate(sees) for atom in seen]
        return str(self._problem.premise(setup, len(names), shown, announcements, plain))

    def hypothesis(self, setup: str, phrase: list, plain: bool) -> str:
        """Say the hypothesis of a MindGames problem, given as a list of words; `plain` as in `premise`."""
        return str(self._problem.hypothesis(setup, phrase, plain))

    def fact(self, setup: str, phrase: list) -> str:
        """Say a fact of a MindGames problem, given as a list of words, as a clause."""
        return str(self._problem.stated(setup, phrase))


voice = lru_cache(maxsize=8)(Voice)
"""Returns the voice of a language, which is made once in a process."""
