"""Sheets of labels and judges' samples with any damage: read, or one clear error."""

from __future__ import annotations

from pathlib import Path

import pytest

from otherminds.errors import OtherMindsError
from otherminds.tasks.synchtom import label_sheets
from tests.helpers import damage
from tests.synchtom.tasks.test_label_sheets import ALL_MET, filled, judged, samples

pytestmark = pytest.mark.slow


@pytest.fixture
def judge(tmp_path: Path) -> Path:
    return samples(tmp_path / "run", [judged(f"i{number}", ALL_MET) for number in range(3)])


@pytest.mark.attack(
    "any damage to a file of a source, a study, a sheet, samples or results",
    outcome="read, or one clear error; never a trace",
    against="data",
)
def test_a_damaged_sheet_of_labels_is_read_or_refused(judge: Path, tmp_path: Path) -> None:
    path = tmp_path / "labels" / "labels.csv"
    path.parent.mkdir()
    label_sheets.write(label_sheets.draw(label_sheets.read_judge(judge), n=3, seed=1), path)
    filled(path, lambda row: 1)

    def verdicts() -> dict[tuple[str, str, int], int | None]:
        return {
            (*key, number): criterion.verdict
            for key, part in label_sheets.read_labels(path).parts.items()
            for number, criterion in part.criteria.items()
        }

    found = damage.fuzz(path, verdicts, damage.CSV, n=250, error=OtherMindsError)
    assert min(found.same, found.other, found.refused) > 10


def test_a_judges_damaged_samples_are_read_or_refused(judge: Path) -> None:
    found = damage.fuzz(
        judge,
        lambda: label_sheets.read_judge(judge).parts,
        damage.JSON,
        n=400,
        error=OtherMindsError,
    )
    assert min(found.same, found.other, found.refused) > 10
