"""Audits of what a prompt may show: contexts that are whole, and that give no answer away."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import numpy as np
import pyarrow as pa

from otherminds.dataset_builders.hugagent import content as vocabulary
from otherminds.dataset_builders.hugagent import dynamics
from otherminds.dataset_builders.hugagent.decoder import Decoder
from otherminds.dataset_builders.hugagent.evidence import stance_band
from otherminds.dataset_builders.hugagent.features import PROMPT_FIELDS
from otherminds.dataset_builders.hugagent.lexicon import sentences
from otherminds.dataset_builders.hugagent.population import CONTEXT_LENGTH
from otherminds.dataset_builders.hugagent.quotas import TASKS, SyntheticSpec
from otherminds.dataset_builders.verdict import Audit, none, verdict

_COMMONEST_SENTENCE = 0.15
_RATING = re.compile(r"\b\d+ ?(/|out of) ?(5|10|five|ten)\b", re.IGNORECASE)
_DIGIT = re.compile(r"\d")
_GOLD_FIELDS = {"answer", "evidence"}
_FIXED_FIELDS = ("options", "scale", "scale_labels", "reason_text")
"""Fields that must not vary between items that differ in the answer only."""

_none = partial(none, mark="")


@dataclass
class _Faults:
    """What is wrong, by audit; and what is counted on the way."""

    mixed: list[str] = field(default_factory=list)
    shown: list[str] = field(default_factory=list)
    length: list[str] = field(default_factory=list)
    later: list[str] = field(default_factory=list)
    repeated: list[str] = field(default_factory=list)
    lengths: list[int] = field(default_factory=list)
    masked: int = 0
    sentences: Counter[str] = field(default_factory=Counter)


def leak_audits(tables: Mapping[str, pa.Table], spec: SyntheticSpec) -> list[Audit]:
    """Audits of contexts and of the visible fields of items."""
    contexts, mixed = _contexts(tables)
    faults = _Faults(mixed=mixed)
    content = vocabulary.load()
    decoders = {name: Decoder(content, topic) for name, topic in content.topics.items()}
    for batch in tables["agents"].to_batches(max_chunksize=64):
        for agent in batch.to_pylist():
            key = (agent["participant_id"], agent["topic"])
            _check_agent(agent, contexts.get(key, []), decoders[agent["topic"]], faults)
    return [*_verdicts(faults, len(contexts), spec), golds_hidden(tables)]


def _verdicts(faults: _Faults, contexts: int, spec: SyntheticSpec) -> Iterator[Audit]:
    wanted = sum(spec.items["bsi"].values())
    yield _none(
        "one_context", faults.mixed, "persons and topics whose items differ in their context"
    )
    hidden = not faults.shown and faults.masked == wanted
    yield verdict(
        "masked_absent",
        hidden,
        len(faults.shown),
        f"masked exchanges that a context shows {faults.shown[:3]}; {faults.masked} are masked, "
        f"one for each of {wanted} BSI items is wanted",
    )
    low, high = CONTEXT_LENGTH
    span = f"{min(faults.lengths, default=0)} to {max(faults.lengths, default=0)} exchanges"
    yield verdict(
        "context_length",
        not faults.length,
        len(faults.length),
        f"contexts outside {low} to {high} exchanges {faults.length[:3]}; found {span}, "
        f"{np.mean(faults.lengths or [0]):.1f} on average",
    )
    yield _none(
        "initial_state_only",
        faults.later,
        "contexts that state a stance, weight or rating other than the initial one",
    )
    yield _none("sentence_repeated", faults.repeated, "transcripts that repeat a sentence")
    common = faults.sentences.most_common(1)
    sentence, count = common[0] if common else ("", 0)
    share = count / max(contexts, 1)
    yield verdict(
        "sentence_commonest",
        share <= _COMMONEST_SENTENCE + 1.5 / max(contexts, 1) ** 0.5,
        round(share, 4),
        f"share of transcripts with the sentence '{sentence}', at most {_COMMONEST_SENTENCE} is "
        "wanted",
    )


def _contexts(
    tables: Mapping[str, pa.Table],
) -> tuple[dict[tuple[str, str], list[dict[str, str]]], list[str]]:
    """The context of each person and topic, and those for which items disagree."""
    first: dict[tuple[str, str], pa.Array] = {}
    mixed = set()
    for task in TASKS:
        table = tables[task]
        column = table.column("context").combine_chunks()
        people, topics = table["participant_id"].to_pylist(), table["topic"].to_pylist()
        for place, key in enumerate(zip(people, topics, strict=True)):
            shown = column.slice(place, 1)
            if not first.setdefault(key, shown).equals(shown):
                mixed.add(" ".join(key))
    return {key: shown[0].as_py() for key, shown in first.items()}, sorted(mixed)


def _check_agent(
    agent: Mapping[str, Any], context: list[dict[str, str]], decoder: Decoder, faults: _Faults
) -> None:
    name = f"{agent['participant_id']} {agent['topic']}"
    transcript = agent["transcript"]
    masked = [turn for turn in transcript if turn["masked"]]
    faults.masked += len(masked)
    answers = {turn["answer"] for turn in context}
    if any(turn["answer"] in answers for turn in masked):
        faults.shown.append(name)
    open_turns = [(t["question"], t["answer"]) for t in transcript if not t["masked"]]
    if context and [(turn["question"], turn["answer"]) for turn in context] != open_turns:
        faults.mixed.append(f"{name} (not its transcript)")
    length = len(context or open_turns)
    faults.lengths.append(length)
    if not CONTEXT_LENGTH[0] <= length <= CONTEXT_LENGTH[1]:
        faults.length.append(name)
    if _tells_later_state(agent, context, decoder):
        faults.later.append(name)
    said = Counter(part for turn in transcript for part in sentences(turn["answer"]))
    if said and max(said.values()) > 1:
        faults.repeated.append(f"{name}: {said.most_common(1)[0][0]}")
    faults.sentences.update(said.keys())


def _tells_later_state(
    agent: Mapping[str, Any], context: list[dict[str, str]], decoder: Decoder
) -> bool:
    """Whether any sentence states a stance or weight that is not the initial one.

    Every statement of a stance or a weight that the vocabulary can express is decoded and compared
    with the initial state; numbers given on a scale and changes of a scenario must not occur at all.
    """
    weights = np.array([entry["weight"] for entry in agent["weights"]])
    names = [entry["factor"] for entry in agent["weights"]]
    ratings = dict(zip(names, dynamics.reported_weights(weights), strict=True))
    band = stance_band(agent["initial_stance"])
    for turn in context:
        if _RATING.search(turn["answer"]) or decoder.moves(turn["answer"]):
            return True
        for sentence in sentences(turn["answer"]):
            read = decoder.meaning(sentence)
            if read is None:
                continue
            meaning, normalized, template = read
            if meaning.kind == "stance" and meaning.level != band:
                return True
            if meaning.kind == "importance":
                factor = next(e.factor for e in normalized.within(template) if e.factor)
                if ratings.get(factor) != meaning.level:
                    return True
    return False


def golds_hidden(tables: Mapping[str, pa.Table]) -> Audit:
    """No visible field but the context may depend on the answer.

    The fields that could carry a code are constant for one kind of question, a question holds no
    digit, and a BSI question names both directions once.
    """
    found: dict[tuple[Any, ...], set[str]] = defaultdict(set)
    faults = []
    for task in TASKS:
        table = tables[task]
        columns = ("item_id", "topic", "question_type", "reason_code", "question", *_FIXED_FIELDS)
        for item in table.select(list(columns)).to_pylist():
            key = (task, item["topic"], item["question_type"], item["reason_code"])
            found[key].add(repr([item[name] for name in _FIXED_FIELDS]))
            words = Counter(re.findall("POSITIVE|NEGATIVE", item["question"]))
            even = words["POSITIVE"] == words["NEGATIVE"] == (task == "bsi")
            if _DIGIT.search(item["question"]) or not even:
                faults.append(item["item_id"])
    faults += [" ".join(map(str, key)) for key, variants in found.items() if len(variants) > 1]
    faults += sorted(_GOLD_FIELDS & set(PROMPT_FIELDS))
    return _none("gold_hidden", faults, "items or fields that may show the answer")
