"""Build where a finished build has other arguments: it is kept unless `--force` is given. Run `make` on odd paths."""

import json
import os
import shlex
import shutil
import sys

import pytest
from commands.samples import LEAST
from support import ROOT, TINY, contents, make, refused, shell_script, tree

from tom_datasets.__main__ import main

SOURCES = ("tom_datasets.folder.build.sources", "tom_datasets.commands.build.sources")


BUILD = ("build", "mindgames", *LEAST, "--probe", "none")


@pytest.fixture(scope="module")
def least(tmp_path_factory):
    """Build a least folder of a private seed once; no test may change it."""
    out = tmp_path_factory.mktemp("private")
    assert main([*BUILD, "--seed", "77", "--out", str(out)]) == 0
    return out


@pytest.fixture
def private(least, tmp_path):
    """Return the outer folder of a copy of that build, for a test to replace."""
    return shutil.copytree(least, tmp_path, dirs_exist_ok=True)


@pytest.mark.parametrize(
    ("arguments", "differences"),
    [
        ("", "--seed is 77 there, 0 here"),
        (
            "--seed 77 --train 2 --scale 3",
            "all: --train is 1 there, 2 here; scale: --scale is 1 there, 3 here",
        ),
        (
            "--seed 77 --checker embedded --n-agents 2,3",
            "--checker is auto there, embedded here; all: --n-agents is [2, 3, 4] there, [2, 3] here",
        ),
    ],
)
def test_a_build_with_other_arguments_is_kept(run, private, arguments, differences):
    before = tree(private)
    refused(
        run(*BUILD, *arguments.split(), "--out", private),
        f"error: {private / 'mindgames'} is a finished build with other arguments: {differences}. Build elsewhere ",
    )
    assert tree(private) == before


def test_the_probe_is_an_argument(run, private):
    failed = run("build", "mindgames", *LEAST, "--seed", 77, "--out", private)
    refused(failed, "other arguments: --probe is None there, ")


def test_force_replaces_a_build_with_other_arguments(run, private):
    code, printed, said = run(*BUILD, "--out", private, "--force")
    assert (code, said) == (0, "")
    assert printed.endswith("rows written, seed 0\n")


def test_changed_sources_and_a_new_generator_rebuild_without_force(run, private, monkeypatch):
    for place in SOURCES:
        monkeypatch.setattr(place, lambda: "other sources")
    path = private / "mindgames" / "build.json"
    record = json.loads(path.read_text())
    for fields in record["request"].values():
        fields["version"] = "0.9.0"
    path.write_text(json.dumps(record))
    refused(run(*BUILD, "--out", private), "other arguments: --seed is 77 there, 0 here. Build elsewhere")
    code, printed, said = run(*BUILD, "--out", private, "--seed", 77)
    assert (code, said) == (0, "") and printed.endswith("rows written, seed 77\n")
    assert json.loads(path.read_text())["sources"] == "other sources"


@pytest.mark.parametrize(("sources", "code"), [(None, 1), ("other sources", 0)])
def test_a_probe_of_the_same_name_counts_as_trained_anew_with_other_sources(run, tiny_copy, monkeypatch, sources, code):
    out = tiny_copy("mindgames")
    path = out / "mindgames" / "build.json"
    record = json.loads(path.read_text())
    for fields in record["request"].values():
        fields["scorer"] = fields["scorer"] and fields["scorer"].rpartition(" ")[0] + " 0123456789ab"
    path.write_text(json.dumps(record))
    if sources:
        for place in SOURCES:
            monkeypatch.setattr(place, lambda: sources)
    assert run("build", "mindgames", *TINY["mindgames"], "--out", out)[0] == code


def test_no_folder_is_written_where_the_other_is_kept(run, two, private):
    before = contents(private)
    refused(run("build", "--seed", 5, "--out", private), f"{private / 'mindgames'} is a finished build")
    assert contents(private) == before


@pytest.fixture
def recipe(tmp_path):
    """Return a function that runs make with a `python` that prints its arguments as JSON; it returns what was printed.

    The Makefile is a copy, so that `make clean` finds nothing else to delete.
    """
    if not shutil.which("make"):
        pytest.skip("there is no make here")
    shutil.copy(ROOT / "Makefile", tmp_path)
    (tmp_path / ".venv" / "bin").mkdir(parents=True)
    for name in (".venv/.ready", "requirements.txt"):
        (tmp_path / name).touch()
    os.utime(tmp_path / "requirements.txt", (0, 0))
    body = f'exec {shlex.quote(sys.executable)} -c "import json, sys; print(json.dumps(sys.argv[3:]))" "$@"'
    shell_script(tmp_path / ".venv" / "bin" / "python", body)

    def recipe(*words, **environment):
        done = make(tmp_path, *words, **environment)
        assert (done.returncode, done.stderr) == (0, "")
        return json.loads(done.stdout)

    return recipe


ODD = "a \"b\" 'c' $d $(e) `f` \\g"


def test_make_says_how_many_processes_work_where_it_is_asked_to(recipe, tmp_path):
    shell_script(tmp_path / ".venv" / "bin" / "python", """echo "[\\"$TOM_PROCESSES\\"]" """)
    assert recipe("check", "PROCESSES=3", TOM_PROCESSES="2") == ["3"]
    assert recipe("check", TOM_PROCESSES="2") == ["2"]


@pytest.mark.parametrize("target", ["build", "check", "audit", "publish", "clean"])
def test_quotes_and_dollars_survive_make(recipe, target):
    words = recipe(target, f"OUT={ODD}")
    assert words[0] == target
    assert words[words.index("--out") + 1] == ODD


def test_quotes_and_dollars_in_the_environment_survive_make(recipe):
    words = recipe("publish", OUT=ODD, TAG="$t", REVISION='"r"', NAMESPACE="$$n")
    assert words == ["publish", "--namespace", "$$n", "--out", ODD, "--tag", "$t", "--revision", '"r"']


def test_what_make_hands_to_build(recipe):
    plain = ["build", "hi_tom", "--seed", "0", "--out", "."]
    assert recipe("build", "DATASET=hi_tom") == plain
    assert recipe("build", "DATASET=hi_tom", "FORCE=0") == plain
    assert recipe("build", "DATASET=hi_tom", "FORCE=1", "ARGS=--train 5") == [*plain, "--force", "--train", "5"]
    assert recipe("audit") == ["audit", "--out", ".", "--docs", "docs/reference/audit_tables.md"]
    assert recipe("audit", "OUT=. .") == ["audit", "--out", ". ."]
