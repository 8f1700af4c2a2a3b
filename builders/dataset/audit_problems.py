"""What the audit asks of a mindgames build: its problems, its order blocks, and its gates."""

from typing import Any

from ..audit import gates
from ..audit.gates import GATES, broken_gates
from ..audit.problems import AuditedProblem
from ..audit.rows import audited_problem
from ..audit.shares import Outcomes, Table, count_shares
from ..errors import UserError, located
from ..folder.build import Build
from ..logic.config import DEEP
from ..work import steps
from .interface import Dataset
from .measured import outcomes_of_test


def problems_of(build: Build, file: str, features: Any, learn: bool) -> list[AuditedProblem]:
    """Return the problems of a file, grouped by setup; `learn` adds what a probe sees."""
    problems = []
    for row in build.rows(file, features):
        with located(f"{build.folder / file}, row {row['index']}: "):
            problems.append(audited_problem(row, learn))
    return problems


def hold_setup_gates(gated: Table) -> None:
    """Print that the gates of every setup hold, where there are any. Raises UserError where one is broken."""
    if not gated:
        return
    broken = broken_gates(gated, GATES["mindgames"])
    if broken:
        raise UserError("a gate is broken on the test split: " + "; ".join(broken))
    print("gates hold for every setup")


def order_shares(dataset: Dataset, build: Build, learn: bool) -> Table:
    """Measure all rules on the order blocks in the test split of deep; return {} where there are none.

    learn: whether to measure the rules that learn from whole texts too.
    """
    if f"{DEEP.name}/test.parquet" not in build.files:
        return {}
    outcomes: list[Outcomes] = []
    for config in steps([DEEP.name], "measuring order blocks"):
        outcomes = outcomes_of_test(dataset, build, config, learn)
    return count_shares(outcomes)


def hold_order_gates(shares: Table) -> None:
    """Print that the gates of order blocks hold in every setup. Raises UserError where one is broken."""
    if not shares:
        return
    smallest = min(share.total for rules in shares.values() for share in rules.values())
    if smallest < gates.GATED_PROBLEMS:
        print(f"order blocks, not gated: {smallest} test problems, the gates need {gates.GATED_PROBLEMS}")
        return
    broken = broken_gates(shares, GATES["order blocks"])
    if broken:
        raise UserError("a gate is broken on the test split of deep: " + "; ".join(broken))
    print(f"order blocks: gates hold for every setup, on {smallest} test problems each")
