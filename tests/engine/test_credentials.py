"""What is taken for a secret, and what is not."""

from __future__ import annotations

import io
import json
import sys
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from otherminds import credentials, keys
from otherminds.benchmark import every
from otherminds.credentials import MARK
from otherminds.errors import OtherMindsError
from otherminds.running import signing
from otherminds.secret_shapes import is_secret_name


@pytest.fixture(autouse=True)
def _nothing_learned(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(credentials, "_LEARNED", credentials._Learned())


HARMLESS: dict[str, Any] = {
    "pretrained": "/models/a8f5f167f44f4964e6c998dee827110c/Meta-Llama-3.1-8B-Instruct",
    "revision": "4c2e8a1f0b9d7e6a5c3b1f2d8e9a7c6b5d4e3f2a",
    "tokenizer": "Qwen/Qwen3-0.6B",
    "base_url": "http://localhost:8000/v1/chat/completions?api-version=2024-05-01",
    "dtype": "bfloat16",
    "think_end_token": "</think>",
    "eos_token": "<|im_end|>",
    "prefix_token_id": 2,
    "add_bos_token": True,
    "max_tokens": 5,
    "tokenized_requests": False,
    "token": True,
    "lora_path": "adapters/run_2026-11-23T01-02-03.123456",
    "hf_overrides": {"rope_scaling": {"rope_type": "yarn", "factor": 4.0}},
    "chat_template_args": {"enable_thinking": False},
    "limit_mm_per_prompt": '{"image": 2}',
    "speculative_config": {"model": "RedHatAI/Llama-3.1-8B-Instruct-speculator.eagle3"},
    "kv_cache_dtype": "fp8_e4m3",
    "header": {"Content-Type": "application/json"},
    "api_key": None,
    "served_model_name": "Llama33x70bQ4KMv2I1",
    "code_revision": "4c2e8a1f0b9d7e6a5c3b1f2d8e9a7c6b5d4e3f2a",
    "num_key_value_heads": 8,
    "peft": "s3://bucket/runs/9f86d081884c7d659a2feaa0c55ad015a3bf4f1b/weights",
    "adapter": "r8_lora_rank16_alpha32_v2",
    "model": "slovak-nlp/mistral-sk-7b-instruct-v2",
}


def test_what_is_no_secret_stays_as_it_is() -> None:
    assert credentials.arguments(HARMLESS) == HARMLESS
    assert credentials.identity(HARMLESS) == HARMLESS
    words = ",".join(f"{key}={value}" for key, value in HARMLESS.items() if isinstance(value, str))
    assert credentials.arguments(words) == words


def test_no_key_of_metadata_is_taken_for_a_secret() -> None:
    known = {name for one in every() for name in one.keys} | {keys.LIMIT, keys.SAMPLES}
    assert known
    assert not [name for name in known if is_secret_name(name)]


@pytest.mark.attack(
    "a secret of no known form under a name that says so",
    outcome="masked by its name",
    against="secrets",
)
@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("OPENAI_API_KEY", "EMPTY"),
        ("apiKey", "abc"),
        ("x-functions-key", "abc"),
        ("Ocp-Apim-Subscription-Key", "abc"),
        ("hf_token", "abc"),
        ("accessToken", "abc"),
        ("client_secret", "abc"),
        ("PGPASSWORD", "abc"),
        ("db_pwd", 1234),
        ("credentials", {"user": "me", "deep": [{"x": "y"}]}),
        ("authentication", ["a", "b"]),
        ("headers", "X-Some: thing"),
        ("default_headers", {"X-Some": "thing"}),
        ("env", {"ANY": "thing"}),
        ("extra_query", {"subscription": "thing"}),
        ("headers", [["X-Some", "thing"]]),
        ("API KEY", "abc"),
        ("contraseña", "abc"),
        ("settings", {"name": "api_key", "value": "abc"}),
        ("command", ["serve", "--api-key", "abc", "--port", "8"]),
        ("storage", "AccountKey=abc;Endpoint=x"),
        ("passkey", "abc"),
    ],
)
def test_a_name_is_enough(name: str, value: Any) -> None:
    found = credentials.arguments({"deep": [{name: value}]})
    text = json.dumps(found)
    assert MARK in text
    for secret in ("abc", "EMPTY", "1234", "thing", '"me"', '"y"', '"b"'):
        assert secret not in text


def test_what_neither_name_nor_form_tells_is_kept() -> None:
    # A limit, and told as one: such a word is as a setting is.
    assert credentials.arguments({"x": "swordfish"}) == {"x": "swordfish"}


OTHERS = [
    "ghp_16C7e42F292c6912E7710c838347Ae178B4a",
    "github_pat_11ABCDEFG0123456789_abcdefgh",
    "glpat-9xYzAbCdEfGhIjKlMnOp",
    "AKIAIOSFODNN7EXAMPLE",
    "AIzaSyD-9tSrke72PouQMnMX-a7eZSW0jkFMBWY",
    "xoxb-123456789012-abcdefGHIJKL",
    "nvapi-Zk31aaFFq9Lw0TtYb7Zk31aaFFq9Lw0TtYb7",
    "dapi0123456789abcdef0123456789abcdef",
    "SG.abcdefghijklmnopqrstuv.ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789",
    "3f2504e0-4f89-11d3-9a0c-0305e82c3301",
    "-----BEGIN RSA PRIVATE KEY-----\nMIIEow+IBAAKC\n-----END RSA PRIVATE KEY-----",
    "Bearer 0123456789abc",
    "Basic bWU6aHVudGVyMg==",
    "Bearer correct-horse-battery-staple",
    "kYz39aQxLmN0pRsTuVw12",
    "https://hooks.example/services/T00/B00/XXs8f167f44f4964e6c998",
    "postgresql://me:p/a#ss@db.example/x",
    "redis://:hunter2@cache:6379/0",
    "wss://h.example/v1?sig=abcdef&x=1",
    "https://h.example/v1?Zugang",
    "DefaultEndpointsProtocol=https;AccountKey=Eby8vdM02xNO/q==;EndpointSuffix=x",
    '{"inner": {"api_key": "abcdef"}}',
    # What was tried when all of the above held.
    "socks5://u:hunter2@h:1",
    "u:hunter2@proxy:8",
    "//me:hunter2@h/v1",
    "https:\\/\\/me:hunter2@h",
    "curl -u me:hunter2 https://h",
    "serve --password hunter2 --port 8",
    "Server=h;Uid=me;Pwd=hunter2;",
    "h:8000/v1?token=hunter2",
    "http://h/v1?a=1;token=hunter2",
    json.dumps({"a": json.dumps({"token": "hunter2"})}),
    "data:text/plain;base64,c2VjcmV0LWtleS12YWx1ZS0xMjM0NTY=",
    "prefix Zk31aaFFq9Lw0TtYb7 suffix",
    "-H 'X-Api-Key: hunter2'",
]


@pytest.mark.attack(
    "a secret of a known or random form under any name",
    outcome="masked by its form",
    against="secrets",
)
@pytest.mark.parametrize("secret", OTHERS)
def test_a_form_is_enough_under_any_name(secret: str) -> None:
    for given_ in ({"foo": secret}, {"foo": ["a", {"bar": secret}]}):
        text = json.dumps(credentials.arguments(given_))
        assert MARK in text
        assert secret not in text
        for part in ("hunter2", "abcdef&", "p/a#ss", "Eby8", "abcdef\\", "MIIE", "bWU6", "Zugang"):
            assert part not in text, text


@pytest.mark.parametrize(
    "said",
    [
        "A bearer of bad news-letters, of risk-averse people and basic knowledge.",
        "The basic responsibilities, the basic internationalization, a digest uncharacteristically",
        "a token 12345678; Basic human-rights-and-dignity; basic covid-19-vaccination.",
        "The bearer responsibilities; each token llama-3.1-instruct.",
        "See https://huggingface.co/datasets/otherminds/hugagent?row=12#data.",
        "The hash of the secret: 0bc5ff90b372c39377ff564ac189ec39d575a32a50a8424250bf4ea61faec39e",
        "check the key in OPENAI_API_KEY; token: 3",
        "http://localhost:8000/v1/@me",
    ],
)
def test_sentences_stay_as_they_are(said: str) -> None:
    assert credentials.text(said) == said


@pytest.mark.parametrize("part", ["sk-", "eyJaaaaaaaa-", "a-", "bearer a"])
def test_no_text_of_strangers_takes_time_by_the_square_of_its_length(part: str) -> None:
    # With such time, each would take minutes.
    said = part * 100_000 + " x://y sk-abcdefgh12345678"
    assert credentials.text(said).endswith(f" x://y {MARK}")
    assert credentials.arguments({"note": said})["note"].endswith(MARK)


@pytest.mark.attack(
    "a secret in the place of a name",
    outcome="masked by its form",
    against="secrets",
)
def test_a_key_of_a_mapping_may_be_the_secret() -> None:
    assert credentials.arguments({"sk-abcdefgh12345678": True}) == {MARK: True}


def test_blanks_between_the_arguments_of_a_text_hide_nothing() -> None:
    found = credentials.arguments("model=tiny, api_key = abc, seed=2")
    assert found == f"model=tiny, api_key ={MARK}, seed=2"


@pytest.mark.attack(
    "a secret of the environment that stands in what is written",
    outcome="masked; paths stay",
    against="secrets",
)
def test_secrets_of_the_environment_are_learned_and_paths_are_not(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    secret, path = "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY", "/home/me/.ssh/id_of_me"
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", secret)
    monkeypatch.setenv("PGPASSWORD", "correct-horse-9")
    monkeypatch.setenv("DEPLOY_KEY", path)
    credentials.learn_environment()
    assert credentials.known(f"{secret} correct-horse-9 {path}") == f"{MARK} {MARK} {path}"


def test_what_was_learned_is_found_in_all_the_ways_it_is_written() -> None:
    credentials.learn(
        {"api_key": 'we"ird ké/y=9', "header": {"Authorization": "Basic bWU6aHVudGVyMg=="}}
    )
    for written in (
        json.dumps('we"ird ké/y=9'),
        repr('we"ird ké/y=9'),
        "?q=we%22ird%20k%C3%A9%2Fy%3D9",
        "hunter2",
        "bWU6aHVudGVyMg==",
    ):
        assert MARK in credentials.known(f"x {written} y"), written
    credentials.learn(
        {"private": "-----BEGIN PRIVATE KEY-----\nMIIEow+IBAAKC0099\n-----END PRIVATE KEY-----"}
    )
    credentials.learn({"header": {"Cookie": "sid=c00kie91; theme=dark"}})
    assert credentials.known("1 MIIEow+IBAAKC0099 2 c00kie91 dark") == f"1 {MARK} 2 {MARK} dark"
    # A model that is called as its key is.
    credentials.learn({"model": "local-model-1", "api_key": "local-model-1"})
    assert credentials.known("local-model-1") == "local-model-1"
    # A word that is in many texts is not looked for.
    credentials.learn({"api_key": "EMPTY", "password": "secret"})
    assert credentials.known("EMPTY secret") == "EMPTY secret"


@pytest.mark.attack(
    "a server that repeats the key in its error",
    outcome="masked",
    against="secrets",
)
def test_errors_and_streams_hold_back_what_was_learned(monkeypatch: pytest.MonkeyPatch) -> None:
    credentials.learn_words(['--model_args={"api_key": "opaque-words-1', "run"])
    assert str(OtherMindsError("no opaque-words-1 at http://me:x@h/")) == (
        f"no {MARK} at http://{MARK}@h/"
    )
    out = io.StringIO()
    monkeypatch.setattr(sys, "stdout", out)
    monkeypatch.setattr(sys, "stderr", io.StringIO())
    credentials.guard_streams()
    print("opaque-words-1", "sk-abcdefgh12345678")
    assert out.getvalue() == f"{MARK} {MARK}\n"
    assert not sys.stdout.isatty()


@pytest.mark.attack(
    "a secret that would become part of a model's name",
    outcome="names have known arguments alone",
    against="secrets",
)
def test_a_label_has_what_is_known_to_name_a_model_and_nothing_else() -> None:
    strange = {"swordfish": "plain", "header": {"A": "b"}, "api_key": "k", "dtype": "float16"}
    config = {
        "model": "hf",
        "model_args": {"pretrained": "me/tiny", "num_concurrent": 4, **strange},
    }
    assert signing.model_label(config) == "tiny (dtype=float16)"
    # The options of a weightless model are known.
    weightless = {"model": "lexical-judge", "model_args": {"share": 0.9, "swordfish": "plain"}}
    assert signing.model_label(weightless) == "lexical-judge (share=0.9)"
    text = "model=tiny,base_url=http://me:pw12@h/v1,header={'Authorization': 'Bearer a, b'},seed=2"
    assert signing.model_label({"model": "x", "model_args": text}) == "tiny (seed=2)"
    # What is not in the label still tells runs apart; a secret does not.
    other = {"model": "hf", "model_args": config["model_args"] | {"api_key": "other"}}
    assert signing.settings(other) == signing.settings(config)
    without = {key: value for key, value in config["model_args"].items() if key != "api_key"}
    assert signing.settings(config | {"model_args": without}) == signing.settings(config)
    third = {"model": "hf", "model_args": config["model_args"] | {"swordfish": "plainer"}}
    assert signing.settings(third) != signing.settings(config)


plain = st.text("abcdefghij_", max_size=8)


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | plain,
        lambda inner: st.lists(inner) | st.dictionaries(plain, inner),
        max_leaves=8,
    )
)
def test_redacting_twice_changes_nothing(value: Any) -> None:
    once = credentials.arguments(value)
    assert credentials.arguments(once) == once
    assert credentials.results(value) == credentials.results(credentials.results(value))
