"""`list` and `show` of everything that has a name."""

from __future__ import annotations

import json
import re
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from otherminds import benchmark, errors, harness, index, manifest
from otherminds.cli import catalogue
from otherminds.errors import AccessNeededError, OtherMindsError
from tests.conftest import ROOT, Command

WIDTHS = [80, 120]
NARROW = [50, 60]
# Dumb terminals are as wide as 80, whatever is said of them.
TERMINAL = {"TTY_COMPATIBLE": "1", "TERM": "xterm", "NO_COLOR": "1"}


def listed(command: Command, folder: Path, *words: str, width: int = 80, code: int = 0) -> str:
    """What a file of it would hold; for a terminal, see `seen`."""
    done = command("otherminds", *words, cwd=folder, env={"COLUMNS": str(width)}, code=code)
    return done.stdout or done.stderr


def seen(command: Command, folder: Path, *words: str, width: int = 80, code: int = 0) -> str:
    """What a terminal shows, where text is filled."""
    env = {**TERMINAL, "COLUMNS": str(width)}
    done = command("otherminds", *words, cwd=folder, env=env, code=code)
    return done.stdout or done.stderr


def test_our_index_is_lm_evals() -> None:
    manager = harness.task_manager()
    theirs = manager.task_index
    ours = index.entries()
    assert {name: one.kind for name, one in ours.items()} == {
        name: entry.kind.name.lower() for name, entry in theirs.items()
    }
    for name, one in ours.items():
        assert sorted(index.tasks_of(name)) == sorted(harness.leaves(manager, [name]))
        if one.kind == "task":
            config = theirs[name].cfg
            assert one.content.keys() == config.keys()
            for part in ("dataset_kwargs", "metadata", "output_type", "generation_kwargs"):
                assert one.content.get(part) == config.get(part)


def test_a_file_that_cannot_be_read_is_left_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "tasks" / "hugagent"
    folder.mkdir(parents=True)
    (folder / "good.yaml").write_text("task: good\ntag: [some]\noutput_type: generate_until\n")
    for name, text in (("broken", "task: [\n"), ("list", "- task: x\n"), ("none", "a: 1\n")):
        (folder / f"{name}.yaml").write_text(text)
    (folder / "lost.yaml").write_text("include: _nowhere\ntask: lost\n")
    monkeypatch.setattr("otherminds.paths.task_files", lambda: sorted(folder.glob("*.yaml")))
    index.entries.cache_clear()
    try:
        assert [*index.entries()] == ["good", "some"]
    finally:
        index.entries.cache_clear()


def test_every_task_and_group_says_what_it_asks_in_a_line(
    caplog: pytest.LogCaptureFixture,
) -> None:
    for entry in index.entries().values():
        said = catalogue.asks(benchmark.named(entry.benchmark), entry)
        assert said, entry.name
        assert "\n" not in said
        assert len(said) < 110
    assert not caplog.records


def test_a_benchmark_that_does_not_say_it_is_listed_all_the_same(
    caplog: pytest.LogCaptureFixture,
) -> None:
    one, entry = benchmark.named("hugagent"), index.entries()["hugagent_synthetic"]
    title = manifest.load("hugagent-synthetic").title
    for asks in (None, "nowhere:line", "json:loads"):
        assert catalogue.asks(replace(one, asks=asks), entry) == title
    assert len(caplog.records) == 2
    group = index.entries()["debate_synthetic"]
    assert catalogue.asks(replace(one, asks=None), group).startswith("4 parts: debate_blind")


def test_tasks_that_differ_in_more_than_their_data_and_form_ask_something_else() -> None:
    told: dict[tuple[str, str], set[str]] = {}
    for entry in index.entries().values():
        if entry.kind == "task":
            said = catalogue.asks(benchmark.named(entry.benchmark), entry)
            told.setdefault((entry.benchmark, said), set()).add(entry.name)
    ends = re.compile(r"_(synthetic|issues|genagents|made|logprob|candidate\d)|candidate\d")
    for names in told.values():
        assert len({ends.sub("", name) for name in names}) == 1, names


def test_the_headline_is_what_the_readme_names() -> None:
    table = (ROOT / "README.md").read_text(encoding="utf-8").partition("## Run it")[0]
    named = set(re.findall(r"`([a-z_]+)`", table))
    headline = {name for one in benchmark.every() for name in one.headline}
    assert named <= headline <= index.entries().keys()


@pytest.mark.parametrize("width", WIDTHS)
def test_the_list_is_short_and_breaks_no_name(width: int, command: Command, tmp_path: Path) -> None:
    shown = listed(command, tmp_path, "list", width=width)
    lines = shown.splitlines()
    assert len(lines) < 80
    assert "…" not in re.sub(r"  … and", "", shown)
    for one in benchmark.every():
        assert f"otherminds list {one.name}`" in shown
        for name in one.headline:
            assert re.search(rf"^  {name} ", shown, re.MULTILINE)


@pytest.mark.parametrize("width", WIDTHS)
def test_a_benchmarks_list_has_all_of_it(width: int, command: Command, tmp_path: Path) -> None:
    for one in benchmark.every():
        shown = seen(command, tmp_path, "list", one.name, width=width)
        for entry in index.of_benchmark(one.name):
            assert re.search(rf"(^|\s){entry.name}(\s|$)", shown, re.MULTILINE), entry.name
        assert max(map(len, shown.splitlines())) <= width


@pytest.mark.parametrize("width", NARROW)
@pytest.mark.parametrize(
    "words",
    [
        ("list",),
        *(("list", one.name) for one in benchmark.every()),
        ("list", "--datasets"),
        ("show", "debate_synthetic"),
    ],
    ids=" ".join,
)
def test_nothing_is_cut_in_a_narrow_terminal(
    words: tuple[str, ...], width: int, cache: Path, command: Command, tmp_path: Path
) -> None:
    narrow = seen(command, tmp_path, *words, width=width).partition(" System ")[0]
    wide = seen(command, tmp_path, *words, width=300).partition(" System ")[0]
    assert "…" not in narrow.replace("  … and ", "")
    # Every word is there, and whole: of commands alone none may be broken, and they are no longer.
    assert sorted(words_of(narrow)) == sorted(words_of(wide))
    assert max(map(len, narrow.splitlines())) <= width


def words_of(text: str) -> set[str]:
    """The words, without lines and with no headings: below each other, cells have one each."""
    return {word.rstrip(":") for word in text.split() if set(word) != {"─"}} - HEADINGS


HEADINGS = {"Group", "Task", "Asks", "Part", "Dataset"}


def test_the_prompt_of_a_group_is_named_in_whole(
    cache: Path, command: Command, tmp_path: Path
) -> None:
    shown = seen(command, tmp_path, "show", "debate_synthetic", width=50)
    assert "Prompt of document 0 of debate_blind_synthetic\n(" in shown


def test_lists_as_json(command: Command, tmp_path: Path) -> None:
    found = json.loads(listed(command, tmp_path, "list", "--json"))
    assert {one["name"] for one in found} == index.entries().keys()
    [row] = [one for one in found if one["name"] == "debate_synthetic"]
    assert row["kind"] == "group"
    assert row["headline"]
    assert row["datasets"] == ["debate-beliefs-synthetic"]
    assert len(row["parts"]) == 4
    of_one = json.loads(listed(command, tmp_path, "list", "synchtom", "--json"))
    assert {one["benchmark"] for one in of_one} == {"synchtom"}
    datasets = json.loads(listed(command, tmp_path, "list", "--datasets", "--json"))
    assert [one["name"] for one in datasets] == manifest.names()
    own = json.loads(listed(command, tmp_path, "list", "trust_game", "--datasets", "--json"))
    assert {one["name"] for one in own} == {*benchmark.named("trust_game").datasets}
    models = json.loads(listed(command, tmp_path, "list", "--models", "--json"))
    assert {"random", "oracle"} <= models["weightless"].keys()
    assert "vllm" in models["lm_eval"]


@pytest.mark.parametrize(
    ("name", "kind"), [("debate_synthetic", "group"), ("debate_both_synthetic", "task")]
)
def test_a_name_that_is_no_benchmarks_is_shown_elsewhere(
    name: str, kind: str, command: Command, tmp_path: Path
) -> None:
    said = listed(command, tmp_path, "list", name, code=1)
    assert said == f"Error: '{name}' is a {kind} of debate: `otherminds show {name}`\n"


def test_a_document_that_there_is_not_is_refused_before_anything_is_printed(
    cache: Path, command: Command, tmp_path: Path
) -> None:
    words = ("otherminds", "show", "debate_synthetic", "--item", "999999")
    done = command(*words, cwd=tmp_path, code=1)
    assert done.stdout == ""
    assert "--item goes from 0 to" in done.stderr


@pytest.mark.parametrize("name", ["hugagent", "synchtom", "hugagent_synthetic"])
def test_sentences_are_filled_on_a_terminal(
    name: str, cache: Path, command: Command, tmp_path: Path
) -> None:
    said = seen(command, tmp_path, "show", name, width=80)
    # Prompts stand as they are sent.
    ours = said.partition(" System ")[0].partition(" Prompt of ")[0]
    # What has no blank in it may be longer.
    assert all(len(line) <= 80 or " " not in line.strip() for line in ours.splitlines())
    assert len(ours.splitlines()) > 10


def test_unknown_names_name_the_nearest(command: Command, tmp_path: Path) -> None:
    assert "Did you mean 'hugagent'" in listed(command, tmp_path, "list", "hugagnet", code=1)
    assert "Did you mean 'trust_game'" in listed(command, tmp_path, "show", "trust_gmae", code=1)


@pytest.mark.parametrize("name", ["trust_game", "debate_synthetic", "hugagent_ablations_synthetic"])
def test_a_group_shows_its_parts_and_a_prompt(
    name: str, cache: Path, command: Command, tmp_path: Path
) -> None:
    shown = listed(command, tmp_path, "show", name)
    entry = index.entries()[name]
    for part in entry.parts:
        assert re.search(rf"^  {part} ", shown, re.MULTILINE)
    assert f"Asks: {catalogue.asks(benchmark.named(entry.benchmark), entry)}" in shown
    assert f"Prompt of document 0 of {entry.parts[0]}" in " ".join(shown.split())
    assert "Gold answer" in shown
    assert f"`otherminds run {name}`" in shown


def test_every_group_tag_and_benchmark_can_be_shown(
    cache: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    # Prompts take data; that they are shown is another test.
    from otherminds.cli import showing

    monkeypatch.setattr(showing, "_prompt", lambda *_: lambda: None)
    groups = [one.name for one in index.entries().values() if one.kind != "task"]
    for name in groups:
        showing.print_named(name, 0, {})
        assert index.entries()[name].parts[0] in capsys.readouterr().out


def test_a_benchmark_whose_name_is_no_task_shows_its_headline(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    from otherminds.cli import showing

    others = {name: one for name, one in index.entries().items() if name != "trust_game"}
    monkeypatch.setattr(index, "entries", lambda: others)
    monkeypatch.setattr(showing, "_prompt", lambda *_: lambda: None)
    showing.print_named("trust_game", 0, {})
    shown = capsys.readouterr().out
    assert "Does a role-playing model act" in shown
    assert "trust_game_population" in shown
    assert "`otherminds list trust_game`" in shown


def test_a_task_lists_its_keys(cache: Path, command: Command, tmp_path: Path) -> None:
    shown = listed(command, tmp_path, "show", "trust_game_population")
    for key in ("data_source", "personas", "endowment", "ranking_form"):
        assert re.search(rf"^ {key} ", shown, re.MULTILINE)
    assert "data_subset" not in shown
    assert "descending or ascending" in " ".join(shown.split())


# Data that are not here


def test_what_runs_without_is_of_the_same_benchmark_and_needs_nothing() -> None:
    named = {}
    for name in manifest.names():
        known = manifest.load(name)
        without = (known.access and known.access.without_access) or (
            known.handed and known.handed.without_it
        )
        if without:
            named[name] = without
            entry = index.entries()[without]
            assert entry.benchmark == benchmark.of_dataset(name).name
            assert manifest.load(entry.content["dataset_kwargs"]["dataset"]).generated
    assert {"hugagent", "debate-beliefs", "trust-game"} <= named.keys()


def test_missing_data_are_numbered_steps(command: Command, tmp_path: Path) -> None:
    [revision] = {one.revision for one in manifest.load("synchtom").sources if one.revision}
    for words in (("run", "synchtom"), ("show", "synchtom"), ("build", "synchtom", "out")):
        done = command("otherminds", *words, cwd=tmp_path, code=0 if words[0] == "show" else 1)
        said = done.stdout + done.stderr
        assert "\n  1. Run `git clone https://github.com/THUNLP-MT/SynchToM` and `git" in said
        assert f" checkout {revision}`.\n  2. " in said
        assert "No task of this benchmark runs without it." in said
        assert "\n  3. " in said
        assert "Without them" not in said
        assert "Traceback" not in said


@pytest.mark.parametrize(
    ("program", "level", "is_spared"),
    [
        ("/env/bin/lm_eval", "", True),
        ("/env/bin/lm-eval", "INFO", True),
        ("/lib/lm_eval/__main__.py", "", True),
        ("/env/bin/lm_eval", "debug", False),
        ("/env/bin/pytest", "", False),
    ],
)
def test_plain_lm_eval_ends_without_a_trace(
    program: str,
    level: str,
    is_spared: bool,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    passed_on: list[BaseException | None] = []

    def hook(kind: object, error: BaseException | None, trace: object) -> None:
        passed_on.append(error)

    monkeypatch.setattr(sys, "excepthook", hook)
    monkeypatch.setattr(sys, "argv", [program])
    monkeypatch.setenv("LMEVAL_LOG_LEVEL", level)
    errors.spare_traces_in_lm_eval()
    ours = AccessNeededError("No data.", steps=("Ask.", "Wait."), instead="other")
    sys.excepthook(type(ours), ours, None)
    assert bool(passed_on) != is_spared
    said = (
        "Error: No data.\nTo get them:\n  1. Ask.\n  2. Wait.\nWithout them, run the task other.\n"
    )
    assert capsys.readouterr().err == (said if is_spared else "")
    others = ValueError("x")
    sys.excepthook(ValueError, others, None)
    assert passed_on[-1] is others
    assert isinstance(ours, OtherMindsError)
