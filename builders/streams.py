"""Randomness: turn a key into a stream of random numbers that belongs to that key alone.

A key is a string such as "hi_tom/7/test/12/wording". So no two streams are alike; with `seed + index`, index 2 of seed
1 would be index 1 of seed 2. Every stream is the same on every machine and in Python 3.11 to 3.13. For that it uses
only `random.Random(str)` and `.random()`: Python may change the algorithms behind `choice`, `sample` and `shuffle`.
"""

from collections.abc import Iterable
from hashlib import sha256
from random import Random
from typing import TypeVar

Member = TypeVar("Member")


class Stream(Random):
    """Draw random numbers from one named stream."""

    def below(self, n: int) -> int:
        """Return an integer from 0 to n - 1."""
        return int(self.random() * n)

    def draw(self, population: Iterable[Member], k: int) -> list[Member]:
        """Return k different members of a sequence, in random order (the first k steps of a Fisher-Yates shuffle).

        Raises ValueError where the population has fewer than k members.
        """
        pool = list(population)
        n, random = len(pool), self.random
        if k > n:
            raise ValueError(f"cannot draw {k} different members from {n}; k must be at most {n}")
        for i in range(k):
            j = i + int(random() * (n - i))
            pool[i], pool[j] = pool[j], pool[i]
        return pool[:k]

    def shuffled(self, population: Iterable[Member]) -> list[Member]:
        """Return all members of a sequence in random order."""
        pool = list(population)
        return self.draw(pool, len(pool))


def stream(*key: str | int) -> Stream:
    """Return the stream named by a key, such as ("hi_tom", seed, "test", index, "wording").

    Raises ValueError for a part with a slash, which could make two keys look alike.
    """
    name = "/".join(map(str, key))
    if name.count("/") != len(key) - 1:
        raise ValueError(f"a part of a stream's key must not contain a slash: {key}")
    return Stream(name)


def derived_seed(*key: object) -> int:
    """Return the seed of 64 bits of a key, for a part that is drawn apart from all others."""
    return int.from_bytes(sha256(repr(key).encode()).digest()[:8], signed=True)


def check_seed(seed: int) -> None:
    """Raise ValueError for a seed that is not an integer of 64 bits, the type of the column `seed`."""
    if not isinstance(seed, int) or isinstance(seed, bool):
        raise ValueError(f"seed is {seed!r}; it must be an integer")
    if not -(2**63) <= seed < 2**63:
        raise ValueError(f"seed is {seed}; it must fit 64 bits, as its column has")
