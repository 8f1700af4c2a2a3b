"""The commands: what each does. Its module has a function `run`, whose parameters are the options."""

from pathlib import Path

IN_REPOSITORY = (Path(__file__).resolve().parents[2] / "Makefile").is_file()

# What each command does, in the order of the help. They stand here, as the help must import no command.
ABOUT = {
    "build": "write a dataset's folder, a complete Hub repository",
    "check": "prove every row of a build twice, and enforce the audit's gates",
    "audit": "print how often guessing without reading is right on the test split",
    "prompts": "print the prompts for a model, as JSON lines with id and prompt",
    "ask": "ask a language model, and write its replies to a file that score reads",
    "score": "score a model's answers, and show what they depend on",
    "publish": "send built folders to the Hugging Face Hub, and read them back",
    "clean": "delete what build wrote, and nothing else",
    "reread": "compare the labels of published data with those read from their text",
    "smcdel": "answer a file in SMCDEL's language as SMCDEL 1.3.0 does",
    "probe": "retrain a dataset's difficulty model (needs the extra probe)",
    "show": "print one problem of a build or of the default sizes, and the reasons for its answers",
    "explain": "explain the answers of rows, given by an id or as JSON lines on standard input",
    "stream": "print endless rows as JSON lines, without the problems of the default test builds",
    "explorer": "write a static page that shows the test rows of builds, and the reasons for their answers",
    "scale": "write endless rows to a folder with many tasks, on one machine or several (needs the extra scale)",
    "play": "play an episode: write lines of a story that make others believe something",
    "export": "write the rows of a build as messages, for supervised fine-tuning",
    "seal": "for maintainers: write the pilot of order blocks, and the hashes of problems that streams skip",
}


def commands() -> dict[str, str]:
    """Return what each command does. Only maintainers write into the project itself."""
    return {name: about for name, about in ABOUT.items() if IN_REPOSITORY or name != "seal"}
