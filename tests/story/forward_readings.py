"""Own a second, plain account of the readings: nested minds that each line changes, one reality for each reading.

`builders.story.readings` looks back from the end of a story for one chain at a time. Here every mind holds the minds
that it ascribes to others, and each line is told to all of them, first to last. The two share no code but the syntax.
"""

from builders.story.syntax import WAITING_ROOM, Enter, Exit, Move, Place, Tell, Watch

RULES = "the rules"


NAMES = (
    "visit", "last leaver", "visit and last leaver", "speaker everywhere", "stayed longer", "last exit", "outranked",
    "watch sees the present state", "placed only",
)  # fmt: skip
"""The readings, as docs/readings.md and the column `readings` name them."""


NEVER = float("inf")


class Mind:
    """Hold where a mind takes the thing to be, and the minds that it ascribes to others."""

    def __init__(self, agents, depth):
        self.where = None
        self.believed = []  # of this chapter: the speakers of the claims that convinced this mind
        self.others = {agent: Mind(agents - {agent}, depth - 1) for agent in agents} if depth else {}

    def at(self, chain):
        """Return the mind at the end of a chain."""
        return self.others[chain[0]].at(chain[1:]) if chain else self

    def see(self, container, inside, watchers=frozenset()):
        """Learn where the thing is, with all who are inside; who watches learns it too, and nobody knows of him."""
        self.where = container
        for agent, mind in self.others.items():
            if agent in inside or agent in watchers:
                mind.see(container, inside)

    def suppose_seen(self, container, inside):
        """Take all inside to see the thing in the container; who is outside takes them to see it where he has it."""
        for agent, mind in self.others.items():
            if agent in inside:
                mind.where = container
            mind.suppose_seen(mind.where, inside)

    def suppose_left(self, leavers, inside, back):
        """Let whoever inside is back suppose that those who left last know the place that all inside now see."""
        for agent, mind in self.others.items():
            if agent in inside:
                for leaver in leavers & mind.others.keys() if agent in back else ():
                    mind.others[leaver].where = mind.where
                mind.suppose_left(leavers, inside, back)

    def suppose_both(self, container, inside, leavers, back, thinker=None):
        """Take those who left last to know the place, too, if the thinker is back; else as `suppose_seen`."""
        for agent, mind in self.others.items():
            if agent in inside or thinker in back and agent in leavers:
                mind.where = container
            mind.suppose_both(mind.where, inside, leavers, back, agent)

    def hear(self, claim, thinker=None, first=None, in_speaker=False):
        """Change what all who heard a claim are taken to believe; `first` is the agent whose mind holds all these."""
        for agent, mind in self.others.items():
            if agent not in claim.audience:
                continue
            own = agent if first is None else first
            if agent != claim.speaker and (thinker == claim.speaker or in_speaker):
                convinced = True
            else:
                judge = thinker if agent == claim.speaker else agent
                knows_better = judge == own and judge in claim.watchers
                convinced = judge in claim.trusting and not knows_better
            if convinced:
                mind.believe(claim)
            inside_speaker = claim.everywhere and (in_speaker or agent == claim.speaker)
            mind.hear(claim, agent, own, inside_speaker)

    def believe(self, claim):
        """Take a claim to be true, unless the claim of a later leaver stands against it."""
        if not any(claim.left(other) > claim.left(claim.speaker) for other in self.believed):
            self.pass_on(claim.container, claim.stayed)
        if claim.ranked:
            self.believed.append(claim.speaker)

    def pass_on(self, container, knowing):
        """Have the thing in a container, and take some to know this together."""
        self.where = container
        for agent in knowing & self.others.keys():
            self.others[agent].pass_on(container, knowing)

    def forget_claims(self):
        """Begin a chapter, whose claims have no rank against those before."""
        self.believed.clear()
        for mind in self.others.values():
            mind.forget_claims()


class Claim:
    """Hold a claim as it stands under one reading."""

    def __init__(self, reading, scene, speaker, hearers, container):
        self.speaker, self.container = speaker, container
        self.audience = {speaker, *hearers}
        self.watchers = scene.watchers
        self.left = scene.left
        if reading == "last exit":
            self.trusting = {agent for agent in hearers if scene.last_exit[agent] < scene.last_exit[speaker]}
        else:
            self.trusting = {agent for agent in hearers if scene.left(agent) < scene.left(speaker)}
        self.everywhere = reading == "speaker everywhere"
        stayed = {agent for agent in scene.members if scene.left(agent) > scene.left(speaker)}
        self.stayed = stayed if reading == "stayed longer" else set()
        self.ranked = reading == "outranked"


class Scene:
    """Follow who is where, and who left what when."""

    def __init__(self, story):
        self.last_exit = {agent: NEVER for agent in range(story.n_agents)}  # when each exits for the last time
        for line, event in enumerate(story.events):
            if isinstance(event, Exit):
                self.last_exit[event.agent] = line
        self.room_of = {}
        self.chapter = None  # the room of the chapter
        self.members = set()  # who was in it when the chapter began
        self.left_at = {}  # when each of them left it
        self.watchers = set()
        self.leavers = {}  # of each room those who left it last: more than one where they left in one line
        self.visitors = {}  # of each room all who have been there

    def inside(self, room):
        """Return who is in a room."""
        return {agent for agent, where in self.room_of.items() if where == room}

    def left(self, agent):
        """Return when an agent left the chapter's room: never, or before all others where he was not there."""
        return self.left_at.get(agent, NEVER) if agent in self.members else -1

    def leave(self, agents, line):
        """Let agents leave the rooms where they are, at one time; return these rooms."""
        gone = {}
        for agent in agents:
            if agent in self.room_of:
                gone.setdefault(self.room_of.pop(agent), set()).add(agent)
        self.leavers |= gone
        for agent in gone.get(self.chapter, ()):
            self.left_at[agent] = line

    def enter(self, agents, room, line):
        """Let agents enter a room; return who of them had been there before, and who left it last and is not inside."""
        self.leave(agents, line)
        self.room_of.update(dict.fromkeys(agents, room))
        if room != WAITING_ROOM:
            self.chapter, self.members, self.left_at, self.watchers = room, self.inside(room), {}, set()
        back = self.visitors.setdefault(room, set()).intersection(agents)
        self.visitors[room].update(agents)
        return back, self.leavers.get(room, set()) - self.inside(room)


def realities(story, thing, depth, agents=None):
    """Return reality under the rules and under each reading, at the end; each mind holds `depth` others in turn.

    agents: those whose minds are followed, or all.
    """
    agents = frozenset(range(story.n_agents) if agents is None else agents)
    minds = {reading: Mind(agents, depth) for reading in (RULES, *NAMES)}
    scene = Scene(story)
    home = place = entered = None
    for line, event in enumerate(story.events):
        match event:
            case Enter(who, entered):
                back, leavers = scene.enter(who, entered, line)
                inside = scene.inside(entered)
                if entered != WAITING_ROOM:
                    minds["outranked"].forget_claims()
                if place is not None and entered == home:
                    for mind in minds.values():
                        mind.see(place, inside)
                    minds["visit"].suppose_seen(place, inside)
                    minds["last leaver"].suppose_left(leavers, inside, back)
                    minds["visit and last leaver"].suppose_both(place, inside, leavers, back)
            case Exit(agent):
                scene.leave([agent], line)
            case Place(placed, container) if placed == thing:
                again, home, place = place is not None, entered, container
                watchers = scene.watchers if home == scene.chapter else set()
                for reading, mind in minds.items():
                    mind.see(place, scene.inside(home), set() if again and reading == "placed only" else watchers)
            case Move(agent, moved, container) if moved == thing:
                home, place = scene.room_of[agent], container
                for mind in minds.values():
                    mind.see(place, scene.inside(home), scene.watchers if home == scene.chapter else set())
            case Watch(agent):
                scene.watchers.add(agent)
                watched = minds["watch sees the present state"].others.get(agent)
                if watched and place is not None and home == scene.chapter:
                    watched.see(place, scene.inside(home))
            case Tell(speaker, told, claimed, container) if claimed == thing:
                hearers = set(told or range(story.n_agents)) - {speaker}
                for reading, mind in minds.items():
                    mind.hear(Claim(reading, scene, speaker, hearers, container))
    return minds
