"""Prove that `step` means what stories mean, and that the solver finds what a naive search finds."""

from dataclasses import replace

import pytest
from plan_searches import after, all_acts, least_by_replaying, least_by_states

from tom_datasets.reader.story_minds import believe_after, happenings
from tom_datasets.story.acting import draw, solve
from tom_datasets.story.acting.game import IS, RIGHT, WRONG, Game, Goal, Round, lines_of, play
from tom_datasets.story.acting.world import (
    AS_BEFORE,
    IS_RIGHT,
    IS_WRONG,
    MOST_CONTAINERS,
    ROOM,
    THING,
    World,
    acts_of,
    chains_of,
    check_bits,
    fault,
    step,
)
from tom_datasets.story.meaning import RULES, facts_of
from tom_datasets.streaming.episodes import episodes
from tom_datasets.streams import stream
from tom_datasets.syntax.coherence import check
from tom_datasets.syntax.events import Enter, Exit, Like, Move, Place, Story

SMALL = 150  # small episodes that both searches solve; `make test-slow` has more


def drawn(number, n_agents=4, n_turns=2, n_containers=draw.CONTAINERS):
    """Return a game at random, without goals."""
    source = stream("test", number)
    story, world = draw.draw_story(source, n_agents, watched=number % 2 == 0)
    return Game(n_agents, n_containers, story, draw.draw_script(source, world, n_turns, True), ()), world, source


def test_a_step_means_what_a_story_means():
    """Whole stories, played at random, are coherent; both meanings of stories agree with `step` on all chains."""
    for number in range(60):
        game, world, source = drawn(number, 4 + number % 2, 4)
        events = list(game.story)
        for after_turn in game.script:
            able = [act for act in acts_of(game.n_agents, draw.CONTAINERS) if fault(world, act) is None]
            act = able[source.below(len(able))]
            events += lines_of(world, act, after_turn)
            world = play(world, act, after_turn)
        story = Story(game.n_agents, tuple(events))
        check(story)
        facts, believed = facts_of(story, THING), {chain: world.believed(chain) for chain in chains_of(game.n_agents)}
        assert believed == {chain: facts.last(RULES["recursive"](facts, chain)) for chain in believed}
        assert believed == believe_after(happenings(story, THING), believed, "recursive")


def test_no_two_things_share_a_bit_of_a_field_of_beliefs():
    apart = AS_BEFORE, IS_RIGHT, IS_WRONG
    check_bits(MOST_CONTAINERS, apart)
    for n_containers, others in [(6, apart), (5, (5, 6, 6)), (5, (5, 6, 8)), (5, (4, 6, 7))]:
        with pytest.raises(
            ValueError, match=f"collide, {n_containers} for containers and then the others; each must be another"
        ):
            check_bits(n_containers, others)
    with pytest.raises(ValueError, match="the episode has 6 containers; it must have at most 5"):
        Game(4, 6, (), (), ())


def test_a_move_of_the_script_to_where_the_thing_is_already_is_left_out():
    story = Enter((0, 1, 2), ROOM), Place(THING, 0)
    moved = Round(None, (Move(1, THING, 2), Exit(1, ROOM), Move(2, THING, 2), Move(2, THING, 1)))
    game = Game(3, 3, story, (moved,), ())
    waited = (Move(1, THING, 2), Exit(1, ROOM), Move(2, THING, 1))
    assert lines_of(game.start, None, moved) == waited
    assert lines_of(game.start, Move(0, THING, 1), moved) == (Move(0, THING, 1), *waited)
    forestalled = Move(0, THING, 2)
    assert lines_of(game.start, forestalled, moved) == (forestalled, Exit(1, ROOM), Move(2, THING, 1))
    assert lines_of(game.start, Move(0, THING, 0), moved) == waited  # that act cannot be done


def test_the_acts_that_can_be_done_are_those_of_a_second_list():
    for number in range(20):
        game, world, source = drawn(number, 4 + number % 2)
        events = game.story
        for after_turn in game.script:
            able = [act for act in acts_of(game.n_agents, draw.CONTAINERS) if fault(world, act) is None]
            assert sorted(map(repr, able)) == sorted(map(repr, all_acts(game.n_agents, draw.CONTAINERS, events)))
            act = able[source.below(len(able))]
            events, world = after(events, act, after_turn), play(world, act, after_turn)


def with_goals(game, source):
    """Return a game with goals at random."""
    goals = []
    for chain in source.draw([*chains_of(game.n_agents)], 1 + source.below(3)):
        kind = (IS, IS, RIGHT, WRONG)[source.below(4)]
        goals.append(Goal(kind, chain, source.below(game.n_containers) if kind == IS else None))
    return replace(game, goals=tuple(goals))


def small_games(number):
    """Yield small games: three agents, three containers, two turns."""
    for index in range(number):
        source = stream("test", "small", index)
        story, _ = draw.draw_story(source, 3, watched=index % 3 == 0)
        story = tuple(
            replace(event, container=event.container % 3) if hasattr(event, "container") else event for event in story
        )
        world = Game(3, 3, story, (), ()).start
        script = tuple(
            Round(
                after_turn.listener,
                tuple(
                    replace(event, container=event.container % 3) if hasattr(event, "container") else event
                    for event in after_turn.events
                ),
            )
            for after_turn in draw.draw_script(source, world, 2, True)
        )
        yield with_goals(Game(3, 3, story, script, ()), source)


def test_two_searches_agree_on_small_episodes():
    """The naive search replays every plan as a whole story, by the second meaning."""
    games = [*small_games(SMALL)]
    found = [solve.Plans(game).least() for game in games]
    assert found == [least_by_replaying(game) for game in games]
    assert {None, 0, 1, 2} == set(found)


@pytest.mark.slow
def test_two_searches_agree_on_many_small_episodes():
    for game in small_games(2000):
        assert solve.Plans(game).least() == least_by_replaying(game)


@pytest.mark.parametrize("cell", [(1, 1), (2, 1), (1, 2)])
def test_two_searches_agree_on_episodes(cell):
    game = episodes(3, *cell)[0].game
    assert cell[0] == game.acts == solve.Plans(game).least() == least_by_states(game)


@pytest.mark.slow
def test_two_searches_agree_on_many_episodes():
    for index in range(100):
        game = episodes(5)[index].game
        assert game.acts == solve.Plans(game).least() == least_by_states(game)


def test_a_wrong_search_would_be_found():
    """The naive search tells the rules from those that players get wrong."""
    games = [*small_games(SMALL)]
    right = [solve.Plans(game).least() for game in games]
    for mistaken in solve.MISTAKEN.values():
        assert [solve.Plans(game, mistaken).least() for game in games] != right


def test_a_line_of_another_kind_is_an_error():
    with pytest.raises(TypeError, match="not a line of an episode: Like"):
        step(World(3), Like(0, 0))
