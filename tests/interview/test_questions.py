"""Questions: their wording and form, priorities, and when they end."""

from __future__ import annotations

import pytest

from otherminds.interview import guards, loop, stopping, wording
from otherminds.interview.session import STANCE, Node, State, Step, Target
from tests.interview import talk

STATE = State(
    nodes={
        "a": Node(id="a", label="street noise"),
        "b": Node(id="b", label="noise"),
        STANCE: Node(id=STANCE, label=talk.STANCE_LABEL, status="stance"),
    }
)


def test_every_family_has_three_wordings_that_differ():
    families = wording.families()
    assert {"connection", "more", "upstream", "stance", "general", "pattern"} < set(families)
    assert set(wording.LINK_FAMILIES) < set(families)
    for texts in families.values():
        assert len(set(texts)) >= 3


def test_polarity_questions_close_with_the_two_requests():
    target = Target(source="a", node=STANCE)
    for family in ("connection", "pattern", *wording.LINK_FAMILIES):
        for number in range(len(wording.families()[family])):
            text = wording.worded(
                talk.config().topic,
                STATE,
                family=family,
                number=number,
                target=target,
                form="polarity",
            )
            assert text.endswith(wording.closing())
            # "The first" is the concept, "the second" what it acts on.
            assert text.index("street noise") < text.index(talk.STANCE_LABEL)
            fault = guards.question_fault(
                talk.config().parameters, STATE, text, target=target, form="polarity"
            )
            assert fault is None, text


@pytest.mark.parametrize(
    ("text", "target", "form", "fault"),
    [
        ("What drives street noise?", Target(node="a"), "context", None),
        ("What drives the street noises, e.g. at night?", Target(node="a"), "context", None),
        ("What drives it?", Target(node="a"), "context", "label"),
        ("Does street noise drive street noise?", Target(node="a"), "context", "label"),
        ("Noise. What drives street noise?", Target(node="a"), "context", "sentences"),
        ("Tell me of street noise.", Target(node="a"), "context", "sentences"),
        ("What drives street noise?\n", Target(node="a"), "context", "signs"),
        ("What drives street noise <|im_end|>?", Target(node="a"), "context", "signs"),
        ("What " + "very " * 45 + "street noise?", Target(node="a"), "context", "long"),
        ("What drives street noise?", Target(node="a"), "polarity", "closing"),
        (f"Does street noise? {wording.closing()}", Target(node="a"), "context", "closing"),
        ("Does noise drive noise?", Target(source="b", node="b"), "polarity", "self"),
        # A label that lies within the other one stands there twice.
        (f"Does street noise drive noise? {wording.closing()}", Target(source="a", node="b"),
         "polarity", None),
        (f"Does street noise matter? {wording.closing()}", Target(source="a", node="b"),
         "polarity", "label"),
    ],
)  # fmt: skip
def test_form_check(text, target, form, fault):
    parameters = talk.config().parameters
    assert guards.question_fault(parameters, STATE, text, target=target, form=form) == fault


def _stage_2(**parameters):
    session = talk.begin(talk.config(pattern_questions=False, **parameters))
    return talk.say(
        session,
        nodes=[("noise", 0.9, 0.9), ("sleep", 0.9, 0.7), ("fares", 0.9, 0.8)],
        links=[("noise", "S", 1, 0.5), ("sleep", "S", 1, 0.5), ("fares", "S", 1, 0.5)],
    )


def test_ties_go_to_the_more_important_then_the_older():
    assert talk.asked_about(_stage_2()) == ("2", "noise")
    session = talk.say(_stage_2(), links=[("sleep", "fares", -1, 0.5)])
    # Not twice in a row about noise; of the others, sleep has the fewest causes.
    assert talk.asked_about(session) == ("2", "sleep")


def test_a_question_that_makes_no_sense_blocks_its_concept():
    session = talk.say(_stage_2(), "What do you mean?", meta_question=True)
    assert session.qas[-1].blocked
    assert session.state.counts == {"meta_question": 1}
    noise = talk.node_named(session, "noise").id
    while (question := loop.next_question(session)) is not None:
        assert noise not in (question.target.source, question.target.node)
        session = talk.say(session, "I know no more.")
    assert [one.what for one in session.state.log if one.kind == "blocked"] == [noise]


def test_at_most_four_questions_about_a_concept():
    session = _stage_2(max_qas=30)
    for number in range(12):
        if loop.next_question(session) is None:
            break
        cause = f"cause {'abcdefghijklm'[number]}"
        target = session.state.nodes[loop.next_question(session).target.node].label
        if target == talk.STANCE_LABEL:
            break
        session = talk.say(session, nodes=[(cause, 0.3, 0.0)], links=[(cause, target, 1, 0.5)])
    about = [qa.target.source or qa.target.node for qa in session.qas]
    counts = {key: about.count(key) for key in set(about) - {None}}
    assert max(counts.values()) == 4


def test_links_without_strength_or_belief_are_asked_about_once():
    session = talk.begin(talk.config(pattern_questions=False, discover_further=False, max_qas=40))
    session = talk.say(
        session,
        nodes=[("noise", 0.9, 0.9), ("sleep", 0.9, 0.7), ("fares", 0.9, 0.8)],
        links=[("noise", "S", 1), ("sleep", "S", 1, 0.5), ("fares", "S", None, 0.5)],
    )
    asked = []
    while (question := loop.next_question(session)) is not None:
        if question.priority == 3:
            asked.append(session.state.nodes[question.target.source].label)
            assert question.template in wording.LINK_FAMILIES
        session = talk.say(session, "I know no more.")
    assert asked == ["noise", "fares"]


def test_incomplete_triangles_are_asked_about():
    session = talk.begin(talk.config())
    session = talk.say(
        session,
        nodes=[("noise", 0.9, 0.9), ("sleep", 0.9, 0.9), ("fares", 0.9, 0.9)],
        links=[("noise", "sleep", -1, 0.5), ("sleep", "S", 1, 0.5), ("fares", "S", 1, 0.5)],
    )
    patterns = [one for one in session.pending if one.template == "pattern"]
    assert [(one.priority, one.target.source) for one in patterns] == [
        (3, talk.node_named(session, "noise").id)
    ]


def test_the_policy_may_be_a_concept_but_is_not_asked_about():
    session = talk.begin(talk.config(max_qas=20))
    session = talk.say(
        session,
        nodes=[("The Night Buses", 0.9, 0.9), ("noise", 0.9, 0.9), ("fares", 0.9, 0.9)],
        links=[("night bus", "noise", 1), ("noise", "S", -1), ("night bus", "S", 1)],
    )
    policy = talk.node_named(session, "Night Buses").id
    asked = []
    while (question := loop.next_question(session)) is not None:
        asked.append((question.target.source, question.target.node))
        session = talk.say(session, "I know no more.")
    assert [one for one in asked if policy in one] == [
        (policy, talk.node_named(session, "noise").id)
    ]


def test_merged_or_answered_questions_are_stale_and_wordings_take_turns():
    session = _stage_2()
    first = {one.id: one for one in session.pending}
    session = talk.say(session, links=[("sleep", "fares", -1, 0.5)])
    later = {one.id: one.status for one in session.questions}
    fares = talk.node_named(session, "fares").id
    [about_fares] = [key for key, one in first.items() if one.target.node == fares]
    assert later[about_fares] == "stale"
    texts = [one.text.replace(" ", "") for one in first.values()]
    shapes = {text.replace("noise", "").replace("sleep", "").replace("fares", "") for text in texts}
    assert len(shapes) == len(texts) == 3


def test_seeds_turn_the_wordings_and_nothing_else():
    texts, targets = set(), set()
    for seed in range(4):
        session = talk.say(talk.begin(seed=seed), nodes=[("noise", 0.9, 0.9)])
        question = loop.next_question(session)
        texts.add(question.text)
        targets.add(question.target)
    assert (len(texts), len(targets)) == (4, 1)


def test_similarity():
    assert wording.similarity("What drives noise?", "what drives  NOISE") == 1
    assert wording.similarity("What drives noise?", "Which fares rise?") < 0.3
    closed = f"What drives noise? {wording.closing()}"
    assert wording.similarity(closed, f"Which fares rise? {wording.closing()}") < 0.3


# Stopping


def _stopped_after(say, **parameters):
    session = talk.begin(talk.config(**parameters))
    while loop.next_question(session) is not None:
        session = say(session)
    return session


def test_the_most_questions_and_the_least():
    words = iter("abcdefghijklmnopqrstuvwxyz")

    def fruitful(session):
        name = f"topic {next(words)}"
        return talk.say(session, nodes=[(name, 0.9, 0.9)], links=[(name, "S", 1, 0.5)])

    session = _stopped_after(fruitful, max_qas=12)
    assert (session.stopped, session.answered) == ("max_qas", 12)
    session = _stopped_after(lambda one: talk.say(one, "No idea."), min_qas=5)
    assert (session.stopped, session.answered) == ("no_new_anchor", 5)
    assert session.progress == 1
    assert session.status == "review"


@pytest.mark.parametrize(
    ("steps", "reason"),
    [
        # No new anchor in four answers.
        ([{"anchors": 1}, *[{"path_edges": 1, "gain": 1.0}] * 4], "no_new_anchor"),
        # An anchor, but no edge on a path.
        ([{"path_edges": 1}, *[{"anchors": 1, "gain": 1.0}] * 4], "no_new_path"),
        # Both, but too little gained in the last three: (.1 + .02 + .02)/3 < .05
        ([{"anchors": 1, "path_edges": 1, "gain": g} for g in (1.0, 0.1, 0.02, 0.02)], "no_gain"),
        # (.12 + .02 + .02)/3 > .05
        ([{"anchors": 1, "path_edges": 1, "gain": g} for g in (1.0, 0.12, 0.02, 0.02)], None),
    ],
)
def test_rules_of_stopping(steps, reason):
    session = talk.begin(talk.config(min_qas=1))
    session = talk.say(session, "No idea.")
    state = session.state.model_copy(
        update={"steps": tuple(Step(qa_id=f"q{n}", **one) for n, one in enumerate(steps, 1))}
    )
    general = session.questions[-1].model_copy(
        update={"id": "p9", "priority": 4, "status": "pending", "kind": "closing"}
    )
    session = session.model_copy(
        update={"state": state, "stage": 2, "stopped": None, "questions": (general,)}
    )
    assert stopping.reason(session) == reason
    # Not while a question of priority 1 to 3 is pending.
    for priority in (1, 2, 3):
        pending = general.model_copy(update={"priority": priority})
        waiting = session.model_copy(update={"questions": (pending,)})
        assert stopping.reason(waiting) is None
