"""Tables of the audit in Markdown: of rules, and of how often they are right; and how tables get onto a page."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence

from ..markdown import markdown_table
from .figures import published_depth, published_table
from .gates import DEEP_GATES, GATES, spell_gate
from .problems import ORDER_RULES, PLAIN_RULES
from .rules import Gate, Rule
from .search import Searched
from .shares import Table
from .stories import NESTED_RULES
from .stories import RULES as STORY_RULES

END = "<!-- end of table -->"  # the line after a table; the line before it is its `marker`


def render_table(table: Table, gates: Mapping[str, Gate] | None = None, first: Iterable[str] = ()) -> str:
    """Return a table in Markdown; each cell has per cent right and its interval. Chance has a row where there is any.

    gates: fill a column, if given. first: the rules that come first, if they are in the table.
    """
    present = dict.fromkeys(rule for shares in table.values() for rule in shares)
    rules = dict.fromkeys(rule for rule in [*first, *present] if rule in present)
    some_shares = [next(iter(shares.values()), None) for shares in table.values()]  # one of each group, for its rows
    lines = [["rows", *(f"{share.total:,}" if share else "" for share in some_shares)]]
    if all(share.chance for share in some_shares if share):
        lines.append(["chance", *(f"{100 * share.chance:.1f}" if share else "" for share in some_shares)])
    lines += [[rule, *(str(shares.get(rule, "")) for shares in table.values())] for rule in rules]
    header = ["", *table]
    if gates is not None:
        header.insert(1, "gate")
        for line in lines:
            line.insert(1, spell_gate(gates[line[0]]) if line[0] in gates else "")
    return markdown_table(header, lines)


def side_by_side(ours: Table, published: Table, gates: Mapping[str, Gate], first: Iterable[str] = ()) -> str:
    """Return the table of our groups in Markdown, with gates. A published group stands beside ours of the same name.

    published: groups are not said to be ours where this is empty. first: as for `render_table`.
    """
    columns: Table = {}
    for group, shares in ours.items():
        columns[f"{group}: ours" if published else group] = shares
        if group in published:
            columns[f"{group}: published"] = published[group]
    return render_table(columns, gates, first=first)


def marker(table: str) -> str:
    """Return the line before a table."""
    return f"<!-- table: {table} -->"


def rule_tables() -> dict[str, str]:
    """Return the tables of docs/why/audit.md in Markdown by name: each rule, its gates, and its answer."""

    def table(rules: Sequence[Rule], gates: Mapping[str, Callable[[Rule], str]]) -> str:
        rows = [[f"*{rule.name}*", *(cell(rule) for cell in gates.values()), rule.about] for rule in rules]
        return markdown_table(["rule", *gates, "what it answers"], rows, left=len(gates) + 2)

    def gate(rule: Rule) -> str:
        return spell_gate(rule.gate) if rule.gate else ""

    def deep(rule: Rule) -> str:
        return spell_gate(rule.deep) if rule.deep else ""

    def since(rule: Rule) -> str:
        return str(rule.since) if rule.deep else ""

    return {
        "rules about stories": table(STORY_RULES, {"gate": gate}),
        "rules about deep questions": table(NESTED_RULES, {"gate": deep, "from order": since}),
        "rules about problems": table(PLAIN_RULES, {"gate": gate, "gate in `deep`": deep}),
        "rules about order blocks": table(ORDER_RULES, {"gate": deep}),
    }


def page_tables(
    dataset: str, gates: Mapping[str, Gate], measured: Mapping[str, Table], found: Searched
) -> dict[str, str]:
    """Return the tables of a dataset in Markdown, by their names on the page; what is empty has none.

    measured: `gated`, the table with these gates; `shown`, that of the other configs; `spoken`, that of other
    languages; `deep`, how deep the questions of deep stories are; and `readings`, how often each reading differs.
    found: the rules of a search.
    """
    name, nested = DEEP_GATES[dataset], [rule.name for rule in NESTED_RULES]
    gated, shown, spoken, deep, readings = map(measured.get, ("gated", "shown", "spoken", "deep", "readings"))
    tables = {
        dataset: side_by_side(gated, published_table(dataset), gates) if gated else "",
        f"{dataset}, not gated": render_table(shown) if shown else "",
        f"{dataset}, other languages": render_table(spoken, gates) if spoken else "",
        name: side_by_side(deep, published_depth(dataset), GATES[name], nested) if deep else "",
        "readings": render_table(readings) if readings else "",
        "rules found": found_table(found) if found else "",
    }
    return {name: table for name, table in tables.items() if table}


def found_table(found: Searched) -> str:
    """Return the rules that a search found in Markdown: how often they are right where learnt and where measured."""
    lines = [
        [group, str(length), str(rule), str(rule.learnt), str(rule.measured)]
        for group, rules in found.items()
        for length, rule in enumerate(rules, 1)
    ]
    return markdown_table(["", "features", "rule", "learnt", "measured"], lines, left=3)


def with_tables(page: str, tables: Mapping[str, str]) -> str:
    """Return a page with these tables between their markers; all else stays.

    Raises ValueError where the page lacks the markers of a table, or has them twice.
    """
    for name, table in tables.items():
        between = re.compile(rf"(?<=^{re.escape(marker(name))}\n)((?!<!--).)*(?=^{re.escape(END)}$)", re.M | re.S)
        places = [*between.finditer(page)]
        if len(places) != 1:
            raise ValueError(f"the page needs one line {marker(name)!r} for its table, and {END!r} after it")
        start, end = places[0].span()
        page = f"{page[:start]}\n{table}\n\n{page[end:]}"
    return page
