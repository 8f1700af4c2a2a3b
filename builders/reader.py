"""Own the way back from English: a story, a question, its choices go in, their syntax and a second label come out.

Written by hand from the sentences of the published data and of both papers, never from the templates. The label comes
from `believe_all`: nested minds that every event updates as the story goes on, in one pass that never looks back.
So for MindGames: a premise and a hypothesis go in, a Problem and its label come out. The label comes from `follows`:
explicit sets of worlds, from which every announcement strikes those where it is false.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import combinations

from builders.formula import And, Atom, Formula, Knows, KnowsWhether, Not, Or, Problem, agent_name
from builders.story import (
    WAITING_ROOM,
    Dislike,
    Enter,
    Event,
    Exit,
    Interned,
    Like,
    Lose,
    Move,
    Names,
    Place,
    Question,
    See,
    Stay,
    Story,
    Tell,
    Watch,
)


class Unreadable(ValueError):
    """Say where a text stops being one that this reader knows, and what would have been right."""


# A name starts with a capital, of any alphabet; every other word may hold letters, digits and underscores.
_NAME = r"[^\W\d_a-z][^\W\d_]*(?:['’-][^\W\d_]+)*"
_NAMES = rf"{_NAME}(?: and {_NAME}|(?:, {_NAME})+,? and {_NAME})?"
# The published claims say neither "now" nor, in public, "the"; Table 2 of the paper says both.
_CLAIM = r"that (?:the )?(?P<thing>\w+) (?:is|are) in the (?P<container>\w+)(?: now)?"

# Each kind of sentence: an example, the event it tells, its pattern. A group is called as the field that it fills.
_SENTENCES = tuple(
    (example, kind, re.compile(pattern + r"\."))
    for example, kind, pattern in (
        ("Emma, Jack and Owen entered the workshop.", Enter, rf"(?P<agents>{_NAMES}) entered the (?P<room>\w+)"),
        ("The pear is in the red_box.", Place, r"The (?P<thing>\w+) (?:is|are) in the (?P<container>\w+)"),
        (
            "Emma moved the pear to the blue_crate.",
            Move,
            rf"(?P<agent>{_NAME}) moved the (?P<thing>\w+) to the (?P<container>\w+)",
        ),
        (
            "Jack made no movements and stayed in the workshop for 1 minute.",
            Stay,
            rf"(?P<agent>{_NAME}) made no movements and stayed in the (?P<room>\w+) for 1 minute",
        ),
        ("Emma exited the workshop.", Exit, rf"(?P<agent>{_NAME}) exited the (?P<room>\w+)"),
        (
            "Jack publicly claimed that the pear is in the green_drawer now.",
            Tell,
            rf"(?P<speaker>{_NAME}) publicly claimed {_CLAIM}",
        ),
        (
            "Owen privately told Emma that the pear is in the red_box now.",
            Tell,
            rf"(?P<speaker>{_NAME}) privately told (?P<hearers>{_NAMES}) {_CLAIM}",
        ),
        (
            "Emma secretly watched the attic through the window.",
            Watch,
            rf"(?P<agent>{_NAME}) secretly watched the (?P<room>\w+) through the window",
        ),
        ("Owen lost his watch.", Lose, rf"(?P<agent>{_NAME}) lost (?:his|her|their) (?P<item>\w+)"),
        ("Jack saw a monkey.", See, rf"(?P<agent>{_NAME}) saw an? (?P<animal>\w+)"),
        ("Emma likes the red_box.", Like, rf"(?P<agent>{_NAME}) likes the (?P<container>\w+)"),
        ("Owen dislikes the melon.", Dislike, rf"(?P<agent>{_NAME}) dislikes the (?P<thing>\w+)"),
    )
)
_SEARCH = rf"{_NAME} search|{_NAME} think that(?: {_NAME} thinks that)* {_NAME} searches"
_QUESTIONS = tuple(
    (example, re.compile(pattern))
    for example, pattern in (
        ("Where is the pear really?", r"Where (?:is|are) the (?P<thing>\w+) really\?"),
        (
            "Where does Jack think Emma thinks the pear is?",
            rf"Where does (?P<chain>{_NAME}(?: really)? think(?: {_NAME} thinks)*) the (?P<thing>\w+) (?:is|are)\?",
        ),
        (
            "Where does Jack think that Emma searches for the pear?",
            rf"Where does (?P<search>{_SEARCH}) for the (?P<thing>\w+)\?",
        ),
    )
)
_BANK = {
    "agents": "agents", "agent": "agents", "speaker": "agents", "hearers": "agents", "room": "rooms",
    "thing": "things", "container": "containers", "item": "items", "animal": "animals",
}  # fmt: skip


def read_story(text: str) -> tuple[Story, Names]:
    """Return the story that numbered sentences tell, and its names by number, in order of first appearance.

    Raises Unreadable, which names the line, for anything but the known sentences numbered 1, 2, 3, …
    """
    if not text.strip():
        raise Unreadable("the story is empty: its first line starts with 1")
    interned = Interned()
    events = []
    for number, line in enumerate(text.strip().split("\n"), 1):
        numbered = re.fullmatch(r"(\d+)\.? (.+)", line)
        if numbered is None or numbered[1] != str(number):
            raise Unreadable(f"line {number} starts with its number, as in '{number} {_SENTENCES[0][0]}': {line!r}")
        events.append(_read_sentence(number, numbered[2], interned))
    names = interned.names()
    return Story(len(names.agents), tuple(events)), names


def _read_sentence(line: int, sentence: str, interned: Interned) -> Event:
    """Return the event that one sentence tells."""
    for _, kind, pattern in _SENTENCES:
        if told := pattern.fullmatch(sentence):
            values: dict = {"hearers": ()} if kind is Tell else {}
            for group, words in told.groupdict().items():
                if group in ("agents", "hearers"):
                    listed = re.findall(_NAME, words)
                    if len(set(listed)) < len(listed):
                        raise Unreadable(f"line {line} names an agent twice; once each would be right: {sentence!r}")
                    values[group] = tuple(interned.number("agents", name) for name in listed)
                else:
                    values[group] = interned.number(_BANK[group], words)
            return kind(**values)
    known = " / ".join(example for example, _, _ in _SENTENCES)
    raise Unreadable(f"line {line} is no sentence of a story: {sentence!r}; such sentences are: {known}")


def read_question(text: str, names: Names) -> Question:
    """Return what a question asks of the story with these names, the agent named first outermost.

    Raises Unreadable for another form of question, an agent asked about twice, and names that the story does not have.
    """
    for _, pattern in _QUESTIONS:
        if asked := pattern.fullmatch(text):
            groups = asked.groupdict()
            chain = re.findall(_NAME, groups.get("chain") or groups.get("search") or "")
            if len(set(chain)) < len(chain):
                raise Unreadable(f"a question names each agent once: {text!r}")
            agents = tuple(_known("agent", name, names.agents, text) for name in chain)
            return Question(agents, _known("thing", groups["thing"], names.things, text), searches="search" in groups)
    known = " / ".join(example for example, _ in _QUESTIONS)
    raise Unreadable(f"not a question about a story: {text!r}; such questions are: {known}")


def _known(kind: str, word: str, bank: tuple[str, ...], text: str) -> int:
    """Return the number of a word that the story has."""
    if word not in bank:
        raise Unreadable(f"the story has no {kind} {word!r}, only {', '.join(bank) or 'none'}: {text!r}")
    return bank.index(word)


def read_choices(text: str) -> tuple[str, ...]:
    """Return the containers of "A. red_box, B. blue_crate, …", in order."""
    choices = []
    for number, choice in enumerate(text.split(", ")):
        letter = chr(ord("A") + number)
        lettered = re.fullmatch(r"(.)\. (\w+)", choice)
        if lettered is None or lettered[1] != letter or lettered[2] in choices:
            raise Unreadable(f"choice {number + 1} is '{letter}. ' and a new container, as in 'A. red_box': {choice!r}")
        choices.append(lettered[2])
    return tuple(choices)


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


_COUNTS = ("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
_MOST = 26  # agents are lettered a to z
_VISIBLE = "Everyone is visible to others."
_MIRROR = "There is a mirror in the room."
_DRAW = "Each person draws a card, face unrevealed (red or black)."
# The data say "shown", the paper "revealed".
_SHOWN = re.compile(rf"(?P<whose>{_NAME})['’]s card is (?:shown|revealed) to (?P<viewer>{_NAME})\.")
_SAID = re.compile(r"It is publicly announced that (?P<clause>.+)\.")
_WHO = rf"(?P<who>someone|everyone|not everyone|nobody|{_NAME})"
_MUDDY = re.compile(rf"{_WHO}['’]s forehead is (?P<negated>not )?muddy")
_THIRSTY = re.compile(rf"{_WHO} is (?P<negated>not )?thirsty")
_RED = re.compile(rf"{_WHO} picked a (?:red|(?P<negated>black)) card")
# Each setup: what its premise says of the scene, how its facts are told, and the first of them to be announced.
_SCENES = {
    "forehead": ("", _MUDDY, "someone's forehead is muddy"),
    "forehead_mirror": (_MIRROR, _MUDDY, "someone's forehead is muddy"),
    "internal": ("", _THIRSTY, "someone is thirsty"),
    "explicit": (_DRAW, _RED, "someone picked a red card"),
}
# The data say "knows" and "does not know" in announcements, "can now know" and then "can know" in hypotheses; the
# paper adds "cannot know". Knowing is the same in all of them.
_KNOWS = re.compile(
    rf"(?P<agent>{_NAME}) (?:knows|can know|can now know|(?P<negated>does not know|cannot know|cannot now know)) "
    r"(?:(?P<that>that)|whether or not|whether) (?P<of>.+)"
)


@dataclass(slots=True)
class _Persons:
    """Hold the names of a premise's persons by number; where they were not given, they are learned as they appear."""

    count: int
    names: list[str]
    given: bool

    def number(self, name: str, sentence: str) -> int:
        """Return the number of a person, a new one's too where names are learned."""
        if name not in self.names:
            if self.given:
                raise Unreadable(f"{name!r} is not one of the names, {', '.join(self.names)}: {sentence!r}")
            if len(self.names) == self.count:
                raise Unreadable(
                    f"{name!r} is one name too many: the premise has {self.count} persons, and "
                    f"{', '.join(self.names)} came before: {sentence!r}"
                )
            self.names.append(name)
        return self.names.index(name)


def read_problem(premise: str, hypothesis: str, names: Sequence[str] | None = None) -> tuple[Problem, tuple[str, ...]]:
    """Return the problem that a premise and a hypothesis pose, and the names of its agents by number.

    The agents are numbered as in `names`; without it, in order of first appearance (premise first), and those whom
    no sentence names come last and have no name. Raises Unreadable, which quotes the sentence, for anything but the
    published sentences, for names that do not fit them, and for a premise that does not first announce "someone …".
    """
    counted, *sentences = re.split(r"(?<=\.) ", premise.strip())
    persons = _read_persons(counted, names)
    if sentences[:1] != [_VISIBLE]:
        raise Unreadable(f"the second sentence of a premise is {_VISIBLE!r}: {premise!r}")
    scene = sentences[1] if sentences[1:2] in ([_MIRROR], [_DRAW]) else ""
    said = sentences[2 if scene else 1 :]
    shown = _read_cards(said, scene, persons)
    said = said[len(shown) :]
    setup = _read_setup(said[0] if said else "", scene, premise)

    everyone = range(persons.count)
    match setup:
        case "forehead":
            sees = [set(everyone) - {agent} for agent in everyone]
        case "forehead_mirror":
            sees = [set(everyone) for _ in everyone]
        case "internal":
            sees = [{agent} for agent in everyone]
        case "explicit":
            sees = [{whose for whose, viewer in shown if viewer == agent} for agent in everyone]
        case _:
            raise TypeError(f"no such setup: {setup!r}")

    announcements = []
    for sentence in said:
        announced = _SAID.fullmatch(sentence)
        if announced is None:
            raise Unreadable(
                f"not an announcement, such as 'It is publicly announced that {_SCENES[setup][2]}.': {sentence!r}"
            )
        announcements.append(_read_clause(announced["clause"], sentence, setup, persons))
    asked = _KNOWS.fullmatch(hypothesis.strip().removesuffix("."))
    if asked is None or not hypothesis.strip().endswith("."):
        raise Unreadable(
            "a hypothesis says what one person knows, as in "
            f"'Mary can now know whether Jack can know that {_SCENES[setup][2]}.': {hypothesis!r}"
        )
    claimed = _read_clause(asked[0], hypothesis, setup, persons)
    observed = tuple(tuple(sorted(other + 1 for other in others)) for others in sees)
    return Problem(setup, observed, tuple(announcements), claimed), tuple(persons.names)


def _read_persons(sentence: str, names: Sequence[str] | None) -> _Persons:
    """Return how many persons there are, with the names that are given for them."""
    counted = re.fullmatch(r"There are (\w+) persons\.", sentence)
    word = counted[1] if counted else ""
    if word in _COUNTS:
        count = _COUNTS.index(word) + 2
    elif re.fullmatch(r"[1-9][0-9]?", word) and 2 <= int(word) <= _MOST:
        count = int(word)
    else:
        raise Unreadable(
            "the first sentence of a premise is 'There are three persons.', two to twelve in words "
            f"or 2 to {_MOST} in figures: {sentence!r}"
        )
    if names is None:
        return _Persons(count, [], given=False)
    if len(names) != count or len(set(names)) < count:
        raise Unreadable(f"{count} different names are right, not ({', '.join(names)}): {sentence!r}")
    for name in names:
        if not re.fullmatch(_NAME, name):
            raise Unreadable(f"a name is one word with a capital, as 'Mary', not {name!r}: {sentence!r}")
    return _Persons(count, list(names), given=True)


def _read_cards(sentences: list[str], scene: str, persons: _Persons) -> list[tuple[int, int]]:
    """Return (whose card, who sees it) for the sentences up to the first that shows none; one may see one's own."""
    shown = []
    for sentence in sentences:
        card = _SHOWN.fullmatch(sentence)
        if card is None:
            break
        if scene != _DRAW:
            raise Unreadable(f"no card is shown before it is drawn, {_DRAW!r}: {sentence!r}")
        pair = persons.number(card["whose"], sentence), persons.number(card["viewer"], sentence)
        if pair in shown:
            raise Unreadable(f"a card is shown to a person once: {sentence!r}")
        shown.append(pair)
    return shown


def _read_setup(sentence: str, scene: str, premise: str) -> str:
    """Return the setup to which the scene and the first announcement belong."""
    announced = _SAID.fullmatch(sentence)
    if announced:
        for setup, (its_scene, facts, _) in _SCENES.items():
            fact = facts.fullmatch(announced["clause"])
            if its_scene == scene and fact and fact["who"] == "someone" and not fact["negated"]:
                return setup
    known = " or ".join(repr(first) for its_scene, _, first in _SCENES.values() if its_scene == scene)
    raise Unreadable(
        f"after {scene or _VISIBLE!r} the first thing to be publicly announced is {known}, "
        f"not {sentence!r}: {premise!r}"
    )


def _read_clause(clause: str, sentence: str, setup: str, persons: _Persons) -> Formula:
    """Return what a clause says: what one person knows, to any depth, or a fact of the setup."""
    if known := _KNOWS.fullmatch(clause):
        agent = agent_name(persons.number(known["agent"], sentence))
        of = _read_clause(known["of"], sentence, setup, persons)
        knowing = Knows(agent, of) if known["that"] else KnowsWhether(agent, of)
        return Not(knowing) if known["negated"] else knowing
    _, facts, first = _SCENES[setup]
    fact = facts.fullmatch(clause)
    if fact is None:
        raise Unreadable(
            f"{clause!r} is no clause of this premise in {sentence!r}; such are {first!r}, the same of everyone, "
            f"not everyone, nobody or one person, and 'Mary knows whether {first}'"
        )
    truths = tuple(Atom(person + 1) for person in range(persons.count))
    if fact["negated"]:
        truths = tuple(Not(truth) for truth in truths)
    match fact["who"]:
        case "someone":
            return Or(truths)
        case "everyone" if fact["negated"] == "not ":
            raise Unreadable(f"{clause!r} has two readings, 'not everyone' and 'nobody'; say which: {sentence!r}")
        case "everyone":
            return And(truths)
        case "not everyone":
            return Not(And(truths))
        case "nobody":
            return Not(Or(truths))
        case name:
            return truths[persons.number(name, sentence)]


def follows(problem: Problem) -> bool | None:
    """Return whether the hypothesis holds in every world that the announcements leave, None where they leave none.

    A world is the set of the atoms that are true in it; at first there are 2^N. Every announcement, true in the worlds
    that it finds, leaves these (van Ditmarsch, van der Hoek and Kooi, Dynamic Epistemic Logic, 2007, chapter 4).
    """
    atoms = range(1, len(problem.sees) + 1)
    sees = {agent_name(index): frozenset(seen) for index, seen in enumerate(problem.sees)}
    worlds = {frozenset(true) for size in range(len(atoms) + 1) for true in combinations(atoms, size)}
    for said in problem.announcements:
        worlds = _where(said, worlds, sees)
    return _where(problem.hypothesis, worlds, sees) == worlds if worlds else None


_Worlds = set[frozenset[int]]


def _where(formula: Formula, worlds: _Worlds, sees: dict[str, frozenset[int]]) -> _Worlds:
    """Return in which of the worlds a formula holds when these worlds are all that there are.

    An agent cannot tell a world from another in which the same of the atoms that it sees are true; it knows what holds
    in every world that it cannot tell from this one.
    """
    match formula:
        case Atom(number):
            return {world for world in worlds if number in world}
        case Not(of):
            return worlds - _where(of, worlds, sees)
        case And(parts):
            return worlds.intersection(*(_where(part, worlds, sees) for part in parts))
        case Or(parts):
            return set().union(*(_where(part, worlds, sees) for part in parts))
        case Knows(agent, of):
            in_doubt = {world & sees[agent] for world in worlds - _where(of, worlds, sees)}
            return {world for world in worlds if world & sees[agent] not in in_doubt}
        case KnowsWhether(agent, of):
            return _where(Knows(agent, of), worlds, sees) | _where(Knows(agent, Not(of)), worlds, sees)
        case _:
            raise TypeError(f"no formula of a problem: {formula!r}")
