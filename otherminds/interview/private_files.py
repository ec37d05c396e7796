"""Files that nobody but their owner may read: keys and tokens."""

from __future__ import annotations

import os
from pathlib import Path

from otherminds import files


def write_private(path: Path, content: bytes) -> None:
    """Write a file that nobody else may read, unless it is there."""
    partial = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        with os.fdopen(
            os.open(partial, os.O_CREAT | os.O_WRONLY | os.O_TRUNC, 0o600), "wb"
        ) as file:
            file.write(content + b"\n")
        # Of two processes, one wins, and both use its key.
        os.link(partial, path)
    except FileExistsError:
        pass
    except OSError as error:
        raise files.unwritable(path, error) from error
    finally:
        partial.unlink(missing_ok=True)
