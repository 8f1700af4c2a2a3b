"""How the parts of MindGames problems are drawn from a stream: announcements, premises, hypotheses."""

from ..streams import Stream
from .claims import NAMED, SOMEONE, Claim, Form, Premise, about, kind_of_fact
from .setups import Sees
from .states import State, initial_state

N_AGENTS = range(2, 13)  # agents of a problem: the words of a premise count to twelve
ORDERS = range(1, 13)  # orders of a hypothesis
FACTS_SHARE = 0.3  # facts among announcements: 29 % in the published data, where more of the others leave no world
NEGATED_SHARE = 0.8  # negated knowledge in announcements (MindGames paper, section 4.1)


def draw_fact(stream: Stream, n: int) -> int:
    """Return a fact; its subject is uniformly one of the quantifiers and the agents (MindGames paper, section 3.3)."""
    subject = stream.below(NAMED + n)
    return subject if subject < NAMED else about(subject - NAMED, stream.random() < 0.5)


def draw_announcement(stream: Stream, n: int) -> Claim:
    """Return the claim of a fact, or of an agent's knowledge of one."""
    if stream.random() < FACTS_SHARE:
        return (), draw_fact(stream, n)
    return ((stream.below(n), stream.below(2), stream.random() < NEGATED_SHARE),), draw_fact(stream, n)


def draw_premise(stream: Stream, setup: str, sees: Sees) -> tuple[Premise, State]:
    """Return a premise with 0 to n announcements after SOMEONE, and the state that it leaves.

    The premise ends with the first announcement that leaves no world; the caller discards it.
    """
    n = len(sees)
    state = initial_state(sees).announce(SOMEONE)
    announcements = []
    for _ in range(stream.below(n + 1)):
        claim = draw_announcement(stream, n)
        announcements.append(claim)
        state = state.announce(claim)
        if not state.law:
            break
    return Premise(setup, sees, tuple(announcements)), state


def draw_form(stream: Stream, n: int, order: int) -> Form:
    """Return the form of a hypothesis of an order; each level is negated half of the time."""
    shape = tuple([(stream.below(2), stream.random() < 0.5) for _ in range(order)])
    return shape, kind_of_fact(draw_fact(stream, n))


def draw_hypothesis(stream: Stream, n: int, order: int) -> Claim:
    """Return a hypothesis of an order, in which no agent knows anything of the same agent's knowledge."""
    shape, kind = draw_form(stream, n, order)
    levels = []
    agent = stream.below(n)
    for link, negated in shape:
        levels.append((agent, link, negated))
        agent = (agent + 1 + stream.below(n - 1)) % n
    return tuple(levels), kind if kind < NAMED else about(stream.below(n), kind > NAMED)
