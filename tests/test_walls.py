"""Who imports whom: the arrows of docs/why/architecture.md. Ruff guards what only some may import (pyproject.toml)."""

import ast
import re
import subprocess
import sys
from graphlib import TopologicalSorter
from importlib.util import resolve_name

from support import ROOT

NAME = "tom_datasets"  # the name under which builders/ is imported
PATHS = {path.relative_to(ROOT / "builders"): path for path in (ROOT / "builders").rglob("*.py")}
FILES = {".".join(place.with_suffix("").parts): path for place, path in PATHS.items()}
PAGE = (ROOT / "docs" / "why" / "architecture.md").read_text(encoding="utf-8")
GROUND = re.search(r"^ *the ground: (.*)$", PAGE, re.MULTILINE)[1].split(", ")
DRAWN = [line.split(" -> ") for line in re.findall(r"^\w+ -> [\w, ]+$", PAGE, re.MULTILINE)]


def room(module):
    """Return the room of a module of ours: a folder, or a file that stands for itself."""
    return module.split(".")[0]


def imports(path):
    """Return (modules of ours, others) that a source imports anywhere, also inside functions."""
    package, ours, others = ".".join((NAME, *path.relative_to(ROOT).parent.parts[1:])), set(), set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if not isinstance(node, ast.Import | ast.ImportFrom):
            continue
        start = "" if isinstance(node, ast.Import) else "." * node.level + (node.module or "")
        start = resolve_name(start, package) + "." if start else ""
        for name in node.names:
            full = start + name.name
            words = full.removeprefix(f"{NAME}.").split(".")
            found = {".".join(words[:end]) for end in range(len(words) + 1)} & set(FILES)
            if found:
                ours.add(max(found, key=len))
            elif not full.startswith(NAME):
                others.add(words[0])
    return ours, others


IMPORTED = {module: imports(path) for module, path in FILES.items()}


def test_the_arrows_of_the_page_are_the_imports_and_point_down():
    """All but those to the ground. The lines of the page stand in such an order that each names later rooms only."""
    drawn = {(above, below) for above, others in DRAWN for below in others.split(", ")}
    arrows = {(room(module), room(other)) for module, (ours, _) in IMPORTED.items() for other in ours}
    assert drawn == {(above, below) for above, below in arrows if above != below and below not in GROUND}
    order = [above for above, _ in DRAWN]
    assert [f"{above} -> {below}" for above, below in drawn if below in order[: order.index(above) + 1]] == []
    assert {below for above, below in arrows if above == "reader" != below} == {"syntax", "columns", "rows", "splits"}


def test_nothing_rests_on_an_assertion():
    """Python leaves them out with -O."""
    found = [module for module, path in FILES.items() for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
             if isinstance(node, ast.Assert)]  # fmt: skip
    assert found == []


def test_the_second_opinion_scans_stories_by_itself():
    second = [module for module in FILES if room(module) in ("proof", "reader")]
    assert [module for module in second if "syntax.scan" in IMPORTED[module][0]] == []
    assert "syntax.scan" in IMPORTED["story.meaning"][0]


def test_no_modules_import_one_another_in_a_circle():
    TopologicalSorter({module: ours for module, (ours, _) in IMPORTED.items()}).prepare()


def test_the_theory_needs_the_standard_library_alone():
    pure = {module for module in FILES if room(module) in ("syntax", "columns", "reader", "story", "logic", "streams")}
    foreign = {(module, other) for module in pure for other in IMPORTED[module][1] - sys.stdlib_module_names}
    assert foreign == {("logic.worlds", "dd")}


def test_the_tasks_for_the_harnesses_only_ask_and_read():
    ours, others = imports(ROOT / "tasks" / "lm_eval" / "harness.py")
    assert {room(module) for module in ours} == {"prompts", "answers", "syntax"}
    assert others - sys.stdlib_module_names == {"datasets"}


def test_no_test_module_imports_another():
    for path in (ROOT / "tests").rglob("test_*.py"):
        assert not re.search(r"^\s*(from|import) ([\w.]+\.)?test_", path.read_text(encoding="utf-8"), re.M), path


def test_what_make_bench_runs_can_be_imported():
    names = sorted(path.stem for path in (ROOT / "tests" / "bench").glob("*.py"))
    subprocess.run([sys.executable, "-c", f"import {', '.join(names)}"], cwd=ROOT / "tests" / "bench", check=True)
