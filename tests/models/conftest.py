"""The real language model of these tests: SmolLM2-135M-Instruct, which is an ordinary package (`make test-models`)."""

import pytest


@pytest.fixture(scope="session")
def smollm2(tmp_path_factory):
    """Return the folder of the model, as transformers loads it."""
    from tom_datasets.training.models import packaged

    return packaged("smollm2", tmp_path_factory.mktemp("models") / "smollm2")
