"""`otherminds construct release`: the dataset, with how its texts came about in manifest and card."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pyarrow as pa

from otherminds import files
from otherminds.construct import blind, results
from otherminds.construct.folder import Folder
from otherminds.construct.pipeline import Role
from otherminds.construct.results import Found
from otherminds.construct.state import State
from otherminds.data.build import dataset as builds
from otherminds.dataset_builders import constructed
from otherminds.dataset_builders.constructed import Unit
from otherminds.dataset_builders.verdict import Audit
from otherminds.errors import OtherMindsError
from otherminds.manifest import Manifest, Students
from otherminds.students import audit as students
from otherminds.students.halves import LEAST_GROUPS
from otherminds.students.rows import of_tables
from otherminds.students.view import of_dataset


@dataclass(frozen=True)
class Released:
    """A release: its dataset and folder, the audits of its build, and its facts."""

    dataset: str
    out: Path
    audits: Sequence[Audit]
    facts: dict[str, Any]


def release(folder: Folder, out: Path, *, partial: bool = False, unread: bool = False) -> Released:
    """Build the dataset of a construction's accepted units in `out`, all or nothing.

    partial  although units wait: these are left out, and so are those that first readers have not
             answered
    unread   although blind readers have not answered: nothing is dropped, and the card says so

    Raises OtherMindsError where that is not said, where blind readers were wrong on too much, where no
    unit was kept, and as the build does.
    """
    with folder.locked():
        now = folder.state()
        _check_open(folder, now, partial=partial)
        read = None if unread else _read(folder, now, partial=partial)
        audits, facts = build(folder, now, out, read=read)
    return Released(folder.pipeline.dataset, out, audits, facts)


def build(
    folder: Folder, now: State, out: Path, *, read: Found | None, part: str | None = None
) -> tuple[Sequence[Audit], dict[str, Any]]:
    """Write the accepted units and build the dataset from them; `part` as of all of them, if given."""
    facts = facts_of(folder, now, read)
    # Beside the folder's other files, so that it is moved as one.
    with files.work_folder(folder.path / "released") as source:
        _write(source, now, facts, blind.read_key(folder.path), part)
        study = None if part is not None else _studied
        audits = builds.build(folder.pipeline.dataset, out, source=source, study=study)
    return audits, facts


def keep(folder: Folder, out: Path, *, partial: bool = False) -> None:
    """Write what a release is built from into a folder, for a package that holds its own release.

    Raises OtherMindsError as `release` does where units wait or readers have not answered.
    """
    with folder.locked():
        now = folder.state()
        _check_open(folder, now, partial=partial)
        facts = facts_of(folder, now, _read(folder, now, partial=partial))
        with files.atomic_folder(out) as source:
            _write(source, now, facts, blind.read_key(folder.path), is_packed=True)


def _write(
    source: Path,
    now: State,
    facts: dict[str, Any],
    key: blind.Key | None,
    part: str | None = None,
    *,
    is_packed: bool = False,
) -> None:
    kept = [unit if part is None else replace(unit, part=part) for unit in now.kept()]
    if not kept:
        raise OtherMindsError("No unit was kept: there is nothing to release.")
    lines = constructed.lines(kept, _readings(now, key))
    if is_packed:
        (source / constructed.PACKED).write_bytes(constructed.packed(lines))
    else:
        (source / constructed.UNITS).write_text(lines, encoding="utf-8")
    files.write_json(source / constructed.FACTS, facts)


def _studied(known: Manifest, tables: Mapping[str, pa.Table]) -> Students | None:
    """What students learn from half of the release alone, beside what blind readers got right."""
    if of_dataset(known.dataset) is None:
        return None
    rows = of_tables(known, tables)
    if len({item.group for item in rows.items}) < LEAST_GROUPS:
        return None
    return students.of_rows(rows)


def facts_of(folder: Folder, now: State, read: Found | None) -> dict[str, Any]:
    """How the texts came about, as manifest and card state it."""
    kept = list(now.kept())
    return {
        "pipeline": folder.facts.pipeline,
        "version": folder.facts.version,
        "name": folder.facts.name,
        "n": folder.facts.n,
        "seed": folder.facts.seed,
        "material": folder.facts.material,
        "frames_sha256": folder.facts.frames_sha256,
        "otherminds": folder.facts.otherminds,
        "funnel": now.funnel.as_json(),
        "retention": dict(folder.pipeline.retention),
        "writers": _writers(kept),
        "reading": None if read is None else read.as_json(),
        "notes": list(_notes(kept, now, read)),
    }


def _readings(now: State, key: blind.Key | None) -> dict[str, list[dict[str, Any]]]:
    """The answers of blind readers, by unit, each with its marks."""
    marked = {(one.item, one.slot): one for one in now.markings if one.content is not None}
    found: dict[str, list[dict[str, Any]]] = {}
    numbered = {} if key is None else key.numbered()
    for one in now.readings:
        for item, said in blind.given(numbered, one):
            who = {"reader": one.author, "kind": one.author_kind, "family": one.family}
            turn = {"item": item, "round": blind.round_number(one)}
            own = {**turn, **who, "at": one.at, **said}
            if (mark := marked.get((one.item, one.slot))) is not None:
                own["marked"] = {"by": mark.author, "at": mark.at, **(mark.content or {})}
            found.setdefault(one.unit_id, []).append(own)
    return found


def _check_open(folder: Folder, now: State, *, partial: bool) -> None:
    waiting = now.funnel.open
    if waiting and not partial:
        raise OtherMindsError(
            f"{waiting} of {now.funnel.made} units in {folder.path} wait for replies. Import these, or "
            "release what is ready with --partial."
        )


def _read(folder: Folder, now: State, *, partial: bool) -> Found | None:
    reading = folder.pipeline.reading
    if reading is None:
        return None
    key = blind.read_key(folder.path)
    if partial and key is not None:
        key = key.only(blind.read_units(key, reading, now))
        now.set_aside(now.kept_units() - key.units())
    found = None if key is None or not key.items else results.of(reading, key, now)
    if found is None or not found.complete:
        raise OtherMindsError(
            f"Blind readers have not answered all of {folder.path}: `otherminds construct status` says "
            "which sheets wait. --unread releases it as it is, and the card says so."
        )
    if (fault := found.refused(reading)) is not None:
        raise OtherMindsError(f"No release: {fault}.")
    return found


def _writers(kept: Iterable[Unit]) -> list[dict[str, Any]]:
    """Who wrote and judged, with the stages and the number of accepted replies."""
    counts: dict[tuple[str, str, str | None, str], dict[str, int]] = {}
    for unit in kept:
        for one in unit.written:
            own = counts.setdefault((one.author, one.kind, one.family, one.role), {})
            own[one.stage] = own.get(one.stage, 0) + 1
    return [
        {"name": name, "kind": kind, "family": family, "role": role, "replies": own}
        for (name, kind, family, role), own in sorted(counts.items(), key=str)
    ]


def _notes(kept: Sequence[Unit], now: State, read: Found | None) -> Iterable[str]:
    """What a reader of the card must know, in sentences."""
    written = [one for unit in kept for one in unit.written]
    authors = {one.author: one for one in written if one.role == Role.AUTHOR.value}
    models = sorted(name for name, one in authors.items() if one.kind == "model")
    people = sorted(name for name, one in authors.items() if one.kind == "person")
    if models:
        yield f"Language models wrote the texts: {', '.join(models)}."
    if people:
        yield f"People wrote texts: {', '.join(people)}."
    judges = {one.author: one for one in written if one.role != Role.AUTHOR.value}
    readers = [one for one in now.readings if one.content is not None]
    families = {one.family for one in authors.values() if one.kind == "model"}
    if judges and models:
        own = {one.family for one in judges.values() if one.kind == "model"}
        yield from _of_family("Those who judged the texts", own, families)
    if read is not None and models:
        own = {one.family for one in readers if one.author_kind == "model"}
        yield from _of_family("Blind readers", own, families)
        marks = [one for one in now.markings if one.content is not None]
        own = {one.family for one in marks if one.author_kind == "model"}
        yield from _of_family("Those who marked their answers", own, families)
    has_people = bool(people) or any(one.kind == "person" for one in judges.values())
    if not has_people and not any(one.author_kind == "person" for one in readers):
        yield "No person has read these texts."
    if read is None:
        yield "No blind reader has answered from them."
    elif read.before is not None:
        yield from _of_reading(read)


def _of_reading(read: Found) -> Iterable[str]:
    if read.before is None:
        return
    gone = f"{len(read.dropped)} of {read.n_items} were dropped"
    if read.markers:
        yield (
            f"Answers of blind readers met {read.before.value:.1%} of the points that they were marked "
            f"by, before any item was dropped, and {gone}. Marked by: {', '.join(read.markers)}."
        )
    else:
        yield (
            f"Blind readers were right on {read.before.value:.1%} of the items before any was dropped, "
            f"and {gone}."
        )


def _of_family(who: str, own: set[str | None], authors: set[str | None]) -> Iterable[str]:
    if not own:
        return
    if None in own or None in authors:
        yield f"{who} may be models of the same family as the authors: the families are not stated."
    elif shared := sorted(str(one) for one in own & authors):
        yield f"{who} include models of the same family as the authors ({', '.join(shared)})."
