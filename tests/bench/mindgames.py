"""Measure how fast mindgames is, as ratios against peers and a baseline in the same run (`make bench`).

The baseline is a plain `match` over a formula with sets of worlds as integers, which finds everything anew for every
problem. The peers are explicit sets of worlds, as `reader` has them, and SMCDEL where it is installed. All must give
the same labels. The problems are those of a file in the published shape, given as the first argument, or of our own
validation split.
"""

import shutil
import subprocess
import sys
import tempfile
import time
from dataclasses import replace
from pathlib import Path

from builders.errors import ProgramMissingError

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))


import mindgames  # noqa: E402
from builders.logic import rows as logic_rows
from builders.logic.claims import all_forms, from_problem, instances
from builders.logic.formula import SETUPS, And, Announce, Atom, Formula, Knows, KnowsWhether, Not, Or, Structure, Top
from builders.logic.rows import _plan, part_rows, plan_of
from builders.logic.s5 import Checker
from builders.logic.smcdel.parser import parse
from builders.logic.smcdel.program import Smcdel, find_program
from builders.logic.states import state_after
from builders.proof.problem_worlds import follows
from builders.proof.published_rows import TEXTS, published_rows
from builders.proof.read_problems import read_problem

ROUNDS = 5
ALONE = 40
"""So many problems are asked of SMCDEL with a process for each."""


def plain(structure: Structure, asked: Formula) -> bool:
    """Return whether a formula is valid, the plain way."""
    atoms, observes = structure.atoms, dict(structure.observes)
    whole = (1 << (1 << len(atoms))) - 1

    def where(atom: int) -> int:
        block = 1 << atoms.index(atom)
        return whole // ((1 << block) + 1) << block

    def project(agent: str, here: int) -> int:
        for atom in atoms:
            if atom not in observes[agent]:
                true, block = where(atom), 1 << atoms.index(atom)
                here |= (here & true) >> block | (here << block) & true
        return here

    def truth(formula: Formula, law: int) -> int:
        match formula:
            case Top():
                return whole
            case Atom(number):
                return where(number)
            case Not(inner):
                return whole ^ truth(inner, law)
            case And(parts):
                worlds = whole
                for part in parts:
                    worlds &= truth(part, law)
                return worlds
            case Or(parts):
                worlds = 0
                for part in parts:
                    worlds |= truth(part, law)
                return worlds
            case Knows(agent, inner):
                return whole ^ project(agent, law & (whole ^ truth(inner, law)))
            case KnowsWhether(agent, inner):
                worlds = truth(inner, law)
                return whole ^ (project(agent, law & worlds) & project(agent, law & (whole ^ worlds)))
            case Announce(announcement, after):
                heard = truth(announcement, law)
                return (whole ^ heard) | truth(after, law & heard)
            case _:
                raise TypeError(formula)

    law = truth(structure.law, whole)
    return not law & (whole ^ truth(asked, law))


def seconds(work, *args) -> float:
    """Return how long one call takes."""
    start = time.perf_counter()
    work(*args)
    return time.perf_counter() - start


def muddy_children(n: int, rounds: int) -> bool:
    """Return whether n children know if they are muddy after someone is said to be, and so many rounds of silence."""
    atoms = tuple(range(1, n + 1))
    agents = [f"child{atom}" for atom in atoms]
    seen = tuple((agent, tuple(a for a in atoms if a != own)) for agent, own in zip(agents, atoms, strict=True))
    each = tuple(KnowsWhether(agent, Atom(atom)) for agent, atom in zip(agents, atoms, strict=True))
    silence = And(tuple(Not(knows) for knows in each))
    then: Formula = And(each)
    for _ in range(rounds):
        then = Announce(silence, then)
    return Checker(Structure(atoms, Top(), seen)).valid(Announce(Or(tuple(map(Atom, atoms))), then))


def own_rows() -> list[dict]:
    """Return the rows of our validation split."""
    config = replace(mindgames.ALL, scorer=None)
    return [
        row
        for setup, span in logic_rows.parts(config, "validation")
        for row in part_rows(
            replace(config, checker="embedded"), setup, "validation", span,
            plan_of(config, setup)[0]["validation"][span.start : span.stop],
        )
    ]  # fmt: skip


def make() -> int:
    """Make all rows of the default config as `make build` does, but for Parquet; return how many."""
    _plan.cache_clear()
    config = replace(mindgames.ALL, checker="embedded", scorer=None)
    return sum(
        len(part_rows(config, setup, split, span,
                                plan_of(config, setup)[0][split][span.start : span.stop]))
        for split in config.sizes()
        for setup, span in logic_rows.parts(config, split)
    )  # fmt: skip


def build(folder: Path, sizes: list[str]) -> float:
    """Return the seconds that the whole of `build mindgames` takes in a process of its own, start and all."""
    shutil.rmtree(folder / "mindgames", ignore_errors=True)
    command = [sys.executable, "-m", "builders", "build", "mindgames", "--out", str(folder), "--probe", "none", *sizes]
    return seconds(lambda: subprocess.run(command, cwd=ROOT, check=True, capture_output=True))


def main() -> None:
    """Print the measurements; the best of some rounds, taken in turn."""
    if len(sys.argv) > 1:
        rows = [row for _, row in published_rows(Path(sys.argv[1]), TEXTS["mindgames"])]
        source = sys.argv[1]
    else:
        rows, source = own_rows(), "our validation split"
    formal = []
    for row in rows:
        structure, (query,) = parse(row["smcdel_problem"])
        formal.append((structure, query.formula))
    told = [read_problem(row["premise"], row["hypothesis"], row["names"])[0] for row in rows]
    labels = [Checker(structure).valid(of) for structure, of in formal]
    assert labels == [plain(structure, of) for structure, of in formal] == [r["label"] == "entailment" for r in rows]

    premises = list({from_problem(posed)[0]: None for posed in told})
    forms = all_forms(2)

    def ask_all() -> int:
        asked = 0
        for premise in premises:
            state = state_after(premise)
            for form in forms:
                state._vectors.pop(form, None)  # asked anew in every round, also where two premises leave the same
                state.truth_vector(form)
                asked += len(instances(len(premise.sees), form))
        return asked

    asked = ask_all()
    took = {"ours": [], "plain": [], "explicit": [], "shared": [], "make": []}
    for _ in range(ROUNDS):
        took["ours"].append(seconds(lambda: [Checker(structure).valid(of) for structure, of in formal]) / len(rows))
        took["plain"].append(seconds(lambda: [plain(structure, of) for structure, of in formal]) / len(rows))
        took["explicit"].append(seconds(lambda: [follows(posed) for posed in told]) / len(rows))
        took["shared"].append(seconds(ask_all) / asked)
        took["make"].append(seconds(make))
    best = {what: min(times) for what, times in took.items()}
    print(f"labels a second on {len(rows):,} problems of {source}, parsing not counted: {1 / best['ours']:,.0f}")
    print(f"the plain baseline: {1 / best['plain']:,.0f}; ratio {best['plain'] / best['ours']:.1f}")
    print(f"explicit sets of worlds: {1 / best['explicit']:,.0f}; ratio {best['explicit'] / best['ours']:.1f}")
    print(f"hypotheses a second, all {asked:,} of order 1 and 2 after the announcements of {len(premises):,} premises,")
    ratio = best["ours"] / best["shared"]
    print(f"  memoising what is known where: {1 / best['shared']:,.0f}; ratio to labels {ratio:.0f}")
    count = 4 * sum(mindgames.ALL.sizes().values()) * len(SETUPS)
    ratio = best["make"] / count / best["ours"]
    print(f"rows a second, plan, text and labels of {count:,} rows, one process: {count / best['make']:,.0f},")
    print(f"  a row as long as {ratio:.0f} labels")
    with tempfile.TemporaryDirectory() as folder:
        whole = min(build(Path(folder), ["--scale", "1", "--reproduction", "2"]) for _ in range(2))
    print(f"make build mindgames without scale and reproduction, start and Parquet included: {count / whole:,.0f}")
    assert muddy_children(40, 39) and not muddy_children(40, 38)
    muddy = min(seconds(muddy_children, 40, 39) for _ in range(ROUNDS))
    print(f"muddy children, n = 40, 39 rounds of silence: {muddy:.2f} s, as long as {muddy / best['ours']:,.0f} labels")
    try:
        program = Smcdel(find_program())
    except ProgramMissingError:
        print("no SMCDEL here to compare with")
        return
    together: dict[Structure, list[Formula]] = {}
    for structure, of in formal:
        together.setdefault(structure, []).append(of)
    batched = seconds(lambda: list(program.valid_each(together.items(), 1))) / len(rows)
    alone = seconds(lambda: [program.valid(structure, [of]) for structure, of in formal[:ALONE]]) / ALONE
    print(f"SMCDEL, one process for each structure: ratio {batched / best['ours']:.0f}; for each problem: "
          f"{alone / best['ours']:,.0f}")  # fmt: skip


if __name__ == "__main__":
    main()
