"""A submission, a season from opening to closing, and the page of the board that shows both."""

from __future__ import annotations

import datetime
import json
import os
from pathlib import Path
from typing import Any
from unittest import mock

import yaml

from tests.golden import pinned
from tests.golden.texts import sha256

NAME, SAID = "board.json", "board.txt"

DATASET, TASK = "debate-beliefs-synthetic", "debate_both_synthetic"
OPENED = datetime.date(2026, 1, 10)
CLOSED = datetime.date(2026, 2, 1)
_SECRET = bytes(range(32)).hex()


def collect(folder: Path) -> tuple[dict[str, Any], str]:
    """Files that were written, and what the commands said."""
    # The release, which a submission must be of.
    with mock.patch.dict(os.environ, {"OTHERMINDS_DATA": "none"}):
        said = [*_submitted(), *_played()]
    with pinned.clock(OPENED):
        told = ("--submissions", "submissions", "--season", "season")
        said.append(pinned.command("leaderboard", "build", "page", *told))
    ids = {
        path.parent.name: f"<{json.loads(path.read_bytes())['model']['name']}>"
        for path in sorted(folder.glob("submissions/*/record.json"))
    }
    found = {
        "records": {
            name: pinned.without_versions(_read(folder / "submissions" / one / "record.json"))
            for one, name in ids.items()
        },
        "season": pinned.without_versions(
            yaml.safe_load((folder / "season/season.yaml").read_text())
        ),
        "results": _read(folder / "season/results.json"),
        "page": {
            path.relative_to(folder / "page").as_posix(): _hashed(path, ids)
            for path in sorted((folder / "page").rglob("*"))
            if path.is_file()
        },
    }
    text = "\n".join(one.text() for one in said)
    lines = (folder / "page/board.csv").read_text(encoding="utf-8").splitlines()
    # Results that others have published stand in it too.
    shown = [lines[0], *(line for line in lines if any(one in line for one in ids))]
    text += "\n" + "".join(f"{line}\n" for line in shown)
    return json.loads(pinned.without_ids(json.dumps(found), ids)), pinned.without_ids(text, ids)


def rounded_otherwise(found: dict[str, Any]) -> dict[str, Any]:
    """What another processor, or other numerical libraries, must find but for rounding: no hashes."""
    return {**found, "page": sorted(found["page"])}


def _submitted() -> list[pinned.Said]:
    """A run on the release's fixed subset, submitted, and accepted."""
    run = ("run", TASK, "--model", "majority", "--metadata", '{"data_subset": 100}')
    pinned.command(*run, "--output_path", "released")
    with pinned.clock(OPENED):
        said = [_submit("released", "tests/majority")]
        said += _accepted()
    return said


def _played() -> list[pinned.Said]:
    """A season, with one entry."""
    Path("secret").write_text(_SECRET, encoding="utf-8")
    Path("secret").chmod(0o600)
    dates = ("--opens", str(OPENED), "--closes", str(CLOSED - datetime.timedelta(days=1)))
    with pinned.clock(OPENED):
        size = ("--size", "12", "--secret-file", "secret", "--task", TASK)
        said = [
            pinned.command("season", "open", DATASET, "season", "--id", "winter", *dates, *size)
        ]
        seed = ("--model", "random", "--model_args", "seed=1")
        pinned.command("run", TASK, *seed, "--season", "season", "--output_path", "entered")
        said.append(_submit("entered", "tests/random", "--season", "season"))
        said += _accepted("--season", "season", "--received", str(OPENED))
        said.append(pinned.command("season", "check", "season", "--submissions", "submissions"))
    with pinned.clock(CLOSED):
        for word in ("close", "check"):
            said.append(pinned.command("season", word, "season", "--submissions", "submissions"))
    return said


def _submit(results: str, model: str, *more: str) -> pinned.Said:
    told = ("--model-name", model, "--revision", "v1", "--submitter", "alice", "--dry-run")
    told += ("--reference",)
    return pinned.command("submit", results, *told, "--out", "submissions", *more)


def _accepted(*words: str) -> list[pinned.Said]:
    """Verify what is new, and write beside it what that found, as the board's operator does."""
    said = []
    for record in sorted(Path("submissions").glob("*/record.json")):
        beside = record.with_name("verification.json")
        if not beside.exists():
            said.append(
                pinned.command("leaderboard", "verify", str(record.parent), "--json", *words)
            )
            outcome = {**json.loads(said[-1].out), "checked": str(OPENED)}
            beside.write_text(json.dumps(outcome), encoding="utf-8")
    return said


def _read(path: Path) -> Any:
    return json.loads(path.read_bytes())


def _hashed(path: Path, ids: dict[str, str]) -> str:
    return sha256(pinned.without_ids(path.read_text(encoding="utf-8"), ids))
