"""What the options of commands share: how they go together, those that several commands have, and those of fields."""

import contextlib
import dataclasses
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple, TypeVar

import click
from click.core import ParameterSource

from ..columns import NO_SCORER
from ..configs import flag_of
from ..dataset import NAMES, dataset_named
from ..errors import UserError
from . import ABOUT
from .values import INTEGER, INTEGERS, JSON, PATH, POSITIVE, TRUTH, WORDS, Value, assigned, json_or_text

Run = TypeVar("Run", bound=Callable[..., Any])  # the function of a command


class Call(NamedTuple):
    """Hold how the program was called; each command has this as `click.Context.obj`."""

    words: list[str]  # what was typed behind the program
    begin: Callable[[], None]  # what is done when all is imported and parsed, before the command runs


class Option(click.Option):
    """An option that may take several values at once, need other options, or not go with them.

    several: whether it takes all words up to the next option. needs: the options without which it says nothing.
    needs_one: options of which it needs one. without: the options that it cannot be combined with.
    """

    def __init__(
        self,
        names: Sequence[str],
        *,
        several: bool = False,
        multiple: bool = False,
        needs: Sequence[str] = (),
        needs_one: Sequence[str] = (),
        without: Sequence[str] = (),
        **more: Any,
    ) -> None:
        """Hold the options by their flags."""
        super().__init__(names, multiple=several or multiple, **more)
        self.several, self.needs, self.needs_one, self.without = several, needs, needs_one, without

    def make_metavar(self, ctx: click.Context) -> str:
        """Return what the help shows as the value."""
        return f"{super().make_metavar(ctx)}..." if self.several else super().make_metavar(ctx)

    def check_beside(self, given: set[str], ctx: click.Context) -> None:
        """Raise UsageError for a missing option, or one that is too many. given: the flags of those given."""
        name = self.opts[0]
        if missing := [other for other in self.needs if other not in given]:
            ctx.fail(f"{name} needs {', '.join(missing)} too")
        if self.needs_one and given.isdisjoint(self.needs_one):
            ctx.fail(f"{name} needs {' or '.join(self.needs_one)} too")
        if strange := [other for other in self.without if other in given]:
            ctx.fail(f"{name} cannot be combined with {strange[0]}; leave it out")


class Command(click.Command):
    """A command with such options."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse the words, and hold that the options go together."""
        try:
            left = super().parse_args(ctx, args if ctx.resilient_parsing else self.one_at_a_time(ctx, args))
        except click.UsageError as error:
            error.ctx = error.ctx or ctx  # click's own parser does not say whose words it parses
            raise
        given = [param for param in self.params if ctx.get_parameter_source(param.name) is ParameterSource.COMMANDLINE]
        for param in given:
            if isinstance(param, Option) and not ctx.resilient_parsing:
                param.check_beside({flag for other in given for flag in other.opts}, ctx)
        return left

    def one_at_a_time(self, ctx: click.Context, words: list[str]) -> list[str]:
        """Return the words with the name of an option before each of its values, as click takes them.

        Raises UsageError for another option where a value should be, which click would take as the value.
        """
        options = [param for param in self.get_params(ctx) if isinstance(param, click.Option)]
        flags = {flag: option for option in options for flag in option.opts}
        spread: list[str] = []
        open_option = ""  # the flag whose further values the next words are
        for place, word in enumerate(words):
            previous = flags.get(words[place - 1]) if place else None
            if word == "--":
                return spread + words[place:]
            if previous and not previous.is_flag and word.partition("=")[0] in flags:
                raise click.BadOptionUsage(words[place - 1], f"Option {words[place - 1]!r} requires an argument", ctx)
            if word.startswith("-") and word != "-":
                open_option = word if getattr(flags.get(word), "several", False) else ""
            elif open_option and spread[-1] != open_option:
                spread.append(open_option)
            spread.append(word)
        return spread

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command; all is imported and parsed."""
        ctx.obj.begin()
        return super().invoke(ctx)


class DatasetCommand(Command):
    """A command with further options of a dataset, if this comes first."""

    def __init__(
        self,
        *names: Any,
        own: Callable[[str], list[click.Option]],
        abouts: Mapping[str, str] | None = None,
        **more: Any,
    ) -> None:
        """Hold what returns the options of a dataset, and what the command does with each."""
        super().__init__(*names, **more)
        self.own, self.abouts = own, abouts or {}

    def make_context(
        self, info_name: str | None, args: list[str], parent: click.Context | None = None, **extra: Any
    ) -> click.Context:
        """Parse the words; the command and the dataset that comes first are one command."""
        if args[:1] and args[0] in NAMES:
            return self.of(args[0]).make_context(f"{info_name} {args[0]}", args[1:], parent, **extra)
        return super().make_context(info_name, args, parent, **extra)

    def of(self, dataset: str) -> Command:
        """Return the command of a dataset."""
        params = [param for param in self.params if param.name != "dataset"] + self.own(dataset)
        callback = self.callback and partial(self.callback, dataset=dataset)
        return Command(self.name, callback=callback, params=params, help=self.abouts.get(dataset, self.help))

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse the words where no dataset comes first."""
        try:
            return super().parse_args(ctx, args)
        except click.NoSuchOption as error:
            option = error.option_name
            owners = [name for name in NAMES if any(option in own.opts for own in self.own(name))]
            if not owners:
                raise
            first = f"name the dataset first, as in {self.name} {owners[0]} {option}"
            ctx.fail(f"{option} is an option of {' and '.join(owners)}: {first} (make: DATASET={owners[0]} ARGS=…)")


def command(name: str, cls: type[Command] = Command, **more: Any) -> Callable[[Callable[..., Any]], Command]:
    """Return what makes a function the command with this name."""
    about = ABOUT[name]
    return click.command(name, cls=cls, help=f"{about[0].upper()}{about[1:]}.", **more)


def option(*names: str, **more: Any) -> Callable[[Run], Run]:
    """Return what gives a command an option of our class, as `click.option` does."""
    return click.option(*names, cls=Option, **more)


def cores() -> int:
    """Return how many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


# Options that several commands have.

ALL_THERE = "default: every dataset whose folder is there"

dataset = click.argument("dataset", type=click.Choice(NAMES))
datasets = click.argument("dataset", type=click.Choice(NAMES), required=False, help=ALL_THERE)
out = option("--out", type=PATH, default=".", help="where the dataset's folder is (default: here)")
processes = option(
    "--processes",
    type=POSITIVE,
    default=cores,
    envvar="TOM_PROCESSES",
    show_envvar=True,
    metavar="N",
    help="how many processes to use (default: all cores)",
)
probe = option(
    "--probe",
    default="embedded",
    metavar="FOLDER",
    help="the folder of the probe that scores the rows, or none (default: the one that comes with the project)",
)
config = option("--config", metavar="NAME", help="default: the default config of the build")
split = option("--split", default="test", metavar="NAME", help="default: test")
STRICT_HELP = "stop at the first row of published data that cannot be read (default: leave such rows out)"
strict = option("--strict", is_flag=True, help=STRICT_HELP)
UNREAD_HELP = "where to write the rows of published data that cannot be read (default: unread.jsonl, if there are any)"
unread = option("--unread", type=PATH, metavar="JSONL", help=UNREAD_HELP)


def seed(about: str = "any integer of 64 bits (default: 0)", **more: Any) -> Callable[[Run], Run]:
    """Return the option of a seed."""
    return option("--seed", type=INTEGER, help=about, **more)


def scorer_of(folder: str) -> str | None:
    """Return the probe that --probe names, None for no scores."""
    return None if folder == NO_SCORER else os.path.expanduser(folder)


# Options for the fields of a config.

# How a field is read, by its type; other fields are read as JSON, or as text.
VALUES: dict[object, Value] = {
    int: INTEGER,
    int | None: INTEGER,
    bool: TRUTH,
    tuple[int, ...]: INTEGERS,
    tuple[str, ...]: WORDS,
}

# What endless rows take besides the fields of --field, and how to say it.
NO_FIELDS = {
    "dataset": "name it first",
    "config": "say --config NAME",
    "seed": "say --seed NUMBER",
    "curriculum": "stages are for endless() in Python",
}


def field_option(field: dataclasses.Field[Any], name: str, about: str) -> click.Option:
    """Return the option with this name that sets a field of a config; None stands for an option that is not given."""
    choices = field.metadata.get("choices")
    return Option(
        [flag_of(name), name], type=click.Choice(choices) if choices else VALUES.get(field.type, JSON), help=about
    )


def own_fields(dataset: str) -> list[dataclasses.Field[Any]]:
    """Return the fields that rows of some config depend on, besides its seed and sizes."""
    facts = dataset_named(dataset)
    knobs = {name for config in facts.built for name in config.knobs}
    return [field for field in dataclasses.fields(facts.config) if field.name in knobs]


def own_field_options(dataset: str) -> list[click.Option]:
    """Return an option for each of these fields."""
    default = "(default: the config's own)"
    return [field_option(field, field.name, f"{field.metadata['about']} {default}") for field in own_fields(dataset)]


def named_field(text: str) -> tuple[str, Any]:
    """Return the name of a field and its value. Raises ValueError for a text without both."""
    name, value = assigned(text)
    if name in NO_FIELDS:
        raise click.BadParameter(f"{name} is not a field of a config; {NO_FIELDS[name]}")
    return name, json_or_text(value)


def endless_rows(run: Run) -> Run:
    """Give a command the options that say which endless rows: those of a config, with other values for its fields."""
    about = "give a field of the config another value, such as n_agents=6 or lengths=[2,4]; may be repeated"
    for add in (
        option("--field", type=Value("name=json", named_field, "is not NAME=JSON"), multiple=True, help=about),
        seed(default=0),
        option("--config", default="all", metavar="NAME", help="a published config (default: all)"),
        click.argument("dataset", type=click.Choice(NAMES), help="comes first if you give options of its own"),
    ):
        run = add(run)
    return run


def given_fields(own: Mapping[str, Any], field: Sequence[tuple[str, Any]]) -> tuple[dict[str, Any], dict[str, str]]:
    """Return the fields that the options give, and what the user typed for each of them and the seed.

    own: the value of each option of a field. field: what --field says.
    """
    given = {name: value for name, value in own.items() if value is not None}
    typed = {name: flag_of(name) for name in given} | {name: f"--field {name}" for name, _ in field}
    return given | dict(field), {"seed": "--seed"} | typed


@contextlib.contextmanager
def naming_options(options: Mapping[str, str]) -> Iterator[None]:
    """Let a UserError about fields of a config end with the options that set them, given the option of each field."""
    try:
        yield
    except UserError as error:
        words = {word.strip(".,:;'()") for word in str(error).split()}
        named = [option for field, option in options.items() if field in words]
        raise (type(error)(f"{error} ({', '.join(named)})") if named else error) from None
