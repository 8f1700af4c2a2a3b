"""An episode with its words: what a player is asked, what his lines come to, and whether he reached his goals.

Its words are English.
"""

from collections.abc import Iterable
from functools import cached_property, reduce
from typing import Any, NamedTuple

from ...errors import UserError
from ...splits import ENGLISH
from ...streams import stream
from ...syntax.events import Event, Names, Question
from ...syntax.record import spell
from ...wording.stories import voice
from .draw import CONTAINERS
from .game import Game, lines_of
from .solve import plans_of
from .world import PLAYER, THING, Act, World, acts_of, chains_of, fault, step

CUE = "Action:"  # what the last line of a reply begins with
THEN = ", then "  # what stands between the lines of a course of action


class Turn(NamedTuple):
    """Say what a line of the player came to."""

    observation: str
    reward: float  # 1.0 at the end of an episode whose goals all hold, else 0.0
    done: bool  # whether the episode is over


class Belief(NamedTuple):
    """Ask where somebody believes the thing to be."""

    question: str
    answer: str  # the container


class Episode:
    """Play one episode: `prompt` says all, `step` takes a line, `reset` begins anew."""

    def __init__(self, game: Game, names: Names, seed: int, index: int) -> None:
        self.game, self.names, self.seed, self.index = game, names, seed, index
        self.cell = game.acts, game.depth
        self.voice, self.words = voice(ENGLISH), voice(ENGLISH).macros("acting")
        self.prompt, self.question = self._asked()
        self.reset()

    def __reduce__(self) -> tuple[Any, ...]:
        """Return how the episode is made again, so that it can be pickled, and what has been played of it."""
        played = {name: getattr(self, name) for name in ("world", "actions", "acts", "illegal")}
        return type(self), (self.game, self.names, self.seed, self.index), played

    def _asked(self) -> tuple[str, str]:
        """Return what the player is told before his first line, and what is asked of courses of action instead.

        The question is which of them reaches the goals; it follows the story.
        """
        agents, game = self.names.agents, self.game
        story = self.voice.story([spell(line, self.names) for line in game.story])
        inside = [name for agent, name in enumerate(agents) if game.start.inside >> agent & 1]
        script = [(told and agents[told.agent], [*map(self.say, lines)]) for told, lines in game.script]
        standing = self.names, inside, script, [sentence for sentence, _ in self.goals(game.start)]
        return self.words.prompt(story, *standing), self.words.question(*standing)

    def reset(self) -> str:
        """Begin anew; return the prompt."""
        self.world: World = self.game.start
        self.actions: list[str] = []
        self.acts = self.illegal = 0
        return self.prompt

    @property
    def done(self) -> bool:
        """Return whether the episode is over."""
        return len(self.actions) == self.game.turns

    @property
    def reward(self) -> float:
        """Return 1.0 where the episode is over and all goals hold, else 0.0."""
        return float(self.done and self.game.met(self.world) == len(self.game.goals))

    @cached_property
    def legal(self) -> dict[str, Act]:
        """Return all lines that the player may write in some turn, with what they mean."""
        return {self.say(act): act for act in acts_of(self.game.n_agents, CONTAINERS)}

    @cached_property
    def solution(self) -> list[str]:
        """Return the lines of a shortest plan that reaches the goals."""
        drawn = stream("acting", self.seed, *self.cell, self.index, "solution")
        return [*map(self.say, plans_of(self.game).drawn(drawn))]

    def say(self, line: Event | Question | None) -> str:
        """Return a line or a question in words; None is to wait."""
        if line is None:
            return str(self.words.waits(self.names.agents[PLAYER]))
        return self.voice.say(*spell(line, self.names))

    def goals(self, world: World | None = None) -> list[tuple[str, bool]]:
        """Return the goals in words, each with whether it holds in a world, or now."""
        said = [self.words.goal(*goal.spelled(self.names), self.names.things[THING]) for goal in self.game.goals]
        return [*zip(said, [goal.met(world or self.world) for goal in self.game.goals], strict=True)]

    def course(self, plan: Iterable[Act]) -> str:
        """Return a course of action in words."""
        return THEN.join([self.say(act).removesuffix(".") for act in plan])

    def plan_of(self, course: str) -> list[Act]:
        """Return the acts of a course of action. Raises ValueError for a line that the player may not write."""
        lines = [f"{line}." for line in course.split(THEN)]
        if illegal := [line for line in lines if line not in self.legal]:
            raise ValueError(f"the player may not write {illegal[0]!r}; expected lines of `legal`")
        return [self.legal[line] for line in lines]

    def step(self, reply: str, told: bool = True) -> Turn:
        """Play the line that stands at the end of a reply, with or without CUE before it.

        A line that the player may not write, or that cannot be done now, does nothing and takes its turn. Raises
        UserError where the episode is over, and TypeError for a reply that is not a text.

        told: whether the last observation says which goals are reached.
        """
        if not isinstance(reply, str):
            raise TypeError(
                f"the reply is {reply!r}; it must be a text that ends with a line such as {self.say(None)!r}"
            )
        if self.done:
            raise UserError(
                f"episode {self.index} is over after {self.game.turns} turns; call reset() to start it again"
            )
        action = reply.rstrip().rpartition("\n")[2].strip().removeprefix(CUE).strip()
        why = fault(self.world, self.legal[action]) if action in self.legal else "unknown"
        act = None if why else self.legal[action]
        lines = lines_of(self.world, act, self.game.script[len(self.actions)])
        self.world = reduce(step, lines, self.world)
        self.actions.append(action)
        self.acts += act is not None
        self.illegal += why is not None
        left, after = self.game.turns - len(self.actions), [*map(self.say, lines[act is not None :])]
        goals = self.goals() if told and not left else None
        observation = self.words.observation(action, why, self.names, after, left, goals)
        return Turn(observation, self.reward, self.done)

    def literal(self) -> list[Belief]:
        """Return the questions where the chains of the goals now believe the thing to be, each with its answer."""
        chains = dict.fromkeys(chain for goal in self.game.goals for chain in goal.chains)
        said = [(self.say(Question(chain, THING)), self.world.believed(chain)) for chain in chains]
        return [Belief(question, self.names.containers[place]) for question, place in said]

    def asked(self, belief: Belief) -> str:
        """Return a question as the player is asked it."""
        return str(self.words.asked(belief.question, self.names.containers))

    def begins(self) -> str:
        """Return what the player is told between the questions before the game and his first line."""
        return str(self.words.begins(self.game.turns))

    def ending(self) -> str:
        """Return what the player is told at the end."""
        return str(self.words.end(self.goals()))

    def beliefs(self) -> list[tuple[list[str], str]]:
        """Return where chains of others believe the thing to be now, of none to two agents: the empty one is right."""
        agents, containers = self.names.agents, self.names.containers
        chains = [chain for chain in chains_of(self.game.n_agents) if len(chain) <= 2]
        return [([agents[agent] for agent in chain], containers[self.world.believed(chain)]) for chain in chains]
