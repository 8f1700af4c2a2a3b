"""The users of the test Hub, and their tokens."""

from dataclasses import dataclass
from typing import Literal

# Tokens look like real ones, 37 characters. They stand nowhere at full length, so that no scanner reports them.
WRITE = "hf_WriteOfMeForTests".ljust(37, "0")
READ = "hf_ReadOfMeForTests".ljust(37, "0")
EXPIRED = "hf_ExpiredOfMeForTests".ljust(37, "0")
SOMEBODY = "hf_WriteOfSomebodyForTests".ljust(37, "0")


@dataclass(frozen=True, slots=True)
class User:
    """Hold who owns a token, and what the token may do."""

    name: str  # of the user
    role: Literal["write", "read"] = "write"  # what the token allows
    orgs: tuple[str, ...] = ()  # organisations whose repositories the user may write
    expired: bool = False  # whether the token is no longer valid


USERS = {
    WRITE: User("me", "write", ("tom-lab",)),
    READ: User("me", "read", ("tom-lab",)),
    EXPIRED: User("me", "write", ("tom-lab",), expired=True),
    SOMEBODY: User("somebody"),
}
"""The user of each token."""
