"""Rows of configs in any language or world, made now, and what their proofs find: what tests of both share."""

from dataclasses import asdict, replace

from tom_datasets import GENERATOR_VERSION
from tom_datasets.configs import config_named
from tom_datasets.dataset import dataset_named
from tom_datasets.hi_tom.rows import plan_of, span_rows
from tom_datasets.mindgames import rows as problem_rows
from tom_datasets.proof.rows import Proven
from tom_datasets.proof.stories import prove_hi_tom
from tom_datasets.story.config import CONFIGS as STORIES
from tom_datasets.syntax.record import loads


def story_config(name, size, **fields):
    return replace(config_named(STORIES, name), scorer=None, test=size, explanations=("test",), **fields)


def problem_config(name, size):
    configs = dataset_named("mindgames").configs
    return replace(
        config_named(configs, name), scorer=None, train=None, validation=None, test=size, explanations=("test",)
    )


def story_rows_of(config):
    plan = plan_of(config, "test")
    return span_rows([config], "test", range(len(plan)), plan)[0]


def problem_rows_of(config):
    plan = problem_rows.plan_of(config, "test")
    return problem_rows.span_rows([config], "test", range(len(plan)), plan)[0]


def record(config):
    return asdict(config) | {"version": GENERATOR_VERSION, "scorer": None}


def faults(rows, config, prove, step):
    found = []
    for start in range(0, len(rows), step):
        block = rows[start : start + step]
        proven = list(prove(block, record(config), f"{config.part_of(block[0])}/test.parquet"))
        found += [fault for fault in proven if not isinstance(fault, Proven)]
    return found


def formal(row):
    """Return what a row of hi_tom has in common with the same question in another language."""
    story, names, thing = loads(row["events"])
    places = [names.containers.index(choice) for choice in row["choices"] if choice in names.containers]
    chain = [names.agents.index(agent) for agent in row["chain"]]
    own = (
        "story",
        "question",
        "choices",
        "answer",
        "answer_published",
        "chain",
        "events",
        "query",
        "explanation",
        "language",
    )
    return story, thing, places, chain, {column: row[column] for column in row if column not in own}


OWN_OF_PROBLEMS = ("premise", "hypothesis", "names", "explanation", "language")
"""The columns of mindgames that differ by language."""


def expect_wrong_texts_found(config):
    """Change what a row says in one column after another, and expect each change to be found."""
    row = story_rows_of(config)[2]
    other = next(choice for choice in row["choices"] if choice != row["answer"])
    changes = {
        "answer": other,
        "story": row["story"].replace(row["answer"], other),
        "question": row["question"].replace(row["chain"][0], row["chain"][1]),
        "explanation": row["explanation"].replace(row["answer"], other),
        "events": row["events"].replace(row["chain"][0], row["chain"][1]),
    }
    for column, value in changes.items():
        (fault,) = prove_hi_tom([row | {column: value}], record(config), f"{config.name}/test.parquet")
        assert not isinstance(fault, Proven), column
