"""Read explanations of stories back, and find every wrong one."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from mutations import unfound
from proof.samples import OVERHEARD, THOUGHTS, WATCHED, label_of_story
from random_stories import chains, coherent_stories
from support import DEEP, OF_ALL, numbered

from tom_datasets.reader.read_stories import read_story
from tom_datasets.reader.steps import explanation_fault, judged_steps
from tom_datasets.reader.story_minds import believe_after, happenings
from tom_datasets.story import config as configs
from tom_datasets.story.explanation import explain_row
from tom_datasets.story.rows import plan_of, story_rows
from tom_datasets.streams import stream
from tom_datasets.syntax.events import Question
from tom_datasets.syntax.record import dumps, spell
from tom_datasets.wording.stories import voice

TURNS = [
    ("saw it", "did not see it"),
    ("watching", "listening"),
    ("noticed", "watched"),
    ("overheard it", "watched"),
    ("did not know that", "noticed that"),
    ("the thoughts of", "what is thought by"),
    ("did not see it", "did not hear it"),
    ("trusts", "does not trust"),
    ("who left later", "who was there"),
    ("who left later", "who did not leave later"),
    ("who did not leave later", "who was not there"),
    ("changes", "change"),
    ("line", "lines"),
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
    "deep": (configs.DEEP, "train", range(2), {}),
    "all": (configs.ALL, "train", range(3), {}),
    "published": (configs.ALL, "validation", range(3), {"semantics": "published"}),
}


@pytest.mark.parametrize("sample", SAMPLES)
def test_every_mutant_of_an_explanation_is_found(sample):
    config, split, indices, fields = SAMPLES[sample]
    explained = [
        (row, row["explanation"], {"agents": list(read_story(row["story"])[1].agents), "containers": row["choices"]})
        for row in rows_of(config, split, indices, **fields)
    ]
    made, missed = unfound(explained, TURNS)
    assert not missed, missed[0]
    assert len(made) == 11 and min(made.values()) > 5, made


NAMES = voice("en").names(stream("steps"), 0, n_agents=6, n_rooms=4, n_things=7, n_containers=10)


@settings(deadline=None, max_examples=100)
@given(coherent_stories(watches=True), st.data())
def test_explanations_of_random_stories_are_right(story, data):
    spelled = [spell(event, NAMES) for event in story.events]
    text, events = voice("en").story(spelled), dumps(spelled, NAMES.things[0])
    asked = data.draw(st.lists(st.sampled_from(chains(story.n_agents, 4)), min_size=10))
    for chain, container in believe_after(happenings(story, 0), asked, "recursive").items():
        agents = [NAMES.agents[agent] for agent in chain]
        if container is not None and all(agent in text for agent in agents):
            question = voice("en").say(*spell(Question(chain, 0), NAMES))
            row = {
                "story": text,
                "events": events,
                "question": question,
                "answer": NAMES.containers[container],
                **OF_ALL,
            }
            row["explanation"] = explain_row({**row, "chain": agents})
            assert explanation_fault(row["explanation"], row) is None


def question_row(question, story=DEEP):
    """Return a row that asks a question of a story."""
    return {"story": story, "question": question, "answer": label_of_story(story, question, "recursive"), **OF_ALL}


SECRETS = numbered(
    *WATCHED,
    "Ben publicly claimed that the pear is in the tub now.",
    "Ben privately told Ann and Gus that the pear is in the vase now.",
    *OVERHEARD,
    THOUGHTS.replace("tub", "jar"),
    "Hal overheard this unnoticed.",
)
REALLY = "Where is the pear really?"


def test_a_wrong_answer_about_secrets_is_judged_by_the_recursive_meaning():
    step = "Line 8: Ann moved the pear to the crate. Dan watched. Now: crate."
    row = question_row("Where does Dan think the pear is?", SECRETS)
    for answer in (row["answer"], "tub"):
        assert judged_steps(step, {**row, "answer": answer}).steps == ((step, True),)


@pytest.mark.parametrize(
    ("chain", "step"),
    [
        ("Ann thinks Cleo", "Line 5: Ben moved the pear to the crate. Ann watched, and Cleo saw it. Now: crate."),
        ("Cleo thinks Ann", "Line 12: Ben publicly claimed that the pear is in the jar now. Ann trusts Ben, "
         "who left later, for all Cleo can tell. Now: jar."),
        ("Ben", "Line 13: Cleo privately told Ben that the pear is in the vase now. Ben trusts Cleo, who left later. "
         "Now: vase."),
        ("Ben thinks Cleo", "Line 13: Cleo privately told Ben that the pear is in the vase now. Ben trusts Cleo, "
         "who left later, and takes Cleo to mean it. Now: vase."),
        ("Ben thinks Dan", "Line 12: Ben publicly claimed that the pear is in the jar now. Ben takes Dan to trust "
         "what Ben says. Now: jar."),
        ("Ann thinks Ben thinks Dan", "Line 12: Ben publicly claimed that the pear is in the jar now. Ben takes Dan to "
         "trust what Ben says, as Ann knows. Now: jar."),
        ("Cleo", "No later line changes this: Cleo did not see it (line 9); Cleo does not trust Ben, who did not leave "
         "later (line 12); Cleo said it (line 13)."),
        ("Ann thinks Ben", "No later line changes this: Ben did not see it (lines 7 and 9); Ann watched, and does not "
         "trust Ben (line 12); Ann did not hear it (line 13)."),
        ("Dan", "No later line changes this: Dan does not trust Ben, who did not leave later (line 12); Dan did not "
         "hear it (line 13)."),
        ("", "Line 9: Dan moved the pear to the tub. Now: tub."),
        ("", "No later line changes this: words move nothing (lines 12 and 13)."),
    ],
)  # fmt: skip
def test_each_kind_of_step_is_right_of_its_chain_only(chain, step, story=DEEP):
    first, *others = chain.split(" thinks ")
    nested = "".join(f" {name} thinks" for name in others)
    asked = f"Where does {first} think{nested} the pear is?" if chain else REALLY
    assert judged_steps(step, question_row(asked, story)).steps == ((step, True),)
    elsewhere = judged_steps(step, question_row(REALLY if chain else "Where does Ben think the pear is?", story))
    assert elsewhere.steps == ((step, False),)
    assert (elsewhere.share, elsewhere.share_before_wrong, elsewhere.first_wrong) == (0, 0, step)


MOVED = "Line 8: Ann moved the pear to the crate. {}. Now: crate.".format
CLAIMED = "Line 13: Ben publicly claimed that the pear is in the tub now. {}. Now: tub.".format
TOLD = "Line 14: Ben privately told Ann and Gus that the pear is in the vase now. {}. Now: vase.".format
OF_THOUGHTS = (
    "Line 17: Ben privately told Ann and Cleo that Dan thinks Eve thinks the pear is in the jar now. {}. Now: jar."
).format


@pytest.mark.parametrize(
    ("chain", "step"),
    [
        ("Finn", MOVED("Finn watched")),
        ("Finn thinks Eve", MOVED("Finn noticed Eve watching")),
        ("Finn thinks Eve thinks Dan", MOVED("Finn noticed Eve watching, Eve noticed Dan watching")),
        ("Finn thinks Eve thinks Dan thinks Ben thinks Ann",
         MOVED("Finn noticed Eve watching, Eve noticed Dan watching, and Ben and Ann saw it")),
        ("Finn thinks Dan thinks Eve",
         CLAIMED("Eve trusts Ben, who was there, for all Finn and Dan can tell")),
        ("Hal", TOLD("Hal overheard it, and Hal trusts Ben, who was there")),
        ("Hal thinks Ben", TOLD("Hal overheard it, and Hal trusts Ben, who was there, and takes Ben to mean it")),
        ("Hal thinks Dan",
         TOLD("Hal noticed Dan listening, and Dan trusts Ben, who was there, for all Hal can tell")),
        ("Hal thinks Dan thinks Ann", TOLD("Hal noticed Dan listening, and Ann trusts Ben, who left later")),
        ("Hal thinks Ann thinks Dan thinks Eve", OF_THOUGHTS("Hal overheard it, and Ann trusts Ben, who left later")),
        ("Ann thinks Ben thinks Cleo thinks Dan thinks Eve",
         OF_THOUGHTS("Ben takes Cleo to trust what Ben says, as Ann knows")),
        ("Finn thinks Eve", "No later line changes this: Eve watched, and does not trust Ben (line 13); Finn did not "
         "hear it (line 14); it is about the thoughts of Dan and Eve (line 17)."),
        ("Dan thinks Hal", "No later line changes this: Dan did not know that Hal heard it (line 14); it is about the "
         "thoughts of Dan and Eve (line 17)."),
        ("Dan thinks Eve", "No later line changes this: Eve did not hear it (line 14); it does not change what Dan "
         "thinks (line 17)."),
        ("Cleo thinks Dan thinks Eve", "No later line changes this: Cleo did not hear it (line 14); Cleo does not "
         "trust Ben, who did not leave later (line 17)."),
        ("Ben thinks Dan thinks Eve", "No later line changes this: Eve did not hear it (line 14); Ben said it (line "
         "17)."),
        ("", "No later line changes this: words move nothing (lines 13, 14 and 17)."),
    ],
)  # fmt: skip
def test_steps_about_those_in_secret(chain, step):
    test_each_kind_of_step_is_right_of_its_chain_only(chain, step, SECRETS)


def test_of_several_who_did_not_know_each_is_reason_enough():
    row = question_row("Where does Dan think Ann thinks Eve thinks the pear is?", numbered(
        "Ann, Ben, Dan and Eve entered the hall.",
        "The pear is in the box.",
        "Ann exited the hall.",
        "Eve exited the hall.",
        "Ann secretly watched the hall from outside.",
        "Eve secretly watched the hall from outside.",
        "Ben moved the pear to the tub.",
    ))  # fmt: skip
    for reason in ("Dan did not know that Ann saw it", "Ann did not know that Eve saw it"):
        assert judged_steps(f"No later line changes this: {reason} (line 7).", row).steps[0][1]
    for reason in ("Dan did not know that Eve saw it", "Eve did not see it", "Ann did not know that Dan saw it"):
        assert not judged_steps(f"No later line changes this: {reason} (line 7).", row).steps[0][1]


def test_the_steps_of_a_reply_are_found_among_other_words():
    row = question_row("Where does Ann think Cleo thinks the pear is?")
    reply = """\
Let us see. Ann and Cleo are asked.

Line 2: The pear is in the box. Ann and Cleo saw it. Now: box.
  Line 2: The pear is in the box. Ann and Cleo saw it. Now: box.
Line 5: Ben moved the pear to the crate. Ann watched, and Cleo saw it. Now: crate.
Line 5: Ben moved the pear to the crate. Now: crate.
Line 7: Cleo moved the pear to the drawer. Dan saw it. Now: drawer.
Line 7: Cleo moved the pear to the drawer. Ann watched, and Cleo saw it. Now: drawer.
Answer: tub"""
    judged = judged_steps(reply, row)
    assert [right for _, right in judged.steps] == [True, True, False, False, True]
    assert judged.first_wrong == "Line 5: Ben moved the pear to the crate. Now: crate.", "a step needs its reason"
    assert (judged.share, judged.share_before_wrong) == (0.6, 2 / 4)


def test_a_reply_without_steps_has_none():
    judged = judged_steps("The drawer.\nAnswer: drawer.", question_row("Where does Ann think Cleo thinks the pear is?"))
    assert (judged.steps, judged.share, judged.share_before_wrong, judged.first_wrong) == ((), 0.0, 0.0, None)


def test_one_who_missed_a_line_is_reason_enough_but_every_later_line_needs_one():
    story = numbered(
        "Ann, Ben and Cleo entered the hall.",
        "The pear is in the box.",
        "Ann exited the hall.",
        "Cleo moved the pear to the tub.",
        "Ben exited the hall.",
        "Cleo moved the pear to the jar.",
    )
    row = question_row("Where does Ann think Ben thinks the pear is?", story)
    start = "Line 2: The pear is in the box. Ann and Ben saw it. Now: box.\n"
    later = "No later line changes this: "
    whole = f"{start}{later}Ann did not see it (lines 4 and 6).\nAnswer: box"
    assert explanation_fault(whole, row) is None
    assert judged_steps(whole, row).share_before_wrong == 1
    other = f"{later}Ann did not see it (line 4); Ben did not see it (line 6)."
    assert judged_steps(f"{start}{other}", row).share_before_wrong == 1
    assert explanation_fault(f"{start}{other}\nAnswer: box", row) == f"step 2 of its explanation is wrong: {other!r}"
    for wrong in (
        "Ann did not see it (line 6).",
        "Ann did not see it (lines 4, 6).",
        "Ann did not see it (line 4 and 6).",
        "Ann did not see it (lines 4 and 06).",
        "Ann did not see it (lines 4 and ٦).",
        "Ann did not see it (lines 4 and 6); Ben did not see it (line 6).",
        "Ben did not see it (lines 4 and 6).",
        "Ann did not hear it (lines 4 and 6).",
    ):
        assert judged_steps(later + wrong, row).steps == ((later + wrong, False),)
    for line in ("Line 02", "Line ٢", "Lines 2"):
        assert explanation_fault(whole.replace("Line 2", line), row).startswith("step 1 of its explanation is wrong: ")
        assert judged_steps(whole.replace("Line 2", line), row).share_before_wrong == 0
    assert explanation_fault(whole.replace("No later", "\nNo later"), row) == "step 2 of its explanation is wrong: ''"
    assert explanation_fault(whole.rpartition("\n")[0], row) == "its explanation ends before step 3"
