"""Read every message about a wrong option, and prove that help names every option."""

import re

import pytest
from support import TINY, listed, refused

from tom_datasets.__main__ import COMMANDS
from tom_datasets.story.config import ALL, REPRODUCTION, TOMH
from tom_datasets.wording.languages import languages

SEEN = "see python -m tom_datasets build"
LANGUAGES = f"; the languages are {', '.join(languages())}"
STORIES = {"train": "all", "tomh": "tomh", "reproduction": "reproduction", "deep": "deep", "deep-train": "deep"}
BLOCKS = {"train": "all", "scale": "scale"}


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("hi_tom --seed 1.5", f"argument --seed: '1.5' is not an integer ({SEEN} hi_tom --help)"),
        (f"hi_tom --seed {-(1 << 63) - 1}", f"all: --seed is {-(1 << 63) - 1}; it must fit 64 bits, as its column has"),
        ("hi_tom --language ../templates/en", f"unknown language '../templates/en'{LANGUAGES}"),
        ("hi_tom --language=", f"unknown language ''{LANGUAGES}"),
        ("hi_tom --max-order 6", "order 6 needs 6 agents and there are 5: "),
        ("hi_tom --max-order 6", "Theorem C.5"),
        ("hi_tom --max-order 6", "raise --n-agents"),
        ("hi_tom --max-order -1", "all: --max-order is -1; an order is 0 or above"),
        ("hi_tom --agents 1 --max-order 0", "--n-agents is 1; it must be from 2 to 12"),
        ("hi_tom --agents 13", "--n-agents is 13; it must be from 2 to 12"),
        ("hi_tom --processes 0", "--processes: 0 is not 1 or more"),
        ("hi_tom --train=0 --validation=0 --test=0", "all: --train, --validation, --test are all None or 0; at "),
        *(
            (f"hi_tom --{split}={size}", f"{config}: --{split} is {size} stories; it must be from 1 to ")
            for split, config in STORIES.items()
            for size in ("-1", "1000000000000")
        ),
        ("mindgames --agents 1,2", "all: --n-agents is (1, 2); each must be from 2 to 12"),
        ("mindgames --agents 3,2", "all: --n-agents is (3, 2); they must be different and in ascending order"),
        ("mindgames --agents 2,", f"argument --agents: '' is not an integer ({SEEN} mindgames --help)"),
        ("mindgames --max-order 13", "all: --max-order is 13; it must be from 1 to 12"),
        ("mindgames --seed ٣", "argument --seed: '٣' is not an integer"),
        ("mindgames --seed 1_0", "argument --seed: '1_0' is not an integer"),
        (f"mindgames --seed {1 << 63}", "all: --seed is 9223372036854775808; it must fit 64 bits"),
        ("mindgames --language xx", f"all: unknown language 'xx'{LANGUAGES}"),
        ("mindgames --deep-agents 1", "deep: --deep-n-agents is (1,); each must be from 2 to 12"),
        ("mindgames --deep-max-order 0", "deep: --deep-max-order is 0; it must be from 1 to 12"),
        ("mindgames --announcements 1", "deep: --n-announcements is (1,); it must be numbers from 2 to 12"),
        ("mindgames --kinds rumours", "deep: --kinds is ('rumours',); the kinds of announcements are facts"),
        ("mindgames --train=0 --validation=0 --test=0", "all: --train, --validation, --test are all None or 0; at "),
        ("mindgames --reproduction 3", "reproduction: --reproduction is 3 problems; it must be even"),
        ("mindgames --reproduction -2", "reproduction: --reproduction is -2 problems; it must be from 1 to 1,000,000"),
        *(
            (f"mindgames --{split}={size}", f"{config}: --{split} is {size} blocks of four; it must be from 1 to 1,000")
            for split, config in BLOCKS.items()
            for size in ("-2", "1000002")
        ),
        ("mindgames --tomh 3", "unrecognized arguments: --tomh 3"),
    ],
)
def test_what_cannot_be_built_is_refused_before_anything_is_written(run, tmp_path, words, message):
    name, *options = words.split()
    result = run("build", name, *TINY[name], "--out", tmp_path / "out", *options)
    refused(result, message, code=2 if "(see " in result[2] else 1)
    assert listed(tmp_path) == []


def test_more_blocks_than_there_are(run, tmp_path):
    said = run("build", "mindgames", *TINY["mindgames"], "--train", 2000, "--agents", "2", "--out", tmp_path)[2]
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
        ("", "the following arguments are required: COMMAND (see python -m tom_datasets --help)"),
        ("bild", "invalid choice: 'bild'"),
        ("build --train 5", "argument dataset: invalid choice: '5' (choose from "),
        ("build --seed 7 hi_tom --train 5", f"unrecognized arguments: --train 5 ({SEEN} --help)"),
        ("build --see=1", f"unrecognized arguments: --see=1 ({SEEN} --help)"),
        ("show hi_tom --split dev", "argument --split: invalid choice: 'dev'"),
    ],
)
def test_what_is_no_command_is_refused(run, words, message):
    refused(run(*words.split()), message, code=2)


SHARED = "--out --seed --language --processes --probe --no-explanations --project-url --preset --only --force "
SIZED = SHARED + "--train --validation --test --reproduction --deep-train --deep-validation --deep --ladder "
STORIES_HAVE = "--n-agents --max-order --tomh --semantics"
PROBLEMS_HAVE = "--n-agents --max-order --scale --checker --deep-n-agents --deep-max-order --n-announcements --kinds"


@pytest.mark.parametrize(
    ("command", "options"),
    {
        "build": SHARED,
        "build hi_tom": SIZED + STORIES_HAVE,
        "build mindgames": SIZED + PROBLEMS_HAVE,
        "check": "--out --processes --probe",
        "audit": "--out --processes --record --docs --strict --unread",
        "clean": "--out",
        "reread": "--disagreements --strict --unread",
        "probe": "--checkpoint --folder",
        "explain": "--seed --id --out",
        "show": "--config --setup --split --seed --index --id --out",
        "show hi_tom": "--config --split --seed --index --id --out",
        "show mindgames": "--config --setup --split --seed --index --id --out",
    }.items(),
)
def test_help_mentions_every_option(run, command, options):
    code, printed, said = run(*command.split(), "--help")
    assert (code, said) == (0, "")
    assert printed.startswith(f"usage: python -m tom_datasets {command}")
    assert set(re.findall(r"--[a-z-]+", printed)) == {*options.split(), "--help"}


def test_help_lists_every_command_and_the_defaults(run):
    printed = run("--help")[1]
    assert [command for command in COMMANDS if not re.search(rf"^    {command} +[a-z]", printed, re.MULTILINE)] == []
    sizes = [ALL.train, ALL.validation, ALL.test, TOMH.test, REPRODUCTION.test]
    for name, defaults in (("hi_tom", sizes), ("mindgames", [700, 234, 120, 400, "2,3,4", 2, "3,4,5", 3, "3,4"])):
        printed = " ".join(run("build", name, "--help")[1].split())
        assert [default for default in defaults if f"default: {default})" not in printed] == []
        assert f"one of: {', '.join(languages())}" in printed
