"""Who the people are, what they believe, and what their interviews tell."""

from __future__ import annotations

from math import prod

import networkx as nx
import numpy as np
import pytest

from otherminds.dataset_builders.hugagent.asking import items
from otherminds.dataset_builders.hugagent.population import STANCE
from otherminds.dataset_builders.hugagent.streams import Purpose, agent_stream
from otherminds.dataset_builders.hugagent.world import parameters, stances
from otherminds.dataset_builders.hugagent.world.claims import SETTLED
from otherminds.dataset_builders.hugagent.world.minds import Mind, stance_band, stance_bucket
from otherminds.dataset_builders.hugagent.world.network import paths
from otherminds.dataset_builders.hugagent.world.people import PROFILES, Person, profile_chances
from otherminds.dataset_builders.hugagent.world.plan import all_claims, draw_plan

Minds = list[tuple[Person, Mind]]


def test_networks_have_no_cycle_and_end_in_the_stance(minds: Minds) -> None:
    for _, mind in minds:
        graph = nx.DiGraph([one.key for one in mind.network.edges])
        assert nx.is_directed_acyclic_graph(graph)
        assert graph.out_degree(STANCE) == 0
        assert nx.is_weakly_connected(graph)


def test_the_two_ways_of_a_fork_are_contrary_and_the_only_ones(minds: Minds) -> None:
    for _, mind in minds:
        fork, signs = mind.network.fork, {one.key: one.sign for one in mind.network.edges}
        winner, loser = fork.edges[:2], fork.edges[2:]
        assert prod(signs[key] for key in winner) == -prod(signs[key] for key in loser)
        assert len(paths(mind.network.edges, fork.source, fork.target)) == 2


def test_an_answer_of_a_chain_is_the_product_of_the_only_way(minds: Minds) -> None:
    for _, mind in minds:
        for belief in items.beliefs(mind):
            if belief.form in ("fork",):
                continue
            ways = paths(mind.network.edges, belief.source, belief.target)
            assert [one.key for one in belief.edges] == ways[0]
            assert len(ways) == 1
            assert belief.sign == prod(one.sign for one in belief.edges)


def test_nothing_that_a_scenario_words_is_asked_of_the_stance(minds: Minds) -> None:
    for _, mind in minds:
        moved = {name for move in mind.moves for name in move.moves}
        asked = [one for one in items.beliefs(mind) if one.target == STANCE]
        assert not moved & {one.source for one in asked}


def test_the_settled_never_move(minds: Minds) -> None:
    settled = [mind for _, mind in minds if mind.firmness.level == SETTLED]
    assert settled
    for mind in settled:
        assert all(move.stance_after == mind.stance.level for move in mind.moves)


def test_what_must_be_put_together_stands_in_different_blocks(minds: Minds) -> None:
    for person, mind in minds:
        plan = draw_plan(agent_stream(5, person.number, Purpose.PLAN), person, mind, set())
        place = {
            claim.claim_id: number
            for number, block in enumerate(plan.blocks)
            for claim in block.claims
        }
        claims = all_claims(plan)
        of_edge = {
            (one.source, one.target): place[one.claim_id]
            for one in claims.values()
            if one.kind == "effect"
        }
        for belief in items.beliefs(mind):
            if belief.form == "path":
                blocks = [of_edge[one.key] for one in belief.edges]
                assert len(set(blocks)) == len(blocks)
        for one in claims.values():
            if one.about:
                assert place[one.claim_id] - place[one.about] > 2


def test_a_taken_up_claim_gives_the_belief_with_what_it_takes_up(minds: Minds) -> None:
    for person, mind in minds:
        plan = draw_plan(agent_stream(5, person.number, Purpose.PLAN), person, mind, set())
        claims = all_claims(plan)
        for one in claims.values():
            if one.about:
                edge = mind.network.edge(one.source, one.target)
                assert edge is not None
                assert one.sign * claims[one.about].sign == edge.sign


def test_no_claim_tells_what_is_only_implied(minds: Minds) -> None:
    for person, mind in minds:
        plan = draw_plan(agent_stream(5, person.number, Purpose.PLAN), person, mind, set())
        told = {(one.source, one.target) for one in all_claims(plan).values() if one.target}
        implied = {one.key for one in mind.network.edges if not one.told}
        own = {
            (one.source, one.target) for one in all_claims(plan).values() if one.kind == "effect"
        }
        assert not implied & own
        assert told


def test_bands_and_coarse_levels_by_hand() -> None:
    assert [stance_band(one) for one in (1, 2, 3, 5, 6, 8, 9, 10)] == [1, 1, 2, 3, 3, 4, 5, 5]
    assert [stance_bucket(one) for one in (1, 3, 4, 5, 6, 8, 9, 10)] == [1, 1, 2, 2, 3, 3, 4, 4]


def test_chances_add_up_and_give_the_fitted_shares() -> None:
    shares = {-2: 0.09, -1: 0.23, 0: 0.36, 1: 0.23, 2: 0.09}
    for topic, known in parameters.load().items():
        everybody = np.zeros(10)
        for leaning, share in shares.items():
            chances = stances.stance_chances(topic, known, leaning)
            np.testing.assert_allclose(chances.sum(axis=1), 1.0)
            everybody += share * profile_chances(leaning) @ chances
        np.testing.assert_allclose(everybody, known.stance, atol=2e-4)
        np.testing.assert_allclose(stances.firmness_chances(known).sum(axis=1), 1.0)
        np.testing.assert_allclose(stances.rating_chances(known).sum(axis=1), 1.0)


def test_values_that_come_up_by_hand() -> None:
    chances = stances.value_told_chance({"care": 1})
    profile = PROFILES.index((0, 0, 1, 0))
    # Care comes up with each of the three others, of six pairs; the others are held neither way.
    assert chances[profile] == pytest.approx(0.5)
    # With security held high, only the two pairs without it leave care alone.
    assert chances[PROFILES.index((0, 1, 1, 0))] == pytest.approx(2 / 6)
    assert chances[PROFILES.index((0, 0, -1, 0))] == 0.0
