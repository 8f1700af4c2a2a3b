"""Own how MindGames problems are drawn: a stream goes in, problems and blocks of four of them come out.

A claim is what is announced or supposed: (levels, fact), where each level is (agent, link, negated), the outermost
first, and a fact is SOME, ALL, NOT_ALL or NONE, or `about(agent, negated)`. An announcement has at most one level, a
hypothesis of order k has k. A form is a claim with its agents left out (DESIGN, section 5).
"""

from collections import Counter, deque
from collections.abc import Iterable, Iterator
from functools import cache, lru_cache
from itertools import islice, product
from typing import NamedTuple
from zlib import crc32

from builders.formula import SETUPS, And, Atom, Formula, Knows, KnowsWhether, Not, Or, Problem, agent_name
from builders.s5 import Situation
from builders.streams import Stream, stream

SOME, ALL, NOT_ALL, NONE, NAMED = range(5)
THAT, WHETHER = range(2)
SOMEONE = ((), SOME)
"""What is announced first in every problem."""
Level = tuple[int, int, bool]
Claim = tuple[tuple[Level, ...], int]
Form = tuple[tuple[tuple[int, bool], ...], int]

N_AGENTS = range(2, 13)
"""How many agents a problem may have: the words count to twelve."""
ORDERS = range(1, 13)
"""The orders that a hypothesis may have."""
FACTS_SHARE = 0.3
"""The share of facts among announcements: 29 % in the published data, of which more knowledge is discarded."""
NEGATED_SHARE = 0.8
"""The share of negated knowledge in announcements (MindGames paper, section 4.1)."""
DRAWS = 400
"""Premises are drawn at most so many times for each one that is needed: most leave no world, or came before."""
HAND = 24
"""So many premises are drawn for the same sight."""
WINDOW = 16
"""A premise is compared with so many others before another form or premise is taken."""
FORMS = 6
"""So many forms are tried with a premise while there are other premises; after them, all up to an order."""
LAST_ORDER = 3
"""That order: there are four times as many forms of each next one."""
STATES = 4096
"""So many states after announcements are remembered."""
REPRODUCTION_SHARE = 8
"""One problem in so many is kept for the unbalanced config, so that no block has one of its problems."""
MANY = 5
"""From so many agents on every second premise is kept for `scale`, so that no other config has one of its premises."""


class TooFew(ValueError):
    """Say how many blocks or problems were found of those asked for."""


class Premise(NamedTuple):
    """Hold what N agents see, as in Problem, and what is announced after "someone …"."""

    setup: str
    sees: tuple[tuple[int, ...], ...]
    said: tuple[Claim, ...]


class Block(NamedTuple):
    """Hold two premises p, q and two hypotheses h, g of one form: h follows from p alone and g from q alone.

    The agents see the same in both, so what is announced decides.
    """

    p: Premise
    q: Premise
    h: Claim
    g: Claim


def about(agent: int, negated: bool) -> int:
    """Return the fact that an agent's atom is true, or false."""
    return NAMED + 2 * agent + negated


# Drawing.


def draw_sees(drawn: Stream, setup: str, n: int) -> tuple[tuple[int, ...], ...]:
    """Return which atoms each of n agents observes (MindGames paper, section 3.2)."""
    if setup == "explicit":
        return tuple([tuple([atom for atom in range(1, n + 1) if drawn.random() * n < 1]) for _ in range(n)])
    return fixed_sees(setup, n)


@cache
def fixed_sees(setup: str, n: int) -> tuple[tuple[int, ...], ...]:
    """Return which atoms each of n agents observes in a setup that leaves nothing to chance."""
    atoms = range(1, n + 1)
    match setup:
        case "forehead":
            return tuple(tuple(atom for atom in atoms if atom != own) for own in atoms)
        case "forehead_mirror":
            return tuple(tuple(atoms) for _ in atoms)
        case "internal":
            return tuple((own,) for own in atoms)
        case _:
            raise ValueError(f"unknown setup {setup!r}; the setups are {', '.join(SETUPS)}")


def draw_fact(drawn: Stream, n: int) -> int:
    """Return a fact, its subject uniformly one of the quantifiers and the agents (MindGames paper, section 3.3)."""
    subject = drawn.below(NAMED + n)
    return subject if subject < NAMED else about(subject - NAMED, drawn.random() < 0.5)


def draw_announcement(drawn: Stream, n: int) -> Claim:
    """Return a fact, or that an agent knows one or does not."""
    if drawn.random() < FACTS_SHARE:
        return (), draw_fact(drawn, n)
    return ((drawn.below(n), drawn.below(2), drawn.random() < NEGATED_SHARE),), draw_fact(drawn, n)


def draw_premise(drawn: Stream, setup: str, sees: tuple[tuple[int, ...], ...]) -> tuple[Premise, "State"]:
    """Return a premise with 0 to n announcements after the first, and what it leaves.

    Where an announcement leaves no world none follows, so that the premise can be discarded.
    """
    n = len(sees)
    state = start(sees).told(SOMEONE)
    said = []
    for _ in range(drawn.below(n + 1)):
        claim = draw_announcement(drawn, n)
        said.append(claim)
        state = state.told(claim)
        if not state.law:
            break
    return Premise(setup, sees, tuple(said)), state


def draw_form(drawn: Stream, n: int, order: int) -> Form:
    """Return the form of a hypothesis of an order: knowledge is negated half of the time."""
    shape = tuple([(drawn.below(2), drawn.random() < 0.5) for _ in range(order)])
    fact = draw_fact(drawn, n)
    return shape, fact if fact < NAMED else NAMED + fact % 2


def draw_hypothesis(drawn: Stream, n: int, order: int) -> Claim:
    """Return a hypothesis of an order: no agent is asked what he himself knows of his knowledge."""
    shape, kind = draw_form(drawn, n, order)
    levels = []
    agent = drawn.below(n)
    for link, negated in shape:
        levels.append((agent, link, negated))
        agent = (agent + 1 + drawn.below(n - 1)) % n
    return tuple(levels), kind if kind < NAMED else about(drawn.below(n), kind > NAMED)


# Meaning.


class State(Situation):
    """Hold what a premise leaves: its situation, where each fact holds in it, and truth vectors found so far."""

    def __init__(self, hidden: tuple[tuple[int, ...], ...], law: int | None, known: dict[int, "State"]) -> None:
        super().__init__(len(hidden), hidden, law)
        self._hidden, self._known = hidden, known
        some, every = 0, self.law
        for atom in self.atoms:
            some |= atom
            every &= atom
        self.facts = [some, every, self.law ^ every, self.law ^ some]
        for atom in self.atoms:
            self.facts += (atom, self.law ^ atom)
        self._entailed: dict[Form, int] = {}

    def where(self, claim: Claim) -> int:
        """Return the possible worlds in which a claim is true."""
        levels, fact = claim
        here = self.facts[fact]
        for agent, link, negated in reversed(levels):
            here = (self.knows_whether if link else self.knows)[agent][here]
            if negated:
                here ^= self.law
        return here

    def entailed(self, form: Form) -> int:
        """Return which of the `cases` of a form are true in all possible worlds, as bits, the first the highest."""
        found = self._entailed.get(form)
        if found is None:
            (_, kind), law = form, self.law
            from_here: dict[int | None, list[int]] = {
                None: self.facts[kind::2] if kind >= NAMED else [self.facts[kind]]
            }
            for agents, (link, negated) in levels_of(len(self.atoms), form):
                tables = self.knows_whether if link else self.knows
                from_here = {
                    agent: [
                        law ^ tables[agent][here] if negated else tables[agent][here]
                        for other, inner in from_here.items()
                        if other != agent
                        for here in inner
                    ]
                    for agent in agents
                }
            bits = ["1" if here == law else "0" for inner in from_here.values() for here in inner]
            found = self._entailed[form] = int("".join(bits), 2)
        return found

    def told(self, claim: Claim) -> "State":
        """Return the state after a claim was announced; its law is 0 where the claim is true in no world."""
        law = self.where(claim)
        state = self._known.get(law)
        if state is None:
            if len(self._known) >= STATES:
                self._known.clear()
            state = self._known[law] = State(self._hidden, law, self._known)
        return state


@lru_cache(maxsize=4096)
def start(sees: tuple[tuple[int, ...], ...]) -> State:
    """Return the state before the first announcement."""
    n = len(sees)
    return State(tuple(tuple(p for p in range(n) if p + 1 not in seen) for seen in sees), None, {})


def after(premise: Premise) -> State:
    """Return the state that a premise leaves."""
    state = start(premise.sees).told(SOMEONE)
    for claim in premise.said:
        state = state.told(claim)
    return state


def needed(premise: Premise, hypotheses: tuple[Claim, ...]) -> list[int]:
    """Return for each hypothesis how many announcements change its label, or leave no world, when one is left out.

    "Someone …" is one of them.
    """
    whole = after(premise)
    said = (SOMEONE, *premise.said)
    counts = [0] * len(hypotheses)
    state = start(premise.sees)
    for place, claim in enumerate(said):
        without = state
        for other in said[place + 1 :]:
            without = without.told(other)
        for number, hypothesis in enumerate(hypotheses):
            follows = whole.where(hypothesis) == whole.law
            counts[number] += not without.law or (without.where(hypothesis) == without.law) != follows
        state = state.told(claim)
    return counts


def shortest_proof(premise: Premise, hypothesis: Claim) -> int:
    """Return how few of the announcements, kept in their order, give the label alone and leave a world.

    "Someone …" is one of them; 0 where the label needs none.
    """
    whole = after(premise)
    follows = whole.where(hypothesis) == whole.law
    said = (SOMEONE, *premise.said)
    # Each state that so many announcements can lead to, and from which place on more of them may follow.
    reached = {start(premise.sees): 0}
    for count in range(len(said)):
        if any((state.where(hypothesis) == state.law) == follows for state in reached):
            return count
        further: dict[State, int] = {}
        for state, place in reached.items():
            for heard in range(place, len(said)):
                told = state.told(said[heard])
                if told.law:
                    further[told] = min(heard + 1, further.get(told, len(said)))
        reached = further
    return len(said)


@lru_cache(maxsize=1 << 12)
def levels_of(n: int, form: Form) -> list[tuple[tuple[int, ...], tuple[int, bool]]]:
    """Return for each level of a form, the innermost first, which agents its `cases` have there, and its link and sign.

    The two outermost levels have all agents, each deeper one a single agent: all of them would be too many.
    """
    shape, _ = form
    drawn = stream("cases", n, str(form))
    levels = []
    for depth, level in enumerate(shape):
        if depth < 2:
            agents = tuple(range(n))
        else:
            beyond = levels[-1][0]
            agents = (drawn.draw([agent for agent in range(n) if (agent,) != beyond], 1)[0],)
        levels.append((agents, level))
    return levels[::-1]


@lru_cache(maxsize=1 << 12)
def cases(n: int, form: Form) -> list[Claim]:
    """Return the hypotheses of a form that premises are compared by: of order 1 and 2 all that there are."""
    _, kind = form
    claims: dict[int | None, list[Claim]] = {
        None: [((), about(agent, kind > NAMED)) for agent in range(n)] if kind >= NAMED else [((), kind)]
    }
    for agents, (link, negated) in levels_of(n, form):
        claims = {
            agent: [
                (((agent, link, negated), *levels), fact)
                for other, inner in claims.items()
                if other != agent
                for levels, fact in inner
            ]
            for agent in agents
        }
    return [claim for inner in claims.values() for claim in inner]


# Sameness.


class Known(NamedTuple):
    """Hold a premise with what it leaves, how its agents are numbered, and a checksum of what its renamings share."""

    premise: Premise
    state: State
    number: dict[int, int]
    mark: int


def renamed(claims: tuple[Claim, ...], number: dict[int, int]) -> tuple[Claim, ...]:
    """Return claims with agents by number; those that have none get the next ones, in `number`."""
    spoken = []
    for levels, fact in claims:
        if levels:
            levels = tuple([(number.setdefault(agent, len(number)), link, negated) for agent, link, negated in levels])
        if fact >= NAMED:
            agent, negated = divmod(fact - NAMED, 2)
            fact = about(number.setdefault(agent, len(number)), negated)
        spoken.append((levels, fact))
    return tuple(spoken)


def identity(premise: Premise, number: dict[int, int], *hypotheses: Claim) -> tuple:
    """Return what premises, or problems, have in common when one is a renaming of the other, and (nearly) only then.

    Agents are numbered, in `number`, as they are first spoken of. Those whom only the cards tell apart (`explicit`) are
    coloured by what they see and who sees them until no colour splits further: where four or more of whom nothing is
    said see one another in circles, this may take two premises for one, which only leaves one of them out.
    """
    claims = renamed(premise.said + hypotheses, number)
    n = len(premise.sees)
    if premise.setup != "explicit":
        return premise.setup, n, claims
    agents = range(n)
    sees = [[atom - 1 for atom in seen] for seen in premise.sees]
    seen_by = [[viewer for viewer in agents if agent in sees[viewer]] for agent in agents]
    colour = [number.get(agent, n) for agent in agents]
    colours = 0
    while len(set(colour)) > colours:
        colours = len(set(colour))
        signs = [
            (colour[a], a in sees[a], tuple(sorted(colour[b] for b in sees[a])),
             tuple(sorted(colour[b] for b in seen_by[a])))
            for a in agents
        ]  # fmt: skip
        ranks = {sign: rank for rank, sign in enumerate(sorted(set(signs)))}
        colour = [ranks[sign] for sign in signs]
    return premise.setup, n, claims, tuple(sorted(signs))


def is_reproduced(known: Known, hypothesis: Claim) -> bool:
    """Return whether a problem, whatever its names, is kept for the unbalanced config."""
    (claim,) = renamed((hypothesis,), dict(known.number))
    return crc32(repr(claim).encode(), known.mark) % REPRODUCTION_SHARE == 0


# Finding.


def premises(drawn: Stream, setup: str, n: int, most: int, counts: Counter, scale: bool = False) -> Iterator[Known]:
    """Yield premises that leave a world, each once up to renaming, and count: drawn, "no world", "again", "kept".

    From MANY agents on, one half is for `scale`, the other for the rest; those of the other half are counted as kept.

    At most so many are drawn, HAND at a time for the same sight: the premises of a block see the same. Two agents have
    few: of them fewer are drawn, then all that there are follow.
    """
    seen = set()

    def candidates() -> Iterator[tuple[Premise, State]]:
        for number in range(most // 8 if n == 2 else most):
            if number % HAND == 0:
                sees = draw_sees(drawn, setup, n)
            yield draw_premise(drawn, setup, sees)
        if n == 2:
            yield from ((premise, after(premise)) for premise in drawn.shuffled(premises_of_two(setup)))

    for premise, state in candidates():
        counts["drawn"] += 1
        if not state.law:
            counts["no world"] += 1
            continue
        number: dict[int, int] = {}
        same = identity(premise, number)
        if same in seen:
            counts["again"] += 1
            continue
        seen.add(same)
        mark = crc32(repr(same).encode())
        if n >= MANY and mark % 2 != scale:
            counts["kept"] += 1
            continue
        yield Known(premise, state, number, mark)


def premises_of_two(setup: str) -> list[Premise]:
    """Return every premise of two agents that `draw_premise` could draw."""
    rows = [(), (1,), (2,), (1, 2)]
    seen = list(product(rows, repeat=2)) if setup == "explicit" else [fixed_sees(setup, 2)]
    levels = [(), *((level,) for level in product(range(2), (THAT, WHETHER), (False, True)))]
    claims = list(product(levels, range(NAMED + 4)))
    return [Premise(setup, sees, said) for sees in seen for k in range(3) for said in product(claims, repeat=k)]


class _Finder:
    """Pair premises by comparing truth vectors over the hypotheses of a form."""

    def __init__(self, drawn: Stream, source: Iterator[Known], n: int) -> None:
        self._drawn, self._source, self._n = drawn, source, n
        self._waiting: deque[Known] = deque()
        self.dry = False

    def next(self) -> Known | None:
        """Return the premise that waits longest, while others wait; None where all were tried."""
        while not self.dry and len(self._waiting) <= WINDOW:
            self._refill()
        return self._waiting.popleft() if self._waiting else None

    def put_back(self, premise: Known) -> None:
        """Let a premise without a partner wait for others, of which one more comes."""
        self._waiting.append(premise)
        self._refill()

    def _refill(self) -> None:
        known = next(self._source, None)
        self.dry = known is None
        if known:
            self._waiting.append(known)

    def block(self, p: Known, forms: Iterable[Form]) -> Block | None:
        """Return a block of the premise and one that waits, which waits no longer, or None where there is none."""
        window = len(self._waiting) if self.dry else WINDOW
        for form in forms:
            claims = cases(self._n, form)
            of_p = p.state.entailed(form)
            if of_p in (0, (1 << len(claims)) - 1):
                continue  # every other premise entails all that this one does, or less
            for place, q in enumerate(islice(self._waiting, window)):
                of_q = q.state.entailed(form)
                if of_p & ~of_q and of_q & ~of_p and p.premise.sees == q.premise.sees:
                    h, g = self._choose(p, q, claims, of_p & ~of_q), self._choose(p, q, claims, of_q & ~of_p)
                    if h and g:
                        del self._waiting[place]
                        return Block(p.premise, q.premise, h, g)
        return None

    def _choose(self, p: Known, q: Known, claims: list[Claim], which: int) -> Claim | None:
        """Return one of these claims with which neither premise makes a problem that is kept for others."""
        left = [claim for claim, bit in zip(reversed(claims), reversed(bin(which)), strict=False) if bit == "1"]
        while left:
            claim = left.pop(self._drawn.below(len(left)))
            if not is_reproduced(p, claim) and not is_reproduced(q, claim):
                return claim
        return None


def find_blocks(
    drawn: Stream, setup: str, n: int, wanted: int, max_order: int, scale: bool = False
) -> tuple[list[Block], Counter]:
    """Return so many blocks of four with n agents, no premise in two of them, and what `premises` counted.

    The orders of the hypotheses come in equal shares, until every premise was drawn; what is left is then paired by
    whatever form, up to LAST_ORDER. Raises TooFew, which says how many were
    found among how many premises, where so many cannot be.
    """
    blocks: list[Block] = []
    counts: Counter = Counter()
    finder = _Finder(drawn, premises(drawn, setup, n, DRAWS * (2 * wanted + WINDOW), counts, scale), n)
    while len(blocks) < wanted and (p := finder.next()):
        order = 1 + len(blocks) % max_order
        if finder.dry:
            forms: Iterable[Form] = drawn.shuffled(all_forms(min(max_order, LAST_ORDER)))
        else:
            forms = (draw_form(drawn, n, order) for _ in range(FORMS))
        block = finder.block(p, forms)
        if block:
            blocks.append(block)
        elif not finder.dry and (setup != "explicit" or n == 2):  # the cards of more agents hardly come again
            finder.put_back(p)
    if len(blocks) < wanted:
        distinct = counts["drawn"] - counts["no world"] - counts["again"] - counts["kept"]
        what = "all" if n == 2 else "the drawn"
        raise TooFew(
            f"{setup} with {n} agents: {wanted:,} blocks of four were asked for, and {len(blocks):,} found among "
            f"{what} {distinct:,} distinct premises; ask for fewer blocks, or for more agents"
        )
    return blocks, counts


def all_forms(max_order: int) -> list[Form]:
    """Return the forms of hypotheses up to an order."""
    return [
        (levels, kind)
        for order in range(1, max_order + 1)
        for levels in product(product((THAT, WHETHER), (False, True)), repeat=order)
        for kind in range(NAMED + 2)
    ]


def shares(size: int, agents: tuple[int, ...]) -> dict[int, int]:
    """Return how many of `size` blocks have each number of agents: in proportion to one agent fewer.

    So 2, 3 and 4 agents have 1/6, 1/3 and 1/2, about as in the published data; what cannot be divided goes to the
    largest remainders.
    """
    whole = sum(n - 1 for n in agents)
    counts = {n: size * (n - 1) // whole for n in agents}
    for n in sorted(agents, key=lambda n: (-(size * (n - 1) % whole), n))[: size - sum(counts.values())]:
        counts[n] += 1
    return counts


def plan(
    key: tuple[str | int, ...],
    setup: str,
    agents: tuple[int, ...],
    sizes: dict[str, int],
    max_order: int,
    scale: bool = False,
) -> tuple[dict[str, list[Block]], Counter]:
    """Return the blocks of each split, in the order of their indices, and what `premises` counted.

    `key` names the streams; `sizes` are the blocks of each split. Raises TooFew.
    """
    planned: dict[str, list[Block]] = {split: [] for split in sizes}
    counts: Counter = Counter()
    for n in agents:
        drawn = stream(*key, setup, n, "plan")
        wanted = {split: shares(size, agents)[n] for split, size in sizes.items()}
        blocks, counted = find_blocks(drawn, setup, n, sum(wanted.values()), max_order, scale)
        counts += counted
        dealt = iter(drawn.shuffled(blocks))
        for split, count in wanted.items():
            planned[split] += islice(dealt, count)
    return {split: stream(*key, setup, split, "order").shuffled(blocks) for split, blocks in planned.items()}, counts


def plan_reproduction(
    key: tuple[str | int, ...], setup: str, agents: tuple[int, ...], size: int, max_order: int
) -> tuple[list[tuple[Premise, Claim]], Counter]:
    """Return so many different problems, half of them entailed, sampled as in the paper (section 4.1): not blocks.

    Counts as `premises` does, of problems; those are kept that blocks may have, and those of a label that is complete.
    Raises TooFew.
    """
    drawn = stream(*key, setup, "plan")
    counts: Counter = Counter()
    found: dict[bool, list[tuple[Premise, Claim]]] = {True: [], False: []}
    seen = set()
    for _ in range(DRAWS * (size + WINDOW)):
        if len(found[True]) + len(found[False]) == size:
            break
        n = agents[drawn.below(len(agents))]
        premise, state = draw_premise(drawn, setup, draw_sees(drawn, setup, n))
        hypothesis = draw_hypothesis(drawn, n, 1 + drawn.below(max_order))
        counts["drawn"] += 1
        if not state.law:
            counts["no world"] += 1
            continue
        alike = found[state.where(hypothesis) == state.law]
        number: dict[int, int] = {}
        known = Known(premise, state, number, crc32(repr(identity(premise, number)).encode()))
        if len(alike) == size // 2 or not is_reproduced(known, hypothesis):
            counts["kept"] += 1
            continue
        same = identity(premise, {}, hypothesis)
        if same in seen:
            counts["again"] += 1
            continue
        seen.add(same)
        alike.append((premise, hypothesis))
    total = len(found[True]) + len(found[False])
    if total < size:
        raise TooFew(
            f"{setup} with {' or '.join(map(str, agents))} agents: {size:,} problems were asked for, and {total:,} "
            f"found among {counts['drawn']:,} drawn; ask for fewer, or for more agents"
        )
    return drawn.shuffled(found[True] + found[False]), counts


# To formulas.


@lru_cache(maxsize=1 << 16)
def formula(claim: Claim, n: int) -> Formula:
    """Return a claim about n agents as a formula."""
    levels, fact = claim
    atoms = tuple([Atom(number) for number in range(1, n + 1)])
    said: Formula
    match fact:
        case 0:
            said = Or(atoms)
        case 1:
            said = And(atoms)
        case 2:
            said = Not(And(atoms))
        case 3:
            said = Not(Or(atoms))
        case _:
            agent, negated = divmod(fact - NAMED, 2)
            said = Not(atoms[agent]) if negated else atoms[agent]
    for agent, link, negated in reversed(levels):
        said = (KnowsWhether if link else Knows)(agent_name(agent), said)
        if negated:
            said = Not(said)
    return said


def problem(premise: Premise, hypothesis: Claim) -> Problem:
    """Return a premise and a hypothesis as a problem."""
    n = len(premise.sees)
    said = tuple([formula(claim, n) for claim in (SOMEONE, *premise.said)])
    return Problem(premise.setup, premise.sees, said, formula(hypothesis, n))


def coded(posed: Problem) -> tuple[Premise, Claim]:
    """Return a problem as a premise and a hypothesis; the opposite of `problem`.

    Raises ValueError where it is not made of claims, or does not announce first that someone ….
    """
    n = len(posed.sees)
    said = tuple([_claim(each, n) for each in posed.announcements])
    if said[:1] != (SOMEONE,):
        raise ValueError("the first announcement is not that someone …")
    return Premise(posed.setup, posed.sees, said[1:]), _claim(posed.hypothesis, n)


def _claim(said: Formula, n: int) -> Claim:
    levels: list[Level] = []
    while True:
        match said:
            case Knows(agent, of):
                level = agent, THAT, False
            case KnowsWhether(agent, of):
                level = agent, WHETHER, False
            case Not(Knows(agent, of)):
                level = agent, THAT, True
            case Not(KnowsWhether(agent, of)):
                level = agent, WHETHER, True
            case _:
                break
        number = next((number for number in range(n) if agent_name(number) == agent), None)
        if number is None:
            raise ValueError(f"{agent} is none of {n} agents")
        levels.append((number, *level[1:]))
        said = of
    for fact in range(NAMED + 2 * n):
        if formula(((), fact), n) == said:
            return tuple(levels), fact
    raise ValueError(f"not a fact about {n} agents: {said}")
