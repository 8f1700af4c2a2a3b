"""What the audit asks of a mindgames build: its problems, its order blocks, and its gates."""

from collections.abc import Iterable
from itertools import chain

from ..audit import gates
from ..audit.problems import AuditedProblem
from ..audit.rows import audited_problem, published_audited_problems
from ..audit.rules import outcomes_of_test
from ..audit.search import Searched
from ..audit.shares import Table, count_shares
from ..columns import Row
from ..errors import located
from ..files import Drawing
from ..folder.build import Build
from ..logic.config import DEEP
from ..proof.left_out import LeftOut
from ..work import steps

POOLED = True
"""Whether the audit counts all groups as one more."""

DEEP_ABOUT = "Order blocks: per cent of the test rows of deep that a rule answers right, or that need what it says."
"""What the table of config deep shows."""

MEASURED_APART = ("deep",)
"""The configs of which that table has all rules."""


def questions(build: Build, file: str, learn: bool) -> list[AuditedProblem]:
    """Return the problems of a file, grouped by setup; `learn` adds what a probe sees."""
    problems = []
    for row in build.rows(file):
        with located(f"{build.folder / file}, row {row['index']}: "):
            problems.append(audited_problem(row, learn))
    return problems


def hold_gates(build: Build, gated: Table, deep: Table) -> None:
    """Print that the gates of setups and of order blocks hold. Raises UserError where one is broken."""
    if gated:
        gates.hold(gates.broken_gates(gated, gates.GATES["mindgames"]), "the test split")
        print("gates hold for every setup")
    hold_order_gates(deep)


def depth(build: Build, learn: bool) -> Table:
    """Measure all rules on the order blocks in the test split of deep; return {} where there are none.

    learn: whether to measure the rules that learn from whole texts too.
    """
    configs = [DEEP.name] if f"{DEEP.name}/test.parquet" in build.files else []
    measured = [outcomes_of_test(questions, build, name, learn) for name in steps(configs, "measuring order blocks")]
    return count_shares(chain.from_iterable(measured))


def hold_order_gates(shares: Table) -> None:
    """Print that the gates of order blocks hold in every setup. Raises UserError where one is broken."""
    if shares and gates.are_enough(shares, gates.GATED_PROBLEMS, "test problems", "order blocks, "):
        broken = [gates.broken_gates({setup: own}, gates.order_gates(setup)) for setup, own in shares.items()]
        gates.hold([*chain.from_iterable(broken)], "the test split of deep")
        print(f"order blocks: gates hold for every setup, on {gates.smallest(shares)} test problems each")


def readings(build: Build) -> Table:
    """Return an empty table: what a premise says can be read in one way only."""
    return {}


def searched(build: Build) -> Searched:
    """Return no rules: those of problems are not searched."""
    return {}


def drawings(build: Build, heading: str, found: Searched) -> dict[str, Drawing]:
    """Return the pictures that only mindgames has: none."""
    return {}


def published_questions(rows: Iterable[tuple[str, Row]], left_out: LeftOut) -> list[AuditedProblem]:
    """Return the problems of published rows, each given with its place in its file.

    Rows that cannot be read go to `left_out`. Raises UserError where no row can be read.
    """
    return published_audited_problems(rows, left_out)


def published_figures(questions: list[AuditedProblem]) -> Row:
    """Return what the audit records of published data besides the table: nothing."""
    return {}


def tables_apart(build: Build) -> dict[str, str]:
    """Return tables in Markdown that stand alone: there are none."""
    return {}
