"""The command `build`: it writes a dataset's folder, a complete Hub repository."""

import contextlib
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any

import click

# Before anything is begun: an interrupt ends the command here, and later this import may swallow it.
import datasets  # noqa: F401

from .. import GENERATOR_VERSION, prompts
from ..audit import gates
from ..builds import witness_files
from ..builds.making import make
from ..builds.measured import compared, main_tables, write_tables
from ..builds.pictures import draw
from ..builds.requests import example, flags_of, options_of, request_of
from ..columns import Row
from ..configs import FamilyConfig
from ..dataset import NAMES, dataset_named
from ..difficulty.kept import Kept
from ..difficulty.probe import Probe, load_probe
from ..errors import UserError, located
from ..folder import card, croissant, writing
from ..folder.build import Build, claim, differing_arguments, sources
from ..splits import ENGLISH, language_tag, layout_of, named_in, plain_name
from ..witness import Witnesses
from ..wording.languages import languages
from ..work import one_bar
from .folders import named
from .options import DatasetCommand, command, field_option, naming_options, out, probe, processes, scorer_of, seed
from .values import ADDRESS, WORDS

# The sizes of the preset tiny, by the names of their options.
TINY = {
    "hi_tom": {
        "train": 6,
        "validation": 3,
        "test": 6,
        "tomh": 27,
        "reproduction": 6,
        "deep_train": 2,
        "deep_validation": 1,
        "deep": 3,
        "ladder": 6,
        "abilities_train": 2,
        "abilities_validation": 2,
        "abilities": 6,
        "plans": 2,
        "woven_train": 4,
        "woven_validation": 2,
        "woven": 4,
    },
    "mindgames": {
        "train": 6,
        "validation": 3,
        "test": 6,
        "scale": 1,
        "reproduction": 4,
        "deep_train": 1,
        "deep_validation": 1,
        "deep": 1,
        "ladder": 1,
        "rounds_train": 1,
        "rounds_validation": 1,
        "rounds": 6,
    },
}


# About how much of the time the stages of a build take, by their labels, where nothing is searched.
STAGES = {
    "planning": 5,
    "building": 75,
    "measuring what can be guessed": 8,
    "measuring depth": 3,
    "measuring order blocks": 3,
    "measuring what has no gate": 3,
    "reading for pictures": 2,
    "drawing": 1,
}


@dataclass(frozen=True, slots=True)
class Choices:
    """Hold what a user chooses for the configs of a build."""

    seed: int
    language: str
    scorer: str | None  # the folder of the probe that scores the rows
    explanations: bool  # whether rows say why their answer is right
    only: tuple[str, ...] | None  # the configs to build, None for all
    own: Mapping[str, Any]  # the fields that options of the dataset set, by the names of the options


def own_options(dataset: str) -> list[click.Option]:
    """Return the options that only a build of this dataset has, each for a field of its configs."""
    config, made = dataset_named(dataset), []
    known = {field.name: field for field in fields(config.config)}
    built = {one.name: one for one in config.built}
    for option in options_of(dataset):
        field, first = known[option.field], built[option.configs[0]]
        default = getattr(first, option.field)
        if "about" not in field.metadata:
            about = f"{first.units} in the {option.field} split of {first.name}; 0 leaves it out"
        else:
            about = f"{field.metadata['about']}; for {', '.join(option.configs)}"
        shown = ",".join(map(str, default)) if isinstance(default, tuple) else default
        made.append(field_option(field, option.name, f"{about} (default: {shown})"))
    return made


def chosen_configs(dataset: str, choices: Choices) -> list[FamilyConfig]:
    """Return the configs that a user chooses: the default one, and those of the others that have any split.

    With another language than English these are the configs that it has, and none besides. Raises UserError where
    --only names another one.
    """
    built = dataset_named(dataset).built
    if choices.language != ENGLISH:
        names = {config.name for config in built}
        spoken = [config for config in built if config is built[0] or named_in(config.name, choices.language) in names]
        built = tuple(spoken)
    configs = {}
    for config in built:
        plain = plain_name(config.name)  # in another language a config has the problems of the English one
        own = [option for option in options_of(dataset) if plain in option.configs]
        values = {option.field: choices.own.get(option.name, getattr(config, option.field)) for option in own}
        language = choices.language if plain == config.name else config.language
        # None where no recipe of a probe has such rows: in other languages none has.
        values["scorer"] = config.scorer and choices.scorer if language == ENGLISH else None
        values["explanations"] = config.explanations if choices.explanations else ()
        asked = replace(config, seed=choices.seed, language=language, **values)
        if config is built[0] or asked.sizes():
            configs[config.name] = asked
    for name in choices.only or ():
        if name not in configs:
            raise UserError(f"--only names {name}, which {dataset} does not have; it has {', '.join(configs)}")
    return [config for name, config in configs.items() if name in (choices.only or configs)]


LANGUAGE_HELP = "; ".join(f"of {name} one of: {', '.join(languages(name))}" for name in NAMES) + " (default: en)"

ABOUTS = {name: f"Write the folder {name}, a complete Hub repository." for name in NAMES}


@command("build", cls=DatasetCommand, own=own_options, abouts=ABOUTS)
@click.argument(
    "dataset",
    type=click.Choice(NAMES),
    required=False,
    help="comes first if you give options of its own (default: all datasets, without such options)",
)
@seed("any integer of 64 bits; the same seed gives the same bytes (default: 0)", default=0)
@out
@click.option("--language", default="en", metavar="CODE", help=LANGUAGE_HELP)
@processes
@probe
@click.option(
    "--no-explanations",
    "explanations",
    is_flag=True,
    flag_value=False,
    default=True,
    help="leave the column explanation, which says why an answer is right, empty",
)
@click.option(
    "--project-url",
    type=ADDRESS,
    default=card.project_url,
    metavar="URL",
    help="the project's address, which the card names (default: the one in pyproject.toml)",
)
@click.option(
    "--preset",
    type=click.Choice(["default", "tiny"]),
    default="default",
    help="the sizes of splits without an option: default, or tiny, a few rows of every config in seconds",
)
@click.option(
    "--only",
    type=WORDS,
    metavar="CONFIGS",
    help="build only these configs, such as deep or all,deep; all includes its orders or setups "
    "(default: every config)",
)
@click.option("--force", is_flag=True, help="replace a build with other arguments")
@click.option(
    "--search-again",
    is_flag=True,
    help="search everything, also what an earlier search found, and compare; takes several times as long",
)
def run(
    dataset: str | None,
    seed: int,
    out: Path,
    language: str,
    processes: int,
    probe: str,
    explanations: bool,
    project_url: str | None,
    preset: str,
    only: tuple[str, ...] | None,
    force: bool,
    search_again: bool,
    **own: Any,
) -> None:
    """Write the folders, unless they already hold what is asked for. No folder is written where one is refused."""
    if out.exists() and not out.is_dir():
        raise UserError(f"--out is {out}, which is not a folder; name a folder")
    writing.check_loadable(out)
    whole, planned = [], []
    for name in named(dataset):
        given = (TINY[name] if preset == "tiny" else {}) | {
            key: value for key, value in own.items() if value is not None
        }
        choices = Choices(seed, language_tag(language), scorer_of(probe), explanations, only, given)
        configs = chosen_configs(name, choices)
        scoring = checked_probe(name, configs)
        request = request_of(configs, scoring, project_url)
        todo = Build(out / name, name, GENERATOR_VERSION, request, sources(), {})
        if is_done(todo, force) and not search_again:
            whole.append(todo.folder)
        else:
            planned.append((todo, configs, scoring))
    for folder in whole:
        print(f"{folder} is up to date: same arguments, same sources, every file unchanged")
    for work in planned:
        build(*work, processes, search_again)


def is_done(todo: Build, force: bool) -> bool:
    """Return whether the folder already holds the build. Raises UserError where writing it would lose something.

    force: whether a build with other arguments may be lost.
    """
    if claim(todo.folder, todo.dataset, todo.request):
        return True
    there = Build.read(todo.folder, todo.dataset)

    def option(config: str, field: str) -> str:
        return flags_of(todo.dataset, config).get(field, field)

    differences = differing_arguments(there, todo, option) if there and not force else []
    if differences:
        raise UserError(
            f"{todo.folder} is a finished build with other arguments: {'; '.join(differences)}. Build elsewhere "
            "(--out FOLDER; make: OUT=another/folder), or replace it (--force; make: FORCE=1)"
        )
    return False


def checked_probe(dataset: str, configs: Sequence[FamilyConfig]) -> Probe | None:
    """Return the probe of the configs, None without one. Raises UserError for a config or a probe that cannot be."""
    for config in configs:
        with naming_options(flags_of(dataset, plain_name(config.name))), located(f"{config.name}: "):
            config.validate()
            if config.scorer:
                load_probe(config.scorer, dataset)
    return load_probe(configs[0].scorer, dataset) if configs[0].scorer else None


def build(todo: Build, configs: Sequence[FamilyConfig], scoring: Probe | None, processes: int, again: bool) -> None:
    """Write the folder of a dataset in three stages: its tables, what is measured on them, its card.

    again: whether to search what is known of earlier searches too. Raises UserError at the end where that is another.
    """
    dataset, layout = todo.dataset, layout_of(configs)
    tasks = prompts.inspect_tasks(dataset, layout, todo.request)
    about = {"columns": dataset_named(dataset).meanings, "example": example(todo), "probe": scoring}
    kept = Kept(todo.folder, scoring)
    beside = witness_files.file_beside(todo.folder)
    known = witness_files.witnesses_of(configs, [witness_files.own_file(dataset), beside])
    witnesses = Witnesses() if again else known
    made = make(dataset, configs, processes, kept, witnesses)
    searching = dataset_named(dataset).planning_searches and not any(witnesses.known(one.section) for one in configs)
    bar = one_bar(f"building {dataset}", STAGES | ({"planning": 150} if searching else {}))
    with bar, located(""), contextlib.closing(made), writing.written(todo) as tables:
        rows = rows_of_files(made, todo)
        tables.files.update(writing.write_tables(tables.folder, dataset_named(dataset).features, rows))
        (tables.folder / prompts.TASK_FILE).write_text(tasks, encoding="utf-8")
        (tables.folder / croissant.NAME).write_text(croissant.describe(tables, layout), encoding="utf-8")
        text = card.render(tables, layout, about | audited(tables, processes))
        (tables.folder / "README.md").write_text(text, encoding="utf-8")
    kept.write()
    witness_files.keep(beside, witnesses, known)
    print(f"{todo.folder}: {tables.total:,} rows written, seed {configs[0].seed}")
    if witnesses.unfit:
        print(f"{witnesses.unfit:,} of what an earlier search found did not fit: searched anew", file=sys.stderr)
    if differing := witnesses.differing(known) if again else []:
        (section, name), more = differing[0], f" and {len(differing) - 1:,} more" * (len(differing) > 1)
        raise UserError(
            f"an earlier search found something else for {name} of {section}{more}; "
            f"delete {beside}, or install the project again (maintainers: make seal)"
        )


def rows_of_files(made: Iterator[tuple[str, Row]], todo: Build) -> Iterator[tuple[str, Row]]:
    """Yield (file, row), a row of an order or setup for the default config first."""
    for file, row in made:
        if repeat := todo.repeat_of(file):
            yield repeat, row
        yield file, row


def audited(build: Build, processes: int) -> dict[str, Any]:
    """Return the audit for the card, and write its tables and pictures into the folder, where there are rows enough."""
    enough = gates.GATED_STORIES
    if not build.has_enough(enough):
        return {"enough": enough, "audit": None, "pictures": {}}
    measured = main_tables(build, processes)
    write_tables(build.folder, measured)
    pictures = draw(build, measured["gated"], build.folder / "pictures", "", processes, {})
    return {"enough": enough, "audit": compared(build, measured), "pictures": pictures}


def is_default(build: Build) -> bool:
    """Return whether a build was asked for nothing but its name."""
    configs = dataset_named(build.dataset).built
    return build.request == request_of(configs, checked_probe(build.dataset, configs), card.project_url())
