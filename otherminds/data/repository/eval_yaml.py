"""eval.yaml of a dataset repository: how the Hub's community evaluations run it with Inspect.

With it, `inspect eval hf/otherminds/<dataset>` evaluates a model, and the Hub can keep a leaderboard.
The file may name only what Inspect's loader knows: columns of one configuration as input, target,
choices and metadata, a few solvers that fill them into a template (without loops), a few scorers. There
is one where the tasks fit into that, from `cards/eval_<benchmark>.yaml.jinja`; its comment says what
does not:

    HugAgent          belief state inference, a letter; not the update task (right within a tolerance)
    debate beliefs    four conditions, true or false; accuracy, not macro-F1
    SocialMindChange  none: a question lies in one configuration, the scenes that it is about in another
    SynchToM          none: a judge grades three parts of an answer by criteria of their own
    trust game        none: there is no right answer, only consistency
"""

from __future__ import annotations

import yaml

from otherminds import paths
from otherminds.data import hub
from otherminds.data.repository import card
from otherminds.manifest import Manifest

NAME = "eval.yaml"


def text(known: Manifest) -> str | None:
    """eval.yaml of a dataset, as YAML; None where Inspect cannot express its tasks.

    There is none either for data that others publish: their repository is theirs.
    """
    template = f"eval_{str(known.builder).partition('.')[0]}.yaml.jinja"
    if known.upstream is not None or not (paths.cards() / template).is_file():
        return None
    head = {
        "name": known.title,
        "description": known.description,
        "evaluation_framework": "inspect-ai",
    }
    return (
        card.environment()
        .get_template(template)
        .render(
            head=yaml.safe_dump(head, sort_keys=False, allow_unicode=True, width=100),
            known=known,
            hub_id=hub.dataset_id(known.dataset),
        )
    )
