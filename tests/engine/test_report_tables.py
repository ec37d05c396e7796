"""Tables of many numbers fit into the terminal, and lose none of them."""

from __future__ import annotations

import pytest
from rich.console import Console

from otherminds import console as printer
from otherminds.benchmark import Breakdown
from otherminds.running import report_tables

METRICS = [f"{name}_{way}" for name in ("rho", "delta_eta2") for way in ("ranking_in_context", "x")]
PARTS = {
    part: {
        metric: {"value": place + n / 100, "stderr": 0.1, "n": 9.0}
        for n, metric in enumerate(METRICS)
    }
    for place, part in enumerate(("age", "openness", "same_residence_since_16", "work", "us"))
}


@pytest.mark.parametrize("width", [36, 44, 60, 120])
def test_many_metrics_of_many_parts_are_never_cut(
    width: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    console = Console(width=width, record=True)
    shown = Breakdown("By attribute", values_only=True)
    monkeypatch.setattr(printer, "OUT", console)
    console.print(report_tables.parts_table(METRICS, PARTS, shown))
    shown = console.export_text()
    assert "…" not in shown
    for place, part in enumerate(PARTS):
        lines = [line for line in shown.splitlines() if line.startswith(part)]
        cells = [cell for line in lines for cell in line.removeprefix(part).split()]
        assert cells == [f"{place + n / 100:.3f}" for n in range(len(METRICS))]
    # One table where all fit.
    assert shown.count("By attribute") == (1 if width == 120 else len(lines))


@pytest.mark.parametrize("width", [36, 44, 60, 80, 120])
def test_details_of_parts_leave_no_metric_out(width: int, monkeypatch: pytest.MonkeyPatch) -> None:
    parts = {
        part: {
            metric: {"value": place + n / 100, "stderr": 0.1, "n": 900.0 + place}
            for n, metric in enumerate(METRICS)
        }
        for place, part in enumerate(PARTS)
    }
    console = Console(width=width, record=True)
    monkeypatch.setattr(printer, "OUT", console)
    console.print(report_tables.parts_table(METRICS, parts, Breakdown("By attribute, ± SE")))
    shown = console.export_text()
    assert "…" not in shown
    assert "--details" not in shown
    for place in range(len(parts)):
        for n in range(len(METRICS)):
            assert f"{place + n / 100:.3f} ± 0.100" in " ".join(shown.split())
        assert str(900 + place) in shown
    assert max(len(line.rstrip()) for line in shown.splitlines()) <= width
