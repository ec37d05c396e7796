"""The moderation log: decisions about submissions, when, by whom and why.

`moderation.jsonl` lies beside the folder `submissions`. A line is a `Decision`; lines are only added.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from datetime import date
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, ValidationError
from rich.table import Table

from otherminds import console
from otherminds.errors import OtherMindsError
from otherminds.leaderboard.records.reasons import plain
from otherminds.leaderboard.records.record import ID, Finding, Name, Notes, Sha256, TaskName

LOG = "moderation.jsonl"

Action = Literal["accepted", "refused", "held", "regraded", "re-run", "withdrawn", "not-comparable"]

LONGEST = 1_500
"""Characters that a line's detail may have."""

_Code = Annotated[str, StringConstraints(pattern=r"\A[a-z]+(?:-[a-z]+)*\z", max_length=64)]
_Id = Annotated[str, StringConstraints(pattern=rf"\A{ID.pattern}\z", max_length=100)]
_Commit = Annotated[str, StringConstraints(pattern=r"\A[0-9a-f]{40}\z")]


class Decision(BaseModel):
    """One decision about one submission.

    pull_request  its number; None for a folder that was on main already
    commit        of the pull request, or of main, at which it was looked at; None where none was
    submission    its id; None where it could not be found
    codes         of the reasons or flags, as in `reasons`
    detail        the findings, in plain text
    by            who decided, or whose token the job used: a name on the Hub
    author        who opened the pull request, as the Hub says
    files_sha256  of the submission's files as they are from then on, where they are accepted: see
                  `vouching.digest`
    answers_sha256  of a submission that is withdrawn, by task: by these its answers are known again.
                  Lines of before have none
    """

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)

    date: date
    pull_request: Annotated[int, Field(ge=1)] | None = None
    commit: _Commit | None = None
    submission: _Id | None = None
    action: Action
    codes: Annotated[list[_Code], Field(max_length=200)] = []
    detail: Notes = ""
    by: Name
    author: Name | None = None
    files_sha256: Sha256 | None = None
    answers_sha256: dict[TaskName, Sha256] | None = None


def summary(findings: Iterable[Finding]) -> str:
    """The findings, as the `detail` of a decision."""
    # Each is plain already, and made so again its backslashes would double.
    found = "; ".join(f"{one.code}: {one.detail}" for one in findings)
    return found if len(found) <= LONGEST else f"{found[:LONGEST]} ..."


def parse(written: bytes) -> list[Decision]:
    """The decisions of a log, oldest first. Raises OtherMindsError, which names the first bad line."""
    found = []
    for number, line in enumerate(written.splitlines(), start=1):
        try:
            found.append(Decision.model_validate_json(line))
        except ValidationError as error:
            said = error.errors(include_input=False, include_url=False)[0]
            place = plain(".".join(map(str, said["loc"])), limit=60)
            raise OtherMindsError(
                f"Line {number} of {LOG} is not a decision ({place}: {plain(said['msg'])}). Restore it "
                "from the repository's history: lines are added, and never changed."
            ) from error
    return found


def appended(written: bytes, decisions: Sequence[Decision]) -> bytes:
    """A log with more decisions at its end; the earlier ones stay, byte for byte."""
    ended = written if not written or written.endswith(b"\n") else written + b"\n"
    lines = [json.dumps(_dumped(one), ensure_ascii=True) for one in decisions]
    return ended + "".join(f"{line}\n" for line in lines).encode()


def _dumped(decision: Decision) -> dict[str, Any]:
    # Earlier releases do not know this field: lines that need it alone have it.
    left_out = {"answers_sha256"} if decision.answers_sha256 is None else set()
    return decision.model_dump(mode="json", exclude=left_out)


def last(decisions: Sequence[Decision], pull_request: int, commit: str) -> Decision | None:
    """The newest decision about a pull request as it was at a commit."""
    known = (one for one in reversed(decisions) if one.pull_request == pull_request)
    return next((one for one in known if one.commit == commit), None)


def table(decisions: Iterable[Decision]) -> Table:
    """The log for a terminal."""
    headings = ("Date", "Action", "Submission", "Pull request", "Reasons and flags", "By")
    rows = []
    for one in decisions:
        number = "" if one.pull_request is None else f"#{one.pull_request}"
        about = one.detail or ", ".join(one.codes)
        rows.append((one.date.isoformat(), one.action, one.submission or "", number, about, one.by))
    return console.table(console.texts(*headings, fit="words"), rows, look=console.Look.BOXED)
