"""Which rows of a story a user selects, and how `show` prints them and why their answers are right."""

import re
from dataclasses import asdict
from functools import partial
from operator import itemgetter
from string import ascii_uppercase
from typing import Any

from ..columns import Row
from ..configs import DRAWN, Built, Find, Selection, shown_config
from ..dataset import dataset_named
from ..errors import UserError
from ..explanations import explain
from ..groups import grouped_by
from ..splits import SPLITS, in_language_of, plain_name
from ..story.config import StoryConfig, family_of
from ..story.interpretations import believed
from ..story.meaning import RULES, SEMANTICS, SLOTS, each, facts_of
from ..story.reasons import why_of
from ..story.rows import story_questions
from ..syntax.record import question_of
from ..wording.languages import page
from ..wording.stories import voice

# The id of a question, or of a story: its config, split, index, and for a question its order or kind.
ID = re.compile(rf"(?:([a-z_]+)-)?({'|'.join(SPLITS)})-(\d{{6,}})(?:-(\d+|[a-z_]+(?:-2)?))?")


def show(rows: list[Row], built: Built) -> None:
    """Print one story, its questions, the line that taught each answer, and why no later line did.

    Of a question of abilities, plans or woven that is its explanation, which ends with the answer.
    """
    language, semantics = built.fields["language"], built.fields["semantics"]
    words = voice(language).reasons
    told = [
        explain(row, language) if row["query"] or row.get("hops") else told_of(row, semantics, words) for row in rows
    ]
    print(page("show_stories", "story", rows, told, letters=ascii_uppercase, slots=SLOTS, words=words))


def chosen_rows(selection: Selection, find: Find) -> tuple[list[Row], Built]:
    """Return the rows of the questions that the user selects, and where their story comes from."""
    config, split, index, question = selection.config, selection.split, selection.index, None
    if selection.id:
        config, split, index, question = parts_of(selection.id)
        config = in_language_of(config, selection.config)
    built = find(config, split, "story_id", f"{StoryConfig(name=config).prefix}{split}-{index:06d}")
    if built:
        built.rows.sort(key=itemgetter("order"))
    else:
        most = 0 if family_of(plain_name(config)).of_story else index  # its sizes count no stories
        chosen = shown_config(dataset_named("hi_tom").configs, config, split, selection.seed or 0, most)
        built = Built(story_questions(chosen, split, index), asdict(chosen), DRAWN)
        if not built.rows:
            raise UserError(f"--index is {index}; no question of {split} is about this story; choose another")
    asked = {row["id"].removeprefix(f"{row['story_id']}-"): row for row in built.rows}
    rows = [row for name, row in asked.items() if question in (None, name) and selection.kind in (None, row["kind"])]
    if not rows:
        story_id = built.rows[0]["story_id"]
        raise UserError(
            f"story {story_id} has no question {selection.kind or question!r}; the questions are {', '.join(asked)}"
        )
    return rows, built


def parts_of(name: str) -> tuple[str, str, int, str | None]:
    """Return the config, split and index of an id, and its order or kind. Raises UserError for another text."""
    match = ID.fullmatch(name)
    if match is None or match[1] and not StoryConfig(name=match[1]).prefix:
        raise UserError(f"--id is {name!r}; expected the id of a row, such as deep-test-000404-4, or of a story")
    family, split, index, question = match.groups()
    return family or "all", split, int(index), question


def told_of(row: Row, semantics: str, words: Any) -> dict[str, Any]:
    """Return what the macro `question` is told: why lines taught the answer or not, and what others answer."""
    story, names, question = question_of(row)
    chain, facts = question.chain, facts_of(story, question.thing)
    place = RULES[semantics](facts, chain).bit_length() - 1
    idle = 0 if chain else facts.entries  # who comes in later changes nothing real
    places = [place, *each((1 << len(facts.lines)) - (2 << place) & ~idle)]
    said = partial(why_of, facts, chain, semantics, names, words, why=False)
    other = None
    if row["semantics_agree"] is False:
        name = next(name for name in SEMANTICS if name != semantics)
        lines = RULES[name](facts, chain)
        container = facts.last(lines)
        other = (
            name,
            None if container is None else names.containers[container],
            facts.lines[lines.bit_length() - 1] + 1,
        )
    reasons = [(facts.lines[at] + 1, said(at)[1]) for at in places]
    return {"reasons": reasons, "other": other, "answers": other_answers(row)}


def other_answers(row: dict[str, Any]) -> tuple[tuple[tuple[str, ...], str | None], ...]:
    """Return the answers that readings give to a disputed question, None for no answer, each after its readings."""
    story, names, question = question_of(row)
    answers = grouped_by(partial(believed, story, question.chain, question.thing), row["readings"])
    return tuple(
        (tuple(readings), None if place is None else names.containers[place]) for place, readings in answers.items()
    )
