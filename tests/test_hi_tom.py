"""hi_tom: its configs and what they refuse; rows, their letters, orders and casts."""

import math
from collections import Counter
from dataclasses import replace

import pytest

from tom_datasets.hi_tom.builder import FEATURES, HiTom
from tom_datasets.splits import SPLITS
from tom_datasets.story.casts import MOST_STORIES, PLANS, cast_at, cast_walk, place_of
from tom_datasets.story.config import ALL, DEEP, FAMILIES, LADDER, REPRODUCTION, TOMH, StoryConfig, order_name
from tom_datasets.story.ladder import RUNGS, Rung
from tom_datasets.story.meaning import SLOTS, facts_of
from tom_datasets.story.rows import cast_of, plan_of, story_rows
from tom_datasets.syntax.record import loads
from tom_datasets.wording.languages import languages
from tom_datasets.wording.stories import voice


def rows_of(config: StoryConfig, split: str) -> list[dict]:
    """Make all rows of a split, not scored."""
    config = replace(config, scorer=None)
    return [
        row
        for index, settled in enumerate(plan_of(config, split))
        for row in story_rows(config, split, index, *settled)
    ]


def test_the_documented_configs_are_the_defaults():
    names = ["all", *map(order_name, range(5)), "tomh", "reproduction", "deep", "ladder", "abilities", "plans", "woven"]
    assert [config.name for config in HiTom.BUILDER_CONFIGS if config.language == "en"] == names
    assert FEATURES["answer_slot"].names == list(SLOTS)
    whole = {"train": 2400, "validation": 240, "test": 480}
    sizes = [
        (ALL, whole),
        (DEEP, whole),
        (TOMH, {"test": 1800}),
        (REPRODUCTION, {"test": 120}),
        (LADDER, {"test": 600}),
    ]
    assert [config.sizes() for config, _ in sizes] == [expected for _, expected in sizes]
    assert REPRODUCTION.semantics == "published" and ALL.semantics == TOMH.semantics == "recursive"


# Errors.


def test_lines_since_counts_from_the_line_that_taught_the_chain():
    """The story of docs/reference/hi_tom.md: the spinach is seen in 3 places, and the last of 25 lines is a claim."""
    config = replace(ALL, seed=2)
    rows = story_rows(config, "test", 43, *plan_of(config, "test")[43])
    assert [row["n_lines"] for row in rows] == [25] * 5
    assert [row["lines_since"] for row in rows] == [6, 1, 1, 1, 1]  # taught by line 19, the others by line 24
    assert {row["n_places"] for row in rows} == {3}


def test_lines_since_of_reality_counts_from_the_line_that_placed_or_moved_the_thing():
    """Agents may come back to a room and see its thing, which no line then speaks of."""
    asked = [row for row in rows_of(REPRODUCTION, "test") if row["order"] == 0]
    returns = 0
    for row in asked:
        lines = row["story"].split("\n")
        line = lines[row["n_lines"] - row["lines_since"] - 1]
        thing = row["question"].split()[-2]
        assert " entered " not in line and f"{thing} " in line and line.endswith(f" {row['answer']}."), line
        story, _, about = loads(row["events"])
        facts = facts_of(story, about)
        seen = facts.lines[facts.sightings.bit_length() - 1]
        returns += seen > int(line.split()[0]) - 1
    assert len(asked) == 120 and returns == 17


REFUSED = [
    (ALL, "seed", ("x", True), "; it must be an integer"),
    (ALL, "seed", (2**63,), "; it must fit 64 bits, as its column has"),
    (ALL, "n_agents", (1, 13), "; it must be from 2 to 12"),
    (ALL, "lengths", ((1, 5),), "; stories must have 1 to 4 chapters"),
    (ALL, "claims", ((), True), "; it must be (False, True), (False,) or (True,)"),
    (ALL, "order", (-1,), "; it must be 0 or more"),
    (ALL, "train", (-1,), " stories; it must be from 1 to 1,000,000, or 0 for none"),
    (DEEP, "semantics", ("published",), "; it must be 'recursive' in deep stories, for their watchers"),
    (DEEP, "lengths", ((1, 2), (7,)), "; deep stories must have 2 to 6 chapters"),
    (DEEP, "claims", ((True,),), "; stories of deep always have the same claims: drop the field"),
    (DEEP, "links", (-1, True, 1.0), "; it must be 0 or more, or None for as many as there can be"),
    (LADDER, "overhearing", (1, "no"), "; it must be True or False"),
    (ALL, "links", (0,), "; nothing is secret in stories of all: drop the field"),
    (TOMH, "thoughts", (False,), "; nothing is secret in stories of tomh: drop the field"),
]
"""A config, a field, values that it cannot have, and what the message says after them."""


FEW_AGENTS = (
    "order {0} needs {0} agents and there are {1}: with fewer, the question asks what a lower order asks (Theorem C.5 "
    "of the workshop paper); raise n_agents or lower the order"
)


NOT_FOUR = "; it must be four integers: (order, agents, chapters, containers)"
AGENTS = "; it must have 2 to 12 agents, and an order from 1 to that"
CONTAINERS = "; it must have more containers than its order, and at most 26"
RUNGS_REFUSED = [
    ((1, 5, 2), NOT_FOUR),
    *((rung, AGENTS) for rung in ((0, 5, 2, 8), (6, 5, 2, 8), (1, 13, 2, 8))),
    ((1, 5, 7, 8), "; it must have 2 to 6 chapters"),
    *((rung, CONTAINERS) for rung in ((3, 5, 2, 3), (3, 5, 2, 27))),
]


@pytest.mark.parametrize(
    ("config", "fields", "message"),
    [
        *((config, {field: v}, f"{field} is {v!r}{rest}") for config, field, values, rest in REFUSED for v in values),
        (ALL, {"language": "de"}, f"unknown language 'de'; the languages are {', '.join(languages())}"),
        (ALL, {"semantics": "naive"}, "unknown semantics 'naive'; expected one of recursive, published"),
        *((config, {"max_order": 6}, FEW_AGENTS.format(6, 5)) for config in (ALL, DEEP)),
        (ALL, {"order": 5, "n_agents": 4}, FEW_AGENTS.format(5, 4)),
        (LADDER, {"rungs": ()}, "rungs is empty; it must have one rung or more"),
        *((LADDER, {"rungs": (RUNGS[0], rung)}, f"rung 2 is {rung}{rest}") for rung, rest in RUNGS_REFUSED),
        (
            ALL,
            {"train": 0, "validation": None, "test": 0},
            "train, validation, test are all None or 0; at least one must be a number of stories",
        ),
    ],
)
def test_wrong_fields_are_refused_in_one_line(config, fields, message):
    with pytest.raises(ValueError) as raised:
        replace(config, **fields).validate()
    assert str(raised.value) == message


# Rows.


def test_letters_come_in_exactly_equal_shares_per_order_and_split():
    for split in ("test", "validation"):
        rows = rows_of(ALL, split)
        for order in range(5):
            letters = Counter(row["answer_index"] for row in rows if row["order"] == order)
            assert letters == dict.fromkeys(range(15), ALL.sizes()[split] // 15)


@pytest.mark.parametrize("config", [ALL, DEEP], ids=lambda config: config.name)
def test_each_order_of_a_story_puts_one_more_agent_in_front(config):
    for index, (target, letters) in enumerate(plan_of(config, "test")[: 60 if config is ALL else 12]):
        rows = story_rows(config, "test", index, target, letters)
        assert [row["order"] for row in rows] == [0, 1, 2, 3, 4]
        for shorter, longer in zip(rows, rows[1:], strict=False):
            assert longer["chain"][1:] == shorter["chain"] and longer["story"] == shorter["story"]
        for row in rows:
            assert row["choices"][row["answer_index"]] == row["answer"]
            assert len(set(row["choices"])) == len(row["choices"]) == (8 if config is DEEP else 15)
            assert set(loads(row["events"])[1].containers) <= set(row["choices"])
            assert (row["answer_published"] is row["semantics_agree"] is None) == (config is DEEP)
            assert row["n_agents"] == 5 and row["story_length"] == target.n_chapters


def test_the_choices_of_tomh_are_the_containers_of_the_story():
    for row in rows_of(replace(TOMH, test=54), "test"):
        assert sorted(row["choices"]) == sorted(loads(row["events"])[1].containers)


def test_reproduction_has_twenty_stories_in_each_cell_and_the_published_labels():
    rows = rows_of(REPRODUCTION, "test")
    cells = Counter((row["story_length"], row["deception"]) for row in rows if row["order"] == 0)
    assert cells == {(length, deception): 20 for length in (1, 2, 3) for deception in (False, True)}
    assert any(not row["semantics_agree"] for row in rows)


def test_the_other_semantics_changes_answers_where_the_column_says_so():
    """The stories differ, because they are drawn to fit their answers, but both columns keep their meaning."""
    rows = rows_of(replace(ALL, semantics="published", test=60), "test")
    assert all(row["answer"] == row["answer_published"] for row in rows)
    rows = rows_of(replace(ALL, test=60), "test")
    assert all((row["answer"] == row["answer_published"]) == row["semantics_agree"] for row in rows)
    assert any(not row["semantics_agree"] for row in rows)


def test_a_rung_has_its_order_agents_chapters_and_choices():
    rows = rows_of(replace(LADDER, test=12), "test")
    assert [row["rung"] for row in rows] == [1, 2, 3, 4, 5, 6] * 2
    for row in rows:
        rung = RUNGS[row["rung"] - 1]
        assert (row["order"], row["n_agents"], row["story_length"], len(row["choices"])) == rung
        assert len(row["chain"]) == row["order"] and row["undisputed"] and row["answer_published"] is None
    letters = [row["answer_index"] for row in rows_of(replace(LADDER, rungs=(Rung(2, 4, 2, 5),), test=10), "test")]
    assert Counter(letters) == dict.fromkeys(range(5), 2)


def test_a_ladder_goes_as_high_as_its_caller_wants():
    """The seventh order, and letters beyond those of the published rungs."""
    (row,) = rows_of(replace(LADDER, rungs=((7, 9, 6, 20),), test=1), "test")
    assert row["order"] == 7 and row["n_agents"] == 9 and len(row["choices"]) == 20


def test_a_deep_config_asks_any_order_over_any_agents():
    config = replace(DEEP, n_agents=6, order=5, lengths=(3,), test=8)
    config.validate()
    fifth = [row for row in rows_of(config, "test") if row["order"] == 5]
    assert len(fifth) == 8 and sum(row["effective_order"] == 5 for row in fifth) >= 6
    for row in rows_of(replace(DEEP, n_agents=2, max_order=2, test=8), "test"):
        assert len(row["chain"]) == row["order"] <= 2
    # A chapter has more than 128 lines to choose from here.
    assert len(rows_of(replace(DEEP, n_agents=8, max_order=6, lengths=(3,), test=1), "test")) == 7


@pytest.mark.parametrize("n_agents", (2, 3, 4, 7, 12))
def test_any_number_of_agents_and_the_highest_order_it_allows(n_agents):
    config = replace(ALL, n_agents=n_agents, max_order=min(n_agents, 6), lengths=(1, 2, 3, 4), test=8)
    config.validate()
    for row in rows_of(config, "test"):
        assert len(set(row["chain"])) == row["order"]


def test_no_two_stories_of_a_seed_share_a_cast():
    """Over all configs and splits: the walk has a stride that meets every cast once."""
    casts = [
        cast_of(config, split, index)
        for config in (ALL, TOMH, REPRODUCTION, DEEP)
        for split, size in config.sizes().items()
        for index in range(size)
    ]
    assert len(casts) == len(set(casts)) == 8160
    total = voice("en").n_casts
    assert all(math.gcd(cast_walk(seed, total)[1], total) == 1 for seed in range(20))


def test_further_families_take_casts_of_their_own():
    """`plans`, the seventh, was the first whose casts come from the end; the numbers 8 to 15 are still free."""
    numbers = [family.casts for family in FAMILIES.values()]
    assert numbers == [0, 1, 2, 3, 4, 5, 6, 7]  # written down, as rows depend on them
    some = [*range(0, MOST_STORIES, 1009), MOST_STORIES - 1]
    shares = [
        [place_of(number, split, index) for index in some]
        for number in [*numbers, 8, 15]
        for split in SPLITS
        if split == "test" or number != PLANS
    ]
    for language in ("en", "fr", "zh"):
        casts = voice(language).n_casts
        taken = {cast_at(5, casts, place) for share in shares for place in share}
        assert len(taken) == len(shares) * len(some), language
        assert max(max(share) for share in shares) - min(min(share) for share in shares) < casts


def test_seeds_and_splits_share_no_story():
    configs = [replace(ALL, seed=seed, train=40, test=40) for seed in (0, 1, 10, 100)]
    stories = [row["story"] for config in configs for split in ("train", "test") for row in rows_of(config, split)]
    assert len(stories) == 5 * 320 and len(set(stories)) == 320


def test_a_row_depends_on_its_own_index_alone():
    plan = plan_of(ALL, "test")
    forward, backward = [
        {index: story_rows(ALL, "test", index, *plan[index]) for index in order} for order in (range(8), range(8)[::-1])
    ]
    assert forward == backward
