"""Reading the vocabulary: the YAML files in `content/`."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TypeVar

import yaml
from pydantic import BaseModel, ValidationError

from otherminds.dataset_builders.hugagent.features import TOPICS
from otherminds.dataset_builders.hugagent.schema import Content, Demographics, ItemWording, Topic
from otherminds.dataset_builders.hugagent.wording import ValueTalk, Voices

FOLDER = Path(__file__).resolve().parent / "content"


class ContentError(ValueError):
    """A content file cannot be read, or says something that the generator cannot use."""


_Loaded = TypeVar("_Loaded", bound=BaseModel)


@cache
def load(folder: Path = FOLDER) -> Content:
    """Read and check all content files in `folder`.

    Raises ContentError, which names the file and the key, for a missing or malformed file, and
    for wording that a reader could not tell apart (see `content_checks`).
    """
    from otherminds.dataset_builders.hugagent import content_checks

    content = Content(
        topics={topic: _read(folder / f"{topic}.yaml", Topic) for topic in TOPICS},
        voices=_read(folder / "voices.yaml", Voices),
        values=_read(folder / "values.yaml", ValueTalk),
        demographics=_read(folder / "demographics.yaml", Demographics),
        items=_read(folder / "items.yaml", ItemWording),
    )
    problems = content_checks.problems(content)
    if problems:
        raise ContentError(
            f"{len(problems)} problems in the content files of {folder}; the first: {problems[0]}"
        )
    return content


def _read(path: Path, kind: type[_Loaded]) -> _Loaded:
    try:
        raw = yaml.load(path.read_text(encoding="utf-8"), Loader=_LOADER)
        return kind.model_validate(raw)
    except OSError as error:
        raise ContentError(f"Cannot read the content file {path}: {error.strerror}.") from error
    except yaml.YAMLError as error:
        raise ContentError(f"The content file {path} is not valid YAML: {error}") from error
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"])
        raise ContentError(f"{path}: key '{where}': {first['msg']}.") from error


# The C parser reads the same YAML about ten times faster; it is absent from some builds of PyYAML.
_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
