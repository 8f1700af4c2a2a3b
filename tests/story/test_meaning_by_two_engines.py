"""Prove that beliefs agree on random stories with a second engine, and with the definition of the workshop paper."""

from hypothesis import given, settings
from hypothesis import strategies as st
from random_stories import chains, coherent_stories

from tom_datasets.proof.stories import order_matters
from tom_datasets.reader import story_interpretations
from tom_datasets.reader.story_minds import believe_after, happenings
from tom_datasets.story.analysis import order_sensitive
from tom_datasets.story.interpretations import INTERPRETATIONS, InterpretedStory, believed, differing_interpretations
from tom_datasets.story.meaning import RULES, SEMANTICS, belief, by_rules, facts_of
from tom_datasets.syntax.coherence import check
from tom_datasets.syntax.events import Enter, Exit, Move, Overhear, Place, Story, Tell, Watch


@settings(deadline=None, max_examples=200)
@given(coherent_stories(), st.data())
def test_two_engines_agree(story, data):
    """`belief` looks back from the end over sets of lines; the proofs hand each line from mind to mind."""
    check(story)
    longest = tuple(data.draw(st.permutations(range(story.n_agents))))
    facts = facts_of(story, 0)
    asked = [*chains(story.n_agents, 4), *(longest[:order] for order in range(5, story.n_agents + 1))]
    for semantics in SEMANTICS:
        expected = believe_after(happenings(story, 0), asked, semantics)
        assert {chain: facts.last(RULES[semantics](facts, chain)) for chain in expected} == expected


@settings(deadline=None, max_examples=300)
@given(coherent_stories(watches=True, most=5))
def test_two_engines_agree_on_stories_with_secrets(story):
    """They agree on every chain of distinct agents, under the rules; and on whether its order matters."""
    check(story)
    told, facts = happenings(story, 0), facts_of(story, 0)
    expected = believe_after(happenings(story, 0), chains(story.n_agents, story.n_agents), "recursive")
    assert {chain: facts.last(RULES["recursive"](facts, chain)) for chain in expected} == expected
    for chain in list(expected)[::7]:
        matters = order_matters(told, chain, expected[chain], "recursive")
        assert matters == order_sensitive(facts, chain, "recursive")


@settings(deadline=None, max_examples=2000)
@given(coherent_stories(watches=True, most=5, comes=True))
def test_two_engines_agree_on_stories_with_all_events(story):
    check(story)
    facts = facts_of(story, 0)
    expected = believe_after(happenings(story, 0), chains(story.n_agents, 4), "recursive")
    assert {chain: facts.last(RULES["recursive"](facts, chain)) for chain in expected} == expected


@settings(deadline=None, max_examples=300)
@given(coherent_stories(watches=True, most=5), st.data())
def test_two_engines_agree_under_every_reading(story, data):
    told = happenings(story, 0)
    for chain in data.draw(st.lists(st.sampled_from(chains(story.n_agents, 4)), min_size=5, max_size=20)):
        beliefs = {name: believed(story, chain, 0, name) for name in INTERPRETATIONS}
        assert {name: story_interpretations.believed(told, chain, name) for name in INTERPRETATIONS} == beliefs
        answer = belief(story, chain, 0)
        assert story_interpretations.differing(told, chain, answer) == differing_interpretations(
            story, chain, 0, answer
        )


@settings(deadline=None, max_examples=150)
@given(coherent_stories(watches=True, most=5, comes=True), st.data())
def test_a_further_claim_means_the_same_as_the_last_line_of_a_story(story, data):
    """Where it is added to what is known of the story, every reading has what it has of the longer story."""
    agents = st.lists(st.sampled_from(range(story.n_agents)), min_size=1, max_size=4, unique=True)
    claims = [Tell(speaker, tuple(hearers), 0, 9) for speaker, *hearers in data.draw(st.lists(agents, max_size=2))]
    further, longer = InterpretedStory(story, 0), InterpretedStory(Story(story.n_agents, (*story.events, *claims)), 0)
    for claim in claims:
        further = further.with_claim(claim)
    for chain in chains(story.n_agents, 3):
        for name, believes in INTERPRETATIONS.items():
            assert believes(further, chain) == believes(longer, chain), name
        assert further.differing_from(chain, 9) == longer.differing_from(chain, 9)
    at_once = facts_of(story, 0).with_claims(claims)
    for chain in chains(story.n_agents, 4):
        assert by_rules(at_once, chain) == by_rules(further.facts, chain) == by_rules(longer.facts, chain)
    assert at_once.lines == further.facts.lines == longer.facts.lines


def test_both_engines_name_the_same_readings():
    assert story_interpretations.NAMES == tuple(INTERPRETATIONS)


@settings(deadline=None, max_examples=100)
@given(coherent_stories(watches=True))
def test_only_who_is_in_secret_knows_of_secrets(story):
    """Chains whose first agent neither watches nor overhears believe the same without the lines that say who does."""
    secret = {event.agent for event in story.events if isinstance(event, Watch | Overhear)}
    plain = Story(story.n_agents, tuple(event for event in story.events if not isinstance(event, Watch | Overhear)))
    for chain in chains(story.n_agents, 3):
        if not chain or chain[0] not in secret:
            assert belief(story, chain, 0) == belief(plain, chain, 0)


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
    facts = facts_of(story, 0)
    for chain in chains(story.n_agents, 4):
        common = set(range(len(shown))).intersection(*[seen_by[agent] for agent in chain])
        expected = shown[max(common)][0] if common else None
        for semantics in SEMANTICS:
            assert facts.last(RULES[semantics](facts, chain)) == expected
            assert not order_sensitive(facts, chain, semantics)
