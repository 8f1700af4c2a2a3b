"""Prove what events teach on puzzles from the literature, what lessons and obstacles are, and what is refused."""

import pytest
from random_stories import all_lessons, chains, told

from tom_datasets.story.meaning import (
    SEMANTICS,
    SLOTS,
    Lesson,
    answer_slot,
    belief,
    lessons_about,
    obstacle,
    places,
    teaches,
)
from tom_datasets.story.subchains import taught_subchains
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
    assert belief(SALLY_ANNE, chain, 0, semantics) == expected


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
    assert belief(story, chain, 0, semantics) == {"park": 0, "church": 1}[expected]


ALEXANDER, JACKSON, BENJAMIN = range(3)


APPLE, BANANA, PUMPKIN = range(3)


GREEN_DRAWER, BLUE_BOX, RED_TREASURE_CHEST, RED_BASKET = range(4)


GARAGE, PLAYROOM, TV_ROOM = 1, 2, 3


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
    assert belief(TABLE_2, chain, thing, semantics) == expected


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
    assert belief(TABLE_8, chain, 0) == recursive
    assert belief(TABLE_8, chain, 0, "published") == published


def test_without_claims_the_published_semantics_is_the_recursive_one():
    for chain in chains(3, 3):
        assert belief(TABLE_2, chain, APPLE, "published") == belief(TABLE_2, chain, APPLE, "recursive")


def test_there_is_an_obstacle_exactly_where_a_lesson_teaches_nothing():
    kinds = set()
    for lesson in all_lessons(3):
        for watching in range(8):
            watched = lesson._replace(watching=watching)
            for chain in chains(3, 3):
                reason = obstacle(watched, chain)
                assert (reason is None) == teaches(watched, chain, "recursive")
                if reason:
                    kind, agents = reason
                    kinds.add(kind)
                    assert set(agents) <= set(chain) and (agents or kind == "reality")
    assert kinds == {"absent", "unseen", "unheard", "reality", "own words", "doubted", "watched"}


@pytest.mark.parametrize(
    ("lesson", "chain", "expected"),
    [
        (Lesson(0, 0b0011), (0, 2, 3), ("absent", (2, 3))),
        (Lesson(0, 0b0011, watching=0b0100), (0, 2, 3), ("absent", (3,))),
        (Lesson(0, 0b0011, watching=0b0100), (0, 2), ("unseen", (2,))),
        (Lesson(0, 0b0011, watching=0b1100), (3, 2), ("unseen", (2,))),
        (Lesson(0, 0b0011, watching=0b0100), (2, 0), None),
        (Lesson(0, 0b0111, 0, 0b0010), (1, 3), ("unheard", (3,))),
        (Lesson(0, 0b0111, 0, 0b0010), (), ("reality", ())),
        (Lesson(0, 0b0111, 0, 0b0010), (0,), ("own words", (0,))),
        (Lesson(0, 0b0111, 0, 0b0010), (1, 2), ("doubted", (2,))),
        (Lesson(0, 0b0111, 0, 0b0010), (2, 0), ("doubted", (2,))),
        (Lesson(0, 0b0111, 0, 0b0010), (1, 0, 2), None),
        (Lesson(0, 0b0111, 0, 0b0010), (0, 1, 2), ("doubted", (2,))),
        (Lesson(0, 0b0111, 0, 0b0010, watching=0b0010), (1, 0), ("watched", (1,))),
        (Lesson(0, 0b0111, 0, 0b0010, watching=0b0010), (1,), ("watched", (1,))),
        (Lesson(0, 0b0111, 0, 0b0010, watching=0b0010), (2, 1), None),
    ],
)
def test_what_the_obstacle_is(lesson, chain, expected):
    assert obstacle(lesson, chain) == expected


def test_lessons_of_a_story():
    assert lessons_about(TABLE_8, 0) == [
        Lesson(RED, 0b11111, line=2),
        Lesson(GREEN, 0b11000, line=11),
        Lesson(RED, 0b10000, line=13),
        Lesson(GREEN, 0b11111, CHARLOTTE, 0b00011, 16, members=0b11111),
        Lesson(BLUE, 0b10100, HANNAH, 0b00100, 17, members=0b11111),
    ]
    # An Enter shows the thing to all in the room; a move is seen in the mover's room.
    assert lessons_about(TABLE_2, APPLE) == [
        Lesson(GREEN_DRAWER, 0b111, line=1),
        Lesson(BLUE_BOX, 0b101, line=3),
        Lesson(BLUE_BOX, 0b111, line=11),
    ]
    assert lessons_about(TABLE_2, BANANA) == [
        Lesson(RED_TREASURE_CHEST, 0b101, line=7),
        Lesson(RED_BASKET, 0b001, line=10),
    ]
    assert lessons_about(TABLE_2, 7) == []


def test_answer_slots():
    """Slots count places by first appearance, however often the thing was there. A claim makes no place."""
    lessons = [
        Lesson(container, 1, speaker) for container, speaker in ((4, -1), (9, 0), (2, -1), (4, 0), (7, -1), (5, -1))
    ]
    assert places(lessons) == places([*lessons, Lesson(4, 1)]) == [4, 2, 7, 5]
    slots = {container: SLOTS[answer_slot(lessons, container)] for container in (4, 2, 7, 5, 9)}
    assert slots == {4: "first", 2: "second", 7: "later", 5: "later", 9: "claimed"}


@pytest.mark.parametrize("chain", [(SALLY, SALLY), (SALLY, ANNE, SALLY), (SALLY, ANNE, ALEX, 3)])
def test_a_chain_that_repeats_an_agent_or_is_too_long_is_refused(chain):
    with pytest.raises(ValueError) as raised:
        belief(SALLY_ANNE, chain, 0)
    assert str(raised.value) == f"a chain has distinct agents, at most 3 here (Theorem C.5): {chain}"


@pytest.mark.parametrize("asked", [teaches, taught_subchains, lambda *_: belief(TABLE_8, (CHARLOTTE,), 0, "naive")])
def test_unknown_semantics_are_refused(asked):
    with pytest.raises(ValueError, match="^unknown semantics 'naive'; there are recursive, published$"):
        asked(Lesson(0, 0b11, 0, 0b10), (1,), "naive")


def test_a_chain_that_nothing_teaches_has_no_belief():
    story = Story(2, (Enter((0,), 1), Place(0, 0), Enter((1,), 2), Like(1, 0)))
    for semantics in SEMANTICS:
        assert belief(story, (1,), 0, semantics) is None
        assert belief(story, (0, 1), 0, semantics) is None
        assert belief(story, (), 5, semantics) is None
