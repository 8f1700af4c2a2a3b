"""What acts lead to from some alternatives, as arrays: so that many sets of goals can be judged fast.

A table for each turn has a row for each state that may then be, and a column for each act; questions, which change
nothing, are left out. The tables do not depend on the goals, if these are about chains that were named. With goals they
tell how many lines win each state if it is known, and so how often players win who do not find out first.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace

import numpy as np

from ...meaning import Chain
from ..game import IS, RIGHT, Goal
from ..world import FIELD, World
from .game import Partial
from .solve import COME, LOST, MOVE, SEEN, WAIT, Policies, SinglePlan, bits_of


class Reached:
    """Know where acts lead from some alternatives, for goals about some chains."""

    def __init__(self, game: Partial, chains: Iterable[Chain], worlds: Sequence[World], most: int) -> None:
        """Follow all acts; `large` says that there are more than so many states, and that nothing else is known."""
        ends = {chain[first:] for chain in chains for first in range(len(chain) + 1)}
        self._chains = {chain: place for place, chain in enumerate(sorted(ends))}
        goals = tuple(Goal(RIGHT, chain) for chain in self._chains if chain)
        self._policies = Policies(replace(game, goals=goals))
        self.turns = self._policies.turns
        starts = [self._policies.known_state(0, self._policies.state(world)) for world in worlds]
        states = {state: place for place, state in enumerate(dict.fromkeys(starts))}
        self.starts = [states[state] for state in starts]  # by alternative the row of its state
        self._then: list[np.ndarray] = []
        self._seen: list[np.ndarray] = []
        total = len(states)
        for turn in range(self.turns):
            after: dict[int, int] = {}
            rows = [self._row(turn, state, after) for state in states]
            self._then.append(np.array([then for then, _ in rows], dtype=np.int32))
            self._seen.append(np.array([seen for _, seen in rows], dtype=np.int32))
            states, total = after, total + len(after)
            if total > most:
                break
        self.large = total > most
        if not self.large:
            shifts = [self._policies.shifts[chain] for chain in self._chains]
            beliefs = [self._policies.states[state][1] for state in states]
            self._final = np.array([[(held >> shift & FIELD).bit_length() for shift in shifts] for held in beliefs])

    def _row(self, turn: int, state: int, after: dict[int, int]) -> tuple[list[int], list[int]]:
        """Return by act the row of the state after it, -1 where it cannot be done, and what the player perceives."""
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
        met = np.ones(len(self._final), dtype=bool)
        for kind, chain, container in goals:
            own = self._final[:, self._chains[chain]]
            if kind == IS:
                met &= own == (container or 0) + 1
            else:
                met &= (own == self._final[:, self._chains[chain[1:]]]) == (kind == RIGHT)
        self._met = met
        needs = np.where(met, 0, LOST)
        self._needs: list[np.ndarray] = [needs] * self.turns
        for turn in reversed(range(self.turns)):
            lines = np.append(needs, LOST)[self._then[turn]] + 1  # what cannot be done is in the last place
            lines[:, WAIT] -= 1
            self._needs[turn] = np.minimum(lines, LOST)
            needs = self._needs[turn].min(axis=1)
        return [int(needs[row]) for row in self.starts]

    def lured(self, places: Sequence[int]) -> int:
        """Return in how many of some alternatives, which are all there are, the player `hindsight` wins."""
        return self._lured(0, np.array([self.starts[place] for place in places]))

    def _lured(self, turn: int, rows: np.ndarray) -> int:
        if turn == self.turns:
            return int(self._met[rows].sum())
        act = self._needs[turn][rows].sum(axis=0).argmin()
        then, seen = self._then[turn][rows, act], self._seen[turn][rows, act]
        return sum(self._lured(turn + 1, then[seen == code]) for code in sorted({*seen.tolist()}))

    def ends(self, turn: int, row: int) -> list[int]:
        """Return by act the row of the state after it, -1 where it cannot win."""
        able = self._needs[turn][row] <= self.turns - turn
        ends: list[int] = np.where(able, self._then[turn][row], -1).tolist()
        return ends

    def most(self, places: Sequence[int]) -> int:
        """Return in how many of some alternatives one plan wins."""
        return SinglePlan(self).most([self.starts[place] for place in places])
