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
    left = re.findall(r"(?:announcement \d|announcements): (\d+) worlds?", printed)
    counts = {row["premise"]: row["n_worlds"] for row in rows}
    announced = [premise.count("It is publicly announced that ") for premise in premises]
    ends = [sum(announced[: place + 1]) + place for place in range(len(premises))]
    assert [int(left[end]) for end in ends] == [counts[premise] for premise in premises]
    assert len(left) == ends[-1] + 1 and int(left[0]) == 2 ** rows[0]["n_agents"] == int(left[1]) + 1
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


def test_many_worlds_are_told_by_what_they_share(run):
    """These problems have nine agents, and their announcements leave hundreds of worlds."""
    code, printed, _ = run("show", "mindgames", "--config", "scale", "--index", 0)
    assert code == 0 and "{" not in re.sub(", such as {.*}", "", printed) and "…" not in printed
    assert re.search("\n  after announcement 1: 511 worlds. Announcement 1 leaves all worlds but those where ", printed)
    assert len(re.findall(r"\n  \w+ tells worlds apart by .* only\n", printed.replace("only\n", "only\n\n"))) == 18


def test_who_is_who_and_what_each_cannot_tell_apart(run):
    _, printed, _ = run("show", "mindgames", "--config", "explicit", "--index", "1")
    assert "  1: Timothy picked a red card\n  2: Charles picked a red card\n" in printed
    assert "  Agentb: Charles, who sees 1, 4\n  Agentc: Jennifer, who sees none of them\n" in printed
    assert "\n  Mindy can tell all these worlds apart\n" in printed
    assert "  Charles cannot tell apart {Timothy, Charles, Jennifer} ~ {Timothy, Jennifer}; {Timothy, Ch" in printed
    assert "not_entailment; false in 8 of 8 worlds left, such as {Timothy, Charles, Jennifer}; announcements" in printed
