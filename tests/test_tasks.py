"""Test the tasks for lm-evaluation-harness as far as that is possible without it: files, rows, prompts and metrics."""

import math

import datasets
import pytest
import yaml
from support import OF_ALL, ROOT

from tasks.lm_eval import _generate, harness
from tom_datasets.story.config import order_name

FOLDER = ROOT / "tasks" / "lm_eval"


class Function(str):
    """Stand for a function that a file names."""


class Loader(yaml.SafeLoader):
    """Read YAML as the harness does, with the name of a function for each `!function`."""


Loader.add_constructor("!function", lambda loader, node: Function(node.value))


def settings(name):
    """Return what a task has, with all that it includes."""
    own = yaml.load((FOLDER / name).read_text(encoding="utf-8"), Loader)
    return {**(settings(own.pop("include")) if "include" in own else {}), **own}


def test_every_file_is_what_the_generator_writes_and_none_is_left_over():
    """After a change of _generate.py, run `make tasks`."""
    for name, text in _generate.files().items():
        assert (FOLDER / name).read_text(encoding="utf-8") == text, f"{name}: run make tasks"
    assert _generate.left_over(list(_generate.files())) == []


def test_writing_deletes_what_is_left_over(tmp_path, monkeypatch):
    monkeypatch.setattr(_generate, "FOLDER", tmp_path)
    for name in ("hi_tom_13th_order.yaml", "_hi_tom_yaml", "tomh.yaml"):
        (tmp_path / name).write_text("by hand")
    _generate.main()
    assert not (tmp_path / "hi_tom_13th_order.yaml").exists()
    assert (tmp_path / "_hi_tom_yaml").read_text() == "by hand"
    assert (tmp_path / "tomh.yaml").read_text() == _generate.files()["tomh.yaml"]
    assert len(list(tmp_path.iterdir())) == len(_generate.files()) + 1


@pytest.mark.parametrize("name", sorted(_generate.files()))
def test_a_file_names_only_what_exists_and_leaves_room_for_an_answer(name):
    """A model of 2,048 positions has room for the prompt and its answer."""
    found = settings(name)
    if "group" in found:
        assert found["group"] == name.removesuffix(".yaml")
        assert {f"{task}.yaml" for task in found["task"]} <= set(_generate.files())
        return
    assert found["task"] == name.removesuffix(".yaml")
    values = [*found.values(), *(metric["aggregation"] for metric in found["metric_list"])]
    named = [value for value in values if isinstance(value, Function)]
    assert named
    for function in named:
        module, _, attribute = function.partition(".")
        assert module == "harness" and callable(getattr(harness, attribute)), function
    limits = found.get("generation_kwargs")
    if name.endswith("_cot.yaml"):
        assert (limits["max_gen_toks"], limits["until"]) == (1024, [])
    elif name.endswith("_reply.yaml"):
        assert limits["max_gen_toks"] == 32 and "Question:" in limits["until"]


def test_every_config_and_order_has_a_task_of_each_kind():
    names = set(_generate.files())
    configs = ["reproduction", *(f"deep_{order_name(order)}" for order in range(5)), *map(order_name, range(13))]
    for kind in ("", "_reply", "_cot"):
        assert {f"hi_tom_{config}{kind}.yaml" for config in configs} <= names
    for kind in ("", "_5shot", "_reply"):
        assert {
            f"mindgames_{config}{kind}.yaml" for config in ("scale", "reproduction", "deep", "ladder", "rounds")
        } <= names
    for name in ("hi_tom_{}", "hi_tom_{}_reply", "hi_tom_{}_cot", "mindgames_{}", "mindgames_{}_reply"):
        told = ("all", "deep", "ladder", *["rounds"] * name.startswith("mindgames"))
        spoken = [f"{config}_{language}" for config in told for language in ("fr", "zh")]
        assert {f"{name.format(config)}.yaml" for config in spoken} <= names
    woven = [f"hi_tom_woven{language}{kind}.yaml" for language in ("", "_fr", "_zh") for kind in ("", "_reply", "_cot")]
    assert {*woven} <= names
    assert "joint_acc" in {metric["metric"] for metric in settings("hi_tom_reproduction_cot.yaml")["metric_list"]}


@pytest.mark.parametrize("kind", ["", "_5shot", "_reply"])
def test_single_problems_have_no_block_accuracy(kind):
    task = settings(f"mindgames_reproduction{kind}.yaml")
    judge = getattr(harness, task["process_results"].removeprefix("harness."))
    results = ["True"] if kind == "_reply" else [(-1.0, False), (-2.0, False)]
    verdict = judge({"block": "", "label": "entailment"}, results)
    assert set(verdict) == {metric["metric"] for metric in task["metric_list"]}
    assert verdict["acc"] == 1 and "block_acc" not in verdict


# Rows and prompts.


def splits_of(**rows):
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
    asked = {"story": "S", "question": "Q", "choices": ["a", "b"], **OF_ALL}
    rows = [{"id": f"deep-{place}", "story_id": "s", "order": place % 3, **asked} for place in range(6)]
    monkeypatch.setattr(harness, "load", lambda *_, **__: splits_of(test=rows))
    assert harness.hi_tom("deep", "vp", order=2)["test"]["id"][:] == ["deep-2", "deep-5"]
    with pytest.raises(ValueError) as error:
        harness.hi_tom("deep", "vp", order=7)
    assert str(error.value) == "hi_tom has no question of order 7 in deep; it has the orders 0, 1, 2"


def test_five_solved_problems_of_scale_come_from_its_setup(monkeypatch):
    def rows(split):
        return [
            dict(index=4000 * (split == "test") + place, block=f"{split}-{place // 4}", setup="internal", seed=0,
                 language="en", premise=f"{split} {place // 4}", hypothesis="h",
                 label=("entailment", "not_entailment")[place % 2])
            for place in range(40)
        ]  # fmt: skip

    folder = {"scale": {"test": rows("test")}, "internal": {"train": rows("train")}}
    monkeypatch.setattr(harness, "load", lambda _, name, **__: splits_of(**folder[name]))
    prompts = harness.mindgames("scale", "five-shot")["test"]["prompt"][:]
    assert all(prompt.count("Statement:") == 6 and prompt.count("train ") == 5 for prompt in prompts)
    folder["internal"] = folder["scale"]
    with pytest.raises(ValueError) as error:
        harness.mindgames("scale", "five-shot")
    reason = "mindgames has no train split of internal, from which the five examples come: build one"
    assert str(error.value) == reason


# Metrics.


def test_joint_accuracy_counts_a_question_with_all_lower_orders_that_were_asked():
    verdicts = [("s", 0, True), ("s", 1, False), ("s", 2, True), ("t", 0, True), ("t", 1, True)]
    assert harness.joint(verdicts) == 3 / 5
    assert [harness.joint(verdicts, only=order) for order in (0, 1, 2)] == [1, 1 / 2, 0]
    assert harness.joint_1(verdicts) == 1 / 2
    assert harness.joint([("s", 0, True), ("s", 2, True)]) == 1
    assert math.isnan(harness.joint([("s", 2, True)])) and math.isnan(harness.joint([]))


def test_block_accuracy_counts_whole_blocks():
    verdicts = [(block, (block, place) != ("q", 3)) for block in "pq" for place in range(4)]
    assert harness.whole_blocks(verdicts) == harness.whole_blocks([*verdicts, ("r", True)]) == 1 / 2
    assert math.isnan(harness.whole_blocks([("r", True)]))


def test_chance_and_the_commonest_answer_stand_beside_accuracy():
    """What a model without any idea gets; without these two nobody sees that it has none."""
    assert harness.joint([("s", order, 1 / 15) for order in range(2)]) == (1 / 15 + 1 / 225) / 2
    assert harness.whole_blocks([("b", 1 / 2)] * 4) == 1 / 16
    assert harness.commonest([0, 0, 0, 2]) == 3 / 4
    assert harness.commonest([None, 1, None, 1]) == 1 / 2 and harness.commonest([None]) == 0


def test_replies_are_read_as_score_reads_them():
    row = {"story_id": "s", "order": 0, "choices": ["red_box", "blue_box"], "answer_index": 1}
    judged = {"acc": 1, "chance": 0.5, "commonest": 1}
    assert harness.question_reply(row, ["B. blue_box"]) == {**judged, "unread": 0}
    assert harness.question_reply(row, ["Who knows?"]) == {"acc": 0, "chance": 0.5, "commonest": None, "unread": 1}
    assert harness.story_reply(row, ["A"])["joint_acc"] == ("s", 0, False)
    assert harness.story_reply(row, ["A"])["joint_chance"] == ("s", 0, 0.5)
    problem = {"block": "b", "label": "not_entailment"}
    of_block = {"block_acc": ("b", True), "block_chance": ("b", 0.5), "unread": 0}
    assert harness.block_reply(problem, ["False"]) == {**judged, **of_block}
    assert harness.block_likelihood(problem, [(-1.0, False), (-2.0, False)])["acc"] == 0
