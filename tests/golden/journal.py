"""A journal of an old run, whose answers a run of today finds again without asking anything."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

from otherminds.running.journal import digest_of
from tests.golden import pinned
from tests.golden.texts import REGENERATE, committed, sha256

JOURNAL, NAME = "journal.sql", "journal.json"

TASKS = ("debate_both_synthetic_logprob", "hugagent_bsi_synthetic")
"""One that compares log-likelihoods, and one that reads a text."""

_LIMIT = "6"


NOT_RESUMED = (
    "A journal of an old run is not resumed: {asked} requests were asked again, {reused} were found. "
    "If prompts, decoding or versions of its tasks have changed (then prompts.json differs too), "
    f"`{REGENERATE}` makes a new one. Else the key of a request has changed, or how answers are kept: "
    "killed runs of users would ask everything again. If that is meant: `--new-journal`."
)


def collect(folder: Path, journal: str | None = None) -> dict[str, Any]:
    """The run that a journal is of, again: how much it asked, and what it scored.

    journal  as SQL; the committed one by default
    """
    out = folder / "resumed"
    out.mkdir()
    with closing(sqlite3.connect(out / "journal.sqlite")) as database:
        database.executescript(committed(JOURNAL) if journal is None else journal)
    return _run(out)


def made(folder: Path) -> str:
    """A new journal, as SQL: that of a real run, with answers written here in place of the model's.

    lm-eval's `dummy` answers everything alike, and log-likelihoods at random: nobody could see whose
    answers a resumed run has.
    """
    out = folder / "journaled"
    _run(out)
    with closing(sqlite3.connect(out / "journal.sqlite")) as database:
        for key, answer in database.execute("SELECT key, answer FROM answers").fetchall():
            number = int(sha256(key)[:6], 16)
            other = (
                "AB"[number % 2] if isinstance(json.loads(answer), str) else [-number / 1e6, False]
            )
            said = json.dumps(other)
            database.execute(
                "UPDATE answers SET answer = ?, digest = ? WHERE key = ?",
                (said, digest_of(key, said), key),
            )
        database.commit()
        return "\n".join(database.iterdump()) + "\n"


def _run(out: Path) -> dict[str, Any]:
    # Its chat template would come from the Hub.
    model = ("--model", "dummy", "--no-chat-template")
    pinned.command("run", *TASKS, *model, "--limit", _LIMIT, "--output_path", str(out))
    [path] = out.rglob("results_*.json")
    found = json.loads(path.read_bytes())
    told = found["otherminds"]["journal"]
    return {
        "asked": told["asked"],
        "reused": told["reused"],
        "scores": {
            task: {key: value for key, value in found["results"][task].items() if "," in key}
            for task in TASKS
        },
    }
