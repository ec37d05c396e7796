"""Survey answers of others as examples: whose, in which order, and never the target's."""

from __future__ import annotations

import random
from collections import Counter
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pytest
from hypothesis import given
from hypothesis import strategies as st

from otherminds.dataset_builders.hugagent import human
from otherminds.dataset_builders.hugagent.ablations import survey_examples
from otherminds.dataset_builders.hugagent.features import ITEM
from tests.helpers import fictional_hugagent as fictional
from tests.hugagent.ablations.rows import item, table

PEOPLE = [f"P{number:02d}" for number in range(1, 9)]


def asked(person: str, question_id: str, answer: str, **changes: Any) -> dict[str, Any]:
    row = item(f"{person}-{question_id}", person, "zoning", ["x"])
    return row | {"question_id": question_id, "answer": answer} | changes


def survey() -> pa.Table:
    """Eight people; person n answers n to 1.1; the first three answer 1.2 too."""
    rows = [asked(person, "1.1", str(n)) for n, person in enumerate(PEOPLE, start=1)]
    return table(*rows, *(asked(person, "1.2", "5") for person in PEOPLE[:3]))


def shown(found: pa.Table) -> dict[str, list[dict[str, Any]]]:
    columns = (found[name].to_pylist() for name in ("item_id", "examples"))
    return dict(zip(*columns, strict=True))


def test_an_item_shows_k_others_who_answered_its_question() -> None:
    whole = survey()
    found = shown(survey_examples(whole, whole, survey_k=4, survey_seed=0))
    for n, person in enumerate(PEOPLE, start=1):
        examples = found[f"{person}-1.1"]
        assert len(examples) == 4
        for example in examples:
            # Person n has the name n and answered n.
            assert example["background"] == f"name: P{int(example['answer']):02d}"
            assert example["answer"] != str(n)
            assert example["question"] is None
    # Two others answered 1.2, of the three who did.
    assert [len(found[f"{person}-1.2"]) for person in PEOPLE[:3]] == [2, 2, 2]


def test_one_panel_serves_everybody_outside_it() -> None:
    whole = survey()
    found = shown(survey_examples(whole, whole, survey_k=3, survey_seed=5))
    panels = Counter(tuple(one["answer"] for one in found[f"{person}-1.1"]) for person in PEOPLE)
    [(panel, times)] = panels.most_common(1)
    # The five outside the panel of three see it; each of the three sees the other two and the next.
    assert times == 5
    assert all(len(set(other) & set(panel)) == 2 for other in panels if other != panel)


@given(st.integers(0, 2**32), st.integers(1, 12))
def test_no_gold_of_the_target_decides_what_is_shown(seed: int, k: int) -> None:
    whole = survey()
    before = shown(survey_examples(whole, whole, survey_k=k, survey_seed=seed))
    rows = whole.to_pylist()
    target = random.Random(seed).choice(PEOPLE)
    altered = table(
        *(row | {"answer": "10"} if row["participant_id"] == target else row for row in rows)
    )
    after = shown(survey_examples(altered, altered, survey_k=k, survey_seed=seed))
    for question in ("1.1", "1.2"):
        assert after.get(f"{target}-{question}") == before.get(f"{target}-{question}")


def test_everybody_is_shown_equally_often_over_seeds() -> None:
    whole = survey()
    one = whole.filter(pc.field("item_id") == "P01-1.1")
    seen = Counter(
        example["answer"]
        for seed in range(700)
        for example in shown(survey_examples(one, whole, survey_k=2, survey_seed=seed))["P01-1.1"]
    )
    # 1,400 places for seven people: 200 each, SD sqrt(700 · 2/7 · 5/7) = 12.
    assert set(seen) == set("2345678")
    assert all(abs(times - 200) < 4 * 12 for times in seen.values())


def test_another_wording_is_shown_with_its_answer() -> None:
    reason = {"question_type": "reason_evaluation", "scale": [1, 5], "reason_code": "A"}
    rows = [
        asked(person, "1.2r_A", "2", question=f"With {person}?", reason_text="Noise.", **reason)
        for person in PEOPLE[:2]
    ]
    whole = table(*rows)
    found = shown(survey_examples(whole, whole, survey_k=1, survey_seed=0))
    [example] = found["P01-1.2r_A"]
    assert example == {
        "background": "name: P02",
        "question": "With P02? Reason A: Noise.",
        "answer": "2",
    }


def test_answers_outside_the_scale_are_not_shown() -> None:
    whole = table(*(asked(p, "1.1", "0" if n % 2 else "4") for n, p in enumerate(PEOPLE)))
    found = shown(survey_examples(whole, whole, survey_k=8, survey_seed=0))
    assert {one["answer"] for examples in found.values() for one in examples} == {"4"}


def test_letters_are_no_question_of_the_survey() -> None:
    whole = pa.concat_tables(human.convert(fictional.sample()).values())
    found = survey_examples(whole, whole, survey_k=2, survey_seed=0)
    for task, examples in zip(
        found["task"].to_pylist(), found["examples"].to_pylist(), strict=True
    ):
        assert (len(examples) == 0) or task == "bdu"
    assert set(pc.list_value_length(found["context"]).to_pylist()) == {0}


def written(tmp_path: Path, text: str) -> str:
    path = tmp_path / "survey.csv"
    path.write_text(text, encoding="utf-8")
    return str(path)


def test_a_table_takes_the_place_of_the_dataset(tmp_path: Path) -> None:
    source = written(
        tmp_path,
        "participant_id,age,1.1,party,1.2\nX1,30,7.0,Ely,\nX2,,3,,2\nP01,40,9,Rye,9\nX3,50,77,Rye,\n",
    )
    whole = survey()
    found = shown(survey_examples(whole, whole, survey_k=15, survey_seed=0, survey_table=source))
    first = {"background": "age: 30; party: Ely", "question": None, "answer": "7"}
    own = {"background": "age: 40; party: Rye", "question": None, "answer": "9"}
    # X3's 77 is outside the scale, X1 did not answer 1.2, and P01 is never shown to P01.
    key = lambda one: one["answer"]  # noqa: E731
    second = {"background": "", "question": None, "answer": "3"}
    assert sorted(found["P01-1.1"], key=key) == [second, first]
    assert sorted(found["P02-1.1"], key=key) == [second, first, own]
    assert [one["answer"] for one in found["P01-1.2"]] == ["2"]


def test_somebody_of_the_dataset_under_another_id_is_refused(tmp_path: Path) -> None:
    names = [f"1.{n}" for n in range(1, 12)]
    rows = [
        asked(person, name, str(1 + (place * 3 + n) % 10))
        for place, person in enumerate(PEOPLE)
        for n, name in enumerate(names)
    ]
    whole = table(*rows)
    own = [row["answer"] for row in rows if row["participant_id"] == "P03"]
    header = ",".join(["participant_id", *names])
    disguised = written(tmp_path, f"{header}\n{','.join(['5f3a', *own])}\n")
    with pytest.raises(ValueError, match=r"'5f3a' has the same answers as P03 .* all 11 questions"):
        survey_examples(whole, whole, survey_k=1, survey_seed=0, survey_table=disguised)
    # The id of somebody else in the dataset is no better: P02 would be shown to P03.
    borrowed = written(tmp_path, f"{header}\n{','.join(['P02', *own])}\n")
    with pytest.raises(ValueError, match=r"'P02' has the same answers as P03 .* all 11 questions"):
        survey_examples(whole, whole, survey_k=1, survey_seed=0, survey_table=borrowed)
    # Under the own id it is shown to the others alone.
    named = written(tmp_path, f"{header}\n{','.join(['P03', *own])}\n")
    found = shown(survey_examples(whole, whole, survey_k=1, survey_seed=0, survey_table=named))
    assert {item_id for item_id, examples in found.items() if not examples} == {
        f"P03-{name}" for name in names
    }


def test_two_people_of_the_dataset_may_answer_alike(tmp_path: Path) -> None:
    names = [f"1.{n}" for n in range(1, 12)]
    # P01 and P02 gave the same answers to the first ten; P02 was not asked the last.
    rows = [asked("P01", name, "4") for name in names]
    rows += [asked("P02", name, "4") for name in names[:10]]
    whole = table(*rows)
    header = ",".join(["participant_id", *names])
    alike = written(tmp_path, f"{header}\nP02,{','.join(['4'] * 10)},\n")
    found = shown(survey_examples(whole, whole, survey_k=1, survey_seed=0, survey_table=alike))
    assert found["P01-1.1"] == [{"background": "", "question": None, "answer": "4"}]
    # With an eleventh answer that is P01's alone, the row is no longer what P02 said.
    more = written(tmp_path, f"{header}\nP02,{','.join(['4'] * 11)}\n")
    with pytest.raises(ValueError, match="'P02' has the same answers as P01"):
        survey_examples(whole, whole, survey_k=1, survey_seed=0, survey_table=more)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("participant_id,age\nX1,30\n", "no row with a column named by a question, such as '1.1'"),
        ("participant_id,1.1\n", "it has: no rows"),
        ("participant_id,1.1\nX1,often\n", "'X1', column '1.1': 'often' is not a whole number"),
        ("participant_id,1.1\nX1,6.5\n", "'6.5' is not a whole number"),
        ("participant_id,1.1,Zip code\nX1,6,02139\n", "'Zip code', which identifies people"),
        ("participant_id,1.1,prolific_id\nX1,6,a\n", "'prolific_id', which identifies people"),
        ("participant_id,1.1\nX1,6\nX1,7\n", "'X1' is given twice"),
    ],
)
def test_a_wrong_table_is_refused(tmp_path: Path, text: str, said: str) -> None:
    source = written(tmp_path, text)
    with pytest.raises(ValueError, match=said):
        survey_examples(survey(), survey(), survey_k=1, survey_seed=0, survey_table=source)


def test_sealed_golds_and_wrong_numbers_are_refused() -> None:
    sealed = table(*(row | {"answer": None} for row in survey().to_pylist()))
    assert sealed.schema.equals(ITEM)
    with pytest.raises(ValueError, match="golds of other people are sealed"):
        survey_examples(sealed, sealed, survey_k=1, survey_seed=0)
    with pytest.raises(ValueError, match="at least 1"):
        survey_examples(survey(), survey(), survey_k=0, survey_seed=0)
    with pytest.raises(ValueError, match="at least 0"):
        survey_examples(survey(), survey(), survey_k=1, survey_seed=-1)
