"""Measure the gates of order blocks on several seeds: `.venv/bin/python tests/bench/gates.py [GROUP …] [SEED …]`.

A group is a setup of `deep`, or `ladder` for its rungs. Without groups all are measured, without seeds ten. The train
and test splits of `deep`, or the test split of `ladder`, are drawn in their default sizes, in memory. All rules are
measured as `make audit` does it, those that learn included. The table has for each setup and gate the room that is
left, the least and the greatest share, and the share by seed; so it has for the rungs of `ladder`, together and apart.
The exit code is 1 where a gate has less room than ROOM; one rung has no gates.
"""

import sys
from collections import defaultdict
from dataclasses import replace

from tom_datasets.audit.gates import order_gates, spell_gate
from tom_datasets.audit.problems import AuditedProblem
from tom_datasets.audit.rows import audited_problem
from tom_datasets.audit.rules import Gate, apply_rules, cross_validated
from tom_datasets.audit.shares import count_shares
from tom_datasets.logic.config import DEEP, LADDER, ProblemConfig
from tom_datasets.logic.rows import part_rows, plan_of
from tom_datasets.logic.setups import ORDERED_SETUPS
from tom_datasets.mindgames.audit import RUNGS
from tom_datasets.work import spread

GROUPS = (*ORDERED_SETUPS, LADDER.name)  # what can be measured apart: each setup of `deep`, and all of `ladder`

ROOM = 1.0  # the points that a share should stay within its gate


def audited(base: ProblemConfig, setup: str, seed: int) -> dict[str, list[AuditedProblem]]:
    """Return by split the problems of a setup, in a default build with a seed; those of `ladder` by their rungs."""
    config = replace(base, seed=seed, validation=None, checker="embedded", explanations=())
    rows = {
        split: part_rows(config, setup, split, range(len(blocks)), blocks)
        for split, blocks in plan_of(config, setup).items()
    }
    return {split: [audited_problem(row, True) for row in own] for split, own in rows.items()}


def shares(group: str, seed: int) -> dict[str, dict[str, float]]:
    """Return by setup or rung the per cent of test rows on which each rule is right, in a default build with a seed."""
    if group in ORDERED_SETUPS:
        problems = audited(DEEP, group, seed)
        outcomes = apply_rules(problems["test"], problems["train"])
    else:
        outcomes = cross_validated(
            [problem for setup in ORDERED_SETUPS for problem in audited(LADDER, setup, seed)["test"]]
        )
        outcomes += [replace(outcome, group=RUNGS) for outcome in outcomes]
    return {
        group: {rule: 100 * share.share for rule, share in own.items()} for group, own in count_shares(outcomes).items()
    }


def room(values: list[float], gate: Gate) -> float:
    """Return how many points all values stay within a gate, 100 where the gate is one value and all have it."""
    least, most = (100 * limit for limit in gate)
    if least == most:
        return 100.0 if {*values} == {most} else -100.0
    return min([min(values) - least] * (least > 0) + [most - max(values)] * (most < 100))


def main() -> int:
    """Print the measurements."""
    groups = [word for word in sys.argv[1:] if word in GROUPS] or GROUPS
    seeds = [int(word) for word in sys.argv[1:] if word not in GROUPS] or [*range(10)]
    tasks = [(group, seed) for seed in seeds for group in groups]
    measured = defaultdict(list)
    for (_, seed), found in zip(tasks, spread(shares, tasks, 2, "measuring", "setup"), strict=True):
        for name, own in found.items():
            measured[name].append(own)
            rooms = {rule: room([own[rule]], gate) for rule, gate in order_gates(name).items()}
            narrowest = sorted(rooms, key=rooms.get)[:6]
            print(f"seed {seed}, {name}:", *(f"{rule} {own[rule]:.1f}," for rule in narrowest), flush=True)
    narrow = False
    for name, tables in measured.items():
        print(f"\n{name:24} room  least  most  by seed: {' '.join(map(str, seeds))}")
        for rule, gate in order_gates(name).items():
            values = [table[rule] for table in tables]
            left = room(values, gate)
            narrow |= left < ROOM and name in (*ORDERED_SETUPS, RUNGS)
            by_seed = " ".join(f"{value:.1f}" for value in values)
            print(f"{rule:24} {left:4.1f} {min(values):6.1f} {max(values):5.1f}  {by_seed}  ({spell_gate(gate)})")
    return narrow


if __name__ == "__main__":
    sys.exit(main())
