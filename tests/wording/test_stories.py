"""Prove the sentence of each event and question, that that it is read back, and that nothing is undefined."""

import json
import shutil
from collections import Counter
from itertools import combinations, permutations

import jinja2
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from random_stories import coherent_stories
from support import numbered

from tom_datasets.reader.read_stories import read_question, read_story
from tom_datasets.streams import stream
from tom_datasets.syntax.events import (
    Come,
    Dislike,
    Enter,
    Event,
    Exit,
    Like,
    Lose,
    Move,
    MoveBy,
    Named,
    Names,
    Overhear,
    Place,
    Question,
    Report,
    ReportBy,
    See,
    Stay,
    Still,
    Tell,
    TellBy,
    Watch,
)
from tom_datasets.syntax.record import spell
from tom_datasets.wording import languages as loader
from tom_datasets.wording import problems
from tom_datasets.wording.alike import alike
from tom_datasets.wording.languages import languages
from tom_datasets.wording.stories import Voice

ENGLISH = Voice("en")
PROBLEMS = problems.Voice("en")
LEXICON = json.loads((loader.TEMPLATES / "en" / "hi_tom.json").read_text(encoding="utf-8"))
NAMES = Names(
    agents=("Emma", "Jack", "Owen", "Zoe", "Liam", "Mia"),
    rooms=("waiting_room", "workshop", "TV_room"),
    things=("pear", "peas"),
    containers=("red_box", "blue_crate"),
    items=("watch", "phone"),
    animals=("monkey", "cat"),
)


def sentence_of(event, names=NAMES, voice=ENGLISH):
    """Return the sentence of an event or a question."""
    return voice.say(*spell(event, names))


def text_of(events, names=NAMES):
    """Return the text of a story."""
    return ENGLISH.story([spell(event, names) for event in events])


# Sentences.

SENTENCES = [
    (Enter((0,), 1), "Emma entered the workshop."),
    (Enter((1, 0), 2), "Jack and Emma entered the TV_room."),
    (Enter((0, 1, 2), 1), "Emma, Jack and Owen entered the workshop."),
    (Enter((4, 3, 2, 1, 0), 0), "Liam, Zoe, Owen, Jack and Emma entered the waiting_room."),
    (Place(0, 0), "The pear is in the red_box."),
    (Place(1, 1), "The peas are in the blue_crate."),
    (Move(0, 0, 1), "Emma moved the pear to the blue_crate."),
    (Move(0, 1, 0), "Emma moved the peas to the red_box."),
    (Stay(1, 1), "Jack made no movements and stayed in the workshop for 1 minute."),
    (Exit(0, 1), "Emma exited the workshop."),
    (Exit(0, 0), "Emma exited the waiting_room."),
    (Tell(1, (), 0, 0), "Jack publicly claimed that the pear is in the red_box now."),
    (Tell(1, (), 1, 0), "Jack publicly claimed that the peas are in the red_box now."),
    (Tell(2, (0,), 0, 0), "Owen privately told Emma that the pear is in the red_box now."),
    (Tell(2, (0, 1), 1, 0), "Owen privately told Emma and Jack that the peas are in the red_box now."),
    (Tell(2, (0, 1, 3), 0, 0), "Owen privately told Emma, Jack and Zoe that the pear is in the red_box now."),
    (Report(2, (0,), (1,), 0, 0), "Owen privately told Emma that Jack thinks the pear is in the red_box now."),
    (
        Report(2, (0, 3), (1, 4), 1, 0),
        "Owen privately told Emma and Zoe that Jack thinks Liam thinks the peas are in the red_box now.",
    ),
    (Still(0, 0), "The pear is still where it was."),
    (Still(1, 0), "The peas are still where they were."),
    (MoveBy(1, 0, 0, (2,)), "Jack moved the pear to the container where Owen thinks it is."),
    (MoveBy(1, 1, 0, (2, 0)), "Jack moved the peas to the container where Owen thinks Emma thinks they are."),
    (TellBy(1, (), 0, 0, (2,)), "Jack publicly claimed that the pear is now in the container where Owen thinks it is."),
    (
        TellBy(2, (0, 1), 1, 0, (3,)),
        "Owen privately told Emma and Jack that the peas are now in the container where Zoe thinks they are.",
    ),
    (
        ReportBy(2, (0,), (1,), 0, 0, (3, 4)),
        "Owen privately told Emma that Jack thinks the pear is now in the container where Zoe thinks "
        "Liam thinks it is.",
    ),
    (Watch(0, 2, ()), "Emma secretly watched the TV_room from outside."),
    (
        Watch(0, 2, (1, 2)),
        "Emma secretly watched the TV_room from outside, and noticed Jack and Owen watching it.",
    ),
    (Overhear(0, ()), "Emma overheard this unnoticed."),
    (Overhear(0, (2,)), "Emma overheard this unnoticed, and noticed Owen listening."),
    (Come(0, 1), "Emma came into the workshop."),
    (Lose(0, 0), "Emma lost her watch."),
    (Lose(2, 1), "Owen lost his phone."),
    (See(1, 0), "Jack saw a monkey."),
    (Like(0, 0), "Emma likes the red_box."),
    (Dislike(2, 0), "Owen dislikes the pear."),
    (Dislike(2, 1), "Owen dislikes the peas."),
]
QUESTIONS = [
    (Question((), 0), "Where is the pear really?"),
    (Question((), 1), "Where are the peas really?"),
    (Question((0,), 0), "Where does Emma think the pear is?"),
    (Question((0,), 1), "Where does Emma think the peas are?"),
    (Question((1, 0), 0), "Where does Jack think Emma thinks the pear is?"),
    (Question((1, 0, 2), 1), "Where does Jack think Emma thinks Owen thinks the peas are?"),
    (Question((3, 2, 1, 0), 0), "Where does Zoe think Owen thinks Jack thinks Emma thinks the pear is?"),
    (
        Question((5, 4, 3, 2, 1, 0), 0),
        "Where does Mia think Liam thinks Zoe thinks Owen thinks Jack thinks Emma thinks the pear is?",
    ),
    (Question((0,), 0, True), "Where does Emma search for the pear?"),
    (Question((1, 0), 1, True), "Where does Jack think that Emma searches for the peas?"),
    (Question((2, 1, 0), 0, True), "Where does Owen think that Jack thinks that Emma searches for the pear?"),
    (
        Question((3, 2, 1, 0), 0, True),
        "Where does Zoe think that Owen thinks that Jack thinks that Emma searches for the pear?",
    ),
]


def test_every_kind_of_event_is_said_here():
    assert {type(event) for event, _ in SENTENCES} == set(Event.__args__)


@pytest.mark.parametrize(("event", "sentence"), SENTENCES)
def test_each_sentence_is_said_and_read(event, sentence):
    """The reader was written from published sentences, never from these templates."""
    assert sentence_of(event) == sentence
    # Somebody must think what names a container.
    before = [Enter((0, 1, 2, 3, 4), 1), Place(event.thing, event.container)] if isinstance(event, Named) else []
    story, names = read_story(numbered(*map(sentence_of, before), sentence))
    assert [spell(read, names) for read in story.events[len(before) :]] == [spell(event, NAMES)]


@pytest.mark.parametrize(("question", "sentence"), QUESTIONS)
def test_each_question_is_said_and_read(question, sentence):
    assert sentence_of(question) == sentence and read_question(sentence, NAMES) == question


@settings(deadline=None, max_examples=100)
@given(coherent_stories(watches=True), st.integers(0, 10**9))
def test_the_reader_reads_back_what_the_voice_says(story, cast):
    """So no two stories share a text."""
    words = ENGLISH.names(stream("read back", cast), cast, 6, 4, 7, 10)
    spelled = [spell(event, words) for event in story.events]
    read, names = read_story(ENGLISH.story(spelled))
    assert [spell(event, names) for event in read.events] == spelled


def test_a_story_is_numbered_lines():
    lines = [f"{number} {sentence}" for number, (_, sentence) in enumerate(SENTENCES[:12], 1)]
    assert text_of([event for event, _ in SENTENCES[:12]]) == "\n".join(lines)
    assert lines[11] == "12 Jack publicly claimed that the pear is in the red_box now."
    assert text_of(()) == ""


# What cannot be said.


@pytest.mark.parametrize("words", [("Place", "fig", "red_box"), ("Lose", "Bob", "watch"), ("Move", "Emma", "pear")])
def test_a_missing_name_or_missing_grammar_is_an_error(words):
    """The verb of a thing and the pronoun of an agent come from the lexicon."""
    with pytest.raises(jinja2.UndefinedError):
        ENGLISH.say(*words)


@pytest.fixture
def language(tmp_path, monkeypatch):
    """Return a function that makes the only language, `xx`: English with a change in its template or lexicon."""
    english = loader.TEMPLATES / "en"
    monkeypatch.setattr(loader, "TEMPLATES", tmp_path)

    def make(old="", new="", **lexicon):
        shutil.copytree(english, tmp_path / "xx", dirs_exist_ok=True)
        template = (english / "hi_tom.jinja").read_text(encoding="utf-8")
        assert old in template
        (tmp_path / "xx" / "hi_tom.jinja").write_text(template.replace(old, new) if old else template, encoding="utf-8")
        (tmp_path / "xx" / "hi_tom.json").write_text(json.dumps(LEXICON | lexicon), encoding="utf-8")
        return lambda: Voice("xx")

    return make


def test_a_template_without_a_kind_of_event_is_an_error(language):
    with pytest.raises(AttributeError):
        language("macro See(", "macro Saw(")()


def test_templates_draw_no_random_numbers(language):
    with pytest.raises(jinja2.TemplateAssertionError, match="random"):
        language("saw a", "{{ ['saw', 'met'] | random }} a")()
    changed = language("saw a", "{{ lipsum() }}")()
    with pytest.raises(jinja2.UndefinedError, match="lipsum"):
        sentence_of(See(0, 0), voice=changed)


def test_names_are_not_escaped_as_html():
    assert ENGLISH.say("See", "D'Arcy & <Sons>", "cat") == "D'Arcy & <Sons> saw a cat."


def test_the_error_for_an_unknown_language_names_the_known_ones(language):
    with pytest.raises(ValueError, match="^unknown language 'xx'; the languages are $"):
        Voice("xx")
    language()
    shutil.copytree(loader.TEMPLATES / "xx", loader.TEMPLATES / "aa")
    (loader.TEMPLATES / "no_language").mkdir()
    assert languages() == ["aa", "xx"]
    for unknown in ("en", "XX", "", "no_language", "../templates/en"):
        with pytest.raises(ValueError) as raised:
            Voice(unknown)
        assert str(raised.value) == f"unknown language {unknown!r}; the languages are aa, xx"


# Casts.


def cast_words(words):
    """Return the words that a cast settles."""
    return words.things[0], words.rooms[1], words.agents[0], words.agents[1], words.containers[0]


def test_all_casts_of_a_small_language_differ(language):
    changed = language(
        agents={"Ann": "her", "Ben": "his", "Cleo": "her"},
        rooms=["hall", "attic", "den"],
        things={"pear": "is", "peas": "are"},
        containers=["red_box", "blue_box", "red_crate", "blue_crate"],
    )()
    assert changed.n_casts == 2 * 3 * 3 * 2 * 4
    words = {cast_words(changed.names(stream("cast", cast), cast, 3, 4, 2, 4)) for cast in range(changed.n_casts)}
    expected = {
        (thing, room, one, other, container)
        for thing in ("pear", "peas")
        for room in ("hall", "attic", "den")
        for one, other in permutations(("Ann", "Ben", "Cleo"), 2)
        for container in ("red_box", "blue_box", "red_crate", "blue_crate")
    }
    assert words == expected


def test_casts_of_english_differ():
    casts = ENGLISH.n_casts
    assert casts == 37 * 30 * (40 * 39 - 6) * 39  # without Jack and Jackson, Mia and Mila, Amelia and Emily
    cast_stream = stream("casts")
    drawn = {cast_stream.below(casts) for _ in range(2000)} | set(range(500)) | set(range(casts - 500, casts))
    assert len({cast_words(ENGLISH.names(stream("w"), cast, 2, 2, 1, 1)) for cast in drawn}) == len(drawn) > 2900


@pytest.mark.parametrize(
    ("name", "others"),
    {
        "Jack": "Jackson Jake Zack",  # a beginning, one sound, one letter
        "Mia": "Mila Mya Pia",
        "Alicia": "Alisha Elisha Alice",
        "Kathryn": "Catherine Katherine",
        "Jeffrey": "Geoffrey",
        "Steven": "Stephen Stefan",
        "Sean": "Shawn",
        "Chris": "Kris",
        "Marc": "Mark",
        "Maxine": "Macsine",
        "Keith": "Keit",
        "Leigh": "Lee",
    }.items(),
)
def test_names_that_are_alike(name, others):
    for other in others.split():
        assert alike(name, other) and alike(other, name)
    for other in {"Jack", "Mia", "Alicia", "Kathryn", "Steven", "Chris"} - {name}:
        assert not alike(name, other) and not alike(other, name)


def test_no_two_names_in_a_story_or_a_problem_are_alike(language):
    drawn = [ENGLISH.names(stream("alike", i), i * 331_777, 12, 2, 1, 1).agents for i in range(2000)]
    assert sum("Jack" in names for names in drawn) > 400 < sum("Jackson" in names for names in drawn)
    drawn += [PROBLEMS.persons(stream("alike", i), 10) for i in range(200)]
    assert not [names for names in drawn for pair in combinations(names, 2) if alike(*pair)]
    small = language(agents={"Jo": "her", "John": "his", "Johnson": "his", "Ann": "her", "Dave": "his"})()
    assert small.n_casts == 37 * 30 * (5 * 4 - 3 * 2) * 39
    for i in range(200):
        names = small.names(stream("alike", i), i * 31, 3, 2, 1, 1).agents
        assert set(names) >= {"Ann", "Dave"} and len(set(names)) == 3


def test_the_stream_changes_only_what_the_cast_leaves_open():
    one, other = (ENGLISH.names(stream("words", i), 12_345, 5, 4, 6, 15) for i in range(2))
    assert cast_words(one) == cast_words(other)
    assert one != other
    assert one == ENGLISH.names(stream("words", 0), 12_345, 5, 4, 6, 15)


# Lexicon.


def test_the_lexicon_of_english():
    banks = [list(LEXICON[bank]) for bank in ("agents", "rooms", "things", "containers", "items", "animals")]
    agents, *_, containers, _, _ = banks
    assert Counter(LEXICON["agents"].values()) == {"her": 20, "his": 20}
    assert list(map(len, banks)) == [40, 30, 37, 39, 3, 4]
    words = ["waiting_room", *(word for bank in banks for word in bank)]
    assert len(set(words)) == len(words)  # none twice, in one bank or in two
    assert not [word for word in words if any(character.isspace() for character in word)]
    assert all(name.isalpha() and name[0].isupper() for name in agents)
    kinds = Counter(container.split("_", 1)[1] for container in containers)
    assert len(kinds) == 13 and set(kinds.values()) == {3}  # every kind in every colour


def test_no_name_is_written_twice_in_the_lexicon_file():
    """A JSON object would forget the first of two."""

    def distinct(pairs):
        names = [name for name, _ in pairs]
        assert len(set(names)) == len(names)
        return dict(pairs)

    text = (loader.TEMPLATES / "en" / "hi_tom.json").read_text(encoding="utf-8")
    assert json.loads(text, object_pairs_hook=distinct) == LEXICON
