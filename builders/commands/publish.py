"""The command `publish`: it sends built folders to the Hugging Face Hub, and reads them back."""

import argparse
import os
import re
from argparse import Namespace
from functools import partial

from ..builds.requests import example
from ..errors import UserError
from ..explorer.site import NAME, site_of
from ..hub import client
from ..hub.client import Hub
from ..hub.interrupts import interruptible
from ..hub.local import read_folder
from ..hub.network import TOKEN
from ..hub.publication import PUBLIC_SEED, Publication  # noqa: F401, options.toml names the seed
from ..hub.repository import Repository
from ..wording.languages import page
from .check import check
from .folders import builds
from .options import matching, reading, scorer_of

TIME_LIMIT = 1800.0  # seconds that the Hub may take in all, where no other limit is given


def namespace(text: str) -> str:
    """Read the name of a user, an organisation or a repository of the Hub."""
    no_token(text)
    name = partial(matching, "[A-Za-z0-9]([A-Za-z0-9._-]*[A-Za-z0-9])?")
    return reading(name, "is no name of a user, an organisation or a repository of the Hub")(text)


def ref(text: str) -> str:
    """Read the name of a branch or a tag."""
    no_token(text)
    if re.fullmatch("[0-9a-f]{40}", text):
        raise argparse.ArgumentTypeError(f"{text} is a commit; name a branch or a tag")
    name = partial(matching, r"(?!refs/)(?!.*\.\.)[A-Za-z0-9][A-Za-z0-9._/-]*")
    return reading(name, "is no name of a branch or a tag")(text)


def no_token(text: str) -> None:
    """Refuse a token where a name should be; the message does not repeat it."""
    if TOKEN.search(text) or text and text == os.environ.get("HF_TOKEN"):
        raise argparse.ArgumentTypeError("it is a token, not a name; a token is given by HF_TOKEN alone")


def run(args: Namespace) -> None:
    """Send the builds; each one is complete, proven and within the gates before any is sent.

    The Hub is asked for the right to write first, as the proof of the rows takes a minute.
    """
    built = list(builds(args))
    if args.name and len(built) > 1:
        raise UserError("NAME (--name) names one repository: say which dataset goes there, such as DATASET=hi_tom")
    limit = args.time_limit or TIME_LIMIT
    is_short = args.dry_run and args.time_limit is None
    hub = Hub(client.read_token(optional=args.dry_run), client.FIRST_ANSWER if is_short else limit)
    with interruptible(hub):
        hub.check_access(args.namespace, args.pr)
    if is_short:
        hub.limit_time(limit)
    publications = []
    site = site_of(args.out / NAME, built) if args.explorer else None
    for build in built:
        there = Repository(hub, f"{args.namespace}/{args.name or build.dataset}")
        local = read_folder(build, there.name)
        check(build, args.processes, scorer_of(args))
        publications.append(Publication(there, local, args, example(build)))
    if site:
        name = f"{args.name}_{NAME}" if args.name else NAME
        there = Repository(hub, f"{args.namespace}/{name}", "space")
        publications.append(Publication(there, read_folder(site, there.name), args))
    with interruptible(hub):
        for publication in publications:
            publication.prepare()
        for publication in publications:  # where one is refused, none is sent
            if not args.dry_run:
                publication.carry_out()
            print(page("publish", "dry_run" if args.dry_run else "done", publication))
