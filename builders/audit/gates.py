"""The gates: the shares between which a rule may be right on the test split, and how a broken gate is said."""

from collections.abc import Callable, Mapping
from typing import Any

from ..errors import UserError
from . import problems, stories
from .rules import Gate
from .shares import Share, Table, wilson

Gates = Mapping[str, Mapping[str, Gate]]  # the gate of each rule that has one, by group of a table

# The least and the most that each rule may be right.
#
# Gates of hi_tom hold for each order from 1, of mindgames for each setup. Gates of deep stories hold for each order
# from `Rule.since`. Gates of order blocks hold for each setup of mindgames' deep.
GATES: dict[str, dict[str, Gate]] = {
    "hi_tom": {rule.name: rule.gate for rule in stories.RULES if rule.gate},
    "mindgames": {rule.name: rule.gate for rule in problems.RULES if rule.gate},
    "order blocks": {rule.name: rule.deep for rule in problems.RULES if rule.deep},
    "deep": {rule.name: rule.deep for rule in stories.NESTED_RULES if rule.deep},
}

GATED_STORIES = 240  # the fewest test stories that are gated; on fewer, chance alone could break a gate

DEEP_GATES = {"hi_tom": "deep", "mindgames": "order blocks"}  # which of GATES hold for the config deep of each dataset

GATED_PROBLEMS = 800  # the fewest test problems of order blocks that are gated


def gates_of(dataset: str, default: Mapping[str, Any]) -> dict[str, Gate]:
    """Return the gates of a dataset, given the fields of a build's default config.

    The readings are ways to read the rules of `recursive`, so UNDISPUTED has no gate under other semantics.
    """
    recursive = default.get("semantics", "recursive") == "recursive"
    return {rule: gate for rule, gate in GATES[dataset].items() if recursive or rule != stories.UNDISPUTED}


def within_chance(share: Share) -> Gate:
    """Return the gate of a rule that must not be right more often than a blind choice may be by chance."""
    return 0, wilson(share.chance, share.total)[1]


def broken_gates(table: Table, gates: Gates) -> list[str]:
    """Return one line for each gate that the table breaks."""
    return [
        f"{group}: {rule!r} is right on {100 * shares[rule].share:.1f} %, the gate is {spell_gate((least, most))} %"
        for group, shares in table.items()
        for rule, (least, most) in gates[group].items()
        if rule in shares and not least <= shares[rule].share <= most
    ]


def gates_by(table: Table, gate_of: Callable[[str, str, Share], Gate | None]) -> Gates:
    """Return the gates of a table, given the gate of a rule in a group with its share, or None where it is shown."""
    return {
        group: {rule: gate for rule, share in shares.items() if (gate := gate_of(group, rule, share))}
        for group, shares in table.items()
    }


def order_gates(setup: str) -> dict[str, Gate]:
    """Return the gates of order blocks of a setup."""
    return GATES["order blocks"] | {rule.name: gate for rule in problems.RULES if (gate := rule.of_setups.get(setup))}


def nested_gates(order: int) -> dict[str, Gate]:
    """Return the gates of deep stories that hold for questions of an order and above."""
    later = {rule.name for rule in stories.NESTED_RULES if rule.since > order}
    return {rule: gate for rule, gate in GATES["deep"].items() if rule not in later}


MORE = "; build with another seed or more rows"  # what is advised where a gate is broken


def hold(
    table: Table, gates: Gates, config: str, held: str, least: int = 0, rows: str = "test stories", end: str = MORE
) -> bool:
    """Print that the gates of a table hold, or that a group of it has fewer than `least` rows; return which.

    config: whose test split the table is of, empty for the default one. held: for what the gates hold; without it
    nothing is printed. rows: what is counted. Raises UserError where a gate is broken; `end` ends its message.
    """
    fewest = min((share.total for shares in table.values() for share in shares.values()), default=0)
    counted, enough = f"{fewest} {rows}", fewest >= least
    if not enough and table:
        print(f"{config and f'{config}, '}not gated: {counted}, the gates need {least}")
    elif broken := broken_gates(table, gates):
        raise UserError(f"a gate is broken on the test split{config and f' of {config}'}: {'; '.join(broken)}{end}")
    elif table and held:
        print(f"{config and f'{config}: '}gates hold for {held}, on {counted}")
    return enough and bool(table)


def spell_gate(gate: Gate) -> str:
    """Return a gate as a table shows it, in per cent."""
    least, most = (f"{100 * limit:.0f}" for limit in gate)
    if not gate[0]:
        return f"≤ {most}"
    return most if least == most else f"{least} to {most}"
