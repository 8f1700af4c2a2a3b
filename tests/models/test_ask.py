"""Ask a real small model by the command, and score what it says."""

import json

import pytest
from support import refused

pytestmark = pytest.mark.models


@pytest.fixture
def ask(run, tiny_build, tmp_path):
    """Return what asks about mindgames' reproduction, whose prompts are the shortest, and returns the replies."""
    words = ("--config", "reproduction", "--out", tiny_build("mindgames"))

    def ask(model, *more):
        file = tmp_path / f"{len(list(tmp_path.iterdir()))}.jsonl"
        ended = run("ask", "mindgames", *words, "--limit", 4, "--model", model, "--to", file, *more)
        return ended, [json.loads(line) for line in file.read_text().splitlines()] if file.exists() else []

    return ask


def test_the_model_is_asked_greedily_by_its_chat_template(ask, smollm2):
    """The package and the folder that was made of it are one model; each reply is the same again."""
    (code, printed, _), replies = ask("smollm2")
    assert code == 0 and "4 replies, 4 of them asked for now; score reads them with --partial" in printed
    _, again = ask(smollm2)
    said = [(reply["id"], reply["response"], reply["finish"]) for reply in replies]
    assert said == [(reply["id"], reply["response"], reply["finish"]) for reply in again]
    for reply in replies:
        usage, text = reply["usage"], reply["response"]
        assert text and "<|im_" not in text and 0 < usage["completion_tokens"] <= 32 < usage["prompt_tokens"] < 300
        assert (reply["finish"] == "length") == (usage["completion_tokens"] == 32)
    _, cut = ask(smollm2, "--max-tokens", 1)
    assert {reply["finish"] for reply in cut} == {"length"}
    assert [reply["response"] for reply in cut] == [reply["response"][: len(short["response"])]
                                                    for reply, short in zip(replies, cut, strict=True)]  # fmt: skip


def test_a_prompt_that_does_not_fit_is_refused_before_anything_is_asked(ask, smollm2, tmp_path, monkeypatch):
    ended, replies = ask(smollm2, "--max-tokens", 8192)
    refused(ended, "holds 8,192 tokens; the prompt ", " its reply up to 8,192: use another model, another config, ")
    assert replies == [] and not list(tmp_path.glob("*.jsonl"))
    (code, printed, _), replies = ask(smollm2, "--max-tokens", 8192, "--skip-long")
    assert code == 0 and "0 replies, 0 of them asked for now; score reads them with --partial" in printed
    assert replies == []
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", True)  # no network is waited for
    ended, _ = ask("nowhere/at-all")
    refused(ended, "nowhere/at-all cannot be loaded: ")


@pytest.mark.parametrize("window", [None, 16])
def test_what_prompts_share_is_kept_and_changes_no_reply(smollm2, tmp_path, window):
    """A window that is shorter than the prompts forgets what they share; a whole cache is cut."""
    from transformers import AutoModelForCausalLM, AutoTokenizer, MistralConfig, set_seed

    from tom_datasets.training.models import Local

    set_seed(0)
    tokenizer = AutoTokenizer.from_pretrained(smollm2)
    sizes = {"hidden_size": 32, "intermediate_size": 32, "num_hidden_layers": 2, "num_attention_heads": 2}
    config = MistralConfig(vocab_size=len(tokenizer), sliding_window=window, num_key_value_heads=2, **sizes)
    AutoModelForCausalLM.from_config(config).save_pretrained(tmp_path)
    tokenizer.save_pretrained(tmp_path)
    shared = "The pear is in the red box. Anna left the room. " * 5
    prompts = [
        f"{shared}Where is the pear?",
        f"{shared}Where does Anna think the pear is?",
        f"{shared}Who left?",
        shared,
    ]
    kept = Local(str(tmp_path))
    assert any(kept.cache.is_sliding) == (window is not None)
    for prompt in prompts:
        assert kept.answer(prompt, 8)["response"] == Local(str(tmp_path)).answer(prompt, 8)["response"], prompt
