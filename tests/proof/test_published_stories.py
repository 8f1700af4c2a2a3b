"""Hold the second meaning of stories to the published answers, but for those that are known to be wrong."""

import json

import pytest
from proof.samples import label_of_story
from support import REFERENCE

RELEASED = REFERENCE / "hi_tom_released_half.jsonl"


# The ten answers of the CoTP half that the rules do not give: (deception, story length, sample, order). Each names a
# container to which some thing was moved in chapter 2; where "never there" is said, never the thing asked about.
KNOWN_WRONG = {
    (False, 3, 2, 2),  # never there
    (False, 3, 2, 3),  # never there
    (False, 3, 2, 4),  # never there
    (False, 3, 6, 4),  # never there
    (False, 3, 3, 2),  # overlooks that both come back (line 15)
    (False, 3, 3, 3),  # overlooks that all three come back (line 15)
    (True, 2, 3, 2),  # Emma saw one such move and Hannah the other
    (True, 2, 3, 3),  # the same
    (True, 2, 3, 4),  # the same
    (True, 3, 2, 4),  # overlooks the move that all five saw (line 5)
}


@pytest.mark.skipif(not RELEASED.exists(), reason=f"the published data are not here: {RELEASED}")
def test_the_published_answers():
    wrong = {"VP": set(), "CoTP": set()}
    with RELEASED.open(encoding="utf-8") as lines:
        for row in map(json.loads, lines):
            if label_of_story(row["story"], row["question"], "published") != row["answer"]:
                key = (row["deception"], row["story_length"], row["sample"], row["question_order"])
                wrong[row["prompting_type"]].add(key)
    assert wrong["CoTP"] == KNOWN_WRONG
    assert len(wrong["VP"]) == 300 - 235
