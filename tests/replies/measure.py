"""Precision and recall of the parsers on the corpus of replies, with Wilson intervals.

    python -m tests.replies.measure open [--benchmark debate] [--undisputed] [--wrong]
    python -m tests.replies.measure held

Of the held half nothing but counts is printed, and `--wrong` (the replies that were read wrongly or
not at all) is refused. `tests/replies/reading/BENCHMARK.py` says which parser reads which form.
"""

from __future__ import annotations

import argparse
import importlib
import importlib.util
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from scipy.stats import PermutationMethod, binomtest, chi2_contingency

from tests.replies.corpus import (
    BENCHMARKS,
    SYNCHTOM_FIELDS,
    Answer,
    Ask,
    Dollars,
    Explanation,
    Ranking,
    Reply,
    held_out,
    load,
)

Read: TypeAlias = Callable[[Reply], Answer]
"""The answer that a parser finds in a reply, in the canonical form of `corpus`; None for none."""
Interval: TypeAlias = tuple[float, float]


@dataclass(frozen=True)
class Share:
    """`hits` of `total`, with its 95 % Wilson interval; NaN where there is nothing."""

    hits: int
    total: int

    @property
    def value(self) -> float:
        return self.hits / self.total if self.total else float("nan")

    @property
    def interval(self) -> Interval:
        if not self.total:
            return float("nan"), float("nan")
        found = binomtest(self.hits, self.total).proportion_ci(method="wilson")
        return float(found.low), float(found.high)

    def __str__(self) -> str:
        low, high = self.interval
        return f"{self.hits}/{self.total} {self.value:.3f} [{low:.3f}, {high:.3f}]"


@dataclass
class Tally:
    """Counts of answers and of the parts of answers that are objects.

    told   by true answer, those that a person reads
    right  by true answer, those that the parser reads as the person does
    read   those in which the parser reads anything
    """

    told: Counter[Any] = field(default_factory=Counter)
    right: Counter[Any] = field(default_factory=Counter)
    read: int = 0

    @property
    def precision(self) -> Share:
        """Of what the parser reads, the share that a person reads in the same way."""
        return Share(self.right.total(), self.read)

    @property
    def recall(self) -> Share:
        """Of what a person reads, the share that the parser reads in the same way."""
        return Share(self.right.total(), self.told.total())

    @property
    def recalls(self) -> dict[Any, Share]:
        """Recall by true answer."""
        return {one: Share(self.right[one], self.told[one]) for one in sorted(self.told)}

    @property
    def p_even(self) -> float:
        """How often recalls would differ between the true answers so much by chance alone.

        The p-value of Pearson's chi-square test with seeded permutations; 1 where all are the same.
        """
        hits = [self.right[one] for one in self.told]
        misses = [self.told[one] - self.right[one] for one in self.told]
        if len(hits) < 2 or not any(hits) or not any(misses):
            return 1.0
        drawn = PermutationMethod(n_resamples=1_999, rng=2026)
        return float(chi2_contingency([hits, misses], correction=False, method=drawn).pvalue)

    def add(self, answer: Any, said: Any) -> None:
        """Count one answer (None for none) and what the parser read (None for nothing)."""
        self.read += said is not None
        if answer is not None:
            self.told[_name(answer)] += 1
            self.right[_name(answer)] += _same(answer, said)


def measure(
    replies: Iterable[Reply], readers: Mapping[str, Read], *, undisputed: bool = False
) -> dict[str, Tally]:
    """A tally by form, in order of the forms' names; forms without a reader are left out.

    undisputed  leave out replies that another person may read otherwise (`arguable`)
    """
    tallies: dict[str, Tally] = {}
    for reply in sorted(replies, key=lambda one: one.form):
        if reply.form in readers and not (undisputed and reply.arguable):
            tally = tallies.setdefault(reply.form, Tally())
            for answer, said in parts(reply, readers[reply.form](reply)):
                tally.add(answer, said)
    return tallies


def pooled(tallies: Iterable[Tally]) -> Tally:
    """All of them as one."""
    total = Tally()
    for tally in tallies:
        total.told += tally.told
        total.right += tally.right
        total.read += tally.read
    return total


def parts(reply: Reply, said: Answer) -> Iterator[tuple[Any, Any]]:
    """Pairs of true and read answer: one for each part of a ranking, of dollars and of explanations.

    Any other answer has one part. A missing object is one whose parts are all missing.
    """
    yield from zip(_parts(reply.asked, reply.answer), _parts(reply.asked, said), strict=True)


def misread(
    replies: Iterable[Reply], readers: Mapping[str, Read]
) -> Iterator[tuple[Reply, Answer]]:
    """The replies of the open half that are not read as a person reads them, with what is read.

    Raises ValueError for a reply of the held half.
    """
    for reply in replies:
        if held_out(reply.id):
            raise ValueError("Replies of the held half are not shown.")
        if reply.form in readers:
            said = readers[reply.form](reply)
            if not all(_same(answer, read) for answer, read in parts(reply, said)):
                yield reply, said


def readers_of(benchmarks: Sequence[str] = BENCHMARKS) -> dict[str, Read]:
    """The readers of all forms that `tests/replies/reading` has."""
    found: dict[str, Read] = {}
    for benchmark in benchmarks:
        name = f"tests.replies.reading.{benchmark}"
        if importlib.util.find_spec(name):
            found |= importlib.import_module(name).READERS
    return found


def lines(tallies: Mapping[str, Tally]) -> Iterator[str]:
    """Counts by form and over all of them, to print."""
    for form, tally in [*tallies.items(), ("all", pooled(tallies.values()))]:
        yield f"{form}: precision {tally.precision}, recall {tally.recall}"
        if form != "all" and 1 < len(tally.told) <= 16:
            classes = ", ".join(f"{one} {share}" for one, share in tally.recalls.items())
            yield f"  {classes}; p of an even recall {tally.p_even:.3f}"


def _parts(ask: Ask, answer: Any) -> list[Any]:
    match ask:
        case Ranking():
            names = ("ranking", *ask.effects)
        case Explanation():
            names = SYNCHTOM_FIELDS
        case Dollars():
            pairs = [(answer or {}).get(level) or (None, None) for level in ask.levels]
            return [number for pair in pairs for number in pair]
        case _:
            return [answer]
    return [(answer or {}).get(name) for name in names]


def _same(answer: Any, said: Any) -> bool:
    """Whether both are the same; 3 and 3.0 are, 1 and True are not."""
    return answer == said and isinstance(answer, bool) is isinstance(said, bool)


def _name(answer: Any) -> Any:
    """The class of an answer: itself, or its kind where there are too many to compare."""
    return str(answer) if isinstance(answer, str | int) else type(answer).__name__


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else None)
    parser.add_argument("half", choices=("open", "held"))
    parser.add_argument("--benchmark", choices=BENCHMARKS, action="append")
    parser.add_argument("--undisputed", action="store_true", help="leave out arguable replies")
    parser.add_argument("--wrong", action="store_true", help="show what is misread (open only)")
    given = parser.parse_args()
    if given.wrong and given.half == "held":
        parser.error("--wrong shows replies, and those of the held half are not shown.")
    replies, readers = load(given.half), readers_of(given.benchmark or BENCHMARKS)
    print("\n".join(lines(measure(replies, readers, undisputed=given.undisputed))))
    if given.wrong:
        for reply, said in misread(replies, readers):
            if not (given.undisputed and reply.arguable):
                about = f" (arguable: {reply.arguable})" if reply.arguable else ""
                print(f"\n{reply.id} {reply.form}: {reply.answer!r}{about}, read as {said!r}")
                print(f"  {reply.reply!r}")


if __name__ == "__main__":
    main()
