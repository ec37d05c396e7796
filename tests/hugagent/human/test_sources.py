"""Which items show the answer of the exchange that their gold was derived from, and masking it."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pytest

from otherminds.dataset_builders.hugagent import ablations, human
from otherminds.dataset_builders.hugagent.human_sources import masked
from tests.helpers import fictional_hugagent as fictional

Record = dict[str, Any]

SAID = "I hold that the ferry is far too slow."


def item(
    source: Any, *turns: tuple[str, str], reasoning: str = "", question: str = "And so?"
) -> Record:
    return {
        **fictional.sample()[0],
        "item_id": "belief_state_inference-zoning-0001",
        "context_qas": [{"question": q, "answer": a} for q, a in turns],
        "source_qa": source,
        "reasoning": reasoning,
        "task_question": question,
    }


def row_of(record: Record, *, flat: bool = False) -> Record:
    [row] = human.convert([fictional.flattened(record) if flat else record])["bsi"].to_pylist()
    return dict(row)


ASKED = "Does the ferry harm trade in the harbour?"
OTHER = ("What of the gulls?", "They are many, and they are loud.")

# source, turns, which of the turns show it
CASES: dict[str, tuple[Any, list[tuple[str, str]], list[int]]] = {
    "masked": ({"question": ASKED, "answer": SAID}, [OTHER], []),
    "a closing phrase": (
        *({"question": ASKED, "answer": SAID}, [OTHER, (f"{ASKED} How strongly?", SAID)]),
        [1],
    ),
    "a closing phrase, a short answer": (
        *({"question": ASKED, "answer": "Yes."}, [(f"{ASKED} How strongly?", "yes.")]),
        [0],
    ),
    "a closing phrase inside of the sentence": (
        {"question": ASKED, "answer": "Yes."},
        [("Does the ferry harm trade in the harbour, and how strongly?", "Yes.")],
        [0],
    ),
    "a closing phrase that only the source has": (
        *({"question": f"{ASKED} How strongly?", "answer": "Yes."}, [(ASKED, "Yes.")]),
        [0],
    ),
    "given twice": (
        *({"question": ASKED, "answer": SAID}, [OTHER, ("Once more?", SAID), ("Sure?", SAID)]),
        [1, 2],
    ),
    "inside a longer answer": (
        *({"question": ASKED, "answer": SAID}, [("Well?", f"Hm. {SAID} Full stop."), OTHER]),
        [0],
    ),
    "the same turn, in other case and spaces": (
        *({"question": "Really?", "answer": "Yes."}, [("  really? ", "YES.")]),
        [0],
    ),
    "quoted by the interviewer": (
        *({"question": ASKED, "answer": SAID}, [(f"You said: {SAID} Why?", "Because.")]),
        [0],
    ),
    "a short answer to another question": (
        *({"question": ASKED, "answer": "Yes."}, [("Is it windy there in winter?", "Yes.")]),
        [],
    ),
    "a short answer inside of a longer one": (
        *({"question": ASKED, "answer": "Yes."}, [(f"{ASKED} How strongly?", "Yes. Quite.")]),
        [],
    ),
    "the same question, another answer": (
        *({"question": ASKED, "answer": SAID}, [(f"{ASKED} How strongly?", "No.")]),
        [],
    ),
    "a question of two words that many begin with": (
        *({"question": "Do you?", "answer": "Yes."}, [("Do you like gulls?", "Yes.")]),
        [],
    ),
    "the bare answer as a source": (SAID, [("Well?", f"Well. {SAID} Done.")], [0]),
}


@pytest.mark.parametrize("flat", [False, True], ids=["objects", "JSON text"])
@pytest.mark.parametrize("case", CASES)
def test_the_turns_that_show_the_source_are_found(case: str, flat: bool) -> None:
    source, turns, wanted = CASES[case]
    row = row_of(item(source, *turns), flat=flat)
    assert row["source_turns"] == wanted
    assert row["source_shown"] is bool(wanted)


@pytest.mark.parametrize("source", [None, {}, "", "null", "{}"])
def test_without_a_source_nothing_is_known(source: Any) -> None:
    row = row_of(item(source, OTHER))
    assert (row["source_shown"], row["source_turns"]) == (None, None)


def test_an_answer_in_the_question_is_shown_but_in_no_turn() -> None:
    source = {"question": ASKED, "answer": SAID}
    remarks = human.Remarks()
    asks = item(source, OTHER, question=f"You heard: {SAID} And so?")
    [row] = human.convert([asks], remarks)["bsi"].to_pylist()
    assert (row["source_shown"], row["source_turns"]) == (True, [])
    assert "outside of the interview: 1" in " ".join(remarks.lines())


def test_an_update_has_no_source() -> None:
    for row in human.convert(fictional.sample())["bdu"].to_pylist():
        assert (row["source_shown"], row["source_turns"]) == (None, None)


@pytest.mark.parametrize("form", [lambda r: r, fictional.flattened], ids=["objects", "JSON text"])
def test_of_the_sample_one_item_of_each_person_shows_it(form: Callable[[Record], Record]) -> None:
    bsi = human.convert(map(form, fictional.sample()))["bsi"].to_pylist()
    found = {(r["participant_id"], r["topic"]) for r in bsi if r["source_shown"]}
    assert found == {(person, topic) for person, topic, _ in fictional.SHOWN}
    assert [r["source_shown"] for r in bsi].count(True) == len(fictional.SHOWN)


def test_masked_turns_are_gone_and_all_else_stays() -> None:
    tables = human.convert(fictional.sample())
    for table in tables.values():
        after = masked(table)
        assert after.schema.equals(table.schema)
        for old, new in zip(table.to_pylist(), after.to_pylist(), strict=True):
            hidden = old["source_turns"] or []
            assert new["context"] == [t for n, t in enumerate(old["context"]) if n not in hidden]
            same = [key for key in old if key not in ("context", "source_turns")]
            assert [new[key] for key in same] == [old[key] for key in same]
        assert masked(after).equals(after)


# ablation, its parameters
ABLATED: list[tuple[str, dict[str, int]]] = [
    ("no_context", {}),
    ("context5", {}),
    ("context5", {"context_seed": 1}),
    ("random_k", {"context_k": 12, "context_seed": 3}),
    ("context10", {}),
    ("cross_domain", {}),
    ("cross_person", {}),
    ("rag", {}),
    ("rag_full", {}),
    ("no_demographics", {}),
    ("survey_examples", {"survey_k": 2, "survey_seed": 0}),
]


@pytest.mark.parametrize(("name", "parameters"), ABLATED)
def test_after_an_ablation_the_columns_say_what_it_shows(
    name: str, parameters: dict[str, int]
) -> None:
    golds = {
        record["item_id"]: record["source_qa"]["answer"]
        for record in fictional.sample()
        if record["task_type"] == "belief_attribution"
    }
    pool = pa.concat_tables(human.convert(fictional.sample()).values())
    table = pool.filter(pc.field("source_shown"))
    assert table.num_rows == len(fictional.SHOWN)
    for before, after in zip(
        table.to_pylist(),
        ablations.apply(name, table, pool=pool, **parameters).to_pylist(),
        strict=True,
    ):
        # Found by their texts, without the places that the columns had before.
        answer = golds[before["item_id"]]
        places = [n for n, turn in enumerate(after["context"]) if answer in turn["answer"]]
        assert after["source_turns"] == places
        assert after["source_shown"] is bool(places)
        if not after["context"] or name.startswith("cross"):
            assert places == []
        if name == "rag_full":
            assert set(before["source_turns"]) <= set(places)


def test_after_an_ablation_an_answer_in_the_question_still_shows() -> None:
    source = {"question": ASKED, "answer": SAID}
    for turns in ([OTHER], [OTHER, (ASKED, SAID)]):
        record = item(source, *turns, question=f"You heard: {SAID} And so?")
        table = human.convert([record])["bsi"]
        [row] = ablations.apply("no_context", table, pool=table).to_pylist()
        assert (row["source_shown"], row["source_turns"]) == (True, [])


def test_after_an_ablation_of_masked_items_the_mask_still_says_whom_it_concerns() -> None:
    table = masked(human.convert(fictional.sample())["bsi"])
    found = ablations.apply("context10", table, pool=table)
    for name in ("source_shown", "source_turns"):
        assert found[name].to_pylist() == table[name].to_pylist()


def test_the_columns_say_nothing_of_the_source() -> None:
    record = item(
        {"question": ASKED, "answer": SAID}, OTHER, reasoning="Because of the ferry's bell."
    )
    text = json.dumps(row_of(record))
    assert SAID not in text
    assert "bell" not in text
