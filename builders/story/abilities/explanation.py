"""The explanation of a question of `abilities`: the steps of each belief that it rests on, and then the answer."""

from collections.abc import Mapping
from typing import Any

from ...syntax.ability import Belief, Query
from ...syntax.events import Names
from ...syntax.record import loads, spell
from ...wording.stories import Voice, voice
from ..explanation import explain_story
from ..reasons import why_of
from .query import View
from .record import loads_query


def explain_query(text: str, view: View, query: Query, names: Names, say: Voice, answer: str) -> str:
    """Return why an answer is right; `text` holds the numbered lines of the story."""
    steps, lines = say.macros("explain"), []
    for belief in (query.kind.explained_by or query.kind.rests_on)(query):
        if belief.claim:
            lines.append(_further(view, belief, names, say))
            continue
        chain = [names.agents[agent] for agent in belief.chain]
        lines.append(steps.asked(chain, names.things[view.thing], belief.upto, belief.without))
        explained = explain_story(text, view.changed(belief).facts, belief.chain, names, "recursive", say)
        lines += explained.split("\n")[:-1]
    return "\n".join([*lines, steps.answer(answer)])


def _further(view: View, belief: Belief, names: Names, say: Voice) -> str:
    """Return what a claim as a further line would do to a belief, and why."""
    facts, chain = view.changed(belief).facts, belief.chain
    claim, place = say.say(*spell(belief.claim, names)), len(facts.lines) - 1
    taught, why = why_of(facts, chain, "recursive", names, say.reasons, place)
    return say.macros("explain").further(claim, why, names.containers[facts.containers[place]] if taught else "")


def explain_ability_row(row: Mapping[str, Any], language: str = "en") -> str:
    """Return the explanation of a row of `abilities`, from its columns `story`, `events`, `query` and `answer`.

    Raises ValueError for columns that cannot be read or do not fit one another.
    """
    story, names, thing = loads(row["events"])
    if row["story"].count("\n") + 1 != len(story.events):
        raise ValueError(f"the story of a row has not one line for each of its {len(story.events)} events")
    view, query = View(story, thing), loads_query(row["query"], names)
    return explain_query(row["story"], view, query, names, voice(language), row["answer"])
