"""Sentence embeddings, computed once per text and kept on disk, and how close beliefs are by them."""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Callable, Iterable, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from otherminds.dataset_builders.sentence_model import (
    PACKAGED,
    Embed,
    Vectors,
    sentence_bert,
)
from otherminds.dataset_builders.sources import SourceError
from otherminds.types import Progress

__all__ = ["PACKAGED", "Embed", "Store", "Vectors", "sentence_bert"]

_TEXTS_AT_ONCE = 512


_KEYS_AT_ONCE = 500


_ROWS_AT_ONCE = 1_024


class Store:
    """Vectors on disk, by model and text. What was stored before a build was killed stays stored.

    Vectors have length 1, so that their products are cosines; the vector of a text that the model
    maps to zero stays zero, and is similar to nothing.
    """

    def __init__(self, path: Path, model: str) -> None:
        self._path, self._model = path, model
        path.parent.mkdir(parents=True, exist_ok=True)
        with closing(self._open()) as database, database:
            database.execute(
                "CREATE TABLE IF NOT EXISTS vectors (key BLOB PRIMARY KEY, vector BLOB) WITHOUT ROWID"
            )

    def add(self, texts: Iterable[str], embed: Callable[[], Embed], progress: Progress) -> int:
        """Embed those of `texts` that are not stored yet, and store them batch by batch.

        `embed` gives the embedder, and is called only where something is to embed. Returns how many
        texts were embedded. Raises SourceError for an embedder whose result is no vector per text.
        """
        wanted = sorted(set(texts), key=len)  # texts of like length waste the least padding
        with closing(self._open()) as database:
            missing = [text for text in wanted if not self._has(database, text)]
            run = embed() if missing else None
            for start in range(0, len(missing), _TEXTS_AT_ONCE):
                batch = missing[start : start + _TEXTS_AT_ONCE]
                assert run is not None
                vectors = _unit(run(batch), len(batch))
                with database:
                    database.executemany(
                        "INSERT OR REPLACE INTO vectors VALUES (?, ?)",
                        [
                            (self._key(text), vector.astype("<f4").tobytes())
                            for text, vector in zip(batch, vectors, strict=True)
                        ],
                    )
                progress(len(wanted) - len(missing) + start + len(batch), len(wanted))
        progress(1, 1)
        return len(missing)

    def vectors(self, texts: Sequence[str]) -> Vectors:
        """The vectors of `texts`, shape (number of texts, width). Raises KeyError for one not stored."""
        keys = [self._key(text) for text in texts]
        found: dict[bytes, bytes] = {}
        with closing(self._open()) as database:
            for start in range(0, len(keys), _KEYS_AT_ONCE):
                some = keys[start : start + _KEYS_AT_ONCE]
                marks = ",".join("?" * len(some))
                found.update(
                    database.execute(f"SELECT * FROM vectors WHERE key IN ({marks})", some)  # nosec B608
                )
        if missing := [text for text, key in zip(texts, keys, strict=True) if key not in found]:
            raise KeyError(f"No vector is stored for '{missing[0]}'.")
        return np.array([np.frombuffer(found[key], dtype="<f4") for key in keys], dtype=np.float32)

    def _has(self, database: sqlite3.Connection, text: str) -> bool:
        row: Any = database.execute(
            "SELECT 1 FROM vectors WHERE key = ?", (self._key(text),)
        ).fetchone()
        return row is not None

    def _key(self, text: str) -> bytes:
        return hashlib.sha256(f"{self._model}\x00{text}".encode()).digest()

    def _open(self) -> sqlite3.Connection:
        return sqlite3.connect(self._path, timeout=60)


def closest(known: Vectors, test: Vectors) -> NDArray[np.float32]:
    """For each known belief, its highest cosine with a test belief; shape (number of known beliefs,).

    Both are arrays of vectors of length 1, one per row. Memory is bounded: known beliefs are taken
    about a thousand at a time. Raises ValueError where there is no test belief.
    """
    if not len(test):
        raise ValueError("There is no test belief to compare with.")
    found = np.empty(len(known), dtype=np.float32)
    for start in range(0, len(known), _ROWS_AT_ONCE):
        block = known[start : start + _ROWS_AT_ONCE]
        found[start : start + len(block)] = (block @ test.T).max(axis=1)
    return found


def dissimilar(
    known: Sequence[str],
    test: Sequence[str],
    vectors: Callable[[Sequence[str]], Vectors],
    threshold: float,
) -> list[int]:
    """The places of the known propositions whose cosine with no test one is above `threshold`.

    `vectors` gives unit vectors of texts. One person's beliefs are compared at a time.
    """
    if not known:
        return []
    # A rounding error above the threshold is not similarity above it.
    slack = np.float32(1e-6)
    highest = closest(vectors(known), vectors(test))
    return [place for place, cosine in enumerate(highest) if cosine <= threshold + slack]


def _unit(vectors: Vectors, count: int) -> Vectors:
    found = np.asarray(vectors, dtype=np.float32)
    if found.ndim != 2 or len(found) != count or not np.isfinite(found).all():
        raise SourceError(
            f"The embedder gave an array of shape {found.shape} for {count} texts, or one that is "
            "not finite; one vector per text is needed."
        )
    lengths = np.linalg.norm(found, axis=1, keepdims=True)
    unit: Vectors = np.divide(found, lengths, out=np.zeros_like(found), where=lengths > 0)
    return unit
