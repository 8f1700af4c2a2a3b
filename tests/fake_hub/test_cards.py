"""What the test Hub refuses of cards and eval.yaml, as the Hub does; tests/hub lets the real clients publish to it."""

import pytest

from fake_hub import check_card, check_eval


@pytest.mark.parametrize(
    ("card", "error"),
    [
        ("# No metadata\n", "missing yaml"),
        ("---\n- a\n---\n", "should be an object"),
        ("---\na: [\n---\n", "while parsing"),
        ("---\nlicense: mit\nlicense: mit\n---\n", "duplicate yaml keys"),
        ("---\nlicence: mit\n---\n", '"licence" is not a known key'),
        ("---\nlanguage: English\n---\n", '"language" must be'),
        ("---\ntags: a\n---\n", '"tags" must be an array'),
        ("---\nconfigs: [{config_name: a}, {config_name: a}]\n---\n", '"configs" must be an array of objects'),
        ("---\nconfigs: [{config_name: a, data_files: [{split: b}]}]\n---\n", '"configs" must be an array of objects'),
    ],
)
def test_a_card_with_bad_metadata_is_refused(card, error):
    (found,) = check_card(card)
    assert error in found


EVAL = "name: A\ndescription: B\nevaluation_framework: inspect-ai\ntasks: [{id: a}, {id: b}]\n"


@pytest.mark.parametrize(
    ("old", "new", "error"),
    [
        ("name: A\n", "", '"name" must be a string'),
        ("inspect-ai", "inspect", '"evaluation_framework" must be one of [inspect-ai]'),
        ("id: b", "id: a", '"tasks" must be an array of objects, each with an "id" of its own'),
        ("A", "[", "while parsing"),
        (EVAL, "- a", "should be an object"),
    ],
)
def test_a_wrong_eval_yaml_is_refused(old, new, error):
    assert check_eval(EVAL) == [] and error in check_eval(EVAL.replace(old, new, 1))[0]
