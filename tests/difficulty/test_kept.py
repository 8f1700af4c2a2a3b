"""Build rows a second time, and see that the probe is asked about none of them again."""

import json

import pytest
from probing import LEAST, PROBES
from support import contents, listed

from tom_datasets.dataset import NAMES
from tom_datasets.difficulty import kept
from tom_datasets.difficulty.kept import Kept, kept_file
from tom_datasets.difficulty.probe import Probe


@pytest.fixture
def runs(monkeypatch):
    """Return a list that gets how many rows each run of a model is asked about, in this process."""
    asked = []

    def guesses(self, rows, known=(), original=Probe.guesses):
        run, self._run = self._run, lambda ids: asked.append(len(ids)) or run(ids)
        try:
            return original(self, rows, known)
        finally:
            self._run = run

    monkeypatch.setattr(Probe, "guesses", guesses)
    return asked


def build(run, out, name, *more):
    """Build a dataset in this process; return the bytes of its folder."""
    assert run("build", name, "--out", out, "--processes", 1, *LEAST[name], *more)[0] == 0
    return contents(out / name)


@pytest.mark.parametrize("name", NAMES)
def test_a_second_build_scores_nothing(run, tmp_path, runs, name):
    first = build(run, tmp_path, name)
    assert sum(runs) > 0
    searched = [f".{name}.witness.parquet"] * (name == "mindgames")  # of hi_tom the project brings what is needed
    assert listed(tmp_path) == [f".{name}.scores", *searched, name]
    build(run, tmp_path, name, "--probe", "none", "--force")
    runs.clear()
    assert build(run, tmp_path, name, "--force") == first
    assert runs == []
    assert build(run, tmp_path / "elsewhere", name) == first
    assert sum(runs) > 0, "what is kept is kept beside a folder"


@pytest.mark.parametrize(
    "spoil",
    [
        lambda record: "no JSON",
        lambda record: "[]",
        lambda record: json.dumps({**record, "guesses": {row: "?" for row in record["guesses"]}}),
        lambda record: json.dumps({**record, "guesses": {row: [2, 0.9] for row in record["guesses"]}}),
        lambda record: json.dumps({**record, "made_by": ["another probe", *record["made_by"][1:]]}),
        lambda record: json.dumps({**record, "made_by": [*record["made_by"][:-1], "another machine"]}),
    ],
)
def test_what_is_of_another_probe_or_spoilt_is_passed_over(run, built, tmp_path, runs, spoil):
    record = json.loads(kept_file(built / "mindgames").read_text())
    file = kept_file(tmp_path / "mindgames")
    file.write_text(spoil(record))
    assert build(run, tmp_path, "mindgames") == contents(built / "mindgames")
    assert sum(runs) > 0
    assert json.loads(file.read_text()) == record


def test_a_full_disk_is_no_reason_to_fail(tmp_path, monkeypatch):
    def full(*_):
        raise OSError("No space left on device")

    monkeypatch.setattr(kept, "write_text", full)
    Kept(tmp_path / "mindgames", Probe(PROBES, "mindgames")).write()
    assert listed(tmp_path) == []
