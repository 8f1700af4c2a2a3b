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

# What was counted besides: how many questions of Hi-ToM CoTP need all their agents, and how often the rules that
# `search` finds in version 2 are right.
#
# These are stories of its config deep, seed 0: learnt from the first 160 of train, measured on the first 120 of test. A
# test searches them again.
COUNTED = Path(__file__).with_name("counted.json")

_COTP = " (CoTP)"


def recorded_table(dataset: str) -> Table:
    """Return all that was measured on the published data of a dataset."""
    return table_of_json(_read(FIGURES)[dataset]["groups"])


def published_table(dataset: str) -> Table:
    """Return the published table that stands beside ours, its groups named as our groups are."""
    return {group.removesuffix(_COTP): shares for group, shares in recorded_table(dataset).items()}


def published_positions() -> dict[str, dict[str, list[int]]]:
    """Return where the answers of the published Hi-ToM data stand (see `stories.count_positions`)."""
    return {group.removesuffix(_COTP): counts for group, counts in _read(FIGURES)["hi_tom"]["positions"].items()}


def published_depth(dataset: str) -> Table:
    """Return what is known of the published data of a dataset about `stories.depth_outcomes`."""
    return table_of_json(_read(COUNTED)[dataset])


def found_in_version_2() -> dict[str, list[Share]]:
    """Return by order how often the rules that `search` finds in version 2 are right, the shortest first."""
    return {group: [*shares.values()] for group, shares in table_of_json(_read(COUNTED)["version 2"]).items()}


def _read(file: Path) -> dict[str, Any]:
    """Return the content of a file of figures."""
    return json.loads(file.read_text(encoding="utf-8"))
