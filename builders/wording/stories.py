"""Stories in words: the names of what a story speaks of, and the sentences of its events and questions."""

from collections.abc import Sequence
from functools import cache, cached_property, lru_cache, partial
from itertools import permutations
from math import prod
from string import ascii_uppercase
from typing import Any

from ..streams import Stream
from ..syntax.events import Event, Names, Question
from .alike import DRAWS, alike, too_few_names
from .languages import Macros, kept, lexicon, macros


class Voice:
    """Speak of stories in one language: name what a story speaks of, and say its sentences.

    Raises ValueError for a language that is not under `templates/`.
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

    def story(self, spelled: Sequence[Sequence[Any]]) -> str:
        """Say a story, one numbered line for each event; `record.spell` spells the events."""
        say = self._say
        return "\n".join([f"{line} {say[kind](*names)}" for line, (kind, *names) in enumerate(spelled, 1)])


voice = lru_cache(maxsize=8)(Voice)  # returns the voice of a language, which is made once in a process
