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
    content = path.read_bytes()
    match path.suffix:
        case ".zst":
            return zstd.decompress(content)
        case ".gz":
            return gzip.decompress(content)
    return content


def packed(content: bytes, ending: str) -> bytes:
    """Content packed as a name with this ending says; zstd with a checksum, as we write it."""
    if ending.endswith(".zst"):
        return zstd.compress(content, options={zstd.CompressionParameter.checksum_flag: 1})
    return gzip.compress(content, mtime=0) if ending.endswith(".gz") else content


def opened(path: Path) -> IO[str]:
    """The content of a file, as text to read line by line."""
    return io.StringIO(unpacked(path).decode("utf-8"), newline="\n")
