"""The explanation of a question of `abilities`: the steps of each belief that it rests on, and then the answer."""

from collections.abc import Mapping
from typing import Any

from ...syntax.ability import Query
from ...syntax.events import Names
from ...syntax.record import loads, spell
from ...wording.stories import Voice, voice
from ..explanation import explain_story
from ..reasons import why_of
from .record import loads_query
from .view import View


def explain_query(text: str, view: View, query: Query, names: Names, say: Voice, answer: str) -> str:
    """Return why an answer is right; `text` holds the numbered lines of the story."""
    steps, lines = say.macros("explain"), []
    for belief in (query.kind.explained_by or query.kind.rests_on)(query):
        facts, chain = view.changed(belief).facts, belief.chain
        if belief.claim:  # what it would do as a further line, and why
            taught, why = why_of(facts, chain, "recursive", names, say.reasons, len(facts.lines) - 1)
            now = names.containers[facts.containers[-1]] if taught else ""
            lines.append(steps.further(say.say(*spell(belief.claim, names)), why, now))
        else:
            thinkers = [names.agents[agent] for agent in chain]
            lines.append(steps.asked(thinkers, names.things[view.thing], belief.upto, belief.without))
            lines += explain_story(text, facts, chain, names, "recursive", say).split("\n")[:-1]
    return "\n".join([*lines, steps.answer(answer)])


def explain_ability_row(row: Mapping[str, Any], language: str = "en") -> str:
    """Return the explanation of a row of `abilities`, from its columns `story`, `events`, `query` and `answer`.

    Raises ValueError for columns that cannot be read or do not fit one another.
    """
    story, names, thing = loads(row["events"])
    if row["story"].count("\n") + 1 != len(story.events):
        raise ValueError(f"the story of a row must have one line for each of its {len(story.events)} events")
    view, query = View(story, thing), loads_query(row["query"], names)
    return explain_query(row["story"], view, query, names, voice(language), row["answer"])
