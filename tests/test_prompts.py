"""Test prompts: their wording, that they give nothing away, their examples, and the command that prints them."""

import itertools
import json
import os
import shutil
import subprocess
import sys
from collections import Counter
from pathlib import Path

import jinja2
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import yaml
from fake_hub import check_eval
from support import ROOT

from tom_datasets import prompts
from tom_datasets.__main__ import main
from tom_datasets.folder.build import Build, checksum
from tom_datasets.logic import config as problem_config
from tom_datasets.logic import rows as problem_rows
from tom_datasets.story import config as story_config
from tom_datasets.story import rows as story_rows
from tom_datasets.syntax.formula import SETUPS
from tom_datasets.wording.languages import templates

SIZES = {
    "hi_tom": (
        "--train 3 --validation 3 --test 6 --tomh 27 --reproduction 6 --deep-train 0 --deep-validation 0 --deep 3"
        " --ladder 6"
    ).split(),
    "mindgames": (
        "--train",
        "6",
        "--validation",
        "6",
        "--test",
        "24",
        "--scale",
        "6",
        "--reproduction",
        "16",
        "--deep-train",
        "6",
        "--deep-validation",
        "0",
        "--deep",
        "6",
        "--ladder",
        "6",
    ),  # fmt: skip
}
KNOWS = ("answer", "answer_index", "answer_published", "label", "deberta_pred", "deberta_confidence", "difficulty")
"""Columns that know the answer, or what a trained model made of it."""
STORY = "1 Ava and Noah entered the hall.\n2 The pear is in the red_box."
QUESTION = {"id": "one", "story": STORY, "question": "Where is the pear really?", "choices": ["red_box", "blue_box"]}
PROBLEM = {
    "premise": "There are two persons.",
    "hypothesis": "Ava can now know that Noah is thirsty.",
    "setup": "internal",
}
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


@pytest.fixture(scope="module")
def built(tmp_path_factory) -> Path:
    out = tmp_path_factory.mktemp("built")
    for name, sizes in SIZES.items():
        assert main(["build", name, "--out", str(out), "--probe", "none", *sizes]) == 0
    return out


@pytest.fixture
def prompts_of(built, capsys):
    """Return the prompts that the command prints, by id, in the order of its lines."""

    def prompts_of(name: str, *words: str, out: Path = built) -> dict[str, str]:
        capsys.readouterr()
        assert main(["prompts", name, "--out", str(out), *words]) == 0
        printed = capsys.readouterr()
        assert printed.err == ""
        lines = [json.loads(line) for line in printed.out.splitlines()]
        assert all(list(line) == ["id", "prompt"] for line in lines)
        return {line["id"]: line["prompt"] for line in lines}

    return prompts_of


def rows(built: Path, name: str, *files: str) -> list[dict]:
    return [row for file in files for row in pq.read_table(built / name / file).to_pylist()]


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
    row = PROBLEM
    plain = "There are two persons. Question: Ava can now know that Noah is thirsty. True or False?"
    assert prompts.ask("zero-shot", row, rules="paper") == plain
    shots = [
        {"premise": "P.", "hypothesis": "H.", "label": "entailment"},
        {"premise": "Q.", "hypothesis": "G.", "label": "not_entailment"},
    ]
    shown = "P. Question: H. True or False? True\n\nQ. Question: G. True or False? False\n\n"
    assert prompts.ask("five-shot", row, shots, rules="paper") == shown + plain
    assert prompts.wording("en").continuations == {"entailment": "True", "not_entailment": "False"}


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
def test_our_rules_stand_where_the_note_stands_in_every_style(style):
    start = prompts.ask("vp", QUESTION, rules="paper").removesuffix(f"\n\n{NOTE}")
    prompt = prompts.ask(style, QUESTION)
    assert prompt.partition("\n\nRules, ")[0].split("\n\nStory:")[1] == start.split("\n\nStory:")[1]
    assert prompt.endswith("\n12. Lines about likes, dislikes, losses and animals mean nothing.")
    assert "Note:" not in prompt


def test_our_rules_stand_once_before_the_problems_of_mindgames():
    shots = [{"premise": "P.", "hypothesis": "H.", "label": "entailment"}]
    for style, solved in (("zero-shot", []), ("five-shot", shots)):
        rules, _, rest = prompts.ask(style, PROBLEM, solved).partition("\n\n")
        assert rules.startswith(
            "Rules:\n1. Each person feels their own thirst, and cannot see that of others.\n2. At first"
        )
        assert rest.replace(" Statement: ", " Question: ") == prompts.ask(style, PROBLEM, solved, rules="paper")
        assert rest.count(" Statement: ") == len(solved) + 1


def test_unknown_rules_are_refused():
    with pytest.raises(ValueError) as raised:
        prompts.ask("vp", QUESTION, rules="house")
    assert str(raised.value) == "unknown rules 'house'; there are full, paper"


def test_a_prompt_is_made_of_its_columns_only():
    for dataset, row in (("hi_tom", QUESTION), ("mindgames", {**PROBLEM, "index": 1})):
        for style, rules in itertools.product(prompts.STYLES[dataset], prompts.RULES):
            assert prompts.ask(style, {name: row[name] for name in prompts.COLUMNS[dataset]}, rules=rules)
    assert not set(KNOWS) & {*itertools.chain(*prompts.COLUMNS.values()), *prompts.EXAMPLE_COLUMNS}
    with pytest.raises(ValueError, match="unknown style 'poem'"):
        prompts.ask("poem", QUESTION)


def test_what_the_template_lacks_is_an_error():
    with pytest.raises(jinja2.UndefinedError):
        templates("en").from_string(
            "{% import 'prompts.jinja' as p %}{{ p.story_and_question('poem', 's', 'q') }}"
        ).render()
    with pytest.raises(jinja2.UndefinedError):
        prompts.ask("vp", {**QUESTION, "choices": [f"box_{number}" for number in range(27)]})


# The command line.


@pytest.mark.parametrize("style", prompts.STYLES["hi_tom"])
def test_every_question_is_asked_once_in_the_order_of_the_rows(built, prompts_of, style):
    prompts_by_id = prompts_of("hi_tom", "--style", style)
    expected = rows(built, "hi_tom", "all/test.parquet")
    assert list(prompts_by_id.items()) == [(row["id"], prompts.ask(style, row)) for row in expected]


def test_the_default_style_is_that_of_the_paper(built, prompts_of):
    assert prompts_of("hi_tom") == prompts_of("hi_tom", "--config", "all", "--split", "test", "--style", "vp")
    assert prompts_of("hi_tom", "--config", "tomh") == prompts_of("hi_tom", "--config", "tomh", "--style", "mc")
    assert prompts_of("mindgames") == prompts_of("mindgames", "--style", "zero-shot")
    assert list(prompts_of("hi_tom", "--config", "4th_order", "--split", "train")) == [
        row["id"] for row in rows(built, "hi_tom", "4th_order/train.parquet")
    ]


@pytest.mark.parametrize(
    ("name", "config", "styles"),
    [(name, config, prompts.STYLES[name]) for name, config in (
        ("hi_tom", "all"), ("hi_tom", "tomh"), ("hi_tom", "reproduction"),
        ("mindgames", "all"), ("mindgames", "scale"), ("mindgames", "reproduction"))],
)  # fmt: skip
def test_nothing_gives_the_answer_away(built, prompts_of, tmp_path, name, config, styles):
    """Whatever the columns say that know it, the prompts are the same."""
    shutil.copytree(built, tmp_path / "other")
    where = tmp_path / "other" / name
    for path in where.rglob("test.parquet"):
        table = pq.read_table(path)
        for column in set(KNOWS) & set(table.column_names):
            kind = table.schema.field(column)
            void = pa.nulls(len(table), kind.type)
            table = table.set_column(table.column_names.index(column), kind, void)
        pq.write_table(table, path)
    for style in styles:
        words = ("--config", config, "--style", style)
        assert prompts_of(name, *words) == prompts_of(name, *words, out=tmp_path / "other")


def test_the_same_build_gives_the_same_bytes(built):
    """Whatever the hashes of strings are in a process."""
    for words in (("hi_tom", "--style", "cotp"), ("mindgames", "--style", "five-shot", "--config", "scale")):
        command = [sys.executable, "-m", "tom_datasets", "prompts", *words, "--out", str(built)]
        printed = {
            subprocess.run(command, cwd=ROOT, capture_output=True, check=True, env={**os.environ, **more}).stdout
            for more in ({"PYTHONHASHSEED": "1"}, {"PYTHONHASHSEED": "2", "LC_ALL": "C", "PYTHONUTF8": "0"})
        }
        assert len(printed) == 1 and printed.pop().decode("utf-8").endswith('"}\n')


def test_who_reads_may_stop(built):
    command = f"set -o pipefail; {sys.executable} -m tom_datasets prompts mindgames --out {built} | head -n 1"
    done = subprocess.run(["bash", "-c", command], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0 and done.stderr == "" and len(done.stdout.splitlines()) == 1


def test_a_full_disk_is_one_line(built):
    if not Path("/dev/full").exists():
        pytest.skip("there is no /dev/full here")
    command = [sys.executable, "-m", "tom_datasets", "prompts", "mindgames", "--out", str(built)]
    with open("/dev/full", "w") as full:
        done = subprocess.run(command, cwd=ROOT, stdout=full, stderr=subprocess.PIPE, text=True)
    why = "error: standard output: No space left on device; what was printed is not whole\n"
    assert (done.returncode, done.stderr) == (1, why)


WRONG = {
    "config": (("hi_tom", "--config", "5th_order"), "unknown config '5th_order'; ", "4th_order, tomh, reproduction"),
    "config of the other": (("mindgames", "--config", "tomh"), "unknown config 'tomh'; ", "has all, forehead, "),
    "split": (("hi_tom", "--split", "dev"), "all has no split 'dev'; it has train, validation, test", ""),
    "split of a config": (
        ("mindgames", "--config", "scale", "--split", "train"),
        "scale has no split 'train'; ",
        "test",
    ),
    "style": (("hi_tom", "--style", "poem"), "unknown style 'poem'; the styles of hi_tom are vp, cotp, mc, cot", ""),
    "style of the other": (("mindgames", "--style", "vp"), "the styles of mindgames are zero-shot, five-shot", ""),
    "no config": (("hi_tom", "--config", ""), "unknown config ''; ", "tomh"),
}


@pytest.mark.parametrize("wrong", WRONG)
def test_what_does_not_exist_is_one_line_that_says_what_does(built, capsys, wrong):
    words, *parts = WRONG[wrong]
    capsys.readouterr()
    assert main(["prompts", *words, "--out", str(built)]) == 1
    printed = capsys.readouterr()
    assert printed.out == "" and len(printed.err.splitlines()) == 1 and printed.err.startswith("error: ")
    assert all(part in printed.err for part in parts)


def test_a_dataset_that_does_not_exist_or_is_not_built(capsys, tmp_path):
    with pytest.raises(SystemExit) as end:
        main(["prompts", "tom"])
    assert end.value.code == 2 and "invalid choice: 'tom'" in capsys.readouterr().err
    assert main(["prompts", "hi_tom", "--out", str(tmp_path)]) == 1
    assert capsys.readouterr().err == (
        f"error: {tmp_path / 'hi_tom'} holds no build of hi_tom (no build.json): run make build first\n"
    )


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
def test_a_limit_keeps_stories_and_blocks_whole(built, prompts_of, words, unit, limit):
    id_column = "id" if words[0] == "hi_tom" else "index"
    every, few = prompts_of(*words), prompts_of(*words, "--limit", str(limit))
    asked = [row for path in (built / words[0]).glob("*/test.parquet") for row in pq.read_table(path).to_pylist()]
    unit_of = {str(row[id_column]): row[unit] or row[id_column] for row in asked if str(row[id_column]) in every}
    sizes = Counter(unit_of.values())
    begun = list(dict.fromkeys(unit_of[row_id] for row_id in every))
    first = {unit for place, unit in enumerate(begun) if sum(sizes[other] for other in begun[:place]) < limit}
    assert list(few.items()) == [(row_id, prompt) for row_id, prompt in every.items() if unit_of[row_id] in first]
    assert min(limit, len(every)) <= len(few) < limit + max(sizes.values())


def test_nothing_is_printed_where_the_file_cannot_be_read(built, capsys, tmp_path):
    shutil.copytree(built / "hi_tom", tmp_path / "hi_tom")
    (tmp_path / "hi_tom" / "all" / "test.parquet").write_bytes(b"PAR1")
    capsys.readouterr()
    assert main(["prompts", "hi_tom", "--out", str(tmp_path)]) == 1
    printed = capsys.readouterr()
    assert printed.out == "" and "all/test.parquet cannot be read as Parquet" in printed.err
    (tmp_path / "hi_tom" / "all" / "test.parquet").unlink()
    assert main(["prompts", "hi_tom", "--out", str(tmp_path)]) == 1
    assert "all/test.parquet is missing: build again" in capsys.readouterr().err


# Examples that are shown.


def five(prompt: str) -> list[tuple[str, str]]:
    """Return the five problems that a prompt shows, each with its continuation."""
    *shown, last = prompt.replace(" Statement: ", " Question: ").split("\n\n")[-6:]
    assert last.endswith("True or False?") and len(shown) == 5
    return [tuple(problem.rsplit(" ", 1)) for problem in shown]


@pytest.mark.parametrize("config", ["all", "explicit", "scale", "reproduction"])
def test_five_examples_are_solved_problems_of_the_train_split_of_the_setup(built, prompts_of, config):
    tested = {str(row["index"]): row for row in rows(built, "mindgames", f"{config}/test.parquet")}
    prompts_by_id = prompts_of("mindgames", "--config", config, "--style", "five-shot")
    plain = prompts_of("mindgames", "--config", config, "--rules", "paper")
    assert prompts_by_id.keys() == plain.keys() <= tested.keys() and len(prompts_by_id) >= 64
    trained = {
        setup: {
            (
                prompts.ask("zero-shot", row, rules="paper"),
                {"entailment": "True", "not_entailment": "False"}[row["label"]],
            )
            for row in rows(built, "mindgames", f"{setup}/train.parquet")
        }
        for setup in SETUPS
    }
    for index, prompt in prompts_by_id.items():
        shown = five(prompt)
        assert len(set(shown)) == 5 and set(shown) <= trained[tested[index]["setup"]]
        assert sorted(Counter(continuation for _, continuation in shown).values()) == [2, 3]
        assert prompt.replace(" Statement: ", " Question: ").endswith("\n\n" + plain[index])


def test_the_labels_shown_say_nothing_of_the_label(built, prompts_of):
    """The four problems of a block, two of each label, are shown the same; the majority goes by turns."""
    labels = {str(row["index"]): row for path in (built / "mindgames").glob("*/test.parquet")
              for row in pq.read_table(path).to_pylist()}  # fmt: skip
    for config in ("all", "scale"):
        prompts_by_id = prompts_of("mindgames", "--config", config, "--style", "five-shot")
        blocks: dict[str, dict[str, list]] = {}
        for index, prompt in prompts_by_id.items():
            blocks.setdefault(labels[index]["block"], {}).setdefault(json.dumps(five(prompt)), []).append(index)
        majorities = Counter()
        orders = Counter()
        for shown in blocks.values():
            ((spelled, indices),) = shown.items()
            assert Counter(labels[index]["label"] for index in indices) == {"entailment": 2, "not_entailment": 2}
            continuations = [continuation for _, continuation in json.loads(spelled)]
            majorities[Counter(continuations).most_common(1)[0][0]] += 1
            orders["".join(continuation[0] for continuation in continuations)] += 1
        assert majorities["True"] == majorities["False"]
        assert len(orders) > 8, "the order is drawn"


def test_a_row_is_never_shown_its_own_block(built, prompts_of):
    """Also where prompts of the train split itself are asked for."""
    block_of = {
        row["premise"]: row["block"] for setup in SETUPS for row in rows(built, "mindgames", f"{setup}/train.parquet")
    }
    prompts_by_id = prompts_of("mindgames", "--split", "train", "--style", "five-shot")
    assert len(prompts_by_id) == 96
    for prompt in prompts_by_id.values():
        premises = [part.split(" Statement: ")[0] for part in prompt.split("\n\n")[-6:]]
        own = block_of[premises[-1]]
        assert own not in {block_of[premise] for premise in premises[:-1]}


def test_examples_depend_on_the_seed_and_the_row_only():
    pool = {
        label: [{"premise": f"{label} {number}", "label": label, "block": f"b{number}"} for number in range(9)]
        for label in ("entailment", "not_entailment")
    }
    row = {"premise": "p", "block": "x", "setup": "internal", "seed": 3, "index": 40}
    shown = prompts.shots(row, pool)
    assert prompts.shots({**row, "index": 43, "premise": "q"}, pool) == shown, "of the same block"
    assert prompts.shots({**row, "index": 44}, pool) != shown
    assert prompts.shots({**row, "seed": 4}, pool) != shown
    assert Counter(shot["label"] for shot in shown) == {"entailment": 3, "not_entailment": 2}
    assert Counter(shot["label"] for shot in prompts.shots({**row, "index": 44}, pool))["entailment"] == 2
    for number in range(9):
        own = {**row, "block": f"b{number}", "premise": f"entailment {(number + 1) % 9}"}
        chosen = prompts.shots(own, pool)
        assert own["block"] not in {shot["block"] for shot in chosen}
        assert own["premise"] not in {shot["premise"] for shot in chosen}


def test_too_few_examples_or_none_are_one_line(tmp_path, capsys):
    sizes = ("--validation", "0", "--test", "6", "--scale", "6", "--reproduction", "4", "--probe", "none",
             "--deep-train", "0", "--deep-validation", "0", "--deep", "3", "--ladder", "0")  # fmt: skip
    for train, why in (("0", "has no train split of explicit, from which the examples are taken: build one"),
                       ("1", "5 examples need 3 of ")):  # fmt: skip
        out = tmp_path / train
        assert main(["build", "mindgames", "--out", str(out), "--train", train, *sizes]) == 0
        capsys.readouterr()
        assert main(["prompts", "mindgames", "--out", str(out), "--style", "five-shot"]) == 1
        printed = capsys.readouterr()
        assert printed.out == "" and why in printed.err and len(printed.err.splitlines()) == 1
        assert main(["prompts", "mindgames", "--out", str(out)]) == 0, "without examples it is all right"


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
    (task,) = [
        task
        for task in yaml.safe_load((built / name / "eval.yaml").read_text(encoding="utf-8"))["tasks"]
        if task["id"] == config
    ]
    assert ("Rules" in json.dumps(task)) == (default == "full")


def test_labels_by_the_published_semantics_are_asked_with_the_published_rules(tmp_path, prompts_of):
    """Our rules are those of `recursive`, which deep stories always have."""
    words = ["--semantics", "published", "--probe", "none", *SIZES["hi_tom"]]
    assert main(["build", "hi_tom", "--out", str(tmp_path), *words]) == 0
    tasks = yaml.safe_load((tmp_path / "hi_tom" / "eval.yaml").read_text(encoding="utf-8"))["tasks"]
    ours = {task["id"] for task in tasks if "Rules" in json.dumps(task)}
    assert ours == {"deep", "ladder"}
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


@pytest.mark.parametrize("name", list(SIZES))
def test_a_build_has_a_task_for_inspect_for_each_config(built, name, tmp_path):
    text = (built / name / "eval.yaml").read_text(encoding="utf-8")
    assert check_eval(text) == [], "the Hub validates it at each push"
    tasks = yaml.safe_load(text)["tasks"]
    fields = {"id", "config", "split", "field_spec", "solvers", "scorers"}
    assert all(set(task) == fields for task in tasks), "Inspect forbids others; test_harnesses.py asks its own parser"
    configs, rows = {"hi_tom": (story_config, story_rows), "mindgames": (problem_config, problem_rows)}[name]
    others = (
        [configs.TOMH, configs.REPRODUCTION, configs.DEEP, configs.LADDER]
        if name == "hi_tom"
        else [configs.SCALE, configs.REPRODUCTION, configs.DEEP, configs.LADDER]
    )
    layout = rows.layout([configs.ALL, *others])
    assert [(task["id"], task["config"], task["split"]) for task in tasks] == [
        (config, config, "test") for config in dict.fromkeys(["deep", *layout])
    ], "the leaderboard shows the first"
    known = Build.read(built / name, name)
    assert known.files["eval.yaml"]["sha256"] == checksum(built / name / "eval.yaml")
    assert main(["build", name, "--out", str(tmp_path), "--probe", "none", *SIZES[name]]) == 0
    assert (tmp_path / name / "eval.yaml").read_text(encoding="utf-8") == text


def test_the_tasks_for_inspect_have_the_wording_of_the_prompts(built):
    tasks = yaml.safe_load((built / "hi_tom" / "eval.yaml").read_text())["tasks"]
    (task,) = [task for task in tasks if task["id"] == "4th_order"]
    first, second = (solver["args"]["template"] for solver in task["solvers"])
    rendered = second.replace("{question}", first).replace("{story}", STORY).replace("{prompt}", QUESTION["question"])
    start, end = prompts.ask("vp", QUESTION).split(" A. red_box, B. blue_box")
    assert rendered.startswith(f"{start}\n{{choices}}{end}\n\nGive your answer")
    tasks = yaml.safe_load((built / "mindgames" / "eval.yaml").read_text())["tasks"]
    problem = {"premise": "{premise}", "hypothesis": "{prompt}"}
    for task in tasks:
        template = task["solvers"][0]["args"]["template"]
        if task["id"] in SETUPS:
            assert template.startswith(prompts.ask("zero-shot", problem | {"setup": task["id"]}) + "\n\nEnd with")
        elif task["id"] == "reproduction":
            assert template.startswith("{premise} Question: {prompt} True or False?\n\nEnd with")
        else:  # its rows have several setups
            ordered = task["id"] in prompts.ORDERED
            setups = [setup for setup in SETUPS if not (ordered and setup == "forehead_mirror")]
            firsts = [prompts.ask("zero-shot", problem | {"setup": setup}).splitlines()[1] for setup in setups]
            shown = [line for line in template.splitlines() if line.startswith("8. Sometimes, in front of everybody")]
            assert (["told whether" in line and "shown a card" in line for line in shown] == [True]) is ordered
            assert template.splitlines()[1] == "1. " + " ".join(first.removeprefix("1. ") for first in firsts)


@pytest.mark.parametrize("kinds", [["facts"], ["facts", "showings"]])
def test_only_kinds_with_showings_have_a_rule_about_them(kinds):
    text = prompts.inspect_tasks("mindgames", {"deep": {"test": ["a"]}}, "en", {"deep": {"kinds": kinds}})
    assert ("8. Sometimes" in text) is ("showings" in kinds)


def test_a_build_without_a_test_split_has_tasks_on_its_last_one():
    text = prompts.inspect_tasks("hi_tom", {"all": {"train": ["a"], "validation": ["b"]}}, "en", {})
    assert [task["split"] for task in yaml.safe_load(text)["tasks"]] == ["validation"]
