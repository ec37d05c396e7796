"""Cards: rendered from manifest, tables and facts, and saying nothing that these do not."""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Callable
from pathlib import Path
from typing import Any

import datasets
import pyarrow as pa
import pytest
import yaml
from huggingface_hub import DatasetCard
from pydantic import ValidationError

from otherminds import harness, manifest, paths
from otherminds.data import hub
from otherminds.data.build import dataset as build
from otherminds.data.repository import card, card_facts
from otherminds.data.repository import write as repository
from otherminds.data.repository.card_facts import CardFacts
from otherminds.data.repository.card_tables import Tables
from otherminds.dataset_builders.debate import ddo, issues
from otherminds.errors import OtherMindsError
from otherminds.manifest import Manifest
from otherminds.publishing import card_check, card_text
from otherminds.publishing.card_parts import Card, read
from tests.engine.publishing.card_words import leaves, numbers, typed
from tests.helpers import small_builds

TEMPLATES = sorted(paths.cards().rglob(card.TEMPLATE))

Built = Callable[[str], Path]


@pytest.fixture(scope="module")
def entries() -> dict[str, harness.TaskEntry]:
    """All tasks and groups by name."""
    return {one.name: one for one in harness.entries(harness.task_manager())}


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Built:
    """A small repository of a dataset with its card, made once."""
    made: dict[str, Path] = {}

    def repository_of(dataset: str) -> Path:
        if dataset not in made:
            made[dataset] = small_builds.write(dataset, tmp_path_factory.mktemp(dataset))
        return made[dataset]

    return repository_of


def of(folder: Path) -> tuple[Manifest, dict[str, pa.Table]]:
    known = repository.manifest_of(folder)
    return known, {config: repository.read(folder, config) for config in known.configs}


def text_of(folder: Path) -> str:
    return (folder / "README.md").read_text(encoding="utf-8")


# What a card is


@pytest.mark.parametrize("dataset", small_builds.ALL)
def test_the_card_of_every_dataset_passes_its_own_check(small: Built, dataset: str) -> None:
    faults = [one for one in card_check.check(small(dataset)) if not one.passed]
    assert faults == []


@pytest.mark.parametrize("dataset", small_builds.ALL)
def test_the_hubs_own_library_reads_a_card_as_the_check_does(small: Built, dataset: str) -> None:
    ours, theirs = read(small(dataset)), DatasetCard.load(small(dataset) / "README.md")
    assert ours.head == {name: theirs.data[name] for name in ours.head}
    assert ours.body.strip() == theirs.text.strip()


def test_there_is_a_card_for_every_manifest() -> None:
    # The card of what is written through a pipeline is looked at where it is written.
    assert sorted((*small_builds.ALL, "hugagent", *small_builds.WRITTEN)) == manifest.names()


def test_data_that_are_not_passed_on_have_a_card_without_files() -> None:
    known = manifest.load("hugagent")
    text = card.render(known, {})
    head, body = text.removeprefix("---\n").split("\n---\n", 1)
    found = yaml.safe_load(head)
    assert "configs" not in found
    assert "dataset_info" not in found
    assert found["license"] == "cc-by-nc-4.0"
    assert "arxiv:2510.15144" in found["tags"]
    for rule in (card_text.sections, card_text.links, card_text.canary):
        assert list(rule(Card(Path("nowhere"), found, body))) == []
    for term in known.terms:
        assert term in body
    assert "load_dataset" not in body
    # BSI and the updates were asked again of different numbers of people.
    assert "14 days: 13 for `bsi_acc`, 10 for the measures of `bdu`" in body


@pytest.mark.parametrize("dataset", small_builds.ALL)
def test_every_configuration_loads_by_the_printed_command(
    small: Built, dataset: str, tmp_path: Path
) -> None:
    folder = small(dataset)
    known, tables = of(folder)
    printed = re.findall(r'load_dataset\("(.+?)", "(\w+)", split="(\w+)"', text_of(folder))
    wanted = hub.dataset_id(dataset) if card.where(known) == "hub" else dataset
    assert [(name, config) for name, config, _ in printed] == [(wanted, one) for one in tables]
    for _, config, split in printed:
        rows = datasets.load_dataset(str(folder), config, split=split, cache_dir=tmp_path)
        assert rows.num_rows == tables[config].num_rows


@pytest.mark.parametrize("dataset", [*small_builds.ALL, "hugagent"])
def test_every_task_that_a_card_names_exists_and_is_of_that_dataset(
    small: Built, entries: dict[str, harness.TaskEntry], dataset: str
) -> None:
    text = (
        card.render(manifest.load(dataset), {})
        if dataset == "hugagent"
        else text_of(small(dataset))
    )
    commands = re.findall(r"```bash\n(.*?)```", text, re.DOTALL)
    named = set(card_facts.load(dataset).tasks)
    for line in "".join(commands).replace("\\\n", " ").splitlines():
        words = shlex.split(line, comments=True)
        if words[:1] == ["lm_eval"]:
            named |= set(words[words.index("--tasks") + 1].split(","))
        if words[:2] == ["otherminds", "run"]:
            named.add(words[2])
        if "--metadata" in words:
            assert json.loads(words[words.index("--metadata") + 1]).keys() == {"data_source"}
    named |= set(re.findall(r"`otherminds (?:run|baselines) (\w+)", text))
    assert named
    for name in named:
        assert name in entries
        path = entries[name].path
        if entries[name].kind == "task" and path is not None:
            config = harness.load_yaml(path, resolve_functions=False)
            assert config["dataset_kwargs"]["dataset"] == dataset


def test_a_gate_is_in_the_head(small: Built) -> None:
    known = manifest.load("debate-beliefs-issues")
    assert known.gate is not None
    found = yaml.safe_load(text_of(small("debate-beliefs-issues")).split("\n---\n")[0])
    for term in known.terms:
        assert term in found["extra_gated_prompt"]
    assert "extra_gated_prompt" not in text_of(small("synchtom"))


# What a card says


@pytest.mark.parametrize("path", TEMPLATES, ids=lambda path: path.parent.name)
def test_no_number_is_typed_into_a_template(path: Path) -> None:
    assert typed(path.read_text(encoding="utf-8")) == []


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ("There are 500 people.", ["500"]),
        ("There are four people.", ["four"]),
        ("Hundreds of people.", ["Hundreds"]),
        ("Big Five levels and macro-F1 of five people.", ["five"]),
        ("{{ 500 | count }} people.", ["500"]),
        ("{{ '500 people' }}", ["'500 people'"]),
        ("{{ known.rows * 2 }}", ["2"]),
        ("{{ rows }}", ["rows"]),
        ("{% if known.rows > 9 %}many{% endif %}", ["9"]),
        ("{{ known.rows }} of `data_subset=50`, in `{{ facts.tasks[0] }}`", []),
        ("```bash\nlm_eval --limit 5\n```\n{{ known.measured['in_50'] }}", []),
        ("{% block evaluate %}\nlm_eval --limit 5\n{% endblock %}{# 5 #}", []),
    ],
)
def test_a_typed_number_is_seen_wherever_it_stands(source: str, found: list[str]) -> None:
    assert typed(source) == found


def stated_numbers(known: Manifest, tables: dict[str, pa.Table]) -> set[float]:
    """Every number of the manifest but for its prose, of card.yaml, and of the tables' lists."""
    prose = {"description", "citation", "title", "canary", "version"}
    found = set(leaves(known.model_dump(exclude=prose)))
    found |= set(leaves(card_facts.load(known.dataset).numbers))
    for table in tables.values():
        for field in table.schema:
            if pa.types.is_list(field.type):
                found |= {float(len(one)) for one in table[field.name].to_pylist() if one}
    return found


@pytest.mark.parametrize("dataset", [*small_builds.ALL, "hugagent"])
def test_the_manifests_own_prose_says_no_number_that_it_does_not_state(
    small: Built, dataset: str
) -> None:
    known = manifest.load(dataset)
    tables = {} if dataset == "hugagent" else of(small(dataset))[1]
    stated = stated_numbers(known, tables)
    for text in (known.description, *(one.description for one in known.configs.values())):
        assert numbers(text) <= stated, text


def test_prose_of_a_manifest_that_contradicts_it_is_seen(small: Built) -> None:
    known, tables = manifest.load("synchtom"), of(small("synchtom"))[1]
    # The sum of its criteria: 1,268 + 1,229 + 1,940.
    assert 4437.0 in numbers(known.description)
    changed = known.description.replace("4,437", "4,438")
    assert not numbers(changed) <= stated_numbers(known, tables)


def test_nothing_is_typed_twice_that_a_manifest_has() -> None:
    # Small numbers coincide by chance.
    for dataset in manifest.names():
        own = {one for one in leaves(card_facts.load(dataset).numbers) if one > 20}
        assert not own & set(leaves(manifest.load(dataset).model_dump())), dataset


def test_numbers_of_the_facts_are_those_of_the_code() -> None:
    numbers_of = {name: card_facts.load(name).numbers for name in manifest.names()}
    corpus = ddo.spec(manifest.load("debate-beliefs").parameters)
    stated = numbers_of["debate-beliefs"]
    assert stated["known_share"] == corpus.known_share
    assert stated["similarity"] == corpus.max_cosine
    assert stated["fewest_beliefs"] == corpus.min_beliefs
    stated = numbers_of["debate-beliefs-issues"]
    assert stated["issues"] == len(issues.issues())
    survey = issues.spec(manifest.load("debate-beliefs-issues").parameters)
    assert stated["known_share"] == survey.known_share
    configs = manifest.load("socialmindchange-codes").configs
    questions, stages = (configs[name].splits["test"] for name in ("questions", "stages"))
    assert numbers_of["socialmindchange-codes"]["siblings"] == questions / stages - 1


def test_the_card_says_how_far_one_gets_without_the_scenes(small: Built) -> None:
    text = " ".join(text_of(small("socialmindchange-codes")).split())
    assert "**This edition can be answered without following the scenes.** Students outside" in text
    for said in (
        "the 79 sibling questions",
        "answer 58.9 %",
        "and 89.8 % together",
        "answers 98.3 %",
    ):
        assert said in text


_COLUMNS = ("chance", "majority", "reader")


def test_the_released_card_shows_the_scores_of_the_manifest(cache: Path) -> None:
    """That they, and what audits find, are what a build gives is tested with the data (test_data.py)."""
    folder = cache / "hugagent-synthetic" / manifest.load("hugagent-synthetic").version
    known, tables = of(folder)
    text = card.render(known, tables)
    columns = [known.references[name].scores["all"]["bsi_acc"] for name in _COLUMNS]
    assert f"| all | `bsi_acc` | {' | '.join(f'{one:.4f}' for one in columns)} |" in text
    for table in tables.values():
        assert f"{table.num_rows:,}" in text


def test_scores_of_the_release_are_not_shown_beside_other_rows(small: Built) -> None:
    known, tables = of(small("hugagent-synthetic"))
    assert known.references
    assert not card.is_release(known)
    assert "| all | `bsi_acc` |" not in card.render(known, tables)
    released = known.model_copy(update={"configs": manifest.load(known.dataset).configs})
    text = card.render(released, tables)
    assert "| part | metric | chance | majority | reader |\n" in text
    assert "| all | `bsi_acc` |" in text
    # Tasks that ask something else have a table of their own, without columns of dashes.
    assert "| task | metric | reader | empty_graph | star_graph | random_graph |\n" in text
    reader = known.references["reader"].scores["task/hugagent_graph_synthetic"]["edge_f1"]
    assert f"| `hugagent_graph_synthetic` | `edge_f1` | {reader:.4f} | 0.0000 | " in text
    assert "subset_50" not in text.partition("## Reference Scores")[2].partition("\n## ")[0]


@pytest.mark.parametrize("dataset", manifest.names())
def test_the_changelog_begins_with_the_version(dataset: str) -> None:
    assert next(iter(card_facts.load(dataset).versions)) == manifest.load(dataset).version


def test_every_column_is_explained_and_no_other(small: Built) -> None:
    used: dict[str, set[str]] = {}
    for dataset in small_builds.ALL:
        columns = card_facts.load(dataset).columns
        found = {name for table in of(small(dataset))[1].values() for name in table.column_names}
        assert found <= set(columns), dataset
        owner = card_facts.read(paths.cards() / dataset / card_facts.NAME).columns_of or dataset
        used.setdefault(owner, set()).update(found)
    for owner, found in used.items():
        assert set(card_facts.load(owner).columns) == found


def test_the_same_tables_give_the_same_bytes(small: Built) -> None:
    known, tables = of(small("synchtom"))
    assert card.render(known, tables) == card.render(known, tables)


def test_a_built_repository_has_the_card(tmp_path: Path) -> None:
    folder = tmp_path / "out"
    build.build("trust-game-synthetic", folder)
    assert [one for one in card_check.check(folder) if not one.passed] == []


# Parts


def test_an_example_row_is_cut_sensibly() -> None:
    long = "word " * 100
    table = pa.table({"text": [long], "all": [[1, 2, 3, 4]], "deep": [{"some": ["a", "b"]}]})
    found: dict[str, Any] = json.loads(Tables({"one": table}).example("one"))
    # 160 characters are 32 words of five; the last blank is where the text is cut.
    assert found["text"] == " ".join(["word"] * 32) + " …"
    assert found["all"] == [1, 2, "… 2 more"]
    assert found["deep"] == {"some": ["a", "b"]}
    assert Tables({"one": table.slice(0, 0)}).example("one") == "{}"


def test_tables_count() -> None:
    table = pa.table(
        {
            "person": ["a", "a", "b"],
            "known": [3, 3, 4],
            "parts": [{"list": [1, 2]}, {"list": []}, {"list": [5]}],
        }
    )
    tables = Tables({"one": table})
    assert tables.rows("one") == 3
    assert tables.distinct("one", "person") == 2
    assert tables.counts("one", "person") == {"a": 2, "b": 1}
    assert tables.total("one", "known") == 10
    assert tables.total("one", "known", per="person") == 7
    assert tables.elements("one", "parts.list") == 3
    assert (tables.shortest("one", "parts.list"), tables.longest("one", "parts.list")) == (0, 2)
    assert dict(tables.columns("one")) == {
        "person": "string",
        "known": "int64",
        "parts": "{list}",
    }
    assert not Tables({})


def test_the_same_columns_are_listed_once() -> None:
    one, two = pa.table({"a": [1]}), pa.table({"a": [2, 3]})
    tables = Tables({"one": one, "two": two, "other": pa.table({"a": ["x"]})})
    assert [tables.twin(name) for name in ("one", "two", "other")] == [None, "one", None]


@pytest.mark.parametrize(
    ("rows", "category"),
    [
        (0, "n<1K"),
        (999, "n<1K"),
        (1_000, "1K<n<10K"),
        (116_640, "100K<n<1M"),
        (10**12 - 1, "100B<n<1T"),
        (10**12, "n>1T"),
    ],
)
def test_size_categories_are_the_hubs(rows: int, category: str) -> None:
    assert card.size_category(rows) == category


def test_filters_say_numbers_as_people_do() -> None:
    ask = card.environment().from_string
    assert ask("{{ 96000 | count }}").render() == "96,000"
    assert ask("{{ 4 | spelled }} and {{ 48 | spelled }}").render() == "four and 48"
    assert ask("{{ 0.0747 | percent }}, {{ 0.5919 | percent }}").render() == "7.5 %, 59 %"
    assert ask("{{ 0.0625 | score }}, {{ 50.319669 | score }}").render() == "0.0625, 50.32"


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (None, "Cannot read the content file"),
        ("tags: [", "not valid YAML"),
        ("tags: no list", "key 'task_categories'"),
    ],
)
def test_wrong_facts_are_one_line(tmp_path: Path, content: str | None, reason: str) -> None:
    path = tmp_path / "card.yaml"
    if content is not None:
        path.write_text(content, encoding="utf-8")
    with pytest.raises(OtherMindsError, match=reason):
        card_facts.read(path)


def test_columns_are_given_once() -> None:
    facts = card_facts.load("synchtom").model_dump()
    with pytest.raises(ValidationError, match="either columns or columns_of"):
        CardFacts.model_validate(facts | {"columns_of": "trust-game"})
