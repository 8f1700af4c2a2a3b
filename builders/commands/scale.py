"""The command `scale`: it makes as many rows as asked for, on one machine or many."""

import re
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

from ..errors import UserError
from ..folder.build import Build
from ..folder.writing import check_loadable
from ..scale.request import Request
from ..wording.languages import page
from .options import (
    Call,
    DatasetCommand,
    command,
    cores,
    endless_rows,
    given_fields,
    naming_options,
    own_field_options,
)
from .values import ASSIGNMENT, INTEGER, PATH, POSITIVE, SECONDS, SHARE

PYARROW = 21  # the oldest major version that writes parts by content
REMEDY = "pip install 'tom-datasets[scale]' (in a clone: '.[scale]')"


@dataclass(frozen=True, slots=True)
class Making:
    """Hold where the rows are made, and who makes them."""

    folder: Path  # absolute
    executor: str  # local, slurm or ray
    workers: int | None  # how many tasks run at once, None for as many as there can be
    sbatch: dict[str, str]  # options of sbatch
    finish: bool  # whether the folder is only made whole
    last: list[str]  # the command that makes it whole, wherever a job runs it


@command("scale", cls=DatasetCommand, own=own_field_options)
@endless_rows
@click.option("--rows", type=INTEGER, required=True, help="how many rows, before repeated ones are left out")
@click.option(
    "--tasks",
    type=INTEGER,
    default=1,
    help="how many tasks share the rows, each with a file of its own (default: 1)",
)
@click.option(
    "--out",
    required=True,
    metavar="FOLDER",
    help="the folder to write, or hf://datasets/NAMESPACE/NAME to publish it there too",
)
@click.option(
    "--work",
    type=PATH,
    metavar="FOLDER",
    help="for hf://: the local folder to write first (default: NAME, here)",
)
@click.option("--private", is_flag=True, help="for hf://: make a new repository private")
@click.option(
    "--time-limit",
    type=SECONDS,
    default=86400.0,
    metavar="SECONDS",
    help="for hf://: how long the Hub may take in all, in seconds (default: 86400)",
)
@click.option(
    "--prove",
    type=SHARE,
    default=1.0,
    metavar="SHARE",
    help="the share of stories or blocks that are proven a second time, from 0 to 1 (default: 1)",
)
@click.option(
    "--executor",
    type=click.Choice(["local", "slurm", "ray"]),
    default="local",
    help="what runs the tasks (default: local)",
)
@click.option(
    "--workers",
    type=POSITIVE,
    help="how many tasks run at once (default: all cores; for Slurm, as many as it allows)",
)
@click.option(
    "--sbatch",
    type=ASSIGNMENT,
    multiple=True,
    metavar="NAME=VALUE",
    help="an option of sbatch, such as partition=cpu or time=04:00:00; may be repeated",
)
@click.option(
    "--finish",
    is_flag=True,
    help="run no task: finish the folder if all tasks are complete, as the last job of Slurm does",
)
@click.pass_obj
def run(
    call: Call,
    /,
    dataset: str,
    config: str,
    seed: int,
    field: tuple[tuple[str, Any], ...],
    rows: int,
    tasks: int,
    out: str,
    work: Path | None,
    private: bool,
    time_limit: float,
    prove: float,
    executor: str,
    workers: int | None,
    sbatch: tuple[tuple[str, str], ...],
    finish: bool,
    **own: Any,
) -> None:
    """Make the rows, and the folder whole; go on from the tasks that are complete. Publish it where --out says so."""
    fields, typed = given_fields(own, field)
    request = Request(dataset, config, seed, fields, rows, tasks, prove)
    with naming_options(typed):
        request.check()
    repo = repository(out)
    folder = ((work or Path(repo.partition("/")[2])) if repo else PATH.convert(out, None, None)).absolute()
    check_loadable(folder)
    here = ["--work" if repo else "--out", str(folder)]
    last = [sys.executable, "-m", "tom_datasets", *call.words, *here, "--finish"]
    making = Making(folder, executor, workers, dict(sbatch), finish, last)
    import pyarrow

    if int(pyarrow.__version__.partition(".")[0]) < PYARROW:
        raise UserError(f"scale needs pyarrow {PYARROW} or newer, but this is {pyarrow.__version__}: {REMEDY}")
    if executor != "local" and not finish:
        try:
            from ..scale import executors
        except ModuleNotFoundError as error:
            raise UserError(f"scale needs {str(error.name).partition('.')[0]}: {REMEDY}") from None
        executors.check(executor, folder, making.sbatch)
    if not repo:
        make(request, making)
        return
    from ..hub.client import Hub, read_token
    from ..hub.interrupts import interruptible
    from ..hub.large import publish

    hub = Hub(read_token(), time_limit)
    with interruptible(hub):
        hub.check_access(repo.partition("/")[0])
    build = make(request, making)
    if build:
        with interruptible(hub):
            publish(hub, build, repo, private)


def repository(out: str) -> str | None:
    """Return the repository that --out names, None for a folder. Raises UserError."""
    found = re.fullmatch(r"hf://datasets/([\w.-]+/[\w.-]+)/?", out)
    if "://" in out and not found:
        raise UserError(f"--out is {out}; it must be a folder, or hf://datasets/NAMESPACE/NAME")
    return found and found[1]


def make(request: Request, making: Making) -> Build | None:
    """Make the folder of a request, unless it is whole already; return its record, None where jobs will make it."""
    from ..scale import whole

    folder = making.folder
    if whole.is_finished(folder, request):
        print(f"{folder} is up to date: same arguments, same sources, every file unchanged")
        return Build.read(folder, request.dataset)
    submits = making.executor == "slurm" and not making.finish  # its jobs work in the folder
    with whole.begun(folder, request, alone=not submits) as work:
        if not making.finish and not run_tasks(request, work, making):
            return None
        finished = whole.finish(folder, request)
    print(page("endless", "scaled", folder, request, finished))
    return finished.build


def run_tasks(request: Request, work: Path, making: Making) -> bool:
    """Run the tasks that are not complete; return whether they have been run, not only submitted."""
    if making.executor == "local":
        from ..scale.shards import make_shards

        make_shards(request, work, making.workers or cores())
        return True
    from ..scale import executors

    if making.executor == "ray":
        executors.run_on_ray(request, work, making.workers or cores())
        return True
    jobs = executors.run_on_slurm(request, work, making.workers, making.sbatch, making.last)
    if jobs:
        print(f"{making.folder}: job {jobs[0]} runs the tasks, job {jobs[1]} then makes the folder whole")
    return not jobs
