"""Sheets: requests that a model, a service or a person with an editor answers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any


@dataclass(frozen=True)
class Sheet:
    """One request: a line of `sheets/<stage>.jsonl`.

    sheet_id    its name, which the reply repeats. The sheets of readers and raters do not name the unit
    stage       the stage
    schema      the JSON schema of a reply
    system      who is asked to do what
    prompt      the task, with the reasons of a refusal where it is asked again
    frame_hash  of the frame that it was made from; of a reader's sheet, of the prompt
    """

    sheet_id: str
    stage: str
    schema: Mapping[str, Any]
    system: str
    prompt: str
    frame_hash: str

    def as_json(self) -> dict[str, Any]:
        """The sheet as a line."""
        return asdict(self)

    def as_text(self) -> str:
        """The sheet as a text for somebody with an editor."""
        return (
            f"# {self.sheet_id}\n\n{self.system}\n\n{self.prompt}\n\n"
            f"Save the reply as {self.sheet_id}.json.\n"
        )
