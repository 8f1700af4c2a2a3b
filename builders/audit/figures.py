"""The published figures: what the audit measured on the published data, recorded in `published.json`.

They stand beside ours in tables and pictures. Of Hi-ToM that is the CoTP release: its labels mostly follow from the
text (see `reread`), and with both releases together every question would count twice.
"""

import json
from pathlib import Path
from typing import Any

from .shares import Share, Table, table_of_json

# What `python -m tom_datasets audit FILE... --record` measured on the published data.
FIGURES = Path(__file__).with_name("published.json")

# How many of the 120 questions of each order of the published data, of Hi-ToM CoTP, need all their agents.
DEEP_QUESTIONS = {"hi_tom": {"1st_order": 54, "2nd_order": 21, "3rd_order": 1, "4th_order": 0}, "mindgames": {}}

# Of 120 questions of each order, the right answers of the rules of 1 to 4 features that `search` finds in version 2.
#
# That is the config deep of version 2.0, seed 0: learnt from the first 160 stories of train, measured on the first 120
# of test. A test searches them again.
FOUND_IN_VERSION_2 = {
    "2nd_order": (63, 118, 119, 119),
    "3rd_order": (49, 99, 120, 120),
    "4th_order": (46, 89, 118, 118),
}

_COTP = " (CoTP)"


def recorded_table(dataset: str) -> Table:
    """Return all that was measured on the published data of a dataset."""
    return table_of_json(_recorded(dataset)["groups"])


def published_table(dataset: str) -> Table:
    """Return the published table that stands beside ours, its groups named as our groups are."""
    return {group.removesuffix(_COTP): shares for group, shares in recorded_table(dataset).items()}


def published_positions() -> dict[str, dict[str, list[int]]]:
    """Return where the answers of the published Hi-ToM data stand (see `stories.count_positions`)."""
    return {group.removesuffix(_COTP): counts for group, counts in _recorded("hi_tom")["positions"].items()}


def published_depth(dataset: str) -> Table:
    """Return what is known of the published data of a dataset about `stories.depth_outcomes`."""
    counts = DEEP_QUESTIONS[dataset]
    return {group: {"needs all its agents": Share(count, 120, 1 / 15)} for group, count in counts.items()}


def found_in_version_2() -> dict[str, list[Share]]:
    """Return by order how often the rules that `search` finds in version 2 are right, the shortest first."""
    return {group: [Share(right, 120, 1 / 8) for right in counts] for group, counts in FOUND_IN_VERSION_2.items()}


def _recorded(dataset: str) -> dict[str, Any]:
    """Return the record of a dataset."""
    return json.loads(FIGURES.read_text(encoding="utf-8"))[dataset]
