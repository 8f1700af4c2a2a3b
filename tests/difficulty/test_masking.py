"""Test what a probe sees of a row, and what it does not."""

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tom_datasets.dataset import NAMES
from tom_datasets.difficulty.masking import PLACEHOLDERS, mask_problem, mask_question, mask_row, masked_words, two_texts
from tom_datasets.syntax.events import Names
from tom_datasets.syntax.record import loads

AGENTS = dict.fromkeys(["Ann", "Mary", "Mary Ann", "Jo"], "a")


KINDS = {**AGENTS, "kitchen": "r", "pear": "t", "red_box": "c", "box": "c", "blue_box": "c"}


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("Ann knows that Mary is thirsty.", ["a0", "knows that", "a1", "is thirsty"]),
        # A name inside another one, and inside a word that is none.
        ("Mary Ann and Mary met Ann.", ["a0", "a1", "met", "a2"]),
        ("Mary Anne met Joan and Annie.", ["a0", "anne met joan and annie"]),
        ("The red_box is a box, no big_box.", ["the", "c0", "is a", "c1", "no big_box"]),
        # Possessives.
        ("Jo's card is shown to Mary Ann's.", ["a0", "s card is shown to", "a1", "s"]),
        # Lists are just names; "and" stays within other words.
        ("Mary, Ann, Jo and Mary Ann entered the kitchen.", ["a0", "a1", "a2", "a3", "entered the", "r0"]),
        ("Ann sees and hears Jo.", ["a0", "sees and hears", "a1"]),
        # The numbers of lines are no words; other numbers are.
        ("1 Ann left the kitchen.\n12 Jo slept for 1 minute.", ["a0", "left the", "r0", "a1", "slept for 1 minute"]),
        ("2 The pear is in the box.", ["the", "t0", "is in the", "c0"]),
        # A stretch of words ends with its sentence, and letters are small.
        ("There are TWO. Everyone sees.\nWhere? There", ["there are two", "everyone sees", "where", "there"]),
        ("Jo.", ["a0"]),
        ("", []),
    ],
)
def test_what_masking_leaves(text, tokens):
    assert masked_words(text, KINDS, {}) == tokens


def test_names_are_numbered_as_they_appear_over_all_texts():
    met = {}
    assert masked_words("Jo likes the pear", KINDS, met) == ["a0", "likes the", "t0"]
    assert masked_words("Ann gave Jo the box", KINDS, met) == ["a1", "gave", "a0", "the", "c0"]
    assert met == {"a": {"Jo": 0, "Ann": 1}, "t": {"pear": 0}, "c": {"box": 0}}


def test_the_hypothesis_comes_first():
    masked = mask_problem("Ann sees Mary. Mary sees Jo.", "Jo knows that Ann is thirsty.", ["Ann", "Mary", "Jo"], True)
    tokens = "[CLS] a0|knows that|a1|is thirsty|[SEP]|a1|sees|a2|a2|sees|a0".replace(" ", "|", 1).split("|")
    assert masked == (tuple(tokens), (0, 1), 1)
    assert mask_problem("Ann sees Mary.", "Ann sees Mary.", ["Ann", "Mary"], False)[1:] == ((0, 1), 0)


def test_the_question_comes_first_and_only_containers_met_are_options():
    names = Names(("Ann", "Jo"), ("waiting_room", "kitchen"), ("pear", "nut"), ("box", "bin", "jar", "bag"))
    story = "1 Ann and Jo entered the kitchen.\n2 The pear is in the jar.\n3 Ann moved the pear to the box."
    masked = mask_question(story, "Where does Jo think the pear is?", names, ["bag", "box", "bin", "jar"], "box")
    assert masked.tokens == (
        *("[CLS]", "where does", "a0", "think the", "t0", "is", "[SEP]"),
        *("a1", "a0", "entered the", "r0", "the", "t0", "is in the", "c0", "a1", "moved the", "t0", "to the", "c1"),
    )
    assert masked[1:] == ((3, 1), 1), "the jar is met first, then the box"


@pytest.mark.parametrize("name", NAMES)
def test_a_row_is_masked_as_its_columns_tell(rows, name):
    """No name is left in it, and each has a placeholder; the options are the labels, or the containers of the text."""
    for row in rows[name]:
        masked = mask_row(row)
        words = {word for token in masked.tokens for word in re.findall(r"\w+", token)}
        names = row["names"] if name == "mindgames" else [*row["choices"], *row["chain"], row["answer"]]
        assert not words & {name.lower() for name in names}
        unknown = [token for token in masked.tokens if re.fullmatch(r"[artc]\d+", token) and token not in PLACEHOLDERS]
        assert not unknown
        if name == "mindgames":
            assert masked[1:] == ((0, 1), row["label"] == "entailment")
        else:
            containers = [row["choices"][place] for place in masked.options]
            assert sorted(containers) == sorted(loads(row["events"])[1].containers)
            assert masked.right == row["answer_index"] and masked.right in masked.options


OTHERS = ["Ann", "Anna", "Mary Ann", "Mary", "Jo", "Joe", "O'Neil", "Anne-Marie", "Anne", "x_y", "Q", "Zoë", "R2"]


def renamed(row, other, texts):
    """Return a row with other names in these of its texts."""
    named = re.compile(r"\b(" + "|".join(map(re.escape, sorted(other, key=len, reverse=True))) + r")\b")
    return row | {text: named.sub(lambda match: other[match[0]], row[text]) for text in texts}


@settings(max_examples=40, deadline=None)
@given(st.data())
def test_other_names_leave_the_masked_row_as_it_is(rows, data):
    """In MindGames also the order of the agents, which SMCDEL numbers."""
    row = data.draw(st.sampled_from(rows["mindgames"]))
    other = dict(zip(row["names"], data.draw(st.permutations(OTHERS)), strict=False))
    names = data.draw(st.permutations(list(other.values())))
    assert mask_row(renamed(row, other, ("premise", "hypothesis")) | {"names": names}) == mask_row(row)


@settings(max_examples=40, deadline=None)
@given(st.data())
def test_other_words_for_agents_rooms_things_and_containers_leave_the_masked_row_as_it_is(rows, data):
    row = data.draw(st.sampled_from(rows["hi_tom"]))
    names = loads(row["events"])[1]
    words = {*names.agents, *names.rooms, *names.things, *names.containers, *row["choices"]}
    stems = [f"{stem}{end}" for stem in ("pot", "Pot", "pot_of") for end in range(len(words))]
    other = dict(zip(sorted(words), data.draw(st.permutations(stems)), strict=False))
    again = renamed(row, other, ("story", "question", "events"))
    again |= {"choices": [other[choice] for choice in row["choices"]], "answer": other[row["answer"]]}
    assert mask_row(again) == mask_row(row)


def test_a_checkpoint_reads_two_texts():
    masked = mask_problem("Ann sees Jo. Jo hears.", "Jo knows that Ann is thirsty.", ["Ann", "Jo"], True)
    assert two_texts(masked.tokens) == ("a0 knows that a1 is thirsty", "a1 sees a0 a0 hears")


def test_signs_outside_the_names_are_words_where_there_are_no_spaces():
    kinds = {"惠敏": "a", "春花": "a", "苹果": "t", "红色的抽屉": "c"}
    tokens = masked_words("5 惠敏把苹果放进了红色的抽屉里。\n6 春花离开了。", kinds, {})
    assert tokens == ["a0", "把", "t0", "放 进 了", "c0", "里", "a1", "离 开 了"]
