"""Commands that benchmarks add: where they are listed, when they are imported, and what is refused."""

from __future__ import annotations

import sys
import types
from collections.abc import Callable, Iterator

import pytest
import typer
from typer.testing import CliRunner

from otherminds import benchmark
from otherminds.benchmark import Benchmark, Command, Panel
from otherminds.cli import doctor
from otherminds.cli import main as cli
from otherminds.cli.main import app
from otherminds.errors import OtherMindsError
from performance.imports import loaded_by

TOY = Benchmark(
    name="toy",
    datasets=("toy",),
    person="who",
    helps={"build --titles": "Of toys, none.", "run examples": "otherminds run toy_one"},
    commands={
        "wind": Command("toy_commands:wind", after="score"),
        "unwind": Command("toy_commands:unwind", after="score"),
        "bend": Command("toy_commands:nothing_of_the_kind"),
        "ship": Command("toy_commands:wind", after="score", panel=Panel.PUBLISH),
        "run": Command("toy_commands:wind"),
        "ceiling": Command("toy_commands:wind"),
    },
)


@pytest.fixture
def toy(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A benchmark of another package beside ours."""
    module = types.ModuleType("toy_commands")
    source = '''
import typer

def wind(turns: int):
    """Wind it up."""
    typer.echo(f"wound {turns} times")

unwind = typer.Typer(add_completion=False, help="Let it run down.")

@unwind.command()
def slowly():
    """In its own time."""

@unwind.command()
def at_once():
    """With a bang."""
    typer.echo("bang")
'''
    exec(source, module.__dict__)
    monkeypatch.setitem(sys.modules, "toy_commands", module)
    ours = benchmark.every()
    monkeypatch.setattr(benchmark, "every", lambda: (*ours, TOY))
    remembered: tuple[Callable[[], None], ...] = (
        cli.panels.cache_clear,
        cli._of_benchmarks.cache_clear,
    )
    for forget in remembered:
        forget()
    yield
    for forget in remembered:
        forget()


def run(*words: str) -> str:
    done = CliRunner().invoke(app, words)
    if done.exception is not None and not isinstance(done.exception, SystemExit):
        raise done.exception
    return done.output


@pytest.mark.usefixtures("toy")
def test_commands_are_listed_after_the_one_that_they_name() -> None:
    names = [*cli.names()]
    place = names.index("score")
    assert names[place : place + 4] == ["score", "wind", "unwind", "compare"]
    # Without a panel of its own, it stands where the command that it names does, or among the studies.
    assert names[-1] == "bend"
    panels = cli.panels()
    assert [panels[one] for one in ("wind", "bend", "ship")] == [
        *(Panel.COMPARE, Panel.STUDIES, Panel.PUBLISH)
    ]
    assert names[names.index("ship") - 1] == "redact"
    assert len(names) == len({*names})
    listed = run("--help")
    assert "Wind it up." in listed
    assert "Let it run down." in listed


@pytest.mark.usefixtures("toy")
def test_a_command_is_a_function_or_a_typer_app() -> None:
    assert run("wind", "3") == "wound 3 times\n"
    assert run("unwind", "at-once") == "bang\n"


@pytest.mark.attack(
    "an installed package that takes over a command",
    outcome="its owner keeps the name; `doctor` says so",
    against="supply chain",
)
@pytest.mark.usefixtures("toy")
def test_a_name_that_is_taken_stays_with_its_owner_and_the_doctor_says_so() -> None:
    assert "Evaluate a model on tasks" in run("run", "--help")
    assert "the human ceiling" in run("ceiling", "--help")
    said = [fault.reason for fault in cli.faults()]
    assert [line for line in said if "'run' of the benchmark 'toy'" in line] == [
        "The command 'run' of the benchmark 'toy' is left out, because otherminds itself has one of "
        "that name; rename it."
    ]
    assert any("the benchmark 'hugagent' has one of that name" in line for line in said)
    faults = {one.subject: one.detail for one in doctor.benchmarks() if not one.passed}
    assert {"benchmark run", "benchmark ceiling", "benchmark bend"} == {*faults}


@pytest.mark.usefixtures("toy")
def test_a_command_that_fails_to_load_says_so_and_the_others_work() -> None:
    assert "cannot be used" in run("--help")
    with pytest.raises(
        OtherMindsError, match=r"'bend' cannot be used: toy_commands:nothing_of_the"
    ):
        run("bend", "--hard")
    assert run("wind", "1") == "wound 1 times\n"


@pytest.mark.usefixtures("toy")
def test_a_benchmark_gives_examples_of_a_command_and_means_something_by_an_option() -> None:
    assert "\n otherminds run toy_one" in run("run", "--help")
    assert cli.said("build --titles").endswith(" Of toys, none.")
    assert cli.said("build --nonesuch") == ""


def test_no_two_of_our_benchmarks_have_a_command_of_one_name() -> None:
    assert cli.faults() == []


def test_a_command_of_the_engine_imports_no_benchmark_and_no_other_command() -> None:
    by_command = loaded_by(["score --help", "run --help"])
    found = {name for name in by_command["score --help"] if name.startswith("otherminds.")}
    assert {name for name in found if name.startswith("otherminds.cli.")} == {
        *("otherminds.cli.main", "otherminds.cli.samples"),
        # Of all of them.
        *("otherminds.cli.completions", "otherminds.cli.helps", "otherminds.cli.usage"),
    }
    assert not {name for name in found if name.startswith("otherminds.tasks")}
    # Benchmarks give examples of it: their objects, and nothing that those refer to.
    found = {name for name in by_command["run --help"] if name.startswith("otherminds.tasks.")}
    ours = {f"otherminds.tasks.{one.name}" for one in benchmark.every()}
    assert found == ours | {f"{name}.benchmark" for name in ours}


def test_help_counts_as_typer_takes_it() -> None:
    group = typer.main.get_command(app)
    assert isinstance(group, cli.Commands)
    assert len(group.commands) == len(cli.names())


def test_a_panel_that_there_is_not_is_refused_where_it_is_written() -> None:
    with pytest.raises(TypeError, match="panel is a Panel or None, not 'Studies'"):
        Command("toy_commands:wind", panel="Studies")  # type: ignore[arg-type]
