"""README.md and docs/: their size and order, their links, and that every module, command, option and column is real."""

import ast
import importlib
import re
import shlex
import shutil
import subprocess
from pathlib import Path

import pytest
from support import ROOT

from docs import generate
from tom_datasets.audit.page import with_tables
from tom_datasets.commands import commands
from tom_datasets.dataset import NAMES, dataset_named
from tom_datasets.logic.setups import ORDERED_SETUPS
from tom_datasets.streaming import sealed

PAGES = [ROOT / "README.md", ROOT / "tests" / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
TOP = {"builders", "docs", "page", "pictures", "probe", "results", "tasks", "templates", "tests"}
BLOCK = re.compile(r"^```(\w*)\n(.*?)^```", re.MULTILINE | re.DOTALL)
each_page = pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())


def read(page: Path) -> str:
    """Return the text of a page."""
    return page.read_text(encoding="utf-8")


def prose(page: Path) -> str:
    """Return a page without its code blocks."""
    return BLOCK.sub("", read(page))


def code(page: Path) -> list[str]:
    """Return every line of a page's code blocks, and every code span of its prose."""
    lines = [line for _, block in BLOCK.findall(read(page)) for line in block.splitlines()]
    return [*lines, *re.findall(r"`([^`\n]+)`", prose(page))]


def anchors(page: Path) -> set[str]:
    """Return the anchors of a page's headings, as the Hub and GitHub make them."""
    headings = re.findall(r"^#+ (.*)$", prose(page), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


# README.md.


def test_the_readme_shows_a_picture_before_its_first_section():
    assert "![" in read(ROOT / "README.md").split("\n## ")[0]


def test_the_recipe_for_new_golden_bytes_seals_anew():
    """A new version makes every stream refuse the old seal, and names what makes a new one."""
    recipe = read(ROOT / "docs" / "CONTRIBUTING.md").split("\n## The golden bytes\n")[1].split("\n## ")[0]
    steps = re.findall(r"^\d\. (.+)$", recipe, re.MULTILINE)
    (remedy,) = re.findall(r"maintainers: (.+)\)", sealed.REMEDY)
    assert "GENERATOR_VERSION" in steps[0] and f"`{remedy}`" in steps[1]


def test_every_line_that_loads_names_a_folder_or_a_namespace():
    """A bare name, where there is no such folder, answers from the cache of another one."""
    named = [name for page in PAGES for name in re.findall(r'load_dataset\("([^"]+)"', read(page))]
    ours = [name for name in named if name != "json"]  # the builder that reads files of chats
    assert len(ours) > 10 and [name for name in ours if not name.startswith(("./", "me/", "NAMESPACE/"))] == []
    assert "the bare name `hi_tom` answers from the" in read(ROOT / "README.md")


def test_the_shortcuts_of_the_readme_are_those_of_the_audit():
    """Rules of the page of tables, with its figures; the published data have no order blocks."""
    section = read(ROOT / "README.md").split("\n## What can be guessed without reading\n")[1].split("\n## ")[0]
    rows = re.findall(r"^\| \*([^*]+)\*: [^|]+ \| ([^|]+) \| ([^|]+) \|$", section, re.MULTILINE)
    assert len(rows) == 12
    groups = [("hi_tom", "4th_order")] * 6 + [("mindgames", "all")] * 6
    for number, ((rule, ours, published), (name, group)) in enumerate(zip(rows, groups, strict=True)):
        cells = [(name, f"{group}: ours")] if number < 10 else [("order blocks", setup) for setup in ORDERED_SETUPS]
        assert {cell_of_audit(table, rule, column) for table, column in cells} == {ours}, rule
        assert cell_of_audit(name, rule, f"{group}: published") == published, rule


def cell_of_audit(table, rule, column):
    """Return a cell of a table of docs/reference/audit_tables.md."""
    page = read(ROOT / "docs" / "reference" / "audit_tables.md")
    text = page.split(f"<!-- table: {table} -->")[1].split("<!-- end of table -->")[0]
    header, _, *lines = [[cell.strip() for cell in line.split("|")[1:-1]] for line in text.strip().splitlines()]
    (cells,) = [cells for cells in lines if cells[0] == rule]
    return cells[header.index(column)]


# Links.


@each_page
def test_every_link_leads_somewhere(page):
    for link in re.findall(r"\]\(([^)\s]+)\)", prose(page)):
        if link.startswith("https://"):
            continue
        path, _, anchor = link.partition("#")
        target = (page.parent / path).resolve() if path else page
        assert target.is_file(), f"{link} leads nowhere"
        assert target.is_relative_to(ROOT), f"{link} leads out of the repository"
        assert not anchor or anchor in anchors(target), f"{link}: {target.name} has no such heading"


def test_every_page_is_linked_from_the_index():
    index = ROOT / "docs" / "index.md"
    linked = {(index.parent / path).resolve() for path in re.findall(r"\]\(([\w./]+\.md)\)", read(index))}
    assert {*PAGES} - linked == {index}
    assert "(docs/index.md)" in read(ROOT / "README.md")


@each_page
def test_no_page_names_what_is_not_in_the_repository(page):
    assert not re.search(r"DESIGN|/(home|root|tmp|work)/", read(page))


# The code that pages speak of.


def test_the_page_of_tests_names_what_they_share():
    shared = {path.name for path in (ROOT / "tests").glob("*.py") if not path.name.startswith("test_")}
    assert set(re.findall(r"`(\w+\.py)`", read(ROOT / "tests" / "README.md"))) >= shared


@each_page
def test_every_path_of_the_repository_is_there(page):
    """Paths from the root, or from builders/ as in docs/why/architecture.md."""
    datasets = {"hi_tom", "mindgames"}  # their paths are folders that a build writes, or keys of streams
    rooms = {folder.name for folder in (ROOT / "builders").iterdir() if folder.is_dir()} - datasets
    for path in code(page):
        top = path.partition("/")[0]
        if re.fullmatch(r"\w+/[\w./]*", path) and top in rooms | TOP:
            assert (ROOT / path if top in TOP else ROOT / "builders" / path).exists(), path


@each_page
def test_every_name_is_in_the_module_that_a_page_says(page):
    """In the forms "`name` in `module.py`" and "`module.py`: `name`, `name`"."""
    pairs = re.findall(r"`(\w+)` in `([\w/]+\.py)`", prose(page))
    for path, names in re.findall(r"`([\w/]+\.py)`: ((?:`\w+`(?:, )?)+)", prose(page)):
        pairs += [(name, path) for name in re.findall(r"\w+", names)]
    for name, path in pairs:
        source = read(ROOT / path if path.startswith(("builders/", "tests/")) else ROOT / "builders" / path)
        assert re.search(rf"^(def |class )?{name}\b", source, re.MULTILINE), f"{name} is not in {path}"


def test_the_first_sentence_of_a_module_says_what_is_in_it():
    for path in (ROOT / "builders").rglob("*.py"):
        assert not read(path) or re.match(r'"""(?!Own )[A-Z`][^\n]+', read(path)), path


@pytest.mark.parametrize("name", generate.PAGES)
def test_the_generated_parts_of_a_page_are_what_the_code_gives(name):
    """After a change of commands, columns or configs: `make reference-pages`."""
    page = read(generate.PAGES[name])
    assert with_tables(page, generate.generated(name)) == page


def test_the_page_of_commands_has_every_command_with_all_its_options():
    page = read(generate.PAGES["commands"])
    assert re.findall(r"^### ([\w-]+)$", page, re.MULTILINE) == [*commands()]
    build = page.split("\n### build\n")[1].split("\n### ")[0]
    own = build.split("Further options behind `build mindgames`:")[1]
    assert "\n- `--force`: " in build and "\n- `--deep-n-agents INTEGERS`: " in own


@pytest.mark.parametrize("name", NAMES)
def test_the_page_of_a_dataset_has_its_columns_in_their_order(name):
    columns = read(generate.PAGES[name]).split("<!-- table: columns -->")[1].split("<!-- end of table -->")[0]
    assert re.findall(r"^\| `([\w-]+)` \|", columns, re.MULTILINE) == [*dataset_named(name).meanings]


@pytest.mark.parametrize("name", NAMES)
def test_a_column_that_may_hold_nothing_says_so(name):
    said = {column.name for column in dataset_named(name).columns if re.search(r"\bnull\b", column.meaning)}
    said |= {"deberta_confidence", "difficulty"}  # deberta_pred says "null, as the next two"
    assert said == {column.name for column in dataset_named(name).columns if column.nullable}


def test_the_page_says_of_every_column_how_it_is_proven():
    page = read(ROOT / "docs" / "why" / "audit.md")
    section = page.split("\n## What check proves of each column\n")[1].split("\n## ")[0]
    named = {"hi_tom": [], "mindgames": []}
    for cell in re.findall(r"^\| ((?:hi_tom|mindgames|both): .*?) \|", section, re.MULTILINE):
        for part in cell.split("; "):
            for name in named if part.startswith("both") else [part.partition(":")[0]]:
                named[name] += re.findall(r"`([\w-]+)`", part)
    for name in NAMES:
        twice = ["shortest_proof"] if name == "mindgames" else []
        assert sorted(named[name]) == sorted([*dataset_named(name).meanings, *twice])


@each_page
def test_python_blocks_compile(page):
    for language, block in BLOCK.findall(read(page)):
        if language == "python":
            compile(block, page.name, "exec")


@each_page
def test_python_blocks_import_what_is_there(page):
    """The blocks are run whole in a fresh clone by `make test-environments`, which takes longer to say so."""
    for language, block in BLOCK.findall(read(page)):
        for node in ast.walk(ast.parse(block)) if language == "python" else ():
            if isinstance(node, ast.ImportFrom) and (node.module or "").partition(".")[0] == "tom_datasets":
                module = importlib.import_module(node.module)
                assert not [alias.name for alias in node.names if not hasattr(module, alias.name)], node.module


@each_page
def test_what_make_is_asked_is_in_the_makefile(page):
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    (targets,) = re.findall(r"^\.PHONY: (.*)$", makefile, re.MULTILINE)
    for line in code(page):
        for target, variables in re.findall(r"\bmake ([a-z][a-z-]*)((?: [A-Z]+=\S+)*)", line):
            assert target in targets.split(), f"no target of the Makefile: {line}"
            for variable in re.findall(r"([A-Z]+)=", variables):
                assert re.search(rf"^{variable} \?=", makefile, re.MULTILINE), f"no variable of the Makefile: {line}"


@pytest.mark.skipif(not shutil.which("make"), reason="there is no make here")
def test_make_help_explains_every_target_and_variable():
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    printed = subprocess.run(["make", "-s", "help"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    targets, variables = printed.split("\n\n")
    (phony,) = re.findall(r"^\.PHONY: (.*)$", makefile, re.MULTILINE)
    assert set(re.findall(r"^  ([a-z-]+) +\S", targets, re.MULTILINE)) == set(phony.split())
    named = re.findall(r"^  ([A-Z_ ]+): \S", variables, re.MULTILINE)
    assert " ".join(named).split() == re.findall(r"^([A-Z_]+) \?=", makefile, re.MULTILINE)


@each_page
def test_every_command_and_option_exists(page, run):
    """Options of `python -m tom_datasets`, and of ARGS for a make of one dataset."""
    with_args = r'make ([a-z]+)(?: DATASET=(\w+))?(?: [A-Z]+=\S+)* ARGS="([^"$]*)"'
    for line in code(page):
        asked = re.findall(r"python -m tom_datasets ([a-z].*?)(?:;|$|[<>|] )", line)
        asked += map(" ".join, re.findall(with_args, line))
        for words in (shlex.split(command, comments=True) for command in asked):
            dataset = [word for word in words[1:2] if word in ("hi_tom", "mindgames")]
            code_of_help, helped, _ = run(words[0], *dataset, "--help")
            assert code_of_help == 0, f"no command: {line}"
            known = set(re.findall(r"--[a-z][a-z-]*", helped))
            assert {word.partition("=")[0] for word in words if word.startswith("--")} <= known, line
