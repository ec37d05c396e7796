"""A scorer, the rows of `metric_list` that go with it, and what becomes of documents in lm-eval."""

from __future__ import annotations

import copy
import math
import pickle
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest

import otherminds
from otherminds import harness, paths
from otherminds.errors import OtherMindsError
from otherminds.metrics.uncertainty import Estimate
from otherminds.scoring.base import Record, Totals
from otherminds.scoring.scorer import Scorer, Texts, over_documents, row_faults, scorer_of
from otherminds.types import Doc

summaries: list[int] = []
"""The number of records of every summary that was computed."""


@dataclass(frozen=True, slots=True)
class Length(Record):
    """How long each run's reply is; a document whose gold is "boom" cannot be summarized."""

    gold: str
    lengths: tuple[int, ...]

    @staticmethod
    def totals(records: Sequence[Length]) -> Totals:
        summaries.append(len(records))
        if any(record.gold == "boom" for record in records):
            raise ArithmeticError("boom")
        mean = sum(record.lengths[0] for record in records) / len(records)
        found = {"length": Estimate(mean, 0.5, mean - 1, mean + 1, len(records), len(records))}
        return Totals(found, {"n_items": len(records)})


def read(doc: Doc, texts: Texts) -> Length:
    return Length(doc["gold"], tuple(len(text or "") for text in texts))


def choose(doc: Doc, logs: tuple[float, ...]) -> Length:
    return Length(doc["gold"], (logs.index(max(logs)),))


SCORER = Scorer(
    metrics={"length": None, "never": True},
    counts=("n_items",),
    option_metrics={"length": None, "spread": False, "never": True},
    read=read,
    choose=choose,
    options=lambda doc: ["A", "B"],
    scores=lambda record: {"length": map(float, record.lengths)},
    gold="gold",
    stand_in=lambda doc: {"gold": "x"},
)
text, choice = SCORER.text, SCORER.choice

ROWS = {"length": None, "length_stderr": None, "never": True, "never_stderr": None, "n_items": None}


def config(**changes: Any) -> dict[str, Any]:
    rows = [
        {"metric": name, "aggregation": over_documents, "higher_is_better": better}
        for name, better in ROWS.items()
    ]
    return {"output_type": "generate_until", "process_results": text, "metric_list": rows} | changes


def values(*docs: Mapping[str, Any]) -> dict[str, float]:
    scored = [text(doc, [["a" * doc["long"]]]) for doc in docs]
    return {name: over_documents([one[name] for one in scored]) for name in scored[0]}


def test_a_document_has_a_score_under_every_row_in_order() -> None:
    found = text({"gold": "x"}, [["aa", None]])
    assert list(found) == list(ROWS)
    assert {name: list(one) for name, one in found.items() if one} == {"length": [2.0, 0.0]}
    chosen = choice({"gold": "x"}, [(-2.0, False), (-1.0, True)])
    assert list(chosen)[:4] == ["length", "length_stderr", "spread", "spread_stderr"]
    assert chosen["length"] == [1.0]


def test_a_run_is_summarized_once_and_what_was_not_measured_is_nan() -> None:
    summaries.clear()
    found = values({"gold": "once", "long": 1}, {"gold": "once", "long": 4})
    assert summaries == [2]
    assert (found["length"], found["length_stderr"], found["n_items"]) == (2.5, 0.5, 2.0)
    assert math.isnan(found["never"])
    assert math.isnan(found["never_stderr"])


def test_a_failure_is_logged_and_costs_no_other_run_its_numbers(
    caplog: pytest.LogCaptureFixture,
) -> None:
    found = values({"gold": "boom", "long": 1})
    assert all(map(math.isnan, found.values()))
    assert "The metric 'length' could not be computed" in caplog.text


def test_scores_travel_between_processes_and_a_copied_task_keeps_its_scorer() -> None:
    [scored, *_] = text({"gold": "x"}, [["aa"]]).values()
    sent = pickle.loads(pickle.dumps(scored))
    assert (list(sent), sent.record, sent.metric) == ([2.0], scored.record, "length")
    assert scorer_of(copy.deepcopy(config())) is SCORER


def test_sealed_documents_are_known_and_can_be_read() -> None:
    sealed = {"gold": None, "other": None}
    assert SCORER.is_sealed(sealed)
    assert SCORER.readable(sealed) == {"gold": "x", "other": None}
    assert not SCORER.is_sealed({"gold": "y"})
    assert SCORER.readable({"gold": "y"}) == {"gold": "y"}
    assert not replace(SCORER, gold=None).is_sealed(sealed)


def test_rows_that_agree_have_no_fault() -> None:
    assert row_faults(config()) == []
    assert "missing" in row_faults(config(output_type="multiple_choice", process_results=choice))[0]


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({0: {"metric": "size"}}, ["'size' is not one of", "'length' of its scorer is missing"]),
        (
            {2: {"higher_is_better": False}},
            ["'never' says higher_is_better: False, its scorer True"],
        ),
        (
            {0: {"higher_is_better": True}},
            ["'length' says higher_is_better: True, its scorer None"],
        ),
        ({4: {"aggregation": sum}}, ["the aggregation of 'n_items' is not"]),
        # lm-eval would print its own ± over ours.
        ({0: {"metric": "length_stderr"}, 1: {"metric": "length"}}, ["must be in the order"]),
        ({4: {"metric": "length"}}, ["'n_items' of its scorer is missing"]),
    ],
)
def test_every_fault_of_the_rows_is_named(
    change: Mapping[int, dict[str, Any]], said: Sequence[str]
) -> None:
    faulty = config()
    faulty["metric_list"] = [
        row | change.get(place, {}) for place, row in enumerate(faulty["metric_list"])
    ]
    found = row_faults(faulty)
    assert len(found) == len(said)
    assert all(part in one for part, one in zip(said, found, strict=True))


def test_a_row_that_stands_twice_is_a_fault() -> None:
    faulty = config()
    faulty["metric_list"].append(faulty["metric_list"][0])
    assert "must be in the order" in row_faults(faulty)[0]


@pytest.mark.parametrize("process", [read, choice, replace(SCORER).choice, None])
def test_only_a_scorer_scores(process: Any) -> None:
    [fault] = row_faults(config(process_results=process))
    assert "process_results is not the text of" in fault


def test_a_scorer_of_texts_compares_no_options() -> None:
    with pytest.raises(OtherMindsError, match="no options to compare"):
        replace(SCORER, choose=None).choice({"gold": "x"}, [(0.0, True)])


def test_the_rows_of_every_task_are_those_of_its_scorer() -> None:
    found = {}
    for path in sorted(paths.tasks().glob("*/*.yaml")):
        loaded = harness.load_yaml(path)
        if "group" not in loaded:
            found[path.stem] = row_faults(loaded)
    assert len(found) > 200
    assert not {task: faults for task, faults in found.items() if faults}


@pytest.mark.parametrize("package", ["samples", "scoring"])
def test_the_engine_names_no_benchmark_here(package: str) -> None:
    source = "".join(
        path.read_text() for path in (Path(otherminds.__file__).parent / package).glob("*.py")
    ).casefold()
    for name in paths.packages():
        assert f"otherminds.tasks.{name}" not in source
        assert f"metrics.{name}" not in source
