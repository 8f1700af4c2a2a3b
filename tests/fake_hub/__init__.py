"""A small Hugging Face Hub on loopback, for tests and for trying a publication without the real Hub.

It answers what the clients `huggingface_hub` and `datasets` ask to publish a repository and to load it. A process uses
it with HF_ENDPOINT, HF_TOKEN, HF_HOME and HF_HUB_DISABLE_XET=1 in its environment. `PYTHONPATH=tests python -m
fake_hub` serves until interrupted.

Large files travel by a second port, the storage, as they travel by another host on the real Hub: the client must not
send its token there, and the storage takes signed addresses only. Everything is held in memory.
"""

from fake_hub.cards import check_card, check_eval
from fake_hub.hub import Hub
from fake_hub.repository import Blob
from fake_hub.users import EXPIRED, READ, SOMEBODY, WRITE

__all__ = ["EXPIRED", "READ", "SOMEBODY", "WRITE", "Blob", "Hub", "check_card", "check_eval"]
