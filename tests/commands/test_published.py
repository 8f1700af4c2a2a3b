"""Read published data as they are released: with odd lines and rows, by position or number, and data of others."""

import gzip
import json
import os
import subprocess

import pytest
from commands.samples import lines_of
from support import REFERENCE, listed, numbered, refused

RAW, CLEAN = REFERENCE / "hi_tom_released_half_raw.json", REFERENCE / "hi_tom_released_half.jsonl"
RAW_ANSWERS = REFERENCE / "responses_claude_instant_half_raw.tar.gz"
CLEAN_ANSWERS = REFERENCE / "responses_claude_instant_half.jsonl"
needs_reference = pytest.mark.skipif(not RAW.exists(), reason=f"the published data are not here: {RAW}")

ORDER = "Read the following story and answer the multiple-choice question. Please provide answer without explanations."
TOLD = numbered(
    "Emma and Jack entered the hall.",
    "The {} is in the red_box.",
    "Emma exited the hall.",
    "Jack moved the {} to the blue_crate.",
)


def released_rows():
    """Return two stories with orders 0 and 1 as Hi-ToM releases them, for both prompting types; one answer is wrong."""
    asked = (("Where is the {} really?", "blue_crate"), ("Where does Emma think the {} is?", "red_box"))
    rows = [
        {
            "prompting_type": kind, "deception": False, "story_length": 1, "question_order": order,
            "story": f"{ORDER}\n" * (kind == "VP") + TOLD.format(thing, thing) + "\n***" * (thing == "fig") + "\n\n",
            "question": question.format(thing), "choices": "A. red_box, B. blue_crate", "answer": answer,
        }
        for kind in ("CoTP", "VP") for order, (question, answer) in enumerate(asked) for thing in ("pear", "fig")
    ]  # fmt: skip
    rows[7]["answer"] = "blue_crate"
    return [{**row, "sample_id": place} for place, row in enumerate(rows)]


@pytest.fixture
def folder(tmp_path):
    """Return a folder of the release with the right answer to each released row."""
    for row in released_rows():
        style = {"VP": "MC", "CoTP": "CoT"}[row["prompting_type"]]
        sample = tmp_path / "answers" / "No_Tell" / style / "length_1" / f"sample_{1 + row['sample_id'] % 2}"
        sample.mkdir(parents=True, exist_ok=True)
        (sample / f"order_{row['question_order']}.txt").write_text(row["answer"], encoding="utf-8")
    (tmp_path / "answers" / "No_Tell" / "notes.txt").write_text("not an answer")
    return tmp_path / "answers"


@pytest.fixture
def data(tmp_path, monkeypatch):
    """Write rows as the published JSON, in the working directory; return the file."""
    monkeypatch.chdir(tmp_path)

    def data(rows=None):
        path, rows = tmp_path / "released.json", released_rows() if rows is None else rows
        path.write_text(json.dumps({"data": rows}), encoding="utf-8")
        return path

    return data


def with_odd_row(place=2):
    """Return the released rows with one whose story has a sentence that no published story has."""
    rows = released_rows()
    rows[place]["story"] = rows[place]["story"].replace("Emma exited the hall", "Emma sang 2 songs")
    return rows


DROPPED = (
    '16 lines without a number, before and after stories: 8 blank, 4 "***", 4 "Read the following story and answer the '
    'multiple-choice que…"'
)


def test_released_rows_are_reread(run, data, tmp_path):
    code, printed, errors = run("reread", "hi_tom", data())
    assert (code, errors) == (0, "")
    assert "published: CoTP 4 of 4, VP 3 of 4, all 7 of 8 agree\n" in printed
    assert "4 questions occur more than once; 1 of them have different published answers" in printed
    assert f"left out: {DROPPED}\n" in printed
    assert listed(tmp_path) == ["disagreements.jsonl", "released.json"]
    (row,) = lines_of(tmp_path / "disagreements.jsonl")
    assert row["sample_id"] == 7 and row["story"] == TOLD.format("fig", "fig")


def test_what_cannot_be_read_is_left_out_and_listed(run, data, tmp_path):
    path = data([*with_odd_row(), "no row"])
    code, printed, errors = run("reread", "hi_tom", path)
    assert (code, errors) == (0, "") and "all 6 of 7 agree" in printed
    assert "left out: 2 of 9 rows, which cannot be read; unread.jsonl lists them:\n" in printed
    assert f"  {path}, row 3: line 3 is not a sentence that the reader knows: 'Emma sang 2 songs.'\n" in printed
    assert f"  {path}, row 9: expected an object with story, question and answer, all strings\n" in printed
    assert "sentences of these rows that the reader does not know, by kind:\n  1  _ sang _ songs.\n" in printed
    first, second = lines_of(tmp_path / "unread.jsonl")
    assert list(first) == ["where", "why", "row"] and first["row"]["sample_id"] == 2 and second["row"] == "no row"
    # The next run, which reads all, leaves no list behind that would speak of another file.
    assert run("reread", "hi_tom", data())[0] == 0
    assert (tmp_path / "unread.jsonl").read_text() == ""


@pytest.mark.parametrize("command", [["reread", "hi_tom"], ["audit"]])
def test_a_file_of_which_nothing_can_be_read_is_an_error(run, data, tmp_path, command):
    rows = [{**row, "question": "Why did Emma sing?"} for row in released_rows()]
    path = data(rows)
    refused(
        run(*command, path),
        f"{path}, row 1: not a question about a story: 'Why did Emma sing?'",
        "; none of the 8 rows of the file can be read",
        "; sentences that the reader does not know, by kind: 8 of 'Why did _ sing?'",
    )
    refused(run(*command, data([{"story": 1}, 7])), "row 1: expected an object", "none of the 2 rows")
    assert listed(tmp_path) == ["released.json"]


@pytest.mark.parametrize("content", ["my notes\n", '{"here": "where"}\n', '{"where": "a", "why": "b", "row": 1}\nx\n'])
@pytest.mark.parametrize("option", ["--disagreements", "--unread"])
def test_no_file_is_overwritten_that_the_command_did_not_write(run, data, tmp_path, option, content):
    path, mine = data(), tmp_path / "mine.jsonl"
    mine.write_text(content)
    message = f"{mine} exists, and was not written by this command; name another file with {option}"
    refused(run("reread", "hi_tom", path, option, mine), message)
    if option == "--unread":
        refused(run("audit", path, option, mine), message)
    assert mine.read_text() == content and listed(tmp_path) == ["mine.jsonl", "released.json"]


def test_neither_input_nor_pipe_is_overwritten(run, data, tmp_path):
    path = data()
    assert run("reread", "hi_tom", path)[0] == 0
    mine = tmp_path / "disagreements.jsonl"
    before = mine.read_text()
    refused(run("reread", "hi_tom", mine), f"{mine.name} is named twice; name another file with --disagreements")
    refused(run("reread", "hi_tom", path, "--unread", tmp_path / "u", "--disagreements", tmp_path / "u"), "named twice")
    refused(run("audit", path, "--unread", path), f"{path} exists, and was not written by this command")
    os.mkfifo(tmp_path / "pipe")
    refused(run("reread", "hi_tom", path, "--disagreements", tmp_path / "pipe"), "pipe is not a file")
    assert mine.read_text() == before


@pytest.fixture
def score(run, tmp_path):
    """Score answers to published rows; return what was printed, and the accuracy of each prompt."""

    def score(path, answers, *more):
        words = ("--data", path, "--responses", answers, "--report", tmp_path / "r.json", *more)
        code, printed, errors = run("score", "hi_tom", *words)
        assert (code, errors) == (0, "")
        scores = json.loads((tmp_path / "r.json").read_text())["scores"]
        tables = scores.get("prompts", {"tables": {"prompt": {}}})["tables"]["prompt"]
        return printed, {prompt: rates["accuracy"]["share"] for prompt, rates in tables.items()}

    return score


def test_a_folder_of_answers_is_matched_by_place_in_the_cell(score, data, folder, tmp_path):
    printed, shares = score(data(), folder)
    assert shares == {"VP": 1, "CoTP": 1, "all": 1} and f"left out: {DROPPED}\n" in printed and "ids" not in printed
    # Files may be links to others, as in a download of the Hub.
    for number, path in enumerate(sorted(folder.rglob("order_*.txt"))):
        path.rename(tmp_path / f"blob{number}")
        path.symlink_to(tmp_path / f"blob{number}")
    # The folder of one deception will do, and one prompt of it.
    printed, _ = score(data(), folder / "No_Tell", "--prompt", "VP")
    assert "# VP" in printed and "CoTP" not in printed


def test_sample_goes_before_the_place(score, data, folder):
    """Fig is sample 1 here, so one answer changes."""
    turned = [{**row, "sample": 2 - row["sample_id"] % 2} for row in released_rows()]
    assert score(data(turned), folder)[1] == {"VP": 0.5, "CoTP": 1, "all": 0.75}


def test_answers_name_rows_by_the_running_number(run, score, data, tmp_path):
    answers = tmp_path / "answers.jsonl"
    lines = [{"sample_id": row["sample_id"], "response": row["answer"]} for row in reversed(released_rows())]
    answers.write_text("".join(json.dumps(line) + "\n" for line in lines))
    cells = ("deception", "story_length", "question_order")
    without = [{column: row[column] for column in row if column not in cells} for row in released_rows()]
    for rows in (released_rows(), without):
        assert score(data(rows), answers)[1] == {"VP": 1, "CoTP": 1, "all": 1}
    packed = tmp_path / "answers.jsonl.gz"
    packed.write_bytes(gzip.compress(answers.read_bytes()))
    assert score(data(), packed)[1] == {"VP": 1, "CoTP": 1, "all": 1}
    answers.write_text(answers.read_text() + '{"sample_id": 99, "response": "A"}\n')
    message = "1 unknown ids (first: '99')"
    refused(run("score", "hi_tom", "--data", data(), "--responses", answers), message)


def test_answers_to_rows_that_cannot_be_read_are_no_fault(run, score, data, folder):
    path = data(with_odd_row())
    printed, _ = score(path, folder)
    assert "left out: responses to rows that cannot be read: 1\n" in printed
    assert "left out: 1 of 8 rows, which cannot be read; unread.jsonl lists them:\n" in printed
    asking = ("score", "hi_tom", "--data", path, "--responses", folder)
    refused(run(*asking, "--strict"), "row 3: line 3 is not a sentence")
    for file in folder.rglob("order_*.txt"):
        if "CoT/length_1/sample_1/order_1" not in file.as_posix():
            file.unlink()
    refused(run(*asking), "all of its 1 responses are to rows that cannot be read; expected some to others")


def test_a_folder_without_answers(run, data, tmp_path):
    (tmp_path / "empty").mkdir()
    words = "empty: no responses, the folder is empty; expected files like No_Tell/MC/length_1/sample_1/order_0.txt"
    refused(run("score", "hi_tom", "--responses", tmp_path / "empty", "--data", data()), words)


TOMI = """1 Emma entered the attic.
2 Jack entered the attic.
3 The pear is in the red_box.
4 Emma exited the attic.
5 Jack moved the pear to the blue_crate.
6 Where does Jack think that Emma searches for the pear?\tred_box\t3
1 Emma entered the attic.
2 Emma hugged the pear.
3 Jack hugged the fig.
4 Where was the pear at the beginning?\tred_box\t1
"""


def test_tomi_is_audited(run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "test.txt").write_text(TOMI)
    code, printed, errors = run("audit", "test.txt")
    assert (code, errors) == (0, "")
    assert "| rows | 1 |" in printed and "| first | 100.0 (21–100) |" in printed
    assert "left out: 1 of 2 rows, which cannot be read; unread.jsonl lists them:\n  test.txt, line 10: " in printed
    kinds = "by kind:\n  2  _ hugged the _.\n"
    assert printed.endswith(kinds)


def test_plain_json_lines_are_audited_and_scored(run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    story = "Emma and Jack entered the hall. The pear is in the red_box. Emma exited the hall."
    rows = [
        {"story": story, "question": "Where does Emma think the pear is?", "answer": "red_box"},
        {"story": f"{story} Emma slept.", "question": "Where is the pear really?", "answer": "red_box"},
        {"story": story, "question": "Where does Jack think the pear is?", "answer": "red_box"},
    ]
    (tmp_path / "plain.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    code, printed, _ = run("audit", "plain.jsonl")
    assert code == 0 and "| rows | 2 |" in printed and "  1  _ slept.\n" in printed
    replies = [{"index": place, "response": "red_box" if place < 3 else "?"} for place in (1, 2, 3)]
    (tmp_path / "replies.jsonl").write_text("".join(json.dumps(reply) + "\n" for reply in replies))
    code, printed, errors = run("score", "hi_tom", "--data", "plain.jsonl", "--responses", "replies.jsonl")
    assert (code, errors) == (0, "") and "| accuracy | 50.0 " in printed
    assert "joint and block accuracy are not defined here" in printed


@pytest.mark.parametrize(
    "odd",
    [
        {"prompting_type": ["VP"]},
        {"prompting_type": {}},
        {"story": "1 \ud800 sang.\n\ud801"},
        {"story": "\ud801\n1 Emma entered the \ud800."},
        {"question": "Where\nis\tit?"},
        {"choices": [["red_box"]]},
        {"deception": [1], "question_order": {}, "sample_id": None},
        {"sample": [3], "index": [2]},
    ],
)
def test_odd_values_end_no_command(run, data, folder, tmp_path, odd):
    rows = released_rows()
    rows[1] |= odd
    path = data(rows)
    for command in (["reread", "hi_tom"], ["audit"], ["score", "hi_tom", "--partial", "--responses", folder, "--data"]):
        code, _, errors = run(*command, path)
        assert (code, errors) == (0, "")
    for row in lines_of(tmp_path / "unread.jsonl") if (tmp_path / "unread.jsonl").exists() else ():
        assert row["row"]["question"] == rows[1]["question"]


@needs_reference
def test_the_raw_half_reads_as_the_cleaned_one(run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    code, raw, errors = run("reread", "hi_tom", RAW)
    assert (code, errors) == (0, "")
    found, _, dropped = raw.partition("\nleft out: ")
    assert found == run("reread", "hi_tom", CLEAN)[1]
    assert "published: CoTP 290 of 300, VP 235 of 300, all 525 of 600 agree\n" in found
    assert dropped == (
        '906 lines without a number, before and after stories: 600 blank, 300 "Read the following story and answer the '
        'multiple-choice que…", 6 "***"\n'
    )


@needs_reference
def test_the_raw_answers_score_as_the_cleaned_ones(run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "answers").mkdir()
    subprocess.run(["tar", "-xf", RAW_ANSWERS, "-C", "answers"], check=True)  # Python 3.11.3 has no filter yet
    reports = []
    for data, responses in ((RAW, "answers"), (CLEAN, CLEAN_ANSWERS)):
        code, _, errors = run("score", "hi_tom", "--data", data, "--responses", responses, "--report", "r.json")
        assert (code, errors) == (0, "")
        report = json.loads((tmp_path / "r.json").read_text())
        # A text file of the release may end its lines with \r\n; what was read of it is what counts.
        unread = sorted((reply["prompt"], reply["id"], reply["why"]) for reply in report["unread"])
        reports.append((report["scores"], report["left_out"], unread))
    assert reports[0] == reports[1] and len(reports[0][2]) == 20
