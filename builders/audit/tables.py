"""How tables of shares are printed: a column for each group, a row for each rule."""

from collections.abc import Mapping

from ..markdown import markdown_table
from .gates import spell_gate
from .shares import Table


def render_table(table: Table, gates: Mapping[str, tuple[float, float]] | None = None, guessed: bool = True) -> str:
    """Return a table in Markdown; each cell has per cent right and its interval.

    gates: fill a column, if given. guessed: whether the rules guess, so that chance has a row.
    """
    rules = dict.fromkeys(rule for shares in table.values() for rule in shares)
    some_shares = [next(iter(shares.values()), None) for shares in table.values()]  # one of each group, for its rows
    lines = [["rows", *(f"{share.total:,}" if share else "" for share in some_shares)]]
    if guessed:
        lines.append(["chance", *(f"{100 * share.chance:.1f}" if share else "" for share in some_shares)])
    lines += [[rule, *(str(shares.get(rule, "")) for shares in table.values())] for rule in rules]
    header = ["", *table]
    if gates is not None:
        header.insert(1, "gate")
        for line in lines:
            line.insert(1, spell_gate(gates[line[0]]) if line[0] in gates else "")
    return markdown_table(header, lines)


def side_by_side(ours: Table, published: Table, gates: Mapping[str, tuple[float, float]]) -> str:
    """Return the table of our groups in Markdown, with gates. A published group stands beside ours of the same name."""
    columns: Table = {}
    for group, shares in ours.items():
        columns[f"{group}: ours"] = shares
        if group in published:
            columns[f"{group}: published"] = published[group]
    return render_table(columns, gates)
