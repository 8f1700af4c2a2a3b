"""Train tiny probes, from scratch and from a checkpoint, and score by them (`make test-trainers`)."""

import contextlib
import io
import json
import shutil
import sys
from dataclasses import replace
from functools import partial
from pathlib import Path

import numpy as np
import pytest

torch = pytest.importorskip("torch")  # here as the tests are collected, even where they are not asked for

import tokenizers  # noqa: E402
import transformers  # noqa: E402
from support import contents, listed, refused

from tom_datasets.__main__ import main  # noqa: E402
from tom_datasets.builds.making import make
from tom_datasets.configs import size_options
from tom_datasets.dataset import dataset_named
from tom_datasets.difficulty.masking import PLACEHOLDERS, SPECIAL, MaskedRow, mask_row, two_texts
from tom_datasets.difficulty.probe import UNSCORED, Probe, ProbeError
from tom_datasets.training import probe as trainer  # noqa: E402
from tom_datasets.training.probe import fine_tune, fit, new_model, padded, train, write
from tom_datasets.training.recipes import ARCHITECTURE, RECIPES, TUNED_ON, to_train_on

pytestmark = pytest.mark.trainers

NAMES = tuple(RECIPES)
SIZES = {
    "hi_tom": {"train": 1, "validation": 1, "test": 2, "tomh": 3, "reproduction": 1}
    | {"deep": 1, "deep_train": 1, "deep_validation": 1},
    "mindgames": {"train": 1, "validation": 1, "test": 1, "scale": 1, "reproduction": 2},
}
"""The default sizes of these tests."""
NO_NETWORK = "the embedded probe needs no network: leave out PROBE"


@pytest.fixture(scope="module", autouse=True)
def tiny():
    """Let recipes and default sizes be tiny, and nothing use more than one thread."""
    threads = torch.get_num_threads()
    torch.set_num_threads(1)  # the machine may have no more to give, and the models are small
    with pytest.MonkeyPatch.context() as patch:
        small = {"hidden_size": 32, "num_attention_heads": 2, "intermediate_size": 64, "pooler_hidden_size": 32}
        patch.setattr(trainer, "ARCHITECTURE", ARCHITECTURE | small)
        patch.setattr(trainer, "WARM", 5)
        for name in NAMES:
            recipe = RECIPES[name]
            sources = {key: replace(source, probe=4) for key, source in recipe.sources.items()}
            stages = ((tuple(sources)[:1], 10), (tuple(sources), 20))
            patch.setitem(RECIPES, name, replace(recipe, layers=1, batch=8, sources=sources, stages=stages))
            patch.setitem(TUNED_ON, name, replace(TUNED_ON[name], probe=2))
            patch.setattr(dataset_named(name), "built", smaller(dataset_named(name).built, SIZES[name]))
        yield
    torch.set_num_threads(threads)


def smaller(built, sizes):
    """Return the configs of a build with other default sizes, by the names of their options; 0 for those left out."""
    options = size_options(built)
    return tuple(
        replace(config, **{one.field: sizes.get(one.name, 0) for one in options if config.name in one.configs})
        for config in built
    )


def rows_of(name: str, config) -> list[dict]:
    """Return the rows of a config, as the command line gives them to the trainer."""
    return [row for _, row in make(name, [config], 1)]


def published(name: str) -> list[tuple[str, MaskedRow]]:
    """Return the masked rows of the default build, each with its file."""
    unscored = [replace(config, scorer=None) for config in dataset_named(name).built if config.scorer]
    return [(file, mask_row(row)) for file, row in make(name, unscored, 1)]


def recipe_of(folder: Path, name: str) -> dict:
    return json.loads((folder / f"{name}.json").read_text(encoding="utf-8"))


def noted(patch: pytest.MonkeyPatch, then=write) -> list[tuple[torch.nn.Module, dict]]:
    """Return a list that gets each model that is written, with its recipe; `then` writes it."""
    calls = []

    def note(folder, dataset, model, described, published) -> None:
        calls.append((model, described))
        then(folder, dataset, model, described, published)

    patch.setattr(trainer, "write", note)
    return calls


@pytest.fixture
def written(monkeypatch) -> list[tuple[torch.nn.Module, dict]]:
    """Let nothing be exported or written; return what would be."""
    return noted(monkeypatch, lambda *_: None)


def logits(model: torch.nn.Module, ids: list[int]) -> np.ndarray:
    """Return what torch gives for one row."""
    with torch.no_grad():
        row = torch.tensor([ids])
        return model.eval()(input_ids=row, attention_mask=torch.ones_like(row))[0][0].numpy()


def chances(model: torch.nn.Module, ids: list[int], options: tuple[int, ...]) -> dict[int, float]:
    """Return the probabilities of the options of one row by torch."""
    powers = np.exp(logits(model, ids)[: len(options)].astype(np.float64))
    return dict(zip(options, powers / powers.sum(), strict=True))


# A planted rule.

WORDS = [f"w{number}" for number in range(10)]
VOCABULARY = [*SPECIAL, *PLACEHOLDERS, *WORDS, "yes", "no"]


def number(tokens) -> list[int]:
    return [VOCABULARY.index(token) for token in tokens]


def planted(count: int, seed: int) -> list[MaskedRow]:
    """Return masked rows of 6 to 15 words, one of which, anywhere, is yes or no and decides the label."""
    drawn = np.random.default_rng(seed)
    masked_rows = []
    for _ in range(count):
        words = [str(word) for word in drawn.choice(WORDS, drawn.integers(3, 12))]
        label = int(drawn.integers(2))
        words.insert(int(drawn.integers(len(words) + 1)), ("no", "yes")[label])
        masked_rows.append(MaskedRow(("[CLS]", "a0", "[SEP]", *words), (0, 1), label))
    return masked_rows


def lessons(masked_rows):
    """Return the lessons of masked rows."""
    return [(np.array(number(masked.tokens), dtype=np.int32), masked.right) for masked in masked_rows]


@pytest.fixture(scope="module")
def learnt(tiny, tmp_path_factory) -> tuple[Path, torch.nn.Module, list[MaskedRow]]:
    """Train on a planted rule; return the probe's folder, the model, and masked rows that it has not seen."""
    torch.manual_seed(1)
    model, rows = new_model(len(VOCABULARY), 2, 1, 32), lessons(planted(512, 1))
    fit(model, [(rows, 100), (rows, 100)], 32, 3e-3, "planted")
    unseen = planted(200, 2)
    folder = tmp_path_factory.mktemp("learnt") / "of" / "it"
    described = {"name": "planted", "checkpoint": None, "classes": 2, "limit": 32, "vocabulary": VOCABULARY}
    files = ["forehead/test.parquet"] * 150 + ["scale/test.parquet"] * 30 + ["forehead/train.parquet"] * 20
    write(folder, "mindgames", model, described, list(zip(files, unseen, strict=True)))
    return folder, model, unseen


def test_training_learns_what_is_planted(learnt):
    folder, model, unseen = learnt
    loaded = Probe(folder, "mindgames")
    scores = [loaded.score(masked) for masked in unseen]
    right = [score["deberta_pred"] == masked.right for score, masked in zip(scores, unseen, strict=True)]
    assert sum(right) / len(right) > 0.95
    assert sum(score["deberta_confidence"] for score in scores) / len(scores) > 0.9, "and it is sure of it"
    # Only the rows of test files are counted, by their configs.
    assert loaded.right == {"forehead": [sum(right[:150]), 150], "scale": [sum(right[150:180]), 30]}
    # Large weights are kept in 16 bits, and nothing of who made them, or when.
    data = (folder / "mindgames.onnx").read_bytes()
    assert len(data) < 2 * sum(weight.numel() for weight in model.parameters()) + 40_000
    assert b"/builders/" not in data and b"site-packages" not in data
    assert listed(folder) == ["mindgames.json", "mindgames.onnx"]


def test_onnx_gives_what_torch_gives_at_every_length(learnt):
    folder, model, unseen = learnt
    loaded = Probe(folder, "mindgames")
    one = MaskedRow(("[CLS]", "a0", "[SEP]", "yes"), (0, 1), 1)
    longest = MaskedRow(("[CLS]", "a0", "[SEP]", *WORDS, *WORDS, "no", *WORDS[:8]), (0, 1), 0)
    assert len(longest.tokens) == loaded.limit
    for masked in (one, longest, *unseen):
        ids = number(masked.tokens)
        assert np.abs(loaded._run(np.array([ids])) - logits(model, ids)).max() < 2e-3
        assert loaded.chances(masked) == pytest.approx(chances(model, ids, (0, 1)), abs=2e-3)
    unknown = MaskedRow(("[CLS]", "a0", "[SEP]", "yes", "never heard"), (0, 1), 1)
    ids = [*number(unknown.tokens[:-1]), SPECIAL.index("[UNK]")]
    assert loaded.chances(unknown) == pytest.approx(chances(model, ids, (0, 1)), abs=2e-3)
    # Rows are trained in batches, padded, and scored alone: padding changes nothing.
    ids, mask, targets = padded(lessons(unseen[:8]))
    assert mask.sum(1).tolist() == [len(masked.tokens) for masked in unseen[:8]] and ids.shape == mask.shape
    assert targets.tolist() == [masked.right for masked in unseen[:8]]
    with torch.no_grad():
        together = model.eval()(input_ids=ids, attention_mask=mask)[0].numpy()
    for masked, row in zip(unseen, together, strict=False):
        assert np.abs(row - logits(model, number(masked.tokens))).max() < 1e-4


# From scratch.


@pytest.mark.parametrize("name", NAMES)
def test_what_looks_like_a_published_row_is_left_out_and_counted(written, name):
    configs = {key: to_train_on(name, source) for key, source in RECIPES[name].sources.items()}
    made = {key: [mask_row(row) for row in rows_of(name, config)] for key, config in configs.items()}
    every = [masked for masked_rows in made.values() for masked in masked_rows]
    known = every[::3]
    train(name, partial(rows_of, name), [("any/train.parquet", masked) for masked in known], None)
    ((_, described),) = written
    out = {masked.tokens for masked in known}
    assert described["left_out"] == sum(masked.tokens in out for masked in every) >= len(known)
    assert described["rows"] == {
        source: sum(masked.tokens not in out for masked in masked_rows) for source, masked_rows in made.items()
    }
    # What only published rows say is not known to the probe either.
    left = {token for masked in every if masked.tokens not in out for token in masked.tokens}
    assert described["vocabulary"][: len(SPECIAL) + len(PLACEHOLDERS)] == [*SPECIAL, *PLACEHOLDERS]
    assert set(described["vocabulary"]) == {*SPECIAL, *PLACEHOLDERS} | left


@pytest.mark.parametrize("name", NAMES)
def test_the_same_seed_gives_the_same_weights(written, name):
    for disturbed in (1, 2):
        torch.manual_seed(disturbed)  # what was drawn before must not matter
        train(name, partial(rows_of, name), [], None)
    (first, described), (second, again) = ((model.state_dict(), recipe) for model, recipe in written)
    assert first.keys() == second.keys() and all(torch.equal(first[weight], second[weight]) for weight in first)
    assert described | {"minutes": None} == again | {"minutes": None}


@pytest.fixture(scope="module")
def trained(tiny, tmp_path_factory):
    """Train the tiny probe of hi_tom by the command, where another lies; return its folder, the model, what it said."""
    here = tmp_path_factory.mktemp("trained")
    (here / "probe").mkdir()
    (here / "probe" / "mindgames.onnx").write_bytes(b"another's")
    with pytest.MonkeyPatch.context() as patch, contextlib.redirect_stdout(io.StringIO()) as printed:
        patch.chdir(here)
        calls = noted(patch)
        assert main(["probe", "hi_tom"]) == 0
    return here / "probe", calls[0][0], printed.getvalue()


def test_a_trained_probe_scores_as_its_model_does(trained):
    folder, model, _ = trained
    assert listed(folder) == ["hi_tom.json", "hi_tom.onnx", "mindgames.onnx"]
    assert (folder / "mindgames.onnx").read_bytes() == b"another's"
    loaded, recipe = Probe(folder, "hi_tom"), recipe_of(folder, "hi_tom")
    words = recipe["vocabulary"]
    for _, masked in published("hi_tom"):
        ids = [words.index(token) if token in words else SPECIAL.index("[UNK]") for token in masked.tokens]
        assert loaded.chances(masked) == pytest.approx(chances(model, ids, masked.options), abs=2e-3)
        assert tuple(loaded.chances(masked)) == masked.options


# Nothing half-written.


def interrupted(*_, **__):
    raise KeyboardInterrupt


def disk_full(*_, **__):
    raise OSError(28, "No space left on device", "mindgames.onnx")


STOPPED = {
    "in fit": ([(torch.nn.utils, "clip_grad_norm_", interrupted)], 130, "interrupted"),
    "in export": ([(trainer, "export", interrupted)], 130, "interrupted"),
    "in counting": ([(trainer, "Probe", interrupted)], 130, "interrupted"),
    "disk full": ([(Path, "write_bytes", disk_full)], 1, "error: mindgames.onnx: No space left on device"),
    "what cannot be loaded": ([], 1, "mindgames.onnx cannot be loaded by onnxruntime"),
}
"""What is replaced, and how the command ends then; nothing is really exported."""


@pytest.mark.parametrize("where", STOPPED)
def test_training_that_ends_early_leaves_nothing_and_the_old_probe_as_it_was(run, tmp_path, monkeypatch, where):
    stops, code, words = STOPPED[where]
    old = tmp_path / "old"
    old.mkdir()
    for file in ("mindgames.json", "mindgames.onnx"):
        (old / file).write_text("as it was")
    before = contents(old)
    monkeypatch.setattr(trainer, "export", lambda *_: b"weights")
    for stop in stops:
        monkeypatch.setattr(*stop)
    for folder in (old, tmp_path / "new" / "probe"):
        got, printed, errors = run("probe", "mindgames", "--folder", folder)
        assert (got, printed) == (code, "")
        last = errors.splitlines()[-1]
        assert words in last and "Traceback" not in errors
        assert "nothing half-written was left" in last or not stops
    assert listed(tmp_path) == ["old"] and contents(old) == before


# From a checkpoint.


def new_checkpoint(folder: Path, longest: int = 512) -> Path:
    """Write a tiny random DeBERTa-v2 without a head, as the Hub has them, and a tokenizer that knows some words."""
    words = dict.fromkeys(
        word for _, masked in published("mindgames") for text in two_texts(masked.tokens) for word in text.split()
    )
    known = {word: place for place, word in enumerate([*SPECIAL, *words][:90])}
    tokenizer = tokenizers.Tokenizer(tokenizers.models.WordLevel(known, unk_token="[UNK]"))
    tokenizer.pre_tokenizer = tokenizers.pre_tokenizers.Whitespace()
    tokenizer.post_processor = tokenizers.processors.TemplateProcessing(
        single="[CLS] $A [SEP]",
        pair="[CLS] $A [SEP] $B [SEP]",
        special_tokens=[(token, known[token]) for token in ("[CLS]", "[SEP]")],
    )
    tokenizer.enable_truncation(8)  # a checkpoint may come with either
    tokenizer.enable_padding(length=64)
    special = {"pad_token": "[PAD]", "unk_token": "[UNK]", "cls_token": "[CLS]", "sep_token": "[SEP]"}
    fast = transformers.PreTrainedTokenizerFast(tokenizer_object=tokenizer, model_max_length=longest, **special)
    fast.save_pretrained(folder)
    torch.manual_seed(3)
    sizes = {"vocab_size": len(known), "num_hidden_layers": 1, "max_position_embeddings": 512, "position_buckets": 16}
    config = transformers.DebertaV2Config(**trainer.ARCHITECTURE | sizes)
    transformers.DebertaV2Model(config).save_pretrained(folder)
    return folder


@pytest.fixture(scope="module")
def checkpoint(tiny, tmp_path_factory) -> Path:
    """Make a checkpoint that reads 100 tokens, fewer than some rows have."""
    return new_checkpoint(tmp_path_factory.mktemp("checkpoint") / "tiny-deberta", 100)


@pytest.fixture(scope="module")
def tuned(checkpoint, tmp_path_factory):
    """Fine-tune it by the command, where it is run; return the probe's folder, and the model."""
    here = tmp_path_factory.mktemp("tuned")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(here)
        calls = noted(patch)
        assert main(["probe", "mindgames", "--checkpoint", str(checkpoint)]) == 0
    return here / "probes" / str(checkpoint).replace("/", "--"), calls[0][0]


def test_a_fine_tuned_probe_scores_as_its_model_does(checkpoint, tuned):
    folder, model = tuned
    assert listed(folder) == ["mindgames.json", "mindgames.onnx"]
    assert listed(folder.parent.parent) == ["probes"], "the Makefile looks for it there"
    loaded, reader = Probe(folder, "mindgames"), transformers.AutoTokenizer.from_pretrained(checkpoint)
    beyond = 0
    for _, masked in published("mindgames"):
        ids = reader(*two_texts(masked.tokens), truncation=False, padding=False)["input_ids"]
        assert loaded.exceeds_limit(masked) is (len(ids) > 100)
        if len(ids) > 100:
            beyond += 1
            assert loaded.score(masked) == UNSCORED
        else:
            assert loaded.chances(masked) == pytest.approx(chances(model, ids, (0, 1)), abs=2e-3)
    assert 0 < beyond < len(published("mindgames"))


def test_fine_tuning_trains_the_whole_model(written, checkpoint):
    """Both datasets: as many classes as theirs, and no published row."""
    before = transformers.AutoModel.from_pretrained(checkpoint).state_dict()
    for name in NAMES:
        config = to_train_on(name, TUNED_ON[name])
        masked_rows = [mask_row(row) for row in rows_of(name, config)]
        known = [("any/test.parquet", masked) for masked in masked_rows[::4]]
        fine_tune(name, partial(rows_of, name), known, None, str(new_checkpoint(checkpoint.parent / "long", 512)))
        model, described = written.pop()
        weights = model.state_dict()
        assert described["classes"] == RECIPES[name].classes == weights["classifier.weight"].shape[0]
        out = {masked.tokens for _, masked in known}
        assert described["left_out"] == sum(masked.tokens in out for masked in masked_rows) > 0
        assert described["rows"] + described["left_out"] + described["beyond_limit"] == len(masked_rows)
        changed = [key for key in before if not torch.equal(before[key], weights[f"deberta.{key}"])]
        assert any(key.startswith("embeddings.") for key in changed) and any("layer.0" in key for key in changed)


def test_all_rows_too_long_for_a_checkpoint(tiny, tmp_path):
    short = new_checkpoint(tmp_path / "short", 12)
    with pytest.raises(
        ProbeError, match=r"short takes 12 tokens at most, and all rows are longer: choose another one$"
    ):
        fine_tune("mindgames", partial(rows_of, "mindgames"), [], tmp_path / "probe", str(short))
    assert listed(tmp_path) == ["short"]


@pytest.fixture
def offline(monkeypatch) -> None:
    """Let nothing be fetched, as with HF_HUB_OFFLINE=1."""
    import huggingface_hub.constants

    monkeypatch.setenv("HF_HUB_OFFLINE", "1")  # read once, when it was imported
    monkeypatch.setattr(huggingface_hub.constants, "HF_HUB_OFFLINE", True)


SPOILED = {"model.safetensors": [None, 1000], "config.json": [None, 1], "tokenizer.json": [None]}


@pytest.mark.parametrize(("file", "left"), [(file, left) for file, cuts in SPOILED.items() for left in cuts])
def test_a_folder_that_holds_no_checkpoint_is_refused(run, offline, checkpoint, tmp_path, monkeypatch, file, left):
    """A file that is missing, or cut short."""
    monkeypatch.chdir(tmp_path)
    spoilt = Path(shutil.copytree(checkpoint, "mine")) / file
    data = spoilt.read_bytes()
    spoilt.unlink()
    if left:
        spoilt.write_bytes(data[:left])
    result = run("probe", "mindgames", "--checkpoint", "mine")
    refused((*result[:2], own_line(result[2])), "the checkpoint mine cannot be fetched or loaded (", NO_NETWORK)
    assert listed(tmp_path) == ["mine"]


@pytest.mark.parametrize("name", ["no-such/checkpoint", "not a name"])
def test_a_checkpoint_that_cannot_be_fetched_is_refused(run, offline, tmp_path, monkeypatch, name):
    monkeypatch.chdir(tmp_path)
    result = run("probe", "mindgames", "--checkpoint", name)
    refused((*result[:2], own_line(result[2])), f"the checkpoint {name} cannot be fetched or loaded (", NO_NETWORK)
    assert listed(tmp_path) == []


def own_line(errors: str) -> str:
    """Return what a command says, without what transformers says while it loads."""
    return "".join(errors.splitlines(keepends=True)[-1:])


@pytest.mark.parametrize("package", ["torch", "transformers", "onnx", "onnxscript"])
def test_what_is_not_installed_is_named_before_any_row_is_made(run, tmp_path, monkeypatch, package):
    """The packages of the export too, which come last."""
    monkeypatch.setitem(sys.modules, package, None)
    monkeypatch.delitem(sys.modules, "tom_datasets.training.probe")
    monkeypatch.delattr("tom_datasets.training.probe")
    result = run("probe", "mindgames", "--folder", tmp_path / "probe")
    refused(result, f"training needs {package}: pip install 'tom-datasets[build,probe]' (in a clone: make probe)")
    assert listed(tmp_path) == []
