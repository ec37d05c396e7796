"""Claims as a sheet tells them to an author."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from otherminds.dataset_builders.hugagent.authored.exchanges import Exchange
from otherminds.dataset_builders.hugagent.authored.given import POLICY, Given, thing
from otherminds.dataset_builders.hugagent.world.claims import ABOUT_STANCE, Claim

VALUES: Final[Mapping[tuple[str, int], str]] = {
    ("autonomy", 1): "people should decide for themselves, and not be told",
    ("autonomy", -1): "somebody has to set rules, and following them is no shame",
    ("security", 1): "safety and order come first; better careful than sorry",
    ("security", -1): "some risk is part of life, and fear is a poor guide",
    ("care", 1): "people owe each other help, those who have trouble most",
    ("care", -1): "everybody should look after themselves; help makes people slack",
    ("thrift", 1): "money should be kept together, nothing wasted",
    ("thrift", -1): "money is there to be spent; saving is no virtue",
}
"""What it is to hold a value high (1) or low (−1)."""

_STANCES: Final = {
    1: "firmly against",
    2: "rather against",
    3: "of two minds, neither for nor against",
    4: "rather for",
    5: "firmly for",
}
_STANCES_SHOWN: Final = {
    1: "against, so much that it costs them something: time, money, a quarrel",
    2: "mildly against: they grumble, or meant to do something and did not",
    3: "mildly for: they would be pleased, or meant to do something and did not",
    4: "for, so much that it costs them something: time, money, a quarrel",
}
_FIRMNESS: Final = {
    0: "nothing would change their mind on it",
    1: "for good cause they would shift, by a little",
    2: "they are easily moved, and would swing a long way",
}
_WEIGHTS: Final = {
    1: "counts for nothing",
    2: "counts a little, no more",
    3: "counts a fair amount, neither little nor much",
    4: "counts a lot, though something else may count more",
    5: "counts more than anything",
}
_WEIGHTS_SHOWN: Final = {1: "little or nothing", 3: "some", 5: "a lot"}
_MOVES: Final = {1: "raises", -1: "lowers"}


def claim_line(given: Given, claim: Claim) -> str:
    """What a claim says, in a sentence about the person."""
    back = _back(given, claim) if claim.about else ""
    match claim.kind:
        case "stance":
            levels = _STANCES if claim.told == "stated" else _STANCES_SHOWN
            return f"on [{POLICY}] the person is {levels[claim.level]}"
        case "firmness":
            return f"on [{POLICY}], {_FIRMNESS[claim.level]}"
        case "effect":
            return link_line(claim.source, claim.target, claim.sign)
        case "weight":
            if claim.told == "stated":
                said = _WEIGHTS[claim.level]
            else:
                said = f"counts {_WEIGHTS_SHOWN[claim.level]}"
            return f"in what the person thinks of [{POLICY}], [{claim.source}] {said}"
        case "weighing":
            on = thing(claim.on)
            return f"for what happens to [{on}], [{claim.source}] counts for more than [{claim.target}]"
        case "others_effect":
            said = link_line(claim.source, claim.target, claim.sign, theirs=True)
            return f"{_holder(claim)} believes: {said}"
        case "accord":
            side = "agrees with" if claim.sign > 0 else "thinks the contrary of"
            who = _holder(claim)
            return f"the person {side} what {who} believes on [{claim.source}] ({back})"
        case "first_view":
            said = link_line(claim.source, claim.target, claim.sign)
            return f"at first, or until lately, the person thought: {said}"
        case "revision":
            if claim.sign > 0:
                return (
                    f"of [{claim.source}] the person still thinks what they first thought ({back})"
                )
            return f"of [{claim.source}] the person has come round to the contrary of that ({back})"
        case "value":
            return VALUES[claim.source, claim.level]


def _back(given: Given, claim: Claim) -> str:
    """The claim that is taken up, and its exchange."""
    [number] = [one.number for one in given.exchanges if claim.about in one.claims]
    return f"{claim.about} in {number}"


def _holder(claim: Claim) -> str:
    return f"the person's {claim.holder}"


def link_line(source: str, target: str, sign: int, *, theirs: bool = False) -> str:
    """What more of one thing does to another."""
    if target == ABOUT_STANCE:
        whose = "their own" if theirs else "the person's"
        if sign == 0:
            return f"[{source}] does nothing to {whose} support for [{POLICY}]"
        return f"more of [{source}] {_MOVES[sign]} {whose} support for [{POLICY}]"
    if sign == 0:
        return f"[{source}] has nothing to do with [{target}]"
    return f"more of [{source}] {_MOVES[sign]} [{target}]"


def exchange_lines(given: Given) -> list[dict[str, Any]]:
    """The exchanges as a sheet shows them: what each asks about, and what its answer carries."""
    return [
        {
            "number": one.number,
            "asks": _asks(one),
            "polarity": one.form == "polarity",
            "claims": [
                {
                    "id": name,
                    "told": given.claims[name].told,
                    "line": claim_line(given, given.claims[name]),
                }
                for name in one.claims
            ],
        }
        for one in given.exchanges
    ]


def _asks(one: Exchange) -> str:
    if one.form == "polarity":
        onto = f"the support for [{POLICY}]" if one.onto == ABOUT_STANCE else f"[{one.onto}]"
        return f"polarity: what [{one.about}] does to {onto}"
    match one.kind:
        case "background":
            return "about the person's life"
        case "value":
            return f"about how one should live ({one.about})"
        case "digression":
            return "anything; the answer strays"
        case "closing":
            return "whether there is anything else"
        case _:
            return f"about [{thing(one.about)}]"


def hidden_lines(given: Given) -> list[str]:
    """What is so and goes unsaid: nothing contradicts it."""
    mind = given.frame["mind"]
    found = []
    if mind["stance_grade"] == "implied":
        level = (int(mind["initial_stance"]) + 1) // 2
        found.append(f"on [{POLICY}] the person is {_STANCES[level]}")
    if mind["firmness_grade"] == "implied":
        found.append(f"on [{POLICY}], {_FIRMNESS[mind['firmness']]}")
    found += [
        link_line(one["source"], one["target"], one["sign"])
        for one in mind["graph"]["edges"]
        if one["grade"] == "implied"
    ]
    told = {one.source for one in given.claims.values() if one.kind == "weight"}
    found += [
        f"[{one['factor']}] {_WEIGHTS[round(one['weight'] * 4) + 1]} in what the person thinks of "
        f"[{POLICY}]"
        for one in mind["weights"]
        if one["factor"] not in told
    ]
    return found


def masked_lines(given: Given) -> list[str]:
    """What the person will be asked later, and must not answer here."""
    moved = [
        [one["factor"] for one in move["deltas"]] for move in given.frame["mind"]["interventions"]
    ]
    found = [f"what [{source}] does to [{target}]" for source, target in given.asked]
    found += [
        "what they would think after a change of " + " and ".join(f"[{one}]" for one in names)
        for names in moved
    ]
    return found
