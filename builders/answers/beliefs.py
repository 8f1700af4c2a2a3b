"""All beliefs of a story at once: which are right, how a reply's JSON is read, and precision, recall and F1.

A belief is a chain of one agent or two, with a container. Chains that some reading disputes, or that have no belief,
count for nothing. The measure is OmniToM's.
"""

import json
import re
from collections.abc import Iterable, Mapping
from contextlib import suppress
from itertools import chain, permutations
from typing import Any

import numpy as np

from ..story.abilities.query import Belief, View
from ..syntax.record import loads
from .containers import spelling
from .rates import Bootstrap, Rate

Beliefs = dict[tuple[str, ...], str]  # the container of each chain, by the names of its agents

METRICS = ("precision", "recall", "F1")
GROUPS = {"all": (1, 2), "order 1": (1,), "order 2": (2,)}  # the orders of the beliefs that each group counts


def right_beliefs(row: Mapping[str, Any]) -> tuple[Beliefs, set[tuple[str, ...]]]:
    """Return the undisputed beliefs of a row's story, and the chains that count for nothing."""
    story, names, thing = loads(row["events"])
    view, right, left_out = View(story, thing), {}, set()
    for agents in chain(permutations(range(story.n_agents), 1), permutations(range(story.n_agents), 2)):
        named = tuple([names.agents[agent] for agent in agents])
        if view.is_undisputed(Belief(agents)):
            right[named] = spelling(names.containers[view.end(*agents)])
        else:
            left_out.add(named)
    return right, left_out


def read_beliefs(reply: str) -> Beliefs | None:
    """Return the beliefs that the last JSON object of objects in a reply states; None where it has none."""
    said = None
    for match in re.finditer(r"\{", reply):
        with suppress(ValueError, RecursionError):
            told, _ = json.JSONDecoder().raw_decode(reply, match.start())
            if all(isinstance(inner, dict) for inner in told.values()) and told:
                said = told
    if said is None:
        return None
    return {
        (outer,) if outer == agent else (outer, agent): spelling(str(container))
        for outer, inner in said.items()
        for agent, container in inner.items()
    }


def score_beliefs(rows: Iterable[Mapping[str, Any]], texts: Mapping[str, str]) -> dict[str, Any]:
    """Score the replies by story, given a row of each; return shares with 95 % intervals from a bootstrap over stories.

    The shares are by GROUPS and METRICS; an unread reply states nothing.
    """
    counts: dict[str, list[list[int]]] = {group: [] for group in GROUPS}  # right, said and held of each story
    unread = 0
    for row in rows:
        (held, left_out), said = right_beliefs(row), read_beliefs(texts[row["story_id"]])
        unread += said is None
        said = {agents: container for agents, container in (said or {}).items() if agents not in left_out}
        right = dict(said.items() & held.items())
        for group, orders in GROUPS.items():
            counts[group].append([sum(len(agents) in orders for agents in some) for some in (right, said, held)])
    draws = Bootstrap("hi_tom", texts).counts
    return {
        "stories": len(texts),
        "unread": unread,
        "groups": {group: shares_of(np.array(of_story), draws) for group, of_story in counts.items()},
    }


def shares_of(counts: np.ndarray, draws: np.ndarray) -> dict[str, Rate]:
    """Return each metric with its interval, given what is right, said and held by story.

    draws: how often each draw of the bootstrap has a story.
    """

    def fractions(right: Any, said: Any, held: Any) -> list[tuple[Any, Any]]:
        return [(right, said), (right, held), (2 * right, said + held)]

    rates = {}
    measured, drawn = fractions(*counts.sum(axis=0)), fractions(*(draws @ counts).T)
    for metric, (right, total), (rights, totals) in zip(METRICS, measured, drawn, strict=True):
        bounds = np.percentile(rights / np.maximum(totals, 1), (2.5, 97.5))
        rates[metric] = Rate(int(right), max(int(total), 1), 0.0, *map(float, bounds))
    return rates
