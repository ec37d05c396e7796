from __future__ import annotations

import json
from pathlib import Path

import pytest

from otherminds.errors import OtherMindsError, UsageError
from otherminds.interview import items, making, quality
from otherminds.interview.calls import Caller, CallsInMemory, ModelSettings
from otherminds.interview.filtering import filtered
from otherminds.interview.items import Belief
from otherminds.interview.quality import Answers, Thresholds
from otherminds.interview.session import Session, Target
from otherminds.interview.store import Store
from otherminds.interview.survey import read_survey
from tests.interview import people


@pytest.fixture(scope="module")
def session(tmp_path_factory: pytest.TempPathFactory) -> Session:
    """An interview by rules with somebody whose graph is known."""
    with Store(tmp_path_factory.mktemp("study"), create=True) as store:
        [found] = people.simulated(store, [people.agent()])
        return found


def belief(number: int = 1, level: int = 1, source: str = "noise") -> Belief:
    return Belief(
        question=f"What effect does {source} have on sleep?",
        source_qa=f"q{number}",
        source=source,
        target="sleep",
        edge=None,
        sign=1,
        dependency_level=level,
        reasoning="",
    )


def test_signs_are_those_of_the_known_graph(session: Session) -> None:
    graph = people.agent().graph
    known = {
        (graph.nodes[edge.source].label, graph.nodes[edge.target].label): edge.polarity
        for edge in graph.effects
    }
    found = items.read_beliefs(session)
    assert len(found) >= 5
    assert all(known[one.source, one.target] == one.sign for one in found)


def test_sources_are_polarity_questions_alone(session: Session) -> None:
    sources = {session.qa(one.source_qa).form for one in items.read_beliefs(session)}
    assert sources == {"polarity"}
    context = {qa.id for qa in session.qas if qa.form == "context"}
    assert context


def test_at_most_ten_and_those_first_that_need_the_interview() -> None:
    many = [belief(n, level=0, source=WORDS[n]) for n in range(7)]
    many += [belief(n, level=1, source=WORDS[n]) for n in range(7, 14)]
    found = items.chosen(many)
    assert len(found) == 10
    assert sum(one.dependency_level for one in found) == 7
    # Of level 0, the first three; all in the order of the interview.
    assert [one.source_qa for one in found][:3] == ["q0", "q1", "q2"]


def test_one_pair_of_factors_counts_once() -> None:
    assert items.chosen([belief(1), belief(2), belief(3, source="the Noise!")])[0].source_qa == "q1"
    assert len(items.chosen([belief(1), belief(2)])) == 1


def test_what_would_show_the_answer_is_masked(session: Session) -> None:
    found = items.read_beliefs(session)[0]
    source = session.qa(found.source_qa)
    others = [qa for qa in session.qas if qa.id != source.id]
    # Another question about the same link, an answer that quotes the source, and the tutorial.
    same = others[0].model_copy(update={"target": Target(source=found.edge[0], node=found.edge[1])})
    quoting = others[1].model_copy(
        update={"answer": f"As I said: {(source.answer or '').upper()} So there."}
    )
    tutorial = others[2].model_copy(update={"kind": "tutorial"})
    changed = {one.id: one for one in (same, quoting, tutorial)}
    made = session.model_copy(update={"qas": tuple(changed.get(qa.id, qa) for qa in session.qas)})
    assert len(items.plain(source.answer or "")) >= items.TELLING
    context, hidden = items.masked(made, found)
    assert set(hidden) == {source.id, same.id, quoting.id}
    shown = {qa.id for qa in context}
    assert tutorial.id not in shown
    assert len(shown) == len(session.qas) - 4


def test_a_short_answer_is_masked_by_its_id_alone(session: Session) -> None:
    found = items.read_beliefs(session)[0]
    said = {qa.id: qa.model_copy(update={"answer": "Yes."}) for qa in session.qas}
    made = session.model_copy(update={"qas": tuple(said.values())})
    _, hidden = items.masked(made, found)
    edge = found.edge
    about = {qa.id for qa in made.qas if (qa.target.source, qa.target.node) == edge}
    assert set(hidden) == {found.source_qa} | about


def test_a_leak_is_seen(session: Session) -> None:
    [*found] = items.of_session(session, items.read_beliefs(session), [], {}).beliefs
    one = found[0]
    assert not any(map(items.leaks, found))
    from dataclasses import replace

    assert items.leaks(replace(one, context=(*one.context, one.source)))
    assert items.leaks(replace(one, demographics={"says": one.source.answer or ""}))


def test_an_answer_that_later_ones_contradict_gives_no_item(session: Session) -> None:
    found = items.read_beliefs(session)[0]
    key, edge = next(
        (key, edge)
        for key, edge in session.state.edges.items()
        if (edge.source, edge.target) == found.edge
    )
    turned = edge.model_copy(update={"polarity": -edge.polarity, "modifier": -edge.modifier})
    state = session.state.model_copy(update={"edges": {**session.state.edges, key: turned}})
    left = items.read_beliefs(session.model_copy(update={"state": state}))
    assert found.edge not in {one.edge for one in left}


def test_a_models_items_need_a_polarity_question(session: Session) -> None:
    polar = items.read_beliefs(session)[0].source_qa
    context = next(qa.id for qa in session.qas if qa.form == "context")
    one = {
        "question": "What does noise do to sleep?",
        "source_qa": polar,
        "factor_from": "noise",
        "factor_to": "sleep",
        "answer": "B",
        "dependency_level": 2,
        "reasoning": "It says so.",
    }
    reply = json.dumps({"items": [one, one | {"source_qa": context}, one | {"source_qa": "q99"}]})
    caller = Caller(ModelSettings("m"), CallsInMemory(), people.Scripted(reply))
    [found] = items.asked_beliefs(session, caller)
    assert (found.source_qa, found.sign, found.dependency_level) == (polar, -1, 2)
    assert caller.counts["bsi_items: no polarity question"] == 2
    nothing = Caller(ModelSettings("m"), CallsInMemory(), people.Scripted("no"))
    assert items.asked_beliefs(session, nothing) == []


def test_a_filter_keeps_what_it_says_and_all_samples(session: Session) -> None:
    whole = items.of_session(session, items.read_beliefs(session), people.agent().survey, {})
    assert len(whole.survey) == 2

    def with_model(*replies: str) -> Caller:
        return Caller(ModelSettings("m"), CallsInMemory(), people.Scripted(*replies))

    same = with_model('{"answer": "A"}')
    for how, kept in (("different", 0), ("improves", 0)):
        found, samples = filtered(whole, [same], how)  # type: ignore[arg-type]
        assert len(found.beliefs) == kept
        assert len(samples) == len(whole.beliefs) + len(whole.survey)
    wrong, _ = filtered(whole, [same], "both_wrong")
    assert {one.belief.sign for one in wrong.beliefs} <= {-1}
    assert filtered(whole, [], "none") == (whole, [])
    # Without the interview 1, which is wrong for 7 of 10; with it 6, which is near.
    numbers = with_model('{"answer": 1}', '{"answer": 6}')
    opinion = items.Items(survey=whole.survey[:1])
    assert len(filtered(opinion, [numbers], "improves")[0].survey) == 1


# --- quality control


def given(answers: list[str], nodes: int = 8, **more: object) -> Answers:
    return Answers("s", "p", "t", answers, [False] * len(answers), nodes, **more)  # type: ignore[arg-type]


WORDS = [
    *("alpha", "bravo", "charlie", "delta", "echo", "foxtrot", "golf", "hotel", "india", "juliet"),
    *("kilo", "lima", "mike", "november"),
]


def varied() -> list[str]:
    """Ten answers that are not alike: each in other words."""
    return [
        " ".join(f"{word[::-1] if n % 2 else word}{n * 7919 % 97}x{n}" for word in WORDS[n % 5 :])
        for n in range(10)
    ]


@pytest.mark.parametrize(
    ("answers", "verdict"),
    [
        (given(varied()), "kept"),
        (given(varied(), nodes=4), "sparse_graph"),
        (given(varied()[:7]), "too_short"),
        (given(["Yes."] * 3 + varied()), "kept"),
        (given(["No idea at all."] * 5 + varied()[:5]), "redundant"),
        (
            given(
                ["This question makes no sense."] * 1
                + ["What kind of question is it"] * 1
                + varied()[:3]
            ),
            "meta_level",
        ),
        (given(varied(), is_over=False), "unfinished"),
        (given([]), "too_short"),
    ],
)
def test_each_interview_gets_the_first_reason(answers: Answers, verdict: str) -> None:
    [[measured], _] = quality.check([answers])
    assert measured.verdict == verdict


def test_the_order_of_reasons_decides() -> None:
    # Repeats itself, challenges the questions, is short, and has no concepts.
    all_of_it = given(["This question makes no sense."] * 4, nodes=0)
    [[measured], _] = quality.check([all_of_it])
    assert measured.verdict == "redundant"
    # The values of all are there, whatever the reason: 3 of 4 repeat the first.
    assert (measured.redundant, measured.meta_level, measured.turns) == (0.75, 1.0, 4)
    assert (measured.median_words, measured.words, measured.nodes) == (5.0, 20, 0)


def test_the_extractors_flag_counts_as_a_challenge() -> None:
    answers = Answers("s", "p", "t", varied(), [True] * 4 + [False] * 6, 8)
    assert quality.check([answers])[0][0].verdict == "meta_level"


def test_sensitivity_counts_at_one_step_of_each_threshold() -> None:
    interviews = [given(varied(), nodes=nodes) for nodes in (4, 5, 6)]
    measured, table = quality.check(interviews)
    assert dict(quality.funnel(measured)) | {"kept": 2, "sparse_graph": 1} == dict(
        quality.funnel(measured)
    )
    rows = {(row["threshold"], row["value"]): row["change"] for row in table}
    assert rows["nodes", 4] == 1
    assert rows["nodes", 6] == -1
    assert {name for name, _ in rows} == set(quality.STEPS)
    assert set(quality.STEPS) == set(vars(Thresholds()))


# --- the questionnaire's table

HEAD = (
    "participant_id,topic,question_id,question,low,high,answer,reason_code,reason_text,"
    "demographic: age\n"
)


def test_a_table_of_answers_is_read(tmp_path: Path) -> None:
    path = tmp_path / "survey.csv"
    path.write_text(
        HEAD + 'P1,zoning,1.1,"How, then?",1,10,7,,,41\nP1,zoning,1.1r_A,Weight?,1,5,2,A,Rents,41\n'
    )
    answers, said = read_survey(path)
    assert [one.question_id for one in answers] == ["1.1", "1.1r_A"]
    assert answers[1].content["question_type"] == "reason_evaluation"
    assert said == {"P1": {"age": "41"}}


@pytest.mark.parametrize(
    ("row", "says"),
    [
        ("P1,zoning,1.1,Q?,1,10,11,,,", "line 2: the answer 11 is not on the scale"),
        ("P1,zoning,1.1,Q?,1,10,seven,,,", "whole numbers"),
        (",zoning,1.1,Q?,1,10,7,,,", "participant_id is empty"),
    ],
)
def test_a_fault_in_the_table_is_named_with_its_line(row: str, says: str, tmp_path: Path) -> None:
    path = tmp_path / "survey.csv"
    path.write_text(f"{HEAD}{row}\n")
    with pytest.raises(OtherMindsError, match=says):
        read_survey(path)


def test_a_table_without_the_columns_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "survey.csv"
    path.write_text("a,b\n1,2\n")
    with pytest.raises(OtherMindsError, match="lacks the columns"):
        read_survey(path)


def test_a_filter_needs_its_models(tmp_path: Path) -> None:
    for how, models in (("improves", ()), ("none", ("m",))):
        with pytest.raises(UsageError, match="--filter"):
            making.make(making.Wanted("x", tmp_path, how=how, models=models))  # type: ignore[arg-type]
