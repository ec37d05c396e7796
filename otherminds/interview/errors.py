"""Errors of the interview."""

from __future__ import annotations

from otherminds.errors import OtherMindsError


class InterviewError(OtherMindsError):
    """Something about an interview that a user can mend."""
