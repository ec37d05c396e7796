"""Who reads the answers of a session: the rules, or the model that its configuration names."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import fields
from typing import Any, Final

from otherminds.errors import OtherMindsError
from otherminds.interview.calls import (
    Caller,
    CallJournal,
    ModelSettings,
    OpenAIServer,
    Server,
    StoredCalls,
)
from otherminds.interview.config import Parameters
from otherminds.interview.conversation import Reader
from otherminds.interview.extraction import Extraction
from otherminds.interview.extractors import request_of
from otherminds.interview.reader import read_answer
from otherminds.interview.reading import ModelReader
from otherminds.interview.session import QA, Session
from otherminds.interview.store import Store

_SETTINGS: Final = frozenset(one.name for one in fields(ModelSettings)) - {"model", "temperature"}


class RuleReader:
    """Reads templated answers by rules; it needs no model and no time."""

    slow = False

    def read(self, session: Session, qa: QA) -> Extraction:
        """What the answer of `qa` says."""
        return read_answer(request_of(session, qa.id))


class SessionReader:
    """The reader of one session, with its journal.

    counts  requests to the model, and those without a result; see `Caller`
    """

    def __init__(
        self,
        parameters: Parameters,
        store: Store,
        session_id: str,
        *,
        server: Server | None = None,
        offline: bool = False,
    ) -> None:
        settings = model_settings(parameters)
        self.caller = (
            None
            if settings is None
            else caller_of(settings, StoredCalls(store, session_id), server=server, offline=offline)
        )
        self._reader: Reader = RuleReader() if self.caller is None else ModelReader(self.caller)
        self.slow = self._reader.slow

    @property
    def counts(self) -> Counter[str]:
        """Requests to the model by name, and those without a result by reason."""
        return Counter() if self.caller is None else self.caller.counts

    def read(self, session: Session, qa: QA) -> Extraction:
        """What the answer of `qa` says."""
        return self._reader.read(session, qa)


def caller_of(
    settings: ModelSettings,
    journal: CallJournal,
    *,
    server: Server | None = None,
    offline: bool = False,
) -> Caller:
    """What asks a model; offline, it answers from the journal alone."""
    if offline:
        return Caller(settings, journal)
    return Caller(settings, journal, server or OpenAIServer(settings))


def model_settings(parameters: Parameters) -> ModelSettings | None:
    """The model that a configuration names; None for the rules.

    Raises OtherMindsError for an unknown key of `model_args`, and for a value of another type.
    """
    if parameters.model is None:
        return None
    given: dict[str, Any] = dict(parameters.model_args)
    if unknown := sorted(set(given) - _SETTINGS):
        raise OtherMindsError(
            f"model_args has the unknown keys {', '.join(unknown)}; there are "
            f"{', '.join(sorted(_SETTINGS))}. The key of the server comes from OPENAI_API_KEY."
        )
    kinds: Mapping[str, tuple[type, ...]] = {
        "base_url": (str, type(None)),
        "max_tokens": (int,),
        "timeout": (int, float),
        "retries": (int,),
        "seed": (int, type(None)),
    }
    for name, value in given.items():
        if not isinstance(value, kinds[name]) or isinstance(value, bool):
            raise OtherMindsError(f"model_args: {name} cannot be {value!r}.")
    return ModelSettings(parameters.model, temperature=parameters.temperature, **given)


def description(parameters: Parameters) -> dict[str, str]:
    """Name and decoding of the reader, for the record of a session."""
    settings = model_settings(parameters)
    if settings is None:
        return {"name": "rules"}
    return {
        "name": settings.model,
        "temperature": str(settings.temperature),
        "max_tokens": str(settings.max_tokens),
    }
