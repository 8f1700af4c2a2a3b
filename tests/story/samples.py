"""The deep stories that several tests of stories look at."""

from functools import cache

from tom_datasets.story.candidates import Size
from tom_datasets.story.constraints import plan_deep
from tom_datasets.story.deep import DEEP_CONTAINERS, draw_deep
from tom_datasets.streams import stream


@cache
def deep_stories():
    """Return some deep stories as published builds have them, with their chains of four."""
    targets = plan_deep(stream("deep"), 16, (2, 3), 4)
    return [
        draw_deep(stream("deep", i), target, Size(5, target.n_chapters, DEEP_CONTAINERS))
        for i, target in enumerate(targets)
    ]
