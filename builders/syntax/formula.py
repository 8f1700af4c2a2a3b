"""The syntax of epistemic logic: formulas, knowledge structures, and MindGames problems.

The operators are those of SMCDEL. `s5` says what a formula means, `smcdel` how SMCDEL writes it.
"""

from dataclasses import dataclass
from itertools import combinations, count

# The label of a row by whether the hypothesis follows; the one spelling of the two labels.
LABELS = {True: "entailment", False: "not_entailment"}

# The ways in which MindGames' agents observe the atoms (MindGames paper, section 3), each with the number by which its
# rows are numbered. A new one takes a number that no other has, and no number ever changes.
SETUP_NUMBERS = {"forehead": 0, "forehead_mirror": 1, "internal": 2, "explicit": 3}
SETUPS = tuple(SETUP_NUMBERS)


@dataclass(frozen=True, slots=True)
class Top:
    """Truth: true in every world."""


@dataclass(frozen=True, slots=True)
class Bot:
    """Falsity: true in no world."""


@dataclass(frozen=True, slots=True)
class Atom:
    """An atomic proposition."""

    number: int  # which proposition, as SMCDEL numbers it


@dataclass(frozen=True, slots=True)
class Not:
    """Negation."""

    formula: "Formula"  # what is denied


@dataclass(frozen=True, slots=True)
class Parts:
    """Several formulas under one operator."""

    formulas: tuple["Formula", ...]  # in their order; there may be none


class And(Parts):
    """Conjunction, all of them hold; of no formulas, truth."""


class Or(Parts):
    """Disjunction, one or more of them hold; of no formulas, falsity."""


class Xor(Parts):
    """Parity, an odd number of them holds; of no formulas, falsity."""


class OneOf(Parts):
    """Exclusive choice, exactly one of them holds; of no formulas, falsity."""


@dataclass(frozen=True, slots=True)
class Implies:
    """Material implication."""

    antecedent: "Formula"  # the condition
    consequent: "Formula"  # what holds under it


@dataclass(frozen=True, slots=True)
class Iff:
    """Equivalence."""

    left: "Formula"  # holds exactly where `right` does
    right: "Formula"  # holds exactly where `left` does


@dataclass(frozen=True, slots=True)
class Quantified:
    """A formula with atoms that take every value."""

    atoms: tuple[int, ...]  # the atoms that take every value
    formula: "Formula"  # what may hold for their values


class Forall(Quantified):
    """Universal quantification over truth values: the formula holds for all of them."""


class Exists(Quantified):
    """Existential quantification over truth values: the formula holds for some of them."""


@dataclass(frozen=True, slots=True)
class Knows:
    """Knowledge (SMCDEL's K), or with `whether` knowledge of a truth value (Kw)."""

    agent: str  # who knows
    formula: "Formula"  # what the agent knows of
    whether: bool = False  # what is known: False, that the formula holds; True, only whether it does


@dataclass(frozen=True, slots=True)
class Shared:
    """Knowledge of a group."""

    agents: tuple[str, ...]  # the group
    formula: "Formula"  # what they know of
    whether: bool = False  # what is known: False, that the formula holds; True, only whether it does


class Common(Shared):
    """Common knowledge (SMCDEL's Ck), or with `whether` of a truth value (Ckw)."""


class Distributed(Shared):
    """Distributed knowledge (SMCDEL's Dk), which they have by pooling what they observe; with `whether`, Dkw."""


@dataclass(frozen=True, slots=True)
class Announce:
    """Announcement, public ([! f] g) or to a group ([a ! f] g): vacuously true where what is announced is false.

    With `whether` the truth value is announced instead ([?! f] g, [a ?! f] g).
    SMCDEL's dual, <! f> g, is Not(Announce(f, Not(g))).
    """

    announcement: "Formula"  # what is heard
    after: "Formula"  # what holds afterwards
    # Who hears what is announced; None for everybody. The others notice only that these agents hear whether it holds.
    agents: tuple[str, ...] | None = None
    whether: bool = False  # they hear whether it holds, not that it holds


Formula = (
    Top | Bot | Atom | Not | And | Or | Xor | OneOf | Implies | Iff | Forall | Exists
    | Knows | Common | Distributed | Announce
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Structure:
    """Hold a knowledge structure: a world is a set of true atoms that satisfies the law."""

    atoms: tuple[int, ...]  # all atoms, in ascending order
    law: Formula  # the Boolean formula that every world satisfies
    observes: tuple[tuple[str, tuple[int, ...]], ...]  # each agent with the atoms whose values the agent sees


def knows_whether(agent: str, formula: Formula) -> Knows:
    """Return that an agent knows whether a formula holds."""
    return Knows(agent, formula, whether=True)


def at_least(atoms: tuple[Atom, ...], k: int) -> Formula:
    """Return that k of the atoms or more are true, for k from 1 to all of them."""
    if k == 1:
        return Or(atoms)
    together = tuple([And(some) for some in combinations(atoms, k)])
    return together[0] if len(together) == 1 else Or(together)


def exactly(atoms: tuple[Atom, ...], k: int) -> Formula:
    """Return that k of the atoms are true, for k from 1 to all but one of them."""
    return And((at_least(atoms, k), Not(at_least(atoms, k + 1))))


@dataclass(frozen=True, slots=True)
class Shown:
    """A showing in front of all: everybody sees that it happens, and only the agent learns the truth value."""

    agent: str  # who is shown it
    atom: int  # what is shown


def agent_name(index: int) -> str:
    """Return SMCDEL's name of an agent counted from 0: Agenta, Agentb, …, as in the published problems."""
    return f"Agent{chr(ord('a') + index)}"


@dataclass(frozen=True, slots=True)
class Problem:
    """Hold a MindGames problem about N agents and N atoms: atom i + 1 is about agent i, named `agent_name(i)`."""

    setup: str  # one of SETUPS
    sees: tuple[tuple[int, ...], ...]  # for each agent the atoms observed at the start, ascending; may be empty
    announcements: tuple[Formula | Shown, ...]  # announced to all, or shown, in order; first that some atom is true
    hypothesis: Formula  # what may hold after all announcements

    def structure(self) -> Structure:
        """Return the knowledge structure before the first announcement.

        SMCDEL has no syntax for an agent who observes nothing. Such an agent observes atom 0, which the law fixes. Each
        showing has a key, one of the atoms after N, which only its viewer observes (see `spoken`).
        """
        rows = {agent_name(index): list(observed) for index, observed in enumerate(self.sees)}
        viewers = [update.agent for update in self.announcements if isinstance(update, Shown)]
        for key, viewer in enumerate(viewers, len(rows) + 1):
            rows[viewer].append(key)
        blind = not all(rows.values())
        return Structure(
            tuple(range(0 if blind else 1, len(rows) + len(viewers) + 1)),
            Not(Atom(0)) if blind else Top(),
            tuple((agent, tuple(observed) or (0,)) for agent, observed in rows.items()),
        )

    def spoken(self) -> list[Formula]:
        """Return the announcements as formulas that are announced to all.

        A showing announces that its key has the truth value of what is shown. The key is a coin that only the viewer
        saw, so the others learn nothing but that the viewer now knows. SMCDEL's announcement to the viewer of whether
        it is so means the same; this way all announcements are public.
        """
        keys = count(len(self.sees) + 1)
        return [
            Iff(Atom(next(keys)), Atom(update.atom)) if isinstance(update, Shown) else update
            for update in self.announcements
        ]

    def entailment(self) -> Formula:
        """Return the formula "after all announcements, one after another, the hypothesis holds".

        It is valid on the structure exactly when the hypothesis follows.
        """
        formula = self.hypothesis
        for announcement in reversed(self.spoken()):
            formula = Announce(announcement, formula)
        return formula
