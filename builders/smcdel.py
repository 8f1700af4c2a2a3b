"""Own SMCDEL's language and the SMCDEL program: formulas in and out of its notations, its answers, and asking it.

SMCDEL (Gattinger, https://github.com/jrclogic/SMCDEL) is a symbolic model checker for dynamic epistemic logic. What it
prints and how it groups is taken from recordings of version 1.3.0, `tests/smcdel_transcripts.json`. It has two
notations: `parse` and `spell` are about what it reads, `echo` is what it prints. `answer` is this project's own
program that speaks both, given a checker; `Smcdel` asks a program, the real one or that.
"""

import os
import re
import shutil
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import suppress
from dataclasses import dataclass, field, fields
from functools import reduce
from itertools import permutations
from pathlib import Path
from tempfile import TemporaryFile
from typing import Any

from builders.formula import (
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


# What SMCDEL reads: from text.


class Unparsable(ValueError):
    """Say, as SMCDEL does, where a text stops being its language, or what is undeclared in it."""


_NAME = r"[A-Za-z][A-Za-z0-9]*"
# The longest first. "knows that" is one token, as the column of the recorded error shows; a number fits a machine word.
_TOKEN = re.compile(
    rf"""(?P<blank>[ \t\n\v\f\r]+|--[^\n]*)
    |(?P<fixed>(?:knows|comknow|distknow)[ ](?:that|whether)|(?:TRUE|VALID|WHERE)\?|->|[][(){{}}<>!?&|~:,])
    |(?P<word>{_NAME})|(?P<number>[0-9]{{1,18}})|(?P<wrong>.)""",
    re.VERBOSE,
)
_MANY = {"AND": And, "OR": Or, "XOR": Xor, "ONEOF": OneOf}
_BINARY = {
    "&": lambda left, right: And((left, right)),
    "|": lambda left, right: Or((left, right)),
    "->": Implies,
    "iff": Iff,
}
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


def _place(text: str, at: int) -> str:
    """Say where in a text a character is, counted from 1; a tab goes on to the next multiple of eight."""
    start = text.rfind("\n", 0, at) + 1
    return f"line {text.count(chr(10), 0, at) + 1}, column {len(text[start:at].expandtabs()) + 1}"


def _tokens(text: str) -> Iterator[tuple[str, str, int]]:
    """Yield each token's kind, its text and where it starts; one at a time, so that the first error in a text wins."""
    for found in _TOKEN.finditer(text):
        kind, said = found.lastgroup, found.group()
        if kind == "wrong":
            raise Unparsable(f"lexical error at {_place(text, found.start())}")
        if kind != "blank":
            yield said if kind == "fixed" or said in _KEYWORDS else kind, said, found.start()


class _Parser:
    """Read SMCDEL's language by recursive descent, never looking further than the next token.

    Every operator between two formulas binds alike, to the left. What stands before one formula (`~`, an announcement,
    `a knows that`) takes the nearest; `K a`, `Forall 1` take all that follows.
    """

    def __init__(self, text: str) -> None:
        self._text = text
        self._tokens = _tokens(text)
        self._advance()

    def _advance(self) -> None:
        # Where a text ends too early, there is no token to point at: SMCDEL points at the beginning.
        self._kind, self._said, self._at = next(self._tokens, ("end", "", 0))

    def _take(self, *kinds: str) -> str:
        if self._kind not in kinds:
            raise Unparsable(f"Parse error in {_place(self._text, self._at)}")
        said = self._said
        self._advance()
        return said

    def _takes(self, kind: str) -> bool:
        return self._kind == kind and self._take(kind) == kind

    def _listed(self, item: Callable[[], Any]) -> tuple[Any, ...]:
        items = [item()]
        while self._takes(","):
            items.append(item())
        return tuple(items)

    def _numbers(self) -> tuple[int, ...]:
        return self._listed(lambda: int(self._take("number")))

    def _agents(self) -> tuple[str, ...]:
        return self._listed(lambda: self._take("word"))

    def whole(self, read: Callable[[], Any]) -> Any:
        """Return what `read` reads where nothing follows it."""
        result = read()
        self._take("end")
        return result

    def problem(self) -> tuple[Structure, tuple[Query, ...]]:
        """Read a structure and the queries on it."""
        self._take("VARS")
        atoms = self._numbers()
        self._take("LAW")
        law = self.formula()
        self._take("OBS")
        observes = [self._observes()]
        while self._kind == "word":
            observes.append(self._observes())
        queries = []
        while self._kind != "end":
            queries.append(self._query())
        return Structure(atoms, law, tuple(observes)), tuple(queries)

    def _observes(self) -> tuple[str, tuple[int, ...]]:
        agent = self._take("word")
        self._take(":")
        return agent, self._numbers()

    def _query(self) -> Query:
        match self._take("VALID?", "WHERE?", "TRUE?"):
            case "VALID?":
                return Valid(self.formula())
            case "WHERE?":
                return Where(self.formula())
        self._take("{")
        state = () if self._kind == "}" else self._numbers()
        self._take("}")
        return TrueAt(state, self.formula())

    def formula(self, left: Formula | None = None) -> Formula:
        """Read operands and the operators between them; the first operand may have been read."""
        left = left or self._operand()
        while combine := _BINARY.get(self._kind):
            self._advance()
            left = combine(left, self._operand())
        return left

    def _operand(self) -> Formula:
        match self._kind:
            case "[" | "<":
                return self._announcement()
            case "(":
                return self._parenthesised(many=False)[0]
            case "word":
                return self._knowledge(self._agents())
        match self._take("Top", "Bot", "number", "~", "not", *_MANY, *_PREFIX, *_BOUND):
            case "Top":
                return Top()
            case "Bot":
                return Bot()
            case "~" | "not":
                return Not(self._operand())
            case word if word in _MANY:
                self._take("(")
                of = self._listed(self.formula)
                self._take(")")
                return _MANY[word](of)
            case word if word in _PREFIX:
                return _PREFIX[word](self._take("word"), self.formula())
            case word if word in _BOUND:
                return _BOUND[word](self._numbers(), self.formula())
            case number:
                return Atom(int(number))

    def _parenthesised(self, many: bool) -> tuple[Formula, ...]:
        """Read a formula in parentheses, or several, or common knowledge among agents in parentheses."""
        self._take("(")
        first = None
        if self._kind == "word":
            agents = self._agents()
            if self._takes(")"):
                return (_TOGETHER[self._take(*_TOGETHER)](agents, self._operand()),)
            first = self._knowledge(agents)
        of = [self.formula(first)]
        while many and self._takes(","):
            of.append(self.formula())
        self._take(")")
        return tuple(of)

    def _knowledge(self, agents: tuple[str, ...]) -> Formula:
        operator = self._take(*_TOGETHER, *(_ALONE if len(agents) == 1 else ()))
        if operator in _TOGETHER:
            return _TOGETHER[operator](agents, self._operand())
        [agent] = agents
        if operator == "knows whether" and self._kind == "(":
            known = tuple(KnowsWhether(agent, of) for of in self._parenthesised(many=True))
            return known[0] if len(known) == 1 else And(known)
        return _ALONE[operator](agent, self._operand())

    def _announcement(self) -> Formula:
        dual = self._take("[", "<") == "<"
        agents = self._agents() if self._kind == "word" else ()
        whether = self._takes("?")
        self._take("!")
        said = self.formula()
        self._take(">" if dual else "]")
        then = Not(self._operand()) if dual else self._operand()
        match bool(agents), whether:
            case False, False:
                announced = Announce(said, then)
            case False, True:
                announced = AnnounceWhether(said, then)
            case True, False:
                announced = AnnounceTo(agents, said, then)
            case _:
                announced = AnnounceWhetherTo(agents, said, then)
        return Not(announced) if dual else announced


def parse(text: str) -> tuple[Structure, tuple[Query, ...]]:
    """Return the structure that a text in SMCDEL's language describes, and its queries; or raise Unparsable."""
    parser = _Parser(text)
    return parser.whole(parser.problem)


def parse_formula(text: str) -> Formula:
    """Return the formula that a text in SMCDEL's language is, or raise Unparsable."""
    parser = _Parser(text)
    return parser.whole(parser.formula)


# What SMCDEL reads: to text.


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


# What SMCDEL prints.


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


# The program.

_BOLD, _PLAIN = "\x1b[97m", "\x1b[m"


def answer(text: str, checker: Callable[[Structure], Any]) -> tuple[str, str, int]:
    """Return what SMCDEL 1.3.0 says to an input: standard output, standard error (its first lines), exit code.

    `checker` makes of a structure what can tell `valid`, `where` and `true_at`: `s5.Checker`.
    """
    said = "SMCDEL 1.3.0 -- https://github.com/jrclogic/SMCDEL\n\n"
    try:
        structure, queries = parse(text)
        _check_sanity(structure, queries)
        model = checker(structure)
        answers = [_answer(query, model) for query in queries]
    except Unparsable as error:
        return said, f"smcdel: {error}\n", 1
    except RecursionError:
        return said, "smcdel: stack overflow\n", 2
    return said + "".join(answers) + "\nDoei!\n", "", 0


def _answer(query: Query, model: Any) -> str:
    match query:
        case Valid(of):
            return f"Is {echo(of)} valid on F?\n{_BOLD}{model.valid(of)}\n\n{_PLAIN}"
        case TrueAt(state, of):
            return f"Is {echo(of)} true at {_state(state)}?\n{_BOLD}{model.true_at(state, of)}\n\n{_PLAIN}"
        case Where(of):
            states = "".join(f"{_BOLD}{_state(state)}\n{_PLAIN}" for state in model.where(of))
            return f"At which states is {echo(of)} true?\n{states}\n"
        case _:
            raise TypeError(f"no such query: {query!r}")


def _check_sanity(structure: Structure, queries: tuple[Query, ...]) -> None:
    """Refuse what is not declared, and a law that is about more than atoms."""
    agents, rows = zip(*structure.observes, strict=True)
    law_atoms, law_agents, law_kinds = _mentioned(structure.law)
    asked_atoms, asked_agents, _ = _mentioned(tuple(query.of for query in queries))
    stated = {atom for query in queries if isinstance(query, TrueAt) for atom in query.state}
    faults = {
        "LAW contains atoms not in VARS!": law_atoms.difference(structure.atoms),
        "LAW contains knowledge or announcements!": law_agents or law_kinds & {Announce, AnnounceWhether},
        "OBS contains atoms not in VARS!": {atom for row in rows for atom in row}.difference(structure.atoms),
        "Query formula contains atoms not in VARS!": asked_atoms.difference(structure.atoms),
        "Query formula contains agents not in OBS!": asked_agents.difference(agents),
        "TRUE? query contains atoms not in VARS!": stated.difference(structure.atoms),
    }
    found = [fault for fault, parts in faults.items() if parts]
    if found:
        raise Unparsable("\n  ".join(["Sanity check failed:", *found]))


def _mentioned(whole: Any) -> tuple[set[int], set[str], set[type]]:
    """Return the atoms, the agents and the kinds of subformulas of a formula, or of a tuple of them."""
    atoms, agents, kinds = set(), set(), set()
    parts = [whole]
    while parts:
        match parts.pop():
            case int(atom):
                atoms.add(atom)
            case str(agent):
                agents.add(agent)
            case tuple(several):
                parts += several
            case formula:
                kinds.add(type(formula))
                parts += [getattr(formula, field.name) for field in fields(formula)]
    return atoms, agents, kinds


def main(arguments: Sequence[str], checker: Callable[[Structure], Any]) -> int:
    """Answer the input in a file, or for `-` on standard input, as the program smcdel does; return the exit code."""
    match arguments:
        case ["-"]:
            read = sys.stdin.buffer.read
        case [file]:
            read = Path(file).read_bytes
        case _:
            print("smcdel: give one file of SMCDEL's language, or - for standard input", file=sys.stderr)
            return 1
    try:
        text = read().decode(errors="replace")
    except FileNotFoundError:
        reason = "does not exist (No such file or directory)"
    except IsADirectoryError:
        reason = "inappropriate type (is a directory)"
    except PermissionError:
        reason = "permission denied (Permission denied)"
    else:
        out, err, code = answer(text, checker)
        sys.stdout.write(out)
        sys.stdout.flush()
        sys.stderr.write(err)
        return code
    print(f"smcdel: {arguments[0]}: openFile: {reason}", file=sys.stderr)
    return 1


# Asking a program.


class Unanswered(Exception):
    """Say how a program that was asked did not answer, and quote what came instead."""


class Missing(Unanswered):
    """Say where SMCDEL was looked for in vain."""


_COLOUR = re.compile(r"\x1b\[[0-9;]*m")


def find() -> str:
    """Return the path of SMCDEL: $SMCDEL where it is set, else `smcdel` on PATH.

    Raises Missing where there is none, Unanswered where $SMCDEL is set to what cannot be run.
    """
    named = os.environ.get("SMCDEL")
    found = shutil.which(named or "smcdel")
    if found:
        return found
    instead = "checker=embedded needs no program"
    if named:
        raise Unanswered(f"$SMCDEL is {named!r}, which is no program that can be run; {instead}")
    where = os.environ.get("PATH", "") or "which is empty"
    raise Missing(f"no SMCDEL here: $SMCDEL is not set, and there is no smcdel on PATH ({where}); {instead}")


@dataclass(frozen=True, slots=True)
class Smcdel:
    """Ask SMCDEL, a program at a path, with a limit in seconds for each of its processes."""

    path: str
    limit: float = 60
    _running: set[subprocess.Popen] = field(default_factory=set, init=False, repr=False, compare=False)

    def valid(
        self, structure: Structure, formulas: Sequence[Formula], ending: threading.Event | None = None
    ) -> list[bool]:
        """Return for each formula whether it is valid on the structure, asking one process for all of them.

        Once `ending` is set no process is asked.
        """
        if not formulas:
            return []
        questions = [f"Is {echo(formula)} valid on F?" for formula in formulas]
        # A verdict takes less than 100 characters, and so do the first line and the last.
        most = 1000 + sum(len(question) + 100 for question in questions)
        said = self._run(spell_problem(structure, map(Valid, formulas)) + "\n", most, ending)
        lines = iter([line for line in _COLOUR.sub("", said).split("\n") if line.strip()][1:])
        answers = []
        for question in questions:
            echoed, verdict = next(lines, ""), next(lines, "")
            if echoed != question or verdict not in ("True", "False"):
                count = f"{len(answers)} of {len(questions)} questions"
                came = _quote(echoed, verdict)
                raise Unanswered(f"{self.path} answered {count}; to {_quote(question)} it said {came}")
            answers.append(verdict == "True")
        rest = list(lines)
        if rest != ["Doei!"]:
            raise Unanswered(f"{self.path} did not end after {len(answers)} answers with 'Doei!': {_quote(*rest)}")
        return answers

    def valid_each(
        self, batches: Iterable[tuple[Structure, Sequence[Formula]]], processes: int | None = None
    ) -> Iterator[list[bool]]:
        """Yield the answers to each batch in order, with so many processes at a time (one for each core).

        An interrupt, or an error, ends those that run.
        """
        pool = ThreadPoolExecutor(processes or os.cpu_count())
        ending = threading.Event()  # of this call, and never cleared: a thread may start while an interrupt ends all
        try:
            for asked in [pool.submit(self.valid, *batch, ending) for batch in batches]:
                while wait([asked], timeout=0.2).not_done:
                    pass  # an interrupt that came just before this began to wait is heard only now
                yield asked.result()
        finally:
            ending.set()
            pool.shutdown(wait=False, cancel_futures=True)
            for child in list(self._running):
                _end(child)
            pool.shutdown()

    def _run(self, text: str, most: int, ending: threading.Event | None) -> str:
        """Return what the program says to an input; it is ended when it has said this many bytes."""
        with TemporaryFile() as asked, TemporaryFile() as complaints:
            asked.write(text.encode())
            asked.seek(0)
            try:
                child = subprocess.Popen(
                    [self.path, "-"], stdin=asked, stdout=subprocess.PIPE, stderr=complaints, start_new_session=True
                )
            except OSError as error:
                raise Unanswered(f"{self.path} cannot be run: {error.strerror}") from None
            self._running.add(child)
            if ending and ending.is_set():
                _end(child)
            late = threading.Event()

            def stop() -> None:
                late.set()
                _end(child)

            timer = threading.Timer(self.limit, stop)
            timer.start()
            try:
                said = child.stdout.read(most).decode(errors="replace")
                babbles = bool(child.stdout.read(1))
                if babbles:
                    _end(child)
                code = child.wait()
            finally:
                timer.cancel()
                _end(child)
                child.stdout.close()
                child.wait()
                self._running.discard(child)
            if late.is_set():
                raise Unanswered(f"{self.path} did not end within {self.limit:g} seconds; it said {_quote(said)}")
            complaints.seek(0)
            complaint = complaints.read(1000).decode(errors="replace")
            if code and not babbles:
                raise Unanswered(f"{self.path} ended with exit code {code}: {_quote(complaint)}, after {_quote(said)}")
            if not said.startswith("SMCDEL "):
                raise Unanswered(f"{self.path} is not SMCDEL: it said {_quote(said)}")
            return said


def _end(child: subprocess.Popen) -> None:
    """Kill a process that was not waited for, and those that it started: they would keep its output open."""
    if child.returncode is None:
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(child.pid, signal.SIGKILL)


def _quote(*lines: str) -> str:
    """Return what a program said, of a long text both ends."""
    said = _COLOUR.sub("", "\n".join(lines)).strip()
    if not said:
        return "nothing"
    return repr(said if len(said) <= 200 else f"{said[:100]} … {said[-100:]}")
