"""The network: confidence, merging, promotion, the queue. Values are derived by hand."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from otherminds.interview import confidence, loop
from otherminds.interview.config import Parameters
from otherminds.interview.errors import InterviewError
from otherminds.interview.extraction import Extraction, Same
from otherminds.interview.graphs import graph_of, graphs_after_each
from otherminds.interview.session import STANCE, Evidence
from tests.interview import talk


def _sigma(total):
    return 1 / (1 + math.exp(-total))


@pytest.mark.parametrize(
    ("causal", "linguistic", "motif", "total"),
    # 2·s_causal + 2·s_linguistic + 1·s_motif − 2.5
    [(0, 0, 0, -2.5), (1, 1, 1, 2.5), (0.5, 0.6, 0, -0.3), (1, 0.9, 0.5, 1.8)],
)
def test_confidence_of_one_statement(causal, linguistic, motif, total):
    found = confidence.link_confidence(
        Parameters(), causal=causal, linguistic=linguistic, motif=motif
    )
    assert found == pytest.approx(_sigma(total))


def _edge(*evidence):
    return confidence.edge_of(
        Parameters(),
        "a",
        "b",
        [
            Evidence(qa_id=f"q{number}", confidence=sure, polarity=sign, strength=strength)
            for number, (sure, sign, strength) in enumerate(evidence, start=1)
        ],
    )


def test_evidence_adds_up():
    edge = _edge((0.5, 1, 0.8), (0.4, -1, None))
    # 1 − .5·.6; (.5·.8 − .4·.5)/.9
    assert edge.aggregate_confidence == pytest.approx(0.7)
    assert edge.modifier == pytest.approx(0.2 / 0.9)
    assert (edge.polarity, edge.strength) == (1, pytest.approx(0.2 / 0.9))


def test_sign_and_strength_are_unknown_until_told():
    edge = _edge((0.5, None, None))
    assert (edge.modifier, edge.polarity, edge.strength) == (0, None, None)
    edge = _edge((0.5, None, None), (0.5, -1, None))
    # The evidence without a sign has no part in the mean.
    assert (edge.modifier, edge.polarity, edge.strength) == (-0.5, -1, None)


def test_denial_makes_a_link_less_likely():
    denied = _edge((0.8, 0, None))
    assert (denied.polarity, denied.modifier, denied.strength) == (0, 0, 0)
    assert denied.aggregate_confidence == pytest.approx(0.8)
    # (1 − .2)·(1 − .5), (.8·.5 + 0)/1.3
    mixed = _edge((0.8, 1, None), (0.5, 0, None))
    assert mixed.aggregate_confidence == pytest.approx(0.4)
    assert mixed.modifier == pytest.approx(0.4 / 1.3)


_EVIDENCE = st.tuples(
    st.floats(0, 1), st.sampled_from([-1, 0, 1, None]), st.none() | st.floats(0, 1)
)


@given(st.lists(_EVIDENCE, min_size=1, max_size=6))
def test_edges_stay_in_range(evidence):
    edge = _edge(*evidence)
    assert 0 <= edge.aggregate_confidence <= 1
    assert -1 <= edge.modifier <= 1
    assert edge.polarity in (None, (edge.modifier > 0) - (edge.modifier < 0))


def test_entropy_and_gain():
    assert [confidence.entropy(p) for p in (0, 0.5, 1)] == [0, 1, 0]
    # H(.25) = .25·2 + .75·log2(4/3)
    half = 0.5 + 0.75 * math.log2(4 / 3)
    assert confidence.entropy(0.25) == pytest.approx(half)
    sure, new = _edge((1, 1, None)), _edge((0.25, 1, None))
    # One edge stays as it was; the new one had one bit before.
    assert confidence.information_gain({"a": sure}, {"a": sure, "b": new}) == pytest.approx(
        1 - half
    )
    assert confidence.information_gain({}, {}) == 0


def test_motifs_raise_the_confidence_in_links_that_complete_them():
    first = [("a", "b", 1), ("b", "s", -1)]
    assert confidence.motifs(first) == {"chain+-"}
    assert confidence.motifs([("a", "b", 1), ("a", "c", -1)]) == {"fork+-"}
    assert confidence.motifs([("b", "a", -1), ("c", "a", 1)]) == {"collider+-"}
    assert confidence.motifs([("a", "b", 1), ("b", "a", 1)]) == frozenset()
    shares = confidence.motif_shares([first, first, [("a", "s", 1)], []])
    assert shares == {"chain+-": 0.5}
    text = "So it is."
    ends = []
    for motifs in ({}, shares):
        session = talk.say(
            talk.begin(motifs=motifs), text,
            nodes=[("noise",), ("sleep",)], links=[("noise", "sleep", 1), ("sleep", "S", -1)],
        )  # fmt: skip
        ends.append(talk.edge_named(session, "sleep", "S").aggregate_confidence)
    assert ends == [pytest.approx(_sigma(1.3)), pytest.approx(_sigma(1.8))]


def test_same_labels_and_judgements_merge():
    text = "So it is."
    session = talk.say(talk.begin(), text, nodes=[("street noise", 0.5, 0.2)])
    first = talk.node_named(session, "street noise")
    assert first.status == "candidate"
    assert [(one.node, one.mentions) for one in session.state.queue] == [(first.id, 1)]
    extraction = talk.found(text, nodes=[("My Street Noises", 0.4, 0.6), ("racket", 0.5, 0.1)])
    judged = (
        Same(label="racket", known="street noise", confidence=0.8),
        Same(label="racket", known=STANCE, confidence=0.84, by="embedding"),
    )
    session = loop.answer(loop.ask(session), text, extraction.model_copy(update={"same": judged}))
    merged = session.state.nodes[first.id]
    assert (merged.label, merged.aliases) == ("street noise", ("racket",))
    assert (merged.frequency, merged.source_qa) == (2, ("q1", "q2"))
    assert (merged.confidence, merged.importance) == (0.5, 0.6)
    # Two mentions make a belief, and a belief leaves the queue.
    assert merged.status != "candidate"
    assert session.state.queue == ()


@pytest.mark.parametrize(
    ("sure", "by", "count"),
    [(0.79, "model", 3), (0.84, "embedding", 3), (0.8, "model", 2), (0.85, "embedding", 2)],
)
def test_thresholds_of_merging(sure, by, count):
    text = "So it is."
    session = talk.say(talk.begin(), text, nodes=[("noise",)])
    extraction = talk.found(text, nodes=[("racket",)])
    same = (Same(label="racket", known="noise", confidence=sure, by=by),)
    session = loop.answer(loop.ask(session), text, extraction.model_copy(update={"same": same}))
    assert len(session.state.nodes) == count


def test_other_ids_unknown_ends_and_links_to_oneself():
    text = "So it is."
    extraction = talk.found(
        text,
        nodes=[("noise",)],
        links=[("noise", "noise"), ("noise", "fares"), ("n0", "noise"), ("stance", "noise")],
    )
    nodes = tuple(one.model_copy(update={"existing_id": "n999"}) for one in extraction.nodes)
    session = loop.ask(talk.begin())
    session = loop.answer(session, text, extraction.model_copy(update={"nodes": nodes}))
    assert session.state.counts == {
        "dropped: self-link": 1, "dropped: unknown end": 2, "dropped: unknown id": 1,
    }  # fmt: skip
    [edge] = session.state.edges.values()
    assert edge.source == STANCE


def test_promotion_by_degree():
    session = talk.say(
        talk.begin(talk.config(max_anchors=1)),
        nodes=[("noise", 0.5, 0), ("sleep", 0.5, 0), ("fares", 0.5, 0)],
        links=[("noise", "sleep"), ("noise", "fares", -1), ("sleep", "fares", 0)],
    )
    # Denied links do not count: noise has two, the others one each.
    assert talk.labels(session, "candidate") == {"sleep", "fares"}


def test_there_are_at_most_so_many_anchors_and_the_best_ones_first():
    given = talk.config(max_anchors=2)
    session = talk.say(
        talk.begin(given),
        nodes=[("noise", 0.9, 0.5), ("sleep", 0.9, 0.9), ("fares", 0.9, 0.7)],
    )
    assert talk.labels(session, "anchor") == {"sleep", "fares"}
    assert talk.labels(session, "belief") == {"noise"}
    assert session.stage == 1


def test_failed_extractions_are_counted_and_the_interview_goes_on():
    session = loop.ask(talk.begin())
    session = loop.answer(session, "So.", Extraction(failed="no JSON"))
    assert session.state.counts == {"failed": 1}
    assert loop.next_question(session) is not None


def test_graph_of_a_session_holds_what_was_said():
    session = talk.say(
        talk.begin(), "Noise it is.", nodes=[("noise", 0.9, 0.4)], links=[("noise", "S", -1, 0.8)]
    )
    session = loop.edit(session, "q1", "Noise it is.", session.qas[0].extraction)
    graph = graph_of(session)
    [edge] = graph.edges.values()
    assert (edge.modifier, edge.polarity, edge.strength) == (pytest.approx(-0.8), -1, 0.8)
    assert edge.evidence[0].quote_span == "Noise it is."
    [qa] = graph.qa_history
    assert (qa.answer, qa.form, qa.kind, len(qa.edited)) == (
        "Noise it is.",
        "context",
        "guiding",
        1,
    )
    assert [(one.source, one.target) for one in qa.extracted_pairs] == [(edge.source, STANCE)]
    assert [(key, len(one.edges)) for key, one in graphs_after_each(session)] == [("q1", 1)]


def test_tutorial_reaches_no_graph():
    topic = talk.config().topic
    tutorial = topic.guiding[0].model_copy(update={"category": "tutorial", "text": "Ready?"})
    changed = topic.model_copy(update={"guiding": (*topic.guiding, tutorial)})
    session = talk.begin(talk.config().model_copy(update={"topic": changed}))
    session = loop.ask(session)
    assert session.current.kind == "tutorial"
    session = loop.answer(session, "Noise lowers sleep.", talk.found("Noise", nodes=[("noise",)]))
    assert list(session.state.nodes) == [STANCE]
    assert (session.asked, session.answered) == (0, 0)
    assert loop.next_question(session).kind == "guiding"
    assert graph_of(session).qa_history == ()


@pytest.mark.parametrize(
    ("text", "says"),
    [("x" * 5001, "5,001 characters; at most 5,000"), ("a\x00b", "no text"), ("\ud800", "no text")],
)
def test_answers_that_cannot_be_taken(text, says):
    session = loop.ask(talk.begin())
    with pytest.raises(InterviewError, match=says):
        loop.record(session, text)
    assert session.current is not None


def test_steps_out_of_order():
    session = talk.begin()
    with pytest.raises(InterviewError, match="no open question"):
        loop.record(session, "So.")
    with pytest.raises(InterviewError, match="no question q7"):
        loop.read(session, "q7", Extraction())
    asked = loop.ask(session)
    with pytest.raises(InterviewError, match="no answer to read"):
        loop.read(asked, "q1", Extraction())
    with pytest.raises(InterviewError, match="no answer to edit"):
        loop.edit(asked, "q1", "So.", Extraction())
    with pytest.raises(InterviewError, match="not over yet"):
        loop.submit(session, "p1")
    ended = loop.end(asked)
    assert (ended.stopped, ended.status, ended.qas) == ("person", "review", ())
    with pytest.raises(InterviewError, match="no question to ask: person"):
        loop.ask(ended)
    with pytest.raises(InterviewError, match="not the one"):
        loop.submit(ended, "p2")
    submitted = loop.submit(ended, "p1")
    assert submitted.status == "submitted"
    assert loop.submit(submitted, "p1") is submitted


def test_a_session_that_is_handed_in_is_not_edited():
    session = loop.end(talk.say(talk.begin()))
    session = loop.submit(session, "p1")
    with pytest.raises(InterviewError, match="handed in"):
        loop.edit(session, "q1", "Otherwise.", Extraction())
