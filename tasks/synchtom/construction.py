"""How users with a wrong belief are written: SynchToM's two stages, validation and rubrics.

    raw item  →  scenario  →  trajectory  →  validation  →  rubrics  →  rubric audit
                    ↑______________↑______________|            ↑____________|

Profile and truth are the raw item's. An author writes the belief that hides the truth, what the user
saw and asks for, ten turns, and the criteria; validators who wrote none of it score it and look at each
criterion, and send back what does not hold.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import zip_longest
from typing import Any, Final

import numpy as np

from otherminds import prompts
from otherminds.construct import (
    Ask,
    Check,
    Content,
    Draft,
    Marking,
    Pipeline,
    Plan,
    Reading,
    Refusal,
    Return,
    Role,
    Stage,
    Unit,
)
from otherminds.dataset_builders.proofs import Fault
from otherminds.dataset_builders.synchtom import criteria, proofs, raw
from otherminds.dataset_builders.synchtom.schema import DIMENSIONS, SCENARIOS
from otherminds.dataset_builders.synchtom.wording import words
from otherminds.dataset_builders.synchtom.written import (
    CRITERIA,
    LEAST_SCORE,
    QUESTIONS,
    Answer,
    Marks,
    Rubric,
    RubricAudit,
    Scenario,
    Trajectory,
    Validation,
    numbered,
)
from otherminds.types import Doc

WAYS: Final = (
    *(
        "asks somebody who does not know",
        "asks somebody who should know",
        "buys or borrows something",
    ),
    *("keeps a record of it", "writes a complaint", "changes a habit", "looks something up"),
    *("shows it to a friend", "pays for help", "tries it at another time of day"),
    *("throws something away", "compares with how it used to be"),
)
"""What users do, of which three are drawn for each: trajectories of one material are to differ."""

_WAYS = 3
_REASON_WORDS: Final = 6


def frames(plan: Plan) -> list[Unit]:
    """The units of a plan: as many of each scenario as can be, and several of an item beyond that.

    Items are drawn in an order that the seed gives, the scenarios in turn. Which part an item belongs
    to depends on nothing but the item. Raises ValueError for material that cannot be read.
    """
    items = raw.own() if plan.material is None else raw.read(plan.material)
    rng = np.random.default_rng([plan.seed, len(items)])
    by_scenario = []
    for scenario in SCENARIOS:
        own = sorted(
            (one for one in items if one.scenario == scenario), key=lambda one: one.item_id
        )
        by_scenario.append([own[place] for place in rng.permutation(len(own))])
    order = [one for row in zip_longest(*by_scenario) for one in row if one is not None]
    wanted = len(order) if plan.n is None else plan.n
    if wanted < 1:
        raise ValueError(f"n is {wanted}, but there must be at least one user.")
    return [
        _unit(order[place % len(order)], place // len(order) + 1, plan.seed)
        for place in range(wanted)
    ]


def _unit(item: raw.Item, variant: int, seed: int) -> Unit:
    unit_id = f"{item.item_id}-{variant}"
    own = int.from_bytes(unit_id.encode(), "big") % 2**64
    ways = np.random.default_rng([seed, own]).choice(len(WAYS), _WAYS, replace=False)
    frame = {
        **item.model_dump(mode="json", exclude={"part"}),
        "variant": variant,
        "ways": [WAYS[place] for place in sorted(ways)],
    }
    return Unit(unit_id, frame, item.belongs)


def _asks(
    template: str, system: str, reply: type[Any], more: Callable[[Unit], Doc]
) -> Callable[[Unit], Ask]:
    def ask(unit: Unit) -> Ask:
        shown = {**unit.frame, **more(unit)}
        return Ask(system, prompts.renderer(f"synchtom__construct_{template}")(shown), reply)

    return ask


def _given(unit: Unit) -> Doc:
    return {"given": raw.as_text(unit.frame["material"])}


def _scenario(unit: Unit) -> Doc:
    return unit.texts["scenario"]


def _written(unit: Unit) -> Doc:
    return {**unit.texts["scenario"], **unit.texts["trajectory"]}


def _criteria(unit: Unit) -> Doc:
    found = [
        {"name": name, "part": dimension, **criterion}
        for name, (dimension, _, criterion) in numbered(unit.texts["rubrics"]).items()
    ]
    return {**unit.texts["scenario"], "criteria": found}


def _check(name: str, find: Callable[[Draft], Iterable[Fault]], *, audit: bool = False) -> Check:
    def refusals(draft: Draft) -> Iterator[Refusal]:
        for fault in find(draft):
            yield Refusal(name, fault.message, fault.where)

    return Check(name, refusals, "audit" if audit else "proof")


def _on_frame(find: Callable[..., Iterable[Fault]]) -> Callable[[Draft], Iterable[Fault]]:
    return lambda draft: find(draft.unit.frame, draft.content)


def _on_scenario(find: Callable[..., Iterable[Fault]]) -> Callable[[Draft], Iterable[Fault]]:
    return lambda draft: find(draft.unit.frame, draft.content, draft.unit.texts["scenario"])


def _on_rubric(find: Callable[..., Iterable[Fault]]) -> Callable[[Draft], Iterable[Fault]]:
    return lambda draft: find(draft.content)


def _own_words(draft: Draft) -> Iterable[Fault]:
    others = [
        (other.unit_id, proofs.story(other.texts))
        for other in draft.others
        if other.unit_id != draft.unit.unit_id
    ]
    return proofs.own_words(proofs.all_texts(draft.content), others)


def _unquoted(draft: Draft) -> Iterable[Fault]:
    texts = draft.unit.texts
    return criteria.unquoted(draft.content, [texts["scenario"], texts["trajectory"]])


def _reasons(draft: Draft) -> Iterator[Fault]:
    """A low score says in words what is wrong, and no two reasons are the same."""
    seen: dict[str, str] = {}
    for name in CRITERIA:
        score, reason = draft.content[name]["score"], draft.content[name]["reason"]
        if score < LEAST_SCORE and len(words(reason)) < _REASON_WORDS:
            yield Fault(
                f"{name}.reason",
                f"A score of {score} is sent back to the author: say what is wrong, and where.",
            )
        if (other := seen.setdefault(reason.casefold(), name)) != name:
            yield Fault(f"{name}.reason", f"It is the reason of {other}; give one of its own.")


def _every_criterion(draft: Draft) -> Iterator[Fault]:
    """An audit has one verdict for each criterion, in order, and a reason for each no."""
    wanted = list(numbered(draft.unit.texts["rubrics"]))
    found = [one["criterion"] for one in draft.content["verdicts"]]
    if found != wanted:
        yield Fault("verdicts", f"Give one verdict for each of {', '.join(wanted)}, in this order.")
    for place, one in enumerate(draft.content["verdicts"]):
        if not all(one[name] for name in QUESTIONS) and len(words(one["reason"])) < 3:
            yield Fault(f"verdicts.{place}.reason", "Say why not, in words for the author.")


def _validated(unit: Unit, replies: Sequence[Content]) -> Iterator[Return]:
    """A score below LEAST_SCORE sends the unit back to the stage that its criterion is about."""
    for reply in replies:
        for name, stage in CRITERIA.items():
            score, reason = reply[name]["score"], reply[name]["reason"]
            if score < LEAST_SCORE:
                yield Return(name, f"A validator gave {score} of 5: {reason}", stage)


def _audited(unit: Unit, replies: Sequence[Content]) -> Iterator[Return]:
    """A criterion with a no sends the rubric back."""
    places = numbered(unit.texts["rubrics"])
    for reply in replies:
        for one in reply["verdicts"]:
            failed = [name for name in QUESTIONS if not one[name]]
            if failed:
                dimension, place, _ = places[one["criterion"]]
                yield Return(
                    f"rubric_{failed[0]}",
                    f"{one['criterion']} ({', '.join(failed).replace('_', ' ')}): {one['reason']}",
                    "rubrics",
                    f"{dimension}.{place}",
                )


def _marked(unit: Unit, answer: Content) -> Ask:
    """The sheet of who marks a reader's answer by the unit's criteria."""
    parts = [
        {
            "name": dimension,
            "criteria": [one for one in _criteria(unit)["criteria"] if one["part"] == dimension],
            # A mark before every line: no answer can claim to have ended.
            "answer": "\n".join(f"> {line}" for line in answer[dimension].splitlines()),
        }
        for dimension in DIMENSIONS
    ]
    shown = prompts.renderer("synchtom__construct_marking")({"parts": parts})
    return Ask(_MARKER, shown, Marks)


def _unmarked(unit: Unit, content: Content) -> Iterator[str]:
    wanted = list(numbered(unit.texts["rubrics"]))
    if [one["criterion"] for one in content["verdicts"]] != wanted:
        yield f"Give one verdict for each of {', '.join(wanted)}, in this order."


def _marks(content: Content) -> list[bool]:
    return [one["met"] for one in content["verdicts"]]


_MARKER: Final = (
    "You mark an answer about a user by criteria that somebody else wrote. You give no benefit of the "
    "doubt."
)
_AUTHOR: Final = (
    "You write a case for a study of whether an assistant notices that its user is mistaken. You are "
    "given facts that stay as they are, and write what is missing in plain, lively English, as "
    "if a person had lived it."
)
_RUBRIC: Final = "You write the criteria by which a judge marks answers of assistants."
_VALIDATOR: Final = (
    "You check cases that somebody else wrote for a study. You are strict, and give reasons."
)

_COPIES: Final = _check("own_words", _own_words, audit=True)

STAGES: Final = (
    Stage(
        name="scenario",
        about="a situation in which the user's bias hides the truth",
        ask=_asks("scenario", _AUTHOR, Scenario, _given),
        checks=(
            _check("brevity", _on_frame(proofs.brevity)),
            _check("firm_belief", _on_frame(proofs.firmness)),
            _check("labels_kept", _on_frame(proofs.divergence)),
            _check("related_belief", _on_frame(proofs.relation)),
            _check("truth_leaked", _on_frame(proofs.no_truth), audit=True),
            _check("belief_named", _on_frame(proofs.no_belief), audit=True),
            _check("narrator", _on_frame(proofs.no_narrator), audit=True),
            _COPIES,
        ),
    ),
    Stage(
        name="trajectory",
        about="ten turns in which the user acts by the belief and the world by the truth",
        ask=_asks("trajectory", _AUTHOR, Trajectory, _scenario),
        checks=(
            _check("belief_kept", _on_scenario(proofs.keeps_on)),
            _check("belief_followed", _on_scenario(proofs.follows)),
            _check("turns_differ", _on_frame(proofs.turns_differ)),
            _check("truth_leaked", _on_scenario(proofs.no_truth), audit=True),
            _check("belief_stated", _on_scenario(proofs.acts), audit=True),
            _check("narrator", _on_frame(proofs.no_narrator), audit=True),
            _COPIES,
        ),
    ),
    Stage(
        name="validation",
        about="five scores of 0 to 5 by somebody who wrote none of it",
        role=Role.VALIDATOR,
        ask=_asks("validation", _VALIDATOR, Validation, _written),
        checks=(_check("reasons", _reasons),),
        decide=_validated,
    ),
    Stage(
        name="rubrics",
        about="the criteria of an answer",
        ask=_asks("rubrics", _RUBRIC, Rubric, _scenario),
        checks=(
            _check("criterion_form", _on_rubric(criteria.form)),
            _check("answerable_alone", _on_rubric(criteria.alone)),
            _check("one_thing", _on_rubric(criteria.one_thing)),
            _check("every_kind", _on_rubric(criteria.complete)),
            _check("detection_apart", _on_scenario(criteria.apart)),
            _check("labels_kept", _on_scenario(criteria.keeps_labels)),
            _check("wrong_request", _on_scenario(criteria.fair)),
            _check("prompt_quoted", _unquoted, audit=True),
        ),
    ),
    Stage(
        name="rubric_audit",
        about="each criterion looked at by somebody who wrote none of them",
        role=Role.VALIDATOR,
        ask=_asks("rubric_audit", _VALIDATOR, RubricAudit, _criteria),
        checks=(_check("every_criterion", _every_criterion),),
        decide=_audited,
    ),
)


def _example() -> list[Unit]:
    [item] = [one for one in raw.own() if one.item_id == raw.EXAMPLE]
    unit = _unit(item, 1, 0)
    return [Unit(unit.unit_id, unit.frame, unit.part, raw.example())]


def _unit_of(doc: Doc) -> str:
    return str(doc["instance_id"]).removeprefix("synchtom-made-")


PIPELINE: Final = Pipeline(
    name="synchtom",
    version="1.0",
    dataset="synchtom-made",
    frames=frames,
    stages=STAGES,
    reading=Reading(
        tasks=("synchtom_made_10turn",),
        unit_of=_unit_of,
        reply=Answer,
        marking=Marking(ask=_marked, marks=_marks, faults=_unmarked),
        # Nothing bounds what can be inferred of a person: reported for each user, and none is dropped.
        least_right=0.0,
        least_after=0.0,
    ),
    example=_example,
    retention={
        "a user stays with": "4 of 5 by each criterion of validation, or is dropped after 5 tries",
        "users were kept": "390 for the test and 6,522 for training; how many were dropped is not said",
    },
    about="users with a wrong belief, ten turns, and the criteria of an answer",
)
"""SynchToM's stages 1 and 2, its validation and its rubrics [P], on raw items."""
