"""The one way in which things are put into groups."""

from collections.abc import Callable, Hashable, Iterable
from typing import TypeVar

Thing = TypeVar("Thing")
Key = TypeVar("Key", bound=Hashable)


def grouped_by(key: Callable[[Thing], Key], things: Iterable[Thing]) -> dict[Key, list[Thing]]:
    """Return the things of each key, in their order; the keys in the order in which they first come."""
    groups: dict[Key, list[Thing]] = {}
    for thing in things:
        groups.setdefault(key(thing), []).append(thing)
    return groups
