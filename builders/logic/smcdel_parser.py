"""Own SMCDEL's language and the SMCDEL program: formulas in and out of its notations, its answers, and asking it.

SMCDEL (Gattinger, https://github.com/jrclogic/SMCDEL) is a symbolic model checker for dynamic epistemic logic. What it
prints and how it groups is taken from recordings of version 1.3.0, `tests/logic/smcdel_transcripts.json`. It has two
notations: `parse` and `spell` are about what it reads, `echo` is what it prints. `answer` is this project's own
program that speaks both, given a checker; `Smcdel` asks a program, the real one or that.
"""

import re
from collections.abc import Callable, Iterator
from typing import Any

from builders.logic.formula import (
    And,
    Announce,
    AnnounceTo,
    AnnounceWhether,
    AnnounceWhetherTo,
    Atom,
    Bot,
    Formula,
    Iff,
    Implies,
    KnowsWhether,
    Not,
    Or,
    Structure,
    Top,
)
from builders.logic.smcdel_syntax import (
    _ALONE,
    _BOUND,
    _KEYWORDS,
    _MANY,
    _NAME,
    _PREFIX,
    _TOGETHER,
    Query,
    TrueAt,
    Valid,
    Where,
)


class ParseError(ValueError):
    """Say, as SMCDEL does, where a text stops being its language, or what is undeclared in it."""


# The longest first. "knows that" is one token, as the column of the recorded error shows; a number fits a machine word.
_TOKEN = re.compile(
    rf"""(?P<blank>[ \t\n\v\f\r]+|--[^\n]*)
    |(?P<fixed>(?:knows|comknow|distknow)[ ](?:that|whether)|(?:TRUE|VALID|WHERE)\?|->|[][(){{}}<>!?&|~:,])
    |(?P<word>{_NAME})|(?P<number>[0-9]{{1,18}})|(?P<wrong>.)""",
    re.VERBOSE,
)


_BINARY = {
    "&": lambda left, right: And((left, right)),
    "|": lambda left, right: Or((left, right)),
    "->": Implies,
    "iff": Iff,
}


def _place(text: str, at: int) -> str:
    """Say where in a text a character is, counted from 1; a tab goes on to the next multiple of eight."""
    start = text.rfind("\n", 0, at) + 1
    return f"line {text.count(chr(10), 0, at) + 1}, column {len(text[start:at].expandtabs()) + 1}"


def _tokens(text: str) -> Iterator[tuple[str, str, int]]:
    """Yield each token's kind, its text and where it starts; one at a time, so that the first error in a text wins."""
    for found in _TOKEN.finditer(text):
        kind, said = found.lastgroup, found.group()
        if kind == "wrong":
            raise ParseError(f"lexical error at {_place(text, found.start())}")
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
            raise ParseError(f"Parse error in {_place(self._text, self._at)}")
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
    """Return the structure that a text in SMCDEL's language describes, and its queries; or raise ParseError."""
    parser = _Parser(text)
    return parser.whole(parser.problem)


def parse_formula(text: str) -> Formula:
    """Return the formula that a text in SMCDEL's language is, or raise ParseError."""
    parser = _Parser(text)
    return parser.whole(parser.formula)
