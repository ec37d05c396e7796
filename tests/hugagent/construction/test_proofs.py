"""Every check refuses its own kind of damage, and says which sentence and why."""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from dataclasses import replace
from typing import Any, NamedTuple

import pytest

from otherminds.construct import Refusal, Unit, judging, pipelines
from otherminds.dataset_builders.hugagent.authored import facts, form, texts
from otherminds.dataset_builders.hugagent.authored.checks import STAGES
from otherminds.dataset_builders.hugagent.authored.given import POLICY, Given
from otherminds.dataset_builders.hugagent.world.claims import Claim
from tests.hugagent.construction.conftest import LIMITS, frames, written

Reply = dict[str, Any]

PLACES = [(number, topic) for number in range(6) for topic in STAGES[1:]]


def refused(
    stage: str, reply: Reply, unit: Unit, others: list[Unit] | None = None
) -> list[Refusal]:
    found = pipelines.named("hugagent").stage(stage)
    return judging.refusals(found, unit, reply, others or [])


@pytest.mark.parametrize("stage", STAGES)
@pytest.mark.parametrize("number", [0, 1])
def test_a_good_unit_passes(stage: str, number: int) -> None:
    unit, other = written(number), written(1 - number)
    assert refused(stage, deepcopy(dict(unit.texts[stage])), unit, [other]) == []


class Interview:
    """A good interview that is about to be damaged."""

    def __init__(self, number: int, topic: str) -> None:
        self.unit, self.topic = written(number), topic
        self.given = Given.of(self.unit, topic)
        self.reply: Reply = deepcopy(dict(self.unit.texts[topic]))

    def exchange(self, wanted: Callable[[Claim], bool]) -> tuple[Reply, Reply, Claim]:
        """The first exchange that carries such a claim, what carries it, and the claim."""
        for one in self.reply["exchanges"]:
            for said in one["carries"]:
                if wanted(claim := self.given.claims[said["claim"]]):
                    return one, said, claim
        raise LookupError(self.topic)

    def bare(self) -> Reply:
        """An exchange on a thing that carries no claim on the policy, and none that weighs."""
        for plan, one in zip(self.given.exchanges, self.reply["exchanges"], strict=True):
            claims = [self.given.claims[name] for name in plan.claims]
            free = not any(POLICY in self.given.of_claim(claim) for claim in claims)
            weighed = any(claim.kind in ("weight", "weighing") for claim in claims)
            if plan.kind == "factor" and free and not weighed:
                return one
        raise AssertionError

    def says(self, thing: str) -> str:
        [found] = [one["phrases"][0] for one in self.reply["names"] if one["thing"] == thing]
        return str(found)

    def put(self, one: Reply, said: Reply, quote: str) -> None:
        """Let a claim be told in other words."""
        one["answer"] = one["answer"].replace(said["quote"], quote)
        said["quote"] = quote

    @property
    def found(self) -> list[Refusal]:
        return refused(self.topic, self.reply, self.unit)


def any_place(wanted: Callable[[Claim], bool]) -> tuple[Interview, Reply, Reply, Claim]:
    """The first interview that has such a claim."""
    for place in PLACES:
        interview = Interview(*place)
        try:
            return (interview, *interview.exchange(wanted))
        except LookupError:
            continue
    raise AssertionError


def stated_effect(claim: Claim) -> bool:
    return claim.kind == "effect" and claim.told == "stated" and claim.sign != 0


def hinted_effect(claim: Claim) -> bool:
    return claim.kind == "effect" and claim.told == "hinted"


def checks_of(found: list[Refusal]) -> set[str]:
    return {one.check for one in found}


def _says_the_contrary(claim: Claim) -> bool:
    return stated_effect(claim) and claim.target != "stance" and claim.sign > 0


def test_a_text_that_moves_the_truth_is_refused() -> None:
    interview, _, said, claim = any_place(stated_effect)
    said["effect"] = {"up": "down", "down": "up"}[said["effect"]]
    [refusal] = interview.found
    assert refusal.check == "directions"
    assert f"“{said['quote']}” says the contrary of {claim.claim_id}" in refusal.message


def test_words_that_all_go_the_other_way_are_refused_whatever_their_author_says() -> None:
    interview, one, said, claim = any_place(_says_the_contrary)
    a, b = interview.says(claim.source), interview.says(claim.target)
    interview.put(one, said, f"More {a} and in time less {b}")
    [refusal] = interview.found
    assert refusal.check == "directions"
    assert "reads as if not" in refusal.message


def test_a_word_that_turns_others_is_left_to_readers() -> None:
    interview, one, said, claim = any_place(_says_the_contrary)
    a, b = interview.says(claim.source), interview.says(claim.target)
    interview.put(one, said, f"Without less {a} you never get more {b}")
    assert interview.found == []


def test_ways_are_told_of_effects_and_of_nothing_else() -> None:
    interview, _, said, _ = any_place(stated_effect)
    said["cause"] = ""
    assert checks_of(interview.found) == {"directions"}
    interview, _, said, _ = any_place(lambda claim: claim.kind == "weight")
    said["cause"] = "up"
    assert checks_of(interview.found) == {"directions"}


def test_a_stated_effect_says_which_way() -> None:
    interview, one, said, claim = any_place(_says_the_contrary)
    interview.put(
        one, said, f"{interview.says(claim.source)} means {interview.says(claim.target)} somehow"
    )
    [refusal] = interview.found
    assert refusal.check == "stated"
    assert "no word that says which way" in refusal.message


def test_a_belief_in_no_effect_says_so() -> None:
    interview, one, said, claim = any_place(lambda one: one.kind == "effect" and one.sign == 0)
    interview.put(
        one, said, f"{interview.says(claim.source)} sits beside {interview.says(claim.target)}"
    )
    assert checks_of(interview.found) == {"stated"}


@pytest.mark.parametrize("frame", ["because of", "raises", "leads to"])
def test_a_hint_that_is_said_outright_is_refused(frame: str) -> None:
    interview, one, said, claim = any_place(
        lambda one: hinted_effect(one) and one.target != "stance"
    )
    way = "more" if claim.sign > 0 else "less"
    a, b = interview.says(claim.source), interview.says(claim.target)
    interview.put(one, said, f"More {a} {frame} {way} {b}")
    [refusal] = interview.found
    assert refusal.check == "hinted"
    assert f"says it outright (“{frame.split(' of', maxsplit=1)[0]}”)" in refusal.message


def test_a_claim_that_lacks_stands_elsewhere_or_is_told_twice_is_refused() -> None:
    interview, one, said, claim = any_place(stated_effect)
    one["carries"].remove(said)
    [refusal] = interview.found
    assert (refusal.check, claim.claim_id in refusal.message) == ("carried", True)

    other = next(each for each in interview.reply["exchanges"] if each is not one)
    other["carries"].append(said)
    assert "carried" in checks_of(interview.found)
    assert any("is for exchange" in refusal.message for refusal in interview.found)

    other["carries"].remove(said)
    one["carries"] += [said, said]
    assert any("is carried twice" in refusal.message for refusal in interview.found)

    one["carries"][-1] = {**said, "claim": "c99"}
    assert any("no claim c99" in refusal.message for refusal in interview.found)


def test_a_quote_stands_in_its_answer() -> None:
    interview, one, said, _ = any_place(stated_effect)
    said["quote"] = f"{said['quote']} indeed"
    assert any("does not stand in the answer" in refusal.message for refusal in interview.found)
    said["quote"] = one["answer"].split()[0]
    assert any("too short a quote" in refusal.message for refusal in interview.found)


def test_a_claim_names_what_it_is_about() -> None:
    interview, one, said, claim = any_place(stated_effect)
    name = interview.says(claim.source)
    quote = said["quote"].replace(name, "that stuff")
    interview.put(one, said, quote)
    one["question"] = "And what qqq of that?"
    assert "named" in checks_of(interview.found)
    interview, one, said, claim = any_place(lambda one: one.kind == "others_effect")
    interview.put(one, said, said["quote"].replace(f"My {claim.holder}", "Somebody"))
    assert any("it is the" in refusal.message for refusal in interview.found)


def test_what_takes_up_a_claim_does_not_say_it_again() -> None:
    interview, one, said, claim = any_place(
        lambda one: one.kind == "revision" and one.target != "stance"
    )
    a, b = interview.says(claim.source), interview.says(claim.target)
    interview.put(one, said, f"I still think that more {a} means less {b}")
    assert "again" in checks_of(interview.found)


def test_names_are_phrases_of_one_thing_that_stand_there() -> None:
    interview = Interview(0, "zoning")
    first, second = interview.reply["names"][:2]
    first["phrases"] += ["it", "a phrase of nobody", second["phrases"][0]]
    said = " ".join(one.message for one in interview.found if one.check == "names")
    assert "“it” names nothing by itself" in said
    assert "“a phrase of nobody” (" in said
    assert "names both" in said
    interview = Interview(0, "zoning")
    interview.reply["names"][0]["thing"] = "weather"
    assert "names" in checks_of(interview.found)
    interview = Interview(0, "zoning")
    del interview.reply["names"][1:]
    assert any("has no phrase for" in one.message for one in interview.found)


class Level(NamedTuple):
    """A claim on one side of something, and words for the other."""

    wanted: Callable[[Claim], bool]
    quote: str


@pytest.mark.parametrize(
    "level",
    [
        Level(lambda one: one.kind == "weight" and one.told == "stated" and one.level >= 4,
              "{a} counts for nothing with me"),
        Level(lambda one: one.kind == "weight" and one.told == "stated" and one.level <= 2,
              "{a} counts more than anything with me"),
        Level(lambda one: one.kind == "accord" and one.sign > 0, "My {who} is wrong about {a}"),
        Level(lambda one: one.kind == "accord" and one.sign < 0, "My {who} is right about {a}"),
        Level(lambda one: one.kind == "revision" and one.sign > 0, "I have come round on {a}"),
        Level(lambda one: one.kind == "revision" and one.sign < 0, "I still hold that on {a}"),
        Level(lambda one: one.kind == "stance" and one.told == "stated" and one.level <= 2,
              "I am all for {p} and always was"),
        Level(lambda one: one.kind == "stance" and one.told == "stated" and one.level >= 4,
              "I am against {p} and always was"),
        Level(lambda one: one.kind == "firmness" and one.level == 0,
              "On {p} I could swing all the way"),
    ],
)  # fmt: skip
def test_the_other_side_is_refused(level: Level) -> None:
    interview, one, said, claim = any_place(level.wanted)
    names = {"who": claim.holder, "p": interview.says(POLICY)}
    if claim.source:
        names["a"] = interview.says(claim.source)
    interview.put(one, said, level.quote.format_map(names))
    found = [refusal for refusal in interview.found if refusal.check == "levels"]
    assert any("says the contrary" in refusal.message for refusal in found)


def test_two_things_that_nothing_joins_are_not_named_together() -> None:
    interview = Interview(0, "zoning")
    named = [one["phrases"][0] for one in interview.reply["names"] if one["thing"] != POLICY]
    first, second = named[-2:]
    exchange = interview.reply["exchanges"][0]
    answer = exchange["answer"]
    exchange["answer"] = f"{answer} Take {first}, and you have {second}."
    [refusal] = interview.found
    assert refusal.check == "unplanned"
    assert f"“Take {first}, and you have {second}.” names both" in refusal.message
    # What takes up the sentence before is one with it.
    exchange["answer"] = f"{answer} Take {first} first. So you get {second}."
    assert checks_of(interview.found) == {"unplanned"}
    # And two sentences that nothing joins are two.
    exchange["answer"] = f"{answer} Take {first} first. Birds like {second}."
    assert interview.found == []


def test_what_counts_does_not_say_which_way() -> None:
    interview = Interview(0, "zoning")
    plan = next(
        one
        for one in interview.given.exchanges
        if one.claims and all(interview.given.claims[name].kind == "weight" for name in one.claims)
    )
    one = interview.reply["exchanges"][plan.number - 1]
    name, policy, answer = interview.says(plan.about), interview.says(POLICY), one["answer"]
    one["answer"] = f"{answer} With {name} in mind, {policy} is a long story."
    assert interview.found == []
    one["answer"] = f"{answer} Plenty of {name} would make me keener on {policy}."
    assert checks_of(interview.found) == {"unplanned"}


def test_a_name_is_found_under_another_article() -> None:
    phrases = {"plan": ["the public plan"], "wait": ["the wait"]}
    assert texts.named("I love that public plan.", phrases) == ["plan"]
    assert texts.named("Two public plans.", phrases) == ["plan"]
    # A single word is too common without its article.
    assert texts.named("Wait, I forgot.", phrases) == []
    assert texts.named("I hate the wait.", phrases) == ["wait"]


def test_a_masked_question_is_not_asked() -> None:
    for place in PLACES:
        interview = Interview(*place)
        open_ = {one.about: one for one in interview.given.exchanges if one.form == "context"}
        known = {one["thing"] for one in interview.reply["names"]}
        for first, second in interview.given.asked:
            if first in open_ and second in known:
                exchange = interview.reply["exchanges"][open_[first].number - 1]
                names = interview.says(first), interview.says(second)
                exchange["question"] = "What qqq is {} to {}?".format(*names)
                found = [one for one in interview.found if one.check == "masked"]
                assert any("whose link an item asks for" in one.message for one in found)
                return
    raise AssertionError


def test_a_question_is_about_what_it_is_to_be_about() -> None:
    interview = Interview(0, "zoning")
    plan = next(one for one in interview.given.exchanges if one.kind == "factor" and not one.onto)
    exchange = interview.reply["exchanges"][plan.number - 1]
    other = next(
        one for one in interview.reply["names"] if one["thing"] not in (plan.about, POLICY)
    )
    exchange["question"] = f"What qqq about {other['phrases'][0]}?"
    said = " ".join(one.message for one in interview.found if one.check == "masked")
    assert "is not about it" in said
    assert f"names no phrase of [{plan.about}]" in said


@pytest.mark.parametrize(
    ("sentence", "check"),
    [
        ("I'm against {p} from top to bottom.", "opinions"),
        ("I'm all for it, as you see.", "opinions"),
        ("It does make me want it more.", "opinions"),
        ("I love {p}, since you ask.", "opinions"),
        ("To be plain, {a} matters most to me.", "opinions"),
        ("In that case I'd probably be in favor of the other side.", "later"),
        ("I'd then support the lot.", "later"),
        ("Call it 7 out of 10.", "later"),
        ("On a scale, I'd say high.", "later"),
    ],
)
def test_what_no_claim_says_is_not_said(sentence: str, check: str) -> None:
    interview = Interview(0, "zoning")
    one = interview.bare()
    plan = interview.given.exchanges[one["number"] - 1]
    names = {"p": interview.says(POLICY), "a": interview.says(plan.about)}
    one["answer"] += f" {sentence.format_map(names)}"
    assert check in checks_of(interview.found)


def test_words_of_items_are_not_used() -> None:
    interview = Interview(0, "zoning")
    item = next(one for one in interview.given.items if one["reason_text"])
    interview.reply["exchanges"][0]["answer"] += f" {item['reason_text']}"
    assert "items_copied" in checks_of(interview.found)


def test_demographics_are_kept() -> None:
    interview = Interview(0, "zoning")
    own = int(interview.given.demographics["age"])
    interview.reply["exchanges"][0]["answer"] += f" I'm {own}."
    assert interview.found == []
    interview.reply["exchanges"][0]["answer"] += " I'm thirty-three years old."
    [refusal] = interview.found
    assert (refusal.check, "says thirty-three" in refusal.message) == ("demographics", True)


@pytest.mark.parametrize(
    ("text", "attribute", "value"),
    [
        ("I'm a conservative, and proud.", "political leaning", "liberal"),
        ("Since I retired I sleep.", "employment", "student"),
        ("I live alone.", "household", "lives with parents"),
        ("My mortgage is a bear.", "housing", "rents"),
        ("I'm on Medicare.", "health insurance", "through an employer"),
        ("I'm a grandmother of nine.", "gender", "man"),
    ],
)
def test_plain_words_about_oneself(text: str, attribute: str, value: str) -> None:
    whole = {**frames()[0].frame["demographics"], attribute: value}
    assert [one.where for one in facts.contradictions(whole, "here", text)] == ["here"]
    assert not list(facts.contradictions(whole, "here", "I'm thirty miles out."))


def test_the_plan_is_kept() -> None:
    interview = Interview(0, "zoning")
    gone = interview.reply["exchanges"].pop()
    assert any(f"{gone['number']} lacks" in one.message for one in interview.found)
    interview.reply["exchanges"].insert(0, gone)
    assert "plan" in checks_of(interview.found)


def test_answers_have_their_length() -> None:
    interview = Interview(0, "zoning")
    for place, one in enumerate(interview.reply["exchanges"]):
        extra = " ".join(f"word{place}x{number}" for number in range(60))
        one["answer"] += f" {extra}."
    assert "lengths" in checks_of(interview.found)
    low, high = form.ANSWER_WORDS[interview.given.voice["verbosity"]]
    interview = Interview(0, "zoning")
    for place, one in enumerate(interview.reply["exchanges"]):
        told = texts.words(" ".join(f"{said['quote']}." for said in one["carries"]))
        rest = (low + high) // 2 - len(told)
        filler = " ".join(f"even{place}x{number}" for number in range(rest))
        quotes = " ".join(f"{said['quote']}." for said in one["carries"])
        one["answer"] = f"{quotes} {filler}."
    assert any("all too alike" in one.message for one in interview.found)


def test_questions_are_asked_once_and_in_their_form() -> None:
    interview = Interview(0, "zoning")
    exchanges = interview.reply["exchanges"]
    exchanges[1]["question"] = exchanges[0]["question"]
    assert any("is asked in exchange 1, too" in one.message for one in interview.found)
    interview = Interview(0, "zoning")
    polar = next(one for one in interview.given.exchanges if one.form == "polarity")
    one = interview.reply["exchanges"][polar.number - 1]
    one["question"] = one["question"].removesuffix(form.CLOSING)
    assert any("is a polarity question" in refusal.message for refusal in interview.found)
    interview = Interview(0, "zoning")
    interview.reply["exchanges"][0]["question"] += " How strong is it?"
    assert any("no polarity question" in refusal.message for refusal in interview.found)


def test_a_question_has_not_the_words_of_its_answer() -> None:
    interview, one, said, _ = any_place(lambda one: one.kind == "value")
    interview.put(one, said, f"{said['quote']} and always have done so")
    one["question"] = "Would you say you always have done so, qqq?"
    assert checks_of(interview.found) == {"leaks"}


def test_nothing_is_told_twice_in_the_same_words() -> None:
    line = " A long brass key hangs beside the second window."
    interview = Interview(0, "zoning")
    interview.reply["exchanges"][0]["answer"] += line
    assert interview.found == []
    before = deepcopy(dict(interview.unit.texts))
    before["healthcare"]["exchanges"][0]["answer"] += line
    own = replace(interview.unit, texts=before)
    assert checks_of(refused("zoning", interview.reply, own)) == {"told_before"}
    other = written(1)
    theirs = deepcopy(dict(other.texts))
    theirs["surveillance"]["exchanges"][0]["answer"] += line
    others = [replace(other, texts=theirs)]
    assert checks_of(refused("zoning", interview.reply, interview.unit, others)) == {
        "own_sentences"
    }
    same = refused("zoning", deepcopy(dict(other.texts["zoning"])), interview.unit, [other])
    assert {"own_sentences", "own_words"} <= checks_of(same)


@pytest.mark.parametrize(
    ("change", "check"),
    [
        (lambda one: one["people"].pop(), "people"),
        (lambda one: one["people"].append({"who": "dentist", "line": "Nobody."}), "people"),
        (lambda one: one["life"].append("I'm ninety-nine years old."), "demographics"),
        (lambda one: one["episodes"].clear(), "counts"),
        (lambda one: one.update(voice="Short."), "counts"),
        (lambda one: one["life"].append("She has a sign on the upzoning plan."), "untold"),
    ],
)
def test_a_portrait_is_whole_and_says_nothing_of_the_policies(
    change: Callable[[Reply], object], check: str
) -> None:
    unit = written(0)
    reply = deepcopy(dict(unit.texts["portrait"]))
    change(reply)
    assert check in checks_of(refused("portrait", reply, unit))


def test_claims_are_not_told_by_a_formula(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, limit in LIMITS.items():
        monkeypatch.setattr(form, name, limit)
    given = Interview(0, STAGES[1]).given

    def said(answers: list[str]) -> list[str]:
        told = [
            {"number": place, "question": "And then?", "answer": answer, "carries": []}
            for place, answer in enumerate(answers, start=1)
        ]
        reply = {"names": [{"thing": POLICY, "phrases": ["the plan"]}], "exchanges": told}
        return [one.message for one in form.formulas(given, reply)]

    seesaws = ["The more rain, the fewer walkers.", "Then the higher it gets the less we go."]
    assert said([*seesaws, "The slower the mill turns, the better."]) == []
    [four] = said([*seesaws, *seesaws])
    assert "exchanges 1, 2, 3, 4 say it as “The more rain, the fewer”" in four
    [alike] = said([f"{name} cared for cold soup." for name in ("Ann", "Bo", "Cy")])
    assert "“cared for cold soup” is said in exchanges 1, 2, 3" in alike
    assert said([f"{name} cared for the plan." for name in ("Ann", "Bo", "Cy")]) == []
    # A formula that has a name of a thing wherever it could be found out by its words.
    hidden = [
        f"{name} says the plan goes up, the plan comes down." for name in ["Ann", "Bo", "Cy", "Di"]
    ]
    assert said(hidden) == []
    found = said([*hidden, "And the plan goes up, the plan comes down."])
    assert any("“… goes up …” is said in exchanges 1, 2, 3, 4, 5" in one for one in found)
