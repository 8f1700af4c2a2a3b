"""AND–OR search for a policy that wins whatever is true, with the fewest lines that it may need.

A node is a turn and the set of states that the player holds possible: what he perceived leaves them, and no others. A
line leads to one node for each thing that he may then perceive, and all of them must be won. Alternatives whose states
have become the same are one.

Whoever knows the truth needs no more lines than whoever does not. So what is best with the truth known is found first,
in states that keep only what goals and script look at; a line is tried where it loses no state by that. The doings of
the player are numbers, and sets of them bits.
"""

from collections import defaultdict
from collections.abc import Iterable
from functools import cached_property
from typing import NamedTuple, Protocol

from ....syntax.events import Come, Event, Exit, Move, Overhear, Report, Tell
from ..game import WRONG, heard_by
from ..world import FIELD, THING, World, chains_of
from .game import Ask, Avowal, Bare, Doing, Effects, Partial, barred, fault, perceived

NEVER = 99  # more lines than any episode has turns
LOST = 10_000  # what an alternative that cannot be won counts for: more than all lines for all alternatives
Node = frozenset[int]  # the states that the player holds possible
WAIT = 0  # the number of the doing that is none
# Kinds of doings: to exit or wait, to come in, to claim something, to move the thing, to ask.
GO, COME, CLAIM, MOVE, ASK = range(5)
SEEN = 16  # what is perceived of the others is this often a number of its own, and a container


class Way(NamedTuple):
    """Say what a doing does in a bare world."""

    kind: int
    after: int  # the bare world after it
    taught: int  # the chains that it teaches; of a question the place of the chain that it asks for
    container: int


class Done(NamedTuple):
    """Say what the others do in a bare world."""

    after: int  # the bare world after it
    taught: int  # the chains that it teaches
    container: int
    look: int | None  # where the container is to be looked up instead: the place of a chain
    seen: int  # the number of what the player perceives, 0 for nothing
    moves: bool  # whether it is left out where the thing is in the container already


class Policies:
    """Know the policies of an episode."""

    def __init__(self, game: Partial) -> None:
        self.game, self.turns = game, game.turns
        self.doings = game.doings
        # All doings but questions, which come last.
        self.acts = (1 << sum(not isinstance(doing, Ask) for doing in self.doings)) - 1
        self._lines = [bland(doing) if isinstance(doing, Event) else None for doing in self.doings]
        self.shifts = chains_of(game.n_agents)
        self.effects = Effects(game.n_agents, game.rule)
        self.bares: list[Bare] = []
        self.states: list[tuple[int, int]] = []  # each the number of a bare world, and beliefs
        self._bare_ids: dict[Bare, int] = {}
        self._state_ids: dict[tuple[int, int], int] = {}
        self._ways: dict[tuple[int, Overhear | None], list[Way | None]] = {}
        self._done: dict[tuple[int, int, int], Done | None] = {}
        self._sure: dict[tuple[int, Node, int, bool], int] = {}
        self._curious: dict[tuple[int, Node], tuple[int, int]] = {}
        turns = range(self.turns)
        self._moves: list[dict[tuple[int, int], tuple[int, int]]] = [{} for _ in turns]
        self._goods: list[dict[int, list[int]]] = [{} for _ in turns]
        self._ends: list[dict[int, list[tuple[int, int, int]]]] = [{} for _ in turns]
        self._needs: list[dict[int, list[int]]] = [{} for _ in turns]
        self._alike: list[dict[int, list[tuple[int, Way]]]] = [{} for _ in turns]
        self._may_teach: list[dict[int, int]] = [{} for _ in turns]
        # Of each goal its chains, where they are, and the bit of the container; or 0, and whether they must differ.
        self._goals: list[tuple[int, int, int, int, bool]] = []
        for kind, chain, container in game.goals:
            own, other = self.shifts[chain], self.shifts[chain[1:]]
            bit = 1 << container if container is not None else 0
            self._goals.append((1 << own | (0 if bit else 1 << other), own, other, bit, kind == WRONG))
        self._find_needed()

    def _find_needed(self) -> None:
        """Find which beliefs matter before each turn, to those who know the truth and to those who may ask."""
        shifts, game = self.shifts, self.game
        needed = FIELD
        for goal in game.goals:
            for chain in goal.chains:
                needed |= FIELD << shifts[chain]
        self.known, self.asked = [needed], [needed]
        curious = sum(FIELD << shift for chain, shift in shifts.items() if len(chain) in (1, 2))
        for turn in reversed(range(self.turns)):
            response = game.script[turn]
            needed |= FIELD << shifts[response.chain]
            for deed in (response.deed, response.otherwise):
                if isinstance(deed, Avowal):
                    needed |= FIELD << shifts[deed.agent,]
            self.known.insert(0, needed)
            # In the last turn there is nothing to be learned by a question.
            self.asked.insert(0, needed | (curious if turn < self.turns - 1 else 0))

    # States

    def _bare_id(self, bare: Bare) -> int:
        found = self._bare_ids.get(bare)
        if found is None:
            found = self._bare_ids[bare] = len(self.bares)
            self.bares.append(bare)
        return found

    def _state_id(self, bare: int, beliefs: int) -> int:
        key = bare, beliefs
        found = self._state_ids.get(key)
        if found is None:
            found = self._state_ids[key] = len(self.states)
            self.states.append(key)
        return found

    def state(self, world: World, turn: int = 0) -> int:
        """Return the number of the state of a world before a turn."""
        return self._state_id(self._bare_id(self.effects.bare(world)), world.beliefs & self.asked[turn])

    @cached_property
    def root(self) -> Node:
        """Return the states before the first turn."""
        return frozenset(self.state(world) for world in self.game.starts)

    def known_state(self, turn: int, state: int) -> int:
        """Return the state with what matters to those who know the truth."""
        return self.known_id(turn, *self.states[state])

    def known_id(self, turn: int, bare: int, beliefs: int) -> int:
        """Return the number of the state with what matters to those who know the truth, of a bare world and beliefs."""
        return self._state_id(bare, beliefs & self.known[turn])

    # What a turn leads to

    def ways(self, turn: int, bare: int) -> list[Way | None]:
        """Return what each doing does in a bare world, None for what cannot be done."""
        listener = self.game.script[turn].listener
        found = self._ways.get((bare, listener))
        if found is None:
            found = [self._way(bare, *pair, listener) for pair in zip(self.doings, self._lines, strict=True)]
            self._ways[bare, listener] = found
        return found

    def _way(self, bare: int, doing: Doing, line: Event | None, listener: Overhear | None) -> Way | None:
        world = self.bares[bare]
        if fault(world, doing):
            return None
        if isinstance(doing, Ask):
            return Way(ASK, bare, self.shifts[doing.chain], 0)
        if doing is None or line is None:
            return Way(GO, bare, 0, 0)
        heard = heard_by(listener, doing)
        then, taught = self.effects.of(world, line, heard[0] if heard else None)
        kind = {Come: COME, Exit: GO, Move: MOVE}.get(type(doing), CLAIM)
        return Way(kind, self._bare_id(then), taught, getattr(doing, "container", 0))

    def _deed(self, turn: int, branch: int, bare: int) -> Done | None:
        """Return what one deed of a response does in a bare world, None where it is none or cannot be done."""
        key = turn, branch, bare
        if key not in self._done:
            self._done[key] = self._new_deed(turn, branch, bare)
        return self._done[key]

    def _new_deed(self, turn: int, branch: int, bare: int) -> Done | None:
        response, world = self.game.script[turn], self.bares[bare]
        deed, look = (response.otherwise if branch else response.deed), None
        line: Event | None = None
        if isinstance(deed, Avowal):
            line, look = deed.claim(0), self.shifts[deed.agent,]
        elif deed is not None and not barred(world, deed):
            line = bland(deed)
        if line is None:
            return None
        if isinstance(line, Come):
            look = self.shifts[()]
        then, taught = self.effects.of(world, line)
        seen = 0 if perceived(world, line) is None else SEEN * (1 + self._kinds[turn].index(line))
        return Done(self._bare_id(then), taught, getattr(deed, "container", 0), look, seen, isinstance(line, Move))

    @cached_property
    def _kinds(self) -> list[list[Event]]:
        """Return by turn what the others may do, whatever the container: alike in all readings of an episode."""
        return [
            [bland(deed.claim(0) if isinstance(deed, Avowal) else deed) for deed in response[3:] if deed is not None]
            for response in self.game.script
        ]

    def response(self, turn: int, bare: int, beliefs: int) -> tuple[int, int, int]:
        """Return the number of what the player perceives of a response, and the state after it."""
        _, chain, container, _, _ = self.game.script[turn]
        branch = 1 if chain and beliefs >> self.shifts[chain] & FIELD != 1 << container else 0
        deed = self._deed(turn, branch, bare)
        if deed is None:
            return 0, bare, beliefs
        then, taught, container, look, seen, moves = deed
        if look is not None:
            container = (beliefs >> look & FIELD).bit_length() - 1
        if moves and beliefs >> container & 1:
            return 0, bare, beliefs
        if seen and look != 0:  # who comes in shows nothing to a player who is inside
            seen += container
        return seen, then, beliefs & ~(FIELD * taught) | taught << container

    def able(self, turn: int, state: int, doing: int) -> bool:
        """Return whether something can be done in a state."""
        bare, beliefs = self.states[state]
        way = self.ways(turn, bare)[doing]
        return way is not None and not (way.kind == MOVE and beliefs >> way.container & 1)

    def moved(self, turn: int, state: int, doing: int) -> tuple[int, int]:
        """Return the number of what the player perceives of a turn, and the state after it.

        What cannot be done does nothing.
        """
        key = state, doing
        found = self._moves[turn].get(key)
        if found is None:
            found = self._moves[turn][key] = self._moved(turn, state, doing)
        return found

    def _moved(self, turn: int, state: int, doing: int) -> tuple[int, int]:
        bare, beliefs = self.states[state]
        way = self.ways(turn, bare)[doing]
        if way is None or not self.able(turn, state, doing):
            return self.moved(turn, state, WAIT)
        kind, then, taught, container = way
        answer = 0
        if kind == ASK:
            answer = (beliefs >> taught & FIELD).bit_length()
        else:
            if kind == COME:
                answer = (beliefs & FIELD).bit_length()
                container = answer - 1
            beliefs = beliefs & ~(FIELD * taught) | taught << container
        seen, then, beliefs = self.response(turn, then, beliefs)
        return seen * SEEN + answer, self._state_id(then, beliefs & self.asked[turn + 1])

    # With the truth known

    def met(self, state: int) -> bool:
        """Return whether all goals hold at the end."""
        return not self._unmet(self.states[state][1])

    def _unmet(self, beliefs: int) -> list[int]:
        """Return the chains of each goal that does not hold."""
        return [
            chains
            for chains, own, other, bit, wrong in self._goals
            if (beliefs >> own & FIELD != bit if bit else ((beliefs >> own ^ beliefs >> other) & FIELD != 0) != wrong)
        ]

    def least_known(self, turn: int, state: int) -> int:
        """Return the least number of lines that win a state before a turn if it is known, NEVER where none do."""
        if turn == self.turns:
            return 0 if self.met(state) else NEVER
        return next((lines for lines, doings in enumerate(self.good(turn, state)) if doings), NEVER)

    def good(self, turn: int, state: int) -> list[int]:
        """Return which doings keep a win possible with 0, 1, … lines if the state is known."""
        goods = self._goods[turn]
        found = goods.get(state)
        if found is None:
            known = self.known_state(turn, state)
            found = goods[state] = self._good(turn, known) if known == state else self.good(turn, known)
        return found

    def _good(self, turn: int, state: int) -> list[int]:
        """Return what `good` does, for a state with what matters to those who know the truth."""
        bare, beliefs = self.states[state]
        left, keep = self.turns - turn - 1, self.known[turn + 1]
        found = [0] * (left + 2)
        ends: dict[tuple[int, int], tuple[int, int]] = {}
        place = (beliefs & FIELD).bit_length() - 1
        unmet = () if left else self._unmet(beliefs)
        led = self._ends[turn][state] = []
        for bits, (kind, then, taught, container) in self.doings_alike(turn, bare):
            if kind == MOVE and container == place:
                continue
            if unmet:  # in the last turn each of them must change
                changed = taught | self._taught_then(turn, then)
                if not all([changed & chains for chains in unmet]):
                    continue
            after = beliefs
            if taught:
                after = after & ~(FIELD * taught) | taught << (place if kind == COME else container)
            known = ends.get((then, after))
            if known is None:
                _, end, beliefs_then = self.response(turn, then, after)
                number = self._state_id(end, beliefs_then & keep)
                known = ends[then, after] = number, self.least_known(turn + 1, number)
            number, need = known
            if need > left:
                continue
            led.append((bits, number, need))
            if bits & 1:
                for lines in range(need, left + 2):
                    found[lines] |= 1
                bits &= ~1
            for lines in range(need + 1, left + 2):
                found[lines] |= bits
        return found

    def _taught_then(self, turn: int, bare: int) -> int:
        """Return the chains that the others may teach after a turn."""
        found = self._may_teach[turn].get(bare)
        if found is None:
            found = 0
            for branch in range(2 if self.game.script[turn].chain else 1):
                deed = self._deed(turn, branch, bare)
                found |= deed.taught if deed else 0
            self._may_teach[turn][bare] = found
        return found

    def doings_alike(self, turn: int, bare: int) -> list[tuple[int, Way]]:
        """Return the doings in a bare world that are alike to those who know the truth, with what they do.

        Waiting is in the first group, and questions too.
        """
        found = self._alike[turn].get(bare)
        if found is None:
            known = self.known[turn]
            minds = sum(1 << shift for shift in self.shifts.values() if known >> shift & 1)
            groups: dict[Way, int] = {}
            for number, way in enumerate(self.ways(turn, bare)):
                if way is None or way.kind == ASK and turn + 1 == self.turns:
                    continue
                taught = 0 if way.kind == ASK else way.taught & minds
                kind = GO if way.kind in (ASK, CLAIM) else way.kind
                alike = Way(kind, way.after, taught, way.container if taught else 0)
                groups[alike] = groups.get(alike, 0) | 1 << number
            found = self._alike[turn][bare] = [(bits, way) for way, bits in groups.items()]
        return found

    def ends(self, turn: int, state: int) -> list[int]:
        """Return by act the state after it, with what matters to those who know the truth; -1 where it cannot win."""
        state = self.known_state(turn, state)
        good = self.good(turn, state)[self.turns - turn] & self.acts
        found = [-1] * self.acts.bit_length()
        for bits, number, _ in self._ends[turn][state]:
            for act in bits_of(bits & good):
                found[act] = number
        return found

    def needs(self, turn: int, state: int) -> list[int]:
        """Return by act how many lines win a known state if it comes first, LOST for none."""
        state = self.known_state(turn, state)
        found = self._needs[turn].get(state)
        if found is None:
            self.good(turn, state)
            found = self._needs[turn][state] = [LOST] * self.acts.bit_length()
            for bits, _, need in self._ends[turn][state]:
                for number in bits_of(bits & self.acts):
                    found[number] = need + (number != WAIT)
        return found

    # Without it

    def parts(self, turn: int, node: Iterable[int], doing: int) -> dict[int, set[int]]:
        """Return the nodes that a doing leads to, by what the player perceives."""
        found: dict[int, set[int]] = defaultdict(set)
        for state in node:
            seen, after = self.moved(turn, state, doing)
            found[seen].add(after)
        return found

    def common(self, turn: int, node: Iterable[int], lines: int) -> int:
        """Return the doings that keep a win possible in each state of a node if it is known."""
        doings = -1
        for state in node:
            doings &= self.good(turn, state)[lines]
            if not doings:
                break
        return doings

    def sure(self, turn: int, node: Node, lines: int, asking: bool = True) -> bool:
        """Return whether some policy of at most some lines wins in every state of a node."""
        return self.choice(turn, node, lines, asking) >= 0

    def choice(self, turn: int, node: Node, lines: int, asking: bool = True) -> int:
        """Return the first doing of a policy of at most some lines that wins a node for sure, -1 where there is none.

        asking: whether the policy may ask.
        """
        lines = min(lines, self.turns - turn)
        if not asking:
            node = frozenset([self.known_state(turn, state) for state in node])
        key = turn, node, lines, asking
        found = self._sure.get(key)
        if found is None:
            found = self._sure[key] = self._choice(turn, node, lines, asking)
        return found

    def _choice(self, turn: int, node: Node, lines: int, asking: bool) -> int:
        if turn == self.turns:
            return WAIT if all(map(self.met, node)) else -1
        common = self.common(turn, node, lines) & (-1 if asking else self.acts)
        if not common or len(node) == 1 or turn + 1 == self.turns:
            return (common & -common).bit_length() - 1
        for _, number, nodes in self.options(turn, node, lines, common):
            left = lines - (number != WAIT)
            if all([self.sure(turn + 1, part, left, asking) for part in nodes]):
                return number
        return -1

    def options(self, turn: int, node: Node, lines: int, doings: int) -> list[tuple[tuple[int, int], int, list[Node]]]:
        """Return doings that differ in what they lead to, most promising first: their numbers, and their nodes."""
        options, known = [], set()
        for number in bits_of(doings):
            parts = self.parts(turn, node, number)
            left = min(lines - (number != WAIT), self.turns - turn - 1)
            if all([self.common(turn + 1, part, left) for part in parts.values()]):
                nodes = [*map(frozenset, parts.values())]
                alike = frozenset(nodes)
                if alike not in known:
                    known.add(alike)
                    nodes.sort(key=len, reverse=True)
                    options.append(((len(nodes[0]), -len(nodes)), number, nodes))
        options.sort(key=lambda option: option[:2])
        return options

    def curious(self, turn: int, node: Node) -> tuple[int, int]:
        """Return the most questions on some branch of a policy that wins a node, and the first doing of such a policy.

        Only questions count whose answers tell states apart. The doing is -1 where no policy wins.
        """
        key = turn, node
        found = self._curious.get(key)
        if found is None:
            found = 0, self.choice(turn, node, self.turns)
            if found[1] >= 0 and len(node) > 1 and turn + 1 < self.turns:
                lines = self.turns - turn
                for _, number, nodes in self.options(turn, node, lines, self.common(turn, node, lines)):
                    if all([self.sure(turn + 1, part, lines - (number != WAIT)) for part in nodes]):
                        asks = len(nodes) > 1 and isinstance(self.doings[number], Ask)
                        most = asks + max(self.curious(turn + 1, part)[0] for part in nodes)
                        found = max(found, (most, number), key=lambda option: option[0])
            self._curious[key] = found
        return found

    def least(self, asking: bool = True) -> int:
        """Return the least number of lines by which some policy wins for sure, NEVER where none does."""
        return next((lines for lines in range(self.turns + 1) if self.sure(0, self.root, lines, asking)), NEVER)

    def winning_firsts(self, node: Node) -> list[int]:
        """Return all doings of the first turn, of several, after which some policy still wins for sure."""
        return [
            number
            for number in bits_of(self.common(0, node, self.turns))
            if all([self.sure(1, frozenset(part), self.turns - 1) for part in self.parts(0, node, number).values()])
        ]


class Ends(Protocol):
    """Tell what acts lead to."""

    turns: int

    def ends(self, turn: int, state: int) -> list[int]:
        """Return by act the state after it, -1 where it cannot win."""


class SinglePlan:
    """Know the plans of fixed lines that win in most states: what is perceived has no say in them."""

    def __init__(self, policies: Ends) -> None:
        self.policies = policies
        self._most: dict[tuple[int, tuple[int, ...]], tuple[int, bool]] = {}
        self._ends: list[dict[int, list[int]]] = [{} for _ in range(policies.turns)]

    def ends(self, turn: int, state: int) -> list[int]:
        """Return what `Policies.ends` does, found once."""
        found = self._ends[turn].get(state)
        if found is None:
            found = self._ends[turn][state] = self.policies.ends(turn, state)
        return found

    def most(self, states: Iterable[int], turn: int = 0, above: int = 0) -> int:
        """Return in how many of some states one plan wins, if that is more than `above`; else `above` or fewer."""
        key = turn, tuple(sorted(states))
        known = self._most.get(key)
        if known is not None and (known[1] or known[0] <= above):
            return known[0]
        columns = {*zip(*[self.ends(turn, state) for state in key[1]], strict=True)}
        if turn + 1 == self.policies.turns:
            best = max([len(column) - column.count(-1) for column in columns], default=0)
            self._most[key] = best, True
            return best
        best = above
        options = sorted([(column.count(-1), tuple(sorted([end for end in column if end >= 0]))) for column in columns])
        for lost, ends in options:
            if len(key[1]) - lost <= best:
                break
            best = max(best, self.most(ends, turn + 1, best))
        self._most[key] = best, best > above
        return best

    def plan(self, states: Iterable[int]) -> list[int]:
        """Return the first plan that wins in most of some states."""
        plan: list[int] = []
        left = [*states]
        for turn in range(self.policies.turns):
            most = self.most(left, turn)
            for number, column in enumerate(zip(*[self.ends(turn, state) for state in left], strict=True)):
                ends = [end for end in column if end >= 0]
                if len(ends) < most or not ends:
                    continue
                if turn + 1 == self.policies.turns or self.most(ends, turn + 1) == most:
                    plan.append(number)
                    left = ends
                    break
            else:
                return plan
        return plan

    def wins(self, state: int, plan: list[int]) -> bool:
        """Return whether a plan wins in a state."""
        for turn, number in enumerate(plan):
            state = self.ends(turn, state)[number]
            if state < 0:
                return False
        return len(plan) == self.policies.turns


def bits_of(doings: int) -> list[int]:
    """Return the numbers of some doings."""
    found = []
    while doings:
        low = doings & -doings
        found.append(low.bit_length() - 1)
        doings ^= low
    return found


def bland(line: Event) -> Event:
    """Return a line about container 0 instead of its own, if it has one."""
    if isinstance(line, Tell):
        return Tell(line.speaker, line.hearers, THING, 0)
    if isinstance(line, Report):
        return Report(line.speaker, line.hearers, line.chain, THING, 0)
    return Move(line.agent, THING, 0) if isinstance(line, Move) else line
