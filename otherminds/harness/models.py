"""lm-eval's models, and their chat templates."""

from __future__ import annotations

import contextlib
from pathlib import Path
from typing import TYPE_CHECKING

from otherminds.errors import OtherMindsError
from otherminds.harness.flags import RunArguments, errors_of
from otherminds.harness.missing import given, installed

if TYPE_CHECKING:
    from lm_eval.api.model import LM


def model_names() -> list[str]:
    """The names that lm-eval's `--model` takes."""
    import lm_eval.models  # noqa: F401  (fills the registry)
    from lm_eval.api.registry import model_registry

    return sorted(model_registry.keys())


def make_model(arguments: RunArguments) -> LM:
    """Load the model that lm-eval's flags describe."""
    from lm_eval.api.registry import get_model

    check_weights(arguments)
    extra = {
        "batch_size": arguments.batch_size,
        "max_batch_size": arguments.max_batch_size,
        "device": arguments.device,
    }
    with (
        errors_of(f"the model '{arguments.model}'"),
        installed(arguments.model),
        given(arguments.model),
    ):
        made = get_model(arguments.model).create_from_arg_obj(dict(arguments.model_args), extra)
        # Of a server that takes a key, lm-eval would look for it with the first question.
        getattr(made, "api_key", None)
    return made


def check_weights(arguments: RunArguments) -> None:
    """Raise OtherMindsError where a folder of weights is named and not there."""
    weights = str(arguments.model_args.get("pretrained", ""))
    if weights.startswith(("/", "./", "../", "~")) and not Path(weights).expanduser().exists():
        raise OtherMindsError(f"There is no model at {weights}; check `--model_args pretrained=…`.")


def has_chat_template(name: str, model: LM) -> bool:
    """Whether the model `name` takes its prompts in a chat template by default.

    Chat APIs apply their own and take messages only.
    """
    return "chat" in name or bool(chat_template(model))


def chat_template(model: LM, name: bool | str = True) -> str | None:
    """The text of the model's chat template; None for a model that has none."""
    with contextlib.suppress(AttributeError, NotImplementedError), installed(type(model).__name__):
        return model.chat_template(name) or None
    return None
