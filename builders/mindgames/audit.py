"""What the audit asks of a mindgames build: its problems, its order blocks, and its gates."""

from itertools import chain
from typing import Any

from ..audit import gates
from ..audit.problems import AuditedProblem
from ..audit.rows import audited_problem, published_audited_problems
from ..audit.rules import outcomes_of_test
from ..audit.shares import Table, count_shares
from ..errors import located
from ..folder.build import Build
from ..logic.config import DEEP
from ..work import steps

POOLED = True  # whether the audit counts all groups as one more

MEASURED_APART = ("deep",)  # the configs that the other tables leave out


def questions(build: Build, file: str, learn: bool) -> list[AuditedProblem]:
    """Return the problems of a file, grouped by setup; `learn` adds what a probe sees."""
    problems = []
    for row in build.rows(file):
        with located(f"{build.folder / file}, row {row['index']}: "):
            problems.append(audited_problem(row, learn))
    return problems


def hold_gates(build: Build, gated: Table, deep: Table, _: dict) -> None:
    """Print that the gates of setups and of order blocks hold. Raises UserError where one is broken."""
    if gates.hold(gated, dict.fromkeys(gated, gates.GATES["mindgames"]), "the test split"):
        print("gates hold for every setup")
    by_setup, least = {setup: gates.order_gates(setup) for setup in deep}, gates.GATED_PROBLEMS
    if gates.hold(deep, by_setup, "the test split of deep", "", least, "test problems", "order blocks, "):
        print(f"order blocks: gates hold for every setup, on {gates.smallest(deep)} test problems each")


def depth(build: Build, learn: bool) -> Table:
    """Measure all rules on the order blocks in the test split of deep; return {} where there are none.

    learn: whether to measure the rules that learn from whole texts too.
    """
    configs = [DEEP.name] if f"{DEEP.name}/test.parquet" in build.files else []
    measured = [outcomes_of_test(questions, build, name, learn) for name in steps(configs, "measuring order blocks")]
    return count_shares(chain.from_iterable(measured))


def nothing(*_: Any) -> dict:
    """Return what only hi_tom has: problems have one reading, and no rules that are searched for."""
    return {}


published_questions = published_audited_problems
readings = searched = drawings = apart = tables_apart = published_figures = nothing
