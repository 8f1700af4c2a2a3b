"""Prove that distractions name everything that there is, and each only once."""

from tom_datasets.story.distractions import distracted
from tom_datasets.streams import stream
from tom_datasets.syntax.events import Dislike, Like, Lose, See, Stay


def test_distractions_name_every_agent_item_animal_container_and_thing():
    told = distracted(stream("distraction"), [Stay(0, 1)] * 60_000, 5, 15, 6)
    events = [event for event in told if event != Stay(0, 1)]
    expected = {Lose(agent, item) for agent in range(5) for item in range(3)}
    expected |= {See(agent, animal) for agent in range(5) for animal in range(4)}
    expected |= {Like(agent, container) for agent in range(5) for container in range(15)}
    expected |= {Dislike(agent, thing) for agent in range(5) for thing in range(6)}
    assert expected == set(events) and len(events) == len(expected)
