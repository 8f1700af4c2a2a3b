"""What readers that read nothing get: the best short rule of the audit, and the trained probe, from `audit.json`."""

import json
import re
from pathlib import Path
from typing import Any

from pyarrow.parquet import read_table

from results.tables import FIGURES, replace_lines
from tom_datasets.audit import rounds, woven
from tom_datasets.audit.shares import Share, table_of_json
from tom_datasets.audit.stories import BEST
from tom_datasets.splits import split_file
from tom_datasets.story.config import WOVEN

RULE, PROBE = "best short rule", "trained probe"
# Rules that a person could keep in mind and that hold no model of who knows what. docs/why/audit.md says what each one
# answers.
SHORT = {
    "hi_tom": (
        "letter", "first", "last", "second", "most mentioned", "last claim", "first leaver", "set of agents",
        "last but one", "their first move", "most in the text",
    ),
    "mindgames": (
        "majority", "hypothesis alone", "premise alone", "name announced", "sentence by sentence", "no announcements",
        "announced facts", "as if none saw", "as if all saw all", "first sentence", "last sentence", "first only",
        "last only",
    ),
}  # fmt: skip
# Of each data the tables of audit.json that have its groups, and what stands before the name of a group there.
WHERE = {
    "hi_tom all": (("gated", ""), ("shown", "")),
    "hi_tom deep": (("shown", "deep "),),
    "hi_tom ladder": (("shown", "ladder "),),
    "mindgames all": (("gated", ""),),
    "mindgames ladder": (("deep", ""),),
}


# What the audit measures of configs that `audit.json` leaves out, its rules that a person could keep in mind, and for
# some groups how they are called among the figures; each other group is left out.
APART = {
    "hi_tom woven": (
        woven.measured,
        tuple(rule for rule, gate in woven.GATES.items() if gate == woven.GATE and rule not in BEST),
        {f"{hops} hops": f"hops {hops}" for hops, *_ in WOVEN.rungs},
    ),
    "mindgames rounds": (rounds.measured, tuple(rounds.RULES), {rounds.BLOCKS: "all"}),
}


def measure(out: Path) -> None:
    """Put the figures of a build's audit in the place of older ones: by group, of the rule that is right most often."""
    files = {name: out / name / "audit.json" for name in SHORT}  # small builds have none
    audits = {name: json.loads(file.read_text(encoding="utf-8")) for name, file in files.items() if file.exists()}
    found: dict[str, list[dict[str, Any]]] = {RULE: [], PROBE: []}
    for data, places in WHERE.items():
        dataset = data.split()[0]
        for table, before in places if dataset in audits else ():
            for group, shares in table_of_json(audits[dataset][table]).items():
                name = group.removeprefix(before)
                of_rules = [rule for rule in SHORT[dataset] if rule in shares]
                ours = group.startswith(before) and (re.match(r"rung |\d", name) or data == "mindgames all")
                if ours and of_rules:
                    best = max(of_rules, key=lambda rule: shares[rule].share)
                    found[RULE].append(figure(shares[best], data, name) | {"rule": best})
                    if "probe" in shares:
                        found[PROBE].append(figure(shares["probe"], data, name))
    for data, (measured, rules, groups) in APART.items():
        dataset, config = data.split()
        if dataset not in audits:
            continue
        table = measured(read_table(out / dataset / split_file(config, "test")).to_pylist())
        for group, name in groups.items():
            shares = table[group]
            best = max((rule for rule in rules if rule in shares), key=lambda rule: shares[rule].share)
            found[RULE].append(figure(shares[best], data, name) | {"rule": best})
    for reader, figures in found.items() if audits else ():
        replace_lines(FIGURES, "reader", reader, figures)


def figure(share: Share, data: str, group: str) -> dict[str, Any]:
    """Return the figure of the share of a rule."""
    low, high = share.interval()
    bounds = {"share": round(share.share, 4), "low": round(low, 4), "high": round(high, 4)}
    return {"data": data, "group": group, **bounds, "right": share.right, "rows": share.total, "chance": share.chance}
