"""Own SMCDEL's language and the SMCDEL program: formulas in and out of its notations, its answers, and asking it.

SMCDEL (Gattinger, https://github.com/jrclogic/SMCDEL) is a symbolic model checker for dynamic epistemic logic. What it
prints and how it groups is taken from recordings of version 1.3.0, `tests/logic/smcdel_transcripts.json`. It has two
notations: `parse` and `spell` are about what it reads, `echo` is what it prints. `answer` is this project's own
program that speaks both, given a checker; `Smcdel` asks a program, the real one or that.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import reduce
from itertools import permutations

from builders.logic.formula import (
    And,
    Announce,
    AnnounceTo,
    AnnounceWhether,
    AnnounceWhetherTo,
    Atom,
    Bot,
    Common,
    CommonWhether,
    Distributed,
    DistributedWhether,
    Exists,
    Forall,
    Formula,
    Iff,
    Implies,
    Knows,
    KnowsWhether,
    Not,
    OneOf,
    Or,
    Structure,
    Top,
    Xor,
)


@dataclass(frozen=True, slots=True)
class Valid:
    """Ask whether a formula is true in every world."""

    of: Formula


@dataclass(frozen=True, slots=True)
class Where:
    """Ask in which worlds a formula is true."""

    of: Formula


@dataclass(frozen=True, slots=True)
class TrueAt:
    """Ask whether a formula is true where exactly these atoms are."""

    state: tuple[int, ...]
    of: Formula


Query = Valid | Where | TrueAt


_NAME = r"[A-Za-z][A-Za-z0-9]*"


_MANY = {"AND": And, "OR": Or, "XOR": Xor, "ONEOF": OneOf}


_PREFIX = {"K": Knows, "Kw": KnowsWhether}


_PRINTED = {kind: word for word, kind in _PREFIX.items()}
_PRINTED |= {Common: "Ck", CommonWhether: "Ckw", Distributed: "Dk", DistributedWhether: "Dkw"}


_BOUND = {"Forall": Forall, "Exists": Exists}


_ALONE = {"knows that": Knows, "knows whether": KnowsWhether}


_TOGETHER = {
    "comknow that": Common,
    "comknow whether": CommonWhether,
    "distknow that": Distributed,
    "distknow whether": DistributedWhether,
}


_WORD = {kind: word for word, kind in (_MANY | _BOUND | _ALONE | _TOGETHER).items()}


_KEYWORDS = {"VARS", "LAW", "OBS", "Top", "Bot", "not", "iff", *_MANY, *_PREFIX, *_BOUND}


def spell(formula: Formula) -> str:
    """Return a formula in SMCDEL's language, as the published MindGames problems write it.

    Parentheses stand everywhere, but around knowledge of knowledge after the announcements, as published. Left-nested
    pairs are a chain, `(1|2|3)`, another number of formulas is `OR(1,2,3)`, none is `Bot`. `parse_formula` returns the
    same formula, but for those of none. Raises ValueError for atoms and agents that the language cannot name.
    """
    match formula:
        case Announce(said, then):
            return f"[ ! {_spell(said)} ] {spell(then)}"
        case Knows(_, Knows() | KnowsWhether()) | KnowsWhether(_, Knows() | KnowsWhether()):
            return _spell(formula)[1:-1]
        case _:
            return _spell(formula)


def _spell(formula: Formula) -> str:
    """Return a formula so that it is one operand wherever it stands."""
    match formula:
        case Top() | And(()):
            return "Top"
        case Bot() | Or(()) | Xor(()) | OneOf(()):
            return "Bot"
        case Atom(number):
            return _spell_atoms((number,))
        case Not((And() | Or()) as of):
            return f"(~{_spell(of)})"
        case Not(of):
            spelled = _spell(of)
            return f"~{spelled}" if spelled.startswith("(") else f"~({spelled})"
        case And((_, _)):
            return _spell_chain(formula, "&")
        case Or((_, _)):
            return _spell_chain(formula, "|")
        case And(of) | Or(of) | Xor(of) | OneOf(of):
            return f"{_WORD[type(formula)]}({','.join(map(_spell, of))})"
        case Implies(when, then):
            return f"({_spell(when)} -> {_spell(then)})"
        case Iff(left, right):
            return f"({_spell(left)} iff {_spell(right)})"
        case Forall(atoms, of) | Exists(atoms, of):
            return f"({_WORD[type(formula)]} {_spell_atoms(atoms)} {_spell(of)})"
        case Knows(agent, of) | KnowsWhether(agent, of):
            return f"({_spell_agents((agent,))} {_WORD[type(formula)]} {_spell(of)})"
        case Common(agents, of) | CommonWhether(agents, of) | Distributed(agents, of) | DistributedWhether(agents, of):
            return f"(({_spell_agents(agents)}) {_WORD[type(formula)]} {_spell(of)})"
        case Announce(said, then):
            return f"([ ! {_spell(said)} ] {_spell(then)})"
        case AnnounceWhether(said, then):
            return f"([ ? ! {_spell(said)} ] {_spell(then)})"
        case AnnounceTo(agents, said, then):
            return f"([ {_spell_agents(agents)} ! {_spell(said)} ] {_spell(then)})"
        case AnnounceWhetherTo(agents, said, then):
            return f"([ {_spell_agents(agents)} ? ! {_spell(said)} ] {_spell(then)})"
        case _:
            raise TypeError(f"no such formula: {formula!r}")


def _spell_chain(formula: And | Or, sign: str) -> str:
    kind, links = type(formula), []
    while isinstance(formula, kind) and len(formula.of) == 2:
        formula, right = formula.of
        links.append(_spell(right))
    return f"({sign.join([_spell(formula), *reversed(links)])})"


def _spell_atoms(atoms: tuple[int, ...]) -> str:
    if not atoms or any(not 0 <= atom < 10**18 for atom in atoms):
        raise ValueError(f"SMCDEL's language has no list of atoms {atoms}: it takes one or more natural numbers")
    return ",".join(map(str, atoms))


def _spell_agents(agents: tuple[str, ...]) -> str:
    for agent in agents or ("",):
        if agent in _KEYWORDS or not re.fullmatch(_NAME, agent):
            raise ValueError(f"SMCDEL's language has no agent {agent!r}: a name is letters and digits, and no keyword")
    return ",".join(agents)


def nested(formula: Formula) -> Formula:
    """Return a formula of problems with conjunctions and disjunctions as pairs, as SMCDEL reads `(1|2|3)`."""
    match formula:
        case And(of) | Or(of):
            return reduce(lambda left, right: type(formula)((left, right)), map(nested, of))
        case Not(of):
            return Not(nested(of))
        case Knows(agent, of) | KnowsWhether(agent, of):
            return type(formula)(agent, nested(of))
        case Announce(said, then):
            return Announce(nested(said), nested(then))
        case _:
            return formula


def spell_problem(structure: Structure, queries: Iterable[Query]) -> str:
    """Return a whole input: one line as published, and a line for each query after the first."""
    return f"{spell_structure(structure)} " + "\n".join(map(_spell_query, queries))


def spell_structure(structure: Structure) -> str:
    """Return what an input says before its queries."""
    rows = (f"{_spell_agents((agent,))}:{_spell_atoms(atoms)}" for agent, atoms in structure.observes)
    return f"VARS {_spell_atoms(structure.atoms)} LAW {_spell(structure.law)} OBS {' '.join(rows)}"


def _spell_query(query: Query) -> str:
    match query:
        case Valid(of):
            return f"VALID? {spell(of)}"
        case Where(of):
            return f"WHERE? {spell(of)}"
        case TrueAt(state, of):
            return f"TRUE? {{{_spell_atoms(state) if state else ''}}} {spell(of)}"
        case _:
            raise TypeError(f"no such query: {query!r}")


def echo(formula: Formula) -> str:
    """Return a formula as SMCDEL prints it: what it has no type for, it prints as what that is made of."""
    match formula:
        case Top() | And(()):
            return "T"
        case Bot() | Or(()) | Xor(()) | OneOf(()):
            return "F"
        case Atom(number):
            return str(number)
        case Not(of):
            return f"~{echo(of)}"
        case And(of):
            return f"({' & '.join(map(echo, of))})"
        case Or(of):
            return f"({' | '.join(map(echo, of))})"
        case Xor(of):
            return f"XOR{{{_quoted(map(echo, of))}}}"
        case OneOf(of):
            return echo(And((Or(of), And(tuple(Not(And(two)) for two in permutations(of, 2))))))
        case Implies(when, then):
            return f"({echo(when)}->{echo(then)})"
        case Iff(left, right):
            return f"{echo(left)}={echo(right)}"
        case Forall(atoms, of) | Exists(atoms, of):
            return f"{_WORD[type(formula)]} {{{','.join(f'P {atom}' for atom in atoms)}}}: {echo(of)}"
        case Knows(agent, of) | KnowsWhether(agent, of):
            return f"{_PRINTED[type(formula)]} {agent} {echo(of)}"
        case Common(agents, of) | CommonWhether(agents, of) | Distributed(agents, of) | DistributedWhether(agents, of):
            return f"{_PRINTED[type(formula)]} {_quoted(agents)} {echo(of)}"
        case Announce(said, then):
            return f"[! {echo(said)}] {echo(then)}"
        case AnnounceWhether(said, then):
            return f"[?! {echo(said)}] {echo(then)}"
        case AnnounceTo(agents, said, then):
            return f"[{', '.join(agents)} ! {echo(said)}]{echo(then)}"
        case AnnounceWhetherTo(agents, said, then):
            return f"[{', '.join(agents)} ?! {echo(said)}]{echo(then)}"
        case _:
            raise TypeError(f"no such formula: {formula!r}")


def _quoted(texts: Iterable[str]) -> str:
    """Return texts in quotes, as Haskell shows strings."""
    escaped = (text.replace("\\", "\\\\").replace('"', '\\"') for text in texts)
    return ",".join(f'"{text}"' for text in escaped)


def _state(atoms: tuple[int, ...]) -> str:
    return f"[{','.join(map(str, atoms))}]"
