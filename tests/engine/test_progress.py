"""Progress: one labelled bar per stage and one line when it is done; in a log, lines now and then."""

from __future__ import annotations

import io
from collections.abc import Callable

import pytest
from rich.console import Console
from tqdm.auto import tqdm

from otherminds import progress
from otherminds.types import Thousandths


class Clock:
    """A clock that moves when it is told to."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


Shown = Callable[..., io.StringIO]


@pytest.fixture
def shown(monkeypatch: pytest.MonkeyPatch) -> Shown:
    """Standard error, as a terminal of some width or as a file."""

    def stream(width: int | None = None) -> io.StringIO:
        text = io.StringIO()
        console = Console(file=text, width=width or 80, force_terminal=width is not None)
        monkeypatch.setattr(progress, "CONSOLE", console)
        return text

    return stream


def test_thousandths_are_told_as_a_share_and_counted_as_nothing(clock: Clock, shown: Shown) -> None:
    text = shown()
    with progress.Stages(clock=clock, silent=False) as stages:
        stages.begin("Building data")
        for done in (0, 255, 1_000):
            stages(done, Thousandths(1_000))
            clock.now += 20
    assert text.getvalue().splitlines() == [
        "Building data …",
        "Building data: 25 %, 0:00:20, 0:00:58 left",
        "Building data: done in 0:01:00",
    ]


def test_a_log_has_lines_now_and_then_and_no_carriage_returns(clock: Clock, shown: Shown) -> None:
    text = shown()
    with progress.Stages(clock=clock, silent=False) as stages:
        stages.begin("Asking hf tiny, a_task")
        # A step a second: a line at each tenth, 20 s apart, of the 200 there are.
        for done in range(201):
            stages(done, 200)
            clock.now += 1
    lines = text.getvalue().splitlines()
    assert lines[:3] == [
        "Asking hf tiny, a_task …",
        "Asking hf tiny, a_task: 20 of 200 (10 %), 0:00:20, 0:03:00 left",
        "Asking hf tiny, a_task: 40 of 200 (20 %), 0:00:40, 0:02:40 left",
    ]
    assert lines[-1] == "Asking hf tiny, a_task: 200 in 0:03:21"
    assert len(lines) == 1 + 9 + 1
    assert "\r" not in text.getvalue()


def test_what_was_there_before_took_no_time(clock: Clock, shown: Shown) -> None:
    text = shown()
    with progress.Stages(clock=clock, silent=False) as stages:
        stages.begin("Asking")
        stages(900, 1_000)  # from the journal
        clock.now += 30
        stages(950, 1_000)
        clock.now += 601
        stages(951, 1_000)
        stages(1_000, 1_000)
    # 5 % further is no line; ten minutes are one. 51 answers took 631 s, so 49 more take 606 s.
    assert text.getvalue().splitlines() == [
        "Asking …",
        "Asking: 951 of 1,000 (95 %), 0:10:31, 0:10:06 left",
        "Asking: 1,000 in 0:10:31",
    ]


def test_quick_stages_and_other_processes_say_nothing(
    clock: Clock, shown: Shown, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = shown()
    monkeypatch.setenv("RANK", "1")
    with progress.bar("Building") as stages:
        stages(1, 1)
    monkeypatch.setenv("RANK", "0")
    with progress.Stages(clock=clock) as stages:
        stages.begin("Writing prompts", quick=True)
        stages(1, 1)
        stages.begin("Scoring", quick=True)
        clock.now += 12
    assert text.getvalue() == "Scoring: done in 0:00:12\n"


def test_work_that_fails_says_how_far_it_came(clock: Clock, shown: Shown) -> None:
    text = shown()
    with pytest.raises(KeyboardInterrupt), progress.Stages(clock=clock, silent=False) as stages:
        stages.begin("Building x")
        stages(3, 9)
        clock.now += 5
        raise KeyboardInterrupt
    assert text.getvalue().splitlines()[-1] == "Building x: stopped at 3 of 9 after 0:00:05"


@pytest.mark.parametrize("width", [60, 80, 120])
def test_a_terminal_shows_one_bar_and_then_one_line(width: int, clock: Clock, shown: Shown) -> None:
    text = shown(width)
    with progress.Stages(clock=clock, silent=False) as stages:
        stages.announce("Stage 2 of 5")
        stages.begin("Asking local-completions a-model, a_long_name_of_a_task")
        stages(0, 14_218)
        clock.now += 36
        stages(7_109, 14_218)
        assert stages._stage is not None
        assert stages._stage._bar is not None
        bar = Console(width=width, file=io.StringIO(), record=True)
        bar.print(stages._stage._bar.get_renderable())
        [line] = [one for one in bar.export_text().splitlines() if one.strip()]
        stages(14_218, 14_218)
    # Half of it took 36 s. The counts and times are whole, the label is what is cut.
    assert "7,109/14,218" in line
    assert "0:00:36, 0:00:36 left" in line
    assert line.startswith("Stage 2")
    done = (
        "Stage 2 of 5: asking local-completions a-model, a_long_name_of_a_task: 14,218 in 0:00:36"
    )
    assert text.getvalue().rstrip().endswith(done)
    assert text.getvalue().count("in 0:00:36") == 1


def test_no_library_draws_bars_of_its_own(capsys: pytest.CaptureFixture[str]) -> None:
    with progress.no_other_bars():
        bar = tqdm(range(3), disable=False, desc="theirs")
        assert list(bar) == [0, 1, 2]
        bar.set_description("still theirs")
        bar.update()
        bar.close()
    assert capsys.readouterr().err == ""
    assert list(tqdm(range(2), desc="now")) == [0, 1]
    assert "now" in capsys.readouterr().err
