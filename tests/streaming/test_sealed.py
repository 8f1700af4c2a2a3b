"""The seal: what it holds, and every way in which it can be wrong."""

import pytest

from tom_datasets import GENERATOR_VERSION
from tom_datasets.errors import UserError
from tom_datasets.streaming import sealed


@pytest.fixture
def seal(tmp_path):
    path = tmp_path / "sealed.bin"
    assert sealed.write((sealed.hash_of("hi_tom", key) for key in ("a", "b", "a")), path) == 2
    return path


def test_what_is_written_is_read(seal):
    assert sealed.read(seal) == {sealed.hash_of("hi_tom", "a"), sealed.hash_of("hi_tom", "b")}
    assert sealed.hash_of("mindgames", "a") not in sealed.read(seal)
    assert len(seal.read_bytes().partition(b"\n")[2]) == 2 * sealed.WIDTH


def test_ours_is_small_and_of_this_version():
    assert sealed.FILE.stat().st_size < 2_000_000
    assert len(sealed.read()) > 10_000


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (None, " is missing, so streams cannot leave out test problems"),
        (lambda text: b"no seal", " is not a seal: its first line is wrong"),
        (lambda text: b"[]\n", " is not a seal: its first line is wrong"),
        (
            lambda text: text.replace(GENERATOR_VERSION.encode(), b"1.0.0"),
            f" has the test problems of generator 1.0.0, and this is {GENERATOR_VERSION}",
        ),
        (lambda text: text[:-1], " is damaged: its checksum is not the one in its first line"),
        (lambda text: text[:-1] + bytes([text[-1] ^ 1]), " is damaged: its checksum is not the one in its first line"),
    ],
)
def test_a_wrong_seal_is_refused_in_one_line(seal, change, message):
    text = seal.read_bytes()
    seal.unlink()
    if change:
        seal.write_bytes(change(text))
    with pytest.raises(UserError) as error:
        sealed.read(seal)
    assert str(error.value) == f"{seal}{message}; install the project again (maintainers: make seal)"
