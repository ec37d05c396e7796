"""What `run` prints: what makes scores void, then the summary, and no name or number cut."""

from __future__ import annotations

import dataclasses
import json
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from otherminds import console
from otherminds.running import report, report_tables
from otherminds.running.run import Finished

TASK = "debate_blind_synthetic"
ESCAPES = "\x1b[2J\x07\x1b]0;owned\x07" + "word " * 100


def estimate(value: float, *, n: float = 40, stderr: float = 0.1) -> dict[str, float]:
    ends = {"low": value - 0.2, "high": value + 0.2}
    return {"value": value, "stderr": stderr, **ends, "n": n, "n_clusters": 8}


def of_task(parse_rate: float, *, topics: int = 2) -> dict[str, Any]:
    found = {"macro_f1": estimate(0.5), "acc": estimate(0.5), "parse_rate": estimate(parse_rate)}
    return {
        "estimates": found,
        "counts": {},
        "by_topic": {f"Topic {number}": found for number in range(topics)},
    }


def finished(folder: Path, scores: Mapping[str, Any], replies: list[tuple[str, float]]) -> Finished:
    """An evaluation with the sample file of its first task."""
    path = folder / f"samples_{next(iter(scores))}_2026-01-01T00-00-00.000000.jsonl"
    lines = [
        {
            "doc_id": number,
            "doc": {"item_id": f"i{number}"},
            "resps": [[text]],
            "parse_rate": [read],
        }
        for number, (text, read) in enumerate(replies)
    ]
    path.write_text("".join(f"{json.dumps(line)}\n" for line in lines), encoding="utf-8")
    metrics = {"macro_f1": True, "macro_f1_stderr": None, "acc": True, "parse_rate": True}
    kwargs = {"dataset": "debate-beliefs-synthetic", "configs": ["beliefs"]}
    results = {
        "otherminds": {"scores": scores, "weightless": True, "reads_gold": False, "data": {}},
        "higher_is_better": dict.fromkeys(scores, metrics),
        "configs": {task: {"dataset_kwargs": kwargs, "metadata": {}} for task in scores},
        "config": {"model": "majority", "model_args": {}, "limit": None},
        "n-samples": {task: {"original": 40, "effective": 40} for task in scores},
    }
    return Finished(results, folder / "results.json", {next(iter(scores)): path})


@pytest.fixture
def printed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., str]:
    """The output of an evaluation in a terminal of some width."""

    def show(
        scores: Mapping[str, Any],
        replies: list[tuple[str, float]],
        *,
        width: int = 80,
        details: bool = False,
    ) -> str:
        out = console.Printer(width=width, record=True)
        for module in (console, report):
            monkeypatch.setattr(module, "OUT", out)
        with out.capture() as caught:
            report.print_run(finished(tmp_path, scores, replies), details=details)
        return caught.get()

    return show


def test_a_model_that_cannot_be_read_says_so_first_with_three_of_its_replies(
    printed: Callable[..., str],
) -> None:
    replies = [("AGREES", 1.0), (ESCAPES, 0.0), ("", 0.0), ("no idea", 0.0), ("a fifth", 0.0)]
    lines = printed({TASK: of_task(0.0)}, replies, width=200).splitlines()
    assert lines[0].startswith(f"None of the answers to {TASK} could be read")
    assert [line.split(": ")[0] for line in lines[1:4]] == ["  i1", "  i2", "  i3"]
    # Nothing reaches the terminal, and nothing is longer than a glance.
    assert r"\x1b[2J\x07\x1b]0;owned\x07word" in lines[1]
    assert lines[1].endswith("…'")
    assert "\x1b" not in "".join(lines)
    assert lines[2] == "  i2: ''"
    assert "--reasoning" in lines[4]
    assert "AGREES" not in "".join(lines)


def test_an_interval_that_is_cut_is_said_to_be(printed: Callable[..., str]) -> None:
    assert "ends where its metric does" not in printed({TASK: of_task(1.0)}, [])
    scores = of_task(1.0)
    scores["estimates"]["acc"] = {**estimate(0.9), "high": 1.0}
    assert "ends where its metric does" in " ".join(printed({TASK: scores}, []).split())


def test_a_few_unread_answers_are_no_headline(printed: Callable[..., str]) -> None:
    text = printed({TASK: of_task(0.95)}, [("no idea", 0.0)])
    assert text.startswith(TASK)
    assert "no idea" not in text


def test_parts_are_details_and_the_way_to_them_is_said(printed: Callable[..., str]) -> None:
    scores = {TASK: of_task(1.0), "debate_both_synthetic": of_task(1.0)}
    short = printed(scores, [])
    assert short.startswith("All tasks, ± SE")
    assert "By topic" not in short
    assert "95 % interval" not in short
    assert re.search(
        r"task by task, by topic: `otherminds score \S+samples_\*_\S+ --details`", short
    )
    long = printed(scores, [], details=True)
    assert long.count("By topic") == 2
    assert long.count("95 % interval") == 2
    assert "--details" not in long


@pytest.mark.parametrize("width", [40, 60, 80, 120])
def test_an_overview_breaks_no_name_and_cuts_no_number(width: int) -> None:
    names = ["a_task_with_a_rather_long_name_logprob", "short"]
    metrics = [f"metric_{letter}" for letter in "abcdefgh"]
    scores = {name: {"estimates": {one: estimate(0.5) for one in metrics}} for name in names}
    arrows = {name: dict.fromkeys(metrics, True) for name in names}
    out = Console(width=width, record=True)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(console, "OUT", out)
        with out.capture() as caught:
            out.print(report_tables.overview(scores, arrows))
    lines = caught.get().splitlines()
    assert all(len(line.rstrip()) <= width for line in lines)
    assert "…" not in caught.get()
    for name in names:
        assert any(line.split()[:1] == [name] for line in lines)
    shown = sum(metric.rpartition("_")[2] in caught.get().split() for metric in metrics)
    left_out = re.search(r"(\d+) more metrics", caught.get())
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(console, "OUT", out)
        with out.capture() as whole:
            out.print(report_tables.overview(scores, arrows, whole=True))
    assert "--details" not in whole.get()
    assert "…" not in whole.get()
    assert whole.get().count("0.500") == len(metrics) * len(names)
    # In the narrowest, metrics stand by their whole names.
    shown = shown or sum(metric in caught.get().split() for metric in metrics)
    assert shown + (int(left_out[1]) if left_out else 0) == len(metrics)


def test_a_value_by_rule_alone_is_shown_with_its_n() -> None:
    parts = {
        "x": {"direction": estimate(0.5, n=48)},
        "y": {"direction": {**estimate(0.0, n=0), "stderr": float("nan")}},
    }
    out = Console(width=80)
    with out.capture() as caught:
        out.print(report_tables.parts_table(["direction"], parts, report._BY_TOPIC["by_topic"]))
    assert caught.get().splitlines()[-1].split() == [
        "direction",
        "0.500",
        "±",
        "0.100",
        "(48)",
        "0.000",
        "(0)",
    ]


def test_one_hint_quotes_folders_and_leaves_the_star(tmp_path: Path) -> None:
    paths = [tmp_path / "my runs" / f"samples_{task}_2026-01-01.jsonl.zst" for task in "ab"]
    assert report._together(paths) == f"'{tmp_path}/my runs/'samples_*_2026-01-01.jsonl.zst"
    plain = [Path("runs") / path.name for path in paths]
    assert report._together(plain) == "runs/samples_*_2026-01-01.jsonl.zst"


def test_a_run_without_scores_explains_no_error(printed: Callable[..., str]) -> None:
    text = printed({TASK: {}}, [])
    assert "predictions only" in text
    assert "standard error" not in text


def test_all_parts_of_a_staged_run_stand_in_one_summary_before_everything_else(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    first = finished(tmp_path, {TASK: of_task(1.0)}, [])
    other = {"debate_both_synthetic": of_task(1.0)}
    last = dataclasses.replace(finished(tmp_path, other, []), earlier=(first,))
    # The first was made for --limit alone; of the last, fewer documents were run than there are.
    first.results["configs"][TASK]["metadata"] = {"stage_limit": 2.0}
    last.results["n-samples"]["debate_both_synthetic"]["effective"] = 2
    report.print_run(last)
    said = capsys.readouterr().out
    summary, *notes = said.split("• ")
    assert summary.startswith("All tasks, ± SE")
    assert {line.split()[0] for line in summary.splitlines() if line.startswith("debate")} == {
        TASK,
        "debate_both_synthetic",
    }
    assert "debate_both_synthetic: 2 of 40 documents were run: a test of the set-up" in notes[0]
    assert f"{TASK}: run with --limit: a test of the set-up" in notes[1]
    assert said.count("± is the standard error") == 1
    # No interval is printed here, so none is explained.
    assert "An interval ends" not in said
