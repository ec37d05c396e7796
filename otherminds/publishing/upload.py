"""Publishing a folder: everything, or nothing that others see.

A new repository stays private until its files lie there under their tag, so a run that fails leaves
nothing visible. An old one changes by a single commit. Each run looks at the repository and does what is
missing: after a failure, the same command finishes the work. A step that hides something comes first, a
step that shows something last.
"""

from __future__ import annotations

import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from otherminds import files
from otherminds.errors import OtherMindsError
from otherminds.progress import bar
from otherminds.publishing.contents import LocalFile, difference
from otherminds.publishing.plan import Plan, Wanted, plan, size, some
from otherminds.publishing.remote import MAIN, Kind, Remote, RemoteError
from otherminds.types import Say

CARD = "README.md"


@dataclass(frozen=True)
class Published:
    """The outcome of publishing.

    plan    the steps that were, or would be, done
    commit  that the tag is at; None where it was only planned
    url     of the repository's page
    """

    plan: Plan
    commit: str | None
    url: str


def publish_files(
    repo_id: str,
    wanted: Wanted,
    *,
    kind: Kind,
    title: str,
    dry_run: bool = False,
    say: Say,
) -> Published:
    """Make a repository on the Hub hold just the wanted files, tagged.

    `title` names it in the messages of commit and tag. `say` is called with a line for each step; with
    `dry_run`, for each step that there would be: nothing is changed, and no token is needed. Raises
    OtherMindsError where publishing is refused, and where it fails: the message then says how much
    others see by then.
    """
    remote = Remote.open(repo_id, kind, for_writing=not dry_run)
    found = plan(remote, wanted)
    total = size(sum(file.size for file in wanted.files.values()))
    say(f"{title} {wanted.tag}, {len(wanted.files)} files, {total} → {remote.url}")
    if dry_run and remote.user is None:
        say("Nobody is logged in: a private repository of that name would not be seen.")
    if found.nothing:
        say(f"Nothing to do: {wanted.tag} is there with this content.")
        return Published(found, remote.commit_of(wanted.tag), remote.url)
    if dry_run:
        for line in found.lines():
            say(f"Would {line}.")
        return Published(found, None, remote.url)
    if (card := wanted.files.get(CARD)) is not None:
        remote.check_card(card.path)
    try:
        commit = _carry_out(remote, found, title, say)
    except RemoteError as error:
        raise OtherMindsError(f"{error} {_left(remote, wanted)}") from error
    say(f"Published: {remote.url}, {wanted.tag}{' (private)' if wanted.private else ''}")
    return Published(found, commit, remote.url)


def _carry_out(remote: Remote, found: Plan, title: str, say: Say) -> str:
    wanted = found.wanted
    if found.state is None:
        remote.create(space_sdk=wanted.space_sdk)
        say(f"Created {remote.repo_id}, private for now.")
        # The Hub puts files of its own into some new repositories.
        found = plan(remote, wanted)
    else:
        remote.check_write()
    if found.hide or found.first_gate:
        remote.set(private=True if found.hide else None, gated=found.first_gate)
        say(_made(private=found.hide, gated=found.first_gate))
    commit = _committed(remote, found, f"{title} {wanted.tag}", say)
    if found.tag:
        if wrong := _differing(remote, commit, wanted.files):
            raise RemoteError(
                f"What lies on {remote.repo_id} at {commit[:12]} differs from what was to be "
                f"published: {some(wrong)}. It got no tag."
            )
        say(f"Downloaded all {len(wanted.files)} files: each has the SHA-256 that it should have.")
        _tag(remote, wanted.tag, commit, title)
        say(f"Tagged {commit[:12]} as {wanted.tag}.")
    if found.show:
        remote.set(private=False, gated=found.gate)
        say(_made(gated=found.gate, public=True))
    return commit


def _differing(remote: Remote, commit: str, wanted: Mapping[str, LocalFile]) -> list[str]:
    """The paths at a commit that are missing, too many, or of another SHA-256 when downloaded."""
    # The Hub's listing shows most differences, and without a download.
    if listed := difference(wanted, remote.files(commit)).paths:
        return listed
    wrong = []
    with tempfile.TemporaryDirectory() as folder, bar("Downloading to compare") as progress:
        for place, (path, file) in enumerate(wanted.items()):
            progress(place, len(wanted))
            found = remote.download(path, commit, Path(folder))
            if files.sha256(found) != file.sha256:
                wrong.append(path)
        progress(len(wanted), len(wanted))
    return wrong


def _made(**what: object) -> str:
    return f"Made it {' and '.join(name for name, is_done in what.items() if is_done)}."


def _committed(remote: Remote, found: Plan, message: str, say: Say) -> str:
    """The commit that holds the wanted files: the one that is tagged, main's, or a new one.

    Main is as it was planned with: a later commit of others is an error, or is not tagged.
    """
    wanted = found.wanted
    if not found.tag:
        return remote.commit_of(wanted.tag)
    if found.state is None:
        raise RemoteError(f"{remote.repo_id} was created, and the Hub does not show it yet.")
    head = found.state.head
    if not found.change:
        say(f"All files are on main already ({head[:12]}).")
        return head
    change = found.change
    try:
        commit = remote.commit(
            {path: wanted.files[path] for path in (*change.added, *change.replaced)},
            deleted=change.deleted,
            message=message,
            parent=head,
        )
    except RemoteError as error:
        arrived = _arrived(remote, wanted)
        if arrived is None:
            raise
        say(f"{error} But the commit is there: its answer was lost, or it was sent twice.")
        commit = arrived
    counts = (("added", change.added), ("replaced", change.replaced), ("deleted", change.deleted))
    done = ", ".join(f"{len(paths)} {verb}" for verb, paths in counts if paths)
    say(f"Committed as {commit[:12]}: {done}.")
    return commit


def _arrived(remote: Remote, wanted: Wanted) -> str | None:
    """The commit of main if it holds just the wanted files, by any author."""
    try:
        head = remote.commit_of(MAIN)
        return None if difference(wanted.files, remote.files(head)) else head
    except RemoteError:
        return None


def _tag(remote: Remote, name: str, commit: str, title: str) -> None:
    try:
        remote.tag(name, commit, f"{title} {name}")
    except RemoteError:
        # Its answer may have been lost; a tag of another commit is somebody else's.
        if name not in remote.tags() or remote.commit_of(name) != commit:
            raise


def _left(remote: Remote, wanted: Wanted) -> str:
    """The state that others see after a failure, and the next step."""
    tag = wanted.tag
    again = "Run the same command again to finish."
    try:
        state = remote.state()
        if state is None or state.private:
            return f"Nothing is visible to others. {again}"
        if tag in remote.tags():
            return f"{tag} is complete and tagged. {again}"
    except RemoteError:
        return f"What others see could not be found out. {again}"
    earlier = "earlier versions are as they were under their tags"
    if _arrived(remote, wanted):
        return f"Main holds the files of {tag} already, only the tag is missing; {earlier}. {again}"
    return f"There is no {tag} yet: {earlier}. {again}"
