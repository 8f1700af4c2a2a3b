"""Read who imports whom, and prove that imports point one way, as section 2 of the design has it."""

import ast
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
SOURCES = [path for path in ROOT.glob("*.py") if path.stem != "setup"] + [*(ROOT / "builders").rglob("*.py")]
FILES = {".".join(path.relative_to(ROOT).with_suffix("").parts).removeprefix("builders."): path for path in SOURCES}

# What each room may import of ours. "builders" is the package itself: its version, and whole rooms by name.
SYNTAX = {"story", "formula"}
MEANING = {"belief", "s5", "smcdel"}
DATASETS = {"hi_tom", "mindgames"}
WITHIN = {"streams", *SYNTAX, *MEANING, "story_sampler", "problem_sampler", "voice"}
MAY_IMPORT = {
    "__init__": set(),
    "streams": set(),
    "story": set(),
    "formula": set(),
    "belief": {"story"},
    "s5": {"formula"},
    "smcdel": {"formula"},
    "story_sampler": {"streams", "story", "belief"},
    "problem_sampler": {"streams", "formula", "s5", "smcdel"},
    "voice": {"streams", *SYNTAX},
    "prompts": {"streams", "voice"},
    "reader": SYNTAX,
    "pictures": {"audit"},
    "responses": {"streams", "audit"} | DATASETS,
    "difficulty": {"story"},
    "hi_tom": WITHIN | {"difficulty"},
    "mindgames": WITHIN | {"difficulty"},
    "trainer": DATASETS | {"difficulty"},
    "audit": WITHIN | DATASETS | {"difficulty"},
    "card": WITHIN,
    "folder": WITHIN | DATASETS | {"audit", "card", "difficulty"},
    "hub": WITHIN | DATASETS | {"audit", "difficulty", "folder"},
    "proof": WITHIN | DATASETS | {"reader", "audit", "difficulty", "folder"},
    "__main__": WITHIN
    | DATASETS
    | {"audit", "card", "difficulty", "folder", "hub", "pictures", "prompts", "proof", "responses", "trainer"},
}
# Who alone may import what is not ours.
ONLY = {
    "random": {"streams"},
    "numpy.random": {"trainer"},
    "secrets": set(),
    "jinja2": {"voice", "card"},
    "subprocess": {"smcdel"},
    "huggingface_hub": {"hub"},
    "matplotlib": {"pictures"},
    "matplotlib.pyplot": set(),
    "onnxruntime": {"difficulty"},
    "sklearn": {"audit"},
    "torch": {"trainer"},
    "transformers": {"trainer"},
}


def imports(source, ours):
    """Return (rooms of ours, other modules) that a source imports anywhere, also inside functions."""
    rooms, others = set(), set()
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.Import(names):
                modules = [name.name for name in names]
            case ast.ImportFrom(None, names) | ast.ImportFrom("builders", names):
                modules = [f"builders.{name.name}" for name in names]
            case ast.ImportFrom(module, names, level):
                modules = [f"builders.{module}"] if level else [module, *(f"{module}.{name.name}" for name in names)]
            case ast.Call(ast.Name("__import__"), [ast.Constant(str(module)), *_]):
                modules = [module]
            case ast.Call(ast.Attribute(_, "import_module"), [ast.Constant(str(module)), *_]):
                modules = [module]
            case _:
                continue
        for module in modules:
            head, _, tail = module.partition(".")
            if head == "builders":
                rooms |= {tail.partition(".")[0]} & ours
            elif head in ours:
                rooms.add(head)
            else:
                others.add(module)
    return rooms, others


def names(source):
    """Return every name and attribute that a source speaks of."""
    spoken = set()
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.Name(name) | ast.Attribute(_, name) | ast.alias(name):
                spoken.add(name)
    return spoken


def reaches(module, what):
    """Return whether importing `module` imports `what`."""
    return module == what or module.startswith(f"{what}.")


def test_no_room_hides_another():
    assert len(FILES) == len(SOURCES)


def test_the_rooms_are_found():
    assert {"__init__", "streams", "story", "belief", "story_sampler", "voice", "reader", "hi_tom"} <= set(FILES)


def test_every_room_is_on_the_plan():
    """A new room needs a line above that says what it may import."""
    assert set(FILES) <= set(MAY_IMPORT)


@pytest.mark.parametrize("room", sorted(FILES))
def test_imports_point_one_way(room):
    rooms, _ = imports(FILES[room].read_text(encoding="utf-8"), set(MAY_IMPORT))
    assert rooms <= MAY_IMPORT[room]


def test_the_tasks_for_the_harnesses_only_ask_and_read():
    rooms, others = imports((ROOT / "tasks/lm_eval/harness.py").read_text(encoding="utf-8"), set(MAY_IMPORT))
    assert rooms == {"prompts", "responses"}
    assert {module.partition(".")[0] for module in others} - set(sys.stdlib_module_names) == {"datasets"}


def test_the_plan_has_no_circle():
    open_ = dict(MAY_IMPORT)
    while open_:
        settled = [room for room, may in open_.items() if not may & set(open_)]
        assert settled, f"a circle among {sorted(open_)}"
        for room in settled:
            del open_[room]


def test_only_the_proofs_import_the_reader():
    assert [room for room, may in MAY_IMPORT.items() if "reader" in may] == ["proof"]


@pytest.mark.parametrize("room", sorted(FILES))
def test_what_only_one_room_knows(room):
    _, others = imports(FILES[room].read_text(encoding="utf-8"), set(MAY_IMPORT))
    for what, alone in ONLY.items():
        if room not in alone:
            assert not [module for module in others if reaches(module, what)], f"only {sorted(alone)} import {what}"


@pytest.mark.parametrize("room", sorted(FILES))
def test_only_the_datasets_know_the_builder_classes(room):
    if room not in DATASETS:
        classes = {"GeneratorBasedBuilder", "ArrowBasedBuilder", "DatasetBuilder", "BuilderConfig"}
        assert not names(FILES[room].read_text(encoding="utf-8")) & classes


@pytest.mark.parametrize("room", sorted(set(FILES) & {"streams", "story", "formula", "belief", "reader", "s5"}))
def test_the_theory_needs_only_the_standard_library(room):
    _, others = imports(FILES[room].read_text(encoding="utf-8"), set(MAY_IMPORT))
    foreign = {module.partition(".")[0] for module in others} - set(sys.stdlib_module_names)
    assert foreign <= ({"dd"} if room == "s5" else set())


@pytest.mark.parametrize("room", sorted(FILES))
def test_nobody_draws_from_the_global_generator(room):
    """Numpy's and Python's: a stream is passed in, and only streams.py makes one."""
    tree = ast.parse(FILES[room].read_text(encoding="utf-8"))
    for node in ast.walk(tree):
        match node:
            case ast.Attribute(ast.Name("random" | "np" | "numpy" as module), attribute):
                # A local `random = stream.random` is called, never asked for an attribute.
                assert module != "random" and attribute != "random", f"line {node.lineno}: {module}.{attribute}"


@pytest.mark.parametrize("name", ["hi_tom", "mindgames"])
def test_nobody_below_imports_a_dataset(name):
    below = ["streams", *SYNTAX, *MEANING, "story_sampler", "problem_sampler", "voice", "reader"]
    assert not [room for room in below if name in MAY_IMPORT[room]]


@pytest.mark.parametrize(
    ("source", "rooms", "others"),
    [
        ("import json", set(), {"json"}),
        ("import builders.reader", {"reader"}, set()),
        ("from builders.reader import believe", {"reader"}, set()),
        ("from builders import GENERATOR_VERSION, reader", {"reader"}, set()),
        ("from .reader import believe", {"reader"}, set()),
        ("from . import reader", {"reader"}, set()),
        ("def f():\n    import hi_tom as h", {"hi_tom"}, set()),
        ("from hi_tom import HiTom", {"hi_tom"}, set()),
        ("import importlib\nimportlib.import_module('builders.reader')", {"reader"}, {"importlib"}),
        ("__import__('subprocess')", set(), {"subprocess"}),
        ("from numpy import random", set(), {"numpy", "numpy.random"}),
        ("from numpy.random import default_rng", set(), {"numpy.random", "numpy.random.default_rng"}),
    ],
)
def test_how_imports_are_read(source, rooms, others):
    """The walls stand only if these are seen."""
    assert imports(source, set(MAY_IMPORT)) == (rooms, others)


def test_how_names_are_read():
    assert {"BuilderConfig", "datasets"} <= names("class C(datasets.BuilderConfig): pass")
    assert "BuilderConfig" in names("from datasets import BuilderConfig as B")
    assert reaches("jinja2.sandbox", "jinja2") and not reaches("jinja2x", "jinja2")
