"""What is derived from a secret, held against its formulas."""

from __future__ import annotations

import hashlib
import hmac

from hypothesis import given
from hypothesis import strategies as st

from otherminds.leaderboard.sealing import secret as secrets

K = bytes(range(32))


def test_the_formulas() -> None:
    told = b"otherminds season seed\x00" + K.hex().encode() + b"\x00hugagent-synthetic\x00winter"
    assert secrets.seed(K, "hugagent-synthetic", "winter") == int(
        hashlib.sha256(told).hexdigest(), 16
    )
    one = hmac.new(K, b"id\x00winter\x00item_id\x00SM0001", hashlib.sha256).hexdigest()
    assert secrets.opaque_id(K, "winter", "item_id", "SM0001") == one[:16]
    rows = hmac.new(K, b"rows\x00winter\x00bsi\x00abc", hashlib.sha256).hexdigest()
    assert secrets.commitment(K, "winter", "bsi", "abc") == rows
    assert secrets.sha256(K) == hashlib.sha256(K).hexdigest()


@given(st.binary(min_size=32, max_size=32), st.sampled_from(["winter", "spring-2"]))
def test_every_dataset_and_season_has_a_seed_of_its_own(secret: bytes, season: str) -> None:
    datasets = ("hugagent-synthetic", "debate-beliefs-synthetic", "socialmindchange-scale")
    seeds = {secrets.seed(secret, dataset, season) for dataset in datasets}
    seeds.add(secrets.seed(secret, datasets[0], "summer"))
    assert len(seeds) == 4
    assert all(0 <= seed < 2**256 for seed in seeds)


def test_a_drawn_secret_has_256_bits() -> None:
    drawn = {secrets.draw() for _ in range(8)}
    assert {len(one) for one in drawn} == {32}
    assert len(drawn) == 8
