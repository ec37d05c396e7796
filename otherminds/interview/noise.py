"""An extractor that errs: it misses some of what is there, and finds some of what is not."""

from __future__ import annotations

import random
import re
from typing import Final

from otherminds.interview.extraction import Extraction, FoundLink, FoundNode
from otherminds.interview.extractors import Extractor, Request

_WORD: Final = re.compile(r"[^\W\d_]{4,}")


def noisy(extractor: Extractor, *, missed: float, false: float, seed: int) -> Extractor:
    """The extractor with errors.

    missed  share of entries, nodes and links, that are left out
    false   false entries for each entry found: a node by a word of the answer that is no concept, or a
            link between two concepts that the answer does not state. Their quotes are in the answer.

    The errors follow from the seed, the question and the answer alone.
    """

    def read(request: Request) -> Extraction:
        found = extractor(request)
        rng = random.Random(f"{seed}/{request.question}/{request.answer}")
        links = [link for link in found.links if rng.random() >= missed]
        nodes = [node for node in found.nodes if rng.random() >= missed]
        for _ in found.nodes:
            if rng.random() < false:
                nodes += _false_node(rng, request)
        for _ in found.links:
            if rng.random() < false:
                links += _false_link(rng, request, found)
        return found.model_copy(update={"nodes": tuple(nodes), "links": tuple(links)})

    return read


def _false_node(rng: random.Random, request: Request) -> list[FoundNode]:
    words = sorted(set(_WORD.findall(request.answer)))
    if not words:
        return []
    word = rng.choice(words)
    return [FoundNode(label=word.lower(), confidence=0.9, importance=0.5, quote=word)]


def _false_link(rng: random.Random, request: Request, found: Extraction) -> list[FoundLink]:
    stated = {(link.source, link.target) for link in found.links}
    concepts = sorted({one.label for one in request.known} | {one.label for one in found.nodes})
    pairs = [
        (source, target)
        for source in concepts
        for target in [*concepts, request.stance_label]
        if source != target and (source, target) not in stated
    ]
    if not pairs:
        return []
    source, target = rng.choice(pairs)
    return [
        FoundLink(
            source=source,
            target=target,
            polarity=rng.choice((-1, 1)),
            wording="explicit",
            confidence=0.9,
            quote=request.answer,
        )
    ]
