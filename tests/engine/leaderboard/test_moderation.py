"""The moderation log: lines are added and never changed, and no text in it can do harm."""

from __future__ import annotations

import io
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError
from rich.console import Console

from otherminds.errors import OtherMindsError
from otherminds.leaderboard.board import contents as shown
from otherminds.leaderboard.judging.bounded import Judged
from otherminds.leaderboard.operating.policy import HOLDING, action
from otherminds.leaderboard.records import moderation
from otherminds.leaderboard.records.moderation import Decision
from otherminds.leaderboard.records.reasons import FLAGS, REASONS, finding
from otherminds.leaderboard.records.record import Verification

DAY = date(2026, 1, 3)
COMMIT = "a" * 40
HOSTILE = ("<script>alert(1)</script>", "\x1b[2J\x1b[31m", "a\u202eb", "\u2028", "[bold]x[/]")


def decision(**changes: object) -> Decision:
    told = {"date": DAY, "pull_request": 3, "commit": COMMIT, "action": "refused", "by": "owner"}
    return Decision.model_validate({**told, **changes})


def test_what_is_written_is_read_again_and_stays() -> None:
    first = moderation.appended(b"", [decision(detail="n-items: one", codes=["n-items"])])
    second = moderation.appended(first, [decision(action="accepted", submission="tests-random")])
    assert second.startswith(first)
    assert second.count(b"\n") == 2
    assert [one.action for one in moderation.parse(second)] == ["refused", "accepted"]
    # A log whose last line was cut at its end by an editor does not swallow the next one.
    assert len(moderation.parse(moderation.appended(first.rstrip(), [decision()]))) == 2


@pytest.mark.attack(
    "hostile text for the log, the terminal or the page of decisions",
    outcome="one line of plain ASCII without HTML",
    against="board",
)
@given(st.lists(st.text(), max_size=30))
def test_whatever_strangers_write_is_one_plain_line(texts: list[str]) -> None:
    findings = [finding("n-items", text) for text in texts]
    one = decision(detail=moderation.summary(findings), codes=["n-items"])
    written = moderation.appended(b"", [one])
    assert written.count(b"\n") == 1
    assert written.isascii()
    assert not set(b"<>&") & set(written)
    assert moderation.parse(written) == [one]


@pytest.mark.attack(
    "hostile text for the log, the terminal or the page of decisions",
    outcome="one line of plain ASCII without HTML",
    against="board",
)
@pytest.mark.parametrize("text", HOSTILE)
def test_a_terminal_and_a_page_show_plain_text(text: str) -> None:
    one = decision(detail=moderation.summary([finding("unexpected-file", text)]))
    output = io.StringIO()
    Console(file=output, force_terminal=True, color_system=None, width=200).print(
        moderation.table([one])
    )
    told = [*shown.last([one])[0], output.getvalue()]
    assert not any(sign in part for part in told for sign in ("<", ">", "\x1b", "\u202e", "\u2028"))
    # What rich takes for its markup is shown as it is.
    assert "[bold]" not in text or "[bold]x[/]" in output.getvalue()


@pytest.mark.attack(
    "a damaged log of decisions",
    outcome="one error that names the line; the pass stops",
    against="board",
)
@pytest.mark.parametrize(
    "line",
    [
        b"{}",
        b"not json",
        b"",
        b'{"date": "2026-01-03", "action": "liked", "by": "owner"}',
        b'{"date": "2026-01-03", "action": "held", "by": "owner", "detail": "<b>"}',
        b'{"date": "2026-01-03", "action": "held", "by": "owner", "submission": "../x"}',
        b'{"date": "2026-01-03", "action": "held", "by": "owner", "more": 1}',
    ],
)
def test_a_line_that_is_no_decision_is_named(line: bytes) -> None:
    good = moderation.appended(b"", [decision()])
    with pytest.raises(OtherMindsError, match="Line 2 of moderation") as caught:
        moderation.parse(good + line + b"\n" + good)
    assert "<" not in str(caught.value)


def test_no_other_text_can_be_logged() -> None:
    for text in HOSTILE[:4]:
        with pytest.raises(ValidationError):
            decision(detail=text)


def test_the_newest_decision_about_a_commit_counts() -> None:
    held, other = decision(action="held"), decision(commit="b" * 40)
    log = [held, other, decision(action="accepted")]
    found = moderation.last(log, 3, COMMIT)
    assert found is not None
    assert found.action == "accepted"
    assert moderation.last(log, 4, COMMIT) is None


def test_the_page_shows_the_last_ones_first() -> None:
    log = [decision(pull_request=number) for number in range(1, 61)]
    told = shown.last(log)
    assert [row[3] for row in told[:2]] == ["60", "59"]
    assert len(told) == 50


def test_each_flag_that_holds_is_one() -> None:
    assert FLAGS.keys() >= HOLDING


@pytest.mark.parametrize(
    ("flag", "expected"),
    [("trained-on-data", "accepted"), ("constant-answers", "accepted"), ("gold-perfect", "held")],
)
def test_some_flags_hold_until_a_person_has_looked(flag: str, expected: str) -> None:
    verification = Verification(level="re-scored", checked=DAY)
    judged = Judged(verification, [], [finding(flag, "")])
    assert action(judged, is_seen=False) == expected
    assert action(judged, is_seen=True) == "accepted"


@pytest.mark.attack(
    "a person accepts what is wrong, or could not be verified",
    outcome="refused or held all the same",
    against="board",
)
def test_a_reason_refuses_and_what_was_not_verified_waits_whoever_has_looked() -> None:
    reason = finding(next(iter(REASONS)), "")
    refused = Judged(None, [reason], [finding("gold-perfect", "")])
    unknown = Judged(None, [], [finding("verification-too-costly", "")])
    for is_seen in (False, True):
        assert action(refused, is_seen=is_seen) == "refused"
        assert action(unknown, is_seen=is_seen) == "held"
