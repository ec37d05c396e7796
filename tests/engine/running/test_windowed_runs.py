"""Runs in windows: the same results and samples as all at once, and nothing half done after a kill."""

from __future__ import annotations

import json
import mmap
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from otherminds import harness
from otherminds.data import mapping
from otherminds.errors import OtherMindsError
from otherminds.harness import Instance, windows
from otherminds.running import results, sample_logs
from otherminds.running.journal import Journal
from otherminds.running.models import Options
from otherminds.running.run import Finished, run
from otherminds.running.window import Window
from tests.helpers import hashed_model, killed
from tests.helpers.askers import asker
from tests.helpers.hashed_model import Hashed
from tests.helpers.packed import opened

TASK = "hugagent_synthetic"
_TIMES = ("date", "start_time", "end_time", "total_evaluation_time_seconds")


@pytest.fixture(autouse=True)
def _data(twelve_people: Path) -> None:
    """Every run is on the data of twelve people."""


@pytest.fixture
def hashed(monkeypatch: pytest.MonkeyPatch) -> None:
    """`--model hashed` is a model that is asked through the journal."""
    monkeypatch.setattr(harness, "model_names", lambda: [hashed_model.NAME])
    monkeypatch.setattr(harness, "make_model", hashed_model.make)


@pytest.fixture
def in_windows(monkeypatch: pytest.MonkeyPatch) -> Callable[[int], None]:
    return lambda size: monkeypatch.setattr(windows, "DOCUMENTS", size)


def finished(tasks: list[str], out: Path, *flags: str, **options: Any) -> Finished:
    found = run(tasks, [*flags, "--output_path", str(out)], Options(**options))
    assert found is not None
    return found


def lines(path: Path) -> list[dict[str, Any]]:
    with opened(path) as file:
        return [json.loads(line) for line in file]


def told(found: Finished) -> dict[str, Any]:
    """All that a run has written, but for times and places."""
    text = json.dumps(found.results, default=str)
    record = json.loads(re.sub(r" at 0x[0-9a-f]+", "", text))
    record["otherminds"].get("journal", {}).pop("path", None)
    kept = {key: value for key, value in record.items() if key not in _TIMES}
    return kept | {"samples": {task: lines(path) for task, path in found.samples.items()}}


@pytest.mark.parametrize(
    "size", [7, *(pytest.param(size, marks=pytest.mark.slow) for size in (1, 40))]
)
@pytest.mark.parametrize(
    ("tasks", "flags"),
    [
        ([TASK], ()),
        (["hugagent_bdu_synthetic", "hugagent_bsi_synthetic_logprob", "debate_synthetic"], ()),
        ([TASK], ("--limit", "0.2")),
        ([TASK], ("--samples", json.dumps({TASK: [3, 5, 8, 60, 90]}))),
    ],
)
def test_random_answers_are_the_same(
    tasks: list[str],
    flags: tuple[str, ...],
    size: int,
    tmp_path: Path,
    in_windows: Callable[[int], None],
) -> None:
    flags = ("--model", "random", *flags, *(() if flags else ("--limit", "60")))
    whole = finished(tasks, tmp_path / "whole", *flags)
    in_windows(size)
    assert told(finished(tasks, tmp_path / "cut", *flags)) == told(whole)


@pytest.mark.parametrize("options", [{}, {"runs": 3}, {"fresh": True}])
def test_a_journaled_model_is_asked_the_same(
    options: dict[str, Any], tmp_path: Path, in_windows: Callable[[int], None], hashed: None
) -> None:
    tasks = [TASK, "hugagent_bdu_synthetic_zoning"]
    flags = ("--model", hashed_model.NAME, "--limit", "50")
    whole = finished(tasks, tmp_path / "whole", *flags, **options)
    in_windows(9)
    cut = finished(tasks, tmp_path / "cut", *flags, **options)
    assert told(cut) == told(whole)
    again = finished(tasks, tmp_path / "cut", *flags, **{**options, "fresh": False})
    assert again.results["otherminds"]["journal"]["asked"] == 0


def test_a_learner_sees_all_documents(tmp_path: Path, in_windows: Callable[[int], None]) -> None:
    task = "hugagent_bsi_swapped_synthetic"  # learns from what is asked, in no other form known
    whole = finished([task], tmp_path / "whole", "--model", "majority")
    in_windows(5)
    assert told(finished([task], tmp_path / "cut", "--model", "majority")) == told(whole)


@pytest.mark.slow
def test_a_run_killed_in_the_middle_of_a_window_leaves_nothing_and_resumes(
    tmp_path: Path, in_windows: Callable[[int], None], hashed: None
) -> None:
    out = tmp_path / "out"
    flags = ("--model", hashed_model.NAME, "--limit", "40")
    # The third window of nine or so.
    killed.run_until(23, ["run", TASK, *flags, "--output_path", out], tmp_path, documents=9)
    assert [path.name for path in out.rglob("*") if "journal" not in path.name] == []
    in_windows(9)
    resumed = finished([TASK], out, *flags)
    assert resumed.results["otherminds"]["journal"] | {"path": ""} == {
        **{"path": "", "asked": 17, "reused": 23, "without_digest": 0, "empty": 0, "refused": {}}
    }
    whole = finished([TASK], tmp_path / "whole", *flags)
    assert told(resumed)["samples"] == told(whole)["samples"]
    assert told(resumed)["results"] == told(whole)["results"]


def test_a_full_disk_is_one_clear_error_and_no_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, in_windows: Callable[[int], None]
) -> None:
    def full(*, dir: Path, prefix: str | None = None) -> Any:
        return Path("/dev/full").open("r+b", buffering=0)

    monkeypatch.setattr(sample_logs.tempfile, "TemporaryFile", full)
    in_windows(5)
    with pytest.raises(OtherMindsError, match=r"No space left on device.* Free some space"):
        finished([TASK], tmp_path, "--model", "random")
    assert [path for path in tmp_path.rglob("*") if path.is_file()] == []


class Narrow(Hashed):
    """A model whose window holds so many words, with no more than lm-eval asks of one."""

    tokenizer = object()
    max_gen_toks = 8

    def __init__(self, max_length: int) -> None:
        super().__init__()
        self.max_length = max_length
        self.n_asked = 0
        self.lengths: list[int] = []

    def tok_encode(self, text: str) -> list[str]:
        return text.split()

    def generate_until(self, requests: list[Instance], disable_tqdm: bool = False) -> list[str]:
        self.n_asked += len(requests)
        self.lengths += [
            len(self.tok_encode(request.args[0])) + request.args[1]["max_gen_toks"]
            for request in requests
        ]
        return super().generate_until(requests)


def test_a_prompt_that_does_not_fit_is_found_before_any_is_asked(
    tmp_path: Path, in_windows: Callable[[int], None]
) -> None:
    manager = harness.task_manager()
    arguments = harness.parse_arguments(["--limit", "40"], default_model="x", default_output="o")

    def asked(model: Narrow, *, allow: bool) -> dict[str, Any]:
        guard = Window(allow_truncation=allow)
        with Journal(tmp_path / f"{model.max_length}{allow}{windows.DOCUMENTS}") as journal:
            harness.evaluate(asker(model, journal, window=guard), manager, [TASK], arguments)
        return guard.report

    wide = Narrow(10**6)
    asked(wide, allow=False)
    room = Narrow(sorted(wide.lengths)[20])
    reports = [asked(room, allow=True)]
    in_windows(6)
    reports.append(asked(room, allow=True))
    assert reports[0] == reports[1]
    assert 0 < reports[0]["n_truncated"] < reports[0]["n_prompts"] == 40
    n, again = reports[0]["n_truncated"], Narrow(room.max_length)
    with pytest.raises(OtherMindsError, match=f"{n} of 40 prompts do not fit"):
        asked(again, allow=False)
    assert again.n_asked == 0


def test_progress_goes_on_from_window_to_window(
    tmp_path: Path, in_windows: Callable[[int], None]
) -> None:
    in_windows(7)
    shown: list[tuple[int, int]] = []
    began: list[str] = []
    arguments = harness.parse_arguments(["--limit", "40"], default_model="x", default_output="o")
    with Journal(tmp_path / "j") as journal:
        model = asker(
            *(Hashed(), journal),
            advance=lambda done, total: shown.append((done, total)),
            begin=began.append,
        )
        harness.evaluate(model, harness.task_manager(), [TASK], arguments)
    assert began == [f"Asking the model, {TASK}"]
    assert {total for _, total in shown} == {40}
    done = [n for n, _ in shown]
    assert done == sorted(done)
    assert done[-1] == 40


# Rows that are mapped from a file


def test_rows_that_are_changed_while_they_are_asked_are_an_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import pyarrow as pa

    monkeypatch.setenv("OTHERMINDS_CACHE", str(tmp_path))
    monkeypatch.setattr(mapping, "_SMALLEST", 0)
    monkeypatch.setattr(mapping, "_OPEN", {})
    made: list[int] = []

    def make() -> pa.Table:
        made.append(1)
        return pa.table({"text": [f"row {n}" for n in range(3_000)]})

    first = mapping.mapped("d", "1.0", ["a"], make)
    assert mapping.mapped("d", "1.0", ["a"], make).equals(first)
    assert first.equals(make())
    assert len(made) == 2
    mapping.release()
    assert first.slice(2_999).to_pylist() == [{"text": "row 2999"}]
    [path] = (tmp_path / ".mapped").rglob("*.arrow")
    content = path.read_bytes()
    path.write_bytes(content[:-1] + bytes([content[-1] ^ 1]))
    with pytest.raises(OtherMindsError, match="were changed while they were asked about"):
        mapping.release()
    # A new run makes them anew, and another release takes the place of an older one: of this dataset.
    mapping.mapped("d-e", "1.0", ["a"], make)
    assert mapping.mapped("d", "1.0", ["a"], make).equals(make())
    assert mapping.mapped("d", "1.1", ["a"], make).equals(make())
    kept = (tmp_path / ".mapped").rglob("*.arrow")
    assert sorted(f"{one.parent.name}/{one.name[:4]}" for one in kept) == ["d-e/1.0-", "d/1.1-"]
    assert all(isinstance(one.memory, mmap.mmap) for one in mapping._OPEN.values())
    # However often they are read, a file is open once.
    for _ in range(3):
        mapping.mapped("d", "1.1", ["a"], make)
    assert len(mapping._OPEN) == 3


def test_json_lines_hold_what_the_standard_library_writes() -> None:
    class Said(tuple[Any, ...]):
        """As the messages of a chat API, which lm-eval keeps in a named tuple."""

    line = {"a": Said(("x",)), "b": [1.5, None, True, 2**63, "é\n"], "c": {"d": []}}
    assert json.loads(results.as_json(line)) == json.loads(json.dumps(line))
    assert json.loads(results.as_json({"a": 2**70, "b": "\ud800"})) == {"a": 2**70, "b": "?"}
    assert json.loads(results.as_json({"a": float("nan")})) == {"a": None}
