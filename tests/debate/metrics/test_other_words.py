"""A stance that is told in other words than "She would agree": both sides, and what tells none."""

from __future__ import annotations

import pytest

from otherminds.metrics.debate import parse_prediction
from otherminds.metrics.debate.prediction import parse_yes_or_no

BAN = "Schools should ban smartphones"
TAXES = "Taxes are too high"
CATS = "Cats are better than dogs"


@pytest.mark.parametrize(
    ("pro", "con"),
    [
        ("That leaves agree.", "That leaves disagree."),
        ("Put her down as a yes.", "Put her down as a no."),
        ("I'd call this one an agree.", "I'd call this one a disagree."),
        ("My money is on agreement here.", "My money is on disagreement here."),
        ("I'd say a 75% chance of agreement.", "I'd say a 75% chance of disagreement."),
        ("He runs a shop, so he's a yes here.", "He runs a bank, so he's a no here."),
        ("Given her age she would agree.", "Given her age she would disagree."),
        ("He would agree on principle.", "He would disagree on principle."),
        ("Agreement is what I'd predict.", "Disagreement is what I'd predict."),
        ("She's likely to end up agreeing.", "She's likely to end up disagreeing."),
        ("Such a claim would sit well with her.", "Such a claim would not sit well with her."),
        ("She'd laugh and say it's true.", "She'd laugh and say it's false."),
        ("I'd be astonished if he disagreed.", "I'd be astonished if he agreed."),
        ("It would be odd for a nurse not to agree.", "It would be odd for a nurse to agree."),
        ("Count her among the supporters.", "Count her among the opponents."),
        ("That is a view he shares.", "That is a view he rejects."),
        ("Thumbs up from this person.", "Thumbs down from this person."),
        ("Isn't she likely to agree? Yes.", "Isn't she likely to agree? No."),
        ("Would they agree? She would.", "Would they agree? She would not."),
    ],
)
def test_both_sides_are_read_in_the_same_words(pro: str, con: str) -> None:
    assert parse_prediction(pro, TAXES) is True
    assert parse_prediction(con, TAXES) is False


@pytest.mark.parametrize(
    ("reply", "proposition", "agrees"),
    [
        ("She would welcome a smartphone ban.", BAN, True),
        ("He would oppose banning smartphones in schools.", BAN, False),
        ("She'd gladly see smartphones banned.", BAN, True),
        ("They'd have no problem saying that taxes are too high.", TAXES, True),
        ("He always prefers cats to dogs.", CATS, True),
        ("She would choose dogs over cats.", CATS, False),
        ("She would not choose cats over dogs.", CATS, False),
        # Something else than the proposition, or less than all of it.
        ("She would be against a ban on books.", BAN, None),
        ("She supports schools.", BAN, None),
        ("He'd support a ban if the schools asked for it.", BAN, None),
        ("She thinks that taxes are too high.", TAXES, None),
        ("He prefers books about cats.", CATS, True),
        ("He prefers cats or dogs.", CATS, None),
    ],
)
def test_what_a_stance_is_taken_to(reply: str, proposition: str, agrees: bool | None) -> None:
    assert parse_prediction(reply, proposition) is agrees


@pytest.mark.parametrize(
    ("reply", "agrees"),
    [
        ("Many liberals agree with this, but he isn't one of them.", False),
        ("Most conservatives oppose this proposition. He is no exception.", False),
        ("Most conservatives oppose this proposition. He is an exception.", True),
        ("Many liberals disagree, and he may be one of them.", None),
        ("Conservatives agree with this. Is he a conservative?", None),
    ],
)
def test_a_person_is_in_a_group_or_not(reply: str, agrees: bool | None) -> None:
    assert parse_prediction(reply, TAXES) is agrees


@pytest.mark.parametrize(
    "reply",
    [
        "Never. Let me restart.",
        "His brother leans towards agreement.",
        "Not everything points to agreement.",
        "The evidence that points to agreement is as strong as the evidence against.",
        "The balance may tip toward agreement.",
        "I need her income before I put her down as a yes.",
        "Some would put him down as a yes, some as a no.",
        "A teacher would be for it, a pupil against it.",
        "It would take a lot to bring him to agree, but it is possible.",
        "First I thought agree, then disagree, and now I cannot decide.",
        "Yes, this is a hard one.",
        "Her husband would agree.",
        "The people she would agree with are on the left.",
    ],
)
def test_what_tells_no_stance(reply: str) -> None:
    assert parse_prediction(reply, BAN) is None


@pytest.mark.parametrize(
    ("reply", "verdict"),
    [
        ("A reader can take a side on that, so it qualifies.", True),
        ("There is nothing in it to take a side on, so it does not qualify.", False),
        ("I don't think a person could agree or disagree with it, so I'd say no.", False),
        ("I would answer in the affirmative.", True),
        ("I would answer in the negative.", False),
        ("Not debatable: the title is a greeting.", False),
        ("Debatable indeed.", True),
        ("I don't think that anyone can agree with it.", False),
    ],
)
def test_titles_are_judged_in_other_words(reply: str, verdict: bool) -> None:
    assert parse_yes_or_no(reply) is verdict
