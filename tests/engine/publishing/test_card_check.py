"""The card checker: a good card passes, each fault is found, and nothing else is reported."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import yaml
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from otherminds import manifest
from otherminds.checks import Finding
from otherminds.data.build import dataset as build
from otherminds.data.repository import write as repository
from otherminds.dataset_builders.trust_game import synthetic
from otherminds.publishing import card_check
from tests.conftest import Command

DATASET = "trust-game-synthetic"
CONFIG = "personas"
PARQUET = f"data/{CONFIG}/test-00000-of-00001.parquet"

Head = dict[str, Any]


@pytest.fixture(scope="module")
def good(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A repository whose card has no fault."""
    parameters = {"personas": 900, "seed": 3, "levels": "paper"}
    tables = synthetic.build(synthetic.spec(parameters))
    known = manifest.load(DATASET)
    known = known.model_copy(
        update={"generator": parameters, "configs": build.described(known, tables)}
    )
    folder = tmp_path_factory.mktemp("good")
    repository.write(folder, known, tables, [])
    return folder


@pytest.fixture
def copy(good: Path, tmp_path: Path) -> Path:
    return shutil.copytree(good, tmp_path / "copy")


def faults(folder: Path) -> list[str]:
    return [one.detail for one in card_check.check(folder) if not one.passed]


def expect(found: list[str], beginnings: list[str]) -> None:
    """Just these faults, in this order, each on one line."""
    assert len(found) == len(beginnings), found
    for one, wanted in zip(found, beginnings, strict=True):
        assert one.startswith(wanted), one
        assert "\n" not in one


def rewrite(folder: Path, change: Callable[[str], str]) -> None:
    path = folder / "README.md"
    path.write_text(change(path.read_text(encoding="utf-8")), encoding="utf-8")


def edit_head(folder: Path, change: Callable[[Head], Any]) -> None:
    def edited(text: str) -> str:
        head, body = text.removeprefix("---\n").split("\n---\n", 1)
        found = yaml.safe_load(head)
        change(found)
        return f"---\n{yaml.safe_dump(found, sort_keys=False)}---\n{body}"

    rewrite(folder, edited)


def test_a_good_card_passes(good: Path) -> None:
    found = card_check.check(good)
    assert all(one.passed for one in found)
    assert {one.subject.removeprefix("card ") for one in found} == set(card_check.RULES)


def _data_files(head: Head) -> Head:
    entry: Head = head["configs"][0]["data_files"][0]
    return entry


def _info(head: Head) -> Head:
    entry: Head = head["dataset_info"][0]
    return entry


HEAD_FAULTS: list[tuple[str, Callable[[Head], Any], list[str]]] = [
    ("no licence", lambda h: h.pop("license"), ["`license` is missing"]),
    (
        "licence of SPDX",
        lambda h: h.update(license="Apache-2.0"),
        ["`license: Apache-2.0` is not an id of the Hub. Did you mean 'apache-2.0'?"],
    ),
    (
        "licence in a list",
        lambda h: h.update(license=["mit", "cc-by"]),
        ["`license: cc-by` is not an id of the Hub."],
    ),
    ("licence no text", lambda h: h.update(license=2), ["`license` is 2, which YAML reads as int"]),
    (
        "other licence without a name",
        lambda h: h.update(license="other", license_link="LICENSE"),
        ["`license: other` needs `license_name`"],
    ),
    ("no language", lambda h: h.pop("language"), ["`language` is missing"]),
    (
        "Norwegian",
        lambda h: h.update(language=["en", False]),
        ["`language` has False, which YAML reads as true or false: put it in quotes. (Norwegian"],
    ),
    (
        "a language in words",
        lambda h: h.update(language=["English"]),
        ["`language: English` is not"],
    ),
    (
        "no such code",
        lambda h: h.update(language="xx"),
        ["`language: xx` is not a code of ISO 639"],
    ),
    (
        "upper case",
        lambda h: h.update(language=["EN"]),
        ["`language: EN` is not a code of ISO 639"],
    ),
    (
        "tags no list",
        lambda h: h.update(tags="evaluation"),
        ["`tags` must be a list; write it as ["],
    ),
    (
        "a tag is a number",
        lambda h: h["tags"].append(2026),
        ["`tags` has 2026, which YAML reads as"],
    ),
    (
        "a name is a date",
        lambda h: h.update(pretty_name=yaml.safe_load("2026-11-21")),
        ["`pretty_name` is 2026-11-21, which YAML reads as date"],
    ),
    ("no name", lambda h: h.pop("pretty_name"), ["`pretty_name` is missing"]),
    (
        "a long name",
        lambda h: h.update(pretty_name="x" * 101),
        ["`pretty_name` has 101 characters; keep it on one line of 100"],
    ),
    ("a long tag", lambda h: h["tags"].append("x" * 101), ["`tags` has 101 characters"]),
    (
        "a key in other words",
        lambda h: h.update(licence="mit"),
        ["`licence` is not a key of the Hub. Did you mean 'license'?"],
    ),
    (
        "an unknown task",
        lambda h: h.update(task_categories=["text-generatoin"]),
        ["`task_categories` has 'text-generatoin', which is not a value of the Hub. Did you"],
    ),
    (
        "an unknown creator",
        lambda h: h.update(annotations_creators=["nobody"]),
        ["`annotations_creators` has 'nobody', which is not a value of the Hub."],
    ),
    (
        "another size category",
        lambda h: h.update(size_categories=["1K<n<10K"]),
        ["`size_categories` must be [n<1K]: there are 900 rows"],
    ),
    (
        "no size category",
        lambda h: h.pop("size_categories"),
        ["`size_categories` must be [n<1K]"],
    ),
    (
        "files as text",
        lambda h: h["configs"][0].update(data_files=PARQUET),
        [
            "`data_files` of 'personas' is plain text, which becomes the split train",
            f"{PARQUET} belongs to no configuration",
            "`dataset_info` of 'personas' has the split 'test', which has no files",
            "dataset_size of 'personas' is",
            "download_size of 'personas' is",
        ],
    ),
    (
        "a pattern without files",
        lambda h: h["configs"][0]["data_files"].append({"split": "extra", "path": "data/none-*"}),
        [
            "the path 'data/none-*' of 'personas' matches no file",
            "`dataset_info` of 'personas' lacks the split 'extra'",
        ],
    ),
    (
        "a pattern that leads outside",
        lambda h: _data_files(h).update(path=[f"data/{CONFIG}/*.parquet", "../good0/*"]),
        ["the path '../good0/*' of 'personas' matches no file of the repository"],
    ),
    (
        "a dash in a split",
        lambda h: (
            _data_files(h).update(split="test-1"),
            _info(h)["splits"][0].update(name="test-1"),
        ),
        ["the split name 'test-1' of 'personas' is not allowed; use letters"],
    ),
    (
        "a split twice",
        lambda h: h["configs"][0]["data_files"].append({"split": "test", "path": "manifest.yaml"}),
        ["the split 'test' of 'personas' is listed twice"],
    ),
    (
        "an entry with another key",
        lambda h: _data_files(h).update(pattern="*"),
        ["`data_files` of 'personas' has an entry without just `split` and `path`"],
    ),
    (
        "two defaults",
        lambda h: (
            h["configs"].append({**h["configs"][0], "config_name": "again"}),
            h["dataset_info"].append({**_info(h), "config_name": "again"}),
            h.update(size_categories=["1K<n<10K"]),
        ),
        ["personas, again are all default; the loader refuses that: keep one"],
    ),
    (
        "default as text",
        lambda h: h["configs"][0].update(default="yes"),
        ["`default` of 'personas' is not true or false"],
    ),
    (
        "an odd name",
        lambda h: (
            h["configs"][0].update(config_name="all personas"),
            _info(h).update(config_name="all personas"),
        ),
        ["the configuration name 'all personas' has odd characters"],
    ),
    (
        "a configuration twice",
        lambda h: (
            h["configs"].append({**h["configs"][0], "default": False}),
            h.update(size_categories=["1K<n<10K"]),
        ),
        ["the configuration 'personas' is listed 2 times"],
    ),
    (
        "a configuration without a name",
        lambda h: h["configs"].append({"data_files": []}),
        ["configuration 2 has no `config_name` that is text"],
    ),
    (
        "no configurations",
        lambda h: h.pop("configs"),
        [
            "`configs` is missing or is not a list",
            f"{PARQUET} belongs to no configuration",
            "`dataset_info` names 'personas', which is not a configuration",
            # Without files there is nothing to compare sizes with.
        ],
    ),
    ("no dataset_info", lambda h: h.pop("dataset_info"), ["`dataset_info` is missing"]),
    (
        "dataset_info of another",
        lambda h: _info(h).update(config_name="persons"),
        [
            "`dataset_info` of 'personas' is missing",
            "`dataset_info` names 'persons', which is not a configuration",
        ],
    ),
    (
        "no features",
        lambda h: _info(h).pop("features"),
        ["`dataset_info` of 'personas' has no list `features`"],
    ),
    (
        "no splits",
        lambda h: _info(h).pop("splits"),
        ["`dataset_info` of 'personas' has no list `splits`"],
    ),
    (
        "other rows",
        lambda h: _info(h)["splits"][0].update(num_examples=901),
        ["num_examples of 'personas' (test) is 901, the files have 900"],
    ),
    (
        "rows as text",
        lambda h: _info(h)["splits"][0].update(num_examples="900"),
        ["num_examples of 'personas' (test) is not a whole number; it must be 900"],
    ),
    (
        "other bytes",
        lambda h: _info(h)["splits"][0].update(num_bytes=1),
        ["num_bytes of 'personas' (test) is 1, the files have"],
    ),
    (
        "another size",
        lambda h: _info(h).update(dataset_size=1),
        ["dataset_size of 'personas' is 1,"],
    ),
    (
        "another download",
        lambda h: _info(h).update(download_size=1),
        ["download_size of 'personas' is 1,"],
    ),
    (
        "another type",
        lambda h: _info(h)["features"][0].update(dtype="int64"),
        ["features of 'personas' differ from the file in persona_id; correct them"],
    ),
    (
        "a column too few",
        lambda h: _info(h)["features"].pop(),
        ["features of 'personas' differ from the file in in_sample_50"],
    ),
    (
        "a column too many",
        lambda h: _info(h)["features"].append({"name": "age", "dtype": "string"}),
        ["features of 'personas' differ from the file in age"],
    ),
    (
        "another order",
        lambda h: _info(h)["features"].reverse(),
        ["features of 'personas' are in another order"],
    ),
    (
        "no such type",
        lambda h: _info(h)["features"][0].update(dtype="strnig"),
        ["features of 'personas' cannot be read"],
    ),
]


@pytest.mark.parametrize(
    ("change", "expected"),
    [pytest.param(change, expected, id=name) for name, change, expected in HEAD_FAULTS],
)
def test_a_fault_of_the_head_is_found_and_nothing_else(
    copy: Path, change: Callable[[Head], Any], expected: list[str]
) -> None:
    edit_head(copy, change)
    expect(faults(copy), expected)


TEXT_FAULTS: list[tuple[str, Callable[[str], str], list[str]]] = [
    ("no head", lambda t: t.split("\n---\n", 1)[1], ["README.md has no YAML head"]),
    ("a blank line first", lambda t: f"\n{t}", ["README.md has no YAML head"]),
    ("open head", lambda t: t.replace("\n---\n", "\n"), ["the YAML head is not closed"]),
    (
        "empty head",
        lambda t: "---\n---\n" + t.split("\n---\n", 1)[1],
        ["the YAML head holds no keys"],
    ),
    ("no YAML", lambda t: t.replace("tags:", "tags: [", 1), ["the YAML head does not parse: "]),
    (
        "a key twice",
        lambda t: t.replace("language:\n", "license: mit\nlanguage:\n", 1),
        ["the YAML head does not parse: line 3: the key 'license' stands twice; keep one."],
    ),
    (
        "a date that is none",
        lambda t: t.replace("---\n", "---\ndoi: 2026-99-99\n", 1),
        ["the YAML head does not parse: month must be in 1..12"],
    ),
    (
        "an unquoted no",
        lambda t: t.replace("- en\n", "- no\n", 1),
        ["`language` has False, which YAML reads as true or false"],
    ),
    ("no title", lambda t: re.sub(r"(?m)^# ", "## ", t), ["the text has no title"]),
    (
        "a section less",
        lambda t: t.replace("## Uses\n", "## Usage\n"),
        ["the section 'Uses' is missing; add it."],
    ),
    (
        "a section in code only",
        lambda t: t.replace("## Changelog\n", "```\n## Changelog\n```\n"),
        ["the section 'Changelog' is missing; add it."],
    ),
    (
        "an empty section",
        lambda t: t.replace("### Recommendations\n", "### Recommendations\n\n### More\n"),
        ["the section 'Recommendations' is empty"],
    ),
    (
        "a placeholder",
        lambda t: t.replace("## Citation\n", "## Citation\n\n[More Information Needed]\n"),
        ["a placeholder '[More Information Needed]' is left"],
    ),
    (
        "a dead link",
        lambda t: f"{t}\nSee [it](docs/more.md).\n",
        ["the link 'docs/more.md' leads to no"],
    ),
    (
        "a dead picture",
        lambda t: f"{t}\n![it](plot.png)\n",
        ["the link 'plot.png' leads to no file"],
    ),
    ("a link outside", lambda t: f"{t}\n[it](../)\n", ["the link '../' leads to no file of"]),
    (
        "a dead anchor",
        lambda t: f"{t}\n[it](#nowhere)\n",
        ["the link '#nowhere' leads to no heading"],
    ),
    (
        "no address",
        lambda t: f"{t}\n[it](http://[::g]/)\n",
        ["the link 'http://[::g]/' is not an address"],
    ),
    (
        "no canary",
        lambda t: re.sub(r"[A-Z]+-CANARY-[0-9a-f-]+", "", t),
        ["the canary is missing; add it"],
    ),
    (
        "another canary",
        lambda t: re.sub(r"(CANARY-)[0-9a-f]", r"\g<1>0", t),
        ["the canary is not the manifest's; it must be OTHERMINDS-CANARY-"],
    ),
]


@pytest.mark.parametrize(
    ("change", "expected"),
    [pytest.param(change, expected, id=name) for name, change, expected in TEXT_FAULTS],
)
def test_a_fault_of_the_text_is_found_and_nothing_else(
    copy: Path, change: Callable[[str], str], expected: list[str]
) -> None:
    rewrite(copy, change)
    expect(faults(copy), expected)


def test_links_that_are_alive_are_no_fault(copy: Path) -> None:
    links = (
        "[a](manifest.yaml) [b](README.md#uses) [c](#counts) [d](data/personas) [e](audit.json#x)"
    )
    rewrite(copy, lambda text: f"{text}\n{links} <https://example.org/x.md> [f](mailto:a@b.c)\n")
    assert faults(copy) == []


def test_a_repeated_heading_has_numbered_anchors(copy: Path) -> None:
    more = "\n## Uses\n\n[a](#uses) [b](#uses-1)\n"
    rewrite(copy, lambda text: text + more)
    assert faults(copy) == []
    rewrite(copy, lambda text: f"{text}[c](#uses-2)\n")
    assert faults(copy) == ["the link '#uses-2' leads to no heading; correct it."]


def test_a_card_that_is_not_there_or_not_text_is_a_finding(copy: Path) -> None:
    (copy / "README.md").write_bytes(b"---\nlicense: mit\n---\n\xff")
    assert faults(copy) == ["README.md is not UTF-8 (byte 21); save it as UTF-8."]
    (copy / "README.md").unlink()
    assert faults(copy) == ["README.md cannot be read (No such file or directory); write one."]
    assert card_check.check(copy / "nowhere") == [Finding("card", False, faults(copy)[0])]


def test_files_are_compared_and_not_only_the_head(copy: Path) -> None:
    table = pq.read_table(copy / PARQUET)
    pq.write_table(table.slice(0, 100), copy / PARQUET)
    found = faults(copy)
    assert any(
        one.startswith("num_examples of 'personas' (test) is 900, the files have 100")
        for one in found
    )
    assert any(one.startswith("download_size of 'personas'") for one in found)
    pq.write_table(table.append_column("more", pa.nulls(900, pa.int8())), copy / PARQUET)
    assert "features of 'personas' differ from the file in more; correct them." in faults(copy)


def test_a_file_that_no_configuration_has_is_found(copy: Path) -> None:
    shutil.copy(copy / PARQUET, copy / "data" / "stray.parquet")
    assert faults(copy) == [
        "data/stray.parquet belongs to no configuration; list it under `configs` or remove it."
    ]


def test_a_manifest_that_cannot_be_read_is_a_finding(copy: Path) -> None:
    for content in (b"canary: 5", b"\xff", b"["):
        (copy / repository.MANIFEST).write_bytes(content)
        expect(faults(copy), ["the canary cannot be compared: "])
    (copy / repository.MANIFEST).unlink()
    rewrite(copy, lambda text: text.replace("(manifest.yaml)", "(audit.json)"))
    assert faults(copy) == []


def test_the_command_checks_a_folder(copy: Path, command: Command, tmp_path: Path) -> None:
    said = command("otherminds", "doctor", "--card", copy, cwd=tmp_path).stdout
    assert said == "Checked: 14 × card.\nNo faults: what could be checked is in order.\n"
    edit_head(copy, lambda head: head.update(license="Apache-2.0"))
    said = command("otherminds", "doctor", "--card", copy, cwd=tmp_path, code=1).stdout
    assert said.splitlines()[0].startswith("FAULT card licence: `license: Apache-2.0` is not an id")


# Hostile input

SCALARS = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.dates()
    | st.text(max_size=20)
    | st.sampled_from(["test", CONFIG, PARQUET, "data/**", "[", "\0", "..", "default", "other"])
)
VALUES = st.recursive(
    SCALARS,
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                ["config_name", "data_files", "split", "path", "features", "splits", "name"]
            )
            | st.sampled_from(["dtype", "num_examples", "num_bytes", "default", "list", "struct"])
            | st.text(max_size=5),
            inner,
            max_size=4,
        )
    ),
    max_leaves=12,
)
KEYS = st.sampled_from(
    [
        *("license", "language", "tags", "pretty_name", "task_categories", "size_categories"),
        *("configs", "dataset_info", "extra_gated_prompt"),
    ]
)
REPEATED = settings(
    max_examples=80, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None
)


@given(st.dictionaries(KEYS | SCALARS.filter(lambda one: one is not None), VALUES, max_size=4))
@REPEATED
def test_no_head_makes_it_crash(copy: Path, changes: Head) -> None:
    original = (copy / "README.md").read_text(encoding="utf-8")
    try:
        edit_head(copy, lambda head: head.update(changes))
        assert card_check.check(copy)
    finally:
        (copy / "README.md").write_text(original, encoding="utf-8")


@given(st.text() | st.text("-:[]{}#&*!|>'\"%@`no yes\n \t1.", max_size=60))
@REPEATED
def test_no_yaml_makes_it_crash(tmp_path: Path, head: str) -> None:
    text = f"---\n{head}\n---\n# A card\n"
    (tmp_path / "README.md").write_bytes(text.encode("utf-8", "surrogatepass"))
    assert faults(tmp_path)


@given(st.text() | st.text("#[]()!`~-*_<>|\\&x/:.% \n", max_size=80))
@REPEATED
def test_no_text_makes_it_crash(copy: Path, body: str) -> None:
    head = (copy / "README.md").read_text(encoding="utf-8").split("\n---\n")[0]
    original = (copy / "README.md").read_bytes()
    try:
        (copy / "README.md").write_bytes(f"{head}\n---\n{body}".encode("utf-8", "surrogatepass"))
        assert faults(copy)
    finally:
        (copy / "README.md").write_bytes(original)


@given(st.data())
@settings(REPEATED, max_examples=40)
def test_no_damaged_file_makes_it_crash(copy: Path, data: st.DataObject) -> None:
    whole = (copy / PARQUET).read_bytes()
    try:
        length = data.draw(st.integers(0, len(whole) - 1), label="length")
        place = data.draw(st.integers(0, len(whole) - 1), label="place")
        damaged = bytearray(whole)
        damaged[place] ^= 0xFF
        (copy / PARQUET).write_bytes(whole[:length])
        assert any("cannot be read" in one for one in faults(copy))
        (copy / PARQUET).write_bytes(bytes(damaged))
        card_check.check(copy)
    finally:
        (copy / PARQUET).write_bytes(whole)
