"""All shards of a dataset, put together: the repository that one build would have written.

Draws over everybody are made here: who is in a subset, running numbers. A release is audited
here too, and its content hash must be the manifest's.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path

import pyarrow as pa

from otherminds import files, manifest
from otherminds.data.build import dataset as building
from otherminds.data.build import population, shards
from otherminds.dataset_builders.parts import Read, Run, whole
from otherminds.dataset_builders.verdict import Audit
from otherminds.errors import OtherMindsError
from otherminds.types import Progress


def merge(out: Path, paths: Sequence[Path], *, progress: Progress | None = None) -> Sequence[Audit]:
    """Write the repository of the dataset of these shards to `out`, all or nothing; its audits.

    paths     the folder of each shard, or folders that have them inside
    progress  is called with the number of rows read, and of all

    Of a population larger than the release, memory does not grow with its rows; the first people were
    audited when the first shard was built. Raises OtherMindsError for a shard that is missing, there
    twice, damaged, or of another dataset, version, seed, parameter or software than the others.
    """
    folders, facts = _complete(paths)
    release = manifest.load(facts[0].dataset)
    building.check_target(out, release.dataset)
    builder = shards.in_parts(release)
    if facts[0].version.split("+")[0] != release.version:
        raise OtherMindsError(
            f"These are shards of {release.dataset} {facts[0].version}, but this is version "
            f"{release.version}. Build them again, or merge them with the version that built them."
        )
    try:
        spec = builder.spec(facts[0].generator)
        plan = builder.plan(spec)
    except (ValueError, TypeError) as error:
        raise OtherMindsError(
            f"{folders[0] / shards.FACTS} has parameters that {release.dataset} cannot be built with: "
            f"{error} Build the shards again."
        ) from error
    rows = sum(sum(each.rows.values()) for each in facts)
    configs = plan.assembled(_watched(folders, rows, progress))
    if spec == builder.spec(release.generator or {}):
        return building.finish(release, builder, spec, whole(configs), out)
    known = release.model_copy(
        update={
            "version": facts[0].version,
            "generator": facts[0].generator,
            "references": {},
            "students": None,
            "measured": {one["name"]: one["value"] for one in facts[0].audits},
        }
    )
    with files.atomic_folder(out) as folder:
        population.write(folder, known, configs, facts[0].audits)
    return [Audit(**one) for one in facts[0].audits]


def build_population(
    dataset: str, out: Path, run: Run, *, people: int, progress: Progress | None = None
) -> Sequence[Audit]:
    """Build a population of so many people or stages on this machine, as one shard, and write it."""
    building.check_target(out, dataset)
    with files.work_folder(out) as kept:
        alone = shards.Which(1, 1)
        folder, _ = shards.build(dataset, kept, alone, run, people=people, progress=progress)
        return merge(out, [folder])


def _complete(paths: Sequence[Path]) -> tuple[list[Path], list[shards.Facts]]:
    """The shards in order of their numbers, and their facts; all there, whole and alike."""
    found = {folder: shards.facts(folder) for folder in shards.folders_in(paths)}
    if not found:
        raise OtherMindsError("Name the shards to merge, or the folder that has them.")
    first_folder, first = next(iter(found.items()))
    by_number: dict[int, Path] = {}
    for folder, facts in found.items():
        if facts.whole != first.whole:
            raise OtherMindsError(
                f"{folder} is a shard of {shards.different(facts, first)} as {first_folder}. Shards of "
                "one build belong together."
            )
        if facts.shard in by_number:
            raise OtherMindsError(
                f"Shard {facts.shard} of {facts.of} is there twice: {by_number[facts.shard]} and "
                f"{folder}. Leave one out."
            )
        by_number[facts.shard] = folder
    numbers = range(1, first.of + 1)
    if missing := [number for number in numbers if number not in by_number]:
        raise OtherMindsError(
            f"{len(missing)} of {first.of} shards are missing, first `--shard {missing[0]}/{first.of}`. "
            f"Build them with `{first.command(missing[0], first_folder.parent)}`."
        )
    for number in numbers:
        if not shards.intact(by_number[number], found[by_number[number]]):
            raise OtherMindsError(
                f"{by_number[number]} is damaged: a file differs from its SHA-256. Build it again: "
                f"`{first.command(number, by_number[number].parent)}` replaces it."
            )
    folders = [by_number[number] for number in numbers]
    return folders, [found[folder] for folder in folders]


def _watched(folders: Sequence[Path], rows: int, progress: Progress | None) -> Read:
    """Reads shards, and reports how many rows were read so far."""
    if progress is None:
        return partial(shards.read, folders)
    done = 0

    def read(name: str) -> Iterator[pa.Table]:
        nonlocal done
        for table in shards.read(folders, name):
            yield table
            done += table.num_rows
            progress(done, rows)

    return read
