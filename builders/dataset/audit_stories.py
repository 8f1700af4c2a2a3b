"""Own what the audit asks of a hi_tom build: its questions, its gates, its depth, and where its answers stand."""

from dataclasses import replace

from builders.audit import gates
from builders.audit.figures import published_positions
from builders.audit.gates import GATES, broken_gates
from builders.audit.rows import audited_question
from builders.audit.shares import Outcomes, Table, count_shares
from builders.audit.stories import AuditedQuestion, count_positions, depth_outcomes
from builders.dataset.build_pictures import heading_of
from builders.dataset.interface import Drawing
from builders.errors import UserError, located
from builders.folder.build import Build
from builders.story.config import ALL, DEEP, order_name
from builders.story.meaning import SLOTS
from builders.story.rows import file_of
from builders.work import steps


def questions_of(build: Build, file: str, columns: list[str], learn: bool) -> list[AuditedQuestion]:
    """Return the questions of a file, grouped by order; `learn` adds what rules that learn see."""
    semantics = build.config_of(file)["semantics"]
    questions = []
    for row in build.rows(file, columns):
        with located(f"{build.folder / file}, row {row['id']}: "):
            questions.append(audited_question(row, semantics, learn))
    return questions


def depth_of(build: Build, columns: list[str]) -> Table:
    """Measure how deep the test questions of config deep are, from order 1; return {} where there are none."""
    file = f"{DEEP.name}/test.parquet"
    if file not in build.files:
        return {}
    for _ in steps([DEEP.name], "measuring depth"):
        questions = [question for question in questions_of(build, file, columns, False) if question.chain]
        depth = [Outcomes(question.group, question.chance, {}, depth_outcomes(question)) for question in questions]
    return count_shares(depth)


def hold_order_gates(gated: Table) -> None:
    """Print that the gates of every order from 1 hold. Raises UserError where one is broken."""
    if are_gated(gated, ""):
        hold(gated, "hi_tom", "the test split")
        print(f"gates hold for every order from 1, on {smallest(gated)} test stories")


def hold_depth_gates(depth: Table) -> None:
    """Print that the gates of deep stories hold for every order from 2. Raises UserError where one is broken."""
    nested = {group: shares for group, shares in depth.items() if group != order_name(1)}
    if nested and are_gated(nested, "deep, "):
        hold(nested, "deep", "the test split of deep")
        print(f"deep: gates hold for every order from 2, on {smallest(nested)} test stories")


def smallest(table: Table) -> int:
    """Return the rows of the smallest group of a table."""
    return min((share.total for shares in table.values() for share in shares.values()), default=0)


def are_gated(table: Table, prefix: str) -> bool:
    """Return whether a table counts stories enough for the gates; print where it does not."""
    enough = smallest(table) >= gates.GATED_STORIES
    if not enough:
        print(f"{prefix}not gated: {smallest(table)} test stories, the gates need {gates.GATED_STORIES}")
    return enough


def hold(table: Table, gated: str, where: str) -> None:
    """Raise UserError where one of these gates is broken."""
    broken = broken_gates(table, GATES[gated])
    if broken:
        raise UserError(f"a gate is broken on {where}: {'; '.join(broken)}; build with another seed or more stories")


def position_drawings(build: Build, columns: list[str]) -> dict[str, Drawing]:
    """Return the pictures of the letters and places of the answers, ours beside the published ones."""
    from builders.audit import pictures  # matplotlib is slow to import, and few commands draw

    highest = max(config["max_order"] for config in build.request.values())
    files = [file_of(ALL, "test", order) for order in range(1, 1 + highest)]
    questions = []
    for file in steps([file for file in files if file in build.files], "reading for pictures"):
        questions += questions_of(build, file, columns, False)
    deep = f"{DEEP.name}/test.parquet"
    published = published_positions()
    ours = count_positions(questions)
    if deep in build.files:
        nested = [question for question in questions_of(build, deep, columns, False) if question.chain]
        ours |= count_positions(replace(question, group=DEEP.name) for question in nested)

    def panels(kind: str) -> dict[str, dict[str, list[float]]]:
        """Return for each group, ours and published, the share of the answers at each place."""
        return {
            group: {
                series: [count / sum(counts[group][kind]) for count in counts[group][kind]]
                for series, counts in (("ours", ours), ("published", published))
                if group in counts
            }
            for group in ours
        }

    letters, heading = "ABCDEFGHIJKLMNO", heading_of(build)
    by_letter = {group: shares for group, shares in panels("letters").items() if group != DEEP.name}  # 8 choices there
    return {
        "letters": lambda path: pictures.answer_positions(path, by_letter, letters, 1 / len(letters), heading),
        "places": lambda path: pictures.answer_positions(path, panels("slots"), SLOTS, None, heading),
    }
