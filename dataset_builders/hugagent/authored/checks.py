"""All proofs by stage, as the pipeline names them, and the texts that must be a unit's own."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Final, TypeAlias

from otherminds.dataset_builders.constructed import Unit
from otherminds.dataset_builders.hugagent.authored import form, portrait, silence, telling
from otherminds.dataset_builders.hugagent.authored.given import Given
from otherminds.dataset_builders.hugagent.features import TOPICS
from otherminds.dataset_builders.proofs import Fault, Find, Proof

Reply: TypeAlias = Mapping[str, Any]

PORTRAIT: Final = "portrait"
STAGES: Final = (PORTRAIT, *TOPICS)
"""The stages of authors: who somebody is, then an interview on each topic."""

_PORTRAIT: Final = (
    Proof("people", portrait.people),
    Proof("counts", portrait.counts),
    Proof("demographics", portrait.known),
    Proof("untold", portrait.untold, "audit"),
)


def _interview(topic: str) -> tuple[Proof, ...]:
    """The proofs of the interview on a topic."""

    def given(find: Callable[[Given, Reply], Iterable[Fault]]) -> Find:
        return lambda unit, reply: find(Given.of(unit, topic), reply)

    def told_before(unit: Unit, reply: Reply) -> Iterable[Fault]:
        return silence.told_before(unit, reply, [name for name in TOPICS if name != topic])

    return (
        Proof("plan", given(form.plan)),
        Proof("names", given(telling.names)),
        Proof("carried", given(telling.carried)),
        Proof("named", given(telling.named)),
        Proof("directions", given(telling.directions)),
        Proof("stated", given(telling.stated)),
        Proof("hinted", given(telling.hinted)),
        Proof("again", given(telling.again)),
        Proof("levels", given(telling.levels)),
        Proof("unplanned", given(silence.unplanned)),
        Proof("demographics", given(silence.known)),
        Proof("lengths", given(form.lengths)),
        Proof("questions", given(form.questions)),
        Proof("masked", given(silence.masked), "audit"),
        Proof("opinions", given(silence.opinions), "audit"),
        Proof("later", given(silence.later), "audit"),
        Proof("leaks", given(form.leaks), "audit"),
        Proof("formulas", given(form.formulas), "audit"),
        Proof("items_copied", given(silence.items_copied), "audit"),
        Proof("told_before", told_before, "audit"),
    )


PROOFS: Final[Mapping[str, tuple[Proof, ...]]] = {
    PORTRAIT: _PORTRAIT,
    **{topic: _interview(topic) for topic in TOPICS},
}
"""By stage of authors."""


def of_stage(stage: str, unit: Unit, reply: Reply) -> Iterator[Fault]:
    """What the proofs of a stage say against a reply."""
    for proof in PROOFS[stage]:
        yield from proof.find(unit, reply)


def texts_of(stage: str, reply: Reply) -> list[str]:
    """The texts of a reply that must be the unit's own: the interviewer's questions are everybody's."""
    if stage == PORTRAIT:
        return [text for _, text in portrait.parts(reply)]
    return [one["answer"] for one in reply["exchanges"]]
