"""The fixture of the tests of the test Hub."""

import pytest

from fake_hub import Hub


@pytest.fixture
def hub():
    """Serve one Hub."""
    with Hub() as hub:
        yield hub
