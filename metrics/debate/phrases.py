"""Parts of the patterns of `lexicon`: who speaks, and how an answer is announced."""

from __future__ import annotations

from otherminds.metrics.debate.attitudes import THING

# Adverbs pass, except those that limit what is said, and nouns and verbs that end like them.
ADVERB = (
    r"(?!(?:un|im)?(?:only|likely|possibly|hardly|scarcely|barely|rarely|reluctantly|grudgingly|supposedly|allegedly|ostensibly|potentially"
    r"|conceivably|partially|partly|falsely|wrongly|mistakenly|incorrectly|theoretically|superficially|hypothetically|nominally"
    r"|technically|initially|formerly|previously|originally|occasionally|infrequently|equally|conditionally|seemingly|frequently"
    r"|improbably|implausibly|doubtfully|necessarily|always|actually|finally|ultimately|accordingly|consequently|unlikely"
    r"|\w*(?:fami|rep|app|re|supp|imp|al|ral|ita|ear|dai|elder|comp|mult|bul|bel|f|s|jul|month|week|year|friend|love|lone|cost|ug|ho|assemb|"
    r"monopo|anoma|butterf|trul)ly|emily|sally|molly|holy|only)\b)\w{3,}ly"
)
AGREE = r"agree(?:s|d|ing|ment)?"
EITHER = rf"(?:dis-?)?{AGREE}"
DEGREE = (
    r"(?:(?:very|quite|fairly|rather|highly|most|more|pretty|really|so|also|still|just|much)\s+)"
)
PERSON = (
    r"(?:person|individual|user|respondent|participant|subject|debater|member|man|woman"
    r"|voter|guy|lady"
    r"|girl|boy|student|teenager|teen|adult|retiree|mother|father|gentleman|he|she"
    r"|(?:\d+|\w+(?:-\w+)?)-year-old(?:\s+(?:man|woman|person|male|female))?)"
)
# Words that no description of a person has in it: where one stands, the subject was another.
NOT_IN_NAMES = (
    r"(?!(?:the|this|an?|so|because|since|while|thus|hence|is|are|was|were|be|that|who|which|would|will|do|does|did|has|have"
    r"|had|not|no|never|of|and|or|if"
    r"|to|than|by|for|but|like|with|from|on|in|at|said|say|says|whether|what|how|why|as|it"
    r"|they|he|she|i)\b)"
)
BEFORE_VERB = (
    r"(?=\s+(?:would|will|is|does|do|might|may|could|probably|likely|most|hardly|never|also"
    r"|then|rather"
    rf"|certainly|definitely|tends|leans|being|{EITHER})\b)"
)
ATTRIBUTE = r"(?!(?:would|will|not|never|agree\w*|disagree\w*|i|they|we|it|he|she)\b)[\w'$%-]{1,30}"
WORTH = (
    r"(?:answer|prediction|response|reply|verdict|stance|position|choice|guess|conclusion"
    r"|outcome|result"
    r"|pick|opinion|decision|vote|judge?ment|output|label|estimate|call|bottom\s+line"
    r"|selection|reaction|bet|money|hunch|take|leaning|inclination|assessment|determination|classification"
    r"|forecast|final|value|read|reading|feeling|instinct|impression|expectation|inference|wager|bool(?:ean)?|word|summary|tl;?dr)"
)
IS = (
    r"(?:\s+(?:(?:is|was|would\s+be|will\s+be|has\s+to\s+be|must\s+be|should\s+be|comes"
    r"\s+out\s+as|remains"
    r"|would\s+therefore\s+be|is\s+therefore|is\s+thus)\b(?:\s+(?:likely|probably|most"
    r"\s+likely|thus"
    r"|therefore|simply|still|an?(?:\s+\w+)?(?=\s+(?:yes|no|(?:dis)?agree\w*)\b)|one\s+of"
    r"|clear))*(?:\s+that\b)?(?:\s*:)?)|\s*(?::|=>?|->|\u2192|\u2014|\u2013|-(?=\s)))"
)
SAY = (
    r"(?:think|believe|say|guess|predict|expect|suspect|conclude|imagine|assume|reckon"
    r"|estimate|bet(?:\s+on)?|infer"
    r"|anticipate|figure|see|picture|find|judge|wager|presume|answer|maintain)"
)
OF_THE_PERSON = (
    r"(?:\s+(?:on|for)\s+(?:(?:his|her|their|this\s+person's|the\s+person's)\s+behalf|him"
    r"|her|them"
    r"|(?:this|the)\s+(?:person|user|individual|man|woman))"
    rf"|\s+(?:to|on|about|regarding)\s+(?:(?:the|this|that)\s+(?:\w+\s+)?{THING}|this|it|that)(?=\s+(?:is|would|will|was|has|must)\b|\s*:))?"
)
OWNER = (
    r"(?:(?:the|my|their|her|his|a|our|its|person's|user's|individual's|man's|woman's"
    r"|likely|final|overall"
    r"|best|predicted|probable|most|correct|own|this|that|so|short|one-word|single|honest"
    r"|educated)\s+){0,5}"
)
SOMETHING = (
    rf"(?:something|an?\s+(?:\w+\s+){{0,2}}{THING}|the\s+(?:kind|sort|type)\s+of\s+(?:thing|{THING}))"
    r"(?:\s+(?:that|which))?(?=\s+(?:the|this|they|he|she|an?|someone|somebody)\s)"
)
VERBS_PRO = (
    r"support(?:s|ed|ing|ive)?(?:\s+of)?|endors(?:e|es|ed|ing)|accept(?:s|ed|ing)?"
    r"|affirm(?:s|ed|ing)?"
    r"|approv(?:e|es|ed|ing)(?:\s+of)?|favou?r(?:s|ed|ing)?|embrac(?:e|es|ed|ing)"
    r"|defend(?:s|ed|ing)?"
    r"|shar(?:e|es|ed|ing)|uphold(?:s|ing)?|back(?:s|ed|ing)?"
)
VERBS_CON = (
    r"oppos(?:e|es|ed|ing)(?:\s+to)?|reject(?:s|ed|ing)?|disput(?:e|es|ed|ing)|contest(?:s"
    r"|ed|ing)?"
    r"|den(?:y|ies|ied|ying)|object(?:s|ed|ing)?(?:\s+to)?|disapprov(?:e|es|ed|ing)(?:\s+of)?"
    r"|repudiat(?:e|es|ed|ing)|balk(?:s|ed|ing)?\s+at|refut(?:e|es|ed|ing)|contradict(?:s"
    r"|ed|ing)?"
    r"|dismiss(?:es|ed|ing)?|refus(?:e|es|ed|ing)"
)
