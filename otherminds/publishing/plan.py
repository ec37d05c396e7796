"""The steps of publishing to a repository, decided before anything is changed."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from packaging.version import Version

from otherminds.errors import OtherMindsError
from otherminds.publishing.contents import Difference, LocalFile, difference
from otherminds.publishing.remote import Gate, Remote, State

_VERSION = re.compile(r"v\d+(\.\d+)*")
_STRICTNESS = {None: 0, "auto": 1, "manual": 2}
_NAMED = 8


@dataclass(frozen=True)
class Wanted:
    """The files that a repository is to hold, and who may see it.

    files      by path
    tag        of this version, such as v1.0
    private    whether others may not see it
    gate       the gate for readers; a stricter one that a repository has stays
    space_sdk  the SDK of a Space; of a dataset, None
    """

    files: Mapping[str, LocalFile]
    tag: str
    private: bool
    gate: Gate | None
    space_sdk: str | None = None


@dataclass(frozen=True)
class Plan:
    """The steps to do, in this order; one that is False or empty is done already.

    state   of the repository; None where it is to be created, which is done in private
    hide    make it private
    gate    set this gate: now, or where it is to be made public, in the request that does
    change  one commit on main, whose parent is the state's head
    tag     tag that commit, once it was downloaded and compared
    show    make it public
    """

    wanted: Wanted
    state: State | None
    hide: bool
    gate: Gate | None
    change: Difference
    tag: bool
    show: bool

    @property
    def nothing(self) -> bool:
        """Whether everything is as it should be."""
        steps = (self.state is None, self.hide, self.gate, self.change, self.tag, self.show)
        return not any(steps)

    @property
    def first_gate(self) -> Gate | None:
        """The gate to set before the commit: new files are never open that are to be gated."""
        return None if self.show else self.gate

    def lines(self) -> Iterator[str]:
        """The plan, for people."""
        if self.state is None:
            yield "create the repository, private for now"
        if self.hide:
            yield "make it private"
        if self.first_gate:
            yield _gating(self.first_gate)
        for verb, paths in (("add", self.change.added), ("replace", self.change.replaced)):
            for path in paths:
                yield f"{verb} {path} ({size(self.wanted.files[path].size)})"
        for path in self.change.deleted:
            yield f"delete {path}"
        if self.tag:
            yield f"download and compare all files, then tag them {self.wanted.tag}"
        if self.show:
            if self.gate:
                yield _gating(self.gate)
            yield "make it public"


def plan(remote: Remote, wanted: Wanted) -> Plan:
    """Compare the wanted files with those on the Hub.

    Raises OtherMindsError where this version is there with other content, or a higher one is there.
    """
    state = remote.state()
    if state is None:
        return Plan(
            wanted=wanted,
            state=None,
            hide=False,
            gate=wanted.gate,
            change=difference(wanted.files, {}),
            tag=True,
            show=not wanted.private,
        )
    tags = remote.tags()
    if is_tagged := wanted.tag in tags:
        _refuse_other_content(remote, wanted)
        change = Difference((), (), ())
    else:
        _refuse_lower(remote, wanted.tag, tags)
        change = difference(wanted.files, remote.files(state.head))
    return Plan(
        wanted=wanted,
        state=state,
        hide=wanted.private and not state.private,
        gate=wanted.gate if _STRICTNESS[wanted.gate] > _STRICTNESS[state.gate] else None,
        change=change,
        tag=not is_tagged,
        show=state.private and not wanted.private,
    )


def size(n_bytes: int) -> str:
    """A size for people, in the Hub's units of thousands."""
    value, unit = float(n_bytes), "B"
    for larger in ("kB", "MB"):
        if value < 1000:
            break
        value, unit = value / 1000, larger
    return f"{n_bytes:,} B" if unit == "B" else f"{value:,.1f} {unit}"


def some(names: Iterable[str]) -> str:
    """Names for a message, the first ones of many."""
    found = list(names)
    rest = len(found) - _NAMED
    return ", ".join(found[:_NAMED]) + (f" and {rest} more" if rest > 0 else "")


def _gating(gate: Gate) -> str:
    approval = "at once" if gate == "auto" else "by hand"
    return f"gate it: readers accept the terms and are let in {approval}"


def _refuse_other_content(remote: Remote, wanted: Wanted) -> None:
    there = difference(wanted.files, remote.files(wanted.tag))
    if there:
        raise OtherMindsError(
            f"{remote.repo_id} has a {wanted.tag} with other content: {some(there.paths)} would differ. "
            "What was published under a version stays as it is: raise the version."
        )


def _refuse_lower(remote: Remote, tag: str, tags: Iterable[str]) -> None:
    newest = max(map(Version, filter(_VERSION.fullmatch, tags)), default=None)
    if newest is not None and Version(tag) < newest:
        raise OtherMindsError(
            f"{remote.repo_id} is at v{newest} already, and {tag} is lower: update OtherMinds, or "
            "raise the version."
        )
