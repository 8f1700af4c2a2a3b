"""Prove what persons answer in puzzles in rounds: three meanings agree, and known puzzles come out."""

import json
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from random_puzzles import everyone_sees_all, puzzles, supposed_of
from support import ROOT

from tom_datasets.logic.rounds import by_worlds, laws, play, world_of
from tom_datasets.logic.s5 import Checker
from tom_datasets.logic.smcdel.answers import answer
from tom_datasets.logic.smcdel.language import Query, spell_input
from tom_datasets.reader import puzzle_rounds
from tom_datasets.syntax.rounds import First, Puzzle, formula_of, state_of, structure_of, truthful

PROTOTYPE = ROOT.parent / "shared" / "dials"


def smcdel_says(puzzle, formula):
    """Return whether a formula is true of a puzzle, as the stand-in for SMCDEL answers from its text."""
    printed, complaint, code = answer(
        spell_input(structure_of(puzzle), [Query("TRUE?", formula, state_of(puzzle))]) + "\n", Checker
    )
    assert (complaint, code) == ("", 0)
    return re.search(r"\x1b\[97m(True|False)", printed)[1] == "True"


@settings(max_examples=300, deadline=None)
@given(puzzles())
def test_two_meanings_give_the_same_answers(puzzle):
    answers = play(puzzle)
    assert puzzle_rounds.answers(puzzle) == answers
    assert [law.bit_count() for law in laws(puzzle, len(answers.yes) - 1)] == list(answers.n_worlds)


@pytest.mark.slow
@settings(max_examples=2000, deadline=None)
@given(puzzles().flatmap(lambda puzzle: st.tuples(st.just(puzzle), supposed_of(len(puzzle.sees)))))
def test_three_meanings_agree_on_many_puzzles(drawn):
    """By integers, by explicit worlds, and by the embedded checker from the formula."""
    puzzle, supposed = drawn
    answers = play(puzzle)
    assert puzzle_rounds.answers(puzzle) == answers
    formula = formula_of(supposed, answers, len(puzzle.sees))
    so = Checker(structure_of(puzzle)).true_at(state_of(puzzle), formula)
    assert so == puzzle_rounds.holds(puzzle, supposed)


@settings(max_examples=300, deadline=None)
@given(puzzles().flatmap(lambda puzzle: st.tuples(st.just(puzzle), supposed_of(len(puzzle.sees)))))
def test_the_language_of_smcdel_says_the_same(drawn):
    puzzle, supposed = drawn
    answers, n = play(puzzle), len(puzzle.sees)
    so = puzzle_rounds.holds(puzzle, supposed)
    assert smcdel_says(puzzle, formula_of(supposed, answers, n)) == so
    if isinstance(supposed, First):
        assert so == (answers.first(supposed.person) == supposed.round)


@settings(max_examples=100, deadline=None)
@given(puzzles())
def test_announced_answers_are_held_to_be_true(puzzle):
    answers, n = play(puzzle), len(puzzle.sees)
    rounds = len(answers.yes) + 1
    assert smcdel_says(puzzle, truthful(answers, rounds, n))
    wrong = tuple(person for person in range(n) if person not in answers.yes[-1])
    lied = type(answers)((*answers.yes[:-1], wrong), answers.n_worlds)
    assert not smcdel_says(puzzle, truthful(lied, rounds, n))


@settings(max_examples=100, deadline=None)
@given(puzzles())
def test_all_worlds_are_played_at_once(puzzle):
    answers, n = play(puzzle), len(puzzle.sees)
    groups = list(by_worlds(puzzle.sees, puzzle.counts))
    mine = [group for group in groups if group[0] >> world_of(puzzle.marked) & 1]
    firsts = tuple(answers.first(person) for person in range(n))
    assert [group[1:] for group in mine] == [(firsts, len(answers.yes))]
    assert sum(group[0].bit_count() for group in groups) == answers.n_worlds[0]


@pytest.mark.parametrize("k", range(1, 6))
def test_k_muddy_children_of_five_know_in_round_k_and_the_others_one_later(k):
    answers = play(Puzzle("foreheads", everyone_sees_all(5), (1, 2, 3, 4, 5), tuple(range(k))))
    assert [answers.first(child) for child in range(5)] == [k] * k + [k + 1] * (5 - k)


def test_children_who_see_nobody_never_know():
    answers = play(Puzzle("foreheads", ((),) * 4, (1, 2, 3), (2,)))
    assert answers.yes == ((),) and answers.n_worlds == (14,)


def test_knowing_that_one_is_clean_is_a_yes():
    answers = play(Puzzle("hats", ((1,), (0,), ()), (1,), (0,)))
    assert answers.yes[0] == (1,) and answers.first(0) == 2 and answers.first(2) == 2


@pytest.mark.skipif(not PROTOTYPE.is_dir(), reason="the prototypes are not here")
def test_the_puzzles_of_the_prototype_have_its_answers():
    wanted = json.loads((PROTOTYPE / "rounds_answers.json").read_text())
    blocks = re.split(r"===== QUESTION (\w+) =====\n", (PROTOTYPE / "rounds_prompts.txt").read_text())[1:]
    found = dict(zip(blocks[::2], blocks[1::2], strict=True))
    assert len(wanted) == 8
    for name, said in wanted.items():
        text = found[name]
        names = re.split(r", | and ", re.match(r"(.+) sit in a row", text)[1])
        sees = [re.split(r", | and ", seen) for seen in re.findall(r"sees the forehead of (.+), and of nobody", text)]
        law = re.search(r"announced to all: (.+)\.", text)[1]
        numbers = [int(number) for number in re.findall(r"\d+", law)]
        counts = range(1, len(names) + 1) if "at least one" in law else range(numbers[0], numbers[1] + 1)
        marked = re.split(r", | and ", re.search(r"In fact (.+) and nobody else", text)[1])
        places = [tuple(sorted(map(names.index, seen))) for seen in sees]
        puzzle = Puzzle("foreheads", tuple(places), tuple(counts), tuple(sorted(map(names.index, marked))))
        for answers in (play(puzzle), puzzle_rounds.answers(puzzle)):
            asked = re.search(r"does (\w+) answer yes", text)[1]
            assert answers.first(names.index(asked)) == said["answer"]
            told = ["".join("y" if person in yes else "n" for person in range(len(names))) for yes in answers.yes]
            rounds = [[*pair] for pair in zip(told, answers.n_worlds, strict=True)]
            assert rounds[: len(said["rounds"])] == said["rounds"][: len(rounds)]


@settings(max_examples=100, deadline=None)
@given(puzzles(), st.integers(1, 4))
def test_a_play_that_ends_early_has_the_first_yes_of_its_rounds(puzzle, most):
    for worlds, firsts, last in by_worlds(puzzle.sees, puzzle.counts, most):
        answers = play(puzzle._replace(marked=tuple([one for one in range(10) if worlds.bit_length() - 1 >> one & 1])))
        known = [first if first <= most else 0 for first in map(answers.first, range(len(puzzle.sees)))]
        assert [first if first <= most else 0 for first in firsts] == known
        assert last == min(len(answers.yes), most + 1)
