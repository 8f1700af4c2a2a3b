"""The commands: what each does. Its module has a function `run`, whose parameters are the options."""

from pathlib import Path

IN_REPOSITORY = (Path(__file__).resolve().parents[2] / "Makefile").is_file()

# What each command does, in the order of the help. They stand here, as the help must import no command.
ABOUT = {
    "build": "write a dataset's folder, a complete Hub repository",
    "check": "prove every row of the built Parquet twice, and hold the audit's gates",
    "audit": "print how often guessing without reading is right on the test split",
    "prompts": "print what a model is asked, as JSON lines of id and prompt",
    "ask": "ask a language model, and write the file of replies that score reads",
    "score": "score what a model answered, and what its answers depend on",
    "publish": "send built folders to the Hugging Face Hub, and read them back",
    "clean": "delete what build wrote, and nothing else",
    "reread": "compare the labels of published data with those read from their text",
    "smcdel": "answer a file in SMCDEL's language as SMCDEL 1.3.0 does",
    "probe": "train the difficulty model of a dataset anew (needs the extra probe)",
    "show": "print one problem of a build or of the default sizes, and what made its answers",
    "explain": "say why rows have their answers: those of an id, or JSON lines on standard input",
    "stream": "print endless rows as JSON lines, none of them a problem of the default test builds",
    "explorer": "write a static page that shows the test rows of builds, and what made their answers",
    "scale": "write endless rows into a folder by many tasks, on one machine or many (needs the extra scale)",
    "play": "play an episode: write lines of a story that make others believe something",
    "export": "write the rows of a build as messages, for supervised fine-tuning",
    "seal": "for maintainers: write the pilot of order blocks, and the hashes that streams skip",
}


def commands() -> dict[str, str]:
    """Return what each command does. Only maintainers write into the project itself."""
    return {name: about for name, about in ABOUT.items() if IN_REPOSITORY or name != "seal"}
