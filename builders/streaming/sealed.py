"""The seal: a packed set of hashes of the problems in the default test builds, which no stream yields.

The file is one line of JSON, then the hashes, 8 bytes each, sorted. The line says which version of the generator the
problems are of, how many there are, and the SHA-256 of the hashes.
"""

import json
from collections.abc import Iterable
from functools import cache
from hashlib import blake2b, sha256
from pathlib import Path

from .. import GENERATOR_VERSION
from ..errors import UserError
from ..files import written_beside

FILE = Path(__file__).with_name("sealed.bin")  # the seal that comes with the project

WIDTH = 8  # bytes of a hash: two problems of a million share one about once in 40 million streams

REMEDY = "install the project again (maintainers: make seal)"


def hash_of(dataset: str, key: str) -> bytes:
    """Return the hash of a problem, given the key that it shares with its renamings."""
    return blake2b(f"{dataset} {key}".encode(), digest_size=WIDTH).digest()


def write(hashes: Iterable[bytes], path: Path = FILE) -> int:
    """Write a seal; return how many hashes it has."""
    distinct = sorted(set(hashes))
    packed = b"".join(distinct)
    about = {"generator_version": GENERATOR_VERSION, "problems": len(distinct), "sha256": sha256(packed).hexdigest()}
    with written_beside(path) as (partial,):
        partial.write_bytes(json.dumps(about).encode() + b"\n" + packed)
    return len(distinct)


@cache
def read(path: Path = FILE) -> frozenset[bytes]:
    """Return the hashes of a seal. Raises UserError where it is missing, damaged, or of another generator version."""
    try:
        line, _, packed = path.read_bytes().partition(b"\n")
        about = json.loads(line)
        version, count, checksum = (about[name] for name in ("generator_version", "problems", "sha256"))
    except FileNotFoundError:
        raise UserError(f"{path} is missing, so streams cannot leave out test problems; {REMEDY}") from None
    except (ValueError, LookupError, TypeError):
        raise UserError(f"{path} is not a seal: its first line is wrong; {REMEDY}") from None
    if version != GENERATOR_VERSION:
        raise UserError(
            f"{path} has the test problems of generator {version}, and this is {GENERATOR_VERSION}; {REMEDY}"
        )
    if sha256(packed).hexdigest() != checksum or len(packed) != count * WIDTH:
        raise UserError(f"{path} is damaged: its checksum is not the one in its first line; {REMEDY}")
    return frozenset(packed[start : start + WIDTH] for start in range(0, len(packed), WIDTH))
