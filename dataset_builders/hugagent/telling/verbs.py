"""Clauses whose verb can take the form that a sentence needs.

A clause is written in the present, with `~` before its verb: `rent ~climbs`, `more homes ~get built`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from otherminds.dataset_builders.hugagent.telling.grammar import GrammarError

_IRREGULAR: Final = {
    "become": ("became", "become"),
    "begin": ("began", "begun"),
    "break": ("broke", "broken"),
    "bring": ("brought", "brought"),
    "build": ("built", "built"),
    "buy": ("bought", "bought"),
    "catch": ("caught", "caught"),
    "choose": ("chose", "chosen"),
    "come": ("came", "come"),
    "cost": ("cost", "cost"),
    "cut": ("cut", "cut"),
    "do": ("did", "done"),
    "draw": ("drew", "drawn"),
    "drive": ("drove", "driven"),
    "eat": ("ate", "eaten"),
    "fall": ("fell", "fallen"),
    "feel": ("felt", "felt"),
    "find": ("found", "found"),
    "fit": ("fit", "fit"),
    "get": ("got", "gotten"),
    "give": ("gave", "given"),
    "go": ("went", "gone"),
    "grow": ("grew", "grown"),
    "hang": ("hung", "hung"),
    "have": ("had", "had"),
    "hear": ("heard", "heard"),
    "hit": ("hit", "hit"),
    "hold": ("held", "held"),
    "keep": ("kept", "kept"),
    "know": ("knew", "known"),
    "lean": ("leaned", "leaned"),
    "leave": ("left", "left"),
    "let": ("let", "let"),
    "lose": ("lost", "lost"),
    "make": ("made", "made"),
    "mean": ("meant", "meant"),
    "meet": ("met", "met"),
    "pay": ("paid", "paid"),
    "put": ("put", "put"),
    "read": ("read", "read"),
    "ride": ("rode", "ridden"),
    "rise": ("rose", "risen"),
    "run": ("ran", "run"),
    "say": ("said", "said"),
    "see": ("saw", "seen"),
    "sell": ("sold", "sold"),
    "send": ("sent", "sent"),
    "set": ("set", "set"),
    "shrink": ("shrank", "shrunk"),
    "shut": ("shut", "shut"),
    "sit": ("sat", "sat"),
    "speak": ("spoke", "spoken"),
    "spend": ("spent", "spent"),
    "spread": ("spread", "spread"),
    "stand": ("stood", "stood"),
    "steal": ("stole", "stolen"),
    "stick": ("stuck", "stuck"),
    "swing": ("swung", "swung"),
    "take": ("took", "taken"),
    "tell": ("told", "told"),
    "think": ("thought", "thought"),
    "thin": ("thinned", "thinned"),
    "turn": ("turned", "turned"),
    "walk": ("walked", "walked"),
    "wear": ("wore", "worn"),
    "weigh": ("weighed", "weighed"),
    "win": ("won", "won"),
    "write": ("wrote", "written"),
}
_DOUBLED: Final = frozenset(
    {"drop", "stop", "slip", "plan", "chip", "tip", "nod", "thin", "step", "hum", "scrub", "shop"}
)
_VERB: Final = re.compile(r"~([A-Za-z]+)")


@dataclass(frozen=True)
class Clause:
    """A clause in parts: its subject, its verb as written, and what follows."""

    subject: str
    verb: str
    rest: str

    @property
    def present(self) -> str:
        """`rent climbs`."""
        return self._with(self.verb)

    @property
    def past(self) -> str:
        """`rent climbed`."""
        return self._with(past_of(self.verb))

    @property
    def bare(self) -> str:
        """`rent climb`, after `make` or `see`."""
        return self._with(bare_of(self.verb))

    @property
    def infinitive(self) -> str:
        """`rent to climb`, after `expect`."""
        return self._with(f"to {bare_of(self.verb)}")

    @property
    def gerund(self) -> str:
        """`rent climbing`."""
        return self._with(gerund_of(self.verb))

    @property
    def would(self) -> str:
        """`rent would climb`."""
        return self._with(f"would {bare_of(self.verb)}")

    def slots(self, name: str) -> dict[str, str]:
        """The forms as slots: `c`, `c.past`, `c.bare`, `c.to`, `c.ing`, `c.would`."""
        return {
            name: self.present,
            f"{name}.past": self.past,
            f"{name}.bare": self.bare,
            f"{name}.to": self.infinitive,
            f"{name}.ing": self.gerund,
            f"{name}.would": self.would,
        }

    def _with(self, verb: str) -> str:
        return " ".join(part for part in (self.subject, verb, self.rest) if part)


def clause(text: str) -> Clause:
    """The clause that is written so; raises GrammarError where it has not exactly one verb mark."""
    found = list(_VERB.finditer(text))
    if len(found) != 1:
        raise GrammarError(f"The clause '{text}' needs one '~', before its verb.")
    verb = found[0]
    return Clause(text[: verb.start()].strip(), verb[1], text[verb.end() :].strip())


def _base(verb: str) -> str:
    """The base form of a verb in the present, third person or not."""
    if verb in ("is", "are", "am"):
        return "be"
    if verb == "has":
        return "have"
    if verb in ("does", "goes"):
        return verb[:-2]
    if verb in ("dies", "ties", "lies"):
        return verb[:-1]
    if re.search(r"(ss|sh|ch|x|zz)es$", verb):
        return verb[:-2]
    if re.search(r"[^aeiou]ies$", verb):
        return f"{verb[:-3]}y"
    if verb.endswith("s") and not verb.endswith("ss"):
        return verb[:-1]
    return verb


def bare_of(verb: str) -> str:
    """`climbs` → `climb`."""
    return _base(verb)


def past_of(verb: str) -> str:
    """`climbs` → `climbed`."""
    if verb == "is":
        return "was"
    if verb == "are":
        return "were"
    base = _base(verb)
    return _IRREGULAR[base][0] if base in _IRREGULAR else _regular(base, "ed")


def gerund_of(verb: str) -> str:
    """`climbs` → `climbing`."""
    base = _base(verb)
    if base == "be":
        return "being"
    if base in (
        "get",
        "put",
        "cut",
        "let",
        "set",
        "sit",
        "hit",
        "shut",
        "run",
        "win",
        "begin",
        "fit",
    ):
        return f"{base}{base[-1]}ing"
    if base.endswith("ie"):
        return f"{base[:-2]}ying"
    if base.endswith("e") and not base.endswith(("ee", "ye")):
        return f"{base[:-1]}ing"
    return _regular(base, "ing")


def third_of(base: str) -> str:
    """`climb` → `climbs`."""
    if base in ("be", "am", "are"):
        return "is"
    if base == "have":
        return "has"
    if re.search(r"(s|sh|ch|x|z|o)$", base):
        return f"{base}es"
    if re.search(r"[^aeiou]y$", base):
        return f"{base[:-1]}ies"
    return f"{base}s"


def _regular(base: str, ending: str) -> str:
    if base in _DOUBLED:
        return f"{base}{base[-1]}{ending}"
    if ending == "ed" and base.endswith("e"):
        return f"{base}d"
    if ending == "ed" and re.search(r"[^aeiou]y$", base):
        return f"{base[:-1]}ied"
    return f"{base}{ending}"
