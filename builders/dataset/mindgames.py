"""What the commands ask of mindgames: its options, its configs, and which module answers the rest."""

from argparse import ArgumentParser, Namespace
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import fields, replace
from pathlib import Path

from ..difficulty.kept import Kept
from ..logic.config import ALL, CHECKERS, CONFIGS, DEEP, LADDER, REPRODUCTION, SCALE, SPLITS, ProblemConfig
from ..logic.rows import layout
from ..logic.utterances import KINDS
from ..proof.left_out import LeftOut
from ..syntax.formula import SETUPS
from .arguments import add_source, integer, integers, scorer_of, words
from .interface import Drawing, Layout, Row, Shares
from .units import Units, config_named


class MindGamesDataset:
    """Answer the commands for mindgames (see `interface.Dataset`)."""

    name = "mindgames"
    id_column = "index"
    unit_column = "block"
    text = "premise"
    pooled = True
    named_by_fields = False
    turn = 4  # a block
    tiny = {
        "train": 6, "validation": 3, "test": 6, "scale": 1, "reproduction": 4,
        "deep_train": 1, "deep_validation": 1, "deep": 1, "ladder": 1,
    }  # fmt: skip
    deep_about = "Order blocks: per cent of the test rows of deep that a rule answers right, or that need what it says."
    measured_apart = ("deep",)

    def add_options(self, parser: ArgumentParser) -> None:
        """Add the sizes, agents and orders of problems, and the checker that labels them."""
        for split, size in ALL.sizes().items():
            about = f"blocks of four problems in each setup in the {split} split; 0 leaves it out (default: {size})"
            parser.add_argument(f"--{split}", type=integer, default=size, help=about)
        about = f"blocks in each setup in scale; 0 leaves it out (default: {SCALE.test})"
        parser.add_argument("--scale", type=integer, default=SCALE.test, help=about)
        about = f"single problems in each setup in reproduction; 0 leaves it out (default: {REPRODUCTION.test})"
        parser.add_argument("--reproduction", type=integer, default=REPRODUCTION.test, help=about)
        for split, size in DEEP.sizes().items():
            name = "--deep" if split == "test" else f"--deep-{split}"
            about = f"order blocks in each setup in the {split} split of deep; 0 leaves it out (default: {size})"
            parser.add_argument(name, type=integer, default=size, help=about)
        about = f"order blocks in each setup in ladder; 0 leaves it out (default: {LADDER.test})"
        parser.add_argument("--ladder", type=integer, default=LADDER.test, help=about)
        about = f"the numbers of agents, such as 2,3,4 (default: {','.join(map(str, ALL.n_agents))})"
        parser.add_argument("--agents", type=integers, default=ALL.n_agents, help=about)
        about = f"the highest order of a hypothesis (default: {ALL.max_order})"
        parser.add_argument("--max-order", type=integer, default=ALL.max_order, help=about)
        about = f"the numbers of agents in deep (default: {','.join(map(str, DEEP.n_agents))})"
        parser.add_argument("--deep-agents", type=integers, default=DEEP.n_agents, help=about)
        about = f"the highest order of a hypothesis in deep (default: {DEEP.max_order})"
        parser.add_argument("--deep-max-order", type=integer, default=DEEP.max_order, help=about)
        about = f"how many announcements follow the first in deep (default: {','.join(map(str, DEEP.n_announcements))})"
        parser.add_argument("--announcements", type=integers, default=DEEP.n_announcements, help=about)
        about = f"what deep and ladder announce, of {','.join(KINDS)} (default: {','.join(DEEP.kinds)})"
        parser.add_argument("--kinds", type=words, default=DEEP.kinds, help=about)
        about = "the checker that labels: auto (SMCDEL where it is installed, else embedded; default), smcdel, " \
                "embedded, or both"  # fmt: skip
        parser.add_argument("--checker", choices=CHECKERS, default=ALL.checker, help=about)

    def configs(self, args: Namespace) -> list[ProblemConfig]:
        """Return all, and of the other configs those that the options leave any split."""
        every = {
            "seed": args.seed,
            "language": args.language,
            "scorer": scorer_of(args),
            "checker": args.checker,
            "explanations": ALL.explanations if args.explanations else (),
        }
        shared = {**every, "max_order": args.max_order}
        sizes = {"train": args.train, "validation": args.validation, "test": args.test}
        others = [
            replace(SCALE, **shared, test=args.scale),
            replace(REPRODUCTION, **shared, test=args.reproduction),
            replace(
                DEEP,
                **every,
                train=args.deep_train,
                validation=args.deep_validation,
                test=args.deep,
                n_agents=args.deep_agents,
                max_order=args.deep_max_order,
                n_announcements=args.announcements,
                kinds=args.kinds,
            ),  # fmt: skip
            replace(LADDER, **every, test=args.ladder, kinds=args.kinds),
        ]
        return [replace(ALL, **shared, **sizes, n_agents=args.agents), *(config for config in others if config.sizes())]

    def recorded_configs(self, request: Mapping[str, Row]) -> list[ProblemConfig]:
        """Return the configs of a record; it also holds fields that are no config's."""
        own = {field.name for field in fields(ProblemConfig)}
        return [
            ProblemConfig(**{name: value for name, value in recorded.items() if name in own})
            for recorded in request.values()
        ]

    def layout(self, configs: list[ProblemConfig]) -> Layout:
        """Return one file for each setup and split of all, and for each split of the others."""
        return layout(configs)

    def builder(self) -> type:
        """Return MindGames."""
        from ..mindgames.builder import MindGames

        return MindGames

    def features(self) -> Mapping[str, object]:
        """Return the columns of mindgames."""
        from ..mindgames.builder import FEATURES

        return FEATURES

    def example(self, request: Mapping[str, Row]) -> str:
        """Return the first setup; without all the default config."""
        return SETUPS[0] if ALL.name in request else next(iter(request))

    def make(self, configs: list[ProblemConfig], processes: int, kept: Kept | None = None) -> Iterator[tuple[str, Row]]:
        """Plan all setups, and return the rows."""
        from .make_problems import made_problems, planned_setups

        return made_problems(configs, planned_setups(configs, processes), processes, kept)

    def units(self, config: str, seed: int, fields: Mapping[str, object]) -> Units:
        """Return the endless blocks of a config."""
        from .stream_problems import ProblemUnits

        return ProblemUnits(config, seed, fields)

    def knobs(self, config: str) -> tuple[str, ...]:
        """Return the fields that the rows of a config depend on."""
        return config_named(CONFIGS, config).knobs

    def problems_in_test(self, config: ProblemConfig) -> list[str]:
        """Return the keys of the problems in the test split of a config."""
        from .stream_problems import problems_in_test

        return problems_in_test(config)

    def prove(self, rows: list[Row], config: Row, file: str) -> Iterator[str | tuple[str, str, str]]:
        """Prove each row by two algorithms; a block owns its premises."""
        from ..proof.problems import prove_mindgames

        return prove_mindgames(rows, config, file)

    def proven(self, owners: list[str]) -> str:
        """Return what was proven of so many blocks; the owner of a single problem is ""."""
        blocks = len(set(owners) - {""})
        return (
            "label = label from smcdel_problem by the checker = label from the text by\n"
            "explicit sets of worlds, every other column again from the text;\n"
            f"{blocks:,} blocks of four hold their pattern, no premise is in two blocks or splits,\n"
            "no problem twice, whatever the names"
        )

    def questions(self, build, file: str, learn: bool) -> list:
        """Return the problems of a file."""
        from .audit_problems import problems_of

        return problems_of(build, file, self.features(), learn)

    def depth(self, build, learn: bool) -> Shares:
        """Measure what order blocks in the test split of deep give away to who forgets a part of them."""
        from .audit_problems import order_shares

        return order_shares(self, build, learn)

    def readings(self, build) -> Shares:
        """Return an empty table: what a premise says can be read in one way only."""
        return {}

    def hold_gates(self, build, gated: Shares, depth: Shares) -> None:
        """Hold the gates of every setup, and those of order blocks."""
        from .audit_problems import hold_order_gates, hold_setup_gates

        hold_setup_gates(gated)
        hold_order_gates(depth)

    def more_drawings(self, build) -> dict[str, Drawing]:
        """Return no further picture."""
        return {}

    def published_questions(self, rows: Iterable[tuple[str, Row]], left_out: LeftOut) -> list:
        """Return the problems of published rows."""
        from ..audit.rows import published_audited_problems

        return published_audited_problems(rows, left_out)

    def published_figures(self, questions: list) -> Row:
        """Return no further figures."""
        return {}

    def reread(self, rows: Iterable[tuple[str, Row]], disagreements: Path, left_out: LeftOut) -> None:
        """Compare published labels with those of the formal problem and of the English."""
        from .reread_tables import reread_problems

        reread_problems(rows, disagreements, left_out)

    def items(self, rows: Iterable[Row]) -> list:
        """Return the problems to score."""
        from ..answers.items import problem_items

        return problem_items(rows)

    def published_items(self, rows: Iterable[tuple[str, Row]], left_out: LeftOut) -> list:
        """Return the published problems to score, named by their index."""
        from ..answers.items import published_items

        return published_items(self.name, ({**row, "where": where} for where, row in rows), left_out)

    def published_names(self, rows: Iterable) -> list:
        """Return the names of published rows that have one."""
        from ..answers.items import row_names

        return row_names(self.name, rows)

    def score_drawings(self, scores: Mapping, heading: str) -> dict[str, Drawing]:
        """Return accuracy by the number of agents."""
        from .score_pictures import problem_drawings

        return problem_drawings(scores, heading)

    def add_show_options(self, parser: ArgumentParser) -> None:
        """Add the options that say which block to show."""
        names = ", ".join(config.name for config in CONFIGS[1:])
        parser.add_argument("--config", default="all", help=f"all (default), or one of: {names}")
        parser.add_argument("--setup", choices=SETUPS, help="of a config with several (default: forehead)")
        parser.add_argument("--split", default="test", choices=SPLITS, help="default: test")
        parser.add_argument("--seed", type=integer, help="default: 0")
        about = "which block, or in reproduction which problem, from 0 (default: 0)"
        parser.add_argument("--index", type=integer, default=0, help=about)
        add_source(parser, "index of a row, or name of a block such as internal-test-000003, instead of those above")

    def show(self, args: Namespace) -> None:
        """Print one block: its problems, their labels, and the worlds that the announcements leave."""
        from .show_problems import show_block

        show_block(self, args)

    def chosen_rows(self, args: Namespace) -> tuple[list[Row], str]:
        """Return the rows that the options of `show` name, and their language."""
        from .show_problems import chosen_rows

        rows, built = chosen_rows(self, args)
        return rows, built.fields["language"]
