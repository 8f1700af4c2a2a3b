"""The command `build`: it writes a dataset's folder, a complete Hub repository."""

import contextlib
from argparse import Namespace
from collections.abc import Iterator
from dataclasses import fields, replace
from typing import Any

# Before anything is begun: an interrupt ends the command here, and later this import may swallow it.
import datasets  # noqa: F401

from .. import GENERATOR_VERSION, prompts
from ..audit import gates
from ..builds.making import make
from ..builds.measured import compared, main_tables, write_tables
from ..builds.pictures import draw
from ..builds.requests import example, flags_of, options_of, request_of
from ..difficulty.kept import Kept
from ..difficulty.probe import Probe, load_probe
from ..errors import UserError, located
from ..folder import card, croissant, writing
from ..folder.build import Build, claim, differing_arguments, sources
from ..splits import ENGLISH, layout_of, plain_name
from ..topics import NAMES, features_of, meanings_of, topic
from ..wording.languages import languages
from .folders import named
from .options import Parser, a_dataset, add_field, add_listed, listed, naming_flags, scorer_of


def add_options(parser: Parser, words: list[str]) -> None:
    """Add the options of `build`; the dataset that is named first has options of its own."""
    name = parser.named_dataset(words)
    if name is None:
        about = "comes first where it has options of its own (default: all datasets, without any)"
        parser.add_argument("dataset", nargs="?", type=a_dataset, metavar=f"{{{','.join(NAMES)}}}", help=about)
    add_listed(parser, "build", {"languages": ", ".join(languages()), "project_url": card.project_url()})
    if name:
        parser.description = f"Write the folder {name}, a complete Hub repository."
        add_own_options(parser, name)


def add_own_options(parser: Parser, dataset: str) -> None:
    """Add the options that only a build of this dataset has, each for a field of its configs."""
    config = topic(dataset, "config")
    known = {field.name: field for field in fields(config.Config)}
    built = {one.name: one for one in config.BUILT}
    for option in options_of(dataset):
        field, first = known[option.field], built[option.configs[0]]
        default = getattr(first, option.field)
        if "about" not in field.metadata:
            about = f"{first.units} in the {option.field} split of {first.name}; 0 leaves it out"
        else:
            about = f"{field.metadata['about']}; of {', '.join(option.configs)}"
        shown = ",".join(map(str, default)) if isinstance(default, tuple) else default
        add_field(parser, field, option.name, f"{about} (default: {shown})")


def chosen_configs(dataset: str, args: Namespace) -> list[Any]:
    """Return the configs that the options ask for: the default one, and those of the others that have any split.

    With another language than English these are the configs that it has, and none besides. Raises UserError where
    --only names another one.
    """
    built = topic(dataset, "config").BUILT
    if args.language != ENGLISH:
        names = {config.name for config in built}
        built = [config for config in built if config is built[0] or f"{config.name}_{args.language}" in names]
    given = (listed()["tiny"][dataset] if args.preset == "tiny" else {}) | vars(args)
    configs = {}
    for config in built:
        plain = plain_name(config.name)  # in another language a config has the problems of the English one
        own = [option for option in options_of(dataset) if plain in option.configs]
        values = {option.field: given.get(option.name, getattr(config, option.field)) for option in own}
        language = args.language if plain == config.name else config.language
        # None where no recipe of a probe has such rows: in other languages none has.
        values["scorer"] = config.scorer and scorer_of(args) if language == ENGLISH else None
        values["explanations"] = config.explanations if args.explanations else ()
        asked = replace(config, seed=args.seed, language=language, **values)
        if config is built[0] or asked.sizes():
            configs[config.name] = asked
    for name in args.only or ():
        if name not in configs:
            raise UserError(f"--only names {name}, and {dataset} has {', '.join(configs)}")
    return [config for name, config in configs.items() if name in (args.only or configs)]


def run(args: Namespace) -> None:
    """Write the folders, unless they already hold what is asked for. No folder is written where one is refused."""
    if args.out.exists() and not args.out.is_dir():
        raise UserError(f"--out is {args.out}, which is no folder")
    writing.check_loadable(args.out)
    whole, planned = [], []
    for dataset in named(args):
        configs = chosen_configs(dataset, args)
        scoring = checked_probe(dataset, configs)
        request = request_of(configs, scoring, args.project_url)
        todo = Build(args.out / dataset, dataset, GENERATOR_VERSION, request, sources(), {})
        if is_done(todo, args.force):
            whole.append(todo.folder)
        else:
            planned.append((todo, configs, scoring))
    for folder in whole:
        print(f"{folder} is up to date: same arguments, same sources, every file unchanged")
    for work in planned:
        build(*work, args)


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


def checked_probe(dataset: str, configs: list) -> Probe | None:
    """Return the probe of the configs, None without one. Raises UserError for a config or a probe that cannot be."""
    for config in configs:
        with naming_flags(flags_of(dataset, plain_name(config.name))), located(f"{config.name}: "):
            config.validate()
            if config.scorer:
                load_probe(config.scorer, dataset)
    return load_probe(configs[0].scorer, dataset) if configs[0].scorer else None


def build(todo: Build, configs: list, scoring: Probe | None, args: Namespace) -> None:
    """Write the folder of a dataset in three stages: its tables, what is measured on them, its card."""
    dataset, layout = todo.dataset, layout_of(configs)
    tasks = prompts.inspect_tasks(dataset, layout, todo.request)
    about = {"columns": meanings_of(dataset), "example": example(todo), "probe": scoring}
    kept = Kept(todo.folder, scoring)
    made = make(dataset, configs, args.processes, kept)
    with located(""), contextlib.closing(made), writing.written(todo) as tables:
        rows = rows_of_files(made, todo)
        tables.files.update(writing.write_tables(tables.folder, features_of(dataset), rows))
        (tables.folder / prompts.TASK_FILE).write_text(tasks, encoding="utf-8")
        (tables.folder / croissant.NAME).write_text(croissant.describe(tables, layout), encoding="utf-8")
        text = card.render(tables, layout, about | audited(tables, args.processes))
        (tables.folder / "README.md").write_text(text, encoding="utf-8")
    kept.write()
    print(f"{todo.folder}: {tables.total:,} rows written, seed {args.seed}")


def rows_of_files(made: Iterator[tuple[str, dict]], todo: Build) -> Iterator[tuple[str, dict]]:
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
    configs = topic(build.dataset, "config").BUILT
    return build.request == request_of(configs, checked_probe(build.dataset, configs), card.project_url())
