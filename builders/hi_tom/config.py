"""The facts of hi_tom that commands ask for, the configs of a build, and the options that set their fields."""

from ..configs import Option
from ..story.config import ABILITIES, ALL, CONFIGS, DEEP, LADDER, PLANS, REPRODUCTION, SPOKEN, TOMH, StoryConfig

ID_COLUMN = "id"  # the column that names a row

UNIT_COLUMN = "story_id"  # the column that names the story of a row

TEXT = "story"  # what its texts are called

TURN = 1  # how many rows of an order follow one another in `all`: a question of each order is a story

PUBLISHED = CONFIGS  # all configs that are published

# The configs of a build, the default config first.
BUILT = (ALL, TOMH, REPRODUCTION, DEEP, LADDER, ABILITIES, PLANS, *SPOKEN)

# The options of a build that set fields other than sizes.
OPTIONS = (
    Option("n_agents", ("all", "deep"), "n_agents"),
    Option("max_order", ("all", "deep"), "max_order"),
    Option("semantics", ("all",), "semantics"),
)

EXAMPLE = -1  # which of the default config's orders or setups the card loads in its example: the highest order

Config = StoryConfig  # what a build is asked for, one for each config
