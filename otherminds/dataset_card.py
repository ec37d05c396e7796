"""The README.md of a dataset repository, rendered from its manifest and its tables."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pyarrow as pa
import yaml
from datasets import Features
from jinja2 import Environment, FileSystemLoader, StrictUndefined

from otherminds import hub, paths
from otherminds.manifest import Manifest


def render(known: Manifest, tables: Mapping[str, pa.Table]) -> str:
    """The card: a YAML head that `load_dataset` obeys, and text for people."""
    head = {
        "license": known.licence.lower(),
        "language": ["en"],
        "pretty_name": known.title,
        "configs": [_config(known, config) for config in tables],
        "dataset_info": [_info(config, table) for config, table in tables.items()],
    }
    environment = Environment(
        loader=FileSystemLoader(paths.cards()),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    return environment.get_template("card.md.jinja").render(
        head=yaml.safe_dump(head, sort_keys=False, allow_unicode=True),
        known=known,
        hub_id=hub.dataset_id(known.dataset),
    )


def _config(known: Manifest, config: str) -> dict[str, Any]:
    return {
        "config_name": config,
        "data_files": [{"split": "test", "path": f"data/{config}/test-*.parquet"}],
        **({"default": True} if config == known.default_config else {}),
    }


def _info(config: str, table: pa.Table) -> dict[str, Any]:
    features = Features.from_arrow_schema(table.schema)
    return {
        "config_name": config,
        "features": features._to_yaml_list(),
        "splits": [{"name": "test", "num_examples": table.num_rows, "num_bytes": table.nbytes}],
    }
