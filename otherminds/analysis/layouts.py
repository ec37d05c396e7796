"""The layouts of the papers' main tables: which metrics, under which headings, in which units."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple


class Column(NamedTuple):
    """One column of a results table: a metric, shown times `factor`, with so many decimals."""

    metric: str
    heading: str
    factor: float = 1.0
    decimals: int = 2


_PERCENT = 100.0

_HUGAGENT = (
    Column("bsi_acc", "BSI acc.", _PERCENT),
    Column("bdu_acc", "BDU acc.", _PERCENT),
    Column("bdu_mae", "BDU MAE"),
    Column("bdu_dir", "BDU dir.", _PERCENT),
)

_DEBATES = ("debate-beliefs", "debate-beliefs-issues", "debate-beliefs-synthetic")
_MACRO_F1 = Column("macro_f1", "Macro-F1", _PERCENT, 1)
_DEBATE = (
    _MACRO_F1,
    Column("acc", "Accuracy", _PERCENT, 1),
    Column("agree_rate", "Agrees", _PERCENT, 1),
    Column("agree_rate_people", "People agree", _PERCENT, 1),
    Column("parse_rate", "Read", _PERCENT, 1),
)

_TRUST = (
    Column("rho_ranking", "ρ, ranking"),
    Column("rho_ranking_in_context", "ρ, in context"),
    Column("rho_dollar_ranking", "ρ, by dollars"),
    Column("rho_dollars", "ρ, dollars"),
    Column("rho", "ρ, told"),
    Column("rho_gain", "Gain in ρ"),
    Column("mae", "MAE, dollars"),
    Column("mae_slope", "MAE per round", decimals=3),
    Column("send", "Sent, dollars"),
    Column("parse_rate", "Read", _PERCENT, 1),
)

LAYOUTS: Mapping[str, Sequence[Column]] = {
    "hugagent": (*_HUGAGENT, Column("ati", "ATI")),
    "hugagent-synthetic": (*_HUGAGENT, Column("composite", "100u")),
    **dict.fromkeys(_DEBATES, _DEBATE),
    "socialmindchange": tuple(
        Column(metric, heading, _PERCENT, 1)
        for metric, heading in (
            *(("acc", "Accuracy"), ("acc_guidance", "Guidance"), ("acc_transition", "Transition")),
            *(("sets_full", "Sets fully right"), ("parse_rate", "Read")),
        )
    ),
    "synchtom": tuple(
        Column(metric, heading, decimals=1)
        for metric, heading in (
            *(("belief", "Belief"), ("profile", "Profile"), ("solution", "Solution")),
            *(("avg", "AVG"), ("avg_floor", "AVG, failed judgements 0")),
            ("avg_unflagged", "AVG, unflagged criteria"),
        )
    ),
    **dict.fromkeys(("trust-game", "trust-game-synthetic"), _TRUST),
}
"""By dataset. HugAgent: Table 2 of the paper; 100u is what ATI is made of."""


class Conditions(NamedTuple):
    """How a table sets the parts of a dataset against what was shown: parts by conditions.

    column      the metric in the cells
    part        heading of the parts
    conditions  the columns: values of `evidence`, in order
    grouped     whether the paper groups parts by the condition with the highest value
    """

    column: Column
    part: str
    conditions: Sequence[str]
    grouped: bool = False


_SYNCHTOM_TOLD = (
    *("given_belief", "given_profile", "given_both", "shuffled"),
    *("collaboration", "collaboration_belief", "collaboration_profile"),
)

CONDITIONS: Mapping[str, Conditions] = {
    **dict.fromkeys(
        _DEBATES,
        Conditions(
            _MACRO_F1, "Category", ("blind", "demographics", "beliefs", "both"), grouped=True
        ),
    ),
    "synchtom": Conditions(
        Column("avg", "AVG", decimals=1),
        "Scenario",
        (
            *("vanilla", *(f"{name}_0turn" for name in _SYNCHTOM_TOLD)),
            *("5turn", *(f"{name}_5turn" for name in _SYNCHTOM_TOLD[:4])),
            *("10turn", *_SYNCHTOM_TOLD),
        ),
    ),
}
"""By dataset. Debate beliefs: Tables 5 and 6 of the paper."""


_BASELINES = {"synchtom": "10turn"}
# By how a condition's name ends, what shows as much but tells nothing more.
_LIKE_BASELINES = {"synchtom": {"_0turn": "vanilla", "_5turn": "5turn"}}


def baseline_of(dataset: str, condition: str = "") -> str:
    """The condition that `condition` is compared with: it shows as much, and tells nothing more."""
    for ending, baseline in _LIKE_BASELINES.get(dataset, {}).items():
        if condition.endswith(ending):
            return baseline
    return _BASELINES.get(dataset, "blind")


def ordered_conditions(dataset: str, found: Collection[str]) -> list[str]:
    """Conditions in the order of the dataset's table, and others after them in the order given."""
    known = CONDITIONS[dataset].conditions if dataset in CONDITIONS else ()
    return list(dict.fromkeys([*(name for name in known if name in found), *found]))


def layout_of(dataset: str, metrics: Sequence[str]) -> Sequence[Column]:
    """The columns of a dataset's table; for one without a layout, its metrics as they are."""
    known = LAYOUTS.get(dataset)
    if known is None:
        return [Column(metric, metric) for metric in metrics]
    shown = [column for column in known if column.metric in metrics]
    return shown or [Column(metric, metric) for metric in metrics]


# Of metrics that are not fractions, the best or worst value there is; NaN where there is no bound.
_UNIT_MAX = {
    "composite": 100.0,
    "ati": math.nan,
    "ati_release": math.nan,
    "ati_with_ceiling": math.nan,
    **{
        f"{name}{ending}": 100.0
        for name in ("belief", "profile", "solution", "avg")
        for ending in ("", "_floor", "_unflagged")
    },
}
_POINTS = ("mae", "words", "rho", "send")


def unit_max(metric: str) -> float:
    """The largest value that a metric can have: 1 for a fraction, NaN without a bound."""
    if any(part in _POINTS for part in metric.split("_")):
        return math.nan
    return _UNIT_MAX.get(metric, 1.0)
