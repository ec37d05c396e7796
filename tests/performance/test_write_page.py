"""The page of measured ratios, from made-up ones."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from performance import build, machine, write_page
from performance.ratio import Ratio, write_json

FASTER = Ratio.of(
    "a|b faster", 2.0, 100.0, "s", target=">= 50", inverse=True, note="of ten", data="real"
)
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
    assert "| a\\|b faster | 2 | 100 | s | 50 | >= 50 | yes | real |" in first
    assert "| start: time | 2,500 | – | s | – | < 120 | **no** |  |" in first
    assert "- a|b faster: of ten." in first
    assert "| growth | 0 | 1 | MB | – | <= 1.25 | no verdict |" in second
    assert "| size | 1 | 4 | MB | 0.25 |  |  |" in second


def test_the_page_counts_what_was_held_to_a_target_and_names_what_failed(
    tmp_path: Path, measured: Path
) -> None:
    page = write(tmp_path, measured, "{}")
    assert "Claims that hold: 1 of 3; without a verdict: 1. These benchmarks failed" in page
    assert "failed and have no numbers: third. Missed," in page
    assert "\n- start: time\n" in page.split("## first")[0]


def test_a_missed_target_has_its_reason_or_a_warning(
    tmp_path: Path, measured: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert "- start: time: **Missed**: no reason is given yet." in write(tmp_path, measured, "{}")
    assert "'start: time' is missed" in capsys.readouterr().out
    page = write(tmp_path, measured, '"start: time": A slow disk.')
    assert "- start: time: **Missed**: A slow disk." in page
    assert "is missed" not in capsys.readouterr().out


def test_a_reason_for_what_is_not_missed_has_a_warning(
    tmp_path: Path, measured: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write(tmp_path, measured, '{"start: time": A slow disk., "a|b faster": It is not.}')
    assert "'a|b faster' in reasons.yaml is the name of no missed target" in capsys.readouterr().out


def test_a_row_that_does_not_say_whose_data_it_took_has_a_warning(
    tmp_path: Path, measured: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    page = write(tmp_path, measured, "{}")
    said = capsys.readouterr().out
    assert "'start: time' does not say whose data it took" in said
    assert "'a|b faster' does not" not in said
    # The words that stand in the column are explained, and only these.
    assert "*real*: answers of real people" in page
    assert "*simulated*" not in page
    assert "No row was measured on the answers of real people" not in page


def test_the_rows_of_a_claim_have_one_line_and_one_verdict(tmp_path: Path) -> None:
    path = tmp_path / "measured.json"
    told = {"target": "<= 1.05", "claim": "tokens read", "data": "generated"}
    rows = [
        Ratio.of("task a", 9.0, 10.0, "tokens", note="of ten", **told),
        Ratio.of("task b", 12.0, 10.0, "tokens", note="of ten", **told),
        # Without a target: shown with the others, and not counted.
        Ratio.of("task c", 50.0, 10.0, "tokens", claim="tokens read", data="fictional"),
    ]
    write_json(path, {"first": rows})
    page = write(tmp_path, path, "tokens read: Task b is long.")
    head, first = page.split("## first")
    assert "Claims that hold: 0 of 1." in head
    assert "\n- tokens read (1 of 2 within)\n" in head
    assert "No row was measured on the answers of real people." in head
    line = "| tokens read | – | – | tokens | 1.2 at worst | <= 1.05 | **no**: 1 of 2 "
    assert f"{line}| generated, fictional |" in first
    above, folded = first.split("<details>")
    assert "- tokens read: **Missed**: Task b is long." in above
    assert "task b" not in above
    assert "| task b | 12 | 10 | tokens | 1.2 | <= 1.05 | **no** | generated |" in folded
    # One note of several rows is said once.
    assert "- task a; task b: of ten." in folded
    # Markdown reads what is between only after empty lines.
    assert "</summary>\n\n| what |" in folded
    assert "\n\n</details>" in folded


def test_a_benchmark_is_described_as_its_file_describes_it(tmp_path: Path) -> None:
    path = tmp_path / "measured.json"
    write_json(path, {"doctor": [BARE]})
    page = write(tmp_path, path, "{}")
    assert "\n## doctor\n\nThe first commands on a fresh machine" in page
    assert "python -m performance.doctor" not in page


def test_what_was_left_out_is_named_and_has_no_verdict(tmp_path: Path) -> None:
    path = tmp_path / "measured.json"
    write_json(path, {"first": [Ratio.left_out("other", "not installed", target=">= 2")]})
    page = write(tmp_path, path, "{}")
    assert "| other | – | – |  | – | >= 2 | no verdict |  |" in page
    assert "- other: left out: not installed." in page


def test_a_benchmark_that_was_measured_again_replaces_what_it_was(
    tmp_path: Path, measured: Path
) -> None:
    again, out = tmp_path / "again.json", tmp_path / "page.md"
    write_json(again, {"first": [SLOW], "third": [BARE]})
    write_page.main([str(measured), str(again), "--out", str(out)])
    page = out.read_text(encoding="utf-8")
    assert [line for line in page.splitlines() if line.startswith("## ")][1:4] == [
        *("## first", "## second", "## third")
    ]
    assert "a\\|b faster" not in page
    assert "benchmarks failed" not in page


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
    assert page.count("**Missed**") == len(reasons)
    assert all(f"- {name}: " in page for name in reasons)
    assert "no reason is given" not in page


def test_the_page_opens_with_what_a_user_asks() -> None:
    lines = write_page.PAGE.read_text(encoding="utf-8").splitlines()
    assert lines[0] == "# Performance"
    assert [line.partition("?**")[0] for line in lines[2:7]] == [
        "- **How long does a run take",
        "- **How much memory does it take",
        "- **What does it cost",
        "- **What limits it",
        "- **What does not scale",
    ]


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
