"""A fault in a content file is one error that names the file and the place."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml

from otherminds.dataset_builders.content_files import ContentError
from otherminds.dataset_builders.hugagent import content as vocabulary
from otherminds.dataset_builders.hugagent.schema import Content

Document = dict[str, Any]

# In C, where PyYAML has it: several times as fast.
_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_DUMPER = getattr(yaml, "CSafeDumper", yaml.SafeDumper)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A copy of the content files."""
    return Path(shutil.copytree(vocabulary.FOLDER, tmp_path / "content"))


def edit(folder: Path, name: str, change: Callable[[Document], object]) -> None:
    path = folder / f"{name}.yaml"
    document = yaml.load(path.read_text(encoding="utf-8"), _LOADER)
    change(document)
    path.write_text(yaml.dump(document, Dumper=_DUMPER, allow_unicode=True), encoding="utf-8")


def test_the_content_of_the_package_is_sound(content: Content) -> None:
    assert sorted(content.topics) == ["healthcare", "surveillance", "zoning"]
    assert all(len(topic.factors) == 18 for topic in content.topics.values())


def test_a_missing_file(folder: Path) -> None:
    (folder / "zoning.yaml").unlink()
    with pytest.raises(ContentError, match=r"zoning\.yaml: No such file"):
        vocabulary.load(folder)


def test_broken_yaml(folder: Path) -> None:
    (folder / "voices.yaml").write_text("openers: [", encoding="utf-8")
    with pytest.raises(ContentError, match=r"voices\.yaml is not valid YAML"):
        vocabulary.load(folder)


def factor(document: Document, place: int = 0) -> Document:
    found: Document = document["factors"][place]
    return found


@pytest.mark.parametrize(
    ("name", "change", "message"),
    [
        ("zoning", lambda d: d.pop("policy"), r"zoning\.yaml: key 'policy': Field required"),
        ("zoning", lambda d: d.update(extra=1), r"key 'extra'"),
        ("zoning", lambda d: factor(d)["loading"].update(care=3), r"factors\.0\.loading\.care"),
        ("zoning", lambda d: factor(d, 1).update(code="A"), "factor code 'A' occurs twice"),
        ("zoning", lambda d: factor(d)["phrases"].append(factor(d, 1)["phrases"][0]), "is part of"),
        (
            "zoning",
            lambda d: d["links"]["noise"].update(parking_lots=0.5),
            "links name an unknown factor 'parking_lots'",
        ),
        (
            "zoning",
            lambda d: d["links"]["noise"].update(noise=0.5),
            "the link noise → noise says nothing",
        ),
        (
            "demographics",
            lambda d: d["circumstances"][0]["phrases"].append("my zeppelin"),
            "nobody says 'my zeppelin'",
        ),
        (
            "demographics",
            lambda d: d["circumstances"][0].update(only_with={"shoe size": ["9"]}),
            "circumstances depend on unknown 'shoe size'",
        ),
        (
            "demographics",
            lambda d: d["attributes"][2]["values"][0].update(odds_with={"pets": {"cat": 2.0}}),
            "depend on unknown 'pets'",
        ),
        (
            "zoning",
            lambda d: factor(d)["asides"].append(factor(d, 1)["asides"][0]),
            "also mentions rent_levels",
        ),
        (
            "zoning",
            lambda d: factor(d)["asides"].append("Nothing to do with it."),
            "does not name the factor",
        ),
        (
            "zoning",
            lambda d: d["chatter"]["news"].append(factor(d)["asides"][0]),
            "chatter: .* mentions housing_supply",
        ),
        (
            "zoning",
            lambda d: d["scenarios"][0]["factors"].append("gravity"),
            r"scenario 1\.2 names an unknown factor 'gravity'",
        ),
        (
            "zoning",
            lambda d: d["scenarios"][0]["directions"].popitem(),
            r"scenario 1\.2 needs one direction per factor",
        ),
        ("zoning", lambda d: d["scenarios"].pop(), "3 scenarios are asked"),
        (
            "zoning",
            lambda d: d["statistics"]["nodes"].update(high=25),
            r"statistics\.nodes must lie within 8 and 19",
        ),
        (
            "zoning",
            lambda d: d["questions"]["edge_stance"].append("Would {policy} do?"),
            r"questions\.edge_stance: .* should use \{up\}",
        ),
        ("voices", lambda d: d["stance"].pop(3), "the keys must be 1, 2, 3, 4, 5"),
        (
            "voices",
            lambda d: d["stance"][1]["plain"].append(d["stance"][5]["plain"][0]),
            r"\(stance 1\) is part of",
        ),
        (
            "voices",
            lambda d: d["importance"][1]["plain"].append("it is nothing to me"),
            r"importance\.1: .* should use \{factor\}",
        ),
        (
            "voices",
            lambda d: d["effect_factor"]["plain"].append("{v_move} where {u_up}"),
            r"should name the cause \{u_up\} before",
        ),
        (
            "values",
            lambda d: d["values"]["care"]["low"]["plain"].append(
                d["values"]["care"]["high"]["plain"][0]
            ),
            "occurs twice",
        ),
        (
            "demographics",
            lambda d: d["attributes"].reverse(),
            "must come before it|first attribute must be 'age'",
        ),
        (
            "demographics",
            lambda d: d["background_questions"][0]["attributes"].append("shoe size"),
            "needs unknown 'shoe size'",
        ),
        (
            "demographics",
            lambda d: d["attributes"][1].update(numeric={"low": 1, "high": 2}),
            "needs either `numeric` or `values`",
        ),
    ],
)
def test_a_fault_is_named(
    folder: Path, name: str, change: Callable[[Document], object], message: str
) -> None:
    edit(folder, name, change)
    with pytest.raises(ContentError, match=message) as raised:
        vocabulary.load(folder)
    assert f"{name}.yaml" in str(raised.value)


def test_demographics_that_nobody_can_have(folder: Path) -> None:
    from otherminds.dataset_builders.hugagent.people import draw_person
    from otherminds.dataset_builders.hugagent.streams import Purpose, agent_stream

    def only_the_very_old(document: Document) -> None:
        for value in document["attributes"][-1]["values"]:
            value["ages"] = [200, 201]

    edit(folder, "demographics", only_the_very_old)
    content = vocabulary.load(folder)
    with pytest.raises(ContentError, match=re.escape("demographics.yaml: no value of")):
        draw_person(agent_stream(1, 0, Purpose.PERSON), content)
