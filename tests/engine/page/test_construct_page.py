"""The page for raters and readers in a real browser: filled in, kept, downloaded and imported."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from pydantic import BaseModel, ConfigDict, Field

from otherminds.construct import forms, judging, replies
from otherminds.construct.replies import Who
from otherminds.construct.sheets import Sheet

pytest.importorskip("selenium", reason="selenium is not installed")


class Rating(BaseModel):
    model_config = ConfigDict(extra="forbid")

    coherence: int = Field(ge=1, le=5, description="Does it hold together?")
    remark: str = ""


def sheet(name: str, text: str) -> Sheet:
    schema = judging.schema_of(Rating)
    prompt = f"{text}\n\nReply with one JSON object and nothing else. Its schema:\n{{}}"
    return Sheet(name, "rating", schema, "You rate a text.", prompt, "0")


def written(folder: Path) -> Sequence[Sheet]:
    made = [
        sheet("rating-a", "<script>document.title='bad'</script> One."),
        sheet("rating-b", "Two."),
    ]
    forms.write_page(made, folder / "rating.html", name="toy rating_1")
    return made


def test_what_is_filled_in_is_kept_downloaded_and_read(page: Any, tmp_path: Path) -> None:
    made = {one.sheet_id: one for one in written(tmp_path)}
    page.open(tmp_path / "rating.html")
    assert page.driver.title == "toy rating_1"
    page.run("document.querySelectorAll('input[value=\"4\"]').forEach((box) => box.click())")
    page.one("textarea").send_keys("=odd, but 'fine'")
    page.reopen(tmp_path / "rating.html", lambda: page.one("#count").text == "2 of 2 answered")
    told = {"behavior": "allow", "downloadPath": str(tmp_path)}
    page.driver.execute_cdp_cmd("Browser.setDownloadBehavior", told)
    page.one("#download").click()
    path = tmp_path / "toy_rating_1.csv"
    page.until(path.exists)
    found = list(replies.read(path, Who("Rosa", "person"), lambda name: made[name].schema))
    assert [judging.content(one.text or "", Rating) for one in found] == [
        {"coherence": 4, "remark": "=odd, but 'fine'"},
        {"coherence": 4, "remark": ""},
    ]
