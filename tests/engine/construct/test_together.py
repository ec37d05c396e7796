"""Several items on one sheet of a reader."""

from __future__ import annotations

import pytest
from pydantic import BaseModel, ConfigDict, ValidationError

from otherminds.construct import Reading, blind, forms, judging, together
from otherminds.construct.ledger import Entry
from otherminds.construct.sheets import Sheet
from otherminds.errors import OtherMindsError

CONTEXT = "# The person\n\nAda: I walk.\n\n# The question"


def item(name: str, unit: str = "one", sheet: str = "one-walks") -> blind.Item:
    return blind.Item(
        item_id=name,
        unit_id=unit,
        task="walks",
        prompt=f"{CONTEXT}\n\nDoes she {name}?\n\nReply with a letter.",
        answers=["A", "B"],
        gold="A",
        sheet=sheet,
    )


def test_what_prompts_share_is_shown_once() -> None:
    shown = together.prompt([item("walk").prompt, item("run").prompt], [1, 3])
    assert shown.count("Ada: I walk.") == 1
    first, second = shown.index("## q01\n\nDoes she walk?"), shown.index("## q03\n\nDoes she run?")
    assert shown.index("Ada: I walk.") < first < second


def test_prompts_that_share_nothing_or_everything_stay_whole() -> None:
    shown = together.prompt(["Who?\n\nReply.", "Where?\n\nReply."], [1, 2])
    assert "## q01\n\nWho?\n\nReply." in shown
    shown = together.prompt(["Who?\n\nReply."] * 2, [1, 2])
    assert shown.count("Who?") == 1
    assert shown.count("Reply.") == 2
    assert together.prompt(["Who?"], [4]) == "Who?\n\nThis is q04."


def test_a_reply_answers_every_question_among_its_answers() -> None:
    class Base(BaseModel):
        model_config = ConfigDict(extra="forbid")

    form = together.form({1: ["A", "B"], 3: ["1", "2"]}, Base)
    assert form.model_validate({"q01": "A", "q03": "2"})
    for reply in ({"q01": "A"}, {"q01": "C", "q03": "1"}, {"q01": "A", "q03": "1", "q02": "A"}):
        with pytest.raises(ValidationError):
            form.model_validate(reply)
    # People get a page and a table of it.
    assert forms.is_flat(Sheet("s", "reading", judging.schema_of(form), "", "", ""))


def test_numbers_of_questions_are_the_same_in_every_round() -> None:
    key = blind.Key(name="k", items=[item("walk"), item("run"), item("swim", sheet="")])
    groups = key.numbered()
    assert list(groups) == ["sheet:one-walks", "swim"]
    assert [one.item_id for one in groups["sheet:one-walks"].values()] == ["walk", "run"]
    base = Entry(
        kind="reply", sheet_id="s", item="sheet:one-walks", content={"q02": "B", "note": "!"}
    )
    assert list(blind.given(groups, base)) == [("run", {"answer": "B", "note": "!"})]
    alone = base.model_copy(update={"item": "swim", "content": {"answer": "A"}})
    assert list(blind.given(groups, alone)) == [("swim", {"answer": "A"})]
    assert list(blind.given(groups, base.model_copy(update={"content": None}))) == []


def test_a_sheet_is_of_one_unit() -> None:
    with pytest.raises(OtherMindsError, match="must keep units apart"):
        blind._check_sheets([item("walk"), item("run", unit="other")])


def test_answers_in_words_have_a_sheet_each() -> None:
    with pytest.raises(ValueError, match="share a sheet only where"):
        Reading(tasks=("walks",), unit_of=str, sheet=str)
