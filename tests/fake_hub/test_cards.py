"""Check the metadata of cards, and eval.yaml, as the Hub does."""

import pytest

from fake_hub import check_card, check_eval
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


EVAL = "name: A\ndescription: B\nevaluation_framework: inspect-ai\ntasks: [{id: a}, {id: b}]\n"


@pytest.mark.parametrize(
    ("old", "new", "error"),
    [
        ("name: A\n", "", '"name" must be a string'),
        ("B", "''", '"description" must be a string'),
        ("evaluation_framework: inspect-ai\n", "", '"evaluation_framework" must be a string'),
        ("inspect-ai", "inspect", '"evaluation_framework" must be one of [inspect-ai]'),
        ("[{id: a}, {id: b}]", "[]", '"tasks" must be an array'),
        ("id: b", "id: a", '"tasks" must be an array of objects, each with an "id" of its own'),
        ("A", "[", "while parsing"),
        (EVAL, "- a", "should be an object"),
    ],
)
def test_a_push_with_a_wrong_eval_yaml_is_refused(hub, tmp_path, old, new, error):
    assert check_eval(EVAL) == []
    (found,) = check_eval(EVAL.replace(old, new, 1))
    assert error in found
    if old == "name: A\n":
        hub.create("me/x")
        texts = [EVAL.replace(old, new, 1), EVAL]
        refused, taken = run_client(
            hub, tmp_path, f"for text in {texts!r}: report(*failing(commit, {{'eval.yaml': text}}))"
        )
        assert refused[1] == 400 and error in refused[2] and taken[0] == "nothing"
        assert len(hub.repos["me/x"].commits) == 2 and hub.repos["me/x"].files()["eval.yaml"] == EVAL.encode()


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
