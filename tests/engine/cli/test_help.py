"""Help as people read it: panels, examples that work, -h everywhere, completion, versions."""

from __future__ import annotations

import importlib.metadata
import re
import shlex
from collections.abc import Iterator
from typing import Any

import pytest
import typer
from typer.testing import CliRunner

import otherminds
from otherminds import benchmark, harness, index, manifest
from otherminds.benchmark import Panel
from otherminds.cli import helps
from otherminds.cli import main as cli
from otherminds.cli.main import app
from performance.imports import HEAVY, loaded_by

WIDTH = 80
LINE = 62
"""Of 80 columns, what the longest command's name and the frame leave."""


def _leaves(command: Any, *path: str) -> Iterator[tuple[tuple[str, ...], Any]]:
    commands = getattr(command, "commands", None)
    if commands is None:
        yield path, command
        return
    for name in commands:
        yield from _leaves(commands[name], *path, name)


GROUP = typer.main.get_command(app)
LEAVES = dict(_leaves(GROUP))

# What an example leaves to its reader, and a choice of hers.
CHOSEN = {
    "TASK": "hugagent_bdu_synthetic",
    "GROUP": "hugagent_synthetic",
    "DATASET": "hugagent-synthetic",
}


def said(*words: str, width: int = WIDTH, **env: str) -> str:
    done = CliRunner().invoke(
        app, words, prog_name="otherminds", env={"COLUMNS": str(width), "TERM": "dumb", **env}
    )
    assert done.exit_code == 0, done.output
    return re.sub(r"\x1b\[[0-9;]*m", "", done.output)


def examples(path: tuple[str, ...]) -> list[str]:
    """As the help shows them, at a width at which all have room."""
    shown = [line.strip() for line in said(*path, "--help", width=300).splitlines()]
    return list(filter(None, shown[shown.index("Examples:") + 1 :])) if "Examples:" in shown else []


def contexts(words: list[str]) -> Any:
    """The context in which a command would be called with these words, which must be right."""
    context = GROUP.make_context("otherminds", words)
    while (command := context.command) and hasattr(command, "commands"):
        name, found, words = command.resolve_command(
            context, [*context._protected_args, *context.args]
        )
        context = found.make_context(name, words, parent=context)
    return context


@pytest.mark.parametrize("path", LEAVES, ids=" ".join)
def test_every_command_has_examples_that_it_takes(path: tuple[str, ...]) -> None:
    found = examples(path)
    assert found, f"`otherminds {' '.join(path)}` has no lines below 'Examples:' in its docstring."
    called = [line.split(">")[0] for line in found]
    # An example may show a step before it; one at least is of the command itself.
    assert any(line.startswith(f"otherminds {' '.join(path)}") for line in called)
    for line in called:
        program, *words = (CHOSEN.get(word, word) for word in shlex.split(line))
        assert program == "otherminds"
        context = contexts(words)
        if context.command.name == "run":
            tasks, flags = _run_words(context.args)
            manager = harness.task_manager()
            assert harness.resolve_names(manager, tasks)
            harness.parse_arguments(flags, default_model="majority")
        # With --all, the one word is the folder.
        if context.params.get("dataset") and not context.params.get("everything"):
            assert context.params["dataset"] in manifest.names()
        if context.command.name == "show":
            assert context.params["task"] in harness.task_manager().all_tasks


def _run_words(arguments: list[str]) -> tuple[list[str], list[str]]:
    first = next((n for n, word in enumerate(arguments) if word[0] == "-"), len(arguments))
    return arguments[:first], arguments[first:]


@pytest.mark.parametrize("path", LEAVES, ids=" ".join)
def test_examples_and_the_listed_line_are_not_broken_at_80_columns(path: tuple[str, ...]) -> None:
    shown = [one.rstrip() for one in said(*path, "--help").splitlines()]
    # As they stand, on a line of their own, to be copied.
    found = [f" {line}" for line in examples(path)]
    assert found
    assert {*found} <= {*shown}
    first = str(LEAVES[path].help).split("\n\n")[0]
    assert len(first.replace(r"\[", "[")) <= LINE, first


def test_the_help_is_grouped_by_what_a_person_wants() -> None:
    text = said("--help")
    places = [text.index(f"─ {panel.value} ─") for panel in Panel]
    assert places == sorted(places)
    assert "─ Commands ─" not in text
    # Each on one line, at the narrowest usual width.
    listed = re.findall(r"^│ ([a-z][a-z-]*) +\S.*│$", text, re.MULTILINE)
    assert tuple(listed) == cli.names()
    assert "bool" not in text


def test_every_command_takes_the_short_flag_of_help() -> None:
    for words in (["run"], ["leaderboard"], ["leaderboard", "verify"], ["annotate"]):
        assert said(*words, "-h") == said(*words, "--help")


def test_the_version_comes_with_those_it_depends_on() -> None:
    text = said("--version")
    assert text.startswith(f"otherminds {otherminds.__version__} (")
    assert f"lm-eval {importlib.metadata.version('lm_eval')}" in text


def test_a_run_lists_the_flags_that_it_takes_in_the_words_of_lm_eval() -> None:
    text = " ".join(re.sub("[│╭╰─╮╯]", " ", said("run", "--help")).split())
    flags = harness.run_flags()
    for flag in flags:
        assert all(name in text for name in flag.names)
        assert f"Flags of lm_eval run: {flag.group}" in text
    # Those that would do nothing here, or have a place of their own, are not listed.
    for name in ("--use_cache", "--cache_requests", "--tasks", "--log_samples", "--verbosity"):
        assert name not in text
    assert "(default: hf)" not in text
    names = {name for flag in flags for name in flag.names}
    assert {"--model", "--limit", "--gen_kwargs", "--metadata", "--batch_size"} <= names


def test_flags_that_are_not_taken_are_not_listed() -> None:
    from otherminds.harness.flags import _NOT_HERE

    assert not {f"--{name}" for name in _NOT_HERE} & {
        name for flag in harness.run_flags() for name in flag.names
    }


def completed(*words: str, incomplete: bool = False) -> list[str]:
    place = len(words) - 1 if incomplete else len(words)
    text = " ".join(words) if incomplete else f"{' '.join(words)} "
    env = {
        "COMP_WORDS": text,
        "COMP_CWORD": str(place),
        "_OTHERMINDS_COMPLETE": "complete_bash",
    }
    return said(**env).split()


def test_commands_tasks_datasets_and_flags_are_completed() -> None:
    assert completed("otherminds") == [*cli.names()]
    assert completed("otherminds", "run", "trust_game_round1", incomplete=True) == [
        *("trust_game_round1", "trust_game_round1_genagents"),
    ]
    assert completed("otherminds", "run", "x", "--apply_c", incomplete=True) == [
        "--apply_chat_template"
    ]
    # What follows a flag is no task.
    assert completed("otherminds", "run", "x", "--model", "hug", incomplete=True) == []
    assert completed("otherminds", "build", "trust", incomplete=True) == sorted(
        name for name in benchmark.datasets() if name.startswith("trust")
    )
    assert completed("otherminds", "leaderboard")[0] == "verify"
    assert completed("otherminds", "list", "hug", incomplete=True) == ["hugagent"]
    # Benchmarks and tags, which no file is named after, can be shown too.
    assert "socialmindchange" in completed("otherminds", "show", "socialmind", incomplete=True)
    tags = {name for name, one in index.entries().items() if one.kind == "tag"}
    assert tags & {*completed("otherminds", "show", "otherminds_", incomplete=True)}


def test_completion_is_light() -> None:
    env = {"COMP_CWORD": "2", "_OTHERMINDS_COMPLETE": "complete_bash"}
    [found] = loaded_by([""], COMP_WORDS="otherminds run hug", **env).values()
    assert "otherminds.cli.run" in found
    assert not found & {*HEAVY}


def test_a_docstring_is_filled_and_its_examples_are_not() -> None:
    text = """Wind [it] up.

    A long
    story.

    Examples:
        otherminds wind --turns 3   # twice

        otherminds wind '[a]'
    """
    assert helps.split(text) == (
        "Wind [it] up.\n\nA long story.",
        ["otherminds wind --turns 3   # twice", "otherminds wind '[a]'"],
    )
    assert helps.split("No more.") == ("No more.", [])
    assert helps.examples(["otherminds wind '[a]'"]).endswith(r"  otherminds wind '\[a]'")
