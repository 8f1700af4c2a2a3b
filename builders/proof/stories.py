"""Own the proofs of labels: the formal column through the checkers, the English through `reader`.

The same for published data, whose labels are compared with those that their text has.
"""

from collections.abc import Iterator

from builders.proof.read_stories import read_question, read_story
from builders.proof.scores import MAY_BE_EMPTY, _score_fault
from builders.proof.story_minds import believe
from builders.story.coherence import check
from builders.story.config import DEEP, FAMILIES, TOMH, order_name
from builders.story.meaning import SEMANTICS, answer_slot, lessons, places, teacher
from builders.story.record import loads, spell
from builders.story.structure import effective_order, order_sensitive
from builders.story.subchains import beliefs, container_of
from builders.story.syntax import Place, Tell

UNPUBLISHED = ("answer_published", "semantics_agree")
"""The columns that hold nothing in all deep rows: the published semantics has no watchers."""


def prove_hi_tom(rows: list[dict], config: dict, file: str) -> Iterator[str | tuple[str, str, str]]:
    """Yield for each row what is wrong with it, or what must not repeat: whose its text is, the text, the problem."""
    for row in rows:
        try:
            fault = _hi_tom_fault(row, config, file)
        except ValueError as error:
            fault = str(error)
        yield fault or (row["story_id"], row["story"], f"{row['story']}\n{row['question']}")


def _hi_tom_fault(row: dict, config: dict, file: str) -> str | None:
    """Return what is wrong with a row, or None where both labels and all columns agree.

    `config` are the fields that the row was built with, `file` is where it stands. The label is computed from the
    formal column by `belief`, and from the English by `reader`; the English must say the formal story, nothing else.
    """
    deep = config["name"] == DEEP.name
    allowed = MAY_BE_EMPTY + UNPUBLISHED if deep else MAY_BE_EMPTY
    empty = [column for column, value in row.items() if value is None and column not in allowed]
    if empty:
        return f"{empty[0]} is empty"
    semantics = config["semantics"]
    story, names, asked = loads(row["events"])
    check(story)
    told, heard = read_story(row["story"])
    if [spell(event, names) for event in story.events] != [spell(event, heard) for event in told.events]:
        return "the text does not say the formal story"
    question = read_question(row["question"], heard)
    if [heard.agents[agent] for agent in question.chain] != row["chain"]:
        return "the question's agents are not the chain"
    if heard.things[question.thing] != names.things[asked]:
        return "the question is not about the thing asked about"
    chain = tuple(names.agents.index(agent) for agent in row["chain"])
    taught = lessons(story, asked)
    whole = (1 << len(chain)) - 1
    held = {each: beliefs(taught, chain, each) for each in (("recursive",) if deep else SEMANTICS)}
    formal = {each: container_of(of, whole) for each, of in held.items()}
    if None in formal.values():
        return "nothing teaches the chain"
    if row["story"] != row["story"].strip():
        return "story begins or ends with a space"
    verbs = {verb for verb in ("is", "are") if f"The {names.things[asked]} {verb} in" in row["story"]}
    if not question.searches and not verbs & set(row["question"].rstrip("?").split()):
        return f"question does not say {' or '.join(verbs)} of the {names.things[asked]}, as the story does"
    computed = {
        "order": len(chain),
        "answer": names.containers[formal[semantics]],
        "answer_published": None if deep else names.containers[formal["published"]],
        "semantics_agree": None if deep else formal["recursive"] == formal["published"],
        "effective_order": effective_order(held[semantics], len(chain), whole),
        "order_sensitive": order_sensitive(taught, chain, semantics),
        "answer_slot": answer_slot(taught, formal[semantics]),
        "n_places": len(places(taught)),
        "lines_since": len(story.events) - 1 - teacher(taught, chain, semantics).line,
        "n_lines": len(story.events),
        "n_claims": sum(isinstance(event, Tell) for event in story.events),
        "deception": any(isinstance(event, Tell) for event in story.events),
        "story_length": sum(isinstance(event, Place) for event in story.events),  # one in each chapter
        "n_agents": story.n_agents - (config["name"] == TOMH.name),  # there one more is the distractor
        "seed": config["seed"],
        "generator_version": config["version"],
        "id": f"{row['story_id']}-{len(chain)}",
    }
    for column, value in computed.items():
        if row[column] != value:
            return f"{column} is {row[column]!r}, the formal story gives {value!r}"
    for each, column in ((semantics, "answer"), ("published", "answer_published"))[: 1 if deep else 2]:
        read = believe(told, question, each)
        if read is None or heard.containers[read] != row[column]:
            found = None if read is None else heard.containers[read]
            return f"{column} is {row[column]!r}, the text read by forward tables gives {found!r}"
    choices = row["choices"]
    if len(set(choices)) != len(choices) or row["answer_index"] != choices.index(row["answer"]):
        return f"answer_index is {row['answer_index']}, which is not where the answer stands among distinct choices"
    if config["name"] not in FAMILIES:
        if file.split("/")[0] != order_name(row["order"]):
            return f"a question of order {row['order']} stands in {file}"
    if not set(choices) >= set(names.containers):
        return f"choices lack {sorted(set(names.containers) - set(choices))}"
    return _score_fault(row, row["id"], config, "hi_tom")
