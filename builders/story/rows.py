"""How a config becomes rows: the plan of a split, the cast of each story, and its columns.

A plan is made from the config and the seed alone, before any row. It settles what each story must be like; so a row
does not depend on which rows are made before it, or by which process.
"""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from .. import GENERATOR_VERSION
from ..columns import UNSCORED, Row
from ..splits import ENGLISH
from ..streams import Stream, stream
from ..syntax.events import Names, Question, Report, Tell
from ..syntax.record import dumps, spell
from ..witness import UnfitError, searched
from ..wording.stories import Voice, voice
from .analysis import Analysis, analyse
from .casts import cast_at, place_of
from .config import FAMILIES, WATCHED, StoryConfig, family_of
from .explanation import explain_path, explain_story
from .family import DrawnStory, Letters, Planned, read_story, spelled_story
from .interpretations import disputes


def plan_of(config: StoryConfig, split: str) -> Sequence[Planned]:
    """Settle, from the config and the seed alone, what each story of a split must be like.

    Returns for each story (target, letters). The target is what its family draws a story for. Letters are a number for
    each order, whose remainder by the number of choices is the place of the answer; None leaves the places to chance.
    """
    plan_stream = stream("hi_tom", config.family, config.seed, split, "plan")
    family = FAMILIES[config.family]
    return family.plan(family.of_split(config, split), plan_stream, config.sizes()[split])


def cast_of(config: StoryConfig, split: str, index: int) -> int:
    """Return the cast of a story, which no other story of the same seed and language has, in any config or split."""
    place = place_of(FAMILIES[config.family].casts, split, index)
    return cast_at(config.seed, voice(config.language).n_casts, place)


def story_rows(config: StoryConfig, split: str, index: int, target: Any, letters: Letters | None) -> list[Row]:
    """Make the rows of one story, one for each order asked, lowest first; not scored.

    `target` and `letters` are what `plan_of` settled for this index.
    """
    return twin_rows([config], split, index, target, letters)[0]


def twin_rows(
    configs: Sequence[StoryConfig], split: str, index: int, target: Any, letters: Letters | None
) -> list[list[Row]]:
    """Make the rows of one story for each of some configs with the same stories: it is drawn once, and told by each."""
    config = configs[0]
    family = FAMILIES[config.family]
    if family.rows:
        return [
            family.rows(twin, split, index, target, letters, partial(shared_columns, twin, split)) for twin in configs
        ]
    drawn = drawn_story(config, split, index, target)
    analysis = analyse(drawn.story, drawn.chain, 0, config.semantics, compared=config.family not in WATCHED)
    return [question_rows(twin, split, index, drawn, analysis, letters) for twin in configs]


def drawn_story(config: StoryConfig, split: str, index: int, target: Any) -> DrawnStory:
    """Draw a story that meets a target, or take it from the witness where it can happen and is undisputed."""
    family = FAMILIES[config.family]
    if not family.draw:
        raise TypeError(f"the family {config.family!r} can draw no story and make no rows: give it `draw` or `rows`")
    search = partial(family.draw, config, target, stream("hi_tom", config.family, config.seed, split, index, "problem"))
    return searched(f"{split} {index}", search, spelled_story, undisputed_story) if family.searched else search()


def undisputed_story(spelled: list[Any]) -> DrawnStory:
    """Return a story of the witness. Raises UnfitError where its lines cannot be, or its answers are disputed."""
    drawn = read_story(spelled)
    for order in drawn.orders:
        if disputes(drawn.story, drawn.chain[len(drawn.chain) - order :], 0):
            raise UnfitError(
                f"interpretations disagree on the answer of order {order}; expected a story that was found"
            )
    return drawn


def question_rows(
    config: StoryConfig, split: str, index: int, drawn: DrawnStory, analysis: Analysis, letters: Letters | None
) -> list[Row]:
    """Make the rows of one story that was drawn; `analysis` is of the question of its highest order."""
    say, family = voice(config.language), FAMILIES[config.family]
    wording_stream = stream("hi_tom", config.family, config.seed, split, index, "wording")
    names, shared = shared_columns(config, split, index, drawn, wording_stream)
    explained = split in config.explanations
    choices = [names.containers[place] for place in wording_stream.shuffled(range(len(names.containers)))]
    rows = []
    for order in drawn.orders:
        asked = analysis.tail(order)
        answers = asked.columns(names)
        question = Question(asked.chain, 0, searches=family.searches)
        place = choices.index(answers["answer"])
        # The choices turn, as a ring, until the answer has its letter.
        turn = 0 if letters is None else place - letters[order] % len(choices)
        rows.append(
            {
                **shared,
                "id": f"{shared['story_id']}-{order}",
                "question": say.say(*spell(question, names)),
                **answers,
                "hops": asked.n_hops if family.hops else None,
                "choices": choices[turn:] + choices[:turn],
                "answer_index": (place - turn) % len(choices),
                "kind": None,
                "query": None,
                "explanation": explain(asked, shared["story"], names, say, family.hops) if explained else None,
                **UNSCORED,
            }
        )
    return rows


def story_questions(config: StoryConfig, split: str, number: int) -> list[Row]:
    """Make the rows of all questions of a story, given its number in the split; raises IndexError for none."""
    if of_story := FAMILIES[config.family].of_story:
        return of_story(config, split, number, partial(shared_columns, config, split))
    return story_rows(config, split, number, *plan_of(config, split)[number])


def problem_keys(rows: list[Row]) -> list[str]:
    """Return for each question of one story a key that it shares with its renamings and with no other problem."""
    return family_of(rows[0]["config"]).keys(rows)


def shared_columns(
    config: StoryConfig, split: str, index: int, drawn: DrawnStory, words: Stream | None = None
) -> tuple[Names, Row]:
    """Return the names of a story, drawn from the stream `words` or its own, and the columns its questions share.

    The stream goes on alike in every language, so that choices keep their order: the English names are always drawn.
    """
    key = "hi_tom", config.family, config.seed, split, index, "wording"
    words = words or stream(*key)
    sizes = drawn.story.n_agents, drawn.n_rooms, drawn.n_things, drawn.n_containers
    names = voice(ENGLISH).names(words, cast_of(replace(config, language=ENGLISH), split, index), *sizes)
    own = stream(*key, config.language)
    if config.language != ENGLISH:
        names = voice(config.language).names(own, cast_of(config, split, index), *sizes)
    spelled = formal = [spell(event, names) for event in drawn.story.events]
    if config.language != ENGLISH:  # the waiting room has one name in all languages
        alike = replace(names, rooms=Names().rooms + names.rooms[1:])
        formal = [spell(event, alike) for event in drawn.story.events]
    return names, {
        "story_id": f"{config.prefix}{split}-{index:06d}",
        "story": voice(config.language).story(spelled, own),
        "deception": drawn.deception,
        "story_length": drawn.n_chapters,
        "n_agents": drawn.n_agents,
        "n_lines": len(drawn.story.events),
        "n_claims": sum(isinstance(event, Tell | Report) for event in drawn.story.events),
        "rung": drawn.rung,
        "events": dumps(formal, names.things[0]),
        "config": config.row_config,
        "language": config.language,
        "seed": config.seed,
        "generator_version": GENERATOR_VERSION,
    }


def explain(asked: Analysis, text: str, names: Names, say: Voice, hops: bool) -> str:
    """Return the explanation of a question, by the printed rules wherever they give its answer.

    hops: whether lines name containers by thoughts.
    """
    if hops:
        return explain_path(asked.read, text, asked.chain, names, say)
    semantics = next(name for name, answer in asked.answers.items() if answer == asked.held[-1])
    return explain_story(text, asked.facts, asked.chain, names, semantics, say)
