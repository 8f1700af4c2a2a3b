"""How published rows of Hi-ToM are read, and how their labels compare with the labels that their text has."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from string import ascii_uppercase
from typing import Any, NamedTuple

from ..columns import Row
from ..reader.read_stories import read_choices, read_question, read_story
from ..reader.story_minds import believe_after, happenings
from ..story.config import order_name
from ..story.meaning import SEMANTICS, require
from ..syntax.events import Names, Question, Story, Tell
from .left_out import LeftOut
from .published_labels import SIGNS, published_answer
from .tomi import asks_beginning, known_question, known_story, placed

# What is counted of a group of questions: "questions"; whether the story has claims; and (semantics, whether it has
# claims, "agree") where the label is that of the semantics.
Counted = str | bool | tuple[str, bool, str]


class PublishedQuestion(NamedTuple):
    """Hold what a published row of Hi-ToM asks."""

    story: Story
    names: Names  # what the numbers of the story are called
    question: Question
    choices: list[str]  # containers; empty where the row has no choices
    answer: str  # the container that is published as the answer; the story may lack it
    at_beginning: bool  # whether the row asks where the thing was at the beginning, as ToMi does, not in the end

    @property
    def group(self) -> str:
        """Return the name of the questions with which a table counts this one."""
        return "beginning" if self.at_beginning else order_name(len(self.question.chain))


def read_published_question(row: Mapping[str, Any]) -> PublishedQuestion:
    """Return what a published row of Hi-ToM asks. Raises ValueError for a row that cannot be read."""
    if not isinstance(row.get("prompting_type"), str | None):
        raise ValueError(f"prompting_type is {row['prompting_type']!r}; expected a name such as VP, or none")
    story, names = read_story(known_story(row["story"]))
    require(story, "published")
    question = read_question(known_question(row["question"]), names)
    choices = _read_choices(row)
    answer = published_answer(row["answer"], choices, names.containers)
    return PublishedQuestion(placed(story), names, question, choices, answer, asks_beginning(row["question"]))


def _label(published: PublishedQuestion, semantics: str) -> str | None:
    """Return the container that the text of a published row gives as its answer; None where nothing in it does."""
    chain, told = published.question.chain, happenings(published.story, published.question.thing)
    if published.at_beginning:
        place = next((moment.container for moment in told), None)
    else:
        place = believe_after(told, [chain], semantics)[chain]
    return None if place is None else published.names.containers[place]


def _read_choices(row: Mapping[str, Any]) -> list[str]:
    """Return the choices of a published row, a list or one string, without letters; none where the row has none."""
    choices = row.get("choices", [])
    if isinstance(choices, str):
        return list(read_choices(choices))
    if not isinstance(choices, list) or not all(isinstance(choice, str) for choice in choices):
        raise ValueError(f'choices is {choices!r}; expected a list of containers or "A. x, B. y, …"')
    lettered = [
        re.fullmatch(rf"\W*{letter}\W+(\w.*)", choice) for letter, choice in zip(ascii_uppercase, choices, strict=False)
    ]
    named = [match[1] for match in lettered if match]
    return [choice.strip(SIGNS) for choice in (named if len(named) == len(lettered) else choices)]


def reread_hi_tom(rows: Iterable[tuple[str, Row]], left_out: LeftOut) -> tuple[tuple[object, ...], list[Row]]:
    """Compare published labels with those read from the text.

    Returns what the page of `reread` shows, and the rows that disagree with one of the semantics or both. The page
    shows for each (prompting type, order) how many labels agree, the totals of prompting types, the semantics, and how
    many questions stand more than once and have different answers. Rows that cannot be read go to `left_out`.
    """
    counts: dict[tuple[str, str], Counter[Counted]] = defaultdict(Counter)
    answers: dict[tuple[str, str], list[str]] = defaultdict(list)
    disagreeing = []
    for where, row, published in left_out.readable(rows, read_published_question):
        order = "beginning" if published.at_beginning else f"order {len(published.question.chain)}"
        claims = any(isinstance(event, Tell) for event in published.story.events)
        labels = {semantics: _label(published, semantics) for semantics in SEMANTICS}
        agree: dict[Counted, int] = {
            (semantics, claims, "agree"): int(label == published.answer) for semantics, label in labels.items()
        }
        for group in {str(row.get("prompting_type", "all")), "all"}:
            for count in (counts[group, order], counts[group, "total"]):
                count.update({"questions": 1, claims: 1, **agree})
        if not all(agree.values()):
            columns = {f"read_{semantics}": label for semantics, label in labels.items()}
            disagreeing.append({"where": where, **row, **columns})
        answers[row["story"], row["question"]].append(published.answer)
    in_order = sorted(counts.items(), key=lambda item: (item[0][0] == "all", item[0]))
    totals = [(group, count) for (group, order), count in sorted(counts.items()) if order == "total"]
    repeated = [given for given in answers.values() if len(given) > 1]
    split = sum(len(set(given)) > 1 for given in repeated)
    return (in_order, totals, SEMANTICS, len(repeated), split), disagreeing
