"""Test prompts: their wording, that they give nothing away, their examples, and the command that prints them."""

import contextlib
import io
import itertools
import json
import os
import shutil
import subprocess
import sys
from collections import Counter, defaultdict
from functools import partial
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import yaml
from fake_hub import check_eval
from support import OF_ALL, ROOT, refused, sized

from tom_datasets import prompts
from tom_datasets.__main__ import main
from tom_datasets.folder.build import Build, checksum
from tom_datasets.logic.config import ORDERED
from tom_datasets.splits import language_of_name, plain_name
from tom_datasets.syntax.formula import SETUPS

SIZES = {
    "hi_tom": {"train": 3, "validation": 3, "test": 6, "tomh": 27, "reproduction": 6, "deep": 3, "ladder": 3},
    "mindgames": {"train": 6, "test": 24, "scale": 6, "reproduction": 16, "deep": 3, "ladder": 3}
    | {"rounds_train": 24, "rounds": 12},
}
"""Sizes of the builds; both have three stories or blocks of the ladder, and no validation split of deep."""
KNOWS = ("answer", "answer_index", "answer_published", "label", "deberta_pred", "deberta_confidence", "difficulty")
"""Columns that know the answer, or what a trained model made of it."""
STORY = "1 Ava and Noah entered the hall.\n2 The pear is in the red_box."
QUESTION = {
    "id": "one",
    "story": STORY,
    "question": "Where is the pear really?",
    "choices": ["red_box", "blue_box"],
    **OF_ALL,
}
PREMISE, HYPOTHESIS = "There are two persons.", "Ava can now know that Noah is thirsty."
PROBLEM = {"premise": PREMISE, "hypothesis": HYPOTHESIS, "setup": "internal", "language": "en"}
SOLVED = [
    {"premise": "P.", "hypothesis": "H.", "label": "entailment"},
    {"premise": "Q.", "hypothesis": "G.", "label": "not_entailment"},
]
RIGHT = {"entailment": "True", "not_entailment": "False"}
NOTE = (
    "Note: You should assume the following. "
    "(1) An agent witnesses everything and every movement before exiting a room. "
    "(2) An agent A can infer another agent B's mental state only if A and B have been in the same room, or have "
    "private or public interactions. "
    "(3) Note that every agent tend to lie. What a character tells others doesn't affect his actual belief. An agent "
    "tend to trust a agent that exited the room later than himself. The exit order is known to all agents. "
    "(4) Agents in private communications know that others won't hear them, but they know that anyone can hear any "
    "public claims."
)


def build(out, name, *more, **sizes):
    """Build a dataset with its sizes, or others."""
    with contextlib.redirect_stdout(io.StringIO()):  # a test reads only what it ran itself
        words = ("--probe", "none", *sized(name, **(sizes or SIZES[name])), *more)
        assert main(["build", name, "--out", str(out), *words]) == 0


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    """Build both datasets once; no test may change them."""
    out = tmp_path_factory.mktemp("built")
    for name in SIZES:
        build(out, name)
    return out


@pytest.fixture
def prompts_of(built, run):
    """Return the prompts that the command prints, by id, in the order of its lines."""

    def prompts_of(name, *words, out=built):
        code, printed, errors = run("prompts", name, "--out", out, *words)
        assert (code, errors) == (0, "")
        lines = [json.loads(line) for line in printed.splitlines()]
        assert all(list(line) == ["id", "prompt"] for line in lines)
        return {line["id"]: line["prompt"] for line in lines}

    return prompts_of


@pytest.fixture(scope="module")
def rows(built):
    """Return what reads the rows of a split."""
    return lambda name, config, split="test": pq.read_table(built / name / config / f"{split}.parquet").to_pylist()


def tasks_of(folder):
    """Return the tasks of a built folder's eval.yaml, by name."""
    return {task["id"]: task for task in yaml.safe_load((folder / "eval.yaml").read_text(encoding="utf-8"))["tasks"]}


# Wording.


@pytest.mark.parametrize(
    ("style", "how", "end"),
    [
        ("vp", "Provide the answer without explanation.", f"\n\n{NOTE}"),
        ("cotp", "Think step-by-step. Provide the answer first, and then explain it.", f"\n\n{NOTE}"),
        ("mc", "Provide the answer without explanation.", "."),
        ("cot", "Think step-by-step.", "."),
    ],
)
def test_the_prompts_of_both_hi_tom_papers(style, how, end):
    """EMNLP paper, Tables 7 and 8; workshop paper, Table 6."""
    assert prompts.ask(style, QUESTION, rules="paper") == (
        f"Read the following story and answer the multiple-choice question. {how}\n\nStory:\n{STORY}\n\n"
        f"Question: Where is the pear really?\n\nChoices: A. red_box, B. blue_box{end}"
    )


def test_the_prompt_of_mindgames_and_its_continuations():
    """MindGames, section 4.2."""
    plain = "There are two persons. Question: Ava can now know that Noah is thirsty. True or False?"
    assert prompts.ask("zero-shot", PROBLEM, rules="paper") == plain
    shown = "P. Question: H. True or False? True\n\nQ. Question: G. True or False? False\n\n"
    assert prompts.ask("five-shot", PROBLEM, SOLVED, rules="paper") == shown + plain
    assert prompts.wording("en").continuations == RIGHT


@pytest.mark.parametrize("reply", prompts.REPLIES)
def test_a_prompt_asks_for_the_line_that_is_paid_and_for_nothing_else(prompts_of, reply):
    """The contract ends the prompt; the examples keep it; the style no longer says how to reply."""
    line = "that is 'Answer: X' (without quotes) and nothing else, where X is {}."
    for style in prompts.STYLES["hi_tom"]:
        for prompt in prompts_of("hi_tom", "--style", style, "--reply", reply).values():
            assert prompt.endswith(line.format("the letter of one choice, or that choice itself"))
            assert not any(how in prompt for how in ("Provide the answer", "Think step-by-step"))
    for prompt in prompts_of("mindgames", "--style", "five-shot", "--reply", reply).values():
        assert prompt.endswith("True or False?\n\n" + prompt.split("\n\n")[-1])
        assert prompt.endswith(line.format("True or False"))
        assert prompt.count("True or False?\nAnswer: True\n") + prompt.count("True or False?\nAnswer: False\n") == 5


@pytest.mark.parametrize("style", prompts.STYLES["hi_tom"])
def test_our_rules_stand_before_the_story_in_every_style(style):
    """All else is the paper's: a server that has worked out the rules for one story need not do so for the next."""
    how, rules, *rest = prompts.ask(style, QUESTION).split("\n\n")
    assert rules.startswith("Rules, which everybody in the story knows:\n1. Whoever is in a room sees ")
    assert rules.endswith("\n12. Lines about likes, dislikes, losses and animals mean nothing.")
    paper = prompts.ask(style, QUESTION, rules="paper").removesuffix(f"\n\n{NOTE}").removesuffix(".")
    assert "\n\n".join([how, *rest]) == paper


@pytest.mark.parametrize(("style", "solved"), [("zero-shot", []), ("five-shot", SOLVED)])
def test_our_rules_stand_once_before_the_problems_of_mindgames(style, solved):
    rules, _, rest = prompts.ask(style, PROBLEM, solved).partition("\n\n")
    first = "Rules:\n1. Each person feels their own thirst, and cannot see that of others.\n2. At first"
    assert rules.startswith(first)
    assert rest.replace(" Statement: ", " Question: ") == prompts.ask(style, PROBLEM, solved, rules="paper")
    assert rest.count(" Statement: ") == len(solved) + 1


@pytest.mark.parametrize(
    ("row", "style", "rules", "message"),
    [
        (QUESTION, "vp", "house", "unknown rules 'house'; the rules are full, paper"),
        (QUESTION, "poem", "full", "unknown style 'poem'; the styles are vp, cotp, mc, cot, all-at-once"),
        (PROBLEM, "vp", "full", "unknown style 'vp'; the styles are zero-shot, five-shot"),
    ],
)
def test_unknown_rules_and_styles_are_refused(row, style, rules, message):
    with pytest.raises(ValueError) as raised:
        prompts.ask(style, row, rules=rules)
    assert str(raised.value) == message


# The command line.


@pytest.mark.parametrize("style", prompts.STYLES["hi_tom"])
def test_every_question_is_asked_once_in_the_order_of_the_rows(rows, prompts_of, style):
    expected = [(row["id"], prompts.ask(style, row)) for row in rows("hi_tom", "all")]
    assert list(prompts_of("hi_tom", "--style", style).items()) == expected
    assert style != "vp" or list(prompts_of("hi_tom").items()) == expected, "the default"


@pytest.mark.parametrize("name", SIZES)
def test_nothing_gives_the_answer_away(built, prompts_of, tmp_path, name):
    """Whatever the columns say that know it, the prompts are the same."""
    shutil.copytree(built, tmp_path / "other")
    for path in (tmp_path / "other" / name).rglob("test.parquet"):
        table = pq.read_table(path)
        for column in set(KNOWS) & set(table.column_names):
            kind = table.schema.field(column)
            table = table.set_column(table.column_names.index(column), kind, pa.nulls(len(table), kind.type))
        pq.write_table(table, path)
    for config, style in itertools.product(("all", "deep", "reproduction"), prompts.STYLES[name]):
        words = (name, "--config", config, "--style", style)
        assert prompts_of(*words) == prompts_of(*words, out=tmp_path / "other")


def test_the_same_build_gives_the_same_bytes(built, run):
    """Whatever the hashes of strings are in a process, and its locale."""
    words = ("prompts", "mindgames", "--style", "five-shot", "--config", "scale", "--out", str(built))
    environment = {**os.environ, "PYTHONHASHSEED": "2", "LC_ALL": "C", "PYTHONUTF8": "0"}
    command = [sys.executable, "-m", "tom_datasets", *words]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, check=True, env=environment)
    assert done.stdout.decode("utf-8") == run(*words)[1]


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full here")
def test_a_full_disk_is_one_line(built):
    command = [sys.executable, "-m", "tom_datasets", "prompts", "mindgames", "--out", str(built)]
    with open("/dev/full", "w") as full:
        done = subprocess.run(command, cwd=ROOT, stdout=full, stderr=subprocess.PIPE, text=True)
    assert done.returncode == 1 and done.stderr.count("\n") == 1
    assert done.stderr.startswith("error: standard output: No space left on device; ")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("hi_tom", "--config", ""), "unknown config ''; "),
        (("mindgames", "--config", "tomh"), "has all, forehead, "),
        (("hi_tom", "--split", "dev"), "all has no split 'dev'; it has train, validation, test"),
        (("hi_tom", "--style", "poem"), "unknown style 'poem'; the styles are vp, cotp, mc, cot, all-at-once"),
        (("mindgames", "--style", "vp"), "unknown style 'vp'; the styles are zero-shot, five-shot"),
    ],
)
def test_what_does_not_exist_is_one_line_that_says_what_does(built, run, words, message):
    refused(run("prompts", *words, "--out", built), message)


@pytest.mark.parametrize(
    ("words", "unit"),
    [
        (("hi_tom",), "story_id"),
        (("hi_tom", "--config", "deep"), "story_id"),
        (("mindgames", "--style", "five-shot"), "block"),
        (("mindgames", "--config", "reproduction"), "block"),
    ],
)
@pytest.mark.parametrize("limit", [1, 5, 7, 9999])
def test_a_limit_keeps_stories_and_blocks_whole(rows, prompts_of, words, unit, limit):
    every, few = prompts_of(*words), prompts_of(*words, "--limit", str(limit))
    asked = rows(words[0], words[2] if "--config" in words else "all")
    units = [row[unit] or row["index"] for row in asked]
    begun = set(units[:limit])
    assert list(few) == [row_id for row_id, of in zip(every, units, strict=True) if of in begun]
    assert few.items() <= every.items() and min(limit, len(every)) <= len(few)


# Examples that are shown.


def five(prompt):
    """Return the five problems that a prompt shows, each with its continuation."""
    *shown, last = prompt.replace(" Statement: ", " Question: ").split("\n\n")[-6:]
    assert last.endswith("True or False?") and len(shown) == 5
    return tuple(tuple(problem.rsplit(" ", 1)) for problem in shown)


@pytest.mark.parametrize("config", ["all", "explicit", "scale", "reproduction", "rounds"])
def test_five_examples_are_solved_problems_of_the_train_split_of_the_setup(rows, prompts_of, config):
    tested = {str(row["index"]): row for row in rows("mindgames", config)}
    prompts_by_id = prompts_of("mindgames", "--config", config, "--style", "five-shot")
    plain = prompts_of("mindgames", "--config", config, "--rules", "paper")
    assert prompts_by_id.keys() == plain.keys() == tested.keys() and len(tested) >= 48
    trained = defaultdict(set)
    for name in ("rounds",) if config == "rounds" else SETUPS:
        for row in rows("mindgames", name, "train"):
            trained[row["setup"]].add((prompts.ask("zero-shot", row, rules="paper"), RIGHT[row["label"]]))
    for index, prompt in prompts_by_id.items():
        shown = five(prompt)
        assert len(set(shown)) == 5 and set(shown) <= trained[tested[index]["setup"]]
        assert sorted(Counter(continuation for _, continuation in shown).values()) == [2, 3]
        assert prompt.replace(" Statement: ", " Question: ").endswith("\n\n" + plain[index])


@pytest.mark.parametrize("config", ["all", "scale"])
def test_the_labels_shown_say_nothing_of_the_label(rows, prompts_of, config):
    """The four problems of a block, two of each label, are shown the same; the majority goes by turns."""
    prompts_by_id = prompts_of("mindgames", "--config", config, "--style", "five-shot")
    labels = defaultdict(list)
    for row in rows("mindgames", config):
        labels[row["block"], five(prompts_by_id[str(row["index"])])].append(row["label"])
    assert all(sorted(block) == ["entailment"] * 2 + ["not_entailment"] * 2 for block in labels.values())
    orders = ["".join(continuation[0] for _, continuation in shown) for _, shown in labels]
    assert 2 * sum(order.count("T") == 3 for order in orders) == len(orders)
    assert len(set(orders)) > 8, "the order is drawn"


def test_a_row_is_never_shown_its_own_block(rows, prompts_of):
    """Also where prompts of the train split itself are asked for."""
    block_of = {row["premise"]: row["block"] for setup in SETUPS for row in rows("mindgames", setup, "train")}
    prompts_by_id = prompts_of("mindgames", "--split", "train", "--style", "five-shot")
    assert len(prompts_by_id) == 96
    for prompt in prompts_by_id.values():
        *shown, own = (block_of[part.split(" Statement: ")[0]] for part in prompt.split("\n\n")[-6:])
        assert own not in shown


@pytest.mark.parametrize(
    ("train", "message"),
    [
        (0, "explicit has no split 'train'; it has test"),
        (1, "5 examples need 3 of "),
    ],
)
def test_too_few_examples_or_none_are_one_line(tmp_path, run, train, message):
    build(tmp_path, "mindgames", train=train, test=6)
    refused(run("prompts", "mindgames", "--out", tmp_path, "--style", "five-shot"), message)
    assert run("prompts", "mindgames", "--out", tmp_path)[0] == 0, "without examples it is all right"


# Which rules a prompt has.


@pytest.mark.parametrize(
    ("name", "config", "default"),
    [
        ("hi_tom", "all", "full"), ("hi_tom", "3rd_order", "full"), ("hi_tom", "deep", "full"),
        ("hi_tom", "tomh", "paper"), ("hi_tom", "reproduction", "paper"),
        ("mindgames", "all", "full"), ("mindgames", "explicit", "full"), ("mindgames", "scale", "full"),
        ("mindgames", "reproduction", "paper"),
    ],
)  # fmt: skip
def test_what_repeats_the_published_data_has_the_published_rules_by_default(built, prompts_of, name, config, default):
    by_rules = {rules: prompts_of(name, "--config", config, "--rules", rules) for rules in prompts.RULES}
    assert prompts_of(name, "--config", config) == by_rules[default]
    assert all(("Rules" in prompt) == (rules == "full") for rules in by_rules for prompt in by_rules[rules].values())
    assert ("Rules" in json.dumps(tasks_of(built / name)[config])) == (default == "full")


def test_labels_by_the_published_semantics_are_asked_with_the_published_rules(tmp_path, prompts_of):
    """Our rules are those of `recursive`, which deep stories always have."""
    build(tmp_path, "hi_tom", "--semantics", "published")
    ours = {name for name, task in tasks_of(tmp_path / "hi_tom").items() if "Rules" in json.dumps(task)}
    assert {plain_name(name) for name in ours} == {"deep", "ladder"} <= ours
    for config in ("all", "4th_order", "deep"):
        prompt = next(iter(prompts_of("hi_tom", "--config", config, out=tmp_path).values()))
        assert ("Rules" in prompt) == (config in ours)


@pytest.mark.parametrize("style", prompts.STYLES["hi_tom"])
def test_only_stories_with_watchers_have_rules_about_them(prompts_of, style):
    for config, watchers in (("deep", True), ("all", False)):
        for prompt in prompts_of("hi_tom", "--config", config, "--style", style).values():
            assert ("secretly watches a room" in prompt) == watchers
            assert "An agent searches" not in prompt
    for prompt in prompts_of("hi_tom", "--config", "tomh", "--style", style, "--rules", "full").values():
        assert "An agent searches" in prompt and "secretly" not in prompt
    for prompt in prompts_of("hi_tom", "--config", "deep", "--style", style, "--rules", "paper").values():
        assert prompt.endswith(NOTE if style in ("vp", "cotp") else ".") and "Rules" not in prompt


# eval.yaml.


@pytest.mark.parametrize("name", SIZES)
def test_a_build_has_a_task_for_inspect_for_each_config(built, name):
    text = (built / name / "eval.yaml").read_text(encoding="utf-8")
    assert check_eval(text) == [], "the Hub validates it at each push"
    fields = {"id", "config", "split", "field_spec", "solvers", "scorers"}
    tasks = tasks_of(built / name)
    assert all(set(task) == fields for task in tasks.values()), "Inspect forbids others"
    layout = {path.parent.name for path in (built / name).glob("*/test.parquet")} | {"all"}
    assert next(iter(tasks)) == "deep" and set(tasks) == layout, "the leaderboard shows the first"
    assert [(task["config"], task["split"]) for task in tasks.values()] == [(config, "test") for config in tasks]
    assert Build.read(built / name, name).files["eval.yaml"]["sha256"] == checksum(built / name / "eval.yaml")


def test_the_tasks_for_inspect_have_the_wording_of_the_prompts(built):
    first, second = (solver["args"]["template"] for solver in tasks_of(built / "hi_tom")["4th_order"]["solvers"])
    rendered = second.replace("{question}", first).replace("{story}", STORY).replace("{prompt}", QUESTION["question"])
    start, end = prompts.ask("vp", QUESTION).split(" A. red_box, B. blue_box")
    assert rendered.startswith(f"{start}\n{{choices}}{end}\n\nGive your answer")
    problem = {"premise": "{premise}", "hypothesis": "{prompt}"}
    for name, task in tasks_of(built / "mindgames").items():
        template, plain = task["solvers"][0]["args"]["template"], plain_name(name)
        ask = partial(prompts.ask, "zero-shot", language=language_of_name(name))
        if plain in SETUPS:
            assert template.startswith(ask(problem | {"setup": plain}) + "\n\n")
        elif name == "reproduction":
            assert template.startswith("{premise} Question: {prompt} True or False?\n\nEnd with")
        elif plain == "rounds":  # all setups have the same rules
            assert template.startswith(ask(problem | {"setup": "hats"}) + "\n\n")
        else:  # its rows have several setups
            firsts = [ask(problem | {"setup": setup}).splitlines()[1] for setup in prompts.setups_of(name)]
            shown = [line for line in template.splitlines() if line.startswith("8. ")]
            if plain == name:
                told = ["told whether" in line and "shown a card" in line for line in shown] == [True]
                assert told is (name in ORDERED)
            assert len(shown) == (plain in ORDERED)
            between = "" if name.endswith("_zh") else " "
            assert template.splitlines()[1] == "1. " + between.join(first.removeprefix("1. ") for first in firsts)


@pytest.mark.parametrize("kinds", [["facts"], ["facts", "showings"]])
def test_only_kinds_with_showings_have_a_rule_about_them(kinds):
    text = prompts.inspect_tasks("mindgames", {"deep": {"test": ["a"]}}, {"deep": {"kinds": kinds}})
    assert ("8. Sometimes" in text) is ("showings" in kinds)


def test_a_build_without_a_test_split_has_tasks_on_its_last_one():
    text = prompts.inspect_tasks("hi_tom", {"all": {"train": ["a"], "validation": ["b"]}}, {})
    assert [task["split"] for task in yaml.safe_load(text)["tasks"]] == ["validation"]
