"""The command `clean`: it deletes what builds wrote, and the page that shows them."""

from argparse import Namespace

from ..difficulty.kept import kept_file
from ..errors import UserError
from ..explorer.site import NAME
from ..folder.build import remove
from .folders import named


def run(args: Namespace) -> None:
    """Delete the files that a build wrote and nobody changed since. Raises UserError for what stays, or no folder."""
    if not args.out.is_dir():
        raise UserError(f"--out is {args.out}, and there is no such folder; nothing was deleted")
    stayed = []
    for name in [*named(args), *([] if args.dataset else [NAME])]:
        folder = args.out / name
        try:
            files = ", ".join(remove(folder, name))
        except UserError as error:  # its record is damaged: the other folders are cleaned all the same
            stayed.append(str(error))
            continue
        kept_file(folder).unlink(missing_ok=True)
        if files:
            stayed.append(f"{folder} holds files that no build wrote, or that were changed since, still there: {files}")
    if stayed:
        raise UserError("; ".join(stayed))
