"""How the tables of a build are written into docs/audit.md, each between its markers."""

import re
from collections.abc import Mapping

from .figures import published_depth, published_table
from .gates import DEEP_GATES, GATES
from .shares import Table
from .tables import render_table, side_by_side

END = "<!-- end of table -->"
"""The line after a table; the line before it is its `marker`."""


def marker(table: str) -> str:
    """Return the line before a table."""
    return f"<!-- table: {table} -->"


def page_tables(
    dataset: str, gates: Mapping[str, tuple[float, float]], gated: Table, shown: Table, deep: Table, readings: Table
) -> dict[str, str]:
    """Return the tables of a dataset in Markdown, by their names on the page.

    gated: the table with these gates. shown: the table of the other configs. deep: how deep the questions of deep
    stories are. readings: how often each reading differs. The last three may be empty.
    """
    tables = {dataset: side_by_side(gated, published_table(dataset), gates)}
    if shown:
        tables[f"{dataset}, not gated"] = render_table(shown)
    if deep:
        name = DEEP_GATES[dataset]
        published = published_depth() if dataset == "hi_tom" else {}
        tables[name] = side_by_side(deep, published, GATES[name]) if published else render_table(deep, GATES[name])
    if readings:
        tables["readings"] = render_table(readings, guessed=False)
    return tables


def with_tables(page: str, tables: Mapping[str, str]) -> str:
    """Return a page with these tables between their markers; all else stays.

    Raises ValueError where the page lacks the markers of a table, or has them twice.
    """
    for name, table in tables.items():
        between = re.compile(rf"(?<=^{re.escape(marker(name))}\n)((?!<!--).)*(?=^{re.escape(END)}$)", re.M | re.S)
        if len(between.findall(page)) != 1:
            raise ValueError(f"the page needs one line {marker(name)!r}, and {END!r} after it")
        page = between.sub(lambda _, table=table: f"\n{table}\n\n", page)
    return page
