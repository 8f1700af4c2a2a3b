"""The gates: the shares between which a rule may be right on the test split, and how a broken gate is said."""

from collections.abc import Mapping
from typing import Any

from .shares import Table

UNDISPUTED = "undisputed"
"""The rule that says whether all readings give the answer of a question (docs/readings.md)."""

GATES = {
    "hi_tom": {
        UNDISPUTED: (1, 1),
        **dict.fromkeys(("first", "last", "second", "most mentioned", "last claim"), (0, 0.38)),
        "letter": (0, 0.08),
    },
    "mindgames": {**dict.fromkeys(("hypothesis alone", "premise alone"), (0.47, 0.53)), "TF-IDF": (0, 0.55)},
    "order blocks": {
        **dict.fromkeys(
            ("majority", "hypothesis alone", "premise alone", "TF-IDF", "TF-IDF, names numbered", "name announced"),
            (0.47, 0.53),
        ),
        **dict.fromkeys(("sentence by sentence", "set of sentences", "no announcements"), (0.47, 0.53)),
        **dict.fromkeys(("announced facts", "all at once", "as if all saw all"), (0.47, 0.53)),
        "first sentence": (0, 0.55),
        **dict.fromkeys(("last sentence", "ordered pairs"), (0, 0.58)),
        "placed sentences": (0, 0.62),
        **dict.fromkeys(("as if none saw", "first only", "last only", "inner part"), (0, 0.55)),
        **dict.fromkeys(("first two", "last two", "agents swapped"), (0, 0.65)),
        **dict.fromkeys(("all but the first", "all but the last"), (0, 0.7)),
        "needs two": (0.45, 1),
        "needs three": (0.18, 1),
        "order matters": (1, 1),
    },
    "deep": {
        UNDISPUTED: (0.6, 1),
        "needs all its agents": (0.75, 1),
        "needs their order": (0.5, 1),
        **dict.fromkeys(("reality", "first agent alone", "last agent alone", "one order lower"), (0, 0.3)),
        "last that reached all": (0, 0.5),
        "trust aside": (0, 0.65),
        "last two swapped": (0, 0.6),
    },
}
"""The least and the most that each rule may be right.

Gates of hi_tom hold for each order from 1, of mindgames for each setup. Gates of deep stories hold for each order from
2, and UNDISPUTED for order 1 too. Gates of order blocks hold for each setup of mindgames' deep.
"""

GATED_STORIES = 240
"""The fewest test stories that are gated; on fewer, chance alone could break a gate."""

DEEP_GATES = {"hi_tom": "deep", "mindgames": "order blocks"}
"""Which of GATES hold for the config deep of each dataset."""

GATED_PROBLEMS = 800
"""The fewest test problems of order blocks that are gated."""


def gates_of(dataset: str, default: Mapping[str, Any]) -> dict[str, tuple[float, float]]:
    """Return the gates of a dataset, given the fields of a build's default config.

    The readings are ways to read the rules of `recursive`, so UNDISPUTED has no gate under other semantics.
    """
    recursive = default.get("semantics", "recursive") == "recursive"
    return {rule: gate for rule, gate in GATES[dataset].items() if recursive or rule != UNDISPUTED}


def broken_gates(table: Table, gates: Mapping[str, tuple[float, float]]) -> list[str]:
    """Return one line for each gate that the table breaks."""
    return [
        f"{group}: {rule!r} is right on {100 * shares[rule].share:.1f} %, the gate is {spell_gate((least, most))} %"
        for group, shares in table.items()
        for rule, (least, most) in gates.items()
        if rule in shares and not least <= shares[rule].share <= most
    ]


def spell_gate(gate: tuple[float, float]) -> str:
    """Return a gate as a table shows it, in per cent."""
    least, most = (f"{100 * limit:.0f}" for limit in gate)
    if not gate[0]:
        return f"≤ {most}"
    if least == most:
        return most
    return f"{least} to {most}"
