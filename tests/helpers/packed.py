"""Sample files as another program would read and write them: not by our own reader."""

from __future__ import annotations

import gzip
import io
import sys
from pathlib import Path
from typing import IO

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd


def unpacked(path: Path) -> bytes:
    """The content of a file that is packed as its name says."""
    return unpack(path.read_bytes(), path.suffix)


def unpack(content: bytes, ending: str) -> bytes:
    """Content that is packed as a name with this ending says."""
    if ending.endswith(".zst"):
        return zstd.decompress(content)
    return gzip.decompress(content) if ending.endswith(".gz") else content


def packed(content: bytes, ending: str) -> bytes:
    """Content packed as a name with this ending says; zstd with a checksum, as we write it."""
    if ending.endswith(".zst"):
        return zstd.compress(content, options={zstd.CompressionParameter.checksum_flag: 1})
    return gzip.compress(content, mtime=0) if ending.endswith(".gz") else content


def opened(path: Path) -> IO[str]:
    """The content of a file, as text to read line by line."""
    return io.StringIO(unpacked(path).decode("utf-8"), newline="\n")
