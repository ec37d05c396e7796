"""Ways to announce a stance without the word "answer", and people who are not the one asked about.

"That leaves agree", "Put her down as a yes", "The odds favour disagreement". A way counts only where the
word of a stance follows at once.
"""

from __future__ import annotations

from otherminds.metrics.debate.attitudes import THING

_SIDE = (
    r"(?:(?:dis-?)?agree(?:s|d|ing|ment)?|yes|no|true|false|affirmative|negative|opposed|against"
    r"|in\s+favou?r|for|pro|con)"
)
_AHEAD = (
    rf"(?=[\"'(*]*(?:an?\s+|the\s+)?(?:(?:likely|probable|clear|firm|soft|mild|weak|strong|solid"
    rf"|cautious|tentative"
    rf"|safe|definite)\s+)?[\"'(*]*{_SIDE}[\"')*]*(?:\s*(?:[.!?,;:()\n\u2014\u2013-]|$)"
    rf"|\s+(?:here|from|for|as|by|with|rather"
    r"|because|since|given|over|on\s+(?:her|his|their)|is|would|than|side|camp|column|box|end"
    r"|in\s+(?:her|his|their|this)|to\s+(?:this|the))\b))"
)
_ARTICLE = r"(?:an?|the)?\s*"
_HER = (
    r"(?:him|her|them|this\s+(?:one|person|man|woman|user|case)|the\s+(?:person|user|man|woman)"
    r"|it|this|that)"
)
_SURE = (
    r"(?:(?:probably|likely|firmly|squarely|clearly|definitely|just|only|still|then|all|simply"
    r"|most|quite|rather|strongly|slightly|narrowly|barely\s+but)\s+)*"
)
_FILE = (
    r"(?:put|mark|chalk|count|file|list|note|record|log|score|register|enter|write|class(?:ify)?"
    r"|code|label|tag|rate"
    r"|treat|read|take|have|call|peg|book|cast|see|picture)(?:ed|s)?"
)
_MOVE = (
    r"(?:push|pull|nudge|move|drive|steer|lead|bring|take|get|tip|tilt|swing|point|sway|incline"
    r"|sit|lie|rest|land|settle"
    r"|fall|come|end|edge|drift|veer|gravitate|head|default|turn|switch|change|flip|revert|move"
    r"|converge|arrive|gesture|argue"
    r"|speak|count|weigh|work|shake|boil|add|amount|translate|resolve|round|go|stay|remain|stick"
    r"|keep|vote|plump)"
    r"(?:s|es|ed|ing)?"
)
_THING_MOVED = (
    r"(?:\s+(?:me|us|it|this|that|him|her|them|things|everything|matters"
    r"|the\s+(?:balance|scales?|needle|answer|odds|prediction|verdict|decision|dial)))?"
)
_TO = (
    r"(?:(?:down|up|over|out|back|along|away)\s+)?(?:(?:on|at|for|with|as|under|into"
    r"|in\s+favou?r\s+of|in\s+the\s+direction\s+of|on\s+the\s+side\s+of"
    r"|towards?|to)\s+)"
)
_HELD = (
    r"(?:leaves?|spells?|gives?|yields?|screams?|says?|makes?|predicts?|implies|means|favou?rs?"
    r"|supports?|suggests?"
    r"|indicates?|signals?|produces?|warrants?|comes?\s+out|equals?|reads?|is|was|would\s+be"
    r"|has\s+to\s+be|must\s+be)"
)
_WEIGHTS = (
    r"(?:(?:the|my|all|most\s+of\s+the|every|such\s+an?|this|that|these|his|her"
    r"|their)\s+)?(?:(?:(?!not\b|no\b|few\b|little\b|less\b|some\b|half\b|hardly\b|neither\b"
    r"|only\b|if\b|or\b|nor\b|and\b)\w+\s+)?"
    r"(?:money|bets?|chips|wager|hunch|evidence|balance|odds|scales?|needle|pendulum|tilt|signs?"
    r"|clues?|facts?|profile|probabilit(?:y|ies)"
    r"|likelihood|data|background|arrows?|weight|pieces?|indications?|hints?|logic|reasoning"
    r"|picture|everything|combination|estimate|leaning|lean|age|politics|religion|faith|ideology"
    r"|gender|education|job|occupation|profession|income|instinct|gut|intuition|common\s+sense"
    r"|experience|pride|history|upbringing|party))"
)

_PERCENT = (
    r"(?:(?:about|around|roughly|maybe|some|over|at\s+least)\s+)?(?:an?\s+)?(?:5[1-9]"
    r"|[6-9]\d)\s*(?:%|percent|per\s+cent)"
    r"(?:\s+(?:chance|probability|likelihood|odds|sure|confident|likely|confidence))?(?:\s+(?:of"
    r"|for|on|in|towards?|that\s+it\s+is))?"
)
# "That leaves agree", not "the evidence that leaves agree".
_FRESH = r"(?:(?<!\w\s)|(?<=\bso\s)|(?<=\band\s)|(?<=\bthen\s)|(?<=\bbut\s))"

_APT = r"(?:likely|inclined|apt|willing|prone)"
_THAN_MOST = (
    r"than\s+(?:most|many|average|others?|the\s+(?:average"
    r"|typical)\s+\w+)(?:\s+(?!to\b)\w+){0,2}(?=\s+to\b)"
)

FRAMINGS = [
    (
        "l",
        rf"{_FILE}\s+{_HER}\s+{_SURE}(?:down\s+)?{_SURE}(?:as|under|in|with|for|among"
        rf"|on)\s+{_ARTICLE}(?:side\s+of\s+)?{_AHEAD}"
        rf"|(?:mark|call|label|code|rate|score|make|give|count|tag)s?\s+(?:it|that|(?:this"
        rf"|that)(?:\s+(?:one|case|person))?|(?:him|her|them)|the\s+{THING})\s+{_SURE}{_AHEAD}"
        rf"|(?:he|she|they|(?:this|the)\s+(?:person|man|woman|user))\s+(?:is|are|would\s+be"
        rf"|will\s+be)\s+{_SURE}(?=an?\s+){_AHEAD}(?!(?:an?|the)\s+(?:\w+\s+)?(?:true|false|for"
        rf"|pro|con|against|in)\b)"
        rf"|points?\s+(?:in\s+)?(?:one|the\s+same|a\s+single|this)\s+(?:direction"
        rf"|way)\s*[:\u2014-]\s*{_AHEAD}"
        rf"|i\s+(?:would\s+|will\s+|do\s+)?(?:lean|vote|go)\s+{_SURE}{_AHEAD}"
        rf"|{_FRESH}(?:that|this|which|it|what)(?:\s+(?:all|one"
        rf"|is\s+what))?\s+(?:\w+ly\s+)?(?:leaves?|spells?)(?:\s+(?:me|us)\s+with)?"
        rf"(?:\s+only)?\s+{_AHEAD}"
        rf"|{_WEIGHTS}\s+(?:\w+ly\s+)?(?:{_HELD}|are|goes?)\s+{_SURE}(?:on\s+|with\s+|for\s+"
        rf"|behind\s+)?{_AHEAD}"
        rf"|(?:i|we|{_FRESH}(?:it|this|that|which|these|they\s+all|both|all\s+of\s+(?:this|it"
        rf"|that|which)|{_WEIGHTS}))"
        rf"(?:\s+(?:will|would|am|is|are|do|does|have\s+to|must"
        rf"|should))*\s+{_SURE}{_MOVE}{_THING_MOVED}\s+{_SURE}{_TO}{_AHEAD}"
        rf"|(?:that|this|it)\s+(?:is|was|makes?|would\s+be|makes\s+(?:it|this|him|her"
        rf"|them))\s+{_SURE}(?=an?\s+(?:\w+\s+)?{_SIDE}"
        r"\s+(?:from|for|on|by)\s+(?:me|him|her|them|this\s+(?:person|man|woman|user)"
        r"|the\s+(?:person|user)|my\s+(?:side|part|end)))"
        rf"|(?:tilt|tip|push|nudge|lead|move|draw|bring|steer|pull|sway|incline|drive|take|land"
        rf"|point)(?:s|es|ed|ing)?\s+(?:me|us|it|this|things|him|her|them"
        rf"|the\s+(?:balance|scales?|needle|answer"
        rf"|prediction))\s+{_SURE}{_TO}(?<!\bto\s(?=agree))(?<!\bto\s(?=disagree)){_AHEAD}"
        rf"|and\s+with\s+(?:it|that|them)(?:\s+comes)?\s+{_AHEAD}"
        r"|(?:i\s+(?:would|will|have\s+to)\s+)?(?:answer|respond"
        r"|reply)\s+in(?=\s+the\s+(?:affirmative|negative)\b)"
        rf"|{_PERCENT}\s+{_AHEAD}",
    ),
    (
        "d",
        r"from\s+(?:me|him|her|them|this\s+(?:person|man|woman|user|one)|the\s+(?:person|user"
        r"|man|woman)|my\s+(?:side|end))"
        r"(?=\s*(?:[.!?;,(\n]|$))",
    ),
    (
        "a",
        r"(?:(?:have|has|having|find|finds|see|sees|with)\s+)?(?:no|little|few"
        r"|hardly\s+any)\s+(?:\w+\s+)?(?:problems?|trouble|difficulty|qualms?"
        r"|hesitations?|hesitancy|issues?|objections?|scruples|reservations?)(?:\s+(?:in|with"
        r"|about|to|over))?(?=\s+(?:\w+ing\b|(?:dis)?agree))",
    ),
    (
        "d",
        r"(?:on|out\s+of|as\s+a\s+matter\s+of|by|purely\s+on|mostly\s+on|largely\s+on"
        r"|mainly\s+on)\s+(?:sheer\s+|pure\s+)?(?:principle|faith"
        r"|conscience|instinct|default|habit|loyalty|conviction|temperament|belief"
        r"|(?:\w+\s+)?grounds)(?=\s*(?:[.!?;,(\n]|$|alone\b))(?:\s+alone)?",
    ),
    (
        "r",
        r"despite|in\s+spite\s+of|out\s+of(?!\s+(?:character|the\s+question|line))|regardless"
        r"|notwithstanding|no\s+matter|especially|particularly|without(?!\s+(?:a\s+"
        r"|any\s+)?(?:doubt|question))",
    ),
    # Somebody who is like this person: "A proud trucker of 55 would …".
    (
        "p",
        r"an?(?:\s+(?!(?:they|he|she|i|we|you|it|this|the|his|her|their|my|our|chance"
        r"|possibility|risk|danger|feeling|sense|hunch|doubt|reason|sign|world|where|how|why"
        r"|when|critic|opponent|supporter|proponent|sceptic|skeptic|cynic|friend|majority"
        r"|minority|lot|few|number|typical|different|other"
        r"|less|more|bit|little|case|group|third|half|neutral|ban|law|claim|statement|good|fair"
        r"|strong|safe|reasonable|better|likely|not|no|who|that|which|if"
        r"|and|or|but|as|than|would|will|is|are|in|on|at|to|with|about|from|by|agree\w*"
        r"|disagree\w*|yes|guess|prediction|answer|position|view|stance|reply|one|stretch"
        r"|mistake|surprise)\b)"
        r"[a-z-]+){1,4}(?:\s+(?:of|in|like|at)(?:\s+\w+){1,3}?)?(?=\s+(?:would|will"
        r"|is\s+(?:likely|not\s+(?:going|likely)|going|bound|unlikely))\b)",
    ),
    (
        "a",
        r"(?:(?:fits?|match(?:es)?)\s+the\s+(?:\w+\s+)?(?:profile|mould|mold|bill|description"
        r"|picture|pattern|image)\s+of|ticks?\s+(?:every|all\s+(?:of\s+)?the|most\s+of\s+the)"
        r"\s+box(?:es)?\s+(?:for|of)|comes?\s+across\s+as|strikes?\s+me\s+as|sounds?\s+like"
        r"|looks?\s+like|reads?\s+like|is(?:\s+clearly|\s+exactly)?)\s+(?:just\s+"
        r"|exactly\s+)?(?:a\s+)?"
        r"(?:someone|somebody|person|man|woman|(?:the\s+)?(?:kind|sort|type)\s+of\s+(?:person"
        r"|man|woman|voter|user))\s+(?:who|that)(?=\s+(?:would|will|(?:dis)?agrees)\b)",
    ),
    (
        "x",
        r"(?:some|others|many|few|most|half)(?=\s+(?:would|will|might|may|could|do|agree"
        r"|disagree)\b)",
    ),
    (
        "m",
        r"if\s+you\s+(?:made|make|forced?|press(?:ed)?|push(?:ed)?|want(?:ed)?|need(?:ed)?"
        r"|insist(?:ed)?(?:\s+on)?|asked|ask)\s+(?:me\s+)?(?:to\s+)?(?:for\s+)?"
        r"(?:choose|guess|pick|say|answer|decide|commit|bet|take\s+a\s+side|a\s+guess"
        r"|an?\s+answer|one\s+word|(?=,))",
    ),
    (
        "n",
        r"(?:it\s+)?(?:is|would\s+be|be)\s+(?:\w+ly\s+|very\s+|quite\s+|rather\s+"
        r"|most\s+)?(?:strange|odd|surprising|unusual|weird|remarkable|astonishing|shocking|rare"
        r"|uncharacteristic"
        r"|unheard\s+of|unlike\s+(?:him|her"
        r"|them))(?:\s+for(?:\s+(?!not\b)[\w-]+){1,4}?(?=\s+(?:not\s+)?to\b)|\s+(?:if|that"
        r"|to\s+(?:see|hear|find)))"
        r"|(?:would\s+)?be\s+(?:\w+ly\s+|very\s+|quite\s+|rather\s+)?(?:astonished|amazed"
        r"|shocked|stunned|startled|dumbfounded|flabbergasted|astounded|taken\s+aback)\s+(?:if"
        r"|to\s+(?:see|hear|learn|find))",
    ),
    (
        "a",
        r"without\s+(?:a\s+|any\s+|much\s+)?(?:doubt|question|hesitation|hesitating"
        r"|second\s+thoughts?|thinking|thought|fail|reservations?)",
    ),
    (
        "d",
        r"what\s+i(?:\s+would|\s+will|\s+am)?\s+(?:predict|expect|guess|go\s+with|bet\s+on|say"
        r"|answer|expecting|predicting|settle\s+on|put|choose|pick|assume|anticipate)|than\s+not",
    ),
    (
        "d",
        r"where\s+i(?:\s+would|\s+will|\s+have\s+to)?\s+(?:end\s+up|land|come\s+(?:down|out)"
        r"|settle|finish|stand|am)"
        r"|(?:more\s+|most\s+|better\s+|best\s+)?(?:in\s+keeping|in\s+line"
        r"|consistent)\s+with\s+(?:her|his|their|this|the)(?:\s+\w+){0,3}"
        r"\s+(?:profile|values|views?|beliefs|background|outlook)",
    ),
    ("a", rf"(?:more|more\s+{_APT})\s+{_THAN_MOST}"),
    (
        "n",
        rf"(?:less|less\s+{_APT})\s+{_THAN_MOST}"
        r"|the\s+odds\s+are\s+(?:\w+ly\s+|much\s+)?(?:worse\s+than\s+even|poor|low|slim"
        r"|long)(?:\s+that)?"
        r"|is\s+not\s+(?:just\s+|exactly\s+|really\s+)?(?:a\s+)?(?:someone|somebody|person|man"
        r"|woman|(?:the\s+)?(?:kind|sort|type)\s+of\s+(?:person|man"
        r"|woman|voter|user))\s+(?:who|that)(?=\s+(?:would|will|(?:dis)?agrees)\b)",
    ),
    (
        "m",
        r"the\s+odds\s+are\s+(?:\w+ly\s+|much\s+)?(?:better\s+than\s+even|good|high"
        r"|strong)(?:\s+that)?"
        r"|(?:you|we|i)\s+(?:can|could)\s+(?:safely\s+)?(?:count|rely|bank|bet)\s+on(?=\s+(?:him"
        r"|her|them|this)\b)",
    ),
    (
        "d",
        r"(?:but\s+|if\s+|though\s+)?(?:only\s+)?(?:just|by\s+a\s+(?:whisker|hair|nose|(?:small"
        r"|narrow|slim|thin|slight)(?:\s+(?:margin|amount))?)"
        r"|(?:narrow|slight|mild|weak)ly)(?=\s*(?:[.!?;,(\n]|$))|it\s+(?:is|shall\s+be|will\s+be"
        r"|must\s+be)(?:\s+then)?(?=\s*(?:[.!\n]|$))",
    ),
    (
        "n",
        r"it\s+would\s+take\s+(?:a\s+(?:lot|great\s+deal)|much)\s+for\s+(?:him|her|them|(?:this"
        r"|the)\s+person)(?=\s+to\b)",
    ),
    (
        "m",
        r"i\s+(?:would\s+)?(?:bet|wager|stake)\s+(?:my|good|a\s+lot\s+of|any"
        r"|the)\s+\w+(?:\s+(?:that|on))?",
    ),
    ("a", r"(?:end|wind)(?:s|ed|ing)?\s+up|come(?:s)?\s+a?round\s+to(?=\s+\w+ing\b)"),
    ("k", r"(?:convinc|persuad|tell|suggest|indicat)e?s?\s+(?:me\s+)?otherwise"),
    (
        "d",
        r"no\s+(?:contest|question|problem|surprise|two\s+ways)(?:\s+about\s+(?:it"
        r"|that))?(?=\s*(?:[.!;,\n]|$))",
    ),
    ("d", r"to\s+me(?=\s*(?:[.!;,\n]|$))"),
    ("a", r"were|always"),
    (
        "l",
        r"(?:it|this|that)\s+is\s+(?=an?\s+(?:clear\s+|definite\s+)?(?:yes|no)\s*(?:[.!;,\n]|$))",
    ),
    ("P", r"(?:an?\s+)?thumbs\s+up"),
    ("N", r"(?:an?\s+)?thumbs\s+down"),
    ("r", r"before"),
    (
        "a",
        r"only\s+(?:mildly|slightly|weakly|narrowly|moderately|somewhat|a\s+(?:little|bit)|just)"
        r"|the\s+first\s+(?:(?:person|one|man|woman)\s+)?to",
    ),
    (
        "E",
        r"(?:one|part|among)\s+(?:of\s+)?(?:them|those|that\s+(?:group|crowd|camp|majority))"
        r"|(?:an?|the|no)\s+(?:exception|outlier)|no\s+different",
    ),
    # Somebody else: "her husband would agree".
    (
        "x",
        r"(?:his|her|their|the\s+person's|your|my|our)\s+(?:(?!own\b)\w+\s+){0,2}?(?:wife"
        r"|husband|spouse|partner|brother|sister|mother"
        r"|father|parents?|mum|dad|mom|son|daughter|kids?|child(?:ren)?|friends?|colleagues?"
        r"|neighbou?rs?|peers?|boss|opponents?"
        r"|rivals?|party|family|church|community|generation|fellow|relatives|allies|side's"
        r"|cohort|demographic|age\s+group|group|peer\s+group|pastor|priest|teacher|doctor)"
        r"(?!['\w-])",
    ),
]
"""Class and pattern, in the order in which they are tried."""
