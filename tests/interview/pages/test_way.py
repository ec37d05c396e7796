"""The participant's way, in the process: what is saved, what comes next, and what never falls back."""

from __future__ import annotations

import re
import threading
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from otherminds.interview import records
from otherminds.interview.pages.site import Site
from otherminds.interview.replaying import replay
from otherminds.interview.session import Session
from otherminds.interview.study_settings import Study, read_study
from otherminds.running.finish import Reply
from tests.interview import people
from tests.interview.pages import study as pages
from tests.interview.pages.study import Running


@pytest.fixture
def study(tmp_path: Path) -> Iterator[Running]:
    with pages.running(tmp_path) as opened:
        yield opened


def session_of(site: Site, name: str) -> Session:
    record = site.store.load(name)
    return records.session_of(record, site.store.config(record.summary.config_hash))


def test_from_consent_to_the_code(study: Running) -> None:
    person = study.begin("R-77")
    person.fill_in()
    assert "Trying it out" in person.page()
    person.talk(9)
    person.end()
    assert "These were all questions" in person.page()
    assert pages.CODE in person.hand_in().text
    session = session_of(study.site, person.session_id)
    assert session.status == "submitted"
    assert [qa.kind for qa in session.qas[:4]] == ["tutorial", "tutorial", "tutorial", "guiding"]
    assert pages.CODE in person.page()


def test_the_questionnaire_is_kept_under_the_ids_of_the_topic(study: Running) -> None:
    person = study.begin()
    person.fill_in(age="52", zip_code="99999", housing_status="own")
    topic = study.site.standing.config.topic
    wanted = [
        name
        for one in topic.survey
        for name in (one.id, *(f"{one.id}r_{code}" for code in one.reasons))
    ]
    kept = study.store.survey()
    assert [one.question_id for one in kept] == wanted
    assert {one.content["answer"] for one in kept} == {4}
    said = study.store.demographics()[person.pseudonym]
    assert said["age"] == "52"
    assert said["rent as share of income"] == "not computed"
    # What says where somebody lives is not among what items and exports show.
    assert "zip code" not in said
    assert "attention" not in said
    found = study.site.participants.one(person.pseudonym)
    assert found is not None
    assert found.progress.attention is True
    assert found.progress.private == {"zip code": "99999"}


def test_what_is_missing_is_told_and_what_was_entered_is_kept(study: Running) -> None:
    person = study.begin()
    fields = {**person.fields(), "about:age": "17", "about:gender": ""}
    done = person.post("questionnaire", {"page": "about-you", **fields})
    assert done.status_code == 422
    assert "Please give a whole number from 18 to 110." in done.text
    assert 'value="17"' in done.text
    assert "<option selected>Asian</option>" in done.text
    assert study.store.demographics() == {}


def test_consent_is_asked_for_in_all_parts(study: Running) -> None:
    done = study.client.post("/begin", data={"recruited_as": "R-1", "consent_age": "yes"})
    assert done.status_code == 422
    assert done.text.count("Please tick this") == 2
    assert study.site.participants.all() == []


def test_the_link_of_the_platform_brings_the_id_along(study: Running) -> None:
    assert 'value="5f3a"' in study.client.get("/?id=5f3a").text
    assert 'value=""' in study.client.get("/", params={"id": "x\x00y"}).text


def test_progress_never_falls_back(study: Running) -> None:
    person = study.interviewed()
    seen = [0]
    for _ in range(20):
        found = re.search(r'id="progress" max="100" value="(\d+)"', person.page())
        assert found is not None
        seen.append(int(found[1]))
        if person.question is None:
            break
        person.talk(1)
    assert seen == sorted(seen)
    assert seen[-1] > 30


def test_a_back_button_and_a_reload_show_where_somebody_is(study: Running) -> None:
    person = study.interviewed()
    person.talk(5)
    assert person.question == "q6"
    done = person.post("questionnaire", {"page": "about-you", "about:age": "99"})
    assert "Your answers so far" in done.text
    assert study.store.demographics()[person.pseudonym]["age"] == "41"


def test_the_same_answer_sent_twice_counts_once_and_another_one_is_shown(study: Running) -> None:
    person = study.interviewed()
    assert person.say("Quiet helps me.", "q1").status_code == 200
    assert person.say("Quiet helps me.", "q1").status_code == 200
    done = person.say("From the other tab.", "q1")
    assert "answered already" in done.text
    assert "From the other tab." in done.text
    session = session_of(study.site, person.session_id)
    assert [qa.answer for qa in session.qas] == ["Quiet helps me.", None]


def test_an_empty_and_a_long_answer_are_not_taken_and_not_lost(study: Running) -> None:
    person = study.interviewed()
    assert person.say("  \n ", "q1").status_code == 422
    done = person.say("ä" * 5001, "q1")
    assert done.status_code == 422
    assert "ä" * 5001 in done.text
    assert person.say("ä" * 5000, "q1").status_code == 200


def test_changes_in_the_review_are_versions_and_stale_ones_are_told(study: Running) -> None:
    person = study.interviewed()
    person.talk(8)
    person.end()
    first = {"answer:q4": "Noise raises my support for night buses.", "seen:q4": "0"}
    assert "Saved." in person.post("review", first).text
    # Another tab still shows the first version.
    other = {"answer:q4": "I do not mind noise.", "seen:q4": "0", "go_on": "yes"}
    done = person.post("review", other)
    assert done.status_code == 409
    assert "I do not mind noise." in done.text
    assert "The other version: Noise raises my support" in done.text
    assert person.post("review", {**other, "seen:q4": "1"}).status_code == 200
    qa = session_of(study.site, person.session_id).qa("q4")
    assert qa.answer == "I do not mind noise."
    assert len(qa.edited) == 2


def test_the_id_at_the_end_must_be_the_one_at_the_beginning(study: Running) -> None:
    person = study.interviewed("R-5")
    person.talk(5)
    person.end()
    done = person.post("submit", {"recruited_as": "R-6"})
    assert done.status_code == 422
    assert pages.CODE not in done.text
    assert pages.CODE in person.post("submit", {"recruited_as": " R-5 "}).text
    found = study.site.participants.one(person.pseudonym)
    assert found is not None
    assert found.progress.mismatches == 1


def test_handing_in_twice_and_afterwards_changes_nothing(study: Running) -> None:
    person = study.finished()
    before = study.store.load(person.session_id)
    assert pages.CODE in person.hand_in().text
    person.post("review", {"answer:q4": "Other words.", "seen:q4": "0"})
    person.post("end")
    person.say("Something else.", "q1")
    assert study.store.load(person.session_id) == before


def test_people_who_are_not_chosen_answer_the_questionnaire_alone(tmp_path: Path) -> None:
    given = Study(interview_share=0.0, completion_code=pages.CODE)
    with pages.running(tmp_path, study=given) as study:
        person = study.begin()
        person.fill_in()
        assert "Handing in" in person.page()
        assert pages.CODE in person.hand_in().text
        assert study.store.summaries() == []


def test_a_restart_between_any_two_requests_loses_nothing(tmp_path: Path) -> None:
    short = pages.config(min_qas=4, max_qas=6)
    with pages.running(tmp_path, short) as study:
        person = study.begin()
    for _ in range(30):
        with pages.running(tmp_path, short) as study:
            person.study = study
            page = person.page()
            found = re.search(r'name="page" value="([^"]+)"', page)
            if found is not None:
                person.post("questionnaire", {"page": found[1], **person.fields()})
            elif person.question is not None:
                number = int(person.question[1:])
                person.say(pages.ANSWERS[number % 6])
            elif "Save and hand in" in page:
                person.hand_in()
            else:
                break
    assert pages.CODE in page
    with pages.running(tmp_path) as study:
        assert session_of(study.site, person.session_id).status == "submitted"
        assert replay(study.store, person.session_id).differences == ()


class Held(people.RulesBehindAServer):
    """A model that answers when it is let."""

    def __init__(self) -> None:
        super().__init__()
        self.gate = threading.Event()

    def reply(self, messages: Sequence[dict[str, str]], schema: Any) -> Reply:
        self.gate.wait(60)
        return super().reply(messages, schema)


def test_nobody_waits_for_the_model_while_a_question_is_pending(tmp_path: Path) -> None:
    server = Held()
    with pages.running(tmp_path, pages.config(model="m"), server=server) as study:
        person = study.interviewed()
        # The tutorial's questions, the topic's, and the one about the stance need nothing that was read.
        person.talk(7)
        assert "One moment" in person.page()
        state = study.client.get(person.path + "/state").json()
        assert (state["place"], state["processing"]) == ("waiting", 4)
        assert "Processing 4 answers" in person.page()
        server.gate.set()
        study.site.interviewer.wait(60)
        assert study.client.get(person.path + "/state").json()["processing"] == 0
        assert person.question == "q8"
        person.talk(4)
        person.end()
        person.hand_in()
        study.site.interviewer.wait(60)
        assert session_of(study.site, person.session_id).status == "submitted"
        assert replay(study.store, person.session_id).differences == ()


def test_the_code_comes_before_the_last_answers_are_read(tmp_path: Path) -> None:
    server = Held()
    with pages.running(tmp_path, pages.config(model="m"), server=server) as study:
        person = study.interviewed()
        person.talk(6)
        person.end()
        assert pages.CODE in person.hand_in().text
        assert session_of(study.site, person.session_id).status == "review"
        server.gate.set()
        study.site.interviewer.wait(60)
        assert session_of(study.site, person.session_id).status == "submitted"


def test_what_was_unread_at_a_restart_is_read_after_it(tmp_path: Path) -> None:
    server = Held()
    with pages.running(tmp_path, pages.config(model="m"), server=server) as study:
        person = study.interviewed()
        person.talk(5)
        # Nothing is read before this server ends.
        study.site.interviewer._stopped.set()
        server.gate.set()
    with pages.running(tmp_path, pages.config(model="m"), server=server) as study:
        study.site.interviewer.wait(60)
        assert session_of(study.site, person.session_id).unread == ()


def test_events_tell_how_an_answer_came_about(study: Running) -> None:
    person = study.interviewed()
    more = {"elapsed": "90000", "first_key": "2500", "pauses": "1"}
    person.post("answer", {"question": "q1", "answer": "Well.", **more})
    session = session_of(study.site, person.session_id)
    kinds = [one.kind for one in session.events if one.qa_id == "q1"]
    assert kinds == ["shown", "first_keystroke", "paused", "sent"]
    assert session.qas[0].latency_ms == 90000
    # A clock that was set, or a page that lies, tells nothing.
    person.post(
        "answer", {"question": "q2", "answer": "Well.", "elapsed": "-5", "first_key": "1e9"}
    )
    assert session_of(study.site, person.session_id).qas[1].latency_ms is None


def test_a_study_is_read_from_its_yaml_and_faults_are_named(tmp_path: Path) -> None:
    path = tmp_path / "study.yaml"
    path.write_text("topic: zoning\nmax_qas: 20\nstudy: {title: Homes, completion_code: X1}\n")
    given = read_study(path)
    assert (given.config.parameters.max_qas, given.study.title) == (20, "Homes")
    path.write_text(
        "topic: zoning\nstudy: {titel: Homes, completion_link: 'javascript:alert(1)'}\n"
    )
    with pytest.raises(Exception, match="titel"):
        read_study(path)
