"""The command `publish`: it sends built folders to the Hugging Face Hub, and reads them back."""

import os
import re
from pathlib import Path

import click

from ..builds.requests import example
from ..errors import UserError
from ..explorer.site import NAME, site_of
from ..hub import client
from ..hub.client import Hub
from ..hub.interrupts import interruptible
from ..hub.local import read_folder
from ..hub.network import TOKEN
from ..hub.publication import PUBLIC_SEED, Options, Publication
from ..hub.repository import Repository
from ..wording.languages import page
from .check import check
from .folders import builds
from .options import command, datasets, option, out, probe, processes, scorer_of
from .values import SECONDS, Value, matching

TIME_LIMIT = 1800.0  # seconds that the Hub may take in all, where no other limit is given


def named(text: str) -> str:
    """Return the name of a user, an organisation or a repository of the Hub. Raises ValueError for another text."""
    no_token(text)
    return matching("[A-Za-z0-9]([A-Za-z0-9._-]*[A-Za-z0-9])?")(text)


def referred(text: str) -> str:
    """Return the name of a branch or a tag. Raises ValueError for another text."""
    no_token(text)
    if re.fullmatch("[0-9a-f]{40}", text):
        raise click.BadParameter(f"{text} is a commit; name a branch or a tag")
    return matching(r"(?!refs/)(?!.*\.\.)[A-Za-z0-9][A-Za-z0-9._/-]*")(text)


def no_token(text: str) -> None:
    """Refuse a token where a name should be; the message does not repeat it."""
    if TOKEN.search(text) or text and text == os.environ.get("HF_TOKEN"):
        raise click.BadParameter("it is a token, not a name; give tokens in HF_TOKEN only")


NAMESPACE = Value("name", named, "is not the name of a user, an organisation or a repository of the Hub")
REF = Value("name", referred, "is not the name of a branch or a tag")


@command("publish")
@datasets
@out
@processes
@probe
@click.option("--namespace", type=NAMESPACE, required=True, help="the user or organisation that owns the repository")
@click.option(
    "--name",
    type=NAMESPACE,
    help="the repository's name (default: the dataset's); the page of --explorer then goes to NAME_explorer",
)
@option("--private", is_flag=True, help="make new repositories private")
@option(
    "--public",
    is_flag=True,
    without=["--private"],
    help=f"let everybody see a seed other than {PUBLIC_SEED} that the repository does not show yet",
)
@click.option(
    "--replace",
    is_flag=True,
    help="replace a build of another seed, other sizes, another language or other arguments",
)
@click.option("--tag", type=REF, help="tag the commit, such as v1.0.0")
@option("--pr", is_flag=True, without=["--tag", "--revision"], help="open a pull request instead")
@click.option("--revision", type=REF, default="main", help="the branch, created if it does not exist (default: main)")
@click.option("--dry-run", is_flag=True, help="print what would be added, changed and deleted; send nothing")
@click.option("--explorer", is_flag=True, help="also send the page that explorer wrote, as a static Space")
@click.option(
    "--time-limit",
    type=SECONDS,
    metavar="SECONDS",
    help=f"how long the Hub may take in all, in seconds (default: {TIME_LIMIT:.0f})",
)
def run(
    dataset: str | None,
    out: Path,
    processes: int,
    probe: str,
    namespace: str,
    name: str | None,
    private: bool,
    public: bool,
    replace: bool,
    tag: str | None,
    pr: bool,
    revision: str,
    dry_run: bool,
    explorer: bool,
    time_limit: float | None,
) -> None:
    """Send the builds; each one is complete, proven and within the gates before any is sent.

    The Hub is asked for the right to write first, as the proof of the rows takes a minute.
    """
    built = list(builds(dataset, out))
    if name and len(built) > 1:
        raise UserError("NAME (--name) names one repository: say which dataset goes there, such as DATASET=hi_tom")
    limit = time_limit or TIME_LIMIT
    is_short = dry_run and time_limit is None
    hub = Hub(client.read_token(optional=dry_run), client.FIRST_ANSWER if is_short else limit)
    with interruptible(hub):
        hub.check_access(namespace, pr)
    if is_short:
        hub.limit_time(limit)
    options = Options(namespace, revision, tag, pr, replace, private, public)
    publications = []
    site = site_of(out / NAME, built) if explorer else None
    for build in built:
        there = Repository(hub, f"{namespace}/{name or build.dataset}")
        local = read_folder(build, there.name)
        check(build, processes, scorer_of(probe))
        publications.append(Publication(there, local, options, example(build)))
    if site:
        there = Repository(hub, f"{namespace}/{f'{name}_{NAME}' if name else NAME}", "space")
        publications.append(Publication(there, read_folder(site, there.name), options))
    with interruptible(hub):
        for publication in publications:
            publication.prepare()
        for publication in publications:  # where one is refused, none is sent
            if not dry_run:
                publication.carry_out()
            print(page("publish", "dry_run" if dry_run else "done", publication))
