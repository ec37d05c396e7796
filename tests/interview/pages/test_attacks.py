"""Whoever means harm to a study's pages, and what comes of it."""

from __future__ import annotations

import itertools
import json
import logging
import re
import threading
from collections.abc import Iterator, Sequence
from html import escape
from pathlib import Path
from typing import Any
from urllib.parse import quote, quote_plus

import pytest
from fastapi.testclient import TestClient

from otherminds.errors import OtherMindsError
from otherminds.interview.pages.app import application
from otherminds.interview.pages.guard import MOST_BYTES
from otherminds.interview.pages.rates import ONE_PERSON, Rates
from otherminds.interview.pages.secret import Secret
from otherminds.interview.pages.site import Site
from otherminds.running.finish import Reply
from tests.interview import people
from tests.interview.pages import study as pages
from tests.interview.pages.study import Running
from tests.interview.pages.test_way import session_of
from tests.interview.people import files_with

MARKUP = (
    "<script>alert(1)</script><img src=x onerror=alert(2)> & \"quoted\" 'single' {{ 7*7 }} "
    "</textarea>"
)
SQL = "'; DROP TABLE sessions; -- \" OR 1=1 %s :x ?"
POSTS = ("questionnaire", "answer", "review", "end", "submit", "withdraw")
DESK = (
    "",
    "/quality",
    "/questions",
    "/settings",
    "/exports",
    "/retest",
    "/withdrawal",
    "/sessions/x",
)


@pytest.fixture
def study(tmp_path: Path) -> Iterator[Running]:
    with pages.running(tmp_path) as opened:
        yield opened


@pytest.mark.attack(
    "a forged, shortened or foreign personal link",
    outcome="404, like any other",
    against="interviews",
)
def test_links_are_not_guessed(study: Running) -> None:
    person = study.interviewed()
    told = set()
    for token in (
        "x",
        person.token[:-1],
        person.token + "A",
        person.token.swapcase(),
        person.pseudonym,
        "%2e%2e",
        "%00",
        "\udcff".encode("utf-8", "surrogatepass").hex(),
    ):
        for path in ("", "/review", "/state", "/withdraw"):
            done = study.client.get(f"/p/{token}{path}")
            assert done.status_code == 404
            told.add(done.text)
    assert len(told) == 1


@pytest.mark.attack(
    "reading the database to answer for somebody",
    outcome="links are kept as hashes",
    against="interviews",
)
def test_the_database_does_not_hold_links(study: Running) -> None:
    person = study.interviewed()
    assert files_with(study.folder, person.token) == []


@pytest.mark.attack(
    "a form on another site that sends an answer (CSRF)",
    outcome="refused by origin and by the form's own mark",
    against="interviews",
)
def test_other_sites_send_nothing(study: Running) -> None:
    person = study.interviewed()
    before = study.store.load(person.session_id)
    data = {"question": "q1", "answer": "Not mine."}
    for headers in (
        {"origin": "https://evil.example"},
        {"origin": "null"},
        {"sec-fetch-site": "cross-site"},
        {"sec-fetch-site": "same-site"},
    ):
        assert person.post("answer", data, headers=headers).status_code == 403
    for check in ("", "0" * 64, study.site.secret.form("another")):
        done = study.client.post(f"{person.path}/answer", data={**data, "check": check})
        assert done.status_code == 403
    assert study.store.load(person.session_id) == before
    own = {"origin": pages.ADDRESS, "sec-fetch-site": "same-origin"}
    assert person.post("answer", data, headers=own).status_code == 200


@pytest.mark.attack(
    "another person's session through one's own link",
    outcome="a link reaches its own person alone",
    against="interviews",
)
def test_nobody_reaches_another_ones_answers(study: Running) -> None:
    one, other = study.interviewed("R-1"), study.interviewed("R-2")
    one.say("My very own words about the night.", "q1")
    for path in ("", "/review"):
        assert "very own words" not in other.page(path)
    check = study.site.secret.form(one.token)
    for action in POSTS:
        done = study.client.post(f"{other.path}/{action}", data={"check": check})
        assert done.status_code == 403


@pytest.mark.attack(
    "trying ids of the recruitment platform to learn who takes part",
    outcome="every id is answered alike",
    against="interviews",
)
def test_ids_cannot_be_tried_out(study: Running) -> None:
    first = study.begin("R-1")
    again, new = study.begin("R-1"), study.begin("R-2")
    pseudonyms = {first.pseudonym, again.pseudonym, new.pseudonym}
    assert len(pseudonyms) == 3
    shown = {re.sub(r"[0-9a-f]{64}|[\w-]{43}", "", one.page()) for one in (first, again, new)}
    assert len(shown) == 1
    # The researchers' funnel knows; and whoever came again can hand in with the same id.
    again.fill_in()
    again.end()
    assert pages.CODE in again.hand_in().text
    text = study.researcher().get("/researcher/quality").text
    assert re.search(r"repeated id</th><td class=\"number\">1<", text)


@pytest.mark.attack(
    "script, markup or template code in answers, ids and labels",
    outcome="shown as text; no inline script can run",
    against="interviews",
)
def test_markup_is_text_everywhere(study: Running) -> None:
    person = study.interviewed(MARKUP)
    for _ in range(6):
        person.say(f"{MARKUP} lowers my support for night buses.")
    desk = study.researcher()
    shown = [
        person.page(),
        person.page("/review"),
        study.client.get("/", params={"id": MARKUP}).text,
    ]
    shown += [desk.get(f"/researcher/sessions/{person.session_id}").text]
    shown += [desk.get("/researcher", params={"search": MARKUP, "status": MARKUP}).text]
    for text in shown:
        assert "<script>alert" not in text
        assert "<img" not in text
        assert not re.search(r"<script(?! src=\"/static/)", text)
        assert "{{ 7*7 }}" in text
    assert "&lt;script&gt;" in shown[0]


class Marked:
    """A model whose replies are markup."""

    def reply(self, messages: Sequence[dict[str, str]], schema: Any) -> Reply:
        quote = "Noise"
        node = (
            '{"label": "<b onclick=x>noise</b>", "existing_id": null, "semantic_role": "external_state",'
            f' "layer": "experience", "confidence": 0.9, "importance": 0.9, "quote": "{quote}"}}'
        )
        quality = '{"on_topic": true, "meta_question": false, "refusal": false, "too_short": false}'
        return Reply(
            f'{{"nodes": [{node}], "links": [], "stance_hint": null, "quality": {quality}}}', "stop"
        )


@pytest.mark.attack(
    "a model whose reply is markup", outcome="shown as text, or not taken", against="interviews"
)
def test_a_models_markup_is_text(tmp_path: Path) -> None:
    with pages.running(tmp_path, pages.config(model="m"), server=Marked()) as study:
        person = study.interviewed()
        for _ in range(5):
            person.say("Noise lowers my support for night buses.")
            study.site.interviewer.wait(60)
        desk = study.researcher()
        for text in (person.page(), desk.get(f"/researcher/sessions/{person.session_id}").text):
            assert "<b onclick" not in text


@pytest.mark.attack("SQL in every field", outcome="kept as text, or refused", against="interviews")
def test_sql_is_text(study: Running) -> None:
    person = study.begin(SQL)
    person.fill_in()
    assert person.say(SQL).status_code == 200
    desk = study.researcher()
    for path in DESK:
        params = {
            "search": SQL,
            "sort": SQL,
            "status": SQL,
            "page": SQL,
            "after": SQL,
            "person": SQL,
        }
        assert desk.get(f"/researcher{path}", params=params).status_code in (200, 404)
    for action in POSTS[:-1]:
        fields = dict.fromkeys(("page", "question", "answer", "recruited_as", "seen:q1"), SQL)
        assert person.post(action, fields).status_code < 500
    assert session_of(study.site, person.session_id).qas[0].answer == SQL
    assert study.site.recruitment.is_id_of(person.pseudonym, SQL)


@pytest.mark.attack(
    "bodies of many megabytes, of another kind, broken, or of a thousand fields",
    outcome="413, 415 or 400, before they are read",
    against="interviews",
)
def test_what_no_page_sends_is_refused(study: Running) -> None:
    person = study.interviewed()
    url, form = f"{person.path}/answer", {"content-type": "application/x-www-form-urlencoded"}
    send = study.client.post
    assert send(url, content=b"a" * (MOST_BYTES + 1), headers=form).status_code == 413
    parts = itertools.repeat(b"a" * 65536, 200)
    assert send(url, content=parts, headers=form).status_code == 413
    assert send(url, json={"answer": "x"}).status_code == 415
    assert send(url, files={"answer": b"x"}).status_code == 415
    for body in (
        b"answer=%ff%fe",
        b"\xff\xfe",
        b"answer",
        b"&".join(b"a%d=1" % n for n in range(2000)),
    ):
        assert send(url, content=body, headers=form).status_code in (400, 403)
    for method in ("PUT", "DELETE", "PATCH", "TRACE"):
        assert study.client.request(method, url).status_code == 405
    assert person.say("zero \x00 byte", "q1").status_code == 422
    assert person.say("still here", "q1").status_code == 200


@pytest.mark.attack(
    "a flood of requests with one link, or of attempts at the researchers' token",
    outcome="429 with a time to wait; others go on",
    against="interviews",
)
def test_floods_are_stopped_by_link_and_by_address(tmp_path: Path) -> None:
    now = [0.0]
    with pages.running(tmp_path, rates=Rates(lambda: now[0])) as study:
        one, other = study.begin("R-1"), study.begin("R-2")
        asked = [study.client.get(one.path).status_code for _ in range(int(ONE_PERSON.at_once) + 5)]
        assert asked.count(429) >= 5
        assert study.client.get(one.path).headers["retry-after"] == "10"
        assert other.page()
        now[0] += 60
        assert one.page()
        # A clock that is set back gives nobody more, and shuts nobody out.
        now[0] -= 30
        assert study.client.get(other.path).status_code == 200
        tries = [
            study.client.post("/researcher/login", data={"token": "guess"}).status_code
            for _ in range(30)
        ]
        assert tries.count(403) <= 20
        assert tries[-1] == 429


@pytest.mark.attack(
    "the researchers' pages without the token, or with a forged or old visit",
    outcome="sent to where the token is asked for",
    against="interviews",
)
def test_nothing_is_reachable_without_the_token(
    study: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    person = study.finished()
    real = study.site.secret.visit()
    assert study.site.secret.is_visit(real)
    forged = [
        "",
        "x",
        real[:-1] + ("0" if real[-1] != "0" else "1"),
        "9" + real,
        Secret("another" * 9).visit(),
    ]
    for cookie in forged:
        study.client.cookies.clear()
        study.client.cookies.set("visit", cookie, path="/researcher")
        for path in (*DESK, f"/sessions/{person.session_id}"):
            done = study.client.get(f"/researcher{path}", follow_redirects=False)
            assert (done.status_code, done.headers["location"]) == (303, "/researcher/login")
        for path in ("/questions", "/settings", "/exports", "/retest", "/withdrawal", "/logout"):
            done = study.client.post(
                f"/researcher{path}", data={"check": "x"}, follow_redirects=False
            )
            assert done.headers["location"] == "/researcher/login"
    monkeypatch.setattr("otherminds.interview.pages.secret.time.time", lambda: 4e9)
    assert not study.site.secret.is_visit(real)


@pytest.mark.attack(
    "a form on another site that deletes a person while a researcher is in (CSRF)",
    outcome="refused: cookies of the strict kind, origin, and the form's own mark",
    against="interviews",
)
def test_researchers_forms_come_from_their_pages(study: Running) -> None:
    person = study.finished()
    desk = study.researcher()
    data = {"name": person.pseudonym, "sure": "yes"}
    assert desk.post("/researcher/withdrawal", data=data).status_code == 403
    done = desk.post(
        "/researcher/withdrawal", data=data, headers={"origin": "https://evil.example"}
    )
    assert done.status_code == 403
    assert study.store.summaries()
    token = (study.folder / "researcher.token").read_text().strip()
    cookie = desk.post("/researcher/login", data={"token": token}, follow_redirects=False).headers[
        "set-cookie"
    ]
    assert "HttpOnly" in cookie
    assert "SameSite=strict" in cookie


@pytest.mark.attack(
    "a third party that a participant's browser could be made to ask",
    outcome="the policy of every page allows this server alone",
    against="interviews",
)
def test_every_page_has_the_policy_and_names_no_other_address(study: Running) -> None:
    person = study.interviewed()
    desk = study.researcher()
    paths = ["/", person.path, f"{person.path}/review", "/p/none", "/static/study.css", "/nowhere"]
    paths += [f"/researcher{one}" for one in DESK]
    for path in paths:
        done = desk.get(path)
        policy = done.headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "unsafe" not in policy
        assert "http" not in policy
        assert done.headers["referrer-policy"] == "same-origin"
        found = re.findall(r"https?://[^\s\"'<]+", done.text)
        assert all(one.startswith((pages.ADDRESS, "http://www.w3.org/")) for one in found), found
    assert desk.get(person.path).headers["cache-control"] == "no-store"
    for name in ("..%2f..%2fsecret.py", "../app.py", "study.html", "%2e%2e/app.py"):
        assert desk.get(f"/static/{name}").status_code == 404
    for name in ("/openapi.json", "/docs", "/redoc"):
        assert desk.get(name).status_code == 404


@pytest.mark.attack(
    "secrets, links or answers in the log",
    outcome="a fault is logged by its kind and place alone",
    against="interviews",
)
def test_a_fault_says_nothing_of_what_was_said(
    study: Running, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    person = study.interviewed()

    def fail(*_: object, **__: object) -> None:
        raise ValueError("the words of somebody")

    monkeypatch.setattr(study.site.interviewer, "answer", fail)
    with caplog.at_level(logging.DEBUG):
        done = person.say("the words of somebody", "q1")
    assert done.status_code == 500
    assert "It is our fault" in done.text
    said = "\n".join(
        one.getMessage() for one in caplog.records if one.name.startswith("otherminds")
    )
    assert "ValueError at test_attacks.py" in said
    assert "words" not in said
    assert person.token not in said


@pytest.mark.attack(
    "what a withdrawn person said, looked for in every file",
    outcome="not a byte is left",
    against="interviews",
)
@pytest.mark.parametrize("by", ["the person", "pseudonym", "recruitment id"])
def test_a_withdrawal_leaves_no_byte(study: Running, tmp_path: Path, by: str) -> None:
    person = study.finished("R-prolific-1")
    other = study.finished("R-other")
    token, pseudonym = person.token, person.pseudonym
    secret = "Hildegard snores at the tram stop, which lowers my support for night buses."
    third = study.interviewed("R-prolific-1") if by == "recruitment id" else person
    if third is not person:
        third.say(secret)
    else:
        with study.store.database.writing() as connection:
            connection.exec_driver_sql(
                "UPDATE qas SET content = replace(content, 'Noise', ?) WHERE session_id = ?",
                (secret[:-1].split(",", maxsplit=1)[0], person.session_id),
            )
    gone = [secret[:9]]
    assert files_with(study.folder, secret[:9])
    if by == "the person":
        assert "Your answers are deleted" in person.post("withdraw").text
    else:
        desk = study.researcher()
        name = pseudonym if by == "pseudonym" else "R-prolific-1"
        page = desk.get("/researcher/withdrawal").text
        check = re.search(r'name="check" value="(\w+)"', page)
        assert check is not None
        data = {"name": name, "sure": "yes", "check": check[1]}
        done = desk.post("/researcher/withdrawal", data=data)
        assert "Deleted." in done.text
    assert study.client.get(f"/p/{token}").status_code == 404
    for text in gone:
        assert files_with(study.folder, text) == []
    assert pages.CODE in other.page()
    # A page that is still open in another tab brings nothing back.
    check = study.site.secret.form(token)
    late = {"check": check, "question": "q5", "answer": secret}
    assert study.client.post(f"/p/{token}/answer", data=late).status_code == 404


def test_a_withdrawal_leaves_no_byte_in_any_spelling(study: Running) -> None:
    said = "Zoë hört den Nachtbus, and noise lowers my support for night buses."
    spellings = [
        said.split(",", maxsplit=1)[0],
        json.dumps(said)[1:20],
        quote(said)[:20],
        quote_plus(said)[:20],
        escape(said).encode("ascii", "xmlcharrefreplace").decode()[:20],
    ]
    person = study.interviewed()
    person.say(said)
    person.say(said)  # the same once more, as from a second tab
    before = {text for text in spellings if files_with(study.folder, text)}
    assert spellings[0] in before
    assert "Your answers are deleted" in person.post("withdraw").text
    assert [text for text in spellings if files_with(study.folder, text)] == []


def test_a_reader_who_holds_the_log_delays_no_withdrawal(tmp_path: Path) -> None:
    with pages.running(tmp_path) as study:
        person = study.finished()
        reading = study.store.database.reading()
        with reading as connection:
            assert connection.exec_driver_sql("SELECT count(*) FROM qas").scalar()
            original = study.store.database.forget_deleted
            refused = [OtherMindsError("Another process holds the log.")]

            def held() -> None:
                if refused:
                    raise refused.pop()
                original()

            study.store.database.forget_deleted = held  # type: ignore[method-assign]
            assert "Your answers are deleted" in person.post("withdraw").text
        assert study.client.get(person.path).status_code == 404
    # The next process removes what the last one owed.
    with pages.running(tmp_path) as study:
        thread = study.site.erasure._thread
        if thread is not None:
            thread.join()
    assert files_with(tmp_path, "because noise lowers my sleep") == []


def test_sessions_whose_model_fails_take_no_place_from_others(tmp_path: Path) -> None:
    class Failing(people.RulesBehindAServer):
        def reply(self, messages: Sequence[dict[str, str]], schema: Any) -> Reply:
            if "Hopeless" in messages[1]["content"]:
                raise OtherMindsError("The key of the server is wrong.")
            return super().reply(messages, schema)

    with pages.running(tmp_path, pages.config(model="m"), server=Failing()) as study:
        for number in range(10):
            person = study.interviewed(f"R-{number}")
            person.talk(3)
            person.say("Hopeless noise lowers my support for night buses.")
        other = study.interviewed("R-other")
        other.talk(9)
        waiting = threading.Event()
        for _ in range(3000):
            if not session_of(study.site, other.session_id).unread:
                break
            waiting.wait(0.1)
        assert session_of(study.site, other.session_id).unread == ()
        # Others whose answers can be read do not hide it.
        assert "The key of the server is wrong" in study.researcher().get("/researcher").text


def test_an_unsafe_token_and_one_that_is_missing_are_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from otherminds.interview.pages.secret import secret_of

    monkeypatch.setenv("OTHERMINDS_STUDY_TOKEN", "short")
    with pytest.raises(OtherMindsError, match="openssl rand"):
        secret_of(tmp_path)
    monkeypatch.delenv("OTHERMINDS_STUDY_TOKEN")
    with pytest.raises(OtherMindsError, match="OTHERMINDS_STUDY_TOKEN"):
        secret_of(None)
    secret_of(tmp_path)
    assert (tmp_path / "researcher.token").stat().st_mode & 0o077 == 0


def test_a_site_behind_tls_keeps_its_cookie_to_tls(study: Running) -> None:
    site = study.site
    secure = Site(
        study.store, pages.config(), site.study, site.secret, address="https://study.example"
    )
    client = TestClient(application(secure), base_url="https://study.example")
    token = (study.folder / "researcher.token").read_text().strip()
    done = client.post("/researcher/login", data={"token": token}, follow_redirects=False)
    assert "Secure" in done.headers["set-cookie"]
