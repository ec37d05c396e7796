"""Models behind a server (`--model local-completions`, `local-chat-completions`): their errors.

lm-eval asks a server again when it refuses, fails, is silent for too long or hangs up. What is left when
it has given up is an exception of the HTTP client, and a line on the terminal for each try before.
"""

from __future__ import annotations

import contextlib
import json
import logging
import sys
from collections.abc import Iterator
from typing import Any

from otherminds.errors import OtherMindsError

OF_THE_CONNECTION = frozenset(
    {
        "auth_token",
        "ca_cert_path",
        "max_retries",
        "max_wait",
        "num_concurrent",
        "timeout",
        "verify_certificate",
    }
)
"""Arguments of a model behind a server that no answer depends on: a run resumes under others."""

_UNREADABLE = (KeyError, IndexError, TypeError, json.JSONDecodeError)
_LOGGER = "lm_eval.models.api_models"
_REFUSED = {401: "check the key in OPENAI_API_KEY", 404: "check base_url, and model in it"}


def is_behind(model: Any) -> bool:
    """Whether a model is behind a server."""
    return isinstance(getattr(model, "base_url", None), str)


@contextlib.contextmanager
def seeded(model: Any, offset: int) -> Iterator[None]:
    """Send a server the seed of `model` plus `offset`; without such a seed, nothing changes."""
    seed = getattr(model, "_seed", None)
    if not is_behind(model) or not isinstance(seed, int):
        yield
        return
    model._seed = seed + offset
    try:
        yield
    finally:
        model._seed = seed


@contextlib.contextmanager
def clear_errors(model: Any) -> Iterator[None]:
    """While a server answers for `model`: raise OtherMindsError once it is given up.

    Tries before the last are not printed, unless lm-eval's log is open (`--debug`). For a model that is
    not behind a server, nothing changes.
    """
    if not is_behind(model):
        yield
        return
    logger = logging.getLogger(_LOGGER)
    is_quiet = logger.getEffectiveLevel() > logging.DEBUG
    if is_quiet:
        logger.addFilter(_of_one_try)
    try:
        yield
    except BrokenPipeError:
        # This program's own output has no reader any more.
        raise
    except _client_errors() as error:
        if is_quiet:
            # Requests that were under way end with errors of their own, which asyncio prints later.
            logging.getLogger("asyncio").addFilter(_of_another_request)
        tries = getattr(model, "max_retries", None)
        raise OtherMindsError(
            f"The server at {model.base_url} gave no answer"
            f"{f' in {tries} tries' if tries else ''}: {_what(error)}. "
            f"Answers so far are kept, and the same command resumes. First {_remedy(error)}."
        ) from error
    finally:
        logger.removeFilter(_of_one_try)


def _of_one_try(record: logging.LogRecord) -> bool:
    """A filter that keeps lines about single tries off the terminal."""
    return "etrying" not in record.getMessage()


def _of_another_request(record: logging.LogRecord) -> bool:
    """A filter that keeps errors of abandoned requests off the terminal."""
    error = record.exc_info[1] if record.exc_info else None
    is_left = "exception was never retrieved" in record.getMessage()
    return not (is_left and isinstance(error, _client_errors()))


def _client_errors() -> tuple[type[BaseException], ...]:
    """The errors of the HTTP clients that are loaded, and of lm-eval where it cannot read a reply."""
    found: list[type[BaseException]] = [TimeoutError, ConnectionError, *_UNREADABLE]
    for client, name in (("requests", "RequestException"), ("aiohttp", "ClientError")):
        if client in sys.modules:
            found.append(getattr(sys.modules[client], name))
    return tuple(found)


def _status(error: BaseException) -> int | None:
    """The HTTP status that an error of either client reports; None where nothing was answered."""
    response = getattr(error, "response", None)
    status = getattr(error, "status", None) or getattr(response, "status_code", None)
    return status if isinstance(status, int) else None


def _is_other_talk(error: BaseException) -> bool:
    """Whether something answered that does not speak the interface, such as a web page."""
    return type(error).__name__ == "ContentTypeError" or isinstance(error, json.JSONDecodeError)


def _what(error: BaseException) -> str:
    if _is_other_talk(error):
        return "it answered with something else than JSON"
    if isinstance(error, _UNREADABLE):
        return f"lm-eval finds no completion in its answer ({type(error).__name__}: {error})"
    status = _status(error)
    if status is not None:
        return f"it answered with status {status}"
    if "Timeout" in type(error).__name__:
        return "it was silent for too long"
    return "the connection failed"


def _remedy(error: BaseException) -> str:
    if _is_other_talk(error) or isinstance(error, _UNREADABLE):
        ends = "/v1/completions or /v1/chat/completions"
        return f"see what it answers, and check base_url: it must end in {ends}"
    status = _status(error)
    if status in _REFUSED:
        return _REFUSED[status]
    if status == 429:
        return "lower num_concurrent, or raise max_retries, in --model_args"
    if status is not None and status < 500:
        return "see in its log what it refuses"
    if "Timeout" in type(error).__name__:
        return "raise timeout (in seconds), or lower num_concurrent, in --model_args"
    return "see in its log why it fails, and start it again"
