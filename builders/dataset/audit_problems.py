"""What the audit asks of a mindgames build: its problems, its order blocks, and its gates."""

from itertools import chain
from typing import Any

from ..audit import gates
from ..audit.problems import AuditedProblem
from ..audit.rows import audited_problem
from ..audit.shares import Table, count_shares
from ..errors import located
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
    if gated:
        gates.hold(gated, gates.GATES["mindgames"], "the test split")
        print("gates hold for every setup")


def order_shares(dataset: Dataset, build: Build, learn: bool) -> Table:
    """Measure all rules on the order blocks in the test split of deep; return {} where there are none.

    learn: whether to measure the rules that learn from whole texts too.
    """
    configs = [DEEP.name] if f"{DEEP.name}/test.parquet" in build.files else []
    measured = [outcomes_of_test(dataset, build, name, learn) for name in steps(configs, "measuring order blocks")]
    return count_shares(chain.from_iterable(measured))


def hold_order_gates(shares: Table) -> None:
    """Print that the gates of order blocks hold in every setup. Raises UserError where one is broken."""
    if shares and gates.are_enough(shares, gates.GATED_PROBLEMS, "test problems", "order blocks, "):
        gates.hold(shares, gates.GATES["order blocks"], "the test split of deep")
        print(f"order blocks: gates hold for every setup, on {gates.smallest(shares)} test problems each")
