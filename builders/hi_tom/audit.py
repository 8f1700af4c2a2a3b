"""What the audit asks of a hi_tom build: its questions, its gates, its depth, and where its answers stand."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from ..audit import gates
from ..audit.figures import published_positions
from ..audit.rows import audited_question, published_audited_questions
from ..audit.shares import Table
from ..audit.stories import N_LETTERS, UNDISPUTED, AuditedQuestion, count_positions, depth_table, readings_table
from ..columns import Row
from ..errors import located
from ..files import Drawing
from ..folder.build import Build
from ..proof.left_out import LeftOut
from ..splits import split_file
from ..story.config import DEEP, LADDER, order_name
from ..story.meaning import SLOTS
from ..work import steps
from .builder import FEATURES

POOLED = False
"""Whether the audit counts all groups as one more: no, as the orders have different chances."""

DEEP_ABOUT = "Deep stories: shares of their test questions in per cent, gated from order 2."
"""What the table of config deep shows."""

MEASURED_APART = ()
"""The configs of which that table has all rules."""

ALL_RUNGS = "rungs from order 2"
"""The group of the nested questions of the ladder, whatever their rung: one rung has too few for a gate."""

REMEDY = "; build with another seed or more stories"


def questions(build: Build, file: str, learn: bool) -> list[AuditedQuestion]:
    """Return the questions of a file, grouped by order; `learn` adds what rules that learn see."""
    semantics = build.config_of(file)["semantics"]
    audited = []
    for row in build.rows(file, FEATURES):
        with located(f"{build.folder / file}, row {row['id']}: "):
            audited.append(audited_question(row, semantics, learn))
    return audited


def depth(build: Build, learn: bool) -> Table:
    """Measure how deep the test questions of deep and of the ladder are, from order 1; return {} where there are none.

    Groups are orders, rungs, and all rungs from order 2. No rule here learns.
    """
    audited = []
    for config in steps([config.name for config in (DEEP, LADDER)], "measuring depth"):
        file = f"{config}/test.parquet"
        if file in build.files:
            nested = [question for question in questions(build, file, False) if question.chain]
            pooled = [question for question in nested if len(question.chain) > 1] if config == LADDER.name else []
            audited += nested + [replace(question, group=ALL_RUNGS) for question in pooled]
    return depth_table(audited)


def readings(build: Build) -> Table:
    """Count how often each reading differs from the answers to test questions from order 1, for each config."""
    differing: dict[str, list[list[str]]] = {}
    for file in build.distinct_tables:
        if Path(file).stem == "test":
            rows = build.rows(file, FEATURES, ["order", "readings"])
            differ = [row["readings"] for row in rows if row["order"]]
            differing.setdefault(build.config_of(file)["name"], []).extend(differ)
    return readings_table(differing)


def hold_gates(build: Build, gated: Table, deep: Table) -> None:
    """Print that the gates of orders and of deep stories hold. Raises UserError where one is broken."""
    hold_order_gates(gated, build.default)
    hold_depth_gates(deep)


def hold_order_gates(gated: Table, default: Mapping[str, Any]) -> None:
    """Print that the gates of every order from 1 hold. Raises UserError where one is broken.

    default: the fields of the build's default config.
    """
    if gated and gates.are_enough(gated, gates.GATED_STORIES, "test stories"):
        gates.hold(gated, gates.gates_of("hi_tom", default), "the test split", REMEDY)
        print(f"gates hold for every order from 1, on {gates.smallest(gated)} test stories")
        if default["semantics"] != "recursive":
            print(
                f"{UNDISPUTED} is not gated: the answers are by {default['semantics']} semantics, the readings are not"
            )


def hold_depth_gates(deep: Table) -> None:
    """Print that the gates of deep stories hold. Raises UserError where one is broken.

    They hold for deep from order 2, and for all rungs of the ladder from order 2 together. Of order 1 of deep only
    UNDISPUTED has a gate. Where some questions are disputed, the gates hold for the others too.
    """
    bounds = gates.GATES["deep"]
    first = {group: shares for group, shares in deep.items() if group == order_name(1)}
    if gates.smallest(first) >= gates.GATED_STORIES:
        undisputed = {rule: gate for rule, gate in bounds.items() if rule == UNDISPUTED}
        gates.hold(first, undisputed, "the test split of deep", REMEDY)
    nested = {group: shares for group, shares in deep.items() if not group.startswith((order_name(1), "rung"))}
    rungs = {group: shares for group, shares in deep.items() if group.startswith(ALL_RUNGS)}
    for table, config, groups in (
        (nested, "deep", "every order from 2"),
        (rungs, "ladder", "its rungs from order 2 together"),
    ):
        whole = {group: shares for group, shares in table.items() if not group.endswith(UNDISPUTED)}
        if whole and gates.are_enough(whole, gates.GATED_STORIES, "test stories", f"{config}, "):
            gates.hold(table, bounds, f"the test split of {config}", REMEDY)
            print(f"{config}: gates hold for {groups}, on {gates.smallest(whole)} test stories")


def drawings(build: Build, heading: str) -> dict[str, Drawing]:
    """Return the pictures that only hi_tom has: letters and places of the answers, ours beside the published ones."""
    from ..audit import pictures  # matplotlib is slow to import, and few commands draw

    highest = max(config["max_order"] for config in build.request.values())
    files = [split_file(order_name(order), "test") for order in range(1, 1 + highest)]
    audited = []
    for file in steps([file for file in files if file in build.files], "reading for pictures"):
        audited += questions(build, file, False)
    if (deep := f"{DEEP.name}/test.parquet") in build.files:
        nested = [question for question in questions(build, deep, False) if question.chain]
        audited += [replace(question, group=DEEP.name) for question in nested]
    ours, published = count_positions(audited), published_positions()

    def panels(kind: str, groups: Iterable[str]) -> dict[str, dict[str, list[float]]]:
        """Return for each group, ours and published, the share of the answers at each place."""
        return {
            group: {
                series: [count / sum(counts[group][kind]) for count in counts[group][kind]]
                for series, counts in (("ours", ours), ("published", published))
                if group in counts
            }
            for group in groups
        }

    letters = "ABCDEFGHIJKLMNO"
    by_letter = panels("letters", [group for group in ours if group != DEEP.name])  # 8 choices there
    return {
        "letters": lambda path: pictures.answer_positions(path, by_letter, letters, 1 / N_LETTERS, heading),
        "places": lambda path: pictures.answer_positions(path, panels("slots", ours), SLOTS, None, heading),
    }


def published_questions(rows: Iterable[tuple[str, Row]], left_out: LeftOut) -> list[AuditedQuestion]:
    """Return the questions of published rows, each given with its place in its file.

    Rows that cannot be read go to `left_out`. Raises UserError where no row can be read.
    """
    return published_audited_questions(rows, left_out)


def published_figures(questions: list[AuditedQuestion]) -> Row:
    """Return what the audit records of published data besides the table: where the answers stand."""
    return {"positions": count_positions(questions)}
