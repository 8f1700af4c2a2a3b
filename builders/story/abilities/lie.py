"""Does a speaker think what she says, and is it so? From order 2 in the eyes of who hears it, right after the line.

The last agent of the chain is the speaker.
"""

from collections.abc import Iterator
from dataclasses import replace

from ...streams import Stream
from ...syntax.ability import Belief, Query
from ...syntax.events import Tell
from .kind import TRUTH, Kind, Shortcut, in_equal_shares, judge_and_judged
from .shortcuts import ABOUT_MINDS, MIND_MOST
from .view import View


def propose(view: View, query: Query, stream: Stream) -> Iterator[Query]:
    """Propose the claims that the last agent of the chain makes and that the others hear."""
    *others, speaker = query.chain
    for line, event in stream.shuffled(view.lines):
        if isinstance(event, Tell) and (event.speaker, event.thing) == (speaker, view.thing):
            if set(others) <= set(event.hearers or range(view.story.n_agents)):
                yield replace(query, line=line, container=event.container)


def answer(query: Query, held: list[int]) -> tuple[bool, bool]:
    """Return whether the speaker thinks what she says, and whether it is so."""
    there, thought = [container == query.container for container in held]
    return thought, there


def if_honest(view: View, query: Query) -> tuple[bool, bool]:
    """Return that she thinks so if it really is so, else that neither holds."""
    return (view.held(Belief((), query.line)) == query.container,) * 2


RULES = {"honest if true": Shortcut(MIND_MOST, if_honest, since=2), **ABOUT_MINDS}

LIE = Kind("lie", TRUTH, propose, judge_and_judged, answer, RULES, in_equal_shares, any_order=True)
