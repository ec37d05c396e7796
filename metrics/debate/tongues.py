"""Plain stances in languages other than English.

A model that answers in another language is read where that is plain: the words for yes, no, agree and
disagree, turned round by an odd number of negators in their clause. A clause that leaves it open ("or",
"perhaps", "whether"), a question and two different stances say nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache


@dataclass(frozen=True)
class Tongue:
    """The words of one language, as regular expressions.

    pro, con    agree and disagree, in all their forms; con is looked for first
    yes, no     alone, or at the beginning of a reply
    turns       negators and verbs of doubt
    opens       what leaves a stance open
    spaced      whether its words have spaces between them
    """

    pro: str
    con: str
    yes: str
    no: str
    turns: str
    opens: str
    spaced: bool = True
    script: str = ""


_KANA, _HANGUL = re.compile("[\u3040-\u30ff]"), re.compile("[\uac00-\ud7a3]")


_TONGUES = (
    Tongue(  # German
        pro=r"stimm(?:e|t|en)\s+(?:\w+\s+){0,4}?zu|zustimm\w*|zuzustimmen|zugestimmt"
        r"|einverstanden|zustimmung|bejah\w*|befürwort\w*|dafür(?=\W*$)",
        con=r"stimm(?:e|t|en)\s+(?:\w+\s+){0,4}?nicht\s+(?:\w+\s+){0,2}?zu|lehn(?:e|t|en)"
        r"\s+(?:\w+\s+){0,5}?ab|ablehn\w*|abzulehnen|widersprech\w*|widerspricht|uneinig|dagegen(?=\W*$)",
        yes=r"ja|jawohl|wahr|richtig|dafür|zustimmung",
        no=r"nein|nö|falsch|dagegen|unwahr|ablehnung",
        turns=r"nicht|nie|niemals|kein\w*|kaum|schwerlich|unwahrscheinlich|bezweif\w*|zweif\w*"
        r"|keinesfalls|keineswegs|ungern|weigert?|schwer",
        opens=r"oder|vielleicht|ob|wenn|falls|könnte|möglicherweise|weder|eventuell",
    ),
    Tongue(  # French
        pro=r"d['\u2019]\s?accord|approuv\w*|acquiesc\w*|(?:est|serait|sera)\s+(?:plutôt\s+|clairement\s+|sans\s+doute\s+)?(?:pour|favorable)(?=\W*$)",
        con=r"pas\s+(?:du\s+tout\s+|vraiment\s+|tout\s+à\s+fait\s+)?d['\u2019]\s?accord"
        r"|désaccord|désapprouv\w*|s['\u2019]oppos\w*|rejet\w*|contest(?:e|er|era|erait|ait|ent)\b"
        r"|(?:est|serait|sera)\s+(?:plutôt\s+|clairement\s+|sans\s+doute\s+)?(?:contre|défavorable|opposée?)(?=\W*$)",
        yes=r"oui|vrai|favorable|pour",
        no=r"non|faux|défavorable|contre",
        turns=r"pas|jamais|guère|peu\s+probable|improbable|doute\w*|aucun\w*|vois\s+mal|difficile"
        r"\s+d['\u2019]imaginer|refus\w*",
        opens=r"ou|peut-être|si|pourrait|ni",
    ),
    Tongue(  # Spanish
        pro=r"de\s+acuerdo|aprobar\w*|asentir\w*|a\s+favor",
        con=r"en\s+desacuerdo|desacuerdo|discrep\w*|en\s+contra|rechaz\w*|se\s+opon\w*|se"
        r"\s+opus\w*|disient\w*",
        yes=r"sí|verdadero|a\s+favor",
        no=r"no|falso|en\s+contra",
        turns=r"no|nunca|jamás|tampoco|dud[oa]\w*|improbable|poco\s+probable|difícil\w*|apenas"
        r"|ningún\w*",
        opens=r"o|quizás?|tal\s+vez|si|podría|ni|puede\s+que",
    ),
    Tongue(  # Portuguese
        pro=r"concord\w*|de\s+acordo|(?:é|seria|será)\s+a\s+favor",
        con=r"discord\w*|em\s+desacordo|recus\w*|rejeit\w*|opor-se|se\s+opor\w*|(?:é|seria|será)\s+contra(?=\W*$)",
        yes=r"sim|verdadeiro|a\s+favor",
        no=r"não|falso|contra",
        turns=r"não|nunca|jamais|nem|duvid\w*|improvável|pouco\s+provável|dificilmente|difícil",
        opens=r"ou|talvez|se|poderia",
    ),
    Tongue(  # Italian
        pro=r"d['\u2019]\s?accordo|concord\w*|favorevol[ei]|a\s+favore",
        con=r"in\s+disaccordo|disaccordo|discord\w*|rifiut\w*|respinger\w*|si\s+oppo\w*|contrari[oa](?=\W*$)|contro(?=\W*$)",
        yes=r"sì|vero|favorevole|a\s+favore",
        no=r"no|falso|contrari[oa]|contro",
        turns=r"non|mai|dubit\w*|improbabile|poco\s+probabile|difficil\w*|nessun\w*",
        opens=r"o|oppure|forse|se|potrebbe|né",
    ),
    Tongue(  # Dutch
        pro=r"mee\s+eens|eens\s+(?:met|zijn|is)|akkoord|instem\w*|stemt?\s+(?:\w+\s+){0,3}?in",
        con=r"oneens|afwijz\w*|verwerp\w*",
        yes=r"ja|eens|waar|mee\s+eens",
        no=r"nee|oneens|onwaar|niet\s+mee\s+eens",
        turns=r"niet|niét|nooit|geen|nauwelijks|betwijfel\w*|onwaarschijnlijk|minder"
        r"\s+waarschijnlijk|twijfel\w*",
        opens=r"of|misschien|wellicht|als|zou\s+kunnen",
    ),
    Tongue(  # Swedish, Danish, Norwegian
        pro=r"håll(?:er|a)\s+(?:\w+\s+){0,2}?med|instämm\w*|er\s+enig|enig",
        con=r"håller?\s+(?:\w+\s+){0,2}?inte\s+(?:\w+\s+)?med|oenig|uenig|avvisar\w*|afviser"
        r"|avviser",
        yes=r"ja|jo|sant|sandt",
        no=r"nej|nei|falskt?|usant",
        turns=r"inte|ikke|aldrig|aldri|knappast|tvivl\w*|tviler|osannolikt|usandsynligt"
        r"|usannsynlig|ingen",
        opens=r"eller|kanske|måske|kanskje|om|hvis|kunne|skulle\s+kunna",
    ),
    Tongue(  # Polish
        pro=r"zgadza(?:m|ł\w*)?(?:\s+się)?|zgodzi\w*|zgodzić",
        con=r"sprzeciwi\w*|niezgad\w*|odrzuc\w*",
        yes=r"tak|prawda|za",
        no=r"nie|fałsz|przeciw",
        turns=r"nie|nigdy|wątpi\w*|raczej\s+nie|mało\s+prawdopodobne",
        opens=r"lub|albo|czy|może|jeśli",
    ),
    Tongue(  # Russian, Ukrainian
        pro=r"соглас(?:ен|на|ны|ится|илась|ился|ием)|согласие|погоджу\w*|згод\w*|поддерж\w+|за(?=\W*$)",
        con=r"несоглас\w*|возраж\w*|возразит\w*|отверг\w*|незгод\w*|против(?=\W*$)",
        yes=r"да|так|правда|истина|верно|за",
        no=r"нет|ні|ложь|неверно|против|неправда",
        turns=r"не|ни|никогда|вряд\s+ли|едва\s+ли|сомнева\w*|сомнительно|маловероятно|навряд",
        opens=r"или|либо|возможно|может|если|ли|або",
    ),
    Tongue(  # Turkish
        pro=r"katıl(?:ır|ıyor\w*|acak\w*|acağ\w*|maz\s+değil)|hemfikir\w*",
        con=r"katılm(?:az|ıyor\w*|ayacak\w*|ayacağ\w*)|karşı\s+çık\w*",
        yes=r"evet|doğru",
        no=r"hayır|yanlış",
        turns=r"sanmıyor\w*|düşünmüyor\w*|değil|şüphe\w*|pek\s+olası\s+değil|zannetmiyor\w*",
        opens=r"veya|ya\s+da|belki|eğer|mı|mi",
    ),
    Tongue(  # Chinese
        pro=r"同意|赞成|贊成|赞同|贊同|认同|認同|支持",
        con=r"反对|反對|反驳|反駁|拒绝|拒絕",
        yes=r"是的?|对|對|真|可以|能",
        no=r"否|不是|不对|不對|假|不可以|不能|不",
        turns=r"不太可能|不大可能|不可能|很难|很難|难以|難以|怀疑|懷疑|从不|未必会?|不会|不會|不(?!如)|没有|沒有|并非|絕不",
        opens=r"或者?|还是|還是|可能(?!性)|也许|也許|是否|如果|若|要么",
        spaced=False,
        script="han",
    ),
    Tongue(  # Japanese
        pro=r"賛成|同意|賛同|そう思う",
        con=r"反対|不賛成|不同意|異議",
        yes=r"はい|真",
        no=r"いいえ|偽",
        turns=r"しない|しません|できない|ない(?!わけ)|ません|にくい|難しい|疑わしい|とは思えな",
        opens=r"または|か、|かもしれ|かどうか|もし|あるいは",
        spaced=False,
        script="kana",
    ),
    Tongue(  # Korean
        pro=r"동의|찬성",
        con=r"반대|비동의",
        yes=r"예|네|참",
        no=r"아니요|아니오|거짓",
        turns=r"않|안\s|못|없|어렵",
        opens=r"또는|혹은|아마|만약|수도\s있",
        spaced=False,
    ),
    Tongue(  # Arabic
        pro=r"[أيتنا]?وافق\w*|موافق\w*",
        con=r"[أيتن]?عارض\w*|معارض\w*|[أيتن]رفض\w*",
        yes=r"نعم|صحيح",
        no=r"لا|كلا|خطأ",
        turns=r"لا|لن|لم|غير|ليس\w*|أشك|يستبعد",
        opens=r"أو|أم|ربما|قد|إذا|هل",
    ),
    Tongue(  # Hindi
        pro=r"सहमत|सहमति",
        con=r"असहमत|असहमति|विरोध",
        yes=r"हाँ|हां|सच",
        no=r"नहीं|झूठ",
        turns=r"नहीं|न",
        opens=r"या|शायद|अगर|यदि",
        spaced=False,
    ),
)

_LONGEST = 600
"""Characters of a sentence that states a stance plainly."""
_SENTENCE = re.compile(r"[^.!?;\n\u0964\uff01\uff1f\u3002]+[.!?;\n\u0964\uff01\uff1f\u3002]?")
_PART = re.compile(r"[,:\u2014\u2013()\uff0c\uff1a]|\s-\s")
_SUBORDINATE = re.compile(
    r"\s*(?:dass|daß|zu|que|qu['\u2019]|che|dat|att|at|что|щоб|що|że|ki)\b", re.IGNORECASE
)
_ANNOUNCED = re.compile(
    r"\b(?:respuesta|resposta|risposta|réponse|antwort|antwoord|svaret|odpowiedź|ответ"
    r"|прогноз|cevap|yanıt"
    r"|vorhersage|predicción|prédiction)\W+(?:(?:es|é|è|est|ist|is|lautet|är|er|to|sería"
    r"|serait|wäre)\W+)?(?:que\W+)?"
    r"|(?:答案|答え|回答|답)(?:是|は|은)?\W*",
    re.IGNORECASE,
)
_ENGLISH_PRO, _ENGLISH_CON = r"agrees?", r"disagrees?"
_HARMLESS = re.compile(
    r"不仅|不但|没有疑问|nicht\s+nur|pas\s+seulement|no\s+solo|не\s+только", re.IGNORECASE
)


@dataclass(frozen=True)
class _Patterns:
    stance: re.Pattern[str]
    word: re.Pattern[str]
    turns: re.Pattern[str]
    opens: re.Pattern[str]
    own: re.Pattern[str]


@lru_cache(maxsize=1)
def _compiled() -> tuple[_Patterns, ...]:
    return tuple(map(_patterns, _TONGUES))


def _patterns(tongue: Tongue) -> _Patterns:
    begin, end = (r"(?<![\w'])", r"(?!\w)") if tongue.spaced else ("", "")

    def compiled(pattern: str) -> re.Pattern[str]:
        return re.compile(pattern, re.IGNORECASE)

    return _Patterns(
        stance=compiled(
            rf"{begin}(?:(?P<con>{tongue.con}|{_ENGLISH_CON})|(?P<pro>{tongue.pro}"
            rf"|{_ENGLISH_PRO})){end}"
        ),
        word=compiled(
            rf"\W*(?:(?P<pro>{tongue.yes})|(?P<con>{tongue.no}))(?!\w)(?=\W*$"
            rf"|\s*[,.:;!\u2014\u3002\uff0c(]|\s+-\s)"
        ),
        turns=compiled(rf"{begin}(?:{tongue.turns}){end}"),
        opens=compiled(rf"{begin}(?:{tongue.opens}){end}"),
        own=compiled(rf"{begin}(?:{tongue.con}|{tongue.pro}){end}"),
    )


def stance(text: str) -> bool | None:
    """True for agree, False for disagree, in a reply that is not in English; None where it is not plain.

    The first sentence or the last one says it; if both do, they must agree.
    """
    found = {value for patterns in _spoken(text) for value in _said(text, patterns)}
    return found.pop() if len(found) == 1 else None


def yes_or_no(text: str) -> bool | None:
    """True for yes, False for no, alone or at the beginning of the first or the last sentence."""
    # "Yes, I would like to say, but … Answer: no"
    last = _outer_sentences(text)[-1:]
    begins = _announced(last[0]) if last else 0
    for patterns in _spoken(text) if begins else ():
        if (word := patterns.word.match(last[0], begins)) is not None:
            return word["pro"] is not None
    found = {
        word["pro"] is not None
        for patterns in _spoken(text)
        for sentence in _outer_sentences(text)
        for part in (sentence, _parts(sentence)[-1:] and _parts(sentence)[-1])
        if part and (word := patterns.word.match(part, _announced(part))) is not None
    }
    return found.pop() if len(found) == 1 else None


def _announced(part: str) -> int:
    """Where an answer may begin: behind "the answer is", else at once."""
    found = _ANNOUNCED.search(part)
    return found.end() if found else 0


def _spoken(text: str) -> Iterator[_Patterns]:
    """The patterns of the languages that the text may be in, by its script."""
    is_kana, is_hangul = _KANA.search(text), _HANGUL.search(text)
    for tongue, patterns in zip(_TONGUES, _compiled(), strict=True):
        is_other = is_kana or is_hangul if tongue.script == "han" else not is_kana
        if not (tongue.script and is_other):
            yield patterns


def _outer_sentences(text: str) -> list[str]:
    """The first sentence and the last one, questions left out."""
    sentences = [found[0] for found in _SENTENCE.finditer(text) if found[0].strip()]
    outer = [sentences[place] for place in sorted({0, len(sentences) - 1})] if sentences else []
    return [one for one in outer if one[-1] not in "?\uff1f" and len(one) <= _LONGEST]


def _said(text: str, patterns: _Patterns) -> Iterator[bool | None]:
    text = _RATHER.sub("", text)
    for sentence in _outer_sentences(text):
        yield from _sentence(sentence, patterns)


def _sentence(sentence: str, patterns: _Patterns) -> Iterator[bool | None]:
    word = patterns.word.match(sentence, _announced(sentence))
    if word is not None:
        yield word["pro"] is not None
    parts = _parts(sentence)
    said = [part for part in parts if patterns.stance.search(part)]
    if not any(patterns.own.search(part) for part in said):
        return
    last = said[-1]
    if last is parts[-1] and patterns.stance.fullmatch(last.strip(" .!\"'\u3002\u300c\u300d«»“”")):
        yield _clause(last, patterns)
        return
    for part in said:
        yield _clause(part, patterns)


_RATHER = re.compile(r"与其说[^，,。]*[，,]\s*(?:倒)?不如说")


def _parts(sentence: str) -> list[str]:
    """Clauses; what depends on the one before, as in "ich glaube nicht, dass …", belongs to it."""
    parts: list[str] = []
    begin = 0
    for mark in [*_PART.finditer(sentence), None]:
        part = sentence[begin : mark.start() if mark else len(sentence)]
        begin = mark.end() if mark else begin
        if parts and _SUBORDINATE.match(part):
            parts[-1] += " " + part
        else:
            parts.append(part)
    return [part for part in parts if part.strip(" .!\"'\u3002\u300c\u300d«»“”\n")]


def _clause(part: str, patterns: _Patterns) -> bool | None:
    part = _HARMLESS.sub(" ", part)
    values = {found["pro"] is not None for found in patterns.stance.finditer(part)}
    rest = patterns.stance.sub(" \u241f ", part)
    rest, turned = patterns.turns.subn(" ", rest)
    if len(values) != 1 or patterns.opens.search(rest):
        return None
    return None if turned > 2 else values.pop() is (turned % 2 == 0)
