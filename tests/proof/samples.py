"""The sentences that tests of the proofs share, and how a text gets its second label."""

import re

from tom_datasets.reader.problem_worlds import follows
from tom_datasets.reader.read_problems import read_problem
from tom_datasets.reader.read_stories import read_question, read_story
from tom_datasets.reader.story_minds import believe_after, happenings

MIRROR = "There is a mirror in the room."


DRAW = "Each person draws a card, face unrevealed (red or black)."


SOMEONE = {
    "forehead": "someone's forehead is muddy",
    "forehead_mirror": "someone's forehead is muddy",
    "internal": "someone is thirsty",
    "explicit": "someone picked a red card",
}


SCENE = {"forehead": (), "forehead_mirror": (MIRROR,), "internal": (), "explicit": (DRAW,)}


WATCHED = (
    "Ann, Ben and Cleo entered the hall.",
    "The pear is in the box.",
    "Dan secretly watched the hall from outside.",
    "Eve secretly watched the hall from outside, and noticed Dan watching it.",
    "Finn secretly watched the hall from outside, and noticed Dan and Eve watching it.",
    "Gus secretly watched the hall from outside.",
    "Hal lost his watch.",
    "Ann moved the pear to the crate.",
    "Ann exited the hall.",
    "Ben exited the hall.",
    "Cleo exited the hall.",
    "Ann, Ben and Cleo entered the waiting_room.",
)
"""Finn noticed Eve and Dan, and Eve noticed Dan; Gus noticed nobody, and nobody noticed Gus. Hal was not there."""


THOUGHTS = "Ben privately told Ann and Cleo that Dan thinks Eve thinks the pear is in the tub now."


OVERHEARD = ("Dan overheard this unnoticed.", "Hal overheard this unnoticed, and noticed Dan listening.")


def premise(setup, clauses=(), count="three", cards=()):
    """Return a premise that announces these clauses after the first; the card "Ann Bob" is Ann's, shown to Bob."""
    shown = ("{}'s card is shown to {}.".format(*pair.split()) for pair in cards)
    announced = (f"It is publicly announced that {clause}." for clause in (SOMEONE[setup], *clauses))
    return " ".join((f"There are {count} persons. Everyone is visible to others.", *SCENE[setup], *shown, *announced))


def entails(setup, clauses, claim, count="three", cards=()):
    """Return whether a premise entails a claim, both in English; None where no world is left."""
    problem, _ = read_problem(premise(setup, clauses, count, cards), f"{claim}.")
    return follows(problem)


def label_of_story(story_text, question_text, semantics):
    """Return the name of the container that answers a question, None where nothing taught it."""
    story, names = read_story(story_text)
    question = read_question(question_text, names)
    container = believe_after(happenings(story, question.thing), [question.chain], semantics)[question.chain]
    return None if container is None else names.containers[container]


def another(value):
    """Return another value than that of a column, of the same type."""
    match value:
        case bool():
            return not value
        case int():
            return value + 1
        case float():
            return value / 2 + 0.01
        case str():
            return f"{value}x"
        case list():
            return [*value, "visit"]
        case None:
            return 1


def changed(column, pattern, replacement):
    """Return a change of a row: the first match of a pattern in one of its texts gives way to something else."""

    def change(row):
        text = re.sub(pattern, replacement, row[column], count=1)
        assert text != row[column], (pattern, row[column])
        row[column] = text

    return change
