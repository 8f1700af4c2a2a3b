"""Run lighteval itself on a small build (`make test-harnesses`): with its dummy model, and with one that knows all."""

import importlib.util
import json
from types import SimpleNamespace

import datasets
import pytest
from support import ROOT, sized

from tom_datasets.__main__ import main
from tom_datasets.logic.config import CONFIGS as PROBLEM_CONFIGS
from tom_datasets.story.config import CONFIGS as STORY_CONFIGS

pytestmark = pytest.mark.harnesses

TASKS = ROOT / "tasks" / "lighteval" / "theory_of_mind.py"
SIZES = {"hi_tom": sized("hi_tom", test=6, deep=3), "mindgames": sized("mindgames", test=6)}
ASKED = {
    "hi_tom_4th_order": 6,
    "hi_tom_deep": 15,
    "hi_tom_deep_zh": 15,
    "mindgames_forehead": 24,
    "mindgames_all_fr": 96,
}
"""The tasks that are run, and how many questions each has."""


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    """Build both datasets, and keep what `datasets` and lighteval store out of the user's cache."""
    out = tmp_path_factory.mktemp("built")
    for name, sizes in SIZES.items():
        assert main(["build", name, "--out", str(out), "--probe", "none", *sizes]) == 0
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TOM_WHERE", str(out))
        # One of lighteval's own tasks fetches a file of its own when it is imported.
        patch.setattr("requests.get", lambda *_, **__: SimpleNamespace(status_code=404))
        patch.setattr(datasets.config, "HF_DATASETS_CACHE", str(out / "cache"))
        yield out


def evaluated(folder, model):
    """Return what lighteval reports of a model, by task."""
    from lighteval.logging.evaluation_tracker import EvaluationTracker
    from lighteval.pipeline import ParallelismManager, Pipeline, PipelineParameters

    parameters = PipelineParameters(launcher_type=ParallelismManager.NONE, custom_tasks_directory=str(TASKS))
    tracker = EvaluationTracker(output_dir=str(folder), save_details=False)
    pipeline = Pipeline(
        tasks=",".join(ASKED), pipeline_parameters=parameters, evaluation_tracker=tracker, model=model
    )  # fmt: skip
    pipeline.evaluate()
    pipeline.save_and_push_results()
    (file,) = folder.rglob("results_*.json")
    return json.loads(file.read_text())["results"]


def test_there_is_a_task_for_each_config():
    spec = importlib.util.spec_from_file_location("theory_of_mind", TASKS)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    names = [f"hi_tom_{config.name}" for config in STORY_CONFIGS]
    assert [task.name for task in module.TASKS_TABLE] == names + [
        f"mindgames_{config.name}" for config in PROBLEM_CONFIGS
    ]


def test_it_asks_the_dummy_model_and_one_that_knows(built, tmp_path):
    from lighteval.models.dummy.dummy_model import DummyModel, DummyModelConfig
    from lighteval.models.model_output import ModelResponse

    class Knowing(DummyModel):
        asked = 0

        def greedy_until(self, docs):
            self.asked += len(docs)
            return [ModelResponse(text=[f"The answer is {doc.choices[doc.gold_index]}."]) for doc in docs]

    config = DummyModelConfig(cache_dir=str(tmp_path / "lighteval"))
    dummy = evaluated(tmp_path / "dummy", DummyModel(config))
    for task in ASKED:
        assert (dummy[f"{task}|0"]["acc"], dummy[f"{task}|0"]["unread"]) == (0, 1), "it says: random baseline"
    knowing = Knowing(config)
    figures = evaluated(tmp_path / "knowing", knowing)
    for task in ASKED:
        assert (figures[f"{task}|0"]["acc"], figures[f"{task}|0"]["unread"]) == (1, 0)
    assert knowing.asked == sum(ASKED.values())
