"""Read explanations of stories back, and find every wrong one."""

from collections import Counter
from dataclasses import replace

import pytest
from mutations import mutants
from support import DEEP, numbered

from builders.proof.read_stories import read_question, read_story
from builders.proof.story_minds import believe
from builders.proof.story_steps import explanation_fault, judged_steps
from builders.story import config as configs
from builders.story.rows import plan_of, story_rows

TURNS = [
    ("saw it", "did not see it"),
    ("saw it", "saw it in secret"),
    ("did not see it", "did not hear it"),
    ("trusts", "does not trust"),
    ("who left later", "who was there"),
    ("who left later", "who did not leave later"),
    ("who did not leave later", "who was not there"),
    ("changes nothing", "changed nothing"),
    ("said it", "did not hear it"),
    ("words move nothing", "nobody heard it"),
    ("publicly claimed", "privately claimed"),
]


def rows_of(config, split, indices, **fields):
    """Return the rows of a few stories of a config."""
    config = replace(config, scorer=None, **{split: max(indices) + 1}, **fields)
    settled = plan_of(config, split)
    return [row for index in indices for row in story_rows(config, split, index, *settled[index])]


SAMPLES = {
    "deep": (configs.DEEP, "train", range(4), {}),
    "all": (configs.ALL, "train", range(3), {}),
    "published": (configs.ALL, "validation", range(3), {"semantics": "published"}),
}


@pytest.mark.parametrize("sample", SAMPLES)
def test_every_mutant_of_an_explanation_is_found(sample):
    config, split, indices, fields = SAMPLES[sample]
    found, missed = Counter(), []
    for row in rows_of(config, split, indices, **fields):
        assert explanation_fault(row["explanation"], row) is None
        agents = list(read_story(row["story"])[1].agents)
        banks = {"agents": agents, "containers": row["choices"]}
        for kind, mutant in mutants(row["explanation"], banks, TURNS):
            found[kind] += 1
            if explanation_fault(mutant, row) is None:
                missed.append((row["id"], kind, mutant))
    assert not missed, missed[0]
    assert len(found) == 10 and min(found.values()) > 5, found


def question_row(question, story=DEEP):
    """Return a row that asks a question of a story."""
    events, names = read_story(story)
    asked = read_question(question, names)
    return {"story": story, "question": question, "answer": names.containers[believe(events, asked, "recursive")]}


REALLY = "Where is the pear really?"


@pytest.mark.parametrize(
    ("chain", "step"),
    [
        ("Ann thinks Cleo", "Line 5: Ben moved the pear to the crate. Ann watched, and Cleo saw it. Now: crate."),
        ("Cleo thinks Ann", "Line 5 changes nothing: Ann saw it in secret."),
        ("Cleo", "Line 9 changes nothing: Cleo did not see it."),
        ("Cleo", "Line 12 changes nothing: Cleo does not trust Ben, who did not leave later."),
        ("Cleo thinks Ann", "Line 12: Ben publicly claimed that the pear is in the jar now. Ann trusts Ben, "
         "who left later, for all Cleo can tell. Now: jar."),
        ("Ann", "Line 12 changes nothing: Ann watched, and does not trust Ben."),
        ("Ben", "Line 12 changes nothing: Ben said it."),
        ("Ben", "Line 13: Cleo privately told Ben that the pear is in the vase now. Ben trusts Cleo, who left later. "
         "Now: vase."),
        ("Ben thinks Cleo", "Line 13: Cleo privately told Ben that the pear is in the vase now. Ben trusts Cleo, "
         "who left later, and takes Cleo to mean it. Now: vase."),
        ("Ben thinks Dan", "Line 12: Ben publicly claimed that the pear is in the jar now. Ben takes Dan to trust "
         "what Ben says. Now: jar."),
        ("Ann thinks Ben thinks Dan", "Line 12: Ben publicly claimed that the pear is in the jar now. Ben takes Dan to "
         "trust what Ben says, as Ann knows. Now: jar."),
        ("Dan", "Line 13 changes nothing: Dan did not hear it."),
        ("", "Line 9: Dan moved the pear to the tub. Now: tub."),
        ("", "Lines 12 and 13 change nothing: words move nothing."),
    ],
)  # fmt: skip
def test_each_kind_of_step_is_read_and_right_of_its_chain_only(chain, step):
    first, *others = chain.split(" thinks ")
    nested = "".join(f" {name} thinks" for name in others)
    asked = f"Where does {first} think{nested} the pear is?" if chain else REALLY
    assert judged_steps(step, question_row(asked)).steps == ((step, True),)
    elsewhere = judged_steps(step, question_row(REALLY if chain else "Where does Ben think the pear is?"))
    assert elsewhere.steps == ((step, False),)
    assert (elsewhere.share, elsewhere.share_before_wrong, elsewhere.first_wrong) == (0, 0, step)


def test_the_steps_of_a_reply_are_found_among_other_words():
    row = question_row("Where does Ann think Cleo thinks the pear is?")
    reply = """\
Let us see. Ann and Cleo are asked.

Line 2: The pear is in the box. Ann and Cleo saw it. Now: box.
  Line 5: Ben moved the pear to the crate. Now: crate.
Line 5: Ben moved the pear to the crate. Ann watched, and Cleo saw it. Now: crate.
Line 7: Cleo moved the pear to the drawer. Dan saw it. Now: drawer.
Line 9 changes nothing: Cleo was away.
Line 9 changes nothing: Cleo did not see it.
Answer: tub."""
    judged = judged_steps(reply, row)
    assert [right for _, right in judged.steps] == [True, True, False, False, False, True]
    assert judged.first_wrong == reply.split("\n")[4]
    assert (judged.share, judged.covered, judged.needed) == (0.5, 2, 6)
    assert judged.share_before_wrong == 2 / 6


def test_a_reply_without_steps_has_none():
    judged = judged_steps("The drawer.\nAnswer: drawer.", question_row("Where does Ann think Cleo thinks the pear is?"))
    assert (judged.steps, judged.share, judged.share_before_wrong, judged.first_wrong) == ((), 0.0, 0.0, None)


def test_one_who_missed_a_line_is_reason_enough_in_a_reply_but_not_in_an_explanation():
    story = numbered(
        "Ann, Ben and Cleo entered the hall.",
        "The pear is in the box.",
        "Ann exited the hall.",
        "Ben exited the hall.",
        "Cleo moved the pear to the tub.",
    )
    row = question_row("Where does Ann think Ben thinks the pear is?", story)
    start = "Line 2: The pear is in the box. Ann and Ben saw it. Now: box.\n"
    whole, part = (
        f"{start}Line 5 changes nothing: {who} did not see it.\nAnswer: box." for who in ("Ann and Ben", "Ben")
    )
    assert judged_steps(part, row).share == judged_steps(whole, row).share_before_wrong == 1
    assert explanation_fault(whole, row) is None
    assert explanation_fault(part, row) == (
        "step 2 of its explanation is wrong: 'Line 5 changes nothing: Ben did not see it.'"
    )
    assert explanation_fault(whole.replace("Line 5", "\nLine 5"), row) == "step 2 of its explanation is wrong: ''"
    assert explanation_fault(f"{start}Answer: box.", row) == "its explanation leaves out line 5"
