"""croissant.json of a dataset repository: the facts that a machine needs before it reads the rows.

Croissant 1.1 (http://mlcommons.org/croissant/1.1) with the fields of its extension on responsible AI,
RAI 1.0. Facts of the manifest come from there, files and columns from the built folder, and all else
(the origin of the data, the uses that they are not good for) from `cards/croissant.yaml`, for all
datasets, and `cards/<dataset>/croissant.yaml`. Nothing depends on when or where it is written.
"""

from __future__ import annotations

import json
from datetime import date
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import yaml
from pydantic import ConfigDict, ValidationError
from pydantic.alias_generators import to_camel

from otherminds import files, paths
from otherminds.data import hub
from otherminds.data.repository import croissant_fields
from otherminds.data.repository import write as repository
from otherminds.data.repository.croissant_fields import Json
from otherminds.errors import OtherMindsError
from otherminds.manifest import Manifest
from otherminds.strict import Strict

NAME = "croissant.json"
_FACTS = "croissant.yaml"
_SPLIT = "test"


class Creator(Strict):
    """An organisation that made the dataset."""

    name: str
    url: str


class Rai(Strict):
    """The fields of Croissant RAI 1.0, named as there but for the case.

    Those without a default must be said of every dataset.
    """

    model_config = ConfigDict(
        extra="forbid", frozen=True, alias_generator=to_camel, populate_by_name=True
    )

    data_collection: str
    data_collection_type: list[str]
    data_collection_raw_data: str | None = None
    data_collection_missing_data: str | None = None
    data_preprocessing_protocol: list[str]
    data_annotation_protocol: list[str]
    annotator_demographics: list[str] | None = None
    machine_annotation_tools: list[str] | None = None
    data_use_cases: list[str]
    data_limitations: list[str]
    data_biases: list[str]
    data_social_impact: str
    personal_sensitive_information: list[str]
    data_release_maintenance_plan: str


class Facts(Strict):
    """Facts of a dataset that stand neither in its manifest nor in its files.

    published    the day on which its first version was published; it stays with later versions
    creators     who made it
    keywords     to find it by
    keys         by configuration, the columns that identify its rows
    licence_url  of a licence that is not in the SPDX list
    rai          the fields on responsible AI
    """

    published: date
    creators: list[Creator]
    keywords: list[str]
    keys: dict[str, list[str]]
    licence_url: str | None = None
    rai: Rai


def text(known: Manifest, folder: Path) -> str:
    """croissant.json of the repository of `known` that was built in `folder`, as JSON.

    Same files, same text. The Parquet files must have their final content: their SHA-256 is in it.
    Raises OtherMindsError where a configuration's file or the facts of the dataset are missing.
    """
    stated = facts(known.dataset)
    hub_id = hub.dataset_id(known.dataset)
    page = f"https://huggingface.co/datasets/{hub_id}"
    description = (
        f"{known.description.strip()} These texts must not be part of training data. "
        f"Canary: {known.canary}"
    )
    content = {
        "@context": _CONTEXT,
        "@type": "sc:Dataset",
        "name": known.dataset,
        "alternateName": [known.title, hub_id],
        "description": description,
        "conformsTo": [
            "http://mlcommons.org/croissant/1.1",
            "http://mlcommons.org/croissant/RAI/1.0",
        ],
        "url": page,
        "version": _semantic(known.version),
        "datePublished": stated.published.isoformat(),
        "license": stated.licence_url or f"https://spdx.org/licenses/{known.licence}.html",
        "citeAs": known.citation,
        "creator": [
            {"@type": "sc:Organization", "name": one.name, "url": one.url}
            for one in stated.creators
        ],
        "keywords": stated.keywords,
        "inLanguage": "en",
        "isBasedOn": [source.url for source in known.sources if source.url is not None],
        **{
            f"rai:{name}": value
            for name, value in stated.rai.model_dump(by_alias=True, exclude_none=True).items()
        },
        "distribution": [_file(known, config, folder, page) for config in known.configs],
        "recordSet": [
            _splits(),
            *(_rows(known, stated, config, folder) for config in known.configs),
        ],
    }
    return json.dumps(content, indent=2, ensure_ascii=False) + "\n"


def facts(dataset: str) -> Facts:
    """The facts of a dataset, those of all datasets included.

    Raises OtherMindsError where a file is missing or wrong.
    """
    common, own = (_read(folder / _FACTS) for folder in (paths.cards(), paths.card(dataset)))
    together = {**common, **own, "rai": {**common.get("rai", {}), **own.get("rai", {})}}
    try:
        return Facts.model_validate(together)
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"])
        raise OtherMindsError(
            f"{paths.card(dataset) / _FACTS} is wrong at '{where}': {first['msg']}."
        ) from error


def _read(path: Path) -> dict[str, Any]:
    try:
        found = yaml.safe_load(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise OtherMindsError(
            f"Cannot read {path}: {error.strerror}. A dataset that is built needs this file; it holds "
            "what Croissant says beyond the manifest."
        ) from error
    except yaml.YAMLError as error:
        reason = " ".join(str(error).split())
        raise OtherMindsError(f"{path} is not valid YAML: {reason}.") from error
    if not isinstance(found, dict):
        raise OtherMindsError(f"{path} does not map names to facts.")
    return found


def _semantic(version: str) -> str:
    """A version as Semantic Versioning writes it: a plus needs three numbers before it."""
    release, plus, build = version.partition("+")
    return f"{release}.0+{build}" if plus and release.count(".") == 1 else version


def _file(known: Manifest, config: str, folder: Path, page: str) -> Json:
    path = _parquet(folder, config)
    name = path.relative_to(folder).as_posix()
    return {
        "@type": "cr:FileObject",
        "@id": name,
        "name": path.name,
        "description": f"All rows of the configuration {config}.",
        # At the version's tag: on the main branch the file may change, and the hash would be wrong.
        "contentUrl": f"{page}/resolve/v{known.version}/{name}",
        "contentSize": f"{path.stat().st_size} B",
        "encodingFormat": "application/x-parquet",
        "sha256": files.sha256(path),
    }


def _splits() -> Json:
    name = {"@type": "cr:Field", "@id": "splits/name", "name": "name", "dataType": "sc:Text"}
    return {
        "@type": "cr:RecordSet",
        "@id": "splits",
        "name": "splits",
        "description": "The splits that load_dataset knows.",
        "dataType": "cr:Split",
        "key": {"@id": name["@id"]},
        "field": [name],
        "data": [{name["@id"]: _SPLIT}],
    }


def _rows(known: Manifest, stated: Facts, config: str, folder: Path) -> Json:
    path = _parquet(folder, config)
    columns = croissant_fields.fields(
        config, path.relative_to(folder).as_posix(), pq.read_schema(path)
    )
    # Not "split": a table may have a column of that name.
    split = croissant_fields.constant(
        config,
        "hub_split",
        _SPLIT,
        dataType=["cr:Split", "sc:Text"],
        references={"field": {"@id": "splits/name"}},
    )
    return {
        "@type": "cr:RecordSet",
        "@id": config,
        "name": config,
        "description": known.configs[config].description,
        "key": [{"@id": f"{config}/{column}"} for column in stated.keys[config]],
        "field": [split, *columns],
    }


def _parquet(folder: Path, config: str) -> Path:
    path = repository.parquet_path(folder, config)
    if not path.is_file():
        raise OtherMindsError(
            f"{folder} has no rows of the configuration '{config}': {path} is missing."
        )
    return path


# The context of Croissant 1.1, and the prefix of the RAI extension.
_CONTEXT: Json = {
    "@language": "en",
    "@vocab": "https://schema.org/",
    "arrayShape": "cr:arrayShape",
    "citeAs": "cr:citeAs",
    "column": "cr:column",
    "conformsTo": "dct:conformsTo",
    "containedIn": "cr:containedIn",
    "cr": "http://mlcommons.org/croissant/",
    "data": {"@id": "cr:data", "@type": "@json"},
    "dataType": {"@id": "cr:dataType", "@type": "@vocab"},
    "dct": "http://purl.org/dc/terms/",
    "description": {"@container": "@language"},
    "equivalentProperty": "cr:equivalentProperty",
    "examples": {"@id": "cr:examples", "@type": "@json"},
    "extract": "cr:extract",
    "field": "cr:field",
    "fileObject": "cr:fileObject",
    "fileProperty": "cr:fileProperty",
    "fileSet": "cr:fileSet",
    "format": "cr:format",
    "includes": "cr:includes",
    "isArray": "cr:isArray",
    "isLiveDataset": "cr:isLiveDataset",
    "jsonPath": "cr:jsonPath",
    "key": "cr:key",
    "md5": "cr:md5",
    "name": {"@container": "@language"},
    "parentField": "cr:parentField",
    "path": "cr:path",
    "rai": "http://mlcommons.org/croissant/RAI/",
    "recordSet": "cr:recordSet",
    "references": "cr:references",
    "regex": "cr:regex",
    "repeated": "cr:repeated",
    "replace": "cr:replace",
    "samplingRate": "cr:samplingRate",
    "sc": "https://schema.org/",
    "separator": "cr:separator",
    "source": "cr:source",
    "subField": "cr:subField",
    "transform": "cr:transform",
}
