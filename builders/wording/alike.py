"""Names that a reader could take for one another; no two of them stand in one text."""

import re
from functools import cache

DRAWS = 10_000  # names drawn for one story or one person before the lexicon is called too small


def too_few_names(n: int) -> ValueError:
    """Return the error of a lexicon that has too few names to tell n people apart."""
    return ValueError(f"the lexicon has too few first names for {n} people: no two may be alike")


def alike(name: str, other: str) -> bool:
    """Return whether a reader could take two names for one.

    So it is where one begins with the other, where they differ by one letter (put in, left out or another), and where
    they sound alike.
    """
    if name.startswith(other) or other.startswith(name) or sound(name) == sound(other):
        return True
    place = next(i for i, (letter, theirs) in enumerate(zip(name, other, strict=False)) if letter != theirs)
    return any(name[place + i :] == other[place + k :] for i, k in ((0, 1), (1, 0), (1, 1)))


# Letters of names that sound alike, as they are replaced in turn: of the vowels one stays, where a name begins.
SOUNDS = (
    ("gh", ""), ("ph|v", "f"), ("th", "t"), ("ch(?=[lr])", "k"), ("sch|sh|ch|c(?=[eiy])|z", "s"), ("ck|c|q", "k"),
    ("x", "ks"), ("g(?=[eiy])", "j"), (r"(.)\1+", r"\1"), ("(?<=.)[aeiouyhw]", ""), ("^[aeiouy]", "a"),
)  # fmt: skip


@cache
def sound(name: str) -> str:
    """Return what a name has in common with all names that sound like it: roughly its consonants."""
    name = name.lower()
    for letters, sounds in SOUNDS:
        name = re.sub(letters, sounds, name)
    return name
