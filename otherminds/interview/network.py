"""The causal belief network: what follows from the answers, and what was read out of them (§A3, A4).

`fold` takes the answers in the order of their questions, and stops before the first that is not read
yet. It depends on nothing else: an edited answer gives the graph that it would have given at first.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from otherminds.interview import confidence, life_cycle
from otherminds.interview.config import Config, Topic
from otherminds.interview.extraction import Extraction, FoundLink, FoundNode, sieve
from otherminds.interview.labels import bare, node_id, normal_form
from otherminds.interview.session import (
    QA,
    STANCE,
    Edge,
    Evidence,
    Log,
    Node,
    Rejected,
    Session,
    State,
    Step,
)


def initial(topic: Topic) -> State:
    """The graph at the start: the stance alone."""
    stance = Node(
        id=STANCE,
        label=topic.stance_label,
        aliases=topic.stance_aliases,
        status="stance",
        confidence=1.0,
        importance=1.0,
        layer="stance",
    )
    return State(nodes={STANCE: stance})


def sieved(config: Config, qa: QA, extraction: Extraction) -> QA:
    """The QA with what of an extraction may enter, and what was dropped."""
    found = sieve(
        extraction,
        qa.answer or "",
        stance_labels=(config.topic.stance_label, *config.topic.stance_aliases),
        max_label_words=config.parameters.max_label_words,
    )
    return qa.model_copy(update={"extraction": found.kept, "dropped": found.dropped})


def fold(session: Session, *, again: bool = False) -> State:
    """The state after all answers up to the first that is not read; `again` from the beginning."""
    state = initial(session.config.topic) if again else session.state
    done = len(state.steps)
    for qa in session.qas[done:]:
        if qa.answer is None or qa.extraction is None:
            break
        state = _Reading(session, state, qa, qa.extraction).after()
    return state


def after_each(session: Session) -> Iterable[tuple[str, State]]:
    """The id of every answer that is read, and the state after it."""
    state = initial(session.config.topic)
    for qa in session.qas:
        if qa.answer is None or qa.extraction is None:
            return
        state = _Reading(session, state, qa, qa.extraction).after()
        yield qa.id, state


def anchors_reach_stage_2(session: Session, state: State) -> bool:
    """Whether there are enough anchors for stage 2."""
    anchors = sum(node.status == "anchor" for node in state.nodes.values())
    return anchors >= session.config.parameters.anchors_for_stage2


def has_path(edges: Iterable[Edge], start: str, end: str) -> bool:
    """Whether a directed path leads from `start` to `end`; one does from a node to itself."""
    return start == end or bool(_path(edges, start, end))


class _Reading:
    """One answer's way into the graph."""

    def __init__(self, session: Session, state: State, qa: QA, extraction: Extraction) -> None:
        self._parameters = session.config.parameters
        self._motifs = session.motifs
        self._before = state
        self._qa = qa
        self._extraction = extraction
        self._nodes = dict(state.nodes)
        self._edges = dict(state.edges)
        self._rejected = list(state.rejected)
        self._counts = Counter(state.counts)
        self._log = list(state.log)
        self._mentioned: set[str] = set()
        self._known = {
            normal_form(label): key
            for key, node in state.nodes.items()
            for label in (node.label, *node.aliases)
        }

    def after(self) -> State:
        """The state once the answer is in."""
        self._count()
        if self._qa.kind != "tutorial":
            for node in self._extraction.nodes:
                self._enter_node(node)
            for link in self._extraction.links:
                self._enter_link(link)
            for key in sorted(self._mentioned):
                self._mention(key)
        changes = life_cycle.advanced(self._parameters, self._nodes, self._edges, qa_id=self._qa.id)
        self._nodes = changes.nodes
        self._log += [Log(kind=kind, qa_id=self._qa.id, what=key) for kind, key in changes.log]
        anchors = sum(kind == "anchor" for kind, _ in changes.log)
        return State(
            nodes=self._nodes,
            edges=self._edges,
            rejected=tuple(self._rejected),
            queue=life_cycle.queue(self._nodes),
            steps=(*self._before.steps, self._step(anchors)),
            counts={name: count for name, count in sorted(self._counts.items()) if count},
            log=tuple(self._log),
        )

    def _count(self) -> None:
        quality = self._extraction.quality
        flags = {
            "off_topic": not quality.on_topic,
            "meta_question": quality.meta_question,
            "refusal": quality.refusal,
            "too_short": quality.too_short,
            "failed": self._extraction.failed is not None,
        }
        self._counts.update({name: 1 for name, holds in flags.items() if holds})
        for why, count in self._qa.dropped.items():
            self._counts[f"dropped: {why}"] += count
            self._note("dropped", why)
        if quality.meta_question:
            self._note("blocked", self._qa.target.source or self._qa.target.node or "")

    def _note(self, kind: str, what: str) -> None:
        self._log.append(Log(kind=kind, qa_id=self._qa.id, what=what))

    def _drop(self, why: str) -> None:
        self._counts[f"dropped: {why}"] += 1
        self._note("dropped", why)

    def _resolve(self, label: str) -> str | None:
        """The node that a label, or an id, names."""
        if label in self._nodes:
            return label
        found = self._known.get(normal_form(label))
        return found or self._same(label)

    def _same(self, label: str) -> str | None:
        """The node of which a judgement says that it is the same concept, the surest first."""
        least = {
            "model": self._parameters.merge_confidence,
            "embedding": self._parameters.merge_cosine,
        }
        judged = sorted(
            (
                one
                for one in self._extraction.same
                if normal_form(one.label) == normal_form(label) and one.confidence >= least[one.by]
            ),
            key=lambda one: -one.confidence,
        )
        for one in judged:
            known = (
                one.known if one.known in self._nodes else self._known.get(normal_form(one.known))
            )
            if known is not None:
                return known
        return None

    def _enter_node(self, found: FoundNode) -> None:
        key = None
        if found.existing_id is not None:
            key = found.existing_id if found.existing_id in self._nodes else None
            if key is None:
                self._drop("unknown id")
        key = key or self._resolve(found.label) or self._create(found.label)
        node = self._nodes[key]
        form = normal_form(found.label)
        if form and form not in self._known:
            self._known[form] = key
            node = node.model_copy(update={"aliases": (*node.aliases, bare(found.label))})
            self._note("merged", key)
        self._mentioned.add(key)
        if key == STANCE:
            return
        self._nodes[key] = node.model_copy(
            update={
                "confidence": max(node.confidence, found.confidence),
                "importance": max(node.importance, found.importance),
                "semantic_role": node.semantic_role or found.semantic_role,
                "layer": node.layer or found.layer,
            }
        )

    def _create(self, label: str) -> str:
        key = node_id(label)
        self._nodes[key] = Node(
            id=key, label=bare(label), created_at_qa=self._qa.id, order=len(self._nodes)
        )
        self._known[normal_form(label)] = key
        self._note("node", key)
        return key

    def _enter_link(self, link: FoundLink) -> None:
        source, target = self._resolve(link.source), self._resolve(link.target)
        if source is None or target is None:
            self._drop("unknown end")
            return
        if source == target:
            self._drop("self-link")
            return
        self._mentioned |= {source, target}
        signed = (source, target, link.polarity or 0)
        evidence = confidence.evidence_of(
            self._parameters,
            link,
            qa_id=self._qa.id,
            motif=confidence.motif_score(self._motifs, self._edges, signed),
        )
        known = self._edges.get(f"{source}-{target}")
        if known is None and self._closes_cycle(source, target, is_denial=link.polarity == 0):
            self._reject(source, target, (evidence,))
            return
        earlier = () if known is None else known.evidence
        if any(one.qa_id == self._qa.id and one.polarity == link.polarity for one in earlier):
            self._drop("said twice")
            return
        edge = confidence.edge_of(self._parameters, source, target, (*earlier, evidence))
        self._edges[edge.id] = edge
        if known is None:
            self._note("edge", edge.id)

    def _closes_cycle(self, source: str, target: str, *, is_denial: bool) -> bool:
        """Whether the link closes a cycle, once denials that stand in its way have yielded to it."""
        while way := _path(self._edges.values(), target, source):
            yielding = next((edge for edge in way if _is_denied(edge)), None)
            if is_denial or yielding is None:
                return True
            del self._edges[yielding.id]
            self._reject(yielding.source, yielding.target, yielding.evidence)
        return False

    def _reject(self, source: str, target: str, evidence: tuple[Evidence, ...]) -> None:
        self._note("cycle", f"{source}-{target}")
        for number, one in enumerate(self._rejected):
            if (one.source, one.target) == (source, target):
                merged = one.model_copy(update={"evidence": (*one.evidence, *evidence)})
                self._rejected[number] = merged
                return
        self._rejected.append(Rejected(source=source, target=target, evidence=evidence))

    def _mention(self, key: str) -> None:
        node = self._nodes[key]
        self._nodes[key] = node.model_copy(
            update={
                "frequency": node.frequency + 1,
                "source_qa": (*node.source_qa, self._qa.id),
            }
        )

    def _step(self, anchors: int) -> Step:
        new = [
            edge
            for key, edge in self._edges.items()
            if not _is_denied(edge)
            and (key not in self._before.edges or _is_denied(self._before.edges[key]))
        ]
        effects = [edge for edge in self._edges.values() if not _is_denied(edge)]
        return Step(
            qa_id=self._qa.id,
            links=len(new),
            anchors=anchors,
            path_edges=sum(has_path(effects, edge.target, STANCE) for edge in new),
            gain=confidence.information_gain(self._before.edges, self._edges),
        )


def _is_denied(edge: Edge) -> bool:
    """Whether all that was said about the link is that there is none."""
    return all(one.polarity == 0 for one in edge.evidence)


def _path(edges: Iterable[Edge], start: str, end: str) -> list[Edge]:
    """The edges of a directed path between two nodes; none where there is no path."""
    leaving: dict[str, list[Edge]] = {}
    for edge in edges:
        leaving.setdefault(edge.source, []).append(edge)
    came: dict[str, Edge] = {}
    ahead = [start]
    while ahead:
        here = ahead.pop()
        for edge in leaving.get(here, ()):
            if edge.target in came or edge.target == start:
                continue
            came[edge.target] = edge
            if edge.target == end:
                way = [edge]
                while way[-1].source != start:
                    way.append(came[way[-1].source])
                return way
            ahead.append(edge.target)
    return []
