"""What the explorer knows of a story: its lines, its questions, and what each line teaches each of their subchains.

All of it comes from the definitions that `show` prints. The page looks answers and reasons up; it knows no rule.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from operator import itemgetter
from typing import Any

from ..groups import grouped_by
from ..hi_tom.show import other_answers
from ..prompts import rules_of
from ..story.abilities.explanation import explain_ability_row
from ..story.abilities.kind import line_of
from ..story.abilities.now import NOW
from ..story.abilities.record import loads_query
from ..story.abilities.view import View
from ..story.explanation import explain_row
from ..story.lines import LineSet
from ..story.meaning import RULES, SEMANTICS, SLOTS, Chain, Facts, each, facts_of, subchains
from ..story.naming import hops_of
from ..story.reasons import why_of
from ..syntax.events import Overhear, Story
from ..syntax.record import loads, question_of
from ..syntax.scan import scan
from ..wording.languages import Macros
from ..wording.stories import voice

# Where an agent stands at a line: one character of the text that `presence` returns.
ELSEWHERE, INSIDE, WATCHES, SPEAKS, HEARS, OVERHEARS = ".iwsho"

NOTHING = -1  # the code of a line that is no news for a chain: who comes in and sees the thing changes nothing real


def story_records(rows: Iterable[dict[str, Any]], fields: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield a record of each story of these rows, in the order in which the stories are first named.

    fields: `language` and `semantics` of their config.
    """
    words = voice(fields["language"]).reasons
    for of_story in grouped_by(itemgetter("story_id"), rows).values():
        yield story_record(sorted(of_story, key=itemgetter("order")), fields["semantics"], words)


def story_record(rows: Sequence[dict[str, Any]], semantics: str, words: Macros) -> dict[str, Any]:
    """Return the record of one story, given the rows of its questions and the macros of show.jinja.

    `lessons` and `lanes` are as in `taught`. `reasons` are the texts that the codes of lanes name.
    """
    first = rows[0]
    story, names, asked = question_of(first)
    facts = facts_of(story, asked.thing)
    why = partial(why_of, semantics=semantics, names=names, words=words)
    teach = partial(taught, why=why, reasons={})
    plain = {**first, "kind": NOW.name} if first["kind"] else first  # the rules of one kind stand there
    questions = [known(question_record(row, facts, semantics, words) | kind_record(row, teach)) for row in rows]
    every = dict.fromkeys(part for question in questions for part in subchains(question["chain"]))
    return {
        "id": first["story_id"],
        "rules": rules_of(plain, "paper" if semantics == "published" else "full"),
        "lines": [line.partition(" ")[2] for line in first["story"].split("\n")],
        "agents": names.agents,
        "places": names.containers,
        "who": presence(story),
        **teach(facts, every),
        "reasons": list(teach.keywords["reasons"]),
        "claims": first["n_claims"],
        "questions": questions,
    }


def taught(
    facts: Facts, chains: Iterable[Chain], why: Callable[..., tuple[bool, str]], reasons: dict[str, int]
) -> dict[str, Any]:
    """Return what each line about the thing teaches chains; `why` says how, and new reasons are added to `reasons`.

    `lessons` has [line, container] for each line about the thing. `lanes` has for each chain, as the numbers of its
    agents, one code for each of these lines: twice the place of its reason in `reasons`, plus one where the line does
    not teach the chain; or NOTHING.
    """
    lanes: dict[str, list[int]] = {}
    for chain in chains:
        codes = lanes[",".join(map(str, chain))] = [NOTHING] * len(facts.lines)
        idle = LineSet(0 if chain else facts.entries)
        for place in range(len(codes)):
            if place in idle:
                continue
            teaches, reason = why(facts, chain, place=place)
            codes[place] = 2 * reasons.setdefault(reason, len(reasons)) + (not teaches)
    return {"lessons": [*zip(facts.lines, facts.containers, strict=True)], "lanes": lanes}


def kind_record(row: dict[str, Any], teach: Callable[[Facts, Iterable[Chain]], dict[str, Any]]) -> dict[str, Any]:
    """Return what the record of a question has besides, by its kind if it is one of `abilities`; None for nothing.

    `teach` is `taught` for its story. `at` is the line that it looks back to, `struck` the one that it strikes, both
    from 0, with what the other lines then teach; `why` says for each ending of the story, or for each belief, how the
    answer comes about.
    """
    if not row["kind"]:
        return {"needs": row["effective_order"], "slot": SLOTS[row["answer_slot"]], **path_record(row)}
    story, names, thing = loads(row["events"])
    query = loads_query(row["query"], names)
    without = next((belief for belief in query.kind.rests_on(query) if belief.without), None)
    struck = View(story, thing).changed(without).facts if without else None
    return {
        "kind": row["kind"],
        "rule": rules_of(row).removeprefix(rules_of({**row, "kind": NOW.name})).strip() or None,
        "why": explain_ability_row(row, row["language"]).split("\n")[:-1],
        "at": line_of(query) - 1 if row["kind"] == "past" else None,
        "struck": line_of(query) - 1 if struck else None,
        **(teach(struck, subchains(query.chain)) if struck else {}),
    }


def path_record(row: dict[str, Any]) -> dict[str, Any]:
    """Return the steps of a question of `woven`, nothing for others.

    `hops` has for each step the line that is named by thoughts, None for the question, and the line that taught them,
    from 0; `why` says it in words.
    """
    if not row["hops"]:
        return {}
    story, _, asked = question_of(row)
    facts = facts_of(story, asked.thing)
    lines = [*facts.lines, None]
    hops = [[lines[hop.before], lines[hop.place]] for hop in hops_of(story, facts, asked.chain)]
    return {"hops": hops, "why": explain_row(row, row["language"]).split("\n")[:-1]}


def question_record(row: dict[str, Any], facts: Facts, semantics: str, words: Macros) -> dict[str, Any]:
    """Return the record of a question, with None for what it has not.

    Choices are numbers in the story's `places`, or words that are not there.
    """
    _, names, asked = question_of(row)
    place = {container: number for number, container in enumerate(names.containers)}
    record = {
        "id": row["id"],
        "text": row["question"],
        "order": row["order"],
        "chain": asked.chain,
        "choices": [place.get(choice, choice) for choice in row["choices"]],
        "answer": row["answer_index"],
        "undisputed": row["undisputed"],
        "sensitive": row["order_sensitive"],
        "rung": row["rung"],
        **probed(row, row["deberta_pred"]),
        "disputed": words.disputed(other_answers(row)) if row["readings"] else None,
    }
    if row["semantics_agree"] is False:
        other = next(name for name in SEMANTICS if name != semantics)
        lines = RULES[other](facts, asked.chain)
        record["other"] = [other, facts.last(lines), facts.lines[LineSet(lines).last]]
    return record


def known(record: dict[str, Any]) -> dict[str, Any]:
    """Return a record without what is None in it."""
    return {name: value for name, value in record.items() if value is not None}


def probed(row: dict[str, Any], prediction: int | str | None) -> dict[str, Any]:
    """Return what the record of a row has from the probe, which predicts a choice by its number or a label."""
    sure, difficulty = (score and round(score, 3) for score in (row["deberta_confidence"], row["difficulty"]))
    return {"pred": prediction, "sure": sure, "difficulty": difficulty}


def presence(story: Story) -> list[str]:
    """Return where each agent stands at each line, one character an agent.

    Who overhears a claim stands so at the claim, too, and from his own line on.
    """
    everyone = range(story.n_agents)
    scenes = scan(story)
    _, scene = next(scenes)
    shown: list[str] = []
    for line, event in enumerate(story.events):
        next(scenes, None)  # now the scene is that behind the event
        if scene.claim:
            if not isinstance(event, Overhear):
                told = line
            marks = dict.fromkeys(scene.claim.hearers or everyone, HEARS) | dict.fromkeys(scene.listeners, OVERHEARS)
            marks[scene.claim.speaker] = SPEAKS
        else:
            inside = each(scene.inside[scene.chapter_room])
            marks = dict.fromkeys(scene.watchers, WATCHES) | dict.fromkeys(inside, INSIDE)
        shown.append("".join([marks.get(agent, ELSEWHERE) for agent in everyone]))
        if scene.listeners:
            shown[told] = shown[line]
    return shown
