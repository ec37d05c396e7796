"""docs/explanation/security.md is what the tests say, and no attack is left out or invented."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping

import pytest
from markdown_it import MarkdownIt
from markdown_it.token import Token

from otherminds.leaderboard.operating.policy import HOLDING
from otherminds.leaderboard.records.reasons import FLAGS, REASONS
from tests.security import attacks
from tests.security.attacks import Attack, MarkerError

CODES = REASONS.keys() | FLAGS.keys()
_CODE = re.compile(r"`([a-z]+(?:-[a-z]+)*)`")
# Other names that stand as code on the page.
_NO_CODES = {"kitchen-sink", "pip-audit"}

MARKED = """
@pytest.mark.attack("a thing is done", outcome="refused: `coverage`", against="board")
def test_a(): ...
"""
SOUND = f"import pytest\n{MARKED}"


@pytest.fixture(scope="module")
def sources() -> dict[str, str]:
    return attacks.sources()


@pytest.fixture(scope="module")
def found(sources: Mapping[str, str]) -> dict[str, list[Attack]]:
    return attacks.collect(sources)


@pytest.fixture(scope="module")
def page() -> str:
    return attacks.PAGE.read_text(encoding="utf-8")


def codes(attack: Attack) -> set[str]:
    return CODES & set(_CODE.findall(attack.outcome))


def test_the_page_has_the_tables_that_the_tests_make(
    page: str, found: dict[str, list[Attack]]
) -> None:
    tables = attacks.tables(found)
    assert sorted(attacks.marked_tables(page)) == sorted(tables)
    assert attacks.fill(page, tables) == page, f"{attacks.PAGE.name} is stale: {attacks.COMMAND}"


def test_every_target_is_attacked_and_no_attack_has_two_outcomes(
    found: dict[str, list[Attack]],
) -> None:
    assert all(found.values())
    for target, rows in found.items():
        done = [one.what for one in rows]
        assert len(done) == len(set(done)), target


def test_every_reason_and_flag_is_the_outcome_of_an_attack(found: dict[str, list[Attack]]) -> None:
    met = set(attacks.by_reason()).union(*(codes(one) for rows in found.values() for one in rows))
    assert met == CODES


def test_the_tests_of_an_outcome_name_its_reasons(found: dict[str, list[Attack]]) -> None:
    for one in (one for rows in found.values() for one in rows):
        for code in codes(one):
            assert any(code in test.rest for test in one.tests), (one.what, code)


def test_what_is_said_to_be_held_is_held(found: dict[str, list[Attack]]) -> None:
    for one in found["board"]:
        verb = one.outcome.partition(":")[0].removeprefix("both ")
        if verb in {"held", "refused"} and codes(one):
            known = HOLDING if verb == "held" else REASONS.keys()
            assert codes(one) <= known, one.what
        elif one.outcome.startswith("shown with"):
            assert codes(one) <= FLAGS.keys() - HOLDING, one.what


def test_what_the_page_names_exists(page: str, sources: Mapping[str, str]) -> None:
    named = re.findall(r"`(tests/[\w/.]+)::(\w+)`", page)
    assert named
    for path, name in named:
        functions = [one for one in ast.walk(ast.parse(sources[path])) if hasattr(one, "name")]
        assert name in {one.name for one in functions}, (path, name)
    assert {code for code in _CODE.findall(page) if "-" in code} <= CODES | _NO_CODES


def tokens(page: str) -> Iterator[Token]:
    for token in MarkdownIt("commonmark").enable(["table", "strikethrough"]).parse(page):
        yield token
        yield from token.children or ()


def anchors(page: str) -> set[str]:
    """The anchors of a page's headings, as GitHub makes them."""
    heads = re.findall(r"^#+ (.+)$", page, re.MULTILINE)
    return {re.sub(r"[^\w -]", "", head.lower()).replace(" ", "-") for head in heads}


def test_the_page_is_plain_markdown(page: str) -> None:
    seen = list(tokens(page))
    markup = {one.content.strip() for one in seen if one.type in {"html_block", "html_inline"}}
    tables = attacks.marked_tables(page)
    opened = {f"<!-- attacks {table} -->" for table in tables}
    assert markup == opened | {f"<!-- /{table} -->" for table in tables}
    assert not [one for one in seen if one.type == "image"]
    # As many tables as there are places, and the one of outcomes; as many cells in each row.
    assert sum(one.type == "table_open" for one in seen) == len(tables) + 1
    places = [one.attrGet("href") for one in seen if one.type == "link_open"]
    for place in map(str, places):
        target, _, anchor = place.partition("#")
        text = (attacks.PAGE.parent / (target or attacks.PAGE.name)).read_text(encoding="utf-8")
        assert not anchor or anchor in anchors(text), place
    assert all(one.isprintable() for one in page.splitlines())


@pytest.mark.parametrize(
    "text",
    [
        "a | b",
        "`a | b` | c",
        "<script>alert(1)</script>",
        "![x](https://example.org/x.png) [a](b) ~~x~~",
        "`<img src=x onerror=alert(1)>` &lt;b&gt; &amp;",
        "**a** _b_ a\\|b <!-- /board -->",
        "# x",
    ],
)
def test_a_cell_shows_its_text_and_nothing_else(text: str) -> None:
    page = f"| a | b |\n| --- | --- |\n| {attacks.cell(text)} | end |\n"
    seen = list(tokens(page))
    assert not {one.type for one in seen} & {"html_inline", "html_block", "image", "link_open"}
    cells = [
        "".join(part.content if part.type != "code_inline" else f"`{part.content}`" for part in one)
        for one in (token.children for token in seen if token.type == "inline")
        if one is not None
    ]
    assert cells == ["a", "b", text, "end"]


def test_a_marker_is_read_and_tests_of_one_attack_share_a_row() -> None:
    other = "from pytest import mark\npytestmark = [mark.slow]\n" + MARKED.replace("pytest.", "")
    rows = attacks.collect({"tests/test_x.py": SOUND, "tests/test_y.py": other})
    assert [one.what for one in rows["board"]] == ["a thing is done"]
    assert attacks.tables(rows)["board"].splitlines()[-1] == (
        "| a thing is done | refused: `coverage` | [test_x.py](../../tests/test_x.py) `::test_a`; "
        "[test_y.py](../../tests/test_y.py) `::test_a` (slow) |"
    )


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        (', outcome="refused: `coverage`"', "", "against, what"),
        ('outcome="refused: `coverage`"', 'outcome=" "', "outcome .* is not a line of text"),
        ('outcome="refused: `coverage`"', "outcome=WHAT", "outcome .* is not a line of text"),
        ("`coverage`", "`coverage", "has half a code"),
        ('against="board"', 'against="boards"', "'boards' is none of submissions, board"),
        ('"a thing is done", ', "", "takes one text"),
        ('("a thing is done"', '("a\\n| thing"', "what .* is not a line of text"),
        ("def test_a", "def helper", "stands on no test"),
        ("@pytest", "pytestmark = pytest", "stands on no test"),
        (MARKED, "class TestA:" + MARKED.replace("\n", "\n    "), "stands on no test"),
        ("@pytest.mark.attack", "attack = pytest.mark.attack\n@attack", "stands on no test"),
    ],
)
def test_a_marker_that_is_not_complete_is_an_error(old: str, new: str, said: str) -> None:
    assert old in SOUND
    with pytest.raises(MarkerError, match=f"^tests/test_x.py.*{said}"):
        attacks.collect({"tests/test_x.py": SOUND.replace(old, new)})
