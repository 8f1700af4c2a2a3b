"""The game of acting on minds as an environment of verifiers: each line of the player is a turn.

`vf-eval acting-on-minds --env.taskset.depth 2` asks for episodes of that depth. It needs the package `tom-datasets`.
"""

from collections.abc import Iterator
from hashlib import sha256

import verifiers.v1 as vf

from tom_datasets import episodes
from tom_datasets.story.acting.episode import Episode
from tom_datasets.story.acting.interview import Interview
from tom_datasets.story.acting.partial.episode import PartialEpisode
from tom_datasets.story.acting.solve import plans_of

__all__ = ["ActingEnv", "ActingTaskset"]


class ActingConfig(vf.TasksetConfig):
    """Choose the episodes."""

    seed: int = 0
    """An integer of 64 bits."""
    start: int = 0
    """Index of the first episode."""
    acts: int | None = None
    """The least number of acts, 1 to 4; None for all."""
    depth: int | None = None
    """The longest chain of a goal, 1 to 3; None for all."""
    beliefs: bool = False
    """Whether questions are asked before the first line and after the last, each in a turn of its own."""
    view: str = "full"
    """"full", or "partial": the player perceives only a part of what happens, and can ask."""
    alternatives: int | None = None
    """With the view "partial" how many alternatives there are, 4 to 24; None for all up to 12."""
    truth: str = "worst"
    """With the view "partial": "worst", settled as badly for the player as can be, or "fixed"."""


class ActingData(vf.TaskData):
    """Say which episode it is."""

    seed: int
    index: int
    acts: int | None
    depth: int | None
    beliefs: bool
    view: str
    alternatives: int | None
    truth: str


def episode_of(data: ActingData) -> Episode | PartialEpisode:
    """Return the episode that a task plays."""
    which = {"view": data.view, "alternatives": data.alternatives, "truth": data.truth}
    return episodes(data.seed, data.acts, data.depth, **which)[data.index]


class ActingTask(vf.Task[ActingData]):
    """Play one episode."""

    @property
    def key(self) -> str:
        """Return the same for the same prompt, wherever the episode stands among the tasks."""
        return sha256(self.data.prompt.encode()).hexdigest()

    async def validate(self, runtime: vf.Runtime) -> bool:
        """Return whether a shortest solution wins, and an exhaustive search finds none that has fewer acts.

        With a partial view: whether a policy wins whatever is true, and none does without asking.
        """
        episode = episode_of(self.data)
        if isinstance(episode, PartialEpisode):
            policies = episode.policies
            while not episode.done:
                episode.step(episode.best or "")
            least, asks = policies.least(), not policies.sure(0, policies.root, policies.turns, asking=False)
            return episode.reward == 1.0 and least == policies.turns and asks
        for line in episode.solution:
            episode.step(line)
        return episode.reward == 1.0 and plans_of(episode.game).least() == episode.acts == episode.game.acts


class ActingEnvConfig(vf.EnvConfig):
    """Name the one who plays."""

    player: vf.AgentConfig = vf.AgentConfig()


class ActingEnv(vf.Env[ActingEnvConfig]):
    """Answer each line of the player with what it came to."""

    async def run(self, task, agents):
        """Play an episode; the reward is 1.0 where all its goals hold at the end, else 0.0.

        Metrics say how many goals hold then, what the player's acts came to, and how many answers are right.
        """
        data, episode = task.data, episode_of(task.data)
        playing = Interview(episode) if data.beliefs else episode
        async with agents.player.interaction(task) as interaction:
            segment = await interaction.turn()
            while not segment.terminated:
                turn = playing.step(segment.last_reply)
                if turn.done:
                    break
                segment = await interaction.turn(turn.observation)
        interaction.trace.record_reward("won", episode.reward, 1.0)
        if episode.done:
            held = [holds for _, holds in episode.goals()]
            interaction.trace.record_metric("goals_reached", sum(held) / len(held))
        if isinstance(episode, PartialEpisode):
            interaction.trace.record_metric("questions", episode.questions)
        elif episode.done:
            interaction.trace.record_metric("acts_above_least", episode.acts - episode.game.acts)
        interaction.trace.record_metric("lines_that_did_nothing", episode.illegal)
        if data.beliefs:
            for when, right in playing.right.items():
                if right:
                    interaction.trace.record_metric(f"beliefs_right_{when}", sum(right) / len(right))


class ActingTaskset(vf.Taskset[ActingTask, ActingConfig]):
    """Play episodes for ever."""

    INFINITE = True

    def load(self) -> Iterator[ActingTask]:
        """Yield the tasks, from the index `start`."""
        chosen, index = self.config, self.config.start
        view = {"view": chosen.view, "alternatives": chosen.alternatives, "truth": chosen.truth}
        drawn = episodes(chosen.seed, chosen.acts, chosen.depth, **view)
        while True:
            which = {"seed": chosen.seed, "index": index, "acts": chosen.acts, "depth": chosen.depth, **view}
            name, episode = f"{chosen.seed}/{index}", drawn[index]
            prompt = Interview(episode).prompt if chosen.beliefs else episode.prompt
            data = ActingData(id=name, name=name, prompt=prompt, beliefs=chosen.beliefs, **which)
            yield ActingTask(data, chosen.task)
            index += 1
