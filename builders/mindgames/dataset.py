"""The dataset mindgames: its configs and the options of its builds, and where each of its answers to a command is."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from ..columns import Row
from ..configs import BuildOption, Built, ChunkedUnits, Find, Selection
from ..dataset import Audit, Dataset
from ..files import Drawings
from ..logic.config import ALL, CONFIGS, DEEP, LADDER, REPRODUCTION, ROUNDS, SCALE, SPOKEN, ProblemConfig
from ..witness import Witnesses
from .columns import COLUMNS


class MindGames(Dataset[ProblemConfig]):
    """Problems of dynamic epistemic logic: who sees what, what is announced, and what somebody can then know."""

    name = "mindgames"
    config = ProblemConfig
    configs = CONFIGS
    built = (ALL, SCALE, REPRODUCTION, DEEP, LADDER, ROUNDS, *SPOKEN)
    options = (
        BuildOption("n_agents", ("all",), "n_agents"),
        BuildOption("max_order", ("all", "scale", "reproduction"), "max_order"),
        BuildOption("n_agents", ("deep",), "deep_n_agents"),
        BuildOption("max_order", ("deep",), "deep_max_order"),
        BuildOption("n_announcements", ("deep",), "n_announcements"),
        BuildOption("kinds", ("deep", "ladder"), "kinds"),
        BuildOption("checker", tuple(config.name for config in built[: -len(SPOKEN)]), "checker"),
    )
    columns = COLUMNS
    id_column = "index"
    unit_column = "block"
    text = "premise"
    turn = 4  # a block
    example = 0  # the first setup
    span = 40
    planning_searches = True
    named_by_fields = False

    @property
    def audit(self) -> Audit:
        from .audit import MindGamesAudit

        return MindGamesAudit()

    def plan_of(self, config: ProblemConfig, split: str) -> Sequence[Any]:
        from .rows import plan_of

        return plan_of(config, split)

    def planned(
        self, configs: Sequence[ProblemConfig], processes: int, witnesses: Witnesses
    ) -> dict[tuple[str, str], Sequence[Any]]:
        from .rows import planned

        return planned(configs, processes, witnesses)

    def span_rows(
        self, configs: Sequence[ProblemConfig], split: str, span: range, settled: Sequence[Any]
    ) -> list[list[Row]]:
        from .rows import span_rows

        return span_rows(configs, split, span, settled)

    def units(self, config: str, seed: int, fields: Mapping[str, Any]) -> ChunkedUnits[ProblemConfig]:
        from .stream import Units

        return Units(config, seed, fields)

    def problems_in_test(self, config: ProblemConfig) -> list[str]:
        from .stream import problems_in_test

        return problems_in_test(config)

    def chosen_rows(self, selection: Selection, find: Find) -> tuple[list[Row], Built]:
        from .show import chosen_rows

        return chosen_rows(selection, find)

    def show(self, rows: list[Row], built: Built) -> None:
        from .show import show

        show(rows, built)

    def prove(self, rows: list[Row], config: dict[str, Any], file: str) -> Iterator[Any]:
        from ..proof.problems import prove_mindgames

        return prove_mindgames(rows, config, file)

    def items(self, rows: Iterable[Mapping[str, Any]]) -> list[Any]:
        from ..answers.items import problem_items

        return problem_items(rows)

    def completed(self, row: Mapping[str, Any]) -> Mapping[str, Any]:
        from ..answers.items import published_problem

        return published_problem(row)

    def name_of(self, row: Mapping[str, Any]) -> Any:
        from ..answers.items import problem_name

        return problem_name(row)

    def score_drawings(self, scores: Any, source: str) -> Drawings:
        from ..answers.drawings import problem_drawings

        return problem_drawings(scores, source)


DATASET = MindGames()
