"""Which questions another rests on: its dependency set.

To say what becomes of a mind one must know what can be done at that time (grounding), what the word
means to whom it reaches (meaning of the move), and who is taken to think what (higher-order belief). So

- every question on a transition rests on the question of guidance about the same mental state that is
  nearest by its first scene;
- and on the `transition_state` question about belief of second order or higher that is nearest in scene;
  such questions themselves rest on guidance alone;
- `transition_state` and `transition_plan` rest on the `transition_reason` question about the same mental
  state that is nearest in scene, too.

Nearest in scene is by the second scene, then by the first. Of two that are as near, the earlier one is
taken. No question rests on itself, not by others either.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Final

from otherminds.dataset_builders.socialmindchange.asking.question import Question

_HIGHER: Final = 2


def needs(asked: Sequence[Question]) -> list[tuple[int, ...]]:
    """For each question of a stage the places of those that it rests on."""
    return [tuple(_needs(asked, one)) for one in asked]


def _needs(asked: Sequence[Question], one: Question) -> Iterator[int]:
    if one.type == "guidance_action":
        return
    yield from _nearest(
        asked,
        one,
        lambda other: other.type == "guidance_action" and other.state == one.state,
        lambda other: (abs(other.first - one.first),),
    )
    if _on_minds(one):
        return

    def distance(other: Question) -> tuple[int, ...]:
        return abs(other.second - one.second), abs(other.first - one.first)

    yield from _nearest(asked, one, _on_minds, distance)
    if one.type != "transition_reason":
        yield from _nearest(
            asked,
            one,
            lambda other: other.type == "transition_reason" and other.state == one.state,
            distance,
        )


def _on_minds(one: Question) -> bool:
    """Whether it is asked what somebody takes others to think, after another word."""
    return one.type == "transition_state" and one.state == "belief" and one.order >= _HIGHER


def _nearest(
    asked: Sequence[Question],
    one: Question,
    suits: Callable[[Question], bool],
    distance: Callable[[Question], tuple[int, ...]],
) -> Iterator[int]:
    """The place of the nearest question that suits, if there is one."""
    places = [place for place, other in enumerate(asked) if other is not one and suits(other)]
    if places:
        yield min(places, key=lambda place: (distance(asked[place]), place))
