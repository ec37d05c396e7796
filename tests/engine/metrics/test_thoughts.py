"""The marks of thoughts, of every family: what is in one is no answer, wherever it stands."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from otherminds.metrics.parsing import parse_letter, parse_number
from otherminds.metrics.reply import read_reply
from otherminds.metrics.thoughts import (
    FAMILIES,
    Marks,
    begun_before,
    cut,
    has_thought,
    is_unclosed,
    opened_in,
    shown,
    without_reasoning,
)

ALONE = [family for family in FAMILIES if not family.paired]
every = pytest.mark.parametrize("family", FAMILIES, ids=lambda one: one.begin.strip())
every_alone = pytest.mark.parametrize("family", ALONE, ids=lambda one: one.begin.strip())

THOUGHT = "Is it A? The answer is A.\n\nAnswer: A\n\nOr C, as they said. Answer: C\n"


@every
def test_each_family_names_models_and_where_its_marks_are_documented(family: Marks) -> None:
    assert family.models
    assert len(family.source) > 20
    assert family.begin != family.end


@every
def test_the_documentation_lists_the_marks_of_each_family(family: Marks) -> None:
    page = Path(__file__).parents[3] / "docs" / "how-to" / "serving.md"
    table = page.read_text(encoding="utf-8").replace("\\|", "|").split("## Models that think")[1]
    assert f"`{family.begin.strip()}…" in table
    assert f"…{family.end}`" in table


@every
def test_a_thought_is_no_answer_and_what_follows_is(family: Marks) -> None:
    reply = f"{family.begin}{THOUGHT}{family.end}\n\nB"
    assert parse_letter(reply, 3) == "B"
    found = without_reasoning(reply)
    assert found is not None
    assert found.strip() == "B"
    assert has_thought(reply)
    assert not is_unclosed(reply)


@every_alone
def test_a_thought_without_an_end_leaves_no_answer(family: Marks) -> None:
    for reply in (
        f"{family.begin}{THOUGHT}",
        f"Let me see.\n\n{family.begin}{THOUGHT}Answer: B",
        f"B\n{family.begin}",
    ):
        assert read_reply(reply) is None
        assert is_unclosed(reply)


@every_alone
def test_a_closing_mark_alone_ends_a_thought_that_began_in_the_prompt(family: Marks) -> None:
    reply = f"{THOUGHT}{family.end}\nB"
    assert parse_letter(reply, 3) == "B"
    assert begun_before(reply) == family.begin
    assert begun_before(f"{family.end}\nB") is None
    assert begun_before(f"{family.begin}{reply}") is None


@every_alone
def test_a_prompt_that_ends_with_an_opening_mark_is_known(family: Marks) -> None:
    mark = opened_in(f"<|user|>Which?<|assistant|>{family.begin}\n")
    assert mark is not None
    assert family.begin.strip() in mark
    assert opened_in(f"<|assistant|>{family.begin}\n\n{family.end}\n\n") is None
    assert opened_in(f"{family.begin} Which?<|assistant|>\n") is None


@pytest.mark.parametrize(
    ("reply", "answer"),
    [
        # gpt-oss, with and without its special tokens.
        (
            "<|channel|>analysis<|message|>A or B?<|end|>"
            "<|start|>assistant<|channel|>final<|message|>B<|return|>",
            "B",
        ),
        (
            "<|channel|>commentary to=functions.look <|constrain|>json<|message|>A<|call|>"
            "<|start|>assistant<|channel|>final <|constrain|>letter<|message|>B",
            "B",
        ),
        ("analysisThe user wants A or B. Answer: A.assistantfinalB", "B"),
        (
            "analysisWe pick A.assistantcommentaryLooking.assistantanalysisNo.assistantfinal\n\nB",
            "B",
        ),
        ("assistantanalysisA?assistantfinalB", "B"),
        ("We need A or B. So A.assistantfinalB", "B"),
        ("finalB", "B"),
        ("analysisThe user wants A. Answer: A", None),
        ("<|channel|>analysis<|message|>A<|end|>", None),
        # Gemma 4, whose marks a decoder may drop as special tokens.
        ("<|channel>thought\nA<channel|>B<turn|>", "B"),
        ("<|channel>thought\n<channel|>B", "B"),
        ("thought\nIt may be A.\nAnswer: A", None),
        # Words that others write too are marks only as a pair.
        ("Here's my thought process: A?\nHere's my response: B", "B"),
        ("Here is my thought process:\nThey would gain. Answer: B", "B"),
        ("Here is my response: B", "B"),
        # Ordinary words that begin like channels.
        ("final answer: B", "B"),
        ("analysis: they gain.\nAnswer: B", "B"),
        ("Analysis\n\nThey gain.\n\nFinal\n\nAnswer: B", "B"),
        ("Thought: they gain.\nAnswer: B", "B"),
        # Cohere's and Hunyuan's answers have marks of their own.
        ("<|START_THINKING|>A<|END_THINKING|><|START_RESPONSE|>B<|END_RESPONSE|>", "B"),
        ("<think>\nA\n</think>\n<answer>\nB\n</answer>", "B"),
        # Several thoughts, thoughts in thoughts, and capital letters.
        ("<think>A</think><think>C</think>B", "B"),
        ("<think>A <think>C</think> B", "B"),
        ("<THINK>A</Think>B", "B"),
        # The mark of one family does not close the thought of another.
        ("<think>A[/THINK]B", None),
        ("<think>A[/THINK]C</think>B", "B"),
        ("[THINK]A</think>C[/THINK]B", "B"),
        ("<think>x[/THINK]Answer: A<think>y</think>B", "B"),
        # A closing mark alone ends all that came before it.
        ("Answer: A<think>x</think>C</think>Answer: B", "B"),
    ],
)
def test_forms_of_families(reply: str, answer: str | None) -> None:
    assert parse_letter(reply, 3) == answer


@every_alone
@pytest.mark.parametrize(
    "sentence",
    [
        'The post is titled "{}".',
        "Their note has `{}` in it.",
        'She wrote "{} I hate it" once.',
        "The {} tags in the note mean nothing.",
        "I saw ({}) there.",
    ],
)
def test_a_mark_that_is_only_mentioned_hides_no_answer(family: Marks, sentence: str) -> None:
    for mark in (family.begin, family.end):
        mention = sentence.format(mark.strip())
        # What stands at the very beginning is the reply's own.
        assert parse_letter(f"{mention}\n\nAnswer: B", 3) == "B"
        assert parse_letter(f"Answer: B\n\n{mention}", 3) == "B"


def test_a_quotation_mark_before_a_closing_mark_may_close_a_quotation() -> None:
    assert parse_letter('He says "A"</think>B', 3) == "B"
    assert parse_letter('<think>He says "A"</think>B', 3) == "B"


def test_a_mention_within_a_thought_is_part_of_it() -> None:
    assert parse_letter('<think>The note has "</think>" in it. A</think>B', 3) == "B"
    assert read_reply("<think>The <think> tags? A") is None


families = st.sampled_from(ALONE)
fillers = st.text(alphabet='AB 7.:\n"`<>/[]|think', max_size=30)


@given(families, fillers, st.integers(1, 10), st.sampled_from(["", "\n", " ", "\n\n"]))
def test_the_answer_behind_a_thought_is_read_whatever_the_thought_says(
    family: Marks, filler: str, answer: int, gap: str
) -> None:
    thought = f"{family.begin}{filler} Answer: 3{gap}{family.end}"
    for reply in (thought, filler.replace("<", "").replace("[", "") + family.end):
        if f"{family.end}" in filler:
            continue
        assert parse_number(f"{reply}{gap}Answer: {answer}", 1, 10) == answer


@given(families, families, fillers)
def test_an_open_thought_leaves_none_whatever_came_before(
    before: Marks, family: Marks, filler: str
) -> None:
    reply = f"{before.begin}x{before.end}\nAnswer: 3\n{family.begin}\n{filler.replace('<', '')}"
    if family.end not in reply[len(before.begin + before.end) :]:
        assert read_reply(reply) is None


marks = st.sampled_from([mark for family in FAMILIES for mark in (family.begin, family.end)])


@given(st.lists(marks | fillers | st.sampled_from(["assistant", "final", "<|start|>", "(", "“"])))
def test_any_text_is_read_and_what_is_left_has_no_thought(parts: list[str]) -> None:
    text = "".join(parts)
    found = without_reasoning(text)
    assert (found is None) == is_unclosed(text)
    if not has_thought(text):
        assert found == text
    assert len(found or "") <= len(text)
    read_reply(text)
    # Who quotes a text with its marks shown otherwise does not think.
    quoted = f"The answer says: {shown(text)}"
    assert not is_unclosed(quoted) or "thought process" in text
    assert begun_before(quoted) is None


def test_marks_are_shown_with_other_brackets() -> None:
    assert shown("a <think> b </THINKING>") == "a ‹think› b ‹/THINKING›"
    assert shown("[THINK] ◁/think▷ <|channel|>final<|message|>") == (
        "‹THINK› ‹/think› ‹|channel|›final‹|message|›"
    )
    assert shown("so assistantfinal it is") == "so assistant final it is"
    assert shown("x < 3 [sic] <b>") == "x < 3 [sic] <b>"


def test_stop_sequences_end_answers_and_not_thoughts() -> None:
    assert cut("<think>a\n\nb</think>\n\nB\n\nQ: next", ["\n\n"]) == "<think>a\n\nb</think>\n\nB"
    assert cut("a\n\nb</think>\n\nB\n\nC", ["\n\n"]) == "a\n\nb</think>\n\nB"
    assert cut("<think>a\n\nb", ["\n\n"]) == "<think>a\n\nb"
    assert cut("B\n\nC", ["\n\n", "C"]) == "B"
    assert cut("B", ["", "\n\n"]) == "B"


@pytest.mark.parametrize(
    "part",
    ["<think>", "</think>", '"<think>', "Here is my thought process:", "assistantfinal", "(["],
)
def test_long_replies_of_marks_alone_are_read_in_time(part: str) -> None:
    # Quadratic time would be minutes.
    assert read_reply(part * 40_000) is None or part != "<think>"
