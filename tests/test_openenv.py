"""Play the game by the package openenv itself, over loopback (`make test-openenv`)."""

import importlib
import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from concurrent.futures import ThreadPoolExecutor

import pytest
from plan_searches import least_by_states
from support import ROOT

from tom_datasets import endless
from tom_datasets.story.acting.interview import Interview
from tom_datasets.story.acting.solve import plans_of
from tom_datasets.streaming.episodes import episodes

pytestmark = pytest.mark.harnesses

FOLDER = ROOT / "tasks" / "openenv" / "acting"
EPISODES = int(os.environ.get("TOM_EPISODES", "22"))
"""Episodes that the solver plays, of all cells in turn; the 300 that docs/how_to/play.md counts take some minutes."""
PATIENCE = 120  # seconds that a server may take to start, or an episode to be drawn


@pytest.fixture(scope="module")
def base_url():
    """Serve the environment as its README says, on a free port of this machine."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [sys.executable, "-m", "server.app", "--host", "127.0.0.1", "--port", str(port)]
    server = subprocess.Popen(command, cwd=FOLDER)
    url, end = f"http://127.0.0.1:{port}", time.monotonic() + PATIENCE
    try:
        while server.poll() is None and time.monotonic() < end:
            try:
                urllib.request.urlopen(f"{url}/health", timeout=5).close()
                break
            except OSError:
                time.sleep(0.3)
        yield url
    finally:
        server.terminate()
        server.wait()


@pytest.fixture(scope="module")
def client():
    """Return the module of the client."""
    sys.path.insert(0, str(FOLDER))
    try:
        yield importlib.import_module("client")
    finally:
        sys.path.remove(str(FOLDER))


@pytest.fixture(scope="module")
def environment():
    """Return the module of the environment itself."""
    sys.path.insert(0, str(FOLDER))
    try:
        yield importlib.import_module("server.environment")
    finally:
        sys.path.remove(str(FOLDER))


def connect(client, base_url):
    return client.ActingEnv(base_url=base_url, message_timeout_s=PATIENCE).sync()


def test_the_solver_wins_over_loopback_what_both_searches_prove(client, base_url):
    with connect(client, base_url) as env:
        for index in range(EPISODES):
            episode = episodes(seed=7)[index]
            assert least_by_states(episode.game) == plans_of(episode.game).least() == episode.game.acts
            result = env.reset(seed=7, episode_id=str(index))
            assert (result.observation.text, result.done) == (episode.prompt, False)
            for line in episode.solution:
                assert not result.done
                result = env.step(client.ActingAction(reply=f"I think.\nAction: {line}"))
            assert (result.done, result.reward) == (True, 1.0)
            assert (env.state().episode_id, env.state().step_count) == (str(index), episode.game.turns)


def test_a_policy_wins_over_loopback_whatever_is_true(client, base_url):
    """Against the unkind referee, and in each alternative that may be drawn beforehand."""
    with connect(client, base_url) as env:
        for index, truth in enumerate(("worst", "fixed", "worst")):
            episode = episodes(seed=7, view="partial", alternatives=4, truth=truth)[index]
            which = {"view": "partial", "alternatives": 4, "truth": truth}
            result = env.reset(seed=7, episode_id=str(index), **which)
            assert (result.observation.text, result.done) == (episode.prompt, False)
            while not episode.done:
                line = episode.best
                turn = episode.step(line)
                result = env.step(client.ActingAction(reply=f"I think.\nAction: {line}"))
                assert (result.observation.text, result.reward, result.done) == turn
            assert (result.done, result.reward) == (True, 1.0)


def test_sessions_play_at_one_time(client, base_url):
    with connect(client, base_url) as one, connect(client, base_url) as other:
        first, second = (env.reset(seed=7, acts=1, depth=1) for env in (one, other))
        assert first.observation.text == second.observation.text
        assert one.reset(seed=7, acts=1, depth=1).observation.text != first.observation.text
        assert other.state().episode_id == "0" and one.state().episode_id == "1"


def test_a_question_is_an_episode_of_one_turn(client, base_url):
    with connect(client, base_url) as env:
        asked = env.reset(kind="question", seed=3, episode_id="2", config="4th_order").observation.text
        assert "Question: Where does " in asked
        result = env.step(client.ActingAction(reply="Answer: nowhere"))
        assert (result.done, result.reward) == (True, 0.0)


def test_questions_about_beliefs_stand_before_and_after_the_game(client, base_url):
    interview = Interview(episodes(seed=7, acts=2, depth=2)[0])
    with connect(client, base_url) as env:
        result = env.reset(seed=7, episode_id="0", acts=2, depth=2, beliefs=True)
        assert result.observation.text == interview.prompt
        while not interview.done:
            due = interview.episode.solution[len(interview.episode.actions)] if not interview.asking else None
            reply = due or f"Answer: {interview.belief.answer}"
            turn, result = interview.step(reply), env.step(client.ActingAction(reply=reply))
            assert (result.observation.text, result.reward, result.done) == turn
    assert (result.reward, result.done) == (1.0, True)


def test_nothing_is_paid_after_the_end(client, base_url):
    """Who answers again is told that it is over: neither a question nor an episode is paid twice."""
    row = endless("hi_tom", "4th_order", seed=3)[2]
    wrong, right = "Answer: nowhere", f"Answer: {row['answer']}"
    for first, paid in ((wrong, 0.0), (right, 1.0)):
        with connect(client, base_url) as env:
            env.reset(kind="question", seed=3, episode_id="2", config="4th_order")
            result = env.step(client.ActingAction(reply=first))
            assert (result.done, result.reward) == (True, paid)
            for _ in range(2):
                with pytest.raises(Exception, match=r"question 2 is over after one reply; reset\(\) asks another"):
                    env.step(client.ActingAction(reply=right))
            assert env.state().step_count == 1
            env.reset(kind="question", seed=3, episode_id="2", config="4th_order")
            assert env.step(client.ActingAction(reply=right)).reward == 1.0
    episode = episodes(seed=7, acts=1, depth=1)[0]
    with connect(client, base_url) as env:
        env.reset(seed=7, acts=1, depth=1, episode_id="0")
        results = [env.step(client.ActingAction(reply=line)) for line in episode.solution]
        assert (results[-1].done, results[-1].reward) == (True, 1.0)
        with pytest.raises(Exception, match=r"episode 0 is over after \d+ turns"):
            env.step(client.ActingAction(reply=episode.solution[-1]))


def test_of_many_answers_at_one_time_one_is_paid(environment):
    """The server's own page shares one environment among all who look at it."""
    playing, answers = environment.ActingEnvironment(), 16
    right = f"Answer: {endless('hi_tom', '4th_order', seed=3)[2]['answer']}"
    playing.reset(kind="question", seed=3, episode_id="2", config="4th_order")
    with ThreadPoolExecutor(answers) as pool:
        steps = [pool.submit(playing.step, environment.ActingAction(reply=right)) for _ in range(answers)]
    over = [step.exception() for step in steps if step.exception()]
    assert [step.result().reward for step in steps if not step.exception()] == [1.0]
    assert len(over) == answers - 1 and all("question 2 is over after one reply" in str(error) for error in over)
    assert playing.state.step_count == 1


def test_what_is_wrong_is_said(client, base_url):
    with connect(client, base_url) as env:
        with pytest.raises(Exception, match="no episodes have 4 acts and depth 1"):
            env.reset(acts=4, depth=1)
        with pytest.raises(Exception, match="episode_id is 'x'; it must be the index of an episode"):
            env.reset(episode_id="x")


def test_openenv_finds_nothing_wrong_with_the_folder(tmp_path):
    copied = tmp_path / "acting"
    shutil.copytree(FOLDER, copied, ignore=shutil.ignore_patterns("__pycache__"))
    command = [sys.executable, "-m", "openenv.cli", "validate", "--level", "static", copied]
    validated = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE)
    assert validated.returncode == 0, validated.stdout + validated.stderr
