"""What the commands ask of hi_tom: its options, its configs, and which module answers the rest."""

from argparse import ArgumentParser, Namespace
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import fields, replace
from pathlib import Path

from ..difficulty.kept import Kept
from ..proof.left_out import LeftOut
from ..story.config import ALL, CONFIGS, DEEP, LADDER, REPRODUCTION, SPLITS, TOMH, StoryConfig, order_name
from ..story.meaning import SEMANTICS
from ..story.rows import layout
from .arguments import add_source, integer, scorer_of
from .interface import Drawing, Layout, Row, Shares
from .units import Units, config_named


class HiTomDataset:
    """Answer the commands for hi_tom (see `interface.Dataset`)."""

    name = "hi_tom"
    id_column = "id"
    unit_column = "story_id"
    text = "story"
    pooled = False  # the orders have different chances
    named_by_fields = True
    turn = 1  # a question of each order: a story
    tiny = {
        "train": 6, "validation": 3, "test": 6, "tomh": 27, "reproduction": 6,
        "deep_train": 2, "deep_validation": 1, "deep": 3, "ladder": 6,
    }  # fmt: skip
    deep_about = "Deep stories: shares of their test questions in per cent, gated from order 2."
    measured_apart = ()

    def add_options(self, parser: ArgumentParser) -> None:
        """Add the sizes, agents, orders and semantics of stories."""
        for config, split in (
            (ALL, "train"), (ALL, "validation"), (ALL, "test"),
            (TOMH, "tomh"), (REPRODUCTION, "reproduction"), (DEEP, "deep"), (LADDER, "ladder"),
        ):  # fmt: skip
            size = config.sizes().get(split, config.test)
            where = f"in the {split} split" if split in SPLITS else f"in the test split of {split}"
            parser.add_argument(f"--{split}", type=integer, default=size,
                                help=f"stories {where}; 0 leaves it out (default: {size})")  # fmt: skip
        for split in ("train", "validation"):
            size = DEEP.sizes()[split]
            about = f"stories in the {split} split of deep; 0 leaves it out (default: {size})"
            parser.add_argument(f"--deep-{split}", type=integer, default=size, help=about)
        about = "agents of a story of all and deep, 2 to 12 (default: 5)"
        parser.add_argument("--agents", type=integer, default=5, help=about)
        parser.add_argument(
            "--max-order", type=integer, default=4, help="the highest order that all and deep ask (default: 4)"
        )
        parser.add_argument("--semantics", choices=SEMANTICS, default="recursive", help="of all (default: recursive)")

    def configs(self, args: Namespace) -> list[StoryConfig]:
        """Return all, and of tomh, reproduction and deep those that the options leave any split."""
        shared = {
            "seed": args.seed,
            "language": args.language,
            "scorer": scorer_of(args),
            "explanations": ALL.explanations if args.explanations else (),
        }
        shape = {"n_agents": args.agents, "max_order": args.max_order}
        every = replace(ALL, **shared, **shape, train=args.train, validation=args.validation, test=args.test,
                        semantics=args.semantics)  # fmt: skip
        unlearnt = shared | {"scorer": None}  # no recipe of a probe has deep stories
        others = [
            replace(TOMH, **shared, test=args.tomh),
            replace(REPRODUCTION, **shared, test=args.reproduction),
            replace(DEEP, **unlearnt, **shape, train=args.deep_train, validation=args.deep_validation, test=args.deep),
            replace(LADDER, **unlearnt, test=args.ladder),
        ]
        return [every, *(config for config in others if config.sizes())]

    def recorded_configs(self, request: Mapping[str, Row]) -> list[StoryConfig]:
        """Return the configs of a record; it also holds fields that are no config's."""
        own = {field.name for field in fields(StoryConfig)}
        return [
            StoryConfig(**{name: value for name, value in recorded.items() if name in own})
            for recorded in request.values()
        ]

    def layout(self, configs: list[StoryConfig]) -> Layout:
        """Return one file for each order and split of all, and for each split of the others."""
        return layout(configs)

    def builder(self) -> type:
        """Return HiTom."""
        from ..hi_tom.builder import HiTom

        return HiTom

    def features(self) -> Mapping[str, object]:
        """Return the columns of hi_tom."""
        from ..hi_tom.builder import FEATURES

        return FEATURES

    def example(self, request: Mapping[str, Row]) -> str:
        """Return the config of the highest order of all; without all the default config."""
        return order_name(request[ALL.name]["max_order"]) if ALL.name in request else next(iter(request))

    def make(self, configs: list[StoryConfig], processes: int, kept: Kept | None = None) -> Iterator[tuple[str, Row]]:
        """Return the rows story by story."""
        from .make_stories import made_stories

        return made_stories(configs, processes, kept)

    def units(self, config: str, seed: int, fields: Mapping[str, object]) -> Units:
        """Return the endless stories of a config."""
        from .stream_stories import StoryUnits

        return StoryUnits(config, seed, fields)

    def knobs(self, config: str) -> tuple[str, ...]:
        """Return the fields that the rows of a config depend on."""
        return config_named(CONFIGS, config).knobs

    def problems_in_test(self, config: StoryConfig) -> list[str]:
        """Return the keys of the problems in the test split of a config."""
        from .stream_stories import problems_in_test

        return problems_in_test(config)

    def prove(self, rows: list[Row], config: Row, file: str) -> Iterator[str | tuple[str, str, str]]:
        """Prove each row by two algorithms; a story owns its text."""
        from ..proof.stories import prove_hi_tom

        return prove_hi_tom(rows, config, file)

    def proven(self, owners: list[str]) -> str:
        """Return what was proven of so many stories."""
        return (
            "answer = label from events = label from the text by forward tables,\n"
            "so are effective_order, order_sensitive and readings; every other column again from events;\n"
            f"{len(owners):,} stories, no text or problem twice, none in two splits"
        )

    def questions(self, build, file: str, learn: bool) -> list:
        """Return the questions of a file."""
        from .audit_stories import questions_of

        return questions_of(build, file, self.features(), learn)

    def depth(self, build, learn: bool) -> Shares:
        """Measure the test stories of config deep."""
        from .audit_stories import depth_of

        return depth_of(build, self.features())

    def readings(self, build) -> Shares:
        """Count how often each reading differs from the answers of the test splits."""
        from .audit_stories import readings_of

        return readings_of(build, self.features())

    def hold_gates(self, build, gated: Shares, depth: Shares) -> None:
        """Hold the gates of every order from 1, and of deep stories."""
        from .audit_stories import hold_depth_gates, hold_order_gates

        hold_order_gates(gated, build.default)
        hold_depth_gates(depth)

    def more_drawings(self, build) -> dict[str, Drawing]:
        """Return the pictures of where the answers stand."""
        from .audit_stories import position_drawings

        return position_drawings(build, self.features())

    def published_questions(self, rows: Iterable[tuple[str, Row]], left_out: LeftOut) -> list:
        """Return the questions of published rows."""
        from ..audit.rows import published_audited_questions

        return published_audited_questions(rows, left_out)

    def published_figures(self, questions: list) -> Row:
        """Return where the published answers stand."""
        from ..audit.stories import count_positions

        return {"positions": count_positions(questions)}

    def reread(self, rows: Iterable[tuple[str, Row]], disagreements: Path, left_out: LeftOut) -> None:
        """Compare published answers with those read from the story, under both semantics."""
        from .reread_tables import reread_stories

        reread_stories(rows, disagreements, left_out)

    def items(self, rows: Iterable[Row]) -> list:
        """Return the questions to score."""
        from ..answers.items import question_items

        return question_items(rows)

    def published_items(self, rows: Iterable[tuple[str, Row]], left_out: LeftOut) -> list:
        """Return the published questions to score, named by their fields."""
        from ..answers.items import published_items
        from ..proof.published_stories import published_questions

        return published_items(self.name, published_questions(rows, left_out), left_out)

    def published_names(self, rows: Iterable) -> list:
        """Return the names of published rows that have one."""
        from ..answers.items import row_names

        return row_names(self.name, rows)

    def score_drawings(self, scores: Mapping, heading: str) -> dict[str, Drawing]:
        """Return the figures of the Hi-ToM paper."""
        from .score_pictures import story_drawings

        return story_drawings(scores, heading)

    def add_show_options(self, parser: ArgumentParser) -> None:
        """Add the options that say which story to show."""
        configs = "all (default), an order such as 4th_order, tomh, reproduction, deep"
        parser.add_argument("--config", default="all", help=configs)
        parser.add_argument("--split", default="test", choices=SPLITS, help="default: test")
        parser.add_argument("--seed", type=integer, help="default: 0")
        parser.add_argument("--index", type=integer, default=0, help="which story, from 0 (default: 0)")
        add_source(parser, "id of a row, such as deep-test-000404-4, or of a story, instead of the three above")

    def show(self, args: Namespace) -> None:
        """Print one story, its questions, the line that taught each answer, and why no later line did."""
        from .show_stories import show_story

        show_story(self, args)

    def chosen_rows(self, args: Namespace) -> tuple[list[Row], str]:
        """Return the rows that the options of `show` name, and their language."""
        from .show_stories import chosen_rows

        rows, built = chosen_rows(self, args)
        return rows, built.fields["language"]
