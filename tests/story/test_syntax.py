"""Prove that events and stories cannot be changed once they are made."""

import pytest

from tom_datasets.syntax.events import Place, Story


def test_numbers_and_tuples_cannot_be_changed():
    with pytest.raises(AttributeError):
        Place(0, 0).thing = 1
    with pytest.raises(AttributeError):
        Story(1, ()).n_agents = 2
