"""A reply in sentences, and the words that turn what a sentence says: no, perhaps, if, wait.

The word lists hold what the common languages say for the same; a language that is missing costs
answers (they stay unread), never a wrong reading.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from otherminds.metrics.marks import REASON

# A word character of a script that puts spaces between words.
LETTERLIKE = r"[^\W\u3040-\u30ff\u4e00-\u9fff\uac00-\ud7af]"
_CJK = r"\u3040-\u30ff\u4e00-\u9fff\uac00-\ud7af"

# "z. B.", "i. e.": letters that are no options, full stops that end no sentence.
_ABBREVIATED = re.compile(
    r"\b(?:z\. ?B|d\. ?h|u\. ?a|p\. ?ex|p\. ?ej|a\. ?m|p\. ?m|i\. ?e|e\. ?g|n\. ?b|vs|etc|approx|dr|mr"
    r"|mrs|ms|st|prof|sr|sra|ca|bzw|usw|no|nr)\.(?=\s)",
    re.IGNORECASE,
)
_END = re.compile(
    rf"(?:[.!?\u2026\u061f\u0964]+|;)[\"')\]\u00bb\u300d*]*(?=\s|$|[{_CJK}])|(?<=[{_CJK}])[.!?]+|\n|(?<=[.!?])\s*\u2014"
)
# What somebody said is evidence, however it is put.
_QUOTED = re.compile(
    r"\"[^\"\n]{2,300}\"|\u00ab[^\u00ab\u00bb\n]{2,300}\u00bb|\u201e[^\u201e\"\n]{2,300}\""
    r"|\u300c[^\u300c\u300d\n]{2,300}\u300d"
)
_SPACED = re.compile(r"\s")

_CLAUSE = re.compile(
    r"[,.;:!?(\n\u2014\u060c]|\s[-\u2013]\s|\b(?:and|but|und|aber|sondern|et|mais|y|pero|sino|e|mas|ma)\b",
    re.IGNORECASE,
)
_NEGATIONS = re.compile(
    r"\b(?:not|never|neither|nor|cannot|without|hardly|no|none|nothing|nobody|rule[sd]?|ruling"
    r"|exclud\w*|eliminat\w*|discard\w*|reject\w*|remov\w*|dismiss\w*|dispos\w*|drop|drops|strik\w*"
    r"|cross\w*|scratch|wrong|doubt\w*|far\s+from"
    r"|kein\w*|nicht|weder|nie|pas|jamais|ni|aucun\w*|n\u00e3o|nem|nunca|non|n\u00e9|mai|ne|\u043d\u0435|\u043d\u0438"
    r"|\u043d\u0435\u043b\u044c\u0437\u044f|niet|geen|nie|inte|ikke|de\u011fil)\b|n't\b|\u4e0d|\u6ca1|\u975e|\u306a\u3044|\u3067\u306f\u306a|\uc544\ub2c8|\u0644\u0627\s|\u0644\u064a\u0633",
    re.IGNORECASE,
)
_COMPARED = re.compile(
    r"\b(?:was|were|been|war|\u00e9tait|era|\u0431\u044b\u043b\w?|over|than|instead\s+of|rather\s+than|unlike|against|versus|vs|als|statt|plut\u00f4t\s+que|en\s+lugar\s+de"
    r"|em\s+vez\s+de|\u0430\s+\u043d\u0435)\.?(?:\s+(?:the|an?|his|her|their|earlier|previous|former|old|option|letter))*\s*$",
    re.IGNORECASE,
)
_EXCEPTED = re.compile(
    r"\b(?:but|except|other\s+than|au\u00dfer|sauf|salvo|\u043a\u0440\u043e\u043c\u0435)\s*$",
    re.IGNORECASE,
)
_PAST = re.compile(
    r"\b(?:previous|earlier|prior|former|original|initial|old|baseline|last|first)\s+(?:\w+\s+)?(?:answer|rating|choice|response|score|position"
    r"|stance|support|number|impression|guess|thought)\s+(?:is|at|of|as)\s*$",
    re.IGNORECASE,
)
_BEFORE_THAT = re.compile(
    r"\b(?:was|were)\s+(?:\w+ing|about|tempted|inclined)\b|\bwould\s+have\s+(?:said|picked|chosen)\b|\bmight\s+have\b|\b(?:initially|at\s+first|at\s+a\s+glance|previously)\b",
    re.IGNORECASE,
)
_GUESSED = re.compile(r"\b(?:probably|guess|I'd\s+say)\b", re.IGNORECASE)
_CROSSES = ("\u2717", "\u2718", "\u274c", "\u2716", "\u00d7")
_UNFIT = (
    r"(?:not|never|cannot|no|out|wrong|incorrect|inconsistent|implausible|impossible|unlikely|false|less"
    r"|too|gone|away|eliminated|excluded|ruled|fails?|contradicts?|ignores?|miss|misses|overstates?"
    r"|falsch|faux|fausse|incorrect[aeo]|errad[ao]|sbagliat[ao]|\u043d\u0435|nicht|pas|n\u00e3o)"
)
_REJECTED_AFTER = re.compile(
    rf"[)\]\"'*]*(?:,[^,]{{1,40}},)?\s+(?!{REASON}|(?:which|who|and|but|as|for|is\s+(?:the|my)\s+(?:only|best|correct|right))\b)"
    rf"(?:(?:[^\W\d]|'){{1,14}}\s+){{0,3}}?(?:{_UNFIT}\b|\w{{1,9}}n't\b)",
    re.IGNORECASE,
)
_DOUBTFUL = re.compile(
    r"\b(?:might|may|could|can(?!\s+only)|perhaps|maybe|possibly|conceivably|arguably|either|whether|vielleicht|k\u00f6nnte"
    r"|m\u00f6glicherweise|peut-\u00eatre|pourrait|quiz\u00e1s?|tal\s+vez|podr\u00eda|talvez|poderia|forse|potrebbe|\u0432\u043e\u0437\u043c\u043e\u0436\u043d\u043e"
    r"|\u043c\u043e\u0436\u0435\u0442|misschien|kanske|belki)\b|\u4e5f\u8bb8|\u53ef\u80fd|\u304b\u3082|\uc544\ub9c8|\u0631\u0628\u0645\u0627",
    re.IGNORECASE,
)
_CONDITION = re.compile(
    r"\b(?:if|unless|assuming|suppose|supposing|wenn|falls|sofern|si|se|\u0435\u0441\u043b\u0438)\b|\u5982\u679c|\u3082\u3057|\ub9cc\uc57d|\u0625\u0630\u0627",
    re.IGNORECASE,
)
# "If I had to choose, …" is a way to choose.
_FORCED = re.compile(
    r"\b(?:must|ha[dsv]e?\s+to|need(?:ed)?|forced|pressed|pushed|obliged|required|choose|pick|named?|guess|bet"
    r"|if\s+anything|as\s+if|m\u00fcsste|muss\w*|devais|dois|fallait|faut|tuviera|tengo|tivesse|precis\w+|dovessi|devo"
    r"|\u043d\u0443\u0436\u043d\u043e|\u043f\u0440\u0438\u0448\u043b\u043e\u0441\u044c|\u043d\u0430\u0434\u043e|moest|\u5fc5\u987b|\u4e00\u5b9a\u8981|\u975e\u8981)\b|\u5fc5\u987b|\u4e00\u5b9a\u8981|\u975e\u8981",
    re.IGNORECASE,
)

# After these, an answer may replace an earlier one.
_CORRECTION = re.compile(
    r"\b(?:wait|actually|correct(?:ion|ed|ing|\s+(?:that|this|it|myself))|scratch|strike\s+that|second\s+thoughts?|on\s+reflection"
    r"|reconsider\w*|re-?read\w*|reading\s+(?:it\s+)?again|re-?check\w*|double-?check\w*|let\s+me\s+check|looking\s+(?:at\s+it\s+)?again"
    r"|sorry|oops|hmm+|my\s+mistake|mistake\w*|mixed\s+up|misread|overlook\w*|was\s+(?:above\s+)?wrong|instead|rather|revis\w+"
    r"|make\s+(?:that|it)|makes\s+(?:that|it)|change\s+(?:my|that|it)|take\s+(?:that|it)\s+back|hold\s+on|not\s+quite|but\s+then"
    r"|on\s+balance|after\s+all|first\s+impression|at\s+first|initially|i\s+started"
    r"|moment\s?mal|halt|korrektur|korrigier\w*|vielmehr|stattdessen|doch|attend\w*|en\s+fait|finalement|correction|pardon"
    r"|plut\u00f4t|espera|en\s+realidad|mejor\s+dicho|perd\u00f3n|corrijo|correcci\u00f3n|na\s+verdade|corre\u00e7\u00e3o|corrig\w+|ali\u00e1s"
    r"|desculp\w+|aspetta|anzi|in\s+realt\u00e0|correzione|scusa\w*|\u0441\u0442\u043e\u043f|\u043f\u043e\u0434\u043e\u0436\u0434\w*|\u0442\u043e\u0447\u043d\u0435\u0435|\u0432\u0435\u0440\u043d\u0435\u0435|\u0438\u0441\u043f\u0440\u0430\u0432\w*"
    r"|\u043d\u0430\s+\u0441\u0430\u043c\u043e\u043c\s+\u0434\u0435\u043b\u0435|\u043f\u0440\u043e\u0441\u0442\u0438\u0442\u0435|wacht|eigenlijk)\b"
    r"|(?:^|[\s.,;:!?\u2026\u2014(])(?:no|nein|non|n\u00e3o|\u043d\u0435\u0442|nee|nej)\s*[,.:!\u2014\u2026]"
    r"|\u7b49\u7b49|\u7b49\u4e00\u4e0b|\u4e0d\u5bf9|\u66f4\u6b63|\u4fee\u6b63|\u91cd\u65b0|\u5176\u5b9e|\u5f85\u3063\u3066|\u3044\u3084|\u8a02\u6b63|\u9055\u3044|\u3084\u306f\u308a|\u5b9f\u306f|\u9593\u9055|\u3059\u307f\u307e\u305b\u3093|\uc7a0\uae50|\uc815\uc815|\ub2e4\uc2dc|\uc0ac\uc2e4|\u0627\u0646\u062a\u0638\u0631|\u062a\u0635\u062d\u064a\u062d|\u0641\u064a\s+\u0627\u0644\u0648\u0627\u0642\u0639",
    re.IGNORECASE,
)
# These take an answer back by themselves.
_RETRACTION = re.compile(
    r"(?:^|[.!?\u2026;,\u2014-]\s*|\b(?:no|hmm|oh|but)[,.]?\s+)wait\b(?=\s*[,.!:;\u2026\u2014-]|\s+(?:no|actually|that|a)\b)"
    r"|(?:^|[.!?\u2026;\u2014]\s*|\b(?:hmm|oh|but|no)[,.]?\s+)actually\s*[,.:\u2026\u2014]|\bactually,?\s+no\b"
    r"|\bcorrection\b|\bscratch\s+that\b|\bon\s+second\s+thoughts?\b|\bon\s+reflection\b|\blet\s+me\s+(?:reconsider|correct|fix)\b"
    r"|\b(?:that|this|my\s+answer|the\s+above)\s+(?:is|was)\s+(?:wrong|a\s+mistake|incorrect)\b|\bi\s+take\s+(?:that|it)\s+back\b"
    r"|\b(?:korrektur|doch\s+nicht|n\u00e3o,\s+espera|no,\s+espera|non,\s+attend\w*|correcci\u00f3n|corre\u00e7\u00e3o|correzione)\b"
    r"|(?:^|[.!?\u2026]\s*)(?:nein|stopp?|\u043d\u0435\u0442|\u0441\u0442\u043e\u043f)\s*[,.!\u2014]|\u7b49\u7b49|\u4e0d\u5bf9|\u66f4\u6b63|\u8a02\u6b63|\u5f85\u3063\u3066|\uc7a0\uae50|\uc815\uc815",
    re.IGNORECASE | re.MULTILINE,
)
_CONCLUSION = re.compile(
    r"\b(?:so|therefore|thus|hence|overall|consequently|accordingly|in\s+(?:the\s+end|conclusion|summary|total|short|sum)"
    r"|finally|on\s+balance|all\s+in\s+all|all\s+told|altogether|settle\w*|arrive\w*|conclu\w+|net|final|taken\s+together"
    r"|balance|everything\s+considered|also|daher|deshalb|somit|insgesamt|donc|ainsi|finalement|au\s+final|por\s+(?:lo\s+tanto|eso|isso|tanto)"
    r"|as\u00ed\s+que|entonces|logo|portanto|ent\u00e3o|assim|quindi|dunque|perci\u00f2|\u0438\u0442\u0430\u043a|\u043f\u043e\u044d\u0442\u043e\u043c\u0443|\u0437\u043d\u0430\u0447\u0438\u0442|\u0438\u0442\u043e\u0433\u043e|dus|alts\u00e5)\b"
    r"|\u6240\u4ee5|\u56e0\u6b64|\u7efc\u4e0a|\u603b\u4e4b|\u3088\u3063\u3066|\u3057\u305f\u304c\u3063\u3066|\u3060\u304b\u3089|\ub530\ub77c\uc11c|\uadf8\ub798\uc11c|\u0644\u0630\u0644\u0643|\u0625\u0630\u0646",
    re.IGNORECASE,
)

_MACHINE = re.compile(
    r"\b(?:as\s+an?\s+(?:AI|artificial|assistant|large|language|machine)|I\s+am\s+an\s+AI|language\s+model"
    r"|AI\s+(?:model|assistant|system)|KI|Sprachmodell|IA|mod\u00e8le\s+de\s+langage|modelo\s+de\s+(?:lenguaje|linguagem|l\u00edngua)"
    r"|modello\s+linguistico|\u0418\u0418|\u044f\u0437\u044b\u043a\u043e\u0432\w+\s+\u043c\u043e\u0434\u0435\u043b\w+|taalmodel)\b"
    r"|\u4eba\u5de5\u667a\u80fd|\u8bed\u8a00\u6a21\u578b|\u8a00\u8a9e\u30e2\u30c7\u30eb|AI\u3068\u3057\u3066|\uc778\uacf5\uc9c0\ub2a5|\uc5b8\uc5b4\s*\ubaa8\ub378|\u0646\u0645\u0648\u0630\u062c",
    re.IGNORECASE,
)
_OWN_VIEW = re.compile(
    r"\b(?:personally|speaking\s+for\s+myself|for\s+myself|my\s+own|in\s+my\s+(?:own\s+)?(?:opinion|view)|if\s+I\s+were\s+asked"
    r"|pers\u00f6nlich|personnellement|personalmente|pessoalmente|\u043b\u0438\u0447\u043d\u043e|persoonlijk)\b|\u4e2a\u4eba|\u500b\u4eba\u7684|\uac1c\uc778\uc801|\u0634\u062e\u0635\u064a",
    re.IGNORECASE,
)
_NEVERTHELESS = re.compile(
    r"\b(?:but|however|though|still|nevertheless|guess|ha[dv]e?\s+to|must|need|aber|mais|pero|mas|ma|\u043d\u043e)\b|\u4f46|\u304c,|\ud558\uc9c0\ub9cc|\u0644\u0643\u0646",
    re.IGNORECASE,
)
_CLOSED = re.compile(r"[.!?\u2026:\u061f\u0964)\]}\"'|>\u00bb\u300d]$|[^\w\s,;\-\u2013\u2014/&+]$")
_LIST_NUMBER = re.compile(r"^[ ]*(?:[-\u2022] )?(?P<number>\d{1,2})[.)](?= +\S)", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence or line of a reply.

    text    as in the reply, with spaces in place of quoted speech: positions are those of the reply
    start   where it begins in the reply
    opens   whether it is the first one
    closes  whether it is the last one
    asks    whether it is a question
    own     whether a machine speaks for itself in it
    """

    text: str
    start: int
    opens: bool
    closes: bool
    asks: bool
    own: bool

    @property
    def end(self) -> int:
        """Where it ends in the reply."""
        return self.start + len(self.text)

    @property
    def concludes(self) -> bool:
        """Whether it says that something follows."""
        return _CONCLUSION.search(self.text) is not None


def sentences(text: str) -> list[Sentence]:
    """The sentences of a plain text; rows of tables are none."""
    masked = _ABBREVIATED.sub(_blank, _QUOTED.sub(_without_speech, _without_list_numbers(text)))
    spans = [span for span in _spans(masked) if masked[span[0]] != "|"]
    found = []
    machine = False
    for number, (start, end) in enumerate(spans):
        sentence = masked[start:end]
        spoke, machine = machine, _MACHINE.search(sentence) is not None
        own = (machine or spoke) and _OWN_VIEW.search(sentence) is not None
        found.append(
            Sentence(
                sentence,
                start,
                number == 0,
                number == len(spans) - 1,
                sentence[-3:].strip(" \")'").endswith(("?", "\u061f"))
                and not _GUESSED.search(sentence),
                own or (machine and not _NEVERTHELESS.search(sentence)),
            )
        )
    return found


def is_cut_off(text: str) -> bool:
    """Whether the last line breaks off: several words without an end."""
    last = text.rsplit("\n", 1)[-1]
    return len(last.split()) > 2 and _CLOSED.search(last) is None


def rejected(before: str, after: str) -> bool:
    """Whether the words around something said reject it: "not …", "rather than …", "… is wrong"."""
    before = before.rstrip(" ([\"'*")
    if _EXCEPTED.search(before):
        return False
    if before.endswith(_CROSSES) or after.lstrip(" )]\"'*").startswith(_CROSSES):
        return True
    clause = _clause(before)
    if (
        _BEFORE_THAT.search(clause)
        or _PAST.search(clause)
        or _COMPARED.search(clause)
        or _NEGATIONS.search(" ".join(clause.split()[-6:]))
    ):
        return True
    return _REJECTED_AFTER.match(after) is not None


def doubtful(before: str) -> bool:
    """Whether the clause that leads up to an answer leaves it open: "might be", "if she stays"."""
    if _DOUBTFUL.search(_clause(before)):
        return True
    return _CONDITION.search(before) is not None and not _FORCED.search(before)


def provisional(before: str) -> bool:
    """Whether the words before an answer set it aside as a first thought: "at first glance, …"."""
    return _BEFORE_THAT.search(_clause(before)) is not None


def corrects(text: str) -> bool:
    """Whether `text`, between two answers, says that the second replaces the first."""
    return _CORRECTION.search(text) is not None


def takes_back(text: str) -> bool:
    """Whether `text`, which follows an answer, takes it back."""
    return _RETRACTION.search(text) is not None


def _clause(before: str) -> str:
    return _CLAUSE.split(before.rstrip(" ([\"'*"))[-1]


def _without_list_numbers(text: str) -> str:
    """`text` with spaces in place of "1." and "2.", not of a number that may be the answer."""
    numbers = {int(found["number"]) for found in _LIST_NUMBER.finditer(text)}
    broken = is_cut_off(text)

    def kept(found: re.Match[str]) -> str:
        number = int(found["number"])
        in_list = number + 1 in numbers or number - 1 in numbers
        first = found.start() == 0 and not (number == 1 and broken)
        return found[0] if first and not in_list else _blank(found)

    return _LIST_NUMBER.sub(kept, text)


def _blank(found: re.Match[str]) -> str:
    return " " * len(found[0])


def _without_speech(found: re.Match[str]) -> str:
    said = found[0]
    words = len(said.split())
    spaceless = sum(ord(character) > 0x3000 for character in said) > 8
    return _SPACED.sub(" ", " " * len(said)) if words > 3 or spaceless else said


def _spans(text: str) -> Iterator[tuple[int, int]]:
    start = 0
    for end in [*(found.end() for found in _END.finditer(text)), len(text)]:
        piece = text[start:end]
        begin = start + len(piece) - len(piece.lstrip())
        stop = end - (len(piece) - len(piece.rstrip()))
        if stop > begin:
            yield begin, stop
        start = end
