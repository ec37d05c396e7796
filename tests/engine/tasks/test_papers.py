"""docs/reference/papers.md: nothing that the papers print is missing, and every command runs."""

from __future__ import annotations

import json
import math
import re
import shlex
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

from otherminds.dataset_builders.debate import ddo
from tests.conftest import ROOT, Command
from tests.helpers import fictional_debates, fictional_hugagent, fictional_synchtom, small_builds
from tests.synchtom.tasks.test_synchtom import built

PAGE = ROOT / "docs" / "reference" / "papers.md"
WORDS = ("number", "protocol", "form", "not reproduced")

# How many tables and figures each paper has.
PRINTED = {
    "HugAgent": (21, 35),
    "SocialMindChange": (5, 22),
    "Debate beliefs": (6, 4),
    "Trust game": (9, 1),
    "SynchToM": (11, 6),
}
MODELS = {
    "HugAgent": ("random",),
    "SocialMindChange": ("random",),
    "Debate beliefs": ("random", "majority"),
    "Trust game": ("random",),
    "SynchToM": ("wrong-premise",),
}
"""Weightless models that stand in for `…`; two where a row needs several."""


@dataclass(frozen=True)
class Row:
    """One line of a table: what the paper prints, the commands, what they show, and the word."""

    paper: str
    printed: str
    commands: Sequence[str]
    shown: Sequence[str]
    compare: str

    @property
    def word(self) -> str:
        return re.split(r"[;:]", self.compare)[0].strip()


def rows() -> Iterator[Row]:
    paper = ""
    for line in PAGE.read_text(encoding="utf-8").splitlines():
        if line.startswith("## "):
            paper = line.removeprefix("## ")
        cells = [cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]]
        if len(cells) == 4 and cells[0].startswith(("Table", "Figure")):
            quoted = re.findall("`([^`]+)`", cells[2])
            commands = [one for one in quoted if one.startswith("otherminds")]
            shown = [one.removesuffix("…") for one in quoted if one not in commands]
            yield Row(paper, cells[0], commands, shown, cells[3])


ROWS = list(rows())
RUN = [row for row in ROWS if row.commands]


def numbers(printed: str) -> set[int]:
    """The numbers that "Tables 2, 8" or "Figures 1–3, 20" names."""
    found: set[int] = set()
    for first, last in re.findall(r"(\d+)(?:–(\d+))?", printed):
        found |= set(range(int(first), int(last or first) + 1))
    return found


@pytest.mark.parametrize("paper", PRINTED)
@pytest.mark.parametrize("kind", ["Table", "Figure"])
def test_all_that_a_paper_prints_is_on_the_page(paper: str, kind: str) -> None:
    count = PRINTED[paper][kind == "Figure"]
    # "Table 2, Figure 6" names both.
    parts = [
        part
        for row in ROWS
        if row.paper == paper
        for part in re.split("(?=Fig)|(?=Tab)", row.printed)
    ]
    named = set[int]().union(*(numbers(part) for part in parts if part.startswith(kind)))
    assert named == set(range(1, count + 1))


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row.paper}-{row.printed}")
def test_each_row_says_what_can_be_compared_and_invents_no_command(row: Row) -> None:
    assert row.word in WORDS
    assert bool(row.commands) == (row.word != "not reproduced")
    if row.word == "not reproduced":
        assert row.compare.removeprefix("not reproduced:").strip(), "the reason"


def test_what_a_paper_told_in_full_is_told_in_full() -> None:
    """By default, SynchToM masks what the paper's ablations told."""
    told = [one for row in ROWS for one in row.commands if "synchtom_ablations" in one]
    assert len(told) == 2
    for command in told:
        words = shlex.split(command)
        assert json.loads(words[words.index("--metadata") + 1])["given_form"] == "published"


STUDY = "socialmindchange-scale"
STAGES = {
    **small_builds.GENERATED[STUDY],
    "variants": {
        "group_5": {"stages": 1, "group_size": 5, "scenarios": 5},
        "group_6": {"stages": 1, "group_size": 6, "scenarios": 5},
        "length_6": {"stages": 1, "group_size": 4, "scenarios": 6},
        "length_7": {"stages": 1, "group_size": 4, "scenarios": 7},
    },
}
"""A few, and every variant."""

STAGES_OF_A_STUDY = {**small_builds.GENERATED[STUDY], "stages": 50, "lite": 50}
"""As many stages as a study takes by default."""


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Small data in place of all releases, and a clone of fictional people for the human track."""
    root = tmp_path_factory.mktemp("data")
    for dataset in small_builds.ALL:
        folder = tmp_path_factory.mktemp(dataset)
        match dataset:
            case "synchtom":
                made = built(folder)
            case "socialmindchange-scale":
                made = small_builds.write(dataset, folder, version="0.0.1", generator=STAGES)
            case _:
                made = small_builds.write(dataset, folder, version="0.0.1")
        made.rename(root / dataset)
    fictional_hugagent.write_clone(fictional_hugagent.sample(), root / "hugagent")
    return root


@pytest.fixture(scope="module")
def studied(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Stages for a study with people."""
    root = tmp_path_factory.mktemp("studied")
    made = small_builds.write(STUDY, root, version="0.0.1", generator=STAGES_OF_A_STUDY)
    made.rename(root / STUDY)
    return root


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A working folder with the files that a user hands in, under the page's names."""
    fictional_debates.write_corpus(tmp_path / "CORPUS", *fictional_debates.sample())
    fictional_synchtom.write(tmp_path / "SYNCHTOM", *fictional_synchtom.sample())
    retest = [
        "participant_id,topic,question_id,low,high,test,retest",
        *(f"P{n},zoning,{q},1,10,{n},{n + n % 2}" for n in (1, 2, 3) for q in ("1.1", "1.2")),
    ]
    (tmp_path / "TABLE.csv").write_text("\n".join(retest) + "\n", encoding="utf-8")
    survey = ["participant_id,1.1,2.1,3.1", *(f"S{n},{n % 9 + 1},{n % 5 + 1},3" for n in range(20))]
    (tmp_path / "SURVEY.csv").write_text("\n".join(survey) + "\n", encoding="utf-8")
    return tmp_path


@pytest.mark.slow
@pytest.mark.parametrize("row", RUN, ids=lambda row: f"{row.paper}-{row.printed}")
def test_commands_run(
    row: Row,
    folder: Path,
    cache: Path,
    command: Command,
    monkeypatch: pytest.MonkeyPatch,
    request: pytest.FixtureRequest,
) -> None:
    # The embedding model is large, and comes with an extra.
    monkeypatch.setattr(ddo, "sentence_bert", lambda model: fictional_debates.hashed)
    study = any(one.startswith("otherminds annotate") for one in row.commands)
    data = request.getfixturevalue("studied" if study else "data")
    env = {"OTHERMINDS_DATA": str(data), "OTHERMINDS_CACHE": str(cache)}
    printed = ""
    for written in row.commands:
        for model in MODELS[row.paper] if "…" in written else ("",):
            words = shlex.split(written.replace("…", f"--model {model}"))
            done = command(*_handed(words, folder), cwd=folder, env=env)
            assert done.stdout.strip()
            printed += done.stdout
    # Where the page names a table, a row of it, a plot or a column, that is what comes out.
    printed += "".join(path.relative_to(folder).as_posix() for path in folder.rglob("*"))
    printed += "".join(path.read_text() for path in folder.glob("OUT/README.md"))
    assert [one for one in row.shown if one not in printed] == []
    # A run that scored nothing would still print.
    asked = {task for words in row.commands if "…" in words for task in words.split()[2].split(",")}
    assert bool(_scored(folder)) == bool(asked)


def _handed(words: Sequence[str], folder: Path) -> Iterator[str]:
    """The words, with the sample file of a judge for each `JUDGED`."""
    for word in words:
        if word == "JUDGED":
            yield str(min((folder / "otherminds-results").rglob("samples_synchtom_judge_*.jsonl*")))
        else:
            yield word


def _scored(folder: Path) -> set[str]:
    """The tasks of which a run in the folder printed a number."""
    results = [json.loads(path.read_text()) for path in folder.rglob("results_*.json")]
    return {
        name
        for one in results
        for name, found in one["results"].items()
        if any(isinstance(value, float) and not math.isnan(value) for value in found.values())
    }
