"""The measure itself: counts, intervals and refusals, by hand."""

from __future__ import annotations

import sys
from typing import Any

import pytest

from tests.replies.corpus import FORMS, Answer, Reply, load
from tests.replies.measure import (
    Share,
    Tally,
    lines,
    main,
    measure,
    misread,
    parts,
    pooled,
    readers_of,
)


def _reply(text: str, answer: Any, **changed: Any) -> Reply:
    line = {
        # Of the open half.
        "id": "t-1",
        "form": "debate_direct",
        "ask": {"proposition": "Naps should be paid", "wants": "one word"},
        "reply": text,
        "answer": answer,
        "source": "written",
        "writer": 1,
    }
    return Reply.model_validate(line | changed)


def _first_word(reply: Reply) -> Answer:
    return {"yes": "agree", "no": "disagree"}.get(reply.reply.split()[0].strip(","))


REPLIES = [
    _reply("yes", "agree"),
    _reply("yes but", None),
    _reply("no", "disagree"),
    _reply("no, sure", "agree", arguable="sure of what?"),
    _reply("never", "disagree"),
    _reply("hm", None),
]
READERS = {"debate_direct": _first_word}


def test_precision_and_recall_are_those_counted_by_hand() -> None:
    tally = measure(REPLIES, READERS)["debate_direct"]
    # Read: "yes", "yes but", "no", "no, sure"; right: the first and the third. Told: all but two.
    assert (tally.precision, tally.recall) == (Share(2, 4), Share(2, 4))
    assert tally.recalls == {"agree": Share(1, 2), "disagree": Share(1, 2)}


def test_arguable_replies_may_be_left_out() -> None:
    tally = measure(REPLIES, READERS, undisputed=True)["debate_direct"]
    assert (tally.precision, tally.recall) == (Share(2, 3), Share(2, 3))


def test_the_interval_is_that_of_wilson() -> None:
    # Wilson 1927: (p + z²/2n ± z √(p(1-p)/n + z²/4n²)) / (1 + z²/n), with p = 1, n = 10, z = 1.96:
    # low = 1 / (1 + 3.8415/10) = 0.7225, high = 1.
    low, high = Share(10, 10).interval
    assert (round(low, 4), high) == (0.7225, 1.0)
    assert Share(0, 0).value != Share(0, 0).value


def test_a_recall_on_one_side_is_found_and_one_by_chance_is_not() -> None:
    one_sided, even = Tally(), Tally()
    for place in range(40):
        one_sided.add("agree", "agree")
        one_sided.add("disagree", "disagree" if place < 20 else None)
        for answer in ("agree", "disagree"):
            even.add(answer, None if place < 3 else answer)
    assert one_sided.p_even < 0.01
    assert even.p_even > 0.9
    assert pooled([one_sided, even]).recall == Share(60 + 74, 160)


RANKED = {
    "form": "trust_game_ranking",
    "ask": {"attribute": "Age", "levels": ["18-29", "65+"]},
}
ORDER = {"ranking": ["65+", "18-29"], "omnibus_effect_size": "small"}


def test_parts_of_an_object_count_one_by_one() -> None:
    whole = _reply("…", ORDER | {"contrast_effect_size": None}, **RANKED)
    said: dict[str, Any] = ORDER | {"omnibus_effect_size": "large", "contrast_effect_size": "small"}
    assert [answer == read for answer, read in parts(whole, said)] == [True, False, False]
    assert [read for _, read in parts(whole, None)] == [None] * 3
    tally = measure([whole], {"trust_game_ranking": lambda _: said})["trust_game_ranking"]
    assert (tally.precision, tally.recall) == (Share(1, 3), Share(1, 2))


def test_dollars_have_a_mean_and_a_spread_at_each_level() -> None:
    asked = {"attribute": "Age", "levels": ["18-29", "65+"], "endowment": 10}
    reply = _reply("…", {"18-29": [3, None], "65+": [4.0, 1]}, form="trust_game_dollars", ask=asked)
    assert list(parts(reply, {"18-29": [3.0, None]})) == [
        (3, 3.0),
        (None, None),
        (4.0, None),
        (1, None),
    ]


def test_what_is_misread_is_shown_of_the_open_half_alone() -> None:
    wrong = {reply.reply: said for reply, said in misread(REPLIES, READERS)}
    assert wrong == {"yes but": "agree", "no, sure": "disagree", "never": None}
    with pytest.raises(ValueError, match="held half"):
        list(misread([_reply("yes", "agree", id="t-3")], READERS))


def test_held_replies_are_counted_and_not_shown(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "argv", ["measure", "held", "--wrong"])
    with pytest.raises(SystemExit):
        main()
    assert capsys.readouterr().out == ""


def test_every_form_of_the_open_half_can_be_measured() -> None:
    replies = load("open")
    readers = dict.fromkeys(FORMS, lambda reply: reply.answer)
    tallies = measure(replies, readers)
    assert set(tallies) == {reply.form for reply in replies}
    assert {tally.recall.value for tally in tallies.values()} == {1.0}
    assert {tally.precision.value for tally in tallies.values()} == {1.0}
    assert len(list(lines(tallies))) > len(tallies)
    assert readers_of().keys() <= FORMS.keys()
