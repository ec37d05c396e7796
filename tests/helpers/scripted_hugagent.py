"""An author of HugAgent's core that writes the plan in bare sentences, filled up with made-up words.

No two of its interviews share a run of words beyond the names of things, so that it passes every audit.
"""

from __future__ import annotations

import hashlib
import itertools
from collections.abc import Iterator
from typing import Any, Final

from otherminds.construct import Unit
from otherminds.dataset_builders.hugagent.authored import form, portrait
from otherminds.dataset_builders.hugagent.authored.checks import PORTRAIT
from otherminds.dataset_builders.hugagent.authored.exchanges import Exchange
from otherminds.dataset_builders.hugagent.authored.given import POLICY, Given, thing
from otherminds.dataset_builders.hugagent.world.claims import Claim

Reply = dict[str, Any]

_STANCES: Final = {
    1: "I am against {p}",
    2: "I am rather against {p}",
    3: "I am of two minds about {p}",
    4: "I am rather for {p}",
    5: "I am for {p}",
}
_WEIGHTS: Final = {
    1: "counts for nothing",
    2: "counts a little",
    3: "counts a fair amount",
    4: "counts a lot",
    5: "counts more than anything",
}
_SPREAD: Final = (0.4, 1.9, 1.0, 0.8, 1.1)


def good(unit: Unit, stage: str) -> Reply:
    """What passes every check of a stage."""
    made = _made(f"{unit.unit_id} {unit.frame['seed']} {stage}")
    if stage == PORTRAIT:
        return _portrait(unit, made)
    return _interview(Given.of(unit, stage), made)


def _made(seed: str) -> Iterator[str]:
    """Words that nobody else uses, and that name nothing."""
    for number in itertools.count():
        digest = hashlib.sha256(f"{seed} {number}".encode()).hexdigest()[:7]
        yield "q" + "".join("bdfgklmnprstvwxz"[int(sign, 16)] for sign in digest)


def _words(made: Iterator[str], count: int) -> str:
    return " ".join(itertools.islice(made, count))


def _portrait(unit: Unit, made: Iterator[str]) -> Reply:
    lines = {
        name: [f"{_words(made, 8).capitalize()}." for _ in range(low)]
        for name, (low, _) in portrait.COUNTS.items()
    }
    return {
        "voice": f"{_words(made, portrait.VOICE_WORDS[0]).capitalize()}.",
        **lines,
        "people": [
            {"who": who, "line": f"{_words(made, 8).capitalize()}."}
            for who in portrait.holders(unit)
        ],
    }


def _interview(given: Given, made: Iterator[str]) -> Reply:
    says = {
        name: given.topic.by_name[name].phrases[0]
        if name != POLICY
        else given.topic.policy_short[0]
        for name in given.things
    }
    target = sum(form.ANSWER_WORDS[given.voice["verbosity"]]) / 2
    exchanges = []
    for place, one in enumerate(given.exchanges):
        told = [_told(given.claims[name], says, made) for name in one.claims]
        answer = " ".join(f"{said['quote']}." for said in told)
        wanted = int(target * _SPREAD[place % len(_SPREAD)]) - len(answer.split())
        filler = f"{_words(made, max(wanted, 2)).capitalize()}."
        exchanges.append(
            {
                "number": one.number,
                "question": _question(one, says, made),
                "answer": f"{answer} {filler}".strip(),
                "carries": told,
            }
        )
    shown = " ".join(f"{one['question']} {one['answer']}" for one in exchanges)
    names = [{"thing": name, "phrases": [said]} for name, said in says.items() if said in shown]
    return {"names": names, "exchanges": exchanges}


def _question(one: Exchange, says: dict[str, str], made: Iterator[str]) -> str:
    word = next(made)
    if one.form == "polarity":
        about, onto = says[thing(one.about)], says[thing(one.onto)]
        return f"What {word} does {about} do to {onto}? {form.CLOSING}"
    if one.kind in ("factor", "stance"):
        return f"What {word} about {says[thing(one.about)]}?"
    return f"And what {word} of {next(made)}?"


def _told(claim: Claim, says: dict[str, str], made: Iterator[str]) -> Reply:
    """The sentence that carries a claim, without its stop."""
    names = {
        "a": says.get(thing(claim.source), ""),
        "b": says.get(thing(claim.target), ""),
        "on": says.get(thing(claim.on), ""),
        "p": says[POLICY],
        "who": claim.holder,
        "u": next(made),
    }
    cause = effect = ""
    if claim.kind in ("effect", "others_effect", "first_view") and claim.sign:
        cause, effect = "up", "up" if claim.sign > 0 else "down"
    return {
        "claim": claim.claim_id,
        "quote": _line(claim, effect).format_map(names),
        "cause": cause,
        "effect": effect,
    }


def _line(claim: Claim, effect: str) -> str:
    way = "more" if effect == "up" else "less"
    onto = f"{way} {{b}}" if thing(claim.target) != POLICY else f"I want {way} of {{b}}"
    match claim.kind:
        case "effect" if not effect:
            return "I say {u} that {a} has nothing to do with {b}"
        case "effect" if claim.told == "hinted":
            return f"One spring {{u}} I saw more {{a}} and {onto}"
        case "effect":
            return f"More {{a}} {{u}} and {onto}"
        case "others_effect":
            return f"My {{who}} {{u}} says more {{a}} and {way} {{b}}"
        case "first_view":
            return f"At first {{u}} I thought more {{a}} and {onto}"
        case "accord":
            return "My {who} {u} is " + ("right there" if claim.sign > 0 else "mistaken there")
        case "revision":
            return "There I {u} " + ("stay put" if claim.sign > 0 else "have come round")
        case "weight" if claim.told == "hinted":
            return f"I spent {{u}} {claim.level} evenings on {{a}}"
        case "weight":
            return f"{{a}} {{u}} {_WEIGHTS[claim.level]} with me"
        case "weighing":
            return "For {on} {u} I look to {a} before {b}"
        case "stance" if claim.told == "hinted":
            return f"I drove {{u}} {claim.level} miles over {{p}}"
        case "stance":
            return f"{_STANCES[claim.level]} {{u}}"
        case "firmness":
            return f"With {{p}} {{u}} I sit {claim.level} notches loose"
        case _:
            return "That is {u} how I live myself"
