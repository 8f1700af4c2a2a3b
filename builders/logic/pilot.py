"""The pilot that comes with the project: what the filters of `deep` learn first, by its default fields.

To draw it takes two seconds a setup (`chunks.drawn_pilots`), so `make seal` writes it down; a test draws it
again.
"""

import json
import zipfile
import zlib
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from ..errors import UserError
from ..witness import tupled
from .shortcut_filter import ShortcutFilter, log_odds

OFTEN = 4  # counts of a feature that must be passed; what came once or twice teaches little
# A file of JSON for each setup: a list of [feature, false, true], the counts of `ShortcutFilter`.
FILE = Path(__file__).with_name("pilot.zip")


def write(filters: Mapping[str, ShortcutFilter], path: Path) -> None:
    """Write what the filter of each setup has learnt; the same bytes whenever it is written."""
    with zipfile.ZipFile(path, "w") as packed:
        for setup, shortcut_filter in filters.items():
            tallies = shortcut_filter.tallies.items()
            counts = [[feature, false, true] for feature, (false, true, _) in tallies if false + true > OFTEN]
            undated = zipfile.ZipInfo(f"{setup}.json")
            packed.writestr(undated, json.dumps(counts, separators=(",", ":")), zipfile.ZIP_DEFLATED)


@cache
def read(setup: str, path: Path = FILE) -> ShortcutFilter:
    """Return what the filter of a setup has learnt. Raises UserError where the file lacks it, is missing or damaged."""
    try:
        with zipfile.ZipFile(path) as packed:
            counts = json.loads(packed.read(f"{setup}.json"))
    except KeyError:
        raise UserError(f"{path} has no pilot of {setup}, from which its order blocks start; run make seal") from None
    except (OSError, ValueError, zipfile.BadZipFile, zlib.error):
        raise UserError(f"{path} is missing or damaged; install the project again (maintainers: make seal)") from None
    return ShortcutFilter({tupled(feature): [*both, log_odds(*both)] for feature, *both in counts})
