"""Which part of the Hub answers which method and path."""

from fake_hub import accounts, commits, discussions, downloads, lfs, listing, references
from fake_hub.answers import Answer, as_json, refusal
from fake_hub.call import Call
from fake_hub.repository import KINDS, Repo


def answer(call: Call) -> Answer:
    """Answer a request to the Hub itself."""
    if call.segments == ["api", "complete_multipart"]:
        return lfs.complete_upload(call)
    call.user = call.authenticate()
    match (call.method, *call.segments):
        case ("GET", "api", "whoami-v2"):
            return accounts.describe_user(call)
        case ("HEAD" | "GET", "api", "telemetry", *_):
            return Answer(200)
        case ("POST", "api", "validate-yaml"):
            return accounts.validate_card(call)
        case ("POST", "api", "repos", "create"):
            return accounts.create_repo(call)
        case ("DELETE", "api", "repos", "delete"):
            return accounts.delete_repo(call)
        case ("GET" | "HEAD", "api", "resolve-cache", kinds, space, name, oid, *path) if kinds in KINDS:
            repo = call.find_repo(kinds, space, name)
            return downloads.cached_file(call, repo.commit_at(oid), "/".join(path))
        case (_, "api", kinds, space, name, *rest) if kinds in KINDS:
            return answer_about_repo(call, call.find_repo(kinds, space, name), rest)
        case ("GET" | "HEAD", "datasets" | "spaces" as kinds, space, name, "resolve", *rest) if len(rest) > 1:
            return downloads.resolve(call, call.find_repo(kinds, space, name), *split_revision(rest))
        case ("GET" | "HEAD", space, name, "resolve", *rest) if len(rest) > 1:
            return downloads.resolve(call, call.find_repo("models", space, name), *split_revision(rest))
        case ("POST", "datasets" | "spaces" as kinds, space, name, "info", "lfs", "objects", action):
            return lfs.answer_batch(call, call.find_repo(kinds, space, name.removesuffix(".git")), action)
        case ("POST", space, name, "info", "lfs", "objects", action):
            return lfs.answer_batch(call, call.find_repo("models", space, name.removesuffix(".git")), action)
    raise refusal(404, "Sorry, we can't find the page you are looking for.")


def answer_about_repo(call: Call, repo: Repo, rest: list[str]) -> Answer:
    """Answer a request about one repository, given the path below its name."""
    match (call.method, *rest):
        case ("GET",):
            return listing.describe_repo(call, repo, "main")
        case ("GET", "revision", *rev):
            return listing.describe_repo(call, repo, "/".join(rev))
        case ("GET", "auth-check"):
            call.require_read_access(repo)
            return as_json({})
        case ("GET", "tree", *place):
            rev, path = split_revision(place)
            return listing.list_folder(call, repo, rev, path)
        case ("POST", "paths-info", *rev):
            return listing.describe_paths(call, repo, "/".join(rev))
        case ("GET", "refs"):
            return references.list_references(call, repo)
        case ("GET", "commits", *rev):
            return listing.list_commits(call, repo, "/".join(rev))
        case ("POST", "preupload", *rev):
            return commits.choose_uploads(call, repo, "/".join(rev))
        case ("POST", "commit", *rev):
            return commits.make_commit(call, repo, "/".join(rev))
        case ("POST" | "DELETE", "branch", *name):
            call.require_write_access(repo)
            return references.change_branch(call, repo, "/".join(name))
        case ("POST" | "DELETE", "tag", *name):
            call.require_write_access(repo)
            return references.change_tag(call, repo, "/".join(name))
        case ("PUT", "settings"):
            return accounts.change_settings(call, repo)
        case ("GET" | "POST", "discussions", *which):
            return discussions.answer(call, repo, which)
    raise refusal(404, "Sorry, we can't find the page you are looking for.")


def split_revision(place: list[str]) -> tuple[str, str]:
    """Split a path into revision and path. The slashes of a revision such as refs/pr/1 may come unquoted."""
    length = 3 if place[:1] == ["refs"] and len(place) > 2 else 1
    return "/".join(place[:length]), "/".join(place[length:])
