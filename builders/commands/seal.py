"""The command `seal`: it writes what comes with the project, the pilot and the hashes of default test problems."""

from typing import Any

from ..dataset import NAMES, dataset_named
from ..files import written_beside
from ..logic import pilot
from ..logic.chunks import drawn_pilots
from ..splits import ENGLISH
from ..streaming import sealed
from ..work import spread
from .options import command, processes


@command("seal")
@processes
def run(processes: int) -> None:
    """Write both files anew, the pilot first: the test problems of `deep` depend on it."""
    with written_beside(pilot.FILE) as (partial,):
        pilot.write(drawn_pilots(), partial)
    # Other languages have the same problems.
    tasks = [(name, config) for name in NAMES for config in dataset_named(name).built if config.language == ENGLISH]
    hashes = [part for parts in spread(hashes_of, tasks, processes, "sealing", "config") for part in parts]
    print(f"{sealed.FILE}: {sealed.write(hashes):,} problems of the default test builds")


def hashes_of(dataset: str, config: Any) -> list[bytes]:
    """Return the hashes of the problems in the test split of a config."""
    return [sealed.hash_of(dataset, key) for key in dataset_named(dataset).problems_in_test(config)]
