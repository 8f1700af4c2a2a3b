"""The written form of a question of `abilities`: the JSON of the column `query`, with names."""

import json
from typing import Any

from ...syntax.events import Names, Tell
from ...syntax.record import spell
from .kinds import KINDS
from .query import Query

_ENCODER = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"))


def spell_query(query: Query, names: Names) -> dict[str, Any]:
    """Return a question with its names; what it does not name is left out."""
    agents, form = names.agents, KINDS[query.kind].form
    three = [agents[agent] for agent in (query.chain[-1], *query.others)]

    def spell_option(option: Any) -> Any:
        """Return what may be answered, as JSON has it."""
        match form:
            case "container":
                return names.containers[option]
            case "which":
                return [name for name, thinks in zip(three, option, strict=True) if thinks]
            case "claim":
                return spell(option, names)
            case "truth":
                return list(option)
        return option

    spelled = {
        "kind": query.kind,
        "chain": [agents[agent] for agent in query.chain],
        "others": [agents[agent] for agent in query.others],
        "line": query.line,
        "container": None if query.container is None else names.containers[query.container],
        "options": [spell_option(option) for option in query.options],
    }
    return {name: value for name, value in spelled.items() if value not in (None, [])}


def dumps_query(query: Query, names: Names) -> str:
    """Return a question as one line of JSON."""
    return _ENCODER.encode(spell_query(query, names))


def loads_query(text: str, names: Names) -> Query:
    """Return the question that `dumps_query` wrote. Raises ValueError for another text, or names that are not there."""
    try:
        spelled = json.loads(text)
        agents, containers = names.agents.index, names.containers.index
        form = KINDS[spelled["kind"]].form
        three = [*spelled["chain"][-1:], *spelled.get("others", ())]

        def option_of(option: Any) -> Any:
            """Return what may be answered."""
            match form:
                case "container":
                    return containers(option)
                case "which":
                    return tuple([name in option for name in three])
                case "claim":
                    return Tell(
                        agents(option[1]),
                        tuple(map(agents, option[2])),
                        names.things.index(option[3]),
                        containers(option[4]),
                    )
                case "truth":
                    return tuple(option)
            return option

        return Query(
            spelled["kind"],
            tuple(map(agents, spelled["chain"])),
            tuple(map(agents, spelled.get("others", ()))),
            spelled.get("line"),
            containers(spelled["container"]) if "container" in spelled else None,
            tuple(map(option_of, spelled["options"])),
        )
    except (LookupError, TypeError) as error:
        raise ValueError(f"the query of a row cannot be read: {text!r:.80} ({error})") from None
