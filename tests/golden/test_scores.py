"""What models without weights score."""

from __future__ import annotations

import json
import re
from pathlib import Path

from tests.golden import data, pinned, prompts, scores, texts, versions
from tests.golden.conftest import rounds_alike


def test_scores_are_the_same_to_the_bit(folder: Path) -> None:
    now = json.loads(texts.as_json(scores.collect(folder)))
    before = texts.committed(scores.NAME)
    if not rounds_alike():
        near = [scores.rounded_otherwise(found) for found in (before, now)]
        texts.check(*near, "Scores differ, by more than another processor's rounding.", near=True)
        return
    asked = texts.committed(prompts.NAME)
    releases = texts.committed(data.NAME)["releases"]
    excused = versions.of_new_data(asked, releases, data.releases())
    if found := versions.scores(before, now, excused):
        raise AssertionError(versions.told(found, scores.CHANGED))
    texts.check_json(scores.NAME, now, "Scores are not those of the golden file.")


def test_every_model_without_weights_has_scores(folder: Path) -> None:
    listed = re.findall(r"^  (\S+)  ", pinned.command("list", "--models").out, re.MULTILINE)
    # The judge has no task of its own: it judges the answers of others.
    ran = {model.split()[0] for model in scores.RUNS} | {"lexical-judge"}
    assert set(listed) == ran
