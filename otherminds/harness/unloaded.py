"""Models of lm-eval without weights: they write prompts as the loaded ones do, and answer nothing."""

from __future__ import annotations

import inspect
import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from otherminds.errors import OtherMindsError
from otherminds.harness.flags import RunArguments, errors_of
from otherminds.harness.missing import installed
from otherminds.harness.models import check_weights

if TYPE_CHECKING:
    from lm_eval.api.model import LM

_OF_SERVERS = "lm_eval.models.api_models"
"""The module of the class that all models behind a server are made from."""

_MERGING = "lm_eval.models.huggingface"
"""The module of models that hand `enable_thinking` to the chat template among `chat_template_args`."""

_GENERATED = 256
"""Tokens that lm-eval's models generate at most where neither task nor arguments say how many."""


def unloaded(arguments: RunArguments) -> LM:
    """The model that lm-eval's flags describe, with its tokenizer alone.

    No weights are read, and no server is asked. Its attribute `tokenizer` is None where it has none to
    write prompts with, as a chat API; `most_generated` are its tokens where a request names no number.

    Raises OtherMindsError for a tokenizer that is not there.
    """
    from lm_eval.api.model import LM

    check_weights(arguments)
    kind = _kind(arguments)
    given = dict(arguments.model_args)
    settings = {**_defaults(kind), **given}
    made: Any = object.__new__(kind)
    LM.__init__(made)
    thinking = settings.get("enable_thinking")
    merged = _is_from(kind, _MERGING) and thinking is not None
    own = {
        "add_bos_token": settings.get("add_bos_token"),
        "chat_template_args": {
            **(settings.get("chat_template_args") or {}),
            **({"enable_thinking": thinking} if merged else {}),
        },
        "custom_prefix_token_id": settings.get("prefix_token_id"),
        "enable_thinking": thinking,
        "hf_chat_template": None,
        "most_generated": int(settings.get("max_gen_toks") or _GENERATED),
        "tokenizer": None,
    }
    vars(made).update(own)
    if _is_from(kind, _OF_SERVERS):
        _as_behind_a_server(made, settings)
    elif "pretrained" in settings or "pretrained" in _parameters(kind):
        made.tokenizer = tokenizer_of(given, "tokenizer", "pretrained")
    found: LM = made
    return found


def _kind(arguments: RunArguments) -> type[Any]:
    """The class of a model.

    Where an engine is not installed, as on the machine that a run is planned on, its prompts are written
    as hf writes them: both leave that to the tokenizer.
    """
    from lm_eval.api.registry import get_model

    with errors_of(f"the model '{arguments.model}'"):
        try:
            with installed(arguments.model):
                found: type[Any] = get_model(arguments.model)
        except OtherMindsError:
            if not arguments.model_args.get("pretrained"):
                raise
            found = get_model("hf")
    return found


def tokenizer_of(model_args: Mapping[str, Any], *names: str) -> Any:
    """The tokenizer that the first of some arguments that is given names: a folder, or on the Hub.

    Raises OtherMindsError where it is not there.
    """
    name = next((one for one in names if model_args.get(one)), None)
    if name is None:
        raise OtherMindsError(
            f"Prompts are written with a tokenizer: give `--model_args {names[-1]}=…`."
        )
    from transformers import AutoTokenizer

    revision = model_args.get("tokenizer_revision") or model_args.get("revision")
    chosen = {
        "revision": revision,
        "trust_remote_code": model_args.get("trust_remote_code"),
        "subfolder": model_args.get("subfolder"),
        "add_bos_token": model_args.get("add_bos_token"),
        "gguf_file": model_args.get("gguf_file") if name == "pretrained" else None,
    }
    try:
        # The user names the revision, as for the model itself.
        return AutoTokenizer.from_pretrained(  # nosec B615
            model_args[name], **{key: value for key, value in chosen.items() if value is not None}
        )
    except (OSError, ValueError, ImportError, KeyError) as error:
        said = str(error).strip().partition("\n")[0] or type(error).__name__
        raise OtherMindsError(
            f"There is no tokenizer at {name}={model_args[name]} ({said}). Check its name, or give "
            "another one: `--model_args …,tokenizer=FOLDER or OWNER/NAME`."
        ) from error


def messages(prompt: Any) -> list[dict[str, str]] | None:
    """The messages in a prompt for a chat API; None for one of text."""
    if isinstance(prompt, str):
        return None
    # Of a chat API, it is a named tuple with their JSON; of a remote tokenizer, they themselves.
    found: list[dict[str, str]] = json.loads(prompt[0]) if isinstance(prompt, tuple) else prompt
    return found


def _as_behind_a_server(model: Any, settings: Mapping[str, Any]) -> None:
    """Set what the prompts for a server depend on, as lm-eval does."""
    backend = settings.get("tokenizer_backend")
    model.base_url = settings.get("base_url") or ""
    model._seed = int(settings.get("seed") or 0)
    model._batch_size = 1
    model.tokenizer_backend = None if backend in ("None", "none", "remote") else backend
    model.tokenized_requests = bool(settings.get("tokenized_requests", True))
    if model.tokenizer_backend == "auto":
        # A run asks the server whether it has one.
        model.tokenizer_backend = "huggingface"
    if model.tokenizer_backend == "huggingface":
        try:
            model.tokenizer = tokenizer_of(settings, "tokenizer", "model", "pretrained")
        except OtherMindsError:
            # The name of a model on a server need not be one on the Hub.
            if settings.get("tokenizer"):
                raise
            model.tokenizer_backend = None
    model.tokenized_requests &= model.tokenizer is not None


def _defaults(kind: type[Any]) -> dict[str, Any]:
    """The arguments that a class and those it is made from take, with what they are when not given."""
    return {
        name: one.default
        for base in reversed(kind.__mro__)
        for name, one in _own_parameters(base).items()
        if one.default is not inspect.Parameter.empty
    }


def _parameters(kind: type[Any]) -> set[str]:
    return {name for base in kind.__mro__ for name in _own_parameters(base)}


def _own_parameters(kind: type[Any]) -> Mapping[str, inspect.Parameter]:
    made = vars(kind).get("__init__")
    return inspect.signature(made).parameters if inspect.isfunction(made) else {}


def _is_from(kind: type[Any], module: str) -> bool:
    return any(base.__module__ == module for base in kind.__mro__)
