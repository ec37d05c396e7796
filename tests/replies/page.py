"""The table of docs/explanation/parsing.md: how well the parsers read the corpus, by benchmark and form.

    python -m tests.replies.page

writes it anew. Of the held half it has counts alone, as everything that is printed.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

from otherminds import files
from tests.replies.corpus import BENCHMARKS, load
from tests.replies.measure import Share, Tally, measure, pooled, readers_of

PAGE = Path(__file__).parents[2] / "docs" / "explanation" / "parsing.md"
_BEGIN, _END = "<!-- replies -->\n", "<!-- end -->\n"
_HALVES = ("open", "held")


def table() -> str:
    """Precision and recall of each form and benchmark on both halves, as Markdown."""
    return "\n".join([*_head(), *_rows()]) + "\n"


def written(page: str) -> str:
    """A page with the table as it is now between its marks."""
    before, _, rest = page.partition(_BEGIN)
    _, _, after = rest.partition(_END)
    return f"{before}{_BEGIN}{table()}{_END}{after}"


def _head() -> Iterator[str]:
    yield "| form | open: precision | recall | held: precision | recall | p (even) |"
    yield "| --- | ---: | ---: | ---: | ---: | ---: |"


def _rows() -> Iterator[str]:
    everything: dict[str, list[Tally]] = {half: [] for half in _HALVES}
    for benchmark in BENCHMARKS:
        readers = readers_of([benchmark])
        found = {half: measure(load(half), readers) for half in _HALVES}
        for form in found["open"]:
            yield _row(f"`{form}`", {half: found[half][form] for half in _HALVES})
        for half in _HALVES:
            everything[half] += found[half].values()
    yield _row("**all**", {half: pooled(everything[half]) for half in _HALVES}, is_sum=True)


def _row(name: str, tallies: Mapping[str, Tally], *, is_sum: bool = False) -> str:
    cells = [
        _cell(share)
        for half in _HALVES
        for share in (tallies[half].precision, tallies[half].recall)
    ]
    # Forms have answers of their own, which cannot be compared over all of them.
    even = "" if is_sum else f"{tallies['held'].p_even:.2f}"
    return f"| {name} | {' | '.join(cells)} | {even} |"


def _cell(share: Share) -> str:
    low, high = share.interval
    return f"{share.value:.3f} [{low:.3f}, {high:.3f}] of {share.total:,}"


if __name__ == "__main__":
    with files.atomic_file(PAGE) as partial:
        partial.write_text(written(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
