"""What the explorer knows of a question of `plans`: its courses of action, a shortest one, and how an episode goes on.

The page plays an episode by looking things up; it knows no rule. A *node* is a turn with who is where and the place of
the thing. Beliefs are a text with one character for that place, and then one for each chain that the goals look at.
"""

from collections.abc import Iterable, Iterator, Mapping
from itertools import chain as joined
from typing import Any

from ..prompts import rules_of
from ..story.acting.episode import Episode
from ..story.acting.game import IS, heard_by, lines_of, play
from ..story.acting.plans import episode_of_row, explain_plan_row
from ..story.acting.solve import claims_of
from ..story.acting.world import AS_BEFORE, DOINGS, World, acts_alike, chains_of, fault

SAME = "."  # a belief that is as before


def plan_records(rows: Iterable[dict[str, Any]], _: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield the record of each of these rows."""
    for row in rows:
        episode = episode_of_row(row)
        yield {
            **{name: row[name] for name in ("id", "question", "choices", "order")},
            "rules": rules_of(row),
            "story": row["story"].split("\n"),
            "answer": row["answer_index"],
            "acts": episode.game.acts,
            "why": explain_plan_row(row).split("\n"),
            "solution": episode.solution,
            **playing(episode),
        }


def playing(episode: Episode) -> dict[str, Any]:
    """Return all that can happen in an episode.

    lines: the first line of each kind; the others name other containers. nodes: for each act that is no claim the
    fault, or the next node, what is believed then, and which lines of the script are left out, by their places; and for
    each kind of claim the fault, or which chains it teaches.
    Bit 0 stands for the place, which no claim changes.
    """
    game, kinds = episode.game, acts_alike(episode.game.n_agents, episode.game.n_containers)
    looked = [*dict.fromkeys(((), *joined.from_iterable(goal.chains for goal in game.goals)))]
    shifts = [chains_of(game.n_agents)[chain] for chain in looked]

    def spelled(world: World) -> str:
        """Return the place and the beliefs of a world."""
        places = map(world.believed, looked)
        return "".join(SAME if place == AS_BEFORE else str(place) for place in places)

    nodes: list[Any] = []
    worlds = {episode.world.bare(): 0}  # before a turn, each with its number among them
    for after in game.script:
        first = len(nodes) + len(worlds)
        ends: dict[World, int] = {}
        for world in worlds:
            ways: list[Any] = []
            for act in joined.from_iterable(kinds[:DOINGS]):
                end = play(world, act, after)
                number = first + ends.setdefault(end.bare(), len(ends))
                happened = {*map(id, lines_of(world, act, after))}
                missing = [place for place, event in enumerate(after.events) if id(event) not in happened]
                ways.append(fault(world, act) or [number, spelled(end), missing])
            taught = {
                alike: sum((learnt >> shift & 1) << place for place, shift in enumerate(shifts))
                for learnt, told in claims_of(world._replace(beliefs=0), after.listener, game.n_containers).items()
                for alike in told
            }
            nodes.append([ways, [taught.get(alike, fault(world, alike[0])) for alike in kinds[DOINGS:]]])
        worlds = ends
    nodes += [[] for _ in worlds]
    return {
        "lines": [episode.say(alike[0]) for alike in kinds],
        "containers": episode.names.containers,
        "faults": {kind: episode.words.fault(kind, episode.names) for kind in ("inside", "outside", "there", "apart")},
        "rounds": [
            {
                "lines": [*map(episode.say, after.events)],
                "overheard": after.listener and episode.say(after.listener),
                "heard": [kind for kind, alike in enumerate(kinds) if heard_by(after.listener, alike[0])],
            }
            for after in game.script
        ],
        "begun": spelled(episode.world),
        "nodes": nodes,
        "goals": [
            [said, kind, looked.index(chain), container if kind == IS else looked.index(chain[1:])]
            for (kind, chain, container), (said, _) in zip(game.goals, episode.goals(), strict=True)
        ],
    }
