"""The written form of a question of `abilities`: the JSON of the column `query`, with names."""

import json
from collections.abc import Sequence
from typing import Any

from ...syntax.events import Names, Tell
from ...syntax.record import spell
from .kinds import KINDS
from .query import Form, Query

_ENCODER = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"))


def _spelled(option: Any, form: Form, names: Names, three: Sequence[str]) -> Any:
    """Return an option of a form with its names; `three` are the agents beside one another."""
    match form.name:
        case "container":
            return names.containers[option]
        case "which":
            return [name for name, thinks in zip(three, option, strict=True) if thinks]
        case "claim":
            return spell(option, names)
        case "truth":
            return list(option)
    return option


def _read(spelled: Any, form: Form, names: Names, three: Sequence[str]) -> Any:
    """Return the option that `_spelled` spelled."""
    match form.name:
        case "container":
            return names.containers.index(spelled)
        case "claim":
            (_, speaker, hearers, thing, container), agent = spelled, names.agents.index
            hearers, thing = tuple(map(agent, hearers)), names.things.index(thing)
            return Tell(agent(speaker), hearers, thing, names.containers.index(container))
        case "line":
            return spelled
    return form.fixed[[_spelled(option, form, names, three) for option in form.fixed].index(spelled)]


def spell_query(query: Query, names: Names) -> dict[str, Any]:
    """Return a question with its names; what it does not name is left out."""
    chain, others = ([names.agents[agent] for agent in agents] for agents in (query.chain, query.others))
    form, three = KINDS[query.kind].form, [*chain[-1:], *others]
    spelled = {
        "kind": query.kind,
        "chain": chain,
        "others": others,
        "line": query.line,
        "container": None if query.container is None else names.containers[query.container],
        "options": [_spelled(option, form, names, three) for option in query.options],
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
        form, three = KINDS[said["kind"]].form, [*chain[-1:], *others]
        return Query(
            said["kind"],
            *(tuple(map(names.agents.index, agents)) for agents in (chain, others)),
            said.get("line"),
            None if container is None else names.containers.index(container),
            tuple([_read(option, form, names, three) for option in said["options"]]),
        )
    except (LookupError, TypeError) as error:
        raise ValueError(f"the query of a row cannot be read: {text!r:.80} ({error})") from None
