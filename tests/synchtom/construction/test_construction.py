"""A whole construction of users with a wrong belief: from raw material to scores and rewards."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from otherminds.construct import Unit, importing, pipelines, release
from otherminds.construct import folder as folders
from otherminds.construct.importing import Imported
from otherminds.construct.pipeline import Plan
from otherminds.construct.replies import Who
from otherminds.data import kept, loading
from otherminds.data.repository import rows as repository
from otherminds.dataset_builders.sources import SourceError
from otherminds.dataset_builders.synchtom import made as builder
from otherminds.dataset_builders.synchtom import raw
from otherminds.dataset_builders.synchtom.schema import DIMENSIONS, SCENARIOS
from otherminds.errors import AccessNeededError, OtherMindsError
from otherminds.running.models import Options
from otherminds.running.run import run
from otherminds.tasks.synchtom.rewards import combined, format_reward
from tests.helpers.scripted_author import sheets
from tests.helpers.scripted_synchtom import CHEATS, good, sloppy

N = 8
Writer = Callable[[Unit, str, int], Any]


def honest(unit: Unit, stage: str, tries: int) -> Any:
    return good(unit, stage)


def step(path: Path, writer: Writer = honest, name: str = "Ada", *files: str) -> Imported:
    """Somebody answers what waits, and it is imported."""
    now = folders.opened(path).state()
    lines = []
    for sheet in sheets(path, *files):
        unit_id, stage, tries = sheet["sheet_id"].split(".")
        reply = writer(now.unit(unit_id), stage, int(tries))
        text = reply if isinstance(reply, str) else json.dumps(reply, ensure_ascii=False)
        lines.append(json.dumps({"sheet_id": sheet["sheet_id"], "reply": text}))
    came = path / "came.jsonl"
    came.write_text("\n".join(lines), encoding="utf-8")
    return importing.import_(folders.opened(path), [came], Who(name))


def read(path: Path) -> None:
    """Two blind readers answer from what a model is shown, and somebody marks that."""
    for slot in (1, 2):
        answer = dict.fromkeys(DIMENSIONS, f"A mix-up, says reader {slot}.\nB1 is met.")
        wanted = sheets(path, f"reading_1_{slot}")
        assert replied(path, {one["sheet_id"]: answer for one in wanted}, f"Reader {slot}").accepted
    marks = {}
    for one in sheets(path, "marking"):
        names = list(dict.fromkeys(re.findall(r"^([BPS]\d): ", one["prompt"], re.MULTILINE)))
        # Of the first reader's answers every point on the belief is met, of the second's none.
        met = "says reader 1" in one["prompt"]
        verdicts = [{"criterion": name, "met": met and name[0] == "B"} for name in names]
        marks[one["sheet_id"]] = {"verdicts": verdicts}
    first = next(iter(marks))
    assert replied(path, {first: {"verdicts": []}}, "Mark").refused
    again = {one["sheet_id"] for one in sheets(path, "marking")} - set(marks)
    marks[again.pop()] = marks.pop(first)
    for name in ("Ada", "Reader 1", "READER  1"):
        turned = replied(path, marks, name).turned
        assert {why.partition(":")[0] for _, why in turned} <= {"own_unit", "own_answer"}
        assert len(turned) == len(marks)
    assert not replied(path, marks, "Mark").turned


def replied(path: Path, said: Mapping[str, Any], name: str) -> Imported:
    came = path / "replied.jsonl"
    lines = [json.dumps({"sheet_id": one, "reply": json.dumps(it)}) for one, it in said.items()]
    came.write_text("\n".join(lines), encoding="utf-8")
    return importing.import_(folders.opened(path), [came], Who(name))


def strict(unit: Unit, stage: str, tries: int) -> Any:
    """A validator who first finds fault with each unit of a test, and then with none."""
    found = good(unit, stage)
    if tries == 1 and unit.part == "test":
        if stage == "validation":
            found["realism"] = {"score": 3, "reason": "Nobody would write that much in a ledger."}
        else:
            found["verdicts"][0].update(alone=False, reason="It names nobody.")
    return found


@dataclass(frozen=True)
class Made:
    """A finished construction, its release, and what its funnel says."""

    folder: Path
    out: Path
    facts: dict[str, Any]


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Made:
    path = tmp_path_factory.mktemp("made") / "made"
    folders.export(pipelines.named("synchtom"), Plan(n=N), path)
    for _ in range(3):
        step(path, sloppy)
    step(path)
    returned = step(path, strict, "Vera").returned
    assert {why.split()[0] for _, why in returned} == {"realism:"}
    step(path)
    step(path, strict, "Vera")
    step(path)
    returned = step(path, strict, "Vera").returned
    assert {why.split()[0] for _, why in returned} == {"rubric_alone"}
    step(path)
    step(path, strict, "Vera")
    read(path)
    out = path.parent / "out"
    done = release.release(folders.opened(path), out)
    return Made(path, out, done.facts)


def test_the_funnel_says_what_happened(made: Made) -> None:
    funnel = made.facts["funnel"]
    tests = len(repository.read(made.out, "instances"))
    assert funnel["kept"] == N
    assert funnel["dropped"] == 0
    assert funnel["stages"]["scenario"]["refused"] == {"text_around": N, "brevity": N}
    assert funnel["stages"]["validation"]["returned"] == {"realism": tests}
    assert funnel["stages"]["rubric_audit"]["returned"] == {"rubric_alone": tests}
    card = (made.out / "README.md").read_text(encoding="utf-8")
    assert "brevity" in card
    assert "Language models wrote the texts: Ada." in card
    assert "no validator" not in card


def test_readers_answers_are_marked(made: Made) -> None:
    reading = made.facts["reading"]
    assert reading["markers"] == ["Mark"]
    # Training users are read as well.
    assert reading["items"] == N
    rows = [
        row
        for config in ("instances", "training")
        for row in repository.read(made.out, config).to_pylist()
    ]
    shares = []
    for row in rows:
        counts = [len(row["rubrics"][name]) for name in DIMENSIONS]
        # One of two readers meets all on the belief and nothing else.
        shares.append(counts[0] / sum(counts) / 2)
        assert row["read_right"] == pytest.approx(shares[-1])
    assert reading["before"]["value"] == pytest.approx(sum(shares) / N, abs=1e-6)
    agreed = sum(sum(len(row["rubrics"][name]) for name in DIMENSIONS[1:]) for row in rows) / sum(
        len(row["rubrics"][name]) for row in rows for name in DIMENSIONS
    )
    assert reading["agreement"] == pytest.approx(agreed)
    lines = (made.out / "provenance.jsonl").read_text(encoding="utf-8").splitlines()
    for line in lines:
        for one in json.loads(line)["readings"]:
            assert one["marked"]["by"] == "Mark"
    card = (made.out / "README.md").read_text(encoding="utf-8")
    assert "Marked by: Mark." in card


def test_golds_are_the_raw_items(made: Made) -> None:
    items = {one.item_id: one for one in raw.own()}
    for config, part in (("instances", "test"), ("training", "train")):
        rows = repository.read(made.out, config).to_pylist()
        assert rows
        for row in rows:
            item = items[row["source_item"]]
            assert (row["true_latent_state"], row["user_profile"]) == (item.truth, item.profile)
            assert row["part"] == part == item.belongs
            assert row["sources"] == item.sources
            assert row["authors"] == ["Ada"]
            assert row["validators"] == ["Vera"]
            assert len(row["turns"]) == 10
            assert not row["misdirected"]


def test_made_users_are_asked_about_and_judged(made: Made, tmp_path: Path) -> None:
    metadata = json.dumps({"data_source": str(made.out)})
    flags = ("--metadata", metadata, "--output_path", str(tmp_path))
    scores = {}
    for name in ("oracle", "wrong-premise"):
        found = run(["synchtom_made"], ["--model", name, *flags], Options())
        assert found is not None
        scores[name] = found.results["results"]["synchtom_made_judge"]
    tests = len(repository.read(made.out, "instances"))
    by_name = {
        name: {key.partition(",")[0]: value for key, value in own.items()}
        for name, own in scores.items()
    }
    assert by_name["oracle"]["n_instances"] == tests
    assert by_name["oracle"]["avg"] == 100
    # The scripted criteria name the belief; nobody meets one on the solution with the request.
    assert by_name["wrong-premise"]["solution"] == 0


def test_rewards_train_on_training_rows_alone(made: Made) -> None:
    completion = "<ToM_Belief>The belief.</ToM_Belief><ToM_Profile>A user.</ToM_Profile>Look again."

    def judge(asked: Any) -> list[list[int]]:
        return [[1] * len(one.criteria) for one in asked]

    training = loading.load("synchtom-made", "training", source=str(made.out))["test"]
    columns = {name: training[name][:2] for name in ("rubrics", "part")}
    assert combined(judge)(["?"] * 2, [completion] * 2, **columns) == [pytest.approx(1.0)] * 2
    tests = loading.load("synchtom-made", "instances", source=str(made.out))["test"]
    columns = {name: [training[name][0], tests[name][0]] for name in ("rubrics", "part")}
    for reward in (combined(judge), format_reward):
        with pytest.raises(OtherMindsError, match="Row 2 of the batch is for the test"):
            reward(["?"] * 2, [completion] * 2, **columns)


def test_the_package_may_hold_a_release_of_its_own(
    made: Made, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As after `python -m otherminds.publishing.release synchtom-made DIR`: no source need be named."""
    place = tmp_path / "kept"
    monkeypatch.setattr(kept, "at", lambda known: place)
    monkeypatch.setenv("OTHERMINDS_CACHE", str(tmp_path / "cache"))
    with pytest.raises(AccessNeededError, match="a finished construction"):
        loading.load("synchtom-made", "training")
    release.keep(folders.opened(made.folder), place)
    for config in ("instances", "training"):
        rows = loading.load("synchtom-made", config)[loading.SPLIT].to_list()
        assert rows == repository.read(made.out, config).to_pylist()


def test_an_author_does_not_validate_its_own(tmp_path: Path) -> None:
    path = tmp_path / "made"
    folders.export(pipelines.named("synchtom"), Plan(n=1), path)
    for _ in range(2):
        step(path)
    before = sheets(path)
    done = step(path)
    assert not done.accepted
    assert done.turned
    assert [one["sheet_id"] for one in sheets(path)] == [one["sheet_id"] for one in before]


def test_a_cheating_author_is_asked_again_and_given_up(tmp_path: Path) -> None:
    path = tmp_path / "made"
    folders.export(pipelines.named("synchtom"), Plan(n=4), path)
    step(path)

    def cheating(unit: Unit, stage: str, tries: int) -> Any:
        reply = good(unit, stage)
        CHEATS["leaks the truth in a turn"].change(reply, unit)
        return reply

    done = step(path, cheating)
    assert {one.check for _, said in done.refused for one in said} == {"truth_leaked"}
    assert all("It gives the truth away" in one["prompt"] for one in sheets(path))
    for _ in range(5):
        done = step(path, cheating)
    assert [why for _, why in done.dropped] == ["truth_leaked"] * 4
    with pytest.raises(OtherMindsError, match="No unit was kept"):
        release.release(folders.opened(path), tmp_path / "out", unread=True)


def test_a_copied_trajectory_is_kept_once(tmp_path: Path) -> None:
    path = tmp_path / "made"
    found = folders.export(pipelines.named("synchtom"), Plan(n=4), path)
    step(path)
    first = found.units[0].unit_id

    def copying(unit: Unit, stage: str, tries: int) -> Any:
        return good(folders.opened(path).state().unit(first), stage)

    done = step(path, copying)
    assert done.accepted == [f"{first}.trajectory.1"]
    assert all("own_words" in {one.check for one in said} for _, said in done.refused)


def test_material_of_ones_own(tmp_path: Path) -> None:
    items = [one.model_dump(mode="json") for one in raw.own()[:3]]
    path = tmp_path / "raw.json"
    path.write_text(json.dumps(items), encoding="utf-8")
    pipeline = pipelines.named("synchtom")
    units = pipeline.frames(Plan(n=7, material=path))
    # Each item in turn, and then again; all users of an item are of one part.
    assert sorted(one.unit_id[-1] for one in units) == ["1"] * 3 + ["2"] * 3 + ["3"]
    assert len({(one.frame["item_id"], one.part) for one in units}) == 3
    assert len({json.dumps(one.frame) for one in units}) == 7
    for change, said in (
        ({"truth": "All is well."}, "none of the secrets stands in the truth"),
        ({"profile": items[0]["truth"]}, "the profile names the truth"),
        ({"scenario": "culture"}, "needs a fact as material"),
        ({"sources": ["A book."]}, "what is invented has no sources"),
        ({"item_id": items[1]["item_id"]}, "is given twice"),
        ({"interpretation": "It is the foam."}, "Extra inputs are not permitted"),
        ({**items[1], "item_id": "again", "part": "test"}, "tell nearly the same"),
    ):
        path.write_text(json.dumps([{**items[0], **change}, *items[1:]]), encoding="utf-8")
        with pytest.raises(SourceError, match=said):
            pipeline.frames(Plan(material=path))


def test_our_own_material() -> None:
    items = raw.own()
    counts = {
        scenario: [one.belongs for one in items if one.scenario == scenario]
        for scenario in SCENARIOS
    }
    assert {len(parts) for parts in counts.values()} == {6}
    assert {parts.count("test") for parts in counts.values()} == {3}
    assert raw.alike(items) == []


def test_what_a_seed_draws_never_moves_an_item_between_parts() -> None:
    pipeline = pipelines.named("synchtom")
    parts = [
        {one.frame["item_id"]: one.part for one in pipeline.frames(Plan(n=40, seed=seed))}
        for seed in (0, 1)
    ]
    assert parts[0] == parts[1]
    orders = [[one.unit_id for one in pipeline.frames(Plan(seed=seed))] for seed in (0, 1, 0)]
    assert orders[0] == orders[2] != orders[1]


def test_a_release_that_somebody_edited_is_refused(made: Made, tmp_path: Path) -> None:
    folder = made.folder
    now = folders.opened(folder).state()
    units = list(now.kept())
    texts = json.loads(json.dumps(units[0].texts))
    texts["trajectory"]["turns"][0]["observation"] = units[0].frame["truth"]
    edited = Unit(
        units[0].unit_id, units[0].frame, units[0].part, texts, units[0].judged, units[0].written
    )
    lines = builder.constructed.lines([edited, *units[1:]], {})
    (tmp_path / "units.jsonl").write_text(lines, encoding="utf-8")
    (tmp_path / "construction.json").write_text("{}", encoding="utf-8")
    facts = builder.spec({})
    failed = {
        one.name for one in builder.audit(builder.build(tmp_path, facts), facts) if not one.passed
    }
    assert failed == {"no_truth_shown"}
    # And an unfinished unit is no row.
    bare = Unit(edited.unit_id, edited.frame, edited.part, {"scenario": texts["scenario"]})
    (tmp_path / "units.jsonl").write_text(builder.constructed.lines([bare], {}), encoding="utf-8")
    with pytest.raises(SourceError, match="has no trajectory, validation, rubrics, rubric_audit"):
        builder.build(tmp_path, facts)


def test_material_that_stands_for_billions_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "raw.yaml"
    lines = ["a0: &a0 [x, x]", *(f"a{n}: &a{n} [*a{n - 1}, *a{n - 1}]" for n in range(1, 40))]
    path.write_text("\n".join(lines), encoding="utf-8")
    with pytest.raises(SourceError, match="has an alias"):
        raw.read(path)
