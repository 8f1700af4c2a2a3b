"""How a folder is published: prepare one commit, refuse what would lose something, send it, and prove it arrived.

A repository holds what a build wrote, its record `build.json` included. The record tells which files were published
from here: a file there may be replaced or deleted only where it still is as that record says.
"""

import re
import sys
from dataclasses import dataclass, field

from huggingface_hub.errors import RevisionNotFoundError

from ..folder.build import RECORD, Build, differing_arguments
from .local import LocalFolder, sha256
from .network import PublishError
from .read_back import read_back
from .repository import Plan, Repository, shortened

# Paths of files that some builds write and others do not. Nothing else is deleted, whatever a record lists.
BUILT = re.compile(r"[\w-]+/[\w-]+\.parquet|pictures/[\w-]+\.png|data/[\w-]+\.js")

PUBLIC_SEED = 0  # the default seed of a build, which is no secret


@dataclass(frozen=True, slots=True)
class Options:
    """Hold where to publish, and how."""

    namespace: str  # the user or organisation that owns the repository
    revision: str = "main"  # the branch
    tag: str | None = None  # of the commit
    pr: bool = False  # whether a pull request is opened instead
    replace: bool = False  # whether a build with other arguments may be replaced
    private: bool = False  # whether a new repository is private
    public: bool = False  # whether everybody may see a seed that is not public yet


@dataclass(slots=True)
class Publication:
    """Publish one folder: `prepare` writes nothing, `carry_out` sends what was prepared and proves it."""

    there: Repository  # where the folder goes
    local: LocalFolder  # the folder
    options: Options
    example: str = ""  # the config that the line to load the dataset shows
    plan: Plan = field(init=False)  # what the commit does
    pull_request: int | None = field(init=False, default=None)  # the number of an open one that does as planned
    commit: str | None = field(init=False, default=None)  # the commit that was made, or that holds all files already

    # What a commit would do.

    def prepare(self) -> None:
        """Ask the Hub for the repository, and plan the commit. Raises PublishError where it must not be made."""
        options, there, namespaces = self.options, self.there, self.there.hub.namespaces
        exists = there.look(options.revision)
        if not exists and namespaces is not None and options.namespace not in namespaces:
            raise PublishError(
                f"{there.name} does not exist, or is private and this token cannot see it: a pull request needs an "
                f"existing repository, which {options.namespace} must create first"
            )
        if exists and options.private and not there.private:
            private_name = f"{there.name.partition('/')[2]}_private"
            raise PublishError(
                f"{there.name} exists, and is public: PRIVATE=1 (--private) only creates new "
                f"repositories; choose another name with NAME={private_name} (--name; in scale, --out)"
            )
        if options.revision in there.tags:
            raise PublishError(f"{options.revision} is a tag of {there.name}, and tags are never moved: name a branch")
        if options.tag in ("main", options.revision, *there.branches):
            raise PublishError(f"{options.tag} is a branch of {there.name}: give the tag another name")
        self.make_plan()
        self.check_tag(None if self.plan else there.head)

    def make_plan(self) -> None:
        """Plan the commit on the repository's head, and look for a pull request that does the same."""
        there, ours, theirs = self.there, self.local.files.keys(), self.there.files.keys()
        held = there.held_build(self.local.build.dataset)
        recorded = {path: facts["sha256"] for path, facts in held.files.items()} if held else {}
        change = theirs & set(self.local.differing(there.files))
        earlier = {path for path in recorded.keys() & (theirs - ours) if BUILT.fullmatch(path)}
        ask = sorted((change | earlier) - ({RECORD} if held else set()))  # a record that is read is our own
        foreign = {path for path in ask if path not in recorded or there.sha256(path) != recorded[path]}
        self.plan = Plan(sorted(ours - theirs), sorted(change), sorted(earlier - foreign), sorted(earlier & foreign))
        if (lost := sorted(foreign & ours)) and not self.is_new():
            raise PublishError(
                f"{there.name} has {', '.join(lost)} that was not published from here, or was changed since: "
                f"publishing would overwrite it; delete or rename it at {there.page}/tree/{self.options.revision}, and "
                "run the command again"
            )
        if self.plan:
            self.check_replacing(held)
        if self.plan and self.options.pr and there.head:
            self.pull_request = self.find_pull_request()

    def is_new(self) -> bool:
        """Return whether a Space holds nothing but what the Hub itself put there when it was made."""
        there = self.there
        return there.kind == "space" and len(there.ask("list_repo_commits", revision=there.head)) == 1

    def check_replacing(self, held: Build | None) -> None:
        """Raise PublishError where the plan would replace another build, or show everybody a seed, without being asked.

        held: the build that the repository holds, None where it holds none of this dataset.
        """
        if held and self.options.replace:
            return
        build = self.local.build
        differences = differing_arguments(held, build) if held and self.there.kind == "dataset" else []
        if differences:
            raise PublishError(
                f"{self.there.name} holds another build: {'; '.join(differences)}; publish beside it under another "
                "NAME (--name; in scale, another --out), or replace it with REPLACE=1 (--replace; not in scale)"
            )
        new = seeds(build) - {PUBLIC_SEED} - (seeds(held) if held else set())
        if new and not (self.there.private if self.there.head else self.options.private) and not self.options.public:
            elsewhere = " and another NAME (--name)" if self.there.head else ""
            raise PublishError(
                f"{self.there.name} would show everybody the rows of seed {min(new)}: keep them to yourself with "
                f"PRIVATE=1 (--private){elsewhere}, or show them with PUBLIC=1 (--public)"
            )

    def check_tag(self, commit: str | None) -> None:
        """Raise PublishError where the tag exists at another commit."""
        tag, tags = self.options.tag, self.there.tags
        if tag in tags and tags[tag] != commit:
            raise PublishError(
                f"{self.there.name} has the tag {tag} already, at {tags[tag][:7]}: a tag is never moved; choose "
                "another, or delete it there"
            )

    # What is sent.

    def carry_out(self) -> str:
        """Send what was prepared, tag it, and prove that it arrived; return the commit that holds it.

        Raises PublishError where the Hub refuses, where others changed something, or where the proof fails.
        """
        there, tag, branch = self.there, self.options.tag, self.options.revision
        if there.head is None:
            there.make(self.options.private, branch)
            self.make_plan()
        if branch not in there.branches:
            there.make_reference("branch", branch, there.known_head)
            there.look(branch)
            print(f"{there.name}: branch {branch} made at {there.known_head[:7]}")
            self.make_plan()
        for path in self.plan.keep:
            print(f"{there.name}: {path} is kept: it has been changed since it was published")
        try:
            self.commit = commit = self.send()
            if tag in there.tags:
                print(f"{there.name}: tagged {tag} already")
            elif tag:
                there.make_reference("tag", tag, commit)
                self.check_tag(commit)
                print(f"{there.name}: tagged {tag}")
            self.prove(commit)
            return commit
        except KeyboardInterrupt:
            if self.commit:
                line = f"commit {self.commit[:7]} was sent, but not checked: run the command again to check it"
                print(f"{there.name}: {line}", file=sys.stderr)
            raise

    def send(self) -> str:
        """Make one commit where there is something to send. Return the commit that holds all files."""
        there, plan, options = self.there, self.plan, self.options
        if number := self.pull_request:
            commit = self.head_of(number)
            print(f"{there.name}: pull request {number} already has all this, at {commit[:7]}: no new commit")
            return commit
        if not plan:
            print(f"{there.name}: all files are already there, at {there.known_head[:7]}: no new commit")
            return there.known_head
        made = there.commit(self.local, plan, options.revision, options.pr)
        self.pull_request = made.pr_num
        counts = f"{len(plan.add)} files added, {len(plan.change)} changed, {len(plan.delete)} deleted"
        print(f"{there.name}: {counts}: {'pull request with ' if self.pull_request else ''}commit {made.oid[:7]}")
        return made.oid

    def find_pull_request(self) -> int | None:
        """Return the number of an open pull request that does what is planned, or None."""
        opened = {"discussion_type": "pull_request", "discussion_status": "open"}
        for pull in self.there.ask("get_repo_discussions", **opened):
            try:
                number: int = pull.num
                files = self.there.files_at(self.head_of(number))
            except PublishError as refusal:
                if isinstance(refusal.__cause__, RevisionNotFoundError):
                    continue
                raise
            if not files.keys() & set(self.plan.delete) and not self.local.differing(files):
                return number
        return None

    def head_of(self, pull_request: int) -> str:
        """Return the commit of a pull request."""
        commit: str = self.there.ask("repo_info", revision=f"refs/pr/{pull_request}").sha
        return commit

    def prove(self, commit: str) -> None:
        """Load every config and split of a commit, and compare its rows with those of the folder.

        Of a Space load every file instead, of a scaled folder a sample. Raises PublishError where something cannot be
        loaded, or differs.
        """
        there, local = self.there, self.local
        if paths := local.files if there.kind == "space" else local.sample:
            read = {path: sha256(there.contents(path, commit)) for path in paths}
            wrong = shortened([path for path in paths if read[path] != local.files[path]["sha256"]])
            proof = f"{len(paths)} files, read back from {commit[:7]}: every byte"
        else:
            found = read_back(there.hub, there.name, commit, local.build.folder)
            wrong = ", ".join(found["differing"])
            proof = f"{found['configs']} configs, {found['splits']} splits, read back from {commit[:7]}: every row"
        if wrong:
            raise PublishError(
                f"{there.name} at {commit[:7]} does not read back as it was sent: {wrong}: publish it again"
            )
        print(f"{there.name}: {proof} as in {local.build.folder}")


def seeds(build: Build) -> set[int]:
    """Return the seeds that a build, or a page of builds, was made from."""
    return {fields["seed"] for fields in build.request.values() if "seed" in fields}
