"""Run `reread` on published rows, made here or released, and read its tables and messages."""

import json
import re

import pytest
from commands.underway import few_bytes
from support import REFERENCE, ended, listed, numbered, refused, start

# Seen by all three: red_box. Seen by Jack and Owen: blue_crate. Seen by Owen: green_drawer. They leave in that order.
RELEASED = REFERENCE / "hi_tom_released_half.jsonl"
TOLD = numbered(
    "Emma, Jack and Owen entered the hall.",
    "The pear is in the red_box.",
    "Emma exited the hall.",
    "Jack moved the pear to the blue_crate.",
    "Jack exited the hall.",
    "Owen moved the pear to the green_drawer.",
    "Owen exited the hall.",
    "Emma, Jack and Owen entered the waiting_room.",
)


CLAIMED = TOLD + "\n9 Jack publicly claimed that the pear is in the red_bottle now."


CHOICES = ["red_box", "blue_crate", "green_drawer", "red_bottle"]


def asked(story, names, answer, **more):
    """Return a published row: a question about a chain of names, outermost first."""
    minds = "".join(f"{name} thinks " for name in names.split()[1:])
    question = f"Where does {names.split()[0]} think {minds}the pear is?" if names else "Where is the pear really?"
    return {"story": story, "question": question, "choices": CHOICES, "answer": answer, **more}


# Owen knows that Emma is fooled; the released generator leaves that out, and beliefs of order 3 too.
HAND_MADE = [
    asked(TOLD, "Emma", "red_box", prompting_type="A"),  # both
    asked(TOLD, "Jack", "red_box", prompting_type="A"),  # neither: blue_crate
    asked(CLAIMED, "Owen Emma", "red_box", prompting_type="A"),  # published
    asked(CLAIMED, "Emma Jack Owen", "red_bottle", prompting_type="B"),  # recursive
    asked(CLAIMED, "Jack Owen", "red_bottle", prompting_type="B"),  # both
    asked(CLAIMED, "", "green_drawer", prompting_type="B"),  # both
]


def write_lines(path, rows):
    """Write rows as JSON lines."""
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


OLDER = {"where": "older", "read_recursive": "red_box", "read_published": "red_box"}
"""A row as `reread` writes it."""


@pytest.fixture
def reread(run, tmp_path):
    """Reread a file; return the exit code, stdout, stderr."""

    def reread(path, *more):
        here = ("--disagreements", tmp_path / "disagreements.jsonl", "--unread", tmp_path / "unread.jsonl")
        return run("reread", "hi_tom", path, *here, *more)

    return reread


def agreeing(printed):
    """Return the agreement table: (rows, order) to questions and the four cells."""
    found = {}
    for line in printed.split("\n"):
        cells = [cell.strip() for cell in line.split("|")[1:-1]]
        if len(cells) == 7 and cells[2].isdigit():
            found[cells[0], cells[1]] = (int(cells[2]), *cells[3:])
    return found


def test_agreement_is_counted_for_both_semantics(reread, tmp_path):
    code, printed, said = reread(write_lines(tmp_path / "made.jsonl", HAND_MADE))
    assert (code, said) == (0, "")
    header = (
        "| rows | order | questions | recursive, without | recursive, with | published, without | published, with |"
    )
    assert header in printed
    assert agreeing(printed) == {
        ("A", "order 1"): (2, "1 of 2", "0 of 0", "1 of 2", "0 of 0"),
        ("A", "order 2"): (1, "0 of 0", "0 of 1", "0 of 0", "1 of 1"),
        ("A", "total"): (3, "1 of 2", "0 of 1", "1 of 2", "1 of 1"),
        ("B", "order 0"): (1, "0 of 0", "1 of 1", "0 of 0", "1 of 1"),
        ("B", "order 2"): (1, "0 of 0", "1 of 1", "0 of 0", "1 of 1"),
        ("B", "order 3"): (1, "0 of 0", "1 of 1", "0 of 0", "0 of 1"),
        ("B", "total"): (3, "0 of 0", "3 of 3", "0 of 0", "2 of 3"),
        ("all", "order 0"): (1, "0 of 0", "1 of 1", "0 of 0", "1 of 1"),
        ("all", "order 1"): (2, "1 of 2", "0 of 0", "1 of 2", "0 of 0"),
        ("all", "order 2"): (2, "0 of 0", "1 of 2", "0 of 0", "2 of 2"),
        ("all", "order 3"): (1, "0 of 0", "1 of 1", "0 of 0", "0 of 1"),
        ("all", "total"): (6, "1 of 2", "3 of 4", "1 of 2", "3 of 4"),
    }
    assert "recursive: A 1 of 3, B 3 of 3, all 4 of 6 agree\n" in printed
    assert "published: A 2 of 3, B 2 of 3, all 4 of 6 agree\n" in printed
    assert "stand more than once" not in printed


def test_the_disagreements_are_written_down(reread, tmp_path):
    write_lines(tmp_path / "disagreements.jsonl", [OLDER])
    path = write_lines(tmp_path / "made.jsonl", HAND_MADE)
    _, printed, _ = reread(path)
    written = [json.loads(line) for line in (tmp_path / "disagreements.jsonl").read_text("utf-8").splitlines()]
    assert f"3 rows that disagree with one of the semantics or both: {tmp_path / 'disagreements.jsonl'}" in printed
    read = [("blue_crate", "blue_crate"), ("red_bottle", "red_box"), ("red_bottle", "red_box")]
    assert written == [
        {"where": f"{path}, line {n + 1}", **HAND_MADE[n], "read_recursive": recursive, "read_published": published}
        for n, (recursive, published) in zip((1, 2, 3), read, strict=True)
    ]
    assert listed(tmp_path) == ["disagreements.jsonl", "made.jsonl"]


def test_no_disagreement_writes_an_empty_file(reread, tmp_path):
    _, printed, _ = reread(write_lines(tmp_path / "made.jsonl", HAND_MADE[:1]))
    assert "0 rows that disagree" in printed
    assert (tmp_path / "disagreements.jsonl").read_text() == ""


def test_the_disagreements_are_whole_or_not_there(tmp_path):
    path = write_lines(tmp_path / "made.jsonl", [HAND_MADE[1]] * 30)
    old = write_lines(tmp_path / "old.jsonl", [OLDER]).read_text()
    for name in ("old.jsonl", "new.jsonl"):
        failed = ended(
            start("reread", "hi_tom", path, "--disagreements", tmp_path / name, preexec_fn=few_bytes)
        )  # fmt: skip
        refused(failed, "File too large", "nothing half-written was left")
    assert listed(tmp_path) == ["made.jsonl", "old.jsonl"]
    assert (tmp_path / "old.jsonl").read_text() == old


def test_disagreements_that_cannot_be_written(run, tmp_path):
    path = write_lines(tmp_path / "made.jsonl", HAND_MADE)
    (tmp_path / "folder").mkdir()
    for place in (tmp_path / "folder", path / "within.jsonl"):
        failed = run("reread", "hi_tom", path, "--disagreements", place)
        refused((failed[0], "", failed[2]), str(path if place.parent == path else tmp_path))
    assert listed(tmp_path) == ["folder", "made.jsonl"] and listed(tmp_path / "folder") == []


def test_the_folder_of_the_disagreements_is_made(run, tmp_path):
    path = write_lines(tmp_path / "made.jsonl", HAND_MADE)
    assert run("reread", "hi_tom", path, "--disagreements", tmp_path / "a" / "b.jsonl")[0] == 0
    assert len((tmp_path / "a" / "b.jsonl").read_text().splitlines()) == 3


@pytest.mark.parametrize("answers", [["A", "D", "A", "D", "D", "C"], "A. B. A. D. D. C.", None])
@pytest.mark.parametrize("lettered", [False, True])
def test_the_published_json(reread, tmp_path, answers, lettered):
    """Choices as one string, answers as a letter, a letter with its container, or a container."""
    rows = []
    for place, row in enumerate(HAND_MADE):
        answer = row["answer"]
        if isinstance(answers, list):
            answer = "ABCD"[CHOICES.index(answer)]
        elif answers is not None:
            answer = f"{'ABCD'[CHOICES.index(answer)]}. {answer}"
        choices = "A. red_box, B. blue_crate, C. green_drawer, D. red_bottle" if lettered else CHOICES
        rows.append({**row, "answer": answer, "choices": choices, "sample_id": place})
    path = tmp_path / "published.json"
    path.write_text(json.dumps({"data": rows}, indent=1), encoding="utf-8")
    code, printed, said = reread(path)
    assert (code, said) == (0, "")
    assert "recursive: A 1 of 3, B 3 of 3, all 4 of 6 agree\n" in printed
    assert "published: A 2 of 3, B 2 of 3, all 4 of 6 agree\n" in printed
    assert "3 rows that disagree" in printed
    written = [json.loads(line) for line in (tmp_path / "disagreements.jsonl").read_text("utf-8").splitlines()]
    assert [row["where"] for row in written] == [f"{path}, row {n}" for n in (2, 3, 4)]


def test_rows_without_choices_or_prompting(reread, tmp_path):
    rows = [{key: row[key] for key in ("story", "question", "answer")} for row in HAND_MADE]
    code, printed, _ = reread(write_lines(tmp_path / "made.jsonl", rows))
    assert code == 0
    assert "recursive: all 4 of 6 agree\n" in printed and "published: all 4 of 6 agree\n" in printed


def test_a_question_with_two_answers_is_counted(reread, tmp_path):
    rows = [*HAND_MADE[:3], HAND_MADE[0], {**HAND_MADE[1], "answer": "blue_crate"}, HAND_MADE[1]]
    _, printed, _ = reread(write_lines(tmp_path / "made.jsonl", rows))
    assert "2 questions stand more than once; 1 of them have different published answers" in printed


def test_empty_lines_and_windows_line_ends_are_no_rows(reread, tmp_path):
    path = tmp_path / "made.jsonl"
    path.write_text("\r\n".join(json.dumps(row) for row in HAND_MADE) + "\r\n\r\n\n", encoding="utf-8")
    assert "all 4 of 6 agree" in reread(path)[1]


def test_a_line_ends_only_where_json_lines_end(reread, tmp_path):
    """Within a JSON string U+2028 and U+0085 may stand as they are."""
    path = tmp_path / "made.jsonl"
    row = {**HAND_MADE[0], "note": "one\u2028two\u0085three"}
    path.write_text(json.dumps(row, ensure_ascii=False) + "\n", encoding="utf-8")
    code, printed, said = reread(path)
    assert (code, said) == (0, "")
    assert "recursive: A 1 of 1, all 1 of 1 agree" in printed


def test_an_answer_that_is_no_container_disagrees(reread, tmp_path):
    rows = [{**HAND_MADE[0], "answer": answer} for answer in ("purple_tub", "Z", "", "A.")]
    _, printed, _ = reread(write_lines(tmp_path / "made.jsonl", rows))
    assert "recursive: A 1 of 4, all 1 of 4 agree" in printed  # "A." is a letter


def test_a_thing_that_was_never_placed_has_no_answer(reread, tmp_path):
    story = TOLD + "\n9 Jack dislikes the melon.\n10 Jack publicly claimed that the fig is in the red_bottle now."
    rows = [
        {"story": story, "question": f"Where is the {thing} really?", "answer": "red_box"} for thing in ("melon", "fig")
    ]
    code, printed, said = reread(write_lines(tmp_path / "made.jsonl", rows))
    assert (code, said) == (0, "")
    assert "recursive: all 0 of 2 agree" in printed


EXPECTED = "expected an object with story, question and answer, all strings"


@pytest.mark.parametrize(
    ("second", "words"),
    [
        ('{"story": ', ["line 2: not JSON (", EXPECTED]),
        ("Emma entered the hall.", ["line 2: not JSON (", EXPECTED]),
        ("[]", ["line 2: " + EXPECTED]),
        ("7", ["line 2: " + EXPECTED]),
        ("null", ["line 2: " + EXPECTED]),
        (json.dumps({"story": TOLD, "question": "Where is the pear really?"}), ["line 2: " + EXPECTED]),
        (json.dumps({"story": TOLD, "answer": "red_box"}), ["line 2: " + EXPECTED]),
        (json.dumps({"question": "Where is the pear really?", "answer": "red_box"}), ["line 2: " + EXPECTED]),
        (json.dumps({**HAND_MADE[0], "answer": 3}), ["line 2: " + EXPECTED]),
        (json.dumps({**HAND_MADE[0], "answer": None}), ["line 2: " + EXPECTED]),
        (json.dumps({**HAND_MADE[0], "story": TOLD.split("\n")}), ["line 2: " + EXPECTED]),
        (json.dumps({**HAND_MADE[0], "story": ""}), ["line 2: the story is empty"]),
        (
            json.dumps({**HAND_MADE[0], "story": TOLD + "\n9 Emma slept."}),
            ["line 2: line 9 is no sentence of a story: 'Emma slept.'; such sentences are: Emma, Jack"],
        ),
        (
            json.dumps({**HAND_MADE[0], "story": TOLD + "\n9 Emma secretly watched the hall through the window."}),
            ["line 2: the published semantics has no watchers: the released generator tells no such story"],
        ),
        (
            json.dumps({**HAND_MADE[0], "story": TOLD.replace("\n3 ", "\n4 ")}),
            ["line 2: line 3 starts with its number, as in '3 Emma"],
        ),
        (
            json.dumps({**HAND_MADE[0], "question": "Is the pear in the red_box?"}),
            ["line 2: not a question about a story: 'Is the pear in the red_box?'; such questions are: Where is"],
        ),
        (
            json.dumps({**HAND_MADE[0], "question": "Where does Zoe think the pear is?"}),
            ["line 2: the story has no agent 'Zoe', only Emma, Jack, Owen"],
        ),
        (
            json.dumps({**HAND_MADE[0], "question": "Where is the fig really?"}),
            ["line 2: the story has no thing 'fig', only pear"],
        ),
        (
            json.dumps({**HAND_MADE[0], "choices": "A. red_box, C. blue_crate"}),
            ["line 2: choice 2 is 'B. ' and a new container", "'C. blue_crate'"],
        ),
        (json.dumps({**HAND_MADE[0], "choices": 7}), ["line 2: ", "choices"]),
        (json.dumps({**HAND_MADE[0], "choices": None}), ["line 2: ", "choices"]),
        (json.dumps({**HAND_MADE[0], "choices": {"A": "red_box"}}), ["line 2: ", "choices"]),
        ("[" * 100_000, ["line 2: not JSON", EXPECTED]),
    ],
)
def test_lines_that_cannot_be_read(reread, tmp_path, second, words):
    path = tmp_path / "made.jsonl"
    path.write_text("\n".join([json.dumps(HAND_MADE[0]), second, json.dumps(HAND_MADE[1])]), encoding="utf-8")
    refused(reread(path, "--strict"), f"{path}, ", *words)
    assert listed(tmp_path) == ["made.jsonl"]
    code, printed, errors = reread(path)
    assert (code, errors) == (0, "") and "of 2 agree" in printed  # the other two rows
    assert "left out: 1 of 3 rows, which cannot be read" in printed and f"  {path}, line 2: " in printed
    (row,) = [json.loads(line) for line in (tmp_path / "unread.jsonl").read_text("utf-8").splitlines()]
    assert list(row) == ["where", "why", "row"] and row["where"] == f"{path}, line 2"
    assert all(word.removeprefix("line 2: ") in row["why"] for word in words)


@pytest.mark.parametrize(
    ("data", "words"),
    [
        ({"first": HAND_MADE[0]}, [': "data" is not a list of rows']),
        ("rows", [': "data" is not a list of rows']),
        (None, [': "data" is not a list of rows']),
        ([HAND_MADE[0], {"story": TOLD}], [", row 2: " + EXPECTED]),
        ([HAND_MADE[0], "row"], [", row 2: " + EXPECTED]),
        ([HAND_MADE[0], {**HAND_MADE[0], "question": "Why?"}], [", row 2: not a question about a story: 'Why?'"]),
        ([], [": no rows; expected one on each line: an object with story, question and answer, all strings"]),
    ],
)
def test_published_json_that_cannot_be_read(reread, tmp_path, data, words):
    path = tmp_path / "published.json"
    path.write_text(json.dumps({"data": data}, indent=2), encoding="utf-8")
    refused(reread(path, "--strict"), *(f"{path}{word}" for word in words))
    assert listed(tmp_path) == ["published.json"]


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "no rows; expected one on each line: an object with story, question and answer, all strings"),
        (b"\n \n", "no rows; expected one on each line: an object with story, question and answer, all strings"),
        (b'{"story": "\xe9t\xe9"}\n', "it is not UTF-8 text; expected JSON lines or the published JSON"),
        (b"\x1f\x8b\x08\x00\xff", "it is no whole gzip file (Compressed file ended before"),
        (b"\x1f\x8b\x09\x00\xff\x00\x00\x00\x00\x00\x00", "it is no whole gzip file (Unknown compression method)"),
        (None, "No such file or directory; expected JSON lines or the published JSON"),
        ("folder", "Is a directory; expected JSON lines or the published JSON"),
    ],
)
def test_files_that_cannot_be_read(reread, tmp_path, content, words):
    path = tmp_path / "made.jsonl"
    if content == "folder":
        path.mkdir()
    elif content is not None:
        path.write_bytes(content)
    before = listed(tmp_path)
    refused(reread(path), f"{path}: {words}")
    assert listed(tmp_path) == before


@pytest.mark.skipif(not RELEASED.exists(), reason=f"the published data are not here: {RELEASED}")
def test_the_released_half(reread, tmp_path):
    code, printed, said = reread(RELEASED)
    assert (code, said) == (0, "")
    agree = dict(re.findall(r"^published: .*?(CoTP) (\d+) of 300", printed, re.MULTILINE))
    assert int(agree["CoTP"]) >= 290
    assert "300 questions stand more than once; 73 of them have different published answers" in printed
    table = agreeing(printed)
    assert table["all", "total"][0] == 600 and table["CoTP", "order 4"][0] == 60
    # shared/reference/README.md: claims carried to every order change no answer of orders 0 and 1.
    for order in ("order 0", "order 1"):
        assert table["CoTP", order] == (60, "30 of 30", "30 of 30", "30 of 30", "30 of 30")
    written = [json.loads(line) for line in (tmp_path / "disagreements.jsonl").read_text("utf-8").splitlines()]
    assert f"{len(written)} rows that disagree" in printed
    for semantics in ("recursive", "published"):
        wrong = sum(row[f"read_{semantics}"] != row["answer"] for row in written)
        assert f"all {600 - wrong} of 600 agree" in next(s for s in printed.split("\n") if s.startswith(semantics))
