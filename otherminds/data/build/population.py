"""The repository of a population of another size than the release: rows are written as they come.

It has the files that the release has, but for those that describe the release alone (`croissant.json`,
`eval.yaml`), and its rows are in several Parquet files.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import Any, Final

import pyarrow as pa
import pyarrow.parquet as pq
import yaml

from otherminds.data.repository import card, licences
from otherminds.data.repository import write as repository
from otherminds.dataset_builders.hashing import ContentHash
from otherminds.dataset_builders.parts import in_equal_sizes
from otherminds.manifest import Config, Manifest

ROWS_PER_FILE: Final = 200_000
"""A file of so many rows is of a size that can be sent to the Hub; whole row groups."""

_TEMPLATE: Final = "population.md.jinja"


def write(
    folder: Path,
    known: Manifest,
    configs: Mapping[str, Iterator[pa.Table]],
    audits: Iterable[Mapping[str, Any]],
) -> Manifest:
    """Write the repository into the existing, empty `folder`; its manifest, with counts and hashes.

    configs  the rows of each configuration, in pieces of any size
    """
    made = known.model_copy(
        update={
            "configs": {
                name: _rows_written(folder / "data" / name, configs[name], facts)
                for name, facts in known.configs.items()
            }
        }
    )
    (folder / "README.md").write_text(_card(made), encoding="utf-8")
    repository.seal(folder, made, audits, licences.of_project())
    return made


def _rows_written(folder: Path, pieces: Iterator[pa.Table], facts: Config) -> Config:
    """Write files of ROWS_PER_FILE rows, in row groups: no more than one of them is in memory.

    How many files there are is in their names, and known at the end.
    """
    folder.mkdir(parents=True)
    digest = ContentHash()
    rows = 0
    paths: list[Path] = []
    with ExitStack() as last:
        for table in in_equal_sizes(pieces, min(repository.ROW_GROUP, ROWS_PER_FILE)):
            if rows % ROWS_PER_FILE == 0:
                last.close()
                paths.append(folder / f"{len(paths)}.parquet")
                writer = last.enter_context(
                    pq.ParquetWriter(paths[-1], table.schema, compression=repository.COMPRESSION)
                )
            writer.write_table(table)
            digest.update(table)
            rows += table.num_rows
    for number, path in enumerate(paths):
        path.rename(folder / f"test-{number:05d}-of-{len(paths):05d}.parquet")
    return facts.model_copy(update={"splits": {"test": rows}, "content_hash": digest.hexdigest()})


def _card(known: Manifest) -> str:
    head = {
        "license": known.licence.lower(),
        "pretty_name": f"{known.title}, {known.version}",
        "size_categories": [card.size_category(known.rows)],
        "configs": [card.config_head(known, config) for config in known.configs],
    }
    return (
        card.environment()
        .get_template(_TEMPLATE)
        .render(
            head=yaml.safe_dump(head, sort_keys=False, allow_unicode=True, width=100),
            known=known,
            generator=yaml.safe_dump(known.generator, sort_keys=False),
        )
    )
