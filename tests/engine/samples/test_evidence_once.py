"""Sample files in which a text stands once: the same samples, for every reader."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from otherminds import harness
from otherminds.errors import OtherMindsError
from otherminds.running.models import Options
from otherminds.running.run import run
from otherminds.samples import read as samples
from otherminds.samples import shared_texts
from otherminds.samples.shared_texts import FIELD, Restoring, Sharing

LONG = "The new park will be noisy. " * 20

TEXTS = st.one_of(
    st.text(max_size=20),
    st.sampled_from([LONG, LONG[:300], LONG + "And so?", LONG[:-1] + "!"]),
    st.builds(lambda start, end: start + end, st.sampled_from([LONG, LONG * 2]), st.text()),
)
VALUES = st.one_of(
    TEXTS,
    st.integers(),
    st.none(),
    st.lists(TEXTS, max_size=4),
    st.just({"$text": "looks like a reference"}),
    st.just({"$text": "a", "length": 1, "rest": ""}),
)
LINES = st.builds(
    lambda doc, arguments, answer: {
        "doc_id": 0,
        "doc": doc,
        "arguments": arguments,
        "filtered_resps": [answer],
    },
    st.dictionaries(st.text(max_size=3), VALUES, max_size=4),
    st.dictionaries(
        st.sampled_from(["gen_args_0", "gen_args_1"]),
        st.fixed_dictionaries({"arg_0": TEXTS, "arg_1": VALUES}),
        max_size=2,
    ),
    TEXTS,
)


def through_a_file(lines: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [json.loads(json.dumps(one)) for one in map(Sharing(), lines)]


@given(st.lists(LINES, max_size=6))
def test_what_was_shared_is_restored_exactly(lines: list[dict[str, Any]]) -> None:
    assert list(map(Restoring(), through_a_file(lines))) == lines


@given(st.lists(LINES, max_size=6))
def test_more_texts_than_are_remembered_are_restored_too(lines: list[dict[str, Any]]) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(shared_texts, "_REMEMBERED", 2)
        assert list(map(Restoring(), through_a_file(lines))) == lines


@given(LINES)
def test_lines_without_references_stay_as_they_are(line: dict[str, Any]) -> None:
    plain = {**line, "doc": {"item_id": "a", "n": [1, 2]}, "arguments": {}}
    assert Restoring()(plain) == plain
    assert Restoring()(None) is None


def test_each_text_stands_in_one_line() -> None:
    def line(question: str) -> dict[str, Any]:
        return {
            "doc": {"context": [LONG, LONG], "question": question},
            "arguments": {"gen_args_0": {"arg_0": f"{LONG}{LONG}{question}"}},
        }

    first, second, third = through_a_file([line("Why?"), line("Who else?"), line("Why?")])
    # The context, and the first prompt, like which the second begins as far as "Wh".
    assert len(first[FIELD]) == 2
    assert FIELD not in second
    assert second["arguments"]["gen_args_0"]["arg_0"]["rest"] == "o else?"
    assert second["arguments"]["gen_args_0"]["arg_0"]["length"] == 2 * len(LONG) + 2
    assert third["doc"] == {"context": first["doc"]["context"], "question": "Why?"}
    # The same prompt as a whole.
    assert third["arguments"] == first["arguments"]


@pytest.mark.parametrize(
    "line",
    [
        {"doc": {"a": {"$text": "unknown"}}},
        {"doc": {"a": {"$text": 5}}},
        {"doc": {"a": {"$text": ["x"]}}},
        {FIELD: {"k": "text"}, "doc": {"a": {"$text": "k", "length": 5, "rest": ""}}},
        {FIELD: {"k": "text"}, "doc": {"a": {"$text": "k", "length": -1, "rest": ""}}},
        {FIELD: {"k": [1]}, "doc": {"a": {"$text": "k", "length": 0, "rest": ""}}},
        {FIELD: ["k"], "doc": {}},
    ],
)
def test_a_malformed_reference_is_refused(line: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=r"it |its "):
        Restoring()(line)


@pytest.mark.attack(
    "a sample file whose references unfold without end",
    outcome="refused",
    against="answers",
)
@pytest.mark.parametrize("rest", [{"length": 1_000_000, "rest": ""}, {}])
def test_references_cannot_ask_for_any_amount_of_text(rest: dict[str, Any]) -> None:
    part = {"$text": "k", **rest}
    parts = {str(n): part for n in range(200)}
    with pytest.raises(ValueError, match="more than 100,000,000 characters"):
        Restoring()({FIELD: {"k": "x" * 1_000_000}, "doc": parts})


def test_a_malformed_reference_is_no_whole_text() -> None:
    part = {"$text": "k", "length": 1, "rest": 7}
    with pytest.raises(ValueError, match="refers to the text 'k'"):
        Restoring()({FIELD: {"k": "xyz"}, "doc": {"context": part}})


def test_a_line_that_has_the_field_already_is_not_written() -> None:
    with pytest.raises(ValueError, match="already"):
        Sharing()({FIELD: {}})


@pytest.fixture(scope="module")
def both(tmp_path_factory: pytest.TempPathFactory) -> dict[bool, Path]:
    """The same run, with every text in every sample and with each text once."""
    harness.quiet(debug=False)
    found = {}
    for once in (False, True):
        folder = tmp_path_factory.mktemp("run")
        flags = ["--model", "random", "--limit", "40", "--output_path", str(folder)]
        done = run(["hugagent_bdu_synthetic"], flags, Options(evidence_once=once))
        assert done is not None
        [found[once]] = done.sample_paths
    return found


def test_a_run_writes_less_and_reads_the_same(both: dict[bool, Path]) -> None:
    def plain(path: Path) -> bytes:
        return gzip.decompress(path.read_bytes())

    assert len(plain(both[True])) < 0.4 * len(plain(both[False]))
    records = {once: list(samples.records(path, note=print)) for once, path in both.items()}
    assert records[True] == records[False]
    read = {once: list(samples.read(path, note=print)) for once, path in both.items()}
    assert [one.prompt for one in read[True]] == [one.prompt for one in read[False]]
    assert [one.record for one in read[True]] == [one.record for one in read[False]]


def test_a_file_whose_first_line_is_lost_names_the_lines_that_need_it(
    both: dict[bool, Path], tmp_path: Path
) -> None:
    path = tmp_path / both[True].name
    with gzip.open(both[True]) as whole, gzip.open(path, "wb") as rest:
        rest.writelines(whole.readlines()[1:])
    faults: list[str] = []
    list(samples.read(path, note=print, fault=faults.append))
    assert faults
    assert "line 1 is not a sample" in faults[0]
    assert "which no line before has" in faults[0]
    with pytest.raises(OtherMindsError, match="line 1 is not whole"):
        list(samples.records(path, note=print))


def test_the_strict_reader_restores_too(tmp_path: Path) -> None:
    docs = [{"item_id": f"i{number}", "context": LONG} for number in range(2)]
    path = tmp_path / "samples_x.jsonl"
    share = Sharing()
    path.write_text("".join(f"{json.dumps(share({'doc': doc}))}\n" for doc in docs))
    read = list(shared_texts.read(path, OtherMindsError))
    assert [place for place, _ in read] == [f"{path}, line {number}" for number in (1, 2)]
    assert [sample["doc"] for _, sample in read] == docs

    path.write_text(path.read_text()[:-5])
    with pytest.raises(OtherMindsError, match="cannot be read to its end"):
        list(shared_texts.read(path, OtherMindsError))
