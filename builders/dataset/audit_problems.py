"""Own what the audit asks of a mindgames build: its problems, and its gates."""

from builders.audit.gates import GATES, broken_gates
from builders.audit.problems import AuditedProblem
from builders.audit.rows import audited_problem
from builders.audit.shares import Table
from builders.errors import UserError, located
from builders.folder.build import Build


def problems_of(build: Build, file: str, columns: list[str], learn: bool) -> list[AuditedProblem]:
    """Return the problems of a file, grouped by setup; `learn` adds what a probe sees."""
    problems = []
    for row in build.rows(file, columns):
        with located(f"{build.folder / file}, row {row['index']}: "):
            problems.append(audited_problem(row, learn))
    return problems


def hold_setup_gates(gated: Table) -> None:
    """Print that the gates of every setup hold. Raises UserError where one is broken."""
    broken = broken_gates(gated, GATES["mindgames"])
    if broken:
        raise UserError("a gate is broken on the test split: " + "; ".join(broken))
    print("gates hold for every setup")
