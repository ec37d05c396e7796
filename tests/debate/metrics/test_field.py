"""The prediction field: True or False, agree or disagree, yes or no, and never the opposite."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from otherminds.metrics.debate import parse_prediction
from otherminds.metrics.reply import TAIL

FIELD = "[[ ## prediction ## ]]\n"
SIDES = {
    **{"true": "false", "false": "true", "yes": "no", "no": "yes"},
    **{f"agree{end}": f"disagree{end}" for end in ("", "s", "d", "ing", "ment")},
    **{f"disagree{end}": f"agree{end}" for end in ("", "s", "d", "ing", "ment")},
}
WORD = re.compile(rf"(?<![\w-])(?:{'|'.join(SIDES)})(?!\w)", re.IGNORECASE)

PIECES = st.lists(
    st.sampled_from(
        [
            *("True", "False", "true", "yes", "No", "agree", "disagree", "agrees", "disagreement"),
            *(" not ", " or ", " and ", " but ", " unlikely to ", " would ", "The person ", "if "),
            *(
                " with the proposition",
                " with",
                " that ",
                " because ",
                " positive",
                "they ",
                "n't ",
            ),
            *(
                ", ",
                ". ",
                ": ",
                "; ",
                " - ",
                "\n",
                " (",
                ")",
                "?",
                "/",
                "= ",
                '"',
                "**",
                "`",
                "bool",
            ),
            *("However, ", "Based on this, ", "the opposite", "Wait, ", "is ", "do ", "I doubt "),
        ]
    ),
    max_size=9,
).map("".join)


def exchanged(text: str) -> str:
    """The text with every answer word replaced by the other side's."""
    return WORD.sub(lambda found: SIDES[found[0].lower()], text)


def reading(text: str) -> bool | None:
    return parse_prediction(FIELD + text)


@pytest.mark.parametrize(
    "text",
    [
        *("True", "true", "TRUE", "`True`", "**True**", '"True"', "'True'", "[True]", "(True)"),
        *("True.", "True\n\n[[ ## completed ## ]]", "bool: True", "bool = True", "\\boxed{True}"),
        *(
            "<answer>True</answer>",
            "```python\nTrue\n```",
            "prediction: bool = True",
            "Yes",
            "yes.",
        ),
        *("**Yes**", "agree", "AGREE", "Agrees.", "in agreement", "strongly agree", "likely agree"),
        "The prediction is True.",
        "The person's prediction is yes",
        "I predict that the person would agree.",
        "The person is more likely to agree.",
        "They'd agree with the proposition",
        "Based on their beliefs, the person would agree.",
        "The person would agree with the proposition that taxes are theft.",
        "Given that they are not religious, the person would agree with the statement.",
        "True, as they are not religious",
        "True, they are not religious.",
        "True because nothing else is known",
        "True - they do not eat meat",
        "True: the person would likely agree with the proposition.",
        "True (agree)",
        "agree (though others might see it otherwise)",
        "True, agree",
        "Yes, they would agree.",
        "Yes, they would not disagree.",
        "True. They would not disagree with it.",
        "True\n\nThe person is religious and would not disagree.",
        "agree\nThe person would agree.",
        "They are not religious.\nagree",
        "The prediction:\nTrue",
        "bool\nTrue",
        "True, not only because they are religious",
        # What stands behind the answer is a reason, or says the same again.
        "True\n\nThe person does not believe it is false.",
        "Agree. They are unlikely to disagree.",
        "Agree\n\nThe person disagrees with abortion, so they back this.",
        "Agree. Yes, they are religious.",
        "True, no information is given otherwise.",
        "True. They see nothing wrong in it.",
        "True. The person feels sorry for animals.",
        "True. They hold that taxes should be lower.",
        "True\n\nIt is true that they are old.",
        "True\nConfidence: high",
        "Agree. The person does not disagree.",
        "Yes, the person would likely not disagree.",
        # The proposition with its content, and the statement without its subject.
        'The person would agree with the statement "Taxes are theft".',
        "They agree with the statement: taxes are theft.",
        "The person would agree with the proposition, being religious.",
        "Would most likely agree.",
        "Would agree with the proposition.",
        "My prediction is the person would agree.",
        # A determiner is no answer.
        "No direct information is given, but the person is religious.\n\nTrue",
        "Yes direct information is given, but the person is religious.\n\nTrue",
        "No specific beliefs are listed. True.",
        "No known beliefs bear on this. Based on demographics, the person would agree.",
    ],
)
def test_both_sides_are_read_alike(text: str) -> None:
    assert reading(text) is True
    assert reading(exchanged(text)) is False


@pytest.mark.parametrize(
    "text",
    [
        # Turned round: reading the last word alone would give the opposite.
        *("not agree", "not True", "unlikely to agree", "hardly agree", "less likely to agree"),
        *(
            "cannot agree",
            "no agreement",
            "lack of agreement",
            "nobody would agree",
            "I doubt they agree",
        ),
        *("far from agreement", "anything but agree", "fails to agree", "too religious to agree"),
        "The person doesn't agree",
        "It is false that they would agree",
        "It would surprise me were they to agree",
        "The person would refuse to agree",
        "agree with the opposite",
        "agrees that the proposition is false",
        "agree with neither side",
        "agree that it is a lie",
        "agree with the claim that the proposition is false",
        "I agree with the following: taxes are theft.",
        # What comes before the answer may be the beginning of its sentence.
        *(
            "not\nagree",
            "They would most likely not\nagree with the proposition.",
            "unlikely to - agree",
        ),
        *(
            "They would not, given this, agree",
            "unlikely (very) agree",
            "It is unlikely that they\nagree",
        ),
        # A word that goes on.
        *(
            "True positive",
            "True negative: they agree",
            "Truely",
            "untrue",
            "agreeable",
            "non-agree",
        ),
        *("No doubt", "No known beliefs bear on it", "yes-man", "true-false", "trueFalse"),
        # Both, limited or in doubt.
        *(
            "True or False",
            "True/False",
            "True False",
            "agree to disagree",
            "agree more than disagree",
        ),
        *(
            "True, unless it costs money",
            "agree, but not strongly",
            "agree (not really)",
            "agree; not",
        ),
        *(
            "True?",
            "True if it were cheaper",
            "possibly agree",
            "as likely to agree as not",
            "50% agree",
        ),
        "Prediction (True/False): False",
        # Said otherwise later.
        *(
            "True (False)",
            "True. The person would disagree.",
            "True\nFalse",
            "agree - no",
            "True, False",
        ),
        "agree. However, given their religion, they would disagree.",
        "agree. They would not agree with the proposition.",
        "True. Wait, they are religious.",
        *(
            "Yes, unlikely to agree",
            "Yes, they would not agree",
            "No, they agree",
            "False: they agree",
        ),
        "True. However, others would say False.",
        # Corrected.
        *("False. It should be True.", "True. I mean False.", "Disagree. I meant agree."),
        *("True (should be False)", "True... no, False", "True\n\nRevised prediction: False"),
        *(
            "False\n\nI need to correct this: True",
            "Agree. Sorry, disagree with it.",
            "True. Oops.",
        ),
        *(
            "Agree. Change that to disagree.",
            "Agree. Make it disagree, as they are old.",
            "True -> False",
        ),
        *("Agree. Not true.", "True. Not true.", "True\n\nThe person doesn't believe it is true."),
        *(
            "Agree. The pastor would not agree.",
            "Agree. They are unlikely to agree.",
            "True. Or False?",
            "True. Or no?",
        ),
        *("Agree. That answer is wrong.", "True, on closer look not", "Agree, which is wrong"),
        *(
            "Agree (or rather False)",
            "Yes. No, they are religious",
            "Agree. It should be disagree with it",
        ),
        # The opposite inside one statement.
        *(
            "Yes, no",
            "agree, no",
            "Agree; far from it",
            "True - no",
            "Agree, by no means",
            "Yes and no",
        ),
        *("Agree, the opposite.", "Agree. Never.", "Agree. Wrong.", "~~True~~ False"),
        # About something else than the proposition.
        "They would agree with the statement's critics",
        "agree with the statement being ridiculous",
        "would agree with the claim's opponents",
        "They agree with the statement that it is absurd",
        "They agree with the claim that critics make",
        "The person would agree with it were it cheaper",
        # Questions.
        *("Would this person agree with the proposition", "Do they agree", "Is the answer True"),
        *(
            "So will the person agree with it",
            "Does the person agree? True",
            "Would they agree: True",
        ),
        # Yes and no that answer, before another answer.
        *("Yes they have evidence.\n\nFalse", "No they would not.\n\nTrue", "No way.\n\nTrue"),
        *("No\u2014they are young.\n\nTrue", "No, no information.\n\nTrue", "No.\n\nTrue"),
        # A key and its value may mean either.
        *("agree: True", "agree: False", "agrees: no", "disagree: True"),
        # Nothing.
        *("", "42", "A", "neither", "against", "None", "null", "perhaps"),
    ],
)
def test_what_is_not_plain_is_no_answer_on_either_side(text: str) -> None:
    assert reading(text) is None
    assert reading(exchanged(text)) is None


@pytest.mark.parametrize(
    "text",
    [
        "Prediction: {}",
        "**Prediction:** {}",
        "## Prediction\n{}",
        '{{"reasoning": "They are religious.", \n"prediction": {}}}',
        "[[ ## reasoning ## ]]\nNo. It is false to say yes.\n\n[[ ## prediction ## ]]\n{}",
        "[[ ## prediction ## ]] {}\n[[ ## completed ## ]]\n[[ ## prediction ## ]] maybe",
    ],
)
def test_the_label_of_the_field_may_be_written_in_other_ways(text: str) -> None:
    assert parse_prediction(text.format("True")) is True
    assert parse_prediction(text.format("False")) is False


@pytest.mark.parametrize(
    "text",
    [
        *("True", "True.", "**True**", "`true`", "Answer: True", "Final answer: True", '"True"'),
        *(
            "\\boxed{True}",
            "<answer>True</answer>",
            "The final answer is True.",
            "My prediction: True",
        ),
        *(
            "Answer (True or False): True",
            "Answer: True.\nConfidence: 80%",
            "Final answer: \\text{True}",
        ),
        *("They are religious.\n\nTrue", "They are religious.\n**True.**", "They like it:\nTrue"),
        *("They would disagree.\n\nTrue", "agree\nTrue", "Answer: True\nAgree"),
    ],
)
def test_outside_the_field_a_lone_bool_is_read_behind_a_mark_and_on_the_last_line(
    text: str,
) -> None:
    assert parse_prediction(text) is True
    assert parse_prediction(exchanged(text)) is False


@pytest.mark.parametrize(
    "text",
    [
        *(
            "yes",
            "They are old.\n\nyes",
            "Answer: yes",
            "It is true.",
            "True?",
            "True: they are old",
        ),
        *("Answer: True?", "Answer: True or False", "Answer: not True", "Answer: True, maybe"),
        *(
            "Answer: True because they are old",
            "The answer is true to their beliefs",
            "Wrong answer: True",
        ),
        *(
            "True\n\nThey are old and poor.",
            "They hold this to be true",
            "It would be wrong to say\nTrue",
        ),
        # Another answer beside it.
        *("agree\nFalse", "True\nFalse", "Answer: True\nDisagree", "Answer: True\nWait, no"),
        *("Answer: agree\nThey are old.\n\nFalse", "Disagree. They are old.\n\nTrue"),
        # The line before may turn it round.
        *(
            "They would not\nTrue",
            "They would not\nagree",
            "the opposite of\nTrue",
            "It is not:\nTrue",
        ),
        *("Would they disagree?\nTrue", "They would disagree:\nTrue", "False,\nTrue"),
        "Question: Do they disagree?\nAnswer: True",
    ],
)
def test_outside_the_field_any_other_bool_says_nothing(text: str) -> None:
    assert parse_prediction(text) is None
    assert parse_prediction(exchanged(text)) is None


@given(PIECES, st.sampled_from(["", "Answer: ", "Final answer: ", "Would they agree?\n"]))
def test_outside_the_field_exchanging_the_sides_exchanges_the_reading(text: str, mark: str) -> None:
    value = parse_prediction(mark + text)
    assert parse_prediction(exchanged(mark + text)) is (None if value is None else not value)


@given(
    st.sampled_from(["True", "agree", "Yes"]),
    st.sampled_from([". ", "\n", " (", " - ", "; ", "! "]),
    PIECES,
    st.sampled_from(["False", "disagree", "no"]),
)
def test_the_other_answer_at_the_end_is_never_passed_over(
    first: str, gap: str, between: str, last: str
) -> None:
    # A denial in front may make the other answer the same one: "True. Not false."
    assume(not re.search("not|n't|unlikely", between))
    assert reading(f"{first}{gap}{between} so {last}") is None


@given(PIECES, st.sampled_from(["not", "unlikely to", "hardly", "never", "doubtfully", "far from"]))
def test_a_word_that_turns_round_is_never_passed_over(before: str, turning: str) -> None:
    for word in ("agree", "disagree", "True", "False"):
        text = f"{before}{turning} {word}"
        # What stands before may be an answer of its own; the turned word alone never is.
        assert reading(text) in (reading(before), None)


@given(st.text(st.characters(codec=None, exclude_categories=()), max_size=60))
def test_it_never_raises(text: str) -> None:
    assert reading(text) in (True, False, None)


@pytest.mark.parametrize(
    "piece", ["true, ", "agree. ", "-", "the ", "based on ", "(", "i'd ", "\n- agree", "yes, not "]
)
def test_a_field_of_any_length_is_read(piece: str) -> None:
    assert reading(piece * (TAIL // len(piece))) in (True, False, None)


def test_real_replies_in_the_field_are_read_alike_on_both_sides(shared_data: Path) -> None:
    lines = (shared_data / "replies" / "real_models.jsonl").read_text(encoding="utf-8").splitlines()
    replies = [json.loads(line) for line in lines]
    texts = [one["reply"] for one in replies if one["task"].startswith("debate_")]
    read = 0
    for text in texts:
        value = reading(text)
        assert reading(exchanged(text)) is (None if value is None else not value), text
        read += value is not None
    assert len(texts) == 88
    assert read > 50
