"""A whole study in a real browser: people with a keyboard alone, researchers, a withdrawal."""

from __future__ import annotations

import json
import logging
import subprocess
import sys
from importlib.resources import files
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from otherminds.interview import making, records
from otherminds.interview.annotation.writing import Wanted, write
from otherminds.interview.config import Config
from otherminds.interview.participant import Participant, known_graph
from otherminds.interview.session import Session
from otherminds.interview.store import Store
from otherminds.interview.study import LABELS
from tests.engine.page.conftest import Page, screen
from tests.interview import people
from tests.interview.pages import study as pages
from tests.interview.pages.conftest import Served, served
from tests.interview.people import files_with

pytest.importorskip("selenium", reason="selenium is not installed")
pytest.importorskip("axe_playwright_python", reason="axe-playwright-python is not installed")

WIDTHS_AND_THEMES = [(1280, "light"), (390, "dark"), (1280, "dark"), (390, "light")]


class Keyboard:
    """Somebody who uses no mouse."""

    def __init__(self, page: Page) -> None:
        from selenium.webdriver.common.action_chains import ActionChains
        from selenium.webdriver.common.keys import Keys

        self.page, self.keys, self._chains = page, Keys, ActionChains

    def press(self, *keys: str) -> None:
        """Press keys, one after the other."""
        self._chains(self.page.driver).send_keys(*keys).perform()

    def send(self) -> None:
        """Ctrl+Enter."""
        chain = self._chains(self.page.driver)
        chain.key_down(self.keys.CONTROL).send_keys(self.keys.ENTER).key_up(
            self.keys.CONTROL
        ).perform()

    def tab_to(self, condition: str) -> None:
        """Tab until a script says that the focus is where it should be."""
        for _ in range(120):
            if self.page.run(f"const one = document.activeElement; return {condition}"):
                return
            self.press(self.keys.TAB)
        raise AssertionError(f"the keyboard does not reach {condition}")

    def go(self, button: str) -> None:
        """Tab to a button or link by its text, and press Enter; wait for another page."""
        self.tab_to(f"one.textContent.trim() === {json.dumps(button)}")
        self.page.run("document.documentElement.dataset.before = 'yes'")
        self.press(self.keys.ENTER)
        self.page.until(
            lambda: self.page.run(
                "return document.readyState === 'complete' && !document.documentElement.dataset.before"
            )
        )


def place(page: Page) -> str:
    """Which question is open, or what the page is otherwise."""
    script = "return document.getElementById('place')?.dataset.place ?? ''"
    found: str = page.run(script)
    return found


def answer(page: Page, hands: Keyboard, text: str) -> None:
    """Type an answer and send it; wait until another question stands there."""
    before = place(page)
    page.until(lambda: page.run("return document.activeElement.id === 'answer'"))
    hands.press(text)
    hands.send()
    page.until(lambda: place(page) not in ("", before))


def fill_in(page: Page, hands: Keyboard) -> None:
    """Fill in the questionnaire with Tab, arrows, letters and Space."""
    for _ in range(12):
        if not page.all("form[data-draft]:not([data-swap])"):
            return
        names = page.run(
            "return [...new Set([...document.querySelectorAll("
            "'main form select, main form input:not([type=hidden])')].map((one) => one.name))]"
        )
        for name in names:
            wanted = json.dumps(name)
            if page.run(
                f"return document.getElementsByName({wanted})[0].closest('[hidden]') !== null"
            ):
                continue
            hands.tab_to(f"one.name === {wanted}")
            if name == "about:age":
                hands.press("41")
            elif name == "about:attention":
                hands.press("rare")
            elif page.run("return document.activeElement.tagName") == "SELECT":
                hands.press(hands.keys.ARROW_DOWN)
            elif page.run("return document.activeElement.type") == "radio":
                hands.press(hands.keys.SPACE, hands.keys.ARROW_RIGHT, hands.keys.ARROW_RIGHT)
        hands.go(page.one("button.main").text)


def begin(page: Page, study: Served, hands: Keyboard, recruited_as: str) -> None:
    """Consent with the keyboard."""
    page.driver.get(f"{study.address}/")
    for name in ("age", "region", "use"):
        hands.tab_to(f"one.name === 'consent_{name}'")
        hands.press(hands.keys.SPACE)
    hands.tab_to("one.name === 'recruited_as'")
    hands.press(recruited_as)
    hands.go("Begin")


def session(study: Served, name: str) -> Session:
    record = study.store.load(name)
    return records.session_of(record, study.store.config(record.summary.config_hash))


def somebody(config: Config, seed: int) -> Participant:
    """Who knows what they think, and says it in sentences that rules read."""
    topic = config.topic
    graph = known_graph(seed, nodes=9, edges=13, labels=LABELS, stance_label=topic.stance_label)
    return Participant(graph, topic.policy, seed=seed)


def interview(page: Page, hands: Keyboard, who: Participant) -> None:
    """Answer everything that is asked."""
    for number in range(60):
        question = place(page)
        if question == "review":
            return
        text = page.one("#question").text
        if number == 5:
            # Nothing is lost or asked twice when the page is loaded again.
            page.driver.refresh()
            assert page.one("#question").text == text
        said = who.answer(text) if number > 2 else "I would like to try this out, please."
        answer(page, hands, f"{said} That is how it looks to me, at my age and in number {number}.")
    raise AssertionError("the interview did not end")


def hand_in(page: Page, hands: Keyboard, recruited_as: str) -> None:
    """From the review to the code."""
    hands.go("Save and hand in")
    hands.tab_to("one.name === 'recruited_as'")
    hands.press(recruited_as)
    hands.go("Hand in")
    assert page.one(".code .number").text == pages.CODE


# Drawings have a text of their own, and axe does not see what lies behind a letter in them. Far down a
# page it takes an element for overlapped that nothing lies over; on all others of its kind it decides.
AXE = """
const done = arguments[arguments.length - 1];
axe.run({exclude: [['svg']]}, {resultTypes: ['violations', 'incomplete']}).then(
  (found) => done({
    violations: found.violations.map((one) => [one.id, one.nodes[0].html]),
    incomplete: found.incomplete
      .filter((one) => !one.nodes.every(
        (node) => node.any.some((any) => any.data?.messageKey === "bgOverlap")))
      .map((one) => [one.id, one.nodes[0].html]),
  }),
  (error) => done(String(error)),
);
"""


def checked(page: Page) -> dict[str, list[Any]]:
    """What axe finds on the page as it stands."""
    page.run(files("axe_playwright_python").joinpath("axe.min.js").read_text(encoding="utf-8"))
    found = page.driver.execute_async_script(AXE)
    assert isinstance(found, dict), found
    return found


def accessible(page: Page, found: dict[str, Any]) -> None:
    """Look at the page with axe in both themes and at both widths."""
    path = urlsplit(page.driver.current_url).path
    for width, theme in WIDTHS_AND_THEMES:
        with screen(page.driver, width, theme):
            seen = checked(page)
            wide = page.run(
                "return document.documentElement.scrollWidth > document.documentElement.clientWidth"
            )
        if seen["violations"] or seen["incomplete"] or wide:
            where = f"{page.driver.title} {path[:12]} {width} {theme}"
            found[where] = (seen["violations"], seen["incomplete"], wide)


@pytest.mark.slow
@pytest.mark.attack(
    "what a participant's browser sends to anybody else",
    outcome="nothing: every request goes to this server",
    against="interviews",
)
def test_a_whole_study(page: Page, tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO)
    config = pages.config("zoning", max_qas=16)
    faults: dict[str, Any] = {}
    links = []
    with served(tmp_path / "study", config=config) as study:
        hands = Keyboard(page)
        for number, width in enumerate((1280, 390, 1280)):
            with screen(page.driver, width, "light"):
                begin(page, study, hands, f"R-prolific-{number}")
                links.append(urlsplit(page.driver.current_url).path)
                fill_in(page, hands)
                interview(page, hands, somebody(config, number))
                if number == 0:
                    change_an_answer(page, hands)
                hand_in(page, hands, f"R-prolific-{number}")
        asked = {urlsplit(url).netloc for url in page.requests() if not url.startswith("about:")}
        assert asked == {urlsplit(study.address).netloc}
        assert not [one for one in page.console() if one["level"] == "SEVERE"]

        names = [one.id for one in study.store.summaries(status="submitted")]
        assert len(names) == 3
        first = session(study, names[0])
        assert [len(qa.edited) for qa in first.qas].count(1) == 1

        page.driver.get(f"{study.address}/researcher")
        page.one("#token").send_keys((study.folder / "researcher.token").read_text().strip())
        page.one("button.main").click()
        page.until(lambda: len(page.all("tbody tr")) == 3)
        look_at_researchers_pages(page, study, names[0], faults)
        assert faults == {}

        exported = tmp_path / "exported"
        command([*study_command(study, "export"), str(exported)])
        items = tmp_path / "items"
        made = making.make(making.Wanted(data=str(study.folder), out=items, everybody=True))
        assert not made.failed
        run_on(items, tmp_path / "results")

        # The one who changed an answer withdraws from the page.
        secret = "Hildegard"
        assert files_with(study.folder, secret)
        assert files_with(exported, secret)
        person = first.participant_id
        page.driver.get(f"{study.address}{links[0]}/withdraw")
        page.one("button.danger").click()
        page.until(lambda: page.all("#finished"))
        for folder in (study.folder, exported, items):
            assert files_with(folder, secret) == []
            assert files_with(folder, "R-prolific-0") == []
        assert person not in (exported / "transcripts.csv").read_text()
        assert len(study.store.summaries()) == 2
    assert secret not in caplog.text
    assert not any(one.rpartition("/")[2] in caplog.text for one in links)


def change_an_answer(page: Page, hands: Keyboard) -> None:
    """Change an answer in the review; it is saved when the field is left."""
    saved = page.one("#saved").text
    hands.tab_to("one.tagName === 'TEXTAREA'")
    hands.press(" And Hildegard says so too.", hands.keys.TAB)
    page.until(lambda: page.one("#saved").text not in (saved, ""))
    assert page.one("#saved").text.startswith("Saved.")


def look_at_researchers_pages(page: Page, study: Served, name: str, faults: dict[str, Any]) -> None:
    """Open every page, with axe; and play with the slider."""
    for path in ("", "/quality", "/questions", "/settings", "/exports", "/retest", "/withdrawal"):
        page.driver.get(f"{study.address}/researcher{path}")
        accessible(page, faults)
    page.driver.get(f"{study.address}/researcher/sessions/{name}")
    # Axe cannot decide on what is folded.
    page.run("for (const one of document.querySelectorAll('details')) one.open = true")
    accessible(page, faults)
    slider = page.one("#after")
    counts = []
    for value in (0, 3, int(slider.get_attribute("max"))):
        page.run(
            "arguments[0].value = arguments[1]; arguments[0].dispatchEvent(new Event('input'))",
            slider,
            value,
        )
        counts.append(
            len(page.run("return [...document.querySelectorAll('.step:not([hidden]) .box')]"))
        )
    assert counts == sorted(counts)
    assert counts[0] == 1 < counts[-1]


def study_command(study: Served, *words: str) -> list[str]:
    return ["interview", *words, "--data", str(study.folder)]


def command(words: list[str]) -> None:
    """A command of ours, in a process of its own."""
    program = str(Path(sys.executable).with_name("otherminds"))
    done = subprocess.run([program, *words], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def run_on(items: Path, results: Path) -> None:
    metadata = json.dumps({"data_source": str(items)})
    command(["run", "hugagent", "--metadata", metadata, "--model", "random", "--out", str(results)])


@pytest.mark.slow
def test_every_page_of_a_participant_before_axe(page: Page, tmp_path: Path) -> None:
    faults: dict[str, Any] = {}
    with (
        served(tmp_path, config=pages.config("night_buses")) as study,
        pages.running(tmp_path) as inside,
    ):

        def look(path: str) -> None:
            page.driver.get(f"{study.address}{path}")
            accessible(page, faults)

        look("/?id=5f3a")
        look("/researcher/login")
        look("/p/nobody")
        person = inside.begin()
        for name in ("about-you", "views", "scenario-4.3", "scenario-4.4"):
            look(person.path)
            if name == "about-you":
                page.one("button.main").click()
                page.until(lambda: page.all(".notice"))
                accessible(page, faults)
            person.post("questionnaire", {"page": name, **person.fields()})
        look(person.path)
        person.talk(5)
        for path in ("", "/review", "/end", "/withdraw"):
            look(person.path + path)
        person.end()
        look(person.path)
        page.one("button[name=go_on]").click()
        page.until(lambda: page.all("input[name=recruited_as]"))
        accessible(page, faults)
        person.hand_in()
        look(person.path)
    assert faults == {}


@pytest.mark.slow
def test_an_annotators_page(page: Page, tmp_path: Path) -> None:
    faults: dict[str, Any] = {}
    with Store(tmp_path / "study", create=True) as store:
        people.simulated(store, [people.agent(f"P0{number}", seed=number) for number in (1, 2)])
        wanted = Wanted(annotators=1, each=1)
        write(store, store.summaries(status="submitted"), tmp_path / "judging", wanted)
    path = tmp_path / "judging" / "for_A1" / "annotate_A1.html"
    page.open(path)
    accessible(page, faults)
    # What lies below the edge of a pane that scrolls, axe cannot decide; it decides on all the rest.
    assert not [one for one in faults.values() if one[0] or one[2]]
    hands = Keyboard(page)
    hands.tab_to("one.type === 'radio'")
    hands.press("7")
    assert page.one("#count").text.startswith("1 of ")
    hands.press(hands.keys.DELETE)
    assert page.one("#count").text.startswith("0 of ")
    hands.press("x")
    assert page.one("input:checked").get_attribute("value") == "1.0"
    hands.tab_to("one.tagName === 'TEXTAREA'")
    hands.press("street noise -> sleep, lowers, 0.8")

    def kept() -> bool:
        # What a page stored may reach the next load late.
        page.driver.refresh()
        return bool(page.all("input:checked")) and page.one("textarea").get_property("value") != ""

    page.until(kept)
    assert page.one("#count").text.startswith("1 of ")
    assert page.console() == []
    assert {urlsplit(url).scheme for url in page.requests()} <= {"file", "data"}


@pytest.mark.slow
def test_a_draft_survives_a_reload_and_a_lost_connection(page: Page, tmp_path: Path) -> None:
    with served(tmp_path) as study:
        with pages.running(tmp_path) as inside:
            person = inside.interviewed()
        hands = Keyboard(page)
        page.driver.get(study.address + person.path)
        page.until(lambda: page.run("return document.activeElement.id === 'answer'"))
        hands.press("Quiet, and tea.")

        def kept() -> bool:
            # What a page stored may reach the next load late.
            page.driver.refresh()
            return bool(page.one("#answer").get_property("value") == "Quiet, and tea.")

        page.until(kept)
        study.stop()
        hands.send()
        page.until(lambda: page.one("#trouble").is_displayed())
        assert page.one("#answer").get_property("value") == "Quiet, and tea."
        study.start()
        page.until(lambda: place(page) == "q2")
        name = study.store.summaries()[0].id
        assert [qa.answer for qa in session(study, name).qas] == ["Quiet, and tea.", None]
        kinds = [one.kind for one in session(study, name).events if one.qa_id == "q1"]
        assert kinds[0] == "shown"
        assert kinds[-1] == "sent"


@pytest.mark.slow
def test_everything_but_drafts_works_without_javascript(page: Page, tmp_path: Path) -> None:
    page.driver.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": True})
    try:
        with served(tmp_path) as study:
            with pages.running(tmp_path) as inside:
                person = inside.begin()
                person.fill_in()
            page.driver.get(study.address + person.path)
            for number in range(1, 6):
                box = page.one("#answer")
                box.send_keys(pages.ANSWERS[number])
                page.one("button.main").click()
                page.until(lambda number=number: page.all(f"[data-place=q{number + 1}]"))  # type: ignore[misc]
            page.driver.get(f"{study.address}{person.path}/end")
            page.one("form button").click()
            page.until(lambda: page.all("button[name=go_on]"))
            page.one("button[name=go_on]").click()
            page.until(lambda: page.all("input[name=recruited_as]"))
            page.one("input[name=recruited_as]").send_keys("R-1")
            page.one("button.main").click()
            page.until(lambda: page.all(".code"))
            assert page.one(".code .number").text == pages.CODE
    finally:
        page.driver.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": False})
