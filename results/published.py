"""Score the published replies to Hi-ToM, by the published labels and by those that its text has.

The replies stand in the history of the repository ying-hui-he/Hi-ToM_dataset: `REPLIES` names each folder with its
commit. Right labels are those that `reread` finds, with claims carried to every order as the assumptions say that are
printed with each story (He et al., 2023).
"""

import json
import subprocess
from argparse import ArgumentParser
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory
from zipfile import ZipFile

from results import page
from results.reference import command, scored
from results.tables import FIGURES, figures_of, replace_lines, run
from tom_datasets.errors import UserError

DATA = "56dda76f", "Hi-ToM_data.json"  # commit, and path in it
REPLIES = {
    "GPT-4 (8k)": ("cd80d12c", "API_responses"),  # its script asks the engine "gpt4-8k"
    "GPT-3.5-turbo": ("a139da24", "result_gpt-3.5-turbo-v1"),
    "Claude-instant": ("a4d93a82", "result_Claude-instant"),
    "Guanaco 65B": ("2a747de9", "Guanaco_responses"),
    "Llama 65B": ("1cfb2eee", "result_llama65b-v1"),
}
TYPES = ("VP", "CoTP")  # the prompts: answer at once, or reason first


def unpack(repository: Path, commit: str, path: str, folder: Path) -> Path:
    """Write a file or folder of a commit below a folder; return where it is. Raises UserError where git has none."""
    words = ["git", "-C", repository, "archive", "--format=zip", commit, path]
    packed = subprocess.run(words, check=False, capture_output=True)
    if packed.returncode:
        raise UserError(f"git: {packed.stderr.decode().strip()}")
    with ZipFile(BytesIO(packed.stdout)) as archive:
        archive.extractall(folder)
    return folder / path


def corrected(data: Path, folder: Path) -> Path:
    """Write published data with the labels that their text has; return the file."""
    disagreeing = folder / "disagreements.jsonl"
    command("reread", "hi_tom", data, "--disagreements", disagreeing)
    right = {}
    for line in map(json.loads, disagreeing.read_text(encoding="utf-8").splitlines()):
        right[int(line["where"].rpartition(" ")[2])] = line["read_recursive"]
    content = json.loads(data.read_text(encoding="utf-8"))
    for number, row in enumerate(content["data"], 1):
        row["answer"] = right.get(number) or row["answer"]
    file = folder / "corrected.json"
    file.write_text(json.dumps(content), encoding="utf-8")
    return file


def main() -> None:
    """Score all of them, and write the page anew."""
    parser = ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("repository", type=Path, help="a clone of ying-hui-he/Hi-ToM_dataset with its history")
    args = parser.parse_args()
    with TemporaryDirectory() as name:
        folder = Path(name)
        data = unpack(args.repository, *DATA, folder)
        labels = {"published labels": data, "right labels": corrected(data, folder)}
        for reader, (commit, path) in REPLIES.items():
            replies, figures = unpack(args.repository, commit, path, folder), []
            for called, file in labels.items():
                scores = scored("hi_tom", "--data", file, "--responses", replies)
                for kind in TYPES:
                    for table in ("order", "all"):
                        figures += figures_of(scores[kind]["tables"][table], f"Hi-ToM {kind}, {called}")
            replace_lines(FIGURES, "reader", reader, figures)
    page.write()


if __name__ == "__main__":
    run(main)
