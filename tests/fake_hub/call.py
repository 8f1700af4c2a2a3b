"""One request as the Hub reads it: its address, its user, and what that user may do."""

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING
from urllib.parse import parse_qs, unquote, urlsplit

from fake_hub.answers import RefusedError, refusal
from fake_hub.repository import KINDS, Repo, key_of
from fake_hub.users import User

if TYPE_CHECKING:
    from fake_hub.hub import Hub


class Call:
    """Hold one request and its user. Methods raise RefusedError where the user may not do something."""

    def __init__(self, hub: "Hub", method: str, address: str, headers: Mapping[str, str], body: bytes, token: str):
        self.hub, self.method, self.address = hub, method, address
        self.headers, self.body, self.token = headers, body, token
        url = urlsplit(address)
        self.segments = [unquote(part) for part in url.path.strip("/").split("/")]
        self.query = {name: values[-1] for name, values in parse_qs(url.query).items()}
        self.user: User | None = None

    def authenticate(self) -> User | None:
        """Return the owner of the token, None where no token came. Raises RefusedError where the token is not valid."""
        if not self.token:
            return None
        user = self.hub.users.get(self.token)
        if user is None:
            at_whoami = self.segments == ["api", "whoami-v2"]
            raise refusal(
                401, "Invalid username or password." if at_whoami else "Invalid credentials in Authorization header"
            )
        if user.expired:
            raise self.unauthorized(f'User Access Token "{user.label}" is expired')
        return user

    def unauthorized(self, message: str) -> RefusedError:
        """Make a refusal with status 401.

        Clients report any 401 about a repository as one not found. They recognise such an address by its https, which
        is missing here: so the error code says it.
        """
        about_repo = self.segments[1:2] and self.segments[1] in KINDS or "resolve" in self.segments
        return refusal(401, message, "RepoNotFound" if about_repo else None)

    def json_body(self) -> dict:
        """Return the request's body as JSON."""
        try:
            value = json.loads(self.body or b"{}")
        except ValueError as error:
            raise refusal(400, f"Invalid JSON: {error}") from error
        if not isinstance(value, dict):
            raise refusal(400, "Invalid JSON: not an object")
        return value

    def find_repo(self, kinds: str, space: str, name: str) -> Repo:
        """Return a repository that the user may see. Raises RefusedError where it is private or does not exist."""
        repo = self.hub.repos.get(key_of(KINDS[kinds], f"{space}/{name}"))
        if repo is not None and (not repo.private or self.owns(space)):
            return repo
        if self.user is None:
            raise refusal(401, "Invalid username or password.", "RepoNotFound")
        raise refusal(404, "Repository not found", "RepoNotFound")

    def owns(self, space: str) -> bool:
        """Return whether a namespace belongs to the user or to one of their organisations."""
        return self.user is not None and space in (self.user.name, *self.user.orgs)

    def require_writer(self) -> User:
        """Return the user. Raises RefusedError where the token may not write at all."""
        if self.user is None:
            raise self.unauthorized("Invalid username or password.")
        if self.user.role != "write":
            raise refusal(403, "Forbidden: you must use a write token to upload to a repository")
        return self.user

    def require_write_access(self, repo: Repo, pull: bool = False) -> User:
        """Return the user. Raises RefusedError where they may not change the repository, or propose a change (pull)."""
        user = self.require_writer()
        if not pull and not self.owns(repo.name.partition("/")[0]):
            raise refusal(403, "Forbidden: pass `create_pr=1` as a query parameter to create a Pull Request")
        return user

    def require_commit_access(self, repo: Repo, rev: str) -> User:
        """Return the user. Raises RefusedError where they may not commit to this branch or pull request."""
        authors = {f"refs/pr/{discussion.num}": discussion.author for discussion in repo.discussions}
        user = self.require_writer()
        return self.require_write_access(repo, pull=self.query.get("create_pr") == "1" or authors.get(rev) == user.name)

    def require_read_access(self, repo: Repo) -> None:
        """Raise RefusedError where the repository is gated and the user does not own it."""
        if not repo.gated or self.owns(repo.name.partition("/")[0]):
            return
        where = f"Access to {repo.kind} {repo.name} is restricted"
        if self.user is None:
            raise refusal(
                401,
                f"{where}. You must have access to it and be authenticated to access it. Please log in.",
                "GatedRepo",
            )
        raise refusal(
            403,
            f"{where} and you are not in the authorized list. Visit {self.page(repo)} to ask for access.",
            "GatedRepo",
        )

    def page(self, repo: Repo) -> str:
        """Return the address of a repository's page."""
        return f"{self.hub.url}/{'' if repo.kind == 'model' else repo.kind + 's/'}{repo.name}"
