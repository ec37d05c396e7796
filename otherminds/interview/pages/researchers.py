"""The researchers' pages: sessions, questions, settings, quality control, exports, retest, withdrawal.

Nothing here is reachable without the token. No page shows a recruitment id beside what somebody said;
the table of invitations has ids and links, and no pseudonym.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any, Final
from urllib.parse import urlencode

from fastapi import APIRouter, Request
from fastapi.responses import RedirectResponse
from starlette.responses import HTMLResponse, Response

from otherminds.errors import OtherMindsError
from otherminds.interview import funnel, network, pool, quality, retest
from otherminds.interview.config import Guiding
from otherminds.interview.errors import InterviewError
from otherminds.interview.pages import bundles, drawing, settings
from otherminds.interview.pages.charts import bars, histogram
from otherminds.interview.pages.forms import Form, form_of, is_line
from otherminds.interview.pages.guard import RefusedError
from otherminds.interview.pages.site import Site
from otherminds.interview.session import Session
from otherminds.interview.store import Summary

COOKIE: Final = "visit"
_PATH: Final = "/researcher"
_PAGE: Final = 50
_SORTS: Final = (
    "participant_id",
    "topic",
    "status",
    "progress",
    "answers",
    "nodes",
    "updated",
    "created",
)
_STATUSES: Final = ("running", "review", "submitted")


def router(site: Site) -> APIRouter:
    """The routes of researchers."""
    routes = APIRouter(prefix=_PATH)
    desk = Desk(site)

    @routes.get("/login")
    def login_page() -> Response:
        return site.pages.response("login", fault=None)

    @routes.post("/login")
    def login(request: Request) -> Response:
        return desk.login(form_of(request))

    @routes.post("/logout")
    def logout(request: Request) -> Response:
        desk.came_in(request, form_of(request))
        response = RedirectResponse(f"{_PATH}/login", status_code=303)
        response.delete_cookie(COOKIE, path=_PATH)
        return response

    @routes.get("")
    def sessions(request: Request) -> Response:
        return desk.sessions(request)

    @routes.get("/sessions/{session_id}")
    def session(session_id: str, request: Request) -> Response:
        return desk.session(session_id, request)

    @routes.post("/sessions/{session_id}/order")
    def order(session_id: str, request: Request) -> Response:
        return desk.order(session_id, request, form_of(request))

    @routes.get("/questions")
    def questions(request: Request) -> Response:
        return desk.questions(request)

    @routes.post("/questions")
    def save_questions(request: Request) -> Response:
        return desk.save_questions(request, form_of(request))

    @routes.get("/settings")
    def settings_page(request: Request) -> Response:
        return desk.settings(request)

    @routes.post("/settings")
    def save_settings(request: Request) -> Response:
        return desk.save_settings(request, form_of(request))

    @routes.get("/quality")
    def quality_page(request: Request) -> Response:
        return desk.quality(request)

    @routes.get("/exports")
    def exports(request: Request) -> Response:
        return desk.exports(request)

    @routes.post("/exports")
    def export(request: Request) -> Response:
        return desk.export(request, form_of(request))

    @routes.get("/retest")
    def retest_page(request: Request) -> Response:
        return desk.retest(request)

    @routes.post("/retest")
    def invite(request: Request) -> Response:
        return desk.invite(request, form_of(request))

    @routes.get("/withdrawal")
    def withdrawal(request: Request) -> Response:
        return desk.withdrawal(request)

    @routes.post("/withdrawal")
    def withdraw(request: Request) -> Response:
        return desk.withdraw(request, form_of(request))

    return routes


class NotInError(Exception):
    """Somebody is not in: they are sent to where the token is asked for."""


class Desk:
    """What researchers see, and what becomes of what they send."""

    def __init__(self, site: Site) -> None:
        self._site = site

    # --- coming in

    def login(self, form: Form) -> Response:
        """Let somebody in who knows the token."""
        if not self._site.secret.is_token(form["token"]):
            return self._site.pages.response("login", 403, fault="This is not the study's token.")
        response = RedirectResponse(_PATH, status_code=303)
        response.set_cookie(
            COOKIE,
            self._site.secret.visit(),
            path=_PATH,
            httponly=True,
            samesite="strict",
            secure=self._site.is_secure,
        )
        return response

    def came_in(self, request: Request, form: Form | None = None) -> str:
        """The visit of a request. Raises `NotInError`, and `RefusedError` for a form of another page."""
        visit = request.cookies.get(COOKIE, "")
        if not self._site.secret.is_visit(visit):
            raise NotInError
        if form is not None and not self._site.secret.is_form(visit, form["check"]):
            raise RefusedError(403)
        return visit

    # --- sessions

    def sessions(self, request: Request) -> Response:
        """The table of sessions."""
        visit = self.came_in(request)
        asked = request.query_params
        wanted = asked.get("status", "")
        search = asked.get("search", "").strip().casefold()
        every = self._site.store.summaries()
        found = [
            one
            for one in every
            if (not wanted or one.status == wanted) and search in one.participant_id.casefold()
        ]
        sort = asked.get("sort", "updated")
        sort = sort if sort in _SORTS else "updated"
        is_down = asked.get("down", "1") == "1"
        found.sort(key=lambda one: (getattr(one, sort), one.id), reverse=is_down)
        pages = max(1, -(-len(found) // _PAGE))
        number = min(max(1, _number(asked.get("page", "1"))), pages)
        kept = {"status": wanted, "search": asked.get("search", "").strip()}

        def link(**changes: str) -> str:
            now = {**kept, "sort": sort, "down": "1" if is_down else "0", **changes}
            return f"{_PATH}?{urlencode(now)}"

        return self._page(
            visit,
            "sessions",
            sessions=[_row(one) for one in found[(number - 1) * _PAGE : number * _PAGE]],
            count=len(found),
            every=len(every),
            statuses=_STATUSES,
            kept=kept,
            sort=sort,
            is_down=is_down,
            link=link,
            number=number,
            pages_count=pages,
            trouble=self._site.interviewer.trouble,
        )

    def session(self, session_id: str, request: Request, *, fault: str | None = None) -> Response:
        """One session: its transcript beside its graph, after every answer."""
        visit = self.came_in(request)
        session = self._found(session_id)
        steps = [("", network.initial(session.config.topic)), *network.after_each(session)]
        tutorial = {qa.id for qa in session.qas if qa.kind == "tutorial"}
        kept = [(qa_id, state) for qa_id, state in steps if qa_id not in tutorial]
        at = drawing.places(kept[-1][1])
        # A concept that a later answer merged into another one has no place at the end.
        drawings = [(qa_id, drawing.drawn(state, at)) for qa_id, state in kept]
        chosen = min(
            _number(request.query_params.get("after", str(len(drawings) - 1))), len(drawings) - 1
        )
        return self._page(
            visit,
            "session",
            409 if fault else 200,
            session=session,
            drawings=drawings,
            chosen=chosen,
            box=(drawing.WIDTH, drawing.HEIGHT),
            pending=pool.in_order(session),
            fault=fault,
        )

    def order(self, session_id: str, request: Request, form: Form) -> Response:
        """Move a pending question up or down."""
        self.came_in(request, form)
        pending = [one.id for one in pool.in_order(self._found(session_id))]
        moved, way = form["question"], form["way"]
        if moved not in pending or way not in ("up", "down", "first"):
            return self.session(session_id, request, fault="That question is not pending any more.")
        place = pending.index(moved)
        pending.remove(moved)
        to = {"up": max(0, place - 1), "down": place + 1, "first": 0}[way]
        pending.insert(to, moved)
        try:
            self._site.interviewer.reorder(session_id, pending)
        except InterviewError:
            return self.session(session_id, request, fault="That question is not pending any more.")
        return _to(f"{_PATH}/sessions/{session_id}#pending")

    # --- questions and settings

    def questions(self, request: Request) -> Response:
        """The editor of guiding questions."""
        visit = self.came_in(request)
        rows = [one.model_dump() for one in self._site.standing.config.topic.guiding]
        return self._page(visit, "questions", rows=rows, faults={}, saved=False)

    def save_questions(self, request: Request, form: Form) -> Response:
        """Save the list as it was sent; a row without text is taken out."""
        visit = self.came_in(request, form)
        rows = settings.question_rows(form)
        moved = settings.moved(rows, form["move"])
        if form["move"] or form["add"]:
            if form["add"]:
                moved = [*moved, Guiding.model_construct(text="", active=True).model_dump()]
            return self._page(visit, "questions", rows=moved, faults={}, saved=False)
        config, faults = settings.with_questions(self._site.standing.config, rows)
        if config is None:
            return self._page(visit, "questions", 422, rows=rows, faults=faults, saved=False)
        self._site.standing.change(config)
        kept = [one.model_dump() for one in config.topic.guiding]
        return self._page(visit, "questions", rows=kept, faults={}, saved=True)

    def settings(self, request: Request) -> Response:
        """The topic and the parameters of the interviewer."""
        visit = self.came_in(request)
        config = self._site.standing.config
        return self._page(
            visit, "settings", fields=settings.fields(config), faults={}, saved=False, config=config
        )

    def save_settings(self, request: Request, form: Form) -> Response:
        """Save them for new sessions."""
        visit = self.came_in(request, form)
        config, faults = settings.with_fields(self._site.standing.config, form)
        if config is not None:
            self._site.standing.change(config)
        shown = config or self._site.standing.config
        given = settings.fields(shown) if config else settings.fields(shown, form)
        return self._page(
            visit,
            "settings",
            422 if faults else 200,
            fields=given,
            faults=faults,
            saved=config is not None,
            config=shown,
        )

    # --- quality control, exports

    def quality(self, request: Request) -> Response:
        """The funnel, and how it changes with the thresholds."""
        visit = self.came_in(request)
        topic = self._site.standing.config.topic
        found = funnel.funnel(self._site.store, self._site.participants, topic)
        whose = {one.session_id: one for one in found.measured}
        return self._page(
            visit,
            "quality",
            funnel=bars(found.counts),
            measures=[
                (name, histogram([float(getattr(one, name)) for one in whose.values()]), limit)
                for name, limit in _limits().items()
            ],
            steps=found.steps,
            measured=[one for one in found.measured if one.verdict != quality.UNFINISHED][:200],
        )

    def exports(self, request: Request, *, fault: str | None = None) -> Response:
        """What can be taken along."""
        visit = self.came_in(request)
        return self._page(
            visit,
            "exports",
            422 if fault else 200,
            bundles=bundles.BUNDLES,
            written=self._site.store.exports(),
            fault=fault,
            place=self._site.store.database.place,
        )

    def export(self, request: Request, form: Form) -> Response:
        """One of them, as a file."""
        self.came_in(request, form)
        made = bundles.make(self._site, form["what"])
        if made is None:
            raise RefusedError(400)
        return Response(
            made.content,
            media_type=made.media_type,
            headers={"content-disposition": f'attachment; filename="{made.name}"'},
        )

    # --- retest, withdrawal

    def retest(self, request: Request) -> Response:
        """Who may be invited again, and who came back."""
        visit = self.came_in(request)
        return self._page(
            visit,
            "retest",
            people=retest.standing(self._site.participants, self._site.study),
            due=retest.due(self._site.participants, self._site.study),
            now=datetime.now(UTC),
        )

    def invite(self, request: Request, form: Form) -> Response:
        """Make links for everybody who is due, or one person's link anew."""
        self.came_in(request, form)
        site = self._site
        people: Sequence[str] = retest.due(site.participants, site.study)
        if form["person"]:
            known = {one.person for one in retest.standing(site.participants, site.study)}
            people = [form["person"]] if form["person"] in known else []
        made = retest.invite(site.store, site.participants, site.recruitment, site.study, people)
        return Response(
            retest.invitations_csv(made, site.address),
            media_type="text/csv; charset=utf-8",
            headers={"content-disposition": 'attachment; filename="invitations.csv"'},
        )

    def withdrawal(self, request: Request) -> Response:
        """Delete somebody who asked for it."""
        visit = self.came_in(request)
        person = request.query_params.get("person", "")
        return self._page(visit, "withdrawal", person=person, told=(), fault=None)

    def withdraw(self, request: Request, form: Form) -> Response:
        """Delete a person by their pseudonym, or by the id that they have on the platform."""
        visit = self.came_in(request, form)
        name = form["name"].strip()
        if not name or not is_line(name) or form["sure"] != "yes":
            fault = "Type in whom to delete, and tick that you are sure."
            return self._page(visit, "withdrawal", 422, person=name, told=(), fault=fault)
        people = self._site.recruitment.people(name) or [name]
        told: list[str] = []
        for person in people:
            try:
                done = self._site.withdraw(person)
            except OtherMindsError as error:
                return self._page(
                    visit, "withdrawal", 422, person=name, told=told, fault=str(error)
                )
            told.append(
                f"Sessions: {done.sessions}; exported files that were changed: {len(done.changed)}"
            )
            told += [f"Not found where it was written: {path}" for path in done.missing]
        return self._page(visit, "withdrawal", person="", told=told, fault=None)

    # --- pages

    def _found(self, session_id: str) -> Session:
        try:
            return self._site.interviewer.session(session_id)
        except OtherMindsError:
            raise RefusedError(404) from None

    def _page(self, visit: str, name: str, status: int = 200, **values: Any) -> HTMLResponse:
        check = self._site.secret.form(visit)
        return self._site.pages.response(name, status, check=check, here=name, **values)


def _row(one: Summary) -> dict[str, Any]:
    return {**vars(one), "when": one.updated[:16].replace("T", " ")}


def _limits() -> dict[str, float]:
    at = quality.Thresholds()
    return {
        "turns": at.turns,
        "words": at.words,
        "median_words": at.median_words,
        "nodes": at.nodes,
        "redundant": at.redundant,
        "meta_level": at.meta_level,
    }


def _number(text: str) -> int:
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 7 else 0


def _to(path: str) -> RedirectResponse:
    return RedirectResponse(path, status_code=303)
