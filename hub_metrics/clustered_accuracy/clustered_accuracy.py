"""Share of right answers with a standard error that knows which answers belong together."""

from __future__ import annotations

from collections.abc import Collection, Sequence

import datasets
import evaluate

from otherminds.publishing import columns

_DESCRIPTION = """\
Accuracy of answers that come in clusters: several questions about one person, one stage or one
document. Such answers go wrong together, so that the usual standard error, which takes every answer
as independent, is too small. Here the cluster is the unit."""

_INPUTS = """
With x_i = 1 where a prediction equals its reference, else 0, over N items in G clusters:

    accuracy  x̄ = Σ x_i / N
    stderr    sqrt( G/(G-1) · Σ_g ( Σ_{i in g} (x_i - x̄) )² ) / N
    low, high x̄ ± t(G-1) · stderr, cut to 0 and 1

Args:
    predictions: labels, as strings. An empty string is an answer that could not be read: it counts as
        wrong, and in `read_rate`.
    references: the right labels.
    clusters: an id for each item, as a string: whom or what it is about.
    labels: all labels that there are (optional). A reference that is none of them is an error; a
        prediction that is none of them counts as not read.
    level: confidence level of the interval, 0.95 by default.
Returns:
    accuracy, stderr, low, high: fractions; the last three are NaN for a single cluster.
    read_rate: share of the predictions that could be read.
    n, n_clusters: items and clusters.
Examples:
    >>> metric = evaluate.load("otherminds/clustered_accuracy", module_type="metric")
    >>> found = metric.compute(
    ...     predictions=["a", "a", "b", ""],
    ...     references=["a", "a", "a", "b"],
    ...     clusters=["p", "p", "q", "q"],
    ... )
    >>> found["accuracy"], found["stderr"], found["read_rate"]
    (0.5, 0.5, 0.75)
"""

_CITATION = """\
Liang, K.-Y. and Zeger, S. L. (1986). Longitudinal data analysis using generalized linear models.
Biometrika 73(1), 13-22."""


class ClusteredAccuracy(evaluate.Metric):
    """Accuracy with a cluster-robust interval."""

    def _info(self) -> evaluate.MetricInfo:
        return evaluate.MetricInfo(
            description=_DESCRIPTION,
            citation=_CITATION,
            inputs_description=_INPUTS,
            features=datasets.Features(columns.ACCURACY),
        )

    def _compute(
        self,
        predictions: Sequence[str | None],
        references: Sequence[str],
        clusters: Sequence[str],
        labels: Collection[str] | None = None,
        level: float = columns.LEVEL,
    ) -> dict[str, float]:
        return columns.clustered_accuracy(
            predictions, references, clusters, labels=labels, level=level
        )
