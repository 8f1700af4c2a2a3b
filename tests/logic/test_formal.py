"""The formal columns give their problem back, whatever it announces, and refuse what is no problem."""

import pytest
from hypothesis import given, settings
from random_problems import dynamic_problems

from tom_datasets.explanations import explain
from tom_datasets.logic.claims import to_problem
from tom_datasets.logic.formal import formal_columns, problem_of


@settings(max_examples=300)
@given(dynamic_problems)
def test_the_formal_columns_are_read_back(problem):
    premise, hypothesis = problem
    expected = to_problem(premise, hypothesis)
    formal, _ = formal_columns(expected.structure(), premise, hypothesis)
    row = {"smcdel_problem": formal, "setup": premise.setup, "names": ["Ann"] * len(premise.sees)}
    assert problem_of(row) == expected


@pytest.mark.parametrize(
    ("formal", "message"),
    [
        ("VARS 1 LAW Top OBS Agenta:1 WHERE? 1", "smcdel_problem does not ask one VALID. question"),
        ("VARS 1 LAW Top OBS Agenta:1 VALID? [ ! (9 iff 1) ] 1", "not a fact about 1 agents"),
        ("VARS 1 LAW Top OBS Agenta:1 VALID? [ ! Top ] Forall 1 1", "not a fact about 1 agents"),
        ("VARS 1,2 LAW Top OBS Agenta:1 Agentb:2 VALID? [ ! (1|2) ] 1", r"2 different names are right, not \(Ann\)"),
        ("VARS 1", "Parse error in line 1, column 1"),
    ],
)
def test_what_is_no_problem_is_refused(formal, message):
    with pytest.raises(ValueError, match=message):
        explain({"smcdel_problem": formal, "setup": "internal", "names": ["Ann"]})
