"""A client of the Hub with one token, and one time limit for all calls together, which `interruptible` enforces.

`huggingface_hub` retries uploads, and from 2.0 on lists, by itself. Any other fault ends in an error of one line; the
same command then continues from what is done.
"""

import logging
import re

import huggingface_hub
from huggingface_hub.utils.tqdm import disable_progress_bars

from .network import PublishError, refusing, tokens_page

# Seconds until the first answer in which a dry run gives up; a publication has its whole time limit.
FIRST_ANSWER = 10.0


def read_token(optional: bool = False) -> str | None:
    """Return the user's token. Raises PublishError where there is none that can be sent.

    optional: whether to return None instead where there is no token at all.
    """
    text = huggingface_hub.get_token()
    if not (text or optional):
        raise PublishError(
            "no token was found: run hf auth login, or set HF_TOKEN to a token with write access, made at "
            f"{tokens_page()}"
        )
    if text and not re.fullmatch("[!-~]+", text):
        raise PublishError(f"the token has characters that tokens never have: copy it again from {tokens_page()}")
    return text or None


class Hub:
    """Hold the client with its token, and the time that all calls together may take."""

    def __init__(self, token: str | None, seconds: float) -> None:
        """Set up the client.

        token: None asks as somebody who is not logged in, who may only read what is public.
        seconds: the time limit, which runs while the Hub is used: within `interruptible`.
        """
        self.token = token
        self.limit_time(seconds)
        self.namespaces: list[str] | None = None  # the token's user and organisations; None where nobody was asked
        self.endpoint = huggingface_hub.constants.ENDPOINT
        self.api = huggingface_hub.HfApi(token=token or False)
        huggingface_hub.utils.logging.set_verbosity(logging.ERROR)
        disable_progress_bars()

    def limit_time(self, seconds: float) -> None:
        """Set the time limit."""
        self.limit = self.seconds_left = seconds

    def check_access(self, namespace: str, pull_request: bool = False) -> None:
        """Ask the Hub who owns the token. Raises PublishError where the token cannot write to the namespace.

        Without a token, ask only whether there is a Hub.
        pull_request: whether to propose a change only, which the Hub allows in repositories of others too.
        """
        if not self.token:
            with refusing(self.endpoint):
                self.api.repo_exists(f"{namespace}/any", repo_type="dataset")
            return
        with refusing("who am I"):
            answer = self.api.whoami()
            role = ((answer.get("auth") or {}).get("accessToken") or {}).get("role")
            self.namespaces = [owner["name"] for owner in (answer, *(answer.get("orgs") or ()))]
        user, *organisations = self.namespaces
        if namespace not in self.namespaces and not pull_request:
            owner = f"{user}, a member of {', '.join(organisations)}" if organisations else user
            raise PublishError(
                f"{namespace} is not yours: the token belongs to {owner}; say NAMESPACE={user}, or propose it to "
                f"{namespace} by PR=1"
            )
        if role == "read":
            raise PublishError(
                f"the token of {user} is read-only: make one with write access at {tokens_page()}, then run hf auth "
                "login or set HF_TOKEN"
            )
