"""Errors of builders/: each that is raised says what is wrong."""

import ast

from support import ROOT


def calls(path):
    """Return the calls that make the errors which a source raises."""
    made = [node.exc for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))) if isinstance(node, ast.Raise)]
    return [error for error in made if isinstance(error, ast.Call) and ast.unparse(error.func).endswith("Error")]


def test_every_error_that_is_raised_has_a_message():
    """Also those that no test provokes."""
    errors = [(path, error) for path in (ROOT / "builders").rglob("*.py") for error in calls(path)]
    silent = [
        f"{path}, line {error.lineno}"
        for path, error in errors
        if not error.args or ast.unparse(error.args[0]) in ("''", "f''", "None")
    ]
    assert len(errors) > 300 and silent == []
