"""Build with `datasets` without a probe: `scorer=None` and `scorer="none"` leave the scored columns empty."""

import pytest

from tom_datasets.columns import UNSCORED
from tom_datasets.hi_tom.builder import HiTom
from tom_datasets.mindgames.builder import MindGames

BUILDERS = [(HiTom, "1st_order"), (MindGames, "forehead")]


@pytest.mark.parametrize(("builder", "config"), BUILDERS)
@pytest.mark.parametrize("scorer", [None, "none"])
def test_no_scorer_means_no_scores(tmp_path, builder, config, scorer):
    sizes = {"train": None, "validation": None, "test": 2}
    rows = {}
    for name, fields in (("unscored", {"scorer": scorer}), ("scored", {})):
        made = builder(config_name=config, cache_dir=str(tmp_path), seed=3, **sizes, **fields)
        made.download_and_prepare()
        rows[name] = made.as_dataset(split="test").to_list()
    assert [{**row, **UNSCORED} for row in rows["scored"]] == rows["unscored"]
    assert all(row["deberta_pred"] is not None for row in rows["scored"]), "another cache folder holds them"


@pytest.mark.parametrize(("builder", "config"), BUILDERS)
def test_a_scorer_that_is_no_probe_is_refused(tmp_path, builder, config):
    with pytest.raises(ValueError, match="the probe's file .*nothing-here.* is missing"):
        builder(config_name=config, cache_dir=str(tmp_path), scorer=str(tmp_path / "nothing-here"))
