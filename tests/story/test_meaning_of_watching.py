"""Prove what watchers and those around them believe, on stories worked out by hand."""

from itertools import combinations

import pytest

from tom_datasets.proof.read_stories import read_story
from tom_datasets.proof.story_minds import believe_all
from tom_datasets.story.meaning import Lesson, belief, lessons_about, teaches
from tom_datasets.story.subchains import beliefs, taught_subchains
from tom_datasets.syntax.coherence import check
from tom_datasets.syntax.events import Enter, Exit, Move, Place, Story, Tell, Watch
from tom_datasets.syntax.scan import mask

ONE_WATCHES = """
1 Ann, Ben, Cleo and Dan entered the hall.
2 The pear is in the box.
3 Ann exited the hall.
4 Ann secretly watched the hall through the window.
5 Ben moved the pear to the crate.
6 Ben exited the hall.
7 Cleo moved the pear to the drawer.
8 Cleo exited the hall.
9 Dan moved the pear to the tub.
10 Dan exited the hall.
11 Ann, Ben, Cleo and Dan entered the waiting_room.
"""
"""All see line 2. Ben, Cleo and Dan see line 5, Cleo and Dan line 7, Dan line 9. Ann sees it all, in secret."""


ONE_IS_LIED_TO = """
1 Ann, Ben, Cleo and Dan entered the hall.
2 The pear is in the box.
3 Ann, Ben, Cleo and Dan entered the waiting_room.
4 Ann, Ben and Cleo entered the hall.
5 Dan secretly watched the hall through the window.
6 Ann moved the pear to the crate.
7 Ann exited the hall.
8 Ben exited the hall.
9 Cleo exited the hall.
10 Ann, Ben and Cleo entered the waiting_room.
11 Cleo privately told Ben and Dan that the pear is in the tub now.
"""
"""Ben left before Cleo and trusts her. The others take Dan to trust her too, but he watched. Ann is not told."""


TWO_WATCH = """
1 Ann, Ben, Cleo, Dan and Eve entered the hall.
2 The pear is in the box.
3 Ann, Ben, Cleo, Dan and Eve entered the waiting_room.
4 Ann, Ben and Cleo entered the hall.
5 Dan secretly watched the hall through the window.
6 Eve secretly watched the hall through the window.
7 Ann moved the pear to the crate.
8 Ann exited the hall.
9 Ben exited the hall.
10 Cleo moved the pear to the drawer.
11 Cleo exited the hall.
12 Ann, Ben and Cleo entered the waiting_room.
13 Ben publicly claimed that the pear is in the tub now.
14 Cleo privately told Ann and Eve that the pear is in the jar now.
"""
"""Ann trusts Ben, and the others take Dan and Eve to trust him too. Ann trusts Cleo, and the others take Eve to."""


@pytest.mark.parametrize(
    ("text", "names", "expected"),
    [
        pytest.param(
            ONE_WATCHES,
            "ABCD",
            {
                "": "tub", "A": "tub", "B": "crate", "C": "drawer", "D": "tub",
                # Ann knows what she saw the others see, to any depth.
                "AB": "crate", "AC": "drawer", "AD": "tub", "BC": "crate", "BD": "crate", "CD": "drawer",
                "ABC": "crate", "ABD": "crate", "ACD": "drawer", "BCD": "crate", "ABCD": "crate",
            },
            id="who watches knows what those inside see",
        ),
        pytest.param(
            ONE_WATCHES,
            "DCBA",
            {
                "": "tub", "D": "tub", "C": "drawer", "B": "crate", "A": "tub",
                # Nobody knows that Ann saw anything after line 2.
                "DC": "drawer", "DB": "crate", "DA": "box", "CB": "crate", "CA": "box", "BA": "box",
                "DCB": "crate", "DCA": "box", "DBA": "box", "CBA": "box", "DCBA": "box",
            },
            id="those inside know nothing of her",
        ),
        pytest.param(
            ONE_IS_LIED_TO,
            "DABC",
            {
                # Dan saw line 6 and does not trust Cleo; Ben does. Cleo does not persuade herself.
                "": "crate", "D": "crate", "A": "crate", "B": "tub", "C": "crate",
                # Dan knows that Ben trusts Cleo, and that Cleo lied. Ann is in no chain that line 11 teaches.
                "DA": "crate", "DB": "tub", "DC": "crate", "AB": "crate", "AC": "crate", "BC": "tub",
                # Ben takes Cleo at her word, as Dan knows; the others lack line 11, and saw line 6.
                "DAB": "crate", "DAC": "crate", "DBC": "tub", "ABC": "crate", "DABC": "crate",
            },
            id="who watches does not trust",
        ),
        pytest.param(
            ONE_IS_LIED_TO,
            "ABCD",
            {
                "": "crate", "A": "crate", "B": "tub", "C": "crate", "D": "crate",
                # Ann does not know that Dan saw line 6 or heard line 11; Ben and Cleo take him to be convinced.
                "AB": "crate", "AC": "crate", "AD": "box", "BC": "tub", "BD": "tub", "CD": "tub",
                "ABC": "crate", "ABD": "box", "ACD": "box", "BCD": "tub", "ABCD": "box",
            },
            id="the others take him to trust",
        ),
        pytest.param(
            TWO_WATCH,
            "EDBA",
            {
                # Ann trusts line 14, which Ben and Dan do not hear.
                "": "drawer", "E": "drawer", "D": "drawer", "B": "crate", "A": "jar",
                # Eve does not know that Dan watched: he trusts Ben. She and Dan know that Ben, who saw line 7, lied.
                "ED": "tub", "EB": "crate", "EA": "jar", "DB": "crate", "DA": "tub", "BA": "tub",
                # In Eve's eyes Dan takes Ben at his word.
                "EDB": "tub", "EDA": "tub", "EBA": "tub", "DBA": "tub", "EDBA": "tub",
            },
            id="who watches knows of no other",
        ),
        pytest.param(
            TWO_WATCH,
            "DECB",
            {
                "": "drawer", "D": "drawer", "E": "drawer", "C": "drawer", "B": "crate",
                # Eve does not take Cleo at her word; Cleo, who left last, trusts nobody.
                "DE": "tub", "DC": "drawer", "DB": "crate", "EC": "drawer", "EB": "crate", "CB": "crate",
                # Dan does not know that Eve saw Cleo see line 10, nor that she heard line 14: line 2 is left.
                "DEC": "box", "DEB": "tub", "DCB": "crate", "ECB": "crate", "DECB": "box",
            },
            id="what two who watch do not share",
        ),
    ],
)  # fmt: skip
def test_stories_worked_by_hand(text, names, expected):
    """The beliefs of every subchain of a chain of four; a letter stands for an agent."""
    story, story_names = read_story(text)
    check(story)
    assert set(expected) == {"".join(some) for order in range(5) for some in combinations(names, order)}
    agents = {name[0]: agent for agent, name in enumerate(story_names.agents)}
    chain_of = {letters: tuple(agents[name] for name in letters) for letters in expected}
    forward = believe_all(story, 0, chain_of.values(), "recursive")
    held = beliefs(lessons_about(story, 0), chain_of[names], "recursive")
    for letters, chain in chain_of.items():
        positions = mask(names.index(name) for name in letters)
        assert story_names.containers[belief(story, chain, 0)] == expected[letters], letters
        assert story_names.containers[held[positions]] == expected[letters], letters
        assert story_names.containers[forward[chain]] == expected[letters], letters


def test_watching_begins_with_its_line_and_ends_with_the_chapter():
    """Agent 2 sees the second of three moves, and not the one of the next chapter."""
    watched = (Enter((0, 1), 1), Place(0, 0), Move(0, 0, 1), Watch(2, 1), Move(0, 0, 2))
    story = Story(4, (*watched, Enter((0, 1), 0), Enter((1,), 1), Move(1, 0, 3), Tell(1, (2,), 0, 4)))
    check(story)
    assert belief(Story(4, watched[:4]), (2,), 0) is None
    assert belief(Story(4, watched), (2,), 0) == belief(Story(4, watched), (2, 0, 1), 0) == 2
    assert belief(Story(4, watched), (0, 2), 0) is None
    # In the next chapter agent 2 is an outsider as others are, and trusts agent 1.
    assert lessons_about(story, 0)[-2:] == [Lesson(3, 0b10, line=7), Lesson(4, 0b110, 1, 0b100, 8, members=0b10)]
    assert belief(story, (2,), 0) == belief(story, (2, 1), 0) == 4
    entered = (*watched, Enter((2,), 1), Tell(0, (2,), 0, 5))
    assert lessons_about(Story(4, entered), 0)[-2:] == [
        Lesson(2, 0b111, line=5),
        Lesson(5, 0b101, 0, 0, 6, members=0b111),
    ]


def test_a_claim_made_before_an_agent_watches_is_believed():
    events = (Enter((0, 1), 1), Place(0, 0), Tell(0, (2,), 0, 7), Watch(2, 1))
    assert belief(Story(3, events), (2,), 0) == 7
    assert belief(Story(3, (*events, Tell(0, (2,), 0, 8))), (2,), 0) == 7
    assert belief(Story(3, (*events, Tell(0, (2,), 0, 8))), (0, 2), 0) == 8
    assert belief(Story(3, (*events, Tell(0, (2,), 0, 8))), (2, 0), 0) == 7


def test_others_take_a_watcher_to_trust_those_who_left_later():
    """Agent 0 left second, then watched. The others take agent 0 to trust agent 2 and not agent 1."""
    events = (Enter((0, 1, 2), 1), Place(0, 0), Exit(1, 1), Exit(0, 1), Watch(0, 1), Move(2, 0, 1), Exit(2, 1))
    for speaker, believed in ((1, 0), (2, 9)):
        story = Story(3, (*events, Tell(speaker, (), 0, 9)))
        other = 3 - speaker
        assert belief(story, (other, 0), 0) == believed
        assert belief(story, (0,), 0) == 1


def test_the_published_semantics_has_no_watchers():
    story, _ = read_story(ONE_WATCHES)
    message = "^the published semantics has no watchers: the released generator tells no such story$"
    for lesson in (Lesson(0, 0b01, watching=0b10), Lesson(0, 0b11, 0, 0b10, watching=0b10)):
        for asked in (teaches, taught_subchains):
            with pytest.raises(ValueError, match=message):
                asked(lesson, (0,), "published")
    for watched in (story, Story(2, (Enter((0,), 1), Watch(1, 1)))):
        with pytest.raises(ValueError, match=message):
            belief(watched, (0,), 0, "published")
        with pytest.raises(ValueError, match="^'published' has no rule for who watches in secret; read this story as"):
            believe_all(watched, 0, [(0,)], "published")
