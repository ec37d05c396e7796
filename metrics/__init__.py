"""Metrics: pure functions from typed rows to numbers (NumPy and SciPy only, no files)."""

from __future__ import annotations

from otherminds.metrics.agreement import intraclass_correlation, quadratic_kappa
from otherminds.metrics.bootstrap import cluster_bootstrap, estimate_from_draws, undefined_share
from otherminds.metrics.clustered_mean import clustered_mean
from otherminds.metrics.clusters import Clusters, partition
from otherminds.metrics.divergence import answer_counts, jensen_shannon, pearson_r
from otherminds.metrics.errors import EmptyInput, MetricError, MisalignedInput
from otherminds.metrics.estimate import Estimate, nothing
from otherminds.metrics.parsing import parse_letter, parse_number
from otherminds.metrics.permutation import SignFlip, permutation_p_value, sign_flip_test
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
    "SignFlip",
    "answer_counts",
    "brier_scores",
    "cluster_bootstrap",
    "clustered_mean",
    "estimate_from_draws",
    "expected_calibration_error",
    "expected_value",
    "intraclass_correlation",
    "jensen_shannon",
    "nothing",
    "parse_letter",
    "parse_number",
    "partition",
    "pearson_r",
    "permutation_p_value",
    "probabilities",
    "quadratic_kappa",
    "sign_flip_test",
    "undefined_share",
]
