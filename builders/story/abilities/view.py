"""What chains believe in a story and in its changes: a prefix, a line less, a claim more."""

from functools import cached_property

from ...syntax.ability import Belief
from ...syntax.coherence import faults
from ...syntax.events import Like, Overhear, Story, Tell
from ..interpretations import InterpretedStory, read
from ..meaning import RULES, Chain, Facts, each, facts_of


class View:
    """Look at a story: what chains believe in it about a thing, and in its changes, computed once."""

    def __init__(self, story: Story, thing: int = 0) -> None:
        self.story, self.thing = story, thing
        self.lines = [*enumerate(story.events, 1)]  # the events with the numbers of their lines
        self._views: dict[tuple[int | None, int | None, Tell | None], View] = {}

    @cached_property
    def facts(self) -> Facts:
        """The facts about the thing."""
        return self.read.facts if "read" in vars(self) else facts_of(self.story, self.thing)

    @cached_property
    def read(self) -> InterpretedStory:
        """The story as its other interpretations look at it."""
        return read(self.story, self.thing)

    @cached_property
    def is_coherent(self) -> bool:
        """Whether all lines can happen."""
        return not any(faults(self.story))

    @property
    def left(self) -> dict[int, float]:
        """When each agent of the last chapter left its room."""
        scene = self.facts.scene
        return scene.left if scene else {}

    @cached_property
    def overheard(self) -> set[int]:
        """The lines that somebody overheard, as the next line says."""
        return {line - 1 for line, event in self.lines if isinstance(event, Overhear)}

    def changed(self, belief: Belief) -> "View":
        """Return the view of the changed story that a belief is about; its lines have the numbers that they had."""
        change = belief[1:]
        if change == (None, None, None):
            return self
        if change not in self._views:
            upto, without, claim = change
            # A line that means nothing stands for the line that did not happen.
            events = [Like(0, 0) if line == without else event for line, event in self.lines[:upto]]
            events += [claim] if claim else []
            view = self._views[change] = View(Story(self.story.n_agents, tuple(events)), self.thing)
            if claim:
                view.read = self.changed(belief._replace(claim=None)).read.with_claim(claim)
        return self._views[change]

    def held(self, belief: Belief) -> int | None:
        """Return the container of a belief, None where nothing taught it."""
        view = self.changed(belief)
        return view.facts.last(RULES["recursive"](view.facts, belief.chain))

    def is_undisputed(self, belief: Belief) -> bool:
        """Return whether there is such a belief, and all interpretations of the story agree on it."""
        differing_from = self.changed(belief).read.differing_from  # first: it has the facts, too
        held = self.held(belief)
        return held is not None and not differing_from(belief.chain, held)

    def convincing(self, chain: Chain) -> frozenset[int]:
        """Return whom a chain of agents would believe, after the last line, if they told everybody."""
        lines = RULES["recursive"](self._told_by_each, chain)
        return frozenset(each(lines >> len(self._told_by_each.lines) - self.story.n_agents))

    @cached_property
    def _told_by_each(self) -> Facts:
        """The facts if each agent in turn told everybody where the thing is, as further lines."""
        return self.facts.with_claims([Tell(agent, (), self.thing, 0) for agent in range(self.story.n_agents)])

    def named(self, upto: int | None = None) -> list[int]:
        """Return the containers that the first lines name, in order of their last mention."""
        named = [event.container for event in self.story.events[:upto] if hasattr(event, "container")]
        return [*dict.fromkeys(reversed(named))][::-1]
