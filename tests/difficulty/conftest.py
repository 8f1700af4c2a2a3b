"""What the tests of difficulty share: rows of every config, the embedded probes, builds, and copies to spoil."""

import shutil
from pathlib import Path

import pytest
from probing import CONFIGS, LEAST, PROBES
from support import build

from tom_datasets.builds.making import make
from tom_datasets.dataset import NAMES
from tom_datasets.difficulty.masking import mask_row
from tom_datasets.difficulty.probe import Probe


@pytest.fixture(scope="module")
def rows() -> dict[str, list[dict]]:
    """Make rows of all configs, unscored."""
    return {name: [row for _, row in make(name, CONFIGS[name], 1)] for name in NAMES}


@pytest.fixture(scope="module")
def probes() -> dict[str, Probe]:
    """Load the embedded probes."""
    return {name: Probe(PROBES, name) for name in NAMES}


@pytest.fixture(scope="module")
def scores(rows, probes) -> dict[str, list[dict]]:
    """Score the rows by the embedded probes."""
    return {name: [probes[name].score(mask_row(row)) for row in rows[name]] for name in NAMES}


@pytest.fixture(scope="session")
def built(once) -> Path:
    """Build both once, small, scored by the embedded probes; no test may change them."""

    def write(out):
        for name in NAMES:
            build(out, name, *LEAST[name])

    return once("scored", write)


@pytest.fixture
def copied(tmp_path) -> Path:
    """Copy the embedded probes, for a test to spoil."""
    return Path(shutil.copytree(PROBES, tmp_path / "copied"))
