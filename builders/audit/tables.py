"""Own how shares are printed: Markdown tables, ours beside the published data."""

from collections.abc import Mapping

from builders.audit.gates import limits
from builders.audit.shares import Table


def render(table: Table, gates: Mapping[str, tuple[float, float]] | None = None) -> str:
    """Return a table in Markdown: a column for each group, a row for each rule, per cent right with its interval."""
    rules = dict.fromkeys(rule for shares in table.values() for rule in shares)
    any_of_each = [next(iter(shares.values()), None) for shares in table.values()]
    rows = [["rows", *(f"{share.total:,}" if share else "" for share in any_of_each)]]
    rows.append(["chance", *(f"{100 * share.chance:.1f}" if share else "" for share in any_of_each)])
    rows += [[rule, *(str(shares.get(rule, "")) for shares in table.values())] for rule in rules]
    rows.insert(0, ["", *table])
    if gates is not None:
        for row in rows:
            row.insert(1, "gate" if row is rows[0] else limits(gates[row[0]]) if row[0] in gates else "")
    rows.insert(1, ["---", *["---:"] * (len(rows[0]) - 1)])
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)


def side_by_side(ours: Table, published: Table, gates: Mapping[str, tuple[float, float]]) -> str:
    """Return the table of our groups in Markdown, each beside the published group of that name, with the gates."""
    columns: Table = {}
    for group, shares in ours.items():
        columns |= {f"{group}: ours": shares, f"{group}: published": published.get(group, {})}
    return render(columns, gates)
