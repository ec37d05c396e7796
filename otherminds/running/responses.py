"""What comes of a request to a server: its response, or what is wrong with it and what helps."""

from __future__ import annotations

import email.utils
import json
import re
import time
from collections.abc import Mapping
from typing import Any, NamedTuple

from otherminds import credentials

_LONGEST_SAID = 300

NO_MORE = frozenset({401, 402, 403, 404, 405, 410, 501})
"""Statuses that say of every request what they say of one."""

TOO_MANY = 429
"""The status of a server that is asked too much."""

_LATER = frozenset({503, 529})
"""Others that may say so too; 529 is Anthropic's."""

_TRY_AGAIN = frozenset({408, 409, 425})
_OF_QUOTA = re.compile(r"insufficient[_ ]quota|exceeded your current quota", re.I)
_OF_CONTENT = re.compile(
    r"content[ _-]?(filter|polic|management)|responsible ?ai|moderation|flagged|usage polic"
    r"|safety (system|filter|polic|reason)"
    r"|inappropriate content|data_inspection_failed|invalid_prompt|sensitive_words",
    re.I,
)
"""Words of errors about the content of a prompt: Azure's content_filter and
ResponsibleAIPolicyViolation, OpenAI's content_policy_violation, invalid_prompt and "flagged",
OpenRouter's moderation, Alibaba's data_inspection_failed."""


class Came(NamedTuple):
    """What came of one request.

    status   the HTTP status; None where no response came
    text     the response; of none, what was wrong: "silent", or else "lost"
    headers  of the response, by their names in lower case
    """

    status: int | None
    text: str
    headers: Mapping[str, str]


def read(came: Came) -> tuple[Any, str | None]:
    """A response as JSON, or what is wrong with what came."""
    if came.status is None:
        return None, came.text
    if not 200 <= came.status < 300:
        return None, str(came.status)
    try:
        outputs = json.loads(came.text)
    except (ValueError, RecursionError):
        return None, "no JSON"
    return (outputs, None) if _has_reply(outputs) else (None, "no reply")


def _has_reply(outputs: Any) -> bool:
    if isinstance(outputs, list):
        return bool(outputs) and all(map(_has_reply, outputs))
    if not isinstance(outputs, Mapping):
        return False
    choices = outputs.get("choices")
    if choices is None:
        # Anthropic's messages, and SGLang's own interface.
        return "text" in outputs or isinstance(outputs.get("content"), list)
    return isinstance(choices, list) and bool(choices) and all(map(_is_choice, choices))


def _is_choice(choice: Any) -> bool:
    if not isinstance(choice, Mapping):
        return False
    message = choice.get("message")
    of_chat = isinstance(message, Mapping) and isinstance(message.get("content"), str | None)
    return of_chat or isinstance(choice.get("text"), str) or "logprobs" in choice


def is_of_content(came: Came) -> bool:
    """Whether a prompt was refused for what it says."""
    return _is_refused(came) and _OF_CONTENT.search(said(came)) is not None


def is_of_request(came: Came) -> bool:
    """Whether a request was refused that will be refused again, while another may be answered."""
    return _is_refused(came) and came.status not in _TRY_AGAIN and came.status != TOO_MANY


def is_for_now(came: Came) -> bool:
    """Whether a server refuses everything for a time."""
    is_later = came.status in _LATER and retry_after(came.headers) is not None
    return is_later or (came.status == TOO_MANY and _OF_QUOTA.search(said(came)) is None)


def _is_refused(came: Came) -> bool:
    return came.status is not None and 400 <= came.status < 500


def retry_after(headers: Mapping[str, str]) -> float | None:
    """The seconds that a server asks to wait for; None where it does not."""
    for name, per_second in (("retry-after-ms", 1_000), ("retry-after", 1)):
        given = headers.get(name, "").strip()
        if re.fullmatch(r"\d{1,9}(\.\d{1,9})?", given):
            return float(given) / per_second
        try:
            then = email.utils.parsedate_to_datetime(given) if given else None
        except ValueError:
            continue
        if then is not None:
            return max(0.0, then.timestamp() - time.time())
    return None


def said(came: Came) -> str:
    """The words of an error, without the JSON around them."""
    if came.status is None:
        return ""
    try:
        found = json.loads(came.text)
        error = found.get("error", found) if isinstance(found, Mapping) else found
        words = error
        if isinstance(error, Mapping):
            inner = error.get("innererror")
            parts = [
                error.get("code"),
                error.get("type"),
                error.get("message"),
                error.get("detail"),
            ]
            parts += [inner.get("code")] if isinstance(inner, Mapping) else []
            words = "; ".join(part for part in parts if isinstance(part, str) and part)
    except (ValueError, RecursionError):
        words = came.text
    short = " ".join(str(words or came.text).split())
    return credentials.text(short[:_LONGEST_SAID])


_WHAT = {
    "silent": "it was silent for too long",
    "lost": "the connection failed",
    "no JSON": "it answered with something else than JSON",
    "no reply": "its answers hold no completion",
}


def what(came: Came, fault: str) -> str:
    """What is wrong, for a message."""
    own = said(came) if came.status is not None and came.status >= 400 else ""
    words = f' ("{own}")' if own else ""
    return _WHAT.get(fault) or f"it answered with status {came.status}{words}"


def remedy(came: Came, fault: str) -> str:
    """What helps, for a message."""
    match came.status:
        case 401 | 403:
            return "check the key in OPENAI_API_KEY"
        case 402 | 429:
            return "see to the quota of your account"
        case 404 | 405 | 410:
            return "check base_url, and model in it"
    if fault in ("no JSON", "no reply"):
        ends = "/v1/completions or /v1/chat/completions"
        return f"see what it answers, and check base_url: it must end in {ends}"
    if fault == "silent":
        return "raise timeout (in seconds), or lower num_concurrent, in --model_args"
    return "see in its log why it fails, and start it again"


def post(model: Any, payload: Mapping[str, Any]) -> Came:
    """Send a payload as lm-eval does one at a time."""
    import requests

    try:
        response = requests.post(
            model.base_url,
            json=payload,
            headers=model.header,
            verify=model.verify_certificate,
            timeout=model.timeout,
        )
    except requests.Timeout:
        return Came(None, "silent", {})
    except requests.RequestException:
        return Came(None, "lost", {})
    headers = {name.lower(): value for name, value in response.headers.items()}
    return Came(response.status_code, response.content.decode("utf-8", "replace"), headers)


async def posted(model: Any, session: Any, payload: Mapping[str, Any]) -> Came:
    """Send a payload as lm-eval does several at once."""
    import aiohttp

    try:
        async with session.post(model.base_url, json=payload, headers=model.header) as response:
            body = await response.read()
            headers = {name.lower(): value for name, value in response.headers.items()}
            return Came(response.status, body.decode("utf-8", "replace"), headers)
    except TimeoutError:
        return Came(None, "silent", {})
    except aiohttp.ClientError:
        return Came(None, "lost", {})
