"""An episode with a partial view, with its words: what a player is asked, and a referee who is as unkind as he can be.

The referee settles what happened as late and as badly as what the player perceived allows. So luck wins nothing, and
who has a policy that wins whatever is true wins always.
"""

from collections.abc import Iterable
from functools import cached_property
from string import ascii_lowercase
from typing import Any, NamedTuple

from ....errors import UserError
from ....splits import ENGLISH
from ....streams import stream
from ....syntax.events import Come, Event, Names, Place, Question
from ....syntax.record import spell
from ....wording.stories import voice
from ..episode import CUE, Belief, Turn
from ..world import PLAYER, THING, World, chains_of
from .draw import Cell
from .game import Ask, Avowal, Deed, Doing, Partial, Response, Seen, fault, play
from .solve import Policies

WORST, FIXED = "worst", "fixed"  # how the truth is settled: by the referee, or before the first turn
TRUTHS = WORST, FIXED


class Branch(NamedTuple):
    """Say what may still be true, by alternative with its world."""

    seen: Seen
    worlds: dict[int, World]


class PartialEpisode:
    """Play one episode: `prompt` says all that the player knows, `step` takes a line, `reset` begins anew."""

    def __init__(self, game: Partial, names: Names, seed: int, index: int, truth: str = WORST) -> None:
        """Take an episode, and one of TRUTHS."""
        self.game, self.names, self.seed, self.index, self.truth = game, names, seed, index, truth
        self.cell = Cell(len(game.alternatives), game.turns, game.depth)
        self.voice, self.words = voice(ENGLISH), voice(ENGLISH).macros("partial")
        self.shared = voice(ENGLISH).macros("acting")  # what the game with a full view says, too
        self.prompt = self._asked()
        self.reset()

    def __reduce__(self) -> tuple[Any, ...]:
        """Return how the episode is made again, so that it can be pickled, and what has been played of it."""
        return replayed, (self.game, self.names, self.seed, self.index, self.truth, self.actions)

    def _asked(self) -> str:
        """Return what the player is told before his first line."""
        agents, game, start = self.names.agents, self.game, self.game.starts[0]
        story = self.voice.story([spell(line, self.names) for line in game.story])
        alternatives = [[self.say(line) for line in lines] for lines in game.alternatives]
        inside = [name for agent, name in enumerate(agents) if start.inside >> agent & 1]
        responses = [self.say_response(response) for response in game.script]
        goals = [self.shared.goal(*goal.spelled(self.names), self.names.things[THING]) for goal in game.goals]
        told = story, self.names, alternatives, inside, responses, goals, game.public, game.pairs
        return str(self.words.prompt(*told, self.truth == WORST))

    def reset(self) -> str:
        """Begin anew; return the prompt."""
        self.worlds: dict[int, World] = dict(enumerate(self.game.starts))  # by alternative that is left
        if self.truth == FIXED:
            self.settled = stream("partial", self.seed, *self.cell, self.index, "truth").below(len(self.worlds))
        self.actions: list[str] = []
        self.acts = self.questions = self.illegal = 0
        return self.prompt

    @property
    def done(self) -> bool:
        """Return whether the episode is over."""
        return len(self.actions) == self.game.turns

    @property
    def happened(self) -> int:
        """Return which alternative is said to have happened: of those left one where a goal is missed, if there is."""
        if self.truth == FIXED:
            return self.settled
        return min(self.worlds, key=lambda alternative: self.game.won(self.worlds[alternative]))

    @property
    def reward(self) -> float:
        """Return 1.0 where the episode is over and all goals hold in what happened, else 0.0."""
        return float(self.done and self.game.won(self.worlds[self.happened]))

    @cached_property
    def legal(self) -> dict[str, Doing]:
        """Return all lines that the player may write in some turn, with what they mean."""
        return {self.say(doing): doing for doing in self.game.doings}

    @cached_property
    def policies(self) -> Policies:
        """Return what can be won for sure, and how."""
        return Policies(self.game)

    @property
    def best(self) -> str | None:
        """Return a line after which the player still wins for sure, None where he no longer does."""
        number = self._choice(len(self.actions), self.worlds) if not self.done else -1
        return self.say(self.game.doings[number]) if number >= 0 else None

    def _choice(self, turn: int, worlds: dict[int, World]) -> int:
        node = frozenset(self.policies.state(world, turn) for world in worlds.values())
        return self.policies.choice(turn, node, self.game.turns - turn)

    def say(self, line: Event | Question | Doing | Deed) -> str:
        """Return a line in words; None is to wait."""
        agents, thing = self.names.agents, self.names.things[THING]
        if line is None:
            return str(self.shared.waits(agents[PLAYER]))
        if isinstance(line, Ask):
            return str(self.words.asks(agents[PLAYER], tuple(agents[agent] for agent in line.chain), thing))
        if isinstance(line, Avowal):
            return str(self.words.avows(agents[line.agent], thing))
        return self.voice.say(*spell(line, self.names))

    def say_response(self, response: Response) -> str:
        """Return in words what the others do after a turn."""
        agents, containers = self.names.agents, self.names.containers
        listener = response.listener and agents[response.listener.agent]
        chain = tuple(agents[agent] for agent in response.chain)
        deeds = [self.say(deed) if deed is not None else None for deed in (response.deed, response.otherwise)]
        return str(self.words.response(listener, chain, containers[response.container], *deeds, self.names))

    def branches(self, doing: Doing) -> list[Branch]:
        """Return what a line may lead to, by what the player perceives."""
        found: dict[Seen, dict[int, World]] = {}
        response = self.game.script[len(self.actions)]
        for alternative, world in self.worlds.items():
            seen, after = play(world, doing, response)
            found.setdefault(seen, {})[alternative] = after
        return [Branch(*branch) for branch in found.items()]

    def settle(self, branches: list[Branch]) -> Branch:
        """Return the worst branch for the player; with a fixed truth, the branch of that truth."""
        if self.truth == FIXED:
            return next(branch for branch in branches if self.settled in branch.worlds)
        turn = len(self.actions) + 1

        def kindness(branch: Branch) -> tuple[bool, int]:
            """Return whether a win is sure, and less in how many alternatives it must be."""
            if turn == self.game.turns:
                sure = all(map(self.game.won, branch.worlds.values()))
            else:
                sure = self._choice(turn, branch.worlds) >= 0
            return sure, -len(branch.worlds)

        return min(branches, key=kindness)

    def step(self, reply: str, told: bool = True) -> Turn:
        """Play a turn: the action is the last line of a reply, with or without "Action:" before it.

        A line that is none of `legal`, or cannot be done now, does nothing and takes its turn. Raises UserError where
        the episode is over, and TypeError for a reply that is not a text.

        told: whether the last observation says what happened, and which goals are reached.
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
        here = next(iter(self.worlds.values()))  # in all that are left the same lines can be done
        why = fault(here, self.legal[action]) if action in self.legal else "unknown"
        doing = None if why else self.legal[action]
        branch = self.settle(self.branches(doing))
        self.worlds = branch.worlds
        self.actions.append(action)
        self.acts += doing is not None
        self.questions += isinstance(doing, Ask)
        self.illegal += why is not None
        observation = self._observation(action, why, doing, branch.seen, told)
        return Turn(observation, self.reward, self.done)

    def _observation(self, action: str, why: str | None, doing: Doing, seen: Seen, told: bool) -> str:
        answer, (container, line), thing = None, seen, self.names.things[THING]
        if isinstance(doing, Ask):
            chain = tuple(self.names.agents[agent] for agent in doing.chain)
            answer = self.words.answers(chain, thing, self.names.containers[container])
        elif isinstance(doing, Come):
            answer = self.say(Place(THING, container))
        over = self.ending() if self.done and told else None
        said = None if line is None else self.say(line)
        left = self.game.turns - len(self.actions)
        return str(self.words.observation(action, why, self.names, answer, said, left, over))

    def ending(self) -> str:
        """Return what the player is told at the end."""
        return str(self.words.end(ascii_lowercase[self.happened], self.goals()))

    def literal(self) -> list[Belief]:
        """Return the questions where the chains of the goals may now believe the thing to be, each with its answer.

        The answer names all containers that what the player perceived leaves possible.
        """
        containers = self.names.containers
        found = []
        for chain in dict.fromkeys(chain for goal in self.game.goals for chain in goal.chains):
            possible = sorted({world.believed(chain) for world in self.worlds.values()})
            answer = ", ".join(containers[place] for place in possible)
            found.append(Belief(self.say(Question(chain, THING)), answer))
        return found

    def beliefs(self) -> list[tuple[list[str], str]]:
        """Return where chains of others believe the thing to be, of none to two agents, in what happened."""
        agents, containers, world = self.names.agents, self.names.containers, self.worlds[self.happened]
        chains = [chain for chain in chains_of(self.game.n_agents) if len(chain) <= 2]
        return [([agents[agent] for agent in chain], containers[world.believed(chain)]) for chain in chains]

    def asked(self, belief: Belief) -> str:
        """Return a question as the player is asked it."""
        return str(self.words.asked(belief.question, self.names.containers))

    def begins(self) -> str:
        """Return what the player is told between the questions before the game and his first line."""
        return str(self.shared.begins(self.game.turns))

    def goals(self) -> list[tuple[str, bool]]:
        """Return the goals in words, each with whether it holds now, in what happened."""
        said = [self.shared.goal(*goal.spelled(self.names), self.names.things[THING]) for goal in self.game.goals]
        world = self.worlds[self.happened]
        return [*zip(said, [goal.met(world) for goal in self.game.goals], strict=True)]


def replayed(game: Partial, names: Names, seed: int, index: int, truth: str, replies: Iterable[str]) -> PartialEpisode:
    """Return an episode in which some replies were given."""
    episode = PartialEpisode(game, names, seed, index, truth)
    for reply in replies:
        episode.step(reply)
    return episode
