"""Studies with any damage in their key or a returned table: read, or one clear error."""

from __future__ import annotations

from pathlib import Path

import pytest

from otherminds import harness
from otherminds.errors import OtherMindsError
from otherminds.tasks.socialmindchange.study import Plan, Returned, evaluate, export, key, read
from otherminds.tasks.socialmindchange.study.results import as_json
from tests.helpers import damage, fictional_socialmindchange_codes
from tests.helpers.annotated import fill, right
from tests.helpers.fictional_socialmindchange_codes import DATASET

pytestmark = pytest.mark.slow

PLAN = Plan(part="base", stages=2, items=3, raters=2, overlap=1, seed=5)


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    harness.quiet(debug=False)
    return fictional_socialmindchange_codes.write(tmp_path_factory.mktemp("small"))


@pytest.fixture
def study(source: Path, tmp_path: Path) -> Path:
    export(tmp_path / "study", PLAN, dataset=DATASET, source=str(source))
    for name in ("A01", "A02"):
        fill(tmp_path / "study", name, right(tmp_path / "study"))
    return tmp_path / "study"


@pytest.mark.attack(
    "any damage to a file of a source, a study, a sheet, samples or results",
    outcome="read, or one clear error; never a trace",
    against="data",
)
def test_a_damaged_key_is_read_as_it_was_or_refused(study: Path) -> None:
    path = study / key.NAME
    found = damage.fuzz(
        path, lambda: read(study), damage.JSON, n=300, error=OtherMindsError, named=study
    )
    # The key has a digest: no study is read by another key.
    assert found.other == 0
    assert min(found.same, found.refused) > 10


@pytest.mark.attack(
    "any damage to a file of a source, a study, a sheet, samples or results",
    outcome="read, or one clear error; never a trace",
    against="data",
)
def test_a_damaged_returned_table_is_read_or_refused(study: Path) -> None:
    path = study / "returned" / "A01.csv"
    whole = read(study)

    def is_sane(found: Returned) -> bool:
        sent = next((one for one in found.sent if one.annotator == "A01"), None)
        expected = next(one for one in whole.sent if one.annotator == "A01")
        counted = sent is None or (
            sent.ratings + sent.missing_ratings == expected.ratings + expected.missing_ratings
            and sent.answers + sent.missing_answers == expected.answers + expected.missing_answers
        )
        return counted and 0 <= as_json(evaluate(found))["accuracy"]["overall"]["value"] <= 1

    found = damage.fuzz(
        path,
        lambda: read(study),
        damage.CSV,
        n=300,
        error=OtherMindsError,
        named=study,
        is_sane=is_sane,
    )
    assert min(found.same, found.refused) > 50
