"""Sentences that say what the first player gives, in English, with amounts as signs (`amounts`)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from otherminds.metrics.trust_game.amounts import ANY, CLEAR, UNCLEAR

GIVE = (
    r"(?:give|send|invest|transfer|entrust|offer|contribute|hand|pass|share|donate|gift|commit"
    r"|risk|wager"
    r"|bet|stake|gamble|pay|provide|forward|part\swith|let\sgo\sof|let\s(?:them|him|her"
    r"|the\s\w+(?:\sperson|\splayer)?)\shave|put(?:\sin)?)\b"
)
"""Verbs that give money away."""
_CHOOSE = (
    r"(?:go|choose|pick|select|settle|decide|stick|stay|say|try|do|opt|make\sit"
    r"|keep\sit|play|repeat|lean|put\sit\sat|trust\s(?:them|him|her)\swith)\b|(?:go|going|come"
    r"|coming|move|moving|raise|raising|drop|dropping|lower|lowering|increase|increasing"
    r"|reduce|reducing|cut|cutting|bump|bumping|limit|limiting|stay|staying|remain|remaining"
    r"|meet)\s(?:it\s|things\s|(?:my|the)\s(?:gift|amount|contribution|transfer|offer|stake"
    r"|bet|investment)\s|in\sthe\smiddle\s|halfway\s)?(?:back\s)?(?:(?:down|up)\s)?(?:to|at"
    r"|with)\b"
)
_GIVING = (
    r"(?:giving|sending|investing|transferring|entrusting|offering|contributing|handing|passing|sharing"
    r"|donating|committing|risking|wagering|betting|staking|putting(?:\sin)?|parting\swith"
    r"|going|choosing"
    r"|picking|settling|sticking|staying|leaning|opting)\b"
)
_ADVERB = (
    r"(?:\s(?:now|therefore|thus|then|only|just|still|also|again|simply|rather|even|always|maybe|hence"
    r"|definitely|probably|certainly|likely|cautiously|gladly|happily|generously|actually|confidently"
    r"|ultimately|personally|once\sagain|instead|go\sahead\sand|both|first|this\stime|this\sround))"
)
_WILL = (
    rf"(?:'ll|'d|'m|'ve)?{_ADVERB}{{0,2}}(?:\s(?:will|would|shall|should|am|have|do|must|think"
    rf"|guess|suppose|believe|feel|say|reckon))?"
    rf"{_ADVERB}{{0,2}}"
    r"(?:\s(?:i'll|i\swill|i\swould|i'd|i\sshould|i'm|i\sam))?"
    rf"{_ADVERB}{{0,2}}"
    r"(?:\s(?:going|planning|prepared|willing|inclined|ready|happy|comfortable|about"
    r"|determined|leaning|decided|decide|choose|chosen"
    r"|plan|intend|intending|aim|resolve|resolved|opt|opted|be|elect|agree|mean|made\sup\smy\smind))?"
    r"(?:\s(?:to|towards?|on|with))?"
    rf"{_ADVERB}{{0,2}}"
)
_WISH = (
    r"(?:'d|'m)?(?:\s(?:would|do))?\s(?:want|wish|hope|like|love|prefer|desire|tempted|hoping)\sto"
)
_PASSED_OVER = (
    r"(?:away|only|just|exactly|precisely|about|around|roughly|approximately|all|of|off|my|the"
    r"|a|an|full|entire|whole"
    r"|total|amount|sum|figure|us|usd|final|answer|to|you|him|her|them|it|other|others|this"
    r"|that|same|person|participant"
    r"|partner|counterpart|trustee|recipient|receiver|stranger|player(?:\s(?:b|2|two))?|second"
    r"|person\s(?:b|2|two)"
    r"|over|along|on|across|forward|in|with|for|up\swith|something\slike|somewhere(?=\saround)"
    r"|say|out|people|individual|party|someone|somebody"
    r"|gift|transfer|contribution|investment|number|another\sperson|round|time|again|modest"
    r"|moderate|small|fair|generous|cautious|safe|solid|balanced)\b"
)
OPEN = r"[\s:=\[({<\"'\\,~\u2248\u2026]*+"
TO = rf"{OPEN}(?:{_PASSED_OVER}{OPEN}){{0,12}}"
"""What may stand between a verb of giving and the amount."""
_END = r"(?=[\s\])}>\"'\\]*(?:$|[.!,;:(\u2014\u2013|-]|\s))"

_SAID = re.compile(
    rf"(?<![\w'])I{_WILL}\s(?:{GIVE}|{_CHOOSE}|{_GIVING}){TO}(?P<amount>{ANY})"
    rf"|(?<![\w'])I(?:'ll|'d|'m)?{_ADVERB}{{0,2}}(?:\swill|\sam"
    rf"|\swould)?{_ADVERB}{{0,2}}\s(?:go|going|be"
    rf"|put)\s(?:all\s)?(?P<all_in>{CLEAR})(?:\swith\s(?:{_PASSED_OVER}\s)*(?P<exactly>{ANY}))?"
    # "I start with 10 dollars" is a rule.
    rf"|(?<![\w'])I(?:'ll|'d|\s(?:will|would|am\sgoing\sto))\s(?:start|begin|open){TO}(?P<first>{ANY})"
    rf"|\b(?:let\sme|let's|let\sus)\s(?:{GIVE}|{_CHOOSE}){TO}(?P<let>{ANY})",
    re.IGNORECASE,
)
_SPARED = re.compile(
    rf"(?<![\w'])I\scan\s(?:spare|afford|live\swith)(?:\sto\s(?:{GIVE}|lose)|\s(?:giving"
    rf"|losing))?{TO}(?P<amount>{ANY})",
    re.IGNORECASE,
)
_WISHED = re.compile(
    rf"(?<![\w'])I{_WISH}\s(?:{GIVE}|{_CHOOSE}){TO}(?P<amount>{ANY})", re.IGNORECASE
)
_NOTHING_GIVEN = re.compile(
    rf"(?<![\w'])I(?:'ll|'m|'d)?\s(?:(?:will|would|am|do|shall|have\sdecided|choose|decide"
    rf"|prefer)\s)?(?:(?:definitely|certainly|simply|therefore|just|rather)\s)?"
    rf"(?:not(?:\sto)?|won't|don't|wouldn't|never|refuse\sto|decline\sto)\s?(?:(?:be|going\sto"
    rf"|plan\sto|intend\sto|want\sto|wish\sto)\s)?"
    rf"(?:won't\s)?(?:{GIVE}|{_GIVING})(?:\s(?:over|away|in|up|on|along))?(?:\s(?:you|him|her"
    rf"|them|the\sother\sperson|the\ssecond\sperson|the\sother\splayer|my\spartner|anyone"
    rf"|this\sperson|this\sstranger))?"
    r"\s(?:anything|any\s(?:money|amount|of\s(?:it|my\smoney)|dollars)|a\sthing|a\s(?:cent"
    r"|penny|dime)|one\scent|a\ssingle\scent)\b"
    rf"|(?<![\w'])I(?:'ll|'d|'m)?\s(?:(?:will|would|am|shall|have\sdecided\sto|choose\sto"
    rf"|decide\sto|going\sto|prefer\sto|plan\sto|intend\sto)\s){{0,2}}(?:(?:just|simply|rather"
    rf"|therefore)\s)?"
    rf"(?:keep|keeping|hold\son\sto|hang\son\sto|pocket)\s(?:all\s(?:of\s)?)?(?:my\s"
    rf"|the\s)?(?P<kept>{CLEAR})(?=\s?(?:$|[.!;,]|for\smyself|to\smyself|and\s(?:give|send|pass"
    rf"|hand)\s{CLEAR}))",
    re.IGNORECASE,
)
_HOARDED = re.compile(
    rf"(?:keep|hold\son\sto|hang\son\sto|pocket|retain)\s(?:all\s(?:of\s)?)?(?:my\s"
    rf"|the\s)?(?P<kept>{CLEAR})(?=\s?(?:$|[.!;,]|for\smyself))",
    re.IGNORECASE,
)
KEPT = re.compile(
    rf"\b(?:keep|keeping|hold(?:ing)?\son\sto|hold(?:ing)?\sback|keep(?:ing)?\sback|retain(?:ing)?)\s"
    rf"(?:(?:only|just|about|back|exactly|a|the|my)\s){{0,3}}(?P<kept>{CLEAR})",
    re.IGNORECASE,
)
"""An amount that the first player keeps."""
_KEPT = re.compile(
    rf"\b(?:keep|hold\son\sto|hold\sback|keep\sback|keeping|holding\sback|holding\son\sto"
    rf"|retain|retaining)\s"
    rf"(?:(?:only|just|about|back|exactly|a|the|my"
    rf"|safe)\s){{0,3}}(?P<kept>{CLEAR})[^.;!?\n{CLEAR}{UNCLEAR}]{{0,50}}?"
    rf"\b(?:{GIVE}|{_GIVING}){TO}(?P<rest>{CLEAR}|{UNCLEAR})",
    re.IGNORECASE,
)
_THEM = (
    r"(?:they|them|he|she|him|her|the\s(?:other|second)(?:\s(?:person|player|one))?"
    r"|my\s(?:partner|counterpart)|the\sstranger)"
)
_GAP = rf"[^.;!?\n{CLEAR}{UNCLEAR}]{{0,30}}?"
_SHARES = [
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"\bI(?:'ll|'d|\swill|\swould)?\skeep\s(?P<kept>{CLEAR}){_GAP}\b{_THEM}(?:'ll|\swill"
        rf"|\swould)?\s(?:gets?|receives?|takes?|have|has)\s(?P<rest>{CLEAR})",
        rf"(?P<kept>{CLEAR})\s(?:for|stays?\swith)\s(?:me"
        rf"|myself){_GAP}(?P<rest>{CLEAR})\s(?:for|goes\sto|to)\s{_THEM}\b",
        rf"(?P<rest>{CLEAR})\s(?:for|goes\sto|to)\s{_THEM}\b{_GAP}(?P<kept>{CLEAR})\s(?:for"
        rf"|stays?\swith)\s(?:me|myself)\b",
        rf"\bkept?:?\s(?P<kept>{CLEAR})\s?[;,.\n]?\s?(?:give|given|send|sent|gave):?\s(?P<rest>{CLEAR})",
        rf"\b(?:give|given|send|sent|pass|passed):?\s(?P<rest>{CLEAR})[^.;!?\n{CLEAR}]{{0,60}}?"
        rf"\b(?:keep|kept|retain|retained|hold|pocket)(?:\sback)?:?\s(?P<kept>{CLEAR})",
        rf"(?P<rest>{CLEAR})\s(?:out|across|over)\b{_GAP}(?P<kept>{CLEAR})\s(?:in\smy\spocket|kept|stays?"
        rf"|for\sme|for\smyself|with\sme)",
        rf"\b(?:give|given|send"
        rf"|sent):?\s(?P<rest>{CLEAR})\s?[;,.\n]?\s?(?:and\s)?kee?p?t?:?\s(?P<kept>{CLEAR})",
        rf"(?<!\w)(?:behalte|garde|me\squedo\scon|fico\scom|tengo|trattengo|houd|behoud"
        rf"|оставлю(?:\sсебе)?|оставляю(?:\sсебе)?|zatrzymam|zatrzymuję|behåller|beholder|自己留"
        rf"|留)\s?{_GAP}(?P<kept>{CLEAR}){_GAP}(?P<rest>{CLEAR})",
    )
]
_MY_GIFT = re.compile(
    r"\b(?:my\s(?:(?:final|own|chosen)\s)?|the\s(?:final\s)?)(?:gift|transfer|contribution"
    r"|offer|choice|decision|answer|send|"
    r"investment|number|move|bet|pick|action|amount(?:\s(?:that\s)?(?:i(?:'ll|'d|\s(?:will"
    r"|would|choose\sto|decide\sto|am\sgoing\sto|want\sto))?\s(?:give|send|transfer|invest"
    r"|offer)|to\s(?:give|send|transfer|invest)))?)"
    r"(?:\s(?:here|then|now|for\sthis\sround|this\s(?:round|time)|for\sround\s\d"
    r"|in\sthis\sround|in\sround\s\d|to\s(?:the|my)\s(?:other|second|partner)(?:\s\w+)?))?"
    rf"\s?(?:is|will\sbe|would\sbe|:|=|\u2014|\u2013|-|comes\sto|stands\sat)\s?(?:to\s(?:{GIVE}"
    rf"|{_CHOOSE}))?{TO}(?P<amount>{ANY})"
    rf"|\b(?:amount|sum)\s(?:that\s)?i(?:'ll|'d|\s(?:will|would|choose\sto|decide\sto"
    rf"|am\sgoing\sto))?\s(?:give|send|transfer|invest|offer)\s(?:is|will\sbe|would\sbe|:"
    rf"|=){TO}(?P<sum>{ANY})",
    re.IGNORECASE,
)
_IT_IS = re.compile(
    rf"(?P<amount>{ANY})\sit\sis\b"
    rf"|\b(?:it's|it\sis|it'll\sbe|it\swill\sbe|that's|make\sit|make\sthat)\s(?:(?:just|only|a"
    rf"|the)\s){{0,2}}(?P<mine>{ANY})\s(?:for\sme\b|from\sme\b|this\s(?:time|round)|again\b"
    rf"|then\b|to\sthem\b|in\stotal\sfrom)"
    rf"|\b(?:so|then|therefore|thus|hence)[,:]?\s(?:it's|it\sis|i\ssay|make\sit|let's\ssay"
    rf"|my\sanswer:?){TO}(?P<so>{ANY})(?=\s?(?:$|[.!,;]|it\sis))"
    rf"|(?P<right>{ANY})(?:\s(?:\w+ly|just|still|about|to\sme|for\sme))?\s(?:feels|seems|sounds"
    rf"|looks|strikes\sme\sas|is)(?:\s(?:to\sme|for\sme))?(?:\s(?:about|like|quite|just|a|the"
    rf"|as|pretty|most|more|both))*\s?"
    r"(?:right\b|fair\b|reasonable|good\b|fine\b|ok\b|okay\b|sensible|enough\b|plenty\b"
    r"|appropriate|best\b|safe\b|compromise|middle\sground|balance|balanced|decent|sweet\sspot"
    r"|my\s(?:answer|choice|decision|offer|gift|final|number|limit)|what\si(?:'ll"
    r"|'m\sgoing\sto|'d|\swill|\swould|\sam\sgoing\sto)?\s(?:give|send|offer|choose|transfer))"
    rf"|(?P<goes>{ANY})\s(?:goes|go|will\sgo|would\sgo)\s(?:across|over\b|out\b|to\s(?:them|him"
    rf"|her|you|the\s(?:other|second|stranger|recipient|trustee|receiver)|my\s(?:partner"
    rf"|counterpart)|player)|out\sthe\sdoor|their\sway)"
    rf"|(?P<out>{ANY})\s(?:leaves?|will\sleave)\smy\s(?:pocket|wallet|hands?|account|purse)\b"
    rf"|\bleaves\s(?P<leaves>{ANY})\sfor\s(?:them|him|her|the\s(?:other|second|stranger))\b"
    rf"|\b(?:it|that|this|which|i)\s(?:lands?|settles?|ends?\sup|winds?\sup|arrives?|falls)\s(?:on|at|with)"
    rf"{TO}(?P<lands>{ANY})(?=\s?(?:$|[.!;,]))"
    rf"|(?P<from>{ANY})\s(?:from\sme|for\sthem\sfrom\sme)\b"
    r"|\b(?:if\s(?:i|you)\s(?:have|had|must|am\sforced|need)\b[^.,:;!?\n]{0,40}[,:]"
    r"|if\s(?:pressed|forced|anything)[,:])"
    rf"\s?(?:(?:then|probably|perhaps|maybe|i'd\ssay|i\swould\ssay|it\swould\sbe|it'd\sbe"
    rf"|my\sguess\sis)[,:]?\s)*(?P<forced>{ANY})(?=\s?(?:$|[.!,;]))"
    rf"|\b(?:make\sthat|no,|wait,|rather,|i\smean,?|changed\smy\smind[:,]"
    rf"|correction:)\s(?:(?:no|actually|it's|make\sit),?\s)*(?P<corrected>{ANY})(?=\s?(?:$"
    rf"|[.!,;]))"
    rf"|(?<=[.!?\n])\s?(?:(?:fine|ok|okay|right|so|then|done|decided)[:,]\s?)?(?P<last>{ANY})[.!\s]*$",
    re.IGNORECASE,
)
_CONCLUDED = re.compile(
    # "A quarter of it, i.e. 25 dollars", "call it three", "no change: six", "correct that: back to 4".
    rf"\b(?:{GIVE}){TO}{UNCLEAR}[^.;!?\n{CLEAR}{UNCLEAR}]{{0,20}}?(?:i\.e\.|that\sis|namely|=|meaning)"
    rf",?\s?(?:so\s)?(?P<namely>{CLEAR})"
    rf"|(?:^|[.!?;:,\n]\s?)(?:(?:so|then|well|ok|okay|let's|i'll|i'd)[,\s]{{1,2}}){{0,2}}call\sit\s"
    rf"(?:(?:an?|about|around|just|only)\s)?(?P<called>{CLEAR})"
    rf"|\b(?:no\schange|unchanged|the\ssame|same\sagain|as\sbefore)\b[^.;!?:\n{CLEAR}{UNCLEAR}]{{0,40}}:"
    rf"\s?(?P<same>{CLEAR})(?=\s?(?:$|[.!,;]))"
    rf"|(?:^|[.!?;\n]\s?)(?:up|down|one\s(?:up|down|more|less))\b[^.;!?:\n{CLEAR}{UNCLEAR}]{{0,40}}:"
    rf"\s?(?P<step>{CLEAR})(?=\s?(?:$|[.!;,]))"
    rf"|\b(?:put|mark|count|sign|pencil)\sme\s(?:down|in)\s(?:for|with){TO}(?P<down>{CLEAR})"
    rf"|\b(?:number|figure|amount|sum)\si\s(?:land|settle|end\sup|arrive|come\sdown)\s(?:on|at|with)"
    rf"\s(?:is|would\sbe){TO}(?P<landed>{CLEAR})"
    rf"|\b(?:correct|change|revise)\s(?:that|this|it|my\s\w+)[^.;!?\n{CLEAR}{UNCLEAR}]{{0,12}}(?::|to)\s?"
    rf"(?:back\s(?:down\s|up\s)?to\s)?(?P<corrected>{CLEAR})(?=\s?(?:$|[.!,;]))",
    re.IGNORECASE,
)
_OTHERS_MONEY = re.compile(
    r"\b(?:back|returns?|returned|returning|receives?|received|receiving|gets?|got|getting|has"
    r"|have|had|having|kept|left|leaves|leaving|leave"
    r"|earned|earn|becomes?|became|into|sent|gave|given|made|with|start|starts|started|between"
    r"|than|at\s(?:least|most)|up\sto|under|over|below|above|beyond|from|like|no\sto|not|n't"
    r"|neither|nor|without|even|if|once|by|instead\sof|rather\sthan|expect|expecting|out\sof"
    r"|near|nearly|almost|say)\s"
    r"(?:(?:only|just|about|the|a|an|of|my|their|his|her|them|me|him|us|all|some|another"
    r"|around|maybe)\s){0,3}$",
    re.IGNORECASE,
)
_THIRD = re.compile(
    r"\b(?:the\sfirst\s(?:person|player)|this\sperson|this\spersona|the\spersona"
    r"|the\scharacter|player\s(?:1|one|a)|person\s(?:1|one|a))\s"
    rf"(?:(?:will|would|shall)(?:{_ADVERB})?|(?:decides|chooses|intends|plans"
    rf"|is\sgoing)\sto)\s(?:{GIVE}|{_CHOOSE}){TO}(?P<amount>{ANY})",
    re.IGNORECASE,
)

LABEL = (
    r"(?:my\s|the\s|meine\s|ma\s|mon\s|mi\s|la\s|minha\s|mijn\s|moja\s|мой\s|моё\s|моё\s|我的|私の"
    r"|final\s|proposed\s|chosen\s|suggested\s){0,3}"
    r"(?:action|decision|answer|amount(?:\s(?:i\s(?:will\s)?(?:give|send)|to\s(?:give|send)"
    r"|given|sent|of\sdollars))?|give|giving|gift|send|sending|transfer|contribution|offer"
    r"|choice|dollars?"
    r"|investment|conclusion|intention|move|bet|result|forecast|prediction|final"
    r"|i\s(?:will\s)?(?:give|send)|in\s(?:short|the\send|conclusion|total|sum)|bottom\sline"
    r"|verdict|response|plan|tl;?dr|so|therefore|aktion|handlung|absicht|entscheidung|antwort"
    r"|acción|accion|decisión|intención|respuesta|ação|acao|decisão|intenção|resposta"
    r"|décision|intention|réponse|azione|intenzione|decisione|risposta|действие|намерение"
    r"|решение|ответ|行动|行動|意图|意圖|决定|決定|答案|行为|意図|答え|행동|의도|결정|답|actie|besluit|antwoord|eylem"
    r"|niyet|karar|cevap|działanie|zamiar|decyzja|odpowiedź)"
)
_LABELLED = re.compile(
    rf"(?:^|\n)(?:[\s\-\u2022*>.\d)]{{0,8}})(?P<label>{LABEL}"
    rf"|round\s\d{{1,2}})(?:\s?\([^()\n]{{0,40}}\))?(?:\s(?:is|for\sround\s\d|in\sround\s\d"
    rf"|this\sround))?\s?[:=\u2014\u2013\uff1a|>-][\s>]*(?P<said>[^\n]*)",
    re.IGNORECASE,
)
_GOES_ON = (
    rf"(?=[\s\])}}>\"'\\]*(?:$|[.,;:!(\n\u2014\u2013|-]|\s(?:again|like|as|because|since|so"
    rf"|this|for\s(?:this|round|now|the\s(?:other|second)|them|you|starters)|from\sme"
    rf"|to\s(?:the\s(?:other|second|stranger|recipient|trustee|receiver)|them|him|her|you"
    rf"|my\s(?:partner|counterpart)|player|person|show|see|test|keep|signal|build)|out\sof"
    rf"|of\s(?:my|the|{ANY})|in\s(?:this|round)|it\sis|once|over|across|away|now|given|would"
    rf"|seems|feels|sounds|is\s(?:my|what\si|fair|enough|right|the\samount\si)|then|but|please"
    rf"|total|today|and|with|while|which|though|although|i\s(?:think|guess|suppose)|max|maximum"
    rf"|at\smost|sent|goes|go)\b|です|だ|吧|입니다|이요|요))"
)
_JUST = (
    r"(?:only|just|exactly|precisely|about|around|roughly|approximately|all|of|my|the|a|an"
    r"|full|entire|whole|total|amount|usd|final|answer|another|still|same|to|me|it)\b"
)
BEGINS = re.compile(
    rf"{OPEN}(?:(?:i(?:'ll|\swill|'d|\swould)?|that|is|be|will|would|probably|prob|maybe"
    rf"|perhaps|ok|okay|well|sure|yes|so|then|again|finally|hmm|now|like|lol|let's|let\sme"
    rf"|i\sthink|i\sguess|one\smore\stime)[\s,:.\u2026]+){{0,4}}"
    rf"(?:(?:{GIVE}|{_GIVING}|{_CHOOSE}){TO}|{OPEN}(?:{_JUST}{OPEN}){{0,6}})(?P<amount>{ANY}){_GOES_ON}",
    re.IGNORECASE,
)
"""An amount at the beginning, with what belongs to it and no more before it."""
_SO = re.compile(
    rf"(?::|\b(?:so|thus|therefore|hence|meaning|namely|i\.e\.|that\sis)[,:]?|=)\s?{TO}"
    rf"(?P<amount>{ANY})[\s.!]*$",
    re.IGNORECASE,
)
_ORDER = re.compile(
    rf"(?:^|[.:;,\u2014-]\s?|\b(?:and|then|so|but|to|by)\s)(?:{GIVE}|{_GIVING}){TO}(?P<amount>{ANY})",
    re.IGNORECASE,
)
_SIGNS = f"{CLEAR}{UNCLEAR}"
ALONE = re.compile(rf"[^\w{_SIGNS}]*_*(?P<amount>{ANY})[^\w?{_SIGNS}]*")
_ROW = re.compile(r"^\|.*", re.MULTILINE)
_MY_COLUMN = re.compile(r"\b(?:i|me|my|you|give|gave|send|sent|gift)\b", re.IGNORECASE)
_NOT_MY_COLUMN = re.compile(
    r"\b(?:they|them|their|back|returns?|returned|got|receives?|received|keep|kept|left|other"
    r"|partner|end(?:ed)?|have|total)\b",
    re.IGNORECASE,
)
_NOT_YET = re.compile(
    r"\s*(?:\?|\u2026|\.\.\.|-|\u2013|\u2014|tbd|n/?a|unknown|pending|)\s*", re.IGNORECASE
)


@dataclass(frozen=True)
class Said:
    """A place in a masked text that says what is given.

    start, end  of the words that say it
    at          of the amount's sign
    kept_at     of the sign of an amount that is kept, where the rest is given; else None
    weight      2 where it is announced as the decision, 1 where it is said in a sentence, 0 for a wish
    is_nothing  whether nothing is given, whatever the sign
    is_shared   whether it counts only where both amounts are the whole
    """

    start: int
    end: int
    at: int
    kept_at: int | None = None
    weight: int = 1
    is_nothing: bool = False
    is_shared: bool = False


def said_in(text: str) -> Iterator[Said]:
    """All that `text` says is given, in no order; the words around it are not yet looked at."""
    for found in _KEPT.finditer(text):
        yield Said(found.start(), found.end(), found.start("rest"), found.start("kept"))
    for shares in _SHARES:
        for found in shares.finditer(text):
            yield Said(
                found.start(), found.end(), found.start("rest"), found.start("kept"), is_shared=True
            )
    if (hoarded := _HOARDED.match(text)) is not None:
        yield Said(0, hoarded.end(), hoarded.start("kept"), is_nothing=True)
    for pattern, weight in (
        (_SAID, 1),
        (_WISHED, 0),
        (_SPARED, 0),
        (_MY_GIFT, 2),
        (_CONCLUDED, 2),
        (_THIRD, 0),
    ):
        for found in pattern.finditer(text):
            # Marks of the sentence before are none of this one.
            start = found.end() - len(found[0].lstrip(" .!?;:,\n"))
            yield Said(start, found.end(), _sign(found), None, weight)
    for found in _IT_IS.finditer(text):
        at = _sign(found)
        if not _OTHERS_MONEY.search(text[max(0, at - 40) : at]) or any(
            found[name] for name in ("mine", "from", "leaves", "out")
        ):
            yield Said(found.start(), found.end(), at)
    for found in _NOTHING_GIVEN.finditer(text):
        yield Said(
            found.start(),
            found.end(),
            found.start("kept") if found["kept"] else -1,
            is_nothing=True,
        )
    for found in _LABELLED.finditer(text):
        yield from _after_label(text, found)


def said_in_table(text: str) -> Iterator[Said]:
    """The amount in the last row of a table, in its one column of gifts.

    Only where the row has a cell that says that its round is not over, as earlier rounds are rows too.
    """
    rows = list(_ROW.finditer(text))
    if len(rows) < 2:
        return
    head, last = (row[0].strip("|").split("|") for row in (rows[0], rows[-1]))
    mine = [
        place
        for place, name in enumerate(head)
        if _MY_COLUMN.search(name) and not _NOT_MY_COLUMN.search(name)
    ]
    if len(mine) != 1 or len(head) != len(last) or not any(map(_NOT_YET.fullmatch, last)):
        return
    cell = re.sub(r"\([^()]*\)", lambda remark: " " * len(remark[0]), last[mine[0]])
    if found := ALONE.fullmatch(cell):
        before = len("|".join(last[: mine[0]])) + (mine[0] > 0) + 1
        at = rows[-1].start() + before + found.start("amount")
        yield Said(at, at + 1, at, None, 2)


def is_in_table(text: str, position: int) -> bool:
    """Whether the line of `position` is a row of a table."""
    return text.startswith("|", text.rfind("\n", 0, position) + 1)


def _after_label(text: str, found: re.Match[str]) -> Iterator[Said]:
    said, start = found["said"], found.start("said")
    if first := BEGINS.match(said):
        yield Said(
            found.start("label"), start + first.end(), start + first.start("amount"), None, 2
        )
        return
    # "One more dollar than last time, so 8."
    if hoarded := _HOARDED.match(said):
        at = start + hoarded.start("kept")
        yield Said(start, start + hoarded.end(), at, None, 2, is_nothing=True)
    if last := _SO.search(said):
        yield Said(start + last.start(), start + last.end(), start + last.start("amount"), None, 2)
    for order in _ORDER.finditer(said):
        yield Said(
            start + order.start(), start + order.end(), start + order.start("amount"), None, 1
        )


def _sign(found: re.Match[str]) -> int:
    """Where the sign is that a pattern of several groups has found."""
    named = {name: found.start(name) for name, value in found.groupdict().items() if value}
    return named.get("exactly", max(named.values()))
