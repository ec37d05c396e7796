"""The study of recovered graphs: errors of extraction, ratios, tables and plots."""

from __future__ import annotations

import itertools

import pandas as pd
import pytest

from otherminds.interview import study_report
from otherminds.interview.extractors import Request
from otherminds.interview.noise import noisy
from otherminds.interview.participant import known_graph
from otherminds.interview.reader import read_answer
from otherminds.interview.study import LABELS, interview, ratio
from tests.interview import talk


def _request(number):
    return Request(
        topic="t", policy="night buses", stance_label=talk.STANCE_LABEL, stance_aliases=(),
        known=(), earlier=(), asked_about=(), question=f"Question {number}?",
        answer="Street noise will lower sleep. Wages can raise fares a lot.",
    )  # fmt: skip


def test_errors_come_at_their_rates_from_the_seed_and_quote_the_answer():
    extractor = noisy(read_answer, missed=0.2, false=0.1, seed=1)
    found = [extractor(_request(number)) for number in range(500)]
    assert found == [extractor(_request(number)) for number in range(500)]
    truth = read_answer(_request(0))
    assert (len(truth.nodes), len(truth.links)) == (4, 2)
    kept = sum(one in truth.links for each in found for one in each.links)
    added = sum(one not in truth.links for each in found for one in each.links)
    # Of 1,000 links, 800 are kept and 100 added: three standard deviations are 38 and 28.
    assert kept == pytest.approx(800, abs=38)
    assert added == pytest.approx(100, abs=28)
    answer = _request(0).answer
    assert all(one.quote in answer for each in found for one in (*each.nodes, *each.links))


def test_without_errors_nothing_changes():
    extractor = noisy(read_answer, missed=0, false=0, seed=1)
    assert extractor(_request(3)) == read_answer(_request(3))


def test_recovery_counts_right_edges_after_each_question():
    given = talk.config(guiding=("Why?", "And else?", "What more?"), max_qas=25)
    found = interview(given, 4)
    assert found.found[0] == 2
    assert list(found.found) == sorted(found.found)
    assert (found.found[-1], found.edges, len(found.found)) == (12, 12, found.questions)
    assert found.share_after(1) == pytest.approx(2 / 12)
    assert found.share_after(99) == 1
    assert found.per_question == 12 / found.questions


def test_ratio_of_means_with_its_interval():
    same = ratio([1, 2, 3], [1, 2, 3])
    assert (same.value, same.low, same.high) == (1, 1, 1)
    twice = ratio([2, 4, 6, 1], [1, 2, 3, 1])
    assert twice.value == pytest.approx(13 / 7)
    assert twice.low < 13 / 7 < twice.high


def test_known_graphs_have_what_is_asked_for():
    for seed in range(20):
        graph = known_graph(seed, nodes=8, edges=12, labels=LABELS, stance_label="s")
        assert (len(graph.nodes), len(graph.effects)) == (8, 12)
        ahead, reached = ["s"], set()
        while ahead:
            here = ahead.pop()
            reached.add(here)
            ahead += [one.source for one in graph.effects if one.target == here]
        assert reached == set(graph.nodes)


def test_the_command_prints_what_it_writes(command, tmp_path):
    done = command("otherminds", "interview", "study", "out", "--seeds", "2", cwd=tmp_path)
    table = pd.read_csv(tmp_path / "out" / "degradation.csv")
    at_two = table[(table.noise == 2) & (table.measure == "nodes")]["value"].item()
    assert f"{at_two:.3f}" in done.stdout
    assert "adaptive against fixed" in done.stdout
    assert (tmp_path / "out" / "speed.svg").is_file()


@pytest.mark.slow
def test_the_graph_degrades_smoothly_and_the_interviewer_is_faster(tmp_path):
    done = study_report.write(study_report.night_buses(), range(40), tmp_path)
    assert all(one.low > 1 for one in done.ratios.values())
    table = pd.read_csv(tmp_path / "degradation.csv")
    for _, rows in table.groupby("measure"):
        scores = rows.sort_values("noise")["value"].tolist()
        assert scores[0] == 1
        assert scores == sorted(scores, reverse=True)
        # No step is a fall: at most .2 for each half unit of noise.
        assert all(high - low < 0.2 for high, low in itertools.pairwise(scores))
    for name in ("speed", "degradation"):
        assert (tmp_path / f"{name}.svg").stat().st_size > 1000
        assert (tmp_path / f"{name}.png").stat().st_size > 1000
