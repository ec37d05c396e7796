"""Reading the vocabulary: the YAML files in `content/`."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from pydantic import TypeAdapter

from otherminds.dataset_builders.content_files import ContentError, read
from otherminds.dataset_builders.hugagent.features import TOPICS
from otherminds.dataset_builders.hugagent.schema import Content, Demographics, ItemWording, Topic
from otherminds.dataset_builders.hugagent.wording import ValueTalk, Voices

FOLDER = Path(__file__).resolve().parent / "content"


@cache
def load(folder: Path = FOLDER) -> Content:
    """Read and check all content files in `folder`.

    Raises ContentError, which names the file and the key, for a missing or malformed file, and
    for wording that a reader could not tell apart (see `content_checks`).
    """
    from otherminds.dataset_builders.hugagent import content_checks

    content = Content(
        topics={topic: read(folder / f"{topic}.yaml", TypeAdapter(Topic)) for topic in TOPICS},
        voices=read(folder / "voices.yaml", TypeAdapter(Voices)),
        values=read(folder / "values.yaml", TypeAdapter(ValueTalk)),
        demographics=read(folder / "demographics.yaml", TypeAdapter(Demographics)),
        items=read(folder / "items.yaml", TypeAdapter(ItemWording)),
    )
    problems = content_checks.problems(content)
    if problems:
        raise ContentError(
            f"{len(problems)} problems in the content files of {folder}; the first: {problems[0]}"
        )
    return content
