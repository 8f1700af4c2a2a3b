"""What acts lead to from some alternatives, in tables: so that many sets of goals can be judged fast.

A table for each turn has a row for each state that may then be, with an entry for each act; questions, which change
nothing, are left out. The tables do not depend on the goals, if these are about chains that were named. With goals they
tell how many lines win each state if it is known, and so how often players win who do not find out first.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from ...meaning import Chain
from ..game import IS, RIGHT, Goal
from ..world import FIELD, World
from .game import Partial
from .solve import COME, LOST, MOVE, SEEN, WAIT, Policies, SinglePlan, bits_of

Row = list[int]


class Reached:
    """Know where acts lead from some alternatives, for goals about some chains."""

    def __init__(self, game: Partial, chains: Iterable[Chain], worlds: Sequence[World], most: int) -> None:
        """Follow all acts. With more than `most` states, `large` is true and nothing else is known."""
        ends = {chain[first:] for chain in chains for first in range(len(chain) + 1)}
        self._chains = {chain: place for place, chain in enumerate(sorted(ends))}
        goals = tuple(Goal(RIGHT, chain) for chain in self._chains if chain)
        self._policies = Policies(replace(game, goals=goals))
        self.turns = self._policies.turns
        starts = [self._policies.known_state(0, self._policies.state(world)) for world in worlds]
        states = {state: place for place, state in enumerate(dict.fromkeys(starts))}
        self.starts = [states[state] for state in starts]  # by alternative the row of its state
        self._then: list[list[Row]] = []  # by turn, row and act the row after it, -1 where it cannot be done
        self._seen: list[list[Row]] = []  # … and the number of what the player perceives
        self._others: list[list[set[int]]] = []  # by turn and row the rows after all acts but waiting
        total = len(states)
        for turn in range(self.turns):
            after: dict[int, int] = {}
            rows = [self._row(turn, state, after) for state in states]
            self._then.append([then for then, _ in rows])
            self._seen.append([seen for _, seen in rows])
            self._others.append([{*then[WAIT + 1 :]} for then, _ in rows])
            states, total = after, total + len(after)
            if total > most:
                break
        self.large = total > most
        shifts = [self._policies.shifts[chain] for chain in self._chains]
        beliefs = [self._policies.states[state][1] for state in states]
        self._final = [[(held >> shift & FIELD).bit_length() - 1 for shift in shifts] for held in beliefs]

    def _row(self, turn: int, state: int, after: dict[int, int]) -> tuple[Row, Row]:
        """Return by act the row of the state after it, and what the player perceives."""
        policies = self._policies
        bare, beliefs = policies.states[state]
        place = (beliefs & FIELD).bit_length()
        then, seen = [-1] * policies.acts.bit_length(), [0] * policies.acts.bit_length()
        for bits, (kind, moved, taught, container) in policies.doings_alike(turn, bare):
            bits &= policies.acts
            if not bits or kind == MOVE and container == place - 1:
                continue
            held = beliefs
            if taught:
                held = held & ~(FIELD * taught) | taught << (place - 1 if kind == COME else container)
            code, end, ends = policies.response(turn, moved, held)
            number = policies.known_id(turn + 1, end, ends)
            row, code = after.setdefault(number, len(after)), code * SEEN + (place if kind == COME else 0)
            for act in bits_of(bits):
                then[act], seen[act] = row, code
        return then, seen

    def judge(self, goals: Iterable[Goal]) -> list[int]:
        """Return how many lines win each alternative if it is known, LOST for none; go on with these goals."""
        self._met = [True] * len(self._final)
        for kind, chain, container in goals:
            own, other = self._chains[chain], self._chains[chain[1:]]
            for row, held in enumerate(self._final):
                holds = held[own] == container if kind == IS else (held[own] == held[other]) == (kind == RIGHT)
                if not holds:
                    self._met[row] = False
        needs = [0 if met else LOST for met in self._met]
        self._needs = [needs]  # by turn and row, with LOST in the last place, for what cannot be done
        for turn in reversed(range(self.turns)):
            needs.append(LOST)
            line = needs.__getitem__
            needs = [
                min(needs[then[WAIT]], 1 + min(map(line, others)), LOST)
                for then, others in zip(self._then[turn], self._others[turn], strict=True)
            ]
            self._needs.insert(0, needs)
        return [needs[row] for row in self.starts]

    def _lines(self, turn: int, row: int) -> Row:
        """Return by act how many lines win a row if it comes first, LOST for none."""
        needs, then = self._needs[turn + 1], self._then[turn][row]
        return [needs[then[WAIT]], *[min(needs[end] + 1, LOST) for end in then[WAIT + 1 :]]]

    def lured(self, places: Sequence[int]) -> int:
        """Return in how many of some alternatives, which are all there are, the player `hindsight` wins."""
        return self._lured(0, [self.starts[place] for place in places])

    def _lured(self, turn: int, rows: Sequence[int]) -> int:
        if turn == self.turns:
            return sum(self._met[row] for row in rows)
        worth = [*map(sum, zip(*[self._lines(turn, row) for row in rows], strict=True))]
        act = worth.index(min(worth))
        parts: dict[int, Row] = {}
        for row in rows:
            parts.setdefault(self._seen[turn][row][act], []).append(self._then[turn][row][act])
        return sum(self._lured(turn + 1, part) for part in parts.values())

    def ends(self, turn: int, row: int) -> Row:
        """Return by act the row of the state after it, -1 where it cannot win."""
        left, then = self.turns - turn, self._then[turn][row]
        return [end if lines <= left else -1 for end, lines in zip(then, self._lines(turn, row), strict=True)]

    def most(self, places: Sequence[int]) -> int:
        """Return in how many of some alternatives one plan wins."""
        return SinglePlan(self).most([self.starts[place] for place in places])
