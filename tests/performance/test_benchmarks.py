"""The benchmarks themselves, on tiny sizes: they compare what is the same, and count as they say."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from otherminds import data
from otherminds.metrics.graphs import from_agent
from performance import bootstrap, cpu, graphs, kills, leaderboard, prompts, samples, startup
from performance.machine import Used
from tests.helpers.openai_server import Hashed, serving


def sample(number: int, **changes: Any) -> dict[str, Any]:
    asked = {"gen_args_0": {"arg_0": f"question {number}"}}
    return {
        "doc_id": number,
        "doc": {"item_id": f"item-{number}"},
        "arguments": asked,
        "resps": [["7"]],
        **changes,
    }


def written(folder: Path, *records: dict[str, Any]) -> Path:
    folder.mkdir()
    lines = "".join(f"{json.dumps(one)}\n" for one in records)
    (folder / "samples_task_2026-01-01T00-00-00.000000.jsonl").write_text(lines)
    return folder


def test_two_programs_are_compared_by_what_they_asked_and_what_was_answered(tmp_path: Path) -> None:
    first = cpu.digest(written(tmp_path / "a", sample(1), sample(2)))
    # In another order, and with fields that one program alone writes.
    assert cpu.digest(written(tmp_path / "b", sample(2, more=1), sample(1))) == first
    for name, changes in {
        "prompt": {"arguments": {"gen_args_0": {"arg_0": "another"}}},
        "answer": {"resps": [["8"]]},
        "item": {"doc": {"item_id": "another"}},
    }.items():
        assert cpu.digest(written(tmp_path / name, sample(1, **changes), sample(2))) != first
    assert cpu.digest(written(tmp_path / "fewer", sample(1))) != first


def test_programs_that_ask_something_else_have_no_numbers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def once(program: cpu.Program, folder: Path, limit: int | None) -> Used:
        written(folder, sample(int(program.words[0])))
        return Used(float(program.words[0]), 1.0, 1.0)

    monkeypatch.setattr(cpu, "_once", once)
    same = {name: cpu.Program(["3"], {}) for name in ("ours", "lm_eval")}
    (tmp_path / "same").mkdir()
    assert cpu.run(same, tmp_path / "same", None, 2)["ours"] == Used(3.0, 1.0, 1.0)
    (tmp_path / "other").mkdir()
    other = {**same, "lm_eval": cpu.Program(["4"], {})}
    with pytest.raises(AssertionError, match="not the same prompts and answers"):
        cpu.run(other, tmp_path / "other", None, 1)


@pytest.mark.slow
def test_plain_lm_eval_asks_the_same_and_gets_the_same_answers(tmp_path: Path) -> None:
    # `run` compares what both asked and were answered.
    programs = {"ours": cpu._ours(), "lm_eval": cpu._lm_eval()}
    used = cpu.run(programs, tmp_path, limit=6, times=1)
    assert min(one.cpu for one in used.values()) > 0


def test_whole_runs_are_held_to_the_target_in_processor_time() -> None:
    ours = [Used(3.0, 9.0, 1.0), Used(2.0, 10.0, 1.0)]
    lm_eval = [Used(10.0, 11.0, 1.0), Used(11.0, 12.0, 1.0)]
    cpu_time, clock = startup.against_lm_eval(ours, lm_eval)
    # 2 of 10, the best of each; by the clock 9 of 11, which decides nothing.
    assert (cpu_time.ratio, cpu_time.is_met) == (0.2, True)
    assert clock.ratio == pytest.approx(9 / 11)
    assert clock.target == ""


def test_the_fairest_bootstrap_stands_first_and_all_find_one_interval(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for name, value in {"ITEMS": 600, "PEOPLE": 40, "REPEATS": 1, "LOOP_DRAWS": 2}.items():
        monkeypatch.setattr(bootstrap, name, value)
    monkeypatch.setattr(bootstrap, "check_ends", lambda ends, draws: None)
    names = [one.name.removeprefix("cluster bootstrap against ") for one in bootstrap.compare()]
    assert names == ["scipy on the same sums", "inspect_ai", "list loop", "pandas loop"]


def test_an_interval_of_items_is_none_of_people() -> None:
    rng = np.random.default_rng(1)
    ids = [f"P{one:02}" for one in rng.integers(0, 30, 400)]
    # Errors that differ between people: drawing items finds a narrower interval.
    errors = np.array([float(one[1:]) for one in ids])
    draws = bootstrap.ours(ids, errors)
    people = bootstrap.scipy_on_sums(ids, errors)
    items = bootstrap.scipy_on_sums([f"P{one}" for one in range(len(ids))], errors)
    bootstrap.check_ends(np.quantile(people, [0.025, 0.975]), draws)
    with pytest.raises(AssertionError):
        bootstrap.check_ends(np.quantile(items, [0.025, 0.975]), draws)


def test_compiled_once_a_template_renders_the_same() -> None:
    from lm_eval import utils

    plain = utils.apply_template
    documents = [{"name": "Ada"}, {"name": "Grace"}]
    with prompts.compiled_once():
        assert utils.apply_template is not plain
        found = [utils.apply_template("To {{ name }}:\n", one) for one in documents]
    assert found == [plain("To {{ name }}:\n", one) for one in documents]
    assert utils.apply_template is plain


def test_a_board_of_renamed_copies_says_so_in_its_rows() -> None:
    found = dict.fromkeys(("clock", "processor", "peak_mb", "page_mb", "reading"), 1.0)
    for one in leaderboard.built(500, 3, found, found):
        assert one.name.startswith("board of 500 models (25 and 475 renamed copies of them)")
    for one in leaderboard.built(20, 3, found, found):
        assert "copies" not in one.name


def test_what_a_killed_run_is_compared_by(tmp_path: Path) -> None:
    def run(name: str, answer: str, score: float) -> Path:
        folder = written(tmp_path / name, sample(1, resps=[[answer]]))
        results = json.dumps({"results": {"task": {"acc": score}}, "date": name})
        (folder / f"results_{name}.json").write_text(results)
        return folder

    first = kills.found_in(run("a", "7", 0.5))
    assert kills.found_in(run("b", "7", 0.5)) == first
    assert kills.found_in(run("c", "8", 0.5)) != first
    assert kills.found_in(run("d", "7", 0.6)) != first


def test_rows_of_killed_runs() -> None:
    # Of 100 answers: 10 MB at the start, 20 in the second quarter, at most 21 in the last.
    memory = [(0, 10.0), (10, 15.0), (30, 20.0), (50, 20.0), (80, 21.0), (100, 20.5)]
    whole = kills.Watched(memory=memory)
    killed = [kills.Watched(kills=2, asked=110), kills.Watched(kills=1, asked=105)]
    grown, different, left, again = kills.rows(whole, killed, 100, 1, 0, 9.0)
    assert (grown.ours, grown.reference, grown.is_met) == (21.0, 20.0, True)
    assert (different.ours, different.is_met) == (1, False)
    assert left.is_met is True
    # 15 of 215 were asked twice, over three kills.
    assert again.ours == 5.0
    short = kills.rows(kills.Watched(memory=[(0, 10.0)]), killed, 100, 0, 0, 9.0)[0]
    assert short.is_met is None
    assert "too short" in short.note


@pytest.mark.slow
def test_a_run_that_is_killed_comes_to_the_same_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(kills, "TASK", "debate_blind_synthetic")
    with serving(Hashed(0.05)) as server:
        whole = kills.through(tmp_path / "whole", server, 200)
        monkeypatch.setattr(kills, "KILLS", 1)
        monkeypatch.setattr(kills, "_LONGEST_PAUSE", 0.0)
        killed = kills.through(
            tmp_path / "killed", server, 200, rng=np.random.default_rng(kills.SEED)
        )
    assert (whole.kills, killed.kills) == (0, 1)
    assert whole.asked == 200
    assert kills.found_in(tmp_path / "killed") == kills.found_in(tmp_path / "whole")
    assert kills.files_in(tmp_path / "killed") == kills.files_in(tmp_path / "whole")


@pytest.mark.slow
def test_scoring_is_measured_against_decoders_of_the_same_bytes() -> None:
    fairest, json_alone, memory = samples.measure(30)
    assert fairest.name.endswith("against orjson alone")
    assert fairest.target == ""
    assert json_alone.target == "<= 1.5"
    assert fairest.ours == json_alone.ours
    assert memory.ours > 0


def test_graphs_are_scored_on_what_is_neither_right_nor_wrong(twelve_people: Path) -> None:
    rows = data.load("hugagent-synthetic", "agents")[data.SPLIT]
    agents = [from_agent(row) for row in rows]
    found = graphs.measured(agents)
    assert f"{len(agents):,} graphs of 12 people" in found[0].note
    assert found[0].is_met
    rng = np.random.default_rng(1)
    gold = agents[0]
    read = graphs.reconstructed(gold, rng)
    assert {node.label for node in read.nodes.values()} != {n.label for n in gold.nodes.values()}
    assert len(graphs.cut(gold).nodes) <= graphs.SMALL
