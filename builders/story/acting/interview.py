"""A game between questions: what the player knows of the minds that its goals are about, asked before and after.

Models may act wrongly on beliefs that they report rightly. So each question stands beside the game and changes nothing
in it, and its answer is proven as the game is. With a partial view the answer names all containers that are possible.
"""

from ...errors import UserError
from .episode import Belief, Episode, Turn
from .partial.episode import PartialEpisode

ANSWER = "Answer: "  # what the last line of an answer begins with
BEFORE, AFTER = "before", "after"  # when questions are asked: before the first line, and after the last


def is_right(belief: Belief, reply: str) -> bool:
    """Return whether the last line of a reply is the answer, alone. Raises TypeError for what is not a text."""
    if not isinstance(reply, str):
        raise TypeError(f"the reply is {reply!r}; it must be a text that ends with a line such as '{ANSWER}red_box'")
    return reply.rstrip().rpartition("\n")[2].strip() == f"{ANSWER}{belief.answer}"


class Interview:
    """Play an episode; before its first line and after its last, ask where the chains of its goals believe the thing.

    Each question takes a reply of its own. Which goals are reached is told after the last answer.
    """

    def __init__(self, episode: Episode | PartialEpisode) -> None:
        self.episode = episode
        self.prompt = self.reset()

    def reset(self) -> str:
        """Begin anew; return the prompt, which ends with the first question."""
        told = self.episode.reset()
        self.asked: dict[str, list[Belief]] = {BEFORE: self.episode.literal()}
        self.replies: dict[str, list[str]] = {BEFORE: [], AFTER: []}
        return f"{told}\n\n{self._question()}"

    @property
    def asking(self) -> str | None:
        """Return when the next question is asked, BEFORE or AFTER the game; None where a line is due, or nothing."""
        for when, asked in self.asked.items():
            if len(self.replies[when]) < len(asked):
                return when
        return None

    @property
    def belief(self) -> Belief:
        """Return the question that is to be answered next. Raises KeyError where none is."""
        when = self.asking or ""
        return self.asked[when][len(self.replies[when])]

    @property
    def done(self) -> bool:
        """Return whether the last question is answered."""
        return AFTER in self.asked and not self.asking

    @property
    def right(self) -> dict[str, list[bool]]:
        """Return which of the answers so far are right, by when they were asked for."""
        return {
            when: [is_right(*pair) for pair in zip(asked, self.replies[when], strict=False)]
            for when, asked in self.asked.items()
        }

    def step(self, reply: str) -> Turn:
        """Take an answer, or play a line, whichever is due. The reward of the game comes at the very end.

        Raises UserError after the last answer, and TypeError for a reply that is not a text.
        """
        episode, when = self.episode, self.asking
        if self.done:
            raise UserError(f"episode {episode.index} is over after its last question; call reset() to start it again")
        if when:
            is_right(self.belief, reply)  # raises for a reply that is no text
            self.replies[when].append(reply)
            told = episode.begins() if when == BEFORE else episode.ending()
        else:
            told = episode.step(reply, told=False).observation
            if episode.done:
                self.asked[AFTER] = episode.literal()
                told += "\n\n"
        if self.asking:
            told = f"{'' if when else told}{self._question()}"
        return Turn(told, episode.reward if self.done else 0.0, self.done)

    def _question(self) -> str:
        """Return the question that is to be answered next, as the player is asked."""
        return self.episode.asked(self.belief)
