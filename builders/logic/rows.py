"""How a config becomes rows: the plan of a setup, the files, and the columns of each row, with checked labels."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache, partial
from itertools import islice, product
from typing import Any, cast

from .. import GENERATOR_VERSION, streams
from ..columns import UNSCORED, Row
from ..configs import frozen_value
from ..errors import DisagreementError
from ..garbage import seldom_collected
from ..splits import SPLIT_NUMBERS, SPLITS
from ..streams import Stream
from ..syntax.formula import LABELS, SETUP_NUMBERS
from ..syntax.rounds import MARK_NUMBERS
from ..witness import UnfitError, searched, tupled
from ..wording.problems import voice
from .announcements import needed_announcements, shortest_proof
from .blocks import Block
from .checkers import ValidityQuestion, are_valid
from .chunks import ordered_blocks, rung_of
from .claims import Claim, Premise, to_problem
from .config import FAMILIES, MOST_BLOCKS, ORDERED, Plan, Planned, ProblemConfig
from .explanation import explain_problem
from .formal import formal_columns
from .orders import order_matters
from .phrases import phrase, premise_text
from .puzzle_rows import puzzle_rows
from .rounds_drawing import Block as PuzzleBlock
from .states import state_after

Fields = tuple[tuple[str, Any], ...]  # names and values
SETUPS_AT_ONCE, MOST_FAMILIES = 4, 100  # see `kind_number`
NOT_IN_ROUNDS = {"rounds": None, "worlds_by_round": None, "first_yes": None}  # columns that only puzzles have
DRAWN_BY = "seed", "n_agents", "max_order", "n_announcements", "kinds", "rungs"  # the fields that blocks depend on


def plan_parts(config: ProblemConfig) -> list[str | None]:
    """Return the parts in which a setup is planned, by any number of processes: its splits, or None for all of them."""
    return [*config.sizes()] if config.begins_alike else [None]


@seldom_collected()
def plan_part(config: ProblemConfig, setup: str, part: str | None = None) -> Plan:
    """Return the plan of a setup, or one part of it, from the config and its seed alone. Raises TooFewError."""
    plan = FAMILIES[config.family].plan
    if plan:
        return searched(setup, partial(plan, config, setup), spelled_plan, partial(read_plan, setup, config.sizes()))
    puzzles = FAMILIES[config.family].puzzles
    if puzzles:  # drawn as fast as they could be read
        return {
            split: list(islice(puzzles(config, setup, split), size))
            for split, size in config.sizes().items()
            if part in (None, split)
        }
    fields = _fields(config, DRAWN_BY)
    blocks: dict[str, Sequence[Planned]] = {}
    for split, size in config.sizes().items():
        if part in (None, split):
            search = partial(_first_plan, config.family, setup, split, size, fields)
            first: Plan = searched(f"{setup} {split}", search, spelled_plan, partial(read_plan, setup, {split: size}))
            blocks.update(first)
    return blocks


def spelled_plan(plan: Plan) -> dict[str, list[Any]]:
    """Return a plan as what JSON can hold: the parts of each block or problem."""
    return {split: [spelled_unit(planned) for planned in units] for split, units in plan.items()}


def spelled_unit(planned: Planned) -> list[Any]:
    """Return a block, or a problem, as what JSON can hold: who sees what, its announcements, its hypotheses."""
    return [planned[0].sees, *(part.announcements if isinstance(part, Premise) else part for part in planned)]


def read_plan(setup: str, sizes: Mapping[str, int], spelled: dict[str, list[Any]]) -> Plan:
    """Return the plan of which `spelled_plan` gave the parts. Raises UnfitError where it has too few."""
    if any(len(spelled[split]) < size for split, size in sizes.items()):
        raise UnfitError(f"a plan must have the sizes {sizes}; it has fewer")
    return {split: [read_unit(setup, unit) for unit in spelled[split][:size]] for split, size in sizes.items()}


def read_unit(setup: str, spelled: list[Any]) -> Planned:
    """Read what `spelled_unit` wrote: a block, or a problem.

    Raises UnfitError where a premise leaves no world, and where a hypothesis of a block does not follow as it should.
    """
    sees, announcements, *others = tupled(spelled)
    p = Premise(setup, sees, announcements)
    if len(others) == 1:
        planned: Planned = (p, *others)
    else:
        planned = Block(p, Premise(setup, sees, others[0]), *others[1:])
        problems = planned.problems()
        if any(state_after(premise).entails(hypothesis) != follows for premise, hypothesis, follows in problems):
            raise UnfitError(f"a hypothesis of a block of {setup} does not follow as planned; expected a block")
    if not all(state_after(one).law for one in planned if isinstance(one, Premise)):
        raise UnfitError(f"a premise of {setup} leaves no world; expected one or more")
    return planned


@lru_cache(maxsize=64)
def _first_plan(family: str, setup: str, split: str, size: int, fields: Fields) -> Plan:
    """Return the first order blocks of a split, drawn once a process. Raises TooFewError."""
    return {split: list(islice(ordered_blocks(ProblemConfig(name=family, **dict(fields)), setup, split), size))}


def units_of(config: ProblemConfig, setup: str, split: str) -> Iterator[Planned]:
    """Return what is planned of a split, one after another; order blocks are drawn one by one, and do not end.

    Raises TooFewError.
    """
    puzzles = FAMILIES[config.family].puzzles
    if puzzles:
        return puzzles(config, setup, split)
    return ordered_blocks(config, setup, split) if config.family in ORDERED else iter(plan_of(config, setup)[split])


def plan_of(config: ProblemConfig, setup: str) -> Plan:
    """Return the plan of a setup, from the config and its seed alone, made once a process. Raises TooFewError."""
    return _plan_of(config.family, setup, _fields(config, (*DRAWN_BY, *SPLITS)))


@lru_cache(maxsize=16)
def _plan_of(family: str, setup: str, fields: Fields) -> Plan:
    return plan_part(ProblemConfig(name=family, **dict(fields)), setup)


def _fields(config: ProblemConfig, names: Iterable[str]) -> Fields:
    """Return fields of a config by their names, as a cache needs them."""
    return tuple([(name, frozen_value(getattr(config, name))) for name in names])


def part_rows(config: ProblemConfig, setup: str, split: str, span: range, planned: Sequence[Planned]) -> list[Row]:
    """Return the rows of the planned blocks (in `reproduction` of the planned problems) that have these indices.

    Raises DisagreementError where the checker does not give the planned labels, and what `are_valid` raises.
    """
    units = zip(span, planned, strict=True)
    made = [pair for index, unit in units for pair in block_rows(config, setup, split, index, unit)]
    rows, answers = [row for row, _ in made], are_valid([question for _, question in made], config.checker)
    for row, label in zip(rows, map(LABELS.get, answers), strict=True):
        if row["label"] != label:
            raise DisagreementError(f"the plan says {row['label']}, the checker says {label}: {row['smcdel_problem']}")
    return rows


def block_rows(
    config: ProblemConfig, setup: str, split: str, index: int, planned: Planned
) -> Iterator[tuple[Row, ValidityQuestion]]:
    """Yield the rows of a block, or the row of a single problem, labelled as planned, each with its question."""
    first_index = 4 * row_number(config.family, setup, split, index)
    if isinstance(planned, PuzzleBlock):
        stream = wording_stream(config, setup, split, index)
        asked, name = stream.shuffled(planned.problems()), config.block_name(setup, split, index)
        yield from puzzle_rows(config, stream, asked, name, first_index, split in config.explanations)
        return
    stream, problems = problems_in_order(config, setup, split, index, planned)
    block = config.block_name(setup, split, index) if isinstance(planned, Block) else None
    n = len(problems[0][0].sees)
    say = voice(config.language)
    names = say.persons(stream, n)
    ordered = config.family in ORDERED
    for place, (premise, hypothesis, follows) in enumerate(problems):
        problem = to_problem(premise, hypothesis)
        structure = problem.structure()
        smcdel_problem, pbcheck = formal_columns(structure, premise, hypothesis)
        (_, *inner), fact = hypothesis
        depth = len(inner)
        state = state_after(premise)
        row = {
            "premise": premise_text(say, premise, names, ordered),
            "smcdel_problem": smcdel_problem,
            "n_announcements": len(premise.announcements),
            "pbcheck": pbcheck,
            "hypothesis": say.hypothesis(setup, phrase(hypothesis, names), ordered, *say.picks(names)),
            "setup": setup,
            "hypothesis_depth": depth,
            "n_agents": n,
            "label": LABELS[follows],
            "names": list(names),
            "index": first_index + place,
            "s-l": f"{setup}-{depth}",
            **UNSCORED,
            "block": block,
            "n_worlds": state.law.bit_count(),
            "needs_announcements": needed_announcements(premise, hypothesis, follows),
            "n_worlds_before": 1 << n,
            "shortest_proof": shortest_proof(premise, hypothesis, follows),
            "order_matters": order_matters(premise, hypothesis) if ordered else None,
            "nesting_matters": state.entails((tuple(inner), fact)) != follows,
            "rung": rung_of(config, index),
            **NOT_IN_ROUNDS,
            "explanation": explain_problem(premise, hypothesis, names, config.language)
            if split in config.explanations
            else None,
            "config": config.row_config,
            "language": config.language,
            "seed": config.seed,
            "generator_version": GENERATOR_VERSION,
        }
        yield row, (structure, problem.entailment())


def problems_in_order(
    config: ProblemConfig, setup: str, split: str, index: int, planned: Planned
) -> tuple[Stream, list[tuple[Premise, Claim, bool]]]:
    """Return the problems of a block, or the single problem, in the order of its rows, with whether each is entailed.

    The stream that orders them is returned too: it names their agents next.
    """
    stream = wording_stream(config, setup, split, index)
    if isinstance(planned, Block):
        return stream, stream.shuffled(planned.problems())
    premise, hypothesis = cast(tuple[Premise, Claim], planned)
    return stream, [(premise, hypothesis, state_after(premise).entails(hypothesis))]


def wording_stream(config: ProblemConfig, setup: str, split: str, index: int) -> Stream:
    """Return the stream that orders the problems of a block, and then names their agents."""
    return streams.stream("mindgames", config.family, config.seed, setup, split, index, "wording")


def kind_number(family: str, setup: str, split: str) -> int:
    """Return the number of a kind of blocks, by which their rows are numbered: it has a place for further ones of each.

    Setups count in fours, so that the first four have the numbers that they had before there were others.
    """
    fours, place = divmod((SETUP_NUMBERS | MARK_NUMBERS)[setup], SETUPS_AT_ONCE)
    families = fours * MOST_FAMILIES + FAMILIES[family].number
    return (families * SETUPS_AT_ONCE + place) * len(SPLIT_NUMBERS) + SPLIT_NUMBERS[split]


def kinds() -> dict[int, tuple[str, str, str]]:
    """Return the family, setup and split of each kind of blocks, by its number."""
    return {
        kind_number(*kind): kind for family in FAMILIES for kind in product([family], _numbered(family), SPLIT_NUMBERS)
    }


def _numbered(family: str) -> Mapping[str, int]:
    """Return the numbers of the setups of a family, those that it lacks included."""
    return MARK_NUMBERS if FAMILIES[family].puzzles else SETUP_NUMBERS


def row_number(family: str, setup: str, split: str, index: int) -> int:
    """Return a number that no other block, or single problem, of the dataset has."""
    return kind_number(family, setup, split) * MOST_BLOCKS + index
