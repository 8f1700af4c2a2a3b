"""The one spelling of a Markdown table."""

from collections.abc import Iterable, Sequence


def markdown_table(header: Sequence[str], rows: Iterable[Sequence[str]], left: int = 1) -> str:
    """Return a Markdown table: the first `left` columns aligned left, the others right.

    All cells are texts, as many in each row as in the header. The result has no line break at its end.
    """
    alignment = ["---"] * left + ["---:"] * (len(header) - left)
    return "\n".join(f"| {' | '.join(cells)} |" for cells in (header, alignment, *rows))
