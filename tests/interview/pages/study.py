"""A study in the process: its pages without a network, and people who go through them."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from html import unescape
from pathlib import Path
from typing import Any

from fastapi.testclient import TestClient

from otherminds.interview.config import Config, topic_named
from otherminds.interview.pages.app import application
from otherminds.interview.pages.rates import Rates
from otherminds.interview.pages.secret import secret_of
from otherminds.interview.pages.site import Site
from otherminds.interview.store import Store
from otherminds.interview.study_settings import Study, with_tutorial

ADDRESS = "http://testserver"
CODE = "C0DE-4711"
ANSWERS = (
    "Noise lowers my support for night buses, because noise lowers my sleep.",
    "Night shifts raise my support for night buses a lot, since my sister works in a hospital.",
    "Ticket prices lower my support for night buses, and the city budget raises ticket prices.",
    "Safety at night raises my support for night buses very strongly, as far as I am concerned.",
    "Sleep raises my support for night buses when the street is quiet, which it rarely is here.",
    "Street lights raise safety at night, and that counts a good deal in my part of the town.",
)
"""Sentences that the rules can read."""


def config(topic: str = "night_buses", **parameters: Any) -> Config:
    """A topic with its tutorial and some parameters."""
    given = with_tutorial(Config(topic=topic_named(topic)))
    return given.model_copy(update={"parameters": given.parameters.model_copy(update=parameters)})


class Running:
    """A running study."""

    def __init__(self, site: Site, client: TestClient, folder: Path) -> None:
        self.site, self.client, self.folder = site, client, folder

    @property
    def store(self) -> Store:
        return self.site.store

    def researcher(self) -> TestClient:
        """Somebody who came in with the token."""
        token = (self.folder / "researcher.token").read_text().strip()
        done = self.client.post("/researcher/login", data={"token": token})
        assert done.status_code == 200, done.text
        return self.client

    def begin(self, recruited_as: str = "R-1") -> Person:
        """Somebody new, who has consented."""
        consent = {f"consent_{name}": "yes" for name in ("age", "region", "use")}
        done = self.client.post("/begin", data={**consent, "recruited_as": recruited_as})
        assert done.status_code == 200, done.text
        return Person(self, done.url.path.split("/")[2], recruited_as)

    def interviewed(self, recruited_as: str = "R-1") -> Person:
        """Somebody whose interview began."""
        person = self.begin(recruited_as)
        person.fill_in()
        return person

    def finished(self, recruited_as: str = "R-1", answers: int = 12) -> Person:
        """Somebody who handed in."""
        person = self.interviewed(recruited_as)
        person.talk(answers)
        person.end()
        person.hand_in()
        return person


class Person:
    """Somebody with their personal link."""

    def __init__(self, study: Running, token: str, recruited_as: str) -> None:
        self.study, self.token, self.recruited_as = study, token, recruited_as
        self.path = f"/p/{token}"

    @property
    def pseudonym(self) -> str:
        found = self.study.site.participants.by_token(self.token)
        assert found is not None
        return found.id

    @property
    def session_id(self) -> str:
        return self.study.site.session_id(self.pseudonym)

    def page(self, path: str = "") -> str:
        """The page as it stands."""
        done = self.study.client.get(self.path + path)
        assert done.status_code == 200, done.status_code
        return done.text

    def post(self, action: str, data: Mapping[str, str] | None = None, **more: Any) -> Any:
        """Send a form of the page."""
        check = self.study.site.secret.form(self.token)
        return self.study.client.post(
            f"{self.path}/{action}", data={"check": check, **(data or {})}, **more
        )

    def fill_in(self, **about: str) -> None:
        """Fill in the whole questionnaire."""
        while (found := re.search(r'name="page" value="([^"]+)"', self.page())) is not None:
            done = self.post("questionnaire", {"page": found[1], **self.fields(**about)})
            assert done.status_code == 200, done.text

    def fields(self, **about: str) -> dict[str, str]:
        """An answer to each question of the page."""
        page = self.page()
        said: dict[str, str] = {}
        for name, body in re.findall(
            r'<select id="[^"]+" name="([^"]+)".*?>(.*?)</select>', page, re.S
        ):
            options = [unescape(one) for one in re.findall(r"<option[^>]*>([^<]+)</option>", body)]
            said[unescape(name)] = options[1]
        if "about:attention" in said:
            said["about:attention"] = "rarely"
        if "about:age" in page:
            said |= {"about:age": "41", "about:zip code": "12345"}
        said |= {f"about:{name.replace('_', ' ')}": value for name, value in about.items()}
        for name in dict.fromkeys(re.findall(r'type="radio" name="([^"]+)"', page)):
            said[unescape(name)] = "A" if name.startswith("belief:") else "4"
        return said

    @property
    def question(self) -> str | None:
        """The id of the question that is open."""
        found = re.search(r'name="question" value="(q\d+)"', self.page())
        return None if found is None else found[1]

    def say(self, text: str, question: str | None = None) -> Any:
        """Answer the open question."""
        return self.post("answer", {"question": question or self.question or "q1", "answer": text})

    def talk(self, answers: int) -> None:
        """Answer so many questions, the tutorial's among them."""
        for number in range(answers):
            if self.question is None:
                return
            assert self.say(ANSWERS[number % len(ANSWERS)]).status_code == 200

    def end(self) -> None:
        """End the questions."""
        assert self.post("end").status_code == 200

    def hand_in(self) -> Any:
        """Hand in with the right id."""
        done = self.post("submit", {"recruited_as": self.recruited_as})
        assert done.status_code == 200, done.text
        return done


@contextmanager
def running(
    folder: Path,
    given: Config | None = None,
    *,
    study: Study | None = None,
    server: Any = None,
    rates: Rates | None = None,
) -> Iterator[Running]:
    """A study in a folder; a second one in the same folder is the first after a restart."""
    with Store(folder, create=True) as store:
        site = Site(
            store,
            given or config(),
            study or Study(completion_code=CODE, contact="lab@example.org"),
            secret_of(folder),
            address=ADDRESS,
            server=server,
        )
        # Tests ask faster than people: for them, hours pass between two requests.
        patient = rates or Rates(itertools.count(0, 3600).__next__)
        with TestClient(application(site, rates=patient), base_url=ADDRESS) as client:
            yield Running(site, client, folder)
