"""Stories in words: the names of what a story speaks of, and the sentences of its events and questions."""

from collections.abc import Callable, Iterator, Sequence
from functools import cache, cached_property, lru_cache, partial
from itertools import permutations
from math import prod
from string import ascii_uppercase
from typing import Any

from ..streams import Stream
from ..syntax.events import Event, Names, Question
from .alike import DRAWS, alike, too_few_names
from .languages import Macros, kept, lexicon, macros

# The kinds of events that mean nothing; who sees a cat does not do so after what he did before.
IDLE = {"Lose", "See", "Like", "Dislike"}

MOST_SECONDS = 40  # between one line and the next, where lines have stamps


class Voice:
    """Speak of stories in one language: name what a story speaks of, and say its sentences.

    Raises ValueError for a language that is not under `templates/`.
    A template may have several wordings of an event, one on each line; then it has `stop`, how a sentence ends, and
    `links`: how else it may end, and how the next one then begins, where the same agent goes on acting, who is a
    pronoun there. It may have `stamp`, which returns what stands before a sentence, given the seconds since the story
    began.
    Attributes: `macros`, which gives the macros of a template by its name, such as explain, one for each kind of step,
    or acting, the game in which a player makes others believe something; `n_agents`, how many names there are for
    agents; `n_containers`, how many containers have words and letters; `n_casts`, how many casts there are: stories
    with different casts have different texts.
    """

    def __init__(self, language: str = "en") -> None:
        words = lexicon(language, "hi_tom")
        self.macros = cache(partial(macros, language, be=words["things"], his=words["agents"]))
        sentences = kept(self.macros("hi_tom"))
        self._say = {kind.__name__: getattr(sentences, kind.__name__) for kind in (*Event.__args__, Question)}
        known = vars(self.macros("hi_tom"))
        self._links: list[tuple[str, str]] | None = known.get("links")
        self._stop: str = known.get("stop", "")
        self._stamp: Callable[[int], str] | None = known.get("stamp")
        self._pronouns = dict(words["agents"])
        self._waiting_room, self._rooms, self._containers = words["waiting_room"], words["rooms"], words["containers"]
        self._items, self._animals = tuple(words["items"]), tuple(words["animals"])
        self._agents, self._things = list(words["agents"]), list(words["things"])
        self._alike = {name: {other for other in self._agents if alike(name, other)} for name in self._agents}
        self._pairs = [
            (first, second)
            for (first, name), (second, other) in permutations(enumerate(self._agents), 2)
            if other not in self._alike[name]
        ]
        # A cast chooses one from each: a thing, a room, two agents, a container.
        self._cast_sizes = [len(bank) for bank in (self._things, self._rooms, self._pairs, self._containers)]
        self.n_agents, self.n_casts = len(self._agents), prod(self._cast_sizes)
        self.n_containers = min(len(self._containers), len(ascii_uppercase))

    @cached_property
    def reasons(self) -> Macros:
        """The macros of show.jinja, which say why a line taught a chain its belief, or did not."""
        return kept(self.macros("show"))

    def names(self, stream: Stream, cast: int, n_agents: int, n_rooms: int, n_things: int, n_containers: int) -> Names:
        """Name the agents, rooms (with the waiting room), things and containers of a story.

        The cast, a number below `n_casts`, names thing 0, room 1, agents 0 and 1 and container 0. The text shows all of
        these, so two stories with different casts have different texts. The stream draws the other names. No two agents
        have names that are `alike`, as Jack and Jackson, or Mia and Mila.
        """
        chosen = []
        for size in self._cast_sizes:
            cast, place = divmod(cast, size)
            chosen.append(place)
        thing, room, pair, container = chosen

        def words_of(bank: list[str], places: Sequence[int], n: int) -> tuple[str, ...]:
            rest = bank.copy()
            for place in sorted(places, reverse=True):
                del rest[place]
            return *[bank[place] for place in places], *stream.draw(rest, n - len(places))

        for _ in range(DRAWS):
            agents = words_of(self._agents, self._pairs[pair], n_agents)
            if all(self._alike[name].isdisjoint(agents[:place]) for place, name in enumerate(agents)):
                break
        else:
            raise too_few_names(n_agents)
        return Names(
            agents=agents,
            rooms=(self._waiting_room, *words_of(self._rooms, [room], n_rooms - 1)),
            things=words_of(self._things, [thing], n_things),
            containers=words_of(self._containers, [container], n_containers),
            items=self._items,
            animals=self._animals,
        )

    def say(self, kind: str, *names: Any) -> str:
        """Say one event or question, given its kind and then its fields, as `record.spell` spells them."""
        return str(self._say[kind](*names))

    def ask(self, query: dict[str, Any], thing: str) -> str:
        """Say a question of `abilities`, which is spelled."""
        return str(getattr(self.macros("abilities"), query["kind"])(query, thing))

    def choices(self, query: dict[str, Any], form: str) -> list[str]:
        """Say what may be answered to a question of `abilities`; `form` says what its options are."""
        return [str(self.macros("abilities").choice(form, option, query)) for option in query["options"]]

    def story(self, spelled: Sequence[Sequence[Any]], words: Stream | None = None) -> str:
        """Say a story, one numbered line for each event; `record.spell` spells the events.

        words: the stream that draws among several wordings; needed in worlds.
        """
        if self._links is None or words is None:
            sentences = [self._say[kind](*names) for kind, *names in spelled]
        else:
            sentences = self._linked(spelled, words)
        return "\n".join([f"{line} {sentence}" for line, sentence in enumerate(sentences, 1)])

    def sentences(self, text: str) -> list[str]:
        """Return the sentences of a story as explanations quote them: without their numbers, each with a full stop."""
        sentences = [line.partition(" ")[2] for line in text.split("\n")]
        if self._links is None:
            return sentences
        ends = [end for end, _ in self._links if end] + [self._stop]
        return [next(s.removesuffix(end) for end in ends if s.endswith(end)) + "." for s in sentences]

    def _linked(self, spelled: Sequence[Sequence[Any]], words: Stream) -> list[str]:
        """Say the events of a story in wordings that are drawn, and link those of one agent.

        A pronoun stands for the only agent whom the line before names, so that it can mean nobody else.
        """
        named = [[name for name in flat(names) if name in self._pronouns] for _, *names in spelled]
        links, sentences, seconds, linked, before = self._links or [], list[str](), 0, False, ""
        for place, (kind, actor, *names) in enumerate(spelled):
            # The same agent goes on, in what matters to the story; but three lines are not linked to one another.
            again = place and named[place][:1] == named[place - 1] and named[place].count(actor) == 1
            linked = bool(links and again and not linked and not {kind, before} & IDLE and words.below(3))
            link = links[words.below(len(links))] if linked else None
            before = kind
            if sentences:
                sentences[-1] += link[0] if link else self._stop
            said = self._say[kind](self._pronouns[actor] if link else actor, *names).split("\n")
            seconds += 1 + words.below(MOST_SECONDS)
            stamp = self._stamp(seconds) if self._stamp else ""
            sentences.append(f"{stamp}{link[1] if link else ''}{said[words.below(len(said))]}")
        return [*sentences[:-1], sentences[-1] + self._stop]


def flat(names: Sequence[Any]) -> Iterator[str]:
    """Yield the names of an event, those of lists one by one."""
    for name in names:
        yield from (name,) if isinstance(name, str) else name


voice = lru_cache(maxsize=16)(Voice)  # returns the voice of a language, which is made once in a process
