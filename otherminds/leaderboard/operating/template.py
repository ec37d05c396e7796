"""The repository of the board, as it begins and as it is kept up to date.

    README.md              the card: how to submit, how to read the board, how to appeal
    record.schema.json     the JSON schema of a record
    boards.yaml            the boards and their metrics, and
    references.yaml        published results, as the page uses them
    operations/job.py      the scheduled job
    submissions/           accepted submissions
    moderation.jsonl       decisions, with their reasons

The first five are written again by every `init`; submissions and decisions are never touched.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

import yaml
from pydantic import BaseModel

import otherminds
from otherminds import paths
from otherminds.data import hub
from otherminds.data.repository.jinja import environment
from otherminds.errors import OtherMindsError
from otherminds.files import atomic_file
from otherminds.leaderboard import board as page
from otherminds.leaderboard.hub import REPOSITORY
from otherminds.leaderboard.operating.policy import HOLDING
from otherminds.leaderboard.records import limits
from otherminds.leaderboard.records.moderation import LOG
from otherminds.leaderboard.records.reasons import FLAGS
from otherminds.leaderboard.records.record import SUBMISSIONS, Submission
from otherminds.publishing.contents import difference, of_folder
from otherminds.publishing.remote import MAIN, Remote
from otherminds.types import Say

SCHEMA = "record.schema.json"
JOB = "operations/job.py"
SCHEDULE = "17 * * * *"
"""Once an hour, not when everybody's jobs start."""

# git keeps no empty folders.
_BEGUN = {f"{SUBMISSIONS}/.gitkeep": "", LOG: ""}


def write(out: Path, *, check: bool = False) -> list[str]:
    """Make a folder hold the template; returns the paths that were missing or different.

    check  only look
    """
    stale = []
    for name, text in {**_kept(), **_BEGUN}.items():
        path = out / name
        if path.is_file() and (name in _BEGUN or path.read_bytes() == text.encode()):
            continue
        stale.append(name)
        if not check:
            with atomic_file(path) as partial:
                partial.write_text(text, encoding="utf-8", newline="\n")
    return stale


def push(*, check: bool = False, say: Say) -> list[str]:
    """Make the dataset on the Hub hold the template, as `write` does with a folder, in one commit.

    A dataset that does not exist is created, private: who sees it is a person's decision. Raises
    OtherMindsError where the Hub fails.
    """
    remote = Remote.open(hub.dataset_id(REPOSITORY), "dataset", for_writing=not check)
    state = remote.state()
    if state is None and check:
        raise OtherMindsError(
            f"There is no dataset {remote.repo_id}, or you may not see it: `otherminds leaderboard init "
            "OUT --push` creates it."
        )
    if state is None:
        remote.create()
        say(f"Created {remote.repo_id}, private: make it public in its settings when it is right.")
    head = remote.commit_of(MAIN)
    there = remote.files(head)
    with TemporaryDirectory() as folder:
        write(Path(folder))
        local = of_folder(Path(folder))
        change = difference(local, there)
        stale = sorted((*change.added, *(path for path in change.replaced if path not in _BEGUN)))
        if stale and not check:
            remote.commit(
                {path: local[path] for path in stale},
                deleted=(),
                message=f"Template of otherminds {otherminds.__version__}",
                parent=head,
            )
            say(f"Pushed to {remote.url}")
    return stale


def _kept() -> Mapping[str, str]:
    """The files that are always as this version writes them: the same version, the same bytes."""
    texts = environment(paths.cards() / "leaderboard")
    known = page.load()
    facts = {
        "repo_id": hub.dataset_id(REPOSITORY),
        "space": hub.repo_id(REPOSITORY),
        "org": hub.repo_id(REPOSITORY).split("/")[0],
        "version": otherminds.__version__,
        "boards": known.boards,
        "flags": {code: FLAGS[code] for code in sorted(FLAGS)},
        "holding": HOLDING,
        "schedule": SCHEDULE,
        "job": JOB,
        "answers_mib": limits.ANSWERS_BYTES // limits.MIB,
        "submission_mib": limits.SUBMISSION_BYTES // limits.MIB,
    }
    schema = Submission.model_json_schema()
    return {
        "README.md": texts.get_template("README.md.jinja").render(facts),
        SCHEMA: json.dumps(schema, indent=2, sort_keys=True, ensure_ascii=True) + "\n",
        "boards.yaml": _listed(known.boards, _ABOUT_BOARDS),
        "references.yaml": _listed(known.published, _ABOUT_PUBLISHED),
        JOB: texts.get_template("job.py.jinja").render(facts),
    }


_ABOUT_BOARDS = """\
# The boards, in the order shown. A board is one task on one dataset; its first column ranks. Only tasks
# that can be scored again from a submission's answers have one.
"""
_ABOUT_PUBLISHED = """\
# Results that others published, for orientation beside submissions. Facts only, each with its source.
# Accuracies and direction are fractions, as the tasks print them; percentages of a source are divided
# by 100.
"""


def _listed(rows: Sequence[BaseModel], about: str) -> str:
    facts = [row.model_dump(mode="json", exclude_defaults=True) for row in rows]
    return about + yaml.safe_dump(facts, sort_keys=False, allow_unicode=True, width=100)
