"""Plain `lm_eval` with OtherMinds' weightless model `random`, and nothing else of ours.

`lm_eval` knows no such model: this registers it, and hands over to `lm_eval`'s own command line. So the
same task is asked of the same model in both programs. Run: python -m performance.random_model run FLAGS
"""

from __future__ import annotations

import os
from typing import Any

from lm_eval.__main__ import cli_evaluate
from lm_eval.api.registry import register_model

from otherminds.weightless import lm, questions
from otherminds.weightless.questions import Questions
from otherminds.weightless.strategies import Random

DATASET = "PERFORMANCE_DATASET"
"""The variable that names the dataset of the asked task, which lm-eval does not tell a model."""


class _OneBenchmark(dict[str, Questions]):
    def __contains__(self, task: object) -> bool:
        return True

    def __missing__(self, task: str) -> Questions:
        return self.setdefault(task, questions.of_dataset(os.environ[DATASET]))


@register_model("random")
class RandomModel(lm.WeightlessLM):
    """`random` for documents of one benchmark."""

    def __init__(self) -> None:
        super().__init__(Random())
        self._questions = _OneBenchmark()

    @classmethod
    def create_from_arg_obj(cls, arg_dict: Any, additional_config: Any = None) -> RandomModel:
        return cls()

    @classmethod
    def create_from_arg_string(cls, arg_string: str, additional_config: Any = None) -> RandomModel:
        return cls()


if __name__ == "__main__":
    cli_evaluate()
