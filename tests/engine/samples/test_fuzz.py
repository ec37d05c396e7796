"""Sample files and results files with any damage: read, or refused by one clear error."""

from __future__ import annotations

import json
import math
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from otherminds import harness
from otherminds.analysis import read_runs, score
from otherminds.errors import OtherMindsError
from otherminds.publishing import redact
from otherminds.running.models import Options
from otherminds.running.run import run
from otherminds.samples import read as samples
from otherminds.samples.names import named, results_of
from tests.helpers import damage, small_builds
from tests.helpers.packed import opened, packed, unpacked

pytestmark = pytest.mark.slow

TASKS = {
    "hugagent_bdu_synthetic": "hugagent-synthetic",
    "debate_both_synthetic_logprob": "debate-beliefs-synthetic",
    "socialmindchange_codes": "socialmindchange-codes",
    "trust_game_individual": "trust-game-synthetic",
}


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """The sample file of a small run of each task."""
    harness.quiet(debug=False)
    found = {}
    for task, dataset in TASKS.items():
        folder = tmp_path_factory.mktemp(task)
        source = small_builds.write(dataset, folder / "small", "small")
        metadata = json.dumps({"data_source": str(source)})
        flags = ("--model", "corrupted-oracle", "--metadata", metadata, "--limit", "8")
        done = run([task], (*flags, "--output_path", str(folder / "out")), Options())
        assert done is not None
        [found[task]] = done.sample_paths
    return found


@pytest.fixture
def copied(runs: dict[str, Path], tmp_path: Path) -> Callable[[str], Path]:
    """A copy of a task's sample file, packed, with its results file beside it."""

    def copy(task: str) -> Path:
        (folder := tmp_path / "run").mkdir()
        path = runs[task]
        name = named(path)
        assert name is not None
        shutil.copy(results_of(path, name), folder)
        return Path(shutil.copy(path, folder))

    return copy


def read(path: Path) -> Callable[[], Any]:
    """What is read of each line, with what is noted of a file that is cut off."""

    def lines() -> Any:
        notes: list[str] = []
        return [
            (one.record, one.raw, one.prompt) for one in samples.read(path, note=notes.append)
        ], [one.partition("is cut off")[1] for one in notes]

    return lines


def scored(folder: Path) -> Callable[[], Any]:
    """The scores that `otherminds report` prints."""

    def scores() -> Any:
        table = score(read_runs([folder]), check=False).table()
        columns = ["task", "breakdown", "part", "metric", "value", "n"]
        return [
            tuple(None if one != one else one for one in row)
            for row in table[columns].itertuples(index=False, name=None)
        ]

    return scores


def are_numbers_or_missing(found: Any) -> bool:
    return all(value is None or math.isfinite(value) for *_, value, _ in found)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)


@pytest.mark.attack(
    "any damage to a file of a source, a study, a sheet, samples or results",
    outcome="read, or one clear error; never a trace",
    against="data",
)
@given(st.data())
@settings(max_examples=150)
def test_a_sample_with_anything_anywhere_is_read_or_refused(
    runs: dict[str, Path], tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    path = runs[data.draw(st.sampled_from(sorted(TASKS)))]
    record = json.loads(next(opened(path)))
    place = data.draw(st.sampled_from(list(damage.places(record))))
    damage.put(record, place, data.draw(JSON))
    changed = tmp_path_factory.getbasetemp() / path.name
    line = json.dumps(record).encode("utf-8", "surrogatepass") + b"\n"
    changed.write_bytes(packed(line, path.suffix))
    refused: list[str] = []
    try:
        read(changed)()
    except OtherMindsError as error:
        refused.append(str(error))
    assert all(f"{changed}, line 1" in message for message in refused)


@pytest.mark.attack(
    "any damage to a file of a source, a study, a sheet, samples or results",
    outcome="read, or one clear error; never a trace",
    against="data",
)
@pytest.mark.parametrize("task", TASKS)
def test_a_damaged_packed_file_of_samples_is_read_or_refused(
    task: str, copied: Callable[[str], Path]
) -> None:
    path = copied(task)
    damage.fuzz(path, read(path), damage.packed(damage.JSON, ".zst"), n=300, error=OtherMindsError)


@pytest.mark.parametrize("task", TASKS)
def test_a_damaged_plain_file_of_samples_is_read_or_refused(
    task: str, copied: Callable[[str], Path]
) -> None:
    path = copied(task)
    plain = path.with_suffix("")
    plain.write_bytes(unpacked(path))
    path.unlink()
    damage.fuzz(plain, read(plain), damage.JSON, n=400, error=OtherMindsError)


@pytest.mark.parametrize("task", TASKS)
def test_scores_of_a_damaged_file_are_numbers_or_an_error(
    task: str, copied: Callable[[str], Path]
) -> None:
    path = copied(task)
    damage.fuzz(
        path,
        scored(path.parent),
        damage.packed(damage.JSON, ".zst"),
        n=30,
        error=OtherMindsError,
        named=path.parent,
        is_sane=are_numbers_or_missing,
    )


@pytest.mark.parametrize("task", ["hugagent_bdu_synthetic", "trust_game_individual"])
def test_scores_beside_a_damaged_results_file_are_the_same(
    task: str, copied: Callable[[str], Path]
) -> None:
    path = copied(task)
    name = named(path)
    assert name is not None
    found = damage.fuzz(
        results_of(path, name),
        scored(path.parent),
        damage.JSON,
        n=60,
        error=OtherMindsError,
        named=path.parent,
        is_sane=are_numbers_or_missing,
    )
    assert found.other == 0


@pytest.mark.attack(
    "damaged samples that are redacted",
    outcome="whole or not at all",
    against="data",
)
@pytest.mark.parametrize("which", ["samples", "results"])
def test_damaged_samples_are_redacted_whole_or_not_at_all(
    which: str, copied: Callable[[str], Path], tmp_path: Path
) -> None:
    path = copied("hugagent_bdu_synthetic")
    name = named(path)
    assert name is not None
    out = tmp_path / "hidden"

    def redacted() -> Any:
        shutil.rmtree(out, ignore_errors=True)
        try:
            [found] = redact.redact(path, out, note=lambda text: None)
        except OtherMindsError:
            assert not list(out.rglob("*.json*")), "half of it was written"
            raise
        assert results_of(found, name).is_file()
        return unpacked(found)

    damaged = {"samples": path, "results": results_of(path, name)}[which]
    mutators = {"samples": damage.packed(damage.JSON, ".zst"), "results": damage.JSON}[which]
    damage.fuzz(damaged, redacted, mutators, n=100, error=OtherMindsError, named=damaged)
