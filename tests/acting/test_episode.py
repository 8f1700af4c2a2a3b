"""Prove what episodes are: winnable, in their cell, the same each time, and judged by their outcome alone."""

import re
from dataclasses import replace
from itertools import islice

import pytest
from support import ROOT

import tom_datasets
from tom_datasets.errors import UserError
from tom_datasets.reader.read_stories import read_story
from tom_datasets.story.acting.draw import CELLS, kind_of, saying, simple_plans
from tom_datasets.story.acting.game import lines_of, play, wins
from tom_datasets.story.acting.solve import Plans
from tom_datasets.streaming.episodes import episode_of, episodes
from tom_datasets.syntax.coherence import check
from tom_datasets.syntax.events import Exit, Story

CELL = pytest.mark.parametrize("index", range(len(CELLS)))


@pytest.fixture(scope="module")
def first():
    """Return the first episode of each cell, as a seed gives them."""
    return [*islice(episodes(seed=7), len(CELLS))]


def test_a_block_of_episodes_has_each_cell_once(first):
    assert sorted(episode.cell for episode in first) == sorted(CELLS)
    for episode in first:
        assert (episode.game.acts, episode.game.depth) == episode.cell
        assert episode.game.turns - episode.game.acts in (0, 1)
        assert 1 <= len(episode.game.goals) <= 3


@CELL
def test_the_solution_wins_with_the_least_acts(first, index):
    episode = first[index]
    episode.reset()
    turns = [episode.step(f"I think.\nAction: {line}\n") for line in episode.solution]
    assert [turn.done for turn in turns] == [False] * (episode.game.turns - 1) + [True]
    assert [turn.reward for turn in turns] == [0.0] * (episode.game.turns - 1) + [1.0]
    assert episode.acts == episode.cell[0] == Plans(episode.game).least() and episode.illegal == 0
    assert turns[-1].observation.count("Reached: ") == len(episode.game.goals)
    events, world = [*episode.game.story], episode.game.start
    for line, after in zip(episode.solution, episode.game.script, strict=True):
        events += lines_of(world, episode.legal[line], after)
        world = play(world, episode.legal[line], after)
    check(Story(episode.game.n_agents, tuple(events)))
    told = "\n".join([episode.prompt, *(turn.observation for turn in turns)])
    assert all(sentence in told for sentence in map(episode.say, events))


@CELL
def test_the_prompt_says_all_and_its_story_can_be_read_back(first, index):
    episode = first[index]
    story = re.search(r"belongs to it\.\n(.*?)\n\nNow ", episode.prompt, re.DOTALL)[1]
    read, names = read_story(story)
    assert len(read.events) == len(episode.game.story) and set(names.agents) <= set(episode.names.agents)
    for sentence, _ in episode.goals():
        assert f"- {sentence}\n" in episode.prompt
    for number, after in enumerate(episode.game.script, 1):
        line = re.search(rf"^After turn {number}: (.*)$", episode.prompt, re.MULTILINE)[1]
        assert all(episode.say(event) in line for event in after.events)
        assert ("overheard this unnoticed" in line) == (after.listener is not None)


def test_nothing_that_needs_no_thought_wins_at_depth_two(first):
    for episode in first:
        if episode.cell[1] > 1:
            game, plans = episode.game, [*simple_plans(episode.game, "claim", "move", "thought")]
            assert len(plans) == 1 + len([act for act in episode.legal.values() if kind_of(act) == "thought"]) + 20
            assert not any(wins(game, plan) for plan in [*plans, saying(game)])


def test_an_episode_depends_on_its_seed_its_index_and_its_cell_alone(first):
    again = episodes(seed=7)
    places = [place for place, episode in enumerate(first) if episode.cell[0] == 1]
    assert [again[place].prompt for place in places[::-1]] == [first[place].prompt for place in places[::-1]]
    alone = episodes(seed=7, acts=1, depth=1)
    assert alone[0].cell == alone[1].cell == (1, 1) and alone[0].prompt != alone[1].prompt
    assert episodes(seed=8, acts=1, depth=1)[0].prompt != alone[0].prompt
    assert episode_of((1, 1), 7, 0).prompt == alone[0].prompt


def test_a_line_that_cannot_be_done_takes_its_turn_and_says_why(first):
    episode = next(episode for episode in first if episode.cell == (3, 2))
    episode.reset()
    player, room = episode.names.agents[0], episode.names.rooms[1]
    inside = episode.world.inside & 1
    wrong = f"{player} came into the {room}." if inside else f"{player} exited the {room}."
    before = episode.world.beliefs
    turn = episode.step(wrong)
    assert turn.observation.startswith(f'"{wrong}" does nothing: {player} is {"in" if inside else "not in"} the {room}')
    turn = episode.step("I give up.")
    assert f'"I give up." does nothing: it is none of the lines that {player} may write.' in turn.observation
    assert (episode.acts, episode.illegal, episode.reset() and episode.world.beliefs) == (0, 2, before)


def test_only_the_last_line_of_a_reply_counts():
    episode = episodes(seed=7, acts=1, depth=1)[0]
    won = episode.solution
    for line in won[:-1]:
        episode.step(line)
    episode.step(f"Action: {won[-1]}\nor rather\nAction: {episode.say(None)}")
    assert episode.done and (episode.reward == 1.0) == (won[-1] == episode.say(None))


def test_there_are_some_two_hundred_lines_to_write(first):
    assert {len(episode.legal) for episode in first} <= {88, 183}
    kinds = {kind_of(act) for episode in first for act in episode.legal.values()}
    assert kinds == {"wait", "come", "exit", "move", "claim", "tell", "thought"}


def test_what_is_wrong_is_said_in_one_line():
    with pytest.raises(UserError, match="^no episodes have 4 acts and depth 1; acts and depth may be 1 and 1, "):
        episodes(acts=4, depth=1)
    with pytest.raises(UserError, match="^seed is 'x'; it must be an integer$"):
        episodes(seed="x")
    with pytest.raises(IndexError, match="^index is -1; it must be 0 or more, as there is no last episode$"):
        episodes()[-1]
    with pytest.raises(TypeError, match="^index is 1.5; it must be an integer$"):
        episodes()[1.5]
    episode = episodes(seed=7, acts=1, depth=1)[0]
    with pytest.raises(TypeError, match="^the reply is 3; it must be a text that ends with a line such as "):
        episode.step(3)
    for _ in range(episode.game.turns):
        episode.step("Action: nothing")
    with pytest.raises(UserError, match=r"^episode 0 is over after \d turns"):
        episode.step("Action: nothing")


def test_the_page_plays_an_episode_as_it_is_drawn():
    page = (ROOT / "docs" / "how_to" / "play.md").read_text(encoding="utf-8")
    episode = episodes(seed=7, acts=2, depth=2)[0]
    assert "`episodes(seed=7, acts=2, depth=2)[0]`" in page and page.count("```text\n1 ") == 1
    story = re.search(r"belongs to it\.\n(.*?)\n\nNow ", episode.prompt, re.DOTALL)[1]
    assert f"```text\n{story}\n" in page and "```text\n{}\n```".format("\n".join(episode.solution)) in page
    assert all(f"- {sentence}\n" in page for sentence, _ in episode.goals())
    come, tell, _ = acts = [episode.legal[line] for line in episode.solution]
    claim, to_jackson = (replace(tell, hearers=heard) for heard in ((), (episode.names.agents.index("Jackson"),)))
    assert wins(episode.game, acts) and wins(episode.game, [come, Exit(come.agent, come.room), to_jackson])
    for other in ([None, tell], [None, to_jackson], [come, to_jackson], [come, claim]):
        assert not wins(episode.game, other)


def test_the_package_gives_episodes():
    assert tom_datasets.episodes is episodes
