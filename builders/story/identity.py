"""What makes two Hi-ToM questions one problem: the same events and the same chain, whatever the names."""

import json
from dataclasses import replace

from ..syntax.record import dumps, loads
from .abilities.record import loads_query
from .acting.plans import episode_of_row

IDLE = ("Lose", "See", "Like", "Dislike")  # kinds of events that teach nobody anything: distractions


def problem_keys(rows: list[dict]) -> list[str]:
    """Return for each question of one story a key that it shares with its renamings and with no other problem.

    Names become numbers in the order of first mention. Distractions, choices and the verb of the question are left out.
    """
    if rows[0].get("query"):
        return [ability_key(row) if row["kind"] else repr(episode_of_row(row).game) for row in rows]
    record = json.loads(rows[0]["events"])
    eventful = [event for event in record["events"] if event[0] not in IDLE]
    story, names, thing = loads(dumps(eventful, record["asked"]))
    numbers = {name: number for number, name in enumerate(names.agents)}
    events = repr(story.events)
    return [f"{events} {thing} {[numbers[name] for name in row['chain']]}" for row in rows]


def ability_key(row: dict) -> str:
    """Return the key of a question of `abilities`; the order of its options is left out."""
    story, names, thing = loads(row["events"])
    query = loads_query(row["query"], names)
    options = tuple(sorted(map(repr, query.options)))
    return repr((story.events, thing, replace(query, kind=query.kind.name, options=options)))
