"""The facts of mindgames that commands ask for, the configs of a build, and the options that set their fields."""

from ..configs import Option
from ..logic.config import ALL, CONFIGS, DEEP, LADDER, REPRODUCTION, SCALE, SPOKEN, ProblemConfig

ID_COLUMN = "index"  # the column that names a row

UNIT_COLUMN = "block"  # the column that names the block of a row; null where a row is a unit of its own

TEXT = "premise"  # what its texts are called

TURN = 4  # how many rows of a setup follow one another in `all`: a block

PUBLISHED = CONFIGS  # all configs that are published

BUILT = (ALL, SCALE, REPRODUCTION, DEEP, LADDER, *SPOKEN)  # the configs of a build, the default config first

# The options of a build that set fields other than sizes.
OPTIONS = (
    Option("n_agents", ("all",), "n_agents"),
    Option("max_order", ("all", "scale", "reproduction"), "max_order"),
    Option("n_agents", ("deep",), "deep_n_agents"),
    Option("max_order", ("deep",), "deep_max_order"),
    Option("n_announcements", ("deep",), "n_announcements"),
    Option("kinds", ("deep", "ladder"), "kinds"),
    Option("checker", tuple(config.name for config in BUILT if config not in SPOKEN), "checker"),
)

EXAMPLE = 0  # which of the default config's orders or setups the card loads in its example: the first setup

Config = ProblemConfig  # what a build is asked for, one for each config
