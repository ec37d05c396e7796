"""Opening a season: the operator's folder with secret and golds, and the public one without."""

from __future__ import annotations

import importlib.metadata
import shutil
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from datetime import date
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq

import otherminds
from otherminds import files, harness, manifest
from otherminds.benchmark import builder_module
from otherminds.errors import OtherMindsError
from otherminds.leaderboard.judging.expected import check_supported
from otherminds.leaderboard.records import boards as specs
from otherminds.leaderboard.records.fields import ID
from otherminds.leaderboard.records.reasons import RefusedError
from otherminds.leaderboard.sealing import folder as folders
from otherminds.leaderboard.sealing import secret as secrets
from otherminds.leaderboard.sealing import tables
from otherminds.leaderboard.sealing.columns import sealing_of
from otherminds.leaderboard.sealing.record import Season
from otherminds.manifest import Manifest

GOLDS = "golds"

RULES = (
    "An entry is the answers of one model to the tasks of this season; it is submitted as a pull "
    "request to the leaderboard, and counts when it has been accepted.",
    "An entry counts if its pull request, and the last change of it, reached the leaderboard from the "
    "day of opening to the day of closing, both included, in UTC.",
    "One entry counts for each submitter and model: the first that is accepted.",
    "Nobody may be asked for answers but the model: no person and no other model answers for it.",
    "No scores are shown before the season closes. Then the secret is published, and anybody can make "
    "the data again and score every entry.",
)
"""The rules that participants agree to, unless the operator states others."""


@dataclass(frozen=True)
class Plan:
    """The settings of a new season.

    tasks  the tasks that are played; those of the leaderboard's boards on this dataset by default
    size   how many people, or other groups of items; as many as the release has by default
    kept   how many items of each group are asked, where not all are; see `columns.Sealing`
    rules  in words
    """

    id: str
    dataset: str
    opened: date
    closes: date
    tasks: Sequence[str] = ()
    size: int | None = None
    kept: int | None = None
    rules: Sequence[str] = RULES


def operator_folder(out: Path) -> Path:
    """Where secret and golds of a season lie unless the operator says otherwise: beside it."""
    return out.with_name(f"{out.name}.operator")


def open_season(
    plan: Plan,
    out: Path,
    *,
    operator: Path,
    today: date,
    secret: bytes | None = None,
    num_proc: int = 1,
) -> Season:
    """Draw a secret, make the data, and write both folders; all or nothing.

    out       the participants' folder; it must not exist
    operator  the folder that only the operator may read; it must not exist, nor lie in `out`
    today     the day (UTC), after which or on which it must close
    secret    32 bytes that were drawn otherwise, as in a ceremony
    Raises OtherMindsError.
    """
    _check_places(out, operator)
    if operator.resolve().is_relative_to(out.resolve()):
        raise OtherMindsError("The operator's folder must not lie in the one that is published.")
    tasks = list(plan.tasks) or _default_tasks(plan.dataset)
    _check(plan, tasks, today)
    generator = _generator(plan)
    kept = tables.kept(plan.dataset, plan.kept)
    # The leftovers of a killed opening may hold a secret.
    for place in (out, operator):
        files.remove_leftovers(place)
    drawn = secrets.draw() if secret is None else secret
    complete = tables.complete(
        plan.dataset, generator, drawn, plan.id, kept=kept, num_proc=num_proc
    )
    shown = tables.published(plan.dataset, complete)
    season = Season(
        id=plan.id,
        dataset=plan.dataset,
        data_version=f"{manifest.load(plan.dataset).version}+season.{plan.id}",
        generator=generator,
        questions_per_stage=kept,
        made_with=_versions(),
        opened=plan.opened,
        closes=plan.closes,
        tasks=tasks,
        rules=list(plan.rules),
        secret_sha256=secrets.sha256(drawn),
        content_hash=tables.content_hashes(plan.dataset, shown),
        commitment=tables.commitments(plan.dataset, complete, drawn, plan.id),
    )
    with _kept(operator, drawn, complete), files.atomic_folder(out) as work:
        folders.write(work, season, shown)
    return season


def _check_places(out: Path, operator: Path) -> None:
    there = [place for place in (out, operator) if place.exists() or place.is_symlink()]
    if there == [operator]:
        raise OtherMindsError(
            f"{operator} exists already, and {out} does not. If an opening was stopped there, nothing "
            f"of it was published: delete {operator}, with its secret, and open again. If the season "
            "was published from another place, keep it: without the secret it cannot be closed."
        )
    if there:
        raise OtherMindsError(f"{there[0]} exists already; a season is never overwritten.")


@contextmanager
def _kept(operator: Path, secret: bytes, complete: tables.Tables) -> Iterator[None]:
    """Write the operator's folder; remove it again where the block fails."""
    with files.atomic_folder(operator) as work:
        work.chmod(0o700)
        secrets.write(work / secrets.NAME, secret)
        (work / GOLDS).mkdir(mode=0o700)
        for config, table in complete.items():
            path = golds_path(work, config)
            path.touch(0o600)
            pq.write_table(table, path, compression="zstd")
    try:
        yield
    except BaseException:
        shutil.rmtree(operator, ignore_errors=True)
        raise


def golds_path(operator: Path, config: str) -> Path:
    """Where the operator keeps the rows of a configuration with their golds."""
    return operator / GOLDS / f"{config}.parquet"


def _generator(plan: Plan) -> dict[str, Any]:
    """The parameters of the release for another size, without a seed."""
    known, sealing = manifest.load(plan.dataset), sealing_of(plan.dataset)
    found = {**(known.generator or {}), **sealing.generator}
    del found["seed"]
    usual = sealing.size and sealing.size.usual
    size = found[usual] if plan.size is None and usual else plan.size
    if size is None:
        return found
    if sealing.size is None:
        return _scaled(known, found, size)
    return {
        **found,
        **dict.fromkeys(sealing.size.set, size),
        **{name: min(found[name], size) for name in sealing.size.at_most},
    }


def _scaled(known: Manifest, generator: Mapping[str, Any], size: int) -> dict[str, Any]:
    """The parameters for another size as the builder's own function finds them."""
    builder = builder_module(known)
    try:
        found = asdict(builder.scaled(builder.spec({**generator, "seed": 0}), size))
    except ValueError as error:
        raise OtherMindsError(f"Not of this size: {error}") from error
    return {name: found[name] for name in generator}


def _default_tasks(dataset: str) -> list[str]:
    return [board.task for board in specs.load().boards if board.dataset == dataset]


def _check(plan: Plan, tasks: Sequence[str], today: date) -> None:
    sealing = sealing_of(plan.dataset)
    if not ID.fullmatch(plan.id) or len(plan.id) > 40:
        raise OtherMindsError(
            f"'{plan.id[:60]}' is not an id of a season: lower-case letters and digits with single "
            "hyphens, at most 40 characters."
        )
    if plan.closes < plan.opened:
        raise OtherMindsError(f"A season that opens {plan.opened} cannot close {plan.closes}.")
    if plan.closes < today:
        raise OtherMindsError(f"{plan.closes} is over: no entry could be received by then.")
    for task in tasks:
        try:
            rules = check_supported(task)
        except RefusedError as error:
            raise OtherMindsError(f"'{task}' cannot be played in a season: {error}") from error
        wanted = (harness.task_config(task) or {})["dataset_kwargs"]
        if rules.dataset != plan.dataset:
            raise OtherMindsError(f"'{task}' is on {rules.dataset}, not on {plan.dataset}.")
        hidden = not set(wanted["configs"]) <= set(sealing.published)
        if hidden or any(wanted.get(name) for name in sealing.reveals):
            raise OtherMindsError(f"'{task}' shows what a season withholds; choose another task.")


def _versions() -> dict[str, str]:
    others = {name: importlib.metadata.version(name) for name in ("numpy", "networkx", "pyarrow")}
    return {"otherminds": otherminds.__version__, **others}
