"""Sentences about runs that cannot be read, or not be compared."""

from __future__ import annotations

from collections.abc import Sequence

from otherminds import harness
from otherminds.samples.read import REDACTED


def some(names: Sequence[str], most: int = 3) -> str:
    """The first of some names, and how many more there are."""
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return ", ".join(names[:most]) + more


def no_golds(tasks: Sequence[str]) -> str:
    """The error of tasks whose runs cannot be compared item by item."""
    is_one = len(tasks) == 1
    said = (
        f"The single answers to {some([repr(task) for task in tasks])} have no gold answer, so runs of "
        f"{'it' if is_one else 'them'} cannot be compared item by item: `otherminds score` prints what "
        f"{'it measures' if is_one else 'they measure'}."
    )
    later = harness.built_on(tasks[0]) if is_one else ()
    return f"{said} Built on its answers: {some(later)}." if later else said


def nothing_read(why: Sequence[tuple[str, str]]) -> str:
    """The error of files without a sample: `why`, of each, with and without the file's name."""
    said, first = why[0]
    equal = sum(reason == first for _, reason in why) - 1
    others = len(why) - 1 - equal
    shown = [said]
    if equal:
        shown.append(f"So it is with {equal} more of them.")
    if others:
        shown.append(
            f"{others} more {'has another fault' if others == 1 else 'have other faults'}."
        )
    if REDACTED not in first:
        shown.append(
            "Give the output of `otherminds run`, or of lm_eval with these tasks and --log_samples."
        )
    return " ".join(["None of these files has a sample that can be scored.", *shown])
