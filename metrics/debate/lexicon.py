"""English words that carry, turn round, limit or doubt a stance, by class.

A sentence becomes a string of classes, one character for each word or phrase; `polarity` reads that.
The two sides have the same forms throughout, so that neither is read more easily than the other.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from otherminds.metrics.debate.attitudes import ATTITUDES, LIES, MASK, THING
from otherminds.metrics.debate.framings import FRAMINGS
from otherminds.metrics.debate.phrases import (
    ADVERB,
    AGREE,
    ATTRIBUTE,
    BEFORE_VERB,
    DEGREE,
    EITHER,
    IS,
    NOT_IN_NAMES,
    OF_THE_PERSON,
    OWNER,
    PERSON,
    SAY,
    SOMETHING,
    VERBS_CON,
    VERBS_PRO,
    WORTH,
)

__all__ = ["MASK", "Token", "expanded", "tokens"]

# Class, pattern. The first that matches at a place is taken, so phrases come before their words.
_CLASSES: list[tuple[str, str]] = [
    *LIES,
    *FRAMINGS,
    (
        "x",
        r"(?:hardly|scarcely|barely|not)\s+any(?:one|body)|(?:would|might|should)\s+(?:like|love|want)"
        r"\s+to\s+(?:say|think|answer|guess)|(?:one|you)\s+would\s+(?:\w+\s+)?(?:think|expect|assume|believe|guess|suppose)|(?:be\s+)?tempted\s+to\s+\w+",
    ),
    (
        "n",
        r"(?:there\s+is\s+)?(?:not\s+much(?:\s+of\s+a)?|a\s+(?:low|small|slim|slight)|little|no|small)"
        r"\s+(?:chance|probability|likelihood|prospect)(?:\s+that)?"
        r"|(?:it\s+is|(?:it\s+would\s+)?be)\s+(?:wrong|false|incorrect|mistaken|a\s+mistake)"
        r"\s+to\s+(?:say|think|assume|claim|conclude|believe)(?:\s+that)?",
    ),
    (
        "m",
        r"there\s+is\s+a\s+(?:good|strong|high|fair|great)"
        r"\s+(?:chance|probability|likelihood)(?:\s+that)?",
    ),
    # Both sides named: the question or the options restated.
    (
        "Q",
        rf"{AGREE}(?:\s*[/|]\s*|\s+(?:or|vs\.?|versus|and|nor)\s+(?:to"
        rf"\s+)?)(?:dis-?{AGREE}|not)(?:\s*:)?"
        rf"|dis-?{AGREE}(?:\s*[/|]\s*|\s+(?:or|vs\.?|versus|and|nor)\s+(?:to"
        rf"\s+)?){AGREE}(?:\s*:)?"
        r"|true(?:\s*[/|]\s*|\s+(?:or|vs\.?|and)\s+)false(?:\s*:)?|false(?:\s*[/|]\s*|"
        r"\s+(?:or|and)\s+)true"
        r"|yes(?:\s*[/|]\s*|\s+(?:or|and)\s+)no|no(?:\s*[/|]\s*|\s+(?:or|and)\s+)yes"
        r"|(?:for|pro)\s+(?:or|and|nor)\s+(?:against|con)|agree\s+to\s+disagree",
    ),
    (
        "a",
        r"(?:(?:there\s+is|there\s+can\s+be|i\s+have|with|has|have)\s+)?(?:no|little|hardly\s+any|scant)\s+"
        r"(?:real\s+)?doubt(?:s|ing)?(?:\s+(?:in\s+my\s+mind|at\s+all))?(?:\s+that)?"
        r"|beyond\s+(?:a\s+|any\s+|all\s+)?(?:reasonable\s+)?doubt|find(?:s)?\s+(?:him|her|them)sel(?:f|ves)",
    ),
    ("+", r"could\s+not\s+agree\s+more|not?\s+only\s+agrees?"),
    ("-", r"could\s+not\s+disagree\s+more|not?\s+only\s+disagrees?"),
    *ATTITUDES,
    (
        "a",
        r"true\s+that|can\s*not\s+(?:help\s+)?but|not\s+only|no\s+doubt|without\s+(?:a"
        r"\s+)?doubt|if\s+anything",
    ),
    # "rather than disagree" and "is my answer" say the first again.
    (
        "d",
        r"(?:would\s+be|is|seems|would\s+seem|appears)\s+(?:to\s+be\s+)?(?:by\s+far\s+|clearly\s+|probably\s+|surely\s+|plainly\s+|still\s+)?(?:the|my|their|her"
        r"|his)\s+(?:(?!(?:wrong|incorrect|opposite|other|least|last)\b)\w+"
        r"\s+){0,3}(?:answer|prediction|choice|guess|response|verdict|stance|pick|bet|call|conclusion|estimate|vote|outcome|reply|expectation|forecast|option|reading|wager|hunch|result|one)(?!\w)(?!"
        r"\s+to\b)|"
        r"with\s+(?:\w+\s+){0,3}?(?:caveats?|reservations?|qualifications?|hesitation|confidence|certainty|conviction"
        r"|probability|nuances?)|to\s+(?:some|an?\s+(?:large|great|certain|considerable))\s+(?:extent|degree)"
        r"|(?:camp|side|column|box|bucket|category|crowd|end|option)(?=\s*(?:[.!?;,(\n]|$))|"
        rf"(?:rather\s+than|instead\s+of|as\s+opposed\s+to|than|over|(?:and|,)\s+not)"
        rf"\s+(?:to\s+|likely\s+to\s+)?{EITHER}",
    ),
    (
        "m",
        r"if\s+(?:(?:i|we|one|you)\s+)?(?:really\s+|absolutely\s+)?(?:had|have|were|was|am|must|need(?:ed)?)?"
        r"\s*(?:forced|pressed|pushed|asked|made|compelled|obliged|required)?\s*(?:to\s+)?(?:choose|guess|pick|say"
        r"|answer|decide|commit|bet|take\s+a\s+side)(?:\s+(?:one|a\s+side|at\s+all|an\s+answer|now))?"
        r"|if\s+(?:forced|pressed|pushed|i\s+(?:must|have\s+to))|gun\s+to\s+my\s+head|when\s+in\s+doubt",
    ),
    (
        "n",
        rf"(?:could|can)\s+(?:never|hardly|scarcely|not\s+possibly|not\s+(?:possibly\s+|ever\s+|really\s+)?"
        rf"(?:bring\s+(?:him|her|them)sel(?:f|ves)\s+to)|not(?=\s+(?:ever\s+|really\s+)?{EITHER}\b))",
    ),
    (
        "?",
        r"(?:it|this)\s+is\s+not\s+that|(?:a|some|any|every)\s+(?:chance|possibility|risk|danger)|(?:can\s*not|can\s+not|could\s+not|will\s+not|not\s+(?:want|wish|going)\s+to|no\s+(?:reason|basis|way)\s+(?:to|of))"
        r"\s+(?:really\s+|just\s+|simply\s+|honestly\s+|\w+ly\s+|be\s+)?(?:say(?:ing)?|tell(?:ing)?|know(?:ing)?|assum(?:e|ed)"
        r"|infer(?:red)?|claim|conclud(?:e|ed)|predict|guess|determined?|judged?|assert|suppose|presumed?|answer"
        r"|choose|pick|decide|sure|certain|confirm|state|commit|think|expect"
        r"|believe)(?<!not expect)(?<!not think)(?<!not believe)(?:\s+that)?"
        r"|(?:hard|difficult|impossible|tough)\s+to\s+(?:agree\s+or|disagree\s+or)|not"
        r"\s+(?:necessarily|entirely|fully|completely|wholly|totally|always|quite|exactly"
        r"|sure|certain"
        r"|clear|known|enough|possible|able|obvious|strictly|automatically|simply)|as"
        r"\s+likely|equally|50[-\s/]"
        r"|not\s+(?:be\s+)?surprised|not\s+surprise|not\s+rule\s+out|not\s+know"
        r"|(?:hard|difficult|impossible|tough|tricky)\s+to\s+(?:say|tell|know|determine"
        r"|predict|judge|decide)"
        r"|whether|unless|either|neither|nor|depend(?:s|ing|ent)?|unsure|uncertain|unclear"
        r"|undecided"
        r"|ambivalent|neutral|maybe|perhaps|possibly|potentially|might|may|could|sometimes"
        r"|conceivabl[ey]"
        r"|only|provided\s+(?:that|it|they)|assuming|hypothetically|once|until"
        r"|when(?:ever)?|if|or|partial(?:ly)?|half"
        r"|to\s+say\s+that|pretend|otherwise|in\s+theory|unknown|cannot\s+be",
    ),
    # Turned round.
    (
        "n",
        r"(?:out\s+of\s+(?:character|the\s+question)|unthinkable|inconceivable|uncharacteristic|off\s+the\s+table)"
        r"(?:\s+for\s+(?:her|him|them|(?:this|the)\s+person)(?=\s+to\b))?"
        rf"|a\s+stretch(?:\s+to)?|(?:hard|difficult|impossible|tough)\s+(?:for\s+(?:\w+\s+){{1,3}})?to(?="
        rf"\s+(?:{EITHER}|support|oppose|accept|reject|endorse|deny|dispute|approve|disapprove)\b)|ha(?:ve|s)\s+(?:a\s+(?:hard|difficult|tough)\s+time|trouble"
        rf"|difficulty)"
        rf"|(?:hard|difficult|impossible|tough|harder)\s+(?:for\s+\w+\s+)?to\s+(?:see"
        rf"|imagine|picture|believe|think|conceive|envision)(?:\s+of)?"
        r"|would\s+(?:be\s+)?(?:very\s+|quite\s+|rather\s+|really\s+)?surprised?\s+(?:me"
        r"\s+)?(?:if|to\s+(?:see|hear|learn|find)|were)"
        r"|less\s+(?:likely|inclined|apt|prone|willing)|least\s+likely|(?:nowhere|not"
        r"\s+anywhere)\s+near|far\s+from|anything\s+but"
        r"|by\s+no\s+means|in\s+no\s+way|no\s+way|under\s+no\s+circumstances"
        r"|(?:refus|declin)(?:e|es|ed|ing)\s+(?:outright\s+)?to|fail(?:s|ed|ing)?\s+to"
        r"|struggl(?:e|es|ing)\s+to|unable\s+to"
        r"|hesitat(?:e|es|ed|ing)\s+to|stops?\s+short\s+of|sh(?:y|ies)\s+away\s+from"
        r"|refrains?\s+from|be\s+loath\s+to"
        r"|reluctan(?:t|tly)|hesitant|loath|unwilling|disinclined|averse|unlikely"
        r"|improbabl[ey]|implausibl[ey]"
        r"|doubtful|doubts?|doubted|hardly|scarcely|barely|rarely|seldom|never|skeptical"
        r"\s+that|sceptical\s+that"
        r"|the\s+last\s+(?:person|one|man|woman)\s+to|too\s+\w+(?:\s+\w+)?\s+to"
        r"|(?:it\s+is|be)\s+(?:false|untrue|wrong|incorrect|a\s+mistake|mistaken|odd"
        r"|strange|surprising)\s+(?:to\s+(?:say|think|assume|claim|conclude|believe)"
        r"\s+)?(?:that|if)"
        r"|no\s+longer|the\s+(?:opposite|contrary|reverse)\s+of|lacks?(?:\s+of)?|no(?="
        r"\s+(?:dis)?agreement\b)"
        r"|cannot|can\s+not|not",
    ),
    # What takes back what was said before.
    (
        "k",
        r"scratch\s+(?:that|the|all|this|my)|on\s+second\s+thoughts?|on\s+(?:closer\s+"
        r"|further\s+)?reflection"
        r"|let\s+me\s+(?:reconsider|correct|rethink|re-?think|revise|change|think\s+again|restart|start\s+(?:over|again|afresh|anew)"
        r"|begin\s+again|try\s+(?:that\s+|this\s+)?again|redo|rephrase|retract|withdraw|amend|fix|back\s+up|re-?read|re-?evaluate"
        r"|re-?assess|re-?phrase)|i\s+(?:retract|withdraw)|(?:disregard|ignore|forget)\s+(?:that|this|the\s+(?:above|last)|what\s+i)"
        r"|start(?:ing)?\s+(?:over|again)|correction"
        r"|i\s+mean(?:t)?|i\s+(?:will\s+|would\s+)?change(?:\s+(?:it|that|this|my"
        r"\s+(?:answer|mind|prediction)))?(?:\s+to)?"
        r"|(?:change|changing|switch|revise|make)\s+(?:it|that|this|my\s+(?:answer|mind"
        r"|prediction))(?:\s+to)?"
        r"|or\s+rather|hold\s+on|oops|strike\s+that|never\s*mind|my\s+(?:mistake|bad|error)"
        r"|take\s+(?:it|that)\s+back|revised"
        r"|(?:(?:it|that|this|answer|prediction)\s+should\s+(?:be|read|say)|should\s+have"
        r"\s+(?:been|read|said)|\(should\s+be)|looking\s+again|come\s+to\s+think\s+of\s+it"
        r"|i\s+misread|i\s+mixed\s+up"
        r"|i\s+was\s+(?:wrong|mistaken|thinking)|i\s+overlooked|i\s+apologi[sz]e|apologies"
        r"|i\s+(?:now\s+)?(?:stand\s+)?corrected"
        r"|which\s+is\s+(?:wrong|incorrect)|that(?:\s+is|\s+was|\s+answer\s+is)\s+(?:wrong"
        r"|incorrect|a\s+mistake|an\s+error|not\s+right|not\s+it)",
    ),
    (
        "K",
        r"wait|hmm+|actually|sorry|rather|wrong|incorrect|nonsense|(?:quite\s+|just"
        r"\s+)?(?:on\s+)?the\s+(?:opposite|contrary|reverse)(?!\s+of)",
    ),
    # What is not this person's view.
    (
        "x",
        r"(?:most|many|some|other|few|those|these|all|several|both|young|older|certain|more"
        r"|two|three|\d+\s*%\s+of)\s+(?:\w+[\s-]){0,4}?"
        r"(?:people|individuals|persons|respondents|americans|conservatives|liberals|adults"
        r"|women|men|voters|christians|atheists|who|users|others)"
        r"|people|others|critics|opponents|supporters|proponents|everyone|everybody|nobody"
        r"|no\s+one|none|nothing|who|whose|one\s+(?:might|could|may)"
        r"|majority|society|experts|the\s+rest|conservatives|liberals|libertarians"
        r"|christians|atheists|democrats|republicans",
    ),
    # An answer is announced.
    (
        "l",
        rf"{OWNER}{WORTH}(?=[ \t]*\n)"
        r"|(?:overall|conclusion|in\s+(?:short|sum|summary|conclusion|total|the\s+end)|net|all\s+in\s+all|on\s+balance)"
        r"\s*(?::|=>?|->|\u2192)"
        r"|(?:put|place|lay|stake)\s+(?:(?:my|your|some)\s+)?(?:money|bets?|chips)\s+on"
        r"|(?:put|place|file|count|slot|land|fall|end\s+up|come\s+down|be|is|sit|belong|stand)s?\s+(?:(?:him|her|them"
        r"|(?:this|the)\s+person)\s+)?(?:firmly\s+|squarely\s+|just\s+|probably\s+)?(?:in|on|under|among|with|into)"
        r"\s+the\s+[\"'(]?(?=(?:dis)?agree\w*[\"')]?\s+(?:camp|side|column|box|bucket|category|crowd|end)\b)"
        rf"|{OWNER}(?<!wrong )(?<!previous )(?<!earlier ){WORTH}"
        rf"(?:\s*\([^()\n]{{0,40}}\))?{OF_THE_PERSON}(?:,\s+(?:i|as)\s[^,.!?\n]{{3,40}},)?{IS}"
        r"|(?:i(?:\s+would|\s+will|\s+am)?\s+)?(?:therefore\s+)?(?:go(?:ing)?|settle|opt"
        r"|vote|come\s+down|side)\s+(?:for|with|on)(?!\s+(?:the(?!\s+(?:affirmative|negative)\b)|this|it|that)\b)"
        r"|(?:i(?:\s+would|\s+will)?\s+)?(?:choose|pick|select)\b(?!\s+(?:one|either"
        r"|between|from))\s*:?"
        r"|(?:lean(?:s|ing)?|tilt(?:s|ed|ing)?|tend(?:s|ing)?|point(?:s|ing)?|tip(?:s|ped"
        r"|ping)?)\s+(?:(?:very\s+)?(?:\w+ly\s+|more\s+)|a\s+(?:bit|little)\s+)?(?:in\s+the"
        r"\s+direction\s+of|towards?|to(?=\s+(?:yes|no|(?:dis)?agree(?:ing|ment)?)\b))",
    ),
    # A proposition as the object.
    (
        "o",
        rf"with\s+the\s+following(?:\s+{THING})?\s*:?\s*{MASK}|that\s+(?:this|it|(?:the"
        rf"|this)\s+{THING})\s+is\s+(?:right|true|correct|so|the\s+case|valid|accurate)"
        rf"|(?:with|to)\s+(?:proposition|statement|claim)(?!['\w-])|"
        rf"(?:with|to|about|on)\s+(?:(?:the|this|that|such\s+an?|her|his|an?|its)"
        rf"\s+)(?:(?:given|above|following|stated|whole|blanket|general|idea|basic|bold"
        rf"|broad|strong|sweeping)\s+){{0,2}}{THING}(?:\s+at\s+all)?(?!['\w-])"
        r"|(?:with|to)\s+(?:it|this|that|them|you)(?:\s+(?:one|at"
        r"\s+all))?(?!['\w-])(?=\s*(?:[^\w\s]|$|because|since|as|given|based|due|and|but"
        r"|more|than|to|in|for|at|overall))",
    ),
    # Stances.
    ("-", rf"dis-?{AGREE}(?:\s+with)?(?=\s+\u241f)|dis-?{AGREE}"),
    ("+", rf"{AGREE}"),
    (
        "-",
        rf"(?:{VERBS_CON})(?=\s+(?:(?:the|this|that|such\s+an?)\s+(?:\w+"
        rf"\s+)?{THING}(?!['\w-])|\u241f|to\s+(?:accept|endorse)\s))(?!\s+to)"
        rf"|(?:against|opposed\s+to|dissent(?:s|ing)?\s+from|take(?:s|n)?\s+issue\s+with"
        rf"|push(?:es|ing)?\s+back\s+(?:on|against)|argue(?:s)?\s+against)\s+(?:the|this"
        rf"|that|such\s+an?)\s+{THING}(?!['\w-])"
        r"|dissents?|(?:den(?:y|ies|ied|ying)|(?:disput|contest|reject|refut"
        r"|contradict)(?:e|es|ed|ing|s)?)(?:\s+(?:it|this|that))(?=\s*(?:[^\w\s]|$))",
    ),
    (
        "+",
        rf"(?:{VERBS_PRO})(?=\s+(?:(?:the|this|that|such\s+an?)\s+(?:\w+"
        rf"\s+)?{THING}(?!['\w-])|\u241f))"
        rf"|(?:in\s+favou?r\s+of|subscrib(?:e|es|ing)\s+to|sign(?:s|ing)?\s+(?:up\s+to|on"
        rf"\s+to)|go(?:es|ing)?\s+along\s+with|sid(?:e|es|ing)\s+with|concur(?:s)?\s+with"
        rf"|on\s+board\s+with|argue(?:s)?\s+for)\s+(?:the|this|that|such\s+an?)"
        rf"\s+{THING}(?!['\w-])"
        r"|concurs?|go(?:es|ing)?\s+along\s+with\s+(?:it|this|that)"
        rf"|(?:accept|endors|affirm|buy)(?:e|es|ed|ing|s)?(?:\s+(?:it|this"
        rf"|that))(?=\s*(?:[^\w\s]|$))",
    ),
    ("O", rf"(?:with\s+)?(?:the|this|that|such\s+an?)\s+(?:\w+\s+)?{THING}(?!['\w-])|with|\u241f"),
    # Bare words on one side.
    (
        "u",
        r"(?:for|pro|in\s+favou?r|supports?|supportive|accepts?"
        r"|approves?|approval|acceptance|endorsement)(?=[\"')\]]*\s*(?:[.!?;,(]|\n|$))",
    ),
    (
        "v",
        r"(?:against|con|oppos(?:e|es|ed)|rejects?|disapproves?|opposition|disapproval|rejection)(?=[\"')\]]*\s*(?:[.!?;,(]"
        r"|\n|$))",
    ),
    ("t", r"true|affirmative"),
    ("f", r"false|negative"),
    ("y", r"yes|yep|yeah"),
    (
        "z",
        r"no(?:pe)?(?!\s+(?:\w+\s+){0,3}(?:information|evidence|indications?|data|details?"
        r"|clues?|hints?|background|beliefs?|knowledge|context|mention|reason|clear|one"
        r"|idea|opinion|signs?)\b)",
    ),
    # "This suggests that …": what stands before it does not matter, as long as it turns nothing round.
    (
        "S",
        r"(?:suggest|indicate|impl(?:y|ie)|mean|show|signal|hint)s?(?:\s+(?:strongly"
        r"|clearly|to\s+me))?(?:\s+that)?|which\s+means(?:\s+that)?"
        r"|(?:leads?|leading)\s+(?:me|us)\s+to\s+(?:believe|think|conclude|expect|predict"
        r"|guess|say)(?:\s+that)?|mak(?:es|ing)\s+it\s+(?:very\s+|more\s+|most\s+|quite"
        r"\s+)?(?:likely|probable|plausible)(?:\s+that)?"
        r"|mak(?:es|ing|e)(?:\s+me\s+(?:think|believe)(?:\s+that)?)?",
    ),
    ("p", r"i\s+(?:would\s+)?(?:see|view|regard|picture)\s+(?:her|him|them|this\s+person)\s+as"),
    # "I think that …", "it is likely that …", "this is something that …".
    (
        "m",
        rf"(?:this|it|that|(?:the|this)\s+{THING}|{MASK})\s+(?:is|seems|sounds\s+like|seems\s+like|would\s+be)"
        rf"(?=\s+(?:not\s+|hardly\s+|never\s+|\w+ly\s+)*{SOMETHING})|{SOMETHING}"
        rf"|(?:we|one|you|i)\s+(?:should|would)(?=\s+not\s+(?:expect|imagine|picture|see|believe|think)\b)"
        rf"|(?:we|one|you)(?=\s+(?:can|do)\s*not\s+(?:expect|imagine|picture|see|believe|think)\b)"
        rf"|i(?:\s+would|\s+will|\s+do|\s+can|\s+am)?\s+(?:{DEGREE}*(?:therefore|thus"
        rf"|tentatively|cautiously|confidently|reasonably|safely|strongly|go\s+and|have"
        rf"\s+to|must|need\s+to|tend\s+to|forced\s+to|inclined\s+to|going\s+to|would)\s+)*{SAY}(?:"
        rf"\s+(?:on\s+balance|here|overall|it(?!\s+(?:is|would|seems|looks|appears|will|has)\b)))?(?:\s+that)?"
        rf"|i\s+am\s+{DEGREE}*(?:confident|certain|sure|convinced)(?:\s+that)?"
        rf"|(?:it|this)(?:\s+is|\s+seems|\s+appears|\s+would\s+be|\s+would\s+seem|\s+is"
        rf"\s+therefore|\s+is\s+thus)\s+(?:to\s+me\s+)?{DEGREE}*(?:likely|probable"
        rf"|reasonable|safe|fair|plausible|clear|logical|evident|obvious|certain)(?:\s+to"
        rf"\s+(?:say|assume|conclude|expect|think|predict|infer|believe|suppose|guess))?(?:"
        rf"\s+(?:that|for|as\s+if))?"
        rf"|it(?=\s+(?:does|is|would|seems?|appears?|looks?)\s+not\b)|(?:it|there)"
        rf"\s+(?:seems|appears|is|would\s+be)(?:\s+to\s+me)?(?:\s+that)?"
        rf"|chances\s+are(?:\s+that)?|(?:it\s+)?(?:looks|seems|sounds)\s+like(?:\s+an?)?"
        rf"|(?:respond|repl(?:y|ie)|answer)s?\s+with|bet\s+on|my\s+(?:money|bet)\s+is\s+on"
        rf"|odds\s+are(?:\s+that)?|(?:we|one)\s+(?:can|may|could|would|should)?\s*(?:safely"
        rf"\s+|reasonably\s+)?{SAY}(?:\s+that)?|can\s+(?:be\s+)?{SAY}(?:ed|n)?(?:"
        rf"\s+that)?|that|{SAY}(?:s|ing|ed)?(?:\s+that)?",
    ),
    (
        "c",
        r"therefore|thus|hence|so|overall|consequently|accordingly|in\s+(?:conclusion"
        r"|summary|short|sum|the\s+end|total|general|all|my\s+view)|on\s+balance|on\s+the"
        r"\s+whole|all\s+(?:in\s+all|things\s+considered|told)|to\s+(?:conclude"
        r"|summari[sz]e|sum\s+up)"
        r"|ultimately|finally|altogether|taken\s+together|for\s+(?:these|this|that|those)"
        r"\s+reasons?|as\s+a\s+result|then|conclusion|weighing\s+it\s+all|at\s+the\s+end"
        r"\s+of\s+the\s+day|adding\s+it\s+up|that\s+said|even\s+so|still|nonetheless"
        r"|nevertheless|based\s+on\s+(?:this|that|these|the\s+above|all\s+this)(?:\s+\w+)?"
        r"|given\s+(?:this|that|these|all\s+this)(?:\s+\w+)?(?=,)|after\s+all|most\s+likely",
    ),
    # This person.
    (
        "p",
        rf"(?:the|this|that|an?|such\s+an?|our)\s+(?:{NOT_IN_NAMES}[\w'$-]+,?"
        rf"\s+){{0,5}}?{PERSON}(?!['\w-])(?:\s+(?:with|of|like|from|who|whose|on|in|at"
        rf"|aged|being|having|described|living)\s+(?:{ATTRIBUTE}"
        rf"\s+){{0,12}}?{ATTRIBUTE}{BEFORE_VERB})?"
        rf"|(?:someone|somebody|anyone|anybody)(?:\s+(?:like|with|of|from|who|in|at|about)"
        rf"\s+(?:{ATTRIBUTE}\s+){{0,9}}?{ATTRIBUTE}{BEFORE_VERB})?"
        rf"|(?:user|person|individual|respondent|participant)(?=\s+(?:would|will|likely"
        rf"|probably|does|is|{EITHER})\b)"
        r"|they|he\s*/\s*she|she\s*/\s*he|s/he|he|she|him|her|them|i",
    ),
    # Words that add nothing.
    (
        "a",
        rf"{ADVERB}|here|an?(?:\s+(?:firm|clear|definite|resounding|cautious|tentative|likely|weak|strong"
        r"|solid|slight|safe|definite|soft|mild))?(?=\s+(?:yes|no|(?:dis)?agree(?:ment)?|affirmative|negative)\b)"
        r"|the(?=\s+(?:affirmative|negative)\b)|going\s+to|more\s+often"
        r"\s+than\s+not|imh?o|in\s+my\s+(?:opinion|view|judge?ment|estimation)|closer\s+to"
        r"|the\s+case|would|will|shall|do|does|did|be|been|being|is|are|am|has|have|to|in"
        r"|likely|likelier|probably|presumably|surely|certainly|clearly|definitely"
        r"|strongly|somewhat|mostly|most|more|very|much|generally|slightly|partly"
        r"|moderately|mildly|highly|completely|fully|absolutely|firmly|wholeheartedly"
        r"|largely|broadly"
        r"|readily|happily|gladly|totally|entirely|wholly|quite|really|simply|just|also"
        r"|even|instead|nonetheless|undoubtedly|almost|apt|prone|bound|poised|ready|willing"
        r"|expected|predicted"
        r"|inclined|tends?|tending|leans?|leaning|towards?|seems?|appears?|strong|full"
        r"|itself|at\s+all|typically|usually|normally|naturally|of\s+course|rather"
        r"\s+strongly|easily|deeply|vehemently|any|too|personally|rarely\s+but",
    ),
    (
        "r",
        r"because|since|given|based|due|considering|as|seeing|for|on\s+(?:the\s+)?grounds"
        r"|thanks|in\s+(?:view|light)\s+of|from|while|whereas|being|after|reflecting|owing",
    ),
    ("b", r"but|however|though|although|yet|except|even\s+if|even\s+though"),
    ("&", r"and"),
    ("w", r"\w+(?:['$%\u2019-]{1,3}\w+)*"),
    ("\n", r"\n"),
    (".", r"(?:\.{2,}|\u2026)|[.!]+(?=[\s\"')\]}]|$)|[.!]"),
    ("¿", r"\?+"),
    (";", r";"),
    (",", r","),
    (":", r":|=>?|->|\u2192"),
    ("\u2014", r"[\u2014\u2013]|--+|-"),
    ("(", r"[(\[{<]"),
    (")", r"[)\]}>]"),
    ("/", r"[/|\\~]"),
    ('"', r"[\"'\u00ab\u00bb\u201e]"),
    ("#", r"[^\s]"),
]
# Words end where they end: "agreeable" and "yes-man" are others.
_BOUNDED = frozenset("EQ+-PNGHCDadm?nkKxlouvtfyzScrbp&O")

_LEXER = re.compile(
    "|".join(
        f"(?P<c{place}>(?<![\\w-])(?:{pattern})(?![\\w])(?!-\\w))"
        if kind in _BOUNDED and kind not in "lQ"
        else f"(?P<c{place}>(?<![\\w-])(?:{pattern}))"
        if kind in "lQ"
        else f"(?P<c{place}>{pattern})"
        for place, (kind, pattern) in enumerate(_CLASSES)
    ),
    re.IGNORECASE,
)
_KIND = {f"c{place}": kind for place, (kind, _) in enumerate(_CLASSES)}


@dataclass(frozen=True, slots=True)
class Token:
    """A word or phrase: its class, its text, and where it begins and ends."""

    kind: str
    text: str
    start: int
    end: int


_CONTRACTED = (
    (re.compile(r"\bwon't\b", re.IGNORECASE), "will not"),
    (re.compile(r"\bshan't\b", re.IGNORECASE), "shall not"),
    (re.compile(r"\b(can)'?t\b(?<!cant)|\bcannot\b", re.IGNORECASE), "can not"),
    (re.compile(r"(?<=\w)n't\b", re.IGNORECASE), " not"),
    (re.compile(r"(?<=\w)'d\b", re.IGNORECASE), " would"),
    (re.compile(r"(?<=\w)'ll\b", re.IGNORECASE), " will"),
    (re.compile(r"(?<=\w)'re\b", re.IGNORECASE), " are"),
    (re.compile(r"\b(i)'m\b", re.IGNORECASE), r"\1 am"),
    (re.compile(r"\b(it|that|he|she|there|what|this|here)'s\b", re.IGNORECASE), r"\1 is"),
)


def expanded(text: str) -> str:
    """`text` with its contractions written out: "they would not" for "they wouldn't"."""
    for pattern, written in _CONTRACTED:
        text = pattern.sub(written, text)
    return text


def tokens(text: str) -> list[Token]:
    """The words and phrases of `text` by class, in order."""
    return [
        Token(_KIND[found.lastgroup or ""], found[0], found.start(), found.end())
        for found in _LEXER.finditer(text)
    ]
