"""Every reason against a distractor is true, as the evaluator finds by looking everywhere itself."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import pairwise, product
from typing import Any

import pytest

from otherminds.dataset_builders.socialmindchange.asking.question import Option, Question
from otherminds.dataset_builders.socialmindchange.evaluator import EvaluationError, Evaluator
from otherminds.dataset_builders.socialmindchange.scale import synthetic
from otherminds.dataset_builders.socialmindchange.scale.stage import Stage
from otherminds.dataset_builders.socialmindchange.world.variables import (
    Backed,
    Present,
    ReceptionOf,
    View,
)

GUIDE = 1
EARS, FACES = ("gentle", "plain"), ("aside", "open")
Json = dict[str, Any]
Words = Mapping[int, Json | None]


class Look:
    """A stage as the evaluator knows it."""

    def __init__(self, stage: Stage) -> None:
        self.frame: Json = json.loads(json.dumps(stage.frame.as_json()))
        self.evaluator = Evaluator(self.frame)
        self.people = range(len(self.frame["people"]))
        self.matters = range(len(self.frame["matters"]))
        self.scenes = range(1, len(self.frame["scenes"]) + 1)

    def values(self, variable: Json, words: Words) -> Iterator[str]:
        try:
            yield self.evaluator.value(variable, words)
        except EvaluationError:
            return

    def words(self, scene: int) -> Iterator[Json]:
        for matter, to, setting, tone in product(self.matters, self.people, FACES, EARS):
            deed = self.frame["matters"][matter]
            if to not in (GUIDE, deed["doer"]) and to in self._there(scene):
                yield {"matter": matter, "to": to, "setting": setting, "tone": tone}

    def _there(self, scene: int) -> set[int]:
        there = set(self.frame["scenes"][scene - 1]["present"])
        for one in self.frame["scenes"][scene - 1]["happenings"]:
            if one["kind"] in ("enter", "leave"):
                (there.add if one["kind"] == "enter" else there.discard)(one["who"])
        return there

    def alike(self, variable: Json, matter: int | None, scene: int) -> Iterator[Json]:
        """The same kind of variable, of all people."""
        inner = variable.get("what", variable)
        changed = {**inner, **({} if matter is None else {"matter": matter})}
        if "scene" in inner:
            changed["scene"] = scene
        for people in product(self.people, repeat=len(inner.get("chain", [0]))):
            if any(one == other for one, other in pairwise(people)):
                continue
            of = {"chain": list(people)} if "chain" in inner else {"person": people[0]}
            one = {**changed, **of}
            yield {**variable, "what": one} if "what" in variable else one


def true_elsewhere(look: Look, variable: Json, value: str, code: str, words: Words) -> bool:
    """Whether a value that is wrong in the question's world is the truth where the code says.

    What is another word is said in place of the last that the question exchanges; an earlier one stands.
    """
    first = max(words)
    word = words[first]
    inner = variable.get("what", variable)
    matter, scene = inner.get("matter"), inner.get("scene", 1)
    if inner["kind"] == "reception":
        return any(
            value in look.values({"kind": "reception", "person": one["to"], "scene": at}, {at: one})
            and (code == "other_scene") == (at != first)
            and (code != "other_word" or one["to"] == inner["person"])
            for at in look.scenes
            for one in look.words(at)
            if (at, one) != (first, word)
        )
    if code == "other_word":
        others = [None, *look.words(first)]
        return any(
            value in look.values(variable, {**words, first: one}) for one in others if one != word
        )
    others_matters = [one for one in look.matters if one != matter]
    every: list[int | None] = [None] if matter is None else [*look.matters]
    if code == "other_people":
        return any(value in look.values(one, words) for one in look.alike(variable, matter, scene))
    if code == "other_matter":
        return any(
            value in look.values(one, words)
            for other in others_matters
            for one in look.alike(variable, other, scene)
        )
    if code == "other_scene":
        return any(
            value in look.values(one, {})
            for at in look.scenes
            for other in every
            for one in look.alike(variable, other, at)
        )
    assert code == "other_situation"
    return any(
        value in look.values(one, {at: said})
        for at in look.scenes
        for said in look.words(at)
        for later in look.scenes
        if later >= at
        for other in every
        for one in look.alike(variable, other, later)
    )


def checked(look: Look, asked: Question, option: Option) -> Iterator[str]:
    """The reasons against an option that are not true, or that lack."""
    told: Json = json.loads(json.dumps(asked.asked_json()))
    claims: Any = json.loads(json.dumps(asked.claims_json(option)))
    words = {int(scene): word for scene, word in told.get("words", {}).items()}
    if asked.type == "guidance_action":
        yield from _of_word(look, told, words, claims["word"], option.against)
    elif asked.type == "transition_plan":
        course = {int(scene): word for scene, word in claims["words"].items()}
        misses = tuple(
            f"aim_missed_{number}"
            for number, one in enumerate(told["aim"], start=1)
            if [*look.values(one["of"], course)] != [one["is"]]
        )
        if misses != option.against:
            yield f"{misses} is not {option.against}"
    else:
        assert words[max(words)] is not None
        wrong = [one for one in claims if [*look.values(one["of"], words)] != [one["is"]]]
        if len(wrong) != len(option.against):
            yield f"{len(wrong)} wrong claims, {option.against}"
        for one, code in zip(wrong, option.against, strict=False):
            if not true_elsewhere(look, one["of"], one["is"], code, words):
                yield f"{code}: {one}"


def _of_word(
    look: Look, told: Json, words: Words, word: Json, against: tuple[str, ...]
) -> Iterator[str]:
    scene = told["scene"]
    said, silent = {**words, scene: word}, {**words, scene: None}
    found = []
    if any([*look.values(one["of"], said)] != [one["is"]] for one in told["aim"]):
        taken = {"kind": "reception", "person": word["to"], "scene": scene}
        found += [f"aim_missed_{how}" for how in look.values(taken, said)]
    if any([*look.values(one, said)] != [*look.values(one, silent)] for one in told["guard"]):
        found.append("rival_notices")
    if tuple(found) != against:
        yield f"{found} is not {against}"


@pytest.fixture(scope="module", params=[(0, 4, 5), (1, 5, 5), (0, 4, 7)], ids=str)
def stage(request: pytest.FixtureRequest) -> Stage:
    number, size, scenes = request.param
    return synthetic.stage(0, 0, number, size, scenes)


def test_every_reason_is_true(stage: Stage) -> None:
    look, codes = Look(stage), Counter[str]()
    for item in stage.items:
        for option in item.symbols:
            assert [*checked(look, item.asked, option)] == []
            codes.update(option.against)
    assert len(codes) > 6


def test_a_reason_that_is_not_true_is_seen(made: Stage) -> None:
    look, seen = Look(made), 0
    for item in made.items:
        for option in item.symbols:
            if option.against:
                other = Option(option.claims, option.word, option.course, ("rival_notices",) * 3)
                if item.asked.type != "transition_state" and item.asked.type != "transition_reason":
                    seen += bool([*checked(look, item.asked, other)])
                    continue
                turned = tuple(
                    "other_scene" if code == "other_word" else "other_word"
                    for code in option.against
                )
                other = Option(option.claims, option.word, option.course, turned)
                seen += bool([*checked(look, item.asked, other)])
    assert seen > 100


def transitions(stage: Stage) -> list[Question]:
    asked = [item.asked for item in stage.items]
    return [one for one in asked if one.type in ("transition_state", "transition_reason")]


def test_one_or_two_words_are_exchanged(stage: Stage) -> None:
    """Both about the matter that is asked about, and other than the story's; the last at `first`."""
    counts = Counter(len(one.words) for one in transitions(stage))
    assert set(counts) == {1, 2}
    for one in transitions(stage):
        assert max(one.words) == one.first < one.second
        for scene, word in one.words.items():
            assert word is not None
            assert word.matter == one.matter
            assert word != stage.roll.told[scene]


def test_two_words_are_both_told_in_the_question(stage: Stage) -> None:
    for item in stage.items:
        if item.asked in transitions(stage):
            for scene in item.asked.words:
                assert f"scene {scene + 1}" in item.question


def test_a_reason_that_forgets_the_earlier_word_is_seen(stage: Stage) -> None:
    """Options of two words are judged by the world of both: of one alone, some would be right or wrong
    otherwise."""
    look, differs = Look(stage), 0
    for one in transitions(stage):
        if len(one.words) < 2:
            continue
        words: Any = json.loads(json.dumps(one.asked_json()))["words"]
        both = {int(scene): word for scene, word in words.items()}
        last = {max(both): both[max(both)]}
        for option in one.options:
            claims: Any = json.loads(json.dumps(one.claims_json(option)))
            differs += any(
                [*look.values(claim["of"], both)] != [*look.values(claim["of"], last)]
                for claim in claims
            )
    assert differs > 0


def test_reasons_rest_on_what_bears_on_the_state(stage: Stage) -> None:
    """Of a feeling on what the one who feels takes it to be, of an intention on who backs it, of an
    action on whether doer or lead is there; always on how the word was taken and on others' minds."""
    for one in transitions(stage):
        if one.type != "transition_reason":
            continue
        frame, focus, matter = stage.frame, one.focus, one.matter
        assert matter is not None
        for option in one.options:
            taken, rest, others = (claim.of.what for claim in option.claims)
            assert taken == ReceptionOf(focus)
            assert isinstance(others, View)
            assert others.chain[0] == focus
            assert len(others.chain) > 1
            if one.state == "belief":
                assert isinstance(rest, View)
                assert (rest.chain[0], len(rest.chain), rest.matter) == (focus, 2, matter)
            elif one.state == "emotion":
                assert rest == View((focus,), matter)
            elif one.state == "intention":
                assert rest == Backed(focus, matter)
            else:
                around = {frame.matters[matter].doer, frame.lead} - {focus, GUIDE}
                assert rest in {Present(who) for who in around}
