"""How stages of SocialMindChange 2 are written: four stages of authors, raters, blind readers.

    frame  →  context  →  trajectory  →  scenes  →  lexicon  →  rating  →  reading

Code fixes the world, what happens in it, and all questions with their answers. Authors write who these
people are, an outline, the scenes, and the phrases from which questions and options are composed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Final

from pydantic import BaseModel

from otherminds import prompts
from otherminds.construct import (
    Ask,
    Check,
    Pipeline,
    Plan,
    Reading,
    Stage,
    Unit,
    audits,
    ratings,
)
from otherminds.dataset_builders.constructed import Content
from otherminds.dataset_builders.socialmindchange.authored import (
    checks,
    context,
    events,
    phrases,
    replies,
    story,
    units,
)
from otherminds.dataset_builders.socialmindchange.authored.stage import Given
from otherminds.dataset_builders.socialmindchange.cells import LETTERS
from otherminds.types import Doc

_RATED: Final = {
    "consistency": "Does everybody talk and act as what is told of them, and what they know, would have "
    "it?",
    "coherence": ratings.CRITERIA["coherence"],
    "authenticity": ratings.CRITERIA["authenticity"],
}
"""What scenes are rated on [P]."""

_GIVEN: Final = {"rationality": ratings.CRITERIA["rationality"]}
"""What is asked besides: who does and feels what is the world's, and no author's."""

_LEAST: Final = 3.5
"""The mean rating below which a story goes back [O]. The paper has 4, of raters whom it does not name.
Ours are language models that are asked for all that is odd, and what they hold against a story is to a
part what its world has in it: that does not go away when the story is written anew."""

_AUTHOR: Final = (
    "You write fiction for a study of how people understand each other. What is true and what happens "
    "is fixed; you write it in plain, lively English, as if it had been lived."
)


def frames(plan: Plan) -> list[Unit]:
    """The units of a plan. Raises ValueError for a number below 1 and for material of others."""
    return units.frames(plan.drawn(units.STAGES), plan.seed)


def _asks(
    name: str, reply: type[BaseModel], more: Callable[[Unit, Given], Doc]
) -> Callable[[Unit], Ask]:
    def ask(unit: Unit) -> Ask:
        given = Given.of(unit)
        shown = {**unit.frame, "names": given.names, **more(unit, given)}
        rendered = prompts.renderer(f"socialmindchange__construct_{name}")(shown)
        return Ask(_AUTHOR, rendered, reply)

    return ask


def _of_frame(unit: Unit, given: Given) -> Doc:
    frame, names = given.frame, given.names
    pairs = [
        {"a": names[one], "b": names[other], "tie": frame.ties[one][other]}
        for one in range(frame.size)
        for other in range(one)
        if frame.ties[one][other] != "plain"
    ]
    matters = [
        {
            "doer": names[one.doer],
            "bearer": names[one.bearer],
            "meant": one.meant,
            "stakes": [
                {"name": name, "stands": frame.stakes[place][number]}
                for place, name in enumerate(names)
                if place not in (one.doer, one.bearer)
            ],
        }
        for number, one in enumerate(frame.matters)
    ]
    promises = [
        {"by": names[one.by], "to": names[one.to], "matter": one.matter + 1}
        for one in frame.promises
    ]
    people = [
        {**one, "gender": gender}
        for one, gender in zip(unit.frame["world"]["people"], unit.frame["genders"], strict=True)
    ]
    return {
        "people": people,
        "lead": names[frame.lead],
        "pairs": pairs,
        "matters": matters,
        "promises": promises,
    }


def _of_context(unit: Unit, given: Given) -> Doc:
    told = unit.texts["context"]
    topics = context.topics(told)
    return {
        "profile": context.profile(told),
        "background": context.background(told),
        "topics": topics,
        "capitals": told["capitals"],
        "scenes": [
            {
                "number": number + 1,
                "events": [
                    {"name": one.name, "line": one.line}
                    for one in events.of_scene(given, number, topics)
                ],
            }
            for number in range(len(given.frame.scenes))
        ],
    }


def _of_outline(unit: Unit, given: Given) -> Doc:
    low, high = (bound * len(given.frame.scenes) for bound in story.SCENE_WORDS)
    outlines = [one["outline"] for one in unit.texts["trajectory"]["outlines"]]
    return {**_of_context(unit, given), "outlines": outlines, "low": low, "high": high}


def _of_story(unit: Unit, given: Given) -> Doc:
    return {
        **_of_context(unit, given),
        "told": _told(unit),
        "keys": phrases.needed(given),
        "lengths": phrases.LENGTHS,
    }


def _told(unit: Unit) -> str:
    """The scenes as a prompt shows them."""
    found = []
    for number, scene in enumerate(unit.texts["scenes"]["scenes"], start=1):
        turns = [
            f"{one['speaker']}: {one['text']}" if one["speaker"] else one["text"]
            for one in scene["turns"]
        ]
        found.append("\n".join([f"# Scene {number}", "", *turns]))
    return "\n\n".join(found)


def _shown(unit: Unit) -> str:
    """What raters see: people, background and scenes."""
    told = unit.texts["context"]
    people = "\n".join(f"- {line}" for line in context.profile(told))
    return f"# The people\n\n{people}\n\n{context.background(told)}\n\n{_told(unit)}"


def _stage(
    name: str, about: str, reply: type[BaseModel], more: Callable[[Unit, Given], Doc]
) -> Stage:
    def own(content: Content) -> Iterable[str]:
        return checks.texts_of(name, content)

    proofs = tuple(map(Check.of, checks.PROOFS[name]))
    copied = (audits.own_sentences(own), audits.own_words(own))
    return Stage(
        name=name,
        about=about,
        ask=_asks(name, reply, more),
        # An outline is a plan that no reader sees: others may have its sentences.
        checks=proofs if name == "trajectory" else (*proofs, *copied),
    )


def _unit_of(doc: Doc) -> str:
    return str(doc["stage_id"])


def _answers(doc: Doc) -> Sequence[str]:
    return list(LETTERS[: len(doc["options"])])


def _gold(doc: Doc) -> str:
    return str(doc["answer"])


STAGES: Final = (
    _stage("context", "who these people are, and what has been done", replies.Context, _of_frame),
    _stage("trajectory", "an outline of each scene", replies.Trajectory, _of_context),
    _stage("scenes", "the story, turn by turn", replies.Scenes, _of_outline),
    _stage("lexicon", "the phrases of questions and options", replies.Phrases, _of_story),
    ratings.stage("rating", _shown, criteria=_RATED, least=_LEAST, back="scenes", also=_GIVEN),
)

PIPELINE: Final = Pipeline(
    name="socialmindchange",
    version="1.3",
    dataset="socialmindchange-core",
    frames=frames,
    stages=STAGES,
    # The lite part of each stage is the third that readers are asked.
    reading=Reading(
        tasks=("socialmindchange_lite",),
        unit_of=_unit_of,
        answers=_answers,
        gold=_gold,
        # All that is asked about one story stands on one sheet.
        sheet=_unit_of,
        fresh_readers=1,
    ),
    retention={
        "social contexts": "89 %",
        "trajectories": "81.7 %",
        "scenes": "88.3 %",
    },
    about="stages of linked scenes, and the phrases of their questions, inside worlds that are drawn",
)
"""The paper's context, trajectory and scenes [P], on the worlds of SocialMindChange 2."""
