"""The page of measured ratios, from made-up ones."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from performance import build, machine, write_page
from performance.ratio import Ratio, write_json

FASTER = Ratio.of("a|b faster", 2.0, 100.0, "s", target=">= 50", inverse=True, note="of ten")
SLOW = Ratio.alone("start: time", 2_500.0, "s", target="< 120")
UNSAID = Ratio("growth", 0.0, 1.0, "MB", float("nan"), "<= 1.25", None)
BARE = Ratio.of("size", 1.0, 4.0, "MB")


@pytest.fixture
def measured(tmp_path: Path) -> Path:
    path = tmp_path / "measured.json"
    write_json(path, {"first": [FASTER, SLOW], "second": [UNSAID, BARE]}, failed=["third"])
    return path


def write(tmp_path: Path, measured: Path, reasons: str) -> str:
    told, out = tmp_path / "reasons.yaml", tmp_path / "page.md"
    told.write_text(reasons, encoding="utf-8")
    write_page.main([str(measured), "--out", str(out), "--reasons", str(told)])
    return out.read_text(encoding="utf-8")


def test_ratios_are_in_a_table_for_each_benchmark(tmp_path: Path, measured: Path) -> None:
    page = write(tmp_path, measured, "{}")
    first, second = page.split("## first")[1].split("## second")
    # 100 s against 2 s; a bar in a name must not end its cell.
    assert "| a\\|b faster | 2 | 100 | s | 50 | >= 50 | yes |" in first
    assert "| start: time | 2,500 | – | s | – | < 120 | **no** |" in first
    assert "- a|b faster: of ten." in first
    assert "| growth | 0 | 1 | MB | – | <= 1.25 | no verdict |" in second
    assert "| size | 1 | 4 | MB | 0.25 |  |  |" in second


def test_the_page_counts_what_was_held_to_a_target_and_names_what_failed(
    tmp_path: Path, measured: Path
) -> None:
    page = write(tmp_path, measured, "{}")
    assert "Targets met: 1 of 3; without a verdict: 1." in page
    assert "failed and have no numbers: third. Missed," in page
    assert "\n- start: time\n" in page.split("## first")[0]


def test_a_missed_target_has_its_reason_or_a_warning(
    tmp_path: Path, measured: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert "- start: time: **Missed**: no reason is given yet." in write(tmp_path, measured, "{}")
    assert "'start: time' is missed" in capsys.readouterr().out
    page = write(tmp_path, measured, '"start: time": A slow disk.')
    assert "- start: time: **Missed**: A slow disk." in page
    assert capsys.readouterr().out == ""


def test_a_reason_for_what_is_not_missed_has_a_warning(
    tmp_path: Path, measured: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write(tmp_path, measured, '{"start: time": A slow disk., "a|b faster": It is not.}')
    assert "'a|b faster' in reasons.yaml is the name of no missed target" in capsys.readouterr().out


def test_what_was_left_out_is_named_and_has_no_verdict(tmp_path: Path) -> None:
    path = tmp_path / "measured.json"
    write_json(path, {"first": [Ratio.left_out("other", "not installed", target=">= 2")]})
    page = write(tmp_path, path, "{}")
    assert "| other | – | – |  | – | >= 2 | no verdict |" in page
    assert "- other: left out: not installed." in page


def test_a_benchmark_that_was_measured_again_replaces_what_it_was(
    tmp_path: Path, measured: Path
) -> None:
    again, out = tmp_path / "again.json", tmp_path / "page.md"
    write_json(again, {"first": [SLOW], "third": [BARE]})
    write_page.main([str(measured), str(again), "--out", str(out)])
    page = out.read_text(encoding="utf-8")
    assert [line for line in page.splitlines() if line.startswith("## ")][:3] == [
        *("## first", "## second", "## third")
    ]
    assert "a\\|b faster" not in page
    assert "failed" not in page


def test_files_of_different_machines_make_no_page(tmp_path: Path, measured: Path) -> None:
    other = tmp_path / "other.json"
    text = measured.read_text(encoding="utf-8")
    other.write_text(text.replace('"cores": ', '"cores": 9'), encoding="utf-8")
    with pytest.raises(ValueError, match="different machines"):
        write_page.main([str(measured), str(other), "--out", str(tmp_path / "page.md")])


def test_every_missed_target_of_the_page_has_its_reason() -> None:
    reasons = yaml.safe_load(write_page.REASONS.read_text(encoding="utf-8"))
    assert all(isinstance(name, str) and isinstance(why, str) for name, why in reasons.items())
    page = write_page.PAGE.read_text(encoding="utf-8")
    assert page.count("| **no** |") == page.count("**Missed**") == len(reasons)
    assert "no reason is given" not in page


@pytest.mark.parametrize(
    ("found", "ratio", "is_met"),
    [
        # 10 for the first 100, 11 for the next: 1.1 of the first step.
        ([50.0, 60.0, 71.0], 1.1, True),
        ([50.0, 60.0, 80.0], 2.0, False),
    ],
)
def test_growth_is_of_the_second_step_against_the_first(
    found: list[float], ratio: float, is_met: bool
) -> None:
    one = build.steps("growth", found, (100, 200, 300), "MB", target="<= 1.15", note="")
    assert one.ratio == pytest.approx(ratio)
    assert one.is_met is is_met


@pytest.mark.parametrize("found", [[50.0, 50.0, 60.0], [50.0, 60.0, 60.0], [50.0, 49.0, 48.0]])
def test_no_growth_is_no_verdict(found: list[float]) -> None:
    one = build.steps("growth", found, (100, 200, 300), "MB", target="<= 1.15", note="")
    assert one.is_met is None
    assert "no verdict" in one.note


def test_peak_memory_is_of_this_process_and_above_what_it_holds() -> None:
    before = machine.peak_mb()
    held = bytearray(300_000_000)
    held[::1_024] = b"x" * len(held[::1_024])
    assert machine.peak_mb() >= max(before, 300)
