"""What tests of several commands share: small sizes, counts of the tiny builds, and folders that are not ours."""

import json

from support import SOUND_RECORD, sized

NO_ABILITIES = tuple("--abilities-train 0 --abilities-validation 0 --abilities 0 --plans 0".split())
NO_WOVEN = tuple("--woven-train 0 --woven-validation 0 --woven 0".split())
NO_ORDERS = tuple("--deep-train 0 --deep-validation 0 --deep 0 --ladder 0".split())
"""The sizes of a build of mindgames without order blocks."""
FEW = sized(
    "hi_tom",
    train=2,
    validation=1,
    test=2,
    tomh=5,
    reproduction=1,
    deep_train=2,
    deep_validation=1,
    deep=3,
)
"""The sizes of a small build of hi_tom."""
LEAST = sized("mindgames", train=1, validation=1, test=1, scale=1, reproduction=2)
"""The sizes of the least build of mindgames."""
PLAIN = {
    "hi_tom": ("--preset", "tiny", "--only", "all,tomh,reproduction", "--probe", "none"),
    "mindgames": ("--preset", "tiny", "--only", "all,scale,reproduction", "--probe", "none"),
}
"""Builds without what takes long to draw or to prove, for tests of messages, files and commands."""
PLAIN_ROWS = {"hi_tom": 5 * (6 + 3 + 6 + 6) + 27, "mindgames": 4 * 4 * (6 + 3 + 6 + 1) + 4 * 4}
STORIES = 6 + 3 + 6 + 27 + 6 + 6 + 6 + 22 + 2 + 10 + 2 * (6 + 3 + 6 + 10 + 4) + 3 * (6 + 3 + 6 + 4)
"""The stories of the tiny build of hi_tom, those told in two more languages counted again."""
BLOCKS = 4 * (6 + 3 + 6 + 1) + 3 * (1 + 1 + 1 + 1) + 3 * (1 + 1 + 6)  # the blocks of the tiny build of mindgames
FILES = {"hi_tom": "2nd_order/test.parquet", "mindgames": "explicit/test.parquet"}
"""A Parquet file of each dataset; of mindgames, the first that `check` reads."""


def folder_with(name, text):
    """Return what makes a folder with one file."""

    def make(target):
        target.mkdir()
        (target / name).write_text(text)

    return make


def a_file(target):
    target.write_text("mine")


def a_link_to_nothing(target):
    target.symlink_to("nowhere")


def a_link_to_an_empty_folder(target):
    (target.parent / "elsewhere").mkdir()
    target.symlink_to("elsewhere")


a_folder_of_someone = folder_with("data.txt", "mine")
a_folder_with_another_record = folder_with("build.json", json.dumps(SOUND_RECORD | {"dataset": "other"}))
FOLDERS = a_folder_of_someone, a_folder_with_another_record
NOT_OURS = (a_file, *FOLDERS)  # what makes a file, or a folder that no build of hi_tom made


def lines_of(path):
    """Return the rows of a file of JSON lines."""
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]
