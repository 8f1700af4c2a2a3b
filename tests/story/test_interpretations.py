"""Prove each reading by the second account of `proof`, and on the smallest story that it tells apart."""

import pytest
from hypothesis import given
from random_stories import chains, coherent_stories, told
from story.samples import deep_stories

from tom_datasets.reader import story_interpretations
from tom_datasets.reader.story_minds import happenings
from tom_datasets.story.chapters import plan_chapters, sample_chapters
from tom_datasets.story.interpretations import (
    BOTH,
    EARLIER,
    INTERPRETATIONS,
    LAST_EXIT,
    LAST_LEAVER,
    LONGER,
    OUTRANKED,
    PLACE_TOLD,
    PLACED,
    PRESENT,
    SPEAKER,
    UNKNOWN,
    VISIT,
    InterpretedStory,
    believed,
    differing_interpretations,
    is_undisputed,
)
from tom_datasets.story.meaning import SEMANTICS, belief
from tom_datasets.streams import stream
from tom_datasets.syntax.coherence import check
from tom_datasets.syntax.events import Overhear, Story


def test_both_accounts_agree_on_deep_stories_and_on_those_of_chapters():
    """On the last k agents asked about, for every k, and the other way around; stories as published are among them."""
    drawn = [(story, asked) for story, chain in deep_stories() for asked in (chain, chain[::-1])]
    for i, target in enumerate(plan_chapters(stream("readings"), 200, (1, 2, 3), 4)):
        drawn.append(sample_chapters(stream("readings", i), target, 5, 4, SEMANTICS[i % 2]))
    disputed = 0
    for story, chain in drawn:
        happened = happenings(story, 0)
        differing = []
        for tail in (chain[first:] for first in range(len(chain))):
            answer = belief(story, tail, 0)
            assert story_interpretations.believed(happened, tail, None) == answer
            differing.append(story_interpretations.differing(happened, tail, answer))
            assert differing_interpretations(story, tail, 0, answer) == differing[-1]
        assert is_undisputed(story, chain, 0) == (not any(differing))
        disputed += any(differing)
    assert disputed > 20


SMALLEST = {
    "visit": (
        # Ben comes back without Ann, who moved the pear when he was away. By the rules they share line 2 alone.
        "1 Ann and Ben entered the hall. 2 The pear is in the box. 3 Ben exited the hall. 4 Ann moved the pear to "
        "the crate. 5 Ann exited the hall. 6 Ben entered the hall.",
        "Ann Ben", "box", {VISIT: "crate", BOTH: "crate"},
    ),
    "visit at depth": (
        # Cleo comes back without the others. Ben has the pear in the crate, but he and Ann saw line 4 together last.
        # So Ann takes Ben to suppose that Cleo sees it in the box.
        "1 Ann, Ben and Cleo entered the hall. 2 The pear is in the jar. 3 Cleo exited the hall. 4 Ann moved the "
        "pear to the box. 5 Ann exited the hall. 6 Ben moved the pear to the crate. 7 Ben exited the hall. 8 Cleo "
        "entered the hall.",
        "Ann Ben Cleo", "jar", {VISIT: "box", BOTH: "box"},
    ),
    "last leaver": (
        # Ann comes back and finds the pear in the crate. By the rules she does not work out that Ben moved it.
        "1 Ann and Ben entered the hall. 2 The pear is in the box. 3 Ann exited the hall. 4 Ben moved the pear to "
        "the crate. 5 Ben exited the hall. 6 Ann entered the hall.",
        "Ann Ben", "box", {LAST_LEAVER: "crate", BOTH: "crate"},
    ),
    "visit and last leaver": (
        # Ben comes back without Ann, who has the pear in the crate: there he finds it, she supposes. And Cleo left
        # last: so Ann takes him to suppose that Cleo has it there. Neither reading says so alone.
        "1 Ann, Ben and Cleo entered the hall. 2 The pear is in the box. 3 Ben exited the hall. 4 Ann moved the "
        "pear to the crate. 5 Ann exited the hall. 6 Cleo exited the hall. 7 Ben entered the hall.",
        "Ann Ben Cleo", "box", {BOTH: "crate"},
    ),
    "visit and last leaver, one after the other": (
        # Ann and Cleo come back. Ann supposes that Ben, who left last, has the pear in the crate; and so that he takes
        # Cleo to see it there.
        "1 Ann, Ben and Cleo entered the hall. 2 The pear is in the box. 3 Ann exited the hall. 4 Cleo exited the "
        "hall. 5 Ben moved the pear to the crate. 6 Ben exited the hall. 7 Ann and Cleo entered the hall.",
        "Ann Ben Cleo", "box", {VISIT: "box", BOTH: "crate"},
    ),
    "speaker everywhere": (
        # Nobody has left, so nobody trusts anybody. Ben takes Ann to believe him, but not to take Cleo to.
        "1 Ann, Ben and Cleo entered the hall. 2 The pear is in the box. 3 Ben publicly claimed that the pear is "
        "in the crate now.",
        "Ben Ann Cleo", "box", {SPEAKER: "crate"},
    ),
    "stayed longer": (
        # Ann believes Ben. Cleo does not hear him, but stayed longer than he did.
        "1 Ann, Ben and Cleo entered the hall. 2 The pear is in the box. 3 Ann exited the hall. 4 Ben exited the "
        "hall. 5 Cleo exited the hall. 6 Ben privately told Ann that the pear is in the crate now.",
        "Ann Cleo", "box", {LONGER: "crate"},
    ),
    "last exit": (
        # Ann left the hall before Ben, and so trusts him. Later she leaves another room, after his last exit.
        "1 Ann and Ben entered the hall. 2 The pear is in the box. 3 Ann exited the hall. 4 Ben exited the hall. "
        "5 Ben publicly claimed that the pear is in the crate now. 6 Ann entered the attic. 7 Ann exited the "
        "attic.",
        "Ann", "crate", {LAST_EXIT: "box"},
    ),
    "outranked": (
        # Ann trusts both. By the rules the later claim counts, and not that of Cleo, who left last.
        "1 Ann, Ben and Cleo entered the hall. 2 The pear is in the box. 3 Ann exited the hall. 4 Ben exited the "
        "hall. 5 Cleo exited the hall. 6 Cleo publicly claimed that the pear is in the crate now. 7 Ben publicly "
        "claimed that the pear is in the jar now.",
        "Ann", "jar", {OUTRANKED: "crate"},
    ),
    "stayed longer, told of thoughts": (
        # Ann believes Ben, and Cleo, who does not hear him, stayed longer than he did.
        "1 Ann, Ben, Cleo and Dan entered the hall. 2 The pear is in the box. 3 Ann exited the hall. 4 Ben exited the "
        "hall. 5 Cleo exited the hall. 6 Ben privately told Ann that Dan thinks the pear is in the crate now.",
        "Ann Cleo Dan", "box", {LONGER: "crate"},
    ),
    "outranked by a claim about thoughts": (
        "1 Ann, Ben, Cleo and Dan entered the hall. 2 The pear is in the box. 3 Ann exited the hall. 4 Ben exited the "
        "hall. 5 Cleo exited the hall. 6 Cleo privately told Ann that Dan thinks the pear is in the crate now. 7 Ben "
        "privately told Ann that Dan thinks the pear is in the jar now.",
        "Ann Dan", "jar", {OUTRANKED: "crate"},
    ),
    "watch sees the present state": (
        # Ann watches when the pear has been moved already, and nobody moves it again.
        "1 Ann and Ben entered the hall. 2 The pear is in the box. 3 Ann exited the hall. 4 Ben moved the pear to "
        "the crate. 5 Ann secretly watched the hall from outside.",
        "Ann", "box", {PRESENT: "crate"},
    ),
    "watch sees the present state, as others do": (
        # Ben begins to watch after the move that Ann, whom he notices, saw.
        "1 Ann, Ben and Cleo entered the hall. 2 The pear is in the box. 3 Ann exited the hall. 4 Ann secretly watched "
        "the hall from outside. 5 Ben exited the hall. 6 Cleo moved the pear to the crate. 7 Ben secretly "
        "watched the hall from outside, and noticed Ann watching it.",
        "Ben Ann", "box", {PRESENT: "crate"},
    ),
    "placed only": (
        # The rules say that a watcher sees line 8, where nobody does anything.
        "1 Ann and Ben entered the hall. 2 The pear is in the box. 3 Ann exited the hall. 4 Ben moved the pear to "
        "the crate. 5 Ben exited the hall. 6 Ben entered the hall. 7 Ann secretly watched the hall from "
        "outside. 8 The pear is in the crate.",
        "Ann", "crate", {PLACED: "box"},
    ),
    "earlier minds are noticed": (
        # The line that says that Ben watches does not say that he noticed Ann.
        "1 Ann, Ben and Cleo entered the hall. 2 The pear is in the box. 3 Ann exited the hall. 4 Ann secretly watched "
        "the hall from outside. 5 Ben exited the hall. 6 Ben secretly watched the hall from outside. 7 "
        "Cleo moved the pear to the crate.",
        "Ben Ann", "box", {EARLIER: "crate"},
    ),
    "earlier listeners are noticed": (
        # Nor does the line say it that says that Ben overhears what Dan, whom all trust, tells Cleo.
        "1 Ann, Ben, Cleo and Dan entered the hall. 2 The pear is in the box. 3 Ann, Ben and Cleo entered the "
        "waiting_room. 4 Dan privately told Cleo that the pear is in the crate now. 5 Ann overheard this unnoticed. 6 "
        "Ben overheard this unnoticed.",
        "Ben Ann", "box", {EARLIER: "crate"},
    ),
    "thoughts tell the place": (
        # Ann trusts Ben. What Cleo thinks may be wrong.
        "1 Ann, Ben and Cleo entered the hall. 2 The pear is in the box. 3 Ann exited the hall. 4 Ben privately told "
        "Ann that Cleo thinks the pear is in the crate now.",
        "Ann", "box", {PLACE_TOLD: "crate"},
    ),
    "noticing stays unknown": (
        # Cleo knows that Ben noticed Ann, as the line on Cleo says that Cleo noticed them both.
        "1 Ann, Ben, Cleo and Dan entered the hall. 2 The pear is in the box. 3 Ann exited the hall. 4 Ann secretly "
        "watched the hall from outside. 5 Ben exited the hall. 6 Ben secretly watched the hall from "
        "outside, and noticed Ann watching it. 7 Cleo exited the hall. 8 Cleo secretly watched the hall from "
        "outside, and noticed Ann and Ben watching it. 9 Dan moved the pear to the crate.",
        "Cleo Ben Ann", "crate", {UNKNOWN: "box"},
    ),
    "noticing stays unknown, and who watched": (
        # So Cleo knows that in the eyes of Ben Ann, who watched, does not trust Dan.
        "1 Ann, Ben, Cleo and Dan entered the hall. 2 The pear is in the box. 3 Ann exited the hall. 4 Ann secretly "
        "watched the hall from outside. 5 Ben exited the hall. 6 Ben secretly watched the hall from "
        "outside, and noticed Ann watching it. 7 Cleo exited the hall. 8 Cleo secretly watched the hall from "
        "outside, and noticed Ann and Ben watching it. 9 Dan publicly claimed that the pear is in the crate now.",
        "Cleo Ben Ann", "box", {UNKNOWN: "crate"},
    ),
}  # fmt: skip
"""Small stories that a reading tells apart: text, chain, answer by the rules, and the answers under some readings."""


@pytest.mark.parametrize("name", SMALLEST)
def test_the_smallest_story_that_a_reading_tells_apart(name):
    """No other reading differs, but that BOTH differs where one of its two does."""
    text, chain, answer, other_answers = SMALLEST[name]
    story, names = told(text)
    check(story)
    agents = tuple(names.agents.index(agent) for agent in chain.split())
    assert names.containers[belief(story, agents, 0)] == answer
    differing = {reading: container for reading, container in other_answers.items() if container != answer}
    assert differing_interpretations(story, agents, 0, names.containers.index(answer)) == list(differing)
    assert not is_undisputed(story, agents, 0)
    for reading, container in other_answers.items():
        assert names.containers[believed(story, agents, 0, reading)] == container


def test_every_reading_has_its_smallest_story():
    assert {reading for *_, answers in SMALLEST.values() for reading in answers} == set(INTERPRETATIONS)


@pytest.mark.parametrize(
    ("text", "chain", "answer"),
    [
        # The first line on where the thing is may not be told of what was there already.
        ("1 Ann entered the hall. 2 Ben secretly watched the hall from outside. 3 The pear is in the box.",
         "Ben Ann", "box"),
        # Ben's own line says that he noticed Ann.
        ("1 Ann, Ben and Dan entered the hall. 2 The pear is in the box. 3 Ann exited the hall. 4 Ann secretly watched "
         "the hall from outside. 5 Ben exited the hall. 6 Ben secretly watched the hall from outside, and "
         "noticed Ann watching it. 7 Dan publicly claimed that the pear is in the crate now.", "Ben Ann", "box"),
    ],
)  # fmt: skip
def test_what_no_reading_disputes(text, chain, answer):
    story, names = told(text)
    agents = tuple(map(names.agents.index, chain.split()))
    assert names.containers[belief(story, agents, 0)] == answer and is_undisputed(story, agents, 0)


def test_a_reading_of_shorter_chains_disputes_the_question_of_that_order_alone():
    """Only Ann's belief about Ben is disputed, not what Cleo thinks that Ann thinks that Ben thinks."""
    text, _, _, _ = SMALLEST["last leaver"]
    story, names = told(f"{text} 7 Cleo entered the attic.")
    cleo, ann, ben = (names.agents.index(name) for name in ("Cleo", "Ann", "Ben"))
    asked = [(cleo, ann, ben)[3 - order :] for order in range(4)]
    differing = [differing_interpretations(story, chain, 0, belief(story, chain, 0)) for chain in asked]
    assert differing == [[], [], [LAST_LEAVER, BOTH], []]
    assert not is_undisputed(story, (cleo, ann, ben), 0)


@given(coherent_stories(watches=True))
def test_a_story_that_grows_is_read_as_the_whole(story):
    """Claims come with those who overhear them; a copy that is not used changes nothing."""
    grown, pieces = InterpretedStory(Story(story.n_agents, ()), 0), []
    for event in story.events:
        if isinstance(event, Overhear):
            pieces[-1].append(event)
        else:
            pieces.append([event])
    for piece in pieces:
        grown.copied().add(piece)
        grown.add(piece)
        assert grown.all_noticed.n_events == len(grown.story.events)
    whole = InterpretedStory(story, 0)
    for chain in chains(story.n_agents, 2):
        for name, believed_by in INTERPRETATIONS.items():
            assert believed_by(grown, chain) == believed_by(whole, chain), name
