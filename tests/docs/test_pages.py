"""Pages say what code, manifests and kept results say, and every benchmark's begins as it should."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from docsite import blocks, figures, items, links, results, task_pages
from otherminds import benchmark, index, manifest
from otherminds.errors import OtherMindsError

BENCHMARK_PAGES = sorted((links.DOCS / "benchmarks").glob("[!i]*.md"))
ITEMS = list(items.marked())
# Data that are built in a second; the others are looked at with the slow tests.
QUICK = ("debate", "trust_game", "synchtom")


def name(path: Path) -> str:
    return path.relative_to(links.ROOT).as_posix()


@pytest.mark.parametrize("page", blocks.pages(), ids=name)
def test_every_block_says_what_it_is_and_what_it_needs(page: Path) -> None:
    assert [fault for one in blocks.of_page(page) for fault in blocks.faults(one)] == []


@pytest.mark.parametrize("page", BENCHMARK_PAGES, ids=name)
def test_a_benchmarks_page_opens_with_the_question_an_item_and_what_a_score_means(
    page: Path,
) -> None:
    head = page.read_text(encoding="utf-8").partition("\n## What it measures")[0]
    order = ["**The question.**", "### Try one", "<!-- item ", "### A score of 60"]
    order += ["**It means:**", "**It does not mean**"]
    places = [head.find(one) for one in order]
    assert -1 not in places, f"{name(page)}: {order[places.index(-1)]} is missing"
    assert places == sorted(places), name(page)


def test_every_benchmark_and_every_task_to_begin_with_has_a_page() -> None:
    listed = (links.DOCS / "benchmarks" / "index.md").read_text(encoding="utf-8")
    text = "\n".join([listed, *(page.read_text(encoding="utf-8") for page in BENCHMARK_PAGES)])
    for one in benchmark.every():
        for task in one.headline:
            assert re.search(rf"\b{task}\b", text), (
                f"docs/benchmarks: {task} of {one.name} is missing"
            )
    assert [page.name for page in BENCHMARK_PAGES if f"({page.name})" not in listed] == []


def test_the_reference_has_every_task_and_group() -> None:
    made = "\n".join(task_pages.pages().values())
    for entry in index.entries().values():
        assert f"| `{entry.name}` |" in made, entry.name


@pytest.mark.parametrize("page", sorted(links.DOCS.rglob("*.md")), ids=name)
def test_the_numbers_in_sentences_are_the_manifests(page: Path) -> None:
    lines = page.read_text(encoding="utf-8").splitlines()
    stale = [
        f"{name(page)}:{number}: stale, run `python -m docsite.items`"
        for number, line in enumerate(lines, start=1)
        if figures.filled(line) != line
    ]
    assert stale == []
    text = "\n".join(lines)
    assert len(figures.MARK.findall(text)) == text.count("<!-- / -->"), (
        f"{name(page)}: a mark is wrong"
    )


def test_a_stale_number_is_written_anew() -> None:
    stale = "x <!-- hugagent-synthetic majority all composite -->1.0<!-- / --> y"
    now = manifest.load("hugagent-synthetic").references["majority"].scores["all"]["composite"]
    assert figures.filled(stale) == stale.replace("1.0", f"{now:.1f}") != stale


def _item_is_current(page: Path, task: str, places: list[int]) -> None:
    text = page.read_text(encoding="utf-8")
    mark = f"<!-- item {task} {' '.join(map(str, places))} -->\n"
    written = text.partition(mark)[2].partition("<!-- /item -->")[0]
    assert written == items.items(task, places), f"{name(page)}: run `python -m docsite.items`"


def test_items_about_different_evidence_are_refused() -> None:
    with pytest.raises(ValueError, match="the same evidence"):
        items.items("debate_both_synthetic", [0, 500])


def params(quick: bool) -> list[tuple[Path, str, list[int]]]:
    return [one for one in ITEMS if one[1].startswith(QUICK) == quick]


@pytest.mark.parametrize(("page", "task", "places"), params(True))
def test_the_items_to_try_are_those_of_the_tasks(page: Path, task: str, places: list[int]) -> None:
    _item_is_current(page, task, places)


@pytest.mark.slow
@pytest.mark.parametrize(("page", "task", "places"), params(False))
def test_the_items_of_larger_data_are_those_of_the_tasks(
    page: Path, task: str, places: list[int], cache: Path
) -> None:
    _item_is_current(page, task, places)


# Results


def test_the_results_page_is_made_of_what_is_kept() -> None:
    text = results.PAGE.read_text(encoding="utf-8")
    assert results.filled(text) == text, "docs/results.md: run `python -m docsite.results`"
    for one in benchmark.every():
        assert f"<!-- results {one.name} -->" in text, f"docs/results.md: no table of {one.name}"
    assert {row["benchmark"] for row in results.load()} == {one.name for one in benchmark.every()}
    assert text.count("**What these numbers do not show.**") == len(list(benchmark.every()))


def test_the_run_of_a_part_is_never_shown_as_the_whole() -> None:
    text = results.PAGE.read_text(encoding="utf-8")
    for row in results.load():
        assert row["documents"] <= row["of"]
        if row["documents"] < row["of"]:
            assert f"{row['documents']:,} of {row['of']:,}" in text


def test_other_files_are_refused_as_results(tmp_path: Path) -> None:
    with pytest.raises(OtherMindsError, match="no results file below"):
        results.add([tmp_path], {})
    path = tmp_path / "results_2026-01-01T00-00-00.000000.json"
    for text in ("", "[]", json.dumps({"results": {}}), '{"otherminds": 1'):
        path.write_text(text)
        with pytest.raises(OtherMindsError, match=r"is no results file of `otherminds run`"):
            list(results.rows_of(path, {}))


# Blocks


def block(text: str) -> blocks.Block:
    [one] = blocks.of_text(links.ROOT / "README.md", text)
    return one


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("```\nls\n```", "README.md:1: a block of ''"),
        ("a\n\n```bash\nls\n```", "README.md:3: a block of 'bash'"),
        ('```sh title="Needs luck"\nls\n```', "'Needs luck' is no reason"),
        ("```sh\notherminds run …\n```", "a command with … cannot run"),
    ],
)
def test_a_block_that_says_too_little_is_told_with_page_and_line(text: str, said: str) -> None:
    [fault] = blocks.faults(block(text))
    assert said in fault


@pytest.mark.parametrize(
    ("wanted", "missing"),
    [
        (["a  b", "…", "d"], None),
        (["a b", "c…"], None),
        (["d", "a b"], "a b"),
        (["a b", "e"], "e"),
        (["a…", "a…"], "a…"),
    ],
)
def test_output_is_compared_line_by_line_in_order(wanted: list[str], missing: str | None) -> None:
    assert blocks.missing(wanted, "a   b\ncc\n d\n") == missing


# Plain English

_CLAUSE = re.compile(r"(?:^|(?<=[.!:] )|(?<=^- ))\[?(?:What|Who|Whoever|Whatever)\b[^.?!]*[.!]")
_GENERATED = ("docs/benchmarks/stages/", "docs/reference/performance.md")
_TAGGED = re.compile(r"<!-- item .*?<!-- /item -->", re.DOTALL)


def clauses(text: str) -> list[tuple[int, str]]:
    """Sentences that begin with a clause in place of a noun ("Whoever has it knows"), by line."""
    hidden = _TAGGED.sub(lambda match: "\n" * match[0].count("\n"), text)
    found, paragraph, begin = [], [], 1
    lines = dict(links.outside_code(hidden))
    for number in range(1, len(hidden.splitlines()) + 2):
        line = lines.get(number, "").strip()
        if line and not line.startswith(("#", "|", "<", "**What")):
            if not paragraph or line.startswith(("- ", "* ")):
                found += [(begin, one) for one in _CLAUSE.findall(" ".join(paragraph))]
                paragraph, begin = [], number
            paragraph.append(line)
        elif paragraph:
            found += [(begin, one) for one in _CLAUSE.findall(" ".join(paragraph))]
            paragraph = []
    return found


@pytest.mark.parametrize("page", blocks.pages(), ids=name)
def test_no_sentence_begins_with_a_clause_in_place_of_a_noun(page: Path) -> None:
    if not name(page).startswith(_GENERATED):
        told = clauses(page.read_text(encoding="utf-8"))
        assert [f"{name(page)}:{line}: {sentence}" for line, sentence in told] == []


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("Whoever has it knows.", 1),
        ("- What is left is one.\n- It is two.", 1),
        ("It is so. Who\nasks is told.", 1),
        ("What is asked? It is told.", 0),
        ("## What happens\n\nIt does.", 0),
        ("```text\nWhat is left.\n```", 0),
    ],
)
def test_riddles_are_found(text: str, count: int) -> None:
    assert len(clauses(text)) == count


def test_aligned_columns_of_docstrings_become_lists() -> None:
    pytest.importorskip("griffe")
    from docsite import docstrings

    text = "One.\n\nname, other  what it is,\n    and more\nx    y\n\nNo  list here\nat all."
    assert docstrings.listed(text) == (
        "One.\n\n- `name`, `other`: what it is,\n    and more\n- `x`: y\n\nNo  list here\nat all."
    )
