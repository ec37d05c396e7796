from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from otherminds.metrics.debate import parse_prediction
from otherminds.metrics.reply import TAIL

REASONED = "[[ ## reasoning ## ]]\nTheir beliefs point both ways: they agree and disagree.\n\n"
PIECES = st.lists(
    st.one_of(
        st.sampled_from(["agree", "disagree", "Agree", "DISAGREE", " agrees ", "dis-agree"]),
        st.sampled_from(["not ", "might ", " or ", "whether ", "if ", "?", " because ", "Wait, "]),
        st.sampled_from(
            ["[[ ## prediction ## ]]", "[[ ## reasoning ## ]]", "[[ ## completed ## ]]"]
        ),
        st.sampled_from(
            ["Answer: ", "the answer is ", "is my answer", "prediction", "Therefore, "]
        ),
        st.sampled_from(
            ["[[", "]]", "##", "**", "\n", ". ", ", ", "\\boxed{", "}", "(", ")", "- "]
        ),
        st.sampled_from(["<think>", "</think>", "\x00", "\ud800", "\u202e", "| "]),
    ),
    max_size=14,
).map("".join)
ANY = st.text(st.characters(codec=None, exclude_categories=()), max_size=80)
TEXTS = st.one_of(ANY, PIECES)
STANCES = st.sampled_from(["agree", "disagree"])


@pytest.mark.parametrize(
    "form",
    [
        "[[ ## prediction ## ]]\n{}",
        "[[ ## prediction ## ]] {}",
        "[[ ## Prediction ## ]]\n**{}**",
        "**[[ ## prediction ## ]]**\n{}.",
        "[[##prediction##]]: {}",
        "[ [ ## prediction ## ] ]\n{}",
        "[[ prediction ]]\n`{}`",
        "[[ ## prediction ##\n{}",
        "[[ ## prediction ## {}",
        "## Prediction\n{}",
        "### Prediction:\n\n{}",
        "[[ ## prediction ## ]]\n{}\n\n[[ ## completed ## ]]",
        "[[ ## prediction ## ]]\nThe person would {} with the proposition.",
        "[[ ## prediction ## ]]\nstrongly {}",
        "[[ ## prediction ## ]]\n{} (though others might see it otherwise)",
        "[[ ## prediction ## ]]\n{}, because so much speaks for it",
        "[[ ## prediction ## ]]\n\n{}\n\nNothing known of them speaks against it.",
        "As told, I end with [[ ## prediction ## ]].\n\n[[ ## prediction ## ]]\n{}",
        "Prediction: {}",
        "**Prediction:** {}",
        "My prediction is {}.",
        "The answer is {}.",
        "\\boxed{{{}}}",
        "<answer>{}</answer>",
        '{{"prediction": "{}"}}',
        "{}",
        "{}.",
        "**{}**",
        '"{}"',
        "{}\n",
        "They are religious.\n\n{}",
        "{}. They are religious.",
        "{} - as the person is religious",
        "This person would likely {}.",
        "I {} with the following: God exists.",
        "They are religious. This weighs a lot. Therefore, this person would {} with it.",
        "They are religious. Based on this, the person would {}.",
        "<think>agree or disagree?</think>{}",
        "agree, disagree</think>{}",
    ],
)
@pytest.mark.parametrize("before", ["", REASONED])
@pytest.mark.parametrize("stance", ["agree", "disagree"])
def test_a_stated_stance_is_read(form: str, before: str, stance: str) -> None:
    if before and "prediction" not in form:
        before = ""
    for written in (stance, stance.capitalize(), stance.upper()):
        assert parse_prediction(before + form.format(written)) is (stance == "agree")


@pytest.mark.parametrize(
    "text",
    [
        *(None, "", " \n", "yes", "A", "(B)", "agreeable", "lol", "42", "[[ ## ]]"),
        # Cut off.
        "<think>agree",
        REASONED,
        f"{REASONED}[[ ## prediction ## ]]",
        f"{REASONED}[[ ## prediction ## ]]\n",
        f"{REASONED}[[ ## predic",
        "They hold many religious beliefs, so the person would agree with",
        "They are religious. Therefore, the person would agree with",
        "They are religious. They agree with the Bible.",
        "x" * 150 + " they agree with the Bible and " + "x" * 50,
        # Contradictory.
        "agree or disagree",
        "agree / disagree",
        "[[ ## prediction ## ]]\nagree | disagree",
        "[[ ## prediction ## ]]\nagree\ndisagree",
        "[[ ## prediction ## ]] agree\n[[ ## prediction ## ]] disagree",
        "agree\n\nOn the other hand:\n\ndisagree",
        "Answer: agree\nAnswer: disagree, I should say",
        "Agree, disagree, who knows.",
        "neither agree nor disagree",
        # Taken back, negated or in doubt.
        "[[ ## prediction ## ]]\nagree\n\nWait, they are not religious.",
        "Agree. Actually, no.",
        "The answer is agree. On second thought, no.",
        "[[ ## prediction ## ]]\nnot agree",
        "They would not agree.",
        "They don't disagree.",
        "[[ ## prediction ## ]]\nunclear whether they agree",
        "They might agree.",
        "They would agree if it were cheaper.",
        "Would they agree?",
        # A field or an answer is there, but holds neither.
        "[[ ## reasoning ## ]]\nTherefore, they would agree.\n\n[[ ## prediction ## ]]\nperhaps",
        "[[ ## prediction ## ]]\n1",
        "agree\nAnswer: yes",
        "[[ ## prediction ## ]]\nagree\n[[ ## prediction ## ]]\n",
    ],
)
def test_everything_else_is_no_answer(text: str | None) -> None:
    assert parse_prediction(text) is None


def test_a_dialogue_that_the_model_goes_on_with_does_not_count() -> None:
    turn = "[[ ## prediction ## ]]\nagree\n\n[[ ## completed ## ]]\n"
    next_turn = "[[ ## proposition ## ]]\nX\n\n[[ ## prediction ## ]]\ndisagree"
    assert parse_prediction(turn + next_turn) is True
    assert parse_prediction(turn.replace("completed", "confidence") + next_turn) is None


def test_a_final_answer_line_decides_against_earlier_ones() -> None:
    text = "At first sight, the answer is agree, but they are religious.\nAnswer: disagree"
    assert parse_prediction(text) is False


def test_the_end_of_a_long_reply_is_read() -> None:
    long = "They are religious. " * (TAIL // 10)
    assert parse_prediction(f"{long}\n[[ ## prediction ## ]]\ndisagree") is False
    assert parse_prediction(f"{long}\nAnswer: agree") is True
    assert parse_prediction(f"{long}\nagree") is True
    assert parse_prediction(f"agree. {long}") is None
    assert parse_prediction(f"{long} Therefore, they would agree.") is None


@given(TEXTS)
def test_it_never_raises(text: str) -> None:
    assert parse_prediction(text) in (True, False, None)


@given(TEXTS, st.text(" \t\n\r", max_size=5), st.text(" \t\n\r", max_size=5))
def test_surrounding_whitespace_changes_nothing(text: str, before: str, after: str) -> None:
    assert parse_prediction(before + text + after) is parse_prediction(text)


@given(PIECES)
def test_exchanging_the_stances_exchanges_the_answers(text: str) -> None:
    turned = re.sub(
        "(dis-?)?(agree)", lambda m: m[2] if m[1] else f"dis{m[2]}", text, flags=re.IGNORECASE
    )
    value = parse_prediction(text)
    assert parse_prediction(turned) is (None if value is None else not value)


@given(STANCES, STANCES)
def test_two_different_stances_are_never_read(first: str, second: str) -> None:
    for form in ("{} or {}", "{}/{}", "{}, {}", "{}\n{}", "[[ ## prediction ## ]] {} {}"):
        value = parse_prediction(form.format(first, second))
        assert value is None or first == second


@given(TEXTS, STANCES)
def test_a_final_field_wins_over_whatever_the_reasoning_says(thoughts: str, stance: str) -> None:
    safe = thoughts.replace("<", "").replace("[", "").replace("prediction", "").replace("\\", "")
    text = f"[[ ## reasoning ## ]]\n{safe}\n\n[[ ## prediction ## ]]\n{stance}"
    assert parse_prediction(text) is (stance == "agree")
