"""The probability model of the synthetic population, as arrays.

A person has an age group b, drawn with probability π_b, and factors θ ~ N(μ_b, Σ). Given these,
everything that a prompt may show is independent:

    P(agrees with p | θ)      = logistic(lean_p + c_p·θ)
    P(attribute a = v | θ, b) ∝ weight_v · exp(l_v·θ), over the values that group b can have
    age                       even within the group

where c_p is slope · λ_p / SD(λ_p·θ), λ_p the proposition's loadings, and the SD that over all people.
Which propositions a person answers, in what order, and which attributes are filled in, does not
depend on θ: only what is said carries information.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np

from otherminds.dataset_builders.content_files import ContentError
from otherminds.dataset_builders.debate import synthetic_content
from otherminds.dataset_builders.debate.schema import CATEGORIES
from otherminds.dataset_builders.debate.synthetic_content import (
    Attribute,
    Content,
    Factors,
)
from otherminds.types import FloatArray


@dataclass(frozen=True, eq=False)
class AttributeModel:
    """One attribute with V values, for B age groups and K factors.

    slope   (V, K): l_v
    offset  (B, V): log weight, −inf for a value that the group cannot have
    shown   the chance that a person who says anything fills it in
    """

    name: str
    values: tuple[str, ...]
    slope: FloatArray
    offset: FloatArray
    shown: float


@dataclass(frozen=True, eq=False)
class Model:
    """The population, for P propositions, B age groups and K factors.

    categories, texts  of the propositions
    interest           (P,): how much is written about the proposition's category, per proposition
    lean, slope        (P,) and (P, K): the log-odds to agree are lean + slope·θ
    ages               lowest and highest age of each group
    log_share          (B,): log π_b
    means              (B, K): μ_b
    covariance         (K, K): Σ
    attributes         all but age
    age_shown, silent  the chances that the age is filled in, and that nothing is
    """

    categories: tuple[str, ...]
    texts: tuple[str, ...]
    interest: FloatArray
    lean: FloatArray
    slope: FloatArray
    ages: tuple[tuple[int, int], ...]
    log_share: FloatArray
    means: FloatArray
    covariance: FloatArray
    attributes: tuple[AttributeModel, ...]
    age_shown: float
    silent: float

    def number_of(self) -> dict[str, int]:
        """The place of each proposition, by its text."""
        return {text: place for place, text in enumerate(self.texts)}

    def age_group(self, age: int) -> int:
        """The group of an age. Raises ValueError for an age that no group has."""
        for place, (low, high) in enumerate(self.ages):
            if low <= age <= high:
                return place
        raise ValueError(f"No age group has people aged {age}.")


@cache
def released() -> Model:
    """The model of the content files of this package."""
    return model_of(synthetic_content.load())


def model_of(content: Content) -> Model:
    """The arrays that the content files describe.

    Raises ContentError when the correlations of the factors contradict one another.
    """
    names = list(content.factors.factors)
    covariance = _correlations(content.factors, names)
    groups = content.demographics.age.groups
    share = np.array([group.weight for group in groups])
    share = share / share.sum()
    position = np.array([group.position for group in groups])
    by_age = np.array([factor.by_age for factor in content.factors.factors.values()])
    # Positions are taken from their mean, so that the average person has θ = 0.
    means = np.outer(position - share @ position, by_age)
    overall = covariance + means.T @ (share[:, None] * means)
    entries = [
        (name, content.categories[name], entry)
        for name in CATEGORIES
        for entry in content.categories[name].propositions
    ]
    loadings = _loadings([entry.loadings for _, _, entry in entries], names)
    spread = np.sqrt(np.einsum("pk,kl,pl->p", loadings, overall, loadings))
    steepness = np.array([category.slope for _, category, _ in entries]) / spread
    return Model(
        categories=tuple(name for name, _, _ in entries),
        texts=tuple(entry.text for _, _, entry in entries),
        interest=np.array(
            [category.interest / len(category.propositions) for _, category, _ in entries]
        ),
        lean=np.array([entry.lean for _, _, entry in entries]),
        slope=steepness[:, None] * loadings,
        ages=tuple((group.low, group.high) for group in groups),
        log_share=np.log(share),
        means=means,
        covariance=covariance,
        attributes=tuple(
            _attribute(attribute, names, [group.low for group in groups])
            for attribute in content.demographics.attributes
        ),
        age_shown=content.demographics.age.shown,
        silent=content.demographics.silent,
    )


def _correlations(factors: Factors, names: list[str]) -> FloatArray:
    matrix = np.eye(len(names))
    for correlation in factors.correlations:
        first, second = (names.index(name) for name in correlation.pair)
        matrix[first, second] = matrix[second, first] = correlation.r
    if float(np.linalg.eigvalsh(matrix)[0]) < 0.01:
        raise ContentError("The correlations of the factors contradict one another; weaken some.")
    return matrix


def _attribute(attribute: Attribute, names: list[str], youngest: list[int]) -> AttributeModel:
    weights = np.log([value.weight for value in attribute.values])
    possible = [[value.from_age <= age for value in attribute.values] for age in youngest]
    return AttributeModel(
        name=attribute.name,
        values=tuple(value.value for value in attribute.values),
        slope=_loadings([value.loadings for value in attribute.values], names),
        offset=np.where(possible, weights, -np.inf),
        shown=attribute.shown,
    )


def _loadings(rows: list[dict[str, float]], names: list[str]) -> FloatArray:
    return np.array([[row.get(name, 0.0) for name in names] for row in rows])
