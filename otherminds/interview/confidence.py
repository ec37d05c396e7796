"""How far the answers make one believe in a link (§E, Eq. 1), and what its sign and strength are."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence

from otherminds.interview.config import Parameters
from otherminds.interview.extraction import EXPLICITNESS, FoundLink, Sign
from otherminds.interview.session import Edge, Evidence


def link_confidence(
    parameters: Parameters, *, causal: float, linguistic: float, motif: float
) -> float:
    """P = σ(w₁·s_causal + w₂·s_linguistic + w₃·s_motif + intercept), σ the logistic function."""
    first, second, third = parameters.edge_weights
    total = first * causal + second * linguistic + third * motif + parameters.edge_intercept
    if total >= 0:
        return 1 / (1 + math.exp(-total))
    return math.exp(total) / (1 + math.exp(total))


def evidence_of(
    parameters: Parameters, link: FoundLink, *, qa_id: str, motif: float = 0.0
) -> Evidence:
    """The evidence that one causal statement is."""
    return Evidence(
        qa_id=qa_id,
        confidence=link_confidence(
            parameters,
            causal=EXPLICITNESS[link.wording],
            linguistic=link.confidence,
            motif=motif,
        ),
        polarity=link.polarity,
        strength=link.strength,
        quote_span=link.quote,
    )


def edge_of(parameters: Parameters, source: str, target: str, evidence: Sequence[Evidence]) -> Edge:
    """The edge that the evidence adds up to.

    aggregate_confidence = (1 − Π(1 − c)) over the evidence for the link, times Π(1 − c) over that which
    denies it (polarity 0): a denial must not make a link likelier. Where all of it denies the link,
    1 − Π(1 − c): the confidence that there is no effect.
    """
    told = [one for one in evidence if one.polarity is not None]
    weights = sum(one.confidence for one in told)
    modifier = 0.0
    if weights > 0:
        unknown = parameters.strength_unknown
        modifier = (
            sum(
                one.confidence
                * (one.polarity or 0)
                * (unknown if one.strength is None else one.strength)
                for one in told
            )
            / weights
        )
    # The mean of equal numbers is that number, whatever the rounding.
    modifier = max(-1.0, min(1.0, round(modifier, 12)))
    measured = [one for one in told if one.strength is not None and one.polarity != 0]
    denied = bool(told) and all(one.polarity == 0 for one in evidence)
    return Edge(
        id=f"{source}-{target}",
        source=source,
        target=target,
        aggregate_confidence=_aggregate(evidence, denied=denied),
        modifier=modifier,
        polarity=_sign(modifier) if told else None,
        strength=abs(modifier) if measured else 0.0 if denied else None,
        evidence=tuple(evidence),
    )


def entropy(probability: float) -> float:
    """The entropy of a yes or no, in bits: 1 at 0.5, 0 at 0 and 1."""
    if probability <= 0 or probability >= 1:
        return 0.0
    other = 1 - probability
    return -(probability * math.log2(probability) + other * math.log2(other))


def information_gain(before: Mapping[str, Edge], after: Mapping[str, Edge]) -> float:
    """The drop of entropy of all edges together, in bits; an edge that was not there had 1 bit."""
    return math.fsum(
        (entropy(before[key].aggregate_confidence) if key in before else 1.0)
        - entropy(edge.aggregate_confidence)
        for key, edge in after.items()
    )


def motifs(edges: Iterable[tuple[str, str, int]]) -> frozenset[str]:
    """The signed directed triads of a graph (§E): chain a→b→c, fork b←a→c, collider a→c←b.

    edges  (source, target, sign); those without a sign make no motif

    A motif is named by its kind and signs, such as `chain+-`; of forks and colliders, the signs are
    sorted.
    """
    signed = sorted({one for one in edges if one[2] != 0})
    found = set()
    for number, first in enumerate(signed):
        found |= set(_triads(first, signed[number + 1 :]))
    return frozenset(found)


def motif_shares(graphs: Sequence[Iterable[tuple[str, str, int]]]) -> dict[str, float]:
    """The share of graphs that hold each motif."""
    held = [motifs(graph) for graph in graphs]
    names = sorted({name for one in held for name in one})
    return {name: sum(name in one for one in held) / len(held) for name in names}


def motif_score(
    shares: Mapping[str, float], edges: Mapping[str, Edge], link: tuple[str, str, int]
) -> float:
    """s_motif: the share of the commonest motif that the link would complete; 0 for none."""
    if not shares or link[2] == 0:
        return 0.0
    there = [(one.source, one.target, one.polarity) for one in edges.values() if one.polarity]
    completed = _triads(link, [one for one in there if one[:2] != link[:2]])
    return max((shares.get(name, 0.0) for name in completed), default=0.0)


def _triads(first: tuple[str, str, int], others: Iterable[tuple[str, str, int]]) -> Iterable[str]:
    source, target, sign = first
    for other_source, other_target, other_sign in others:
        pair = "".join(sorted((_mark(sign), _mark(other_sign))))
        if source == other_source and target != other_target:
            yield f"fork{pair}"
        elif target == other_target and source != other_source:
            yield f"collider{pair}"
        elif target == other_source and source != other_target:
            yield f"chain{_mark(sign)}{_mark(other_sign)}"
        elif other_target == source and other_source != target:
            yield f"chain{_mark(other_sign)}{_mark(sign)}"


def _mark(sign: int) -> str:
    return "+" if sign > 0 else "-"


def _aggregate(evidence: Sequence[Evidence], *, denied: bool) -> float:
    def none_of(chosen: Iterable[Evidence]) -> float:
        return math.prod(1 - one.confidence for one in chosen)

    if denied:
        return 1 - none_of(evidence)
    for_it = [one for one in evidence if one.polarity != 0]
    against = [one for one in evidence if one.polarity == 0]
    return (1 - none_of(for_it)) * none_of(against)


def _sign(number: float) -> Sign:
    if number > 0:
        return 1
    return -1 if number < 0 else 0
