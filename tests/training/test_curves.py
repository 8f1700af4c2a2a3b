"""Learning curves are measured as their recipes say, on rows that are no test rows (`make test-trainers`)."""

import json

import pytest

pytestmark = pytest.mark.trainers


def test_a_curve_is_the_same_again_and_its_rows_are_those_of_the_split(tiny_build, tmp_path, monkeypatch):
    from results import curves
    from tom_datasets.training import probe

    monkeypatch.setattr(curves, "POINTS", (16, 32))
    curve = curves.Curve("hi_tom", {"config": "deep", "max_order": 2}, ["deep", "all"], (16, 32))
    monkeypatch.setitem(curves.RECIPES_OF_CURVES, "few", curve)
    learnt = []
    taught = probe.taught
    monkeypatch.setattr(
        curves, "taught",
        lambda model, drawn, *more: taught(model, ((learnt.append(len(each)), each)[1] for each in drawn), *more),
    )  # fmt: skip
    files = [tmp_path / "once.jsonl", tmp_path / "twice.jsonl"]
    for file in files:
        curves.main(["few", "--out", str(tiny_build("hi_tom")), "--to", str(file)])
    first, second = ([json.loads(line) for line in file.read_text().splitlines()] for file in files)
    assert first == second and sum(learnt) == 2 * (32 - first[0]["left_out"])
    assert {(line["curve"], line["seen"], line["asked"]) for line in first} == {
        ("few", seen, asked) for seen in (16, 32) for asked in ("deep", "all")
    }
    assert {line["order"] for line in first} == {0, 1, 2, 3, 4} and all(
        0 <= line["right"] <= line["rows"] for line in first
    )


def test_a_model_that_is_right_is_counted_right(tiny_build):
    import torch

    from results import curves
    from tom_datasets.difficulty.masking import MaskedRow

    class Always(torch.nn.Module):
        def forward(self, input_ids, attention_mask):
            logits = torch.zeros(len(input_ids), 4)
            logits[:, 3], logits[:, 1] = 2.0, 1.0  # the last class is no option below
            return type("Out", (), {"logits": logits})()

    rows = [
        (order, [2, 3][: order % 2 + 1], MaskedRow((), (0, 1, 2), right)) for order, right in enumerate([1, 1, 2, 0, 1])
    ]
    assert curves.right_by_order(Always(), rows) == {0: 1, 1: 1, 2: 0, 3: 0, 4: 1}
