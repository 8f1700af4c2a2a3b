"""What the explorer knows of shortcuts: the share of each rule on the test splits, ours beside the published."""

import re
from collections.abc import Mapping
from typing import Any

from ..audit.shares import Share, Table, table_as_json
from ..builds.measured import compared, known_tables
from ..folder.build import Build

MEANING = re.compile(r"\*([^*|]+)\*: ([^|;]+?) *(?=[|;])")  # a rule of a card's tables, and what it does


def shortcut_record(build: Build, processes: int) -> dict[str, Any]:
    """Return the tables of a build as the audit measures them, and what its card says of each rule."""
    measured = known_tables(build, processes)
    tables = compared(build, measured) | {"shown": (measured["shown"], {}, {})}
    meanings: dict[str, str] = {}
    for rule, meaning in MEANING.findall((build.folder / "README.md").read_text(encoding="utf-8")):
        meanings.setdefault(rule, meaning)
    return {
        "tables": [{"name": name, "groups": group_records(*table)} for name, table in tables.items() if table[0]],
        "meanings": meanings,
    }


def group_records(ours: Table, published: Table, gates: Mapping[str, tuple[float, float]]) -> list[dict[str, Any]]:
    """Return the record of each group: its rows, its chance, and for each rule its gate and shares."""
    records = []
    for group, facts in table_as_json(ours).items():
        theirs, rules = published.get(group, {}), []
        for rule, share in ours[group].items():
            both = {"ours": share_record(share), "published": share_record(theirs.get(rule))}
            rules.append({"name": rule, **both, "gate": gates.get(rule)})
        records.append({"name": group, "rows": facts["rows"], "chance": round(facts["chance"], 4), "rules": rules})
    return records


def share_record(share: Share | None) -> list[float] | None:
    """Return a share as [share, low, high, rows], None where there is none."""
    if share is None:
        return None
    return [*(round(value, 4) for value in (share.share, *share.interval())), share.total]
