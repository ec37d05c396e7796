"""All proofs by stage, as the pipeline names them, and the texts that must be a unit's own."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Final, Literal, NamedTuple, TypeAlias

from otherminds.dataset_builders.constructed import Unit
from otherminds.dataset_builders.hugagent.authored import form, portrait, silence, telling
from otherminds.dataset_builders.hugagent.authored.given import Given
from otherminds.dataset_builders.hugagent.authored.texts import Fault
from otherminds.dataset_builders.hugagent.features import TOPICS

Reply: TypeAlias = Mapping[str, Any]
Find: TypeAlias = Callable[[Unit, str, Reply], Iterable[Fault]]

PORTRAIT: Final = "portrait"
STAGES: Final = (PORTRAIT, *TOPICS)
"""The stages of authors: who somebody is, then an interview on each topic."""


class Proof(NamedTuple):
    """A check: its name, what it finds, and whether it is an audit (a text gives nothing away)."""

    name: str
    find: Find
    kind: Literal["proof", "audit"] = "proof"


def _of_unit(find: Callable[[Unit, Reply], Iterable[Fault]]) -> Find:
    return lambda unit, stage, reply: find(unit, reply)


def _of_topic(find: Callable[[Given, Reply], Iterable[Fault]]) -> Find:
    return lambda unit, stage, reply: find(Given.of(unit, stage), reply)


def _told_before(unit: Unit, stage: str, reply: Reply) -> Iterable[Fault]:
    return silence.told_before(unit, reply, [name for name in TOPICS if name != stage])


_PORTRAIT: Final = (
    Proof("people", _of_unit(portrait.people)),
    Proof("counts", _of_unit(portrait.counts)),
    Proof("demographics", _of_unit(portrait.known)),
    Proof("untold", _of_unit(portrait.untold), "audit"),
)
_INTERVIEW: Final = (
    Proof("plan", _of_topic(form.plan)),
    Proof("names", _of_topic(telling.names)),
    Proof("carried", _of_topic(telling.carried)),
    Proof("named", _of_topic(telling.named)),
    Proof("directions", _of_topic(telling.directions)),
    Proof("stated", _of_topic(telling.stated)),
    Proof("hinted", _of_topic(telling.hinted)),
    Proof("again", _of_topic(telling.again)),
    Proof("levels", _of_topic(telling.levels)),
    Proof("unplanned", _of_topic(silence.unplanned)),
    Proof("demographics", _of_topic(silence.known)),
    Proof("lengths", _of_topic(form.lengths)),
    Proof("questions", _of_topic(form.questions)),
    Proof("masked", _of_topic(silence.masked), "audit"),
    Proof("opinions", _of_topic(silence.opinions), "audit"),
    Proof("later", _of_topic(silence.later), "audit"),
    Proof("leaks", _of_topic(form.leaks), "audit"),
    Proof("formulas", _of_topic(form.formulas), "audit"),
    Proof("items_copied", _of_topic(silence.items_copied), "audit"),
    Proof("told_before", _told_before, "audit"),
)

PROOFS: Final[Mapping[str, tuple[Proof, ...]]] = {
    PORTRAIT: _PORTRAIT,
    **dict.fromkeys(TOPICS, _INTERVIEW),
}
"""By stage of authors."""


def of_stage(stage: str, unit: Unit, reply: Reply) -> Iterator[Fault]:
    """What the proofs of a stage say against a reply."""
    for proof in PROOFS[stage]:
        yield from proof.find(unit, stage, reply)


def texts_of(stage: str, reply: Reply) -> list[str]:
    """The texts of a reply that must be the unit's own: the interviewer's questions are everybody's."""
    if stage == PORTRAIT:
        return [text for _, text in portrait.parts(reply)]
    return [one["answer"] for one in reply["exchanges"]]
