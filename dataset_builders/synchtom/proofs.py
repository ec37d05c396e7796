"""Proofs and audits of written users: that a text keeps the truth of its frame, and gives nothing away.

Each function takes the frame of a unit (the fields of a raw item) and what was written, and gives the
faults: where, and what to write instead, in words for the author.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations
from typing import Any, Final

from otherminds.dataset_builders.proofs import Fault
from otherminds.dataset_builders.synchtom.leaks import SPAN, quoted, runs
from otherminds.dataset_builders.synchtom.wording import (
    RUN,
    common,
    grams,
    long_sentences,
    named,
    overlap,
    own_stems,
    runs_of,
    sentences,
    share,
    shown,
    stems,
    words,
)

INSTRUCTION_WORDS: Final = 9
"""An instruction has fewer than ten words [P]."""

NAMED: Final = 1 / 3
"""A text names the truth, or the belief, when it has this share of the words that are its own [O]."""

COPIED: Final = 0.1
"""Of a text's runs of five words, the share that other units may have too [O]."""

ALIKE: Final = 0.5
"""Of a turn's runs of five words, the share that another turn of the unit may have too [O]."""

FOLLOWING: Final = 3
"""The fewest actions that show in their words what the user believes [O]."""

_HEDGE = re.compile(
    r"\b(?:maybe|perhaps|might|may be|possibly|probably|could be|wonders?|suspects?|not sure|unsure|"
    r"seems?|likely)\b",
    re.IGNORECASE,
)
_BELIEVES = re.compile(
    r"\b(?:believ\w+|convinc\w+|suspect\w*|blam(?:e|es|ed|ing)|"
    r"(?:is|am|are|feels?|now) (?:sure|certain)|"
    r"knows? that|(?:thinks?|assum\w+|conclud\w+|insists?) (?:that|it|the|this|his|her|their)|"
    r"(?:my|his|her|their) (?:belief|theory|view) (?:is|that))\b",
    re.IGNORECASE,
)
_GIVES_UP = re.compile(
    r"\b(?:was wrong|were wrong|am wrong|is mistaken|was mistaken|turns out|turned out|after all|"
    r"gives? up|gave up|giving up|chang\w+ (?:my|his|her|their) mind|no longer (?:believ|think|sure)\w*|"
    r"stops? believing|reali[sz](?:es?|ed|ing)|admit\w*|concede\w*|drops? the (?:idea|theory)|doubts?|"
    r"(?:not|n['’]t) (?:the )?(?:cause|fault|culprit)|rul\w+ out|had nothing to do with)\b",
    re.IGNORECASE,
)
_SEES_IT = re.compile(
    r"\b(?:was wrong|were wrong|am wrong|was mistaken|chang\w+ (?:my|his|her|their) mind|"
    r"(?:i|he|she|they) (?:reali[sz](?:es?|ed)|sees? that (?:i|he|she|they)|gives? up|gave up|"
    r"no longer (?:believ|think)\w*))\b",
    re.IGNORECASE,
)
_NARRATOR = re.compile(
    r"\b(?:true state|latent|misconception|red herring|unbeknown\w*|in reality|in truth|"
    r"real (?:cause|reason|problem)|true (?:cause|reason)|actual (?:cause|reason))\b|"
    r"^\s*(?:turn \d+|action|observation)\s*:",
    re.IGNORECASE,
)
_QUESTION = re.compile(
    r"\?|^\s*(?:why|what|who|how|is|are|do|does|did|i|my|we|it|there)\b", re.IGNORECASE
)

Frame = Mapping[str, Any]
Text = Mapping[str, Any]


def brevity(frame: Frame, written: Text) -> Iterator[Fault]:
    """An observation is one or two sentences, an instruction fewer than ten words that tell to act."""
    if len(sentences(written["observation"])) > 2:
        yield Fault("observation", "Say what the user saw in one or two sentences.")
    said = words(written["explicit_instruction"])
    if len(said) > INSTRUCTION_WORDS:
        yield Fault(
            "explicit_instruction",
            f"It has {len(said)} words; tell the assistant what to do in fewer than ten.",
        )
    if len(said) < 2 or _QUESTION.search(written["explicit_instruction"]):
        yield Fault(
            "explicit_instruction",
            "Tell the assistant what to do, beginning with the verb; ask no question.",
        )
    if len(sentences(written["user_latent_belief"])) > 1:
        yield Fault("user_latent_belief", "State the belief in one sentence.")


def firmness(frame: Frame, written: Text) -> Iterator[Fault]:
    """A belief is firm: it is stated without “maybe”."""
    if found := _HEDGE.search(written["user_latent_belief"]):
        yield Fault(
            "user_latent_belief",
            f"“{found[0]}” makes it a guess; the user is sure. State what the user takes for a fact.",
        )


def divergence(frame: Frame, written: Text) -> Iterator[Fault]:
    """A belief is not the truth, and none of its own words name the truth: no label has moved."""
    belief = written["user_latent_belief"]
    if told := truth_in(frame, belief):
        yield Fault(
            "user_latent_belief",
            f"It says what is really the case ({told}). The truth stays as it is given; write a belief "
            "that differs from it.",
        )
    if told := truth_in(frame, written["root_cause"]["concluded"]):
        yield Fault(
            "root_cause.concluded",
            f"It draws the truth ({told}); it must draw the wrong belief.",
        )


def relation(frame: Frame, written: Text) -> Iterator[Fault]:
    """A belief is about what happened to this user, and its cause lies in this user."""
    belief = stems(written["user_latent_belief"])
    if not belief & (stems(written["observation"]) | stems(_material(frame))):
        yield Fault(
            "user_latent_belief",
            "It has no word in common with what the user saw or with the material; write a belief about "
            "the same trouble.",
        )
    cause = written["root_cause"]
    if not stems(cause["because"]) & (stems(frame["profile"]) | stems(_material(frame))):
        yield Fault(
            "root_cause.because",
            "Name the preference, habit or knowledge in the words of the profile that is given; the "
            "profile stays as it is.",
        )
    if not stems(cause["concluded"]) & belief:
        yield Fault("root_cause.concluded", "End in the belief that you state.")


def no_truth(frame: Frame, written: Text, before: Text | None = None) -> Iterator[Fault]:
    """Nothing that a model is shown names the truth: no secret, no run of its words, few of its own.

    before  the scenario, where turns are looked at: what it says is no secret any more
    """
    known = [] if before is None else [before["user_latent_belief"], before["observation"]]
    for where, text in shown_texts(written):
        if told := truth_in(frame, text, known):
            yield Fault(
                where,
                f"It gives the truth away ({told}). Leave evidence that fits truth and belief, and do "
                "not name what is really the case.",
            )


def no_belief(frame: Frame, written: Text) -> Iterator[Fault]:
    """An observation does not name the belief."""
    belief, observation = written["user_latent_belief"], written["observation"]
    if found := _believed(frame, belief, observation, least=NAMED):
        yield Fault(
            "observation", f"It names the belief ({found}); describe only what could be seen."
        )


def acts(frame: Frame, written: Text, before: Text) -> Iterator[Fault]:
    """No turn states the belief: what the user does makes it inferable."""
    belief = before["user_latent_belief"]
    for where, text in shown_texts(written):
        if found := _BELIEVES.search(text):
            yield Fault(
                where,
                f"“{found[0]}” states what the user believes. Let the user do something that only "
                "somebody does who believes it.",
            )
        elif said := _believed(frame, belief, text, least=2 * NAMED):
            yield Fault(
                where, f"It states the belief ({said}). Show what the user does because of it."
            )


def keeps_on(frame: Frame, written: Text, before: Text) -> Iterator[Fault]:
    """The user never gives the belief up: nothing is conceded, and nothing done that would help."""
    known = [before["observation"], before["explicit_instruction"], before["user_latent_belief"]]
    for number, turn in enumerate(written["turns"]):
        if found := _SEES_IT.search(turn["observation"]):
            yield Fault(
                f"turns.{number}.observation",
                f"“{found[0]}”: the user gives the belief up. Let the world answer, and the user go on.",
            )
    remedy = own_stems(frame["remedy"], [*known, _material(frame), frame["profile"]])
    for number, turn in enumerate(written["turns"]):
        where = f"turns.{number}.action"
        if found := _GIVES_UP.search(turn["action"]):
            yield Fault(
                where,
                f"“{found[0]}”: the user gives the belief up. Keep it to the tenth turn; read what came "
                "as confirmation or as an obstacle, and go further in the same direction.",
            )
        elif len(remedy) >= _FEW and share(remedy, turn["action"]) >= NAMED:
            yield Fault(
                where,
                "The user does what would really help. Keep to what the belief suggests.",
            )


def follows(frame: Frame, written: Text, before: Text) -> Iterator[Fault]:
    """The belief can be inferred: some actions are about it, one of the last three among them."""
    about = stems(before["user_latent_belief"]) | stems(before["explicit_instruction"])
    there = [bool(about & stems(turn["action"])) for turn in written["turns"]]
    if sum(there) < FOLLOWING:
        yield Fault(
            "turns",
            f"Only {sum(there)} actions have to do with what the user believes; let at least "
            f"{FOLLOWING} be about it.",
        )
    elif not any(there[-3:]):
        yield Fault(
            "turns",
            "None of the last three actions follows from the belief; it is given up too early.",
        )


def turns_differ(frame: Frame, written: Text) -> Iterator[Fault]:
    """No turn repeats another one, and each says something."""
    for field, least in (("action", 3), ("observation", 2)):
        texts = [turn[field] for turn in written["turns"]]
        for number, text in enumerate(texts):
            if len(words(text)) < least:
                yield Fault(f"turns.{number}.{field}", f"Say more than “{text}”.")
        for one, other in combinations(range(len(texts)), 2):
            if _same(texts[one], texts[other]):
                yield Fault(
                    f"turns.{other}.{field}",
                    f"It repeats turn {one + 1}. Let the user go one step further each time.",
                )


def no_narrator(frame: Frame, written: Text) -> Iterator[Fault]:
    """No text speaks from outside: of true states, or of “the user”."""
    for where, text in shown_texts(written):
        if found := _NARRATOR.search(text):
            yield Fault(
                where,
                f"“{found[0].strip()}” is a narrator's word. Write what was done and seen, as one would "
                "tell it who was there.",
            )


def own_words(texts: Iterable[str], others: Sequence[tuple[str, Iterable[str]]]) -> Iterator[Fault]:
    """A unit's texts are its own: no long sentence of another unit, few runs of five words.

    others  by unit, its texts
    """
    own = list(texts)
    own_grams, own_sentences = grams(runs_of(own)), long_sentences(own)
    for unit_id, found in others:
        theirs = list(found)
        if same := own_sentences & long_sentences(theirs):
            said = " ".join(min(same))
            yield Fault(
                "", f"A sentence is that of unit {unit_id}: “{said}”. Write one of your own."
            )
        elif overlap(own_grams, grams(runs_of(theirs))) >= COPIED:
            yield Fault(
                "",
                f"More than {COPIED:.0%} of its runs of {RUN} words are those of unit {unit_id}. "
                "Write it anew.",
            )


def shown_texts(written: Text) -> list[tuple[str, str]]:
    """The texts of a reply that a model is shown, with their places."""
    if "turns" in written:
        return [
            (f"turns.{number}.{field}", turn[field])
            for number, turn in enumerate(written["turns"])
            for field in ("action", "observation")
        ]
    return [(name, written[name]) for name in ("observation", "explicit_instruction")]


def story(texts: Mapping[str, Any]) -> list[str]:
    """What was written of a unit but for its criteria, which have a form in common."""
    return all_texts([texts[name] for name in ("scenario", "trajectory") if name in texts])


def all_texts(written: Any) -> list[str]:
    """All texts of a reply of a line or more; names, kinds and scores are left out."""
    if isinstance(written, str):
        return [written] if len(words(written)) >= RUN else []
    if isinstance(written, Mapping):
        return [text for one in written.values() for text in all_texts(one)]
    if isinstance(written, Sequence):
        return [text for one in written for text in all_texts(one)]
    return []


_FEW: Final = 3
"""Own words that a text needs to be found by a share of them."""


def truth_in(frame: Frame, text: str, known: Sequence[str] = ()) -> str:
    """What of the truth stands in a text, as messages say it; empty where nothing does."""
    if told := named(text, frame["secrets"]):
        return shown(told)
    truth = frame["truth"]
    if quoted(truth, runs([text])):
        return f"{SPAN} words of it in a row"
    own = own_stems(truth, [frame["profile"], _outside(frame), *known])
    if len(own) >= _FEW and share(own, text) >= NAMED:
        return shown(common(own, text))
    return ""


def _believed(frame: Frame, belief: str, text: str, *, least: float) -> str:
    """What of the belief stands in a text."""
    if not set(runs_of([belief])).isdisjoint(runs_of([text])):
        return f"{RUN} words of it in a row"
    own = own_stems(belief, [_outside(frame)])
    if len(own) >= _FEW and share(own, text) >= least:
        return shown(common(own, text))
    return ""


def _material(frame: Frame) -> str:
    return " ".join(text for name, text in frame["material"].items() if name != "kind")


def _outside(frame: Frame) -> str:
    """What the material tells that is no secret: not the answer, the fact or the cause."""
    told = ("stated", "trouble", "question", "where", "report")
    return " ".join(text for name, text in frame["material"].items() if name in told)


def _same(one: str, other: str) -> bool:
    if words(one) == words(other):
        return True
    return overlap(grams(runs_of([one])), grams(runs_of([other]))) > ALIKE
