"""What the network lacks, and which questions would find it (§A5)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple

from otherminds.interview import wording
from otherminds.interview.labels import normal_form
from otherminds.interview.session import (
    STANCE,
    Edge,
    Form,
    Node,
    Priority,
    Question,
    Session,
    Target,
)

_GROUPS: Final = dict.fromkeys(wording.LINK_FAMILIES, "link")


def group(family: str) -> str:
    """What the families of questions about a known link have in common: they ask for the same."""
    return _GROUPS.get(family, family)


class Need(NamedTuple):
    """A question that could be asked, before it is worded; its families take turns."""

    priority: Priority
    families: tuple[str, ...]
    target: Target = Target()

    @property
    def key(self) -> tuple[str, str | None, str | None]:
        """No two pending questions have the same."""
        return (group(self.families[0]), *self.target.key)

    @property
    def form(self) -> Form:
        """`polarity` for questions about one link, `context` for all others."""
        return "context" if self.target.source is None else "polarity"

    @property
    def wordings(self) -> int:
        """How many wordings there are."""
        return sum(len(wording.families()[family]) for family in self.families)

    def turn(self, number: int) -> tuple[str, int]:
        """The family, and the number of its wording, whose turn it is."""
        rounds, place = divmod(number, len(self.families))
        return self.families[place], rounds

    def question(self, number: int, *, text: str, family: str, qa_id: str | None) -> Question:
        """The pending question."""
        return Question(
            id=f"p{number}",
            text=text,
            kind="closing" if self.priority == 4 else "follow_up",
            form=self.form,
            priority=self.priority,
            template=family,
            target=self.target,
            created_at_qa=qa_id,
        )


def found(session: Session) -> list[Need]:
    """What is worth asking now, by the stage."""
    lacks = _Lacks(session)
    needs = list(lacks.in_stage_2() if session.stage == 2 else lacks.in_stage_1())
    is_guided = any(one.kind in ("tutorial", "guiding") for one in session.pending)
    if needs or is_guided:
        return needs
    if session.stage == 1:
        return [Need(2, ("general",))] if _is_worth_more(session) else []
    parameters = session.config.parameters
    is_near_end = parameters.max_qas - session.asked <= parameters.backup_when_remaining
    is_asked_for = is_near_end or parameters.backup_when_empty
    return [Need(4, ("general",))] if is_asked_for else []


def _is_worth_more(session: Session) -> bool:
    """Whether stage 1, which has no questions of priority 4, goes on looking for concepts."""
    steps = session.state.steps
    is_fruitful = bool(steps) and steps[-1].links > 0
    return is_fruitful or session.answered < session.config.parameters.min_qas


def target_of(edge: Edge) -> Target:
    """The target of a question about an edge."""
    return Target(source=edge.source, node=edge.target, edge=edge.id)


def lacks_parameters(edge: Edge, *, weak_edge: float) -> bool:
    """Whether sign or strength of an edge are not known, or it is believed too little."""
    is_denied = edge.polarity == 0 and edge.strength is not None
    if is_denied:
        return False
    is_weak = edge.aggregate_confidence < weak_edge
    return edge.polarity is None or edge.strength is None or is_weak


class _Lacks:
    """What was asked so far, and what the graph has not got.

    The policy may be a concept ("night buses bring noise"), but what influences it, and what it does to
    the stance on it, are no questions.
    """

    def __init__(self, session: Session) -> None:
        self._session = session
        self._parameters = session.config.parameters
        self._nodes = session.state.nodes
        self._edges = session.state.edges
        self._asked = {(group(qa.template), *qa.target.key) for qa in session.qas}
        self._times = Counter(qa.target.source or qa.target.node for qa in session.qas)
        self._blocked = {qa.target.source or qa.target.node for qa in session.qas if qa.blocked}
        policy = normal_form(session.config.topic.policy)
        self._policy = {
            key
            for key, node in self._nodes.items()
            if key != STANCE and policy in map(normal_form, (node.label, *node.aliases))
        }
        links = {step.qa_id: step.links for step in session.state.steps}
        self._exhausted = {
            qa.target.node
            for qa in session.qas
            if qa.priority == 2 and qa.target.source is None and links.get(qa.id) == 0
        }

    def in_stage_1(self) -> Iterator[Need]:
        """Priority 2 alone: more about every concept, then what influences it, then the stance."""
        factors = [node for node in self._factors() if self._is_discoverable(node)]
        for node in factors:
            target = Target(node=node.id)
            is_first = ("more", *target.key) not in self._asked
            yield Need(2, ("more",) if is_first else ("upstream",), target)
        if not factors and self._is_discoverable(self._nodes[STANCE]):
            yield Need(2, ("stance",), Target(node=STANCE))

    def in_stage_2(self) -> Iterator[Need]:
        """Priorities 1 to 3."""
        anchors = [node for node in self._factors() if node.status == "anchor"]
        yield from self._connections(anchors)
        yield from self._upstream(anchors)
        yield from self._strengthening()
        if self._parameters.pattern_questions:
            yield from self._patterns(anchors)

    def _factors(self) -> list[Node]:
        return [node for key, node in self._nodes.items() if key != STANCE]

    def _may(self, key: str) -> bool:
        """Whether one may (still) ask about a concept."""
        most = self._parameters.max_questions_per_node
        return key not in self._blocked and self._times[key] < most

    def _is_discoverable(self, node: Node) -> bool:
        is_open = self._may(node.id) and node.id not in self._exhausted
        return is_open and node.id not in self._policy

    def _connections(self, anchors: Iterable[Node]) -> Iterator[Need]:
        """Isolated anchors: without a link out, and so without a path to the stance."""
        leaving = {edge.source for edge in self._edges.values()}
        for node in anchors:
            target = Target(source=node.id, node=STANCE)
            is_asked = ("connection", *target.key) in self._asked
            is_open = self._may_link(node.id, STANCE)
            if node.id not in leaving and not is_asked and is_open:
                yield Need(1, ("connection",), target)

    def _upstream(self, anchors: Iterable[Node]) -> Iterator[Need]:
        """The anchors with the fewest links into them, of those about which more can be found.

        Once there is none, the beliefs that are no anchors, and at last the stance.
        """
        open_ones = [node for node in anchors if self._is_discoverable(node)]
        if not open_ones and self._parameters.discover_further:
            beliefs = [node for node in self._factors() if node.status == "belief"]
            open_ones = [node for node in beliefs if self._is_discoverable(node)]
            if not open_ones and self._is_discoverable(self._nodes[STANCE]):
                yield Need(2, ("stance",), Target(node=STANCE))
        incoming = Counter(edge.target for edge in self._edges.values() if edge.polarity != 0)
        fewest = min((incoming[node.id] for node in open_ones), default=0)
        for node in open_ones:
            if incoming[node.id] == fewest:
                yield Need(2, ("upstream",), Target(node=node.id))

    def _strengthening(self) -> Iterator[Need]:
        """Links whose sign or strength is not known, or that are believed too little."""
        for edge in self._edges.values():
            need = Need(3, wording.LINK_FAMILIES, target_of(edge))
            lacks = lacks_parameters(edge, weak_edge=self._parameters.weak_edge)
            if lacks and need.key not in self._asked and self._may_link(edge.source, edge.target):
                yield need

    def _patterns(self, anchors: Iterable[Node]) -> Iterator[Need]:
        """Triangles a → b → stance of which a → stance alone is missing."""
        effects = [edge for edge in self._edges.values() if edge.polarity != 0]
        before_stance = {edge.source for edge in effects if edge.target == STANCE}
        for node in anchors:
            target = Target(source=node.id, node=STANCE)
            leads = any(one.source == node.id and one.target in before_stance for one in effects)
            is_known = f"{node.id}-{STANCE}" in self._edges
            is_asked = {("pattern", *target.key), ("connection", *target.key)} & self._asked
            if leads and not is_known and not is_asked and self._may_link(node.id, STANCE):
                yield Need(3, ("pattern",), target)

    def _may_link(self, source: str, target: str) -> bool:
        # What the policy does to the support for it is no question.
        is_sensible = not (source in self._policy and target == STANCE)
        return self._may(source) and target not in self._blocked and is_sensible
