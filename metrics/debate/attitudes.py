"""Words by which somebody takes a side without saying "agree" or "disagree".

Three groups, each with the same two sides:

P, N  what is done to a claim: "dispute it", "go along with it", "think that it is false"
G, H  what is done to a demand: "support it", "be against it". Said of a claim, "it" may be what
      the claim is about ("Voting is a waste of time. He supports it."), so these count where the
      proposition demands something
C, D  how a claim lies to the person's values: "This is in line with her values"

None of them counts where the text has the plain words, which are more certain.
"""

from __future__ import annotations

import re

MASK = "\u241f"
"""Stands for the proposition in a text."""
THING = (
    r"(?:proposition|statement|claim|assertion|idea|notion|view|sentiment|title|motion"
    r"|thesis|premise|proposal|suggestion|argument"
    r"|belief|one|stance|position|viewpoint|contention|principle|opinion|topic|question|sentence)"
)

_IT = (
    rf"(?:(?:the|this|that|such\s+an?)\s+(?:(?:given|whole|blanket|general|idea|basic|bold|broad"
    rf"|strong|sweeping|kind\s+of|sort\s+of|type\s+of)\s+){{0,2}}{THING}(?:\s+of\s+{MASK}"
    rf"|\s+about\s+(?:the\s+)?\w+(?:\s+\w+)?(?=\s*[.;!]))?"
    r"|(?:such\s+an?|this|that)\s+(?:rule|measure|policy|plan|step|move|reform|change)"
    rf"|an?\s+(?:\w+\s+)?{THING}\s+(?:as\s+\w+\s+as|like)\s+(?:this|that)(?:\s+one)?|it|this"
    rf"|that|such\s+(?:claims?|statements?|ideas?|a\s+thing)|{MASK})(?!['\w-])"
)
_CLAIM = rf"(?:(?:the|this|that|such\s+an?)\s+(?:\w+\s+)?{THING}|{MASK})(?!['\w-])"
_STOP = r"(?=[\"')\]]*\s*(?:[.!?;,(\n]|$))"
_HOW = (
    r"(?:(?:quite|very|rather|fairly|really|pretty|so|too|all|more|firmly|strongly|deeply|highly"
    r"|probably|likely|simply|largely|mostly|broadly|basically|generally|entirely|completely"
    r"|totally|perfectly|somewhat|fully|clearly|plainly|just)\s+)*"
)


def _verb(stems: str) -> str:
    """Verbs in all their forms, given as "accept|den(y|ied)": stems with an optional ending."""
    return rf"(?:{stems})(?:s|es|ed|d|ing)?"


_CLAIM_PRO = _verb(
    r"accept|endors(?:e|ing)?|affirm|buy|buy(?:ing)?\s+into|believ(?:e|ing)?\s+in|shar(?:e|ing)?"
    r"|second|echo|embrac(?:e|ing)?|uphold|defend|advanc(?:e|ing)?"
) + (
    r"|(?:subscrib(?:e|es|ing)|warm(?:s|ing)?|sign(?:s|ing)?\s+(?:up|on)|assent(?:s|ing)?"
    r"|consent(?:s|ing)?"
    r"|say(?:s|ing)?\s+yes|nod(?:s|ding)?(?:\s+along)?)\s+(?:to|with|at|for)"
    r"|(?:go(?:es|ing)?\s+along|concur(?:s|ring)?|sid(?:e|es|ing)|sympathi[sz](?:e|es|ing))\s+with"
    r"|(?:on|come(?:s)?\s+down\s+on|take(?:s)?|taking)\s+the\s+side\s+of|see(?:s"
    r"|ing)?\s+eye\s+to\s+eye\s+(?:with|on)|go(?:es|ing)?\s+for"
    r"|(?:get|gets|getting|be|is|come|comes|jump|jumps)\s+(?:right\s+)?on\s+board\s+with"
    r"|raise(?:s)?\s+(?:his|her|their)\s+hands?\s+for"
    r"|see(?:s|ing)?\s+(?:the\s+|much\s+|some\s+|a\s+lot\s+of\s+)?(?:truth|merit|sense|point"
    r"|wisdom|logic|value)\s+(?:in|of)|drawn\s+to|receptive\s+to"
    r"|give(?:s)?\s+(?:his|her|their)\s+(?:blessing|backing|support|vote|assent|approval)\s+to"
    r"|(?:cheer|root)(?:s|ing)?\s+for|(?:get(?:s|ting)?|stand(?:s|ing)?)\s+behind|stand(?:s"
    r"|ing)?\s+by"
)
_CLAIM_CON = _verb(
    r"reject|disput(?:e|ing)?|contest|den(?:y|ie|ying)|repudiat(?:e|ing)?|refut(?:e|ing)?"
    r"|contradict|dismiss|challeng(?:e|ing)?|rebut(?:t)?|discount|disbeliev(?:e|ing)?|resist"
    r"|condemn|scorn|disput(?:e|ing)?|doubt(?=\s+(?:it|this|that\s*[.,;]|the\s+claim"
    r"|the\s+statement)\b)"
) + (
    r"|(?:object|dissent|say\s+no|say(?:s|ing)\s+no|take(?:s)?\s+exception)(?:s|ed|ing)?\s+to"
    r"|(?:balk|baulk|scoff|bristl(?:e|ing)|bridl(?:e|ing)|laugh|recoil)(?:s|ed)?\s+(?:at|from)"
    r"|push(?:es|ing)?\s+back\s+(?:on|against|at)|push(?:es|ing)?\s+back|argu(?:e|es|ing)\s+against"
    r"|(?:take(?:s)?|taking|find(?:s)?)\s+(?:issue|fault)\s+with|beg(?:s"
    r"|ging)?\s+to\s+differ\s+(?:with|on)"
    r"|part(?:s|ing)?\s+ways\s+with|roll(?:s|ing)?\s+(?:his|her|their)\s+eyes\s+at"
    r"|shak(?:e|es|ing)\s+(?:his|her|their)\s+heads?\s+at|have\s+none\s+of|stand(?:s"
    r"|ing)?\s+against|turn(?:s|ing)?\s+(?:his|her|their)\s+nose\s+up\s+at"
    r"|(?:take(?:s)?\s+umbrage|raise(?:s)?\s+an?\s+eyebrow|wince(?:s)?|snort(?:s)?|sneer(?:s)?"
    r"|cringe(?:s)?|grumble(?:s)?|frown(?:s)?|bark(?:s)?)\s+(?:at|on|over)"
    r"|(?:brush|wave|shrug|laugh)(?:es|s)?\s+(?:off|aside|away)|see(?:s|ing)?\s+(?:no|little"
    r"|not\s+much)\s+(?:truth|merit|sense|point|wisdom|logic|value)\s+(?:in|of)"
    r"|raise(?:s)?\s+(?:his|her|their)\s+hands?\s+against|draw(?:s)?\s+the\s+line\s+at|hostile\s+to"
)
_CLAIM_BE_PRO = (
    r"(?:convinced|persuaded)\s+(?:of|by)|a\s+believer\s+in|of\s+one\s+mind\s+with|at\s+one\s+with"
    r"|on\s+board\s+with|in\s+(?:full\s+)?(?:agreement|accord|sympathy)\s+with|sympathetic\s+to"
)
_CLAIM_BE_CON = (
    r"(?:unconvinced|unpersuaded)\s+(?:of|by)|(?:skeptical|sceptical|dubious|disbelieving"
    r"|dismissive)"
    r"\s+(?:of|about)|at\s+odds\s+with|in\s+(?:disagreement|conflict)\s+with|unsympathetic\s+to"
)
_FOUND = (
    r"(?:(?:i\s+(?:would|will)\s+)?(?:put|place|count|list|file|mark)\s+(?:him|her|them|(?:this"
    r"|the)\s+(?:person|one|user|man|woman))\s+(?:down\s+)?"
    r"|(?:come|comes|land|lands|fall|falls|sit|sits|stand|stands|end|ends|find\s+(?:him|her"
    r"|them)sel(?:f|ves)|be\s+found)\s+(?:(?:up|down|out|firmly|squarely)\s+)*)?"
)
_CLAIM_ALONE_PRO = (
    r"nod(?:s|ding)?(?:\s+along|\s+in\s+agreement)?|concurs?|assents?|go(?:es|ing)?\s+along"
    r"|convinced|persuaded|on\s+board|in\s+favou?r|say(?:s)?\s+yes|see(?:s)?\s+(?:it"
    r"|things)\s+(?:that|the\s+same)\s+way|of\s+(?:that|the\s+same|this)\s+(?:opinion|view|mind)"
    r"|(?:get|stand)(?:s)?\s+behind|endorse"
    rf"|put(?:s)?\s+(?:his|her|their)\s+(?:name|signature)\s+to|(?:sign\s+up|sign\s+on"
    rf"|subscribe)\s+to|take(?:s)?\s+the\s+(?:proposition|statement|claim)'s\s+side|(?:vote"
    rf"|say)(?:s)?\s+aye|vote(?:s)?\s+(?:yes|in\s+favou?r)|fall(?:s)?\s+in\s+line"
    rf"|raise(?:s)?\s+(?:his|her|their)\s+hand"
    rf"(?:\s+(?:for\s+it|in\s+favou?r|in\s+support))?|{_FOUND}(?:in|on|with|among|one\s+of"
    rf"|part\s+of)\s+the\s+(?:(?:pro|yes|supporting|approving|affirmative|for"
    rf"|agreeing)\s+(?:camp|side|column|crowd)"
    r"|supporters|proponents|defenders|believers|backers)|(?:a|an)\s+(?:\w+\s+)?(?:supporter"
    r"|proponent|believer|backer)|think(?:s)?\s+so|(?:answer|respond|reply|replies)s?"
    r"\s+(?:affirmatively|positively|in\s+the\s+affirmative|with\s+a\s+yes)"
)
_CLAIM_ALONE_CON = (
    r"push(?:es|ing)?\s+back|dissents?|demurs?|objects?|begs?\s+to\s+differ|scoffs?|balks?"
    r"|bristles?"
    r"|vote(?:s)?\s+(?:no|against)|raise(?:s)?\s+(?:his|her|their)\s+hand\s+(?:against\s+it"
    r"|in\s+opposition)"
    rf"|{_FOUND}(?:in|on|with|among|one\s+of|part\s+of)\s+the\s+(?:(?:con|no|opposing"
    rf"|disapproving|dissenting|negative|against|disagreeing|anti)\s+(?:camp|side|column|crowd)"
    r"|opponents|sceptics|skeptics|doubters|dissenters|critics|detractors|opposition|naysayers)"
    r"|(?:a|an)\s+(?:\w+\s+)?(?:sceptic|skeptic|doubter|naysayer|opponent)|see(?:s)?\s+(?:it"
    r"|things)\s+(?:differently|otherwise|another\s+way|the\s+other\s+way)"
    r"|of\s+(?:the\s+opposite|another|a\s+different)\s+(?:opinion|view|mind)|argue\s+against"
    r"|dispute|contest"
    rf"|(?:say|think|argue|believe|claim)(?:s)?\s+(?:just\s+|exactly\s+)?the\s+(?:opposite"
    rf"|contrary|reverse)|unconvinced|unpersuaded|skeptical|sceptical|dubious|say(?:s)?\s+no"
    rf"|take(?:s)?\s+(?:issue|exception)"
    r"|(?:answer|respond|reply|replies)s?\s+(?:negatively|in\s+the\s+negative|with\s+a\s+no)"
    r"|shake(?:s)?\s+(?:his|her|their)\s+heads?"
)
_DEMAND_PRO = (
    _verb(
        r"support|back|favou?r|approv(?:e|ing)?\s+of|welcom(?:e|ing)?|champion|applaud|cheer"
        r"|advocat(?:e|ing)?(?:\s+for)?"
    )
    + r"|likes|loves|would\s+(?:like|love)|vot(?:e|es|ing)\s+(?:yes\s+)?(?:for|in\s+favou?r\s+of"
    r"|on)"
    r"|approve[sd]?\s+of|argu(?:e|es|ing)\s+for|come(?:s)?\s+(?:down|out)\s+(?:for"
    r"|in\s+favou?r\s+of)"
)
_DEMAND_CON = (
    _verb(
        r"oppos(?:e|ing)?|resent|dislik(?:e|ing)?|hat(?:e|ing)?|disapprov(?:e|ing)?\s+of|fight"
        r"|refus(?:e|ing)?|declin(?:e|ing)?|block|detest|loath(?:e|ing)"
    )
    + r"|disapprove[sd]?\s+of|vot(?:e|es|ing)\s+(?:no\s+)?(?:against|on)"
    r"|come(?:s)?\s+(?:down|out)\s+against|turn(?:s|ing)?\s+down"
)
_DEMAND_BE_PRO = (
    rf"in\s+favou?r\s+of|(?:be|is|are|all)\s+{_HOW}for|supportive\s+of"
    rf"|favou?rable\s+to(?:wards?)?|behind|fine\s+with"
    r"|ok(?:ay)?\s+with|happy\s+(?:with|about)|sold\s+on|enthused\s+by|comfortable\s+with"
    r"|keen\s+on|fond\s+of|(?:a\s+)?(?:big\s+)?fan\s+of"
    r"|(?:an?|any)\s+(?:\w+\s+)?(?:supporter|proponent|advocate|defender|friend|backer)\s+of"
    r"|enthusiastic\s+about"
)
_DEMAND_BE_CON = (
    r"against|opposed\s+to|hostile\s+to(?:wards?)?|averse\s+to|critical\s+of|wary\s+of"
    r"|suspicious\s+of|unhappy\s+(?:with|about)"
    r"|uncomfortable\s+with|(?:an?|any)\s+(?:\w+\s+)?(?:opponent|critic|enemy|foe)\s+of"
    r"|no\s+(?:big\s+)?(?:fan|friend)\s+of"
)
_TRUE = (
    r"(?:true|correct|accurate|valid|right|the\s+case|spot\s+on|well-founded|convincing"
    r"|persuasive|compelling|credible|believable|plausible)"
)
_FALSE = (
    r"(?:false|untrue|incorrect|inaccurate|invalid|wrong|mistaken|nonsense|rubbish|unfounded"
    r"|absurd|ridiculous|unconvincing|unpersuasive|implausible|far-fetched|exaggerated|overblown"
    r"|unbelievable)"
)
_FACT, _NO_FACT = r"(?:true|correct|accurate|so)", r"(?:false|untrue|incorrect|inaccurate|nonsense)"
_DEEM = (
    r"(?:think|believe|say|find|consider|regard|call|deem|see|view|judge|feel|argue|reckon|insist"
    r"|maintain|answer|hold|conclude|rate)(?:s|es|ing)?"
)
_AS = r"\s+(?:(?:is|was|to\s+be|as|being|would\s+be|rings?|sounds?)\s+)?"


def _deemed(yes: str, fact: str) -> str:
    """ "thinks that it is true", "finds the statement wrong", "it would strike her as true"."""
    found = rf"(?:it|this|that){_AS}{_HOW}{fact}|{_CLAIM}{_AS}{_HOW}{yes}"
    return rf"{_DEEM}\s+(?:that\s+)?(?:{found}){_STOP}"


def _denied(yes: str, fact: str) -> str:
    return (
        rf"{_DEEM}\s+(?:that\s+)?(?:(?:it|this|that)\s+(?:is|was|would\s+be)\s+not\s+{_HOW}{fact}"
        rf"|{_CLAIM}\s+(?:is|was|would\s+be)\s+not\s+{_HOW}{yes}){_STOP}"
    )


_VALUES = (
    r"(?:(?:all|most|much)\s+of\s+)?(?:(?:the|this|that)\s+\w+(?:'s)?|their|her|his|everything"
    r"|what)"
    r"\s+(?:[\w-]+\s+(?:and\s+)?){0,4}?"
    r"(?:values?|views?|beliefs?|outlook|worldview|profile|background|principles|convictions"
    r"|positions?"
    r"|stances?|ideology|attitudes?|priorities|faith|opinions?|written|said|says|stated"
    r"|stands\s+for|stood\s+for|holds\s+dear|believes(?:\s+in)?|cares\s+about|lives\s+by"
    r"|know\s+of"
    r"\s+(?:her|him|them))(?!['\w-])"
)
_FITS = (
    r"(?:aligns?\s+(?:\w+\s+)?with|align\s+with|aligned\s+with|fits?(?:\s+(?:well\s+)?with)?"
    r"|accords?\s+with"
    r"|agrees?\s+with|chimes?\s+with|resonates?\s+with|sits?\s+well\s+with|squares?\s+with"
    r"|(?:consistent|compatible"
    r"|in\s+line|in\s+keeping|in\s+harmony|in\s+accordance)\s+with|matche?s?|supports?)"
)
_CLASHES = (
    r"(?:conflicts?\s+with|clash(?:es)?\s+with|contradicts?|goes?\s+against|runs?\s+(?:counter"
    r"|contrary)"
    r"\s+to|cuts?\s+against|sits?\s+badly\s+with|(?:inconsistent|incompatible|in\s+conflict"
    r"|at\s+odds"
    r"|out\s+of\s+line|in\s+tension)\s+with|contrary\s+to|speaks?\s+against)"
)
_HARDLY = r"(?:not|never|hardly|scarcely|barely|rarely)"
_ADVERB = (
    r"(?:(?:(?!hardly|scarcely|barely|rarely|unlikely|only|possibly|supposedly)\w+ly|"
    r"would|is|are|does|do|seems|very|quite|much|well|to|be)\s+){0,4}?"
)


def _lies(relation: str, *, turned: bool) -> str:
    """ "The claim is in line with her values", "her values conflict with the claim"."""
    between = rf"{_ADVERB}{_HARDLY}\s+{_ADVERB}" if turned else _ADVERB
    ends = r"(?=\s*(?:[.,;!\n]|$|so\b|and\b|as\b))"
    return (
        rf"(?:{_CLAIM}|it|this)\s+{between}{relation}\s+{_VALUES}{ends}"
        rf"|{_VALUES}\s+{between}{relation}\s+{_CLAIM}{ends}"
    )


_STRIKES = rf"(?:{_CLAIM}|it|this)\s+{_ADVERB}(?:strikes?|rings?|sounds?|seems?)\s+"
_HER = r"(?:him|her|them|(?:this|the)\s+(?:person|man|woman|user|individual))"


def _strikes(truth: str) -> str:
    """ "It would strike her as true", "the claim rings false to them"."""
    as_true, true_to = rf"{_HER}\s+as\s+{_HOW}{truth}", rf"{_HOW}{truth}\s+(?:to|for)\s+{_HER}"
    return rf"{_STRIKES}(?:{as_true}|{true_to}){_STOP}"


_PLEASES = (
    r"(?:right\s+up\s+{her}\s+(?:alley|street)|(?:sits?|go(?:es)?(?:\s+down|\s+over)?|lands?"
    r"|fare?s?)\s+(?:well|fine|comfortably|nicely)\s+with\s+{him}"
    r"|(?:appeals?|speaks?|is\s+congenial|is\s+dear|is\s+welcome|makes?\s+(?:perfect\s+"
    r"|good\s+)?sense)\s+to\s+{him}|(?:resonates?|chimes?|clicks?)\s+with\s+{him}"
    r"|strikes?\s+a\s+chord\s+with\s+{him}|suits?\s+{him}|pleases?\s+{him}"
    r"|music\s+to\s+{her}\s+ears"
    r"|(?:meets?|finds?)\s+(?:with\s+)?{her}\s+(?:approval|favou?r|agreement|assent|support)"
    r"|(?:gets?|wins?|earns?|has|have)\s+{her}\s+(?:full\s+)?"
    r"(?:approval|vote|support|backing|blessing|assent|agreement|endorsement|sympathy)"
    r"|gets?\s+an?\s+(?:\w+\s+)?(?:thumbs\s+up|nod|yes)\s+from\s+{him})"
)
_JARS = (
    r"(?:(?:sits?|go(?:es)?(?:\s+down|\s+over)?|lands?|fare?s?)\s+(?:badly|poorly|ill|uneasily"
    r"|awkwardly|uncomfortably)\s+with\s+{him}"
    r"|rubs?\s+{him}\s+(?:up\s+)?the\s+wrong\s+way|(?:grates?|jars?)\s+(?:on|with)\s+{him}"
    r"|sticks?\s+in\s+{her}\s+(?:craw|throat)"
    r"|(?:offends?|annoys?|irritates?|repels?|displeases?|irks?|upsets?|angers?)\s+{him}"
    r"|leaves?\s+{him}\s+(?:cold|unconvinced|unmoved|sceptical|skeptical|unpersuaded)"
    r"|makes?\s+(?:no|little)\s+sense\s+to\s+{him}|(?:meets?"
    r"|finds?)\s+(?:with\s+)?{her}\s+(?:disapproval|disfavou?r|disagreement|opposition"
    r"|resistance)"
    r"|(?:gets?|earns?|has|have)\s+{her}\s+(?:disapproval|opposition|disagreement)"
    r"|loses?\s+{her}\s+(?:vote|support)"
    r"|gets?\s+an?\s+(?:\w+\s+)?(?:thumbs\s+down|no)\s+from\s+{him})"
)


def _suits(relation: str, *, turned: bool) -> str:
    """ "Such a claim would sit well with her", "it would rub him the wrong way"."""
    between = rf"{_ADVERB}{_HARDLY}\s+{_ADVERB}" if turned else _ADVERB
    phrase = relation.replace("{him}", _HER).replace("{her}", r"(?:his|her|their)")
    return (
        rf"(?:{_CLAIM}|it|this(?:\s+one)?|such\s+(?:a\s+)?(?:claims?|statements?|thing"
        rf"|talk))\s+{between}{phrase}{_STOP}"
    )


def _holds(truth: str) -> str:
    """ "The proposition holds true for her"."""
    return (
        rf"{_CLAIM}\s+{_ADVERB}(?:holds?|is|rings|comes\s+out\s+as"
        rf"|comes\s+out)\s+{_HOW}{truth}\s+(?:for|to|in\s+the\s+eyes\s+of)\s+{_HER}{_STOP}"
    )


LIES = [
    ("C", _suits(_JARS, turned=True)),
    ("D", _suits(_PLEASES, turned=True)),
    ("C", _suits(_PLEASES, turned=False)),
    ("D", _suits(_JARS, turned=False)),
    ("C", _holds(_TRUE)),
    ("D", _holds(_FALSE)),
    ("C", _strikes(_TRUE)),
    ("D", _strikes(_FALSE)),
    ("C", _lies(_CLASHES, turned=True)),
    ("D", _lies(_FITS, turned=True)),
    ("C", _lies(_FITS, turned=False)),
    ("D", _lies(_CLASHES, turned=False)),
]
"""Class and pattern of sentences about the claim and the person's values."""

_WOULD = (
    r"(?:would|will|likely|probably|surely|certainly|definitely|readily|happily|gladly"
    r"|likely\s+to|bound\s+to|apt\s+to)\s+"
)
_THINK = (
    r"(?:think|claim|believe|say|hold|feel|maintain|argue|insist|accept|admit|concede|affirm"
    r"|grant|find)"
)
_THINKING = r"(?:thinking|believing|saying|feeling|arguing|accepting|admitting|conceding|affirming)"
_DENY = r"(?:deny|doubt|dispute|contest|question)"
_DENYING = r"(?:denying|doubting|disputing|contesting|questioning)"

_VIEW = (
    r"(?:view|opinion|sentiment|belief|statement|claim|position|stance|idea)\s+(?:that\s+"
    r"|which\s+)?"
)
_SHE = (
    r"(?:he|she|they|(?:this|the)\s+person)\s+"
    r"(?:(?:would|will|probably|surely|certainly|likely|also|very\s+much|fully)\s+)*"
)
_QUARREL = r"(?:objections?\s+to|problems?\s+with|issues?\s+with|quarrel\s+with|qualms?\s+about)"
_SYMPATHY = (
    r"(?:sympathy\s+(?:for|with)|time\s+for|patience\s+with|enthusiasm\s+for|appetite\s+for)"
)

ATTITUDES = [
    ("N", r"(?:would|will)\s+not\s+hear\s+of\s+(?:it|this|that)"),
    ("N", _denied(_TRUE, _FACT)),
    ("P", _denied(_FALSE, _NO_FACT)),
    ("P", _deemed(_TRUE, _FACT)),
    ("N", _deemed(_FALSE, _NO_FACT)),
    ("N", rf"(?:{_CLAIM_CON}|{_CLAIM_BE_CON})\s+{_IT}|(?:{_CLAIM_ALONE_CON}){_STOP}"),
    # A proposition that is only ascribed ("She thinks that …") may be the question repeated.
    ("P", rf"(?:{_WOULD}{_THINK}|{_THINKING})\s+(?:that\s+)?{MASK}"),
    ("N", rf"(?:{_WOULD}{_DENY}|{_DENYING})\s+(?:that\s+)?{MASK}"),
    (
        "P",
        rf"{_VIEW}{_SHE}(?:shares?|holds?|endorses?|backs?|supports?|accepts?|embraces?"
        rf"|subscribes?\s+to){_STOP}",
    ),
    (
        "N",
        rf"{_VIEW}{_SHE}(?:rejects?|disputes?|opposes?|dismisses|dismiss|denies|deny|contests?"
        rf"|resists?|objects?\s+to){_STOP}",
    ),
    (
        "P",
        rf"(?:have|has)\s+(?:no|little)\s+{_QUARREL}\s+{_IT}|(?:have|has)\s+(?:any\s+|some\s+"
        rf"|much\s+|great\s+|every\s+|a\s+lot\s+of\s+)?{_SYMPATHY}\s+{_IT}"
        rf"|on\s+the\s+same\s+page\s+(?:as|with)\s+{_IT}",
    ),
    (
        "N",
        rf"(?:have|has|raise|raises|voice|voices)\s+(?:an\s+|any\s+|some\s+|serious\s+|strong\s+"
        rf"|a\s+)?{_QUARREL}\s+{_IT}"
        rf"|(?:have|has)\s+(?:no|little)\s+{_SYMPATHY}\s+{_IT}|on\s+the\s+(?:other|opposite"
        rf"|opposing)\s+side\s+of\s+{_IT}",
    ),
    ("P", rf"(?:{_CLAIM_PRO}|{_CLAIM_BE_PRO})\s+{_IT}|(?:{_CLAIM_ALONE_PRO}){_STOP}"),
    ("N", rf"(?:{_DEMAND_CON}|{_DEMAND_BE_CON})\s+{_CLAIM}|turn(?:s|ing)?\s+{_CLAIM}\s+down"),
    ("P", rf"(?:{_DEMAND_PRO}|{_DEMAND_BE_PRO})\s+{_CLAIM}"),
    (
        "H",
        rf"(?:disputes?|contests?|dismiss(?:es)?|deny|denies|resists?){_STOP}|(?:{_DEMAND_CON}"
        rf"|{_DEMAND_BE_CON})\s+{_IT}|turn(?:s|ing)?\s+{_IT}\s+down"
        rf"|vot(?:e|es|ing)\s+{_IT}\s+down",
    ),
    (
        "G",
        rf"(?:shares?|holds?|endorses?|embraces?|backs?){_STOP}|(?:{_DEMAND_PRO}"
        rf"|{_DEMAND_BE_PRO})\s+{_IT}",
    ),
]
"""Class and pattern of what a person does to a claim or demand."""

_DEMANDING = re.compile(
    r"\b(?:should|ought|must|needs?|has\s+to|have\s+to|let\s+us|let's)\b", re.IGNORECASE
)
_NEGATED = re.compile(
    r"n't\b|\b(?:not|no|never|nobody|nothing|without|stop|cannot)\b", re.IGNORECASE
)


def demands(proposition: str) -> bool:
    """Whether a proposition says that something should be so, and not that it should not."""
    return bool(_DEMANDING.search(proposition)) and not _NEGATED.search(proposition)
