"""The participant's way: consent, questionnaire, interview, review, and the code at the end.

A personal link has one address. What stands there is decided by what is saved, so that a reload, the
back button or a second tab shows where the person is, and never takes them back.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Any, Final, NamedTuple

from fastapi import APIRouter, Request
from fastapi.responses import JSONResponse, RedirectResponse
from starlette.responses import HTMLResponse, Response

from otherminds.errors import OtherMindsError
from otherminds.interview import loop, questionnaire, retest
from otherminds.interview.config import Config, Topic
from otherminds.interview.errors import InterviewError
from otherminds.interview.interviewing import Taken, is_handed_in
from otherminds.interview.pages import about_you
from otherminds.interview.pages.forms import Form, form_of, is_line
from otherminds.interview.pages.guard import RefusedError
from otherminds.interview.pages.site import Site
from otherminds.interview.participation import Participant, Progress, new_pseudonym
from otherminds.interview.questionnaire import ABOUT_YOU, BELIEFS, LETTERS, Page
from otherminds.interview.session import QA, Event, Session

_MOST_ID: Final = 120
_DAY_MS: Final = 24 * 3600 * 1000
_CONSENTS: Final = ("age", "region", "use")
_STEPS: Final = ("Questionnaire", "Interview", "Review")


class Visit(NamedTuple):
    """Somebody who opened their personal link."""

    token: str
    who: Participant
    config: Config

    @property
    def topic(self) -> Topic:
        """What the questionnaire asks about."""
        return self.config.topic

    @property
    def pages(self) -> list[Page]:
        """The pages of the questionnaire that this person fills in."""
        return questionnaire.pages(self.topic, self.who.progress.beliefs)


def router(site: Site) -> APIRouter:
    """The routes of participants."""
    routes = APIRouter()
    way = Way(site)

    @routes.get("/")
    def welcome(request: Request) -> Response:
        given = request.query_params.get(site.study.id_parameter, "")
        return way.welcome(given if is_line(given) and len(given) <= _MOST_ID else "")

    @routes.post("/begin")
    def begin(request: Request) -> Response:
        return way.begin(form_of(request))

    @routes.get("/p/{token}")
    def show(token: str) -> Response:
        return way.show(way.visit(token))

    @routes.get("/p/{token}/state")
    def state(token: str) -> Response:
        return way.state(way.visit(token))

    @routes.get("/p/{token}/review")
    def answers(token: str) -> Response:
        return way.answers(way.visit(token))

    @routes.get("/p/{token}/end")
    def ask_end(token: str) -> Response:
        return way.confirm(way.visit(token), "end")

    @routes.get("/p/{token}/withdraw")
    def ask_withdraw(token: str) -> Response:
        return way.confirm(way.visit(token), "withdraw")

    @routes.post("/p/{token}/{action}")
    def act(token: str, action: str, request: Request) -> Response:
        form = form_of(request)
        if not site.secret.is_form(token, form["check"]):
            raise RefusedError(403)
        chosen = {
            "questionnaire": way.fill_in,
            "answer": way.answer,
            "review": way.review,
            "end": way.end,
            "submit": way.submit,
            "withdraw": way.withdraw,
        }.get(action)
        if chosen is None:
            raise RefusedError(404)
        with site.held(token):
            return chosen(way.visit(token), form)

    return routes


class Way:
    """What participants see, and what becomes of what they send."""

    def __init__(self, site: Site) -> None:
        self._site = site

    # --- coming in

    def visit(self, token: str) -> Visit:
        """Whose link it is. Raises `RefusedError` for nobody's, whatever is wrong with it."""
        who = self._site.participants.by_token(token)
        if who is None:
            raise RefusedError(404)
        return Visit(token, who, self._site.standing.config)

    def welcome(
        self,
        recruited_as: str = "",
        *,
        faults: dict[str, str] | None = None,
        form: Form | None = None,
    ) -> Response:
        """The consent page."""
        return self._site.pages.response(
            "welcome",
            422 if faults else 200,
            recruited_as=recruited_as,
            topic=self._site.standing.config.topic,
            faults=faults or {},
            given=form or Form({}),
        )

    def begin(self, form: Form) -> Response:
        """Take somebody in who consents, under a pseudonym that is new."""
        recruited_as = form["recruited_as"].strip()
        faults = {
            name: "Please tick this, or close the page if you do not want to take part."
            for name in _CONSENTS
            if form[f"consent_{name}"] != "yes"
        }
        if not recruited_as:
            faults["recruited_as"] = f"Please type in your {self._site.study.id_name}."
        elif len(recruited_as) > _MOST_ID or not is_line(recruited_as):
            faults["recruited_as"] = (
                f"Your {self._site.study.id_name} has at most {_MOST_ID} signs."
            )
        if faults:
            return self.welcome(form["recruited_as"][:_MOST_ID], faults=faults, form=form)
        person = new_pseudonym()
        with self._site.held("begin"):
            is_first = self._site.recruitment.admit(person, recruited_as)
        progress = Progress(
            consented_at=datetime.now(UTC),
            is_repeated=not is_first,
            is_chosen=self._site.secret.share(person) < self._site.study.interview_share,
        )
        token = self._site.participants.admit(person, progress)
        return _to(f"/p/{token}")

    # --- where somebody is

    def show(self, visit: Visit, **more: Any) -> Response:
        """The page on which somebody is."""
        progress = visit.who.progress
        if progress.submitted_at is not None:
            return self._page(visit, "done", step=None)
        if visit.who.wave > 1 and progress.consented_at is None:
            return self._page(visit, "again", step=0)
        page = questionnaire.next_page(visit.pages, progress.steps)
        if page is not None:
            return self._questionnaire(visit, page)
        if not progress.is_chosen:
            return self._page(visit, "submit", step=2, session=None, faults={}, **more)
        session = self._session(visit)
        if is_handed_in(session) or session.status == "submitted":
            return self._page(visit, "submit", step=2, session=None, faults={}, **more)
        if session.current is not None:
            return self._ask(visit, session, session.current, **more)
        if session.stopped is None:
            return self._page(visit, "waiting", step=1, session=session)
        return self._review(visit, session)

    def state(self, visit: Visit) -> Response:
        """What a page that waits asks for: the question that is open, and how much is being read."""
        if not self._is_interviewed(visit):
            return JSONResponse({"place": "elsewhere", "processing": 0, "progress": 0})
        session = self._session(visit)
        return JSONResponse(
            {
                "place": _place(session),
                "processing": len(session.unread),
                "progress": round(100 * session.progress),
            }
        )

    def answers(self, visit: Visit) -> Response:
        """All answers so far, to be changed; at the end it is the review."""
        if not self._is_interviewed(visit):
            return _to(f"/p/{visit.token}")
        session = self._session(visit)
        if is_handed_in(session):
            return _to(f"/p/{visit.token}")
        return self._review(visit, session)

    # --- the questionnaire

    def fill_in(self, visit: Visit, form: Form) -> Response:
        """Take a page of the questionnaire. One that is filled in already stays as it is."""
        if visit.who.wave > 1 and visit.who.progress.consented_at is None:
            return self._consent_again(visit, form)
        page = next((one for one in visit.pages if one.name == form["page"]), None)
        if page is None:
            raise RefusedError(400)
        if page.name in visit.who.progress.steps:
            return _to(f"/p/{visit.token}")
        take = {ABOUT_YOU: self._take_about_you, BELIEFS: self._take_beliefs}
        faults = take.get(page.name, self._take_scales)(visit, page, form)
        if faults:
            return self._questionnaire(visit, page, form, faults)
        who = self._site.participants.by_token(visit.token) or visit.who
        self._site.participants.save(who, steps=(*who.progress.steps, page.name))
        return _to(f"/p/{visit.token}")

    def _consent_again(self, visit: Visit, form: Form) -> Response:
        if form["consent_use"] != "yes":
            return self._page(visit, "again", 422, step=0)
        self._site.participants.save(visit.who, consented_at=datetime.now(UTC))
        return _to(f"/p/{visit.token}")

    def _take_about_you(self, visit: Visit, _: Page, form: Form) -> dict[str, str]:
        taken = about_you.read(self._site.study, form, asks_attention=visit.who.wave == 1)
        if taken.faults:
            return taken.faults
        said = {visit.who.id: taken.said}
        changes: dict[str, Any] = {"private": taken.private}
        if visit.who.wave == 1:
            self._site.store.add_survey([], said)
            changes["attention"] = taken.attention
        else:
            self._site.participants.add_again(visit.who.wave, [], said)
            changes["agreement"] = retest.agreement(
                self._site.store, self._site.study, visit.who, taken.said
            )
        self._site.participants.save(visit.who, **changes)
        return {}

    def _take_scales(self, visit: Visit, page: Page, form: Form) -> dict[str, str]:
        chosen, faults = questionnaire.read_scales(page, form)
        if not faults:
            found = questionnaire.surveys(visit.who.id, visit.topic, chosen)
            if visit.who.wave == 1:
                self._site.store.add_survey(found)
            else:
                self._site.participants.add_again(visit.who.wave, found, {})
        return faults

    def _take_beliefs(self, visit: Visit, _: Page, form: Form) -> dict[str, str]:
        beliefs = visit.who.progress.beliefs
        faults = {
            str(number): "Please choose one."
            for number in range(len(beliefs))
            if form[f"belief:{number}"] not in LETTERS
        }
        if not faults:
            found = [
                retest.belief_survey(
                    visit.who.id,
                    visit.topic.name,
                    number,
                    one,
                    form[f"belief:{number}"],
                    questionnaire.belief_text(visit.topic, one),
                )
                for number, one in enumerate(beliefs)
            ]
            self._site.participants.add_again(visit.who.wave, found, {})
        return faults

    def _questionnaire(
        self,
        visit: Visit,
        page: Page,
        form: Form | None = None,
        faults: dict[str, str] | None = None,
    ) -> HTMLResponse:
        names = [one.name for one in visit.pages]
        beliefs = [
            questionnaire.belief_text(visit.topic, one) for one in visit.who.progress.beliefs
        ]
        return self._page(
            visit,
            "questionnaire",
            422 if faults else 200,
            step=0,
            page=page,
            number=names.index(page.name) + 1,
            count=len(names),
            given=form or Form({}),
            faults=faults or {},
            beliefs=beliefs,
            letters=LETTERS,
            about=about_you.fields(self._site.study, asks_attention=visit.who.wave == 1),
        )

    # --- the interview

    def answer(self, visit: Visit, form: Form) -> Response:
        """Take an answer, once: a second tab or a repeated request changes nothing."""
        if not self._is_interviewed(visit):
            return _to(f"/p/{visit.token}")
        text = form["answer"]
        session = self._session(visit)
        open_ = session.current
        if open_ is not None and open_.id == form["question"]:
            fault = "Please type an answer first." if not text.strip() else _fault(session, text)
            if fault is not None:
                return self._ask(visit, session, open_, 422, text=text, fault=fault)
        elapsed = form.number("elapsed", _DAY_MS)
        taken, session = self._site.interviewer.answer(
            session.session_id,
            form["question"],
            text,
            events=_events(form, form["question"], elapsed),
            latency_ms=elapsed,
        )
        if taken is Taken.ANOTHER:
            return self.show(visit, other_text=text)
        return _to(f"/p/{visit.token}")

    def review(self, visit: Visit, form: Form) -> Response:
        """Take changes of answers; with `go_on` also go to where they are handed in."""
        if not self._is_interviewed(visit):
            return _to(f"/p/{visit.token}")
        session = self._session(visit)
        texts, faults = _changes(session, form)
        if faults:
            return self._review(visit, session, 422, form=form, faults=faults)
        try:
            stale, session = self._site.interviewer.edit(session.session_id, texts)
        except InterviewError:
            # Handed in from another tab meanwhile.
            return _to(f"/p/{visit.token}")
        if stale:
            return self._review(visit, session, 409, form=form, stale=stale)
        if form["go_on"] and session.stopped is not None:
            return self._page(visit, "submit", step=2, session=session, faults={})
        if form["back"] and session.stopped is None:
            return _to(f"/p/{visit.token}")
        return self._review(visit, session, saved=True)

    def end(self, visit: Visit, _: Form) -> Response:
        """End the questions on the person's word."""
        if self._is_interviewed(visit):
            self._site.interviewer.end(self._session(visit).session_id)
        return _to(f"/p/{visit.token}")

    def submit(self, visit: Visit, form: Form) -> Response:
        """Hand everything in, where the id is the one that was typed in at the beginning."""
        progress = visit.who.progress
        if progress.submitted_at is not None:
            return _to(f"/p/{visit.token}")
        is_there = questionnaire.next_page(visit.pages, progress.steps) is None
        session = self._session(visit) if self._is_interviewed(visit) else None
        if not is_there or (session is not None and session.stopped is None):
            return _to(f"/p/{visit.token}")
        if not self._site.recruitment.is_id_of(visit.who.id, form["recruited_as"]):
            self._site.participants.save(visit.who, mismatches=progress.mismatches + 1)
            faults = {
                "recruited_as": f"This is not the {self._site.study.id_name} that you began with. "
                "Look for spaces or letters that are missing."
            }
            return self._page(visit, "submit", 422, step=2, session=session, faults=faults)
        if session is not None:
            self._site.interviewer.hand_in(session.session_id)
        self._site.participants.save(visit.who, submitted_at=datetime.now(UTC))
        return _to(f"/p/{visit.token}")

    # --- leaving

    def confirm(self, visit: Visit, what: str) -> Response:
        """Ask whether somebody really wants to end, or to withdraw."""
        if what == "end" and not self._is_interviewed(visit):
            return _to(f"/p/{visit.token}")
        return self._page(visit, what, step=None)

    def withdraw(self, visit: Visit, _: Form) -> Response:
        """Delete all that the person said, in every wave, and forget who they are."""
        self._site.withdraw(visit.who.id)
        return self._site.pages.response("withdrawn")

    # --- pages

    def _page(
        self, visit: Visit, name: str, status: int = 200, *, step: int | None, **values: Any
    ) -> HTMLResponse:
        return self._site.pages.response(
            name,
            status,
            token=visit.token,
            check=self._site.secret.form(visit.token),
            link=f"{self._site.address}/p/{visit.token}",
            topic=visit.topic,
            who=visit.who,
            steps=_STEPS if visit.who.progress.is_chosen else (),
            step=step,
            **values,
        )

    def _ask(
        self, visit: Visit, session: Session, qa: QA, status: int = 200, **more: Any
    ) -> HTMLResponse:
        values = {"text": "", "fault": None, "other_text": None, **more}
        return self._page(visit, "ask", status, step=1, session=session, qa=qa, **values)

    def _review(
        self,
        visit: Visit,
        session: Session,
        status: int = 200,
        *,
        form: Form | None = None,
        faults: dict[str, str] | None = None,
        stale: Sequence[str] = (),
        saved: bool = False,
    ) -> HTMLResponse:
        return self._page(
            visit,
            "review",
            status,
            step=2 if session.stopped else 1,
            session=session,
            qas=[qa for qa in session.qas if qa.answer is not None and qa.kind != "tutorial"],
            given=form,
            faults=faults or {},
            stale=stale,
            saved=saved,
            saved_at=session.updated_at,
        )

    def _is_interviewed(self, visit: Visit) -> bool:
        progress = visit.who.progress
        return (
            progress.is_chosen
            and progress.submitted_at is None
            and questionnaire.next_page(visit.pages, progress.steps) is None
        )

    def _session(self, visit: Visit) -> Session:
        name = self._site.session_id(visit.who.id)
        try:
            return self._site.interviewer.session(name)
        except OtherMindsError:
            return self._site.interviewer.begin(visit.config, name, visit.who.id)


def _changes(session: Session, form: Form) -> tuple[dict[str, tuple[str, int]], dict[str, str]]:
    """The answers on a page of answers, and why some cannot be taken."""
    texts: dict[str, tuple[str, int]] = {}
    faults: dict[str, str] = {}
    for qa in session.qas:
        name = f"answer:{qa.id}"
        if qa.answer is None or name not in set(form):
            continue
        text, seen = form[name], form.number(f"seen:{qa.id}", 10**6)
        # A browser may send what it was shown with other line ends than it was typed with.
        if text == qa.answer.replace("\r\n", "\n"):
            continue
        fault = "An answer cannot be empty." if not text.strip() else _fault(session, text)
        if fault is not None:
            faults[qa.id] = fault
        texts[qa.id] = (text, -1 if seen is None else seen)
    return texts, faults


def _fault(session: Session, text: str) -> str | None:
    try:
        loop.check_answer(session, text)
    except InterviewError as error:
        return str(error)
    return None


def _place(session: Session) -> str:
    """What a page shows, so that another one can be told from it."""
    if session.current is not None:
        return session.current.id
    return "waiting" if session.stopped is None else "review"


def _events(form: Form, qa_id: str, elapsed: int | None) -> list[Event]:
    """What the page tells of an answer: its own clock counts from when it was shown.

    Times are the server's, so that nothing depends on the clock of somebody's machine.
    """
    now = datetime.now(UTC)
    found = []
    if elapsed is not None:
        shown = now - timedelta(milliseconds=elapsed)
        found.append(Event(kind="shown", at=shown, qa_id=qa_id))
        first = form.number("first_key", elapsed)
        if first is not None:
            at = shown + timedelta(milliseconds=first)
            found.append(Event(kind="first_keystroke", at=at, qa_id=qa_id))
        pauses = form.number("pauses", _DAY_MS)
        if pauses:
            found.append(Event(kind="paused", at=now, qa_id=qa_id, what=str(pauses)))
    return [*found, Event(kind="sent", at=now, qa_id=qa_id)]


def _to(path: str) -> RedirectResponse:
    return RedirectResponse(path, status_code=303)
