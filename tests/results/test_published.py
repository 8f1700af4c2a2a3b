"""Published replies are scored by the published labels and by those that the text has."""

import json
import subprocess
import sys

import pytest
from support import ROOT

from results import page, published, tables
from tom_datasets.audit.page import marker

SHARED = ROOT.parent / "shared" / "reference"


@pytest.mark.skipif(not SHARED.is_dir(), reason="the published data are not here")
def test_replies_are_scored_by_both_kinds_of_labels(tmp_path, monkeypatch):
    repository, figures, written = tmp_path / "released", tmp_path / "figures.jsonl", tmp_path / "page.md"
    repository.mkdir()
    (repository / "data.json").write_bytes((SHARED / "hi_tom_released_half_raw.json").read_bytes())
    subprocess.run(["tar", "xzf", SHARED / "responses_claude_instant_half_raw.tar.gz"], cwd=repository, check=True)
    (folder,) = {file.parents[4] for file in repository.rglob("order_0.txt")}
    who = ("-c", "user.name=me", "-c", "user.email=me@example.org")
    for words in (["init", "-q"], ["add", "."], [*who, "commit", "-q", "-m", "release"]):
        subprocess.run(["git", *words], cwd=repository, check=True)
    written.write_text(f"{marker('published replies')}\n\n<!-- end of table -->\n")
    monkeypatch.setattr(published, "DATA", ("HEAD", "data.json"))
    monkeypatch.setattr(published, "REPLIES", {"Claude": ("HEAD", str(folder.relative_to(repository)))})
    monkeypatch.setattr(published, "FIGURES", figures)
    monkeypatch.setattr(page, "write", lambda: None)
    monkeypatch.setattr(sys, "argv", ["published", str(repository)])
    published.main()
    found = {
        (figure["data"].removeprefix("Hi-ToM "), figure["group"]): figure["right"]
        for figure in tables.lines_of(figures) if figure["reader"] == "Claude"
    }  # fmt: skip
    assert len(found) == 2 * 2 * 6
    for kind in published.TYPES:
        of_kind = {labels: {group: right for (data, group), right in found.items() if data == f"{kind}, {labels}"}
                   for labels in ("published labels", "right labels")}  # fmt: skip
        for labels, rights in of_kind.items():
            assert rights["all"] == sum(right for group, right in rights.items() if group != "all"), labels
        first, second = of_kind.values()
        assert first != second
        assert all(first[order] == second[order] for order in ("0th_order", "1st_order"))


def test_a_folder_that_is_no_repository_is_one_line(tmp_path):
    words = [sys.executable, "-m", "results.published", str(tmp_path)]
    done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 1 and done.stderr.startswith("error: git: fatal: not a git repository")
    assert done.stderr.count("\n") == 1 and json.dumps(done.stdout) == '""'
