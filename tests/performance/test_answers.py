"""The five lines at the beginning of the page, from made-up rows of the benchmarks' own making."""

from __future__ import annotations

import pytest

from performance import answers, cpu, full_run, leaderboard, startup
from performance import build as building
from performance.machine import Used
from performance.ratio import Ratio


@pytest.fixture
def measured(monkeypatch: pytest.MonkeyPatch) -> answers.Rows:
    """Rows as the benchmarks make them, of numbers that tell where they come from."""
    # 8 s and 500 MB of 1,000 items; 26 s and 600 MB of 10,000: 2.6 ms per item.
    runs = {1_000: (Used(8.0, 9.0, 500.0), 2.0), 10_000: (Used(26.0, 30.0, 600.0), 20.0)}
    monkeypatch.setattr(full_run, "cached", lambda dataset: None)
    monkeypatch.setattr(full_run, "_run", runs.__getitem__)
    board = {"clock": 37.0, "processor": 38.0, "peak_mb": 1_234.0, "page_mb": 0.5, "reading": 1.0}
    workers = [
        Ratio.of(name, ours, 20.0, "s", inverse=True, claim=building.TWO_WORKERS)
        for name, ours in (("one", 10.0), ("other", 16.0))
    ]
    return {
        "full_run": full_run.measure(10_000),
        "startup": startup.against_lm_eval([Used(3.0, 4.0, 1.0)], [Used(12.0, 13.0, 1.0)]),
        "cpu": cpu.against("lm_eval", "it", Used(7.0, 8.0, 1.0), Used(28.0, 29.0, 1.0), "", ""),
        "leaderboard": leaderboard.built(500, 3, board, board),
        "build": workers,
    }


def test_each_line_is_filled_from_the_rows(measured: answers.Rows) -> None:
    time, memory, cost, limits, scale = answers.lines(measured)
    assert "3 s of a processor to start and end (`lm_eval`: 12 s)" in time
    assert (
        "2.6 ms of a processor per item (10,000 items of socialmindchange_codes, model random)"
        in time
    )
    assert "That run took 30 s by the clock" in time
    # 7 of 28.
    assert "takes 7 s of a processor, 0.25 times what `lm_eval` takes" in time
    assert "(From [startup](#startup), [full_run](#full_run), [cpu](#cpu).)" in time
    assert "600 MB at the peak of a run, and 500 MB with a tenth of the items" in memory
    assert "Not measured: `cost`." in cost
    # 1 / 2.6 ms.
    assert "at most 385 items a second" in limits
    assert "Ten times the items take 1.2 times the memory" in scale
    # The worse of the two: 20 / 16.
    assert "Two workers build data 1.25 times as fast as one" in scale
    board = "A board of 500 models (25 and 475 renamed copies of them)"
    assert f"{board} takes 38 s of a processor to build and 1,234 MB of memory." in scale


def test_a_line_says_what_was_not_measured() -> None:
    for line in answers.lines({}):
        assert "Not measured: `" in line
        assert "(From" not in line
    unknown = {"full_run": [Ratio.left_out(f"{full_run.CPU}, 1 item", "no time")]}
    assert "Not measured: `full_run`." in answers.lines(unknown)[0]
