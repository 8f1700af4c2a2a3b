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

# How many questions of the whole CoTP release, of which FIGURES has one half, need all their agents, by order. It has
# COTP_QUESTIONS of each order, with 15 choices each.
NEED_ALL_AGENTS = {"1st_order": 54, "2nd_order": 21, "3rd_order": 1, "4th_order": 0}
COTP_QUESTIONS, COTP_CHANCE = 120, 1 / 15

_COTP = " (CoTP)"


def recorded_table(dataset: str) -> Table:
    """Return all that was measured on the published data of a dataset."""
    return table_of_json(_recorded()[dataset]["groups"])


def published_table(dataset: str) -> Table:
    """Return the published table that stands beside ours, its groups named as our groups are."""
    return {group.removesuffix(_COTP): shares for group, shares in recorded_table(dataset).items()}


def published_positions() -> dict[str, dict[str, list[int]]]:
    """Return where the answers of the published Hi-ToM data stand (see `stories.count_positions`)."""
    return {group.removesuffix(_COTP): counts for group, counts in _recorded()["hi_tom"]["positions"].items()}


def published_depth(dataset: str) -> Table:
    """Return what is known of the published data of a dataset about `stories.depth_outcomes`."""
    counted = NEED_ALL_AGENTS if dataset == "hi_tom" else {}
    return {
        group: {"needs all its agents": Share(right, COTP_QUESTIONS, COTP_CHANCE)} for group, right in counted.items()
    }


def _recorded() -> dict[str, Any]:
    """Return the content of FIGURES."""
    recorded: dict[str, Any] = json.loads(FIGURES.read_text(encoding="utf-8"))
    return recorded
