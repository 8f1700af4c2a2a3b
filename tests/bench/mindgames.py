"""Measure how fast mindgames is, as ratios against peers and a baseline in the same run (`make bench`).

The baseline is a plain `match` over a formula: sets of worlds are integers, and nothing is kept between problems.
The peers are the explicit sets of worlds of `proof`, and SMCDEL where it is installed. All must give the same labels.
The problems come from a file in the published shape, the first argument, or from our own validation split.
"""

import sys
from collections.abc import Sequence
from dataclasses import replace
from itertools import islice
from pathlib import Path

from timing import in_turn, seconds

from tom_datasets.errors import ProgramMissingError
from tom_datasets.logic.checkers import ValidityQuestion
from tom_datasets.logic.chunks import CHUNK, ordered_blocks
from tom_datasets.logic.claims import Premise, all_forms, from_problem, instances
from tom_datasets.logic.config import ALL, DEEP
from tom_datasets.logic.rows import _plan_of, part_rows, plan_of
from tom_datasets.logic.s5 import Checker
from tom_datasets.logic.setups import ORDERED_SETUPS
from tom_datasets.logic.smcdel.parser import parse
from tom_datasets.logic.smcdel.program import Smcdel, find_program
from tom_datasets.logic.states import state_after
from tom_datasets.mindgames import rows
from tom_datasets.proof.left_out import LeftOut
from tom_datasets.proof.published_rows import TEXTS, published_rows
from tom_datasets.reader.problem_worlds import follows
from tom_datasets.reader.read_problems import read_problem
from tom_datasets.syntax.formula import (
    LABELS,
    SETUPS,
    And,
    Announce,
    Atom,
    Formula,
    Knows,
    Not,
    Or,
    Structure,
    Top,
    knows_whether,
)

ROUNDS = 2
MADE = ("validation", "test")  # the splits whose rows are made
ALONE = 40  # problems that are asked of SMCDEL with a process for each


def plain(structure: Structure, claim: Formula) -> bool:
    """Return whether a formula is valid, the plain way."""
    atoms, observes = structure.atoms, dict(structure.observes)
    every = (1 << (1 << len(atoms))) - 1

    def where(atom: int) -> int:
        block = 1 << atoms.index(atom)
        return every // ((1 << block) + 1) << block

    def project(agent: str, worlds: int) -> int:
        for atom in atoms:
            if atom not in observes[agent]:
                true, block = where(atom), 1 << atoms.index(atom)
                worlds |= (worlds & true) >> block | (worlds << block) & true
        return worlds

    def truth(formula: Formula, law: int) -> int:
        match formula:
            case Top():
                return every
            case Atom(number):
                return where(number)
            case Not(inner):
                return every ^ truth(inner, law)
            case And(parts):
                worlds = every
                for part in parts:
                    worlds &= truth(part, law)
                return worlds
            case Or(parts):
                worlds = 0
                for part in parts:
                    worlds |= truth(part, law)
                return worlds
            case Knows(agent, inner, whether):
                worlds = truth(inner, law)
                doubted = project(agent, law & (every ^ worlds))
                return every ^ (doubted & project(agent, law & worlds) if whether else doubted)
            case Announce(announcement, after):
                heard = truth(announcement, law)
                return (every ^ heard) | truth(after, law & heard)
            case _:
                raise TypeError(formula)

    law = truth(structure.law, every)
    return not law & (every ^ truth(claim, law))


def muddy_children(n: int, rounds: int) -> bool:
    """Return whether n children know if they are muddy after someone is said to be, and so many rounds of silence."""
    atoms = tuple(range(1, n + 1))
    observes = tuple((f"child{own}", tuple(atom for atom in atoms if atom != own)) for own in atoms)
    know = tuple(knows_whether(f"child{own}", Atom(own)) for own in atoms)
    silence = And(tuple(Not(knows) for knows in know))
    formula: Formula = And(know)
    for _ in range(rounds):
        formula = Announce(silence, formula)
    return Checker(Structure(atoms, Top(), observes)).valid(Announce(Or(tuple(map(Atom, atoms))), formula))


def own_rows(splits: Sequence[str]) -> list[dict]:
    """Return the rows of these splits of the default config, without its train split."""
    config = replace(ALL, checker="embedded", scorer=None, train=None)
    sizes = {split: range(config.sizes()[split]) for split in splits}
    made = [rows.span_rows([config], split, sizes[split], rows.plan_of(config, split)) for split in splits]
    return [row for (of_split,) in made for row in of_split]


def make() -> None:
    """Make the rows of two splits of the default config as `make build` does, but for Parquet."""
    _plan_of.cache_clear()
    own_rows(MADE)


def ask_every_hypothesis(premises: list[Premise]) -> int:
    """Find the truth vectors of all hypotheses of order 1 and 2 after each premise; return how many hypotheses."""
    forms = all_forms(2)
    count = 0
    for premise in premises:
        state = state_after(premise)
        for form in forms:
            state._vectors.pop((form, 2), None)  # found anew in every round, also where two premises leave the same
            state.truth_vector(form)
            count += len(instances(len(premise.sees), form))
    return count


def main() -> None:
    """Print the measurements; the best of some rounds, taken in turn."""
    if len(sys.argv) > 1:
        source = sys.argv[1]
        rows = [row for _, row in published_rows(Path(source), TEXTS["mindgames"], left_out=LeftOut())]
    else:
        rows, source = own_rows(["validation"]), "our validation split"
    parsed = [parse(row["smcdel_problem"]) for row in rows]
    questions = [(structure, query.formula) for structure, (query,) in parsed]
    problems = [read_problem(row["premise"], row["hypothesis"], row["names"])[0] for row in rows]
    answers = [Checker(structure).valid(formula) for structure, formula in questions]
    assert answers == [plain(structure, formula) for structure, formula in questions]
    assert [LABELS[answer] for answer in answers] == [row["label"] for row in rows]

    premises = list(dict.fromkeys(from_problem(problem)[0] for problem in problems))
    n_hypotheses = ask_every_hypothesis(premises)
    n_rows = 4 * sum(ALL.sizes()[split] for split in MADE) * len(SETUPS)
    counts = {"ours": len(rows), "plain": len(rows), "explicit": len(rows), "shared": n_hypotheses, "make": n_rows}
    works = {
        "ours": (lambda: [Checker(structure).valid(formula) for structure, formula in questions],),
        "plain": (lambda: [plain(structure, formula) for structure, formula in questions],),
        "explicit": (lambda: [follows(problem) for problem in problems],),
        "shared": (ask_every_hypothesis, premises),
        "make": (make,),
    }
    best = {name: took / counts[name] for name, took in in_turn(works, ROUNDS).items()}
    print(f"labels a second on {len(rows):,} problems of {source}, parsing not counted: {1 / best['ours']:,.0f}")
    print(f"the plain baseline: {1 / best['plain']:,.0f}; ratio {best['plain'] / best['ours']:.1f}")
    print(f"explicit sets of worlds: {1 / best['explicit']:,.0f}; ratio {best['explicit'] / best['ours']:.1f}")
    print(f"hypotheses a second, all {n_hypotheses:,} of order 1 and 2 after {len(premises):,} premises,")
    ratio = best["ours"] / best["shared"]
    print(f"  caching the worlds where each agent knows what: {1 / best['shared']:,.0f}; ratio to labels {ratio:.0f}")
    print(f"rows a second, plan, text and labels of {n_rows:,} rows, one process: {1 / best['make']:,.0f},")
    print(f"  a row as long as {best['make'] / best['ours']:.0f} labels")
    measure_order_blocks()
    measure_many_worlds(best["ours"])
    measure_smcdel(questions, best["ours"])


def order_blocks(setup: str, seed: int) -> None:
    """Make the rows of the first chunk of order blocks."""
    config = replace(DEEP, seed=seed, checker="embedded", scorer=None)
    blocks = list(islice(ordered_blocks(config, setup, "train"), CHUNK))
    part_rows(config, setup, "train", range(len(blocks)), blocks)


def plain_blocks(blocks: int) -> None:
    """Make the rows of blocks of forehead, plan and all."""
    _plan_of.cache_clear()
    config = replace(ALL, checker="embedded", scorer=None, train=blocks, validation=None, test=None)
    part_rows(config, "forehead", "train", range(blocks), plan_of(config, "forehead")["train"])


def measure_order_blocks() -> None:
    """Print how long problems of order blocks take, as ratios to those of forehead in the same run."""
    plain = min(seconds(plain_blocks, 100) / 400 for _ in range(ROUNDS))
    for setup in ORDERED_SETUPS:
        next(ordered_blocks(DEEP, setup, "train"))  # the pilot is read once a process
        ordered = min(seconds(order_blocks, setup, seed) / (4 * CHUNK) for seed in range(2))
        longer = f"each as long as {ordered / plain:.0f} of forehead"
        print(f"order blocks of {setup}: {1 / ordered:,.0f} problems a second, {longer}")


def measure_many_worlds(label: float) -> None:
    """Print how long 40 muddy children take; `label` is the seconds of one label."""
    assert muddy_children(40, 39) and not muddy_children(40, 38)
    muddy = min(seconds(muddy_children, 40, 39) for _ in range(ROUNDS))
    print(f"muddy children, n = 40, 39 rounds of silence: {muddy:.2f} s, as long as {muddy / label:,.0f} labels")


def measure_smcdel(questions: list[ValidityQuestion], label: float) -> None:
    """Print how long SMCDEL takes for the questions; `label` is the seconds that we take for one."""
    try:
        program = Smcdel(find_program())
    except ProgramMissingError:
        print("no SMCDEL here to compare with")
        return
    formulas_of: dict[Structure, list[Formula]] = {}
    for structure, formula in questions:
        formulas_of.setdefault(structure, []).append(formula)
    batched = seconds(lambda: [program.valid(*batch) for batch in formulas_of.items()]) / len(questions)
    alone = seconds(lambda: [program.valid(structure, [formula]) for structure, formula in questions[:ALONE]]) / ALONE
    ratios = f"ratio {batched / label:.0f}; for each problem: {alone / label:,.0f}"
    print(f"SMCDEL, one process for each structure: {ratios}")


if __name__ == "__main__":
    main()
