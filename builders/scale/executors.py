"""Who runs the tasks besides this machine: Slurm or Ray, each by datatrove's own executor.

Every executor resumes: it skips the tasks that are marked as completed.
"""

import importlib.util
import os
import shlex
import shutil
import socket
import subprocess
import sys
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from datatrove.executor.ray import RayPipelineExecutor
from datatrove.executor.slurm import SlurmPipelineExecutor, launch_slurm_job
from datatrove.utils.logging import logger

from ..errors import UserError
from .request import Request
from .shards import LOGS, make_shard

JOB = "job"  # the file among the logs that holds the number of the last job of Slurm

# Gigabytes that a task may take: Slurm and Ray reserve them. A task of deep stories takes less than 0.5.
MEMORY = 2


class OnSlurm(SlurmPipelineExecutor):  # type: ignore[misc]  # .venv has no datatrove
    """Run the tasks as an array job of Slurm, and behind them a job that makes the folder whole."""

    last: str  # the command of the last job
    last_job: str  # its number

    def launch_merge_stats(self) -> None:
        """Launch the last job: it starts when all tasks have ended, and says which are not complete."""
        with self.logging_dir.open(JOB, "w") as file:  # the last job removes this folder
            file.write(str(self.job_id))
        options = {**self.get_sbatch_args(), "dependency": f"afterany:{self.job_id}"}
        del options["array"]
        self.last_job = launch_slurm_job(self.get_launch_file_contents(options, self.last), self.job_id_retriever)


def check(kind: str, folder: Path, sbatch: Mapping[str, str]) -> None:
    """Raise UserError where an executor is not there, or lacks something."""
    if kind == "ray" and importlib.util.find_spec("ray") is None:
        raise UserError('Ray is not installed: pip install "ray", or choose --executor local')
    if kind != "slurm":
        return
    if shutil.which("sbatch") is None:
        raise UserError("sbatch is not on the PATH: run this where Slurm is, or choose --executor local")
    if "partition" not in sbatch:
        raise UserError("Slurm needs a partition: say --sbatch partition=NAME (sinfo lists them)")
    if any(letter.isspace() for letter in str(folder)):
        raise UserError(
            f"{folder} has a space, which datatrove's script for Slurm does not quote: choose another --out"
        )


def asked_of(request: Request, work: Path) -> dict[str, Any]:
    """Silence the logger; return what every executor is given: the step, the number of tasks, the folder of logs."""
    logger.remove()
    return {"pipeline": [partial(run_task, request, work)], "tasks": request.tasks, "logging_dir": str(work / LOGS)}


def run_task(request: Request, work: Path, data: None, rank: int, world_size: int) -> None:
    """Make the shard of a task: the only step that datatrove runs."""
    make_shard(request, work, rank)


def run_on_ray(request: Request, work: Path, workers: int) -> None:
    """Run the tasks that are not complete on the Ray cluster of RAY_ADDRESS, or on one of this machine's cores."""
    import ray

    given = asked_of(request, work)
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    check_address(os.environ.get("RAY_ADDRESS", ""))
    ray.init(log_to_driver=False, logging_level="ERROR")
    try:
        RayPipelineExecutor(**given, workers=min(workers, request.tasks), mem_per_cpu_gb=MEMORY).run()
    finally:
        ray.shutdown()


def check_address(address: str) -> None:
    """Raise UserError where no cluster listens at the host and port of an address: Ray's client tries for minutes."""
    host, colon, port = address.rpartition("//")[2].rpartition(":")
    if not colon or not port.isdigit():
        return
    try:
        socket.create_connection((host, int(port)), timeout=10).close()
    except OSError as error:
        raise UserError(
            f"no Ray cluster answers at RAY_ADDRESS, {address}: {error.strerror or error}; start one, or choose "
            "--executor local"
        ) from None


def run_on_slurm(
    request: Request, work: Path, workers: int | None, sbatch: Mapping[str, str], last: Sequence[str]
) -> tuple[str, str] | None:
    """Submit the tasks that are not complete; return the numbers of their job and of the last one, None for no task.

    sbatch: options of sbatch. last: the command that makes the folder whole. Raises UserError.
    """
    check_no_job(work)
    options = {"time": "24:00:00", **sbatch}
    executor = OnSlurm(
        **asked_of(request, work),
        time=options["time"],
        partition=options["partition"],
        workers=-1 if workers is None else workers,
        mem_per_cpu_gb=MEMORY,
        job_name="scale",
        qos="",
        env_command=f'export PATH={shlex.quote(str(Path(sys.executable).parent))}:"$PATH"',
        sbatch_args=options,
    )
    executor.last = shlex.join(last)
    try:
        executor.run()
    except subprocess.CalledProcessError as error:
        raise UserError(
            f"sbatch ended with exit code {error.returncode}, and said why above: change --sbatch"
        ) from None
    return None if executor.job_id == -1 else (executor.job_id, executor.last_job)


def check_no_job(work: Path) -> None:
    """Raise UserError where Slurm still has the job of the tasks: two jobs would write the same files."""
    if not (work / LOGS / JOB).is_file() or shutil.which("squeue") is None:
        return
    job = (work / LOGS / JOB).read_text(encoding="utf-8")
    asked = subprocess.run(["squeue", "--noheader", "--jobs", job], capture_output=True, text=True, timeout=60)
    if asked.returncode == 0 and asked.stdout.strip():
        raise UserError(f"job {job} is still waiting or running: wait for it, or end it (scancel {job})")
