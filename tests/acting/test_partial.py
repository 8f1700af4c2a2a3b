"""Prove what episodes with a partial view are: won by a policy whatever is true, and by nothing that is less."""

import pickle
from collections import defaultdict

import pytest
from partial_plays import least_lines, policy_wins, starts, won

from tom_datasets.errors import UserError
from tom_datasets.reader.read_stories import read_story
from tom_datasets.story.acting.partial.draw import (
    CELLS,
    FEW,
    FIRSTS,
    LOSERS,
    LURED,
    ON_REQUEST,
    SINGLE,
    draw_chains,
    draw_goals,
    draw_response,
    draw_setting,
    interpretations,
)
from tom_datasets.story.acting.partial.game import Ask, Partial, fault, play
from tom_datasets.story.acting.partial.players import Play, at_random, hindsight, share_of
from tom_datasets.story.acting.partial.policy import policy_of
from tom_datasets.story.acting.partial.reached import Reached
from tom_datasets.story.acting.partial.solve import NEVER, Policies, SinglePlan
from tom_datasets.story.acting.world import chains_of
from tom_datasets.streaming.episodes import episodes, partial_episode_of
from tom_datasets.streams import stream
from tom_datasets.syntax.coherence import check
from tom_datasets.syntax.events import Story

SMALL = CELLS[:2]  # cells that are drawn fast
DRAWN = CELLS[:4]  # cells that are drawn within a minute; those of longer episodes take longer


@pytest.fixture(scope="module")
def first():
    """Return the first episode of some cells."""
    return [partial_episode_of(cell, 7, 0) for cell in SMALL]


def small_games(number):
    """Yield random episodes of one or two turns, which need not be winnable."""
    for index in range(number):
        source = stream("small partial", index)
        setting = draw_setting(source)
        if setting is None:
            continue
        script = tuple(draw_response(source, setting) for _ in range(1 + source.below(2)))
        goals = draw_goals(source, draw_chains(source, setting, 1 + source.below(2)), 1 + source.below(2))
        some = source.draw(setting.pool, min(len(setting.pool), 1 + source.below(3)))
        public, pairs = source.below(2) == 0, source.below(2) == 0
        yield Partial(4, 4, setting.story, tuple(some), script, goals, public, pairs), source


def test_a_turn_means_the_same_by_the_second_meaning():
    turns = 0
    for game, source in small_games(80):
        for world, told in zip(game.starts, starts(game), strict=True):
            for response in game.script:
                doing = source.draw(game.doings, 1)[0]
                assert told.can(doing) == (fault(world, doing) is None)
                seen, world = play(world, doing, response)
                second, told = told.turn(doing, response)
                assert seen == second
                assert all(world.believed(chain) == told.believed(chain) for chain in chains_of(game.n_agents))
                turns += 1
            assert game.won(world) == won(game, told)
    assert turns > 20


def agree_on_the_least_lines(number):
    """Let both searches find the least numbers of lines of some small episodes; return which ones there are."""
    found = set()
    for game, _ in small_games(number):
        policies = Policies(game)
        for asking in (True, False):
            least = policies.least(asking)
            naive = least_lines(game, 0, starts(game), game.turns, asking)
            assert (least if least < NEVER else game.turns + 1) == naive
            found.add(naive)
    return found


def test_a_naive_search_finds_the_same_least_numbers_of_lines():
    assert agree_on_the_least_lines(60) >= {0, 1, 2}


@pytest.mark.slow
def test_a_naive_search_finds_the_same_least_numbers_of_lines_many_times():
    assert agree_on_the_least_lines(1500) >= {0, 1, 2, 3}


def test_what_is_judged_in_arrays_is_what_one_by_one_gives():
    """The needs of alternatives, and how often two of the players win who do not find out first."""
    judged = 0
    for game, source in small_games(60):
        chains = [goal.chain for goal in game.goals]
        reached = Reached(game, chains, game.starts, 10**6)
        policies = Policies(game)
        needs = reached.judge(game.goals)
        states = [policies.state(start) for start in game.starts]
        least = [policies.least_known(0, state) for state in states]
        assert [min(need, game.turns + 1) for need in needs] == [min(need, game.turns + 1) for need in least]
        places = source.shuffled(range(len(states)))
        assert reached.most(places) == SinglePlan(policies).most(states)
        assert reached.lured(places) == round(Play(policies).share(hindsight) * len(states))
        judged += any(0 < need <= game.turns for need in needs)
    assert judged > 5
    assert Reached(game, chains, game.starts, 1).large


def is_proven(episode):
    """Check that an episode is what its cell says, by both meanings."""
    game = episode.game
    policies = Policies(game)
    assert policies.least() == game.turns == episode.cell.turns
    assert not policies.sure(0, policies.root, game.turns, asking=False)
    assert game.depth == episode.cell.depth and len(game.alternatives) == episode.cell.alternatives
    assert 1 <= len(policies.winning_firsts(policies.root)) <= FIRSTS
    policy = policy_of(policies, game)
    assert policy.wins(game) and all(policy_wins(game, policy, told) for told in starts(game))
    assert all(policy.wins(read) for read in interpretations(game))
    assert len({(start.inside, start.inside.bit_count()) for start in game.starts}) == 1
    for lines in game.alternatives:
        check(Story(game.n_agents, (*game.story, *lines)))
    if len(game.alternatives) > FEW:
        single = SinglePlan(policies).most([policies.state(start) for start in game.starts])
        assert 100 * single <= SINGLE * len(game.alternatives)
        assert Play(policies).share(hindsight) * 100 <= LURED
        assert all(100 * share_of(policies, name) <= most for name, most in LOSERS.items())


def test_an_episode_is_what_its_cell_says(first):
    for episode in first:
        is_proven(episode)


@pytest.mark.slow
@pytest.mark.parametrize("cell", DRAWN)
def test_an_episode_of_each_cell_is_what_its_cell_says(cell):
    is_proven(partial_episode_of(cell, 8, 1))


def test_what_is_best_wins_against_the_worst_and_whatever_is_fixed(first):
    for episode in first:
        for truth in ("worst", "fixed"):
            playing = type(episode)(episode.game, episode.names, 7, 0, truth)
            playing.reset()
            assert ("guessing does not help" in playing.prompt) == (truth == "worst")
            turns = []
            while not playing.done:
                turns.append(playing.step(f"I think.\nAction: {playing.best}\n"))
            assert [turn.done for turn in turns] == [False] * (episode.game.turns - 1) + [True]
            assert [turn.reward for turn in turns] == [0.0] * (episode.game.turns - 1) + [1.0]
            assert turns[-1].observation.count("Reached: ") == len(episode.game.goals)
            assert "Missed: " not in turns[-1].observation and playing.best is None


def test_luck_wins_nothing_against_the_worst(first):
    for episode in first:
        policies = Policies(episode.game)
        source = stream("luck", episode.cell.alternatives)
        for _ in range(40):
            episode.reset()
            while not episode.done:
                able = [line for line, doing in episode.legal.items() if not fault(episode.game.starts[0], doing)]
                episode.step(source.draw(able, 1)[0])
            sure = episode.reward == 1.0
            assert not sure or all(episode.game.won(world) for world in episode.worlds.values())
        plays = Play(policies)
        assert not plays.wins(hindsight) and plays.share(at_random(source)) <= 0.5
    episode.reset()


def test_a_question_is_answered_and_teaches_nobody_anything(first):
    episode = first[0]
    episode.reset()
    before = {alternative: world.beliefs for alternative, world in episode.worlds.items()}
    response = replace_response(episode.game)
    for doing in episode.game.doings:
        if isinstance(doing, Ask) and not fault(episode.game.starts[0], doing):
            for alternative, world in episode.worlds.items():
                (answer, seen), after = play(world, doing, response)
                assert answer == world.believed(doing.chain) and seen is None
                assert after.beliefs == before[alternative]


def replace_response(game):
    """Return a response in which nothing is done."""
    return game.script[0]._replace(listener=None, chain=(), deed=None, otherwise=None)


def test_the_story_and_what_may_have_happened_can_be_read_back(first):
    for episode in first:
        told = episode.prompt.partition("The story as you perceived it:\n")[2].partition("\nThen ")[0]
        read, _ = read_story(told)
        assert len(read.events) == len(episode.game.story)
        for number, lines in enumerate(episode.game.alternatives):
            said = " ".join(map(episode.say, lines))
            assert f"({'abcdefghijklmnopqrstuvwxyz'[number]}) {said}\n" in episode.prompt


def test_there_are_at_most_sixteen_rules(first):
    rules = first[0].prompt.partition("knows:\n")[2].partition("\n\nThe story")[0].split("\n")
    assert [int(rule.partition(".")[0]) for rule in rules] == [*range(1, 17)]


def test_an_episode_depends_on_its_seed_its_index_and_its_cell_alone(first):
    again = partial_episode_of(SMALL[0], 7, 0)
    assert again.prompt == first[0].prompt
    assert partial_episode_of(SMALL[0], 7, 1).prompt != again.prompt
    again.step(again.best)
    copy = pickle.loads(pickle.dumps(again))
    assert (copy.prompt, [*copy.worlds], copy.actions) == (again.prompt, [*again.worlds], again.actions)


def test_what_cannot_be_done_takes_its_turn_and_says_why(first):
    episode = first[0]
    episode.reset()
    player, room = episode.names.agents[0], episode.names.rooms[1]
    turn = episode.step(f"Action: {player} exited the {room}.")
    assert turn.observation.startswith(f'"{player} exited the {room}." does nothing: {player} is not in the {room}.')
    turn = episode.step("who knows")
    assert "it is none of the lines that" in turn.observation and episode.illegal == 2
    with pytest.raises(TypeError, match="must be a text"):
        episode.step(None)
    while not episode.done:
        episode.step(f"{player} waited.")
    with pytest.raises(UserError, match="is over after 3 turns"):
        episode.step(f"{player} waited.")
    assert episode.reward == 0.0 and "Missed: " in episode.ending()


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"view": "half"}, "it must be one of full, partial"),
        ({"alternatives": 8}, "say view='partial' too"),
        ({"view": "partial", "acts": 2}, "choose alternatives and depth"),
        ({"view": "partial", "truth": "kind"}, "it must be one of worst, fixed"),
        ({"view": "partial", "alternatives": 5}, "no episodes have 5 alternatives"),
        ({"view": "partial", "alternatives": 24, "depth": 1}, "no episodes have 24 alternatives and depth 1"),
    ],
)
def test_what_is_wrong_is_said_in_one_line(wrong, said):
    with pytest.raises(UserError, match=said) as error:
        episodes(**wrong)
    assert "\n" not in str(error.value)


def test_larger_cells_come_on_request_alone():
    assert episodes(view="partial").cells == CELLS
    assert episodes(view="partial", alternatives=24).cells == (ON_REQUEST[1],)


@pytest.mark.slow
def test_weak_players_win_seldom_on_fresh_draws():
    """Whatever is true is as likely as all else; and against the worst that may be true they win nothing."""
    found, questions, public = defaultdict(list), [], []
    drawn = [partial_episode_of(cell, 21, index) for cell in DRAWN for index in range(2)]
    for number, episode in enumerate(drawn):
        game, source = episode.game, stream("weak", number)
        policies = Policies(game)
        policy = policy_of(policies, game)
        questions.append(policy.questions() > 1 or game.turns == 3)
        public.append(game.public)
        if len(game.alternatives) <= FEW:
            continue
        plays, states = Play(policies), [policies.state(start) for start in game.starts]
        found["one plan"].append(SinglePlan(policies).most(states) / len(states))
        found["random"].append(sum(plays.share(at_random(source)) for _ in range(20)) / 20)
        found["random, worst"].append(sum(plays.wins(at_random(source)) for _ in range(20)) / 20)
        for name in ("hindsight", *LOSERS):
            share = share_of(policies, name)
            found[name].append(share)
            found[f"{name}, worst"].append(share == 1.0 and name != "one alternative")
    means = {name: 100 * sum(some) / len(some) for name, some in found.items()}
    assert means["one plan"] <= 40 and means["random"] <= 10 and means["one alternative"] <= 40
    assert max(means["hindsight"], means["no trust"], means["no secrecy"]) <= 45
    assert all(mean <= 5 for name, mean in means.items() if name.endswith(", worst"))
    assert 4 * sum(questions) >= 3 * len(drawn), "of four turns and more half have two questions"
    assert any(public) and not all(public)
