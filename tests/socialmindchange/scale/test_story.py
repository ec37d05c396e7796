"""Stories of frames by chance: all that happens is told, once and in order, and no state of mind is."""

from __future__ import annotations

import re
import time
from collections import Counter
from collections.abc import Iterator
from functools import cache
from typing import Any, NamedTuple

import pytest

from otherminds.dataset_builders import draws
from otherminds.dataset_builders.socialmindchange.codes import cast, content
from otherminds.dataset_builders.socialmindchange.codes.text import slots, wordings
from otherminds.dataset_builders.socialmindchange.telling import story
from otherminds.dataset_builders.socialmindchange.telling.lexicon import Lexicon, Named
from otherminds.dataset_builders.socialmindchange.telling.story import Story
from otherminds.dataset_builders.socialmindchange.world import draw
from otherminds.dataset_builders.socialmindchange.world.frame import (
    EARS,
    FACES,
    VALUES,
    Enter,
    Frame,
    Tell,
)
from otherminds.dataset_builders.socialmindchange.world.roll import Played, Roll

STAGES = 400
# Twice what 1,200 stages may have: few stages show shares only roughly.
MOST_OFTEN = 0.01 * STAGES
FEWEST_WORDINGS = 20

THINGS = (
    "reading", "slot", "booth", "solo", "ticket", "poster", "shift", "page", "prize", "key",
    "grant", "song", "desk", "speech", "tour", "stall", "locker", "photo", "parcel", "recipe",
)  # fmt: skip
KINDS = (
    "spring", "Monday", "corner", "second", "long", "paper", "harbor", "evening", "guest", "blue",
    "winter", "front", "spare", "river", "birthday", "north", "early", "club", "Sunday", "attic",
)  # fmt: skip
DEEDS = (
    "crossed out the {k} {t} that {b} had been given", "gave the {k} {t} of {b} to a stranger",
    "put off the {k} {t} that {b} had asked for", "cut the {k} {t} from the plan under the nose of {b}",
)  # fmt: skip
WHY = {
    "good": ("{d} had seen that the {t} would fall on {b}", "{d} kept something better for {b}"),
    "ill": ("{d} begrudged {b} the {t}", "{d} had sworn that {b} would have no {t}"),
}


class Made(NamedTuple):
    frame: Frame
    roll: Roll
    setting: cast.Setting
    people: tuple[cast.Person, ...]
    story: Story


def lexicon(rng: Any, frame: Frame, people: tuple[cast.Person, ...]) -> Lexicon:
    """A small lexicon; the real ones are filled from content files."""
    phrases: dict[str, str] = {}
    things = draws.shuffled(rng, THINGS)
    names = [one.given for one in people]
    for number, matter in enumerate(frame.matters):
        kind, thing = draws.pick(rng, KINDS), things[number]
        fill = {"k": kind, "t": thing, "d": names[matter.doer], "b": names[matter.bearer]}
        key, topic = f"matter.{number}", f"the {kind} {thing}"
        phrases |= {
            f"{key}.topic": topic,
            f"{key}.deed": f"{fill['d']} {draws.pick(rng, DEEDS).format(**fill)}",
            f"{key}.proof": f"{fill['d']}'s note about {topic}",
            f"{key}.stake.with": f"If {fill['b']} gets {topic}, {{who}} is paid for {{his}} help.",
            f"{key}.stake.against": f"If {fill['b']} loses {topic}, {{who}} has it for {{himself}}.",
        }
        for value in VALUES:
            why = draws.pick(rng, WHY[value]).format(**fill)
            phrases |= {f"{key}.{value}": why, f"{key}.heard.{value}": f"{why}, that is all."}
        phrases[f"{key}.shown"] = phrases[f"{key}.{matter.meant}"]
        for to in range(frame.size):
            for setting in FACES:
                for tone in EARS:
                    how = f"speaks to {names[to]}, {setting} and in a {tone} tone"
                    phrases[f"word.{number}.{to}.{setting}.{tone}"] = (
                        f'{names[1]} {how}. "{phrases[f"{key}.{matter.meant}"]}."'
                    )
    return Lexicon(tuple(Named(one.given, one.gender) for one in people), phrases)


@cache
def made(seed: int) -> Made:
    rng = draws.stream([seed], [0])
    words = content.load()
    size, scenes = ((4, 5), (6, 5), (4, 7))[seed % 3]
    setting = cast.setting(rng, words)
    people = cast.cast(rng, words, setting.kind, size)
    frame = draw.frame(rng, [one.given for one in people], scenes)
    roll = Roll(frame)
    filled = lexicon(rng, frame, people)
    told = story.tell(draws.stream([seed], [1]), frame, roll, people, setting, filled)
    return Made(frame, roll, setting, people, told)


@pytest.fixture(params=range(24))
def stage(request: pytest.FixtureRequest) -> Made:
    return made(request.param)


def played(stage: Made) -> Iterator[tuple[int, Played]]:
    for number in range(len(stage.frame.scenes)):
        yield number, stage.roll.scene(number, stage.roll.told)


def test_every_event_is_told_once_and_in_order(stage: Made) -> None:
    for number, one in played(stage):
        told = [event for turn in stage.story.tells[number] for event in turn]
        ordered = [event for event in told if not event.startswith(("talk", "neutral"))]
        assert ordered == [
            "opening",
            *(f"passed:{count}" for count in range(len(one.passed))),
            *(f"happening:{count}" for count in range(len(stage.frame.scenes[number].happenings))),
            "topic",
            *(f"act:{act.person}" for act in one.acts),
            "word",
            "parting",
        ]


def test_who_is_there_speaks_or_acts_and_nobody_else(stage: Made) -> None:
    names = [one.given for one in stage.people]
    for number, one in played(stage):
        scene = stage.frame.scenes[number]
        there, ever = set(scene.present), set(scene.present)
        active = {act.person for act in one.acts}
        for happening in scene.happenings:
            active.add(happening.speaker if isinstance(happening, Tell) else -1)
            if not isinstance(happening, Tell) and hasattr(happening, "who"):
                active.add(happening.who)
            if isinstance(happening, Enter):
                ever.add(happening.who)
        for turn, events in zip(stage.story.scenes[number], stage.story.tells[number], strict=True):
            for event in events:
                kind, _, place = event.partition(":")
                if kind == "happening":
                    happening = scene.happenings[int(place)]
                    if isinstance(happening, Enter):
                        there.add(happening.who)
                    elif hasattr(happening, "who"):
                        there.discard(happening.who)
                elif kind in ("talk", "neutral", "act"):
                    assert int(place) in there
                    active.add(int(place))
            assert not turn.speaker or names.index(turn.speaker) in there
        assert ever <= active


def test_acts_that_speak_are_spoken_and_others_are_shared_deeds(stage: Made) -> None:
    for number, one in played(stage):
        says = {act.person: act.says is not None for act in one.acts}
        for turn, events in zip(stage.story.scenes[number], stage.story.tells[number], strict=True):
            for event in events:
                kind, _, place = event.partition(":")
                if kind == "act":
                    assert (turn.speaker == stage.people[int(place)].given) == says[int(place)]


def test_words_of_the_guide_and_phrases_of_the_lexicon_are_told(stage: Made) -> None:
    filled = lexicon_of(stage)
    for number in range(len(stage.frame.matters)):
        assert filled.phrase("matter", number, "deed") in stage.story.background
        meant = stage.frame.matters[number].meant
        assert filled.phrase("matter", number, meant) in stage.story.background
    for number, scene in enumerate(stage.frame.scenes):
        place = next(place for place, one in enumerate(stage.story.tells[number]) if "word" in one)
        assert stage.story.tells[number][place] == ("word",)
        if (word := scene.word) is not None:
            assert stage.story.scenes[number][place].text == filled.phrase(
                "word", word.matter, word.to, word.setting, word.tone
            )


def lexicon_of(stage: Made) -> Lexicon:
    """The lexicon that `made` drew."""
    seed = next(seed for seed in range(24) if made(seed) is stage)
    rng = draws.stream([seed], [0])
    words = content.load()
    size, scenes = ((4, 5), (6, 5), (4, 7))[seed % 3]
    setting = cast.setting(rng, words)
    people = cast.cast(rng, words, setting.kind, size)
    frame = draw.frame(rng, [one.given for one in people], scenes)
    return lexicon(rng, frame, people)


def test_a_telling_names_who_speaks_to_whom_of_what(stage: Made) -> None:
    filled = lexicon_of(stage)
    for number, one in played(stage):
        scene = stage.frame.scenes[number]
        tellings: dict[str, Tell] = {f"passed:{at}": told for at, told in enumerate(one.passed)}
        for at, told in enumerate(scene.happenings):
            if isinstance(told, Tell):
                tellings[f"happening:{at}"] = told
        turns, tells = stage.story.scenes[number], stage.story.tells[number]
        for place, events in enumerate(tells):
            for told in (tellings[event] for event in events if event in tellings):
                start = place if tells[place - 1] else place - 1
                text = " ".join(turn.text for turn in turns[start : place + 1])
                heard = {told.speaker, told.to, told.chance} - {None}
                assert all(named(stage.people[who].given, text) for who in heard if who is not None)
                assert filled.phrase("matter", told.matter, "topic").lower() in text.lower()


def test_promises_and_lead_are_told(stage: Made) -> None:
    paragraphs = stage.story.background.split("\n\n")
    assert named(stage.people[stage.frame.lead].given, paragraphs[0])
    assert len(paragraphs) == 2 + len(stage.frame.matters) + bool(stage.frame.promises)
    for promise in stage.frame.promises:
        assert named(stage.people[promise.by].given, paragraphs[-1])
        assert named(stage.people[promise.to].given, paragraphs[-1])


def test_tones_can_be_told_apart() -> None:
    lines = story.load()
    words = {"gentle": "gentl|soft|kind", "plain": "blunt|plain|straight"}
    for ear in EARS:
        for line in lines.tone[ear]:
            assert re.search(words[ear], line.lower()), line
        for line in lines.profile.ear[ear]:
            assert all(re.search(one, line.lower()) for one in words.values()), line


def test_scenes_have_a_usual_length(stage: Made) -> None:
    for scene in stage.story.scenes:
        assert story.FEWEST_TURNS <= len(scene) <= story.MOST_TURNS


def test_text_is_filled_and_names_are_unambiguous(stage: Made) -> None:
    text = whole(stage.story)
    assert not re.search(r"[{}\[\]|]|\s\s(?!\n)|\.\.|,,| [,.;:]", text.replace("\n\n", "\n"))
    names = [one.given for one in stage.people]
    assert len(set(names)) == len(names)
    for line, one in zip(stage.story.profile, stage.people, strict=True):
        assert one.name in line
        assert str(one.age) in line
        assert one.occupation in line


def test_every_tie_that_is_not_plain_is_named(stage: Made) -> None:
    ties = stage.story.background.split("\n\n")[1]
    sentences = re.split(r"(?<=[.])\s", ties)
    for one in range(stage.frame.size):
        for other in range(one):
            names = stage.people[one].given, stage.people[other].given
            both = [line for line in sentences if all(named(name, line) for name in names)]
            assert bool(both) == (stage.frame.ties[one][other] != "plain")


def named(name: str, text: str) -> bool:
    return re.search(rf"\b{re.escape(name)}\b", text) is not None


def test_the_same_seed_tells_the_same_story() -> None:
    first = made(5)
    made.cache_clear()
    assert made(5).story == first.story


def test_no_line_names_a_state() -> None:
    states = set(content.state_words()) | set(content.retold_words())
    for key, line in all_lines():
        found = states & set(re.findall(r"[a-z]+", re.sub(r"\{\w+\}", "", line.lower())))
        assert not found, f"{key}: {line}"


def test_every_kind_has_many_wordings() -> None:
    counts: Counter[str] = Counter()
    for key, line in all_lines():
        counts[key] += wordings(line)
    few = {key: count for key, count in counts.items() if count < FEWEST_WORDINGS}
    # How much later it is can be said in so many ways only; names always stand beside it.
    assert not [key for key in few if not key.startswith("opening.gaps")]


def test_long_sentences_have_a_name_or_a_thing() -> None:
    unnamed = {"he", "him", "his", "himself", "qhim", "qhe", "qhis", "qhimself"}
    for key, line in all_lines():
        if key == "profile.target":
            continue
        for sentence in re.split(r"(?<=[.?!])\"?\s+", line):
            # The longest way through the choices.
            longest = re.sub(
                r"\[([^\]]*)\]", lambda found: max(found[1].split("|"), key=len), sentence
            )
            bare = not (slots(sentence) - unnamed)
            assert not (bare and len(longest.split()) >= 6), f"{key}: {sentence}"


@pytest.mark.slow
def test_no_long_sentence_recurs_in_many_stages() -> None:
    found: Counter[str] = Counter()
    for seed in range(STAGES):
        text = whole(made(seed).story)
        sentences = {one.strip('" ') for one in re.split(r"(?<=[.?!])[\"”]?\s+", text)}
        found.update(one for one in sentences if len(one.split()) >= 6)
    often = {one: count for one, count in found.items() if count > MOST_OFTEN}
    assert not often


def test_a_story_is_told_quickly() -> None:
    stages = [made(seed) for seed in range(12)]
    lexica = [lexicon_of(one) for one in stages]
    start = time.process_time()
    for one, filled in zip(stages, lexica, strict=True):
        story.tell(draws.stream([1], [1]), one.frame, one.roll, one.people, one.setting, filled)
    assert (time.process_time() - start) / len(stages) < 0.03


def whole(told: Story) -> str:
    """All text of a story."""
    turns = (turn.text for scene in told.scenes for turn in scene)
    return "\n".join([*told.profile, told.background, *turns])


def all_lines() -> Iterator[tuple[str, str]]:
    """Every line with the key it stands under."""

    def within(key: str, found: Any) -> Iterator[tuple[str, str]]:
        if isinstance(found, dict):
            for name, inner in found.items():
                yield from within(f"{key}.{name}" if key else name, inner)
        elif isinstance(found[0], dict):
            for inner in found:
                yield from within(key, inner)
        else:
            for line in found:
                yield key, line

    yield from within("", story.load().model_dump())
