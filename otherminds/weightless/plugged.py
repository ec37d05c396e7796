"""The weightless models as plain lm-eval makes them: `lm_eval --model otherminds-NAME`.

Left out are those that learn from a whole population, which lm-eval does not show to a model, and those
that read gold answers, as its results would not say so: `otherminds run` has them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from otherminds import harness, manifest
from otherminds.errors import OtherMindsError, unknown
from otherminds.harness import Instance
from otherminds.weightless import questions, strategies
from otherminds.weightless.lm import WeightlessLM

_OF_ENGINES = ("batch_size", "max_batch_size", "device")
"""What lm-eval tells every model, and one without weights does nothing with."""


def names() -> list[str]:
    """The models that plain lm-eval may have."""
    found = strategies.models()
    return [name for name, one in found.items() if not (one.learns or one.reads_gold)]


def __getattr__(name: str) -> Any:
    """The class of a model, by its name with underscores."""
    model = name.replace("_", "-")
    if name.startswith("_") or model not in strategies.names():
        raise AttributeError(f"There is no weightless model '{model}'.")
    if model not in names():
        raise AttributeError(f"The weightless model '{model}' runs with `otherminds run` alone.")
    return type(name, (Plugged,), {"model": model, "__module__": __name__})


class Plugged(WeightlessLM):
    """A weightless model that looks up by itself which data a task of ours is on.

    Raises OtherMindsError for arguments that the model does not take.
    """

    model: str

    def __init__(self, **arguments: Any) -> None:
        strategy = strategies.find(self.model)
        if strategy is None:
            raise unknown("model", self.model, names(), listing="otherminds list --models")
        own = {key: one for key, one in arguments.items() if key not in _OF_ENGINES}
        try:
            super().__init__(strategy(**own))
        except (TypeError, ValueError) as error:
            raise OtherMindsError(
                f"Model 'otherminds-{self.model}' does not take these --model_args: {error}"
            ) from error

    def _asked(self, requests: Sequence[Instance]) -> Any:
        for task in {str(one.task_name) for one in requests} - self._questions.keys():
            dataset = harness.dataset_of(harness.task_config(task) or {})
            if dataset in manifest.names():
                self._questions[task] = questions.of_dataset(str(dataset))
        return super()._asked(requests)
