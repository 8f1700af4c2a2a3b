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

from ..story.abilities.view import View
from ..syntax.ability import Belief
from ..syntax.record import loads
from .containers import spelling
from .rates import Bootstrap, Rate

Beliefs = dict[tuple[str, ...], str]  # the container of each chain, by the names of its agents

# Of each metric the numerator and the denominator: how often they count what is right, said and held.
METRICS = {"precision": ((1, 0, 0), (0, 1, 0)), "recall": ((1, 0, 0), (0, 0, 1)), "F1": ((2, 0, 0), (0, 1, 1))}
GROUPS = {"all": (1, 2), "order 1": (1,), "order 2": (2,)}  # the orders of the beliefs that each group counts


def right_beliefs(row: Mapping[str, Any]) -> tuple[Beliefs, set[tuple[str, ...]]]:
    """Return the undisputed beliefs of a row's story, and the chains that count for nothing."""
    story, names, thing = loads(row["events"])
    view, agents = View(story, thing), range(story.n_agents)
    chains = chain(permutations(agents, 1), permutations(agents, 2))
    beliefs = {tuple([names.agents[agent] for agent in minds]): Belief(minds) for minds in chains}
    undisputed = {minds: belief for minds, belief in beliefs.items() if view.is_undisputed(belief)}
    held = {minds: view.held(belief) for minds, belief in undisputed.items()}
    right = {minds: spelling(names.containers[place]) for minds, place in held.items() if place is not None}
    return right, beliefs.keys() - right


def read_beliefs(reply: str) -> Beliefs | None:
    """Return the beliefs that the last JSON object of objects in a reply states; None where it has none."""
    for match in reversed([*re.finditer(r"\{", reply)]):
        with suppress(ValueError, RecursionError):
            said, _ = json.JSONDecoder().raw_decode(reply, match.start())
            if said and all(isinstance(inner, dict) for inner in said.values()):
                return {
                    (outer,) if outer == agent else (outer, agent): spelling(str(container))
                    for outer, inner in said.items()
                    for agent, container in inner.items()
                }
    return None


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
    groups = {group: shares_of(np.array(of_story), draws) for group, of_story in counts.items()}
    return {"stories": len(texts), "unread": unread, "groups": groups}


def shares_of(counts: np.ndarray, draws: np.ndarray) -> dict[str, Rate]:
    """Return each metric with its interval, given what is right, said and held by story.

    draws: how often each draw of the bootstrap has a story.
    """
    rates = {}
    for metric, fraction in METRICS.items():
        of_story = counts @ np.transpose(fraction)
        (right, total), (rights, totals) = of_story.sum(axis=0), (draws @ of_story).T
        low, high = map(float, np.percentile(rights / np.maximum(totals, 1), (2.5, 97.5)))
        rates[metric] = Rate(int(right), max(int(total), 1), 0.0, low, high)
    return rates
