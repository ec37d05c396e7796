"""Several models as one: who wins a vote, and that a mean is a mean."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from otherminds import analysis
from otherminds.analysis.ensembles import majority, write_vote
from otherminds.analysis.runs import Run
from otherminds.errors import OtherMindsError
from otherminds.running.run import Finished
from otherminds.scoring.base import Answer
from tests.engine.analysis.conftest import MODELS
from tests.engine.analysis.made import BDU, BOTH, BSI, BSI_LOGPROB, chosen, letter, opinion, run_of

SAID = st.lists(st.one_of(st.none(), st.integers(1, 10)), max_size=8)


def values(run: Run) -> dict[str, float]:
    estimates = analysis.score_run(run, check=False).details["estimates"]
    return {metric: one["value"] for metric, one in estimates.items()}


def answers(run: Run) -> dict[str, tuple[Answer, ...]]:
    return {record.view().item_id: record.view().answers for record in run.answered}


@pytest.mark.parametrize(
    ("given_answers", "winner"),
    [
        (["A", "B", "B"], "B"),
        ([3, 7, 3, 7, 7], 7),
        (["B", "A"], "B"),  # tied: the model named first
        ([5, 9, 9, 5, 1], 5),
        ([None, None, 4], 4),  # what could not be read does not vote
        ([None, "B", "A"], "B"),
        ([None, None], None),
        ([], None),
    ],
)
def test_the_most_frequent_answer_wins_and_ties_go_to_the_first_model(
    given_answers: list[Answer], winner: Answer
) -> None:
    assert majority(given_answers) == winner


@given(SAID)
def test_no_answer_beats_the_winner_and_silence_changes_nothing(found: list[int | None]) -> None:
    winner = majority(found)
    voted: list[Answer] = [answer for answer in found if answer is not None]
    assert (winner is None) == (not voted)
    assert all(voted.count(answer) <= voted.count(winner) for answer in voted)
    assert majority([None, *found, None]) == winner


def members(
    folder: Path, *models: Sequence[object], task: str = BDU, gold: str = "7"
) -> analysis.Runs:
    """Models named a, b, …, each with one answer to each of some people."""
    for name, said in zip("abcd", models, strict=False):
        lines = [
            opinion(f"i{n}", gold, *(one if isinstance(one, tuple) else (one,)))
            if task == BDU
            else letter(f"i{n}", gold, one)
            for n, one in enumerate(said)
        ]
        for n, line in enumerate(lines):
            line["doc"]["participant_id"] = f"P{n}"
        run_of(folder / name, lines, model=name, task=task)
    return analysis.read_runs([folder])


def test_each_item_is_voted_on_by_the_parsed_answers(tmp_path: Path) -> None:
    runs = members(
        tmp_path,
        ["7", "1", "lol", "lol"],
        ["Answer: 7", "2", "9", "lol"],
        ["3", "3", "9", "lol"],
    )
    found = analysis.ensemble(runs)
    assert found.members == ["a", "b", "c"]
    assert answers(found.vote) == {"i0": (7,), "i1": (1,), "i2": (9,), "i3": (None,)}
    # 7 and 9 are within 2 of 7; 1 and silence are not.
    assert values(found.vote)["bdu_acc"] == 0.5
    assert values(found.vote)["parse_rate"] == 0.75


def test_repeats_are_voted_on_one_by_one(tmp_path: Path) -> None:
    runs = members(tmp_path, [("7", "1")], [("7", "2")], [("3", "2")])
    found = analysis.ensemble(runs)
    assert answers(found.vote) == {"i0": (7, 2)}
    # All repeats of all members, side by side.
    assert answers(found.mean) == {"i0": (7, 1, 7, 2, 3, 2)}


def test_the_models_order_breaks_ties(tmp_path: Path) -> None:
    runs = members(tmp_path, ["A"], ["B"], task=BSI, gold="A")
    forth = analysis.ensemble(runs)
    back = analysis.ensemble(analysis.Runs(list(reversed(runs.runs)), ()))
    assert answers(forth.vote) == {"i0": ("A",)}
    assert answers(back.vote) == {"i0": ("B",)}


def test_the_mean_is_the_mean_of_the_models_scores(models: Mapping[str, Finished]) -> None:
    paths = [path for name in MODELS for path in models[name].sample_paths]
    found = analysis.ensemble(analysis.read_runs(paths))
    mean = values(found.mean)
    for metric in ("bsi_acc", "bdu_acc", "bdu_mae", "bdu_change", "parse_rate", "composite"):
        own = [models[name].results["results"][BOTH][f"{metric},none"] for name in MODELS]
        assert mean[metric] == pytest.approx(sum(own) / len(own)), metric
    assert found.mean.n_runs == len(MODELS)


@pytest.mark.parametrize("repeats", [1, 2])
def test_a_written_vote_is_read_as_a_run_like_any_other(repeats: int, tmp_path: Path) -> None:
    said = [["7", "1", "lol"], ["7", "2", "9"], ["3", "3", "9"]]
    runs = members(tmp_path / "in", *([(one,) * repeats for one in model] for model in said))
    found = analysis.ensemble(runs)
    path = write_vote(found, tmp_path / "out")
    again = analysis.read_runs([tmp_path / "out"])
    [run] = again.runs
    assert not again.notes
    assert run.name == found.vote.name
    assert run.files == (path,)
    assert run.n_runs == repeats
    assert answers(run) == answers(found.vote)
    assert values(run) == values(found.vote)
    compared = analysis.compare(analysis.read_runs([tmp_path]))
    assert compared.n_items == 3
    assert run.name in compared.models
    assert not list(tmp_path.rglob("*.partial"))


@pytest.mark.slow
def test_a_written_vote_of_real_documents_passes_the_checks_against_the_data(
    models: Mapping[str, Finished], tmp_path: Path
) -> None:
    names = ("random", "random (seed=2)", "corrupted-oracle")
    paths = [path for name in names for path in models[name].sample_paths]
    found = analysis.ensemble(analysis.read_runs(paths))
    write_vote(found, tmp_path)
    [scored] = analysis.score(analysis.read_runs([tmp_path])).scored
    passed = {check.name: check.passed for check in scored.checks}
    assert passed.pop("numbers that the run printed") is None
    assert len(passed) == 4
    assert all(passed.values())
    # One member reads the gold answers, and so does the vote.
    assert scored.run.facts.reads_gold
    assert scored.details == analysis.score_run(found.vote, check=False).details
    # A vote of chance, chance and better than chance is better than chance.
    compared = analysis.compare(analysis.read_runs([tmp_path, *paths[:1]]))
    [pair] = compared.differences["bsi_acc"]
    assert compared.differences["bsi_acc"][pair].difference.low > 0


def test_log_likelihoods_are_voted_on_by_their_most_likely_options(tmp_path: Path) -> None:
    said = {
        "a": [("-1.0", "-2.0"), ("-1.0", "-2.0"), ("nan", "nan")],
        "b": [("-9.0", "-2.0"), ("-1.0", "-2.0"), ("nan", "nan")],
        "c": [("-9.0", "-2.0"), ("-3.0", "-2.0"), ("nan", "nan")],
    }
    for name, pairs in said.items():
        lines = [chosen(f"i{n}", "A", *pair) for n, pair in enumerate(pairs)]
        run_of(tmp_path / name, lines, model=name, task=BSI_LOGPROB)
    found = analysis.ensemble(analysis.read_runs([tmp_path]))
    assert answers(found.vote) == {"i0": ("B",), "i1": ("A",), "i2": (None,)}
    write_vote(found, tmp_path / "out")
    [run] = analysis.read_runs([tmp_path / "out"])
    assert answers(run) == answers(found.vote)
    assert values(run)["bsi_acc"] == pytest.approx(1 / 3)
    assert values(run)["parse_rate"] == pytest.approx(2 / 3)


def test_real_choosers_vote_is_written_and_read(
    choosers: Mapping[str, Finished], tmp_path: Path
) -> None:
    paths = [path for run in choosers.values() for path in run.sample_paths]
    found = analysis.ensemble(analysis.read_runs(paths))
    write_vote(found, tmp_path)
    [run] = analysis.read_runs([tmp_path])
    assert answers(run) == answers(found.vote)
    for name in ("bsi_acc", "parse_rate"):
        assert values(run)[name] == values(found.vote)[name]
    # The vote states no probabilities of its own; as a file it is sure of every answer.
    assert "brier" not in values(found.vote)


def test_what_cannot_be_compared_cannot_vote_either(tmp_path: Path) -> None:
    run_of(tmp_path / "a", [opinion("i1", "7", "7")], model="a")
    run_of(tmp_path / "b", [opinion("i1", "7", "7")], model="b", chat_template_applied=True)
    runs = analysis.read_runs([tmp_path])
    with pytest.raises(OtherMindsError, match="--allow chat-template"):
        analysis.ensemble(runs)
    found = analysis.ensemble(runs, allow=["chat-template"])
    assert "that was allowed" in " ".join(found.notes)
    with pytest.raises(OtherMindsError, match="1 run is left to compare"):
        analysis.ensemble(analysis.Runs(runs.runs[:1], ()))


def test_items_that_one_model_lacks_are_left_out_and_said(tmp_path: Path) -> None:
    run_of(tmp_path / "a", [opinion("i1", "7", "7")], model="a")
    more = [opinion("i1", "7", "7"), opinion("i2", "7", "7", participant_id="P2")]
    run_of(tmp_path / "b", more, model="b")
    found = analysis.ensemble(analysis.read_runs([tmp_path]))
    assert answers(found.vote) == {"i1": (7,)}
    assert "b: 1 of 2 items were left out" in " ".join(found.notes)


def test_a_vote_that_cannot_be_written_is_one_clear_error(tmp_path: Path) -> None:
    runs = members(tmp_path / "in", ["7"], ["7"])
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(OtherMindsError, match="Cannot write"):
        write_vote(analysis.ensemble(runs), tmp_path / "file")
