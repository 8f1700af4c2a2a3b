"""A second play of the game with a partial view for tests: whole stories read by the second meaning, naive search."""

from plan_searches import standing

from tom_datasets.reader.story_minds import believe_after, happenings
from tom_datasets.story.acting.partial.game import Ask, Avowal
from tom_datasets.story.acting.world import PLAYER, THING
from tom_datasets.syntax.events import Come, Exit, Move, Overhear, Report, Story, Tell, Watch


class Told:
    """Hold a story so far, and say what it comes to by the second meaning."""

    def __init__(self, n_agents, events):
        self.n_agents, self.events = n_agents, tuple(events)
        self.inside, self.place = standing(self.events)

    def believed(self, chain):
        """Return where a chain believes the thing to be; the empty one knows."""
        if not chain:
            return self.place
        told = happenings(Story(self.n_agents, self.events), THING)
        return believe_after(told, [chain], "recursive")[chain]

    def near(self, agent, other):
        """Return whether both are in the room, or both outside."""
        return (agent in self.inside) == (other in self.inside)

    def can(self, line):
        """Return whether somebody can do a line."""
        match line:
            case Come(agent, _):
                watched = any(isinstance(event, Watch) and event.agent == agent for event in self.events)
                return agent not in self.inside and not watched
            case Exit(agent, _):
                return agent in self.inside
            case Move(agent, _, container):
                return agent in self.inside and container != self.place
            case Ask(chain):
                return self.near(PLAYER, chain[0])
            case Tell(speaker, hearers, _, _) | Report(speaker, hearers, _, _, _):
                return all(self.near(speaker, hearer) for hearer in hearers)
        return True

    def then(self, *lines):
        """Return the story with more lines."""
        return Told(self.n_agents, (*self.events, *lines))

    def turn(self, doing, response):
        """Return what the player perceives of a turn, and the story after it."""
        after, answer = self, -1
        if doing is not None and self.can(doing):
            if isinstance(doing, Ask):
                answer = self.believed(doing.chain)
            else:
                lines = [doing]
                if isinstance(doing, Tell | Report) and doing.hearers and response.listener:
                    if response.listener.agent not in (*doing.hearers, *getattr(doing, "chain", ())):
                        lines.append(Overhear(response.listener.agent, ()))
                after = self.then(*lines)
                if isinstance(doing, Come):
                    answer = after.place
        holds = not response.chain or after.believed(response.chain) == response.container
        deed = response.deed if holds else response.otherwise
        if isinstance(deed, Avowal):
            deed = Tell(deed.agent, (), THING, after.believed((deed.agent,)))
        if deed is None or not after.can(deed):
            return (answer, None), after
        perceives = PLAYER in after.inside if isinstance(deed, Move) else True
        if isinstance(deed, Tell | Report) and deed.hearers:
            perceives = PLAYER in deed.hearers
        return (answer, deed if perceives else None), after.then(deed)


def starts(game):
    """Return the story before the first turn, by alternative."""
    return [Told(game.n_agents, (*game.story, *lines)) for lines in game.alternatives]


def won(game, told):
    """Return whether all goals hold."""
    return all(
        told.believed(chain) == container
        if kind == "is"
        else (told.believed(chain) == told.believed(chain[1:])) == (kind == "right")
        for kind, chain, container in game.goals
    )


def policy_wins(game, policy, told):
    """Return whether a policy wins from one story on."""
    for turn, response in enumerate(game.script):
        seen, told = told.turn(policy.doing, response)
        if turn + 1 < game.turns:
            policy = policy.then[seen]
    return won(game, told)


def least_lines(game, turn, stories, most, asking=True):
    """Return the least number of lines that win in all of some stories, more than `most` where none do: naively."""
    if turn == game.turns:
        return 0 if all(won(game, told) for told in stories) else most + 1
    best = most + 1
    for doing in game.doings:
        cost = doing is not None
        if cost > most or not stories[0].can(doing) or isinstance(doing, Ask) and not asking:
            continue
        parts = {}
        for told in stories:
            seen, after = told.turn(doing, game.script[turn])
            parts.setdefault(seen, []).append(after)
        lines = 0
        for part in parts.values():
            lines = max(lines, cost + least_lines(game, turn + 1, part, min(most, best - 1) - cost, asking))
            if lines >= best:
                break
        best = min(best, lines)
    return best
