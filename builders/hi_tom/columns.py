"""The columns of hi_tom: the type of each, and what it holds."""

from ..columns import Column

COLUMNS = (
    Column(
        "id",
        "string",
        "the name of the question: its story_id and its order, or in abilities its kind; "
        "no other row of a config has it.",
    ),
    Column("story_id", "string", "the name of the story; its questions share it."),
    Column("story", "string", "the text, one numbered line for each event."),
    Column(
        "kind",
        "string",
        "the kind of the question in abilities; null in other configs.",
        nullable=True,
    ),
    Column("question", "string", "the question in English."),
    Column(
        "choices",
        "string",
        "the containers of the story's rooms, in tomh those that the story names; "
        "in abilities and plans what may be answered.",
        is_list=True,
    ),
    Column("answer", "string", "the right choice under the config's semantics."),
    Column("answer_index", "int32", "the place of the answer in choices, from 0."),
    Column("order", "int32", "how many minds the question nests; 0 asks where the thing really is."),
    Column("chain", "string", "the agents of the question, outermost first; empty in plans.", is_list=True),
    Column("deception", "bool", "whether agents make claims."),
    Column("story_length", "int32", "the number of chapters."),
    Column("n_agents", "int64", "the number of agents; in tomh without the distractor."),
    Column("n_lines", "int32", "how many lines there are."),
    Column("n_claims", "int32", "the number of claims, those about thoughts included."),
    Column("rung", "int32", "the rung of ladder or woven, from 1; null in other configs.", nullable=True),
    Column(
        "hops",
        "int32",
        "how many lines must be worked out in turn for the answer; null but in woven.",
        nullable=True,
    ),
    Column(
        "answer_published",
        "string",
        "the answer by the released generator's rules; null in deep, ladder, abilities, plans and woven.",
        nullable=True,
    ),
    Column(
        "semantics_agree",
        "bool",
        "whether both semantics give the same answer; null in deep, ladder, abilities, plans and woven.",
        nullable=True,
    ),
    Column(
        "effective_order",
        "int32",
        "how many agents of the chain are enough for the answer; null in abilities and plans.",
        nullable=True,
    ),
    Column(
        "order_sensitive",
        "bool",
        "whether some permutation of the chain has another answer; null in abilities and plans.",
        nullable=True,
    ),
    Column(
        "shortcuts_missed",
        "float64",
        "the share of shortcuts to a nested answer that give another one (docs/why/audit.md); "
        "0 at order 0, null in abilities and plans.",
        nullable=True,
    ),
    Column("undisputed", "bool", "whether every reading gives the answer (docs/why/beliefs.md)."),
    Column("readings", "string", "the readings that give another answer.", is_list=True),
    Column(
        "answer_slot",
        "int64",
        "which distinct place of the thing the answer is: 0 first, 1 second, 2 later, "
        "3 claimed (it was never there); null in abilities and plans.",
        nullable=True,
        classes=("first", "second", "later", "claimed"),
    ),
    Column(
        "n_places", "int32", "the number of distinct places of the thing; null in abilities and plans.", nullable=True
    ),
    Column(
        "lines_since",
        "int32",
        "the number of lines after the one that taught the answer; null in abilities and plans.",
        nullable=True,
    ),
    Column("events", "string", "the formal story as JSON: the thing asked about, and every event."),
    Column(
        "query",
        "string",
        "in abilities and plans the formal question as JSON, in plans with script and goals; else null.",
        nullable=True,
    ),
    Column(
        "explanation",
        "string",
        "why the answer is right, one step a line (docs/reference/explanations.md); null in test.",
        nullable=True,
    ),
    Column(
        "deberta_pred",
        "int64",
        "the choice that the probe, a small trained model, picks, from 0; "
        "null, as the next two, in deep, ladder, abilities, plans, woven, and in French and Chinese.",
        nullable=True,
    ),
    Column("deberta_confidence", "float64", "the probability that the probe gives to its pick.", nullable=True),
    Column(
        "difficulty",
        "float64",
        "1 - deberta_confidence where the probe is right, else 1 + deberta_confidence.",
        nullable=True,
    ),
    Column(
        "config",
        "string",
        "the config of the row, without its language; rows of 0th_order and the other orders say all.",
    ),
    Column("language", "string", "the language of the texts: en, fr or zh."),
    Column("seed", "int64", "the seed of the build."),
    Column("generator_version", "string", "the version of the generator."),
)
