"""Fine-tune a model by the lines of docs/how_to/train.md, and ask it the same test rows before and after.

`python -m results.finetune mindgames --config reproduction` learns from endless rows, none of which is a problem of the
test split. It runs on the processor or on one GPU, with full weights, and needs no network.
"""

from argparse import ArgumentParser, Namespace
from collections.abc import Sequence
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory

from results import page
from results.reference import WORLDS_OF, command, scored
from results.tables import FIGURES, REPLIES, figures_of, replace_lines, run
from results.worlds import config_in, measure_replies
from tom_datasets import prompts
from tom_datasets.files import write_lines
from tom_datasets.splits import HOUSE
from tom_datasets.streaming.endless import endless
from tom_datasets.training.chat import messages_of
from tom_datasets.training.models import PACKAGES, packaged

SEED = 7  # of the rows to learn from; no dataset is published with it


def train(model: str, file: Path, out: Path, rate: float, epochs: float, batch: int) -> None:
    """Train a model on exported rows, with the arguments of the page and a learning rate; write it to a folder."""
    import torch
    from datasets import load_dataset
    from transformers import AutoTokenizer
    from trl import SFTConfig, SFTTrainer

    rows = load_dataset("json", data_files=str(file), split="train", cache_dir=str(file.parent / "cache"))
    batches = {"per_device_train_batch_size": batch, "gradient_accumulation_steps": max(1, 8 // batch)}
    schedule = {"learning_rate": rate, "num_train_epochs": epochs, "lr_scheduler_type": "cosine", "warmup_steps": 10}
    args = SFTConfig(
        output_dir=str(out), max_length=None, bf16=torch.cuda.is_available(), **batches, **schedule,
        report_to=[], save_strategy="no", logging_steps=5, seed=0,
    )  # fmt: skip
    trainer = SFTTrainer(model=model, args=args, train_dataset=rows)
    trainer.train()
    trainer.save_model(str(out))
    AutoTokenizer.from_pretrained(model).save_pretrained(out)


def write_examples(args: Namespace, file: Path) -> None:
    """Write rows to learn from as the command `export` writes those of a build: a prompt, and its completion."""
    rules = prompts.default_rules(args.config, {})
    rows = islice(endless(args.dataset, args.config, seed=SEED), args.examples)
    pairs = (messages_of(row, rules=rules, reply=args.reply) for row in rows)
    write_lines(file, ({"prompt": [asks], "completion": [says]} for asks, says in pairs))


def asked(args: Namespace, model: str, reader: str, examples: int) -> None:
    """Ask a model the test rows, in all worlds if it is to be; put its figures in the place of older ones.

    examples: how many rows it has learnt, 0 before it was tuned.
    """
    said = ("--reply", args.reply, "--max-tokens", args.max_tokens, "--model", model, "--name", reader)
    for world in (HOUSE, *(WORLDS_OF[args.dataset] if args.worlds else ())):
        config = config_in(world, args.config)
        file = REPLIES / reader / f"{args.dataset}_{config}.jsonl"
        if examples:
            file.unlink(missing_ok=True)  # of a model that was tuned by an older run
        rows = ("--config", config, "--out", args.out, "--limit", args.rows)
        command("ask", args.dataset, *rows, *said, "--to", file)
    file = REPLIES / reader / f"{args.dataset}_{args.config}.jsonl"
    scores = scored(args.dataset, "--config", args.config, "--out", args.out, "--responses", file)["all"]["tables"]
    data = f"{args.dataset} {args.config}"
    figures = [figure | {"examples": examples} for figure in figures_of(scores["all"], data)]
    replace_lines(FIGURES, "reader", reader, figures)
    if args.worlds:
        measure_replies(reader, args.out)


def main(words: Sequence[str] | None = None) -> None:
    """Ask, train and ask again; write the page anew."""
    parser = ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("dataset", choices=("hi_tom", "mindgames"))
    parser.add_argument("--config", required=True)
    parser.add_argument("--reply", choices=("explained", "answer"), default="answer", help="as for the command export")
    parser.add_argument("--model", default="smollm2", help="as for the command ask (default: %(default)s)")
    parser.add_argument("--examples", type=int, default=50, help="rows to learn from (default: %(default)s)")
    parser.add_argument("--epochs", type=float, default=1, help="how often each is seen (default: %(default)s)")
    parser.add_argument("--batch", type=int, default=1, help="rows at once; eight are a step (default: %(default)s)")
    parser.add_argument("--rate", type=float, default=2e-4, help="highest learning rate (default: %(default)s)")
    parser.add_argument("--rows", type=int, default=300, help="test rows that are asked (default: %(default)s)")
    parser.add_argument("--max-tokens", type=int, default=32, help="of a reply (default: %(default)s)")
    parser.add_argument("--worlds", action="store_true", help="ask it in the other worlds too, which it never saw")
    parser.add_argument("--keep", type=Path, metavar="FOLDER", help="where to keep the tuned model (default: nowhere)")
    parser.add_argument("--out", type=Path, default=Path("."), help="the folder that holds the builds")
    args = parser.parse_args(words)
    name = args.model.rstrip("/").rpartition("/")[2]
    with TemporaryDirectory() as folder:
        exported, tuned = Path(folder, "train.jsonl"), args.keep or Path(folder, "tuned")
        before = str(packaged(args.model, Path(folder, args.model))) if args.model in PACKAGES else args.model
        write_examples(args, exported)
        asked(args, before, f"{name}, before {args.dataset} {args.config}", 0)
        train(before, exported, tuned, args.rate, args.epochs, args.batch)
        after = f"{name}, after {args.examples:,} rows of {args.dataset} {args.config}"
        asked(args, str(tuned), after, args.examples)
    page.write()


if __name__ == "__main__":
    run(main)
