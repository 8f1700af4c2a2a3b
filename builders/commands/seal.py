"""The command `seal`: it writes what comes with the project: pilot, witnesses, and hashes of default test problems."""

from collections import deque
from typing import Any

from ..builds.making import make
from ..builds.witness_files import own_file, witnesses_of, write
from ..dataset import NAMES, dataset_named
from ..files import written_beside
from ..logic import pilot
from ..logic.chunks import drawn_pilots
from ..splits import ENGLISH
from ..streaming import sealed
from ..witness import Witnesses, recorded
from ..work import spread
from .build import TINY, Choices, chosen_configs
from .options import command, processes


@command("seal")
@processes
def run(processes: int) -> None:
    """Write all files anew, the pilot first: the test problems of `deep` depend on it."""
    with written_beside(pilot.FILE) as (partial,):
        pilot.write(drawn_pilots(), partial)
    for name in NAMES:
        path, sections = own_file(name), dict[str, dict[str, str]]()
        for sizes in {}, TINY[name]:
            witnesses = Witnesses(sections)  # short splits of order blocks begin as long ones do, which are kept
            chosen = chosen_configs(name, Choices(0, ENGLISH, scorer=None, explanations=False, only=None, own=sizes))
            english = [config for config in chosen if config.language == ENGLISH]
            deque(make(name, english, processes, None, witnesses), maxlen=0)
            sections = {**sections, **{of: sections.get(of, {}) | found for of, found in witnesses.found.items()}}
        print(f"{path}: {write(path, sections):,} bytes, what searches for the default and the tiny build found")
    # Other languages have the same problems.
    tasks = [(name, config) for name in NAMES for config in dataset_named(name).built if config.language == ENGLISH]
    hashes = [part for parts in spread(hashes_of, tasks, processes, "sealing", "config") for part in parts]
    print(f"{sealed.FILE}: {sealed.write(hashes):,} problems of the default test builds")


def hashes_of(dataset: str, config: Any) -> list[bytes]:
    """Return the hashes of the problems in the test split of a config."""
    known = witnesses_of([config], [own_file(dataset)]).known(config.section)
    keys, _ = recorded(known, dataset_named(dataset).problems_in_test, config)
    return [sealed.hash_of(dataset, key) for key in keys]
