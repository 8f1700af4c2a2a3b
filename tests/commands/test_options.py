"""Read every message about a wrong option, and prove that help names every option."""

import re

import pytest
from support import TINY, listed, refused

from tom_datasets.__main__ import COMMANDS
from tom_datasets.story.config import ALL, REPRODUCTION, TOMH
from tom_datasets.wording.languages import languages


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (
            ["--seed", "1.5"],
            2,
            ["argument --seed: '1.5' is not an integer", "python -m tom_datasets build hi_tom --help"],
        ),
        (["--seed", str(1 << 63)], 1, ["seed"]),  # the seed column is a 64-bit integer
        (["--seed", str(-(1 << 63) - 1)], 1, ["seed"]),
        (["--semantics", "naive"], 2, ["argument --semantics: invalid choice: 'naive'", "recursive", "published"]),
        (["--language", "xx"], 1, ["unknown language 'xx'; the languages are " + ", ".join(languages())]),
        (["--language", "../templates/en"], 1, ["unknown language '../templates/en'; the languages are "]),
        (["--language", ""], 1, ["unknown language ''; the languages are "]),
        (
            ["--max-order", "6"],
            1,
            ["order 6 needs 6 agents and there are 5", "Theorem C.5", "raise --n-agents"],
        ),
        (["--agents", "3"], 1, ["order 4 needs 4 agents and there are 3", "Theorem C.5"]),
        (["--agents", "12", "--max-order", "13"], 1, ["order 13 needs 13 agents and there are 12", "Theorem C.5"]),
        (["--max-order", "-1"], 1, ["all: --max-order is -1", "0 or above"]),
        (["--agents", "1", "--max-order", "0"], 1, ["--n-agents is 1; it must be from 2 to 12"]),
        (["--agents", "0"], 1, ["--n-agents is 0; it must be from 2 to 12"]),
        (["--agents", "-5"], 1, ["--n-agents is -5; it must be from 2 to 12"]),
        (["--agents", "13"], 1, ["--n-agents is 13; it must be from 2 to 12"]),
        (["--processes", "0"], 2, ["--processes: 0 is not 1 or more"]),
        (["--trains=4"], 2, ["unrecognized arguments: --trains=4"]),
        *(
            ([f"--{split}", size], 1, [f"{config}: --{split} is {size} stories; it must be from 1 to "])
            for split, config in (
                ("train", "all"),
                ("validation", "all"),
                ("test", "all"),
                ("tomh", "tomh"),
                ("reproduction", "reproduction"),
                ("deep", "deep"),
                ("deep-train", "deep"),
            )
            for size in ("-1", "1000000000000")
        ),
    ],
)
def test_what_cannot_be_built_is_refused_before_anything_is_written(run, tmp_path, arguments, code, words):
    refused(run("build", "hi_tom", *TINY["hi_tom"], "--out", tmp_path / "out", *arguments), *words, code=code)
    assert listed(tmp_path) == []


@pytest.mark.parametrize(
    ("argv", "words"),
    [
        ([], ["the following arguments are required: COMMAND", "python -m tom_datasets --help"]),
        (["bild"], ["invalid choice: 'bild'", "'build'"]),
        (["build", "mind_games"], ["invalid choice: 'mind_games'", "hi_tom"]),
        (["build", "--train", "5"], ["argument --train: name the dataset first: hi_tom", "tom_datasets build --help"]),
        (["build", "--max-order"], ["argument --max-order: name the dataset first: hi_tom"]),
        (["show"], ["the following arguments are required: dataset"]),
        (["reread", "hi_tom"], ["the following arguments are required: file"]),
        (["show", "hi_tom", "--split", "dev"], ["argument --split: invalid choice: 'dev'", "validation"]),
        (["build", "--see=1"], ["unrecognized arguments: --see=1"]),
    ],
)
def test_what_is_no_command_is_refused(run, argv, words):
    refused(run(*argv), *words, code=2)


@pytest.mark.parametrize(
    ("command", "options"),
    [
        ("build", "hi_tom --out --seed --language --processes --probe --no-explanations --project-url --preset --only "
                  "--force"),
        ("build hi_tom", "--out --seed --train --validation --test --tomh --reproduction --deep --ladder --deep-train "
                         "--deep-validation --n-agents --max-order --semantics --language --processes --probe "
                         "--no-explanations --project-url --preset --only --force"),
        ("check", "hi_tom --out --processes --probe"),
        ("audit", "hi_tom --out --processes --record --docs --strict --unread"),
        ("clean", "hi_tom --out"),
        ("reread", "hi_tom file --disagreements --strict --unread"),
        ("probe", "hi_tom --checkpoint --folder"),
        ("explain", "hi_tom --seed --id --out"),
        ("show", "hi_tom --config --setup --split --seed --index --id --out"),
        ("show hi_tom", "--config --split --seed --index --id --out"),
    ],
)  # fmt: skip
def test_help_mentions_every_option(run, command, options):
    code, printed, said = run(*command.split(), "--help")
    assert (code, said) == (0, "")
    assert printed.startswith(f"usage: python -m tom_datasets {command}")
    for option in options.split():
        assert re.search(rf"^  [^ ]*{option}\b", printed, re.MULTILINE) or f"{{{option}}}" in printed, option
    # No option that the list above lacks.
    assert set(re.findall(r"--[a-z-]+", printed)) == {w for w in options.split() if w.startswith("--")} | {"--help"}


def test_help_lists_every_command(run):
    code, printed, said = run("--help")
    assert (code, said) == (0, "")
    for command in COMMANDS:
        assert re.search(rf"^    {command} +[a-z]", printed, re.MULTILINE)


def test_the_defaults_that_help_names(run):
    _, printed, _ = run("build", "hi_tom", "--help")
    for size in (ALL.train, ALL.validation, ALL.test, TOMH.test, REPRODUCTION.test):
        assert f"default: {size})" in " ".join(printed.split())
    assert f"one of: {', '.join(languages())}" in printed


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (["--agents", "1,2"], 1, ["all: --n-agents is (1, 2); each must be from 2 to 12"]),
        (["--agents", "13"], 1, ["all: --n-agents is (13,); each must be from 2 to 12"]),
        (["--agents", "0"], 1, ["all: --n-agents is (0,); each must be from 2 to 12"]),
        (["--agents=-3"], 1, ["all: --n-agents is (-3,); each must be from 2 to 12"]),
        (["--agents", "3,2"], 1, ["all: --n-agents is (3, 2); they must be different and in ascending order"]),
        (["--agents", "2,2"], 1, ["all: --n-agents is (2, 2); they must be different and in ascending order"]),
        (["--agents", "x"], 2, ["argument --agents: 'x' is not an integer", "tom_datasets build mindgames --help"]),
        (["--agents", "2,"], 2, ["argument --agents: '' is not an integer"]),
        (["--max-order", "0"], 1, ["all: --max-order is 0; it must be from 1 to 12"]),
        (["--max-order", "13"], 1, ["all: --max-order is 13; it must be from 1 to 12"]),
        (["--checker", "prover"], 2, ["argument --checker: invalid choice: 'prover'", "auto", "embedded", "both"]),
        (["--seed", str(1 << 63)], 1, ["all: --seed is 9223372036854775808; it must fit 64 bits"]),
        (["--language", "xx"], 1, ["all: unknown language 'xx'; the languages are en"]),
        (["--deep-agents", "1"], 1, ["deep: --deep-n-agents is (1,); each must be from 2 to 12"]),
        (["--deep-max-order", "0"], 1, ["deep: --deep-max-order is 0; it must be from 1 to 12"]),
        (["--announcements", "1"], 1, ["deep: --n-announcements is (1,); it must be numbers from 2 to 12"]),
        (["--kinds", "rumours"], 1, ["deep: --kinds is ('rumours',); the kinds of announcements are facts"]),
        (["--train=0", "--validation=0", "--test=0"], 1, ["all: --train, --validation, --test are all None or 0; at "]),
        (["--seed", "٣"], 2, ["argument --seed: '٣' is not an integer"]),
        (["--seed", "1_0"], 2, ["argument --seed: '1_0' is not an integer"]),
        (["--reproduction", "3"], 1, ["reproduction: --reproduction is 3 problems; it must be even"]),
        *(
            ([f"--{option}", size], 1, [f"{config}: --{option} is {size} {what}; it must be from 1 to 1,000,000"])
            for option, config, what in (
                ("train", "all", "blocks of four"),
                ("validation", "all", "blocks of four"),
                ("test", "all", "blocks of four"),
                ("scale", "scale", "blocks of four"),
                ("reproduction", "reproduction", "problems"),
            )
            for size in ("-2", "1000002")
        ),
        # What only the other dataset has.
        (["--tomh", "3"], 2, ["unrecognized arguments: --tomh 3"]),
        (["--semantics", "published"], 2, ["unrecognized arguments: --semantics published"]),
    ],
)
def test_problems_that_cannot_be_built_are_refused_before_anything_is_written(run, tmp_path, arguments, code, words):
    refused(run("build", "mindgames", *TINY["mindgames"], "--out", tmp_path / "out", *arguments), *words, code=code)
    assert listed(tmp_path) == []


@pytest.mark.parametrize("option", ["--scale", "--checker", "--agents", "--train"])
def test_own_options_need_the_dataset_before_them(run, option):
    refused(run("build", option, "5"), f"argument {option}: name the dataset first: hi_tom or mindgames", code=2)


@pytest.mark.parametrize("option", ["--scale", "--checker"])
def test_options_of_mindgames_are_not_for_hi_tom(run, tmp_path, option):
    refused(run("build", "hi_tom", "--out", tmp_path, option, "6"), f"unrecognized arguments: {option} 6", code=2)


@pytest.mark.parametrize(
    ("command", "options"),
    [
        (
            "build mindgames",
            "--out --seed --train --validation --test --scale --reproduction --n-agents --max-order --checker "
            "--deep-train --deep-validation --deep --ladder --deep-n-agents --deep-max-order --n-announcements --kinds "
            "--language --processes --probe --no-explanations --project-url --preset --only --force",
        ),
        ("show mindgames", "--config --setup --split --seed --index --id --out"),
    ],
)
def test_help_of_mindgames_mentions_every_option(run, command, options):
    code, printed, said = run(*command.split(), "--help")
    assert (code, said) == (0, "")
    assert set(re.findall(r"--[a-z-]+", printed)) == {*options.split(), "--help"}


def test_the_defaults_that_help_of_mindgames_names(run):
    said = " ".join(run("build", "mindgames", "--help")[1].split())
    for size in (700, 234, 120, 400, "2,3,4", 2, "3,4,5", 3, "3,4"):
        assert f"(default: {size})" in said


def test_more_blocks_than_there_are(run, tmp_path):
    failed = run("build", "mindgames", *TINY["mindgames"], "--train", 2000, "--agents", "2", "--out", tmp_path)
    refused(failed, "ask for fewer blocks, or for more agents")
    found = re.fullmatch(
        r"error: forehead with 2 agents: ([\d,]+) blocks of four were asked for, and ([\d,]+) found among all "
        r"([\d,]+) distinct premises; ask for fewer blocks, or for more agents\n",
        failed[2],
    )
    wanted, made, distinct = (int(number.replace(",", "")) for number in found.groups())
    assert wanted == 2000 + 3 + 6 and 300 < made < wanted and 2 * made <= distinct
    assert listed(tmp_path) == []
