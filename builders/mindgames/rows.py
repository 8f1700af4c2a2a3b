"""Make the rows of a config of mindgames: plan all blocks of a split, then make each from its plan."""

from collections import defaultdict
from collections.abc import Sequence

from ..columns import Row
from ..garbage import seldom_collected
from ..logic import rows
from ..logic.config import Planned, ProblemConfig
from ..logic.rows import part_rows, plan_part, plan_parts
from ..witness import Witnesses, recorded
from ..work import spread

Settled = Sequence[tuple[Planned, ...]]  # for each index the planned block, or problem, of each setup


def plan_of(config: ProblemConfig, split: str) -> Settled:
    """Settle the blocks of a split, or in `reproduction` the problems: for each index, one of each setup."""
    return list(zip(*(rows.plan_of(config, setup)[split] for setup in config.setups), strict=True))


def planned(configs: Sequence[ProblemConfig], processes: int, witnesses: Witnesses) -> dict[tuple[str, str], Settled]:
    """Return, by config and split, what is settled of each block; see `plan_of`."""
    tasks = [(config, setup, part) for config in configs for setup in config.setups for part in plan_parts(config)]
    tasks.sort(
        key=lambda task: -task[0].sizes().get(task[2] or "", 0)
    )  # the longest first; a whole setup takes a second
    plans: dict[tuple[str, str], dict[str, Sequence[Planned]]] = defaultdict(dict)
    asked = [(witnesses.known(config.section), plan_part, config, setup, part) for config, setup, part in tasks]
    made = spread(recorded, asked, processes, "planning", "part")
    for (config, setup, _), (part, found) in zip(tasks, made, strict=True):
        plans[config.name, setup].update(part)
        witnesses.take(config.section, found)
    return {
        (config.name, split): list(zip(*(plans[config.name, setup][split] for setup in config.setups), strict=True))
        for config in configs
        for split in config.sizes()
    }


@seldom_collected()
def span_rows(configs: Sequence[ProblemConfig], split: str, span: range, settled: Settled) -> list[list[Row]]:
    """Return the rows of all setups that have these indices, unscored, for each of some configs with the same problems.

    They come block by block, the setups in turn. settled: for each index the planned block, or problem, of each setup.
    Raises what `part_rows` raises.
    """
    blocks = list(zip(*settled, strict=True))
    return [told_rows(config, split, span, blocks) for config in configs]


def told_rows(config: ProblemConfig, split: str, span: range, blocks: Sequence[Sequence[Planned]]) -> list[Row]:
    """Return the rows of a span for one config, given the planned blocks of each setup."""
    made = [part_rows(config, setup, split, span, own) for setup, own in zip(config.setups, blocks, strict=True)]
    size = len(made[0]) // len(span)
    return [row for start in range(0, len(made[0]), size) for rows in made for row in rows[start : start + size]]
