"""The proof of a row of puzzles in rounds: its label from the formal column, and every column from its English."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from ..logic import checkers
from ..logic.config import MOST_BLOCKS, ProblemConfig
from ..logic.formal import parsed_query
from ..logic.puzzle_rows import formal_columns
from ..logic.rounds_drawing import identity
from ..logic.rows import row_number
from ..reader import puzzle_rounds
from ..reader.read_languages import in_english
from ..reader.read_puzzles import read_puzzle
from ..splits import plain_file, plain_name
from ..syntax.formula import LABELS, Atom, Not
from ..syntax.rounds import First, Later, Puzzle, Supposed
from .rows import Proven, differing_column, explained_fault, first_fault, score_fault

Reading = tuple[Mapping[str, Any], Puzzle, Supposed]  # a row, and the puzzle and the hypothesis that its English gives


def prove_puzzles(rows: Sequence[Mapping[str, Any]], config: Mapping[str, Any], file: str) -> Iterator[str | Proven]:
    """Yield for each row what is wrong with it, or what must not repeat; stop at the first row that is wrong.

    config, file: as for `problems.prove_mindgames`. Four rows that follow one another must be a block.
    """
    readings: list[Reading] = []
    fault = None
    language, config = config["language"], {**config, "name": plain_name(config["name"])}
    file = plain_file(file)
    try:
        for row in rows:
            readings.append(_read(in_english(row, language), config, file))
    except ValueError as error:
        fault = str(error)
    questions = [parsed_query(row[column]) for row, _, _ in readings for column in ("smcdel_problem", "pbcheck")]
    answers = checkers.are_valid(questions, config["checker"])
    for place, (row, puzzle, supposed) in enumerate(readings):
        label, lied = LABELS[answers[2 * place]], answers[2 * place + 1]
        if row["label"] != label:
            yield f"label is {row['label']!r}, smcdel_problem gives {label!r}"
            return
        if lied:
            yield "pbcheck is true: the persons do not answer as smcdel_problem announces"
            return
        if place % 4 == 3 and (fault_of_block := _block_fault(readings[place - 3 : place + 1])):
            yield fault_of_block
            return
        yield Proven(row["block"], str(identity(puzzle)), str(identity(puzzle, supposed)))
    if fault:
        yield fault


def _read(row: Mapping[str, Any], config: Mapping[str, Any], file: str) -> Reading:
    """Return a row with what its English says. Raises ValueError where something in the row differs from that."""
    puzzle, supposed = read_puzzle(row["premise"], row["hypothesis"], row["names"])
    fault = (
        differing_column(row, _columns(row, config, file, puzzle, supposed), "the text gives")
        or _config_fault(config, file, row, puzzle, supposed)
        or explained_fault(row, config, file)
        or score_fault(row, str(row["index"]), config, "mindgames")
    )
    if fault:
        raise ValueError(fault)
    return row, puzzle, supposed


def _columns(
    row: Mapping[str, Any], config: Mapping[str, Any], file: str, puzzle: Puzzle, supposed: Supposed
) -> dict[str, Any]:
    """Return the columns that the puzzle of the English gives."""
    of, split = ProblemConfig(config["name"], rungs=config["rungs"]), Path(file).stem
    number, place = divmod(row["index"], 4)
    index = number % MOST_BLOCKS
    return {
        **formal_columns(puzzle, supposed, puzzle_rounds.answers(puzzle)),
        "label": LABELS[puzzle_rounds.holds(puzzle, supposed)],
        "rung": 1 + index % len(of.rungs),
        "index": 4 * row_number(of.family, puzzle.setup, split, index) + place,
        "block": of.block_name(puzzle.setup, split, index),
        "config": of.row_config,
        "language": config["language"],
        "seed": config["seed"],
        "generator_version": config["version"],
    }


def _config_fault(
    config: Mapping[str, Any], file: str, row: Mapping[str, Any], puzzle: Puzzle, supposed: Supposed
) -> str | None:
    """Return why a config does not make such a problem, or why it does not belong in its file."""
    n, latest, fewest = config["rungs"][row["rung"] - 1]
    worlds, rounds = row["n_worlds_before"], supposed.rounds if isinstance(supposed, Later) else supposed.round
    return first_fault(
        (file.split("/")[0] != config["name"], f"a puzzle in rounds stands in {file}"),
        (len(puzzle.sees) != n, f"{len(puzzle.sees)} persons are on a rung of {n}"),
        (worlds < fewest, f"there are {worlds} worlds at the start, the rung has at least {fewest}"),
        (rounds > latest, f"the hypothesis names round {rounds}, the latest of the rung is {latest}"),
    )


def _block_fault(block: list[Reading]) -> str | None:
    """Return why four problems are no block: two puzzles with two hypotheses of one kind, each true of one."""
    rows, problems = [row for row, _, _ in block], [(puzzle, supposed) for _, puzzle, supposed in block]
    puzzles, hypotheses = (list(dict.fromkeys(part)) for part in zip(*problems, strict=True))
    entailed = [problem for row, problem in zip(rows, problems, strict=True) if row["label"] == LABELS[True]]
    crossing = len(entailed) == 2 and [*map(set, zip(*entailed, strict=True))] == [set(puzzles), set(hypotheses)]
    first = rows[0]["index"]
    in_order = [row["index"] for row in rows] == [*range(first, first + 4)] and not first % 4
    two_by_two = len({*problems}) == 4 and len(puzzles) == 2
    return first_fault(
        (not in_order, "the four rows of its block do not stand together in the order of their index"),
        (not two_by_two, "its block is not made of two premises and two hypotheses"),
        (len({*map(_form, hypotheses)}) != 1, "the hypotheses of its block have different forms"),
        (any(row["names"] != rows[0]["names"] for row in rows), "the names in its block differ"),
        (not two_by_two or not differ_in_one(*puzzles), "the puzzles of its block differ in more than one thing"),
        (not crossing, "the labels of its block are not one entailment for each premise and each hypothesis"),
    )


def _form(supposed: Supposed) -> Any:
    """Return what two hypotheses of a block share: the person, or the round and the words of the claim."""
    if isinstance(supposed, First):
        return supposed.person
    shape, part = [], supposed.formula
    while not isinstance(part, Atom):
        shape.append(part.__class__ if isinstance(part, Not) else getattr(part, "whether", None))
        part = getattr(part, "formula")  # noqa: B009 - of any kind of knowledge
    return supposed.rounds, tuple(shape)


def differ_in_one(p: Puzzle, q: Puzzle) -> bool:
    """Return whether two puzzles differ in who is marked, in one arc of who sees whom, or in the law alone."""
    arcs = [{(person, other) for person, seen in enumerate(one.sees) for other in seen} for one in (p, q)]
    changed = len(arcs[0] ^ arcs[1])
    return (
        (p.setup, len(p.sees)) == (q.setup, len(q.sees))
        and [
            p.marked != q.marked,
            changed == 1,
            p.counts != q.counts,
        ].count(True)
        == 1
        and changed < 2
    )
