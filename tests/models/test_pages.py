"""Run the lines of the pages evaluate.md and train.md with a real small model, each at its smallest size."""

import json
import os
import re
import shlex
import subprocess
import sys

import pytest
from fake_hub import WRITE, Hub
from support import ROOT

pytestmark = pytest.mark.models

PAGES = {name: (ROOT / "docs" / "how_to" / f"{name}.md").read_text(encoding="utf-8") for name in ("evaluate", "train")}


@pytest.fixture(scope="module")
def served(tiny_build):
    """Have both tiny builds on a Hub on loopback, as if they had been published."""
    with Hub() as hub:
        for name in ("hi_tom", "mindgames"):
            folder = tiny_build(name) / name
            files = {file.relative_to(folder).as_posix(): file.read_bytes() for file in folder.rglob("*.*")}
            hub.create(f"me/{name}")
            hub.commit_as(f"me/{name}", files, user="me")
        yield hub


@pytest.fixture
def said(tiny_build, tmp_path):
    """Return what runs a program of this environment where both builds are, and returns all that it prints."""
    for name in ("hi_tom", "mindgames"):
        (tmp_path / name).symlink_to(tiny_build(name) / name)

    def said(*words, hub=None):
        kept = {name: value for name, value in os.environ.items() if not name.startswith(("HF_", "HUGGING", "INSPECT"))}
        where = {"HF_ENDPOINT": hub.url, "HF_TOKEN": WRITE} if hub else {"HF_HUB_OFFLINE": "1"}
        own = {"HF_HOME": str(tmp_path), "XDG_CACHE_HOME": str(tmp_path), "HF_HUB_DISABLE_XET": "1"}
        env = kept | where | own | {"NO_PROXY": "127.0.0.1", "COLUMNS": "400", "CUDA_VISIBLE_DEVICES": ""}
        words = [sys.executable, *map(str, words)]
        done = subprocess.run(words, env=env, cwd=tmp_path, capture_output=True, text=True, timeout=900)
        assert done.returncode == 0, f"{done.stdout}\n{done.stderr}"
        return done.stdout + done.stderr

    return said


def lines(begin, page="evaluate"):
    """Return the words of all lines of a page that begin so, in its blocks of commands."""
    text = PAGES[page].replace("NAMESPACE", "me")
    found = [line for block in re.findall(r"^```text\n(.*?)^```", text, re.M | re.S) for line in block.splitlines()]
    return [shlex.split(line, comments=True)[1:] for line in found if line.startswith(begin)]


def test_the_lines_for_the_harness(said, served, smollm2):
    evaluations = lines("lm_eval run")
    assert len(evaluations) == 3 and lines("pip install") and lines("python -m tom_datasets build")
    for words in evaluations:
        at = words.index("--model_args") + 1
        assert words[at].startswith("pretrained=")
        words[at], words[words.index("tasks/lm_eval")] = f"pretrained={smollm2}", ROOT / "tasks" / "lm_eval"
        hub = served if "--metadata" in words else None
        printed = said("-m", "lm_eval", *words, "--limit", "2", "--apply_chat_template", hub=hub)
        (task,) = [word for word in words if word in ("hi_tom_all", "mindgames_all", "tomh")]
        assert re.search(rf"^\|{task} *\|", printed, re.M) and re.search(r"\|commonest *\|", printed), printed
        assert re.search(r"\|acc +\|", printed), printed


@pytest.mark.parametrize("way", ["hf/me/", "tasks/inspect/"])
def test_the_lines_for_inspect(said, served, smollm2, tmp_path, way):
    evaluations = [words for words in lines("inspect eval") if words[1].startswith(way)]
    assert evaluations and lines("inspect view")
    for words in evaluations:
        words[words.index("--model") + 1] = "hf/local"
        words = [str(ROOT / word) if word.startswith("tasks/") else word for word in words]
        words = [word.replace("FOLDER", str(tmp_path)) for word in words]
        if way.startswith("tasks/") and f"where={tmp_path}" not in words:
            words += ["-T", f"where={tmp_path}"]  # else the clone's own builds are asked
        assert "--model hf/local -M model_path=FOLDER -M do_sample=False" in PAGES["evaluate"]
        small = ("-M", f"model_path={smollm2}", "-M", "do_sample=False", "--limit", "2", "--max-tokens", "8")
        printed = said("-m", "inspect_ai", *words, *small, hub=served if way.startswith("hf/") else None)
        assert "accuracy" in printed and "error" not in printed.lower(), printed


def test_the_lines_for_a_program_of_your_own(said, tmp_path, tiny_build):
    """The command that asks takes the model from its package; what it wrote is scored as the page says."""
    (ask, *_), (score,) = lines("python -m tom_datasets ask"), lines("python -m tom_datasets score hi_tom --out try")
    (tmp_path / "try").symlink_to(tiny_build("hi_tom"))
    said(*ask, "--limit", "5", "--max-tokens", "8")
    replies = [json.loads(line) for line in (tmp_path / "smollm2.jsonl").read_text().splitlines()]
    assert len(replies) == 5 and all(reply["usage"]["prompt_tokens"] > 1_000 for reply in replies)
    score = [word.replace("answers.jsonl", "smollm2.jsonl") for word in score]
    printed = said(*score, "--config", "deep", "--partial")
    assert "accuracy by chance" in printed and "commonest answer" in printed
    assert json.loads((tmp_path / "report.json").read_text())["scores"]


def test_the_lines_for_rewards(said, smollm2, tmp_path):
    """GRPO, as printed, for one step of two short replies instead of a thousand steps of eight long ones."""
    (code,) = [block for block in re.findall(r"```py\n(.*?)```", PAGES["train"], re.S) if "GRPOTrainer" in block]
    assert "max_steps=1_000" in code
    less = "max_steps=1, per_device_train_batch_size=2, num_generations=2, max_completion_length=8, bf16=False"
    code = code.replace("max_steps=1_000", f"{less}, report_to=[], logging_steps=1")
    printed = said("-c", f"MODEL = {str(smollm2)!r}\n{code}")
    rewards = [float(found) for found in re.findall(r"'rewards?/answer_reward/mean': '?([\d.]+)", printed)]
    assert len(rewards) == 1 and all(0 <= paid <= 1 for paid in rewards), printed
    assert list((tmp_path / "out").rglob("model.safetensors"))
