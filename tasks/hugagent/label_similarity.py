"""How alike the labels of a model's graph are to those of the gold graph.

A gold node has several names: the interviews call one thing "what people pay in rent" and "the going
rent". A label is as similar to a node as to the nearest of its names. Where every label of a reply
is such a name, nothing is embedded.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import numpy as np

from otherminds.dataset_builders.sentence_model import Embed, sentence_bert
from otherminds.dataset_builders.sources import SourceError
from otherminds.metrics.graphs.labels import normal_form
from otherminds.metrics.graphs.matching import Cosines
from otherminds.types import FloatArray

_MOST_KEPT = 100_000
_VECTORS: dict[str, FloatArray] = {}


@cache
def embedder() -> Embed | None:
    """The packaged model; None where its packages are not installed."""
    try:
        return sentence_bert(purpose="The comparison of labels")
    except SourceError:
        return None


def similarities(
    names: Sequence[Sequence[str]],
    labels: Sequence[str],
    others: Sequence[str] = (),
    embed: Embed | None = None,
) -> FloatArray | None:
    """Similarity of each gold node, by all its names, to each label; shape (nodes, labels).

    s = 1 where a name has the label's normal form. A label that is a name in this sense, of a node or of
    one of the `others`, is no other thing: s = 0 elsewhere. Of all other labels, s is the largest cosine
    with a name.

    Returns None where a label is no name, and there is no model that could tell how near it is.
    """
    found = np.zeros((len(names), len(labels)))
    forms = [normal_form(label) for label in labels]
    for row, own in enumerate(names):
        known = {normal_form(name) for name in own}
        found[row] = [float(form in known) for form in forms]
    known = {normal_form(other) for other in others}
    undecided = [
        place for place, form in enumerate(forms) if form not in known and not found[:, place].any()
    ]
    if not names or not undecided:
        return found
    embed = embed or embedder()
    if embed is None:
        return None
    asked = [labels[place] for place in undecided]
    texts = list(dict.fromkeys([*asked, *(name for own in names for name in own)]))
    cosine = Cosines(texts, _vectors(texts, embed))
    for row, own in enumerate(names):
        found[row, undecided] = np.clip(cosine(own, asked).max(axis=0), -1.0, 1.0)
    return found


def _vectors(texts: Sequence[str], embed: Embed) -> FloatArray:
    if len(_VECTORS) > _MOST_KEPT:
        _VECTORS.clear()
    # Names of nodes come again with every document.
    missing = [text for text in texts if text not in _VECTORS]
    if missing:
        made = np.asarray(embed(missing), dtype=np.float64)
        _VECTORS.update(zip(missing, made, strict=True))
    return np.stack([_VECTORS[text] for text in texts])
