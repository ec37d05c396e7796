"""What an extractor reads out of one answer: concepts, causal links, and how good the answer is.

Any extractor fills in these types: a model, by JSON schema, or the rule-based reader. `sieve` lets
nothing in that the person did not say: an entry without a literal quote of the answer is dropped, and
counted. No entry is ever mended.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Annotated, Final, Literal, TypeAlias

from pydantic import Field

from otherminds.interview.labels import label_fault
from otherminds.strict import Strict

Unit: TypeAlias = Annotated[float, Field(ge=0, le=1, allow_inf_nan=False)]
Sign: TypeAlias = Literal[-1, 0, 1]
Role: TypeAlias = Literal["external_state", "internal_affect", "behavioral_intention"]
Layer: TypeAlias = Literal["experience", "value", "stance"]
Wording: TypeAlias = Literal["none", "hedged", "explicit"]

EXPLICITNESS: Final[Mapping[Wording, float]] = {"none": 0.0, "hedged": 0.5, "explicit": 1.0}
"""s_causal of Eq. 1 of the paper (§E): how explicit the causal wording is."""


class FoundNode(Strict):
    """A concept that the answer names.

    label        a short noun phrase in the person's words
    existing_id  of the node of the session that this is, where the extractor was shown the nodes
    confidence   that the person holds it
    importance   how much it matters to them
    quote        the words of the answer that show it, letter by letter
    """

    label: str
    existing_id: str | None = None
    semantic_role: Role | None = None
    layer: Layer | None = None
    confidence: Unit
    importance: Unit = 0.5
    quote: str


class FoundLink(Strict):
    """A causal statement of the answer: more of `source` raises (1) or lowers (−1) `target`.

    source, target  labels of nodes, of this answer or known ones, or ids; the stance by its label or
                    its id "stance"
    polarity        0 says that there is no effect; None that the answer does not tell the direction
    strength        0–1; None where the answer does not tell
    wording         how explicit the causal wording is
    confidence      the extractor's structural confidence
    quote           the words of the answer that state it, letter by letter
    """

    source: str
    target: str
    polarity: Sign | None = None
    strength: Unit | None = None
    wording: Wording = "explicit"
    confidence: Unit
    quote: str


class Same(Strict):
    """A judgement that two labels name one concept: of a model, or of a sentence embedding (cosine)."""

    label: str
    known: str
    confidence: Annotated[float, Field(ge=-1, le=1, allow_inf_nan=False)]
    by: Literal["model", "embedding"] = "model"


class StanceHint(Strict):
    """Where the answer puts the person on the topic."""

    direction: Sign
    strength: Unit


class Quality(Strict):
    """How good the answer is.

    meta_question  it says that the question makes no sense, or challenges the interview
    """

    on_topic: bool = True
    meta_question: bool = False
    refusal: bool = False
    too_short: bool = False


class Extraction(Strict):
    """All that was read out of one answer.

    failed  why nothing could be read (a model that did not answer in the form asked for); the result
            is empty then, and counted
    """

    nodes: tuple[FoundNode, ...] = ()
    links: tuple[FoundLink, ...] = ()
    same: tuple[Same, ...] = ()
    stance_hint: StanceHint | None = None
    quality: Quality = Quality()
    failed: str | None = None


class Sieved(Strict):
    """What of an extraction may enter, and how many entries were dropped, by reason."""

    kept: Extraction
    dropped: dict[str, int] = Field(default_factory=dict)


def sieve(
    extraction: Extraction, answer: str, *, stance_labels: tuple[str, ...], max_label_words: int
) -> Sieved:
    """Drop every entry whose quote is not literally in `answer`, and every label that is no node's.

    Reasons: `quote` (empty, or not in the answer), `label: …` (see `labels.label_fault`; the stance is a
    mention of it, and no new node), and `refusal` for the links of an answer that refuses or does not
    understand.
    """
    dropped: Counter[str] = Counter()

    def quoted(quote: str) -> bool:
        if quote.strip() and quote in answer:
            return True
        dropped["quote"] += 1
        return False

    nodes = []
    for node in extraction.nodes:
        if not quoted(node.quote):
            continue
        why = label_fault(node.label, stance_labels=stance_labels, max_words=max_label_words)
        if why is not None and why != "stance":
            dropped[f"label: {why}"] += 1
            continue
        nodes.append(node)
    links = []
    refuses = extraction.quality.refusal or extraction.quality.meta_question
    for link in extraction.links:
        if refuses:
            dropped["refusal"] += 1
        elif quoted(link.quote):
            links.append(link)
    kept = extraction.model_copy(update={"nodes": tuple(nodes), "links": tuple(links)})
    return Sieved(kept=kept, dropped=dict(sorted(dropped.items())))
