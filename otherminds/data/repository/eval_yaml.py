"""eval.yaml of a dataset repository: how the Hub's community evaluations run it with Inspect.

With it, `inspect eval hf/otherminds/<dataset>` evaluates a model, and the Hub can keep a leaderboard.
The file may name only the parts that Inspect's loader knows: columns of one configuration as input,
target, choices and metadata, a few solvers that fill them into a template (without loops), a few
scorers. There is one where the tasks fit into that, from `cards/<dataset>/eval.yaml.jinja`, whose
comment says which do not. There is none where an item lies in one configuration and its subject in
another, where a judge grades answers by criteria, or where no answer is right.

`cards/<dataset>/eval_results.yaml` maps tasks of ours to the tasks of it that ask the same.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import yaml
from pydantic import BaseModel, ConfigDict

from otherminds import paths
from otherminds.data import hub
from otherminds.data.repository import card, card_facts
from otherminds.manifest import Manifest

NAME: Final = "eval.yaml"
TEMPLATE: Final = "eval.yaml.jinja"
RESULTS: Final = "eval_results.yaml"


class Named(BaseModel):
    """A task in eval.yaml, and the metric of ours that is its accuracy; `about` says how they differ."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    id: str
    metric: str
    about: str


class _Results(BaseModel):
    """The content of `eval_results.yaml`."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    tasks: dict[str, Named]


def text(known: Manifest) -> str | None:
    """eval.yaml of a dataset, as YAML; None where Inspect cannot express its tasks.

    There is none either for data that others publish: their repository is theirs.
    """
    if known.upstream is not None or not (paths.card(known.dataset) / TEMPLATE).is_file():
        return None
    head = {
        "name": known.title,
        "description": known.description,
        "evaluation_framework": "inspect-ai",
    }
    return (
        card.environment()
        .get_template(f"{known.dataset}/{TEMPLATE}")
        .render(
            head=yaml.safe_dump(head, sort_keys=False, allow_unicode=True, width=100),
            known=known,
            hub_id=hub.dataset_id(known.dataset),
        )
    )


def named(dataset: str) -> Mapping[str, Named]:
    """The names in eval.yaml of our tasks on a dataset, by ours.

    Raises OtherMindsError for a file that does not fit.
    """
    found = card_facts.beside(dataset, RESULTS, _Results)
    return {} if found is None else found.tasks
