"""Run tasks (`make test-trainers`): here, and by datatrove itself on a local Ray cluster and a stand-in for Slurm.

The stand-in is four scripts on the PATH. Its `sbatch` runs the script that it is given, once for each number
of the array, and prints a job number.
"""

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time

import datasets
import pytest
from fake_hub import Hub
from publishing import client_environment
from support import ROOT, contents, listed, refused, shell_script, start

from tom_datasets.scale import rows

pytestmark = pytest.mark.trainers

TASKS = 8
ARGUMENTS = ("scale", "hi_tom", "--config", "0th_order", "--seed", "7", "--rows", "1900", "--tasks", str(TASKS))
"""Sixteen chunks of 120 rows, the last of which is cut; short stories, some of which are repeated."""


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """Make the folder in one process; no test may change it."""
    out = tmp_path_factory.mktemp("whole") / "out"
    process = start(*ARGUMENTS, "--out", out, "--workers", "1")
    printed, said = process.communicate(timeout=300)
    assert process.returncode == 0, said
    assert said.splitlines() == [f"task {rank} of {TASKS} is complete" for rank in range(TASKS)]
    assert f"{out}: 1,686 rows in 8 files, seed 7; 1,900 rows proven\n" in printed
    return out


def command(out, *words, **environment):
    """Run the command in a process of its own; return the exit code, what it printed, and what it said on stderr."""
    done = subprocess.run(
        [sys.executable, "-m", "tom_datasets", *ARGUMENTS, "--out", str(out), *words],
        cwd=ROOT, capture_output=True, text=True, timeout=600, env={**os.environ, **environment},
    )  # fmt: skip
    assert "Traceback" not in done.stderr, done.stderr
    return done.returncode, done.stdout, done.stderr


def test_two_workers_write_the_same_bytes(whole, tmp_path):
    assert command(tmp_path / "out", "--workers", "2")[0] == 0
    assert contents(tmp_path / "out") == contents(whole)
    code, printed, said = command(tmp_path / "out", "--workers", "2")
    assert (code, said) == (0, "")
    assert printed == f"{tmp_path / 'out'} is up to date: same arguments, same sources, every file unchanged\n"


def shards_at_work(out):
    """Return the numbers of tasks that are complete."""
    marks = out / ".scale" / "logs" / "completions"
    return listed(marks) if marks.is_dir() else []


def wait_for(condition):
    """Wait until a condition holds."""
    until = time.monotonic() + 120
    while not condition():
        assert time.monotonic() < until
        time.sleep(0.02)


def test_a_run_that_was_killed_goes_on_to_the_same_bytes(whole, tmp_path):
    """What its tasks had begun is in no list, and does not load."""
    out = tmp_path / "out"
    process = start(*ARGUMENTS, "--out", out, "--workers", "2", start_new_session=True)
    wait_for(lambda: len(shards_at_work(out)) >= 2)
    os.killpg(process.pid, signal.SIGKILL)
    process.communicate(timeout=60)
    complete = shards_at_work(out)
    assert 2 <= len(complete) < TASKS and listed(out) == [".scale"]
    with pytest.raises(datasets.data_files.EmptyDatasetError):
        datasets.load_dataset(str(out), cache_dir=str(tmp_path))
    refused(command(out, "--finish"), f"{TASKS - len(complete)} of {TASKS} tasks are not complete")
    code, _, said = command(out, "--workers", "2")
    assert code == 0 and len(said.splitlines()) == TASKS - len(complete)
    assert contents(out) == contents(whole)


def changed_at(folder, unit, statements):
    """Return the environment in which `statements` run before the first row of a story, `item`, is proven."""
    (folder / "sitecustomize.py").write_text(
        "import os, signal\n"
        "import tom_datasets.scale.rows as rows\n"
        "made = rows.made\n"
        "def changed(request, rank):\n"
        "    for item in made(request, rank):\n"
        f"        if item.row['id'] == 'endless-{unit:06d}-0':\n"
        f"            {statements}\n"
        "        yield item\n"
        "rows.made = changed\n"
    )
    return {"PYTHONPATH": os.pathsep.join([str(folder), str(ROOT)])}


def test_a_worker_that_was_killed_ends_the_run_in_one_line(whole, tmp_path):
    out = tmp_path / "out"
    spoilt = changed_at(tmp_path, 300, "os.kill(os.getpid(), signal.SIGKILL)")
    code, _, said = command(out, "--workers", "2", **spoilt)
    assert code == 1
    assert said.splitlines()[-1] == (
        "error: a worker was killed, possibly out of memory; nothing half-written was left: run the command again, "
        "with fewer --processes (scale: --workers) if necessary"
    )
    assert "00001" not in shards_at_work(out)
    assert command(out, "--workers", "2")[0] == 0
    assert contents(out) == contents(whole)


def test_a_file_of_a_task_that_failed_is_written_anew(whole, tmp_path):
    """A file that looks whole, of a task that is not marked as completed."""
    out = tmp_path / "out"
    assert command(out, "--workers", "1", "--finish")[0] == 1
    shard = out / ".scale" / "shards" / "00003.parquet"
    shard.parent.mkdir()
    shutil.copy(whole / "0th_order" / "train-00001-of-00008.parquet", shard)
    assert command(out, "--workers", "2")[0] == 0
    assert contents(out) == contents(whole)


@pytest.mark.parametrize("workers", [1, 2])
def test_a_row_that_fails_ends_the_run_in_one_line(tmp_path, workers):
    spoilt = changed_at(tmp_path, 300, "item.row['answer'] = 'x'")
    code, printed, said = command(tmp_path / "out", "--workers", str(workers), **spoilt)
    assert (code, printed) == (1, "")
    last = said.splitlines()[-1]
    assert last.startswith("error: row endless-000300-0 of hi_tom 0th_order: answer is 'x', the formal story gives")
    assert listed(tmp_path / "out") == [".scale"] and "00001" not in shards_at_work(tmp_path / "out")


def test_a_share_is_proven(tmp_path):
    code, printed, _ = command(tmp_path / "out", "--prove", "0.1", "--workers", "1")
    proven = sum(rows.is_chosen(unit, 0.1) for unit in range(1900))
    assert code == 0 and f"; {proven} rows proven" in printed
    assert "In 10 % of the stories or blocks, every label" in (tmp_path / "out" / "README.md").read_text()


SBATCH = """
offset=0
for word in "$@"; do
  case "$word" in --export=ALL,RUN_OFFSET=*) offset="${word##*=}";; esac
  script="$word"
done
number=$(($(cat "$SLURM_STATE/jobs" 2>/dev/null || echo 100) + 1))
echo "$number" > "$SLURM_STATE/jobs"
cp "$script" "$SLURM_STATE/$number.sh"
array=$(sed -n 's/^#SBATCH --array=0-\\([0-9]*\\).*/\\1/p' "$script")
export SLURM_NODELIST=here RUN_OFFSET="$offset"
if [ -n "$array" ]; then
  for task in $(seq 0 "$array"); do
    SLURM_ARRAY_TASK_ID="$task" bash "$script" > "$SLURM_STATE/$number-$task.out" 2>&1
  done
else
  (cd / && bash "$script" > "$SLURM_STATE/$number.out" 2>&1)
fi
echo "Submitted batch job $number"
"""
SRUN = 'while [ "${1#-}" != "$1" ]; do [ "$1" = -n ] && shift; shift; done; exec "$@"'


@pytest.fixture
def slurm(tmp_path):
    """Put a stand-in for Slurm on the PATH; return the environment, and the folder where it keeps what it was given."""
    state, scripts = tmp_path / "state", tmp_path / "bin"
    state.mkdir()
    scripts.mkdir()
    shell_script(scripts / "sbatch", SBATCH)
    shell_script(scripts / "srun", SRUN)
    shell_script(scripts / "scontrol", "echo here")
    shell_script(scripts / "squeue", 'cat "$SLURM_STATE/running" 2>/dev/null')
    return {"PATH": f"{scripts}{os.pathsep}{os.environ['PATH']}", "SLURM_STATE": str(state)}, state


ON_SLURM = ("--executor", "slurm", "--sbatch", "partition=cpu", "--sbatch", "time=01:00:00")


def test_slurm_writes_the_same_bytes(whole, tmp_path, slurm):
    environment, state = slurm
    out = tmp_path / "out"
    code, printed, said = command(out, *ON_SLURM, **environment)
    assert (code, said) == (0, ""), said
    assert printed == f"{out}: job 101 runs the tasks, job 102 then makes the folder whole\n"
    script = (state / "101.sh").read_text()
    assert "#SBATCH --array=0-7\n" in script and "#SBATCH --partition=cpu\n" in script
    assert "#SBATCH --time=01:00:00\n" in script
    assert "#SBATCH --dependency=afterany:101\n" in (state / "102.sh").read_text()
    assert contents(out) == contents(whole), (state / "102.out").read_text()


def test_a_task_that_failed_on_slurm_is_done_by_the_same_command(whole, tmp_path, slurm):
    environment, state = slurm
    out = tmp_path / "out"
    shell_script(tmp_path / "bin" / "srun", f'case "$SLURM_ARRAY_TASK_ID" in 3) exit 1;; esac\n{SRUN}')
    assert command(out, *ON_SLURM, **environment)[0] == 0
    assert "error: 1 of 8 tasks are not complete (3): run the command again" in (state / "102.out").read_text()
    assert listed(out) == [".scale"]
    (state / "running").write_text("101 cpu scale me R 1:00 1 here\n")
    busy = command(out, *ON_SLURM, **environment)
    refused(busy, is_whole="error: job 101 is still waiting or running: wait for it, or end it (scancel 101)\n")
    (state / "running").unlink()
    shell_script(tmp_path / "bin" / "srun", SRUN)
    assert command(out, *ON_SLURM, **environment)[1].startswith(f"{out}: job 103 runs the tasks, job 104")
    assert "#SBATCH --array=0-0\n" in (state / "103.sh").read_text()
    assert contents(out) == contents(whole)


@pytest.mark.parametrize("words", [ON_SLURM, ON_SLURM[:2]])
def test_without_slurm_the_command_says_so(tmp_path, words):
    said = "error: sbatch is not on the PATH: run this where Slurm is, or choose --executor local\n"
    refused(command(tmp_path / "out", *words, PATH="/nowhere"), is_whole=said)
    assert not (tmp_path / "out").exists()


def test_what_slurm_lacks_is_said(tmp_path, slurm):
    environment, _ = slurm
    said = "error: Slurm needs a partition: say --sbatch partition=NAME (sinfo lists them)\n"
    refused(command(tmp_path / "out", *ON_SLURM[:2], **environment), is_whole=said)
    result = command(tmp_path / "a b", *ON_SLURM, **environment)
    refused(result, "a b has a space, which datatrove's script for Slurm does not quote: choose another --out")
    shell_script(tmp_path / "bin" / "sbatch", "echo 'invalid partition' >&2; exit 1")
    code, _, said = command(tmp_path / "out", *ON_SLURM, **environment)
    assert code == 1
    assert said.splitlines()[-1].startswith("error: sbatch ended with exit code 1")


def test_without_ray_the_command_says_so(tmp_path):
    (tmp_path / "sitecustomize.py").write_text("import sys\nsys.modules['ray'] = None\n")
    path = os.pathsep.join([str(tmp_path), str(ROOT)])
    said = 'error: Ray is not installed: pip install "ray", or choose --executor local\n'
    refused(command(tmp_path / "out", "--executor", "ray", PYTHONPATH=path), is_whole=said)
    assert not (tmp_path / "out").exists()


def test_a_ray_cluster_that_does_not_answer_is_named(tmp_path):
    code, _, said = command(tmp_path / "out", "--executor", "ray", RAY_ADDRESS="127.0.0.1:9")
    assert code == 1
    assert said.splitlines()[-1].startswith("error: no Ray cluster answers at RAY_ADDRESS, 127.0.0.1:9: ")


def commands_of_the_page():
    """Return the commands of docs/how_to/scale.md, with fewer rows and tasks, and without their output folders."""
    page = (ROOT / "docs" / "how_to" / "scale.md").read_text(encoding="utf-8")
    lines = re.findall(r"^python -m tom_datasets (scale .*)$", page, re.MULTILINE)
    small = [re.sub("--rows [0-9]+ --tasks [0-9]+", "--rows 630 --tasks 2", line) for line in lines]
    return [re.sub("--(out|work) deep-[0-9]+m", "", line).split() for line in small]


def test_the_commands_of_the_page_run_as_printed(tmp_path, slurm):
    """Each gives the same files; the last one is published to the test Hub, here and by the last job of Slurm."""
    here, on_slurm, on_ray, published = commands_of_the_page()
    assert on_slurm[-7:-4] == ["slurm", "--workers", "200"] and on_ray[-4:] == ["--executor", "ray", "--workers", "200"]
    by_job = [word.replace("me/deep-10m", "me/by-job") for word in published]
    runs = [(here, "--out"), (on_slurm, "--out"), (on_ray, "--out")]
    runs += [(published, "--work"), ([*by_job, *ON_SLURM], "--work")]
    files, printed = [], []
    with Hub() as hub:
        environment = client_environment(hub, tmp_path / "home") | slurm[0]
        environment.pop("RAY_ADDRESS", None)
        for number, (words, folder) in enumerate(runs):
            out = tmp_path / str(number)
            line = [sys.executable, "-m", "tom_datasets", *words, folder, str(out)]
            done = subprocess.run(line, cwd=ROOT, capture_output=True, text=True, timeout=600, env=environment)
            assert done.returncode == 0, done.stderr
            files.append(contents(out))
            printed.append(done.stdout)
        sent = [hub.repos[name].files() for name in ("me/deep-10m", "me/by-job")]
    names = {"README.md", "build.json", "deep/train-00000-of-00002.parquet", "deep/train-00001-of-00002.parquet"}
    assert all(made.keys() == names for made in files)
    rows = [{path: data for path, data in made.items() if path.startswith("deep/")} for made in (*files, *sent)]
    assert all(of_one == rows[0] for of_one in rows[1:])
    for made in sent:
        assert json.loads(made["build.json"])["request"]["deep"]["rows"] == 630
    (by_slurm,) = [text for path in slurm[1].glob("*.out") if "published: " in (text := path.read_text())]
    assert all(text.splitlines()[-1].startswith("published: ") for text in (printed[3], by_slurm))
