"""Prove that the problems of the config reproduction are single, different and half of them entailed."""

import re
from collections import Counter
from dataclasses import replace

import pytest
from random_problems import candidate_of, canonical, is_hypothesis

from tom_datasets.logic.blocks import WINDOW
from tom_datasets.logic.claims import NAMED, form_of, to_problem
from tom_datasets.logic.config import REPRODUCTION
from tom_datasets.logic.premises import TooFewError, is_for_reproduction
from tom_datasets.logic.reproduction import plan_reproduction
from tom_datasets.reader.problem_worlds import follows
from tom_datasets.syntax.formula import SETUPS


@pytest.mark.parametrize("setup", SETUPS)
def test_the_unbalanced_problems_are_half_entailed(setup):
    small = replace(REPRODUCTION, test=100)
    problems = plan_reproduction(small, setup)["test"]
    labels = [follows(to_problem(*codes)) for codes in problems]
    assert Counter(labels) == {True: 50, False: 50}
    assert len(set(labels[:20])) == 2
    assert len({canonical(*codes) for codes in problems}) == 100
    assert {len(premise.sees) for premise, _ in problems} == {2, 3}
    assert {premise.setup for premise, _ in problems} == {setup}
    assert Counter(len(levels) for _, (levels, _) in problems).keys() == {1, 2}
    assert {form_of(hypothesis)[1] for _, hypothesis in problems} == set(range(NAMED + 2))
    for premise, hypothesis in problems:
        assert is_hypothesis(hypothesis, len(premise.sees), (1, 2))
        assert is_for_reproduction(candidate_of(premise), hypothesis)
    assert plan_reproduction(small, setup) == {"test": problems}
    assert set(plan_reproduction(replace(small, seed=2), setup)["test"]) != set(problems)


def test_too_many_unbalanced_problems_are_refused(monkeypatch):
    monkeypatch.setattr("tom_datasets.logic.reproduction.DRAWS", 2)
    with pytest.raises(TooFewError) as refused:
        plan_reproduction(replace(REPRODUCTION, test=1000), "internal")
    drawn = f"{2 * (1000 + WINDOW):,}"
    message = re.fullmatch(
        rf"internal with 2 or 3 agents: 1,000 problems were asked for, and (\d+) found among {drawn} drawn; "
        r"ask for fewer, or for more agents",
        str(refused.value),
    )
    assert 10 < int(message[1]) < 500
