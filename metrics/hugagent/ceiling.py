"""The human ceiling: how well people agree with themselves when asked again."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
from scipy.special import ndtri, stdtrit

from otherminds.metrics.agreement import intraclass_correlation, quadratic_kappa
from otherminds.metrics.errors import EmptyInput, MetricError, MisalignedInput
from otherminds.metrics.hugagent.items import (
    BDU,
    BSI,
    ERROR_FACTOR,
    MAE_MAX,
    OPINION,
    PAPER,
    Item,
    Protocol,
)
from otherminds.metrics.hugagent.scores import RANDOM, Anchor, Summary, summarize, utility
from otherminds.metrics.uncertainty import (
    DRAWS,
    LEVEL,
    SEED,
    Estimate,
    estimate,
    nothing,
    partition,
)

Scale = tuple[int, int]

_LETTERS: Scale = (0, 0)
_OPINION_SCALE: Scale = (1, 10)

# Standard errors by which the ceiling must exceed chance before it can be a denominator.
_MIN_DISTANCE = 3.0


class Retest(NamedTuple):
    """One question that a person answered twice.

    participant_id  the person: the cluster of all uncertainty
    topic           such as "healthcare"
    question_id     unique for a person and topic; baselines and scenarios are known by it ("2.1", "2.6")
    low, high       the answer scale: (1, 10) for opinions, (1, 5) for reasons, (0, 0) for letters (BSI)
    test, retest    the two answers: integers, or "A" or "B" on scale (0, 0). `retest` is None where the
                    person gave no second answer
    """

    participant_id: str
    topic: str
    question_id: str
    low: int
    high: int
    test: int | str
    retest: int | str | None


@dataclass(frozen=True)
class Ceiling:
    """What a predictor could reach that knew each person as well as they know themselves.

    summary      HugAgent's numbers with the first answers as gold and the second as prediction,
                 overall and by topic: `summary["bdu_acc"]`, "bdu_mae", "bdu_dir", "bsi_acc" and
                 "composite" (these two NaN without letters). Its "ati" keeps the authors' fixed anchors
    icc, kappa   ICC(2,1) and quadratic-weighted kappa, by scale. The scales are kept apart: pooled,
                 the difference between scales would pass for a difference between people. Targets are
                 answers of one person to one question, so differences between questions count as well
    n_people     people with at least one second answer
    n_unanswered   rows without a second answer. Not answering is not inconsistency: they are left out
    n_outside_scale  numeric rows in which an answer is outside its scale. They are left out of icc and
                 kappa; in `summary` they count as they are, as such golds do for models
    """

    summary: Summary
    icc: Mapping[Scale, Estimate]
    kappa: Mapping[Scale, Estimate]
    n_people: int
    n_unanswered: int
    n_outside_scale: int


def human_ceiling(
    rows: Sequence[Retest], *, protocol: Protocol = PAPER, draws: int = DRAWS, seed: int = SEED
) -> Ceiling:
    """Test-retest consistency of people, by the code that scores models, with 95 % intervals.

    Accuracy within tolerance, MAE and dir are those of `summarize` (per topic, then averaged); ICC and
    kappa those of `intraclass_correlation` and `quadratic_kappa`, over all topics. All intervals
    resample people.

    Raises EmptyInput when no row has both answers, MisalignedInput for a question given twice or an
    answer of another type than its scale's, MetricError for a scale other than 1-5, 1-10 and 0-0.
    """
    answered = [row for row in rows if row.retest is not None]
    if not answered:
        raise EmptyInput("Nobody answered a question twice: there is no ceiling to measure.")
    summary = summarize([_item(row) for row in answered], protocol=protocol, draws=draws, seed=seed)
    # Sorted, so that no sum depends on the order of the rows.
    numeric = sorted(
        (row for row in answered if (row.low, row.high) != _LETTERS), key=lambda row: row[:3]
    )
    inside = [row for row in numeric if _on_scale(row)]
    icc: dict[Scale, Estimate] = {}
    kappa: dict[Scale, Estimate] = {}
    for low, high in sorted({(row.low, row.high) for row in inside}):
        here = [row for row in inside if (row.low, row.high) == (low, high)]
        people = partition([row.participant_id for row in here])
        test = [int(row.test) for row in here]
        retest = [int(row.retest) for row in here if row.retest is not None]
        pairs = list(zip(test, retest, strict=True))
        icc[low, high] = intraclass_correlation(pairs, people, draws=draws, seed=seed)
        kappa[low, high] = quadratic_kappa(
            test, retest, people, low=low, high=high, draws=draws, seed=seed
        )
    return Ceiling(
        summary=summary,
        icc=icc,
        kappa=kappa,
        n_people=len({row.participant_id for row in answered}),
        n_unanswered=len(rows) - len(answered),
        n_outside_scale=len(numeric) - len(inside),
    )


def published_estimate(value: float, low: float, high: float, *, people: int) -> Estimate:
    """A published number with its normal 95 % interval low..high, as an Estimate over `people`.

    stderr = (high - low) / (2·1.96): half the width, which also stands for an interval that is not
    symmetric. The Estimate's own interval is wider than the published one, because it uses t with
    people - 1 degrees of freedom (12 for the 13 people of the published ceiling). n = n_clusters: how
    many answers stand behind it is not known from an interval.
    Raises MetricError unless low ≤ value ≤ high are finite and people ≥ 2.
    """
    if not (math.isfinite(low) and math.isfinite(high) and low <= value <= high):
        raise MetricError(f"{value} is not inside a finite interval {low}..{high}.")
    if people < 2:
        raise MetricError(f"{people} people: an interval needs at least 2.")
    stderr = (high - low) / (2 * float(ndtri((1 + LEVEL) / 2)))
    return estimate(value, stderr, n=people, n_clusters=people)


def ceiling_composite(
    bsi_acc: Estimate, bdu_acc: Estimate, bdu_mae: Estimate, bdu_dir: Estimate
) -> Estimate:
    """The composite 100·u of a ceiling of which only the four numbers are known.

    Units as in `utility`, with the paper's mae_max. For an MAE between 0 and that, u is linear,
    u = u(0) + Σ_j c_j·x_j, and its standard error depends on how the four errors, which come from the
    same people, are correlated. Nobody published that, so the bound that holds for every correlation is
    used:

    SE(100·u) ≤ 100·Σ_j |c_j|·SE(x_j)

    n and n_clusters are the smallest of the four. With the answers at hand use
    `human_ceiling(...).summary["composite"]`, which knows the correlations.
    Raises EmptyInput when a number is NaN, MetricError for an MAE above mae_max; an unknown standard
    error gives an unknown one.
    """
    parts = (bsi_acc, bdu_acc, bdu_mae, bdu_dir)
    if any(math.isnan(part.value) for part in parts):
        raise EmptyInput("A number of the ceiling is NaN: the composite needs all four.")
    if bdu_mae.value > MAE_MAX:
        raise MetricError(f"An MAE of {bdu_mae.value} is above {MAE_MAX}: that is not a ceiling.")
    zero = utility(*Anchor(0.0, 0.0, 0.0, 0.0))
    weights = [utility(*Anchor(*row)) - zero for row in np.eye(len(parts)).tolist()]
    stderr = 100 * sum(abs(c) * part.stderr for c, part in zip(weights, parts, strict=True))
    return estimate(
        100 * utility(*Anchor(*(part.value for part in parts))),
        stderr,
        n=min(part.n for part in parts),
        n_clusters=min(part.n_clusters for part in parts),
    )


def ati_between(composite: Estimate, *, random: float, human: float) -> Estimate:
    """ATI between anchors that are taken as known, such as those of one topic.

    ATI = 100·(U - R)/(H - R), with the composites 100·u of the model (U, an estimate), of random answers
    (R) and of humans (H). Value, standard error and interval are rescaled; n and n_clusters stay.
    NaN with n = 0 for a model without a composite. Raises MetricError unless random < human.
    """
    if not random < human:
        raise MetricError(f"The anchors {random} (random) and {human} (human) are not in order.")
    if math.isnan(composite.value):
        return nothing()
    factor = 100 / (human - random)
    return replace(
        composite,
        value=factor * (composite.value - random),
        stderr=factor * composite.stderr,
        low=factor * (composite.low - random),
        high=factor * (composite.high - random),
    )


def ati_with_ceiling(composite: Estimate, ceiling: Estimate) -> Estimate:
    """ATI whose interval includes the uncertainty of the human anchor, not only the model's.

    composite  100·u of the model, `summarize(...)["composite"]`
    ceiling    100·u of the humans, from `ceiling_composite` or `human_ceiling(...).summary`

    With U, H and R for the composites of model, humans and random (R is a constant):
    ATI = 100·(U - R)/(H - R). Its derivatives are 100/(H - R) by U and -ATI/(H - R) by H, so for
    independent errors, to first order (delta method),

    SE² = a² + b²,  a = 100·SE(U)/(H - R),  b = |ATI|·SE(H)/(H - R)

    The interval is t with Satterthwaite's degrees of freedom
    (a² + b²)² / (a⁴/(G_U - 1) + b⁴/(G_H - 1)), not with n_clusters - 1. n and n_clusters are the
    model's.

    Two models share b: whether they differ is a question for their composites (or a paired test), not
    for whether these intervals overlap. The ceiling's people may be among those predicted; their
    errors are taken as independent, as nothing is published about it.
    NaN with n = 0 for a model without a composite; no interval where either standard error is unknown.
    Raises EmptyInput for a ceiling that is NaN, MetricError for one that does not exceed chance, or by
    fewer than 3 of its standard errors: a ratio to it has no usable interval.
    """
    if math.isnan(ceiling.value):
        raise EmptyInput("The ceiling has no composite: ATI needs one.")
    chance = 100 * utility(*RANDOM)
    distance = ceiling.value - chance
    if distance <= 0 or distance < _MIN_DISTANCE * ceiling.stderr:
        raise MetricError(
            f"The ceiling (composite {ceiling.value:.1f} ± {ceiling.stderr:.1f}) is not clearly above "
            f"chance ({chance:.1f}): report the composite instead of ATI."
        )
    if math.isnan(composite.value):
        return nothing()
    value = 100 * (composite.value - chance) / distance
    of_model = (100 * composite.stderr / distance) ** 2
    of_ceiling = (value * ceiling.stderr / distance) ** 2
    variance = of_model + of_ceiling
    if math.isnan(variance):
        return estimate(value, math.nan, n=composite.n, n_clusters=composite.n_clusters)
    if variance == 0:
        return estimate(value, 0.0, n=composite.n, n_clusters=composite.n_clusters)
    # By shares of the variance, whose squares cannot underflow.
    spread = (of_model / variance) ** 2 / (composite.n_clusters - 1)
    spread += (of_ceiling / variance) ** 2 / (ceiling.n_clusters - 1)
    stderr = math.sqrt(variance)
    half_width = float(stdtrit(1 / spread, (1 + LEVEL) / 2)) * stderr
    return Estimate(
        value,
        stderr,
        value - half_width,
        value + half_width,
        n=composite.n,
        n_clusters=composite.n_clusters,
    )


def _item(row: Retest) -> Item:
    """The first answer as gold, the second as the one answer of a predictor."""
    scale = (row.low, row.high)
    is_letter = scale == _LETTERS
    if not is_letter and scale not in ERROR_FACTOR:
        raise MetricError(
            f"{_name(row)}: scale {row.low}-{row.high} is neither 1-5, 1-10 nor 0-0 (letters)."
        )
    wanted = str if is_letter else int
    for answer in (row.test, row.retest):
        if type(answer) is not wanted or (is_letter and answer not in ("A", "B")):
            expected = "'A' or 'B'" if is_letter else "an integer"
            raise MisalignedInput(f"{_name(row)}: answer {answer!r} is not {expected}.")
    kind = OPINION if scale == _OPINION_SCALE else "reason_evaluation"
    return Item(
        item_id=_name(row),
        participant_id=row.participant_id,
        topic=row.topic,
        task=BSI if is_letter else BDU,
        question_id=row.question_id,
        question_type="" if is_letter else kind,
        low=row.low,
        high=row.high,
        gold=str(row.test),
        answers=(row.retest,),
    )


def _name(row: Retest) -> str:
    # A plain join would give two people one name where ids contain the separator.
    return json.dumps(row[:3], ensure_ascii=False)


def _on_scale(row: Retest) -> bool:
    return all(
        isinstance(answer, int) and row.low <= answer <= row.high
        for answer in (row.test, row.retest)
    )
