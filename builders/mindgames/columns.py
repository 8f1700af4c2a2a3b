"""The columns of mindgames: the type of each, and what it holds."""

from ..columns import Column
from ..syntax.formula import SETUPS
from ..syntax.rounds import MARKS

COLUMNS = (
    Column("premise", "string", "what the agents see, and what is announced to all of them."),
    Column(
        "smcdel_problem",
        "string",
        "the problem in SMCDEL's language; it is valid, in rounds true, exactly where the label is entailment.",
    ),
    Column(
        "n_announcements",
        "int64",
        'the number of announcements after the first, "someone …"; in rounds the number that smcdel_problem announces.',
    ),
    Column(
        "pbcheck",
        "string",
        "a check in SMCDEL's language that is valid exactly where the premise leaves no world; in rounds it is true "
        "exactly where the persons do not answer so; none is.",
    ),
    Column(
        "hypothesis",
        "string",
        "the statement to judge: what somebody can know, or cannot know, after the announcements.",
    ),
    Column("setup", "string", f"one of {', '.join(SETUPS)}: who sees what; in rounds one of {', '.join(MARKS)}."),
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
    Column("n_worlds", "int32", "the number of worlds after the announcements, in rounds before the last of `rounds`."),
    Column(
        "needs_announcements",
        "int32",
        "the number of announcements without which the label changes or no world is left; null in rounds.",
        nullable=True,
    ),
    Column(
        "n_worlds_before", "int32", "the number of worlds before the first announcement, or before the first round."
    ),
    Column(
        "shortest_proof",
        "int32",
        "the fewest announcements, kept in their order, that give the label alone; null in rounds.",
        nullable=True,
    ),
    Column(
        "order_matters",
        "bool",
        "whether another order of the same announcements gives another label; null but in deep and ladder.",
        nullable=True,
    ),
    Column(
        "nesting_matters",
        "bool",
        'whether the hypothesis without its outermost "knows" has another label; null in rounds.',
        nullable=True,
    ),
    Column(
        "rung", "int32", "the rung of ladder or of rounds, counted from 1; null in the other configs.", nullable=True
    ),
    Column(
        "rounds",
        "int32",
        "of rounds: how many rounds must be worked out: up to the first yes of the person asked about, or to the round "
        "that changes nothing where there is none; null in the other configs.",
        nullable=True,
    ),
    Column(
        "worlds_by_round",
        "int32",
        "how many worlds are possible for all before each of these rounds; null in the other configs.",
        nullable=True,
        is_list=True,
    ),
    Column(
        "first_yes",
        "int32",
        "the round in which the person asked about first answers yes, 0 for never; null if none is asked about so.",
        nullable=True,
    ),
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
