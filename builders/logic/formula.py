"""Own the syntax of epistemic logic: formulas as SMCDEL has them, and MindGames problems made of them.

An atom is a number, an agent a name. What a formula means is in `s5`; how SMCDEL writes it, in `smcdel`.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Top:
    """What is always true."""


@dataclass(frozen=True, slots=True)
class Bot:
    """What is never true."""


@dataclass(frozen=True, slots=True)
class Atom:
    """A proposition, by its number."""

    number: int


@dataclass(frozen=True, slots=True)
class Not:
    """Negation."""

    of: "Formula"


@dataclass(frozen=True, slots=True)
class And:
    """Conjunction of any number of formulas."""

    of: tuple["Formula", ...]


@dataclass(frozen=True, slots=True)
class Or:
    """Disjunction of any number of formulas."""

    of: tuple["Formula", ...]


@dataclass(frozen=True, slots=True)
class Xor:
    """An odd number of the formulas holds."""

    of: tuple["Formula", ...]


@dataclass(frozen=True, slots=True)
class OneOf:
    """Exactly one of the formulas holds."""

    of: tuple["Formula", ...]


@dataclass(frozen=True, slots=True)
class Implies:
    """Implication."""

    when: "Formula"
    then: "Formula"


@dataclass(frozen=True, slots=True)
class Iff:
    """Equivalence."""

    left: "Formula"
    right: "Formula"


@dataclass(frozen=True, slots=True)
class Forall:
    """The formula holds whatever the atoms are."""

    atoms: tuple[int, ...]
    of: "Formula"


@dataclass(frozen=True, slots=True)
class Exists:
    """The formula holds for some values of the atoms."""

    atoms: tuple[int, ...]
    of: "Formula"


@dataclass(frozen=True, slots=True)
class Knows:
    """The agent knows that the formula holds (K)."""

    agent: str
    of: "Formula"


@dataclass(frozen=True, slots=True)
class KnowsWhether:
    """The agent knows whether the formula holds (Kw)."""

    agent: str
    of: "Formula"


@dataclass(frozen=True, slots=True)
class Common:
    """It is common knowledge among the agents that the formula holds (Ck)."""

    agents: tuple[str, ...]
    of: "Formula"


@dataclass(frozen=True, slots=True)
class CommonWhether:
    """It is common knowledge among the agents whether the formula holds (Ckw)."""

    agents: tuple[str, ...]
    of: "Formula"


@dataclass(frozen=True, slots=True)
class Distributed:
    """The agents together know that the formula holds (Dk)."""

    agents: tuple[str, ...]
    of: "Formula"


@dataclass(frozen=True, slots=True)
class DistributedWhether:
    """The agents together know whether the formula holds (Dkw)."""

    agents: tuple[str, ...]
    of: "Formula"


@dataclass(frozen=True, slots=True)
class Announce:
    """If it can be announced, then after the public announcement of the first formula the second holds ([! f] g).

    Its dual, <! f> g, is Not(Announce(f, Not(g))), as SMCDEL has it.
    """

    said: "Formula"
    then: "Formula"


@dataclass(frozen=True, slots=True)
class AnnounceWhether:
    """After the public announcement whether the first formula holds, the second does ([?! f] g)."""

    said: "Formula"
    then: "Formula"


@dataclass(frozen=True, slots=True)
class AnnounceTo:
    """If it can be announced, then after only these agents are told the first formula, the second holds ([a ! f] g)."""

    agents: tuple[str, ...]
    said: "Formula"
    then: "Formula"


@dataclass(frozen=True, slots=True)
class AnnounceWhetherTo:
    """After only these agents are told whether the first formula holds, the second does ([a ?! f] g)."""

    agents: tuple[str, ...]
    said: "Formula"
    then: "Formula"


Formula = (
    Top | Bot | Atom | Not | And | Or | Xor | OneOf | Implies | Iff | Forall | Exists
    | Knows | KnowsWhether | Common | CommonWhether | Distributed | DistributedWhether
    | Announce | AnnounceWhether | AnnounceTo | AnnounceWhetherTo
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Structure:
    """Hold a knowledge structure: its atoms, the law that every world keeps, and the atoms that each agent observes."""

    atoms: tuple[int, ...]
    law: Formula
    observes: tuple[tuple[str, tuple[int, ...]], ...]


SETUPS = ("forehead", "forehead_mirror", "internal", "explicit")
"""The four ways in which MindGames' agents observe the atoms (MindGames paper, section 3)."""


def agent_name(index: int) -> str:
    """Return what SMCDEL calls an agent, counted from 0: Agenta, Agentb, …, as in the published problems."""
    return f"Agent{chr(ord('a') + index)}"


@dataclass(frozen=True, slots=True)
class Problem:
    """Hold a MindGames problem: what N agents see of N atoms, what is announced to all of them, and the hypothesis.

    Atom i + 1 is about agent i. `sees[i]` are the atoms that agent i observes at the start, in ascending order; it may
    be empty. Announcements come one after another, the first says that some atom is true. In formulas agent i is
    `agent_name(i)`.
    """

    setup: str
    sees: tuple[tuple[int, ...], ...]
    announcements: tuple[Formula, ...]
    hypothesis: Formula

    def structure(self) -> Structure:
        """Return the knowledge structure before the first announcement.

        SMCDEL has no syntax for an agent who observes nothing: such an agent observes atom 0, which the law fixes.
        """
        atoms = tuple(range(1, len(self.sees) + 1))
        blind = not all(self.sees)
        return Structure(
            (0, *atoms) if blind else atoms,
            Not(Atom(0)) if blind else Top(),
            tuple((agent_name(index), seen or (0,)) for index, seen in enumerate(self.sees)),
        )

    def claim(self) -> Formula:
        """Return what must be valid on the structure for the hypothesis to follow: after all announcements it holds."""
        return self.announced(self.hypothesis)

    def announced(self, then: Formula) -> Formula:
        """Return that after all announcements, one after another, a formula holds."""
        for said in reversed(self.announcements):
            then = Announce(said, then)
        return then


LABELS = {True: "entailment", False: "not_entailment"}
