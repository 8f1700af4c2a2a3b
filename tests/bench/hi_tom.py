"""Measure how fast hi_tom is, as ratios against a baseline in the same run (`make bench`).

The baseline does the same in the plain way. It fills a table of beliefs for every permutation of the witnesses at every
event, renders one template for each sentence, and scans the story anew for each explanation and for each question's
readings. So it is compared twice: bare, on the same stories, where both say texts and answers and nothing else; and
whole, with explanations and readings. There its task is easier: its stories have no targets, so that it draws each
once. Both must give the same answers.
"""

import itertools
from collections.abc import Iterator
from dataclasses import replace

import jinja2
from timing import in_turn

from tom_datasets.story import config as hi_tom
from tom_datasets.story.chapters import CONTAINERS, ROOMS, THINGS, Target, sample_chapters
from tom_datasets.story.config import StoryConfig
from tom_datasets.story.explanation import explain_story
from tom_datasets.story.interpretations import differing_interpretations, read
from tom_datasets.story.meaning import RULES, Facts, facts_of
from tom_datasets.story.rows import plan_of, story_rows
from tom_datasets.streams import stream
from tom_datasets.syntax.events import Event, Names, Question, Story
from tom_datasets.syntax.record import spell
from tom_datasets.wording.languages import TEMPLATES, lexicon
from tom_datasets.wording.stories import voice

STORIES = 600
DEEP_STORIES, TALL_STORIES, WOVEN_STORIES = 40, 12, 12
ROUNDS = 3
IMPORT = "{% from 'hi_tom.jinja' import "


def sentence_templates() -> dict[str, jinja2.Template]:
    """Return one template for each kind of sentence."""
    environment = jinja2.Environment(loader=jinja2.FileSystemLoader(TEMPLATES / "en"), undefined=jinja2.StrictUndefined)
    words = lexicon("en", "hi_tom")
    environment.globals.update(be=words["things"], his=words["agents"])
    kinds = [kind.__name__ for kind in (*Event.__args__, Question)]
    return {kind: environment.from_string(f"{IMPORT}{kind} %}}{{{{ {kind}(*fields) }}}}") for kind in kinds}


def belief_table(facts: Facts, orders: range) -> dict[tuple[int, ...], int]:
    """Return the belief of every chain, filled line by line for every permutation of those whom it reached."""
    table = {}
    for place, container in enumerate(facts.containers):
        minds = [agent for agent in range(facts.n_agents) if facts.open[agent] >> place & 1]
        for order in orders:
            for chain in itertools.permutations(minds, order):
                if (facts.sightings | RULES["recursive"](facts, chain)) >> place & 1:
                    table[chain] = container
    return table


def drawn(count: int) -> Iterator[tuple[Story, tuple[int, ...], Names]]:
    """Draw stories without targets; yield each with its chain and its names."""
    cells = [Target(length, deception) for length in (1, 2, 3) for deception in (False, True)]
    for index in range(count):
        story, chain = sample_chapters(stream("baseline", index), cells[index % len(cells)], 5, 4, "recursive")
        yield (
            story,
            chain,
            voice("en").names(stream("names", index), index, 5, ROOMS + 1, ROOMS * THINGS, ROOMS * CONTAINERS),
        )


def bare(count: int) -> list[list[str]]:
    """Make the stories of the baseline, texts and answers alone, as rows have them; return the answers of each."""
    say, rule, answers = voice("en"), RULES["recursive"], []
    for story, chain, names in drawn(count):
        say.story([spell(event, names) for event in story.events])
        facts, tails = facts_of(story, 0), [chain[4 - order :] for order in range(5)]
        for tail in tails:
            say.say(*spell(Question(tail, 0), names))
        answers.append([names.containers[facts.last(rule(facts, tail))] for tail in tails])
    return answers


def baseline(count: int, templates: dict[str, jinja2.Template], whole: bool = False) -> list[list[str]]:
    """Make stories the plain way, `whole` with explanations and readings; return the answers of each."""
    answers = []
    for story, chain, names in drawn(count):
        lines = []
        for number, event in enumerate(story.events, 1):
            kind, *fields = spell(event, names)
            lines.append(f"{number} {templates[kind].render(fields=fields)}")
        table = belief_table(facts_of(story, 0), range(5))
        for order in range(5):
            kind, *fields = spell(Question(chain[4 - order :], 0), names)
            templates[kind].render(fields=fields)
            if whole:
                tail = chain[4 - order :]
                read.cache_clear()
                differing_interpretations(story, tail, 0, table[tail])
                explain_story("\n".join(lines), facts_of(story, 0), tail, names, "recursive", voice("en"))
        answers.append([names.containers[table[chain[4 - order :]]] for order in range(5)])
    return answers


def ours(count: int, base: StoryConfig = hi_tom.ALL) -> list[list[dict]]:
    """Make the rows of stories as `make build` does, but not scored."""
    config = replace(base, train=count, scorer=None)
    plan = plan_of(config, "train")
    return [story_rows(config, "train", index, *plan[index]) for index in range(count)]


def main() -> None:
    """Print the measurements, each the best of some rounds."""
    assert bare(STORIES // 4) == baseline(STORIES // 4, sentence_templates())
    works = {
        "plain": (baseline, STORIES // 4, sentence_templates()),
        "bare": (bare, STORIES),
        "slow": (baseline, STORIES // 4, sentence_templates(), True),
        "fast": (ours, STORIES),
        "deep": (ours, DEEP_STORIES, hi_tom.DEEP),
        "tall": (ours, TALL_STORIES, replace(hi_tom.LADDER, rungs=hi_tom.RUNGS[-1:])),
        "woven": (ours, WOVEN_STORIES, replace(hi_tom.WOVEN, rungs=((8, 2, 5),))),
    }
    plain, bare_one, slow, fast, deep, tall, woven = (
        took / works[name][1] for name, took in in_turn(works, ROUNDS).items()
    )
    print(f"stories a second, one process (best of {ROUNDS}), explanations and readings too: {1 / fast:,.0f}")
    print(f"  the baseline, in the same run: {1 / slow:,.0f}; ratio {slow / fast:.1f}")
    print(f"without these, and not balanced: {1 / bare_one:,.0f}")
    print(f"  the baseline, in the same run: {1 / plain:,.0f}; ratio {plain / bare_one:.1f}")
    print(f"deep stories a second, one process (best of {ROUNDS}): {1 / deep:,.0f}")
    print(f"stories of the ladder's highest rung a second, one process (best of {ROUNDS}): {1 / tall:,.0f}")
    print(f"woven stories of 8 hops a second, one process (best of {ROUNDS}): {1 / woven:,.1f}")
    many, others = (sum(config.sizes().values()) for config in (hi_tom.DEEP, hi_tom.ALL))
    ratio = many * deep / (others * fast)
    print(f"  the {many:,} of a default build take {ratio:.0f} times as long as its {others:,} others")


if __name__ == "__main__":
    main()
