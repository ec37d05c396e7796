"""The participants' folder, which tasks read as a dataset, and `load_dataset` too."""

from __future__ import annotations

import json
from pathlib import Path

import pyarrow.parquet as pq
import yaml

from otherminds import files, manifest
from otherminds.data import loading as data
from otherminds.data.build import dataset as build
from otherminds.data.repository import write as repository
from otherminds.errors import OtherMindsError
from otherminds.leaderboard.sealing import record
from otherminds.leaderboard.sealing.columns import sealing_of
from otherminds.leaderboard.sealing.record import Season
from otherminds.leaderboard.sealing.tables import Tables, content_hashes
from otherminds.manifest import Manifest

README = "README.md"


def write(folder: Path, season: Season, tables: Tables) -> None:
    """Write rows without golds, their manifest and card, and the record into an empty folder."""
    for config, table in tables.items():
        target = repository.parquet_path(folder, config)
        target.parent.mkdir(parents=True)
        pq.write_table(table, target, compression="zstd", row_group_size=1_000)
    known = _manifest(season, tables)
    (folder / repository.MANIFEST).write_text(manifest.dump(known), encoding="utf-8")
    (folder / README).write_text(_card(season, known), encoding="utf-8")
    # Not of the record, which gains the secret when the season closes.
    sums = {
        path.relative_to(folder).as_posix(): files.sha256(path)
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }
    (folder / repository.CHECKSUMS).write_text(json.dumps(sums, indent=2) + "\n", encoding="utf-8")
    record.write(folder, season)


def tables(folder: Path, season: Season) -> Tables:
    """The rows in a participants' folder. Raises OtherMindsError where they are not the season's."""
    found = {
        config: repository.read(folder, config) for config in sealing_of(season.dataset).published
    }
    for config, content_hash in content_hashes(season.dataset, found).items():
        if content_hash != season.content_hash.get(config):
            raise OtherMindsError(
                f"The rows of '{config}' in {folder} are not those of season {season.id}: their content "
                "hash is another. Get the folder anew."
            )
    return found


def _manifest(season: Season, tables: Tables) -> Manifest:
    """The release's facts without its numbers, which are not those of the season."""
    release = manifest.load(season.dataset)
    some = release.model_copy(update={"configs": {one: release.configs[one] for one in tables}})
    return some.model_copy(
        update={
            "version": season.data_version,
            "title": f"{release.title}, season {season.id}",
            "generator": season.generator,
            "configs": build.described(some, tables),
            "references": {},
            "measured": {},
        }
    )


def _card(season: Season, known: Manifest) -> str:
    configs = [
        {
            "config_name": name,
            "data_files": [{"split": data.SPLIT, "path": f"data/{name}/*.parquet"}],
            **({"default": True} if name == known.default_config else {}),
        }
        for name in known.configs
    ]
    front = yaml.safe_dump({"license": known.licence, "configs": configs}, sort_keys=False)
    tasks = "\n".join(f"    otherminds run {task} --season THIS_FOLDER" for task in season.tasks)
    rules = "\n".join(f"- {rule}" for rule in season.rules)
    return (
        f"---\n{front}---\n\n# {known.title}\n\n"
        f"Data without gold answers: entries are taken from {season.opened} to {season.closes}, and "
        "scored when the season closes. `season.yaml` is its record.\n\n"
        f"{tasks}\n    otherminds submit otherminds-results --season THIS_FOLDER …\n\n"
        f"## Rules\n\n{rules}\n"
    )
