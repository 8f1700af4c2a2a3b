"""Make the rows of docs/reference/results.md with a real small model, each at its smallest size, on tiny builds."""

import json
import shutil

import pytest

pytestmark = pytest.mark.models


@pytest.fixture
def kept(tiny_build, tmp_path, monkeypatch):
    """Have replies, figures and the page in a folder of the test; return it. Its folder `out` has both builds."""
    from results import finetune, page, reference, tables, worlds

    (tmp_path / "out").mkdir()
    for name in ("hi_tom", "mindgames"):
        (tmp_path / "out" / name).symlink_to(tiny_build(name) / name)
    shutil.copy(page.PAGE, tmp_path / "results.md")
    monkeypatch.setattr(page, "PAGE", tmp_path / "results.md")
    monkeypatch.setattr(page, "PICTURES", tmp_path)
    places = {"FIGURES": "figures.jsonl", "REPLIES": "replies", "CURVES": "curves.jsonl", "WORLDS": "worlds.jsonl"}
    for module in (page, reference, finetune, tables, worlds):
        for name, place in places.items():
            if hasattr(module, name):
                monkeypatch.setattr(module, name, tmp_path / place)
    return tmp_path


def test_a_model_is_asked_before_and_after_it_was_tuned_and_in_worlds_that_it_never_saw(kept):
    from results import finetune, tables

    words = ["mindgames", "--config", "deep", "--examples", "2", "--rows", "4", "--max-tokens", "4", "--worlds"]
    finetune.main([*words, "--out", str(kept / "out")])
    readers = list(dict.fromkeys(figure["reader"] for figure in tables.lines_of(kept / "figures.jsonl")))
    assert readers == ["smollm2, before mindgames deep", "smollm2, after 2 rows of mindgames deep"]
    said = [(kept / "replies" / reader / "mindgames_deep_exam.jsonl").read_text() for reader in readers]
    assert all(len(text.splitlines()) == 4 for text in said)
    told = tables.lines_of(kept / "worlds.jsonl")
    asked = [(reader, world) for reader in readers for world in ("house", "servers", "exam", "together")]
    assert [(line["reader"], line["world"]) for line in told] == asked
    assert {line["data"] for line in told} == {"mindgames deep"} and {line["rows"] for line in told} == {4}
    assert "| smollm2, after 2 rows of mindgames deep | mindgames deep | 4 |" in (kept / "results.md").read_text()


def test_a_model_is_asked_both_ways_and_once(kept, capfd, monkeypatch):
    """What is there already is not asked again, unless more rows are asked for."""
    from results import reference, tables

    monkeypatch.setattr(reference, "ASKED", {("mindgames", "deep"): "depth"})
    reference.main(["--rows", "1", "--out", str(kept / "out")])
    readers, text = ["smollm2, replies", "smollm2, likelihoods"], (kept / "results.md").read_text()
    figures = {
        figure["reader"]: figure for figure in tables.lines_of(kept / "figures.jsonl") if figure["group"] == "all"
    }
    for reader in readers:
        file = kept / "replies" / reader / "mindgames_deep.jsonl"
        replies = [json.loads(line) for line in file.read_text().splitlines()]
        assert figures[reader]["rows"] == len(replies) == 4 and figures[reader]["seconds"] > 0
        assert figures[reader]["chance"] == 0.5 and f"| {reader} |" in text
    assert {reply["response"] for reply in replies} <= {"True", "False"} and figures[reader]["unread"] == 0
    before = (kept / "figures.jsonl").read_bytes()
    monkeypatch.setattr(reference, "packaged", lambda name, folder: folder / "nothing is loaded")
    capfd.readouterr()
    reference.main(["--rows", "1", "--out", str(kept / "out")])
    assert "0 of them asked for now" in capfd.readouterr().out
    assert (kept / "figures.jsonl").read_bytes() == before
    with pytest.raises(OSError, match="nothing is loaded"):  # more rows are weighed, which needs the model
        reference.main(["--rows", "5", "--ways", "likelihoods", "--out", str(kept / "out")])
