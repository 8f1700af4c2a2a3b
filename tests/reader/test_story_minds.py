"""Label stories by nested minds: a puzzle.

tests/story holds these labels to puzzles, truth tables and stories worked out by hand, together with `belief`.
"""

import pytest
from proof.samples import label_of_story
from support import numbered

BOTH = ("recursive", "published")


@pytest.mark.parametrize("semantics", BOTH)
@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Where does Lucas think that Jacob thinks that Carter searches for the strawberry?", "green_crate"),
        ("Where does Lucas think that Carter searches for the strawberry?", "blue_bottle"),
        ("Where does Carter think that Jacob searches for the strawberry?", "green_crate"),
    ],
)
def test_jacob_left_before_the_second_move(question, expected, semantics):
    """Table 6 of the workshop paper: agents enter one by one."""
    text = numbered(
        "Lucas entered the kitchen.",
        "Jacob entered the kitchen.",
        "Carter entered the kitchen.",
        "The strawberry is in the red_box.",
        "Jacob moved the strawberry to the green_crate.",
        "Jacob exited the kitchen.",
        "Lucas moved the strawberry to the blue_bottle.",
        "Lucas exited the kitchen.",
        "Carter exited the kitchen.",
    )
    assert label_of_story(text, question, semantics) == expected
