"""Train a real small model by the lines of docs/how_to/train.md, and count what of each reply reaches the loss."""

import json
import re

import pytest
from support import ROOT

pytestmark = pytest.mark.models

PAGE = (ROOT / "docs" / "how_to" / "train.md").read_text(encoding="utf-8")
(SFT,) = [block for block in re.findall(r"```py\n(.*?)```", PAGE, re.DOTALL) if "SFTTrainer" in block]


@pytest.fixture
def exported(run, tiny_build, tmp_path):
    """Return what writes the train rows of a config of hi_tom as chats, and returns their lines."""

    def exported(config, count, *words):
        file = tmp_path / "deep.jsonl"
        assert run("export", "hi_tom", "--out", tiny_build("hi_tom"), "--config", config, "--to", file, *words)[0] == 0
        lines = file.read_text(encoding="utf-8").splitlines()[:count]
        file.write_text("\n".join(lines) + "\n", encoding="utf-8")
        return [json.loads(line) for line in lines]

    return exported


@pytest.fixture
def no_weights(smollm2, tmp_path):
    """Return a folder with SmolLM2's tokenizer and a model of one small layer, for what does not depend on weights."""
    from transformers import AutoConfig, AutoModelForCausalLM, AutoTokenizer

    shape = dict(num_hidden_layers=1, hidden_size=16, intermediate_size=16, num_attention_heads=2, head_dim=8)
    config = AutoConfig.from_pretrained(smollm2, **shape, num_key_value_heads=1)
    AutoModelForCausalLM.from_config(config).save_pretrained(tmp_path / "small")
    AutoTokenizer.from_pretrained(smollm2).save_pretrained(tmp_path / "small")
    return tmp_path / "small"


def trained_on(code, model, folder, monkeypatch):
    """Run the lines of the page up to the training itself; return the texts that each example's loss is taken over."""
    from trl import SFTTrainer

    monkeypatch.chdir(folder)
    made = []
    monkeypatch.setattr(SFTTrainer, "train", lambda self: made.append(self))
    exec(code, {"MODEL": str(model)})
    (trainer,) = made
    texts = []
    for example in trainer.train_dataset:
        batch = trainer.data_collator([example])
        labels = batch["labels"][0].tolist()
        texts.append(trainer.processing_class.decode([label for label in labels if label != -100]))
    return texts


@pytest.mark.parametrize("config", ["deep", "1st_order", "ladder"])
def test_the_whole_reply_reaches_the_loss_and_nothing_else(exported, no_weights, tmp_path, monkeypatch, config):
    words = ("--split", "test", "--reply", "answer") if config == "ladder" else ()  # the others are explained
    rows = exported(config, 10, *words)
    texts = trained_on(SFT, no_weights, tmp_path, monkeypatch)
    replies = [row["completion"][0]["content"] for row in rows]
    assert [text.strip().removesuffix("<|im_end|>") for text in texts] == replies


def test_without_the_advice_of_the_page_nothing_of_deep_reaches_the_loss(exported, no_weights, tmp_path, monkeypatch):
    """Where TRL no longer cuts, the page need not warn. It leaves out examples of which nothing is left."""
    exported("deep", 10)
    assert "max_length=None, " in SFT
    texts = trained_on(SFT.replace("max_length=None, ", ""), no_weights, tmp_path, monkeypatch)
    assert not any(texts)


def test_the_lines_of_the_page_train_the_model(exported, smollm2, tmp_path, monkeypatch):
    from safetensors.torch import load_file

    exported("tomh", 2, "--split", "test", "--reply", "answer")  # short ones
    monkeypatch.chdir(tmp_path)
    exec(SFT, {"MODEL": str(smollm2)})
    (after,) = (tmp_path / "out").rglob("model.safetensors")
    before, after = load_file(smollm2 / "model.safetensors"), load_file(after)
    assert before.keys() == after.keys()
    assert any(not before[name].equal(after[name].to(before[name].dtype)) for name in before)
