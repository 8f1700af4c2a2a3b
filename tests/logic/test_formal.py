"""The formal columns give their problem back, whatever it announces, and refuse what is no problem."""

import pytest

from tom_datasets.explanations import explain


@pytest.mark.parametrize(
    ("formal", "message"),
    [
        ("VARS 1 LAW Top OBS Agenta:1 WHERE? 1", "smcdel_problem must ask one VALID. question"),
        ("VARS 1 LAW Top OBS Agenta:1 VALID? [ ! (9 iff 1) ] 1", "not a fact about 1 agents"),
        ("VARS 1 LAW Top OBS Agenta:1 VALID? [ ! Top ] Forall 1 1", "not a fact about 1 agents"),
        ("VARS 1,2 LAW Top OBS Agenta:1 Agentb:2 VALID? [ ! (1|2) ] 1", r"expected 2 different names, not \(Ann\)"),
        ("VARS 1", "Parse error in line 1, column 1"),
    ],
)
def test_what_is_no_problem_is_refused(formal, message):
    with pytest.raises(ValueError, match=message):
        explain({"smcdel_problem": formal, "setup": "internal", "names": ["Ann"], "language": "en"})
