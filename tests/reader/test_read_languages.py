"""The rows of other languages: the same problems as the English ones, and proven by readers of their own."""

from dataclasses import replace
from pathlib import Path

import pytest
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

from tom_datasets import HiTom, endless, explain, load, prompts, reward
from tom_datasets.answers.scores import score_replies
from tom_datasets.configs import config_named
from tom_datasets.dataset import dataset_named
from tom_datasets.errors import UserError
from tom_datasets.proof.problems import prove_mindgames
from tom_datasets.proof.rows import Proven
from tom_datasets.proof.stories import prove_hi_tom
from tom_datasets.reader import read_languages
from tom_datasets.reader.read_languages import ReadError, in_english
from tom_datasets.reader.read_problems import read_problem
from tom_datasets.reader.read_stories import read_story
from tom_datasets.reader.tables import Table
from tom_datasets.splits import named_in
from tom_datasets.story.config import CONFIGS as STORIES
from tom_datasets.story.config import StoryConfig
from tom_datasets.syntax.formula import SETUPS
from tom_datasets.training.chat import answer_of
from tom_datasets.wording import languages
from tom_datasets.wording.languages import lexicon, templates
from tom_datasets.wording.stories import voice

LANGUAGES = ("fr", "zh")
STORY_NAMES, PROBLEM_NAMES = ("all", "deep", "ladder", "abilities"), ("all", "deep", "ladder")


SIZES = {"all": 6, "deep": 3, "ladder": 12, "abilities": 6}


@pytest.fixture(scope="module", params=STORY_NAMES)
def stories(request):
    """Return the rows of a config by language."""
    size = SIZES[request.param]
    configs = {language: story_config(named_in(request.param, language), size) for language in ("en", *LANGUAGES)}
    return {language: (config, story_rows_of(config)) for language, config in configs.items()}


@pytest.fixture(scope="module", params=PROBLEM_NAMES)
def problems(request):
    """Return the rows of a config of problems by language."""
    configs = {language: problem_config(named_in(request.param, language), 6) for language in ("en", *LANGUAGES)}
    return {language: (config, problem_rows_of(config)) for language, config in configs.items()}


def test_every_row_of_a_story_is_proven_from_its_own_text(stories):
    for language in LANGUAGES:
        assert faults(stories[language][1], stories[language][0], prove_hi_tom, 1) == []


def test_every_row_of_a_problem_is_proven_from_its_own_text(problems):
    for language in LANGUAGES:
        assert faults(problems[language][1], problems[language][0], prove_mindgames, 4) == []


def test_stories_of_all_languages_have_the_same_ids_events_chains_and_letters(stories):
    english = [formal(row) for row in stories["en"][1]]
    for language in LANGUAGES:
        assert [formal(row) for row in stories[language][1]] == english
        assert not any(row["language"] != language for row in stories[language][1])


def test_problems_of_all_languages_have_the_same_labels_and_formal_problems(problems):
    own = OWN_OF_PROBLEMS
    english = [{column: row[column] for column in row if column not in own} for row in problems["en"][1]]
    for language in LANGUAGES:
        rows = problems[language][1]
        assert [{column: row[column] for column in row if column not in own} for row in rows] == english
        assert not any(row["language"] != language for row in rows)


@pytest.mark.parametrize("count", [60, pytest.param(500, marks=pytest.mark.slow)])
def test_stories_read_from_any_language_are_the_same_story(count):
    config = replace(story_config("all", count), order=0)
    english = [read_story(row["story"])[0] for row in story_rows_of(config)]
    for language in LANGUAGES:
        rows = story_rows_of(replace(config, language=language, name=f"all_{language}"))
        assert [read_story(in_english(row, language)["story"])[0] for row in rows] == english


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_wrong_text_is_found(language):
    expect_wrong_texts_found(story_config(f"deep_{language}", 1))


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_wrong_problem_is_found(language):
    config = problem_config(f"all_{language}", 2)
    rows = problem_rows_of(config)[:4]
    file = f"{config.part_of(rows[0])}/test.parquet"
    for column, other in (("label", {"entailment": "not_entailment", "not_entailment": "entailment"}[rows[0]["label"]]),
                          ("hypothesis", rows[1]["premise"]), ("premise", rows[0]["hypothesis"])):  # fmt: skip
        found = list(prove_mindgames([rows[0] | {column: other}, *rows[1:]], record(config), file))
        assert not all(isinstance(fault, Proven) for fault in found), column


def test_a_sentence_that_no_pattern_knows_is_named():
    row = story_rows_of(story_config("deep_fr", 1))[0]
    with pytest.raises(
        ReadError, match=r"^not a known sentence: 'Tout dort\.'; expected one of the patterns of fr\.txt$"
    ):
        in_english(row | {"story": row["story"] + "\n99 Tout dort."}, "fr")
    with pytest.raises(ReadError, match=r"^no reader knows the language 'xx'; add xx.txt to languages$"):
        in_english(row, "xx")


@pytest.mark.parametrize(
    ("language", "sentence", "english"),
    [
        ("fr", "Léa et Zoé sont entrées dans l'arrière-cour.", "Léa and Zoé entered the l_arrière_cour."),
        ("fr", "Les haricots étaient dans la boîte verte.", "The les_haricots are in the la_boîte_verte."),
        ("fr", "Paul est sorti du garage.", "Paul exited the le_garage."),
        ("fr", "Paul est sorti de la salle d'attente.", "Paul exited the waiting_room."),
        ("fr", "Léa a dit en privé à Paul et à Rose qu'Inès pensait que Zoé pensait que le kaki se trouvait "
         "désormais dans l'enveloppe bleue.",
         "Léa privately told Paul and Rose that Inès thinks Zoé thinks the le_kaki is in the l_enveloppe_bleue now."),
        ("zh", "志强、秀英和建国走进了厨房。", "志强, 秀英 and 建国 entered the 厨房."),
        ("zh", "志强私下告诉秀英：建国认为晓燕认为苹果现在在红色的盒子里。",
         "志强 privately told 秀英 that 建国 thinks 晓燕 thinks the 苹果 is in the 红色的盒子 now."),
    ],
)  # fmt: skip
def test_hand_written_sentences_become_the_published_english(language, sentence, english):
    assert read_languages.reader(language).english(sentence, "sentence") == english


@pytest.mark.parametrize(
    ("language", "premise", "hypothesis", "english"),
    [
        ("fr", "Il y a deux personnes. Chacune est visible des autres. On annonce publiquement que quelqu'un a soif. "
         "On annonce publiquement qu'aucune personne ne sait si elle-même a soif. Sous les yeux de tous, on dit tout "
         "bas à Zoé seule si elle-même a soif. On annonce publiquement que Zoé ne sait pas que Paul sait que lui, "
         "Paul, n'a pas soif.",
         "Zoé sait maintenant qu'un nombre impair de personnes ont soif.",
         ("There are two persons. Everyone is visible to others. It is publicly announced that someone is thirsty. "
          "It is publicly announced that nobody knows whether they are thirsty themselves. In front of all, Zoé alone "
          "is told whether Zoé is thirsty. It is publicly announced that Zoé does not know that Paul knows that Paul "
          "is not thirsty.",
          "Zoé now knows that an odd number of persons are thirsty.")),
        ("zh", "共有两个人，彼此都看得见。公开宣布：有人的额头是脏的。"
         "当着所有人的面，只把志强的额头是不是脏的告诉了志强本人。"
         "公开宣布：志强不知道秀英是否知道秀英本人的额头是脏的。公开宣布：秀英知道额头脏的人数是否为奇数。",
         "志强现在知道秀英的额头是不是不脏。",
         ("There are two persons. Everyone is visible to others. It is publicly announced that someone's forehead is "
          "muddy. In front of all, 志强 alone is told whether 志强's forehead is muddy. It is publicly announced "
          "that 志强 does not know whether 秀英 knows that 秀英's forehead is muddy. It is publicly announced that "
          "秀英 knows whether an odd number of foreheads are muddy.",
          "志强 now knows whether 秀英's forehead is not muddy.")),
    ],
)  # fmt: skip
def test_hand_written_problems_become_the_published_english(language, premise, hypothesis, english):
    row = in_english({"premise": premise, "hypothesis": hypothesis, "explanation": None}, language)
    assert (row["premise"], row["hypothesis"]) == english
    read_problem(*english)


def test_the_files_of_a_language_have_every_macro_of_the_english_ones():
    def macros(language, name):
        module = templates(language).get_template(f"{name}.jinja").module
        return {macro for macro, value in vars(module).items() if callable(value)}

    names = ("hi_tom", "abilities", "show", "explain", "mindgames", "prompts", "rules")
    needless = {"count", "does", "own_card", "where"}  # pieces that other languages cut in another way
    for language in LANGUAGES:
        for name in names:
            assert macros("en", name) - needless <= macros(language, name), (language, name)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_language_has_words_for_every_setup(language):
    ours, english = (templates(one).get_template("setups.jinja").module.words_of for one in (language, "en"))
    assert list(ours) == list(english) == list(SETUPS)
    for words in ours.values():
        assert set(words) >= {"introduction", "predicate", "card", "by", "verbs", "sight", "showing"}


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_rules_of_a_language_are_the_english_ones_one_by_one(language):
    ours, english = (templates(one).get_template("rules.jinja").module for one in (language, "en"))
    for table in ("deep_stories", "kinds", "deep"):
        assert list(getattr(ours, table)) == list(getattr(english, table))
    assert list(ours.stories) == [key for key in english.stories if key != "searching"]
    assert len(ours.problems) == len(english.problems)
    assert {kind: of for kind, (of, _) in ours.kinds.items()} == {kind: of for kind, (of, _) in english.kinds.items()}


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_two_names_of_a_lexicon_are_alike(language):
    assert all(len(alike) == 1 for alike in voice(language)._alike.values())
    sizes = {key: len(words) for key, words in lexicon("en", "hi_tom").items() if key != "waiting_room"}
    assert {key: len(words) for key, words in lexicon(language, "hi_tom").items() if key != "waiting_room"} == sizes


def test_the_right_reply_is_read_and_paid_in_every_language(stories):
    letters = "ABCDEFGHIJKLMNO"
    said = {"en": "The answer is {}.", "fr": "La bonne réponse est {}.", "zh": "所以答案是{}。"}
    for language, (_, rows) in stories.items():
        assert all(reward(f"…\n{answer_of(row)}", row) == 1 for row in rows)
        for reply in (answer_of, lambda row: letters[row["answer_index"]],
                      lambda row, said=said[language]: said.format(letters[row["answer_index"]])):  # fmt: skip
            items = dataset_named("hi_tom").items(rows)
            replies = [replace(item, text=reply(row)) for item, row in zip(items, rows, strict=True)]
            assert all(reply.right for reply in score_replies("hi_tom", replies))


def test_verdicts_are_read_and_paid_in_every_language(problems):
    for _, rows in problems.values():
        items = dataset_named("mindgames").items(rows)
        replies = [replace(item, text=answer_of(row)) for item, row in zip(items, rows, strict=True)]
        assert all(reply.right for reply in score_replies("mindgames", replies))
        assert all(reward(answer_of(row), row) == 1 for row in rows)


def test_a_story_is_explained_in_its_language(stories):
    for _, rows in stories.values():
        assert [explain(row) for row in rows[::5]] == [row["explanation"] for row in rows[::5]]


def test_a_problem_is_explained_in_its_language(problems):
    for _, rows in problems.values():
        assert [explain(row) for row in rows[::5]] == [row["explanation"] for row in rows[::5]]


def test_a_prompt_speaks_the_language_of_its_row(stories):
    for language, (_, rows) in stories.items():
        assert prompts.ask("vp", rows[0]) == prompts.ask("vp", rows[0], language=language)


TOY = Path(__file__).with_name("xx")  # a language of signs: its templates and lexicon, and its reader
KEEPING = (voice, read_languages.reader)
"""What keeps things of languages."""


@pytest.fixture
def toy(tmp_path, monkeypatch):
    """Let there be the language of signs beside the others."""
    for folder in (TOY, *(languages.TEMPLATES / language for language in languages.languages())):
        (tmp_path / folder.name).symlink_to(folder)
    with monkeypatch.context() as patched:
        patched.setattr(languages, "TEMPLATES", tmp_path)
        patched.setattr(read_languages, "FOLDER", TOY)
        for keeps in KEEPING:
            keeps.cache_clear()
        yield
    for keeps in KEEPING:  # other tests ask for an unknown language
        keeps.cache_clear()


def test_a_language_is_a_folder_and_a_reader(toy):
    """A language of twenty lines is told, read and proven, with the chains and letters of the English rows."""
    config = StoryConfig(name="all", language="xx", test=12, train=None, validation=None, scorer=None, explanations=())
    config.validate()
    rows, english = story_rows_of(config), story_rows_of(replace(config, language="en"))
    assert rows[0]["story"].startswith("1 + ")
    assert [row["answer_index"] for row in rows] == [row["answer_index"] for row in english]
    assert faults(rows, config, prove_hi_tom, 1) == []


def test_a_lexicon_that_is_too_small_says_how_many_names_it_has(toy):
    config = StoryConfig(name="all", language="xx", n_agents=7, test=2, train=None, validation=None, scorer=None)
    with pytest.raises(ValueError, match="^n_agents is 7; it must be at most 6, the names in the lexicon of xx$"):
        config.validate()


@pytest.mark.parametrize(
    ("fields", "error"),
    [
        ({"language": "de"}, f"unknown language 'de'; the languages are {', '.join(languages.languages())}$"),
        ({"name": "tomh", "language": "fr"}, "language is 'fr'; it must be 'en', as tomh is in English only"),
    ],
)
def test_a_language_that_is_not_there_is_refused(fields, error):
    with pytest.raises(ValueError, match=error):
        StoryConfig(**fields).validate()


def test_any_split_of_a_config_in_another_language_can_be_had():
    loaded = load("hi_tom", "deep_fr", seed=7, train=1, test=1)
    assert {split: rows.num_rows for split, rows in loaded.items()} == {"train": 5, "test": 5}
    assert loaded["train"]["story"][:] == load("hi_tom", "deep", language="fr", seed=7, train=1)["train"]["story"][:]
    assert "认为" in endless("hi_tom", "deep_zh", seed=7)[4]["question"]


def test_the_probe_of_english_scores_no_row_of_another_language(tmp_path):
    builder = HiTom(cache_dir=str(tmp_path), language="zh", seed=7, train=None, validation=None, test=1)
    builder.download_and_prepare()
    for rows in (load("hi_tom", language="zh", seed=7, test=1)["test"], builder.as_dataset(split="test")):
        assert "在哪里" in rows[0]["question"] and not any(rows["deberta_confidence"])


def test_a_config_that_a_language_lacks_is_refused():
    with pytest.raises(UserError, match="unknown config 'tomh_fr'; the configs are all"):
        config_named(STORIES, "tomh_fr")


def test_a_section_goes_on_behind_blank_lines_and_comments():
    text = (TOY / "xx.txt").read_text(encoding="utf-8")
    start = text.index("[sentence]") + len("[sentence]\n")
    first_end = text.index("\n", start) + 1
    spaced = f"{text[:first_end]}\n# more\n\n{text[first_end:]}"
    assert Table("xx.txt", spaced).columns("sentence") == Table("xx.txt", text).columns("sentence")
