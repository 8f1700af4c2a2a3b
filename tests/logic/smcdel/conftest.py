"""The fixture that stands in for SMCDEL in this folder."""

import pytest
from support import embedded_smcdel, shell_script


@pytest.fixture
def program(tmp_path):
    """Return the path of a program smcdel that is this project's own."""
    return shell_script(tmp_path / "smcdel", f'exec {embedded_smcdel()} "$@"')
