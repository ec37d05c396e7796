"""Lexicons that the grammar fills: complete, unmistakable, and in good English."""

from __future__ import annotations

import re
import time
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from functools import cache
from itertools import product

import numpy as np
import pytest

from otherminds.dataset_builders.draws import shuffled
from otherminds.dataset_builders.socialmindchange.codes.text import parts, wordings
from otherminds.dataset_builders.socialmindchange.telling import filled
from otherminds.dataset_builders.socialmindchange.telling.lexicon import (
    Lexicon,
    LexiconError,
    Named,
)
from otherminds.dataset_builders.socialmindchange.world import draw
from otherminds.dataset_builders.socialmindchange.world.conduct import EMOTIONS, INTENTIONS, MANNERS
from otherminds.dataset_builders.socialmindchange.world.frame import (
    EARS,
    FACES,
    GUIDE,
    STAKES,
    VALUES,
    Frame,
)

NAMES = (
    Named("Tom", "man"), Named("Gina", "woman"), Named("Rita", "woman"), Named("Ada", "woman"),
    Named("Marcus", "man"), Named("Lena", "woman"), Named("Wes", "man"), Named("Bao", "man"),
)  # fmt: skip
THINGS = (
    "the wall text", "the guest list", "the egg order", "the speech", "the banner", "the rota",
    "the sign for the gate", "the solo part",
)  # fmt: skip
CORNERS = ("the copier", "the stacked chairs", "the gate", "the old pump", "the window sill")
STAGES = 200


def stage(seed: int) -> tuple[Frame, Lexicon]:
    rng = np.random.default_rng(seed)
    people = tuple(shuffled(rng, NAMES))[:6]
    frame = draw.frame(rng, [one.name for one in people], 4)
    things = shuffled(rng, THINGS)
    return frame, filled.fill(rng, frame, people, things, "the spring concert", CORNERS)


@cache
def stages() -> tuple[tuple[Frame, Lexicon], ...]:
    return tuple(map(stage, range(STAGES)))


def keys(frame: Frame) -> list[str]:
    found = ["word.none"]
    for number in range(len(frame.matters)):
        at = f"matter.{number}"
        found += [f"{at}.{name}" for name in ("topic", "deed", "proof", "shown")]
        found += [f"{at}.{value}" for value in VALUES]
        found += [f"{at}.{kind}.{value}" for kind in ("took", "heard") for value in VALUES]
        found += [f"{at}.stake.{stake}" for stake in (*STAKES, "own")]
        found += [f"emotion.{one}.{number}" for one in EMOTIONS]
        found += [
            f"{kind}.{one}.{number}" for kind in ("intention", "action") for one in INTENTIONS
        ]
        found += [f"manner.{one}.{number}" for one in MANNERS]
        others = [place for place in range(frame.size) if place != GUIDE]
        for to, setting, tone in product(others, FACES, EARS):
            found.append(f"word.{number}.{to}.{setting}.{tone}")
        found += [f"word.{number}.{to}.fitting" for to in others]
    return found


def faults(text: str) -> list[str]:
    """What no English text has."""
    wrong = {
        "doubled word": r"\b(?!that\b)(\w+) \1\b",
        "article": r"\b[Aa] [aeio]|\b[Aa]n [^aeiouh]",
        "space": r"  | [,.;:!?]|^\s|\s$",
        "brace": r"[{}\[\]|~]",
        "possessive": r"'s's| 's\b|\b[Yy]ou's",
        "verb": r"\b[Yy]ou (was|is|has)\b|\b(he|she) (are|were|have)\b|\bto (has|is|does)\b",
        "article twice": r"\b(a|the) (a|the)\b",
        "pronoun": r"\bto (he|she)\b",
        "stop": r"\.\.|,,|,\.|;\.",
    }
    return [f"{name}: {text}" for name, found in wrong.items() if re.search(found, text)]


def test_all_keys_are_there() -> None:
    for frame, lexicon in stages():
        assert lexicon.missing(keys(frame)) == []
        assert set(lexicon.phrases) == set(keys(frame))


def test_no_two_phrases_of_a_stage_are_alike() -> None:
    for _, lexicon in stages():
        for start in ("matter", "emotion", "intention", "action", "manner", "word"):
            found = [text for key, text in lexicon.phrases.items() if key.startswith(start)]
            assert [text for text, count in Counter(found).items() if count > 1] == []


def test_states_are_worded_unlike_each_other() -> None:
    """Without the names and the deed, two states share no wording."""
    said: dict[str, set[str]] = defaultdict(set)
    texts = filled.phrases()
    for kind in (texts.emotion, texts.intention, texts.manner):
        for name, lines in kind.items():
            for line in lines:
                said[line].add(name)
    assert {line: names for line, names in said.items() if len(names) > 1} == {}


@pytest.mark.slow
def test_grammar() -> None:
    found = set()
    for _, lexicon in stages():
        for key, phrase in lexicon.phrases.items():
            for person in range(len(lexicon.people) if "{" in phrase else 1):
                found.update(faults(lexicon.phrase(key, of=person)))
    assert found == set()


def test_sentences_begin_with_a_capital_and_end_with_a_stop() -> None:
    for _, lexicon in stages():
        for key, phrase in lexicon.phrases.items():
            if key.startswith("word") or ".heard." in key or ".stake." in key:
                text = phrase.replace("{who}", "Tom")
                assert text[0].isupper()
                assert text.endswith((".", '."'))
                assert not re.search(r'[.?!]"? "?[a-z]', text)
            else:
                assert not phrase.endswith(".")


def test_what_is_said_to_the_bearer_or_the_doer_is_said_to_their_face() -> None:
    for frame, lexicon in stages():
        for number, matter in enumerate(frame.matters):
            for to in (matter.doer, matter.bearer):
                speech = lexicon.phrase("word", number, to, "open", "plain").split('"')[1]
                assert lexicon.people[to].name not in speech
                assert to != matter.doer or re.search(r"\b[Yy]ou\b", speech)


def test_words_say_where_and_how() -> None:
    """The one it is said to, and the guide, are named; tones and settings differ in what is around."""
    for frame, lexicon in stages():
        for number, (to, setting) in product(range(len(frame.matters)), product((0, 2), FACES)):
            gentle, plain = (lexicon.phrase("word", number, to, setting, tone) for tone in EARS)
            assert lexicon.people[to].name in gentle
            assert gentle.startswith(lexicon.people[GUIDE].name)
            assert gentle.split(" and ")[0] == plain.split(" and ")[0]


@pytest.mark.slow
def test_every_deed_and_line_is_used(monkeypatch: pytest.MonkeyPatch) -> None:
    """What would never be drawn (for its length, say) has no business in the files."""
    used: set[str] = set()
    through = filled._through

    def noted(rng: np.random.Generator, line: str) -> str:
        used.add(line)
        return through(rng, line)

    monkeypatch.setattr(filled, "_through", noted)
    for seed in range(STAGES, STAGES + 700):
        stage(seed)
    texts = filled.phrases()
    drawn = [line for kind in (texts.emotion, texts.intention, texts.manner) for line in _all(kind)]
    drawn += [*texts.word.aside, *texts.word.open, *texts.word.none, *_all(filled.deeds().stakes)]
    drawn += [
        part for pair in (*texts.word.gentle, *texts.word.plain, *texts.took) for part in pair
    ]
    drawn += [one.deed for one in filled.deeds().deeds.values()]
    assert sorted(set(drawn) - used) == []


def _all(kind: Mapping[str, Sequence[str]]) -> list[str]:
    return [line for lines in kind.values() for line in lines]


def test_there_are_enough_wordings() -> None:
    texts = filled.phrases()
    assert len(filled.deeds().deeds) >= 30
    for kind in (texts.emotion, texts.intention, texts.manner):
        for name, lines in kind.items():
            assert sum(map(wordings, lines)) >= 12, name
    word = texts.word
    for lines in (word.aside, word.open, word.none):
        assert sum(map(wordings, lines)) >= 15
    assert min(len(word.gentle), len(word.plain), len(word.content)) >= 15


def test_lines_have_no_double_choice() -> None:
    """A choice between the same things is a slip of the pen."""
    for line in (*_all(filled.phrases().emotion), *_all(filled.phrases().intention)):
        assert all(len(set(part)) == len(part) for part in parts(line)), line


def test_length_does_not_tell_good_from_ill() -> None:
    found: dict[str, list[int]] = {kind: [] for kind in ("", "took.", "heard.")}
    for frame, lexicon in stages():
        for number, kind in product(range(len(frame.matters)), found):
            good, ill = (len(lexicon.phrase("matter", number, f"{kind}{one}")) for one in VALUES)
            found[kind].append(good - ill)
            if kind != "heard.":
                assert max(good, ill) <= 1.4 * min(good, ill)
    for kind, differences in found.items():
        longer = (
            np.mean([one > 0 for one in differences])
            + np.mean([one == 0 for one in differences]) / 2
        )
        assert 0.3 < longer < 0.7, kind


def test_states_are_about_equally_long() -> None:
    lengths: dict[str, list[float]] = defaultdict(list)
    for frame, lexicon in stages():
        for number in range(len(frame.matters)):
            for kind, names in (("emotion", EMOTIONS), ("intention", INTENTIONS)):
                said = {one: len(lexicon.phrase(kind, one, number)) for one in names}
                mean = np.mean(list(said.values()))
                for one, length in said.items():
                    lengths[f"{kind}.{one}"].append(length / float(mean))
    for name, found in lengths.items():
        assert 0.88 < np.mean(found) < 1.12, name


def test_hardly_any_long_sentence_comes_twice() -> None:
    """Sentences of six words or more, as they stand. (Names and things are few here.)"""
    seen: Counter[str] = Counter()
    for _, lexicon in stages():
        seen.update({
            sentence
            for key, phrase in lexicon.phrases.items()
            if key.startswith("word") or ".heard." in key
            for sentence in re.split(r'(?<=[.?!])"? "?|: "', phrase)
            if len(sentence.split()) >= 6
        })  # fmt: skip
    common = {text: count for text, count in seen.items() if count > 0.03 * STAGES}
    assert common == {}


def test_the_same_seed_gives_the_same_lexicon() -> None:
    assert stage(3)[1] == stage(3)[1]


def test_filling_is_quick() -> None:
    stage(0)
    start = time.process_time()
    for seed in range(20):
        stage(seed)
    assert (time.process_time() - start) / 20 < 0.05  # with the drawing of the frame


def test_names_that_begin_alike_are_refused() -> None:
    frame, _ = stage(0)
    people = (Named("Tom", "man"), Named("Tomas", "man"), *NAMES[2:6])
    with pytest.raises(LexiconError, match="begins with another"):
        filled.fill(np.random.default_rng(0), frame, people, THINGS, "the concert", CORNERS)


def test_too_few_things_are_refused() -> None:
    frame, lexicon = stage(0)
    with pytest.raises(LexiconError, match="too few things"):
        filled.fill(
            np.random.default_rng(0), frame, lexicon.people, THINGS[:1], "the concert", CORNERS
        )
