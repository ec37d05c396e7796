"""The direction of an effect, positive or negative, where a reply says it in words of its own."""

from __future__ import annotations

import re
from collections.abc import Sequence

from otherminds.metrics.marks import REASON
from otherminds.metrics.sentences import Sentence, doubtful, rejected

_WAY = (
    r"(?:(?P<up>up(?:wards?)?|higher|positive|an?\s+increase|a\s+rise)"
    r"|(?P<down>down(?:wards?)?|lower|negative|an?\s+(?:decrease|decline|drop|fall)))"
)
# "Up.", "It pushes it down.": nothing else is said.
_LONE = re.compile(
    r"\W*(?:(?:it|that|this|they|he|she)(?:'d|'ll|'s)?\s+)?(?:(?:would|will|becomes?|be|is|feels?"
    r"|gets?|goes|go|moves?|grows?|push(?:es)?|drives?|brings?)\s+){0,3}(?:(?:it|that|this)\s+)?"
    r"(?:\w+ly\s+|even\s+)?(?:(?P<up>up(?:wards?)?|higher|positive|an?\s+increase|increases?|rises?"
    r"|more(?:\s+(?:favou?rable|supportive|of\s+it))?|in\s+favou?r(?:\s+of\s+it)?)"
    r"|(?P<down>down(?:wards?)?|lower|negative|an?\s+(?:decrease|decline|drop|fall)|decreases?|falls?"
    r"|drops?|less(?:\s+(?:favou?rable|supportive|of\s+it))?|against(?:\s+it)?))\W*",
    re.IGNORECASE,
)
_LABELLED = re.compile(
    r"\W*(?:(?:so|overall|final|my|the|in\s+short|in\s+sum|therefore|thus|verdict|answer|conclusion"
    r"|direction|effect|result|choice|pick|call|guess|bottom\s+line"
    r"|in\s+other\s+words|put\s+differently)\W*){1,3}(?<=[:=\u2014\u2192,\s])",
    re.IGNORECASE,
)
_UP = re.compile(
    r"\b(?:(?<!end )(?<!ends )(?<!make )(?<!makes )up|upwards?|higher|positive|more|increas\w+"
    r"|ris(?:es?|ing)|rais\w+|climb\w*|grow\w*|boost\w*|lift\w*)\b",
    re.IGNORECASE,
)
_DOWN = re.compile(
    r"\b(?:down|downwards?|lower\w*|negative|less|fewer|falls?|falling|drop\w*|declin\w+|decreas\w+"
    r"|shrink\w*|sink\w*|dwindl\w+|reduc\w+|cuts?)\b",
    re.IGNORECASE,
)
# The effect itself has to be what goes up or down: other things in a reply do so too.
_EFFECT = re.compile(
    r"(?<!side )\b(?:direction|effect|answer|impact|influence)\b[^.,;:?!\n]{0,40}?"
    r"(?:\s(?:is|would\s+be|goes|points|must\s+be)|:|=|\u2192)\s*"
    r"(?:that\s+(?:it|this)\s+(?:goes|would\s+go|moves|will\s+go|is|would\s+be)\s+)?"
    rf"(?:\w+ly\s+)?{_WAY}(?=\s*(?:$|[.,;!)\n\u2014]|{REASON}|(?:for|in)\s+(?:her|his|their|this)\b))",
    re.IGNORECASE,
)
_KIND = re.compile(
    r"\b(?:direction|effect|impact|influence)\s+(?:is|would\s+be|must\s+be)\s+(?:\w+ly\s+)?an?\s+"
    r"(?:(?P<up>positive|upward)|(?P<down>negative|downward))\s+one\b"
    r"|\b(?:effet|effetto|efecto|efeito|effekt|wirkung|effect)\s+(?:(?:est|ist|es|è|é|is|wäre|serait|sería"
    r"|sarebbe|seria)\s+)?(?:\w+ment\s+)?(?:(?P<rise>positi(?:f|ve|vo|v))|(?P<sink>n[ée]gati(?:f|ve|vo|v)))"
    r"(?=\W*$)",
    re.IGNORECASE,
)
_WHO = r"(?:him|her|them|this\s+\w+|the\s+(?:person|man|woman|respondent|speaker|interviewee))"
_THEIR = r"(?:his|her|their|(?:this|the)\s+\w+'s)\s+(?:own\s+)?(?:\w+\s+)?"
_BACKING = r"(?:support|approval|backing|enthusiasm|sympathy|favou?r)\b"
_PLAN = (
    r"(?:it|that|them|allowing|such|(?:the|this|a|an)\s+(?:\w+[\s-]){0,3}?(?:plan|idea|program|proposal"
    r"|policy|measure|cameras?|buildings?|housing|insurance|change|scheme|project|reform))\b"
)
_SPEAKS = (
    r"\b(?:(?:speak|count|argu|work|tell|weigh)(?:e?s|ing)?|argue"
    r"|argument|point|reason|case|mark|strike)"
)
_MOVES = r"\b(?:push|pull|mov|nudg|draw|swing|shift|tilt|sway|turn|bring|driv|steer)\w*"
_FARTHER = r"(?:further\s+|more\s+|a\s+bit\s+|\w+ly\s+)?"
_PUSH = (
    r"(?:{0}wards?\s+(?:push|pull|pressure|effect|direction|movement|move|shift|trend|nudge|tendency|change"
    r"|influence|impact|force|drift|answer|reading|one|side)\b|{1}\s+(?:push|pull|direction|shift)\b)"
)
_STANCE_UP = (
    rf"\b{_PUSH.format('up', 'positive')}|"
    r"\bmore\s+(?:favou?rable|favou?rably|supportive|sympathetic|receptive|in\s+favou?r|positive)\b"
    rf"|{_SPEAKS}\s+(?:\w+ly\s+)?(?:for|in\s+favou?r\s+of)\s+{_PLAN}"
    rf"|{_SPEAKS}\s+in\s+favou?r(?=\W*$)"
    r"|\breason\s+(?:for\s+\w+\s+)?to\s+(?:back|support|favou?r|welcome|embrace|endorse)\b"
    rf"|\bw[io]ns?\s+{_WHO}\s+over\b|\bwarm\w*\s+(?:{_WHO}\s+)?(?:up\s+)?to\b"
    rf"|\b(?:rais|strengthen|increas|boost|deepen|bolster|lift|firm)\w*\s+(?:up\s+)?{_THEIR}{_BACKING}"
    rf"|\b{_THEIR}{_BACKING}[^.,;:?!\n]{{0,40}}?\s(?:rises?|grows?|increases?|climbs?|(?:goes|go)\s+up)\b"
    rf"|{_MOVES}\s+{_WHO}\s+{_FARTHER}(?:towards?|closer\s+to|behind|in\s+favou?r\s+of)"
    rf"\s+(?:support\w*|{_PLAN}|the\s+\w+(?=\W*$))"
)
_STANCE_DOWN = (
    rf"\b{_PUSH.format('down', 'negative')}|"
    r"\b(?:less\s+(?:favou?rable|favou?rably|supportive|sympathetic|receptive|in\s+favou?r|positive)"
    r"|more\s+(?:opposed|hostile|negative|critical|sceptical|skeptical|wary|resistant))\b"
    rf"|(?:{_SPEAKS}\s+(?:\w+ly\s+)?|\bbut\s+)against\s+{_PLAN}"
    rf"|{_SPEAKS}\s+against(?=\W*$)"
    r"|\breason\s+(?:for\s+\w+\s+)?to\s+(?:oppose|reject|resist|distrust|refuse|dislike)\b"
    rf"|\bsours?\s+{_WHO}\s+on\b|\bputs?\s+{_WHO}\s+off\b|\bcools?\s+(?:{_WHO}\s+)?(?:on|towards?)\b"
    rf"|\b(?:lower|weaken|reduc|decreas|erod|dent|undermin|drain|sap|dampen|diminish)\w*\s+{_THEIR}{_BACKING}"
    rf"|\b{_THEIR}{_BACKING}[^.,;:?!\n]{{0,40}}?\s(?:falls?|drops?|decreases?|declines?|shrinks?|erodes?"
    r"|(?:goes|go)\s+down)\b"
    rf"|{_MOVES}\s+{_WHO}\s+{_FARTHER}(?:(?:away|further)\s+from|against)\s+(?:{_PLAN}|the\s+\w+(?=\W*$))"
)
_STANCE = re.compile(rf"(?P<up>{_STANCE_UP})|(?P<down>{_STANCE_DOWN})", re.IGNORECASE)
_THAN = re.compile(r"\s+than\s+(?!before\b)", re.IGNORECASE)
# "if she paid taxes": she does not.
_COUNTERFACTUAL = re.compile(
    r"[^.;:?!\n]{0,40}\b(?:if|unless)\s+(?:\w+\s+){1,3}?(?:had|were|was|did|could|\w+ed|paid|went|came)\b",
    re.IGNORECASE,
)
_CLAUSES = re.compile(r"[,.;:\u2014\n]|\bbut\b")
_OTHERS = re.compile(
    r"\b(?:husband|wife|partner|neighbou?rs?|friends?|others|people|most|some|many|landlords?|critics"
    r"|owners|renters|residents|mother|father|parents|sister|brother|sons?|daughters?|colleagues?|family"
    r"|boss)\b",
    re.IGNORECASE,
)
# "it pushes business up", "a drop in trust"
_SENDS = (
    r"\b(?:go|goes|mov|push|driv|bring|send|nudg|drag|pull|press|knock|weigh|hold|keep|tick|edg|creep|head)\w*"
    r"(?:\s+[\w'-]+){0,8}?\s+"
)
_AMOUNT = re.compile(
    rf"(?P<up>{_SENDS}(?:up(?!\s+(?:to|with|for|against))|upwards?|higher)\b"
    r"|\b(?:ris(?:es?|ing)|increas(?:es?|ing)|climb(?:s|ing)?|grow(?:s|ing)?|rais(?:es?|ing)"
    r"|boost(?:s|ing)?|lift(?:s|ing)?)\b|\ban?\s+(?:\w+\s+)?(?:uptick|gain)\s+in\b)"
    rf"|(?P<down>{_SENDS}(?:down(?!\s+(?:to|on|the))|downwards?|lower)\b"
    r"|\b(?:falls?|falling|drop(?:s|ping)?|declin(?:es?|ing)|decreas(?:es?|ing)|shrink(?:s|ing)?"
    r"|sink(?:s|ing)?|dwindl(?:es?|ing)|lower(?:s|ing)|reduc(?:es?|ing))\b"
    r"|\ban?\s+(?:\w+\s+)?(?:reduction|dip|loss)\s+in\b)",
    re.IGNORECASE,
)
# Amounts are the effect where somebody expects them, or where they follow.
_EXPECTS = re.compile(
    r"\b(?:expect|predict|think|believe|see|anticipate|figure|reckon|count\s+on|conclude|foresee|picture"
    r"|assume)s?\b|\b(?:would|'d)\s+(?:say|tell)\b|(?:^\W*|:\s*)(?:it|this|that|so|therefore|thus|hence|overall|as\s+a\s+result)\b",
    re.IGNORECASE,
)
_ACCORDING = re.compile(
    r"\baccording\s+to\b|\bas\s+(?:he|she|they)\s+(?:tell|see|put|say)s?\b|\b(?:in|to)\s+(?:(?:his|her|their)|(?:this|the)\s+\w+'s)\s+(?:view|eyes|opinion|mind"
    r"|telling|thinking|book|account)\b",
    re.IGNORECASE,
)
_TAKES_SIDES = re.compile(
    r"\b(?:support\w*|favou?r\w*|(?:the|this|that)\s+plan|oppos\w+|against|stance|backs?|in\s+favou?r)\b",
    re.IGNORECASE,
)
# What brings the effect about goes up or down as well.
_AROUND = re.compile(
    r"\b(?:if(?!\s+anything)|when(?:ever)?|since|because|as|once|after|although|though|while|whether"
    r"|given|where|who|which)\b[^,;\u2014\n]*(?:[,;\u2014]|$)",
    re.IGNORECASE,
)


def direction(sentences: Sequence[Sentence]) -> str | None:
    """ "positive" or "negative", if the last two sentences say one of them; None for both."""
    said: set[str] = set()
    denied: set[str] = set()
    for sentence in sentences[-2:]:
        if sentence.asks or sentence.own:
            continue
        for pattern in (_EFFECT, _KIND, _STANCE):
            if pattern is not _STANCE and _both(sentence.text):
                continue
            for found in pattern.finditer(sentence.text):
                start, end = found.span(found.lastgroup or 0)
                way = "positive" if found.lastgroup in {"up", "rise"} else "negative"
                before = sentence.text[max(0, start - 90) : start]
                if found[0].lower().startswith(("more", "less")) and _THAN.match(
                    sentence.text, end
                ):
                    continue
                if _COUNTERFACTUAL.match(sentence.text, end):
                    continue
                if _OTHERS.search(_CLAUSES.split(before)[-1]):
                    continue
                if not _open(before) and not rejected(before, sentence.text[end : end + 90]):
                    said.add(way)
                elif sentence is sentences[-1]:
                    denied.add(way)
    if denied and (not said or denied & said):
        return None
    if not said:
        return lone(sentences[-1].text) or _amount(sentences)
    return said.pop() if len(said) == 1 else None


def lone(text: str) -> str | None:
    """The direction that a text is, with or without a label, and nothing else."""
    label = _LABELLED.match(text)
    found = _LONE.fullmatch(text, label.end() if label else 0)
    if found is None:
        return None
    return "positive" if found["up"] else "negative"


def _amount(sentences: Sequence[Sentence]) -> str | None:
    """Where the last sentence expects an amount to go, in a reply that takes no sides."""
    last = sentences[-1]
    if last.asks or last.own or any(_TAKES_SIDES.search(one.text) for one in sentences[-2:]):
        return None
    text = _AROUND.sub(_blank, last.text)
    found = list(_AMOUNT.finditer(text))
    ways = {"positive" if one["up"] else "negative" for one in found}
    if len(ways) != 1 or not (_EXPECTS.search(text) or _ACCORDING.search(last.text)):
        return None
    before, after = text[: found[0].start()], text[found[-1].end() : found[-1].end() + 90]
    if doubtful(before) or rejected(before, after) or any(rejected("", one[0]) for one in found):
        return None
    way = ways.pop()
    other = _DOWN if way == "positive" else _UP
    return None if other.search(text) else way


def _both(text: str) -> bool:
    return _UP.search(text) is not None and _DOWN.search(text) is not None


def _open(before: str) -> bool:
    """Whether the words before leave it open; what would bring the effect about does not."""
    return doubtful(_AROUND.sub(_blank, before) if "," in before else before)


def _blank(found: re.Match[str]) -> str:
    return " " * len(found[0])
