"""The scan before publishing: it finds what is planted, and nothing in what is ours."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from otherminds import manifest, paths
from otherminds.checks import Finding
from otherminds.data.build import dataset as build
from otherminds.data.repository import write as repository
from otherminds.errors import OtherMindsError
from otherminds.publishing import privacy, prompt_leaks
from otherminds.publishing.privacy_kinds import TRIGGER, Names, find, iban, luhn
from tests.helpers import small_builds

# None of these is anybody's: reserved names and numbers, or check digits of documentation.
PLANTED = {
    "e-mail": "Write to jo.bloggs+x@mail.example.org please",
    "phone number": "or call (415) 555-0142.",
    "social security number": "It is 219-09-9999, I think",
    "payment card": "paid with 4111 1111 1111 1111 then",
    "bank account": "to DE89 3704 0044 0532 0130 00 please",
    "street address": "She lives at 42 Maple Grove Avenue, near the park",
    "profile": "see https://www.linkedin.com/in/jo-bloggs-1 for more",
    "handle": "as @jo_bloggs said",
    "ip address": "logged in from 8.8.4.4 again",
    "uuid": "0a1b2c3d-1111-4222-8333-444455556666",
    "hash": "d41d8cd98f00b204e9800998ecf8427e",
    "random id": "id Zx8Kq2Lm9Pw4Rt6Yv1Bn",
    "token": "use hf_abcdefghijklmnopqrstuvwx here",
    "long number": "member 123456789012",
}

OTHER_FORMS = [
    ("phone number", "+44 20 7946 0958"),
    ("phone number", "06 12 34 56 78"),
    ("phone number", "020-7946-0958"),
    ("phone number", "phone me: 555-0142"),
    ("street address", "P.O. Box 1234"),
    ("street address", "Lindenstraße 12"),
    ("street address", "SPRINGFIELD, IL 62704"),
    ("street address", "my address is 12 maple street"),
    ("street address", "14 SW1A 2AA"),
    ("profile", "github.com/jobloggs"),
    ("profile", "https://mastodon.example/@jobloggs"),
    ("profile", "https://www.debate.org/jobloggs/"),
    ("ip address", "2a00:1450:4009:81f::200e"),
    ("token", "sk-proj-abcdefghijklmnopqrstu"),
    ("token", "-----BEGIN RSA PRIVATE KEY-----"),
    ("token", "---- BEGIN SSH2 ENCRYPTED PRIVATE KEY ----"),
    ("token", "sk-ant-api03-aB1_dE-fG2_hI-jK3_lM-nO4_pQ-rS5_tU-AA"),
    ("token", "ASIAIOSFODNN7EXAMPLE"),
    ("token", "sk_live_" + "abcdefghij0123456789ABCD"),
    ("token", "npm_abcdefghij0123456789ABCDEFGHIJklmnop"),
    ("token", "gldt-abcdefghij0123456789"),
    ("token", "https://hooks.slack.com/services/T0000AAAA/B0000BBBB/abcdefghijklmnopqrstuvwx"),
    ("e-mail", "postgres://user:secret1234@db.example.org/x"),
    ("payment card", "378282246310005"),
]

HARMLESS = [
    "3.14159265358979 and 0.0091250000000000",
    "seed 20261121, version 1.0.2, draws 2,000",
    "from 10.0.0.5 or 127.0.0.1, documented as 192.0.2.1 and 2001:db8::1",
    "std::vector<int> at 12:30:45",
    "react@18.2.0 and @angular/core",
    "@article{who2026, title = {What}}",
    "https://github.com/some/repository and https://huggingface.co/datasets/otherminds/x",
    "synthetic-bdu-healthcare-0001, SM-group_5-0003-T3-emotion-3",
    "3 out of 10 people drive 20 miles on the road; 5 or 6 more walk",
    "4111 1111 1111 1112 has a wrong check digit and 219-00-9999 an empty group",
    "django/db/models/fields/__init__ test_expression_wrapper_crash",
    "the rows 601-1200 of 2001-2010",
]


@pytest.fixture(scope="module")
def clean(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return small_builds.write("trust-game", tmp_path_factory.mktemp("clean"))


@pytest.fixture
def folder(clean: Path, tmp_path: Path) -> Path:
    """A copy of a repository that a test may plant something in."""
    return shutil.copytree(clean, tmp_path / "copy")


def faults(found: list[Finding]) -> list[str]:
    return [f"{one.subject}: {one.detail}" for one in found if not one.passed]


def plant(folder: Path, text: str) -> None:
    """Put a text into row 7 of a nested column."""
    path = repository.parquet_path(folder, "personas")
    table = pq.read_table(path)
    rows = table.to_pylist()
    rows[7]["attributes"][1]["value"] = text
    pq.write_table(pa.Table.from_pylist(rows, table.schema), path)


def kinds_in(text: str) -> list[str]:
    return [hit.kind for hit in find(text)]


@pytest.mark.parametrize("dataset", ["trust-game", "synchtom", "debate-beliefs"])
def test_a_clean_repository_passes(dataset: str, tmp_path: Path) -> None:
    found = privacy.scan(small_builds.write(dataset, tmp_path))
    assert faults(found) == []
    assert any("none points at anybody" in one.detail for one in found)
    # The canary looks like an id; that it may stay is said, with the reason.
    assert any(one.note and "canary" in one.detail for one in found)


@pytest.mark.attack(
    "a key, name, address or number of a person in data or cards to be published",
    outcome="`publish` stops, and says where without repeating it",
    against="secrets",
)
@pytest.mark.parametrize("kind", PLANTED)
def test_planted_in_a_nested_column(kind: str, folder: Path) -> None:
    plant(folder, PLANTED[kind])
    (fault,) = faults(privacy.scan(folder))
    assert "data/personas/test-00000-of-00001.parquet" in fault
    assert f"{kind} in attributes.value, row 7: " in fault
    # What is shown is not a second publication of it.
    assert not any(word in fault for word in PLANTED[kind].split() if len(word) > 4)


@pytest.mark.attack(
    "a key, name, address or number of a person in data or cards to be published",
    outcome="`publish` stops, and says where without repeating it",
    against="secrets",
)
@pytest.mark.parametrize("kind", PLANTED)
def test_planted_in_texts(kind: str, folder: Path) -> None:
    with (folder / "README.md").open("a", encoding="utf-8") as file:
        file.write(f"\none\n{PLANTED[kind]}\n")
    line = len((folder / "README.md").read_text(encoding="utf-8").splitlines())
    (folder / "notes").mkdir()
    (folder / "notes" / "extra.yaml").write_text(f"note: '{PLANTED[kind]}'\n", encoding="utf-8")
    card, notes = faults(privacy.scan(folder))
    assert f"README.md: {kind} in text, line {line}: " in card
    assert f"notes/extra.yaml: {kind} in text, line 1: " in notes


@pytest.mark.parametrize(("kind", "text"), OTHER_FORMS)
def test_other_forms(kind: str, text: str) -> None:
    assert kinds_in(f"before {text} after") == [kind]


@pytest.mark.parametrize("text", HARMLESS)
def test_harmless(text: str) -> None:
    assert kinds_in(text) == []


@pytest.mark.parametrize("text", [*PLANTED.values(), *(text for _, text in OTHER_FORMS)])
def test_the_trigger_lets_nothing_slip(text: str) -> None:
    matched = pa.compute.match_substring_regex(pa.array([f"é {text} x"]), TRIGGER)
    assert matched.to_pylist() == [True]


def test_check_digits() -> None:
    # From the right 1 + 2 + 1 + 2 + … over 4111 1111 1111 1111: eight 1s, seven 2s and 4·2 = 30.
    assert luhn("4111 1111 1111 1111")
    assert not luhn("4111 1111 1111 1112")
    assert not luhn("18")  # a right check digit, but no card
    assert iban("GB82 WEST 1234 5698 7654 32")  # the example of ISO 13616
    assert not iban("GB83 WEST 1234 5698 7654 32")


@settings(max_examples=60)
@given(address=st.emails(), before=st.text(), after=st.text())
def test_an_address_is_found_wherever_it_stands(address: str, before: str, after: str) -> None:
    text = before + address + after
    assert "e-mail" in kinds_in(text)
    assert pa.compute.match_substring_regex(pa.array([text]), TRIGGER)[0].as_py()


@given(st.text())
def test_any_text_can_be_looked_through(text: str) -> None:
    for hit in find(text):
        assert 0 <= hit.start < hit.end <= len(text)


@pytest.mark.attack(
    "an address hidden by full-width signs, zero-width spaces or escapes",
    outcome="found",
    against="secrets",
)
def test_hidden_characters(folder: Path) -> None:
    """A zero-width space, full-width signs and an escape in JSON hide nothing."""
    plant(folder, "jo\u200b.bloggs\uff20mail.example.org")
    (folder / "extra.json").write_text('{"note": "jo\\u0040mail.example.org"}', encoding="utf-8")
    column, escaped = faults(privacy.scan(folder))
    assert "e-mail in attributes.value, row 7" in column
    assert "extra.json: e-mail in value" in escaped


def test_names_of_users(folder: Path) -> None:
    names = {"KingOfFools7", "freedom", "Reason"}
    plant(folder, "I agree with KingOfFools7 on freedom and Reason")
    (fault,) = faults(privacy.scan(folder, known_names=names))
    assert "user name in attributes.value, row 7: K…7 (12 characters)" in fault
    # A name that is a word counts where it is all that is said.
    assert [hit.kind for hit in Names(names).find(" freedom ")] == ["user name"]
    assert not list(Names(names).find("freedom of speech"))
    assert faults(privacy.scan(folder)) == []


def test_numbers_and_names_of_columns(tmp_path: Path) -> None:
    table = pa.table(
        {
            "n": pa.array([1, None, 4_155_550_142_123], pa.int64()),
            "x": pa.array([0.5, 1e300, 219_099_999_777.0]),
            "nested": pa.array([{"a@b.example": 1}] * 3),
            "coded": pa.array(["a", "b", "d41d8cd98f00b204e9800998ecf8427e"]).dictionary_encode(),
        }
    )
    pq.write_table(table.replace_schema_metadata({"by": "jo@b.example"}), tmp_path / "t.parquet")
    found = "\n".join(faults(privacy.scan(tmp_path)))
    for place in ("n, row 2", "x, row 2", "e-mail in column names", "hash in coded, row 2"):
        assert place in found
    assert "and 1 more" in found  # the name of a column, and the note on the file


@pytest.mark.parametrize(
    ("name", "content", "reason"),
    [
        ("picture.png", b"\x89PNG\r\n\xff", "neither text nor a Parquet file"),
        ("rows.parquet", b"PAR1 cut off", "not a readable Parquet file"),
    ],
)
def test_what_cannot_be_read_is_a_fault(
    name: str, content: bytes, reason: str, tmp_path: Path
) -> None:
    (tmp_path / name).write_bytes(content)
    (fault,) = faults(privacy.scan(tmp_path))
    assert reason in fault


def test_binary_columns_are_a_fault(tmp_path: Path) -> None:
    pq.write_table(pa.table({"blob": [b"a@b.example"]}), tmp_path / "t.parquet")
    (fault,) = faults(privacy.scan(tmp_path))
    assert "the column blob holds binary" in fault


def test_an_exception_holds_only_where_it_is_declared(folder: Path) -> None:
    """A hash may stand where checksums do, not in running text, and a canary only as one."""
    digest = "0" * 32 + "a" * 32
    sums = json.loads((folder / "checksums.json").read_text(encoding="utf-8"))
    sums["data/more.parquet"] = digest
    (folder / "checksums.json").write_text(json.dumps(sums, indent=2), encoding="utf-8")
    assert faults(privacy.scan(folder)) == []
    sums["data/more.parquet"] = f"see {digest}"
    (folder / "checksums.json").write_text(json.dumps(sums, indent=2), encoding="utf-8")
    assert len(faults(privacy.scan(folder))) == 1


def test_every_dataset_that_can_be_built_says_what_its_prompts_must_not_show() -> None:
    assert privacy.common()
    built = {name for name in manifest.names() if manifest.load(name).upstream is None}
    assert {name for name in manifest.names() if privacy.rules_of(name).secrets} == built


@pytest.fixture
def cards(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder of cards in place of ours, with one dataset."""
    (tmp_path / "cards" / "chess").mkdir(parents=True)
    (tmp_path / "cards" / "chess" / "manifest.yaml").write_text("")
    monkeypatch.setattr(paths, "cards", lambda: tmp_path / "cards")
    monkeypatch.setattr(paths, "card_folders", lambda: [tmp_path / "cards"])
    for cached in (privacy.common, privacy.rules_of):
        cached.cache_clear()
    yield tmp_path / "cards"
    for cached in (privacy.common, privacy.rules_of):
        cached.cache_clear()


def test_wrong_rules(cards: Path) -> None:
    allowed = {"kinds": ["rumour"], "files": "*", "around": "x", "reason": "y"}
    (cards / "privacy.yaml").write_text(json.dumps({"allowed": [allowed]}))
    with pytest.raises(OtherMindsError, match=r"privacy\.yaml: .*unknown kinds rumour"):
        privacy.common()
    (cards / "privacy.yaml").write_text("allowed: 3")
    with pytest.raises(OtherMindsError, match=r"privacy\.yaml: key 'allowed'"):
        privacy.common()
    (cards / "chess" / "privacy.yaml").write_text("secrets: {columns: [move]}")
    with pytest.raises(OtherMindsError, match=r"chess/privacy\.yaml: .*give columns and texts"):
        privacy.rules_of("chess")


def test_an_exception_of_one_dataset_holds_for_no_other(cards: Path) -> None:
    known = {"kinds": ["e-mail"], "files": "*", "around": r"\S+@\S+", "reason": "invented"}
    (cards / "privacy.yaml").write_text("allowed: []")
    (cards / "chess" / "privacy.yaml").write_text(json.dumps({"allowed": [known]}))
    (cards.parent / "text.md").write_text("Write to someone@mail.example now.")
    path = cards.parent / "text.md"
    own, other = (
        list(privacy._of_file(path, path.name, dataset, Names(()))) for dataset in ("chess", "go")
    )
    assert [one.detail for one in own if one.note] == ["1 accepted: invented"]
    assert faults(own) == []
    (fault,) = faults(other)
    assert "declare in cards/go/privacy.yaml" in fault


def rewritten(folder: Path, change: Callable[[dict[str, Any]], None]) -> Path:
    """A repository of debate data in which every row is changed, with hashes that fit."""
    known = repository.manifest_of(folder)
    table = pq.read_table(repository.parquet_path(folder, "beliefs"))
    rows = table.to_pylist()
    for row in rows:
        change(row)
    tables = {"beliefs": pa.Table.from_pylist(rows, table.schema)}
    out = folder.with_name("rewritten")
    out.mkdir()
    facts = {"configs": build.described(known, tables)}
    repository.write(out, known.model_copy(update=facts), tables, [])
    return out


@pytest.mark.attack(
    "an answer that the evidence or a template shows",
    outcome="the scan before publishing finds it",
    against="data",
)
def test_an_answer_in_the_evidence_is_found(tmp_path: Path) -> None:
    """What is asked for stands among the beliefs that a prompt shows."""
    folder = small_builds.write("debate-beliefs", tmp_path)
    assert faults(privacy.scan(folder)) == []

    def tell(row: dict[str, Any]) -> None:
        known = {name: row[name] for name in ("proposition", "category", "agrees")}
        row["known_beliefs"] = [*row["known_beliefs"], known]

    found = faults(privacy.scan(rewritten(folder, tell)))
    assert found
    assert all("holds what it asks for ({{ proposition }})" in one for one in found)


def test_an_answer_within_a_longer_text_is_found(tmp_path: Path) -> None:
    folder = small_builds.write("debate-beliefs", tmp_path)

    def mention(row: dict[str, Any]) -> None:
        row["background"] = [
            {"attribute": "motto", "value": f"I say: {row['proposition'].upper()}!"}
        ]

    found = faults(privacy.scan(rewritten(folder, mention)))
    assert any("holds what it asks for" in one for one in found)


@pytest.mark.attack(
    "an answer that the evidence or a template shows",
    outcome="the scan before publishing finds it",
    against="data",
)
def test_a_template_that_names_the_answer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = small_builds.write("debate-beliefs", tmp_path)
    monkeypatch.setattr(
        prompt_leaks, "fields", lambda template: frozenset({"proposition", "agrees"})
    )
    found = faults(privacy.scan(folder))
    assert any("shows the gold column agrees" in one for one in found)


def test_fields_are_found_through_includes() -> None:
    assert prompt_leaks.fields("debate__answer") == {"background", "known_beliefs", "proposition"}
    # One template extends another, which includes a third.
    assert {"reflections", "context", "options"} <= prompt_leaks.fields(
        "hugagent__answer_reflected"
    )


def test_what_the_tasks_cannot_read_is_a_fault(folder: Path) -> None:
    with (folder / "manifest.yaml").open("a", encoding="utf-8") as file:
        file.write("surprise: 1\n")
    (fault,) = faults(privacy.scan(folder))
    assert "Whether prompts show answers is unknown" in fault


def test_a_misspelt_or_missing_secret(tmp_path: Path) -> None:
    folder = small_builds.write("debate-beliefs", tmp_path)
    wrong = prompt_leaks.Secrets(columns=["agrees"], texts=["{{ propositon }}"])
    (found,) = prompt_leaks.leaks(folder, "debate-beliefs", wrong)
    assert "no document has the secret" in found.detail
    (found,) = prompt_leaks.leaks(folder, "debate-beliefs", None)
    assert not found.passed
    with pytest.raises(ValueError, match="give columns and texts"):
        prompt_leaks.Secrets(columns=["agrees"])


@pytest.mark.parametrize("dataset", ["hugagent-synthetic", "socialmindchange-codes"])
def test_generated_data_show_no_answers(
    dataset: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = small_builds.write(dataset, tmp_path)
    own, load = repository.manifest_of(folder), manifest.load
    monkeypatch.setattr(manifest, "load", lambda name: own if name == dataset else load(name))
    found = privacy.scan(folder)
    assert faults(found) == []
    assert any("no template of" in one.detail for one in found)


@pytest.mark.slow
def test_real_data(shared_data: Path, tmp_path: Path) -> None:
    """The bank of personas has addresses, and the scan sees nearly all of them; no prompt ever does."""
    records = (shared_data / "genagents" / "gss_agents.jsonl").read_text(encoding="utf-8")
    streets = [json.loads(line)["street_address"] for line in records.splitlines()]
    seen = sum("street address" in kinds_in(street) for street in streets)
    assert seen / len(streets) > 0.99
    for dataset, source in (
        ("trust-game", shared_data / "genagents" / "gss_agents.jsonl"),
        ("synchtom", shared_data / "synchtom"),
    ):
        out = tmp_path / dataset
        build.build(dataset, out, source=source)
        assert faults(privacy.scan(out)) == []
