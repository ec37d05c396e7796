"""The comment on a pull request about a decision: why, and the next step of its submitter.

A submitter's own words are shown as code alone: as Markdown they could hold links, images and mentions.
"""

from __future__ import annotations

from collections.abc import Sequence

from otherminds.leaderboard.operating.policy import HOLDING
from otherminds.leaderboard.records.reasons import FLAGS, REASONS
from otherminds.leaderboard.records.record import Finding, Level


def mark(action: str, commit: str) -> str:
    """The words by which a comment about a decision is found again."""
    return f"looked at commit {commit}: **{action}**."


def accepted(commit: str, merged: str, level: Level | None, flags: Sequence[Finding]) -> str:
    """Of a submission that is on main; `level` is None where an earlier pass put it there."""
    trust = "" if level is None else f" Its scores are **{level}**."
    return _joined(
        f"The board has {mark('accepted', commit)}{trust} Commit {merged} has it on main, with the "
        "verification, so this pull request is closed.",
        _listed("Shown with it on the board:", flags, FLAGS),
    )


def refused(commit: str, reasons: Sequence[Finding], flags: Sequence[Finding]) -> str:
    """Of a submission that stays as it is, until somebody changes the pull request."""
    return _joined(
        f"The board has {mark('refused', commit)}",
        _listed("Why:", reasons, REASONS),
        _listed("Also noticed:", flags, FLAGS),
        "What to do: correct it, check it with `otherminds leaderboard verify FOLDER`, and push to this "
        "pull request, which stays open and is looked at again when it changes. If the board is wrong, "
        "say so here: a person reads it.",
    )


def held(commit: str, flags: Sequence[Finding]) -> str:
    """Of a submission that waits for a person."""
    return _joined(
        f"The board has {mark('held', commit)} Nothing is wrong that would refuse it, and a person has "
        "to look at it before it is accepted.",
        _listed("Why:", [flag for flag in flags if flag.code in HOLDING], FLAGS),
        _listed("Also noticed:", [flag for flag in flags if flag.code not in HOLDING], FLAGS),
        "What to do: if you can, explain it here. The pull request stays open.",
    )


def withdrawn(commit: str) -> str:
    """Of a pull request that was accepted once, and whose files are on main no more."""
    return (
        f"The board has {mark('accepted', commit)} What it added is not on main any more; the board's "
        "log says why. To propose it again, open another pull request."
    )


def _listed(title: str, findings: Sequence[Finding], known: dict[str, str]) -> str:
    if not findings:
        return ""
    lines = [f"- **{one.code}**: {known[one.code]}{_quoted(one.detail)}" for one in findings]
    return "\n".join((title, "", *lines))


def _quoted(detail: str) -> str:
    return f" `{detail.replace('`', chr(39))}`" if detail else ""


def _joined(*parts: str) -> str:
    return "\n\n".join(part for part in parts if part)
