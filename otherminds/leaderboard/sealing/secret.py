"""The secret of a season: drawing and keeping it, and everything that is derived from it.

With K the secret's 32 bytes, S the season's id and D the dataset, ∥ joining texts by a zero byte:

    seed        SHA-256("otherminds season seed" ∥ K in hexadecimal ∥ D ∥ S), as a big-endian number
    id          HMAC-SHA256(K, "id" ∥ S ∥ column ∥ the builder's id), its first 16 hexadecimal digits
    commitment  HMAC-SHA256(K, "rows" ∥ S ∥ configuration ∥ content hash)
"""

from __future__ import annotations

import hashlib
import hmac
import os
import secrets
import stat
from pathlib import Path
from typing import Final

from otherminds import files
from otherminds.errors import OtherMindsError

NAME: Final = "secret"
"""The file in the operator's folder: the secret in hexadecimal, on one line."""

_BYTES = 32
_ID_DIGITS = 16
_OTHERS = stat.S_IRWXG | stat.S_IRWXO


def draw() -> bytes:
    """A new secret of 256 bits, from the system's own source of randomness."""
    return secrets.token_bytes(_BYTES)


def sha256(secret: bytes) -> str:
    """The hash that a season publishes when it opens."""
    return hashlib.sha256(secret).hexdigest()


def seed(secret: bytes, dataset: str, season: str) -> int:
    """The builder's seed, a number below 2^256."""
    text = _joined("otherminds season seed", secret.hex(), dataset, season)
    return int.from_bytes(hashlib.sha256(text).digest(), "big")


def opaque_id(secret: bytes, season: str, column: str, known: str) -> str:
    """The id that stands for the builder's; without the secret it reveals nothing of that one."""
    return _keyed(secret, "id", season, column, known)[:_ID_DIGITS]


def commitment(secret: bytes, season: str, config: str, content_hash: str) -> str:
    """The hash that fixes the rows of a configuration without helping anybody to guess them."""
    return _keyed(secret, "rows", season, config, content_hash)


def read(path: Path) -> bytes:
    """The secret in a file. Raises OtherMindsError for one that others may read, or that is none."""
    try:
        mode = path.stat().st_mode
        written = path.read_text(encoding="ascii").strip() if path.is_file() else ""
    except (OSError, UnicodeDecodeError) as error:
        raise OtherMindsError(f"Cannot read the secret {path}: {error}.") from error
    # Windows has no such bits.
    if os.name == "posix" and mode & _OTHERS:
        raise OtherMindsError(
            f"{path} may be read or changed by others ({stat.filemode(mode)}): the season's golds are "
            "then not secret. If nobody can have seen it, `chmod 600` it and try again; else open "
            "another season."
        )
    try:
        secret = bytes.fromhex(written)
    except ValueError:
        secret = b""
    if len(secret) != _BYTES:
        raise OtherMindsError(
            f"{path} holds no secret: it must be {2 * _BYTES} hexadecimal digits."
        )
    return secret


def write(path: Path, secret: bytes) -> None:
    """Keep a secret where only its owner may read it, from the first byte on."""
    try:
        with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
            file.write(secret.hex() + "\n")
    except OSError as error:
        raise files.unwritable(path, error) from error


def _keyed(secret: bytes, *parts: str) -> str:
    return hmac.new(secret, _joined(*parts), hashlib.sha256).hexdigest()


def _joined(*parts: str) -> bytes:
    return "\x00".join(parts).encode()
