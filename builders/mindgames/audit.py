"""What the audit asks of a mindgames build: its problems, its order blocks, and its gates."""

from functools import partial
from itertools import chain
from typing import Any

from ..audit import gates
from ..audit.problems import AuditedProblem
from ..audit.rows import audited_problem, published_audited_problems
from ..audit.rules import outcomes_of_test
from ..audit.shares import Table, count_shares
from ..errors import located
from ..folder.build import Build
from ..logic.config import DEEP, ORDERED_SETUPS
from ..work import spread

POOLED = True  # whether the audit counts all groups as one more

MEASURED_APART = ("deep",)  # the configs that the other tables leave out


def questions(build: Build, file: str, learn: bool, setup: str | None = None) -> list[AuditedProblem]:
    """Return the problems of a file, or those of one setup, grouped by setup; `learn` adds what a probe sees."""
    problems = []
    for row in build.rows(file):
        if setup in (None, row["setup"]):
            with located(f"{build.folder / file}, row {row['index']}: "):
                problems.append(audited_problem(row, learn))
    return problems


def hold_gates(build: Build, gated: Table, deep: Table, _: dict) -> None:
    """Print that the gates of setups and of order blocks hold. Raises UserError where one is broken."""
    gates.hold(gated, dict.fromkeys(gated, gates.GATES["mindgames"]), "the test split", "every setup")
    by_setup, least = {setup: gates.order_gates(setup) for setup in deep}, gates.GATED_PROBLEMS
    held = f"every setup, on {gates.smallest(deep)} test problems each"
    gates.hold(deep, by_setup, "the test split of deep", held, least, "test problems", "order blocks")


def depth(build: Build, learn: bool, processes: int) -> Table:
    """Measure all rules on the order blocks in the test split of deep; return {} where there are none.

    learn: whether to measure the rules that learn from whole texts too. Where there is a train split to learn from,
    each setup is measured by itself, by any of the processes.
    """
    if f"{DEEP.name}/test.parquet" not in build.files:
        return {}
    setups = ORDERED_SETUPS if f"{DEEP.name}/train.parquet" in build.files else [None]
    tasks = [(partial(questions, setup=setup), build, DEEP.name, learn) for setup in setups]
    measured = spread(outcomes_of_test, tasks, processes, "measuring order blocks", "setup", delay=0)
    return count_shares(chain.from_iterable(measured))


def nothing(*_: Any) -> dict:
    """Return what only hi_tom has: problems have one reading, and no rules that are searched for."""
    return {}


published_questions = published_audited_problems
readings = searched = drawings = apart = tables_apart = published_figures = nothing
