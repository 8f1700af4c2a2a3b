"""Read replies to MindGames problems as models write them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from builders.answers.labels import read_label
from builders.answers.reading import EMPTY, SEVERAL, SILENT, UNKNOWN, Reading
from builders.logic.formula import LABELS

WORDS = st.sampled_from(
    ["The answer is", "the hypothesis", "not", "or", "\n", ". ", ": ", "(", "None", "true", "false", "if"]
)


@given(st.one_of(st.text(), st.lists(WORDS).map(" ".join)))
def test_any_text_is_read(text):
    reading = read_label(text)
    assert (reading.choice is None) == bool(reading.why)


def test_a_reply_without_end_is_read():
    assert read_label("the hypothesis is false. " * 2000).choice == 1


@pytest.mark.parametrize(
    ("reply", "follows"),
    [
        ("True", True),
        ("False.", False),
        ("**False**", False),
        ("Entailment", True),
        ("ANSWER: not_entailment", False),
        ("not entailment", False),
        ("Non-entailment", False),
        ("Yes, the hypothesis follows.", True),
        ("No, it does not follow.", False),
        ("The hypothesis is not entailed.", False),
        ("The hypothesis is entailed by the premise.", True),
        ("The premise does not entail the hypothesis.", False),
        ("The hypothesis cannot be inferred from the premise.", False),
        ("The hypothesis holds.", True),
        ("It is false that Mary can now know that Bob is thirsty.", False),
        ("It's not true.", False),
        ("The statement is not false.", True),
        ("Therefore, it is not the case that the hypothesis is true.", False),
        ("Contradiction", False),
        ("neutral", False),
        ("True or False? False", False),
        ("True or False?\nTrue", True),
        ("The relation is entailment or not_entailment? I say entailment.", True),
        ("True. Mary sees Bob.\n\nOn second thought, the hypothesis is false.", False),
        ("If the hypothesis were true, Mary would know. She does not. So the answer is False.", False),
        ("Mary knows that it is true that Bob is thirsty. So the hypothesis is true.", True),
        ("Since Mary does not know whether it is true, the hypothesis does not follow.", False),
        ("So the hypothesis that Mary can now know that nobody is thirsty is not entailed.", False),
        ("True\n\nThere are two persons. Question: Bob can now know it. True or False? False", True),
        ("True\n\nThere are two persons. Statement: Bob can now know it. True or False? False", True),
    ],
)
def test_labels_that_are_named(reply, follows):
    reading = read_label(reply)
    assert reading.choice is not None and list(LABELS)[reading.choice] is follows, reading


@pytest.mark.parametrize(
    ("reply", "why"),
    [
        ("", EMPTY),
        ("True or False?", EMPTY),
        ("I cannot determine whether the hypothesis is true.", UNKNOWN),
        ("I'm sorry, I can't help with that.", UNKNOWN),
        ("The answer is True and False.", SEVERAL),
        ("Mary sees Bob.", SILENT),
    ],
)
def test_replies_that_name_no_label(reply, why):
    assert read_label(reply) == Reading(None, why)
