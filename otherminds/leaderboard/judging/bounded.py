"""Verifying in a process of its own, which may not use much memory or time.

A submission's files are opened in yet another process (see `answers_reader`); this one bounds all the
rest, so that one submission can neither stop nor starve a pass over many.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path

from otherminds.errors import OtherMindsError
from otherminds.leaderboard.records import limits
from otherminds.leaderboard.records.reasons import finding, plain
from otherminds.leaderboard.records.record import Finding, Verification

PROGRAM = ("-P", "-m", "otherminds.leaderboard.judging.bounded")
"""The program that the interpreter runs, with folders and day: this module's `main`.

-P: a folder of submissions, in which somebody may stand, has no modules for it.
"""

_OUT_OF_MEMORY = 77
"""The process's own exit status for that."""


@dataclass(frozen=True)
class Judged:
    """The findings of a verification.

    verification  of an accepted submission, as it is to be written
    reasons       of a refusal
    flags         of either; `verification-too-costly` where it took more than it may
    """

    verification: Verification | None
    reasons: Sequence[Finding] = ()
    flags: Sequence[Finding] = ()


def verify(
    folder: Path,
    submissions: Path,
    *,
    checked: date,
    seasons: Sequence[Path] = (),
    received: date | None = None,
    author: str | None = None,
    beside: Path | None = None,
) -> Judged:
    """Verify the submission in a folder as `verify.verify` does, within limits.

    checked   the day that the verification states
    seasons   folders of the seasons that take entries
    received  the day on which an entry of one was received
    author    who opened the pull request; None where that is not known
    beside    a folder that `Beside.write` has written to; None where nothing is known

    Raises OtherMindsError where verifying itself failed, of which the submission may be innocent.
    """
    days = [checked.isoformat(), "" if received is None else received.isoformat()]
    arguments = (folder, submissions, *days, author or "", beside or "", *seasons)
    command = [sys.executable, *PROGRAM, *map(str, arguments)]
    with tempfile.TemporaryFile() as output, tempfile.TemporaryFile() as errors:
        try:
            done = subprocess.run(
                command,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=errors,
                timeout=limits.VERIFIER_SECONDS,
                # Pools of threads reserve address space for each of a machine's cores.
                env={**os.environ, "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"},
                check=False,
            )
        except subprocess.TimeoutExpired:
            return _too_costly(f"It took more than {limits.VERIFIER_SECONDS} seconds.")
        # A process that is ended from outside has passed its limit, or the machine's.
        if done.returncode == _OUT_OF_MEMORY or done.returncode < 0:
            return _too_costly("It took more memory or processor time than it may.")
        if done.returncode != 0:
            errors.seek(0)
            said = errors.read().decode("utf-8", "replace").strip().splitlines() or ["nothing"]
            raise OtherMindsError(f"Verifying failed, and said: {plain(said[-1])}")
        output.seek(0)
        # Whatever libraries print comes before.
        found = json.loads(output.read().splitlines()[-1])
    written = found["verification"]
    return Judged(
        None if written is None else Verification.model_validate_json(written),
        [Finding.model_validate(one) for one in found["reasons"]],
        [Finding.model_validate(one) for one in found["flags"]],
    )


def _too_costly(detail: str) -> Judged:
    return Judged(None, (), [finding("verification-too-costly", detail)])


def _restrict() -> None:
    try:
        import resource
    except ImportError:  # Windows has none; the clock still runs
        return
    wanted = {
        resource.RLIMIT_AS: limits.VERIFIER_MEMORY,
        resource.RLIMIT_CPU: limits.VERIFIER_SECONDS,
        resource.RLIMIT_CORE: 0,
    }
    for kind, most in wanted.items():
        hard = resource.getrlimit(kind)[1]
        chosen = most if hard == resource.RLIM_INFINITY else min(most, hard)
        resource.setrlimit(kind, (chosen, chosen))


def main() -> None:
    """Verify and write the findings, as one line."""
    _restrict()
    from otherminds import harness
    from otherminds.leaderboard.judging import verify as verifying
    from otherminds.leaderboard.judging.beside import Beside
    from otherminds.leaderboard.judging.held import Seasons

    folder, submissions, checked, received, author, beside, *seasons = sys.argv[1:]
    harness.quiet(debug=False)
    try:
        known = Seasons(map(Path, seasons), date.fromisoformat(received) if received else None)
        outcome = verifying.verify(
            Path(folder),
            submissions=Path(submissions),
            seasons=known,
            author=author or None,
            today=date.fromisoformat(checked),
            beside=Beside.read(Path(beside)) if beside else None,
        )
        verification = None
        if outcome.is_accepted:
            verification = outcome.verification(date.fromisoformat(checked)).model_dump_json()
    except MemoryError:
        sys.exit(_OUT_OF_MEMORY)
    found = {
        "verification": verification,
        "reasons": [one.model_dump() for one in outcome.reasons],
        "flags": [one.model_dump() for one in outcome.flags],
    }
    print(f"\n{json.dumps(found)}")


if __name__ == "__main__":
    main()
