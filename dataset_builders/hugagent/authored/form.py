"""Proofs of an interview's form: its exchanges, how long answers are, how questions are asked."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from statistics import fmean
from typing import Any, Final

from otherminds.dataset_builders.hugagent.authored import texts
from otherminds.dataset_builders.hugagent.authored.given import Given
from otherminds.dataset_builders.hugagent.authored.telling import phrases_of
from otherminds.dataset_builders.proofs import Fault

Reply = Mapping[str, Any]

CLOSING: Final = "Does it raise or lower it, and how strong is the effect?"
"""With which every polarity question ends, and no other."""

ANSWER_WORDS: Final = {"terse": (22, 38), "plain": (36, 58), "talkative": (52, 82)}
"""Words of an answer on average, by the way of talking; about 46 over all, as in the paper [O]."""

SHORTEST, LONGEST = 0.5, 1.6
"""Some answer has at most, and some at least, so many times the average [O]."""

MOST_SEESAWS: Final = 3
"""How many answers say that the more there is of one thing, the more there is of another [O]."""

MOST_ALIKE: Final = 2
"""How many answers may have the same four words in a row, names of things apart [O]."""

MOST_AROUND: Final = 4
"""How many answers may have the same four words in a row if names of things count as one word, whatever
they name: “when … goes up” [O]."""

_ALIKE_RUN: Final = 4
_DEGREE: Final = r"(?:more|less|fewer|worse|further|\w{3,}er)"
_SEESAW: Final = re.compile(rf"\bthe {_DEGREE}\b[^.;!?]*\bthe {_DEGREE}\b", re.IGNORECASE)

MOST_WORDS: Final = 160
QUESTION_WORDS: Final = (3, 45)


def plan(given: Given, written: Reply) -> Iterator[Fault]:
    """The exchanges are those of the plan, in its order."""
    wanted = [one.number for one in given.exchanges]
    found = [one["number"] for one in written["exchanges"]]
    if found != wanted:
        missing = sorted(set(wanted) - set(found))
        more = sorted(set(found) - set(wanted))
        said = [f"{', '.join(map(str, missing))} lacks"] if missing else []
        said += [f"{', '.join(map(str, more))} is too many"] if more else []
        yield Fault(
            "exchanges",
            f"write exchanges 1 to {len(wanted)}, each once and in this order"
            + (f": {'; '.join(said)}." if said else "."),
        )


def lengths(given: Given, written: Reply) -> Iterator[Fault]:
    """Answers are as long as this person's are, and not all alike."""
    found = [len(texts.words(one["answer"])) for one in written["exchanges"]]
    if not found:
        return
    low, high = ANSWER_WORDS[given.voice["verbosity"]]
    mean = fmean(found)
    if not low <= mean <= high:
        yield Fault(
            "exchanges",
            f"Answers have {mean:.0f} words on average; this person has {low} to {high}.",
        )
    if min(found) > SHORTEST * mean or max(found) < LONGEST * mean:
        yield Fault(
            "exchanges",
            f"Answers have {min(found)} to {max(found)} words, {mean:.0f} on average: all too "
            "alike. Let "
            f"one have at most {SHORTEST * mean:.0f} and one at least {LONGEST * mean:.0f}.",
        )
    for place, count in enumerate(found):
        if count > MOST_WORDS:
            yield Fault(
                f"exchanges.{place}.answer", f"The answer has {count} words; at most {MOST_WORDS}."
            )


def questions(given: Given, written: Reply) -> Iterator[Fault]:
    """Each question is asked once; polarity questions, and they alone, close by the two requests."""
    forms = {one.number: one.form for one in given.exchanges}
    seen: dict[str, int] = {}
    closing = texts.plain(CLOSING)
    for place, one in enumerate(written["exchanges"]):
        where, asked = f"exchanges.{place}.question", one["question"]
        shown = texts.plain(asked)
        if (other := seen.setdefault(shown, one["number"])) != one["number"]:
            yield Fault(
                where, f"“{asked}” is asked in exchange {other}, too: ask it in other words."
            )
        low, high = QUESTION_WORDS
        if not low <= len(texts.words(asked)) <= high:
            yield Fault(where, f"“{asked}” has {len(texts.words(asked))} words; {low} to {high}.")
        if forms.get(one["number"]) == "polarity":
            if not shown.endswith(closing) or shown == closing:
                yield Fault(where, f"“{asked}” is a polarity question: end it with “{CLOSING}”")
        elif "raise or lower" in shown or "how strong" in shown:
            yield Fault(where, f"“{asked}” is no polarity question: ask openly.")


def formulas(given: Given, written: Reply) -> Iterator[Fault]:
    """Claims are not told by a formula: not again and again as a seesaw of more and less, nor in the
    same words.

    People do not talk so, and whoever has learned the formula needs to understand nothing.
    """
    phrases = phrases_of(given, written)
    seesaws: list[tuple[int, str]] = []
    beside: dict[str, list[int]] = defaultdict(list)
    around: dict[str, list[int]] = defaultdict(list)
    for one in written["exchanges"]:
        answer = one["answer"]
        if found := _SEESAW.search(answer):
            seesaws.append((one["number"], found[0]))
        for run in texts.runs_beside(answer, phrases, _ALIKE_RUN):
            beside[run].append(one["number"])
        for run in texts.runs_through(answer, phrases, _ALIKE_RUN):
            around[run].append(one["number"])
    if len(seesaws) > MOST_SEESAWS:
        places = ", ".join(str(number) for number, _ in seesaws)
        yield Fault(
            "exchanges",
            f"exchanges {places} say it as “{seesaws[0][1]}”: let at most {MOST_SEESAWS} answers do so, "
            "and tell the others as people do.",
        )
    for found_in, most in ((beside, MOST_ALIKE), (around, MOST_AROUND)):
        for run, numbers in sorted(found_in.items()):
            if len(numbers) > most:
                yield Fault(
                    "exchanges",
                    f"“{run}” is said in exchanges {', '.join(map(str, numbers))}: say it otherwise in "
                    f"all but {most}.",
                )


def leaks(given: Given, written: Reply) -> Iterator[Fault]:
    """No question has the words that answer it."""
    phrases = phrases_of(given, written)
    for place, one in enumerate(written["exchanges"]):
        asked = texts.runs_beside(one["question"], phrases, 4)
        for said in one["carries"]:
            if shared := sorted(asked & texts.runs_beside(said["quote"], phrases, 4)):
                yield Fault(
                    f"exchanges.{place}.question",
                    f"“{one['question']}” has words that carry {said['claim']} (“{shared[0]}”): the "
                    "interviewer does not know the answer.",
                )
