"""Random streams: those of releases are NumPy's, those of a season's secret lead to nothing else."""

from __future__ import annotations

import hashlib
import hmac

import numpy as np
import pytest

from otherminds.dataset_builders import draws
from otherminds.leaderboard.sealing import secret


def state_of(sequence: np.random.SeedSequence) -> object:
    return np.random.PCG64(sequence).state


@pytest.mark.parametrize("seed", [0, 7, 2**63, 2**128 - 1])
def test_the_streams_of_a_release_are_those_of_a_seed_sequence(seed: int) -> None:
    found = draws.stream((seed, 3, 5), (2, 1)).bit_generator.state
    assert found == state_of(np.random.SeedSequence([seed, 3, 5], spawn_key=(2, 1)))


@pytest.mark.attack(
    "the state of one random stream, worked back to the seed and to other golds",
    outcome="each stream is seeded by an HMAC of its own",
    against="seasons",
)
def test_the_stream_of_a_secret_is_seeded_by_its_hmac_of_person_and_purpose() -> None:
    seed = secret.seed(bytes(range(32)), "hugagent-synthetic", "2026-1")
    key = seed.to_bytes(32, "big")
    told = hmac.new(key, b"((3, 5), (2, 1))", hashlib.sha256).digest()
    found = draws.stream((seed, 3, 5), (2, 1)).bit_generator.state
    assert found == state_of(np.random.SeedSequence(int.from_bytes(told, "big")))
    assert found != state_of(np.random.SeedSequence([seed, 3, 5], spawn_key=(2, 1)))


def test_place_and_purpose_are_told_apart() -> None:
    seed = 2**255 + 1
    parts = [
        ((seed, 1), (2,)),
        ((seed,), (1, 2)),
        ((seed, 1, 2), ()),
        ((seed, 12), ()),
        ((seed,), ()),
    ]
    assert len({draws.stream(*one).bytes(16) for one in parts}) == len(parts)
