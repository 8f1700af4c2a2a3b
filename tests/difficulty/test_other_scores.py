"""Score the same rows by another probe, and load them again: no cache of `datasets` may answer with earlier scores."""

import datasets
import pyarrow.parquet as pq
import pytest
from probing import LEAST, give_other_weights
from support import contents

from tom_datasets import HiTom, MindGames
from tom_datasets.dataset import NAMES
from tom_datasets.difficulty.probe import load_probe

BUILDERS = {"hi_tom": HiTom, "mindgames": MindGames}
CONFIG = {"hi_tom": "tomh", "mindgames": "reproduction"}


@pytest.mark.parametrize("name", NAMES)
def test_another_probe_gives_other_scores_to_who_loads_again(run, tmp_path, copied, name):
    """All sizes are the same. The same arguments give the same card, and the cache answers."""
    give_other_weights(copied, name)
    folder, config, loaded, cards = tmp_path / name, CONFIG[name], [], []
    for probe in ("embedded", copied, "embedded"):
        words = ["--only", config, *LEAST[name], "--probe", probe, "--force"]
        assert run("build", name, "--out", tmp_path, *words)[0] == 0
        cards.append(contents(folder)["README.md"])
        rows = datasets.load_dataset(str(folder), config, split="test", cache_dir=str(tmp_path / "cache"))
        assert rows.to_list() == pq.read_table(folder / config / "test.parquet").to_pylist()
        loaded.append((rows["deberta_confidence"][:], rows.cache_files))
    (first, place), (second, other), (third, again) = loaded
    assert first == third != second and place == again != other
    assert cards[0] == cards[2] != cards[1]


@pytest.mark.parametrize("name", NAMES)
def test_another_probe_in_the_same_folder_gives_other_scores_to_the_builder(tmp_path, copied, name):
    sizes, scores = {"train": None, "validation": None, "test": 2}, []
    for change in (lambda: None, lambda: give_other_weights(copied, name)):
        change()
        load_probe.cache_clear()  # as in another process
        builder = BUILDERS[name](str(tmp_path / "cache"), config_name=CONFIG[name], scorer=str(copied), **sizes)
        builder.download_and_prepare()
        scores.append(builder.as_dataset("test")["deberta_confidence"][:])
    assert len(scores[0]) == len(scores[1]) and scores[0] != scores[1]
