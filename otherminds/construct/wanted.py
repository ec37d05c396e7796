"""Sheets that are asked for once all units are written: of blind readers, and of who marks them."""

from __future__ import annotations

import json
import unicodedata
from abc import ABC, abstractmethod
from collections.abc import Iterable
from typing import Any

from pydantic import BaseModel

from otherminds.construct import judging, ledger
from otherminds.construct.ledger import Entry, Said
from otherminds.construct.refusals import Refusal
from otherminds.construct.replies import Who
from otherminds.construct.sheets import Sheet
from otherminds.dataset_builders.constructed import digest


class Wanted(ABC):
    """A sheet that waits for a reply of a reader, or of somebody who marks one."""

    sheet_id: str
    stage: str

    @property
    @abstractmethod
    def system(self) -> str:
        """Who is asked to do what."""

    @property
    @abstractmethod
    def task(self) -> str:
        """What is shown."""

    @property
    @abstractmethod
    def form(self) -> type[BaseModel]:
        """The model of a reply."""

    @property
    @abstractmethod
    def place(self) -> dict[str, Any]:
        """Where its reply stands: `unit_id`, `item`, `slot` and `number` of an entry."""

    @abstractmethod
    def barred(self, who: Who) -> tuple[str, str] | None:
        """Why somebody must not answer this; None where nothing is against it."""

    def faults(self, found: dict[str, Any]) -> Iterable[Refusal]:
        """What is wrong with a reply of the right form."""
        return ()

    @property
    def prompt(self) -> str:
        """All that is shown."""
        schema = json.dumps(judging.schema_of(self.form), ensure_ascii=False)
        return (
            f"{self.task}\n\nReply with one JSON object and nothing else, whatever stands above on the "
            f"form of an answer: no introduction, no code fence, no remark. Its JSON schema:\n{schema}"
        )

    @property
    def proof(self) -> str:
        """The hash of what is shown: the sheet must not name the unit by its frame."""
        return digest([self.system, self.prompt])

    @property
    def sheet(self) -> Sheet:
        """The sheet."""
        schema = judging.schema_of(self.form)
        return Sheet(self.sheet_id, self.stage, schema, self.system, self.prompt, self.proof)

    def read(self, text: str) -> dict[str, Any]:
        """The reply that a text is; raises FaultyError, with the reasons, for any other."""
        found = judging.content(text, self.form)
        if said := list(self.faults(found)):
            raise judging.FaultyError(said)
        return found

    def entry(self, base: Entry, text: str) -> Entry:
        """What becomes of a reply."""
        base = base.model_copy(update={"stage": self.stage, **self.place})
        try:
            found = self.read(text)
        except judging.FaultyError as error:
            said = tuple(map(Said.of, error.refusals))
            return base.model_copy(update={"refusals": said, "text": ledger.shortened(text)})
        return base.model_copy(update={"content": found})


def plain(name: str) -> str:
    """A name, however it is spaced, capitalised or typed: signs without a shape make no other name."""
    shown = "".join(
        sign for sign in unicodedata.normalize("NFKC", name) if unicodedata.category(sign) != "Cf"
    )
    return " ".join(shown.split()).casefold()


def is_among(name: str, names: Iterable[str]) -> bool:
    """Whether a name is one of these."""
    return plain(name) in set(map(plain, names))
