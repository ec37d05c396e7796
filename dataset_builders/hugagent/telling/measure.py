"""How the interviews of edition 2 read in numbers: lengths, and what recurs in others.

python -m otherminds.dataset_builders.hugagent.telling.measure --people 500 --seed 1
"""

from __future__ import annotations

import argparse
import re
from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from statistics import fmean, pstdev, quantiles
from typing import Final

from otherminds.dataset_builders.hugagent.telling.consistency import contradictions
from otherminds.dataset_builders.hugagent.telling.interviews import Told, interviews
from otherminds.dataset_builders.hugagent.telling.speaker import long_sentences

GRAM: Final = 5
COMMON: Final = 0.005
_WORD: Final = re.compile(r"[\w'’-]+")


@dataclass(frozen=True)
class Measured:
    """What was counted over some interviews.

    `shared` sentences are long, with the interviews of each; `by_people` says how many sentences are
    said by how many people.

    `of_others` is the share of a transcript's 5-grams that any other transcript has, `of_one` the share
    that the one with most of them has; both are means over transcripts.
    """

    interviews: int
    turns: tuple[int, float, int]
    words: float
    spread: float
    deciles: tuple[float, ...]
    by_verbosity: dict[str, float]
    sentences: int
    shared: tuple[tuple[str, int], ...]
    people: int
    by_people: dict[int, int]
    of_others: float
    of_one: float
    contradictions: int

    @property
    def most_shared(self) -> float:
        """The share of interviews that have the long sentence that most have."""
        return self.shared[0][1] / self.interviews if self.shared else 0.0

    @property
    def common(self) -> int:
        """How many sentences are said by more than COMMON of all people."""
        return sum(count for said, count in self.by_people.items() if said > COMMON * self.people)


def measure(told: Iterable[Told]) -> Measured:
    """Count over interviews."""
    turns: list[int] = []
    words: list[int] = []
    by_verbosity: dict[str, list[int]] = defaultdict(list)
    sentences: Counter[str] = Counter()
    by_person: dict[int, set[str]] = defaultdict(set)
    grams: list[frozenset[tuple[str, ...]]] = []
    clashes = 0
    for plan, answers in told:
        clashes += len(contradictions(plan, answers))
        turns.append(len(answers))
        lengths = [len(turn.answer.split()) for turn in answers]
        words += lengths
        by_verbosity[plan.manner.verbosity] += lengths
        own = {one for turn in answers for one in long_sentences(turn.answer)}
        sentences.update(own)
        by_person[plan.person] |= own
        grams.append(frozenset(_grams(" ".join(turn.answer for turn in answers))))
    of_others, of_one = _overlap(grams)
    return Measured(
        interviews=len(turns),
        turns=(min(turns), fmean(turns), max(turns)),
        words=fmean(words),
        spread=pstdev(words),
        deciles=tuple(quantiles(words, n=10)),
        by_verbosity={name: fmean(found) for name, found in sorted(by_verbosity.items())},
        sentences=len(sentences),
        shared=tuple((text, times) for text, times in sentences.most_common(20) if times > 1),
        people=len(by_person),
        by_people=_tally(by_person.values()),
        of_others=of_others,
        of_one=of_one,
        contradictions=clashes,
    )


def _tally(said: Iterable[set[str]]) -> dict[int, int]:
    """How many sentences are said by 1, 2, … people."""
    people = Counter(one for own in said for one in own)
    return dict(sorted(Counter(people.values()).items()))


def _grams(text: str) -> Iterable[tuple[str, ...]]:
    found = _WORD.findall(text.lower())
    return (tuple(found[at : at + GRAM]) for at in range(len(found) - GRAM + 1))


def _overlap(grams: list[frozenset[tuple[str, ...]]]) -> tuple[float, float]:
    holders: dict[tuple[str, ...], list[int]] = defaultdict(list)
    for place, own in enumerate(grams):
        for gram in own:
            holders[gram].append(place)
    of_others, of_one = [], []
    for place, own in enumerate(grams):
        shared: Counter[int] = Counter()
        for gram in own:
            shared.update(holders[gram])
        del shared[place]
        of_others.append(sum(len(holders[gram]) > 1 for gram in own) / len(own))
        of_one.append(max(shared.values(), default=0) / len(own))
    return fmean(of_others), fmean(of_one)


def main() -> None:
    """Print the counts over the interviews of a seed."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--people", type=int, default=500)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    found = measure(interviews(options.seed, options.people))
    least, mean, most = found.turns
    print(f"interviews                            {found.interviews}")
    print(f"turns: least, mean, most              {least}, {mean:.1f}, {most}")
    print(f"words an answer: mean, sd             {found.words:.1f}, {found.spread:.1f}")
    print(f"  deciles                             {', '.join(f'{d:.0f}' for d in found.deciles)}")
    for name, words in found.by_verbosity.items():
        print(f"  {name:35} {words:.1f}")
    print(f"contradictions                        {found.contradictions}")
    print(f"sentences of six words or more        {found.sentences}")
    print(f"the one in most interviews            {found.most_shared:.2%} of them")
    print(f"said by more than {COMMON:.1%} of the people     {found.common}")
    print(f"5-grams that some other has           {found.of_others:.1%}")
    print(f"5-grams that the most alike has       {found.of_one:.1%}")
    for text, times in found.shared[:5]:
        print(f"  {times:3} {text}")


if __name__ == "__main__":
    main()
