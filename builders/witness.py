"""What searches found, kept so that what was found once need not be searched again.

To draw a story or a block takes many tries that fail. A *witness* holds what stood at last, as integers. Whoever draws
the same again takes it from there, checks that it stands, and searches where it does not. Labels, interpretations and
least numbers of acts are computed anew all the same: nothing that is published rests on a witness.
"""

import contextlib
import json
from collections.abc import Callable, Iterator, Mapping
from contextvars import ContextVar
from types import MappingProxyType
from typing import Any, NamedTuple, TypeVar

Drawn = TypeVar("Drawn")

Kept = Mapping[str, str]  # what was found, as JSON, by the name of what was searched


class UnfitError(ValueError):
    """Say why what a witness has does not stand."""


class Found(NamedTuple):
    """Hold what searches found, and what was known of them and does not stand."""

    kept: dict[str, str]
    unfit: list[str]  # the names of what does not stand


class Witnesses:
    """Hold what a build knows of earlier searches, and take what it finds, by `section` of its configs."""

    def __init__(self, known: Mapping[str, Kept] = MappingProxyType({})) -> None:
        self._known = known
        self.found: dict[str, dict[str, str]] = {}
        self.unfit = 0  # how much of what is known does not stand

    def known(self, section: str) -> Kept:
        """Return what is known of a section."""
        return self._known.get(section, {})

    def take(self, section: str, found: Found) -> None:
        """Take what was found for a section."""
        self.found.setdefault(section, {}).update(found.kept)
        self.unfit += len(found.unfit)

    def differing(self, known: "Witnesses") -> list[tuple[str, str]]:
        """Return the (section, name) of what others know, and these found otherwise."""
        pairs = [(section, name) for section, found in self.found.items() for name in found]
        return [
            (section, name)
            for section, name in pairs
            if name in known.known(section) and not begins(known.known(section)[name], self.found[section][name])
        ]

    def news(self, known: "Witnesses") -> bool:
        """Return whether these found something that others do not know, or know wrongly."""
        return self.unfit > 0 or any(
            not known.known(section).keys() >= found.keys() for section, found in self.found.items()
        )


def tupled(value: Any) -> Any:
    """Return what was read from JSON with tuples for lists."""
    return tuple([tupled(part) if type(part) is list else part for part in value]) if type(value) is list else value


def begins(known: str, found: str) -> bool:
    """Return whether what is known begins with what was found: a longer split may have been searched."""
    if known == found:
        return True
    longer, shorter = json.loads(known), json.loads(found)
    return isinstance(longer, dict) and all(longer[split][: len(units)] == units for split, units in shorter.items())


_ASKED: ContextVar[tuple[Kept, Found] | None] = ContextVar("witness", default=None)


def recorded(known: Kept, work: Callable[..., Drawn], *arguments: Any) -> tuple[Drawn, Found]:
    """Return what some work gives whose searches ask the witness that knows this, and what they found."""
    found = Found({}, [])
    with _asking((known, found)):
        return work(*arguments), found


@contextlib.contextmanager
def _asking(witness: tuple[Kept, Found] | None) -> Iterator[None]:
    """Let searches ask a witness, or none, until the end of a block."""
    token = _ASKED.set(witness)
    try:
        yield
    finally:
        _ASKED.reset(token)


def searched(
    name: str, search: Callable[[], Drawn], spell: Callable[[Drawn], Any], read: Callable[[Any], Drawn]
) -> Drawn:
    """Return what a search finds, or what the witness that is asked knows of it, where that stands.

    name: names what is searched, among all that the witness is asked about. spell: returns what JSON can hold of what
    was found. read: returns what was found, given that; raises UnfitError where it does not stand.
    """
    witness = _ASKED.get()
    if witness is None:
        return search()
    known, found = witness
    if name in known:
        try:
            drawn = read(json.loads(known[name]))
        except (ValueError, LookupError, TypeError, AttributeError):  # UnfitError, and all that a strange entry causes
            found.unfit.append(name)
        else:
            found.kept[name] = known[name]
            return drawn
    with _asking(None):  # what a search draws on its way is not kept
        drawn = search()
    found.kept[name] = json.dumps(spell(drawn), separators=(",", ":"))
    return drawn
