"""Reading a formal problem part by part gives what SMCDEL's grammar gives for the whole text."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tom_datasets.logic.formal import _entailment_of_parts
from tom_datasets.logic.smcdel.parser import parse

HEAD = "VARS 1,2 LAW Top OBS Agenta:1 Agentb:2"
PIECES = ["1", "(1|2)", "~1", "Agenta knows that 2", "~(Agentb knows whether (1&2))", "1 & 2", "1 iff 2", "1 VALID? 2"]
PIECES += ["--1", "1 -> 2", "[ ! 1 ] 2", "[ Agenta ! 1 ] 2", "(Agenta,Agentb) comknow that 1", "1 ] 2", "", "x"]


def whole(text):
    """Return what the parser gives for a text, None for what asks no one question of entailment."""
    try:
        structure, queries = parse(text)
    except ValueError:
        return None
    return (structure, queries[0].formula) if [query.word for query in queries] == ["VALID?"] else None


@given(
    st.sampled_from([HEAD, "VARS 1", "", f"{HEAD} --", "VARS 1 LAW 1 VALID? 1"]),
    st.lists(st.sampled_from(PIECES), max_size=4),
    st.sampled_from(PIECES),
    st.sampled_from([" VALID? ", " TRUE? {1} ", " VALID?\n", "  VALID? "]),
)
def test_parts_give_what_the_whole_gives_or_nothing(head, announced, hypothesis, question):
    text = head + question + "".join(f"[ ! {said} ] " for said in announced) + hypothesis
    assert _entailment_of_parts(text) in (None, whole(text))


@pytest.mark.parametrize(
    "hypothesis", ["1", "(1|2)", "~(Agentb knows whether 2)", "Agenta knows that (1&2)", "XOR(1,2)"]
)
def test_what_we_write_is_read_part_by_part(hypothesis):
    text = f"{HEAD} VALID? [ ! (1|2) ] [ ! ~(Agenta knows that 2) ] {hypothesis}"
    assert _entailment_of_parts(text) == whole(text) != None  # noqa: E711
