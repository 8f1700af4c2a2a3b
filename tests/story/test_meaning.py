"""Prove by both engines what events teach on puzzles from the literature, and what facts and obstacles are."""

import pytest
from hypothesis import given, settings
from random_stories import chains, coherent_stories, held, told

from tom_datasets.story.meaning import RULES, SEMANTICS, SLOTS, Facts, answer_slot, belief, each, facts_of, places
from tom_datasets.story.reasons import obstacles_of
from tom_datasets.syntax.coherence import check
from tom_datasets.syntax.events import Enter, Exit, Like, Move, Place, Story, Tell

SALLY, ANNE, ALEX = range(3)


BASKET, BOX = range(2)
SALLY_ANNE = Story(3, (Enter((SALLY, ANNE, ALEX), 1), Place(0, BASKET), Exit(SALLY, 1), Move(ANNE, 0, BOX)))


@pytest.mark.parametrize("semantics", SEMANTICS)
@pytest.mark.parametrize(
    ("chain", "expected"),
    [
        ((), BOX),
        ((SALLY,), BASKET),
        ((ANNE,), BOX),
        ((ANNE, SALLY), BASKET),
        ((SALLY, ANNE), BASKET),
        ((ANNE, ALEX), BOX),
        ((ALEX, ANNE, SALLY), BASKET),
    ],
)
def test_sally_and_anne(chain, expected, semantics):
    """Baron-Cohen et al. 1985; Figure 1 of the workshop paper."""
    assert held(SALLY_ANNE, chain, 0, semantics) == expected


@pytest.mark.parametrize("semantics", SEMANTICS)
@pytest.mark.parametrize(
    ("names", "expected"),
    [
        *((names, "church") for names in ("", "M", "J", "JD", "DJ", "MD", "DM")),  # the driver told John
        # Mary does not know that: a false belief of second order. Nor does John know that Mary saw the van leave.
        *((names, "park") for names in ("MJ", "JM", "DMJ", "MDJ")),
    ],
)
def test_the_ice_cream_van(names, expected, semantics):
    """Perner and Wimmer 1985: John and Mary are in the park; each learns alone that the van goes to the church."""
    john, mary, driver = range(3)
    events = (Enter((john, mary, driver), 1), Place(0, 0), Exit(john, 1), Move(driver, 0, 1))
    story = Story(3, (*events, Tell(driver, (john,), 0, 1)))
    check(story)
    chain = tuple({"J": john, "M": mary, "D": driver}[name] for name in names)
    assert held(story, chain, 0, semantics) == {"park": 0, "church": 1}[expected]


ALEXANDER, JACKSON, BENJAMIN = range(3)


APPLE, BANANA, PUMPKIN = range(3)


GREEN_DRAWER, BLUE_BOX, RED_TREASURE_CHEST, RED_BASKET = range(4)
TABLE_2, _ = told(
    "1 Alexander, Jackson and Benjamin entered the garage. 2 The apple is in the green_drawer. 3 Jackson exited the "
    "garage. 4 Alexander moved the apple to the blue_box. 5 Alexander exited the garage. 6 Benjamin exited the garage. "
    "7 Alexander and Benjamin entered the playroom. 8 The banana is in the red_treasure_chest. 9 Benjamin exited the "
    "playroom. 10 Benjamin entered the TV_room. 11 Alexander moved the banana to the red_basket. 12 Alexander, Jackson "
    "and Benjamin entered the garage. 13 The pumpkin is in the blue_box. 14 Jackson moved the pumpkin to the "
    "green_drawer."
)


@pytest.mark.parametrize("semantics", SEMANTICS)
@pytest.mark.parametrize(
    ("chain", "thing", "expected"),
    [
        # "all the three agents re-entered the garage in line 11 and all three are aware" of the blue_box.
        ((ALEXANDER, JACKSON, BENJAMIN), APPLE, BLUE_BOX),
        ((JACKSON,), APPLE, BLUE_BOX),
        # Benjamin was in the TV room, the room entered last; the mover was not.
        ((BENJAMIN,), BANANA, RED_TREASURE_CHEST),
        ((ALEXANDER, BENJAMIN), BANANA, RED_TREASURE_CHEST),
        ((ALEXANDER,), BANANA, RED_BASKET),
        ((JACKSON,), BANANA, None),
        ((BENJAMIN, JACKSON), BANANA, None),
        ((BENJAMIN, ALEXANDER, JACKSON), PUMPKIN, GREEN_DRAWER),
    ],
)
def test_the_garage(chain, thing, expected, semantics):
    """Table 2 of the workshop paper."""
    check(TABLE_2)
    assert held(TABLE_2, chain, thing, semantics) == expected


WILLIAM, JACK, CHARLOTTE, NOAH, HANNAH = range(5)


RED, GREEN, BLUE = range(3)
TABLE_8, _ = told(
    "1 William, Jack, Charlotte, Noah and Hannah entered the kitchen. 2 Noah saw a monkey. 3 The carrot is in the "
    "red_box. 4 William made no movements and stayed in the kitchen for 1 minute. 5 William exited the kitchen. "
    "6 Hannah saw a cat. 7 Jack made no movements and stayed in the kitchen for 1 minute. 8 Jack exited the kitchen. "
    "9 Charlotte made no movements and stayed in the kitchen for 1 minute. 10 Charlotte exited the kitchen. "
    "11 Charlotte dislikes the melon. 12 Noah moved the carrot to the green_box. 13 Noah exited the kitchen. "
    "14 Hannah moved the carrot to the red_box. 15 Hannah exited the kitchen. 16 William, Jack, Charlotte, Noah and "
    "Hannah entered the waiting_room. 17 Charlotte publicly claimed that the carrot is in the green_box now. "
    "18 Hannah privately told Charlotte that the carrot is in the blue_box now."
)


@pytest.mark.parametrize(
    ("chain", "recursive", "published"),
    [
        # The question of the table. All are among the hearers of Charlotte's public claim, and William, who left before
        # her, trusts her, as all of them know; the released generator carries no claim so far.
        ((CHARLOTTE, JACK, HANNAH, WILLIAM), GREEN, RED),
        ((JACK, HANNAH, WILLIAM), GREEN, RED),  # William trusts Charlotte, as Hannah, who knows the exits, knows
        ((HANNAH, WILLIAM), GREEN, RED),
        ((WILLIAM,), GREEN, GREEN),
        ((), RED, RED),
        ((JACK,), GREEN, GREEN),
        ((CHARLOTTE,), BLUE, BLUE),  # her own words do not count; Hannah left later
        ((NOAH,), GREEN, GREEN),  # his own move
        ((HANNAH,), RED, RED),
        ((WILLIAM, HANNAH), RED, RED),  # Hannah left later than Charlotte
        ((JACK, CHARLOTTE), GREEN, GREEN),  # Jack trusts her, so takes her to mean it
        ((CHARLOTTE, JACK), GREEN, GREEN),
        ((CHARLOTTE, NOAH), GREEN, GREEN),  # she takes all listeners to trust her
        ((WILLIAM, CHARLOTTE, HANNAH), GREEN, RED),  # William knows that she does; he did not hear Hannah
        ((CHARLOTTE, WILLIAM, HANNAH), RED, RED),  # and she knows that he knows better: Hannah left later
        ((NOAH, CHARLOTTE), RED, RED),  # Noah does not trust her
        ((CHARLOTTE, HANNAH), BLUE, BLUE),
        ((HANNAH, CHARLOTTE), BLUE, BLUE),
        ((NOAH, HANNAH), GREEN, GREEN),  # they both saw Noah's move
        ((WILLIAM, JACK, NOAH, HANNAH), RED, RED),
    ],
)
def test_the_carrot(chain, recursive, published):
    """Table 8 of the EMNLP paper."""
    check(TABLE_8)
    assert held(TABLE_8, chain, 0) == recursive
    assert held(TABLE_8, chain, 0, "published") == published


@settings(deadline=None, max_examples=100)
@given(coherent_stories(watches=True, most=4))
def test_there_is_an_obstacle_wherever_a_line_teaches_nothing(story):
    facts = facts_of(story, 0)
    for chain in chains(story.n_agents, 4):
        taught = RULES["recursive"](facts, chain)
        for place in each(facts.sightings | facts.claims):
            obstacles = obstacles_of(facts, place, chain)
            assert obstacles or taught >> place & 1 or not chain
            if facts.sightings >> place & 1 and chain:
                assert not obstacles == bool(taught >> place & 1)


def test_answer_slots():
    """Slots count places by first appearance, however often the thing was there. A claim makes no place."""
    facts = Facts(1)
    for container, is_seen in ((4, True), (9, False), (2, True), (4, False), (7, True), (5, True), (4, True)):
        facts.see(container, 0, 1) if is_seen else facts.hear(Tell(0, (), 0, container), 0, {}, {})
    assert places(facts) == [4, 2, 7, 5]
    slots = {container: SLOTS[answer_slot(places(facts), container)] for container in (4, 2, 7, 5, 9)}
    assert slots == {4: "first", 2: "second", 7: "later", 5: "later", 9: "claimed"}


@pytest.mark.parametrize("chain", [(SALLY, SALLY), (SALLY, ANNE, SALLY), (SALLY, ANNE, ALEX, 3)])
def test_a_chain_that_repeats_an_agent_or_is_too_long_is_refused(chain):
    with pytest.raises(ValueError) as raised:
        belief(SALLY_ANNE, chain, 0)
    assert str(raised.value) == f"a chain must have distinct agents, at most 3 here (Theorem C.5): {chain}"


def test_unknown_semantics_are_refused():
    with pytest.raises(ValueError, match="^unknown semantics 'naive'; expected one of recursive, published$"):
        belief(TABLE_8, (CHARLOTTE,), 0, "naive")


def test_a_chain_that_nothing_teaches_has_no_belief():
    story = Story(2, (Enter((0,), 1), Place(0, 0), Enter((1,), 2), Like(1, 0)))
    for semantics in SEMANTICS:
        assert held(story, (1,), 0, semantics) is None
        assert held(story, (0, 1), 0, semantics) is None
        assert held(story, (), 5, semantics) is None
