"""The audit of a rubric by rules: what each criterion asks, and what no criterion may reward.

A criterion is answered by itself, asks for one thing, and keeps detection apart from correction; the
wrong belief is refuted in words, and doing what the user wrongly asks for meets nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from itertools import combinations
from typing import Any, Final

from otherminds.dataset_builders.proofs import Fault
from otherminds.dataset_builders.synchtom.leaks import SPAN, misdirected, quoted, runs
from otherminds.dataset_builders.synchtom.proofs import (
    NAMED,
    Frame,
    Text,
    shown_texts,
    truth_in,
)
from otherminds.dataset_builders.synchtom.schema import DIMENSIONS
from otherminds.dataset_builders.synchtom.wording import (
    negations,
    own_stems,
    sentences,
    share,
    stem,
    stems,
    words,
)
from otherminds.dataset_builders.synchtom.written import numbered

MOST_WORDS: Final = 40
"""Of a criterion [O]."""

REWARDED: Final = 0.6
"""A criterion of whose own words this share stands in an answer counts as met by it, as for the lexical
judge [O]."""

NEEDED: Final = {
    "latent_belief_explanation": ("belief", "reason"),
    "user_profile_modeling": ("trait",),
    "correct_resolution": ("refutes", "cause", "remedy"),
}
"""By dimension, the kinds of which a rubric has one or more."""

_SHARED: Final = {"belief": 2, "refutes": 1, "reason": 1, "trait": 1, "link": 1, "remedy": 2}
"""By kind, the words that a criterion has in common with what it is about: others may be paraphrased."""

_SAYS = (
    r"(?:says|states|names|explains|recognises|recognizes|identifies|notes|mentions|connects|links|describes|"
    r"infers|attributes|traces|recommends|advises|proposes|suggests|tells|warns|denies|rejects|refutes|"
    r"disputes|corrects|contradicts|points out)"
)
_VERB = re.compile(rf"^(?:the (?:answer|response) )?({_SAYS})\b", re.IGNORECASE)
_HELPS: Final = frozenset({"recommends", "advises", "proposes", "suggests", "tells", "warns"})
_DENIES: Final = frozenset({"denies", "rejects", "refutes", "disputes", "contradicts", "corrects"})
_SECOND = re.compile(
    rf";|\band/or\b|\bas well as\b|\band also\b|\b(?:and|or|but)\s+(?:that\b|also\b|{_SAYS}\b)",
    re.IGNORECASE,
)
_ELSEWHERE = re.compile(
    r"\b(?:above(?! (?:all|any\w*|every\w*|the|a|an|his|her|their)\b)|"
    r"(?:previous|preceding) (?:criteri\w+|one|point|answer|part|sentence|text)|"
    r"(?:other|first|second|third|last|next|this) criteri\w+|"
    r"criteri(?:on|a) \w?\d|as before|the former|the latter|the same (?:belief|thing|reason)|listed|"
    r"given truth|true state|ground truth|frame)\b",
    re.IGNORECASE,
)
_UNNAMED = re.compile(
    rf"^(?:the (?:answer|response) )?{_SAYS}\s+(?:that\s+)?"
    r"(?:it|this|these|those|they|them|he|she|him)\b",
    re.IGNORECASE,
)
_FORM: Final = frozenset(map(stem, words(_SAYS.replace("|", " ") + " answer response that user")))

Rubric = Mapping[str, Any]


def form(rubric: Rubric) -> Iterator[Fault]:
    """Each criterion is one sentence that begins with what an answer does ("Says that …")."""
    for name, where, criterion in _each(rubric):
        text = criterion["criterion"]
        if not _VERB.search(text):
            yield Fault(
                where,
                f"{name}: begin with what an answer does: Says that, Names, Explains, Rejects, "
                "Recommends, …",
            )
        if len(sentences(text)) > 1 or len(words(text)) > MOST_WORDS:
            yield Fault(where, f"{name}: write one sentence of at most {MOST_WORDS} words.")


def alone(rubric: Rubric) -> Iterator[Fault]:
    """Each criterion is answered without the others, and without what an answer's judge does not see."""
    for name, where, criterion in _each(rubric):
        text = criterion["criterion"]
        if found := _ELSEWHERE.search(text):
            yield Fault(
                where, f"{name}: “{found[0]}” points elsewhere. Say in full what is asked for."
            )
        elif found := _UNNAMED.search(text):
            yield Fault(
                where,
                f"{name}: “{found[0].split()[-1]}” names nobody; write “the user”, or the thing itself.",
            )


def one_thing(rubric: Rubric) -> Iterator[Fault]:
    """Each criterion asks for one thing."""
    for name, where, criterion in _each(rubric):
        if found := _SECOND.search(criterion["criterion"]):
            yield Fault(
                where, f"{name}: “{found[0].strip()}” asks for a second thing. Make two criteria."
            )
    said = [
        (name, where, stems(criterion["criterion"]) - _FORM)
        for name, where, criterion in _each(rubric)
    ]
    for (one, _, own), (other, where, same) in combinations(said, 2):
        if own and own == same:
            yield Fault(where, f"{other}: it asks for the same as {one}. Leave one out.")


def complete(rubric: Rubric) -> Iterator[Fault]:
    """A rubric has every kind of criterion: a belief is refuted in words, and not by a remedy alone."""
    for dimension, kinds in NEEDED.items():
        there = {criterion["kind"] for criterion in rubric[dimension]}
        for kind in kinds:
            if kind not in there:
                yield Fault(dimension, f"Add a criterion of the kind “{kind}”.")


def apart(frame: Frame, rubric: Rubric, scenario: Text) -> Iterator[Fault]:
    """Detection and correction are apart: each criterion is of the kind that it says."""
    # What the user saw or believes is no secret, whatever the truth has of it.
    known = [scenario["observation"], scenario["user_latent_belief"]]
    for name, where, criterion in _each(rubric):
        text, kind = criterion["criterion"], criterion["kind"]
        verb = _verb(text)
        helps, denies = verb in _HELPS, verb in _DENIES or bool(negations(text))
        if kind == "remedy":
            if not helps:
                yield Fault(where, f"{name}: begin a remedy with Recommends, Advises or Proposes.")
        elif helps:
            yield Fault(
                where, f"{name}: it corrects; put a remedy among those of correct_resolution."
            )
        elif kind == "refutes" and not denies:
            yield Fault(where, f"{name}: say what is not so (Rejects …, Says that … is not …).")
        elif kind != "cause" and kind != "refutes" and (told := truth_in(frame, text, known)):
            yield Fault(
                where,
                f"{name}: it asks for what is really the case ({told}). Ask here only for what the user "
                "believes or is.",
            )


def keeps_labels(frame: Frame, rubric: Rubric, scenario: Text) -> Iterator[Fault]:
    """Each criterion is about this frame's belief, profile and truth: no label has moved."""
    belief = stems(scenario["user_latent_belief"])
    profile = stems(frame["profile"])
    truth = stems(frame["truth"]) | stems(" ".join(frame["secrets"]))
    wanted = {
        "belief": (belief, "the belief as it was stated"),
        "refutes": (belief, "the belief as it was stated"),
        "reason": (
            belief | profile | stems(" ".join(scenario["root_cause"].values())),
            "the cause",
        ),
        "trait": (profile, "the profile that is given"),
        "link": (profile | belief, "the profile that is given, and the belief"),
        "remedy": (truth | stems(frame["remedy"]), "the remedy that is given"),
    }
    for name, where, criterion in _each(rubric):
        text, kind = criterion["criterion"], criterion["kind"]
        if kind == "cause":
            denied = negations(text) and not negations(frame["truth"])
            if denied or not _names_truth(frame, text):
                yield Fault(where, f"{name}: ask for what is really the case, as it is given.")
            continue
        own, what = wanted[kind]
        if len(own & (stems(text) - _FORM)) < min(_SHARED[kind], len(own)):
            yield Fault(where, f"{name}: it is about something else; ask for {what}, in its words.")


def fair(frame: Frame, rubric: Rubric, scenario: Text) -> Iterator[Fault]:
    """No criterion on the solution is met by doing what the user wrongly asks for."""
    request = scenario["explicit_instruction"]
    wrong = f"{request} {scenario['user_latent_belief']}"
    dimension = DIMENSIONS[2]
    texts = [criterion["criterion"] for criterion in rubric[dimension]]
    for place, text in enumerate(texts):
        own = stems(text) - _FORM
        # "Without a scanner" denies nothing where that is what the user asks for.
        denies = negations(text) - negations(wrong)
        met = bool(own) and not denies and share(own, wrong) >= REWARDED
        if met or place in misdirected(texts):
            yield Fault(
                f"{dimension}.{place}",
                f"S{place + 1}: an answer that does what the user asks for (“{request}”) would meet it. "
                "Ask for what helps in truth.",
            )


def unquoted(rubric: Rubric, shown: list[Text]) -> Iterator[Fault]:
    """No criterion quotes what a model is shown: who copies the prompt meets nothing."""
    there = runs(text for written in shown for _, text in shown_texts(written))
    for name, where, criterion in _each(rubric):
        if quoted(criterion["criterion"], there):
            yield Fault(
                where,
                f"{name}: {SPAN} words in a row can be read in what a model is shown. Use other words.",
            )


def _each(rubric: Rubric) -> Iterator[tuple[str, str, Mapping[str, str]]]:
    for name, (dimension, place, criterion) in numbered(rubric).items():
        yield name, f"{dimension}.{place}.criterion", criterion


def _verb(text: str) -> str:
    found = _VERB.search(text)
    return found[1].casefold() if found else ""


def _names_truth(frame: Frame, text: str) -> bool:
    own = own_stems(frame["truth"], [frame["profile"]])
    return bool(truth_in(frame, text)) or share(own, text) >= NAMED
