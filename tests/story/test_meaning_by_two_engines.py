"""Prove that `belief` agrees on random stories with a second engine, and with the definition of the workshop paper."""

from hypothesis import given, settings
from hypothesis import strategies as st
from random_stories import chains, coherent_stories

from tom_datasets.proof.story_minds import believe_all
from tom_datasets.story.analysis import order_sensitive
from tom_datasets.story.meaning import SEMANTICS, belief, lessons_about
from tom_datasets.syntax.coherence import check
from tom_datasets.syntax.events import Enter, Exit, Move, Place, Story, Watch


@settings(deadline=None, max_examples=200)
@given(coherent_stories(), st.data())
def test_two_engines_agree(story, data):
    """`belief` looks back from the end; the proofs update nested minds as the story goes on."""
    check(story)
    longest = tuple(data.draw(st.permutations(range(story.n_agents))))
    asked = [*chains(story.n_agents, 4), *(longest[:order] for order in range(5, story.n_agents + 1))]
    for semantics in SEMANTICS:
        expected = believe_all(story, 0, asked, semantics)
        assert {chain: belief(story, chain, 0, semantics) for chain in expected} == expected


@settings(deadline=None, max_examples=300)
@given(coherent_stories(watches=True, most=5))
def test_two_engines_agree_where_some_watch(story):
    """They agree on every chain of distinct agents."""
    check(story)
    expected = believe_all(story, 0, chains(story.n_agents, story.n_agents), "recursive")
    assert {chain: belief(story, chain, 0) for chain in expected} == expected


@settings(deadline=None, max_examples=100)
@given(coherent_stories(watches=True))
def test_nobody_knows_of_a_watcher(story):
    """Chains whose first agent did not watch believe the same without the lines that say who watched."""
    watchers = {event.agent for event in story.events if isinstance(event, Watch)}
    unwatched = Story(story.n_agents, tuple(event for event in story.events if not isinstance(event, Watch)))
    for chain in chains(story.n_agents, 3):
        if not chain or chain[0] not in watchers:
            assert belief(story, chain, 0) == belief(unwatched, chain, 0)


def sightings(story, thing):
    """Return the container and the witnesses of every event that shows where a thing is, by following the agents."""
    where, shown = {}, []
    entered = home = place = None
    for event in story.events:
        match event:
            case Enter(agents, room):
                where |= dict.fromkeys(agents, room)
                entered = room
                if room == home:
                    shown.append((place, {agent for agent in where if where[agent] == home}))
            case Exit(agent, _):
                del where[agent]
            case Place(placed, container) if placed == thing:
                home, place = entered, container
                shown.append((place, {agent for agent in where if where[agent] == home}))
            case Move(_, moved, container) if moved == thing:
                place = container
                shown.append((place, {agent for agent in where if where[agent] == home}))
    return shown


@settings(deadline=None, max_examples=150)
@given(coherent_stories(claims=False))
def test_without_claims_a_belief_is_the_last_common_sighting(story):
    """Definition C.3 of the workshop paper: f(max(T_A1 ∩ … ∩ T_An))."""
    shown = sightings(story, 0)
    seen_by = [{k for k, (_, witnesses) in enumerate(shown) if agent in witnesses} for agent in range(story.n_agents)]
    lessons = lessons_about(story, 0)
    for chain in chains(story.n_agents, 4):
        common = set(range(len(shown))).intersection(*[seen_by[agent] for agent in chain])
        expected = shown[max(common)][0] if common else None
        for semantics in SEMANTICS:
            assert belief(story, chain, 0, semantics) == expected
            assert not order_sensitive(lessons, chain, semantics)
