"""The fixture of the tests that spoil rows: what a proof says of them."""

import pyarrow.parquet as pq
import pytest

from tom_datasets.columns import EMBEDDED
from tom_datasets.folder.build import Build
from tom_datasets.proof.problems import prove_mindgames
from tom_datasets.proof.stories import prove_hi_tom

PROOFS = {"hi_tom": prove_hi_tom, "mindgames": prove_mindgames}


@pytest.fixture
def rows_of(tiny_build):
    """Return a function that returns the rows of a file of a tiny build."""
    return lambda name, file: pq.read_table(tiny_build(name) / name / file).to_pylist()


@pytest.fixture
def faults(tiny_build, rows_of):
    """Let a change alter the rows of a file of a tiny build; return all faults that the proof then finds, and the rows.

    asked: fields that the config has in place of those of the build.
    """

    def faults(name, file, change=lambda rows: None, **asked):
        config = Build.read(tiny_build(name) / name, name).config_of(file)
        rows = rows_of(name, file)
        change(rows)
        config = {**config, "scorer": config["scorer"] and EMBEDDED, **asked}
        return [found for found in PROOFS[name](rows, config, file) if isinstance(found, str)], rows

    return faults
