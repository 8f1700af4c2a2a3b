"""Test what the tasks for lm-evaluation-harness ask: how long an answer may be, which rows, which solved problems."""

import datasets
import pytest
import yaml
from support import ROOT

from tasks.lm_eval import _generate, harness
from tom_datasets.story.config import order_name

FOLDER = ROOT / "tasks" / "lm_eval"


class Loader(yaml.SafeLoader):
    """Read YAML as the harness does, with the name of a function for each `!function`."""


Loader.add_constructor("!function", lambda loader, node: node.value)


def settings(name: str) -> dict:
    """Return what a task has, with all that it includes."""
    own = yaml.load((FOLDER / name).read_text(encoding="utf-8"), Loader)
    return {**(settings(own.pop("include")) if "include" in own else {}), **own}


@pytest.mark.parametrize("name", [name for name in _generate.files() if name.endswith(("_reply.yaml", "_cot.yaml"))])
def test_a_model_of_2048_positions_has_room_for_the_prompt_and_its_answer(name):
    task = settings(name)
    if "group" in task:
        return
    limits = task["generation_kwargs"]
    if name.endswith("_cot.yaml"):
        assert (limits["max_gen_toks"], limits["until"]) == (1024, [])
    else:
        assert limits["max_gen_toks"] == 32 and "Question:" in limits["until"]


def test_every_config_and_order_has_a_task_of_each_kind():
    names = set(_generate.files())
    configs = ["reproduction", *(f"deep_{order_name(order)}" for order in range(5)), *map(order_name, range(13))]
    for kind in ("", "_reply", "_cot"):
        assert {f"hi_tom_{config}{kind}.yaml" for config in configs} <= names
    for kind in ("", "_5shot", "_reply"):
        assert {f"mindgames_{config}{kind}.yaml" for config in ("scale", "reproduction", "deep", "ladder")} <= names
    assert "joint_acc" in {metric["metric"] for metric in settings("hi_tom_reproduction_cot.yaml")["metric_list"]}


def test_single_problems_have_no_block_accuracy():
    for kind in ("", "_5shot", "_reply"):
        task = settings(f"mindgames_reproduction{kind}.yaml")
        row = {"block": "", "label": "entailment"}
        judge = getattr(harness, task["process_results"].removeprefix("harness."))
        verdict = judge(row, ["True"] if kind == "_reply" else [(-1.0, False), (-2.0, False)])
        assert set(verdict) == {metric["metric"] for metric in task["metric_list"]}
        assert verdict["acc"] == 1 and "block_acc" not in verdict


def splits_of(**rows) -> datasets.DatasetDict:
    """Return splits with these rows."""
    return datasets.DatasetDict({split: datasets.Dataset.from_list(of_split) for split, of_split in rows.items()})


def test_tasks_find_their_rows_from_any_folder(tmp_path, monkeypatch):
    """By metadata, by the environment, in the working directory, in the clone."""
    loaded = []
    monkeypatch.setattr(datasets, "load_dataset", lambda path, *_, **__: loaded.append(path))
    monkeypatch.setattr(harness, "CLONE", tmp_path / "clone")
    monkeypatch.delenv("TOM_DATASETS", raising=False)
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    with pytest.raises(ValueError) as error:
        harness.load("hi_tom", "deep")
    nowhere = f"no folder hi_tom in {tmp_path / 'here'} or {tmp_path / 'clone'}: run make build, or set TOM_DATASETS="
    assert str(error.value) == f"{nowhere}FOLDER"
    for place in ("clone", "here"):
        (tmp_path / place / "hi_tom").mkdir(parents=True)
        harness.load("hi_tom", "deep")
    monkeypatch.setenv("TOM_DATASETS", "lab")
    harness.load("hi_tom", "deep")
    harness.load("hi_tom", "deep", where="other")
    assert loaded == [f"{tmp_path}/clone/hi_tom", f"{tmp_path}/here/hi_tom", "lab/hi_tom", "other/hi_tom"]


def test_a_task_can_ask_one_order(monkeypatch):
    asked = {"story": "S", "question": "Q", "choices": ["a", "b"]}
    rows = [{"id": f"deep-{place}", "story_id": "s", "order": place % 3, **asked} for place in range(6)]
    monkeypatch.setattr(harness, "load", lambda *_, **__: splits_of(test=rows))
    assert harness.hi_tom("deep", "vp", order=2)["test"]["id"][:] == ["deep-2", "deep-5"]
    with pytest.raises(ValueError) as error:
        harness.hi_tom("deep", "vp", order=7)
    assert str(error.value) == "hi_tom has no question of order 7 in deep; it has the orders 0, 1, 2"


def test_five_solved_problems_of_scale_come_from_its_setup(monkeypatch):
    def rows(split, setup):
        return [
            dict(index=4000 * (split == "test") + place, block=f"{split}-{place // 4}", setup=setup, seed=0,
                 premise=f"{split} {place // 4}", hypothesis="h", label=("entailment", "not_entailment")[place % 2])
            for place in range(40)
        ]  # fmt: skip

    folder = {"scale": {"test": rows("test", "internal")}, "internal": {"train": rows("train", "internal")}}
    monkeypatch.setattr(harness, "load", lambda _, name, **__: splits_of(**folder[name]))
    prompts = harness.mindgames("scale", "five-shot")["test"]["prompt"][:]
    assert all(prompt.count("Statement:") == 6 and prompt.count("train ") == 5 for prompt in prompts)
    folder["internal"] = {"test": folder["scale"]["test"]}
    with pytest.raises(ValueError) as error:
        harness.mindgames("scale", "five-shot")
    reason = "mindgames has no train split of internal, from which the five examples come: build one"
    assert str(error.value) == reason
