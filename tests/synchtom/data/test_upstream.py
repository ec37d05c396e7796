"""SynchToM from a clone: the real one, a fictional one with its traps, and ones that cannot be used."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from otherminds import manifest
from otherminds.dataset_builders.sources import SourceError
from otherminds.dataset_builders.synchtom import told, upstream
from otherminds.dataset_builders.synchtom.leaks import (
    criterion_words,
    misdirected,
    phrases,
    quoted,
    runs,
    without_traces,
)
from otherminds.dataset_builders.synchtom.schema import DIMENSIONS, GOLD, INSTANCE, TOLD
from otherminds.dataset_builders.synchtom.told import Truth, masked, names, share_named, truth_of
from tests.helpers.fictional_synchtom import FACTS, TRACED, Record, path_of, sample, write

_WORDS = ("fusion", "Fusion,", "(True State)", "the", "stars", "ignored", "(Belief b)", "nuclear.")

Change = Callable[[dict[str, list[Record]], dict[str, Record]], object]


def built(folder: Path) -> upstream.Built:
    return upstream.build(write(folder, *sample()), FACTS)


def failed(found: upstream.Built, facts: upstream.Facts = FACTS) -> dict[str, str]:
    return {one.name: one.detail for one in upstream.audit(found, facts) if not one.passed}


def test_the_real_source(shared_data: Path) -> None:
    known = manifest.load("synchtom")
    steps: list[tuple[int, int]] = []
    facts = upstream.spec(known.parameters)
    found = upstream.build(
        shared_data / "synchtom", facts, progress=lambda *done: steps.append(done)
    )
    assert failed(found, facts) == {}
    values = {one.name: one.value for one in upstream.audit(found, facts)}
    assert values == known.measured
    assert found.funnel[0].counts == {"instances": 391, "turns": 3_910, "criteria": 4_437}
    assert upstream.content_hash(found.table) == known.configs["instances"].content_hash
    assert known.configs["instances"].splits == {"test": found.table.num_rows}
    assert known.sources[0].sha256 == found.sha256
    assert steps[-1] == (391, 391)
    # Ten observations of one trajectory quote the whole true state in the source.
    row = next(row for row in found.table.to_pylist() if row["upstream_id"] == "swe_0012")
    assert row["turns"][0]["observation"].startswith("Output: Unit(")


def test_rows_of_a_small_source(tmp_path: Path) -> None:
    found = built(tmp_path)
    rows = found.table.to_pylist()
    assert found.table.schema == INSTANCE
    # By scenario in the order of the dataset, and then as in the files.
    assert [(row["instance_id"], row["upstream_id"]) for row in rows] == [
        ("synchtom-preference-0001", "pref_0002"),
        ("synchtom-preference-0002", "pref_00121"),
        ("synchtom-education-0001", "edu_0007"),
        ("synchtom-culture-0001", "culture_0410"),
        ("synchtom-software_engineering-0001", "swe_0001"),
        ("synchtom-software_engineering-0002", "swe_00104"),
    ]
    kettle = rows[0]
    assert kettle["observation"] == "The kettle has not been working well since Monday."
    assert kettle["instruction"].endswith("how the kettle can be rid of weak electricity.")
    assert kettle["root_cause"].startswith("As a retired electrician")
    assert kettle["rubrics"]["user_profile_modeling"] == [
        "Says that the user is a retired electrician.",
        "Says what the user knows.",
    ]
    assert [set(turn) for turn in kettle["turns"]] == [{"action", "observation"}] * 10
    assert kettle["turns"][9]["observation"] == ""
    assert kettle["turns"][2]["action"] == "Look at the kettle for the 3. time."
    traced = next(row for row in rows if row["upstream_id"] == TRACED)
    assert traced["turns"][0]["observation"].startswith("Nothing helps; there are signs of")
    assert found.left == {
        "key 'interpretation' of a turn": 1,
        "key 'red_herring' of a turn": 1,
        "key 'observation_hidden_context' of a turn": 1,
        "turn without an observation, which gets an empty one": 1,
        "text with a trace of its generator, which is cut out": 11,
        "trajectory that no instance names": 1,
    }
    assert found.unused == ["trajectories/culture-benchmark/culture_0099.json"]
    assert failed(found) == {}


def test_the_same_source_gives_the_same_bytes(tmp_path: Path) -> None:
    first, second = built(tmp_path / "a"), built(tmp_path / "b")
    assert upstream.content_hash(first.table) == upstream.content_hash(second.table)
    assert first.sha256 == second.sha256


def test_any_change_of_a_file_changes_the_digest(tmp_path: Path) -> None:
    before = built(tmp_path).sha256
    facts = replace(FACTS, sha256=before)
    assert failed(upstream.build(tmp_path, facts), facts) == {}
    path = tmp_path / path_of("culture", "culture_0410")
    path.write_text(path.read_text(encoding="utf-8") + "\n", encoding="utf-8")
    after = failed(upstream.build(tmp_path, facts), facts)
    assert list(after) == ["source"]
    assert "check out the revision" in after["source"]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (
            lambda i, t: i["culture"][0].pop("user_profile"),
            r"\(culture_0410\): user_profile: Field",
        ),
        (lambda i, t: i["culture"].append(i["preference"][0]), r"'pref_0002' is in pref-bench"),
        (
            lambda i, t: i["culture"][0].update(observation="half \ud83d"),
            r"\(culture_0410\): observation: holds half of a character",
        ),
        (
            lambda i, t: i["culture"][0]["rubrics"].update(correct_resolution=[]),
            "rubrics.correct_resolution: has no criteria",
        ),
        (
            lambda i, t: i["culture"][0]["rubrics"].pop("correct_resolution"),
            "rubrics.correct_resolution: Field required",
        ),
        (
            lambda i, t: i["culture"][0]["rubrics"]["correct_resolution"].append(
                {"criterion": " "}
            ),
            "correct_resolution.3.criterion: is empty",
        ),
        (
            lambda i, t: i["culture"][0].update(user_profile={"age": 3}),
            "user_profile: Input should be a valid string",
        ),
        (lambda i, t: i["culture"].append("none"), r"instance 2 \(unnamed\): the whole"),
        (lambda i, t: i.update(culture={}), "culture-benchmark.json is not a list"),
        (
            lambda i, t: i["culture"][0].update(trajectory="trajectories/../../secret.json"),
            "not in the folder trajectories",
        ),
        (
            lambda i, t: i["culture"][0].update(trajectory="trajectories/none.json"),
            "its trajectory .* is missing",
        ),
        (lambda i, t: _turns(t).pop(), "has 9 turns; it must have 10"),
        (lambda i, t: _turns(t).append({}), "has 11 turns"),
        (lambda i, t: _turns(t)[3].pop("action"), "turn 4: action: Field required"),
        (lambda i, t: _turns(t)[3].update(turn=7), r"numbered \[1, 2, 3, 7, 5"),
        (lambda i, t: t.update({_PATH: ["x"]}), "has no list of turns"),
    ],
)
def test_sources_that_cannot_be_used(tmp_path: Path, change: Change, message: str) -> None:
    instances, trajectories = sample()
    change(instances, trajectories)
    with pytest.raises(SourceError, match=message):
        upstream.build(write(tmp_path, instances, trajectories), FACTS)


_PATH = path_of("culture", "culture_0410")


def _turns(trajectories: dict[str, Record]) -> list[Record]:
    found: list[Record] = trajectories[_PATH]["trajectory"]
    return found


def test_damaged_and_missing_files(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match=r"lacks pref-benchmark\.json, education-benchmark\.json"):
        upstream.build(tmp_path, FACTS)
    write(tmp_path, *sample())
    path = tmp_path / "swe-benchmark.json"
    whole = path.read_bytes()
    for damaged in (whole[:400], b"\xff\xfe\x00", b"[" * 100_000):
        path.write_bytes(damaged)
        with pytest.raises(SourceError, match=r"swe-benchmark.json is not JSON.*Get it again"):
            upstream.build(tmp_path, FACTS)


def test_facts_are_checked() -> None:
    with pytest.raises(ValueError, match="asides"):
        upstream.spec({"instances": {}})


@pytest.mark.parametrize(
    ("column", "value", "name"),
    [
        ("instance_id", "synchtom-preference-0002", "instance_id_unique"),
        ("instance_id", "kettle", "ids_form"),
        ("upstream_id", "edu_0007", "upstream_id_unique"),
        ("scenario", "weather", "instances_weather"),
        ("turns", [], "turns"),
        ("user_profile", " ", "texts"),
        ("rubrics", {name: [] for name in DIMENSIONS}, "rubrics"),
        ("turns", [{"action": "Look. (Red Herring)", "observation": "-"}] * 10, "no_traces"),
        ("turns", [{"action": "Look.", "observation": "The True State."}] * 10, "asides"),
        *(
            (gold, "The kettle has not been working well, since MONDAY!", f"no_{gold}")
            for gold in GOLD
        ),
        (
            "rubrics",
            {
                name: ["Says: the kettle has not been working well since Monday."]
                for name in DIMENSIONS
            },
            "quoted_user_profile_modeling",
        ),
    ],
)
def test_audits_find_what_is_wrong(tmp_path: Path, column: str, value: object, name: str) -> None:
    found = built(tmp_path)
    rows = found.table.to_pylist()
    rows[0][column] = value
    table = pa.Table.from_pylist(rows, schema=INSTANCE)
    assert name in failed(replace(found, table=table))


def test_what_is_told_is_masked_and_gold_stays_as_it_is(tmp_path: Path) -> None:
    rows = {row["upstream_id"]: row for row in built(tmp_path).table.to_pylist()}
    seedling, greeting, cache = (rows[n] for n in ("edu_0007", "culture_0410", "swe_00104"))
    assert seedling["root_cause"].endswith("sees no sign of it (overwatering).")
    assert seedling["told_cause"] == seedling["root_cause"].replace("overwatering", "[…]")
    assert greeting["told_cause"] == "As a blunt sailor, […] and heard an insult."
    assert greeting["told_profile"] == greeting["user_profile"]
    assert {name: row["misdirected"] for name, row in rows.items() if row["misdirected"]} == {
        "swe_00104": [2]
    }
    assert cache["rubrics"]["correct_resolution"][2] == "Offers a lock, as requested."


@pytest.mark.parametrize(
    ("column", "value", "names"),
    [
        # One word, in another form and case; and a whole true state of eight words.
        ("told_cause", "They do not see the OVERWATERED roots.", {"told_cause_names_no_truth"}),
        ("told_profile", "Fond of overwatering.", {"told_profile_names_no_truth"}),
        ("told_cause", "They ignored the roots (True State).", {"told_cause_names_no_truth"}),
        ("misdirected", [0], {"misdirected"}),
        ("user_latent_belief", "That one two three four five six seven eight.", {"belief_repeats"}),
        (
            "turns",
            [{"action": "Look.", "observation": "Overwatering!"}] * 10,
            {"short_truths_shown"},
        ),
    ],
)
def test_audits_find_a_truth_that_is_told(
    tmp_path: Path, column: str, value: object, names: set[str]
) -> None:
    found = built(tmp_path)
    rows = found.table.to_pylist()
    row = next(row for row in rows if row["upstream_id"] == "edu_0007")
    row[column] = value
    if column == "user_latent_belief":
        row["true_latent_state"] = "One two three four five six seven eight."
    table = pa.Table.from_pylist(rows, schema=INSTANCE)
    assert names <= set(failed(replace(found, table=table)))


def test_a_flagged_criterion_that_reads_otherwise_is_another_one(tmp_path: Path) -> None:
    found = built(tmp_path)
    rows = found.table.to_pylist()
    row = next(row for row in rows if row["upstream_id"] == "swe_00104")
    row["rubrics"]["correct_resolution"][2] = "Offers two locks, as requested."
    table = pa.Table.from_pylist(rows, schema=INSTANCE)
    assert "software_engineering-0002" in failed(replace(found, table=table))["misdirected"]


def test_a_criterion_that_rewards_the_wrong_request_is_found_by_how_it_says_so() -> None:
    criteria = [
        "Provides steps to block all traffic as requested.",
        "Refutes the requested schedule.",
        "Includes a quiz, As Requested in the instruction.",
        "States what was requested.",
    ]
    assert misdirected(criteria) == [0, 2]


def test_the_truths_own_words_are_those_that_nothing_else_says() -> None:
    truth = truth_of(
        "The seasons of the year, and not Users' clocks, set this.",
        ("What sets the clock?", "They believe that it is the day."),
    )
    # Not "the", "and", "not", "this", which are common; nor what the user says, by its beginning.
    assert truth.own == {"season", "year"}
    # Words in a row, whoever says them; common words part them.
    assert truth.pairs == {("clock", "set")}
    # A third is enough.
    three = Truth(truth.own | {"tilt"}, frozenset())
    assert share_named("A seasonal effect.", three) == pytest.approx(1 / 3)
    assert names("A seasonal effect.", three)
    assert masked("A Seasonal effect, tilted.", three) == "A […] effect, tilted."
    assert masked("Seasons: each YEAR's tilt.", three) == "[…]: each […]'s […]."
    # Below a third, a single word that nothing sets against the belief stays.
    four = Truth(three.own | {"sun"}, frozenset())
    assert masked("A seasonal effect.", four) == "A seasonal effect."
    # A truth without words of its own cannot be named.
    assert not names("Anything.", Truth(frozenset(), frozenset()))


@given(st.text(max_size=60), st.lists(st.sampled_from(_WORDS), min_size=1, max_size=6))
def test_what_is_masked_names_nothing_and_is_masked_once(truth: str, words: list[str]) -> None:
    own = truth_of(f"{truth} {words[0]}", ())
    text = " ".join(words)
    assert not names(masked(text, own), own)
    assert masked(masked(text, own), own) == masked(text, own)


# Ten own words, so that one or two are below a third.
_LONG = truth_of(
    "A reinforced plating protects the boss until somebody breaks two acid vials beside wooden crates.",
    ("What breaks the boss?",),
)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        # In a contrast: in brackets, or to the end of the clause.
        ("They fear a grind (wooden ones).", "They fear a grind ([…] ones)."),
        (
            "They blame luck rather than looking at the crates, and the plating.",
            "They blame luck rather than looking at the […], and the plating.",
        ),
        (
            "They ignored the plating. All crates bore them.",
            "They ignored the […]. All crates bore them.",
        ),
        # Together, and beside the word that they stand beside in the truth.
        ("They like an Acid Vial.", "They like an […] […]."),
        ("One who finds wooden crates dull.", "One who finds […] […] dull."),
        ("One who breaks acid tests.", "One who breaks acid tests."),
        # A single word elsewhere, and what the user knows of.
        ("They like plating, ignoring the boss.", "They like plating, ignoring the boss."),
    ],
)
def test_few_words_are_masked_where_they_say_what_the_user_did_not_see(
    text: str, told: str
) -> None:
    assert masked(text, _LONG) == told
    assert names(text, _LONG) == (text != told)


def test_what_is_left_is_counted_by_rules_of_its_own() -> None:
    truth = "The acid vial, rather than luck, breaks the boss."
    known = ("The boss has luck.",)
    assert phrases("An ACID vial, rather than a sword.", truth, known) == {("acid", "vial")}
    assert phrases("A vial of acid.", truth, known) == frozenset()
    assert phrases("An acid vial.", truth, ("I see an acid vial.",)) == frozenset()
    criteria = ["Contains the term 'Acid'.", "Names the boss, rather than the vials."]
    # Not "vial", of which no criterion has just this form; not "boss", which is known.
    text = "Rather an acid vial than a boss."
    assert criterion_words(text, truth, known, criteria) == {"acid"}


def test_masks_that_hide_too_little_fail_an_audit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The builder and its own rule are made blind; the audits that do not know it still see."""
    instances, trajectories = sample()
    seedling = instances["education"][0]
    seedling["true_latent_state"] = "Somebody overwaters tender roots every single evening."
    seedling["root_cause_of_misconception"] = "They overlook the tender roots."
    seedling["rubrics"][DIMENSIONS[2]].append({"criterion": "Speaks of tender roots."})
    clone = write(tmp_path, instances, trajectories)
    found = {"told_cause_phrases", "told_cause_criterion_words"}
    assert not found & set(failed(upstream.build(clone, FACTS)))
    monkeypatch.setattr(told, "_naming", lambda text, truth: frozenset())
    blind = set(failed(upstream.build(clone, FACTS)))
    assert found <= blind
    assert "told_cause_names_no_truth" not in blind


def test_the_real_source_tells_less_than_it_says(shared_data: Path) -> None:
    facts = upstream.spec(manifest.load("synchtom").parameters)
    found = upstream.build(shared_data / "synchtom", facts)
    rows = {row["instance_id"]: row for row in found.table.to_pylist()}
    for name, secret in {
        "0112": "acid vial",
        "0097": "cybersecurity exercise",
        "0050": "broken menu",
        "0099": "ambient loop",
        "0067": "subscription requirement",
    }.items():
        row = rows[f"synchtom-preference-{name}"]
        assert secret in row["root_cause"]
        assert row["told_cause"] == row["root_cause"].replace(secret, "[…] […]")
    # Texts stay texts: no more than a third of the words of any is masked, and most lose one or two.
    masks = [
        (row[column].count("[…]"), len(row[gold].split()))
        for row in rows.values()
        for column, gold in TOLD.items()
        if row[column] != row[gold]
    ]
    assert max(hidden / words for hidden, words in masks) < 1 / 3
    assert sorted(hidden for hidden, _ in masks)[len(masks) // 2] <= 2
    # With the source's own words told, the audits that do not know the masks fail.
    bare = [
        {**row, **{column: row[gold] for column, gold in TOLD.items()}} for row in rows.values()
    ]
    unmasked = replace(found, table=pa.Table.from_pylist(bare, schema=INSTANCE))
    assert {
        f"{column}_{rule}" for column in TOLD for rule in ("phrases", "criterion_words")
    } <= set(failed(unmasked, facts))


def test_another_schema_fails_alone(tmp_path: Path) -> None:
    found = built(tmp_path)
    assert list(failed(replace(found, table=found.table.drop_columns(["turns"])))) == ["schema"]


def test_quotes_are_eight_words_in_a_row() -> None:
    shown = runs(["One two three four five six seven eight nine.", "ten"])
    assert quoted("so: TWO, three four five six seven eight nine", shown)
    assert not quoted("two three four five six seven eight", shown)
    # Runs do not go from one text to the next.
    assert not quoted("three four five six seven eight nine ten", shown)


def test_traces_are_cut_out_and_nothing_else() -> None:
    traced = "Simulate the environment feedback. MUST reflect True State 'a 'b' . c' . -> Output: 1"
    assert without_traces(traced) == "Output: 1"
    assert without_traces("Try it (Red Herring), then go.") == "Try it, then go."
    for text in ("a -> b", "I must reflect. True State 'x' . -> y", "", "red herring soup"):
        assert without_traces(text) == text
