"""The command `scale`: it makes as many rows as asked for, on one machine or many."""

import re
import sys
from argparse import Namespace
from pathlib import Path

from ..errors import UserError
from ..folder.build import Build
from ..folder.writing import check_loadable
from ..scale.request import Request
from ..wording.languages import page
from .options import Parser, add_stream, cores, fields_of, naming_flags, path

PYARROW = 21  # the oldest major version that writes parts by content
REMEDY = "pip install 'tom-datasets[scale]' (in a clone: '.[scale]')"


def add_options(parser: Parser, words: list[str]) -> None:
    """Add the options of `scale`, and the words that call it, which the last job of Slurm repeats."""
    add_stream(parser, "scale", words)
    parser.set_defaults(words=words)


def run(args: Namespace) -> None:
    """Make the rows, and the folder whole; go on from the tasks that are complete. Publish it where --out says so."""
    fields, flags = fields_of(args)
    request = Request(args.dataset, args.config, args.seed, fields, args.rows, args.tasks, args.prove)
    with naming_flags(flags):
        request.check()
    repo = repository(args.out)
    folder = (args.work or Path(repo.partition("/")[2])) if repo else path(args.out)
    check_loadable(folder)
    args.folder = folder.absolute()
    import pyarrow

    if int(pyarrow.__version__.partition(".")[0]) < PYARROW:
        raise UserError(f"scale needs pyarrow {PYARROW} or newer, and this is {pyarrow.__version__}: {REMEDY}")
    if args.executor != "local" and not args.finish:
        try:
            from ..scale import executors
        except ModuleNotFoundError as error:
            raise UserError(f"scale needs {error.name.partition('.')[0]}: {REMEDY}") from None
        executors.check(args.executor, args.folder, dict(args.sbatch))
    if not repo:
        make(request, args)
        return
    from ..hub.client import Hub, read_token
    from ..hub.interrupts import interruptible
    from ..hub.large import publish

    hub = Hub(read_token(), args.time_limit)
    with interruptible(hub):
        hub.check_access(repo.partition("/")[0])
    build = make(request, args)
    if build:
        with interruptible(hub):
            publish(hub, build, repo, args.private)


def repository(out: str) -> str | None:
    """Return the repository that --out names, None for a folder. Raises UserError."""
    found = re.fullmatch(r"hf://datasets/([\w.-]+/[\w.-]+)/?", out)
    if "://" in out and not found:
        raise UserError(f"--out is {out}; it must be a folder, or hf://datasets/NAMESPACE/NAME")
    return found and found[1]


def make(request: Request, args: Namespace) -> Build | None:
    """Make the folder of a request, unless it is whole already; return its record, None where jobs will make it."""
    from ..scale import whole

    folder = args.folder
    if whole.is_finished(folder, request):
        print(f"{folder} is up to date: same arguments, same sources, every file unchanged")
        return Build.read(folder, request.dataset)
    submits = args.executor == "slurm" and not args.finish  # its jobs work in the folder
    with whole.begun(folder, request, alone=not submits) as work:
        if not args.finish and not run_tasks(request, work, args):
            return None
        finished = whole.finish(folder, request)
    print(page("endless", "scaled", folder, request, finished))
    return finished.build


def run_tasks(request: Request, work: Path, args: Namespace) -> bool:
    """Run the tasks that are not complete; return whether they have been run, not only submitted."""
    if args.executor == "local":
        from ..scale.shards import make_shards

        make_shards(request, work, args.workers or cores())
        return True
    from ..scale import executors

    if args.executor == "ray":
        executors.run_on_ray(request, work, args.workers or cores())
        return True
    here = ["--work" if repository(args.out) else "--out", str(args.folder)]  # wherever the job runs
    last = [sys.executable, "-m", "tom_datasets", "scale", *args.words, *here, "--finish"]
    jobs = executors.run_on_slurm(request, work, args.workers, dict(args.sbatch), last)
    if jobs:
        print(f"{args.folder}: job {jobs[0]} runs the tasks, job {jobs[1]} then makes the folder whole")
    return not jobs
