"""Check the metadata of cards as the Hub does."""

import pytest

from fake_hub import check_card
from fake_hub.clients import run_client


@pytest.mark.parametrize(
    ("card", "error"),
    [
        ("# No metadata\n", "missing yaml"),
        ("---\n- a\n---\n", "should be an object"),
        ("---\na: [\n---\n", "while parsing"),
        ("---\nlicense: mit\nlicense: mit\n---\n", "duplicated mapping key 'license'"),
        ("---\nlicense: mine\n---\n", '"license" must be one of'),
        ("---\nlanguage: English\n---\n", '"English" is not valid'),
        ("---\ntags: a\n---\n", '"tags" must be an array'),
        ("---\nsize_categories: [few]\n---\n", '"size_categories" must be among'),
        ("---\npretty_name: [a]\n---\n", '"pretty_name" must be'),
        ("---\nconfigs: a\n---\n", '"configs" must be an array'),
        ("---\nconfigs: [{data_files: a}]\n---\n", "config_name"),
        ("---\nconfigs: [{config_name: a}, {config_name: a}]\n---\n", 'duplicate value "a"'),
        ("---\nconfigs: [{config_name: a, data_files: [{split: b}]}]\n---\n", "data_files"),
        ("---\ndataset_info: a\n---\n", '"dataset_info" must be'),
    ],
)
def test_card_errors(card, error):
    """Refuse each kind of bad metadata, with one error that names it."""
    errors, _ = check_card(card)
    assert len(errors) == 1 and error in errors[0]


def test_card_by_the_client(hub, tmp_path):
    """Let the client stop at a bad card before anything is uploaded; warn of keys and tasks that nobody knows."""
    hub.create("me/x")
    answers = run_client(
        hub, tmp_path, """report(*failing(commit, {"README.md": "---\\nlicense: mine\\n---\\n", "a.bin": "a"}))"""
    )
    assert answers[0][0] == "ValueError" and '"license" must be one of' in answers[0][2]
    assert [request.method + request.path for request in hub.requests[-1:]] == ["POST/api/validate-yaml"]
    assert check_card("---\ntask_categories: [guessing]\nlicence: mit\npretty_name: A\n---\n") == (
        [],
        ['"licence" is not a known key', 'The task_categories "guessing" is not in the official list'],
    )
