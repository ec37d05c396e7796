"""Metrics: pure functions from typed rows to numbers (NumPy and SciPy only, no files)."""

from __future__ import annotations

from otherminds.metrics.bootstrap import cluster_bootstrap, estimate_from_draws, undefined_share
from otherminds.metrics.clustered_mean import clustered_mean
from otherminds.metrics.clusters import Clusters, partition
from otherminds.metrics.errors import EmptyInput, MetricError, MisalignedInput
from otherminds.metrics.estimate import Estimate, nothing
from otherminds.metrics.parsing import parse_letter, parse_number
from otherminds.metrics.probability import (
    brier_scores,
    expected_calibration_error,
    expected_value,
    probabilities,
)

__all__ = [
    "Clusters",
    "EmptyInput",
    "Estimate",
    "MetricError",
    "MisalignedInput",
    "brier_scores",
    "cluster_bootstrap",
    "clustered_mean",
    "estimate_from_draws",
    "expected_calibration_error",
    "expected_value",
    "nothing",
    "parse_letter",
    "parse_number",
    "partition",
    "probabilities",
    "undefined_share",
]
