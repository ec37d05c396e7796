"""The parameters of the interviewer and the topic: one YAML, whose hash every session carries."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Annotated, Any, Final, Literal, TypeAlias, TypeVar

import yaml
from pydantic import Field, ValidationError, model_validator

from otherminds.interview.errors import InterviewError
from otherminds.strict import Strict

Share: TypeAlias = Annotated[float, Field(ge=0, le=1, allow_inf_nan=False)]
Count: TypeAlias = Annotated[int, Field(ge=0)]
Positive: TypeAlias = Annotated[int, Field(ge=1)]
Finite: TypeAlias = Annotated[float, Field(allow_inf_nan=False)]

_Model = TypeVar("_Model", bound=Strict)

TOPICS: Final = Path(__file__).parent / "topics"


class Guiding(Strict):
    """A guiding question, or one of the tutorial, which reaches neither graphs nor items."""

    text: Annotated[str, Field(min_length=1, max_length=500, pattern=r"\S")]
    short: str = ""
    category: Literal["tutorial", "research"] = "research"
    active: bool = True


class Reason(Strict):
    """A reason of the questionnaire, by its code."""

    code: Annotated[str, Field(pattern="^[A-Z]$")]
    text: Annotated[str, Field(min_length=1)]


class SurveyQuestion(Strict):
    """A question of the questionnaire other than a reason.

    reasons  codes of the reasons that are asked again with it
    """

    id: Annotated[str, Field(pattern=r"^\d+\.\d+$")]
    text: Annotated[str, Field(min_length=1)]
    scale: tuple[int, int] = (1, 10)
    scale_labels: tuple[str, str]
    kind: Literal["stance", "experience", "scenario"]
    reasons: tuple[str, ...] = ()


class Topic(Strict):
    """One topic: what the interview is about, and the questionnaire that goes with it.

    name            in file names and rows
    policy          what the person takes a stance on, as it stands within a sentence
    stance_label    the label of the stance node, such as "support for night buses"
    stance_aliases  other noun phrases that name the stance
    guiding         guiding questions, in order
    """

    name: Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]{0,39}$")]
    policy: Annotated[str, Field(min_length=1, max_length=80)]
    stance_label: Annotated[str, Field(min_length=1, max_length=80)]
    stance_aliases: tuple[str, ...] = ()
    description: str = ""
    guiding: Annotated[tuple[Guiding, ...], Field(min_length=1)]
    reasons: tuple[Reason, ...] = ()
    survey: tuple[SurveyQuestion, ...] = ()

    @model_validator(mode="after")
    def _consistent(self) -> Topic:
        if not any(one.active and one.category == "research" for one in self.guiding):
            raise ValueError("guiding: at least one guiding question of research must be active")
        codes = [one.code for one in self.reasons]
        ids = [one.id for one in self.survey]
        for name, values in (("reasons", codes), ("survey", ids)):
            if twice := sorted({one for one in values if values.count(one) > 1}):
                raise ValueError(f"{name}: {', '.join(twice)} stands there twice")
        for one in self.survey:
            if unknown := sorted(set(one.reasons) - set(codes)):
                raise ValueError(f"survey {one.id}: no reason has the code {', '.join(unknown)}")
        return self


class Parameters(Strict):
    """The parameters of the interviewer.

    (P) is fixed by the paper that docs/how-to/interview.md cites; the others are ours, with our
    defaults.

    anchors_for_stage2     (P) anchors that begin stage 2
    backup_when_remaining  (P) remaining questions from which on general questions may be asked
    min_qas                (P) answers before which no stopping rule holds, but the person's
    min_nodes              (P) distinct nodes that quality control asks for
    max_qas                questions in all, the tutorial's apart
    promote_*              what makes a candidate a belief: mentions, confidence or degree
    anchor_score           score from which on a belief is an anchor
    anchor_weights         of importance, relative frequency and relative degree in that score
    merge_confidence       a model's judgement "same concept" from which on labels are merged
    merge_cosine           the same, of sentence embeddings
    edge_weights           w of Eq. 1: explicitness, structural confidence, motifs
    edge_intercept         of Eq. 1
    strength_unknown       strength that counts where nobody told it
    weak_edge              confidence below which an edge is asked about
    stop_no_new_anchor     answers without a new anchor that end the follow-ups
    stop_no_new_path       the same, without a new edge on a path into the stance
    stop_gain              mean information gain (bits per answer) below which they end
    gain_window            answers over which the gain is the mean
    similar_question       similarity to an asked question above which a text is dropped
    pattern_questions      ask about the third edge of triangles into the stance
    discover_further       ask what influences beliefs and the stance, once all anchors are exhausted
    backup_when_empty      ask general questions too when nothing else is left to ask
    context_qas            earlier answers that the extractor sees
    """

    anchors_for_stage2: Positive = 3
    backup_when_remaining: Count = 3
    min_qas: Count = 8
    max_qas: Positive = 30
    min_nodes: Count = 5
    promote_frequency: Positive = 2
    promote_confidence: Share = 0.8
    promote_degree: Positive = 2
    anchor_score: Share = 0.5
    anchor_weights: tuple[Share, Share, Share] = (0.5, 0.3, 0.2)
    max_anchors: Positive = 8
    merge_confidence: Share = 0.8
    merge_cosine: Share = 0.85
    max_questions_per_node: Positive = 4
    max_label_words: Positive = 6
    max_question_words: Positive = 45
    max_answer_chars: Positive = 5000
    similar_question: Share = 0.9
    edge_weights: tuple[Finite, Finite, Finite] = (2.0, 2.0, 1.0)
    edge_intercept: Finite = -2.5
    strength_unknown: Share = 0.5
    weak_edge: Share = 0.6
    stop_no_new_anchor: Positive = 4
    stop_no_new_path: Positive = 4
    stop_gain: Share = 0.05
    gain_window: Positive = 3
    pattern_questions: bool = True
    discover_further: bool = True
    backup_when_empty: bool = True
    context_qas: Count = 3
    language: str = "en"
    model: str | None = None
    model_args: dict[str, Any] = Field(default_factory=dict)
    temperature: Annotated[float, Field(ge=0, le=2)] = 0.0
    voice: Literal["off", "on"] = "off"

    @model_validator(mode="after")
    def _consistent(self) -> Parameters:
        if self.min_qas > self.max_qas:
            raise ValueError(f"min_qas: {self.min_qas} is above max_qas, {self.max_qas}")
        return self


class Config(Strict):
    """Parameters and topic of an interview."""

    parameters: Parameters = Parameters()
    topic: Topic

    @property
    def hash(self) -> str:
        """The SHA-256 of both: the same parameters and topic, the same hash, in whatever order."""
        data = json.dumps(self.model_dump(mode="json"), sort_keys=True, ensure_ascii=False)
        return hashlib.sha256(data.encode()).hexdigest()


def read_config(path: Path) -> Config:
    """The config of a YAML: parameters beside `topic`, a name, a path or a mapping.

    Raises InterviewError, which names the file and every fault.
    """
    return config_of(read_yaml(path), path)


def config_of(data: dict[str, Any], path: Path) -> Config:
    """The config in what a YAML holds; what belongs to a study's pages (`study`) is left out."""
    data = {key: value for key, value in data.items() if key != "study"}
    topic = data.pop("topic", None)
    if topic is None:
        raise InterviewError(f"{path} names no topic. Add `topic: NAME`; {_shipped()}.")
    if isinstance(topic, str):
        try:
            found: Topic = topic_named(topic, beside=path.parent)
        except InterviewError as error:
            raise InterviewError(f"{path}, topic: {error}") from None
    else:
        found = validated(Topic, topic, f"{path}, topic")
    return Config(parameters=validated(Parameters, data, str(path)), topic=found)


def read_topic(path: Path) -> Topic:
    """The topic of a YAML. Raises InterviewError, which names the file and every fault."""
    return validated(Topic, read_yaml(path), str(path))


def is_topic(path: Path) -> bool:
    """Whether a YAML is that of a topic, and not of a config; what cannot be read is neither."""
    try:
        return "stance_label" in read_yaml(path)
    except InterviewError:
        return False


def topic_named(name: str, *, beside: Path | None = None) -> Topic:
    """A shipped topic by its name, or that of a YAML by its path (relative to `beside`)."""
    shipped = TOPICS / f"{name}.yaml"
    if name in topic_names():
        return read_topic(shipped)
    path = Path(name) if beside is None else beside / name
    if path.suffix in (".yaml", ".yml") and path.is_file():
        return read_topic(path)
    raise InterviewError(f"There is no topic '{name}', and no such YAML; {_shipped()}.")


def topic_names() -> tuple[str, ...]:
    """The names of the shipped topics."""
    return tuple(sorted(one.stem for one in TOPICS.glob("*.yaml")))


def _shipped() -> str:
    return f"the shipped topics are {', '.join(topic_names())}"


def read_yaml(path: Path) -> dict[str, Any]:
    """The keys and values of a YAML. Raises InterviewError, which names the file."""
    try:
        data = yaml.safe_load(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        raise InterviewError(f"{path} cannot be read: {error}.") from None
    except yaml.YAMLError as error:
        raise InterviewError(f"{path} is no YAML: {' '.join(str(error).split())}.") from None
    if not isinstance(data, dict):
        raise InterviewError(f"{path} must hold keys and values; it holds {type(data).__name__}.")
    return {str(key): value for key, value in data.items()}


def validated(kind: type[_Model], data: Any, where: str) -> _Model:
    """Checked data. Raises InterviewError, which says where, and names every fault."""
    try:
        return kind.model_validate(data)
    except ValidationError as error:
        faults = "; ".join(
            f"{'.'.join(map(str, one['loc'])) or 'all'}: {one['msg']}"
            for one in error.errors(include_url=False, include_input=False)
        )
        raise InterviewError(f"{where} has faults: {faults}.") from None
