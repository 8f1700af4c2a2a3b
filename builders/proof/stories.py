"""The proof of a hi_tom row: its columns from the formal story, its label again from the English.

The formal column `events` gives the label by `tom_datasets.story.meaning`. The English gives it by the readers and the
nested minds of this room, and with it what the question needs of its chain and which readings differ. Both must say
the same story, and every other column must follow from it (docs/why/audit.md lists the columns).
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, replace
from functools import lru_cache
from itertools import combinations, permutations
from typing import Any

from ..columns import Row
from ..reader.read_abilities import AbilityTruth
from ..reader.read_languages import in_english
from ..reader.read_plans import PlanTruth
from ..reader.read_stories import read_question, read_story
from ..reader.story_interpretations import differing
from ..reader.story_minds import Chain, Moment, believe_after, happenings, steps_to
from ..splits import plain_file, plain_name
from ..story.abilities.record import loads_query, spell_query
from ..story.abilities.rows import UNKNOWN
from ..story.abilities.view import View
from ..story.acting.plans import UNASKED, disputing, episode_of_row, winning
from ..story.acting.solve import Plans
from ..story.analysis import analyse
from ..story.config import FAMILIES, WATCHED, StoryConfig, family_of, order_name
from ..story.interpretations import INTERPRETATIONS
from ..story.meaning import SEMANTICS
from ..story.naming import misnamed
from ..syntax.coherence import check
from ..syntax.events import Names, Question, Report, Story, Tell
from ..syntax.record import loads
from .rows import Proven, differing_column, explained_fault, first_fault, score_fault

BY_EVENTS, BY_TEXT = "the formal story gives", "the text read by nested minds gives"


def prove_hi_tom(rows: Sequence[Row], config: Mapping[str, Any], file: str) -> Iterator[str | Proven]:
    """Yield for each row what is wrong with it, or what must not repeat.

    config: the fields with which the rows were built. file: the path of their Parquet file within the folder.
    """
    language, config = config["language"], {**config, "name": plain_name(config["name"])}
    file = plain_file(file)
    for row in rows:
        try:
            fault = _row_fault(in_english(row, language), config, file)
        except ValueError as error:
            fault = str(error)
        yield fault or Proven(row["story_id"], row["story"], f"{row['story']}\n{row['question']}")


def _row_fault(row: Row, config: Mapping[str, Any], file: str) -> str | None:
    """Return what is wrong with a row, or None where both labels and all columns agree."""
    story, names, thing = _read(row["events"], row["story"])
    if prove := OTHER_QUESTIONS.get(config["name"]):
        fault = prove(row, story, names, thing)
        return (
            fault
            or explained_fault(row, config, file)
            or differing_column(row, _story_columns(row, config, story), BY_EVENTS)
        )
    question, told = read_question(row["question"], names), happenings(story, thing)
    return (
        _question_fault(row, question, names, thing)
        or differing_column(row, _formal_columns(row, config, story, names, question), BY_EVENTS)
        or text_fault(row, config, told, names, question.chain)
        or differing_column(row, _steps_column(row, story, question), BY_TEXT)
        or _place_fault(row, config, file, names)
        or explained_fault(row, config, file)
        or score_fault(row, row["id"], config, "hi_tom")
    )


@lru_cache(maxsize=4)
def _read(events: str, text: str) -> tuple[Story, Names, int]:
    """Return the story that both the formal column and the text say, its names, and the thing asked about.

    The questions of a story share them. Raises ValueError where the text says another story. Both number names in order
    of first appearance, so the numbers are the same. Where they are, the nested minds judge the story of the text.
    """
    story, names, thing = loads(events)
    check(story)
    for fault in misnamed(story):
        raise ValueError(fault)
    if thing not in [getattr(event, "thing", None) for event in story.events]:
        raise ValueError(f"the story must say where the {names.things[thing]} is, as its events ask about it")
    if read_story(text) != (story, names):
        raise ValueError("the text and the formal story differ; they must tell the same events")
    return story, names, thing


def _question_fault(row: Row, question: Question, names: Names, thing: int) -> str | None:
    """Return what is wrong with the wording of a question, or with the spaces around the story."""
    return first_fault(
        ([names.agents[agent] for agent in question.chain] != row["chain"], "the question's agents are not the chain"),
        (question.thing != thing, "the question and the formal story name different things"),
        (row["story"] != row["story"].strip(), "story begins or ends with a space"),
        _verb_fault(row, names.things[thing], *["for"] * question.searches),
    )


def _verb_fault(row: Row, thing: str, *verbless: str) -> tuple[bool, str]:
    """Return whether a question has neither the story's verb for a thing nor a word without which it needs one."""
    verbs = {verb for verb in ("is", "are") if f"The {thing} {verb} in" in row["story"]}
    says_one = {*verbs, *verbless} & {*row["question"].rstrip("?").split()}
    return not says_one, f"the question lacks {' or '.join(verbs)} for the {thing}, which the story has"


def _formal_columns(
    row: Row, config: Mapping[str, Any], story: Story, names: Names, question: Question
) -> dict[str, Any]:
    """Return the columns that the formal story gives, by the code that made them. Raises ValueError for no answer."""
    compared = config["name"] not in WATCHED
    analysis = analyse(story, question.chain, question.thing, config["semantics"], compared)
    if None in analysis.answers.values():
        raise ValueError("no line teaches the chain; one must, or the question has no answer")
    row_id = f"{row['story_id']}-{len(question.chain)}"
    hops = analysis.n_hops if family_of(config["name"]).hops else None
    return {**analysis.columns(names), **_story_columns(row, config, story), "id": row_id, "hops": hops}


def _story_columns(row: Row, config: Mapping[str, Any], story: Story) -> dict[str, Any]:
    """Return the columns that the questions of a story share."""
    n_claims = sum(isinstance(event, Tell | Report) for event in story.events)
    family = family_of(config["name"])
    return {
        "n_lines": len(story.events),
        "n_claims": n_claims,
        "deception": n_claims > 0,
        "story_length": sum(isinstance(event, family.chapter) for event in story.events),
        "n_agents": story.n_agents - family.bystanders,
        "rung": rung_of(row, config),
        "config": StoryConfig(config["name"]).row_config,
        "language": config["language"],
        "seed": config["seed"],
        "generator_version": config["version"],
    }


def _ability_fault(row: Row, story: Story, names: Names, thing: int) -> str | None:
    """Return what is wrong with a question of `abilities`, or None where both meanings give its answer.

    The formal question gives it by the meaning of stories, the English by nested minds; all readings must agree.
    """
    truth, query = AbilityTruth(row), loads_query(row["query"], names)
    kind, view, asked = query.kind, View(story, thing), truth.asked
    answer = kind.answer_to(view, query)
    spelled = spell_query(query, names)
    named = asdict(replace(asked, options=()))
    said = {name: [*value] if isinstance(value, tuple) else value for name, value in named.items() if value}
    ids = [f"{row['story_id']}-{kind.name}{number}" for number in ("", "-2")]
    columns = {
        "kind": kind.name,
        "order": len(query.chain),
        "chain": spelled["chain"],
        "choices": truth.choices(spelled.pop("options")),
        "answer_index": query.options.index(answer) if answer in query.options else None,
        "answer": row["choices"][row["answer_index"]],
        "undisputed": all(map(view.is_undisputed, kind.rests_on(query))),
        "readings": [],
        **UNKNOWN,
    }
    return (
        first_fault(
            (said != spelled, f"question asks {said}, query {spelled}"),
            (row["id"] not in ids, f"id is {row['id']!r}, it must be {' or '.join(ids)}"),
            (truth.thing != names.things[thing], "the question and the formal story name different things"),
            _verb_fault(row, truth.thing, "there", "first", "it"),
            (len({*row["choices"]}) < len(row["choices"]), "two choices are the same"),
            (bool(disputed := truth.disputed()), f"the text read by nested minds is disputed: {disputed}"),
        )
        or differing_column(row, columns, "the formal question gives")
        or differing_column(row, {"answer": truth.answer()}, BY_TEXT)
    )


def _plan_fault(row: Row, _story: Story, _names: Names, _thing: int) -> str | None:
    """Return what is wrong with a question of `plans`, or None where both meanings give its answer.

    All courses of action are played by the meaning of stories, and in the English by nested minds.
    """
    episode, truth = episode_of_row(row), PlanTruth(row)
    plans = [*map(episode.plan_of, row["choices"])]
    won = [winning(episode.game, plan) for plan in plans]
    disputed_by = [disputing(episode.game, plan) for plan in plans]
    least, answers = Plans(episode.game).least(), truth.answers()
    columns = {
        "id": f"{row['story_id']}-{episode.game.depth}",
        "order": episode.game.depth,
        "answer_index": next((place for place, wins in enumerate(won) if wins[0]), None),
        "answer": row["choices"][row["answer_index"]],
        **UNASKED,
        "readings": [reading for reading in INTERPRETATIONS if any(reading in disputed for disputed in disputed_by)],
        "undisputed": not any(disputed_by),
    }
    return first_fault(
        (
            any(len({*wins}) > 1 for wins in won),
            "under another interpretation of the rules, other courses of action win",
        ),
        (row["question"] != episode.question, "question and query have different scripts or goals"),
        (least != episode.game.acts, f"query says {episode.game.acts} acts, the least number that wins is {least}"),
        (len({*row["choices"]}) < len(row["choices"]), "two choices are the same"),
        (answers != [row["answer"]], f"by the text read by nested minds these win: {answers}"),
    ) or (
        differing_column(row, columns, "the formal question gives")
        or differing_column(row, {"readings": truth.disputed()}, BY_TEXT)
    )


# What proves the questions that are not about one belief, by config.
OTHER_QUESTIONS = {"abilities": _ability_fault, "plans": _plan_fault}


def rung_of(row: Row, config: Mapping[str, Any]) -> int | None:
    """Return the number of the rung that a row is on, by its columns; None in configs without rungs."""
    rungs = config["rungs"] if "rungs" in family_of(config["name"]).knobs else ()
    shape = family_of(config["name"]).shape(row) if rungs else []
    numbers = [number for number, rung in enumerate(rungs, 1) if list(rung) == shape]
    return row["rung"] if row["rung"] in numbers else next(iter(numbers), None)  # two rungs may be alike


def text_fault(row: Row, config: Mapping[str, Any], told: Sequence[Moment], names: Names, chain: Chain) -> str | None:
    """Return which column the English gives otherwise, whatever the formal story gives; None where all agree."""
    return differing_column(row, _text_columns(config, told, names, chain), BY_TEXT)


def _steps_column(row: Row, story: Story, question: Question) -> dict[str, Any]:
    """Return how many steps the English takes, where a row counts them."""
    return {} if row["hops"] is None else {"hops": len(steps_to(story, question.chain, question.thing))}


def _text_columns(config: Mapping[str, Any], told: Sequence[Moment], names: Names, chain: Chain) -> dict[str, Any]:
    """Return the columns that the English gives, by nested minds and by tables of the readings."""
    parts = [part for length in range(len(chain) + 1) for part in combinations(chain, length)]
    held = believe_after(told, parts, config["semantics"])
    readings = differing(told, chain, held[chain])
    name_of: dict[int | None, str | None] = {None: None, **dict(enumerate(names.containers))}
    columns = {
        "answer": name_of[held[chain]],
        "effective_order": next(len(part) for part in parts if held[part] == held[chain]),
        "order_sensitive": order_matters(told, chain, held[chain], config["semantics"]),
        "undisputed": not readings,
        "readings": readings,
    }
    if config["name"] not in WATCHED:
        answers = {semantics: believe_after(told, [chain], semantics)[chain] for semantics in SEMANTICS}
        columns["answer_published"] = name_of[answers["published"]]
        columns["semantics_agree"] = answers["recursive"] == answers["published"]
    return columns


def order_matters(told: Sequence[Moment], chain: Chain, answer: int | None, semantics: str) -> bool:
    """Return whether some permutation of a chain does not take the thing to be in the container `answer`.

    No line but those that reach all agents whose thoughts it is not about teaches any permutation.
    """
    reaching = [moment for moment in told if {*chain}.difference(moment.content, moment.openly) <= {*moment.secretly}]
    return any(believe_after(reaching, [other], semantics)[other] != answer for other in permutations(chain))


def _place_fault(row: Row, config: Mapping[str, Any], file: str, names: Names) -> str | None:
    """Return what is wrong with the choices of a row, or with the file where it stands."""
    choices, given, order = row["choices"], row["answer_index"], row["order"]
    wrong_letter = len(set(choices)) != len(choices) or given != choices.index(row["answer"])
    wrong_file = config["name"] not in FAMILIES and file.split("/")[0] != order_name(order)
    lacking = sorted(set(names.containers) - set(choices))
    return first_fault(
        (wrong_letter, f"answer_index is {given}, but the answer is not there, or choices repeat"),
        (wrong_file, f"a question of order {order} stands in {file}"),
        (bool(lacking), f"choices lack {lacking}"),
    )
