"""Run lm-evaluation-harness and Inspect themselves (`make test-harnesses`) on small builds, without model or Hub."""

import contextlib
import json
import os
import re
import subprocess
import sys
from pathlib import Path
from string import ascii_uppercase

import datasets
import pyarrow.parquet as pq
import pytest
import yaml
from fake_hub import WRITE, Hub
from support import ROOT, sized

from tom_datasets import prompts
from tom_datasets.__main__ import main
from tom_datasets.hi_tom import builder as hi_tom
from tom_datasets.mindgames import builder as mindgames
from tom_datasets.story.config import order_name
from tom_datasets.syntax.formula import SETUPS

pytestmark = pytest.mark.harnesses

TASKS = ROOT / "tasks" / "lm_eval"
SIZES = {
    "hi_tom": sized(
        "hi_tom",
        train=3,
        validation=3,
        test=9,
        tomh=27,
        reproduction=6,
        deep=6,
        ladder=6,
        abilities=6,
        plans=3,
        woven=4,
    ),
    "mindgames": sized(
        "mindgames",
        train=6,
        validation=6,
        test=6,
        scale=6,
        reproduction=4,
        deep=6,
        deep_train=6,
        ladder=6,
        rounds_train=6,
        rounds=6,
    ),
}
ORDERS = [order_name(order) for order in range(5)]
CONFIGS = {
    "hi_tom": [*ORDERS, *(f"deep_{order}" for order in ORDERS)]
    + "all deep ladder abilities plans woven reproduction".split(),
    "mindgames": [*SETUPS, "all", "scale", "reproduction", "deep", "ladder", "rounds"],
}
KINDS = {"hi_tom": ("", "_reply", "_cot"), "mindgames": ("", "_5shot", "_reply")}
ALL = [f"{name}_{config}{kind}" for name in SIZES for config in CONFIGS[name] for kind in KINDS[name]]
ALL += [f"tomh{kind}" for kind in KINDS["hi_tom"]]
GROUPS = [name + kind for name in SIZES for kind in KINDS[name]]
TOGETHER = [
    *GROUPS,
    *(
        task
        for task in ALL
        if re.search("tomh|_all|_deep|_ladder|_abilities|_plans|_woven|_reproduction|_scale|_rounds", task)
    ),
]
"""Names that have every task once: the harness refuses a task that is also in a group."""
RIGHT = {"entailment": "True", "not_entailment": "False"}


@pytest.fixture(scope="module", autouse=True)
def cache(tmp_path_factory):
    """Keep what `datasets` reads here out of the user's cache."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(datasets.config, "HF_DATASETS_CACHE", str(tmp_path_factory.mktemp("cache")))
        yield


@pytest.fixture(scope="module")
def built(tmp_path_factory) -> Path:
    out = tmp_path_factory.mktemp("built")
    for name, sizes in SIZES.items():
        assert main(["build", name, "--out", str(out), "--probe", "none", *sizes]) == 0
    return out


@pytest.fixture(scope="module")
def served(built):
    """Have both folders on a Hub on loopback, as if they had been published."""
    with Hub() as hub:
        for name in SIZES:
            here = built / name
            files = {path.relative_to(here).as_posix(): path.read_bytes() for path in here.rglob("*") if path.is_file()}
            hub.create(f"me/{name}")
            hub.commit_as(f"me/{name}", files, user="me")
        yield hub


def run(home: Path, *words: str, cwd: Path, hub: Hub | None = None) -> str:
    """Run a program of this environment, online only to a Hub on loopback; return all that it prints."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("HF_", "HUGGING", "INSPECT"))}
    where = {"HF_ENDPOINT": hub.url, "HF_TOKEN": WRITE} if hub else {"HF_HUB_OFFLINE": "1"}
    env = {**kept, **where, "HF_HOME": str(home), "XDG_CACHE_HOME": str(home), "HF_HUB_DISABLE_XET": "1"}
    env |= {"NO_PROXY": "127.0.0.1", "COLUMNS": "400"}
    done = subprocess.run([sys.executable, *words], env=env, cwd=cwd, capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, f"{done.stdout}\n{done.stderr}"
    return done.stdout + done.stderr


def rows(built: Path, name: str, config: str) -> list[dict]:
    """Return the test rows of a config."""
    return pq.read_table(built / name / config / "test.parquet").to_pylist()


def printed_prompts(built: Path, capsys, name: str, *words: str) -> dict[str, str]:
    """Return what `python -m tom_datasets prompts` prints, by id."""
    capsys.readouterr()
    assert main(["prompts", name, "--out", str(built), *words]) == 0
    return {row["id"]: row["prompt"] for row in map(json.loads, capsys.readouterr().out.splitlines())}


# lm-evaluation-harness.


def evaluate(built: Path, tasks: list[str], knows, metadata: dict | None = None, **more) -> tuple[dict, dict]:
    """Return the metrics and the samples of tasks, of a model that answers right where `knows(row)`."""
    from lm_eval import simple_evaluate
    from lm_eval.api.model import LM
    from lm_eval.tasks import TaskManager

    class Oracle(LM):
        def loglikelihood(self, requests):
            likelihoods = []
            for request in requests:
                row, place, right = request.doc, request.idx, gold(request.doc)
                continuations = list(ascii_uppercase) if "choices" in row else list(RIGHT.values())
                assert request.args[1] == f" {continuations[place]}"
                wanted = right if knows(row) else (right + 1) % len(row.get("choices", RIGHT))
                likelihoods.append((0.0 if place == wanted else -1.0, False))
            return likelihoods

        def generate_until(self, requests):
            return [self.reply(request.doc) for request in requests]

        def reply(self, row):
            if "label" in row:
                return RIGHT[row["label"]] if knows(row) else "I cannot say."
            place = (row["answer_index"] + (not knows(row))) % len(row["choices"])
            return f"{ascii_uppercase[place]}. {row['choices'][place]}"

        def loglikelihood_rolling(self, requests):
            raise NotImplementedError

    about = {"where": str(built)} | (metadata or {})
    manager = TaskManager(include_path=str(TASKS), include_defaults=False, metadata=about)
    evaluation = simple_evaluate(model=Oracle(), tasks=tasks, task_manager=manager, bootstrap_iters=0, **more)
    figures = {
        task: {metric.removesuffix(",none"): value for metric, value in metrics.items() if metric.endswith(",none")}
        for task, metrics in evaluation["results"].items()
    }
    return figures, evaluation["samples"]


def gold(row: dict) -> int:
    """Return the place of what is right among what may be answered."""
    return row["answer_index"] if "choices" in row else list(RIGHT).index(row["label"])


def test_the_harness_runs_its_dummy_model_on_all_of_them(built, tmp_path):
    """Without metadata the folders are those in the working directory."""
    words = ("-m", "lm_eval", "run", "--model", "dummy", "--tasks", ",".join(TOGETHER), "--include_path", TASKS)
    printed = run(tmp_path, *map(str, words), "--output_path", str(tmp_path / "out"), cwd=built)
    (file,) = (tmp_path / "out").rglob("results_*.json")
    results = json.loads(file.read_text())
    assert set(results["results"]) == {*ALL, *GROUPS} and set(results["groups"]) == set(GROUPS)
    assert results["n-samples"]["hi_tom_all"]["effective"] == 45
    assert results["n-samples"]["mindgames_all_5shot"]["effective"] == 96
    assert "joint_acc_4" in printed and "block_acc" in printed
    for task in ("hi_tom_all_reply", "mindgames_all_reply"):
        assert results["results"][task]["unread,none"] == 1, "its reply names no choice"
        assert results["results"][task]["acc,none"] == 0
    assert results["n-samples"]["tomh"]["effective"] == 27
    assert results["n-samples"]["hi_tom_deep_3rd_order"]["effective"] == 6


def test_a_model_that_knows_all_has_everything_right(built):
    figures, _ = evaluate(built, TOGETHER, lambda row: True)
    for task, metrics in figures.items():
        assert {value for metric, value in metrics.items() if re.fullmatch(r"(joint_|block_)?acc(_\d)?", metric)} == {
            1.0
        }, task
        assert metrics.get("unread", 0) == 0
    assert set(figures["hi_tom_all"]) >= {"acc", "joint_acc", *(f"joint_acc_{order}" for order in range(5))}
    assert set(figures["mindgames_all_5shot"]) >= {"acc", "block_acc"}
    assert "block_acc" not in figures["mindgames_reproduction"], "its problems have no block"


@pytest.mark.parametrize("kind", ["", "_reply"])
def test_joint_accuracy_counts_a_question_with_all_that_are_below_it(built, kind):
    def fails(row):
        number = int(row["story_id"].split("-")[1])
        return {0: row["order"] == 2, 1: row["order"] == 4, 2: row["order"] == 0}.get(number % 4, False)

    figures, _ = evaluate(built, [f"hi_tom_all{kind}", f"hi_tom{kind}"], lambda row: not fails(row))
    # Nine stories: of 0, 4, 8 the orders 0 and 1 count, of 1 and 5 all but 4, of 2 and 6 none, of 3 and 7 all.
    counted = {0: 9 - 2, 1: 9 - 2, 2: 9 - 2 - 3, 3: 9 - 2 - 3, 4: 9 - 2 - 3 - 2}
    metrics = figures[f"hi_tom_all{kind}"]
    for order, right in counted.items():
        assert metrics[f"joint_acc_{order}"] == pytest.approx(right / 9)
    assert metrics["joint_acc"] == pytest.approx(sum(counted.values()) / 45)
    assert metrics["acc"] == pytest.approx((45 - 3 - 2 - 2) / 45) == figures[f"hi_tom{kind}"]["acc"]
    assert figures[f"hi_tom_2nd_order{kind}"]["acc"] == pytest.approx(6 / 9)


@pytest.mark.parametrize("kind", ["", "_reply"])
def test_block_accuracy_counts_blocks_that_are_all_right(built, kind):
    def fails(row):
        return int(row["block"][-6:]) % 3 == 0 and row["index"] % 4 == 1

    figures, _ = evaluate(built, [f"mindgames_all{kind}", f"mindgames{kind}"], lambda row: not fails(row))
    for task in (f"mindgames_all{kind}", f"mindgames{kind}", f"mindgames_internal{kind}"):
        assert figures[task]["block_acc"] == pytest.approx(4 / 6), task
        assert figures[task]["acc"] == pytest.approx(22 / 24), task
    if kind == "_reply":
        assert figures["mindgames_all_reply"]["unread"] == pytest.approx(2 / 24)


def test_a_limit_leaves_whole_stories_and_no_half_block(built):
    figures, _ = evaluate(built, ["hi_tom_all", "mindgames_all"], lambda row: row.get("order") != 1, limit=7)
    assert figures["hi_tom_all"]["joint_acc"] == pytest.approx(2 / 7), "a story of five questions, and two of another"
    assert figures["hi_tom_all"]["joint_acc_4"] == 0
    assert figures["mindgames_all"]["block_acc"] == 1


def test_chance_and_the_commonest_answer_stand_beside_accuracy(built):
    figures, _ = evaluate(built, ["hi_tom_all", "mindgames_all", "mindgames_reproduction_reply"], lambda row: True)
    assert figures["hi_tom_all"]["chance"] == pytest.approx(1 / 15)
    assert figures["hi_tom_all"]["joint_chance"] == pytest.approx(sum(15.0**-order for order in range(1, 6)) / 5)
    letters = [row["answer_index"] for row in rows(built, "hi_tom", "all")]
    assert figures["hi_tom_all"]["commonest"] == pytest.approx(max(map(letters.count, letters)) / 45)
    assert figures["mindgames_all"]["chance"] == figures["mindgames_all"]["commonest"] == 1 / 2
    assert figures["mindgames_all"]["block_chance"] == 1 / 16
    assert "block_chance" not in figures["mindgames_reproduction_reply"]


@pytest.mark.parametrize("config", ["all", "deep", "ladder", "reproduction"])
def test_a_limit_asks_all_setups(built, config):
    """Sorted by index, thousands of problems of one setup would come first."""
    task = f"mindgames_{config}"
    limit = 4 if config == "reproduction" else 16
    _, samples = evaluate(built, [task], lambda row: True, limit=limit)
    asked = [sample["doc"]["setup"] for sample in samples[task]]
    setups = {row["setup"] for row in rows(built, "mindgames", config)}
    assert {*asked} == setups and len(asked) == limit
    assert len({asked.count(setup) for setup in setups}) <= 2 - (limit % len(setups) == 0)


def test_no_examples_of_the_test_split_are_shown(built):
    tasks = ["hi_tom_0th_order", "mindgames_forehead", "mindgames_internal_5shot"]
    _, samples = evaluate(built, tasks, lambda row: True, num_fewshot=3, limit=4)
    asked = re.compile(r"\b(?:Question|Statement):")
    shown = {task: [len(asked.findall(sample["arguments"][0][0])) for sample in samples[task]] for task in tasks}
    assert shown == dict(zip(tasks, ([1] * 4, [1] * 4, [6] * 4), strict=True))


@pytest.mark.parametrize("rules", [None, *prompts.RULES])
def test_the_harness_asks_what_the_command_prints(built, capsys, rules):
    """By default with the rules of the config; `--metadata` names others."""
    tasks = {
        "hi_tom_all": ("hi_tom", "--style", "vp"),
        "hi_tom_all_reply": ("hi_tom", "--style", "vp"),
        "hi_tom_all_cot": ("hi_tom", "--style", "cotp"),
        "tomh_reply": ("hi_tom", "--style", "mc", "--config", "tomh"),
        "tomh_cot": ("hi_tom", "--style", "cot", "--config", "tomh"),
        "mindgames_all": ("mindgames",),
        "mindgames_all_reply": ("mindgames", "--style", "zero-shot"),
        "mindgames_all_5shot": ("mindgames", "--style", "five-shot"),
        "mindgames_explicit_5shot": ("mindgames", "--style", "five-shot", "--config", "explicit"),
    }
    _, samples = evaluate(built, list(tasks), lambda row: True, {"rules": rules} if rules else None)
    for task, words in tasks.items():
        printed = printed_prompts(built, capsys, *words, *(["--rules", rules] if rules else []))
        for sample in samples[task]:
            prompt = sample["arguments"][0][0]
            if task in ("hi_tom_all", "hi_tom_all_reply", "tomh_reply"):
                assert prompt.endswith("\n\nAnswer:")
                prompt = prompt.removesuffix("\n\nAnswer:")
            row = sample["doc"]
            assert prompt == printed[str(row.get("id", row.get("index")))]
        assert len(samples[task]) == len(printed)


# Inspect.


# The mock model counts tokens with a vocabulary that would be downloaded from elsewhere than the Hub: here, words do.
WORDS = """
import tiktoken
class Words:
    def encode(self, text, **_):
        return text.split()
tiktoken.get_encoding = lambda name: Words()
"""
INSPECT = f"""{WORDS}
from inspect_ai._cli.main import main
main()
"""
EVALUATE = f"""{WORDS}
import json, sys
from inspect_ai import eval
from inspect_ai.model import ModelOutput, get_model

task, rows, log = sys.argv[1], json.loads(open(sys.argv[2]).read()), sys.argv[3]

def reply(messages, tools, tool_choice, config):
    prompt = messages[-1].text
    (row,) = [row for row in rows if all(part in prompt for part in row["parts"])]
    return ModelOutput.from_content("mockllm/model", row["reply"])

(found,) = eval(task, model=get_model("mockllm/model", custom_outputs=reply), log_dir=log, display="none")
assert found.status == "success", found.error
scores = {{name: metric.value for score in found.results.scores for name, metric in score.metrics.items()}}
samples = [
    {{"prompt": sample.messages[0].text, "target": sample.target, **sample.metadata}} for sample in found.samples
]
print("FOUND" + json.dumps([scores, samples]))
"""


def inspected(home: Path, hub: Hub, task: str, replies: list[dict]) -> tuple[dict, list[dict]]:
    """Return the scores and samples of a task of the Hub, of a model with a reply for each row."""
    (home / "rows.json").write_text(json.dumps(replies))
    printed = run(home, "-c", EVALUATE, task, str(home / "rows.json"), str(home / "logs"), cwd=home, hub=hub)
    return json.loads(next(line for line in printed.splitlines() if line.startswith("FOUND"))[5:])


@pytest.mark.parametrize("name", list(SIZES))
def test_inspects_own_parser_takes_every_task(built, name):
    from inspect_ai._eval.task.hf import HFTask

    features = {"hi_tom": hi_tom, "mindgames": mindgames}[name].FEATURES
    parsed = [HFTask.model_validate(task) for task in yaml.safe_load((built / name / "eval.yaml").read_text())["tasks"]]
    assert parsed[0].id == "deep"
    there = sorted({path.parent.name for path in (built / name).rglob("*.parquet")} | {"all"})
    assert sorted(task.id for task in parsed) == sorted(task.config for task in parsed) == there
    for task in parsed:
        spec = task.field_spec
        assert {spec.input, spec.target, *spec.metadata, *([spec.choices] if spec.choices else [])} <= set(features)
        placeholders = {"prompt", "question", "choices", "letters", *spec.metadata}
        for solver in task.solvers:
            assert set(re.findall(r"\{(\w*)\}", solver.args.get("template", ""))) <= placeholders
    with contextlib.suppress(ImportError):
        from inspect_ai._eval.task.hf import parse_task_spec

        assert parse_task_spec(f"me/{name}/{parsed[0].id}") == (f"me/{name}", parsed[0].id)


LOCAL = ROOT / "tasks" / "inspect" / "theory_of_mind.py"


def test_a_local_folder_is_asked_and_scored_as_on_the_hub(built, served, tmp_path):
    asked_rows = rows(built, "hi_tom", "4th_order")
    answers = [
        {"parts": [row["story"], row["question"]], "reply": f"ANSWER: {ascii_uppercase[row['answer_index']]}"}
        for row in asked_rows
    ]
    for name in ("here", "hub"):
        (tmp_path / name).mkdir()
    alias = tmp_path / "here" / "local.py"
    alias.write_text(
        f"import sys\nsys.path.append({str(LOCAL.parent)!r})\nimport theory_of_mind\nfrom inspect_ai import task\n"
        f"@task\ndef questions():\n    return theory_of_mind.hi_tom('4th_order', {str(built)!r})\n"
    )
    scores, samples = inspected(tmp_path / "here", served, f"{alias}@questions", answers)
    on_hub, there = inspected(tmp_path / "hub", served, "hf/me/hi_tom/4th_order", answers)
    assert samples == there and samples[0]["id"] == asked_rows[0]["id"]
    assert scores["accuracy"] == on_hub["accuracy"] == 1
    assert scores["unread"] == 0 and scores["chance"] == pytest.approx(1 / 15) and 0 < scores["commonest"] < 1


@pytest.mark.parametrize(("name", "config"), [("hi_tom", "4th_order"), ("mindgames", "forehead"), ("hi_tom", "all_fr")])
def test_a_local_folder_is_scored_as_score_does(built, tmp_path, name, config):
    """A reply without an ANSWER line is read; chance, the commonest answer and what is unread stand beside accuracy."""
    import asyncio
    from types import SimpleNamespace

    from inspect_ai.scorer import SampleScore, Target

    from tasks.inspect import theory_of_mind

    asked = theory_of_mind.task_of(built / name, config)
    (score,), found = asked.scorer, []
    for place, sample in enumerate(asked.dataset):
        right = sample.target if isinstance(sample.target, str) else sample.target[0]
        forms = [f"The answer is {right}.", f"ANSWER: {right}", "I cannot say."]
        state = SimpleNamespace(
            choices=[SimpleNamespace(value=choice) for choice in sample.choices or ()],
            output=SimpleNamespace(completion=forms[place % 3]),
        )
        found.append(SampleScore(score=asyncio.run(score(state, Target(right)))))
    unread, chance, commonest = (getattr(theory_of_mind, each)()(found) for each in ("unread", "chance", "commonest"))
    assert {each.score.value for each in found[0::3]} == {each.score.value for each in found[1::3]} == {"C"}
    assert {each.score.value for each in found[2::3]} == {"I"}
    assert unread == pytest.approx(len(found[2::3]) / len(found))
    assert chance == pytest.approx(1 / 15 if name == "hi_tom" else 1 / 2)
    answers = [each.score.answer for each in found if each.score.answer]
    assert commonest == pytest.approx(max(map(answers.count, answers)) / len(found))


def test_what_a_local_folder_lacks_is_said(built, tmp_path):
    from tasks.inspect import theory_of_mind

    with pytest.raises(ValueError) as error:
        theory_of_mind.hi_tom("9th_order", str(built))
    listed = "it has deep, all, 0th_order, 1st_order"
    assert str(error.value).startswith(f"{built / 'hi_tom'} has no config 9th_order; {listed}")
    with pytest.raises(ValueError) as error:
        theory_of_mind.mindgames(where=str(tmp_path))
    reason = f"{tmp_path / 'mindgames'} holds no build: run make build, or name its folder with -T where=FOLDER"
    assert str(error.value) == reason


def test_inspect_scores_hi_tom(built, served, tmp_path):
    asked_rows = rows(built, "hi_tom", "4th_order")
    replies = [
        {
            "parts": [row["story"], row["question"]],
            "reply": f"Think.\n\nANSWER: {ascii_uppercase[(row['answer_index'] + (place % 3 == 0)) % 15]}",
        }
        for place, row in enumerate(asked_rows)
    ]
    scores, samples = inspected(tmp_path, served, "hf/me/hi_tom/4th_order", replies)
    assert scores["accuracy"] == pytest.approx(6 / 9)
    for row, sample in zip(asked_rows, samples, strict=True):
        assert sample["target"] == ascii_uppercase[row["answer_index"]] and sample["id"] == row["id"]
        listed = "\n".join(
            f"{letter}) {choice}" for letter, choice in zip(ascii_uppercase, row["choices"], strict=False)
        )
        start = prompts.ask("vp", row).partition("\n\nChoices:")[0]
        assert sample["prompt"].startswith(f"{start}\n\nChoices:\n{listed}\n\nGive your answer")
        assert sample["prompt"].endswith("where LETTER is one of A,B,C,D,E,F,G,H,I,J,K,L,M,N,O.")


def test_inspect_scores_mindgames(built, served, tmp_path):
    asked_rows = rows(built, "mindgames", "explicit")
    other = {"entailment": "not_entailment", "not_entailment": "entailment"}
    forms = ("ANSWER: {0}", "First I thought ANSWER: {1}, but\n\n**ANSWER: {0}**\n", "ANSWER: {1}", "{0}")
    replies = [
        {"parts": [prompts.ask("zero-shot", row)], "reply": forms[place % 4].format(row["label"], other[row["label"]])}
        for place, row in enumerate(asked_rows)
    ]
    scores, samples = inspected(tmp_path, served, "hf/me/mindgames/explicit", replies)
    assert scores["accuracy"] == pytest.approx(1 / 2)
    for row, sample in zip(asked_rows, samples, strict=True):
        assert sample["target"] == row["label"] and sample["block"] == row["block"]
        assert sample["prompt"].startswith(prompts.ask("zero-shot", row) + "\n\nEnd with a line of its own: 'ANSWER: ")
