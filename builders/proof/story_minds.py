"""Own the way back from English: a story, a question, its choices go in, their syntax and a second label come out.

Written by hand from the sentences of the published data and of both papers, never from the templates. The label comes
from `believe_all`: nested minds that every event updates as the story goes on, in one pass that never looks back.
So for MindGames: a premise and a hypothesis go in, a Problem and its label come out. The label comes from `follows`:
explicit sets of worlds, from which every announcement strikes those where it is false.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field

from builders.story.syntax import (
    WAITING_ROOM,
    Dislike,
    Enter,
    Exit,
    Like,
    Lose,
    Move,
    Place,
    Question,
    See,
    Stay,
    Story,
    Tell,
    Watch,
)


@dataclass(slots=True)
class _Mind:
    """Hold where one takes the thing to be (None: never learned), and the minds that one ascribes to others."""

    where: int | None = None
    others: dict[int, "_Mind"] = field(default_factory=dict)

    def at(self, chain: tuple[int, ...]) -> "_Mind":
        """Return the mind at the end of a chain, making those on the way that are not there yet."""
        return self.others.setdefault(chain[0], _Mind()).at(chain[1:]) if chain else self

    def see(self, witnesses: set[int], container: int, unseen: Iterable[int] = ()) -> None:
        """Learn where the thing is, in company: each witness learns it, knowing that each witness does, and so on.

        The `unseen` learn it too, and what the witnesses learn; nobody takes any of them to have learned it.
        """
        self.where = container
        for agent in witnesses.union(unseen) & self.others.keys():
            self.others[agent].see(witnesses, container)


@dataclass(frozen=True, slots=True)
class _Claim:
    """Hold one claim as it is heard: who said it, who knows of it, which of these trust the speaker, what it says."""

    speaker: int
    audience: frozenset[int]
    trusting: frozenset[int]
    container: int

    def carry(
        self,
        mind: _Mind,
        doubting: frozenset[int] = frozenset(),
        thinker: int | None = None,
        of_speaker: bool = False,
    ) -> None:
        """Update all that `thinker` takes others to believe (None: reality), as the four printed assumptions imply.

        `doubting`: who is known here not to trust the speaker after all; in reality all who watched, in the mind of
        one of them he himself alone, and in any other mind nobody. `of_speaker`: this mind is the speaker's, or lies
        within the speaker's mind, where every listener trusts him.
        """
        trusting = self.trusting - doubting
        for agent in self.audience & mind.others.keys():
            if agent == self.speaker:
                convinced = thinker in trusting
            else:
                convinced = of_speaker or agent in trusting
            if convinced:
                mind.others[agent].where = self.container
            known = doubting & {agent} if thinker is None else frozenset()
            self.carry(mind.others[agent], known, agent, of_speaker or agent == self.speaker)

    def release(self, reality: _Mind) -> None:
        """Update beliefs of orders 1 and 2, and no others, as the released generator does."""
        for agent, mind in reality.others.items():
            if agent in self.trusting:
                mind.where = self.container
            for other, ascribed in mind.others.items():
                if (agent == self.speaker and other in self.audience) or (
                    agent in self.trusting and other == self.speaker
                ):
                    ascribed.where = self.container


def believe_all(
    story: Story, thing: int, chains: Iterable[tuple[int, ...]], semantics: str
) -> dict[tuple[int, ...], int | None]:
    """Return where each chain takes the thing to be at the end, or None where nothing ever taught it.

    Only minds on the way to these chains are kept, so any order over any number of agents is quick. `semantics` is
    "recursive" or "published". Raises ValueError for another one, for a chain that holds an agent twice, and for
    "published" where somebody watches.
    """
    if semantics not in ("recursive", "published"):
        raise ValueError(f"semantics is 'recursive' or 'published', not {semantics!r}")
    if semantics == "published" and any(isinstance(event, Watch) for event in story.events):
        raise ValueError("'published' has no rule for who watches in secret; read this story as 'recursive'")
    reality = _Mind()
    minds = {}
    for chain in chains:
        if len(set(chain)) < len(chain):
            raise ValueError(f"a chain holds each agent once: {chain}")
        minds[chain] = reality.at(chain)

    room_of: dict[int, int] = {}  # an agent who is nowhere is not in it
    entered = chapter = thing_room = None
    was_there: set[int] = set()  # in the chapter's room, since its last Enter
    left: dict[int, int] = {}  # the time at which one of these left it
    at_window: set[int] = set()  # who watches the chapter's room from outside, until the next chapter

    def watching(room: int | None) -> set[int]:
        return at_window if room == chapter else set()

    def inside(room: int | None) -> set[int]:
        return {agent for agent, where in room_of.items() if where == room}

    def leave(agent: int, time: int) -> None:
        here = room_of.pop(agent, None)
        if here is not None and here == chapter:
            left[agent] = time

    def trusts(listener: int, speaker: int) -> bool:
        if speaker not in was_there:
            return False
        never = len(story.events)
        return listener not in was_there or left.get(listener, never) < left.get(speaker, never)

    for time, event in enumerate(story.events):
        match event:
            case Enter(agents, room):
                for agent in agents:
                    if room_of.get(agent) != room:
                        leave(agent, time)
                        room_of[agent] = room
                entered = room
                if room != WAITING_ROOM:
                    chapter, was_there, left, at_window = room, inside(room), {}, set()
                    if room == thing_room:
                        reality.see(inside(room), reality.where)
            case Place(placed, container):
                if placed == thing:
                    thing_room = entered
                    reality.see(inside(entered), container, watching(entered))
            case Move(agent, moved, container):
                if moved == thing:
                    thing_room = room_of.get(agent)
                    reality.see(inside(thing_room), container, watching(thing_room))
            case Exit(agent):
                leave(agent, time)
            case Tell(speaker, hearers, claimed, container):
                if claimed == thing:
                    audience = frozenset(hearers or range(story.n_agents)) | {speaker}
                    trusting = frozenset(agent for agent in audience if trusts(agent, speaker))
                    claim = _Claim(speaker, audience, trusting, container)
                    if semantics == "recursive":
                        claim.carry(reality, frozenset(at_window))
                    else:
                        claim.release(reality)
            case Watch(agent, room):
                if room == chapter:
                    at_window.add(agent)
            case Stay() | Lose() | See() | Like() | Dislike():
                pass
            case _:
                raise TypeError(f"no such event: {event!r}")
    return {chain: mind.where for chain, mind in minds.items()}


def believe(story: Story, question: Question, semantics: str) -> int | None:
    """Return the container that answers a question, or None where nothing ever taught its chain (see `believe_all`)."""
    return believe_all(story, question.thing, [question.chain], semantics)[question.chain]
