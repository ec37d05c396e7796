"""A session of the interview: one person, one topic, and all that has been asked, said and read.

The data only; `loop` has the steps. A session is never changed: every step returns another one. What
was said and read lies in `qas`. `state` follows from it by `network.fold`, and is kept so that nobody
has to compute it again; the paper's causal belief network (§C, §D) is `state.nodes` and `state.edges`.
"""

from __future__ import annotations

import re
from datetime import datetime
from typing import Annotated, Final, Literal, TypeAlias

from pydantic import Field

from otherminds.interview.config import Config
from otherminds.interview.errors import InterviewError
from otherminds.interview.extraction import Extraction, Layer, Role, Sign, Unit
from otherminds.strict import Strict

SCHEMA_VERSION: Final = 1
STANCE: Final = "stance"
"""The id of the stance node."""

_PSEUDONYM: Final = re.compile(r"[^\W_][\w.@-]{0,79}")

Status: TypeAlias = Literal["candidate", "belief", "anchor", "stance"]
Kind: TypeAlias = Literal["tutorial", "guiding", "follow_up", "closing"]
Form: TypeAlias = Literal["context", "polarity"]
Priority: TypeAlias = Literal[1, 2, 3, 4]
Signed: TypeAlias = Annotated[float, Field(ge=-1, le=1, allow_inf_nan=False)]
Progress: TypeAlias = Literal[
    "created", "consented", "tutorial", "running", "review", "submitted", "withdrawn", "abandoned"
]
StopReason: TypeAlias = Literal[
    "no_new_anchor", "no_new_path", "no_gain", "max_qas", "nothing_to_ask", "person"
]


def check_pseudonym(name: str) -> None:
    """Raise InterviewError for a pseudonym that no table or file could hold as it is."""
    if not _PSEUDONYM.fullmatch(name):
        raise InterviewError(
            f"{name!r} is no pseudonym: take up to 80 letters, digits, dots, dashes and underscores, "
            "the first a letter or a digit."
        )


class Node(Strict):
    """A concept of the person's, or the stance.

    id          follows from the label, so that it stays when an earlier answer is edited
    aliases     other labels that were merged into it
    frequency   number of answers that mention it
    importance  the highest that an answer gave it
    """

    id: str
    label: str
    aliases: tuple[str, ...] = ()
    status: Status = "candidate"
    confidence: Unit = 0.0
    importance: Unit = 0.0
    frequency: int = 0
    source_qa: tuple[str, ...] = ()
    semantic_role: Role | None = None
    layer: Layer | None = None
    created_at_qa: str | None = None
    promoted_at_qa: str | None = None
    order: int = 0


class Evidence(Strict):
    """One answer that states a link.

    confidence  P of Eq. 1
    polarity    None where the answer does not tell the direction
    strength    None where it does not tell how strong
    """

    qa_id: str
    confidence: Unit
    polarity: Sign | None = None
    strength: Unit | None = None
    quote_span: str = ""


class Edge(Strict):
    """The person's belief that more of `source` raises or lowers `target`.

    aggregate_confidence  1 − Π(1 − c) over the evidence
    modifier              mean of polarity · strength over the evidence, weighted by confidence
    polarity              the sign of `modifier`; None while nobody told the direction
    strength              None while nobody told it
    """

    id: str
    source: str
    target: str
    aggregate_confidence: Unit
    modifier: Signed
    polarity: Sign | None
    strength: Unit | None
    evidence: tuple[Evidence, ...]


class Target(Strict):
    """What a question is about: a node, or a link from a node to another.

    `source` and `edge` are given for questions about a link; `edge` only where the graph has it.
    """

    node: str | None = None
    source: str | None = None
    edge: str | None = None

    @property
    def key(self) -> tuple[str | None, str | None]:
        """Two questions with the same key are about the same."""
        return (self.source, self.node)


class Question(Strict):
    """An entry of the question list.

    target    of a link, `node` is the end that it acts on
    template  family of the wording
    text      one sentence, and the fixed closing where the form has one
    """

    id: str
    text: str
    short_text: str = ""
    category: Literal["tutorial", "research"] = "research"
    kind: Kind
    form: Form
    priority: Priority
    template: str
    target: Target = Target()
    status: Literal["pending", "asked", "skipped", "stale"] = "pending"
    created_at_qa: str | None = None


class Moment(Strict):
    """Where a session stood when an answer was edited, so that a replay edits it there.

    edits     edits of the session before this one
    asked     questions asked by then, the open one among them
    answered  questions answered by then
    over      whether the questions were over
    """

    edits: int
    asked: int
    answered: int
    over: bool


class Version(Strict):
    """An earlier version of an answer, and when another one took its place."""

    answer: str
    at: datetime | None = None
    replaced: Moment


class QA(Strict):
    """One question, and the answer word for word.

    answer      None while the question is open
    extraction  None while the answer is being read
    read_when   where the session stood when it was read, if that was after the next question was asked
    dropped     entries of the extraction that did not enter, by reason
    blocked     the person said that the question makes no sense
    """

    id: str
    number: int
    question: str
    kind: Kind
    form: Form
    priority: Priority | None = None
    template: str = ""
    target: Target = Target()
    answer: str | None = None
    extraction: Extraction | None = None
    read_when: Moment | None = None
    dropped: dict[str, int] = Field(default_factory=dict)
    edited: tuple[Version, ...] = ()
    input_mode: Literal["text", "voice"] = "text"
    latency_ms: int | None = None
    asked_at: datetime | None = None
    answered_at: datetime | None = None

    @property
    def blocked(self) -> bool:
        """Whether the person said that the question makes no sense."""
        return self.extraction is not None and self.extraction.quality.meta_question


class Rejected(Strict):
    """A link that would have closed a cycle: refused, and kept with its evidence."""

    source: str
    target: str
    evidence: tuple[Evidence, ...]


class QueueEntry(Strict):
    """A candidate under evaluation."""

    node: str
    first_qa: str
    mentions: int
    best_confidence: Unit
    expires_after: int | None = None


class Step(Strict):
    """What one answer added, for the stopping rules.

    links       new links
    anchors     new anchors
    path_edges  new links on directed paths into the stance
    gain        drop of the entropy of all edges together, in bits (see `confidence`)
    """

    qa_id: str
    links: int = 0
    anchors: int = 0
    path_edges: int = 0
    gain: float = 0.0


class Log(Strict):
    """Something that the reading of an answer did: promoted, anchored, merged, cycle, dropped …"""

    kind: str
    qa_id: str
    what: str = ""


class State(Strict):
    """All that follows from the answers and what was read out of them."""

    nodes: dict[str, Node] = Field(default_factory=dict)
    edges: dict[str, Edge] = Field(default_factory=dict)
    rejected: tuple[Rejected, ...] = ()
    queue: tuple[QueueEntry, ...] = ()
    steps: tuple[Step, ...] = ()
    counts: dict[str, int] = Field(default_factory=dict)
    log: tuple[Log, ...] = ()


class Event(Strict):
    """Something that happened, and when: shown, first_keystroke, sent, edited, paused …"""

    kind: str
    at: datetime | None = None
    qa_id: str | None = None
    what: str = ""


class Order(Strict):
    """Questions that a researcher put first, in this order, and where the session stood then."""

    questions: tuple[str, ...]
    at: datetime | None = None
    when: Moment


class Session(Strict):
    """One person, one topic.

    config   parameters and topic as they were at the start; a session keeps them to its end
    seed     turns the wordings of the questions; it decides nothing else
    stage    1 or 2; never back to 1
    stopped  why follow-ups ended; None while they go on
    model    name and decoding of the extractor, for the record
    wave     1, and more where the same person is interviewed again
    orders   what researchers put first; the last one counts
    motifs   share of earlier interviews on the topic that hold a motif, by motif (see `confidence`)
    """

    schema_version: Literal[1] = SCHEMA_VERSION
    session_id: str
    participant_id: str
    config: Config
    config_hash: str
    seed: int = 0
    wave: int = 1
    interviewer: Literal["adaptive", "fixed"] = "adaptive"
    model: dict[str, str] = Field(default_factory=dict)
    motifs: dict[str, Unit] = Field(default_factory=dict)
    status: Progress = "created"
    progress: Unit = 0.0
    stage: Literal[1, 2] = 1
    stopped: StopReason | None = None
    created_at: datetime | None = None
    updated_at: datetime | None = None
    submitted_at: datetime | None = None
    qas: tuple[QA, ...] = ()
    questions: tuple[Question, ...] = ()
    orders: tuple[Order, ...] = ()
    state: State = State()
    events: tuple[Event, ...] = ()

    @property
    def topic(self) -> str:
        """The name of the topic."""
        return self.config.topic.name

    @property
    def current(self) -> QA | None:
        """The question that was asked and is not answered yet."""
        return next((qa for qa in self.qas if qa.answer is None), None)

    @property
    def unread(self) -> tuple[QA, ...]:
        """The answers that are still being read ("processing n answers")."""
        return tuple(qa for qa in self.qas if qa.answer is not None and qa.extraction is None)

    @property
    def pending(self) -> tuple[Question, ...]:
        """The questions that may still be asked."""
        return tuple(one for one in self.questions if one.status == "pending")

    @property
    def asked(self) -> int:
        """Questions asked so far, the tutorial's apart."""
        return sum(qa.kind != "tutorial" for qa in self.qas)

    @property
    def answered(self) -> int:
        """Questions answered so far, the tutorial's apart."""
        return sum(qa.kind != "tutorial" and qa.answer is not None for qa in self.qas)

    def qa(self, qa_id: str) -> QA:
        """The QA of that id. Raises KeyError."""
        for one in self.qas:
            if one.id == qa_id:
                return one
        raise KeyError(qa_id)
