"""How a block of puzzles in rounds becomes rows: its columns, its formal problem, and its explanation."""

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any

from .. import GENERATOR_VERSION
from ..columns import UNSCORED, Row
from ..streams import Stream
from ..syntax.formula import LABELS, And, Announce, Common, Formula, Knows, Not, Structure
from ..syntax.rounds import (
    Answers,
    First,
    Later,
    Puzzle,
    Supposed,
    formula_of,
    n_rounds,
    state_of,
    structure_of,
    truthful,
)
from ..wording.problems import Voice, voice
from .claims import WHETHER, claim_of_formula, owner_of
from .formal import true_at
from .phrases import phrase
from .rounds import laws, play, world_of
from .s5 import Checker
from .smcdel.language import spell, spell_structure
from .smcdel.parser import parse
from .states import initial_state

Asked = tuple[Puzzle, Supposed, bool]  # a problem, with whether its hypothesis holds
answers_of = lru_cache(maxsize=256)(play)  # the problems of a block share their puzzles


def puzzle_rows(
    config: Any, stream: Stream, problems: Sequence[Asked], name: str, first_index: int, explained: bool
) -> Iterator[tuple[Row, tuple[Structure, Formula]]]:
    """Yield the rows of a block, labelled as planned, each with the structure and the formula that is valid on it.

    stream: names the persons. problems: those of the block, in the order of its rows. explained: whether rows say why
    their label is right.
    """
    n = len(problems[0][0].sees)
    say = voice(config.language)
    names = say.persons(stream, n)
    index = first_index // 4 % 1_000_000
    for place, (puzzle, supposed, holds) in enumerate(problems):
        row = {
            "premise": puzzle_text(say, puzzle, names),
            "hypothesis": supposed_text(say, puzzle.setup, supposed, names),
            **formal_columns(puzzle, supposed, answers_of(puzzle)),
            "label": LABELS[holds],
            "names": list(names),
            "index": first_index + place,
            **UNSCORED,
            "block": name,
            "rung": 1 + index % len(config.rungs),
            "explanation": explain_puzzle(puzzle, supposed, names, config.language) if explained else None,
            "config": config.row_config,
            "language": config.language,
            "seed": config.seed,
            "generator_version": GENERATOR_VERSION,
        }
        yield row, question_of(puzzle, supposed, answers_of(puzzle))


@lru_cache(maxsize=8)
def puzzle_text(say: Voice, puzzle: Puzzle, names: tuple[str, ...]) -> str:
    """Return who sees whom, what all know, who is marked, and what everybody is asked."""
    sees = [[names[other] for other in seen] for seen in puzzle.sees]
    marked = [names[person] for person in puzzle.marked]
    return say.puzzle(puzzle.setup, names, sees, puzzle.counts, marked, *say.picks(names))


def supposed_text(say: Voice, setup: str, supposed: Supposed, names: tuple[str, ...]) -> str:
    """Return a hypothesis in words."""
    if isinstance(supposed, First):
        return say.first_yes(names[supposed.person], supposed.round, *say.picks(names))
    claim = phrase(claim_of_formula(supposed.formula, len(names)), names)
    return say.later(setup, supposed.rounds, claim, *say.picks(names))


def formal_columns(puzzle: Puzzle, supposed: Supposed, answers: Answers) -> Row:
    """Return the columns that a problem has in whatever words, given what the persons answer."""
    n, rounds = len(puzzle.sees), n_rounds(supposed, answers)
    head = f"{_spelled(structure_of(puzzle))} TRUE? {{{','.join(map(str, state_of(puzzle)))}}} "
    asked = isinstance(supposed, First)
    # What a hypothesis announces: the rounds before a first yes, or before the round that changes nothing.
    announced = _announced(supposed, answers)
    depth = 0 if isinstance(supposed, First) else len(claim_of_formula(supposed.formula, n)[0]) - 1
    worlds = [answers.n_worlds[min(number, len(answers.n_worlds) - 1)] for number in range(rounds + (not asked))]
    return {
        "smcdel_problem": head + spell(formula_of(supposed, answers, n)),
        "n_announcements": announced,
        "pbcheck": head + spell(Not(truthful(answers, announced, n))),
        "setup": puzzle.setup,
        "hypothesis_depth": depth,
        "n_agents": n,
        "s-l": f"{puzzle.setup}-{depth}",
        "n_worlds": worlds[-1],
        "needs_announcements": None,
        "n_worlds_before": answers.n_worlds[0],
        "shortest_proof": None,
        "order_matters": None,
        "nesting_matters": None,
        "rounds": rounds,
        "worlds_by_round": worlds,
        "first_yes": answers.first(supposed.person) if isinstance(supposed, First) else None,
    }


def _announced(supposed: Supposed, answers: Answers) -> int:
    """Return how many rounds the formal problem of a hypothesis announces."""
    if isinstance(supposed, First):
        return (supposed.round or len(answers.yes)) - 1
    return supposed.rounds


@lru_cache(maxsize=1 << 10)
def _spelled(structure: Structure) -> str:
    return spell_structure(structure)


def question_of(puzzle: Puzzle, supposed: Supposed, answers: Answers) -> tuple[Structure, Formula]:
    """Return the structure of a puzzle, and the formula that is valid on it exactly where the hypothesis holds.

    It says of the world that is the case what `smcdel_problem` asks of it.
    """
    structure = structure_of(puzzle)
    return structure, true_at(structure, state_of(puzzle), formula_of(supposed, answers, len(puzzle.sees)))


def problem_of(row: Mapping[str, Any]) -> tuple[Puzzle, Supposed]:
    """Return the puzzle and the hypothesis of a row, from its columns `smcdel_problem` and `setup`.

    Raises ValueError where the column asks no problem of a puzzle.
    """
    structure, queries = parse(row["smcdel_problem"])
    (query,) = queries
    n, checker = len(structure.observes), Checker(structure)
    counts = tuple([k for k in range(n + 1) if checker.true_at(range(1, k + 1), structure.law)])
    sees = tuple([tuple([atom - 1 for atom in atoms if atom]) for _, atoms in structure.observes])
    marked = tuple([atom - 1 for atom in query.state])
    return Puzzle(row["setup"], sees, counts, marked), _supposed_of(query.formula)


def _supposed_of(formula: Formula) -> Supposed:
    """Return the hypothesis of a formula that `formula_of` made."""
    rounds, asked = 0, False
    while True:
        match formula:
            case And((Not(Knows()), Not(Announce(_, Not(after))))):
                rounds, asked, formula = rounds + 1, True, after
            case Not(Announce(_, Not(after))):
                rounds, formula = rounds + 1, after
            case And((Not(Knows(agent)), Common())):
                return First(ord(agent[-1]) - ord("a"), 0)
            case Knows(agent) if asked or not rounds:
                return First(ord(agent[-1]) - ord("a"), rounds + 1)
            case _:
                return Later(rounds, formula)


def explain_puzzle(puzzle: Puzzle, supposed: Supposed, names: tuple[str, ...], language: str) -> str:
    """Return the explanation of a problem: who answers yes in each round, and how many worlds that leaves."""
    words, answers, n = voice(language).explanations, answers_of(puzzle), len(puzzle.sees)
    rounds, last = n_rounds(supposed, answers), len(answers.yes)
    lines = [words.at_first(answers.n_worlds[0])]
    for number in range(1, rounds + 1):
        yes = [names[person] for person in answers.of_round(number)]
        lines.append(words.round(number, yes, n, answers.n_worlds[min(number, last - 1)]))
    if isinstance(supposed, First):
        first = answers.first(supposed.person)
        if not first:
            lines.append(words.nothing_more(rounds))
        lines += [words.answered(names[supposed.person], first), words.truth(first == supposed.round)]
    else:
        lines += _knowledge_steps(puzzle, supposed, names, language)
    return "\n".join(lines)


def _knowledge_steps(puzzle: Puzzle, supposed: Later, names: tuple[str, ...], language: str) -> list[str]:
    """Return the steps that evaluate a claim after some rounds, the innermost first, and the answer."""
    words, say = voice(language).explanations, voice(language)
    law, actual = laws(puzzle, supposed.rounds)[-1], 1 << world_of(puzzle.marked)
    state = initial_state(tuple([tuple([other + 1 for other in seen]) for seen in puzzle.sees])).with_law(law)
    levels, fact = claim_of_formula(supposed.formula, len(names))
    worlds, left = state.where(((), fact)), law.bit_count()
    lines = [words.held(say.marked(puzzle.setup, names[owner_of(fact)]), worlds.bit_count(), left)]
    for place in reversed(range(len(levels))):
        agent, link, negated = levels[place]
        worlds = state.where((levels[place:], fact))
        lines.append(words.known_there(names[agent], link == WHETHER, negated, worlds.bit_count(), left))
    so = bool(worlds & actual)
    return [*lines, words.actual(so), words.truth(so)]
