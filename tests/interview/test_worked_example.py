"""The worked example: night buses, told answer by answer.

Importances are .3, .3 and .5. Scores: 0.5·importance + 0.3·frequency/max + 0.2·degree/max.
"""

from __future__ import annotations

import pytest

from otherminds.interview import life_cycle, loop
from otherminds.interview.session import STANCE
from tests.interview import talk

COMMUTE, NOISE, SLEEP = "shift workers' commute", "street noise", "sleep"
A1 = "Good for people on shifts, but my street gets louder."
A2 = "I sleep worse when it is loud."
A3 = "Bad sleep turns me against it"


def _after_first():
    return talk.say(
        talk.begin(),
        A1,
        nodes=[(NOISE, 0.9, 0.3), (COMMUTE, 0.9, 0.3)],
        links=[(COMMUTE, "S", 1), (NOISE, "S", -1)],
    )


def _after_second():
    return talk.say(_after_first(), A2, nodes=[(SLEEP, 0.85, 0.5)], links=[(NOISE, SLEEP, -1)])


def _after_third():
    return talk.say(_after_second(), A3, links=[(SLEEP, "S", 1)])


def _scores(session):
    beliefs = {
        key: one.model_copy(update={"status": "belief"}) if key != STANCE else one
        for key, one in session.state.nodes.items()
    }
    scores = life_cycle.anchor_scores(session.config.parameters, beliefs, session.state.edges)
    return {session.state.nodes[key].label: score for key, score in scores.items()}


def test_it_begins_with_the_stance_and_the_guiding_question():
    session = talk.begin()
    assert list(session.state.nodes) == [STANCE]
    assert not session.state.edges
    assert loop.next_question(session).kind == "guiding"


def test_first_answer_makes_two_anchors():
    session = _after_first()
    # .5·.3 + .3·1/1 + .2·1/2: the stance has the most links, two.
    assert _scores(session) == {NOISE: pytest.approx(0.55), COMMUTE: pytest.approx(0.55)}
    assert talk.labels(session, "anchor") == {NOISE, COMMUTE}
    assert session.stage == 1
    assert talk.asked_about(session) == ("2", NOISE)
    assert loop.next_question(session).template == "more"


def test_second_answer_makes_the_third_anchor_and_stage_2():
    session = _after_second()
    # .5·.5 + .3·1/2 + .2·1/2
    assert _scores(session)[SLEEP] == pytest.approx(0.5)
    # .5·.3 + .3·1/2 + .2·1/2: below the threshold, but an anchor stays one.
    assert _scores(session)[COMMUTE] == pytest.approx(0.4)
    assert talk.labels(session, "anchor") == {NOISE, COMMUTE, SLEEP}
    assert session.stage == 2


def test_isolated_anchor_is_asked_about_before_anything_else():
    session = _after_second()
    assert {one.priority for one in session.pending} == {1, 2, 3}
    assert talk.asked_about(session) == ("1", SLEEP, talk.STANCE_LABEL)
    question = loop.next_question(session)
    assert question.form == "polarity"


def test_less_sleep_less_support_is_a_positive_link():
    edge = talk.edge_named(_after_third(), SLEEP, "S")
    assert edge.polarity == 1
    # σ(2·1 + 2·.9 + 1·0 − 2.5) = σ(1.3)
    assert edge.aggregate_confidence == pytest.approx(0.785835)


def test_discovery_comes_before_strengthening():
    session = _after_third()
    commute = talk.node_named(session, COMMUTE).id
    pending = {(one.priority, one.target.source, one.target.node) for one in session.pending}
    assert (2, None, commute) in pending
    assert (3, commute, STANCE) in pending
    priorities = []
    for _ in range(6):
        priorities.append(loop.next_question(session).priority)
        session = talk.say(session, "I do not know more.")
    assert priorities == sorted(priorities)
    assert set(priorities) == {2, 3}


def test_at_the_end_general_questions_and_too_few_nodes():
    given = talk.config(min_qas=7, max_qas=7, pattern_questions=False, discover_further=False)
    session = talk.say(
        talk.begin(given),
        A1,
        nodes=[(NOISE, 0.9, 0.3), (COMMUTE, 0.9, 0.3)],
        links=[(COMMUTE, "S", 1, 0.5), (NOISE, "S", -1, 0.5)],
    )
    session = talk.say(session, A2, nodes=[(SLEEP, 0.85, 0.5)], links=[(NOISE, SLEEP, -1, 0.5)])
    session = talk.say(session, A3, links=[(SLEEP, "S", 1, 0.5)])
    priorities = []
    while (question := loop.next_question(session)) is not None:
        priorities.append((given.parameters.max_qas - session.asked, question.priority))
        session = talk.say(session, "That is all.")
    # Upstream of each anchor, once without a new link; then nothing is left but the general question.
    assert priorities == [(4, 2), (3, 2), (2, 2), (1, 4)]
    assert len(session.state.nodes) == 4 < given.parameters.min_nodes
