"""Words that say which way something goes, what causes it, how a person stands and what counts.

Lists of words prove little about meaning, and are used for what they can prove: that a word is there
which must be, that one is not there which must not be, and that all words of a quote go one way where
its author says that they go the other.
"""

from __future__ import annotations

from typing import Final

from otherminds.dataset_builders.hugagent.authored.texts import one_of

UP: Final = one_of(
    (
        *("more", "up", "upward", "higher", "ris(?:e|es|ing|en)", "rose", "rais(?:e|es|ed|ing)"),
        *("increas(?:e|es|ed|ing)", "grow(?:s|n|ing)?", "grew", "climb(?:s|ed|ing)?", "bigger"),
        *("greater", "boost(?:s|ed|ing)?", "swell(?:s|ed|ing)?", "extra", "doubl(?:e|es|ed|ing)"),
    )
)
DOWN: Final = one_of(
    (
        *("less", "fewer", "down", "downward", "lower(?:s|ed|ing)?", "fall(?:s|ing|en)?", "fell"),
        *("drop(?:s|ped|ping)?", "decreas(?:e|es|ed|ing)", "shrink(?:s|ing)?", "shrank", "shrunk"),
        *("smaller", "declin(?:e|es|ed|ing)", "sink(?:s|ing)?", "sank", "reduc(?:e|es|ed|ing)"),
        *("dwindl(?:e|es|ed|ing)", "halv(?:e|es|ed|ing)"),
    )
)
TURNS: Final = one_of(
    (
        *("no", "not", r"\w+n't", "cannot", "never", "nobody", "none", "nothing", "nor", "neither"),
        *("without", "stop(?:s|ped|ping)?", "hardly", "barely", "scarcely", "instead", "against"),
        *("keep(?:s|ing)?", "kept", "prevent(?:s|ed|ing)?", "unless", "away", "off", "other way"),
        *("lack(?:s|ed)?", "fail(?:s|ed)?", "lose(?:s)?", "losing", "lost", "any"),
    )
)
"""Words that may turn the others round: where one stands, nothing is said against a quote."""

_COMPARED: Final = (
    *("easi", "hard", "cheap", "dear", "pric(?:i|e)", "long", "short", "slow", "fast", "quick"),
    *("bett", "wors", "saf", "busi", "qui(?:e|eter)", "loud", "dark", "bright", "tight", "loos"),
    *("strong", "weak", "full", "empti", "rich", "poor", "free", "tall", "thinn", "thick", "heavi"),
    *("light", "warm", "cool", "close", "clos", "farth", "furth", "happi", "keen", "wid", "narrow"),
    *("soon", "earli", "lat", "steep", "rough", "smooth", "healthi", "sick", "friendli", "cold"),
    *("hott", "soft", "sweet", "bold", "brav", "nic", "wari", "scarc", "rar", "common", "calm"),
    *("clean", "dirti", "meaner", "mean", "kind", "simpl", "mess", "messi", "angri", "deep"),
)
_MOVES: Final = (
    *("push", "pull", "driv", "drove", "eas", "help", "hurt", "kill", "squeez", "bring", "brought"),
    *("feed", "fed", "starv", "spread", "multipl", "worsen", "improv", "vanish", "disappear"),
    *("dr(?:y|ies|ied)", "fill", "crowd", "clear", "cut", "sav", "sell", "sold", "win", "won"),
    *("los", "lost", "gain", "ruin", "wreck", "fix", "choke", "chok", "scare", "scar", "protect"),
    *("shut", "open", "clos", "creat", "destroy", "slow", "speed", "sped", "bump", "tip", "turn"),
    *("support", "favor", "favour", "oppos", "lean", "back", "sour", "swing", "swung", "wear"),
    *("stretch", "strain", "burden", "reliev", "free", "add", "take", "took", "send", "sent"),
)
DIRECTION: Final = one_of(
    (
        UP.pattern,
        DOWN.pattern,
        rf"(?:{'|'.join(_COMPARED)})(?:er|r|se|ter)",
        rf"(?:{'|'.join(_MOVES)})(?:e|es|ed|en|s|ing|ies|ied)?",
        *("worse", "better", "for it", "against", "no longer", "out of", "too many", "too much"),
        *("enough", "gone", "goes", "away", "off", "on board"),
    )
)
"""What a stated effect has: some word that says which way."""

NO_EFFECT: Final = one_of(
    (
        *(
            "no",
            "not",
            r"\w+n't",
            "nothing",
            "never",
            "neither",
            "nor",
            "same",
            "whether",
            "either",
        ),
        *("regardless", "differ(?:ent|ence)", "unrelated", "separate", "apart", "cannot", "zero"),
    )
)

CAUSES: Final = one_of(
    (
        *("because", "caus(?:e|es|ed|ing)", "lead(?:s|ing)? to", "led to", "results? in", "due to"),
        *("resulted", "thanks to", "therefore", "which means", "that means", "meant that"),
        *("rais(?:e|es|ed|ing)", "lower(?:s|ed|ing)", "increas(?:e|es|ed|ing)", "affect(?:s|ed)?"),
        *(
            "decreas(?:e|es|ed|ing)",
            "reduc(?:e|es|ed|ing)",
            "boost(?:s|ed|ing)?",
            "impact(?:s|ed)?",
        ),
        *(
            "effects?",
            "driv(?:e|es|ing) (?:up|down)",
            "drove (?:up|down)",
            "push(?:es|ed) (?:up|down)",
        ),
        *("br(?:ing|ings|ought) (?:up|down)", "that's why", "which is why", "the reason", "always"),
    )
)
"""What a hint has not: words that name a cause, a direction of it, or a rule."""

OPINION: Final = one_of(
    (
        r"(?:i'm|i am|i'd be|i was|i stay|i come down)(?: \w+)?(?: \w+)? (?:for|against|behind|opposed|"
        r"in favou?r)",
        r"(?:i|i'd|i would|i'll) (?:\w+ )?(?:support|oppose|back|favou?r|vote)",
        *("in favou?r of", "opposed to", "my support", "undecided", "on the fence", "of two minds"),
    )
)
TAKES_SIDES: Final = one_of(
    (
        r"(?:i'm|i am)(?: \w+)?(?: \w+)? (?:for|against|behind|opposed to|in favou?r of) "
        r"(?:it|this|that|the idea|the whole thing)",
        r"i (?:\w+ )?(?:support|oppose) (?:it|this|that|the idea|the whole thing)",
        r"(?:make|makes|made) me (?:\w+ )?(?:like|want|favou?r|support|oppose|back)",
    )
)
"""An opinion on what goes by a pronoun."""

LIKES: Final = one_of(
    (r"i(?:'d)? (?:\w+ )?(?:love|hate|like|dislike|detest|adore|dread|want|can't stand)",)
)
LEANS: Final = one_of(
    (
        *(
            "likes?",
            "wants?",
            "favou?rs?",
            "supports?",
            "backs?",
            "opposes?",
            "toward",
            "away from",
        ),
        *("keener", "warmer", "cooler", "warier", "sold", "against", "in favou?r", "better of"),
        *("(?:pulls?|push(?:es)?|tips?|turns?|draws?|puts?) me", "worse of"),
    )
)
"""Words that say which way somebody leans, where something is only weighed."""

FOR: Final = one_of(
    (
        r"(?:i'm|i am|i'd be)(?: \w+)?(?: \w+)? (?:for|behind|in favou?r)",
        r"i (?:\w+ )?(?:support|back|favou?r)",
        *("a yes", "vote yes", "say yes"),
    )
)
AGAINST: Final = one_of(
    (
        r"(?:i'm|i am|i'd be)(?: \w+)?(?: \w+)? (?:against|opposed)",
        r"i (?:\w+ )?oppose",
        *("a no", "vote no", "say no", "vote against"),
    )
)
MIND: Final = one_of(
    (
        r"chang(?:e|es|ed|ing) my mind",
        *("made up my mind", r"my mind(?:'s| is) made up"),
        *("talk me out of", "talk me into", "easily swayed", "won't budge", "persuade me"),
    )
)
COUNTS: Final = one_of(
    (
        r"matters?(?: (?:a lot|most|more|less|little|to me))?",
        *("important", "importance", "priority", "what i care about", "care most", "don't care"),
        *("first on my list", "top of my list", "outweighs?", "weighs? (?:a lot|most|more|little)"),
        *(
            "comes? first",
            "above all",
            "more than anything",
            "counts? (?:a lot|most|for|more|little)",
        ),
    )
)
MUCH: Final = one_of(
    (
        *("more than anything", "above all", "above everything", "most of all", "comes? first"),
        *("huge(?:ly)?", "a (?:whole )?lot", "a great deal", "everything"),
    )
)
LITTLE: Final = one_of(
    (
        *("for nothing", "not at all", "don't care", "barely", "hardly", "next to nothing"),
        *("couldn't care less", "a little", "not much", "none"),
        r"(?:doesn't|does not|don't|isn't|not) (?:\w+ )?(?:count|matter|weigh|a lot|a great deal|much)",
    )
)

AGREES: Final = one_of(
    (
        "right",
        "agree(?:s|d)?",
        "same",
        "true",
        "with (?:him|her|them)",
        "see it that way",
        "so do i",
    )
)
DIFFERS: Final = one_of(
    (
        *("wrong", "disagree(?:s|d)?", "contrary", "opposite", "mistaken", "nonsense", "backwards"),
        *("other way (?:a)?round", "don't buy", "don't agree", "can't agree", "not so"),
    )
)
STAYS: Final = one_of(
    ("still", "stand by", "stick (?:to|with)", "stuck (?:to|with)", "same", "holds")
)
TURNED: Final = one_of(
    (
        *("come round", "came round", "come around", "came around", "contrary", "opposite"),
        *("no longer", "not anymore", "any ?more", "other way (?:a)?round", "turned me"),
        *("changed my mind", "think otherwise", "was wrong", "the reverse"),
    )
)
SETTLED: Final = one_of(
    (
        "nothing",
        "nobody",
        "no one",
        "never",
        "made up",
        "won't (?:budge|move)",
        "not (?:going to|moving)",
    )
)
MOVED: Final = one_of(
    ("easily", "swing", "swung", "all the way", "easy to turn", "either way", "talk(?:ed)? me into")
)

SCALE: Final = one_of(
    (
        r"(?:\d+|one|two|three|four|five|six|seven|eight|nine|ten)(?: ?/ ?| out of (?:a )?)"
        r"(?:5|10|five|ten)",
        "on a scale",
        "scale of",
        "scale from",
    )
)
LATER: Final = one_of(
    (
        r"i(?:'d| would) (?:then |probably |likely |maybe |still )?(?:be|become|turn|switch|swing|"
        r"come round|end up)(?: \w+){0,3} (?:for|against|behind|opposed|in favou?r|the other side)",
        r"i(?:'d| would) (?:then |probably |likely |maybe )?(?:support|oppose|back)",
    )
)
"""What somebody would come to think of the policy."""
