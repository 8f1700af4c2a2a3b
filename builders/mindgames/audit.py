"""What the audit asks of a mindgames build: its problems, its order blocks, and its gates."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from itertools import chain
from typing import Any

from ..audit import gates, rounds
from ..audit.problems import AuditedProblem
from ..audit.rows import audited_problem, published_audited_problems
from ..audit.rules import outcomes_of_test
from ..audit.shares import Table, count_shares
from ..dataset import Audit
from ..errors import located
from ..folder.build import Build
from ..logic.config import DEEP, LADDER, ROUNDS
from ..logic.setups import ORDERED_SETUPS
from ..proof.left_out import LeftOut
from ..splits import split_file
from ..work import spread

PROBLEMS = "test problems"  # what the gates count

RUNGS = "rungs together"  # the group of the ladder that has gates: one rung has too few problems for a gate


class MindGamesAudit(Audit):
    """Say what can be guessed of problems: by setups, and of order blocks."""

    pooled = True
    measured_apart = (DEEP.name, LADDER.name, ROUNDS.name)

    def published_questions(self, rows: Iterable[tuple[str, Any]], left_out: LeftOut) -> Iterator[AuditedProblem]:
        return published_audited_problems(rows, left_out)

    def questions(self, build: Build, file: str, learn: bool, setup: str | None = None) -> list[AuditedProblem]:
        """Return the problems of a file, or those of one setup, by setup or rung; `learn` adds what a probe sees."""
        problems = []
        for row in build.rows(file):
            if setup in (None, row["setup"]):
                with located(f"{build.folder / file}, row {row['index']}: "):
                    problems.append(audited_problem(row, learn))
        return problems

    def depth(self, build: Build, learn: bool, processes: int) -> Table:
        """Measure all rules on the order blocks in the test splits of deep and of the ladder.

        Groups are setups of deep, the rungs, and these together. learn: whether to measure the rules that learn from
        whole texts too. Where there is a train split to learn from, each setup is measured by itself, by any of the
        processes.
        """
        setups = ORDERED_SETUPS if split_file(DEEP.name, "train") in build.files else [None]
        asked = [(LADDER.name, None), *((DEEP.name, setup) for setup in setups)]
        there = [(config, setup) for config, setup in asked if split_file(config, "test") in build.files]
        tasks = [(partial(self.questions, setup=setup), build, config, learn) for config, setup in there]
        measured = spread(outcomes_of_test, tasks, processes, "measuring order blocks", "setup", delay=0)
        outcomes = [*chain.from_iterable(measured)]
        return count_shares(
            outcomes + [replace(row, group=RUNGS) for row in outcomes if row.group not in ORDERED_SETUPS]
        )

    def apart(self, build: Build) -> dict[str, Table]:
        """Measure what can be guessed of the test puzzles in rounds."""
        file = split_file(ROUNDS.name, "test")
        return {ROUNDS.name: rounds.measured(build.rows(file))} if file in build.files else {}

    def tables_apart(self, measured: Mapping[str, Table]) -> dict[str, str]:
        """Return the tables of `apart` in Markdown, without those of no rows."""
        return {config: rounds.rendered(table) for config, table in measured.items() if table}

    def hold_gates(self, build: Build, gated: Table, deep: Table, measured: Mapping[str, Any]) -> None:
        """Print that the gates of setups, order blocks and the ladder hold. Raises UserError where one is broken."""
        gates.hold(gated, dict.fromkeys(gated, gates.GATES["mindgames"]), "", "every setup", rows=PROBLEMS)
        by_group = {group: gates.order_gates(group) for group in deep}
        for config, groups, held in ((DEEP, ORDERED_SETUPS, "every setup"), (LADDER, [RUNGS], "its rungs together")):
            own = {group: shares for group, shares in deep.items() if group in groups}
            gates.hold(own, by_group, config.name, held, gates.GATED_PROBLEMS, PROBLEMS)
        for name, table in measured.items():
            gates.hold(table, gates.gates_by(table, rounds.gate_of), name, *rounds.HELD)
