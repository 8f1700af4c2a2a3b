"""Train and evaluate with other people's tools themselves (`make test-trainers`), without a network or a real model."""

import json
import os
import re
import shutil
import subprocess
import sys
import threading
import zipfile
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import islice
from pathlib import Path

import pytest
from support import ROOT, copy_sources

from tom_datasets.story.acting.interview import AFTER, Interview
from tom_datasets.streaming.endless import endless
from tom_datasets.streaming.episodes import episodes
from tom_datasets.training.chat import answer_of, prompt_of

pytestmark = pytest.mark.trainers

BUILD = "from setuptools import build_meta; import sys; print(build_meta.build_wheel(sys.argv[1]))"


@pytest.fixture(scope="module")
def installed(tmp_path_factory) -> Path:
    """Return a folder that holds what the wheels of the project and of the environment for verifiers install."""
    source, wheels = tmp_path_factory.mktemp("source"), tmp_path_factory.mktemp("wheels")
    copy_sources(source)
    shutil.copytree(ROOT / "tasks" / "verifiers", source / "environment")
    folder = tmp_path_factory.mktemp("installed")
    for project in (source, source / "environment"):
        subprocess.run([sys.executable, "-c", BUILD, wheels], cwd=project, check=True, capture_output=True, timeout=180)
    for path in wheels.glob("*.whl"):
        with zipfile.ZipFile(path) as wheel:
            wheel.extractall(folder)
    return folder


def run(folder: Path, *words: str, **env: str) -> str:
    """Run a program of this environment in a folder, without the Hub; return all that it prints."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("HF_", "PRIME_", "OPENAI"))}
    offline = {"HF_HUB_OFFLINE": "1", "HF_HOME": str(folder), "NO_PROXY": "127.0.0.1", "COLUMNS": "200"}
    done = subprocess.run(
        [sys.executable, *map(str, words)], env={**kept, **offline, **env}, cwd=folder, capture_output=True, text=True,
        timeout=300,
    )  # fmt: skip
    assert done.returncode == 0, f"{done.stdout}\n{done.stderr}"
    return done.stdout + done.stderr


# reasoning-gym.


def test_the_block_of_the_page_for_reasoning_gym_runs(installed, tmp_path):
    """That for TRL is run with a model that knows something: tests/models/test_pages.py."""
    page = (ROOT / "docs" / "how_to" / "train.md").read_text(encoding="utf-8")
    blocks = re.findall(r"^```py\n(.*?)^```", page, re.DOTALL | re.MULTILINE)
    (gym,) = [block for block in blocks if "reasoning_gym" in block]
    assert re.search(r"^[01]\.0$", run(tmp_path, "-c", gym, PYTHONPATH=str(installed)), re.MULTILINE)


def test_reasoning_gym_finds_both_by_name():
    import reasoning_gym
    from reasoning_gym.coaching.base_curriculum import DefaultCurriculumContext
    from reasoning_gym.composite import DatasetSpec
    from reasoning_gym.factory import create_curriculum

    from tom_datasets.training.gym import register

    register()
    register()
    for name, fields in (("hi_tom", {"n_agents": 6, "max_order": 3}), ("mindgames", {"max_agents": 3})):
        dataset = reasoning_gym.create_dataset(name, seed=7, size=6, **fields)
        items = list(dataset)
        assert len(items) == 6 and items[3] == dataset[3]
        for item in items:
            row = item["metadata"]["row"]
            assert (item["question"], item["answer"]) == (prompt_of(row), answer_of(row))
            assert dataset.score_answer(item["answer"], item) == 1.0
            choices = [choice for choice in row.get("choices", ("True", "False")) if choice not in item["answer"]]
            assert dataset.score_answer(f"{item['answer']} or {choices[0]}", item) == 0.0
            assert dataset.score_answer(f"It is {choices[0]}.\n{item['answer']}", item) == 1.0
            assert dataset.score_answer(None, item) == dataset.score_answer("", item) == 0.0
        curriculum = create_curriculum(name)
        curriculum.set_global_level(2)
        harder = curriculum.generate_configuration({"seed": 7, "size": 3}, DefaultCurriculumContext())
        assert len(list(reasoning_gym.create_dataset(name, **vars(harder)))) == 3 and harder.max_order == 3
        assert name == "mindgames" or (harder.links, harder.thoughts) == (2, True)
        mixed = reasoning_gym.create_dataset(
            "composite", seed=7, size=4, datasets=[DatasetSpec(name, 1, {"seed": 7, "size": 10})]
        )
        assert mixed.score_answer(mixed[0]["answer"], mixed[0]) == 1.0
    rungs = [
        item["metadata"]["row"]["rung"] for item in reasoning_gym.create_dataset("hi_tom", config="ladder", size=6)
    ]
    assert len(set(rungs)) > 1, "a config that has none of the fields"
    with pytest.raises(AssertionError, match="unknown field 'max_order'; the fields of ladder are language, rungs, "):
        reasoning_gym.create_dataset("hi_tom", config="ladder", max_order=2)
    with pytest.raises(AssertionError, match="deep: n_agents is 40; it must be from 2 to 12"):
        reasoning_gym.create_dataset("hi_tom", n_agents=40)


# verifiers.


class Endpoint(BaseHTTPRequestHandler):
    """Answer as an OpenAI endpoint does: each prompt with the reply that stands for it, else with no answer."""

    replies: dict[str, str] = {}

    def do_POST(self):
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        content = self.replies.get(asked["messages"][-1]["content"], "I cannot know.")
        message = {"role": "assistant", "content": content}
        choice = {"index": 0, "finish_reason": "stop"}
        usage = {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}
        about = {"id": "mock", "created": 0, "model": asked["model"], "usage": usage}
        if asked.get("stream"):
            chunk = {**about, "object": "chat.completion.chunk", "choices": [{**choice, "delta": message}]}
            self.send(f"data: {json.dumps(chunk)}\n\ndata: [DONE]\n\n", "text/event-stream")
        else:
            whole = {**about, "object": "chat.completion", "choices": [{**choice, "message": message}]}
            self.send(json.dumps(whole), "application/json")

    def send(self, text, kind):
        """Send a text of a kind."""
        body = text.encode()
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        """Print nothing."""


# verifiers runs its chat program by uv, which would fetch that program's packages: this environment has them.
UV = """#!/bin/sh
[ "$1" = python ] && echo "{python}"
exit 0
"""


def evaluated(installed, folder, line):
    """Run a line that begins with vf-eval, against the endpoint; return the traces and what was printed."""
    (folder / "uv").write_text(UV.format(python=sys.executable))
    (folder / "uv").chmod(0o755)
    server = ThreadingHTTPServer(("127.0.0.1", 0), Endpoint)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    code = "import shlex, sys; sys.argv = shlex.split(sys.argv[1]); from verifiers.v1.cli.eval.main import main; main()"
    try:
        path = f"{folder}{os.pathsep}{os.environ['PATH']}"
        prime = {"PRIME_INFERENCE_URL": f"http://127.0.0.1:{server.server_port}/v1", "PRIME_API_KEY": "none"}
        said = run(
            folder, "-c", code, line,
            PYTHONPATH=str(installed), PATH=path, PRIME_RUNS_MODE="disabled", HOME=str(folder), **prime,
        )  # fmt: skip
    finally:
        server.shutdown()
    (file,) = (folder / "outputs").rglob("traces.jsonl")
    return [json.loads(line) for line in file.read_text().splitlines()], said


MORE = """ --env.taskset.start 5 --env.taskset.fields '{"n_agents": 6}'"""


@pytest.mark.parametrize(
    ("line", "more", "asked", "start"),
    [
        (0, "", {"dataset": "hi_tom", "config": "deep", "seed": 7}, 0),
        (0, MORE, {"dataset": "hi_tom", "config": "deep", "seed": 7, "n_agents": 6}, 5),
        (1, "", {"dataset": "mindgames", "config": "forehead"}, 0),
    ],
)
def test_the_lines_of_the_page_ask_a_mock_and_reward_it(installed, tmp_path, line, more, asked, start):
    """As printed, with fewer rollouts. The environment says which endpoint, and that nothing is sent elsewhere."""
    page = (ROOT / "docs" / "how_to" / "train.md").read_text(encoding="utf-8")
    printed = re.findall(r"^vf-eval .*$", page, re.MULTILINE)
    assert len(printed) == 2
    rows = list(islice(endless(**asked).rows_from(start), 4))
    Endpoint.replies = {prompt_of(row): f"{answer_of(row)}{'.' * (place % 2)}" for place, row in enumerate(rows)}
    traces, said = evaluated(installed, tmp_path, printed[line].replace("-n 20", "-n 4") + more)
    assert len(traces) == 4, said
    paid = {trace["task"]["data"]["name"]: trace["traces"][0]["rewards"]["right"]["score"] for trace in traces}
    ids = [str(row.get("id", row.get("index"))) for row in rows]
    assert paid == {name: float(place % 2 == 0) for place, name in enumerate(ids)}


@pytest.mark.parametrize(
    ("taskset", "words"),
    [
        ("acting-on-minds", "--taskset.seed 7 --taskset.depth 2 --taskset.beliefs true"),
        ("acting-on-minds", "--taskset.seed 7 --taskset.view partial --taskset.alternatives 4"),
        ("theory-of-mind", "--taskset.seed 7 --taskset.dataset mindgames --taskset.config forehead"),
        ("theory-of-mind", "--taskset.seed 7"),
    ],
)
def test_verifiers_validates_tasks_without_a_model(installed, tmp_path, taskset, words):
    """By the solver of the game, and by what is paid."""
    code = "import shlex, sys; sys.argv = shlex.split(sys.argv[1]); from verifiers.v1.cli.validate import main; main()"
    line = (
        f"vf-validate {taskset} {words} -n 3 --only-gold true --rich false --runtime.type subprocess --output-dir out"
    )
    said = run(tmp_path, "-c", code, line, PYTHONPATH=str(installed), HOME=str(tmp_path))
    (file,) = (tmp_path / "out").rglob("results.jsonl")
    assert [json.loads(row)["reason"] for row in file.read_text().splitlines()] == ["valid"] * 3, said


@pytest.mark.parametrize("names", ["acting_on_minds Acting", "theory_of_mind TheoryOfMind"])
def test_the_key_of_a_task_does_not_hang_on_where_it_stands(installed, tmp_path, names):
    module, name = names.split()
    code = (
        f"from itertools import islice; import {module} as tasks; "
        f"drawn = [tasks.{name}Taskset(tasks.{name}Config(seed=7, start=start)) for start in (0, 1)]; "
        "print(*[task.key for taskset in drawn for task in islice(taskset, 3)])"
    )
    keys = run(tmp_path, "-c", code, PYTHONPATH=str(installed)).split()
    assert keys[1:3] == keys[3:5] and len({*keys}) == 4


def test_the_game_is_played_turn_by_turn(installed, tmp_path):
    """The endpoint plays the solution of every episode but the first."""
    page = (ROOT / "docs" / "how_to" / "play.md").read_text(encoding="utf-8")
    (printed,) = re.findall(r"^vf-eval .*$", page, re.MULTILINE)
    asked = [episodes(7, 2, 1)[index] for index in range(3)]
    Endpoint.replies = {}
    for episode in asked[1:]:
        told = episode.prompt
        for line in episode.solution:
            Endpoint.replies[told] = f"Action: {line}"
            told = episode.step(line).observation
    traces, said = evaluated(installed, tmp_path, printed)
    paid = {trace["task"]["data"]["index"]: trace["traces"][0]["rewards"]["won"]["score"] for trace in traces}
    assert paid == {0: 0.0, 1: 1.0, 2: 1.0}, said


def test_a_game_between_questions_has_metrics_of_both(installed, tmp_path):
    """The endpoint knows all before the game, plays the solution, and then answers nothing; or it does not play."""
    page = (ROOT / "docs" / "how_to" / "play.md").read_text(encoding="utf-8")
    (printed,) = re.findall(r"^vf-eval .*$", page, re.MULTILINE)
    Endpoint.replies = {}
    for index in (0, 1):
        interview = Interview(episodes(7, 2, 1)[index])
        told = interview.prompt
        while interview.asking != AFTER and (index == 0 or interview.asking):
            due = None if interview.asking else interview.episode.solution[len(interview.episode.actions)]
            Endpoint.replies[told] = due or f"Answer: {interview.belief.answer}"
            told = interview.step(Endpoint.replies[told]).observation
    traces, said = evaluated(installed, tmp_path, f"{printed.replace('-n 3', '-n 2')} --env.taskset.beliefs true")
    by_index = {trace["task"]["data"]["index"]: trace["traces"][0] for trace in traces}
    first, second = by_index[0]["metrics"], by_index[1]["metrics"]
    assert by_index[0]["rewards"]["won"]["score"] == 1.0 and by_index[1]["rewards"]["won"]["score"] == 0.0, said
    assert (first["beliefs_right_before"], first["beliefs_right_after"]) == (1.0, 0.0)
    assert (first["goals_reached"], first["acts_above_least"], first["lines_that_did_nothing"]) == (1.0, 0.0, 0.0)
    assert second["beliefs_right_before"] == 1.0 and second["lines_that_did_nothing"] > 0


def test_a_game_with_a_partial_view_counts_questions(installed, tmp_path):
    """The endpoint plays a policy that wins whatever is true in one episode, and nothing in the other."""
    page = (ROOT / "docs" / "how_to" / "play.md").read_text(encoding="utf-8")
    (printed,) = re.findall(r"^vf-eval .*$", page, re.MULTILINE)
    Endpoint.replies = {}
    episode = episodes(7, view="partial", alternatives=4)[0]
    told = episode.prompt
    while not episode.done:
        Endpoint.replies[told] = f"Action: {episode.best}"
        told = episode.step(episode.best).observation
    words = printed.replace("-n 3", "-n 2").replace("--env.taskset.acts 2 --env.taskset.depth 1 ", "")
    traces, said = evaluated(installed, tmp_path, f"{words} --env.taskset.view partial --env.taskset.alternatives 4")
    by_index = {trace["task"]["data"]["index"]: trace["traces"][0] for trace in traces}
    assert {index: trace["rewards"]["won"]["score"] for index, trace in by_index.items()} == {0: 1.0, 1: 0.0}, said
    won, lost = by_index[0]["metrics"], by_index[1]["metrics"]
    assert (won["goals_reached"], won["questions"], won["lines_that_did_nothing"]) == (1.0, episode.questions, 0.0)
    assert lost["questions"] == 0 and lost["lines_that_did_nothing"] == 3 and "acts_above_least" not in lost
