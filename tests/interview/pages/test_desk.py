"""The researchers' pages, in the process, from the table of sessions to the retest."""

from __future__ import annotations

import csv
import io
import re
import zipfile
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from otherminds.interview import making, quality, retest
from otherminds.interview.quality import Measured
from otherminds.interview.replaying import replay
from otherminds.interview.study_settings import Study
from otherminds.tasks.hugagent.ceiling import ceiling
from tests.interview.pages import study as pages
from tests.interview.pages.study import Person, Running
from tests.interview.pages.test_way import session_of


@pytest.fixture
def study(tmp_path: Path) -> Iterator[Running]:
    with pages.running(tmp_path) as opened:
        yield opened


def post(study: Running, path: str, data: dict[str, str], page: str | None = None) -> Any:
    """Send a form of a researchers' page."""
    desk = study.researcher()
    found = re.search(r'name="check" value="(\w+)"', desk.get(page or path).text)
    assert found is not None
    return desk.post(path, data={**data, "check": found[1]})


def test_sessions_are_filtered_sorted_and_opened(study: Running) -> None:
    people = [study.interviewed(f"R-{number}") for number in range(3)]
    people[1].talk(6)
    people[2].talk(8)
    people[2].end()
    desk = study.researcher()
    rows = re.findall(r'<th scope="row"><a href="([^"]+)">(\w+)<', desk.get("/researcher").text)
    assert {name for _, name in rows} == {one.pseudonym for one in people}
    by_answers = desk.get("/researcher", params={"sort": "answers", "down": "1"}).text
    order = re.findall(r'<th scope="row"><a [^>]+>(\w+)<', by_answers)
    assert order == [people[2].pseudonym, people[1].pseudonym, people[0].pseudonym]
    in_review = desk.get("/researcher", params={"status": "review"}).text
    assert re.findall(r'<th scope="row"><a [^>]+>(\w+)<', in_review) == [people[2].pseudonym]
    found = desk.get("/researcher", params={"search": people[0].pseudonym[:6].upper()}).text
    assert "1 of 3 sessions" in found
    assert desk.get(rows[0][0]).status_code == 200


def test_the_graph_grows_beside_the_transcript(study: Running) -> None:
    person = study.interviewed()
    person.talk(10)
    page = study.researcher().get(f"/researcher/sessions/{person.session_id}").text
    drawn = re.findall(r'aria-label="(\d+) concepts, (\d+) links"', page)
    answered = session_of(study.site, person.session_id).answered
    # Before the first answer, and after each; the tutorial has no part in it.
    assert len(drawn) == answered + 1
    assert drawn[0] == ("0", "0")
    assert int(drawn[-1][0]) >= 4
    shown = study.client.get(
        f"/researcher/sessions/{person.session_id}", params={"after": "1"}
    ).text
    assert re.findall(r'data-step="(\d+)" data-qa="\w*">', shown) == ["1"]


def test_what_a_researcher_puts_first_is_asked_next_and_replayed(study: Running) -> None:
    person = study.interviewed()
    person.talk(3)
    path = f"/researcher/sessions/{person.session_id}"
    page = study.researcher().get(path).text
    listed = re.findall(r'name="question" value="(\w+)"', page)
    # A follow-up may become needless with the next answer; a guiding question stays.
    last = [one for one in listed if one.startswith("g")][-1]
    text = next(
        one.text for one in session_of(study.site, person.session_id).questions if one.id == last
    )
    assert post(study, f"{path}/order", {"question": last, "way": "first"}, path).status_code == 200
    person.talk(1)
    current = session_of(study.site, person.session_id).current
    assert current is not None
    assert current.question == text
    assert post(study, f"{path}/order", {"question": last, "way": "up"}, path).status_code == 409
    person.talk(4)
    assert replay(study.store, person.session_id).differences == ()


def test_guiding_questions_are_edited_for_new_interviews(study: Running) -> None:
    early = study.interviewed("R-1")
    rows = study.site.standing.config.topic.guiding
    data = {f"text:{number}": one.text for number, one in enumerate(rows)}
    data |= {f"active:{number}": "yes" for number in range(len(rows))}
    data |= {f"category:{number}": one.category for number, one in enumerate(rows)}
    # The first guiding question moves down, the second gets other words, the third is put out.
    moved = post(study, "/researcher/questions", {**data, "move": "3 down"})
    assert "Saved." not in moved.text
    data |= {"text:3": rows[4].text, "text:4": "What else would night buses change?"}
    del data["active:5"]
    assert "Saved." in post(study, "/researcher/questions", {**data, "save": "yes"}).text
    kept = [(one.text, one.active) for one in study.site.standing.config.topic.guiding[3:]]
    assert kept == [
        (rows[4].text, True),
        ("What else would night buses change?", True),
        (rows[5].text, False),
    ]
    late = study.interviewed("R-2")
    hashes = {session_of(study.site, one.session_id).config_hash for one in (early, late)}
    assert len(hashes) == 2
    early.talk(4)
    assert rows[4].text in early.page()
    none = {name: value for name, value in data.items() if not name.startswith("active")}
    assert post(study, "/researcher/questions", {**none, "save": "yes"}).status_code == 422


def test_settings_are_checked_and_stand_after_a_restart(tmp_path: Path) -> None:
    with pages.running(tmp_path) as study:
        page = study.researcher().get("/researcher/settings").text
        fields = dict(re.findall(r'name="set:(\w+)" value="([^"]*)"', page))
        fields |= {"description": "Buses at night.", "pattern_questions": "yes"}
        sent = {f"set:{name}": value for name, value in fields.items()}
        wrong = post(study, "/researcher/settings", {**sent, "set:max_qas": "many"})
        assert wrong.status_code == 422
        assert 'value="many"' in wrong.text
        below = post(study, "/researcher/settings", {**sent, "set:max_qas": "3"})
        assert "is above max_qas" in below.text
        assert "Saved." in post(study, "/researcher/settings", {**sent, "set:max_qas": "12"}).text
    with pages.running(tmp_path) as study:
        assert study.site.standing.config.parameters.max_qas == 12
        assert study.site.standing.config.topic.description == "Buses at night."
    # A file that was changed takes its place again.
    with pages.running(tmp_path, pages.config(max_qas=20)) as study:
        assert study.site.standing.config.parameters.max_qas == 20


def test_the_funnel_has_the_studys_reasons_before_the_interviews(study: Running) -> None:
    careless = study.begin("R-1")
    careless.fill_in(attention="often")
    assert careless.question == "q1"
    study.begin("R-2")
    study.finished("R-3", answers=5)
    page = study.researcher().get("/researcher/quality").text
    bars = page.partition("<h2>What was measured")[0]
    counts = re.findall(r'<th scope="row">([\w ]+)</th><td class="number">(\d+)</td>', bars)
    found = {name: int(count) for name, count in counts if int(count)}
    assert [made.verdict for made in funnel_of(study)] == ["attention_check", "too_short"]
    assert found == {
        "begun": 3,
        "attention check": 1,
        "incomplete questionnaire": 1,
        "too short": 1,
    }


def funnel_of(study: Running) -> list[Measured]:
    """What `otherminds interview check` and the items see, in the order of the people."""
    return quality.check(making.answers(study.store, study.store.summaries()))[0]


def test_exports_have_neither_ids_nor_private_answers(study: Running) -> None:
    person = study.finished("R-prolific-9")
    for what, names in (("interviews", 5), ("dynamic", 6)):
        done = post(study, "/researcher/exports", {"what": what})
        with zipfile.ZipFile(io.BytesIO(done.content)) as packed:
            assert len(packed.namelist()) == names
            texts = [packed.read(name).decode() for name in packed.namelist()]
        assert any(person.pseudonym in text for text in texts)
        assert not any("R-prolific-9" in text or "12345" in text for text in texts)
    table = post(study, "/researcher/exports", {"what": "people"}).text
    [row] = csv.DictReader(io.StringIO(table))
    assert (row["participant_id"], row["age"], row["night_buses 4.1"]) == (
        person.pseudonym,
        "41",
        "4",
    )
    assert "zip code" not in row
    assert "R-prolific-9" not in table
    # What was sent is gone from the server.
    assert study.store.exports() == []
    assert post(study, "/researcher/exports", {"what": "../../etc/passwd"}).status_code == 400


def test_no_page_shows_a_recruitment_id(study: Running) -> None:
    person = study.finished("R-prolific-9")
    desk = study.researcher()
    for path in ("", "/quality", "/exports", "/retest", f"/sessions/{person.session_id}"):
        assert "R-prolific-9" not in desk.get(f"/researcher{path}").text


def back(study: Running, person: Person) -> Person:
    """The link of somebody's invitation, taken by the table that the platform would send it with."""
    text = post(study, "/researcher/retest", {}).text
    links = {row["recruitment_id"]: row["link"] for row in csv.DictReader(io.StringIO(text))}
    assert person.pseudonym not in text
    token = links[person.recruited_as].rpartition("/")[2]
    return Person(study, token, person.recruited_as)


def test_people_are_asked_again_and_the_ceiling_reads_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    given = Study(completion_code=pages.CODE, retest_days=14)
    with pages.running(tmp_path / "study", pages.config("zoning"), study=given) as study:
        monkeypatch.setattr(
            pages, "ANSWERS", tuple(one.replace("night buses", "upzoning") for one in pages.ANSWERS)
        )
        people = [study.finished(f"R-{number}", answers=14) for number in range(3)]
        participants, site = study.site.participants, study.site
        assert retest.due(participants, given) == []
        later = datetime.now(UTC) + timedelta(days=15)
        assert len(retest.due(participants, given, later)) == 3
        for one in people:
            known = participants.one(one.pseudonym)
            assert known is not None
            early = datetime.now(UTC) - timedelta(days=15)
            participants.save(known, submitted_at=early)
        same, other, late = people
        link = back(study, same)
        # The links are shown once; a new one voids the first.
        assert "0 people can be invited" in study.client.get("/researcher/retest").text
        again = retest.invite(study.store, participants, site.recruitment, given, [other.pseudonym])
        for who, age in ((link, "42"), (Person(study, again[0].token, "R-1"), "71")):
            assert "Welcome back" in who.page()
            who.post("questionnaire", {"consent_use": "yes"})
            changed = {} if age == "42" else {"gender": "man", "education": "high school"}
            who.fill_in(age=age, **changed)
            assert pages.CODE in who.hand_in().text
        came_back, stayed_away = link.pseudonym, late.pseudonym
        table = post(study, "/researcher/exports", {"what": "retest"}).text
    rows = [*csv.DictReader(io.StringIO(table))]
    assert {row["participant_id"] for row in rows} == {came_back}
    letters = [row for row in rows if row["high"] == "0"]
    assert letters
    assert {row["retest"] for row in letters} == {"A"}
    path = tmp_path / "retest.csv"
    path.write_text(table)
    found = ceiling(path)
    assert found.n_people == 1
    assert found.summary["bdu_acc"].value == 1
    assert stayed_away not in table
