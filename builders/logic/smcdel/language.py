"""How SMCDEL writes queries, formulas and structures: `spell` gives what it reads, `echo` what it prints."""

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import lru_cache, reduce

from ...syntax.formula import (
    And,
    Announce,
    Atom,
    Bot,
    Common,
    Distributed,
    Exists,
    Forall,
    Formula,
    Iff,
    Implies,
    Knows,
    Not,
    OneOf,
    Or,
    Structure,
    Top,
    Xor,
)


@dataclass(frozen=True, slots=True)
class Query:
    """A question about a formula."""

    word: str  # one of QUERIES
    formula: Formula  # what may be true
    state: tuple[int, ...] = ()  # of "TRUE?": the atoms that are true there; all others are false


NAME = r"[A-Za-z][A-Za-z0-9]*"  # the pattern of an agent's name

# The words of the language by what follows them.
# Words before formulas in parentheses.
LISTS: dict[str, type[And] | type[Or] | type[Xor] | type[OneOf]] = {"AND": And, "OR": Or, "XOR": Xor, "ONEOF": OneOf}
# Words before an agent and a formula: whether the agent knows whether it holds, not that it holds.
PREFIXES = {"K": False, "Kw": True}
# Words before atoms and a formula.
QUANTIFIERS: dict[str, type[Forall] | type[Exists]] = {"Forall": Forall, "Exists": Exists}
# Words before a query's formula: is it true in every world, in which worlds, in one state, which stands before it?
QUERIES = ("VALID?", "WHERE?", "TRUE?")
# Words between agents and a formula; "that" or "whether" follows them. Before "knows" stands a single agent.
OF_GROUPS: dict[str, type[Common] | type[Distributed]] = {"comknow": Common, "distknow": Distributed}
VERBS = ("knows", *OF_GROUPS)
# Other spellings of the signs and of "Forall".
SYNONYMS = {"not": "~", "Not": "~", "¬": "~", "∧": "&", "∨": "|", "→": "->", "ForAll": "Forall"}
# The words that no agent can be named by.
KEYWORDS = {"VARS", "LAW", "OBS", "Top", "Bot", "iff", *LISTS, *PREFIXES, *QUANTIFIERS, *SYNONYMS}

_WORD: dict[type[Formula], str] = {
    Knows: "knows",
    **{kind: word for word, kind in [*LISTS.items(), *QUANTIFIERS.items(), *OF_GROUPS.items()]},
}
_SIGNS = {And: "&", Or: "|"}
_PRINTED = {Knows: "K", Common: "Ck", Distributed: "Dk"}


def spell(formula: Formula) -> str:
    """Return a formula in SMCDEL's language, as the published MindGames problems write it.

    Everything is in parentheses except knowledge of knowledge right after the announcements, as published. Left-nested
    pairs are a chain, `(1|2|3)`; another number of formulas is `OR(1,2,3)`; no formula at all is `Bot` or `Top`.
    Apart from that last case, `parse` reads the same formula back.
    Raises ValueError for atoms and agents that the language cannot name, TypeError for what is no formula.
    """
    match formula:
        case Announce(announcement, after, None, False):
            return f"[ ! {spell_operand(announcement)} ] {spell(after)}"
        case Knows(_, Knows()):
            return spell_operand(formula)[1:-1]
        case _:
            return spell_operand(formula)


def spell_operand(formula: Formula) -> str:
    """Return a formula so that it is one operand wherever it stands. Raises what `spell` raises."""
    match formula:
        case Knows(str(), Atom()):
            return _spell_knowledge(formula)
        case Top() | And(()):
            return "Top"
        case Bot() | Or(()) | Xor(()) | OneOf(()):
            return "Bot"
        case Atom(number):
            return _spell_atoms((number,))
        case Not((And() | Or()) as inner):
            return f"(~{spell_operand(inner)})"
        case Not(inner):
            spelled = spell_operand(inner)
            return f"~{spelled}" if spelled.startswith("(") else f"~({spelled})"
        case And((_, _)) | Or((_, _)):
            return f"({_SIGNS[type(formula)].join(map(spell_operand, unchained(formula)))})"
        case And(parts) | Or(parts) | Xor(parts) | OneOf(parts):
            return f"{_WORD[type(formula)]}({','.join(map(spell_operand, parts))})"
        case Implies(antecedent, consequent):
            return f"({spell_operand(antecedent)} -> {spell_operand(consequent)})"
        case Iff(left, right):
            return f"({spell_operand(left)} iff {spell_operand(right)})"
        case Forall(atoms, inner) | Exists(atoms, inner):
            return f"({_WORD[type(formula)]} {_spell_atoms(atoms)} {spell_operand(inner)})"
        case Knows(who, inner, whether) | Common(who, inner, whether) | Distributed(who, inner, whether):
            agents = _spell_agents((who,)) if isinstance(who, str) else f"({_spell_agents(who)})"
            return f"({agents} {_WORD[type(formula)]} {'whether' if whether else 'that'} {spell_operand(inner)})"
        case Announce(announcement, after, agents, whether):
            hearers = "" if agents is None else f"{_spell_agents(agents)} "
            return f"([ {hearers}{'? ' * whether}! {spell_operand(announcement)} ] {spell_operand(after)})"
        case _:
            raise TypeError(f"not a formula: {formula!r}; expected one of syntax.formula")


@lru_cache(maxsize=1 << 10)  # puzzles in rounds say again and again who knows of whom
def _spell_knowledge(known: Knows) -> str:
    kind = "whether" if known.whether else "that"
    return f"({_spell_agents((known.agent,))} knows {kind} {spell_operand(known.formula)})"


def _spell_atoms(atoms: tuple[int, ...]) -> str:
    if not atoms or any(not 0 <= atom < 10**18 for atom in atoms):
        raise ValueError(f"SMCDEL cannot read the list of atoms {atoms}: it takes one or more natural numbers")
    return ",".join(map(str, atoms))


def _spell_agents(agents: tuple[str, ...]) -> str:
    for agent in agents or ("",):
        if agent in KEYWORDS or not re.fullmatch(NAME, agent):
            raise ValueError(
                f"SMCDEL cannot read the agent {agent!r}: a name must be letters and digits, and not a keyword"
            )
    return ",".join(agents)


def unchained(formula: And | Or) -> list[Formula]:
    """Return the formulas of left-nested pairs of one kind, in their order.

    There is no recursion, as a count of twelve agents is a chain of 924 pairs.
    """
    kind = type(formula)
    left: Formula = formula
    others: list[Formula] = []
    while isinstance(left, kind) and len(left.formulas) == 2:
        left, last = left.formulas
        others.append(last)
    return [left, *reversed(others)]


def left_nested(formula: Formula) -> Formula:
    """Return a formula of a MindGames problem with And and Or as left-nested pairs, as SMCDEL reads `(1|2|3)`."""
    match formula:
        case And(parts) | Or(parts):
            return reduce(lambda left, right: type(formula)((left, right)), map(left_nested, parts))
        case Not(inner) | Knows(_, inner) | Common(_, inner) | Distributed(_, inner):
            return replace(formula, formula=left_nested(inner))
        case Announce(announcement, after):
            return replace(formula, announcement=left_nested(announcement), after=left_nested(after))
        case _:
            return formula


def spell_input(structure: Structure, queries: Iterable[Query]) -> str:
    """Return a whole input: one line as published, then a line for each query after the first."""
    return f"{spell_structure(structure)} " + "\n".join(map(spell_query, queries))


def spell_structure(structure: Structure) -> str:
    """Return the part of an input before its queries."""
    rows = (f"{_spell_agents((agent,))}:{_spell_atoms(atoms)}" for agent, atoms in structure.observes)
    return f"VARS {_spell_atoms(structure.atoms)} LAW {spell_operand(structure.law)} OBS {' '.join(rows)}"


def spell_query(query: Query) -> str:
    """Return a query in SMCDEL's language. Raises what `spell` raises."""
    state = f"{{{_spell_atoms(query.state) if query.state else ''}}} " if query.word == "TRUE?" else ""
    return f"{query.word} {state}{spell(query.formula)}"


def echo(formula: Formula) -> str:
    """Return a formula as SMCDEL prints it. It prints ONEOF, which it has no type for, by its definition."""
    match formula:
        case Top() | And(()):
            return "T"
        case Bot() | Or(()) | Xor(()) | OneOf(()):
            return "F"
        case Atom(number):
            return str(number)
        case Not(inner):
            return f"~{echo(inner)}"
        case And((_, _)) | Or((_, _)):
            first, *others = map(echo, unchained(formula))
            return "(" * len(others) + first + "".join([f" {_SIGNS[type(formula)]} {other})" for other in others])
        case And(parts) | Or(parts):
            return f"({f' {_SIGNS[type(formula)]} '.join(map(echo, parts))})"
        case Xor(parts):
            return f"XOR{{{_quoted(map(echo, parts))}}}"
        case OneOf(parts):
            return f"(({' | '.join(map(echo, parts))}) & ({' & '.join(map(echo, not_both(parts)))}))"
        case Implies(antecedent, consequent):
            return f"({echo(antecedent)}->{echo(consequent)})"
        case Iff(left, right):
            return f"{echo(left)}={echo(right)}"
        case Forall(atoms, inner) | Exists(atoms, inner):
            return f"{_WORD[type(formula)]} {{{','.join(f'P {atom}' for atom in atoms)}}}: {echo(inner)}"
        case Knows(who, inner, whether) | Common(who, inner, whether) | Distributed(who, inner, whether):
            agents = who if isinstance(who, str) else _quoted(who)
            return f"{_PRINTED[type(formula)]}{'w' * whether} {agents} {echo(inner)}"
        case Announce(announcement, after, None, whether):
            return f"[{'?' * whether}! {echo(announcement)}] {echo(after)}"
        case Announce(announcement, after, agents, whether):
            return f"[{', '.join(agents or ())} {'?' * whether}! {echo(announcement)}]{echo(after)}"
        case _:
            raise TypeError(f"not a formula: {formula!r}; expected one of syntax.formula")


def not_both(parts: tuple[Formula, ...]) -> tuple[Formula, ...]:
    """Return what SMCDEL defines ONEOF by, beside that some part is true: no part is together with any other part."""
    others = {part: parts[: (place := parts.index(part))] + parts[place + 1 :] for part in parts}
    return tuple(Not(And((part, other))) for part in parts for other in others[part])


def echo_state(atoms: tuple[int, ...]) -> str:
    """Return a state as SMCDEL prints it: the list of its true atoms."""
    return f"[{','.join(map(str, atoms))}]"


def _quoted(texts: Iterable[str]) -> str:
    """Return texts in quotes, as Haskell shows strings."""
    escaped = (text.replace("\\", "\\\\").replace('"', '\\"') for text in texts)
    return ",".join(f'"{text}"' for text in escaped)
