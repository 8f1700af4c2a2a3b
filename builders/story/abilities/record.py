"""The written form of a question of `abilities`: the JSON of the column `query`, with names."""

import json
from dataclasses import replace
from typing import Any

from ...syntax.ability import Query
from ...syntax.events import Names, Tell
from ...syntax.record import numbered_event, numbers_of, spell
from ...witness import tupled
from .kinds import KINDS


def _spelled(option: Any, query: Query, names: Names) -> Any:
    """Return an option of a question with its names."""
    match query.kind.form.name:
        case "container":
            return names.containers[option]
        case "which":
            three = (query.chain[-1], *query.others)
            return [names.agents[agent] for agent, thinks in zip(three, option, strict=True) if thinks]
        case "claim":
            return spell(option, names)
        case "truth":
            return list(option)
    return option


def _read(spelled: Any, query: Query, names: Names) -> Any:
    """Return the option that `_spelled` spelled."""
    match query.kind.form.name:
        case "line":
            return spelled
        case "claim":
            (_, speaker, hearers, thing, place), agent = spelled, names.agents.index
            told = tuple(map(agent, hearers))
            return Tell(agent(speaker), told, names.things.index(thing), names.containers.index(place))
    options = query.kind.form.fixed or range(len(names.containers))
    return options[[_spelled(option, query, names) for option in options].index(spelled)]


def numbers_of_query(query: Query) -> list[Any]:
    """Return a question with its numbers, as what JSON can hold."""
    options = [numbers_of(option) if isinstance(option, Tell) else option for option in query.options]
    return [query.kind.name, query.chain, query.others, query.line, query.container, options]


def query_of_numbers(numbers: list[Any]) -> Query:
    """Return the question of which `numbers_of_query` gave the numbers."""
    name, chain, others, line, container, options = numbers
    is_claim = KINDS[name].form.name == "claim"
    read = [numbered_event(option) if is_claim else tupled(option) for option in options]
    return Query(KINDS[name], tuple(chain), tuple(others), line, container, tuple(read))


def spell_query(query: Query, names: Names) -> dict[str, Any]:
    """Return a question with its names; what it does not name is left out."""
    spelled = {
        "kind": query.kind.name,
        "chain": [names.agents[agent] for agent in query.chain],
        "others": [names.agents[agent] for agent in query.others],
        "line": query.line,
        "container": None if query.container is None else names.containers[query.container],
        "options": [_spelled(option, query, names) for option in query.options],
    }
    return {name: value for name, value in spelled.items() if value not in (None, [])}


def dumps_query(query: Query, names: Names) -> str:
    """Return a question as one line of JSON."""
    return json.dumps(spell_query(query, names), ensure_ascii=False, separators=(",", ":"))


def loads_query(text: str, names: Names) -> Query:
    """Return the question that `dumps_query` wrote. Raises ValueError for another text, or names that are not there."""
    try:
        said = json.loads(text)
        chain, others = (tuple(map(names.agents.index, agents)) for agents in (said["chain"], said.get("others", ())))
        kind, line, container = KINDS[said["kind"]], said.get("line"), said.get("container")
        query = Query(kind, chain, others, line, container and names.containers.index(container))
        return replace(query, options=tuple([_read(option, query, names) for option in said["options"]]))
    except (LookupError, TypeError) as error:
        raise ValueError(
            f"the query of a row cannot be read: {text!r:.80} ({error}); expected one that a build wrote"
        ) from None
