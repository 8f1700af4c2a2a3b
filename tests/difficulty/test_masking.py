"""Test what a probe sees of a row, and what it does not."""

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from probing import CONFIGS

from tom_datasets.builds.making import make
from tom_datasets.difficulty.masking import PLACEHOLDERS, mask_problem, mask_question, mask_row, masked_words, two_texts
from tom_datasets.syntax.events import Names
from tom_datasets.syntax.record import loads
from tom_datasets.topics import NAMES

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
)  # fmt: skip
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
def test_a_row_is_masked_as_it_was_made(rows, name):
    """`mask_row` needs only columns; the builders ask mask_problem and mask_question with what they have at hand."""
    for row in rows[name]:
        if name == "mindgames":
            entailed = row["label"] == "entailment"
            masked = mask_problem(row["premise"], row["hypothesis"], row["names"], entailed)
            assert masked[1:] == ((0, 1), entailed)
        else:
            names = loads(row["events"])[1]
            masked = mask_question(row["story"], row["question"], names, row["choices"], row["answer"])
            assert masked.right == row["answer_index"] and masked.right in masked.options
            assert {row["choices"][place] for place in masked.options} == set(names.containers)
            assert len(set(masked.options)) == len(masked.options)
        assert mask_row(row) == masked


def test_the_builders_score_the_masked_row(rows, monkeypatch):
    """Besides the names of the story, mask_question is given there those of what the story does not speak of."""
    made = []

    def scored_rows(rows, *_):
        made.extend(map(mask_row, rows))
        return rows, {}

    monkeypatch.setattr("tom_datasets.difficulty.probe.scored_rows", scored_rows)
    for name in NAMES:
        again = [row for _, row in make(name, CONFIGS[name], 1)]
        assert again == rows[name]
        assert made == [mask_row(row) for row in again]
        made.clear()


@pytest.mark.parametrize("name", NAMES)
def test_no_name_is_left_in_a_masked_row(rows, name):
    for row in rows[name]:
        tokens = mask_row(row).tokens
        names = row["names"] if name == "mindgames" else [*row["choices"], *row["chain"], row["answer"]]
        words = {word for token in tokens for word in re.findall(r"\w+", token)}
        assert not words & {name.lower() for name in names}
        unknown = [token for token in tokens if re.fullmatch(r"[artc]\d+", token) and token not in PLACEHOLDERS]
        assert not unknown


OTHERS = ["Ann", "Anna", "Mary Ann", "Mary", "Jo", "Joe", "O'Neil", "Anne-Marie", "Anne", "x_y", "is", "Q", "Zoë", "R2"]


@settings(max_examples=40, deadline=None)
@given(st.data())
def test_other_names_leave_the_masked_row_as_it_is(rows, data):
    """In MindGames also the order of the agents, which SMCDEL numbers."""
    row = data.draw(st.sampled_from(rows["mindgames"]))
    others = data.draw(st.permutations([name for name in OTHERS if name != "is"]))
    other = dict(zip(row["names"], others, strict=False))
    named = re.compile(r"\b(" + "|".join(map(re.escape, other)) + r")\b")
    renamed = {text: named.sub(lambda match: other[match[0]], row[text]) for text in ("premise", "hypothesis")}
    renamed["names"] = data.draw(st.permutations(list(other.values())))
    assert mask_row({**row, **renamed}) == mask_row(row)


@settings(max_examples=40, deadline=None)
@given(st.data())
def test_other_words_for_agents_rooms_things_and_containers_leave_the_masked_row_as_it_is(rows, data):
    row = data.draw(st.sampled_from(rows["hi_tom"]))
    names = loads(row["events"])[1]
    of_kind = [names.agents, names.rooms, names.things, names.containers]
    words = list(dict.fromkeys([*(word for kind in of_kind for word in kind), *row["choices"]]))
    fresh = data.draw(
        st.permutations([f"{stem}{end}" for stem in ("pot", "Pot", "pot_of") for end in range(len(words))])
    )
    other = dict(zip(words, fresh, strict=False))
    named = re.compile(r"\b(" + "|".join(map(re.escape, sorted(other, key=len, reverse=True))) + r")\b")
    renamed = {text: named.sub(lambda match: other[match[0]], row[text]) for text in ("story", "question", "events")}
    renamed |= {"choices": [other[choice] for choice in row["choices"]], "answer": other[row["answer"]]}
    assert mask_row({**row, **renamed}) == mask_row(row)


def test_a_checkpoint_reads_two_texts():
    masked = mask_problem("Ann sees Jo. Jo hears.", "Jo knows that Ann is thirsty.", ["Ann", "Jo"], True)
    assert two_texts(masked.tokens) == ("a0 knows that a1 is thirsty", "a1 sees a0 a0 hears")
