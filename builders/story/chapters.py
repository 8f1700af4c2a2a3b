"""Hi-ToM stories (EMNLP paper, section 3): what each must be like, and how one is found by rejection sampling.

A story and a chain are drawn again and again until they fit a `Target`. To be fast, each try draws only the chapters
about the thing asked about, and only their facts; events come once a try fits. The thing asked about is thing 0, its
first place container 0, its room 1, and agents are numbered as they appear: names are drawn elsewhere.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from ..streams import Stream
from ..syntax.events import WAITING_ROOM, Enter, Event, Exit, Move, Place, Stay, Story, Tell
from .distractions import distracted
from .family import DrawnStory, Family, lettered
from .interpretations import is_undisputed
from .meaning import RULES, SLOTS, Chain, Facts

# Rooms of a Hi-ToM story; containers in each room (15 choices in all); things in each room.
ROOMS, CONTAINERS, THINGS = 3, 5, 2


SUBJECT = (1, 0)  # the room and the thing of the first chapter, which the questions are about


THIRD = (True, False, False)  # a constraint of one story in three


# Share of chains rejected whose last agent, or last two, believe what a guess gives.
#
# The guesses are the most mentioned container and the last place but one.
THINNED = 0.4


TRIES = 2000  # stories drawn before a constraint is given up, because few agents cannot meet every target


CHAINS = 10  # chains drawn for one story


@dataclass(frozen=True, slots=True)
class Target:
    """Say what a Hi-ToM story must be like; None leaves a feature to chance.

    A constraint on the answers needs one on `returns`: a story that leaves it to chance can come back to the first room
    about another thing, and so show the thing asked about without a word.
    """

    n_chapters: int  # how many chapters it has
    deception: bool  # whether claims follow some of its chapters
    returns: bool | None = None  # whether a later chapter is about the first one's room and thing
    slot: int | None = None  # index in SLOTS of the highest order's answer
    reality: bool | None = None  # whether the order-1 answer is where the thing is
    mentioned: bool | None = None  # whether the highest order's answer is the container most often said to hold it


class Chapter(NamedTuple):
    """Hold one Hi-ToM chapter before it is a list of events (a tuple, as a dozen are drawn for a story).

    The agents enter together, then each in turn moves the thing or stays, and leaves. Containers are counted within
    the room.
    """

    room: int  # where it happens
    thing: int  # what it is about
    agents: tuple[int, ...]  # who enters, in the order of acting and leaving
    place: int  # the container of the thing when the chapter begins
    moves: tuple[int, ...]  # for each agent the container to which the thing is moved, or -1 to stay
    claims: tuple[tuple[int, tuple[int, ...], int], ...]  # (speaker, hearers, container) of each claim that follows

    def places(self) -> list[int]:
        """Return where the thing is in the chapter, one place after the other."""
        return [self.place] + [container for container in self.moves if container >= 0]


def chapter_size(chapter: int, n_agents: int) -> int:
    """Return how many agents act in a chapter (counted from 0) of a story with `n_agents`."""
    return n_agents if chapter == 0 else 2 if chapter == 3 else max(2, n_agents + chapter - 3)


def claims_follow(chapter: int, n_chapters: int) -> bool:
    """Return whether claims follow a chapter (counted from 0) of a deceptive story: 1 of 1, 2 of 2, 1 and 3 of 3."""
    return (n_chapters - 1 - chapter) % 2 == 0


def plan_chapters(
    stream: Stream, n_stories: int, lengths: tuple[int, ...], order: int, claims: tuple[bool, ...] = (False, True)
) -> list[Target]:
    """Draw the targets of all stories of a split: every feature in equal shares, in shuffled order.

    Lengths (chapters) are crossed with deception. Half of the stories of two or more chapters return to the thing of
    the first. Within each such cell all combinations of three features occur equally often: the slot of the highest
    order's answer, whether the order-1 answer is reality, and whether the highest order's answer is the most mentioned
    container. The slot is `claimed` only where claims can be about the thing. The order-1 answer is reality in one
    story of three; `mentions` has the shares of the last feature.
    """
    cells = [(length, deception) for length in lengths for deception in claims]
    waiting: dict[tuple[int, bool, bool], list[Target]] = {}
    targets = []
    for number in range(n_stories):
        length, deception = cells[number % len(cells)]
        returns = length > 1 and number // len(cells) % 2 == 1
        cell = waiting.setdefault((length, deception, returns), [])
        if not cell:
            claimable = deception and (returns or claims_follow(0, length))
            cell += stream.shuffled(
                Target(length, deception, returns, slot, reality, mentioned)
                for slot in range(len(SLOTS) if claimable else len(SLOTS) - 1)
                for reality in THIRD
                for mentioned in mentions(slot, claimable, returns)
            )
        targets.append(cell.pop())
    return stream.shuffled(targets) if order else [Target(t.n_chapters, t.deception, t.returns) for t in targets]


def mentions(slot: int, claimable: bool, returns: bool) -> tuple[bool | None, ...]:
    """Return, for three stories, whether the answer in a slot is to be the most mentioned container.

    Mostly it is in one story of three. Without claims the most mentioned container is nearly always the first place,
    so that there is nothing to choose. A claimed place hardly ever is where agents return, as then the first place is
    mentioned again.
    """
    if not claimable:
        return (None if SLOTS[slot] == "first" else False,) * 3
    return (False,) * 3 if returns and SLOTS[slot] == "claimed" else THIRD


def sample_chapters(stream: Stream, target: Target, n_agents: int, order: int, semantics: str) -> tuple[Story, Chain]:
    """Draw a Hi-ToM story and a chain of `order` agents that meet the target, by rejection sampling.

    The chain has the highest order; a question of a lower order asks its last agents. All interpretations agree on the
    answers under `recursive`, unless `returns` is left to chance: those are stories as published. A target that TRIES
    draws do not meet loses a constraint: first `mentioned`, then `slot`, then `reality`, last that all interpretations
    agree.
    """
    unmentioned = replace(target, mentioned=None)
    unplaced = replace(unmentioned, slot=None)
    looser = [unmentioned, unplaced, replace(unplaced, reality=None)]
    agreed = semantics == "recursive" and target.returns is not None
    subjects = draw_subjects(stream, target)
    while True:
        for _ in range(TRIES):
            relevant: dict[int, Chapter] = {}
            place = 0
            for index, subject in enumerate(subjects):
                if subject == SUBJECT:
                    relevant[index] = draw_chapter(stream, target, index, n_agents, subject, place)
                    place = relevant[index].places()[-1]
            chain = draw_chain(stream, target, relevant, n_agents, order, semantics)
            if chain is not None:
                events = draw_events(stream, target, subjects, relevant, n_agents)
                told = distracted(stream, events, n_agents, ROOMS * CONTAINERS, ROOMS * THINGS)
                story = Story(n_agents, tuple(told))
                if not agreed or is_undisputed(story, chain, SUBJECT[1]):
                    return story, chain
        if looser:
            target = looser.pop(0)
        else:
            agreed = False


def draw_subjects(stream: Stream, target: Target) -> list[tuple[int, int]]:
    """Draw the (room, thing) of every chapter; the first chapter's is SUBJECT.

    Where `returns` is left to chance all rooms and things are equally likely, as published. A story that does not
    return keeps out of the first room, and one that returns is there only about the first thing. So no agent learns
    where the thing asked about is from a line that does not name it.
    """
    later = range(1, target.n_chapters)
    if target.returns is None:
        drawn = [(1 + stream.below(ROOMS), stream.below(THINGS)) for _ in later]
    else:
        back = 1 + stream.below(target.n_chapters - 1) if target.returns else 0
        drawn = [
            SUBJECT
            if index == back or (target.returns and stream.random() < 0.25)
            else (2 + stream.below(ROOMS - 1), stream.below(THINGS))
            for index in later
        ]
    return [SUBJECT] + [(room, THINGS * (room - 1) + thing) for room, thing in drawn]


def draw_chapter(
    stream: Stream, target: Target, index: int, n_agents: int, subject: tuple[int, int], place: int
) -> Chapter:
    """Draw who acts in a chapter (counted from 0), what they do, and what is claimed afterwards."""
    size = chapter_size(index, n_agents)
    random = stream.random
    agents = tuple(range(n_agents)) if size == n_agents else tuple(stream.draw(range(n_agents), size))
    moves = []
    now = place
    for _ in agents:
        if random() < 0.5:
            now = (now + 1 + int(random() * (CONTAINERS - 1))) % CONTAINERS
            moves.append(now)
        else:
            moves.append(-1)
    claims = []
    if target.deception and claims_follow(index, target.n_chapters):
        public = random() < 0.5  # the first claim
        for turn, speaker in enumerate(stream.draw(agents, 2)):
            hearers: tuple[int, ...] = ()
            if turn or not public:
                other = int(random() * (n_agents - 1))
                hearers = (other + (other >= speaker),)
            outsider = hearers and hearers[0] not in agents
            claims.append((speaker, hearers, now if outsider else int(random() * CONTAINERS)))
    return Chapter(*subject, agents, place, tuple(moves), tuple(claims))


def add_chapter(facts: Facts, chapter: Chapter) -> None:
    """Add to facts what `meaning.facts_of` finds in the events of the next chapter, without their lines.

    In a later one those who enter see the thing even before it is mentioned.
    """
    containers, before = facts.containers, 1 << len(facts.containers)
    containers += [chapter.place] * (2 if containers else 1)
    for agent, container in zip(chapter.agents, chapter.moves, strict=True):
        if container >= 0:
            containers.append(container)
        facts.open[agent] |= (1 << len(containers)) - before  # he sees all until he leaves
    facts.sightings |= (1 << len(containers)) - before
    left = {agent: when for when, agent in enumerate(chapter.agents)}
    for speaker, hearers, container in chapter.claims:
        facts.hear(Tell(speaker, hearers, 0, container), -1, left, {})


def draw_chain(
    stream: Stream, target: Target, relevant: dict[int, Chapter], n_agents: int, order: int, semantics: str
) -> Chain | None:
    """Draw a chain so that the target is met, or return None where CHAINS draws miss it.

    `relevant`: the chapters about the thing asked about, by their number.
    """
    if order == 0 or target.slot is target.reality is target.mentioned is None:
        return tuple(stream.draw(range(n_agents), order))
    allowed, guesses = allowed_answers(target, relevant.values())
    if not allowed:
        return None
    facts = Facts(n_agents)
    for chapter in relevant.values():
        add_chapter(facts, chapter)
    # Only agents who learned an answer together can believe in it together: a chain is drawn from one lesson's agents.
    reached = [
        [agent for agent in range(n_agents) if facts.open[agent] >> place & 1]
        for place, container in enumerate(facts.containers)
        if container in allowed
    ]
    groups = [agents for agents in reached if len(agents) >= order]
    if not groups:
        return None
    rule, truth = RULES[semantics], facts.last(facts.sightings)
    for _ in range(CHAINS):
        chain = tuple(stream.draw(groups[stream.below(len(groups))], order))
        real = facts.last(rule(facts, chain[-1:])) == truth
        if target.reality not in (None, real) or facts.last(rule(facts, chain)) not in allowed:
            continue
        guessed = (facts.last(rule(facts, tail)) in guesses for tail in (chain[-1:], chain[-2:])[:order])
        if not any(is_guess and stream.random() < THINNED for is_guess in guessed):
            return chain
    return None


def allowed_answers(target: Target, chapters: Iterable[Chapter]) -> tuple[set[int], list[int]]:
    """Return the containers that the highest order's answer may be under a target, and those that guesses give.

    `chapters` are those about the thing asked about. Only containers are looked at, so that most misses end here.
    """
    seen: list[int] = []
    mentioned: list[int] = []
    for chapter in chapters:
        here = chapter.places()
        seen += here
        mentioned += [*here, *[claim[2] for claim in chapter.claims]]
    visited = [*dict.fromkeys(seen)]
    by_slot = visited[:1], visited[1:2], visited[2:], set(mentioned).difference(visited)
    allowed = set(mentioned if target.slot is None else by_slot[target.slot])
    if not allowed:
        return allowed, []
    most_mentioned = max(mentioned, key=mentioned.count)  # ties go to the one mentioned first
    if target.mentioned is not None:
        allowed = allowed & {most_mentioned} if target.mentioned else allowed - {most_mentioned}
    return allowed, [most_mentioned, *seen[-2:-1]]


def draw_events(
    stream: Stream, target: Target, subjects: list[tuple[int, int]], relevant: dict[int, Chapter], n_agents: int
) -> Iterator[Event]:
    """Yield all chapters as events; those about other things are drawn in their turn."""
    place_of: dict[int, int] = {}  # where each thing was left
    for index, (room, thing) in enumerate(subjects):
        chapter = relevant.get(index)
        if chapter is None:
            place = place_of[thing] if thing in place_of else stream.below(CONTAINERS)
            chapter = draw_chapter(stream, target, index, n_agents, (room, thing), place)
        place_of[thing] = chapter.places()[-1]
        first = CONTAINERS * (room - 1)  # the first container of the room
        yield Enter(chapter.agents, room)
        yield Place(thing, first + chapter.place)
        for agent, container in zip(chapter.agents, chapter.moves, strict=True):
            yield Stay(agent, room) if container < 0 else Move(agent, thing, first + container)
            yield Exit(agent, room)
        yield Enter(chapter.agents, WAITING_ROOM)
        for speaker, hearers, container in chapter.claims:
            yield Tell(speaker, hearers, thing, first + container)


def plan_balanced(config: Any, stream: Stream, size: int) -> list[tuple[Target, dict[int, int]]]:
    """Plan a split of `chapters`: every feature, and every letter of each order, in equal shares."""
    targets = plan_chapters(stream, size, config.lengths, config.depth, tuple(config.claims))
    return lettered(stream, targets, range(config.depth + 1))


def plan_published(config: Any, stream: Stream, size: int) -> list[tuple[Target, None]]:
    """Plan a split of `reproduction`: lengths and claims in equal shares, and letters left to chance."""
    cells = [Target(length, deception) for length in config.lengths for deception in config.claims]
    return [(target, None) for target in stream.shuffled(cells[i % len(cells)] for i in range(size))]


def draw(config: Any, target: Target, stream: Stream) -> DrawnStory:
    """Draw a story that meets a target."""
    story, chain = sample_chapters(stream, target, config.n_agents, config.depth, config.semantics)
    sizes = ROOMS + 1, ROOMS * THINGS, ROOMS * CONTAINERS
    return DrawnStory(story, chain, config.orders, target.deception, config.n_agents, target.n_chapters, *sizes)


KNOBS = ("language", "semantics", "n_agents", "lengths", "claims", "max_order", "order", "explanations")
BALANCED = Family(plan_balanced, draw, KNOBS, casts=0)  # Hi-ToM, balanced

REPRODUCTION = Family(plan_published, draw, KNOBS, casts=2)  # Hi-ToM in its published mix, not balanced
