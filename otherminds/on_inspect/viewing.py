"""How `inspect view` shows a log: what was asked, what was answered, and the scores that items have."""

from __future__ import annotations

from collections.abc import Iterable

from inspect_ai.viewer import (
    SampleScoreView,
    ScoreColorScale,
    TaskSamplesColumn,
    TaskSamplesView,
    ViewerConfig,
)

from otherminds.samples.read import Rules
from otherminds.types import Doc

SCORER = "otherminds"
"""The name of our scorer in Inspect's logs."""


def config(rules: Rules, some: Iterable[Doc]) -> ViewerConfig:
    """The columns of a task's samples; `some` of its documents say which scores single items have.

    Every prompt begins with the same words, so that its column is left to who wants it.
    """
    scored = [
        rules.scorer.scores(rules.record(doc, [[""]]))
        for doc in some
        if not rules.scorer.is_sealed(doc)
    ]
    names = [name for name in rules.metrics if any(name in one for one in scored)]
    shown = ("sampleStatus", "sampleId", "epoch", "target", "answer")
    columns = [
        *(TaskSamplesColumn(id=name) for name in shown),
        *(TaskSamplesColumn.score(SCORER, name) for name in names),
        *(TaskSamplesColumn(id=name, visible=False) for name in ("input", "tokens", "duration")),
    ]
    # Of scores from 0 to 1: others have no end to be coloured by.
    shares = {
        name: ScoreColorScale(palette="good-high", min=0, max=1)
        for name in names
        if rules.metrics[name]
    }
    return ViewerConfig(
        task_samples_view=TaskSamplesView(
            name="items",
            columns=columns,
            multiline=False,
            score_color_scales=shares,
        ),
        sample_score_view=SampleScoreView(default="grid"),
    )
