"""On which day the leaderboard received an entry."""

from __future__ import annotations

from datetime import UTC, date

from otherminds.errors import OtherMindsError
from otherminds.leaderboard.hub import Board


def received(board: Board, number: int) -> date:
    """The day (UTC) of a pull request's last change: of its opening, or of its newest commit.

    The Hub states when a pull request was opened, and when each commit arrived in it. Commits state a
    time themselves too, which whoever pushes them with git may choose: it can make an entry later here,
    and never earlier. Nothing of the entry's own record is used.
    Raises OtherMindsError where the Hub fails.
    """
    remote = board.remote
    try:
        details = remote.api.get_discussion_details(remote.repo_id, number, repo_type="dataset")
        newest = remote.api.list_repo_commits(
            remote.repo_id, repo_type="dataset", revision=f"refs/pr/{number}"
        )[0]
    except Exception as error:  # HTTP and Hub layers raise their own kinds
        said = str(error).strip().splitlines() or [type(error).__name__]
        raise OtherMindsError(
            f"Cannot find when pull request {number} of {remote.repo_id} was received: {said[0]}"
        ) from error
    arrived = [event.created_at for event in details.events if event.type == "commit"]
    return max(details.created_at, newest.created_at, *arrived).astimezone(UTC).date()
