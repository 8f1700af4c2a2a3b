"""Questions before and after a game: proven answers, asked in turns of their own, which change nothing."""

import pytest

from tom_datasets.errors import UserError
from tom_datasets.reader.story_minds import believe_after, happenings
from tom_datasets.story.acting.draw import CELLS
from tom_datasets.story.acting.game import lines_of, play
from tom_datasets.story.acting.interview import AFTER, BEFORE, Belief, Interview, is_right
from tom_datasets.story.acting.world import THING
from tom_datasets.streaming.episodes import episodes
from tom_datasets.syntax.events import Story

PEAR = Belief("Where is the pear really?", "red_box")


@pytest.fixture
def interview():
    return Interview(episodes(seed=7, acts=2, depth=2)[0])


def answers(interview):
    """Return right replies to the questions that are asked now."""
    return [f"I see.\nAnswer: {belief.answer}" for belief in interview.asked[interview.asking]]


def test_the_answers_are_those_of_the_second_meaning_before_and_after():
    """Nested minds read the story, and then the story with all that happened in the turns of a solution."""
    for index in range(len(CELLS)):
        episode = episodes(seed=7)[index]
        game, events, world = episode.game, [*episode.game.story], episode.game.start
        chains = list(dict.fromkeys(chain for goal in game.goals for chain in goal.chains))
        for ends in (False, True):
            if ends:
                for line, after in zip(episode.solution, game.script, strict=True):
                    events += lines_of(world, episode.legal[line], after)
                    world = play(world, episode.legal[line], after)
                    episode.step(line)
            minds = believe_after(happenings(Story(game.n_agents, tuple(events)), THING), chains, "recursive")
            told = episode.literal()
            assert [belief.answer for belief in told] == [episode.names.containers[minds[chain]] for chain in chains]
            assert len({belief.question for belief in told}) == len(told)


def test_questions_take_turns_of_their_own_and_what_was_reached_is_told_at_the_end(interview):
    episode, alone = interview.episode, episodes(seed=7, acts=2, depth=2)[0]
    assert interview.prompt.startswith(f"{episode.prompt}\n\nA question, whose answer changes nothing: ")
    asked = len(interview.asked[BEFORE])
    told = [interview.step(reply) for reply in answers(interview)]
    assert [turn.observation.startswith("A question, ") for turn in told] == [True] * (asked - 1) + [False]
    assert told[-1].observation == f"Now write the first of your {episode.game.turns} lines, as said above."
    assert interview.asking is None and episode.actions == [] and episode.world == episode.game.start
    for line in episode.solution:
        turn, by_itself = interview.step(line), alone.step(line)
        assert (turn.reward, turn.done) == (0.0, False)
        if not alone.done:
            assert turn.observation == by_itself.observation
    assert "Reached" in by_itself.observation and "Reached" not in turn.observation
    assert "\nAll lines are written.\n\nA question, whose answer changes nothing: " in turn.observation
    *first, last = [interview.step(reply) for reply in ["Answer: nowhere", *answers(interview)[1:]]]
    assert not any(turn.done or turn.reward for turn in first)
    assert (last.reward, last.done) == (1.0, True), "answers do not change the reward"
    assert last.observation.startswith("The episode is over.\nReached: ")
    assert interview.right == {BEFORE: [True] * asked, AFTER: [False] + [True] * (asked - 1)}
    with pytest.raises(
        UserError, match=r"^episode 0 is over after its last question; call reset\(\) to start it again$"
    ):
        interview.step("Answer: red_box")
    assert interview.reset() == interview.prompt and interview.asking == BEFORE and interview.right == {BEFORE: []}


@pytest.mark.parametrize(
    ("reply", "right"),
    [
        ("Answer: red_box", True),
        ("Hm.\nAnswer: blue_box\nAnswer: red_box  \n\n", True),
        ("Answer: red_box\nor blue_box", False),
        ("Answer: red_box.", False),
        ("answer: red_box", False),
        ("red_box", False),
        ("", False),
    ],
)
def test_an_answer_is_the_last_line_to_the_letter(reply, right):
    assert is_right(PEAR, reply) is right


def test_a_reply_that_is_no_text_is_refused_and_takes_no_turn(interview):
    with pytest.raises(TypeError, match="^the reply is 3; it must be a text that ends with a line such as 'Answer: "):
        interview.step(3)
    assert interview.replies == {BEFORE: [], AFTER: []}
