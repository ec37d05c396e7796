"""The acceptance tests of the interviewer, by their numbers; 9 and 11 concern storage, and lie there."""

from __future__ import annotations

import itertools
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from otherminds.interview import loop, network, simulation
from otherminds.interview.graphs import graph_of
from otherminds.interview.participant import Participant, known_graph
from otherminds.interview.reader import read_answer
from otherminds.interview.session import STANCE, Session
from otherminds.interview.study import LABELS, interview
from tests.interview import talk

WORDS = ("noise", "sleep", "fares", "drivers", "safety", "crowding", "wages")


def _three_anchors(**parameters):
    """Three anchors that all act on the stance, with known strengths; sleep has no cause."""
    return talk.say(
        talk.begin(talk.config(**parameters)),
        "All three matter.",
        nodes=[(word, 0.9, 0.9) for word in WORDS[:3]],
        links=[(word, "S", 1, 0.5) for word in WORDS[:3]],
    )


# 1


def test_a_session_begins_with_the_stance_alone():
    state = talk.begin().state
    assert [(one.id, one.status) for one in state.nodes.values()] == [(STANCE, "stance")]
    assert not state.edges
    assert not state.queue


# 2


def test_third_anchor_begins_stage_2_at_once():
    session = talk.say(talk.begin(), nodes=[("noise", 0.9, 0.9), ("sleep", 0.9, 0.9)])
    assert (len(talk.labels(session, "anchor")), session.stage) == (2, 1)
    session = talk.say(session, nodes=[("fares", 0.9, 0.9)])
    assert (len(talk.labels(session, "anchor")), session.stage) == (3, 2)


def test_stage_2_stays_when_the_anchors_are_edited_away():
    session = loop.edit(_three_anchors(), "q1", "", talk.found(""))
    assert talk.labels(session, "anchor") == set()
    assert session.stage == 2
    assert loop.next_question(session) is not None


# 3


_ENTRY = st.tuples(st.sampled_from(WORDS), st.sampled_from([0.3, 0.6, 0.9]), st.floats(0, 1))
_LINK = st.tuples(
    st.sampled_from(WORDS),
    st.sampled_from((*WORDS, "S")),
    st.sampled_from([-1, 0, 1, None]),
    st.sampled_from([None, 0.2, 0.8]),
)
_ANSWER = st.tuples(st.lists(_ENTRY, max_size=3), st.lists(_LINK, max_size=3), st.booleans())


def _talked(answers, **more) -> list[Session]:
    """The session after each of these answers, to its end."""
    session = talk.begin(talk.config(max_qas=20), **more)
    sessions = [session]
    for nodes, links, is_senseless in answers:
        if loop.next_question(session) is None:
            break
        named = {one[0] for one in nodes}
        linked = [
            (word, 0.9) for link in links for word in link[:2] if word != "S" and word not in named
        ]
        session = talk.say(
            session, "So it is.", [*nodes, *linked], links, meta_question=is_senseless
        )
        sessions.append(session)
    return sessions


@settings(max_examples=60, deadline=None)
@given(st.lists(_ANSWER, min_size=3, max_size=12), st.integers(0, 9))
def test_whatever_is_said_the_rules_hold(answers, seed):
    sessions = _talked(answers, seed=seed)
    for session in sessions:
        question = loop.next_question(session)
        if session.stage == 1:
            # 3: stage 1 has no questions of priority 1, 3, 4.
            assert {one.priority for one in session.pending} <= {2}
        if question is not None and any(one.priority == 1 for one in session.pending):
            # 4
            assert question.priority == 1
        keys = [(one.template, one.target.key) for one in session.pending if one.kind != "guiding"]
        assert len(keys) == len(set(keys))
        _assert_sound(session)
    last = sessions[-1]
    assert [one.stage for one in sessions] == sorted(one.stage for one in sessions)
    assert [one.progress for one in sessions] == sorted(one.progress for one in sessions)
    texts = [qa.question for qa in last.qas]
    assert len(texts) == len(set(texts)), "no question twice"
    # Folding at once gives what came of folding answer by answer.
    assert network.fold(last, again=True) == last.state
    assert Session.model_validate_json(last.model_dump_json()) == last


def _assert_sound(session):
    graph = graph_of(session)
    order = _topological(graph)
    assert len(order) == len(graph.nodes), "no cycle"
    blocked = {qa.target.source or qa.target.node for qa in session.qas if qa.blocked} - {None}
    for one in session.pending:
        assert not {one.target.source, one.target.node} & (blocked - {STANCE})
        assert one.target.source is None or one.target.source != one.target.node
    for one in session.state.nodes.values():
        assert one.frequency == len(one.source_qa) == len(set(one.source_qa))


def _topological(graph):
    left = {
        key: {edge.source for edge in graph.edges.values() if edge.target == key}
        for key in graph.nodes
    }
    order = []
    while ready := [key for key, sources in left.items() if not sources - set(order)]:
        order += ready
        for key in ready:
            del left[key]
    return order


def test_stage_1_goes_on_with_priority_2_where_nothing_is_said():
    session = talk.begin()
    while loop.next_question(session) is not None:
        assert loop.next_question(session).priority == 2
        session = talk.say(session, "I cannot say.")
    assert session.stage == 1
    assert session.answered == session.config.parameters.min_qas
    assert session.stopped == "no_new_anchor"


# 4


def test_isolated_anchor_comes_first_even_before_guiding_questions():
    given = talk.config(guiding=("Where do you stand?", "What of your street?"))
    session = talk.say(
        talk.begin(given),
        nodes=[("noise", 0.9, 0.9), ("sleep", 0.9, 0.9), ("fares", 0.9, 0.9)],
        links=[("noise", "S", 1, 0.5), ("fares", "S", 1, 0.5)],
    )
    assert talk.asked_about(session) == ("1", "sleep", talk.STANCE_LABEL)
    session = talk.say(session, links=[("sleep", "S", 0)])
    # It has been asked: the answer that there is no effect ends it.
    assert loop.next_question(session).kind == "guiding"


def test_isolated_anchor_comes_first_even_twice_in_a_row():
    session = talk.begin()
    session = talk.say(session, nodes=[("sleep", 0.9, 0.9)])
    assert talk.asked_about(session) == ("2", "sleep")
    session = talk.say(
        session,
        nodes=[("noise", 0.9, 0.8), ("fares", 0.9, 0.8)],
        links=[("noise", "S", 1, 0.5), ("fares", "S", 1, 0.5), ("noise", "sleep", -1, 0.5)],
    )
    assert session.stage == 2
    assert talk.asked_about(session) == ("1", "sleep", talk.STANCE_LABEL)


# 5


def test_general_questions_come_with_three_left_and_nothing_else_to_ask():
    given = {"backup_when_empty": False, "discover_further": False, "min_qas": 3}
    asked = []
    for most in (9, 7):
        session = _three_anchors(
            max_qas=most, stop_gain=0.0, stop_no_new_path=20, stop_no_new_anchor=20, **given
        )
        while (question := loop.next_question(session)) is not None:
            asked.append((most, most - session.asked, question.priority))
            session = talk.say(session, "Nothing more.")
    # One answer without a link ends the questions about each of the three anchors.
    assert asked == [
        (9, 8, 2), (9, 7, 2), (9, 6, 2),
        (7, 6, 2), (7, 5, 2), (7, 4, 2), (7, 3, 4), (7, 2, 4), (7, 1, 4),
    ]  # fmt: skip


# 6


def test_link_that_would_close_a_cycle_is_refused_and_logged():
    session = talk.say(
        talk.begin(),
        nodes=[("noise",), ("sleep",), ("fares",)],
        links=[("noise", "sleep"), ("sleep", "fares"), ("fares", "noise", -1)],
    )
    assert len(session.state.edges) == 2
    [refused] = session.state.rejected
    ids = [talk.node_named(session, one).id for one in ("fares", "noise")]
    assert [refused.source, refused.target] == ids
    assert refused.evidence[0].polarity == -1
    assert [one.what for one in session.state.log if one.kind == "cycle"] == ["-".join(ids)]
    assert [edge.id for edge in graph_of(session).rejected_edges] == ["-".join(ids)]


def test_denied_link_yields_to_a_stated_one_the_other_way():
    session = talk.say(talk.begin(), nodes=[("noise",), ("sleep",)], links=[("noise", "sleep", 0)])
    session = talk.say(session, links=[("sleep", "noise", 1)])
    assert [one.polarity for one in session.state.edges.values()] == [1]
    assert len(session.state.rejected) == 1


# 7


@settings(max_examples=30, deadline=None)
@given(st.lists(_ANSWER, min_size=3, max_size=8), _ANSWER, st.integers(0, 7))
def test_editing_an_answer_gives_the_graph_of_having_given_it_first(answers, other, place):
    session = _talked(answers)[-1]
    number = place % len(session.qas)
    nodes, links, is_senseless = other
    changed = talk.found("I say.", nodes, links, meta_question=is_senseless)
    edited = loop.edit(session, f"q{number + 1}", "I say.", changed)
    # The same questions, in a session that never heard the first version.
    replayed = talk.begin(session.config)
    for qa in session.qas:
        is_changed = qa.number == number + 1
        text = "I say." if is_changed else qa.answer
        extraction = changed if is_changed else qa.extraction
        open_qa = qa.model_copy(
            update={"answer": None, "extraction": None, "dropped": {}, "edited": ()}
        )
        replayed = replayed.model_copy(update={"qas": (*replayed.qas, open_qa), "stopped": None})
        replayed = loop.answer(replayed, text, extraction)
    first, second = edited.state, replayed.state
    assert (first.nodes, first.edges, first.rejected) == (
        second.nodes,
        second.edges,
        second.rejected,
    )
    assert [one.answer for one in edited.qa(f"q{number + 1}").edited] == [
        session.qas[number].answer
    ]


# 8


def test_entries_without_a_literal_quote_never_enter():
    session = loop.ask(talk.begin())
    extraction = talk.found(
        "The noise wakes me", nodes=[("noise",), ("sleep",)], links=[("noise", "sleep")]
    )
    for answer in ("The Noise wakes me.", "Something else.", ""):
        after = loop.answer(session, answer, extraction)
        assert list(after.state.nodes) == [STANCE]
        assert after.state.counts["dropped: quote"] == 3
        assert after.qas[0].extraction.links == ()
    after = loop.answer(session, "Oh. The noise wakes me!", extraction)
    assert len(after.state.nodes) == 3


# 9, as far as no storage is needed


def test_nothing_is_asked_twice_when_a_step_is_repeated():
    session = loop.ask(talk.begin())
    assert loop.ask(session) is session
    assert loop.next_question(session) is None
    session = loop.record(session, "So.")
    read = loop.read(session, "q1", talk.found("So.", nodes=[("noise",)]))
    assert loop.read(read, "q1", talk.found("So.", nodes=[("sleep",)])) is read


def test_answers_enter_in_the_order_of_questions_whenever_they_are_read():
    given = talk.config(guiding=("Where do you stand?", "And why?", "Since when?"))
    said = [
        talk.found("So.", nodes=[("noise",), ("sleep",)], links=[("noise", "sleep", 1)]),
        talk.found("So.", nodes=[("sleep",), ("noise",)], links=[("sleep", "noise", 1)]),
        talk.found("So.", nodes=[("fares", 0.5)]),
    ]
    ends = []
    for order in itertools.permutations(range(3)):
        session = talk.begin(given)
        for _ in said:
            session = loop.record(loop.ask(session), "So.")
        assert len(session.unread) == 3
        for number in order:
            session = loop.read(session, f"q{number + 1}", said[number])
        ends.append(session)
    assert all(one.state == ends[0].state for one in ends)
    assert talk.edge_named(ends[0], "noise", "sleep")


# 10


@pytest.mark.slow
def test_known_graphs_are_recovered_within_25_questions():
    given = talk.config(guiding=_GUIDING, max_qas=25)
    for seed in range(100):
        found = interview(given, seed, nodes=8, edges=12)
        assert found.node_f1 == 1, seed
        assert found.edge_f1 >= 0.9, seed
        assert found.questions <= 25


_GUIDING = (
    "Where do you stand on night buses, and why?",
    "What else counts?",
    "Who gains or loses?",
)


def test_no_answer_of_the_participant_names_more_than_two_links():
    seen = []

    def extractor(request):
        extraction = read_answer(request)
        seen.append(len(extraction.links))
        return extraction

    for seed in range(5):
        graph = known_graph(seed, nodes=8, edges=12, labels=LABELS, stance_label=talk.STANCE_LABEL)
        session = talk.begin(talk.config(guiding=_GUIDING, max_qas=25))
        simulation.run(session, Participant(graph, "night buses", seed=seed), extractor)
    assert max(seen) == 2


@pytest.mark.parametrize("interviewer", ["adaptive", "fixed"])
def test_same_seed_gives_the_same_session_bit_by_bit(interviewer):
    def session(order):
        words = list(LABELS)
        random.Random(order).shuffle(words)
        graph = known_graph(
            3, nodes=8, edges=12, labels=sorted(words), stance_label=talk.STANCE_LABEL
        )
        begun = talk.begin(talk.config(guiding=_GUIDING), seed=3, interviewer=interviewer)
        return simulation.run(begun, Participant(graph, "night buses", seed=3), read_answer)

    assert session(1).model_dump_json() == session(2).model_dump_json()
