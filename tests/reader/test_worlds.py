"""Other worlds: the same problems in other sentences, read by readers of their own, and kept apart from training."""

import re
import shutil
from dataclasses import replace
from itertools import product
from pathlib import Path

import pytest
from additions import copied, printed_by
from support import ROOT, refused
from telling import (
    OWN_OF_PROBLEMS,
    expect_wrong_texts_found,
    faults,
    formal,
    problem_config,
    problem_rows_of,
    record,
    story_config,
    story_rows_of,
)

from tom_datasets import endless, explain, load, prompts, reward
from tom_datasets.commands import check
from tom_datasets.commands.folders import builds
from tom_datasets.dataset import dataset_named
from tom_datasets.errors import UserError
from tom_datasets.folder.build import Build
from tom_datasets.proof.problems import prove_mindgames
from tom_datasets.proof.rows import Proven
from tom_datasets.proof.stories import prove_hi_tom
from tom_datasets.reader import read_languages
from tom_datasets.reader.read_languages import ReadError, in_english
from tom_datasets.reader.read_problems import read_problem
from tom_datasets.reader.read_puzzles import read_puzzle
from tom_datasets.reader.steps import judged_steps
from tom_datasets.splits import WORLD, WORLDS, language_of_name, language_tag, named_in, plain_name
from tom_datasets.story.config import WOVEN
from tom_datasets.streams import stream
from tom_datasets.syntax.formula import SETUPS
from tom_datasets.syntax.rounds import MARKS
from tom_datasets.training.chat import answer_of
from tom_datasets.wording.languages import languages, lexicon, templates
from tom_datasets.wording.problems import PICKS
from tom_datasets.wording.problems import voice as voice_of_problems
from tom_datasets.wording.stories import voice


def build_of(out, dataset):
    """Return the build of a dataset that stands in a folder."""
    (build,) = builds(dataset, out)
    return build


STORY_WORLDS = [language for language in languages("hi_tom") if language.startswith(WORLD)]
PROBLEM_WORLDS = [language for language in languages("mindgames") if language.startswith(WORLD)]
STORIES, PROBLEMS = {"all": 6, "deep": 4, "ladder": 12, "woven": 5}, {"all": 6, "deep": 6, "ladder": 12, "rounds": 6}
SHORT = {"woven": {"rungs": WOVEN.rungs[:5]}}  # stories of 32 hops and more take most of the time to draw
PRONOUN = r"\b(?:he|she)\b"


@pytest.fixture(scope="module", params=STORIES)
def stories(request):
    """Return the config and the rows of stories by language: of the house, and of each world."""
    told = {}
    for language in ("en", *STORY_WORLDS):
        fields = {"train": None, "validation": None, **SHORT.get(request.param, {})}
        config = story_config(named_in(request.param, language), STORIES[request.param], **fields)
        told[language] = config, story_rows_of(config)
    return told


@pytest.fixture(scope="module", params=PROBLEMS)
def problems(request):
    """Return the config and the rows of problems by language: of the house, and of each world."""
    told = {}
    for language in ("en", *PROBLEM_WORLDS):
        config = problem_config(named_in(request.param, language), PROBLEMS[request.param])
        told[language] = config, problem_rows_of(config)
    return told


def test_which_worlds_there_are():
    assert [language.removeprefix(WORLD) for language in STORY_WORLDS] == ["call", "log", "ward"]
    assert [language.removeprefix(WORLD) for language in PROBLEM_WORLDS] == ["exam", "servers"]
    assert sorted(WORLDS) == ["call", "exam", "log", "servers", "ward"]
    for dataset, told in (("hi_tom", STORY_WORLDS), ("mindgames", PROBLEM_WORLDS)):
        configs = {config.name: config for config in dataset_named(dataset).built}
        for name in STORIES if dataset == "hi_tom" else PROBLEMS:
            for language in told:
                config = configs[named_in(name, language)]
                assert list(config.sizes()) == ["test"], "worlds have test splits alone"
                assert plain_name(config.name) == name and language_of_name(config.name) == config.language == language
        assert not {named_in("abilities", language) for language in told} & {*configs}


def test_every_row_of_a_story_is_proven_from_its_own_text(stories):
    for language in STORY_WORLDS:
        config, rows = stories[language]
        assert faults(rows, config, prove_hi_tom, 1) == []


def test_every_row_of_a_problem_is_proven_from_its_own_text(problems):
    for language in PROBLEM_WORLDS:
        config, rows = problems[language]
        assert faults(rows, config, prove_mindgames, 4) == []


def test_stories_of_all_worlds_have_the_same_ids_events_chains_and_letters(stories):
    english = [formal(row) for row in stories["en"][1]]
    for language in STORY_WORLDS:
        rows = stories[language][1]
        assert [formal(row) for row in rows] == english
        assert {row["language"] for row in rows} == {language}
        assert not any("_" in row["story"] + row["question"] for row in rows)


def test_problems_of_all_worlds_have_the_same_labels_and_formal_problems(problems):
    def shared(row):
        return {column: row[column] for column in row if column not in OWN_OF_PROBLEMS}

    english = [shared(row) for row in problems["en"][1]]
    for language in PROBLEM_WORLDS:
        assert [shared(row) for row in problems[language][1]] == english


def asked_explained_and_paid(told):
    """Assert that rows of worlds are asked, explained, judged and paid as those of the house."""
    for language, (_, rows) in told.items():
        for row in rows[::9]:
            assert explain(row) == row["explanation"]
            assert reward(answer_of(row), row) == 1
            judged = judged_steps(row["explanation"], row)
            assert judged.share_before_wrong == 1 and all(right for _, right in judged.steps), language
            asked = prompts.ask("vp" if "story" in row else "zero-shot", row)
            assert row["question" if "story" in row else "hypothesis"] in asked


def test_questions_of_worlds_are_asked_explained_and_paid_as_others(stories):
    asked_explained_and_paid(stories)


def test_problems_of_worlds_are_asked_explained_and_paid_as_others(problems):
    asked_explained_and_paid(problems)


@pytest.mark.slow
@pytest.mark.parametrize("language", [*STORY_WORLDS, *PROBLEM_WORLDS])
def test_many_rows_of_a_world_are_proven(language):
    stories = language in STORY_WORLDS
    for name, size in (("all", 120), ("deep", 120)) if stories else (("all", 60), ("deep", 60), ("rounds", 36)):
        config = (story_config if stories else problem_config)(named_in(name, language), size)
        config = replace(config, seed=3, train=None, validation=None)
        rows = (story_rows_of if stories else problem_rows_of)(config)
        assert faults(rows, config, prove_hi_tom if stories else prove_mindgames, 1 if stories else 4) == []


@pytest.mark.parametrize("language", STORY_WORLDS)
def test_an_event_has_three_wordings_that_are_read_alike(language):
    say, reader = voice(language), read_languages.reader(language)
    names = say.names(stream("wordings"), 5, 6, 2, 1, 6)
    (a, b, c, d, *_), (lobby, room), (one, *_) = names.agents, names.rooms, names.containers
    things = {verb: thing for thing, verb in lexicon(language, "hi_tom")["things"].items()}
    for verb, thing in things.items():
        events = [
            ("Enter", (a, b), room), ("Enter", (a, b), lobby), ("Enter", (a,), room), ("Enter", (a,), lobby),
            ("Place", thing, one), ("Move", a, thing, one), ("Stay", a, room), ("Stay", a, lobby), ("Exit", a, room),
            ("Exit", a, lobby), ("Tell", a, (b, c), thing, one), ("Tell", a, (), thing, one), ("Overhear", a, ()),
            ("Report", a, (b,), (c, d), thing, one), ("Report", a, (b, c, d), (c,), thing, one), ("Watch", a, room, ()),
            ("Watch", a, room, (b,)), ("Watch", a, room, (b, c, d)), ("Overhear", a, (b,)), ("Overhear", a, (b, c)),
            ("Still", thing, one), ("MoveBy", a, thing, one, (b, c)), ("MoveBy", a, thing, one, (a,)),
            ("TellBy", a, (b,), thing, one, (c,)), ("TellBy", a, (), thing, one, (c, d, b)),
            ("ReportBy", a, (b,), (c,), thing, one, (d, b)), ("Like", a, one), ("Dislike", a, thing),
            *(("Lose", a, item) for item in names.items), *(("See", a, animal) for animal in names.animals),
        ]  # fmt: skip
        for event in events:
            said = {say.story([event], stream("wordings", turn)).partition(" ")[2] for turn in range(60)}
            assert len({re.sub(r"^[\d:]+ ", "", sentence) for sentence in said}) >= 3, event
            kinds = {reader.story([sentence], verb)[0] for sentence in said}
            assert len({re.sub(r"where (?:it was|they were)", "there", kind) for kind in kinds}) == 1, kinds


def test_a_pronoun_stands_for_the_only_person_whom_the_line_before_names():
    """In 60 stories of each world; a reader finds one that could stand for somebody else."""
    for language in STORY_WORLDS:
        people, seen = voice(language)._pronouns, 0
        for row in story_rows_of(story_config(named_in("all", language), 60, order=0)):
            lines = row["story"].split("\n")
            for before, line in zip(lines, lines[1:], strict=False):
                if re.search(PRONOUN, line.partition(" that ")[0]):
                    seen += 1
                    english = in_english(row, language)["story"].split("\n")[lines.index(before)]
                    (named,) = {name for name in people if re.search(rf"\b{name}\b", english)}
                    assert people[named] in re.findall(PRONOUN, line)
        assert (seen > 20) is (language != "en-x-log"), "a log has no pronouns"
    reader = read_languages.reader("en-x-call")
    first, second = (
        "Kofi told Priya in a private message that the logo is now in the Drafts folder.",
        "Then he left the team call.",
    )
    with pytest.raises(
        ReadError, match="a pronoun needs a line before that names one person, not Kofi and Priya: 'Then"
    ):
        reader.story([first, second])
    assert reader.story(["Kofi left the team call.", "Then he joined the sales call."])[1].startswith("Kofi entered")


def phrases(names):
    """Yield what can be announced about these agents, as the macros of mindgames take it."""
    first, second, third, *_ = names
    known = [["fact", "all", False], ["fact", "none", False], ["count", "odd", 0], ["count", "exactly", 2],
             ["fact", first, False], ["fact", second, True]]  # fmt: skip
    yield from [*known, ["fact", "some", False], ["fact", "not all", False], ["fact", first, True]]
    yield from [["count", "exactly", 1], ["count", "exactly", 3], ["count", "at least", 2]]
    for link, denied, what in product(("that", "whether"), (False, True), known):
        yield from [[group, "", link, denied, what] for group in ("each", "common", "together")]
        yield ["knowledge", first, link, denied, what]
        yield ["knowledge", third, link, denied, ["knowledge", second, link, not denied, what]]
    yield from [["each", "", "whether", denied, ["own"]] for denied in (False, True)]
    yield from [["shown", first, owner] for owner in (first, second)]


@pytest.mark.parametrize("language", PROBLEM_WORLDS)
@pytest.mark.parametrize("setup", SETUPS)
def test_whatever_can_be_announced_is_read_as_in_the_house(language, setup):
    """In each wording, also what the test splits happen to lack."""
    say, house = voice_of_problems(language), voice_of_problems("en")
    names = say.persons(stream("announced"), 4)
    shown = [(names[0], names[1]), (names[1], names[1])] if setup == "explicit" else []
    for way, phrase in product(range(3), phrases(names)):
        announced = [["fact", "some", False], phrase]
        supposed = ["knowledge", names[0], "whether", way == 1, ["fact", names[1], False]]
        texts = [
            (one.premise(setup, 4, shown, announced, True, *picks), one.hypothesis(setup, supposed, True, *picks))
            for one, picks in ((say, [(way,) * PICKS]), (house, []))
        ]
        read = in_english({"premise": texts[0][0], "hypothesis": texts[0][1]}, language)
        assert read_problem(read["premise"], read["hypothesis"], names) == read_problem(*texts[1], names), texts[0]


@pytest.mark.parametrize("language", PROBLEM_WORLDS)
@pytest.mark.parametrize("setup", MARKS)
def test_whatever_can_be_said_of_a_puzzle_is_read_as_in_the_house(language, setup):
    """Somebody may see nobody, nobody may be marked, and each law has its words."""
    say, house = voice_of_problems(language), voice_of_problems("en")
    names = list(say.persons(stream("puzzles"), 5))
    sees = [names[1:], [], [names[0]], [names[0], names[1]], names[:4]]
    laws = (1, 3, 5), (0, 2, 4), (2, 3, 4, 5), (1, 2, 3, 4, 5), (0, 1), (0, 1, 2), (2, 3), (1, 2, 3), (1, 2, 3, 4)
    knows = ["knowledge", names[0], "whether", False, ["knowledge", names[1], "that", True, ["fact", names[2], False]]]
    for way, law, n_marked in product(range(3), laws, (0, 1, 2, 4)):
        if n_marked not in law:
            continue
        texts = []
        for one, picks in ((say, [(way,) * PICKS]), (house, [])):
            puzzle = one.puzzle(setup, names, sees, law, names[:n_marked], *picks)
            supposed = [one.first_yes(names[2], number, *picks) for number in (3, 0)]
            texts.append([(puzzle, text) for text in (*supposed, one.later(setup, 2, knows, *picks))])
        for told, plain in zip(*texts, strict=True):
            read = in_english({"premise": told[0], "hypothesis": told[1]}, language)
            assert read_puzzle(read["premise"], read["hypothesis"], names) == read_puzzle(*plain, names), told


@pytest.mark.parametrize("language", STORY_WORLDS)
def test_a_wrong_text_is_found(language):
    expect_wrong_texts_found(story_config(named_in("deep", language), 1))


@pytest.mark.parametrize("language", PROBLEM_WORLDS)
def test_a_wrong_problem_is_found(language):
    config = problem_config(named_in("all", language), 2)
    rows = problem_rows_of(config)[:4]
    file = f"{config.part_of(rows[0])}/test.parquet"
    labels = {"entailment": "not_entailment", "not_entailment": "entailment"}
    changes = {
        "label": labels[rows[0]["label"]],
        "hypothesis": rows[1]["premise"],
        "premise": rows[0]["hypothesis"],
        "explanation": rows[0]["explanation"].replace("Announcement 1", "Announcement 2"),
    }
    for column, other in changes.items():
        found = list(prove_mindgames([rows[0] | {column: other}, *rows[1:]], record(config), file))
        assert not all(isinstance(fault, Proven) for fault in found), column


@pytest.mark.parametrize("language", [*STORY_WORLDS, *PROBLEM_WORLDS])
def test_the_rules_of_a_world_are_those_of_the_house_one_by_one(language):
    ours, english = (templates(one).get_template("rules.jinja").module for one in (language, "en"))
    for table in ("deep_stories", "kinds", "problems", "puzzles"):
        assert list(getattr(ours, table)) == list(getattr(english, table))
    told = {key: rule for key, rule in english.stories.items() if key != "searching" or language in PROBLEM_WORLDS}
    assert list(ours.stories) == list(told)
    for table in ("stories", "deep_stories"):  # rules cite one another by number
        for key, rule in getattr(ours, table).items():
            assert re.findall(r"rules? (\d+)", rule) == re.findall(r"rules? (\d+)", getattr(english, table)[key]), key


@pytest.mark.parametrize("language", STORY_WORLDS)
def test_words_of_a_world_are_told_apart(language):
    assert all(len(alike) == 1 for alike in voice(language)._alike.values())
    words, english = lexicon(language, "hi_tom"), lexicon("en", "hi_tom")
    for bank in english:
        if bank != "waiting_room":
            assert len(words[bank]) >= len(english[bank]), bank
    assert list(words["agents"].values()).count("she") == list(words["agents"].values()).count("he") == 20
    nouns = [*words["rooms"], *words["things"], *words["containers"], words["waiting_room"]]
    assert not [(one, other) for one in nouns for other in nouns if one != other and f" {other}".endswith(f" {one}")]


@pytest.mark.parametrize(
    ("dataset", "config", "fields", "error"),
    [
        ("hi_tom", "deep", {"world": "exam"}, "deep: unknown language 'en-x-exam'; the languages are en, en-x-call,"),
        ("hi_tom", "deep", {"world": "moon"}, "unknown world 'moon'; the worlds are house, call, exam, log,"),
        ("hi_tom", "deep", {"world": "call", "language": "fr"}, "world is 'call' and language 'fr'; give one of them"),
        ("hi_tom", "abilities", {"world": "call"}, "abilities is told in no world: take 'en'"),
        ("mindgames", "scale", {"world": "exam"}, "it must be 'en', as scale is in English only"),
    ],
)
def test_a_world_that_is_not_there_is_refused(dataset, config, fields, error):
    for called in (endless, load):
        with pytest.raises(UserError, match=re.escape(error)):
            called(dataset, config, **fields)


def test_streams_and_loaded_rows_take_a_world():
    house, call = (endless("hi_tom", "deep", 4, world=world) for world in ("house", "call"))
    assert house[1] == endless("hi_tom", "deep", 4)[1]
    assert call[1]["language"] == "en-x-call" and " call." in call[1]["explanation"]
    mixed = endless("hi_tom", "deep", 4, curriculum=[({"world": "log"}, 1), ({"world": "ward"}, 1)])
    assert {mixed[index]["language"] for index in range(0, 60, 5)} == {"en-x-log", "en-x-ward"}
    train = load("mindgames", "rounds", world="exam", train=1, seed=2)["train"]
    assert "exam" in train["premise"][0] and set(train["language"]) == {"en-x-exam"}


def test_no_row_to_train_on_is_told_in_a_world(tmp_path, monkeypatch, run):
    """A build whose default config is told in the house keeps whole worlds for tests; `check` says so."""
    out = tmp_path / "out"
    sizes = ("--train", 1, "--validation", 0, "--test", 1, "--no-explanations")
    run("build", "hi_tom", "--out", out, "--only", "all,all_call", "--probe", "none", *sizes)
    code, printed, _ = run("check", "hi_tom", "--out", out)
    assert code == 0 and "not gated" in printed
    of = Build.config_of
    monkeypatch.setattr(
        Build, "config_of", lambda build, file: of(build, file) | ({"language": "en-x-call"} if "train" in file else {})
    )
    with pytest.raises(UserError, match=r"train\.parquet: rows of train are told in the world call: build again$"):
        check.check_rows(build_of(out, "hi_tom"), 1, None)


@pytest.mark.parametrize("dataset", ["hi_tom", "mindgames"])
def test_score_compares_worlds(run, tmp_path, tiny_build, dataset):
    worlds = ["house", *(language.removeprefix(WORLD) for language in languages(dataset) if language.startswith(WORLD))]
    build, files = build_of(tiny_build(dataset), dataset), []
    for place, world in enumerate(worlds):
        rows = list(build.rows(f"{named_in('deep', language_tag(world) if place else 'en')}/test.parquet"))
        wrong = {row["story_id"] if dataset == "hi_tom" else row["block"] for row in rows[: 3 * place]}
        lines = []
        for row in rows:
            column = "id" if dataset == "hi_tom" else "index"
            missed = (row["story_id"] if dataset == "hi_tom" else row["block"]) in wrong
            lines.append({"id": str(row[column]), "response": "I do not know" if missed else answer_of(row)})
        files.append(tmp_path / f"{world}.jsonl")
        files[-1].write_text("".join(f"{line}\n".replace("'", '"') for line in lines), encoding="utf-8")
    said = ("score", dataset, "--out", tiny_build(dataset), "--config", "deep", "--responses", *files)
    code, printed, errors = run(*said, "--worlds", *worlds)
    assert (code, errors) == (0, "")
    assert printed.startswith(f"{len(worlds)} worlds, answers to {dataset}, deep, test split")
    assert (
        "| same answer in all worlds | right in all | if independent | house above the mean of the others |" in printed
    )
    refused(run(*said, "--worlds", *worlds[:-1], "moon"), "unknown config 'deep_moon'")


TOY = Path(__file__).with_name("ship")  # a fourth world: its templates and lexicon, and its reader


def test_a_world_takes_fewer_than_150_lines():
    assert sum(len(file.read_text(encoding="utf-8").splitlines()) for file in TOY.iterdir()) < 150


@pytest.mark.slow
def test_a_fourth_world_is_a_folder_and_a_reader(tmp_path):
    """It is built and proven in a copy of the package, to which nothing else was added."""
    page = re.search(
        r"^## To add a world\n(.+?)(?=\n## )", (ROOT / "docs" / "CONTRIBUTING.md").read_text(), re.S | re.M
    )[1]
    package = copied(tmp_path, {})
    folder = package / "tom_datasets" / "templates" / "en-x-ship"
    folder.mkdir()
    for file in TOY.iterdir():
        assert file.name.replace("ship", "NAME") in page
        shutil.copy(file, package / "tom_datasets" / "reader" / "languages" if file.suffix == ".txt" else folder)
    out = ["--out", str(tmp_path / "out"), "--processes", "1"]
    only = "all,deep,ladder,woven,all_ship,deep_ship,ladder_ship,woven_ship"
    printed = printed_by(
        package, [["build", "hi_tom", "--preset", "tiny", "--only", only, *out], ["check", "hi_tom", *out]], tmp_path
    )
    assert re.search(r"(\d+) of \1 rows agree", printed)
    told = build_of(tmp_path / "out", "hi_tom")
    house, ship = (list(told.rows(f"deep{suffix}/test.parquet")) for suffix in ("", "_ship"))
    assert [formal(row) for row in ship] == [formal(row) for row in house] and "locker" in ship[0]["story"]
