"""Damaged tables, keys and configurations: each is read, or refused by one clear error."""

from __future__ import annotations

import random
from pathlib import Path
from urllib.parse import urlencode

import pytest

from otherminds.errors import OtherMindsError
from otherminds.interview.annotation.reading import read
from otherminds.interview.study_settings import read_study
from tests.helpers import damage
from tests.interview.pages import study as pages
from tests.interview.test_annotation import agreeing, annotation, sent_back, store

__all__ = ["store"]

STUDY = """\
topic: night_buses
max_qas: 20
study:
  title: Night buses
  contact: lab@example.org
  completion_code: C1
  retest_days: 14
  demographics:
    - {name: age, text: "How old are you?", kind: number, least: 18, most: 99, fixed: true}
    - {name: housing, text: "Do you rent?", options: [rent, own], fixed: true}
"""


def test_a_returned_table(store: object, tmp_path: Path) -> None:
    made = annotation(store, tmp_path / "j")  # type: ignore[arg-type]
    path = sent_back(tmp_path / "j", made, "A1", agreeing(made))
    mutators = (damage.csv_file, damage.flipped, damage.cut, damage.recoded, damage.lines)
    found = damage.fuzz(
        path,
        lambda: read(tmp_path / "j"),
        mutators,
        n=60,
        error=OtherMindsError,
        named=tmp_path / "j",
    )
    assert found.refused > 10


def test_a_key(store: object, tmp_path: Path) -> None:
    made = annotation(store, tmp_path / "j")  # type: ignore[arg-type]
    sent_back(tmp_path / "j", made, "A1", agreeing(made))
    mutators = (damage.json_values, damage.flipped, damage.cut)
    path = tmp_path / "j" / "key.json"
    found = damage.fuzz(
        path,
        lambda: read(tmp_path / "j"),
        mutators,
        n=60,
        error=OtherMindsError,
        named=tmp_path / "j",
    )
    assert found.refused > 10


def test_a_configuration(tmp_path: Path) -> None:
    path = tmp_path / "study.yaml"
    path.write_text(STUDY)
    mutators = (damage.flipped, damage.spliced, damage.cut, damage.lines)
    found = damage.fuzz(path, lambda: read_study(path), mutators, n=60, error=OtherMindsError)
    assert found.refused > 10


@pytest.mark.attack(
    "damaged forms, thousands of them",
    outcome="taken or refused by a page; never a fault",
    against="interviews",
)
def test_forms(tmp_path: Path) -> None:
    with pages.running(tmp_path) as study:
        person = study.interviewed()
        check = study.site.secret.form(person.token)
        form = {"check": check, "question": "q1", "answer": "Noise & <b>buses</b>", "elapsed": "12"}
        sound = urlencode(form).encode()
        kind = {"content-type": "application/x-www-form-urlencoded"}
        for number in range(150 * damage.TIMES):
            rng = random.Random(number)
            mutate = rng.choice((damage.flipped, damage.spliced, damage.cut, damage.recoded))
            action = rng.choice(("answer", "questionnaire", "review", "submit"))
            body = mutate(sound, rng).data
            done = study.client.post(f"{person.path}/{action}", content=body, headers=kind)
            assert done.status_code < 500, (number, body)
