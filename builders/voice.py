"""The English: turn events, questions, premises and hypotheses with their names into sentences of a language.

A language is a folder under `templates/`: Jinja files with one macro for each kind of sentence, and a lexicon. All
grammar is there; Python repairs no text afterwards. Words are drawn from streams of their own, so that another wording
never makes another problem. An undefined name in a template is an error, and templates draw no random numbers.
"""

import json
import re
from bisect import bisect_right
from collections.abc import Callable, Sequence
from functools import cache, cached_property, lru_cache
from itertools import accumulate
from math import prod
from string import ascii_uppercase
from typing import Any

import jinja2

from .files import data_folder
from .streams import Stream
from .syntax.events import Event, Names, Question
from .syntax.formula import (
    And,
    Atom,
    Common,
    CommonWhether,
    Distributed,
    DistributedWhether,
    Formula,
    Knows,
    KnowsWhether,
    Not,
    Or,
    Problem,
    Shown,
    Xor,
    agent_name,
    at_least,
    exactly,
)

TEMPLATES = data_folder("templates")


def languages() -> list[str]:
    """Return the languages that can be spoken: the folders under `templates/`, sorted."""
    return sorted(folder.name for folder in TEMPLATES.iterdir() if (folder / "hi_tom.jinja").is_file())


def templates(language: str) -> jinja2.Environment:
    """Return the Jinja environment of a language, strict about undefined names and without random filters."""
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(TEMPLATES / language), undefined=jinja2.StrictUndefined, autoescape=False
    )
    environment.filters.pop("random")
    environment.globals.pop("lipsum")
    return environment


DRAWS = 10_000
"""Names drawn for one story or one person before the lexicon is called too small."""


class Voice:
    """Speak one language: name what a story or a problem speaks of, and say its sentences.

    Raises ValueError for a language that is not under `templates/`.
    """

    def __init__(self, language: str = "en") -> None:
        if language not in languages():
            raise ValueError(f"unknown language {language!r}; the languages are {', '.join(languages())}")
        environment = templates(language)
        lexicon = json.loads((TEMPLATES / language / "hi_tom.json").read_text(encoding="utf-8"))
        self.lexicon = {"be": lexicon["things"], "his": lexicon["agents"]}
        environment.globals.update(self.lexicon, is_girl=self._is_girl)
        self._first_names: dict[str, dict[str, int]] = json.loads(
            (TEMPLATES / language / "first_names.json").read_text(encoding="utf-8")
        )
        macros = environment.get_template("hi_tom.jinja").module
        self._problem = environment.get_template("mindgames.jinja").module
        self._environment = environment
        self.kinds = tuple(kind.__name__ for kind in (*Event.__args__, Question))
        self._say = {kind: getattr(macros, kind) for kind in self.kinds}
        self._waiting_room = lexicon["waiting_room"]
        self._items, self._animals = tuple(lexicon["items"]), tuple(lexicon["animals"])
        self._agents, self._things = list(lexicon["agents"]), list(lexicon["things"])
        self._rooms, self._containers = lexicon["rooms"], lexicon["containers"]
        self._alike = {name: {other for other in self._agents if alike(name, other)} for name in self._agents}
        self._pairs = [
            (first, second)
            for first, name in enumerate(self._agents)
            for second, other in enumerate(self._agents)
            if other not in self._alike[name]
        ]
        # A cast chooses one from each: a thing, a room, two agents, a container.
        banks = (self._things, self._rooms, self._pairs, self._containers)
        self._cast_sizes = [len(bank) for bank in banks]

    def containers(self) -> int:
        """Return the number of containers that there are words and letters for."""
        return min(len(self._containers), len(ascii_uppercase))

    def casts(self) -> int:
        """Return the number of casts; stories with different casts have different texts."""
        return prod(self._cast_sizes)

    def names(self, stream: Stream, cast: int, n_agents: int, n_rooms: int, n_things: int, n_containers: int) -> Names:
        """Name the agents, rooms (with the waiting room), things and containers of a story.

        The cast, a number below `casts()`, names thing 0, room 1, agents 0 and 1 and container 0. The text shows all of
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

        agents: tuple[str, ...] = ()
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

    @cached_property
    def reasons(self) -> Any:
        """Return the macros of show.jinja: why a line taught a chain its belief, and why another did not."""
        return self._environment.get_template("show.jinja").module

    @cached_property
    def explanations(self) -> Any:
        """Return the macros of explain.jinja: one for each kind of step of an explanation."""
        return self._environment.get_template("explain.jinja").module

    @cached_property
    def _persons(self) -> dict[str, tuple[list[str], list[int]]]:
        """Return the first names of girls and of boys, with the cumulative frequencies of each list."""
        return {
            kind: (list(frequencies), list(accumulate(frequencies.values())))
            for kind, frequencies in self._first_names.items()
        }

    def _is_girl(self, name: str) -> bool:
        """Return whether a first name is a girl's more often than a boy's."""
        girls, boys = self._first_names.values()
        return girls.get(name, 0) > boys.get(name, 0)

    def persons(self, stream: Stream, n: int) -> tuple[str, ...]:
        """Draw n first names, girls' and boys' in equal shares, as frequent as in the US Census of 1990.

        No two are `alike`, as Sam and Samantha, or Alicia and Alisha.
        """
        kinds = stream.shuffled(self._persons) * (n // 2 + 1)
        names: dict[str, None] = {}
        for kind in stream.shuffled(kinds[:n]):
            candidates, sums = self._persons[kind]
            drawn = (candidates[bisect_right(sums, stream.below(sums[-1]))] for _ in range(DRAWS))
            name = next((name for name in drawn if not any(alike(name, other) for other in names)), None)
            if name is None:
                raise too_few_names(n)
            names[name] = None
        return tuple(names)

    def say(self, kind: str, *names) -> str:
        """Say one event or question, given its kind and then its fields, as `record.spell` spells them."""
        return self._say[kind](*names)

    def story(self, spelled: list[list]) -> str:
        """Say a story, one numbered line for each event; `record.spell` spells the events."""
        say = self._say
        return "\n".join([f"{line} {say[kind](*names)}" for line, (kind, *names) in enumerate(spelled, 1)])

    def premise(self, problem: Problem, names: tuple[str, ...], plain: bool = False) -> str:
        """Say what the agents of a MindGames problem see and what is announced; `names` are theirs.

        plain: whether knowledge of knowledge is "knows", instead of the published "can know".
        """
        phrase = phraser(names)
        shown = [(names[atom - 1], names[viewer]) for viewer, seen in enumerate(problem.sees) for atom in seen]
        announcements = [phrase(announcement) for announcement in problem.announcements]
        return str(self._problem.premise(problem.setup, len(names), shown, announcements, plain))

    def hypothesis(self, problem: Problem, names: tuple[str, ...], plain: bool = False) -> str:
        """Say the hypothesis of a MindGames problem; `names` are those of its agents, `plain` as in `premise`."""
        return str(self._problem.hypothesis(problem.setup, phraser(names)(problem.hypothesis), plain))

    def fact(self, setup: str, fact: Formula, names: tuple[str, ...]) -> str:
        """Say a fact of a MindGames problem, as a clause; `names` are those of its agents."""
        return str(self._problem.stated(setup, phraser(names)(fact)))


def too_few_names(n: int) -> ValueError:
    """Return the error of a lexicon that has too few names to tell n people apart."""
    return ValueError(f"the lexicon has too few first names for {n} people: no two may be alike")


def alike(name: str, other: str) -> bool:
    """Return whether a reader could take two names for one.

    So it is where one begins with the other, where they differ by one letter (put in, left out or another), and where
    they sound alike.
    """
    if name.startswith(other) or other.startswith(name) or sound(name) == sound(other):
        return True
    place = next(i for i, (letter, theirs) in enumerate(zip(name, other, strict=False)) if letter != theirs)
    return any(name[place + i :] == other[place + k :] for i, k in ((0, 1), (1, 0), (1, 1)))


SOUNDS = [
    (re.compile(letters), sound)
    for letters, sound in (
        ("gh", ""), ("ph|v", "f"), ("th", "t"), ("ch(?=[lr])", "k"), ("sch|sh|ch|c(?=[eiy])|z", "s"), ("ck|c|q", "k"),
        ("x", "ks"), ("g(?=[eiy])", "j"), (r"(.)\1+", r"\1"), ("(?<=.)[aeiouyhw]", ""), ("^[aeiouy]", "a"),
    )
]  # fmt: skip
"""Letters of names that sound alike, as they are replaced in turn: of the vowels one stays, where a name begins."""


@cache
def sound(name: str) -> str:
    """Return what a name has in common with all names that sound like it: roughly its consonants."""
    name = name.lower()
    for letters, sounds in SOUNDS:
        name = letters.sub(sounds, name)
    return name


@lru_cache(maxsize=8)
def voice(language: str) -> Voice:
    """Return the voice of a language, which is made once in a process."""
    return Voice(language)


def phraser(names: tuple[str, ...]) -> Callable[[Formula | Shown], list]:
    """Return a function that turns a formula or a showing into the list that the macros of `mindgames.jinja` say.

    A fact is ["fact", a name or a quantifier, negated] or ["count", comparison, number]. Knowledge is ["knowledge",
    name, "that" or "whether", negated, list], or the same of "each", "common" or "together" in place of "knowledge" and
    a name; what each knows of his own atom is the list ["own"]. A showing is ["shown", viewer, owner]. The function
    raises TypeError for a formula that MindGames has no sentence for.
    """
    everyone = tuple([Atom(number) for number in range(1, len(names) + 1)])
    name_of = {agent_name(index): name for index, name in enumerate(names)}
    counts = counted_phrases(everyone)

    def phrase(formula: Formula | Shown, negated: bool = False) -> list:
        match formula:
            case Atom(number):
                return ["fact", names[number - 1], negated]
            case Or(parts) if parts == everyone:
                return ["fact", "none" if negated else "some", False]
            case And(parts) if parts == everyone:
                return ["fact", "not all" if negated else "all", False]
            case Knows(agent, inner):
                return ["knowledge", name_of[agent], "that", negated, phrase(inner)]
            case KnowsWhether(agent, inner):
                return ["knowledge", name_of[agent], "whether", negated, phrase(inner)]
            case Not(inner) if not negated:
                return phrase(inner, negated=True)
            case Common(_, inner) | CommonWhether(_, inner):
                link = "that" if isinstance(formula, Common) else "whether"
                return ["common", "", link, negated, phrase(inner)]
            case Distributed(_, inner) | DistributedWhether(_, inner):
                link = "that" if isinstance(formula, Distributed) else "whether"
                return ["together", "", link, negated, phrase(inner)]
            case Shown(viewer, atom):
                return ["shown", name_of[viewer], names[atom - 1]]
            case And(parts) if len(parts) == len(names) and formula not in counts:
                return of_each(list(map(phrase, parts)))
            case _ if formula in counts and not negated:
                return counts[formula]
            case _:
                raise TypeError(f"MindGames has no sentence for {formula!r}")

    def of_each(parts: list[list]) -> list:
        """Return what every single agent is said to know, or not to know, of one thing or of his own atom."""
        knowing = [part[1] for part in parts if part[0] == "knowledge"]
        things = [part[-1] for part in parts]
        if knowing == list(names) and len({str(part[2:4]) for part in parts}) == 1:
            if things == [["fact", name, False] for name in names]:
                return ["each", "", *parts[0][2:4], ["own"]]
            if things.count(things[0]) == len(things):
                return ["each", "", *parts[0][2:4], things[0]]
        raise TypeError(f"MindGames has no sentence for what each of {', '.join(names)} knows: {parts!r}")

    return phrase


@lru_cache(maxsize=16)
def counted_phrases(everyone: tuple[Atom, ...]) -> dict[Formula, list]:
    """Return the phrase of each formula that counts the true ones among all atoms."""
    counted: dict[Formula, list] = {Xor(everyone): ["count", "odd", 0]}
    for k in range(1, len(everyone)):
        counted[exactly(everyone, k)] = ["count", "exactly", k]
    for k in range(2, len(everyone)):
        counted[at_least(everyone, k)] = ["count", "at least", k]
    return counted
