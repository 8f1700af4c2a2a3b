"""Read who imports whom, and prove that imports point one way (docs/architecture.md)."""

import ast
import re
import sys

import pytest
from support import ROOT

SOURCES = [path for path in ROOT.glob("*.py") if path.stem != "setup"] + [*(ROOT / "builders").rglob("*.py")]
FILES = {".".join(path.relative_to(ROOT).with_suffix("").parts).removeprefix("builders."): path for path in SOURCES}

# Modules that stand apart from the folder they lie in, as rooms below it need them.
APART = {
    "story.syntax": "syntax",
    "story.record": "syntax",
    "story.coherence": "syntax",
    "logic.formula": "syntax",
    "difficulty.columns": "columns",
    "proof.english": "reader",
    "proof.read_stories": "reader",
    "proof.read_problems": "reader",
    "proof.story_minds": "reader",
    "proof.problem_worlds": "reader",
    "proof.judged": "reader",
    "proof.story_steps": "reader",
    "proof.problem_steps": "reader",
}
# Which rooms the modules of a room may import, besides one another.
THEORY = {"syntax", "columns", "errors", "streams", "voice", "story", "logic"}
DATASETS = {"hi_tom", "mindgames"}
MEASURED = THEORY | DATASETS | {"difficulty", "proof", "audit"}
MAY_IMPORT = {
    "__init__": set(),
    "syntax": set(),
    "columns": set(),
    "errors": set(),
    "markdown": set(),
    "splits": set(),
    "streams": set(),
    "voice": {"syntax", "streams"},
    "prompts": {"syntax", "streams", "voice"},
    "reader": {"syntax"},
    "story": {"syntax", "columns", "splits", "streams", "voice"},
    "logic": {"syntax", "columns", "errors", "splits", "streams", "voice"},
    "difficulty": {"syntax", "columns", "errors", "files", "story", "logic"},
    "hi_tom": {"syntax", "columns", "splits", "story", "difficulty"},
    "mindgames": {"syntax", "columns", "splits", "logic", "difficulty"},
    "proof": {"syntax", "columns", "errors", "story", "logic", "difficulty", "reader"},
    "audit": THEORY | {"difficulty", "markdown", "proof"},
    "answers": THEORY | {"audit", "markdown", "proof"},
    "folder": THEORY | {"audit", "files", "markdown", "splits"},
    "hub": {"errors", "folder"},
    "work": {"errors"},
    "files": set(),
    "dataset": MEASURED | {"answers", "files", "folder", "markdown", "splits", "work"},
    "explorer": THEORY | {"audit", "dataset", "files", "folder", "proof", "work"},
    "streaming": {"dataset", "errors", "files", "streams"},
    "training": {"answers", "errors", "prompts", "streaming"},
    "scale": {"dataset", "errors", "files", "folder", "streaming", "work"},
    "commands": MEASURED
    | {
        "answers",
        "dataset",
        "explorer",
        "files",
        "folder",
        "hub",
        "markdown",
        "prompts",
        "scale",
        "streaming",
        "training",
        "work",
    },
    "__main__": {"commands", "errors"},
}
# Which modules alone may import what is not ours; a folder stands for all its modules.
ONLY = {
    "random": {"streams"},
    "numpy.random": {"difficulty.trainer"},
    "secrets": set(),
    "jinja2": {"voice", "folder.card"},
    "subprocess": {"logic.smcdel.program", "hub.read_back", "scale.executors"},
    "datatrove": {"scale.steps", "scale.executors"},
    "ray": {"scale.executors"},
    "huggingface_hub": {"hub"},
    "matplotlib": {"audit.pictures"},
    "matplotlib.pyplot": set(),
    "onnxruntime": {"difficulty.probe"},
    "reasoning_gym": {"training.gym"},
    "sklearn": {"audit.learners"},
    "torch": {"difficulty.trainer"},
    "transformers": {"difficulty.trainer"},
}
# Modules that need the standard library alone; s5 may use decision diagrams.
PURE = ("streams", "story", "logic", *(module for module, room in APART.items() if room == "reader"))


def room_of(module):
    """Return the room that a module belongs to: a folder, or a file that stands for itself."""
    return APART.get(module, "__init__" if module.endswith("__init__") else module.partition(".")[0])


def within(module, places):
    """Return whether a module is one of these places, or lies in one of them."""
    return any(module == place or module.startswith(f"{place}.") for place in places)


def imports(source, ours):
    """Return (modules of ours, other modules) that a source imports anywhere, also inside functions."""
    found, others = set(), set()
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.Import(names):
                modules = [name.name for name in names]
            case ast.ImportFrom(module, names, 0):
                modules = [f"{module}.{name.name}" for name in names]
            case ast.ImportFrom():
                raise ValueError(f"line {node.lineno}: say where from, such as builders.story, instead of dots")
            case ast.Call(ast.Name("__import__"), [ast.Constant(str(module)), *_]):
                modules = [module]
            case ast.Call(ast.Attribute(_, "import_module"), [ast.Constant(str(module)), *_]):
                modules = [module]
            case _:
                continue
        for module in modules:
            inner = module.removeprefix("builders.")
            while inner not in ours and "." in inner:
                inner = inner.rpartition(".")[0]
            if inner in ours and (module.startswith("builders.") or inner in DATASETS):
                found.add(inner)
            elif not within(module, ["builders"]):
                others.add(module)
    return found, others


def names(source):
    """Return every name and attribute that a source speaks of."""
    spoken = set()
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.Name(name) | ast.Attribute(_, name) | ast.alias(name):
                spoken.add(name)
    return spoken


def read(module):
    """Return the source of a module."""
    return FILES[module].read_text(encoding="utf-8")


def test_no_module_hides_another():
    assert len(FILES) == len(SOURCES)


def test_the_modules_are_found():
    assert {"__init__", "streams", "story.syntax", "story.meaning", "logic.s5", "voice", "hi_tom"} <= set(FILES)
    assert set(APART) <= set(FILES)


def test_every_room_is_on_the_plan():
    """A new room needs a line above that says what it may import."""
    assert {room_of(module) for module in FILES} == set(MAY_IMPORT)


@pytest.mark.parametrize("module", sorted(FILES))
def test_imports_point_one_way(module):
    imported, _ = imports(read(module), set(FILES))
    room = room_of(module)
    assert {room_of(other) for other in imported} <= MAY_IMPORT[room] | {room}


def test_the_architecture_draws_every_arrow():
    """docs/architecture.md lists what each room imports, without the ground: rooms that others may import freely."""
    page = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    lines = re.findall(r"^(\w+) -> ([\w, ]+)$", page, re.MULTILINE)
    drawn = {(room, other) for room, others in lines for other in others.split(", ")}
    (ground,) = re.findall(r"^ *the ground: (.*)$", page, re.MULTILINE)
    rooms = {module: room_of(module) for module in FILES}
    arrows = {(rooms[module], rooms[other]) for module in FILES for other in imports(read(module), set(FILES))[0]}
    assert drawn == {(room, other) for room, other in arrows if room != other and other not in ground.split(", ")}


def test_no_modules_import_one_another_in_a_circle():
    waiting = {module: imports(read(module), set(FILES))[0] for module in FILES}
    while waiting:
        settled = [module for module, needs in waiting.items() if not needs & set(waiting)]
        assert settled, f"a circle among {sorted(waiting)}"
        for module in settled:
            del waiting[module]


def test_the_tasks_for_the_harnesses_only_ask_and_read():
    imported, others = imports((ROOT / "tasks/lm_eval/harness.py").read_text(encoding="utf-8"), set(FILES))
    assert {room_of(module) for module in imported} == {"prompts", "answers", "syntax"}
    assert {module.partition(".")[0] for module in others} - set(sys.stdlib_module_names) == {"datasets"}


def test_only_the_proofs_import_the_reader():
    assert [room for room, may in MAY_IMPORT.items() if "reader" in may] == ["proof"]


@pytest.mark.parametrize("module", sorted(FILES))
def test_what_only_one_room_knows(module):
    _, others = imports(read(module), set(FILES))
    for what, alone in ONLY.items():
        if not within(module, alone):
            assert not [other for other in others if within(other, [what])], f"only {sorted(alone)} import {what}"


@pytest.mark.parametrize("module", sorted(set(FILES) - DATASETS))
def test_only_the_datasets_know_the_builder_classes(module):
    classes = {"GeneratorBasedBuilder", "ArrowBasedBuilder", "DatasetBuilder", "BuilderConfig"}
    assert not names(read(module)) & classes


@pytest.mark.parametrize("module", sorted(module for module in FILES if within(module, PURE)))
def test_the_theory_needs_only_the_standard_library(module):
    _, others = imports(read(module), set(FILES))
    foreign = {other.partition(".")[0] for other in others} - set(sys.stdlib_module_names)
    assert foreign <= ({"dd"} if module == "logic.worlds" else set())


@pytest.mark.parametrize("module", sorted(FILES))
def test_nobody_draws_from_the_global_generator(module):
    """Numpy's and Python's: a stream is passed in, and only streams.py makes one."""
    for node in ast.walk(ast.parse(read(module))):
        match node:
            case ast.Attribute(ast.Name("random" | "np" | "numpy" as owner), attribute):
                # A local `random = stream.random` is called, never asked for an attribute.
                assert owner != "random" and attribute != "random", f"line {node.lineno}: {owner}.{attribute}"


@pytest.mark.parametrize("room", ["syntax", "columns", "errors", "streams", "voice", "story", "logic", "reader"])
def test_nobody_below_imports_a_dataset(room):
    assert not MAY_IMPORT[room] & DATASETS


OURS = {"proof.read_stories", "story.syntax", "hi_tom", "voice"}


@pytest.mark.parametrize(
    ("source", "modules", "others"),
    [
        ("import json", set(), {"json"}),
        ("import builders.voice", {"voice"}, set()),
        ("from builders.proof.read_stories import read_story", {"proof.read_stories"}, set()),
        ("from builders.proof import read_stories as r", {"proof.read_stories"}, set()),
        ("from builders import GENERATOR_VERSION, voice", {"voice"}, set()),
        ("def f():\n    import hi_tom as h", {"hi_tom"}, set()),
        ("from hi_tom import HiTom", {"hi_tom"}, set()),
        ("import importlib\nimportlib.import_module('builders.voice')", {"voice"}, {"importlib"}),
        ("__import__('subprocess')", set(), {"subprocess"}),
        ("from numpy import random", set(), {"numpy.random"}),
        ("from numpy.random import default_rng", set(), {"numpy.random.default_rng"}),
        ("from voice import speak", set(), {"voice.speak"}),
    ],
)
def test_how_imports_are_read(source, modules, others):
    """The walls stand only if these are seen."""
    assert imports(source, OURS) == (modules, others)


@pytest.mark.parametrize("source", ["from .syntax import Story", "from . import syntax"])
def test_dots_are_refused(source):
    with pytest.raises(ValueError, match="line 1: say where from, such as builders.story, instead of dots"):
        imports(source, OURS)


def test_how_names_are_read():
    assert {"BuilderConfig", "datasets"} <= names("class C(datasets.BuilderConfig): pass")
    assert "BuilderConfig" in names("from datasets import BuilderConfig as B")


def test_what_lies_within():
    assert within("jinja2.sandbox", ["jinja2"]) and not within("jinja2x", ["jinja2"])


@pytest.mark.parametrize("path", sorted((ROOT / "tests").rglob("test_*.py")), ids=lambda path: path.stem)
def test_no_test_module_imports_another(path):
    """What tests share is in support.py, conftest.py and fake_hub."""
    _, others = imports(path.read_text(encoding="utf-8"), set())
    assert not [name for name in others if name.rpartition(".")[2].startswith("test_") or name.startswith("test_")]
