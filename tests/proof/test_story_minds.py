"""Label stories by nested minds: puzzles worked out by hand, claims, and any order."""

from itertools import permutations

import pytest
from proof.samples import OVERHEARD, THOUGHTS, WATCHED, label_of_story
from support import numbered

from tom_datasets.proof.read_stories import read_story
from tom_datasets.proof.story_minds import believe, believe_all
from tom_datasets.syntax.coherence import check
from tom_datasets.syntax.events import Question, Story

BOTH = ("recursive", "published")


SALLY_ANNE = numbered(
    "Sally, Anne and Alex entered the room.",
    "The milk is in the basket.",
    "Sally exited the room.",
    "Anne moved the milk to the box.",
)


@pytest.mark.parametrize("semantics", BOTH)
@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Where is the milk really?", "box"),
        ("Where does Sally think the milk is?", "basket"),
        ("Where does Anne think the milk is?", "box"),
        ("Where does Anne think Sally thinks the milk is?", "basket"),
        ("Where does Sally think that Anne searches for the milk?", "basket"),
        ("Where does Alex think Anne thinks the milk is?", "box"),
        ("Where does Alex think Anne thinks Sally thinks the milk is?", "basket"),
    ],
)
def test_sally_and_anne(question, expected, semantics):
    """Figure 1 of the workshop paper."""
    assert label_of_story(SALLY_ANNE, question, semantics) == expected


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


GARAGE = numbered(
    "Alexander, Jackson, and Benjamin entered the garage.",
    "The apple is in the green_drawer.",
    "Jackson exited the garage.",
    "Alexander moved the apple to the blue_box.",
    "Alexander exited the garage.",
    "Benjamin exited the garage.",
    "Alexander and Benjamin entered the playroom.",
    "The banana is in the red_treasure_chest.",
    "Dora entered the playroom.",
    "Benjamin exited the playroom.",
    "Benjamin entered the TV_room.",
    "Alexander moved the banana to the red_basket.",
    "Alexander, Jackson, and Benjamin entered the garage.",
    "The pumpkin is in the blue_box.",
    "Jackson moved the pumpkin to the green_drawer.",
)


@pytest.mark.parametrize("semantics", BOTH)
@pytest.mark.parametrize(
    ("question", "expected"),
    [
        # All three see the apple again when they enter (line 13).
        ("Where does Alexander think that Jackson thinks that Benjamin searches for the apple?", "blue_box"),
        # Line 12 happens where Alexander is, though the room entered last is the TV_room where Benjamin is.
        ("Where does Dora think that Alexander searches for the banana?", "red_basket"),
        ("Where does Alexander think that Benjamin searches for the banana?", "red_treasure_chest"),
        # Dora came after line 8, but a banana in the room is there to be seen.
        ("Where does Benjamin think that Dora searches for the banana?", "red_treasure_chest"),
    ],
)
def test_the_garage(question, expected, semantics):
    """Table 2 of the workshop paper, one sentence for each exit; Dora is added."""
    assert label_of_story(GARAGE, question, semantics) == expected


@pytest.mark.parametrize("semantics", BOTH)
def test_who_enters_shows_what_is_there_to_those_who_are_there_too(semantics):
    text = numbered(
        "Emma and Jack entered the hall.",
        "The pear is in the red_box.",
        "Jack exited the hall.",
        "Emma moved the pear to the blue_crate.",
        "Jack entered the hall.",
    )
    assert label_of_story(text, "Where does Emma think Jack thinks the pear is?", semantics) == "blue_crate"


@pytest.mark.parametrize("semantics", BOTH)
def test_nothing_taught_is_none(semantics):
    text = numbered("Emma entered the hall.", "The pear is in the red_box.", "Jack lost his watch.")
    assert label_of_story(text, "Where does Jack think the pear is?", semantics) is None
    assert label_of_story(text, "Where does Emma think Jack thinks the pear is?", semantics) is None


# Seen by all three: red_box. Seen by Jack and Owen: blue_crate. Seen by Owen: green_drawer. Zoe sees nothing.
# They left in the order Emma, Jack, Owen, so of claims in this chapter Emma trusts Jack and Owen, Jack trusts Owen,
# Owen nobody, and Zoe, who was not there, all three.
CHAPTER = (
    "Zoe entered the attic.",
    "Emma, Jack and Owen entered the hall.",
    "The pear is in the red_box.",
    "Emma exited the hall.",
    "Jack moved the pear to the blue_crate.",
    "Jack exited the hall.",
    "Owen moved the pear to the green_drawer.",
    "Owen exited the hall.",
    "Emma, Jack, Owen and Zoe entered the waiting_room.",
)


def question_about(names):
    """Return the question about the pear for a chain of names, outermost first."""
    first, *rest = names.split()
    return f"Where does {first} think {''.join(f'{name} thinks ' for name in rest)}the pear is?"


@pytest.mark.parametrize(
    ("chain", "recursive", "published"),
    [
        # Order 1: the listener trusts Jack or not; a speaker never persuades himself.
        ("Emma", "red_bottle", "red_bottle"),
        ("Zoe", "red_bottle", "red_bottle"),
        ("Owen", "green_drawer", "green_drawer"),
        ("Jack", "blue_crate", "blue_crate"),
        # Who trusts Jack takes him to believe his own words; Owen does not.
        ("Emma Jack", "red_bottle", "red_bottle"),
        ("Zoe Jack", "red_bottle", "red_bottle"),
        ("Owen Jack", "blue_crate", "blue_crate"),
        # Jack takes every listener to trust him, even Owen.
        ("Jack Emma", "red_bottle", "red_bottle"),
        ("Jack Owen", "red_bottle", "red_bottle"),
        ("Jack Zoe", "red_bottle", "red_bottle"),
        # Owen knows the exit order, so he knows that Emma is fooled: the released generator leaves this out.
        ("Owen Emma", "red_bottle", "red_box"),
        ("Owen Zoe", "red_bottle", None),
        # Emma knows that Owen is not fooled.
        ("Emma Owen", "red_box", "red_box"),
        ("Zoe Owen", None, None),
        # Order 3. In Jack's eyes Owen trusts him, also when Emma reasons about Jack …
        ("Emma Jack Owen", "red_bottle", "red_box"),
        # … but Jack does not take Emma to make that mistake: she knows that Owen left after Jack.
        ("Jack Emma Owen", "red_box", "red_box"),
        # Emma trusts Jack, so Owen takes her to take Jack at his word.
        ("Owen Emma Jack", "red_bottle", "red_box"),
        # Owen does not trust Jack, so Emma does not take Owen to take Jack at his word.
        ("Emma Owen Jack", "red_box", "red_box"),
        ("Owen Jack Emma", "red_bottle", "red_box"),
        # Order 4, by the same two last places: Owen is convinced right after Jack, not after Zoe.
        ("Zoe Owen Emma Jack", "red_bottle", None),
        ("Zoe Emma Owen Jack", None, None),
        ("Zoe Emma Jack Owen", "red_bottle", None),
        ("Emma Jack Zoe Owen", None, None),
        ("Owen Jack Zoe Emma", "red_bottle", None),
    ],
)
def test_a_public_claim_by_the_one_who_left_second(chain, recursive, published):
    text = numbered(*CHAPTER, "Jack publicly claimed that the pear is in the red_bottle now.")
    assert label_of_story(text, question_about(chain), "recursive") == recursive
    assert label_of_story(text, question_about(chain), "published") == published
    assert label_of_story(text, "Where is the pear really?", "recursive") == "green_drawer"


@pytest.mark.parametrize(
    ("claim", "chain", "recursive", "published"),
    [
        # Jack trusts Owen, who left later; nobody else hears it.
        ("Owen privately told Jack", "Jack", "red_bottle", "red_bottle"),
        ("Owen privately told Jack", "Jack Owen", "red_bottle", "red_bottle"),
        ("Owen privately told Jack", "Owen Jack", "red_bottle", "red_bottle"),
        ("Owen privately told Jack", "Owen", "green_drawer", "green_drawer"),
        ("Owen privately told Jack", "Emma", "red_box", "red_box"),
        ("Owen privately told Jack", "Emma Jack", "red_box", "red_box"),
        ("Owen privately told Jack", "Emma Owen Jack", "red_box", "red_box"),
        # Owen does not trust Emma, who left first; she takes him to.
        ("Emma privately told Owen", "Owen", "green_drawer", "green_drawer"),
        ("Emma privately told Owen", "Owen Emma", "red_box", "red_box"),
        ("Emma privately told Owen", "Emma Owen", "red_bottle", "red_bottle"),
        # A group knows of one another.
        ("Owen privately told Emma and Jack", "Emma Jack", "red_bottle", "red_box"),
        ("Owen privately told Emma and Jack", "Emma Jack Owen", "red_bottle", "red_box"),
        ("Owen privately told Emma and Jack", "Owen Emma", "red_bottle", "red_bottle"),
        ("Owen privately told Emma and Jack", "Zoe Jack", None, None),
        # Zoe was not in the room: nobody trusts her, but she takes all to. Jack does not share that mistake.
        ("Zoe publicly claimed", "Emma", "red_box", "red_box"),
        ("Zoe publicly claimed", "Zoe", None, None),
        ("Zoe publicly claimed", "Zoe Emma", "red_bottle", "red_bottle"),
        ("Zoe publicly claimed", "Emma Zoe", None, None),
        ("Zoe publicly claimed", "Emma Zoe Jack", "red_bottle", None),
        ("Zoe publicly claimed", "Zoe Jack Emma", None, None),
        ("Zoe publicly claimed", "Emma Jack Zoe", None, None),
    ],
)
def test_other_claims_after_the_same_chapter(claim, chain, recursive, published):
    text = numbered(*CHAPTER, f"{claim} that the pear is in the red_bottle now.")
    assert label_of_story(text, question_about(chain), "recursive") == recursive
    assert label_of_story(text, question_about(chain), "published") == published


CLAIMED = "{} that the pear is in the {} now.".format
TOGETHER = ("Emma and Jack entered the hall.", "The pear is in the red_box.")
ATTIC = (
    "Owen and Jack entered the attic.",
    "The fig is in the green_box.",
    "Owen exited the attic.",
    "Jack exited the attic.",
    "Owen and Jack entered the waiting_room.",
)
JACK = CLAIMED("Jack publicly claimed", "red_bottle")


@pytest.mark.parametrize("semantics", BOTH)
@pytest.mark.parametrize(
    ("lines", "beliefs"),
    [
        # A claim about another thing teaches nothing.
        ((*CHAPTER, JACK.replace("pear", "fig")), {"Emma": "red_box"}),
        # Of two claims the later wins.
        (
            (
                *CHAPTER,
                CLAIMED("Owen publicly claimed", "red_bottle"),
                CLAIMED("Jack privately told Emma", "blue_bottle"),
            ),
            {"Emma": "blue_bottle", "Emma Jack": "blue_bottle", "Emma Owen": "red_bottle", "Jack": "red_bottle"},
        ),
        # A sighting after a claim wins.
        (
            (*CHAPTER, JACK, "Emma and Jack entered the hall."),
            {"Emma": "green_drawer", "Emma Jack": "green_drawer", "Zoe": "red_bottle"},
        ),
        # Both left in one event; both never left.
        ((*TOGETHER, "Emma and Jack entered the waiting_room.", JACK), {"Emma": "red_box"}),
        ((*TOGETHER, JACK), {"Emma": "red_box"}),
        # Who has not left counts as last.
        ((*TOGETHER, "Emma exited the hall.", JACK), {"Emma": "red_bottle"}),
        ((*TOGETHER, "Emma entered the waiting_room.", JACK), {"Emma": "red_bottle"}),
        ((*TOGETHER, "Jack exited the hall.", JACK), {"Emma": "red_box"}),
        # Chapter 2 in the attic: Owen left first, Jack last. Emma and Zoe were not there and trust who was. In chapter
        # 1 Owen left after Jack; what counts is that he now left before him.
        ((*CHAPTER, *ATTIC, JACK), {"Emma": "red_bottle", "Owen": "red_bottle"}),
        (
            (*CHAPTER, *ATTIC, CLAIMED("Owen publicly claimed", "red_bottle")),
            {"Emma": "red_bottle", "Jack": "blue_crate"},
        ),
        # Emma was not in this chapter's room: nobody trusts her, Zoe neither.
        ((*CHAPTER, *ATTIC, CLAIMED("Emma publicly claimed", "red_bottle")), {"Zoe": None, "Jack": "blue_crate"}),
        # An earlier chapter's leaving does not count.
        ((*CHAPTER, ATTIC[0], ATTIC[2], CLAIMED("Owen publicly claimed", "red_bottle")), {"Jack": "blue_crate"}),
        # Leaving the waiting room is not leaving the chapter's room.
        (
            (
                *TOGETHER,
                "Emma entered the waiting_room.",
                "Jack entered the waiting_room.",
                "Emma exited the waiting_room.",
                JACK,
            ),
            {"Emma": "red_bottle"},
        ),
    ],
)
def test_whose_claims_are_believed(lines, beliefs, semantics):
    text = numbered(*lines)
    assert {chain: label_of_story(text, question_about(chain), semantics) for chain in beliefs} == beliefs


@pytest.mark.parametrize(
    ("lines", "beliefs"),
    [
        pytest.param(
            (),
            {
                "Finn Eve Dan Ann": "crate", "Finn Eve Dan": "crate", "Finn Dan Ann": "crate", "Eve Dan": "crate",
                # Who is noticed has noticed nobody who came after, and those inside have noticed nobody.
                "Finn Dan Eve": None, "Dan Eve": None, "Eve Finn": None, "Dan Ann Eve": None, "Ann Dan": None,
                "Finn Gus": None, "Gus Dan": None, "Gus Cleo Ann": "crate",
            },
            id="noticing",
        ),
        pytest.param(
            (CLAIMED("Ben publicly claimed", "tub"),),
            {
                "Ann": "tub", "Cleo": "crate", "Hal": "tub", "Dan": "crate", "Gus": "crate",
                # Each of these watchers noticed the next. So they know that the last one does not trust Ben.
                "Eve Dan": "crate", "Finn Dan": "crate", "Finn Eve Dan": "crate", "Eve Dan Ben": "crate",
                # Nobody else knows it, and Ben is wrong about all whom he told.
                "Dan Eve": "tub", "Gus Dan": "tub", "Finn Dan Eve": "tub", "Finn Gus": "tub", "Ann Dan": "tub",
                "Hal Eve Dan": "tub", "Gus Dan Ben": "tub", "Ben Dan": "tub", "Eve Ben Dan": "tub",
            },
            id="who watched does not trust, and who noticed it knows",
        ),
        pytest.param(
            (CLAIMED("Eve privately told Dan and Gus", "tub"),),
            # Nobody trusts Eve, who was not there. She takes Dan to, though she noticed him.
            {"Eve Dan": "tub", "Eve Gus": "tub", "Dan": "crate", "Dan Eve": None, "Gus Eve Dan": "tub", "Eve": "crate"},
            id="a speaker is wrong about a watcher whom he noticed",
        ),
        pytest.param(
            (CLAIMED("Ben privately told Ann and Gus", "tub"), *OVERHEARD),
            {
                "Hal": "tub", "Hal Ben": "tub", "Hal Ann": "tub", "Hal Dan Ann": "tub", "Hal Gus": "tub",
                # Dan watched and does not trust Ben, which Hal does not know.
                "Dan": "crate", "Hal Dan": "tub", "Dan Ann": "tub", "Dan Gus": "tub", "Dan Ben": "crate",
                # Nobody noticed Hal, and only Hal noticed that Dan listened.
                "Dan Hal": None, "Ann Hal": None, "Ben Dan": None, "Eve Dan": "crate", "Hal Ann Dan": None,
                "Hal Cleo": None,
            },
            id="overhearing",
        ),
        pytest.param(
            (CLAIMED("Ben privately told Ann and Gus", "tub").replace("pear", "fig"), *OVERHEARD),
            {"Hal": None, "Hal Dan": None, "Dan Ann": "crate"},
            id="overhearing what is said of another thing",
        ),
        pytest.param(
            (THOUGHTS, OVERHEARD[1].split(",")[0] + "."),
            {
                "Ann Dan Eve": "tub", "Hal Dan Eve": "tub", "Hal Ann Dan Eve": "tub", "Ann Ben Dan Eve": "tub",
                # Cleo left later than Ben and does not believe it, but he takes her to; he does not persuade himself.
                "Cleo Dan Eve": None, "Cleo Ann Dan Eve": "tub", "Ann Cleo Dan Eve": None, "Ben Cleo Dan Eve": "tub",
                "Ben Dan Eve": None, "Ann Hal Dan Eve": None,
                # It is about these thoughts alone, not about the pear, and it does not change them.
                "Ann Eve Dan": None, "Ann Dan": None, "Ann Eve": None, "Dan Eve": None, "Ann": "crate", "Hal": None,
                "Ann Dan Eve Cleo": None, "Hal Ann": None,
            },
            id="a claim about thoughts",
        ),
        pytest.param(
            (
                "Ann and Ben entered the attic.",
                "Ann exited the attic.",
                "Ben exited the attic.",
                CLAIMED("Ben publicly claimed", "tub"),
            ),
            {"Dan": "tub", "Eve Dan": "tub", "Cleo": "tub", "Cleo Dan": "tub"},
            id="a chapter that nobody watched",
        ),
    ],
)  # fmt: skip
def test_what_is_known_of_those_in_secret(lines, beliefs):
    text = numbered(*WATCHED, *lines)
    check(read_story(text)[0])
    assert {chain: label_of_story(text, question_about(chain), "recursive") for chain in beliefs} == beliefs


def test_sixth_and_seventh_order_over_seven_agents():
    names = ("Ann", "Ben", "Cleo", "Dan", "Eve", "Finn", "Gus")
    lines = [f"{', '.join(names[:-1])} and {names[-1]} entered the hall.", "The pear is in the box_0."]
    for number, name in enumerate(names, 1):
        lines += [f"{name} moved the pear to the box_{number}.", f"{name} exited the hall."]
    lines.append(f"{', '.join(names[:-1])} and {names[-1]} entered the waiting_room.")
    told = (*lines, "Cleo publicly claimed that the pear is in the red_bottle.")

    # The first of the chain to leave saw his own move last, and all the others saw it.
    for semantics in BOTH:
        assert label_of_story(numbered(*lines), question_about("Gus Ben Finn Cleo Eve Dan"), semantics) == "box_2"
        assert label_of_story(numbered(*lines), question_about("Gus Ben Finn Ann Eve Dan"), semantics) == "box_1"
        assert label_of_story(numbered(*lines), question_about("Gus Ben Finn Ann Eve Dan Cleo"), semantics) == "box_1"
    # Ann and Ben left before Cleo and trust her; the others do not, save in her eyes.
    for chain, recursive in (
        ("Gus Finn Cleo Eve Dan Ben", "red_bottle"),
        ("Gus Finn Eve Dan Cleo Ben", "red_bottle"),
        ("Gus Finn Eve Dan Ben Cleo", "red_bottle"),
        ("Gus Finn Eve Ben Dan Cleo", "box_2"),
        ("Gus Finn Cleo Eve Ben Dan", "box_2"),
        ("Gus Finn Eve Ben Cleo Dan", "red_bottle"),
        ("Gus Finn Ann Eve Ben Dan", "box_1"),
        ("Gus Finn Ann Eve Ben Dan Cleo", "box_1"),
        ("Gus Finn Ann Eve Cleo Ben Dan", "box_1"),
        ("Gus Finn Ann Eve Ben Cleo Dan", "red_bottle"),
    ):
        assert label_of_story(numbered(*told), question_about(chain), "recursive") == recursive
        assert label_of_story(numbered(*told), question_about(chain), "published") in ("box_1", "box_2")


def test_many_chains_in_one_pass():
    story, _ = read_story(numbered(*CHAPTER, "Jack publicly claimed that the pear is in the red_bottle now."))
    chains = [chain for order in range(5) for chain in permutations(range(4), order)]
    for semantics in BOTH:
        beliefs = believe_all(story, 0, chains, semantics)
        assert beliefs == {chain: believe(story, Question(chain, 0), semantics) for chain in chains}


def test_bad_questions_of_meaning_are_refused():
    story, _ = read_story(SALLY_ANNE)
    with pytest.raises(ValueError, match="semantics is 'recursive' or 'published', not 'naive'"):
        believe(story, Question((), 0), "naive")
    with pytest.raises(ValueError, match=r"a chain holds each agent once: \(1, 0, 1\)"):
        believe_all(story, 0, [(1, 0, 1)], "recursive")
    for line in (WATCHED[2], THOUGHTS, OVERHEARD[0]):
        secret, _ = read_story(numbered(line))
        with pytest.raises(
            ValueError, match="^'published' has no rule for who watches or overhears in secret, nor for"
        ):
            believe_all(secret, 0, [(0,)], "published")
    with pytest.raises(TypeError, match="no such event: 'Sally sneezed'"):
        believe(Story(1, ("Sally sneezed",)), Question((), 0), "recursive")
