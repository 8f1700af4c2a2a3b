"""Own what the audit asks of a mindgames build: its problems, and its gates."""

from builders.audit.gates import GATES, broken_gates
from builders.audit.problems import Posed
from builders.audit.shares import Table
from builders.difficulty.masking import of_row
from builders.errors import UserError, located
from builders.folder.build import Build
from builders.logic.formula import LABELS
from builders.proof import problems as proof_problems


def problems_of(build: Build, file: str, columns: list[str], fit: bool) -> list[Posed]:
    """Return the problems of a file, grouped by setup; where `fit`, with what rules learn from."""
    problems = []
    for row in build.rows(file, columns):
        with located(f"{build.folder / file}, row {row['index']}: "):
            problem = proof_problems.read(row)
            reading = of_row(row) if fit else None
        follows = row["label"] == LABELS[True]
        probes = {"probe": None if row["deberta_pred"] is None else row["deberta_pred"] == follows}
        problems.append(proof_problems.posed(row, problem, row["setup"], reading, probes))
    return problems


def hold_setup_gates(gated: Table) -> None:
    """Print that the gates of every setup hold. Raises UserError where one is broken."""
    broken = broken_gates(gated, GATES["mindgames"])
    if broken:
        raise UserError("a gate is broken on the test split: " + "; ".join(broken))
    print("gates hold for every setup")
