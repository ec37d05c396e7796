"""Reading the hand-written YAML that a generator draws from."""

from __future__ import annotations

from pathlib import Path
from typing import TypeVar

import yaml
from pydantic import TypeAdapter, ValidationError

_Loaded = TypeVar("_Loaded")


class ContentError(ValueError):
    """A content file cannot be read, or says something that the generator cannot use."""


def read(path: Path, kind: TypeAdapter[_Loaded]) -> _Loaded:
    """The checked content of a file; raises ContentError with the file, and the key that is wrong."""
    try:
        return kind.validate_python(yaml.load(path.read_text(encoding="utf-8"), Loader=_LOADER))  # nosec B506
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
