"""A second search for tests of the game: whole stories, read by the second meaning."""

from itertools import combinations
from operator import itemgetter

from tom_datasets.reader.story_minds import believe_after, happenings
from tom_datasets.story.acting.world import PLAYER, ROOM, THING
from tom_datasets.syntax.events import Come, Enter, Exit, Move, Overhear, Place, Report, Story, Tell


def standing(events):
    """Return who is inside, and where the thing is, after some lines."""
    inside, place = set(), None
    for event in events:
        match event:
            case Enter(agents, _):
                inside |= {*agents}
            case Come(agent, _):
                inside.add(agent)
            case Exit(agent, _):
                inside.remove(agent)
            case Place(_, container) | Move(_, _, container):
                place = container
    return inside, place


def all_acts(n_agents, n_containers, events):
    """Return all acts that can be done after some lines; None is to wait."""
    inside, place = standing(events)
    here = PLAYER in inside
    near = [agent for agent in range(1, n_agents) if (agent in inside) == here]
    acts = [None, Exit(PLAYER, ROOM) if here else Come(PLAYER, ROOM)]
    for container in range(n_containers):
        if here and container != place:
            acts.append(Move(PLAYER, THING, container))
        acts.append(Tell(PLAYER, (), THING, container))
        for hearers in (*combinations(near, 1), *combinations(near, 2)):
            acts.append(Tell(PLAYER, hearers, THING, container))
            for mind in set(range(1, n_agents)) - {*hearers}:
                acts.append(Report(PLAYER, hearers, (mind,), THING, container))
    return acts


def after(events, act, script):
    """Return the lines after a turn."""
    lines = [] if act is None else [act]
    listener = script.listener
    if isinstance(act, Tell | Report) and act.hearers and listener:
        if listener.agent not in (*act.hearers, *getattr(act, "chain", ())):
            lines.append(Overhear(listener.agent, ()))
    _, place = standing((*events, *lines))
    for event in script.events:
        if isinstance(event, Move):
            if event.container == place:
                continue
            place = event.container
        lines.append(event)
    return (*events, *lines)


def believed(game, events):
    """Return what the goals look at, after some lines: the beliefs of their chains, and where the thing is."""
    told = happenings(Story(game.n_agents, events), THING)
    chains = {goal.chain[first:] for goal in game.goals for first in range(len(goal.chain) + 1)}
    return believe_after(told, sorted(chains), "recursive")


def holds(game, beliefs):
    """Return whether all goals hold."""
    return all(
        beliefs[chain] == container if kind == "is" else (beliefs[chain] == beliefs[chain[1:]]) == (kind == "right")
        for kind, chain, container in game.goals
    )


def least_by_replaying(game):
    """Return the least number of acts that reach the goals, None where none do: every plan is played to its end."""
    plans = [(game.story, 0)]
    for script in game.script:
        plans = [
            (after(events, act, script), acts + (act is not None))
            for events, acts in plans
            for act in all_acts(game.n_agents, game.n_containers, events)
        ]
    fewest_first = sorted(plans, key=itemgetter(1))
    return next((acts for events, acts in fewest_first if holds(game, believed(game, events))), None)


def least_by_states(game):
    """Return the same, where stories are one that leave everybody, and what the goals look at, the same."""
    states = [(0, game.story)]
    for turn, script in enumerate(game.script, 1):
        plans = [
            (acts + (act is not None), after(events, act, script))
            for acts, events in states
            for act in all_acts(game.n_agents, game.n_containers, events)
        ]
        reached = {}
        for acts, lines in sorted(plans, key=itemgetter(0)):  # the first plan that is found has the fewest acts
            beliefs = believed(game, lines)
            if turn == len(game.script) and holds(game, beliefs):
                return acts
            order = [event.agent for event in lines[lines.index(begun(lines)) :] if isinstance(event, Exit)]
            latest = tuple(agent for place, agent in enumerate(order) if agent not in order[place + 1 :])
            inside, place = standing(lines)
            left = tuple(agent for agent in latest if agent not in inside)
            reached.setdefault((frozenset(inside), left, place, *sorted(beliefs.items())), (acts, lines))
        states = reached.values()
    return None


def begun(events):
    """Return the line with which the last chapter begins."""
    return [event for event in events if isinstance(event, Enter)][-1]
