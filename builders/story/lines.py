"""A set of lines: the bits of an integer, asked by the numbers of the lines.

`meaning` has plain integers, as every rule is a few operations on them. Code that asks which line is the last of some,
or which come after it, takes a `LineSet`.
"""

from collections.abc import Iterable, Iterator

from .meaning import each


class LineSet:
    """Hold a set of lines; `bits` has bit n set where line n is in it."""

    __slots__ = ("bits",)

    def __init__(self, bits: int) -> None:
        self.bits = bits

    @classmethod
    def of(cls, lines: Iterable[int]) -> "LineSet":
        """Return the set of lines with these numbers, all different."""
        return cls(sum([1 << line for line in lines]))

    @property
    def last(self) -> int:
        """Return the last line, -1 where there is none."""
        return self.bits.bit_length() - 1

    def each(self) -> Iterator[int]:
        """Yield the lines, first to last."""
        return each(self.bits)

    def after(self, line: int) -> "LineSet":
        """Return the lines after a line; all of them after -1."""
        return LineSet(self.bits & -2 << line) if line >= 0 else self

    def before(self, line: int) -> "LineSet":
        """Return the lines before a line."""
        return LineSet(self.bits & (1 << line) - 1)

    def __contains__(self, line: int) -> bool:
        return self.bits >> line & 1 == 1

    def __and__(self, other: "LineSet") -> "LineSet":
        return LineSet(self.bits & other.bits)

    def __or__(self, other: "LineSet") -> "LineSet":
        return LineSet(self.bits | other.bits)

    def __sub__(self, other: "LineSet") -> "LineSet":
        return LineSet(self.bits & ~other.bits)

    def __len__(self) -> int:
        return self.bits.bit_count()

    def __bool__(self) -> bool:
        return self.bits != 0

    def __repr__(self) -> str:
        return f"LineSet.of({[*self.each()]})"


def union(sets: Iterable[LineSet]) -> LineSet:
    """Return the lines that some of these sets have."""
    bits = 0
    for lines in sets:
        bits |= lines.bits
    return LineSet(bits)
