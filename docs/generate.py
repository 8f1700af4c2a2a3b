"""Write what pages of docs/reference repeat of the code, between markers: `make reference-pages`.

Commands and their options, the columns and configs of a dataset, and the fields of its configs.
"""

import re
from collections.abc import Mapping
from dataclasses import fields
from pathlib import Path
from posixpath import relpath
from typing import Any

import click

from tom_datasets.audit.page import rule_tables, with_tables
from tom_datasets.columns import Column
from tom_datasets.commands.options import Call, DatasetCommand, Option
from tom_datasets.commands.program import NAME, program
from tom_datasets.dataset import NAMES, dataset_named
from tom_datasets.files import write_text
from tom_datasets.markdown import markdown_table
from tom_datasets.prompts import printed_rules
from tom_datasets.splits import EXPLAINED, plain_name, world_of

DOCS = Path(__file__).resolve().parent
PAGES = {
    "commands": DOCS / "reference" / "commands.md",
    **{name: DOCS / "reference" / f"{name}.md" for name in NAMES},
    "audit": DOCS / "why" / "audit.md",
    "evaluate": DOCS / "how_to" / "evaluate.md",
}
SHOWN_SPLITS = (*EXPLAINED, "test")
# What the code does not know of an English config.
ABOUT = {
    "hi_tom": {
        "all": "the default: orders 0 to 4, story by story; each order is a config too, such as `4th_order`",
        "tomh": "the workshop paper's cells, orders 1 to 4; choices are the containers that the story names",
        "reproduction": "the EMNLP paper's mix, orders 0 to 4: 20 stories in each of six cells, not balanced",
        "deep": "[deep stories](deep.md), orders 0 to 4; questions that need their chains; eight choices",
        "ladder": "deep stories on six rungs of 100, orders 1 to 6; one question each, 8 to 16 choices",
        "abilities": "[many kinds of questions](abilities.md) about deep stories, orders 1 to 3",
        "plans": "[four courses of action](../how_to/play.md#the-config-plans), orders 2 and 3; one reaches the goals",
        "woven": "[stories whose lines hang on one another](woven.md): questions of 1 to 64 steps, on seven rungs",
    },
    "mindgames": {
        "all": "the default: blocks of four, orders 1 and 2; each setup is a config too, such as `forehead`",
        "scale": "blocks with 5 to 10 agents",
        "reproduction": "the paper's sampling: single problems of 2 or 3 agents, half of them entailed",
        "deep": "order blocks: the same announcements in two orders, 3 to 5 agents, orders 1 to 3",
        "ladder": "order blocks on six rungs, from 3 agents and order 1 to 6 agents and order 4",
        "rounds": "puzzles in rounds on six rungs, from 4 persons and 3 rounds to 9 persons and 7",
    },
}


def generated(page: str) -> dict[str, str]:
    """Return the generated parts of a page, by their names in its markers."""
    if page == "commands":
        return {"commands": commands_part()}
    if page == "audit":
        return rule_tables()
    if page == "evaluate":
        return printed_rules()
    return {"configs": configs_part(page), "columns": columns_part(page), "fields": fields_part(page)}


def commands_part() -> str:
    """Return how each command is called, what it does, and its options."""
    context = click.Context(program, info_name=NAME, obj=Call([], lambda: None), max_content_width=1000)
    parts = []
    for name in program.list_commands(context):
        command = program.get_command(context, name)
        inner = click.Context(command, info_name=name, parent=context, max_content_width=1000)
        call = f"```text\n{usage(command, inner)}\n```"
        parts.append(f"### {name}\n\n{command.help}\n\n{call}\n\n{parameters(command, inner)}")
        if isinstance(command, DatasetCommand):
            shared = {param.name for param in command.params}
            for dataset in NAMES:
                own = command.of(dataset)
                own.params = [param for param in own.params if param.name not in shared]
                head = f"Further options behind `{name} {dataset}`:"
                parts.append(f"{head}\n\n{parameters(own, inner)}" if own.params else "")
    return "\n\n".join(filter(None, parts))


def usage(command: click.Command, context: click.Context) -> str:
    """Return the line that says how a command is called."""
    return command.get_usage(context).removeprefix("Usage: ")


def parameters(command: click.Command, context: click.Context) -> str:
    """Return a list of what a command takes, but for --help."""
    return "\n".join(parameter(param, context) for param in command.params)


def parameter(param: click.Parameter, context: click.Context) -> str:
    """Return an item of a list: an argument or an option, what it does, and what it needs."""
    flags = ", ".join(param.opts) if isinstance(param, click.Option) else ""
    value = "" if getattr(param, "is_flag", False) else param.make_metavar(context)
    said = [getattr(param, "help", None) or ""]
    if isinstance(param, click.Option) and param.required:
        said.append("required")
    if isinstance(param, Option):
        said += [f"needs {spelled(param.needs)}"] if param.needs else []
        said += [f"needs one of {spelled(param.needs_one)}"] if param.needs_one else []
        said += [f"not with {spelled(param.without)}"] if param.without else []
    return f"- `{f'{flags} {value}'.strip()}`: {'; '.join(filter(None, said))}".removesuffix(": ")


def spelled(flags: Any) -> str:
    """Return options, each as code."""
    return ", ".join(f"`{flag}`" for flag in flags)


def configs_part(dataset: str) -> str:
    """Return the table of the configs of a build, those in other languages in one row, and those in other worlds.

    Raises KeyError for a config of which ABOUT says nothing.
    """
    built = dataset_named(dataset).built
    english = [config for config in built if plain_name(config.name) == config.name]
    rows = []
    for config in english:
        sizes = config.sizes()
        shown = [f"{sizes[split]:,}" if split in sizes else "" for split in SHOWN_SPLITS]
        rows.append([f"`{config.name}`", *shown, config.units, ABOUT[dataset][config.name]])
    for abroad, where in ((False, "in [French or Chinese](languages.md)"), (True, "told in [other worlds](worlds.md)")):
        others = [config for config in built if config not in english and bool(world_of(config.language)) is abroad]
        names = ", ".join(f"`{config.name}`" for config in others)
        rows.append([names, "", "", "as in English", "", f"the same test split {where}"])
    return markdown_table(["config", *SHOWN_SPLITS, "sizes count", "what it has"], rows, left=6)


def columns_part(dataset: str) -> str:
    """Return the table of the columns: name, type and meaning."""
    rows = [[f"`{column.name}`", type_of(column), linked(column.meaning)] for column in dataset_named(dataset).columns]
    return markdown_table(["column", "type", "what it holds"], rows, left=3)


def type_of(column: Column) -> str:
    """Return the type of a column's values, as a reader of the table says it."""
    if column.classes:
        return "class label"
    return f"list of {column.type}" if column.is_list else column.type


def linked(meaning: str) -> str:
    """Return a meaning whose pages are links from docs/reference."""
    return re.sub(
        r"docs/([\w/]+\.md)", lambda path: f"[{Path(path[1]).name}]({relpath(path[1], 'reference')})", meaning
    )


def fields_part(dataset: str) -> str:
    """Return the table of the fields that rows depend on: the default, configs with another one, and what it is."""
    facts = dataset_named(dataset)
    english = [config for config in facts.built if plain_name(config.name) == config.name]
    rows = []
    for field in fields(facts.config):
        takers = [config for config in english if field.name in config.knobs]
        if "about" in field.metadata and takers:
            values = {config.name: getattr(config, field.name) for config in takers}
            others = [f"`{name}`: {default(value)}" for name, value in values.items() if value != field.default]
            names = ", ".join(f"`{name}`" for name in values)
            rows.append([f"`{field.name}`", "; ".join([default(field.default), *others]), names, about(field.metadata)])
    return markdown_table(["field", "default", "of", "what it is"], rows, left=4)


def default(value: Any) -> str:
    """Return a value as Python's code, with named tuples as plain ones."""
    if isinstance(value, tuple):
        value = tuple(tuple(part) if isinstance(part, tuple) else part for part in value)
    return f"`{value!r}`"


def about(metadata: Mapping[str, Any]) -> str:
    """Return what a field is, with its choices."""
    choices = metadata["choices"]
    return f"{metadata['about']}: {', '.join(map(str, choices))}" if choices else metadata["about"]


def main() -> None:
    """Write every page anew whose parts have changed."""
    for name, page in PAGES.items():
        before = page.read_text(encoding="utf-8")
        after = with_tables(before, generated(name))
        if after != before:
            write_text(page, after)
            print(f"{page.relative_to(DOCS.parent)} written")


if __name__ == "__main__":
    main()
