"""What several replies to each row give: how likely one of k of them is right, and how likely all k are.

pass@k is the unbiased estimator of Chen et al. (2021, section 2.1), pass^k that of tau-bench (Yao et al., 2024).
"""

from collections.abc import Sequence
from math import comb
from operator import attrgetter

from ..groups import grouped_by
from .items import Item
from .rates import Bootstrap, Chance, Table

SEVERAL = "several replies to each row"  # the title of the table


def pass_any(total: int, right: int, k: int) -> float:
    """Return how likely one of k replies is right, drawn from `total` of which `right` are: pass@k."""
    return 1 - comb(total - right, k) / comb(total, k)


def pass_all(total: int, right: int, k: int) -> float:
    """Return how likely all of k replies are right, drawn from `total` of which `right` are: pass^k."""
    return comb(right, k) / comb(total, k)


def chance_of_any(k: int) -> Chance:
    """Return how often one of k blind choices is right, as a function of the item."""
    return lambda item: 1 - (1 - item.chance) ** k


def chance_of_all(k: int) -> Chance:
    """Return how often all of k blind choices are right, as a function of the item."""
    return lambda item: item.chance**k


def sample_rates(replies: Sequence[Item], bootstrap: Bootstrap) -> Table:
    """Return pass@k and pass^k over the rows, for each k of `sizes`; all rows have equally many replies."""
    by_row = grouped_by(attrgetter("key"), replies).values()
    rows = [(some[0], len(some), sum(reply.right for reply in some)) for some in by_row]
    table: Table = {}
    for k in sizes(rows[0][1]):
        one_is = [(row, pass_any(total, right, k)) for row, total, right in rows]
        all_are = [(row, pass_all(total, right, k)) for row, total, right in rows]
        table[f"k = {k}"] = {
            "pass@k": bootstrap.rate(one_is, chance_of_any(k)),
            "pass^k": bootstrap.rate(all_are, chance_of_all(k)),
        }
    return table


def sizes(number: int) -> list[int]:
    """Return each k for a number of replies: the powers of two below it, and the number itself."""
    return [*(1 << power for power in range((number - 1).bit_length())), number]
