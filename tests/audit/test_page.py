"""Hold docs/audit.md to the code: every rule explained with its gate, and the published columns as recorded."""

from dataclasses import replace

import pytest
from audit.samples import problem_of, question_about
from support import ROOT, SMALL, refused

from tom_datasets.audit.figures import published_depth, published_table
from tom_datasets.audit.gates import GATES, spell_gate
from tom_datasets.audit.page import END, marker, page_tables, with_tables
from tom_datasets.audit.shares import Share
from tom_datasets.audit.stories import depth_outcomes
from tom_datasets.builds.requests import request_of
from tom_datasets.commands.build import checked_probe, is_default
from tom_datasets.difficulty.masking import MaskedRow
from tom_datasets.folder.build import Build
from tom_datasets.story.readings import READINGS
from tom_datasets.topics import NAMES, topic

PAGE = (ROOT / "docs" / "audit.md").read_text(encoding="utf-8")
TABLES = ("hi_tom", "hi_tom, not gated", "deep", "readings", "mindgames", "mindgames, not gated", "order blocks")
MASKED = MaskedRow(("[CLS]", "[SEP]"), (), 0)


def rows_of(markdown):
    """Return the cells of every row of Markdown tables, without the lines below their headers."""
    lines = [line for line in markdown.split("\n") if line.startswith("|")]
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]
    return [row for row in rows if set("".join(row)) != {"-"} and set("".join(row)) != {"-", ":"}]


def table_on_page(name):
    """Return the table between the markers of a name."""
    return PAGE.split(f"{marker(name)}\n")[1].split(END)[0]


def explained(heading):
    """Return (gate, explanation) for each rule of the first table below a heading."""
    section = PAGE.split(f"\n## {heading}\n")[1].split("<!--")[0]
    return {rule.strip("*"): (gate, words) for rule, gate, words in rows_of(section)[1:]}


def rules_about_stories():
    """Return the names of all rules about stories."""
    question = question_about("Where does Emma think the pear is?", "box", 0, masked=MASKED, probes={"probe": True})
    return {*question.constant_answers, *question.features(), *question.outcomes()}


def rules_about_problems():
    """Return the names of all rules about problems."""
    probes = {"probe": True, "deberta_pred, as published": True}
    problem = problem_of("Ann can now know that Bob is thirsty.", masked=MASKED, probes=probes)
    return {*problem.constant_answers, *problem.features(), *problem.outcomes()}


def rules_about_order_blocks():
    """Return the names of all rules about problems of order blocks."""
    problem = problem_of("Ann can now know that Bob is thirsty.", masked=MASKED, probes={"probe": True})
    problem = replace(problem, ordered=True)
    return {*problem.constant_answers, *problem.features(), *problem.outcomes()}


@pytest.mark.parametrize(
    ("heading", "rules", "gates"),
    [
        ("Rules about stories", rules_about_stories(), "hi_tom"),
        (
            "How deep a question is",
            set(depth_outcomes(question_about("Where does Jack think Emma thinks the pear is?", "box", 0))),
            "deep",
        ),
        ("Rules about problems", rules_about_problems(), "mindgames"),
        ("Rules about order blocks", rules_about_order_blocks(), "order blocks"),
    ],
)
def test_every_rule_is_explained_with_its_gate(heading, rules, gates):
    lines = explained(heading)
    assert set(lines) == rules
    assert all(words for _, words in lines.values())
    assert {rule: gate for rule, (gate, _) in lines.items() if gate} == {
        rule: spell_gate(gate) for rule, gate in GATES[gates].items()
    }


@pytest.mark.parametrize("name", TABLES)
def test_every_table_has_its_markers(name):
    assert PAGE.count(f"{marker(name)}\n") == 1


def test_the_table_of_readings_names_all_of_them():
    header, rows, *lines = rows_of(table_on_page("readings"))
    assert rows[0] == "rows" and [line[0] for line in lines] == [*READINGS, "any of them"]
    assert {"all", "deep", "tomh", "reproduction"} <= set(header)


@pytest.mark.parametrize("name", [name for name in TABLES if name != "readings"])
def test_every_table_of_rules_has_only_explained_ones(name):
    header, rows, chance, *lines = rows_of(table_on_page(name))
    assert (rows[0], chance[0]) == ("rows", "chance") and all(len(line) == len(header) for line in lines)
    rules = [line[0] for line in lines]
    sections = {
        "hi_tom": ["Rules about stories"],
        "deep": ["How deep a question is"],
        "order blocks": ["Rules about order blocks"],
        "mindgames": ["Rules about problems"],
        "mindgames, not gated": ["Rules about problems", "Rules about order blocks"],  # with ladder
    }
    known = sections.get(name) or sections[name.split(",")[0]]
    assert set(rules) <= {rule for section in known for rule in explained(section)}


@pytest.mark.parametrize(
    ("name", "published"),
    [
        ("hi_tom", published_table("hi_tom")),
        ("deep", published_depth()),
        ("mindgames", published_table("mindgames")),
    ],
)
def test_the_published_columns_are_the_recorded_figures(name, published):
    header, *lines = rows_of(table_on_page(name))
    groups = [column.removesuffix(": published") for column in header if column.endswith(": published")]
    assert groups
    for group in groups:
        cells = {line[0]: line[header.index(f"{group}: published")] for line in lines}
        del cells["rows"], cells["chance"]
        assert {rule: cell for rule, cell in cells.items() if cell} == {
            rule: str(share) for rule, share in published[group].items()
        }


def test_the_gates_in_the_tables_are_those_of_the_code():
    for name, gates in GATES.items():
        header, *lines = rows_of(table_on_page(name))
        in_table = {line[0]: line[header.index("gate")] for line in lines if line[header.index("gate")]}
        assert in_table == {rule: spell_gate(gate) for rule, gate in gates.items()}


def test_tables_are_written_between_their_markers_and_nowhere_else():
    page = f"# Audit\n{marker('one')}\n\nold\n\n{END}\nprose\n{marker('two')}\n{END}\nend\n"
    written = with_tables(page, {"two": "| 2 |", "one": "| 1 |"})
    assert written == (f"# Audit\n{marker('one')}\n\n| 1 |\n\n{END}\nprose\n{marker('two')}\n\n| 2 |\n\n{END}\nend\n")
    assert with_tables(written, {"one": "| 1 |"}) == written


ONE = marker("one")


@pytest.mark.parametrize("page", ["", f"{ONE}\n", f"{END}\n{ONE}\n", f"{ONE}\n{END}\n{ONE}\n{END}\n"])
def test_a_page_without_the_markers_is_refused(page):
    with pytest.raises(
        ValueError, match="^the page needs one line '<!-- table: one -->', and '<!-- end of table -->' a"
    ):
        with_tables(page, {"one": "| 1 |"})


def test_the_tables_of_a_build_have_the_names_of_the_page():
    gated = {"1st_order": {"first": Share(1, 4, 0.5)}}
    puzzles = {"forehead": {"TF-IDF": Share(1, 4, 0.5)}}
    deep, readings = {"2nd_order": {"reality": Share(1, 4, 0.5)}}, {"tomh": {"visit": Share(1, 4, 0.0)}}
    tables = page_tables("hi_tom", {"first": (0, 0.4)}, gated, gated, deep, readings)
    tables |= page_tables("mindgames", {}, puzzles, puzzles, puzzles, {})
    assert set(tables) == set(TABLES)
    assert set(page_tables("mindgames", {}, puzzles, {}, {}, {})) == {"mindgames"}
    assert "| first | ≤ 40 | 25.0" in tables["hi_tom"] and tables["readings"].endswith("| visit | 25.0 (5–70) |")
    assert tables["hi_tom"].startswith("|  | gate | 1st_order: ours | 1st_order: published |")
    assert with_tables(PAGE, tables).count(END) == len(TABLES)


def test_audit_writes_the_tables_of_a_default_build_into_a_page(run, tmp_path, monkeypatch):
    """A small build stands in for the default one, which takes minutes."""
    page = tmp_path / "audit.md"
    page.write_text(PAGE, encoding="utf-8")
    assert run("build", "hi_tom", "--out", tmp_path, *SMALL["hi_tom"], "--probe", "none")[0] == 0
    code, printed, _ = run("audit", "hi_tom", "--out", tmp_path, "--docs", page)
    assert code == 0 and f"{page} stays as it is: {tmp_path / 'hi_tom'} is no default build\n" in printed
    assert page.read_text(encoding="utf-8") == PAGE

    monkeypatch.setattr("tom_datasets.commands.audit.is_default", lambda build: True)
    code, printed, _ = run("audit", "hi_tom", "--out", tmp_path, "--docs", page)
    assert code == 0 and f"tables written into {page}\n" in printed
    written = page.read_text(encoding="utf-8")
    changed = [name for name in TABLES if table_on_page(name) not in written]
    assert changed == ["hi_tom", "hi_tom, not gated", "deep", "readings"]
    for name in changed:
        table = written.split(f"{marker(name)}\n")[1].split(END)[0].strip()
        assert f"\n{table}\n" in printed
        written = written.replace(table, table_on_page(name).strip())
    assert written == PAGE

    failed = run("audit", "hi_tom", "--out", tmp_path, "--docs", tmp_path / "none.md")
    assert failed[0] == 1
    assert failed[2] == f"error: {tmp_path / 'none.md'} cannot be read: --docs names a page with markers for tables\n"
    page.write_text("", encoding="utf-8")
    failed = run("audit", "hi_tom", "--out", tmp_path, "--docs", page)
    assert failed[0] == 1 and failed[2].startswith(f"error: {page}: the page needs one line '<!-- table: hi_tom -->', ")


def test_docs_is_for_builds(run, tmp_path):
    failed = run("audit", tmp_path / "rows.jsonl", "--docs", tmp_path / "audit.md")
    refused(failed, "--docs is for builds: leave out the files of published data")


@pytest.mark.parametrize("name", NAMES)
def test_a_default_build_is_one_that_was_asked_for_nothing(name, tmp_path):
    configs = topic(name, "config").BUILT
    request = request_of(configs, checked_probe(name, configs))

    def build(request):
        return Build(tmp_path, name, "", request, "", {})

    assert is_default(build(request))
    for change in ({"seed": 1}, {"test": 3}, {"scorer": None}, {"version": "0"}):
        changed = {config: fields | change for config, fields in request.items()}
        assert not is_default(build(changed)), change
