"""Prove by explicit worlds which announcements a label needs, and how few of them give it."""

from collections import Counter
from dataclasses import replace
from itertools import combinations

from random_problems import random_problems, sees_of

from tom_datasets.logic.announcements import needed_announcements, shortest_proof
from tom_datasets.logic.claims import THAT, WHETHER, Premise, about, to_problem
from tom_datasets.logic.drawing import draw_hypothesis
from tom_datasets.reader.problem_worlds import follows
from tom_datasets.streams import stream


def test_needed_counts_the_announcements_that_matter_when_left_out():
    counts = Counter()
    for i, (premise, hypothesis) in enumerate(random_problems("needed", 1000)):
        hypotheses = (hypothesis, draw_hypothesis(stream("needed", "other", i), len(premise.sees), 1))
        for hypothesis in hypotheses:
            problem = to_problem(premise, hypothesis)
            heard = problem.announcements
            left_out = [replace(problem, announcements=heard[:k] + heard[k + 1 :]) for k in range(len(heard))]
            expected = sum(follows(without) is not follows(problem) for without in left_out)
            assert needed_announcements(premise, hypothesis, follows(problem)) == expected
            counts[expected] += 1
    assert min(counts[0], counts[1], counts[2]) > 5


def test_a_shortest_proof_is_the_fewest_announcements_that_give_the_label():
    """By explicit worlds, over all that can be left out."""
    counts = Counter()
    for i, (premise, hypothesis) in enumerate(random_problems("proof", 700)):
        problem = to_problem(premise, hypothesis)
        labels = (
            (count, follows(replace(problem, announcements=kept)))
            for count in range(len(problem.announcements) + 1)
            for kept in combinations(problem.announcements, count)
        )
        expected = next(count for count, label in labels if label is follows(problem))
        assert shortest_proof(premise, hypothesis, follows(problem)) == expected, i
        counts[expected] += 1
    assert min(counts[0], counts[1], counts[2]) > 5


def test_three_wise_men_need_every_word():
    silence = [((agent, WHETHER, True),) for agent in range(2)]
    announcements = tuple((levels, about(agent, False)) for agent, levels in enumerate(silence))
    cy_knows = ((2, THAT, False),), about(2, False)
    premise = Premise("forehead", sees_of("forehead", 3), announcements)
    assert shortest_proof(premise, cy_knows, True) == 3
    assert shortest_proof(premise, (((2, THAT, True),), about(1, False)), False) == 0  # from the start: Cy sees Bob
