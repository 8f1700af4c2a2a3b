"""What makes two Hi-ToM questions one problem: the same events and the same chain, whatever the names."""

import json

from ..columns import Row
from ..syntax.record import dumps, loads

IDLE = ("Lose", "See", "Like", "Dislike")  # kinds of events that teach nobody anything: distractions


def story_keys(rows: list[Row]) -> list[str]:
    """Return for each question of one story a key that it shares with its renamings and with no other problem.

    Names become numbers in the order of first mention. Distractions, choices and the verb of the question are left out.
    """
    record = json.loads(rows[0]["events"])
    eventful = [event for event in record["events"] if event[0] not in IDLE]
    story, names, thing = loads(dumps(eventful, record["asked"]))
    numbers = {name: number for number, name in enumerate(names.agents)}
    events = repr(story.events)
    return [f"{events} {thing} {[numbers[name] for name in row['chain']]}" for row in rows]
