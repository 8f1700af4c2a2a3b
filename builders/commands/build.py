"""The command `build`: it writes a dataset's folder, a complete Hub repository."""

import argparse
import contextlib
import json
from argparse import Namespace
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import asdict

from .. import GENERATOR_VERSION, prompts
from ..audit import gates
from ..audit.figures import published_depth, published_table
from ..audit.gates import GATES
from ..dataset.arguments import integer, words
from ..dataset.build_pictures import draw
from ..dataset.catalogue import NAMES, dataset_of
from ..dataset.interface import Dataset
from ..dataset.measured import gated_table
from ..difficulty.kept import Kept
from ..difficulty.probe import Probe, load_probe
from ..errors import FolderError, UserError, located
from ..folder import card, writing
from ..folder.build import Build, claim, differing_arguments, sources
from ..wording.languages import languages
from .folders import named
from .options import Parser, add_out, add_probe, add_processes, address, naming_flags


class NameFirst(argparse.Action):
    """Refuse a word that may only follow the name of a dataset."""

    def __call__(self, parser, namespace, values, option_string=None) -> None:
        """Raise the error, unless the word was left out."""
        if option_string or values is not None:
            raise argparse.ArgumentError(self, f"name the dataset first: {' or '.join(NAMES)}")
        namespace.dataset = None


def add_options(parser: Parser) -> None:
    """Add the options of `build`; the dataset that is named first has options of its own."""
    name = parser.named_dataset()
    if name is None:
        about = "comes first; each has options of its own (default: all datasets, without any)"
        parser.add_argument("dataset", nargs="?", choices=NAMES, action=NameFirst, help=about)
    about = "any integer of 64 bits; the same seed gives the same bytes (default: 0)"
    parser.add_argument("--seed", type=integer, default=0, help=about)
    add_out(parser)
    parser.add_argument("--language", default="en", help=f"one of: {', '.join(languages())} (default: en)")
    add_processes(parser)
    add_probe(parser)
    about = "leave the column explanation empty, which says why an answer is right"
    parser.add_argument("--no-explanations", dest="explanations", action="store_false", help=about)
    about = "the address of the project, which the card names (default: that of pyproject.toml)"
    parser.add_argument("--project-url", type=address, default=card.project_url(), metavar="URL", help=about)
    about = "the sizes that no option gives: default, or tiny, a few rows of every config in seconds"
    parser.add_argument("--preset", choices=("default", "tiny"), default="default", help=about)
    about = (
        "build these configs alone, such as deep or all,deep; all has its orders or setups too (default: every config)"
    )
    parser.add_argument("--only", type=words, metavar="CONFIGS", help=about)
    parser.add_argument("--force", action="store_true", help="replace a build that has other arguments")
    if name is None:
        for option in sorted({option for name in NAMES for option in vars(own_defaults(dataset_of(name)))}):
            hidden = "--" + option.replace("_", "-")
            parser.add_argument(hidden, nargs="?", action=NameFirst, default=argparse.SUPPRESS, help=argparse.SUPPRESS)
    else:
        parser.description = f"Write the folder {name}, a complete Hub repository."
        dataset_of(name).add_options(parser)
        parser.set_defaults(**preset_sizes(dataset_of(name), preset_of(parser)))


def own_defaults(dataset: Dataset) -> Namespace:
    """Return the default values of the options that only a build of this dataset has."""
    parser = Parser([], add_help=False)
    dataset.add_options(parser)
    return parser.parse_args([])


def preset_of(parser: Parser) -> str | None:
    """Return the preset among the words that a parser will read: the sizes by default depend on it."""
    first = Parser(parser.words, prog=parser.prog, add_help=False)
    first.add_argument("--preset")
    return first.parse_known_args(first.words)[0].preset


def preset_sizes(dataset: Dataset, preset: str | None) -> Mapping[str, int]:
    """Return the options for sizes that have other values in a preset."""
    return dataset.tiny if preset == "tiny" else {}


def default_options(dataset: Dataset) -> Namespace:
    """Return the options of a build of a dataset that are given nothing but its name."""
    parser = Parser([dataset.name])
    add_options(parser)
    return parser.parse_args(parser.words)


def chosen_configs(dataset: Dataset, args: Namespace) -> list:
    """Return the configs that the options ask for. Raises UserError where --only names another one."""
    configs = {config.name: config for config in dataset.configs(args)}
    for name in args.only or ():
        if name not in configs:
            raise UserError(f"--only names {name}, and {dataset.name} has {', '.join(configs)}")
    return [config for name, config in configs.items() if name in (args.only or configs)]


def run(args: Namespace) -> None:
    """Write the folders, unless they already hold what is asked for. No folder is written where one is refused."""
    if args.out.exists() and not args.out.is_dir():
        raise UserError(f"--out is {args.out}, which is no folder")
    planned = []
    for dataset in named(args):
        sizes = {} if args.dataset else vars(own_defaults(dataset)) | preset_sizes(dataset, args.preset)
        configs = chosen_configs(dataset, Namespace(**sizes | vars(args)))
        scoring = checked_probe(dataset, configs)
        request = request_of(configs, scoring, args.project_url)
        todo = Build(args.out / dataset.name, dataset.name, GENERATOR_VERSION, request, sources(), {})
        planned.append((dataset, todo, configs, scoring, args, is_done(todo, args.force)))
    for *work, done in planned:
        if done:
            print(f"{work[1].folder} is up to date: same arguments, same sources, every file unchanged")
    for *work, done in planned:
        if not done:
            build(*work)


def is_done(todo: Build, force: bool) -> bool:
    """Return whether the folder already holds the build. Raises FolderError where writing it would lose something.

    force: whether a build with other arguments may be lost.
    """
    if claim(todo.folder, todo.dataset, todo.request):
        return True
    there, dataset = Build.read(todo.folder, todo.dataset), dataset_of(todo.dataset)

    def option(config: str, field: str) -> str:
        return flags_of(dataset, config).get(field, field)

    differences = differing_arguments(there, todo, option) if there and not force else []
    if differences:
        raise FolderError(
            f"{todo.folder} is a finished build with other arguments: {'; '.join(differences)}. Build elsewhere "
            "(--out FOLDER; make: OUT=another/folder), or replace it (--force; make: FORCE=1)"
        )
    return False


def build(dataset: Dataset, todo: Build, configs: list, scoring: Probe | None, args: Namespace) -> None:
    """Write the folder of a dataset; print what was written."""
    folder = todo.folder
    whole, unscored = write(dataset, todo, configs, scoring, args)
    print(f"{folder}: {whole.total:,} rows written, seed {args.seed}")
    if scoring and unscored:
        print(
            f"{unscored.total():,} rows are beyond the probe's limit of {scoring.limit} tokens, and have no "
            f"deberta_pred, deberta_confidence and difficulty: {dict(unscored)}"
        )


def request_of(configs: list, scoring: Probe | None, project_url: str | None = None) -> dict[str, dict]:
    """Return what a record keeps of the configs of a build: their fields, the generator's version and the probe.

    project_url: the address of the project, which is kept where the card names one.
    """
    identity = scoring and scoring.identity
    more = {"project_url": project_url} if project_url else {}
    records = {
        config.name: {**asdict(config), "version": GENERATOR_VERSION, "scorer": config.scorer and identity, **more}
        for config in configs
    }
    return json.loads(json.dumps(records))


def is_default(dataset: Dataset, build: Build) -> bool:
    """Return whether a build was asked for nothing but its name."""
    options = default_options(dataset)
    configs = dataset.configs(options)
    return build.request == request_of(configs, checked_probe(dataset, configs), options.project_url)


def flags_of(dataset: Dataset, config: str) -> dict[str, str]:
    """Return the option that sets each field of a config; fields without one are left out."""
    options = vars(default_options(dataset))
    flags = {"scorer": "--probe"}
    for field in asdict(next(iter(dataset.configs(Namespace(**options))))).keys() - {"name", "probe", "explanations"}:
        ours = field.removeprefix("n_")
        for option in (f"{config}_{ours}", config if field == "test" else "", ours):
            if option in options:
                flags.setdefault(field, "--" + option.replace("_", "-"))
    return flags


def checked_probe(dataset: Dataset, configs: list) -> Probe | None:
    """Return the probe of the configs, None without one. Raises UserError for a config or a probe that cannot be."""
    for config in configs:
        with naming_flags(flags_of(dataset, config.name)), located(f"{config.name}: "):
            config.validate()
            if config.scorer:
                load_probe(config.scorer, dataset.name)
    return load_probe(configs[0].scorer, dataset.name) if configs[0].scorer else None


def write(
    dataset: Dataset, todo: Build, configs: list, scoring: Probe | None, args: Namespace
) -> tuple[Build, Counter[str]]:
    """Write a folder whole; return its build, and how many rows of each file the probe could not score."""
    layout, unscored = dataset.layout(configs), Counter()
    tasks = prompts.inspect_tasks(dataset.name, layout, args.language, todo.request)

    def describe(written: Build) -> dict:
        """Write the tasks for Inspect and the pictures into the folder; return what the card's template is given."""
        (written.folder / prompts.TASK_FILE).write_text(tasks, encoding="utf-8")
        columns, example = card.columns(dataset.builder()), dataset.example(todo.request)
        about = {"language": args.language, "columns": columns, "example": example, "probe": scoring}
        about["project_url"] = args.project_url
        return about | audited(dataset, written, args.processes)

    with located(""):
        kept = Kept(todo.folder, scoring)
        made = dataset.make(configs, args.processes, kept)
        with contextlib.closing(rows_of_files(made, todo, unscored)) as rows:
            whole = writing.write(todo, dataset.features(), layout, rows, describe)
    kept.write()
    return whole, unscored


def rows_of_files(made: Iterator[tuple[str, dict]], todo: Build, unscored: Counter[str]) -> Iterator[tuple[str, dict]]:
    """Yield (file, row), a row of an order or setup for the default config first.

    Count the rows of each file that the probe of their config could not score.
    """
    with contextlib.closing(made):
        for file, row in made:
            if row["deberta_pred"] is None and todo.config_of(file)["scorer"]:
                unscored[file] += 1
            if repeat := todo.repeat_of(file):
                yield repeat, row
            yield file, row


def audited(dataset: Dataset, build: Build, processes: int) -> dict:
    """Return the audit for the card, and draw the pictures into the folder, where there are rows enough."""
    enough = gates.GATED_STORIES
    if not build.has_enough(enough):
        return {"enough": enough, "audit": None, "pictures": {}}
    gated = gated_table(dataset, build, processes)
    audit = {"gated": gated, "published": published_table(dataset.name)}
    audit["gates"] = gates.gates_of(dataset.name, build.default)
    measured = dataset.depth(build, learn=True)
    depth = {group: shares for group, shares in measured.items() if not group.startswith("rung ")}
    deep_gates = GATES[gates.DEEP_GATES[dataset.name]]
    audit |= {"deep": depth, "deep_published": published_depth(), "deep_gates": deep_gates}
    pictures = draw(dataset, build, gated, build.folder / "pictures", "", processes)
    return {"enough": enough, "audit": audit, "pictures": pictures}
