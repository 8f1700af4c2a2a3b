"""The small builds that tests of cards read."""

from types import SimpleNamespace

import pytest
from cards import NAMES, SMALL, WAYS, front_matter, read_card

from tom_datasets.__main__ import main


@pytest.fixture(scope="session")
def small_build(tmp_path_factory):
    """Return what builds a small dataset in one of WAYS once, and returns its folder; no test may change it."""
    out = tmp_path_factory.mktemp("cards")
    folders = {}

    def small_build(name, way="with all"):
        if (name, way) not in folders:
            with pytest.MonkeyPatch.context() as patch:
                if way == "with all":
                    patch.setattr("tom_datasets.audit.gates.GATED_STORIES", 3)
                folders[name, way] = make_small(name, out / way, *WAYS[way])
        return folders[name, way]

    return small_build


def make_small(name, out, *options):
    """Build a small dataset under `out`; return its folder."""
    assert main(["build", name, "--out", str(out), *map(str, SMALL[name]), *map(str, options)]) == 0
    return out / name


@pytest.fixture
def build_small(tmp_path):
    """Return what builds a small dataset with other options, in a folder of the test's own."""

    def build_small(name, *options):
        return make_small(name, tmp_path / "built", *options)

    return build_small


@pytest.fixture(params=[(name, way) for name in NAMES for way in WAYS], ids=", ".join)
def made(request, small_build):
    """Return a small build of each dataset in each of WAYS: name, way, folder, its card, and the card's two parts."""
    name, way = request.param
    card = read_card(folder := small_build(name, way))
    matter, prose = front_matter(card)
    return SimpleNamespace(name=name, way=way, folder=folder, card=card, matter=matter, prose=prose)
