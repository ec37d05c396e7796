"""Metrics: pure functions from typed rows to numbers (NumPy, SciPy, networkx and pydantic, no files)."""

from __future__ import annotations

from otherminds.metrics.agreement import intraclass_correlation, quadratic_kappa
from otherminds.metrics.comparison import Difference, compare_pair
from otherminds.metrics.divergence import answer_counts, jensen_shannon, pearson_r
from otherminds.metrics.errors import EmptyInput, MetricError, MisalignedInput
from otherminds.metrics.multiplicity import group_letters, holm, indistinguishable_groups
from otherminds.metrics.parsing import parse_letter, parse_number
from otherminds.metrics.permutation import (
    McNemar,
    SignFlip,
    mcnemar,
    permutation_p_value,
    sign_flip_test,
)
from otherminds.metrics.power import mde_of_two, minimum_detectable_effect
from otherminds.metrics.probability import (
    brier_scores,
    expected_calibration_error,
    expected_value,
    probabilities,
)
from otherminds.metrics.sufficient import Sufficient
from otherminds.metrics.uncertainty import (
    Clusters,
    Estimate,
    cluster_bootstrap,
    clustered_mean,
    estimate_from_draws,
    nothing,
    partition,
    undefined_share,
)

__all__ = [
    "Clusters",
    "Difference",
    "EmptyInput",
    "Estimate",
    "McNemar",
    "MetricError",
    "MisalignedInput",
    "SignFlip",
    "Sufficient",
    "answer_counts",
    "brier_scores",
    "cluster_bootstrap",
    "clustered_mean",
    "compare_pair",
    "estimate_from_draws",
    "expected_calibration_error",
    "expected_value",
    "group_letters",
    "holm",
    "indistinguishable_groups",
    "intraclass_correlation",
    "jensen_shannon",
    "mcnemar",
    "mde_of_two",
    "minimum_detectable_effect",
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
