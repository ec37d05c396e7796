from __future__ import annotations

import json
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from otherminds.metrics.errors import MetricError
from otherminds.metrics.trust_game import SEND_FORMAT, parse_send


@pytest.mark.parametrize(
    ("text", "send"),
    [
        # As asked for.
        ("Finally, I will give 3 dollars.", 3),
        ("Finally, I will give 3 dollars", 3),
        ("Finally, I will give 0 dollars.", 0),
        ("Finally, I will give 10 dollars.", 10),
        ("Belief: they keep it all.\nDesire: …\nFinally, I will give 2 dollars.", 2),
        # Dress.
        ("**Finally, I will give $3 dollars.**", 3),
        ("Finally, I will give **$5**.", 5),
        ("**Finally**, I will give __4__ dollars", 4),
        ("Finally, I will give [6] dollars", 6),
        ("Finally, I will give <6> dollars", 6),
        ('"Finally, I will give 6 dollars."', 6),
        ("Finally, I will give $\\boxed{7}$ dollars.", 7),
        ("FINALLY, I WILL GIVE 8 DOLLARS!", 8),
        ("Finally I will give 8 dollars", 8),
        ("Finally: I'll give 8", 8),
        ("Finally, I\u2019ll give 8", 8),
        ("Finally, I would give 8 dollars", 8),
        ("Finally, I have decided to send 8 dollars", 8),
        ("Finally, I will only give 3 dollars", 3),
        ("Finally,\nI will give\n3 dollars", 3),
        ("Finally, I will give \uff15 dollars", 5),
        ("Finally, I will give 5\u00a0dollars", 5),
        ("Finally, in round 3, I will give 4 dollars", 4),
        ("Finally, as a nurse of 45, I think I will give 4 dollars", 4),
        # Words between and after.
        ("Finally, I will give only 3 dollars", 3),
        ("Finally, I will give a total of $3.50 to the other player.", 3.5),
        ("Finally, I will give all of my 10 dollars.", 10),
        ("Finally, I will give the other player 4 dollars", 4),
        ("Finally, I will give Player 2 4 dollars", 4),
        ("Finally, I will give player B $4", 4),
        ("Finally, I will give you about 4 dollars", 4),
        ("Finally, I will give 4 dollars to Player 2, who may return up to 12.", 4),
        ("Finally, I will give 4 of my 10 dollars", 4),
        ("Finally, I will give 4 dollars and keep 6.", 4),
        ("Finally, I will give 5 (five) dollars", 5),
        ("Finally, I will give 5 dollars and wait to see what they do.", 5),
        # Numbers of all kinds.
        ("Finally, I will give 3.50 dollars", 3.5),
        ("Finally, I will give $.50", 0.5),
        ("Finally, I will give 3.", 3),
        ("Finally, I will give 3.0 dollars", 3),
        ("Finally, I will give three dollars", 3),
        ("Finally, I will give zero dollars", 0),
        ("Finally, I will give nothing.", 0),
        ("Finally, I will give no dollars.", 0),
        ("Finally, I will give none of my money.", 0),
        ("Finally, I will give 007 dollars", 7),
        # Parts and wholes in words.
        ("Finally, I will give half of my 10 dollars.", 5),
        ("Finally, I will give one half of it.", 5),
        ("Finally, I will give everything.", 10),
        ("Finally, I will give everything but one dollar.", 9),
        ("Finally, I will keep 4 and give 6 dollars.", 6),
        ("Finally, I will not give any money.", 0),
        # The last one counts, and so does a correction.
        ("Finally, I will give 5 dollars. Wait, actually I will give 2.", 2),
        ("Finally, I will give 3 dollars. Or rather: Finally, I will give 5 dollars.", 5),
        ("I must end with 'Finally, I will give ___ dollars'.\nFinally, I will give 2 dollars.", 2),
        # Without the first word.
        ("I have $10 and they get 30. I will give 4 dollars.", 4),
        ("I have 10 dollars.\nI'll give $4 to them.", 4),
        ("With 10 dollars in hand: I will give 4 dollars because I am careful.", 4),
        # Reasoning.
        ("<think>Finally, I will give 9 dollars</think>Finally, I will give 2 dollars", 2),
        ("So 9 it is</think>Finally, I will give 2 dollars", 2),
    ],
)
def test_closing_sentence(text: str, send: float) -> None:
    assert parse_send(text, 10) == send


@pytest.mark.parametrize(
    "text",
    [
        "Finally, I will give ___ dollars.",
        "Finally, I will give two thirds of the 10 dollars",
        "Finally, I will give one-third of it, 3.33 dollars",
        "Finally, I will give one quarter.",
        "Finally, I will give ... dollars. With 7 in mind.",
        "Finally, I will give -3 dollars",
        "Finally, I will give -$3",
        "Finally, I will give \u22123 dollars",
        "Finally, I will give minus 3 dollars",
        "Finally, I will give 11 dollars",
        "Finally, I will give 10.01 dollars",
        "Finally, I will give 1,000 dollars",
        "Finally, I will give 3,50 dollars",
        "Finally, I will give 1.2.3 dollars",
        "Finally, I will give 1e3 dollars",
        "Finally, I will give 1e-3 dollars",
        "Finally, I will give 0x5 dollars",
        "Finally, I will give NaN dollars",
        "Finally, I will give inf dollars",
        "Finally, I will give 50% of it",
        "Finally, I will give 5 percent",
        "Finally, I will give 5 cents",
        "Finally, I will give 3/10 of it",
        "Finally, I will give 3-5 dollars",
        "Finally, I will give 3 \u2013 5 dollars",
        "Finally, I will give 3 to 5 dollars",
        "Finally, I will give 3 or maybe 4 dollars",
        "Finally, I will give three or four dollars",
        "Finally, I will give 3 dollars or 5 dollars",
        "Finally, I will give 5 + 2 dollars",
        "Finally, I will give 5 hundred dollars",
        "Finally, I will give one and a half dollars",
        "Finally, I will give up to 3 dollars",
        "Finally, I will give at least 3 dollars",
        "Finally, I will give more than 3 dollars",
        "Finally, I will give no more than 3 dollars",
        "Finally, I will give back 3 dollars",
        "Finally, I will not give 3 dollars",
        "Finally, I might give 3 dollars",
        "Finally, I do not think I will give 3 dollars",
        "Finally, if they are kind, I will give 3 dollars",
        "Finally, I will never give 3 dollars",
        "Finally, I will give 3 dollars. Finally, I will give ___ dollars.",
        "Finally, I will give half of my 5 dollars",
        "Finally, I will give 5 dollars or, otherwise, 3 dollars",
        "Finally, I will give [amount] dollars",
        "Finally, I will give 1 dollars. Finally, I will give 2 dollars. Finally, I will "
        "give 3 dollars.",
        "<think>Finally, I will give 9 dollars",
        "Finally, I will give 3 dollars<think>no",
    ],
)
def test_a_closing_sentence_that_names_no_send_decides(text: str) -> None:
    # The 4 of the last line would be taken by the paper's rule, were there no closing sentence.
    assert parse_send(text, 10) is None
    assert parse_send(f"{text}\n4", 10) is None


@pytest.mark.parametrize(
    ("text", "send"),
    [
        ("3", 3),
        ("$3", 3),
        ("**$3**", 3),
        ("[3]", 3),
        ("3.00", 3),
        ("3.50", 3.5),
        ("$3.00 it is", 3),
        ("five", 5),
        ("Nothing.", 0),
        ("EVERYTHING", 10),
        ("half", 5),
        ("My send is 4 dollars, which leaves 6.", 4),
        ("I have 10 dollars, of which 4 go to them.", 4),
        ("Send: 4.", 4),
        ("Decision \u2014 4", 4),
        ("\u0663 dollars", 3),
        ("\\boxed{4}", 4),
        ("1", 1),
        ("1.", 1),
        ("They return little.\n\n**4 dollars**\n\nThat is my choice.", 4),
        # Only a part of what is written.
        ("-3", None),
        ("- 3", None),
        ("-$3", None),
        ("1e3", None),
        ("1,000", None),
        ("50%", None),
        ("3 to 5", None),
        ("5 + 2", None),
        ("4?", None),
        ("over 4 dollars", None),
        ("M3 gives back 3", None),
        ("Version 2.5.1", None),
        ("1. Belief: they share. 2. Desire: gain.", None),
        # Off the scale.
        ("11", None),
        # Nothing.
        ("", None),
        ("   \n", None),
        (None, None),
        ("NaN", None),
        ("Infinity", None),
        ("I refuse to play.", None),
    ],
)
def test_an_amount_alone_or_under_a_label(text: str | None, send: float | None) -> None:
    assert parse_send(text, 10) == send


@pytest.mark.parametrize(
    ("text", "send"),
    [
        ("I'm going to keep 8 dollars and give 2.", 2),
        ("I'd keep $7 for myself and send the rest.", 3),
        ("$6 for me, $4 for them.", 4),
        ("I won't give anything this round.", 0),
        ("Action: hold on to all of it.", 0),
        ("Thought: $3 came back.\nAction: one more dollar than last time, so 8.", 8),
        ("In round 1 I gave 5. In round 2 I gave 7. Now I'll give 4.", 4),
        ("If I give $5, they get $15 and may return $7. So I will give 6 dollars.", 6),
        ("I'd give $10 but that is too risky. I'll give $4.", 4),
        ("I cannot play this role, but if I had to choose: 5 dollars.", 5),
        ("5 seems right.", 5),
        ('{"received": 15, "amount": 4, "reason": "They sent $3."}', 4),
        ('{"Thought": "They give back $3.", "Action": "I will give 5 dollars."}', 5),
        (
            "| Round | I gave | They returned |\n|---|---|---|\n| 1 | $5 | $3 |\n| 2 | **$2** | ? |",
            2,
        ),
        # Other languages.
        ("Ich glaube, sie gibt 4 Dollar zurück. Deshalb gebe ich 6 Dollar.", 6),
        ("Je pense qu'il me rendra 5 dollars, donc je donne 3 dollars.", 3),
        ("En la ronda 1 di 5 dólares y me devolvió 3. Ahora doy dos dólares.", 2),
        ("В первом раунде я дал 5 долларов. Теперь дам 2 доллара.", 2),
        ("如果我给5美元,对方得到15美元。我决定给对方三美元。", 3),
        ("前回は5ドル渡しましたが、今回は2ドルを渡します。", 2),
        ("저는 5달러를 주겠습니다.", 5),
        ("Son olarak 3 dolar vereceğim.", 3),
        ("سأعطي 5 دولارات.", 5),
    ],
)
def test_sentences_that_give(text: str, send: float) -> None:
    assert parse_send(text, 10) == send


@pytest.mark.parametrize(
    "text",
    [
        # The rules, whole and cut off.
        "In this game, the first person has $10 and decides to give it to the second person.",
        "The first person has $10 and decides to give $5 to the second person, who then has $15.",
        "The first person has $10 and decides how much",
        "I start with $10. The second person gets three times what I give, so $30 if I give all of it.",
        "Action: The first person decides how much of the $10 to pass on.",
        "Say how much you are going to give in round 3 of 6.",
        "Finally, the second person will give 3 dollars.",
        # What others get, give and think; earlier rounds.
        "They receive $15.",
        "I get back $5.",
        "I gave $5 in round 1 and got $3 back. I gave $7 in round 2 and got $3 back.",
        "My wife thinks I should give 10 dollars.",
        "Most people give around $5.",
        "I usually give $5 to charity.",
        '{"received_by_other": 15, "returned": 3, "action": null}',
        # Conditions, questions, doubts, denials and several.
        "If I give $5, they get $15.",
        "Should I give 5?",
        "I might give 5 dollars.",
        "I'm not comfortable giving 5 dollars.",
        "I would never send $10 to a stranger.",
        "I'd go with somewhere between 2 and 4 dollars.",
        "I would offer something like 10 to 20 dollars, and certainly not the full 44.",
        "I could give 5, or maybe 6.",
        "I will give 5 minutes of thought to my 7 dollars.",
        "1\n2\n3\n4",
        "如果我给5美元,对方得到15美元。",
    ],
)
def test_amounts_that_nobody_gives_now(text: str) -> None:
    assert parse_send(text, 44) is None


def test_thousands_fit_a_large_endowment() -> None:
    assert parse_send("Finally, I will give 1,000 dollars", 1_000) == 1_000
    assert parse_send("Finally, I will give 1,234.50 dollars", 5_000) == 1_234.5
    assert parse_send("Finally, I will give 44 dollars", 44) == 44
    assert parse_send("Finally, I will give 44.01 dollars", 44) is None


@pytest.mark.parametrize(
    "text",
    [
        "Finally, I will give " + "9" * 19_000 + " dollars",
        "9" * 100_000,
        "Finally, I will give 0." + "0" * 15_000 + "1e9 dollars",
        "Finally, I will give " + "of my " * 15_000,
        "Finally, I " * 9_000,
        "finally I I I I I I I I I I " * 700,
        "finally, I will give " * 5_000,
        "I will give the player 2 " * 4_000,
        "Finally, I will give " + "(" * 90_000,
        "1," * 50_000,
        "-" * 100_000 + "3",
        "3" + " " * 90_000 + "x",
        "I keep 5 " * 9_000,
        "half of my " * 9_000,
        "five hundred " * 9_000,
        "I think I'll probably now only just " * 2_500,
        "ich gebe " * 9_000,
        "| 5 | 6 |\n" * 9_000,
        '{"amount": 1,' * 9_000,
        "\x00\ud800 Finally, I will give \ud800 dollars",
    ],
    ids=lambda text: ascii(text[:30]),
)
def test_hostile_replies_are_failures(text: str) -> None:
    assert parse_send(text, 10) is None


def test_only_the_end_of_a_long_reply_is_read() -> None:
    filler = "word " * 6_000
    assert parse_send(f"{filler} Finally, I will give 3 dollars.", 10) == 3
    # What is first in the end is not first in the reply.
    assert parse_send(f"7 {filler} 3", 10) is None


@given(st.text())
def test_any_text(text: str) -> None:
    send = parse_send(text, 10)
    assert send is None or 0 <= send <= 10


@given(st.text(alphabet="finally, I wgve0123456789.$-e%\n", max_size=60), st.floats(0, 100))
def test_any_text_of_the_right_letters(text: str, amount: float) -> None:
    for written in (text, f"Finally, I will give {text} dollars", f"{text}{amount}"):
        send = parse_send(written, 44)
        assert send is None or 0 <= send <= 44


@given(st.integers(0, 4_400))
def test_every_amount_in_cents_is_read(cents: int) -> None:
    for written in (f"{cents / 100:.2f}", json.dumps(cents / 100)):
        assert parse_send(f"Finally, I will give ${written} dollars.", 44) == cents / 100


@pytest.mark.parametrize("endowment", [0, -1, math.nan, math.inf])
def test_bad_endowment(endowment: float) -> None:
    with pytest.raises(MetricError, match="Endowment"):
        parse_send("3", endowment)


def test_the_format_can_be_shown() -> None:
    assert "Finally, I will give ___ dollars" in SEND_FORMAT
    assert " ".join(SEND_FORMAT.split()) == SEND_FORMAT


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Finally, I will give 3 dollars.", 3.0),
        ("Finally, I will give 3.0 dollars.", 3.0),
        ("Finally, I will give $3.00 dollars.", 3.0),
        ("Finally, I will give 3.5 dollars.", None),
        ("Finally, I will give 2.01 dollars.", None),
        ("Finally, I will give nothing.", 0.0),
    ],
)
def test_only_whole_dollars_can_be_sent_where_fractions_are_not_allowed(
    text: str, expected: float | None
) -> None:
    # Neither rounded nor cut off: it is another answer than one that was allowed.
    assert parse_send(text, 10, whole=True) == expected
    assert parse_send(text, 10) is not None


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Intention: of my ten I hold back 3 and the other seven go across the table.", 7),
        ("Not a cent of the ten remains with me.", 10),
        ("Put me down for a buck.", 1),
        ("Action: continue the ladder. I give 7 + 2 = 9 bucks.", 9),
        ("A fiver.", 5),
        # "On" is a number in Turkish.
        ("So it lands on $8.", 8),
        ("Round | Gave | Got back\n1 | 4 | 1\n2 | 6 | 1\n3 | 2 (planned) | ?", 2),
        # Nobody gives these now, or nobody says which.
        ("Perhaps 5, perhaps 6. I'd have to flip a coin.", None),
        ("In round 1 my contribution was 4, in round 2 it was 6.", None),
        ("Action: the second person gets 15 and hands 5 over to me.", None),
        ("I'm sorry, as a language model I hold no money. Senders give around $5.", None),
        ("Action: no gift above 3.", None),
        ("A share of 4 becomes 12. A share of 5 becomes 15.", None),
        ("I hope that 6 comes across to me.", None),
        ("In the two rounds $5 and $7 were sent, and each time $3", None),
    ],
)
def test_amounts_in_other_words(text: str, expected: float | None) -> None:
    assert parse_send(text, 10, whole=True) == expected


@pytest.mark.parametrize("text", ["three dollars and fifty cents", "three and a half dollars"])
def test_parts_of_a_dollar_in_words(text: str) -> None:
    assert parse_send(f"I will give {text}.", 10) == 3.5
    assert parse_send(f"I will give {text}.", 10, whole=True) is None
