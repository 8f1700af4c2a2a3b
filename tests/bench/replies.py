"""Measure the processor time to read and to pay replies of a megabyte (`make bench`)."""

import time

from tom_datasets.answers.rewards import reward
from tom_datasets.answers.scores import read_reply

LENGTH = 1_000_000
CHOICES = ("red_box", "blue_crate", "green_bucket")
READERS = {
    "containers": lambda reply: read_reply("hi_tom", reply, CHOICES),
    "labels": lambda reply: read_reply("mindgames", reply, ()),
    "reward": lambda reply: reward(reply, {"choices": CHOICES, "answer": "red_box"}),
}
SHAPES = (
    "_", "\n", " ", "answer ", "B or ", "The answer is B. ", "A: ", "true if not ", "knows that it is true ",
    "\\boxed{B} ", "</think>", "\n\nQuestion: ", "Line 2: it. ", "ﷺ",
)  # fmt: skip


def main() -> None:
    """Print the longest time of each reader over all shapes."""
    for name, read in READERS.items():
        times = {}
        for shape in SHAPES:
            reply = (shape * (LENGTH // len(shape) + 1))[:LENGTH]
            start = time.process_time()
            read(reply)
            times[shape] = time.process_time() - start
        longest = max(times, key=times.__getitem__)
        print(f"{name} of a reply of 10^6 characters: {times[longest]:.2f} s at most, for {longest!r} again and again")


if __name__ == "__main__":
    main()
