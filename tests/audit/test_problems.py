"""Work out by hand what the rules about problems see, and what they answer."""

import pytest
from audit.samples import ANN_AND_BOB, problem_of

from tom_datasets.audit.problems import mask_names, problem_guesses, sentence_pairs
from tom_datasets.difficulty.masking import mask_problem
from tom_datasets.proof.problem_worlds import follows
from tom_datasets.proof.read_problems import read_problem


def test_names_are_masked_and_nothing_else():
    assert mask_names("Ann's card is shown to Anna.", ["Ann", "Bob"]) == "X's card is shown to Anna."
    text = "There are two persons. Bob can now know whether Ann knows that Bob is thirsty."
    assert (
        mask_names(text, ["Ann", "Bob"]) == "There are two persons. X can now know whether X knows that X is thirsty."
    )
    assert mask_names("A. B", ["."]) == "A. B"  # a name is no pattern


@pytest.mark.parametrize(
    ("hypothesis", "clauses", "facts", "all_saw", "none_saw"),
    [
        # Nobody knows of the other: announced facts alone do not tell, but who sees everything is never in doubt.
        ("Ann can now know whether Bob is thirsty.", [], True, True, False),
        ("Ann can now know that Bob is thirsty.", [], False, False, False),
        ("Ann can now know that Bob is thirsty.", ["Ann is not thirsty"], True, True, True),
        # Knowledge that a fact holds is that fact; other knowledge is forgotten.
        ("Ann can now know that Bob is thirsty.", ["Bob knows that Bob is thirsty"], True, True, True),
        ("Ann can now know that Bob is thirsty.", ["Bob does not know that Ann is thirsty"], False, True, False),
        ("Ann cannot know whether Bob is thirsty.", ["Bob does not know whether Ann is thirsty"], False, True, True),
        ("Bob can now know that someone is thirsty.", [], True, True, True),
    ],
)
def test_what_is_guessed_without_minding_who_sees_what(hypothesis, clauses, facts, all_saw, none_saw):
    """Where all saw all, that somebody does not know whether leaves no world, and then everything follows."""
    guesses = problem_guesses(problem_of(hypothesis, *clauses).problem)
    assert [guesses[rule] for rule in ("announced facts", "as if all saw all", "as if none saw")] == [
        facts,
        all_saw,
        none_saw,
    ]


def test_what_is_guessed_without_minding_what_was_said_when():
    """Three wise men: the second silence says more because the first came before it."""
    silences = " ".join(
        f"It is publicly announced that {name} does not know whether {name}'s forehead is muddy."
        for name in ("Ann", "Bob")
    )
    scene = (
        "There are three persons. Everyone is visible to others. It is publicly announced that someone's forehead is"
    )
    hypothesis = "Cy can now know that Cy's forehead is muddy."
    problem, _ = read_problem(f"{scene} muddy. {silences}", hypothesis, ["Ann", "Bob", "Cy"])
    assert follows(problem)
    assert not problem_guesses(problem)["all at once"]
    assert not problem_guesses(problem)["no announcements"]


def test_pairs_name_agents_by_their_place_in_the_hypothesis():
    premise = "There are three persons. Cy is thirsty. Bob knows that Ann is thirsty."
    assert sentence_pairs(premise, "Bob can now know that Ann is thirsty.", ["Ann", "Bob", "Cy"]) == (
        "X0 can now know that X1 is thirsty. There are three persons.",
        "X0 can now know that X1 is thirsty. O is thirsty.",
        "X0 can now know that X1 is thirsty. X0 knows that X1 is thirsty.",
    )


@pytest.mark.parametrize(
    ("hypothesis", "clauses", "named"),
    [
        ("Ann can now know that Bob is thirsty.", [], False),
        ("Ann can now know that Bob is thirsty.", ["everyone is thirsty", "someone is thirsty"], False),
        ("Ann can now know that Bob is thirsty.", ["Bob is not thirsty"], True),
        ("Ann cannot know whether someone is thirsty.", ["Bob is thirsty"], False),
        ("Ann cannot know whether someone is thirsty.", ["Bob does not know whether Ann is thirsty"], True),
        ("Ann cannot know whether someone is thirsty.", ["Ann knows that someone is thirsty"], True),
        ("Ann can now know that Bob can know that nobody is thirsty.", ["Bob is thirsty"], True),
    ],
)
def test_whether_a_name_is_announced(hypothesis, clauses, named):
    assert problem_of(hypothesis, *clauses).features()["name announced"] is named


def test_the_rules_see_who_is_who_only_where_names_are_numbered():
    texts = [
        ("There are two persons. Bob is thirsty.", f"{name} can now know that Bob is thirsty.") for name in ANN_AND_BOB
    ]
    readings = [mask_problem(*text, ANN_AND_BOB, True) for text in texts]
    features = [problem_of(hypothesis, "Bob is thirsty", masked=reading).features()
            for (_, hypothesis), reading in zip(texts, readings, strict=True)]  # fmt: skip
    assert features[0]["TF-IDF"] == features[1]["TF-IDF"] and "Ann" not in features[0]["TF-IDF"]
    assert features[0]["TF-IDF, names numbered"] != features[1]["TF-IDF, names numbered"]
