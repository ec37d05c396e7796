"""The commands as a user meets them: what they print, what they write, and how they fail."""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Mapping
from pathlib import Path

import pandas as pd
import pytest

from otherminds import analysis
from otherminds.analysis import printing
from otherminds.running.run import Finished
from tests.conftest import Command
from tests.engine.analysis.made import BDU, BOTH, BSI, DATE, letter, opinion, run_of, written

GOOD = [opinion("i1", "7", "7"), opinion("i2", "5", "5", participant_id="P2")]
OTHER = [opinion("i1", "7", "1"), opinion("i2", "5", "lol", participant_id="P2")]


def paths(models: Mapping[str, Finished], *names: str) -> list[Path]:
    return [path for name in names for path in models[name].sample_paths]


def unwrapped(text: str) -> str:
    return " ".join(text.split())


def test_score_prints_what_the_run_printed_and_writes_every_number(
    models: Mapping[str, Finished], command: Command, tmp_path: Path
) -> None:
    samples = paths(models, "random", "corrupted-oracle")
    short = command("otherminds", "score", *samples, cwd=tmp_path).stdout
    assert short.startswith(f"{BOTH}, ± SE")
    assert "reads the gold answers" in short
    assert "95 % interval" not in short
    done = command("otherminds", "score", *samples, "-o", "all.csv", "--details", cwd=tmp_path)
    for word in (
        *("composite ↑", "95 % interval", "chance", "By topic", "By category", "surveillance"),
        *("ok  documents: 1,426", "ok  prompts", "Answers that could not be read: 0 of 1,426"),
        *("reads the gold answers", "Written: all.csv"),
    ):
        assert word in done.stdout
    assert "NOT OK" not in done.stdout
    table = pd.read_csv(tmp_path / "all.csv").set_index(["model", "breakdown", "part", "metric"])
    for name in ("random", "corrupted-oracle"):
        printed = models[name].results["results"][BOTH]["composite,none"]
        assert table.loc[(name, "all", "all", "composite"), "value"] == pytest.approx(printed)
    assert "zoning" in table.index.get_level_values("part")


def test_compare_prints_groups_pairs_and_their_adjustment(
    models: Mapping[str, Finished], command: Command, tmp_path: Path
) -> None:
    samples = paths(models, "oracle", "corrupted-oracle", "random", "random (seed=2)")
    done = command(
        *("otherminds", "compare", *samples, "--metric", "composite", "--topic", "zoning"),
        *("--out", "pairs.json"),
        cwd=tmp_path,
    )
    for word in (
        *("shared items about 50 people", "p (Holm)", "MDE", "McNemar", "they are not"),
        *("oracle − corrupted-oracle", "80 % power"),
    ):
        assert word in unwrapped(done.stdout)
    assert "bsi_acc" not in done.stdout
    letters = {}
    for line in done.stdout.splitlines():
        name, _, rest = line.partition("  ")
        if name in ("oracle", "corrupted-oracle", "random", "random (seed=2)"):
            letters[name] = rest.split()[-1]
    assert letters["random"] == letters["random (seed=2)"]
    assert len(set(letters.values())) == 3
    rows = json.loads((tmp_path / "pairs.json").read_text())
    assert len(rows) == 6
    assert {row["task"] for row in rows} == {BOTH}


def test_programs_read_scores_with_their_checks_and_notes(
    models: Mapping[str, Finished], command: Command, tmp_path: Path
) -> None:
    samples = paths(models, "random", "corrupted-oracle")
    done = command("otherminds", "score", *samples, "--json", "-o", "all.json", cwd=tmp_path)
    found = json.loads(done.stdout)
    assert found["scores"] == json.loads((tmp_path / "all.json").read_text())
    assert done.stderr.endswith("Written: all.json\n")
    assert {one["passed"] for one in found["checks"]} == {True}
    assert {one["check"] for one in found["checks"]} >= {"documents", "prompts"}
    reads = {one["model"]: one["reads_gold"] for one in found["answers"]}
    assert reads == {"random": False, "corrupted-oracle": True}
    assert {(one["n"], one["unread"]) for one in found["answers"]} == {(1426, 0)}


@pytest.mark.slow
def test_programs_read_answers_that_could_not_be_read_and_numbers_that_there_are_not(
    cache: Path, command: Command, tmp_path: Path
) -> None:
    run_of(tmp_path / "in/a", GOOD, model="a")
    run_of(tmp_path / "in/b", OTHER, model="b")
    found = json.loads(command("otherminds", "score", "in", "--json", cwd=tmp_path).stdout)
    [other] = [one for one in found["answers"] if one["model"] == "b"]
    assert (other["n"], other["unread"]) == (2, 1)
    # They are not of the data, and so could not be checked against these.
    assert False in {one["passed"] for one in found["checks"]}
    told = json.loads(command("otherminds", "compare", "in", "--json", cwd=tmp_path).stdout)
    [one] = told["comparisons"]
    assert (one["task"], one["models"], one["n_items"]) == (BDU, ["a", "b"], 2)
    rows = {row["metric"]: row for row in one["pairs"]}
    assert rows["bdu_acc"]["value_a"] == one["values"]["bdu_acc"]["a"] == 1.0
    # a is right twice; b's 1 is not 7, and "lol" counts as wrong.
    assert rows["bdu_acc"]["value_b"] == 0.0
    assert {name for group in one["groups"]["bdu_acc"] for name in group} == {"a", "b"}


def test_a_comparison_of_what_is_not_comparable_names_the_way_out(
    little: Path, command: Command, tmp_path: Path
) -> None:
    run_of(tmp_path / "in/a", GOOD, model="a")
    run_of(tmp_path / "in/b", OTHER, model="b", chat_template_applied=True)
    refused = command("otherminds", "compare", "in", cwd=tmp_path, code=1)
    assert "a: not applied; b: applied" in unwrapped(refused.stderr)
    assert "--allow chat-template" in unwrapped(refused.stderr)
    allowed = command("otherminds", "compare", "in", "--allow", "chat-template", cwd=tmp_path)
    assert "that was allowed" in allowed.stdout
    assert "b is not compared by" not in allowed.stdout


def test_tasks_are_compared_one_by_one(little: Path, command: Command, tmp_path: Path) -> None:
    for model, said in (("a", "A"), ("b", "B")):
        run_of(tmp_path / model, GOOD, model=model)
        lines = [letter("i1", "A", said), letter("i2", "A", "A", participant_id="P2")]
        run_of(tmp_path / model, lines, model=model, task=BSI)
        # Both tasks of a model stand in one results file.
        beside = tmp_path / model / f"results_{DATE}.json"
        results = json.loads(beside.read_text())
        for block, value in (("results", {}), ("versions", 1.0), ("configs", {})):
            results[block] |= {BDU: value, BSI: value}
        beside.write_text(json.dumps(results))
    done = command("otherminds", "compare", "a", "b", "-o", "pairs.csv", cwd=tmp_path)
    assert f"{BDU}: 2 shared items" in done.stdout
    assert f"{BSI}: 2 shared items" in done.stdout
    assert set(pd.read_csv(tmp_path / "pairs.csv")["task"]) == {BDU, BSI}
    only = command("otherminds", "compare", f"a/samples_{BDU}_{DATE}.jsonl", "b", cwd=tmp_path)
    assert f"{BSI}:" not in only.stdout


def test_an_ensembles_vote_is_written_and_scored(
    little: Path, command: Command, tmp_path: Path
) -> None:
    for name, said in (("a", "7"), ("b", "7"), ("c", "1")):
        lines = [opinion("i1", "7", said), opinion("i2", "5", said, participant_id="P2")]
        run_of(tmp_path / "in" / name, lines, model=name)
    done = command("otherminds", "ensemble", "in", "-o", "out", cwd=tmp_path)
    for word in ("Members: a, b, c", "vote: the most frequent answer", "mean: every metric"):
        assert word in done.stdout
    [path] = (tmp_path / "out").rglob("samples_*.jsonl.zst")
    assert f"Written: {path.relative_to(tmp_path)}" in done.stdout
    scored = command("otherminds", "score", "out", "--no-check", cwd=tmp_path)
    assert "ensemble by vote of 3 models" in scored.stdout
    compared = command("otherminds", "compare", "out", "in/c", cwd=tmp_path)
    assert "2 shared items" in compared.stdout


def test_report_writes_a_folder(little: Path, command: Command, tmp_path: Path) -> None:
    pytest.importorskip("altair", reason="the extra 'report' is not installed")
    run_of(tmp_path / "in", GOOD)
    done = command("otherminds", "report", "in", "-o", "out", "--title", "Mine", cwd=tmp_path)
    assert "out/report.html" in done.stdout
    assert "<title>Mine" in (tmp_path / "out" / "report.html").read_text()
    # The page says what was found wrong, as the command does.
    assert "not in the data" in done.stdout
    assert "not in the data" in (tmp_path / "out" / "report.html").read_text()


def refused(
    command: Command, *words: str | Path, cwd: Path, code: int = 1
) -> subprocess.CompletedProcess[str]:
    done = command("otherminds", *words, cwd=cwd, code=code)
    assert "Traceback" not in done.stdout + done.stderr
    return done


def test_one_folder_of_accidents_is_scored_as_far_as_it_goes(
    little: Path, command: Command, tmp_path: Path
) -> None:
    folder = tmp_path / "in"
    run_of(folder / "good", GOOD, model="good")
    cut = run_of(folder / "cut", GOOD, model="cut")
    cut.write_bytes(cut.read_bytes()[:-30])
    run_of(folder / "lines", [*GOOD, {"filtered_resps": [["7"]]}, GOOD[0]], model="lines")
    run_of(folder / "newer", GOOD, model="newer", version=9.0)
    written(folder / "empty", [])
    (folder / "junk").mkdir()
    (folder / "junk" / f"samples_{BDU}_{DATE}.jsonl.zst").write_bytes(bytes(range(256)) * 40)
    written(folder / "foreign", [{"doc": {}}], task="gsm8k")
    broken = run_of(folder / "broken", GOOD, model="x")
    broken.with_name(f"results_{DATE}.json").write_text("{")
    run_of(folder / "twice", [GOOD[0], opinion("i9", "7", "7")], model="twice")
    done = refused(command, "score", "in", "--no-check", "-o", "all.csv", cwd=tmp_path, code=0)
    said = unwrapped(done.stdout)
    assert said.startswith("† broken, hugagent_bdu_synthetic: NOT OK results file: damaged")
    assert " broken † " in said
    name = f"samples_{BDU}_{DATE}.jsonl"
    for note in (
        f"in/cut/{name}, line 2 is cut off and was left out",
        f"in/lines/{name}, line 3 is not a sample of '{BDU}': doc: Field required",
        f"in/lines/{name}, line 4 repeats the document 'i1' and was left out",
        f"in/newer/{name} was left out: it is of version 9.0",
        f"in/empty/{name} has no samples",
        f"in/junk/{name}.zst",
        f"in/foreign/samples_gsm8k_{DATE}.jsonl was left out: 'gsm8k' is not a task",
        f"in/broken/results_{DATE}.json is damaged (no JSON from line 1 on)",
        "twice, hugagent_bdu_synthetic cannot be scored: Items 'i1' and 'i9'",
    ):
        assert note in said, note
    scored = set(pd.read_csv(tmp_path / "all.csv")["model"])
    assert scored == {"good", "cut", "lines", "broken"}


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["score", "nowhere"], "There is no file or folder nowhere."),
        (["score", "empty"], "has no samples; run the task again"),
        (["score", "twice"], "cannot be scored"),
        (["ensemble", "twice", "good"], "put the same question to the same person"),
        (["compare", "good"], "1 run is left to compare, and comparing takes two"),
        (["compare", "good", "more", "--metric", "bdu_ac"], "Did you mean 'bdu_acc'?"),
        (["compare", "good", "more", "--topic", "zonin"], "Did you mean 'zoning'?"),
        (["compare", "good", "letters"], "No two of these 2 runs are of one task"),
        (["score", "good", "-o", "all.txt"], "the name must end in .csv or .json"),
        (["compare", "good", "more", "-o", "file/all.csv"], "Cannot write"),
        (["ensemble", "good", "more", "-o", "file"], "Cannot write"),
        (["report", "good", "-o", "file"], "Cannot write"),
        (["report", "twice", "-o", "out"], "There is nothing to report."),
    ],
    ids=lambda value: "-".join(value) if isinstance(value, list) else "",
)
def test_errors_say_what_is_wrong_without_a_trace(
    words: list[str], message: str, little: Path, command: Command, tmp_path: Path
) -> None:
    (tmp_path / "file").write_text("in the way")
    written(tmp_path / "empty", [])
    twice = [GOOD[0], opinion("i9", "7", "7")]
    run_of(tmp_path / "twice", twice, model="twice")
    if words[0] == "ensemble" and "twice" in words:
        run_of(tmp_path / "good", twice, model="good")
    else:
        run_of(tmp_path / "good", GOOD, model="good")
    run_of(tmp_path / "more", OTHER, model="more")
    run_of(tmp_path / "letters", [letter("i1", "A", "A")], model="letters", task=BSI)
    done = refused(command, *words, cwd=tmp_path)
    assert message in unwrapped(done.stdout + " " + done.stderr)
    assert not (tmp_path / "out").exists()
    assert (tmp_path / "file").read_text() == "in the way"
    assert not list(tmp_path.rglob("*.partial"))


@pytest.mark.attack(
    "terminal markup in a model's name or answer",
    outcome="printed as text",
    against="pages",
)
def test_names_and_answers_are_printed_as_text(
    little: Path, command: Command, tmp_path: Path
) -> None:
    strange = [
        opinion("\\[/i]", "7", "[bold]\x1b[31m", topic="[/zoning]", participant_id="[/P]"),
        opinion("[/j]", "5", "5", topic="z[red]"),
    ]
    run_of(tmp_path / "a", strange, model="[a] [bold]x")
    run_of(tmp_path / "b", strange, model="[b")
    scored = command("otherminds", "score", "a", "--details", cwd=tmp_path)
    both = command("otherminds", "score", "a", "b", cwd=tmp_path).stdout
    assert all(
        any(line.startswith(name) for line in both.splitlines()) for name in ("[a] [bold]x", "[b")
    )
    for text in ("[a] [bold]x", "[/zoning]", "z[red]", "'[bold]\\x1b[31m'", "'[/j]'"):
        assert text in scored.stdout
    compared = command("otherminds", "compare", "a", "b", cwd=tmp_path)
    assert "[a] [bold]x − [b" in compared.stdout
    voted = command("otherminds", "ensemble", "a", "b", cwd=tmp_path)
    assert "Members: [a] [bold]x, [b" in voted.stdout


def test_notes_on_scores_are_text(
    little: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    for name in ("a", "b"):
        run_of(tmp_path / name, [opinion("i1", "7", "7")], model=name)
    found = analysis.score(analysis.read_runs([tmp_path / "a", tmp_path / "b"]))
    for one in found.scored:
        one.details["notes"] = ["of [/zoning] and [red]"]
    printing.print_scores(found)
    assert capsys.readouterr().out.count("• of [/zoning] and [red]\n") == 2
    printing.print_scores(found, details=True)
    assert capsys.readouterr().out.count("• of [/zoning] and [red]\n") == 2


def test_names_of_models_are_not_broken_in_their_words(
    little: Path, command: Command, tmp_path: Path
) -> None:
    names = [f"some-organisation/Model-{n}-70B-Instruct-Preview-Quantised" for n in "ABC"]
    lines = [opinion("i1", "7", "7"), opinion("i2", "3", "5", participant_id="P2")]
    for place, name in enumerate(names):
        run_of(tmp_path / str(place), lines, model=name)
    shown = command(
        *("otherminds", "compare", "0", "1", "2"), cwd=tmp_path, env={"COLUMNS": "80"}
    ).stdout
    assert "…" not in shown
    words = re.findall(r"[^\W\d_]{3,}", shown)
    # A line per model, and two names in each of three pairs, of every metric.
    assert words.count("Instruct") == words.count("Quantised") >= 3 + 2 * 3
