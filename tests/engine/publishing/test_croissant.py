"""croissant.json: what mlcroissant makes of it, for a small build of every dataset."""

from __future__ import annotations

import json
import logging
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from otherminds import files, manifest, paths
from otherminds.data.repository import croissant, croissant_fields
from otherminds.data.repository import write as repository
from otherminds.errors import OtherMindsError
from tests.helpers import small_builds

# Members of structs in lists that are structs or lists of structs: no Croissant reader reaches them.
OUT_OF_REACH = {
    "agents/interventions/deltas",
    "agents/interventions/weights_after",
    "stages/scenes/turns",
    "stages_variants/scenes/turns",
}


@pytest.fixture(scope="module", params=small_builds.ALL)
def folder(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return small_builds.write(request.param, tmp_path_factory.mktemp("small"))


@pytest.fixture(scope="module")
def stances(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return small_builds.write("debate-beliefs-issues", tmp_path_factory.mktemp("stances"))


def described(folder: Path) -> Any:
    return json.loads(croissant.text(repository.manifest_of(folder), folder))


# With mlcroissant


def opened(folder: Path) -> Any:
    """As mlcroissant opens it, with the files of the folder in place of those on the Hub."""
    mlcroissant = pytest.importorskip("mlcroissant", reason="needs mlcroissant (extra test)")
    content = described(folder)
    mapping = {one["@id"]: folder / one["@id"] for one in content["distribution"]}
    return mlcroissant.Dataset(jsonld=content, mapping=mapping)


@pytest.mark.slow
def test_mlcroissant_finds_no_fault(folder: Path, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING):
        metadata = opened(folder).metadata
    assert [record.getMessage() for record in caplog.records] == []
    known = repository.manifest_of(folder)
    assert metadata.version == known.version
    assert metadata.cite_as == known.citation
    assert known.canary in metadata.description
    for name in ("data_limitations", "data_biases", "data_use_cases", "data_collection"):
        assert getattr(metadata, name)
    assert metadata.personal_sensitive_information
    assert metadata.data_social_impact
    assert metadata.data_release_maintenance_plan


@pytest.mark.slow
def test_mlcroissant_reads_the_rows_that_were_built(folder: Path) -> None:
    dataset = opened(folder)
    for config in repository.manifest_of(folder).configs:
        table = pq.read_table(repository.parquet_path(folder, config))
        found = [plain(record) for record in dataset.records(config)]
        assert found == [as_record(config, row, table.schema) for row in table.to_pylist()]


def as_record(config: str, row: Mapping[str, Any], schema: pa.Schema) -> dict[str, Any]:
    """A row as mlcroissant yields it: a column, or a member of a struct, under its id."""
    record: dict[str, Any] = {f"{config}/hub_split": "test"}
    for column in schema:
        record |= under(f"{config}/{column.name}", row[column.name], column.type)
    return record


def under(here: str, value: Any, kind: pa.DataType) -> dict[str, Any]:
    if pa.types.is_list(kind) and pa.types.is_struct(kind.value_type):
        return {here: [members(here, one) for one in value]}
    if not pa.types.is_struct(kind):
        return {here: value}
    parts: dict[str, Any] = {}
    for member in kind:
        below = under(f"{here}/{member.name}", value[member.name], member.type)
        if pa.types.is_list(member.type) and pa.types.is_struct(member.type.value_type):
            parts |= below
        else:
            parts.setdefault(here, {}).update(below)
    return parts


def members(here: str, one: Mapping[str, Any]) -> dict[str, Any]:
    return {
        f"{here}/{name}": value
        for name, value in one.items()
        if f"{here}/{name}" not in OUT_OF_REACH
    }


def plain(value: Any) -> Any:
    """Texts instead of bytes, Python's numbers instead of NumPy's."""
    match value:
        case bytes():
            return value.decode()
        case np.generic():
            return value.item()
        case list() | np.ndarray():
            return [plain(one) for one in value]
        case dict():
            return {name: plain(one) for name, one in value.items()}
        case _:
            return value


# Without it


def test_the_same_build_gives_the_same_text(folder: Path, tmp_path: Path) -> None:
    known = repository.manifest_of(folder)
    again = small_builds.write(known.dataset, tmp_path)
    text = croissant.text(known, folder)
    assert croissant.text(known, again) == text
    assert text.endswith("}\n")
    assert str(folder) not in text


def test_files_have_the_size_and_hash_that_is_said(folder: Path) -> None:
    known = repository.manifest_of(folder)
    listed = described(folder)["distribution"]
    assert len(listed) == len(known.configs)
    for one in listed:
        path = folder / one["@id"]
        assert one["sha256"] == files.sha256(path)
        assert one["contentSize"] == f"{path.stat().st_size} B"
        assert one["contentUrl"] == (
            f"https://huggingface.co/datasets/otherminds/{known.dataset}"
            f"/resolve/v{known.version}/{one['@id']}"
        )


def test_there_is_a_record_set_for_every_configuration_and_its_key_tells_rows_apart(
    folder: Path,
) -> None:
    known = repository.manifest_of(folder)
    sets = {one["name"]: one for one in described(folder)["recordSet"]}
    assert list(sets) == ["splits", *known.configs]
    assert sets["splits"]["data"] == [{"splits/name": "test"}]
    for config in known.configs:
        table = pq.read_table(repository.parquet_path(folder, config))
        key = [one["@id"].removeprefix(f"{config}/") for one in sets[config]["key"]]
        assert table.group_by(key).aggregate([]).num_rows == table.num_rows
        assert [one["name"] for one in sets[config]["field"]] == ["hub_split", *table.column_names]


def test_what_is_out_of_reach_is_named(folder: Path) -> None:
    named = set()
    for one in described(folder)["recordSet"]:
        for field in one["field"]:
            if "description" in field:
                listed, _, reason = field["description"].partition(", nested too deep")
                assert reason
                names = listed.removeprefix("Also holds ").split(", ")
                named |= {f"{field['@id']}/{name}" for name in names}
    configs = repository.manifest_of(folder).configs
    assert named == {path for path in OUT_OF_REACH if path.split("/")[0] in configs}


def test_types_are_those_of_the_columns() -> None:
    pair = pa.struct([("name", pa.string()), ("weights", pa.list_(pa.float64()))])
    schema = pa.schema(
        [
            ("count", pa.int32()),
            ("total", pa.int64()),
            ("right", pa.bool_()),
            ("grid", pa.list_(pa.list_(pa.string()))),
            ("pairs", pa.list_(pair)),
            ("graph", pa.struct([("nodes", pa.list_(pair))])),
        ]
    )
    found = {one["name"]: one for one in croissant_fields.fields("rows", "rows.parquet", schema)}
    types = {name: one.get("dataType") for name, one in found.items()}
    assert types == {
        "count": "cr:Int32",
        "total": "cr:Int64",
        "right": "sc:Boolean",
        "grid": "sc:Text",
        "pairs": None,
        "graph": None,
    }
    assert (found["grid"]["isArray"], found["grid"]["arrayShape"]) == (True, "-1,-1")
    name, weights = found["pairs"]["subField"]
    assert name["@id"] == "rows/pairs/name"
    assert name["source"] == {
        "fileObject": {"@id": "rows.parquet"},
        "extract": {"column": "pairs"},
        "transform": [{"jsonPath": "name"}],
    }
    assert (weights["dataType"], weights["isArray"]) == ("cr:Float64", True)
    (nodes,) = found["graph"]["subField"]
    assert nodes["isArray"]
    steps = nodes["subField"][0]["source"]["transform"]
    assert steps == [{"jsonPath": "nodes"}, {"jsonPath": "name"}]


def test_a_type_that_no_builder_uses_is_an_error() -> None:
    with pytest.raises(TypeError, match=r"rows/when is of type date32"):
        croissant_fields.fields("rows", "rows.parquet", pa.schema([("when", pa.date32())]))


def test_a_licence_that_is_in_no_list_has_an_address(stances: Path) -> None:
    assert described(stances)["license"] == "https://spdx.org/licenses/MIT.html"
    assert croissant.facts("debate-beliefs").licence_url == "https://esdurmus.github.io/ddo.html"


@pytest.mark.parametrize("dataset", manifest.names())
def test_facts_are_there_for_every_dataset_that_is_built(dataset: str) -> None:
    known = manifest.load(dataset)
    if known.upstream is not None:
        assert not (paths.cards() / dataset / "croissant.yaml").exists()
        return
    stated = croissant.facts(dataset)
    assert set(stated.keys) == set(known.configs)
    assert (stated.licence_url is not None) == (known.licence == "other")
    # Personal data are denied of those datasets alone whose people do not exist.
    denied = any(line.startswith("None.") for line in stated.rai.personal_sensitive_information)
    assert denied == (known.generated or dataset in ("synchtom", *small_builds.WRITTEN))


def test_the_version_of_a_build_with_judged_titles_is_a_semantic_one(stances: Path) -> None:
    known = repository.manifest_of(stances).model_copy(update={"version": "1.0+titles.0a1b"})
    assert json.loads(croissant.text(known, stances))["version"] == "1.0.0+titles.0a1b"


def test_another_organisation_has_other_addresses(
    stances: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OTHERMINDS_HUB_ORG", "acme")
    content = described(stances)
    assert content["url"] == "https://huggingface.co/datasets/acme/debate-beliefs-issues"
    assert content["distribution"][0]["contentUrl"].startswith(f"{content['url']}/resolve/v")


def test_a_folder_without_rows_is_an_error(stances: Path, tmp_path: Path) -> None:
    with pytest.raises(OtherMindsError, match="no rows of the configuration 'beliefs'"):
        croissant.text(repository.manifest_of(stances), tmp_path)


@pytest.mark.parametrize(
    ("own", "says"),
    [
        (None, "Cannot read .*croissant.yaml"),
        ("- a list", "does not map names to facts"),
        ("a: [", "is not valid YAML"),
        ("keywords: [a]\nkeys: {}\n", "is wrong at 'rai.dataCollection': Field required"),
        ("color: red\n", "is wrong at"),
    ],
)
def test_facts_that_are_missing_or_wrong_are_an_error(
    own: str | None, says: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    common = (paths.cards() / "croissant.yaml").read_text(encoding="utf-8")
    (tmp_path / "croissant.yaml").write_text(common, encoding="utf-8")
    if own is not None:
        (tmp_path / "x").mkdir()
        (tmp_path / "x" / "croissant.yaml").write_text(own, encoding="utf-8")
    monkeypatch.setattr(paths, "cards", lambda: tmp_path)
    monkeypatch.setattr(paths, "card_folders", lambda: [tmp_path])
    with pytest.raises(OtherMindsError, match=says) as caught:
        croissant.facts("x")
    assert "\n" not in str(caught.value)
