"""Formulas without knowledge or announcements, reduced as lazily as SMCDEL does: part by part."""

from collections.abc import Callable
from dataclasses import replace

from ...syntax.formula import (
    And,
    Announce,
    Atom,
    Bot,
    Common,
    Exists,
    Forall,
    Formula,
    Iff,
    Implies,
    Not,
    OneOf,
    Or,
    Top,
    Xor,
)
from .language import not_both


class NotBooleanError(Exception):
    """Say that a formula is not settled without a law."""


def settled(formula: Formula, valid: Callable[[Formula], bool], law: bool = False) -> Formula:
    """Return a Boolean formula that is true in the same worlds. Worlds that a law forbids count, too.

    valid: says whether a Boolean formula is true in all worlds.
    law: whether the formula is itself a law. No part of it that SMCDEL comes to may be an announcement.
    SMCDEL comes to the parts of a conjunction up to the first that is false in all worlds, and to the parts of a
    disjunction up to the first that is true in all. Raises NotBooleanError where it comes to knowledge.
    """

    def settle(formula: Formula) -> Formula:
        match formula:
            case Top() | Bot() | Atom():
                return formula
            case And(parts):
                return And(up_to(parts, lambda part: valid(Not(part))))
            case Or(parts):
                return Or(up_to(parts, valid))
            case OneOf(parts):
                return settle(And((Or(parts), And(not_both(parts)))))
            case Common(_, inner, False) if not law and valid(Not(settle(inner))):
                return Bot()
            case Announce(announcement, after, _, whether) if not law:
                heard, then = settle(announcement), settle(after)
                return then if whether else Implies(heard, then)
            case Not(inner) | Forall(_, inner) | Exists(_, inner):
                return replace(formula, formula=settle(inner))
            case Implies(left, right) | Iff(left, right):
                return type(formula)(settle(left), settle(right))
            case Xor(parts):
                return Xor(tuple(map(settle, parts)))
            case _:
                raise NotBooleanError

    def up_to(parts: tuple[Formula, ...], decides: Callable[[Formula], bool]) -> tuple[Formula, ...]:
        """Return the parts, settled. SMCDEL never comes to those behind a part that decides."""
        kept: list[Formula] = []
        for part in parts:
            try:
                kept.append(settle(part))
            except NotBooleanError:
                if not any(map(decides, kept)):
                    raise
                break
        return tuple(kept)

    return settle(formula)
