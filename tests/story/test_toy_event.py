"""Add an event to a copy of the package as docs/CONTRIBUTING.md says, and find the rows of all configs unchanged."""

import json

import pyarrow.parquet as pq
import pytest
from additions import copied, printed_by, section

# Somebody looks once more where the thing is, and so does everybody who is in the room then.
EVENT = '''@dataclass(frozen=True, slots=True)
class Look:
    """Emma saw the pear in the red_box again."""

    agent: int  # who looks, in the room where this agent is
    thing: int  # what is seen
    container: int  # where it is


'''
HAPPENS = """        case Look(agent, thing, container):
            here = room_of.get(agent)
            yield here is not None and scene.thing_room.get(thing) == here, "nobody is with the thing"
            yield scene.place.get(thing) == container, "the thing is elsewhere"
"""
TEACHES = """        elif isinstance(event, Look):
            if event.thing == thing:
                room = scene.room_of.get(event.agent)
                watchers = scene.watchers if room == scene.chapter_room else None
                return self.see(event.container, line, scene.inside[room], watchers)
"""
IS_SEEN = """            case Look(agent, seen, container):
                if seen == thing:
                    room, where = rooms.room_of.get(agent), container
"""
SENTENCES = {
    "en": "{{ agent }} saw the {{ thing }} in the {{ container }} again.",
    "fr": "{{ agent }} a revu {{ thing }} dans {{ container }}.",
    "zh": "{{ agent }}又看到{{ thing }}在{{ container }}里。",
}
READ = "the {thing} in the {container} again"
EDITS = {
    "builders/syntax/events.py": [
        (r"(?s:@dataclass\(frozen=True, slots=True\)\nclass Tell:)", f"{EVENT}\\g<0>"),
        (r"^Event = ", r"\g<0>Look | "),
    ],
    "builders/syntax/coherence.py": [
        (r"^    Like,\n", r"\g<0>    Look,\n"),
        (r"^        case Stay\(", HAPPENS + r"\g<0>"),
    ],
    "builders/story/meaning.py": [
        (r"Enter, Event, Move", "Enter, Event, Look, Move"),
        (r"^        elif isinstance\(event, \(Enter, Come\)\):\n", TEACHES + r"\g<0>"),
    ],
    "builders/reader/story_minds.py": [
        (r"^    Exit,\n", r"\g<0>    Look,\n"),
        (r"isinstance\(moment\.event, Place \| Move\)", "isinstance(moment.event, Place | Move | Look)"),
        (r"^            case Exit\(agent\):\n", IS_SEEN + r"\g<0>"),
    ],
    "builders/reader/english.txt": [
        (
            r"^\{agent\} moved the .*\n",
            rf"\g<0>{{agent}} saw {READ}\\. → Look → Emma saw the pear in the red_box again.\n",
        )
    ],
    "builders/reader/languages/fr.txt": [
        (r"^\{a\} a mis .*\n", rf"\g<0>{{a}} a revu {{thing}} dans {{container}}\\. → {{a}} saw {READ}.\n")
    ],
    "builders/reader/languages/zh.txt": [
        (r"^\{a\}把\{thing\}放进了.*\n", rf"\g<0>{{a}}又看到{{thing}}在{{container}}里。 → {{a}} saw {READ}.\n")
    ],
    **{
        f"templates/{language}/hi_tom.jinja": [
            (
                r"^\{%- macro Stay\(",
                f"{{%- macro Look(agent, thing, container) -%}}{sentence}{{%- endmacro -%}}\n\\g<0>",
            )
        ]
        for language, sentence in SENTENCES.items()
    },
}
# A sampler that draws it: the stories of chapters, in which somebody of the thing's room looks once more.
SAMPLER = '''"""Stories of one chapter in which somebody looks once more where the thing is."""

from ..syntax.events import Look, Story
from ..syntax.scan import scan
from .chapters import CONTAINERS, ROOMS, THINGS, Target, sample_chapters
from .family import DrawnStory, Family


def plan(config, stream, size):
    """Settle nothing but that each story is one chapter; letters are left to chance."""
    return [(Target(1, False), None)] * size


def draw(config, target, stream):
    """Draw a story, and ask one question of order 1 or 2."""
    order = 1 + stream.below(2)
    story, chain = sample_chapters(stream, target, config.n_agents, order, config.semantics)
    events = list(story.events)
    looks = [
        (line, Look(agent, 0, scene.place[0]))
        for line, (event, scene) in enumerate(scan(story))
        for agent, room in sorted(scene.room_of.items())
        if room == scene.thing_room.get(0)
    ]
    line, look = looks[stream.below(len(looks))]
    events.insert(line, look)
    story = Story(story.n_agents, tuple(events))
    return DrawnStory(story, chain, [order], False, config.n_agents, 1, ROOMS + 1, ROOMS * THINGS, ROOMS * CONTAINERS)


LOOKED = Family(plan, draw, ("language", "n_agents", "explanations"), casts=8, single=True)
'''
# Its config in every language, as a family's section of the page says.
ADD_CONFIGS = """
from dataclasses import replace
from tom_datasets.configs import all_spoken
from tom_datasets.dataset import dataset_named
from tom_datasets.story import config
from tom_datasets.story.looked import LOOKED
config.FAMILIES["looked"] = LOOKED
looked = replace(config.ALL, name="looked", train=None, validation=None, test=12, explanations=("test",), scorer=None)
hi_tom = dataset_named("hi_tom")
for more in (looked, *all_spoken(("fr", "zh"), (looked,))):
    hi_tom.configs, hi_tom.built = (*hi_tom.configs, more), (*hi_tom.built, more)
"""
FAMILIES = ("all", "tomh", "reproduction", "deep", "ladder", "abilities", "plans", "woven")


@pytest.fixture
def package(tmp_path):
    """Return the folder of the package with one event more, and a sampler that draws it."""
    return copied(tmp_path, EDITS, {"builders/story/looked.py": SAMPLER})


@pytest.mark.slow
def test_an_event_is_added_in_the_files_that_the_page_names_and_no_row_changes(run, package, tmp_path):
    """Stories with it are built, read back, proven and explained in every language."""
    named = section("To add an event to the stories")
    assert set(EDITS) <= {*named, *(f"templates/{language}/hi_tom.jinja" for language in SENTENCES)}
    streams = [["stream", "hi_tom", "--config", config, "--count", "4"] for config in FAMILIES]
    before = "".join([run(*words)[1] for words in streams])
    quick = ["--processes", "1", "--out", str(tmp_path)]
    build = ["build", "hi_tom", "--only", "looked,looked_fr,looked_zh", "--probe", "none", *quick]
    printed = printed_by(package, [*streams, build, ["check", "hi_tom", *quick]], tmp_path, ADD_CONFIGS)
    assert before.count("\n") == 4 * len(FAMILIES) and printed.startswith(before)
    assert "36 of 36 rows agree" in printed
    rows = pq.read_table(tmp_path / "hi_tom" / "looked" / "test.parquet").to_pylist()
    looks = [json.loads(row["events"])["events"] for row in rows]
    assert all([event[0] for event in events].count("Look") == 1 for events in looks)
    assert any(" again. " in row["explanation"] for row in rows)  # of some answers it is the line that teaches them
