"""Words and phrases that the rules for titles look for."""

from __future__ import annotations

from typing import Final


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


INTERROGATIVES: Final = _words("what who whom whose why how when where which whats whos")

AUXILIARIES: Final = _words(
    "is are am was were be do does did has have had can could will would shall should may might "
    "must ought"
)
"""A title that begins with one of these asks a yes-or-no question; elsewhere it makes a sentence."""

CONTRACTIONS: Final = _words(
    "isnt arent wasnt werent dont doesnt didnt hasnt havent hadnt cant cannot couldnt wont wouldnt "
    "shouldnt mustnt its thats theres theyre were youre shes hes"
)

VERBS: Final = _words(
    """
    abandon abolish accept accepts achieve adds affect affects agree agrees allow allows apply
    applies arm attracts avoid ban bans beat beats became become becomes began begins believe
    believes belong belongs benefit benefits betrayed boost boosts break breaks bring brings build
    builds buy came care cares carry cause caused causes change changed changes cheat cheats choose
    close comes condemn contain contains contradict contradicts contribute contributes control
    controls corrupt corrupts cost costs create created creates cure cures cut cuts damage damages
    decide decides decrease decreases define defines degrade degrades deny denies depend depends
    deserve deserves destroy destroyed destroys determine determines develop die dies discriminate
    discriminates distract distracts drive drives earn eat eats eliminate encourage encourages end
    ended ends endanger endangers enjoy enslave equal equals evolved exceed exceeds exist existed
    exists exploit exploits fail failed fails favor favors feel feels fight finds follow follows
    force forces gave get gets give gives go goes got grow grows guarantee guarantees happen
    happened happens harm harms hate hates help helped helps hinder hinders holds hurt hurts ignore
    ignores implies imply improve improves increase increased increases infringe infringes influence
    influences inspire inspires justifies justify keep keeps kill killed kills know knows lack lacks
    lead leads learn legalize let lets lies limits live lives look looks lose loses lost loves made
    make makes matter matters mean means miss motivate need needs needed offend offends oppress
    oppresses originate originated outweigh outweighs outweighed owe owes own owns pay pays poses
    prevent prevents pollute pollutes prohibit promote promotes protect protects prove proved proves
    provide provides punish punishes raise raises reach reduce reduces reflect reflects regret
    remain remains remove repeal replace replaces represent represents require requires respect
    result results rose ruin ruined ruins rule ruled rules runs save saves says see seem seems sell
    sends serve served serves solve solves spread spreads stands start started starts steal steals
    stifles stop stops suck sucks suffer suffers support supports surpass surpasses survive take
    takes taste tastes teach teaches tell tells tend tends threaten threatens took treat trumps turn
    undermine undermines understand use uses used values violate violates wants wastes went win wins
    won works worked worsen worsens wrote
    """
)
"""Finite forms of verbs that make a sentence of a title that has no auxiliary.

Forms that are nouns in titles far more often ("debate", "work", "love", "vote", "abuse") are left out.
"""

PERSONAL: Final = _words("i im ive ill id me my mine myself")
"""Words by which a title speaks of the debaters: a reader cannot tell whom the belief is about."""

FOREIGN: Final = (
    # Spanish, Portuguese, French, Italian, German, Dutch: words that are no English ones.
    _words(
        "el los las una que por para del debe deben ser está están porque como muy también según"
    )
    | _words("não deve uma dos das são mais pela pelo")
    | _words("le les des est une être doit doivent pas dans qui sont aux avec pour il faut")
    | _words("che è della gli nella sono deve più")
    | _words("der das ist und sollte sollten nicht eine einen sein wird für mit auf dem")
    | _words("het een niet moet moeten zijn voor van de")
)

ENGLISH: Final = _words(
    "the of and to in that for on with as by at from this it not an than all "
    "more there their they we our"
) | (AUXILIARIES - _words("am"))

ACRONYMS: Final = _words(
    "US USA UK UN EU NATO FBI CIA NSA NRA ACLU DNA HIV AIDS IQ TV PC GMO GMOS NASA NFL NBA MLB UFC WWE "
    "UFO UFOS LGBT LGBTQ KKK IRS WW1 WW2 WWI WWII II III IV ISIS PETA SAT ACT BC AD DC MMA NHL FIFA USSR"
)
"""Words that stay in capitals when a title written in capitals throughout is put into lower case."""

ANNOUNCEMENTS: Final = (
    r"(?:be it )?resolved\s*[:,;.–-]?\s+(?:that )?",
    r"(?:resolution|topic|debate|motion|claim|proposition)\s*[:–-]\s*(?:that )?",
    r"(?:this house|th|we|i) (?:firmly |strongly |really )?(?:believes?|thinks?) (?!in\b)(?:that )?",
    r"thbt (?:that )?",
    r"in my (?:humble )?opinion\s*,?\s+",
)
"""Phrases, as regular expressions, that announce a statement and are not part of it."""

META: Final = (
    r"debate (?:me|with me|anything|any topic)",
    r"(?:first|second|test|practice|fun|easy|noob) debates?",
    r"(?:rap|poetry|poem|haiku|story|song|music|lyrics?) (?:battle|contest|off|showdown)s?",
    r"(?:picture|video|youtube|memes?|quotes?) (?:battle|contest|off|showdown)s?",
    r"(?:jokes?|puns?|riddles?|roast|insults?) (?:battle|contest|off|showdown)s?",
    r"rap off",
    r"(?:word|name) (?:game|chain|association)",
    r"mafia (?:game|signups?|round)|truth or dare|would you rather",
    r"you (?:choose|pick|decide)",
    r"(?:opponent|con|contender|pro|instigator) (?:chooses|picks|decides|will|must|shall|can)",
    r"(?:any|open|your|random|no) (?:topic|challenge|debate)s?",
    r"(?:my|an?) opponents?",
    r"this (?:site|website|debate|resolution|tournament|round)",
    r"the (?:instigator|contender)",
    r"vote (?:for me|for pro|for con|pro|con)",
    r"ddo|debate\.org|debate org|edebate",
    r"tournament round|debate tournament",
    r"free (?:win|points)",
    r"troll debate",
    r"accept this (?:debate|challenge)|forfeit (?:this|the|every|all)",
    r"challenge me",
)
"""What titles say that are about debating, the site, or a game, as regular expressions."""
