"""Hold which panels the pictures of a build and of scores have."""

from types import SimpleNamespace

import pyarrow as pa
import pyarrow.parquet as pq

from tom_datasets.answers.drawings import panels
from tom_datasets.audit import pictures
from tom_datasets.audit.shares import Share
from tom_datasets.builds import pictures as build_pictures
from tom_datasets.folder.build import Build

SCORES = pa.table({"deberta_pred": [0, 1], "deberta_confidence": [0.7, 0.6], "difficulty": [0.3, 1.4]})
FEATURES = SimpleNamespace(arrow_schema=SCORES.schema)


def small_build(folder, name: str, files: list[str]) -> Build:
    """Return a build of two scored rows in each file."""
    for file in files:
        (folder / file).parent.mkdir(parents=True, exist_ok=True)
        pq.write_table(SCORES, folder / file)
    request = {"all": {"seed": 5}, "deep": {"seed": 5}, "tomh": {"seed": 5}}
    return Build(folder, name, "", request, "", {file: {"rows": 2, "sha256": ""} for file in files})


def test_deep_stories_have_a_panel_where_their_rows_are_scored(tmp_path, monkeypatch):
    monkeypatch.setattr(build_pictures, "features_of", lambda dataset: FEATURES)
    build = small_build(tmp_path, "hi_tom", ["1st_order/test.parquet", "deep/test.parquet", "tomh/test.parquet"])
    assert list(build_pictures.scores_of(build)) == ["1st_order", "deep"]


def test_no_panel_is_called_all(tmp_path, monkeypatch):
    drawn = []
    monkeypatch.setattr(build_pictures, "features_of", lambda dataset: FEATURES)
    monkeypatch.setattr(pictures, "shortcuts", lambda path, groups, chance, gates, heading: drawn.append(groups))
    share = {"most common label": Share(3, 6, 0.5)}
    build = small_build(tmp_path, "mindgames", ["internal/test.parquet"])
    drawings = build_pictures.shared_drawings(build, {"internal": share, "all": share}, "mindgames")
    drawings["shortcuts"](tmp_path / "one.png")
    assert list(drawn[0]) == ["internal", "all setups"]


def test_the_one_panel_of_an_analysis_has_a_name():
    rate = SimpleNamespace(share=0.5, interval=lambda: (0.4, 0.6))
    scores = {"all": SimpleNamespace(analyses={"title": {"order": {"right": rate}}})}
    assert panels(scores, "title") == {"all stories": {"right": {"order": (0.5, 0.4, 0.6)}}}
