"""Read every message about a wrong option, and prove that help names every option."""

import re

import pytest
from support import TINY, listed, refused

from tom_datasets.commands import commands
from tom_datasets.story.config import ALL, REPRODUCTION, TOMH
from tom_datasets.wording.languages import languages

SEEN = "see python -m tom_datasets build"
LANGUAGES = f"; the languages are {', '.join(languages())}"
FIELDS = {"train": "train", "deep-train": "train"}  # the fields that options of sizes set; others set `test`
STORIES = {"train": "all", "tomh": "tomh", "reproduction": "reproduction", "deep": "deep", "deep-train": "deep"}
BLOCKS = {"train": "all", "scale": "scale"}


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("hi_tom --seed 1.5", f"Invalid value for '--seed': '1.5' is not an integer ({SEEN} hi_tom --help)"),
        (f"hi_tom --seed {-(1 << 63) - 1}", "; it must fit 64 bits"),
        ("hi_tom --language ../templates/en", f"unknown language '../templates/en'{LANGUAGES}"),
        ("hi_tom --max-order 6", "raise n_agents or lower the order (--n-agents)"),
        ("hi_tom --n-agents 13", "n_agents is 13; it must be from 2 to 12 (--n-agents)"),
        ("hi_tom --processes 0", "'--processes' (env var: 'TOM_PROCESSES'): '0' is not an integer of 1 or more"),
        ("hi_tom --train=0 --validation=0 --test=0", "all: train, validation, test are all None or 0; at "),
        *(
            (f"hi_tom --{split}=-1", f"{config}: {FIELDS.get(split, 'test')} is -1 ")
            for split, config in STORIES.items()
        ),
        ("mindgames --n-agents 1,2", "all: n_agents is (1, 2); each must be from 2 to 12 (--n-agents)"),
        ("mindgames --n-agents 2,", f"'--n-agents': '2,' is not integers between commas, such as 2,3 ({SEEN} mind"),
        ("mindgames --seed 1_0", "Invalid value for '--seed': '1_0' is not an integer"),
        ("mindgames --deep-n-agents 1", "deep: n_agents is (1,); each must be from 2 to 12 (--deep-n-agents)"),
        ("mindgames --deep-max-order 0", "deep: max_order is 0; it must be from 1 to 12 (--deep-max-order)"),
        ("mindgames --n-announcements 1", "deep: n_announcements is (1,); "),
        ("mindgames --kinds rumours", "deep: kinds is ('rumours',); the kinds of announcements are facts"),
        ("mindgames --reproduction 3", "reproduction: test is 3 problems; it must be even"),
        *(
            (f"mindgames --{split}=1000002", f"{config}: {FIELDS.get(split, 'test')} is 1000002 ")
            for split, config in BLOCKS.items()
        ),
        ("mindgames --tomh 3", "No such option '--tomh'"),
    ],
)
def test_what_cannot_be_built_is_refused_before_anything_is_written(run, tmp_path, words, message):
    name, *options = words.split()
    result = run("build", name, *TINY[name], "--out", tmp_path / "out", *options)
    refused(result, message, code=2 if "(see " in result[2] else 1)
    assert listed(tmp_path) == []


def test_more_blocks_than_there_are(run, tmp_path):
    sizes = (*TINY["mindgames"], "--only", "all", "--train", 2000, "--n-agents", "2")
    said = run("build", "mindgames", *sizes, "--out", tmp_path)[2]
    found = re.fullmatch(
        r"error: forehead with 2 agents: ([\d,]+) blocks of four were asked for, and ([\d,]+) found among all "
        r"([\d,]+) distinct premises; ask for fewer blocks, or for more agents\n",
        said,
    )
    wanted, made, distinct = (int(number.replace(",", "")) for number in found.groups())
    assert wanted == 2000 + 3 + 6 and 300 < made < wanted and 2 * made <= distinct


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("", "Missing command (see python -m tom_datasets --help)"),
        ("bild", "No such command 'bild'; the commands are build, check, audit, "),
        ("--out x build", "No such option '--out'"),
        ("build --train 5", "--train is an option of hi_tom and mindgames: name the dataset first"),
        ("build --seed 7 hi_tom --tomh 5", "name the dataset first, as in build hi_tom --tomh"),
        ("build --see=1", "No such option '--see'. (Did you mean one of: '--preset', '--seed'?)"),
        ("build 5", "Invalid value for '[hi_tom|mindgames]': '5' is not one of 'hi_tom', 'mindgames'"),
        ("build --out --force", f"Option '--out' requires an argument ({SEEN} --help)"),
        ("build --force=1", f"Option '--force' does not take a value ({SEEN} --help)"),
        ("check --processes", "Option '--processes' requires an argument (see python -m tom_datasets check --help)"),
        ("show", "Missing argument '{hi_tom|mindgames}'. Choose from: hi_tom, mindgames"),
        ("prompts hi_tom --rules x", "Invalid value for '--rules': 'x' is not one of 'full', 'paper'"),
        ("smcdel a b", "Got unexpected extra argument (b)"),
    ],
)
def test_what_is_no_command_is_refused(run, words, message):
    refused(run(*words.split()), message, code=2)


def test_the_environment_says_how_many_processes_work_unless_the_option_does(run, monkeypatch):
    monkeypatch.setenv("TOM_PROCESSES", "none")
    refused(run("check"), "'--processes' (env var: 'TOM_PROCESSES'): 'none' is not an integer", code=2)
    refused(run("check", "--processes", "1", "--out", "nowhere"), "nowhere")


def test_help_lists_every_command_and_the_defaults(run):
    printed = run("--help")[1]
    assert [command for command in commands() if not re.search(rf"^  {command} +[a-z]", printed, re.MULTILINE)] == []
    for command in commands():
        code, helped, said = run(command, "--help")
        assert (code, said) == (0, "") and helped.startswith(f"Usage: python -m tom_datasets {command}"), command
    sizes = [ALL.train, ALL.validation, ALL.test, TOMH.test, REPRODUCTION.test]
    for name, defaults in (("hi_tom", sizes), ("mindgames", [700, 234, 120, 400, "2,3,4", 2, "3,4,5", 3, "3,4"])):
        printed = " ".join(run("build", name, "--help")[1].split())
        assert [default for default in defaults if f"default: {default})" not in printed] == []
        assert f"one of: {', '.join(languages())}" in printed
