"""Streams are pickled and copied, as data loaders with workers do, and numpy's integers are integers everywhere."""

import copy
import pickle
from itertools import islice

import numpy
import pytest

from tom_datasets import HiTom, MindGames, endless, episodes, load
from tom_datasets.errors import UserError

STAGES = [({"max_order": 2}, 1), ({"config": "ladder"}, 2)]
STREAMS = {
    "hi_tom": lambda: endless("hi_tom", "deep", seed=7, n_agents=6),
    "abilities": lambda: endless("hi_tom", "abilities", seed=7, kinds=("now", "search")),
    "mindgames": lambda: endless("mindgames", "forehead", seed=7),
    "curriculum": lambda: endless("hi_tom", "deep", seed=7, curriculum=STAGES),
    "load": lambda: load("hi_tom", "deep", streaming=True, seed=7),
    "load, split": lambda: load("mindgames", "forehead", split="test", streaming=True, seed=7, test=2),
}
AGAIN = {"pickle": lambda stream: pickle.loads(pickle.dumps(stream)), "copy": copy.deepcopy}


@pytest.mark.parametrize("again", AGAIN)
@pytest.mark.parametrize("name", STREAMS)
def test_a_stream_is_pickled(name, again):
    stream = STREAMS[name]()
    rows = list(islice(stream, 8))
    other = AGAIN[again](stream)
    assert list(islice(other, 8)) == rows
    assert list(islice(AGAIN[again](other), 8)) == rows


def test_a_pickled_stream_has_drawn_as_many_units():
    stream = endless("mindgames", "forehead", seed=7)
    list(islice(stream, 40))
    other = pickle.loads(pickle.dumps(stream))
    assert (other.drawn, other.skipped, other.share_skipped) == (stream.drawn, stream.skipped, stream.share_skipped)
    assert len(pickle.dumps(stream)) < 20_000, "the seal is read again, not pickled"


@pytest.mark.parametrize("again", AGAIN)
def test_episodes_are_pickled_in_the_middle_of_a_game(again):
    stream = episodes(seed=7, acts=2, depth=2)
    episode = AGAIN[again](stream)[0]
    assert episode.prompt == stream[0].prompt
    episode.step(episode.solution[0])
    other = AGAIN[again](episode)
    assert (other.actions, other.acts, other.illegal) == (episode.actions, 1, 0)
    for line in episode.solution[1:]:
        assert other.step(line) == episode.step(line)
    assert other.done and other.reward == 1.0


INTEGERS = {
    "index": (lambda n: endless("hi_tom", seed=7)[n(3)], lambda row: row),
    "rows_from": (lambda n: next(endless("hi_tom", seed=7).rows_from(n(3))), lambda row: row),
    "drawn_row": (lambda n: endless("mindgames", seed=7).drawn_row(n(130)), lambda drawn: drawn),
    "seed": (lambda n: endless("hi_tom", seed=n(7))[3], lambda row: row),
    "field": (lambda n: endless("hi_tom", "deep", seed=7, n_agents=n(6))[3], lambda row: row),
    "fields": (lambda n: endless("hi_tom", seed=7, lengths=[n(1), n(2)])[3], lambda row: row),
    "array": (lambda n: endless("hi_tom", seed=7, lengths=n([1, 2]))[3], lambda row: row),
    "stage": (lambda n: endless("hi_tom", "deep", curriculum=[({"max_order": n(2)}, n(1))])[3], lambda row: row),
    "episode": (lambda n: episodes(seed=n(7), acts=n(1), depth=n(1))[n(2)], lambda episode: episode.prompt),
    "load": (lambda n: load("hi_tom", "deep", split="test", seed=n(7), test=n(2)), lambda rows: rows.to_list()),
    "streamed": (
        lambda n: load("mindgames", "forehead", split="test", streaming=True, seed=n(7), test=n(2)),
        lambda rows: list(rows),
    ),
    "HiTom": (lambda n: HiTom(config_name="all", seed=n(7), n_agents=n(5)).config, lambda config: config),
    "MindGames": (lambda n: MindGames(config_name="forehead", n_agents=n([2, 3])).config, vars),
}
"""Calls that take integers, made by `n`, and what is compared of what they return."""


@pytest.mark.parametrize("name", INTEGERS)
def test_integers_of_numpy_are_integers(name):
    call, compared = INTEGERS[name]
    plain = compared(call(lambda value: value))
    for kind in (numpy.int64, numpy.int32, lambda value: numpy.array(value)):
        assert compared(call(kind)) == plain
        assert repr(compared(call(kind))) == repr(plain), "no numpy type is left"


@pytest.mark.parametrize("index", [True, numpy.bool_(True), 3.0, numpy.float64(3), "3", None, slice(2, 4)])
def test_what_is_no_integer_is_refused(index):
    for stream in (endless("hi_tom", seed=7), episodes(seed=7)):
        with pytest.raises(TypeError, match="index is .*; it must be an integer"):
            stream[index]
    for wrong in (endless, episodes):
        with pytest.raises(UserError, match="seed is .*; it must be an integer"):
            wrong(**({"dataset": "hi_tom"} if wrong is endless else {}), seed=index)


@pytest.mark.parametrize("index", [-1, numpy.int64(-1)])
def test_no_index_is_below_0(index):
    for stream in (endless("hi_tom", seed=7), episodes(seed=7)):
        with pytest.raises(IndexError, match="index is -1; "):
            stream[index]
