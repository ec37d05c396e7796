"""Checks on the wording that the schema cannot express.

They guard what the reader relies on: that each name, clause and sentence can be traced back to one
factor and each template to one meaning.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from string import Formatter

from otherminds.dataset_builders.hugagent.decoder import Meaning, meanings
from otherminds.dataset_builders.hugagent.lexicon import Found, Lexicon, entries, template_text
from otherminds.dataset_builders.hugagent.population import SCENARIOS_ASKED
from otherminds.dataset_builders.hugagent.schema import AGE, Content, Topic

_LEAST_NODES = 8


def problems(content: Content) -> list[str]:
    """What is wrong with the wording, one line each; empty when nothing is."""
    found = [problem for topic in content.topics.values() for problem in _of_topic(topic)]
    found += _slots(content)
    found += _confusable_templates(meanings(content))
    found += _value_talk(content)
    found += _attributes(content)
    return found


def _of_topic(topic: Topic) -> Iterator[str]:
    where = f"{topic.topic}.yaml"
    yield from _duplicates(f"{where}: factor code", (factor.code for factor in topic.factors))
    yield from _duplicates(f"{where}: factor name", (factor.name for factor in topic.factors))
    nodes = topic.statistics.nodes
    if nodes.low < _LEAST_NODES or nodes.high > len(topic.factors) + 1:
        yield (
            f"{where}: statistics.nodes must lie within {_LEAST_NODES} and "
            f"{len(topic.factors) + 1} (the factors and the stance)"
        )
    if len(topic.scenarios) < SCENARIOS_ASKED[topic.topic]:
        yield f"{where}: {SCENARIOS_ASKED[topic.topic]} scenarios are asked of each person"
    for scenario in topic.scenarios:
        unknown = sorted(set(scenario.factors) - set(topic.by_name))
        if unknown:
            yield f"{where}: scenario {scenario.id} names an unknown factor '{unknown[0]}'"
        if set(scenario.directions) != set(scenario.factors):
            yield f"{where}: scenario {scenario.id} needs one direction per factor"
    yield from _wrong_links(where, topic)
    yield from _confusable_entries(where, entries(topic))
    yield from _stray_mentions(where, topic)


def _wrong_links(where: str, topic: Topic) -> Iterator[str]:
    for source, targets in topic.links.items():
        for target, effect in targets.items():
            unknown = sorted({source, target} - set(topic.by_name))
            if unknown:
                yield f"{where}: links name an unknown factor '{unknown[0]}'"
            if source == target or effect == 0:
                yield f"{where}: the link {source} → {target} says nothing"
    for name in topic.by_name:
        if not any(topic.effect(name, other) or topic.effect(other, name) for other in topic.links):
            yield f"{where}: no link joins '{name}' with another factor"


def _confusable_entries(where: str, listed: list[tuple[str, Found]]) -> Iterator[str]:
    for text, found in listed:
        for other_text, other in listed:
            # A factor's name inside its own clause is harmless: the longer finding counts.
            own = found.factor == other.factor and found.direction in (0, other.direction)
            if not own and f" {text} " in f" {other_text} ":
                yield (
                    f"{where}: '{text}' ({_label(found)}) is part of '{other_text}' "
                    f"({_label(other)})"
                )


def _stray_mentions(where: str, topic: Topic) -> Iterator[str]:
    """Asides and experiences must name their own factor and no other, and say no clause."""
    lexicon = Lexicon(topic)
    for factor in topic.factors:
        for text in (*factor.asides, *factor.experience_good, *factor.experience_bad):
            found = lexicon.normalize(text).found
            strays = [entry for entry in found if entry != Found("factor", factor.name)]
            if strays:
                yield f"{where}: {factor.name}: '{text}' also mentions {_label(strays[0])}"
            if not found:
                yield f"{where}: {factor.name}: '{text}' does not name the factor"
    closings = [text for exchange in topic.chatter.closing for text in exchange.answers]
    for text in (*topic.chatter.news, *closings):
        if found := lexicon.normalize(text).found:
            yield f"{where}: chatter: '{text}' mentions {_label(found[0])}"


def _confusable_templates(listed: list[tuple[str, Meaning]]) -> Iterator[str]:
    texts = [(template_text(template), template, meaning) for template, meaning in listed]
    for text, template, meaning in texts:
        for other_text, other, other_meaning in texts:
            if meaning != other_meaning and text in other_text:
                yield (
                    f"voices.yaml: '{template}' ({_class(meaning)}) is part of "
                    f"'{other}' ({_class(other_meaning)})"
                )


def _slots(content: Content) -> Iterator[str]:
    """Every template must use the slots that the code fills, and no others."""
    voices, items = content.voices, content.items
    for key, numbered, slot in (
        ("importance", voices.importance, "factor"),
        ("stance", voices.stance, "policy"),
        ("stance_hint", voices.stance_hint, "policy"),
    ):
        for level, wordings in numbered.items():
            yield from _check(f"voices.yaml: {key}.{level}", wordings.all, {slot}, {"policy"})
    yield from _check(
        "voices.yaml: importance_top", voices.importance_top.all, {"factor"}, {"policy"}
    )
    for coarse, wordings in voices.importance_hint.items():
        where = f"voices.yaml: importance_hint.{coarse}"
        yield from _check(where, wordings.all, {"factor"}, {"policy"})
    effects = voices.effect_stance
    single: dict[str, tuple[Iterable[str], set[str], set[str]]] = {
        "effect_stance.positive": (effects.positive.all, {"up", "policy"}, set()),
        "effect_stance.negative": (effects.negative.all, {"up", "policy"}, set()),
        "effect_factor": (voices.effect_factor.all, {"u_up", "v_move"}, set()),
        "effect_factor_hint": (voices.effect_factor_hint.all, {"u_up", "v_move"}, set()),
        "no_effect": (voices.no_effect.all, {"up", "policy"}, set()),
        "no_effect_factor": (voices.no_effect_factor.all, {"u_up", "v"}, set()),
        "no_opinion": (voices.no_opinion.all, {"factor"}, set()),
        "stance_evasive": (voices.stance_evasive.all, set(), {"policy"}),
        "followups": (voices.followups, {"factor"}, set()),
        "probes": (voices.probes, set(), set()),
    }
    for key, (templates, needed, optional) in single.items():
        yield from _check(f"voices.yaml: {key}", templates, needed, optional)
    for template in (*voices.effect_factor.all, *voices.effect_factor_hint.all):
        if template.find("{u_up}") > template.find("{v_move}"):
            yield f"voices.yaml: '{template}' should name the cause {{u_up}} before {{v_move}}"
    for name, texts in voices.magnitudes:
        yield from _check(f"voices.yaml: magnitudes.{name}", texts, {"clause"}, set())
    yield from _check("items.yaml: bsi_stance", items.bsi_stance, {"up", "policy"}, set())
    yield from _check("items.yaml: bsi_factor", items.bsi_factor, {"up", "target"}, {"policy"})
    yield from _check("items.yaml: scenario", items.scenario, {"scenario", "policy"}, set())
    yield from _check("items.yaml: reason", items.reason, {"scenario", "policy"}, set())
    for topic in content.topics.values():
        yield from _question_slots(topic)


def _question_slots(topic: Topic) -> Iterator[str]:
    where, questions = f"{topic.topic}.yaml: questions", topic.questions
    yield from _check(f"{where}.stance", questions.stance, {"policy"}, set())
    yield from _check(f"{where}.factor", questions.factor, {"noun"}, set())
    yield from _check(f"{where}.experience", questions.experience, {"noun"}, set())
    yield from _check(f"{where}.edge_stance", questions.edge_stance, {"up"}, {"policy", "noun"})
    yield from _check(f"{where}.edge_factor", questions.edge_factor, {"u_up", "v"}, set())
    for scenario in topic.scenarios:
        yield from _check(
            f"{topic.topic}.yaml: scenario {scenario.id}", scenario.frame, {"changes"}, set()
        )


def _check(
    where: str, templates: Iterable[str], needed: set[str], optional: set[str]
) -> Iterator[str]:
    for template in templates:
        used = {name for _, name, _, _ in Formatter().parse(template) if name is not None}
        if not needed <= used <= needed | optional:
            wanted = ", ".join(f"{{{name}}}" for name in sorted(needed)) or "no slots"
            yield f"{where}: '{template}' should use {wanted}"


def _value_talk(content: Content) -> Iterator[str]:
    talk = content.values
    texts = [
        text for name, poles in talk.values.items() for text in (*poles.high.all, *poles.low.all)
    ]
    texts += [text for stories in talk.anecdotes.values() for text in stories.high + stories.low]
    yield from _duplicates("values.yaml: statement", texts)


def _attributes(content: Content) -> Iterator[str]:
    known: set[str] = set()
    for attribute in content.demographics.attributes:
        named = {name for value in attribute.values for name in value.only_with}
        for name in sorted(named - known):
            yield (
                f"demographics.yaml: '{attribute.name}' depends on '{name}', "
                "which must come before it"
            )
        if (attribute.numeric is None) == (not attribute.values):
            yield f"demographics.yaml: '{attribute.name}' needs either `numeric` or `values`"
        for value in attribute.values:
            for name in sorted(set(value.odds_with) - known):
                yield f"demographics.yaml: the odds of '{value.value}' depend on unknown '{name}'"
        known.add(attribute.name)
    said = "".join(
        part.model_dump_json(ensure_ascii=False)
        for part in (content.voices, content.values, *content.topics.values())
    )
    for circumstance in content.demographics.circumstances:
        for phrase in circumstance.phrases:
            if phrase not in said:
                yield f"demographics.yaml: circumstances: nobody says '{phrase}'"
        for name in sorted(set(circumstance.only_with) - known):
            yield f"demographics.yaml: circumstances depend on unknown '{name}'"
    if content.demographics.attributes[0].name != AGE:
        yield f"demographics.yaml: the first attribute must be '{AGE}'"
    for question in content.demographics.background_questions:
        for name in sorted(set(question.attributes) - known):
            yield f"demographics.yaml: the question '{question.text}' needs unknown '{name}'"


def _duplicates(what: str, texts: Iterable[str]) -> Iterator[str]:
    seen: set[str] = set()
    for text in texts:
        if text in seen:
            yield f"{what} '{text}' occurs twice"
        seen.add(text)


def _label(found: Found) -> str:
    direction = {1: " up", -1: " down"}.get(found.direction, "")
    return f"{found.factor or 'the policy'}{direction}"


def _class(meaning: Meaning) -> str:
    return f"{meaning.kind} {meaning.level}".strip()
