"""Causal belief graphs: their schema, and how well one graph gives another back.

See docs/explanation/graphs.md.
"""

from __future__ import annotations

from otherminds.metrics.graphs.across_topics import (
    Correlation,
    correlation,
    similarity_across_topics,
)
from otherminds.metrics.graphs.agreement import (
    Agreement,
    EdgeScores,
    NodeScores,
    edge_scores,
    node_scores,
)
from otherminds.metrics.graphs.conversion import (
    from_agent,
    from_release,
    release_records,
    to_agent,
    to_release,
)
from otherminds.metrics.graphs.distance import (
    Tightness,
    edit_cost,
    exact_edit_cost,
    normalized_edit_distance,
    tightness,
)
from otherminds.metrics.graphs.labels import normal_form
from otherminds.metrics.graphs.matching import (
    THRESHOLD,
    THRESHOLDS,
    Cosines,
    Match,
    Matching,
    Similarity,
    match,
)
from otherminds.metrics.graphs.motifs import (
    MOTIFS,
    MotifCorpus,
    motif_agreement,
    motif_counts,
    motif_similarity,
)
from otherminds.metrics.graphs.reach import TotalEffects, reachability, total_effects
from otherminds.metrics.graphs.schema import (
    GRADES,
    QA,
    BeliefGraph,
    Edge,
    Evidence,
    Fault,
    GraphError,
    Link,
    Node,
    graph_of,
    read_graph,
)
from otherminds.metrics.graphs.scores import (
    HEADLINE,
    HIGHER_IS_BETTER,
    METRICS,
    RANGES,
    Pair,
    Scored,
    Summary,
    score_pairs,
    scores,
    sensitivity,
    summarize,
)
from otherminds.metrics.graphs.sets import (
    Comparison,
    Distances,
    Distribution,
    GraphSet,
    compare_sets,
)
from otherminds.metrics.graphs.structure import STATISTICS, structure
from otherminds.metrics.graphs.validation import check, loads, problems

__all__ = [
    "GRADES",
    "HEADLINE",
    "HIGHER_IS_BETTER",
    "METRICS",
    "MOTIFS",
    "QA",
    "RANGES",
    "STATISTICS",
    "THRESHOLD",
    "THRESHOLDS",
    "Agreement",
    "BeliefGraph",
    "Comparison",
    "Correlation",
    "Cosines",
    "Distances",
    "Distribution",
    "Edge",
    "EdgeScores",
    "Evidence",
    "Fault",
    "GraphError",
    "GraphSet",
    "Link",
    "Match",
    "Matching",
    "MotifCorpus",
    "Node",
    "NodeScores",
    "Pair",
    "Scored",
    "Similarity",
    "Summary",
    "Tightness",
    "TotalEffects",
    "check",
    "compare_sets",
    "correlation",
    "edge_scores",
    "edit_cost",
    "exact_edit_cost",
    "from_agent",
    "from_release",
    "graph_of",
    "loads",
    "match",
    "motif_agreement",
    "motif_counts",
    "motif_similarity",
    "node_scores",
    "normal_form",
    "normalized_edit_distance",
    "problems",
    "reachability",
    "read_graph",
    "release_records",
    "score_pairs",
    "scores",
    "sensitivity",
    "similarity_across_topics",
    "structure",
    "summarize",
    "tightness",
    "to_agent",
    "to_release",
    "total_effects",
]
