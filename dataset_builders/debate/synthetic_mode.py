"""Where a person's factors most likely are given the evidence: the centre of importance sampling.

Newton steps for all people at once. Age groups that the evidence leaves open are averaged over by
their responsibilities at the present θ, as in expectation–maximisation. The result need not be exact:
it is only what samples are drawn from, and the weights make up for the difference.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.special import log_softmax, softmax

from otherminds.dataset_builders.debate.synthetic_evidence import Evidence
from otherminds.dataset_builders.debate.synthetic_model import Model
from otherminds.types import FloatArray

_STEPS = 12
_LONGEST_STEP = 2.0


@dataclass(frozen=True, eq=False)
class Peak:
    """A normal approximation of p(θ | evidence) for U people and K factors.

    mode    (U, K)
    spread  (U, K, K): S with S Sᵀ the covariance
    """

    mode: FloatArray
    spread: FloatArray


def peak(model: Model, evidence: Evidence) -> Peak:
    """The mode and the inverse curvature there, for everybody."""
    people = len(evidence.beliefs)
    theta = np.zeros((people, model.means.shape[1]))
    for _ in range(_STEPS):
        gradient, curvature = _slope_and_curvature(model, evidence, theta)
        step = np.linalg.solve(curvature, gradient[:, :, None])[:, :, 0]
        length = np.linalg.norm(step, axis=1, keepdims=True)
        # A full step may overshoot where the logistic function is flat.
        theta = theta + step * np.minimum(1.0, _LONGEST_STEP / np.maximum(length, 1e-12))
    _, curvature = _slope_and_curvature(model, evidence, theta)
    return Peak(theta, np.linalg.cholesky(np.linalg.inv(curvature)))


def _slope_and_curvature(
    model: Model, evidence: Evidence, theta: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """(U, K) and (U, K, K): gradient of log p(E, θ), and minus its expected second derivative."""
    people, factors = theta.shape
    held = evidence.beliefs != 0
    chance = 1.0 / (1.0 + np.exp(-(model.lean + theta @ model.slope.T)))
    gradient = (held * ((evidence.beliefs > 0) - chance)) @ model.slope
    squares = np.einsum("pk,pl->pkl", model.slope, model.slope).reshape(-1, factors**2)
    curvature = ((held * chance * (1.0 - chance)) @ squares).reshape(people, factors, factors)

    precision = np.linalg.inv(model.covariance)
    share = _responsibilities(model, evidence, theta)
    gradient += (share @ model.means - theta) @ precision
    curvature = curvature + precision
    for attribute, values in zip(model.attributes, evidence.attributes, strict=True):
        said = np.flatnonzero(values >= 0)
        score = theta[said] @ attribute.slope.T
        for group, offset in enumerate(attribute.offset):
            part = share[said, group, None]
            odds = part * softmax(score + offset, axis=1)
            expected = odds @ attribute.slope
            gradient[said] += part * attribute.slope[values[said]] - expected
            # Covariance of the loadings under the odds, times the group's share.
            curvature[said] += np.einsum(
                "uv,vk,vl->ukl", odds, attribute.slope, attribute.slope, optimize=True
            ) - np.einsum("uk,ul->ukl", expected, expected / np.maximum(part, 1e-300))
    return gradient, curvature


def _responsibilities(model: Model, evidence: Evidence, theta: FloatArray) -> FloatArray:
    """(U, B): the chance of each age group given θ and the background."""
    precision = np.linalg.inv(model.covariance)
    away = theta[:, None, :] - model.means
    score = model.log_share - 0.5 * np.einsum("ubk,kl,ubl->ub", away, precision, away)
    for attribute, values in zip(model.attributes, evidence.attributes, strict=True):
        said = np.flatnonzero(values >= 0)
        odds = (theta[said] @ attribute.slope.T)[:, None, :] + attribute.offset
        score[said] += log_softmax(odds, axis=2)[np.arange(len(said)), :, values[said]]
    groups = np.arange(len(model.ages))
    known = evidence.age_group[:, None]
    found: FloatArray = softmax(np.where((known < 0) | (known == groups), score, -np.inf), axis=1)
    return found
