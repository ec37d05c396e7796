"""Ways to announce a stance without the word "answer", and people who are not the one asked about.

"That leaves agree", "Put her down as a yes", "The odds favour disagreement". A way counts only where the
word of a stance follows at once.
"""

from __future__ import annotations

_SIDE = r"(?:(?:dis-?)?agree(?:s|d|ing|ment)?|yes|no|true|false|affirmative|negative|opposed|against|in\s+favou?r|for|pro|con)"
_AHEAD = (
    rf"(?=[\"'(*]*(?:an?\s+|the\s+)?(?:(?:likely|probable|clear|firm|soft|mild|weak|strong|solid|cautious|tentative"
    rf"|safe|definite)\s+)?[\"'(*]*{_SIDE}[\"')*]*(?:\s*(?:[.!?,;:()\n\u2014\u2013-]|$)|\s+(?:here|from|for|as|by|with|rather"
    r"|because|since|given|over|on\s+(?:her|his|their)|is|would|than|side|camp|column|box|end|in\s+(?:her|his|their|this)|to\s+(?:this|the))\b))"
)
_ARTICLE = r"(?:an?|the)?\s*"
_HER = r"(?:him|her|them|this\s+(?:one|person|man|woman|user|case)|the\s+(?:person|user|man|woman)|it|this|that)"
_SURE = r"(?:(?:probably|likely|firmly|squarely|clearly|definitely|just|only|still|then|all|simply|most|quite|rather|strongly|slightly|narrowly|barely\s+but)\s+)*"
_FILE = (
    r"(?:put|mark|chalk|count|file|list|note|record|log|score|register|enter|write|class(?:ify)?|code|label|tag|rate"
    r"|treat|read|take|have|call|peg|book|cast|see|picture)(?:ed|s)?"
)
_MOVE = (
    r"(?:push|pull|nudge|move|drive|steer|lead|bring|take|get|tip|tilt|swing|point|sway|incline|sit|lie|rest|land|settle"
    r"|fall|come|end|edge|drift|veer|gravitate|head|default|turn|switch|change|flip|revert|move|converge|arrive|gesture|argue"
    r"|speak|count|weigh|work|shake|boil|add|amount|translate|resolve|round|go|stay|remain|stick|keep|vote|plump)"
    r"(?:s|es|ed|ing)?"
)
_THING_MOVED = (
    r"(?:\s+(?:me|us|it|this|that|him|her|them|things|everything|matters"
    r"|the\s+(?:balance|scales?|needle|answer|odds|prediction|verdict|decision|dial)))?"
)
_TO = (
    r"(?:(?:down|up|over|out|back|along|away)\s+)?(?:(?:on|at|for|with|as|under|into|in\s+favou?r\s+of|in\s+the\s+direction\s+of"
    r"|towards?|to)\s+)"
)
_HELD = (
    r"(?:leaves?|spells?|gives?|yields?|screams?|says?|makes?|predicts?|implies|means|favou?rs?|supports?|suggests?"
    r"|indicates?|signals?|produces?|warrants?|comes?\s+out|equals?|reads?|is|was|would\s+be|has\s+to\s+be|must\s+be)"
)
_WEIGHTS = (
    r"(?:(?:the|my|all|most\s+of\s+the|every|such\s+an?|this|that|these|his|her|their)\s+)?(?:(?:(?!not\b|no\b|few\b|little\b|less\b|some\b|half\b|hardly\b|neither\b|only\b|if\b|or\b|nor\b|and\b)\w+\s+)?"
    r"(?:money|bets?|chips|wager|hunch|evidence|balance|odds|scales?|needle|pendulum|tilt|signs?|clues?|facts?|profile|probabilit(?:y|ies)"
    r"|likelihood|data|background|arrows?|weight|pieces?|indications?|hints?|logic|reasoning|picture|everything|combination|estimate|leaning|lean))"
)

_PERCENT = (
    r"(?:(?:about|around|roughly|maybe|some|over|at\s+least)\s+)?(?:an?\s+)?(?:5[1-9]|[6-9]\d)\s*(?:%|percent|per\s+cent)"
    r"(?:\s+(?:chance|probability|likelihood|odds|sure|confident|likely|confidence))?(?:\s+(?:of|for|on|in|towards?|that\s+it\s+is))?"
)

FRAMINGS = [
    (
        "l",
        rf"{_FILE}\s+{_HER}\s+{_SURE}(?:down\s+)?{_SURE}(?:as|under|in|with|for|among|on)?\s*{_ARTICLE}(?:side\s+of\s+)?{_AHEAD}"
        rf"|(?:that|this|which|it|what)(?:\s+(?:all|one|is\s+what))?\s+(?:\w+ly\s+)?(?:leaves?|spells?)(?:\s+(?:me|us)\s+with)?"
        rf"(?:\s+only)?\s+{_AHEAD}"
        rf"|{_WEIGHTS}\s+(?:\w+ly\s+)?(?:{_HELD}|are|goes?)\s+{_SURE}(?:on\s+|with\s+|for\s+|behind\s+)?{_AHEAD}"
        rf"|(?:i|we|it|this|that|which|these|they\s+all|both|all\s+of\s+(?:this|it|that|which)|{_WEIGHTS})"
        rf"(?:\s+(?:will|would|am|is|are|do|does|have\s+to|must|should))*\s+{_SURE}{_MOVE}{_THING_MOVED}\s+{_SURE}{_TO}{_AHEAD}"
        rf"|(?:that|this|it)\s+(?:is|was|makes?|would\s+be|makes\s+(?:it|this|him|her|them))\s+{_SURE}(?=an?\s+(?:\w+\s+)?{_SIDE}"
        r"\s+(?:from|for|on|by)\s+(?:me|him|her|them|this\s+(?:person|man|woman|user)|the\s+(?:person|user)|my\s+(?:side|part|end)))"
        rf"|and\s+with\s+(?:it|that|them)(?:\s+comes)?\s+{_AHEAD}"
        r"|(?:i\s+(?:would|will|have\s+to)\s+)?(?:answer|respond|reply)\s+in(?=\s+the\s+(?:affirmative|negative)\b)"
        rf"|{_PERCENT}\s+{_AHEAD}",
    ),
    (
        "d",
        r"from\s+(?:me|him|her|them|this\s+(?:person|man|woman|user|one)|the\s+(?:person|user|man|woman)|my\s+(?:side|end))"
        r"(?=\s*(?:[.!?;,(\n]|$))",
    ),
    (
        "a",
        r"(?:(?:have|has|having|find|finds|see|sees|with)\s+)?(?:no|little|few|hardly\s+any)\s+(?:\w+\s+)?(?:problems?|trouble|difficulty|qualms?"
        r"|hesitations?|hesitancy|issues?|objections?|scruples|reservations?)(?:\s+(?:in|with|about|to|over))?(?=\s+(?:\w+ing\b|(?:dis)?agree))",
    ),
    (
        "d",
        r"(?:on|out\s+of|as\s+a\s+matter\s+of|by|purely\s+on|mostly\s+on|largely\s+on|mainly\s+on)\s+(?:sheer\s+|pure\s+)?(?:principle|faith"
        r"|conscience|instinct|default|habit|loyalty|conviction|temperament|belief|(?:\w+\s+)?grounds)(?=\s*(?:[.!?;,(\n]|$|alone\b))(?:\s+alone)?",
    ),
    ("r", r"despite|in\s+spite\s+of|out\s+of(?!\s+(?:character|the\s+question|line))|regardless|notwithstanding|no\s+matter|especially|particularly|without(?!\s+(?:a\s+|any\s+)?(?:doubt|question))"),
    ("a", r"only\s+(?:mildly|slightly|weakly|narrowly|moderately|somewhat|a\s+(?:little|bit)|just)|the\s+first\s+(?:(?:person|one|man|woman)\s+)?to"),
    (
        "E",
        r"(?:one|part|among)\s+(?:of\s+)?(?:them|those|that\s+(?:group|crowd|camp|majority))|(?:an?|the|no)\s+(?:exception|outlier)|no\s+different",
    ),
    # Somebody else: "her husband would agree".
    (
        "x",
        r"(?:his|her|their|the\s+person's|your|my|our)\s+(?:(?!own\b)\w+\s+){0,2}?(?:wife|husband|spouse|partner|brother|sister|mother"
        r"|father|parents?|mum|dad|mom|son|daughter|kids?|child(?:ren)?|friends?|colleagues?|neighbou?rs?|peers?|boss|opponents?"
        r"|rivals?|party|family|church|community|generation|fellow|relatives|allies|side's|cohort|demographic|age\s+group|group|peer\s+group|pastor|priest|teacher|doctor)"
        r"(?!['\w-])",
    ),
]
"""Class and pattern, in the order in which they are tried."""
