"""Measure the gates of order blocks on several seeds: `.venv/bin/python tests/bench/gates.py [SETUP …] [SEED …]`.

Without setups all are measured, without seeds ten. The train and test splits of `deep` are drawn in their default
sizes, in memory. All rules are measured as `make audit` does it, those that learn included. The table has for each
setup and gate the room that is left, the least and the greatest share, and the share by seed. The exit code is 1 where
a gate has less room than ROOM.
"""

import sys
from collections import defaultdict
from dataclasses import replace

from tom_datasets.audit.gates import order_gates, spell_gate
from tom_datasets.audit.rows import audited_problem
from tom_datasets.audit.rules import Gate, apply_rules
from tom_datasets.audit.shares import count_shares
from tom_datasets.logic.config import DEEP, ORDERED_SETUPS
from tom_datasets.logic.rows import part_rows, plan_of
from tom_datasets.work import spread

ROOM = 1.0
"""The points that a share should stay within its gate."""


def shares(setup: str, seed: int) -> dict[str, float]:
    """Return the per cent of test rows on which each rule is right, in a setup of a default build with a seed."""
    config = replace(DEEP, seed=seed, validation=None, checker="embedded", explanations=())
    audited = {
        split: [audited_problem(row, True) for row in part_rows(config, setup, split, range(len(blocks)), blocks)]
        for split, blocks in plan_of(config, setup).items()
    }
    table = count_shares(apply_rules(audited["test"], audited["train"]))
    return {rule: 100 * share.share for rule, share in table[setup].items()}


def room(values: list[float], gate: Gate) -> float:
    """Return how many points all values stay within a gate, 100 where the gate is one value and all have it."""
    least, most = (100 * limit for limit in gate)
    if least == most:
        return 100.0 if {*values} == {most} else -100.0
    return min([min(values) - least] * (least > 0) + [most - max(values)] * (most < 100))


def main() -> int:
    """Print the measurements."""
    setups = [word for word in sys.argv[1:] if word in ORDERED_SETUPS] or ORDERED_SETUPS
    seeds = [int(word) for word in sys.argv[1:] if word not in ORDERED_SETUPS] or [*range(10)]
    tasks = [(setup, seed) for seed in seeds for setup in setups]
    measured = defaultdict(list)
    for (setup, seed), found in zip(tasks, spread(shares, tasks, 2, "measuring", "setup"), strict=True):
        measured[setup].append(found)
        rooms = {rule: room([found[rule]], gate) for rule, gate in order_gates(setup).items()}
        narrowest = sorted(rooms, key=rooms.get)[:6]
        print(f"seed {seed}, {setup}:", *(f"{rule} {found[rule]:.1f}," for rule in narrowest), flush=True)
    narrow = False
    for setup, tables in measured.items():
        print(f"\n{setup:24} room  least  most  by seed: {' '.join(map(str, seeds))}")
        for rule, gate in order_gates(setup).items():
            values = [table[rule] for table in tables]
            left = room(values, gate)
            narrow |= left < ROOM
            by_seed = " ".join(f"{value:.1f}" for value in values)
            print(f"{rule:24} {left:4.1f} {min(values):6.1f} {max(values):5.1f}  {by_seed}  ({spell_gate(gate)})")
    return narrow


if __name__ == "__main__":
    sys.exit(main())
