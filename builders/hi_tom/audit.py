"""What the audit asks of a hi_tom build: its questions, its gates, its depth, and where its answers stand."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from itertools import islice
from operator import attrgetter
from pathlib import Path
from string import ascii_uppercase
from typing import Any

from ..audit import abilities, gates, plans, woven
from ..audit.figures import published_positions
from ..audit.rows import audited_question, published_audited_questions
from ..audit.search import Searched, SearchQuestion, search
from ..audit.shares import Outcomes, Table, count_shares
from ..audit.stories import (
    N_LETTERS,
    NESTED_RULES,
    UNDISPUTED,
    AuditedQuestion,
    count_positions,
    depth_outcomes,
    readings_outcomes,
)
from ..columns import Row
from ..dataset import Audit
from ..errors import located
from ..files import Drawings
from ..folder.build import Build
from ..groups import grouped_by
from ..proof.left_out import LeftOut
from ..splits import LANGUAGE, split_file
from ..story.config import ABILITIES, DEEP, LADDER, PLANS, WOVEN, order_name
from ..story.meaning import SLOTS, facts_of
from ..work import steps

# The configs whose questions have rules, gates and a table of their own.
APART = {ABILITIES.name: abilities, PLANS.name: plans, WOVEN.name: woven}

# What the groups of the ladder that have gates begin with: one rung has too few questions for a gate.
ALL_RUNGS = "rungs from order "

LEARNT = 600  # from how many stories of train, at most, a search for rules learns

REMEDY = "; build with another seed or more stories"


class HiTomAudit(Audit):
    """Say what can be guessed of stories' questions: by orders, by rungs, and by kinds."""

    pooled = False  # the orders have different chances
    measured_apart = tuple(APART)

    def published_questions(self, rows: Iterable[tuple[str, Any]], left_out: LeftOut) -> Iterator[AuditedQuestion]:
        return published_audited_questions(rows, left_out)

    def questions(self, build: Build, file: str, learn: bool, most: int | None = None) -> list[AuditedQuestion]:
        """Return the questions of a file, grouped by order; an empty list if the file does not exist.

        learn: whether to add what rules that learn see. most: how many rows are read, from the first; None for all.
        """
        audited = []
        for row in islice(build.rows(file), most) if file in build.files else ():
            with located(f"{build.folder / file}, row {row['id']}: "):
                audited.append(audited_question(row, build.config_of(file)["semantics"], learn))
        return audited

    def depth(self, build: Build, learn: bool, processes: int) -> Table:
        """Measure how deep the test questions of deep and of the ladder are, from order 1; {} where there are none.

        Groups are orders, rungs, and rungs together, which leave out a rule that has no gate at the lowest of their
        orders. No rule here learns, and one process is enough.
        """
        outcomes = []
        for config in steps([config.name for config in (DEEP, LADDER)], "measuring depth"):
            for group, asked in by_group(self.questions(build, split_file(config, "test"), False)).items():
                outcomes += [Outcomes(group, question.chance, {}, depth_outcomes(question)) for question in asked]
        table, since = count_shares(outcomes), {rule.name: rule.since for rule in NESTED_RULES}
        for group in table:
            if group.startswith(ALL_RUNGS):
                order = lowest_order(group)
                table[group] = {rule: share for rule, share in table[group].items() if since[rule] <= order}
        return table

    def searched(self, build: Build) -> Searched:
        """Search for rules about the questions from order 2 of deep and of the ladder; print where there are too few.

        Rules are learnt from train, and measured on test. Without train they are learnt from every other question.
        """
        found = {}
        for config in (DEEP.name, LADDER.name):
            test, train = (split_file(config, split) for split in ("test", "train"))
            if test not in build.files:
                continue
            tested = nested_groups(self.questions(build, test, False))
            if train in build.files:
                rows = LEARNT * (build.request[config]["max_order"] + 1)
                learnt = nested_groups(self.questions(build, train, False, rows))
            else:
                learnt = {group: asked[::2] for group, asked in tested.items()}
                tested = {group: asked[1::2] for group, asked in tested.items()}
            least = min((len(asked) for group, asked in tested.items() if not group.startswith("rung ")), default=0)
            if least >= gates.GATED_STORIES:
                for group in steps(list(tested), f"searching rules of {config}"):
                    found[group] = search(learnt[group], tested[group])
            else:
                print(f"{config}, not searched for rules: {least} test stories, the gates need {gates.GATED_STORIES}")
        return found

    def readings(self, build: Build) -> Table:
        """Count how often each reading differs from the answers to test questions from order 1, for each config."""
        outcomes = []
        for file in build.distinct_tables:
            if Path(file).stem == "test" and not LANGUAGE.search(Path(file).parts[0]):
                config, rows = build.config_of(file)["name"], build.rows(file, ["order", "readings"])
                outcomes += [readings_outcomes(config, row["readings"]) for row in rows if row["order"]]
        table = count_shares(outcomes)
        return {config: table[config] for config in dict.fromkeys(outcome.group for outcome in outcomes)}

    def apart(self, build: Build) -> dict[str, Table]:
        """Measure what can be guessed of the test questions of each config APART, as learnt on train."""
        tables = {}
        for config, rules in APART.items():
            files = (split_file(config, split) for split in ("test", "train"))
            tables[config] = rules.measured(*(build.rows(file) if file in build.files else () for file in files))
        return tables

    def tables_apart(self, measured: Mapping[str, Table]) -> dict[str, str]:
        """Return the tables of `apart` in Markdown, without those of no rows."""
        return {config: APART[config].rendered(table) for config, table in measured.items() if table}

    def hold_gates(self, build: Build, gated: Table, deep: Table, measured: Mapping[str, Table]) -> None:
        """Print that all gates hold. Raises UserError where one is broken.

        gated: the orders from 1. deep: the orders of deep, and rungs of the ladder, whose gates hold together, from
        `Rule.since`. measured: tables of `apart`.
        """
        semantics, least, hold = build.default["semantics"], gates.GATED_STORIES, partial(gates.hold, end=REMEDY)
        of_default = dict.fromkeys(gated, gates.gates_of("hi_tom", build.default))
        if hold(gated, of_default, "", "every order from 1", least) and semantics != "recursive":
            print(
                f"{UNDISPUTED} is not gated: the answers follow {semantics} semantics, and the interpretations do not"
            )
        nested = {group: gates.nested_gates(lowest_order(group)) for group in deep}
        orders = {group: shares for group, shares in deep.items() if not group.startswith("rung")}
        rungs = {group: shares for group, shares in deep.items() if group.startswith(ALL_RUNGS)}
        hold(orders, nested, DEEP.name, "every order", least)
        hold(rungs, nested, LADDER.name, "its rungs together", least)
        for config, table in measured.items():
            hold(table, gates.gates_by(table, APART[config].gate_of), config, *APART[config].HELD)

    def drawings(self, build: Build, heading: str, found: Searched) -> Drawings:
        """Return the pictures that only hi_tom has.

        They show letters and places of the answers, ours beside the published ones, and how often the best found rules
        are right.
        """
        highest = max(config["max_order"] for config in build.request.values())
        audited = []
        for config in steps([*map(order_name, range(1, 1 + highest)), DEEP.name], "reading for pictures"):
            asked = self.questions(build, split_file(config, "test"), False)
            audited += [replace(question, group=config) for question in asked if question.chain]
        counted, published = count_positions(audited), published_positions()

        def panels(kind: str) -> dict[str, dict[str, list[int] | None]]:
            """Return for each group how many answers stand at each place, ours and published, None without any."""
            return {
                group: {"ours": counts[kind], "published": published.get(group, {}).get(kind)}
                for group, counts in counted.items()
            }

        by_length = {
            group: {str(length): rule.measured for length, rule in enumerate(rules, 1)}
            for group, rules in found.items()
            if "rung " not in group
        }
        by_letter = {
            group: by_series for group, by_series in panels("letters").items() if group != DEEP.name
        }  # 8 choices
        return {
            "letters": ("answer_positions", by_letter, ascii_uppercase[:N_LETTERS], 1 / N_LETTERS, heading),
            "places": ("answer_positions", panels("slots"), SLOTS, None, heading),
            "rules": ("curves", {"the best rules found": by_length}, "features of the rule", "right", heading),
        }

    def published_figures(self, questions: list[AuditedQuestion]) -> Row:
        """Return what the audit records of published data besides the table: where the answers stand."""
        return {"positions": count_positions(questions)}


def by_group(audited: Iterable[AuditedQuestion]) -> dict[str, list[AuditedQuestion]]:
    """Return the questions from order 1 by their order or rung, and those of several rungs together.

    There is a group of all rungs from order 2, and one from each higher order that has questions enough for a gate.
    """
    groups = grouped_by(attrgetter("group"), (question for question in audited if question.chain))
    rungs = [question for group in list(groups) if group.startswith("rung") for question in groups[group]]
    orders = sorted({len(question.chain) for question in rungs} - {1})
    for order in [2, *orders[1:-1]] if orders else []:
        pooled = [question for question in rungs if len(question.chain) >= order]
        if order == 2 or len(pooled) >= gates.GATED_STORIES:
            groups[f"{ALL_RUNGS}{order}"] = pooled
    return groups


def lowest_order(group: str) -> int:
    """Return the lowest order of the questions of a group, which its name says first."""
    return int(re.findall(r"\d+", group)[0])


def nested_groups(audited: Iterable[AuditedQuestion]) -> dict[str, list[SearchQuestion]]:
    """Return what a search sees of the questions from order 2, by order or rung, and of all such rungs together."""
    nested = by_group(question for question in audited if len(question.chain) > 1)
    return {
        group: [(facts_of(question.story, question.thing), question.chain, question.answer) for question in asked]
        for group, asked in nested.items()
        if not group.startswith(ALL_RUNGS) or lowest_order(group) == 2
    }
