"""The columns of mindgames: the type of each, and what it holds."""

from ..columns import Column
from ..syntax.formula import SETUPS

COLUMNS = (
    Column("premise", "string", "what the agents see, and what is announced to all of them."),
    Column(
        "smcdel_problem",
        "string",
        "the problem in SMCDEL's language; it is valid exactly where the label is entailment.",
    ),
    Column("n_announcements", "int64", 'the number of announcements after the first, "someone …".'),
    Column(
        "pbcheck",
        "string",
        "a check in SMCDEL's language that is valid exactly where the premise leaves no world; none is.",
    ),
    Column(
        "hypothesis",
        "string",
        "the statement to judge: what somebody can know, or cannot know, after the announcements.",
    ),
    Column("setup", "string", f"one of {', '.join(SETUPS)}: who sees what."),
    Column("hypothesis_depth", "int64", "the order of the hypothesis minus 1."),
    Column("n_agents", "int64", "the number of agents."),
    Column("label", "string", "entailment or not_entailment."),
    Column("names", "string", "the agents, in the order of SMCDEL's agents and atoms.", is_list=True),
    Column("index", "int64", "the number of the row, unique in the dataset."),
    Column("s-l", "string", "setup and hypothesis_depth."),
    Column(
        "deberta_pred",
        "int64",
        "the prediction of the probe, a small trained model: 1 is entailment, 0 is not; "
        "null, as the next two, in French and Chinese.",
        nullable=True,
    ),
    Column("deberta_confidence", "float64", "the probability that the probe gives to its prediction.", nullable=True),
    Column(
        "difficulty",
        "float64",
        "1 - deberta_confidence where the probe is right, else 1 + deberta_confidence.",
        nullable=True,
    ),
    Column("block", "string", "the block of four that the row belongs to; null in reproduction.", nullable=True),
    Column("n_worlds", "int32", "the number of worlds after the announcements."),
    Column(
        "needs_announcements",
        "int32",
        "the number of announcements without which the label changes or no world is left.",
    ),
    Column("n_worlds_before", "int32", "the number of worlds before the first announcement."),
    Column("shortest_proof", "int32", "the fewest announcements, kept in their order, that give the label alone."),
    Column(
        "order_matters",
        "bool",
        "whether another order of the same announcements gives another label; null but in deep and ladder.",
        nullable=True,
    ),
    Column("nesting_matters", "bool", 'whether the hypothesis without its outermost "knows" has another label.'),
    Column("rung", "int32", "the rung of ladder, counted from 1; null in the other configs.", nullable=True),
    Column(
        "explanation",
        "string",
        "why the label is right, one step a line (docs/reference/explanations.md); null in test.",
        nullable=True,
    ),
    Column(
        "config",
        "string",
        "the config of the row, without its language; rows of forehead and the other setups say all.",
    ),
    Column("language", "string", "the language of the texts: en, fr or zh."),
    Column("seed", "int64", "the seed of the build."),
    Column("generator_version", "string", "the version of the generator."),
)
