"""Own the rules about stories: what each answers at a glance, and how deep a question is (docs/audit.md).

A rule looks at the formal story, the thing asked about and the chain. Where it finds nothing it has no guess, and that
counts as wrong.
"""

from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass, field

from builders.difficulty.masking import MaskedRow
from builders.story.meaning import SLOTS, Lesson, answer_slot, lessons_about, places, reached, teacher
from builders.story.structure import effective_order, order_sensitive
from builders.story.subchains import beliefs, container_of
from builders.story.syntax import Exit, Like, Move, Place, Story, Tell

N_LETTERS = 15
"""How many choices a question has as published: letters A to O."""


@dataclass(frozen=True, slots=True)
class AuditedQuestion:
    """Hold one question about a story with its answer, ours or published."""

    group: str  # the column of the table, such as its order
    story: Story
    chain: tuple[int, ...]  # the agents asked about, outermost first
    thing: int  # the thing asked about
    answer: int  # the container by its number in the story
    letter: int | None  # the place of the answer among the choices; None where it is none of them
    semantics: str = "recursive"
    container: str | None = None  # the name of the answer
    n_choices: int = N_LETTERS
    masked: MaskedRow | None = None  # what a probe sees of the row; needed by rules that learn only
    probes: Mapping[str, bool | None] = field(default_factory=dict)  # whether a probe's prediction is right

    @property
    def chance(self) -> float:
        """Return how often a choice at random is right."""
        return 1 / self.n_choices

    @property
    def constant_answers(self) -> dict[str, Hashable]:
        """Return the answer that is right for each rule that always gives the same one."""
        return {"majority": self.container, "letter": self.letter}

    @property
    def label(self) -> int | None:
        """Return the place of the answer among the containers of the text; None where the text lacks it."""
        if self.masked is None or self.masked.right not in self.masked.options:
            return None
        return self.masked.options.index(self.masked.right)

    def features(self) -> dict[str, str]:
        """Return what each rule that learns sees of the question: masked text."""
        if self.masked is None:
            return {}
        tokens = self.masked.tokens
        end = tokens.index("[SEP]")
        seen = {"question alone": tokens[:end], "story alone": tokens[end:], "TF-IDF": tokens}
        return {rule: " ".join(words) for rule, words in seen.items()}

    def outcomes(self) -> dict[str, bool | None]:
        """Return whether each rule that does not learn is right."""
        guesses = story_guesses(self, lessons_about(self.story, self.thing))
        return {**{rule: container == self.answer for rule, container in guesses.items()}, **self.probes}


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


def story_guesses(question: AuditedQuestion, taught: list[Lesson]) -> dict[str, int | None]:
    """Return the container that each rule answers, None where it has no guess.

    taught: the lessons of the story about the thing asked about.
    """
    chain, thing, semantics = question.chain, question.thing, question.semantics
    thing_places = places(taught)
    sightings = [lesson for lesson in taught if lesson.speaker < 0]
    claims = [lesson for lesson in taught if lesson.speaker >= 0]
    mentions = [event for event in question.story.events if isinstance(event, Place | Move | Tell)]
    moves = [event for event in mentions if event.thing == thing and not isinstance(event, Tell)]
    of_chain = [move.container for move in moves if isinstance(move, Move) and move.agent in chain]
    in_text = [event.container for event in question.story.events if isinstance(event, Place | Move | Tell | Like)]
    lower = teacher(taught, chain[1:], semantics) if chain else None
    together = teacher(sightings, chain, semantics)
    return {
        "first": thing_places[0] if thing_places else None,
        "last": sightings[-1].container if sightings else None,
        "second": thing_places[1] if len(thing_places) > 1 else None,
        "most mentioned": most_common([event.container for event in mentions if event.thing == thing]),
        "last claim": claims[-1].container if claims else None,
        "first leaver": first_leaver(question.story, thing, chain),
        "set of agents": together.container if together else None,
        "one order lower": lower.container if lower else None,
        "last but one": moves[-2].container if len(moves) > 1 else None,
        "their first move": of_chain[0] if of_chain else None,
        "most in the text": most_common(in_text),
    }


def depth_outcomes(question: AuditedQuestion) -> dict[str, bool | None]:
    """Return whether a question needs its whole chain, and which rules that look at less are right.

    None where a rule does not apply: at order 1 the first and the last agent are the chain itself.
    """
    taught, chain, answer = lessons_about(question.story, question.thing), question.chain, question.answer
    whole = (1 << len(chain)) - 1
    held = beliefs(taught, chain, question.semantics)
    by_subchain = [container_of(held, subchain) for subchain in range(whole + 1)]
    reached_all = [lesson for lesson in taught if all(reached(lesson) >> agent & 1 for agent in chain)]
    heard_by_all = [lesson for lesson in reached_all if all(lesson.minds >> agent & 1 for agent in chain[1:])]
    not_crossed = [lesson for lesson in taught if lesson.container not in by_subchain[:whole]]
    guesses = story_guesses(question, taught)
    swapped = teacher(taught, (*chain[:-2], *chain[:-3:-1]), question.semantics)
    nested = len(chain) > 1
    return {
        "needs all its agents": effective_order(held, len(chain), whole) == len(chain),
        "needs their order": order_sensitive(taught, chain, question.semantics),
        "reality": by_subchain[0] == answer,
        "first agent alone": by_subchain[1] == answer if nested else None,
        "last agent alone": by_subchain[1 << len(chain) - 1] == answer if nested else None,
        "one order lower": guesses["one order lower"] == answer,
        "last that reached all": _is_last(reached_all, answer),
        "trust aside": _is_last(heard_by_all, answer),
        "claims aside": guesses["set of agents"] == answer,
        "last two swapped": swapped is not None and swapped.container == answer if nested else None,
        "first leaver": guesses["first leaver"] == answer,
        "cross out": _is_last(not_crossed, answer),
    }


def _is_last(taught: list[Lesson], container: int) -> bool:
    """Return whether the last of some lessons is about a container."""
    return bool(taught) and taught[-1].container == container


def count_positions(questions: Iterable[AuditedQuestion]) -> dict[str, dict[str, list[int]]]:
    """Return for each group how many answers have each letter, from A, and how many each of SLOTS."""
    counts: dict[str, dict[str, list[int]]] = {}
    for question in questions:
        group = counts.setdefault(question.group, {"letters": [0] * N_LETTERS, "slots": [0] * len(SLOTS)})
        if question.letter is not None and question.letter < N_LETTERS:
            group["letters"][question.letter] += 1
        group["slots"][answer_slot(lessons_about(question.story, question.thing), question.answer)] += 1
    return counts
