"""Which benchmarks are found, and what becomes of those of others that cannot be used."""

from __future__ import annotations

import logging
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from otherminds import benchmark, manifest, paths
from otherminds.errors import OtherMindsError
from otherminds.running import link

OURS = ["debate", "hugagent", "socialmindchange", "synchtom", "trust_game"]

GOOD = """
from otherminds.benchmark import Benchmark

BENCHMARK = Benchmark(name="chess", datasets=(), person="player")
"""

Install = Callable[..., Path]


@pytest.fixture
def install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Install]:
    """Make a package with a benchmark and its entry point, as an installer would."""
    monkeypatch.syspath_prepend(str(tmp_path))

    def make(
        code: str, *, name: str = "chess", package: str = "chess_minds", point: str = ""
    ) -> Path:
        folder = tmp_path / package / "tasks" / name
        folder.mkdir(parents=True)
        for place in (tmp_path / package, folder.parent, folder):
            (place / "__init__.py").touch()
        (folder / "benchmark.py").write_text(code, encoding="utf-8")
        facts = tmp_path / f"{package}-1.dist-info"
        facts.mkdir()
        (facts / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {package}\nVersion: 1\n")
        target = point or f"{package}.tasks.{name}.benchmark:BENCHMARK"
        (facts / "entry_points.txt").write_text(f"[{paths.ENTRY_POINTS}]\n{name} = {target}\n")
        _forget()
        return tmp_path / package

    before = set(sys.modules)
    yield make
    for added in set(sys.modules) - before:
        if added.startswith(("chess_minds", "other_minds")):
            del sys.modules[added]
    monkeypatch.undo()
    _forget()


def _forget() -> None:
    paths._found.cache_clear()
    paths._folder_of.cache_clear()
    benchmark.named.cache_clear()
    benchmark.every.cache_clear()
    manifest.load.cache_clear()


def test_ours_are_found_and_own_just_their_datasets() -> None:
    assert [one.name for one in benchmark.every()] == OURS
    owned = [dataset for one in benchmark.every() for dataset in one.datasets]
    assert sorted(owned) == manifest.names()
    assert {
        dataset: benchmark.of_dataset(dataset).datasets.count(dataset) for dataset in owned
    } == (dict.fromkeys(owned, 1))
    assert benchmark.faults() == []


def test_every_reference_of_ours_names_something() -> None:
    for one in benchmark.every():
        for name, value in vars(one).items():
            if isinstance(value, str) and value.startswith("otherminds."):
                assert benchmark.resolve(value) is not None, name
        for reference in one.switches.values():
            assert callable(benchmark.resolve(reference))


def test_a_benchmark_of_another_package_is_found_after_ours(install: Install) -> None:
    package = install(GOOD)
    (package / "templates").mkdir()
    assert [one.name for one in benchmark.every()] == [*OURS, "chess"]
    assert benchmark.faults() == []
    assert paths.template_folders()[1:] == [package / "templates"]
    assert paths.task_folders()[1:] == [package / "tasks"]


@pytest.mark.parametrize(
    ("code", "reason"),
    [
        pytest.param("raise RuntimeError('no board')", "RuntimeError: no board", id="raises"),
        pytest.param("raise ValueError('no\\nboard')", "ValueError: no", id="says much"),
        pytest.param("raise SystemExit(3)", "SystemExit: 3", id="ends the process"),
        pytest.param("import nowhere", "No module named 'nowhere'", id="imports what is missing"),
        pytest.param("BENCHMARK = (", "SyntaxError", id="is no Python"),
        pytest.param("", "has no attribute 'BENCHMARK'", id="defines nothing"),
        pytest.param(GOOD.replace(', person="player"', ""), "'person'", id="misses a field"),
        pytest.param(GOOD.replace("person=", "persons="), "'persons'", id="an unknown field"),
        pytest.param("BENCHMARK = 'chess'", "is not an otherminds.benchmark", id="another type"),
        pytest.param(
            GOOD.replace("person=", "commands={'x': 'a:b'}, person="),
            "commands of BENCHMARK in chess_minds.tasks.chess.benchmark must be of type",
            id="a field of another type",
        ),
        pytest.param(
            GOOD.replace('name="chess"', 'name="go"'), "calls itself 'go'", id="another name"
        ),
    ],
)
def test_one_that_cannot_be_used_is_named_in_one_line_and_the_others_work(
    install: Install, caplog: pytest.LogCaptureFixture, code: str, reason: str
) -> None:
    install(code)
    with caplog.at_level(logging.WARNING):
        assert [one.name for one in benchmark.every()] == OURS
    assert "chess" in caplog.text
    assert reason in caplog.text
    [fault] = benchmark.faults()
    assert fault.where == "chess"
    assert reason in fault.reason
    assert "\n" not in fault.reason
    with pytest.raises(OtherMindsError, match=r"chess_minds\.tasks\.chess\.benchmark"):
        benchmark.named("chess")


@pytest.mark.parametrize(
    ("said", "reason"),
    [
        pytest.param("dataset: [", "not valid YAML", id="no YAML"),
        pytest.param("dataset: chess\n", "title", id="misses a field"),
        pytest.param("dataset: sch\xe4ch", "not valid YAML", id="not UTF-8"),
        pytest.param(None, "Unknown dataset 'chess'", id="no manifest"),
        pytest.param("{own}", "not 'chess.…'", id="the builder of another benchmark"),
    ],
)
def test_one_with_an_unsound_manifest_leaves_the_others_in_use(
    install: Install, said: str | None, reason: str
) -> None:
    package = install(GOOD.replace("datasets=()", 'datasets=("chess",)'))
    card = package / "cards" / "chess"
    card.mkdir(parents=True)
    if said is not None:
        own = paths.card("synchtom").joinpath("manifest.yaml").read_text(encoding="utf-8")
        text = own.replace("dataset: synchtom", "dataset: chess") if said == "{own}" else said
        (card / "manifest.yaml").write_text(text, encoding="latin-1" if "\xe4" in text else "utf-8")
    _forget()
    assert [one.name for one in benchmark.every()] == OURS
    assert "chess" not in benchmark.datasets()
    [fault] = benchmark.faults()
    assert reason in fault.reason


@pytest.mark.parametrize(
    ("made", "reason"),
    [
        pytest.param({"name": "debate"}, "takes the name", id="a name that we have"),
        pytest.param({"point": "chess_minds.play:BENCHMARK"}, "must read chess = ", id="elsewhere"),
        pytest.param(
            {"point": "nowhere.tasks.chess.benchmark:BENCHMARK"}, "reinstall", id="nowhere"
        ),
    ],
)
def test_an_entry_point_that_does_not_fit_is_left_out_and_named(
    install: Install, made: dict[str, str], reason: str
) -> None:
    install(GOOD, **made)
    assert [one.name for one in benchmark.every()] == OURS
    [fault] = benchmark.faults()
    assert reason in fault.reason


@pytest.mark.attack(
    "an installed package that takes over a dataset or task of ours",
    outcome="left out and named; ours is used",
    against="supply chain",
)
def test_a_dataset_that_exists_is_not_taken_over(install: Install) -> None:
    package = install(GOOD)
    taken = package / "cards" / "synchtom"
    taken.mkdir(parents=True)
    (taken / "manifest.yaml").write_text("dataset: synchtom\n", encoding="utf-8")
    _forget()
    assert [one.name for one in benchmark.every()] == OURS
    [fault] = benchmark.faults()
    assert "'synchtom'" in fault.reason
    assert manifest.load("synchtom").title == "SynchToM"


def test_references_that_name_nothing_are_named_and_the_others_work(
    install: Install, caplog: pytest.LogCaptureFixture
) -> None:
    broken = "ablations='chess_minds.nowhere:X', fallback='chess_minds:x', person="
    known = benchmark.parameters()
    install(GOOD.replace("person=", broken))
    assert [one.name for one in benchmark.every()] == [*OURS, "chess"]
    with caplog.at_level(logging.WARNING):
        assert benchmark.parameters() == known
    assert "names chess_minds.nowhere:X, which fails: ModuleNotFoundError" in caplog.text
    assert [fault.where for fault in benchmark.faults()] == ["chess", "chess"]


def test_a_package_may_have_two_benchmarks(install: Install, tmp_path: Path) -> None:
    package = install(GOOD)
    other = package / "tasks" / "go"
    other.mkdir()
    (other / "__init__.py").touch()
    (other / "benchmark.py").write_text(GOOD.replace('"chess"', '"go"'), encoding="utf-8")
    points = tmp_path / "chess_minds-1.dist-info" / "entry_points.txt"
    line = "go = chess_minds.tasks.go.benchmark:BENCHMARK\n"
    points.write_text(points.read_text(encoding="utf-8") + line, encoding="utf-8")
    (package / "cards" / "openings").mkdir(parents=True)
    (package / "cards" / "openings" / "manifest.yaml").write_text("dataset: openings\n")
    _forget()
    assert [one.name for one in benchmark.every()] == [*OURS, "chess", "go"]
    assert benchmark.faults() == []


@pytest.mark.attack(
    "an installed package that takes over a dataset or task of ours",
    outcome="left out and named; ours is used",
    against="supply chain",
)
def test_a_link_never_leads_to_anothers_task_in_place_of_ours(install: Install) -> None:
    package = install(GOOD)
    name = "hugagent_synthetic.yaml"
    (package / "tasks" / "chess" / name).write_text("task: hugagent_synthetic\n")
    (package / "tasks" / "chess" / "chess_move.yaml").write_text("task: chess_move\n")
    stubs = link._stubs()
    assert str(paths.tasks()) in stubs[name]
    assert str(package) in stubs["chess_move.yaml"]
