"""The trust game's tables for papers: consistency by attribute and endowment, and by what personas were
given; errors of forecasts by trustee and round."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from otherminds.analysis.layouts import PERCENT, Column, Layout
from otherminds.analysis.scores import Scored, Scores
from otherminds.analysis.tables import estimate_cells, write_table
from otherminds.metrics.trust_game import RANKINGS, STRATEGIES

if TYPE_CHECKING:
    import pandas as pd

_HEADINGS: Final = {
    "ranking": "ranking",
    "ranking_in_context": "ranking in context",
    "dollar_ranking": "ranking by dollars",
    "dollars": "dollars",
}
_COLUMNS = (
    Column("rho_ranking", "ρ, ranking"),
    Column("rho_ranking_in_context", "ρ, in context"),
    Column("rho_dollar_ranking", "ρ, by dollars"),
    Column("rho_dollars", "ρ, dollars"),
    Column("rho", "ρ, told"),
    Column("rho_gain", "Gain in ρ"),
    Column("mae", "MAE, dollars"),
    Column("mae_slope", "MAE per round", decimals=3),
    Column("send", "Sent, dollars"),
    Column("parse_rate", "Read", PERCENT, 1),
)

LAYOUT: Final = Layout(columns=dict.fromkeys(("trust-game", "trust-game-synthetic"), _COLUMNS))

_RHO = tuple(Column(f"rho_{name}", f"ρ, {_HEADINGS[name]}") for name in STRATEGIES)
_DELTA = tuple(
    Column(f"delta_eta2_{name}", f"|Δη²|, {_HEADINGS[name]}", 1.0, 3) for name in STRATEGIES
)
_CONTRAST = tuple(
    Column(f"delta_contrast_{name}", f"|Δ contrast η²|, {_HEADINGS[name]}", 1.0, 3)
    for name in RANKINGS
)
_EFFECTS = (Column("eta2", "η²", 1.0, 3), Column("omega2", "ω²", 1.0, 3))
_BY_ATTRIBUTE = (*_RHO, *_DELTA, *_CONTRAST, *_EFFECTS)
MEDIAN: Final = "Median"
MEAN: Final = "Mean"

# The names of means over attributes among a run's estimates, by the metric averaged.
_MEANS: Final = {
    "rho_": "rho_mean_",
    "delta_eta2_": "mae_eta2_",
    "delta_contrast_": "mae_contrast_",
}
_NOISE, _DETECTABLE = "η² by noise", "η² found in 80 %"

_CONDITIONING = (
    Column("rho_unconditioned", "ρ, told nothing"),
    Column("rho", "ρ, told"),
    Column("rho_gain", "Gain"),
    Column("rho_mean", "ρ, told, mean"),
)
_MEAN_RHO = tuple(Column(f"rho_mean_{name}", f"Mean ρ, {_HEADINGS[name]}") for name in STRATEGIES)
_ROUNDS = tuple(Column(f"mae_round{number}", f"Round {number}") for number in range(1, 7))
_FORECASTS = (
    Column("mae", "MAE, dollars"),
    Column("mae_slope", "Per round", 1.0, 3),
    *(Column(f"mae_{name}", name) for name in ("M1", "M3", "M5")),
    *_ROUNDS,
)


def population_table(scores: Scores) -> pd.DataFrame:
    """A row per attribute, the medians and the means: ρ and |Δη²| by strategy, ± standard errors (the
    paper's Table 3; the mean of |Δη²| is the mean absolute error of stated effect sizes).

    Which levels they are and how many stands beside each attribute, because with few of them ρ can be
    ±1 by chance; and so does what η² noise alone makes with so many personas, and which η² an F test
    finds in 80 % of cases. Empty where no run is of the population level.
    """
    runs = _of(scores, "rho_ranking")
    rows = [
        {"Model": _name(one, runs), **_setting(one.details), "Personas": _personas(one), **row}
        for one in runs
        for row in _by_attribute(one.details)
    ]
    return _table(rows, len({one.run.name for one in runs}))


def endowment_table(scores: Scores) -> pd.DataFrame:
    """A row per run of the population level: the mean ρ over attributes by strategy and endowment (the
    paper's Table 9, for 10, 44 and 100 dollars). Empty where there is no such run."""
    runs = _of(scores, "rho_ranking")
    return _run_rows(runs, _MEAN_RHO, _nothing_more)


def conditioning_table(scores: Scores) -> pd.DataFrame:
    """A row per run of a conditioned task: the median ρ of behavior with the orders shown to personas,
    that of the same personas without any, the gain, and the mean, ± standard errors (the paper's
    Table 4). "Of" is the way to ask whose ranking was given back.

    Imposed orders are perturbed copies of the model's own: they are not norms. Empty where no run
    is of a conditioned task.
    """

    def condition(one: Scored) -> dict[str, str]:
        attributes = one.details.get("counts", {}).get("n_attributes", 0)
        return {
            "Told": one.run.task.removeprefix("trust_game_").replace("_", " "),
            "Of": str(one.details.get("setting", {}).get("prior", "–")).replace("_", " "),
            "In one prompt": str(one.details.get("told", "")),
            "Attributes": f"{attributes:,.0f}",
        }

    return _run_rows(_of(scores, "rho_gain"), _CONDITIONING, condition)


def forecast_table(scores: Scores) -> pd.DataFrame:
    """A row per run of the individual level: the errors of forecasts in dollars, their slope, and by
    trustee and round (as in the paper's Figure 1). Empty where there is no such run."""
    return _run_rows(_of(scores, "mae_slope"), _FORECASTS, _nothing_more)


_TABLES: Final[Mapping[str, tuple[Callable[[Scores], pd.DataFrame], str]]] = {
    "attributes": (population_table, "Levels"),
    "endowments": (endowment_table, "Personas"),
    "conditioning": (conditioning_table, "Attributes"),
    "forecasts": (forecast_table, "Personas"),
}
"""By the end of their file's name: the function that makes a table, and its first column of numbers."""


def write_trust_tables(scores: Scores, folder: Path, _: list[str]) -> list[Path]:
    """Write `table_trust-game_attributes`, `…_endowments`, `…_conditioning` and `…_forecasts`, `.md` and
    `.tex`, those that have rows; returns their paths."""
    written = []
    for name, (made, first) in _TABLES.items():
        table = made(scores)
        if len(table):
            texts = list(table.columns).index(first)
            written += write_table(table, folder / f"table_trust-game_{name}", texts=texts)
    return written


TABLES: Final = (write_trust_tables,)
"""The benchmark's own tables of a report."""


def _of(scores: Scores, metric: str) -> list[Scored]:
    return [one for one in scores.scored if metric in one.run.rules.metrics]


def _setting(details: Mapping[str, Any]) -> dict[str, str]:
    """Which levels people are told apart by, and how many dollars they have."""
    setting = details.get("setting", {})
    dollars = setting.get("endowment")
    parts = ", in parts" if setting.get("fractions") else ""
    return {
        "Level set": str(setting.get("levels", "–")),
        "Endowment": "–" if dollars is None else f"{dollars:g}{parts}",
    }


def _run_rows(
    runs: Sequence[Scored], columns: Sequence[Column], more: Callable[[Scored], Mapping[str, str]]
) -> pd.DataFrame:
    rows = [
        {
            "Model": one.run.name,
            **_setting(one.details),
            **more(one),
            "Personas": _personas(one),
            **estimate_cells(one.details.get("estimates", {}), columns),
        }
        for one in runs
    ]
    return _table(rows, len({one.run.name for one in runs}))


def _personas(one: Scored) -> str:
    return f"{one.details.get('counts', {}).get('n_personas', 0):,.0f}"


def _nothing_more(one: Scored) -> dict[str, str]:
    return {}


def _by_attribute(details: Mapping[str, Any]) -> Iterator[dict[str, str]]:
    for attribute, found in details.get("by_attribute", {}).items():
        limits = details.get("detectable", {}).get(attribute, {})
        yield {
            "Attribute": attribute,
            "Levels": str(details["levels"].get(attribute, 0)),
            **estimate_cells(found, _BY_ATTRIBUTE),
            _NOISE: _share(limits.get("noise_eta2")),
            _DETECTABLE: _share(limits.get("detectable_eta2")),
        }
    estimates = details.get("estimates", {})
    for label, names in ((MEDIAN, {}), (MEAN, _MEANS)):
        yield {
            "Attribute": label,
            "Levels": "",
            **estimate_cells(_renamed(estimates, names), _BY_ATTRIBUTE),
            _NOISE: "",
            _DETECTABLE: "",
        }


def _renamed(estimates: Mapping[str, Any], names: Mapping[str, str]) -> dict[str, Any]:
    """The estimates of medians, or, with `names`, those of means under the medians' names."""
    if not names:
        return dict(estimates)
    return {
        f"{median}{strategy}": estimates[f"{mean}{strategy}"]
        for median, mean in names.items()
        for strategy in STRATEGIES
        if f"{mean}{strategy}" in estimates
    }


def _share(value: float | None) -> str:
    return "–" if value is None else f"{value:.3f}"


def _name(one: Scored, runs: Sequence[Scored]) -> str:
    tasks = {other.run.task for other in runs}
    return one.run.name if len(tasks) == 1 else f"{one.run.name}, {one.run.task}"


def _table(rows: Sequence[Mapping[str, str]], n_models: int) -> pd.DataFrame:
    import pandas as pd

    table = pd.DataFrame(list(rows))
    return table.drop(columns="Model") if n_models == 1 and len(table) else table
