"""What plain lm-eval finds of ours by name: filters, a metric and aggregations, for tasks of others.

The entry points in `pyproject.toml` name them, as lm-eval's main branch reads them (`lm_eval.models`,
`lm_eval.filters`, `lm_eval.metrics`, `lm_eval.aggregations`). A release that reads none gets the models
from `otherminds link` (`otherminds.plugs`).

    otherminds-letter        a filter: the letter that a reply ends up claiming (`options`: how many)
    otherminds-number        a filter: the whole number on a scale (`low`, `high`)
    otherminds-match         a metric: whether such an answer is the target
    otherminds-clustered     an aggregation of pairs (cluster, value): the mean
    otherminds-clustered-se  the same: its standard error over clusters
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import lm_eval.api.metrics  # noqa: F401  (registers the mean)
from lm_eval.api.filter import Filter
from lm_eval.api.registry import register_aggregation, register_metric

from otherminds.metrics.parsing import parse_letter, parse_number
from otherminds.metrics.uncertainty import Estimate, clustered_mean, partition

UNREAD = "[invalid]"
"""What a filter gives where no answer can be read, as lm-eval's own do."""


class Letter(Filter):
    """The letter that a reply ends up claiming, of so many options; UNREAD where it claims none."""

    def __init__(self, options: int = 4, **others: Any) -> None:
        super().__init__(**others)
        self._options = int(options)

    def apply(
        self, resps: Iterable[Sequence[str]], docs: Sequence[Mapping[str, Any]]
    ) -> Iterator[list[str]]:
        """The answers in the replies to each document."""
        for replies in resps:
            yield [parse_letter(reply, self._options) or UNREAD for reply in replies]


class Number(Filter):
    """The whole number on a scale that a reply answers with; UNREAD where it gives none."""

    def __init__(self, low: int = 1, high: int = 5, **others: Any) -> None:
        super().__init__(**others)
        self._low, self._high = int(low), int(high)

    def apply(
        self, resps: Iterable[Sequence[str]], docs: Sequence[Mapping[str, Any]]
    ) -> Iterator[list[str]]:
        """The answers in the replies to each document."""
        for replies in resps:
            found = (parse_number(reply, self._low, self._high) for reply in replies)
            yield [UNREAD if one is None else str(one) for one in found]


@register_aggregation("otherminds-clustered")
def clustered(items: Sequence[tuple[Any, float]]) -> float:
    """The mean of the values of pairs (cluster, value); raises MetricError for a value that is NaN."""
    return _estimate(items).value


@register_aggregation("otherminds-clustered-se")
def clustered_se(items: Sequence[tuple[Any, float]]) -> float:
    """The standard error of that mean over clusters; NaN for a single cluster."""
    return _estimate(items).stderr


@register_metric(metric="otherminds-match", higher_is_better=True, aggregation="mean")
def match(references: Sequence[Any], predictions: Sequence[Any], **_: Any) -> float:
    """Whether the first prediction is the first reference, capitals and spaces aside."""
    said, target = (str(one[0]).strip().casefold() for one in (predictions, references))
    return float(said == target)


def _estimate(items: Sequence[tuple[Any, float]]) -> Estimate:
    names, values = zip(*items, strict=True)
    return clustered_mean(values, partition([str(name) for name in names]))
