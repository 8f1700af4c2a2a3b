"""An episode with its words: what a player is asked, what his lines come to, and whether he reached his goals.

Its words are those of a language.
"""

from collections.abc import Iterable
from functools import cached_property, lru_cache
from typing import Any, NamedTuple

from ...errors import UserError
from ...streams import stream
from ...syntax.events import Event, Names
from ...syntax.record import spell
from ...wording.languages import lexicon, macros
from ...wording.stories import voice
from .draw import CONTAINERS
from .game import Game, lines_of, play, told_of
from .solve import plans_of
from .world import PLAYER, ROOM, THING, Act, World, acts_of, chains_of, fault

CUE = "Action:"
"""What the last line of a reply begins with."""
THEN = ", then "
"""What stands between the lines of a course of action."""


class Turn(NamedTuple):
    """Say what a line of the player came to."""

    observation: str
    reward: float  # 1.0 at the end of an episode whose goals all hold, else 0.0
    done: bool  # whether the episode is over


@lru_cache(maxsize=8)
def words_of(language: str) -> Any:
    """Return the macros of the game in a language."""
    words = lexicon(language, "hi_tom")
    return macros(language, "acting", be=words["things"], his=words["agents"])[0]


class Episode:
    """Play one episode: `prompt` says all, `step` takes a line, `reset` begins anew."""

    def __init__(self, game: Game, names: Names, language: str, cell: tuple[int, int], seed: int, index: int) -> None:
        self.game, self.names, self.language = game, names, language
        self.cell, self.seed, self.index = cell, seed, index
        self.reset()

    def reset(self) -> str:
        """Begin anew; return the prompt."""
        self.world: World = told_of(self.game)
        self.actions: list[str] = []
        self.happened: list[Event] = list(self.game.story)
        self.acts = self.illegal = 0
        return self.prompt

    @property
    def done(self) -> bool:
        """Return whether the episode is over."""
        return len(self.actions) == self.game.turns

    @property
    def met(self) -> int:
        """Return how many goals hold now."""
        return sum(goal.met(self.world) for goal in self.game.goals)

    @property
    def reward(self) -> float:
        """Return 1.0 where the episode is over and all goals hold, else 0.0."""
        return float(self.done and self.met == len(self.game.goals))

    @cached_property
    def legal(self) -> dict[str, Act]:
        """Return all lines that the player may write in some turn, with what they mean."""
        return {self.say(act): act for act in acts_of(self.game.n_agents, CONTAINERS)}

    @cached_property
    def solution(self) -> list[str]:
        """Return the lines of a shortest plan that reaches the goals."""
        plan = plans_of(self.game).drawn(stream("acting", self.seed, *self.cell, self.index, "solution"))
        return [self.say(act) for act in plan]

    def say(self, line: Event | None) -> str:
        """Return a line in words; None is to wait."""
        names = self.names
        if line is None:
            return str(words_of(self.language).waits(names.agents[PLAYER]))
        return str(voice(self.language).say(*spell(line, names)))

    def goals(self) -> list[tuple[str, bool]]:
        """Return the goals in words, each with whether it holds now."""
        words, names = words_of(self.language), self.names
        said = []
        for goal in self.game.goals:
            container = "" if goal.container is None else names.containers[goal.container]
            sentence = words.goal(goal.kind, self.agents(goal.chain), names.things[THING], container)
            said.append((str(sentence), goal.met(self.world)))
        return said

    def agents(self, chain: Iterable[int]) -> list[str]:
        """Return the names of agents."""
        return [self.names.agents[agent] for agent in chain]

    @cached_property
    def _standing(self) -> dict[str, Any]:
        game, names = self.game, self.names
        start = told_of(game)
        everyone = range(game.n_agents)
        rounds = [
            (names.agents[after.listener.agent] if after.listener else "", [self.say(line) for line in after.events])
            for after in game.script
        ]
        return {
            "player": names.agents[PLAYER],
            "room": names.rooms[ROOM],
            "inside": self.agents(agent for agent in everyone if start.inside >> agent & 1),
            "outside": self.agents(agent for agent in everyone if not start.inside >> agent & 1),
            "rounds": rounds,
            "goals": [sentence for sentence, _ in self.goals()],
        }

    @cached_property
    def prompt(self) -> str:
        """Return what the player is told before his first line."""
        names = self.names
        said = words_of(self.language).prompt(
            others=names.agents[1 : self.game.n_agents],
            thing=names.things[THING],
            containers=names.containers,
            story=voice(self.language).story([spell(line, names) for line in self.game.story]),
            **self._standing,
        )
        return str(said)

    @cached_property
    def question(self) -> str:
        """Return the question which of some courses of action reaches the goals, to be asked after the story."""
        return str(words_of(self.language).question(**self._standing))

    def course(self, acts: Iterable[Act]) -> str:
        """Return a course of action in words."""
        return THEN.join([self.say(act).removesuffix(".") for act in acts])

    def lines_of(self, course: str) -> list[str]:
        """Return the lines of a course of action, one for each turn."""
        return [f"{line}." for line in course.split(THEN)]

    def step(self, reply: str) -> Turn:
        """Play the line that stands at the end of a reply, with or without CUE before it.

        A line that is no line of the player's, or cannot be done now, does nothing and takes its turn. Raises UserError
        where the episode is over, and TypeError for a reply that is no text.
        """
        if not isinstance(reply, str):
            raise TypeError(
                f"the reply is {reply!r}; it must be a text that ends with a line such as {self.say(None)!r}"
            )
        if self.done:
            raise UserError(f"episode {self.index} is over after {self.game.turns} turns; reset() begins it anew")
        action = reply.rstrip().rpartition("\n")[2].strip().removeprefix(CUE).strip()
        act = self.legal.get(action)
        why = "unknown" if action not in self.legal else fault(self.world, act)
        lines = lines_of(self.world, None if why else act, self.game.script[len(self.actions)])
        self.world = play(self.world, None if why else act, self.game.script[len(self.actions)])
        self.actions.append(action)
        self.happened += lines
        self.acts += act is not None and not why
        self.illegal += why is not None
        return Turn(self.observation(action, why, lines[act is not None and not why :]), self.reward, self.done)

    def observation(self, action: str, why: str | None, lines: tuple[Event, ...]) -> str:
        """Return what a turn came to, in words."""
        words, names = words_of(self.language), self.names
        reason = words.fault(why, names.agents[PLAYER], names.rooms[ROOM], names.things[THING]) if why else ""
        left = self.game.turns - len(self.actions)
        text = str(words.observation(action, reason, [self.say(line) for line in lines], left)).rstrip()
        return text if left else f"{text}\n{words.end(self.goals())}"

    def beliefs(self, longest: int = 2) -> list[tuple[list[str], str]]:
        """Return where chains of others believe the thing to be now, those of more agents last; first, where it is."""
        chains = [(), *(chain for chain in chains_of(self.game.n_agents) if len(chain) <= longest)]
        return [(self.agents(chain), self.names.containers[self.world.believed(chain)]) for chain in chains]
