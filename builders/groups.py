"""The one way in which things are put into groups, and in which groups are given their shares."""

from collections.abc import Callable, Hashable, Iterable, Sequence
from fractions import Fraction
from typing import TypeVar

Thing = TypeVar("Thing")
Key = TypeVar("Key", bound=Hashable)


def grouped_by(key: Callable[[Thing], Key], things: Iterable[Thing]) -> dict[Key, list[Thing]]:
    """Return the things of each key, in their order; the keys in the order in which they first come."""
    groups: dict[Key, list[Thing]] = {}
    for thing in things:
        groups.setdefault(key(thing), []).append(thing)
    return groups


def apportioned(size: int, weights: Sequence[float | Fraction]) -> list[int]:
    """Return how many of some things go to each weight; those left over go to the largest remainders, in their order.

    weights: numbers; of fractions remainders are exact.
    """
    exact = [weight * size / sum(weights) for weight in weights]
    counts = [int(share) for share in exact]
    for place in sorted(range(len(exact)), key=lambda place: counts[place] - exact[place])[: size - sum(counts)]:
        counts[place] += 1
    return counts
