"""The written form of a question of `abilities`: the JSON of the column `query`, with names."""

import json
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from ...syntax.events import Names, Tell
from ...syntax.record import spell
from .kinds import KINDS
from .query import Query

_ENCODER = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"))


class _Form(NamedTuple):
    """Say how JSON has an option, and back; both are given the names, and those of three agents beside one another."""

    spelled: Callable[[Any, Names, Sequence[str]], Any] = lambda option, names, three: option
    read: Callable[[Any, Names, Sequence[str]], Any] = lambda option, names, three: option


_PLAIN = _Form()
_FORMS = {
    "container": _Form(
        lambda option, names, three: names.containers[option],
        lambda option, names, three: names.containers.index(option),
    ),
    "which": _Form(
        lambda option, names, three: [name for name, thinks in zip(three, option, strict=True) if thinks],
        lambda option, names, three: tuple([name in option for name in three]),
    ),
    "claim": _Form(
        lambda option, names, three: spell(option, names), lambda option, names, three: _claim(option, names)
    ),
    "truth": _Form(lambda option, names, three: list(option), lambda option, names, three: tuple(option)),
}


def _claim(option: Sequence[Any], names: Names) -> Tell:
    """Return the claim that `spell` spelled."""
    _, speaker, hearers, thing, container = option
    agents = names.agents.index
    return Tell(
        agents(speaker), tuple(map(agents, hearers)), names.things.index(thing), names.containers.index(container)
    )


def spell_query(query: Query, names: Names) -> dict[str, Any]:
    """Return a question with its names; what it does not name is left out."""
    chain, others = ([names.agents[agent] for agent in agents] for agents in (query.chain, query.others))
    form = _FORMS.get(KINDS[query.kind].form, _PLAIN)
    spelled = {
        "kind": query.kind,
        "chain": chain,
        "others": others,
        "line": query.line,
        "container": None if query.container is None else names.containers[query.container],
        "options": [form.spelled(option, names, [*chain[-1:], *others]) for option in query.options],
    }
    return {name: value for name, value in spelled.items() if value not in (None, [])}


def dumps_query(query: Query, names: Names) -> str:
    """Return a question as one line of JSON."""
    return _ENCODER.encode(spell_query(query, names))


def loads_query(text: str, names: Names) -> Query:
    """Return the question that `dumps_query` wrote. Raises ValueError for another text, or names that are not there."""
    try:
        said = json.loads(text)
        chain, others, container = said["chain"], said.get("others", ()), said.get("container")
        form, three = _FORMS.get(KINDS[said["kind"]].form, _PLAIN), [*chain[-1:], *others]
        return Query(
            said["kind"],
            *(tuple(map(names.agents.index, agents)) for agents in (chain, others)),
            said.get("line"),
            None if container is None else names.containers.index(container),
            tuple([form.read(option, names, three) for option in said["options"]]),
        )
    except (LookupError, TypeError) as error:
        raise ValueError(f"the query of a row cannot be read: {text!r:.80} ({error})") from None
