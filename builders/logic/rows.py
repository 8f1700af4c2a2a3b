"""Own the dataset mindgames: its configs, its features, its splits, and how a block of problems becomes rows.

What a problem is, means and sounds like is in `builders`. Works as a builder (`MindGames(config_name="forehead")`), as
a loading script with datasets 3.6, and as the source of the folder that `make build` writes.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache

from builders import GENERATOR_VERSION
from builders.difficulty.columns import UNSCORED
from builders.errors import DisagreementError
from builders.logic.blocks import Block, plan, plan_reproduction
from builders.logic.checkers import are_valid
from builders.logic.claims import SOMEONE, Claim, Premise, formula, problem
from builders.logic.config import FAMILIES, MOST, SPLITS, ProblemConfig
from builders.logic.formula import LABELS, SETUPS, Formula, Structure
from builders.logic.smcdel.language import left_nested, spell, spell_structure
from builders.logic.states import after
from builders.logic.structure import needed, shortest_proof
from builders.streams import stream
from builders.voice import voice


def file_of(config: ProblemConfig, setup: str, split: str) -> str:
    """Return the Parquet file, relative to the dataset's folder, that holds the rows of a setup and split."""
    return f"{setup if config.family == 'blocks' else config.family}/{split}.parquet"


def layout(configs: list[ProblemConfig]) -> dict[str, dict[str, list[str]]]:
    """Return which files each config of the folder reads for each split; no row is in two files.

    `configs` are those that the folder is built from, each with all its setups. The first one listed is the default.
    """
    files: dict[str, dict[str, list[str]]] = {}
    for config in configs:
        of_split = {
            split: list(dict.fromkeys(file_of(config, setup, split) for setup in config.setups))
            for split in config.sizes()
        }
        files[config.name] = of_split
        if config.family == "blocks":
            files.update(
                (setup, {split: [file_of(config, setup, split)] for split in of_split}) for setup in config.setups
            )
    return files


def parts(config: ProblemConfig, split: str) -> Iterator[tuple[str, range]]:
    """Yield the setups and indices of a split in pieces for workers, the same however many workers there are."""
    size = config.sizes()[split]
    for setup in config.setups:
        for start in range(0, size, 120):
            yield setup, range(start, min(start + 120, size))


def plan_of(config: ProblemConfig, setup: str) -> tuple[dict[str, list], Counter]:
    """Settle, from the config and the seed alone, the problems of a setup in each split; made once a process.

    Returns for each split its blocks, in `reproduction` its (premise, hypothesis), in the order of their indices; and
    how many premises were drawn, left no world, or came again. Raises problem_sampler.TooFewError.
    """
    return _plan(
        config.family, config.seed, setup, tuple(config.n_agents), tuple(config.sizes().items()), config.max_order
    )


@lru_cache(maxsize=16)
def _plan(
    family: str, seed: int, setup: str, agents: tuple[int, ...], sizes: tuple[tuple[str, int], ...], max_order: int
) -> tuple[dict[str, list], Counter]:
    key = "mindgames", family, seed
    if family == "reproduction":
        ((split, size),) = sizes
        problems, counts = plan_reproduction(key, setup, agents, size, max_order)
        return {split: problems}, counts
    return plan(key, setup, agents, dict(sizes), max_order, family == "scale")


def part_rows(config: ProblemConfig, setup: str, split: str, span: range, settled: list) -> list[dict]:
    """Make the rows of the blocks (in reproduction of the problems) of a setup at these indices. See `plan_of`.

    Raises DisagreementError where the checker does not give the planned labels, and what `are_valid` raises.
    """
    made = [
        each
        for index, planned in zip(span, settled, strict=True)
        for each in block_rows(config, setup, split, index, planned)
    ]
    rows = [row for row, _, _ in made]
    labels = are_valid([(structure, claim) for _, structure, claim in made], config.checker)
    for row, follows in zip(rows, labels, strict=True):
        if row["label"] != LABELS[follows]:
            raise DisagreementError(
                f"the plan has {row['label']}, the checker {LABELS[follows]}: {row['smcdel_problem']}"
            )
    return rows


def block_rows(
    config: ProblemConfig, setup: str, split: str, index: int, planned: Block | tuple[Premise, Claim]
) -> Iterator[tuple[dict, Structure, Formula]]:
    """Yield the rows of a block, or the row of a single problem, labelled as planned, each with what must be valid."""
    drawn = stream("mindgames", config.family, config.seed, setup, split, index, "wording")
    block = None
    if isinstance(planned, Block):
        p, q, h, g = planned
        four = drawn.shuffled([(p, h, True), (p, g, False), (q, h, False), (q, g, True)])
        block = block_name(config.family, setup, split, index)
    else:
        premise, hypothesis = planned
        left = after(premise)
        four = [(premise, hypothesis, left.where(hypothesis) == left.law)]
    n = len(four[0][0].sees)
    say = voice(config.language)
    names = say.persons(drawn, n)
    hypotheses = tuple({hypothesis: None for _, hypothesis, _ in four})
    asked = {
        hypothesis: say.hypothesis(problem(four[0][0], hypothesis), names)  # whatever the premise
        for hypothesis in hypotheses
    }
    given = {}
    for premise in {premise: None for premise, _, _ in four}:
        posed = problem(premise, hypotheses[0])
        needs = dict(zip(hypotheses, needed(premise, hypotheses), strict=True))
        given[premise] = say.premise(posed, names), posed.structure(), needs
    first = 4 * row_number(config.family, setup, split, index)
    for place, (premise, hypothesis, entailed) in enumerate(four):
        text, structure, needs = given[premise]
        formal, pbcheck = spell_problem(structure, premise, hypothesis)
        depth = len(hypothesis[0]) - 1
        row = {
            "premise": text,
            "smcdel_problem": formal,
            "n_announcements": len(premise.said),
            "pbcheck": pbcheck,
            "hypothesis": asked[hypothesis],
            "setup": setup,
            "hypothesis_depth": depth,
            "n_agents": n,
            "label": LABELS[entailed],
            "names": list(names),
            "index": first + place,
            "s-l": f"{setup}-{depth}",
            **UNSCORED,
            "block": block,
            "n_worlds": after(premise).law.bit_count(),
            "needs_announcements": needs[hypothesis],
            "n_worlds_before": 1 << n,
            "shortest_proof": shortest_proof(premise, hypothesis),
            "seed": config.seed,
            "generator_version": GENERATOR_VERSION,
        }
        yield row, structure, problem(premise, hypothesis).claim()


def block_name(family: str, setup: str, split: str, index: int) -> str:
    """Return the name of a block, which no other block of the dataset has."""
    return f"{'' if family == 'blocks' else family + '-'}{setup}-{split}-{index:06d}"


def row_number(family: str, setup: str, split: str, index: int) -> int:
    """Return a number that no other block, or single problem, of the dataset has."""
    kind = (FAMILIES.index(family) * len(SETUPS) + SETUPS.index(setup)) * len(SPLITS) + SPLITS.index(split)
    return kind * MOST + index


@lru_cache(maxsize=1 << 16)
def spell_claim(claim: Claim, n: int) -> str:
    """Return a claim about n agents in SMCDEL's language."""
    return spell(left_nested(formula(claim, n)))


@lru_cache(maxsize=4096)
def spell_structures(structure: Structure) -> tuple[str, str]:
    """Return a structure in SMCDEL's language, and the same with an atom 0 of which nothing is known."""
    fresh = replace(structure, atoms=tuple(sorted({0, *structure.atoms})))
    return spell_structure(structure), spell_structure(fresh)


def spell_problem(structure: Structure, premise: Premise, hypothesis: Claim) -> tuple[str, str]:
    """Return a problem in SMCDEL's language, and its pbcheck.

    That asks whether an atom of which nothing is known, 0, follows: it does where the premise leaves no world.
    """
    n = len(premise.sees)
    said = "".join([f"[ ! {spell_claim(claim, n)} ] " for claim in (SOMEONE, *premise.said)])
    asked, checked = spell_structures(structure)
    return f"{asked} VALID? {said}{spell_claim(hypothesis, n)}", f"{checked} VALID? {said}0"
