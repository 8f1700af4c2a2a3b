"""Read the templates of cards: where they are found, which rules they explain, and which numbers they type."""

import re

import jinja2
import pytest
from cards import NAMES
from support import ROOT

from tom_datasets.audit.gates import GATES
from tom_datasets.audit.stories import BEST
from tom_datasets.folder import card

CARDS = ROOT / "templates/en/card"


def source(name):
    """Return the source of a template."""
    return (CARDS / f"{name}.md.jinja").read_text(encoding="utf-8")


def constant(name, variable):
    """Return what a template sets a variable to."""
    (assigned,) = (
        node.node
        for node in jinja2.Environment().parse(source(name)).find_all(jinja2.nodes.Assign)
        if node.target == jinja2.nodes.Name(variable, "store")
    )
    return assigned.as_const()


# ------------------------------------------------------------------------------------------------ where they are


@pytest.mark.parametrize("name", NAMES)
def test_the_entry_only_includes_the_card_of_the_dataset(name):
    assert card.entry(name).filename == str(ROOT / "dataset_card.md")
    lines = (ROOT / "dataset_card.md").read_text(encoding="utf-8").splitlines()
    assert len(lines) <= 3 and '{% include "card/" ~ dataset ~ ".md.jinja" %}' in lines


@pytest.mark.parametrize("name", NAMES)
def test_an_installed_package_has_the_card_without_the_entry(tmp_path, monkeypatch, name):
    monkeypatch.setattr(card, "ROOT", tmp_path)
    assert card.entry(name).filename == str(CARDS / f"{name}.md.jinja")


# ------------------------------------------------------------------------------------------------ what they say


@pytest.mark.parametrize(
    ("name", "variable", "gates"),
    [
        ("hi_tom", "rules", "hi_tom"),
        ("hi_tom", "deep_rules", "deep"),
        ("mindgames", "rules", "mindgames"),
        ("mindgames", "order_rules", "order blocks"),
    ],  # fmt: skip
)
def test_every_gated_rule_is_explained(name, variable, gates):
    """But those for which the card has no room."""
    rules = constant(name, variable)
    others = {*BEST, *(f"link {place} ignored" for place in range(2, 6)), "content skipped", "claims only"}
    others |= {"seen lines only", "first mentioned", "last mentioned", "most mentioned"} if gates == "deep" else set()
    assert set(GATES[gates]) - others <= set(rules) and all(rules.values())


TYPED = {
    "apache-2.0": "a licence",
    "https://arxiv.org/abs/2310.16755": "the address of a paper",
    "https://arxiv.org/abs/2305.03353": "the address of a paper",
    "C.3": "a definition of a paper",
    "Table 1": "a table of a paper",
    "EMNLP 2023": "a year",
    "ICML 2023": "a year",
    "NeurIPS 2025": "a year",
    "Lernould, 2023": "a year",
    "Census of 1990": "a year",
    "Census of\n1990": "a year",
    "orders 1 and 2": "the rules of the released generator",
    "at order 2": "the rules of the released generator",
    "from order 2": "where the gates of deep stories and the false beliefs of ToMH begin",
    "Reality and order 1": "what deep stories are not made for",
    "order 1 and 2": "the rules of the released generator",
    "64-bit": "a kind of integer",
    "95 %": "the level of an interval",
    "facts about them 1, 2, …": "SMCDEL's names of facts",
    "below 1": "the definition of difficulty",
}
"""The only numbers in the prose of the templates that do not come from a build, with what they are."""


@pytest.mark.parametrize("name", ["base", *NAMES])
def test_numbers_in_the_prose_are_not_typed(name):
    """Code, citations, columns' names and table headers such as "0 / 1 / more" aside, every number is computed."""
    text = re.sub(r"{%.*?%}|{#.*?#}", "\n", source(name), flags=re.DOTALL)
    text = re.sub(r"{{.*?}}", "", text)
    text = re.sub(r"```.*?```|^@.*?^}$|`[^`]*`|^\|.*$|\w+\(.*\)$", "", text, flags=re.DOTALL | re.MULTILINE)
    text = re.sub(r"^\d\. |[0-9a-f]{8}-[0-9a-f-]{27}|SHA-\d+|DeBERTa-v2|^\(.*lambda.*$", "", text, flags=re.MULTILINE)
    for phrase in TYPED:
        text = text.replace(phrase, "")
    assert re.findall(r".*\d.*", text) == []
