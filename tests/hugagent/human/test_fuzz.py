"""Clones of HugAgent's repository and tables about people, with any damage: read, or one clear error."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from otherminds.data import upstream
from otherminds.dataset_builders import people_table
from otherminds.dataset_builders.hugagent import human
from otherminds.errors import OtherMindsError
from otherminds.files import too_deep
from otherminds.tasks.hugagent import ceiling
from tests.helpers import damage
from tests.helpers import fictional_hugagent as fictional

pytestmark = pytest.mark.slow

TABLE = """participant_id,age,city,1.1,1.2
P01,34,Here,3,7
P02,51,"There, by the sea",4,
P03,,Elsewhere,10,1
"""

RETEST = """participant_id,topic,question_id,low,high,test,retest
P01,zoning,1.1,1,10,3,4
P01,zoning,1.2,1,10,3,5
P01,zoning,q1,0,0,A,B
P02,zoning,1.1,1,10,8,8
P02,zoning,1.2,1,10,7,
P02,zoning,1.2r_A,1,5,2,2
P02,healthcare,q7,0,0,B,B
"""


def converted(folder: Path) -> Callable[[], Any]:
    """The items of a clone; golds are still of their scale's kind."""

    def read() -> Any:
        found = upstream.from_clone.__wrapped__("hugagent", folder)
        return {name: table.to_pylist() for name, table in found.tables.items()}

    return read


def are_items(tables: Mapping[str, list[dict[str, Any]]]) -> bool:
    return all(row["answer"] in ("A", "B", "A/B") for row in tables["bsi"]) and all(
        row["scale"] in ([1, 5], [1, 10]) and int(row["answer"]) == float(row["answer"])
        for row in tables["bdu"]
    )


@pytest.mark.attack(
    "any damage to a file of a source, a study, a sheet, samples or results",
    outcome="read, or one clear error; never a trace",
    against="data",
)
@pytest.mark.parametrize("layout", ["released", "selected"])
@pytest.mark.parametrize("task", fictional.STEMS)
def test_a_damaged_clone_is_read_or_refused(layout: str, task: str, tmp_path: Path) -> None:
    write = fictional.write_clone if layout == "released" else fictional.write_selected
    folder = write(fictional.sample(), tmp_path / "clone")
    name = fictional.STEMS[task] if layout == "released" else task
    [path] = [one for one in folder.rglob("*zoning*.json*") if name in one.name]
    found = damage.fuzz(
        path,
        converted(folder),
        damage.JSON,
        n=100,
        error=OtherMindsError,
        named=folder,
        is_sane=are_items,
    )
    assert found.other > 20


@pytest.mark.parametrize("task", fictional.STEMS)
def test_any_value_of_any_field_is_read_as_an_item_or_left_out(task: str) -> None:
    record = next(one for one in fictional.sample() if one["task_type"] == task)
    for key in record:
        for token in damage.TOKENS:
            text = json.dumps({**record, key: "stand-in"}).replace('"stand-in"', token)
            try:
                changed = json.loads(text)
            except (ValueError, RecursionError):
                continue
            if not too_deep(changed):
                tables = human.convert([changed], human.Remarks())
                assert are_items({name: one.to_pylist() for name, one in tables.items()}), token


def test_damaged_text_in_the_hubs_columns_is_read_or_left_out(tmp_path: Path) -> None:
    """On the Hub, nested fields are JSON as text: one of them is damaged in a record after the other."""
    records = [fictional.flattened(record) for record in fictional.sample()]
    for field in fictional.NESTED:
        place = next(n for n, one in enumerate(records) if isinstance(one.get(field), str))
        path = tmp_path / field
        path.write_text(records[place][field], encoding="utf-8")

        def read(place: int = place, field: str = field, path: Path = path) -> Any:
            text = path.read_bytes().decode("utf-8-sig", "replace")
            remarks = human.Remarks()
            tables = human.convert(
                [*records[:place], {**records[place], field: text}, *records[place + 1 :]], remarks
            )
            return {name: table.to_pylist() for name, table in tables.items()}

        damage.fuzz(path, read, damage.JSON, n=40, error=OtherMindsError, is_sane=are_items)


@pytest.mark.attack(
    "any damage to a file of a source, a study, a sheet, samples or results",
    outcome="read, or one clear error; never a trace",
    against="data",
)
def test_a_damaged_table_of_people_is_read_or_refused(tmp_path: Path) -> None:
    path = tmp_path / "people.csv"
    path.write_text(TABLE, encoding="utf-8")

    def read() -> Any:
        # As mappings: columns may come in any order.
        return {person: dict(cells) for person, cells in people_table.read(path).items()}

    found = damage.fuzz(path, read, damage.CSV, n=600, error=ValueError)
    assert min(found.same, found.other, found.refused) > 50


def test_a_damaged_table_of_retests_is_read_or_refused(tmp_path: Path) -> None:
    path = tmp_path / "retest.csv"
    path.write_text(RETEST, encoding="utf-8")
    found = damage.fuzz(
        path,
        lambda: ceiling.as_json(ceiling.ceiling(path)),
        damage.CSV,
        n=300,
        error=OtherMindsError,
    )
    assert found.refused > 100
