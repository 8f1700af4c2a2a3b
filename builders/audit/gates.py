"""Own what could be guessed without reading: rules that name an answer from a glance, and the gates they must fail.

Both datasets: *majority* and *letter* always give the most common answer of the group, counted in the measured rows;
*TF-IDF* is a logistic regression on words and pairs of words; all rules of `METHODS` are fitted on other rows;
*probe* is the difficulty model's prediction.

Hi-ToM: a rule looks at the formal story and the chain; it has no guess where what it looks for is not there, and that
counts as wrong. Gated rules look only at places and claims; the others are shown beside them: *last but one* is the
last but one line that places or moves the thing, *their first move* the first move of it by an agent of the chain; and
in a story of one chapter without claims *first leaver*, *set of agents* and *one order lower* are nearly the semantics.
*question alone*, *story alone* and *TF-IDF* see the text as the probe does (see `difficulty`), and give the container
by its place among those that the text has.

MindGames: *hypothesis alone* and *premise alone* answer a text by its most common label elsewhere, *name announced* by
whether an announcement names somebody whom the hypothesis names, *sentence by sentence* counts which sentences came
with which label of which hypothesis; *TF-IDF* sees the names masked, *TF-IDF, names numbered* who is who; the other
rules forget what is announced, who sees what, or in what order it was said.
"""

from collections.abc import Mapping

from builders.audit.shares import Table

GATES = {
    "hi_tom": {
        **dict.fromkeys(("first", "last", "second", "most mentioned", "last claim"), (0, 0.38)),
        "letter": (0, 0.08),
    },
    "mindgames": {**dict.fromkeys(("hypothesis alone", "premise alone"), (0.47, 0.53)), "TF-IDF": (0, 0.55)},
    "deep": {
        "needs all its agents": (0.75, 1),
        "needs their order": (0.5, 1),
        **dict.fromkeys(("reality", "first agent alone", "last agent alone", "one order lower"), (0, 0.3)),
        "last that reached all": (0, 0.5),
    },
}
"""Between which shares a rule may be right, for each order from 1, for each setup, for each deep order from 2."""


GATED_STORIES = 240
"""Smaller test splits are measured, but chance alone could break a gate."""


def broken_gates(table: Table, gates: Mapping[str, tuple[float, float]]) -> list[str]:
    """Return one line for each gate that the table breaks."""
    return [
        f"{group}: {rule!r} is right on {100 * shares[rule].share:.1f} %, the gate is {limits((least, most))} %"
        for group, shares in table.items()
        for rule, (least, most) in gates.items()
        if rule in shares and not least <= shares[rule].share <= most
    ]


def limits(gate: tuple[float, float]) -> str:
    """Return how a gate is written, in per cent."""
    least, most = (f"{100 * limit:.0f}" for limit in gate)
    return f"{least} to {most}" if gate[0] else f"≤ {most}"
