"""What the explorer knows of a story: its lines, its questions, and what each line teaches each of their subchains.

All of it comes from the definitions that `show` prints. The page looks answers and reasons up; it knows no rule.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations
from typing import Any

from ..hi_tom.show import other_answers
from ..prompts import rules_of
from ..story.meaning import SEMANTICS, SLOTS, Lesson, lessons_about, teacher, teaches
from ..story.reasons import obstacle_of, reason_of, say_obstacle
from ..syntax.events import WAITING_ROOM, Enter, Exit, Names, Story, Tell, Watch
from ..syntax.record import question_of
from ..syntax.scan import mask
from ..wording.languages import templates

ELSEWHERE, INSIDE, WATCHES, SPEAKS, HEARS = ".iwsh"
"""Where an agent stands at a line: one character of the text that `presence` returns."""

NOTHING = -1
"""The code of a lesson that is no news for a chain: who comes in and sees the thing changes nothing real."""

Chain = tuple[int, ...]


def story_records(rows: Iterable[dict[str, Any]], semantics: str, language: str) -> Iterator[dict[str, Any]]:
    """Yield a record of each story of these rows, in the order in which the stories are first named."""
    words = templates(language).get_template("show.jinja").module
    stories: dict[str, list[dict[str, Any]]] = {}
    for row in rows:
        stories.setdefault(row["story_id"], []).append(row)
    for of_story in stories.values():
        yield story_record(sorted(of_story, key=lambda row: row["order"]), semantics, words, language)


def story_record(rows: Sequence[dict[str, Any]], semantics: str, words: Any, language: str) -> dict[str, Any]:
    """Return the record of one story, given the rows of its questions and the macros of show.jinja.

    `lessons` has [line, container] for each event about the thing. `lanes` has for each subchain of each question, as
    the numbers of its agents, one code for each lesson: twice the place of its reason in `reasons`, plus one where the
    lesson does not teach the subchain; or NOTHING.
    """
    first = rows[0]
    story, names, asked = question_of(first)
    lessons = lessons_about(story, asked.thing)
    chains = [question_of(row)[2].chain for row in rows]
    reasons: dict[str, int] = {}
    lanes = {}
    for chain in dict.fromkeys(subchain for asked in chains for subchain in subchains(asked)):
        codes = []
        for lesson in lessons:
            told = what_it_teaches(story, lesson, chain, names, semantics, words)
            taught, reason = told if told else (False, "")
            codes.append(2 * reasons.setdefault(reason, len(reasons)) + (not taught) if told else NOTHING)
        lanes[",".join(map(str, chain))] = codes
    return {
        "id": first["story_id"],
        "rules": rules_of(first, language, "paper" if semantics == "published" else "full"),
        "lines": [line.partition(" ")[2] for line in first["story"].split("\n")],
        "agents": names.agents,
        "places": names.containers,
        "who": presence(story, lessons),
        "lessons": [[lesson.line, lesson.container] for lesson in lessons],
        "reasons": list(reasons),
        "lanes": lanes,
        "claims": first["n_claims"],
        "questions": [
            question_record(row, chain, names, lessons, semantics, words)
            for row, chain in zip(rows, chains, strict=True)
        ],
    }


def subchains(chain: Chain) -> list[Chain]:
    """Return the subchains of a chain, the empty one and the whole included, the shorter ones first."""
    return [kept for length in range(len(chain) + 1) for kept in combinations(chain, length)]


def what_it_teaches(
    story: Story, lesson: Lesson, chain: Chain, names: Names, semantics: str, words: Any
) -> tuple[bool, str] | None:
    """Return whether a lesson teaches a chain, and why or why not in the words of `show`; None where it is no news."""
    if not chain and isinstance(story.events[lesson.line], Enter):
        return None
    if teaches(lesson, chain, semantics):
        return True, reason_of(lesson, chain, names, words, told=True)
    return False, say_obstacle(obstacle_of(lesson, chain, semantics), names, words, told=True)


def question_record(
    row: dict[str, Any], chain: Chain, names: Names, lessons: list[Lesson], semantics: str, words: Any
) -> dict[str, Any]:
    """Return the record of a question; choices are numbers in the story's `places`, or words that are not there."""
    place = {container: number for number, container in enumerate(names.containers)}
    facts = {
        "id": row["id"],
        "text": row["question"],
        "order": row["order"],
        "chain": chain,
        "choices": [place.get(choice, choice) for choice in row["choices"]],
        "answer": row["answer_index"],
        "needs": row["effective_order"],
        "slot": SLOTS[row["answer_slot"]],
        "undisputed": row["undisputed"],
        "sensitive": row["order_sensitive"],
        "rung": row["rung"],
        "pred": row["deberta_pred"],
        "sure": rounded(row["deberta_confidence"]),
        "difficulty": rounded(row["difficulty"]),
    }
    if row["readings"]:
        facts["disputed"] = words.disputed(other_answers(row))
    if row["semantics_agree"] is False:
        other = next(name for name in SEMANTICS if name != semantics)
        lesson = teacher(lessons, chain, other)
        facts["other"] = [other, lesson.container, lesson.line]
    return {name: value for name, value in facts.items() if value is not None}


def rounded(score: float | None) -> float | None:
    """Return a score of the probe as the page shows it."""
    return None if score is None else round(score, 3)


def presence(story: Story, lessons: Iterable[Lesson]) -> list[str]:
    """Return where each agent stands at each line, one character an agent.

    Lessons know who sees the thing, who watches and who hears. At the other lines this follows who comes and goes.
    """
    about = {lesson.line: lesson for lesson in lessons}
    everyone = range(story.n_agents)
    room_of: dict[int, int] = {}
    chapter_room, watching = WAITING_ROOM, 0  # the room entered last, and the bit mask of who watches it
    shown = []
    for line, event in enumerate(story.events):
        match event:
            case Enter(agents, room):
                room_of |= dict.fromkeys(agents, room)
                if room == WAITING_ROOM:
                    watching &= ~mask(agents)
                else:
                    chapter_room, watching = room, 0
            case Exit(agent, _):
                room_of.pop(agent, None)
            case Watch(agent, _):
                watching |= 1 << agent
        if isinstance(event, Tell):
            hearers = event.hearers or everyone
            places = [SPEAKS if who == event.speaker else HEARS if who in hearers else ELSEWHERE for who in everyone]
        else:
            inside = mask(agent for agent, room in room_of.items() if room == chapter_room != WAITING_ROOM)
            seeing, outside = (about[line].minds, about[line].watching) if line in about else (inside, watching)
            places = [INSIDE if seeing >> who & 1 else WATCHES if outside >> who & 1 else ELSEWHERE for who in everyone]
        shown.append("".join(places))
    return shown
