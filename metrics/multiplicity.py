"""Many comparisons at once: adjusted p-values, and groups of models that cannot be told apart."""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import ArrayLike

from otherminds.metrics.errors import EmptyInput, MetricError, MisalignedInput
from otherminds.types import FloatArray

ALPHA = 0.05


_ALPHABET = "abcdefghijklmnopqrstuvwxyz"


def holm(p_values: ArrayLike) -> FloatArray:
    """Holm's step-down adjusted p-values, in the order given, shape (K,).

    With the m defined p-values sorted, p_(1) <= … <= p_(m):

    adjusted_(i) = max over j <= i of min(1, (m - j + 1) · p_(j))

    Rejecting where adjusted p <= α keeps the probability of any false rejection at α or below, however
    the tests depend on each other (Holm, 1979). Equal p-values have equal adjusted ones. A NaN (a
    comparison that could not be made) stays NaN and does not count in m.

    Raises EmptyInput for K = 0, MisalignedInput unless `p_values` is a vector, MetricError for a value
    outside 0..1.
    """
    p = np.asarray(p_values, dtype=np.float64)
    if p.ndim != 1:
        raise MisalignedInput(f"p-values of shape {p.shape}: give one number per comparison.")
    if p.size == 0:
        raise EmptyInput("No p-values to adjust.")
    if ((p < 0) | (p > 1)).any():
        raise MetricError("A p-value lies outside 0..1.")
    adjusted = np.full(p.shape, np.nan)
    # NaN sorts last.
    order = np.argsort(p, kind="stable")[: np.count_nonzero(~np.isnan(p))]
    steps = np.arange(len(order), 0, -1) * p[order]
    adjusted[order] = np.minimum(np.maximum.accumulate(steps), 1.0)
    return adjusted


def indistinguishable_groups(
    scores: Mapping[str, float],
    p_values: Mapping[tuple[str, str], float],
    *,
    alpha: float = ALPHA,
    higher_is_better: bool = True,
) -> tuple[tuple[str, ...], ...]:
    """Maximal groups of models of which no two differ significantly, best first.

    scores    by model
    p_values  adjusted for their number (`holm`), by pair of models in either order, every pair once

    Two models are told apart when their p < α. A NaN tells nothing apart: a comparison that could not
    be made is not evidence of a difference. The groups are the maximal cliques of the graph whose edges
    join models that are not told apart. "Not told apart" is not transitive, so a model may belong to
    several groups; a model told apart from all others is a group of its own. Two models share a group
    if and only if they are not told apart.

    Members and groups are sorted by score, the groups by their best members; NaN scores come last and
    ties go by name. The result does not depend on the order of the inputs.

    Raises EmptyInput without models; MisalignedInput for a pair that is missing, given twice, or of
    anything but two of the models; MetricError for a p-value outside 0..1 or unless 0 < α < 1.
    """
    if not scores:
        raise EmptyInput("No models to group.")
    if not 0 < alpha < 1:
        raise MetricError(f"Significance level {alpha}: give a number between 0 and 1.")
    p_of = _by_pair(scores, p_values)
    sign = -1 if higher_is_better else 1

    def place(model: str) -> tuple[bool, float, str]:
        score = scores[model]
        return (math.isnan(score), 0.0 if math.isnan(score) else sign * score, model)

    import networkx as nx  # few commands need it

    graph: nx.Graph[str] = nx.Graph()
    graph.add_nodes_from(scores)
    graph.add_edges_from(pair for pair, p in p_of.items() if not p < alpha)
    groups = [tuple(sorted(clique, key=place)) for clique in nx.find_cliques(graph)]
    return tuple(sorted(groups, key=lambda group: [place(model) for model in group]))


def group_letters(groups: Sequence[Sequence[str]]) -> Mapping[str, str]:
    """Each model's letters: one for each group that it belongs to, "a" for the first group.

    Two models that share a letter are not told apart (a compact letter display). From the 27th group
    on the letters are aa, ab, …, and then those of one model are joined by commas.
    """
    letters: dict[str, list[str]] = {}
    for index, group in enumerate(groups):
        for model in group:
            letters.setdefault(model, []).append(_letter(index))
    joint = "" if len(groups) <= len(_ALPHABET) else ","
    return {model: joint.join(found) for model, found in letters.items()}


def _letter(index: int) -> str:
    """a to z, then aa, ab, …"""
    rest, last = divmod(index, len(_ALPHABET))
    return (_letter(rest - 1) if rest else "") + _ALPHABET[last]


def _by_pair(
    scores: Mapping[str, float], p_values: Mapping[tuple[str, str], float]
) -> dict[tuple[str, str], float]:
    """`p_values` by sorted pair, checked."""
    found: dict[tuple[str, str], float] = {}
    for pair, p in p_values.items():
        first, second = sorted(pair)
        if first == second or not {first, second} <= set(scores):
            raise MisalignedInput(f"p-value of {pair}: both must be models, and different ones.")
        if (first, second) in found:
            raise MisalignedInput(f"The p-value of {first} and {second} is given twice.")
        if not math.isnan(p) and not 0 <= p <= 1:
            raise MetricError(f"p = {p} of {first} and {second} lies outside 0..1.")
        found[first, second] = p
    for first, second in itertools.combinations(sorted(scores), 2):
        if (first, second) not in found:
            raise MisalignedInput(f"No p-value of {first} and {second}: give one for every pair.")
    return found
