"""Reading SMCDEL's language: a text goes in, a structure with queries comes out."""

import re
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from ...syntax.formula import (
    And,
    Announce,
    Atom,
    Bot,
    Formula,
    Iff,
    Implies,
    Knows,
    Not,
    Or,
    Structure,
    Top,
    knows_whether,
)
from .language import KEYWORDS, LISTS, NAME, OF_GROUPS, PREFIXES, QUANTIFIERS, QUERIES, SYNONYMS, VERBS, Query


class ParseError(ValueError):
    """Say, in SMCDEL's words, where a text stops being its language, or what the text does not declare."""


# The longest first. "knows that" is one token, as the column of the recorded error shows. A sign that begins as a token
# does is told one column later: "-", and whatever begins in UTF-8 with the first byte of "¬", or of "∧", "∨" and "→".
_TOKEN = re.compile(
    rf"""(?P<blank>[ \t\n\v\f\r]+|--[^\n]*)
    |(?P<fixed>(?:knows|comknow|distknow)[ ](?:that|whether)|(?:TRUE|VALID|WHERE)\?|->|[][(){{}}<>!?&|~¬∧∨→:,])
    |(?P<word>{NAME})|(?P<number>[0-9]+)|(?P<broken>[-\x80-\xbf\u2000-\u2fff])|(?P<wrong>.)""",
    re.VERBOSE,
)

# The signs between two formulas: how tightly each binds, and what it makes of the two.
_SIGNS: dict[str, tuple[int, Callable[[Formula, Formula], Formula]]] = {
    "->": (1, Implies),
    "iff": (1, Iff),
    "&": (2, lambda left, right: And((left, right))),
    "|": (2, lambda left, right: Or((left, right))),
}
# "knows that", and so on; and those of them that stand behind several agents.
_OPERATORS = [f"{verb} {link}" for verb in VERBS for link in ("that", "whether")]
_OF_GROUPS = [f"{verb} {link}" for verb in OF_GROUPS for link in ("that", "whether")]
_SIMPLE = ("number", "~", "Top", "Bot", *LISTS, *PREFIXES, *QUANTIFIERS)


def parse(text: str) -> tuple[Structure, tuple[Query, ...]]:
    """Return the structure and the queries of an input. Raises ParseError where it is not SMCDEL's language."""
    return _Parser(text).problem()


def _tokens(text: str) -> Iterator[tuple[str, str, int]]:
    """Yield each token's kind, its text and where it starts.

    A keyword or sign is its own kind, or the kind of its synonym. The others are "word", "number", "wrong", and "end"
    behind the last token: there SMCDEL's messages point at the beginning.
    """
    for match in _TOKEN.finditer(text):
        kind, token = match.lastgroup or "", match[0]  # every part of the pattern has a name
        if kind == "fixed" or token in KEYWORDS:
            token = SYNONYMS.get(token, token)
            yield token, token, match.start()
        elif kind == "broken":
            yield "wrong", token, match.end()
        elif kind != "blank":
            yield kind, token, match.start()
    yield "end", "", 0


class _Parser:
    """Read SMCDEL's language by recursive descent, with one token of lookahead.

    Signs between two formulas bind at two levels, and associate to the left. Among prefixes, `~`, announcements and
    `a knows that` take the nearest operand; `K a` and `Forall 1` take all that follows.
    """

    def __init__(self, text: str) -> None:
        self._text, self._tokens = text, _tokens(text)
        self._advance()

    def _advance(self) -> None:
        self._kind, self._token, self._at = next(self._tokens)

    def _take(self, *kinds: str) -> str:
        """Return the next token, which must be of one of these kinds, and go on."""
        if self._kind not in kinds:
            before = self._text[: self._at].split("\n")
            place = f"line {len(before)}, column {len(before[-1].expandtabs()) + 1}"  # a tab goes on to a multiple of 8
            raise ParseError(f"lexical error at {place}" if self._kind == "wrong" else f"Parse error in {place}")
        token = self._token
        self._advance()
        return token

    def _skip(self, kind: str) -> bool:
        """Go on if the next token is of this kind; return whether it was."""
        return self._kind == kind and self._take(kind) == kind

    def _list(self, read: Callable[[], Any]) -> tuple[Any, ...]:
        """Read one item or more, with commas between them."""
        items = [read()]
        while self._skip(","):
            items.append(read())
        return tuple(items)

    def _number(self) -> int:
        """Return the next number. SMCDEL keeps the lowest 64 bits, which the last 64 digits decide, with a sign."""
        return (int(self._take("number")[-64:]) + 2**63) % 2**64 - 2**63

    def _numbers(self) -> tuple[int, ...]:
        return self._list(self._number)

    def _agents(self) -> tuple[str, ...]:
        return self._list(lambda: self._take("word"))

    def problem(self) -> tuple[Structure, tuple[Query, ...]]:
        """Read a structure and the queries on it."""
        self._take("VARS")
        atoms = self._numbers()
        self._take("LAW")
        law = self.formula()
        self._take("OBS")
        observes: list[tuple[str, tuple[int, ...]]] = []
        while not observes or self._kind == "word":
            agent = self._take("word")
            self._take(":")
            observes.append((agent, self._numbers()))
        queries = []
        while self._kind != "end":
            queries.append(self._query())
        return Structure(atoms, law, tuple(observes)), tuple(queries)

    def _query(self) -> Query:
        word = self._take(*QUERIES)
        state: tuple[int, ...] = ()
        if word == "TRUE?":
            self._take("{")
            state = () if self._kind == "}" else self._numbers()
            self._take("}")
        return Query(word, self.formula(), state)

    def formula(self, left: Formula | None = None, least: int = 1) -> Formula:
        """Read a whole formula, or up to the next sign that binds less tightly than `least`.

        left: its first operand where that was read already.
        """
        left = left or self._operand()
        while self._kind in _SIGNS and _SIGNS[self._kind][0] >= least:
            level, combine = _SIGNS[self._kind]
            self._advance()
            left = combine(left, self.formula(least=level + 1))
        return left

    def _operand(self) -> Formula:
        match self._kind:
            case "[" | "<":
                return self._announcement()
            case "(":
                return self._parenthesised(many=False)[0]
            case "word":
                return self._knowledge(self._agents())
            case "number":
                return Atom(self._number())
        match self._take(*_SIMPLE):
            case "~":
                return Not(self._operand())
            case "Top":
                return Top()
            case "Bot":
                return Bot()
            case word if word in LISTS:
                self._take("(")
                parts = self._list(self.formula)
                self._take(")")
                return LISTS[word](parts)
            case word if word in PREFIXES:
                return Knows(self._take("word"), self.formula(), PREFIXES[word])
            case word:
                return QUANTIFIERS[word](self._numbers(), self.formula())

    def _parenthesised(self, many: bool) -> tuple[Formula, ...]:
        """Read a formula in parentheses, several if `many`, or group knowledge of agents in parentheses."""
        self._take("(")
        first = None
        if self._kind == "word":
            agents = self._agents()
            if self._skip(")"):
                return (self._knowledge(agents, _OF_GROUPS),)
            first = self._knowledge(agents)
        formulas = [self.formula(first)]
        while many and self._skip(","):
            formulas.append(self.formula())
        self._take(")")
        return tuple(formulas)

    def _knowledge(self, agents: tuple[str, ...], operators: Iterable[str] = _OPERATORS) -> Formula:
        """Read what follows the agents at the beginning of a formula about their knowledge."""
        verb, link = self._take(*operators if len(agents) == 1 else _OF_GROUPS).split(" ")
        whether = link == "whether"
        if verb in OF_GROUPS:
            return OF_GROUPS[verb](agents, self._operand(), whether)
        [agent] = agents
        if whether and self._kind == "(":
            parts = tuple(knows_whether(agent, formula) for formula in self._parenthesised(many=True))
            return parts[0] if len(parts) == 1 else And(parts)
        return Knows(agent, self._operand(), whether)

    def _announcement(self) -> Formula:
        dual = self._take("[", "<") == "<"
        agents = self._agents() if self._kind == "word" else None
        whether = self._skip("?")
        self._take("!")
        announcement = self.formula()
        self._take(">" if dual else "]")
        after = self._operand()
        if dual:
            return Not(Announce(announcement, Not(after), agents, whether))
        return Announce(announcement, after, agents, whether)
