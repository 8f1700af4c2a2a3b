"""Own what could be guessed without reading: rules that name an answer from a glance, and the gates they must fail.

Both datasets: *majority* and *letter* always give the most common answer of the group, counted in the measured rows;
*TF-IDF* is a logistic regression on words and pairs of words; all rules of `METHODS` are fitted on other rows;
*probe* is the difficulty model's prediction.

Hi-ToM: a rule looks at the formal story and the chain; it has no guess where what it looks for is not there, and that
counts as wrong. Gated rules look only at places and claims; the others are shown beside them: *last but one* is the
last but one line that places or moves the thing, *their first move* the first move of it by an agent of the chain; and
in a story of one chapter without claims *first leaver*, *set of agents* and *one order lower* are nearly the semantics.
*question alone*, *story alone* and *TF-IDF* see the text as the probe does (see `difficulty`), and give the container
by its place among those that the text has.

MindGames: *hypothesis alone* and *premise alone* answer a text by its most common label elsewhere, *name announced* by
whether an announcement names somebody whom the hypothesis names, *sentence by sentence* counts which sentences came
with which label of which hypothesis; *TF-IDF* sees the names masked, *TF-IDF, names numbered* who is who; the other
rules forget what is announced, who sees what, or in what order it was said.
"""

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from builders.story.meaning import SLOTS, Lesson, answer_slot, lessons, places, reached, teacher
from builders.story.structure import effective_order, order_sensitive
from builders.story.subchains import beliefs, container_of
from builders.story.syntax import Exit, Like, Move, Place, Story, Tell


@dataclass(frozen=True, slots=True)
class Asked:
    """Hold one question with its answer, whatever it was read from.

    group: the column it is counted in, usually its order. answer: the container, by its number in the story.
    container: its name. letter: its place among the choices, None where it is none of them. choices: how many there
    are. reading: what a probe sees of it, needed only to fit rules. probes: whether predictions of it are right.
    """

    group: str
    story: Story
    chain: tuple[int, ...]
    thing: int
    answer: int
    letter: int | None
    semantics: str = "recursive"
    container: str | None = None
    choices: int = 15
    reading: tuple[Sequence[str], Sequence[int], int] | None = None
    probes: Mapping[str, bool | None] = field(default_factory=dict)

    @property
    def chance(self) -> float:
        """Return how often a choice at random is right."""
        return 1 / self.choices

    @property
    def common(self) -> dict[str, Hashable]:
        """Return what would be right to give always."""
        return {"majority": self.container, "letter": self.letter}

    @property
    def label(self) -> int | None:
        """Return which container of the text is the answer, None where it has none."""
        _, options, right = self.reading or ((), (), None)
        return options.index(right) if right in options else None

    def seen(self) -> dict[str, str]:
        """Return what the rules see that learn from other questions."""
        if self.reading is None:
            return {}
        tokens = self.reading[0]
        end = tokens.index("[SEP]")
        seen = {"question alone": tokens[:end], "story alone": tokens[end:], "TF-IDF": tokens}
        return {rule: " ".join(each) for rule, each in seen.items()}

    def right(self) -> dict[str, bool | None]:
        """Return which of the other rules are right."""
        found = guesses(self, lessons(self.story, self.thing))
        return {**{rule: guess == self.answer for rule, guess in found.items()}, **self.probes}


def most_common(containers: list[int]) -> int | None:
    """Return the container that stands most often in a list; ties go to the first one."""
    return max(containers, key=containers.count) if containers else None


def first_leaver(story: Story, thing: int, chain: tuple[int, ...]) -> int | None:
    """Return where the thing was when the first of the chain's agents left a room after it had been placed."""
    place = None
    for event in story.events:
        match event:
            case Place(placed, container) | Move(_, placed, container) if placed == thing:
                place = container
            case Exit(agent, _) if agent in chain and place is not None:
                return place
    return place


def guesses(asked: Asked, taught: list[Lesson]) -> dict[str, int | None]:
    """Return what each rule answers, None where it has no guess."""
    been = places(taught)
    sightings = [lesson for lesson in taught if lesson.speaker < 0]
    claims = [lesson for lesson in taught if lesson.speaker >= 0]
    said = [event for event in asked.story.events if isinstance(event, Place | Move | Tell)]
    moved = [event for event in said if event.thing == asked.thing and not isinstance(event, Tell)]
    lower = teacher(taught, asked.chain[1:], asked.semantics) if asked.chain else None
    together = teacher(sightings, asked.chain, asked.semantics)
    return {
        "first": been[0] if been else None,
        "last": sightings[-1].container if sightings else None,
        "second": been[1] if len(been) > 1 else None,
        "most mentioned": most_common([event.container for event in said if event.thing == asked.thing]),
        "last claim": claims[-1].container if claims else None,
        "first leaver": first_leaver(asked.story, asked.thing, asked.chain),
        "set of agents": together.container if together else None,
        "one order lower": lower.container if lower else None,
        "last but one": moved[-2].container if len(moved) > 1 else None,
        "their first move": next((e.container for e in moved if isinstance(e, Move) and e.agent in asked.chain), None),
        "most in the text": most_common(
            [event.container for event in asked.story.events if isinstance(event, Place | Move | Tell | Like)]
        ),
    }


def depth(asked: Asked) -> dict[str, bool | None]:
    """Return what holds of a question that is meant to need its chain, and which rules that look at less are right.

    *needs all its agents*: no subchain has the answer. *needs their order*: some permutation has another one. Always
    right about something else: *reality*, *first agent alone* and *last agent alone* (their own beliefs), *one order
    lower*, *last two swapped*. *last that reached all*: the last event that all agents of the chain saw, watched or
    heard; *trust aside*: the last that would teach the chain if everybody trusted everybody; *claims aside*: the last
    that would if nobody had said anything. *first leaver*: see `guesses`. *cross out*: of the containers said to
    hold the thing, but for the answers of all subchains, the one said last. At order 1 the first and the last agent are
    the chain itself, and have no say.
    """
    taught, chain = lessons(asked.story, asked.thing), asked.chain
    whole = (1 << len(chain)) - 1
    held = beliefs(taught, chain, asked.semantics)
    answers = [container_of(held, subchain) for subchain in range(whole + 1)]
    everybody = [lesson for lesson in taught if all(reached(lesson) >> agent & 1 for agent in chain)]
    trusted = [lesson for lesson in everybody if all(lesson.minds >> agent & 1 for agent in chain[1:])]
    simple = {rule: container == asked.answer for rule, container in guesses(asked, taught).items()}
    left = [lesson for lesson in taught if lesson.container not in answers[:whole]]
    swapped = teacher(taught, (*chain[:-2], *chain[:-3:-1]), asked.semantics)
    nested = len(chain) > 1

    def last(of: list[Lesson]) -> bool:
        return bool(of) and of[-1].container == asked.answer

    return {
        "needs all its agents": effective_order(held, len(chain), whole) == len(chain),
        "needs their order": order_sensitive(taught, chain, asked.semantics),
        "reality": answers[0] == asked.answer,
        "first agent alone": answers[1] == asked.answer if nested else None,
        "last agent alone": answers[1 << len(chain) - 1] == asked.answer if nested else None,
        "one order lower": simple["one order lower"],
        "last that reached all": last(everybody),
        "trust aside": last(trusted),
        "claims aside": simple["set of agents"],
        "last two swapped": swapped is not None and swapped.container == asked.answer if nested else None,
        "first leaver": simple["first leaver"],
        "cross out": last(left),
    }


def positions(questions: Iterable[Asked]) -> dict[str, dict[str, list[int]]]:
    """Return for each group how many answers have each letter, from A, and each of belief.SLOTS."""
    counts: dict[str, dict[str, list[int]]] = {}
    for asked in questions:
        group = counts.setdefault(asked.group, {"letters": [0] * 15, "slots": [0] * len(SLOTS)})
        if asked.letter is not None and asked.letter < 15:
            group["letters"][asked.letter] += 1
        group["slots"][answer_slot(lessons(asked.story, asked.thing), asked.answer)] += 1
    return counts
