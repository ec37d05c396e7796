"""From saved samples to conclusions, for notebooks and for the command line.

    from otherminds import analysis

    runs = analysis.read_runs(["otherminds-results"])
    analysis.score(runs).table()        # every metric, with intervals, as a pandas DataFrame
    analysis.compare(runs).table()      # every pair of models, paired
    analysis.gains(runs).table()        # what each condition gains over "blind", by category
    analysis.ranks(runs).table()        # the condition with the highest score, by category
    analysis.ensemble(runs).vote        # several models as one
    analysis.report(["otherminds-results"], "report")   # tables, plots and a page
    analysis.export(["otherminds-results"], "tables", note=print)   # every item, as Parquet

No model is needed, and nothing is asked: all numbers come from the sample files. A module is imported
when one of its names is used.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from otherminds.analysis.comparison import Comparison, compare
    from otherminds.analysis.condition_ensembles import combined_models
    from otherminds.analysis.condition_gains import Gain, Gains, gains
    from otherminds.analysis.condition_ranks import Ranking, Ranks, ranks
    from otherminds.analysis.ensembles import Ensemble, ensemble
    from otherminds.analysis.exports import export
    from otherminds.analysis.facts import Facts
    from otherminds.analysis.reports import Report, report
    from otherminds.analysis.runs import Run, Runs, read_runs
    from otherminds.analysis.scores import Scored, Scores, score, score_run
    from otherminds.analysis.verification import Check

__all__ = [
    "Check",
    "Comparison",
    "Ensemble",
    "Facts",
    "Gain",
    "Gains",
    "Ranking",
    "Ranks",
    "Report",
    "Run",
    "Runs",
    "Scored",
    "Scores",
    "combined_models",
    "compare",
    "ensemble",
    "export",
    "gains",
    "ranks",
    "read_runs",
    "report",
    "score",
    "score_run",
]

_HOMES = {
    "comparison": ("Comparison", "compare"),
    "condition_ensembles": ("combined_models",),
    "condition_gains": ("Gain", "Gains", "gains"),
    "condition_ranks": ("Ranking", "Ranks", "ranks"),
    "ensembles": ("Ensemble", "ensemble"),
    "exports": ("export",),
    "facts": ("Facts",),
    "reports": ("Report", "report"),
    "runs": ("Run", "Runs", "read_runs"),
    "scores": ("Scored", "Scores", "score", "score_run"),
    "verification": ("Check",),
}


def __getattr__(name: str) -> Any:
    home = next((home for home, names in _HOMES.items() if name in names), None)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(f"otherminds.analysis.{home}"), name)
