"""What the page is given: beliefs, reasons, worlds and shares equal those of the code that made the rows."""

import json
import os
import re
import shutil
from base64 import b64decode
from gzip import decompress
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from support import SECRETS, contents, refused, sized

from tom_datasets import prompts
from tom_datasets.explanations import explain
from tom_datasets.explorer.problems import block_records
from tom_datasets.explorer.puzzles import puzzle_records
from tom_datasets.explorer.stories import presence, story_records
from tom_datasets.folder.build import Build
from tom_datasets.reader.problem_worlds import updates
from tom_datasets.reader.puzzle_rounds import where, worlds_after
from tom_datasets.reader.read_languages import in_english
from tom_datasets.reader.read_problems import read_problem
from tom_datasets.reader.read_puzzles import read_puzzle
from tom_datasets.reader.read_stories import read_story
from tom_datasets.splits import language_of_name, world_of
from tom_datasets.story.meaning import belief, subchains
from tom_datasets.syntax.record import loads
from tom_datasets.syntax.rounds import Later

MOST = 6_000_000  # the most bytes that the page of a default build may have


def rows_of(out, dataset):
    """Return the rows of the test file of each config that asks one kind of question."""
    files = sorted((out / dataset).glob("*/test.parquet"))
    files = [path for path in files if not path.parent.name.startswith(("abilities", "plans", "rounds"))]
    return {path.parent.name: pq.read_table(path).to_pylist() for path in files}


def fields(config):
    """Return the fields of a config that its records depend on."""
    return {"language": language_of_name(config), "semantics": "published" if config == "reproduction" else "recursive"}


def unpacked(path):
    """Return the key and the data of a data file."""
    call, key, packed = path.read_text().split('"')[:1] + path.read_text().split('"')[1:4:2]
    assert call == "explorer.receive("
    return key, json.loads(decompress(b64decode(packed)))


def believed(story, key):
    """Return the container that a lane of a record ends with."""
    place = None
    for code, (_, container) in zip(story["lanes"][key], story["lessons"], strict=True):
        if code >= 0 and code % 2 == 0:
            place = container
    return None if place is None else story["places"][place]


def test_lanes_end_with_what_each_subchain_believes(site):
    for config, rows in rows_of(site, "hi_tom").items():
        semantics = fields(config)["semantics"]
        by_id = {row["id"]: row for row in rows}
        for story in story_records(rows, fields(config)):
            formal, names, thing = loads(by_id[story["questions"][0]["id"]]["events"])
            for question in story["questions"]:
                row = by_id[question["id"]]
                choice = question["choices"][question["answer"]]
                assert row["answer"] == (choice if isinstance(choice, str) else story["places"][choice])
                for chain in subchains(question["chain"]):
                    container = belief(formal, chain, thing, semantics)
                    expected = None if container is None else names.containers[container]
                    assert believed(story, ",".join(map(str, chain))) == expected
                assert believed(story, ",".join(map(str, question["chain"]))) == row["answer"]


def test_questions_of_many_kinds_have_their_line_their_strike_and_their_endings(site):
    rows = pq.read_table(site / "hi_tom" / "abilities" / "test.parquet").to_pylist()
    by_id, seen = {row["id"]: row for row in rows}, set()
    for story in story_records(rows, fields("abilities")):
        for question in story["questions"]:
            row, key = by_id[question["id"]], ",".join(map(str, question["chain"]))
            query = json.loads(row["query"])
            seen.add(question["kind"])
            rules = f"\n\n{story['rules']}\n{question.get('rule', '')}".rstrip()
            assert f"{rules}\n\nStory:\n" in prompts.ask("vp", row)
            assert question["why"] == row_explained(row)
            if question["kind"] == "past":
                lessons = [lesson for lesson in story["lessons"] if lesson[0] <= question["at"]]
                codes = story["lanes"][key][: len(lessons)]
                assert question["at"] == query["line"] - 1
                assert believed({**story, "lessons": lessons, "lanes": {key: codes}}, key) == row["answer"]
            elif question["kind"] == "what_if":
                assert question["struck"] == query["line"] - 1
                assert believed(story | question, key) == row["answer"]
            elif question["kind"] == "tell":
                assert len(question["why"]) == len(row["choices"]) == 4
    assert len(seen) == 11


def row_explained(row):
    """Return the lines that say why the answer of a row is right, without the answer."""
    return explain(row).split("\n")[:-1]


def test_rules_are_those_of_the_prompts(site):
    """Where the published semantics labels, they are the paper's note."""
    for config, rows in rows_of(site, "hi_tom").items():
        published = rows[0]["id"].startswith("reproduction")
        for story in story_records(rows, fields(config)):
            row = next(row for row in rows if row["story_id"] == story["id"])
            prompt = prompts.ask("vp", row, rules="paper" if published else "full")
            rules = f"\n\n{story['rules']}"
            assert prompt.endswith(rules) if published else f"{rules}\n" in prompt.partition("\n\nStory:\n")[0] + "\n"
    for config, rows in rows_of(site, "mindgames").items():
        for block in block_records(rows, fields(config)):
            row = next(row for row in rows if (row["block"] or str(row["index"])) == block["id"])
            assert prompts.ask("zero-shot", row).startswith(f"{block['rules']}\n\n")


def test_who_is_where_at_each_line():
    """Ann, Ben, Cleo, Dan and Eve are in the room, or watch; who overhears a claim stands so at the claim too."""
    story, _ = read_story(SECRETS)
    assert (
        presence(story)
        == (
            "iiiii iiiii .iiii wiiii w.iii wwiii ww.ii wwwii wwwii www.i www.i www.. "  # Eve leaves
            "www.. ho.os ho..s ho.os oh.sh oh.sh"
        ).split()
    )


def test_every_reason_is_that_of_show(run, site):
    """`show` prints why the answer's line taught it, and why no later line did; the record says the same."""
    row = next(row for row in rows_of(site, "hi_tom")["deep"] if row["order"] == 4)
    (story,) = (story for story in story_records([row], fields("deep")))
    _, printed, _ = run("show", "hi_tom", "--id", row["id"], "--out", site)
    codes = story["lanes"][",".join(map(str, story["questions"][0]["chain"]))]
    taught = max(place for place, code in enumerate(codes) if code % 2 == 0)
    for place, code in list(enumerate(codes))[taught:]:
        short = story["reasons"][code // 2].replace(", who was there", "").replace(", who was not there", "")
        short = short.replace(", who left later", "").replace(", who did not leave later", "")
        number = story["lessons"][place][0] + 1
        assert (f"taught by line {number}: {short}" if place == taught else f"not by line {number}: {short}") in printed


def test_a_lane_says_which_link_is_missing(site):
    rows = rows_of(site, "hi_tom")
    records = story_records(rows["deep"] + rows["ladder"], fields("deep"))
    reasons = {reason for story in records for reason in story["reasons"]}
    missing = [re.fullmatch(r"\w+ did not know that \w+ (.*)", reason) for reason in reasons]
    assert {link[1] for link in missing if link} == {
        "saw it",
        "heard it",
    }


def test_the_steps_of_a_question_lead_from_line_to_line(site):
    for row in rows_of(site, "hi_tom")["woven"]:
        (record,) = story_records([row], fields("woven"))
        (question,) = record["questions"]
        named, taught = zip(*question["hops"], strict=True)
        assert len(named) == row["hops"] and named[0] is None and [*taught] == sorted(taught, reverse=True)
        for line, other in zip(named[1:], taught, strict=False):
            assert line <= other and " the container where " in record["lines"][line]
        assert question["why"] == explain(row).split("\n")[:-1]


def worlds_of(text):
    """Return the numbers of a set of worlds."""
    return {world for world in range(int(text, 16).bit_length()) if int(text, 16) >> world & 1}


def test_worlds_and_labels_are_those_of_the_checker(site):
    for config, rows in rows_of(site, "mindgames").items():
        by_index = {str(row["index"]): row for row in rows}
        for block in block_records(rows, fields(config)):
            for problem in block["problems"]:
                row = by_index[problem["id"]]
                premise, english = block["premises"][problem["premise"]], in_english(row, language_of_name(config))
                formal, _ = read_problem(english["premise"], english["hypothesis"], english["names"])
                between = "" if language_of_name(config) == "zh" else " "
                assert row["premise"] == between.join([premise["setting"], *premise["announcements"]])
                left = {sum(1 << atom - 1 for atom in world) for world in updates(formal)[-1].worlds}
                assert worlds_of(premise["left"][-1]) == left
                assert worlds_of(premise["left"][0]) == set(range(1 << len(block["names"])))
                follows = problem["steps"][-1][1] == premise["left"][-1]
                assert follows == (row["label"] == "entailment")
                assert len(premise["left"]) == len(premise["sees"]) == len(premise["announcements"]) + 1


def test_a_story_and_a_block_of_the_house_have_what_other_worlds_say(site):
    for dataset, config, worlds in (
        ("hi_tom", "deep", ["call", "log", "ward"]),
        ("mindgames", "rounds", ["exam", "servers"]),
    ):
        _, records = unpacked(site / "explorer" / "data" / f"{dataset}-{config}.js")
        assert not list((site / "explorer" / "data").glob(f"*_{worlds[0]}.js")), "worlds stand beside the house alone"
        rows = {
            world: pq.read_table(site / dataset / f"{config}_{world}" / "test.parquet").to_pylist() for world in worlds
        }
        for record in records:
            assert sorted(record["told"]) == worlds
            for world, texts in record["told"].items():
                told = [row for row in rows[world] if record["id"] in (row.get("story_id"), row.get("block"))]
                if dataset == "hi_tom":
                    lines = [f"{number} {line}" for number, line in enumerate(texts, 1)]
                    assert len(lines) == len(record["lines"]) and {row["story"] for row in told} == {"\n".join(lines)}
                else:
                    assert texts == list(dict.fromkeys(row["premise"] for row in told))
        _, french = unpacked(site / "explorer" / "data" / f"{dataset}-{config}_fr.js")
        assert not any(record["told"] for record in french)


@pytest.mark.parametrize("config", ["rounds", "rounds_fr", "rounds_zh"])
def test_puzzles_in_rounds_have_the_worlds_that_each_round_leaves(site, config):
    """By the second meaning, which lists worlds one by one."""
    rows = pq.read_table(site / "mindgames" / config / "test.parquet").to_pylist()
    by_index = {str(row["index"]): row for row in rows}
    for block in puzzle_records(rows, fields(config)):
        for problem in block["problems"]:
            row, premise = by_index.pop(problem["id"]), block["premises"][problem["premise"]]
            english = in_english(row, language_of_name(config))
            puzzle, supposed = read_puzzle(english["premise"], english["hypothesis"], english["names"])
            assert premise["setting"] == row["premise"] and len(premise["sees"]) == 2
            assert worlds_of(premise["left"][0]) == set(range(1 << row["n_agents"]))
            for rounds, left in enumerate([premise["left"][1], *problem["left"]]):
                assert worlds_of(left) == numbered(worlds_after(puzzle, rounds))
            assert len(problem["said"]) == len(problem["left"]) == problem["rounds"] == row["rounds"]
            told = [premise["worlds"], *problem["said"], *(line for line, *_ in problem["steps"])]
            assert explain(row).split("\n")[:-1] == told
            if isinstance(supposed, Later):
                *_, outermost, last = (worlds_of(worlds) for _, worlds, _ in problem["steps"])
                assert outermost == numbered(where(puzzle, worlds_after(puzzle, supposed.rounds), supposed.formula))
                assert bool(last) == (row["label"] == "entailment")
    assert not by_index


def numbered(worlds):
    """Return the numbers of worlds."""
    return {sum(1 << person for person in world) for world in worlds}


def test_the_page_has_a_file_for_each_config_and_the_shares_of_the_audit(site):
    files = contents(site / "explorer")
    index = json.loads(files["data/index.js"].decode().removeprefix("explorer.index = ").removesuffix(";\n"))
    for name in ("hi_tom", "mindgames"):
        build = Build.read(site / name, name)
        shown = [config for config, fields in build.request.items() if not world_of(fields["language"])]
        assert [config["name"] for config in index[name]["configs"]] == shown
        for config in index[name]["configs"]:
            key, records = unpacked(site / "explorer" / "data" / f"{name}-{config['name']}.js")
            assert key == f"{name}/{config['name']}" and len(records) == config["texts"]
            asked = "questions" if name == "hi_tom" else "problems"
            items = [item for record in records for item in record.get(asked, [record])]
            assert len(items) == config["rows"]
            assert sum("pred" in item for item in items) == config["scored"]
        assert any(config["scored"] for config in index[name]["configs"])
    _, shortcuts = unpacked(site / "explorer" / "data" / "audit.js")
    (all_setups,) = [group for group in shortcuts["mindgames"]["tables"][0]["groups"] if group["name"] == "all"]
    (alone,) = [rule for rule in all_setups["rules"] if rule["name"] == "hypothesis alone"]
    assert alone["published"][0] == pytest.approx(0.871, abs=0.001) and alone["gate"] == [0.47, 0.53]


def test_the_page_is_small(site):
    """TOM_EXPLORER names a written page, such as that of the default builds."""
    page = Path(os.environ.get("TOM_EXPLORER", site / "explorer"))
    assert sum(map(len, contents(page).values())) <= MOST


def test_the_same_builds_give_the_same_bytes(run, site, tmp_path):
    for name in ("hi_tom", "mindgames"):
        (tmp_path / name).symlink_to(site / name)
    code, printed, errors = run("explorer", "--out", tmp_path, "--processes", "2")
    assert code == 0 and errors == "" and contents(tmp_path / "explorer") == contents(site / "explorer")
    files = contents(tmp_path / "explorer")
    del files["build.json"]
    said = f"explorer: {len(files)} files of {sum(map(len, files.values())):,} bytes in all, written; open "
    assert printed == f"{said}{tmp_path / 'explorer' / 'index.html'}\n"
    assert "up to date, nothing to do" in run("explorer", "--out", tmp_path)[1]


def test_one_dataset_is_enough_and_clean_deletes_its_page(run, site, tmp_path):
    shutil.copytree(site / "hi_tom", tmp_path / "hi_tom")
    assert run("explorer", "--out", tmp_path, "--processes", "1")[0] == 0
    assert not list((tmp_path / "explorer" / "data").glob("mindgames*"))
    assert run("clean", "hi_tom", "--out", tmp_path)[0] == 0
    assert (tmp_path / "explorer" / "index.html").is_file(), "only hi_tom was to go"
    assert run("clean", "--out", tmp_path) == (0, "", "") and list(tmp_path.iterdir()) == []


def test_without_a_build_it_says_what_to_do(run, tmp_path):
    refused(run("explorer", "--out", tmp_path), "holds no build of hi_tom or mindgames: run make build first")


def test_builds_without_test_rows_are_refused(run, tmp_path):
    assert run("build", "hi_tom", "--out", tmp_path, "--probe", "none", *sized("hi_tom", train=3))[0] == 0
    code, _, errors = run("explorer", "--out", tmp_path, "--processes", "1")
    assert code == 1 and errors == f"error: {tmp_path / 'hi_tom'} has no test rows to show: build without --test 0\n"
    assert not (tmp_path / "explorer").exists()


def test_a_folder_of_others_stays(run, site, tmp_path):
    (tmp_path / "hi_tom").symlink_to(site / "hi_tom")
    (tmp_path / "explorer").mkdir()
    (tmp_path / "explorer" / "mine.txt").write_text("mine")
    refused(run("explorer", "--out", tmp_path), "exists and was not made by this program")
    assert (tmp_path / "explorer" / "mine.txt").read_text() == "mine"
