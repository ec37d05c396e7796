"""Requests to a language model behind any OpenAI-compatible server, each in the session's journal.

A request asks for JSON of a schema. An invalid reply is asked for once more, with what is wrong with
it; after that, and where the server refuses, cuts the reply off, limits the rate or is silent, there is
no result: the interview goes on without one, and the journal has the reason. With a whole journal, a
session goes through again without a model, and failures fail again.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, Protocol, TypeVar

from pydantic import BaseModel, ValidationError

from otherminds import credentials
from otherminds.errors import OtherMindsError
from otherminds.interview.database import needed
from otherminds.running import journal as journals
from otherminds.running.finish import FILTERED, LENGTH, REFUSED, Reply

if TYPE_CHECKING:
    from openai import OpenAI

    from otherminds.interview.store import Store

Message = dict[str, str]
Parsed = TypeVar("Parsed", bound=BaseModel)

TRIES: Final = 2
"""A reply that is no JSON of the schema is asked for once more."""

LIMITED, SILENT, FAILED = "rate_limit", "timeout", "error"
"""Why there is no reply, beside the reasons of `otherminds.running.finish`."""

_GIVEN_UP = frozenset({LIMITED, SILENT, FAILED, REFUSED, FILTERED})
_LONGEST = 2_000


class CallJournal(Protocol):
    """Replies of one session by the key of their request."""

    def find(self, key: str) -> Reply | None:
        """The reply to a request that was made before; None for a new one."""

    def add(self, key: str, request: str, reply: Reply) -> None:
        """Keep a reply; it is on disk when this returns."""


class Server(Protocol):
    """What answers a request: a server, or what stands for one in tests."""

    def reply(self, messages: Sequence[Message], schema: Mapping[str, Any] | None) -> Reply:
        """The reply, or an empty one with the reason why there is none."""


@dataclass(frozen=True)
class ModelSettings:
    """Which model answers, and how; all but `base_url` and `timeout` change what it says.

    max_tokens  of one reply
    timeout     in seconds, of one try
    retries     after a rate limit, a lost connection or a fault of the server
    """

    model: str
    base_url: str | None = None
    temperature: float = 0.0
    max_tokens: int = 2_048
    timeout: float = 120.0
    retries: int = 3
    seed: int | None = None

    @property
    def identity(self) -> dict[str, Any]:
        """What the key of a request has of the model."""
        return {
            "model": self.model,
            "temperature": self.temperature,
            "max_tokens": self.max_tokens,
            "seed": self.seed,
        }


class OpenAIServer:
    """A server with OpenAI's interface for chats; the key comes from $OPENAI_API_KEY."""

    def __init__(self, settings: ModelSettings) -> None:
        needed("openai")
        self._settings = settings
        self._client: OpenAI | None = None

    def reply(self, messages: Sequence[Message], schema: Mapping[str, Any] | None) -> Reply:
        """Ask; raises OtherMindsError where the key or the address is wrong: nothing else would help."""
        import openai

        settings = self._settings
        asked: dict[str, Any] = {}
        if schema is not None:
            asked["response_format"] = {
                "type": "json_schema",
                "json_schema": {"name": "reply", "strict": True, "schema": dict(schema)},
            }
        if settings.seed is not None:
            asked["seed"] = settings.seed
        try:
            found = self._opened().chat.completions.create(
                model=settings.model,
                messages=[*messages],  # type: ignore[list-item]
                temperature=settings.temperature,
                max_tokens=settings.max_tokens,
                **asked,
            )
        except openai.APITimeoutError:
            return Reply("", SILENT)
        except openai.RateLimitError as error:
            return Reply("", LIMITED, said=_said(error))
        except (
            openai.AuthenticationError,
            openai.PermissionDeniedError,
            openai.NotFoundError,
        ) as error:
            raise OtherMindsError(
                f"The model '{settings.model}' cannot be asked ({_said(error)}): check model and "
                "base_url of the configuration, and the key in OPENAI_API_KEY. What was said so far is "
                "kept."
            ) from error
        # What is no JSON comes as it is from the client.
        except (openai.OpenAIError, ValueError) as error:
            return Reply("", FAILED, said=_said(error))
        return _reply(found)

    def _opened(self) -> OpenAI:
        if self._client is None:
            from openai import OpenAI

            # Servers of one's own ask for no key, and the client for any.
            key = os.environ.get("OPENAI_API_KEY") or "none"
            credentials.learn({"api_key": key})
            self._client = OpenAI(
                api_key=key,
                base_url=self._settings.base_url,
                timeout=self._settings.timeout,
                max_retries=self._settings.retries,
            )
        return self._client


@dataclass
class Caller:
    """Asks a model, through the journal of a session.

    server    None to answer from the journal alone; a request that is not in it is an OtherMindsError
    counts    requests by name, and under "<name>: <reason>" those without a result
    """

    settings: ModelSettings
    journal: CallJournal
    server: Server | None = None
    counts: Counter[str] = field(default_factory=Counter)

    def ask(
        self,
        name: str,
        messages: Sequence[Message],
        schema: type[Parsed],
        check: Callable[[Parsed], str | None] = lambda _: None,
    ) -> Parsed | None:
        """The model's reply as an object of `schema`; None where there is none after a retry.

        check  what is wrong with a reply that has the schema; None where nothing is
        """
        self.counts[name] += 1
        wanted = strict_schema(schema)
        said = [*messages]
        reason = "invalid"
        for number in range(TRIES):
            reply = self._reply(name, said, wanted, number)
            reason = reply.finish_reason or ""
            if reason in _GIVEN_UP:
                break
            found, fault = _parsed(reply, schema)
            if found is not None:
                fault = check(found)
                if fault is None:
                    return found
            reason = LENGTH if reason == LENGTH else "invalid"
            again = (
                f"That is not what was asked for: {fault}. Reply again, with the JSON object alone."
            )
            said = [
                *messages,
                {"role": "assistant", "content": str(reply)[:_LONGEST] or "{}"},
                {"role": "user", "content": again},
            ]
        self.counts[f"{name}: {reason}"] += 1
        return None

    def say(self, name: str, messages: Sequence[Message]) -> str | None:
        """The model's reply as text; None where there is none, or it was cut off."""
        self.counts[name] += 1
        reply = self._reply(name, messages, None, 0)
        text = str(reply).strip()
        if reply.finish_reason in {*_GIVEN_UP, LENGTH} or not text:
            self.counts[f"{name}: {reply.finish_reason or 'empty'}"] += 1
            return None
        return text

    def _reply(
        self, name: str, messages: Sequence[Message], schema: Mapping[str, Any] | None, number: int
    ) -> Reply:
        request = {
            "call": name,
            "try": number,
            **self.settings.identity,
            "messages": [*messages],
            "schema": schema,
        }
        text = json.dumps(request, ensure_ascii=False, sort_keys=True)
        key = hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
        if (known := self.journal.find(key)) is not None:
            return known
        if self.server is None:
            raise OtherMindsError(
                f"The journal has no reply to a request '{name}': the session, its configuration or "
                "otherminds itself was changed since. It cannot be replayed without the model."
            )
        reply = self.server.reply(messages, schema)
        self.journal.add(key, text, reply)
        return reply


class StoredCalls:
    """The journal of a session in the database of its study."""

    def __init__(self, store: Store, session_id: str) -> None:
        self._database = store.database
        self._session = session_id

    def find(self, key: str) -> Reply | None:
        """The reply to a request of this session; raises OtherMindsError for a damaged one."""
        from sqlalchemy import select

        from otherminds.interview.tables import CALLS

        query = select(CALLS.c.answer, CALLS.c.digest, CALLS.c.ended)
        query = query.where(CALLS.c.session_id == self._session, CALLS.c.key == key)
        with self._database.reading() as connection:
            row = connection.execute(query).first()
        if row is None:
            return None
        try:
            answer = journals.answer_of(key, *row)
        except ValueError as error:
            raise OtherMindsError(
                f"The journal of '{self._session}' is damaged: {error}."
            ) from error
        return answer if isinstance(answer, Reply) else Reply(str(answer))

    def add(self, key: str, request: str, reply: Reply) -> None:
        """Write a reply, in a transaction of its own: it was paid for, whatever happens next."""
        from sqlalchemy import func, insert, select

        from otherminds.interview.tables import CALLS

        _, answer, digest, ended = journals.row(key, reply)
        with self._database.writing() as connection:
            last = select(func.max(CALLS.c.number)).where(CALLS.c.session_id == self._session)
            found = connection.execute(
                select(CALLS.c.key).where(CALLS.c.session_id == self._session, CALLS.c.key == key)
            ).first()
            if found is None:
                connection.execute(
                    insert(CALLS).values(
                        session_id=self._session,
                        key=key,
                        number=(connection.execute(last).scalar() or 0) + 1,
                        request=credentials.known(request),
                        answer=answer,
                        digest=digest,
                        ended=ended,
                    )
                )


class CallsInMemory:
    """A journal that is gone with the process."""

    def __init__(self) -> None:
        self.replies: dict[str, Reply] = {}
        self.requests: list[str] = []

    def find(self, key: str) -> Reply | None:
        """The reply to a request that was made before; None for a new one."""
        return self.replies.get(key)

    def add(self, key: str, request: str, reply: Reply) -> None:
        """Keep a reply."""
        self.replies[key] = reply
        self.requests.append(request)


def strict_schema(schema: type[BaseModel]) -> dict[str, Any]:
    """The JSON schema of a model as servers take it: all fields are required, and no other."""

    def strict(part: Any) -> Any:
        if isinstance(part, list):
            return [strict(one) for one in part]
        if not isinstance(part, dict):
            return part
        kept = {
            key: strict(value)
            for key, value in part.items()
            if not (key in ("title", "default", "description") and not isinstance(value, dict))
        }
        if kept.get("type") == "object" and "properties" in kept:
            kept["required"] = [*kept["properties"]]
            kept["additionalProperties"] = False
        return kept

    found: dict[str, Any] = strict(schema.model_json_schema())
    return found


def _parsed(reply: str, schema: type[Parsed]) -> tuple[Parsed | None, str | None]:
    """The object in a reply, or what is wrong with it."""
    text = reply.strip()
    if text.startswith("```"):
        text = text.strip("`").removeprefix("json").strip()
    try:
        return schema.model_validate_json(text), None
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        where = ".".join(str(part) for part in first["loc"])
        return None, f"{where}: {first['msg']}" if where else first["msg"]
    except (ValueError, RecursionError):
        return None, "it cannot be read"


def _reply(found: Any) -> Reply:
    """The reply in a server's response, whatever the server is."""
    by = getattr(found, "model", None)
    by = by if isinstance(by, str) else ""
    choices = getattr(found, "choices", None)
    if not choices:
        return Reply("", FAILED, said="the response has no choices", by=by)
    message = choices[0].message
    refusal = getattr(message, "refusal", None)
    if refusal:
        return Reply("", REFUSED, said=credentials.text(str(refusal)), by=by)
    reason = choices[0].finish_reason
    text = message.content if isinstance(message.content, str) else ""
    # What no text may hold would stop the database.
    clean = text.replace("\0", "").encode("utf-8", "replace").decode("utf-8")
    return Reply(clean, reason if isinstance(reason, str) else None, by=by)


def _said(error: Exception) -> str:
    status = getattr(error, "status_code", None)
    said = " ".join(str(error).split())[:300]
    return credentials.text(f"status {status}: {said}" if status else said)
