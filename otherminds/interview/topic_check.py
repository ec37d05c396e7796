"""Topics of one's own: a commented skeleton, and what to look at before people are asked."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from otherminds.interview import guards, network, wording
from otherminds.interview.config import Parameters, Topic
from otherminds.interview.errors import InterviewError
from otherminds.interview.session import STANCE, Form, Node, State, Target

_SKELETON: Final = Path(__file__).with_name("topic_skeleton.yaml")
_NAME: Final = re.compile(r"[a-z][a-z0-9_]{0,39}")
_GAP: Final = re.compile(r"‹[^›]*›")
_LEADING: Final = re.compile(
    r"\b(?:don't you|do you not|isn't it|wouldn't you|surely|obviously|of course|as everyone|"
    r"most people|many people|experts|studies|research shows|it is known|for example|such as)\b",
    re.IGNORECASE,
)
_PLACEHOLDER: Final = "street noise"


def skeleton(name: str) -> str:
    """A commented YAML to fill in. Raises InterviewError for what is no name of a topic."""
    if not _NAME.fullmatch(name):
        raise InterviewError(
            f"'{name}' is no name of a topic: use lower-case letters, digits and underscores, "
            "a letter first."
        )
    text = _SKELETON.read_text(encoding="utf-8")
    return text.replace("name: ‹name›", f"name: {name}").replace("‹policy›", name.replace("_", " "))


def findings(topic: Topic, parameters: Parameters | None = None) -> list[str]:
    """What about a topic should be looked at, in its own words; none where all is well.

    That it can be read at all is not said here: `config.read_topic` raises then.
    """
    limits = parameters or Parameters()
    return [
        *_gaps(topic),
        *_guiding(topic, limits),
        *_stance(topic, limits),
        *_survey(topic),
    ]


def _gaps(topic: Topic) -> Iterator[str]:
    found = sorted(set(_GAP.findall(topic.model_dump_json())))
    if found:
        yield f"not filled in: {', '.join(found)}"


def _guiding(topic: Topic, parameters: Parameters) -> Iterator[str]:
    seen: list[str] = []
    for number, one in enumerate(topic.guiding, start=1):
        where = f"guiding question {number}"
        if len(one.text.split()) > parameters.max_question_words:
            yield f"{where} has more than {parameters.max_question_words} words"
        if one.category == "research" and "?" not in one.text:
            yield f"{where} asks nothing: it has no question mark"
        if leading := _LEADING.search(one.text):
            yield f"{where} may lead the person: “{leading[0]}”"
        if any(wording.similarity(one.text, other) > parameters.similar_question for other in seen):
            yield f"{where} is much like an earlier one"
        seen.append(one.text)
    if len([one for one in topic.guiding if one.active]) >= parameters.max_qas:
        yield f"there are as many guiding questions as an interview may have, {parameters.max_qas}"


def _stance(topic: Topic, parameters: Parameters) -> Iterator[str]:
    """Whether every wording makes a question that may be shown."""
    state = network.initial(topic)
    concept = Node(id="n", label=_PLACEHOLDER)
    state = State(nodes={**state.nodes, "n": concept})
    polarity, context = Target(source="n", node=STANCE), Target(node=STANCE)
    faults = set()
    for family, texts in wording.families().items():
        is_link = any("{y}" in text for text in texts)
        target = polarity if is_link else context if family == "stance" else Target(node="n")
        if family == "general":
            target = Target()
        form: Form = "polarity" if is_link else "context"
        for number in range(len(texts)):
            text = wording.worded(
                topic, state, family=family, number=number, target=target, form=form
            )
            fault = guards.question_fault(parameters, state, text, target=target, form=form)
            if fault is not None:
                faults.add(fault)
    for fault in sorted(faults):
        yield f"stance_label or policy make questions that cannot be asked ({fault})"
    if topic.policy.casefold() not in topic.stance_label.casefold():
        yield "stance_label does not name the policy"


def _survey(topic: Topic) -> Iterator[str]:
    if not topic.survey:
        yield "there is no questionnaire: no items of the dynamic kind can be made"
        return
    kinds = [one.kind for one in topic.survey]
    if "stance" not in kinds:
        yield "the questionnaire does not ask for the stance"
    if "scenario" not in kinds:
        yield "the questionnaire has no scenario"
    used = {code for one in topic.survey for code in one.reasons}
    if idle := [one.code for one in topic.reasons if one.code not in used]:
        yield f"no question asks for the reasons {', '.join(idle)}"
    for one in topic.survey:
        if leading := _LEADING.search(one.text):
            yield f"question {one.id} may lead the person: “{leading[0]}”"
