"""How a stage of SocialMindChange 2 is told: a lexicon of phrases, and a story and options made from it.

lexicon   the phrases of one stage, by key
filled    lexicons that a grammar fills, from `content/`
story     profiles, background and scenes
phrasing  questions and options, composed from the lexicon
"""
