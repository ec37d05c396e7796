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
    r"\b(?:z\. ?B|d\. ?h|u\. ?a|p\. ?ex|p\. ?ej|a\. ?m|p\. ?m|i\. ?e|e\. ?g|n\. ?b|vs|etc|approx"
    r"|dr|mr"
    r"|mrs|ms|st|prof|sr|sra|ca|bzw|usw|no|nr)\.(?=\s)",
    re.IGNORECASE,
)
_END = re.compile(
    rf"(?:[.!?\u2026\u061f\u0964]+|;)[\"')\]\u00bb\u300d*]*(?=\s|$|[{_CJK}])|(?<=[{_CJK}])[.!?]+"
    rf"|\n|(?<=[.!?])\s*\u2014"
)
# What somebody said is evidence, however it is put.
_QUOTED = re.compile(
    r"\"[^\"\n]{2,300}\"|\u00ab[^\u00ab\u00bb\n]{2,300}\u00bb|\u201e[^\u201e\"\n]{2,300}\""
    r"|\u300c[^\u300c\u300d\n]{2,300}\u300d"
)
_SPACED = re.compile(r"\s")

_CLAUSE = re.compile(
    r"[,.;:!?(\n\u2014\u060c]|\s[-\u2013]\s|\b(?:and|but|yet|whereas|und|aber|sondern|et|mais|y|pero|sino|e"
    r"|mas|ma)\b",
    re.IGNORECASE,
)
_NEGATIONS = re.compile(
    r"\b(?:not|never|neither|nor|cannot|without|hardly|no|none|nothing|nobody|rule[sd]?|ruling"
    r"|exclud\w*|eliminat\w*|discard\w*|reject\w*|remov\w*|dismiss\w*|dispos\w*"
    r"|drops?(?!\s+(?:from|to|down|by|back)\b)|strik\w*"
    r"|cross\w*|scratch|wrong|doubt\w*|far\s+from|(?:away|back)\s+from|(?:stop\w*\s+)?short\s+of|shy\s+of"
    r"|nowhere\s+near|a\s+stretch|mistake|(?:hard|difficult|odd|strange|rash)\s+to|least\s+(?:likely|plausible|convincing|fitting)"
    r"|(?:that|which|one|letter|option)\s+(?:clash|conflict|contradict|jar|disagree)\w*"
    r"|fits?\s+(?:\w+\s+)?(?:least|worst|badly|poorly)|at\s+odds"
    r"|kein\w*|nicht|weder|nie|pas|jamais|ni|aucun\w*|não|nem|nunca|non|né|mai|ne|не|ни"
    r"|нельзя|niet|geen|nie|inte|ikke|değil)\b|n't\b|不|没|非|ない|ではな|아니|لا\s|ليس",
    re.IGNORECASE,
)
_COMPARED = re.compile(
    r"\b(?:was|were|been|war|était|era|был\w?|over|than|instead\s+of|rather\s+than|unlike|against"
    r"|versus|vs|replaces|beats|outweighs|als|statt|plutôt\s+que|en\s+lugar\s+de"
    r"|em\s+vez\s+de|а\s+не)\.?(?:\s+(?:the|an?|his|her|their|earlier|previous|former|old|option"
    r"|letter))*\s*$",
    re.IGNORECASE,
)
_EXCEPTED = re.compile(
    r"\b(?:but|except|other\s+than|außer|sauf|salvo|кроме)\s*$",
    re.IGNORECASE,
)
_PAST = re.compile(
    r"\b(?:starting\s+(?:point|position|value)|start(?:s|ed|ing)\s+(?:out\s+|off\s+)?(?:at|from|with|as)"
    r"|used\s+to\s+be)\b|\b(?:previous|earlier|prior|former|original|initial|old|baseline|last"
    r"|first)\s+(?:\w+\s+)?(?:answer|rating|choice|response|score|position"
    r"|stance|support|number|impression|guess|thought)\s+(?:is|at|of|as)\s*$",
    re.IGNORECASE,
)
_BEFORE_THAT = re.compile(
    r"\b(?:was|were)\s+(?:\w+ing|about|tempted|inclined)\b|\bwould\s+have\s+(?:said|picked"
    r"|chosen)\b|\bmight\s+have\b|\b(?:(?<!things )considered|toyed\s+with|thought\s+(?:about|of))\b"
    r"|\b(?:initially|at\s+first|at\s+a\s+glance|previously)\b",
    re.IGNORECASE,
)
_GUESSED = re.compile(r"\b(?:probably|guess|I'd\s+say)\b", re.IGNORECASE)
_CROSSES = ("\u2717", "\u2718", "\u274c", "\u2716", "\u00d7")
_UNFIT = (
    r"(?:not|never|cannot|no|nothing|nowhere|little|out|wrong|incorrect|inconsistent|implausible|impossible|unlikely"
    r"|false|less"
    r"|too|gone|away|eliminated|excluded|ruled|fails?|contradicts?|ignores?|miss|misses"
    r"|overstates?|falls?\s+away"
    r"|falsch|faux|fausse|incorrect[aeo]|errad[ao]|sbagliat[ao]|не|nicht|pas|não)"
)
_REJECTED_AFTER = re.compile(
    rf"[)\]\"'*]*(?:,[^,]{{1,40}},)?\s+(?!{REASON}|(?:which|who|and|but|as|for|is\s+(?:the"
    rf"|my)\s+(?:only|best|correct|right))\b)"
    rf"(?:(?:[^\W\d]|'){{1,14}}\s+){{0,3}}?(?:{_UNFIT}\b|\w{{1,9}}n't\b)",
    re.IGNORECASE,
)
# What would follow from an answer, and does not: "A would mean that …", "a 9 would be a fan".
_COUNTERFACTUAL = re.compile(
    r"[)\]\"'*]*\s+(?:would|'d)\s+(?:(?!be\b|fit|seem|feel|make|suit|match|work|do\b|have|get"
    r"|best|capture|describe|reflect|also|still|then|probably|most|now|likely|sound|win|follow)\w+"
    r"|be\s+(?:un|too|over|under|im|for\b|someone|somebody|if\b|when\b|wrong|false|an?\s+(?!good"
    r"|fair|reasonable|safe|better|solid|sensible|natural|fitting|strong|fine|decent|suitable)\w)"
    r"|have\s+been\b)"
    r"|[)\]\"'*]*\s+(?:is|was)\s+(?:what|where)\s+I(?:'d|\s+would)\s+have\b",
    re.IGNORECASE,
)
# What others think is no conclusion: "some would say A".
_HEARSAY = re.compile(
    r"\b(?:some|one|many|others|most|people|you|everybody|everyone|anyone|somebody|someone|critics"
    r"|opponents|supporters|advocates|skeptics|neighbou?rs?|brother|sister|husband|wife|mother|father|friends?|partner|colleagues?|sons?|daughters?)"
    r"(?:\s+\w+){0,5}?(?:\s+(?:would|might|could"
    r"|may|will)|'d)\s+(?:\w+ly\s+)?(?:say|think|argue|expect|assume|read|suppose|object|guess|pick"
    r"|choose|answer|go|take|favou?r|give|put|vote|select)\b|\btempt(?:ing|ed|ation)\b",
    re.IGNORECASE,
)
# What follows these is no longer what others think.
_TURNS = re.compile(
    r"(?:[,;\u2014]\s*|\b)(?:but|yet|however|still|whereas|though)\b", re.IGNORECASE
)
_DOUBTFUL = re.compile(
    r"\b(?:might|may|could|can(?!\s+only)|perhaps|maybe|possibly|conceivably|arguably|either"
    r"|whether|vielleicht|könnte"
    r"|möglicherweise|peut-\u00eatre|pourrait|quizás?|tal\s+vez|podría|talvez|poderia|forse"
    r"|potrebbe|возможно"
    r"|может|misschien|kanske|belki)\b|也许|可能|かも|아마|ربما",
    re.IGNORECASE,
)
_CONDITION = re.compile(
    r"\b(?:if|unless|assuming|(?<!i\s)suppose|supposing|wenn|(?<![^,;\s]\s)falls|sofern|si|se|если)\b|如果|もし|만약|إذا",
    re.IGNORECASE,
)
# What follows from a condition is asserted: "if rents rise I'd still be in favor, so 6".
_FOLLOWING = re.compile(
    r",\s*(?:and\s+)?(?:so|therefore|thus|hence|which\s+is\s+why)\b", re.IGNORECASE
)
# "If I had to choose, …" is a way to choose.
_FORCED = re.compile(
    r"\b(?:must|ha[dsv]e?\s+to|need(?:ed)?|forced|pressed|pushed|obliged|required|choose|pick"
    r"|named?|guess|bet"
    r"|if\s+anything|as\s+if|müsste|muss\w*|devais|dois|fallait|faut|tuviera|tengo|tivesse"
    r"|precis\w+|dovessi|devo"
    r"|нужно|пришлось|надо|moest|必须|一定要|非要)\b|必须|一定要|非要",
    re.IGNORECASE,
)

# After these, an answer may replace an earlier one.
_CORRECTION = re.compile(
    r"\b(?:wait|actually|correct(?:ion|ed|ing|\s+(?:that|this|it|myself))|scratch|strike\s+that"
    r"|second\s+thoughts?|on\s+reflection"
    r"|reconsider\w*|re-?read\w*|reading\s+(?:it\s+)?again|re-?check\w*|double-?check\w*"
    r"|let\s+me\s+check|looking\s+(?:at\s+it\s+)?again"
    r"|sorry|oops|hmm+|my\s+mistake|mistake\w*|mixed\s+up|misread|overlook\w*"
    r"|was\s+(?:above\s+)?wrong|instead|rather|revis\w+"
    r"|make\s+(?:that|it)|makes\s+(?:that|it)|change\s+(?:my|that|it)|take\s+(?:that|it)\s+back"
    r"|hold\s+on|not\s+quite|but\s+then|then\s+again|replac\w+|chang\w+|switch\w*|flip\w*"
    r"|on\s+balance|after\s+all|first\s+impression|at\s+first|initially|i\s+started"
    r"|moment\s?mal|halt|korrektur|korrigier\w*|vielmehr|stattdessen|doch|attend\w*|en\s+fait"
    r"|finalement|correction|pardon"
    r"|plutôt|espera|en\s+realidad|mejor\s+dicho|perdón|corrijo|corrección|na\s+verdade|correção"
    r"|corrig\w+|aliás"
    r"|desculp\w+|aspetta|anzi|in\s+realtà|correzione|scusa\w*|стоп|подожд\w*|точнее|вернее"
    r"|исправ\w*"
    r"|на\s+самом\s+деле|простите|wacht|eigenlijk)\b"
    r"|(?:^|[\s.,;:!?\u2026\u2014(])(?:no|nein|non|não|нет|nee|nej)\s*[,.:!\u2014\u2026]"
    r"|等等|等一下|不对|更正|修正|重新|其实|待って|いや|訂正|違い|やはり|実は|間違|すみません|잠깐|정정|다시|사실|انتظر|تصحيح|في\s+الواقع",
    re.IGNORECASE,
)
# These take an answer back by themselves.
_RETRACTION = re.compile(
    r"(?:^|[.!?\u2026;,\u2014-]\s*|\b(?:no|hmm|oh|but)[,.]?\s+)wait\b(?=\s*[,.!:;\u2026\u2014-]"
    r"|\s+(?:no|actually|that|a)\b)"
    r"|(?:^|[.!?\u2026;\u2014]\s*|\b(?:hmm|oh|but|no)[,.]?\s+)actually\s*[,.:\u2026\u2014]"
    r"|\bactually,?\s+no\b"
    r"|\bcorrection\b|\bscratch\s+that\b|\bon\s+second\s+thoughts?\b|\bon\s+reflection\b"
    r"|\blet\s+me\s+(?:reconsider|correct|fix)\b"
    r"|\b(?:that|this|my\s+answer|the\s+above)\s+(?:is|was)\s+(?:wrong|a\s+mistake|incorrect)\b"
    r"|\bi\s+take\s+(?:that|it)\s+back\b"
    r"|\b(?:korrektur|doch\s+nicht|não,\s+espera|no,\s+espera|non,\s+attend\w*|corrección"
    r"|correção|correzione)\b"
    r"|(?:^|[.!?\u2026]\s*)(?:nein|stopp?|нет|стоп)\s*[,.!\u2014]|等等|不对|更正|訂正|待って|잠깐|정정",
    re.IGNORECASE | re.MULTILINE,
)
_DECLINED = re.compile(
    r"\b(?:I|we|one)\s+(?:really\s+|simply\s+|just\s+)?(?:can(?:not|'t|\s+not)|could(?:n't|\s+not)|am\s+(?:un"
    r"|not\s+)able\s+to|won't|will\s+not)\s+(?:really\s+|honestly\s+)?(?:do\s+(?:it|that|so)|tell"
    r"|decide|determine|choose|pick|settle|judge|answer|commit)\b"
    r"(?!\s+(?:\w+\s+)?(?:more|much|why|how|certain\w*|sure|exactly|any)\b)(?!\s+for\s+(?:sure|certain))",
    re.IGNORECASE,
)
_CONCLUSION = re.compile(
    r"\b(?:so|therefore|thus|hence|overall|consequently|accordingly|in\s+(?:the\s+end|conclusion"
    r"|summary|total|short|sum)"
    r"|finally|on\s+balance|all\s+in\s+all|all\s+told|altogether|settl\w+|arrive\w*|conclu\w+"
    r"|net|final|taken\s+together"
    r"|balance|everything\s+considered|also|daher|deshalb|somit|insgesamt|donc|ainsi|finalement"
    r"|au\s+final|por\s+(?:lo\s+tanto|eso|isso|tanto)"
    r"|así\s+que|entonces|logo|portanto|então|assim|quindi|dunque|perciò|итак|поэтому|значит"
    r"|итого|dus|altså)\b"
    r"|所以|因此|综上|总之|よって|したがって|だから|따라서|그래서|لذلك|إذن",
    re.IGNORECASE,
)

_MACHINE = re.compile(
    r"\b(?:as\s+an?\s+(?:AI|artificial|assistant|large|language|machine)|I\s+am\s+an\s+AI"
    r"|language\s+model"
    r"|AI\s+(?:model|assistant|system)|KI|Sprachmodell|IA|modèle\s+de\s+langage"
    r"|modelo\s+de\s+(?:lenguaje|linguagem|língua)"
    r"|modello\s+linguistico|ИИ|языков\w+\s+модел\w+|taalmodel)\b"
    r"|人工智能|语言模型|言語モデル|AIとして|인공지능|언어\s*모델|نموذج",
    re.IGNORECASE,
)
_OWN_VIEW = re.compile(
    r"\b(?:personally|speaking\s+for\s+myself|for\s+myself|my\s+own"
    r"|in\s+my\s+(?:own\s+)?(?:opinion|view)|if\s+I\s+were\s+asked"
    r"|persönlich|personnellement|personalmente|pessoalmente|лично|persoonlijk)\b|个人|個人的|개인적|شخصي",
    re.IGNORECASE,
)
_NEVERTHELESS = re.compile(
    r"\b(?:but|however|though|still|nevertheless|guess|ha[dv]e?\s+to|must|need|aber|mais|pero|mas"
    r"|ma|но)\b|但|が,|하지만|لكن",
    re.IGNORECASE,
)
# A way to take leave, behind the last sentence that says something.
_FAREWELL = re.compile(
    r"\W*(?:let\s+me\s+know|i\s+hope|hope\s+th|feel\s+free|would\s+you\s+like|thank|happy\s+to"
    r"|if\s+you(?:'d)?\s+(?:want|need|like|have)|i'?m\s+happy|i\s+can\s+also|please\s+let|cheers)",
    re.IGNORECASE,
)
_BRACES = str.maketrans("{}", "()")
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
    masked = masked.translate(_BRACES)
    spans = [span for span in _spans(masked) if masked[span[0]] != "|"]
    last = len(spans) - 1
    while last > 0 and _FAREWELL.match(masked, spans[last][0]):
        last -= 1
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
                number == last,
                sentence[-3:].strip(" \")'").endswith(("?", "\u061f"))
                and not _GUESSED.search(sentence),
                own or (machine and not _NEVERTHELESS.search(sentence)),
            )
        )
    return found


def is_cut_off(text: str) -> bool:
    """Whether the last line breaks off: several words without an end."""
    last = text.rsplit("\n", 1)[-1]
    return len(last.split()) > 1 and _CLOSED.search(last) is None


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
    return _REJECTED_AFTER.match(after) is not None or _COUNTERFACTUAL.match(after) is not None


def doubtful(before: str) -> bool:
    """Whether the clause that leads up to an answer leaves it open: "might be", "if she stays"."""
    if _DOUBTFUL.search(_clause(before)) or _HEARSAY.search(_TURNS.split(before)[-1]):
        return True
    condition = _FOLLOWING.split(before)[-1]
    return _CONDITION.search(condition) is not None and not _FORCED.search(condition)


def provisional(before: str) -> bool:
    """Whether the words before an answer set it aside as a first thought: "at first glance, …"."""
    return _BEFORE_THAT.search(_clause(before)) is not None


def corrects(text: str) -> bool:
    """Whether `text`, between two answers, says that the second replaces the first."""
    return _CORRECTION.search(text) is not None


def takes_back(text: str) -> bool:
    """Whether `text`, which follows an answer, takes it back."""
    return _RETRACTION.search(text) is not None


def declines(text: str) -> bool:
    """Whether a sentence declines to answer: "I can't decide that for her"."""
    return _DECLINED.search(text) is not None


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
