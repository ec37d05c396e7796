"""HugAgent as students see it: a question about a person, the interview, and what a line says of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Any, Final

from otherminds.dataset_builders.hugagent.content import load
from otherminds.dataset_builders.hugagent.decoder import Decoder
from otherminds.dataset_builders.hugagent.lexicon import ANY_MARK, Found, Lexicon, sentences
from otherminds.manifest import Manifest
from otherminds.metrics.hugagent.items import BSI, EITHER, OPINION, TOLERANCE
from otherminds.students.view import Clue, Clues, Item, Tables

_LETTERS: Final = "AB"
CONFIGS: Final = ("bsi", "bdu")
"""The configurations that have items."""


def items(tables: Tables) -> Iterator[Item]:
    """The items of both tasks, but those that either answer is right for, or no answer on the scale."""
    for config in CONFIGS:
        for row in tables[config].to_pylist():
            answers = _answers(row)
            if row["answer"] != EITHER and row["answer"] in answers:
                yield _item(row, answers)


def _item(row: Mapping[str, Any], answers: tuple[str, ...]) -> Item:
    bsi = row["task"] == BSI
    kind = row["task"] if bsi else f"{row['task']} {row['question_type']}"
    return Item(
        item_id=row["item_id"],
        group=row["participant_id"],
        part=row["task"],
        kind=f"{kind} {row['topic']}",
        question=row["question"] + (f" {row['reason_text']}" if row["reason_text"] else ""),
        asked=row["question_id"] or "",
        options=tuple(row["options"]) if bsi else answers,
        gold=answers.index(row["answer"]),
        near=0 if bsi else TOLERANCE[_ends(row)],
        demographics=" ".join(
            f"{one['attribute']}={one['value']}".replace(" ", "_") for one in row["demographics"]
        ),
        text=tuple(f"{turn['question']} {turn['answer']}" for turn in row["context"]),
        claims=tuple({row["item_id"]: answer} for answer in answers),
    )


def _answers(row: Mapping[str, Any]) -> tuple[str, ...]:
    if row["task"] == BSI:
        return tuple(_LETTERS)
    low, high = _ends(row)
    return tuple(str(number) for number in range(low, high + 1))


def _ends(row: Mapping[str, Any]) -> tuple[int, int]:
    low, high = row["scale"]
    return low, high


def written(tables: Tables) -> dict[str, set[str]]:
    """What each person answered in interviews; the interviewer's questions are for all."""
    found: dict[str, set[str]] = {}
    for config in CONFIGS:
        for row in tables[config].to_pylist():
            said = found.setdefault(row["participant_id"], set())
            said.update(turn["answer"] for turn in row["context"])
    return found


def clues(tables: Tables) -> Clues:
    """For each question, the sentences of the interview that mention what it is about."""
    found: dict[str, list[Clue]] = {}
    for config in CONFIGS:
        for row in tables[config].to_pylist():
            found.setdefault(row["participant_id"], []).extend(_of_item(row))
    return found


def _of_item(row: Mapping[str, Any]) -> Iterator[Clue]:
    return _of_bsi(row) if row["task"] == BSI else of_bdu(row)


def _of_bsi(row: Mapping[str, Any]) -> Iterator[Clue]:
    """The sentences that join both ends of the edge, and what people think of the two at large."""
    slot, gold, topic = row["item_id"], row["answer"], Topic.of(row["topic"])
    source, target = topic.decoder.edge(row["question"])
    reverse = topic.direction(row["question"])
    yield Clue("edge", slot, f"{source} {target}", gold, "background")
    for text, found in topic.told(row["context"]):
        ends = [one for one in found if one.factor == source]
        others = [one for one in found if one.factor and one.factor != source]
        if not ends:
            continue
        # One classifier for each direction that the source goes in, told as the question supposes it.
        way = ends[0].direction * reverse
        if target is not None and [one.factor for one in others] == [target]:
            turn = way * others[0].direction
            yield Clue("link", slot, f"{text} TURN{turn + 1}", gold)
        elif target is None and not others:
            policy = any(one.kind == "policy" for one in found)
            yield Clue(f"effect {way} {policy}", slot, text, gold)
    if target is None:
        for name, high in topic.decoder.read(row["context"]).values.items():
            yield Clue(f"values {source}", slot, f"{name}{high:d}", gold)


def of_bdu(row: Mapping[str, Any]) -> Iterator[Clue]:
    """The sentences on the policy, on the reason, and on what the scenario moves."""
    slot, gold, topic = row["item_id"], row["answer"], Topic.of(row["topic"])
    moves = topic.decoder.moves(row["question"])
    wanted = {name: f"MOVED{step}" for name, step in moves.items()}
    variable = f"{row['question_type']} {'after' if moves else 'before'}"
    if row["reason_code"] is not None:
        wanted[topic.names[row["reason_code"]]] = "REASON"
    moved = " ".join(sorted(f"{name}{step}" for name, step in moves.items()))
    asked = f"{row['reason_code']} {moved}"
    yield Clue(f"{variable}, asked", slot, asked, gold, "background")
    opinion = row["question_type"] == OPINION
    for text, found in topic.told(row["context"]):
        about = any(one.factor in wanted for one in found)
        if about or (opinion and any(one.kind == "policy" for one in found)):
            yield Clue(variable, slot, _masked(text, found, wanted), gold)


def _masked(text: str, found: tuple[Found, ...], wanted: Mapping[str, str]) -> str:
    """A sentence with words for its marks: what a phrase is to the question, and its direction."""
    left = iter(found)

    def word(_: Any) -> str:
        one = next(left)
        name = wanted.get(one.factor, "FACTOR") if one.factor else "POLICY"
        direction = {1: "UP", -1: "DOWN"}.get(one.direction, "")
        return f" {name}{direction} ".replace("-", "minus")

    return ANY_MARK.sub(word, text)


class Topic:
    """What the generator's vocabulary says of the texts on one topic."""

    def __init__(self, name: str) -> None:
        content = load()
        topic = content.topics[name]
        self.decoder = Decoder(content, topic)
        self.names = {factor.code: factor.name for factor in topic.factors}
        self._lexicon = Lexicon(topic)
        self.read = cache(self._read)

    @staticmethod
    @cache
    def of(name: str) -> Topic:
        """The topic of this name."""
        return Topic(name)

    def _read(self, sentence: str) -> tuple[str, tuple[Found, ...]]:
        found = self._lexicon.normalize(sentence)
        return found.text, found.found

    def told(self, context: Sequence[Mapping[str, str]]) -> Iterator[tuple[str, tuple[Found, ...]]]:
        """The sentences of all answers, as `cut` gives them."""
        for turn in context:
            yield from self.cut(turn)

    def masked(self, turn: Mapping[str, str], wanted: Mapping[str, str]) -> str:
        """An answer with words for its marks: what a phrase is to the question, and its direction."""
        return " ".join(_masked(text, found, wanted) for text, found in self.cut(turn))

    def cut(self, turn: Mapping[str, str]) -> Iterator[tuple[str, tuple[Found, ...]]]:
        """The sentences of an answer, with marks for names and clauses, and what these are."""
        for sentence in sentences(turn["answer"]):
            yield self.read(sentence)

    def direction(self, question: str) -> int:
        """Whether a question supposes that its source goes up (1) or down (-1)."""
        return next(one.direction for one in self.read(question)[1] if one.kind == "clause")


def reader(known: Manifest) -> Mapping[str, float]:
    """The accuracy of the rule-based reader, among the reference scores."""
    if "reader" not in known.references:
        return {}
    scores = known.references["reader"].scores["all"]
    return {config: scores[f"{config}_acc"] for config in CONFIGS}
