"""The dataset hi_tom: its configs and the options of its builds, and where each of its answers to a command is."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from ..columns import Row
from ..configs import BuildOption, Built, ChunkedUnits, Find, Selection
from ..dataset import Audit, Dataset
from ..files import Drawings
from ..story.config import ABILITIES, ALL, CONFIGS, DEEP, LADDER, PLANS, REPRODUCTION, SPOKEN, TOMH, WOVEN, StoryConfig
from ..witness import Witnesses
from .columns import COLUMNS


class HiTom(Dataset[StoryConfig]):
    """Stories, and questions about beliefs of any order."""

    name = "hi_tom"
    config = StoryConfig
    configs = CONFIGS
    built = (ALL, TOMH, REPRODUCTION, DEEP, LADDER, ABILITIES, PLANS, WOVEN, *SPOKEN)
    options = (
        BuildOption("n_agents", ("all", "deep"), "n_agents"),
        BuildOption("max_order", ("all", "deep"), "max_order"),
        BuildOption("semantics", ("all",), "semantics"),
    )
    columns = COLUMNS
    id_column = "id"
    unit_column = "story_id"
    text = "story"
    turn = 1  # a question of each order is a story
    example = -1  # the highest order
    span = 120
    named_by_fields = True

    @property
    def audit(self) -> Audit:
        from .audit import HiTomAudit

        return HiTomAudit()

    def plan_of(self, config: StoryConfig, split: str) -> Sequence[Any]:
        from ..story.rows import plan_of

        return plan_of(config, split)

    def planned(
        self, configs: Sequence[StoryConfig], processes: int, witnesses: Witnesses
    ) -> dict[tuple[str, str], Sequence[Any]]:
        from .rows import planned

        return planned(configs)

    def span_rows(
        self, configs: Sequence[StoryConfig], split: str, span: range, settled: Sequence[Any]
    ) -> list[list[Row]]:
        from .rows import span_rows

        return span_rows(configs, split, span, settled)

    def units(self, config: str, seed: int, fields: Mapping[str, Any]) -> ChunkedUnits[StoryConfig]:
        from .stream import Units

        return Units(config, seed, fields)

    def problems_in_test(self, config: StoryConfig) -> list[str]:
        from .stream import problems_in_test

        return problems_in_test(config)

    def chosen_rows(self, selection: Selection, find: Find) -> tuple[list[Row], Built]:
        from .show import chosen_rows

        return chosen_rows(selection, find)

    def show(self, rows: list[Row], built: Built) -> None:
        from .show import show

        show(rows, built)

    def prove(self, rows: list[Row], config: dict[str, Any], file: str) -> Iterator[Any]:
        from ..proof.stories import prove_hi_tom

        return prove_hi_tom(rows, config, file)

    def items(self, rows: Iterable[Mapping[str, Any]]) -> list[Any]:
        from ..answers.items import question_items

        return question_items(rows)

    def completed(self, row: Mapping[str, Any]) -> Mapping[str, Any]:
        from ..answers.items import published_question

        return published_question(row)

    def name_of(self, row: Mapping[str, Any]) -> Any:
        from ..answers.items import question_name

        return question_name(row)

    def score_drawings(self, scores: Any, source: str) -> Drawings:
        from ..answers.drawings import story_drawings

        return story_drawings(scores, source)


DATASET = HiTom()
