"""Own randomness: a key goes in, a stream of random numbers of its own comes out.

The key is a string, so that streams never slide into one another as `seed + index` does, and every stream is the
same on every machine and in every Python from 3.11 to 3.13: only `random.Random(str)` and `.random()` are used,
since the algorithms behind `choice`, `sample` and `shuffle` are not promised to stay.
"""

from random import Random


class Stream(Random):
    """Draw from one named stream."""

    def below(self, n: int) -> int:
        """Return an integer from 0 to n - 1."""
        return int(self.random() * n)

    def draw(self, population, k: int) -> list:
        """Return k different members of a sequence, in random order."""
        pool = list(population)
        if k > len(pool):
            raise ValueError(f"{k} different ones of {len(pool)} were asked for")
        random = self.random
        for i in range(k):
            j = i + int(random() * (len(pool) - i))
            pool[i], pool[j] = pool[j], pool[i]
        return pool[:k]

    def shuffled(self, population) -> list:
        """Return all members of a sequence in random order."""
        pool = list(population)
        return self.draw(pool, len(pool))


def stream(*key: str | int) -> Stream:
    """Return the stream named by a key, such as ("hi_tom", seed, "test", index, "wording").

    Raises ValueError for a part that could make two keys look alike.
    """
    name = "/".join(map(str, key))
    if name.count("/") != len(key) - 1:
        raise ValueError(f"no part of a stream's key has a slash: {key}")
    return Stream(name)


def check_seed(seed: int) -> None:
    """Raise ValueError for a seed that is no integer of 64 bits, as its column has."""
    if not isinstance(seed, int) or isinstance(seed, bool):
        raise ValueError(f"seed is {seed!r}; it must be an integer")
    if not -(2**63) <= seed < 2**63:
        raise ValueError(f"seed is {seed}; it must fit 64 bits, as its column has")
