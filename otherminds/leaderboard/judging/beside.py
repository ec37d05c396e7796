"""What a pass over the board knows of a submission besides those that were accepted.

requests   other open pull requests that came first: whoever copies one that waits must not be accepted
           before its author
withdrawn  submissions that were accepted once and are on main no more: they must not come back unseen
owners     the accounts whose names the submitter may give a model's

Nothing here refuses a submission: a person looks at it, because who was first is more than dates say.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from otherminds.leaderboard.judging import near
from otherminds.leaderboard.judging.earlier import Records
from otherminds.leaderboard.judging.expected import Expected
from otherminds.leaderboard.judging.flags import skeleton
from otherminds.leaderboard.records import answers, intake, limits
from otherminds.leaderboard.records.reasons import RefusedError, finding
from otherminds.leaderboard.records.record import (
    RECORD,
    UNAFFILIATED,
    Finding,
    Submission,
    TaskRun,
)

FACTS = "facts.json"
REQUESTS = "requests"
WITHDRAWN = "withdrawn"

CODES = frozenset({"earlier-request", "name-taken", UNAFFILIATED, "withdrawn-before"})
"""The flags that are found here, which are of the day of acceptance and cannot be found again later."""


@dataclass(frozen=True)
class Request:
    """An open pull request that came first; `received` says when its files were, in UTC."""

    author: str
    received: str


@dataclass(frozen=True)
class Beside:
    """The facts, with the folder that their files lie in.

    folder     `requests/<number>` and `withdrawn/<id>`, each as the folder of a submission, but with the
               files of answers alone that `copied` has written
    requests   by number
    received   when the submission itself was received
    withdrawn  by id, the hashes of the answers by task that the log has; empty where it has none
    owners     the submitter's account and organisations; None where nobody asked the Hub
    """

    folder: Path
    requests: Mapping[str, Request] = field(default_factory=dict)
    received: str = ""
    withdrawn: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    owners: frozenset[str] | None = None

    def write(self) -> None:
        """Write the facts into the folder, for another process."""
        facts = {
            "requests": {number: asdict(one) for number, one in self.requests.items()},
            "received": self.received,
            "withdrawn": {name: dict(found) for name, found in self.withdrawn.items()},
            "owners": None if self.owners is None else sorted(self.owners),
        }
        self.folder.mkdir(parents=True, exist_ok=True)
        (self.folder / FACTS).write_text(json.dumps(facts), encoding="utf-8")

    @classmethod
    def read(cls, folder: Path) -> Beside:
        """The facts that `write` has written."""
        facts: dict[str, Any] = json.loads((folder / FACTS).read_bytes())
        owners = facts["owners"]
        return cls(
            folder,
            {number: Request(**one) for number, one in facts["requests"].items()},
            facts["received"],
            facts["withdrawn"],
            None if owners is None else frozenset(owners),
        )


def copied(folder: Path, target: Path) -> None:
    """Copy a submission that nobody has accepted, so that its answers may be read in any process.

    They are read in one that cannot do harm, and written anew. Those that cannot be read, or are not the
    ones of the record, are left out. Raises RefusedError where there is no record to go by.
    """
    submission = intake.read(folder)
    target.mkdir(parents=True, exist_ok=True)
    (target / RECORD).write_bytes((folder / RECORD).read_bytes())
    for run in submission.tasks:
        try:
            rows = answers.read(folder / run.answers)
        except RefusedError:
            continue
        if answers.digest(rows) == run.answers_sha256:
            answers.write(target / run.answers, [row._replace(raw=None) for row in rows])


class Looking:
    """Looks for one submission among those beside it. `beside` is None where nothing is known."""

    def __init__(self, folder: Path, submission: Submission, beside: Beside | None) -> None:
        self._folder = folder
        self._submission = submission
        self._beside = beside or Beside(folder)
        self._requests = _there(self._beside.folder / REQUESTS, self._beside.requests)
        self._withdrawn = _there(self._beside.folder / WITHDRAWN, self._beside.withdrawn)

    def names(self, others: Records) -> Iterator[Finding]:
        """Whose name the model has; `others` are the accepted submissions."""
        model, submitter = self._submission.model.name, self._submission.submitter
        owner, has_owner, _ = model.partition("/")
        owners = self._beside.owners
        if has_owner and owners is not None and owner.casefold() not in map(str.casefold, owners):
            yield finding(UNAFFILIATED, f"{submitter} for {model}")
        for name, other in others.items():
            if other.model.name == model and other.submitter != submitter:
                yield finding("name-taken", f"{model} is {other.submitter}'s in {name}")
                return
        for number, (_, other) in self._requests.items():
            if skeleton(other.model.name) == skeleton(model):
                author = self._beside.requests[number].author
                taken = other.model.name
                yield finding("name-taken", f"{taken} is {author}'s in pull request {number}")
                return

    def ids(self) -> Iterator[Finding]:
        """Whether the submission itself was withdrawn."""
        if self._folder.name in self._beside.withdrawn:
            yield finding("withdrawn-before", f"{self._folder.name} itself.")

    def answers(self, run: TaskRun, known: Expected | None) -> Iterator[Finding]:
        """Who gave these answers to a task before.

        known  the task on its data; None where these are not at hand, and then the very same answers
               alone are found
        """
        same = {
            name: hashes[run.task]
            for name, hashes in self._beside.withdrawn.items()
            if name != self._folder.name and run.task in hashes
        }
        found = {
            name: f"{run.task}: the answers are those of {name}."
            for name, theirs in same.items()
            if theirs == run.answers_sha256
        }
        for like in self._alike(run, known, self._withdrawn):
            if like.name != self._folder.name:
                found.setdefault(like.name, str(like))
        for said in found.values():
            yield finding("withdrawn-before", said)
        for number, said in self._before(run, known).items():
            theirs_at = self._beside.requests[number].received
            yield finding(
                "earlier-request",
                f"Pull request {number}, received {theirs_at} UTC; this one "
                f"{self._beside.received}. {said}",
            )

    def _before(self, run: TaskRun, known: Expected | None) -> dict[str, str]:
        """The requests with these answers, each with what is the same, in words."""
        found = {
            number: f"{run.task}: the very same answers."
            for number, (place, other) in self._requests.items()
            for theirs in other.tasks
            if (theirs.task, theirs.answers_sha256) == (run.task, run.answers_sha256)
            if (place / theirs.answers).is_file()
        }
        titled = {f"pull request {number}": one for number, one in self._requests.items()}
        for like in self._alike(run, known, titled):
            found.setdefault(like.name.removeprefix("pull request "), str(like))
        return found

    def _alike(
        self,
        run: TaskRun,
        known: Expected | None,
        others: Mapping[str, tuple[Path, Submission]],
    ) -> list[near.Like]:
        return [] if known is None else near.alike(self._folder, run, known, others)


def _there(folder: Path, names: Mapping[str, object]) -> dict[str, tuple[Path, Submission]]:
    """The submissions in a folder that can be read, each with its folder."""
    found = {}
    for name in names:
        path = folder / name / RECORD
        if path.is_file() and not path.is_symlink() and path.stat().st_size <= limits.RECORD_BYTES:
            try:
                found[name] = folder / name, intake.parse(path.read_bytes())
            except RefusedError:
                continue
    return found
