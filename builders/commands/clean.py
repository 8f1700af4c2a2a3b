"""The command `clean`: it deletes what builds wrote, and the page that shows them."""

from pathlib import Path

from ..builds.witness_files import file_beside
from ..difficulty.kept import kept_file
from ..errors import UserError
from ..explorer.site import NAME
from ..folder.build import remove
from .folders import named
from .options import command, datasets, out


@command("clean")
@datasets
@out
def run(dataset: str | None, out: Path) -> None:
    """Delete the files that a build wrote and nobody changed since. Raises UserError for what stays, or no folder."""
    if not out.is_dir():
        raise UserError(f"--out is {out}, which does not exist: nothing was deleted; name a folder that holds builds")
    stayed = []
    for name in [*named(dataset), *([] if dataset else [NAME])]:
        folder = out / name
        try:
            files = ", ".join(remove(folder, name))
        except UserError as error:  # its record is damaged: the other folders are cleaned all the same
            stayed.append(str(error))
            continue
        for kept in (kept_file(folder), file_beside(folder)):
            kept.unlink(missing_ok=True)
        if files:
            strange = "files that no build wrote, or that were changed since, still there"
            stayed.append(f"{folder} holds {strange}: {files}; move them away or delete them")
    if stayed:
        raise UserError("; ".join(stayed))
