"""The environment: one session plays one episode, or answers one question, at a time."""

from threading import Lock
from typing import Any

from openenv.core.env_server.interfaces import Environment
from openenv.core.env_server.types import EnvironmentMetadata, State

from tom_datasets import GENERATOR_VERSION, endless, episodes, reward
from tom_datasets.errors import UserError
from tom_datasets.story.acting.episode import Turn
from tom_datasets.story.acting.interview import Interview
from tom_datasets.training.chat import prompt_of

try:
    from ..models import ActingAction, ActingObservation
except ImportError:  # run in the folder above, not installed
    from models import ActingAction, ActingObservation


class Question:
    """Ask one row of a dataset, as an episode of one turn."""

    def __init__(self, row: dict[str, Any], index: int) -> None:
        self.row, self.index, self.prompt, self.done = row, index, prompt_of(row), False

    def step(self, reply: str) -> Turn:
        """Return what the reply is paid. Raises UserError for a second one: only the first is paid."""
        if self.done:
            raise UserError(f"question {self.index} is over after one reply; reset() asks another")
        paid, self.done = reward(reply, self.row), True
        return Turn("", paid, True)


class ActingEnvironment(Environment):
    """Play episodes of a seed, one after another or by their index."""

    SUPPORTS_CONCURRENT_SESSIONS = True

    def __init__(self) -> None:
        super().__init__()
        self._state, self._next, self._playing, self._turn = State(), 0, None, Lock()

    def reset(
        self,
        seed: int | None = None,
        episode_id: str | None = None,
        kind: str = "episode",
        acts: int | None = None,
        depth: int | None = None,
        config: str = "deep",
        beliefs: bool = False,
        view: str = "full",
        alternatives: int | None = None,
        truth: str = "worst",
        **kwargs: Any,
    ) -> ActingObservation:
        """Begin an episode and return its prompt. Raises ValueError where episode_id is not an index.

        beliefs: whether questions are asked before the first line and after the last, each in a step of its own.
        view, alternatives, truth: as of `tom_datasets.episodes`; with the view "partial" the player can ask.
        """
        if kind not in ("episode", "question"):
            raise ValueError(f"kind is {kind!r}; it must be episode or question")
        if episode_id is not None and not episode_id.isdecimal():
            raise ValueError(f"episode_id is {episode_id!r}; it must be the index of an episode, such as 12")
        with self._turn:
            index = self._next if episode_id is None else int(episode_id)
            if kind == "question":
                playing = Question(endless("hi_tom", config, seed or 0)[index], index)
            else:
                which = {"view": view, "alternatives": alternatives, "truth": truth}
                episode = episodes(seed or 0, acts, depth, **which)[index]
                playing = Interview(episode) if beliefs else episode
            self._playing, self._next = playing, index + 1
            self._state = State(episode_id=str(index), step_count=0)
        return ActingObservation(text=playing.prompt, reward=0.0, done=False)

    def step(self, action: ActingAction, timeout_s: float | None = None, **kwargs: Any) -> ActingObservation:
        """Play a line. Raises ValueError before the first reset, and UserError where the episode is over.

        Of two lines at one time, the second waits for the first: no episode is paid twice.
        """
        with self._turn:
            if self._playing is None:
                raise ValueError("no episode has begun; reset first")
            turn = self._playing.step(action.reply)
            self._state.step_count += 1
        return ActingObservation(text=turn.observation, reward=turn.reward, done=turn.done)

    @property
    def state(self) -> State:
        """Return the index of the episode, and how many lines were played."""
        return self._state

    def get_metadata(self) -> EnvironmentMetadata:
        """Return what the environment is."""
        about = "Write lines of a story that make others believe something; every episode is proven winnable."
        return EnvironmentMetadata(name="acting", description=about, version=GENERATOR_VERSION)
