"""The second evaluator follows docs/explanation/socialmindchange_world.md; values are by hand.

The cast: 0 Tom (target), 1 Gus (guide), 2 Rita (rival), 3 Ada (friend), 4 Lena (lead). Unless a test
says otherwise everybody is plain to everybody, Tom and Ada are warm, everybody stands with the bearer,
Rita did matters 0 and 1 to Tom, and meant the first well, the second ill, and Ada did matter 2. So
everybody but Rita and Gus begins with `ill` on matters 0 and 1 (R0). Scenes have topic 1 unless a test
says otherwise, so that what people do at their end (R8) leaves matter 0 alone.
"""

from __future__ import annotations

import copy
import itertools
import random
from collections.abc import Iterable, Mapping
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from otherminds.dataset_builders.socialmindchange.evaluator import EvaluationError, Evaluator

Json = dict[str, Any]

TOM, GUS, RITA, ADA, LENA = range(5)
EVERYBODY = (TOM, GUS, RITA, ADA, LENA)
APART = (GUS, RITA, ADA, LENA)


def story(
    *scenes: Json,
    ties: Mapping[tuple[int, int], str] | None = None,
    meant: str = "good",
    bearer: int = TOM,
    against: Iterable[tuple[int, int]] = (),
    promises: Iterable[tuple[int, int, int]] = (),
    faces: Mapping[int, str] | None = None,
) -> Json:
    """A frame; ties by pair, who is against which bearer, promises by, to and matter."""
    tie = [["plain"] * 5 for _ in range(5)]
    for (a, b), kind in {(TOM, ADA): "warm", **(ties or {})}.items():
        tie[a][b] = tie[b][a] = kind
    for place in range(5):
        tie[place][place] = ""
    stakes = [["with"] * 3 for _ in range(5)]
    for person, matter in against:
        stakes[person][matter] = "against"
    ears = ("gentle", "plain", "plain", "gentle", "plain")
    face = {TOM: "aside", GUS: "open", RITA: "open", ADA: "open", LENA: "aside", **(faces or {})}
    names = ("Tom", "Gus", "Rita", "Ada", "Lena")
    roles = ("target", "guide", "rival", "friend", "bystander")
    return {
        "people": [
            {"name": names[i], "role": roles[i], "ear": ears[i], "face": face[i]} for i in range(5)
        ],
        "lead": LENA,
        "ties": tie,
        "matters": [
            {"doer": RITA, "bearer": bearer, "meant": meant},
            {"doer": RITA, "bearer": TOM, "meant": "ill" if meant == "good" else "good"},
            {"doer": ADA, "bearer": TOM, "meant": "ill"},
        ],
        "stakes": stakes,
        "promises": [{"by": by, "to": to, "matter": matter} for by, to, matter in promises],
        "scenes": list(scenes),
    }


def scene(
    *happenings: Json,
    present: Iterable[int] = EVERYBODY,
    topic: int = 1,
    word: Json | None = None,
) -> Json:
    return {
        "present": list(present),
        "topic": topic,
        "happenings": list(happenings),
        "word": word,
    }


def tell(
    speaker: int,
    value: str,
    to: int | None = None,
    *,
    matter: int = 0,
    setting: str = "open",
    tone: str = "plain",
    chance: int | None = None,
) -> Json:
    return {
        "kind": "tell",
        "speaker": speaker,
        "matter": matter,
        "value": value,
        "to": to,
        "setting": setting,
        "tone": tone,
        "chance": chance,
    }


def show(speaker: int, to: int, *, matter: int = 0, setting: str = "open") -> Json:
    return {"kind": "show", "speaker": speaker, "matter": matter, "to": to, "setting": setting}


def word(to: int, *, matter: int = 0, setting: str = "aside", tone: str = "gentle") -> Json:
    return {"matter": matter, "to": to, "setting": setting, "tone": tone}


def view(*chain: int, matter: int = 0, at: int = 1, close: bool = False) -> Json:
    variable: Json = {"kind": "view", "chain": list(chain), "matter": matter, "scene": at}
    return {**variable, "close": True} if close else variable


def of(kind: str, person: int, *, matter: int = 0, at: int = 1, close: bool = False) -> Json:
    variable: Json = {"kind": kind, "person": person, "matter": matter, "scene": at}
    return {**variable, "close": True} if close else variable


def views(frame: Json, *chains: tuple[int, ...], **moment: Any) -> list[str]:
    evaluator = Evaluator(frame)
    return [evaluator.value(view(*chain, **moment)) for chain in chains]


def shown(frame: Json, kind: str, person: int, **moment: Any) -> str:
    return Evaluator(frame).value(of(kind, person, **moment))


# R0


def test_first_impressions_follow_the_tie_to_the_doer() -> None:
    """The page's example: Ada, Rita's friend, takes it that she had a reason; Tom does not."""
    frame = story(scene(), ties={(ADA, RITA): "warm", (LENA, RITA): "cold"})
    assert views(frame, (ADA,), (TOM,), (LENA,)) == ["good", "ill", "ill"]
    # What holders are expected to see depends on the last of a chain only.
    chains = ((TOM, ADA), (ADA, TOM), (TOM, ADA, TOM), (LENA, TOM, ADA))
    assert views(frame, *chains) == ["good", "ill", "ill", "good"]


@pytest.mark.parametrize("meant", ["good", "ill"])
def test_doer_and_guide_know_and_others_do_not_expect_it_of_them(meant: str) -> None:
    frame = story(scene(), meant=meant, ties={(GUS, LENA): "warm"})
    assert views(frame, (RITA,), (GUS,)) == [meant, meant]
    # Chains that end in the doer: warm to themselves. In the guide: plain to Rita.
    assert views(frame, (TOM, RITA), (RITA, TOM, RITA), (GUS, RITA)) == ["good"] * 3
    assert views(frame, (TOM, GUS), (GUS, TOM, GUS), (RITA, GUS)) == ["ill"] * 3


def test_the_guide_knows_every_matter() -> None:
    # Matter 2 was meant ill, and Ada did it, to whom Gus is warm.
    frame = story(scene(), ties={(GUS, ADA): "warm"})
    assert views(frame, (GUS,), (TOM, GUS), matter=2) == ["ill", "good"]


# R1


def test_aside_reaches_only_chains_of_the_two() -> None:
    # Ada says good to Tom, to his ear and face; he is warm to her.
    told = tell(ADA, "good", TOM, setting="aside", tone="gentle")
    frame = story(scene(told))
    assert views(frame, (TOM,), (ADA, TOM), (TOM, ADA), (TOM, ADA, TOM)) == ["good"] * 4
    # The speaker's own chain of one stays (R2.1); of Lena and by Lena nothing changes.
    assert views(frame, (ADA,), (LENA,), (LENA, TOM), (TOM, LENA), (TOM, LENA, TOM)) == ["ill"] * 5
    assert views(frame, (LENA, ADA), (TOM, ADA, LENA), (ADA, TOM, RITA)) == ["ill", "ill", "good"]


def test_who_overhears_knows_what_others_heard_and_nobody_knows_that() -> None:
    told = tell(ADA, "good", TOM, setting="aside", tone="gentle", chance=LENA)
    frame = story(scene(told), ties={(LENA, ADA): "warm"})
    # Lena is not the one it is said to, but warm to Ada: tone and setting do not matter.
    assert views(frame, (LENA,), (LENA, TOM), (LENA, ADA)) == ["good"] * 3
    assert views(frame, (LENA, TOM, ADA), (LENA, ADA, TOM)) == ["good"] * 2
    # That she heard it is known to nobody; she knows that it is not.
    assert views(frame, (TOM, LENA), (ADA, LENA), (LENA, TOM, LENA)) == ["ill"] * 3


def test_who_is_out_is_thought_of_as_before() -> None:
    """The page's example: Tom is out fetching chairs when Ada tells Lena."""
    out: Json = {"kind": "leave", "who": TOM}
    back: Json = {"kind": "enter", "who": TOM}
    told = tell(ADA, "good", LENA)
    frame = story(scene(out, told, back), ties={(LENA, ADA): "warm"}, faces={LENA: "open"})
    # Lena: said to her, warm, plain ear, open face.
    assert views(frame, (LENA,), (ADA, LENA), (RITA, LENA)) == ["good"] * 3
    assert views(frame, (TOM, LENA), (TOM, ADA), (ADA, TOM, LENA), (TOM, LENA, ADA)) == ["ill"] * 4


def test_who_leaves_and_who_comes() -> None:
    leaves: Json = {"kind": "leave", "who": RITA}
    frame = story(scene(leaves), scene(present=(GUS,)))
    evaluator = Evaluator(frame)
    present = [
        evaluator.value({"kind": "present", "person": person, "scene": at})
        for person, at in ((RITA, 1), (TOM, 1), (TOM, 2), (GUS, 2))
    ]
    assert present == ["no", "yes", "no", "yes"]


# R2


def test_an_axe_to_grind() -> None:
    """The page's example, with Lena for Gina: close to Rita, hardly known to Tom."""
    told = tell(LENA, "good", TOM, setting="aside", tone="gentle")
    assert views(story(scene(told)), (TOM,)) == ["good"]
    frame = story(scene(told), ties={(LENA, RITA): "warm"})
    assert views(frame, (TOM,), (TOM, LENA)) == ["ill", "good"]
    # Who is warm to the speaker believes them all the same.
    frame = story(scene(told), ties={(LENA, RITA): "warm", (TOM, LENA): "warm"})
    assert views(frame, (TOM,)) == ["good"]
    # The doer has an axe to grind for good; who is cold to the doer only for ill.
    doer = tell(RITA, "good", TOM, setting="aside", tone="gentle")
    assert views(story(scene(doer)), (TOM,)) == ["ill"]
    assert views(story(scene(told), ties={(LENA, RITA): "cold"}), (TOM,)) == ["good"]


def test_an_axe_to_grind_for_ill() -> None:
    # Tom, warm to Rita, begins with good. Lena says ill.
    told = tell(LENA, "ill", TOM, setting="aside", tone="gentle")
    for tie, expected in (("cold", "good"), ("plain", "ill"), ("warm", "ill")):
        frame = story(scene(told), ties={(TOM, RITA): "warm", (LENA, RITA): tie})
        assert views(frame, (TOM,)) == [expected], tie
    # The doer has none for ill.
    doer = tell(RITA, "ill", LENA, setting="aside")
    frame = story(scene(tell(ADA, "good", LENA, setting="aside"), doer))
    assert views(frame, (LENA,)) == ["ill"]


@pytest.mark.parametrize(
    ("setting", "tone", "expected"),
    [
        ("aside", "gentle", "good"),
        ("aside", "plain", "ill"),
        ("open", "gentle", "ill"),
        ("open", "plain", "ill"),
    ],
)
def test_tone_and_setting(setting: str, tone: str, expected: str) -> None:
    frame = story(scene(tell(ADA, "good", TOM, setting=setting, tone=tone)))
    # (Ada, Tom) goes the way of (Tom): everybody knows his ear and face.
    assert views(frame, (TOM,), (ADA, TOM), (TOM, ADA)) == [expected, expected, "good"]


def test_what_is_said_to_nobody_moves_whom_is_warm() -> None:
    # Tom is warm to Lena; Ada is plain, and does not change her mind though Lena has no axe to grind.
    frame = story(scene(tell(LENA, "good")), ties={(LENA, TOM): "warm"})
    assert views(frame, (TOM,), (ADA, TOM), (ADA,), (TOM, ADA)) == ["good", "good", "ill", "ill"]


def test_a_word_to_somebody_else_does_not_move_who_stands_by() -> None:
    # The same, said to Rita: Tom and Ada only notice what Lena says.
    told = tell(LENA, "good", RITA)
    frame = story(scene(told), ties={(LENA, TOM): "warm"})
    assert views(frame, (TOM,), (ADA, TOM), (ADA,), (TOM, LENA)) == ["ill", "ill", "ill", "good"]
    # Nothing was credited, either: proof of the opposite finds nobody out.
    later = tell(LENA, "good", matter=1)
    lie = tell(LENA, "ill", RITA)
    frame = story(scene(lie, show(RITA, TOM), later), ties={(LENA, TOM): "warm"})
    assert views(frame, (TOM,), matter=1) == ["good"]
    frame = story(scene(tell(LENA, "ill"), show(RITA, TOM), later), ties={(LENA, TOM): "warm"})
    assert views(frame, (TOM,), matter=1) == ["ill"]


def test_who_overhears_is_moved_whoever_it_is_said_to() -> None:
    # Tom is out. Lena tells Rita before all, and Tom, warm to Lena, hears it by chance: he weighs it.
    # Ada, warm to Lena, too, stands by. Tom, who knows that she does, expects her not to be moved.
    ties = {(LENA, TOM): "warm", (LENA, ADA): "warm"}
    frame = story(scene(tell(LENA, "good", RITA, chance=TOM), present=APART), ties=ties)
    assert views(frame, (TOM,), (ADA,), (TOM, ADA), (TOM, LENA)) == ["good", "ill", "ill", "good"]
    # Said to nobody it moves both.
    frame = story(scene(tell(LENA, "good", chance=TOM), present=APART), ties=ties)
    assert views(frame, (TOM,), (ADA,), (TOM, ADA), (ADA, TOM)) == ["good", "good", "good", "ill"]
    # Plain to the speaker, or with the speaker found out, Tom does not weigh it.
    frame = story(scene(tell(LENA, "good", chance=TOM), present=APART))
    assert views(frame, (TOM,), (TOM, LENA)) == ["ill", "good"]


def test_what_is_said_to_somebody_goes_for_all_chains_that_end_in_them() -> None:
    # Ada is plain to Lena, who has no axe to grind and says it as Ada likes it: all expect it of her.
    frame = story(scene(tell(LENA, "good", ADA, tone="gentle")))
    assert views(frame, (ADA,), (TOM, ADA), (TOM, GUS, ADA), (ADA, TOM, ADA)) == ["good"] * 4
    # Rita only listens, and is the doer, who knows; of her chain nothing else changes.
    assert views(frame, (TOM, GUS), (ADA, TOM), (TOM, ADA, TOM)) == ["ill"] * 3


def test_enemies_are_not_believed_but_taken_at_their_word() -> None:
    told = tell(LENA, "good", TOM, setting="aside", tone="gentle")
    frame = story(scene(told), ties={(LENA, TOM): "cold"})
    assert views(frame, (TOM,), (TOM, LENA), (TOM, LENA, TOM)) == ["ill", "good", "ill"]
    # The speaker's own view stays: Lena does not believe what she says.
    assert views(frame, (LENA,), (LENA, TOM, LENA)) == ["ill", "good"]


def test_proof_stands_against_words_where_it_is_known() -> None:
    # Rita shows Tom aside; Ada, warm to him, tells him ill later, in his way. Lena sees only that.
    proof = show(RITA, TOM, setting="aside")
    told = tell(ADA, "ill", TOM, tone="gentle")
    frame = story(scene(tell(ADA, "good", TOM, tone="gentle"), proof, told), faces={TOM: "open"})
    # Lena saw Tom moved to good, then to ill: she does not know that he has seen proof.
    assert views(frame, (TOM,), (TOM, RITA, TOM), (LENA, TOM)) == ["good", "good", "ill"]


def test_who_is_known_to_know_better_is_not_taken_at_their_word() -> None:
    # R2.1 spares firm chains: all saw Tom see it, and nobody takes his `ill` for what he thinks.
    frame = story(scene(show(RITA, TOM), tell(TOM, "ill")))
    assert views(frame, (ADA, TOM), (TOM, ADA, TOM), (TOM,)) == ["good", "good", "good"]
    # Shown aside, only Rita and Tom know that he knows. Tom is warm to Rita, so all began with good.
    frame = story(
        scene(show(RITA, TOM, setting="aside"), tell(TOM, "ill")), ties={(TOM, RITA): "warm"}
    )
    assert views(frame, (RITA, TOM), (TOM, RITA, TOM), (TOM,)) == ["good", "good", "good"]
    assert views(frame, (ADA, TOM), (TOM, ADA, TOM), (RITA, ADA, TOM)) == ["ill", "ill", "ill"]
    # Proof once more, before all, sets it right.
    again = scene(show(RITA, TOM, setting="aside"), tell(TOM, "ill"), show(RITA, TOM))
    assert views(story(again, ties={(TOM, RITA): "warm"}), (ADA, TOM)) == ["good"]


# R3


def test_who_sees_proof_knows_and_who_sees_them_see_it_knows_that() -> None:
    frame = story(scene(show(RITA, TOM, setting="aside")))
    chains = ((TOM,), (RITA, TOM), (TOM, RITA, TOM), (RITA, TOM, RITA))
    assert views(frame, *chains) == ["good"] * 4
    assert views(frame, (ADA,), (ADA, TOM), (TOM, ADA), (RITA, TOM, ADA)) == ["ill"] * 4
    frame = story(scene(show(RITA, TOM)))
    assert set(views(frame, *every_chain(5))) == {"good"}


def test_who_told_wrong_is_not_believed_again() -> None:
    """The page's example: Tom had believed Ada's story, and asked her nothing any more."""
    believed = tell(ADA, "ill", TOM, setting="aside", tone="gentle")
    later = tell(ADA, "good", TOM, matter=1, setting="aside", tone="gentle")
    assert views(story(scene(believed), scene(later)), (TOM,), at=2, matter=1) == ["good"]
    frame = story(scene(believed, show(LENA, TOM)), scene(later))
    # Tom does not believe her in matter 1; Ada, who was there, expects that; Lena does not: she
    # did not hear what Ada had told him. But she did not hear the later word either.
    assert views(frame, (TOM,), (ADA, TOM), (TOM, ADA), at=2, matter=1) == ["ill", "ill", "good"]


def test_being_found_out_is_known_to_whom_heard_both() -> None:
    believed = tell(ADA, "ill", TOM, tone="gentle", setting="aside", chance=LENA)
    later = tell(ADA, "good", TOM, matter=1, tone="gentle", setting="aside")
    heard = tell(ADA, "good", matter=1)
    # Lena overheard the lie and saw the proof: she expects that Tom believes Ada no more. Rita, who
    # saw the proof alone, expects a friend to move him. Ada heard all.
    frame = story(scene(believed, show(LENA, TOM)), scene(later, heard))
    chains = ((TOM,), (LENA, TOM), (ADA, TOM), (RITA, TOM))
    assert views(frame, *chains, at=2, matter=1) == ["ill", "ill", "ill", "good"]


def test_a_word_that_was_not_credited_finds_nobody_out() -> None:
    # Ada's lie grates (plain tone): Tom does not credit it, and believes her later.
    lie = tell(ADA, "ill", TOM, setting="aside")
    later = tell(ADA, "good", TOM, matter=1, setting="aside", tone="gentle")
    frame = story(scene(lie, show(LENA, TOM)), scene(later))
    assert views(frame, (TOM,), at=2, matter=1) == ["good"]


def test_a_word_is_credited_also_by_who_thought_so_before() -> None:
    # Tom holds ill from the first; that he credits Ada's ill is what finds her out.
    lie = tell(ADA, "ill", TOM, setting="aside", tone="gentle")
    later = tell(ADA, "good", TOM, matter=1, setting="aside", tone="gentle")
    frame = story(scene(lie), scene(show(LENA, TOM, setting="aside")), scene(later))
    assert views(frame, (TOM,), at=3, matter=1) == ["ill"]


def test_proof_about_one_matter_shows_nothing_of_another() -> None:
    lie = tell(ADA, "ill", TOM, matter=1, setting="aside", tone="gentle")
    later = tell(ADA, "good", TOM, matter=1, setting="aside", tone="gentle")
    frame = story(scene(lie, show(LENA, TOM, matter=0), later))
    assert views(frame, (TOM,), matter=1) == ["good"]


def test_a_word_taken_back_is_found_out_all_the_same() -> None:
    lie = tell(ADA, "ill", TOM, setting="aside", tone="gentle")
    truth = tell(ADA, "good", TOM, setting="aside", tone="gentle")
    later = tell(ADA, "good", TOM, matter=1, setting="aside", tone="gentle")
    frame = story(scene(lie, truth, show(LENA, TOM)), scene(later))
    assert views(frame, (TOM,), at=2, matter=1) == ["ill"]


# R4


LEARNS = scene(show(LENA, ADA, setting="aside"), present=APART)
"""Ada sees that it was meant well; Tom is not there, and holds ill."""


def test_friends_set_each_other_right() -> None:
    frame = story(LEARNS, scene())
    # In Tom's ear and face, so aside: Lena does not know it.
    assert views(frame, (TOM,), (ADA, TOM), (TOM, ADA), at=2) == ["good"] * 3
    assert views(frame, (LENA, TOM), (TOM, LENA), at=2) == ["ill", "ill"]
    assert views(frame, (TOM,), at=1, close=True) == ["ill"]
    # Tom's face is open: all hear it.
    frame = story(LEARNS, scene(), faces={TOM: "open"}, ties={(LENA, ADA): "warm"})
    assert views(frame, (LENA, TOM), (RITA, TOM, ADA), at=2) == ["good", "good"]


def test_the_target_sets_the_friend_right() -> None:
    learns = scene(show(LENA, TOM, setting="aside"), present=(TOM, GUS, LENA))
    # Ada takes it gently and openly: Rita hears it, and that it moves Ada.
    frame = story(learns, scene())
    assert views(frame, (ADA,), (RITA, ADA), (LENA, TOM), at=2) == ["good"] * 3


def test_friends_speak_of_what_they_credited() -> None:
    # Gus tells Ada at the end of scene 1: plain, no axe to grind, gentle and open as she likes it.
    said = word(ADA, setting="open")
    frame = story(scene(present=APART, word=said), scene())
    assert views(frame, (ADA,), (TOM,), at=2) == ["good", "good"]
    # A first impression is not argued over.
    frame = story(scene(), scene(), ties={(ADA, RITA): "warm"})
    assert views(frame, (ADA,), (TOM,), at=2) == ["good", "ill"]


def test_a_credited_word_must_say_what_they_hold_now() -> None:
    # Ada credits Lena's good, then Gus's ill: she holds ill, and so does Tom. He hears nothing.
    first = tell(LENA, "good", ADA, tone="gentle")
    then = tell(GUS, "ill", ADA, tone="gentle")
    frame = story(scene(first, then, present=APART), scene())
    assert views(frame, (ADA,), (TOM,), at=2) == ["ill", "ill"]
    # Tom, warm to Rita, is told the ill; not the good that Ada had credited before.
    frame = story(scene(first, then, present=APART), scene(), ties={(TOM, RITA): "warm"})
    assert views(frame, (ADA,), (TOM,), (TOM, ADA), at=2) == ["ill", "ill", "ill"]


@pytest.mark.parametrize(
    ("to", "present", "expected"),
    [
        (LENA, EVERYBODY, "ill"),
        (LENA, (TOM, GUS, ADA), "good"),
        (TOM, EVERYBODY, "ill"),
        (RITA, (TOM, GUS, ADA, RITA), "ill"),
    ],
)
def test_promises_bind_friends(to: int, present: tuple[int, ...], expected: str) -> None:
    frame = story(LEARNS, scene(present=present), promises=[(ADA, to, 0)])
    assert views(frame, (TOM,), at=2) == [expected]


def test_a_promise_is_about_one_matter() -> None:
    frame = story(LEARNS, scene(), promises=[(ADA, LENA, 1), (TOM, LENA, 0)])
    assert views(frame, (TOM,), at=2) == ["good"]


def test_friends_do_not_speak_of_their_own_deeds() -> None:
    # Ada knows (is firm) that she meant matter 2 ill; Tom, warm to her, holds good.
    assert views(story(scene(), scene()), (TOM,), (ADA,), at=2, matter=2) == ["good", "ill"]


def test_friends_do_not_tell_whom_they_think_firm() -> None:
    # All see the proof but Lena, who is out. Whatever Tom says then, Ada knows that he knows (R2.1). If
    # she set him right (Tom's face is open), Lena would hear that Ada holds good.
    frame = story(
        scene(show(RITA, TOM), tell(TOM, "ill"), present=(TOM, GUS, RITA, ADA)),
        scene(),
        faces={TOM: "open"},
    )
    assert views(frame, (ADA, TOM), (ADA,), (LENA, ADA), at=2) == ["good", "good", "ill"]
    # Shown to Ada aside before, she does not know that he knows, takes him at his word, and tells him.
    frame = story(
        LEARNS,
        scene(show(RITA, TOM, setting="aside"), present=(TOM, GUS, RITA)),
        scene(tell(TOM, "ill"), present=(TOM, GUS, RITA, ADA)),
        scene(),
        faces={TOM: "open"},
    )
    assert views(frame, (ADA, TOM), (LENA, ADA), at=3) == ["ill", "good"]
    assert views(frame, (LENA, ADA), at=4) == ["good"]


def test_friends_act_on_what_they_think_the_other_thinks() -> None:
    # Tom has seen the proof, too, but Ada does not know: she tells him, openly, and Lena hears it.
    frame = story(
        scene(show(LENA, TOM, setting="aside"), present=(TOM, GUS, LENA)),
        LEARNS,
        scene(),
        faces={TOM: "open"},
    )
    assert views(frame, (RITA, ADA), at=3) == ["good"]
    # And a friend who thinks that the other thinks so, wrongly, says nothing: Tom said good.
    frame = story(scene(tell(TOM, "good")), LEARNS, scene())
    assert views(frame, (TOM,), (ADA, TOM), at=3) == ["ill", "good"]


def test_the_friend_comes_first() -> None:
    # Tom credits Lena's ill; Ada, warm to Rita, credits Gus's good. Each thinks that the other thinks
    # otherwise. Ada speaks first; Tom, moved to good, has nothing to say to her. The other way round
    # both would end with ill.
    frame = story(
        scene(
            tell(LENA, "ill", TOM, setting="aside", tone="gentle"),
            tell(GUS, "good", ADA, setting="aside", tone="gentle"),
        ),
        scene(),
        faces={ADA: "aside"},
        ties={(ADA, RITA): "warm"},
    )
    assert views(frame, (TOM,), (ADA,), (ADA, TOM), (TOM, ADA)) == ["ill", "good", "ill", "good"]
    assert views(frame, (TOM,), (ADA,), at=2) == ["good", "good"]


def test_friends_speak_when_they_come_together() -> None:
    enters: Json = {"kind": "enter", "who": TOM}
    leaves: Json = {"kind": "leave", "who": TOM}
    # Who comes later is not set right; who leaves later was.
    assert views(story(LEARNS, scene(enters, present=APART)), (TOM,), at=2) == ["ill"]
    assert views(story(LEARNS, scene(leaves)), (TOM,), at=2) == ["good"]
    # A promise binds before Lena if she is there at the beginning.
    promises = [(ADA, LENA, 0)]
    comes: Json = {"kind": "enter", "who": LENA}
    late = scene(comes, present=(TOM, GUS, ADA))
    assert views(story(LEARNS, late, promises=promises), (TOM,), at=2) == ["good"]


# R5, R6


FEELINGS = {
    ("ill", "with", "warm"): ("hurt", "ask", "withdraw"),
    ("ill", "with", "plain"): ("anger", "accuse", "gather"),
    ("ill", "against", "warm"): ("embarrassment", "make_up", "cover"),
    ("ill", "against", "cold"): ("glee", "press", "feed"),
    ("good", "with", "warm"): ("gratitude", "thank", "plead"),
    ("good", "with", "cold"): ("relief", "carry_on", "set_right"),
    ("good", "against", "warm"): ("envy", "ask_same", "play_down"),
    ("good", "against", "plain"): ("annoyance", "give_way", "stir"),
}


@pytest.mark.parametrize(("seen", "expected"), FEELINGS.items())
@pytest.mark.parametrize("backed", [True, False])
def test_feelings_and_intentions(
    seen: tuple[str, str, str], expected: tuple[str, str, str], backed: bool
) -> None:
    value, stake, tie = seen
    other = {"good": "ill", "ill": "good"}[value]
    # Ada is the bearer; she tells Tom the value, who believes her. Lena says openly what she makes of
    # it: Tom, plain to her, is not moved, but thinks that she thinks so (R2.1).
    frame = story(
        scene(
            tell(ADA, value, TOM, setting="aside", tone="gentle"),
            tell(LENA, value if backed else other),
        ),
        bearer=ADA,
        ties={(TOM, RITA): tie},
        against=[(TOM, 0)] if stake == "against" else [],
    )
    feeling, together, alone = expected
    assert shown(frame, "emotion", TOM) == feeling
    assert shown(frame, "intention", TOM) == (together if backed else alone)
    assert shown(frame, "backed", TOM) == ("yes" if backed else "no")


def test_the_lead_is_backed_by_the_bearer() -> None:
    frame = story(scene())
    assert shown(frame, "intention", LENA) == "accuse"  # (Lena), (Lena, Tom): ill
    frame = story(scene(tell(TOM, "good")))
    # Lena is plain to Tom, to whom she only listens: she stays, but thinks that Tom holds good.
    assert shown(frame, "intention", LENA) == "gather"


def test_one_can_think_wrongly_to_be_backed() -> None:
    # Lena sees the proof while Tom is out: he still thinks that she takes it as he does.
    frame = story(scene(show(RITA, LENA), present=APART), scene())
    assert shown(frame, "intention", TOM, at=1) == "accuse"
    assert views(frame, (LENA,), (TOM, LENA)) == ["good", "ill"]


def test_the_doer_has_no_feeling() -> None:
    evaluator = Evaluator(story(scene()))
    for kind in ("emotion", "intention", "manner", "stake"):
        with pytest.raises(EvaluationError, match="doer"):
            evaluator.value(of(kind, RITA))
    assert evaluator.value(of("emotion", RITA, matter=2)) == "anger"
    assert evaluator.value(of("backed", RITA)) == "no"  # knows it was good; (Rita, Lena): ill


# R7


@pytest.mark.parametrize(
    ("person", "present", "expected"),
    [
        (TOM, (TOM, GUS, RITA, LENA), "before_lead"),
        (TOM, (TOM, GUS, RITA), "face"),
        (TOM, (TOM, GUS, LENA), "to_lead"),
        (TOM, (TOM, GUS), "behind"),
        (LENA, (TOM, GUS, RITA, LENA), "face"),
        (LENA, (GUS, LENA), "behind"),
        (ADA, (GUS, RITA, ADA, LENA), "held"),
        (ADA, (GUS, RITA, ADA), "face"),
        (GUS, (GUS, LENA), "to_lead"),
    ],
)
def test_manners(person: int, present: tuple[int, ...], expected: str) -> None:
    frame = story(scene(present=present), promises=[(ADA, LENA, 0)])
    assert shown(frame, "manner", person) == expected


def test_manner_depends_on_who_is_there_at_the_state() -> None:
    leaves: Json = {"kind": "leave", "who": RITA}
    frame = story(scene(leaves))
    assert shown(frame, "manner", TOM) == shown(frame, "manner", TOM, close=True) == "to_lead"
    with pytest.raises(EvaluationError, match="not present"):
        shown(story(scene(present=APART)), "manner", TOM)


def test_stakes() -> None:
    evaluator = Evaluator(story(scene(), against=[(LENA, 1)]))
    asked: Json = {"kind": "stake", "person": LENA, "matter": 1}
    assert evaluator.value(asked) == "against"
    assert evaluator.value({**asked, "matter": 0}) == "with"


# R8


def test_all_decide_before_anybody_speaks() -> None:
    # Ada, warm to Rita, holds good; Lena is thought by all to hold ill. Tom is angry and backed:
    # accuses. Ada is grateful and alone: pleads. Lena accuses (backed by Tom). Tom and Ada are warm to
    # each other, but both speak, so neither is moved; Lena is plain to both, and speaks, too.
    frame = story(scene(topic=0), ties={(ADA, RITA): "warm"})
    assert shown(frame, "intention", TOM) == "accuse"
    assert shown(frame, "intention", ADA) == "plead"
    assert views(frame, (TOM,), (ADA,), (LENA,)) == ["ill", "good", "ill"]
    assert views(frame, (TOM,), (ADA,), (LENA,), close=True) == ["ill", "good", "ill"]
    # (Tom, Ada): Ada says good. (Ada, Tom): Tom says ill. Speakers are taken at their word.
    assert views(frame, (TOM, ADA), (ADA, TOM), close=True) == ["good", "ill"]


def in_a_round(
    *happenings: Json,
    ties: Mapping[tuple[int, int], str] | None = None,
    against: Iterable[tuple[int, int]] = ((LENA, 0),),
    then: Iterable[Json] = (),
) -> Json:
    """Tom, whom a promise to Rita holds, hears what Ada and Lena say of matter 0, both warm to him.

    Ada, warm to Rita, holds good and is with Tom: gratitude, so she thanks or pleads (good). Lena, plain
    to Rita, holds ill and is against him: glee, so she presses or feeds the talk (ill).
    """
    return story(
        scene(*happenings, topic=0),
        *then,
        ties={(ADA, RITA): "warm", (TOM, LENA): "warm", **(ties or {})},
        against=against,
        promises=[(TOM, RITA, 0)],
    )


@pytest.mark.parametrize(("to_rita", "stays"), [("plain", "ill"), ("warm", "good")])
def test_friends_who_contradict_each_other_leave_one_as_one_was(to_rita: str, stays: str) -> None:
    # R0: Tom holds ill if he is plain to Rita, good if he is warm. Ada says good and Lena says ill.
    frame = in_a_round(ties={(TOM, RITA): to_rita})
    assert shown(frame, "manner", TOM) == "held"
    assert shown(frame, "intention", ADA) == "plead"  # (Ada, Lena) is ill
    assert shown(frame, "intention", LENA) == ("press" if stays == "ill" else "feed")  # (Lena, Tom)
    chains = ((TOM,), (LENA, TOM), (TOM, ADA, TOM))
    assert views(frame, *chains, close=True) == [stays] * 3
    assert views(frame, (TOM, ADA), (TOM, LENA), close=True) == ["good", "ill"]


@pytest.mark.parametrize("tie", ["plain", "cold"])
def test_who_would_not_move_one_contradicts_nobody(tie: str) -> None:
    # Said to nobody, only friends move: Lena is none of Tom's now, and Ada's good goes through.
    frame = in_a_round(ties={(TOM, LENA): tie})
    assert views(frame, (TOM,)) == ["ill"]
    assert views(frame, (TOM,), (RITA, TOM), (TOM, LENA), close=True) == ["good", "good", "ill"]


@pytest.mark.parametrize("speaker", [ADA, LENA])
@pytest.mark.parametrize("alike", [True, False])
def test_friends_who_say_the_same_are_all_credited(speaker: int, alike: bool) -> None:
    # Ada is plain to Rita, holds ill as Lena does, and accuses (anger; (Ada, Lena) is ill). Tom, who
    # held ill anyway, credits both. In scene 2 he sees that it was good: both are found out, and what
    # either tells him of matter 1 is not believed. Where Ada is warm to Rita and pleads, he credits
    # nobody, and nobody is found out.
    frame = in_a_round(
        ties={(ADA, RITA): "plain" if alike else "warm"},
        then=[
            scene(
                show(RITA, TOM, setting="aside"),
                tell(speaker, "good", TOM, matter=1, setting="aside", tone="gentle"),
            )
        ],
    )
    # Lena, plain to Rita, has no axe to grind; a friend is believed also with one (R2).
    assert views(frame, (TOM,), at=2, matter=1) == ["ill" if alike else "good"]


def test_who_speaks_is_not_moved_by_friends_who_speak() -> None:
    # Ada and Lena are warm to each other, too: neither moves the other.
    frame = in_a_round(ties={(ADA, LENA): "warm"})
    chains = ((ADA,), (LENA,), (ADA, LENA), (LENA, ADA), (TOM, ADA, LENA))
    assert views(frame, *chains, close=True) == ["good", "ill", "ill", "good", "ill"]


def test_who_was_found_out_contradicts_nobody() -> None:
    # Tom credits Lena's good on matter 1, and is shown aside that it was ill: what she says is nothing
    # to him. Ada heard none of it, and takes him to have friends on both sides.
    lie = tell(LENA, "good", TOM, matter=1, setting="aside", tone="gentle")
    frame = in_a_round(lie, show(RITA, TOM, matter=1, setting="aside"))
    assert views(frame, (TOM,), (ADA, TOM), close=True) == ["good", "ill"]


def test_a_promise_keeps_silent() -> None:
    # Tom is held, and listens: Ada's pleading moves him. Nobody contradicts her whom he cares for.
    kept = [(TOM, RITA, 0)]
    frame = story(scene(topic=0), ties={(ADA, RITA): "warm"}, promises=kept)
    assert shown(frame, "manner", TOM) == "held"
    assert views(frame, (TOM,), (ADA,), close=True) == ["good", "good"]
    # Rita is not there: Tom accuses, and who speaks is not moved.
    frame = story(
        scene(topic=0, present=(TOM, GUS, ADA, LENA)), ties={(ADA, RITA): "warm"}, promises=kept
    )
    assert shown(frame, "manner", TOM) == "to_lead"
    assert views(frame, (TOM,), (ADA,), close=True) == ["ill", "good"]


def test_who_covers_says_what_they_do_not_believe() -> None:
    # Lena tells all that it was good. Tom, warm to Rita and against the bearer Ada, believes Ada's
    # ill: embarrassment. He thinks that Lena holds good: alone, covers, and says good.
    frame = story(
        scene(tell(ADA, "ill", TOM, setting="aside", tone="gentle"), tell(LENA, "good"), topic=0),
        bearer=ADA,
        ties={(TOM, RITA): "warm"},
        against=[(TOM, 0)],
    )
    assert shown(frame, "intention", TOM) == "cover"
    # Tom is taken at his word. Ada holds ill (plain to Rita): anger; (Ada, Lena) is good: gathers, says
    # nothing. She is warm to Tom, hears good, and is moved. Tom's own view stays.
    assert views(frame, (LENA, TOM), (RITA, TOM)) == ["good", "good"]
    assert views(frame, (ADA, TOM), (TOM,), (ADA,)) == ["ill", "ill", "ill"]
    assert views(frame, (ADA, TOM), (TOM,), (ADA,), close=True) == ["good", "ill", "good"]


def test_doer_and_guide_do_not_speak() -> None:
    # Gus is warm to Rita: grateful, alone (thinks Lena holds ill), would plead. Tom is warm to Gus.
    frame = story(
        scene(topic=0, present=(TOM, GUS, RITA)), ties={(GUS, RITA): "warm", (TOM, GUS): "warm"}
    )
    assert shown(frame, "intention", GUS) == "plead"
    assert views(frame, (TOM,), close=True) == ["ill"]


# R9 and reception


def receives(frame: Json, person: int, at: int = 1) -> str:
    return Evaluator(frame).value({"kind": "reception", "person": person, "scene": at})


def test_a_word_that_is_credited() -> None:
    frame = story(scene(word=word(TOM)))
    assert receives(frame, TOM) == "credits"
    assert views(frame, (TOM,), (GUS, TOM), (TOM, GUS)) == ["ill", "ill", "ill"]
    assert views(frame, (TOM,), (GUS, TOM), (TOM, GUS), close=True) == ["good"] * 3
    assert views(frame, (LENA, TOM), (LENA, GUS), close=True) == ["ill", "ill"]


def test_a_word_to_somebody_who_closes_up() -> None:
    # Open and gentle to Tom, who takes it aside. Ada, warm to Gus, stands by: it is not for her. All
    # know now that Gus holds good.
    frame = story(scene(word=word(TOM, setting="open")), ties={(ADA, GUS): "warm"})
    assert receives(frame, TOM) == "closes_up"
    assert views(frame, (TOM,), (ADA, TOM), (ADA,), close=True) == ["ill", "ill", "ill"]
    assert views(frame, (TOM, GUS), (ADA, GUS), (ADA, TOM, GUS), close=True) == ["good"] * 3
    assert receives(story(scene(word=word(TOM, tone="plain"))), TOM) == "closes_up"


def test_a_word_that_is_distrusted() -> None:
    for ties in ({(TOM, GUS): "cold"}, {(GUS, RITA): "warm"}):
        assert receives(story(scene(word=word(TOM)), ties=ties), TOM) == "distrusts"
        # Distrust goes before tone and setting.
        frame = story(scene(word=word(TOM, setting="open", tone="plain")), ties=ties)
        assert receives(frame, TOM) == "distrusts"
    # A guide who is cold to the doer has an axe to grind where it was meant ill; not where good.
    ties = {(GUS, RITA): "cold"}
    assert receives(story(scene(word=word(TOM)), ties=ties, meant="ill"), TOM) == "distrusts"
    assert receives(story(scene(word=word(TOM)), ties=ties), TOM) == "credits"
    # Warm people take it from a friend of the doer.
    ties = {(GUS, RITA): "warm", (GUS, TOM): "warm"}
    assert receives(story(scene(word=word(TOM)), ties=ties), TOM) == "credits"


def test_a_guide_who_was_found_out() -> None:
    lie = tell(GUS, "ill", TOM, setting="aside", tone="gentle")
    frame = story(scene(lie, show(LENA, TOM), word=word(TOM, matter=1)), ties={(TOM, GUS): "warm"})
    assert receives(frame, TOM) == "distrusts"


def test_who_knows_goes_first() -> None:
    frame = story(scene(show(RITA, TOM), word=word(TOM)), ties={(TOM, GUS): "cold"})
    assert receives(frame, TOM) == "knows"
    assert receives(story(scene(word=word(RITA))), RITA) == "knows"


def test_reception_is_just_before_the_word() -> None:
    # Ada's pleading (R8) comes before the word; it makes nobody firm, and Tom credits both.
    frame = story(scene(topic=0, word=word(TOM)), ties={(ADA, RITA): "warm"})
    assert receives(frame, TOM) == "credits"
    with pytest.raises(EvaluationError, match="not said to 4"):
        receives(frame, LENA)
    with pytest.raises(EvaluationError, match="not said to 0"):
        receives(story(scene()), TOM)


def test_what_if_the_guide_had_said_otherwise() -> None:
    evaluator = Evaluator(story(scene(word=word(TOM)), scene(), scene()))
    end = view(TOM, at=3)
    assert evaluator.value(end) == "good"
    assert evaluator.value(end, {1: None}) == "ill"
    assert evaluator.value(end, {1: None, 2: word(TOM)}) == "good"
    assert evaluator.value(end, {1: None, 3: word(TOM)}) == "ill"  # after the state of scene 3
    assert evaluator.value(view(TOM, at=3, close=True), {1: None, 3: word(TOM)}) == "good"
    # Ada hears it in scene 2 from Tom (R4), who credited it, and only then.
    assert evaluator.value(view(ADA, at=2)) == "good"
    assert evaluator.value(view(ADA, at=2), {1: word(TOM, setting="open")}) == "ill"


# Changed


def test_changed_since_just_before_the_word() -> None:
    # A promise to Rita holds Tom, and Ada's pleading (R8) makes him hold good before the word: nothing
    # changes for him. In scene 2 she tells him ill.
    told = tell(ADA, "ill", TOM, setting="aside", tone="gentle")
    frame = story(
        scene(topic=0, word=word(TOM)),
        scene(told),
        ties={(ADA, RITA): "warm"},
        promises=[(TOM, RITA, 0)],
    )
    evaluator = Evaluator(frame)

    def changed(what: Json, words: dict[int, Any] | None = None, since: int = 1) -> str:
        return evaluator.value({"kind": "changed", "what": what, "since": since}, words or {})

    assert changed(view(TOM, at=1, close=True)) == "no"
    assert changed(view(TOM, GUS, at=1, close=True)) == "yes"
    assert changed(view(TOM, GUS, at=2)) == "yes"
    assert changed(view(TOM, GUS, at=2), {1: None}) == "no"
    # Feeling: relief before and after. Tom thinks that Lena holds ill: set_right, before and after.
    assert changed(of("emotion", TOM, at=1, close=True)) == "no"
    assert changed(of("intention", TOM, at=1, close=True)) == "no"
    # Ada's ill: anger. Lena accused in scene 1, so that he thinks to be backed: accuse.
    assert changed(of("emotion", TOM, at=2)) == "yes"
    assert changed(of("intention", TOM, at=2)) == "yes"
    assert evaluator.value(of("intention", TOM, at=2)) == "accuse"


def test_changed_feelings_and_intentions() -> None:
    evaluator = Evaluator(story(scene(word=word(TOM)), scene(word=word(LENA, tone="plain"))))
    for kind in ("emotion", "intention"):
        for what in (of(kind, TOM, at=1, close=True), of(kind, TOM, at=2)):
            asked: Json = {"kind": "changed", "what": what, "since": 1}
            assert evaluator.value(asked) == "yes"
            assert evaluator.value(asked, {1: word(TOM, tone="plain")}) == "no"
    # Lena credits the word (plain, no axe to grind). Before: ill, and (Lena, Tom) ill.
    asked = {"kind": "changed", "what": of("intention", LENA, at=2, close=True), "since": 2}
    assert evaluator.value(asked) == "yes"
    for what in (of("emotion", TOM, at=2), of("manner", TOM, at=2, close=True)):
        with pytest.raises(EvaluationError):
            evaluator.value({"kind": "changed", "what": what, "since": 2})


# Questions


def test_guidance_with_aim_and_guard() -> None:
    # Tom shall hold good in scene 2, and Ada not, but think as she would without a word. Aside to Tom
    # moves him, and he tells Ada then (R4), unless he has promised.
    frame = story(
        scene(word=word(TOM, tone="plain")),
        scene(),
        promises=[(TOM, LENA, 0)],
    )
    evaluator = Evaluator(frame)
    options = [
        {"word": word(TOM)},  # right
        {"word": word(TOM, setting="open")},  # closes up, and Lena hears what Gus holds
        {"word": None},
        {"word": word(LENA, tone="plain")},
        {"word": word(TOM, matter=1)},  # another matter
    ]
    asked: Json = {
        "type": "guidance_action",
        "state": "view",
        "scene": 1,
        "aim": [
            {"of": view(TOM, at=2), "is": "good"},
            {"of": view(ADA, at=2), "is_not": "good"},
        ],
    }
    assert evaluator.right(asked, options) == [True, False, False, False, False]
    # Lena shall know what Gus holds: by a word to her, or by an open word to Tom, which closes him up.
    # The guard keeps what Tom thinks of Gus as it would be without a word.
    asked["aim"] = [{"of": view(LENA, GUS, at=2), "is": "good"}]
    assert evaluator.right(asked, options) == [False, True, False, True, False]
    asked["guard"] = [view(TOM, GUS, at=2)]
    assert evaluator.right(asked, options) == [False, False, False, True, False]


def test_guards_compare_with_silence_not_with_the_story() -> None:
    frame = story(scene(word=word(TOM)), scene())
    asked: Json = {
        "type": "guidance_action",
        "scene": 1,
        "aim": [{"of": {"kind": "present", "person": TOM, "scene": 2}, "is": "yes"}],
        "guard": [view(TOM, at=2)],
    }
    options: list[Json] = [{"word": word(TOM)}, {"word": None}, {"word": word(TOM, tone="plain")}]
    assert Evaluator(frame).right(asked, options) == [False, True, True]


@pytest.mark.parametrize("kind", ["transition_state", "transition_reason"])
def test_transitions_in_the_exchanged_world(kind: str) -> None:
    frame = story(scene(word=word(TOM)), scene())
    options = [
        [{"of": view(TOM, at=2), "is": "good"}],
        [{"of": view(TOM, at=2), "is": "ill"}, {"of": of("emotion", TOM, at=2), "is": "anger"}],
        [{"of": view(TOM, at=2), "is": "ill"}, {"of": of("emotion", TOM, at=2), "is": "relief"}],
        [{"of": {"kind": "reception", "person": TOM, "scene": 1}, "is": "closes_up"}],
    ]
    asked: Json = {"type": kind, "words": {"1": word(TOM, tone="plain")}}
    assert Evaluator(frame).right(asked, options) == [False, True, False, True]
    asked["words"] = {}
    assert Evaluator(frame).right(asked, options) == [True, False, False, False]


def test_plans() -> None:
    frame = story(scene(word=word(TOM)), scene())
    asked: Json = {
        "type": "transition_plan",
        "aim": [
            {"of": view(TOM, at=2, close=True), "is": "good"},
            {"of": view(LENA, at=2, close=True), "is": "good"},
        ],
    }
    both = {"1": word(TOM), "2": word(LENA, tone="plain")}
    options = [
        {"words": both},
        {"words": {"1": word(TOM), "2": None}},
        {"words": {"1": None, "2": word(LENA, tone="plain")}},
        {"words": {"1": word(LENA, tone="plain"), "2": word(TOM)}},
    ]
    assert Evaluator(frame).right(asked, options) == [True, False, False, True]
    with pytest.raises(EvaluationError, match="each scene"):
        Evaluator(frame).right(asked, [{"words": {"1": word(TOM)}}])


# What contradicts the page


def broken(change: Mapping[str, Any], **settings: Any) -> Json:
    return {**story(scene(), **settings), **change}


def uneven_ties() -> list[list[str]]:
    ties: list[list[str]] = copy.deepcopy(story(scene())["ties"])
    ties[TOM][LENA] = "cold"
    return ties


@pytest.mark.parametrize(
    "frame",
    [
        broken({"lead": RITA}),
        broken({"lead": 7}),
        broken({"ties": uneven_ties()}),
        broken({}, ties={(TOM, ADA): "plain"}),
        broken({}, bearer=LENA),
        broken({}, bearer=RITA),
        broken({}, against=[(TOM, 0)]),
        broken({}, promises=[(ADA, LENA, 0), (LENA, RITA, 0), (RITA, ADA, 0)]),
        broken({}, promises=[(ADA, ADA, 0)]),
        broken({"scenes": [scene(present=(TOM,))]}),
        broken({"scenes": [scene({"kind": "leave", "who": GUS})]}),
        broken({"scenes": [scene({"kind": "enter", "who": TOM})]}),
        broken({"scenes": [scene({"kind": "sing", "who": TOM})]}),
        broken({"scenes": [scene(tell(TOM, "ill", LENA), present=(GUS, LENA))]}),
        broken({"scenes": [scene(tell(LENA, "ill", TOM), present=(GUS, LENA))]}),
        broken({"scenes": [scene(tell(LENA, "ill", setting="aside"))]}),
        broken({"scenes": [scene(tell(LENA, "ill", chance=TOM))]}),
        broken({"scenes": [scene(tell(LENA, "meh"))]}),
        broken({"scenes": [scene(word=word(GUS))]}),
        broken({"scenes": [scene(word=word(TOM), present=(GUS,))]}),
        broken({"scenes": [scene(topic=3)]}),
        broken({"matters": story(scene())["matters"][::-1]}),
        broken({"matters": [{**m, "meant": "good"} for m in story(scene())["matters"]]}),
    ],
)
def test_frames_that_cannot_be(frame: Json) -> None:
    with pytest.raises(EvaluationError):
        Evaluator(frame)


@pytest.mark.parametrize(
    "variable",
    [
        view(TOM, TOM),
        view(),
        view(TOM, ADA, TOM, ADA),
        view(TOM, 9),
        view(TOM, at=0),
        view(TOM, at=2),
        view(TOM, matter=3),
        {"kind": "mood", "person": TOM, "matter": 0, "scene": 1},
        {"kind": "emotion", "person": TOM, "scene": 1},
    ],
)
def test_variables_that_cannot_be(variable: Json) -> None:
    with pytest.raises(EvaluationError):
        Evaluator(story(scene())).value(variable)


def test_questions_that_cannot_be() -> None:
    evaluator = Evaluator(story(scene()))
    claim: Json = {"of": view(TOM), "is": "good"}
    asked: Json = {"type": "transition_state", "words": {}}
    assert evaluator.right(asked, [[claim]]) == [False]
    with pytest.raises(EvaluationError):
        evaluator.right({**asked, "type": "riddle"}, [[claim]])
    with pytest.raises(EvaluationError):
        evaluator.right({**asked, "words": {"2": None}}, [[claim]])
    for wrong in ({**claim, "is": "relief"}, {"of": view(TOM)}, {**claim, "is_not": "ill"}):
        if "is_not" in wrong:
            del wrong["is"]  # a claim says what is
        with pytest.raises(EvaluationError):
            evaluator.right(asked, [[wrong]])
    with pytest.raises(EvaluationError):
        evaluator.right(asked, [[]])


# Properties


def every_chain(size: int) -> list[tuple[int, ...]]:
    return [
        chain
        for length in (1, 2, 3)
        for chain in itertools.product(range(size), repeat=length)
        if all(a != b for a, b in itertools.pairwise(chain))
    ]


def any_word(rng: random.Random, present: Iterable[int], matters: int) -> Json | None:
    people = [person for person in present if person != GUS]
    if not people or rng.random() < 0.15:
        return None
    return word(
        rng.choice(people),
        matter=rng.randrange(matters),
        setting=rng.choice(("aside", "open")),
        tone=rng.choice(("gentle", "plain")),
    )


def any_scene(rng: random.Random, size: int) -> Json:
    present = [GUS] + [p for p in range(size) if p != GUS and rng.random() < 0.75]
    now, happenings = set(present), []
    for _ in range(rng.randrange(5)):
        move, speaker = rng.random(), rng.choice(sorted(now))
        others = sorted(now - {speaker})
        if move < 0.3:
            who = rng.choice([p for p in range(size) if p != GUS])
            happenings.append({"kind": "leave" if who in now else "enter", "who": who})
            now ^= {who}
        elif not others:
            continue
        elif move < 0.45:
            setting = rng.choice(("aside", "open"))
            to, matter = rng.choice(others), rng.randrange(3)
            happenings.append(show(speaker, to, matter=matter, setting=setting))
        else:
            setting = rng.choice(("aside", "open"))
            addressee = rng.choice(others) if setting == "aside" else rng.choice([None, *others])
            hear = {speaker, addressee} if setting == "aside" else now
            unseen = [p for p in range(size) if p not in hear]
            chance = rng.choice(unseen) if unseen and rng.random() < 0.4 else None
            happenings.append(
                tell(
                    speaker,
                    rng.choice(("good", "ill")),
                    addressee,
                    matter=rng.randrange(3),
                    setting=setting,
                    tone=rng.choice(("gentle", "plain")),
                    chance=chance,
                )
            )
    return scene(
        *happenings, present=present, topic=rng.randrange(3), word=any_word(rng, sorted(now), 3)
    )


def any_frame(rng: random.Random) -> Json:
    size = rng.randint(4, 6)
    lead = rng.choice([p for p in range(size) if p not in (TOM, RITA, GUS)])
    doers = [RITA, RITA, rng.choice([p for p in range(size) if p not in (GUS, RITA, lead)])]
    meant = [*rng.choice((("good", "ill"), ("ill", "good"))), rng.choice(("good", "ill"))]
    matters = [
        {
            "doer": doer,
            "bearer": rng.choice([p for p in range(size) if p not in (GUS, doer, lead)]),
            "meant": value,
        }
        for doer, value in zip(doers, meant, strict=True)
    ]
    ties = [[""] * size for _ in range(size)]
    for a, b in itertools.combinations(range(size), 2):
        tie = rng.choice(("warm", "warm", "plain", "plain", "cold"))
        ties[a][b] = ties[b][a] = "warm" if (a, b) == (TOM, ADA) else tie
    roles = ["target", "guide", "rival", "friend", "bystander", "bystander"][:size]
    return {
        "people": [
            {
                "name": f"Person {place}",
                "role": role,
                "ear": rng.choice(("gentle", "plain")),
                "face": rng.choice(("aside", "open")),
            }
            for place, role in enumerate(roles)
        ],
        "lead": lead,
        "ties": ties,
        "matters": matters,
        "stakes": [
            ["with" if p == m["bearer"] else rng.choice(("with", "against")) for m in matters]
            for p in range(size)
        ],
        "promises": [
            {"by": by, "to": by + 1, "matter": rng.randrange(3)}
            for by in range(size - 1)
            if rng.random() < 0.2
        ],
        "scenes": [any_scene(rng, size) for _ in range(rng.randint(2, 6))],
    }


frames = st.integers(0, 2**32).map(lambda seed: any_frame(random.Random(seed)))


def ever_aware(row: Json) -> set[int]:
    """Who was there at any time of a scene, or overheard something."""
    aware = set(row["present"])
    for happening in row["happenings"]:
        aware |= {happening.get("who"), happening.get("chance")} - {None}
    return aware


@given(frames)
def test_who_hears_nothing_changes_no_view(frame: Json) -> None:
    evaluator, size = Evaluator(frame), len(frame["people"])
    for at in range(2, len(frame["scenes"]) + 1):
        unaware = set(range(size)) - ever_aware(frame["scenes"][at - 1])
        for chain in every_chain(size):
            if chain[0] in unaware:
                for matter in range(3):
                    before = evaluator.value(view(*chain, matter=matter, at=at - 1, close=True))
                    for close in (False, True):
                        now = evaluator.value(view(*chain, matter=matter, at=at, close=close))
                        assert now == before


@given(frames)
def test_that_somebody_overhears_is_their_secret(frame: Json) -> None:
    """In the state of the scene; later it shows in what they do."""
    size = len(frame["people"])
    for number, row in enumerate(frame["scenes"], 1):
        overhear = {h.get("chance") for h in row["happenings"]} - {None}
        if not overhear:
            continue
        changed = copy.deepcopy(frame)
        for happening in changed["scenes"][number - 1]["happenings"]:
            happening["chance"] = None
        one, other = Evaluator(frame), Evaluator(changed)
        for chain in every_chain(size):
            if chain[0] not in overhear or chain[0] in chain[1:]:
                for matter in range(3):
                    asked = view(*chain, matter=matter, at=number)
                    assert one.value(asked) == other.value(asked)


def all_values(frame: Json) -> list[str]:
    evaluator, size = Evaluator(frame), len(frame["people"])
    moments = range(1, len(frame["scenes"]) + 1)
    return [
        evaluator.value(view(*chain, matter=matter, at=at, close=close))
        for at in moments
        for close in (False, True)
        for chain in every_chain(size)
        for matter in range(3)
    ]


@given(frames)
def test_names_do_not_matter(frame: Json) -> None:
    renamed = copy.deepcopy(frame)
    for person, other in zip(renamed["people"], frame["people"][::-1], strict=True):
        person["name"] = other["name"]
    assert all_values(renamed) == all_values(frame)


@given(frames)
def test_the_order_of_asking_does_not_matter(frame: Json) -> None:
    """Minds are worked out when they are asked for: late before early gives the same."""
    size, last = len(frame["people"]), len(frame["scenes"])
    asked = [
        view(*chain, matter=matter, at=at, close=close)
        for at in range(1, last + 1)
        for close in (False, True)
        for chain in every_chain(size)
        for matter in range(3)
    ]
    evaluator = Evaluator(frame)
    backward = [evaluator.value(variable) for variable in reversed(asked)]
    assert backward[::-1] == all_values(frame)


@given(frames, st.integers(0, 2**32))
def test_words_after_a_moment_do_not_matter(frame: Json, seed: int) -> None:
    rng, size = random.Random(seed), len(frame["people"])
    evaluator = Evaluator(frame)
    at = rng.randint(1, len(frame["scenes"]))
    words = dict.fromkeys(range(at, len(frame["scenes"]) + 1))
    for chain in every_chain(size):
        asked = view(*chain, at=at)
        assert evaluator.value(asked, words) == evaluator.value(asked)


@given(frames)
def test_who_has_seen_proof_is_not_talked_out_of_it(frame: Json) -> None:
    """Doers and the guide always know; so does, of themselves, who was shown it."""
    evaluator = Evaluator(frame)
    for number, row in enumerate(frame["scenes"], 1):
        shows = [h for h in row["happenings"] if h["kind"] == "show"]
        knowing = [(h["to"], h["matter"]) for h in shows] + [
            (h["speaker"], h["matter"]) for h in shows
        ]
        knowing += [(m["doer"], n) for n, m in enumerate(frame["matters"])]
        knowing += [(GUS, n) for n in range(3)]
        for person, matter in knowing:
            for at in range(number, len(frame["scenes"]) + 1):
                value = evaluator.value(view(person, matter=matter, at=at, close=True))
                assert value == frame["matters"][matter]["meant"]
