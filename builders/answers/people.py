"""People's answers: which choice each names literally, how long it took, and a table of all people.

A person answers a sample. So a story or a block that was not asked whole has no strict metric, and nothing is missing.
"""

import json
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean
from string import ascii_uppercase

from ..files import lines_of, text_of
from ..splits import ENGLISH
from .comparison import ALL, PROPERTY
from .items import Item, by_property
from .mentions import EMPTY, SILENT, Reading
from .rates import Bootstrap, Rate
from .replies import match_replies, read_replies
from .scores import metric_rates, score_replies

EVERYBODY = "all people"  # the name of all people together in the table
SAID = {"entailment": ("true", "t"), "not_entailment": ("false", "f")}  # what people call the labels of mindgames


@dataclass(frozen=True, slots=True)
class Answers:
    """Hold the scored answers of one person."""

    items: Sequence[Item]
    seconds: Mapping[str, float]  # by id, how long the person took, where the line says so
    left_out: Sequence[str]  # which lines are left out, in words


@dataclass(frozen=True, slots=True)
class Figures:
    """Hold what was measured of one person, or of all people, in one group of rows."""

    group: str  # ALL, or a group of PROPERTY
    person: str  # name of the person, or EVERYBODY
    rates: Mapping[str, Rate]  # by metric
    seconds: float | None  # the mean over the answers that say theirs; None where none does


def literal(name: str, text: str, choices: Sequence[str], _: str = ENGLISH) -> Reading:
    """Return which choice a response is: its letter, the choice, or both as a prompt prints them ("B. red_box").

    In mindgames it is True or False, or the first letter of these, or the label. Nothing else is read. The language of
    the choices does not matter.
    """
    said = text.strip().lower()
    for place, choice in enumerate(choices):
        whole, letter = choice.lower(), ascii_uppercase[place].lower()
        if said in ((whole, *SAID[choice]) if name == "mindgames" else (whole, letter, f"{letter}. {whole}")):
            return Reading(place)
    return Reading(None, SILENT if said else EMPTY)


def answers_of(name: str, path: Path, items: Sequence[Item], partial: bool) -> Answers:
    """Read and score one person's file of responses to some of these items.

    Raises ValueError for a line that cannot be read and, unless `partial`, for ids that no item has or that are
    repeated; UserError for a file that cannot be read.
    """
    replies = [reply._replace(prompt=None) for reply in read_replies(path)]
    ids = {reply.id for reply in replies}
    asked = [item for item in items if item.id in ids]
    answered, left_out = match_replies(path, asked or items, replies, partial, several=False)
    return Answers(score_replies(name, answered, literal), seconds_of(path), left_out)


def seconds_of(path: Path) -> dict[str, float]:
    """Return how long each id took, for the lines that say so. Raises ValueError for a time that is no number."""
    seconds: dict[str, float] = {}
    for where, line in lines_of(path, text_of(path)):
        fields = json.loads(line)
        took = fields.get("seconds")
        if took is None:
            continue
        if not isinstance(took, int | float) or isinstance(took, bool) or not 0 <= took < math.inf:
            raise ValueError(f"{where}: its seconds is {took!r}; expected a number of 0 or more, or null")
        seconds.setdefault(str(fields.get("id", fields.get("index"))), took)
    return seconds


def table_of(name: str, people: Mapping[str, Answers]) -> list[Figures]:
    """Return the figures of each person, and of all together if there are several; then those of all by PROPERTY.

    people: by name. Each row is over all answers of its people, who may have been asked different questions.
    """
    whole = [(reply, person.seconds.get(reply.id)) for person in people.values() for reply in person.items]
    bootstrap = Bootstrap(name, (reply.unit for reply, _ in whole))

    def figures(group: str, person: str, some: Iterable[tuple[Item, float | None]]) -> Figures:
        replies, seconds = zip(*some, strict=True)
        timed = [took for took in seconds if took is not None]
        return Figures(group, person, metric_rates(name, replies, bootstrap), fmean(timed) if timed else None)

    rows = [
        figures(ALL, person, [(reply, own.seconds.get(reply.id)) for reply in own.items])
        for person, own in people.items()
    ]
    everybody = EVERYBODY if len(people) > 1 else next(iter(people))
    if len(people) > 1:
        rows.append(figures(ALL, EVERYBODY, whole))
    groups = by_property((reply for reply, _ in whole), PROPERTY[name])
    for group in groups if len(groups) > 1 else ():
        rows.append(figures(group, everybody, [one for one in whole if one[0].groups.get(PROPERTY[name]) == group]))
    return rows
