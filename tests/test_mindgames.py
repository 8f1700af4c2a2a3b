"""mindgames: its configs, rows and their blocks; names and wording; who labels them."""

import json
import shlex
from collections import Counter
from dataclasses import replace
from itertools import pairwise, product

import pytest
from jinja2 import UndefinedError
from support import embedded_smcdel

from tom_datasets.difficulty.probe import scored_rows
from tom_datasets.errors import DisagreementError
from tom_datasets.logic.blocks import Block, apportion
from tom_datasets.logic.checkers import are_valid
from tom_datasets.logic.claims import ALL as EVERYONE
from tom_datasets.logic.claims import SOME, THAT, WHETHER, Premise, about, to_problem
from tom_datasets.logic.config import (
    ALL,
    DEEP,
    FAMILIES,
    LADDER,
    MOST_BLOCKS,
    ORDERED,
    REPRODUCTION,
    ROUNDS,
    SCALE,
    ProblemConfig,
)
from tom_datasets.logic.formal import formal_columns
from tom_datasets.logic.rows import block_rows, kinds, part_rows, plan_of, row_number
from tom_datasets.logic.setups import ORDERED_SETUPS, fixed_sees
from tom_datasets.logic.states import state_after
from tom_datasets.mindgames.builder import MindGames
from tom_datasets.mindgames.rows import plan_of as split_plan
from tom_datasets.mindgames.rows import span_rows
from tom_datasets.splits import SPLITS
from tom_datasets.streams import stream
from tom_datasets.syntax.formula import SETUP_NUMBERS, SETUPS
from tom_datasets.syntax.rounds import MARKS
from tom_datasets.wording.languages import TEMPLATES, languages
from tom_datasets.wording.problems import voice

ENTAILED, NOT_ENTAILED = "entailment", "not_entailment"
SIX = {"seed": 7, "train": 6, "validation": 6, "test": 6}


def rows_of(config: ProblemConfig, split: str) -> list[dict]:
    """Make all rows of a split."""
    (rows,) = span_rows([config], split, range(config.sizes()[split]), split_plan(config, split))
    return scored_rows(rows, config.scorer, "mindgames")[0]


def blocks_of(rows: list[dict]) -> list[list[dict]]:
    """Return rows four by four."""
    assert len(rows) % 4 == 0
    return [rows[start : start + 4] for start in range(0, len(rows), 4)]


@pytest.fixture(scope="module")
def in_blocks() -> list[dict]:
    """Return the rows of all setups and of scale."""
    embedded = {"seed": 7, "checker": "embedded"}
    rows = [row for split in ALL.sizes() for row in rows_of(replace(ALL, **SIX, checker="embedded"), split)]
    return rows + rows_of(replace(SCALE, **embedded, test=6), "test")


@pytest.fixture(scope="module")
def in_all(in_blocks) -> list[dict]:
    """Return these, and those of reproduction."""
    return in_blocks + rows_of(replace(REPRODUCTION, seed=7, checker="embedded", test=4), "test")


def test_the_documented_sizes_are_the_defaults():
    assert ALL.sizes() == DEEP.sizes() == {"train": 700, "validation": 234, "test": 234}
    assert [config.sizes() for config in (SCALE, REPRODUCTION, LADDER)] == [{"test": 120}, {"test": 400}, {"test": 120}]
    assert ROUNDS.sizes() == {"train": 96, "validation": 48, "test": 96}
    assert (ALL.n_agents, SCALE.n_agents, REPRODUCTION.n_agents) == ((2, 3, 4), (5, 6, 7, 8, 9, 10), (2, 3))
    assert (DEEP.n_agents, DEEP.n_announcements, DEEP.max_order) == ((3, 4, 5), (3, 4), 3)
    assert all(few <= many for one, other in pairwise(LADDER.rungs) for few, many in zip(one, other, strict=True))
    # One sixth, a third and a half.
    assert apportion(ALL.test, ALL.n_agents) == {2: 39, 3: 78, 4: 117}


def test_the_configs_are_the_setups_all_and_the_other_families():
    english = [config for config in MindGames.BUILDER_CONFIGS if config.language == "en"]
    assert [config.name for config in english] == ["all", *SETUPS, "scale", "reproduction", "deep", "ladder", "rounds"]
    for config in english:
        config.validate()
        setups = ORDERED_SETUPS if config.family in ORDERED else (config.name,) if config.name in SETUPS else SETUPS
        setups = MARKS if config.in_rounds else setups
        assert config.setups == setups
        assert config.family == ("blocks" if config.name in ("all", *SETUPS) else config.name)


# Errors.


AGENTS = "; it must be numbers of agents, such as (2, 3, 4)"
ANNOUNCED = "; it must be numbers from 2 to 12"
BLOCKS = " blocks of four; it must be from 1 to 1,000,000"
ONCE = "; name each once, and at least one other than showings"
RUNG = "; it must be a number of agents from 2 to 12, of announ"
REFUSED = [
    (ALL, "seed", ("x", True, 1.0), "; it must be an integer"),
    (ALL, "seed", (2**63, -(2**63) - 1), "; it must fit 64 bits, as its column has"),
    (ALL, "n_agents", ((1, 2), (2, 13), (2, "3"), (2.0, 3), (True, 3), [5, 13]), "; each must be from 2 to 12"),
    (ALL, "n_agents", ((), 5, "23"), AGENTS),
    (ALL, "n_agents", ((3, 2), (2, 2)), "; they must be different and in ascending order"),
    (ALL, "max_order", (0, 13, True, 2.0), "; it must be from 1 to 12"),
    (ALL, "train", (-1, 1_000_001, 1.5), BLOCKS),
    (REPRODUCTION, "test", (3,), " problems; it must be even, because half of them are entailed"),
    (DEEP, "n_announcements", ((), (1,), 3), ANNOUNCED),
    (DEEP, "kinds", (("fact",),), "; the kinds of announcements are facts, counts, fir"),
    (DEEP, "kinds", (("showings",), ("facts", "facts")), ONCE),
]
"""A config, a field, values that it cannot have, and what the message says after them."""


@pytest.mark.parametrize(
    ("config", "fields", "message"),
    [
        *((config, {field: v}, f"{field} is {v!r}{rest}") for config, field, values, rest in REFUSED for v in values),
        (ALL, {"language": "de"}, f"unknown language 'de'; the languages are {', '.join(languages('mindgames'))}"),
        (ALL, {"setup": "backhead"}, "unknown setup 'backhead'; the setups are forehead, forehead_mirror, internal, "),
        (ALL, {"checker": "prover"}, "unknown checker 'prover'; the checkers are auto, smcdel, embedded, both"),
        (SCALE, {"test": 0}, "at least one must be a number of blocks of four"),
        (REPRODUCTION, {"test": None}, "train, validation, test are all None or 0; at least one must be a number of p"),
        (REPRODUCTION, {"train": 2}, "reproduction has a test split only; leave train and validation None"),
        (
            DEEP,
            {"setup": "forehead_mirror"},
            "deep does not have forehead_mirror, where the order never matters; it has fore",
        ),
        *(
            (LADDER, fields, "ladder needs rungs, and has a test split only")
            for fields in ({"rungs": ()}, {"train": 2})
        ),
        *((LADDER, {"rungs": (rung,)}, f"a rung is {rung}{RUNG}") for rung in ((3, 3), (3, 1, 1))),
    ],
)
def test_fields_that_cannot_be_are_said_in_one_line(config, fields, message):
    with pytest.raises(ValueError) as raised:
        replace(config, **fields).validate()
    assert message in str(raised.value) and "\n" not in str(raised.value)


@pytest.mark.parametrize(
    ("config", "fields"),
    [
        (ALL, {"seed": -(2**63), "n_agents": (2, 12), "max_order": 12, "train": None, "test": None}),
        (DEEP, {"kinds": ("common", "distributed")}),
        (LADDER, {"rungs": ((2, 2, 1),)}),
    ],
)
def test_fields_that_can_be(config, fields):
    replace(config, **fields).validate()


# Rows.


def test_the_order_of_rows_within_a_block_varies(in_blocks):
    orders = Counter()
    for block in blocks_of(in_blocks):
        first = block[0]
        orders[tuple((row["premise"] == first["premise"], row["label"]) for row in block)] += 1
    assert len(orders) == 12  # six arrangements of two premises and labels, for each label of the first


def test_no_two_rows_have_one_index(in_all):
    assert len({row["index"] for row in in_all}) == len(in_all)
    numbers = [
        row_number(family, setup, split, index)
        for family in FAMILIES
        for setup in SETUPS
        for split in SPLITS
        for index in (0, 1, MOST_BLOCKS - 1)
    ]
    assert len(set(numbers)) == len(numbers) and 0 <= min(numbers) and 4 * max(numbers) + 3 < 2**63


def test_a_further_setup_or_family_renumbers_no_row(monkeypatch):
    """In version 3 rows have the number of a place in a product; neither a setup nor a family changes any."""
    families = "blocks", "scale", "reproduction", "deep", "ladder"
    setups = "forehead", "forehead_mirror", "internal", "explicit"
    published = dict(enumerate(product(families, setups, SPLITS)))
    monkeypatch.setitem(SETUP_NUMBERS, "a further one", max(SETUP_NUMBERS.values()) + 1)
    further = FAMILIES["blocks"]._replace(number=1 + max(family.number for family in FAMILIES.values()))
    monkeypatch.setitem(FAMILIES, "a further one", further)
    after = kinds()
    assert published.items() <= after.items()
    assert (
        len(after) == ((len(FAMILIES) - 1) * len(SETUP_NUMBERS) + len(MARKS)) * 4
        and 4 * (max(after) + 1) * MOST_BLOCKS < 2**63
    )


@pytest.mark.parametrize("language", ["en", "fr", "zh"])
def test_a_setup_that_no_template_knows_is_an_error(language):
    """What is said of a setup comes from tables: none speaks of another setup."""
    say = voice(language)

    def hypothesis(setup, phrase):
        return say.hypothesis(setup, ["knowledge", "Ann", "that", False, phrase], False)

    phrases = ["fact", "Ann", False], ["fact", "all", True], ["count", "exactly", 1], ["count", "odd", 0], ["own"]
    for phrase in phrases:
        assert hypothesis("internal", phrase)
        with pytest.raises(UndefinedError, match="no_such_setup"):
            hypothesis("no_such_setup", phrase)
    assert say.premise("internal", 2, [], [], False)
    with pytest.raises(UndefinedError, match="no_such_setup"):
        say.premise("no_such_setup", 2, [], [], False)


def test_the_worlds_and_needs_of_a_premise_worked_out_by_hand():
    """Ann, Bob and Carol: someone; Ann is not muddy; Bob does not know whether he is. So Carol is muddy, and knows."""
    premise = Premise(
        "forehead", fixed_sees("forehead", 3), (((), about(0, True)), (((1, WHETHER, True),), about(1, False)))
    )
    knows = (((2, THAT, False),), about(2, False))
    ((row, _),) = block_rows(replace(REPRODUCTION, seed=7), "forehead", "test", 3, (premise, knows))
    assert row["label"] == ENTAILED and row["n_worlds"] == 2  # of Bob nothing is known
    assert row["needs_announcements"] == 3  # without any of them Carol does not know
    assert (row["n_worlds_before"], row["shortest_proof"]) == (8, 3)
    assert (row["n_announcements"], row["hypothesis_depth"], row["s-l"]) == (2, 0, "forehead-0")
    assert row["block"] is None and row["index"] == 4 * row_number("reproduction", "forehead", "test", 3)
    assert row["smcdel_problem"] == (
        "VARS 1,2,3 LAW Top OBS Agenta:2,3 Agentb:1,3 Agentc:1,2 VALID? "
        "[ ! (1|2|3) ] [ ! ~(1) ] [ ! ~(Agentb knows whether 2) ] (Agentc knows that 3)"
    )
    assert row["pbcheck"] == (
        "VARS 0,1,2,3 LAW Top OBS Agenta:2,3 Agentb:1,3 Agentc:1,2 VALID? "
        "[ ! (1|2|3) ] [ ! ~(1) ] [ ! ~(Agentb knows whether 2) ] 0"
    )
    ann, bob, carol = row["names"]
    assert row["premise"] == (
        "There are three persons. Everyone is visible to others. It is publicly announced that someone's forehead is "
        f"muddy. It is publicly announced that {ann}'s forehead is not muddy. It is publicly announced that {bob} "
        f"does not know whether {bob}'s forehead is muddy."
    )
    assert row["hypothesis"] == f"{carol} can now know that {carol}'s forehead is muddy."


def test_an_agent_who_sees_nothing_observes_an_atom_that_the_law_fixes():
    premise = Premise("explicit", ((), (1, 2)), ())
    hypothesis = (((0, THAT, False),), SOME)
    assert formal_columns(to_problem(premise, hypothesis).structure(), premise, hypothesis) == (
        "VARS 0,1,2 LAW ~(0) OBS Agenta:0 Agentb:1,2 VALID? [ ! (1|2) ] (Agenta knows that (1|2))",
        "VARS 0,1,2 LAW ~(0) OBS Agenta:0 Agentb:1,2 VALID? [ ! (1|2) ] 0",
    )


# Names.


def test_names_are_different_girls_and_boys_in_equal_shares(in_all):
    """Some names are a girl's and a boy's."""
    girls, boys = (set(names) for names in lexicon().values())
    for row in in_all:
        names = set(row["names"])
        assert len(names) == row["n_agents"] and names <= girls | boys
        assert max(len(names - girls), len(names - boys)) <= -(-len(names) // 2)


def lexicon() -> dict[str, dict[str, int]]:
    """Return the first names of girls and boys with their frequencies."""
    return json.loads((TEMPLATES / "en" / "first_names.json").read_text(encoding="utf-8"))


def test_names_are_as_frequent_as_in_the_census():
    say, drawn = voice("en"), stream("names")
    counts = Counter(name for _ in range(10_000) for name in say.persons(drawn, 2))
    kinds = lexicon()
    expected = Counter()
    for names in kinds.values():
        for name, frequency in names.items():
            expected[name] += 10_000 * frequency / sum(names.values())
    assert set(counts) <= set(expected)
    for name, times in expected.most_common(60):
        assert abs(counts[name] - times) < 5 * times**0.5, name
    rare = sum(counts[name] for name, times in expected.items() if times < 1)
    assert 0 < rare and all(counts[name] < 20 for name, times in expected.items() if times < 1)
    assert counts["James"] > 300 and counts["Mary"] > 250


# A row is a function of the config with its sizes, the seed, the split and the index.


def test_spans_of_other_lengths_give_the_same_rows():
    for config, setup in (
        (replace(ALL, **SIX, checker="embedded"), "explicit"),
        (replace(SCALE, seed=7, test=6, checker="embedded"), "forehead"),
        (replace(REPRODUCTION, seed=7, test=6, checker="embedded"), "internal"),
    ):
        settled = plan_of(config, setup)["test"]
        whole = part_rows(config, setup, "test", range(6), settled)
        for spans in ([range(3), range(3, 6)], [range(index, index + 1) for index in range(6)]):
            made = [part_rows(config, setup, "test", span, settled[span.start : span.stop]) for span in spans]
            assert [row for rows in made for row in rows] == whole


def test_another_seed_is_another_dataset(in_blocks):
    other = [row for split in ALL.sizes() for row in rows_of(replace(ALL, **{**SIX, "seed": 8}), split)]
    assert not {row["premise"] for row in other} & {row["premise"] for row in in_blocks}
    formal = [{row["smcdel_problem"] for row in rows if row["n_agents"] == 4} for rows in (other, in_blocks)]
    assert len(formal[0] & formal[1]) < 0.1 * len(formal[0])


def test_other_sizes_are_another_plan():
    """What depends on all rows, such as which premise goes to which split, is settled from the sizes too."""
    small, larger = replace(ALL, **SIX), replace(ALL, **{**SIX, "train": 12})
    assert plan_of(small, "forehead") == plan_of(replace(small), "forehead")
    assert plan_of(small, "forehead")["test"] != plan_of(larger, "forehead")["test"]


# Checkers.


@pytest.fixture
def program(tmp_path, monkeypatch):
    """Return what puts this project's own program in SMCDEL's place, and writes a line for each time it is asked."""

    def program():
        path = tmp_path / "smcdel"
        path.write_text(f'#!/bin/sh\necho >> {shlex.quote(str(tmp_path / "asked"))}\n{embedded_smcdel()} "$@"\n')
        path.chmod(0o755)
        monkeypatch.setenv("SMCDEL", str(path))

    return program


def labelled(checker: str, setup: str = "forehead", blocks: int = 6) -> list[dict]:
    """Make rows of a setup that a checker labels."""
    config = replace(ALL, **SIX, checker=checker)
    return part_rows(config, setup, "test", range(blocks), plan_of(config, setup)["test"][:blocks])


@pytest.mark.parametrize("checker", ["smcdel", "both", "auto"])
def test_the_program_gives_the_same_rows_and_is_asked_once_for_each_structure(program, tmp_path, checker):
    program()
    rows = labelled(checker)
    assert rows == labelled("embedded")
    structures = {row["smcdel_problem"].split(" VALID?")[0] for row in rows}
    assert len(structures) == 3 and len(rows) == 24
    assert (tmp_path / "asked").read_text().count("\n") == 3


def test_one_structure_is_one_process_whatever_stands_between(program, tmp_path):
    """The questions of two premises of cards, in turns."""
    program()
    questions = []
    for index in range(8):
        premise = Premise("explicit", ((1,), (2,)) if index % 2 else ((), (1, 2)), ())
        problem = to_problem(premise, (((index // 4, THAT, False),), SOME if index % 3 else EVERYONE))
        questions.append((problem.structure(), problem.entailment()))
    assert are_valid(questions, "smcdel") == are_valid(questions, "embedded")
    assert len(set(are_valid(questions, "embedded"))) == 2
    assert (tmp_path / "asked").read_text().count("\n") == 2


def test_blind_agents_in_front_of_the_program(program):
    program()
    assert labelled("both", "explicit", 2) == labelled("embedded", "explicit", 2)


def test_embedded_never_asks_a_program(program, tmp_path):
    program()
    labelled("embedded")
    assert not (tmp_path / "asked").exists()


def test_a_plan_that_is_wrong_is_found():
    """A block whose two hypotheses were taken for one another."""
    config = replace(ALL, **SIX, checker="embedded")
    p, q, h, g = plan_of(config, "internal")["test"][0]
    assert state_after(p).entails(h)
    with pytest.raises(DisagreementError, match="^the plan says .*, the checker says .*: VARS 1,2"):
        part_rows(config, "internal", "test", range(1), [Block(p, q, g, h)])


def test_nothing_asked():
    assert are_valid([], "embedded") == []
