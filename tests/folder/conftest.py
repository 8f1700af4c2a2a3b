"""The small builds that tests of cards read."""

from types import SimpleNamespace

import pytest
from cards import NAMES, SMALL, WAYS, front_matter, read_card
from support import build


@pytest.fixture(scope="session")
def small_build(once):
    """Return what builds a small dataset in one of WAYS once, and returns its folder; no test may change it."""

    def small_build(name, way="with all"):
        def write(out):
            with pytest.MonkeyPatch.context() as patch:
                if way == "with all":
                    patch.setattr("tom_datasets.audit.gates.GATED_STORIES", 3)
                build(out, name, *SMALL[name], *WAYS[way])

        return once(f"{name} {way}", write) / name

    return small_build


@pytest.fixture
def build_small(tmp_path):
    """Return what builds a small dataset with other options, in a folder of the test's own."""
    return lambda name, *options: build(tmp_path / "built", name, *SMALL[name], *options) / name


@pytest.fixture(params=[(name, way) for name in NAMES for way in WAYS], ids=", ".join)
def made(request, small_build):
    """Return a small build of each dataset in each of WAYS: name, way, folder, its card, and the card's two parts."""
    name, way = request.param
    card = read_card(folder := small_build(name, way))
    matter, prose = front_matter(card)
    return SimpleNamespace(name=name, way=way, folder=folder, card=card, matter=matter, prose=prose)
