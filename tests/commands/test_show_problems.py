"""Run `show` on blocks of problems, and prove that they are those of a default build."""

import re
from dataclasses import replace

import pytest

from tom_datasets.logic.config import REPRODUCTION
from tom_datasets.logic.rows import part_rows, plan_of
from tom_datasets.mindgames.builder import MindGames


def shown_rows(config, setup, split, index):
    """Return the rows that a build of default sizes has."""
    settled = plan_of(config, setup)[split][index : index + 1]
    return part_rows(replace(config, checker="embedded"), setup, split, range(index, index + 1), settled)


@pytest.mark.parametrize(
    ("name", "setup", "split", "index"),
    [
        ("forehead", "forehead", "train", 5),
        ("forehead_mirror", "forehead_mirror", "test", 0),
        ("internal", "internal", "validation", 233),
        ("explicit", "explicit", "test", 1),
        ("scale", "forehead", "test", 7),
        ("reproduction", "forehead", "test", 399),
    ],
)
def test_show_prints_what_a_build_of_default_size_has(run, name, setup, split, index):
    config = next(each for each in MindGames.BUILDER_CONFIGS if each.name == name)
    code, printed, said = run(
        "show", "mindgames", "--config", name, "--setup", setup, "--split", split, "--index", index
    )
    assert (code, said) == (0, "")
    rows = shown_rows(config, setup, split, index)
    premises = list(dict.fromkeys(row["premise"] for row in rows))
    assert len(premises) == (1 if name == "reproduction" else 2)
    lines = printed.split("\n")
    assert [line for line in lines if line.startswith("There are ")] == premises
    heads = [line for line in lines if re.fullmatch(r"[a-z_-]+-\d{6}|\d+", line)]
    assert heads == [str(rows[0]["block"] or rows[0]["index"])] * len(premises)
    worlds = [re.search(r"(?:announcement \d|announcements): (\d+) worlds?(.*)", line) for line in lines]
    counts = [(int(line[1]), line[2]) for line in worlds if line]
    ends = 0
    for premise in premises:
        announced = premise.count("It is publicly announced that ")
        of = counts[ends : ends + announced + 1]
        ends += announced + 1
        n_agents = rows[0]["n_agents"]
        assert of[0][0] == 2**n_agents and of[1][0] == 2**n_agents - 1
        left = next(row["n_worlds"] for row in rows if row["premise"] == premise)
        assert of[-1][0] == left and of == sorted(of, key=lambda each: -each[0])
        for count, listing in of:
            assert listing.count("{") == count * (count <= 16)
            assert count <= 16 or not listing or re.match(r"\. Announcement \d leaves (all|the) worlds", listing)
    assert ends == len(counts)
    for row in rows:
        place = lines.index(f"    {row['smcdel_problem']}")
        assert lines[place - 2] == f"  {row['hypothesis']}"
        assert re.match(rf"    {row['label']}; .*\b{row['needs_announcements']}\b", lines[place - 1])
    assert sum(line.startswith("    VARS ") for line in lines) == len(rows)


def test_show_names_the_persons_of_whom_it_is_true(run):
    """After "someone …" no world is without anybody."""
    _, printed, _ = run("show", "mindgames", "--config", "reproduction", "--setup", "internal", "--index", "2")
    before, first = re.findall(r": \d+ worlds?: (\{.*)", printed)[:2]
    assert before.startswith("{}, {") and before.removeprefix("{}, ") == first
    (row,) = shown_rows(REPRODUCTION, "internal", "test", 2)
    assert set(re.findall(r"\w+", before)) == set(row["names"])


def test_show_does_not_pass_over_the_setup(run):
    code, printed, said = run("show", "mindgames", "--setup", "explicit")
    assert code == 0 and printed.startswith("explicit-test-000000")
