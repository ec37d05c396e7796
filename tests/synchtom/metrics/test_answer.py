"""Models' answers: which three parts are read, and when there is nothing to judge."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from otherminds.metrics.reply import without_reasoning
from otherminds.metrics.synchtom import DIMENSIONS, read_answer
from otherminds.metrics.synchtom.answer import LONGEST
from otherminds.metrics.thoughts import shown

BELIEF, PROFILE, SOLUTION = DIMENSIONS
GOLD = {BELIEF: "Blames the wires.", PROFILE: "An electrician.", SOLUTION: "Use vinegar."}
OTHER = dict.fromkeys(DIMENSIONS, "Something else.")


def reply(**changed: Any) -> str:
    return json.dumps({**GOLD, **changed})


def parts(text: str | None) -> dict[str, str] | None:
    found = read_answer(text)
    return None if found is None else dict(found.parts)


@pytest.mark.parametrize(
    "text",
    [
        reply(),
        json.dumps(GOLD, indent=2),
        f"```json\n{reply()}\n```",
        f"Let me think {{carefully}}.\n\n{reply()}\n\nI hope that this helps.",
        f"<think>Or is it {json.dumps(OTHER)}?</think>{reply()}",
        # The thinking began in the prompt.
        f"It may be {json.dumps(OTHER)}.</think>\n{reply()}",
        f"[{reply()}]",
        reply(confidence=0.9),
        json.dumps(dict(reversed(GOLD.items()))),
        reply(**{PROFILE: "  An electrician.\n"}),
        # Of several, the last that is an answer counts.
        f"{json.dumps(OTHER)}\nNo, rather:\n{reply()}",
        f'{reply()} {{"note": "that was all"}}',
        f"{reply()}\nThe form was {json.dumps(dict.fromkeys(DIMENSIONS, '...'))}",
        # Wrapped, and not quite JSON.
        json.dumps({"answer": GOLD}),
        json.dumps({"thoughts": "Short.", "result": {"answer": GOLD}}),
        reply()[:-1] + ",}",
        f"[{reply()[:-1]} , \n}},]",
        # One that contradicts itself is none.
        f'{reply()} {{"{BELIEF}": "a", "{BELIEF}": "b"}}',
    ],
)
def test_answers_that_are_read(text: str) -> None:
    assert parts(text) == GOLD


@pytest.mark.parametrize(
    "text",
    [
        None,
        "",
        " \n",
        "The user blames the wires.",
        f"<think>{reply()}",
        reply()[:-2],
        json.dumps([GOLD[BELIEF], GOLD[PROFILE]]),
        json.dumps({"belief": "Blames the wires.", "resolution": "Use vinegar."}),
        json.dumps({"first": GOLD, "second": OTHER}),
        json.dumps({"a": {"b": {"c": GOLD}}}),
        json.dumps(dict.fromkeys(DIMENSIONS, "")),
        # A copy of the question.
        json.dumps(dict.fromkeys(DIMENSIONS, "...")),
        json.dumps(dict.fromkeys(DIMENSIONS, " \u2026 ")),
        json.dumps(dict.fromkeys(DIMENSIONS, " \n")),
        json.dumps(dict.fromkeys(DIMENSIONS)),
        f'{{"{BELIEF}": "a", "{BELIEF}": "b"}}',
        reply().replace('"', "'"),
        "{" * 100_000,
    ],
)
def test_replies_without_an_answer(text: str | None) -> None:
    assert read_answer(text) is None


@pytest.mark.parametrize("missing", list(DIMENSIONS))
def test_a_part_that_is_missing_says_nothing_and_the_others_count(missing: str) -> None:
    for text in (
        json.dumps({name: said for name, said in GOLD.items() if name != missing}),
        reply(**{missing: None}),
        reply(**{missing: " "}),
    ):
        assert parts(text) == {**GOLD, missing: ""}


@pytest.mark.parametrize(
    "value",
    [
        *[["Vinegar.", "Rinse."], {"step": "Vinegar – then rinse."}, True, 7, []],
        *[
            "...",
            "\u2026",
            "<text>",
            "string",
            "N/A",
            "none",
            "-",
            "[your explanation here]",
            SOLUTION,
        ],
        "What the cause really is, and what would truly solve the problem.",
    ],
)
def test_a_part_that_is_no_text_says_nothing(value: Any) -> None:
    assert parts(reply(**{SOLUTION: value})) == {**GOLD, SOLUTION: ""}


def test_line_breaks_in_a_text_stay() -> None:
    assert parts(reply(**{SOLUTION: "Vinegar.\nRinse."}).replace("\\n", "\n")) == {
        **GOLD,
        SOLUTION: "Vinegar.\nRinse.",
    }


def test_what_looks_like_a_comma_too_many_within_a_text_stays() -> None:
    said = 'Use a 5" pipe, ] and {x, } or ",}".'
    assert parts(f'A 3" pipe: {reply(**{SOLUTION: said})[:-1]},}}') == {**GOLD, SOLUTION: said}


def test_half_a_surrogate_pair_becomes_a_question_mark() -> None:
    # JSON can spell what no file can hold.
    assert parts(reply(**{SOLUTION: "\ud83d ok"})) == {**GOLD, SOLUTION: "? ok"}
    assert parts(reply(**{SOLUTION: "\U0001f600"})) == {**GOLD, SOLUTION: "\U0001f600"}


@pytest.mark.parametrize("mark", ["<think>", "</think>", "<thinking>", "</THINKING>"])
def test_the_mark_of_a_thought_within_a_part_can_be_quoted(mark: str) -> None:
    """JSON can spell a mark that no reader of replies sees."""
    spelled = reply(**{SOLUTION: f"x {mark} y", BELIEF: mark}).replace("<", "\\u003c")
    found = parts(spelled)
    plain = f"‹{mark[1:-1]}›"
    assert found == {**GOLD, SOLUTION: f"x {plain} y", BELIEF: plain}
    quoted = json.dumps({"analysis": found[SOLUTION]}, ensure_ascii=False)
    assert without_reasoning(quoted) == quoted


def test_a_long_part_is_cut_and_that_is_said() -> None:
    for length, cut in ((LONGEST, False), (LONGEST + 1, True), (100_000, True)):
        found = read_answer(reply(**{SOLUTION: "x" * length}))
        assert found is not None
        assert found.parts == {**GOLD, SOLUTION: "x" * min(length, LONGEST)}
        assert found.was_cut is cut


def test_an_answer_at_the_end_of_a_long_reply_is_read() -> None:
    assert parts("Let me see. " * 100_000 + reply()) == GOLD
    # One that begins before what is read is not half an answer.
    assert read_answer(reply(**{SOLUTION: "x" * 300_000})) is None


@given(st.fixed_dictionaries(dict.fromkeys(DIMENSIONS, st.text(max_size=30))), st.booleans())
def test_any_text_comes_back_without_the_space_around_it(
    said: dict[str, str], ascii_only: bool
) -> None:
    # Dots are those of the question, and marks of thoughts get other brackets.
    assume(all(text.strip(" .\u2026") for text in said.values() if text.strip()))
    stripped = {name: shown(text.strip()) for name, text in said.items()}
    found = parts(json.dumps(said, ensure_ascii=ascii_only).replace("<", "\\u003c"))
    assert found == (stripped if any(stripped.values()) else None)


@given(st.text(alphabet='{}[]":,\\ \nab<think>/', max_size=120))
def test_no_reply_raises(text: str) -> None:
    assert read_answer(text) is None
