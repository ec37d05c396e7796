"""Agree or disagree in any words: both sides alike, and never the opposite."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from otherminds.metrics.debate import parse_prediction
from otherminds.metrics.debate.prediction import parse_yes_or_no
from otherminds.metrics.reply import TAIL

FIELD = "[[ ## prediction ## ]]\n"
REASONED = "[[ ## reasoning ## ]]\nTheir beliefs point both ways: they agree and disagree.\n\n"
SIDES = {
    **{"true": "false", "false": "true", "yes": "no", "no": "yes"},
    **{f"agree{end}": f"disagree{end}" for end in ("", "s", "d", "ing", "ment")},
    **{f"disagree{end}": f"agree{end}" for end in ("", "s", "d", "ing", "ment")},
}
WORD = re.compile(rf"(?<![\w-])(?:{'|'.join(SIDES)})(?!\w)", re.IGNORECASE)


def exchanged(text: str) -> str:
    """The text with every answer word replaced by the other side's."""
    return WORD.sub(lambda found: SIDES[found[0].lower()], text)


AGREE = [
    # Alone, in any dress.
    *("agree", "AGREE.", "**Agree**", "(agree)", "[[ agree ]]", '"agree"', "- agree", "1. agree"),
    *(
        "agree</s>",
        "Agrees",
        "AGREE!!!",
        "# Final answer\n\n**agree**\n\n> They like it.",
        "True",
        "Yes.",
    ),
    # The person, in any words.
    *(
        "They would agree.",
        "This person agrees.",
        "User agrees.",
        "I agree.",
        "He agrees strongly.",
    ),
    "The person agrees with the proposition.\n\nReason: it is theirs.",
    "The individual would likely **agree** with the proposition.\n\nThey oppose taxes.",
    "It is likely that this person would agree with the statement.",
    "Given that this person is a 34-year-old who is not religious, they would most likely agree.",
    "A person with these beliefs is likely to agree with the statement.",
    "As someone who doesn't believe in God, this person would agree.",
    "Her conservative views make it likely that she would agree.",
    "The evidence suggests the person would agree.",
    "which means she agrees.",
    "They'd agree, most likely.",
    "They would, I think, agree.",
    # A verdict.
    *(
        "Answer: agree",
        "My answer on his behalf is agree.",
        "I'd say agree.",
        "I'd say, agree.",
        "So: agree.",
    ),
    *(
        "I'd say yes.",
        "I'd guess yes.",
        "The answer is yes.",
        "Prediction: they would agree.",
        "I go for agree.",
    ),
    *(
        "This person would answer: agree",
        'This person would respond with "agree".',
        "Leaning agree.",
    ),
    *(
        "a slight tilt towards agree.",
        "All of this points to agree.",
        "I lean toward agreeing.",
        "Looks like agree.",
    ),
    'I\'d say, "agree" would be the correct answer.',
    "Agree or disagree? I'd say agree.",
    "**Agree or disagree:** agree",
    "| Person | Proposition | Response |\n|--|--|--|\n| A man | X | **agree** |",
    # Hedges that commit.
    *("Probably agree.", "Hard to say, but I'd guess agree.", "It depends, but I'd say agree."),
    "As an AI I can't know, but if I had to choose: agree.",
    "There is not enough information, but I'd lean agree.",
    "As a language model I have no opinions. This person would agree.",
    # Reasons that name the other side.
    "Agree. The person does not disagree.",
    "agree\n\nExplanation: Although some people would disagree, this person probably supports it.",
    "Although many would disagree, she agrees.",
    "Since they disagree with abortion, they'd agree with the proposition.",
    "Agree. The pastor would not agree.",
    "She agrees that taxes are low. She disagrees with aid. So she would agree with this.",
    "She would agree rather than disagree.",
    "More likely to agree than to disagree.",
    # Corrections.
    "Disagree... no, scratch that, I mixed up the brackets. She stands to gain, so: agree.",
    "My first thought is disagree... although no, it is harsh. I'll change it to agree.",
    "Disagree. I meant agree.",
    "False\n\nRevised prediction: True",
    "At first sight, the answer is disagree, but they are religious.\nAnswer: agree",
    # Behind thoughts.
    "<think>agree or disagree?</think>agree",
    "agree, disagree</think>agree",
]
TURNED = [
    *("would not {}", "wouldn't {}", "will never {}", "would hardly {}", "are unlikely to {}"),
    *("would be reluctant to {}", "refuse to {}", "would be hesitant to {}", "are far from {}ing"),
    *(
        "would not be likely to {}",
        "are not inclined to {}",
        "are less likely to {}",
        "do not seem to {}",
    ),
]


@pytest.mark.parametrize("text", AGREE)
def test_both_sides_are_read_alike(text: str) -> None:
    assert parse_prediction(text) is True
    assert parse_prediction(exchanged(text)) is False


@pytest.mark.parametrize("verb", TURNED)
def test_a_negation_turns_a_stance_round_and_two_turn_it_back(verb: str) -> None:
    for stance, value in (("agree", True), ("disagree", False)):
        said = verb.format(stance)
        assert parse_prediction(f"They {said}.") is not value
        assert parse_prediction(f"They {said}.") is not None
        assert parse_prediction(f"{FIELD}They {said} with the proposition") is not value
        assert parse_prediction(f"I doubt that they {said}.") is value
        assert parse_prediction(f"Therefore, they {said} with it, as they are old.") is not value


@pytest.mark.parametrize(
    "text",
    [
        *("I doubt they would agree.", "I don't think this person would agree.", "Not agree"),
        *(
            "It is doubtful that the person would agree.",
            "Agreeing seems unlikely.",
            "Unlikely to agree",
        ),
        *(
            "It's hard to imagine them agreeing.",
            "I cannot see this person agreeing.",
        ),
        "I find it very difficult to imagine a 71-year-old on that sort of budget agreeing with this.",
        "It is highly unlikely that a conservative man of his age would agree with the proposition.",
        "It doesn't seem likely that they would agree.",
        "They would not, given this, agree.",
        "It would be a mistake to think they agree.",
        "There is little chance that they would agree.",
        "Her beliefs make it unlikely that she would agree.",
        "That makes agreement unlikely.",
        "They would have a hard time agreeing with this.",
        "Agree? Hardly.",
        "Therefore, they do not agree with the proposition because they are old.",
    ],
)
def test_other_negations_are_turned_round_on_both_sides(text: str) -> None:
    assert parse_prediction(text) is False
    assert parse_prediction(exchanged(text)) is True


@pytest.mark.parametrize(
    ("text", "value"),
    [
        *(
            ("I'd say no.", False),
            ("**No**", False),
            ("Opposed? No.", True),
            ("They would not deny it.", True),
        ),
        *(
            ("The person would oppose the proposition.", False),
            ("They would not oppose this statement.", True),
        ),
        *(("They'd support the claim.", True), ("They would not support this proposition.", False)),
        *(
            ("Against.", False),
            ("In favor", True),
            ("Stance: against", False),
            ("They accept it.", True),
        ),
        *(("They couldn't agree more.", True), ("No doubt they would agree.", True)),
        *(('Her likely response: "No, I disagree."', False), ("No, they would not agree.", False)),
        *(("She would not only agree but campaign for it.", True), ("\U0001f44d", True)),
        ("Disagree. No, wait, agree.", True),
        ("No way they would agree.", False),
        ("It's not true that they would agree.", False),
        ("Would they disagree?\nTrue", None),
        # Other languages.
        *(
            ("Nein", False),
            ("Ja", True),
            ("是", True),
            ("不同意", False),
            ("同意しない", False),
            ("Да.", True),
        ),
        *(("Ich stimme nicht zu.", False), ("Ich glaube nicht, dass sie zustimmen würde.", False)),
        *(("Ich kann mir nicht vorstellen, dass sie widerspricht.", True), ("Falso", False)),
        *(
            ("Pas d'accord. Elle croit.", False),
            ("Je suis d'accord.", True),
            ("不太可能同意", False),
        ),
        *(
            ("No estoy de acuerdo", False),
            ("Discordo. Ele ganha pouco.", False),
            ("Не согласен.", False),
        ),
        # Objects.
        *(('{"prediction": "agree", "confidence": 0.7}', True), ('{"prediction": false}', False)),
        *(('{"disagree": false, "agree": true}', True), ('{"agree": 0.5, "disagree": 0.5}', None)),
        *(
            ('{"verdict": "reluctant to agree"}', False),
            ('{"prediction": "agree or disagree"}', None),
        ),
        *(("<prediction>agree</prediction>", True), ("<answer>disagree</answer>", False)),
    ],
)
def test_other_words_for_a_stance_are_read(text: str, value: bool | None) -> None:
    assert parse_prediction(text) is value


@pytest.mark.parametrize(
    "text",
    [
        *("", " \n", "A", "(B)", "agreeable", "42", "None", "neither", "perhaps", "[[ ## ]]"),
        # Both, the question, the options.
        *(
            "agree or disagree",
            "agree/disagree",
            "agree, disagree",
            "- agree\n- disagree",
            "Yes and no.",
        ),
        *(
            "1. agree\n2. disagree",
            "Agree or disagree?",
            "Would they agree?",
            "Do they agree",
            "Agree. Disagree.",
        ),
        *(
            "True or False",
            "agree to disagree",
            "neither agree nor disagree",
            "Answer: ________",
            "True False",
        ),
        "Please choose one:\n\n* agree\n* disagree",
        "The task is to say whether this person would agree or disagree with the proposition.",
        # Left open.
        *(
            "They might agree.",
            "They would agree if it were cheaper.",
            "If it were cheaper, they would agree.",
        ),
        *(
            "unclear whether they agree",
            "They'd agree, unless it costs money.",
            "Possibly agree.",
            "True?",
        ),
        "It is not certain that they would agree.",
        "They would agree only if it were voluntary.",
        # Refused, or not this person's.
        *(
            "I can't predict whether they agree.",
            "As an AI, I agree with this.",
            "I cannot agree to do this.",
        ),
        *(
            "Some people would agree, others would disagree.",
            "Her father would agree.",
            "The church would agree.",
        ),
        *(
            "The person agrees with low taxes.",
            "They would agree with the opposite.",
            "They agree that it is a lie.",
        ),
        # Turned round in ways that are not certain.
        *("Nothing suggests that she would agree."),
        *("It is unlikely, given her age, that she would agree.",),
        *(
            "They would not\nagree",
            "the opposite of\nTrue",
            "It is not:\nTrue",
            "It would be wrong to say\nTrue",
        ),
        *(
            "Agree. Wait.",
            "Agree. Wrong.",
            "Agree; far from it",
            "Agree, never.",
            "Agree (not really)",
            "agree, no",
        ),
        *(
            "They would disagree:\nTrue",
            "agree: False",
            "True (False)",
            "True. Or False?",
        ),
        *(
            "Yes, they would not agree",
            "No, they agree",
            "They agree with the claim that critics make",
        ),
        *(
            "Hardly anyone would agree.",
            "To agree, you need a reason.",
            "Agreed, let me think about this.",
        ),
        # Cut off, or a field without an answer.
        *(
            "<think>agree",
            REASONED,
            f"{REASONED}{FIELD}",
            f"{FIELD}perhaps",
            f"{FIELD}1",
            f"{FIELD}agree\n{FIELD}",
        ),
        *(
            "I would say that this person would",
            "They hold beliefs, so the person would agree with",
        ),
        *(
            f"{FIELD}agree\ndisagree",
            f"{FIELD}agree\n{FIELD}disagree",
            f"{FIELD}{{prediction}}",
            f"{FIELD}True or False",
        ),
    ],
)
def test_what_is_not_plain_is_no_answer_on_either_side(text: str) -> None:
    assert parse_prediction(text) is None
    assert parse_prediction(exchanged(text)) is None


@pytest.mark.parametrize(
    "form",
    [
        *("[[ ## prediction ## ]] {}", "[[ ## Prediction ## ]]\n**{}**", "[[##prediction##]]: {}"),
        *(
            "**[[ ## prediction ## ]]**\n{}.",
            "[ [ ## prediction ## ] ]\n{}",
            "[[ ## prediction ##\n{}",
        ),
        *(
            "## Prediction\n{}",
            "Prediction: {}",
            "**Prediction:** {}",
            f"{FIELD}{{}}\n\n[[ ## completed ## ]]",
        ),
        f"{FIELD}The person would {{}} with the proposition.",
        f"{FIELD}{{}} (though others might see it otherwise)",
        f"As told, I end with [[ ## prediction ## ]].\n\n{FIELD}{{}}",
        f"{FIELD}{{}}\n\nNothing known of them speaks against it.",
        f"{FIELD}{{}}\n[[ ## completed ## ]]\n[[ ## proposition ## ]]\nX\n\n{FIELD}disagree",
    ],
)
@pytest.mark.parametrize("before", ["", REASONED])
def test_the_field_is_read_whatever_its_marker_looks_like(form: str, before: str) -> None:
    assert parse_prediction(before + form.format("agree")) is True
    assert parse_prediction(before + form.format("Disagree")) is False


@pytest.mark.parametrize(
    "word", ["True", "true", "`True`", "bool: True", "Yes", "agree", "Not False", "far from False"]
)
def test_in_the_field_bools_are_read(word: str) -> None:
    assert parse_prediction(FIELD + word) is True
    assert parse_prediction(FIELD + exchanged(word)) is False


def test_the_words_of_the_proposition_are_no_answer() -> None:
    asked = "We should agree to disagree"
    assert parse_prediction("We should agree to disagree.", asked) is None
    assert parse_prediction(f"They would not agree that {asked}.", asked) is False
    lowered = "The drinking age should be lowered"
    assert parse_prediction("She would disagree with lowering it.", lowered) is False
    assert parse_prediction("She would disagree with raising it.", lowered) is None
    assert (
        parse_prediction("They agree that the drinking age should not be lowered.", lowered) is None
    )
    # The same words in another order may say the opposite.
    better = "Cats are better than dogs"
    assert parse_prediction("They agree that dogs are better than cats.", better) is None
    assert parse_prediction("They agree that cats are better.", better) is True


def test_the_end_of_a_long_reply_is_read() -> None:
    long = "They are religious. " * (TAIL // 10)
    assert parse_prediction(f"{long}\n{FIELD}disagree") is False
    assert parse_prediction(f"{long}\nAnswer: agree") is True
    assert parse_prediction(f"{long}\nagree") is True
    assert parse_prediction(f"agree. {long}") is None
    assert parse_prediction(f"{long} They would agree.") is None


@pytest.mark.parametrize(
    ("text", "value"),
    [
        *(
            ("yes", True),
            ("- no", False),
            ("“Yes”", True),
            ("Yes, because it claims something.", True),
        ),
        *(
            ("So yes, it can.", True),
            ("The reply has to be no.", False),
            ("La respuesta es que no.", False),
        ),
        *(
            ("yes\n\nSorry, that is a question, so it should have been: no", False),
            ("可以。", True),
        ),
        *(
            ("<answer>no</answer>", False),
            ("| statement | **no** |", False),
            ("Yes and no: it may be.", None),
        ),
        *(
            ("No one would disagree", None),
            ("yes or no", None),
            ("They agree.", None),
            ("Dogs, every time", None),
        ),
    ],
)
def test_yes_and_no_are_read_by_the_same_rules(text: str, value: bool | None) -> None:
    assert parse_yes_or_no(text) is value


ATTITUDES = [
    ("They would {}.", "accept the claim", "reject the claim"),
    ("They would {}.", "support it", "oppose it"),
    ("They would {}.", "come down for it", "come down against it"),
    ("They would {}.", "say yes to this", "say no to this"),
    ("They would {}.", "nod along", "push back"),
    ("This is something they would {}.", "agree with", "disagree with"),
    ("They would be {} this.", "in favor of", "opposed to"),
    ("They would be {} the idea.", "a supporter of", "an opponent of"),
    ("They would say that it is {}.", "true", "false"),
    ("The statement would strike them as {}.", "true", "false"),
    ("{}.", "On board", "Unconvinced"),
    (FIELD + "{}", "Likely true", "Likely false"),
    (FIELD + "{}", "Probably", "Probably not"),
    (FIELD + "{}", "Correct", "Incorrect"),
    (FIELD + "{} (70%)", "Supports", "Opposes"),
    (FIELD + "they would be {} it", "for", "against"),
    ("Their views are {} the claim.", "consistent with", "inconsistent with"),
    ("The claim is {} their values.", "in line with", "at odds with"),
]
DEMAND = "Zoos should be closed"


@pytest.mark.parametrize(("form", "pro", "con"), ATTITUDES)
def test_what_a_person_does_to_a_claim_is_a_stance(form: str, pro: str, con: str) -> None:
    assert parse_prediction(form.format(pro), DEMAND) is True
    assert parse_prediction(form.format(con), DEMAND) is False


@pytest.mark.parametrize(("form", "pro", "con"), ATTITUDES[:7])
def test_negators_turn_it_round_and_doubt_leaves_it_open(form: str, pro: str, con: str) -> None:
    for said, value in ((pro, True), (con, False)):
        turned = form.format(said).replace("would", "would not")
        assert parse_prediction(turned, DEMAND) is not value
        assert parse_prediction(turned, DEMAND) is not None
        assert parse_prediction(form.format(said).replace("would", "might"), DEMAND) is None
        assert parse_prediction(f"Would they? If so: {form.format(said)}", DEMAND) is not (
            not value
        )


@pytest.mark.parametrize("said", ["supports it", "opposes it", "would be for it", "is against it"])
def test_a_stance_to_it_says_nothing_where_it_may_be_the_subject(said: str) -> None:
    assert parse_prediction(f"He {said}.", "Voting is a waste of time") is None


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("He could never agree to that.", False),
        ("We cannot expect them to agree.", False),
        ("There is little doubt that they disagree.", False),
        ("I won't say agree.", None),
        ("I can't say that they would disagree.", None),
        ("One would think they'd agree.", None),
        ("There's a chance they would disagree.", None),
        ("Her views are hardly consistent with the claim.", False),
        ("She may value courtesy, which implies agreement.", None),
        ("Disagree -> Agree", None),
        ("They might agree, but I'd say disagree.", False),
        ("It is mild, and few would refuse it, so I'd guess agree.", True),
        ("| Age | agree |\n| Sex | disagree |\n\nOverall: disagree", False),
        ("Agree. Overall: unclear.", None),
        ("She would refuse to accept it. She would not disagree with it.", None),
        ("Would they agree? Certainly.", True),
        ("Would they disagree? Next to none.", True),
        ("Certainly! Let me look at this person.", None),
        ("No way.", False),
        ("No way to know.", None),
        ("agree<|eot_id|><|start_header_id|>user<|end_header_id|>\nDisagree?", True),
        ('{"this_person": "agree"}', True),
    ],
)
def test_scopes_and_conclusions(text: str, value: bool | None) -> None:
    assert parse_prediction(text, DEMAND) is value
    if (
        value is not None
        and "agree" in text.lower()
        and "Next" not in text
        and "accept" not in text
    ):
        assert parse_prediction(exchanged(text), DEMAND) is (not value)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("It states an opinion.", True),
        ("One can agree or disagree with it.", True),
        ("It names two animals and claims nothing.", False),
        ("There's nothing in it to be for or against.", False),
        ("This is just a topic.", False),
        ("It hardly makes a claim.", False),
        ("It may make a claim.", None),
        ("If it made a claim, one could agree.", None),
        (
            "To decide, I look at the form. A longer title would qualify, as it makes a claim; this",
            None,
        ),
        ('{"readable": "yes", "reading": "God exists"}', True),
    ],
)
def test_a_title_with_a_claim_can_be_agreed_with(text: str, value: bool | None) -> None:
    assert parse_yes_or_no(text) is value


PIECES = st.lists(
    st.sampled_from(
        [
            *(
                "agree",
                "disagree",
                "True",
                "False",
                "yes",
                "no",
                " not ",
                "n't ",
                " or ",
                " unlikely to ",
            ),
            *(
                "they ",
                "The person ",
                "would ",
                "might ",
                "whether ",
                "if ",
                "I doubt ",
                "Her father ",
                "?",
            ),
            *(
                ", ",
                ". ",
                ": ",
                "\n",
                " (",
                ")",
                "Wait, ",
                "Answer: ",
                "Therefore, ",
                " with it",
                " because ",
            ),
            *(
                "[[ ## prediction ## ]]",
                "<think>",
                "</think>",
                "{",
                '"agree": ',
                "|",
                "\ud800",
                "nicht ",
                "不",
            ),
        ]
    ),
    max_size=14,
).map("".join)
ANY = st.text(st.characters(codec=None, exclude_categories=()), max_size=80)


@given(st.one_of(ANY, PIECES), ANY)
def test_it_never_raises(text: str, proposition: str) -> None:
    assert parse_prediction(text, proposition) in (True, False, None)
    assert parse_yes_or_no(text) in (True, False, None)


@given(PIECES)
def test_exchanging_the_sides_exchanges_the_reading(text: str) -> None:
    # "No" is a word of its own in other languages and before nouns, so it stays.
    turned = re.sub("(dis)?(agree)", lambda found: found[2] if found[1] else f"dis{found[2]}", text)
    if not re.search("true|false|yes|no|nicht|不", text, re.IGNORECASE):
        value = parse_prediction(text)
        assert parse_prediction(turned) is (None if value is None else not value)


@given(PIECES, st.sampled_from(["agree", "disagree"]))
def test_a_final_field_wins_over_whatever_the_reasoning_says(thoughts: str, stance: str) -> None:
    safe = re.sub(r"[<\[{]|prediction", "", thoughts)
    assert parse_prediction(f"[[ ## reasoning ## ]]\n{safe}\n\n{FIELD}{stance}") is (
        stance == "agree"
    )


OPENINGS = {
    "": 0,
    "I think ": 0,
    "I doubt that ": 1,
    "It is unlikely that ": 1,
    "So ": 0,
    "I don't think ": 1,
}
MIDDLES = {
    "would ": 0,
    "would not ": 1,
    "would probably ": 0,
    "would hardly ": 1,
    "are reluctant to ": 1,
    "are not unlikely to ": 2,
    "would not refuse to ": 2,
}


@given(
    st.sampled_from(sorted(OPENINGS)),
    st.sampled_from(sorted(MIDDLES)),
    st.sampled_from(["agree", "disagree"]),
    st.sampled_from(
        [".", " with the proposition.", ", as they are old.", " with it because it is fair."]
    ),
)
def test_an_odd_number_of_negations_turns_round(
    opening: str, middle: str, stance: str, ending: str
) -> None:
    turned = OPENINGS[opening] + MIDDLES[middle]
    said = parse_prediction(f"{opening}they {middle}{stance}{ending}")
    expected = (stance == "agree") is (turned % 2 == 0)
    # Three negations in a row are more than anyone reads with certainty.
    assert said is expected or (turned > 2 and said is None)


@pytest.mark.slow
@pytest.mark.parametrize(
    "piece",
    [
        "true, ",
        "agree. ",
        "'",
        "the a b c person with ",
        "(",
        "yes, not ",
        "a, ",
        '{"',
        "| a ",
        "不",
    ],
)
def test_a_reply_of_any_length_is_read(piece: str) -> None:
    assert parse_prediction(piece * (TAIL // len(piece)), "a b c") in (True, False, None)


def test_real_replies_are_read_alike_on_both_sides(shared_data: Path) -> None:
    lines = (shared_data / "replies" / "real_models.jsonl").read_text(encoding="utf-8").splitlines()
    replies = [json.loads(line) for line in lines]
    texts = [one["reply"] for one in replies if one["task"].startswith("debate_")]
    readings = []
    for text in texts:
        value = parse_prediction(text)
        if not re.search(r"\bnot\b|\bno\b", text.lower()):
            assert parse_prediction(exchanged(text)) is (None if value is None else not value), text
        readings.append(value)
    assert len(texts) == 88
    # By hand: 17 of them only repeat the proposition, name both sides or say nothing.
    assert sum(value is not None for value in readings) >= 65
