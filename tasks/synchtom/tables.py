"""SynchToM's tables for papers: scores by scenario and turns, by condition, and by length."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from otherminds.analysis.layouts import Column, Conditions, Layout
from otherminds.analysis.scores import ALL, Scored, Scores
from otherminds.analysis.tables import estimate_cells, write_table
from otherminds.metrics.synchtom import DIMENSIONS

if TYPE_CHECKING:
    import pandas as pd

Fields = Mapping[str, Mapping[str, float]]
"""By metric, the fields of an estimate."""

TURNS = (0, 5, 10)
"""The numbers of turns in the paper's Table 3."""

_AVG = Column("avg", "AVG", decimals=1)
_SCORES = (
    *(Column(name, name.capitalize(), decimals=1) for name in DIMENSIONS.values()),
    _AVG,
)
_RATES = (Column("judge_rate", "Judged", 100.0, 1), Column("parse_rate", "Read", 100.0, 1))
_CONDITION = (
    *_SCORES,
    Column("solution_unflagged", "Solution, unflagged criteria", decimals=1),
    Column("avg_floor", "AVG, failed judgements 0", decimals=1),
    *_RATES,
)
_LEFT_OUT = {"n_cut_off": "Cut off", "n_judge_cut_off": "Judge cut off"}

_CONFIGURED = (
    *("given_belief", "given_profile", "given_both", "shuffled"),
    *("collaboration", "collaboration_belief", "collaboration_profile"),
)

_COLUMNS = (
    *_SCORES,
    Column("avg_floor", "AVG, failed judgements 0", decimals=1),
    Column("avg_unflagged", "AVG, unflagged criteria", decimals=1),
)

LAYOUT: Final = Layout(
    columns={"synchtom": _COLUMNS, "synchtom-made": _COLUMNS},
    conditions=Conditions(
        _AVG,
        "Scenario",
        (
            *("vanilla", *(f"{name}_0turn" for name in _CONFIGURED)),
            *("5turn", *(f"{name}_5turn" for name in _CONFIGURED[:4])),
            *("10turn", *_CONFIGURED),
        ),
    ),
    baseline="10turn",
    like_baselines={"_0turn": "vanilla", "_5turn": "5turn"},
)

# Answering tasks that give nothing away, by how their names begin: they differ in turns alone.
_PLAIN = tuple(f"synchtom_{name}" for name in ("vanilla", "5turn", "10turn", "turns"))
# Asked after every number of turns: a curve, and no condition.
_CURVE = "synchtom_turns"


def scenario_table(scores: Scores) -> pd.DataFrame:
    """A row per model, judge and number of turns (the paper's Table 3).

    For each scenario, and over all of them, belief, profile, solution and AVG, from 0 to 100, ± standard
    errors. n is how many answers AVG rests on: failed judgements are left out. A run that lacks one of
    the scenarios has no numbers over all. Empty where no answers were judged.
    """
    runs = [
        one for one in _judged(scores) if all(task.startswith(_PLAIN) for task in _conditions(one))
    ]
    scenarios = sorted({name for one in runs for name in one.details["by_topic"]})
    rows = [
        {**_names(one), "Task": one.run.task, "Turns": str(number), **cells}
        for one in runs
        for number, cells in _by_turns(one.details, scenarios)
    ]
    return _table(rows, ["Model", "Judge", "Turns"])


def condition_table(scores: Scores) -> pd.DataFrame:
    """A row per model, judge and condition: the evidence that the model was shown, and its scores.

    Belief, profile, solution and AVG without failed judgements, solution also without the criteria that
    reward the wrong request, and AVG with failed judgements as 0, from 0 to 100; the shares in % of
    answers that could be read, and of these of judgements that could; ± standard errors; how many
    answers and judgements were cut off. n is how many answers AVG rests on. Conditions in which
    candidates were chosen by the gold rubrics say so. Empty where no answers were judged.
    """
    found = [
        (name, one, details["estimates"], details["counts"])
        for one in _judged(scores)
        for name, details in _by_condition(one)
    ]
    order = LAYOUT.ordered(list(dict.fromkeys(name for name, *_ in found)))
    models = list(dict.fromkeys(tuple(_names(one).values()) for _, one, *_ in found))
    found.sort(key=lambda row: (models.index(tuple(_names(row[1]).values())), order.index(row[0])))
    rows = [
        {
            **_names(one),
            "Task": one.run.task,
            "Condition": _heading(name),
            "n": _count(estimates),
            **estimate_cells(estimates, _CONDITION),
            **{heading: f"{counts[count]:,.0f}" for count, heading in _LEFT_OUT.items()},
        }
        for name, one, estimates, counts in found
    ]
    return _table(rows, ["Model", "Judge", "Condition"])


def length_table(scores: Scores) -> pd.DataFrame:
    """A row per model, judge, condition and dimension: how scores go with the length of answers.

    The mean length in characters, the slope in points of 100 per 1,000 characters, and Pearson's r,
    both with 95 % intervals; a dash where lengths or points do not differ. Empty where no answers were
    judged.
    """
    rows = [
        {
            **_names(one),
            "Task": one.run.task,
            "Condition": _heading(name),
            "Dimension": dimension,
            "n": f"{effect['slope']['n']:,.0f}" if "slope" in effect else "–",
            "Characters": f"{effect['mean_length']:,.0f}",
            "Points per 1,000 characters": _interval(effect.get("slope")),
            "r": _interval(effect.get("correlation"), decimals=2),
        }
        for one in _judged(scores)
        for name, details in _by_condition(one)
        for dimension, effect in details["length"].items()
    ]
    return _table(rows, ["Model", "Judge", "Condition", "Dimension"])


def write_synchtom_tables(scores: Scores, folder: Path, _: list[str]) -> list[Path]:
    """Write `table_synchtom_scenarios`, `table_synchtom_conditions` and `table_synchtom_length`, `.md`
    and `.tex`, those that have rows; returns their paths."""
    found = {
        "scenarios": scenario_table(scores),
        "conditions": condition_table(scores),
        "length": length_table(scores),
    }
    written = []
    for name, table in found.items():
        if len(table):
            texts = list(table.columns).index("n")
            written += write_table(table, folder / f"table_synchtom_{name}", texts=texts)
    return written


TABLES: Final = (write_synchtom_tables,)
"""The benchmark's own tables of a report."""


def _judged(scores: Scores) -> list[Scored]:
    return [one for one in scores.scored if "judge_rate" in one.run.rules.metrics]


def _conditions(one: Scored) -> set[str]:
    """The answering tasks that a judging task's answers come from."""
    return {record.condition for record in one.run.records}


def _by_turns(
    details: Mapping[str, Any], scenarios: Sequence[str]
) -> Iterator[tuple[int, dict[str, str]]]:
    for number in TURNS:
        name = f"{number} turns"
        if name not in details["by_turns"]:
            continue
        parts: Mapping[str, Fields] = details["scenarios_by_turns"][name]
        overall: Fields = details["by_turns"][name] if parts.keys() == set(scenarios) else {}
        blocks = {**{one: parts.get(one, {}) for one in scenarios}, ALL: overall}
        cells = {
            f"{part.replace('_', ' ')}, {heading}": cell
            for part, found in blocks.items()
            for heading, cell in estimate_cells(found, _SCORES).items()
        }
        yield number, {"n": _count(details["by_turns"][name]), **cells}


def _by_condition(one: Scored) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """By condition, all numbers on its answers alone."""
    for task in sorted(_conditions(one) - {_CURVE}):
        records = [record for record in one.run.records if record.condition == task]
        name = task.removeprefix("synchtom_").removesuffix("_answer")
        yield name, records[0].details(records)


def _heading(condition: str) -> str:
    name = condition.replace("_", " ")
    return f"{name} (chosen by gold rubrics)" if name.startswith("collaboration") else name


def _interval(found: Mapping[str, float] | None, *, decimals: int = 1) -> str:
    if found is None:
        return "–"
    value, low, high = (f"{found[field]:.{decimals}f}" for field in ("value", "low", "high"))
    return f"{value} ({low} to {high})" if math.isfinite(found["low"]) else value


def _names(one: Scored) -> dict[str, str]:
    return {"Model": one.run.name, "Judge": one.run.facts.judge or "–"}


def _count(found: Fields) -> str:
    return f"{found['avg']['n']:,.0f}" if "avg" in found else "0"


def _table(rows: Sequence[Mapping[str, str]], key: Sequence[str]) -> pd.DataFrame:
    """The rows as a table, with the task where nothing else distinguishes two rows."""
    import pandas as pd

    table = pd.DataFrame(list(rows))
    if table.empty or table.duplicated(subset=list(key)).any():
        return table
    return table.drop(columns="Task")
